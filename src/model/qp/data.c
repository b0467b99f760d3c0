/* data.c: the data of a quadratic program: checks, a copy by rows, and its scaling
 *
 * The scaling makes the largest entry of every row of K = (P G^T; G 0) about 1 (perp_ruiz). */
#include "model/qp/qp.h"

#include "base/sized.h"
#include "linalg/sparse_factor.h"
#include "operator/pattern.h"

static const double INFINITE = 1e300; /* larger bounds are infinite */
static const double FAR = 1e18;       /* methods ignore larger bounds, which often stand for none */
static const double ASYMMETRY = 1e-12;

void perp_qp_init(perp_qp *qp, size_t size)
{
  const perp_qp empty = {.size = sizeof empty};
  perp_sized_write(&empty, sizeof empty, qp, size);
}

/* ---- Checks ---- */

static perp_error check_vector(const char *name, int n, const double *a, perp_message *why)
{
  const int64_t k = a ? perp_first_not_finite(n, a) : -1;
  if (k >= 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "%s[%d] = %g is not finite", name, (int)k, a[k]);
  return PERP_OK;
}

static double bound(const double *a, int k, double missing)
{
  const double v = a ? a[k] : missing;
  return v >= INFINITE ? INFINITY : v <= -INFINITE ? -INFINITY : v;
}

perp_error perp_qp_validate_bounds(const char *low, const char *high, int n, const double *lo,
                                   const double *hi, perp_message *why)
{
  for (int k = 0; k < n; k++) {
    const double a = bound(lo, k, -INFINITY), b = bound(hi, k, INFINITY);
    if (isnan(a) || isnan(b))
      return perp_fail(why, PERP_ERROR_PROBLEM, "%s[%d] is NaN", isnan(a) ? low : high, k);
    if (a > b)
      return perp_fail(why, PERP_ERROR_PROBLEM, "%s[%d] = %.17g is above %s[%d] = %.17g", low, k, a,
                       high, k, b);
    if (a == INFINITY || b == -INFINITY)
      return perp_fail(why, PERP_ERROR_PROBLEM, "%s[%d] = %g: no number satisfies this bound",
                       a == INFINITY ? low : high, k, a == INFINITY ? a : b);
  }
  return PERP_OK;
}

static perp_error check_dense(const perp_qp *qp, perp_message *why)
{
  const int64_t stride = qp->G_stride ? qp->G_stride : qp->n;
  if (stride < qp->n)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "G_stride = %lld is below n = %d", (long long)stride,
                     qp->n);
  if (!qp->G_value && qp->n > 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "m = %d, but there is no G", qp->m);
  for (int i = 0; i < qp->m; i++) {
    const int64_t j = perp_first_not_finite(qp->n, qp->G_value + i * stride);
    if (j >= 0)
      return perp_fail(why, PERP_ERROR_PROBLEM, "G[%d, %d] = %g is not finite", i, (int)j,
                       qp->G_value[i * stride + j]);
  }
  return PERP_OK;
}

bool perp_qp_take_rows(perp_arena *arena, int rows, int columns, int64_t entries, perp_qp_rows *A)
{
  A->rows = rows;
  A->columns = columns;
  return PERP_TAKE(arena, PERP_ARRAY(A->start, rows + 1), PERP_ARRAY(A->column, entries),
                   PERP_ARRAY(A->value, entries));
}

static bool transpose(const perp_qp_rows *A, perp_arena *arena, perp_qp_rows *T)
{
  if (!perp_qp_take_rows(arena, A->columns, A->rows, A->start[A->rows], T))
    return false;
  perp_transpose(A->rows, A->columns, A->start, A->column, A->value, T->start, T->column, T->value,
                 NULL);
  return true;
}

