/* finest.c: residuals, corrections and free cells on grid 0 */
#include "method/multilevel/finest.h"

#include "linalg/vector.h"
#include "operator/relax.h"

#include <float.h>
#include <string.h>

enum { BLOCK = 32 };

/* ---- Relaxed values ---- */

/* t_m <- gain sum w v + offset (NULL: 0) along a row, over the scale. */
__attribute__((always_inline)) static inline void
value_kernel(const perp_lattice *g, const double *v, const double *offset, int j, int k, int colour,
             double *restrict t, perp_stencil_mode mode, bool solid)
{
  const int h = (j + k + colour) & 1, count = perp_lattice_length(g, h);
  const int64_t c = perp_lattice_row(g, j, k, colour);
  const int64_t other = colour ? c - g->colour : c + g->colour, side = other + h;
  const int64_t up = other - g->row, down = other + g->row;
  const int64_t front = other - g->plane, back = other + g->plane;
  const bool weighted = mode == PERP_STENCIL_WEIGHTED;
  const double *wx = weighted ? g->wx + c : NULL, *wx_side = weighted ? g->wx + side : NULL;
  const double *wy = weighted ? g->wy + c : NULL, *wy_up = weighted ? g->wy + up : NULL;
  const double *wz = weighted && solid ? g->wz + c : NULL;
  const double *wz_front = weighted && solid ? g->wz + front : NULL;
  const double *gains = mode == PERP_STENCIL_UNIFORM ? NULL : g->gains + c;
  const double inverse = 1 / g->scale;
  for (int m = 0; m < count; m++) {
    double sum;
    if (weighted) {
      sum = (wx_side[m - 1] * v[side + m - 1] + wx[m] * v[side + m]) +
            (wy_up[m] * v[up + m] + wy[m] * v[down + m]);
      if (solid)
        sum += wz_front[m] * v[front + m] + wz[m] * v[back + m];
    } else {
      sum = (v[side + m - 1] + v[side + m]) + (v[up + m] + v[down + m]);
      if (solid)
        sum += v[front + m] + v[back + m];
    }
    t[m] = inverse * ((gains ? gains[m] : g->gain) * sum + (offset ? offset[c + m] : 0));
  }
}

__attribute__((always_inline)) static inline void
value_by_dimension(const perp_lattice *g, const double *v, const double *offset, int j, int k,
                   int colour, double *t, perp_stencil_mode mode)
{
  if (g->nz > 1)
    value_kernel(g, v, offset, j, k, colour, t, mode, true);
  else
    value_kernel(g, v, offset, j, k, colour, t, mode, false);
}

/* The values that a relaxation of the row's cells would give before any projection. */
static void value_row(const perp_lattice *g, const double *v, const double *offset, int j, int k,
                      int colour, double *t)
{
  if (g->mode == PERP_STENCIL_UNIFORM)
    value_by_dimension(g, v, offset, j, k, colour, t, PERP_STENCIL_UNIFORM);
  else if (g->mode == PERP_STENCIL_DIAGONAL)
    value_by_dimension(g, v, offset, j, k, colour, t, PERP_STENCIL_DIAGONAL);
  else
    value_by_dimension(g, v, offset, j, k, colour, t, PERP_STENCIL_WEIGHTED);
}

/* ---- Which cells are free ---- */

static inline uint8_t is_free(const perp_lattice *g, int64_t c)
{
  return g->lo ? (g->x[c] > g->lo[c]) & (g->x[c] < g->hi[c]) : g->x[c] > 0;
}

/* The cells of a block whose freedom is not what their state says. */
static bool block_differs(const perp_lattice *g, const uint8_t *state, int64_t c, int count)
{
  uint8_t different = 0;
  if (g->lo)
    for (int m = 0; m < count; m++)
      different |=
          (uint8_t)(((g->x[c + m] > g->lo[c + m]) & (g->x[c + m] < g->hi[c + m])) ^ state[c + m]);
  else
    for (int m = 0; m < count; m++)
      different |= (uint8_t)((g->x[c + m] > 0) ^ state[c + m]);
  return different & PERP_CELL_FREE;
}

