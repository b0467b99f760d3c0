/* resolvent.c: see resolvent.h. Workspace: the factor, 5 n. */
#include "method/gradient/resolvent.h"

#include "linalg/vector.h"

enum { MOST_STEPS = 100 };
static const double REDUCTION = 1e-3; /* of the residual of the guess, by conjugate gradients */

static bool fits(const perp_run *run, double bytes)
{
  const size_t limit = run->options->memory_limit;
  return limit == 0 || bytes <= (double)limit;
}

static bool is_symmetric(int n, const double *a, int64_t ld)
{
  double largest = 0, apart = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      largest = fmax(largest, fabs(a[i * ld + j]));
      apart = fmax(apart, fabs(a[i * ld + j] - a[j * ld + i]));
    }
  return apart <= 1e-12 * largest;
}

/* A by rows; kind stays CG where that is more than the memory limit. */
static perp_error gather(perp_resolvent *f)
{
  perp_run *run = f->run;
  const perp_operator *A = run->problem->A;
  const int n = f->n, room = perp_operator_row_capacity(A);
  int *row_column = perp_run_integers(run, (size_t)room);
  double *row_value = perp_run_reals(run, (size_t)room);
  int64_t *start = perp_arena_alloc(run->arena, (size_t)n + 1, sizeof *start);
  if (!row_column || !row_value || !start)
    return perp_run_no_memory(run);
  start[0] = 0;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + A->table->row(A, i, row_column, row_value);
  if (!fits(run, (double)start[n] * (sizeof(int) + sizeof(double))))
    return PERP_OK;
  int *column = perp_run_integers(run, (size_t)start[n]);
  double *value = perp_run_reals(run, (size_t)start[n]);
  if (!column || !value)
    return perp_run_no_memory(run);
  for (int i = 0; i < n; i++)
    A->table->row(A, i, column + start[i], value + start[i]);
  f->entries = (perp_sparse){.n = n, .start = start, .column = column, .value = value};
  f->kind = PERP_RESOLVENT_SPARSE;
  return PERP_OK;
}

static perp_error open_dense(perp_resolvent *f, const double *a, int64_t stride)
{
  const size_t n = (size_t)f->n;
  f->matrix = perp_run_reals(f->run, n * n);
  f->swap = perp_run_integers(f->run, n);
  if (!f->matrix || !f->swap)
    return perp_run_no_memory(f->run);
  f->kind = is_symmetric(f->n, a, stride) ? PERP_RESOLVENT_CHOLESKY : PERP_RESOLVENT_LU;
  return PERP_OK;
}

perp_error perp_resolvent_open(perp_run *run, const double *D, bool factored, perp_resolvent *f)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *f = (perp_resolvent){.run = run,
                        .kind = PERP_RESOLVENT_CG,
                        .n = A->n,
                        .D = D,
                        .shift = perp_run_reals(run, n),
                        .all = perp_run_integers(run, n),
                        .r = perp_run_reals(run, n),
                        .p = perp_run_reals(run, n),
                        .Ap = perp_run_reals(run, n),
                        .inverse = perp_run_reals(run, n)};
  if (!f->shift || !f->all || !f->r || !f->p || !f->Ap || !f->inverse)
    return perp_run_no_memory(run);
  for (int i = 0; i < f->n; i++)
    f->all[i] = i;
  const double *a;
  int64_t stride;
  perp_error error = PERP_OK;
  if (factored && perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    if (fits(run, (double)n * (double)n * sizeof(double)))
      error = open_dense(f, a, stride);
  } else if (factored && A->table->row) {
    error = gather(f);
  }
  if (!error && f->kind == PERP_RESOLVENT_SPARSE) {
    f->sparse = perp_sparse_analyse(&f->entries, run->arena, run->options->memory_limit);
    error = f->sparse ? PERP_OK : perp_run_no_memory(run);
  }
  return error;
}

