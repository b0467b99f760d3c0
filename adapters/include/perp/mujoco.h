/* perp/mujoco.h: perp as the constraint solver of MuJoCo, tried with 2.2 and 3.12
 *
 * perp_mj_step is mj_step with another solve in place of mj_fwdConstraint. MuJoCo finds the contacts,
 * the Jacobian J of all constraints and the inertia M, and integrates. Two laws:
 *
 *   PERP_MJ_RIGID   Coulomb's law without compliance, on velocities. With impulses x = h f and the
 *                   velocities v* that the step would reach without constraints,
 *
 *                     y = J (v* + M^-1 J^T x) + bias,
 *
 *                   limits and normals have 0 <= x _|_ y >= 0, elliptic contacts of condim 3, 4 and 6 the
 *                   cones of <perp/set.h>, dry friction |x| <= h frictionloss, equalities y = 0; rows of
 *                   pyramidal contacts are >= 0 each, as MuJoCo has them. The bias of a gap g > 0 is
 *                   g / h: a contact with a margin is seen before it closes. Overlaps and errors of
 *                   equalities decay with the time constant of solref (Baumgarte), or vanish in one step
 *                   (`exact`). If they contradict each other, or if their correction would release much
 *                   energy, the step is solved again with a share of it (`corrected`).
 *   PERP_MJ_SOFT    MuJoCo's own law: forces x minimise 1/2 x^T (A + R) x + x^T (J qacc_smooth - aref),
 *                   to the tolerance of the options, in pyramids or elliptic cones. mj_inverse agrees
 *                   with it.
 *
 * The integrator is Euler or implicit. mj_Euler of MuJoCo 2.2 takes the damping of joints implicitly, with
 * H = M + h D instead of M, and mj_implicit (implicitfast of MuJoCo 3 too) all forces, with
 * H = M - h d(force)/d(qvel), which is not symmetric. The rigid law has the same H in place of M, so the
 * step ends with the velocities of the solve. qacc, qfrc_constraint, efc_force and efc_state are filled
 * in, so that sensors, mj_contactForce and renderers work as before.
 *
 * Settings and results are in mujoco_problem.h, the first method in mujoco_newton.h and mujoco_matrix.h;
 * methods of the library take what it leaves.
 *
 * One perp_mj serves one thread; results do not depend on the number of threads. */
#ifndef PERP_MUJOCO_H
#define PERP_MUJOCO_H

#include <perp/mujoco_newton.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Methods of the library ---- */

static inline perp_error perp_mj_contact(perp_mj *s, const mjModel *m, const mjData *d,
                                         perp_mj_arrays *a)
{
  perp_contact_data data = perp_contact_data_default();
  data.rows = d->nefc;
  data.velocities = m->nv;
  data.J_start = a->J_start;
  data.J_column = a->J_column;
  data.J_value = a->J_value;
  data.M_start = a->M_start;
  data.M_column = a->M_column;
  data.M_value = a->M_value;
  if (s->law == PERP_MJ_SOFT)
    data.C_diagonal = a->C;
  perp_mj_inertia(m, a);
  a->contact = 1;
  return s->A ? perp_operator_contact_replace(s->A, &data, PERP_BORROW, &s->result.message)
              : perp_operator_contact(&data, PERP_BORROW, &s->A, &s->result.message);
}

static inline perp_error perp_mj_run(perp_mj *s, perp_solver *solver, const perp_options *options,
                                     const perp_problem *problem, double *x)
{
  const perp_error error = perp_solver_solve(solver, problem, options, x, &s->result);
  s->seconds += s->result.seconds;
  s->iterations += s->result.counts.iterations;
  s->problem = *problem;
  s->x = x;
  return error;
}

