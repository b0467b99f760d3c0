/* small_friction.c: block pivots of a few rows with friction indices, in local arrays
 *
 * A step is a step of dantzig/coupling.c. Sliding rows follow their normals, x_f = c_f x_j(f):
 * B = A_CC + U, with U in the columns of the followed normals, which come last in C. In all rows
 * before them B is symmetric, and elimination (small_system.h) keeps it so. Elimination follows the
 * diagonal without exchanges, four rows of C at a time. A pivot that is rounding belongs to a row p
 * that depends on the rows before it: its x stays 0. If p is a normal with y_p < 0, as under a box
 * with one corner too many, then p must push, and another normal must separate: z with B z = 0,
 * z_p = 1, z = 0 behind p changes x, but not y. x + t z takes t slightly beyond the first normal
 * that reaches its bound, so that this normal leaves C and p stays. If the sets have not changed
 * since the last step, the step solves for the change of x, which refines it. If the steps do not
 * soon end at a solution, they restart with the sets that sweeps from the start lead to: four
 * sweeps, then twelve, then 36. After that the general method takes over.
 *
 * Cost of a step: k^3/6 + k^2 m/2 + 2 n k, k = |C|, m normals followed. Workspace: 45 KB of the
 * stack. */
#include "linalg/vector.h"
#include "method/pivoting/small_system.h"
#include "method/run/small_solve.h"
#include "set/set.h"

/* ---- A step ---- */

/* Returns c_f of a row at a bound that moves with a normal inside its own bounds, 0 otherwise. */
static inline double ratio_of(const perp_coupling *c, const int *findex, int i)
{
  const int j = findex[i], side = c->side[i];
  if (j < 0 || (side != -1 && side != 1) || c->side[j] != 0)
    return 0;
  const double bound = side < 0 ? c->lo[i] : c->hi[i];
  return isinf(bound) ? 0 : c->e.x[j] < 0 ? -bound : bound;
}

/* Lists C, the followed normals at its end, and the rows that follow them. */
KERNEL void collect(small *s)
{
  const perp_coupling *c = &s->c;
  const int n = s->n, *findex = c->p->K.findex, *side = c->side;
  int follower[MOST], place[MOST], k = 0, follow = 0;
  memset(place, 0, (size_t)n * sizeof *place);
  for (int i = 0; i < n; i++) {
    const double ratio = side[i] == 0 ? 0 : ratio_of(c, findex, i);
    if (ratio != 0) {
      place[findex[i]] = 1;
      follower[follow] = i;
      s->ratio[follow++] = ratio;
    }
  }
  for (int i = 0; i < n; i++) {
    s->rows[k] = i;
    k += (side[i] == 0) & (place[i] == 0);
  }
  s->plain = k;
  for (int i = 0; i < n && follow > 0; i++)
    if (place[i]) {
      place[i] = k;
      s->rows[k++] = i;
    }
  for (int f = 0; f < follow; f++) {
    s->rows[k + f] = follower[f];
    s->columns[f] = place[findex[follower[f]]];
  }
  s->k = k;
  s->follow = follow;
}

/* Moves the point to the sides, except the rows that are solved for, which go to 0, and updates
 * y. */
KERNEL void take_sides(small *s)
{
  perp_coupling *c = &s->c;
  collect(s);
  if (c->changes > 0) {
    perp_copy(s->n, s->b, c->y);
    perp_fill(s->n, 0, c->point);
    for (int r = 0; r < s->k + s->follow; r++)
      c->e.x[s->rows[r]] = 0;
  }
  for (int i = 0; i < s->n; i++) {
    const double step = c->e.x[i] - c->point[i];
    if (step != 0) {
      perp_axpy(s->n, step, s->A.a + i * s->A.stride, c->y);
      c->point[i] = c->e.x[i];
    }
  }
}

