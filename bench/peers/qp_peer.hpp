/* qp_peer.hpp: a quadratic program for a solver of another library
 *
 *   minimise 1/2 x'P x + q'x   subject to   l <= G x <= u,   lb <= x <= ub
 *
 * Infinite bounds are infinities. z and w have the signs of <perp/qp.h>. */
#pragma once

#include <cstdint>
#include <vector>

struct Rows {
  std::vector<std::int64_t> start;
  std::vector<int> column;
  std::vector<double> value;
};

struct QuadraticProgram {
  int n, m;
  Rows P, G; /* P: all its entries */
  std::vector<double> q, l, u, lb, ub;
};

struct QuadraticAnswer {
  std::vector<double> x, z, w;
  bool gave_up = false;
};

/* Solves from the arrays to the answer; the whole call is timed. Returns false for an unknown method. */
bool solve_qp(const char *method, const QuadraticProgram &p, double tol, QuadraticAnswer &answer);
