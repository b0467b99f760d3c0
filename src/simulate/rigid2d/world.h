/* rigid2d/world.h: discs and convex polygons in a plane, and the contacts between them
 *
 * A step (Stewart and Trinkle 1996): the velocities at its end are those with gravity and the
 * impulses x of the contacts,
 *
 *   v' = v + h g + M^-1 J^T x,   y = J v' + c,   x in K, x perp y,   q' = q + h v'.
 *
 * c is, in the row of a normal, gap / h where the bodies are apart (they may close the gap and no
 * more), erp (gap + slop) / h where they overlap by more than the slop (a share erp of it is undone), and
 * restitution times the approaching velocity.
 *
 * Energy. The velocity v' is that of the whole step, so the energies are told of its middle: kinetic of v',
 * potential at q + h v' / 2. From one step to the next their sum changes by
 *
 *   1/2 (v + v') . J^T x,
 *
 * in free flight by nothing, however large h. So the velocity that restitution gives back is that before
 * the gravity of the step, J v: at a single contact 1/2 (1 - e) x J v is added, which is never positive,
 * where e times the velocity with gravity would add energy at each bounce. Several contacts at a time or
 * friction can add energy by Newton's law all the same (Kane and Levinson 1985); then as much restitution
 * is given as adds none (contacts.c). */
#ifndef PERP_SIMULATE_RIGID2D_WORLD_H
#define PERP_SIMULATE_RIGID2D_WORLD_H

#include "simulate/simulate.h"

enum { PERP_CORNERS = 8 };
enum { PERP_BODIES2 = 1 << 21 }; /* bodies of a world at most: some 2 GB */

typedef struct perp_body2 {
  double x, y, angle;
  double vx, vy, spin;
  double mass, inertia;                 /* */
  double mass_inverse, inertia_inverse; /* 0: fixed */
  double radius;                        /* of a disc, or of the circle around a polygon */
  int corners;                          /* 0: a disc */
  double corner[2 * PERP_CORNERS];      /* around the centre of mass, counterclockwise */
  double at[2 * PERP_CORNERS];          /* where they are now */
} perp_body2;

typedef struct perp_contact2 {
  int a, b;    /* bodies; the normal leads from a to b */
  double x, y; /* the point */
  double nx, ny;
  double gap;  /* below 0: overlap */
  uint64_t id; /* the same in the next frame for the same features of the same bodies */
} perp_contact2;

typedef enum perp_friction2 {
  PERP_FRICTION2_NONE,
  PERP_FRICTION2_POLYHEDRAL, /* rows n, +t, -t, slip: an LCP that is not symmetric */
  PERP_FRICTION2_FINDEX,     /* rows n, t with |x_t| <= mu |x_n| */
  PERP_FRICTION2_CONE,       /* rows n, t, o of Coulomb's cone; o points out of the plane */
} perp_friction2;

/* What all scenes have as parameters. */
typedef struct perp_world2_parameters {
  int friction, assembled;
  double mu, restitution, gravity, h, erp, slop, cfm;
} perp_world2_parameters;

extern const char *const perp_friction2_names[];
extern const char *const perp_operator2_names[];

/* The rows of a parameter table for the perp_world2_parameters called `world` of a struct. */
#define PERP_WORLD2_ROWS(type)                                                                     \
  {"friction", PERP_TYPE_CHOICE,     offsetof(type, world.friction), PERP_FRICTION2_FINDEX, 0,     \
   3,          perp_friction2_names, "how friction is posed"},                                     \
      {"operator", PERP_TYPE_CHOICE,     offsetof(type, world.assembled),         0, 0,            \
       1,          perp_operator2_names, "A kept as J M^-1 J^T + C, or assembled"},                \
      {"mu", PERP_TYPE_REAL, offsetof(type, world.mu), 0.4, 0,                                     \
       1e6,  NULL,           "coefficient of friction"},                                           \
      {"restitution",                                                                              \
       PERP_TYPE_REAL,                                                                             \
       offsetof(type, world.restitution),                                                          \
       0,                                                                                          \
       0,                                                                                          \
       1,                                                                                          \
       NULL,                                                                                       \
       "share of the approaching velocity that comes back"},                                       \
      {"gravity", PERP_TYPE_REAL, offsetof(type, world.gravity), 9.81, -1e6,                       \
       1e6,       NULL,           "acceleration downwards"},                                       \
      {"h", PERP_TYPE_REAL, offsetof(type, world.h), 0.01, 1e-9, 1e3, NULL, "time step"},          \
      {"erp",                                                                                      \
       PERP_TYPE_REAL,                                                                             \
       offsetof(type, world.erp),                                                                  \
       0.2,                                                                                        \
       0,                                                                                          \
       1,                                                                                          \
       NULL,                                                                                       \
       "share of an overlap undone in a step"},                                                    \
      {"slop", PERP_TYPE_REAL, offsetof(type, world.slop),  1e-3, 0,                               \
       1,      NULL,           "overlap that is left alone"},                                      \
  {                                                                                                \
    "cfm", PERP_TYPE_REAL, offsetof(type, world.cfm), 0, 0, 1e6, NULL,                             \
        "constraint force mixing, C = cfm I, in 1/kg"                                              \
  }

typedef struct perp_world2 {
  perp_world2_parameters par;
  int bodies, room;
  perp_body2 *body;
  double time;
  double lo[2], hi[2]; /* to look at */
  bool crowded;        /* more bodies were asked for than there may be */

  int contacts, contact_room;
  perp_contact2 *contact;
  int old_contacts; /* of the last step: names and forces, for warm starts */
  uint64_t *old_id;
  double *old_x;

  perp_arena frame; /* the problem of the step; reset by the next */
  perp_operator *A;
  double *x;

  perp_shape *shape; /* for the view */
  double *pose, *load;
  int *state;
} perp_world2;

/* ---- Building (world.c) ---- */

void perp_world2_init(perp_world2 *world, const perp_world2_parameters *par);
void perp_world2_free(perp_world2 *world);
/* A body at rest; density 0: fixed. Its index, -1 when out of memory. */
int perp_world2_disc(perp_world2 *world, double x, double y, double radius, double density);
int perp_world2_polygon(perp_world2 *world, double x, double y, double angle, int corners,
                        const double *corner, double density);
int perp_world2_box(perp_world2 *world, double x, double y, double angle, double width,
                    double height, double density);
/* A floor and two walls around [lo, hi], open above. False when out of memory. */
bool perp_world2_container(perp_world2 *world, double x0, double x1, double top);

/* ---- Moving ---- */

perp_error perp_world2_step(perp_world2 *world, perp_stepper *stepper, perp_message *why);
/* Fills world->contact; the bodies' corners are where they are now (collide.c, broad.c). */
perp_error perp_world2_collide(perp_world2 *world, perp_message *why);
/* The contacts of one pair go behind the others; false when out of memory. */
bool perp_world2_collide_pair(perp_world2 *world, int a, int b, double reach);
/* Solves the problem of the contacts and changes the velocities (contacts.c). */
perp_error perp_world2_solve(perp_world2 *world, perp_stepper *stepper, perp_message *why);

/* For the tables of scenes, whose states begin with a perp_world2. */
/* The scene is built: hands it over, or frees it when out of memory. */
perp_error perp_world2_finish(perp_world2 *world, void **state, perp_message *why);
void perp_world2_destroy_scene(void *state);
perp_error perp_world2_step_scene(void *state, perp_stepper *stepper, perp_message *why);
void perp_world2_view_scene(const void *state, perp_view *view);

#endif
