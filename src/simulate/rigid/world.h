/* rigid/world.h: rigid bodies: state and step shared by the simulators in the plane and in space
 *
 * A step (Stewart and Trinkle 1996) adds gravity and the impulses x of contacts and joints to the
 * velocities,
 *
 *   v' = v + h M^-1 f + M^-1 J^T x,   y = J v' + c,   x in K, x perp y,   q' = q + h v'.
 *
 * In a normal row c is gap / h if the bodies are apart (they may just close the gap), or erp (gap +
 * slop) / h if they overlap by more than the slop (the step removes a fraction erp of the overlap;
 * in space the correction velocity is at most `push`), plus restitution times the approach
 * velocity. Joint rows are free and follow the contact rows; there c is erp times the position
 * error, divided by h.
 *
 * Energy. v' is constant over the step, so energies are reported at its middle: kinetic energy of
 * v', potential energy at q + h v' / 2. From one step to the next their sum changes by
 *
 *   1/2 (v + v') . J^T x,
 *
 * which is zero in free flight for every h. Restitution therefore uses J v, the velocity before the
 * gravity of the step: a single contact then adds 1/2 (1 - e) x J v, which is never positive, while
 * e times the velocity with gravity would add energy at each bounce. Several simultaneous contacts,
 * or friction, can still add energy under Newton's law (Kane and Levinson 1985); the step then uses
 * less restitution, so that it adds none.
 *
 * Static friction. A contact whose slip before the step is below a thousandth of h g is at rest and
 * has mu_static. If it slides faster at the end of the step it has broken loose: the step is solved
 * again with its mu, until no other contact breaks.
 *
 * The plane has axes x and y with y up; in space z is up. */
#pragma once

#include "base/names.h"
#include "scene/contact.h"
#include "simulate/simulate.h"

enum { PERP_BODIES = 1 << 21 }; /* most bodies in a world: about 2 GB */

typedef struct perp_rigid_body {
  double at[3]; /* the centre of mass */
  double turn[4];
  double angle;              /* in the plane, that of turn about z */
  double v[3], spin[3];      /* in the plane along x and y, and about z */
  double mass, mass_inverse; /* inverse is 0 if fixed */
  /* in the body's frame, by rows; in the plane only the last entry is used */
  double inertia[9], inertia_inverse[9];
  double radius;      /* of the bounding circle or sphere */
  double restitution; /* of its contacts at least, if it has one; else the world's */
  bool has_restitution;
  int first_part, parts; /* in space */
  int joint;             /* in space: one of its joints, -1: none */
  bool gone;             /* in space: has left the world; does not move, collide or have energy */
} perp_rigid_body;

typedef enum perp_friction {
  PERP_FRICTION_NONE,
  PERP_FRICTION_POLYHEDRAL,
  PERP_FRICTION_FINDEX,
  PERP_FRICTION_CONE,
  PERP_FRICTION_WIDE, /* elliptic, in space */
  PERP_FRICTION_WIDE_DISCS,
} perp_friction;

/* Parameters common to all scenes. */
typedef struct perp_world_parameters {
  int friction;
  double mu, mu_static, restitution, gravity, h, erp, slop, cfm;
  int assembled;                                     /* in the plane */
  int directions, points, engine, after, iterations; /* in space */
  double push, torsion, roll;
} perp_world_parameters;

/* Parameters of scenes: each table has some of them, with its own defaults. */
typedef struct perp_setting {
  perp_world_parameters world;
  int n, rows, columns, links, levels, stairs, knock, ball;
  double loose, density, spread, ratio, size, thick, outlet, heavy, angle, slope, v, spin;
} perp_setting;

extern const char *const perp_friction_names[];
extern const char *const perp_planar_friction_names[];

