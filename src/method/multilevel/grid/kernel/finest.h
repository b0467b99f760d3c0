/* finest.h: kernels of grid 0 in double precision, and between it and the problem by unknowns
 *
 *   t_c = (sum over the neighbours d of c of w_cd x_d - b_c) / A_cc,   x_c <- P_c(t_c)
 *
 * Bytes of a sweep per cell: x 16, offset 8; gains 8 and each direction's weights 8 if they vary;
 * bounds 16 if K is a box. A lane of a sweep handles two adjacent cells of a row through
 * PERP_PLANES planes, so that the values of three successive planes are read once. */
#pragma once

#include "method/multilevel/grid/kernel/coarse.h"

typedef struct perp_cells {
  double v[2];
} __attribute__((aligned(16))) perp_cells;

TEAM perp_cells perp_cells_at(const double *from)
{
  return *(const perp_cells *)(const void *)from;
}

TEAM double perp_fine_project(int set, double t, double lo, double hi)
{
  if (set == PERP_GRID_BOX) {
    const double above = t < lo ? lo : t; /* NaN passes through */
    return above > hi ? hi : above;
  }
  return set == PERP_GRID_PLAIN ? (t < 0 ? 0 : t) : t;
}

/* Returns for a pair of cells the sum of both neighbours along the row, from the pairs around
 * it. */
TEAM perp_cells perp_cells_sides(perp_cells c, double side, int h)
{
  perp_cells s;
  s.v[0] = h ? c.v[0] + c.v[1] : side + c.v[0];
  s.v[1] = h ? c.v[1] + side : c.v[0] + c.v[1];
  return s;
}

/* perp_cells_sides with weights: `lower` of the faces below, `upper` of the faces above. */
TEAM perp_cells perp_cells_weighed(perp_cells c, double side, int h, perp_cells lower,
                                   perp_cells upper)
{
  perp_cells s;
  s.v[0] = lower.v[0] * (h ? c.v[0] : side) + upper.v[0] * (h ? c.v[1] : c.v[0]);
  s.v[1] = lower.v[1] * (h ? c.v[1] : c.v[0]) + upper.v[1] * (h ? side : c.v[1]);
  return s;
}

/* Loads the faces below along the row, stored with the other colour's cells: a pair that begins one
 * place earlier if h is 0. */
TEAM perp_cells perp_cells_lower(const double *w, int h)
{
  if (h)
    return perp_cells_at(w);
  perp_cells s;
  s.v[0] = w[-1];
  s.v[1] = w[0];
  return s;
}

/* A pair of cells of a colour on its way through the planes: `front` and `c` have the other colour,
 * in the plane in front and in its own. */
typedef struct perp_march {
  int m, j, colour;
  int64_t q, own, other; /* the place, and where the colours begin */
  perp_cells front, c;
} perp_march;

TEAM perp_march perp_march_begin(const perp_grid_task *t, int pair, int j, int first, int colour,
                                 bool solid)
{
  const perp_grid *g = &t->g;
  perp_march a;
  a.m = 2 * pair;
  a.j = j;
  a.colour = colour;
  a.q = first * g->plane + j * g->row + a.m;
  a.own = colour * g->colour;
  a.other = (1 - colour) * g->colour;
  a.c = a.front = perp_cells_at(t->top.x + a.other + a.q);
  if (solid)
    a.front = perp_cells_at(t->top.x + a.other + a.q - g->plane);
  return a;
}

TEAM void perp_march_on(const perp_grid *g, perp_march *a, perp_cells back)
{
  a->front = a->c;
  a->c = back;
  a->q += g->plane;
}

/* Returns t of both cells; `back` is the pair of the plane behind. h: 1 if the row begins with the
 * other colour. */
