/* system.c: the linear system of a step, with a proximal term and refinement
 *
 *   K = ( P + diag(sigma_x)   G^T                    )
 *       ( G                   -diag(1/sigma_g) - rho )
 *
 * may be singular: P may have directions without curvature, and equations may be dependent. The
 * factor belongs to K + diag(delta, -delta), which is quasi-definite; rows of G may have a larger
 * delta than x, max(delta, damping). Refinement removes rounding:
 *
 *   d <- d + (K + delta)^-1 (r - (K + delta) d)
 *
 * and the caller's next step removes the effect of delta: that is the proximal point iteration of the
 * quadratic program (Rockafellar 1976), which converges whenever there is a solution. It is slow in
 * directions with an eigenvalue of K below delta: a multiplier that must fall by 1e5 while its row
 * violates its bound by 1e-5 takes 1e10 delta steps. So if the iteration stalls and a step would leave
 * more than half of a residual of the optimality conditions, GMRES on K solves for the few such
 * directions. The factor is its preconditioner, and each block of rows is in the unit of its
 * residual. */
#include "model/qp/qp.h"

#include "linalg/krylov.h"
#include "linalg/sparse_ldlt.h"

#include <float.h>

static const double REMAINDER = 1e-4; /* the part of delta that GMRES leaves */

/* The proximal term of the rows of G. */
static double delta_of_rows(const perp_qp_solver *s)
{
  return perp_max(s->delta, s->damping);
}

bool perp_qp_system_factorise(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  const int n = s->n;
  const double delta = s->delta;
  for (int i = 0; i < n; i++) {
    s->own[i] = isinf(s->sigma[i]) ? 0 : s->sigma[i];
    s->weight[i] = s->scaled.diagonal[i] + s->sigma[i] + delta;
  }
  for (int k = n; k < n + s->m; k++) {
    s->own[k] = s->sigma[k] > 0 ? 1 / s->sigma[k] : 0;
    s->weight[k] = s->sigma[k] > 0 ? -(s->own[k] + s->rho + delta_of_rows(s)) : -INFINITY;
  }
  const perp_alarm alarm = perp_qp_run_alarm(run);
  run->factorisations++;
  s->factored = false;
  return perp_qp_factorise(s->factor, s->weight, s->sign, 1e-3 * delta, delta, &alarm, NULL) >= 0;
}

/* y <- (K + part diag(delta, -delta)) d - r, 0 in rows that are not in the system; r may be NULL.
 * Returns its size. */
static double find_residual(const perp_qp_solver *s, double part, const double *r, const double *d,
                            double *y)
{
  const double delta = part * s->delta, of_rows = s->rho + part * delta_of_rows(s);
  const int n = s->n, all = n + s->m;
  for (int i = 0; i < n; i++)
    y[i] = (s->own[i] + delta) * d[i] - (r ? r[i] : 0);
  for (int k = n; k < all; k++)
    y[k] = -(s->own[k] + of_rows) * d[k] - (r ? r[k] : 0);
  perp_qp_add(&s->scaled.P, d, y);
  perp_qp_add_t(&s->scaled.G, d + n, y);
  perp_qp_add(&s->scaled.G, d, y + n);
  for (int k = 0; k < all; k++)
    y[k] = isinf(s->weight[k]) ? 0 : y[k];
  return perp_norm_inf(all, y);
}

/* ---- Without the proximal term ---- */

static void weigh(const perp_qp_solver *s, bool divide, double *y)
{
  perp_multiply(s->n, divide ? s->goal[0] : 1 / s->goal[0], y);
  perp_multiply(s->m, divide ? s->goal[1] : 1 / s->goal[1], y + s->n);
}

static void weighted_product(void *run, const double *d, double *y)
{
  const perp_qp_solver *s = ((const perp_qp_run *)run)->solver;
  find_residual(s, REMAINDER, NULL, d, y);
  weigh(s, false, y);
}

static void weighted_solve(void *run, const double *r, double *d)
{
  perp_qp_solver *s = ((perp_qp_run *)run)->solver;
  perp_copy(s->n + s->m, r, d);
  weigh(s, true, d);
  perp_qp_factor_solve(s->factor, d);
  ((perp_qp_run *)run)->solves++;
}

