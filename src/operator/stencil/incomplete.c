/* incomplete.c: an incomplete factor of a stencil matrix, (E + L) E^-1 (E + L^T), for
 * preconditioning
 *
 * The fill-in entry of (E + L) E^-1 (E + L^T), missing in A, between two later neighbours c and g
 * of a cell e is w_ec w_eg / E_e. A fraction TAU of the sum of these entries in a row is subtracted
 * from the diagonal:
 *
 *   E_c = A_cc + d_c - sum over earlier neighbours e of w_ec (w_ec + TAU sum_(g != c) w_eg) / E_e
 *
 * with g over the later neighbours of e in F. TAU = 1 may lead to zero. If E_c falls below a
 * quarter of the diagonal it is replaced by the diagonal, so E > 0 for all weights. Factor and
 * solve: two passes over the cells. Memory: two numbers per cell. */
#include "base/kernel.h"
#include "operator/stencil/stencil.h"

#include <string.h>

static const double TAU = 0.997, LEAST = 0.25;

bool perp_stencil_incomplete_create(const perp_operator *A, perp_arena *arena,
                                    perp_stencil_incomplete *f)
{
  const perp_stencil *s = (const perp_stencil *)A;
  const size_t cells = (size_t)s->cells, plane = (size_t)s->data.nx * (size_t)s->data.ny;
  f->s = s;
  f->inverse = perp_arena_alloc(arena, cells, sizeof(double));
  f->t = perp_arena_alloc_zero(arena, cells + 2 * plane, sizeof(double));
  if (f->t)
    f->t += plane;
  return f->inverse && f->t;
}

static bool is_in(const perp_stencil *s, const bool *in, int c)
{
  const int u = perp_stencil_unknown(s, c);
  return u >= 0 && in[u];
}

/* Returns E_c^-1; t holds for each cell before c the sum of the weights to its later neighbours in
 * F. */
static double pivot(const perp_stencil_incomplete *f, int c, const int at[3], double diagonal)
{
  const perp_stencil *s = f->s;
  const int step[3] = {1, s->data.nx, s->data.nx * s->data.ny};
  const double *w[3] = {s->wx, s->wy, s->wz};
  double E = diagonal;
  for (int axis = 0; axis < 3; axis++) {
    const int e = c - step[axis];
    if (at[axis] == 0 || f->inverse[e] == 0)
      continue;
    const double weight = perp_stencil_weight(s, w[axis], e);
    E -= weight * (weight + TAU * (f->t[e] - weight)) * f->inverse[e];
  }
  if (!(E >= LEAST * diagonal))
    E = diagonal;
  return E > 0 ? 1 / E : 1;
}

void perp_stencil_incomplete_factor(perp_stencil_incomplete *f, const bool *in, const double *d)
{
  const perp_stencil *s = f->s;
  const int nx = s->data.nx, ny = s->data.ny, nz = s->data.nz, plane = nx * ny;
  for (int c = 0; c < s->cells; c++) {
    f->inverse[c] = f->t[c] = 0;
    const int at[3] = {c % nx, c / nx % ny, c / plane};
    if (!is_in(s, in, c))
      continue;
    if (at[0] < nx - 1 && is_in(s, in, c + 1))
      f->t[c] += perp_stencil_weight(s, s->wx, c);
    if (at[1] < ny - 1 && is_in(s, in, c + nx))
      f->t[c] += perp_stencil_weight(s, s->wy, c);
    if (at[2] < nz - 1 && is_in(s, in, c + plane))
      f->t[c] += perp_stencil_weight(s, s->wz, c);
    const double shift = d ? d[perp_stencil_unknown(s, c)] : 0;
    f->inverse[c] = pivot(f, c, at, perp_stencil_diagonal(s, c) + shift);
  }
  memset(f->t, 0, (size_t)s->cells * sizeof *f->t);
}

/* One grid row of the two triangular solves, from cell c on:
 *
 *   t_c <- (r_c + w t_before + ...) / E_c,   z_c = t_c + (w z_behind + ...) / E_c
 *
 * Cells outside F have 1 / E_c = 0. The dependency chain is one multiplication and one addition per
 * cell. */
KERNEL void row_forward(const perp_stencil_incomplete *f, int64_t c, bool weighted, bool solid)
{
  const perp_stencil *s = f->s;
  const int64_t nx = s->data.nx, plane = nx * s->data.ny, end = c + nx;
  const double *inverse = f->inverse, w = s->weight;
  const bool up = c >= nx && c % plane >= nx, front = solid && c >= plane;
  double *t = f->t, left = 0;
  for (const int64_t first = c; c < end; c++) {
    double sum = t[c];
    if (up)
      sum += (weighted ? s->wy[c - nx] : w) * t[c - nx];
    if (front)
      sum += (weighted ? s->wz[c - plane] : w) * t[c - plane];
    const double beside = c > first ? (weighted ? s->wx[c - 1] : w) : 0;
    left = inverse[c] * sum + inverse[c] * beside * left;
    t[c] = left;
  }
}

KERNEL void row_backward(const perp_stencil_incomplete *f, int64_t c, bool weighted, bool solid)
{
  const perp_stencil *s = f->s;
  const int64_t nx = s->data.nx, plane = nx * s->data.ny, last = c + nx - 1;
  const double *inverse = f->inverse, w = s->weight;
  const bool down = c % plane + nx < plane, back = solid && c + plane < s->cells;
  double *t = f->t, right = 0;
  for (int64_t e = last; e >= c; e--) {
    double sum = 0;
    if (down)
      sum += (weighted ? s->wy[e] : w) * t[e + nx];
    if (back)
      sum += (weighted ? s->wz[e] : w) * t[e + plane];
    const double beside = e < last ? (weighted ? s->wx[e] : w) : 0;
    right = t[e] + inverse[e] * sum + inverse[e] * beside * right;
    t[e] = right;
  }
}

void perp_stencil_incomplete_solve(perp_stencil_incomplete *f, const double *r, double *z)
{
  const perp_stencil *s = f->s;
  const int n = s->base.n;
  const int64_t nx = s->data.nx, rows = s->cells / nx;
  const bool weighted = s->mode == PERP_STENCIL_WEIGHTED;
  for (int u = 0; u < n; u++)
    f->t[perp_stencil_cell(s, u)] = r[u];
  for (int64_t row = 0; row < rows; row++) {
    if (weighted)
      row_forward(f, row * nx, true, s->solid);
    else
      row_forward(f, row * nx, false, s->solid);
  }
  for (int64_t row = rows - 1; row >= 0; row--) {
    if (weighted)
      row_backward(f, row * nx, true, s->solid);
    else
      row_backward(f, row * nx, false, s->solid);
  }
  for (int u = 0; u < n; u++)
    z[u] = f->t[perp_stencil_cell(s, u)];
}
