/* rigid_kernel.h: sweeps over contacts of rigid bodies on a device: one lane relaxes one contact
 *
 * It uses the formulas of rigid.c, rounded differently. Bytes per contact with friction and round
 * bodies: 200 for its numbers, 8 for its bodies, 24 read and written for x; these are streamed from
 * memory. The bodies, 64 bytes each, of which 48 are written, stay in a cache if it holds them all.
 * The numbers of a contact do not depend on earlier colours, so they are fetched before those are
 * done. For C and C++. */
#pragma once

#include "device/device.h"
#include "device/team.h"
#include "operator/contact/row_update.h"
#include "set/cone.h"

/* K of all contacts: a perp_part, or Coulomb cones, solved exactly */
enum {
  PERP_RIGIDS_PLAIN,
  PERP_RIGIDS_BOX,
  PERP_RIGIDS_FRICTION,
  PERP_RIGIDS_CONE,
};

/* Operations on the contacts: a sweep, and the vector operations of methods between sweeps; vectors
 * are as long as x. */
typedef enum perp_rigids_op {
  PERP_RIGIDS_SWEEP,       /* colour by colour, with omega */
  PERP_RIGIDS_COPY,        /* before <- x */
  PERP_RIGIDS_STEP,        /* before <- x - before, its square into `part` */
  PERP_RIGIDS_MARK,        /* marked <- x */
  PERP_RIGIDS_DISTANCE,    /* the square of x - marked into `part` */
  PERP_RIGIDS_BEGIN,       /* direction <- before */
  PERP_RIGIDS_RESTART,     /* direction <- x */
  PERP_RIGIDS_EXTRAPOLATE, /* x <- P(x + beta p), p <- beta p + before with p = direction */
  PERP_RIGIDS_AHEAD,       /* x <- P(x + beta (x - direction)), direction <- the old x */
} perp_rigids_op;

/* Returns true if v becomes the velocities of the new x. */
static inline bool perp_rigids_renews(int op)
{
  return op >= PERP_RIGIDS_EXTRAPOLATE;
}

enum { PERP_RIGIDS_PARTS = 1024 }; /* of a sum */

typedef struct perp_rigids {
  int contacts, colours;
  int part_of_K;
  bool compliant;        /* there is a C */
  int64_t pitch;         /* at least `contacts` */
  const int *start;      /* colours + 1, in host memory: contacts are sorted by colour */
  const double *numbers; /* number k of contact c: [k pitch + c] */
  const int *body;       /* 2 per contact, always different */
  double *x;             /* row t of contact c: [t pitch + c] */
  double *v;             /* PERP_RIGID_BODY numbers of each body */
  const double *inertia; /* the other entries; NULL: multiples of the identity */
  double *slip;          /* by contact, for cones (set/cone.h) */
  int bodies;
  double omega, beta;
  double *before, *direction, *marked; /* 3 pitch each */
  double *part;                        /* PARTS */
} perp_rigids;

extern const perp_kernel perp_kernel_rigids; /* a perp_rigids_op of perp_rigids */

/* Velocity, angular velocity, 1/m and I_00 of a body. */
TEAM void perp_rigid_load(const double *v, double *body)
{
  TEAM_ALL
  for (int k = 0; k < PERP_RIGID_BODY; k += 2)
    perp_team_load_pair(v + k, body + k);
}

/* Computes the velocity at the point with the arm r of a body. */
TEAM void perp_rigid_point(const double *body, const double *r, double *w)
{
  w[0] = body[0] + (body[4] * r[2] - body[5] * r[1]);
  w[1] = body[1] + (body[5] * r[0] - body[3] * r[2]);
  w[2] = body[2] + (body[3] * r[1] - body[4] * r[0]);
}

/* Stores the velocities of a body. */
TEAM void perp_rigid_save(double *v, const double *body)
{
  TEAM_ALL
  for (int k = 0; k < 6; k += 2)
    perp_team_store_pair(v + k, body + k);
}

/* Applies an impulse f, or -f, at the arm r. inertia: I_01 I_02 I_11 I_12 I_12 I_22, not read if
 * round. */
TEAM void perp_rigid_push(double *body, const double *inertia, bool round, const double *r,
                          const double *f, double sign)
{
  const double t[3] = {sign * (r[1] * f[2] - r[2] * f[1]), sign * (r[2] * f[0] - r[0] * f[2]),
                       sign * (r[0] * f[1] - r[1] * f[0])};
  const double mass = sign * body[6], I00 = body[7];
  TEAM_ALL
  for (int k = 0; k < 3; k++)
    body[k] += mass * f[k];
  if (round) {
    TEAM_ALL
    for (int k = 0; k < 3; k++)
      body[3 + k] += I00 * t[k];
  } else {
    double I[6];
    TEAM_ALL
    for (int k = 0; k < 6; k += 2)
      perp_team_load_pair(inertia + k, I + k);
    body[3] += I00 * t[0] + (I[0] * t[1] + I[1] * t[2]);
    body[4] += I[0] * t[0] + (I[2] * t[1] + I[4] * t[2]);
    body[5] += I[1] * t[0] + (I[3] * t[1] + I[5] * t[2]);
  }
}

