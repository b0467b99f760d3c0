/* quadruped.cpp: the robot on four legs, a skeleton of DART */
#include "scenes/dart_parts.hpp"

namespace scenes
{
namespace
{

namespace dd = dart::dynamics;

Body box(Vec half, double mass)
{
  Body body;
  body.half = half;
  body.mass = mass;
  body.mu = 0.8;
  return body;
}

void furnish(dd::BodyNode *node, const Body &body)
{
  node->setInertia(dd::Inertia(body.mass, Eigen::Vector3d::Zero(),
                               shapeOf(partsOf(body)[0])->computeInertia(body.mass)));
  addShape(node, body);
}

/* A part of a leg below `parent`, turned about the y axis at the height where they meet. */
dd::BodyNode *hang(dd::BodyNode *parent, const Vec &from, const Body &body, bool motor)
{
  const auto pair = parent->createChildJointAndBodyNodePair<dd::RevoluteJoint>();
  pair.first->setAxis(Eigen::Vector3d::UnitY());
  pair.first->setTransformFromParentBodyNode(transform(from));
  pair.first->setTransformFromChildBodyNode(transform({0, 0, body.half[2]}));
  if (motor) {
    pair.first->setActuatorType(dd::Joint::SERVO);
    pair.first->setForceLowerLimit(0, -60);
    pair.first->setForceUpperLimit(0, 60);
    pair.first->setCommand(0, 0); /* the velocity that the motor keeps */
  }
  furnish(pair.second, body);
  return pair.second;
}

} // namespace

int addQuadruped(dart::simulation::World &world, std::vector<dd::BodyNode *> &nodes,
                 std::vector<Body> &bodies)
{
  const Body trunk = box({0.4, 0.15, 0.08}, 12), thigh = box({0.03, 0.03, 0.12}, 0.8),
             shank = box({0.025, 0.025, 0.12}, 0.4), foot = box({0.06, 0.04, 0.02}, 0.2);
  const int first = static_cast<int>(nodes.size());
  const auto add = [&](dd::BodyNode *node, const Body &body) {
    nodes.push_back(node);
    bodies.push_back(body);
    return node;
  };
  const auto robot = dd::Skeleton::create("quadruped");
  robot->disableSelfCollisionCheck();
  dd::BodyNode *middle = robot->createJointAndBodyNodePair<dd::FreeJoint>().second;
  furnish(add(middle, trunk), trunk);
  for (const double x : {-0.32, 0.32})
    for (const double y : {-0.2, 0.2}) {
      dd::BodyNode *upper = add(hang(middle, {x, y, -0.06}, thigh, true), thigh);
      dd::BodyNode *lower = add(hang(upper, {0, 0, -0.12}, shank, true), shank);
      add(hang(lower, {0, 0, -0.12}, foot, true), foot);
    }
  /* feet on the ground: 0.06 and the lengths of the leg below the middle of the trunk */
  dd::FreeJoint::setTransformOf(middle, transform({0, 0, 0.06 + 0.24 + 0.24 + 0.04}));
  world.addSkeleton(robot);
  return first;
}

} // namespace scenes