/* Improves d until it leaves less than the goals of the residuals without the proximal term. */
static void remove_proximal_term(perp_qp_run *run, const double *r, double *d)
{
  perp_qp_solver *s = run->solver;
  const int all = s->n + s->m;
  double *y = s->step[1];
  find_residual(s, REMAINDER, r, d, y);
  weigh(s, false, y);
  if (!(perp_norm_inf(all, y) > 1))
    return;
  perp_copy(all, r, y);
  weigh(s, false, y);
  const perp_krylov k = {.n = all,
                         .product = weighted_product,
                         .context = run,
                         .precondition = weighted_solve,
                         .precondition_context = run,
                         .alarm = perp_qp_run_alarm(run),
                         .target = 0.5,
                         .limit = PERP_QP_KRYLOV};
  perp_gmres(&k, PERP_QP_KRYLOV, y, d, s->krylov);
}

/* r <- d with (K + part diag(delta, -delta)) d = r, by at most `most` steps of refinement, until one
 * leaves more than `slow` of the residual. Returns the remaining residual relative to r. */
static double refine(perp_qp_run *run, double part, int most, double slow, double enough, double *r)
{
  perp_qp_solver *s = run->solver;
  const int all = s->n + s->m;
  double *d = s->step[0], *y = s->step[1], *trial = s->step[2];
  const double size = perp_norm_inf(all, r);
  if (!(size > 0))
    return size == 0 ? 0 : INFINITY;
  perp_copy(all, r, d);
  perp_qp_factor_solve(s->factor, d);
  run->solves++;
  double left = find_residual(s, part, r, d, y);
  for (int k = 0; k < most && left > enough * size; k++) {
    perp_qp_factor_solve(s->factor, y);
    run->solves++;
    for (int i = 0; i < all; i++)
      trial[i] = d[i] - y[i];
    const double next = find_residual(s, part, r, trial, y);
    if (!(next < left))
      break;
    perp_exchange_vectors(&d, &trial);
    const bool stalls = next > slow * left;
    left = next;
    if (stalls)
      break;
  }
  if (part > 0 && s->exact)
    remove_proximal_term(run, r, d);
  perp_copy(all, d, r);
  return left / size;
}

double perp_qp_system_solve(perp_qp_run *run, double *r, double enough)
{
  return refine(run, 1, 4, 0.5, perp_max(enough, 16 * DBL_EPSILON), r);
}

void perp_qp_system_solve_once(perp_qp_run *run, double *r)
{
  perp_qp_factor_solve(run->solver->factor, r);
  run->solves++;
}

double perp_qp_system_solve_exact(perp_qp_run *run, double *r)
{
  return refine(run, 0, 100, 1, 1e-15, r);
}

/* ---- The factor ----
 *
 *   K = ( P + E   G^T )       E, F > 0,
 *       ( G       -F  )
 *
 * has an L D L^T factor for every order of its rows, without exchanges (Vanderbei 1995), and D has
 * the signs of the diagonal: + in rows of P, - in rows of G. So an order with little fill is chosen
 * once, and pattern, tree and columns of L stay (linalg/sparse_ldlt.c). An infinite diagonal entry
 * removes its row: so active sets change without another pattern. */

struct perp_qp_factor {
  perp_sparse_ldlt L;
  int *order, *place;
  double *diagonal, *permuted;
  double work; /* flops of a factor over those of a solve */
};

perp_qp_factor *perp_qp_factor_create(const perp_qp_rows *A, perp_arena *arena)
{
  const size_t n = (size_t)A->rows;
  const perp_sparse K = {A->rows, A->start, A->column, A->value};
  perp_qp_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f || !PERP_TAKE_INTEGERS(arena, n, &f->order, &f->place) ||
      !PERP_TAKE_ZERO_REALS(arena, n, &f->diagonal, &f->permuted) ||
      !perp_sparse_order_degree(&K, arena, f->order))
    return NULL;
  for (int k = 0; k < A->rows; k++)
    f->place[f->order[k]] = k;
  if (!perp_sparse_ldlt_load(&f->L, &K, A->rows, f->order, f->place, NULL, arena))
    return NULL;
  const int64_t fill = perp_sparse_ldlt_analyse(&f->L, true, INT64_MAX);
  double squares = 0, sum = 0;
  for (int k = 0; k < A->rows; k++) {
    const double entries = (double)f->L.next[k];
    squares += entries * (entries + 1);
    sum += 4 * entries + 1;
  }
  f->work = sum > 0 ? squares / sum : 0;
  return perp_sparse_ldlt_take(&f->L, fill, arena) ? f : NULL;
}

double perp_qp_factor_work(const perp_qp_factor *f)
{
  return f->work;
}

/* The input and output of a factorisation. */
typedef struct {
  const int *order;
  const signed char *sign;
  double least, replace;
  int replaced, first;
} pivoting;

