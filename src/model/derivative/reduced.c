/* reduced.c: the linear system of the unknowns, B = W^T A Z + D (laws.h), and its transpose */
#include "model/derivative/reduced.h"

#include "linalg/krylov.h"
#include "linalg/vector.h"

#include <limits.h>

enum { DENSE_MOST = 500, RANK_MOST = 3000, RESTART = 100, RESTART_LARGE = 30, LARGE = 100000 };
static const double SINGULAR = 1e-13; /* pivots and columns below this, relative, are 0 */
static const double LENT = 1e-12;     /* relative residual up to which a lent factor is trusted */

static perp_error no_memory(const perp_reduced *s, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the derivative, %d free rows of %d",
                   s->m, s->laws->n);
}

/* ---- Products ---- */

static void apply(perp_reduced *s, bool transposed, const double *x, double *y)
{
  const perp_work work = {.threads = 1, .scratch = s->scratch};
  const perp_operator *A = s->A;
  if (!transposed) {
    A->table->apply(A, x, y, &work);
  } else if (A->table->apply_t) {
    A->table->apply_t(A, x, y, &work);
  } else {
    perp_fill(A->n, 0, y);
    for (int i = 0; i < A->n; i++) {
      if (x[i] == 0)
        continue;
      const int count = A->table->row(A, i, s->index, s->value);
      for (int k = 0; k < count; k++)
        y[s->index[k]] += s->value[k] * x[i];
    }
  }
}

static bool can_transpose(const perp_operator *A)
{
  return A->table->apply_t || A->table->row;
}

perp_error perp_reduced_transposed_product(perp_reduced *s, const double *x, double *y,
                                           perp_message *why)
{
  if (!can_transpose(s->A))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "vjp needs products with the transpose: this %s operator has neither rows nor "
                     "apply_t",
                     s->A->table->kind);
  const int failures = perp_operator_failures(s->A);
  apply(s, true, x, y);
  return perp_operator_failed(s->A, failures, why);
}

/* y <- B x or B^T x, by the available representation */
static void product(perp_reduced *s, bool transposed, const double *x, double *y)
{
  const perp_laws *laws = s->laws;
  if (s->B) {
    (transposed ? perp_dense_apply_t : perp_dense_apply)(s->m, s->m, s->B, s->m, x, y);
  } else if (s->rows.start) {
    const perp_sparse *B = &s->rows;
    perp_fill(s->m, 0, y);
    (transposed ? perp_csr_add_t : perp_csr_add)(s->m, B->start, B->column, B->value, x, y);
  } else {
    (transposed ? perp_laws_W : perp_laws_Z)(laws, x, s->u);
    apply(s, transposed, s->u, s->v);
    (transposed ? perp_laws_Z_t : perp_laws_W_t)(laws, s->v, y);
    for (int k = 0; k < s->m; k++)
      y[k] += laws->D[k] * x[k];
  }
}

static void product_of_krylov(void *context, const double *x, double *y)
{
  perp_reduced *s = context;
  product(s, s->transposed, x, y);
}

static void product_of_other(void *context, const double *x, double *y)
{
  perp_reduced *s = context;
  product(s, !s->transposed, x, y);
}

static void precondition(void *context, const double *r, double *z)
{
  const perp_reduced *s = context;
  for (int k = 0; k < s->m; k++)
    z[k] = r[k] / s->diagonal[k];
}

/* ---- Entries ---- */

/* Adds the entries of W^T A Z + D to B, if it is not NULL, else to the list. Returns false when out of
 * memory. */
