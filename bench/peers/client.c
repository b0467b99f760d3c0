/* client.c: starts the program of a peer, and talks to it over two pipes */
#define _POSIX_C_SOURCE 200809L
#include "peers/client.h"

#include "bench.h"
#include "peers/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(peer *p, peer_state state)
{
  if (p->state == PEER_ALIVE) {
    kill(p->process, SIGKILL);
    waitpid(p->process, NULL, 0);
    close(p->to);
    close(p->from);
  }
  p->state = state;
}

/* Seconds without reading after which a peer is considered hung. */
static const double patience = 20;

static void send_bytes(peer *p, const void *data, size_t bytes)
{
  const char *at = data;
  while (p->state == PEER_ALIVE && bytes > 0) {
    struct pollfd ready = {.fd = p->to, .events = POLLOUT};
    const int seen = poll(&ready, 1, (int)(1e3 * patience));
    const ssize_t sent = seen > 0 ? write(p->to, at, bytes) : -1;
    if (sent > 0) {
      at += sent;
      bytes -= (size_t)sent;
    } else if (seen == 0 || !(sent < 0 && (errno == EAGAIN || errno == EINTR))) {
      fail(p, seen == 0 ? PEER_LATE : PEER_CRASHED);
    }
  }
}

static void receive_bytes(peer *p, void *data, size_t bytes, double deadline)
{
  char *at = data;
  while (p->state == PEER_ALIVE && bytes > 0) {
    struct pollfd ready = {.fd = p->from, .events = POLLIN};
    const double left = deadline - bench_now();
    if (left <= 0 || poll(&ready, 1, (int)(1e3 * left) + 1) == 0) {
      fail(p, PEER_LATE);
      return;
    }
    const ssize_t got = read(p->from, at, bytes);
    if (got <= 0) {
      fail(p, PEER_CRASHED);
    } else {
      at += got;
      bytes -= (size_t)got;
    }
  }
}

static void launch(peer *p, const char *path, const char *method)
{
  int to[2], from[2];
  if (pipe(to) || pipe(from))
    bench_die("no pipe for %s", path);
  signal(SIGPIPE, SIG_IGN); /* a peer that is gone is seen by write */
  p->process = fork();
  if (p->process < 0)
    bench_die("no process for %s", path);
  if (p->process == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    close(to[0]);
    close(to[1]);
    close(from[0]);
    close(from[1]);
    execl(path, path, method, (char *)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  p->to = to[1];
  fcntl(p->to, F_SETFL, O_NONBLOCK);
  p->from = from[0];
  p->state = PEER_ALIVE;
}

bool peer_exists(const char *folder, const char *program)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, program);
  return access(path, X_OK) == 0;
}

static void send_rows(peer *p, size_t rows, const int64_t *start, const int *column,
                      const double *value)
{
  const size_t entries = (size_t)start[rows];
  send_bytes(p, start, (rows + 1) * sizeof *start);
  send_bytes(p, column, entries * sizeof *column);
  send_bytes(p, value, entries * sizeof *value);
}

bool peer_has_mass(const perp_problem *problem, perp_contact_data *data)
{
  perp_contact_data own = perp_contact_data_default();
  if (perp_operator_contact_source(problem->A, data) || !data->M_start ||
      perp_operator_contact_data(problem->A, &own))
    return false;
  bool without = true;
  for (int64_t e = 0; own.C_start && e < own.C_start[own.rows]; e++)
    without = without && own.C_value[e] == 0;
  return without;
}

bool peer_rolls(const perp_problem *problem)
{
  const perp_set *K = &problem->K;
  for (int c = 0; c < K->cones && K->dim; c++)
    if (K->dim[c] != 5 || !K->law || K->law[c] != PERP_FRICTION_DISCS)
      return false;
  return K->dim != NULL;
}

void peer_start(peer *p, const char *folder, const char *program, const char *method,
                const perp_problem *problem)
{
  const size_t n = (size_t)problem->K.n;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, program);
  *p = (peer){.state = PEER_ABSENT, .n = problem->K.n};
  if (!peer_exists(folder, program))
    return;
  double *bounds = malloc(2 * n * sizeof *bounds);
  int *findex = malloc(n * sizeof *findex);
  perp_operator *csr = NULL;
  if (!bounds || !findex || perp_operator_to_csr(problem->A, 0, &csr, NULL))
    bench_die("no memory to hand %zu rows to a peer", n);
  for (size_t i = 0; i < n; i++) {
    bounds[i] = problem->K.lo ? problem->K.lo[i] : 0;
    bounds[n + i] = problem->K.hi ? problem->K.hi[i] : INFINITY;
    findex[i] = problem->K.findex ? problem->K.findex[i] : -1;
  }
  launch(p, path, method);
  const int64_t *start;
  const int *column;
  const double *value;
  perp_operator_csr_arrays(csr, &start, &column, &value);
  const size_t entries = (size_t)start[n];
  perp_contact_data global = perp_contact_data_default();
  const bool has_mass = peer_has_mass(problem, &global);
  const size_t m = has_mass ? (size_t)global.velocities : 0;
  const peer_header header = {.n = problem->K.n,
                              .cones = problem->K.cones,
                              .entries = start[n],
                              .rolling = problem->K.dim != NULL,
                              .velocities = (int)m,
                              .M_entries = has_mass ? global.M_start[m] : 0,
                              .J_entries = has_mass ? global.J_start[n] : 0};
  send_bytes(p, &header, sizeof header);
  send_bytes(p, start, (n + 1) * sizeof *start);
  send_bytes(p, column, entries * sizeof *column);
  send_bytes(p, value, entries * sizeof *value);
  send_bytes(p, problem->b, n * sizeof *problem->b);
  send_bytes(p, bounds, 2 * n * sizeof *bounds);
  send_bytes(p, findex, n * sizeof *findex);
  send_bytes(p, problem->K.mu,
             (size_t)problem->K.cones * (problem->K.dim ? 5 : 1) * sizeof(double));
  if (has_mass) {
    send_rows(p, m, global.M_start, global.M_column, global.M_value);
    send_rows(p, n, global.J_start, global.J_column, global.J_value);
  }
  free(bounds);
  free(findex);
  perp_operator_destroy(csr);
}

bool peer_solve(peer *p, int batch, double tol, double limit, double *seconds, double *call,
                double *x, bool *gave_up)
{
  peer_reply reply = {0};
  const double deadline = bench_now() + limit;
  peer_request request;
  memset(&request, 0, sizeof request); /* the gap between its fields too */
  request.batch = batch;
  request.tol = tol;
  send_bytes(p, &request, sizeof request);
  receive_bytes(p, &reply, sizeof reply, deadline);
  receive_bytes(p, x, (size_t)p->n * sizeof *x, deadline);
  *seconds = reply.seconds;
  if (call)
    *call = reply.call;
  *gave_up = reply.gave_up;
  return p->state == PEER_ALIVE;
}

void peer_stop(peer *p)
{
  fail(p, PEER_ABSENT);
}

const char *peer_state_name(peer_state state)
{
  static const char *const names[] = {"alive", "not installed", "crashed", "over the time limit"};
  return names[state];
}
