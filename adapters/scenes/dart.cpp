/* dart.cpp: the scenes in DART, with its Dantzig and PGS solvers and ours */
#include "scenes/dart_parts.hpp"
#include "scenes/settings.hpp"

#include <perp/dart.hpp>

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cmath>

namespace
{

using namespace scenes;
namespace dc = dart::constraint;
namespace dd = dart::dynamics;

/* A solver of DART's, and how far its x is from Coulomb's law. */
class Judged : public perp::DartSolver
{
public:
  explicit Judged(dc::BoxedLcpSolverPtr own) : own_(std::move(own))
  {
  }
  double worst = -1;

  bool solve(int n, double *A, double *x, double *b, int nub, double *lo, double *hi, int *findex,
             bool early) override
  {
    const double begin = seconds();
    read(n, A, b, nub, lo, hi, findex); /* now: DART's solvers change what they are given */
    perp_operator *matrix = nullptr;
    perp_operator_dense(n, engine().entries.data(), n, PERP_BORROW, &matrix, nullptr);
    const double at = seconds();
    const bool solved = own_->solve(n, A, x, b, nub, lo, hi, findex, early);
    const double own = seconds() - at;
    std::copy(x, x + n, engine().x.begin());
    worst = std::max(worst, engine().residual(matrix));
    perp_operator_destroy(matrix);
    judging += seconds() - begin - own;
    return solved;
  }

private:
  dc::BoxedLcpSolverPtr own_;
};

enum class Kind { Dantzig, Pgs, Perp, PerpLimited, PerpPyramids, PerpDense, PerpFrozen };

class DartWorld : public World
{
public:
  explicit DartWorld(Kind kind) : world_(dart::simulation::World::create())
  {
    std::unique_ptr<dc::ConstraintSolver> constraints;
    if (kind == Kind::Perp || kind == Kind::PerpLimited || kind == Kind::PerpPyramids) {
      auto ours = std::make_unique<perp::DartConstraintSolver>(
          settings({}, kind == Kind::PerpLimited),
          kind == Kind::PerpPyramids ? perp::DartFriction::Pyramids : perp::DartFriction::Cones);
      statistics_ = &ours->statistics();
      constraints = std::move(ours);
    } else {
      constraints = std::make_unique<dc::BoxedLcpConstraintSolver>(makeSolver(kind), nullptr);
    }
    constraints->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    world_->setConstraintSolver(std::move(constraints));
    dc::ContactConstraint::setConstraintForceMixing(compliance_); /* it belongs to all worlds */
    world_->setGravity(Eigen::Vector3d(0, 0, -9.81));
  }

  void create(const Body &body) override
  {
    const auto skeleton = dd::Skeleton::create("body " + std::to_string(nodes_.size()));
    const Eigen::Isometry3d pose = transform(body.at, body.turn);
    dd::BodyNode *node;
    if (body.planar && body.mass > 0) {
      const auto pair = skeleton->createJointAndBodyNodePair<dd::PlanarJoint>();
      pair.first->setArbitraryPlane(Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitZ());
      pair.first->setPositions(Eigen::Vector3d(body.at[0], body.at[2], 0));
      node = pair.second;
      const double inertia = 0.5 * body.mass * body.half[0] * body.half[0];
      node->setInertia(
          dd::Inertia(body.mass, Eigen::Vector3d::Zero(), inertia * Eigen::Matrix3d::Identity()));
    } else if (body.mass > 0) {
      node = skeleton->createJointAndBodyNodePair<dd::FreeJoint>().second;
      Part whole;
      whole.half = body.half;
      whole.sphere = body.sphere;
      node->setInertia(dd::Inertia(body.mass, Eigen::Vector3d::Zero(),
                                   shapeOf(whole)->computeInertia(body.mass)));
      dd::FreeJoint::setTransformOf(node, pose);
      static_cast<dd::FreeJoint *>(node->getParentJoint())
          ->setLinearVelocity(vector(body.velocity));
      static_cast<dd::FreeJoint *>(node->getParentJoint())->setAngularVelocity(vector(body.spin));
    } else {
      const auto pair = skeleton->createJointAndBodyNodePair<dd::WeldJoint>();
      pair.first->setTransformFromParentBodyNode(pose);
      node = pair.second;
    }
    addShape(node, body);
    world_->addSkeleton(skeleton);
    nodes_.push_back(node);
  }

