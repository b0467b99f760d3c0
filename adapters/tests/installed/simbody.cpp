/* simbody.cpp: one solve as Simbody calls it, against an installed perp */
#include <perp/simbody.hpp>

#include <cstdio>

int main()
{
  perp::SimbodySolver solver;
  SimTK::Array_<SimTK::MultiplierIndex> rows;
  rows.push_back(SimTK::MultiplierIndex(0));
  rows.push_back(SimTK::MultiplierIndex(1));
  SimTK::Matrix A(2, 2, 1.0);
  A(0, 0) = A(1, 1) = 2;
  SimTK::Vector rhs(2, 4.0), pi;
  rhs[1] = 5;
  const bool solved = solver.solveBilateral(rows, A, SimTK::Vector(), rhs, pi);
  const bool good = solved && std::fabs(pi[0] - 1) < 1e-6 && std::fabs(pi[1] - 2) < 1e-6;
  std::printf("%s, pi = (%g, %g)\n", good ? "solved" : "not solved", pi[0], pi[1]);
  return !good;
}