/* Writes B; in the first rows the part left of the diagonal is not read. */
KERNEL void write_system(small *s)
{
  const int k = s->k, *rows = s->rows;
  const double *y = s->c.y;
  double *row = s->M;
  for (int r = 0; r < k; r++, row += WIDTH) {
    const double *a = s->A.a + rows[r] * s->A.stride;
    perp_row_gather(row, a, rows, r < s->plain ? r & ~3 : 0, k, -y[rows[r]]);
  }
  for (int f = 0; f < s->follow; f++) {
    const double *a = s->A.a + rows[k + f] * s->A.stride; /* its column, since A is symmetric */
    const double ratio = s->ratio[f];
    double *column = s->M + s->columns[f];
    for (int r = 0; r < k; r++, column += WIDTH)
      *column += ratio * a[rows[r]];
  }
}

/* row <- row - sum_p f_p top_p for four rows `top`, as perp_row_subtract. */
KERNEL void subtract_four(double *row, const double f[4], const double *top, int from, int to)
{
  const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  const double *t0 = top, *t1 = t0 + WIDTH, *t2 = t1 + WIDTH, *t3 = t2 + WIDTH;
  for (int q = from; q <= to; q += 4) {
    double t[4];
    for (int k = 0; k < 4; k++)
      t[k] = row[q + k] - ((f0 * t0[q + k] + f1 * t1[q + k]) + (f2 * t2[q + k] + f3 * t3[q + k]));
    for (int k = 0; k < 4; k++)
      row[q + k] = t[k];
  }
}

/* Subtracts a whole panel from row i. */
KERNEL void apply_panel(small *s, int from, int i)
{
  const double *t0 = s->M + from * WIDTH, *t1 = t0 + WIDTH, *t2 = t1 + WIDTH, *t3 = t2 + WIDTH;
  const double *inverse = s->inverse + from;
  if (i >= s->plain) {
    const double *r = s->M + i * WIDTH;
    const int a = from + 1, b = from + 2, c = from + 3;
    double f[PANEL];
    f[0] = r[from] * inverse[0];
    f[1] = (r[a] - f[0] * t0[a]) * inverse[1];
    f[2] = (r[b] - f[0] * t0[b] - f[1] * t1[b]) * inverse[2];
    f[3] = (r[c] - f[0] * t0[c] - f[1] * t1[c] - f[2] * t2[c]) * inverse[3];
    subtract_four(s->M + i * WIDTH, f, t0, from + PANEL, s->k);
  } else {
    const double f[PANEL] = {t0[i] * inverse[0], t1[i] * inverse[1], t2[i] * inverse[2],
                             t3[i] * inverse[3]};
    subtract_four(s->M + i * WIDTH, f, t0, i & ~3, s->k);
  }
}

/* Solves the triangle from below, two rows at a time, so that loads match the stores. */
KERNEL void substitute_back(small *s)
{
  const int k = s->k;
  double *step = s->step;
  for (int p = 0; k <= ALONE && p < k; p++)
    step[p] = s->M[p * WIDTH + k] * s->inverse[p];
  if (k <= ALONE)
    return;
  for (int p = (k - 1) & ~1; p >= 0; p -= 2) {
    const double *u = s->M + p * WIDTH, *v = u + WIDTH;
    perp_two sum_u = {0}, sum_v = {0};
    for (int q = p + 2; q < k; q += 2) {
      sum_u += perp_two_at(u + q) * perp_two_at(step + q);
      sum_v += perp_two_at(v + q) * perp_two_at(step + q);
    }
    const double second = p + 1 < k ? (v[k] - (sum_v[0] + sum_v[1])) * s->inverse[p + 1] : 0;
    const double rest = p + 1 < k ? u[p + 1] * second : 0;
    const double first = (u[k] - (sum_u[0] + sum_u[1]) - rest) * s->inverse[p];
    *(perp_two *)(step + p) = (perp_two){first, second};
  }
}

KERNEL bool solve_system(small *s)
{
  const int k = s->k;
  s->pressed = -1;
  for (int from = 0, to; from < k; from = to) {
    to = from + PANEL < k && k > ALONE ? from + PANEL : k;
    if (!eliminate(s, FOLLOWED, NULL, from, to))
      return false;
    for (int i = to; i < k; i++)
      apply_panel(s, from, i);
  }
  substitute_back(s);
  return true;
}

