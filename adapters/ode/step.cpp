/* step.cpp: dWorldStep and dWorldQuickStep with perp inside
 *
 * ODE's step calls dxSolveLCP, a function that its shared library exports. The one below is found
 * first if this library is linked before ODE, or loaded by LD_PRELOAD into a program that cannot be
 * built again. dWorldQuickStep, whose sweeps have no such place, becomes a dWorldStep.
 *
 * An island whose rows are known (joints.hpp) is solved on its bodies, without the dense A that ODE
 * assembles; otherwise, and if it is small, with that A. The friction bounds follow the normal
 * forces of the solution; ODE's fix them at an earlier stage. Settings come from the environment,
 * since a program that is not changed has no other place for them:
 *
 *   PERP_ODE_METHOD     the method; default auto
 *   PERP_ODE_TOL        relative tolerance; default 1e-8
 *   PERP_ODE_TIME_LIMIT seconds for a step; default 0: no limit
 *   PERP_ODE_STATIC     mu of contacts at rest / their mu in motion; default 1
 *   PERP_ODE_RECORD     folder that keeps steps which are not solved
 *   PERP_ODE_FALLBACK   1: a step that is not solved goes to ODE's own solver
 *   PERP_ODE_QUICKSTEP  own: dWorldQuickStep stays ODE's
 *   PERP_ODE_THREADS    own: a world's steps may use a thread pool of ODE's
 *   PERP_ODE_BESIDE     1: ODE's solver runs on the same islands, for its time; its x is not used
 *   PERP_ODE_REPORT     1: a line on standard error when a thread that made steps ends */
#include "ode/island.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

/* ODE's own declaration (double precision). pairsbx holds (b_i, x_i), pairslh (lo_i, hi_i); rows of
 * A are perp_ode_stride(n) apart and only its lower triangle is filled. */
struct dxWorldProcessMemArena;
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairsbx, double *w,
                unsigned nub, double *pairslh, int *findex);

namespace
{

/* Up to SMALL rows a dense A is the faster way, as measured by PERP_ODE_BESIDE; up to TINY a solve
 * takes less time than to find the contacts of the step before. */
enum { TINY = 24, SMALL = 60 };

const char *variable(const char *name, const char *otherwise)
{
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

bool isSet(const char *name, const char *to)
{
  return std::string(variable(name, "")) == to;
}

double number(const char *name, const char *otherwise, const char *range, bool (*fits)(double))
{
  const char *text = variable(name, otherwise);
  char *end = nullptr;
  const double value = std::strtod(text, &end);
  if (*end || !fits(value) || std::isinf(value)) {
    std::fprintf(stderr, "perp: %s = %s must be a finite number %s\n", name, text, range);
    std::exit(2);
  }
  return value;
}

perp::EngineSettings settingsOfEnvironment()
{
  perp::EngineSettings settings;
  settings.method = variable("PERP_ODE_METHOD", "auto");
  settings.record = variable("PERP_ODE_RECORD", "");
  settings.fallback = isSet("PERP_ODE_FALLBACK", "1");
  settings.tol = number("PERP_ODE_TOL", "1e-8", "above 0", [](double v) { return v > 0; });
  settings.timeLimit = number("PERP_ODE_TIME_LIMIT", "0", ">= 0", [](double v) { return v >= 0; });
  settings.staticFriction =
      number("PERP_ODE_STATIC", "1", "of at least 1", [](double v) { return v >= 1; });
  return settings;
}

/* Of all threads. */
std::atomic<long long> solves{0}, solved{0}, refused{0}, onBodies{0}, handedOver{0};
std::atomic<long long> ours{0}, odes{0}; /* nanoseconds in dxSolveLCP, ours and ODE's */
thread_local std::string message;        /* of the last step of this thread that was not solved */

using SolveLcp = decltype(&dxSolveLCP);

/* The function of the same name that comes after this one: ODE's. */
SolveLcp odesOwn()
{
  return reinterpret_cast<SolveLcp>(
      dlsym(RTLD_NEXT, "_Z10dxSolveLCPP22dxWorldProcessMemArenajPdS1_S1_jS1_Pi"));
}

/* Returns the CPU time of this thread in nanoseconds, which excludes other load on the machine. */
long long now()
{
  timespec at;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return 1000000000LL * at.tv_sec + at.tv_nsec;
}

/* The arguments of dxSolveLCP. */
struct Call {
  dxWorldProcessMemArena *arena;
  unsigned n;
  double *A, *pairsbx, *w;
  unsigned nub;
  double *pairslh;
  int *findex;
};

/* One for each thread: ODE may step several worlds at the same time. */
struct Stepper {
  perp::EngineSolver engine;
  perp::ode::Island island;
  const bool beside = isSet("PERP_ODE_BESIDE", "1");

  Stepper()
  try : engine(settingsOfEnvironment()) {
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "perp: PERP_ODE_METHOD: %s\n", error.what());
    std::exit(2);
  }

  ~Stepper()
  {
    const perp::EngineStatistics &s = engine.statistics();
    if (s.steps > 0 && isSet("PERP_ODE_REPORT", "1"))
      std::fprintf(
          stderr,
          "perp: %lld solves of up to %d rows, %lld solved, %lld refused, largest residual "
          "%.1e, %.3f s%s%s\n",
          static_cast<long long>(s.steps), s.mostRows, static_cast<long long>(s.solved),
          static_cast<long long>(s.refused), s.worst, s.seconds, s.last.empty() ? "" : "; ",
          s.last.c_str());
  }

  void readVectors(const Call &c);
  bool solve(const Call &c, const perp::ode::Rows &rows);
  bool solveDense(const Call &c);
};

void Stepper::readVectors(const Call &c)
{
  for (std::size_t i = 0; i < c.n; i++) {
    engine.b[i] = -c.pairsbx[2 * i];
    engine.lo[i] = i < c.nub ? -HUGE_VAL : c.pairslh[2 * i];
    engine.hi[i] = i < c.nub ? HUGE_VAL : c.pairslh[2 * i + 1];
    engine.findex[i] = c.findex ? c.findex[i] : -1;
    if (engine.findex[i] >= 0) /* ODE's rule: -hi_i |x_j| <= x_i <= hi_i |x_j| */
      engine.lo[i] = -engine.hi[i];
    if (engine.findex[i] >= 0 && static_cast<int>(i) > engine.findex[i] + 2)
      engine.rolling.push_back(static_cast<int>(i)); /* the slides follow the normal */
  }
}

bool Stepper::solveDense(const Call &c)
{
  const std::size_t n = c.n,
                    stride = static_cast<std::size_t>(perp_ode_stride(static_cast<int>(n)));
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j <= i; j++)
      engine.entries[i * n + j] = engine.entries[j * n + i] = c.A[i * stride + j];
  return engine.solveDense(static_cast<int>(n));
}

