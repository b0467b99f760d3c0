/* step.h: the linear systems of ssn, (L^T (A + E) T + S) e = r - L^T (A + E) w
 *
 *   no friction, no cones    T and L select rows: A_FF + E_FF, linear.h
 *   direct                   L^T (A + E) T + S made dense, LU with partial pivoting
 *   gmres                    flexible GMRES with products through A if it has no rows, else with
 *                            the sparse matrix and ILU(0) of it
 *   auto                     direct for dense and small A; else gmres, and direct if that fails
 *
 * One solve: m^3 2/3 flops, or what GMRES takes. Workspace: n^2, or some entries for every one of A
 * that is read, or that of GMRES. */
#pragma once

#include "linalg/ilu.h"
#include "method/newton/ssn/model.h"
#include "method/system/linear.h"

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

/* Of krylov.c: the memory, and one solution e of the system. */
perp_error perp_ssn_krylov_open(perp_ssn_step *step);
perp_error perp_ssn_krylov_solve(perp_ssn_step *step, double tol, bool *found);
