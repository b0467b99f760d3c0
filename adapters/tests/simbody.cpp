/* simbody.cpp: perp inside Simbody, compared with Simbody's own impulse solvers
 *
 *   PROGRAM [STEPS]
 *
 * A brick of 20 kg lies on eight points, four of them more than it needs, and a second one slides
 * until friction stops it, after v^2 / (2 mu g). With each solver: how far the first one has moved, the
 * error of the second one's way, and solves that the solver itself says it failed in. */
#include <perp/simbody.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

/* Arguments that are wrong: the step is refused, pi is 0, and the message names the row or the
 * argument. */
struct Arguments {
  Array_<MultiplierIndex> rows = {MultiplierIndex(0), MultiplierIndex(1)};
  Matrix A = Matrix(2, 2, 0.0);
  Vector D = Vector(2, 1.0), rhs = Vector(2, 1.0), applied, expand = Vector(2, 0.0), pi;
  Array_<ImpulseSolver::BoundedRT> bounded;
  Array_<ImpulseSolver::UniContactRT> contacts;
  Array_<ImpulseSolver::ConstraintLtdFrictionRT> byConstraints;
  bool fallback = false;
};

/* A third row, which takes no part. */
void addAbsentRow(Arguments &a)
{
  a.A.resize(3, 3);
  a.A.setToZero();
  a.D.resize(3);
  a.D.setTo(1);
  a.rhs.resize(3);
  a.rhs.setTo(1);
  a.expand.resize(3);
  a.expand.setToZero();
}

void addContact(Arguments &a, int normal, int friction)
{
  ImpulseSolver::UniContactRT contact;
  contact.m_Nk = MultiplierIndex(normal);
  contact.m_Fk.push_back(MultiplierIndex(friction));
  contact.m_sign = -1;
  contact.m_effMu = 0.5;
  contact.m_type = ImpulseSolver::Participating;
  a.contacts.push_back(contact);
}

std::string solveWrong(Arguments &a)
{
  perp::EngineSettings settings;
  settings.fallback = a.fallback;
  perp::SimbodySolver solver(settings);
  Array_<ImpulseSolver::UncondRT> unconditional;
  Array_<ImpulseSolver::UniSpeedRT> speeds;
  Array_<ImpulseSolver::StateLtdFrictionRT> byState;
  const bool solved =
      solver.solve(0, a.rows, a.A, a.D, Array_<MultiplierIndex>(), a.expand, a.rhs, a.applied, a.pi,
                   unconditional, a.contacts, speeds, a.bounded, a.byConstraints, byState);
  const bool zero = a.pi.size() == a.A.nrow() && a.pi.normInf() == 0;
  return solved || !zero || solver.statistics().refused != 1 ? "was not refused"
                                                             : solver.statistics().last;
}

struct Wrong {
  const char *what, *names; /* what the message must hold */
  void (*spoil)(Arguments &);
};

