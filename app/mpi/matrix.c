/* matrix.c: distributes a sparse matrix with bounds from rank 0 by rows, solves, and collects x
 *
 * The ranks have equal numbers of rows, in the order of the matrix, as MPIAIJ. The cycles are those
 * of quadratic.c with an algebraic correction: conjugate gradients with PCGAMG, or the options
 * -perp_pc_type, ... This needs symmetric positive definite A; for others the verdict, computed
 * from A itself, tells if x is a solution. */
#include "backend/petsc/quadratic.h"
#include "perp_mpi.h"
#include "verdict/verdict.h"

#include <petsctime.h>

#include <math.h>

enum { PATIENCE = 40 }; /* most cycles without a reduction by a tenth */

/* The rows of each rank. */
typedef struct shares {
  int rank, size;
  int *rows, *first; /* by rank */
} shares;

static PetscErrorCode shares_open(MPI_Comm comm, int n, shares *s)
{
  PetscCallMPI(MPI_Comm_rank(comm, &s->rank));
  PetscCallMPI(MPI_Comm_size(comm, &s->size));
  PetscCall(PetscMalloc2(s->size, &s->rows, s->size, &s->first));
  for (int r = 0; r < s->size; r++) {
    s->first[r] = (int)((int64_t)n * r / s->size);
    s->rows[r] = (int)((int64_t)n * (r + 1) / s->size) - s->first[r];
  }
  return 0;
}

/* Creates a vector from rank 0's numbers, or from `otherwise` if it has none. */
static PetscErrorCode give_vector(MPI_Comm comm, const shares *s, const double *all,
                                  double otherwise, Vec *v)
{
  int given = all != NULL;
  PetscScalar *own;
  PetscInt n;
  PetscCallMPI(MPI_Bcast(&given, 1, MPI_INT, 0, comm));
  PetscCall(VecCreateMPI(comm, s->rows[s->rank], PETSC_DETERMINE, v));
  PetscCall(VecSet(*v, otherwise));
  if (!given)
    return 0;
  PetscCall(VecGetLocalSize(*v, &n));
  PetscCall(VecGetArray(*v, &own));
  PetscCallMPI(MPI_Scatterv(all, s->rows, s->first, MPI_DOUBLE, own, (int)n, MPI_DOUBLE, 0, comm));
  for (PetscInt i = 0; i < n; i++) /* PETSc's infinity */
    own[i] = own[i] > PETSC_INFINITY    ? PETSC_INFINITY
             : own[i] < PETSC_NINFINITY ? PETSC_NINFINITY
                                        : own[i];
  PetscCall(VecRestoreArray(*v, &own));
  return 0;
}

static PetscErrorCode give_rows(MPI_Comm comm, const shares *s, const perp_operator *csr, Mat *A)
{
  const int64_t *start = NULL;
  const int *column = NULL;
  const double *value = NULL;
  const int m = s->rows[s->rank];
  int *counts, *from, *taken, mine = 0;
  PetscInt *length = NULL;
  PetscInt *my_start, *my_column;
  PetscScalar *my_value;
  PetscCall(PetscCalloc2(s->size, &counts, s->size, &from));
  if (s->rank == 0) {
    const int n = perp_operator_size(csr);
    PetscCheck(!perp_operator_csr_arrays(csr, &start, &column, &value), PETSC_COMM_SELF,
               PETSC_ERR_LIB, "no rows");
    PetscCheck(start[n] < INT32_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP, "more than 2^31 - 1 entries");
    PetscCall(PetscMalloc1((size_t)n + 1, &length));
    for (int i = 0; i < n; i++)
      length[i] = (PetscInt)(start[i + 1] - start[i]);
    for (int r = 0; r < s->size; r++) {
      from[r] = (int)start[s->first[r]];
      counts[r] = (int)start[s->first[r] + s->rows[r]] - from[r];
    }
  }
  PetscCallMPI(MPI_Scatter(counts, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm));
  PetscCall(PetscMalloc3((size_t)m + 1, &my_start, (size_t)mine + 1, &my_column, (size_t)mine + 1,
                         &my_value));
  PetscCallMPI(
      MPI_Scatterv(length, s->rows, s->first, MPIU_INT, my_start + 1, m, MPIU_INT, 0, comm));
  my_start[0] = 0;
  for (int i = 0; i < m; i++)
    my_start[i + 1] += my_start[i];
  PetscCall(PetscMalloc1((size_t)mine + 1, &taken));
  PetscCallMPI(MPI_Scatterv(column, counts, from, MPI_INT, taken, mine, MPI_INT, 0, comm));
  for (int q = 0; q < mine; q++)
    my_column[q] = taken[q];
  PetscCall(PetscFree(taken));
  PetscCallMPI(MPI_Scatterv(value, counts, from, MPI_DOUBLE, my_value, mine, MPI_DOUBLE, 0, comm));
  PetscCall(MatCreateMPIAIJWithArrays(comm, m, m, PETSC_DETERMINE, PETSC_DETERMINE, my_start,
                                      my_column, my_value, A));
  PetscCall(PetscFree3(my_start, my_column, my_value));
  PetscCall(PetscFree2(counts, from));
  PetscCall(PetscFree(length));
  return 0;
}