TEAM perp_cells perp_march_relaxed(const perp_grid_task *t, const perp_march *a, int h, int mode,
                                   bool solid, perp_cells *back)
{
  const perp_grid *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t q = a->q, own = a->own, other = a->other;
  const double *__restrict__ o = p->x + other;
  const double side = o[q + (h ? 2 : -1)];
  const perp_cells up = perp_cells_at(o + q - g->row), down = perp_cells_at(o + q + g->row);
  const perp_cells offset = perp_cells_at(p->offset + own + q), c = a->c, front = a->front;
  perp_cells sum, gain;
  *back = c;
  if (solid)
    *back = perp_cells_at(o + q + g->plane);
  if (mode == PERP_CELLS_WEIGHTED) {
    const perp_cells wx = perp_cells_at(p->wx + own + q);
    const perp_cells wy = perp_cells_at(p->wy + own + q);
    const perp_cells wy_up = perp_cells_at(p->wy + other + q - g->row);
    sum = perp_cells_weighed(c, side, h, perp_cells_lower(p->wx + other + q, h), wx);
    for (int v = 0; v < 2; v++)
      sum.v[v] += wy_up.v[v] * up.v[v] + wy.v[v] * down.v[v];
    if (solid) {
      const perp_cells wz = perp_cells_at(p->wz + own + q);
      const perp_cells wz_front = perp_cells_at(p->wz + other + q - g->plane);
      for (int v = 0; v < 2; v++)
        sum.v[v] += wz_front.v[v] * front.v[v] + wz.v[v] * back->v[v];
    }
  } else {
    sum = perp_cells_sides(c, side, h);
    for (int v = 0; v < 2; v++) {
      sum.v[v] += up.v[v] + down.v[v];
      if (solid)
        sum.v[v] += front.v[v] + back->v[v];
    }
  }
  if (mode != PERP_CELLS_UNIFORM)
    gain = perp_cells_at(p->gains + own + q);
  for (int v = 0; v < 2; v++)
    sum.v[v] = (mode == PERP_CELLS_UNIFORM ? p->gain : gain.v[v]) * sum.v[v] + offset.v[v];
  return sum;
}

/* ---- Sweeps ---- */

/* Sweeps one plane. The colours do not overlap, so that loads may precede stores. */
TEAM void perp_fine_sweep_plane(const perp_grid_task *t, perp_march *a, int k, int mode, int set,
                                bool solid)
{
  const perp_fine *p = &t->top;
  double *__restrict__ to = p->x + a->own + a->q;
  const int h = (a->j + k + a->colour) & 1, length = (t->g.n[0] + 1 - h) / 2;
  perp_cells back, lo = {{0, 0}}, hi = {{0, 0}};
  perp_cells x = perp_march_relaxed(t, a, h, mode, solid, &back);
  if (set == PERP_GRID_BOX) {
    lo = perp_cells_at(p->lo + a->own + a->q);
    hi = perp_cells_at(p->hi + a->own + a->q);
  }
  for (int v = 0; v < 2; v++)
    x.v[v] = set == PERP_GRID_PLAIN ? x.v[v] + fabs(x.v[v])
                                    : perp_fine_project(set, x.v[v], lo.v[v], hi.v[v]);
  if (a->m + 1 < length)
    *(perp_cells *)(void *)to = x;
  else if (a->m < length)
    to[0] = x.v[0];
  perp_march_on(&t->g, a, back);
}

TEAM double perp_fine_sweep(const perp_grid_task *t, int pair, int j, int chunk, int mode, int set,
                            bool solid)
{
  const perp_grid *g = &t->g;
  const int first = chunk * PERP_PLANES;
  perp_march a = perp_march_begin(t, pair, j, first, t->colour, solid);
  if (solid && first + PERP_PLANES <= g->n[2]) {
    TEAM_ALL
    for (int plane = 0; plane < PERP_PLANES; plane++)
      perp_fine_sweep_plane(t, &a, first + plane, mode, set, solid);
    return 0;
  }
  TEAM_SHORT
  for (int k = first; k < first + PERP_PLANES && k < g->n[2]; k++)
    perp_fine_sweep_plane(t, &a, k, mode, set, solid);
  return 0;
}

/* ---- Residuals ---- */

