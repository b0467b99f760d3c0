/* bullet_wrong.cpp: steps that are wrong when Bullet hands them over, and who solves them then
 *
 * A body hangs on a joint. A velocity or a mass that is NaN must be refused with the row, or
 * with the body, by both solvers; Bullet's own sweeps take over only if the settings ask for it. The
 * dense interface is also called with vectors of another length than A, with bounds that are inverted
 * and indices out of range, and with fewer and more rows from call to call. Two worlds step in two
 * threads. Boxes come and go between steps, one of them with NaN. Bodies of a milligram and less rest,
 * or are refused. */
#include "check.hpp"

#include <perp/bullet.hpp>

#include <btBulletDynamicsCommon.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>

namespace
{

/* In a world with one of our solvers. */
struct Pendulum {
  perp::BulletMlcpSolver dense;
  btMLCPSolver assembled;
  perp::BulletSolver bodies;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  btDiscreteDynamicsWorld world;
  btSphereShape shape;
  btRigidBody body;
  btPoint2PointConstraint joint;

  Pendulum(bool matrix, const perp::EngineSettings &settings)
      : dense(settings), assembled(&dense), bodies(settings), dispatcher(&configuration),
        world(&dispatcher, &broadphase,
              matrix ? static_cast<btConstraintSolver *>(&assembled) : &bodies, &configuration),
        shape(btScalar(0.5)), body(1, nullptr, &shape, btVector3(1, 1, 1)),
        joint(body, btVector3(0, 0, 1))
  {
    world.addRigidBody(&body);
    world.addConstraint(&joint);
  }
  ~Pendulum()
  {
    world.removeConstraint(&joint);
    world.removeRigidBody(&body);
  }
  void step()
  {
    world.stepSimulation(btScalar(0.01), 1, btScalar(0.01));
  }
};

/* where: what the message must name. */
void testWorld(const char *name, bool matrix, bool fallback, const std::string &where,
               void (*spoil)(btRigidBody &))
{
  perp::EngineSettings settings;
  settings.fallback = fallback;
  Pendulum p(matrix, settings);
  const perp::EngineStatistics &s = matrix ? p.dense.statistics() : p.bodies.statistics();
  const std::string title =
      std::string(name) + (matrix ? ", dense" : ", bodies") + (fallback ? ", fallback" : "");
  p.step();
  check(title + ": a step before it is solved", s.steps >= 1 && s.solved == s.steps, s.last);
  const std::int64_t before = s.steps;
  spoil(p.body);
  p.step();
  check(title + ": refused with the row",
        s.steps > before && s.refused > 0 && contains(s.last, "refused") && contains(s.last, where),
        s.last);
  if (matrix)
    check(title + ": Bullet's sweeps", (p.assembled.getNumFallbacks() > 0) == fallback,
          std::to_string(p.assembled.getNumFallbacks()));
}

/* The solver keeps the starts of the 32 most recent numbers of rows. */
void testStarts()
{
  perp::EngineSolver engine;
  const auto started = [&engine](int n) {
    engine.resize(n, false);
    engine.startFromLast(n);
    return engine.x[0];
  };
  for (int n = 1; n <= 100; n++) {
    engine.resize(n, false);
    engine.x.assign(static_cast<std::size_t>(n), n);
    engine.keepLast(n);
    if (started(1) == 1)
      engine.keepLast(1); /* used in every step */
  }
  check("starts of few rows are kept", started(1) == 1 && started(100) == 100 && started(70) == 70,
        "");
  check("and old ones forgotten", started(69) == 0 && started(2) == 0, "");
}

/* A box of that mass falls a little and must come to rest on the ground, or the step is refused: Bullet's
 * numbers are floats. */
void testMass(bool matrix, btScalar mass, bool rests)
{
  perp::BulletMlcpSolver dense;
  btMLCPSolver assembled(&dense);
  perp::BulletSolver bodies;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase,
                                matrix ? static_cast<btConstraintSolver *>(&assembled) : &bodies,
                                &configuration);
  world.setGravity(btVector3(0, 0, -10));
  btBoxShape ground(btVector3(5, 5, 1)), cube(btVector3(1, 1, 1));
  btVector3 inertia;
  cube.calculateLocalInertia(mass, inertia);
  btRigidBody floor(0, nullptr, &ground), box(mass, nullptr, &cube, inertia);
  box.translate(btVector3(0, 0, btScalar(2.05)));
  world.addRigidBody(&floor);
  world.addRigidBody(&box);
  for (int k = 0; k < 100; k++)
    world.stepSimulation(btScalar(0.01), 1, btScalar(0.01));
  const double height = static_cast<double>(box.getCenterOfMassPosition().z());
  world.removeRigidBody(&box);
  world.removeRigidBody(&floor);
  const perp::EngineStatistics &s = matrix ? dense.statistics() : bodies.statistics();
  char title[64];
  std::snprintf(title, sizeof title, "a box of %g kg, %s", static_cast<double>(mass),
                matrix ? "dense" : "bodies");
  if (rests)
    check(std::string(title) + ": rests",
          s.steps > 50 && s.solved == s.steps && std::abs(height - 2) < 0.01,
          std::to_string(height) + " " + s.last);
  else
    check(std::string(title) + ": refused",
          s.steps > 50 && s.solved < s.steps && contains(s.last, "refused: ") &&
              (contains(s.last, "too light") || contains(s.last, "not finite")),
          s.last);
}

