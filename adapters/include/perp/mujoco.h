/* perp/mujoco.h: perp as the constraint solver of MuJoCo, tried with 2.2
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
 *                   g / h: a contact with a margin is seen before it closes. Overlaps and errors of equalities decay
 *                   with the time constant of solref (Baumgarte), or vanish in one step (`exact`).
 *   PERP_MJ_SOFT    MuJoCo's own law: forces x minimise 1/2 x^T (A + R) x + x^T (J qacc_smooth - aref),
 *                   to the tolerance of the options. Elliptic cones are refused: their minimum has
 *                   another flow rule than Coulomb's law.
 *
 * mj_Euler of MuJoCo 2.2 takes the damping of joints implicitly, with M + h D instead of M. The rigid
 * law does the same, so the step ends with the velocities of the solve. qacc, qfrc_constraint,
 * efc_force and efc_state are filled in, so that sensors, mj_contactForce and renderers work as before.
 *
 * One perp_mj serves one thread; results do not depend on the number of threads. */
#ifndef PERP_MUJOCO_H
#define PERP_MUJOCO_H

#include <mujoco/mujoco.h>
#include <perp/perp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum perp_mj_law { PERP_MJ_RIGID, PERP_MJ_SOFT } perp_mj_law;

/* Only from perp_mj_default. */
typedef struct perp_mj {
  perp_mj_law law;
  int exact;            /* rigid: overlaps and errors of equalities vanish in one step */
  double slop;          /* rigid: overlap at which contacts and limits rest, 1e-6 m or rad. MuJoCo
                           forgets a contact whose distance rounds to 0, for a step. */
  const char *method;   /* NULL: auto; read by the first step */
  perp_options options; /* tol: 1e-8 */

  perp_result result; /* of the last solve; PERP_NOT_RUN if there was no constraint */
  int rows, contacts; /* of the last step */

  /* the adapter's own */
  perp_solver *solver;
  perp_operator *A;
  char *memory;
  size_t room;
  double *last; /* x of the last step, and the hash of what its rows were */
  int last_rows;
  uint64_t last_key;
} perp_mj;

static inline perp_mj perp_mj_default(void)
{
  perp_mj s;
  memset(&s, 0, sizeof s);
  s.slop = 1e-6;
  s.options = perp_options_default();
  s.result = perp_result_empty();
  return s;
}

static inline void perp_mj_close(perp_mj *s)
{
  perp_solver_destroy(s->solver);
  perp_operator_destroy(s->A);
  free(s->memory);
  free(s->last);
  s->last = NULL;
  s->last_rows = 0;
  s->solver = NULL;
  s->A = NULL;
  s->memory = NULL;
  s->room = 0;
}

/* ---- Names and errors ---- */

static inline perp_error perp_mj_fail(perp_mj *s, perp_error error, const char *what,
                                      const mjModel *m, int type, int id, double value)
{
  const char *name = id < 0 ? NULL : mj_id2name(m, type, id);
  if (name)
    snprintf(s->result.message.text, sizeof s->result.message.text, "%s '%s': %g", what, name,
             value);
  else if (id >= 0)
    snprintf(s->result.message.text, sizeof s->result.message.text, "%s %d: %g", what, id, value);
  else
    snprintf(s->result.message.text, sizeof s->result.message.text, "%s", what);
  return error;
}

