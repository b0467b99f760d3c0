/* fluid.c: the pressure problem of a liquid with separating walls, on staggered grids
 *
 * docs/problems.md derives the problem (Batty, Bertails and Bridson 2007; Erleben 2013, sec. 4.2). For a
 * cell c of the liquid, summing over its open faces with u' the velocity before,
 *
 *   b_c = sum_f a_f u'_f / h                         (f outward)
 *   A_cc = w sum_f a_f,  A_cd = -w a_f,  w = dt / (density h^2)
 *
 * a_f is the fraction of face f outside the solid: 1, except in cells that a sloping wall cuts.
 *
 * A box without air: A has the null vector 1, and 1^T y = 1^T b is the total outflow. With walls at
 * rest this is 0 up to rounding: y = 0, p is determined up to a constant (kind multiple). With an
 * outlet that draws (drain > 0) y is not 0, so p = 0 somewhere and p is unique. With one that blows
 * (drain < 0) u = 1 is a certificate: A^T u = 0, b^T u < 0 (kind infeasible).
 *
 * Scenes, in a box whose longest side is 1, x to the right, y up:
 *   dam     a column at the left wall (width, level)
 *   drop    a ball falls into a pool (level) at rest with `speed` and `spin`
 *   tilted  a pool (level) above a sloping floor
 *   tank    full to the top, with an outlet in the floor (drain)
 * Gravity has acted for one dt. In dam and tilted the liquid moves to the right with `speed`.
 * Except in drop it flies up: u'_y grows with the height above the floor, by `spray` times gravity
 * dt over the depth, so that of a wide pool 1 / spray of the depth stays pressed. The drop flies
 * apart, with spray times `speed` at its surface. `turbulence` adds a random velocity up to that to
 * each face.
 *
 * Cost and memory: O(cells). */
#include "base/elementary.h"
#include "generate/generate.h"

#include <limits.h>
#include <math.h>

enum { DAM, DROP, TILTED, TANK };
static const char *const scenes[] = {"dam", "drop", "tilted", "tank", NULL};
enum { FORM_LCP, FORM_MIXED };
static const char *const forms[] = {"lcp", "mixed", NULL};

typedef struct fluid_parameters {
  int dimension, n, grid, nx, ny, nz, scene, form;
  double width, level, radius, slope, lean, speed, spray, spin, turbulence, drain, gravity, dt,
      density;
  perp_grid_options options;
} fluid_parameters;

static const perp_parameter parameters[] = {
    PERP_CHOICE(fluid_parameters, scene, DAM, 3, scenes, "what is in the box"),
    PERP_INTEGER(fluid_parameters, dimension, 2, 2, 3, "of the grid"),
    PERP_INTEGER(fluid_parameters, grid, 64, 2, 40000, "cells per side of the box"),
    PERP_INTEGER(fluid_parameters, n, 0, 0, INT_MAX,
                 "cells of the box, a square or cube, in place of grid; wet ones are unknowns"),
    PERP_INTEGER(fluid_parameters, nx, 0, 0, 1000000, "cells to the right; 0: as grid says"),
    PERP_INTEGER(fluid_parameters, ny, 0, 0, 1000000, "cells up; 0: as grid says"),
    PERP_INTEGER(fluid_parameters, nz, 0, 0, 1000000, "cells to the back; 0: as grid says"),
    PERP_CHOICE(fluid_parameters, form, FORM_LCP, 1, forms,
                "p >= 0 in all cells, or in cells at a wall"),
    PERP_REAL(fluid_parameters, width, 0.4, 0, 1, "of the dam, over that of the box"),
    PERP_REAL(fluid_parameters, level, 0, 0, 1,
              "of the liquid, over the height of the box; 0: 0.7 dam, 0.25 drop, 0.6 tilted"),
    PERP_REAL(fluid_parameters, radius, 0.25, 0, 1, "of the drop, over the width of the box"),
    PERP_REAL(fluid_parameters, slope, 0.4, -1, 1, "of the floor, scene = tilted"),
    PERP_REAL(fluid_parameters, lean, 0, -10, 10, "horizontal over vertical part of gravity"),
    PERP_REAL(fluid_parameters, speed, 0.1, -1e6, 1e6, "of the liquid, but in a tank"),
    PERP_REAL(fluid_parameters, spray, 2, 0, 1e6, "how fast the liquid flies apart"),
    PERP_REAL(fluid_parameters, spin, 1, -1e6, 1e6, "of the drop, radians per second"),
    PERP_REAL(fluid_parameters, turbulence, 0, 0, 1e6, "random velocity of every face, at most"),
    PERP_REAL(fluid_parameters, drain, 0.2, -1e6, 1e6, "velocity in the outlet, scene = tank"),
    PERP_REAL(fluid_parameters, gravity, 10, 0, 1e6, "acceleration"),
    PERP_REAL(fluid_parameters, dt, 0.01, 1e-9, 1e3, "time step"),
    PERP_REAL(fluid_parameters, density, 1, 1e-9, 1e9, "of the liquid"),
    PERP_GRID_ROWS(fluid_parameters),
    {0}};

