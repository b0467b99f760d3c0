/* derivative.c: derivatives of a solution with respect to the data, forward (jvp) and backward
 * (vjp)
 *
 * laws.h has the laws of the rows: dx = Z q + p, (W^T A Z + D) q = -W^T (A p + g), g = dA x + db.
 * For a gradient w of a function of x, with lambda from B^T lambda = Z^T w and a = -W lambda,
 *
 *   w^T dx = (w + A^T a)^T p + a^T g:
 *
 *   b_bar = a,  A_bar = a x^T on what is stored (stored.h),  p_bar = w + A^T a for bounds and mu.
 *
 * Cost: a factor of the matrix of free rows at creation, or none if a solver lends its own; then
 * for each call a solve with it, one to refine it, and a few products. Implicit differentiation of
 * complementarity problems: Robinson 1980, Pang 1990; friction: Todorov, Erez, Tassa 2012 and many
 * since. */
#include "base/sized.h"
#include "linalg/vector.h"
#include "model/derivative/reduced.h"
#include "model/derivative/stored.h"
#include "problem/judge.h"

#include <perp/solver.h>

struct perp_derivative {
  perp_arena memory;
  const perp_operator *A;
  uint64_t values; /* of A at creation */
  int n;
  int64_t mus;       /* numbers in mu */
  double *x, *p, *g; /* n each */
  double *q;         /* the unknowns */
  perp_laws laws;
  perp_reduced reduced;
  perp_stored entries;
  double residual, error;
};

void perp_derivative_options_init(perp_derivative_options *options, size_t size)
{
  const perp_derivative_options own = {
      .size = sizeof own, .tol = 1e-6, .near = 1e-9, .krylov_tol = 1e-13};
  perp_sized_write(&own, sizeof own, options, size);
}

void perp_gradient_init(perp_gradient *gradient, size_t size)
{
  const perp_gradient own = {.size = sizeof own};
  perp_sized_write(&own, sizeof own, gradient, size);
}

void perp_change_init(perp_change *change, size_t size)
{
  const perp_change own = {.size = sizeof own};
  perp_sized_write(&own, sizeof own, change, size);
}

/* ---- Creation ---- */

static perp_error read_options(const perp_derivative_options *from, perp_derivative_options *to,
                               perp_message *why)
{
  *to = perp_derivative_options_default();
  const perp_error error =
      from ? perp_sized_read("perp_derivative_options", from, to, sizeof *to, why) : PERP_OK;
  if (error)
    return error;
  if (!(to->tol >= 0) || !(to->near >= 0) || !(to->krylov_tol > 0) || to->krylov_limit < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "tol = %g, near = %g, krylov_tol = %g, krylov_limit = %lld: krylov_tol must "
                     "be > 0, the others >= 0",
                     to->tol, to->near, to->krylov_tol, (long long)to->krylov_limit);
  if ((unsigned)to->degenerate > PERP_DEGENERATE_RELEASE ||
      (unsigned)to->way > PERP_DERIVATIVE_KRYLOV)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "degenerate = %d or way = %d is not a value of its enum", (int)to->degenerate,
                     (int)to->way);
  return PERP_OK;
}

static perp_error no_memory(int n, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the derivative, n = %d", n);
}

/* Computes y <- A x + b and the natural residual as in the verdict. */
static perp_error judge(perp_derivative *d, const perp_problem *p, double tol, perp_message *why)
{
  double *scratch, *y = d->p;
  char *room;
  const perp_arena_mark hold = perp_arena_hold(&d->memory);
  if (!PERP_TAKE(&d->memory, PERP_ARRAY(scratch, p->A->scratch),
                 PERP_ARRAY(room, perp_judge_bytes(p->A))))
    return no_memory(d->n, why);
  const int failures = perp_operator_failures(p->A);
  const perp_work work = {.threads = 1, .scratch = scratch};
  d->residual = perp_judge(p, d->x, y, &work, room);
  perp_arena_release(&d->memory, hold);
  const perp_error error = perp_operator_failed(p->A, failures, why);
  if (error)
    return error;
  const double scale = perp_problem_scale(p), target = perp_verdict_target(tol, scale);
  if (!perp_verdict_solved(d->residual, target))
    return perp_fail(
        why, PERP_ERROR_PROBLEM,
        "x is not a solution: its natural residual is %.3g, and %.3g is allowed (tol = "
        "%g, scale %.3g)",
        d->residual, target, tol, scale);
  return PERP_OK;
}

