/* linear_open.c: how a linear system will be solved, from the operator and the plan; see
 * linear.h */
#include "base/elementary.h"
#include "base/random.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "method/system/linear_parts.h"

enum {
  SPARSE_LIMIT = 300000, /* rows up to which auto makes a sparse factor */
  GRID_LIMIT = 100000,   /* ... of a grid, if the plan says so */
  LU_LIMIT = 150,        /* rows up to which a dense LU is faster than a sparse one */
  TIED_LU_LIMIT = 60,    /* the same of systems (2) */
  TIED_LIMIT = 2500, /* without UMFPACK: a factor of more takes seconds, and a solve takes dozens */
  RESTART = 50,      /* of GMRES */
  RESTART_LARGE = 20, /* above LARGE unknowns */
  LARGE = 100000,
  ORDERING = 100, /* flops that would take as long as to gather and order one entry */
};

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
  error = s->n <= PERP_LINEAR_DENSE ? open_dense(s) : PERP_OK;
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
  s->factor = PERP_BY_LU;
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
  s->factor = s->lu.sparse ? PERP_BY_LU
              : s->dense   ? PERP_BY_DENSE
              : s->sparse  ? PERP_BY_SPARSE
                           : PERP_BY_KRYLOV;
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
