/* linear.c: see linear.h
 *
 * A direct solve takes a product with A for its residual. Workspace: n^2, or the factor, or that of
 * the Krylov solver; 11 n beside it. */
#include "method/system/linear.h"

#include "base/elementary.h"
#include "base/random.h"
#include "linalg/krylov.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "method/system/dense.h"
#include "method/system/preconditioner.h"
#include "method/system/velocities.h"

enum {
  DENSE_LIMIT = 2000,    /* rows up to which a sparse matrix is factored as a dense one */
  SPARSE_LIMIT = 300000, /* rows up to which auto makes a sparse factor */
  GRID_LIMIT = 100000,   /* ... of a grid, if the plan says so */
  LU_LIMIT = 150,        /* rows up to which a dense LU is faster than a sparse one */
  TIED_LU_LIMIT = 60,    /* the same of systems (2) */
  TIED_LIMIT = 2500, /* without UMFPACK: a factor of more takes seconds, and a solve takes dozens */
  RESTART = 50,      /* of GMRES */
  RESTART_LARGE = 20, /* above LARGE unknowns */
  LARGE = 100000,
  MOST_PRODUCTS = 5000,
  ORDERING = 100, /* flops that would take as long as to gather and order one entry */
};

typedef enum factor_kind { KRYLOV, DENSE, SPARSE, ROWS_LU } factor_kind;

struct perp_linear_system {
  perp_run *run;
  int n;
  bool symmetric;
  perp_linear_plan plan;
  bool dense;  /* direct: A_FF is made a dense matrix */
  bool sparse; /* direct: ... or factored as a sparse one */
  int m;
  const int *F;         /* the caller's */
  const double *d;      /* of the factor: the caller's, or `raised` */
  const double *wanted; /* the caller's */
  bool definite;        /* Cholesky or nothing */
  bool *in;             /* n: F */
  factor_kind factor;

  perp_square square;
  perp_gathered entries;
  perp_sparse rows;             /* the entries */
  perp_sparse_factor *factored; /* to be closed */
  perp_rows_lu lu;              /* to be closed */

  bool tied;                   /* systems (2) */
  const double *e;             /* the caller's */
  perp_velocities *velocities; /* to be closed; NULL: in z, by `lu` */
  double *value;               /* in z: the numbers of its matrix */
  int *finite;                 /* ... and its F */

  perp_preconditioner M;
  int restart;
  double *room;          /* of the Krylov solver, or 2 n */
  double *right, *t, *u; /* n each */
  double *raised;        /* n */
  double *q, *step;      /* n each: of a refinement */
};

/* ---- Opening ---- */

/* If time is over no matter what. */
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
static bool product_is_symmetric(perp_linear_system *s)
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

static perp_error open_dense(perp_linear_system *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n;
  if (!perp_run_allows(run, (double)n * (double)n * sizeof(double)))
    return PERP_OK;
  s->square.matrix = perp_run_reals(run, n * n);
  s->dense = true;
  return s->square.matrix ? PERP_OK : perp_run_no_memory(run);
}

/* Reads all entries if A has rows; by them whether A is symmetric. */
static perp_error open_rows(perp_linear_system *s)
{
  perp_error error = perp_gather(s->run, false, &s->entries);
  if (error || !s->entries.column)
    return error;
  int64_t *cursor = perp_arena_alloc(s->run->arena, (size_t)s->n, sizeof *cursor);
  if (!cursor)
    return perp_run_no_memory(s->run);
  s->symmetric = perp_gathered_is_symmetric(&s->entries, cursor);
  s->rows = (perp_sparse){
      .n = s->n, .start = s->entries.start, .column = s->entries.column, .value = s->entries.value};
  if (s->symmetric) {
    s->sparse = perp_run_affords(s->run, ORDERING * (double)s->entries.start[s->n]);
    return PERP_OK;
  }
  error = s->n <= DENSE_LIMIT ? open_dense(s) : PERP_OK;
  if (!error && s->plan.sparse_lu && s->n > LU_LIMIT && perp_sparse_lu_available())
    error = perp_rows_lu_open(&s->lu, s->run, &s->rows, LU_LIMIT, true);
  return error;
}

/* How a direct solver comes by its matrix, if it does. */
static perp_error open_direct(perp_linear_system *s)
{
  const perp_operator *A = s->run->problem->A;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    s->symmetric = A->symmetric || dense_is_symmetric(s->run, s->n, a, stride);
    return s->plan.solver <= PERP_LINEAR_DIRECT ? open_dense(s) : PERP_OK;
  }
  s->symmetric = perp_operator_is_stencil(A);
  const bool grid = s->symmetric && s->plan.solver == PERP_LINEAR_AUTO &&
                    !(s->plan.factor_grids && s->n <= GRID_LIMIT);
  const bool small = s->n <= SPARSE_LIMIT || s->plan.solver == PERP_LINEAR_DIRECT;
  const double reading = A->nonzeros > 0 ? ORDERING * (double)A->nonzeros : 0;
  if (A->table->row && !grid && small && s->plan.solver <= PERP_LINEAR_DIRECT &&
      perp_run_affords(s->run, reading))
    return open_rows(s);
  s->symmetric = s->symmetric || product_is_symmetric(s);
  return PERP_OK;
}

