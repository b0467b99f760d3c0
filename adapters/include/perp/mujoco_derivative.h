/* perp/mujoco_derivative.h: the derivative of perp_mj_step with the rigid law
 *
 *   perp_mj_derivative *D = NULL;
 *   perp_mj_derivative_create(m, d, &solver, &D);   // of the step from the state of d, which stays
 *   perp_mj_derivative_vjp(D, w, z_bar, NULL);      // w: gradient of a loss at the end of the step
 *   perp_mj_derivative_destroy(D);
 *
 * A step takes z = (qpos, qvel, act, ctrl) to z+ = (qpos, qvel, act); positions change in the tangent
 * space, nv numbers, as in mjd_transitionFD. With impulses x it is
 *
 *   v+ = W(z, x) = v + h H^-1 (f(z) + J^T x / h),   H = M + h D, or MuJoCo's matrix of implicit
 *   y  = Y(z, x) = J W(z, x) + pos / time,          q+ = q (+) h v+,
 *
 * and x solves the complementarity problem of y = A x + b, so that A = J H^-1 J^T and b = Y(z, 0). If z
 * changes by dz, Y changes by dA x + db at fixed x. Hence
 *
 *   r   = dY/dz dz                       at fixed x
 *   dx  = (dx/db) r + (dx/dmu) dmu       by perp_derivative, which knows which contacts stick and slide
 *   dv+ = dW/dz dz + H^-1 J^T dx,        dq+ = dq+/dz dz + P H^-1 J^T dx
 *
 * with P = dq+/dv+. The solve is never differenced: dx, H^-1 J^T and P are exact. MuJoCo has no
 * derivatives of its collisions, J and f, so that dW/dz and dY/dz are central differences of its
 * dynamics at fixed x, without a solve; their error is about 1e-9. For dmu, elliptic contacts are
 * exact by (dx/dmu); in pyramids the rows J_n +- mu J_k give dJ/dmu = +- J_k, also exact. jvp and vjp use the
 * same matrices, so that they are transposes of each other up to rounding.
 *
 * At kinks:
 *   - rows between two laws (about to slide, to touch, or to leave a limit): the side of
 *     PERP_DEGENERATE_HOLD; facts.degenerate counts them;
 *   - overlaps that are about to close: the side on which the state is;
 *   - a contact that MuJoCo does not find in a changed state, such as a corner of two faces: it is
 *     frozen, its gap changes by its row of J and J does not; `frozen` counts those;
 *   - controls at their range: the side within it;
 *   - two geoms with the same friction, of which MuJoCo takes the larger: half for each.
 * Contacts of meshes, cylinders and ellipsoids are found by MuJoCo's iteration to opt.mpr_tolerance, so
 * that the differences have the error mpr_tolerance / step.
 * Controls that a callback sets count as given. The soft law is refused: mjd_transitionFD has it. So are
 * contacts of a flex of MuJoCo 3.
 *
 * Cost: 2 (2 nv + na + nu) evaluations of MuJoCo's forward dynamics, nv of them pairs with collisions. */
#ifndef PERP_MUJOCO_DERIVATIVE_H
#define PERP_MUJOCO_DERIVATIVE_H

#include <perp/derivative.h>
#include <perp/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A contact with friction: its rows as MuJoCo numbers them, and the geoms that its coefficients come from. */
typedef struct perp_mj_rubbing {
  int geom[2], first, dim;
  int cone;           /* its number in the problem; -1: a pyramid */
  double share[2][3]; /* d mu / d geom_friction of both geoms: slide, torsion, roll */
  double friction[5];
} perp_mj_rubbing;

