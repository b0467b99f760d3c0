/* fluid/fluid.c: a step of a liquid, its scenes, and user actions */
#include "simulate/fluid/fluid.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

static const char *const walls_names[] = {"stick", "separate", NULL};

enum { KINETIC, POTENTIAL, FASTEST, SUMS, SUMMED = 1 << 16 }; /* particles per partial sum */

size_t perp_fluid_sums(int particles)
{
  return ((size_t)particles / SUMMED + 1) * SUMS;
}

/* Computes partial sums over pieces of the particles, so that the total has the same bits for any
 * number of threads. */
static void account_pieces(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  const double volume = f->dx * f->dx * (f->dim == 3 ? f->dx / 8 : 1.0 / 4), mass = 1000 * volume;
  for (int64_t piece = begin; piece < end; piece++) {
    double sum[SUMS] = {0, 0, 1e-300};
    for (int64_t q = piece * SUMMED; q < (piece + 1) * SUMMED && q < f->particles; q++) {
      double square = 0;
      for (int d = 0; d < f->dim; d++)
        square += f->v[f->dim * q + d] * f->v[f->dim * q + d];
      sum[KINETIC] += 0.5 * mass * square;
      for (int d = 0; d < f->dim; d++)
        if (f->down[d] != 0)
          sum[POTENTIAL] -=
              mass * f->par.gravity * f->down[d] * (f->x[f->dim * q + d] - f->origin[d]);
      f->shade[q] = sqrt(square);
      sum[FASTEST] = perp_max(sum[FASTEST], f->shade[q]);
    }
    memcpy(f->sums + piece * SUMS, sum, sizeof sum);
  }
}

static void shade_particles(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  for (int64_t q = begin; q < end; q++)
    f->shade[q] = perp_min(1, f->shade[q] / perp_max(2, f->fastest));
}

static void account(perp_fluid *f, perp_step *step)
{
  const int64_t pieces = ((int64_t)f->particles + SUMMED - 1) / SUMMED;
  step->kinetic = step->potential = 0;
  f->fastest = 1e-300;
  perp_parallel_for(f->threads, pieces, 1, account_pieces, f);
  for (int64_t k = 0; k < pieces; k++) {
    step->kinetic += f->sums[k * SUMS + KINETIC];
    step->potential += f->sums[k * SUMS + POTENTIAL];
    f->fastest = perp_max(f->fastest, f->sums[k * SUMS + FASTEST]);
  }
  perp_fluid_over_particles(f, shade_particles);
  step->volume = f->first_volume > 0 ? f->volume / f->first_volume : NAN;
  step->time = f->time;
}

static void pull_down(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  for (int d = 0; d < f->dim; d++)
    for (int64_t at = begin; at < end && f->down[d] != 0; at++)
      f->u[d][at] += f->known[d * f->size + at] ? f->par.h * f->par.gravity * f->down[d] : 0;
}

perp_error perp_fluid_step(void *state, perp_stepper *stepper, perp_message *why)
{
  perp_fluid *f = state;
  f->threads = stepper->options.threads;
  perp_fluid_gather(f);
  f->volume = perp_fluid_measure(f);
  if (f->first_volume == 0)
    f->first_volume = f->volume;
  f->missed += f->first_volume > 0 ? 1 - f->volume / f->first_volume : 0;
  perp_fluid_over_cells(f, pull_down);
  perp_fluid_close_faces(f);
  const perp_error error = perp_fluid_pressure(f, stepper, why);
  if (error)
    return error;
  perp_fluid_extend(f, 6);
  perp_fluid_close_faces(f);
  perp_fluid_carry(f);
  f->time += f->par.h;
  account(f, stepper->frame);
  return PERP_OK;
}

/* ---- Making one ---- */

void perp_fluid_destroy(void *state)
{
  perp_fluid *f = state;
  perp_operator_destroy(f->A);
  perp_arena_free(&f->memory);
  perp_free(f);
}

static bool allocate(perp_fluid *f)
{
  const size_t n = (size_t)f->size;
  bool fine = true;
  for (int d = 0; d < f->dim && fine; d++)
    fine = PERP_TAKE_ZERO_REALS(&f->memory, n, &f->open[d], &f->u[d], &f->old[d], &f->weight[d]);
  return fine &&
         PERP_TAKE_ZERO_REALS(&f->memory, n, &f->wx, &f->wy, &f->wz, &f->diagonal, &f->b, &f->lo,
                              &f->hi, &f->p, &f->pressure) &&
         PERP_TAKE_ZERO(&f->memory, PERP_ARRAY(f->held, n), PERP_ARRAY(f->unknown, n),
                        PERP_ARRAY(f->known, 3 * n)) &&
         PERP_TAKE(&f->memory, PERP_ARRAY(f->cell, n), PERP_ARRAY(f->at_wall, n),
                   PERP_ARRAY(f->reached, n), PERP_ARRAY(f->line, f->n[1] * f->n[2] + 1));
}

