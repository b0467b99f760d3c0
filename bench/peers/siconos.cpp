/* siconos.cpp: the LCP solvers of Siconos: LEMKE, PIVOT (its other Lemke) and NEWTON_MIN_FBLSA */
#include "peers/peer.hpp"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

namespace
{

using Solver = void (*)(LinearComplementarityProblem *, double *, double *, int *, SolverOptions *);

class Lcp : public Peer
{
public:
  Lcp(const Problem &p, Solver solver_, int id)
      : n(static_cast<std::size_t>(p.n)), solver(solver_), M(n * n), q(p.b), z(n), w(n),
        lcp(newLCP()), options(solver_options_create(id))
  {
    for (std::size_t i = 0; i < n; i++) /* by columns */
      for (std::size_t j = 0; j < n; j++)
        M[i + j * n] = p.A[i * n + j];
    lcp->size = p.n;
    lcp->M = NM_new();
    NM_fill(lcp->M, NM_DENSE, p.n, p.n, M.data());
    lcp->q = q.data();
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    if (id == SICONOS_LCP_PIVOT)
      options->iparam[SICONOS_LCP_IPARAM_PIVOTING_METHOD_TYPE] = SICONOS_LCP_PIVOT_LEMKE;
  }
  void load() override
  {
    z.assign(n, 0);
    w.assign(n, 0);
  }
  void solve() override
  {
    int info = 0;
    solver(lcp, z.data(), w.data(), &info, options);
  }
  double solution(int i) const override
  {
    return z[static_cast<std::size_t>(i)];
  }

private:
  std::size_t n;
  Solver solver;
  std::vector<double> M, q, z, w;
  LinearComplementarityProblem *lcp; /* these two live as long as the program */
  SolverOptions *options;
};

} // namespace

std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem)
{
  if (method == "lemke")
    return std::unique_ptr<Peer>(new Lcp(problem, lcp_lexicolemke, SICONOS_LCP_LEMKE));
  if (method == "pivot")
    return std::unique_ptr<Peer>(new Lcp(problem, lcp_pivot, SICONOS_LCP_PIVOT));
  if (method == "newton")
    return std::unique_ptr<Peer>(new Lcp(problem, lcp_newton_minFB, SICONOS_LCP_NEWTON_MIN_FBLSA));
  return nullptr;
}