/* Only from perp_mj_derivative_create. */
typedef struct perp_mj_derivative {
  int nv, na, nu, ngeom;
  int inputs;  /* of z: 2 nv + na + nu */
  int outputs; /* of z+: 2 nv + na */
  int rows;    /* of the problem */
  int frozen;  /* constraints that MuJoCo did not find in a changed state, see above */
  perp_derivative_facts facts; /* of the solution; zeros without constraints */
  mjData *d;                   /* after the step */

  /* the adapter's own; arrays of rows have MuJoCo's order */
  perp_mj solver;
  mjModel *wide; /* with larger margins, so that a contact at rest is found on both sides */
  mjData *e;     /* a changed state */
  perp_derivative *solution;
  int rubbings, units;
  perp_mj_rubbing *rubbing;
  perp_mj_unit *unit;
  int *row; /* MuJoCo's number of each row of the problem */
  char *memory;
  double *x, *r, *b, *mu;
  double *rate;     /* 1 / time in which the gap of a row is to close; 0 for rows without one */
  double *J, *V;    /* rows x nv: J, and the change of v+ by a unit impulse in each row */
  double *Z, *Y;    /* dz+/dz at fixed x, inputs x outputs; dY/dz, inputs x rows */
  double *side[2];  /* v+, act+, y and q+ on both sides of a difference */
  double *velocity; /* nv */
  double *L;        /* the factor of H */
  double *saved;    /* for perp_mj_implicit_response */
} perp_mj_derivative;

enum {
  PERP_MJ_AXES = 5
}; /* two slides, torsion, two rolls: geom_friction has three numbers for them */

static inline int perp_mj_axis(int k)
{
  return k < 2 ? 0 : k == 2 ? 1 : 2;
}

static inline void perp_mj_derivative_destroy(perp_mj_derivative *D)
{
  if (!D)
    return;
  perp_derivative_destroy(D->solution);
  perp_mj_close(&D->solver);
  if (D->d)
    mj_deleteData(D->d);
  if (D->e)
    mj_deleteData(D->e);
  if (D->wide)
    mj_deleteModel(D->wide);
  free(D->memory);
  free(D);
}

/* ---- The step ---- */

/* Refuses contacts of a flex: their friction is not that of a geom. */
static inline perp_error perp_mj_derivative_check(perp_mj_derivative *D, const mjModel *m)
{
  const mjData *d = D->d;
  for (int c = 0; c < d->ncon; c++) {
    const mjContact *contact = &d->contact[c];
    if (contact->geom1 >= 0 && contact->geom2 >= 0)
      continue;
    char first[110], second[110], text[400];
    perp_mj_side(first, sizeof first, m, contact, 0);
    perp_mj_side(second, sizeof second, m, contact, 1);
    snprintf(text, sizeof text,
             "contact %d of %s and %s: a step with contacts of a flex has no derivative here", c,
             first, second);
    return perp_mj_fail(&D->solver, PERP_ERROR_UNSUPPORTED, text, m, 0, -1, 0);
  }
  return PERP_OK;
}

static inline perp_error perp_mj_derivative_solve(perp_mj_derivative *D, const mjModel *m,
                                                  const mjData *d, const perp_mj *s)
{
  perp_mj *own = &D->solver;
  own->law = s->law;
  own->exact = s->exact;
  own->slop = s->slop;
  own->method = s->method;
  own->options = s->options;
  own->keep = 1;
  if (s->law != PERP_MJ_RIGID)
    return perp_mj_fail(own, PERP_ERROR_UNSUPPORTED,
                        "derivatives are those of the rigid law; use mjd_transitionFD for MuJoCo's",
                        m, 0, -1, 0);
  mj_copyData(D->d, m, d);
  const perp_error error = perp_mj_step(m, D->d, own);
  if (error || !own->problem.A)
    return error;
  if (own->result.outcome != PERP_SOLVED) {
    char text[200];
    snprintf(text, sizeof text, "the step is not solved, its residual is %g: it has no derivative",
             own->result.relative_residual);
    return perp_mj_fail(own, PERP_ERROR_PROBLEM, text, m, 0, -1, 0);
  }
  return perp_mj_derivative_check(D, m);
}