/* Fills s->problem after Newton's method in velocities. */
static inline perp_error perp_mj_show(perp_mj *s, const mjModel *m, const mjData *d,
                                      const perp_set *K, perp_mj_arrays *a)
{
  const perp_error error = perp_mj_contact(s, m, d, a);
  for (int c = 0; s->law == PERP_MJ_SOFT && c < a->cones; c++)
    a->b[a->cone[c]] -= a->s[c];
  if (!error)
    s->problem = perp_problem_product(s->A, a->b, K);
  return error;
}

/* Solves from x. Few rows: by ssn with A itself, which takes less time than to set up
 * A = J M^-1 J^T + C. If that fails, and for more rows: by the method of the settings, which gets A
 * itself if H is not symmetric. */
static inline perp_error perp_mj_attempt(perp_mj *s, const mjModel *m, const mjData *d,
                                         const perp_set *K, perp_mj_arrays *a)
{
  perp_error error = PERP_OK;
  if (a->A) {
    if (!a->assembled) {
      perp_operator_destroy(s->assembled);
      s->assembled = NULL;
      error = perp_operator_dense(K->n, a->A, K->n, PERP_BORROW, &s->assembled, &s->result.message);
      a->assembled = 1;
    }
    if (error)
      return error;
  }
  if (a->A && !s->method) {
    if (!s->newton)
      error = perp_solver_create("ssn", &s->newton, &s->result.message);
    if (error)
      return error;
    const perp_problem problem = perp_problem_product(s->assembled, a->b, K);
    perp_options options = s->options;
    options.max_iterations = 30;
    mju_copy(a->start, a->x, K->n);
    if (!perp_mj_run(s, s->newton, &options, &problem, a->x) && s->result.outcome == PERP_SOLVED)
      return PERP_OK;
    mju_copy(a->x, a->start, K->n);
  }
  const int unsymmetric = perp_mj_unsymmetric(s, m);
  if (!a->contact && !unsymmetric)
    error = perp_mj_contact(s, m, d, a);
  if (!error && !s->solver)
    error = perp_solver_create(s->method, &s->solver, &s->result.message);
  if (error)
    return error;
  const perp_problem problem = perp_problem_product(unsymmetric ? s->assembled : s->A, a->b, K);
  perp_options options = s->options;
  /* if corrections contradict each other, the next solve is without them */
  const int open = s->law == PERP_MJ_RIGID && s->corrected == 1 && options.max_iterations == 0;
  if (open)
    options.max_iterations = PERP_MJ_LIMIT;
  error = perp_mj_run(s, s->solver, &options, &problem, a->x);
  if (error || open || s->result.outcome == PERP_SOLVED || s->result.outcome == PERP_STOPPED)
    return error;
  mju_zero(a->x, K->n);
  return perp_mj_run(s, s->solver, &options, &problem, a->x);
}

/* ---- Warm starts ---- */

/* Describes the constraint whose first row is i. */
static inline perp_mj_unit perp_mj_describe(const mjData *d, int i)
{
  perp_mj_unit u;
  memset(&u, 0, sizeof u);
  u.type = d->efc_type[i];
  u.id = d->efc_id[i];
  u.first = i;
  for (u.rows = 1; i + u.rows < d->nefc; u.rows++)
    if (d->efc_type[i + u.rows] != u.type || d->efc_id[i + u.rows] != u.id)
      break;
  if (u.type >= mjCNSTR_CONTACT_FRICTIONLESS) {
    const mjContact *contact = &d->contact[u.id];
    mju_copy3(u.place, contact->pos);
    u.id = contact->geom1;
    u.other = contact->geom2;
  }
  return u;
}

/* force <- the impulses of the last step for constraints that it had, 0 for others. Of the contacts of two
 * geoms the nearest counts. MuJoCo lists constraints by type and object in every step, so a search that
 * begins behind the last find rarely goes far. */
