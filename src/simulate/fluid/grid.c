/* fluid/grid.c: the container, open shares of faces, velocities beyond the liquid, and the step
 *
 * The container is a box, tilted by an angle: room(x) is the distance to its nearest wall, below 0
 * outside. The open share of a face follows from room at its corners, linear between them. */
#include "base/elementary.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

const char *const perp_walls_names[] = {"stick", "separate", NULL};

double perp_fluid_room(const perp_fluid *f, const double x[3])
{
  const double c = perp_cos(f->scene.tilt), s = perp_sin(f->scene.tilt), *width = f->width;
  const double dx = x[0] - width[0] / 2, dy = x[f->up] - width[f->up] / 2;
  const double u = c * dx + s * dy, v = -s * dx + c * dy;
  double room = perp_min(width[0] / 2 - fabs(u), width[f->up] / 2 - fabs(v));
  if (f->dim == 3)
    room = perp_min(room, perp_min(x[1], width[1] - x[1]));
  return room;
}

/* The share of a segment where a linear function with these ends is above 0. */
static double share(double a, double b)
{
  if (a >= 0 && b >= 0)
    return 1;
  if (a < 0 && b < 0)
    return 0;
  return a >= 0 ? a / (a - b) : b / (b - a);
}

/* Face d at the lower end of cell (i, j, k). */
static double open_share(const perp_fluid *f, int d, const int at[3])
{
  enum { LINES = 8 };
  const int a = (d + 1) % f->dim, b = f->dim == 3 ? (d + 2) % 3 : a;
  double corner[3];
  for (int m = 0; m < 3; m++)
    corner[m] = f->origin[m] + (m < f->dim ? at[m] * f->dx : 0);
  double sum = 0;
  const int lines = f->dim == 3 ? LINES : 1;
  for (int line = 0; line < lines; line++) {
    double from[3], to[3];
    memcpy(from, corner, sizeof from);
    if (f->dim == 3)
      from[b] += (line + 0.5) / lines * f->dx;
    memcpy(to, from, sizeof to);
    to[a] += f->dx;
    /* what is left of rounding on a wall that lies on a grid line is no room */
    const double least = 1e-9 * f->dx, r0 = perp_fluid_room(f, from), r1 = perp_fluid_room(f, to);
    sum += share(fabs(r0) < least ? 0 : r0, fabs(r1) < least ? 0 : r1);
  }
  /* A face that lies in a wall has corners at 0: it is closed all the same. */
  double middle[3];
  memcpy(middle, corner, sizeof middle);
  for (int m = 0; m < f->dim; m++)
    middle[m] += m == d ? 0 : f->dx / 2;
  if (perp_fluid_room(f, middle) < 1e-9 * f->dx)
    sum = fabs(perp_fluid_room(f, middle)) < 1e-9 * f->dx ? 0 : sum;
  return sum / lines < 1e-3 ? 0 : sum / lines;
}

static void open_faces(perp_fluid *f)
{
  for (int d = 0; d < f->dim; d++)
    for (int k = 0; k < (f->dim == 3 ? f->n[2] + 1 : 1); k++)
      for (int j = 0; j <= f->n[1]; j++)
        for (int i = 0; i <= f->n[0]; i++) {
          const int at[3] = {i, j, k};
          const bool border = at[d] == 0 || at[d] == f->n[d];
          f->open[d][perp_fluid_at(f, i, j, k)] = border ? 0 : open_share(f, d, at);
        }
}

/* The mean of the neighbours that have a value, layer by layer. Closed faces hold the wall's. */
void perp_fluid_extend(perp_fluid *f, int layers)
{
  for (int d = 0; d < f->dim; d++)
    for (int layer = 1; layer <= layers; layer++) {
      unsigned char *known = f->known + d * f->size;
      for (int64_t at = 0; at < f->size; at++) {
        if (known[at])
          continue;
        double sum = 0;
        int count = 0;
        for (int m = 0; m < f->dim; m++)
          for (int side = -1; side <= 1; side += 2) {
            const int64_t to = at + side * f->step[m];
            if (to >= 0 && to < f->size && known[to] && known[to] <= layer) {
              sum += f->u[d][to];
              count++;
            }
          }
        if (count > 0) {
          f->u[d][at] = sum / count;
          known[at] = (unsigned char)(layer + 1);
        }
      }
    }
}

/* Whether a cell lies in a wall: all its faces are closed. */
static bool is_wall(const perp_fluid *f, int64_t at)
{
  for (int d = 0; d < f->dim; d++)
    if (f->open[d][at] > 0 || (at + f->step[d] < f->size && f->open[d][at + f->step[d]] > 0))
      return false;
  return true;
}

/* Nothing flows through a closed face. One between two cells of a wall keeps what was extended to it: liquid
 * slips along the wall. */
static void close_faces(perp_fluid *f)
{
  for (int d = 0; d < f->dim; d++)
    for (int64_t at = 0; at < f->size; at++)
      if (f->open[d][at] == 0 &&
          !(is_wall(f, at) && (at < f->step[d] || is_wall(f, at - f->step[d]))))
        f->u[d][at] = 0;
}

