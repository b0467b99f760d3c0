/* mujoco.cpp: perp_mj_step against known motions, MuJoCo's own solver, and wrong input */
#include <perp/mujoco.h>

#include "mujoco_models.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace
{

const double g = 9.81;

/* A model with its data, from the inside of a <mujoco> element. */
struct Model {
  mjModel *m = nullptr;
  mjData *d = nullptr;
  explicit Model(const std::string &inside) : Model(load(inside))
  {
  }
  /* in its first keyframe, if it has one */
  explicit Model(mjModel *model) : m(model), d(mj_makeData(model))
  {
    if (m->nkey > 0)
      mj_resetDataKeyframe(m, d, 0);
  }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;
  ~Model()
  {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
};

struct Solver {
  perp_mj s = perp_mj_default();
  int unsolved = 0;
  Solver() = default;
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;
  ~Solver()
  {
    perp_mj_close(&s);
  }
  void step(Model &model, int count)
  {
    for (int k = 0; k < count; k++) {
      const perp_error error = perp_mj_step(model.m, model.d, &s);
      unsolved += error != PERP_OK || (s.rows > 0 && s.result.outcome != PERP_SOLVED);
    }
  }
};

std::string box(const std::string &option, const std::string &geom, const std::string &rest = "")
{
  return "<option timestep='0.002' " + option +
         "/><worldbody><geom type='plane' size='5 5 .1' friction='0.5 0.1 0.02'/>"
         "<body name='box' pos='0 0 0.1'><freejoint/><geom " +
         geom + " friction='0.5 0.1 0.02' margin='0.01'/></body>" + rest + "</worldbody>";
}

void free_fall()
{
  const std::string xml =
      "<worldbody><body pos='0 0 9'><freejoint/><geom size='.1'/></body></worldbody>";
  Model a(xml), b(xml);
  Solver solver;
  a.d->qvel[4] = b.d->qvel[4] = 3;
  solver.step(a, 200);
  for (int k = 0; k < 200; k++)
    mj_step(b.m, b.d);
  check("without constraints the bits are mj_step's",
        std::memcmp(a.d->qpos, b.d->qpos, 7 * sizeof(mjtNum)) == 0);
}

/* A box at rest: it stays, and the normal forces carry its weight, in every contact space. */
void rest()
{
  const char *const cones[] = {"elliptic", "pyramidal"};
  const int dims[] = {1, 3, 4, 6};
  for (const char *cone : cones)
    for (const int dim : dims) {
      const std::string name = std::string(cone) + " condim " + std::to_string(dim);
      Model model(box(std::string("cone='") + cone + "'",
                      "type='box' size='.1 .2 .1' mass='3' condim='" + std::to_string(dim) + "'"));
      for (int i = 0; i < model.m->ngeom; i++)
        model.m->geom_condim[i] = dim;
      Solver solver;
      solver.step(model, 300);
      double weight = 0;
      for (int c = 0; c < model.d->ncon; c++) {
        mjtNum force[6];
        mj_contactForce(model.m, model.d, c, force);
        weight += force[0];
      }
      check(name + ": every step solved", solver.unsolved == 0, std::to_string(solver.unsolved));
      check(name + ": stays", std::fabs(model.d->qpos[2] - 0.1) < 1.001e-6,
            number(model.d->qpos[2] - 0.1));
      check(name + ": carries its weight", std::fabs(weight - 3 * g) < 1e-6, number(weight));
    }
}

/* Gravity inclined: sticks below the friction angle, slides with g (sin - mu cos) above it. */
void incline()
{
  for (const double share : {0.99, 1.01}) {
    const double angle = std::atan(0.5 * share);
    Model model(box("cone='elliptic' gravity='" + std::to_string(g * std::sin(angle)) + " 0 " +
                        std::to_string(-g * std::cos(angle)) + "'",
                    "type='box' size='.3 .3 .1' mass='2' condim='3'"));
    const double down = model.m->opt.gravity[0], press = -model.m->opt.gravity[2];
    Solver solver;
    solver.step(model, 500);
    const double expected = down > 0.5 * press ? down - 0.5 * press : 0;
    check("incline " + number(share) + ": every step solved", solver.unsolved == 0);
    check("incline " + number(share) + ": velocity", std::fabs(model.d->qvel[0] - expected) < 1e-7,
          number(model.d->qvel[0] - expected));
  }
}

/* A disc spins on torsional friction: the moment is mu_t m g whatever its size. */
void torsion()
{
  Model model(box("cone='elliptic'", "type='sphere' size='.1' mass='2' condim='4'"));
  for (int i = 0; i < model.m->ngeom; i++)
    model.m->geom_condim[i] = 4;
  const double inertia = model.m->body_inertia[5]; /* of the box, about z */
  const double slow = 0.1 * 2 * g / inertia, turns = 100;
  model.d->qvel[5] = turns;
  const int steps = (int)(0.5 * turns / slow / 0.002);
  Solver solver;
  solver.step(model, steps);
  check("torsion: every step solved", solver.unsolved == 0);
  check("torsion: slows down by mu m g / I",
        std::fabs(model.d->qvel[5] - (turns - slow * 0.002 * steps)) < 1e-6 * turns,
        number(model.d->qvel[5]));
}

/* MuJoCo's grasp creeps; a rigid one does not. The pads are smaller than the cube: MuJoCo 2.2 finds 4 to
 * 14 contacts between faces of the same size and, in one step of a thousand, none at all. */
void grasp()
{
  const std::string xml =
      "<option timestep='0.002' cone='elliptic' impratio='10'/>"
      "<worldbody><body name='left' pos='-.06 0 .5'><joint name='l' type='slide' axis='1 0 0'/>"
      "<geom type='box' size='.01 .02 .02' mass='.1' condim='4'/></body>"
      "<body name='right' pos='.06 0 .5'><joint name='r' type='slide' axis='-1 0 0'/>"
      "<geom type='box' size='.01 .02 .02' mass='.1' condim='4'/></body>"
      "<body name='cube' pos='0 0 .5'><freejoint/><geom type='box' size='.05 .03 .03' mass='.2' "
      "condim='4'/></body></worldbody>"
      "<actuator><motor joint='l'/><motor joint='r'/></actuator>";
  double slip[2];
  int unsolved = 0;
  for (int ours = 0; ours < 2; ours++) {
    Model model(xml);
    model.d->ctrl[0] = model.d->ctrl[1] = 10;
    Solver solver;
    double start = 0;
    for (int k = 0; k < 1500; k++) {
      if (ours)
        solver.step(model, 1);
      else
        mj_step(model.m, model.d);
      if (k == 499)
        start = model.d->qpos[4];
    }
    unsolved += solver.unsolved;
    slip[ours] = std::fabs(model.d->qpos[4] - start) / 2;
  }
  check("grasp: every step solved", unsolved == 0, std::to_string(unsolved));
  check("grasp: MuJoCo's law creeps, the rigid one holds", slip[0] > 1e-7 && slip[1] < 1e-9,
        number(slip[0] * 1e6) + " and " + number(slip[1] * 1e6) + " um/s");
}

/* Dry friction of a joint holds, or leaves the rest of the torque; joint damping is implicit. */
void dry_joint()
{
  Model model(
      "<option timestep='0.002' gravity='0 0 0'/><worldbody><body><joint name='j' type='hinge' "
      "axis='0 0 1' frictionloss='2' damping='0.5'/><geom type='box' size='.1 .1 .1' mass='4'/>"
      "</body></worldbody><actuator><motor joint='j'/></actuator>");
  Solver solver;
  model.d->ctrl[0] = 1.9;
  solver.step(model, 200);
  check("dry joint: holds", solver.unsolved == 0 && std::fabs(model.d->qvel[0]) < 1e-10,
        number(model.d->qvel[0]));
  model.d->ctrl[0] = 3;
  const double I = perp_mj_own_inertia(model.m, model.d, 0), h = 0.002;
  double v = model.d->qvel[0];
  solver.step(model, 100);
  for (int k = 0; k < 100; k++)
    v = v + h * (3 - 2 - 0.5 * v) / (I + h * 0.5);
  check("dry joint: moves by the rest of the torque", std::fabs(model.d->qvel[0] - v) < 1e-8 * v,
        number(model.d->qvel[0] - v));
}

/* A pendulum meets its limit and rests there. */
void limit()
{
  Model model(
      "<compiler angle='radian'/><option timestep='0.002'/><worldbody><body><joint name='j' "
      "type='hinge' axis='0 1 0' limited='true' range='-0.5 0.5' margin='0.1'/>"
      "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.02' mass='1'/></body></worldbody>");
  Solver solver;
  double most = 0;
  for (int k = 0; k < 1500; k++) {
    solver.step(model, 1);
    most = std::fmax(most, model.d->qpos[0]);
  }
  check("limit: every step solved", solver.unsolved == 0);
  check("limit: never passed", most < 0.5 + 1.001e-6, number(most - 0.5));
  check("limit: at rest there", std::fabs(model.d->qpos[0] - 0.5) < 1.001e-6,
        number(model.d->qpos[0]));
}

/* A ball falls into a rope, a tendon from site to site, and hangs there: the tension is its weight. */
void rope()
{
  Model model(
      "<option timestep='0.002'/><worldbody><site name='hook' pos='0 0 2'/>"
      "<body pos='.1 0 1.7'><freejoint/><geom size='.05' mass='2'/><site name='eye'/></body>"
      "</worldbody><tendon><spatial limited='true' range='0 .5' margin='.1'><site site='hook'/>"
      "<site site='eye'/></spatial></tendon>");
  model.d->qpos[0] = 0; /* below the hook */
  Solver solver;
  double most = 0;
  for (int k = 0; k < 500; k++) {
    solver.step(model, 1);
    most = std::fmax(most, model.d->ten_length[0]);
  }
  check("rope: every step solved", solver.unsolved == 0, std::to_string(solver.unsolved));
  check("rope: never longer than its limit", most < 0.5 + 1.001e-6, number(most - 0.5));
  check("rope: at its limit", std::fabs(model.d->ten_length[0] - 0.5) < 1.001e-6,
        number(model.d->ten_length[0] - 0.5));
  check("rope: the tension is the weight",
        model.d->nefc == 1 && model.d->efc_type[0] == mjCNSTR_LIMIT_TENDON &&
            std::fabs(model.d->efc_force[0] - 2 * g) < 1e-6,
        number(model.d->nefc > 0 ? model.d->efc_force[0] : 0));
}

/* Two carts, and a tendon whose length is x1 + 2 x2, with dry friction: it holds a force along it below its
 * friction, leaves the rest of a larger one, and lets the carts move in such a way that its length stays. */
void dry_tendon()
{
  Model model("<option timestep='0.002' gravity='0 0 0'/><worldbody>"
              "<body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
              "<body pos='0 1 0'><joint name='b' type='slide' axis='1 0 0'/>"
              "<geom size='.1' mass='3'/></body></worldbody><tendon><fixed frictionloss='2'>"
              "<joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed></tendon>");
  const double mass[] = {1, 3}, h = 0.002;
  struct Case {
    const char *name;
    double force[2], net[2];
  };
  for (const Case &c : {Case{"holds", {1.9, 3.8}, {0, 0}},
                        Case{"leaves the rest of a force along it", {3, 6}, {1, 2}},
                        Case{"is free across it", {2, -3}, {2, -3}}}) {
    Solver solver;
    mj_resetData(model.m, model.d);
    mju_copy(model.d->qfrc_applied, c.force, 2);
    solver.step(model, 100);
    double worst = 0;
    for (int k = 0; k < 2; k++)
      worst = std::fmax(worst, std::fabs(model.d->qvel[k] - 100 * h * c.net[k] / mass[k]));
    check(std::string("dry tendon: ") + c.name, solver.unsolved == 0 && worst < 1e-8,
          number(worst));
  }
}

/* A ball that cannot turn slides on a pair of geoms with two coefficients. Its friction is that of the largest
 * dissipation: with the velocity v at the end of the step, -m g (mu1^2 v1, mu2^2 v2) / |(mu1 v1, mu2 v2)|. */
void pair()
{
  const double mu[] = {0.2, 0.6}, h = 0.002;
  for (const double angle : {0.0, 30.0, 60.0, 90.0}) {
    Model model("<option timestep='0.002' cone='elliptic'/><worldbody>"
                "<geom name='floor' type='plane' size='9 9 .1'/><body pos='0 0 .1'>"
                "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                "<joint type='slide' axis='0 0 1'/><geom name='ball' size='.1' mass='2'/></body>"
                "</worldbody><contact><pair geom1='floor' geom2='ball' condim='3' margin='.01' "
                "friction='0.2 0.6 0.01 0.001 0.001'/></contact>");
    const std::string name = "pair, " + number(angle) + " degrees: ";
    Solver solver;
    solver.step(model, 10);
    check(name + "one contact", model.d->ncon == 1);
    mjtNum axes[6];
    mju_copy(axes, model.d->contact[0].frame + 3, 6);
    const double c = std::cos(angle * mjPI / 180), s = std::sin(angle * mjPI / 180);
    for (int k = 0; k < 2; k++)
      model.d->qvel[k] = c * axes[k] + s * axes[3 + k];
    double worst = 0, across = 0;
    for (int step = 0; step < 40; step++) {
      const mjtNum before[3] = {model.d->qvel[0], model.d->qvel[1], 0};
      solver.step(model, 1);
      const mjtNum after[3] = {model.d->qvel[0], model.d->qvel[1], 0};
      const double v[] = {mju_dot3(axes, after), mju_dot3(axes + 3, after)};
      const double size = std::hypot(mu[0] * v[0], mu[1] * v[1]);
      for (int k = 0; k < 2; k++)
        worst = std::fmax(worst, std::fabs(v[k] - mju_dot3(axes + 3 * k, before) +
                                           h * g * mu[k] * mu[k] * v[k] / size));
      across = std::atan2(v[1], v[0]) * 180 / mjPI;
    }
    check(name + "every step solved", solver.unsolved == 0, std::to_string(solver.unsolved));
    check(name + "friction of the largest dissipation", worst < 1e-8, number(worst));
    /* it bends towards the axis with less friction, and stays on either axis */
    check(name + "direction", c * s > 0.1 ? across < angle - 5 : std::fabs(across - angle) < 1e-6,
          number(across));
  }
}

/* Sensors read the forces and accelerations of the solve. A trunk of 3 kg on a foot of 1 kg, at rest and sliding. */
void sensors()
{
  for (const double pull : {0.0, 6.0}) {
    Model model("<option timestep='0.002' cone='elliptic' gravity='" + std::to_string(pull) +
                " 0 -9.81'/><worldbody><geom type='plane' size='50 50 .1' friction='.5'/>"
                "<body pos='0 0 .3'><freejoint/><geom type='box' size='.2 .2 .1' mass='3' "
                "contype='0' conaffinity='0'/><body pos='0 0 -.2'><geom type='box' "
                "size='.3 .3 .1' mass='1' friction='.5' margin='.01'/>"
                "<site name='sole' type='box' size='.4 .4 .2'/></body></body></worldbody><sensor>"
                "<touch site='sole'/><force site='sole'/><accelerometer site='sole'/></sensor>");
    Solver solver;
    solver.step(model, 400);
    double press = 0;
    for (int c = 0; c < model.d->ncon; c++) {
      mjtNum force[6];
      mj_contactForce(model.m, model.d, c, force);
      press += force[0];
    }
    const std::string name = pull > 0 ? "sensors, sliding: " : "sensors, at rest: ";
    const mjtNum *touch = model.d->sensordata, *force = touch + 1, *acceleration = touch + 4;
    /* gravity and the acceleration that friction leaves; the trunk takes 3 / 4 of the forces at the foot */
    const double rub = pull > 0 ? 0.5 * g : 0;
    check(name + "every step solved", solver.unsolved == 0, std::to_string(solver.unsolved));
    check(name + "touch is the weight, and the sum of the contacts",
          std::fabs(touch[0] - 4 * g) < 1e-6 && std::fabs(touch[0] - press) < 1e-9,
          number(touch[0] - 4 * g));
    check(name + "force is that of the trunk on the foot",
          std::fabs(force[0] - 3 * rub) < 1e-5 && std::fabs(force[1]) < 1e-5 &&
              std::fabs(force[2] + 3 * g) < 1e-5,
          number(force[0]) + " " + number(force[1]) + " " + number(force[2]));
    check(name + "accelerometer is the force by mass",
          std::fabs(acceleration[0] + rub) < 1e-5 && std::fabs(acceleration[1]) < 1e-5 &&
              std::fabs(acceleration[2] - g) < 1e-5,
          number(acceleration[0]) + " " + number(acceleration[1]) + " " + number(acceleration[2]));
  }
}

/* A closed loop of four bars: the connection stays closed. */
void loop()
{
  Model model(
      "<option timestep='0.001'/><worldbody>"
      "<body pos='0 0 1'><joint type='hinge' axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02' mass='.3' contype='0'/>"
      "<body name='c' pos='0 0 -.3'><joint type='hinge' axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.02' mass='.5' contype='0'/></body></body>"
      "<body name='e' pos='.5 0 1'><joint type='hinge' axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02' mass='.3' contype='0'/></body>"
      "</worldbody><equality><connect body1='c' body2='e' anchor='.5 0 0'/></equality>");
  Solver solver;
  model.d->qvel[0] = 3;
  model.d->qvel[2] = 3;
  model.d->qvel[1] = -3;
  double worst = 0;
  int others = 0;
  for (int k = 0; k < 1000; k++) {
    solver.step(model, 1);
    others += solver.s.result.method != std::string("newton");
    for (int i = 0; i < model.d->nefc; i++)
      worst = std::fmax(worst, std::fabs(model.d->efc_pos[i]));
  }
  check("loop: every step solved", solver.unsolved == 0, std::to_string(solver.unsolved));
  check("loop: by Newton's method, though the row across the plane is empty", others == 0,
        std::to_string(others));
  check("loop: stays closed", worst < 1e-3, number(worst));
}

/* A connection written twice: equal and opposite impulses of the two move nothing. Huge ones from the last step
 * are forgotten. */
void loop_twice()
{
  const std::string connect = "<connect body1='bob' body2='world' anchor='0 0 -.3'/>";
  Model model(
      "<worldbody><body name='bob' pos='0 0 1'><freejoint/>"
      "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02' mass='.3'/></body></worldbody>"
      "<equality>" +
      connect + connect + "</equality>");
  Solver solver;
  solver.step(model, 5);
  for (int k = 0; k < 6; k++)
    solver.s.last[k] += k < 3 ? 1e9 : -1e9;
  solver.step(model, 1);
  check("loop twice: every step solved, by Newton's method",
        solver.unsolved == 0 && solver.s.result.method == std::string("newton"),
        solver.s.result.method);
  check("loop twice: impulses that move nothing do not stay",
        mju_norm(solver.s.x, 6) < 1 && solver.s.rows == 6, number(mju_norm(solver.s.x, 6)));
}

std::string boxes_with_arms(const std::string &option)
{
  std::string bodies;
  for (int k = 0; k < 6; k++)
    bodies += "<body pos='" + std::to_string(0.05 * k) + " 0 " + std::to_string(0.3 + 0.25 * k) +
              "'><freejoint/><geom type='box' size='.1 .1 .1' mass='" + std::to_string(1 + k) +
              "' condim='3'/><body pos='.15 0 0'><joint type='hinge' axis='0 1 0' range='-60 60' "
              "limited='true' frictionloss='.2' damping='.1'/><geom type='capsule' "
              "fromto='0 0 0 .2 0 0' size='.03' mass='.4' condim='1'/></body></body>";
  return "<option timestep='0.002' solver='Newton' tolerance='0' iterations='400' " + option +
         "/><worldbody><geom type='plane' size='5 5 .1'/>" + bodies + "</worldbody>";
}

/* The soft law is MuJoCo's: the same accelerations as its Newton solver at a small tolerance, and
 * inverse dynamics find no other force than the applied ones. */
void soft(const std::string &cone, mjModel *robot)
{
  Model model(robot ? robot : load(boxes_with_arms("cone='" + cone + "'")));
  const std::string name = "soft law, " + (robot ? "robot, " : std::string()) + cone;
  Solver solver;
  solver.s.law = PERP_MJ_SOFT;
  solver.s.options.tol = cone == "pyramidal" ? 1e-12 : 1e-10;
  if (robot) {
    model.m->opt.tolerance = 0;
    model.m->opt.iterations = 400;
    model.m->opt.cone = cone == "pyramidal" ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
  }
  const int nv = model.m->nv;
  double worst = 0, inverse = 0;
  int rows = 0, unsolved = 0;
  std::vector<double> theirs((size_t)nv), applied((size_t)nv);
  for (int k = 0; k < 400; k++) {
    mj_step1(model.m, model.d);
    mj_fwdActuation(model.m, model.d);
    mj_fwdAcceleration(model.m, model.d);
    mj_fwdConstraint(model.m, model.d);
    mju_copy(theirs.data(), model.d->qacc, nv);
    const double size = mju_norm(theirs.data(), nv) + mju_norm(model.d->qacc_smooth, nv);
    unsolved += perp_mj_solve(model.m, model.d, &solver.s) != PERP_OK ||
                (solver.s.rows > 0 && solver.s.result.outcome != PERP_SOLVED);
    mju_subFrom(theirs.data(), model.d->qacc, nv);
    worst = std::fmax(worst, mju_norm(theirs.data(), nv) / size);
    rows = solver.s.rows > rows ? solver.s.rows : rows;
    if (k % 20 == 0) {
      mju_copy(applied.data(), model.d->qfrc_constraint, nv);
      const double force = mju_norm(model.d->qfrc_smooth, nv) + mju_norm(applied.data(), nv);
      mj_inverse(model.m, model.d);
      mju_subFrom(applied.data(), model.d->qfrc_constraint, nv);
      inverse = std::fmax(inverse, mju_norm(applied.data(), nv) / force);
    }
    mj_Euler(model.m, model.d);
  }
  check(name + ": every step solved, up to " + std::to_string(rows) + " rows", unsolved == 0,
        std::to_string(unsolved));
  check(name + ": accelerations are MuJoCo's", worst < (cone == "pyramidal" ? 1e-12 : 1e-9),
        number(worst));
  check(name + ": mj_inverse finds the same forces", inverse < 1e-6, number(inverse));
}

/* The implicit integrator: the soft law steps as mj_step does. */
void implicit()
{
  Model ours(load(boxes_with_arms("integrator='implicit' cone='pyramidal'")));
  Model theirs(load(boxes_with_arms("integrator='implicit' cone='pyramidal'")));
  Solver solver;
  solver.s.law = PERP_MJ_SOFT;
  solver.s.options.tol = 1e-12;
  double worst = 0;
  for (int k = 0; k < 60; k++) {
    solver.step(ours, 1);
    mj_step(theirs.m, theirs.d);
    for (int i = 0; i < ours.m->nq; i++)
      worst = std::fmax(worst, std::fabs(ours.d->qpos[i] - theirs.d->qpos[i]));
  }
  check("implicit integrator: every step solved", solver.unsolved == 0);
  check("implicit integrator: the motion is mj_step's", worst < 1e-9, number(worst));
}

/* Each integrator with the rigid law: the velocities at the end of the step are those of the solve, y = J
 * v + bias, although MuJoCo computes them once more with factors of its own. */
void integrators()
{
  struct Kind {
    std::string cone, integrator;
    int disabled;
  };
  std::vector<Kind> kinds = {
      {"elliptic", "implicit", 0}, {"pyramidal", "implicit", 0}, {"elliptic", "Euler", 0}};
#if mjVERSION_HEADER >= 300
  kinds.push_back({"elliptic", "implicitfast", 0});
  kinds.push_back({"elliptic", "Euler", mjDSBL_EULERDAMP});
#endif
  for (const auto &[cone, integrator, disabled] : kinds) {
    const std::string name =
        "rigid law, " + integrator + (disabled ? " without damping, " : ", ") + cone;
    Model model(load(boxes_with_arms("integrator='" + integrator + "' cone='" + cone + "'")));
    model.m->opt.disableflags |= disabled;
    const mjModel *m = model.m;
    const mjData *d = model.d;
    Solver solver;
    double worst = 0;
    int rows = 0;
    for (int k = 0; k < 200; k++) {
      solver.step(model, 1);
      rows = d->nefc > rows ? d->nefc : rows;
      std::vector<double> y((size_t)d->nefc);
      mj_mulJacVec(m, model.d, y.data(), d->qvel);
      int ours = 0; /* the problem has elliptic contacts first */
      for (const bool first : {true, false})
        for (int i = 0; i < d->nefc; i++) {
          const int type = d->efc_type[i];
          const bool elliptic = type == mjCNSTR_CONTACT_ELLIPTIC;
          if (elliptic != first)
            continue;
          if (type >= mjCNSTR_LIMIT_JOINT &&
              (!elliptic || d->contact[d->efc_id[i]].efc_address == i))
            y[(size_t)i] += perp_mj_bias(&solver.s, m, d, i);
          worst = std::fmax(worst, std::fabs(y[(size_t)i] - solver.s.result.y[ours++]));
        }
    }
    check(name + ": every step solved, up to " + std::to_string(rows) + " rows",
          solver.unsolved == 0, std::to_string(solver.unsolved));
    check(name + ": steps end at the velocities of the solve", worst < 1e-9, number(worst));
  }
}

/* A ball that two points 2 cm apart hold: no velocity removes both errors, and it goes to the middle. */
void contradiction()
{
  Model model("<worldbody><body name='ball' pos='0 0 1'><freejoint/>"
              "<geom size='.1'/></body>"
              "<body name='left' pos='-.01 0 1'/><body name='right' pos='.01 0 1'/></worldbody>"
              "<equality><connect body1='ball' body2='left' anchor='0 0 0'/>"
              "<connect body1='ball' body2='right' anchor='0 0 0'/></equality>");
  model.m->eq_data[mjNEQDATA + 3] += 0.02; /* the anchor of `right`, found from the first pose */
  for (const int integrator : {mjINT_EULER, mjINT_IMPLICIT}) {
    const std::string name =
        integrator == mjINT_EULER ? "contradiction" : "contradiction, implicit";
    model.m->opt.integrator = integrator;
    mj_resetData(model.m, model.d);
    Solver solver;
    double least = 1;
    for (int k = 0; k < 200; k++) {
      solver.step(model, 1);
      least = std::fmin(least, solver.s.corrected);
    }
    const double *place = model.d->qpos;
    const double left = std::fabs(model.d->efc_pos[0]), right = std::fabs(model.d->efc_pos[3]);
    check(name + ": every step solved, without what contradicts",
          solver.unsolved == 0 && least == 1 && solver.s.contradiction > 0.1,
          std::to_string(solver.unsolved) + ", " + number(least) + ", " +
              number(solver.s.contradiction));
    check(name + ": the ball goes to the middle and stays",
          std::fabs(left - 0.01) < 1e-9 && std::fabs(right - 0.01) < 1e-9 &&
              mju_norm(model.d->qvel, 6) < 1e-8,
          number(place[0]) + ", " + number(left) + ", " + number(right));
    check(name + ": few iterations find it out", solver.s.iterations < 30,
          std::to_string(solver.s.iterations));
  }
}
/* Two tendons with the directions (1, 0) and (1, 1e-4), one of them a millimetre too long: its correction alone
 * takes 10 m of the second joint. */
void near_contradiction()
{
  Model model("<option gravity='0 0 0'/><worldbody>"
              "<body><joint name='one' type='slide'/><geom size='.1' mass='1'/></body>"
              "<body pos='1 0 0'><joint name='two' type='slide'/><geom size='.1' mass='1'/></body>"
              "</worldbody><tendon><fixed name='first'><joint joint='one' coef='1'/></fixed>"
              "<fixed name='both'><joint joint='one' coef='1'/><joint joint='two' coef='1e-4'/>"
              "</fixed></tendon><equality><tendon tendon1='first'/>"
              "<tendon tendon1='both' polycoef='.001 0 0 0 0'/></equality>");
  for (const int integrator : {mjINT_EULER, mjINT_IMPLICIT}) {
    const std::string name =
        integrator == mjINT_EULER ? "near contradiction" : "near contradiction, implicit";
    model.m->opt.integrator = integrator;
    mj_resetData(model.m, model.d);
    Solver solver;
    double most = 0;
    for (int k = 0; k < 100; k++) {
      solver.step(model, 1);
      most = std::fmax(most, mju_norm(model.d->qvel, 2));
    }
    check(name + ": every step solved, with a share of the correction",
          solver.unsolved == 0 && solver.s.corrected > 0 && solver.s.corrected < 0.01,
          number(solver.s.corrected));
    check(name + ": no more energy than two springs hold", most > 0 && most < 1, number(most));
  }
}

/* Newton's method in velocities has no matrix. Its forces solve the problem with one, and under the soft
 * law, whose minimum is unique, the accelerations are those of another method. */
void without_matrix(const std::string &name, const std::string &cone, perp_mj_law law,
                    bool sparse = false)
{
  Model model(name.empty() ? load(boxes_with_arms("cone='" + cone + "'")) : load_robot(name));
  Solver newton, other;
  if (sparse)
    model.m->opt.jacobian = mjJAC_SPARSE;
  const mjModel *m = model.m;
  mjData *copy = mj_makeData(m);
  newton.s.law = other.s.law = law;
  newton.s.keep = 1;
  newton.s.options.tol = other.s.options.tol = 1e-10;
  other.s.method = "auto";
  double worst = 0, apart = 0;
  int used = 0, solves = 0;
  for (int k = 0; k < 120; k++) {
    mj_copyData(copy, m, model.d);
    newton.step(model, 1);
    if (newton.s.rows == 0)
      continue;
    solves++;
    if (std::string(newton.s.result.method) == "newton")
      used++;
    double residual = 0, scale = 1;
    perp_message why;
    const perp_error error =
        perp_problem_judge(&newton.s.problem, newton.s.x, &residual, &scale, &why);
    worst = std::fmax(worst, error ? HUGE_VAL : residual / scale);
    if (law == PERP_MJ_SOFT && k % 15 == 0 && !perp_mj_step(m, copy, &other.s) &&
        other.s.result.outcome == PERP_SOLVED) {
      std::vector<double> change((size_t)m->nv);
      mju_sub(change.data(), copy->qvel, model.d->qvel, m->nv);
      apart = std::fmax(apart,
                        mju_norm(change.data(), m->nv) / std::fmax(1, mju_norm(copy->qvel, m->nv)));
    }
  }
  mj_deleteData(copy);
  const std::string all = (name.empty() ? cone : name) + (sparse ? ", sparse" : "") +
                          (law == PERP_MJ_SOFT ? ", soft" : ", rigid");
  check(all + ": every step solved", newton.unsolved == 0, std::to_string(newton.unsolved));
  check(all + ": most by Newton's method in velocities", used > solves * 9 / 10,
        std::to_string(used) + " of " + std::to_string(solves));
  check(all + ": judged with a matrix", worst <= 2e-10, number(worst));
  check(all + ": the same velocities as by auto", apart < 1e-8, number(apart));
}

size_t memory()
{
#ifdef __GLIBC__
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

/* Steps each robot. A step that is not solved says so, and its residual is small. Memory does not grow
 * by a megabyte after the step with the most rows. */
void robots(int steps)
{
  for (const char *const robot :
       {"chain", "fourbar", "gripper", "hand", "humanoid", "quadruped", "trot"}) {
    const std::string name = robot;
    Model model(load_robot(name));
    Solver solver;
    const int count = name == "chain" ? steps / 20 : steps;
    double worst = 0;
    size_t before = 0;
    int errors = 0, rows = 0;
    for (int k = 0; k < count; k++) {
      errors += perp_mj_step(model.m, model.d, &solver.s) != PERP_OK;
      if (solver.s.rows > 0 && solver.s.result.outcome != PERP_SOLVED) {
        solver.unsolved++;
        worst = std::fmax(worst, solver.s.result.relative_residual);
      }
      if (k == 0 || solver.s.rows > rows)
        rows = solver.s.rows, before = memory();
    }
    const size_t end = memory();
    const std::string all = " of " + std::to_string(count) + " steps";
    check(name + ": errors" + all, errors == 0, std::to_string(errors));
    check(name + ": not solved" + all + ", worst residual " + number(worst),
          solver.unsolved <= count / 200 && worst < 1e-5, std::to_string(solver.unsolved));
    check(name + ": no growth of memory", end <= before + 1000000,
          std::to_string(before) + " to " + std::to_string(end) + " bytes");
    check(name + ": state is finite", std::isfinite(mju_norm(model.d->qpos, model.m->nq)));
  }
}

/* The quadruped that trots without feedback goes forward and stays upright. */
void trot()
{
  Model model(load_robot("trot"));
  Solver solver;
  solver.step(model, 1000);
  const double forward = model.d->qpos[0], upright = model.d->xmat[9 + 8];
  check("trot: every step solved", solver.unsolved == 0, std::to_string(solver.unsolved));
  check("trot: half a metre in two seconds, upright", forward > 0.5 && upright > 0.95,
        number(forward) + " m, " + number(upright));
}

/* Two runs give the same bits, whatever the number of threads. */
void same_bits()
{
  std::vector<double> ends[2];
  for (int run = 0; run < 2; run++) {
    Model model(load_robot("humanoid"));
    Solver solver;
    solver.s.options.threads = run ? 4 : 1;
    solver.step(model, 150);
    ends[run].assign(model.d->qpos, model.d->qpos + model.m->nq);
  }
  check("humanoid: same bits with one thread and four", ends[0] == ends[1]);
  /* four solvers at once, of one model */
  Model model(load_robot("humanoid"));
  std::vector<double> own[4];
  std::vector<std::thread> threads;
  for (std::vector<double> &end : own)
    threads.emplace_back([&model, &end] {
      Solver solver;
      mjData *d = mj_makeData(model.m);
      if (model.m->nkey > 0)
        mj_resetDataKeyframe(model.m, d, 0);
      for (int k = 0; k < 150; k++)
        perp_mj_step(model.m, d, &solver.s);
      end.assign(d->qpos, d->qpos + model.m->nq);
      mj_deleteData(d);
    });
  for (std::thread &thread : threads)
    thread.join();
  bool same = true;
  for (const std::vector<double> &end : own)
    same = same && end == ends[0];
  check("humanoid: same bits in four solvers of four threads", same);
}

void wrong_input()
{
  Model model(box(
      "cone='elliptic'", "type='box' size='.1 .1 .1' mass='1'",
      "<body name='limb' pos='0 0 3'><joint name='arm' type='hinge'/><geom size='.1'/></body>"));
  Solver solver;
  const std::string arm = "joint 'arm' of body 'limb': ";
  solver.step(model, 5);
  const double time = model.d->time, height = model.d->qpos[2];
  model.d->qvel[6] = std::nan("");
  check("NaN velocity is refused, with its joint and body",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, "qvel of " + arm),
        solver.s.result.message.text);
  check("the state is as before", model.d->time == time && model.d->qpos[2] == height);
  model.d->qvel[6] = 1e12; /* mj_step would reset the state */
  check("a velocity of 1e12 is refused, with its joint",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, arm) && model.d->time == time,
        solver.s.result.message.text);
  model.d->qvel[6] = 0;
  model.d->qpos[7] = INFINITY;
  check("an infinite position is refused, with its joint",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, arm) && model.d->time == time,
        solver.s.result.message.text);
  model.d->qpos[7] = 0;
  mjtNum *const forces[] = {model.d->qfrc_applied + 6, model.d->xfrc_applied + 6 * 2 + 3};
  for (mjtNum *const force : forces) { /* mj_step would reset the state */
    const std::vector<double> q(model.d->qpos, model.d->qpos + model.m->nq),
        v(model.d->qvel, model.d->qvel + model.m->nv);
    *force = std::nan("");
    check("NaN in an applied force is refused, with the joint or the body",
          perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
              contains(solver.s.result.message.text, "'limb'"),
          solver.s.result.message.text);
    check("the state is as before",
          model.d->time == time &&
              !std::memcmp(q.data(), model.d->qpos, sizeof(double) * q.size()) &&
              !std::memcmp(v.data(), model.d->qvel, sizeof(double) * v.size()));
    *force = 0;
  }
  const perp_options right = solver.s.options;
  solver.s.options.tol = INFINITY; /* every x would be solved */
  check("an infinite tol is refused",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_ARGUMENT && model.d->time == time,
        solver.s.result.message.text);
  solver.s.options = right;
  for (const perp_mj_law law : {PERP_MJ_RIGID, PERP_MJ_SOFT}) {
    Solver exact;
    exact.s.law = law;
    exact.s.keep = 1;
    exact.s.options.tol = 0;
    exact.s.options.time_limit = 0.05;
    Model copy(box("cone='elliptic'", "type='box' size='.1 .1 .1' mass='1'"));
    double residual = 0, scale = 1;
    copy.d->qvel[0] = 1;
    exact.step(copy, 1);
    const perp_error error =
        perp_problem_judge(&exact.s.problem, exact.s.x, &residual, &scale, nullptr);
    check("with tol 0 only a residual of 0 is solved",
          !error && exact.s.rows > 0 &&
              (exact.s.result.outcome != PERP_SOLVED || exact.s.result.residual == 0) &&
              std::fabs(exact.s.result.residual - residual) <= 1e-12 * scale,
          number(exact.s.result.residual) + ", judged " + number(residual));
  }
  solver.s.options.time_limit = -1;
  check("a negative time_limit is refused",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_ARGUMENT && model.d->time == time,
        solver.s.result.message.text);
  solver.s.options = right;
  for (const double step : {0.0, -0.002, std::nan("")}) {
    model.m->opt.timestep = step;
    check("a timestep that is not > 0 is refused",
          perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
              contains(solver.s.result.message.text, "timestep") && model.d->time == time,
          number(step));
  }
  model.m->opt.timestep = 0.002;
  model.m->opt.integrator = mjINT_RK4;
  check("RK4 is refused", perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_UNSUPPORTED &&
                              contains(solver.s.result.message.text, "RK4"));
  model.m->opt.integrator = 9;
  check("an unknown integrator is refused",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_UNSUPPORTED &&
            model.d->time == time);
  model.m->opt.integrator = mjINT_EULER;
  const double slop = solver.s.slop;
  solver.s.slop = std::nan("");
  check("NaN in slop is refused by name",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_ARGUMENT &&
            contains(solver.s.result.message.text, "slop") && model.d->time == time,
        solver.s.result.message.text);
  solver.s.slop = slop;
  for (const double friction : {-1.0, std::nan("")}) {
    mj_forward(model.m, model.d);
    model.d->contact[0].friction[0] = friction;
    check("friction that is negative or NaN is refused, with the bodies of its contact",
          perp_mj_solve(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
              contains(solver.s.result.message.text, "body 'world' and body 'box': friction[0] is"),
          solver.s.result.message.text);
  }
  mj_forward(model.m, model.d);
  mju_zero3(model.d->contact[0].frame);
  const char *const buffer = static_cast<const char *>(model.d->buffer);
  const std::vector<char> bytes(buffer, buffer + model.d->nbuffer);
  const perp_error no_normal = perp_mj_solve(model.m, model.d, &solver.s);
  check("a contact without normal is refused, with its bodies",
        no_normal == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, "body 'world' and body 'box'"),
        solver.s.result.message.text);
  check("and the solve has changed no byte of the data",
        std::equal(bytes.begin(), bytes.end(), buffer));
  const std::vector<double> q(model.d->qpos, model.d->qpos + model.m->nq),
      v(model.d->qvel, model.d->qvel + model.m->nv);
  mjcb_control = [](const mjModel *, mjData *d) { mju_zero3(d->contact[0].frame); };
  check("a contact that a step finds without normal is refused, and the state is as before",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, "body 'world' and body 'box'") &&
            model.d->time == time && std::equal(q.begin(), q.end(), model.d->qpos) &&
            std::equal(v.begin(), v.end(), model.d->qvel),
        solver.s.result.message.text);
  mjcb_control = nullptr;
  solver.step(model, 5);
  check("and continues afterwards", solver.unsolved == 0);
}

