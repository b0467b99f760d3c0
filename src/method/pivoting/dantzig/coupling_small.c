/* coupling_small.c: block pivots with friction for a few dozen rows, all on the stack
 *
 * The step is that of coupling.c; with so few rows its time goes into everything but arithmetic.
 * Here the rows C and those that follow them start from 0, and the system of the sets is written
 * out as one dense matrix,
 *
 *   B = A_CC + U,   B x_C = -(b + A_.N x_N)_C,   x_f = c_f x_j(f),   y = b + A x,
 *
 * and eliminated down its diagonal without exchanges, four rows of C at a time. U stands in the
 * columns of the normals that are followed, which come last in C: in all rows before them B is
 * symmetric, and so is what elimination leaves of it; half of these rows is enough. A pivot that is
 * rounding belongs to a row p that depends on those before it: its x stays 0. If p is a normal and
 * y_p < 0 is left of it, as under a box with one corner too many, then p must push, and another normal
 * let go: z with B z = 0, z_p = 1, z = 0 behind p changes x, but not y, and x + t z takes t from where
 * the first normal ends at its bound a little further, so that this one leaves C and p stays. Where the
 * sets are those of the step before, x stays and what is solved for is its change, which refines it.
 * Steps that do not end at a solution soon begin again with the sets that sweeps from the start lead
 * to, four of them, then twelve, then 36. What does not end then is left to the general way.
 *
 * Cost of a step: k^3/6 + k^2 m/2 + 2 n k, m normals followed. Workspace: 40 KB on the stack. */
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/dantzig/coupling_look.h"
#include "set/set.h"

/* Up to ALONE rows are eliminated one by one, above the diagonal as well: substitution, in which all
 * waits for the row before, would take longer. */
enum { MOST = PERP_COUPLING_FEW, WIDTH = MOST + 4, PANEL = 4, ALONE = 10 };

typedef struct small {
  perp_coupling c; /* what perp_coupling_examine reads and writes, and no more */
  const double *A, *b;
  int64_t ld;
  int n, k;
  int plain;             /* rows[0 .. k-1] are C, of which those from here on are followed */
  int follow;            /* by so many rows, which stand behind them: */
  int rows[MOST];        /* */
  int columns[MOST];     /* those at these places of C, */
  double ratio[MOST];    /* by these ratios */
  double step[MOST + 2]; /* of rows[] */
  double diagonal[MOST]; /* of A */
  double inverse[MOST];  /* of the pivots */
  double slack;          /* y up to this is 0 */
  int pressed;           /* the place in C of the first normal p as above; -1: there is none */
  double null[MOST];     /* its z, up to p */
  /* and the right-hand side in column k, and 0 behind it: all is read in fours */
  double B[MOST][WIDTH];
} small;

/* c_f of a row at a bound that moves with a normal inside its own, 0 elsewhere. */
static inline double ratio_of(const perp_coupling *c, const int *findex, int i)
{
  const int j = findex[i], side = c->side[i];
  if (j < 0 || (side != -1 && side != 1) || c->side[j] != 0)
    return 0;
  const double bound = side < 0 ? c->lo[i] : c->hi[i];
  return isinf(bound) ? 0 : c->e.x[j] < 0 ? -bound : bound;
}

/* C, those that are followed at its end, and the rows that follow them. */
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

/* The point goes to where the sides say, but for the rows that are solved for, which go to 0; y
 * with it. */
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
      perp_axpy(s->n, step, s->A + i * s->ld, c->y);
      c->point[i] = c->e.x[i];
    }
  }
}