/* gain (sum of the neighbours of v) at a cell: t without its offset. */
TEAM double perp_fine_around(const perp_grid_task *t, const perp_spot *s, const double *v)
{
  const perp_grid *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t left = perp_spot_next(g, s, 0, 0), right = left + 1;
  const int64_t up = s->other - g->row, down = s->other + g->row;
  const int64_t front = s->other - g->plane, back = s->other + g->plane;
  double sum;
  if (p->mode == PERP_CELLS_WEIGHTED) {
    sum = (p->wx[left] * v[left] + p->wx[s->slot] * v[right]) +
          (p->wy[up] * v[up] + p->wy[s->slot] * v[down]);
    if (g->axes == 3)
      sum += p->wz[front] * v[front] + p->wz[s->slot] * v[back];
  } else {
    sum = (v[left] + v[right]) + (v[up] + v[down]);
    if (g->axes == 3)
      sum += v[front] + v[back];
  }
  return (p->mode == PERP_CELLS_UNIFORM ? p->gain : p->gains[s->slot]) * sum;
}

/* scale (x - t) diagonal / unit; y is unit / scale times this */
TEAM double perp_fine_defect(const perp_grid_task *t, const perp_spot *s)
{
  const perp_fine *p = &t->top;
  const double a = perp_fine_around(t, s, p->x) + p->offset[s->slot];
  return (double)(p->diagonal ? p->diagonal[s->slot] : p->common) * (p->scale * p->x[s->slot] - a);
}

/* Returns scale (x - t) diagonal / unit of a pair; x are its own numbers. */
TEAM perp_cells perp_march_defect(const perp_fine *p, int64_t slot, perp_cells x,
                                  perp_cells relaxed)
{
  perp_cells d;
  for (int v = 0; v < 2; v++)
    d.v[v] = (double)(p->diagonal ? p->diagonal[slot + v] : p->common) *
             (p->scale * x.v[v] - relaxed.v[v]);
  return d;
}

/* Returns the largest natural residual of a pair, of one colour, in some planes. */
TEAM double perp_fine_natural_of(const perp_grid_task *t, int pair, int j, int chunk, int colour,
                                 int mode, bool solid)
{
  const perp_grid *g = &t->g;
  const perp_fine *p = &t->top;
  const int first = chunk * PERP_PLANES, set = p->set;
  perp_march a = perp_march_begin(t, pair, j, first, colour, solid);
  double most = 0;
  TEAM_TWICE
  for (int k = first; k < first + PERP_PLANES && k < g->n[2]; k++) {
    const int h = (j + k + colour) & 1, length = (g->n[0] + 1 - h) / 2;
    const int64_t slot = a.own + a.q;
    perp_cells back;
    const perp_cells relaxed = perp_march_relaxed(t, &a, h, mode, solid, &back);
    const perp_cells x = perp_cells_at(p->x + slot), d = perp_march_defect(p, slot, x, relaxed);
    for (int v = 0; v < 2 && a.m + v < length; v++) {
      const double at = x.v[v], y = p->unit / p->scale * d.v[v];
      const double below = set == PERP_GRID_BOX     ? at - p->lo[slot + v]
                           : set == PERP_GRID_PLAIN ? at
                                                    : HUGE_VAL;
      const double above = set == PERP_GRID_BOX ? at - p->hi[slot + v] : -HUGE_VAL;
      most = perp_value_most(perp_natural_mid(y, below, above), most);
    }
    perp_march_on(g, &a, back);
  }
  return most;
}

/* perp_fine_natural_of for both colours: the second reuses the cached reads of the first. */
TEAM double perp_fine_natural(const perp_grid_task *t, int pair, int j, int chunk, int mode,
                              bool solid)
{
  const double red = perp_fine_natural_of(t, pair, j, chunk, 0, mode, solid);
  return perp_value_most(perp_fine_natural_of(t, pair, j, chunk, 1, mode, solid), red);
}

/* ---- Corrections ---- */

TEAM double perp_fine_bounded(const perp_fine *p, int64_t c, double a)
{
  return p->set == PERP_GRID_BOX ? perp_fine_project(p->set, a, p->lo[c], p->hi[c])
                                 : perp_fine_project(p->set, a, 0, 0);
}

