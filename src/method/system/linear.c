/* linear.c: see linear.h
 *
 * A direct solve takes a product with A for its residual. Workspace: n^2, or the factor, or that of
 * the Krylov solver; 11 n beside it. */
#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "method/system/linear_parts.h"

const char *const perp_linear_solvers[] = {"auto",     "direct", "cg", "minres",
                                           "bicgstab", "gmres",  NULL};
const char *const perp_linear_preconditioners[] = {"auto", "none", "jacobi", "block", "ssor",
                                                   "ic",   "ilu",  "mg",     NULL};

bool perp_linear_is_direct(const perp_linear_system *s)
{
  return s->factor != PERP_BY_KRYLOV;
}

bool perp_linear_is_symmetric(const perp_linear_system *s)
{
  return s->symmetric;
}

double perp_linear_flops(const perp_linear_system *s)
{
  if (s->sparse)
    return perp_sparse_flops(s->factored);
  return s->dense ? (double)s->n * s->n * s->n / 3 : 0;
}

/* ---- Factors ---- */

/* The dense factor that exists; false if A_FF is singular. */
static bool factor_dense(perp_linear_system *s)
{
  const double m = s->m;
  if (!perp_run_affords(s->run, (s->symmetric ? 1 : 2) * m * m * m / 3))
    return true;
  s->run->count.factorisations++;
  const bool done = perp_square_factor(&s->square, s->run->problem->A, &s->entries, s->m, s->F,
                                       s->d, s->definite);
  if (s->square.kind != PERP_SQUARE_NONE)
    s->factor = PERP_BY_DENSE;
  return done;
}

static bool factor_sparse(perp_linear_system *s)
{
  const double share = (double)s->m / s->n; /* of the rows, and more or less of the work */
  if (!perp_run_affords(s->run, share * perp_sparse_flops(s->factored)))
    return true;
  const perp_sparse_state state = perp_sparse_factorise(s->factored, s->m, s->F, s->d);
  const int exchanged = perp_sparse_updates(s->factored);
  if (exchanged < 0)
    s->run->count.factorisations++;
  else
    s->run->count.pivots += exchanged;
  if (state == PERP_SPARSE_OK) {
    s->factor = PERP_BY_SPARSE;
    return true;
  }
  if (state == PERP_SPARSE_MEMORY || s->m > PERP_LINEAR_DENSE || s->definite)
    return state == PERP_SPARSE_MEMORY;
  /* lives until the next factor is made */
  s->square.matrix = perp_run_reals(s->run, (size_t)s->m * (size_t)s->m);
  return s->square.matrix ? factor_dense(s) : false;
}

bool perp_linear_set(perp_linear_system *s, int m, const int *F, const double *d)
{
  s->m = m;
  s->F = F;
  s->d = s->wanted = d;
  for (int i = 0; i < s->n; i++)
    s->in[i] = false;
  for (int k = 0; k < m; k++)
    s->in[F[k]] = true;
  s->factor = PERP_BY_KRYLOV;
  s->plain = false;
  bool regular = true;
  if (perp_run_expired(s->run))
    return true;
  if (s->lu.sparse && perp_rows_lu_set(&s->lu, m, F, d))
    s->factor = PERP_BY_LU;
  else if (s->dense)
    regular = factor_dense(s);
  else if (s->sparse)
    regular = factor_sparse(s);
  if (s->factor == PERP_BY_KRYLOV)
    perp_preconditioner_set(&s->M, m, F, d);
  s->plain = s->factor != PERP_BY_KRYLOV && regular;
  for (int k = 0; d && k < m; k++)
    s->plain = s->plain && d[F[k]] == 0;
  return regular;
}

bool perp_linear_set_definite(perp_linear_system *s, int m, const int *F, const double *d)
{
  s->definite = true;
  const bool done = perp_linear_set(s, m, F, d);
  s->definite = false;
  return done;
}

bool perp_linear_set_raised(perp_linear_system *s, int m, const int *F, const double *d,
                            double unit)
{
  bool done = perp_linear_set_definite(s, m, F, d);
  for (double more = 1e-12; !done && more < 1e-5; more *= 100) {
    for (int k = 0; k < m; k++)
      s->raised[F[k]] = d[F[k]] + more * unit;
    done = perp_linear_set_definite(s, m, F, s->raised);
  }
  if (!done)
    return perp_linear_set(s, m, F, d);
  s->wanted = d;
  return true;
}

bool perp_linear_set_tied(perp_linear_system *s, const double *d, const double *e)
{
  s->wanted = d;
  s->e = e;
  if (s->velocities)
    return perp_velocities_set(s->velocities, d, e);
  const perp_gathered *g = &s->entries;
  perp_copy(g->start[s->n], g->value, s->value);
  s->F = s->finite;
  s->m = 0;
  for (int i = 0; i < s->n; i++)
    if (d[i] < INFINITY) {
      s->finite[s->m++] = i;
      s->value[g->diagonal[i]] += d[i];
      if (g->beside[i] >= 0)
        s->value[g->beside[i]] += e[i];
    }
  const bool done = perp_rows_lu_set(&s->lu, s->m, s->F, NULL);
  if (s->lu.too_long)
    perp_run_too_long(s->run, "a factor", s->m);
  return done;
}

bool perp_linear_too_long(const perp_linear_system *s)
{
  return s->velocities ? s->velocities->M.too_long : s->lu.too_long;
}

/* ---- Solving ---- */

/* y <- A x + d x in F, 0 outside; x is 0 outside F. A perp_product. */
static void product(void *context, const double *x, double *y)
{
  perp_linear_system *s = context;
  perp_run_apply(s->run, x, y);
  for (int i = 0; i < s->n; i++)
    y[i] = s->in[i] ? y[i] + (s->d ? s->d[i] * x[i] : 0) : 0;
}

