/* report.c: how a solve of perp-mpi goes on, and how it ended, in words or as JSON */
#define _POSIX_C_SOURCE 200809L
#include "backend/petsc/mpi/mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void mpi_progress(MPI_Comm comm, int iteration, double residual)
{
  int rank;
  if (!MPI_Comm_rank(comm, &rank) && rank == 0 && (isatty(2) || getenv("PERP_MPI_PROGRESS")))
    fprintf(stderr, "iteration %d: natural residual %.3e\n", iteration, residual);
}

static const char *outcome(const mpi_answer *a)
{
  return a->solved ? "solved" : a->stagnated ? "stagnated" : "iteration limit";
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
  printf("  \"residual\": %.17g,\n  \"residual_absolute\": %.17g,\n  \"scale\": %.17g,\n",
         a->residual / a->scale, a->residual, a->scale);
  printf("  \"tol\": %.17g,\n  \"iterations\": %d,\n  \"seconds\": %.6f,\n", request->tol,
         a->cycles, a->seconds_setup + a->seconds_solve);
  printf("  \"processor_seconds\": %.6f,\n", a->processor_seconds);
  printf("  \"compute_seconds\": %.6f,\n  \"exchanges\": %.0f,\n  \"reductions\": %.0f,\n",
         a->compute_seconds, a->exchanges, a->reductions);
  printf("  \"bytes_received\": %.0f,\n", a->bytes_received);
  printf("  \"seconds_make\": %.6f,\n  \"seconds_setup\": %.6f,\n  \"seconds_solve\": %.6f,\n",
         a->seconds_make, a->seconds_setup, a->seconds_solve);
  printf("  \"bytes_most\": %.0f,\n  \"message\": \"%s\",\n  \"out\": ", a->bytes_most, message);
  if (request->out)
    quote(request->out);
  else
    printf("null");
  printf("\n}\n");
}

void mpi_report(const mpi_request *request, const mpi_answer *a)
{
  print(request, a);
  fflush(stdout); /* mpirun may end this rank as soon as another one has returned 1 */
}
