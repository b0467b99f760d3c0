/* linear_open.c: how a linear system will be solved, from the operator and the plan; see
 * linear.h */
#include "linalg/krylov.h"
#include "method/run/factor_cache.h"
#include "method/system/linear_parts.h"

#include <string.h>

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
  if (!error && s->plan.sparse_lu && s->n > LU_LIMIT && perp_sparse_umfpack())
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
    s->symmetric = A->symmetric || perp_dense_is_symmetric(s->run, s->n, a, stride);
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
  s->symmetric = s->symmetric || (A->hints & PERP_HINT_SYMMETRIC) ||
                 perp_product_is_symmetric(s->run, s->right, s->u, s->t);
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
  return perp_preconditioner_open(s->run, preconditioner, s->symmetric, false, s->in,
                                  s->entries.column ? &s->entries : NULL, &s->M);
}

static perp_error open_tied(perp_linear_system *s)
{
  perp_run *run = s->run;
  const perp_operator *A = run->problem->A;
  s->tied = true;
  int *normal = perp_run_integers(run, (size_t)s->n);
  if (!normal)
    return perp_run_no_memory(run);
  memcpy(normal, s->plan.normal, (size_t)s->n * sizeof *normal);
  s->plan.normal = normal;
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
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->u, s->n), PERP_ARRAY(s->finite, s->n),
                 PERP_ARRAY(s->value, s->entries.start[s->n])))
    return perp_run_no_memory(run);
  if (s->n > TIED_LIMIT && !perp_sparse_umfpack())
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "without UMFPACK systems with friction have at most %d rows, this problem "
                         "has %d",
                         TIED_LIMIT, s->n);
  s->factor = PERP_BY_LU;
  s->rows = (perp_sparse){
      .n = s->n, .start = s->entries.start, .column = s->entries.column, .value = s->value};
  return perp_rows_lu_open(&s->lu, run, &s->rows, TIED_LU_LIMIT, false);
}

static perp_linear_factor first_factor(const perp_linear_system *s)
{
  if (s->velocities)
    return PERP_BY_KRYLOV; /* not one of these */
  return s->tied || s->lu.sparse ? PERP_BY_LU
         : s->dense              ? PERP_BY_DENSE
         : s->sparse             ? PERP_BY_SPARSE
                                 : PERP_BY_KRYLOV;
}

static perp_error open_rest(perp_linear_system *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n;
  if (!PERP_TAKE_REALS(run->arena, n, &s->right, &s->t, &s->u, &s->raised, &s->step) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->in, n)) ||
      !PERP_TAKE_INTEGERS(run->arena, n, &s->lent))
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
    s->factored = perp_run_analyse(run, &s->rows);
    error = s->factored ? PERP_OK : perp_run_no_memory(run);
  }
  s->factor = first_factor(s);
  return error;
}

/* ---- Systems that are kept ---- */

static bool is_direct(const perp_linear_system *s)
{
  return s->tied || s->dense || s->sparse || s->lu.sparse;
}

static bool is_same_plan(const perp_linear_system *s, const perp_linear_plan *plan)
{
  const perp_linear_plan *mine = &s->plan;
  return mine->solver == plan->solver && mine->preconditioner == plan->preconditioner &&
         mine->factor_grids == plan->factor_grids && mine->sparse_lu == plan->sparse_lu &&
         !mine->normal == !plan->normal &&
         (!plan->normal || memcmp(mine->normal, plan->normal, (size_t)s->n * sizeof(int)) == 0);
}

/* The entries of A now, if they stand where those of the system do and are as symmetric. */
static bool take_entries(perp_linear_system *s)
{
  perp_arena *arena = s->run->arena;
  if (!perp_gather_again(s->run, s->plan.normal, &s->entries))
    return false;
  const perp_arena_mark mark = perp_arena_hold(arena);
  int64_t *cursor = perp_arena_alloc(arena, (size_t)s->n, sizeof *cursor);
  const bool same =
      cursor && (s->tied || perp_gathered_is_symmetric(&s->entries, cursor) == s->symmetric);
  perp_arena_release(arena, mark);
  return same;
}