/* Returns the bytes; sets the arrays if `at` is not NULL. */
static inline size_t perp_mj_derivative_place(perp_mj_derivative *D, const mjModel *m, char *at)
{
  const size_t n = (size_t)D->rows, nv = (size_t)m->nv, in = (size_t)D->inputs,
               out = (size_t)D->outputs, real = sizeof(double);
  const size_t side = nv + (size_t)m->na + n + (size_t)m->nq;
  size_t bytes = 16;
  bytes += perp_mj_take(&at, n * real, (void **)&D->x);
  bytes += perp_mj_take(&at, n * real, (void **)&D->r);
  bytes += perp_mj_take(&at, n * real, (void **)&D->b);
  bytes += perp_mj_take(&at, PERP_MJ_AXES * n * real, (void **)&D->mu);
  bytes += perp_mj_take(&at, n * real, (void **)&D->rate);
  bytes += perp_mj_take(&at, n * nv * real, (void **)&D->J);
  bytes += perp_mj_take(&at, n * nv * real, (void **)&D->V);
  bytes += perp_mj_take(&at, in * out * real, (void **)&D->Z);
  bytes += perp_mj_take(&at, in * n * real, (void **)&D->Y);
  bytes += perp_mj_take(&at, side * real, (void **)&D->side[0]);
  bytes += perp_mj_take(&at, side * real, (void **)&D->side[1]);
  bytes += perp_mj_take(&at, nv * real, (void **)&D->velocity);
  bytes += perp_mj_take(&at, (size_t)m->nM * real, (void **)&D->L);
  bytes += perp_mj_take(&at, perp_mj_saved(m) * real, (void **)&D->saved);
  bytes += perp_mj_take(&at, n * sizeof(perp_mj_unit), (void **)&D->unit);
  bytes += perp_mj_take(&at, (size_t)D->d->ncon * sizeof(perp_mj_rubbing), (void **)&D->rubbing);
  bytes += perp_mj_take(&at, n * sizeof(int), (void **)&D->row);
  return bytes;
}

/* share <- d mu / d geom_friction for the geoms of a contact. MuJoCo takes the friction of the geom of
 * higher priority, else the larger one, unless the two geoms are a <pair> with friction of its own. */
static inline void perp_mj_shares(const mjModel *m, perp_mj_rubbing *r)
{
  const int *g = r->geom;
  for (int k = 0; k < m->npair; k++)
    if ((m->pair_geom1[k] == g[0] && m->pair_geom2[k] == g[1]) ||
        (m->pair_geom1[k] == g[1] && m->pair_geom2[k] == g[0]))
      return;
  const int priority = m->geom_priority[g[0]] - m->geom_priority[g[1]];
  for (int k = 0; k < 3; k++) {
    const double first = m->geom_friction[3 * g[0] + k], second = m->geom_friction[3 * g[1] + k];
    const double larger = priority ? (double)priority : first - second;
    const double most = priority > 0 ? first : priority < 0 ? second : fmax(first, second);
    r->share[0][k] = most <= mjMINMU ? 0 : larger > 0 ? 1 : larger < 0 ? 0 : 0.5;
    r->share[1][k] = most <= mjMINMU ? 0 : 1 - r->share[0][k];
  }
}

/* Sets row, unit, x, rate, J and the contacts with friction, from the step in d. */
static inline void perp_mj_derivative_rows(perp_mj_derivative *D, const mjModel *m)
{
  mjData *d = D->d;
  perp_mj_arrays order;
  int cones = 0;
  order.row = D->row;
  perp_mj_order(d, &order);
  for (int k = 0; k < D->rows; k++)
    D->x[D->row[k]] = D->solver.x[k];
  for (int i = 0; i < D->rows; i += D->unit[D->units++].rows) {
    const perp_mj_unit u = D->unit[D->units] = perp_mj_describe(d, i);
    const int elliptic = u.type == mjCNSTR_CONTACT_ELLIPTIC;
    const int dry = u.type == mjCNSTR_FRICTION_DOF || u.type == mjCNSTR_FRICTION_TENDON;
    for (int k = i; k < i + u.rows; k++) {
      if (!dry && (!elliptic || k == i)) {
        const double gap = d->efc_pos[k] + (u.type == mjCNSTR_EQUALITY ? 0 : D->solver.slop);
        D->rate[k] = gap > 0 && u.type != mjCNSTR_EQUALITY
                         ? 1 / m->opt.timestep
                         : 1 / perp_mj_decay(&D->solver, m, perp_mj_solref(m, d, k));
      }
      D->r[k] = 1;
      mj_mulJacTVec(m, d, D->J + (size_t)k * (size_t)m->nv, D->r);
      D->r[k] = 0;
    }
    if (elliptic || u.type == mjCNSTR_CONTACT_PYRAMIDAL) {
      const mjContact *contact = &d->contact[d->efc_id[i]];
      perp_mj_rubbing *r = &D->rubbing[D->rubbings++];
      memset(r, 0, sizeof *r);
      r->geom[0] = contact->geom1;
      r->geom[1] = contact->geom2;
      r->first = i;
      r->dim = contact->dim;
      r->cone = elliptic ? cones++ : -1;
      mju_copy(r->friction, contact->friction, PERP_MJ_AXES);
      perp_mj_shares(m, r);
    }
  }
}

