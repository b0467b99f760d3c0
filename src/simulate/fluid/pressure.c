/* fluid/pressure.c: the pressure of a step, as a problem on a stencil operator
 *
 * Multiplied by dx^2 rho / dt the problem of fluid.h has
 *
 *   A_cc = sum_f w_f over all open faces of c, air beyond them or liquid,
 *   A_cd = -w_f for cells with liquid on both sides,   b_c = rho dx / dt (sum_f +-w_f u_f - dx s_c)
 *
 * (the outflow of the cell, less what has to leave it), which is what the stencil operator takes:
 * weights of faces and a diagonal. A cell with liquid that has no open face is left out. Then
 * u_f <- u_f - dt/rho (p_d - p_c)/dx. */
#include "base/elementary.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

static const double density = 1000;

/* Shares of what is too much, missing, and was missing that a step makes good. */
static const double LOCAL = 0.05, GLOBAL = 0.5, SUM = 0.01;

/* In the numbering of the stencil, without the extra layer of the arrays. */
static int stencil_cell(const perp_fluid *f, const int at[3])
{
  return (at[2] * f->n[1] + at[1]) * f->n[0] + at[0];
}

/* The volume that has to leave a cell in a second, to that of a whole cell; none at the surface,
 * where cells may be as full as they like. */
static double swelling(const perp_fluid *f, int64_t at)
{
  if (perp_fluid_at_surface(f, at) || f->full[at] == 0)
    return 0;
  int held = f->held[at], full = f->full[at];
  for (int d = 0; d < f->dim; d++)
    for (int side = -1; side <= 1; side += 2) {
      const int64_t to = at + side * f->step[d];
      const bool there = to >= 0 && to < f->size;
      held += there ? f->held[to] : 0;
      full += there ? f->full[to] : 0;
    }
  const double crowded = (double)held / full - 1, missing = 1 - f->volume / f->first_volume;
  const double share = (double)f->full[at] / (1 << f->dim);
  return share * (LOCAL * perp_min(1, crowded) + GLOBAL * missing + SUM * f->missed) / f->par.h;
}

/* Weights and the diagonal of a line of cells; how many of them have a pressure, in line[line + 1]. */
static void weigh_lines(void *context, int64_t begin, int64_t end)
{
  perp_fluid *f = context;
  double *const weight[3] = {f->wx, f->wy, f->wz};
  for (int64_t line = begin; line < end; line++) {
    const int j = (int)(line % f->n[1]), k = (int)(line / f->n[1]);
    int count = 0;
    for (int i = 0; i < f->n[0]; i++) {
      const int at3[3] = {i, j, k}, cell = stencil_cell(f, at3);
      const int64_t at = perp_fluid_at(f, i, j, k);
      double sum = 0;
      for (int d = 0; d < f->dim; d++) {
        const double below = f->open[d][at], above = f->open[d][at + f->step[d]];
        sum += below + above;
        weight[d][cell] = above;
      }
      f->diagonal[cell] = sum;
      if (f->unknown[at] >= 0 && sum == 0)
        f->unknown[at] = -1;
      count += f->unknown[at] >= 0;
    }
    f->line[line + 1] = count;
  }
}

/* The unknowns of a line, the first of which is number line[line]. */
static void fill_lines(void *context, int64_t begin, int64_t end)
{
  perp_fluid *f = context;
  const double scale = density * f->dx / f->par.h;
  for (int64_t line = begin; line < end; line++) {
    const int j = (int)(line % f->n[1]), k = (int)(line / f->n[1]);
    int c = f->line[line];
    for (int i = 0; i < f->n[0]; i++) {
      const int at3[3] = {i, j, k};
      const int64_t at = perp_fluid_at(f, i, j, k);
      double outflow = 0;
      bool wall = false;
      if (f->unknown[at] < 0)
        continue;
      for (int d = 0; d < f->dim; d++) {
        const double below = f->open[d][at], above = f->open[d][at + f->step[d]];
        outflow += above * f->u[d][at + f->step[d]] - below * f->u[d][at];
        wall = wall || below < 1 || above < 1;
      }
      f->unknown[at] = c;
      f->cell[c] = stencil_cell(f, at3);
      f->b[c] = scale * (outflow - f->dx * swelling(f, at));
      f->p[c] = f->pressure[at];
      f->at_wall[c] = wall;
      c++;
    }
  }
}

/* Numbers the cells that have a pressure; fills weights, diagonal and right-hand side. */
static void fill(perp_fluid *f)
{
  const int lines = f->n[1] * f->n[2];
  perp_fluid_over_lines(f, weigh_lines);
  f->line[0] = 0;
  for (int line = 0; line < lines; line++)
    f->line[line + 1] += f->line[line];
  f->unknowns = f->line[lines];
  perp_fluid_over_lines(f, fill_lines);
}

/* The pressure of a cell, 0 in air. */
static double pressure_at(const perp_fluid *f, int64_t at)
{
  return f->unknown[at] >= 0 ? f->p[f->unknown[at]] : 0;
}

static void correct_lines(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  const double scale = f->par.h / (density * f->dx);
  for (int64_t line = begin; line < end; line++) {
    const int j = (int)(line % f->n[1]), k = (int)(line / f->n[1]);
    for (int i = 0; i < f->n[0]; i++) {
      const int64_t at = perp_fluid_at(f, i, j, k);
      const int index[3] = {i, j, k};
      for (int d = 0; d < f->dim; d++) {
        const int64_t below = at - f->step[d];
        if (index[d] == 0 || (f->unknown[at] < 0 && f->unknown[below] < 0))
          continue;
        if (f->open[d][at] > 0)
          f->u[d][at] -= scale * (pressure_at(f, at) - pressure_at(f, below));
        f->known[d * f->size + at] = 1;
      }
    }
  }
}

static void keep_pressures(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  for (int64_t at = begin; at < end; at++)
    f->pressure[at] = pressure_at(f, at);
}

perp_error perp_fluid_pressure(perp_fluid *f, perp_stepper *stepper, perp_message *why)
{
  fill(f);
  for (int c = 0; c < f->unknowns; c++) {
    const bool free = f->par.walls == PERP_WALLS_STICK || !f->at_wall[c];
    f->lo[c] = free ? -INFINITY : 0;
    f->hi[c] = INFINITY;
    if (!stepper->warm)
      f->p[c] = 0;
  }
  if (f->unknowns == 0)
    return PERP_OK;
  perp_operator_destroy(f->A);
  f->A = NULL;
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data),
      .nx = f->n[0],
      .ny = f->n[1],
      .nz = f->n[2],
      .unknowns = f->unknowns,
      .cells = f->cell,
      .wx = f->wx,
      .wy = f->wy,
      .wz = f->wz,
      .diagonal = f->diagonal,
  };
  perp_error error = perp_operator_stencil(&data, PERP_BORROW, &f->A, why);
  const perp_problem p = perp_problem_boxed(f->A, f->b, f->lo, f->hi);
  if (!error)
    error = perp_stepper_solve(stepper, &p, f->p, why);
  if (error)
    return error;
  perp_fluid_over_cells(f, keep_pressures);
  perp_fluid_clear(f, f->known, (size_t)f->dim * (size_t)f->size);
  perp_fluid_over_lines(f, correct_lines);
  return PERP_OK;
}
