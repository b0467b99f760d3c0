/* rigid3d/world.h: bodies made of spheres, boxes and capsules, their contacts and joints
 *
 * The step and the energies, shared with bodies in the plane, are in rigid/world.h.
 *
 * The world ends far outside the scene. A body that reaches its end, or whose motion becomes NaN,
 * is removed together with all bodies joined to it, and the frame reports it. There is no collision
 * detection outside the world.
 *
 * For comparison, ODE can make the steps from the same contacts: `engine`. */
#pragma once

#include "scene/vector.h"
#include "simulate/rigid/world.h"

/* A sphere, box or capsule (sizes as in perp_shape) of a body. */
typedef struct perp_part3 {
  perp_shape_kind kind;
  double size[3];
  double at[3], turn[4]; /* as passed to perp_world3_body; in the world relative to the centre of
                          * mass */
  double density;
  int body;
  bool wire;   /* drawn as edges only */
  bool ground; /* a box of which only the upper side counts, extended without end */
} perp_part3;

typedef enum perp_joint3_kind {
  PERP_JOINT3_BALL,  /* a point in common: 3 rows */
  PERP_JOINT3_HINGE, /* a point and an axis in common: 5 rows */
  PERP_JOINT3_FIXED, /* rigidly connected: 6 rows */
} perp_joint3_kind;

typedef struct perp_joint3 {
  perp_joint3_kind kind;
  int body[2];
  double at[2][3];   /* the point, in the frame of each body */
  double axis[2][3]; /* of a hinge, likewise */
  double turn[4];    /* rotation of the second body relative to the first, as built */
  int next[2];       /* the next joint of each body, -1: the last */
} perp_joint3;

typedef enum perp_engine3 {
  PERP_ENGINE3_PERP,
  PERP_ENGINE3_STEP,      /* dWorldStep: ODE's pivoting */
  PERP_ENGINE3_QUICKSTEP, /* dWorldQuickStep: ODE's sweeps */
} perp_engine3;

enum { PERP_POINTS3 = 4 }; /* most contacts of two parts */

extern const char *const perp_engine3_names[];

#define PERP_WORLD3_INTEGER(field, value, least, most, text)                                       \
  PERP_ROW(perp_setting, #field, PERP_TYPE_INTEGER, world.field, value, least, most, NULL, text)
#define PERP_WORLD3_ROWS(default_mu, default_h)                                                    \
  PERP_WORLD_FRICTION(perp_friction_names, PERP_FRICTION_WIDE_DISCS),                              \
      PERP_WORLD3_INTEGER(directions, 4, 3, 64, "directions of polyhedral friction"),              \
      PERP_WORLD3_INTEGER(points, PERP_POINTS3, 1, PERP_POINTS3,                                   \
                          "contacts of two shapes at most"),                                       \
      PERP_ROW(perp_setting, "engine", PERP_TYPE_CHOICE, world.engine, PERP_ENGINE3_PERP, 0, 2,    \
               perp_engine3_names, "what makes the steps: perp, or ODE by pivoting or by sweeps"), \
      PERP_WORLD3_INTEGER(                                                                         \
          after, 0, 0, 1000000000,                                                                 \
          "steps made by perp before ODE's engine takes over, with the same contacts"),            \
      PERP_WORLD3_INTEGER(iterations, 20, 1, 1000000, "sweeps of ODE's quickstep"),                \
      PERP_WORLD_ROWS(default_mu, default_h),                                                      \
      PERP_WORLD_REAL(push, 1, 0, 1e6, "greatest velocity by which an overlap is undone"),         \
      PERP_WORLD_REAL(torsion, 0, 0, 1e6,                                                          \
                      "elliptic, discs: moment about the normal to its force, in m"),              \
      PERP_WORLD_REAL(roll, 0, 0, 1e6,                                                             \
                      "elliptic, discs: moment against rolling to the normal force, in m"),        \
      PERP_WORLD_CFM

/* ---- Building ---- */

/* Adds a body at rest made of parts in a frame at `at`, rotated by `turn` (NULL: not); density 0:
 * fixed. Returns its index, -1 when out of memory. */
int perp_world3_body(perp_world *world, const double at[3], const double turn[4], int parts,
                     const perp_part3 *part);
int perp_world3_sphere(perp_world *world, const double at[3], double radius, double density);
int perp_world3_box(perp_world *world, const double at[3], const double turn[4],
                    const double half[3], double density);
int perp_world3_capsule(perp_world *world, const double at[3], const double turn[4], double radius,
                        double half, double density);
/* Joins two bodies at a point of the world in their current positions; only a hinge reads the axis.
 * Joined bodies do not collide with each other. Returns its index, -1 when out of memory or if a or
 * b is -1. */
int perp_world3_joint(perp_world *world, perp_joint3_kind kind, int a, int b, const double at[3],
                      const double axis[3]);
/* Adds the ground with its top at z = 0, drawn as a box around the scene. */
void perp_world3_ground(perp_world *world, const double lo[3], const double hi[3]);
bool perp_world3_joined(const perp_world *world, int a, int b);
/* Returns true if perp, not ODE, makes the current step. */
bool perp_world3_is_ours(const perp_world *world);
/* Returns true if a body may be in this state after a step: within the world and without NaN. */
bool perp_world3_holds(const perp_world *world, const double at[3], const double turn[4],
                       const double v[3], const double spin[3]);

/* ---- Moving ---- */

/* Writes the rows of a joint and returns their count, 0 if its bodies are gone. */
int perp_joint3_make_rows(const perp_world *world, const perp_joint3 *joint, perp_joint_row row[6]);

/* ---- Contacts (collide.c) ---- */

/* Fills world->contact, ordered by pairs. */
perp_error perp_world3_collide(perp_world *world, perp_message *why);

/* ---- ODE (engine_ode.c) ---- */

/* Returns PERP_ERROR_BACKEND if perp was built without ODE. */
perp_error perp_ode3_create(const perp_world *world, perp_ode3 **engine, perp_message *why);

extern const perp_world_kind perp_world_space;

/* ---- Contact points of two spheres, boxes or capsules that touch or may touch within a step
 * (collide.c) ---- */

typedef struct perp_placed3 {
  perp_shape_kind kind;
  double size[3]; /* as in perp_shape */
  double at[3], R[9];
  bool ground; /* a box of which only the upper side counts, extended without end */
} perp_placed3;

typedef struct perp_point3 {
  double at[3];     /* in the middle between the two */
  double normal[3]; /* from a to b */
  double gap;       /* below 0 if they overlap */
  unsigned place;   /* 0 to 3: identifies a point of a pair from step to step */
} perp_point3;

enum { PERP_PLACES3 = 4 };

/* Finds the points whose gap is at most `reach` and returns their count. If a shape is round, the
 * gap is the distance. For two boxes it is the gap along the best separating axis, which is less
 * than the distance if corners or edges are nearest. */
int perp_shapes3_touch(const perp_placed3 *a, const perp_placed3 *b, double reach,
                       perp_point3 point[PERP_PLACES3]);