/* ---- Differences at fixed impulses ---- */

static inline void perp_mj_derivative_set(perp_mj_derivative *D, const mjData *from)
{
  const mjModel *m = D->wide;
  mjData *e = D->e;
  mju_copy(e->ctrl, D->d->ctrl, m->nu); /* a callback may have set them */
  mju_copy(e->qpos, from->qpos, m->nq);
  mju_copy(e->qvel, from->qvel, m->nv);
  mju_copy(e->act, from->act, m->na);
  e->time = from->time;
}

/* The end of a step under the forces of e, whatever the integrator. */
static inline void perp_mj_integrate(const mjModel *m, mjData *e)
{
  mju_add(e->qacc, e->qfrc_smooth, e->qfrc_constraint, m->nv);
  mj_solveM(m, e, e->qacc, e->qacc, 1);
  if (m->opt.integrator == mjINT_EULER)
    mj_Euler(m, e);
  else
    mj_implicit(m, e);
}

/* Returns the first row of constraint u in e, or -1. Of several contacts of two geoms: the nearest, at
 * most `reach` away. */
static inline int perp_mj_find(const mjData *e, const perp_mj_unit *u, double reach)
{
  int best = -1;
  for (int j = 0; j < e->nefc;) {
    const perp_mj_unit v = perp_mj_describe(e, j);
    const double distance = mju_dist3(u->place, v.place);
    if (v.type == u->type && v.id == u->id && v.other == u->other && v.rows == u->rows &&
        distance <= reach) {
      best = j;
      reach = distance;
    }
    j += v.rows;
  }
  return best;
}

/* side <- v+, act+, y, q+ of e at fixed impulses. Position `moved` of e has changed by `change`; -1:
 * none has, and e has the rows of the step. */
static inline void perp_mj_derivative_look(perp_mj_derivative *D, int moved, double change,
                                           double *side)
{
  const mjModel *m = D->wide;
  mjData *e = D->e;
  const int nv = m->nv;
  const double h = m->opt.timestep, reach = 1e-3 * fmax(1, m->stat.extent);
  double *y = side + nv + m->na, *force = D->velocity;
  mju_zero(force, nv); /* of constraints that e has lost */
  mju_zero(e->efc_force, e->nefc);
  for (int k = 0; k < D->units; k++) {
    const perp_mj_unit *u = &D->unit[k];
    const int at = perp_mj_find(e, u, reach);
    D->frozen += at < 0 && moved >= 0;
    for (int i = 0; i < u->rows; i++)
      if (at >= 0)
        e->efc_force[at + i] += D->x[u->first + i] / h;
      else
        mju_addToScl(force, D->J + (size_t)(u->first + i) * (size_t)nv, D->x[u->first + i] / h, nv);
  }
  mj_mulJacTVec(m, e, e->qfrc_constraint, e->efc_force);
  mju_addTo(e->qfrc_constraint, force, nv);
  perp_mj_integrate(m, e);
  mj_mulJacVec(m, e, e->efc_vel, e->qvel);
  for (int k = 0; k < D->units; k++) {
    const perp_mj_unit *u = &D->unit[k];
    const int at = perp_mj_find(e, u, reach);
    const double *J = D->J + (size_t)u->first * (size_t)nv;
    /* both edges of a pyramid: their mean is the normal */
    const int edge = u->type == mjCNSTR_CONTACT_PYRAMIDAL ? nv : 0;
    for (int i = u->first; i < u->first + u->rows; i++) {
      const double gap = at >= 0 ? e->efc_pos[at + i - u->first]
                         : moved < 0
                             ? D->d->efc_pos[i]
                             : D->d->efc_pos[i] + change * 0.5 * (J[moved] + J[edge + moved]);
      y[i] = (at >= 0 ? e->efc_vel[at + i - u->first]
                      : mju_dot(D->J + (size_t)i * (size_t)nv, e->qvel, nv)) +
             D->rate[i] * gap;
    }
  }
  mju_copy(side, e->qvel, nv);
  mju_copy(side + nv, e->act, m->na);
  mju_copy(y + D->rows, e->qpos, m->nq);
}

