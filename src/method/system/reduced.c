/* reduced.c: see reduced.h
 *
 * Dense: m^3/3 flops for Cholesky, 2 m^3/3 for LU, and a product with A for the residual of every
 * solve. Workspace: n^2, or the factor, or that of the Krylov solver; 5 n beside it. */
#include "method/system/reduced.h"

#include "base/elementary.h"
#include "base/random.h"
#include "linalg/dense.h"
#include "linalg/krylov.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "method/system/gather.h"
#include "method/system/preconditioner.h"

#include <float.h>

enum {
  DENSE_LIMIT = 2000,    /* rows up to which a sparse matrix is factored as a dense one */
  SPARSE_LIMIT = 300000, /* rows up to which auto makes a sparse factor */
  RESTART = 50,          /* of GMRES */
  RESTART_LARGE = 20,    /* above LARGE unknowns */
  LARGE = 100000,
  MOST_PRODUCTS = 5000,
  ORDERING = 100, /* flops that would take as long as to gather and order one entry */
};

typedef enum factor_kind { KRYLOV, CHOLESKY, LDLT, LU, SPARSE } factor_kind;

struct perp_reduced {
  perp_run *run;
  int n;
  bool symmetric;
  perp_reduced_solver solver;
  bool dense;  /* direct: A_FF is made a dense matrix */
  bool sparse; /* direct: ... or factored as a sparse one */
  int m;
  const int *F;    /* the caller's */
  const double *d; /* the caller's */
  bool definite;   /* Cholesky or nothing */
  bool *in;        /* n: F */
  factor_kind factor;

  double *matrix;         /* dense: m x m in use */
  int *pivots;            /* n */
  int *position;          /* n: place in F, -1 outside; for matrices read by rows */
  double *e;              /* n: of the LDL^T */
  double *rows, *columns; /* n each: what those of the matrix were multiplied by */
  perp_lu lu;
  perp_ldlt ldlt;

  perp_gathered entries;
  perp_sparse matrix_rows;
  perp_sparse_factor *factored; /* to be closed */

  perp_preconditioner M;
  int restart;
  double *room;          /* of the Krylov solver, or 2 n */
  double *right, *t, *u; /* n each */
};

/* ---- Opening ---- */

/* Where time is over no matter what. */
static bool dense_is_symmetric(perp_run *run, int n, const double *a, int64_t ld)
{
  double largest = 0, apart = 0;
  for (int i = 0; i < n && !perp_run_expired_at(run, i); i++)
    for (int j = 0; j < i; j++) {
      largest = perp_max(largest, fabs(a[i * ld + j]));
      apart = perp_max(apart, fabs(a[i * ld + j] - a[j * ld + i]));
    }
  return apart <= 1e-12 * largest;
}

/* u^T A v = v^T A u for two vectors that know nothing of A, up to rounding: what can be told of a
 * matrix without entries at hand. */
static bool product_is_symmetric(perp_reduced *s)
{
  perp_random random = perp_random_from(1);
  double *u = s->right, *v = s->u, *t = s->t;
  for (int i = 0; i < s->n; i++) {
    u[i] = perp_random_between(&random, -1, 1);
    v[i] = perp_random_between(&random, -1, 1);
  }
  perp_run_apply(s->run, v, t);
  const double uAv = perp_dot(s->n, u, t), size = perp_norm2(s->n, u) * perp_norm2(s->n, t);
  perp_run_apply(s->run, u, t);
  return fabs(uAv - perp_dot(s->n, v, t)) <= 1e-12 * size;
}

static perp_error open_dense(perp_reduced *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n;
  if (!perp_run_allows(run, (double)n * (double)n * sizeof(double)))
    return PERP_OK;
  s->matrix = perp_run_reals(run, n * n);
  s->dense = true;
  return s->matrix ? PERP_OK : perp_run_no_memory(run);
}

/* Reads all entries where A has rows; by them whether A is symmetric. */
static perp_error open_rows(perp_reduced *s)
{
  perp_error error = perp_gather(s->run, false, &s->entries);
  if (error || !s->entries.column)
    return error;
  int64_t *cursor = perp_arena_alloc(s->run->arena, (size_t)s->n, sizeof *cursor);
  if (!cursor)
    return perp_run_no_memory(s->run);
  s->symmetric = perp_gathered_is_symmetric(&s->entries, cursor);
  if (!s->symmetric)
    return s->n <= DENSE_LIMIT ? open_dense(s) : PERP_OK;
  s->sparse = perp_run_affords(s->run, ORDERING * (double)s->entries.start[s->n]);
  s->matrix_rows = (perp_sparse){
      .n = s->n, .start = s->entries.start, .column = s->entries.column, .value = s->entries.value};
  return PERP_OK;
}

