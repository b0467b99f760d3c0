/* perp/dart.hpp: perp as the LCP solver of DART
 *
 *   auto solver = std::make_shared<perp::DartSolver>();
 *   world->setConstraintSolver(
 *       std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(solver, nullptr));
 *
 * The second argument, DART's secondary solver, takes over after a step that is not solved: nullptr
 * keeps the best x of ours. DART's own solvers fix the bounds of friction at the normal forces of a
 * stage without friction; here they follow the normal forces that are returned, as Coulomb's law
 * says, unless DartNormals::Frozen asks for what DART does. */
#pragma once

#include <perp/engine.hpp>

#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/BoxedLcpSolver.hpp>

namespace perp
{

enum class DartNormals {
  True,   /* friction bounds at the normal forces of the solution */
  Frozen, /* at the normal forces without friction, as in DART and ODE */
};

class DartSolver : public dart::constraint::BoxedLcpSolver
{
public:
  explicit DartSolver(EngineSettings settings = {}, DartNormals normals = DartNormals::True)
      : engine_(std::move(settings)), normals_(normals)
  {
  }

  const std::string &getType() const override
  {
    return getStaticType();
  }

  static const std::string &getStaticType()
  {
    static const std::string type = "perp::DartSolver";
    return type;
  }

  EngineSolver &engine()
  {
    return engine_;
  }
  const EngineStatistics &statistics() const
  {
    return engine_.statistics();
  }

  /* False only if DART's secondary solver shall take over: the step is not solved and the settings
   * ask for the fallback. */
  bool solve(int n, double *A, double *x, double *b, int nub, double *lo, double *hi, int *findex,
             bool) override
  {
    if (n < 0 || nub < 0 || nub > n) {
      engine_.resize(std::max(n, 0), false);
      engine_.refuse(
          std::max(n, 0),
          ("nub = " + std::to_string(nub) + " of n = " + std::to_string(n) + " rows").c_str());
      std::fill(x, x + std::max(n, 0), 0);
      return !engine_.settings().fallback;
    }
    read(n, A, b, nub, lo, hi, findex);
    engine_.startFromLast(n);
    const bool solved = normals_ == DartNormals::Frozen ? solveFrozen(n) : engine_.solveDense(n);
    engine_.keepLast(n);
    std::copy(engine_.x.begin(), engine_.x.end(), x);
    return solved || !engine_.settings().fallback;
  }

#ifndef NDEBUG
  bool canSolve(int, const double *) override
  {
    return true;
  }
#endif

protected:
  /* DART fills both triangles with numbers that differ by rounding: the lower one is read, as ODE's
   * solver does it. Rows are perp_ode_stride(n) apart. */
  void read(int n, const double *A, const double *b, int nub, const double *lo, const double *hi,
            const int *findex)
  {
    const int stride = perp_ode_stride(n);
    engine_.resize(n, true);
    for (int i = 0; i < n; i++) {
      const auto k = static_cast<std::size_t>(i);
      for (int j = 0; j <= i; j++)
        engine_.entries[k * n + j] = engine_.entries[static_cast<std::size_t>(j) * n + i] =
            A[i * stride + j];
      engine_.b[k] = -b[i];
      engine_.lo[k] = i < nub ? -HUGE_VAL : lo[i];
      engine_.hi[k] = i < nub ? HUGE_VAL : hi[i];
      engine_.findex[k] = findex && findex[i] != i ? findex[i] : -1;
      if (engine_.findex[k] >= 0) /* ODE's rule: the lower bound is the other one's mirror image */
        engine_.lo[k] = -hi[i];
    }
  }

private:
  /* First without friction, then with bounds that are fixed at its normal forces. */
  bool solveFrozen(int n)
  {
    const std::vector<double> lo = engine_.lo, hi = engine_.hi;
    const std::vector<int> findex = engine_.findex;
    for (int i = 0; i < n; i++)
      if (findex[i] >= 0)
        engine_.lo[i] = engine_.hi[i] = 0;
    std::fill(engine_.findex.begin(), engine_.findex.end(), -1);
    if (std::find_if(findex.begin(), findex.end(), [](int j) { return j >= 0; }) == findex.end())
      return engine_.solveDense(n);
    for (int i = 0; i < n; i++)
      if (findex[i] >= n)
        engine_.findex[i] = findex[i]; /* the solver refuses it, and names the row */
    if (!engine_.solveDense(n))
      return false;
    for (int i = 0; i < n; i++)
      if (findex[i] >= 0) {
        const double normal = std::abs(engine_.x[findex[i]]);
        engine_.lo[i] = std::isinf(lo[i]) ? lo[i] : lo[i] * normal; /* not infinity times 0 */
        engine_.hi[i] = std::isinf(hi[i]) ? hi[i] : hi[i] * normal;
      }
    return engine_.solveDense(n);
  }

  EngineSolver engine_;
  DartNormals normals_;
};

} // namespace perp