static inline void perp_mj_recall(const perp_mj *s, const mjData *d, double *force)
{
  int from = 0;
  mju_zero(force, d->nefc);
  if (s->units == 1 && s->unit->type < 0) {
    if (s->unit->rows == d->nefc)
      mju_copy(force, s->last, d->nefc);
    return;
  }
  for (int i = 0; i < d->nefc;) {
    const perp_mj_unit u = perp_mj_describe(d, i);
    const perp_mj_unit *best = NULL;
    double least = HUGE_VAL;
    for (int k = 0; k < s->units; k++) {
      const perp_mj_unit *old = &s->unit[(from + k) % s->units];
      const int same = old->type == u.type && old->id == u.id && old->other == u.other;
      if (best && !same)
        break;
      if (same && old->rows == u.rows && mju_dist3(old->place, u.place) < least) {
        least = mju_dist3(old->place, u.place);
        best = old;
      }
    }
    if (best) {
      mju_copy(force + i, s->last + best->first, u.rows);
      from = (int)(best - s->unit);
    }
    i += u.rows;
  }
}

/* The minimum of the soft law in elliptic cones has y in the dual cone. Coulomb's law has y + s e_n
 * there, with De Saxce's term s_c = (sum_k (mu_k y_k)^2)^(1/2), so the minimum is the solution of
 * Coulomb's law for b - s if s is the term of its own y. Find that s by
 *
 *   s <- s + omega r,   r = T(s) - s,   omega <- -omega r.(r_new - r) / |r_new - r|^2   (Aitken)
 *
 * T decreases: a larger s gives more normal force and less sliding. So a small omega converges. The
 * natural residual of the minimum differs from that of the last solve by at most max |r|. */
static inline perp_error perp_mj_minimise(perp_mj *s, const mjModel *m, const mjData *d,
                                          const perp_set *K, perp_mj_arrays *a)
{
  const perp_options options = s->options;
  double omega = 1, most = 0;
  mju_zero(a->s, a->cones);
  perp_error error = perp_mj_attempt(s, m, d, K, a);
  const double scale = s->result.scale;
  for (int k = 0; !error && s->result.outcome == PERP_SOLVED; k++) {
    double along = 0, square = 0;
    most = 0;
    for (int c = 0; c < a->cones; c++) {
      const double r = perp_mj_saxce(a, c, s->result.y) - a->s[c], change = r - a->r[c];
      along += a->r[c] * change;
      square += change * change;
      a->r[c] = r;
      most = fmax(most, fabs(r));
    }
    if (perp_residual_solved(most + s->result.residual, options.tol, scale))
      break;
    if (k == 100) {
      s->result.outcome = PERP_ITERATION_LIMIT;
      snprintf(s->result.message.text, sizeof s->result.message.text,
               "soft law: %d solves did not find the minimum in elliptic cones", k + 1);
      break;
    }
    if (k > 0 && square > 0)
      omega = fmin(fmax(-omega * along / square, 0.02), 1);
    for (int c = 0; c < a->cones; c++) {
      a->s[c] += omega * a->r[c];
      a->b[a->cone[c]] -= omega * a->r[c];
    }
    const perp_problem next = perp_problem_product(a->contact ? s->A : s->assembled, a->b, K);
    s->options.tol = 0.1 * options.tol * scale / perp_problem_scale(&next);
    error = perp_mj_attempt(s, m, d, K, a);
  }
  s->options = options;
  s->result.residual += most;
  s->result.scale = scale;
  s->result.relative_residual = s->result.residual / scale;
  return error;
}

/* x <- the impulses of the last step, in our order */
static inline void perp_mj_warm(const perp_mj *s, const mjData *d, perp_mj_arrays *a)
{
  perp_mj_recall(s, d, a->force);
  for (int k = 0; k < d->nefc; k++)
    a->x[k] = a->force[a->row[k]];
}

/* Keeps the forces for the next step. Newton's method for the soft law begins with MuJoCo's warm start, and
 * looks only whether they solve the next step as they are: it needs no names of constraints, if it has
 * solved this one (`one`). */