static bool add_entries(perp_reduced *s, double *B, perp_triplets *list)
{
  const perp_laws *laws = s->laws;
  const int64_t width = laws->width;
  bool fine = true;
  for (int k = 0; k < s->m && fine; k++) {
    double *row = B ? B + (size_t)k * (size_t)s->m : NULL;
    for (int64_t w = laws->W_start[k]; w < laws->W_start[k + 1]; w++) {
      const int count = s->A->table->row(s->A, laws->W_row[w], s->index, s->value);
      for (int e = 0; e < count && fine; e++)
        for (int64_t z = width * s->index[e]; z < width * (s->index[e] + 1); z++) {
          const int c = laws->Z_column[z];
          const double value = laws->W_value[w] * s->value[e] * laws->Z_value[z];
          if (c >= 0 && row)
            row[c] += value;
          else if (c >= 0)
            fine = fine && perp_triplets_push(list, k, c, value);
        }
    }
    if (row)
      row[k] += laws->D[k];
    else
      fine = fine && perp_triplets_push(list, k, k, laws->D[k]);
  }
  return fine;
}

static bool fill_dense(perp_reduced *s)
{
  const size_t m = (size_t)s->m;
  return (m == 0 || m <= SIZE_MAX / m) && PERP_TAKE_ZERO(&s->memory, PERP_ARRAY(s->B, m * m)) &&
         add_entries(s, s->B, NULL);
}

static bool fill_sparse(perp_reduced *s)
{
  perp_triplets list = {0};
  const bool done =
      add_entries(s, NULL, &list) && perp_mtx_compress(&list, s->m, s->m, &s->entries);
  perp_triplets_free(&list);
  if (!done)
    return false;
  perp_mtx_merge(&s->entries);
  s->rows = (perp_sparse){s->m, s->entries.start, s->entries.column, s->entries.value};
  return true;
}

static bool is_symmetric(const perp_sparse *B)
{
  double gap = 0;
  for (int i = 0; i < B->n; i++)
    for (int64_t e = B->start[i]; e < B->start[i + 1]; e++) {
      const int64_t other = perp_row_find(B->start, B->column, B->column[e], i);
      if (other < 0)
        return false;
      gap = perp_max(gap, fabs(B->value[e] - B->value[other]));
    }
  return gap <= 1e-15 * perp_norm_inf(B->start[B->n], B->value);
}

/* ---- Factors ---- */

static perp_error factor_dense(perp_reduced *s, perp_message *why)
{
  const size_t m = (size_t)s->m;
  double *LU;
  int *swap, *column;
  if (!fill_dense(s) || !PERP_TAKE(&s->memory, PERP_ARRAY(LU, m * m), PERP_ARRAY(swap, m),
                                   PERP_ARRAY(column, m), PERP_ARRAY(s->work, 3 * m)))
    return no_memory(s, why);
  s->way = PERP_DERIVATIVE_DENSE;
  perp_copy((int64_t)(m * m), s->B, LU);
  s->lu = perp_lu_factor(s->m, LU, s->m, swap);
  s->rank = s->m;
  s->singular = s->m > 0 && !(s->lu.singular < 0 && s->lu.pivot_min > SINGULAR * s->lu.pivot_max);
  if (s->singular) {
    perp_copy((int64_t)(m * m), s->B, LU);
    const double least = SINGULAR * perp_norm_inf((int64_t)(m * m), LU);
    for (int k = 0; k < s->m; k++)
      swap[k] = column[k] = k;
    s->rank = perp_complete_lu_factor(s->m, LU, s->m, least, swap, column, (perp_alarm){0}).rank;
  }
  return PERP_OK;
}

