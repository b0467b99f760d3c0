// docs/engines/simbody.md: perp::SimbodySolver
// A point falls on a plane, in the time stepper of the page.
#include <SimTKsimbody.h>

int main()
{
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, -ZAxis, 9.81);
  MobilizedBody::Free brick(matter.Ground(),
                            Body::Rigid(MassProperties(1, Vec3(0), UnitInertia(1))));
  matter.adoptUnilateralContact(
      new PointPlaneContact(matter.updGround(), ZAxis, 0, brick, Vec3(0), 0, 0.4, 0.4, 0));
  State state = system.realizeTopology();
  brick.setQToFitTranslation(state, Vec3(0, 0, 0.001));
  // BLOCK
  stepper.stepTo(0.05);
  return !(brick.getBodyOriginLocation(stepper.getState())[2] > -0.01);
}