typedef struct system {
  Mat A;
  Vec f, lo, hi, x, y; /* f = -b */
} system_of_rows;

/* y = A x - f, once more in twice the precision if x looks like a solution. */
static PetscErrorCode measure(const system_of_rows *s, double target, double *residual)
{
  Vec low;
  PetscCall(MatMult(s->A, s->x, s->y));
  PetscCall(VecAXPY(s->y, -1, s->f));
  PetscCall(perp_bounds_natural(s->lo, s->hi, s->x, s->y, residual));
  if (!perp_verdict_solved(*residual, target))
    return 0;
  PetscCall(VecDuplicate(s->y, &low));
  PetscCall(VecSet(low, 0));
  PetscCall(VecCopy(s->f, s->y));
  PetscCall(VecScale(s->y, -1));
  PetscCall(perp_rows_add_twice(s->A, s->x, NULL, s->y, low));
  PetscCall(VecAXPY(s->y, 1, low));
  PetscCall(VecDestroy(&low));
  PetscCall(perp_bounds_natural(s->lo, s->hi, s->x, s->y, residual));
  return 0;
}

static PetscErrorCode iterate(const system_of_rows *s, const mpi_request *request, mpi_watch *watch,
                              perp_quadratic *q, mpi_answer *answer)
{
  const double target = perp_verdict_target(request->tol, answer->scale);
  double best = INFINITY;
  for (int stale = 0; stale < PATIENCE; stale++) {
    PetscCall(measure(s, target, &answer->residual));
    answer->timed_out = !mpi_watch_iteration(watch, answer->cycles, answer->residual);
    if (perp_verdict_solved(answer->residual, target) || !isfinite(answer->residual) ||
        answer->cycles == request->max_cycles || answer->timed_out)
      return 0;
    if (answer->residual < 0.9 * best) {
      best = answer->residual;
      stale = 0;
    }
    PetscCall(perp_quadratic_cycle(q, s->x));
    answer->cycles++;
  }
  answer->stagnated = true;
  PetscCall(measure(s, target, &answer->residual));
  return 0;
}

static PetscErrorCode solve(const system_of_rows *s, const mpi_request *request, mpi_watch *watch,
                            mpi_answer *answer)
{
  perp_transfers none;
  perp_quadratic q;
  double times[3];
  PetscCall(VecNorm(s->f, NORM_INFINITY, &answer->scale));
  answer->scale = perp_verdict_scale(answer->scale);
  PetscCall(PetscTime(&times[0]));
  PetscCall(perp_transfers_find(NULL, NULL, &none));
  PetscCall(perp_quadratic_open(s->A, s->f, s->lo, s->hi, &none, NULL, &q));
  PetscCall(PetscTime(&times[1]));
  PetscCall(iterate(s, request, watch, &q, answer));
  PetscCall(PetscTime(&times[2]));
  answer->solved =
      perp_verdict_solved(answer->residual, perp_verdict_target(request->tol, answer->scale));
  double most[2] = {times[1] - times[0], times[2] - times[1]};
  PetscCall(perp_quadratic_close(&q));
  PetscCall(perp_transfers_close(&none));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX,
                             PetscObjectComm((PetscObject)s->A)));
  answer->seconds_setup = most[0];
  answer->seconds_solve = most[1];
  return 0;
}

PetscErrorCode mpi_solve_matrix(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                                mpi_problem *problem, mpi_answer *answer, Vec *x)
{
  perp_instance *instance = &problem->instance;
  shares rows;
  system_of_rows s;
  perp_operator *csr = NULL;
  perp_message why = {{0}};
  PetscCall(shares_open(comm, (int)answer->n, &rows));
  const bool here = rows.rank == 0;
  if (!mpi_agree(comm, here ? perp_operator_to_csr(instance->A, 0, &csr, &why) : PERP_OK, &why))
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "the matrix cannot be given to all ranks");
  answer->method = "mg";
  answer->operator= "csr";
  answer->ranks = rows.size;
  PetscCall(give_rows(comm, &rows, csr, &s.A));
  perp_operator_destroy(csr);
  PetscCall(give_vector(comm, &rows, here ? instance->b : NULL, 0, &s.f));
  PetscCall(VecScale(s.f, -1));
  PetscCall(give_vector(comm, &rows, here ? instance->lo : NULL, 0, &s.lo));
  PetscCall(give_vector(comm, &rows, here ? instance->hi : NULL, PETSC_INFINITY, &s.hi));
  perp_instance_destroy(instance);
  mpi_give_back();
  PetscCall(perp_bounds_check(s.lo, s.hi));
  PetscCall(VecDuplicate(s.f, &s.x));
  PetscCall(VecDuplicate(s.f, &s.y));
  PetscCall(VecSet(s.x, 0));
  PetscCall(perp_bounds_project(s.lo, s.hi, s.x));
  PetscCall(solve(&s, request, watch, answer));
  *x = s.x;
  PetscCall(VecDestroy(&s.y));
  PetscCall(VecDestroy(&s.f));
  PetscCall(VecDestroy(&s.lo));
  PetscCall(VecDestroy(&s.hi));
  PetscCall(MatDestroy(&s.A));
  PetscCall(PetscFree2(rows.rows, rows.first));
  return 0;
}
