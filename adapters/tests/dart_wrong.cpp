/* dart_wrong.cpp: steps that DART itself makes wrong, and who solves them then
 *
 * An arm whose joint is held by a motor: force limits that are inverted give bounds lo > hi, a
 * velocity of the motor that is NaN gives a NaN in b. Both steps are refused with the row. DART's secondary
 * solver, here one that counts its calls, takes over only if the settings ask for it. */
#include "check.hpp"

#include <perp/dart.hpp>

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include <cmath>
#include <thread>

namespace
{

namespace dd = dart::dynamics;

/* Gives x = 0. */
class Counter : public dart::constraint::BoxedLcpSolver
{
public:
  const std::string &getType() const override
  {
    static const std::string type = "Counter";
    return type;
  }
  bool solve(int n, double *, double *x, double *, int, double *, double *, int *, bool) override
  {
    calls++;
    std::fill(x, x + n, 0);
    return true;
  }
#ifndef NDEBUG
  bool canSolve(int, const double *) override
  {
    return true;
  }
#endif
  int calls = 0;
};

struct Arm {
  dart::simulation::WorldPtr world = dart::simulation::World::create();
  std::shared_ptr<perp::DartSolver> solver;
  std::shared_ptr<Counter> second = std::make_shared<Counter>();
  dd::RevoluteJoint *joint;

