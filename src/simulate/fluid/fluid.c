/* fluid/fluid.c: a liquid made, stepped and seen */
#include "simulate/fluid/fluid.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

const char *const perp_walls_names[] = {"stick", "separate", NULL};

enum { KINETIC, POTENTIAL, FASTEST, SUMS, SUMMED = 1 << 16 }; /* particles of a sum */

size_t perp_fluid_sums(int particles)
{
  return ((size_t)particles / SUMMED + 1) * SUMS;
}

/* The sums of pieces of the particles: of many they are added up, the same for any number of
 * threads. */
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
  if (!perp_fluid_sort(f))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the particles of a liquid");
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

/* The edges of a container in space, turned about its depth. */
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

/* The four walls of the picture: thin boxes around a container of the plane. */
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
  /* One cell around the container; a tilted one needs room to turn. */
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
