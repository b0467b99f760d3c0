/* fluid/grid.c: the container, open fractions of faces, and velocities outside the liquid
 *
 * The container is a tilted box: room(x) is the distance to its nearest wall, below 0 outside. The
 * open fraction of a face follows from room at its corners by linear interpolation. */
#include "base/elementary.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

static double built_room(const perp_fluid *f, const double x[3])
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

double perp_fluid_room(const perp_fluid *f, const double x[3])
{
  const double c = f->turn[0], s = f->turn[1], *width = f->width;
  const double dx = x[0] - width[0] / 2, dy = x[f->up] - width[f->up] / 2;
  const double u = c * dx + s * dy, v = -s * dx + c * dy;
  double room = perp_min(width[0] / 2 - fabs(u), width[f->up] / 2 - fabs(v));
  if (f->dim == 3)
    room = perp_min(room, perp_min(x[1], width[1] - x[1]));
  return f->wall ? perp_min(room, built_room(f, x)) : room;
}

/* Returns the fraction of a segment on which the linear function with these end values is
 * positive. */
static double share(double a, double b)
{
  if (a >= 0 && b >= 0)
    return 1;
  if (a < 0 && b < 0)
    return 0;
  return a >= 0 ? a / (a - b) : b / (b - a);
}

/* Returns the open fraction of face d at the lower end of cell (i, j, k). */
static double open_share(const perp_fluid *f, int d, const int at[3])
{
  enum { LINES = 8 };
  const int a = (d + 1) % f->dim, b = f->dim == 3 ? (d + 2) % 3 : a;
  double corner[3], middle[3];
  for (int m = 0; m < 3; m++)
    corner[m] = f->origin[m] + (m < f->dim ? at[m] * f->dx : 0);
  memcpy(middle, corner, sizeof middle);
  for (int m = 0; m < f->dim; m++)
    middle[m] += m == d ? 0 : f->dx / 2;
  const double room = perp_fluid_room(f, middle);
  if (room > f->dx) /* so are all points of the face */
    return 1;
  double sum = 0;
  const int lines = f->dim == 3 ? LINES : 1;
  for (int line = 0; line < lines; line++) {
    double from[3], to[3];
    memcpy(from, corner, sizeof from);
    if (f->dim == 3)
      from[b] += (line + 0.5) / lines * f->dx;
    memcpy(to, from, sizeof to);
    to[a] += f->dx;
    /* rounding errors of a wall on a grid line do not open it */
    const double least = 1e-9 * f->dx, r0 = perp_fluid_room(f, from), r1 = perp_fluid_room(f, to);
    sum += share(fabs(r0) < least ? 0 : r0, fabs(r1) < least ? 0 : r1);
  }
  /* A face within a wall has corners at 0; it is closed. */
  if (fabs(room) < 1e-9 * f->dx)
    sum = 0;
  return sum / lines < 1e-3 ? 0 : sum / lines;
}

void perp_fluid_open_faces(perp_fluid *f)
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

/* Sets a face without a value to the mean of the neighbours known before this layer, if there are
 * any; does not mark it as known. */
static bool extend_to(const perp_fluid *f, int d, int64_t at, int layer)
{
  const unsigned char *known = f->known + d * f->size;
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
  if (count == 0)
    return false;
  f->u[d][at] = sum / count;
  return true;
}

/* Beyond the first layer only neighbours of the last layer can get a value. Closed faces keep the
 * value of the wall. */
void perp_fluid_extend(perp_fluid *f, int layers)
{
  for (int d = 0; d < f->dim; d++) {
    unsigned char *known = f->known + d * f->size;
    int begin = 0, end = 0;
    for (int64_t at = 0; at < f->size; at++)
      if (!known[at] && extend_to(f, d, at, 1))
        f->reached[end++] = (int)at;
    for (int k = 0; k < end; k++)
      known[f->reached[k]] = 2;
    for (int layer = 2; layer <= layers; layer++) {
      const int last = end;
      for (; begin < last; begin++)
        for (int m = 0; m < f->dim; m++)
          for (int side = -1; side <= 1; side += 2) {
            const int64_t to = f->reached[begin] + side * f->step[m];
            if (to >= 0 && to < f->size && !known[to] && extend_to(f, d, to, layer)) {
              known[to] = (unsigned char)(layer + 1);
              f->reached[end++] = (int)to;
            }
          }
    }
  }
}

/* Returns true if a cell is inside a wall: all its faces are closed. */
static bool is_wall(const perp_fluid *f, int64_t at)
{
  for (int d = 0; d < f->dim; d++)
    if (f->open[d][at] > 0 || (at + f->step[d] < f->size && f->open[d][at + f->step[d]] > 0))
      return false;
  return true;
}

/* A face between two wall cells keeps its extended velocity: liquid slips along the wall. */
static void close_faces(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  for (int d = 0; d < f->dim; d++)
    for (int64_t at = begin; at < end; at++)
      if (f->open[d][at] == 0 &&
          !(is_wall(f, at) && (at < f->step[d] || is_wall(f, at - f->step[d]))))
        f->u[d][at] = 0;
}

void perp_fluid_close_faces(perp_fluid *f)
{
  perp_fluid_over_cells(f, close_faces);
}