static bool set_dense(perp_resolvent *f)
{
  const double *a;
  int64_t stride;
  perp_operator_dense_array(f->run->problem->A, &a, &stride);
  const int n = f->n;
  for (int i = 0; i < n; i++) {
    double *row = f->matrix + (int64_t)i * n;
    perp_copy(n, a + i * stride, row);
    row[i] += f->rho * f->D[i];
  }
  if (f->kind == PERP_RESOLVENT_CHOLESKY)
    return perp_cholesky(n, f->matrix, n, 0) == n;
  f->lu = perp_lu_factor(n, f->matrix, n, f->swap);
  return f->lu.singular < 0;
}

/* The diagonal of A + rho D, or D alone where A has none to show. */
static void set_inverse(perp_resolvent *f)
{
  if (perp_operator_diagonal(f->run->problem->A, f->inverse) != PERP_OK)
    perp_fill(f->n, 0, f->inverse);
  for (int i = 0; i < f->n; i++)
    f->inverse[i] = 1 / (fmax(f->inverse[i], 0) + f->rho * f->D[i]);
}

bool perp_resolvent_set(perp_resolvent *f, double rho)
{
  f->rho = rho;
  for (int i = 0; i < f->n; i++)
    f->shift[i] = rho * f->D[i];
  if (f->kind != PERP_RESOLVENT_CG)
    f->run->count.factorisations++;
  if (f->kind == PERP_RESOLVENT_SPARSE) {
    const perp_sparse_state state = perp_sparse_factorise(f->sparse, f->n, f->all, f->shift);
    if (state != PERP_SPARSE_MEMORY)
      return state == PERP_SPARSE_OK;
    f->kind = PERP_RESOLVENT_CG; /* too large a factor */
  }
  if (f->kind != PERP_RESOLVENT_CG)
    return set_dense(f);
  set_inverse(f);
  return true;
}

/* Preconditioned conjugate gradients from x on (Hestenes, Stiefel 1952). */
static void iterate(perp_resolvent *f, const double *right, double *x)
{
  const int n = f->n;
  double rz = 0, target = 0;
  perp_run_apply(f->run, x, f->Ap);
  for (int i = 0; i < n; i++)
    f->r[i] = right[i] - f->Ap[i] - f->shift[i] * x[i];
  for (int k = 0; k < MOST_STEPS && !perp_run_expired(f->run); k++) {
    double rz_new = 0;
    for (int i = 0; i < n; i++)
      rz_new += f->r[i] * f->inverse[i] * f->r[i];
    if (k == 0)
      target = REDUCTION * REDUCTION * rz_new;
    if (!(rz_new > target))
      return;
    const double beta = k > 0 ? rz_new / rz : 0;
    for (int i = 0; i < n; i++)
      f->p[i] = f->inverse[i] * f->r[i] + (k > 0 ? beta * f->p[i] : 0);
    rz = rz_new;
    perp_run_apply(f->run, f->p, f->Ap);
    for (int i = 0; i < n; i++)
      f->Ap[i] += f->shift[i] * f->p[i];
    const double bend = perp_dot(n, f->p, f->Ap);
    if (!(bend > 0))
      return;
    perp_axpy(n, rz / bend, f->p, x);
    perp_axpy(n, -rz / bend, f->Ap, f->r);
    f->run->count.solves++;
  }
}

void perp_resolvent_solve(perp_resolvent *f, const double *right, double *x)
{
  if (f->kind == PERP_RESOLVENT_CG) {
    iterate(f, right, x);
    return;
  }
  perp_copy(f->n, right, x);
  f->run->count.solves++;
  if (f->kind == PERP_RESOLVENT_CHOLESKY) {
    perp_cholesky_solve(f->n, f->matrix, f->n, x);
  } else if (f->kind == PERP_RESOLVENT_LU) {
    perp_lu_solve(&f->lu, x);
  } else if (!perp_sparse_solve(f->sparse, x)) {
    f->kind = PERP_RESOLVENT_CG; /* out of memory in the factor */
    set_inverse(f);
    perp_fill(f->n, 0, x);
    iterate(f, right, x);
  }
}

void perp_resolvent_close(perp_resolvent *f)
{
  perp_sparse_free(f->sparse);
  f->sparse = NULL;
}
