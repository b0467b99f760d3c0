/* ode_laws.cpp: laws.hpp in ODE: bounce and bounce_vel are ODE's, mu at rest is PERP_ODE_STATIC */
#include "laws.hpp"

#include <ode/ode.h>

#include <cstdlib>

extern "C" long long perp_ode_step_count(int what);

namespace
{

class OdeWorld
{
public:
  static constexpr double G = 9.81, H = 0.01, TOL = 1e-9, SLIP = 1e-7;

  explicit OdeWorld(bool gravity) : solved_(perp_ode_step_count(0) - perp_ode_step_count(1))
  {
    dWorldSetGravity(world_, 0, 0, gravity ? -G : 0);
    dWorldSetCFM(world_, 0);
    dCreatePlane(space_, 0, 0, 1, 0);
    if (!gravity)
      dCreatePlane(space_, 0, 0, -1, -3);
  }
  ~OdeWorld()
  {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  void ball(double height, double speed, double e)
  {
    surface_.mode = dContactBounce | dContactApprox1;
    surface_.bounce = e;
    surface_.bounce_vel = 0.01;
    dGeomSetBody(dCreateSphere(space_, 0.25), body_);
    dBodySetPosition(body_, 0, 0, 0.25 + height);
    dBodySetLinearVel(body_, 0, 0, speed);
  }
  void box(double speed, double staticFriction)
  {
    setenv("PERP_ODE_STATIC", std::to_string(staticFriction).c_str(), 1);
    surface_.mode = dContactApprox1;
    surface_.mu = 0.3;
    dWorldSetERP(world_, 0);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 0.2);
    dBodySetMass(body_, &mass);
    dGeomSetBody(dCreateBox(space_, 1, 1, 0.2), body_);
    dBodySetPosition(body_, 0, 0, 0.1 - 1e-4); /* it keeps its contacts */
    dBodySetLinearVel(body_, speed, 0, 0);
  }
  void push(double acceleration)
  {
    dMass mass;
    dBodyGetMass(body_, &mass);
    dBodyAddForceAtPos(body_, mass.mass * acceleration, 0, 0, dBodyGetPosition(body_)[0], 0, 0);
  }
  void step()
  {
    dSpaceCollide(space_, this, [](void *data, dGeomID a, dGeomID b) {
      auto *self = static_cast<OdeWorld *>(data);
      dContact contact[4] = {};
      const int count = dCollide(a, b, 4, &contact[0].geom, sizeof *contact);
      for (int k = 0; k < count; k++) {
        contact[k].surface = self->surface_;
        dJointAttach(dJointCreateContact(self->world_, self->contacts_, &contact[k]),
                     dGeomGetBody(contact[k].geom.g1), dGeomGetBody(contact[k].geom.g2));
      }
    });
    dWorldStep(world_, H);
    dJointGroupEmpty(contacts_);
  }
  double height() const
  {
    return dBodyGetPosition(body_)[2];
  }
  double speed() const
  {
    return dBodyGetLinearVel(body_)[2];
  }
  double slide() const
  {
    return dBodyGetLinearVel(body_)[0];
  }
  bool solved() const
  {
    return perp_ode_step_count(0) - perp_ode_step_count(1) == solved_;
  }

private:
  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dSimpleSpaceCreate(nullptr);
  dJointGroupID contacts_ = dJointGroupCreate(0);
  dBodyID body_ = dBodyCreate(world_);
  dSurfaceParameters surface_ = {};
  long long solved_; /* steps that are not, before this world */
};

} // namespace

int main()
{
  dInitODE();
  const int status = testLaws<OdeWorld>("ODE");
  dCloseODE();
  return status;
}