/* An error that is found before the step begins changes no byte of the data. One that is found later leaves what
 * MuJoCo computes from the state, and the steps after it have the bits of a world without errors. */
void after_errors()
{
  Model model(load_robot("quadruped")), other(load_robot("quadruped"));
  Solver solver, same;
  mjData *d = model.d;
  const int nq = model.m->nq, nv = model.m->nv;
  solver.step(model, 20);
  same.step(other, 20);
  struct Place {
    const char *name;
    mjtNum *value;
  };
  for (const Place &place : {Place{"a control", d->ctrl}, Place{"a position", d->qpos + nq - 1},
                             Place{"a velocity", d->qvel}}) {
    const mjtNum before = *place.value;
    *place.value = std::nan("");
    const char *buffer = static_cast<const char *>(d->buffer);
    const std::vector<char> bytes(buffer, buffer + d->nbuffer);
    const bool refused = perp_mj_step(model.m, d, &solver.s) == PERP_ERROR_PROBLEM;
    check(std::string("NaN in ") + place.name + " changes no byte of the data",
          refused && std::equal(bytes.begin(), bytes.end(), buffer));
    *place.value = before;
  }
  for (mjtNum *const force : {d->qfrc_applied + 6, d->xfrc_applied + 6}) {
    *force = std::nan("");
    check("NaN in an applied force is found during the step",
          perp_mj_step(model.m, d, &solver.s) == PERP_ERROR_PROBLEM);
    *force = 0;
  }
  solver.step(model, 20);
  same.step(other, 20);
  check("after errors: the bits of a world without errors",
        std::equal(d->qpos, d->qpos + nq, other.d->qpos) &&
            std::equal(d->qvel, d->qvel + nv, other.d->qvel) &&
            std::equal(d->qacc, d->qacc + nv, other.d->qacc) && d->time == other.d->time &&
            solver.unsolved + same.unsolved == 0 && solver.s.rows > 0);
}