/* y <- y + A_.C step, by rows, four at a time. */
KERNEL void add_rows(const small *s, int count, double *restrict y)
{
  const int n = s->n, *rows = s->rows;
  const double *step = s->step;
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a0 = s->A.a + rows[k] * s->A.stride, *a1 = s->A.a + rows[k + 1] * s->A.stride;
    const double *a2 = s->A.a + rows[k + 2] * s->A.stride, *a3 = s->A.a + rows[k + 3] * s->A.stride;
    const double s0 = step[k], s1 = step[k + 1], s2 = step[k + 2], s3 = step[k + 3];
    for (int j = 0; j < n; j++)
      y[j] += (s0 * a0[j] + s1 * a1[j]) + (s2 * a2[j] + s3 * a3[j]);
  }
  for (; k < count; k++)
    perp_axpy(n, step[k], s->A.a + rows[k] * s->A.stride, y);
}

/* Extends the step along z until a normal is past its bound. */
KERNEL void slide(small *s)
{
  static const double past = 1 + 1.0 / 64;
  const perp_coupling *c = &s->c;
  double length = INFINITY;
  for (int r = 0; r < s->pressed; r++) {
    const int i = s->rows[r];
    const double room = c->point[i] + s->step[r] - c->lo[i];
    if (c->p->K.findex[i] < 0 && s->null[r] < 0 && room < length * -s->null[r])
      length = room / -s->null[r];
  }
  if (!(length > 0 && length < INFINITY))
    return;
  for (int r = 0; r < s->pressed; r++)
    s->step[r] += past * length * s->null[r];
  s->step[s->pressed] += past * length;
}

KERNEL void move(small *s)
{
  perp_coupling *c = &s->c;
  if (s->pressed >= 0)
    slide(s);
  for (int r = 0; r < s->k; r++)
    c->point[s->rows[r]] += s->step[r];
  for (int f = 0; f < s->follow; f++) {
    const int i = s->rows[s->k + f];
    const double to = s->ratio[f] * c->point[c->p->K.findex[i]];
    s->step[s->k + f] = to - c->point[i];
    c->point[i] = to;
  }
  add_rows(s, s->k + s->follow, c->y);
}

/* Moves the point to x and updates y. Returns true if x is 0. */
KERNEL bool place(small *s, const double *x)
{
  perp_coupling *c = &s->c;
  bool cold = true;
  perp_copy(s->n, x, c->point);
  perp_copy(s->n, s->b, c->y);
  for (int i = 0; i < s->n; i++)
    if (x[i] != 0) {
      cold = false;
      perp_axpy(s->n, x[i], s->A.a + i * s->A.stride, c->y);
    }
  return cold;
}

/* Makes block pivots from the examined point, with that residual, until one is a solution or the
 * limit is reached. Returns the residual. */
KERNEL double pivot_blocks(small *s, perp_run *run, int steps, double residual)
{
  double before = INFINITY;
  int step = 0;
  for (; step < steps && residual > 1e-12 * run->scale &&
         !(residual <= run->target && residual > 0.1 * before);
       step++) {
    before = residual;
    take_sides(s);
    write_system(s);
    if (!solve_system(s))
      break;
    move(s);
    residual = perp_coupling_examine(&s->c, false);
  }
  run->count.factorisations += step;
  run->count.solves += step;
  return residual;
}

/* Sweeps from the start x: x_i <- P_i(x_i - y_i / A_ii), y <- y + A_.i (change of x_i). */
KERNEL double sweep_from(small *s, perp_run *run, const double *x, int sweeps)
{
  perp_coupling *c = &s->c;
  const int n = s->n, *findex = c->p->K.findex;
  double *point = c->point, *y = c->y;
  place(s, x);
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (int i = 0; i < n; i++) {
      const int j = findex[i];
      const double normal = j >= 0 ? fabs(point[j]) : 1;
      const double lo = j >= 0 ? perp_bound_times(c->lo[i], normal) : c->lo[i];
      const double hi = j >= 0 ? perp_bound_times(c->hi[i], normal) : c->hi[i];
      const double to = perp_clamp(point[i] - y[i] * c->relax[i], lo, hi), step = to - point[i];
      point[i] = to;
      if (step != 0)
        perp_axpy(n, step, s->A.a + i * s->A.stride, y);
    }
  run->count.sweeps += sweeps;
  return perp_coupling_examine(c, false);
}