void testMasses()
{
  for (const btScalar mass : {1.F, 1e-4F, 1e-6F})
    for (const bool matrix : {false, true})
      testMass(matrix, mass, true);
  for (const btScalar mass : {1e-10F, 1e-20F, 3e-38F})
    testMass(false, mass, true);
  testMass(true, 1e-10F, false); /* btMLCPSolver has lost the velocities */
  for (const bool matrix : {false, true})
    testMass(matrix, 1e-38F, false); /* its inverse is above the largest float */
}

/* The lengths of b, x, lo, hi and of the friction indices; A has three rows. */
void testLengths()
{
  const char *const names[] = {"b", "x", "lo", "hi", "limitDependency"};
  for (int wrong = 0; wrong < 5; wrong++) {
    perp::BulletMlcpSolver solver;
    const auto length = [wrong](int k) { return k == wrong ? 2 : 3; };
    btMatrixXu A(3, 3);
    btVectorXu b(length(0)), x(length(1)), lo(length(2)), hi(length(3));
    btAlignedObjectArray<int> index;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        A.setElem(i, j, i == j ? 1 : 0);
    for (btVectorXu *v : {&b, &x, &lo, &hi})
      for (int i = 0; i < v->size(); i++)
        (*v)[i] = v == &b || v == &hi ? 1 : 0;
    for (int i = 0; i < length(4); i++)
      index.push_back(-1);
    solver.solveMLCP(A, b, x, lo, hi, index, 10);
    check(std::string(names[wrong]) + " of another length is refused",
          solver.statistics().refused == 1 && contains(solver.statistics().last, names[wrong]) &&
              contains(solver.statistics().last, "row 2"),
          solver.statistics().last);
  }
  perp::BulletMlcpSolver solver;
  btMatrixXu A(3, 2);
  btVectorXu b(3), x(3), lo(3), hi(3);
  btAlignedObjectArray<int> index;
  solver.solveMLCP(A, b, x, lo, hi, index, 10);
  check("A that is not square is refused", solver.statistics().refused == 1,
        solver.statistics().last);
}

/* x = 2 in each of n rows, by its equation or, if `spoil` has changed the row before the last, refused. */
bool solveRows(perp::BulletMlcpSolver &solver, int n, bool good,
               void (*spoil)(btVectorXu &lo, btVectorXu &hi, btAlignedObjectArray<int> &index,
                             int i))
{
  btMatrixXu A(n, n);
  btVectorXu b(n), x(n), lo(n), hi(n);
  btAlignedObjectArray<int> index;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      A.setElem(i, j, i == j ? 1 : 0);
    b[i] = 2;
    x[i] = 7;
    lo[i] = btScalar(-1e30);
    hi[i] = btScalar(1e30);
    index.push_back(-1);
  }
  spoil(lo, hi, index, n - 2);
  solver.solveMLCP(A, b, x, lo, hi, index, 10);
  bool all = true;
  for (int i = 0; i < n; i++)
    all = all && std::abs(static_cast<double>(x[i]) - (good ? 2 : 0)) < 1e-6;
  return all;
}

