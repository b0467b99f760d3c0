/* certificate.h: proofs that there is no solution: of a ray, and of the signs of x and y */
#pragma once

#include "linalg/exact_lp.h"
#include "method/run/method.h"

/* Whether *ray proves it exactly (problem/prove.h), as it is, or with its rounding taken off in one of
 * several ways; *ray is then what proves it, in the run's arena. */
bool perp_certificate_holds(perp_run *run, const double **ray);

/* If it does, claims PERP_INFEASIBLE with it; otherwise the memory is given back. */
static inline bool perp_certificate_claim(perp_run *run, const double *ray)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const bool holds = perp_certificate_holds(run, &ray);
  if (holds) {
    perp_run_ray(run, ray);
    perp_run_claim(run, PERP_INFEASIBLE);
  } else {
    perp_arena_release(run->arena, mark);
  }
  return holds;
}

/* ---- The signs of x and y as a linear program that is decided exactly ---- */

/* y = A x + b with the signs that every solution has, see problem/prove.c, all entries exact if
 * *exact; variables as in linalg/exact_lp.h. margin > 0: A is changed such that a certificate for it
 * is one for A with room for rounding. PERP_ERROR_UNSUPPORTED if it would be too large. */
perp_error perp_farkas_open(const perp_problem *p, double margin, perp_arena *arena, perp_lp **lp,
                            bool *exact);

/* rows <- (A b), each `stride` numbers that are 0 before; false if there is no memory. */
bool perp_farkas_load(const perp_problem *p, double *rows, int stride, perp_arena *arena);

/* What the bounds of row i allow y_i to be: 0 or an infinity at each end. */
void perp_farkas_signs(const perp_set *K, int i, double *lo, double *hi);

typedef enum perp_feasible {
  PERP_FEASIBLE_UNKNOWN,
  PERP_FEASIBLE,
  PERP_FEASIBLE_NOT, /* exactly; the certificate does not fit into doubles */
  PERP_FEASIBLE_PROVEN_NOT,
} perp_feasible;

/* *u <- a certificate in the run's arena, if it is proven. The only error is that of memory. */
perp_error perp_farkas_decide(perp_run *run, perp_feasible *feasible, const double **u);
