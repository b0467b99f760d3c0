/* serve.cpp: the program of a peer: reads a problem, then solves it for each request
 *
 * The time covers the same work as a call of perp, which leaves A and b unchanged and checks x: data
 * that the call overwrites is copied, the library is called, and the natural residual of its x is
 * computed, here in double precision. It is the CPU time of a batch; a batch without the calls is timed
 * too, which gives the time of the calls. */
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

static bool receive(Rows &a, std::size_t rows, std::int64_t entries)
{
  const std::size_t count = static_cast<std::size_t>(entries);
  return receive(a.start, rows + 1) && receive(a.column, count) && receive(a.value, count);
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

static double cpu_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* Tests an x: |x_i - P_K(x - y)_i| at most, y = A x + b, as perp_problem_judge defines it. */
class Test
{
public:
  explicit Test(const Problem &problem)
      : p(problem), dense(!p.A.empty() && 2 * p.value.size() >= p.A.size()),
        y(static_cast<std::size_t>(p.n)), x(y.size())
  {
  }
  double residual()
  {
    multiply();
    const std::size_t n = x.size(), contacts = static_cast<std::size_t>(p.cones);
    double worst = 0;
    for (std::size_t c = 0; c < contacts && !p.rolling; c++)
      worst = std::fmax(worst, cone(p.mu[c], &x[3 * c], &y[3 * c]));
    for (std::size_t c = 0; c < contacts && p.rolling; c++) /* a bound: the discs one by one */
      for (std::size_t k = 0; k < 2; k++) {
        const double a[3] = {x[5 * c], x[5 * c + 2 * k + 1], x[5 * c + 2 * k + 2]};
        const double u[3] = {y[5 * c], y[5 * c + 2 * k + 1], y[5 * c + 2 * k + 2]};
        worst = std::fmax(worst, cone(p.mu[5 * c + 3 * k], a, u));
      }
    for (std::size_t i = (p.rolling ? 5 : 3) * contacts; i < n; i++) {
      const int j = p.findex[i];
      const double normal = j < 0 ? 1 : std::fabs(x[static_cast<std::size_t>(j)]);
      const double below = x[i] - p.lo[i] * normal, above = x[i] - p.hi[i] * normal;
      const double r = std::fabs(y[i] > below ? below : y[i] < above ? above : y[i]);
      worst = r > worst ? r : worst;
    }
    return worst;
  }

private:
  /* y = A x + b, in four sums, which the compiler turns into vectors */
  void multiply()
  {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; i++) {
      const std::size_t begin = static_cast<std::size_t>(p.start[i]);
      const double *a = dense ? &p.A[i * n] : p.value.data() + begin;
      const std::size_t count = dense ? n : static_cast<std::size_t>(p.start[i + 1]) - begin;
      double sum[4] = {p.b[i], 0, 0, 0};
      std::size_t k = 0;
      if (dense) {
        for (; k + 4 <= count; k += 4)
          for (std::size_t lane = 0; lane < 4; lane++)
            sum[lane] += a[k + lane] * x[k + lane];
        for (; k < count; k++)
          sum[0] += a[k] * x[k];
      } else {
        const int *column = p.column.data() + begin;
        for (; k < count; k++)
          sum[0] += a[k] * x[static_cast<std::size_t>(column[k])];
      }
      y[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
  }
  /* De Saxce's form: y_n is raised by mu |(y_t, y_o)| */
  static double cone(double mu, const double *x, const double *y)
  {
    const double u[3] = {y[0] + mu * std::hypot(y[1], y[2]), y[1], y[2]};
    double z[3] = {x[0] - u[0], x[1] - u[1], x[2] - u[2]};
    const double s = std::hypot(z[1], z[2]);
    if (mu * s <= -z[0]) {
      z[0] = z[1] = z[2] = 0;
    } else if (s > mu * z[0]) {
      const double normal = (z[0] + mu * s) / (1 + mu * mu);
      z[0] = normal;
      z[1] *= mu * normal / s;
      z[2] *= mu * normal / s;
    }
    return std::fmax(std::fabs(x[0] - z[0]),
                     std::fmax(std::fabs(x[1] - z[1]), std::fabs(x[2] - z[2])));
  }

  const Problem &p;
  bool dense;
  std::vector<double> y;

public:
  std::vector<double> x;
};

static peer_reply solve_batch(Peer &peer, Test &test, int batch, std::vector<double> &x)
{
  static volatile double sink; /* so that the compiler leaves the test where it is */
  double began = cpu_seconds();
  for (int k = 0; k < batch; k++) {
    peer.load();
    peer.solve();
    peer.answer(test.x.data());
    sink = test.residual();
  }
  const double spent = cpu_seconds() - began;
  const bool gave_up = peer.gave_up();
  x = test.x;
  began = cpu_seconds();
  for (int k = 0; k < batch; k++) {
    peer.load();
    peer.answer(test.x.data());
    sink = test.residual();
  }
  const double around = cpu_seconds() - began;
  (void)sink;
  return {spent / batch, (spent - around) / batch, gave_up};
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

/* The solvers of game engines take only boxes that contain 0: they get the problem of x - s, where s is
 * the point of the box nearest to 0. Returns s. */
static std::vector<double> shift(Problem &p)
{
  const std::size_t n = static_cast<std::size_t>(p.n);
  std::vector<double> s(n, 0);
  for (std::size_t i = (p.rolling ? 5u : 3u) * static_cast<std::size_t>(p.cones); i < n; i++)
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
      !receive(problem.mu, static_cast<std::size_t>(header.cones) * (header.rolling ? 5 : 1)))
    return EXIT_FAILURE;
  problem.rolling = header.rolling != 0;
  problem.velocities = header.velocities;
  if (header.velocities > 0 &&
      (!receive(problem.M, static_cast<std::size_t>(header.velocities), header.M_entries) ||
       !receive(problem.J, n, header.J_entries)))
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
  Test test(problem);
  std::vector<double> x(n);
  while (receive(&request, sizeof request)) {
    peer->aim(request.tol);
    const peer_reply reply = solve_batch(*peer, test, request.batch, x);
    for (std::size_t i = 0; i < n; i++)
      x[i] += from[i];
    if (!send(out, &reply, sizeof reply) || !send(out, x.data(), n * sizeof(double)))
      return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
