/* rigid3d/world.h: bodies made of spheres, boxes and capsules, their contacts and joints
 *
 * A step (Stewart and Trinkle 1996): the velocities at its end are those with gravity, the
 * gyroscopic torque and the impulses x of contacts and joints,
 *
 *   v' = v + h M^-1 f + M^-1 J^T x,   y = J v' + c,   x in K, x perp y,   q' = q + h v'.
 *
 * c is, in the row of a normal, gap / h where the bodies are apart (they may close the gap and no
 * more), erp (gap + slop) / h where they overlap by more than the slop, undone at most with the
 * velocity `push`, and restitution times the approaching velocity; in the rows of a joint, which are
 * free and come behind those of the contacts, erp times what it is out of place, to h. Energies and
 * restitution are as in the plane (rigid2d/world.h).
 *
 * The world ends far outside of the scene. A body that gets there, or whose motion is no number any more,
 * is taken out with all that hangs on it, and the trouble of that frame says so: what flies away so far
 * is of no use to anybody, and there is no collision detection for it.
 *
 * Contacts are found by ODE, which collide_ode.c alone knows. ODE can also make the whole step, for
 * comparison: `engine`. */
#ifndef PERP_SIMULATE_RIGID3D_WORLD_H
#define PERP_SIMULATE_RIGID3D_WORLD_H

#include "scene/vector.h"
#include "simulate/simulate.h"

/* A sphere, box or capsule (sizes as in perp_shape) of a body. */
typedef struct perp_part3 {
  perp_shape_kind kind;
  double size[3];
  double at[3], turn[4]; /* as given to perp_world3_body; in the world: from the centre of mass */
  double density;
  int body;
  bool wire;   /* only its edges are to be seen */
  bool ground; /* a box that is met as if it went on for ever but for its upper side */
} perp_part3;

typedef struct perp_body3 {
  double at[3], turn[4]; /* the centre of mass */
  double v[3], spin[3];
  double mass, mass_inverse;             /* inverse 0: fixed */
  double inertia[9], inertia_inverse[9]; /* in the body's frame */
  double radius;                         /* of the sphere around it */
  int first_part, parts;
  int joint; /* one of its joints, -1: none */
  bool
      gone; /* out of the world: it neither moves nor meets others, and has no part in the energy */
} perp_body3;

typedef struct perp_contact3 {
  int a, b; /* bodies, a < b; the normal leads from a to b */
  double at[3], normal[3];
  double gap;  /* below 0: overlap */
  uint64_t id; /* the same in the next frame for the same part of the same pair */
} perp_contact3;

typedef enum perp_joint3_kind {
  PERP_JOINT3_BALL,  /* a point in common: 3 rows */
  PERP_JOINT3_HINGE, /* and an axis: 5 rows */
  PERP_JOINT3_FIXED, /* and the turn: 6 rows */
} perp_joint3_kind;

typedef struct perp_joint3 {
  perp_joint3_kind kind;
  int body[2];
  double at[2][3];   /* the point, in the frame of each body */
  double axis[2][3]; /* of a hinge, likewise */
  double turn[4];    /* of the second body in the frame of the first, as it was built */
  int next[2];       /* of the joints of each body, -1: the last */
} perp_joint3;

typedef enum perp_friction3 {
  PERP_FRICTION3_NONE,
  PERP_FRICTION3_POLYHEDRAL, /* rows n, one for each direction, and the slip: an LCP */
  PERP_FRICTION3_FINDEX,     /* rows n, t, o with |x_t|, |x_o| <= mu |x_n| */
  PERP_FRICTION3_CONE,       /* rows n, t, o of Coulomb's cone */
} perp_friction3;

typedef enum perp_engine3 {
  PERP_ENGINE3_PERP,
  PERP_ENGINE3_STEP,      /* dWorldStep: ODE's pivoting */
  PERP_ENGINE3_QUICKSTEP, /* dWorldQuickStep: its sweeps */
} perp_engine3;

enum { PERP_POINTS3 = 4 };       /* contacts of two parts at most */
enum { PERP_BODIES3 = 1 << 21 }; /* bodies of a world at most: some 2 GB */

