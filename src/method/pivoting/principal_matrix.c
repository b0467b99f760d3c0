/* principal_matrix.c: the dense symmetric matrix that principal pivoting works on, and its memory
 *
 * A dense symmetric A is used in place. Other kinds are copied row by row. A that is unsymmetric by
 * no more than a tenth, |A_ij - A_ji| <= 0.1 sqrt(A_ii A_jj), gives its symmetric part; the methods
 * treat the rest. */
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

/* Returns true if a whole tile off the diagonal equals its mirror image; compares two by two
 * numbers at a time. */
static bool is_mirrored(const double *a, int64_t ld, int i0, int j0)
{
  perp_two_bits differs = {0};
  for (int i = i0; i < i0 + TILE; i += 2)
    for (int j = j0; j < j0 + TILE; j += 2) {
      const perp_two u = perp_two_at(a + i * ld + j), v = perp_two_at(a + (i + 1) * ld + j);
      const perp_two s = perp_two_at(a + j * ld + i), t = perp_two_at(a + (j + 1) * ld + i);
      differs |= (perp_two_bits)(u != (perp_two){s[0], t[0]});
      differs |= (perp_two_bits)(v != (perp_two){s[1], t[1]});
    }
  return (differs[0] | differs[1]) == 0;
}

/* Returns max |A_ij - A_ji| / sqrt(A_ii A_jj) and its pair (i, j). */
static double asymmetry(perp_run *run, int n, const double *a, int64_t ld, const perp_span *span,
                        const double *root, int *row, int *column)
{
  double worst = 0;
  for (int i0 = 0; i0 < n && !perp_run_expired_at(run, i0 + TILE - 1); i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE) {
      if (is_empty(n, span, i0, j0) || (j0 < i0 && i0 + TILE <= n && is_mirrored(a, ld, i0, j0)))
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

/* Writes A by rows, columns or products into zeros. */
static perp_error assemble(perp_run *run, double *a, int64_t ld)
{
  const perp_operator *A = run->problem->A;
  const int n = A->n;
  const bool apply = !A->table->row && !A->table->column;
  const size_t room = (size_t)(apply ? n : A->row_capacity);
  int *index;
  double *value, *unit;
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(index, room), PERP_ARRAY(value, room),
                      PERP_ARRAY(unit, apply ? n : 0)))
    return perp_run_no_memory(run);
  for (int k = 0; k < n && !(apply ? perp_run_expired(run) : perp_run_expired_at(run, k)); k++) {
    if (apply) {
      unit[k] = 1;
      perp_run_apply(run, unit, value);
      unit[k] = 0;
      for (int i = 0; i < n; i++)
        a[i * ld + k] = value[i];
      continue;
    }
    const int count = (A->table->row ? A->table->row : A->table->column)(A, k, index, value);
    for (int e = 0; e < count; e++)
      a[A->table->row ? k * ld + index[e] : index[e] * ld + k] = value[e];
  }
  return PERP_OK;
}

static double *matrix(perp_run *run, int64_t ld, bool zero)
{
  const size_t n = (size_t)run->problem->K.n, row = (size_t)ld * sizeof(double);
  return zero ? perp_arena_alloc_zero(run->arena, n, row) : perp_arena_alloc(run->arena, n, row);
}

static void find_spans(perp_principal *e)
{
  for (int i = 0; i < e->n && !perp_run_expired_at(e->run, i); i++)
    e->span[i] = perp_span_of(e->n, e->A + i * e->ld);
}