static perp_error open_krylov(perp_reduced *s, perp_message *why)
{
  const perp_operator *A = s->A;
  s->way = PERP_DERIVATIVE_KRYLOV;
  s->rank = s->m == 0 ? 0 : -1;
  s->restart = s->m > LARGE ? RESTART_LARGE : RESTART;
  if (s->restart > s->m)
    s->restart = s->m > 0 ? s->m : 1;
  const size_t work = (size_t)perp_gmres_work(s->m, s->restart), most = 3 * (size_t)s->m;
  if (!PERP_TAKE(&s->memory, PERP_ARRAY(s->work, work > most ? work : most)))
    return no_memory(s, why);
  if (!(perp_operator_abilities(A) & PERP_CAN_DIAGONAL))
    return PERP_OK;
  double *diagonal = perp_arena_alloc(&s->memory, (size_t)s->m, sizeof *diagonal);
  if (!diagonal)
    return no_memory(s, why);
  const perp_error error = perp_operator_diagonal(A, s->u, why);
  if (error)
    return error;
  perp_copy(s->m, s->laws->D, diagonal);
  bool positive = true;
  for (int k = 0; k < s->m; k++) {
    for (int64_t e = s->laws->W_start[k]; e < s->laws->W_start[k + 1]; e++)
      diagonal[k] += s->laws->W_value[e] * s->laws->W_value[e] * s->u[s->laws->W_row[e]];
    positive = positive && diagonal[k] > 0;
  }
  s->diagonal = positive ? diagonal : NULL;
  return PERP_OK;
}

static bool factor_cholesky(perp_reduced *s, const int *all)
{
  if (s->laws->skew || !is_symmetric(&s->rows))
    return false;
  s->cholesky = perp_sparse_analyse(&s->rows, &s->of_factor, 0);
  if (s->cholesky && perp_sparse_factorise(s->cholesky, s->m, all, NULL) == PERP_SPARSE_OK)
    return true;
  perp_sparse_free(s->cholesky);
  s->cholesky = NULL;
  perp_arena_free(&s->of_factor);
  return false;
}

static bool factor_umfpack(perp_reduced *s, const int *all)
{
  double flops;
  s->umfpack = perp_sparse_umfpack();
  s->sparse = s->umfpack ? s->umfpack->open(&s->rows, true, &s->of_factor) : NULL;
  if (s->sparse && s->umfpack->factor(s->sparse, s->m, all, NULL, INFINITY, &flops))
    return true;
  if (s->sparse)
    s->umfpack->forget(s->sparse);
  s->sparse = NULL;
  perp_arena_free(&s->of_factor);
  return false;
}

static perp_error factor_sparse(perp_reduced *s, perp_message *why)
{
  int *all;
  if (!PERP_TAKE(&s->memory, PERP_ARRAY(all, s->m)) || !fill_sparse(s))
    return no_memory(s, why);
  for (int k = 0; k < s->m; k++)
    all[k] = k;
  if (factor_cholesky(s, all) || factor_umfpack(s, all)) {
    s->rank = s->m;
    return PERP_OK;
  }
  return s->m <= RANK_MOST ? factor_dense(s, why) : open_krylov(s, why);
}

static perp_derivative_way choose(const perp_reduced *s, perp_derivative_way way)
{
  if (way != PERP_DERIVATIVE_AUTO || !s->A->table->row)
    return s->A->table->row ? way : PERP_DERIVATIVE_KRYLOV;
  const double *a;
  int64_t stride;
  return s->m <= DENSE_MOST || perp_operator_dense_array(s->A, &a, &stride) == PERP_OK
             ? PERP_DERIVATIVE_DENSE
             : PERP_DERIVATIVE_SPARSE;
}

/* Makes the system's own factor. */
static perp_error factor(perp_reduced *s, perp_derivative_way way, perp_message *why)
{
  const int failures = perp_operator_failures(s->A);
  s->way = choose(s, way);
  const perp_error error = s->way == PERP_DERIVATIVE_DENSE    ? factor_dense(s, why)
                           : s->way == PERP_DERIVATIVE_SPARSE ? factor_sparse(s, why)
                                                              : open_krylov(s, why);
  return error ? error : perp_operator_failed(s->A, failures, why);
}

/* ---- The solver's factor ---- */

