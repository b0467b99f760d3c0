/* perp/mujoco.h: perp as the constraint solver of MuJoCo, tried with 2.2 and 3.1
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
 *                   (`exact`).
 *   PERP_MJ_SOFT    MuJoCo's own law: forces x minimise 1/2 x^T (A + R) x + x^T (J qacc_smooth - aref),
 *                   to the tolerance of the options, in pyramids or elliptic cones. mj_inverse agrees
 *                   with it.
 *
 * The integrator is Euler or implicit. mj_Euler of MuJoCo 2.2 takes the damping of joints implicitly,
 * with H = M + h D instead of M, and mj_implicit (implicitfast of MuJoCo 3 too) all forces, with H = M - h d(force)/d(qvel), which is not
 * symmetric. The rigid law has the same H in place of M, so the step ends with the velocities of the
 * solve. qacc, qfrc_constraint,
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

/* Exported by libmujoco 2.2, but not in its header. */
MJAPI void mj_implicit(const mjModel *m, mjData *d);
MJAPI void mj_implicitSkip(const mjModel *m, mjData *d, int skipfactor);

typedef enum perp_mj_law { PERP_MJ_RIGID, PERP_MJ_SOFT } perp_mj_law;

/* A constraint of the last step. A contact is known by its geoms and its place. */
typedef struct perp_mj_unit {
  int type, id, other, first, rows;
  double place[3];
} perp_mj_unit;

