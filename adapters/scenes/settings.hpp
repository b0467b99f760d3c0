/* settings.hpp: settings of our solvers, as the program was called */
#pragma once

#include "scenes/world.hpp"

#include <perp/engine.hpp>

namespace scenes
{

inline perp::EngineSettings settings(perp::EngineSettings all = {})
{
  if (!method.empty())
    all.method = method;
  if (tol > 0)
    all.tol = tol;
  all.record = record;
  return all;
}

} // namespace scenes
