/* ode.cpp: the scenes in ODE by dWorldStep and dWorldQuickStep
 *
 * dWorldStep uses our solver if the program is linked with the adapter, or if the adapter is loaded
 * before ODE: it is then the solver `perp`. */
#include "scenes/world.hpp"

#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <dlfcn.h>

namespace
{

using namespace scenes;

/* Counters of the adapter; NULL in a program that runs with plain ODE. */
using Count = long long (*)(int what);
Count adapter()
{
  return reinterpret_cast<Count>(dlsym(RTLD_DEFAULT, "perp_ode_step_count"));
}

/* Number of failures that ODE's own solver reported: "LCP internal error, s <= 0". */
std::int64_t complaints;
void complain(int, const char *, va_list)
{
  complaints++;
}

class OdeWorld : public World
{
public:
  explicit OdeWorld(bool quick, bool adapts = false) : quick_(quick), adapts_(adapts)
  {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -9.81);
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-9);
    dWorldSetQuickStepNumIterations(world_, sweeps_.count());
    dSetMessageHandler(complain);
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

  void create(const Body &body) override
  {
    dBodyID id = nullptr;
    dMatrix3 rotation;
    dRfromQ(rotation, body.turn.data());
    if (body.mass > 0) {
      id = dBodyCreate(world_);
      dMass mass;
      if (body.planar)
        dMassSetParameters(&mass, body.mass, 0, 0, 0, 1, discInertia(body), 1, 0, 0, 0);
      else if (body.sphere)
        dMassSetSphereTotal(&mass, body.mass, body.half[0]);
      else
        dMassSetBoxTotal(&mass, body.mass, 2 * body.half[0], 2 * body.half[1], 2 * body.half[2]);
      dBodySetMass(id, &mass);
      dBodySetPosition(id, body.at[0], body.at[1], body.at[2]);
      dBodySetRotation(id, rotation);
      dBodySetLinearVel(id, body.velocity[0], body.velocity[1], body.velocity[2]);
      dBodySetAngularVel(id, body.spin[0], body.spin[1], body.spin[2]);
    }
    for (const Part &part : partsOf(body))
      place(part, body, id);
    bodies_.push_back(id);
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
    count_ = 0;
    deepest_ = 0;
    dSpaceCollide(space_, this, [](void *data, dGeomID a, dGeomID b) {
      static_cast<OdeWorld *>(data)->collide(a, b);
    });
    if (adapts_)
      dWorldSetQuickStepNumIterations(world_, sweeps_.count());
    if (quick_)
      dWorldQuickStep(world_, dt);
    else
      dWorldStep(world_, dt);
    dJointGroupEmpty(contacts_);
    for (std::size_t k = 0; k < bodies_.size(); k++)
      if (bodies[k].planar && bodies_[k])
        flatten(bodies_[k]);
  }

  void adapt(double took, double whole) override
  {
    sweeps_.adapt(took, whole);
  }

  State state(int body) const override
  {
    const dBodyID id = bodies_[static_cast<std::size_t>(body)];
    if (!id) {
      const Body &fixed = bodies[static_cast<std::size_t>(body)];
      return {fixed.at, fixed.turn, {}, {}};
    }
    const dReal *q = dBodyGetQuaternion(id);
    return {numbers(dBodyGetPosition(id)),
            {q[0], q[1], q[2], q[3]},
            numbers(dBodyGetLinearVel(id)),
            numbers(dBodyGetAngularVel(id))};
  }

  int contacts() const override
  {
    return count_;
  }
  double overlap() const override
  {
    return deepest_;
  }

  std::int64_t solves() const override
  {
    return quick_ || !adapter() ? -1 : adapter()(0) - before_[0];
  }
  std::int64_t unsolved() const override
  {
    if (quick_ || !adapter())
      return quick_ ? -1 : complaints - complaintsBefore_;
    return solves() - (adapter()(1) - before_[1]);
  }

private:
  dBodyID at(int body) const
  {
    return bodies_[static_cast<std::size_t>(body)];
  }

