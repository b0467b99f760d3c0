/* world.hpp: the little that the scenes need of an engine, so that each scene is written once */
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scenes
{

using Vec = std::array<double, 3>;
using Quaternion = std::array<double, 4>; /* w, x, y, z */

inline Quaternion product(const Quaternion &a, const Quaternion &b)
{
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

inline Quaternion inverse(const Quaternion &q)
{
  return {q[0], -q[1], -q[2], -q[3]};
}

/* q v q*, the vector v turned by q. */
inline Vec turned(const Quaternion &q, const Vec &v)
{
  const Quaternion w = product(product(q, {0, v[0], v[1], v[2]}), inverse(q));
  return {w[1], w[2], w[3]};
}

inline Quaternion aboutY(double angle)
{
  return {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
}

/* A piece of a body's shape, in the frame of the body. */
struct Part {
  Vec half = {0.5, 0.5, 0.5}; /* half the edges; a sphere: its radius in half[0] */
  bool sphere = false;
  Vec at = {0, 0, 0};
  double tilt = 0; /* angle about the y axis */
};

struct Body {
  Vec half = {0.5, 0.5, 0.5}; /* also the box whose inertia the body has, unless it is a sphere */
  bool sphere = false;
  double mass = 1; /* 0: it never moves */
  bool planar =
      false; /* a disc: a sphere that stays in the plane y = 0, with the inertia of a disc */
  Vec at = {0, 0, 0};
  Quaternion turn = {1, 0, 0, 0};
  double mu = 0.5;
  Vec velocity = {0, 0, 0}, spin = {0, 0, 0}; /* at the start */
  std::vector<Part> parts;                    /* the shape; empty: the one above */
};

struct State {
  Vec at;
  Quaternion turn;
  Vec velocity, spin;
};

/* One engine with one solver. z points up, gravity is 9.81. */
class World
{
public:
  virtual ~World() = default;
  int add(const Body &body)
  {
    bodies.push_back(body);
    create(body);
    return static_cast<int>(bodies.size()) - 1;
  }
  /* A ball joint at a point of the world; b = -1: with the world itself. */
  virtual void link(int a, int b, Vec point) = 0;
  virtual void force(int body, Vec force) = 0; /* for the next step */
  /* Contacts of a compliance of 1e-9 at most. Only DART's is more by default. */
  virtual void harden()
  {
  }
  virtual void step(double dt) = 0;
  /* The last step took `took` CPU seconds; a solver that chooses its sweeps aims at `whole`. */
  virtual void adapt(double took, double whole)
  {
    (void)took;
    (void)whole;
  }
  virtual State state(int body) const = 0;
  /* Of the last step: points of contact, and how deep two bodies overlap at most. */
  virtual int contacts() const = 0;
  virtual double overlap() const = 0;
  virtual std::int64_t solves() const = 0;   /* -1: the solver does not tell */
  virtual std::int64_t unsolved() const = 0; /* solves that failed; -1: the solver does not tell */
  /* The largest relative residual of a step; -1: not known. */
  virtual double residual() const
  {
    return -1;
  }
  virtual std::string message() const
  {
    return "";
  }
  /* Takes the bodies from this scene of perp/simulate.h, which then makes the steps. */
  virtual bool play(const char *scene)
  {
    (void)scene;
    return false;
  }
  /* A robot on four legs whose joints are held by motors: the number of its trunk, -1 if the engine
   * has no trees of joints. */
  virtual int addQuadruped()
  {
    return -1;
  }

  std::vector<Body> bodies; /* as they were added */

protected:
  virtual void create(const Body &body) = 0;
};

/* The parts of a body's shape, the body's own box or sphere if it has none. */
inline std::vector<Part> partsOf(const Body &body)
{
  if (!body.parts.empty())
    return body.parts;
  Part part;
  part.half = body.half;
  part.sphere = body.sphere;
  return {part};
}

/* The number of sweeps with which a step takes as long as it may. Changes by at most a quarter or a half
 * from step to step, because times vary. */
class Sweeps
{
public:
  explicit Sweeps(int first) : count_(first)
  {
  }
  int count() const
  {
    return static_cast<int>(count_);
  }
  void adapt(double took, double whole)
  {
    count_ *= std::clamp(whole / took, 0.5, 1.25);
    count_ = std::clamp(count_, 1.0, 1000.0);
  }

private:
  double count_;
};

/* Does a solver play the scenes of many bodies? */
enum class Crowds { No, Too, Only };

/* The solvers of this program's engine, the engine's own first. */
struct Solver {
  std::string name;
  bool ours;
  std::function<std::unique_ptr<World>()> make;
  std::string slow = ""; /* a scene whose steps take long: five of them, none of a crowd */
  Crowds crowds = Crowds::No;
  std::string only = ""; /* plays only this scene; empty: all */
};
extern const char *const engine;
extern const std::vector<Solver> solvers;
/* For our solvers inside Bullet and DART, by the options --method, --tol and --record of the program. */
extern std::string method, record;
extern double tol; /* 0: the adapter's own */
/* Seconds that went into judging the engine's own solver: no part of its time. */
extern double judging;
double seconds();

} // namespace scenes
