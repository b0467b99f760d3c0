/* phase_one.c: a certificate that there is no solution, by interior points
 *
 * How far y = A x + b is from the signs that a solution requires (prove.c):
 *
 *   minimise 1/2 |u|^2   over x in [lo, hi] and u such that A x + b + u has these signs.
 *
 * This has a solution for every A and b. Its optimality conditions are a complementarity problem with
 * a positive semi-definite matrix, which an interior point method solves:
 *
 *   x in [lo, hi],             y_x = -A^T u
 *   u >= 0, u <= 0 or free,    y_u = A x + b + u      (no row for y_i without a sign: there u_i = 0)
 *
 * At its solution x maximises (A^T u)^T x over the box, and u^T y_u = 0, so
 *
 *   b^T u + sup (A^T u)^T x = -|u|^2:
 *
 * u is a certificate unless it is 0. It has rounding: it is tried without its small entries, then at
 * the vertex near it (linalg/vertex.c). A is scaled by powers of two, which round nothing. */
#include "method/system/farkas.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "linalg/vertex.h"
#include "set/set.h"

#include <math.h>

typedef struct {
  perp_run *run;
  int n, m; /* rows of A; rows of u */
  int *of;  /* n: the row of u_i, or -1 */
  int64_t *start, *t_start;
  int *column, *t_column;
  double *value, *t_value; /* A and A^T */
  double *D;               /* 2 n: of columns, then of rows */
  double *L, *U;           /* 2 n: of x, then of A x */
  double *u;               /* n, the caller's */
  double nothing;          /* a smaller u counts as 0 */
  bool held;               /* u is a certificate in doubles */
} phase;

static bool has_sign(const perp_set *K, int i)
{
  return isinf(perp_set_lo(K, i)) || isinf(perp_set_hi(K, i));
}

static bool load(phase *s, perp_arena *arena)
{
  const perp_problem *p = s->run->problem;
  const perp_operator *A = p->A;
  const size_t n = (size_t)s->n, entries = (size_t)A->nonzeros;
  if (!PERP_TAKE(arena, PERP_ARRAY(s->of, n), PERP_ARRAY(s->start, n + 1),
                 PERP_ARRAY(s->t_start, n + 1), PERP_ARRAY(s->column, entries),
                 PERP_ARRAY(s->t_column, entries), PERP_ARRAY(s->value, entries),
                 PERP_ARRAY(s->t_value, entries), PERP_ARRAY(s->D, 2 * n), PERP_ARRAY(s->L, 2 * n),
                 PERP_ARRAY(s->U, 2 * n)))
    return false;
  s->start[0] = 0;
  for (int i = 0; i < s->n; i++) {
    const double lo = perp_set_lo(&p->K, i), hi = perp_set_hi(&p->K, i);
    const int64_t at = s->start[i];
    s->of[i] = has_sign(&p->K, i) ? s->n + s->m++ : -1;
    s->start[i + 1] = at + A->table->row(A, i, s->column + at, s->value + at);
    s->L[i] = lo;
    s->U[i] = hi;
    s->L[s->n + i] = isinf(hi) ? -p->b[i] : -INFINITY;
    s->U[s->n + i] = isinf(lo) ? -p->b[i] : INFINITY;
  }
  perp_transpose(s->n, s->n, s->start, s->column, s->value, s->t_start, s->t_column, s->t_value,
                 NULL);
  return true;
}

/* D <- powers of two for which the largest entries of rows and columns are about 1 (Ruiz 2001). */
static void scale(const phase *s, double *most)
{
  enum { TURNS = 6 };
  const int n = s->n;
  for (int k = 0; k < 2 * n; k++)
    s->D[k] = 1;
  for (int turn = 0; turn < TURNS; turn++) {
    perp_fill(2 * n, 0, most);
    for (int i = 0; i < n; i++)
      for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
        const int j = s->column[e];
        const double a = fabs(s->value[e]) * s->D[n + i] * s->D[j];
        most[n + i] = perp_max(most[n + i], a);
        most[j] = perp_max(most[j], a);
      }
    for (int k = 0; k < 2 * n; k++) {
      int exponent;
      if (most[k] > 0 && isfinite(most[k])) {
        frexp(most[k], &exponent);
        s->D[k] = ldexp(s->D[k], -exponent / 2);
      }
    }
  }
}

/* Of b: what is smaller counts as 0. */
static const double NOTHING = 1e-7;

/* Ends the search near a solution where u is 0 up to rounding: the signs do not contradict each other. */
static bool is_apart(void *context, const perp_progress *at)
{
  const phase *s = context;
  return !(at->relative_residual <= NOTHING) || !at->x ||
         perp_norm_inf(s->m, at->x + s->n) > s->nothing;
}

