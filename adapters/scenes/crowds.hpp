/* crowds.hpp: scenes of hundreds of bodies, in which a solver does what it can within a frame
 *
 * The bodies are those of scenes of perp/simulate.h. Overlaps are measured from the poses, in the same way
 * for each engine. */
#pragma once

#include "scenes/stages.hpp"

namespace scenes
{

Stage wallOfBricks(World &world), discsInBox(World &world), siloOfSpheres(World &world);

} // namespace scenes
