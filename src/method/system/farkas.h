/* farkas.h: the signs of x and y as a linear program that is decided exactly */
#pragma once

#include "linalg/exact_lp.h"
#include "method/run/certificate.h"

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

/* The same for boxes of any size, by the given interior point method: phase_one.c. Decides nothing if
 * the entries of A are not available. */
perp_error perp_farkas_search(perp_run *run, const perp_method *interior, perp_feasible *feasible,
                              const double **u);

/* Ends the run if there is no solution: infeasible, or unsolvable if u does not fit into doubles. */
void perp_farkas_claim(perp_run *run, perp_feasible feasible, const double *u);
