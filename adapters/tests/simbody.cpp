/* simbody.cpp: perp inside Simbody, beside Simbody's own impulse solvers
 *
 * A brick of 20 kg lies on eight points, four of them more than it needs, and a second one slides
 * until friction stops it, after v^2 / (2 mu g). With each solver: how far the first one has moved, the
 * error of the second one's way, and solves that the solver itself says it failed in. */
#include <perp/simbody.hpp>

#include <unistd.h>

#include <cstdio>

namespace
{

using namespace SimTK;

enum { STEPS = 1000, FEW = 200 }; /* ours, and Simbody's own, which writes a lot */

std::FILE *out; /* our words: Debian's Simbody writes every step to the standard output */

struct Result {
  double drift = 0, way = 0;
  bool finite = true;
};

/* A brick with the corners and the middles of the edges of its lower face as points of contact. */
MobilizedBody::Free addBrick(SimbodyMatterSubsystem &matter, double mu)
{
  const Vec3 half(0.5, 0.3, 0.2);
  const Body::Rigid body(MassProperties(20, Vec3(0), UnitInertia::brick(half) * 20));
  MobilizedBody::Free brick(matter.Ground(), body);
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++)
      if (x != 0 || y != 0)
        matter.adoptUnilateralContact(
            new PointPlaneContact(matter.updGround(), ZAxis, 0, brick,
                                  Vec3(x * half[0], y * half[1], -half[2]), 0, mu, mu, 0));
  return brick;
}

Result run(int steps, ImpulseSolver *solver, SemiExplicitEulerTimeStepper::ImpulseSolverType type)
{
  const double mu = 0.4, speed = 1, step = 1.0 / 500;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, -ZAxis, 9.81);
  MobilizedBody::Free resting = addBrick(matter, mu), sliding = addBrick(matter, mu);
  State state = system.realizeTopology();
  resting.setQToFitTranslation(state, Vec3(0, 5, 0.2));
  sliding.setQToFitTranslation(state, Vec3(0, 0, 0.2));
  sliding.setUToFitLinearVelocity(state, Vec3(speed, 0, 0));
  SemiExplicitEulerTimeStepper stepper(system);
  stepper.setRestitutionModel(SemiExplicitEulerTimeStepper::NoRestitution);
  if (solver)
    stepper.setImpulseSolver(solver);
  else
    stepper.setImpulseSolverType(type);
  stepper.initialize(state);
  Result result;
  for (int k = 1; k <= steps && result.finite; k++) {
    stepper.stepTo(k * step);
    const Vec3 at = resting.getBodyOriginLocation(stepper.getState());
    const double moved = (at - Vec3(0, 5, 0.2)).norm();
    result.finite = std::isfinite(moved);
    result.drift = std::max(result.drift, moved);
  }
  result.way = std::fabs(sliding.getBodyOriginLocation(stepper.getState())[0] -
                         speed * speed / (2 * mu * 9.81));
  return result;
}

void print(const char *name, int steps, const char *failed, const Result &r)
{
  std::fprintf(out, "%-14s %6d steps, failed %5s, drift %.2e, error of the way %.2e%s\n", name,
               steps, failed, r.drift, r.way, r.finite ? "" : ", not finite");
}

/* Numbers that are none must not reach the solver: the step is refused, and says so. */
bool refusesNan()
{
  perp::SimbodySolver solver;
  Array_<MultiplierIndex> rows(1, MultiplierIndex(0));
  Matrix A(1, 1);
  A(0, 0) = NaN;
  const Vector D(1, 0.0), rhs(1, 1.0);
  Vector pi;
  return !solver.solveBilateral(rows, A, D, rhs, pi) && solver.statistics().refused == 1 &&
         pi[0] == 0 && solver.statistics().last.find("0") != std::string::npos;
}

} // namespace

int main()
{
  out = fdopen(dup(STDOUT_FILENO), "w");
  if (!out || !std::freopen("/dev/null", "w", stdout))
    return 2;
  print("PLUS", FEW, "-", run(FEW, nullptr, SemiExplicitEulerTimeStepper::PLUS));
  print("PGS", FEW, "-", run(FEW, nullptr, SemiExplicitEulerTimeStepper::PGS));
  static perp::EngineStatistics seen; /* the stepper deletes its solver at the end of run */
  struct Told : perp::SimbodySolver {
    ~Told() override
    {
      seen = statistics();
    }
  };
  const Result r = run(STEPS, new Told(), SemiExplicitEulerTimeStepper::PLUS);
  print("perp", STEPS, std::to_string(seen.steps - seen.solved).c_str(), r);
  const bool good = r.finite && seen.steps >= STEPS && seen.solved == seen.steps &&
                    r.drift < 1e-3 && r.way < 5e-3;
  const bool careful = refusesNan();
  std::fprintf(out, "%s scene %s\n%s a NaN is refused\n", good ? "ok  " : "FAIL", seen.last.c_str(),
               careful ? "ok  " : "FAIL");
  const int failed = !good + !careful;
  std::fprintf(out, "%d passed, %d failed, 0 skipped\n", 2 - failed, failed);
  return failed > 0;
}
