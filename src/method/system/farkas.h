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

/* rows <- (A b), each `stride` numbers, zero on entry. Returns false if out of memory, or
 * if a number is not finite. */
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

/* Certificates from rays up to rounding: rays.c. Unsupported unless the entries of A are available and
 * the problem has bounds only. */
typedef struct perp_rays {
  perp_arena arena;
  perp_run *run;
  perp_operator *csr;    /* A */
  perp_inequalities all; /* of x and A x */
  double *z, *cut, *u;   /* n; u: the certificate, if there is one */
  int *part;             /* 2 n, as are those of work */
  double *work[4];
  bool vertex;  /* try also the vertex near a ray */
  int proofs;   /* number of rays tried */
  double error; /* of the last one */
  perp_feasible feasible;
} perp_rays;

/* With `vertex` also the vertex near a ray is tried, in exact arithmetic, which takes longest. */
perp_error perp_rays_open(perp_run *run, bool vertex, perp_rays **rays);
void perp_rays_close(perp_rays *rays);
/* Tries the ray u, n numbers, if it is much better than the one before, or if it is the last one.
 * Returns what is known now. */
perp_feasible perp_rays_offer(perp_rays *rays, const double *u, bool last);

/* The same for boxes of any size, by the given interior point method: phase_one.c. Decides nothing if
 * the entries of A are not available. If *feasible is PERP_FEASIBLE_NOT already, looks for a certificate
 * that fits into doubles. */
perp_error perp_farkas_search(perp_run *run, const perp_method *interior, perp_feasible *feasible,
                              const double **u);

/* Ends the run if there is no solution: infeasible, or unsolvable if u does not fit into doubles. */
void perp_farkas_claim(perp_run *run, perp_feasible feasible, const double *u);
