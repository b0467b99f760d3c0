/* rows_kernel.h: sweeps over packed contact rows on a device: one lane relaxes one group
 *
 *   A = G G^T + C,   u = G^T x       (rows.c)
 *
 * A group has up to three rows that touch the same one or two bodies. No two groups of a colour
 * share a body, so all of them are relaxed at once. Numbers of a group are `pitch` apart, so that
 * adjacent threads read adjacent memory. Bytes per group of three rows in space with bounds: 432
 * for its numbers, 16 for its indices, 24 read and written for x, 96 read and written for the
 * velocities of two bodies. For C and C++. */
#pragma once

#include "device/device.h"
#include "device/team.h"
#include "operator/contact/row_update.h"

#include <math.h>

typedef struct perp_contacts {
  int groups, colours;
  int width;             /* velocities of a body: 6 or 4 */
  int apart;             /* stride of the bodies in u */
  int64_t pitch;         /* at least `groups` */
  const int *start;      /* colours + 1, in host memory: groups are sorted by colour */
  const double *numbers; /* number k of row t of group g: [(t (2 width + EXTRA) + k) pitch + g] */
  const int *place;      /* first row, count of rows, both bodies: [q pitch + g] */
  const int *findex;     /* by row; NULL: every row has fixed bounds */
  double *x;             /* by row */
  double *u;
  double omega;
} perp_contacts;

extern const perp_kernel perp_kernel_contacts; /* one sweep of perp_contacts, colour by colour */

/* A group in the layout of row_update.h. */
typedef struct perp_contacts_rows {
  const perp_contacts *c;
  const double *numbers, *extra; /* of the first row: G, and the fields after it */
  int64_t each;                  /* stride of the rows */
  int row, count;
  double *a, *b; /* velocities */
} perp_contacts_rows;

TEAM double perp_contacts_rows_step(const perp_contacts_rows *l, int t)
{
  return l->c->omega * l->extra[t * l->each + PERP_CONTACT_INVERSE * l->c->pitch];
}

TEAM double perp_contacts_rows_coupling(const perp_contacts_rows *l, int t)
{
  return l->extra[t * l->each + PERP_CONTACT_COUPLING * l->c->pitch];
}

TEAM bool perp_contacts_rows_bounds(const perp_contacts_rows *l, int t, const double *x,
                                    double *lower, double *upper)
{
  const perp_contacts *c = l->c;
  const double *own = l->extra + t * l->each;
  const int j = c->findex ? c->findex[l->row + t] : -1;
  double normal = j >= 0 ? fabs(c->x[j]) : 1;
  TEAM_ALL
  for (int s = 0; s < t; s++) /* new, but not stored yet */
    normal = j == l->row + s ? fabs(x[s]) : normal;
  *lower = own[PERP_CONTACT_LOWER * c->pitch] * normal;
  *upper = own[PERP_CONTACT_UPPER * c->pitch] * normal;
  return true;
}

PERP_ROW_UPDATE(TEAM, double, perp_contacts_rows, PERP_ROW_NOT_BELOW, PERP_ROW_NOT_ABOVE)

TEAM bool perp_contacts_rows_absent(const perp_contacts_rows *l, int t)
{
  return t >= l->count;
}

TEAM int perp_contacts_rows_count(const perp_contacts_rows *l)
{
  return l->count;
}

TEAM double perp_contacts_rows_G(const perp_contacts_rows *l, int t, int k)
{
  return l->numbers[t * l->each + k * l->c->pitch];
}

TEAM double perp_contacts_rows_x(const perp_contacts_rows *l, int t)
{
  return l->c->x[l->row + t];
}

TEAM double perp_contacts_rows_rest(const perp_contacts_rows *l, int t, double x)
{
  const double *own = l->extra + t * l->each;
  return own[PERP_CONTACT_OWN * l->c->pitch] * x + own[PERP_CONTACT_RHS * l->c->pitch];
}

TEAM void perp_contacts_rows_load(const perp_contacts_rows *l, int width, double *u)
{
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    u[k] = l->a[k];
    u[width + k] = l->b[k];
  }
}

/* Saves the first body last: the second may be the same, with nothing added. */
TEAM void perp_contacts_rows_save(const perp_contacts_rows *l, int width, const double *u)
{
  TEAM_ALL
  for (int k = 0; k < width; k++)
    l->b[k] = u[width + k];
  TEAM_ALL
  for (int k = 0; k < width; k++)
    l->a[k] = u[k];
}

TEAM void perp_contacts_rows_solve(const perp_contacts_rows *l, const double *y, double *x,
                                   double *d)
{
  TEAM_ALL
  for (int t = 0; t < PERP_CONTACT_ROWS; t++)
    if (t < l->count)
      perp_contacts_rows_update(l, t, PERP_CONTACT_ROWS, false, y[t], x, d);
}

TEAM void perp_contacts_rows_store(const perp_contacts_rows *l, int t, double x, double d)
{
  (void)d;
  l->c->x[l->row + t] = x;
}

PERP_GROUP_UPDATE(double, perp_contacts_rows)

/* Relaxes group g; `width` is a compile-time constant. */
TEAM void perp_contacts_relax(const perp_contacts *c, int64_t g, int width)
{
  const int64_t pitch = c->pitch;
  const double *numbers = c->numbers + g;
  const perp_contacts_rows rows = {c,
                                   numbers,
                                   numbers + 2 * width * pitch,
                                   (2 * width + PERP_CONTACT_EXTRA) * pitch,
                                   c->place[g],
                                   c->place[pitch + g],
                                   c->u + (int64_t)c->place[2 * pitch + g] * c->apart,
                                   c->u + (int64_t)c->place[3 * pitch + g] * c->apart};
  perp_contacts_rows_relax(&rows, width);
}