bool perp_fluid_at_surface(const perp_fluid *f, int64_t at)
{
  for (int d = 0; d < f->dim; d++)
    for (int side = -1; side <= 1; side += 2) {
      const int64_t to = at + side * f->step[d];
      if (to >= 0 && to < f->size && f->full[to] > 0 && f->held[to] == 0)
        return true;
    }
  return false;
}

static void account(perp_fluid *f, perp_step *step)
{
  const double volume = f->dx * f->dx * (f->dim == 3 ? f->dx / 8 : 1.0 / 4), mass = 1000 * volume;
  step->kinetic = step->potential = 0;
  double fastest = 1e-300;
  for (int q = 0; q < f->particles; q++) {
    double square = 0;
    for (int d = 0; d < f->dim; d++)
      square += f->v[f->dim * q + d] * f->v[f->dim * q + d];
    step->kinetic += 0.5 * mass * square;
    step->potential += mass * f->par.gravity * (f->x[f->dim * q + f->up] - f->origin[f->up]);
    f->shade[q] = sqrt(square);
    fastest = perp_max(fastest, f->shade[q]);
  }
  for (int q = 0; q < f->particles; q++)
    f->shade[q] = perp_min(1, f->shade[q] / perp_max(2, fastest));
  step->volume = f->first_volume > 0 ? f->volume / f->first_volume : NAN;
  step->time = f->time;
}

perp_error perp_fluid_step(void *state, perp_stepper *stepper, perp_message *why)
{
  perp_fluid *f = state;
  perp_fluid_gather(f);
  f->volume = perp_fluid_measure(f);
  if (f->first_volume == 0)
    f->first_volume = f->volume;
  f->missed += f->first_volume > 0 ? 1 - f->volume / f->first_volume : 0;
  for (int64_t at = 0; at < f->size; at++)
    f->u[f->up][at] -= f->known[f->up * f->size + at] ? f->par.h * f->par.gravity : 0;
  close_faces(f);
  const perp_error error = perp_fluid_pressure(f, stepper, why);
  if (error)
    return error;
  perp_fluid_extend(f, 6);
  close_faces(f);
  perp_fluid_scatter(f);
  perp_fluid_feel(f);
  perp_fluid_advect(f);
  f->time += f->par.h;
  account(f, stepper->frame);
  return PERP_OK;
}

/* ---- Making one ---- */

void perp_fluid_destroy(void *state)
{
  perp_fluid *f = state;
  perp_operator_destroy(f->A);
  for (int d = 0; d < 3; d++) {
    perp_free(f->open[d]);
    perp_free(f->u[d]);
    perp_free(f->old[d]);
    perp_free(f->weight[d]);
  }
  void *const blocks[] = {f->held,     f->unknown,   f->known,     f->x,    f->v,
                          f->shade,    f->cell,      f->wx,        f->wy,   f->wz,
                          f->b,        f->diagonal,  f->lo,        f->hi,   f->p,
                          f->pressure, f->grid_held, f->grid_full, f->felt, f->touch};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    perp_free(blocks[k]);
  perp_free(f);
}

static bool allocate(perp_fluid *f)
{
  const size_t n = (size_t)f->size;
  bool fine = true;
  for (int d = 0; d < f->dim; d++) {
    f->open[d] = perp_alloc_zero(n, sizeof(double));
    f->u[d] = perp_alloc_zero(n, sizeof(double));
    f->old[d] = perp_alloc_zero(n, sizeof(double));
    f->weight[d] = perp_alloc_zero(n, sizeof(double));
    fine = fine && f->open[d] && f->u[d] && f->old[d] && f->weight[d];
  }
  f->held = perp_alloc_zero(n, sizeof *f->held);
  f->unknown = perp_alloc_zero(n, sizeof *f->unknown);
  f->known = perp_alloc_zero(3 * n, sizeof *f->known);
  f->cell = perp_alloc(n, sizeof *f->cell);
  f->wx = perp_alloc_zero(n, sizeof(double));
  f->wy = perp_alloc_zero(n, sizeof(double));
  f->wz = perp_alloc_zero(n, sizeof(double));
  f->diagonal = perp_alloc_zero(n, sizeof(double));
  f->b = perp_alloc(n, sizeof(double));
  f->lo = perp_alloc(n, sizeof(double));
  f->hi = perp_alloc(n, sizeof(double));
  f->p = perp_alloc(n, sizeof(double));
  f->pressure = perp_alloc_zero(n, sizeof(double));
  return fine && f->held && f->unknown && f->known && f->cell && f->wx && f->wy && f->wz &&
         f->diagonal && f->b && f->lo && f->hi && f->p && f->pressure;
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
  const double c = perp_cos(f->scene.tilt), s = perp_sin(f->scene.tilt), thin = 1.5 * f->dx;
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
  open_faces(f);
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