/* Makes block pivots, and if they do not end soon, again after sweeps. Returns true if the residual
 * meets the target. */
KERNEL bool pivot_friction(small *s, perp_run *run, const double *x, int steps)
{
  enum { SOON = 6, FIRST_SWEEPS = 4, MOST_SWEEPS = 36 };
  double residual = pivot_blocks(s, run, steps < SOON ? steps : SOON, s->residual);
  for (int sweeps = FIRST_SWEEPS; sweeps <= MOST_SWEEPS && steps > 0 && residual > run->target;
       sweeps *= 3)
    residual = pivot_blocks(s, run, steps, sweep_from(s, run, x, sweeps));
  s->residual = residual;
  return residual <= run->target;
}

#ifdef PERP_WIDE
PERP_WIDE static bool friction_wide(small *s, perp_run *run, const double *x, int steps)
{
  return pivot_friction(s, run, x, steps);
}
#endif

/* Returns true if s->c.point is claimed to be a solution. */
static bool friction_here(small *s, perp_run *run, const double *x, int steps)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return friction_wide(s, run, x, steps);
#endif
  return pivot_friction(s, run, x, steps);
}

/* The arrays of an examination, owned by the caller. */
typedef struct room {
  int side[MOST];
  double vectors[6][MOST];
} room;

/* Returns false if A is not symmetric. */
static bool open_friction(perp_run *run, small *s, room *r)
{
  const perp_problem *p = run->problem;
  s->n = p->K.n;
  s->b = p->b;
  s->slack = run->target;
  perp_coupling *c = &s->c;
  c->p = p, c->e.n = s->n, c->side = r->side;
  c->point = r->vectors[0], c->y = r->vectors[1], c->e.x = r->vectors[2];
  c->relax = r->vectors[3], c->lo = r->vectors[4], c->hi = r->vectors[5];
  return perp_small_open_rows(run, &s->A) && s->A.symmetric;
}

/* perp_coupling_examine at x = 0; reads the problem data in the same pass. */
static void begin_cold(small *s)
{
  perp_coupling *c = &s->c;
  const perp_set *K = &c->p->K;
  c->changes = s->n; /* no side is chosen yet */
  for (int i = 0; i < s->n; i++) {
    const double a = s->A.a[i * (s->A.stride + 1)], y = s->b[i];
    const double relax = a == 0 ? 1 : 1 / fabs(a);
    const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
    const bool held = K->findex[i] >= 0;
    const int side = held ? PERP_SIDE_HELD : (int)perp_side_guess(-y * relax, lo, hi);
    c->relax[i] = relax;
    c->lo[i] = lo;
    c->hi[i] = hi;
    c->side[i] = side;
    c->point[i] = 0;
    c->y[i] = y;
    c->e.x[i] = held ? 0 : side == -1 ? lo : side == 1 ? hi : perp_clamp(0, lo, hi);
  }
}

bool perp_small_friction_cold(perp_run *run, const perp_small *problem, perp_result *result,
                              double *x)
{
  (void)result;
  small s;
  room r;
  const perp_set *K = &run->problem->K;
  if (problem->solved || K->n > MOST || !K->findex || !open_friction(run, &s, &r))
    return false;
  begin_cold(&s);
  s.residual = problem->start_residual;
  if (!friction_here(&s, run, x, PERP_SMALL_STEPS))
    return false;
  perp_copy(s.n, s.c.point, x);
  run->count.iterations = 1;
  return true;
}

bool perp_small_friction(perp_run *run, int steps, double *x)
{
  small s;
  room r;
  const perp_set *K = &run->problem->K;
  if (K->n > MOST || !K->findex || !open_friction(run, &s, &r))
    return perp_run_next(run, x, NULL);
  perp_coupling_take_rows(&s.c, s.A.a, s.A.stride);
  const bool cold = place(&s, x);
  s.residual = perp_coupling_examine(&s.c, cold);
  if (!perp_run_next_iterate(run, perp_iterate_measured(x, s.residual)))
    return false;
  if (!friction_here(&s, run, x, steps))
    return true;
  perp_copy(s.n, s.c.point, x);
  return perp_run_next_iterate(run, perp_iterate_measured(x, s.residual));
}