/* Returns true if B = A_FF with the rows of the factor, in any order. */
static bool can_use_shared(perp_reduced *s)
{
  const perp_laws *laws = s->laws;
  const perp_offer *lent = s->shared ? &s->shared->what : NULL;
  int *place;
  if (!lent || lent->m != s->m || laws->skew || laws->slides > 0 ||
      !PERP_TAKE(&s->memory, PERP_ARRAY(place, s->m)))
    return false;
  for (int k = 0; k < lent->m; k++) {
    const int unknown = laws->Z_column[(int64_t)laws->width * lent->rows[k]];
    if (unknown < 0)
      return false; /* rows are distinct, so m of them are all */
    place[unknown] = k;
  }
  s->place = place;
  s->way = lent->sparse ? PERP_DERIVATIVE_SPARSE : PERP_DERIVATIVE_DENSE;
  return true;
}

static void give_back(perp_reduced *s)
{
  perp_shared_factor_release(s->shared);
  s->shared = NULL;
}

static bool solve_shared(perp_reduced *s, bool transposed, double *x)
{
  double *in_order = s->u;
  for (int k = 0; k < s->m; k++)
    in_order[s->place[k]] = x[k];
  const bool done = s->shared->what.solve(s->shared->what.factor, transposed, in_order);
  for (int k = 0; k < s->m; k++)
    x[k] = in_order[s->place[k]];
  return done;
}

/* ---- Opening and closing ---- */

perp_error perp_reduced_open(const perp_operator *A, const perp_laws *laws,
                             const perp_derivative_options *options, perp_shared_factor *shared,
                             perp_reduced *s, perp_message *why)
{
  *s = (perp_reduced){.A = A, .laws = laws, .m = laws->m, .rank = laws->m, .shared = shared};
  s->krylov_tol = options->krylov_tol;
  s->krylov_limit = options->krylov_limit > 0 ? options->krylov_limit : 10 * (int64_t)A->n + 100;
  const size_t m = (size_t)s->m, n = (size_t)A->n;
  if (!PERP_TAKE_REALS(&s->memory, n, &s->u, &s->v) ||
      !PERP_TAKE_REALS(&s->memory, m, &s->r, &s->s, &s->t) ||
      !PERP_TAKE(&s->memory, PERP_ARRAY(s->scratch, A->scratch),
                 PERP_ARRAY(s->index, A->row_capacity), PERP_ARRAY(s->value, A->row_capacity)))
    return no_memory(s, why);
  if (options->way == PERP_DERIVATIVE_AUTO && can_use_shared(s))
    return PERP_OK;
  give_back(s);
  return factor(s, options->way, why);
}

void perp_reduced_close(perp_reduced *s)
{
  give_back(s);
  perp_sparse_free(s->cholesky);
  if (s->sparse)
    s->umfpack->forget(s->sparse);
  perp_arena_free(&s->of_factor);
  perp_mtx_free(&s->entries);
  perp_arena_free(&s->memory);
}

/* ---- Solving ---- */

/* x <- the x of least norm that minimises |B x - b|; overwrites b. */
static void solve_least(perp_reduced *s, bool transposed, double *b, double *x)
{
  s->transposed = transposed;
  const perp_lsqr l = {.n = s->m,
                       .product = product_of_krylov,
                       .product_t = product_of_other,
                       .context = s,
                       .tol = s->krylov_tol,
                       .limit = s->krylov_limit};
  perp_lsqr_solve(&l, b, x, s->work);
}

/* x <- B^-1 x by the current factor. */
static bool solve_direct(perp_reduced *s, bool transposed, double *x)
{
  if (s->shared)
    return solve_shared(s, transposed, x);
  if (s->cholesky)
    return perp_sparse_solve(s->cholesky, x);
  if (s->sparse)
    return (transposed ? s->umfpack->solve_t : s->umfpack->solve)(s->sparse, x);
  if (s->singular) {
    perp_copy(s->m, x, s->u);
    solve_least(s, transposed, s->u, x);
  } else {
    (transposed ? perp_lu_solve_t : perp_lu_solve)(&s->lu, x);
  }
  return true;
}