/* Refuses numbers that MuJoCo would answer with a reset of the state. */
static inline perp_error perp_mj_check(perp_mj *s, const mjModel *m, const mjData *d)
{
  if (m->opt.integrator == mjINT_RK4)
    return perp_mj_fail(s, PERP_ERROR_UNSUPPORTED,
                        "integrator RK4 solves four times a step; use Euler", m, 0, -1, 0);
  if (m->opt.integrator != mjINT_EULER)
    return perp_mj_fail(s, PERP_ERROR_UNSUPPORTED, "only the integrator Euler is supported", m, 0,
                        -1, 0);
  for (int i = 0; i < m->nu; i++)
    if (!isfinite(d->ctrl[i]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "ctrl of actuator", m, mjOBJ_ACTUATOR, i,
                          d->ctrl[i]);
  for (int i = 0; i < m->nv; i++)
    if (!isfinite(d->qvel[i]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "qvel of joint", m, mjOBJ_JOINT, m->dof_jntid[i],
                          d->qvel[i]);
  for (int j = 0; j < m->njnt; j++) {
    const int last = j + 1 < m->njnt ? m->jnt_qposadr[j + 1] : m->nq;
    for (int i = m->jnt_qposadr[j]; i < last; i++)
      if (!isfinite(d->qpos[i]))
        return perp_mj_fail(s, PERP_ERROR_PROBLEM, "qpos of joint", m, mjOBJ_JOINT, j, d->qpos[i]);
  }
  return PERP_OK;
}

/* ---- The problem ---- */

/* Arrays of a step, in one piece of memory. */
typedef struct perp_mj_arrays {
  double *x, *b, *lo, *hi, *C, *mu, *J_value, *M_value, *v, *w;
  int64_t *J_start, *M_start, *next;
  int *J_column, *M_column, *cone, *dim, *depth;
  int cones;
} perp_mj_arrays;

static inline size_t perp_mj_take(char **at, size_t bytes, void **array)
{
  bytes = (bytes + 15) & ~(size_t)15;
  if (*at) {
    *array = *at;
    *at += bytes;
  }
  return bytes;
}

/* Returns the bytes; sets the arrays if `at` is not NULL. */
static inline size_t perp_mj_place(char *at, size_t n, size_t nv, size_t entries, size_t nM,
                                   perp_mj_arrays *a)
{
  const size_t real = sizeof(double), wide = sizeof(int64_t), whole = sizeof(int);
  void **reals[] = {(void **)&a->x, (void **)&a->b, (void **)&a->lo, (void **)&a->hi,
                    (void **)&a->C};
  size_t bytes = 0;
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
    bytes += perp_mj_take(&at, n * real, reals[k]);
  bytes += perp_mj_take(&at, 5 * n * real, (void **)&a->mu);
  bytes += perp_mj_take(&at, entries * real, (void **)&a->J_value);
  bytes += perp_mj_take(&at, 2 * nM * real, (void **)&a->M_value);
  bytes += perp_mj_take(&at, nv * real, (void **)&a->v);
  bytes += perp_mj_take(&at, nv * real, (void **)&a->w);
  bytes += perp_mj_take(&at, (n + 1) * wide, (void **)&a->J_start);
  bytes += perp_mj_take(&at, (nv + 1) * wide, (void **)&a->M_start);
  bytes += perp_mj_take(&at, nv * wide, (void **)&a->next);
  bytes += perp_mj_take(&at, nv * whole, (void **)&a->depth);
  bytes += perp_mj_take(&at, entries * whole, (void **)&a->J_column);
  bytes += perp_mj_take(&at, 2 * nM * whole, (void **)&a->M_column);
  bytes += perp_mj_take(&at, n * whole, (void **)&a->cone);
  bytes += perp_mj_take(&at, n * whole, (void **)&a->dim);
  return bytes;
}

static inline perp_error perp_mj_room(perp_mj *s, const mjModel *m, const mjData *d,
                                      perp_mj_arrays *a)
{
  const size_t n = (size_t)d->nefc, nv = (size_t)m->nv, nM = (size_t)m->nM;
  size_t entries = n * nv;
  if (mj_isSparse(m)) {
    entries = 0;
    for (int i = 0; i < d->nefc; i++)
      entries += (size_t)d->efc_J_rownnz[i];
  }
  memset(a, 0, sizeof *a);
  const size_t bytes = perp_mj_place(NULL, n, nv, entries, nM, a);
  if (bytes > s->room) {
    char *memory = (char *)realloc(s->memory, 2 * bytes);
    if (!memory)
      return perp_mj_fail(s, PERP_ERROR_MEMORY, "out of memory for the constraints of a step", m, 0,
                          -1, 0);
    s->memory = memory;
    s->room = 2 * bytes;
  }
  perp_mj_place(s->memory, n, nv, entries, nM, a);
  return PERP_OK;
}

static inline void perp_mj_jacobian(const mjModel *m, const mjData *d, perp_mj_arrays *a)
{
  const int sparse = mj_isSparse(m);
  int64_t count = 0;
  for (int i = 0; i < d->nefc; i++) {
    const int nonzeros = sparse ? d->efc_J_rownnz[i] : m->nv;
    const int64_t first = sparse ? d->efc_J_rowadr[i] : (int64_t)i * m->nv;
    a->J_start[i] = count;
    for (int k = 0; k < nonzeros; k++)
      if (d->efc_J[first + k] != 0) {
        a->J_column[count] = sparse ? d->efc_J_colind[first + k] : k;
        a->J_value[count++] = d->efc_J[first + k];
      }
  }
  a->J_start[d->nefc] = count;
}

/* M with both triangles, columns ascending: in each row the dofs towards the root, the diagonal, then
 * the dofs that hang on it. qM has, for each dof, the diagonal and the entries towards the root. */
static inline void perp_mj_inertia(const mjModel *m, const mjData *d, perp_mj_arrays *a)
{
  memset(a->M_start, 0, (size_t)(m->nv + 1) * sizeof *a->M_start);
  for (int i = 0; i < m->nv; i++) {
    const int parent = m->dof_parentid[i];
    a->depth[i] = parent < 0 ? 0 : a->depth[parent] + 1;
    a->M_start[i + 1] += a->depth[i] + 1;
    for (int j = parent; j >= 0; j = m->dof_parentid[j])
      a->M_start[j + 1]++;
  }
  for (int i = 0; i < m->nv; i++)
    a->M_start[i + 1] += a->M_start[i];
  for (int i = 0; i < m->nv; i++) {
    int64_t own = a->M_start[i] + a->depth[i];
    int from = m->dof_Madr[i];
    a->next[i] = own + 1;
    for (int j = i; j >= 0; j = m->dof_parentid[j], own--, from++) {
      a->M_column[own] = j;
      a->M_value[own] = d->qM[from];
      if (j == i)
        continue;
      a->M_column[a->next[j]] = i;
      a->M_value[a->next[j]++] = d->qM[from];
    }
  }
}

/* Returns the time constant with which the error of a row decays, at least h. */
static inline double perp_mj_decay(const perp_mj *s, const mjModel *m, const mjtNum *solref)
{
  const double h = m->opt.timestep;
  if (s->exact)
    return h;
  double time = solref[0] > 0 ? solref[0] : solref[0] < 0 ? solref[1] / solref[0] : h;
  if (solref[0] > 0 && !(m->opt.disableflags & mjDSBL_REFSAFE) && time < 2 * h)
    time = 2 * h;
  return time > h ? time : h;
}

static inline const mjtNum *perp_mj_solref(const mjModel *m, const mjData *d, int i)
{
  const int id = d->efc_id[i];
  switch (d->efc_type[i]) {
  case mjCNSTR_EQUALITY:
    return m->eq_solref + mjNREF * id;
  case mjCNSTR_LIMIT_JOINT:
    return m->jnt_solref + mjNREF * id;
  case mjCNSTR_LIMIT_TENDON:
    return m->tendon_solref_lim + mjNREF * id;
  default:
    return d->contact[id].solref;
  }
}

/* Sets bounds, cones and b of row i, and of the other rows of its cone. b has J v* (rigid) or
 * J qacc_smooth (soft) on entry. Returns the next row. */
static inline int perp_mj_row(const perp_mj *s, const mjModel *m, const mjData *d, int i,
                              perp_mj_arrays *a)
{
  const double h = m->opt.timestep;
  const int rigid = s->law == PERP_MJ_RIGID, type = d->efc_type[i];
  a->C[i] = rigid ? 0 : d->efc_R[i];
  a->lo[i] = 0;
  a->hi[i] = HUGE_VAL;
  if (!rigid)
    a->b[i] -= d->efc_aref[i];
  if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
    a->hi[i] = d->efc_frictionloss[i] * (rigid ? h : 1);
    a->lo[i] = -a->hi[i];
    return i + 1;
  }
  if (type == mjCNSTR_EQUALITY)
    a->lo[i] = -HUGE_VAL;
  if (!rigid)
    return i + 1;
  const double gap = d->efc_pos[i] + (type == mjCNSTR_EQUALITY ? 0 : s->slop);
  const int open = gap > 0 && type != mjCNSTR_EQUALITY;
  a->b[i] += gap / (open ? h : perp_mj_decay(s, m, perp_mj_solref(m, d, i)));
  if (type != mjCNSTR_CONTACT_ELLIPTIC)
    return i + 1;
  const mjContact *contact = &d->contact[d->efc_id[i]];
  a->cone[a->cones] = i;
  a->dim[a->cones] = contact->dim;
  for (int k = 0; k < 5; k++)
    a->mu[5 * a->cones + k] = k < contact->dim - 1 ? contact->friction[k] : 0;
  a->cones++;
  for (int k = 1; k < contact->dim; k++)
    a->C[i + k] = a->lo[i + k] = a->hi[i + k] = 0;
  return i + contact->dim;
}

/* v <- the velocities at the end of a step without constraints; M <- the inertia of the step. */
static inline void perp_mj_free(const mjModel *m, mjData *d, perp_mj_arrays *a)
{
  const double h = m->opt.timestep;
  int damped = 0;
  for (int i = 0; i < m->nv; i++)
    damped |= m->dof_damping[i] > 0;
  mju_copy(a->v, d->qacc_smooth, m->nv);
  if (damped) { /* MuJoCo's own factor, for a moment that of M + h D */
    for (int i = 0; i < m->nv; i++) {
      a->w[i] = d->qM[m->dof_Madr[i]];
      d->qM[m->dof_Madr[i]] += h * m->dof_damping[i];
    }
    mj_factorM(m, d);
    mj_solveM(m, d, a->v, d->qfrc_smooth, 1);
  }
  perp_mj_inertia(m, d, a);
  if (damped) {
    for (int i = 0; i < m->nv; i++)
      d->qM[m->dof_Madr[i]] = a->w[i];
    mj_factorM(m, d);
  }
  for (int i = 0; i < m->nv; i++)
    a->v[i] = d->qvel[i] + h * a->v[i];
}

static inline perp_error perp_mj_operator(perp_mj *s, const mjModel *m, const mjData *d,
                                          const perp_mj_arrays *a)
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
  perp_operator_destroy(s->A);
  s->A = NULL;
  return perp_operator_contact(&data, PERP_BORROW, &s->A, &s->result.message);
}

