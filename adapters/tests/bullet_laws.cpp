/* bullet_laws.cpp: laws.hpp in Bullet, whose numbers are floats */
#include "laws.hpp"

#include <perp/bullet.hpp>

#include <btBulletDynamicsCommon.h>

#include <memory>

namespace
{

btScalar real(double value)
{
  return static_cast<btScalar>(value);
}

class BulletWorld
{
public:
  static constexpr double G = 9.81, H = 0.01, TOL = sizeof(btScalar) == 4 ? 2e-3 : 1e-9, SLIP = TOL;

  explicit BulletWorld(bool gravity)
  {
    world_->setGravity(btVector3(0, 0, real(gravity ? -G : 0)));
    world_->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (btRigidBody *plane : {&floor_, &ceiling_}) {
      plane->setFriction(1);
      plane->setRestitution(1);
    }
    world_->addRigidBody(&floor_);
    if (!gravity)
      world_->addRigidBody(&ceiling_);
  }
  ~BulletWorld()
  {
    for (int k = world_->getNumCollisionObjects() - 1; k >= 0; k--)
      world_->removeCollisionObject(world_->getCollisionObjectArray()[k]);
  }
  void ball(double height, double speed, double e)
  {
    make(std::make_unique<btSphereShape>(real(0.25)), 0.25 + height, btVector3(0, 0, real(speed)));
    body_->setRestitution(real(e));
    body_->setFriction(0);
  }
  void box(double speed, double staticFriction)
  {
    perp::EngineSettings settings = perp::bulletSettings();
    settings.staticFriction = staticFriction;
    solver_ = std::make_unique<perp::BulletSolver>(settings);
    world_->setConstraintSolver(solver_.get());
    world_->removeRigidBody(&floor_);
    world_->addRigidBody(&slab_); /* four contacts at once */
    slab_.setFriction(1);
    make(std::make_unique<btBoxShape>(btVector3(real(0.5), real(0.5), real(0.1))), 0.6,
         btVector3(real(speed), 0, 0));
    body_->setFriction(real(0.3));
  }
  void push(double acceleration)
  {
    body_->applyForce(btVector3(real(acceleration), 0, 0), btVector3(0, 0, real(-0.1)));
  }
  void step()
  {
    world_->stepSimulation(real(H), 1, real(H));
  }
  double height() const
  {
    return static_cast<double>(body_->getCenterOfMassPosition().z());
  }
  double speed() const
  {
    return static_cast<double>(body_->getLinearVelocity().z());
  }
  double slide() const
  {
    return static_cast<double>(body_->getLinearVelocity().x());
  }
  bool solved() const
  {
    const perp::EngineStatistics &s = solver_->statistics();
    return s.steps > 0 && s.solved == s.steps;
  }

private:
  void make(std::unique_ptr<btConvexInternalShape> shape, double height, const btVector3 &v)
  {
    btVector3 inertia;
    shape->calculateLocalInertia(1, inertia);
    shape_ = std::move(shape);
    body_ = std::make_unique<btRigidBody>(real(1), nullptr, shape_.get(), inertia);
    body_->setCenterOfMassTransform(
        btTransform(btQuaternion::getIdentity(), btVector3(0, 0, real(height))));
    body_->setLinearVelocity(v);
    body_->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(body_.get());
  }

  std::unique_ptr<perp::BulletSolver> solver_ = std::make_unique<perp::BulletSolver>();
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_ = std::make_unique<btDiscreteDynamicsWorld>(
      &dispatcher_, &broadphase_, solver_.get(), &configuration_);
  btStaticPlaneShape up_{btVector3(0, 0, 1), 0}, down_{btVector3(0, 0, -1), -3};
  btBoxShape thick_{btVector3(10, 10, real(0.5))};
  btRigidBody slab_{0, nullptr, &thick_};
  btRigidBody floor_{0, nullptr, &up_}, ceiling_{0, nullptr, &down_};
  std::unique_ptr<btConvexInternalShape> shape_;
  std::unique_ptr<btRigidBody> body_;
};

} // namespace

int main()
{
  return testLaws<BulletWorld>("Bullet");
}