bool Stepper::solve(const Call &c, const perp::ode::Rows &rows)
{
  const int n = static_cast<int>(c.n);
  const bool known = n > TINY && rows.areComplete(n);
  const perp_operator *A =
      known && n > SMALL ? island.make(rows, n, c.A, perp_ode_stride(n)) : nullptr;
  engine.resize(n, !A);
  readVectors(c);
  if (known)
    island.start(rows, engine.x);
  else
    engine.startFromLast(n);
  const bool good = A ? engine.solve(A, n, island.unit()) : solveDense(c);
  if (known)
    island.keep(rows, engine.x);
  else
    engine.keepLast(n);
  onBodies += A != nullptr;
  return good;
}

/* ODE's solver changes what it is given. */
void runBeside(Call c)
{
  const SolveLcp own = odesOwn();
  if (!own)
    return;
  std::vector<double> bx(c.pairsbx, c.pairsbx + 2 * c.n), lh(c.pairslh, c.pairslh + 2 * c.n);
  std::vector<int> findex;
  if (c.findex)
    findex.assign(c.findex, c.findex + c.n);
  const long long begin = now();
  own(c.arena, c.n, c.A, bx.data(), nullptr, c.nub, lh.data(), c.findex ? findex.data() : nullptr);
  odes += now() - begin;
}

/* Returns w_i projected onto its law: like ODE's own solver, exactly 0 between the bounds, and the right
 * sign at a bound. The change is below the tolerance if the step is solved. */
double lawful(const perp::EngineSolver &engine, std::size_t i, double w)
{
  const int j = engine.findex[i];
  const double scale = j < 0 ? 1 : std::fabs(engine.x[static_cast<std::size_t>(j)]);
  const double x = engine.x[i];
  const bool low = x <= engine.lo[i] * scale, high = x >= engine.hi[i] * scale;
  return low && high ? w : low ? std::max(w, 0.0) : high ? std::min(w, 0.0) : 0;
}

/* x, and w = A x - b in ODE's signs; A is still as ODE filled it. */
void write(const Call &c, const perp::EngineSolver &engine, bool good)
{
  const std::size_t stride = static_cast<std::size_t>(perp_ode_stride(static_cast<int>(c.n)));
  for (std::size_t i = 0; i < c.n; i++) {
    c.pairsbx[2 * i + 1] = engine.x[i];
    if (!c.w)
      continue;
    double w = engine.b[i];
    for (std::size_t j = 0; j < c.n; j++)
      w += c.A[i < j ? j * stride + i : i * stride + j] * engine.x[j];
    c.w[i] = good ? lawful(engine, i, w) : w;
  }
}

Stepper &stepperOfThread()
{
  static thread_local Stepper stepper;
  return stepper;
}

