/* siconos.cpp: the LCP solvers of Siconos, LEMKE, PIVOT (its other Lemke), NEWTON_MIN_FBLSA,
 * NEWTON_FB_FBLSA and PGS; for Coulomb cones NSGS, NSN_AC and ADMM, on blocks of 3 x 3; for global
 * problems, with sparse M and H, NSGS, NSN_AC, ADMM and IPM; for rolling contacts NSGS and ADMM */
#include "peers/peer.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <GlobalRollingFrictionContactProblem.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
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
  void aim(double tol) override
  {
    if (options->solverId != SICONOS_LCP_LEMKE && options->solverId != SICONOS_LCP_PIVOT)
      options->dparam[SICONOS_DPARAM_TOL] = tol;
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
  void answer(double *x) const override
  {
    std::copy(z.begin(), z.end(), x);
  }

private:
  std::size_t n;
  Solver solver;
  std::vector<double> M, q, z, w;
  LinearComplementarityProblem *lcp; /* these two live as long as the program */
  SolverOptions *options;
};

/* M r + q = u, r in the cone of mu, u + mu |u_T| in its dual; its blocks are stored by columns. */
class Cones : public Peer
{
public:
  Cones(const Problem &p, int id)
      : n(static_cast<std::size_t>(p.n)), q(p.b), mu(p.mu), r(n), u(n),
        options(solver_options_create(id))
  {
    SparseBlockStructuredMatrix *M = SBM_new();
    const std::size_t contacts = n / 3;
    for (std::size_t I = 0; I < contacts; I++) {
      sizes.push_back(3 * static_cast<unsigned>(I + 1));
      starts.push_back(columns.size());
      for (std::size_t J = 0; J < contacts; J++) {
        double block[9];
        bool any = I == J;
        for (std::size_t k = 0; k < 9; k++) {
          block[k] = p.A[(3 * I + k % 3) * n + 3 * J + k / 3];
          any = any || block[k] != 0;
        }
        if (!any)
          continue;
        columns.push_back(J);
        values.push_back(std::vector<double>(block, block + 9));
      }
    }
    starts.push_back(columns.size());
    for (std::vector<double> &block : values)
      pointers.push_back(block.data());
    M->blocknumber0 = M->blocknumber1 = static_cast<unsigned>(contacts);
    M->blocksize0 = M->blocksize1 = sizes.data();
    M->index1_data = starts.data();
    M->index2_data = columns.data();
    M->block = pointers.data();
    M->filled1 = starts.size();
    M->filled2 = columns.size();
    M->nbblocks = static_cast<unsigned>(columns.size());
    problem.dimension = 3;
    problem.numberOfContacts = static_cast<int>(contacts);
    problem.M = NM_new();
    problem.M->storageType = NM_SPARSE_BLOCK;
    problem.M->size0 = problem.M->size1 = p.n;
    problem.M->matrix1 = M;
    problem.q = q.data();
    problem.mu = mu.data();
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  }
  void aim(double tol) override
  {
    options->dparam[SICONOS_DPARAM_TOL] = tol;
  }
  void load() override
  {
    r.assign(n, 0);
    u.assign(n, 0);
  }
  void solve() override
  {
    fc3d_driver(&problem, r.data(), u.data(), options);
  }
  void answer(double *x) const override
  {
    std::copy(r.begin(), r.end(), x);
  }

private:
  std::size_t n;
  std::vector<double> q, mu, r, u;
  std::vector<unsigned> sizes;
  std::vector<std::size_t> starts, columns;
  std::vector<std::vector<double>> values;
  std::vector<double *> pointers;
  FrictionContactProblem problem{};
  SolverOptions *options; /* lives as long as the program */
};

NumericsMatrix *sparse(int rows, int columns, const Rows &a, bool transposed)
{
  NumericsMatrix *M = NM_create(NM_SPARSE, rows, columns);
  NM_triplet_alloc(M, static_cast<CS_INT>(a.value.size()));
  M->matrix2->origin = NSM_TRIPLET;
  for (std::size_t i = 0; i + 1 < a.start.size(); i++)
    for (std::int64_t e = a.start[i]; e < a.start[i + 1]; e++) {
      const int j = a.column[static_cast<std::size_t>(e)], k = static_cast<int>(i);
      NM_entry(M, transposed ? j : k, transposed ? k : j, a.value[static_cast<std::size_t>(e)]);
    }
  return M;
}

/* M v = H r + q, u = H^T v + b with H = J^T and q = 0. The solvers change M and H, so every solve gets
 * new ones. */