static inline void perp_mj_keep(perp_mj *s, const mjData *d, const double *force, int one)
{
  s->units = 0;
  if (d->nefc > s->last_room) {
    const size_t room = 2 * (size_t)d->nefc;
    double *last = (double *)realloc(s->last, room * sizeof *last);
    s->last = last ? last : s->last;
    perp_mj_unit *unit = (perp_mj_unit *)realloc(s->unit, room * sizeof *unit);
    s->unit = unit ? unit : s->unit;
    if (!last || !unit)
      return;
    s->last_room = (int)room;
  }
  mju_copy(s->last, force, d->nefc);
  if (one) {
    memset(s->unit, 0, sizeof *s->unit);
    s->unit->type = -1;
    s->unit->rows = d->nefc;
    s->units = 1;
    return;
  }
  for (int i = 0; i < d->nefc; i += s->unit[s->units++].rows)
    s->unit[s->units] = perp_mj_describe(d, i);
}

/* ---- Forces ---- */

/* Writes the forces x * per in constraint space, and the joint forces and accelerations that follow. */
static inline void perp_mj_store(const mjModel *m, mjData *d, const perp_mj_arrays *a, double per)
{
  for (int k = 0; k < d->nefc; k++) {
    const int i = a->row[k], type = d->efc_type[i];
    const int dry = type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON;
    d->efc_force[i] = a->x[k] * per;
    d->efc_state[i] = dry && a->x[k] <= a->lo[k]   ? mjCNSTRSTATE_LINEARNEG
                      : dry && a->x[k] >= a->hi[k] ? mjCNSTRSTATE_LINEARPOS
                      : a->x[k] == 0 && !dry       ? mjCNSTRSTATE_SATISFIED
                                                   : mjCNSTRSTATE_QUADRATIC;
  }
  if (a->joint_force)
    mju_scl(d->qfrc_constraint, a->joint_force, per, m->nv);
  else
    mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  if (a->acceleration) {
    mju_copy(d->qacc, a->acceleration, m->nv);
  } else {
    mju_add(d->qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
    mj_solveM(m, d, d->qacc, d->qacc, 1);
  }
  mju_copy(d->qacc_warmstart, d->qacc, m->nv);
}

/* Rigid law: returns the share of the corrections that the next solve may have, 1 if the solution in a->x is
 * fine. Without corrections v = 0 is feasible, so constraints release no kinetic energy. A correction of row
 * i alone needs bias_i^2 / (2 A_ii), the energy of MuJoCo's spring of that time constant; n rows that push
 * each other may need n times the sum. Rows that nearly contradict need any amount: an overlap
 * divided by a small singular value. The energy is that of the share, squared. */
static inline double perp_mj_share(const perp_mj *s, const mjModel *m, mjData *d, perp_mj_arrays *a)
{
  double *impulse = a->spare, *v = impulse + m->nv, needs = 0;
  int count = 0;
  if (a->joint_force) {
    mju_copy(impulse, a->joint_force, m->nv);
  } else {
    for (int k = 0; k < d->nefc; k++)
      a->force[a->row[k]] = a->x[k];
    mj_mulJacTVec(m, d, impulse, a->force);
  }
  if (perp_mj_unsymmetric(s, m)) { /* W = H^-1 J^T is at hand, a factor of H is not */
    mju_zero(v, m->nv);
    for (int k = 0; k < d->nefc; k++)
      mju_addToScl(v, a->W + (size_t)k * (size_t)m->nv, a->x[k], m->nv);
  } else {
    mju_copy(v, impulse, m->nv);
    perp_mj_divide(m, a->L, v);
  }
  mju_addToScl(v, a->v, 2, m->nv); /* v* before and v after, their sum */
  const double released = 0.5 * mju_dot(impulse, v, m->nv);
  if (!(released > 0))
    return 1;
  for (int i = 0, rows; i < d->nefc; i += rows) {
    const int type = d->efc_type[i];
    rows = type == mjCNSTR_CONTACT_ELLIPTIC ? d->contact[d->efc_id[i]].dim : 1;
    if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON)
      continue;
    const double bias = perp_mj_bias(s, m, d, i);
    count++;
    if (type == mjCNSTR_EQUALITY || bias < 0)
      needs += 0.5 * bias * bias / perp_mj_diagonal(d, i);
  }
  needs *= count;
  return released > needs ? sqrt(needs / released) : 1;
}