/* B, of which nothing left of the diagonal is read in the first rows. */
KERNEL void write_system(small *s)
{
  const int k = s->k, *rows = s->rows;
  const double *y = s->c.y;
  double *row = s->B[0];
  for (int r = 0; r < k; r++, row += WIDTH) {
    const double *a = s->A + rows[r] * s->ld;
    perp_row_gather(row, a, rows, r < s->plain ? r & ~3 : 0, k, -y[rows[r]]);
  }
  for (int f = 0; f < s->follow; f++) {
    const double *a = s->A + rows[k + f] * s->ld; /* its column, A being symmetric */
    const double ratio = s->ratio[f];
    double *column = s->B[0] + s->columns[f];
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

/* z for place p of C, all places before which are eliminated. */
KERNEL void find_null(small *s, int p)
{
  s->pressed = p;
  for (int r = p - 1; r >= 0; r--) {
    const double *row = s->B[r];
    double sum = row[p];
    for (int q = r + 1; s->k > ALONE && q < p; q++)
      sum += row[q] * s->null[q];
    s->null[r] = -sum * s->inverse[r];
  }
}

/* The pivots of rows from .. to - 1, each row less what those above make of it, and in few rows also
 * what those below do. False where a pivot is negative, which friction can bring about. */
KERNEL bool factor_panel(small *s, int from, int to)
{
  const int k = s->k, plain = s->plain;
  for (int p = from; p < to; p++) {
    const double *top = s->B[p];
    const double pivot = top[p], least = 1e-10 * s->diagonal[s->rows[p]];
    if (!(pivot > least) && !(fabs(pivot) <= least && least > 0))
      return false;
    const double inverse = s->inverse[p] = pivot > least ? 1 / pivot : 0;
    if (inverse == 0 && s->pressed < 0 && top[k] > s->slack && s->c.p->K.findex[s->rows[p]] < 0)
      find_null(s, p);
    int i = p + 1;
    for (; i < to && i < plain; i++)
      perp_row_subtract(s->B[i], top[i] * inverse, top, i & ~3, k);
    for (; i < to; i++)
      perp_row_subtract(s->B[i], s->B[i][p] * inverse, top, (p + 1) & ~3, k);
    for (i = 0; k <= ALONE && i < p; i++)
      perp_row_subtract(s->B[i], s->B[i][p] * inverse, top, (p + 1) & ~3, k);
  }
  return true;
}

/* Row i less what a whole panel makes of it. */
KERNEL void apply_panel(small *s, int from, int i)
{
  const double *t0 = s->B[from], *t1 = t0 + WIDTH, *t2 = t1 + WIDTH, *t3 = t2 + WIDTH;
  const double *inverse = s->inverse + from;
  if (i >= s->plain) {
    const double *r = s->B[i];
    const int a = from + 1, b = from + 2, c = from + 3;
    double f[PANEL];
    f[0] = r[from] * inverse[0];
    f[1] = (r[a] - f[0] * t0[a]) * inverse[1];
    f[2] = (r[b] - f[0] * t0[b] - f[1] * t1[b]) * inverse[2];
    f[3] = (r[c] - f[0] * t0[c] - f[1] * t1[c] - f[2] * t2[c]) * inverse[3];
    subtract_four(s->B[i], f, t0, from + PANEL, s->k);
  } else {
    const double f[PANEL] = {t0[i] * inverse[0], t1[i] * inverse[1], t2[i] * inverse[2],
                             t3[i] * inverse[3]};
    subtract_four(s->B[i], f, t0, i & ~3, s->k);
  }
}

/* The triangle from below, two rows at a time, so that what is stored is read again as it was. */
KERNEL void substitute_back(small *s)
{
  const int k = s->k;
  double *step = s->step;
  for (int p = 0; k <= ALONE && p < k; p++)
    step[p] = s->B[p][k] * s->inverse[p];
  if (k <= ALONE)
    return;
  for (int p = (k - 1) & ~1; p >= 0; p -= 2) {
    const double *u = s->B[p], *v = u + WIDTH;
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

/* Into `step`. */
KERNEL bool solve_system(small *s)
{
  const int k = s->k;
  s->pressed = -1;
  for (int from = 0, to; from < k; from = to) {
    to = from + PANEL < k && k > ALONE ? from + PANEL : k;
    if (!factor_panel(s, from, to))
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
    const double *a0 = s->A + rows[k] * s->ld, *a1 = s->A + rows[k + 1] * s->ld;
    const double *a2 = s->A + rows[k + 2] * s->ld, *a3 = s->A + rows[k + 3] * s->ld;
    const double s0 = step[k], s1 = step[k + 1], s2 = step[k + 2], s3 = step[k + 3];
    for (int j = 0; j < n; j++)
      y[j] += (s0 * a0[j] + s1 * a1[j]) + (s2 * a2[j] + s3 * a3[j]);
  }
  for (; k < count; k++)
    perp_axpy(n, step[k], s->A + rows[k] * s->ld, y);
}

/* The step goes on along z, until a normal is past its bound. */
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

/* The point goes to x, and y with it. Returns whether x is 0. */
KERNEL bool place(small *s, const double *x)
{
  perp_coupling *c = &s->c;
  bool cold = true;
  perp_copy(s->n, x, c->point);
  perp_copy(s->n, s->b, c->y);
  for (int i = 0; i < s->n; i++)
    if (x[i] != 0) {
      cold = false;
      perp_axpy(s->n, x[i], s->A + i * s->ld, c->y);
    }
  return cold;
}

/* Returns whether x is 0. */
static bool begin(small *s, const double *x)
{
  perp_coupling_take_rows(&s->c, s->A, s->ld);
  for (int i = 0; i < s->n; i++)
    s->diagonal[i] = s->A[i * (s->ld + 1)];
  return place(s, x);
}

bool perp_coupling_is_small(perp_run *run, perp_few *few)
{
  const perp_set *K = &run->problem->K;
  return K->n <= MOST && K->findex && perp_few_open(run, few) && few->symmetric;
}

/* Block pivots from what was examined, with that residual, until one is a solution or they are too
 * many. Returns the residual. */
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
    residual = perp_coupling_look(&s->c, false);
  }
  run->count.factorisations += step;
  run->count.solves += step;
  return residual;
}

/* From the start x: sweeps, x_i <- P_i(x_i - y_i / A_ii), y <- y + A_.i (change of x_i). */
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
        perp_axpy(n, step, s->A + i * s->ld, y);
    }
  run->count.sweeps += sweeps;
  return perp_coupling_look(c, false);
}

