/* coupling_small.c: block pivots with friction for a handful of rows, all on the stack
 *
 * The step is that of coupling.c; with a dozen rows its time goes into everything but arithmetic.
 * Here the system of the sets is written out as one dense matrix,
 *
 *   B = A_CC + U,   B d = -y_C,   x_C <- x_C + d,   x_f <- c_f x_j(f),
 *
 * and eliminated down its diagonal without exchanges. A pivot that is rounding belongs to a row that
 * depends on those before it: it stays where it is, d = 0. Nothing else is made safe: what does not
 * end at a solution in a few steps is left to the general way.
 *
 * Cost of a step: k^3/3 + 2 n k. Workspace: 9 KB on the stack. */
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/coupling.h"
#include "problem/set.h"

enum { MOST = PERP_COUPLING_FEW, WIDTH = MOST + 2 };

typedef struct small {
  perp_coupling c; /* what perp_coupling_examine reads and writes, and no more */
  const double *A;
  int64_t ld;
  int n, k;
  int C[MOST], place[MOST];
  double B[MOST][WIDTH]; /* and the right-hand side in column k */
} small;

static bool is_symmetric(int n, const double *A, int64_t ld)
{
  bool same = true;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      same = same & (A[i * ld + j] == A[j * ld + i]);
  return same;
}

/* y <- y + step (row i of A) */
static void add_row(const small *s, int i, double step)
{
  if (step != 0)
    perp_axpy(s->n, step, s->A + i * s->ld, s->c.y);
}

/* The point goes to where the sides say, y with it; C and its places. */
static void take_sides(small *s)
{
  perp_coupling *c = &s->c;
  s->k = 0;
  for (int i = 0; i < s->n; i++) {
    s->place[i] = c->side[i] == 0 ? s->k : -1;
    if (c->side[i] == 0)
      s->C[s->k++] = i;
    add_row(s, i, c->e.x[i] - c->point[i]);
    c->point[i] = c->e.x[i];
  }
}

/* c_f for a friction row at a bound that moves with a normal of C, else 0. */
static double ratio_of(const small *s, int i)
{
  const perp_coupling *c = &s->c;
  const int j = c->p->K.findex[i];
  if (j < 0 || (c->side[i] != -1 && c->side[i] != 1) || s->place[j] < 0)
    return 0;
  const double bound = c->side[i] < 0 ? c->lo[i] : c->hi[i];
  return isinf(bound) ? 0 : c->point[j] < 0 ? -bound : bound;
}

/* Returns whether some friction follows its normal. */
static bool write_system(small *s)
{
  const int k = s->k;
  for (int r = 0; r < k; r++) {
    const double *a = s->A + s->C[r] * s->ld;
    for (int q = 0; q < k; q++)
      s->B[r][q] = a[s->C[q]];
    s->B[r][k] = -s->c.y[s->C[r]];
  }
  bool follows = false;
  for (int i = 0; i < s->n; i++) {
    const double ratio = s->c.side[i] == 0 ? 0 : ratio_of(s, i);
    if (ratio == 0)
      continue;
    const int q = s->place[s->c.p->K.findex[i]];
    const double *a = s->A + i * s->ld; /* its column, A being symmetric */
    for (int r = 0; r < k; r++)
      s->B[r][q] += ratio * a[s->C[r]];
    follows = true;
  }
  return follows;
}

/* d into column k of B. False where a pivot is negative, which friction can bring about. */
static bool solve_system(small *s)
{
  const int k = s->k;
  for (int p = 0; p < k; p++) {
    const double *top = s->B[p];
    const double pivot = top[p], size = s->A[s->C[p] * (s->ld + 1)];
    if (!(pivot > 1e-10 * size)) {
      if (!(size > 0) || !(fabs(pivot) <= 1e-10 * size))
        return false;
      for (int i = 0; i < k; i++)
        s->B[i][p] = 0; /* d_p = 0 */
      for (int q = p; q <= k; q++)
        s->B[p][q] = 0;
      continue;
    }
    const double inverse = 1 / pivot;
    s->B[p][p] = inverse;
    for (int i = p + 1; i < k; i++) {
      const double factor = s->B[i][p] * inverse;
      for (int q = p + 1; q <= k; q++)
        s->B[i][q] -= factor * top[q];
    }
  }
  for (int p = k - 1; p >= 0; p--) {
    const double d = s->B[p][k] *= s->B[p][p];
    for (int i = 0; i < p; i++)
      s->B[i][k] -= s->B[i][p] * d;
  }
  return true;
}

static void move(small *s, bool follows)
{
  perp_coupling *c = &s->c;
  for (int r = 0; r < s->k; r++) {
    add_row(s, s->C[r], s->B[r][s->k]);
    c->point[s->C[r]] += s->B[r][s->k];
  }
  for (int i = 0; i < s->n && follows; i++) {
    const double ratio = c->side[i] == 0 ? 0 : ratio_of(s, i);
    if (ratio == 0)
      continue;
    const double to = ratio * c->point[c->p->K.findex[i]];
    add_row(s, i, to - c->point[i]);
    c->point[i] = to;
  }
}

bool perp_coupling_small(perp_run *run, const perp_problem *p, int steps, double *x, double *y)
{
  small s;
  int side[MOST];
  double lo[MOST], hi[MOST], relax[MOST], point[MOST], next[MOST];
  s.n = p->K.n;
  if (s.n > MOST || !p->K.findex || perp_operator_dense_array(p->A, &s.A, &s.ld) != PERP_OK ||
      !is_symmetric(s.n, s.A, s.ld))
    return false;
  perp_coupling *c = &s.c;
  c->run = run, c->p = p, c->e.n = s.n, c->e.x = next;
  c->point = point, c->y = y, c->side = side, c->lo = lo, c->hi = hi, c->relax = relax;
  bool cold = true;
  perp_copy(s.n, p->b, y);
  for (int i = 0; i < s.n; i++) {
    const double a = s.A[i * (s.ld + 1)];
    side[i] = 2;
    lo[i] = perp_set_lo(&p->K, i);
    hi[i] = perp_set_hi(&p->K, i);
    relax[i] = a > 0 ? 1 / a : 1;
    point[i] = x[i];
    cold = cold && x[i] == 0;
    add_row(&s, i, x[i]);
  }
  double residual = perp_coupling_examine(c, cold), before = INFINITY;
  int step = 0;
  for (; step < steps && residual > 1e-12 * run->scale &&
         !(residual <= run->target && residual > 0.1 * before);
       step++) {
    before = residual;
    take_sides(&s);
    const bool follows = write_system(&s);
    if (!solve_system(&s))
      break;
    move(&s, follows);
    residual = perp_coupling_examine(c, false);
  }
  run->count.factorisations += step;
  run->count.solves += step;
  if (!(residual <= run->target))
    return false;
  perp_copy(s.n, point, x);
  return true;
}
