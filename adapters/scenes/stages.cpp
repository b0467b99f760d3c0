/* stages.cpp: scenes in which solvers of engines fail, built of boxes and spheres */
#include "scenes/stages.hpp"

#include "scenes/crowds.hpp"

#include <algorithm>
#include <cmath>

namespace scenes
{

double distance(const Vec &a, const Vec &b)
{
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

namespace
{

void ground(World &world, double mu = 0.5)
{
  Body body;
  body.half = {50, 50, 0.5};
  body.at = {0, 0, -0.5};
  body.mass = 0;
  body.mu = mu;
  world.add(body);
}

/* A box of two halves side by side, each with four corners on the ground: eight points. */
Stage boxAtRest(World &world)
{
  ground(world);
  Body box;
  box.at = {0, 0, 0.5};
  for (const double x : {-0.25, 0.25}) {
    Part half;
    half.half = {0.25, 0.5, 0.5};
    half.at = {x, 0, 0};
    box.parts.push_back(half);
  }
  Stage stage;
  stage.rest = {world.add(box)};
  return stage;
}

/* Ten boxes, each heavier than the one below: the last 10,000 times as heavy as the first. The
 * contacts are hard: their own compliance must not be what is measured. */
Stage heavyStack(World &world)
{
  world.harden();
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
      card.turn = aboutY(-side * angle);
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

/* Two jaws press a heavy box, which only friction holds. The jaws slide on shelves, between walls:
 * without these the row of three would be a column under load, which turns away whatever solves
 * it. */
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
  Body wall = shelf;
  wall.half = {0.1, 0.1, 0.3};
  const double gap = 1e-3;
  for (const double x : {-0.75, 0.75}) {
    shelf.at = {x, 0, 4.6};
    world.add(shelf);
    for (const int side : {-1, 1}) {
      wall.at = {x, side * (0.4 + gap), 5};
      world.add(wall);
    }
  }
  stage.rest = {held};
  stage.drive = [left, right](World &w) {
    w.force(left, {400, 0, 0});
    w.force(right, {-400, 0, 0});
  };
  return stage;
}

/* A semicircle of stones between two springers that never move. A stone is a wedge of 1 / STONES of
 * the half turn: two boxes, each with its outer face on one of the joints, since every engine has
 * boxes. */
Stage arch(World &world)
{
  enum { STONES = 11 };
  const double pi = 3.14159265358979323846, radius = 4, depth = 0.6, wide = 0.5, mu = 0.8;
  const double share = pi / STONES;
  /* half the chord of a stone at the inner side: neither box reaches the other joint there */
  const double reach = (radius - depth) * std::sin(share / 2);
  Stage stage;
  const auto stone = [&](double angle, double mass) {
    Body body;
    body.half = {radius * std::sin(share / 2), wide, depth};
    body.at = {-radius * std::cos(angle), 0, radius * std::sin(angle)};
    body.turn = aboutY(angle - pi / 2);
    body.mass = mass;
    body.mu = mu;
    for (const int side : {-1, 1}) {
      /* The joint is the plane through the centre of the arch, turned by half a share; the box lies
       * against it from inside. */
      const double turn = side * share / 2;
      const double x = side * (radius * std::sin(share / 2) - reach / 2 * std::cos(share / 2));
      const double z = radius * std::cos(share / 2) - radius + reach / 2 * std::sin(share / 2);
      Part part;
      part.half = {reach / 2, wide, depth};
      part.at = {x, 0, z};
      part.tilt = turn;
      body.parts.push_back(part);
    }
    return world.add(body);
  };
  stone(-share / 2, 0);
  for (int k = 0; k < STONES; k++)
    stage.rest.push_back(stone((k + 0.5) * share, 1));
  stone(pi + share / 2, 0);
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
                       std::fabs(distance(w.state(body[k]).at, w.state(body[k - 1]).at) - length));
    return worst;
  };
  return stage;
}

/* A wheelset of two round wheels rolls along two grooves, two points to a wheel: they hold it more
 * often than needed. The error is how far it leaves its track, and what it loses of its speed. */
Stage wheelOnRails(World &world)
{
  const double pi = 3.14159265358979323846, radius = 0.5, gauge = 1, speed = 1;
  const double half = 0.2, slope = pi / 4;
  /* A wheel touches a slope at the distance `radius` from its centre. */
  const double down = radius * std::cos(slope) + half * std::cos(slope);
  const double aside = radius * std::sin(slope) + half * std::sin(slope);
  for (const double x : {-gauge, gauge})
    for (const int side : {-1, 1}) {
      Body rail;
      rail.half = {0.3, 30, half};
      rail.at = {x + side * aside, 0, radius - down};
      rail.turn = aboutY(-side * slope);
      rail.mass = 0;
      rail.mu = 0.5;
      world.add(rail);
    }
  Body set;
  set.half = {gauge, radius, radius};
  set.at = {0, -20, radius};
  set.mass = 50;
  set.mu = 0.5;
  set.velocity = {0, speed, 0};
  set.spin = {-speed / (radius * std::cos(slope)), 0, 0}; /* about the points it rolls on */
  for (const double x : {-gauge, gauge}) {
    Part wheel;
    wheel.half = {radius, 0, 0};
    wheel.sphere = true;
    wheel.at = {x, 0, 0};
    set.parts.push_back(wheel);
  }
  const int body = world.add(set);
  Stage stage;
  stage.error = [body, radius, speed](const World &w) {
    const State s = w.state(body);
    return std::max({std::fabs(s.at[0]), std::fabs(s.at[2] - radius),
                     std::fabs(s.velocity[1] - speed) / speed});
  };
  return stage;
}

Stage quadruped(World &world)
{
  ground(world, 0.8);
  Stage stage;
  const int trunk = world.addQuadruped();
  stage.possible = trunk >= 0;
  if (stage.possible)
    stage.rest = {trunk};
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

} // namespace

const std::vector<Scene> scenes = {
    {"box", "a box at rest on eight points", boxAtRest, 10000, 1e-3},
    {"stack", "ten boxes, the last 10,000 times as heavy as the first", heavyStack, 1000, 0.02},
    {"cards", "a house of seven cards", cardHouse, 1000, 0.02},
    {"gripper", "two jaws hold a box of 20 kg by friction", gripper, 1000, 0.1},
    {"arch", "eleven stones between two springers", arch, 1000, 0.02},
    {"chain", "100 links with a ball of 1,000 times their mass", heavyChain, 1000, 1e-3},
    {"rails", "a wheelset rolls in two grooves", wheelOnRails, 1000, 0.05},
    {"quadruped", "a robot stands on four legs", quadruped, 1000, 0.05},
    {"pyramid", "21 bricks", pyramid, 1000, 0.01},
    {"wall", "20 rows of bricks, 170 of them", wallOfBricks, 150, HUGE_VAL, true},
    {"discs", "1,000 discs fall into a box", discsInBox, 300, HUGE_VAL, true},
    {"silo", "2,000 spheres run out of a silo", siloOfSpheres, 150, HUGE_VAL, true},
};

} // namespace scenes