/* Only from perp_mj_default. */
typedef struct perp_mj {
  perp_mj_law law;
  int exact;            /* rigid: overlaps and errors of equalities vanish in one step */
  double slop;          /* rigid: overlap at which contacts and limits rest, 1e-6 m or rad. MuJoCo
                           forgets a contact whose distance rounds to 0, for a step. */
  const char *method;   /* NULL: ssn for few rows, else auto; read by the first step */
  perp_options options; /* tol: 1e-8 */

  perp_result result; /* of the last solve; PERP_NOT_RUN if there was no constraint */
  int rows, contacts; /* of the last step */
  double seconds;     /* of all solves of the last step */
  int64_t iterations;
  perp_problem problem; /* of the last solve, until the next step; A is NULL without one */
  const double *x;      /* its solution: the impulses, or the forces of the soft law */

  /* the adapter's own */
  perp_solver *newton, *solver;
  perp_operator *assembled, *A;
  char *memory;
  size_t room;
  double *last; /* x of the last step */
  perp_mj_unit *unit;
  int units, last_room;
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
  perp_solver_destroy(s->newton);
  perp_solver_destroy(s->solver);
  perp_operator_destroy(s->assembled);
  perp_operator_destroy(s->A);
  free(s->memory);
  free(s->last);
  free(s->unit);
  s->last = NULL;
  s->unit = NULL;
  s->units = s->last_room = 0;
  s->newton = s->solver = NULL;
  s->assembled = s->A = NULL;
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

/* Refuses numbers that MuJoCo would answer with a reset of the state: NaN, and those above 1e10. */
static inline perp_error perp_mj_check(perp_mj *s, const mjModel *m, const mjData *d)
{
  if (m->opt.integrator == mjINT_RK4)
    return perp_mj_fail(s, PERP_ERROR_UNSUPPORTED,
                        "integrator RK4 solves four times a step; use Euler", m, 0, -1, 0);
  if (m->opt.integrator < 0 || m->opt.integrator > mjINT_IMPLICIT + (mjVERSION_HEADER >= 300))
    return perp_mj_fail(s, PERP_ERROR_UNSUPPORTED,
                        "this integrator is not supported; use Euler or implicit", m, 0, -1, 0);
  for (int i = 0; i < m->nu; i++)
    if (mju_isBad(d->ctrl[i]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "ctrl of actuator", m, mjOBJ_ACTUATOR, i,
                          d->ctrl[i]);
  for (int i = 0; i < m->nv; i++)
    if (mju_isBad(d->qvel[i]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "qvel of joint", m, mjOBJ_JOINT, m->dof_jntid[i],
                          d->qvel[i]);
  for (int j = 0; j < m->njnt; j++) {
    const int last = j + 1 < m->njnt ? m->jnt_qposadr[j + 1] : m->nq;
    for (int i = m->jnt_qposadr[j]; i < last; i++)
      if (mju_isBad(d->qpos[i]))
        return perp_mj_fail(s, PERP_ERROR_PROBLEM, "qpos of joint", m, mjOBJ_JOINT, j, d->qpos[i]);
  }
  return PERP_OK;
}

/* Refuses contacts whose normal is not a unit vector. */
static inline perp_error perp_mj_check_contacts(perp_mj *s, const mjModel *m, const mjData *d)
{
  for (int c = 0; c < d->ncon; c++) {
    const mjContact *contact = &d->contact[c];
    const double length = mju_norm3(contact->frame);
    if (fabs(length - 1) < 1e-3)
      continue;
    const char *first = mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[contact->geom1]);
    const char *second = mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[contact->geom2]);
    snprintf(s->result.message.text, sizeof s->result.message.text,
             "contact %d of bodies '%s' and '%s': its normal has the length %g, not 1", c,
             first ? first : "", second ? second : "", length);
    return PERP_ERROR_PROBLEM;
  }
  return PERP_OK;
}

/* ---- The problem ---- */

/* Up to this number of rows Newton's method is tried first, with A assembled. */
enum { PERP_MJ_DENSE = 100 };

/* Arrays of a step, in one piece of memory. */
typedef struct perp_mj_arrays {
  double *x, *start, *force /* x in MuJoCo's order */, *b, *lo, *hi, *C, *mu, *J_value, *M_value,
      *v, *w;
  double *s, *r; /* soft law with cones: see perp_mj_minimise */
  double *A, *W; /* A and H^-1 J^T, row by row, for few rows or an unsymmetric H; else NULL */
  double *saved; /* nq + 3 nv + na: the state, for an unsymmetric H */
  int64_t *J_start, *M_start, *next;
  int *J_column, *M_column, *cone, *dim, *depth, *row;
  int cones, round;       /* round: every cone has three rows and one mu, mu[c] */
  int assembled, contact; /* the operators are made */
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
                                   int dense, size_t saved, perp_mj_arrays *a)
{
  const size_t real = sizeof(double), wide = sizeof(int64_t), whole = sizeof(int);
  void **reals[] = {(void **)&a->x, (void **)&a->start, (void **)&a->force,
                    (void **)&a->b, (void **)&a->lo,    (void **)&a->hi,
                    (void **)&a->C, (void **)&a->s,     (void **)&a->r};
  size_t bytes = 0;
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
    bytes += perp_mj_take(&at, n * real, reals[k]);
  bytes += perp_mj_take(&at, 5 * n * real, (void **)&a->mu);
  bytes += perp_mj_take(&at, entries * real, (void **)&a->J_value);
  bytes += perp_mj_take(&at, 2 * nM * real, (void **)&a->M_value);
  bytes += perp_mj_take(&at, nv * real, (void **)&a->v);
  bytes += perp_mj_take(&at, nv * real, (void **)&a->w);
  bytes += perp_mj_take(&at, saved * real, (void **)&a->saved);
  if (dense) {
    bytes += perp_mj_take(&at, n * n * real, (void **)&a->A);
    bytes += perp_mj_take(&at, n * nv * real, (void **)&a->W);
  }
  bytes += perp_mj_take(&at, (n + 1) * wide, (void **)&a->J_start);
  bytes += perp_mj_take(&at, (nv + 1) * wide, (void **)&a->M_start);
  bytes += perp_mj_take(&at, nv * wide, (void **)&a->next);
  bytes += perp_mj_take(&at, nv * whole, (void **)&a->depth);
  bytes += perp_mj_take(&at, entries * whole, (void **)&a->J_column);
  bytes += perp_mj_take(&at, 2 * nM * whole, (void **)&a->M_column);
  bytes += perp_mj_take(&at, n * whole, (void **)&a->cone);
  bytes += perp_mj_take(&at, n * whole, (void **)&a->dim);
  bytes += perp_mj_take(&at, n * whole, (void **)&a->row);
  return bytes;
}

/* Returns 1 if H is not symmetric, so that the problem needs A itself. */
static inline int perp_mj_unsymmetric(const perp_mj *s, const mjModel *m)
{
  return s->law == PERP_MJ_RIGID && m->opt.integrator != mjINT_EULER;
}

static inline size_t perp_mj_saved(const mjModel *m)
{
  return (size_t)(m->nq + 3 * m->nv + m->na);
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
  const int unsymmetric = perp_mj_unsymmetric(s, m);
  const int dense = unsymmetric || (!s->method && d->nefc <= PERP_MJ_DENSE);
  const size_t saved = unsymmetric ? perp_mj_saved(m) : 0;
  const size_t bytes = perp_mj_place(NULL, n, nv, entries, nM, dense, saved, a);
  if (bytes > s->room) {
    char *memory = (char *)realloc(s->memory, 2 * bytes);
    if (!memory)
      return perp_mj_fail(s, PERP_ERROR_MEMORY, "out of memory for the constraints of a step", m, 0,
                          -1, 0);
    s->memory = memory;
    s->room = 2 * bytes;
  }
  perp_mj_place(s->memory, n, nv, entries, nM, dense, saved, a);
  return PERP_OK;
}

/* row <- MuJoCo's number of each of our rows: elliptic contacts first, as methods want them. */
static inline void perp_mj_order(const mjData *d, perp_mj_arrays *a)
{
  int count = 0;
  for (int elliptic = 1; elliptic >= 0; elliptic--)
    for (int i = 0; i < d->nefc; i++)
      if ((d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) == elliptic)
        a->row[count++] = i;
}

static inline void perp_mj_jacobian(const mjModel *m, const mjData *d, perp_mj_arrays *a)
{
  const int sparse = mj_isSparse(m);
  int64_t count = 0;
  for (int i = 0; i < d->nefc; i++) {
    const int row = a->row[i], nonzeros = sparse ? d->efc_J_rownnz[row] : m->nv;
    const int64_t first = sparse ? d->efc_J_rowadr[row] : (int64_t)row * m->nv;
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

/* Adds the error of MuJoCo's row i, divided by the time in which it is to vanish. */
static inline double perp_mj_bias(const perp_mj *s, const mjModel *m, const mjData *d, int i)
{
  const int equality = d->efc_type[i] == mjCNSTR_EQUALITY;
  const double gap = d->efc_pos[i] + (equality ? 0 : s->slop);
  return gap /
         (gap > 0 && !equality ? m->opt.timestep : perp_mj_decay(s, m, perp_mj_solref(m, d, i)));
}

/* Sets bounds, cones and b. b has J v* (rigid) or J qacc_smooth (soft) on entry. */
static inline void perp_mj_rows(const perp_mj *s, const mjModel *m, const mjData *d,
                                perp_mj_arrays *a)
{
  const int rigid = s->law == PERP_MJ_RIGID;
  a->cones = 0;
  a->round = 1;
  for (int k = 0, rest = 0; k < d->nefc; k++) {
    const int i = a->row[k], type = d->efc_type[i];
    a->lo[k] = type == mjCNSTR_EQUALITY ? -HUGE_VAL : 0;
    a->hi[k] = HUGE_VAL;
    if (!rigid)
      a->b[k] -= d->efc_aref[i];
    if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
      a->hi[k] = d->efc_frictionloss[i] * (rigid ? m->opt.timestep : 1);
      a->lo[k] = -a->hi[k];
    } else if (rest == 0 && rigid) {
      a->b[k] += perp_mj_bias(s, m, d, i);
    }
    if (rest == 0 && type == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact *contact = &d->contact[d->efc_id[i]];
      rest = a->dim[a->cones] = contact->dim;
      a->cone[a->cones] = k;
      for (int j = 0; j < 5; j++)
        a->mu[5 * a->cones + j] = j < contact->dim - 1 ? contact->friction[j] : 0;
      a->round &= contact->dim == 3 && contact->friction[0] == contact->friction[1];
      a->cones++;
    }
    rest -= rest > 0;
  }
  for (int c = 0; a->round && c < a->cones; c++)
    a->mu[c] = a->mu[5 * c];
}

/* W <- J */
static inline void perp_mj_spread(const mjModel *m, const mjData *d, perp_mj_arrays *a)
{
  mju_zero(a->W, d->nefc * m->nv);
  for (int i = 0; i < d->nefc; i++)
    for (int64_t k = a->J_start[i]; k < a->J_start[i + 1]; k++)
      a->W[i * m->nv + a->J_column[k]] = a->J_value[k];
}

/* A <- J W^T + C: row by row, or the lower half and the same bits in the upper one. */
static inline void perp_mj_dense(const mjModel *m, const mjData *d, perp_mj_arrays *a,
                                 int unsymmetric)
{
  const int n = d->nefc, nv = m->nv;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (unsymmetric ? n : i + 1); j++) {
      double sum = i == j ? a->C[i] : 0;
      for (int64_t k = a->J_start[i]; k < a->J_start[i + 1]; k++)
        sum += a->J_value[k] * a->W[j * nv + a->J_column[k]];
      a->A[i * n + j] = sum;
      if (!unsymmetric)
        a->A[j * n + i] = sum;
    }
}

/* v <- the velocities at the end of a step of the implicit integrator without constraints; the n rows of
 * W <- H^-1 times them. MuJoCo keeps the factors of H to itself, so the integrator is called: from qvel =
 * 0 under the force w it ends at h H^-1 w. d is as before, but for H. */
static inline void perp_mj_implicit_response(const mjModel *m, mjData *d, int n, double *v,
                                             double *W, double *saved)
{
  const int nv = m->nv;
  const double h = m->opt.timestep, time = d->time;
  double *qvel = saved + m->nq, *smooth = qvel + nv, *constraint = smooth + nv,
         *act = constraint + nv;
  mju_copy(saved, d->qpos, m->nq);
  mju_copy(qvel, d->qvel, nv);
  mju_copy(smooth, d->qfrc_smooth, nv);
  mju_copy(constraint, d->qfrc_constraint, nv);
  mju_copy(act, d->act, m->na);
  mju_zero(d->qfrc_constraint, nv);
  mj_implicit(m, d);
  mju_copy(v, d->qvel, nv);
  mju_zero(d->qfrc_smooth, nv);
  for (int i = 0; i < n; i++) {
    mju_copy(d->qfrc_constraint, W + (size_t)i * (size_t)nv, nv);
    mju_zero(d->qvel, nv);
    mj_implicitSkip(m, d, 1);
    mju_scl(W + (size_t)i * (size_t)nv, d->qvel, 1 / h, nv);
  }
  mju_copy(d->qpos, saved, m->nq);
  mju_copy(d->qvel, qvel, nv);
  mju_copy(d->qfrc_smooth, smooth, nv);
  mju_copy(d->qfrc_constraint, constraint, nv);
  mju_copy(d->act, act, m->na);
  d->time = time;
}

/* Returns 1 if the integrator is an Euler that takes the damping of joints implicitly. */
static inline int perp_mj_damped(const mjModel *m)
{
  int damped = 0;
#if mjVERSION_HEADER >= 300
  if (m->opt.disableflags & mjDSBL_EULERDAMP)
    return 0;
#endif
  for (int i = 0; i < m->nv; i++)
    damped |= m->dof_damping[i] > 0;
  return damped && m->opt.integrator == mjINT_EULER;
}

/* Adds h times the damping of the joints to the diagonal of M, or takes it away again (`w` has the
 * diagonal), and factors M. */
static inline void perp_mj_damp(const mjModel *m, mjData *d, double *w, int add)
{
  for (int i = 0; i < m->nv; i++) {
    double *diagonal = &d->qM[m->dof_Madr[i]];
    if (add)
      w[i] = *diagonal;
    *diagonal = add ? *diagonal + m->opt.timestep * m->dof_damping[i] : w[i];
  }
  mj_factorM(m, d);
}

/* v <- the velocities at the end of a step without constraints, or their accelerations under the soft
 * law; the matrix of the problem, or its parts J and M. */
static inline void perp_mj_matrix(const perp_mj *s, const mjModel *m, mjData *d, perp_mj_arrays *a)
{
  const int rigid = s->law == PERP_MJ_RIGID, damped = rigid && perp_mj_damped(m);
  if (a->A)
    perp_mj_spread(m, d, a);
  if (perp_mj_unsymmetric(s, m)) {
    perp_mj_implicit_response(m, d, d->nefc, a->v, a->W, a->saved);
    perp_mj_dense(m, d, a, 1);
    return;
  }
  mju_copy(a->v, d->qacc_smooth, m->nv);
  if (damped) { /* MuJoCo's own factor, for a moment that of M + h D */
    perp_mj_damp(m, d, a->w, 1);
    mj_solveM(m, d, a->v, d->qfrc_smooth, 1);
  }
  if (a->A) {
    mj_solveM(m, d, a->W, a->W, d->nefc);
    perp_mj_dense(m, d, a, 0);
  }
  perp_mj_inertia(m, d, a);
  if (damped)
    perp_mj_damp(m, d, a->w, 0);
  for (int i = 0; rigid && i < m->nv; i++)
    a->v[i] = d->qvel[i] + m->opt.timestep * a->v[i];
}

static inline perp_error perp_mj_contact(perp_mj *s, const mjModel *m, const mjData *d,
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

/* Solves from x. Few rows: by Newton's method with A itself, which takes less time than to set up
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
  if (!a->contact && !unsymmetric) {
    error = perp_mj_contact(s, m, d, a);
    a->contact = 1;
  }
  if (!error && !s->solver)
    error = perp_solver_create(s->method, &s->solver, &s->result.message);
  if (error)
    return error;
  const perp_problem problem = perp_problem_product(unsymmetric ? s->assembled : s->A, a->b, K);
  error = perp_mj_run(s, s->solver, &s->options, &problem, a->x);
  if (error || s->result.outcome == PERP_SOLVED || s->result.outcome == PERP_STOPPED)
    return error;
  mju_zero(a->x, K->n);
  return perp_mj_run(s, s->solver, &s->options, &problem, a->x);
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

/* Returns the term of De Saxce of cone c at y. */
static inline double perp_mj_saxce(const perp_mj_arrays *a, int c, const double *y)
{
  double sum = 0;
  for (int k = 1; k < a->dim[c]; k++)
    sum += pow(a->mu[a->round ? c : 5 * c + k - 1] * y[a->cone[c] + k], 2);
  return sqrt(sum);
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
    if (most + s->result.residual <= options.tol * scale)
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

static inline void perp_mj_keep(perp_mj *s, const mjData *d, const double *force)
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
  s->seconds = 0;
  s->iterations = 0;
  s->problem.A = NULL;
  s->x = NULL;
  if (d->nefc == 0 || m->nv == 0) {
    mju_copy(d->qacc, d->qacc_smooth, m->nv);
    mju_copy(d->qacc_warmstart, d->qacc_smooth, m->nv);
    mju_zero(d->qfrc_constraint, m->nv);
    return PERP_OK;
  }
  perp_mj_arrays a;
  perp_error error = perp_mj_check_contacts(s, m, d);
  if (!error)
    error = perp_mj_room(s, m, d, &a);
  if (error)
    return error;
  const int rigid = s->law == PERP_MJ_RIGID;
  perp_mj_order(d, &a);
  perp_mj_jacobian(m, d, &a);
  for (int k = 0; k < d->nefc; k++)
    a.C[k] = rigid ? 0 : d->efc_R[a.row[k]];
  perp_mj_matrix(s, m, d, &a);
  mj_mulJacVec(m, d, a.force, a.v);
  for (int k = 0; k < d->nefc; k++)
    a.b[k] = a.force[a.row[k]];
  perp_mj_rows(s, m, d, &a);
  perp_set K = perp_set_default(d->nefc);
  K.lo = a.lo;
  K.hi = a.hi;
  K.cones = a.cones;
  K.cone = a.round ? NULL : a.cone;
  K.dim = a.round ? NULL : a.dim;
  K.mu = a.mu;
  perp_mj_recall(s, d, a.force);
  for (int k = 0; k < d->nefc; k++)
    a.x[k] = a.force[a.row[k]];
  error =
      rigid || a.cones == 0 ? perp_mj_attempt(s, m, d, &K, &a) : perp_mj_minimise(s, m, d, &K, &a);
  if (error)
    return error;
  for (int k = 0; k < d->nefc; k++)
    a.force[a.row[k]] = a.x[k];
  perp_mj_keep(s, d, a.force);
  perp_mj_store(m, d, &a, rigid ? 1 / m->opt.timestep : 1);
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