static perp_error open_krylov(perp_linear_system *s)
{
  perp_linear_preconditioner preconditioner = s->plan.preconditioner;
  const bool direct = s->dense || s->sparse;
  if (direct && preconditioner == PERP_PRECONDITION_AUTO) /* only if a factor fails */
    preconditioner = PERP_PRECONDITION_JACOBI;
  s->restart = s->n > LARGE ? RESTART_LARGE : RESTART;
  s->restart = s->restart < s->n ? s->restart : s->n;
  int64_t room = perp_minres_work(s->n);
  if (s->plan.solver == PERP_LINEAR_GMRES || !s->symmetric) {
    const int64_t gmres = perp_gmres_work(s->n, s->restart);
    room = room > gmres ? room : gmres;
  }
  s->room = s->square.work = perp_run_reals(s->run, (size_t)room);
  if (!s->room)
    return perp_run_no_memory(s->run);
  return perp_preconditioner_open(s->run, preconditioner, s->symmetric, s->in,
                                  s->entries.column ? &s->entries : NULL, &s->M);
}

static perp_error open_tied(perp_linear_system *s)
{
  perp_run *run = s->run;
  const perp_operator *A = run->problem->A;
  s->tied = true;
  if (perp_operator_is_contact(A) && perp_contact_of(A)->C_is_diagonal) {
    s->velocities = perp_arena_alloc_zero(run->arena, 1, sizeof *s->velocities);
    return s->velocities ? perp_velocities_open(s->velocities, run, s->plan.normal)
                         : perp_run_no_memory(run);
  }
  if (!A->table->row)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "systems with friction need the rows of A or a contact operator");
  const perp_error error = perp_gather_tied(run, false, s->plan.normal, &s->entries);
  if (error || perp_run_expired(run))
    return error;
  if (!s->entries.column)
    return perp_run_fail(run, PERP_ERROR_MEMORY, "the entries of A take more than the limit");
  s->u = perp_run_reals(run, (size_t)s->n);
  s->finite = perp_run_integers(run, (size_t)s->n);
  s->value = perp_run_reals(run, (size_t)s->entries.start[s->n]);
  if (!s->u || !s->finite || !s->value)
    return perp_run_no_memory(run);
  if (s->n > TIED_LIMIT && !perp_sparse_lu_available())
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "without UMFPACK systems with friction have at most %d rows, this problem "
                         "has %d",
                         TIED_LIMIT, s->n);
  s->factor = ROWS_LU;
  s->rows = (perp_sparse){
      .n = s->n, .start = s->entries.start, .column = s->entries.column, .value = s->value};
  return perp_rows_lu_open(&s->lu, run, &s->rows, TIED_LU_LIMIT, false);
}

static perp_error open_rest(perp_linear_system *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n;
  double **const vectors[] = {&s->right, &s->t, &s->u, &s->raised, &s->step};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if (!(*vectors[k] = perp_run_reals(run, n)))
      return perp_run_no_memory(run);
  s->in = perp_arena_alloc_zero(run->arena, n, sizeof(bool));
  if (!s->in)
    return perp_run_no_memory(run);
  perp_error error = perp_square_open(&s->square, run);
  if (!error)
    error = open_direct(s);
  s->square.symmetric = s->symmetric;
  if (!error)
    error = open_krylov(s);
  if (!error && s->sparse && perp_run_expired(run))
    s->sparse = false;
  if (!error && s->sparse) { /* last: the factor's memory lies behind all other */
    s->factored = perp_sparse_analyse(&s->rows, run->arena, run->options->memory_limit);
    error = s->factored ? PERP_OK : perp_run_no_memory(run);
  }
  s->factor = s->lu.sparse ? ROWS_LU : s->dense ? DENSE : s->sparse ? SPARSE : KRYLOV;
  return error;
}

perp_error perp_linear_open(perp_run *run, const perp_linear_plan *plan,
                            perp_linear_system **system)
{
  perp_linear_system *s = *system = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  *s = (perp_linear_system){.run = run, .n = run->problem->K.n, .plan = *plan};
  s->q = perp_run_reals(run, (size_t)s->n);
  if (!s->q)
    return perp_run_no_memory(run);
  return plan->normal ? open_tied(s) : open_rest(s);
}

void perp_linear_close(perp_linear_system *s)
{
  if (!s)
    return;
  perp_sparse_free(s->factored);
  perp_rows_lu_close(&s->lu);
  if (s->velocities)
    perp_velocities_close(s->velocities);
}

bool perp_linear_is_direct(const perp_linear_system *s)
{
  return s->factor != KRYLOV;
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
    s->factor = DENSE;
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
    s->factor = SPARSE;
    return true;
  }
  if (state == PERP_SPARSE_MEMORY || s->m > DENSE_LIMIT || s->definite)
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
  s->factor = KRYLOV;
  bool regular = true;
  if (perp_run_expired(s->run))
    return true;
  if (s->lu.sparse && perp_rows_lu_set(&s->lu, m, F, d))
    s->factor = ROWS_LU;
  else if (s->dense)
    regular = factor_dense(s);
  else if (s->sparse)
    regular = factor_sparse(s);
  if (s->factor == KRYLOV)
    perp_preconditioner_set(&s->M, m, F, d);
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

static bool expired(void *context)
{
  perp_linear_system *s = context;
  return perp_run_expired(s->run);
}

/* z <- z + (A_FF + d_F)^-1 r by the factor. False if it cannot be done. */
static bool add_direct(perp_linear_system *s, const double *r, double *z)
{
  double *c = s->u;
  for (int k = 0; k < s->m; k++)
    c[k] = r[s->F[k]];
  if (s->factor == ROWS_LU) {
    if (!perp_rows_lu_solve(&s->lu, c))
      return false;
  } else {
    s->run->count.solves++;
    if (s->factor == DENSE)
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
    reached = s->factor == KRYLOV ? solve_krylov(s, tol, z) : solve_direct(s, tol, z);
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
  if (s->factor == ROWS_LU)
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