/* Returns the pivot of row k in *pivot, replaced if its sign is wrong. */
static bool take_pivot(void *context, int k, double diagonal, double *pivot)
{
  pivoting *p = context;
  const int row = p->order[k];
  (void)diagonal;
  if (p->sign[row] * *pivot > p->least)
    return true;
  if (p->replaced++ == 0)
    p->first = row;
  *pivot = p->sign[row] * p->replace;
  return true;
}

int perp_qp_factorise(perp_qp_factor *f, const double *diagonal, const signed char *sign,
                      double least, double replace, const perp_alarm *alarm, int *first)
{
  pivoting p = {.order = f->order, .sign = sign, .least = least, .replace = replace};
  for (int k = 0; k < f->L.n; k++)
    f->diagonal[k] = diagonal[f->order[k]];
  if (!perp_sparse_ldlt_factorise(&f->L, f->diagonal, take_pivot, &p, alarm))
    return -1;
  if (p.replaced > 0 && first)
    *first = p.first;
  return p.replaced;
}

void perp_qp_factor_solve(perp_qp_factor *f, double *x)
{
  for (int k = 0; k < f->L.n; k++)
    f->permuted[k] = x[f->order[k]];
  perp_sparse_ldlt_solve(&f->L, f->permuted);
  for (int k = 0; k < f->L.n; k++)
    x[f->order[k]] = f->permuted[k];
}

void perp_qp_factor_direction(perp_qp_factor *f, int first, double *d)
{
  perp_sparse_ldlt_direction(&f->L, f->place[first], f->permuted);
  for (int k = 0; k < f->L.n; k++)
    d[f->order[k]] = f->permuted[k];
}

/* ---- Convexity ----
 *
 * P + delta I = L D L^T without exchanges exists with D > 0 if and only if P + delta I is positive
 * definite. With delta slightly above the rounding of the factor, a pivot that is not positive
 * shows that P has an eigenvalue below 0 by more than rounding: then d with L^T d = e_k has d^T
 * (P + delta) d = D_k, and d^T P d < 0 is computed in twice the precision. A matrix whose diagonal
 * dominates its rows needs no factor. */

static bool is_dominant(const perp_qp_rows *P)
{
  for (int i = 0; i < P->rows; i++) {
    double diagonal = 0, others = 0;
    for (int64_t e = P->start[i]; e < P->start[i + 1]; e++)
      if (P->column[e] == i)
        diagonal = P->value[e];
      else
        others += fabs(P->value[e]);
    if (!(diagonal >= others))
      return false;
  }
  return true;
}

/* d^T P d / d^T d */
static double curvature_along(const perp_qp_solver *s, const double *d, double *y)
{
  for (int i = 0; i < s->n; i++)
    y[i] = perp_dot_exact_at(s->P.start[i + 1] - s->P.start[i], s->P.value + s->P.start[i],
                             s->P.column + s->P.start[i], d, 0);
  return perp_dot_exact(s->n, d, y, 0) / perp_dot_exact(s->n, d, d, 0);
}

perp_error perp_qp_convex(perp_qp_solver *s, perp_message *why)
{
  const int n = s->n;
  s->convex = true;
  if (s->applied || is_dominant(&s->P))
    return PERP_OK;
  perp_arena arena = {0};
  double *diagonal = NULL, *y;
  signed char *sign;
  perp_qp_factor *f = perp_qp_factor_create(&s->scaled.P, &arena);
  const double delta = 10 * n * DBL_EPSILON * perp_norm_inf(s->P.start[n], s->scaled.P.value);
  const perp_alarm never = {0};
  int first = 0;
  if (!f || !PERP_TAKE_REALS(&arena, (size_t)n, &diagonal, &y) ||
      !PERP_TAKE(&arena, PERP_ARRAY(sign, n))) {
    perp_arena_free(&arena);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a factor of P");
  }
  for (int i = 0; i < n; i++) {
    diagonal[i] = s->scaled.diagonal[i] + delta;
    sign[i] = 1;
  }
  if (perp_qp_factorise(f, diagonal, sign, 0, 1, &never, &first) > 0) {
    perp_qp_factor_direction(f, first, s->ray);
    for (int i = 0; i < n; i++)
      s->ray[i] *= s->D[i];
    const double size = perp_norm_inf(n, s->ray);
    if (size > 0 && size < INFINITY)
      perp_multiply(n, 1 / size, s->ray);
    s->curvature = curvature_along(s, s->ray, y);
    s->convex = !(s->curvature < 0);
    s->not_convex_row = first;
  }
  perp_arena_free(&arena);
  return PERP_OK;
}