/* z <- z + (A_FF + d_F)^-1 r by the factor. False if it cannot be done. */
static bool add_direct(perp_linear_system *s, const double *r, double *z)
{
  double *c = s->u;
  for (int k = 0; k < s->m; k++)
    c[k] = r[s->F[k]];
  if (s->factor == PERP_BY_LU) {
    if (!perp_rows_lu_solve(&s->lu, c))
      return false;
  } else {
    s->run->count.solves++;
    if (s->factor == PERP_BY_DENSE)
      perp_square_solve(&s->square, c);
    else if (!perp_sparse_solve(s->factored, c))
      return false;
  }
  for (int k = 0; k < s->m; k++)
    z[s->F[k]] += c[k];
  return perp_all_finite(s->m, c);
}

/* r <- right - (A_FF + d_F) z; its norm. */
static double residual_of(perp_linear_system *s, const double *z, double *r)
{
  product(s, z, r);
  perp_subtract(s->n, s->right, r, r);
  return perp_norm2(s->n, r);
}

static double solve_direct(perp_linear_system *s, double tol, double *z)
{
  enum { REFINEMENTS = 1 };
  perp_copy(s->n, s->right, s->t);
  const double whole = perp_norm2(s->n, s->right);
  double reached = INFINITY;
  for (int step = 0; step <= REFINEMENTS; step++) {
    if (!add_direct(s, s->t, z))
      return INFINITY;
    if (tol == INFINITY)
      return 0;
    reached = residual_of(s, z, s->t) / whole;
    if (reached <= tol)
      break;
  }
  return reached;
}

static double solve_krylov(perp_linear_system *s, double tol, double *z)
{
  enum { MOST_PRODUCTS = 5000 };
  const double whole = perp_norm2(s->n, s->right);
  const perp_krylov k = {.n = s->n,
                         .product = product,
                         .context = s,
                         .precondition = perp_preconditioner_apply,
                         .precondition_context = &s->M,
                         .alarm = perp_run_alarm(s->run),
                         .target = tol * whole,
                         .limit = s->m < MOST_PRODUCTS / 4 ? 4 * s->m + 20 : MOST_PRODUCTS};
  const bool free_choice = s->plan.solver <= PERP_LINEAR_DIRECT;
  perp_krylov_end end;
  if (s->plan.solver == PERP_LINEAR_CG || (free_choice && s->symmetric)) {
    end = perp_cg(&k, s->right, z, s->room);
    if (free_choice && (end.state == PERP_KRYLOV_NEGATIVE || end.state == PERP_KRYLOV_BREAKDOWN))
      end = perp_minres(&k, s->right, z, s->room);
  } else if (s->plan.solver == PERP_LINEAR_MINRES) {
    end = perp_minres(&k, s->right, z, s->room);
  } else if (s->plan.solver == PERP_LINEAR_BICGSTAB) {
    end = perp_bicgstab(&k, s->right, z, s->room);
  } else {
    end = perp_gmres(&k, s->restart, s->right, z, s->room);
  }
  return end.residual / whole;
}

double perp_linear_solve(perp_linear_system *s, const double *r, double tol, double *z)
{
  for (int i = 0; i < s->n; i++) {
    s->right[i] = s->in[i] ? r[i] : 0;
    z[i] = 0;
  }
  if (perp_run_expired(s->run)) /* nor is there a factor */
    return 1;
  const double whole = perp_norm2(s->n, s->right);
  if (whole == 0)
    return 0;
  double reached = INFINITY;
  if (isfinite(whole))
    reached = s->factor == PERP_BY_KRYLOV ? solve_krylov(s, tol, z) : solve_direct(s, tol, z);
  if (isfinite(reached))
    return reached;
  perp_fill(s->n, 0, z);
  return INFINITY;
}

/* ---- Refinement ---- */

bool perp_linear_add(perp_linear_system *s, const double *r, double *z)
{
  if (s->velocities) {
    perp_velocities_add(s->velocities, r, z);
    return true;
  }
  if (s->factor == PERP_BY_LU)
    return add_direct(s, r, z);
  if (!isfinite(perp_linear_solve(s, r, 1e-10, s->step)))
    return false;
  perp_axpy(s->n, 1, s->step, z);
  return true;
}

static bool takes_part(const perp_linear_system *s, int i)
{
  return s->tied ? s->wanted[i] < INFINITY : s->in[i];
}

/* q <- r - (A + d) z - e z_normal in the rows that take part, else 0; its norm. */
static double residual(perp_linear_system *s, const double *r, const double *z)
{
  const int *normal = s->plan.normal;
  perp_run_apply(s->run, z, s->q);
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    const double tied = normal && normal[i] >= 0 ? s->e[i] * z[normal[i]] : 0;
    s->q[i] = takes_part(s, i) ? r[i] - s->q[i] - s->wanted[i] * z[i] - tied : 0;
    sum += s->q[i] * s->q[i];
  }
  return sqrt(sum);
}

bool perp_linear_refine(perp_linear_system *s, const double *r, double tol, int most, double *z)
{
  double whole = 0;
  for (int i = 0; i < s->n; i++)
    whole += takes_part(s, i) ? r[i] * r[i] : 0;
  perp_fill(s->n, 0, z);
  if (!perp_linear_add(s, r, z))
    return false;
  double before = most > 0 ? residual(s, r, z) : 0;
  for (int k = 0; k < most && before > tol * sqrt(whole); k++) {
    if (!perp_linear_add(s, s->q, z))
      return false;
    const double now = residual(s, r, z);
    if (!(now < 0.5 * before))
      break;
    before = now;
  }
  return perp_all_finite(s->n, z);
}
