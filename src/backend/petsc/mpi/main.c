/* main.c: perp-mpi, complementarity problems over the ranks of mpirun
 *
 *   mpirun -n 4 perp-mpi solve DIR|KIND:key=value,... [--tol T] [--max-iter N] [--out x.mtx]
 *                              [--json] [--method apgd|spg|bjacobi] [--trace t.csv]
 *
 * Rank 0 reads or makes the problem and gives every rank its part. The verdict is recomputed by all
 * ranks from the data. Exit status: 0 solved; 1 not solved (the last iterate is still written); 2
 * the call or the input is wrong, or a rank failed: one line says what. */
#include "backend/petsc/mpi/mpi.h"

#include <petscsys.h>
#include <petsctime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINE, NOT_SOLVED, WRONG };

static const char usage[] =
    "usage: mpirun -n N perp-mpi solve DIR|KIND:key=value,... [--tol T] [--max-iter N]\n"
    "                                  [--out x.mtx] [--json] [--method NAME] [--trace t.csv]\n"
    "       perp-mpi version\n"
    "\n"
    "  --tol T        solved at natural residual <= T max|b_i|; default 1e-8\n"
    "  --max-iter N   cycles or iterations at most; default 1000\n"
    "  --out x.mtx    rank 0 writes the solution, or the last iterate, there\n"
    "  --json         one object on standard output\n"
    "  --method NAME  of contacts: apgd, the default, spg or bjacobi (accelerated as nncg);\n"
    "                 grids and sparse matrices are solved by mg\n"
    "  --trace t.csv  of contacts: rank 0 writes the residual of each iteration there\n";

bool mpi_agree(MPI_Comm comm, perp_error error, const perp_message *why)
{
  int rank, size, first;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = error ? rank : size;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == rank)
    fprintf(stderr, "perp-mpi: %s\n", why->text);
  return first == size;
}

/* An error of PETSc on any rank: one line, and the end of all ranks. */
static PetscErrorCode fail(MPI_Comm comm, int line, const char *function, const char *file,
                           PetscErrorCode error, PetscErrorType type, const char *message, void *x)
{
  (void)comm;
  (void)line;
  (void)function;
  (void)file;
  (void)x;
  if (type == PETSC_ERROR_INITIAL) {
    fprintf(stderr, "perp-mpi: %s\n", message ? message : "an error of PETSc");
    MPI_Abort(MPI_COMM_WORLD, WRONG);
  }
  return error;
}

/* The value of an option, or NULL if there is none behind it. */
static bool parse(int argc, char **argv, mpi_request *r, perp_message *why)
{
  *r = (mpi_request){.tol = 1e-8, .max_cycles = 1000, .method = "apgd"};
  for (int k = 2; k < argc; k++) {
    const char *a = argv[k], *value = k + 1 < argc ? argv[k + 1] : NULL;
    char *end = NULL;
    const bool valued = !strcmp(a, "--tol") || !strcmp(a, "--max-iter") || !strcmp(a, "--out") ||
                        !strcmp(a, "--method") || !strcmp(a, "--trace");
    if (valued && !value) {
      snprintf(why->text, sizeof why->text, "%s needs a value", a);
      return false;
    }
    if (!strcmp(a, "--json"))
      r->json = true;
    else if (!strcmp(a, "--out"))
      r->out = argv[++k];
    else if (!strcmp(a, "--trace"))
      r->trace = argv[++k];
    else if (!strcmp(a, "--method") &&
             (!strcmp(value, "apgd") || !strcmp(value, "spg") || !strcmp(value, "bjacobi")))
      r->method = argv[++k];
    else if (!strcmp(a, "--method")) {
      snprintf(why->text, sizeof why->text, "--method %.100s: apgd, spg or bjacobi", value);
      return false;
    } else if (!strcmp(a, "--tol")) {
      r->tol = strtod(argv[++k], &end);
      if (*end || !(r->tol > 0)) {
        snprintf(why->text, sizeof why->text, "--tol %s: a number above 0", value);
        return false;
      }
    } else if (!strcmp(a, "--max-iter")) {
      const long count = strtol(argv[++k], &end, 10);
      if (*end || count < 1 || count > 1000000000) {
        snprintf(why->text, sizeof why->text, "--max-iter %s: a number above 0", value);
        return false;
      }
      r->max_cycles = (int)count;
    } else if (a[0] == '-' && a[1] == '-') {
      snprintf(why->text, sizeof why->text, "there is no option %.100s", a);
      return false;
    } else if (a[0] == '-') {
      if (value && value[0] != '-') /* an option of PETSc, and its value */
        k++;
    } else if (r->where) {
      snprintf(why->text, sizeof why->text, "\"%.100s\" is one argument too many", a);
      return false;
    } else
      r->where = a;
  }
  if (!r->where)
    snprintf(why->text, sizeof why->text, "solve what? DIR or KIND:key=value,...");
  return r->where != NULL;
}

