/* rigid/world.h: rigid bodies in the plane and in space: what both simulators share
 *
 * A step (Stewart and Trinkle 1996): the velocities at its end are those with gravity and the
 * impulses x of contacts and joints,
 *
 *   v' = v + h M^-1 f + M^-1 J^T x,   y = J v' + c,   x in K, x perp y,   q' = q + h v'.
 *
 * c is, in the row of a normal, gap / h if the bodies are apart (they may close the gap and no
 * more), erp (gap + slop) / h if they overlap by more than the slop (a share erp of it is undone,
 * in space at most with the velocity `push`), and restitution times the approaching velocity; in
 * the rows of a joint, which are free and come behind those of the contacts, erp times what it is
 * out of place, to h.
 *
 * Energy. The velocity v' is that of the whole step, so the energies are told of its middle:
 * kinetic of v', potential at q + h v' / 2. From one step to the next their sum changes by
 *
 *   1/2 (v + v') . J^T x,
 *
 * in free flight by nothing, however large h. So the velocity that restitution gives back is that
 * before the gravity of the step, J v: at a single contact 1/2 (1 - e) x J v is added, which is
 * never positive, whereas e times the velocity with gravity would add energy at each bounce.
 * Several contacts at a time or friction can add energy by Newton's law all the same (Kane and
 * Levinson 1985); then as much restitution is given as adds none.
 *
 * The plane is that of x and y, with y up; in space z is up. */
#pragma once

#include "base/names.h"
#include "scene/contact.h"
#include "simulate/simulate.h"

enum { PERP_BODIES = 1 << 21 }; /* bodies of a world at most: some 2 GB */

typedef struct perp_rigid_body {
  double at[3];              /* the centre of mass */
  double turn[4];            /* in the plane (1, 0, 0, 0) */
  double angle;              /* in the plane */
  double v[3], spin[3];      /* in the plane along x and y, and about z */
  double mass, mass_inverse; /* inverse 0: fixed */
  /* in the body's frame, by rows; in the plane the last entry alone */
  double inertia[9], inertia_inverse[9];
  double radius;         /* of the circle or the sphere around it */
  int first_part, parts; /* in space */
  int joint;             /* in space: one of its joints, -1: none */
  bool gone; /* in space: out of the world. It neither moves nor meets others, nor has energy */
} perp_rigid_body;

typedef enum perp_friction {
  PERP_FRICTION_NONE,
  PERP_FRICTION_POLYHEDRAL,
  PERP_FRICTION_FINDEX,
  PERP_FRICTION_CONE,
} perp_friction;

/* What all scenes have as parameters. */
typedef struct perp_world_parameters {
  int friction;
  double mu, restitution, gravity, h, erp, slop, cfm;
  int assembled;                                     /* in the plane */
  int directions, points, engine, after, iterations; /* in space */
  double push;
} perp_world_parameters;

extern const char *const perp_friction_names[];