/* The numbers of another operator, or of another time, if its structure is that of the system. */
static bool take_numbers(perp_linear_system *s)
{
  const perp_operator *A = s->run->problem->A;
  const double *a;
  int64_t stride;
  if (s->velocities)
    return true; /* perp_velocities_reopen */
  if (s->entries.column && (!A->table->row || !take_entries(s)))
    return false;
  if (!s->entries.column &&
      (perp_operator_dense_array(A, &a, &stride) != PERP_OK ||
       (A->symmetric || perp_dense_is_symmetric(s->run, s->n, a, stride)) != s->symmetric))
    return false;
  if (s->factored)
    perp_sparse_forget(s->factored);
  return s->tied || s->M.kind == PERP_PRECONDITION_NONE ||
         perp_operator_diagonal(A, s->M.diagonal, NULL) == PERP_OK;
}

/* As if opened for the run; false if it must be opened anew. */
static bool reopen(void *state, perp_run *run, const void *wanted, bool holds)
{
  perp_linear_system *s = state;
  const perp_linear_plan *plan = wanted;
  if (!s->keep.whole || s->n != run->problem->K.n || s->limit != run->options->memory_limit ||
      !is_same_plan(s, plan) || s->M.kind > PERP_PRECONDITION_JACOBI)
    return false;
  s->run = s->M.run = run;
  perp_rows_lu_reopen(&s->lu, run);
  if (s->factored)
    perp_sparse_rest(s->factored);
  if ((s->velocities && !perp_velocities_reopen(s->velocities, run)) ||
      (!holds && !take_numbers(s)))
    return false;
  s->factor = first_factor(s);
  return !perp_run_expired(run);
}

static void close_parts(void *state)
{
  perp_linear_system *s = state;
  perp_sparse_free(s->factored);
  perp_rows_lu_close(&s->lu);
  if (s->velocities)
    perp_velocities_close(s->velocities);
}

static perp_error open_new(perp_run *run, const void *wanted, void **state)
{
  const perp_linear_plan *plan = wanted;
  perp_linear_system *s = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->run = run;
  s->limit = run->options->memory_limit;
  s->n = run->problem->K.n;
  s->plan = *plan;
  s->q = perp_run_reals(run, (size_t)s->n);
  if (!s->q)
    return perp_run_no_memory(run);
  const perp_error error = plan->normal ? open_tied(s) : open_rest(s);
  s->keep.whole = !error && is_direct(s) && !perp_run_expired(run);
  return error;
}

static const perp_keeper keeper = {open_new, reopen, close_parts};

perp_error perp_linear_open(perp_run *run, const perp_linear_plan *plan,
                            perp_linear_system **system)
{
  void *state; /* the method's name names the entry: it is its own */
  const perp_error error = perp_keep_open(run, perp_run_method(run), &keeper, plan, &state);
  *system = state;
  return error;
}

static bool solve_lent(void *factor, bool transposed, double *r)
{
  perp_linear_system *s = factor;
  if (s->factor == PERP_BY_LU)
    return (transposed ? s->lu.umfpack->solve_t : s->lu.umfpack->solve)(s->lu.sparse, r);
  if (s->factor == PERP_BY_SPARSE)
    return perp_sparse_solve(s->factored, r);
  perp_square_solve(&s->square, r);
  return s->symmetric || !transposed;
}

/* What is kept, and was last set to a plain A_FF. A dense factor that took the place of a sparse one is
 * not kept. */
static bool can_lend(const perp_linear_system *s)
{
  return s->keep.kept && s->keep.whole && s->plain && (s->factor != PERP_BY_DENSE || s->dense);
}

static void offer(perp_linear_system *s)
{
  int m = 0;
  for (int i = 0; i < s->n; i++)
    if (s->in[i])
      s->lent[m++] = i;
  perp_run_offer(s->run, s->keep.kept, s->factor != PERP_BY_DENSE, m, s->lent, solve_lent, s);
}

void perp_linear_close(perp_linear_system *s)
{
  const bool lends = s && can_lend(s);
  perp_keep_close(&keeper, s ? s->run : NULL, s);
  if (lends)
    offer(s);
}