/* solver: may be NULL */
static perp_error build(perp_derivative *d, perp_solver *solver, const perp_problem *p,
                        const double *x, const perp_derivative_options *o, perp_message *why)
{
  if (!PERP_TAKE_REALS(&d->memory, (size_t)d->n, &d->x, &d->p, &d->g, &d->q))
    return no_memory(d->n, why);
  perp_copy(d->n, x, d->x);
  perp_error error = judge(d, p, o->tol, why);
  if (error)
    return error;
  const double noise = 10 * d->residual, scale = perp_problem_scale(p);
  const double near_x = o->near * perp_norm_inf(d->n, x), near_y = o->near * scale;
  if (!perp_laws_find(&p->K, d->x, d->p, near_x > noise ? near_x : noise,
                      near_y > noise ? near_y : noise, o->degenerate, &d->memory, &d->laws) ||
      !perp_stored_open(p->A, &d->memory, &d->entries))
    return no_memory(d->n, why);
  perp_shared_factor *shared = solver ? perp_solver_borrow(solver, p->A) : NULL;
  return perp_reduced_open(p->A, &d->laws, o, shared, &d->reduced, why);
}

static perp_error create(perp_solver *solver, const perp_problem *problem, const double *x,
                         const perp_derivative_options *options, perp_derivative **derivative,
                         perp_message *why)
{
  if (!derivative)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "derivative is NULL");
  *derivative = NULL;
  perp_derivative_options own;
  perp_error error = read_options(options, &own, why);
  if (!error)
    error = perp_problem_validate(problem, why);
  if (error)
    return error;
  const int n = problem->K.n;
  if (n > 0 && !x)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x is NULL");
  const int64_t bad = perp_first_not_finite(n, x);
  if (bad >= 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x[%lld] = %g is not finite", (long long)bad,
                     x[bad]);
  perp_derivative *d = perp_alloc_zero(1, sizeof *d);
  if (!d)
    return no_memory(n, why);
  d->A = problem->A;
  d->values = problem->A->values;
  d->n = n;
  d->mus = (int64_t)problem->K.cones * (problem->K.dim ? PERP_FRICTION_MU : 1);
  error = build(d, solver, problem, x, &own, why);
  if (error)
    perp_derivative_destroy(d);
  else
    *derivative = d;
  return error;
}

perp_error perp_derivative_create(const perp_problem *problem, const double *x,
                                  const perp_derivative_options *options,
                                  perp_derivative **derivative, perp_message *why)
{
  return create(NULL, problem, x, options, derivative, why);
}

perp_error perp_derivative_from_solver(perp_solver *solver, const perp_problem *problem,
                                       const double *x, const perp_derivative_options *options,
                                       perp_derivative **derivative, perp_message *why)
{
  if (solver)
    return create(solver, problem, x, options, derivative, why);
  if (derivative)
    *derivative = NULL;
  return perp_fail(why, PERP_ERROR_ARGUMENT, "solver is NULL");
}

void perp_derivative_destroy(perp_derivative *derivative)
{
  if (!derivative)
    return;
  perp_reduced_close(&derivative->reduced);
  perp_arena_free(&derivative->memory);
  perp_free(derivative);
}

void perp_derivative_get_sized(const perp_derivative *d, perp_derivative_facts *facts, size_t size)
{
  perp_derivative_facts own = {.size = sizeof own};
  if (d)
    own = (perp_derivative_facts){
        .size = sizeof own,
        .n = d->n,
        .free = d->laws.m,
        .bound = d->laws.bound,
        .stick = d->laws.stick,
        .slide = d->laws.sliding,
        .separate = d->laws.separate,
        .degenerate = d->laws.degenerate,
        .deficiency = d->reduced.rank < 0 ? -1 : d->laws.m - d->reduced.rank,
        .way = d->reduced.way,
        .residual = d->residual,
        .error = d->error,
        .A_count = d->entries.A_count,
        .J_count = d->entries.J_count,
        .Minv_count = d->entries.Minv_count,
        .C_count = d->entries.C_count,
        .cells = d->entries.cells,
        .lent = d->reduced.shared ? 1 : 0,
    };
  perp_sized_write(&own, sizeof own, facts, size);
}