/* Makes CORRECT, PROLONG or STEP at a cell. */
TEAM double perp_fine_move(int op, const perp_grid_task *t, int m, int j, int k)
{
  const perp_fine *p = &t->top;
  const bool from_zero = op == PERP_GRID_PROLONG;
  perp_spot s;
  if (!perp_cell_spot(&t->g, t->colour, m, j, k, &s))
    return 0;
  const double x = from_zero ? 0 : p->x[s.slot];
  const float share = from_zero ? 0.25f : t->g.share;
  const double v = (double)perp_cell_interpolated(&t->g, &t->below, &s, share);
  const double length = op == PERP_GRID_CORRECT ? PERP_FINE_OVER * p->size : p->size;
  const double to = perp_fine_bounded(p, s.slot, x + length * v);
  if (op == PERP_GRID_STEP)
    p->step[s.slot] = to - x;
  else
    p->x[s.slot] = to;
  return 0;
}

/* Returns c^T y and c^T A c of a cell, c being the step. */
TEAM perp_grid_sums perp_fine_line(const perp_grid_task *t, int m, int j, int k)
{
  const perp_fine *p = &t->top;
  perp_grid_sums sums = {0, 0};
  perp_spot s;
  if (!perp_cell_spot(&t->g, t->colour, m, j, k, &s))
    return sums;
  const double c = p->step[s.slot], d = (double)(p->diagonal ? p->diagonal[s.slot] : p->common);
  const double turn = d * (p->scale * c - perp_fine_around(t, &s, p->step));
  sums.slope = c * (p->unit / p->scale * perp_fine_defect(t, &s));
  sums.bend = c * (p->unit / p->scale * turn);
  return sums;
}

TEAM double perp_op_go(const perp_grid_task *t, int m, int j, int k)
{
  const perp_fine *p = &t->top;
  perp_spot s;
  if (perp_cell_spot(&t->g, t->colour, m, j, k, &s))
    p->x[s.slot] = perp_fine_bounded(p, s.slot, p->x[s.slot] + p->length * p->step[s.slot]);
  return 0;
}

/* ---- Free cells ---- */

/* Returns 1 if a cell became free or stopped being free. */
TEAM int perp_fine_mark(const perp_grid_task *t, const int at[3], int64_t slot, double x)
{
  const perp_fine *p = &t->top;
  const uint8_t state = t->g.state[slot];
  const bool box = p->set == PERP_GRID_BOX;
  const double above = box ? x - p->lo[slot] : x;
  const double below = box ? p->hi[slot] - x : (double)INFINITY;
  const uint8_t now = perp_cell_marked(state, above, below, p->near, p->back);
  if (now == state)
    return 0;
  t->g.state[slot] = now;
  perp_cell_touch(&t->g, at[0], at[1], at[2]);
  return 1;
}

/* For the red cells of a pair of places, in one plane: r <- -y in the units of the hierarchy.
 * Returns the number of its cells, of both colours, that became free or stopped being free. Skips
 * cells that are not unknowns. */
TEAM int perp_fine_prepare_plane(const perp_grid_task *t, perp_march *a, int k, int mode,
                                 bool solid)
{
  const perp_fine *p = &t->top;
  const int h = (a->j + k) & 1, length = (t->g.n[0] + 1 - h) / 2;
  const int64_t red = a->own + a->q, black = a->other + a->q;
  perp_cells back;
  const perp_cells relaxed = perp_march_relaxed(t, a, h, mode, solid, &back);
  const perp_cells x = perp_cells_at(p->x + red), d = perp_march_defect(p, red, x, relaxed);
  int changed = 0;
  for (int v = 0; v < 2; v++) {
    const int i = 2 * (a->m + v), at[3] = {i + h, a->j, k}, beside[3] = {i + 1 - h, a->j, k};
    if (a->m + v < length)
      t->g.r[red + v] = (float)(-1 / (p->size * p->scale) * d.v[v]);
    if (p->set != PERP_GRID_LINEAR) {
      changed += perp_fine_mark(t, at, red + v, x.v[v]);
      changed += perp_fine_mark(t, beside, black + v, a->c.v[v]);
    }
  }
  perp_march_on(&t->g, a, back);
  return changed;
}