/* Applies the impulse sum_t d_t change_t of a contact with the numbers p to its bodies A and B. */
TEAM void perp_rigid_act(const perp_rigids *s, int first, int second, const double *p,
                         const double *change, bool round, double *A, double *B)
{
  const int64_t a = PERP_RIGID_BODY * (int64_t)first, b = PERP_RIGID_BODY * (int64_t)second;
  double f[3];
  TEAM_ALL
  for (int k = 0; k < 3; k++)
    f[k] = p[PERP_RIGID_D + k] * change[0] + p[PERP_RIGID_D + 3 + k] * change[1] +
           p[PERP_RIGID_D + 6 + k] * change[2];
  perp_rigid_push(A, round ? s->inertia : s->inertia + a, round, p + PERP_RIGID_A, f, 1);
  perp_rigid_push(B, round ? s->inertia : s->inertia + b, round, p + PERP_RIGID_B, f, -1);
}

/* The rows of a contact in the layout of row_update.h. */
typedef struct perp_rigid_rows {
  const double *p;     /* the numbers of the contact, if the rows are updated */
  const double *bound; /* the numbers from PERP_RIGID_BOUNDS on */
  int part;
  double omega;
} perp_rigid_rows;

TEAM double perp_rigid_rows_step(const perp_rigid_rows *l, int t)
{
  return l->omega * l->p[PERP_RIGID_STEP + t];
}

TEAM double perp_rigid_rows_coupling(const perp_rigid_rows *l, int t)
{
  return l->p[PERP_RIGID_COUPLING + t];
}

/* x[0], the normal of friction rows, is not below 0. */
TEAM bool perp_rigid_rows_bounds(const perp_rigid_rows *l, int t, const double *x, double *lower,
                                 double *upper)
{
  *lower = *upper = 0;
  if (l->part == PERP_RIGIDS_PLAIN || (l->part == PERP_RIGIDS_FRICTION && t == 0))
    return false;
  *lower = l->part == PERP_RIGIDS_BOX ? l->bound[t] : -(l->bound[0] * x[0]);
  *upper = l->part == PERP_RIGIDS_BOX ? l->bound[3 + t] : l->bound[0] * x[0];
  return true;
}

PERP_ROW_UPDATE(TEAM, double, perp_rigid_rows, PERP_ROW_NOT_BELOW, PERP_ROW_NOT_ABOVE)

TEAM int perp_rigid_bounds(int part)
{
  return part == PERP_RIGIDS_BOX ? 6 : part == PERP_RIGIDS_PLAIN ? 0 : 1;
}

/* y of a contact, from the velocities of its bodies; C: its three numbers, or NULL */
TEAM void perp_rigid_gradient(const double *p, const double *A, const double *B, const double *C,
                              const double *x, double *y)
{
  double w[3], wb[3];
  perp_rigid_point(A, p + PERP_RIGID_A, w);
  perp_rigid_point(B, p + PERP_RIGID_B, wb);
  TEAM_ALL
  for (int k = 0; k < 3; k++)
    w[k] -= wb[k];
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    const double *dir = p + PERP_RIGID_D + 3 * t;
    y[t] = p[PERP_RIGID_RHS + t] + dir[0] * w[0] + dir[1] * w[1] + dir[2] * w[2];
    if (C)
      y[t] += C[t] * x[t];
  }
}

/* The data of a contact that a lane reads before the velocities are known. */
typedef struct perp_rigid_task {
  double p[PERP_RIGID_BOUNDS + 9], x[3];
  int a, b; /* bodies */
} perp_rigid_task;

/* Reads everything except x. */
TEAM void perp_rigid_read(const perp_rigids *s, int64_t c, int part, bool compliant,
                          perp_rigid_task *task)
{
  const int count = PERP_RIGID_BOUNDS + perp_rigid_bounds(part) + (compliant ? 3 : 0);
  TEAM_ALL
  for (int k = 0; k < count; k++)
    task->p[k] = perp_team_stream(s->numbers + k * s->pitch + c);
  task->a = s->body[2 * c];
  task->b = s->body[2 * c + 1];
}

TEAM void perp_rigid_read_x(const perp_rigids *s, int64_t c, perp_rigid_task *task)
{
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    task->x[t] = perp_team_stream(s->x + t * s->pitch + c);
}

/* Relaxes contact c, already read, and changes its bodies, which the caller loads and saves. part,
 * round and compliant are compile-time constants. */
