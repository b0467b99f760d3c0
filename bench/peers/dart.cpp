/* dart.cpp: DART's Lemke, its projected Gauss-Seidel and its copy of ODE's Dantzig solver */
#include "peers/peer.hpp"

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
  double solution(int i) const override
  {
    return z[i];
  }

private:
  Eigen::MatrixXd M;
  Eigen::VectorXd q, z;
};

/* A x = b + w there, rows padded to a multiple of four. */
class Boxed : public Peer
{
public:
  explicit Boxed(const Problem &problem)
      : p(problem), n(static_cast<std::size_t>(p.n)), stride(n > 1 ? (n + 3) & ~std::size_t{3} : n),
        A0(n * stride), b0(n), A(A0), b(n), lo(n), hi(n), x(stride), w(stride), findex(n)
  {
    for (std::size_t i = 0; i < n; i++) {
      b0[i] = -p.b[i];
      for (std::size_t j = 0; j < n; j++)
        A0[i * stride + j] = p.A[i * n + j];
    }
  }
  void load() override
  {
    A = A0;
    b = b0;
    lo = p.lo;
    hi = p.hi;
    findex = p.findex;
    x.assign(stride, 0);
    w.assign(stride, 0);
  }
  double solution(int i) const override
  {
    return x[static_cast<std::size_t>(i)];
  }

protected:
  const Problem &p;
  std::size_t n, stride;
  std::vector<double> A0, b0, A, b, lo, hi, x, w;
  std::vector<int> findex;
};

class Dantzig : public Boxed
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
class Sweeps : public Boxed
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
  if (method == "lemke")
    return std::unique_ptr<Peer>(new Lemke(problem));
  if (method == "dantzig")
    return std::unique_ptr<Peer>(new Dantzig(problem));
  if (method == "pgs")
    return std::unique_ptr<Peer>(new Sweeps(problem));
  return nullptr;
}

bool takes_sparse()
{
  return false;
}

const char *peer_version()
{
  return DART_VERSION;
}