  explicit Arm(bool fallback)
  {
    perp::EngineSettings settings;
    settings.fallback = fallback;
    solver = std::make_shared<perp::DartSolver>(settings);
    world->setConstraintSolver(
        std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(solver, second));
    const auto skeleton = dd::Skeleton::create("arm");
    joint = skeleton->createJointAndBodyNodePair<dd::RevoluteJoint>().first;
    joint->setActuatorType(dd::Joint::SERVO);
    joint->setForceLowerLimit(0, -10);
    joint->setForceUpperLimit(0, 10);
    joint->setCommand(0, 1);
    world->addSkeleton(skeleton);
  }
};

void testWrong(const char *name, void (*spoil)(Arm &), bool fallback)
{
  Arm arm(fallback);
  arm.world->step();
  const std::string title = std::string(name) + (fallback ? ", fallback" : "");
  const perp::EngineStatistics &s = arm.solver->statistics();
  check(title + ": a step before it is solved", s.steps == 1 && s.solved == 1, s.last);
  spoil(arm);
  arm.world->step();
  check(title + ": refused with the row",
        s.steps == 2 && s.refused == 1 && contains(s.last, "refused") && contains(s.last, "[0]"),
        s.last);
  check(title + (fallback ? ": DART's second solver takes over" : ": nobody takes over"),
        arm.second->calls == (fallback ? 1 : 0), std::to_string(arm.second->calls));
}

void testSizes()
{
  perp::DartSolver solver;
  double A[4] = {1, 0, 0, 0}, x[1] = {7}, b[1] = {1}, lo[1] = {0}, hi[1] = {1};
  int findex[1] = {-1};
  solver.solve(1, A, x, b, 2, lo, hi, findex, false);
  check("more unbounded rows than rows", solver.statistics().refused == 1 && x[0] == 0,
        solver.statistics().last);
  solver.solve(-1, A, x, b, 0, lo, hi, findex, false);
  check("a negative number of rows", solver.statistics().refused == 2, solver.statistics().last);
  findex[0] = -2;
  solver.solve(1, A, x, b, 0, lo, hi, findex, false);
  check("a friction index below -1",
        solver.statistics().refused == 3 && contains(solver.statistics().last, "[0]"),
        solver.statistics().last);
}

/* Infinite friction at a point that parts: its bound is infinity, not infinity times 0. */
void testInfiniteFriction()
{
  for (const auto normals : {perp::DartNormals::True, perp::DartNormals::Frozen}) {
    perp::DartSolver solver({}, normals);
    double A[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2}, x[4], b[4] = {4, 1, -4, 0.5},
           lo[4] = {0, -HUGE_VAL, 0, -HUGE_VAL}, hi[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    int findex[4] = {-1, 0, -1, 2};
    solver.solve(4, A, x, b, 0, lo, hi, findex, false);
    check("infinite friction without a normal force",
          solver.statistics().refused == 0 && std::abs(x[0] - 2) < 1e-7 &&
              std::abs(x[1] - 0.5) < 1e-7 && std::abs(x[3] - 0.25) < 1e-7,
          solver.statistics().last);
  }
}

/* Settings that cannot be: said at once, not in every step. */
void testSettings()
{
  for (const double wrong : {-1.0, static_cast<double>(NAN)})
    for (const bool tol : {true, false}) {
      perp::EngineSettings settings;
      (tol ? settings.tol : settings.timeLimit) = wrong;
      std::string said;
      try {
        perp::DartSolver solver(settings);
      } catch (const std::invalid_argument &error) {
        said = error.what();
      }
      check("settings that are wrong", contains(said, tol ? "tol" : "timeLimit"), said);
    }
}

/* A folder for records that cannot be made. */
void testRecord()
{
  perp::EngineSettings settings;
  settings.record = "/dev/null/records";
  settings.timeLimit = 1e-30; /* nothing is solved in that time */
  perp::DartSolver solver(settings);
  double A[4] = {1, 0, 0, 0}, x[1], b[1] = {1}, lo[1] = {0}, hi[1] = {1};
  int findex[1] = {-1};
  solver.solve(1, A, x, b, 0, lo, hi, findex, false);
  const perp::EngineStatistics &s = solver.statistics();
  check("a record that cannot be written is reported",
        s.solved == 0 && s.recorded == 0 && contains(s.last, "not recorded") &&
            contains(s.last, "/dev/null/records"),
        s.last);
}

/* A world, a solver and a thread each; a last one alone, for comparison. */
void testThreads()
{
  enum { WORLDS = 3 };
  double angle[WORLDS];
  const auto swing = [&angle](int k) {
    Arm arm(false);
    for (int step = 0; step < 300; step++)
      arm.world->step();
    const perp::EngineStatistics &s = arm.solver->statistics();
    angle[k] = s.steps > 0 && s.solved == s.steps ? arm.joint->getPosition(0) : NAN;
  };
  std::thread one(swing, 0), other(swing, 1);
  one.join();
  other.join();
  swing(2);
  check("worlds in two threads, and one alone", angle[0] == angle[2] && angle[1] == angle[2],
        std::to_string(angle[0]) + " " + std::to_string(angle[1]));
}

/* x = 2 in each of n rows that do not touch each other. */
bool solveRows(perp::DartSolver &solver, int n)
{
  const auto rows = static_cast<std::size_t>(n),
             stride = static_cast<std::size_t>(perp_ode_stride(n));
  std::vector<double> A(rows * stride, 0), x(rows, 7), b(rows, 2), lo(rows, 0), hi(rows, HUGE_VAL);
  std::vector<int> findex(rows, -1);
  for (std::size_t i = 0; i < rows; i++)
    A[i * stride + i] = 1;
  solver.solve(n, A.data(), x.data(), b.data(), 0, lo.data(), hi.data(), findex.data(), false);
  return std::all_of(x.begin(), x.end(), [](double v) { return std::abs(v - 2) < 1e-7; });
}

void testGrowth()
{
  perp::DartSolver solver;
  bool all = true;
  for (const int n : {3, 40, 2, 41, 3})
    all = all && solveRows(solver, n);
  const perp::EngineStatistics &s = solver.statistics();
  check("fewer and more rows from call to call", all && s.solved == 5 && s.mostRows == 41, s.last);
}

} // namespace

int main()
{
  for (const bool fallback : {false, true}) {
    testWrong(
        "inverted bounds",
        [](Arm &arm) {
          arm.joint->setForceLowerLimit(0, 10);
          arm.joint->setForceUpperLimit(0, -10);
        },
        fallback);
    testWrong(
        "NaN", [](Arm &arm) { arm.joint->setCommand(0, NAN); }, fallback);
  }
  testSizes();
  testInfiniteFriction();
  testSettings();
  testRecord();
  testThreads();
  testGrowth();
  return summary();
}