/* Replaces a P that is only its upper triangle by the symmetric matrix that is meant. */
static bool mirror_triangle(perp_qp_rows *P, perp_arena *arena)
{
  perp_qp_rows T, full;
  int64_t beside = 0; /* entries above the diagonal */
  for (int i = 0; i < P->rows; i++)
    for (int64_t e = P->start[i]; e < P->start[i + 1]; e++) {
      if (P->column[e] < i)
        return true;
      beside += P->column[e] > i;
    }
  if (beside == 0)
    return true;
  if (!transpose(P, arena, &T) ||
      !perp_qp_take_rows(arena, P->rows, P->rows, P->start[P->rows] + beside, &full))
    return false;
  int64_t at = 0;
  for (int i = 0; i < P->rows; i++) {
    full.start[i] = at;
    for (int64_t e = T.start[i]; e < T.start[i + 1] && T.column[e] < i; e++, at++) {
      full.column[at] = T.column[e];
      full.value[at] = T.value[e];
    }
    at = perp_qp_append(&full, at, P, i, 0, 1);
  }
  full.start[P->rows] = at;
  *P = full;
  return true;
}

/* Checks P_ij = P_ji: row by row against the transpose, made in the arena. */
static perp_error check_symmetric(const perp_qp_rows *P, perp_arena *arena, double *most,
                                  perp_message *why)
{
  perp_qp_rows T;
  if (!transpose(P, arena, &T))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a quadratic program");
  *most = perp_norm_inf(P->start[P->rows], P->value);
  for (int i = 0; i < P->rows; i++) {
    int64_t a = P->start[i], b = T.start[i];
    while (a < P->start[i + 1] || b < T.start[i + 1]) {
      const int ja = a < P->start[i + 1] ? P->column[a] : P->rows;
      const int jb = b < T.start[i + 1] ? T.column[b] : P->rows;
      const int j = ja < jb ? ja : jb;
      const double here = ja == j ? P->value[a++] : 0, there = jb == j ? T.value[b++] : 0;
      if (!(fabs(here - there) <= ASYMMETRY * *most))
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "P is not symmetric: P[%d, %d] = %.17g, but P[%d, %d] = %.17g", i, j, here,
                         j, i, there);
    }
  }
  return PERP_OK;
}

/* Reads the caller's struct and checks its vectors and G. */
static perp_error read_program(const perp_qp *from, perp_qp *qp, perp_message *why)
{
  if (!from)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "qp is NULL");
  perp_qp_init(qp, sizeof *qp);
  perp_error error = perp_sized_read("perp_qp", from, qp, sizeof *qp, why);
  if (error)
    return error;
  if (qp->n < 0 || qp->m < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "n = %d and m = %d: neither may be below 0", qp->n,
                     qp->m);
  if (qp->P && perp_operator_size(qp->P) != qp->n)
    return perp_fail(why, PERP_ERROR_PROBLEM, "P has %d rows, but n = %d",
                     perp_operator_size(qp->P), qp->n);
  if (!(error = check_vector("q", qp->n, qp->q, why)) &&
      !(error = perp_qp_validate_bounds("l", "u", qp->m, qp->l, qp->u, why)) &&
      !(error = perp_qp_validate_bounds("lb", "ub", qp->n, qp->lb, qp->ub, why)) && qp->m > 0)
    error = qp->G_start
                ? perp_pattern_check("G", "row", qp->m, qp->n, qp->G_start, qp->G_column, why)
                : check_dense(qp, why);
  return error || qp->m == 0 || !qp->G_start
             ? error
             : perp_pattern_check_values("G", qp->m, qp->G_start, qp->G_column, qp->G_value, why);
}

/* ---- The copy ---- */

static bool copy_G(const perp_qp *qp, perp_arena *arena, perp_qp_rows *G)
{
  const int64_t stride = qp->G_stride ? qp->G_stride : qp->n;
  int64_t entries = 0;
  if (qp->G_start || qp->m == 0)
    entries = qp->m > 0 ? qp->G_start[qp->m] : 0;
  else
    for (int i = 0; i < qp->m; i++)
      for (int j = 0; j < qp->n; j++)
        entries += qp->G_value[i * stride + j] != 0;
  if (!perp_qp_take_rows(arena, qp->m, qp->n, entries, G))
    return false;
  int64_t at = 0;
  for (int i = 0; i < qp->m; i++) {
    G->start[i] = at;
    if (qp->G_start)
      for (int64_t e = qp->G_start[i]; e < qp->G_start[i + 1]; e++) {
        G->column[at] = qp->G_column[e];
        G->value[at] = qp->G_value[e];
        at += qp->G_value[e] != 0;
      }
    else
      for (int j = 0; j < qp->n; j++)
        if (qp->G_value[i * stride + j] != 0) {
          G->column[at] = j;
          G->value[at++] = qp->G_value[i * stride + j];
        }
  }
  G->start[qp->m] = at;
  return true;
}