TEAM void perp_rigid_relax(const perp_rigids *s, int64_t c, int part, bool round, bool compliant,
                           perp_rigid_task *task, double *A, double *B)
{
  const double *p = task->p;
  double y[3], d[3], *x = task->x;
  perp_rigid_gradient(p, A, B, compliant ? p + PERP_RIGID_BOUNDS + perp_rigid_bounds(part) : NULL,
                      x, y);
  if (part == PERP_RIGIDS_CONE) {
    const double *step = p + PERP_RIGID_STEP, *between = p + PERP_RIGID_COUPLING;
    const double W[9] = {1 / step[0], between[0], between[2], between[0], 1 / step[1],
                         between[1],  between[2], between[1], 1 / step[2]};
    const perp_cone_matrix made = perp_cone_make(W);
    perp_cone_relax(W, &made, p[PERP_RIGID_BOUNDS], s->omega, s->slip + c, y, x, d);
  }
  const perp_rigid_rows rows = {p, p + PERP_RIGID_BOUNDS, part, s->omega};
  TEAM_ALL
  for (int t = 0; t < 3 && part != PERP_RIGIDS_CONE; t++)
    perp_rigid_rows_update(&rows, t, 3, false, y[t], x, d);
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    perp_team_stream_to(s->x + t * s->pitch + c, x[t]);
  perp_rigid_act(s, task->a, task->b, p, d, round, A, B);
}

/* ---- Between sweeps ---- */

/* Processes one number of the vectors; returns its contribution to the sum of squares. */
TEAM double perp_rigid_number(const perp_rigids *s, perp_rigids_op op, int64_t i)
{
  if (op == PERP_RIGIDS_COPY) {
    s->before[i] = s->x[i];
  } else if (op == PERP_RIGIDS_STEP) {
    const double step = s->x[i] - s->before[i];
    s->before[i] = step;
    return step * step;
  } else if (op == PERP_RIGIDS_MARK) {
    s->marked[i] = s->x[i];
  } else if (op == PERP_RIGIDS_DISTANCE) {
    return (s->x[i] - s->marked[i]) * (s->x[i] - s->marked[i]);
  } else if (op == PERP_RIGIDS_BEGIN) {
    s->direction[i] = s->before[i];
  } else if (op == PERP_RIGIDS_RESTART) {
    s->direction[i] = s->x[i];
  } else if (op == PERP_RIGIDS_EXTRAPOLATE) {
    const double ahead = s->beta * s->direction[i];
    s->x[i] += ahead;
    s->direction[i] = ahead + s->before[i];
  } else if (op == PERP_RIGIDS_AHEAD) {
    const double x = s->x[i];
    s->x[i] = x + s->beta * (x - s->direction[i]);
    s->direction[i] = x;
  }
  return 0;
}

/* Sets the velocities of body k to 0. */
TEAM void perp_rigid_stop(const perp_rigids *s, int64_t k)
{
  TEAM_ALL
  for (int e = 0; e < 6; e++)
    s->v[k * PERP_RIGID_BODY + e] = 0;
}

/* x of contact c <- P(x); applies its impulse to the bodies. */
TEAM void perp_rigid_renew(const perp_rigids *s, int64_t c, int part, bool round)
{
  const int bounds = perp_rigid_bounds(part);
  double p[PERP_RIGID_BOUNDS + 6], x[3] = {0, 0, 0}, A[PERP_RIGID_BODY], B[PERP_RIGID_BODY];
  TEAM_ALL
  for (int k = 0; k < PERP_RIGID_STEP; k++)
    p[k] = perp_team_stream(s->numbers + k * s->pitch + c);
  TEAM_ALL
  for (int k = PERP_RIGID_BOUNDS; k < PERP_RIGID_BOUNDS + bounds; k++)
    p[k] = perp_team_stream(s->numbers + k * s->pitch + c);
  const int a = s->body[2 * c], b = s->body[2 * c + 1];
  perp_team_await_turn();
  perp_rigid_load(s->v + (int64_t)a * PERP_RIGID_BODY, A);
  perp_rigid_load(s->v + (int64_t)b * PERP_RIGID_BODY, B);
  const perp_rigid_rows rows = {p, p + PERP_RIGID_BOUNDS, part, 0};
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    x[t] = s->x[t * s->pitch + c];
  if (part == PERP_RIGIDS_CONE)
    perp_cone_project(p[PERP_RIGID_BOUNDS], x);
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    if (part != PERP_RIGIDS_CONE)
      x[t] = perp_rigid_rows_project(&rows, t, x[t], x);
    s->x[t * s->pitch + c] = x[t];
  }
  perp_rigid_act(s, a, b, p, x, round, A, B);
  perp_rigid_save(s->v + (int64_t)a * PERP_RIGID_BODY, A);
  perp_rigid_save(s->v + (int64_t)b * PERP_RIGID_BODY, B);
}