/* Returns 1 if no method found a solution, and none was told to end early. */
static inline int perp_mj_unsolved(const perp_mj *s)
{
  const perp_outcome outcome = s->result.outcome;
  return outcome != PERP_SOLVED && outcome != PERP_STOPPED && outcome != PERP_TIME_LIMIT &&
         s->options.max_iterations == 0;
}

/* Solves the constraints from the impulses of the last step. */
static inline perp_error perp_mj_solve_rows(const mjModel *m, mjData *d, perp_mj *s,
                                            perp_mj_arrays *a)
{
  const int rigid = s->law == PERP_MJ_RIGID;
  perp_mj_rows(s, m, d, a);
  perp_set K = perp_set_default(d->nefc);
  K.lo = a->lo;
  K.hi = a->hi;
  K.cones = a->cones;
  K.cone = a->round ? NULL : a->cone;
  K.dim = a->round ? NULL : a->dim;
  K.mu = a->mu;
  s->contradiction = 0;
  if (!perp_mj_unsymmetric(s, m))
    perp_mj_agree(s, m, d, a->v, a);
  perp_mj_warm(s, d, a);
  int found = perp_mj_newton_solve(s, m, d, &K, a);
  /* In loops impulses that move nothing may have grown from step to step until they drown y in rounding. */
  if (!found && rigid) {
    const int64_t before = s->iterations;
    s->iterations = 0;
    mju_zero(a->x, d->nefc);
    found = perp_mj_newton_solve(s, m, d, &K, a);
    s->iterations += before;
    if (!found)
      perp_mj_warm(s, d, a);
  }
  if (!found || s->keep)
    perp_mj_matrix(s, m, d, a);
  if (!found)
    return rigid || a->cones == 0 ? perp_mj_attempt(s, m, d, &K, a)
                                  : perp_mj_minimise(s, m, d, &K, a);
  return s->keep ? perp_mj_show(s, m, d, &K, a) : PERP_OK;
}

/* Solves the constraints: call it in place of mj_fwdConstraint. The outcome is in s->result. After an
 * error the forces of d are unchanged. */
static inline perp_error perp_mj_solve(const mjModel *m, mjData *d, perp_mj *s)
{
  s->result = perp_result_empty();
  s->rows = d->nefc;
  s->contacts = d->ncon;
  s->corrected = 1;
  s->contradiction = 0;
  s->seconds = 0;
  s->iterations = 0;
  s->problem.A = NULL;
  s->x = NULL;
  perp_error error = perp_mj_check_settings(s, m);
  if (error)
    return error;
#if mjVERSION_HEADER >= 3005000
  d->flg_rnepost =
      0; /* forces and accelerations of bodies, for sensors, are those of the last step */
#endif
  if (d->nefc == 0 || m->nv == 0) {
    mju_copy(d->qacc, d->qacc_smooth, m->nv);
    mju_copy(d->qacc_warmstart, d->qacc_smooth, m->nv);
    mju_zero(d->qfrc_constraint, m->nv);
    return PERP_OK;
  }
  perp_mj_arrays a;
  error = perp_mj_check_contacts(s, m, d);
  if (!error)
    error = perp_mj_room(s, m, d, &a);
  if (error)
    return error;
  const int rigid = s->law == PERP_MJ_RIGID;
  perp_mj_order(d, &a);
  if (!perp_mj_unsymmetric(s, m))
    perp_mj_free(s, m, d, &a);
  error = perp_mj_solve_rows(m, d, s, &a);
  if (!error && rigid) /* errors that contradict leave no solution */
    s->corrected =
        s->result.outcome == PERP_SOLVED ? perp_mj_share(s, m, d, &a) : !perp_mj_unsolved(s);
  if (!error && s->corrected < 1) {
    const double seconds = s->seconds;
    const int64_t iterations = s->iterations;
    a.contact = a.assembled = 0;
    a.joint_force = a.acceleration = NULL;
    s->iterations = 0;
    error = perp_mj_solve_rows(m, d, s, &a);
    s->seconds += seconds;
    s->iterations += iterations;
  }
  if (error)
    return error;
  for (int k = 0; k < d->nefc; k++)
    a.force[a.row[k]] = a.x[k];
  perp_mj_keep(s, d, a.force, a.acceleration != NULL);
  perp_mj_store(m, d, &a, rigid ? 1 / m->opt.timestep : 1);
  return PERP_OK;
}