/* How a direct solver comes by its matrix, where it does. */
static perp_error open_direct(perp_reduced *s)
{
  const perp_operator *A = s->run->problem->A;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    s->symmetric = A->symmetric || dense_is_symmetric(s->run, s->n, a, stride);
    return s->solver <= PERP_REDUCED_DIRECT ? open_dense(s) : PERP_OK;
  }
  s->symmetric = perp_operator_is_stencil(A);
  const bool grid = s->symmetric && s->solver == PERP_REDUCED_AUTO;
  const bool small = s->n <= SPARSE_LIMIT || s->solver == PERP_REDUCED_DIRECT;
  const double reading = A->nonzeros > 0 ? ORDERING * (double)A->nonzeros : 0;
  if (A->table->row && !grid && small && s->solver <= PERP_REDUCED_DIRECT &&
      perp_run_affords(s->run, reading))
    return open_rows(s);
  s->symmetric = s->symmetric || product_is_symmetric(s);
  return PERP_OK;
}

static perp_error open_krylov(perp_reduced *s, perp_reduced_preconditioner preconditioner)
{
  const bool direct = s->dense || s->sparse;
  if (direct && preconditioner == PERP_PRECONDITION_AUTO) /* only where a factor fails */
    preconditioner = PERP_PRECONDITION_JACOBI;
  s->restart = s->n > LARGE ? RESTART_LARGE : RESTART;
  s->restart = s->restart < s->n ? s->restart : s->n;
  int64_t room = perp_minres_work(s->n);
  if (s->solver == PERP_REDUCED_GMRES || !s->symmetric) {
    const int64_t gmres = perp_gmres_work(s->n, s->restart);
    room = room > gmres ? room : gmres;
  }
  s->room = perp_run_reals(s->run, (size_t)room);
  if (!s->room)
    return perp_run_no_memory(s->run);
  return perp_preconditioner_open(s->run, preconditioner, s->symmetric, s->in,
                                  s->entries.column ? &s->entries : NULL, &s->M);
}

perp_error perp_reduced_open(perp_run *run, perp_reduced_solver solver,
                             perp_reduced_preconditioner preconditioner, perp_reduced **reduced)
{
  const size_t n = (size_t)run->problem->K.n;
  perp_reduced *s = *reduced = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  *s = (perp_reduced){.run = run,
                      .n = (int)n,
                      .solver = solver,
                      .in = perp_arena_alloc_zero(run->arena, n, sizeof(bool)),
                      .pivots = perp_run_integers(run, n),
                      .position = perp_run_integers(run, n),
                      .e = perp_run_reals(run, n),
                      .rows = perp_run_reals(run, n),
                      .columns = perp_run_reals(run, n),
                      .right = perp_run_reals(run, n),
                      .t = perp_run_reals(run, n),
                      .u = perp_run_reals(run, n)};
  if (!s->in || !s->pivots || !s->position || !s->e || !s->rows || !s->columns || !s->right ||
      !s->t || !s->u)
    return perp_run_no_memory(run);
  perp_error error = open_direct(s);
  if (!error)
    error = open_krylov(s, preconditioner);
  if (!error && s->sparse && perp_run_expired(run))
    s->sparse = false;
  if (!error && s->sparse) { /* last: the factor's memory lies behind all other */
    s->factored = perp_sparse_analyse(&s->matrix_rows, run->arena, run->options->memory_limit);
    error = s->factored ? PERP_OK : perp_run_no_memory(run);
  }
  s->factor = s->dense ? LU : s->sparse ? SPARSE : KRYLOV;
  return error;
}

void perp_reduced_close(perp_reduced *s)
{
  if (s)
    perp_sparse_free(s->factored);
}

bool perp_reduced_is_direct(const perp_reduced *s)
{
  return s->factor != KRYLOV;
}

bool perp_reduced_is_symmetric(const perp_reduced *s)
{
  return s->symmetric;
}

double perp_reduced_flops(const perp_reduced *s)
{
  if (s->sparse)
    return perp_sparse_flops(s->factored);
  return s->dense ? (double)s->n * s->n * s->n / 3 : 0;
}

