/* ode.cpp: the scenes in ODE by dWorldStep and dWorldQuickStep
 *
 * dWorldStep uses our solver if the program is linked with the adapter, or if the adapter is loaded
 * before ODE: it is then the solver `perp`. */
#include "scenes/world.hpp"

#include <ode/ode.h>

#include <cmath>
#include <dlfcn.h>

namespace
{

using namespace scenes;

/* Counts of the adapter, if it is there; NULL in a program that runs with ODE alone. */
using Count = long long (*)(int what);
Count adapter()
{
  return reinterpret_cast<Count>(dlsym(RTLD_DEFAULT, "perp_ode_step_count"));
}

class OdeWorld : public World
{
public:
  explicit OdeWorld(bool quick) : quick_(quick)
  {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -9.81);
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-9);
    dWorldSetQuickStepNumIterations(world_, 20);
    if (!quick && adapter()) {
      before_[0] = adapter()(0);
      before_[1] = adapter()(1);
    }
  }

  ~OdeWorld() override
  {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  int add(const Body &body) override
  {
    const dGeomID geom =
        body.sphere ? dCreateSphere(space_, body.half[0])
                    : dCreateBox(space_, 2 * body.half[0], 2 * body.half[1], 2 * body.half[2]);
    dBodyID id = nullptr;
    if (body.mass > 0) {
      id = dBodyCreate(world_);
      dMass mass;
      if (body.sphere)
        dMassSetSphereTotal(&mass, body.mass, body.half[0]);
      else
        dMassSetBoxTotal(&mass, body.mass, 2 * body.half[0], 2 * body.half[1], 2 * body.half[2]);
      dBodySetMass(id, &mass);
      dGeomSetBody(geom, id);
    }
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 1, 0, body.tilt);
    dGeomSetPosition(geom, body.at[0], body.at[1], body.at[2]);
    dGeomSetRotation(geom, rotation);
    bodies_.push_back(id);
    geoms_.push_back(geom);
    mu_.push_back(body.mu);
    dGeomSetData(geom, reinterpret_cast<void *>(bodies_.size() - 1));
    return static_cast<int>(bodies_.size()) - 1;
  }

  void link(int a, int b, Vec point) override
  {
    const dJointID joint = dJointCreateBall(world_, nullptr);
    dJointAttach(joint, at(a), b < 0 ? nullptr : at(b));
    dJointSetBallAnchor(joint, point[0], point[1], point[2]);
  }

  void force(int body, Vec force) override
  {
    dBodyAddForce(at(body), force[0], force[1], force[2]);
  }

  void step(double dt) override
  {
    dSpaceCollide(space_, this, [](void *data, dGeomID a, dGeomID b) {
      static_cast<OdeWorld *>(data)->collide(a, b);
    });
    if (quick_)
      dWorldQuickStep(world_, dt);
    else
      dWorldStep(world_, dt);
    dJointGroupEmpty(contacts_);
  }

  Vec position(int body) const override
  {
    const dReal *p = dGeomGetPosition(geoms_[static_cast<std::size_t>(body)]);
    return {p[0], p[1], p[2]};
  }

  std::int64_t solves() const override
  {
    return quick_ || !adapter() ? -1 : adapter()(0) - before_[0];
  }
  std::int64_t unsolved() const override
  {
    return quick_ || !adapter() ? -1 : solves() - (adapter()(1) - before_[1]);
  }

private:
  dBodyID at(int body) const
  {
    return bodies_[static_cast<std::size_t>(body)];
  }

  void collide(dGeomID a, dGeomID b)
  {
    enum { MOST = 8 };
    const dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first && second && dAreConnected(first, second))
      return;
    dContactGeom found[MOST];
    const int count = dCollide(a, b, MOST, found, sizeof *found);
    const double mu = std::sqrt(mu_[reinterpret_cast<std::size_t>(dGeomGetData(a))] *
                                mu_[reinterpret_cast<std::size_t>(dGeomGetData(b))]);
    for (int k = 0; k < count; k++) {
      dContact contact = {};
      contact.geom = found[k];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = mu;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact), first, second);
    }
  }

  bool quick_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
  std::vector<dGeomID> geoms_;
  std::vector<double> mu_;
  long long before_[2] = {0, 0};
};

template <bool quick> std::unique_ptr<World> make()
{
  return std::make_unique<OdeWorld>(quick);
}

} // namespace

namespace scenes
{

const char *const engine = "ode";
const std::vector<Solver> solvers =
    adapter() ? std::vector<Solver>{{"perp", true, make<false>}}
              : std::vector<Solver>{{"dWorldQuickStep", false, make<true>},
                                    {"dWorldStep", false, make<false>}};

} // namespace scenes
