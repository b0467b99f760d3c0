/* facts.c: numerical properties of A: symmetry, eigenvalues, definiteness, condition
 *
 * Up to EXACT_LIMIT unknowns the symmetric part S = (A + A^T)/2 is formed densely and all its
 * eigenvalues are computed, and all singular values of A if A is not symmetric. For larger A
 * Lanczos steps on S and on A^T A estimate the extremes. Ritz values are inside the spectrum, so
 * the condition number is estimated from below. A Ritz value clearly below zero proves that S is
 * not semi-definite; a positive one proves nothing. Positive definiteness then follows from
 * diagonal dominance, from the structure of a contact operator, or, up to CHOLESKY_LIMIT unknowns,
 * from a Cholesky factorisation with a bound on its rounding errors. */
#include "base/elementary.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sized.h"
#include "linalg/eigen.h"
#include "linalg/vector.h"
#include "operator/operator.h"
#include "problem/entries.h"
#include "set/set.h"

#include <float.h>
#include <string.h>

enum {
  EXACT_LIMIT = 1000,
  CHOLESKY_LIMIT = 3000,
  STEPS = 150,
  LEAST_STEPS = 20,
};

static const double product_budget = 4e9;   /* limit on the entries read by all Lanczos steps
                                             * together */
static const int64_t basis_limit = 8000000; /* in doubles: above this Lanczos vectors are not
                                             * kept */
static const double symmetric_limit = 1e-12;

const char *perp_definite_name(perp_definite definite)
{
  static const char *const names[] = {
      [PERP_DEFINITE_UNKNOWN] = "unknown",
      [PERP_DEFINITE_POSITIVE] = "positive-definite",
      [PERP_DEFINITE_SEMI] = "positive-semidefinite",
      [PERP_DEFINITE_NOT] = "not-semidefinite",
  };
  return (size_t)definite < sizeof names / sizeof *names ? names[definite] : "unknown";
}

static void count_rows(const perp_set *K, perp_facts *facts)
{
  facts->form = perp_set_form(K);
  facts->cones = K->cones;
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r)) {
    if (perp_set_is_friction(K, r.i))
      facts->friction_rows++;
    else if (isinf(perp_set_lo(K, r.i)) && isinf(perp_set_hi(K, r.i)))
      facts->free_rows++;
  }
}

/* ---- Exactly ---- */

/* Decides from the smallest eigenvalue, known to within `rounding`; facts proven from the entries
 * stay. */
static perp_definite judge(perp_definite proven, double eigen_min, double rounding)
{
  if (proven == PERP_DEFINITE_NOT || proven == PERP_DEFINITE_POSITIVE)
    return proven;
  if (eigen_min > rounding)
    return PERP_DEFINITE_POSITIVE;
  if (proven == PERP_DEFINITE_SEMI || eigen_min >= -rounding)
    return PERP_DEFINITE_SEMI;
  return PERP_DEFINITE_NOT;
}

/* S = (A + A^T) / 2, row major without padding */
static void symmetric_part(int n, const double *a, int64_t stride, double *S)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const double s = 0.5 * a[i * stride + j] + 0.5 * a[j * stride + i];
      S[(int64_t)i * n + j] = s;
      S[(int64_t)j * n + i] = s;
    }
}

/* room: n^2 + 6 n doubles. */
static void exact_facts(int n, const double *a, int64_t stride, double *room, void *found)
{
  perp_facts *facts = found;
  double *M = room, *w = room + (int64_t)n * n, *work = w + n;
  symmetric_part(n, a, stride, M);
  if (!perp_eigen_symmetric(n, M, n, w, NULL, work))
    return;
  facts->exact = true;
  facts->eigen_min = w[0];
  facts->eigen_max = w[n - 1];
  /* error of an eigenvalue from the reductions and from the rounding of A itself */
  const double rounding = (n + 30) * DBL_EPSILON * perp_max(fabs(w[0]), fabs(w[n - 1]));
  const perp_definite proven = facts->definite;
  facts->definite = judge(proven, w[0], rounding);

  if (!facts->symmetric) {
    for (int i = 0; i < n; i++)
      perp_copy(n, a + i * stride, M + (int64_t)i * n);
    if (!perp_singular_values(n, M, n, w, work))
      return;
  }
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; i++) {
    least = perp_min(least, fabs(w[i]));
    most = perp_max(most, fabs(w[i]));
  }
  const bool singular = least <= (n + 30) * DBL_EPSILON * most && proven != PERP_DEFINITE_POSITIVE;
  facts->condition = singular || least == 0 ? INFINITY : most / least;
}