/* Names the force that makes the acceleration of velocity i too large or NaN. */
static inline perp_error perp_mj_blame(perp_mj *s, const mjModel *m, const mjData *d, int i)
{
  for (int k = 0; k < 6 * m->nbody; k++)
    if (mju_isBad(d->xfrc_applied[k]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "xfrc_applied of body", m, mjOBJ_BODY, k / 6,
                          d->xfrc_applied[k]);
  for (int k = 0; k < m->nv; k++)
    if (mju_isBad(d->qfrc_applied[k]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "qfrc_applied of joint", m, mjOBJ_JOINT,
                          m->dof_jntid[k], d->qfrc_applied[k]);
  return perp_mj_fail(s, PERP_ERROR_PROBLEM, "acceleration without constraints of joint", m,
                      mjOBJ_JOINT, m->dof_jntid[i], d->qacc_smooth[i]);
}

/* mj_step with this solve. Returns PERP_OK also if the solve did not reach its tolerance: see
 * s->result.outcome; the step then uses the best forces found. After an error s->result.message says why,
 * and the state of d (time, qpos, qvel, act) is as before, with unit quaternions. What MuJoCo computes from
 * the state is as before if the state or a drive was refused; else it may be that of this state, and
 * the next step computes it again. A copy to restore it from would take longer than the step. */
static inline perp_error perp_mj_step(const mjModel *m, mjData *d, perp_mj *s)
{
  const int singular = d->warning[mjWARN_INERTIA].number;
  s->result = perp_result_empty();
  perp_error error = perp_mj_check(s, m, d);
  if (error)
    return error;
  mj_step1(m, d);
  error = perp_mj_check(s, m, d); /* a control callback may have written */
  if (error)
    return error;
  /* MuJoCo 2.2 warns and takes mjMINVAL as pivot, MuJoCo 3 divides by it */
  int dof = d->warning[mjWARN_INERTIA].number > singular ? d->warning[mjWARN_INERTIA].lastinfo : -1;
  for (int i = m->nv - 1; i >= 0 && dof < 0; i--)
    if (!(d->qLDiagInv[i] > 0 && d->qLDiagInv[i] <= 1 / mjMINVAL))
      dof = i;
  if (dof >= 0)
    return perp_mj_fail(s, PERP_ERROR_PROBLEM, "the inertia is singular at joint", m, mjOBJ_JOINT,
                        m->dof_jntid[dof], perp_mj_own_inertia(m, d, dof));
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  for (int i = 0; i < m->nv; i++)
    if (mju_isBad(d->qacc_smooth[i]))
      return perp_mj_blame(s, m, d, i);
  error = perp_mj_solve(m, d, s);
  if (error)
    return error;
  mj_sensorAcc(m, d);
  if (m->opt.integrator == mjINT_EULER)
    mj_Euler(m, d);
  else
    mj_implicit(m, d);
  return PERP_OK;
}

#ifdef __cplusplus
}
#endif
#endif