enum { AIR, LIQUID, BALL, SOLID }; /* content of a cell; the ball is liquid too */

typedef struct flow {
  const fluid_parameters *par;
  int size[3], step[3];
  int cells, unknowns;
  double h, extent[3], gravity[3], centre[3], radius, level;
  double burst;        /* rate at which the liquid, or the drop, flies apart */
  unsigned char *fill; /* by cell */
  bool *wall;          /* by cell: touches a wall */
  double *divergence;  /* by cell */
  double *diagonal;    /* by cell, handed to the operator */
  double *w[3];        /* by cell, handed to the operator; NULL if all faces have the same weight */
  int *list;           /* the cells of the unknowns, handed to the operator */
  int64_t open;        /* faces between liquid and air */
} flow;

/* ---- Geometry ---- */

static double floor_height(const flow *f, double x)
{
  return 0.25 * f->extent[1] + f->par->slope * (x - 0.5 * f->extent[0]);
}

static double clamp01(double t)
{
  return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* The integral of clamp01 from 0 to t. */
static double clamp01_integral(double t)
{
  return t < 0 ? 0 : t > 1 ? t - 0.5 : 0.5 * t * t;
}

/* Returns the fraction of the face of cell (i, j) towards +axis that is above the sloping floor. */
static double open_share(const flow *f, int axis, int i, int j)
{
  const double h = f->h, top = (j + 1) * h;
  if (axis == 0)
    return clamp01((top - floor_height(f, (i + 1) * h)) / h);
  /* heights of the cell's top edge above the floor at its two ends, in cells */
  const double left = (top - floor_height(f, i * h)) / h;
  const double right = (top - floor_height(f, (i + 1) * h)) / h;
  if (axis == 1) {
    const double most = perp_max(left, right), least = perp_min(left, right);
    return least >= 0 ? 1 : most <= 0 ? 0 : most / (most - least);
  }
  return left == right ? clamp01(left)
                       : (clamp01_integral(right) - clamp01_integral(left)) / (right - left);
}

static int fill_of(const flow *f, int i, int j, int k)
{
  const double x = (i + 0.5) * f->h, y = (j + 0.5) * f->h, z = (k + 0.5) * f->h;
  const double level = f->level * f->extent[1];
  switch (f->par->scene) {
  case DAM:
    return x < f->par->width * f->extent[0] && y < level ? LIQUID : AIR;
  case DROP: {
    const double dx = x - f->centre[0], dy = y - f->centre[1];
    const double dz = f->par->dimension == 3 ? z - f->centre[2] : 0;
    return dx * dx + dy * dy + dz * dz < f->radius * f->radius ? BALL : y < level ? LIQUID : AIR;
  }
  case TILTED:
    return y <= floor_height(f, x) ? SOLID : y < level ? LIQUID : AIR;
  default:
    return LIQUID;
  }
}

/* ---- Velocities ---- */

/* u' in direction axis at a point; ball: on a face of the drop. */
static double velocity(const flow *f, int axis, const double at[3], bool ball)
{
  const fluid_parameters *par = f->par;
  double u = par->dt * f->gravity[axis];
  if (ball) {
    u += f->burst * (at[axis] - f->centre[axis]);
    if (axis == 0)
      u -= par->spin * (at[1] - f->centre[1]);
    if (axis == 1)
      u += par->spin * (at[0] - f->centre[0]) - par->speed;
  } else if (par->scene != DROP) {
    if (axis == 0 && par->scene != TANK)
      u += par->speed;
    if (axis == 1)
      u += f->burst * (at[1] - (par->scene == TILTED ? floor_height(f, at[0]) : 0));
  }
  return u;
}

/* Outflow over h through the outlet: floor cells at most a tenth of the box from its middle. */
static double drained(const flow *f, int i, int j, int k)
{
  const double reach = 0.1 * f->extent[0] + 0.5 * f->h;
  const double x = (i + 0.5) * f->h - 0.5 * f->extent[0];
  const double z = (k + 0.5) * f->h - 0.5 * f->extent[2];
  if (f->par->scene != TANK || j > 0 || fabs(x) > reach ||
      (f->par->dimension == 3 && fabs(z) > reach))
    return 0;
  return f->par->drain / f->h;
}

/* ---- Assembly, face by face ---- */

/* The face between cell c at `at` and the next one in direction axis. */
static void add_face(flow *f, perp_random *random, int axis, const int at[3], int c)
{
  const int d = c + f->step[axis];
  const bool wet_c = f->fill[c] == LIQUID || f->fill[c] == BALL;
  const bool inside = at[axis] + 1 < f->size[axis];
  if (!inside || f->fill[d] == SOLID || f->fill[c] == SOLID) {
    f->wall[c] = true;
    if (inside)
      f->wall[d] = true;
    return;
  }
  const bool wet_d = f->fill[d] == LIQUID || f->fill[d] == BALL;
  if (!wet_c && !wet_d)
    return;
  double point[3];
  for (int k = 0; k < 3; k++)
    point[k] = (at[k] + (k == axis ? 1 : 0.5)) * f->h;
  const bool ball = f->fill[c] == BALL || f->fill[d] == BALL;
  const double a = f->w[0] ? open_share(f, axis, at[0], at[1]) : 1;
  const double w = f->par->dt / (f->par->density * f->h * f->h) * a;
  double u = velocity(f, axis, point, ball);
  if (f->par->turbulence > 0)
    u += f->par->turbulence * perp_random_between(random, -1, 1);
  f->diagonal[c] += w;
  f->diagonal[d] += w;
  f->divergence[c] += a * u / f->h;
  f->divergence[d] -= a * u / f->h;
  if (f->w[axis])
    f->w[axis][c] = w;
  if (a < 1)
    f->wall[c] = f->wall[d] = true;
  f->open += wet_c != wet_d;
}

/* A planted right-hand side begins with the same draws: `random` is a copy. */
static void assemble(flow *f, perp_random random)
{
  const int axes = f->par->dimension == 3 ? 3 : 2;
  for (int k = 0, c = 0; k < f->size[2]; k++)
    for (int j = 0; j < f->size[1]; j++)
      for (int i = 0; i < f->size[0]; i++, c++) {
        const int at[3] = {i, j, k};
        for (int axis = 0; axis < axes; axis++) {
          if (at[axis] == 0)
            f->wall[c] = true;
          add_face(f, &random, axis, at, c);
        }
        f->divergence[c] += drained(f, i, j, k);
      }
}

/* ---- Putting it together ---- */

static perp_error take_sizes(const perp_making *m, flow *f)
{
  const fluid_parameters *par = f->par;
  int side;
  perp_error error = perp_grid_side(m, par->n, par->dimension, par->grid, &side);
  if (error)
    return error;
  if (par->dimension == 2 && par->nz > 1)
    return perp_making_refuse(m, "nz = %d, but dimension = 2 has no z", par->nz);
  const int given[3] = {par->nx, par->ny, par->dimension == 3 ? par->nz : 1};
  int64_t cells = 1;
  int longest = 1;
  for (int d = 0; d < 3; d++) {
    f->size[d] = given[d] > 0 ? given[d] : side;
    if (d < par->dimension && f->size[d] < 2)
      return perp_making_refuse(m, "the box has %d x %d x %d cells; every side needs at least 2",
                                f->size[0], f->size[1], f->size[2]);
    f->step[d] = (int)cells;
    cells *= f->size[d];
    if (cells > INT_MAX)
      return perp_making_refuse(m, "the box would have more than %d cells", INT_MAX);
    longest = f->size[d] > longest ? f->size[d] : longest;
  }
  f->cells = (int)cells;
  f->h = 1.0 / longest;
  return PERP_OK;
}

static void place_scene(flow *f)
{
  static const double levels[] = {[DAM] = 0.7, [DROP] = 0.25, [TILTED] = 0.6, [TANK] = 1};
  const fluid_parameters *par = f->par;
  for (int d = 0; d < 3; d++) {
    f->extent[d] = f->size[d] * f->h;
    f->centre[d] = 0.5 * f->extent[d];
  }
  f->level = par->level > 0 ? par->level : levels[par->scene];
  f->radius = par->radius * f->extent[0];
  /* the ball dips into the pool by a fifth of its radius */
  f->centre[1] = f->level * f->extent[1] + 0.8 * f->radius;
  if (par->scene == DROP)
    f->burst = f->radius > 0 ? par->spray * par->speed / f->radius : 0;
  else
    f->burst = par->spray * par->gravity * par->dt / (f->level * f->extent[1]);
  const double length = sqrt(1 + par->lean * par->lean);
  f->gravity[0] = par->gravity * par->lean / length;
  f->gravity[1] = -par->gravity / length;
}

static perp_error allocate(perp_making *m, flow *f)
{
  const size_t cells = (size_t)f->cells;
  f->diagonal = perp_alloc_zero(cells, sizeof *f->diagonal);
  bool good =
      f->diagonal && PERP_TAKE(&m->arena, PERP_ARRAY(f->fill, cells)) &&
      PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(f->wall, cells), PERP_ARRAY(f->divergence, cells));
  if (f->par->scene == TILTED && f->par->slope != 0)
    for (int d = 0; d < f->par->dimension; d++) {
      f->w[d] = perp_alloc_zero(cells, sizeof *f->w[d]);
      good = good && f->w[d];
    }
  return good ? PERP_OK : perp_making_no_memory(m);
}