/* Changes unknown or semi to positive if a factorisation proves it. */
static void prove_positive(int n, const double *a, int64_t stride, double *S, void *facts)
{
  symmetric_part(n, a, stride, S);
  /* the entries are rounded: in the symmetric part, and when they were assembled */
  const double uncertainty = 32 * DBL_EPSILON * perp_norm_inf((int64_t)n * n, S);
  if (perp_proves_positive(n, S, uncertainty))
    ((perp_facts *)facts)->definite = PERP_DEFINITE_POSITIVE;
}

/* Calls `find` with A as a dense matrix, and n^2 + `more` numbers of workspace. */
static perp_error by_dense(const perp_operator *A, size_t more,
                           void (*find)(int n, const double *a, int64_t stride, double *room,
                                        void *found),
                           void *found, perp_message *why)
{
  const size_t n = (size_t)perp_operator_size(A);
  const double *a = NULL;
  int64_t stride = 0;
  perp_operator *dense = NULL;
  double *room = NULL;
  perp_error error = perp_operator_to_dense(A, 0, &dense, why);
  if (!error)
    error = perp_operator_dense_array(dense, &a, &stride);
  if (!error && !(room = perp_alloc(n * n + more, sizeof *room)))
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a factor or eigenvalues of A");
  if (!error)
    find((int)n, a, stride, room, found);
  perp_free(room);
  perp_operator_destroy(dense);
  return error;
}

/* ---- By Lanczos ---- */

typedef struct lanczos_context {
  const perp_operator *A;
  int n;
  bool symmetric;
  double *between, *scratch; /* n numbers, and the scratch of products */
} lanczos_context;

/* y = (A + A^T) x / 2 */
static void apply_symmetric_part(void *context, const double *x, double *y)
{
  const lanczos_context *c = context;
  perp_operator_apply(c->A, x, y, c->scratch, NULL);
  if (c->symmetric)
    return;
  perp_operator_apply_t(c->A, x, c->between, c->scratch, NULL);
  for (int i = 0; i < c->n; i++)
    y[i] = 0.5 * y[i] + 0.5 * c->between[i];
}

/* y = A^T A x */
static void apply_normal(void *context, const double *x, double *y)
{
  const lanczos_context *c = context;
  perp_operator_apply(c->A, x, c->between, c->scratch, NULL);
  if (c->symmetric)
    perp_operator_apply(c->A, c->between, y, c->scratch, NULL);
  else
    perp_operator_apply_t(c->A, c->between, y, c->scratch, NULL);
}

static int step_count(const perp_operator *A)
{
  const double entries = (double)perp_operator_nonzeros(A);
  if (!(entries > 0))
    return STEPS;
  const double affordable = product_budget / entries;
  return affordable >= STEPS ? STEPS : affordable <= LEAST_STEPS ? LEAST_STEPS : (int)affordable;
}

static void lanczos_facts(lanczos_context *c, int steps, bool full, double *work, perp_facts *facts)
{
  const double tol = 1e-10;
  const perp_lanczos s =
      perp_lanczos_extremes(c->n, apply_symmetric_part, c, steps, full, tol, work);
  if (!s.finite)
    return;
  facts->eigen_min = s.eigen_min;
  facts->eigen_max = s.eigen_max;
  const double size = perp_max(fabs(s.eigen_min), fabs(s.eigen_max));
  if (s.eigen_min < -1e-9 * size)
    facts->definite = PERP_DEFINITE_NOT;

  if (c->symmetric && s.eigen_min > c->n * DBL_EPSILON * size) {
    facts->condition = s.eigen_max / s.eigen_min;
    return;
  }
  const perp_lanczos q = perp_lanczos_extremes(c->n, apply_normal, c, steps, full, tol, work);
  if (!q.finite)
    return;
  /* squares of singular values below epsilon times the largest are lost in rounding */
  facts->condition = q.eigen_max > 0
                         ? sqrt(q.eigen_max / perp_max(q.eigen_min, DBL_EPSILON * q.eigen_max))
                         : INFINITY;
}

static perp_error by_lanczos(const perp_operator *A, perp_facts *facts, perp_message *why)
{
  if (!facts->symmetric && !(perp_operator_abilities(A) & PERP_CAN_APPLY_T))
    return PERP_OK;
  const int n = perp_operator_size(A), steps = step_count(A);
  const bool full = (int64_t)n * steps <= basis_limit;
  lanczos_context context = {.A = A, .n = n, .symmetric = facts->symmetric};
  perp_arena arena = {0};
  double *work;
  perp_error error = PERP_OK;
  if (PERP_TAKE(&arena, PERP_ARRAY(work, perp_lanczos_work(n, steps, full)),
                PERP_ARRAY(context.between, n),
                PERP_ARRAY(context.scratch, perp_operator_scratch(A))))
    lanczos_facts(&context, steps, full, work, facts);
  else
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the eigenvalues of A");
  perp_arena_free(&arena);
  return error;
}

