/* linear.c: chooses the solver of a linear system by the operator and the plan; its factors and
 * solutions
 *
 * A direct solve takes a product with A for its residual. Workspace: n^2, or the factor, or the
 * Krylov solver's; and 11 n. */
#include "method/system/linear.h"

#include "linalg/krylov.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "method/run/factor_cache.h"
#include "method/system/preconditioner.h"
#include "method/system/submatrix.h"

#include <string.h>

const char *const perp_linear_solvers[] = {"auto", "direct", "cg", "gmres", NULL};
const char *const perp_linear_preconditioners[] = {"auto", "none", "jacobi", "ic",
                                                   "ilu",  "mg",   NULL};

typedef enum perp_linear_factor { BY_KRYLOV, BY_DENSE, BY_SPARSE, BY_LU } perp_linear_factor;

struct perp_linear_system {
  perp_keep keep; /* first; whole: direct, and complete despite the time limit */
  perp_run *run;
  size_t limit;                     /* bytes that were allowed */
  const perp_operator_table *table; /* kind of the operator: it decides between the factors */
  int n;
  bool symmetric;
  perp_linear_plan plan;
  bool dense;  /* direct: A_FF becomes a dense matrix */
  bool sparse; /* direct: or has a sparse factor */
  int m;
  const int *F;         /* the caller's */
  const double *d;      /* of the factor: the caller's, or `raised` */
  const double *wanted; /* the caller's */
  bool definite;        /* Cholesky only */
  bool *in;             /* n: F */
  perp_linear_factor factor;
  bool plain; /* the factor belongs to a regular A_FF */
  int *lent;  /* n: the rows of a lent factor */

  perp_square square;
  perp_gathered entries;
  perp_sparse rows;             /* the entries */
  perp_sparse_factor *factored; /* the caller closes it */
  perp_rows_lu lu;              /* the caller closes it */

  perp_preconditioner M;
  int restart;
  double *room;          /* of CG, or 2 n */
  double *right, *t, *u; /* n each */
  double *raised;        /* n */
  double *q, *step;      /* n each: of a refinement */
};

/* ---- Opening ---- */

