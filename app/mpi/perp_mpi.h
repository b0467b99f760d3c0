/* perp_mpi.h: internal interface of perp-mpi */
#pragma once

#include "backend/petsc/mesh.h"
#include "generate/scene_pieces.h"

#include <petscvec.h>

#include <perp/lab.h>
#include <perp/perp.h>

#include <stdio.h>

typedef struct mpi_request {
  const char *where, *out, *trace, *method; /* method: NULL: the default for the problem */
  double tol;
  double time_limit; /* seconds; 0: none */
  int max_cycles;
  bool json, parallel; /* parallel: every rank writes its part of `out` */
} mpi_request;

/* Observers of the iterations: on rank 0 a terminal and a file. */
typedef struct mpi_watch {
  bool shown;
  FILE *trace;  /* NULL: none */
  double bytes; /* of this process in the first iteration */
  MPI_Comm comm;
  double deadline; /* on rank 0's clock, which decides for all; 0: none */
} mpi_watch;

typedef struct mpi_answer {
  const char *method, *operator;
  int64_t n;
  int cycles, ranks;
  double residual, scale; /* recomputed */
  bool solved, stagnated, timed_out;
  double seconds_make, seconds_setup, seconds_solve; /* of the slowest rank */
  double cpu_seconds;     /* of the busiest rank, including waiting for messages */
  double compute_seconds; /* of the busiest rank, without exchanges and reductions */
  double exchanges, reductions, bytes_received; /* of the rank with the most */
  /* Bytes as the system counts them, on the rank with the most: during the solve, less the bytes at the
   * start of the process; and the total peak, which is on rank 0 with the whole problem. */
  double bytes_most, bytes_peak;
} mpi_answer;

/* The problem: rank 0 has all of it, or every rank generates its own contacts. */
typedef struct mpi_problem {
  perp_instance instance;
  bool in_pieces;
  perp_pieces pieces; /* on every rank */
} mpi_problem;

/* Every rank calls these. The problem is destroyed when every rank has its part; x has the order of
 * the problem, equal shares on all ranks. */
PetscErrorCode mpi_solve_grid(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                              mpi_problem *problem, mpi_answer *answer, Vec *x);
PetscErrorCode mpi_solve_contacts(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                                  mpi_problem *problem, mpi_answer *answer, Vec *x);
PetscErrorCode mpi_solve_matrix(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                                mpi_problem *problem, mpi_answer *answer, Vec *x);

/* True if no rank has an error; otherwise the first of them writes its line. Collective. */
bool mpi_agree(MPI_Comm comm, perp_error error, const perp_message *why);

/* output.c: writes x to a file, by rank 0 or by all ranks. Collective. */
PetscErrorCode mpi_write(const mpi_request *request, Vec x, perp_error *error, perp_message *why);

perp_error mpi_watch_open(const mpi_request *request, int rank, mpi_watch *watch,
                          perp_message *why);
perp_error mpi_watch_close(const mpi_request *request, mpi_watch *watch, perp_message *why);
void mpi_watch_start(const mpi_request *request, MPI_Comm comm, mpi_watch *watch);
/* Writes a line of the trace, and one on standard error if that is a terminal; watch: an mpi_watch.
 * Returns false on all ranks if the time limit is reached. Collective. */
bool mpi_watch_iteration(void *watch, int iteration, double residual);
double mpi_bytes(void); /* of this process, as the system counts them */
double mpi_bytes_peak(void);
void mpi_give_back(void); /* returns freed memory to the system */
perp_error mpi_report(const mpi_request *request, const mpi_answer *answer, perp_message *why);