/* ---- All together ---- */

static void take_hints(unsigned hints, perp_facts *facts)
{
  facts->symmetric = hints & PERP_HINT_SYMMETRIC;
  if (facts->definite == PERP_DEFINITE_UNKNOWN)
    facts->definite = hints & PERP_HINT_DEFINITE       ? PERP_DEFINITE_POSITIVE
                      : hints & PERP_HINT_SEMIDEFINITE ? PERP_DEFINITE_SEMI
                                                       : PERP_DEFINITE_UNKNOWN;
}

static perp_error operator_facts(const perp_operator *A, perp_facts *facts, perp_message *why)
{
  perp_entries entries;
  perp_error error = perp_entries_read(A, &entries, why);
  if (error)
    return error;
  facts->entries_seen = entries.seen;
  facts->asymmetry = entries.asymmetry;
  facts->symmetric = entries.asymmetry <= symmetric_limit;
  facts->diagonal_min = entries.diagonal_min;
  facts->diagonal_max = entries.diagonal_max;
  facts->diagonal_zeros = entries.diagonal_zeros;
  facts->diagonal_negatives = entries.diagonal_negatives;
  facts->z_matrix = entries.z_matrix;
  facts->definite = entries.definite;
  if (!entries.seen) /* trust the caller's hint unless an eigenvalue refutes it */
    take_hints(A->hints, facts);

  if (facts->n <= EXACT_LIMIT)
    return by_dense(A, 6 * (size_t)perp_operator_size(A), exact_facts, facts, why);
  error = by_lanczos(A, facts, why);
  /* a Ritz value is an upper bound of the smallest eigenvalue: if it is within rounding of 0 no
   * proof is possible */
  const bool open =
      facts->definite == PERP_DEFINITE_UNKNOWN || facts->definite == PERP_DEFINITE_SEMI;
  const bool hopeless = facts->eigen_min <= facts->n * DBL_EPSILON * facts->eigen_max;
  if (!error && open && !hopeless && facts->n <= CHOLESKY_LIMIT && facts->entries_seen)
    error = by_dense(A, 0, prove_positive, facts, why);
  return error;
}

static perp_error all_facts(const perp_problem *p, perp_facts *facts, perp_message *why)
{
  count_rows(&p->K, facts);
  if (facts->n > 0) {
    const int failures = perp_operator_failures(p->A);
    const perp_error refused = operator_facts(p->A, facts, why);
    const perp_error failed = perp_operator_failed(p->A, failures, why);
    return failed ? failed : refused;
  }
  /* an empty matrix satisfies everything */
  facts->entries_seen = true;
  facts->asymmetry = 0;
  facts->symmetric = true;
  facts->z_matrix = true;
  facts->definite = PERP_DEFINITE_POSITIVE;
  return PERP_OK;
}

perp_error perp_problem_facts_sized(const perp_problem *p, perp_facts *facts, size_t size,
                                    perp_message *why)
{
  if (!p || !facts)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "problem or facts is NULL");
  perp_error error = perp_problem_validate(p, why);
  if (error)
    return error;
  perp_facts own;
  memset(&own, 0, sizeof own); /* clears the padding too: the caller gets every byte */
  own.n = p->K.n;
  own.nonzeros = perp_operator_nonzeros(p->A);
  own.asymmetry = own.diagonal_min = own.diagonal_max = NAN;
  own.eigen_min = own.eigen_max = own.condition = NAN;
  error = all_facts(p, &own, why);
  perp_sized_write(&own, sizeof own, facts, size);
  return error;
}

/* ---- All eigenvalues of the symmetric part ----
 *
 *   S = (A + A^T)/2,   S assembled, then tridiagonal by reflections and the QL iteration
 *
 * Cost: O(n^3). Workspace: n^2 + 3 n doubles besides the dense copy of A. */

static void all_eigenvalues(int n, const double *a, int64_t stride, double *room, void *values)
{
  symmetric_part(n, a, stride, room);
  if (!perp_eigen_symmetric(n, room, n, values, NULL, room + (int64_t)n * n))
    *(double *)values = NAN;
}

perp_error perp_operator_spectrum(const perp_operator *A, double *eigenvalues, perp_message *why)
{
  if (!A || !eigenvalues)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_operator_spectrum: a pointer is NULL");
  const int n = perp_operator_size(A);
  const perp_error error = by_dense(A, 3 * (size_t)n, all_eigenvalues, eigenvalues, why);
  if (!error && n > 0 && isnan(eigenvalues[0]))
    return perp_fail(why, PERP_ERROR_PROBLEM,
                     "perp_operator_spectrum: the eigenvalue computation failed, n = %d", n);
  return error;
}
