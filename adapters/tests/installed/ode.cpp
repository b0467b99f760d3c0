/* ode.cpp: a ball falls on a plane in plain ODE; perp comes by linking, or by LD_PRELOAD */
#include <ode/ode.h>

#include <cstdio>

int main()
{
  dInitODE2(0);
  const dWorldID world = dWorldCreate();
  const dJointGroupID contacts = dJointGroupCreate(0);
  dWorldSetGravity(world, 0, 0, -10);
  const dBodyID ball = dBodyCreate(world);
  dBodySetPosition(ball, 0, 0, 1.2);
  for (int k = 0; k < 200; k++) {
    const dReal height = dBodyGetPosition(ball)[2];
    if (height < 1) { /* a ball of radius 1 */
      dContact contact = {};
      contact.surface.mu = 1;
      contact.geom.pos[2] = height - 1;
      contact.geom.normal[2] = 1;
      contact.geom.depth = 1 - height;
      dJointAttach(dJointCreateContact(world, contacts, &contact), ball, nullptr);
    }
    k % 2 ? dWorldStep(world, 0.01) : dWorldQuickStep(world, 0.01);
    dJointGroupEmpty(contacts);
  }
  const dReal height = dBodyGetPosition(ball)[2];
  dWorldDestroy(world);
  dCloseODE();
  std::printf("%s, height %g\n", height > 0.9 && height < 1.1 ? "solved" : "not solved", height);
  return !(height > 0.9 && height < 1.1);
}