int64_t perp_finest_mark(perp_finest *f)
{
  perp_grids *grids = &f->grids;
  const perp_grid *grid = &grids->grid[0];
  const perp_lattice *g = f->g;
  int64_t count = 0;
  if (g->unbounded || grids->count == 1)
    return 0;
  for (int row = 0; row < g->ny * g->nz; row++)
    for (int colour = 0; colour < 2; colour++) {
      const int j = row % g->ny, k = row / g->ny, h = (j + k + colour) & 1;
      const int64_t c = perp_lattice_row(g, j, k, colour);
      const int length = perp_lattice_length(g, h);
      for (int m = 0; m < length; m += BLOCK) {
        const int end = m + BLOCK < length ? m + BLOCK : length;
        if (!block_differs(g, grid->state, c + m, end - m))
          continue;
        for (int q = m; q < end; q++) {
          uint8_t *state = grid->state + c + q;
          const uint8_t now = (*state & PERP_CELL_UNKNOWN) && is_free(g, c + q);
          if (now == (*state & PERP_CELL_FREE))
            continue;
          *state ^= PERP_CELL_FREE;
          if (count < grids->room)
            grids->changed[0][count] = row * g->nx + 2 * q + h;
          count++;
        }
      }
    }
  perp_grids_follow(grids, 0, count < grids->room ? count : -1);
  return count;
}

/* ---- Residuals ---- */

/* |x - P(x - y)| with y = d (x - t) into r, along a row. */
__attribute__((always_inline)) static inline void natural_kernel(const perp_finest *f, int64_t c,
                                                                 int count, const double *t,
                                                                 double *restrict r, bool common,
                                                                 bool box)
{
  const perp_lattice *g = f->g;
  const double unit = f->grids.unit, *x = g->x + c;
  const float *d = common ? NULL : f->diagonal + c;
  const double *lo = box ? g->lo + c : NULL, *hi = box ? g->hi + c : NULL;
  const double floor = g->unbounded ? -INFINITY : 0;
  for (int m = 0; m < count; m++) {
    const double y = unit * (double)(common ? f->common : d[m]) * (x[m] - t[m]);
    double z = x[m] - y;
    if (box) {
      z = z > lo[m] ? z : lo[m];
      z = z < hi[m] ? z : hi[m];
    } else {
      z = z > floor ? z : floor;
    }
    r[m] = fabs(x[m] - z) + (y - y); /* NaN stays */
  }
}

/* The greatest of them; infinity where one is no number. */
static double natural_row(const perp_finest *f, int64_t c, int count, const double *t)
{
  double *r = f->buffer + f->g->row, most[PERP_LANES] = {0}, sum[PERP_LANES] = {0};
  if (f->diagonal && f->g->lo)
    natural_kernel(f, c, count, t, r, false, true);
  else if (f->diagonal)
    natural_kernel(f, c, count, t, r, false, false);
  else if (f->g->lo)
    natural_kernel(f, c, count, t, r, true, true);
  else
    natural_kernel(f, c, count, t, r, true, false);
  int m = 0;
  for (; m + PERP_LANES <= count; m += PERP_LANES)
    for (int q = 0; q < PERP_LANES; q++) {
      most[q] = r[m + q] > most[q] ? r[m + q] : most[q];
      sum[q] += r[m + q];
    }
  for (int q = 0; m + q < count; q++) {
    most[q] = r[m + q] > most[q] ? r[m + q] : most[q];
    sum[q] += r[m + q];
  }
  for (int q = 1; q < PERP_LANES; q++)
    most[0] = fmax(most[0], most[q]);
  return isfinite(perp_lanes_sum(sum)) ? most[0] : INFINITY;
}

double perp_finest_residual(perp_finest *f)
{
  const perp_lattice *g = f->g;
  double most = 0;
  for (int row = 0; row < g->ny * g->nz; row++)
    for (int colour = 0; colour < 2; colour++) {
      const int j = row % g->ny, k = row / g->ny;
      value_row(g, g->x, g->offset, j, k, colour, f->buffer);
      most = fmax(most, natural_row(f, perp_lattice_row(g, j, k, colour),
                                    perp_lattice_length(g, (j + k + colour) & 1), f->buffer));
    }
  return most;
}

/* r <- d (t - x) over the hierarchy's units along a row whose t is in the buffer. */
static void residual_row(const perp_finest *f, int64_t c, int count, float *restrict r)
{
  const double per_size = 1 / f->size, *x = f->g->x + c, *t = f->buffer;
  const float *d = f->diagonal ? f->diagonal + c : NULL, common = f->common;
  if (d)
    for (int m = 0; m < count; m++)
      r[m] = d[m] * perp_to_float(per_size * (t[m] - x[m]));
  else
    for (int m = 0; m < count; m++)
      r[m] = common * perp_to_float(per_size * (t[m] - x[m]));
}

