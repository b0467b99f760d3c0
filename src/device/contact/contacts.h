/* contacts.h: groups of contact rows as kernels see them (operator/contact/relax.c)
 *
 *   A = G G^T + C,   u = G^T x,   y_i = G_i u + C_ii x_i + b_i
 *
 * A group has up to three rows that touch the same one or two bodies. No two groups of a colour
 * share a body, so all of them are relaxed at once. Numbers of a group lie `pitch` apart, so that
 * threads side by side read memory in order. Read by C and by C++. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PERP_CONTACTS_ROWS = 3 }; /* most rows of a group */

/* What follows the 2 width numbers of G_i: the order of contact.h in operator/contact. */
enum {
  PERP_CONTACTS_INVERSE,
  PERP_CONTACTS_OWN,
  PERP_CONTACTS_RHS,
  PERP_CONTACTS_COUPLING, /* with the next row of the group, the first being next to the last */
  PERP_CONTACTS_LOWER,
  PERP_CONTACTS_UPPER,
  PERP_CONTACTS_EXTRA,
};

typedef struct perp_contacts {
  int groups, colours;
  int width;             /* velocities of a body: 6 or 4 */
  int apart;             /* from body to body in u */
  int64_t pitch;         /* at least `groups` */
  const int *start;      /* colours + 1, memory of the processor: groups lie by colour */
  const double *numbers; /* number k of row t of group g: [(t (2 width + EXTRA) + k) pitch + g] */
  const int *place;      /* first row, count of rows, both bodies: [q pitch + g] */
  const int *findex;     /* by row; NULL: bounds are those of the row */
  double *x;             /* by row */
  double *u;
  double omega;
} perp_contacts;

/* Contacts of rigid bodies, three rows each (operator/contact/rigid.h): less than half the numbers. */
/* part: bounds as perp_part, or Coulomb cones, solved exactly */
enum {
  PERP_RIGIDS_PLAIN,
  PERP_RIGIDS_BOX,
  PERP_RIGIDS_FRICTION,
  PERP_RIGIDS_CONE,
  PERP_RIGIDS_FREE, /* for a vector that is not projected */
};

/* What a contact holds, in the order of operator/contact/rigid.h; three numbers of C come last. */
enum {
  PERP_RIGIDS_D,
  PERP_RIGIDS_A = 9,
  PERP_RIGIDS_B = 12,
  PERP_RIGIDS_STEP_AT = 15, /* 1 / A_tt */
  PERP_RIGIDS_COUPLING = 18,
  PERP_RIGIDS_RHS = 21,
  PERP_RIGIDS_BOUNDS = 24,
  PERP_RIGIDS_BODY = 8, /* numbers of a body, and of an inertia */
};

/* What is done with them: a sweep; what nncg does between sweeps, with vectors as long as x; and the
 * steps of apgd (descent.h). */
typedef enum perp_rigids_op {
  PERP_RIGIDS_SWEEP,       /* colour by colour, with omega */
  PERP_RIGIDS_COPY,        /* before <- x */
  PERP_RIGIDS_STEP,        /* before <- x - before, its square into `part` */
  PERP_RIGIDS_BEGIN,       /* direction <- before */
  PERP_RIGIDS_MARK,        /* direction <- x */
  PERP_RIGIDS_DISTANCE,    /* the square of x - direction into `part` */
  PERP_RIGIDS_EXTRAPOLATE, /* x <- P(x + beta p), p <- beta p + before, p: direction; v <- that of x */
  PERP_RIGIDS_AHEAD,       /* direction <- ahead of x; before <- the projected step from there */
  PERP_RIGIDS_AGAIN,       /* the step alone, with another L */
  PERP_RIGIDS_WEIGH,       /* v <- that of `before`, whose y, sums and maxima follow */
} perp_rigids_op;

enum { PERP_RIGIDS_PARTS = 1024 }; /* of a sum */

/* What WEIGH finds of w = before, v = direction and x; sums come first. `part` has PARTS of each. */
enum {
  PERP_DESCENT_BEND,                       /* (w - v)^T A (w - v) */
  PERP_DESCENT_LENGTH,                     /* |w - v|_D^2 */
  PERP_DESCENT_UPHILL,                     /* (v - w)^T D (w - x) */
  PERP_DESCENT_SUMS,                       /* the others are maxima */
  PERP_DESCENT_WITHIN = PERP_DESCENT_SUMS, /* the residual of w, the frame being what it is */
  PERP_DESCENT_LAG,                        /* of the frame behind w */
  PERP_DESCENT_RESIDUAL,                   /* of the problem */
  PERP_DESCENT_VALUES,
};

/* What apgd has besides. */
typedef struct perp_descent {
  double *y, *y_before, *y_direction; /* A z + b of x and of the vectors named */
  double *held;                       /* by contact, of the frame: |x_0| of friction, s of a cone */
  double L, beta;
  double move; /* share of the way that the frame goes to x and y, before the step */
  bool scaled; /* D = diag(A), or I */
} perp_descent;

typedef struct perp_rigids {
  int contacts, colours;
  int part_of_K;
  bool compliant;        /* there is a C */
  int64_t pitch;         /* at least `contacts` */
  const int *start;      /* colours + 1, memory of the processor: contacts lie by colour */
  const double *numbers; /* number k of contact c: [k pitch + c] */
  const int *body;       /* 2 for each contact, not the same */
  double *x;             /* row t of contact c: [t pitch + c] */
  double *v;             /* velocity, angular velocity, 1/m, I_00 of each body */
  const double *inertia; /* the rest of it; NULL: multiples of the identity */
  double *slip;          /* by contact, of cones: see cone.h */
  int bodies;
  double omega, beta;
  double *before, *direction; /* 3 pitch each */
  double *part;               /* PARTS */
  perp_descent descent;
} perp_rigids;
