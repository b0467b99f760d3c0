/* main.c: perp-mpi, complementarity problems over the ranks of mpirun
 *
 *   mpirun -n 4 perp-mpi solve DIR|KIND:key=value,... [--tol T] [--max-iter N]
 *                              [--out x.mtx [--parallel]] [--json] [--method apgd|spg|bjacobi]
 *                              [--trace t.csv] [--time-limit S]
 *
 * Rank 0 reads or generates the problem, sends every rank its part and frees the whole; for scenes
 * of contacts every rank generates its own part. All ranks recompute the verdict from the data.
 * Exit status: 0 solved; 1 not solved (the last iterate is still written); 2 wrong call or input,
 * or a rank failed; one line gives the reason. */
#define _POSIX_C_SOURCE 200809L
#include "base/message.h"
#include "perp_mpi.h"

#include <petscsys.h>
#include <petsctime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FINE, NOT_SOLVED, WRONG };

static const char usage[] =
    "usage: mpirun -n N perp-mpi solve DIR|KIND:key=value,... [--tol T] [--max-iter N]\n"
    "                                  [--out x.mtx] [--parallel] [--json] [--method NAME]\n"
    "                                  [--trace t.csv] [--time-limit S]\n"
    "       perp-mpi version\n"
    "\n"
    "  --tol T         solved at natural residual <= T max|b_i|; default 1e-8\n"
    "  --max-iter N    cycles or iterations at most; default 1000\n"
    "  --time-limit S  seconds at most, once the problem is made; default: none\n"
    "  --out x.mtx     rank 0 writes the solution, or the last iterate, there\n"
    "  --parallel      every rank writes its part of --out; the file is read as the other one\n"
    "  --json          one object on standard output\n"
    "  --method NAME   of contacts: apgd, the default, spg or bjacobi (accelerated as nncg);\n"
    "                  of grids and sparse matrices: mg\n"
    "  --trace t.csv   rank 0 writes the residual of each iteration there\n"
    "\n"
    "Options of PETSc (-log_view, -perp_pc_type hypre) come after the problem.\n"
    "Exit status: 0 solved, 1 not solved, 2 the call or the input is wrong.\n";

/* A PETSc error on any rank prints one line and ends all ranks. If all ranks find the error, the
 * first one reports it; the others wait to be ended. */
static PetscErrorCode fail(MPI_Comm comm, int line, const char *function, const char *file,
                           PetscErrorCode error, PetscErrorType type, const char *message, void *x)
{
  int rank = 0;
  (void)line;
  (void)function;
  (void)file;
  (void)x;
  if (type == PETSC_ERROR_INITIAL) {
    MPI_Comm_rank(comm, &rank);
    if (rank > 0)
      sleep(5);
    fprintf(stderr, "perp-mpi: %s\n", message ? message : "PETSc error");
    MPI_Abort(MPI_COMM_WORLD, WRONG);
  }
  return error;
}

/* ---- The call ---- */

static bool refuse(perp_message *why, const char *option, const char *value, const char *takes)
{
  snprintf(why->text, sizeof why->text, "%s%s%.100s: %s", option, *value ? " " : "", value, takes);
  return false;
}

static bool parse_value(const char *a, const char *value, mpi_request *r, perp_message *why)
{
  char *end = NULL;
  if (!value)
    return refuse(why, a, "", "it needs a value");
  if (!strcmp(a, "--out"))
    r->out = value;
  else if (!strcmp(a, "--trace"))
    r->trace = value;
  else if (!strcmp(a, "--method")) {
    r->method = value;
    if (strcmp(value, "apgd") && strcmp(value, "spg") && strcmp(value, "bjacobi") &&
        strcmp(value, "mg"))
      return refuse(why, a, value, "it takes apgd, spg or bjacobi, or mg for grids and matrices");
  } else if (!strcmp(a, "--tol") || !strcmp(a, "--time-limit")) {
    const double number = strtod(value, &end);
    if (*end || end == value || !(number > 0) || !isfinite(number))
      return refuse(why, a, value, "it takes a finite number above 0");
    *(!strcmp(a, "--tol") ? &r->tol : &r->time_limit) = number;
  } else {
    const long count = strtol(value, &end, 10);
    if (*end || count < 1 || count > 1000000000)
      return refuse(why, a, value, "it takes a whole number from 1 to 1000000000");
    r->max_cycles = (int)count;
  }
  return true;
}

