/* stages.hpp: the scenes, and what is measured in them */
#pragma once

#include "scenes/world.hpp"

#include <cmath>
#include <functional>

namespace scenes
{

/* Joints and motors of a scene. */
struct Stage {
  bool possible = true;  /* in this engine */
  std::vector<int> rest; /* bodies that should stay where they are */
  std::function<double(const World &)> error = [](const World &) { return 0.0; };
  std::function<void(World &)> drive = [](World &) {};
  /* Scenes of many bodies: */
  std::function<double(const World &)> overlap; /* from the poses, instead of the engine's own */
  double dt = 1.0 / 240;
  int from = 0;           /* the first step whose errors count */
  double most = HUGE_VAL; /* CPU seconds after which the run ends */
  double whole = 0;       /* CPU seconds of a whole step, for solvers that adapt to them */
};

struct Scene {
  const char *name, *title;
  Stage (*build)(World &world);
  int steps;
  double drift;       /* that ours may have: mostly what the engine's error reduction does */
  bool crowd = false; /* of hundreds of bodies: what a solver does within a frame */
};

extern const std::vector<Scene> scenes;

double distance(const Vec &a, const Vec &b);

} // namespace scenes
