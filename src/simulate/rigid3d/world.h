/* rigid3d/world.h: bodies made of spheres, boxes and capsules, their contacts and joints
 *
 * What they share with those in the plane, a step and its energies, is in rigid/world.h.
 *
 * The world ends far outside of the scene. A body that gets there, or whose motion is no number any
 * more, is taken out with all that hangs on it, and the trouble of that frame says so: what flies
 * away so far is of no use to anybody, and there is no collision detection for it.
 *
 * Contacts are found by ODE, which collide_ode.c alone knows. ODE can also make the whole step, for
 * comparison: `engine`. */
#pragma once

#include "scene/vector.h"
#include "simulate/rigid/world.h"

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

typedef enum perp_engine3 {
  PERP_ENGINE3_PERP,
  PERP_ENGINE3_STEP,      /* dWorldStep: ODE's pivoting */
  PERP_ENGINE3_QUICKSTEP, /* dWorldQuickStep: its sweeps */
} perp_engine3;

enum { PERP_POINTS3 = 4 }; /* contacts of two parts at most */

extern const char *const perp_engine3_names[];

#define PERP_WORLD3_INTEGER(type, field, value, least, most, text)                                 \
  PERP_ROW(type, #field, PERP_TYPE_INTEGER, world.field, value, least, most, NULL, text)
#define PERP_WORLD3_ROWS(type, default_mu, default_h)                                              \
  PERP_WORLD_FRICTION(type),                                                                       \
      PERP_WORLD3_INTEGER(type, directions, 4, 3, 64, "directions of polyhedral friction"),        \
      PERP_WORLD3_INTEGER(type, points, PERP_POINTS3, 1, PERP_POINTS3,                             \
                          "contacts of two shapes at most"),                                       \
      PERP_ROW(type, "engine", PERP_TYPE_CHOICE, world.engine, PERP_ENGINE3_PERP, 0, 2,            \
               perp_engine3_names, "what makes the steps: perp, or ODE by pivoting or by sweeps"), \
      PERP_WORLD3_INTEGER(                                                                         \
          type, after, 0, 0, 1000000000,                                                           \
          "steps made by perp before ODE's engine takes over, with the same contacts"),            \
      PERP_WORLD3_INTEGER(type, iterations, 20, 1, 1000000, "sweeps of ODE's quickstep"),          \
      PERP_WORLD_ROWS(type, default_mu, default_h),                                                \
      PERP_WORLD_REAL(type, push, 1, 0, 1e6, "greatest velocity by which an overlap is undone"),   \
      PERP_WORLD_CFM(type)

/* What knows ODE. */
typedef struct perp_collider3 perp_collider3;

/* ---- Building (build.c) ---- */

/* A body at rest of parts placed in a frame at `at`, turned by `turn` (NULL: not); density 0:
 * fixed. Its index, -1 when out of memory. */
int perp_world3_body(perp_world *world, const double at[3], const double turn[4], int parts,
                     const perp_part3 *part);
int perp_world3_sphere(perp_world *world, const double at[3], double radius, double density);
int perp_world3_box(perp_world *world, const double at[3], const double turn[4],
                    const double half[3], double density);
int perp_world3_capsule(perp_world *world, const double at[3], const double turn[4], double radius,
                        double half, double density);
/* At a point of the world as the bodies stand; the axis is read for a hinge alone. Bodies with a
 * joint do not touch each other. Its index, -1 when out of memory. */
int perp_world3_joint(perp_world *world, perp_joint3_kind kind, int a, int b, const double at[3],
                      const double axis[3]);
/* The ground, whose top is at z = 0, seen as a box around what there is to look at. */
bool perp_world3_ground(perp_world *world, const double lo[3], const double hi[3]);
bool perp_world3_joined(const perp_world *world, int a, int b);
/* Whether the step in progress is perp's own. */
bool perp_world3_is_ours(const perp_world *world);
/* Whether a body may be where a step has led it: within the world, all of it numbers. */
bool perp_world3_holds(const perp_world *world, const double at[3], const double turn[4],
                       const double v[3], const double spin[3]);

/* Arrays for the view, and the ends of the world, when the scene is built and when bodies come or
 * go; false when out of memory. */
bool perp_world3_prepare(perp_world *world);

/* ---- Moving ---- */

perp_error perp_world3_step(perp_world *world, perp_stepper *stepper, perp_message *why);
/* The rows of a joint, none if its bodies are gone; returns how many. */
int perp_joint3_make_rows(const perp_world *world, const perp_joint3 *joint, perp_joint_row row[6]);

/* ---- Which boxes meet (broad.c) ---- */

typedef struct perp_box3 {
  double lo[3], hi[3];
} perp_box3;

/* false ends the search */
typedef bool perp_meet3(void *context, int a, int b);
/* Every two boxes that overlap, once; a box with lo > hi meets none. False if `meet` says so, and
 * when out of memory. */
bool perp_boxes3_meet(int count, const perp_box3 *box, perp_arena *arena, perp_meet3 *meet,
                      void *context);

/* ---- ODE (collide_ode.c) ---- */

/* PERP_ERROR_BACKEND if perp was built without it. */
perp_error perp_collider3_create(const perp_world *world, perp_collider3 **collider,
                                 perp_message *why);
void perp_collider3_destroy(perp_collider3 *collider); /* NULL is fine */
/* Fills world->contact, by pairs in order. */
perp_error perp_collider3_collide(perp_world *world, perp_message *why);
/* The whole step by ODE, from the contacts found. */
perp_error perp_collider3_step(perp_world *world, perp_stepper *stepper, perp_message *why);
/* Bodies that have gone go from ODE's own engine as well. */
void perp_collider3_take_out(perp_world *world);

/* ---- For the tables of scenes, whose states are a perp_world ---- */

/* The scene is built if `fine`: hands it over, else frees it. world may be NULL. */
perp_error perp_world3_finish(perp_world *world, bool fine, void **state, perp_message *why);
void perp_world3_destroy_scene(void *state);
perp_error perp_world3_step_scene(void *state, perp_stepper *stepper, perp_message *why);
perp_error perp_world3_act(void *state, const perp_action *action, perp_message *why);
perp_error perp_world3_follow(void *state, const void *from, perp_message *why);
