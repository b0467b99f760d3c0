/* lengths.c: step lengths r from the matrix; see prox.c
 *
 * r* costs up to LANCZOS_STEPS products with A and as many with its transpose, and as many vectors;
 * D a pass over the rows of A, if it has rows. */
#include "method/prox/lengths.h"

#include "base/elementary.h"
#include "linalg/eigen.h"
#include "linalg/vector.h"

#include <math.h>

enum { LANCZOS_STEPS = 40 };

/* y <- (A + A^T) x / 2; A x if A has no product with its transpose */
typedef struct product {
  perp_run *run;
  double *room;
} product;

static void multiply(void *context, const double *x, double *y)
{
  const product *m = context;
  const perp_operator *A = m->run->problem->A;
  perp_run_apply(m->run, x, y);
  if (!A->table->apply_t)
    return;
  A->table->apply_t(A, x, m->room, &m->run->work);
  m->run->count.applies++;
  for (int i = 0; i < A->n; i++)
    y[i] = 0.5 * (y[i] + m->room[i]);
}

perp_error perp_prox_star(perp_run *run, double zeta, double *star)
{
  const int n = run->problem->K.n;
  const int steps = n < LANCZOS_STEPS ? n : LANCZOS_STEPS;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  product m = {run, perp_run_reals(run, (size_t)n)};
  double *work = perp_run_reals(run, (size_t)perp_lanczos_work(n, steps, true));
  if (!m.room || !work)
    return perp_run_no_memory(run);
  const perp_lanczos e = perp_lanczos_extremes(n, multiply, &m, steps, true, 1e-3, work);
  perp_arena_release(run->arena, mark);
  const double sum = e.eigen_max + perp_max(e.eigen_min, 0) + 2 * zeta;
  if (!e.finite || !(sum > 0))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "prox: no r* for a matrix whose largest eigenvalue is %g", e.eigen_max);
  *star = 2 / sum;
  return PERP_OK;
}

/* A_ii, or 0 if it is below the rounding of its row. */
static double clean_diagonal(const perp_operator *A, int i, double diagonal, int *column,
                             double *value)
{
  double largest = 0;
  const int count = A->table->row(A, i, column, value);
  for (int k = 0; k < count; k++)
    largest = perp_max(largest, fabs(value[k]));
  return diagonal > 1e-12 * largest && diagonal < INFINITY ? diagonal : 0;
}

/* The substitute for an A_ii that is not positive: the value that elimination of the other rows
 * would give, sum_j A_ij^2 / A_jj. An example is a multiplier of a friction pyramid. */
static double borrowed_diagonal(const perp_operator *A, int i, const double *diagonal, int *column,
                                double *value)
{
  double sum = 0;
  const int count = A->table->row(A, i, column, value);
  for (int k = 0; k < count; k++)
    if (diagonal[column[k]] > 0)
      sum += value[k] * value[k] / diagonal[column[k]];
  return sum;
}

/* The largest eigenvalue of the symmetric part of the block of a cone. */
static double cone_size(const perp_operator *A, int c, int *position, double largest)
{
  if (!A->table->principal)
    return largest * 3; /* no less than the trace, which bounds it */
  const int S[3] = {3 * c, 3 * c + 1, 3 * c + 2};
  double W[9], eigen[3], work[9];
  A->table->principal(A, 3, S, position, W);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      W[3 * i + j] = W[3 * j + i] = 0.5 * (W[3 * i + j] + W[3 * j + i]);
  return perp_eigen_symmetric(3, W, 3, eigen, NULL, work) ? eigen[2] : largest * 3;
}

/* Rows without a positive number take the mean of the others. */
perp_error perp_prox_diagonal(perp_run *run, double zeta, double *d)
{
  const perp_operator *A = run->problem->A;
  const int n = A->n, cones = run->problem->K.cones;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  double *diagonal = perp_run_reals(run, (size_t)n);
  double *value = perp_run_reals(run, (size_t)A->row_capacity);
  int *column = perp_run_integers(run, (size_t)A->row_capacity);
  int *position = perp_run_integers(run, (size_t)n);
  if (!diagonal || !value || !column || !position)
    return perp_run_no_memory(run);
  if (perp_operator_diagonal(A, diagonal))
    perp_fill(n, 0, diagonal);
  for (int i = 0; A->table->row && i < n && !perp_run_expired_at(run, i); i++)
    diagonal[i] = clean_diagonal(A, i, diagonal[i], column, value);
  double sum = 0;
  int positive = 0;
  const bool time = !perp_run_expired(run);
  for (int i = 0; i < n; i++) {
    position[i] = -1;
    d[i] = diagonal[i];
    if (!(d[i] > 0) && A->table->row && i >= 3 * cones && time)
      d[i] = borrowed_diagonal(A, i, diagonal, column, value);
    if (d[i] > 0 && d[i] < INFINITY) {
      sum += d[i];
      positive++;
    }
  }
  for (int c = 0; c < cones && !perp_run_expired_at(run, c); c++) {
    const double largest = perp_max(d[3 * c], perp_max(d[3 * c + 1], d[3 * c + 2]));
    d[3 * c] = d[3 * c + 1] = d[3 * c + 2] = cone_size(A, c, position, largest);
  }
  const double mean = positive > 0 && sum < INFINITY ? sum / positive : 1;
  for (int i = 0; i < n; i++)
    d[i] = 1 / ((d[i] > 0 && d[i] < INFINITY ? d[i] : mean) + zeta);
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}
