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
 * rounding belongs to a row that depends on those before it: its x stays 0. Where the sets are
 * those of the step before, x stays and what is solved for is its change, which refines it. Nothing
 * else is made safe: what does not end at a solution in a few steps is left to the general way.
 *
 * Cost of a step: k^3/6 + k^2 m/2 + 2 n k, m normals followed. Workspace: 40 KB on the stack. */
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/dantzig/coupling.h"
#include "set/set.h"

/* Up to ALONE rows are eliminated one by one, above the diagonal as well: substitution, in which all
 * waits for the row before, would take longer. */
enum { MOST = PERP_COUPLING_FEW, WIDTH = MOST + 2, PANEL = 4, ALONE = 10 };

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
  perp_span span[MOST];
  double diagonal[MOST]; /* of A */
  double inverse[MOST];  /* of the pivots */
  /* and the right-hand side in column k, and 0 behind it where k is even: all is read in pairs */
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
static void collect(small *s)
{
  const perp_coupling *c = &s->c;
  const int *findex = c->p->K.findex;
  int follower[MOST], place[MOST];
  s->k = s->follow = 0;
  memset(place, 0, (size_t)s->n * sizeof *place);
  for (int i = 0; i < s->n; i++) {
    const double ratio = c->side[i] == 0 ? 0 : ratio_of(c, findex, i);
    if (ratio != 0) {
      place[findex[i]] = 1;
      follower[s->follow] = i;
      s->ratio[s->follow++] = ratio;
    }
  }
  for (int i = 0; i < s->n; i++) {
    s->rows[s->k] = i;
    s->k += (c->side[i] == 0) & (place[i] == 0);
  }
  s->plain = s->k;
  for (int i = 0; i < s->n && s->follow > 0; i++)
    if (place[i]) {
      place[i] = s->k;
      s->rows[s->k++] = i;
    }
  for (int f = 0; f < s->follow; f++) {
    s->rows[s->k + f] = follower[f];
    s->columns[f] = place[findex[follower[f]]];
  }
}

/* The point goes to where the sides say, but for the rows that are solved for, which go to 0; y
 * with it. */
static void take_sides(small *s)
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
static void write_system(small *s)
{
  const int k = s->k, *rows = s->rows;
  const double *y = s->c.y;
  double *row = s->B[0];
  for (int r = 0; r < k; r++, row += WIDTH) {
    const double *a = s->A + rows[r] * s->ld;
    const double right = -y[rows[r]];
    int q = r < s->plain ? r & ~1 : 0;
    for (; q + 2 <= k; q += 2)
      *(perp_two *)(row + q) = (perp_two){a[rows[q]], a[rows[q + 1]]};
    *(perp_two *)(row + q) = q < k ? (perp_two){a[rows[q]], right} : (perp_two){right, 0};
  }
  for (int f = 0; f < s->follow; f++) {
    const double *a = s->A + rows[k + f] * s->ld; /* its column, A being symmetric */
    const double ratio = s->ratio[f];
    double *column = s->B[0] + s->columns[f];
    for (int r = 0; r < k; r++, column += WIDTH)
      *column += ratio * a[rows[r]];
  }
}

/* row <- row - factor top from column q, which is even, to the right-hand side. */
static inline void subtract(const double *top, double factor, int q, int k, double *row)
{
  for (; q <= k; q += 2)
    *(perp_two *)(row + q) = perp_two_at(row + q) - factor * perp_two_at(top + q);
}

/* The same for four rows in one pass. */
static inline void subtract_four(const double *top, const double f[4], int q, int k, double *row)
{
  const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  const double *t0 = top, *t1 = t0 + WIDTH, *t2 = t1 + WIDTH, *t3 = t2 + WIDTH;
  for (; q <= k; q += 2)
    *(perp_two *)(row + q) =
        perp_two_at(row + q) - ((f0 * perp_two_at(t0 + q) + f1 * perp_two_at(t1 + q)) +
                                (f2 * perp_two_at(t2 + q) + f3 * perp_two_at(t3 + q)));
}

/* The pivots of rows from .. to - 1, each row less what those above make of it, and in few rows also
 * what those below do. False where a pivot is negative, which friction can bring about. */