/* Draws the edges of a container in space, tilted about its depth axis. */
static void draw_edges(perp_fluid *f)
{
  const double turn = f->scene.tilt / 2;
  f->shape[0] = (perp_shape){.kind = PERP_SHAPE_BOX,
                             .fixed = true,
                             .wire = true,
                             .size = {f->width[0] / 2, f->width[1] / 2, f->width[2] / 2}};
  memcpy(f->pose,
         (double[]){f->width[0] / 2, f->width[1] / 2, f->width[2] / 2, perp_cos(turn), 0,
                    -perp_sin(turn), 0},
         7 * sizeof *f->pose);
}

/* Draws the four walls around a container in the plane as thin boxes. */
static void draw_walls(perp_fluid *f)
{
  const double c = f->turn[0], s = f->turn[1], thin = 1.5 * f->dx;
  const double a = f->scene.width / 2, b = f->scene.height / 2;
  const double box[4][4] = {{-a - thin, -b - thin, a + thin, -b},
                            {-a - thin, b, a + thin, b + thin},
                            {-a - thin, -b, -a, b},
                            {a, -b, a + thin, b}};
  for (int k = 0; k < 4; k++) {
    const double *w = box[k];
    const double corner[8] = {w[0], w[1], w[2], w[1], w[2], w[3], w[0], w[3]};
    for (int m = 0; m < 4; m++) {
      f->corner[k][2 * m] = c * corner[2 * m] - s * corner[2 * m + 1];
      f->corner[k][2 * m + 1] = s * corner[2 * m] + c * corner[2 * m + 1];
    }
    f->shape[k] = (perp_shape){
        .kind = PERP_SHAPE_POLYGON, .fixed = true, .corners = 4, .corner = f->corner[k]};
    memcpy(f->pose + 3 * k, (double[]){a, b, 0}, 3 * sizeof *f->pose);
  }
}

perp_error perp_fluid_create(const perp_fluid_parameters *par, const perp_fluid_scene *scene,
                             uint64_t seed, void **state, perp_message *why)
{
  perp_fluid *f = perp_alloc_zero(1, sizeof *f);
  if (!f)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a liquid");
  f->par = *par;
  f->scene = *scene;
  f->dim = par->solid ? 3 : 2;
  f->up = f->dim - 1;
  f->down[f->up] = -1;
  f->turn[0] = perp_cos(scene->tilt);
  f->turn[1] = perp_sin(scene->tilt);
  f->random = perp_random_from(seed + 1);
  f->width[0] = scene->width;
  f->width[1] = scene->depth;
  f->width[f->up] = scene->height;
  f->dx = scene->width / par->cells;
  /* One cell around the container; a tilted one needs room to rotate. */
  const double diagonal = perp_hypot(scene->width, scene->height);
  double cells = 1;
  for (int d = 0; d < 3; d++) {
    const bool turned = scene->tilt != 0 && (d == 0 || d == f->up);
    const double width = turned ? diagonal : f->width[d];
    f->n[d] = d < f->dim ? 2 + 2 * (int)ceil(width / f->dx / 2 - 1e-9) : 1;
    f->origin[d] = d < f->dim ? f->width[d] / 2 - f->dx * f->n[d] / 2 : 0;
    f->extent[d] = f->dx * f->n[d];
    cells *= f->n[d] + 1.0;
  }
  f->step[0] = 1;
  f->step[1] = f->n[0] + 1;
  f->step[2] = f->step[1] * (f->n[1] + 1);
  f->size = f->dim == 3 ? f->step[2] * (f->n[2] + 1) : f->step[2];
  const bool fits = cells < 1e8;
  if (!fits || !allocate(f) || !perp_fluid_measure_begin(f) || !perp_fluid_seed(f, seed)) {
    perp_fluid_destroy(f);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a liquid of %d cells across",
                     par->cells);
  }
  perp_fluid_open_faces(f);
  if (f->dim == 2)
    draw_walls(f);
  else
    draw_edges(f);
  *state = f;
  return PERP_OK;
}

void perp_fluid_view(const void *state, perp_view *view)
{
  const perp_fluid *f = state;
  *view = (perp_view){
      .dimension = f->dim,
      .shapes = f->dim == 2 ? 4 : 1,
      .shape = f->shape,
      .pose = f->pose,
      .particles = f->particles,
      .particle = f->x,
      .shade = f->shade,
      .pressure = f->felt,
      .touch = f->touch,
  };
  for (int d = 0; d < f->dim; d++) {
    view->lo[d] = f->origin[d];
    view->hi[d] = f->origin[d] + f->extent[d];
  }
}

