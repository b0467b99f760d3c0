/* laws.hpp: restitution and static friction in any engine, against closed forms
 *
 *   bounces   a ball with e = 1 keeps its energy over 1,000 bounces. The velocity v' is constant over a
 *             step: kinetic energy of v' and potential energy in the middle of the step change by
 *             1/2 (v + v') J^T x, which is 0 if v' = -v
 *   decays    with e = 1/2 the bounces leave at 1/2, 1/4, ... of the first speed
 *   rests     a ball at rest with e = 1 does not bounce
 *   holds     a box with mu = 0.3 and 0.6 at rest, pushed by a force f: at rest it stays if f <= 0.6 m g;
 *             above, and if it slides, it has the acceleration f / m - 0.3 g
 *
 * A World has ball(height, speed, e), box(speed, staticFriction), push(acceleration), step(), height(),
 * speed(), slide(), solved(), and the constants G, H, TOL, the
 * rounding of its numbers, and SLIP, what it lets a box at rest creep. */
#pragma once

#include "check.hpp"

#include <cmath>
#include <thread>

template <class World> void testBounces(const std::string &engine, bool gravity)
{
  World world(gravity);
  world.ball(0.2, -1, 1);
  const double g = gravity ? World::G : 0;
  double first = 0, worst = 0;
  int bounces = 0;
  for (int step = 0; bounces < 1000 && step < 2000000; step++) {
    const double before = world.speed();
    world.step();
    const double v = world.speed(),
                 energy = 0.5 * v * v + g * (world.height() - 0.5 * World::H * v);
    first = step == 0 ? energy : first;
    worst = std::fmax(worst, std::fabs(energy / first - 1));
    bounces += before < 0 && v > 0;
  }
  const double limit = gravity ? World::TOL : 1e-9;
  check(engine + ": e = 1 keeps energy over 1,000 bounces" + (gravity ? "" : ", no gravity"),
        bounces == 1000 && worst <= limit && world.solved(),
        std::to_string(bounces) + " bounces, " + std::to_string(1e9 * worst) + "e-9");
}

template <class World> void testDecay(const std::string &engine)
{
  World world(true);
  world.ball(1, -3, 0.5);
  double worst = 0, before = 0;
  int bounces = 0;
  for (int step = 0; bounces < 4 && step < 100000; step++) {
    const double v = world.speed();
    world.step();
    if (v < 0 && world.speed() > 0) {
      worst = std::fmax(worst, std::fabs(world.speed() / (-0.5 * v) - 1));
      bounces++;
      before = world.speed();
    }
  }
  check(engine + ": e = 1/2 halves the speed", bounces == 4 && worst <= World::TOL && before > 0,
        std::to_string(bounces) + " bounces, error " + std::to_string(worst));
}

template <class World> void testRest(const std::string &engine)
{
  World world(true);
  world.ball(0, 0, 1);
  double fastest = 0;
  for (int step = 0; step < 1000; step++) {
    world.step();
    fastest = std::fmax(fastest, std::fabs(world.speed()));
  }
  check(engine + ": a ball at rest does not bounce", fastest <= 0.02 && world.solved(),
        std::to_string(fastest));
}

/* The acceleration of a box over 50 steps, relative to g. */
template <class World> double slideOf(double force, double speed, double staticFriction, bool *good)
{
  double slide = 0;
  std::thread([&] { /* ODE's adapter reads its settings in the first step of a thread */
                    World world(true);
                    world.box(speed, staticFriction);
                    for (int step = 0; step < 50; step++) {
                      world.push(force * World::G);
                      world.step();
                    }
                    *good = world.solved();
                    slide = world.slide();
  })
      .join();
  return (slide - speed) / (50 * World::H * World::G);
}

template <class World> void testStatic(const std::string &engine)
{
  static const struct {
    const char *name;
    double force, speed, ratio, acceleration;
  } cases[] = {
      {"at rest below mu_static it stays", 0.5, 0, 2, 0},
      {"at rest above mu_static it slides by mu", 0.7, 0, 2, 0.4},
      {"in motion it slides by mu", 0.5, 2, 2, 0.2},
      {"without mu_static it slides", 0.5, 0, 1, 0.2},
      {"below mu it stays", 0.25, 0, 1, 0},
  };
  for (const auto &one : cases) {
    bool good = false;
    const double a = slideOf<World>(one.force, one.speed, one.ratio, &good);
    check(engine + ": " + one.name, good && std::fabs(a - one.acceleration) <= World::SLIP,
          std::to_string(a) + " g, error " + std::to_string(1e6 * (a - one.acceleration)) + "e-6");
  }
}

template <class World> int testLaws(const std::string &engine)
{
  testBounces<World>(engine, true);
  testBounces<World>(engine, false);
  testDecay<World>(engine);
  testRest<World>(engine);
  testStatic<World>(engine);
  return summary();
}
