/* trace.cpp: see trace.hpp */
#include "scenes/trace.hpp"

#include <algorithm>
#include <cmath>

namespace scenes
{
/* 1/2 m v^2 + 1/2 w^T I w with the inertia of a box, m (b^2 + c^2) / 3 for half edges b and c, or of
 * a sphere, 2/5 m r^2. */
Energy energyOf(const World &world)
{
  Energy sum;
  for (std::size_t k = 0; k < world.bodies.size(); k++) {
    const Body &body = world.bodies[k];
    if (!(body.mass > 0))
      continue;
    const State s = world.state(static_cast<int>(k));
    const Vec w = turned(inverse(s.turn), s.spin); /* in the frame of the body */
    for (std::size_t a = 0; a < 3; a++) {
      const double b = body.half[(a + 1) % 3], c = body.half[(a + 2) % 3];
      const double inertia = body.sphere ? 0.4 * body.half[0] * body.half[0] : (b * b + c * c) / 3;
      sum.kinetic += 0.5 * body.mass * (s.velocity[a] * s.velocity[a] + inertia * w[a] * w[a]);
    }
    sum.potential += 9.81 * body.mass * s.at[2];
  }
  return sum;
}

Trace::Trace(const char *path) : file_(*path ? std::fopen(path, "w") : nullptr)
{
  if (*path && !file_)
    std::perror(path);
}

Trace::~Trace()
{
  if (file_ && std::fclose(file_) != 0)
    std::perror("trace");
}

void Trace::begin(const Solver &solver, const World &world)
{
  std::fprintf(file_, "run %s %s\n", solver.ours ? "ours" : "own", solver.name.c_str());
  for (const Body &body : world.bodies)
    for (const Part &part : partsOf(body))
      std::fprintf(file_, "shape %s %d %.9g %.9g %.9g\n", part.sphere ? "sphere" : "box",
                   body.mass > 0 ? 0 : 1, part.half[0], part.half[1], part.half[2]);
}

void Trace::step(const Measured &m)
{
  std::fprintf(file_, "step %.9g %d %lld %.12g %.12g %.9g %.9g\n", m.time, m.contacts,
               static_cast<long long>(m.unsolved), m.energy.kinetic, m.energy.potential, m.overlap,
               m.seconds);
}

void Trace::pose(const World &world)
{
  std::fputs("pose", file_);
  for (std::size_t k = 0; k < world.bodies.size(); k++) {
    const State s = world.state(static_cast<int>(k));
    for (const Part &part : partsOf(world.bodies[k])) {
      const Vec at = turned(s.turn, part.at);
      const Quaternion q = product(s.turn, aboutY(part.tilt));
      std::fprintf(file_, " %.7g %.7g %.7g %.7g %.7g %.7g %.7g", s.at[0] + at[0], s.at[1] + at[1],
                   s.at[2] + at[2], q[0], q[1], q[2], q[3]);
    }
  }
  std::fputc('\n', file_);
}

void Trace::end(std::int64_t failed, double drift, double error)
{
  std::fprintf(file_, "end %lld %.9g %.9g\n", static_cast<long long>(failed), drift, error);
}

} // namespace scenes