/* What all scenes have as parameters. */
typedef struct perp_world3_parameters {
  int friction, directions, points, engine, after, iterations;
  double mu, restitution, gravity, h, erp, slop, push, cfm;
} perp_world3_parameters;

extern const char *const perp_friction3_names[];
extern const char *const perp_engine3_names[];

/* A row of a parameter table for a field of the perp_world3_parameters called `world`. */
#define PERP_WORLD3_ROW(type, kind, field, value, least, most, words, text)                        \
  {                                                                                                \
#field, kind, offsetof(type, world.field), value, least, most, words, text                     \
  }
#define PERP_WORLD3_ROWS(type, default_mu, default_h)                                              \
  PERP_WORLD3_ROW(type, PERP_TYPE_CHOICE, friction, PERP_FRICTION3_FINDEX, 0, 3,                   \
                  perp_friction3_names, "how friction is posed"),                                  \
      PERP_WORLD3_ROW(type, PERP_TYPE_INTEGER, directions, 4, 3, 64, NULL,                         \
                      "directions of polyhedral friction"),                                        \
      PERP_WORLD3_ROW(type, PERP_TYPE_INTEGER, points, PERP_POINTS3, 1, PERP_POINTS3, NULL,        \
                      "contacts of two shapes at most"),                                           \
      PERP_WORLD3_ROW(type, PERP_TYPE_CHOICE, engine, PERP_ENGINE3_PERP, 0, 2, perp_engine3_names, \
                      "what makes the steps: perp, or ODE by pivoting or by sweeps"),              \
      PERP_WORLD3_ROW(                                                                             \
          type, PERP_TYPE_INTEGER, after, 0, 0, 1000000000, NULL,                                  \
          "steps made by perp before ODE's engine takes over, with the same contacts"),            \
      PERP_WORLD3_ROW(type, PERP_TYPE_INTEGER, iterations, 20, 1, 1000000, NULL,                   \
                      "sweeps of ODE's quickstep"),                                                \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, mu, default_mu, 0, 1e6, NULL,                          \
                      "coefficient of friction"),                                                  \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, restitution, 0, 0, 1, NULL,                            \
                      "share of the approaching velocity that comes back"),                        \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, gravity, 9.81, -1e6, 1e6, NULL,                        \
                      "acceleration downwards"),                                                   \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, h, default_h, 1e-9, 1e3, NULL, "time step"),           \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, erp, 0.2, 0, 1, NULL,                                  \
                      "share of an overlap undone in a step"),                                     \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, slop, 1e-3, 0, 1, NULL, "overlap that is left alone"), \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, push, 1, 0, 1e6, NULL,                                 \
                      "greatest velocity by which an overlap is undone"),                          \
      PERP_WORLD3_ROW(type, PERP_TYPE_REAL, cfm, 0, 0, 1e6, NULL,                                  \
                      "constraint force mixing, C = cfm I, in 1/kg")

/* What knows ODE. */
typedef struct perp_collider3 perp_collider3;

typedef struct perp_world3 {
  perp_world3_parameters par;
  int bodies, body_room;
  perp_body3 *body;
  int parts, part_room;
  perp_part3 *part;
  int joints, joint_room;
  perp_joint3 *joint;
  double time;
  int64_t steps;
  double lo[3], hi[3];   /* to look at */
  double middle[3], far; /* the world: as far from its middle, along each axis */
  int gone;              /* bodies that have left it */
  bool crowded;          /* more bodies were asked for than there may be */

  perp_collider3 *collider;
  int contacts, contact_room;
  perp_contact3 *contact;
  int old_contacts; /* of the last step: names and forces, for warm starts; joints behind them */
  uint64_t *old_id;
  int old_joints; /* rows of them */
  bool same;      /* contacts and joints of the step in progress: those of the last */
  double *old_x;

  perp_arena frame; /* the problem of the step; reset by the next */
  perp_operator *A;
  double *x;

  double *load; /* of each body */
  int *state;
  perp_shape *shape; /* for the view, of each part */
  double *pose, *part_load;
  int *part_state;
} perp_world3;

/* ---- Building (build.c) ---- */

