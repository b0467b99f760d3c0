/* ssn.h: the linearised model of a step of `ssn` and its linear systems */
#pragma once

#include "method/contact/coupled.h"
#include "method/run/method.h"
#include "method/system/linear.h"

/* ---- model.c: the natural map of a problem and its linearisation ----
 *
 *   Phi(x) = x - P(x - R g),   g = A x + b + E (x - c),   R = diag(rho), E = diag(epsilon / own)
 *
 * A Newton step P d + Q (A + E) d = -Phi with block diagonal P and Q is written in the directions
 * that the active pieces leave free, one unknown e_k each:
 *
 *   d = T e + w                              rows of T have two entries or five
 *   (L^T (A + E) T + S) e = r - L^T (A + E) w    columns of L two or five, S is diagonal
 *
 *   row inside its bounds       d_i = e_k                     L = 1, r = -g_i
 *   row at a bound              d_i = -Phi_i                  no unknown
 *   friction row at a bound     d_i = s mu d_j + w_i          tied to its normal j, no unknown
 *   cone                        see model.c               none, three, or two unknowns
 *   disc of m rows              see model.c               none, m, or m - 1 unknowns
 *
 * Workspace: 11 n numbers and 5 n integers. */

typedef struct perp_ssn_model {
  const perp_problem *p;
  int n;
  double *rho; /* n: equal in the rows of a cone or disc */
  double *own; /* n: rho, of each row of a disc by itself */

  double *phi;  /* n */
  int unknowns; /* m, the length of e */
  int T_width;  /* the most entries of a row of T: two, five with discs */
  int *column;  /* T_width n: T_(i, column[T_width i + k]) = factor[T_width i + k]; -1: no entry */
  double *factor; /* T_width n */
  double *w;      /* n */
  int L_width;    /* the most entries of a column of L: two, five with discs */
  int *row;       /* L_width n: L_(row[L_width k], k) = weight[L_width k], ...; -1: no entry */
  double *weight; /* L_width n */
  double *shift;  /* n: S */
  double *right;  /* n: r */
} perp_ssn_model;

/* Allocates the model, with rho = `scale` / A_ii; in a cone scale over the largest eigenvalue of
 * its block. */
perp_error perp_ssn_model_create(perp_run *run, double scale, perp_ssn_model *model);

/* Computes Phi at x, given g, into m->phi. Returns half the sum of Phi_i^2 / rho_i. */
double perp_ssn_value(perp_ssn_model *m, const double *x, const double *g);
/* Computes Phi and the linear model at x. Returns the same as perp_ssn_value. */
double perp_ssn_linearise(perp_ssn_model *m, const double *x, const double *g);
/* d <- T e + w */
void perp_ssn_expand(const perp_ssn_model *m, const double *e, double *d);

/* ---- step.c: the linear systems, (L^T (A + E) T + S) e = r - L^T (A + E) w ----
 *
 *   no friction, no cones    T and L select rows: A_FF + E_FF, linear.h
 *   dense or small A         L^T (A + E) T + S made dense, LU with partial pivoting
 *   other A with rows        (I + B A') d = s (coupled.h), B and s contact by contact
 *   else, or if asked for    GMRES with products through A
 *
 * Cost of a dense solve: m^3 2/3 flops. Workspace: the factor, or GMRES's vectors. */

typedef enum perp_ssn_kind {
  PERP_SSN_REDUCED,
  PERP_SSN_DENSE,
  PERP_SSN_CONTACTS,
  PERP_SSN_PRODUCT, /* gmres */
} perp_ssn_kind;

typedef struct perp_ssn_step {
  perp_run *run;
  const perp_ssn_model *model;
  perp_ssn_kind kind;
  perp_linear_system *system; /* the caller closes it */
  double *E;                  /* n: epsilon / own */
  double *r, *e;              /* n each */
  int *swap;                  /* n: pivots, or F */
  int *column;                /* dense: one row of A */
  double *value;
  double *M;                  /* n x n: m x m in use */
  perp_contact_list contacts; /* by contact */
  perp_coupled *coupled;      /* the caller closes it */
  double *blocks, *small;     /* B by contact; matrices of one contact */
  int *unknown;               /* of one contact */

  double *Te, *ATe; /* n each: for products through A */
  double *work;     /* of GMRES */
  int restart;
} perp_ssn_step;

/* Close it whatever is returned. */
perp_error perp_ssn_step_open(perp_run *run, const perp_ssn_model *model, perp_linear_solver solver,
                              perp_linear_preconditioner preconditioner, perp_ssn_step *step);
void perp_ssn_step_close(perp_ssn_step *step);

/* d <- the step of the linearised model, with E = diag(epsilon / own); iterative solvers end at a
 * relative residual of tol. Returns false if the matrix is singular, the solver does not
 * converge, or a number is not finite. */
bool perp_ssn_step_solve(perp_ssn_step *step, double epsilon, double tol, double *d);
