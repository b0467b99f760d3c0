/* mujoco_derivative.cpp: derivatives of steps against differences of whole steps
 *
 * The oracle solves perp_mj_step at both sides of a state, to 1e-12, and extrapolates two central
 * differences (Richardson). It shares with the derivative the step itself and nothing else. Columns with
 * a kink within the differences, at which both sides have other slopes, are counted and not compared. */
#include <perp/mujoco_derivative.h>

#include "mujoco_models.hpp"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace
{

using numbers = std::vector<double>;

struct Closer {
  void operator()(mjData *d) const
  {
    mj_deleteData(d);
  }
  void operator()(mjModel *m) const
  {
    mj_deleteModel(m);
  }
  void operator()(perp_mj_derivative *D) const
  {
    perp_mj_derivative_destroy(D);
  }
};
using Data = std::unique_ptr<mjData, Closer>;
using Model = std::unique_ptr<mjModel, Closer>;
using Derivative = std::unique_ptr<perp_mj_derivative, Closer>;

/* A ball, a capsule and a table with three feet on a floor, an arm with a limit, dry friction, damping and three motors, one of
 * them with an activation, and a link that is tied to another by an equality. */
std::string bodies(const std::string &option, int dim)
{
  const std::string space = " condim='" + std::to_string(dim) + "' margin='.02'";
  return "<option timestep='0.002' " + option +
         "/><compiler angle='radian'/><worldbody>"
         "<geom type='plane' size='5 5 .1' friction='.3 .02 .01'" +
         space +
         "/>"
         "<body pos='0 0 .1'><freejoint/><geom size='.1' mass='1' friction='.6 .03 .02'" +
         space +
         "/></body>"
         "<body pos='.5 0 .08'><freejoint/><geom type='capsule' size='.06 .1' mass='.7' "
         "friction='.4 .01 .005'"
         " euler='0 1.5 0'" +
         space +
         "/></body>"
         "<body pos='-.6 0 .12'><freejoint/><geom type='box' size='.1 .12 .02' mass='2' "
         "contype='0' conaffinity='0'/>"
         "<geom size='.04' pos='.1 0 -.08' friction='.5 .025 .012'" +
         space + "/><geom size='.04' pos='-.1 .1 -.08' friction='.5 .025 .012'" + space +
         "/><geom size='.04' pos='-.1 -.1 -.08' friction='.2 .03 .015'" + space +
         "/></body>"
         "<body pos='0 1 .5'><joint name='a' type='hinge' axis='0 1 0' limited='true' range='-.2 "
         ".2' margin='.1'"
         " damping='.05'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.03' mass='.5' "
         "contype='0'/>"
         "<body pos='.3 0 0'><joint name='b' type='ball' damping='.01'/>"
         "<geom type='capsule' fromto='0 0 0 .3 0 .1' size='.03' mass='.4' contype='0'/>"
         "<body pos='.3 0 .1'><joint name='c' type='slide' axis='1 0 0' frictionloss='.4'/>"
         "<geom size='.05' mass='.3' contype='0'/></body></body></body>"
         "<body pos='0 2 .5'><joint name='t' type='hinge' axis='1 0 0'/><geom size='.1' pos='0 .1 "
         "0' mass='.3' "
         "contype='0'/></body></worldbody>"
         "<equality><joint joint1='t' joint2='a' polycoef='0 .5 .2 0 0'/></equality>"
         "<actuator><motor joint='a' ctrlrange='-1 1' ctrllimited='true'/><position joint='c' "
         "kp='5'/>"
         "<general joint='t' dyntype='filter' dynprm='.05' gainprm='2'/></actuator>";
}

struct State {
  numbers q, v, act, ctrl;
};

void put(const mjModel *m, mjData *d, const State &s)
{
  mju_copy(d->qpos, s.q.data(), m->nq);
  mju_copy(d->qvel, s.v.data(), m->nv);
  mju_copy(d->act, s.act.data(), m->na);
  mju_copy(d->ctrl, s.ctrl.data(), m->nu);
}

State get(const mjModel *m, const mjData *d)
{
  return {numbers(d->qpos, d->qpos + m->nq), numbers(d->qvel, d->qvel + m->nv),
          numbers(d->act, d->act + m->na), numbers(d->ctrl, d->ctrl + m->nu)};
}

struct Oracle {
  mjModel *m;
  Data d;
  State base;
  perp_mj settings;
  bool solved = true;

  /* the end of the step after number j of z, or of the friction of geoms, has changed */
  State end(int j, double change)
  {
    put(m, d.get(), base);
    d->time = 0;
    mju_zero(d->qacc_warmstart, m->nv);
    const int nv = m->nv, friction = j - 2 * nv - m->na - m->nu;
    if (j >= 0 && j < nv) {
      numbers along((size_t)nv, 0.0);
      along[(size_t)j] = 1;
      mj_integratePos(m, d->qpos, along.data(), change);
    } else if (j >= 0) {
      double *at = j < 2 * nv           ? d->qvel + j - nv
                   : j < 2 * nv + m->na ? d->act + j - 2 * nv
                   : friction < 0       ? d->ctrl + j - 2 * nv - m->na
                                        : m->geom_friction + friction;
      *at += change;
    }
    perp_mj s = perp_mj_default();
    s.law = settings.law;
    s.exact = settings.exact;
    s.method = "ssn"; /* which ends, if this tolerance is out of reach */
    s.options.tol = 1e-12;
    s.options.max_iterations = 60;
    const perp_error error = perp_mj_step(m, d.get(), &s);
    solved = solved && !error && (s.rows == 0 || s.result.relative_residual < 1e-11);
    if (friction >= 0)
      m->geom_friction[friction] -= change;
    perp_mj_close(&s);
    return get(m, d.get());
  }

  numbers difference(const State &a, const State &b, double width) const
  {
    numbers out((size_t)(2 * m->nv + m->na));
    mj_differentiatePos(m, out.data(), width, a.q.data(), b.q.data());
    for (int i = 0; i < m->nv; i++)
      out[(size_t)(m->nv + i)] = (b.v[(size_t)i] - a.v[(size_t)i]) / width;
    for (int i = 0; i < m->na; i++)
      out[(size_t)(2 * m->nv + i)] = (b.act[(size_t)i] - a.act[(size_t)i]) / width;
    return out;
  }

  /* column j; returns false at a kink */
  bool column(int j, numbers &out)
  {
    const double step = 2e-5;
    const State at = end(-1, 0), a = end(j, -step), b = end(j, step), c = end(j, -2 * step),
                e = end(j, 2 * step);
    const numbers once = difference(a, b, 2 * step), twice = difference(c, e, 4 * step),
                  left = difference(c, at, 2 * step), right = difference(at, e, 2 * step);
    double size = 1, kink = 0;
    out.resize(once.size());
    for (size_t i = 0; i < once.size(); i++) {
      out[i] = (4 * once[i] - twice[i]) / 3;
      size = std::fmax(size, std::fabs(out[i]));
      kink = std::fmax(
          kink, std::fmax(std::fabs(left[i] - right[i]), 1e4 * std::fabs(once[i] - twice[i])));
    }
    return kink < 0.005 * size;
  }
};

struct Tally {
  int states = 0, columns = 0, kinks = 0, degenerate = 0, frozen = 0, rows = 0, slides = 0,
      sticks = 0;
  double worst = 0, transposed = 0;
};

/* Compares the derivative at a state, column by column, and vjp with jvp. */
void compare(mjModel *m, mjData *d, const perp_mj &settings, std::mt19937 &random, Tally &t)
{
  perp_mj s = settings;
  perp_mj_derivative *made = nullptr;
  const State before = get(m, d);
  const perp_error error = perp_mj_derivative_create(m, d, &s, &made);
  const Derivative D(made);
  if (error) {
    check("derivative", false, s.result.message.text);
    return;
  }
  const State after = get(m, d);
  if (before.q != after.q || before.v != after.v || before.act != after.act)
    check("the state is as before", false);
  t.states++;
  t.rows += D->rows;
  t.degenerate += D->facts.degenerate > 0;
  t.frozen += D->frozen;
  t.slides += (int)D->facts.slide;
  t.sticks += (int)D->facts.stick;
  Oracle oracle{m, Data(mj_makeData(m)), before, settings, true};
  const size_t inputs = (size_t)D->inputs, outputs = (size_t)D->outputs,
               all = inputs + 3 * (size_t)m->ngeom;
  numbers next(outputs), truth, w(outputs), bar(inputs), friction_bar(3 * (size_t)m->ngeom);
  std::normal_distribution<double> normal;
  for (double &value : w)
    value = normal(random);
  if (perp_mj_derivative_vjp(D.get(), w.data(), bar.data(), friction_bar.data()))
    check("vjp", false, D->solver.result.message.text);
  std::uniform_int_distribution<size_t> any(0, all - 1);
  for (int k = 0; k < 16; k++) {
    const size_t j = any(random);
    numbers dz(inputs, 0.0), df(3 * (size_t)m->ngeom, 0.0);
    (j < inputs ? dz[j] : df[j - inputs]) = 1;
    if (perp_mj_derivative_jvp(D.get(), dz.data(), df.data(), next.data()))
      check("jvp", false, D->solver.result.message.text);
    double product = 0, size = 1, error_here = 0;
    for (size_t i = 0; i < outputs; i++) {
      product += w[i] * next[i];
      size += std::fabs(w[i] * next[i]);
    }
    t.transposed = std::fmax(
        t.transposed, std::fabs(product - (j < inputs ? bar[j] : friction_bar[j - inputs])) / size);
    t.columns++;
    if (D->facts.degenerate || !oracle.column((int)j, truth) || !oracle.solved) {
      t.kinks++;
      oracle.solved = true;
      continue;
    }
    size = 1;
    for (size_t i = 0; i < outputs; i++) {
      size = std::fmax(size, std::fabs(truth[i]));
      error_here = std::fmax(error_here, std::fabs(truth[i] - next[i]));
    }
    t.worst = std::fmax(t.worst, error_here / size);
  }
}

void report(const std::string &name, const Tally &t, double kinks)
{
  check(name + ": derivatives of " + std::to_string(t.states) + " states equal differences, " +
            std::to_string(t.rows) + " rows, " + std::to_string(t.sticks) + " stick, " +
            std::to_string(t.slides) + " slide",
        t.worst < 1e-6, number(t.worst));
  check(name + ": at most " + number(100 * kinks) + " % of " + std::to_string(t.columns) +
            " columns have kinks",
        t.kinks <= kinks * t.columns,
        std::to_string(t.kinks) + " columns, " + std::to_string(t.degenerate) +
            " degenerate states, " + std::to_string(t.frozen) + " frozen");
  check(name + ": vjp is the transpose of jvp", t.transposed < 1e-11, number(t.transposed));
}

/* States of a motion: from a random beginning some steps, then random velocities and controls. */
void random_states(const std::string &name, mjModel *model, int exact, int states, int steps,
                   double shake, double kinks)
{
  const Model m(model);
  std::mt19937 random(20260 + (unsigned)states + (unsigned)steps);
  std::normal_distribution<double> normal;
  Tally t;
  for (int k = 0; k < states; k++) {
    const Data d(mj_makeData(m.get()));
    if (m->nkey > 0)
      mj_resetDataKeyframe(m.get(), d.get(), 0);
    perp_mj s = perp_mj_default();
    s.exact = exact;
    numbers along((size_t)m->nv);
    for (double &value : along)
      value = normal(random);
    mj_integratePos(m.get(), d->qpos, along.data(), 0.02);
    for (int i = 0; i < m->nu; i++)
      d->ctrl[i] += 0.3 * normal(random);
    for (int i = 0; i < steps; i++)
      perp_mj_step(m.get(), d.get(), &s);
    for (int i = 0; i < m->nv; i++)
      d->qvel[i] += shake * normal(random);
    for (int i = 0; i < 4; i++) /* contacts close, some stick and some slide */
      perp_mj_step(m.get(), d.get(), &s);
    perp_mj_close(&s);
    perp_mj settings = perp_mj_default();
    settings.exact = exact;
    compare(m.get(), d.get(), settings, random, t);
  }
  report(name, t, kinks);
}

/* What has no derivative is refused with the reason, in the caller's solver, and the data stay. */
void refused()
{
  const Model m(load(bodies("cone='elliptic'", 3)));
  const Data d(mj_makeData(m.get()));
  perp_mj s = perp_mj_default();
  perp_mj_derivative *D = nullptr;
  s.law = PERP_MJ_SOFT;
  check("the soft law is refused",
        perp_mj_derivative_create(m.get(), d.get(), &s, &D) == PERP_ERROR_UNSUPPORTED && !D &&
            contains(s.result.message.text, "mjd_transitionFD"),
        s.result.message.text);
  s.law = PERP_MJ_RIGID;
  d->ctrl[1] = std::nan("");
  check("NaN in a control is refused",
        perp_mj_derivative_create(m.get(), d.get(), &s, &D) == PERP_ERROR_PROBLEM && !D &&
            contains(s.result.message.text, "actuator") && d->time == 0,
        s.result.message.text);
  d->ctrl[1] = 0;
  for (int k = 0; k < 60; k++)
    perp_mj_step(m.get(), d.get(), &s);
  check("there are contacts", d->ncon > 0);
  mjcb_control = [](const mjModel *, mjData *data) {
    for (int c = 0; c < data->ncon; c++)
      data->contact[c].geom2 = -1; /* as in a contact with a flex of MuJoCo 3 */
  };
  check("a contact of a flex is refused, by name",
        perp_mj_derivative_create(m.get(), d.get(), &s, &D) == PERP_ERROR_UNSUPPORTED && !D &&
            contains(s.result.message.text, "contact 0 of body 'world' and flex: "),
        s.result.message.text);
  mjcb_control = nullptr;
  perp_mj_close(&s);
}

} // namespace

int main(int count, char **argument)
{
  const int share = count > 1 ? std::atoi(argument[1]) : 1;
  for (const int dim : {1, 3, 4, 6})
    for (const char *cone : {"elliptic", "pyramidal"})
      for (const int exact : {0, 1})
        random_states(
            std::string(cone) + " condim " + std::to_string(dim) + (exact ? ", exact" : ""),
            load(bodies(std::string("cone='") + cone + "'", dim)), exact, 5 * share, 60, 0.3, 0.15);
  random_states("implicit, elliptic", load(bodies("integrator='implicit' cone='elliptic'", 3)), 1,
                5 * share, 60, 0.3, 0.15);
  for (const char *name : {"fourbar", "quadruped", "humanoid"})
    random_states(name, load_robot(name), 1, 2 * share, 40, 0.1, 0.3);
  refused();
  return summary();
}