/* Rank 0: a folder if there is one of that name, else a generated problem. */
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

/* How it is solved; an error if it is not. */
static perp_error find_kind(const char *where, const perp_instance *instance, int *kind,
                            perp_message *why)
{
  perp_stencil_data grid;
  perp_contact_data contact;
  if (instance->findex) {
    snprintf(why->text, sizeof why->text,
             "%.200s: friction bounds by index are not for several ranks; cones are (form=cone, "
             "operator=contact)",
             where);
    return PERP_ERROR_UNSUPPORTED;
  }
  if (!perp_operator_contact_data(instance->A, &contact))
    *kind = CONTACTS;
  else if (instance->mu) {
    snprintf(why->text, sizeof why->text,
             "%.200s: cones on several ranks need J and Minv (operator=contact), not the matrix",
             where);
    return PERP_ERROR_UNSUPPORTED;
  } else
    *kind = perp_operator_stencil_data(instance->A, &grid) ? MATRIX : GRID;
  return PERP_OK;
}

static PetscErrorCode solve(MPI_Comm comm, const mpi_request *request, int *status)
{
  perp_instance instance = {0};
  perp_message why = {{0}};
  perp_error error = PERP_OK;
  mpi_answer answer = {0};
  double *x = NULL, begin, end;
  int rank, kind = GRID;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscTime(&begin));
  if (rank == 0) {
    error = make(request->where, &instance, &why);
    if (!error)
      error = find_kind(request->where, &instance, &kind, &why);
    if (!error)
      answer.n = perp_operator_size(instance.A);
  }
  *status = WRONG;
  if (!mpi_agree(comm, error, &why))
    PetscFunctionReturn(0);
  PetscCall(PetscTime(&end));
  answer.seconds_make = end - begin;
  PetscCallMPI(MPI_Bcast(&answer.n, 1, MPI_INT64_T, 0, comm));
  if (rank == 0)
    PetscCall(PetscCalloc1((size_t)answer.n + 1, &x));
  PetscCallMPI(MPI_Bcast(&kind, 1, MPI_INT, 0, comm));
  if (kind == GRID)
    PetscCall(mpi_solve_grid(comm, request, &instance, &answer, x));
  else if (kind == MATRIX)
    PetscCall(mpi_solve_matrix(comm, request, &instance, &answer, x));
  else
    PetscCall(mpi_solve_contacts(comm, request, &instance, &answer, x));
  if (rank == 0 && request->out)
    error = perp_vector_write(request->out, (int)answer.n, x, NULL, &why);
  if (mpi_agree(comm, error, &why))
    *status = answer.solved ? FINE : NOT_SOLVED;
  if (rank == 0)
    mpi_report(request, &answer);
  PetscCall(PetscFree(x));
  perp_instance_destroy(&instance);
  PetscFunctionReturn(0);
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
  PetscFunctionBeginUser;
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
  } else if (rank == 0)
    fprintf(stderr, "perp-mpi: %s\n", why.text);
  PetscCall(PetscPopErrorHandler());
  PetscCall(PetscFinalize());
  return status;
}
