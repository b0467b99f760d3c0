/* model.h: the natural map of a problem and its linearisation, for ssn
 *
 *   Phi(x) = x - P(x - R g),   g = A x + b + E (x - c),   R = diag(rho), E = diag(epsilon / rho)
 *
 * A Newton step P d + Q (A + E) d = -Phi with block diagonal P and Q is written in the directions
 * that the active pieces leave free, one unknown e_k each:
 *
 *   d = T e + w                              rows of T have at most two entries
 *   (L^T (A + E) T + S) e = r - L^T (A + E) w    columns of L have at most three, S is diagonal
 *
 *   row inside its bounds       d_i = e_k                     L = 1, r = -g_i
 *   row at a bound              d_i = -Phi_i                  no unknown
 *   friction row at a bound     d_i = s mu d_j + w_i          tied to its normal j, no unknown
 *   cone                        see cone.c                none, three, or two unknowns
 *
 * Workspace: 10 n numbers and 5 n integers. */
#pragma once

#include "method/run/method.h"

/* In the order of the names in the parameter table of ssn. */
typedef enum perp_ssn_map {
  PERP_SSN_ALART_CURNIER, /* friction bounds at the projected normal force, boxes in z_n and z_t */
  PERP_SSN_NATURAL,       /* the cone's own projection, De Saxce's g; friction bounds at |x_j| */
} perp_ssn_map;

typedef struct perp_ssn_model {
  const perp_problem *p;
  perp_ssn_map map;
  int n;
  double *rho; /* n: the same in the three rows of a cone */

  double *phi;    /* n */
  int unknowns;   /* m: those of e */
  int *column;    /* 2 n: T_(i, column[2 i]) = factor[2 i], likewise 2 i + 1; -1: no entry */
  double *factor; /* 2 n */
  double *w;      /* n */
  int *row;       /* 3 n: L_(row[3 k], k) = weight[3 k], ...; -1: no entry */
  double *weight; /* 3 n */
  double *shift;  /* n: S */
  double *right;  /* n: r */
} perp_ssn_model;

/* The memory, with rho = `scale` / A_ii; in a cone over the largest eigenvalue of its block. */
perp_error perp_ssn_model_create(perp_run *run, perp_ssn_map map, double scale,
                                 perp_ssn_model *model);

/* Phi at x with g given; into m->phi, and its half square sum of Phi_i^2 / rho_i returned. */
double perp_ssn_value(perp_ssn_model *m, const double *x, const double *g);
/* Phi and everything else at x. */
double perp_ssn_linearise(perp_ssn_model *m, const double *x, const double *g);
/* d <- T e + w */
void perp_ssn_expand(const perp_ssn_model *m, const double *e, double *d);

/* For cone.c and the rows. */

/* A new unknown with no entries of L; returns its number. */
static inline int perp_ssn_unknown(perp_ssn_model *m, double shift, double right)
{
  const int k = m->unknowns++;
  m->row[3 * k] = m->row[3 * k + 1] = m->row[3 * k + 2] = -1;
  m->shift[k] = shift;
  m->right[k] = right;
  return k;
}

/* Row i is fixed: d_i = w. */
static inline void perp_ssn_fix(perp_ssn_model *m, int i, double w)
{
  m->column[2 * i] = m->column[2 * i + 1] = -1;
  m->factor[2 * i] = m->factor[2 * i + 1] = 0;
  m->w[i] = w;
}

/* Row i is free: d_i = e_k, (A d)_i = -g_i. */
static inline void perp_ssn_free(perp_ssn_model *m, int i, double g)
{
  const int k = perp_ssn_unknown(m, 0, -g);
  m->row[3 * k] = i;
  m->weight[3 * k] = 1;
  perp_ssn_fix(m, i, 0);
  m->column[2 * i] = k;
  m->factor[2 * i] = 1;
}

/* Phi of cone c, and if `linear` its part of the step. */
void perp_ssn_cone(perp_ssn_model *m, int c, const double *x, const double *g, bool linear);
