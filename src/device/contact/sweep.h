/* sweep.h: the kernel of contact sweeps: one lane relaxes the rows of one group in order
 *
 *   d_t = P_t(x_t - omega y_t / A_tt) - x_t,   y_l += (G_l . G_t) d_t for the rows to come,
 *   u  += G_t^T d_t
 *
 * Bytes of a group of three rows in space with bounds: 432 for its numbers, 16 for its place, 24
 * read and written for x, 96 read and written for the velocities of two bodies. */
#pragma once

#include "device/contact/contacts.h"

/* Infinity times a normal of 0 is NaN, which no comparison heeds: the bound stays infinite. */
TEAM double perp_contacts_project(const perp_contacts *c, int row, double t, double lower,
                                  double upper)
{
  if (c->findex && c->findex[row] >= 0) {
    const double normal = fabs(c->x[c->findex[row]]);
    lower *= normal;
    upper *= normal;
  }
  const double above = t < lower ? lower : t;
  return above > upper ? upper : above;
}

/* `width` is known where this is compiled. */
TEAM void perp_contacts_relax(const perp_contacts *c, int64_t g, int width)
{
  const int64_t pitch = c->pitch;
  const int each = 2 * width + PERP_CONTACTS_EXTRA;
  const int row = c->place[g], count = c->place[pitch + g];
  double *const ua = c->u + (int64_t)c->place[2 * pitch + g] * c->apart;
  double *const ub = c->u + (int64_t)c->place[3 * pitch + g] * c->apart;
  const double *numbers = c->numbers + g;
  double u[12], y[PERP_CONTACTS_ROWS], d[PERP_CONTACTS_ROWS];
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    u[k] = ua[k];
    u[width + k] = ub[k];
  }
  TEAM_ALL
  for (int t = 0; t < PERP_CONTACTS_ROWS; t++) {
    const double *own = numbers + (int64_t)t * each * pitch;
    const double *extra = own + 2 * width * pitch;
    y[t] = d[t] = 0;
    if (t >= count)
      continue;
    double sum = 0;
    TEAM_ALL
    for (int k = 0; k < 2 * width; k++)
      sum += own[k * pitch] * u[k];
    y[t] =
        sum + (extra[PERP_CONTACTS_OWN * pitch] * c->x[row + t] + extra[PERP_CONTACTS_RHS * pitch]);
  }
  TEAM_ALL
  for (int t = 0; t < PERP_CONTACTS_ROWS; t++) {
    const double *extra = numbers + ((int64_t)t * each + 2 * width) * pitch;
    if (t >= count)
      continue;
    const double old = c->x[row + t];
    const double z = perp_contacts_project(
        c, row + t, old - c->omega * extra[PERP_CONTACTS_INVERSE * pitch] * y[t],
        extra[PERP_CONTACTS_LOWER * pitch], extra[PERP_CONTACTS_UPPER * pitch]);
    d[t] = z - old;
    c->x[row + t] = z;
    TEAM_ALL
    for (int l = t + 1; l < PERP_CONTACTS_ROWS; l++) {
      const int between = l == t + 1 ? t : l; /* the third row's coupling is with the first */
      if (l < count)
        y[l] +=
            numbers[((int64_t)between * each + 2 * width + PERP_CONTACTS_COUPLING) * pitch] * d[t];
    }
  }
  TEAM_ALL
  for (int t = 0; t < PERP_CONTACTS_ROWS; t++) {
    const double *own = numbers + (int64_t)t * each * pitch;
    TEAM_ALL
    for (int k = 0; k < 2 * width && t < count; k++)
      u[k] += own[k * pitch] * d[t];
  }
  /* the first body last: the second may be the same, with nothing added */
  TEAM_ALL
  for (int k = 0; k < width; k++)
    ub[k] = u[width + k];
  TEAM_ALL
  for (int k = 0; k < width; k++)
    ua[k] = u[k];
}
