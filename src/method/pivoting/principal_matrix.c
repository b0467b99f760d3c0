/* principal_matrix.c: the dense symmetric matrix that principal pivoting works on, and its memory
 *
 * A dense symmetric A is used in place. Other kinds are copied row by row. A that is unsymmetric by
 * no more than a tenth, |A_ij - A_ji| <= 0.1 sqrt(A_ii A_jj), gives its symmetric part; dantzig and
 * baraff treat the rest. */
#include "linalg/vector.h"
#include "method/pivoting/principal.h"
#include "method/run/factor_cache.h"

#include <float.h>

enum { TILE = 8 };

/* Returns true if the tiles of A at (i0, j0) and (j0, i0) are 0. */
static bool is_empty(int n, const perp_span *span, int i0, int j0)
{
  for (int i = i0; i < n && i < i0 + TILE; i++)
    if (span[i].begin < j0 + TILE)
      return false;
  for (int j = j0; j < n && j < j0 + TILE; j++)
    if (span[j].end > i0)
      return false;
  return true;
}

/* Returns max |A_ij - A_ji| / sqrt(A_ii A_jj) and its pair (i, j). */
static double asymmetry(perp_run *run, int n, const double *a, int64_t ld, const perp_span *span,
                        const double *root, int *row, int *column)
{
  double worst = 0;
  for (int i0 = 0; i0 < n && !perp_run_expired_at(run, i0 + TILE - 1); i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE) {
      if (is_empty(n, span, i0, j0))
        continue;
      for (int i = i0; i < n && i < i0 + TILE; i++)
        for (int j = j0; j < i && j < j0 + TILE; j++) {
          if (a[i * ld + j] == a[j * ld + i])
            continue;
          const double difference = fabs(a[i * ld + j] - a[j * ld + i]);
          if (difference > worst * (root[i] * root[j])) {
            worst = difference / (root[i] * root[j]);
            *row = i, *column = j;
          }
        }
    }
  return worst;
}

static double *matrix(perp_run *run, int64_t ld, bool zero)
{
  const size_t n = (size_t)run->problem->K.n, row = (size_t)ld * sizeof(double);
  return zero ? perp_arena_alloc_zero(run->arena, n, row) : perp_arena_alloc(run->arena, n, row);
}

/* The matrix and its facts, valid while the numbers of A are unchanged. */
typedef struct matrices {
  perp_keep keep; /* first */
  const double *A, *A_true;
  int64_t ld;
  double *root;
  perp_span *span;
  double
      worst; /* largest difference of A_ij and A_ji, relative to sqrt(A_ii A_jj), and its place */
  int row, column;
} matrices;

static void find_spans(perp_run *run, int n, matrices *k)
{
  for (int i = 0; i < n && !perp_run_expired_at(run, i); i++)
    k->span[i] = perp_span_of(n, k->A + i * k->ld);
}

/* Sets A and A_true: borrowed, copied, or symmetric part and the whole. */
static perp_error open_matrices(perp_run *run, const void *plan, void **state)
{
  (void)plan;
  const perp_operator *A = run->problem->A;
  const int n = A->n;
  matrices *k = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *k);
  if (!k || !PERP_TAKE(run->arena, PERP_ARRAY(k->root, n), PERP_ARRAY(k->span, n)))
    return perp_run_no_memory(run);
  if (perp_operator_dense_array(A, &k->A_true, &k->ld) != PERP_OK) {
    k->ld = ((int64_t)n + 7) / 8 * 8;
    double *copy = matrix(run, k->ld, true);
    if (!copy || !perp_operator_fill_dense(A, run->arena, perp_run_alarm(run), copy, k->ld))
      return perp_run_no_memory(run);
    if (perp_run_expired(run))
      return PERP_OK;
    k->A_true = copy;
  }
  for (int i = 0; i < n; i++)
    k->root[i] = sqrt(fabs(k->A_true[i * (k->ld + 1)]));
  k->A = k->A_true;
  find_spans(run, n, k);
  if (!A->symmetric && !perp_run_expired(run))
    k->worst = asymmetry(run, n, k->A_true, k->ld, k->span, k->root, &k->row, &k->column);
  if (k->worst > 16 * DBL_EPSILON && k->worst <= PERP_PRINCIPAL_APART) {
    double *half = matrix(run, k->ld, false);
    if (!half)
      return perp_run_no_memory(run);
    for (int r = 0; r < n && !perp_run_expired_at(run, r); r++)
      for (int c = 0; c < n; c++)
        half[r * k->ld + c] = 0.5 * (k->A_true[r * k->ld + c] + k->A_true[c * k->ld + r]);
    k->A = half;
    find_spans(run, n, k);
  }
  k->keep.whole = !perp_run_expired(run);
  return PERP_OK;
}

static bool reopen_matrices(void *state, perp_run *run, const void *plan, bool holds)
{
  (void)run, (void)plan;
  return holds && ((const matrices *)state)->keep.whole;
}

static const perp_keeper keeper = {open_matrices, reopen_matrices, NULL};
static const char principal_maker; /* its address identifies the factor in the solver's cache */

bool perp_principal_affords(perp_run *run)
{
  enum { LOOKING = 2, COPYING = 16 /* flops per entry read from memory */ };
  const double n = run->problem->K.n;
  const double *a;
  int64_t ld;
  const bool dense = perp_operator_dense_array(run->problem->A, &a, &ld) == PERP_OK;
  if (perp_run_affords(run, (dense ? LOOKING : COPYING) * n * n))
    return true;
  perp_run_too_long(run, "a dense matrix", run->problem->K.n);
  return false;
}

perp_error perp_principal_create(perp_run *run, double *x, double apart, perp_principal *e)
{
  const int n = run->problem->K.n;
  const double bytes = 2.0 * n * n * sizeof(double);
  if (run->options->memory_limit > 0 && bytes > (double)run->options->memory_limit)
    return perp_run_fail(run, PERP_ERROR_MEMORY,
                         "a dense matrix and its factor, n = %d, take %.0f bytes, more than the "
                         "limit of %zu",
                         n, bytes, run->options->memory_limit);
  *e = (perp_principal){.run = run, .n = n, .x = x};
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &e->b, &e->lo, &e->hi, &e->w, &e->slack, &e->d,
                       &e->full, &e->dw, &e->ray) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(e->list, n), PERP_ARRAY(e->state, n)))
    return perp_run_no_memory(run);
  void *state;
  const perp_error error = perp_keep_open(run, &keeper, &keeper, NULL, &state);
  if (error || perp_run_expired(run))
    return error;
  const matrices *k = state;
  const int64_t i = k->row, j = k->column, ld = k->ld;
  e->A = k->A, e->A_true = k->A_true, e->ld = ld, e->root = k->root, e->span = k->span;
  perp_keep_close(&keeper, run, state);
  if (!(k->worst <= apart))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "the matrix must be symmetric: A[%d][%d] = %g, A[%d][%d] = %g", (int)i,
                         (int)j, e->A_true[i * ld + j], (int)j, (int)i, e->A_true[j * ld + i]);
  e->kept = perp_active_open(run, &principal_maker, e->A, e->ld, &e->active);
  if (!e->kept)
    return perp_run_no_memory(run);
  perp_copy(n, run->problem->b, e->b);
  perp_fill(n, 0, e->full);
  return PERP_OK;
}

void perp_principal_offer(perp_principal *e)
{
  if (e->A == e->A_true)
    perp_active_offer(e->kept, e->run, &e->active);
}