class Global : public Peer
{
public:
  Global(const Problem &p_, int id) : p(p_), options(solver_options_create(id))
  {
    const std::size_t contacts = static_cast<std::size_t>(p.cones);
    for (std::size_t c = 0; c < contacts; c++) {
      mu.push_back(p.mu[p.rolling ? 5 * c : c]);
      mu_r.push_back(p.rolling ? p.mu[5 * c + 3] : 0);
    }
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  }
  void aim(double tol) override
  {
    options->dparam[SICONOS_DPARAM_TOL] = tol;
  }
  void load() override
  {
    r.assign(p.b.size(), 0);
    u = r;
    v.assign(static_cast<std::size_t>(p.velocities), 0);
    q = v;
    b = p.b;
    if (M)
      NM_clear(M);
    if (H)
      NM_clear(H);
    M = sparse(p.velocities, p.velocities, p.M, false);
    H = sparse(p.velocities, p.n, p.J, true);
  }
  void solve() override
  {
    if (p.rolling) {
      GlobalRollingFrictionContactProblem *g = globalRollingFrictionContactProblem_new();
      g->dimension = 5;
      g->numberOfContacts = p.cones;
      g->M = M;
      g->H = H;
      g->q = q.data();
      g->b = b.data();
      g->mu = mu.data();
      g->mu_r = mu_r.data();
      g_rolling_fc3d_driver(g, r.data(), u.data(), v.data(), options);
      return;
    }
    GlobalFrictionContactProblem *g = globalFrictionContactProblem_new();
    g->dimension = 3;
    g->numberOfContacts = p.cones;
    g->M = M;
    g->H = H;
    g->q = q.data();
    g->b = b.data();
    g->mu = mu.data();
    gfc3d_driver(g, r.data(), u.data(), v.data(), options);
  }
  void answer(double *x) const override
  {
    std::copy(r.begin(), r.end(), x);
  }

private:
  const Problem &p;
  std::vector<double> mu, mu_r, r, u, v, q, b;
  NumericsMatrix *M = nullptr, *H = nullptr;
  SolverOptions *options; /* lives as long as the program */
};

/* Rolling contacts with a dense W. */
class Rolling : public Peer
{
public:
  Rolling(const Problem &p_, int id)
      : p(p_), n(static_cast<std::size_t>(p.n)), W(n * n), q(p.b), r(n), u(n),
        problem(rollingFrictionContactProblem_new()), options(solver_options_create(id))
  {
    for (std::size_t i = 0; i < n; i++) /* by columns */
      for (std::size_t j = 0; j < n; j++)
        W[i + j * n] = p.A[i * n + j];
    for (std::size_t c = 0; c < static_cast<std::size_t>(p.cones); c++) {
      mu.push_back(p.mu[5 * c]);
      mu_r.push_back(p.mu[5 * c + 3]);
    }
    problem->dimension = 5;
    problem->numberOfContacts = p.cones;
    problem->M = NM_new();
    NM_fill(problem->M, NM_DENSE, p.n, p.n, W.data());
    problem->q = q.data();
    problem->mu = mu.data();
    problem->mu_r = mu_r.data();
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  }
  void aim(double tol) override
  {
    options->dparam[SICONOS_DPARAM_TOL] = tol;
  }
  void load() override
  {
    r.assign(n, 0);
    u.assign(n, 0);
  }
  void solve() override
  {
    rolling_fc3d_driver(problem, r.data(), u.data(), options);
  }
  void answer(double *x) const override
  {
    std::copy(r.begin(), r.end(), x);
  }

private:
  const Problem &p;
  std::size_t n;
  std::vector<double> W, q, mu, mu_r, r, u;
  RollingFrictionContactProblem *problem; /* these two live as long as the program */
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
  if (method == "fb")
    return std::unique_ptr<Peer>(new Lcp(problem, lcp_newton_FB, SICONOS_LCP_NEWTON_FB_FBLSA));
  if (method == "pgs")
    return std::unique_ptr<Peer>(new Lcp(problem, lcp_pgs, SICONOS_LCP_PGS));
  if (method == "nsgs")
    return std::unique_ptr<Peer>(new Cones(problem, SICONOS_FRICTION_3D_NSGS));
  if (method == "nsn_ac")
    return std::unique_ptr<Peer>(new Cones(problem, SICONOS_FRICTION_3D_NSN_AC));
  if (method == "admm")
    return std::unique_ptr<Peer>(new Cones(problem, SICONOS_FRICTION_3D_ADMM));
  if (method == "global-nsgs")
    return std::unique_ptr<Peer>(new Global(problem, SICONOS_GLOBAL_FRICTION_3D_NSGS_WR));
  if (method == "global-nsn_ac")
    return std::unique_ptr<Peer>(new Global(problem, SICONOS_GLOBAL_FRICTION_3D_NSN_AC));
  if (method == "global-admm")
    return std::unique_ptr<Peer>(new Global(problem, SICONOS_GLOBAL_FRICTION_3D_ADMM));
  if (method == "global-ipm")
    return std::unique_ptr<Peer>(new Global(problem, SICONOS_GLOBAL_FRICTION_3D_IPM));
  if (method == "global-rolling-nsgs")
    return std::unique_ptr<Peer>(new Global(problem, SICONOS_GLOBAL_ROLLING_FRICTION_3D_NSGS_WR));
  if (method == "rolling-nsgs")
    return std::unique_ptr<Peer>(new Rolling(problem, SICONOS_ROLLING_FRICTION_3D_NSGS));
  if (method == "rolling-admm")
    return std::unique_ptr<Peer>(new Rolling(problem, SICONOS_ROLLING_FRICTION_3D_ADMM));
  return nullptr;
}

bool takes_sparse()
{
  return false;
}

const char *peer_version()
{
  return SICONOS_PEER_VERSION;
}
