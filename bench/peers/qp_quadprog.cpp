/* qp_quadprog.cpp: quadprog of R (Turlach and Weingessel), the dual method of Goldfarb and Idnani
 * (1983), on a quadratic program
 *
 * `dual` takes the program as it is, and gives up unless P is positive definite; `shifted` adds
 * tol/10 of the largest P_ii to the diagonal, as its users do.
 *
 * Its Fortran routine is called without R: minimise 1/2 x'D x - d'x subject to C'x >= c, the first
 * of which are equations; D must be positive definite. Matrices are dense, and to write them is part
 * of the time. Each finite bound is a column of C, and x = D^-1 (d + C lagr) with its multipliers:
 * the routine turns the sign of a column whose equation needs it. */
#include "peers/qp_peer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

extern "C" void qpgen2_(double *D, double *d, const int *rows_D, const int *n, double *x,
                        double *lagr, double *value, double *C, double *c, const int *rows_C,
                        const int *count, const int *equations, int *active, int *active_count,
                        int *iterations, double *work, int *error);

namespace
{

typedef std::size_t Place;

/* A column of C: sign * row i of G (or of the identity) */
struct Column {
  bool of_G;
  Place row;
  double sign, bound;
};

std::vector<Column> columns_of(const QuadraticProgram &p, int &equations)
{
  std::vector<Column> equal, rest;
  auto add = [&](bool of_G, Place i, double low, double high) {
    if (low == high) {
      equal.push_back({of_G, i, 1, low});
      return;
    }
    if (std::isfinite(low))
      rest.push_back({of_G, i, 1, low});
    if (std::isfinite(high))
      rest.push_back({of_G, i, -1, -high});
  };
  for (Place i = 0; i < static_cast<Place>(p.m); i++)
    add(true, i, p.l[i], p.u[i]);
  for (Place i = 0; i < static_cast<Place>(p.n); i++)
    add(false, i, p.lb[i], p.ub[i]);
  equations = static_cast<int>(equal.size());
  equal.insert(equal.end(), rest.begin(), rest.end());
  return equal;
}

void write_columns(const QuadraticProgram &p, const std::vector<Column> &all,
                   std::vector<double> &C, std::vector<double> &c)
{
  const Place n = static_cast<Place>(p.n);
  for (Place j = 0; j < all.size(); j++) {
    const Column &a = all[j];
    c[j] = a.bound;
    if (!a.of_G)
      C[a.row + n * j] = a.sign;
    for (std::int64_t k = a.of_G ? p.G.start[a.row] : 0; a.of_G && k < p.G.start[a.row + 1]; k++)
      C[static_cast<Place>(p.G.column[static_cast<Place>(k)]) + n * j] +=
          a.sign * p.G.value[static_cast<Place>(k)];
  }
}

/* P, dense, and its largest diagonal number */
double write_matrix(const QuadraticProgram &p, std::vector<double> &D)
{
  const Place n = static_cast<Place>(p.n);
  double largest = 0;
  for (Place i = 0; i < n; i++) {
    for (std::int64_t k = p.P.start[i]; k < p.P.start[i + 1]; k++)
      D[i + n * static_cast<Place>(p.P.column[static_cast<Place>(k)])] +=
          p.P.value[static_cast<Place>(k)];
    largest = std::max(largest, D[i + n * i]);
  }
  return largest;
}

} // namespace

bool solve_qp(const char *method, const QuadraticProgram &p, double tol, QuadraticAnswer &answer)
{
  const bool shifted = std::strcmp(method, "shifted") == 0;
  if (!shifted && std::strcmp(method, "dual") != 0)
    return false;
  const Place n = static_cast<Place>(p.n);
  int equations = 0;
  const std::vector<Column> all = columns_of(p, equations);
  const Place count = all.size(), least = std::min(n, count);
  std::vector<double> D(n * n), d(n), C(n * std::max<Place>(count, 1)), c(count + 1);
  std::vector<double> lagr(count + 1), work(2 * n + least * (least + 5) / 2 + 2 * count + 1);
  const double largest = write_matrix(p, D), shift = shifted ? 0.1 * tol * largest : 0;
  for (Place i = 0; i < n; i++) {
    d[i] = -p.q[i];
    D[i + n * i] += shift;
  }
  write_columns(p, all, C, c);
  const std::vector<double> given(C);
  std::vector<int> active(count + 1);
  const int columns = static_cast<int>(count);
  int active_count = 0, iterations[2] = {0, 0}, error = 0;
  double value = 0;
  answer.x.assign(n, 0);
  answer.z.assign(static_cast<Place>(p.m), 0);
  answer.w.assign(n, 0);
  qpgen2_(D.data(), d.data(), &p.n, &p.n, answer.x.data(), lagr.data(), &value, C.data(), c.data(),
          &p.n, &columns, &equations, active.data(), &active_count, iterations, work.data(),
          &error);
  for (Place j = 0; j < count; j++) {
    const bool turned = !std::equal(&C[n * j], &C[n * j] + n, &given[n * j]);
    (all[j].of_G ? answer.z : answer.w)[all[j].row] -= all[j].sign * (turned ? -lagr[j] : lagr[j]);
  }
  answer.gave_up = error != 0;
  return true;
}