/* The rows of a parameter table for the perp_world_parameters called `world` of a struct. */
#define PERP_WORLD_REAL(type, field, value, least, most, text)                                     \
  PERP_ROW(type, #field, PERP_TYPE_REAL, world.field, value, least, most, NULL, text)
#define PERP_WORLD_FRICTION(type)                                                                  \
  PERP_ROW(type, "friction", PERP_TYPE_CHOICE, world.friction, PERP_FRICTION_FINDEX, 0, 3,         \
           perp_friction_names, "how friction is posed")
#define PERP_WORLD_ROWS(type, default_mu, default_h)                                               \
  PERP_WORLD_REAL(type, mu, default_mu, 0, 1e6, "coefficient of friction"),                        \
      PERP_WORLD_REAL(type, restitution, 0, 0, 1,                                                  \
                      "share of the approaching velocity that comes back"),                        \
      PERP_WORLD_REAL(type, gravity, 9.81, -1e6, 1e6, "acceleration downwards"),                   \
      PERP_WORLD_REAL(type, h, default_h, 1e-9, 1e3, "time step"),                                 \
      PERP_WORLD_REAL(type, erp, 0.2, 0, 1, "share of an overlap undone in a step"),               \
      PERP_WORLD_REAL(type, slop, 1e-3, 0, 1, "overlap that is left alone")
#define PERP_WORLD_CFM(type)                                                                       \
  PERP_WORLD_REAL(type, cfm, 0, 0, 1e6, "constraint force mixing, C = cfm I, in 1/kg")

/* Names and forces of a step, from which the next one starts. */
typedef struct perp_kept_forces {
  int contacts, joints; /* joints: rows of them, behind the contacts */
  int name_room, x_room;
  perp_name *name; /* of the contacts, sorted */
  double *x;
} perp_kept_forces;

/* What a person holds: the point `arm` of a body, in its frame, is pulled to `to`. */
typedef struct perp_grip {
  bool holds;
  int body;
  double arm[3], to[3];
} perp_grip;

typedef struct perp_world {
  perp_world_parameters par;
  bool planar;
  double down[3]; /* where gravity points to, of length 1 */
  perp_grip grip;
  int bodies, body_room;
  perp_rigid_body *body;
  bool crowded; /* more bodies were asked for than there may be */
  double time;
  int64_t steps;
  double lo[3], hi[3]; /* to look at */

  int contacts, contact_room;
  perp_scene_contact *contact;
  perp_kept_forces kept[2]; /* of the last step and of the one in progress, by turns */
  int now;
  perp_arena frame;  /* the problem of the step; reset by the next */
  perp_arena memory; /* loads, states and what the view needs */
  perp_operator *A;
  double *x;    /* kept[now].x */
  double *load; /* of each body: the sum of the impulses on it */
  int *state;   /* of each body: contacts that press on it */
  double
      *arrow; /* of each contact: its point and its impulse; of the frame, NULL: none are known */

  int shapes; /* for the view */
  perp_shape *shape;
  double *pose, *shape_load;
  int *shape_state;

  /* in the plane (rigid2d/world.h) */
  struct perp_outline2 *outline; /* of each body */
  int outline_room;

  /* in space (rigid3d/world.h) */
  int parts, part_room;
  struct perp_part3 *part;
  int joints, joint_room;
  struct perp_joint3 *joint;
  double middle[3], far; /* the world: as far from its middle, along each axis */
  int gone;              /* bodies that have left it */
  struct perp_collider3 *collider;
} perp_world;

/* ---- Building ---- */

void perp_world_init(perp_world *world, const perp_world_parameters *par, bool planar);
/* A world in the heap, NULL when out of memory. */
perp_world *perp_world_begin(const perp_world_parameters *par, bool planar);
/* What both kinds have; not the world itself. */
void perp_world_free(perp_world *world);
/* A body like this one, and the inverse of its mass. Its index, -1 when there are too many or there
 * is no memory. */
int perp_world_add(perp_world *world, const perp_rigid_body *body);
/* Room for one more contact; NULL when out of memory. */
perp_scene_contact *perp_world_add_contact(perp_world *world);
/* Why a scene could not be built, if it is not fine; world may be NULL. */
perp_error perp_world_check(const perp_world *world, bool fine, perp_message *why);
/* The middle of brick c in a course of that many bricks; a course that is `moved` by half a brick has
 * half bricks at both ends. */
static inline double perp_brick_at(int columns, double width, bool moved, int c)
{
  return !moved         ? (c + 0.5) * width
         : c == 0       ? width / 4
         : c == columns ? columns * width - width / 4
                        : c * width;
}
/* Arrays for so many shapes of the view, which the caller fills, and the loads of bodies, in place of
 * those that were there; false when out of memory. */
bool perp_world_prepare(perp_world *world, int shapes);

/* ---- Moving ---- */

/* A row of a joint:
 *   linear . (v_b - v_a) + turn_b . spin_b - turn_a . spin_a  +  erp error / h  =  0 */
typedef struct perp_joint_row {
  int body[2];
  double linear[3], turn[2][3];
  double error;
  bool first; /* of its joint: the first three x are the force on its bodies */
} perp_joint_row;

/* Gravity on the velocity of every body that moves, and what pulls at one. */
void perp_world_fall(perp_world *world);
/* Solves the problem of the contacts and joints and changes the velocities (solve.c). */
perp_error perp_world_solve(perp_world *world, int joints, const perp_joint_row *joint,
                            perp_stepper *stepper, perp_message *why);
/* The step is done: time, energies, contacts and penetration of the frame (world.c). */
void perp_world_account(perp_world *world, perp_step *frame);
void perp_world_view(const void *state, perp_view *view);

/* ---- Taking part ---- */

/* What is the same in the plane and in space: all but ADD and REMOVE. `body` is that of the shape,
 * -1: there is none. */
perp_error perp_world_act(perp_world *world, const perp_action *action, int body,
                          perp_message *why);
/* Motion, gravity and the lists of the view of another world with as many bodies. */
perp_error perp_world_follow(perp_world *world, const perp_world *from, perp_message *why);
/* The forces of the last step are forgotten: the names of its contacts hold no longer. */
void perp_world_forget(perp_world *world);

/* How much of an impact's restitution the energy allows (solve.c). With the velocities
 * (1 - s) u + s v, u without restitution and v with it, a step adds a convex quadratic in s to the
 * energy; given its values at 0, 1/2 and 1, the greatest s in [0, 1] at which it adds no more than
 * max(0, its value at 0). */
double perp_restitution_share(const double added[3]);