/* Returns number j of z in e, but for positions; *limit <- its range, or NULL. */
static inline double *perp_mj_input(perp_mj_derivative *D, int j, const mjtNum **limit)
{
  const mjModel *m = D->wide;
  const int u = j - 2 * m->nv - m->na;
  *limit = u >= 0 && m->actuator_ctrllimited[u] ? m->actuator_ctrlrange + 2 * u : NULL;
  return j < 2 * m->nv ? D->e->qvel + j - m->nv
         : u < 0       ? D->e->act + j - 2 * m->nv
                       : D->e->ctrl + u;
}

/* Column j of Z and Y. */
static inline void perp_mj_derivative_column(perp_mj_derivative *D, const mjData *from, int j)
{
  const mjModel *m = D->wide;
  mjData *e = D->e;
  const int nv = m->nv, moves = j < nv;
  const double step = 1e-5;
  double width = 0;
  for (int k = 0; k < 2; k++) {
    const mjtNum *limit = NULL;
    double change = k ? step : -step;
    perp_mj_derivative_set(D, from);
    if (moves) {
      mju_zero(D->velocity, nv);
      D->velocity[j] = 1;
      mj_integratePos(m, e->qpos, D->velocity, change);
      mj_fwdPosition(m, e);
    } else {
      double *at = perp_mj_input(D, j, &limit);
      const double value = *at;
      if (limit && value >= limit[0] && value <= limit[1])
        change = fmin(fmax(value + change, limit[0]), limit[1]) - value;
      *at = value + change;
    }
    width += k ? change : -change;
    if (j < 2 * nv)
      mj_fwdVelocity(m, e);
    mj_fwdActuation(m, e);
    mj_fwdAcceleration(m, e);
    perp_mj_derivative_look(D, moves ? j : -1, change, D->side[k]);
  }
  double *z = D->Z + (size_t)j * (size_t)D->outputs;
  const int ends = nv + m->na, y = ends, q = ends + D->rows;
  if (!(width > 0))
    return;
  mj_differentiatePos(m, z, width, D->side[0] + q, D->side[1] + q);
  for (int i = 0; i < ends; i++)
    z[nv + i] = (D->side[1][i] - D->side[0][i]) / width;
  for (int i = 0; i < D->rows; i++)
    D->Y[(size_t)j * (size_t)D->rows + (size_t)i] = (D->side[1][y + i] - D->side[0][y + i]) / width;
}

/* q <- P v, or v <- P^T q if `transposed`: P = dq+/dv+ is h in slides and hinges and h Jr(h omega) in
 * rotations, Jr(p) a = a - c1 p x a + c2 p x (p x a), c1 = (1 - cos t) / t^2, c2 = (t - sin t) / t^3,
 * t = |p|, the right Jacobian of the exponential map: MuJoCo's omega are in the frame of the body. */
static inline void perp_mj_positions(const perp_mj_derivative *D, const double *from, double *to,
                                     int transposed)
{
  const mjModel *m = D->wide;
  const double h = m->opt.timestep;
  mju_scl(to, from, h, m->nv);
  for (int j = 0; j < m->njnt; j++) {
    const int type = m->jnt_type[j], at = m->jnt_dofadr[j] + (type == mjJNT_FREE ? 3 : 0);
    if (type != mjJNT_FREE && type != mjJNT_BALL)
      continue;
    double p[3], once[3], twice[3];
    mju_scl3(p, D->d->qvel + at, h);
    const double t = mju_norm3(p), square = t * t;
    const double c1 = t < 1e-3 ? 0.5 - square / 24 : (1 - cos(t)) / square;
    const double c2 = t < 1e-3 ? 1.0 / 6 - square / 120 : (t - sin(t)) / (square * t);
    mju_cross(once, p, to + at);
    mju_cross(twice, p, once);
    mju_addToScl3(to + at, once, transposed ? c1 : -c1);
    mju_addToScl3(to + at, twice, c2);
  }
}