/* Finds u. Returns false if it is 0 up to rounding, or if it was not found. */
static bool minimise(phase *s, const perp_method *interior, perp_arena *arena, perp_error *error)
{
  static const double TOL = 1e-13;
  const perp_problem *p = s->run->problem;
  const int n = s->n, size = n + s->m;
  const int64_t entries = 2 * s->start[n] + s->m;
  int64_t *start, at = 0;
  int *column;
  double *value, *b, *lo, *hi, *x;
  perp_operator *M = NULL;
  if (!PERP_TAKE(arena, PERP_ARRAY(start, size + 1), PERP_ARRAY(column, entries),
                 PERP_ARRAY(value, entries)) ||
      !PERP_TAKE_ZERO_REALS(arena, (size_t)size, &b, &lo, &hi, &x)) {
    *error = PERP_ERROR_MEMORY;
    return false;
  }
  for (int j = 0; j < n; j++) {
    start[j] = at;
    for (int64_t e = s->t_start[j]; e < s->t_start[j + 1]; e++) {
      const int i = s->t_column[e];
      if (s->of[i] < 0)
        continue;
      column[at] = s->of[i];
      value[at++] = -s->t_value[e] * s->D[j] * s->D[n + i];
    }
    lo[j] = s->L[j] / s->D[j];
    hi[j] = s->U[j] / s->D[j];
  }
  for (int i = 0; i < n; i++) {
    const int k = s->of[i];
    if (k < 0)
      continue;
    start[k] = at;
    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++, at++) {
      column[at] = s->column[e];
      value[at] = s->value[e] * s->D[s->column[e]] * s->D[n + i];
    }
    column[at] = k;
    value[at++] = 1;
    b[k] = p->b[i] * s->D[n + i];
    lo[k] = isinf(s->L[i]) ? -INFINITY : 0;
    hi[k] = isinf(s->U[i]) ? INFINITY : 0;
  }
  start[size] = at;
  *error = perp_operator_csr(size, start, column, value, PERP_BORROW, &M, NULL);
  if (*error)
    return false;
  const perp_problem q = perp_problem_boxed(M, b, lo, hi);
  const double most = perp_norm_inf(size, b);
  const perp_subrun sub = {
      .method = interior, .target = TOL * most, .observer = is_apart, .observer_context = s};
  s->nothing = NOTHING * most;
  perp_outcome outcome;
  *error = perp_run_subsolve(s->run, &sub, &q, x, &outcome);
  perp_operator_destroy(M);
  for (int i = 0; i < n; i++)
    s->u[i] = s->of[i] < 0 ? 0 : x[s->of[i]] * s->D[n + i];
  return !*error && perp_norm_inf(s->m, x + n) > s->nothing;
}

static bool may_go_on(void *context)
{
  const phase *s = context;
  return !perp_run_expired(s->run);
}

static bool is_certificate(void *context, const double *z)
{
  phase *s = context;
  const double *u = s->u;
  for (int i = 0; i < s->n; i++)
    s->u[i] = -z[i];
  const perp_arena_mark mark = perp_arena_hold(s->run->arena);
  s->held = perp_certificate_holds(s->run, &u);
  if (s->held && u != s->u)
    perp_copy(s->n, u, s->u);
  perp_arena_release(s->run->arena, mark);
  return s->held;
}

/* Tries u without the entries that are small in their row's unit, then its vertex. */
static perp_feasible prove(phase *s, double *z, double *cut)
{
  static const double tiny[] = {0, 1e-9, 1e-6, 1e-4};
  double top = 0;
  for (int i = 0; i < s->n; i++)
    top = perp_max(top, fabs(s->u[i]) / s->D[s->n + i]);
  for (int i = 0; i < s->n; i++)
    z[i] = -s->u[i] / top;
  for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++) {
    for (int i = 0; i < s->n; i++)
      cut[i] = fabs(z[i]) <= tiny[k] * s->D[s->n + i] ? 0 : z[i];
    if (is_certificate(s, cut))
      return PERP_FEASIBLE_PROVEN_NOT;
  }
  const perp_inequalities all = {s->n,        s->n,      s->start,       s->t_start, s->column,
                                 s->t_column, s->value,  s->t_value,     s->L,       s->U,
                                 s->D,        may_go_on, is_certificate, s};
  return !perp_vertex_prove(&all, z) ? PERP_FEASIBLE_UNKNOWN
         : s->held                   ? PERP_FEASIBLE_PROVEN_NOT
                                     : PERP_FEASIBLE_NOT;
}

perp_error perp_farkas_search(perp_run *run, const perp_method *interior, perp_feasible *feasible,
                              const double **u)
{
  static const double MOST_ENTRIES = 1e7;
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  perp_error error = PERP_OK;
  phase s = {.run = run, .n = p->K.n};
  double *z, *cut;
  *feasible = PERP_FEASIBLE_UNKNOWN;
  if (perp_set_form(&p->K) > PERP_FORM_BOXED || !p->A->table->exact_rows ||
      (double)p->A->nonzeros > MOST_ENTRIES)
    return PERP_OK;
  *u = s.u = perp_run_reals(run, n);
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  if (!s.u || !load(&s, run->arena) || !PERP_TAKE_REALS(run->arena, 2 * n, &z, &cut)) {
    error = PERP_ERROR_MEMORY;
  } else {
    scale(&s, z);
    if (minimise(&s, interior, run->arena, &error))
      *feasible = prove(&s, z, cut);
  }
  perp_arena_release(run->arena, mark);
  return error;
}
