// docs/engines/dart.md: perp::DartConstraintSolver
// A box falls on the ground of a world whose solver is the page's.
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

int main()
{
  using namespace dart::dynamics;
  auto world = dart::simulation::World::create();
  // BLOCK
  for (int k = 0; k < 2; k++) {
    auto skeleton = Skeleton::create(k ? "box" : "ground");
    BodyNode *body = k ? skeleton->createJointAndBodyNodePair<FreeJoint>().second
                       : skeleton->createJointAndBodyNodePair<WeldJoint>().second;
    body->createShapeNodeWith<VisualAspect, CollisionAspect, DynamicsAspect>(
        std::make_shared<BoxShape>(Eigen::Vector3d::Constant(k ? 0.2 : 1.0)));
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.translation() << 0, 0, k ? 0.599 : 0;
    skeleton->getJoint(0)->setTransformFromParentBodyNode(place);
    world->addSkeleton(skeleton);
  }
  for (int k = 0; k < 20; k++)
    world->step();
  auto *solver = static_cast<perp::DartConstraintSolver *>(world->getConstraintSolver());
  const perp::EngineStatistics &s = solver->statistics();
  return s.steps == 0 || s.solved != s.steps;
}
