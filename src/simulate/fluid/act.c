/* fluid/act.c: a person pours, stirs and builds walls while the scene runs
 *
 * Walls are known by their distance d at the corners of the cells, linear along each axis between
 * them. A stroke of radius r at c adds a disc, and taking it away cuts one out:
 *
 *   d <- min(d, |x - c| - r),   d <- max(d, r - |x - c|).
 *
 * Neither is the true distance everywhere, but its sign is right, and close to the stroke its slope is
 * 1: enough for open shares of faces and for particles that are pushed out. */
#include "base/elementary.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

static perp_error no_memory(perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for more liquid");
}

/* ---- Walls, in the plane ---- */

double perp_fluid_built_room(const perp_fluid *f, const double x[3])
{
  int at[2];
  double t[2];
  for (int d = 0; d < 2; d++) {
    const double s = (x[d] - f->origin[d]) / f->dx;
    at[d] = (int)floor(s);
    at[d] = at[d] < 0 ? 0 : at[d] >= f->n[d] ? f->n[d] - 1 : at[d];
    t[d] = perp_min(1, perp_max(0, s - at[d]));
  }
  const double *d = f->wall + perp_fluid_at(f, at[0], at[1], 0);
  const double below = (1 - t[0]) * d[0] + t[0] * d[1];
  const double above = (1 - t[0]) * d[f->step[1]] + t[0] * d[f->step[1] + 1];
  return (1 - t[1]) * below + t[1] * above;
}

static bool begin_walls(perp_fluid *f)
{
  double *wall = f->wall ? f->wall : perp_arena_alloc(&f->memory, (size_t)f->size, sizeof *wall);
  if (!wall || f->wall)
    return wall;
  for (int64_t k = 0; k < f->size; k++)
    wall[k] = f->extent[0] + f->extent[1];
  f->wall = wall;
  return true;
}

static perp_error build(perp_fluid *f, const perp_action *action, perp_message *why)
{
  if (f->dim != 2)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "walls can be built in the plane alone");
  if (!begin_walls(f))
    return no_memory(why);
  for (int j = 0; j <= f->n[1]; j++)
    for (int i = 0; i <= f->n[0]; i++) {
      const double dx = f->origin[0] + i * f->dx - action->at[0];
      const double dy = f->origin[1] + j * f->dx - action->at[1];
      const double far = perp_hypot(dx, dy) - action->radius;
      double *d = &f->wall[perp_fluid_at(f, i, j, 0)];
      *d = action->value > 0 ? perp_min(*d, far) : perp_max(*d, -far);
    }
  perp_fluid_open_faces(f);
  perp_fluid_count_full(f);
  return PERP_OK;
}

/* ---- Liquid ---- */

static double distance(const perp_fluid *f, const double *x, const double *at)
{
  double square = 0;
  for (int d = 0; d < f->dim; d++)
    square += (x[d] - at[d]) * (x[d] - at[d]);
  return sqrt(square);
}

/* One particle where half a cell around it has none, as at the beginning. */
static perp_error pour(perp_fluid *f, const perp_action *action, perp_message *why)
{
  const int each = 1 << f->dim, before = f->particles;
  int lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
  for (int d = 0; d < f->dim; d++) {
    lo[d] = (int)floor((action->at[d] - action->radius - f->origin[d]) / f->dx);
    hi[d] = (int)floor((action->at[d] + action->radius - f->origin[d]) / f->dx);
    lo[d] = lo[d] < 0 ? 0 : lo[d];
    hi[d] = hi[d] >= f->n[d] ? f->n[d] - 1 : hi[d];
  }
  memset(f->held, 0, (size_t)f->size * sizeof *f->held);
  for (int64_t q = 0; q < f->particles; q++)
    f->held[perp_fluid_cell(f, f->x + q * f->dim)]++;
  for (int k = lo[2]; k <= hi[2]; k++)
    for (int j = lo[1]; j <= hi[1]; j++)
      for (int i = lo[0]; i <= hi[0]; i++)
        for (int c = f->held[perp_fluid_at(f, i, j, k)]; c < each; c++) {
          const int cell[3] = {i, j, k};
          double x[3] = {0, 0, 0};
          for (int d = 0; d < f->dim; d++)
            x[d] = f->origin[d] + f->dx * (cell[d] + 0.5 * (c >> d & 1) +
                                           perp_random_between(&f->random, 0.05, 0.45));
          if (distance(f, x, action->at) > action->radius || perp_fluid_room(f, x) <= 0)
            continue;
          if (!perp_fluid_reserve(f, f->particles + 1))
            return no_memory(why);
          const size_t at = (size_t)f->particles++ * (size_t)f->dim, bytes = sizeof(double);
          memcpy(f->x + at, x, (size_t)f->dim * bytes);
          memcpy(f->v + at, action->to, (size_t)f->dim * bytes);
        }
  if (f->first_volume > 0) /* the measure that is kept */
    f->first_volume += f->particles - before;
  return PERP_OK;
}

