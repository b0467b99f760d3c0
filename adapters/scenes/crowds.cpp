/* crowds.cpp: see crowds.hpp */
#include "scenes/crowds.hpp"

#include <perp/simulate.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace scenes
{
namespace
{

double dot(const Vec &a, const Vec &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vec difference(const Vec &a, const Vec &b)
{
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vec cross(const Vec &a, const Vec &b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/* A body where it is now. */
struct Placed {
  const Body *body;
  Vec at, lo, hi; /* its centre, and the box around it along the axes of the world */
  std::array<Vec, 3> axis;
};

/* Half the width of a box in the direction n. */
double reach(const Placed &box, const Vec &n)
{
  double sum = 0;
  for (std::size_t k = 0; k < 3; k++)
    sum += std::fabs(dot(box.axis[k], n)) * box.body->half[k];
  return sum;
}

Placed place(const Body &body, const State &state)
{
  Placed p = {&body, state.at, {}, {}, {}};
  for (std::size_t k = 0; k < 3; k++) {
    Vec unit = {0, 0, 0};
    unit[k] = 1;
    p.axis[k] = turned(state.turn, unit);
  }
  for (std::size_t k = 0; k < 3; k++) {
    Vec unit = {0, 0, 0};
    unit[k] = 1;
    const double wide = body.sphere ? body.half[0] : reach(p, unit);
    p.lo[k] = p.at[k] - wide;
    p.hi[k] = p.at[k] + wide;
  }
  return p;
}

/* The depth by which a sphere is in a box: from its centre to the nearest point of the box, or, if the centre
 * is inside, to the nearest face. */
double overlapOfSphereAndBox(const Placed &sphere, const Placed &box)
{
  const Vec d = difference(sphere.at, box.at);
  double outside = 0, inside = HUGE_VAL;
  for (std::size_t k = 0; k < 3; k++) {
    const double beyond = std::fabs(dot(d, box.axis[k])) - box.body->half[k];
    outside += std::pow(std::max(beyond, 0.0), 2);
    inside = std::min(inside, -beyond);
  }
  return sphere.body->half[0] + (outside > 0 ? -std::sqrt(outside) : inside);
}

/* The least depth over the axes that can separate two boxes: three normals of each, nine products. */
double overlapOfBoxes(const Placed &a, const Placed &b)
{
  const Vec d = difference(a.at, b.at);
  double least = HUGE_VAL;
  const auto look = [&](const Vec &n) {
    const double length = std::sqrt(dot(n, n));
    if (length > 1e-3) /* else the axes are parallel, and a normal is as good */
      least = std::min(least, (reach(a, n) + reach(b, n) - std::fabs(dot(d, n))) / length);
  };
  for (std::size_t k = 0; k < 3; k++) {
    look(a.axis[k]);
    look(b.axis[k]);
    for (std::size_t l = 0; l < 3; l++)
      look(cross(a.axis[k], b.axis[l]));
  }
  return least;
}

double overlapOf(const Placed &a, const Placed &b)
{
  if (a.body->sphere && b.body->sphere) {
    const Vec d = difference(a.at, b.at);
    return a.body->half[0] + b.body->half[0] - std::sqrt(dot(d, d));
  }
  if (a.body->sphere || b.body->sphere)
    return a.body->sphere ? overlapOfSphereAndBox(a, b) : overlapOfSphereAndBox(b, a);
  return overlapOfBoxes(a, b);
}

/* The deepest overlap of two bodies, found along x. Bodies that never move may overlap. */
double deepest(const World &world)
{
  std::vector<Placed> all;
  for (std::size_t k = 0; k < world.bodies.size(); k++)
    all.push_back(place(world.bodies[k], world.state(static_cast<int>(k))));
  std::sort(all.begin(), all.end(),
            [](const Placed &a, const Placed &b) { return a.lo[0] < b.lo[0]; });
  double most = 0;
  for (std::size_t i = 0; i < all.size(); i++)
    for (std::size_t j = i + 1; j < all.size() && all[j].lo[0] < all[i].hi[0]; j++)
      if ((all[i].body->mass > 0 || all[j].body->mass > 0) && all[i].lo[1] < all[j].hi[1] &&
          all[j].lo[1] < all[i].hi[1] && all[i].lo[2] < all[j].hi[2] && all[j].lo[2] < all[i].hi[2])
        most = std::max(most, overlapOf(all[i], all[j]));
  return most;
}

/* The body that the simulation shows as this shape. In the plane its y is up. */
Body bodyOf(const perp_shape &shape, const double *pose, int dimension, double density)
{
  const double pi = 3.14159265358979323846;
  Body body;
  body.planar = dimension == 2;
  body.sphere = shape.kind == PERP_SHAPE_DISC || shape.kind == PERP_SHAPE_SPHERE;
  body.half = {shape.size[0], shape.size[1], shape.size[2]};
  if (shape.kind == PERP_SHAPE_POLYGON) { /* a box along the axes */
    body.half = {std::fabs(shape.corner[0]), 1, std::fabs(shape.corner[1])};
    body.planar = false;
  }
  if (dimension == 2)
    body.at = {pose[0], 0, pose[1]};
  else {
    body.at = {pose[0], pose[1], pose[2]};
    body.turn = {pose[3], pose[4], pose[5], pose[6]};
  }
  const double r = body.half[0];
  body.mass = density * (dimension == 2 ? pi * r * r
                         : body.sphere  ? 4 * pi / 3 * r * r * r
                                        : 8 * r * body.half[1] * body.half[2]);
  if (shape.fixed)
    body.mass = 0;
  return body;
}

/* The bodies of this scene. Errors and overlaps count from step `from` on. `whole` is what a step takes in
 * perp's simulator that has 16 ms for the solve, with collisions. */
Stage crowd(World &world, const char *scene, double density, double mu, int from, double whole)
{
  perp_message why;
  perp_simulation *made = nullptr;
  if (perp_simulation_create(scene, "auto", nullptr, &made, &why) != PERP_OK) {
    std::fprintf(stderr, "%s: %s\n", scene, why.text);
    std::exit(2);
  }
  const std::unique_ptr<perp_simulation, void (*)(perp_simulation *)> simulation(
      made, perp_simulation_destroy);
  perp_view view;
  perp_simulation_view(made, &view);
  const int numbers = view.dimension == 2 ? 3 : 7;
  for (int k = 0; k < view.shapes; k++) {
    Body body = bodyOf(view.shape[k], view.pose + k * numbers, view.dimension, density);
    body.mu = mu;
    world.add(body);
  }
  world.play(scene);
  Stage stage;
  stage.dt = 0.01;
  stage.from = from;
  stage.most = 30;
  stage.whole = whole;
  stage.overlap = deepest;
  return stage;
}

} // namespace

/* Bricks that settle: each course falls by the gaps below it. The error is how far a brick is from where it
 * then stands. */
Stage wallOfBricks(World &world)
{
  const double high = 0.2, gap = 0.01 * high;
  Stage stage = crowd(world, "wall3d:rows=20", 500, 0.5, 75, 0.019);
  stage.error = [high, gap](const World &w) {
    double worst = 0;
    for (std::size_t k = 0; k < w.bodies.size(); k++) {
      Vec end = w.bodies[k].at;
      if (!(w.bodies[k].mass > 0))
        continue;
      end[2] -= gap * (1 + std::floor(end[2] / (high + gap)));
      worst = std::max(worst, distance(w.state(static_cast<int>(k)).at, end));
    }
    return worst;
  };
  return stage;
}

/* The error is how far a disc moves in the last half second, in which the heap lies. */
Stage discsInBox(World &world)
{
  Stage stage = crowd(world, "discs:n=1000", 100, 0.4, 250, 0.018);
  const auto before = std::make_shared<std::vector<Vec>>();
  stage.error = [before](const World &w) {
    double worst = 0;
    for (std::size_t k = 0; k < w.bodies.size(); k++) {
      const Vec at = w.state(static_cast<int>(k)).at;
      if (before->size() <= k)
        before->push_back(at);
      worst = std::max(worst, distance(at, (*before)[k]));
    }
    return worst;
  };
  return stage;
}

Stage siloOfSpheres(World &world)
{
  return crowd(world, "silo:n=2000", 1000, 0.4, 75, 0.034);
}

} // namespace scenes