/* ---- Warm starts ---- */

/* Hashes the constraints of a step: their types, objects and, for contacts, geoms. */
static inline uint64_t perp_mj_key(const mjData *d)
{
  uint64_t key = 14695981039346656037u;
  for (int i = 0; i < d->nefc; i++) {
    const int id = d->efc_id[i], contact = d->efc_type[i] >= mjCNSTR_CONTACT_FRICTIONLESS;
    const int parts[] = {d->efc_type[i], contact ? d->contact[id].geom1 : id,
                         contact ? d->contact[id].geom2 : 0};
    for (int k = 0; k < 3; k++)
      key = (key ^ (uint64_t)parts[k]) * 1099511628211u;
  }
  return key;
}

/* Solves from the impulses of the last step if it had the same constraints. If that fails, or else,
 * from 0. */
static inline perp_error perp_mj_start(perp_mj *s, const perp_problem *problem, uint64_t key,
                                       double *x)
{
  const size_t bytes = (size_t)problem->K.n * sizeof *x;
  if (s->last_rows == problem->K.n && s->last_key == key) {
    memcpy(x, s->last, bytes);
    const perp_error error = perp_solver_solve(s->solver, problem, &s->options, x, &s->result);
    if (error || s->result.outcome == PERP_SOLVED)
      return error;
  }
  memset(x, 0, bytes);
  return perp_solver_solve(s->solver, problem, &s->options, x, &s->result);
}