/* Prepares e: the state of d, with larger margins. */
static inline void perp_mj_derivative_widen(perp_mj_derivative *D, const mjData *d)
{
  const mjModel *m = D->wide;
  const double margin = 1e-4 * fmax(1, m->stat.extent);
  for (int k = 0; k < m->ngeom; k++)
    D->wide->geom_margin[k] += margin;
  for (int k = 0; k < m->npair; k++)
    D->wide->pair_margin[k] += margin;
  for (int k = 0; k < m->njnt; k++)
    D->wide->jnt_margin[k] += margin;
  for (int k = 0; k < m->ntendon; k++)
    D->wide->tendon_margin[k] += margin;
  D->wide->opt.o_margin += margin;
  mj_copyData(D->e, D->wide, d);
  mj_fwdPosition(D->wide, D->e);
  mj_fwdVelocity(D->wide, D->e);
}

/* V <- the change of v+ by a unit impulse in each row. */
static inline void perp_mj_derivative_response(perp_mj_derivative *D)
{
  const mjModel *m = D->wide;
  mju_copy(D->V, D->J, D->rows * m->nv);
  if (m->opt.integrator == mjINT_EULER) {
    perp_mj_load(m, D->e, perp_mj_damped(m), D->L);
    perp_mj_factor(m, D->L);
    for (int i = 0; i < D->rows; i++)
      perp_mj_divide(m, D->L, D->V + (size_t)i * (size_t)m->nv);
  } else {
    mj_fwdActuation(m, D->e);
    mj_fwdAcceleration(m, D->e);
    perp_mj_implicit_response(m, D->e, D->rows, D->velocity, D->V, D->saved);
  }
}

/* Takes x, and v+ with it, as near to the solution as a few of Newton's steps go: the direction of a
 * slide is known to residual / speed. */
static inline perp_error perp_mj_derivative_polish(perp_mj_derivative *D)
{
  perp_solver *newton = NULL;
  perp_mj *own = &D->solver;
  perp_result result = perp_result_empty();
  perp_options options = own->options;
  double *x = D->b;
  options.tol = 1e-14;
  options.max_iterations = 10;
  mju_copy(x, own->x, D->rows);
  const perp_error error = perp_solver_create("ssn", &newton, &own->result.message);
  if (!error && !perp_solver_solve(newton, &own->problem, &options, x, &result) &&
      result.residual < own->result.residual) {
    mju_copy((double *)own->x, x, D->rows);
    for (int k = 0; k < D->rows; k++) {
      const int i = D->row[k];
      mju_addToScl(D->d->qvel, D->V + (size_t)i * (size_t)D->nv, x[k] - D->x[i], D->nv);
      D->x[i] = x[k];
    }
  }
  perp_solver_destroy(newton);
  return error;
}

/* Creates the derivative of the step from the state of d, which stays as it is. The settings are those
 * of s; after an error its result has the message. A step that is not solved has no derivative. */