TEAM double perp_fine_prepare(const perp_grid_task *t, int pair, int j, int chunk, int mode,
                              bool solid)
{
  const int first = chunk * PERP_PLANES;
  perp_march a = perp_march_begin(t, pair, j, first, 0, solid);
  int changed = 0;
  TEAM_SHORT
  for (int k = first; k < first + PERP_PLANES && k < t->g.n[2]; k++)
    changed += perp_fine_prepare_plane(t, &a, k, mode, solid);
  return changed;
}

/* ---- Grid 0 and the problem by unknowns ----
 *
 * Memory is zero on entry: cells that are not unknowns stay zero. */

TEAM double perp_op_fill_cell(const perp_grid_task *t, int i, int j, int k)
{
  const perp_stencil_cells *A = &t->top.A;
  if (perp_stencil_row(A, perp_stencil_number(A, i, j, k)) >= 0)
    perp_grid_fill_cell(&t->g, A, t->top.unit, 0, i, j, k);
  return 0;
}

/* Makes every unknown free again. */
TEAM double perp_op_release(const perp_grid_task *t, int i, int j, int k)
{
  uint8_t *state = t->g.state + perp_grid_slot(&t->g, i, j, k);
  const uint8_t before = *state;
  if (!(before & PERP_CELL_UNKNOWN))
    return 0;
  *state = PERP_CELL_FREE | PERP_CELL_UNKNOWN;
  if (!(before & PERP_CELL_FREE))
    perp_cell_touch(&t->g, i, j, k);
  return 0;
}

/* Writes A in the layout of sweeps. */
TEAM double perp_op_fill_lattice(const perp_grid_task *t, int i, int j, int k)
{
  const perp_grid *g = &t->g;
  const perp_fine *p = &t->top;
  const perp_stencil_cells *A = &p->A;
  const int64_t cell = perp_stencil_number(A, i, j, k), slot = perp_grid_slot(g, i, j, k);
  if (perp_stencil_row(A, cell) < 0 || p->mode == PERP_CELLS_UNIFORM)
    return 0;
  const double diagonal = perp_stencil_entry(A, cell), inverse = p->scale / diagonal;
  const bool weighted = p->mode == PERP_CELLS_WEIGHTED;
  p->gains[slot] = weighted ? inverse : A->weight * inverse;
  p->diagonal[slot] = (float)(1 / p->unit * diagonal);
  double *const to[3] = {p->wx, p->wy, p->wz};
  const int at[3] = {i, j, k};
  for (int axis = 0; weighted && axis < g->axes; axis++) {
    int64_t next;
    to[axis][slot] = perp_stencil_face(A, at, axis, 1, &next);
  }
  return 0;
}

/* b of x - lo: y <- A lo + b, by unknown. */
TEAM double perp_op_take_lower(const perp_grid_task *t, int i, int j, int k)
{
  const perp_grid *g = &t->g;
  const perp_fine *p = &t->top;
  const perp_stencil_cells *A = &p->A;
  const int64_t cell = perp_stencil_number(A, i, j, k), u = perp_stencil_row(A, cell);
  if (u < 0)
    return 0;
  const int at[3] = {i, j, k};
  double sum = 0;
  for (int axis = 0; axis < g->axes; axis++) {
    int64_t lower, upper;
    const double below = perp_stencil_face(A, at, axis, 0, &lower);
    const double above = perp_stencil_face(A, at, axis, 1, &upper);
    sum += (lower < 0 ? 0 : below * p->from[lower]) + (upper < 0 ? 0 : above * p->from[upper]);
  }
  p->by_y[u] = (perp_stencil_entry(A, cell) * p->from[u] - sum) + p->b[u];
  return 0;
}