void testRows()
{
  using Index = btAlignedObjectArray<int>;
  perp::BulletMlcpSolver solver;
  const perp::EngineStatistics &s = solver.statistics();
  const auto nothing = [](btVectorXu &, btVectorXu &, Index &, int) {};
  bool all = true;
  for (const int n : {3, 40, 2, 41, 3})
    all = all && solveRows(solver, n, true, nothing);
  check("fewer and more rows from call to call", all && s.solved == 5 && s.mostRows == 41, s.last);
  const auto invert = [](btVectorXu &lo, btVectorXu &hi, Index &, int i) {
    lo[i] = 1;
    hi[i] = -1;
  };
  check("inverted bounds are refused with the row",
        solveRows(solver, 3, false, invert) && s.refused == 1 && contains(s.last, "[1]"), s.last);
  const auto beyond = [](btVectorXu &, btVectorXu &, Index &index, int i) { index[i] = 9; };
  check("a friction index out of range is refused with the row",
        solveRows(solver, 3, false, beyond) && s.refused == 2 && contains(s.last, "[1]"), s.last);
  const auto before = [](btVectorXu &, btVectorXu &, Index &index, int i) { index[i] = -5; };
  check("one below -1 too",
        solveRows(solver, 3, false, before) && s.refused == 3 && contains(s.last, "[1]"), s.last);
  check("and the next step is solved", solveRows(solver, 3, true, nothing), s.last);
}

/* A body that overlaps the ground and may not move upwards: no impulse parts them, and the row must not
 * make a problem without a solution of its step. */
void testLocked()
{
  for (const bool matrix : {false, true}) {
    Pendulum p(matrix, {});
    const perp::EngineStatistics &s = matrix ? p.dense.statistics() : p.bodies.statistics();
    p.world.removeConstraint(&p.joint);
    btBoxShape ground(btVector3(5, 1, 5));
    btRigidBody floor(0, nullptr, &ground);
    floor.translate(btVector3(0, btScalar(-1.49), 0));
    p.world.addRigidBody(&floor);
    p.body.setLinearFactor(btVector3(1, 0, 1));
    p.body.setAngularFactor(btVector3(0, 0, 0));
    for (int k = 0; k < 5; k++)
      p.step();
    check(std::string("a body locked along the normal") + (matrix ? ", dense" : ", bodies"),
          s.steps >= 5 && s.solved == s.steps, s.last);
    p.world.removeRigidBody(&floor);
  }
}

/* Each thread has its own world and solver. */
void testThreads()
{
  double height[3] = {0, 1, 2};
  const auto swing = [&height](int k) {
    Pendulum p(k == 1, {});
    for (int step = 0; step < 200; step++)
      p.step();
    const perp::EngineStatistics &s = k == 1 ? p.dense.statistics() : p.bodies.statistics();
    height[k] = s.steps >= 200 && s.solved == s.steps
                    ? static_cast<double>(p.body.getCenterOfMassPosition().y())
                    : NAN;
  };
  std::thread one(swing, 0), other(swing, 1);
  one.join();
  other.join();
  swing(2);
  check("two worlds in two threads, and one alone",
        height[0] == height[2] && std::abs(height[1] - height[0]) < 1e-3,
        std::to_string(height[0]) + " " + std::to_string(height[1]));
}

