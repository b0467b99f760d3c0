/* step.c: which way a step is solved, and the direct one; see step.h */
#include "method/newton/ssn/step.h"

#include "linalg/dense.h"
#include "linalg/vector.h"
#include "method/system/gather.h"
#include "set/set.h"

enum {
  SMALL = 150,        /* rows up to which a sparse matrix is made dense at once */
  DENSE_LIMIT = 2000, /* ... and up to which it is if GMRES does not get there */
  MOST_PAUSE = 32,    /* steps without GMRES */
};

/* ---- Opening ---- */

static bool has_friction(const perp_set *K)
{
  for (int i = 3 * K->cones; i < K->n; i++)
    if (perp_set_is_friction(K, i))
      return true;
  return K->cones > 0;
}

static bool allows_dense(const perp_run *run)
{
  const double n = run->problem->K.n;
  return perp_run_allows(run, n * n * sizeof(double));
}

static perp_ssn_kind choose(const perp_run *run, perp_linear_solver solver)
{
  const perp_operator *A = run->problem->A;
  const double *a;
  int64_t stride;
  if (!has_friction(&run->problem->K))
    return PERP_SSN_REDUCED;
  if (!A->table->row)
    return PERP_SSN_PRODUCT;
  const bool full = A->n <= SMALL || perp_operator_dense_array(A, &a, &stride) == PERP_OK;
  const bool direct =
      solver == PERP_LINEAR_AUTO ? full && allows_dense(run) : solver == PERP_LINEAR_DIRECT;
  return direct ? PERP_SSN_DENSE : PERP_SSN_SPARSE;
}

/* If it was not needed before. */
static perp_error open_dense(perp_ssn_step *s)
{
  const size_t n = (size_t)s->model->n;
  if (s->M)
    return PERP_OK;
  if (!allows_dense(s->run))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "ssn: a dense factor of %zu rows takes more than the memory limit of %zu "
                         "bytes (solver = gmres needs none)",
                         n, s->run->options->memory_limit);
  s->M = perp_run_reals(s->run, n * n);
  return s->M ? PERP_OK : perp_run_no_memory(s->run);
}

perp_error perp_ssn_step_open(perp_run *run, const perp_ssn_model *model, perp_linear_solver solver,
                              perp_linear_preconditioner preconditioner, perp_ssn_step *step)
{
  const size_t n = (size_t)model->n, capacity = (size_t)perp_operator_row_capacity(run->problem->A);
  *step = (perp_ssn_step){
      .run = run,
      .model = model,
      .kind = choose(run, solver),
      .next_pause = 1,
      .rescue = solver == PERP_LINEAR_AUTO && model->n <= DENSE_LIMIT &&
                run->problem->A->table->row && allows_dense(run),
  };
  if (!PERP_TAKE_REALS(run->arena, n, &step->E, &step->r, &step->e, &step->Te, &step->ATe) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(step->swap, n), PERP_ARRAY(step->column, capacity),
                 PERP_ARRAY(step->value, capacity)))
    return perp_run_no_memory(run);
  switch (step->kind) {
  case PERP_SSN_REDUCED:
    return perp_linear_open(
        run,
        &(perp_linear_plan){.solver = solver, .preconditioner = preconditioner, .sparse_lu = true},
        &step->system);
  case PERP_SSN_DENSE:
    return open_dense(step);
  default:
    return perp_ssn_krylov_open(step);
  }
}

void perp_ssn_step_close(perp_ssn_step *step)
{
  perp_linear_close(step->system);
}

/* ---- Dense ---- */

/* Adds `weight` times row i of (A + E) T to a row of the matrix. */
static void add_row(const perp_ssn_step *s, int i, double weight, double *row)
{
  const perp_ssn_model *m = s->model;
  const perp_operator *A = m->p->A;
  const int count = A->table->row(A, i, s->column, s->value);
  for (int t = -1; t < count; t++) {
    const int j = t < 0 ? i : s->column[t];
    const double a = weight * (t < 0 ? s->E[i] : s->value[t]);
    for (int k = 2 * j; k < 2 * j + 2; k++)
      if (m->column[k] >= 0)
        row[m->column[k]] += a * m->factor[k];
  }
}

