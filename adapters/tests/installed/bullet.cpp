/* bullet.cpp: a box falls on the ground, against an installed perp */
#include <perp/bullet.hpp>

#include <btBulletDynamicsCommon.h>

#include <cstdio>

int main()
{
  perp::BulletSolver solver;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -10));
  btBoxShape ground(btVector3(5, 5, 1)), cube(btVector3(1, 1, 1));
  btRigidBody floor(0, nullptr, &ground);
  btRigidBody box(1, nullptr, &cube, btVector3(1, 1, 1));
  box.translate(btVector3(0, 0, btScalar(2.5)));
  world.addRigidBody(&floor);
  world.addRigidBody(&box);
  for (int k = 0; k < 200; k++)
    world.stepSimulation(btScalar(0.01), 1, btScalar(0.01));
  const double height = static_cast<double>(box.getCenterOfMassPosition().z());
  const perp::EngineStatistics &s = solver.statistics();
  world.removeRigidBody(&box);
  world.removeRigidBody(&floor);
  const bool good = s.steps > 0 && s.solved == s.steps && height > 1.9 && height < 2.2;
  std::printf("%s, height %g\n", good ? "solved" : "not solved", height);
  return !good;
}
