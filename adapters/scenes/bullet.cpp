/* bullet.cpp: the scenes in Bullet, with its sequential impulses, its Dantzig solver and ours */
#include "scenes/world.hpp"

#include <perp/bullet.hpp>

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>

namespace
{

using namespace scenes;

btVector3 vector(const Vec &v)
{
  return btVector3(static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]),
                   static_cast<btScalar>(v[2]));
}

enum class Kind { Impulses, Dantzig, PerpMlcp, Perp };

class BulletWorld : public World
{
public:
  explicit BulletWorld(Kind kind) : dispatcher_(&configuration_)
  {
    switch (kind) {
    case Kind::Impulses:
      solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
      break;
    case Kind::Dantzig:
      mlcp_ = std::make_unique<btDantzigSolver>();
      break;
    case Kind::PerpMlcp:
      mlcp_ = std::make_unique<perp::BulletMlcpSolver>();
      break;
    case Kind::Perp:
      solver_ = std::make_unique<perp::BulletSolver>();
      break;
    }
    if (mlcp_)
      solver_ = std::make_unique<btMLCPSolver>(mlcp_.get());
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, solver_.get(),
                                                       &configuration_);
    world_->setGravity(btVector3(0, 0, btScalar(-9.81)));
    world_->getSolverInfo().m_minimumSolverBatchSize = 1; /* an island is a problem */
  }

  ~BulletWorld() override
  {
    for (const auto &joint : joints_)
      world_->removeConstraint(joint.get());
    for (const auto &body : bodies_)
      world_->removeRigidBody(body.get());
  }

  int add(const Body &body) override
  {
    if (body.sphere) {
      shapes_.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(body.half[0])));
    } else {
      shapes_.push_back(std::make_unique<btBoxShape>(vector(body.half)));
      shapes_.back()->setMargin(btScalar(0.001));
    }
    btVector3 inertia(0, 0, 0);
    const auto mass = static_cast<btScalar>(body.mass);
    if (mass > 0)
      shapes_.back()->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(vector(body.at));
    info.m_startWorldTransform.setRotation(
        btQuaternion(btVector3(0, 1, 0), static_cast<btScalar>(body.tilt)));
    info.m_friction = static_cast<btScalar>(std::sqrt(body.mu)); /* Bullet multiplies the two */
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(bodies_.back().get());
    return static_cast<int>(bodies_.size()) - 1;
  }

  void link(int a, int b, Vec point) override
  {
    btRigidBody &first = at(a);
    const btVector3 p = vector(point);
    const btVector3 local = first.getCenterOfMassTransform().inverse() * p;
    if (b < 0)
      joints_.push_back(std::make_unique<btPoint2PointConstraint>(first, local));
    else
      joints_.push_back(std::make_unique<btPoint2PointConstraint>(
          first, at(b), local, at(b).getCenterOfMassTransform().inverse() * p));
    world_->addConstraint(joints_.back().get(), true);
  }

  void force(int body, Vec force) override
  {
    at(body).applyCentralForce(vector(force));
  }

  void step(double dt) override
  {
    world_->stepSimulation(static_cast<btScalar>(dt), 1, static_cast<btScalar>(dt));
  }

  Vec position(int body) const override
  {
    const btVector3 &p = bodies_[static_cast<std::size_t>(body)]->getCenterOfMassPosition();
    return {static_cast<double>(p.x()), static_cast<double>(p.y()), static_cast<double>(p.z())};
  }

  std::int64_t solves() const override
  {
    return ours() ? ours()->steps : -1;
  }

  std::int64_t unsolved() const override
  {
    if (const perp::EngineStatistics *s = ours())
      return s->steps - s->solved;
    const auto *dantzig = dynamic_cast<const btMLCPSolver *>(solver_.get());
    return dantzig ? dantzig->getNumFallbacks() : -1;
  }

  std::string message() const override
  {
    return ours() ? ours()->last : "";
  }

private:
  btRigidBody &at(int body)
  {
    return *bodies_[static_cast<std::size_t>(body)];
  }

  const perp::EngineStatistics *ours() const
  {
    if (const auto *mlcp = dynamic_cast<const perp::BulletMlcpSolver *>(mlcp_.get()))
      return &mlcp->statistics();
    const auto *perp = dynamic_cast<const perp::BulletSolver *>(solver_.get());
    return perp ? &perp->statistics() : nullptr;
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btMLCPSolverInterface> mlcp_;
  std::unique_ptr<btConstraintSolver> solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btConvexInternalShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

template <Kind kind> std::unique_ptr<World> make()
{
  return std::make_unique<BulletWorld>(kind);
}

} // namespace

namespace scenes
{

const char *const engine = "bullet";
const std::vector<Solver> solvers = {
    {"sequential impulses", false, make<Kind::Impulses>},
    {"dantzig", false, make<Kind::Dantzig>},
    {"perp, dense", true, make<Kind::PerpMlcp>},
    {"perp", true, make<Kind::Perp>},
};

} // namespace scenes