/* Sets A and A_true: borrowed, copied, or symmetric part and the whole. */
static perp_error take_matrix(perp_run *run, perp_principal *e)
{
  const perp_operator *A = run->problem->A;
  const int n = e->n;
  if (perp_operator_dense_array(A, &e->A_true, &e->ld) != PERP_OK) {
    e->ld = ((int64_t)n + 7) / 8 * 8;
    double *copy = matrix(run, e->ld, true);
    if (!copy)
      return perp_run_no_memory(run);
    const perp_error error = assemble(run, copy, e->ld);
    if (error || perp_run_expired(run))
      return error;
    e->A_true = copy;
  }
  for (int i = 0; i < n; i++)
    e->root[i] = sqrt(fabs(e->A_true[i * (e->ld + 1)]));
  e->A = e->A_true;
  find_spans(e);
  if (A->symmetric || perp_run_expired(run))
    return PERP_OK;
  int i = 0, j = 0;
  const double worst = asymmetry(run, n, e->A_true, e->ld, e->span, e->root, &i, &j);
  if (!(worst <= 0.1))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "the matrix must be symmetric: A[%d][%d] = %g, A[%d][%d] = %g", i, j,
                         e->A_true[i * e->ld + j], j, i, e->A_true[j * e->ld + i]);
  if (worst <= 16 * DBL_EPSILON)
    return PERP_OK;
  double *half = matrix(run, e->ld, false);
  if (!half)
    return perp_run_no_memory(run);
  for (int r = 0; r < n && !perp_run_expired_at(run, r); r++)
    for (int c = 0; c < n; c++)
      half[r * e->ld + c] = 0.5 * (e->A_true[r * e->ld + c] + e->A_true[c * e->ld + r]);
  e->A = half;
  find_spans(e);
  return PERP_OK;
}

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

/* Their addresses identify the factor and the matrix in the solver's cache. */
static const char principal_maker, matrix_maker;

/* The result of take_matrix, valid while the numbers of A are unchanged. */
typedef struct kept_matrix {
  const double *A, *A_true;
  int64_t ld;
  double *root;
  perp_span *span;
} kept_matrix;

static perp_error open_matrix(perp_run *run, perp_principal *e)
{
  const size_t n = (size_t)e->n;
  perp_kept *kept = perp_run_kept(run, &matrix_maker);
  kept_matrix *k = kept && perp_kept_holds(kept, run) ? kept->state : NULL;
  if (k) {
    e->A = k->A, e->A_true = k->A_true, e->ld = k->ld;
    memcpy(e->root, k->root, n * sizeof *e->root);
    memcpy(e->span, k->span, n * sizeof *e->span);
    perp_kept_done(kept, run);
    return PERP_OK;
  }
  if (!kept)
    return take_matrix(run, e);
  perp_kept_clear(kept);
  perp_arena *const own = run->arena;
  run->arena = &kept->arena;
  const perp_error error = take_matrix(run, e);
  run->arena = own;
  k = perp_arena_alloc(&kept->arena, 1, sizeof *k);
  if (!error && !perp_run_expired(run) && k &&
      PERP_TAKE(&kept->arena, PERP_ARRAY(k->root, n), PERP_ARRAY(k->span, n))) {
    k->A = e->A, k->A_true = e->A_true, k->ld = e->ld;
    memcpy(k->root, e->root, n * sizeof *e->root);
    memcpy(k->span, e->span, n * sizeof *e->span);
    kept->state = k;
  }
  perp_kept_done(kept, run);
  return error;
}

perp_error perp_principal_create(perp_run *run, double *x, perp_principal *e)
{
  const int n = run->problem->K.n;
  const double bytes = 2.0 * n * n * sizeof(double);
  if (run->options->memory_limit > 0 && bytes > (double)run->options->memory_limit)
    return perp_run_fail(run, PERP_ERROR_MEMORY,
                         "a dense matrix and its factor, n = %d, take %.0f bytes, more than the "
                         "limit of %zu",
                         n, bytes, run->options->memory_limit);
  *e = (perp_principal){.run = run, .n = n, .x = x};
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &e->b, &e->lo, &e->hi, &e->w, &e->root, &e->slack,
                       &e->d, &e->full, &e->dw, &e->ray) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(e->list, n), PERP_ARRAY(e->state, n),
                 PERP_ARRAY(e->span, n)))
    return perp_run_no_memory(run);
  const perp_error error = open_matrix(run, e);
  if (error || perp_run_expired(run))
    return error;
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