/* A contact of a flex of MuJoCo 3 has -1 instead of a geom. Every MuJoCo makes such contacts here: mj_step1
 * calls the control callback after the collisions. */
void without_geom()
{
  Model model(box("cone='elliptic'", "type='box' size='.1 .2 .1' mass='3' condim='3'"));
  Solver solver;
  mjcb_control = [](const mjModel *, mjData *d) {
    for (int c = 0; c < d->ncon; c++)
      d->contact[c].geom1 = -1;
  };
  solver.step(model, 300);
  double weight = 0;
  for (int c = 0; c < model.d->ncon; c++) {
    mjtNum force[6];
    mj_contactForce(model.m, model.d, c, force);
    weight += force[0];
  }
  check("contacts without geom: every step solved, by Newton's method",
        solver.unsolved == 0 && solver.s.contacts == 4 &&
            solver.s.result.method == std::string("newton"),
        std::to_string(solver.unsolved));
  check("contacts without geom: carry the weight", std::fabs(weight - 3 * g) < 1e-6,
        number(weight));
  mju_zero3(model.d->contact[0].frame);
  check("a contact of a flex without normal is refused, by name",
        perp_mj_solve(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, "of flex and body 'box'"),
        solver.s.result.message.text);
  mjcb_control = nullptr;
}

