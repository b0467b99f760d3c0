/* scenes.cpp: scenes in which solvers of engines fail, the same for each engine and solver
 *
 *   PROGRAM [--steps N] [--scene NAME] [--test]
 *
 * A line for each scene and solver: steps that are not solved (as the solver says, `-` if it says
 * nothing), how far a body that should rest has moved, the worst violation of what the scene holds
 * together, and the time of a step, the median and the longest. A scene passes if all steps of ours
 * are solved and its bodies stay where they should; --test makes few steps,
 * but 1,000 of one scene. */
#include "scenes/world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace
{

using namespace scenes;

double distance(const Vec &a, const Vec &b)
{
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

void ground(World &world, double mu = 0.5)
{
  Body body;
  body.half = {50, 50, 0.5};
  body.at = {0, 0, -0.5};
  body.mass = 0;
  body.mu = mu;
  world.add(body);
}

/* What a scene is made of, and what is measured in it. */
struct Stage {
  std::vector<int> rest; /* bodies that should stay where they are */
  std::function<double(const World &)> error = [](const World &) { return 0.0; };
  std::function<void(World &)> drive = [](World &) {};
};

Stage boxAtRest(World &world)
{
  ground(world);
  Body box;
  box.at = {0, 0, 0.5};
  return {{world.add(box)}, [](const World &) { return 0.0; }, [](World &) {}};
}

/* Ten boxes, each heavier than the one below: the last 10,000 times as heavy as the first. */
Stage heavyStack(World &world)
{
  ground(world);
  Stage stage;
  for (int k = 0; k < 10; k++) {
    Body box;
    box.at = {0, 0, 0.5 + k};
    box.mass = std::pow(1e4, k / 9.0);
    stage.rest.push_back(world.add(box));
  }
  return stage;
}

/* Two storeys of cards that lean against each other, with a flat card between. */
Stage cardHouse(World &world)
{
  const double length = 1, thickness = 0.02, angle = 0.35, mu = 0.8;
  ground(world, mu);
  Stage stage;
  const double up = std::cos(angle) * length / 2 + std::sin(angle) * thickness / 2;
  const double aside = std::sin(angle) * length / 2 + std::cos(angle) * thickness / 2;
  const auto pair = [&](double x, double z) {
    for (const int side : {-1, 1}) {
      Body card;
      card.half = {thickness / 2, 0.35, length / 2};
      card.at = {x + side * aside, 0, z + up};
      card.tilt = -side * angle;
      card.mass = 0.1;
      card.mu = mu;
      stage.rest.push_back(world.add(card));
    }
  };
  const double pitch = 2 * (2 * aside);
  pair(-pitch / 2, 0);
  pair(pitch / 2, 0);
  Body flat;
  flat.half = {pitch / 2 + 0.1, 0.35, thickness / 2};
  flat.at = {0, 0, 2 * up + thickness / 2};
  flat.mass = 0.1;
  flat.mu = mu;
  stage.rest.push_back(world.add(flat));
  pair(0, 2 * up + thickness);
  return stage;
}

/* Two jaws press a heavy box, which only friction holds. */
Stage gripper(World &world)
{
  Stage stage;
  Body jaw, box;
  jaw.half = {0.1, 0.3, 0.3};
  jaw.mass = 1;
  jaw.mu = box.mu = 1;
  box.half = {0.5, 0.3, 0.3};
  box.mass = 20;
  box.at = {0, 0, 5};
  jaw.at = {-0.6, 0, 5};
  const int left = world.add(jaw);
  jaw.at = {0.6, 0, 5};
  const int right = world.add(jaw), held = world.add(box);
  Body shelf; /* holds each jaw up, from below */
  shelf.half = {0.1, 0.3, 0.1};
  shelf.mass = 0;
  shelf.mu = 0;
  shelf.at = {-0.75, 0, 4.6};
  world.add(shelf);
  shelf.at = {0.75, 0, 4.6};
  world.add(shelf);
  stage.rest = {held};
  stage.drive = [left, right](World &w) {
    w.force(left, {400, 0, 0});
    w.force(right, {-400, 0, 0});
  };
  return stage;
}

/* A hundred links hang from the world, with a ball of 1,000 times their mass at the end. */
Stage heavyChain(World &world)
{
  const int links = 100;
  const double length = 0.1;
  std::vector<int> body;
  for (int k = 0; k < links; k++) {
    Body link;
    link.half = {0.02, 0.02, 0.04};
    link.at = {0, 0, 20 - length * (k + 0.5)};
    link.mass = 0.01;
    body.push_back(world.add(link));
    world.link(body.back(), k > 0 ? body[static_cast<std::size_t>(k) - 1] : -1,
               {0, 0, 20 - length * k});
  }
  Body ball;
  ball.sphere = true;
  ball.half = {0.3, 0, 0};
  ball.at = {0, 0, 20 - length * links - 0.35};
  ball.mass = 10;
  body.push_back(world.add(ball));
  world.link(body.back(), body[links - 1], {0, 0, 20 - length * links});
  Stage stage;
  stage.rest = {body.back()};
  stage.error = [body, length](const World &w) {
    double worst = 0;
    for (std::size_t k = 1; k + 1 < body.size(); k++)
      worst = std::max(worst,
                       std::fabs(distance(w.position(body[k]), w.position(body[k - 1])) - length));
    return worst;
  };
  return stage;
}

/* Twenty-one bricks, six in the lowest row. */
Stage pyramid(World &world)
{
  ground(world);
  Stage stage;
  for (int z = 0; z < 6; z++)
    for (int x = 0; x < 6 - z; x++) {
      Body box;
      box.half = {0.5, 0.25, 0.25};
      box.at = {x + 0.5 * z - 2.5, 0, 0.25 + 0.5 * z};
      stage.rest.push_back(world.add(box));
    }
  return stage;
}

struct Scene {
  const char *name;
  Stage (*build)(World &world);
  int steps;
  double drift; /* that ours may have: mostly what the engine's error reduction does */
};

const Scene table[] = {
    {"box", boxAtRest, 10000, 1e-3},   {"stack", heavyStack, 1000, 0.02},
    {"cards", cardHouse, 1000, 0.02},  {"gripper", gripper, 1000, 0.1},
    {"chain", heavyChain, 1000, 1e-3}, {"pyramid", pyramid, 1000, 0.01},
};

struct Result {
  double drift = 0, error = 0, median = 0, longest = 0; /* seconds of a step */
  bool finite = true;
};

Result run(World &world, const Stage &stage, int steps)
{
  Result result;
  std::vector<Vec> start;
  for (const int body : stage.rest)
    start.push_back(world.position(body));
  std::vector<double> seconds;
  for (int k = 0; k < steps && result.finite; k++) {
    stage.drive(world);
    const auto begin = std::chrono::steady_clock::now();
    world.step(1.0 / 240);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    result.error = std::max(result.error, stage.error(world));
    for (std::size_t i = 0; i < stage.rest.size(); i++) {
      const double moved = distance(world.position(stage.rest[i]), start[i]);
      result.finite = result.finite && std::isfinite(moved);
      result.drift = std::max(result.drift, moved);
    }
  }
  std::sort(seconds.begin(), seconds.end());
  result.median = seconds[seconds.size() / 2];
  result.longest = seconds.back();
  return result;
}

} // namespace

int main(int argc, char **argv)
{
  int steps = 0, passed = 0, failed = 0;
  bool test = false;
  const char *only = "";
  for (int k = 1; k < argc; k++) {
    if (std::strcmp(argv[k], "--test") == 0) {
      test = true;
    } else if (k + 1 < argc && std::strcmp(argv[k], "--steps") == 0 && std::atoi(argv[k + 1]) > 0) {
      steps = std::atoi(argv[++k]);
    } else if (k + 1 < argc && std::strcmp(argv[k], "--scene") == 0) {
      only = argv[++k];
    } else {
      std::fprintf(stderr, "%s [--steps N] [--scene NAME] [--test]\n", argv[0]);
      return 2;
    }
  }
  std::printf("%-8s %-8s %-22s %7s %9s %10s %10s %10s %10s\n", "engine", "scene", "solver", "steps",
              "unsolved", "drift", "error", "median us", "longest us");
  for (const Scene &scene : table) {
    if (*only && std::strcmp(only, scene.name) != 0)
      continue;
    for (const Solver &solver : solvers) {
      if (test && !solver.ours)
        continue;
      const int most = test ? (&scene == table ? 1000 : 5) : scene.steps;
      const int count = steps > 0 ? std::min(steps, most) : most;
      const std::unique_ptr<World> world = solver.make();
      const Stage stage = scene.build(*world);
      const Result r = run(*world, stage, count);
      char unsolved[32] = "-";
      if (world->unsolved() >= 0)
        std::snprintf(unsolved, sizeof unsolved, "%lld", static_cast<long long>(world->unsolved()));
      std::printf("%-8s %-8s %-22s %7d %9s %10.2e %10.2e %10.1f %10.1f%s\n", engine, scene.name,
                  solver.name.c_str(), count, unsolved, r.drift, r.error, 1e6 * r.median,
                  1e6 * r.longest, r.finite ? "" : "  not finite");
      std::fflush(stdout);
      if (!solver.ours)
        continue;
      const bool good = r.finite && world->solves() > 0 && world->unsolved() == 0 &&
                        r.drift <= scene.drift && r.error <= scene.drift;
      (good ? passed : failed)++;
      if (!good)
        std::printf("FAIL %s, %s: %s\n", scene.name, solver.name.c_str(), world->message().c_str());
    }
  }
  std::printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed > 0;
}
