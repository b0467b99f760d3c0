/* perp_npm.c: what index.mjs calls: solves from arrays in the memory of the module
 *
 * JavaScript has no structs, so each function takes the fields it needs; NULL stands for what is not
 * given, as in the structs of perp. A matrix is compressed rows, or dense (row major) if its starts are
 * NULL. Each returns a perp_error; the texts and numbers of the last solve are read afterwards. */
#include <perp/perp.h>

#include <stdlib.h>
#include <string.h>

#define CALLED __attribute__((used, visibility("default")))

/* The last solve. */
static struct {
  perp_outcome outcome;
  perp_message message;
  char method[64];
  double number[8];
} last;

static perp_error finish(perp_error error, perp_outcome outcome, const char *method,
                         const perp_message *message)
{
  last.outcome = error ? PERP_NOT_RUN : outcome;
  last.message = *message;
  strncpy(last.method, method ? method : "", sizeof last.method - 1);
  return error;
}

CALLED const char *npm_text(int which)
{
  return which == 0   ? perp_outcome_name(last.outcome)
         : which == 1 ? last.method
         : which == 2 ? last.message.text
                      : perp_version();
}

/* LCP: residual, relative residual, iterations, seconds. QP: objective, primal, dual, gap,
 * complementarity, iterations, seconds. */
CALLED double npm_number(int which)
{
  return last.number[which];
}

static perp_error make_matrix(int n, const int *start, const int *column, const double *value,
                              perp_operator **A, perp_message *why)
{
  return start ? perp_operator_csr32(n, start, column, value, PERP_BORROW, A, why)
               : perp_operator_dense(n, value, n, PERP_BORROW, A, why);
}

static perp_set make_set(int n, const double *lo, const double *hi, const int *findex,
                         const double *mu, const int *dim, const int *law, int cones)
{
  perp_set K = perp_set_default(n);
  K.lo = lo;
  K.hi = hi;
  K.findex = findex;
  K.mu = mu;
  K.dim = dim;
  K.law = law;
  K.cones = cones;
  return K;
}

static perp_options make_options(double tol, double iterations, double seconds, double *y)
{
  perp_options o = perp_options_default();
  o.tol = tol;
  o.max_iterations = (int64_t)iterations;
  o.time_limit = seconds;
  o.y = y;
  return o;
}

static perp_error finish_lcp(perp_error error, const perp_result *r)
{
  last.number[0] = r->residual;
  last.number[1] = r->relative_residual;
  last.number[2] = (double)r->counts.iterations;
  last.number[3] = r->seconds;
  return finish(error, r->outcome, r->method, &r->message);
}

/* x: the start, then the solution. */
CALLED perp_error npm_solve(const char *method, int n, const int *start, const int *column,
                            const double *value, const double *b, const double *lo,
                            const double *hi, const int *findex, const double *mu, const int *dim,
                            const int *law, int cones, double tol, double iterations,
                            double seconds, double *x, double *y)
{
  perp_operator *A = NULL;
  perp_result r = perp_result_empty();
  perp_error error = make_matrix(n, start, column, value, &A, &r.message);
  if (!error) {
    const perp_set K = make_set(n, lo, hi, findex, mu, dim, law, cones);
    const perp_problem p = perp_problem_product(A, b, &K);
    const perp_options o = make_options(tol, iterations, seconds, y);
    error = perp_solve(method, &p, &o, x, &r);
  }
  error = finish_lcp(error, &r);
  perp_operator_destroy(A);
  return error;
}

/* v: the velocities without contacts, then those with them. */
CALLED perp_error npm_contacts(int rows, int bodies, int freedom, int together, const int *body,
                               const double *J, const double *Minv, double cfm, const double *c,
                               const double *lo, const double *hi, const int *findex,
                               const double *mu, const int *dim, const int *law, int cones,
                               double tol, double iterations, double seconds, double *v, double *x,
                               double *y)
{
  perp_contact_bodies data = perp_contact_bodies_default();
  data.rows = rows;
  data.bodies = bodies;
  data.freedom = freedom;
  data.together = together;
  data.body = body;
  data.J = J;
  data.Minv = Minv;
  data.cfm = cfm;
  const perp_set K = make_set(rows, lo, hi, findex, mu, dim, law, cones);
  const perp_options o = make_options(tol, iterations, seconds, y);
  perp_result r = perp_result_empty();
  const perp_error error = perp_solve_contacts(&data, c, &K, &o, v, x, &r);
  return finish_lcp(error, &r);
}

/* P_value NULL: P = 0; m = 0: no rows G. */
CALLED perp_error npm_qp(const char *method, int n, int m, const int *P_start, const int *P_column,
                         const double *P_value, const double *q, const int *G_start,
                         const int *G_column, const double *G_value, const double *l,
                         const double *u, const double *lb, const double *ub, double tol,
                         double iterations, double seconds, double *x, double *z, double *w)
{
  perp_operator *P = NULL;
  int64_t *G_wide = NULL;
  perp_qp_result r = perp_qp_result_empty();
  perp_error error = PERP_OK;
  if (P_value)
    error = make_matrix(n, P_start, P_column, P_value, &P, &r.message);
  if (!error && G_start) {
    G_wide = malloc(((size_t)m + 1) * sizeof *G_wide);
    if (!G_wide)
      error = PERP_ERROR_MEMORY;
    for (int i = 0; G_wide && i <= m; i++)
      G_wide[i] = G_start[i];
  }
  if (!error) {
    perp_qp qp = perp_qp_default();
    qp.n = n;
    qp.m = m;
    qp.P = P;
    qp.q = q;
    qp.G_start = G_wide;
    qp.G_column = G_column;
    qp.G_value = G_value;
    qp.l = l;
    qp.u = u;
    qp.lb = lb;
    qp.ub = ub;
    perp_qp_options o = perp_qp_options_default();
    o.tol = tol;
    o.max_iterations = (int64_t)iterations;
    o.time_limit = seconds;
    o.z = z;
    o.w = w;
    error = perp_qp_solve(method, &qp, &o, x, &r);
  }
  const double numbers[] = {r.objective, r.primal,          r.dual,
                            r.gap,       r.complementarity, (double)r.counts.iterations,
                            r.seconds};
  memcpy(last.number, numbers, sizeof numbers);
  error = finish(error, r.outcome, r.method, &r.message);
  free(G_wide);
  perp_operator_destroy(P);
  return error;
}
