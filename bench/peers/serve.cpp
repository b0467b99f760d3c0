/* serve.cpp: the program of a peer: reads a problem, then solves it as often as it is asked to
 *
 * The time is that of the processor, of a batch of loads and solves less that of as many loads,
 * so that small problems are timed without the clock. */
#include "peers/peer.hpp"
#include "peers/protocol.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

static bool receive(void *data, std::size_t bytes)
{
  char *at = static_cast<char *>(data);
  while (bytes > 0) {
    const ssize_t got = read(STDIN_FILENO, at, bytes);
    if (got <= 0)
      return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

template <typename T> static bool receive(std::vector<T> &values, std::size_t count)
{
  values.resize(count);
  return receive(values.data(), count * sizeof(T));
}

static bool send(int file, const void *data, std::size_t bytes)
{
  const char *at = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t sent = write(file, at, bytes);
    if (sent <= 0)
      return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

static double processor_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

static double solve_batch(Peer &peer, int batch)
{
  double began = processor_seconds();
  for (int k = 0; k < batch; k++)
    peer.load();
  const double loads = processor_seconds() - began;
  began = processor_seconds();
  for (int k = 0; k < batch; k++) {
    peer.load();
    peer.solve();
  }
  return (processor_seconds() - began - loads) / batch;
}

static void fill(Problem &p)
{
  const std::size_t n = static_cast<std::size_t>(p.n);
  p.A.assign(n * n, 0);
  for (std::size_t i = 0; i < n; i++)
    for (std::int64_t k = p.start[i]; k < p.start[i + 1]; k++) {
      const std::size_t at = static_cast<std::size_t>(k);
      p.A[i * n + static_cast<std::size_t>(p.column[at])] = p.value[at];
    }
}

/* The solvers of game engines take boxes with 0 in them alone: they are handed the problem of
 * x - s, s the point of the box nearest to 0. Returns s. */
static std::vector<double> shift(Problem &p)
{
  const std::size_t n = static_cast<std::size_t>(p.n);
  std::vector<double> s(n, 0);
  for (std::size_t i = 3 * static_cast<std::size_t>(p.cones); i < n; i++)
    if (p.findex[i] < 0)
      s[i] = std::fmin(std::fmax(0, p.lo[i]), p.hi[i]);
  for (std::size_t i = 0; i < n; i++) {
    p.lo[i] -= s[i];
    p.hi[i] -= s[i];
    for (std::int64_t k = p.start[i]; k < p.start[i + 1]; k++) {
      const std::size_t at = static_cast<std::size_t>(k);
      p.b[i] += p.value[at] * s[static_cast<std::size_t>(p.column[at])];
    }
  }
  return s;
}

int main(int count, char **arguments)
{
  if (count > 1 && std::string(arguments[1]) == "--version") {
    std::puts(peer_version());
    return EXIT_SUCCESS;
  }
  /* libraries print: the pipe is kept for what is ours */
  const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);

  peer_header header;
  Problem problem;
  if (count < 2 || !receive(&header, sizeof header))
    return EXIT_FAILURE;
  problem.n = header.n;
  problem.cones = header.cones;
  const std::size_t n = static_cast<std::size_t>(header.n);
  const std::size_t entries = static_cast<std::size_t>(header.entries);
  if (!receive(problem.start, n + 1) || !receive(problem.column, entries) ||
      !receive(problem.value, entries) || !receive(problem.b, n) || !receive(problem.lo, n) ||
      !receive(problem.hi, n) || !receive(problem.findex, n) ||
      !receive(problem.mu, static_cast<std::size_t>(header.cones)))
    return EXIT_FAILURE;
  std::vector<double> from(n, 0);
  if (!takes_sparse()) {
    from = shift(problem);
    fill(problem);
  }
  const std::unique_ptr<Peer> peer = make_peer(arguments[1], problem);
  if (!peer)
    return EXIT_FAILURE;

  peer_request request;
  std::vector<double> x(n);
  while (receive(&request, sizeof request)) {
    peer->aim(request.tol);
    const double seconds = solve_batch(*peer, request.batch);
    const peer_reply reply = {seconds, peer->gave_up()};
    for (int i = 0; i < problem.n; i++)
      x[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(i)] + peer->solution(i);
    if (!send(out, &reply, sizeof reply) || !send(out, x.data(), n * sizeof(double)))
      return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
