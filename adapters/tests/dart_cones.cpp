/* dart_cones.cpp: compares DartConstraintSolver, which solves by skeletons, with closed forms and with
 * the matrices that DART assembles
 *
 * A box that slides on a plane slows down by mu g in every direction: this is a cone. DART's pyramid slows
 * it down by up to sqrt(2) mu g if it slides between the axes. With pyramids it makes the steps
 * of DartSolver, whose dense A comes from DART: 40 random heaps of boxes and a robot with motors move
 * alike. */
#include "check.hpp"

#include <perp/dart.hpp>

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SoftBodyNode.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cmath>
#include <random>

namespace
{

namespace dc = dart::constraint;
namespace dd = dart::dynamics;

constexpr double G = 9.81, MU = 0.5, STEP = 1e-3;

enum class Kind { Cones, Pyramids, Dense };

struct Scene {
  dart::simulation::WorldPtr world = dart::simulation::World::create();
  perp::DartConstraintSolver *bodies = nullptr;
  std::shared_ptr<perp::DartSolver> dense;

  explicit Scene(Kind kind)
  {
    std::unique_ptr<dc::ConstraintSolver> solver;
    if (kind == Kind::Dense) {
      dense = std::make_shared<perp::DartSolver>();
      solver = std::make_unique<dc::BoxedLcpConstraintSolver>(dense, nullptr);
    } else {
      auto ours = std::make_unique<perp::DartConstraintSolver>(
          perp::EngineSettings(),
          kind == Kind::Cones ? perp::DartFriction::Cones : perp::DartFriction::Pyramids);
      bodies = ours.get();
      solver = std::move(ours);
    }
    solver->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    world->setConstraintSolver(std::move(solver));
    world->setGravity(Eigen::Vector3d(0, 0, -G));
    world->setTimeStep(STEP);
    addBox<dd::WeldJoint>("floor", Eigen::Vector3d(20, 20, 1));
  }

  const perp::EngineStatistics &statistics() const
  {
    return bodies ? bodies->statistics() : dense->statistics();
  }
  bool allSolved() const
  {
    return statistics().steps > 0 && statistics().solved == statistics().steps;
  }

  template <class Joint> dd::BodyNode *addBox(const std::string &name, const Eigen::Vector3d &edges)
  {
    const auto skeleton = dd::Skeleton::create(name);
    const auto pair = skeleton->createJointAndBodyNodePair<Joint>();
    furnish(pair.second, edges);
    pair.first->setTransformFromParentBodyNode(
        Eigen::Isometry3d(Eigen::Translation3d(0, 0, -0.5 * edges.z())));
    world->addSkeleton(skeleton);
    return pair.second;
  }

  dd::BodyNode *addFree(const Eigen::Vector3d &edges, const Eigen::Isometry3d &pose)
  {
    dd::BodyNode *node =
        addBox<dd::FreeJoint>("box " + std::to_string(world->getNumSkeletons()), edges);
    node->getParentJoint()->setTransformFromParentBodyNode(Eigen::Isometry3d::Identity());
    dd::FreeJoint::setTransformOf(node, pose);
    return node;
  }

  static void furnish(dd::BodyNode *node, const Eigen::Vector3d &edges)
  {
    const auto shape = std::make_shared<dd::BoxShape>(edges);
    const double mass = 1000 * edges.prod();
    node->setInertia(dd::Inertia(mass, Eigen::Vector3d::Zero(), shape->computeInertia(mass)));
    auto *part = node->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(shape);
    part->getDynamicsAspect()->setFrictionCoeff(MU);
  }
};

/* Returns the deceleration, relative to mu g, of a flat box that slides at this angle to the axes. */
double slideAt(double angle, Kind kind, bool *solved)
{
  enum { SETTLE = 50, STEPS = 200 };
  Scene scene(kind);
  dd::BodyNode *box = scene.addFree(Eigen::Vector3d(1, 1, 0.02),
                                    Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.01)));
  auto *joint = static_cast<dd::FreeJoint *>(box->getParentJoint());
  const Eigen::Vector3d along(std::cos(angle), std::sin(angle), 0);
  joint->setLinearVelocity(3 * along);
  for (int k = 0; k < SETTLE; k++)
    scene.world->step();
  const double before = box->getCOMLinearVelocity().norm();
  for (int k = 0; k < STEPS; k++)
    scene.world->step();
  *solved = scene.allSolved();
  return (before - box->getCOMLinearVelocity().norm()) / (STEPS * STEP * MU * G);
}

void testCone()
{
  double worst = 0, pyramid = 0;
  bool all = true;
  for (int k = 0; k < 8; k++) {
    bool solved;
    worst = std::max(worst, std::abs(slideAt(0.1 + k * 0.7, Kind::Cones, &solved) - 1));
    all = all && solved;
  }
  for (const double angle : {0.0, 0.785, 1.2}) {
    bool solved;
    pyramid = std::max(pyramid, slideAt(angle, Kind::Pyramids, &solved));
    all = all && solved;
  }
  check("a box slows down by mu g in eight directions", worst < 1e-4, std::to_string(worst));
  check("a pyramid is not a cone", pyramid > 1.2, std::to_string(pyramid));
  check("every step of these is solved", all);
}

