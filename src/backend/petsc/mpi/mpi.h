/* mpi.h: what the files of perp-mpi share */
#pragma once

#include "backend/petsc/mesh.h"

#include <perp/lab.h>
#include <perp/perp.h>

typedef struct mpi_request {
  const char *where, *out, *trace, *method; /* method: of contacts */
  double tol;
  int max_cycles;
  bool json;
} mpi_request;

typedef struct mpi_answer {
  const char *method, *operator;
  int64_t n;
  int cycles, ranks;
  double residual, scale; /* recomputed */
  bool solved, stagnated;
  double seconds_make, seconds_setup, seconds_solve; /* of the slowest rank */
  double processor_seconds; /* of the busiest rank, waiting for messages included */
  double compute_seconds;   /* the same without exchanges and reductions */
  double exchanges, reductions, bytes_received; /* of the rank that has the most */
  double bytes_most;                            /* of a rank, at its peak */
} mpi_answer;

/* True if no rank has an error; otherwise the first of them writes its line. Collective. */
bool mpi_agree(MPI_Comm comm, perp_error error, const perp_message *why);

/* Every rank calls these; the problem itself is known to rank 0 alone. */
PetscErrorCode mpi_solve_grid(MPI_Comm comm, const mpi_request *request,
                              const perp_instance *instance, mpi_answer *answer, double *x);
PetscErrorCode mpi_solve_contacts(MPI_Comm comm, const mpi_request *request,
                                  const perp_instance *instance, mpi_answer *answer, double *x);
PetscErrorCode mpi_solve_matrix(MPI_Comm comm, const mpi_request *request,
                                const perp_instance *instance, mpi_answer *answer, double *x);
/* Rank 0 writes a line, if standard error is a terminal. */
void mpi_progress(MPI_Comm comm, int iteration, double residual);
void mpi_report(const mpi_request *request, const mpi_answer *answer);