/* t <- r - B q, *norm <- its norm */
static void rest(perp_reduced *s, bool transposed, const double *q, double *norm)
{
  product(s, transposed, q, s->t);
  perp_subtract(s->m, s->r, s->t, s->t);
  *norm = perp_norm2(s->m, s->t);
}

/* Makes one step of refinement, kept if it helps. */
static bool solve_refined(perp_reduced *s, bool transposed, double *q, double *norm)
{
  double better;
  if (!solve_direct(s, transposed, q))
    return false;
  rest(s, transposed, q, norm);
  perp_copy(s->m, s->t, s->s);
  if (!solve_direct(s, transposed, s->s))
    return false;
  perp_axpy(s->m, 1, q, s->s);
  rest(s, transposed, s->s, &better);
  if (better < *norm) {
    perp_copy(s->m, s->s, q);
    *norm = better;
  }
  return true;
}

static void solve_krylov(perp_reduced *s, bool transposed, double *q, double *norm)
{
  const double size = perp_norm2(s->m, s->r);
  s->transposed = transposed;
  perp_fill(s->m, 0, q);
  const perp_krylov k = {.n = s->m,
                         .product = product_of_krylov,
                         .context = s,
                         .precondition = s->diagonal ? precondition : NULL,
                         .precondition_context = s,
                         .target = s->krylov_tol * size,
                         .limit = s->krylov_limit < INT_MAX ? (int)s->krylov_limit : INT_MAX};
  const perp_krylov_end end = perp_gmres(&k, s->restart, s->r, q, s->work);
  *norm = end.residual;
  if (end.state == PERP_KRYLOV_CONVERGED || !can_transpose(s->A))
    return;
  /* LSQR gives the least-norm solution; if B is regular, the better of the two is used */
  double after;
  perp_copy(s->m, s->r, s->t);
  solve_least(s, transposed, s->t, s->s);
  rest(s, transposed, s->s, &after);
  if (after <= *norm || !(*norm <= 1e-6 * size)) {
    perp_copy(s->m, s->s, q);
    *norm = after;
  }
}

/* Solves by the solver's factor, from r. If that is gone or inaccurate, *done is false, and there
 * is another. */
static perp_error try_shared(perp_reduced *s, bool transposed, double *q, double size, double *norm,
                             bool *done, perp_message *why)
{
  const bool can = s->shared->stands && (!transposed || can_transpose(s->A));
  *done = can && solve_refined(s, transposed, q, norm) && *norm <= LENT * size;
  if (*done)
    return PERP_OK;
  give_back(s);
  perp_copy(s->m, s->r, q);
  const perp_error error = factor(s, PERP_DERIVATIVE_AUTO, why);
  perp_copy(s->m, q, s->r); /* r was scratch meanwhile */
  return error;
}

perp_error perp_reduced_solve(perp_reduced *s, bool transposed, double *q, double *error,
                              perp_message *why)
{
  *error = 0;
  const double size = perp_norm2(s->m, q);
  if (size == 0)
    return PERP_OK;
  if (transposed && s->way == PERP_DERIVATIVE_KRYLOV && !can_transpose(s->A))
    return perp_reduced_transposed_product(s, s->u, s->v, why);
  const int failures = perp_operator_failures(s->A);
  double norm = 0;
  bool done = false;
  perp_copy(s->m, q, s->r);
  const perp_error end =
      s->shared ? try_shared(s, transposed, q, size, &norm, &done, why) : PERP_OK;
  if (end)
    return end;
  if (!done && s->way == PERP_DERIVATIVE_KRYLOV)
    solve_krylov(s, transposed, q, &norm);
  else if (!done && !solve_refined(s, transposed, q, &norm))
    return no_memory(s, why);
  *error = norm / size;
  if (perp_operator_failed(s->A, failures, why))
    return PERP_ERROR_CALLBACK;
  if (!perp_all_finite(s->m, q))
    return perp_fail(why, PERP_ERROR_PROBLEM, "the derivative is not finite");
  return PERP_OK;
}
