/* settings.hpp: settings of our solvers, as the program was called */
#pragma once

#include "scenes/world.hpp"

#include <perp/engine.hpp>

namespace scenes
{

/* limited: 16 ms for a step, a frame of 60 Hz */
inline perp::EngineSettings settings(perp::EngineSettings all = {}, bool limited = false)
{
  if (limited)
    all.timeLimit = 0.016;
  if (!method.empty())
    all.method = method;
  if (tol > 0)
    all.tol = tol;
  all.record = record;
  return all;
}

} // namespace scenes