const Wrong wrongs[] = {
    {"a NaN in A", "A(0,1)", [](Arguments &a) { a.A(1, 0) = NaN; }},
    {"a NaN in D", "A(1,1)", [](Arguments &a) { a.D[1] = NaN; }},
    {"a NaN in verrStart", "1]", [](Arguments &a) { a.rhs[1] = NaN; }},
    {"bounds inverted", "lo[1] = 2",
     [](Arguments &a) {
       a.bounded.push_back(ImpulseSolver::BoundedRT(MultiplierIndex(1), 0, 1));
       a.bounded[0].m_lb = 2; /* the constructor asserts */
     }},
    {"a NaN in A, with the fallback", "A(0,1)",
     [](Arguments &a) {
       a.A(1, 0) = NaN;
       a.fallback = true; /* Simbody's solver would end the program */
     }},
    {"friction of a contact whose normal takes no part", "row 2, which is not active",
     [](Arguments &a) {
       addAbsentRow(a);
       addContact(a, 2, 1);
     }},
    {"friction limited by a row that takes no part", "row 2, which is not active",
     [](Arguments &a) {
       addAbsentRow(a);
       a.byConstraints.push_back(ImpulseSolver::ConstraintLtdFrictionRT(
           Array_<MultiplierIndex>(1, MultiplierIndex(1)),
           Array_<MultiplierIndex>(1, MultiplierIndex(2)), 0.5));
     }},
    {"a bound of a row that is not there", "row 7",
     [](Arguments &a) { a.bounded.push_back(ImpulseSolver::BoundedRT(MultiplierIndex(7), 0, 1)); }},
    {"A not square", "2 rows and 3 columns", [](Arguments &a) { a.A.resize(2, 3); }},
    {"D too short", "D ends before row 1", [](Arguments &a) { a.D.resize(1); }},
    {"verrStart too short", "ends before row 1", [](Arguments &a) { a.rhs.resize(1); }},
    {"verrApplied too long", "verrApplied", [](Arguments &a) { a.applied.resize(5); }},
    {"piExpand too short", "piExpand ends before row 0", [](Arguments &a) { a.expand.resize(0); }},
    {"a participating row out of range", "row 2",
     [](Arguments &a) { a.rows[1] = MultiplierIndex(2); }},
    {"a row that takes part twice", "row 0", [](Arguments &a) { a.rows[1] = MultiplierIndex(0); }},
};

int failuresOfWrong()
{
  int failed = 0;
  for (const Wrong &wrong : wrongs) {
    Arguments a;
    wrong.spoil(a);
    const std::string said = solveWrong(a);
    const bool good = said.find(wrong.names) != std::string::npos;
    std::fprintf(out, "%s %s: %s\n", good ? "ok  " : "FAIL", wrong.what, said.c_str());
    failed += !good;
  }
  Arguments fine;
  const bool good = solveWrong(fine) == "was not refused" && std::fabs(fine.pi[0] - 1) < 1e-8;
  std::fprintf(out, "%s nothing wrong: is solved\n", good ? "ok  " : "FAIL");
  Arguments apart; /* which of a contact's friction rows take part is Simbody's to say */
  addAbsentRow(apart);
  addContact(apart, 0, 2);
  const bool skips = solveWrong(apart) == "was not refused" && std::fabs(apart.pi[0] - 1) < 1e-8 &&
                     apart.pi[2] == 0;
  std::fprintf(out, "%s a friction row that takes no part: is solved\n", skips ? "ok  " : "FAIL");
  return failed + !good + !skips;
}

/* The other way in. */
bool refusesNan()
{
  perp::SimbodySolver solver;
  const Array_<MultiplierIndex> rows(1, MultiplierIndex(0));
  const Matrix A(1, 1, double(NaN));
  const Vector D(1, 0.0), rhs(1, 1.0), none;
  Vector pi;
  return !solver.solveBilateral(rows, A, D, rhs, pi) && solver.statistics().refused == 1 &&
         pi[0] == 0 && solver.statistics().last.find("0") != std::string::npos &&
         !solver.solveBilateral(rows, A, D, none, pi) && solver.statistics().refused == 2;
}

} // namespace

int main(int argc, char **argv)
{
  const int steps = argc > 1 ? std::max<int>(std::atoi(argv[1]), STEPS) : STEPS;
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
  const Result r = run(steps, new Told(), SemiExplicitEulerTimeStepper::PLUS);
  print("perp", steps, std::to_string(seen.steps - seen.solved).c_str(), r);
  const bool good = r.finite && seen.steps >= steps && seen.solved == seen.steps &&
                    r.drift < 1e-3 && r.way < 5e-3;
  const bool careful = refusesNan();
  std::fprintf(out, "%s scene %s\n%s a NaN is refused\n", good ? "ok  " : "FAIL", seen.last.c_str(),
               careful ? "ok  " : "FAIL");
  const int all = 4 + static_cast<int>(sizeof wrongs / sizeof *wrongs);
  const int failed = !good + !careful + failuresOfWrong();
  std::fprintf(out, "%d passed, %d failed, 0 skipped\n", all - failed, failed);
  return failed > 0;
}
