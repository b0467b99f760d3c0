/* qp_client.c: writes the program to a file, runs the peer, and reads its answer (qp_serve.cpp) */
#define _POSIX_C_SOURCE 200809L
#include "peers/qp_client.h"

#include "bench.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t qp_row_start(const perp_qp *qp, int i)
{
  return qp->G_start ? qp->G_start[i] : i * (qp->G_stride > 0 ? qp->G_stride : qp->n);
}

int64_t qp_row_end(const perp_qp *qp, int i)
{
  return qp->G_start ? qp->G_start[i + 1] : qp_row_start(qp, i) + qp->n;
}

int qp_column_of(const perp_qp *qp, int i, int64_t e)
{
  return qp->G_start ? qp->G_column[e] : (int)(e - qp_row_start(qp, i));
}

bool qp_peer_exists(const char *folder, const char *program)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, program);
  return access(path, X_OK) == 0;
}

static void put(FILE *file, const void *data, size_t size, size_t count)
{
  if (count > 0 && fwrite(data, size, count, file) != count)
    bench_die("no room for a quadratic program in %s", "/tmp");
}

/* Writes a vector; NULL: n times the value `missing`. */
static void put_vector(FILE *file, const double *v, int n, double missing)
{
  if (v)
    put(file, v, sizeof *v, (size_t)n);
  for (int i = 0; i < n && !v; i++)
    put(file, &missing, sizeof missing, 1);
}

/* Writes G as compressed rows, also if it is dense or has no rows. */
static void put_rows(FILE *file, const perp_qp *qp)
{
  int64_t start = 0;
  put(file, &start, sizeof start, 1);
  for (int i = 0; i < qp->m; i++) {
    start += qp_row_end(qp, i) - qp_row_start(qp, i);
    put(file, &start, sizeof start, 1);
  }
  for (int i = 0; i < qp->m; i++)
    for (int64_t e = qp_row_start(qp, i); e < qp_row_end(qp, i); e++) {
      const int column = qp_column_of(qp, i, e);
      put(file, &column, sizeof column, 1);
    }
  for (int i = 0; i < qp->m; i++)
    put(file, qp->G_value + qp_row_start(qp, i), sizeof *qp->G_value,
        (size_t)(qp_row_end(qp, i) - qp_row_start(qp, i)));
}

static bool write_program(const char *path, const perp_qp *qp)
{
  perp_operator *csr = NULL;
  const int64_t *start;
  const int *column = NULL;
  const double *value = NULL;
  FILE *file = fopen(path, "wb");
  int64_t *none = calloc((size_t)qp->n + 1, sizeof *none); /* P = 0 */
  start = none;
  if (!file || !none ||
      (qp->P && (perp_operator_to_csr(qp->P, 0, &csr, NULL) ||
                 perp_operator_csr_arrays(csr, &start, &column, &value)))) {
    free(none);
    if (file)
      fclose(file);
    return false;
  }
  const int size[2] = {qp->n, qp->m};
  put(file, size, sizeof size, 1);
  put(file, start, sizeof *start, (size_t)qp->n + 1);
  put(file, column, sizeof *column, (size_t)start[qp->n]);
  put(file, value, sizeof *value, (size_t)start[qp->n]);
  put_rows(file, qp);
  put_vector(file, qp->q, qp->n, 0);
  put_vector(file, qp->l, qp->m, -INFINITY);
  put_vector(file, qp->u, qp->m, INFINITY);
  put_vector(file, qp->lb, qp->n, -INFINITY);
  put_vector(file, qp->ub, qp->n, INFINITY);
  perp_operator_destroy(csr);
  free(none);
  return fclose(file) == 0;
}

/* The exit status of the child, or -1 if it had to be ended. */
static int wait_for(pid_t child, double limit)
{
  const double end = bench_now() + limit;
  for (;;) {
    int status;
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (bench_now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
}

static const char *run(const char *path, const char *method, const char *program, double tol,
                       int repeat, double limit, const char *reply)
{
  char tol_text[32], repeat_text[16];
  snprintf(tol_text, sizeof tol_text, "%.17g", tol);
  snprintf(repeat_text, sizeof repeat_text, "%d", repeat);
  const pid_t child = fork();
  if (child < 0)
    return "no process";
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl(path, path, method, program, tol_text, repeat_text, reply, (char *)NULL);
    _exit(127);
  }
  const int status = wait_for(child, limit);
  return status == 0 ? NULL : status < 0 ? "time-limit" : "crashed";
}

const char *qp_peer_solve(const char *folder, const char *program, const char *method,
                          const perp_qp *qp, double tol, int repeat, double limit, double *seconds,
                          double *x, double *z, double *w)
{
  char path[4096], in[] = "/tmp/perp-qp-XXXXXX", out[] = "/tmp/perp-qp-XXXXXX";
  snprintf(path, sizeof path, "%s/%s", folder, program);
  const int in_file = mkstemp(in), out_file = mkstemp(out);
  const char *failed = "no file";
  if (in_file >= 0 && out_file >= 0 && write_program(in, qp))
    failed = run(path, method, in, tol, repeat, limit, out);
  if (!failed) {
    FILE *file = fopen(out, "rb");
    double head[2];
    const size_t n = (size_t)qp->n, m = (size_t)qp->m;
    const bool fine = file && fread(head, sizeof head, 1, file) == 1 &&
                      fread(x, sizeof *x, n, file) == n && fread(z, sizeof *z, m, file) == m &&
                      fread(w, sizeof *w, n, file) == n;
    *seconds = fine ? head[0] : INFINITY;
    failed = fine ? NULL : "no answer";
    if (file)
      fclose(file);
  }
  if (in_file >= 0) {
    close(in_file);
    unlink(in);
  }
  if (out_file >= 0) {
    close(out_file);
    unlink(out);
  }
  return failed;
}