static void stir(perp_fluid *f, const perp_action *action)
{
  for (int64_t q = 0; q < f->particles; q++)
    if (distance(f, f->x + q * f->dim, action->at) <= action->radius)
      memcpy(f->v + q * f->dim, action->to, (size_t)f->dim * sizeof *f->v);
}

static perp_error set(perp_fluid *f, const perp_action *action, perp_message *why)
{
  const char *name = action->name ? action->name : "";
  const double value = action->value;
  if (strcmp(name, "gravity") == 0 && fabs(value) <= 1e3)
    f->par.gravity = value;
  else if (strcmp(name, "tilt") == 0 && fabs(value) <= 1e3) {
    f->down[0] = perp_sin(value);
    f->down[f->up] = -perp_cos(value);
  } else if (strcmp(name, "walls") == 0 && (value == 0 || value == 1))
    f->par.walls = value == 0 ? PERP_WALLS_STICK : PERP_WALLS_SEPARATE;
  else
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "'%.64s' = %.6g: gravity, tilt or walls of a liquid can be set", name, value);
  return PERP_OK;
}

perp_error perp_fluid_act(void *state, const perp_action *action, perp_message *why)
{
  perp_fluid *f = state;
  const bool brush = action->radius > 0 && action->radius <= 1e6;
  switch (action->kind) {
  case PERP_ACT_SET:
    return set(f, action, why);
  case PERP_ACT_POUR:
    return brush ? pour(f, action, why) : perp_fail(why, PERP_ERROR_ARGUMENT, "no radius");
  case PERP_ACT_WALL:
    return brush ? build(f, action, why) : perp_fail(why, PERP_ERROR_ARGUMENT, "no radius");
  case PERP_ACT_STIR:
    stir(f, action);
    return PERP_OK;
  default:
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "this cannot be done to a liquid");
  }
}

perp_error perp_fluid_follow(void *state, const void *from, perp_message *why)
{
  perp_fluid *f = state;
  const perp_fluid *other = from;
  if (f->size != other->size || f->dim != other->dim)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "liquids on different grids");
  if (!perp_fluid_reserve(f, other->particles) || (other->wall && !begin_walls(f)))
    return no_memory(why);
  const size_t numbers = (size_t)other->particles * (size_t)f->dim;
  memcpy(f->x, other->x, numbers * sizeof *f->x);
  memcpy(f->v, other->v, numbers * sizeof *f->v);
  memcpy(f->pressure, other->pressure, (size_t)f->size * sizeof *f->pressure);
  f->particles = other->particles;
  f->random = other->random;
  f->time = other->time;
  f->first_volume = other->first_volume;
  f->missed = other->missed;
  memcpy(f->down, other->down, sizeof f->down);
  f->par.gravity = other->par.gravity;
  if (f->wall && other->wall)
    memcpy(f->wall, other->wall, (size_t)f->size * sizeof *f->wall);
  else
    f->wall = NULL;
  perp_fluid_open_faces(f);
  perp_fluid_count_full(f);
  return PERP_OK;
}
