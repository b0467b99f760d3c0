/* preconditioner.c: M ~ A_FF + diag(d_F) for the Krylov solvers of linear.h
 *
 * Workspace: 2 n, and of the factors all of A twice, or on a grid two numbers for each cell. */
#include "method/system/preconditioner.h"

#include "linalg/vector.h"

enum { SHORT_ROW = 60 };

/* ---- Opening ---- */

static bool has_short_rows(const perp_operator *A)
{
  if (A->nonzeros >= 0 && A->table->has_rows)
    return A->nonzeros <= SHORT_ROW * (int64_t)A->n;
  return perp_operator_row_capacity(A) <= SHORT_ROW;
}

static perp_linear_preconditioner choose(const perp_operator *A, bool symmetric)
{
  if (!A->table->row || !has_short_rows(A))
    return PERP_PRECONDITION_JACOBI;
  return symmetric ? PERP_PRECONDITION_IC : PERP_PRECONDITION_ILU;
}

static perp_error open_incomplete(perp_run *run, const perp_gathered *entries,
                                  perp_preconditioner *M)
{
  perp_gathered all;
  if (entries) {
    all = *entries;
  } else {
    const perp_error error = perp_gather(run, &all);
    if (error)
      return error;
  }
  if (!all.column) {
    M->kind = PERP_PRECONDITION_JACOBI;
    return PERP_OK;
  }
  const size_t n = (size_t)all.n;
  M->incomplete = (perp_incomplete){.n = all.n,
                                    .start = all.start,
                                    .column = all.column,
                                    .value = all.value,
                                    .diagonal = all.diagonal,
                                    .in = M->in,
                                    .positive = M->kind == PERP_PRECONDITION_IC,
                                    .alarm = perp_run_alarm(run),
                                    .LU = perp_run_reals(run, (size_t)all.start[n]),
                                    .place = perp_arena_alloc(run->arena, n, sizeof(int64_t))};
  if (!M->incomplete.LU || !M->incomplete.place)
    return perp_run_no_memory(run);
  for (size_t i = 0; i < n; i++)
    M->incomplete.place[i] = -1;
  return PERP_OK;
}

perp_error perp_preconditioner_open(perp_run *run, perp_linear_preconditioner kind, bool symmetric,
                                    bool assembled, const bool *in, const perp_gathered *entries,
                                    perp_preconditioner *M)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  if (kind == PERP_PRECONDITION_AUTO)
    kind = choose(A, symmetric);
  const bool needs_rows = kind == PERP_PRECONDITION_IC || kind == PERP_PRECONDITION_ILU;
  if (needs_rows && !A->table->row)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "this preconditioner needs an operator that gives its rows; this %s operator does not",
        A->table->kind);
  *M = (perp_preconditioner){.run = run, .kind = kind, .in = in};
  if (!PERP_TAKE_REALS(run->arena, n, &M->diagonal, &M->D))
    return perp_run_no_memory(run);
  if (kind == PERP_PRECONDITION_NONE || perp_operator_diagonal(A, M->diagonal, NULL) != PERP_OK)
    perp_fill((int64_t)n, 0, M->diagonal);
  M->stencil = kind == PERP_PRECONDITION_IC && !assembled && perp_operator_is_stencil(A);
  if (M->stencil)
    return perp_stencil_incomplete_create(A, run->arena, &M->grid) ? PERP_OK
                                                                   : perp_run_no_memory(run);
  if (needs_rows)
    return open_incomplete(run, entries, M);
  return kind == PERP_PRECONDITION_MG ? run->services->multigrid->open(run, &M->multigrid)
                                      : PERP_OK;
}

/* ---- Use ---- */

void perp_preconditioner_set(perp_preconditioner *M, int m, const int *F, const double *d)
{
  const int n = M->run->problem->A->n;
  M->failed = false;
  for (int i = 0; i < n; i++) {
    const double a = fabs(M->diagonal[i] + (d ? d[i] : 0));
    M->D[i] = a > 0 && M->kind != PERP_PRECONDITION_NONE ? a : 1;
  }
  if (M->kind == PERP_PRECONDITION_IC && M->stencil) {
    perp_stencil_incomplete_factor(&M->grid, M->in, d);
  } else if (M->kind == PERP_PRECONDITION_IC || M->kind == PERP_PRECONDITION_ILU) {
    M->failed = !perp_incomplete_factor(&M->incomplete, d);
  } else if (M->kind == PERP_PRECONDITION_MG) {
    M->run->services->multigrid->set(M->multigrid, m, F, d);
  } else {
    return;
  }
  M->run->count.factorisations++;
}

void perp_preconditioner_apply(void *context, const double *r, double *z)
{
  perp_preconditioner *M = context;
  const int n = M->run->problem->A->n;
  M->run->count.solves++;
  if (M->failed || M->kind == PERP_PRECONDITION_NONE || M->kind == PERP_PRECONDITION_JACOBI)
    for (int i = 0; i < n; i++)
      z[i] = M->in[i] ? r[i] / M->D[i] : 0;
  else if (M->kind == PERP_PRECONDITION_IC && M->stencil)
    perp_stencil_incomplete_solve(&M->grid, r, z);
  else if (M->kind == PERP_PRECONDITION_IC || M->kind == PERP_PRECONDITION_ILU)
    perp_incomplete_solve(&M->incomplete, r, z);
  else
    M->run->services->multigrid->apply(M->multigrid, r, z);
}
