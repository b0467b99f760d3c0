/* qp_ipopt.cpp: Ipopt on a quadratic program
 *
 * `default` has its own barrier rule, `mehrotra` the predictor and corrector that its manual names for
 * convex quadratic programs. Both have the options that Hessian and Jacobian are constant and that
 * bounds are not widened. */
#include "peers/qp_peer.hpp"

#include <IpStdCInterface.h>
#include <cmath>
#include <cstring>

namespace
{

typedef std::size_t Place;

void multiply(const Rows &A, int rows, const double *x, double *y)
{
  for (Place i = 0; i < static_cast<Place>(rows); i++) {
    double sum = 0;
    for (std::int64_t k = A.start[i]; k < A.start[i + 1]; k++)
      sum += A.value[static_cast<Place>(k)] * x[A.column[static_cast<Place>(k)]];
    y[i] = sum;
  }
}

const QuadraticProgram &program(UserDataPtr data)
{
  return *static_cast<const QuadraticProgram *>(data);
}

Bool objective(Index n, Number *x, Bool, Number *f, UserDataPtr data)
{
  const QuadraticProgram &p = program(data);
  std::vector<double> y(static_cast<Place>(n));
  multiply(p.P, n, x, y.data());
  *f = 0;
  for (Place i = 0; i < y.size(); i++)
    *f += x[i] * (0.5 * y[i] + p.q[i]);
  return TRUE;
}

Bool gradient(Index n, Number *x, Bool, Number *g, UserDataPtr data)
{
  const QuadraticProgram &p = program(data);
  multiply(p.P, n, x, g);
  for (Place i = 0; i < static_cast<Place>(n); i++)
    g[i] += p.q[i];
  return TRUE;
}

Bool constraints(Index, Number *x, Bool, Index m, Number *g, UserDataPtr data)
{
  multiply(program(data).G, m, x, g);
  return TRUE;
}

Bool jacobian(Index, Number *, Bool, Index m, Index, Index *rows, Index *columns, Number *values,
              UserDataPtr data)
{
  const Rows &G = program(data).G;
  for (Place i = 0; i < static_cast<Place>(m); i++)
    for (std::int64_t k = G.start[i]; k < G.start[i + 1]; k++) {
      const Place at = static_cast<Place>(k);
      if (values) {
        values[at] = G.value[at];
      } else {
        rows[at] = static_cast<Index>(i);
        columns[at] = G.column[at];
      }
    }
  return TRUE;
}

Bool hessian(Index n, Number *, Bool, Number factor, Index, Number *, Bool, Index, Index *rows,
             Index *columns, Number *values, UserDataPtr data)
{
  const Rows &P = program(data).P;
  Place to = 0;
  for (Index i = 0; i < n; i++)
    for (std::int64_t k = P.start[static_cast<Place>(i)]; k < P.start[static_cast<Place>(i) + 1];
         k++) {
      const Place at = static_cast<Place>(k);
      if (P.column[at] > i)
        continue;
      if (values) {
        values[to] = factor * P.value[at];
      } else {
        rows[to] = i;
        columns[to] = P.column[at];
      }
      to++;
    }
  return TRUE;
}

void set(IpoptProblem ipopt, const char *name, const char *value)
{
  AddIpoptStrOption(ipopt, const_cast<char *>(name), const_cast<char *>(value));
}

void set(IpoptProblem ipopt, const char *name, double value)
{
  AddIpoptNumOption(ipopt, const_cast<char *>(name), value);
}

/* Ipopt treats bounds from 1e19 on as infinite. */
std::vector<double> bounds(const std::vector<double> &from)
{
  std::vector<double> to(from);
  for (double &v : to)
    v = std::fmax(std::fmin(v, 2e19), -2e19);
  return to;
}

} // namespace

bool solve_qp(const char *method, const QuadraticProgram &p, double tol, QuadraticAnswer &answer)
{
  const bool mehrotra = std::strcmp(method, "mehrotra") == 0;
  if (!mehrotra && std::strcmp(method, "default") != 0)
    return false;
  std::vector<double> lb = bounds(p.lb), ub = bounds(p.ub), l = bounds(p.l), u = bounds(p.u);
  const Place n = static_cast<Place>(p.n), m = static_cast<Place>(p.m);
  Index lower = 0;
  for (Place i = 0; i < n; i++)
    for (std::int64_t k = p.P.start[i]; k < p.P.start[i + 1]; k++)
      lower += p.P.column[static_cast<Place>(k)] <= static_cast<int>(i);
  IpoptProblem ipopt = CreateIpoptProblem(p.n, lb.data(), ub.data(), p.m, l.data(), u.data(),
                                          static_cast<Index>(p.G.value.size()), lower, 0, objective,
                                          constraints, gradient, jacobian, hessian);
  AddIpoptIntOption(ipopt, const_cast<char *>("print_level"), 0);
  set(ipopt, "sb", "yes");
  set(ipopt, "hessian_constant", "yes");
  set(ipopt, "jac_c_constant", "yes");
  set(ipopt, "jac_d_constant", "yes");
  set(ipopt, "bound_relax_factor", 0.0);
  set(ipopt, "fixed_variable_treatment", "relax_bounds");
  for (const char *name :
       {"tol", "dual_inf_tol", "constr_viol_tol", "compl_inf_tol", "acceptable_tol"})
    set(ipopt, name, tol);
  if (mehrotra)
    set(ipopt, "mehrotra_algorithm", "yes");
  answer.x.assign(n, 0);
  answer.z.assign(m, 0);
  answer.w.assign(n, 0);
  std::vector<double> below(n), above(n), g(m);
  double value;
  const ApplicationReturnStatus status =
      IpoptSolve(ipopt, answer.x.data(), g.data(), &value, answer.z.data(), below.data(),
                 above.data(), const_cast<QuadraticProgram *>(&p));
  for (Place i = 0; i < n; i++)
    answer.w[i] = above[i] - below[i];
  answer.gave_up = status != Solve_Succeeded && status != Solved_To_Acceptable_Level;
  FreeIpoptProblem(ipopt);
  return true;
}
