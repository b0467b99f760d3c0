/* dart.cpp: one solve as DART calls it, against an installed perp */
#include <perp/dart.hpp>

#include <cstdio>

int main()
{
  perp::DartSolver solver;
  double A[8] = {2, 1, 0, 0, 1, 2, 0, 0}, x[2] = {0, 0}, b[2] = {4, 5}, lo[2] = {0, 0},
         hi[2] = {1e9, 1e9};
  int findex[2] = {-1, -1};
  const bool solved = solver.solve(2, A, x, b, 0, lo, hi, findex, true);
  const bool good = solved && std::fabs(x[0] - 1) < 1e-6 && std::fabs(x[1] - 2) < 1e-6;
  std::printf("%s, x = (%g, %g)\n", good ? "solved" : "not solved", x[0], x[1]);
  return !good;
}