TEAM double perp_op_take_problem(const perp_grid_task *t, int i, int j, int k)
{
  const perp_grid *g = &t->g;
  const perp_fine *p = &t->top;
  const perp_stencil_cells *A = &p->A;
  const int64_t cell = perp_stencil_number(A, i, j, k), slot = perp_grid_slot(g, i, j, k);
  const int64_t u = perp_stencil_row(A, cell);
  if (u < 0) {
    p->x[slot] = 0; /* an earlier solve may have left a number that is not finite */
    return 0;
  }
  const double b = p->from ? p->by_y[u] : p->b[u];
  p->x[slot] = p->by_x[u] - (p->from ? p->from[u] : 0);
  p->offset[slot] = -b * (p->scale / perp_stencil_entry(A, cell));
  if (p->set == PERP_GRID_BOX) {
    p->lo[slot] = perp_value_lo(p->by_lo, u);
    p->hi[slot] = perp_value_hi(p->by_hi, u);
  }
  return 0;
}

TEAM double perp_op_give_x(const perp_grid_task *t, int i, int j, int k)
{
  const perp_fine *p = &t->top;
  const int64_t u = perp_stencil_row(&p->A, perp_stencil_number(&p->A, i, j, k));
  if (u >= 0)
    p->by_x[u] = p->x[perp_grid_slot(&t->g, i, j, k)] + (p->from ? p->from[u] : 0);
  return 0;
}

TEAM double perp_op_exceeds(const perp_grid_task *t, int i, int j, int k)
{
  const perp_fine *p = &t->top;
  const int64_t u = perp_stencil_row(&p->A, perp_stencil_number(&p->A, i, j, k));
  if (u < 0 || !p->by_hi)
    return 0;
  const double x = p->x[perp_grid_slot(&t->g, i, j, k)] + (p->from ? p->from[u] : 0);
  return x > perp_value_bound(p->by_hi[u]) ? 1 : 0;
}

/* ---- Dispatch over cells ---- */

TEAM double perp_grid_at(int op, const perp_grid_task *t, int m, int j, int k, int mode, int set,
                         bool solid)
{
  switch (op) {
  case PERP_GRID_FILL_CELL:
    return perp_op_fill_cell(t, m, j, k);
  case PERP_GRID_RELEASE:
    return perp_op_release(t, m, j, k);
  case PERP_GRID_FILL_LATTICE:
    return perp_op_fill_lattice(t, m, j, k);
  case PERP_GRID_TAKE_LOWER:
    return perp_op_take_lower(t, m, j, k);
  case PERP_GRID_TAKE_PROBLEM:
    return perp_op_take_problem(t, m, j, k);
  case PERP_GRID_GIVE_X:
    return perp_op_give_x(t, m, j, k);
  case PERP_GRID_EXCEEDS:
    return perp_op_exceeds(t, m, j, k);
  case PERP_GRID_CORRECT:
  case PERP_GRID_PROLONG:
  case PERP_GRID_STEP:
    return perp_fine_move(op, t, m, j, k);
  case PERP_GRID_GO:
    return perp_op_go(t, m, j, k);
  case PERP_GRID_NATURAL:
    return perp_fine_natural(t, m, j, k, mode, solid);
  case PERP_GRID_PREPARE:
    return perp_fine_prepare(t, m, j, k, mode, solid);
  case PERP_GRID_SWEEP:
    return perp_fine_sweep(t, m, j, k, mode, set, solid);
  case PERP_GRID_RELAX:
    return perp_op_relax(t, m, j, k);
  case PERP_GRID_REMAINDER:
    return perp_op_remainder(t, m, j, k);
  case PERP_GRID_GATHER:
    return perp_op_gather(t, m, j, k);
  case PERP_GRID_FORGET:
    return perp_op_forget(t, m, j, k);
  case PERP_GRID_ADD:
    return perp_op_add(t, m, j, k);
  case PERP_GRID_INTERPOLATE:
    return perp_op_interpolate(t, m, j, k);
  case PERP_GRID_MARK:
    return perp_op_mark(t, m, j, k);
  case PERP_GRID_BUILD:
    return perp_op_build(t, m, j, k);
  case PERP_GRID_GAINS:
    return perp_op_gains(t, m, j, k);
  case PERP_GRID_LOAD:
    return perp_op_load(t, m, j, k);
  case PERP_GRID_BOUNDS:
    return perp_op_bounds(t, m, j, k);
  case PERP_GRID_RECEIVE:
    return perp_op_receive(t, m, j, k);
  default:
    return 0;
  }
}