void perp_world3_init(perp_world3 *world, const perp_world3_parameters *par);
void perp_world3_free(perp_world3 *world);
/* A body at rest of parts placed in a frame at `at`, turned by `turn` (NULL: not); density 0: fixed.
 * Its index, -1 when out of memory. */
int perp_world3_body(perp_world3 *world, const double at[3], const double turn[4], int parts,
                     const perp_part3 *part);
int perp_world3_sphere(perp_world3 *world, const double at[3], double radius, double density);
int perp_world3_box(perp_world3 *world, const double at[3], const double turn[4],
                    const double half[3], double density);
int perp_world3_capsule(perp_world3 *world, const double at[3], const double turn[4], double radius,
                        double half, double density);
/* At a point of the world as the bodies stand; the axis is read for a hinge alone. Bodies with a joint
 * do not touch each other. Its index, -1 when out of memory. */
int perp_world3_joint(perp_world3 *world, perp_joint3_kind kind, int a, int b, const double at[3],
                      const double axis[3]);
int perp_joint3_rows(perp_joint3_kind kind);
bool perp_world3_joined(const perp_world3 *world, int a, int b);
/* Room for one more contact; NULL when out of memory. */
perp_contact3 *perp_world3_add_contact(perp_world3 *world);

/* ---- Moving ---- */

perp_error perp_world3_step(perp_world3 *world, perp_stepper *stepper, perp_message *why);
/* Solves the problem of contacts and joints and changes the velocities (contacts.c). */
perp_error perp_world3_solve(perp_world3 *world, perp_stepper *stepper, perp_message *why);
/* Whether the step in progress is perp's own (world.c). */
bool perp_world3_is_ours(const perp_world3 *world);
/* Whether a body may be where a step has led it: within the world, all of it numbers. */
bool perp_world3_holds(const perp_world3 *world, const double at[3], const double turn[4],
                       const double v[3], const double spin[3]);
/* M^-1 of the turn, where the body is now (world.c). */
void perp_body3_inertia_inverse(const perp_body3 *body, double inverse[9]);
/* How far off a joint is, row by row (joints.c). Row k of joint j is
 *   linear . (v_b - v_a) + turn_b . spin_b - turn_a . spin_a  +  erp error / h  =  0 */
typedef struct perp_joint3_row {
  double linear[3], turn[2][3];
  double error;
} perp_joint3_row;
int perp_joint3_make_rows(const perp_world3 *world, const perp_joint3 *joint,
                          perp_joint3_row row[6]);

/* ---- Which boxes meet (broad.c) ---- */

typedef struct perp_box3 {
  double lo[3], hi[3];
} perp_box3;

/* false ends the search */
typedef bool perp_meet3(void *context, int a, int b);
/* Every two boxes that overlap, once; a box with lo > hi meets none. False where `meet` says so, and
 * when out of memory. */
bool perp_boxes3_meet(int count, const perp_box3 *box, perp_arena *arena, perp_meet3 *meet,
                      void *context);

/* ---- ODE (collide_ode.c) ---- */

/* PERP_ERROR_BACKEND where perp was built without it. */
perp_error perp_collider3_create(const perp_world3 *world, perp_collider3 **collider,
                                 perp_message *why);
void perp_collider3_destroy(perp_collider3 *collider); /* NULL is fine */
/* Fills world->contact, by pairs in order. */
perp_error perp_collider3_collide(perp_world3 *world, perp_message *why);
/* The whole step by ODE, from the contacts found. */
perp_error perp_collider3_step(perp_world3 *world, perp_stepper *stepper, perp_message *why);
/* Bodies that have gone go from ODE's own engine as well. */
void perp_collider3_take_out(perp_world3 *world);

/* ---- For the tables of scenes, whose states are a perp_world3 ---- */

/* The scene is built where `fine`: hands it over, else frees it. world may be NULL. */
perp_error perp_world3_finish(perp_world3 *world, bool fine, void **state, perp_message *why);
void perp_world3_destroy_scene(void *state);
perp_error perp_world3_step_scene(void *state, perp_stepper *stepper, perp_message *why);
void perp_world3_view_scene(const void *state, perp_view *view);

#endif
