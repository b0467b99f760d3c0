/* perp/mujoco_problem.h: settings and results of perp_mj_step, and the constraints of a step of MuJoCo as a
 * problem of perp; see mujoco.h */
#ifndef PERP_MUJOCO_PROBLEM_H
#define PERP_MUJOCO_PROBLEM_H

#include <mujoco/mujoco.h>
#include <perp/perp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exported by libmujoco 2.2, but not in its header. */
MJAPI void mj_implicit(const mjModel *m, mjData *d);
MJAPI void mj_implicitSkip(const mjModel *m, mjData *d, int skipfactor);

typedef enum perp_mj_law { PERP_MJ_RIGID, PERP_MJ_SOFT } perp_mj_law;

/* A constraint of the last step. A contact is known by its geoms and its place. One of type -1 stands for all
 * rows, after a solve of the soft law in velocities. */
typedef struct perp_mj_unit {
  int type, id, other, first, rows;
  double place[3];
} perp_mj_unit;

/* Only from perp_mj_default. */
typedef struct perp_mj {
  perp_mj_law law;
  int exact;          /* rigid: overlaps and errors of equalities vanish in one step */
  double slop;        /* rigid: overlap at which contacts and limits rest, 1e-6 m or rad. MuJoCo
                           forgets a contact whose distance rounds to 0, for a step. */
  const char *method; /* NULL: Newton's method in velocities, then ssn for few rows, then auto; read
                           by the first step */
  int keep;           /* fills `problem` also if Newton's method, which has no matrix, solved it */
  perp_options options; /* tol: 1e-8 */

  perp_result result; /* of the last solve; PERP_NOT_RUN if there was no constraint */
  int rows, contacts; /* of the last step */
  double corrected; /* rigid: the share of the correction of overlaps and errors of equalities that
                           the last step made, usually 1; see perp_mj_share */
  double contradiction; /* rigid: the largest part of an equality's correction or velocity that
                           contradicts the others and was left out, m/s or rad/s; see perp_mj_agree */
  double seconds;       /* of all solves of the last step */
  int64_t iterations;
  perp_problem
      problem;     /* of the last solve, until the next step; A is NULL without one, see `keep` */
  const double *x; /* its solution: the impulses, or the forces of the soft law */

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

/* Writes " 'NAME'", or " NUMBER" of an object without name. */
static inline void perp_mj_name(char *text, size_t room, const mjModel *m, int type, int id)
{
  const char *name = mj_id2name(m, type, id);
  if (name)
    snprintf(text, room, " '%s'", name);
  else
    snprintf(text, room, " %d", id);
}

/* Writes the body of one side of a contact; a flex of MuJoCo 3 has no geom. */
static inline void perp_mj_side(char *text, size_t room, const mjModel *m, const mjContact *contact,
                                int side)
{
  const int geom = side ? contact->geom2 : contact->geom1;
  char name[100] = "";
  const char *what = "flex";
  if (geom >= 0) {
    what = "body";
    perp_mj_name(name, sizeof name, m, mjOBJ_BODY, m->geom_bodyid[geom]);
  }
#if mjVERSION_HEADER >= 300
  else if (contact->flex[side] >= 0) {
    perp_mj_name(name, sizeof name, m, mjOBJ_FLEX, contact->flex[side]);
  }
#endif
  snprintf(text, room, "%s%s", what, name);
}

/* id < 0: `what` says it all. A joint is named with its body. */
static inline perp_error perp_mj_fail(perp_mj *s, perp_error error, const char *what,
                                      const mjModel *m, int type, int id, double value)
{
  char name[100], body[100], *text = s->result.message.text;
  const size_t room = sizeof s->result.message.text;
  if (id < 0) {
    snprintf(text, room, "%s", what);
    return error;
  }
  perp_mj_name(name, sizeof name, m, type, id);
  if (type == mjOBJ_JOINT) {
    perp_mj_name(body, sizeof body, m, mjOBJ_BODY, m->jnt_bodyid[id]);
    snprintf(text, room, "%s%s of body%s: %g", what, name, body, value);
  } else {
    snprintf(text, room, "%s%s: %g", what, name, value);
  }
  return error;
}

static inline perp_error perp_mj_check_settings(perp_mj *s, const mjModel *m)
{
  if (mju_isBad(s->slop))
    return perp_mj_fail(s, PERP_ERROR_ARGUMENT, "slop must be a number of at most 1e10", m, 0, -1,
                        0);
  return PERP_OK;
}

/* Refuses numbers that MuJoCo would answer with a reset of the state: NaN, and those above 1e10. */
static inline perp_error perp_mj_check(perp_mj *s, const mjModel *m, const mjData *d)
{
  const perp_error error = perp_mj_check_settings(s, m);
  if (error)
    return error;
  if (m->opt.integrator == mjINT_RK4)
    return perp_mj_fail(s, PERP_ERROR_UNSUPPORTED,
                        "integrator RK4 solves four times a step; use Euler", m, 0, -1, 0);
  if (m->opt.integrator < 0 || m->opt.integrator > mjINT_IMPLICIT + (mjVERSION_HEADER >= 300))
    return perp_mj_fail(s, PERP_ERROR_UNSUPPORTED,
                        "this integrator is not supported; use Euler or implicit", m, 0, -1, 0);
  if (!(m->opt.timestep > 0 && m->opt.timestep < HUGE_VAL))
    return perp_mj_fail(s, PERP_ERROR_PROBLEM, "the timestep must be > 0 and finite", m, 0, -1, 0);
  for (int i = 0; i < m->nu; i++)
    if (mju_isBad(d->ctrl[i]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "ctrl of actuator", m, mjOBJ_ACTUATOR, i,
                          d->ctrl[i]);
  for (int i = 0; i < m->na; i++)
    if (mju_isBad(d->act[i]))
      return perp_mj_fail(s, PERP_ERROR_PROBLEM, "act", m, mjOBJ_UNKNOWN, i, d->act[i]);
  for (int i = 0; i < m->nbody; i++)
    for (int k = 0, id = m->body_mocapid[i]; id >= 0 && k < 7; k++) {
      const double value = k < 3 ? d->mocap_pos[3 * id + k] : d->mocap_quat[4 * id + k - 3];
      if (mju_isBad(value))
        return perp_mj_fail(s, PERP_ERROR_PROBLEM, "mocap pose of body", m, mjOBJ_BODY, i, value);
    }
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

/* Refuses contacts whose normal is not a unit vector, or whose friction is negative or NaN. */
static inline perp_error perp_mj_check_contacts(perp_mj *s, const mjModel *m, const mjData *d)
{
  for (int c = 0; c < d->ncon; c++) {
    const mjContact *contact = &d->contact[c];
    const double length = mju_norm3(contact->frame);
    const int straight = fabs(length - 1) < 1e-3;
    int k = 0; /* the coefficients of a contact of `dim` rows: dim - 1 */
    while (k < contact->dim - 1 && contact->friction[k] >= 0 && !mju_isBad(contact->friction[k]))
      k++;
    if (straight && k >= contact->dim - 1)
      continue;
    char first[110], second[110], wrong[100];
    perp_mj_side(first, sizeof first, m, contact, 0);
    perp_mj_side(second, sizeof second, m, contact, 1);
    if (straight)
      snprintf(wrong, sizeof wrong, "friction[%d] is %g", k, contact->friction[k]);
    else
      snprintf(wrong, sizeof wrong, "its normal has the length %g, not 1", length);
    snprintf(s->result.message.text, sizeof s->result.message.text, "contact %d of %s and %s: %s",
             c, first, second, wrong);
    return PERP_ERROR_PROBLEM;
  }
  return PERP_OK;
}

/* ---- The problem ---- */

enum {
  PERP_MJ_LIMIT = 200,  /* iterations for corrections that may contradict */
  PERP_MJ_DENSE = 100,  /* rows up to which ssn is tried before auto, with A assembled */
  PERP_MJ_FACTOR = 700, /* velocities up to which Newton's method in velocities is tried */
  PERP_MJ_REALS = 37,   /* its numbers per row */
};

/* One contact or one row of Newton's method: its rows of J, with its columns only. */
typedef struct perp_mj_part {
  int first, rows, width;
  int end; /* of the first part with these columns: the part behind the last one */
  int *column;
  double *J;
} perp_mj_part;

/* Arrays of a step, in one piece of memory. */
typedef struct perp_mj_arrays {
  double *x, *start, *force /* x in MuJoCo's order */, *b, *lo, *hi, *C, *mu, *J_value, *M_value,
      *v;
  double *M, *L;  /* H as perp_mj_load has it, and its factor */
  double *newton; /* mujoco_newton.h: PERP_MJ_REALS n + 3 nv nv + 15 nv */
  int *pattern;   /* mujoco_newton.h: nv (nv + 7) */
  char *mark;     /* nv nv */
  perp_mj_part *part;
  double *s, *r;     /* soft law with cones: see perp_mj_minimise */
  double *A, *W;     /* A and H^-1 J^T, row by row, for few rows or an unsymmetric H; else NULL */
  double *saved;     /* nq + 3 nv + na: the state, for an unsymmetric H */
  double *spare;     /* 2 nv */
  double *dependent; /* ne (ne + nv + 4), ne equalities: perp_mj_agree */
  int64_t *J_start, *M_start, *next;
  int *J_column, *M_column, *cone, *dim, *depth, *row;
  int cones, round;       /* round: every cone has three rows and one mu, mu[c] */
  int assembled, contact; /* the operators are made */
  const double *joint_force,
      *acceleration; /* J^T x and what it gives, if Newton's method has them */
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

/* Returns 1 if a matrix of the velocities is small, or not much larger than that of the rows. */
static inline int perp_mj_suits(size_t n, size_t nv)
{
  return nv <= 80 || (nv <= PERP_MJ_FACTOR && nv < 4 * n);
}

/* Returns the bytes; sets the arrays if `at` is not NULL. */
static inline size_t perp_mj_place(char *at, size_t n, size_t nv, size_t entries, size_t nM,
                                   size_t equalities, int dense, size_t saved, perp_mj_arrays *a)
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
  bytes += perp_mj_take(&at, 2 * nv * real, (void **)&a->spare);
  bytes += perp_mj_take(&at, equalities * (equalities + nv + 4) * real, (void **)&a->dependent);
  bytes += perp_mj_take(&at, nM * real, (void **)&a->M);
  bytes += perp_mj_take(&at, nM * real, (void **)&a->L);
  if (perp_mj_suits(n, nv)) {
    bytes +=
        perp_mj_take(&at, (PERP_MJ_REALS * n + 3 * nv * nv + 15 * nv) * real, (void **)&a->newton);
    bytes += perp_mj_take(&at, nv * (nv + 7) * whole, (void **)&a->pattern);
    bytes += perp_mj_take(&at, nv * nv, (void **)&a->mark);
  }
  bytes += perp_mj_take(&at, n * sizeof(perp_mj_part), (void **)&a->part);
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

/* Returns how many equality rows perp_mj_agree looks at. */
static inline int perp_mj_equalities(const perp_mj *s, const mjData *d)
{
  return s->law == PERP_MJ_RIGID && d->ne <= PERP_MJ_DENSE ? d->ne : 0;
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
  const size_t equalities = (size_t)perp_mj_equalities(s, d);
  const size_t bytes = perp_mj_place(NULL, n, nv, entries, nM, equalities, dense, saved, a);
  if (bytes > s->room) {
    char *memory = (char *)realloc(s->memory, 2 * bytes);
    if (!memory)
      return perp_mj_fail(s, PERP_ERROR_MEMORY, "out of memory for the constraints of a step", m, 0,
                          -1, 0);
    s->memory = memory;
    s->room = 2 * bytes;
  }
  perp_mj_place(s->memory, n, nv, entries, nM, equalities, dense, saved, a);
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

/* ---- Inertia ---- */

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

/* L <- M, or M + h D if `damped`, the lower triangle: for each dof the diagonal, then the entries towards
 * the root. */
static inline void perp_mj_load(const mjModel *m, const mjData *d, int damped, double *L)
{
#if mjVERSION_HEADER >= 3011000 /* without the zeros of bodies on their own, and in another order */
  mju_zero(L, (int)m->nM);
  for (int k = 0; k < m->nC; k++)
    L[m->mapM2M[k]] = d->M[k];
#else
  mju_copy(L, d->qM, (int)m->nM);
#endif
  for (int i = 0; damped && i < m->nv; i++)
    L[m->dof_Madr[i]] += m->opt.timestep * m->dof_damping[i];
}

/* Returns M_ii. */
static inline double perp_mj_own_inertia(const mjModel *m, const mjData *d, int i)
{
#if mjVERSION_HEADER >= 3011000
  return d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
#else
  return d->qM[m->dof_Madr[i]];
#endif
}

/* L <- its factor, H = L^T D L, from the leaves to the root (Featherstone 2008, 6.5). */
static inline void perp_mj_factor(const mjModel *m, double *L)
{
  for (int k = m->nv - 1; k >= 0; k--) {
    double *row = L + m->dof_Madr[k];
    int at = 1;
    for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i], at++) {
      const double share = row[at] / row[0];
      double *to = L + m->dof_Madr[i];
      int from = at;
      for (int j = i; j >= 0; j = m->dof_parentid[j])
        *to++ -= share * row[from++];
      row[at] = share;
    }
  }
}

/* v <- H^-1 v */
static inline void perp_mj_divide(const mjModel *m, const double *L, double *v)
{
  for (int k = m->nv - 1; k >= 0; k--) {
    const double *row = L + m->dof_Madr[k];
    for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i])
      v[i] -= *++row * v[k];
  }
  for (int k = 0; k < m->nv; k++) {
    const double *row = L + m->dof_Madr[k];
    v[k] /= *row;
    for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i])
      v[k] -= *++row * v[i];
  }
}