static inline void perp_mj_keep(perp_mj *s, int n, uint64_t key, const double *x)
{
  double *last = (double *)realloc(s->last, (size_t)n * sizeof *last);
  s->last_rows = last ? n : 0;
  s->last = last ? last : s->last;
  s->last_key = key;
  if (last)
    memcpy(last, x, (size_t)n * sizeof *x);
}

/* ---- Forces ---- */

/* Writes the forces x in constraint space, and the joint forces and accelerations that follow. */
static inline void perp_mj_store(const mjModel *m, mjData *d, const double *lo, const double *hi,
                                 const double *x, double per)
{
  for (int i = 0; i < d->nefc; i++) {
    const int type = d->efc_type[i];
    const int dry = type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON;
    d->efc_force[i] = x[i] * per;
    d->efc_state[i] = dry && x[i] <= lo[i]   ? mjCNSTRSTATE_LINEARNEG
                      : dry && x[i] >= hi[i] ? mjCNSTRSTATE_LINEARPOS
                      : x[i] == 0 && !dry    ? mjCNSTRSTATE_SATISFIED
                                             : mjCNSTRSTATE_QUADRATIC;
  }
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
  mju_add(d->qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
  mj_solveM(m, d, d->qacc, d->qacc, 1);
  mju_copy(d->qacc_warmstart, d->qacc, m->nv);
}

/* Solves the constraints: call it in place of mj_fwdConstraint. The outcome is in s->result. After an
 * error the forces of d are unchanged. */
static inline perp_error perp_mj_solve(const mjModel *m, mjData *d, perp_mj *s)
{
  s->result = perp_result_empty();
  s->rows = d->nefc;
  s->contacts = d->ncon;
  if (d->nefc == 0 || m->nv == 0) {
    mju_copy(d->qacc, d->qacc_smooth, m->nv);
    mju_copy(d->qacc_warmstart, d->qacc_smooth, m->nv);
    mju_zero(d->qfrc_constraint, m->nv);
    return PERP_OK;
  }
  perp_mj_arrays a;
  perp_error error = perp_mj_room(s, m, d, &a);
  if (error)
    return error;
  const double h = m->opt.timestep;
  if (s->law == PERP_MJ_RIGID) {
    perp_mj_free(m, d, &a);
  } else {
    perp_mj_inertia(m, d, &a);
    mju_copy(a.v, d->qacc_smooth, m->nv);
  }
  mj_mulJacVec(m, d, a.b, a.v);
  perp_mj_jacobian(m, d, &a);
  for (int i = 0; i < d->nefc;) {
    if (s->law == PERP_MJ_SOFT && d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC)
      return perp_mj_fail(
          s, PERP_ERROR_UNSUPPORTED,
          "the soft law takes pyramidal cones only; set the cone, or use the rigid law", m, 0, -1,
          0);
    i = perp_mj_row(s, m, d, i, &a);
  }
  error = perp_mj_operator(s, m, d, &a);
  if (!error && !s->solver)
    error = perp_solver_create(s->method, &s->solver, &s->result.message);
  if (error)
    return error;
  perp_set K = perp_set_default(d->nefc);
  K.lo = a.lo;
  K.hi = a.hi;
  K.cones = a.cones;
  K.cone = a.cone;
  K.dim = a.dim;
  K.mu = a.mu;
  const perp_problem problem = perp_problem_product(s->A, a.b, &K);
  const uint64_t key = perp_mj_key(d);
  error = perp_mj_start(s, &problem, key, a.x);
  if (error)
    return error;
  perp_mj_keep(s, d->nefc, key, a.x);
  perp_mj_store(m, d, a.lo, a.hi, a.x, s->law == PERP_MJ_RIGID ? 1 / h : 1);
  return PERP_OK;
}

/* mj_step with this solve. Returns PERP_OK also if the solve did not reach its tolerance: see
 * s->result.outcome; the step then uses the best forces found. After an error the state of d (time,
 * qpos, qvel, act) is as before, and s->result.message says why. */
static inline perp_error perp_mj_step(const mjModel *m, mjData *d, perp_mj *s)
{
  const int singular = d->warning[mjWARN_INERTIA].number;
  perp_error error = perp_mj_check(s, m, d);
  if (error)
    return error;
  mj_step1(m, d);
  error = perp_mj_check(s, m, d); /* a control callback may have written */
  if (error)
    return error;
  if (d->warning[mjWARN_INERTIA].number > singular) {
    const int dof = d->warning[mjWARN_INERTIA].lastinfo;
    return perp_mj_fail(s, PERP_ERROR_PROBLEM, "the inertia is singular at joint", m, mjOBJ_JOINT,
                        m->dof_jntid[dof], d->qM[m->dof_Madr[dof]]);
  }
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  error = perp_mj_solve(m, d, s);
  if (error)
    return error;
  mj_sensorAcc(m, d);
  mj_Euler(m, d);
  return PERP_OK;
}

#ifdef __cplusplus
}
#endif
#endif