static bool solve_dense(perp_ssn_step *s)
{
  const perp_ssn_model *m = s->model;
  const int count = m->unknowns;
  if (!perp_run_affords(s->run, 2 * (double)count * count * count / 3))
    return false;
  for (int k = 0; k < count; k++) {
    if (perp_run_expired_at(s->run, k))
      return false;
    double *row = s->M + (int64_t)k * count;
    perp_fill(count, 0, row);
    row[k] = m->shift[k];
    for (int t = 3 * k; t < 3 * k + 3; t++)
      if (m->row[t] >= 0)
        add_row(s, m->row[t], m->weight[t], row);
  }
  const perp_lu lu = perp_lu_factor(count, s->M, count, s->swap);
  s->run->count.factorisations++;
  if (lu.singular >= 0)
    return false;
  perp_copy(count, s->r, s->e);
  perp_lu_solve(&lu, s->e);
  s->run->count.solves++;
  return true;
}

/* ---- Rows alone ---- */

/* Unknown k is row F_k. ATe takes the right-hand side, Te the solution, by rows. */
static bool solve_reduced(perp_ssn_step *s, double tol)
{
  const perp_ssn_model *m = s->model;
  for (int k = 0; k < m->unknowns; k++) {
    s->swap[k] = m->row[3 * k];
    s->ATe[s->swap[k]] = s->r[k];
  }
  if (!perp_linear_set(s->system, m->unknowns, s->swap, s->E))
    return false;
  const double reached = perp_linear_solve(s->system, s->ATe, tol, s->Te);
  for (int k = 0; k < m->unknowns; k++)
    s->e[k] = s->Te[s->swap[k]];
  return reached < 1;
}

/* ---- A step ---- */

/* r <- right - L^T (A + E) w */
static void set_right(perp_ssn_step *s)
{
  const perp_ssn_model *m = s->model;
  perp_run_apply(s->run, m->w, s->ATe);
  for (int i = 0; i < m->n; i++)
    s->ATe[i] += s->E[i] * m->w[i];
  for (int k = 0; k < m->unknowns; k++) {
    s->r[k] = m->right[k];
    for (int t = 3 * k; t < 3 * k + 3; t++)
      if (m->row[t] >= 0)
        s->r[k] -= m->weight[t] * s->ATe[m->row[t]];
  }
}

/* GMRES, and if that fails the dense factor; for a while then that alone. */
static perp_error solve_sparse(perp_ssn_step *s, double tol, bool *found)
{
  *found = false;
  if (!s->rescue || s->pause == 0) {
    const perp_error error = perp_ssn_krylov_solve(s, tol, found);
    if (error || *found || !s->rescue) {
      s->next_pause = *found && s->next_pause > 1 ? s->next_pause / 2 : s->next_pause;
      return error;
    }
    s->pause = s->next_pause;
    s->next_pause *= s->next_pause < MOST_PAUSE ? 2 : 1;
  } else {
    s->pause--;
  }
  if (perp_run_expired(s->run))
    return PERP_OK;
  const perp_error error = open_dense(s);
  *found = !error && solve_dense(s);
  return error;
}

perp_error perp_ssn_step_solve(perp_ssn_step *s, double epsilon, double tol, double *d, bool *found)
{
  const perp_ssn_model *m = s->model;
  for (int i = 0; i < m->n; i++)
    s->E[i] = epsilon / m->rho[i];
  set_right(s);
  perp_error error = PERP_OK;
  *found = true;
  if (m->unknowns > 0) {
    if (s->kind == PERP_SSN_REDUCED)
      *found = solve_reduced(s, tol);
    else if (s->kind == PERP_SSN_DENSE)
      *found = solve_dense(s);
    else
      error = solve_sparse(s, tol, found);
  }
  if (error)
    return error;
  perp_ssn_expand(m, s->e, d);
  *found = *found && perp_all_finite(m->n, d);
  return PERP_OK;
}
