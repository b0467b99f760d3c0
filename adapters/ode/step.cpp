/* step.cpp: dWorldStep with perp inside
 *
 * ODE's step calls dxSolveLCP, a function that its shared library exports. The one below is found
 * first if this library is linked before ODE, or loaded by LD_PRELOAD into a program that cannot be
 * built again. dWorldQuickStep does not call it and stays as it is.
 *
 * The friction bounds follow the normal forces of the solution; ODE's fix them at an earlier stage.
 * Settings come from the environment, since a program that is not changed has no other place for
 * them:
 *
 *   PERP_ODE_METHOD    the method; default auto
 *   PERP_ODE_TOL       relative tolerance; default 1e-8
 *   PERP_ODE_RECORD    folder that keeps steps which are not solved
 *   PERP_ODE_FALLBACK  1: a step that is not solved goes to ODE's own solver
 *   PERP_ODE_REPORT    1: a line on standard error when a thread that made steps ends */
#include <perp/engine.hpp>

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

/* ODE's own declaration (double precision). pairsbx holds (b_i, x_i), pairslh (lo_i, hi_i); rows of
 * A are perp_ode_stride(n) apart and only its lower triangle is filled. */
struct dxWorldProcessMemArena;
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairsbx, double *w,
                unsigned nub, double *pairslh, int *findex);

namespace
{

const char *variable(const char *name, const char *otherwise)
{
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

perp::EngineSettings settingsOfEnvironment()
{
  perp::EngineSettings settings;
  settings.method = variable("PERP_ODE_METHOD", "auto");
  settings.record = variable("PERP_ODE_RECORD", "");
  settings.fallback = std::string(variable("PERP_ODE_FALLBACK", "0")) == "1";
  const char *tol = variable("PERP_ODE_TOL", "1e-8");
  char *end = nullptr;
  settings.tol = std::strtod(tol, &end);
  if (*end || !(settings.tol > 0)) {
    std::fprintf(stderr, "perp: PERP_ODE_TOL = %s is not a tolerance\n", tol);
    std::exit(2);
  }
  return settings;
}

/* One for each thread: ODE may step several worlds at the same time. */
struct Stepper {
  perp::EngineSolver engine;

  Stepper()
  try : engine(settingsOfEnvironment()) {
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "perp: PERP_ODE_METHOD: %s\n", error.what());
    std::exit(2);
  }

  ~Stepper()
  {
    const perp::EngineStatistics &s = engine.statistics();
    if (s.steps > 0 && std::string(variable("PERP_ODE_REPORT", "0")) == "1")
      std::fprintf(
          stderr,
          "perp: %lld solves of up to %d rows, %lld solved, %lld refused, largest residual "
          "%.1e, %.3f s%s%s\n",
          static_cast<long long>(s.steps), s.mostRows, static_cast<long long>(s.solved),
          static_cast<long long>(s.refused), s.worst, s.seconds, s.last.empty() ? "" : "; ",
          s.last.c_str());
  }
};

std::atomic<long long> solves{0}, solved{0}, refused{0}; /* of all threads */

using SolveLcp = decltype(&dxSolveLCP);

/* The function of the same name that comes after this one: ODE's. */
SolveLcp odesOwn()
{
  return reinterpret_cast<SolveLcp>(
      dlsym(RTLD_NEXT, "_Z10dxSolveLCPP22dxWorldProcessMemArenajPdS1_S1_jS1_Pi"));
}

} // namespace

/* How many solves all threads have made, or those of them that were solved, or refused. */
extern "C" __attribute__((visibility("default"))) long long perp_ode_step_count(int what)
{
  return what == 0 ? solves : what == 1 ? solved : refused;
}

__attribute__((visibility("default"))) void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n,
                                                       double *A, double *pairsbx, double *w,
                                                       unsigned nub, double *pairslh, int *findex)
{
  static thread_local Stepper stepper;
  perp::EngineSolver &engine = stepper.engine;
  const std::size_t stride = static_cast<std::size_t>(perp_ode_stride(static_cast<int>(n)));
  engine.resize(static_cast<int>(n), true);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j <= i; j++)
      engine.entries[i * n + j] = engine.entries[j * n + i] = A[i * stride + j];
    engine.b[i] = -pairsbx[2 * i];
    engine.lo[i] = i < nub ? -HUGE_VAL : pairslh[2 * i];
    engine.hi[i] = i < nub ? HUGE_VAL : pairslh[2 * i + 1];
    engine.findex[i] = findex ? findex[i] : -1;
    if (engine.findex[i] >= 0) /* ODE's rule: -hi_i |x_j| <= x_i <= hi_i |x_j| */
      engine.lo[i] = -engine.hi[i];
  }
  engine.startFromLast(static_cast<int>(n));
  const std::int64_t wrong = engine.statistics().refused;
  const bool good = engine.solveDense(static_cast<int>(n));
  engine.keepLast(static_cast<int>(n));
  solves++;
  solved += good;
  refused += engine.statistics().refused - wrong;
  if (!good && engine.settings().fallback) {
    if (const SolveLcp own = odesOwn()) {
      own(arena, n, A, pairsbx, w, nub, pairslh, findex);
      return;
    }
  }
  for (std::size_t i = 0; i < n; i++) {
    pairsbx[2 * i + 1] = engine.x[i];
    if (w) { /* w = A x - b in ODE's signs */
      w[i] = engine.b[i];
      for (std::size_t j = 0; j < n; j++)
        w[i] += engine.entries[i * n + j] * engine.x[j];
    }
  }
}