  static Vec numbers(const dReal *v)
  {
    return {v[0], v[1], v[2]};
  }

  static double discInertia(const Body &body)
  {
    return 0.5 * body.mass * body.half[0] * body.half[0];
  }

  /* Back to the plane y = 0: ODE's own joint for that knows only the plane z = 0. */
  static void flatten(dBodyID id)
  {
    const dReal *at = dBodyGetPosition(id), *v = dBodyGetLinearVel(id), *w = dBodyGetAngularVel(id);
    dBodySetPosition(id, at[0], 0, at[2]);
    dBodySetLinearVel(id, v[0], 0, v[2]);
    dBodySetAngularVel(id, 0, w[1], 0);
  }

  /* Adds a part of the shape to a body, or, if that is nullptr, to the world at the body's pose. */
  void place(const Part &part, const Body &body, dBodyID id)
  {
    const dGeomID geom =
        part.sphere ? dCreateSphere(space_, part.half[0])
                    : dCreateBox(space_, 2 * part.half[0], 2 * part.half[1], 2 * part.half[2]);
    dMatrix3 turn;
    if (id) {
      dGeomSetBody(geom, id);
      dRFromAxisAndAngle(turn, 0, 1, 0, part.tilt);
      dGeomSetOffsetPosition(geom, part.at[0], part.at[1], part.at[2]);
      dGeomSetOffsetRotation(geom, turn);
    } else {
      dRfromQ(turn, product(body.turn, aboutY(part.tilt)).data());
      const Vec at = turned(body.turn, part.at);
      dGeomSetPosition(geom, body.at[0] + at[0], body.at[1] + at[1], body.at[2] + at[2]);
      dGeomSetRotation(geom, turn);
    }
    dGeomSetData(geom, reinterpret_cast<void *>(bodies_.size()));
  }

  double muOf(dGeomID geom) const
  {
    return bodies[reinterpret_cast<std::size_t>(dGeomGetData(geom))].mu;
  }

  void collide(dGeomID a, dGeomID b)
  {
    enum { MOST = 8 };
    const dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first == second || (first && second && dAreConnected(first, second)))
      return;
    dContactGeom found[MOST];
    const int count = dCollide(a, b, MOST, found, sizeof *found);
    const double mu = std::sqrt(muOf(a) * muOf(b));
    count_ += count;
    for (int k = 0; k < count; k++) {
      dContact contact = {};
      deepest_ = std::max(deepest_, found[k].depth);
      contact.geom = found[k];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = mu;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact), first, second);
    }
  }

  bool quick_, adapts_;
  Sweeps sweeps_{20};
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
  int count_ = 0; /* contacts of the last step, and the deepest */
  double deepest_ = 0;
  long long before_[2] = {0, 0};
  std::int64_t complaintsBefore_ = complaints;
};

template <bool quick> std::unique_ptr<World> make()
{
  return std::make_unique<OdeWorld>(quick);
}

std::unique_ptr<World> sameTime()
{
  return std::make_unique<OdeWorld>(true, true);
}

/* The adapter reads it at its first step: no solver without a limit may run before. */
std::unique_ptr<World> limited()
{
  setenv("PERP_ODE_TIME_LIMIT", "0.016", 1);
  return make<false>();
}

} // namespace

namespace scenes
{

const char *const engine = "ode";
const std::vector<Solver> solvers = [] {
  std::vector<Solver> list;
  if (adapter()) {
    list.push_back({"perp", true, make<false>});
    list.push_back({"perp, 16 ms", true, limited, "", Crowds::Only});
  } else {
    list.push_back({"dWorldQuickStep", false, make<true>, "", Crowds::Too});
    list.push_back({"dWorldQuickStep, same time", false, sameTime, "", Crowds::Only});
    list.push_back({"dWorldStep", false, make<false>});
  }
  return list;
}();

} // namespace scenes
