/* bullet.cpp: the scenes in Bullet, with its sequential impulses, its Dantzig solver and ours */
#include "scenes/settings.hpp"
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

Vec numbers(const btVector3 &v)
{
  return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/* Bullet's own sweeps, and how far they are from a solution. */
class JudgedImpulses : public perp::BulletSolver
{
public:
  double worst = -1;

protected:
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int numBodies,
                                             btPersistentManifold **manifolds, int numManifolds,
                                             btTypedConstraint **constraints, int numConstraints,
                                             const btContactSolverInfo &info,
                                             btIDebugDraw *drawer) override
  {
    const double begin = seconds();
    double own = 0;
    btScalar left = 0;
    worst = std::max(worst, judge([&] {
                       const double at = seconds();
                       left =
                           btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
                               bodies, numBodies, manifolds, numManifolds, constraints,
                               numConstraints, info, drawer);
                       own = seconds() - at;
                     }));
    judging += seconds() - begin - own;
    return left;
  }
};

enum class Kind { Impulses, ManyImpulses, SameTime, Dantzig, PerpMlcp, Perp, PerpLimited };

class BulletWorld : public World
{
public:
  explicit BulletWorld(Kind kind) : dispatcher_(&configuration_), adapts_(kind == Kind::SameTime)
  {
    switch (kind) {
    case Kind::Impulses:
    case Kind::ManyImpulses:
    case Kind::SameTime:
      solver_ = std::make_unique<JudgedImpulses>();
      break;
    case Kind::Dantzig:
      mlcp_ = std::make_unique<btDantzigSolver>();
      break;
    case Kind::PerpMlcp:
      mlcp_ = std::make_unique<perp::BulletMlcpSolver>(settings());
      break;
    case Kind::Perp:
    case Kind::PerpLimited:
      solver_ = std::make_unique<perp::BulletSolver>(
          settings(perp::bulletSettings(), kind == Kind::PerpLimited));
      break;
    }
    if (mlcp_)
      solver_ = std::make_unique<btMLCPSolver>(mlcp_.get());
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, solver_.get(),
                                                       &configuration_);
    world_->setGravity(btVector3(0, 0, btScalar(-9.81)));
    world_->getSolverInfo().m_minimumSolverBatchSize = 1; /* an island is a problem */
    if (kind == Kind::ManyImpulses)
      world_->getSolverInfo().m_numIterations = 1000;
    /* By default friction acts only along the slip, and bodies held by friction creep. */
    world_->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  }

  ~BulletWorld() override
  {
    for (const auto &joint : joints_)
      world_->removeConstraint(joint.get());
    for (const auto &body : bodies_)
      world_->removeRigidBody(body.get());
  }

  void create(const Body &body) override
  {
    const auto mass = static_cast<btScalar>(body.mass);
    btVector3 inertia(0, 0, 0);
    if (body.sphere && mass > 0)
      btSphereShape(static_cast<btScalar>(body.half[0])).calculateLocalInertia(mass, inertia);
    else if (mass > 0)
      btBoxShape(vector(body.half)).calculateLocalInertia(mass, inertia);
    if (body.planar)
      inertia.setY(static_cast<btScalar>(0.5 * body.mass * body.half[0] * body.half[0]));
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapeOf(body), inertia);
    info.m_startWorldTransform = transform(body.at, body.turn);
    info.m_friction = static_cast<btScalar>(std::sqrt(body.mu)); /* Bullet multiplies the two */
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    if (body.planar && mass > 0) {
      bodies_.back()->setLinearFactor(btVector3(1, 0, 1));
      bodies_.back()->setAngularFactor(btVector3(0, 1, 0));
    }
    bodies_.back()->setLinearVelocity(vector(body.velocity));
    bodies_.back()->setAngularVelocity(vector(body.spin));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(bodies_.back().get());
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
    if (adapts_)
      world_->getSolverInfo().m_numIterations = sweeps_.count();
    world_->stepSimulation(static_cast<btScalar>(dt), 1, static_cast<btScalar>(dt));
  }
  void adapt(double took, double whole) override
  {
    sweeps_.adapt(took, whole);
  }

  State state(int body) const override
  {
    const btRigidBody &b = *bodies_[static_cast<std::size_t>(body)];
    const btQuaternion q = b.getOrientation();
    return {numbers(b.getCenterOfMassPosition()),
            {static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()),
             static_cast<double>(q.z())},
            numbers(b.getLinearVelocity()),
            numbers(b.getAngularVelocity())};
  }

  int contacts() const override
  {
    int count = 0;
    for (int k = 0; k < dispatcher_.getNumManifolds(); k++)
      count += dispatcher_.getManifoldByIndexInternal(k)->getNumContacts();
    return count;
  }

  double overlap() const override
  {
    double deepest = 0;
    for (int k = 0; k < dispatcher_.getNumManifolds(); k++) {
      const btPersistentManifold *manifold = dispatcher_.getManifoldByIndexInternal(k);
      for (int i = 0; i < manifold->getNumContacts(); i++)
        deepest =
            std::max(deepest, -static_cast<double>(manifold->getContactPoint(i).getDistance()));
    }
    return deepest;
  }

  std::int64_t solves() const override
  {
    return ours() ? ours()->steps : -1;
  }

  double residual() const override
  {
    if (const auto *judged = dynamic_cast<const JudgedImpulses *>(solver_.get()))
      return judged->worst;
    return ours() ? ours()->worst : -1;
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
  static btTransform transform(const Vec &at, const Quaternion &q)
  {
    const btQuaternion turn(static_cast<btScalar>(q[1]), static_cast<btScalar>(q[2]),
                            static_cast<btScalar>(q[3]), static_cast<btScalar>(q[0]));
    return btTransform(turn, vector(at));
  }

  btCollisionShape *shapeOf(const Body &body)
  {
    const std::vector<Part> parts = partsOf(body);
    auto whole = std::make_unique<btCompoundShape>();
    for (const Part &part : parts) {
      if (part.sphere) {
        shapes_.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(part.half[0])));
      } else {
        shapes_.push_back(std::make_unique<btBoxShape>(vector(part.half)));
        shapes_.back()->setMargin(btScalar(0.001));
      }
      whole->addChildShape(transform(part.at, aboutY(part.tilt)), shapes_.back().get());
    }
    if (body.parts.empty())
      return shapes_.back().get();
    shapes_.push_back(std::move(whole));
    return shapes_.back().get();
  }

  btRigidBody &at(int body)
  {
    return *bodies_[static_cast<std::size_t>(body)];
  }

  const perp::EngineStatistics *ours() const
  {
    if (const auto *mlcp = dynamic_cast<const perp::BulletMlcpSolver *>(mlcp_.get()))
      return &mlcp->statistics();
    const auto *perp = dynamic_cast<const perp::BulletSolver *>(solver_.get());
    return perp && !dynamic_cast<const JudgedImpulses *>(perp) ? &perp->statistics() : nullptr;
  }

  Sweeps sweeps_{10};
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btMLCPSolverInterface> mlcp_;
  std::unique_ptr<btConstraintSolver> solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  bool adapts_;
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
    {"sequential impulses", false, make<Kind::Impulses>, "", Crowds::Too},
    {"impulses, same time", false, make<Kind::SameTime>, "", Crowds::Only},
    {"impulses, 1000 sweeps", false, make<Kind::ManyImpulses>},
    {"dantzig", false, make<Kind::Dantzig>},
    {"perp, dense", true, make<Kind::PerpMlcp>, "pyramid"},
    {"perp", true, make<Kind::Perp>},
    {"perp, 16 ms", true, make<Kind::PerpLimited>, "", Crowds::Only},
};

} // namespace scenes