/* Copies P by rows, without zeros; nothing if it is only applied. */
static perp_error copy_P(perp_qp_solver *s, const perp_operator *P, perp_message *why)
{
  perp_operator *csr = NULL;
  const int64_t *start = NULL;
  const int *column = NULL;
  const double *value = NULL;
  const bool seen = P && (perp_operator_abilities(P) & PERP_CAN_ROW);
  s->applied = P && !seen ? P : NULL;
  if (seen) {
    const perp_error error = perp_operator_to_csr(P, 0, &csr, why);
    if (error)
      return error;
    perp_operator_csr_arrays(csr, &start, &column, &value);
  }
  int64_t entries = 0;
  for (int64_t e = 0; seen && e < start[s->n]; e++)
    entries += value[e] != 0;
  const bool taken = perp_qp_take_rows(&s->arena, s->n, s->n, entries, &s->P);
  int64_t at = 0;
  for (int i = 0; taken && i < s->n; i++) {
    s->P.start[i] = at;
    for (int64_t e = seen ? start[i] : 0; seen && e < start[i + 1]; e++)
      if (value[e] != 0) {
        s->P.column[at] = column[e];
        s->P.value[at++] = value[e];
      }
  }
  if (taken)
    s->P.start[s->n] = at;
  perp_operator_destroy(csr);
  return taken && mirror_triangle(&s->P, &s->arena)
             ? PERP_OK
             : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a quadratic program");
}

void perp_qp_set_bounds(int n, const double *lo, const double *hi, double *L, double *U)
{
  for (int k = 0; k < n; k++) {
    L[k] = bound(lo, k, -INFINITY);
    U[k] = bound(hi, k, INFINITY);
  }
}

static perp_error load(perp_qp_solver *s, const perp_qp *from, perp_message *why)
{
  perp_qp qp;
  perp_error error = read_program(from, &qp, why);
  if (error)
    return error;
  s->n = qp.n;
  s->m = qp.m;
  const size_t n = (size_t)qp.n, all = n + (size_t)qp.m;
  if (!copy_G(&qp, &s->arena, &s->G) || !transpose(&s->G, &s->arena, &s->T) ||
      !PERP_TAKE_ZERO_REALS(&s->arena, n, &s->q) ||
      !PERP_TAKE_ZERO_REALS(&s->arena, all, &s->L, &s->U, &s->y[0], &s->y[1], &s->y[2], &s->y[3],
                            &s->y[4], &s->y[5]))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a quadratic program");
  if (qp.q)
    perp_copy(qp.n, qp.q, s->q);
  perp_qp_set_bounds(qp.n, qp.lb, qp.ub, s->L, s->U);
  perp_qp_set_bounds(qp.m, qp.l, qp.u, s->L + n, s->U + n);
  if ((error = copy_P(s, qp.P, why)))
    return error;
  if (s->applied) {
    s->applied_scratch =
        perp_arena_alloc(&s->arena, perp_operator_scratch(s->applied), sizeof(double));
    return s->applied_scratch
               ? PERP_OK
               : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a quadratic program");
  }
  const perp_arena_mark mark = perp_arena_hold(&s->arena);
  error = check_symmetric(&s->P, &s->arena, &s->P_max, why);
  perp_arena_release(&s->arena, mark);
  return error;
}

perp_error perp_qp_read(const perp_qp *from, perp_qp_solver **solver, perp_message *why)
{
  *solver = perp_alloc_zero(1, sizeof **solver);
  return *solver ? load(*solver, from, why)
                 : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a quadratic program");
}

