/* scene/contact.h: contacts between rigid bodies, and their rows in a complementarity problem
 *
 * A contact with the normal n and the tangents t and o at a point p, r = p - centre of a body, has
 * a row for each direction d, which takes the velocity of b less that of a along d,
 *
 *   J_d = (-d, -r_a x d, d, r_b x d),
 *
 * in this order (the other rows of a problem, those of joints, come after all contacts, free):
 *
 *   lcp, mixed     n                      x_n >= 0
 *   stick          n t o                  x_n >= 0, x_t and x_o free
 *   findex         n t o                  x_n >= 0, |x_t|, |x_o| <= mu |x_n|
 *   cone           n t o                  |(x_t, x_o)| <= mu x_n
 *   polyhedral     n d_1 .. d_K s         x >= 0,  A = [B e; mu -e^T 0]  (Anitescu and Potra 1997)
 *
 * with d_k = cos(2 pi k / K) t + sin(2 pi k / K) o, k = 0 .. K-1. A = J Minv J^T + C: C is cfm I,
 * and in the polyhedral form, whose rows s are empty in J, what couples s with the impulses.
 *
 * In the plane of x and y a body has three velocities, along x and y and about z. There o points
 * out of the plane: findex has no row o, the row o of a cone is empty in J and has 1 in C, so that
 * x_o = 0, and the polyhedral form has the two directions t and -t. */
#pragma once

#include "base/memory.h"
#include <perp/problem.h>

typedef struct perp_scene_contact {
  int a, b; /* bodies; the normal leads from a to b: a positive impulse pushes b along it */
  double at[3], normal[3];
  double gap;  /* below 0: the bodies overlap */
  uint64_t id; /* in a simulation: the same in the next frame for the same part of the same pair */
} perp_scene_contact;

typedef enum perp_contact_form {
  PERP_CONTACT_LCP,   /* normal impulses alone */
  PERP_CONTACT_MIXED, /* the same with joints as free rows */
  PERP_CONTACT_STICK, /* as if nothing ever slid */
  PERP_CONTACT_FINDEX,
  PERP_CONTACT_POLYHEDRAL, /* the nonsymmetric LCP */
  PERP_CONTACT_CONE,
} perp_contact_form;

/* How the rows are laid out. */
typedef struct perp_contact_layout {
  perp_contact_form form;
  bool planar;
  int directions; /* K of the polyhedral form */
  double mu, cfm;
} perp_contact_layout;

int perp_contact_width(const perp_contact_layout *layout); /* rows of a contact */

/* All arrays are those of the arena. */
typedef struct perp_contact_rows {
  perp_contact_layout layout;
  int width;    /* rows of a contact */
  int freedom;  /* velocities of a body */
  int contacts; /* those the rows were begun for */
  int bodies;
  int n;                          /* rows so far */
  int64_t *start;                 /* J: all velocities of both bodies, whether 0 or not */
  int *column;                    /* ascending */
  double *value;                  /* */
  double *Minv;                   /* a block of freedom^2 for each body */
  int64_t *C_start, C_count;      /* C, of n rows in the end */
  int *C_column;                  /* */
  double *C_value, *lo, *hi, *mu; /* mu: of each contact */
  int *findex;
} perp_contact_rows;

/* Room for the rows of so many contacts and `others` more; false when out of memory. */
bool perp_contact_rows_begin(perp_contact_rows *rows, const perp_contact_layout *layout,
                             int contacts, int others, int bodies, perp_arena *arena);
/* Body k of Minv; the inertia is about the world's axes. */
void perp_contact_rows_body(perp_contact_rows *rows, int k, double mass_inverse,
                            const double inertia_inverse[9]);
/* The rows of the next contact of the bodies a and b, -1 for one that does not move, at arm[0] and
 * arm[1] from their centres; frame: n, t, o. */
void perp_contact_rows_contact(perp_contact_rows *rows, const int body[2], double arm[2][3],
                               double frame[3][3]);
/* A free row J = (-linear, -turn[0], linear, turn[1]), after all contacts. */
void perp_contact_rows_other(perp_contact_rows *rows, const int body[2], const double linear[3],
                             double turn[2][3]);

/* Once all rows are there: what an operator takes, and the set K. */
perp_contact_data perp_contact_rows_data(const perp_contact_rows *rows);
perp_set perp_contact_rows_set(const perp_contact_rows *rows);

/* Cosine and sine of the fraction k / of of a full turn, exact at quarters, by +, * and /. */
void perp_scene_turn(int k, int of, double *c, double *s);

/* The place of one more item of a list, which grows if there is no room: *list points to its `count`
 * items of `size` bytes. NULL, and the list as it was, when out of memory. */
void *perp_list_next(void *list, int *count, int *room, size_t size);
