/* newton.h: parameters, warm start and forcing terms of the Newton methods */
#pragma once

#include "method/run/method.h"
#include "method/system/linear.h"

/* The first member of a method's parameter struct; its table begins with PERP_NEWTON_PARAMETERS. */
typedef struct perp_newton_parameters {
  int solver, preconditioner; /* perp_linear_solver, perp_linear_preconditioner */
  double gamma;
} perp_newton_parameters;

#define PERP_NEWTON_PARAMETERS                                                                     \
  PERP_CHOICE(perp_newton_parameters, solver, PERP_LINEAR_AUTO, PERP_LINEAR_GMRES,                 \
              perp_linear_solvers, "solver of the linear systems"),                                \
      PERP_CHOICE(perp_newton_parameters, preconditioner, PERP_PRECONDITION_AUTO,                  \
                  PERP_PRECONDITION_MG, perp_linear_preconditioners,                               \
                  "preconditioner of the Krylov solvers"),                                         \
      PERP_REAL(perp_newton_parameters, gamma, 0.9, 1e-12, 0.999,                                  \
                "greatest forcing term: |residual of the linear system| <= gamma |F|")

/* The line search: sufficient decrease of a step (Armijo), factor from step to step, shortest step. */
static const double PERP_NEWTON_ALPHA = 1e-4, PERP_NEWTON_BETA = 0.5, PERP_NEWTON_DELTA = 1e-10;

/* Makes k sweeps of projected Gauss-Seidel on x; none if a diagonal entry is not positive or A
 * cannot relax. Gives its memory back. */
perp_error perp_newton_warm(perp_run *run, int sweeps, double *x);

/* Forcing terms of Eisenstat and Walker (1996), choice 2: with |F| the current norm and `before`
 * the previous one (0: none),
 *
 *   eta = gamma (|F| / before)^2,   at least gamma eta_before^2 if that is above 0.1,
 *
 * never above gamma < 1, so that a Newton step is a direction of descent, and never below the
 * accuracy that `goal` needs: goal is the |F| at which the run may end. Convergence is quadratic at
 * the end. */
double perp_newton_forcing(double gamma, double norm, double before, double eta_before,
                           double goal);
