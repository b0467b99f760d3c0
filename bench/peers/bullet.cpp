/* bullet.cpp: btLemkeAlgorithm, btSolveDantzigLCP and btSolveProjectedGaussSeidel of Bullet, in the
 * precision it is built for */
#include "peers/boxed.hpp"

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
  void answer(double *x) const override
  {
    for (int i = 0; i < n; i++)
      x[i] = z[n + i];
  }

private:
  static constexpr unsigned MOST_STEPS = 100000;
  int n;
  btMatrixXu M;
  btVectorXu q, z;
  std::unique_ptr<btLemkeAlgorithm> algorithm;
};

class Dantzig : public Boxed<btScalar>
{
public:
  using Boxed::Boxed;
  void solve() override
  {
    btSolveDantzigLCP(p.n, A.data(), x.data(), b.data(), w.data(), 0, lo.data(), hi.data(),
                      findex.data(), scratch);
  }

private:
  btDantzigScratchMemory scratch;
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
  void answer(double *to) const override
  {
    for (int i = 0; i < x.size(); i++)
      to[i] = x[i];
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
  return make_by_name<Lemke, Dantzig, Sweeps>(method, problem);
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
