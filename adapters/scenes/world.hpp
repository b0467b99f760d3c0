/* world.hpp: the little that the scenes need of an engine, so that each scene is written once */
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scenes
{

using Vec = std::array<double, 3>;

struct Body {
  Vec half = {0.5, 0.5, 0.5}; /* half the edges; a sphere: its radius in half[0] */
  bool sphere = false;
  double mass = 1; /* 0: it never moves */
  Vec at = {0, 0, 0};
  double tilt = 0; /* angle about the y axis */
  double mu = 0.5;
};

/* One engine with one solver. z points up, gravity is 9.81. */
class World
{
public:
  virtual ~World() = default;
  virtual int add(const Body &body) = 0;
  /* A ball joint at a point of the world; b = -1: with the world itself. */
  virtual void link(int a, int b, Vec point) = 0;
  virtual void force(int body, Vec force) = 0; /* for the next step */
  virtual void step(double dt) = 0;
  virtual Vec position(int body) const = 0;
  virtual std::int64_t solves() const = 0;   /* -1: the solver does not tell */
  virtual std::int64_t unsolved() const = 0; /* solves that failed; -1: the solver does not tell */
  virtual std::string message() const
  {
    return "";
  }
};

/* The solvers of this program's engine, the engine's own first. */
struct Solver {
  std::string name;
  bool ours;
  std::unique_ptr<World> (*make)();
};
extern const char *const engine;
extern const std::vector<Solver> solvers;

} // namespace scenes
