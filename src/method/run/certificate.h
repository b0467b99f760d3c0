/* certificate.h: proofs that there is no solution, by a ray and by the signs of x and y */
#pragma once

#include "linalg/exact_lp.h"
#include "method/run/method.h"

/* Returns true if *ray proves it exactly (problem/prove.h), as given or with its rounding removed
 * in one of several ways; *ray is then the proof, in the run's arena. */
bool perp_certificate_holds(perp_run *run, const double **ray);

/* Claims PERP_INFEASIBLE if the ray proves it; otherwise gives the memory back. */
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

/* Opens y = A x + b with the signs that every solution has, see problem/prove.c; all entries are
 * exact if *exact; variables as in linalg/exact_lp.h. margin > 0: A is perturbed such that a
 * certificate for it is one for A with room for rounding. Returns PERP_ERROR_UNSUPPORTED if it
 * would be too large. */
perp_error perp_farkas_open(const perp_problem *p, double margin, perp_arena *arena, perp_lp **lp,
                            bool *exact);

/* rows <- (A b), each `stride` numbers, zero on entry. Returns false if out of memory. */
bool perp_farkas_load(const perp_problem *p, double *rows, int stride, perp_arena *arena);

/* The range that the bounds of row i allow y_i: 0 or an infinity at each end. */
void perp_farkas_signs(const perp_set *K, int i, double *lo, double *hi);

typedef enum perp_feasible {
  PERP_FEASIBLE_UNKNOWN,
  PERP_FEASIBLE,
  PERP_FEASIBLE_NOT, /* exactly, but the certificate does not fit into doubles */
  PERP_FEASIBLE_PROVEN_NOT,
} perp_feasible;

/* *u <- a certificate in the run's arena, if it is proven. The only error is out of memory. */
perp_error perp_farkas_decide(perp_run *run, perp_feasible *feasible, const double **u);
