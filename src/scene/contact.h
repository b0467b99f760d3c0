/* scene/contact.h: contacts between rigid bodies, and their rows in a complementarity problem
 *
 * A contact with the normal n and the tangents t and o at a point p, r = p - centre of a body, has
 * one row per direction d. The row gives the velocity of b relative to a along d,
 *
 *   J_d = (-d, -r_a x d, d, r_b x d),
 *
 * in this order (all other rows, such as joint rows, are free and follow the contacts):
 *
 *   lcp, mixed     n                      x_n >= 0
 *   stick          n t o                  x_n >= 0, x_t and x_o free
 *   findex         n t o                  x_n >= 0, |x_t|, |x_o| <= mu |x_n|
 *   cone           n t o                  |(x_t, x_o)| <= mu x_n
 *   elliptic,      n t o, about n,        torsion and roll too, in space only: their rows are J_d =
 *   discs          about t, about o       (0, -d, 0, d), see perp_set
 *   polyhedral     n d_1 .. d_K s         x >= 0,  A = [B e; mu -e^T 0]  (Anitescu and Potra 1997)
 *
 * with d_k = cos(2 pi k / K) t + sin(2 pi k / K) o, k = 0 .. K-1. A = J Minv J^T + C. C is cfm I;
 * in the polyhedral form, whose rows s are empty in J, C also couples s with the impulses.
 *
 * In the plane of x and y a body has three velocities, along x and y and about z. There o points
 * out of the plane: findex has no row o, the row o of a cone is empty in J and has 1 in C, so that
 * x_o = 0, and the polyhedral form has the two directions t and -t. */
#pragma once

#include "base/memory.h"
#include <perp/problem.h>

typedef struct perp_scene_contact {
  int a, b; /* bodies; the normal points from a to b: a positive impulse pushes b along it */
  double at[3], normal[3];
  double gap;  /* below 0: the bodies overlap */
  uint64_t id; /* in a simulation: identifies the same part of the same pair in the next frame */
} perp_scene_contact;

typedef enum perp_contact_form {
  PERP_CONTACT_LCP,   /* normal impulses only */
  PERP_CONTACT_MIXED, /* also joints, as free rows */
  PERP_CONTACT_STICK, /* no contact slides */
  PERP_CONTACT_FINDEX,
  PERP_CONTACT_POLYHEDRAL, /* the nonsymmetric LCP */
  PERP_CONTACT_CONE,
  PERP_CONTACT_ELLIPTIC,
  PERP_CONTACT_DISCS,
} perp_contact_form;

/* Layout of the rows. */
typedef struct perp_contact_layout {
  perp_contact_form form;
  bool planar;
  int directions; /* K of the polyhedral form */
  double mu, cfm;
  double torsion, roll; /* coefficients of elliptic and discs, lengths */
} perp_contact_layout;

int perp_contact_width(const perp_contact_layout *layout); /* rows of a contact */

/* Rows of contacts and joints; the arena owns all arrays. */
typedef struct perp_contact_rows {
  perp_contact_layout layout;
  int width;    /* rows of a contact */
  int freedom;  /* velocities of a body */
  int contacts; /* number the rows were begun for */
  int bodies;
  int n;                          /* rows so far */
  int64_t *start;                 /* J: all velocities of both bodies, including zeros */
  int *column;                    /* ascending */
  double *value;                  /* */
  double *Minv;                   /* a block of freedom^2 for each body */
  int64_t *C_start, C_count;      /* C; n rows when complete */
  int *C_column;                  /* */
  double *C_value, *lo, *hi, *mu; /* mu: of each contact; of elliptic and discs five */
  int *findex, *dim, *law;
} perp_contact_rows;

/* Computes the direction d_k of the polyhedral form; frame: n, t, o. */
void perp_contact_rows_direction(const perp_contact_layout *layout, int k, double frame[3][3],
                                 double along[3]);

/* Changes the coefficient of sliding friction of a contact whose rows are complete; in the
 * polyhedral form, that is a value of C. */
void perp_contact_rows_friction(perp_contact_rows *rows, int contact, double mu);

/* Makes room for the rows of this number of contacts and `others` more; returns false when out of
 * memory. */
bool perp_contact_rows_begin(perp_contact_rows *rows, const perp_contact_layout *layout,
                             int contacts, int others, int bodies, perp_arena *arena);
/* Sets block k of Minv; the inertia is about the world's axes. */
void perp_contact_rows_body(perp_contact_rows *rows, int k, double mass_inverse,
                            const double inertia_inverse[9]);
/* Adds the rows of the next contact of the bodies a and b, -1 for one that does not move, at arm[0]
 * and arm[1] from their centres; frame: n, t, o. */
void perp_contact_rows_contact(perp_contact_rows *rows, const int body[2], double arm[2][3],
                               double frame[3][3]);
/* Adds a free row J = (-linear, -turn[0], linear, turn[1]), after all contacts. */
void perp_contact_rows_other(perp_contact_rows *rows, const int body[2], const double linear[3],
                             double turn[2][3]);

/* Returns the operator's data and the set K once all rows are complete. */
perp_contact_data perp_contact_rows_data(const perp_contact_rows *rows);
perp_set perp_contact_rows_set(const perp_contact_rows *rows);

/* Computes cosine and sine of the fraction k / of of a full rotation, exact at quarters, by
 * +, * and /. */
void perp_scene_turn(int k, int of, double *c, double *s);

/* Appends an item to a list and returns its address; *list points to `count` items of `size` bytes.
 * Returns NULL and leaves the list unchanged when out of memory. */
void *perp_list_next(void *list, int *count, int *room, size_t size);
