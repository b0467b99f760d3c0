/* dart.cpp: DART's Lemke and its copy of ODE's Dantzig solver */
#include "peers/peer.hpp"

#include <dart/config.hpp>
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
class Dantzig : public Peer
{
public:
  explicit Dantzig(const Problem &problem)
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
  void solve() override
  {
    dart::external::ode::dSolveLCP(p.n, A.data(), x.data(), b.data(), w.data(), 0, lo.data(),
                                   hi.data(), findex.data(), false);
  }
  double solution(int i) const override
  {
    return x[static_cast<std::size_t>(i)];
  }

private:
  const Problem &p;
  std::size_t n, stride;
  std::vector<double> A0, b0, A, b, lo, hi, x, w;
  std::vector<int> findex;
};

} // namespace

std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem)
{
  if (method == "lemke")
    return std::unique_ptr<Peer>(new Lemke(problem));
  if (method == "dantzig")
    return std::unique_ptr<Peer>(new Dantzig(problem));
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