/* Block pivots, and if they do not end soon, again from where sweeps lead. */
KERNEL double pivot(small *s, perp_run *run, int steps, const double *x, double residual)
{
  enum { SOON = 6, FIRST_SWEEPS = 4, MOST_SWEEPS = 36 };
  s->slack = run->target;
  residual = pivot_blocks(s, run, steps < SOON ? steps : SOON, residual);
  for (int sweeps = FIRST_SWEEPS; sweeps <= MOST_SWEEPS && steps > 0 && residual > run->target;
       sweeps *= 3)
    residual = pivot_blocks(s, run, steps, sweep_from(s, run, x, sweeps));
  return residual;
}

#ifdef PERP_WIDE
PERP_WIDE static double pivot_wide(small *s, perp_run *run, int steps, const double *x,
                                   double residual)
{
  return pivot(s, run, steps, x, residual);
}
#endif

static double pivot_here(small *s, perp_run *run, int steps, const double *x, double residual)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return pivot_wide(s, run, steps, x, residual);
#endif
  return pivot(s, run, steps, x, residual);
}

/* The arrays of an examination, which the caller has. */
typedef struct room {
  int side[MOST];
  double vectors[6][MOST];
} room;

static void open(const perp_problem *p, const perp_few *few, small *s, room *r)
{
  s->n = p->K.n;
  s->b = p->b;
  s->A = few->a;
  s->ld = few->stride;
  perp_coupling *c = &s->c;
  c->p = p, c->e.n = s->n, c->side = r->side;
  c->point = r->vectors[0], c->y = r->vectors[1], c->e.x = r->vectors[2];
  c->relax = r->vectors[3], c->lo = r->vectors[4], c->hi = r->vectors[5];
}

/* The same as perp_coupling_look at x = 0, in one pass with what begin does. */
static void begin_cold(small *s)
{
  perp_coupling *c = &s->c;
  const perp_set *K = &c->p->K;
  c->changes = s->n; /* of sides that nobody has chosen yet */
  for (int i = 0; i < s->n; i++) {
    const double a = s->A[i * (s->ld + 1)], y = s->b[i];
    const double relax = a == 0 ? 1 : 1 / fabs(a);
    const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
    const bool held = K->findex[i] >= 0;
    const int side = held ? PERP_SIDE_HELD : (int)perp_side_guess(-y * relax, lo, hi);
    s->diagonal[i] = a;
    c->relax[i] = relax;
    c->lo[i] = lo;
    c->hi[i] = hi;
    c->side[i] = side;
    c->point[i] = 0;
    c->y[i] = y;
    c->e.x[i] = held ? 0 : side == -1 ? lo : side == 1 ? hi : perp_clamp(0, lo, hi);
  }
}

bool perp_coupling_few(perp_run *run, const perp_few *few, int steps, double residual, double *x)
{
  small s;
  room r;
  open(run->problem, few, &s, &r);
  begin_cold(&s);
  if (!(pivot_here(&s, run, steps, x, residual) <= run->target))
    return false;
  perp_copy(s.n, s.c.point, x);
  run->count.iterations = 1;
  return true;
}

bool perp_coupling_small(perp_run *run, const perp_few *few, int steps, double *x)
{
  small s;
  room r;
  open(run->problem, few, &s, &r);
  double residual = perp_coupling_look(&s.c, begin(&s, x));
  if (!perp_run_next_iterate(run, perp_iterate_measured(x, residual)))
    return false;
  residual = pivot_here(&s, run, steps, x, residual);
  if (!(residual <= run->target))
    return true;
  perp_copy(s.n, s.c.point, x);
  return perp_run_next_iterate(run, perp_iterate_measured(x, residual));
}
