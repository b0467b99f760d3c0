/* ipopt.cpp: Ipopt on the quadratic program of a symmetric positive semi-definite A,
 *
 *   min 1/2 x' A x + b' x,   lo <= x <= hi,
 *
 * whose optimality conditions are the problem. `default` has its own barrier rule, `mehrotra` the
 * predictor and corrector that its manual names for convex quadratic programs. Both have the
 * options that the Hessian is constant and that bounds are not widened. The tolerance of all its errors
 * is tol max |b|. */
#include "peers/peer.hpp"

#include <IpStdCInterface.h>
#include <IpoptConfig.h>

namespace
{

/* Ipopt takes the lower triangle; the rows are kept whole for the gradient. */
struct Program {
  const Problem &p;
  std::vector<double> y; /* A x + b */
};

void evaluate(Program &q, const double *x)
{
  const std::size_t n = static_cast<std::size_t>(q.p.n);
  for (std::size_t i = 0; i < n; i++) {
    double sum = q.p.b[i];
    for (std::int64_t k = q.p.start[i]; k < q.p.start[i + 1]; k++) {
      const std::size_t at = static_cast<std::size_t>(k);
      sum += q.p.value[at] * x[q.p.column[at]];
    }
    q.y[i] = sum;
  }
}

/* 1/2 x' A x + b' x = 1/2 x' (y + b) */
Bool objective(Index n, Number *x, Bool new_x, Number *f, UserDataPtr data)
{
  Program &q = *static_cast<Program *>(data);
  if (new_x)
    evaluate(q, x);
  *f = 0;
  for (Index i = 0; i < n; i++) {
    const std::size_t at = static_cast<std::size_t>(i);
    *f += 0.5 * x[i] * (q.y[at] + q.p.b[at]);
  }
  return TRUE;
}

Bool gradient(Index n, Number *x, Bool new_x, Number *g, UserDataPtr data)
{
  Program &q = *static_cast<Program *>(data);
  if (new_x)
    evaluate(q, x);
  for (Index i = 0; i < n; i++)
    g[i] = q.y[static_cast<std::size_t>(i)];
  return TRUE;
}

/* The only constraints are the bounds. */
Bool no_constraints(Index, Number *, Bool, Index, Number *, UserDataPtr)
{
  return TRUE;
}

Bool no_jacobian(Index, Number *, Bool, Index, Index, Index *, Index *, Number *, UserDataPtr)
{
  return TRUE;
}

/* First the pattern, if `values` is null, then the numbers. */
Bool hessian(Index n, Number *, Bool, Number factor, Index, Number *, Bool, Index, Index *rows,
             Index *columns, Number *values, UserDataPtr data)
{
  const Problem &p = static_cast<const Program *>(data)->p;
  std::size_t at = 0;
  for (Index i = 0; i < n; i++)
    for (std::int64_t k = p.start[static_cast<std::size_t>(i)];
         k < p.start[static_cast<std::size_t>(i) + 1]; k++) {
      const std::size_t from = static_cast<std::size_t>(k);
      if (p.column[from] > i)
        continue;
      if (values) {
        values[at] = factor * p.value[from];
      } else {
        rows[at] = i;
        columns[at] = p.column[from];
      }
      at++;
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

class Ipopt : public Peer
{
public:
  Ipopt(const Problem &p, bool mehrotra)
      : program{p, std::vector<double>(static_cast<std::size_t>(p.n))}, lo(p.lo), hi(p.hi),
        x(static_cast<std::size_t>(p.n)), scale(0)
  {
    const double infinite = 2e19; /* what it takes for infinity begins at 1e19 */
    int lower = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
      lo[i] = std::fmax(lo[i], -infinite);
      hi[i] = std::fmin(hi[i], infinite);
      scale = std::fmax(scale, std::fabs(p.b[i]));
      for (std::int64_t k = p.start[i]; k < p.start[i + 1]; k++)
        lower += p.column[static_cast<std::size_t>(k)] <= static_cast<int>(i);
    }
    ipopt = CreateIpoptProblem(p.n, lo.data(), hi.data(), 0, nullptr, nullptr, 0, lower, 0,
                               objective, no_constraints, gradient, no_jacobian, hessian);
    AddIpoptIntOption(ipopt, const_cast<char *>("print_level"), 0);
    set(ipopt, "sb", "yes"); /* no banner */
    set(ipopt, "hessian_constant", "yes");
    set(ipopt, "bound_relax_factor", 0.0);
    if (mehrotra)
      set(ipopt, "mehrotra_algorithm", "yes");
  }
  void aim(double tol) override
  {
    const double most = scale > 0 ? tol * scale : tol;
    set(ipopt, "tol", most);
    set(ipopt, "dual_inf_tol", most);
    set(ipopt, "compl_inf_tol", most);
    set(ipopt, "acceptable_tol", most);
  }
  void load() override
  {
    x.assign(x.size(), 0);
  }
  void solve() override
  {
    const ApplicationReturnStatus status =
        IpoptSolve(ipopt, x.data(), nullptr, nullptr, nullptr, nullptr, nullptr, &program);
    failed = status != Solve_Succeeded && status != Solved_To_Acceptable_Level;
  }
  void answer(double *to) const override
  {
    std::copy(x.begin(), x.end(), to);
  }
  bool gave_up() const override
  {
    return failed;
  }

private:
  Program program;
  std::vector<double> lo, hi, x;
  double scale;
  IpoptProblem ipopt; /* lives as long as the program */
  bool failed = false;
};

} // namespace

std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem)
{
  if (method == "default" || method == "mehrotra")
    return std::unique_ptr<Peer>(new Ipopt(problem, method == "mehrotra"));
  return nullptr;
}

bool takes_sparse()
{
  return true;
}

const char *peer_version()
{
  return IPOPT_VERSION;
}