static inline perp_error perp_mj_derivative_create(const mjModel *m, const mjData *d, perp_mj *s,
                                                   perp_mj_derivative **created)
{
  perp_mj_derivative *D = (perp_mj_derivative *)calloc(1, sizeof *D);
  *created = NULL;
  perp_error error = PERP_OK;
  if (D) {
    D->solver = perp_mj_default();
    D->d = mj_makeData(m);
    D->wide = mj_copyModel(NULL, m);
    D->e = D->wide ? mj_makeData(D->wide) : NULL;
  }
  if (!D || !D->d || !D->e)
    error = PERP_ERROR_MEMORY;
  if (!error)
    error = perp_mj_derivative_solve(D, m, d, s);
  if (!error) {
    D->nv = m->nv;
    D->na = m->na;
    D->nu = m->nu;
    D->ngeom = m->ngeom;
    D->outputs = 2 * m->nv + m->na;
    D->inputs = D->outputs + m->nu;
    D->rows = m->nv > 0 ? D->d->nefc : 0;
    const size_t bytes = perp_mj_derivative_place(D, m, NULL);
    D->memory = (char *)calloc(1, bytes);
    error = D->memory ? PERP_OK : PERP_ERROR_MEMORY;
  }
  if (!error) {
    perp_mj_derivative_place(D, m, D->memory);
    perp_mj_derivative_rows(D, m);
    perp_mj_derivative_widen(D, d);
    perp_mj_derivative_response(D);
    if (D->rows > 0)
      error = perp_mj_derivative_polish(D);
    if (D->rows > 0 && !error)
      error = perp_derivative_create(&D->solver.problem, D->solver.x, NULL, &D->solution,
                                     &D->solver.result.message);
  }
  if (error) {
    s->result.outcome = PERP_NOT_RUN;
    snprintf(s->result.message.text, sizeof s->result.message.text, "%s",
             error == PERP_ERROR_MEMORY ? "out of memory for the derivative of a step"
                                        : D->solver.result.message.text);
    perp_mj_derivative_destroy(D);
    return error;
  }
  for (int j = D->inputs - 1; j >= 0; j--) /* controls first: later ones change more of e */
    perp_mj_derivative_column(D, d, j);
  if (D->solution)
    D->facts = perp_derivative_get(D->solution);
  *created = D;
  return PERP_OK;
}

/* ---- Products ---- */

/* Returns number k of the change or gradient of the friction of contact r: the sum over its geoms. */
static inline double perp_mj_friction_change(const perp_mj_rubbing *r, const double *friction,
                                             int k)
{
  const int a = perp_mj_axis(k);
  return r->share[0][a] * friction[3 * r->geom[0] + a] +
         r->share[1][a] * friction[3 * r->geom[1] + a];
}

static inline void perp_mj_friction_add(const perp_mj_rubbing *r, double value, int k,
                                        double *friction)
{
  const int a = perp_mj_axis(k);
  friction[3 * r->geom[0] + a] += r->share[0][a] * value;
  friction[3 * r->geom[1] + a] += r->share[1][a] * value;
}

/* Returns the number of coefficients of a cone in the problem: five, or one for round cones. */
static inline int perp_mj_coefficients(const perp_mj_derivative *D)
{
  return D->solver.problem.K.dim ? PERP_MJ_AXES : 1;
}

/* next <- the change of z+, outputs numbers, by the change dz of z, inputs numbers, and by that of
 * geom_friction, 3 ngeom numbers or NULL. */
static inline perp_error perp_mj_derivative_jvp(perp_mj_derivative *D, const double *dz,
                                                const double *friction, double *next)
{
  const int n = D->rows, nv = D->nv, coefficients = perp_mj_coefficients(D);
  double *dv = D->side[0], *dq = D->velocity;
  mju_zero(next, D->outputs);
  mju_zero(D->r, n);
  mju_zero(dv, nv);
  mju_zero(D->mu, PERP_MJ_AXES * n);
  for (int j = 0; j < D->inputs; j++) {
    mju_addToScl(next, D->Z + (size_t)j * (size_t)D->outputs, dz[j], D->outputs);
    mju_addToScl(D->r, D->Y + (size_t)j * (size_t)n, dz[j], n);
  }
  for (int c = 0; friction && c < D->rubbings; c++) {
    const perp_mj_rubbing *r = &D->rubbing[c];
    for (int k = 0; k < r->dim - 1; k++) {
      const double change = perp_mj_friction_change(r, friction, k);
      if (r->cone >= 0 && k < coefficients)
        D->mu[coefficients * r->cone + k] = change;
      if (r->cone >= 0)
        continue;
      const size_t up = (size_t)(r->first + 2 * k), down = up + 1, width = (size_t)nv;
      const double share = change / (2 * r->friction[k]);
      const double slide =
          mju_dot(D->J + up * width, D->d->qvel, nv) - mju_dot(D->J + down * width, D->d->qvel, nv);
      D->r[up] += share * slide;
      D->r[down] -= share * slide;
      mju_addToScl(dv, D->V + up * width, share * (D->x[up] - D->x[down]), nv);
      mju_addToScl(dv, D->V + down * width, -share * (D->x[up] - D->x[down]), nv);
    }
  }
  for (int i = 0; i < n; i++)
    D->r[i] += mju_dot(D->J + (size_t)i * (size_t)nv, dv, nv);
  if (n > 0) {
    perp_change change = perp_change_default();
    for (int k = 0; k < n; k++)
      D->b[k] = D->r[D->row[k]];
    change.b = D->b;
    change.mu = D->solver.problem.K.cones > 0 ? D->mu : NULL;
    const perp_error error =
        perp_derivative_jvp(D->solution, &change, D->r, &D->solver.result.message);
    if (error)
      return error;
    for (int k = 0; k < n; k++)
      mju_addToScl(dv, D->V + (size_t)D->row[k] * (size_t)nv, D->r[k], nv);
    D->facts = perp_derivative_get(D->solution);
  }
  perp_mj_positions(D, dv, dq, 0);
  mju_addTo(next, dq, nv);
  mju_addTo(next + nv, dv, nv);
  return PERP_OK;
}

