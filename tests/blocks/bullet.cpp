// docs/engines/bullet.md: perp::BulletSolver solver
// A box falls on the ground of the world that the page makes.
#include <btBulletDynamicsCommon.h>

int main()
{
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  // BLOCK
  world.setGravity(btVector3(0, 0, -10));
  btBoxShape ground(btVector3(5, 5, 1)), cube(btVector3(1, 1, 1));
  btRigidBody floor(0, nullptr, &ground), box(1, nullptr, &cube, btVector3(1, 1, 1));
  box.translate(btVector3(0, 0, btScalar(2.1)));
  world.addRigidBody(&floor);
  world.addRigidBody(&box);
  for (int k = 0; k < 50; k++)
    world.stepSimulation(btScalar(0.01), 1, btScalar(0.01));
  world.removeRigidBody(&box);
  world.removeRigidBody(&floor);
  const perp::EngineStatistics &s = solver.statistics();
  return s.steps == 0 || s.solved != s.steps;
}