/* Fills the cells and lists the wet ones; list stays NULL if all are wet. */
static perp_error fill_box(const perp_making *m, flow *f)
{
  for (int k = 0, c = 0; k < f->size[2]; k++)
    for (int j = 0; j < f->size[1]; j++)
      for (int i = 0; i < f->size[0]; i++, c++) {
        f->fill[c] = (unsigned char)fill_of(f, i, j, k);
        f->unknowns += f->fill[c] == LIQUID || f->fill[c] == BALL;
      }
  if (f->unknowns == 0)
    return perp_making_refuse(m, "no cell of %d x %d x %d is wet", f->size[0], f->size[1],
                              f->size[2]);
  if (f->unknowns == f->cells)
    return PERP_OK;
  f->list = perp_alloc((size_t)f->unknowns, sizeof *f->list);
  if (!f->list)
    return perp_making_no_memory(m);
  for (int c = 0, u = 0; c < f->cells; c++)
    if (f->fill[c] == LIQUID || f->fill[c] == BALL)
      f->list[u++] = c;
  return PERP_OK;
}

/* Creates A, which takes its arrays from f, even if it fails. */
static perp_error make_operator(perp_making *m, flow *f)
{
  const fluid_parameters *par = f->par;
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data),
      .nx = f->size[0],
      .ny = f->size[1],
      .nz = f->size[2],
      .unknowns = f->unknowns,
      .cells = f->list,
      .wx = f->w[0],
      .wy = f->w[1],
      .wz = f->w[2],
      .weight = par->dt / (par->density * f->h * f->h),
      .diagonal = f->diagonal,
  };
  f->list = NULL;
  f->diagonal = f->w[0] = f->w[1] = f->w[2] = NULL;
  return perp_grid_operator(m, &data, par->options.operator);
}

