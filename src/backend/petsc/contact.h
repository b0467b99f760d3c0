/* contact.h: contacts with friction over the ranks of a communicator: A = J Minv J^T + C, C
 * diagonal */
#pragma once

#include <petscmat.h>

#include <perp/perp.h>

typedef struct perp_contacts {
  Mat J, Minv;          /* MPIAIJ: rows x velocities, and velocities x velocities */
  const double *C;      /* diagonal of C, this rank's rows */
  perp_set K;           /* of this rank's rows: cones first, then bounds */
  const double *b;      /* this rank's rows */
  const double *blocks; /* parts of A of this rank: 3 x 3 for each cone, then the diagonal of the
                         * other rows */
  const double
      *direction; /* starting vector of power iterations, the same for any number of ranks */
  /* NULL, or called in each iteration, on every rank; false on all ranks: stop */
  bool (*monitor)(void *context, int iteration, double residual);
  void *context;
} perp_contacts;

typedef struct perp_contacts_result {
  int iterations;
  double residual, scale; /* natural residual, recomputed at the end; max |b| */
  bool stopped;           /* by the monitor */
} perp_contacts_result;

/* method: "apgd", "spg" or "bjacobi" (accelerated). x: the start, then the best iterate, of this
 * rank's rows. */
PetscErrorCode perp_contacts_solve(const perp_contacts *contacts, const char *method, double tol,
                                   int max_iterations, double *x, perp_contacts_result *result);
