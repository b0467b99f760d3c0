/* qp_serve.cpp: the main program of a peer for quadratic programs
 *
 *   PEER METHOD PROGRAM TOL REPEAT ANSWER
 *
 * reads the program from one file and writes the answer to another: CPU seconds, the median of
 * REPEAT solves, whether it gave up, x, z and w. Both files are numbers as they are in memory. */
#include "peers/qp_peer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace
{

template <class T> bool read(std::FILE *file, std::vector<T> &to, std::size_t count)
{
  to.resize(count);
  return count == 0 || std::fread(to.data(), sizeof(T), count, file) == count;
}

bool read_rows(std::FILE *file, Rows &rows, int count)
{
  if (!read(file, rows.start, static_cast<std::size_t>(count) + 1))
    return false;
  const std::size_t entries = static_cast<std::size_t>(rows.start.back());
  return read(file, rows.column, entries) && read(file, rows.value, entries);
}

bool read_program(const char *path, QuadraticProgram &p)
{
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    return false;
  int size[2] = {0, 0};
  bool fine = std::fread(size, sizeof size, 1, file) == 1;
  p.n = size[0];
  p.m = size[1];
  const std::size_t n = static_cast<std::size_t>(p.n), m = static_cast<std::size_t>(p.m);
  fine = fine && read_rows(file, p.P, p.n) && read_rows(file, p.G, p.m) && read(file, p.q, n) &&
         read(file, p.l, m) && read(file, p.u, m) && read(file, p.lb, n) && read(file, p.ub, n);
  std::fclose(file);
  return fine;
}

double processor()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

int main(int argc, char **argv)
{
  QuadraticProgram p;
  if (argc != 6 || !read_program(argv[2], p))
    return 2;
  const double tol = std::atof(argv[3]);
  const int repeat = std::atoi(argv[4]);
  QuadraticAnswer answer;
  std::vector<double> seconds;
  for (int k = 0; k < repeat; k++) {
    const double began = processor();
    if (!solve_qp(argv[1], p, tol, answer))
      return 2;
    seconds.push_back(processor() - began);
  }
  std::sort(seconds.begin(), seconds.end());
  std::FILE *file = std::fopen(argv[5], "wb");
  if (!file)
    return 2;
  const double head[2] = {seconds[seconds.size() / 2], answer.gave_up ? 1.0 : 0.0};
  std::fwrite(head, sizeof head, 1, file);
  for (const std::vector<double> *v : {&answer.x, &answer.z, &answer.w})
    std::fwrite(v->data(), sizeof(double), v->size(), file);
  return std::fclose(file) == 0 ? 0 : 2;
}
