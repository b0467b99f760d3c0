/* scenes.cpp: scenes in which solvers of engines fail, the same for each engine and solver
 *
 *   PROGRAM [--scene NAME] [--steps N] [--method NAME] [--tol T] [--record FOLDER]
 *           [--trace FILE [--every K]] [--list] [--test | --long-test]
 *
 * A line for each scene and solver: points of contact, steps in which the solver failed (as it says
 * itself, `-` if it says nothing), the largest residual of a step (`-` if it is not known), how far a body that should rest has moved, the worst violation
 * of what the scene holds together, the deepest overlap, the energy gained, and the CPU time of a step, median, longest and mean. A scene passes if all steps of ours are solved and
 * its bodies stay where they should. --test makes few steps of ours, but 1,000 of one scene;
 * --long-test 1,000 of each. */
#include "scenes/stages.hpp"
#include "scenes/trace.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

std::string scenes::method, scenes::record;
double scenes::tol = 0;
double scenes::judging;

/* Time limits of solvers are in CPU time too: other load on the machine must not shorten their solves. */
extern "C" int clock_gettime(clockid_t which, timespec *at) noexcept
{
  return static_cast<int>(
      syscall(SYS_clock_gettime, which == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : which, at));
}

/* Returns CPU time, which excludes other load on the machine. */
double scenes::seconds()
{
  timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

namespace
{

using namespace scenes;

struct Options {
  int steps = 0, every = 4;
  std::string only, trace;
  bool test = false, longTest = false, list = false;
};

struct Result {
  double drift = 0, error = 0, overlap = 0, energy = 0;
  double mean = 0, median = 0, longest = 0; /* CPU seconds of a step */
  int steps = 0;
  int contacts = 0; /* median */
  std::int64_t failed = -1;
  double residual = -1;
  bool finite = true;
};

void lookAt(const World &world, const Stage &stage, const std::vector<Vec> &start, Result &result)
{
  result.error = std::max(result.error, stage.error(world));
  result.overlap = std::max(result.overlap, stage.overlap ? stage.overlap(world) : world.overlap());
  for (std::size_t i = 0; i < stage.rest.size(); i++) {
    const double moved = distance(world.state(stage.rest[i]).at, start[i]);
    result.finite = result.finite && std::isfinite(moved);
    result.drift = std::max(result.drift, moved);
  }
}

Result run(World &world, const Stage &stage, int steps, int every, Trace &trace)
{
  const double dt = stage.dt;
  Result result;
  std::vector<Vec> start;
  for (const int body : stage.rest)
    start.push_back(world.state(body).at);
  const Energy before = energyOf(world);
  std::vector<double> times;
  std::vector<int> contacts;
  for (int k = 0; k < steps && result.finite; k++) {
    stage.drive(world);
    const std::int64_t failed = world.unsolved();
    const double begin = seconds(), judged = judging;
    world.step(dt);
    times.push_back(seconds() - begin - (judging - judged));
    contacts.push_back(world.contacts());
    result.mean += times.back();
    world.adapt(times.back(), stage.whole);
    if (k >= stage.from)
      lookAt(world, stage, start, result);
    if (result.mean > stage.most)
      break;
    if (trace) {
      trace.step({(k + 1) * dt, contacts.back(), failed < 0 ? -1 : world.unsolved() - failed,
                  energyOf(world), world.overlap(), times.back()});
      if (k % every == 0)
        trace.pose(world);
    }
  }
  const Energy after = energyOf(world);
  result.energy = after.kinetic + after.potential - before.kinetic - before.potential;
  result.failed = world.unsolved();
  result.residual = world.residual();
  result.steps = static_cast<int>(times.size());
  result.mean /= result.steps;
  std::sort(times.begin(), times.end());
  std::sort(contacts.begin(), contacts.end());
  result.median = times[times.size() / 2];
  result.longest = times.back();
  result.contacts = contacts[contacts.size() / 2];
  return result;
}

void print(const Scene &scene, const Solver &solver, const Result &r)
{
  char failed[32] = "-";
  if (r.failed >= 0)
    std::snprintf(failed, sizeof failed, "%lld", static_cast<long long>(r.failed));
  char residual[32] = "-";
  if (!(r.residual < 0))
    std::snprintf(residual, sizeof residual, "%.1e", r.residual);
  std::printf("%-7s %-9s %-21s %6d %8d %7s %8s %9.2e %9.2e %9.2e %10.2e %9.1f %10.1f %9.1f%s\n",
              engine, scene.name, solver.name.c_str(), r.steps, r.contacts, failed, residual,
              r.drift, r.error, r.overlap, r.energy, 1e6 * r.median, 1e6 * r.longest, 1e6 * r.mean,
              r.finite ? "" : "  not finite");
  std::fflush(stdout);
}

/* Returns true if the run passes, always for the engine's own solver. Sets `possible` to false if the
 * engine does not support the scene. */
bool play(const Scene &scene, const Solver &solver, const Options &options, Trace &trace,
          bool &possible)
{
  const std::unique_ptr<World> world = solver.make();
  const Stage stage = scene.build(*world);
  possible = stage.possible;
  if (!possible)
    return true;
  const int few = options.longTest || &scene == scenes::scenes.data() ? 1000 : 5;
  const int most = solver.slow == scene.name          ? 5
                   : options.test || options.longTest ? few
                                                      : scene.steps;
  const int steps = options.steps > 0 ? std::min(options.steps, most) : most;
  if (trace)
    trace.begin(solver, *world);
  const Result r = run(*world, stage, steps, options.every, trace);
  if (trace)
    trace.end(r.failed, r.drift, r.error);
  print(scene, solver, r);
  if (!solver.ours || scene.crowd)
    return true;
  const bool good = r.finite && world->solves() > 0 && world->unsolved() == 0 &&
                    r.drift <= scene.drift && r.error <= scene.drift;
  if (!good)
    std::printf("FAIL %s, %s: %s\n", scene.name, solver.name.c_str(), world->message().c_str());
  return good;
}

bool parse(int argc, char **argv, Options &options)
{
  for (int k = 1; k < argc; k++) {
    const std::string word = argv[k];
    if (word == "--test" || word == "--long-test" || word == "--list") {
      options.test = options.test || word == "--test";
      options.longTest = options.longTest || word == "--long-test";
      options.list = options.list || word == "--list";
      continue;
    }
    if (k + 1 == argc || (word == "--tol" && !(std::atof(argv[k + 1]) > 0)))
      return false;
    const char *value = argv[++k];
    if (word == "--steps")
      options.steps = std::atoi(value);
    else if (word == "--every")
      options.every = std::atoi(value);
    else if (word == "--scene")
      options.only = value;
    else if (word == "--method")
      scenes::method = value;
    else if (word == "--tol")
      scenes::tol = std::atof(value);
    else if (word == "--record")
      scenes::record = value;
    else if (word == "--trace")
      options.trace = value;
    else
      return false;
  }
  return options.steps >= 0 && options.every > 0;
}

} // namespace

int main(int argc, char **argv)
{
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "%s [--scene NAME] [--steps N] [--method NAME] [--tol T] [--record FOLDER] "
                 "[--trace FILE [--every K]] [--list] [--test | --long-test]\n",
                 argv[0]);
    return 2;
  }
  for (const Scene &scene : scenes::scenes)
    if (options.list)
      std::printf("%-9s  %s\n", scene.name, scene.title);
  if (options.list)
    return 0;
  Trace trace(options.trace.c_str());
  if (!options.trace.empty() && !trace)
    return 2;
  int passed = 0, failed = 0, skipped = 0;
  std::printf("%-7s %-9s %-21s %6s %8s %7s %8s %9s %9s %9s %10s %9s %10s %9s\n", "engine", "scene",
              "solver", "steps", "contacts", "failed", "residual", "drift", "error", "overlap",
              "energy", "median us", "longest us", "mean us");
  for (const Scene &scene : scenes::scenes) {
    if (!options.only.empty() && options.only != scene.name)
      continue;
    for (const Solver &solver : solvers) {
      const bool testing = options.test || options.longTest;
      if (testing && (!solver.ours || scene.crowd))
        continue;
      if (!solver.only.empty() && solver.only != scene.name)
        continue;
      if (scene.crowd ? solver.crowds == Crowds::No || solver.slow == scene.name
                      : solver.crowds == Crowds::Only)
        continue;
      bool possible = true;
      const bool good = play(scene, solver, options, trace, possible);
      if (!possible) {
        std::printf("skipped: %s, which needs a skeleton; %s has none\n", scene.name, engine);
        skipped++;
        break;
      }
      passed += solver.ours && good;
      failed += !good;
    }
  }
  if (passed + failed + skipped == 0 && !options.only.empty()) {
    bool known = false;
    for (const Scene &scene : scenes::scenes)
      known = known || options.only == scene.name;
    if (!known) {
      std::fprintf(stderr, "no scene %s; --list names them\n", options.only.c_str());
      return 2;
    }
  }
  std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed > 0;
}
