/* dart_laws.cpp: laws.hpp in DART */
#include "laws.hpp"

#include <perp/dart.hpp>

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

namespace
{

namespace dd = dart::dynamics;

class DartWorld
{
public:
  static constexpr double G = 9.81, H = 0.01, TOL = 1e-9, SLIP = 1e-7;

  explicit DartWorld(bool gravity) : gravity_(gravity)
  {
  }
  void ball(double height, double speed, double e)
  {
    start(1, 0, e);
    body_ = add<dd::FreeJoint>(std::make_shared<dd::SphereShape>(0.25), 0.25 + height, 0, e);
    body_->getSkeleton()->setVelocity(5, speed);
  }
  void box(double speed, double staticFriction)
  {
    start(staticFriction, 0.3, 0);
    body_ =
        add<dd::FreeJoint>(std::make_shared<dd::BoxShape>(Eigen::Vector3d(1, 1, 0.2)), 0.1, 0.3, 0);
    body_->getSkeleton()->setVelocity(3, speed);
  }
  void push(double acceleration)
  {
    body_->addExtForce(Eigen::Vector3d(body_->getMass() * acceleration, 0, 0),
                       Eigen::Vector3d(0, 0, -0.1), false, true);
  }
  void step()
  {
    world_->step();
  }
  double height() const
  {
    return body_->getWorldTransform().translation().z();
  }
  double speed() const
  {
    return body_->getLinearVelocity().z();
  }
  double slide() const
  {
    return body_->getLinearVelocity().x();
  }
  bool solved() const
  {
    return solver_->statistics().steps > 0 &&
           solver_->statistics().solved == solver_->statistics().steps;
  }

private:
  void start(double staticFriction, double mu, double e)
  {
    perp::EngineSettings settings;
    settings.staticFriction = staticFriction;
    auto solver = std::make_unique<perp::DartConstraintSolver>(settings);
    solver_ = solver.get();
    solver->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    world_->setConstraintSolver(std::move(solver));
    world_->setGravity(Eigen::Vector3d(0, 0, gravity_ ? -G : 0));
    world_->setTimeStep(H);
    const auto slab = std::make_shared<dd::BoxShape>(Eigen::Vector3d(20, 20, 1));
    add<dd::WeldJoint>(slab, -0.5, mu, e > 0 ? 1 : 0);
    if (!gravity_)
      add<dd::WeldJoint>(slab, 3.5, mu, 1);
  }

  template <class Joint>
  dd::BodyNode *add(const dd::ShapePtr &shape, double height, double mu, double e)
  {
    const auto skeleton = dd::Skeleton::create("body " + std::to_string(world_->getNumSkeletons()));
    const auto pair = skeleton->createJointAndBodyNodePair<Joint>();
    pair.second->setInertia(dd::Inertia(1, Eigen::Vector3d::Zero(), shape->computeInertia(1)));
    auto *part =
        pair.second->template createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(shape);
    part->getDynamicsAspect()->setFrictionCoeff(mu);
    part->getDynamicsAspect()->setRestitutionCoeff(e);
    pair.first->setTransformFromParentBodyNode(
        Eigen::Isometry3d(Eigen::Translation3d(0, 0, height)));
    world_->addSkeleton(skeleton);
    return pair.second;
  }

  bool gravity_;
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  perp::DartConstraintSolver *solver_ = nullptr;
  dd::BodyNode *body_ = nullptr;
};

} // namespace

int main()
{
  return testLaws<DartWorld>("DART");
}