/* ---- Factors ---- */

/* matrix <- A_FF + diag(d_F) */
static void fill_matrix(perp_reduced *s)
{
  const perp_operator *A = s->run->problem->A;
  const int m = s->m, *F = s->F;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        s->matrix[(int64_t)i * m + j] = a[F[i] * stride + F[j]];
  } else {
    perp_fill((int64_t)m * m, 0, s->matrix);
    for (int i = 0; i < s->n; i++)
      s->position[i] = -1;
    for (int i = 0; i < m; i++)
      s->position[F[i]] = i;
    const perp_gathered *g = &s->entries;
    for (int i = 0; i < m; i++)
      for (int64_t e = g->start[F[i]]; e < g->start[F[i] + 1]; e++)
        if (s->position[g->column[e]] >= 0)
          s->matrix[(int64_t)i * m + s->position[g->column[e]]] = g->value[e];
  }
  for (int i = 0; s->d && i < m; i++)
    s->matrix[(int64_t)i * m + i] += s->d[F[i]];
}

/* A power of two near 1 / a, exact to multiply with; 1 where a is none to divide by. */
static double inverse_power(double a)
{
  return a > DBL_MIN && a < INFINITY ? ldexp(1, -ilogb(a)) : 1;
}

/* Rows and columns of very different sizes, and a diagonal d of many decades, would make a regular
 * matrix look singular: all are brought to order one, symmetric ones by their diagonal. */
static void equilibrate(perp_reduced *s)
{
  const int m = s->m;
  double *a = s->matrix;
  for (int i = 0; i < m; i++) {
    double most = 0;
    for (int j = 0; j < m && !s->symmetric; j++)
      most = perp_max(most, fabs(a[(int64_t)i * m + j]));
    s->rows[i] = inverse_power(s->symmetric ? sqrt(fabs(a[(int64_t)i * m + i])) : most);
    s->columns[i] = s->symmetric ? s->rows[i] : 0;
  }
  for (int i = 0; i < m && !s->symmetric; i++)
    for (int j = 0; j < m; j++)
      s->columns[j] = perp_max(s->columns[j], fabs(s->rows[i] * a[(int64_t)i * m + j]));
  for (int j = 0; j < m && !s->symmetric; j++)
    s->columns[j] = inverse_power(s->columns[j]);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      a[(int64_t)i * m + j] *= s->rows[i] * s->columns[j];
}

/* The dense factor that exists; false where A_FF is singular. */
static bool factor_dense(perp_reduced *s)
{
  const int m = s->m;
  if (!perp_run_affords(s->run, (s->symmetric ? 1 : 2) * (double)m * m * m / 3)) {
    s->factor = KRYLOV;
    return true;
  }
  fill_matrix(s);
  equilibrate(s);
  s->run->count.factorisations++;
  if (s->symmetric) {
    double largest = 0;
    for (int i = 0; i < m; i++)
      largest = perp_max(largest, s->matrix[(int64_t)i * m + i]);
    s->factor = CHOLESKY;
    if (perp_cholesky(m, s->matrix, m, m * DBL_EPSILON * largest) == m)
      return true;
    if (s->definite) {
      s->factor = KRYLOV;
      return false;
    }
    fill_matrix(s);
    equilibrate(s);
    s->factor = LDLT;
    s->ldlt = perp_ldlt_factor(m, s->matrix, m, -1, s->e, s->pivots, s->room);
    return s->ldlt.rank == m;
  }
  s->lu = perp_lu_factor(m, s->matrix, m, s->pivots);
  s->factor = s->lu.singular < 0 && s->lu.pivot_min > DBL_EPSILON * s->lu.pivot_max ? LU : KRYLOV;
  return s->factor == LU;
}

static bool factor_sparse(perp_reduced *s)
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
    s->factor = SPARSE;
    return true;
  }
  if (state == PERP_SPARSE_MEMORY || s->m > DENSE_LIMIT || s->definite)
    return state == PERP_SPARSE_MEMORY;
  /* lives until the next factor is made */
  s->matrix = perp_run_reals(s->run, (size_t)s->m * (size_t)s->m);
  return s->matrix ? factor_dense(s) : false;
}

