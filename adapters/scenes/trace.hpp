/* trace.hpp: a run as lines of text, which `perp simulate --engine` makes a page of
 *
 *   run SOLVER                 the words up to the end of the line; then `ours` or `own` before it
 *   shape KIND FIXED a b c     box with half its edges, or sphere with its radius; FIXED is 0 or 1
 *   step TIME CONTACTS UNSOLVED KINETIC POTENTIAL OVERLAP SECONDS
 *   pose x y z qw qx qy qz ... of all shapes, after the step before it
 *   end FAILED DRIFT ERROR */
#pragma once

#include "scenes/world.hpp"

#include <cstdio>

namespace scenes
{

struct Energy {
  double kinetic = 0, potential = 0;
};

/* Of the bodies that move. */
Energy energyOf(const World &world);

struct Measured { /* in one step */
  double time;
  int contacts;
  std::int64_t unsolved;
  Energy energy;
  double overlap, seconds;
};

class Trace
{
public:
  explicit Trace(const char *path);
  ~Trace();
  Trace(const Trace &) = delete;
  Trace &operator=(const Trace &) = delete;

  explicit operator bool() const
  {
    return file_ != nullptr;
  }
  void begin(const Solver &solver, const World &world);
  void step(const Measured &measured);
  void pose(const World &world);
  void end(std::int64_t failed, double drift, double error);

private:
  std::FILE *file_;
};

} // namespace scenes