static bool factor_panel(small *s, int from, int to)
{
  const int k = s->k, plain = s->plain;
  for (int p = from; p < to; p++) {
    const double *top = s->B[p];
    const double pivot = top[p], least = 1e-10 * s->diagonal[s->rows[p]];
    if (!(pivot > least) && !(fabs(pivot) <= least && least > 0))
      return false;
    const double inverse = s->inverse[p] = pivot > least ? 1 / pivot : 0;
    int i = p + 1;
    for (; i < to && i < plain; i++)
      subtract(top, top[i] * inverse, i & ~1, k, s->B[i]);
    for (; i < to; i++)
      subtract(top, s->B[i][p] * inverse, (p + 1) & ~1, k, s->B[i]);
    for (i = 0; k <= ALONE && i < p; i++)
      subtract(top, s->B[i][p] * inverse, (p + 1) & ~1, k, s->B[i]);
  }
  return true;
}

/* Row i less what a whole panel makes of it. */
static void apply_panel(small *s, int from, int i)
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
    subtract_four(t0, f, from + PANEL, s->k, s->B[i]);
  } else {
    const double f[PANEL] = {t0[i] * inverse[0], t1[i] * inverse[1], t2[i] * inverse[2],
                             t3[i] * inverse[3]};
    subtract_four(t0, f, i & ~1, s->k, s->B[i]);
  }
}

/* The triangle from below, two rows at a time, so that what is stored is read again as it was. */
static void substitute_back(small *s)
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
static bool solve_system(small *s)
{
  const int k = s->k;
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

static void move(small *s)
{
  perp_coupling *c = &s->c;
  for (int r = 0; r < s->k; r++)
    c->point[s->rows[r]] += s->step[r];
  for (int f = 0; f < s->follow; f++) {
    const int i = s->rows[s->k + f];
    const double to = s->ratio[f] * c->point[c->p->K.findex[i]];
    s->step[s->k + f] = to - c->point[i];
    c->point[i] = to;
  }
  perp_rows_combine(s->k + s->follow, s->rows, s->step, s->A, s->ld, s->span, c->y);
}

/* Returns whether x is 0. */
static bool begin(small *s, const perp_problem *p, const double *x)
{
  perp_coupling *c = &s->c;
  bool cold = true;
  perp_coupling_take_rows(c, s->A, s->ld);
  perp_copy(s->n, x, c->point);
  perp_copy(s->n, p->b, c->y);
  for (int i = 0; i < s->n; i++) {
    s->diagonal[i] = s->A[i * (s->ld + 1)];
    s->span[i] = (perp_span){0, s->n};
    if (x[i] != 0) {
      cold = false;
      perp_axpy(s->n, x[i], s->A + i * s->ld, c->y);
    }
  }
  return cold;
}

bool perp_coupling_is_small(const perp_problem *p)
{
  const double *A;
  int64_t ld;
  return p->K.n <= MOST && p->K.findex && p->A->symmetric &&
         perp_operator_dense_array(p->A, &A, &ld) == PERP_OK;
}

bool perp_coupling_small(perp_run *run, const perp_problem *p, int steps, double *x)
{
  small s;
  int side[MOST];
  double vectors[6][MOST];
  s.n = p->K.n;
  s.b = p->b;
  perp_operator_dense_array(p->A, &s.A, &s.ld);
  perp_coupling *c = &s.c;
  c->p = p, c->e.n = s.n, c->side = side;
  c->point = vectors[0], c->y = vectors[1], c->e.x = vectors[2], c->relax = vectors[3];
  c->lo = vectors[4], c->hi = vectors[5];
  double residual = perp_coupling_examine(c, begin(&s, p, x)), before = INFINITY;
  if (!perp_run_next_known(run, x, residual))
    return false;
  int step = 0;
  for (; step < steps && residual > 1e-12 * run->scale &&
         !(residual <= run->target && residual > 0.1 * before);
       step++) {
    before = residual;
    take_sides(&s);
    write_system(&s);
    if (!solve_system(&s))
      break;
    move(&s);
    residual = perp_coupling_examine(c, false);
  }
  run->count.factorisations += step;
  run->count.solves += step;
  if (!(residual <= run->target))
    return true;
  perp_copy(s.n, c->point, x);
  return perp_run_next_known(run, x, residual);
}
