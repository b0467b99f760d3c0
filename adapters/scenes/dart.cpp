/* dart.cpp: the scenes in DART, with its Dantzig and PGS solvers and ours */
#include "scenes/world.hpp"

#include <perp/dart.hpp>

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cmath>

namespace
{

using namespace scenes;
namespace dc = dart::constraint;
namespace dd = dart::dynamics;

enum class Kind { Dantzig, Pgs, Perp, PerpFrozen };

class DartWorld : public World
{
public:
  explicit DartWorld(Kind kind) : world_(dart::simulation::World::create())
  {
    dc::BoxedLcpSolverPtr solver;
    if (kind == Kind::Dantzig)
      solver = std::make_shared<dc::DantzigBoxedLcpSolver>();
    else if (kind == Kind::Pgs)
      solver = std::make_shared<dc::PgsBoxedLcpSolver>();
    else
      solver = ours_ = std::make_shared<perp::DartSolver>(
          perp::EngineSettings(),
          kind == Kind::Perp ? perp::DartNormals::True : perp::DartNormals::Frozen);
    auto constraints = std::make_unique<dc::BoxedLcpConstraintSolver>(solver, nullptr);
    constraints->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    world_->setConstraintSolver(std::move(constraints));
    world_->setGravity(Eigen::Vector3d(0, 0, -9.81));
  }

  int add(const Body &body) override
  {
    const auto skeleton = dd::Skeleton::create("body " + std::to_string(skeletons_.size()));
    dd::ShapePtr shape;
    if (body.sphere)
      shape = std::make_shared<dd::SphereShape>(body.half[0]);
    else
      shape = std::make_shared<dd::BoxShape>(
          Eigen::Vector3d(2 * body.half[0], 2 * body.half[1], 2 * body.half[2]));
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Eigen::Vector3d(body.at[0], body.at[1], body.at[2]);
    pose.linear() = Eigen::AngleAxisd(body.tilt, Eigen::Vector3d::UnitY()).toRotationMatrix();
    dd::BodyNode *node;
    if (body.mass > 0) {
      node = skeleton->createJointAndBodyNodePair<dd::FreeJoint>().second;
      node->setInertia(
          dd::Inertia(body.mass, Eigen::Vector3d::Zero(), shape->computeInertia(body.mass)));
      dd::FreeJoint::setTransformOf(node, pose);
    } else {
      const auto pair = skeleton->createJointAndBodyNodePair<dd::WeldJoint>();
      pair.first->setTransformFromParentBodyNode(pose);
      node = pair.second;
    }
    auto *shapeNode = node->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(shape);
    shapeNode->getDynamicsAspect()->setFrictionCoeff(body.mu);
    world_->addSkeleton(skeleton);
    skeletons_.push_back(skeleton);
    return static_cast<int>(skeletons_.size()) - 1;
  }

  void link(int a, int b, Vec point) override
  {
    const Eigen::Vector3d p(point[0], point[1], point[2]);
    dc::BallJointConstraintPtr joint =
        b < 0 ? std::make_shared<dc::BallJointConstraint>(at(a), p)
              : std::make_shared<dc::BallJointConstraint>(at(a), at(b), p);
    world_->getConstraintSolver()->addConstraint(joint);
  }

  void force(int body, Vec force) override
  {
    at(body)->addExtForce(Eigen::Vector3d(force[0], force[1], force[2]), Eigen::Vector3d::Zero(),
                          false);
  }

  void step(double dt) override
  {
    world_->setTimeStep(dt);
    world_->step();
  }

  Vec position(int body) const override
  {
    const Eigen::Vector3d p = skeletons_[static_cast<std::size_t>(body)]
                                  ->getBodyNode(0)
                                  ->getWorldTransform()
                                  .translation();
    return {p.x(), p.y(), p.z()};
  }

  std::int64_t solves() const override
  {
    return ours_ ? ours_->statistics().steps : -1;
  }
  std::int64_t unsolved() const override
  {
    return ours_ ? ours_->statistics().steps - ours_->statistics().solved : -1;
  }
  std::string message() const override
  {
    return ours_ ? ours_->statistics().last : "";
  }

private:
  dd::BodyNode *at(int body) const
  {
    return skeletons_[static_cast<std::size_t>(body)]->getBodyNode(0);
  }

  dart::simulation::WorldPtr world_;
  std::shared_ptr<perp::DartSolver> ours_;
  std::vector<dd::SkeletonPtr> skeletons_;
};

template <Kind kind> std::unique_ptr<World> make()
{
  return std::make_unique<DartWorld>(kind);
}

} // namespace

namespace scenes
{

const char *const engine = "dart";
const std::vector<Solver> solvers = {
    {"dantzig", false, make<Kind::Dantzig>},
    {"pgs", false, make<Kind::Pgs>},
    {"perp", true, make<Kind::Perp>},
    {"perp, frozen normals", true, make<Kind::PerpFrozen>},
};

} // namespace scenes
