/* dart.cpp: DART's Lemke, its projected Gauss-Seidel and its copy of ODE's Dantzig solver */
#include "peers/boxed.hpp"

#include <dart/config.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/external/odelcpsolver/lcp.h>
#include <dart/lcpsolver/Lemke.hpp>

namespace
{

class Lemke : public Peer
{
public:
  explicit Lemke(const Problem &p) : M(p.n, p.n), q(p.n), z(p.n)
  {
    for (int i = 0; i < p.n; i++) {
      q[i] = p.b[static_cast<std::size_t>(i)];
      for (int j = 0; j < p.n; j++)
        M(i, j) = p.A[static_cast<std::size_t>(i) * p.n + j];
    }
  }
  void load() override
  {
    z.setZero();
  }
  void solve() override
  {
    dart::lcpsolver::Lemke(M, q, &z);
  }
  void answer(double *to) const override
  {
    std::copy_n(z.data(), z.size(), to);
  }

private:
  Eigen::MatrixXd M;
  Eigen::VectorXd q, z;
};

class Dantzig : public Boxed<double>
{
public:
  using Boxed::Boxed;
  void solve() override
  {
    dart::external::ode::dSolveLCP(p.n, A.data(), x.data(), b.data(), w.data(), 0, lo.data(),
                                   hi.data(), findex.data(), false);
  }
};

/* Ends when no x_i moves in a sweep by more than its threshold, relative to x_i. */
class Sweeps : public Boxed<double>
{
public:
  using Boxed::Boxed;
  void aim(double tol) override
  {
    const int most_sweeps = 1000000;
    solver.setOption({most_sweeps, tol, tol, 1e-9, false});
  }
  void solve() override
  {
    solver.solve(p.n, A.data(), x.data(), b.data(), 0, lo.data(), hi.data(), findex.data(), false);
  }

private:
  dart::constraint::PgsBoxedLcpSolver solver;
};

} // namespace

std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem)
{
  return make_by_name<Lemke, Dantzig, Sweeps>(method, problem);
}

bool takes_sparse()
{
  return false;
}

const char *peer_version()
{
  return DART_VERSION;
}