/* Returns the positions of all boxes of a random heap after some steps. */
std::vector<double> heap(unsigned seed, Kind kind, bool *solved)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Scene scene(kind);
  std::vector<dd::BodyNode *> boxes;
  for (int k = 0; k < 6; k++) {
    Eigen::Vector3d edges;
    for (int i = 0; i < 3; i++)
      edges[i] = 0.2 + 0.3 * unit(random);
    Eigen::Isometry3d pose(
        Eigen::Translation3d(0.3 * unit(random), 0.3 * unit(random), 0.3 + 0.45 * k));
    pose.rotate(
        Eigen::AngleAxisd(unit(random), Eigen::Vector3d(unit(random), 1, 0.2).normalized()));
    boxes.push_back(scene.addFree(edges, pose));
  }
  for (int k = 0; k < 250; k++)
    scene.world->step();
  *solved = scene.allSolved();
  std::vector<double> at;
  for (const dd::BodyNode *box : boxes)
    for (int i = 0; i < 3; i++)
      at.push_back(box->getWorldTransform().translation()[i]);
  return at;
}

double distance(const std::vector<double> &a, const std::vector<double> &b)
{
  double most = 0;
  for (std::size_t k = 0; k < a.size(); k++)
    most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

/* Heaps are sensitive: contacts that both solvers treat alike up to the tolerance may still be found at
 * other points later. So most must agree, not all. */
void testHeaps()
{
  enum { HEAPS = 40 };
  int alike = 0, solved = 0;
  for (unsigned seed = 1; seed <= HEAPS; seed++) {
    bool ours, dense, cones;
    alike += distance(heap(seed, Kind::Pyramids, &ours), heap(seed, Kind::Dense, &dense)) < 1e-5;
    heap(seed, Kind::Cones, &cones);
    solved += ours && dense && cones;
  }
  check("heaps move as with DART's matrix", alike >= HEAPS * 9 / 10,
        std::to_string(alike) + " of 40");
  check("every step of every heap is solved", solved == HEAPS, std::to_string(solved) + " of 40");
}

/* Two hinged arms that stand on the floor, held by motors: a tree of joints with bounded rows. */
std::vector<double> robot(Kind kind, bool *solved)
{
  Scene scene(kind);
  dd::BodyNode *trunk = scene.addFree(Eigen::Vector3d(0.4, 0.4, 0.2),
                                      Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.62)));
  const auto skeleton = trunk->getSkeleton();
  for (const double side : {-0.15, 0.15}) {
    const std::string name = side < 0 ? "left" : "right";
    dd::RevoluteJoint::Properties hip;
    hip.mName = name + " hip";
    const auto leg = trunk->createChildJointAndBodyNodePair<dd::RevoluteJoint>(
        hip, dd::BodyNode::AspectProperties(name));
    Scene::furnish(leg.second, Eigen::Vector3d(0.3, 0.1, 0.5));
    leg.first->setTransformFromParentBodyNode(
        Eigen::Isometry3d(Eigen::Translation3d(0, side, -0.1)));
    leg.first->setTransformFromChildBodyNode(Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.25)));
    leg.first->setAxis(Eigen::Vector3d::UnitY());
    leg.first->setActuatorType(dd::Joint::SERVO);
    leg.first->setForceLowerLimit(0, -5);
    leg.first->setForceUpperLimit(0, 5);
    leg.first->setCommand(0, side > 0 ? 0.3 : -0.2);
  }
  for (int k = 0; k < 400; k++)
    scene.world->step();
  *solved = scene.allSolved();
  std::vector<double> q;
  for (std::size_t k = 0; k < skeleton->getNumDofs(); k++)
    q.push_back(skeleton->getPosition(k));
  return q;
}

void testRobot()
{
  bool solved[3];
  const auto ours = robot(Kind::Pyramids, &solved[0]), dense = robot(Kind::Dense, &solved[1]);
  robot(Kind::Cones, &solved[2]);
  check("a robot moves as with DART's matrix", distance(ours, dense) < 1e-5,
        std::to_string(distance(ours, dense)));
  check("every step of the robot is solved", solved[0] && solved[1] && solved[2]);
}

/* A motor whose force limits are inverted gives bounds lo > hi. */
void testWrong()
{
  Scene scene(Kind::Cones);
  const auto skeleton = dd::Skeleton::create("arm");
  auto *joint = skeleton->createJointAndBodyNodePair<dd::RevoluteJoint>().first;
  joint->setActuatorType(dd::Joint::SERVO);
  joint->setForceLowerLimit(0, 10);
  joint->setForceUpperLimit(0, -10);
  joint->setCommand(0, 1);
  scene.world->addSkeleton(skeleton);
  scene.world->step();
  check("inverted bounds are refused by their row",
        scene.statistics().refused == 1 && contains(scene.statistics().last, "[0]"),
        scene.statistics().last);
}

void testSoft()
{
  Scene scene(Kind::Cones);
  const auto skeleton = dd::Skeleton::create("jelly");
  const auto properties = dd::SoftBodyNodeHelper::makeBoxProperties(
      Eigen::Vector3d(0.3, 0.3, 0.3), Eigen::Isometry3d::Identity(), Eigen::Vector3i(3, 3, 3), 5);
  dd::FreeJoint::Properties joint;
  auto *node =
      skeleton
          ->createJointAndBodyNodePair<dd::FreeJoint, dd::SoftBodyNode>(
              nullptr, joint,
              dd::SoftBodyNode::Properties(dd::BodyNode::AspectProperties("jelly"), properties))
          .second;
  for (dd::ShapeNode *shape : node->getShapeNodesWith<dd::CollisionAspect>())
    shape->removeCollisionAspect(); /* the detector has no soft shapes */
  scene.world->addSkeleton(skeleton);
  scene.addFree(Eigen::Vector3d(1, 1, 1), Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.5)));
  for (int k = 0; k < 50; k++)
    scene.world->step();
  const perp::EngineStatistics &soft = scene.bodies->softStatistics();
  check("a world with a soft body uses DART's matrix",
        scene.statistics().steps == 0 && soft.steps > 0, std::to_string(soft.steps) + " steps");
}

} // namespace

int main()
{
  testCone();
  testHeaps();
  testRobot();
  testWrong();
  testSoft();
  return summary();
}
