/* dart_parts.hpp: shapes of DART, and the robot of the scene `quadruped` */
#pragma once

#include "scenes/world.hpp"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

namespace scenes
{

inline Eigen::Vector3d vector(const Vec &v)
{
  return Eigen::Vector3d(v[0], v[1], v[2]);
}

inline Vec numbers(const Eigen::Vector3d &v)
{
  return {v.x(), v.y(), v.z()};
}

inline Eigen::Isometry3d transform(const Vec &at, const Quaternion &q = {1, 0, 0, 0})
{
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = vector(at);
  pose.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  return pose;
}

inline dart::dynamics::ShapePtr shapeOf(const Part &part)
{
  if (part.sphere)
    return std::make_shared<dart::dynamics::SphereShape>(part.half[0]);
  return std::make_shared<dart::dynamics::BoxShape>(2 * vector(part.half));
}

inline void addShape(dart::dynamics::BodyNode *node, const Body &body)
{
  for (const Part &part : partsOf(body)) {
    auto *shape =
        node->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
            shapeOf(part));
    shape->setRelativeTransform(transform(part.at, aboutY(part.tilt)));
    shape->getDynamicsAspect()->setFrictionCoeff(body.mu);
  }
}

/* A trunk of 12 kg and four legs of thigh, shank and a flat foot, as one skeleton. Servo motors hold
 * the hips and knees at rest: rows with torque bounds in addition to the contacts. Returns the
 * number of the trunk among `nodes`. */
int addQuadruped(dart::simulation::World &world, std::vector<dart::dynamics::BodyNode *> &nodes,
                 std::vector<Body> &bodies);

} // namespace scenes