static bool has_value(const char *a)
{
  static const char *const names[] = {"--tol",    "--max-iter", "--out",
                                      "--method", "--trace",    "--time-limit"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (!strcmp(a, names[k]))
      return true;
  return false;
}

static bool parse(int argc, char **argv, mpi_request *r, perp_message *why)
{
  const char *taken = NULL; /* value of a PETSc option */
  *r = (mpi_request){.tol = 1e-8, .max_cycles = 1000};
  for (int k = 2; k < argc; k++) {
    const char *a = argv[k], *value = k + 1 < argc ? argv[k + 1] : NULL;
    if (has_value(a)) {
      if (!parse_value(a, value, r, why))
        return false;
      k++;
    } else if (!strcmp(a, "--json"))
      r->json = true;
    else if (!strcmp(a, "--parallel"))
      r->parallel = true;
    else if (a[0] == '-' && a[1] == '-')
      return refuse(why, "there is no option", a, "--help names all");
    else if (a[0] == '-') {
      if (value && value[0] != '-')
        taken = argv[++k];
    } else if (r->where)
      return refuse(why, "one argument too many:", a, "give one problem only");
    else
      r->where = a;
  }
  if (!r->where && taken)
    return refuse(why, "no problem given:", taken,
                  "this was read as the value of the option before it; put the problem before "
                  "PETSc's options");
  if (!r->where)
    return refuse(why, "no problem given", "", "name a folder or KIND:key=value,...");
  if (r->parallel && !r->out)
    return refuse(why, "--parallel", "", "it needs --out x.mtx");
  return true;
}

/* ---- The problem ---- */

/* On rank 0: reads a folder if there is one of that name, else generates a problem. */
static perp_error make(const char *where, perp_instance *instance, perp_message *why)
{
  const char *colon = strchr(where, ':');
  char kind[64] = "";
  const size_t length = colon ? (size_t)(colon - where) : strlen(where);
  if (length < sizeof kind)
    memcpy(kind, where, length);
  return perp_generator_find(kind) >= 0 ? perp_generate(where, instance, why)
                                        : perp_folder_read(where, instance, why);
}

enum { GRID, CONTACTS, MATRIX };

/* Determines how it is solved; returns an error if it cannot be. */
static perp_error find_kind(const char *where, const perp_instance *instance, int *kind,
                            perp_message *why)
{
  perp_stencil_data grid;
  perp_contact_data contact;
  if (instance->findex) {
    return perp_fail(
        why, PERP_ERROR_UNSUPPORTED,
        "%.200s: friction bounds by index are not supported on several ranks; use cones "
        "(form=cone, operator=contact)",
        where);
  }
  if (instance->dim) {
    return perp_fail(
        why, PERP_ERROR_UNSUPPORTED,
        "%.200s: contacts with dim are not supported on several ranks; use cones of three rows",
        where);
  }
  if (!perp_operator_contact_data(instance->A, &contact))
    *kind = CONTACTS;
  else if (instance->mu)
    return perp_fail(
        why, PERP_ERROR_UNSUPPORTED,
        "%.200s: cones on several ranks need J and Minv (operator=contact), not the matrix", where);
  else
    *kind = perp_operator_stencil_data(instance->A, &grid) ? MATRIX : GRID;
  return PERP_OK;
}

/* Returns an error if the requested method does not apply to such a problem. */
static perp_error check_method(const mpi_request *request, int kind, perp_message *why)
{
  const char *method = request->method;
  if (!method || (strcmp(method, "mg") == 0) == (kind != CONTACTS))
    return PERP_OK;
  return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%.200s: --method %s: %s", request->where, method,
                   kind == CONTACTS ? "contacts are solved by apgd, spg or bjacobi"
                                    : "grids and matrices are solved by mg");
}

/* Afterwards rank 0 has the problem, or every rank knows its pieces; all know its kind and size.
 * Returns false if a rank failed, which has printed the reason. */
