/* output.c: output of perp-mpi: progress, report, and x */
#define _DEFAULT_SOURCE

#include "perp_mpi.h"

#include "app/json.h"

#include <math.h>
#include <petscsys.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ---- Memory ---- */

double mpi_bytes(void)
{
  PetscLogDouble bytes = 0;
  return PetscMemoryGetCurrentUsage(&bytes) ? 0 : bytes;
}

double mpi_bytes_peak(void)
{
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) ? 0 : 1024.0 * (double)usage.ru_maxrss;
}

void mpi_give_back(void)
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/* ---- Progress ---- */

perp_error mpi_watch_open(const mpi_request *request, int rank, mpi_watch *watch, perp_message *why)
{
  *watch = (mpi_watch){.shown = rank == 0 && (isatty(2) || getenv("PERP_MPI_PROGRESS"))};
  if (rank != 0 || !request->trace)
    return PERP_OK;
  watch->trace = fopen(request->trace, "w");
  if (!watch->trace) {
    snprintf(why->text, sizeof why->text, "%.200s cannot be written", request->trace);
    return PERP_ERROR_FILE;
  }
  fprintf(watch->trace, "iteration,residual\n");
  return PERP_OK;
}

perp_error mpi_watch_close(const mpi_request *request, mpi_watch *watch, perp_message *why)
{
  if (!watch->trace)
    return PERP_OK;
  const bool failed = ferror(watch->trace);
  if (!fclose(watch->trace) && !failed)
    return PERP_OK;
  snprintf(why->text, sizeof why->text, "%.200s cannot be written to its end", request->trace);
  return PERP_ERROR_FILE;
}

void mpi_watch_start(const mpi_request *request, MPI_Comm comm, mpi_watch *watch)
{
  watch->comm = comm;
  watch->deadline = request->time_limit > 0 ? MPI_Wtime() + request->time_limit : 0;
}

bool mpi_watch_iteration(void *watch, int iteration, double residual)
{
  mpi_watch *w = watch;
  if (iteration <= 1)
    w->bytes = mpi_bytes();
  if (w->trace)
    fprintf(w->trace, "%d,%.17g\n", iteration, residual);
  if (w->shown)
    fprintf(stderr, "iteration %d: natural residual %.3e\n", iteration, residual);
  int over = w->deadline > 0 && MPI_Wtime() >= w->deadline;
  if (w->deadline > 0)
    MPI_Bcast(&over, 1, MPI_INT, 0, w->comm);
  return !over;
}

/* ---- Report ---- */

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

static const char *outcome(const mpi_answer *a)
{
  return perp_outcome_name(a->solved                ? PERP_SOLVED
                           : !isfinite(a->residual) ? PERP_NON_FINITE
                           : a->timed_out           ? PERP_TIME_LIMIT
                           : a->stagnated           ? PERP_STAGNATED
                                                    : PERP_ITERATION_LIMIT);
}

static void print(const mpi_request *request, const mpi_answer *a)
{
  const char *message =
      a->solved ? "the residual is within the tolerance" : "the residual is above the tolerance";
  if (!request->json) {
    printf("%s: %s after %d iterations of %s on %d ranks, natural residual %.3e max|b|, n = %lld, "
           "%.3f s\n",
           request->where, outcome(a), a->cycles, a->method, a->ranks, a->residual / a->scale,
           (long long)a->n, a->seconds_setup + a->seconds_solve);
    return;
  }
  json j = json_open(stdout);
  json_text(&j, "method", a->method);
  json_text(&j, "problem", request->where);
  json_integer(&j, "n", a->n);
  json_text(&j, "operator", a->operator);
  json_integer(&j, "ranks", a->ranks);
  json_text(&j, "outcome", outcome(a));
  json_bool(&j, "solved", a->solved);
  json_real(&j, "residual", a->residual / a->scale);
  json_real(&j, "residual_absolute", a->residual);
  json_real(&j, "scale", a->scale);
  json_real(&j, "tol", request->tol);
  json_integer(&j, "iterations", a->cycles);
  json_real(&j, "seconds", a->seconds_setup + a->seconds_solve);
  json_real(&j, "cpu_seconds", a->cpu_seconds);
  json_real(&j, "compute_seconds", a->compute_seconds);
  json_real(&j, "exchanges", a->exchanges);
  json_real(&j, "reductions", a->reductions);
  json_real(&j, "bytes_received", a->bytes_received);
  json_real(&j, "seconds_make", a->seconds_make);
  json_real(&j, "seconds_setup", a->seconds_setup);
  json_real(&j, "seconds_solve", a->seconds_solve);
  json_real(&j, "bytes_most", a->bytes_most);
  json_real(&j, "bytes_peak", a->bytes_peak);
  json_text(&j, "message", message);
  json_text(&j, "out", request->out);
  json_close(&j);
}

perp_error mpi_report(const mpi_request *request, const mpi_answer *a, perp_message *why)
{
  print(request, a);
  /* flush now: mpirun may end this rank once another one has returned 1 */
  if (!fflush(stdout) && !ferror(stdout))
    return PERP_OK;
  snprintf(why->text, sizeof why->text, "standard output cannot be written");
  return PERP_ERROR_FILE;
}