perp_error perp_qp_validate(const perp_qp *from, perp_message *why)
{
  perp_qp_solver *s;
  const perp_error error = perp_qp_read(from, &s, why);
  perp_qp_solver_destroy(s);
  return error;
}

/* ---- Products ---- */

void perp_qp_extend(const perp_qp_rows *G, const double *x, double *t)
{
  perp_copy(G->columns, x, t);
  perp_fill(G->rows, 0, t + G->columns);
  perp_qp_add(G, x, t + G->columns);
}

void perp_qp_add_exact(const perp_qp_rows *A, const double *x, double *y)
{
  for (int i = 0; i < A->rows; i++)
    y[i] = perp_dot_exact_at(A->start[i + 1] - A->start[i], A->value + A->start[i],
                             A->column + A->start[i], x, y[i]);
}

/* ---- Scaling ---- */

void perp_qp_scale_vectors(perp_qp_solver *s, bool presolved)
{
  perp_copy(s->n + s->m, s->L, s->low);
  perp_copy(s->n + s->m, s->U, s->high);
  s->cuts = 0;
  if (presolved)
    perp_qp_presolve(s);
  for (int i = 0; i < s->n; i++)
    s->scaled.q[i] = s->D[i] * s->q[i];
  for (int k = 0; k < s->n + s->m; k++) {
    const double d = k < s->n ? 1 / s->D[k] : s->D[k], L = d * s->low[k], U = d * s->high[k];
    s->scaled.L[k] = L < -FAR && L < U ? -INFINITY : L;
    s->scaled.U[k] = U > FAR && L < U ? INFINITY : U;
  }
  perp_qp_scaled *t = &s->scaled;
  t->unit = perp_qp_unit(s->n, s->n + s->m, t->q, t->L, t->U, t->P_max, &t->unit_dual);
}

bool perp_qp_scale(perp_qp_solver *s)
{
  const int n = s->n, all = n + s->m;
  perp_qp_scaled *t = &s->scaled;
  t->P = s->P;
  t->G = s->G;
  t->T = s->T;
  if (!PERP_TAKE(&s->arena, PERP_ARRAY(t->P.value, s->P.start[n]),
                 PERP_ARRAY(t->G.value, s->G.start[s->m]),
                 PERP_ARRAY(t->T.value, s->G.start[s->m])) ||
      !PERP_TAKE(&s->arena, PERP_ARRAY(s->cut, s->m), PERP_ARRAY(s->fixed_by, n)) ||
      !PERP_TAKE_REALS(&s->arena, (size_t)all, &t->q, &t->L, &t->U, &t->diagonal, &s->D, &s->low,
                       &s->high))
    return false;
  const perp_sparse P = {n, s->P.start, s->P.column, s->P.value};
  const perp_sparse G = {s->m, s->G.start, s->G.column, s->G.value};
  perp_ruiz(n, &P, &G, s->D, s->y[0]);
  perp_fill(n, 0, t->diagonal);
  for (int i = 0; i < n; i++)
    for (int64_t e = s->P.start[i]; e < s->P.start[i + 1]; e++) {
      t->P.value[e] = s->P.value[e] * s->D[i] * s->D[s->P.column[e]];
      if (s->P.column[e] == i)
        t->diagonal[i] = t->P.value[e];
    }
  for (int i = 0; i < s->m; i++)
    for (int64_t e = s->G.start[i]; e < s->G.start[i + 1]; e++)
      t->G.value[e] = s->G.value[e] * s->D[n + i] * s->D[s->G.column[e]];
  for (int j = 0; j < n; j++)
    for (int64_t e = s->T.start[j]; e < s->T.start[j + 1]; e++)
      t->T.value[e] = s->T.value[e] * s->D[n + s->T.column[e]] * s->D[j];
  t->P_max = perp_norm_inf(s->P.start[n], t->P.value);
  perp_qp_scale_vectors(s, false);
  return true;
}
