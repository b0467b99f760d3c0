/* bullet.cpp: btLemkeAlgorithm, btSolveDantzigLCP and btSolveProjectedGaussSeidel of Bullet, in the
 * precision it is built for */
#include "peers/peer.hpp"

#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

namespace
{

class Lemke : public Peer
{
public:
  explicit Lemke(const Problem &p) : n(p.n), M(p.n, p.n), q(p.n)
  {
    for (int i = 0; i < n; i++) {
      q[i] = static_cast<btScalar>(p.b[static_cast<std::size_t>(i)]);
      for (int j = 0; j < n; j++)
        M.setElem(i, j, static_cast<btScalar>(p.A[static_cast<std::size_t>(i) * n + j]));
    }
  }
  void load() override
  {
    algorithm.reset(new btLemkeAlgorithm(M, q));
  }
  void solve() override
  {
    z = algorithm->solve(MOST_STEPS);
  }
  /* the basic variables come first as w, then as z */
  double solution(int i) const override
  {
    return z[n + i];
  }

private:
  static constexpr unsigned MOST_STEPS = 100000;
  int n;
  btMatrixXu M;
  btVectorXu q, z;
  std::unique_ptr<btLemkeAlgorithm> algorithm;
};

/* A x = b + w there. */
class Dantzig : public Peer
{
public:
  explicit Dantzig(const Problem &problem)
      : p(problem), n(static_cast<std::size_t>(p.n)), stride(n > 1 ? (n + 3) & ~std::size_t{3} : n),
        A0(n * stride), b0(n), lo0(p.lo.begin(), p.lo.end()), hi0(p.hi.begin(), p.hi.end()), A(A0),
        b(n), lo(n), hi(n), x(stride), w(stride), findex(n)
  {
    for (std::size_t i = 0; i < n; i++) {
      b0[i] = static_cast<btScalar>(-p.b[i]);
      for (std::size_t j = 0; j < n; j++)
        A0[i * stride + j] = static_cast<btScalar>(p.A[i * n + j]);
    }
  }
  void load() override
  {
    A = A0;
    b = b0;
    lo = lo0;
    hi = hi0;
    findex = p.findex;
    x.assign(stride, 0);
    w.assign(stride, 0);
  }
  void solve() override
  {
    done = btSolveDantzigLCP(p.n, A.data(), x.data(), b.data(), w.data(), 0, lo.data(), hi.data(),
                             findex.data(), scratch);
  }
  double solution(int i) const override
  {
    return x[static_cast<std::size_t>(i)];
  }

private:
  const Problem &p;
  std::size_t n, stride;
  std::vector<btScalar> A0, b0, lo0, hi0, A, b, lo, hi, x, w;
  std::vector<int> findex;
  btDantzigScratchMemory scratch;
  bool done = false;
};

/* Ends when the squared length of a sweep's step is below its threshold. A x = b + w. */
class Sweeps : public Peer
{
public:
  explicit Sweeps(const Problem &p) : A(p.n, p.n), b(p.n), x(p.n), lo(p.n), hi(p.n), scale(0)
  {
    for (int i = 0; i < p.n; i++) {
      const std::size_t row = static_cast<std::size_t>(i);
      b[i] = static_cast<btScalar>(-p.b[row]);
      lo[i] = static_cast<btScalar>(p.lo[row]);
      hi[i] = static_cast<btScalar>(p.hi[row]);
      normal.push_back(p.findex[row]);
      scale = std::fmax(scale, std::fabs(p.b[row]));
      for (int j = 0; j < p.n; j++)
        A.setElem(i, j, static_cast<btScalar>(p.A[row * p.n + j]));
    }
  }
  void aim(double tol) override
  {
    solver.m_leastSquaresResidualThreshold = static_cast<btScalar>(tol * tol * scale * scale);
  }
  void load() override
  {
    x.setZero();
  }
  void solve() override
  {
    solver.solveMLCP(A, b, x, lo, hi, normal, MOST_SWEEPS);
  }
  double solution(int i) const override
  {
    return x[i];
  }

private:
  static constexpr int MOST_SWEEPS = 1000000;
  btMatrixXu A;
  btVectorXu b, x, lo, hi;
  btAlignedObjectArray<int> normal;
  double scale;
  btSolveProjectedGaussSeidel solver;
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
  static const std::string version =
      std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
  return version.c_str();
}