/* ---- x into a Matrix Market file, gathered on rank 0 or by all ranks at once ----
 *
 * In parallel every number has a line of the same length,
 *
 *   WIDTH bytes: "%24.16e" and a newline,
 *
 * so each rank knows the position of its lines and writes them by MPI-IO, without gathering. Both
 * files are read by the same programs and have the same numbers. */

enum { WIDTH = 25, LINES = 1 << 14 /* per call of MPI */ };

static PetscErrorCode gather(const mpi_request *request, Vec x, perp_error *error,
                             perp_message *why)
{
  VecScatter scatter;
  Vec all;
  PetscInt n;
  const PetscScalar *a;
  int rank;
  PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)x), &rank));
  PetscCall(VecScatterCreateToZero(x, &scatter, &all));
  PetscCall(VecScatterBegin(scatter, x, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, x, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetLocalSize(all, &n));
  PetscCall(VecGetArrayRead(all, &a));
  if (rank == 0)
    *error = perp_vector_write(request->out, (int)n, a, NULL, why);
  PetscCall(VecRestoreArrayRead(all, &a));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&all));
  return 0;
}

/* Returns 0, or the MPI error code. */
static int write_bytes(MPI_File file, MPI_Offset at, const char *text, int count)
{
  MPI_Status status;
  int written = 0;
  const int code = MPI_File_write_at(file, at, text, count, MPI_CHAR, &status);
  if (code)
    return code;
  MPI_Get_count(&status, MPI_CHAR, &written);
  return written == count ? MPI_SUCCESS : MPI_ERR_NO_SPACE;
}

/* Writes the lines of this rank, and on rank 0 the header. */
static PetscErrorCode write_part(MPI_File file, const char *head, Vec x, int *code)
{
  const PetscScalar *a;
  PetscInt begin, end;
  char *text;
  PetscCall(VecGetOwnershipRange(x, &begin, &end));
  PetscCall(PetscMalloc1(LINES * WIDTH + 1, &text));
  PetscCall(VecGetArrayRead(x, &a));
  if (begin == 0)
    *code = write_bytes(file, 0, head, (int)strlen(head));
  for (PetscInt first = begin; first < end && !*code; first += LINES) {
    const int count = end - first < LINES ? (int)(end - first) : LINES;
    for (int i = 0; i < count; i++)
      snprintf(text + WIDTH * i, WIDTH + 1, "%24.16e\n", a[first - begin + i]);
    const MPI_Offset at = (MPI_Offset)strlen(head) + (MPI_Offset)WIDTH * first;
    *code = write_bytes(file, at, text, WIDTH * count);
  }
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(PetscFree(text));
  return 0;
}

/* Returns an error unless the path is the same file for all ranks: each must read what rank 0 wrote
 * there. Otherwise opening it together may hang, or each rank writes a separate file. */
static PetscErrorCode check_shared(MPI_Comm comm, const char *path, perp_error *error,
                                   perp_message *why)
{
  char wrote[64] = "", found[64] = "";
  int rank;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    snprintf(wrote, sizeof wrote, "%.17g %p", MPI_Wtime(), (void *)wrote);
    FILE *file = fopen(path, "w");
    bool good = file && fputs(wrote, file) >= 0;
    good = file && !fclose(file) && good;
    wrote[0] = good ? wrote[0] : 0;
  }
  PetscCallMPI(MPI_Bcast(wrote, sizeof wrote, MPI_CHAR, 0, comm));
  FILE *file = fopen(path, "r+");
  if (file) {
    if (!fgets(found, sizeof found, file))
      found[0] = 0;
    fclose(file);
  }
  int same = strcmp(wrote, found) == 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, comm));
  if (!wrote[0] || !same) {
    *error = PERP_ERROR_FILE;
    snprintf(why->text, sizeof why->text, "%.200s cannot be written%s", path,
             wrote[0] ? " by all ranks: they do not see the same file" : "");
  }
  return 0;
}

static PetscErrorCode write_parallel(const mpi_request *request, Vec x, perp_error *error,
                                     perp_message *why)
{
  MPI_File file;
  PetscInt n;
  char head[80];
  int code;
  PetscCall(check_shared(PetscObjectComm((PetscObject)x), request->out, error, why));
  if (*error)
    return 0;
  PetscCall(VecGetSize(x, &n));
  snprintf(head, sizeof head, "%%%%MatrixMarket matrix array real general\n%lld 1\n", (long long)n);
  code = MPI_File_open(PetscObjectComm((PetscObject)x), request->out,
                       MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (!code) { /* the same on all ranks */
    code = MPI_File_set_size(file, (MPI_Offset)strlen(head) + (MPI_Offset)WIDTH * n);
    if (!code)
      PetscCall(write_part(file, head, x, &code));
    const int closed = MPI_File_close(&file);
    code = code ? code : closed;
  }
  if (code) {
    *error = PERP_ERROR_FILE;
    snprintf(why->text, sizeof why->text, "%.200s cannot be written by all ranks", request->out);
  }
  return 0;
}

PetscErrorCode mpi_write(const mpi_request *request, Vec x, perp_error *error, perp_message *why)
{
  if (request->parallel)
    PetscCall(write_parallel(request, x, error, why));
  else
    PetscCall(gather(request, x, error, why));
  return 0;
}