/* NaN in the activation of an actuator or in the pose of a mocap body, which moves a body by a weld. */
void wrong_drives()
{
  Model model("<worldbody><body name='hand' mocap='true'/>"
              "<body name='held'><freejoint/><geom size='.1'/></body>"
              "<body><joint name='arm'/><geom size='.1' pos='2 0 0'/></body></worldbody>"
              "<equality><weld body1='hand' body2='held'/></equality>"
              "<actuator><general joint='arm' dyntype='integrator' gainprm='1'/></actuator>");
  Solver solver;
  solver.step(model, 3);
  struct Place {
    const char *message;
    mjtNum *value;
  };
  for (const Place &place : {Place{"act 0: nan", model.d->act},
                             Place{"mocap pose of body 'hand': nan", model.d->mocap_pos + 1},
                             Place{"mocap pose of body 'hand': nan", model.d->mocap_quat + 2}}) {
    const double before = *place.value, time = model.d->time;
    std::vector<double> whole(model.d->mocap_quat, model.d->mocap_quat + 4);
    *place.value = std::nan("");
    const perp_error error = perp_mj_step(model.m, model.d, &solver.s);
    *place.value = before;
    check(std::string(place.message) + " is refused, and nothing has changed",
          error == PERP_ERROR_PROBLEM &&
              solver.s.result.message.text == std::string(place.message) && model.d->time == time &&
              std::equal(whole.begin(), whole.end(), model.d->mocap_quat),
          solver.s.result.message.text);
  }
  solver.step(model, 3);
  check("wrong drives: continues afterwards", solver.unsolved == 0);
}