bool perp_reduced_set(perp_reduced *s, int m, const int *F, const double *d)
{
  s->m = m;
  s->F = F;
  s->d = d;
  for (int i = 0; i < s->n; i++)
    s->in[i] = false;
  for (int k = 0; k < m; k++)
    s->in[F[k]] = true;
  s->factor = KRYLOV;
  bool regular = true;
  if (perp_run_expired(s->run))
    return true;
  if (s->dense)
    regular = factor_dense(s);
  else if (s->sparse)
    regular = factor_sparse(s);
  if (s->factor == KRYLOV)
    perp_preconditioner_set(&s->M, m, F, d);
  return regular;
}

bool perp_reduced_set_definite(perp_reduced *s, int m, const int *F, const double *d)
{
  s->definite = true;
  const bool done = perp_reduced_set(s, m, F, d);
  s->definite = false;
  return done;
}

/* ---- Solving ---- */

/* y <- A x + d x in F, 0 outside; x is 0 outside F. A perp_product. */
static void product(void *context, const double *x, double *y)
{
  perp_reduced *s = context;
  perp_run_apply(s->run, x, y);
  for (int i = 0; i < s->n; i++)
    y[i] = s->in[i] ? y[i] + (s->d ? s->d[i] * x[i] : 0) : 0;
}

static bool expired(void *context)
{
  perp_reduced *s = context;
  return perp_run_expired(s->run);
}

/* z <- z + (A_FF + d_F)^-1 r by the factor; r is overwritten. False where it cannot be done. */
static bool add_direct(perp_reduced *s, double *r, double *z)
{
  double *c = s->u;
  const bool scaled = s->factor != SPARSE;
  for (int k = 0; k < s->m; k++)
    c[k] = (scaled ? s->rows[k] : 1) * r[s->F[k]];
  s->run->count.solves++;
  if (s->factor == CHOLESKY)
    perp_cholesky_solve(s->m, s->matrix, s->m, c);
  else if (s->factor == LDLT)
    perp_ldlt_solve(&s->ldlt, c, s->room);
  else if (s->factor == LU)
    perp_lu_solve(&s->lu, c);
  else if (!perp_sparse_solve(s->factored, c))
    return false;
  for (int k = 0; k < s->m; k++)
    z[s->F[k]] += (scaled ? s->columns[k] : 1) * c[k];
  return perp_all_finite(s->m, c);
}

/* r <- right - (A_FF + d_F) z; its norm. */
static double residual(perp_reduced *s, const double *z, double *r)
{
  product(s, z, r);
  perp_subtract(s->n, s->right, r, r);
  return perp_norm2(s->n, r);
}

static double solve_direct(perp_reduced *s, double tol, double *z)
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
    reached = residual(s, z, s->t) / whole;
    if (reached <= tol)
      break;
  }
  return reached;
}

static double solve_krylov(perp_reduced *s, double tol, double *z)
{
  const double whole = perp_norm2(s->n, s->right);
  const perp_krylov k = {.n = s->n,
                         .product = product,
                         .context = s,
                         .precondition = perp_preconditioner_apply,
                         .precondition_context = &s->M,
                         .expired = expired,
                         .expired_context = s,
                         .target = tol * whole,
                         .limit = s->m < MOST_PRODUCTS / 4 ? 4 * s->m + 20 : MOST_PRODUCTS};
  const bool free_choice = s->solver <= PERP_REDUCED_DIRECT;
  perp_krylov_end end;
  if (s->solver == PERP_REDUCED_CG || (free_choice && s->symmetric)) {
    end = perp_cg(&k, s->right, z, s->room);
    if (free_choice && (end.state == PERP_KRYLOV_NEGATIVE || end.state == PERP_KRYLOV_BREAKDOWN))
      end = perp_minres(&k, s->right, z, s->room);
  } else if (s->solver == PERP_REDUCED_MINRES) {
    end = perp_minres(&k, s->right, z, s->room);
  } else if (s->solver == PERP_REDUCED_BICGSTAB) {
    end = perp_bicgstab(&k, s->right, z, s->room);
  } else {
    end = perp_gmres(&k, s->restart, s->right, z, s->room);
  }
  return end.residual / whole;
}

double perp_reduced_solve(perp_reduced *s, const double *r, double tol, double *z)
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
    reached = s->factor == KRYLOV ? solve_krylov(s, tol, z) : solve_direct(s, tol, z);
  if (isfinite(reached))
    return reached;
  perp_fill(s->n, 0, z);
  return INFINITY;
}