  void link(int a, int b, Vec point) override
  {
    const Eigen::Vector3d p(point[0], point[1], point[2]);
    dc::BallJointConstraintPtr joint =
        b < 0 ? std::make_shared<dc::BallJointConstraint>(at(a), p)
              : std::make_shared<dc::BallJointConstraint>(at(a), at(b), p);
    world_->getConstraintSolver()->addConstraint(joint);
  }

  /* DART's own compliance lets a heavy stack sink, whatever solves it: tests/dart_sinking.cpp. */
  void harden() override
  {
    dc::ContactConstraint::setConstraintForceMixing(1e-9);
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

  State state(int body) const override
  {
    const dd::BodyNode *node = at(body);
    const Eigen::Quaterniond q(node->getWorldTransform().linear());
    return {numbers(node->getWorldTransform().translation()),
            {q.w(), q.x(), q.y(), q.z()},
            numbers(node->getCOMLinearVelocity()),
            numbers(node->getAngularVelocity())};
  }

  int contacts() const override
  {
    return static_cast<int>(world_->getLastCollisionResult().getNumContacts());
  }

  double overlap() const override
  {
    double deepest = 0;
    for (const auto &contact : world_->getLastCollisionResult().getContacts())
      deepest = std::max(deepest, contact.penetrationDepth);
    return deepest;
  }

  int addQuadruped() override
  {
    return scenes::addQuadruped(*world_, nodes_, bodies);
  }

  std::int64_t solves() const override
  {
    return statistics_ ? statistics_->steps : -1;
  }
  double residual() const override
  {
    return statistics_ ? statistics_->worst : own_->worst;
  }

  std::int64_t unsolved() const override
  {
    return statistics_ ? statistics_->steps - statistics_->solved : -1;
  }
  std::string message() const override
  {
    return statistics_ ? statistics_->last : "";
  }

private:
  dc::BoxedLcpSolverPtr makeSolver(Kind kind)
  {
    if (kind == Kind::PerpDense || kind == Kind::PerpFrozen) {
      auto ours = std::make_shared<perp::DartSolver>(settings(), kind == Kind::PerpDense
                                                                     ? perp::DartNormals::True
                                                                     : perp::DartNormals::Frozen);
      statistics_ = &ours->statistics();
      return ours;
    }
    dc::BoxedLcpSolverPtr solver;
    if (kind == Kind::Dantzig)
      solver = std::make_shared<dc::DantzigBoxedLcpSolver>();
    else
      solver = std::make_shared<dc::PgsBoxedLcpSolver>();
    return own_ = std::make_shared<Judged>(std::move(solver));
  }

  dd::BodyNode *at(int body) const
  {
    return nodes_[static_cast<std::size_t>(body)];
  }

  static constexpr double compliance_ = 1e-5; /* DART's default */
  dart::simulation::WorldPtr world_;
  const perp::EngineStatistics *statistics_ = nullptr; /* of ours */
  std::shared_ptr<Judged> own_;                        /* DART's; one of the two */
  std::vector<dd::BodyNode *> nodes_;                  /* owned by the skeletons of the world */
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
    {"dantzig", false, make<Kind::Dantzig>, "silo", Crowds::Too},
    {"pgs", false, make<Kind::Pgs>, "silo", Crowds::Too},
    {"perp", true, make<Kind::Perp>},
    {"perp, 16 ms", true, make<Kind::PerpLimited>, "", Crowds::Only},
    {"perp, pyramids", true, make<Kind::PerpPyramids>},
    {"perp, dense", true, make<Kind::PerpDense>},
    {"perp, frozen normals", true, make<Kind::PerpFrozen>},
};

} // namespace scenes
