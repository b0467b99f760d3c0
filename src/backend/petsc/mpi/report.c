/* report.c: how a solve of perp-mpi goes on, and how it ended, in words or as JSON */
#define _DEFAULT_SOURCE
#include "backend/petsc/mpi/mpi.h"

#include <petscsys.h>

#include <math.h>
#include <stdlib.h>
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

/* ---- How it goes on ---- */

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

/* ---- How it ended ---- */

static const char *outcome(const mpi_answer *a)
{
  return perp_outcome_name(a->solved                ? PERP_SOLVED
                           : !isfinite(a->residual) ? PERP_NON_FINITE
                           : a->timed_out           ? PERP_TIME_LIMIT
                           : a->stagnated           ? PERP_STAGNATED
                                                    : PERP_ITERATION_LIMIT);
}

/* A text between quotes. */
static void quote(const char *text)
{
  putchar('"');
  for (; *text; text++)
    if ((unsigned char)*text < 32)
      printf("\\u%04x", (unsigned)*text);
    else
      printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  putchar('"');
}

/* A number; JSON has none that are not finite. */
static void number(const char *name, double value)
{
  if (isfinite(value))
    printf("  \"%s\": %.17g,\n", name, value);
  else
    printf("  \"%s\": null,\n", name);
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
  printf("{\n  \"method\": \"%s\",\n  \"problem\": ", a->method);
  quote(request->where);
  printf(",\n  \"n\": %lld,\n  \"operator\": \"%s\",\n  \"ranks\": %d,\n", (long long)a->n,
         a->operator, a->ranks);
  printf("  \"outcome\": \"%s\",\n  \"solved\": %s,\n", outcome(a), a->solved ? "true" : "false");
  number("residual", a->residual / a->scale);
  number("residual_absolute", a->residual);
  number("scale", a->scale);
  printf("  \"tol\": %.17g,\n  \"iterations\": %d,\n  \"seconds\": %.6f,\n", request->tol,
         a->cycles, a->seconds_setup + a->seconds_solve);
  printf("  \"processor_seconds\": %.6f,\n", a->processor_seconds);
  printf("  \"compute_seconds\": %.6f,\n  \"exchanges\": %.0f,\n  \"reductions\": %.0f,\n",
         a->compute_seconds, a->exchanges, a->reductions);
  printf("  \"bytes_received\": %.0f,\n", a->bytes_received);
  printf("  \"seconds_make\": %.6f,\n  \"seconds_setup\": %.6f,\n  \"seconds_solve\": %.6f,\n",
         a->seconds_make, a->seconds_setup, a->seconds_solve);
  printf("  \"bytes_most\": %.0f,\n  \"bytes_peak\": %.0f,\n", a->bytes_most, a->bytes_peak);
  printf("  \"message\": \"%s\",\n  \"out\": ", message);
  if (request->out)
    quote(request->out);
  else
    printf("null");
  printf("\n}\n");
}

perp_error mpi_report(const mpi_request *request, const mpi_answer *a, perp_message *why)
{
  print(request, a);
  /* now: mpirun may end this rank as soon as another one has returned 1 */
  if (!fflush(stdout) && !ferror(stdout))
    return PERP_OK;
  snprintf(why->text, sizeof why->text, "standard output cannot be written");
  return PERP_ERROR_FILE;
}
