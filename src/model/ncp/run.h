/* run.h: a solve of a nonlinear complementarity problem in progress, for its methods
 *
 * A method takes steps while perp_ncp_next says so. It may only move x by perp_ncp_search or
 * perp_ncp_move, so that x, F and the residual always belong together. The driver (solve.c) judges. */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "base/random.h"
#include "method/newton/fischer_map.h"
#include "method/run/method.h"
#include <perp/ncp.h>

/* The equation that a Newton step is taken for: phi of Fischer and Burmeister, or the natural map; of
 * scale (F + tau (x - x0)) in place of F, which has the same solutions for every scale > 0. */
typedef struct perp_ncp_map {
  bool natural;
  double tau;          /* 0: F itself */
  const double *x0;    /* n, if tau > 0 */
  perp_phi phi;        /* if it is not natural */
  const double *scale; /* n numbers > 0 by which F + tau (x - x0) is multiplied, or NULL */
} perp_ncp_map;

static const perp_ncp_map perp_ncp_fischer = {.phi = {1, 0}};
static const perp_ncp_map perp_ncp_natural = {.natural = true, .phi = {1, 0}};

/* scale_i (F_i + tau (x_i - x0_i)) */
static inline double perp_ncp_scaled(const perp_ncp_map *map, int i, double x, double F)
{
  const double f = map->tau > 0 ? F + map->tau * (x - map->x0[i]) : F;
  return map->scale ? map->scale[i] * f : f;
}

typedef struct perp_ncp_system perp_ncp_system;

typedef struct perp_ncp_run {
  perp_ncp p;
  perp_ncp_options options;
  perp_verbose verbose; /* the observer of `verbose`, if asked for */
  perp_ncp_result *result;
  perp_arena memory;
  int n;
  double *lo, *hi;                      /* infinite ones are INFINITY */
  double *x, *F;                        /* the iterate */
  double *J;                            /* at x if it is fresh: n x n, or start[n] values */
  double *start;                        /* of this attempt */
  double *try_x, *try_F;                /* a point that is tried */
  double *d, *gradient, *value, *a, *b; /* a direction; of a map: gradient, values and slopes */
  double *best;                         /* x of the least residual so far */
  double best_residual, residual;
  bool fresh;   /* J is that of x */
  bool said_no; /* the last F returned PERP_NCP_UNDEFINED */
  perp_ncp_system *system;
  perp_operator *A;    /* J as an operator: dense or csr, borrowed */
  perp_solver *solver; /* of linear problems, made when it is first needed */
  double began;
  int64_t iterations;   /* of this attempt */
  perp_error error;     /* ends everything */
  perp_outcome outcome; /* of this attempt, when it ended */
  bool merit_known;     /* the next two are a merit of the iterate, and its map */
  double merit;
  perp_ncp_map map;
  double merits[8]; /* the last ones, for searches that need not descend in each step */
  int merits_known;
} perp_ncp_run;

/* F at x; false if it is not defined there, or after an error. */
bool perp_ncp_evaluate(perp_ncp_run *run, const double *x, double *F);
/* J at the iterate; false after an error. */
bool perp_ncp_differentiate(perp_ncp_run *run);
double perp_ncp_residual(const perp_ncp_run *run, const double *x, const double *F);
/* Whether the caller says stop or time is up; then *outcome says which. */
bool perp_ncp_expired(const perp_ncp_run *run, perp_outcome *outcome);
/* Whether there is another iteration: false if it is solved, at a limit, or after an error. */
bool perp_ncp_next(perp_ncp_run *run);
/* Ends the attempt. */
void perp_ncp_end(perp_ncp_run *run, perp_outcome outcome);
/* The iterate is P(x), if F is defined there. */
bool perp_ncp_move(perp_ncp_run *run, const double *x);

/* 1/2 |map|^2 at a point */
double perp_ncp_merit(const perp_ncp_run *run, const perp_ncp_map *map, const double *x,
                      const double *F);
/* The same at the iterate, computed once. */
double perp_ncp_merit_here(perp_ncp_run *run, const perp_ncp_map *map);
/* Goes to P(x + t d), t = 1, 1/2, ..., if the merit falls there enough: by a part of t times the slope
 * below the greatest of the last merits. At most `halvings`. */
bool perp_ncp_search(perp_ncp_run *run, const perp_ncp_map *map, double slope, int halvings);

/* Whether there are Newton steps, which take their memory when first asked for: there are none for large
 * compressed Jacobians without UMFPACK. False after an error, too. */
bool perp_ncp_has_newton(perp_ncp_run *run);
void perp_ncp_system_close(perp_ncp_run *run);

/* The methods. */
void perp_ncp_josephy(perp_ncp_run *run);
void perp_ncp_semismooth(perp_ncp_run *run, const perp_ncp_map *map);
void perp_ncp_homotopy(perp_ncp_run *run);