/* ---- User actions: pouring, stirring, building walls ----
 *
 * Walls are stored as their distance d at the corners of the cells, interpolated linearly along
 * each axis. Drawing with radius r at c adds a disc, erasing removes one:
 *
 *   d <- min(d, |x - c| - r),   d <- max(d, r - |x - c|).
 *
 * Neither is the true distance everywhere, but the sign is right and the slope close to the stroke
 * is 1. That is enough for the open fractions of faces and for pushing particles out. */

static perp_error no_memory(perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for more liquid");
}

/* ---- Walls, in the plane ---- */

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
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "walls can only be built in two dimensions");
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

/* Adds a particle wherever half a cell around it is empty, as in the initial state. */
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
  if (f->first_volume > 0) /* the volume to be preserved */
    f->first_volume += f->particles - before;
  return PERP_OK;
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
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "cannot set '%.64s' to %.6g: a liquid has gravity, tilt (|.| <= 1000) and walls (0 or 1)",
        name, value);
  return PERP_OK;
}

static perp_error act(void *state, const perp_action *action, perp_message *why)
{
  perp_fluid *f = state;
  if ((action->kind == PERP_ACT_POUR || action->kind == PERP_ACT_WALL) &&
      !(action->radius > 0 && action->radius <= 1e6))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "radius must be above 0 and at most 1e6");
  switch (action->kind) {
  case PERP_ACT_SET:
    return set(f, action, why);
  case PERP_ACT_POUR:
    return pour(f, action, why);
  case PERP_ACT_WALL:
    return build(f, action, why);
  case PERP_ACT_STIR:
    for (int64_t q = 0; q < f->particles; q++)
      if (distance(f, f->x + q * f->dim, action->at) <= action->radius)
        memcpy(f->v + q * f->dim, action->to, (size_t)f->dim * sizeof *f->v);
    return PERP_OK;
  default:
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "a liquid does not support this action");
  }
}

static perp_error follow(void *state, const void *from, perp_message *why)
{
  perp_fluid *f = state;
  const perp_fluid *other = from;
  if (f->size != other->size || f->dim != other->dim)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a liquid can only copy the state of a liquid on the same grid");
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

/* ---- Scenes ---- */

static const perp_parameter table[] = {
    PERP_INTEGER(perp_fluid_parameters, cells, 64, 4, 4096, "cells across the container"),
    PERP_FLAG(perp_fluid_parameters, solid, 0, "three dimensions"),
    PERP_CHOICE(perp_fluid_parameters, walls, PERP_WALLS_SEPARATE, 1, walls_names,
                "whether liquid sticks to walls or may leave them"),
    PERP_REAL(perp_fluid_parameters, gravity, 9.81, -1e3, 1e3, "acceleration downwards"),
    PERP_REAL(perp_fluid_parameters, h, 0.005, 1e-6, 1, "time step"),
    PERP_REAL(perp_fluid_parameters, flip, 0.97, 0, 1, "share of FLIP, the rest is PIC"),
    {0}};

static bool in_dam(const double at[3])
{
  return at[0] < 0.35 && at[1] < 0.6;
}

static bool in_pool_or_drop(const double at[3])
{
  const double x = at[0] - 0.5, y = at[1] - 0.65, z = at[2] > 0 ? at[2] - 0.25 : 0;
  return at[1] < 0.25 || x * x + y * y + z * z < 0.15 * 0.15;
}

static bool in_block(const double at[3])
{
  return at[0] > 0.3 && at[0] < 0.7 && at[1] > 0.1 && at[1] < 0.4;
}

static bool in_half(const double at[3])
{
  return at[1] > 0.45; /* the upper part of a tilted box: it runs down its walls */
}

static perp_error create(const perp_scene *scene, const void *par, uint64_t seed, void **state,
                         perp_message *why)
{
  return perp_fluid_create(par, scene->liquid, seed, state, why);
}

static const perp_simulator simulator = {"fluid",
                                         sizeof(perp_fluid_parameters),
                                         create,
                                         perp_fluid_destroy,
                                         perp_fluid_step,
                                         perp_fluid_view,
                                         act,
                                         follow,
                                         NULL};

/* A scene in a box of 1 x 1 x 0.5. */
#define SCENE(name, title, ...)                                                                    \
  {                                                                                                \
    name, title, &simulator, table, NULL, &(const perp_fluid_scene)                                \
    {                                                                                              \
      .width = 1, .height = 1, .depth = 0.5, __VA_ARGS__                                           \
    }                                                                                              \
  }

const perp_scene perp_scenes_fluid[] = {
    SCENE("dam", "a dam breaks", .liquid = in_dam),
    SCENE("drop", "a drop falls into a pool", .liquid = in_pool_or_drop),
    SCENE("tilted", "liquid in a tilted box", .tilt = 0.5, .liquid = in_half),
    SCENE("ceiling", "liquid thrown against the ceiling", .rise = 5, .liquid = in_block,
          .thrown = in_block),
    {0}};