static float greatest(int64_t n, const float *v)
{
  float most[PERP_LANES] = {0};
  int64_t i = 0;
  for (; i + PERP_LANES <= n; i += PERP_LANES)
    for (int q = 0; q < PERP_LANES; q++)
      most[q] = fabsf(v[i + q]) > most[q] ? fabsf(v[i + q]) : most[q];
  for (int q = 0; i + q < n; q++)
    most[q] = fabsf(v[i + q]) > most[q] ? fabsf(v[i + q]) : most[q];
  for (int q = 1; q < PERP_LANES; q++)
    most[0] = most[q] > most[0] ? most[q] : most[0];
  return most[0];
}

double perp_finest_restrict(perp_finest *f)
{
  const perp_lattice *g = f->g;
  const perp_grid *fine = &f->grids.grid[0], *coarse = fine + 1;
  if (f->grids.count == 1)
    return perp_finest_residual(f);
  float *r = f->grids.buffer;
  memset(coarse->flat, 0, (size_t)coarse->cells * sizeof *coarse->flat);
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++) {
      const int count = perp_lattice_length(g, (j + k) & 1);
      value_row(g, g->x, g->offset, j, k, 0, f->buffer);
      residual_row(f, perp_lattice_row(g, j, k, 0), count, r);
      perp_grid_restrict_row(fine, coarse, j, k, 0, r);
    }
  /* a coarse cell sums up half its cells, the red ones */
  const int red = (1 + fine->halve[0]) * (1 + fine->halve[1]) * (1 + fine->halve[2]) / 2;
  const double estimate =
      f->grids.unit * f->size * (double)greatest(coarse->cells, coarse->flat) / red;
  return estimate > 4 * f->run->target ? estimate : perp_finest_residual(f);
}

/* ---- Corrections ---- */

static void project_row(const perp_lattice *g, int64_t c, int count)
{
  double *x = g->x + c;
  if (g->lo)
    for (int m = 0; m < count; m++)
      x[m] = perp_clamp(x[m], g->lo[c + m], g->hi[c + m]);
  else if (!g->unbounded)
    for (int m = 0; m < count; m++)
      x[m] = perp_clamp_nonnegative(x[m]);
}

void perp_finest_correct(perp_finest *f)
{
  const perp_lattice *g = f->g;
  const perp_grid *fine = &f->grids.grid[0];
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++) {
      const int count = perp_lattice_length(g, (j + k + 1) & 1);
      const int64_t c = perp_lattice_row(g, j, k, 1);
      perp_grid_interpolate_row(fine, fine + 1, j, k, 1, f->grids.buffer);
      for (int m = 0; m < count; m++)
        g->x[c + m] += f->size * (double)f->grids.buffer[m];
      project_row(g, c, count);
    }
}

void perp_finest_prolong(perp_finest *f)
{
  const perp_lattice *g = f->g;
  const perp_grid *fine = &f->grids.grid[0];
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++)
      for (int colour = 0; colour < 2; colour++) {
        const int count = perp_lattice_length(g, (j + k + colour) & 1);
        const int64_t c = perp_lattice_row(g, j, k, colour);
        perp_grid_interpolate_row(fine, fine + 1, j, k, colour, f->grids.buffer);
        for (int m = 0; m < count; m++)
          g->x[c + m] = f->size * (double)f->grids.buffer[m];
        project_row(g, c, count);
      }
}

static double *lattice_array(const perp_lattice *g, perp_arena *arena)
{
  const int64_t margin = g->row + (g->nz > 1 ? g->plane : 0), lead = (margin + 7) / 8 * 8;
  double *array = perp_arena_alloc_zero(arena, (size_t)(lead + 2 * g->colour), sizeof *array);
  return array ? array + lead : NULL;
}

/* c <- P(x + correction) - x along a row. */
static void step_row(perp_finest *f, int j, int k, int colour)
{
  const perp_lattice *g = f->g;
  const perp_grid *fine = &f->grids.grid[0];
  const int count = perp_lattice_length(g, (j + k + colour) & 1);
  const int64_t c = perp_lattice_row(g, j, k, colour);
  perp_grid_interpolate_row(fine, fine + 1, j, k, colour, f->grids.buffer);
  for (int m = 0; m < count; m++) {
    const double x = g->x[c + m];
    double z = x + f->size * (double)f->grids.buffer[m];
    if (g->lo)
      z = perp_clamp(z, g->lo[c + m], g->hi[c + m]);
    else if (!g->unbounded)
      z = perp_clamp_nonnegative(z);
    f->step[c + m] = z - x;
  }
}