/* Two rows that hold the same thing and differ by rounding: only at a bound does x solve both. */
void testRounding()
{
  btMatrixXu A(2, 2);
  btVectorXu b(2), x(2), lo(2), hi(2);
  btAlignedObjectArray<int> index;
  for (int i = 0; i < 2; i++) {
    A.setElem(i, 0, 1);
    A.setElem(i, 1, 1);
    b[i] = i == 0 ? 1 : 1 + 2 * btScalar(1.1920929e-7);
    lo[i] = -10;
    hi[i] = 10;
    index.push_back(-1);
  }
  perp::BulletMlcpSolver compliant({}, 1e-6), rigid({}, 0);
  compliant.solveMLCP(A, b, x, lo, hi, index, 10);
  const double sum = static_cast<double>(x[0] + x[1]), most = std::abs(static_cast<double>(x[0]));
  check("rows that differ by rounding share their load with a compliance",
        compliant.statistics().solved == 1 && std::abs(sum - 1) < 2e-6 && most < 1,
        std::to_string(most));
  rigid.solveMLCP(A, b, x, lo, hi, index, 10);
  check("without it they push against each other up to a bound",
        rigid.statistics().solved == 1 && std::abs(static_cast<double>(x[0])) > 8,
        std::to_string(static_cast<double>(x[0])));
}

/* Islands come, change and go, and one is refused: the solver keeps an operator and the last impulses,
 * which must not be those of others. */
void testComingAndGoing()
{
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  perp::BulletSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, btScalar(-9.81)));
  world.getSolverInfo().m_minimumSolverBatchSize = 1;
  btBoxShape floor(btVector3(20, 20, 1)), cube(btVector3(1, 1, 1));
  btRigidBody ground(0, nullptr, &floor);
  ground.setWorldTransform(btTransform(btQuaternion(0, 0, 0, 1), btVector3(0, 0, -1)));
  world.addRigidBody(&ground);
  std::array<std::unique_ptr<btRigidBody>, 3> boxes;
  const auto add = [&](std::size_t k, const btVector3 &at) {
    boxes[k] = std::make_unique<btRigidBody>(
        1, nullptr, &cube, btVector3(btScalar(0.7), btScalar(0.7), btScalar(0.7)));
    boxes[k]->setWorldTransform(btTransform(btQuaternion(0, 0, 0, 1), at));
    boxes[k]->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(boxes[k].get());
  };
  const auto run = [&](const std::string &name) {
    const std::int64_t unsolved = solver.statistics().steps - solver.statistics().solved;
    const std::int64_t before = solver.statistics().steps;
    for (int k = 0; k < 30; k++)
      world.stepSimulation(btScalar(0.01), 1, btScalar(0.01));
    const double height = static_cast<double>(boxes[0]->getWorldTransform().getOrigin().z());
    check(name,
          solver.statistics().steps >= before + 30 && std::fabs(height - 1) < 1e-3 &&
              solver.statistics().steps - solver.statistics().solved == unsolved,
          solver.statistics().last + " " + std::to_string(height));
  };
  add(0, btVector3(0, 0, 1));
  run("a box at rest");
  add(1, btVector3(5, 0, 1));
  run("two boxes apart");
  boxes[1]->setLinearVelocity(btVector3(btScalar(std::nan("")), 0, 0));
  world.stepSimulation(btScalar(0.01), 1, btScalar(0.01));
  check("only the one with NaN is refused", solver.statistics().refused == 1,
        std::to_string(solver.statistics().refused));
  world.removeRigidBody(boxes[1].get());
  run("the other one after it");
  add(2, btVector3(0, 0, 3));
  run("one on top of the other");
  world.removeRigidBody(boxes[2].get());
  run("the lower one alone again");
  world.removeRigidBody(boxes[0].get());
  world.removeRigidBody(&ground);
}

} // namespace

int main()
{
  testComingAndGoing();
  for (const bool matrix : {false, true})
    for (const bool fallback : {false, true}) {
      testWorld("velocity NaN", matrix, fallback, "b[0]",
                [](btRigidBody &body) { body.setLinearVelocity(btVector3(0, NAN, 0)); });
      testWorld("mass NaN", matrix, fallback, matrix ? "A(0,0)" : "Minv: block 0",
                [](btRigidBody &body) { body.setMassProps(NAN, btVector3(1, 1, 1)); });
    }
  testMasses();
  testStarts();
  testLengths();
  testRounding();
  testRows();
  testLocked();
  testThreads();
  return summary();
}
