/* generate/scene.h: rigid bodies that touch, and the complementarity problem of one time step
 *
 * A scene consists of bodies, contact points and ball joints, placed by geometry without a
 * simulation. One step of length h from velocity v under gravity asks for impulses x with
 *
 *   A = J Minv J^T + C,                 b = J (v + h Minv f) + c
 *
 * as docs/problems.md says; c of a normal row is gap / h, times erp if the bodies penetrate.
 *
 * Units are m, kg and s; z points up. A body has six velocities, linear and angular, in world axes.
 * Body -1 is the world, which does not move. */
#pragma once

#include "generate/generate.h"
#include "generate/scene_pieces.h"
#include "scene/contact.h"

enum { PERP_WORLD = -1 };

typedef struct perp_body {
  double position[3];
  double mass_inverse;
  double inertia_inverse[9]; /* in world axes, row major, symmetric */
  double velocity[6];
  double escape[3]; /* a linear velocity that opens the contacts (contact_class) */
} perp_body;

typedef struct perp_joint {
  int a, b;
  double point[3];
} perp_joint;

/* Running out of memory sets `failed`; further additions have no effect. */
typedef struct perp_scene {
  perp_body *body;
  perp_scene_contact *touch;
  perp_joint *joint;
  int bodies, touches, joints;
  int body_room, touch_room, joint_room;
  bool failed;
  perp_pieces *pieces; /* NULL, or which contacts are kept, with their number as id */
} perp_scene;

void perp_scene_free(perp_scene *scene);

/* Adds a solid box of the given half extents, rotated about the y axis such that the body's x axis
 * is (c, 0, s) in the world; or a solid ball. Both return the index of the body. */
int perp_scene_box(perp_scene *scene, double mass, const double half[3], const double position[3],
                   double c, double s);
int perp_scene_ball(perp_scene *scene, double mass, double radius, const double position[3]);
/* The normal points from b to a: a positive impulse pushes a along it. */
void perp_scene_touch(perp_scene *scene, int a, int b, const double point[3],
                      const double normal[3], double gap);
void perp_scene_joint(perp_scene *scene, int a, int b, const double point[3]);

/* escape <- (spread x, spread y, z + lift): a dilation about the ground that also lifts all. */
void perp_scene_escape(perp_scene *scene, double spread, double lift);

/* t and o complete the unit vector n to a right-handed orthonormal frame. (Unlike perp_v3_frame
 * this is not continuous in n; the bits of the problems depend on it.) */
void perp_scene_frame(const double n[3], double t[3], double o[3]);

/* ---- Problems ---- */

/* Parameters common to all scenes. */
typedef struct perp_contact_options {
  int form;       /* perp_contact_form */
  int kind;       /* of operator: 0 csr, 1 contact */
  int joints;     /* some connections are ball joints; form mixed implies it */
  int directions; /* K of the polyhedral form */
  double mu, torsion, roll, cfm, h, gravity, erp, slop, jitter;
  int plant;
  double active, sliding, degenerate; /* shares of the contacts in a planted solution */
} perp_contact_options;

extern const char *const perp_contact_forms[];
extern const char *const perp_contact_operators[];

/* The rows of a parameter table for the perp_contact_options called `contact`. */
#define PERP_CONTACT_REAL(type, field, value, least, most, text)                                   \
  PERP_ROW(type, #field, PERP_TYPE_REAL, contact.field, value, least, most, NULL, text)
#define PERP_CONTACT_FLAG(type, field, value, text)                                                \
  PERP_ROW(type, #field, PERP_TYPE_FLAG, contact.field, value, 0, 1, NULL, text)
#define PERP_CONTACT_ROWS(type, form_value, cfm_value, cfm_text)                                   \
  PERP_ROW(type, "form", PERP_TYPE_CHOICE, contact.form, form_value, 0, 7, perp_contact_forms,     \
           "form of the problem"),                                                                 \
      PERP_ROW(type, "operator", PERP_TYPE_CHOICE, contact.kind, 0, 0, 1, perp_contact_operators,  \
               "A assembled, or kept as J Minv J^T + C"),                                          \
      PERP_CONTACT_FLAG(type, joints, 0, "some connections are ball joints (form = mixed: yes)"),  \
      PERP_ROW(type, "directions", PERP_TYPE_INTEGER, contact.directions, 4, 3, 64, NULL,          \
               "friction directions at a contact, form = polyhedral"),                             \
      PERP_CONTACT_REAL(type, mu, 0.5, 0, 1e6, "coefficient of friction"),                         \
      PERP_CONTACT_REAL(type, torsion, 0.02, 0, 1e6, "elliptic, discs: of torsion, in m"),         \
      PERP_CONTACT_REAL(type, roll, 0.01, 0, 1e6, "elliptic, discs: of rolling, in m"),            \
      PERP_CONTACT_REAL(type, cfm, cfm_value, cfm_value, 1e6, cfm_text),                           \
      PERP_CONTACT_REAL(type, h, 0.01, 1e-9, 1e3, "time step"),                                    \
      PERP_CONTACT_REAL(type, gravity, 9.81, -1e6, 1e6, "acceleration downwards"),                 \
      PERP_CONTACT_REAL(type, erp, 0.2, 0, 1, "share of a penetration undone in one step"),        \
      PERP_CONTACT_REAL(type, slop, 1e-3, 0, 1, "contacts are open or penetrate by at most this"), \
      PERP_CONTACT_REAL(type, jitter, 0, 0, 1e6, "initial velocities drawn from -jitter..jitter"), \
      PERP_CONTACT_FLAG(type, plant, 0, "replace b by one with a known solution"),                 \
      PERP_CONTACT_REAL(type, active, 0.6, 0, 1, "planted: share of contacts with an impulse"),    \
      PERP_CONTACT_REAL(type, sliding, 0.4, 0, 1, "planted: share of contacts that slide"),        \
      PERP_CONTACT_REAL(type, degenerate, 0.1, 0, 1, "planted: share between two states")

/* The rows for the form lcp without cfm. */
#define PERP_CONTACT_LCP_ROWS(type)                                                                \
  PERP_CONTACT_ROWS(type, PERP_CONTACT_LCP, 0, "constraint force mixing, C = cfm I, in 1/kg")

/* joints requested, by the flag or by the form */
bool perp_contact_jointed(const perp_contact_options *options);

/* Fills the instance from the scene, and frees the scene. */
perp_error perp_contact_problem(perp_making *m, const perp_contact_options *options,
                                perp_scene *scene);