static PetscErrorCode prepare(MPI_Comm comm, const mpi_request *request, mpi_problem *problem,
                              int *kind, mpi_answer *answer, bool *good)
{
  perp_instance *instance = &problem->instance;
  perp_message why = {{0}};
  double begin, end;
  int rank;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscTime(&begin));
  perp_error error = perp_pieces_begin(request->where, &problem->pieces, &problem->in_pieces, &why);
  if (!error && problem->in_pieces) {
    *kind = CONTACTS;
    answer->n = (int64_t)problem->pieces.contacts * problem->pieces.width;
    error = check_method(request, CONTACTS, &why);
  } else if (!error && rank == 0) {
    error = make(request->where, instance, &why);
    if (!error)
      error = find_kind(request->where, instance, kind, &why);
    if (!error)
      error = check_method(request, *kind, &why);
    if (!error)
      answer->n = perp_operator_size(instance->A);
  }
  *good = mpi_agree(comm, error, &why);
  PetscCallMPI(MPI_Bcast(&answer->n, 1, MPI_INT64_T, 0, comm));
  PetscCallMPI(MPI_Bcast(kind, 1, MPI_INT, 0, comm));
  PetscCall(PetscTime(&end));
  answer->seconds_make = end - begin;
  return 0;
}

static PetscErrorCode finish(MPI_Comm comm, const mpi_request *request, mpi_watch *watch, Vec x,
                             mpi_answer *answer, bool *good)
{
  perp_message why = {{0}};
  perp_error error = mpi_watch_close(request, watch, &why);
  int rank;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  *good = mpi_agree(comm, error, &why);
  error = PERP_OK;
  if (request->out)
    PetscCall(mpi_write(request, x, &error, &why));
  *good = mpi_agree(comm, error, &why) && *good;
  double most[2] = {answer->bytes_most, mpi_bytes_peak()};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, comm));
  answer->bytes_most = most[0];
  answer->bytes_peak = most[1];
  error = rank == 0 ? mpi_report(request, answer, &why) : PERP_OK;
  *good = mpi_agree(comm, error, &why) && *good;
  return 0;
}

static PetscErrorCode solve(MPI_Comm comm, const mpi_request *request, int *status)
{
  mpi_problem problem = {0};
  perp_message why = {{0}};
  mpi_answer answer = {0};
  mpi_watch watch;
  Vec x;
  int rank, kind = GRID;
  bool good = false;
  const double start = mpi_bytes();
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (!mpi_agree(comm, mpi_watch_open(request, rank, &watch, &why), &why))
    return 0;
  PetscCall(prepare(comm, request, &problem, &kind, &answer, &good));
  if (!good)
    return 0;
  mpi_watch_start(request, comm, &watch);
  PetscErrorCode (*const solvers[])(MPI_Comm, const mpi_request *, mpi_watch *, mpi_problem *,
                                    mpi_answer *, Vec *) = {
      [GRID] = mpi_solve_grid, [CONTACTS] = mpi_solve_contacts, [MATRIX] = mpi_solve_matrix};
  PetscCall(solvers[kind](comm, request, &watch, &problem, &answer, &x));
  answer.bytes_most = watch.bytes > start ? watch.bytes - start : 0;
  PetscCall(finish(comm, request, &watch, x, &answer, &good));
  if (good)
    *status = answer.solved ? FINE : NOT_SOLVED;
  PetscCall(VecDestroy(&x));
  return 0;
}

int main(int argc, char **argv)
{
  mpi_request request;
  perp_message why = {{0}};
  int status = WRONG, rank;
  if (argc > 1 && !strcmp(argv[1], "version")) {
    printf("perp-mpi %s\n", perp_version());
    return FINE;
  }
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscPushErrorHandler(fail, NULL));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))) {
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s", usage));
    status = FINE;
  } else if (argc < 2 || strcmp(argv[1], "solve") != 0) {
    if (rank == 0)
      fputs(usage, stderr);
  } else if (parse(argc, argv, &request, &why)) {
    PetscCall(solve(PETSC_COMM_WORLD, &request, &status));
  } else {
    if (rank == 0)
      fprintf(stderr, "perp-mpi: %s\n", why.text);
    PetscCall(PetscOptionsClear(NULL)); /* PetscFinalize would act on them */
  }
  PetscCall(PetscPopErrorHandler());
  PetscCall(PetscFinalize());
  return status;
}