/* Sets b, and with form = mixed the bounds, by unknown. */
static perp_error set_rows(perp_making *m, const flow *f)
{
  perp_instance *instance = m->instance;
  const size_t n = (size_t)f->unknowns;
  const bool mixed = f->par->form == FORM_MIXED;
  if (!PERP_GIVE(n, &instance->b) || (mixed && !PERP_GIVE(n, &instance->lo, &instance->hi)))
    return perp_making_no_memory(m);
  for (int u = 0; u < f->unknowns; u++) {
    const int c = f->list ? f->list[u] : u;
    instance->b[u] = f->divergence[c];
    if (mixed) {
      instance->lo[u] = f->wall[c] ? 0 : -INFINITY;
      instance->hi[u] = INFINITY;
    }
  }
  return PERP_OK;
}

static perp_error set_kind(perp_making *m, const flow *f)
{
  perp_instance *instance = m->instance;
  const double drain = f->par->scene == TANK && !f->par->options.plant ? f->par->drain : 0;
  instance->kind = f->open > 0 || drain > 0 ? PERP_KIND_SOLVABLE : PERP_KIND_MULTIPLE;
  if (f->open > 0 || drain >= 0)
    return PERP_OK;
  instance->kind = PERP_KIND_INFEASIBLE;
  if (!PERP_GIVE((size_t)f->unknowns, &instance->u))
    return perp_making_no_memory(m);
  for (int u = 0; u < f->unknowns; u++)
    instance->u[u] = 1;
  return PERP_OK;
}

static perp_error make(perp_making *m)
{
  flow f = {.par = m->parameters};
  perp_error error = take_sizes(m, &f);
  if (error)
    return error;
  place_scene(&f);
  error = allocate(m, &f);
  if (!error)
    error = fill_box(m, &f);
  if (!error) {
    assemble(&f, m->random);
    error = set_rows(m, &f);
  }
  if (!error && !(error = set_kind(m, &f)))
    error = make_operator(m, &f);
  if (!error && f.par->options.plant)
    error = perp_grid_plant(m, &f.par->options);
  perp_free(f.diagonal);
  perp_free(f.list);
  for (int d = 0; d < 3; d++)
    perp_free(f.w[d]);
  return error;
}

const perp_generator perp_generators_fluid[] = {
    {"fluid", "pressure of a liquid with separating walls", "fluid", "erleben-2013", parameters,
     sizeof(fluid_parameters), make, NULL},
    {0}};