/* Counts and reports a refused step, even without memory for the text. */
void refuseStep(int n, const char *why)
{
  perp::ode::rows().clear();
  solves++;
  refused++;
  message = "out of memory"; /* short enough to need no allocation */
  try {
    perp::EngineSolver &engine = stepperOfThread().engine;
    engine.refuse(n, why);
    message = engine.statistics().last;
  } catch (const std::bad_alloc &) {
  }
}

/* x = 0 and w = -b: the frames of ODE, and of a program in C, cannot propagate an exception. */
void refuseForMemory(const Call &c)
{
  for (std::size_t i = 0; i < c.n; i++) {
    c.pairsbx[2 * i + 1] = 0;
    if (c.w)
      c.w[i] = -c.pairsbx[2 * i];
  }
  refuseStep(static_cast<int>(c.n), "out of memory");
}

void step(const Call &c)
{
  Stepper &stepper = stepperOfThread();
  perp::EngineSolver &engine = stepper.engine;
  const std::int64_t wrong = engine.statistics().refused;
  const long long begin = stepper.beside ? now() : 0;
  const bool good = stepper.solve(c, perp::ode::rows());
  perp::ode::rows().clear();
  if (stepper.beside)
    ours += now() - begin;
  solves++;
  solved += good;
  refused += engine.statistics().refused - wrong;
  if (!good)
    message = engine.statistics().last;
  const SolveLcp own = !good && engine.settings().fallback ? odesOwn() : nullptr;
  if (own) {
    handedOver++;
    own(c.arena, c.n, c.A, c.pairsbx, c.w, c.nub, c.pairslh, c.findex);
    return;
  }
  write(c, engine, good);
  if (stepper.beside)
    runBeside(c);
}

/* ODE's step, which calls dxSolveLCP. If ODE has no memory for it, it has moved nothing: refused. */
int makeStep(dWorldID world, dReal size)
{
  static const auto own = reinterpret_cast<decltype(&dWorldStep)>(dlsym(RTLD_NEXT, "dWorldStep"));
  const int made = own(world, size);
  if (!made)
    refuseStep(0, "ODE is out of memory in dWorldStep");
  return made;
}

} // namespace

/* Returns a counter over all threads: solves, solved ones, refused ones, solves on bodies; with
 * PERP_ODE_BESIDE, nanoseconds in our solver and in ODE's; solves handed over to ODE's solver. */
extern "C" __attribute__((visibility("default"))) long long perp_ode_step_count(int what)
{
  const std::atomic<long long> *const all[] = {&solves, &solved, &refused,   &onBodies,
                                               &ours,   &odes,   &handedOver};
  return what >= 0 && what < 7 ? all[what]->load() : -1;
}

/* Returns the message of this thread's last unsolved step; "" if all were solved. */
extern "C" __attribute__((visibility("default"))) const char *perp_ode_step_message(void)
{
  return message.c_str();
}

__attribute__((visibility("default"))) void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n,
                                                       double *A, double *pairsbx, double *w,
                                                       unsigned nub, double *pairslh, int *findex)
{
  const Call call = {arena, n, A, pairsbx, w, nub, pairslh, findex};
  try {
    step(call);
  } catch (const std::bad_alloc &) {
    refuseForMemory(call);
  }
}

extern "C" __attribute__((visibility("default"))) int dWorldStep(dWorldID world, dReal size)
{
  return makeStep(world, size);
}

/* Replaces ODE's quickstep, which makes 20 sweeps on its own arrays, solved or not, by the full
 * step, whose problem perp solves. The matrix of a full step grows with the square of the rows: if
 * ODE is out of memory for it, ODE's own quickstep can take over. */
extern "C" __attribute__((visibility("default"))) int dWorldQuickStep(dWorldID world, dReal size)
{
  static const bool stays = isSet("PERP_ODE_QUICKSTEP", "own");
  if (!stays) {
    const int made = makeStep(world, size);
    if (made || !isSet("PERP_ODE_FALLBACK", "1"))
      return made;
    handedOver++;
  }
  static const auto own =
      reinterpret_cast<decltype(&dWorldQuickStep)>(dlsym(RTLD_NEXT, "dWorldQuickStep"));
  const int fine = own(world, size);
  perp::ode::rows().clear(); /* its joints have written rows that nobody solves here */
  return fine;
}

/* ODE's threads share the joints of one island, so that none of them sees its rows, and the island
 * would be solved with its dense matrix: without them a wall of 75 boxes takes a thirtieth of the
 * time. */
extern "C" __attribute__((visibility("default"))) void
dWorldSetStepThreadingImplementation(dWorldID world, const dThreadingFunctionsInfo *functions,
                                     dThreadingImplementationID threading)
{
  static const auto own = reinterpret_cast<decltype(&dWorldSetStepThreadingImplementation)>(
      dlsym(RTLD_NEXT, "dWorldSetStepThreadingImplementation"));
  const bool stays = isSet("PERP_ODE_THREADS", "own");
  own(world, stays ? functions : nullptr, stays ? threading : nullptr);
}
