/* finest_residual.c: residuals on grid 0, and their restriction
 *
 * With t_c = (sum over the neighbours d of c of w_cd x_d - b_c) / A_cc, which is the result of a
 * relaxation before the projection, y_c = A_cc (x_c - t_c). Cost: one pass over the cells. */
#include "base/kernel.h"
#include "method/multilevel/grid/finest.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "verdict/natural.h"

/* ---- Rows ---- */

/* The quantity computed for a row. */
typedef enum ask {
  ASK_NATURAL,       /* |x - P(x - y)|, NaN if y is NaN */
  ASK_NATURAL_BOXED, /* the same with bounds of each cell */
  ASK_RESIDUAL,      /* -y in the units of the hierarchy */
} ask;

/* The destination: floats for ASK_RESIDUAL, else doubles. */
typedef struct answer {
  double *exact;
  float *rough;
} answer;

KERNEL void row_kernel(const perp_finest *f, perp_around r, ask what, answer to,
                       perp_stencil_mode mode, bool solid)
{
  const perp_lattice *g = f->g;
  const double *v = g->x;
  const bool weighted = mode == PERP_STENCIL_WEIGHTED, even = mode == PERP_STENCIL_UNIFORM;
  const double *x = v + r.c, *x_side = v + r.side, *x_up = v + r.up, *x_down = v + r.down;
  const double *x_front = v + (solid ? r.front : 0), *x_back = v + (solid ? r.back : 0);
  const double *wx = weighted ? g->wx + r.c : NULL, *wx_side = weighted ? g->wx + r.side : NULL;
  const double *wy = weighted ? g->wy + r.c : NULL, *wy_up = weighted ? g->wy + r.up : NULL;
  const double *wz = weighted && solid ? g->wz + r.c : NULL;
  const double *wz_front = weighted && solid ? g->wz + r.front : NULL;
  const double *gains = even ? NULL : g->gains + r.c, *offset = g->offset + r.c;
  const bool boxed = what == ASK_NATURAL_BOXED;
  const double *lo = boxed ? g->lo + r.c : NULL, *hi = boxed ? g->hi + r.c : NULL;
  const float *diagonal = even ? NULL : f->diagonal + r.c;
  double *restrict exact = to.exact;
  float *restrict rough = to.rough;
  const double gain = g->gain, scale = g->scale, least = g->unbounded ? -INFINITY : 0;
  const double unit = (what == ASK_RESIDUAL ? -1 / f->size : f->grids.unit) / scale;
  for (int m = 0; m < r.count; m++) {
    double sum;
    if (weighted) {
      sum = (wx_side[m - 1] * x_side[m - 1] + wx[m] * x_side[m]) +
            (wy_up[m] * x_up[m] + wy[m] * x_down[m]);
      if (solid)
        sum += wz_front[m] * x_front[m] + wz[m] * x_back[m];
    } else {
      sum = (x_side[m - 1] + x_side[m]) + (x_up[m] + x_down[m]);
      if (solid)
        sum += x_front[m] + x_back[m];
    }
    const double t = (even ? gain : gains[m]) * sum + offset[m];
    const double y = unit * (double)(even ? f->common : diagonal[m]) * (scale * x[m] - t);
    if (what == ASK_RESIDUAL)
      rough[m] = (float)y;
    else if (boxed)
      exact[m] = perp_natural_mid(y, x[m] - lo[m], x[m] - hi[m]);
    else
      exact[m] = perp_natural_mid(y, x[m] - least, -INFINITY);
  }
}

KERNEL void row_by_dimension(const perp_finest *f, perp_around r, ask what, answer to,
                             perp_stencil_mode mode)
{
  if (f->g->nz > 1)
    row_kernel(f, r, what, to, mode, true);
  else
    row_kernel(f, r, what, to, mode, false);
}

