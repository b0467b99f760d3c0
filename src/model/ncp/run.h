/* run.h: a solve of a nonlinear complementarity problem in progress, for its methods
 *
 * A method takes steps while perp_ncp_next returns true. It moves x only by perp_ncp_search or
 * perp_ncp_move, so that x, F and the residual always belong together. The driver (solve.c)
 * judges. */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "base/random.h"
#include "linalg/vector.h"
#include "method/newton/fischer_map.h"
#include "method/run/method.h"
#include <perp/ncp.h>

/* The equation of a Newton step: phi of Fischer and Burmeister, or the natural map, of scale
 * (F + tau (x - x0)) in place of F, which has the same solutions for every scale > 0. */
typedef struct perp_ncp_map {
  bool natural;
  double tau;          /* 0: F itself */
  const double *x0;    /* n, if tau > 0 */
  perp_phi phi;        /* unless natural */
  const double *scale; /* n factors > 0 of F + tau (x - x0), or NULL */
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
  perp_verbose verbose; /* the observer of `verbose`, if requested */
  perp_ncp_result *result;
  perp_arena memory;
  int n;
  double *lo, *hi;                      /* infinite ones are INFINITY */
  double *x, *F;                        /* the iterate */
  double *J;                            /* at x if it is fresh: n x n, or start[n] values */
  double *start;                        /* of this attempt */
  double *try_x, *try_F;                /* a trial point */
  double *d, *gradient, *value, *a, *b; /* a direction; gradient, values and slopes of a map */
  double *best;                         /* x of the lowest residual so far */
  double best_residual, residual;
  bool crash;   /* josephy begins with proximal steps */
  bool fresh;   /* J belongs to x */
  bool said_no; /* the last F returned PERP_NCP_UNDEFINED */
  perp_ncp_system *system;
  perp_operator *A;    /* J as an operator: dense or csr, borrowed */
  perp_solver *solver; /* of linear problems, created at first use */
  double began;
  int64_t iterations;         /* of this attempt */
  int64_t progress_iteration; /* of this attempt, the last that lowered the residual by a tenth */
  double progress_residual;   /* after it */
  perp_error error;           /* ends the solve */
  perp_outcome outcome;       /* of this attempt at its end */
  double merits[8];           /* the last merits, for nonmonotone searches */
  int merits_known;
} perp_ncp_run;

/* Returns the place of J_ij in J; -1: not stored. */
static inline int64_t perp_ncp_place(const perp_ncp_run *run, int i, int j)
{
  return run->p.start ? perp_row_find(run->p.start, run->p.column, i, j) : (int64_t)i * run->n + j;
}

/* F <- F(x). Returns false if it is not defined there, or after an error. */
bool perp_ncp_evaluate(perp_ncp_run *run, const double *x, double *F);
/* Computes J at the iterate. Returns false after an error. */
bool perp_ncp_differentiate(perp_ncp_run *run);
double perp_ncp_residual(const perp_ncp_run *run, const double *x, const double *F);
/* Returns true if the caller stops the solve or the time limit is reached; *outcome says which. */
bool perp_ncp_expired(const perp_ncp_run *run, perp_outcome *outcome);
/* Returns true if there is another iteration; false if solved, at a limit, or after an error. */
bool perp_ncp_next(perp_ncp_run *run);
void perp_ncp_end(perp_ncp_run *run, perp_outcome outcome);
/* Moves the iterate to P(x), if F is defined there. */
bool perp_ncp_move(perp_ncp_run *run, const double *x);

/* 1/2 |map|^2 at a point */
double perp_ncp_merit(const perp_ncp_run *run, const perp_ncp_map *map, const double *x,
                      const double *F);
/* Moves to P(x + t d), t = 1, 1/2, ..., if the merit there is below the largest of the last merits
 * by a part of t times the slope. At most `halvings`. */
bool perp_ncp_search(perp_ncp_run *run, const perp_ncp_map *map, double slope, int halvings);

/* Returns true if Newton steps are available; allocates at the first call. They are not available
 * for large compressed Jacobians without UMFPACK. Returns false after an error, too. */
bool perp_ncp_has_newton(perp_ncp_run *run);
void perp_ncp_system_close(perp_ncp_run *run);
/* Factors J + diag(shift), and solves with it in place. J must be fresh, and the shift must stay. */
bool perp_ncp_factor_shifted(perp_ncp_run *run, const double *shift);
bool perp_ncp_solve_shifted(perp_ncp_run *run, double *d);

void perp_ncp_josephy(perp_ncp_run *run);
void perp_ncp_semismooth(perp_ncp_run *run, const perp_ncp_map *map);
void perp_ncp_homotopy(perp_ncp_run *run);
void perp_ncp_interior(perp_ncp_run *run);