/* The rows of a parameter table for the world of a perp_setting. */
#define PERP_WORLD_REAL(field, value, least, most, text)                                           \
  PERP_ROW(perp_setting, #field, PERP_TYPE_REAL, world.field, value, least, most, NULL, text)
#define PERP_WORLD_FRICTION(names, last)                                                           \
  PERP_ROW(perp_setting, "friction", PERP_TYPE_CHOICE, world.friction, PERP_FRICTION_FINDEX, 0,    \
           last, names, "how friction is posed")
#define PERP_WORLD_ROWS(default_mu, default_h)                                                     \
  PERP_WORLD_REAL(mu, default_mu, 0, 1e6, "coefficient of friction"),                              \
      PERP_WORLD_REAL(mu_static, 0, 0, 1e6,                                                        \
                      "coefficient of contacts at rest, if it is larger than mu"),                 \
      PERP_WORLD_REAL(restitution, 0, 0, 1, "share of the approaching velocity that comes back"),  \
      PERP_WORLD_REAL(gravity, 9.81, -1e6, 1e6, "acceleration downwards"),                         \
      PERP_WORLD_REAL(h, default_h, 1e-9, 1e3, "time step"),                                       \
      PERP_WORLD_REAL(erp, 0.2, 0, 1, "share of an overlap undone in a step"),                     \
      PERP_WORLD_REAL(slop, 1e-3, 0, 1, "overlap that is left alone")
#define PERP_WORLD_CFM                                                                             \
  PERP_WORLD_REAL(cfm, 0, 0, 1e6, "constraint force mixing, C = cfm I, in 1/kg")

/* Contact names and impulses of a step; the next step warm-starts from them. */
typedef struct perp_kept_forces {
  int contacts, joints; /* joints: joint rows, after the contacts */
  int name_room, x_room;
  perp_name *name; /* of the contacts, sorted */
  double *x;
} perp_kept_forces;

/* A user's grip: pulls the point `arm` of a body, in its frame, towards `to`. */
typedef struct perp_grip {
  bool holds;
  int body;
  double arm[3], to[3];
} perp_grip;

/* Newton's e of the contacts of two bodies. */
typedef struct perp_pair_restitution {
  int body[2];
  double value;
} perp_pair_restitution;

/* ODE's objects for a world, and what it does with them (rigid3d/engine_ode.c). */
typedef struct perp_ode3 {
  void (*destroy)(struct perp_ode3 *engine);
  /* Makes the whole step with ODE, from the contacts found. */
  perp_error (*step)(struct perp_world *world, perp_stepper *stepper, perp_message *why);
  /* Removes the bodies that are gone from ODE's engine too. */
  void (*take_out)(struct perp_world *world);
} perp_ode3;

/* In the plane the third interval is [0, 0]. */
typedef struct perp_box {
  double lo[3], hi[3];
} perp_box;

/* Operations that differ between the plane and space; a NULL entry does nothing. */
typedef struct perp_world_kind {
  bool planar;
  /* Takes and fills the arrays of the view and of contacts, by perp_world_prepare, when the scene is
   * built and when bodies are added or removed. Returns false when out of memory. */
  bool (*prepare)(struct perp_world *world);
  perp_error (*equip)(struct perp_world *world, perp_message *why); /* creates ODE's engine */
  /* Fills world->contact. */
  perp_error (*collide)(struct perp_world *world, perp_message *why);
  /* Updates velocities and positions. */
  perp_error (*move)(struct perp_world *world, perp_stepper *stepper, perp_message *why);
  void (*pose)(const struct perp_world *world, int shape, double *pose); /* of the view */
  /* Copies the shapes from a world with as many. */
  void (*copy)(struct perp_world *world, const struct perp_world *from);
  /* User actions; `body` and `other` are the bodies of the shapes, -1: none. */
  perp_error (*add)(struct perp_world *world, const perp_action *action, perp_message *why);
  perp_error (*remove)(struct perp_world *world, int body, perp_message *why);
  perp_error (*join)(struct perp_world *world, const perp_action *action, int body, int other,
                     perp_message *why);
} perp_world_kind;

typedef struct perp_world {
  perp_world_parameters par;
  const perp_world_kind *kind;
  bool planar;
  double down[3]; /* direction of gravity, a unit vector */
  perp_grip grip;
  int bodies, body_room;
  perp_rigid_body *body;
  int pairs, pair_room;
  perp_pair_restitution *pair;
  bool crowded;       /* the limit on bodies was exceeded */
  bool failed;        /* a body or joint was not added: too many, or no memory */
  perp_random random; /* of the seed, while the scene is built */
  double time;
  int64_t steps;
  double lo[3], hi[3]; /* bounding box of the view */

  int contacts, contact_room;
  perp_scene_contact *contact;
  perp_kept_forces kept[2]; /* of the last step and of the current one, alternating */
  int now;
  perp_arena frame;  /* the problem of the step; reset by the next */
  perp_arena memory; /* loads, states and arrays of the view */
  perp_operator *A;
  double *x;     /* kept[now].x */
  double *load;  /* of each body: the sum of the impulses on it */
  int *state;    /* of each body: number of contacts that press on it */
  double *arrow; /* of each contact: its point and impulse; in the frame's memory, NULL: unknown */

  int shapes; /* for the view */
  perp_shape *shape;
  double *pose, *shape_load;
  int *shape_state, *shape_body;

  /* in the plane (rigid2d/world.h) */
  struct perp_outline2 *outline; /* of each body */
  int outline_room;

  /* in space (rigid3d/world.h) */
  int parts, part_room;
  struct perp_part3 *part;
  int joints, joint_room;
  struct perp_joint3 *joint;
  double middle[3], far; /* the world reaches this far from its middle along each axis */
  int gone;              /* number of bodies that have left the world */
  struct {
    int64_t step; /* before which `body` takes the velocity v; 0: never */
    int body;
    double v[3];
  } blow;
  struct perp_placed3 *placed; /* of each part: where it is, */
  perp_box *box;               /* the box around it, enlarged by its reach, */
  double *reach;               /* and how far it may move in the step */
  perp_ode3 *ode;              /* NULL unless ODE makes steps */
} perp_world;

/* ---- Building ---- */

void perp_world_init(perp_world *world, const perp_world_parameters *par,
                     const perp_world_kind *kind);
/* Hands over a world on the heap unless building failed; then frees it. world may be NULL. */
perp_error perp_world_finish(perp_world *world, void **state, perp_message *why);
/* Sets a body in motion; nothing if it was not added, -1. spin may be NULL. */
void perp_world_start(perp_world *world, int body, const double v[3], const double spin[3]);
/* Adds a copy of this body and sets the inverse of its mass. Returns its index, -1 if there are too
 * many bodies or no memory. */
int perp_world_add(perp_world *world, const perp_rigid_body *body);
/* Appends a contact. Returns NULL when out of memory. */
perp_scene_contact *perp_world_add_contact(perp_world *world);
/* Of two boxes that overlap; returning false ends the search. */
typedef bool perp_meet(void *context, int a, int b);
/* Calls `meet` once for every two boxes that overlap; a box with lo > hi overlaps none. Returns
 * false if `meet` does, and when out of memory (boxes.c). */
bool perp_boxes_meet(int count, const perp_box *box, perp_arena *arena, perp_meet *meet,
                     void *context);
/* Fills world->contact, in the order of names: `meet`, whose context is the world, adds the contacts
 * of two bodies or parts. */
perp_error perp_world_meet(perp_world *world, int count, const perp_box *box, perp_meet *meet,
                           perp_message *why);
/* Returns the middle of brick c in a course of `columns` bricks; a `moved` course is shifted by
 * half a brick and has half bricks at both ends. */
static inline double perp_brick_at(int columns, double width, bool moved, int c)
{
  return !moved         ? (c + 0.5) * width
         : c == 0       ? width / 4
         : c == columns ? columns * width - width / 4
                        : c * width;
}
/* Replaces the arrays for the shapes of the view, which the caller fills but for poses, and the
 * loads of the bodies. Returns false when out of memory. */
bool perp_world_prepare(perp_world *world, int shapes);
/* Prepares the world again after an action. */
perp_error perp_world_changed(perp_world *world, perp_message *why);

/* ---- Moving ---- */

/* A row of a joint:
 *   linear . (v_b - v_a) + turn_b . spin_b - turn_a . spin_a  +  erp error / h  =  0 */
typedef struct perp_joint_row {
  int body[2];
  double linear[3], turn[2][3];
  double error;
  bool first; /* first row of its joint: the first three x are the force on its bodies */
} perp_joint_row;

/* Adds gravity and the pull of a grip to the velocities of all moving bodies. */
void perp_world_fall(perp_world *world);
/* Solves the contact and joint problem and updates the velocities (solve.c). */
perp_error perp_world_solve(perp_world *world, int joints, const perp_joint_row *joint,
                            perp_stepper *stepper, perp_message *why);

/* ---- The simulator, whose state is a perp_world ---- */

perp_error perp_world_create(const perp_scene *scene, const void *par, uint64_t seed, void **state,
                             perp_message *why);
void perp_world_destroy(void *state);
perp_error perp_world_step(void *state, perp_stepper *stepper, perp_message *why);
void perp_world_view(const void *state, perp_view *view);
perp_error perp_world_act(void *state, const perp_action *action, perp_message *why);
/* Copies motion, gravity and shapes from a world with as many bodies and shapes. */
perp_error perp_world_follow(void *state, const void *from, perp_message *why);

#define PERP_WORLD_SIMULATOR(family, kind)                                                         \
  {                                                                                                \
    family, sizeof(perp_setting), perp_world_create, perp_world_destroy, perp_world_step,          \
        perp_world_view, perp_world_act, perp_world_follow, kind                                   \
  }

/* Discards the impulses of the last step, because the names of its contacts are no longer valid. */
void perp_world_forget(perp_world *world);

/* Returns Newton's e of a contact of two bodies: that of the pair, else the larger of theirs. */
double perp_world_restitution(const perp_world *world, int a, int b);