/* H with both triangles, columns ascending: in each row the dofs towards the root, the diagonal, then
 * the dofs that hang on it. */
static inline void perp_mj_inertia(const mjModel *m, perp_mj_arrays *a)
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
      a->M_value[own] = a->M[from];
      if (j == i)
        continue;
      a->M_column[a->next[j]] = i;
      a->M_value[a->next[j]++] = a->M[from];
    }
  }
}

/* ---- Rows ---- */

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
  return gap > 0 && !equality ? gap / m->opt.timestep
                              : s->corrected * gap / perp_mj_decay(s, m, perp_mj_solref(m, d, i));
}

/* Returns about A_ii of MuJoCo's row i. */
static inline double perp_mj_diagonal(const mjData *d, int i)
{
#if mjVERSION_HEADER >= 3010000
  return d->efc_diagA[i];
#else
  return d->efc_diagApprox[i];
#endif
}

/* Sets bounds, cones and the part of b that does not depend on the free motion v. */
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
    a->b[k] = rigid ? 0 : -d->efc_aref[i];
    a->C[k] = rigid ? 0 : d->efc_R[i];
    if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
      a->hi[k] = d->efc_frictionloss[i] * (rigid ? m->opt.timestep : 1);
      a->lo[k] = -a->hi[k];
    } else if (rest == 0 && rigid) {
      a->b[k] = perp_mj_bias(s, m, d, i);
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

/* Equality rows of a loop may depend on each other: J^T u = 0 for some u, so u.y = u.b whatever the impulses.
 * Errors of positions may contradict along u. And as the loop is open by these errors, |J^T u| is not quite 0
 * but their size by the length of a link: velocities then contradict by that much of a velocity, unless impulses
 * are 1e8 times those that move bodies. Neither can be corrected, so b loses it. With the rows of J in units of
 * the longest of their constraint and G = J J^T,
 *
 *   b <- b - e^2 (G + e I)^-2 b,
 *
 * takes away the part of b along eigenvectors of eigenvalues far below e, and nothing that a double has of those
 * above 1e8 e. Three times, as rounding moves an eigenvalue 0. v is NULL if b has J v. */
static inline void perp_mj_agree(perp_mj *s, const mjModel *m, const mjData *d, const double *v,
                                 perp_mj_arrays *a)
{
  const double e = 1e-12;
  const int n = perp_mj_equalities(s, d), nv = m->nv, sparse = mj_isSparse(m);
  double *G = a->dependent, *J = G + n * n, *b = J + n * nv, *rest = b + n, *part = rest + n;
  double *unit = part + n;
  double *own = a->b + (a->cones > 0 ? a->cone[a->cones - 1] + a->dim[a->cones - 1] : 0);
  if (n == 0)
    return;
  for (int i = 0, end; i < n; i = end) { /* MuJoCo's first rows, constraint by constraint */
    double longest = 0;
    for (end = i; end < n && d->efc_id[end] == d->efc_id[i]; end++) {
      double *row = J + end * nv;
      const int count = sparse ? d->efc_J_rownnz[end] : nv;
      const int64_t at = sparse ? d->efc_J_rowadr[end] : (int64_t)end * nv;
      mju_zero(row, nv);
      for (int k = 0; k < count; k++)
        row[sparse ? d->efc_J_colind[at + k] : k] = d->efc_J[at + k];
      longest = fmax(longest, mju_norm(row, nv));
    }
    for (int k = i; k < end; k++) {
      double *row = J + k * nv;
      unit[k] = longest > 0 ? 1 / longest : 1;
      mju_scl(row, row, unit[k], nv);
      b[k] = rest[k] = unit[k] * own[k] + (v ? mju_dot(row, v, nv) : 0);
    }
  }
  mju_mulMatMatT(G, J, J, n, nv, n);
  for (int i = 0; i < n; i++)
    G[i * n + i] += e;
  mju_cholFactor(G, n, mjMINVAL);
  for (int k = 0; k < 3; k++) {
    mju_cholSolve(part, G, rest, n);
    mju_cholSolve(part, G, part, n);
    mju_addToScl(rest, part, -e * e, n);
  }
  for (int i = 0; i < n; i++) {
    const double change = (b[i] - rest[i]) / unit[i];
    own[i] -= change;
    s->contradiction = fmax(s->contradiction, fabs(change));
  }
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

/* v <- the velocities at the end of a step without constraints, or their accelerations under the soft
 * law. H is symmetric. */
static inline void perp_mj_free(const perp_mj *s, const mjModel *m, const mjData *d,
                                perp_mj_arrays *a)
{
  const int rigid = s->law == PERP_MJ_RIGID, damped = rigid && perp_mj_damped(m);
  perp_mj_load(m, d, damped, a->M);
#if mjVERSION_HEADER < 300 /* mj_factorM has it */
  mju_copy(a->L, damped ? a->M : d->qLD, m->nM);
#else
  mju_copy(a->L, a->M, m->nM);
#endif
  if (damped || mjVERSION_HEADER >= 300)
    perp_mj_factor(m, a->L);
  mju_copy(a->v, damped ? d->qfrc_smooth : d->qacc_smooth, m->nv);
  if (damped)
    perp_mj_divide(m, a->L, a->v);
  for (int i = 0; rigid && i < m->nv; i++)
    a->v[i] = d->qvel[i] + m->opt.timestep * a->v[i];
}

/* Makes the matrix of the problem, or its parts J and H, and adds J v to b. */
static inline void perp_mj_matrix(perp_mj *s, const mjModel *m, mjData *d, perp_mj_arrays *a)
{
  const int unsymmetric = perp_mj_unsymmetric(s, m);
  perp_mj_jacobian(m, d, a);
  if (a->A) {
    perp_mj_spread(m, d, a);
    if (unsymmetric)
      perp_mj_implicit_response(m, d, d->nefc, a->v, a->W, a->saved);
    for (int i = 0; !unsymmetric && i < d->nefc; i++)
      perp_mj_divide(m, a->L, a->W + (size_t)i * (size_t)m->nv);
    perp_mj_dense(m, d, a, unsymmetric);
  }
  for (int i = 0; i < d->nefc; i++)
    for (int64_t k = a->J_start[i]; k < a->J_start[i + 1]; k++)
      a->b[i] += a->J_value[k] * a->v[a->J_column[k]];
  if (unsymmetric)
    perp_mj_agree(s, m, d, NULL, a);
}

#ifdef __cplusplus
}
#endif
#endif