/* A link whose mass the model has lost: the joint is named, and the state is as before. NaN in a control
 * names its motor. */
void singular()
{
  /* two links: MuJoCo keeps the inertia of a body that moves alone */
  Model model("<worldbody><body pos='0 0 1'><joint name='first' axis='0 1 0'/><geom size='.1'/>"
              "<body pos='.3 0 0'><joint name='axle' axis='0 1 0'/><geom size='.1' pos='.1 0 0'/>"
              "</body></body></worldbody><actuator><motor name='lift' joint='axle'/></actuator>");
  Solver solver;
  solver.step(model, 3);
  const double time = model.d->time, q = model.d->qpos[0], v = model.d->qvel[0];
  const double mass = model.m->body_mass[2];
  const std::vector<double> inertia(model.m->body_inertia + 6, model.m->body_inertia + 9);
  model.m->body_mass[2] = 0;
  mju_zero3(model.m->body_inertia + 6);
  mju_user_warning = [](const char *) {}; /* without it MuJoCo writes a file */
  check("a singular inertia is refused, with its joint",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, "'axle' of body 2") &&
            solver.s.result.outcome == PERP_NOT_RUN,
        solver.s.result.message.text);
  check("singular inertia: the state is as before",
        model.d->time == time && model.d->qpos[0] == q && model.d->qvel[0] == v);
  model.m->body_mass[2] = mass;
  mju_copy3(model.m->body_inertia + 6, inertia.data());
  mju_user_warning = nullptr;
  model.d->ctrl[0] = std::nan("");
  check("NaN in a control is refused, with its motor",
        perp_mj_step(model.m, model.d, &solver.s) == PERP_ERROR_PROBLEM &&
            contains(solver.s.result.message.text, "'lift'"),
        solver.s.result.message.text);
  model.d->ctrl[0] = 0;
  solver.step(model, 3);
  check("singular inertia: continues afterwards",
        solver.unsolved == 0 && std::fabs(model.d->time - 2 * time) < 1e-12, number(model.d->time));
}

} // namespace

/* mujoco [STEPS]: steps of each robot, 200; a twentieth for the chain */
int main(int count, char **argument)
{
  const int steps = count > 1 ? std::atoi(argument[1]) : 200;
  free_fall();
  rest();
  incline();
  torsion();
  grasp();
  dry_joint();
  limit();
  rope();
  dry_tendon();
  pair();
  sensors();
  loop();
  loop_twice();
  contradiction();
  near_contradiction();
  soft("pyramidal", nullptr);
  soft("elliptic", nullptr);
  soft("elliptic", load_robot("quadruped"));
  implicit();
  integrators();
  for (const perp_mj_law law : {PERP_MJ_RIGID, PERP_MJ_SOFT}) {
    without_matrix("", "elliptic", law);
    without_matrix("", "pyramidal", law);
    without_matrix("", "elliptic", law, true);
    without_matrix("humanoid", "", law, true);
    for (const char *const robot : {"quadruped", "humanoid", "gripper", "hand"})
      without_matrix(robot, "", law);
  }
  without_matrix("lying", "", PERP_MJ_RIGID);
  robots(steps);
  trot();
  same_bits();
  wrong_input();
  wrong_drives();
  without_geom();
  after_errors();
  singular();
  return summary();
}