/* Adds c^T y and c^T A c of a row. */
static void line_row(perp_finest *f, int j, int k, int colour, double *slope, double *bend)
{
  const perp_lattice *g = f->g;
  const int count = perp_lattice_length(g, (j + k + colour) & 1);
  const int64_t c = perp_lattice_row(g, j, k, colour);
  double *t = f->buffer, *turn = f->buffer + g->row;
  value_row(g, g->x, g->offset, j, k, colour, t);
  value_row(g, f->step, NULL, j, k, colour, turn);
  for (int m = 0; m < count; m++) {
    const double d = f->grids.unit * (double)(f->diagonal ? f->diagonal[c + m] : f->common);
    const double step = f->step[c + m];
    *slope += d * step * (g->x[c + m] - t[m]);
    *bend += d * step * (step - turn[m]);
  }
}

bool perp_finest_correct_searched(perp_finest *f)
{
  const perp_lattice *g = f->g;
  if (!f->step && !(f->step = lattice_array(g, f->run->arena)))
    return false;
  const int rows = g->ny * g->nz;
  double slope = 0, bend = 0;
  for (int row = 0; row < rows; row++)
    for (int colour = 0; colour < 2; colour++)
      step_row(f, row % g->ny, row / g->ny, colour);
  for (int row = 0; row < rows; row++)
    for (int colour = 0; colour < 2; colour++)
      line_row(f, row % g->ny, row / g->ny, colour, &slope, &bend);
  /* E(x + a c) = E(x) + a c^T y + a^2/2 c^T A c, and x + a c is in K up to a = 1 */
  const double length = slope < 0 ? (bend > -slope ? -slope / bend : 1) : 0;
  for (int row = 0; row < rows; row++)
    for (int colour = 0; colour < 2; colour++) {
      const int j = row % g->ny, k = row / g->ny,
                count = perp_lattice_length(g, (j + k + colour) & 1);
      const int64_t c = perp_lattice_row(g, j, k, colour);
      perp_axpy(count, length, f->step + c, g->x + c);
      project_row(g, c, count);
    }
  return true;
}

void perp_finest_sweep(perp_finest *f, int count)
{
  for (int s = 0; s < count; s++)
    perp_lattice_sweep_coloured(f->g, 1, f->run->options->threads);
  f->run->count.sweeps += count;
}

/* ---- Making it ---- */

static bool take_diagonal(perp_finest *f)
{
  const perp_stencil *s = f->s;
  const perp_grid *grid = &f->grids.grid[0];
  f->common = perp_to_float(s->diagonal / f->grids.unit);
  if (f->g->mode == PERP_STENCIL_UNIFORM)
    return true;
  const int64_t margin = grid->row + (grid->axes == 3 ? grid->plane : 0);
  float *array =
      perp_arena_alloc_zero(f->run->arena, (size_t)(margin + 2 * grid->colour), sizeof *array);
  if (!array)
    return false;
  f->diagonal = array + margin;
  for (int k = 0, cell = 0; k < grid->n[2]; k++)
    for (int j = 0; j < grid->n[1]; j++)
      for (int i = 0; i < grid->n[0]; i++, cell++)
        if (perp_stencil_unknown(s, cell) >= 0)
          f->diagonal[perp_grid_slot(grid, i, j, k)] =
              perp_to_float(perp_stencil_diagonal(s, cell) / f->grids.unit);
  return true;
}

perp_error perp_finest_open(perp_run *run, double *x, perp_finest *f)
{
  const perp_problem *p = run->problem;
  perp_stencil *seen = NULL;
  *f = (perp_finest){.run = run};
  if (perp_operator_is_stencil(p->A))
    f->s = (const perp_stencil *)p->A;
  else if (perp_stencil_recognise(p->A, run->arena, &seen))
    return perp_run_no_memory(run);
  else
    f->s = seen;
  if (!f->s)
    return PERP_OK;
  perp_message why = {{0}};
  const perp_error error =
      perp_relaxer_create("mg", &f->s->base, p->b, &p->K, x, run->options->threads,
                          1u << PERP_COLOURED, run->arena, &f->relaxer, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  f->g = perp_stencil_lattice(f->relaxer);
  if (!perp_grids_create(f->s, false, f->g->lo != NULL, run->arena, &f->grids))
    return perp_run_no_memory(run);
  f->size = fmax(perp_scale(p) / f->grids.unit, DBL_MIN);
  f->buffer = perp_run_reals(run, 2 * (size_t)f->g->row);
  if (!f->buffer || !take_diagonal(f))
    return perp_run_no_memory(run);
  return PERP_OK;
}