/* z_bar, inputs numbers, <- (dz+/dz)^T w for outputs numbers w; friction, 3 ngeom numbers or NULL, <- the
 * same for geom_friction. */
static inline perp_error perp_mj_derivative_vjp(perp_mj_derivative *D, const double *w,
                                                double *z_bar, double *friction)
{
  const int n = D->rows, nv = D->nv, coefficients = perp_mj_coefficients(D);
  double *v_bar = D->side[0];
  mju_zero(D->r, n);
  perp_mj_positions(D, w, v_bar, 1);
  mju_addTo(v_bar, w + nv, nv);
  if (n > 0) {
    perp_gradient gradient = perp_gradient_default();
    for (int k = 0; k < n; k++)
      D->r[k] = mju_dot(D->V + (size_t)D->row[k] * (size_t)nv, v_bar, nv);
    gradient.b = D->b;
    gradient.mu = friction && D->solver.problem.K.cones > 0 ? D->mu : NULL;
    const perp_error error =
        perp_derivative_vjp(D->solution, D->r, &gradient, &D->solver.result.message);
    if (error)
      return error;
    for (int k = 0; k < n; k++)
      D->r[D->row[k]] = D->b[k];
    D->facts = perp_derivative_get(D->solution);
  }
  for (int j = 0; j < D->inputs; j++)
    z_bar[j] = mju_dot(D->Z + (size_t)j * (size_t)D->outputs, w, D->outputs) +
               mju_dot(D->Y + (size_t)j * (size_t)n, D->r, n);
  if (!friction)
    return PERP_OK;
  mju_zero(friction, 3 * D->ngeom);
  for (int i = 0; i < n; i++) /* the gradient with respect to v+ at fixed x */
    mju_addToScl(v_bar, D->J + (size_t)i * (size_t)nv, D->r[i], nv);
  for (int c = 0; c < D->rubbings; c++) {
    const perp_mj_rubbing *r = &D->rubbing[c];
    for (int k = 0; k < r->dim - 1; k++) {
      if (r->cone >= 0 && k < coefficients)
        perp_mj_friction_add(r, D->mu[coefficients * r->cone + k], k, friction);
      if (r->cone >= 0)
        continue;
      const size_t up = (size_t)(r->first + 2 * k), down = up + 1, width = (size_t)nv;
      const double slide =
          mju_dot(D->J + up * width, D->d->qvel, nv) - mju_dot(D->J + down * width, D->d->qvel, nv);
      const double push =
          mju_dot(D->V + up * width, v_bar, nv) - mju_dot(D->V + down * width, v_bar, nv);
      perp_mj_friction_add(r,
                           ((D->r[up] - D->r[down]) * slide + (D->x[up] - D->x[down]) * push) /
                               (2 * r->friction[k]),
                           k, friction);
    }
  }
  return PERP_OK;
}

#ifdef __cplusplus
}
#endif
#endif