/* ---- Backward and forward ---- */

static perp_error check_vector(const char *name, int64_t n, const double *v, perp_message *why)
{
  const int64_t bad = v ? perp_first_not_finite(n, v) : -1;
  return bad < 0 ? PERP_OK
                 : perp_fail(why, PERP_ERROR_ARGUMENT, "%s[%lld] = %g is not finite", name,
                             (long long)bad, v[bad]);
}

static perp_error check_call(const perp_derivative *d, const void *of, const void *vector,
                             perp_message *why)
{
  if (!d || !of || (d->n > 0 && !vector))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "derivative or another argument is NULL");
  if (d->A->values != d->values)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "A has changed since the derivative was created; create it again");
  return PERP_OK;
}

perp_error perp_derivative_vjp(perp_derivative *d, const double *w, const perp_gradient *gradient,
                               perp_message *why)
{
  perp_gradient g = perp_gradient_default();
  perp_error error = check_call(d, gradient, w, why);
  if (!error)
    error = perp_sized_read("perp_gradient", gradient, &g, sizeof g, why);
  if (!error)
    error = check_vector("w", d->n, w, why);
  if (!error)
    error = perp_stored_check_gradient(&d->entries, &g, why);
  if (error)
    return error;
  /* B^T lambda = Z^T w, a = -W lambda */
  double *a = d->g;
  perp_laws_Z_t(&d->laws, w, d->q);
  error = perp_reduced_solve(&d->reduced, true, d->q, &d->error, why);
  if (error)
    return error;
  perp_laws_W(&d->laws, d->q, a);
  for (int i = 0; i < d->n; i++)
    a[i] = 0 - a[i]; /* no -0 */
  if (g.b)
    perp_copy(d->n, a, g.b);
  perp_stored_gradient(&d->entries, a, d->x, &g);
  if (!g.lo && !g.hi && !g.mu)
    return PERP_OK;
  /* p_bar = w + A^T a */
  error = perp_reduced_transposed_product(&d->reduced, a, d->p, why);
  if (error)
    return error;
  perp_axpy(d->n, 1, w, d->p);
  perp_laws_shift_t(&d->laws, d->p, g.lo, g.hi, d->mus, g.mu);
  return PERP_OK;
}

static perp_error check_change(const perp_derivative *d, const perp_change *c, perp_message *why)
{
  perp_error error = check_vector("b", d->n, c->b, why);
  if (!error)
    error = check_vector("lo", d->n, c->lo, why);
  if (!error)
    error = check_vector("hi", d->n, c->hi, why);
  if (!error)
    error = check_vector("mu", d->mus, c->mu, why);
  return error ? error : perp_stored_check_change(&d->entries, c, why);
}

perp_error perp_derivative_jvp(perp_derivative *d, const perp_change *change, double *dx,
                               perp_message *why)
{
  perp_change c = perp_change_default();
  perp_error error = check_call(d, change, dx, why);
  if (!error)
    error = perp_sized_read("perp_change", change, &c, sizeof c, why);
  if (!error)
    error = check_change(d, &c, why);
  if (error)
    return error;
  /* g <- dA x + db + A p */
  const int failures = perp_operator_failures(d->A);
  perp_laws_shift(&d->laws, c.lo, c.hi, c.mu, d->p);
  d->A->table->apply(d->A, d->p, d->g, &(perp_work){.threads = 1, .scratch = d->reduced.scratch});
  error = perp_operator_failed(d->A, failures, why);
  if (error)
    return error;
  if (c.b)
    perp_axpy(d->n, 1, c.b, d->g);
  perp_stored_change(&d->entries, &c, d->x, d->g);
  /* B q = -W^T g, dx = Z q + p */
  perp_laws_W_t(&d->laws, d->g, d->q);
  perp_multiply(d->laws.m, -1, d->q);
  error = perp_reduced_solve(&d->reduced, false, d->q, &d->error, why);
  if (error)
    return error;
  perp_laws_Z(&d->laws, d->q, dx);
  perp_axpy(d->n, 1, d->p, dx);
  return PERP_OK;
}