KERNEL void row_by_mode(const perp_finest *f, perp_around r, ask what, answer to)
{
  if (f->g->mode == PERP_STENCIL_UNIFORM)
    row_by_dimension(f, r, what, to, PERP_STENCIL_UNIFORM);
  else if (f->g->mode == PERP_STENCIL_DIAGONAL)
    row_by_dimension(f, r, what, to, PERP_STENCIL_DIAGONAL);
  else
    row_by_dimension(f, r, what, to, PERP_STENCIL_WEIGHTED);
}

/* Returns the largest |v_m|, infinity if one is NaN. Floats that are not negative compare like their
 * bits, with NaN above infinity, and integer maxima vectorise with every compiler. */
static double greatest_float(int64_t n, const float *v)
{
  int32_t most = 0;
  for (int64_t m = 0; m < n; m++) {
    int32_t bits;
    memcpy(&bits, &v[m], sizeof bits);
    bits &= INT32_MAX;
    most = bits > most ? bits : most;
  }
  float greatest;
  memcpy(&greatest, &most, sizeof greatest);
  return isfinite(greatest) ? (double)greatest : INFINITY;
}

double perp_finest_residual(perp_finest *f)
{
  const perp_lattice *g = f->g;
  double most = 0;
  for (int k = f->own[2][0]; k < f->own[2][1]; k++)
    for (int j = f->own[1][0]; j < f->own[1][1]; j++)
      for (int colour = 0; colour < 2; colour++) {
        const int h = (j + k + colour) & 1; /* the own cells are i = 2m + h, begin <= m < end */
        const int begin = (f->own[0][0] + 1 - h) / 2, end = (f->own[0][1] + 1 - h) / 2;
        const perp_around r = perp_lattice_around(g, j, k, colour);
        if (g->lo)
          row_by_mode(f, r, ASK_NATURAL_BOXED, (answer){.exact = f->buffer});
        else
          row_by_mode(f, r, ASK_NATURAL, (answer){.exact = f->buffer});
        most = perp_max(most, perp_norm_inf(end - begin, f->buffer + begin));
      }
  return most;
}

/* ---- Restriction ---- */

/* Returns the largest restricted residual of the own cells; infinity if one is NaN. */
static double greatest_restricted(const perp_finest *f)
{
  const perp_grid *fine = &f->grids.grid[0], *coarse = fine + 1;
  int begin[3], end[3];
  for (int axis = 0; axis < 3; axis++) {
    begin[axis] = f->own[axis][0] >> fine->halve[axis];
    end[axis] = (f->own[axis][1] + fine->halve[axis]) >> fine->halve[axis];
  }
  double most = 0;
  for (int k = begin[2]; k < end[2]; k++)
    for (int j = begin[1]; j < end[1]; j++)
      most = perp_max(most, greatest_float(end[0] - begin[0],
                                           coarse->flat + begin[0] +
                                               ((int64_t)k * coarse->n[1] + j) * coarse->n[0]));
  return most;
}

static void restrict_red(perp_finest *f)
{
  const perp_lattice *g = f->g;
  const perp_grid *fine = &f->grids.grid[0], *coarse = fine + 1;
  memset(coarse->flat, 0, (size_t)coarse->cells * sizeof *coarse->flat);
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++) {
      row_by_mode(f, perp_lattice_around(g, j, k, 0), ASK_RESIDUAL,
                  (answer){.rough = f->grids.buffer});
      perp_grid_restrict_row(fine, coarse, j, k, 0, f->grids.buffer);
    }
}

double perp_finest_restrict(perp_finest *f)
{
  const perp_run *run = f->place.run;
  const perp_grid *fine = &f->grids.grid[0], *coarse = fine + 1;
  if (f->grids.count == 1)
    return f->place.residual(&f->place);
  restrict_red(f);
  double most = greatest_restricted(f);
  perp_run_most(run, 1, &most);
  const double estimate = perp_residual_estimate(fine, f->grids.unit, f->size, most);
  if (most == INFINITY) /* outside the range of floats: no correction, only sweeps */
    memset(coarse->flat, 0, (size_t)coarse->cells * sizeof *coarse->flat);
  f->residual =
      estimate > 4 * run->target && most < INFINITY ? estimate : f->place.residual(&f->place);
  return f->residual;
}
