/* ssn.h: what the files of the method `ssn` share: the model of a step and its linear systems */
#pragma once

#include "linalg/incomplete.h"
#include "method/run/method.h"
#include "method/system/linear.h"

/* ---- model.c: the natural map of a problem and its linearisation ----
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
 *   cone                        see model.c               none, three, or two unknowns
 *
 * Workspace: 10 n numbers and 5 n integers. */

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

/* ---- step.c: the linear systems, (L^T (A + E) T + S) e = r - L^T (A + E) w ----
 *
 *   no friction, no cones    T and L select rows: A_FF + E_FF, linear.h
 *   direct                   L^T (A + E) T + S made dense, LU with partial pivoting
 *   gmres                    flexible GMRES with products through A if it has no rows, else with
 *                            the sparse matrix and ILU(0) of it
 *   auto                     direct for dense and small A; else gmres, and direct if that fails
 *
 * One solve: m^3 2/3 flops, or what GMRES takes. Workspace: n^2, or some entries for every one of A
 * that is read, or that of GMRES. */

typedef enum perp_ssn_kind {
  PERP_SSN_REDUCED,
  PERP_SSN_DENSE,
  PERP_SSN_SPARSE,  /* gmres */
  PERP_SSN_PRODUCT, /* gmres without rows */
} perp_ssn_kind;

typedef struct perp_ssn_step {
  perp_run *run;
  const perp_ssn_model *model;
  perp_ssn_kind kind;
  bool rescue;                /* if gmres does not get there, direct */
  int pause, next_pause;      /* steps that are direct at once: twice as many after every failure */
  perp_linear_system *system; /* to be closed */
  double *E;                  /* n: epsilon / rho */
  double *r, *e;              /* n each */
  int *swap;                  /* n: pivots, or F */
  int *column;                /* one row of A */
  double *value;              /* */
  double *M;                  /* n x n: m x m in use */

  perp_ilu ilu; /* the sparse matrix; its arrays grow with what is to be kept */
  int64_t *start, *diagonal, *place;
  bool *in;
  int *columns;
  double *values, *LU;
  int64_t room;     /* entries that they can take */
  double *Te, *ATe; /* n each: for products through A */
  double *work;     /* of GMRES */
  int restart;
} perp_ssn_step;

/* Closed whatever comes back. */
perp_error perp_ssn_step_open(perp_run *run, const perp_ssn_model *model, perp_linear_solver solver,
                              perp_linear_preconditioner preconditioner, perp_ssn_step *step);
void perp_ssn_step_close(perp_ssn_step *step);

/* d <- the step of the model as linearised, with E = diag(epsilon / rho), to a relative residual of
 * tol if the solver is an iterative one. *found is false if there is none: the matrix is
 * singular, the solver did not get there, or numbers are not finite. */
perp_error perp_ssn_step_solve(perp_ssn_step *step, double epsilon, double tol, double *d,
                               bool *found);