enum {
  DENSE_LIMIT = 2000,    /* rows up to which a sparse matrix is factored as a dense one */
  SPARSE_LIMIT = 300000, /* rows up to which auto makes a sparse factor */
  GRID_LIMIT = 100000,   /* the same for a grid, if the plan allows it */
  LU_LIMIT = 150,        /* rows up to which a dense LU is faster than a sparse one */
  RESTART = 50,          /* of GMRES */
  RESTART_LARGE = 20,    /* above LARGE unknowns */
  LARGE = 100000,
  ORDERING = 100, /* flops that take as long as gathering and ordering one entry */
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

/* Reads all entries if A has rows, and tests its symmetry. */
static perp_error open_rows(perp_linear_system *s)
{
  perp_error error = perp_gather(s->run, &s->entries);
  if (error || !s->entries.column)
    return error;
  s->symmetric = perp_product_is_symmetric(s->run, s->right, s->u, s->t);
  s->rows = (perp_sparse){
      .n = s->n, .start = s->entries.start, .column = s->entries.column, .value = s->entries.value};
  if (s->symmetric) {
    s->sparse = perp_run_affords(s->run, ORDERING * (double)s->entries.start[s->n]);
    return PERP_OK;
  }
  error = s->n <= DENSE_LIMIT ? open_dense(s) : PERP_OK;
  if (!error && s->plan.sparse_lu && s->n > LU_LIMIT && perp_sparse_umfpack())
    error = perp_rows_lu_open(&s->lu, s->run, &s->rows, LU_LIMIT, true);
  return error;
}

/* Chooses the matrix of a direct solver, if there is one. */
static perp_error open_direct(perp_linear_system *s)
{
  const perp_operator *A = s->run->problem->A;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    s->symmetric = A->symmetric || perp_product_is_symmetric(s->run, s->right, s->u, s->t);
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
  s->room = s->square.work = perp_run_reals(s->run, (size_t)perp_cg_work(s->n));
  if (!s->room)
    return perp_run_no_memory(s->run);
  return perp_preconditioner_open(s->run, preconditioner, s->symmetric, false, s->in,
                                  s->entries.column ? &s->entries : NULL, &s->M);
}

static perp_linear_factor first_factor(const perp_linear_system *s)
{
  return s->lu.sparse ? BY_LU : s->dense ? BY_DENSE : s->sparse ? BY_SPARSE : BY_KRYLOV;
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
  if (!error && s->sparse) { /* last: the factor's memory follows all other memory */
    s->factored = perp_run_analyse(run, &s->rows);
    error = s->factored ? PERP_OK : perp_run_no_memory(run);
  }
  s->factor = first_factor(s);
  return error;
}

/* ---- Facts ---- */

bool perp_linear_is_direct(const perp_linear_system *s)
{
  return s->factor != BY_KRYLOV;
}

bool perp_linear_is_symmetric(const perp_linear_system *s)
{
  return s->symmetric;
}

double perp_linear_flops(const perp_linear_system *s)
{
  if (s->sparse)
    return s->factored->flops;
  return s->dense ? (double)s->n * s->n * s->n / 3 : 0;
}

/* ---- Factors ---- */

/* Makes the dense factor. Returns false if A_FF is singular. */
static bool factor_dense(perp_linear_system *s)
{
  const double m = s->m;
  if (!perp_run_affords(s->run, (s->symmetric ? 1 : 2) * m * m * m / 3))
    return true;
  s->run->count.factorisations++;
  const bool done = perp_square_factor(&s->square, s->run->problem->A, &s->entries, s->m, s->F,
                                       s->d, s->definite);
  if (s->square.kind != PERP_SQUARE_NONE)
    s->factor = BY_DENSE;
  return done;
}

static bool factor_sparse(perp_linear_system *s)
{
  const double share = (double)s->m / s->n; /* of the rows, and about of the work */
  if (!perp_run_affords(s->run, share * s->factored->flops))
    return true;
  const perp_sparse_state state = perp_sparse_factorise(s->factored, s->m, s->F, s->d);
  s->run->count.factorisations += s->factored->anew;
  if (state == PERP_SPARSE_OK) {
    s->factor = BY_SPARSE;
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
  s->factor = BY_KRYLOV;
  s->plain = false;
  bool regular = true;
  if (perp_run_expired(s->run))
    return true;
  if (s->lu.sparse && perp_rows_lu_set(&s->lu, m, F, d))
    s->factor = BY_LU;
  else if (s->dense)
    regular = factor_dense(s);
  else if (s->sparse)
    regular = factor_sparse(s);
  if (s->factor == BY_KRYLOV)
    perp_preconditioner_set(&s->M, m, F, d);
  s->plain = s->factor != BY_KRYLOV && regular;
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

/* ---- Solving ---- */

/* y <- A x + d x in F, 0 outside; x is 0 outside F. A perp_product. */
static void product(void *context, const double *x, double *y)
{
  perp_linear_system *s = context;
  perp_run_apply(s->run, x, y);
  for (int i = 0; i < s->n; i++)
    y[i] = s->in[i] ? y[i] + (s->d ? s->d[i] * x[i] : 0) : 0;
}

/* z <- z + (A_FF + d_F)^-1 r by the factor. Returns false on failure. */
static bool add_direct(perp_linear_system *s, const double *r, double *z)
{
  double *c = s->u;
  for (int k = 0; k < s->m; k++)
    c[k] = r[s->F[k]];
  if (s->factor == BY_LU) {
    if (!perp_rows_lu_solve(&s->lu, c))
      return false;
  } else {
    s->run->count.solves++;
    if (s->factor == BY_DENSE)
      perp_square_solve(&s->square, false, c);
    else if (!perp_sparse_solve(s->factored, c))
      return false;
  }
  for (int k = 0; k < s->m; k++)
    z[s->F[k]] += c[k];
  return perp_all_finite(s->m, c);
}

/* r <- right - (A_FF + d_F) z. Returns its norm. */
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
  perp_krylov_end end = {.state = PERP_KRYLOV_BREAKDOWN, .residual = whole};
  if (s->plan.solver == PERP_LINEAR_CG || (free_choice && s->symmetric))
    end = perp_cg(&k, s->right, z, s->room);
  if (s->plan.solver != PERP_LINEAR_CG &&
      (end.state == PERP_KRYLOV_NEGATIVE || end.state == PERP_KRYLOV_BREAKDOWN)) {
    const perp_arena_mark mark = perp_arena_hold(s->run->arena);
    double *work = perp_run_reals(s->run, (size_t)perp_gmres_work(s->n, s->restart));
    if (work)
      end = perp_gmres(&k, s->restart, s->right, z, work);
    perp_arena_release(s->run->arena, mark);
  }
  return end.residual / whole;
}

double perp_linear_solve(perp_linear_system *s, const double *r, double tol, double *z)
{
  for (int i = 0; i < s->n; i++) {
    s->right[i] = s->in[i] ? r[i] : 0;
    z[i] = 0;
  }
  if (perp_run_expired(s->run)) /* and there is no factor */
    return 1;
  const double whole = perp_norm2(s->n, s->right);
  if (whole == 0)
    return 0;
  double reached = INFINITY;
  if (isfinite(whole))
    reached = s->factor == BY_KRYLOV ? solve_krylov(s, tol, z) : solve_direct(s, tol, z);
  if (isfinite(reached))
    return reached;
  perp_fill(s->n, 0, z);
  return INFINITY;
}

/* ---- Refinement ---- */

/* z <- z + the solution for r; Krylov methods end at 1e-10. Returns false if it failed. */
static bool add_solution(perp_linear_system *s, const double *r, double *z)
{
  if (s->factor == BY_LU)
    return add_direct(s, r, z);
  if (!isfinite(perp_linear_solve(s, r, 1e-10, s->step)))
    return false;
  perp_axpy(s->n, 1, s->step, z);
  return true;
}

/* q <- r - (A + d) z in F, 0 outside. Returns its norm. */
static double residual(perp_linear_system *s, const double *r, const double *z)
{
  perp_run_apply(s->run, z, s->q);
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    s->q[i] = s->in[i] ? r[i] - s->q[i] - s->wanted[i] * z[i] : 0;
    sum += s->q[i] * s->q[i];
  }
  return sqrt(sum);
}

bool perp_linear_refine(perp_linear_system *s, const double *r, double tol, int most, double *z)
{
  double whole = 0;
  for (int i = 0; i < s->n; i++)
    whole += s->in[i] ? r[i] * r[i] : 0;
  perp_fill(s->n, 0, z);
  if (!add_solution(s, r, z))
    return false;
  double before = most > 0 ? residual(s, r, z) : 0;
  for (int k = 0; k < most && before > tol * sqrt(whole); k++) {
    if (!add_solution(s, s->q, z))
      return false;
    const double now = residual(s, r, z);
    if (!(now < 0.5 * before))
      break;
    before = now;
  }
  return perp_all_finite(s->n, z);
}

/* ---- Kept systems ---- */

static bool is_direct(const perp_linear_system *s)
{
  return s->dense || s->sparse || s->lu.sparse;
}

static bool is_same_plan(const perp_linear_system *s, const perp_linear_plan *plan)
{
  const perp_linear_plan *mine = &s->plan;
  return mine->solver == plan->solver && mine->preconditioner == plan->preconditioner &&
         mine->factor_grids == plan->factor_grids && mine->sparse_lu == plan->sparse_lu;
}

/* Reads the numbers of another operator, or new numbers, if the structure is unchanged. */
static bool take_numbers(perp_linear_system *s)
{
  const perp_operator *A = s->run->problem->A;
  const double *a;
  int64_t stride;
  if (s->entries.column ? !A->table->row || !perp_gather_again(s->run, &s->entries)
                        : perp_operator_dense_array(A, &a, &stride) != PERP_OK)
    return false;
  if ((A->symmetric || perp_product_is_symmetric(s->run, s->right, s->u, s->t)) != s->symmetric)
    return false;
  if (s->factored)
    perp_sparse_forget(s->factored);
  return s->M.kind == PERP_PRECONDITION_NONE ||
         perp_operator_diagonal(A, s->M.diagonal, NULL) == PERP_OK;
}

/* Reuses the system for a new run. Returns false if it must be opened again. */
static bool reopen(void *state, perp_run *run, const void *wanted, bool holds)
{
  perp_linear_system *s = state;
  const perp_linear_plan *plan = wanted;
  if (!s->keep.whole || s->n != run->problem->K.n || s->limit != run->options->memory_limit ||
      !is_same_plan(s, plan) || s->M.kind > PERP_PRECONDITION_JACOBI)
    return false;
  s->run = s->M.run = run;
  perp_rows_lu_reopen(&s->lu, run);
  if (!holds && (s->table != run->problem->A->table || !take_numbers(s)))
    return false;
  s->factor = first_factor(s);
  return !perp_run_expired(run);
}

static void close_parts(void *state)
{
  perp_linear_system *s = state;
  perp_sparse_free(s->factored);
  perp_rows_lu_close(&s->lu);
}

static perp_error open_new(perp_run *run, const void *wanted, void **state)
{
  const perp_linear_plan *plan = wanted;
  perp_linear_system *s = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->run = run;
  s->limit = run->options->memory_limit;
  s->table = run->problem->A->table;
  s->n = run->problem->K.n;
  s->plan = *plan;
  s->q = perp_run_reals(run, (size_t)s->n);
  if (!s->q)
    return perp_run_no_memory(run);
  const perp_error error = open_rest(s);
  s->keep.whole = !error && is_direct(s) && !perp_run_expired(run);
  return error;
}

static const perp_keeper keeper = {open_new, reopen, close_parts};

perp_error perp_linear_open(perp_run *run, const perp_linear_plan *plan,
                            perp_linear_system **system)
{
  void *state; /* keyed by the method's name, so each method has its own entry */
  const perp_error error = perp_keep_open(run, perp_run_method(run), &keeper, plan, &state);
  *system = state;
  return error;
}

static bool solve_shared(void *factor, bool transposed, double *r)
{
  perp_linear_system *s = factor;
  if (s->factor == BY_LU)
    return (transposed ? s->lu.umfpack->solve_t : s->lu.umfpack->solve)(s->lu.sparse, r);
  if (s->factor == BY_SPARSE)
    return perp_sparse_solve(s->factored, r);
  perp_square_solve(&s->square, transposed, r);
  return true;
}

/* Returns true if the system is kept and was last set to a plain A_FF. A dense factor that replaced
 * a sparse one is not kept. */
static bool can_lend(const perp_linear_system *s)
{
  return s->keep.kept && s->keep.whole && s->plain && (s->factor != BY_DENSE || s->dense);
}

static void offer(perp_linear_system *s)
{
  int m = 0;
  for (int i = 0; i < s->n; i++)
    if (s->in[i])
      s->lent[m++] = i;
  perp_run_offer(s->run, s->keep.kept, s->factor != BY_DENSE, m, s->lent, solve_shared, s);
}

void perp_linear_close(perp_linear_system *s)
{
  const bool lends = s && can_lend(s);
  perp_keep_close(&keeper, s ? s->run : NULL, s);
  if (lends)
    offer(s);
}
