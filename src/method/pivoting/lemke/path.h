/* path.h: the path of almost complementary bases that Lemke's method follows */
#pragma once

#include "method/pivoting/cycle.h"
#include "method/pivoting/lemke/basis.h"

typedef enum perp_lemke_ending {
  PERP_LEMKE_GOING,
  PERP_LEMKE_BASIS,    /* z0 left: a complementary basis */
  PERP_LEMKE_RAY,      /* nothing blocks the entering variable */
  PERP_LEMKE_CYCLE,    /* a basis repeated: rounding broke the lexicographic order */
  PERP_LEMKE_SINGULAR, /* a basis that is singular up to rounding */
  PERP_LEMKE_LOST,     /* basic variables turned out negative */
  PERP_LEMKE_STOPPED,  /* by the driver: limits, observer */
} perp_lemke_ending;

typedef struct perp_lemke_path {
  perp_lemke basis;
  int64_t limit;      /* iterations */
  const int *is_free; /* n: rows of free variables; their x is always basic */
  int *fixed;         /* the free rows that are not in C */
  int fixed_count;
  double *w, *w_rate;   /* n: in the rows whose w_i is basic */
  double unit;          /* x = column_scale z unit, y = (w - d z0) unit / row_scale */
  double *x, *y, shown; /* n: the best point, for an observer; its residual */
  int entering;         /* z_entering, or w_entering */
  bool entering_w;
  bool fresh;    /* values and rates are refined */
  uint64_t hash; /* of the basis */
  perp_cycle cycle;
  int64_t steps;    /* pivots on this path */
  int *candidate;   /* n + 1: the ties; w_i as i, places of C as ~place */
  double *blocking; /* n + 1: their rates of decrease */
} perp_lemke_path;

/* Pivots from the current basis and entering variable until the path ends. */
perp_error perp_lemke_follow(perp_lemke_path *t, perp_lemke_ending *ending);

/* Computes x of the current basis in the problem's units, with negative values of bounded variables
 * set to 0. */
void perp_lemke_point(const perp_lemke_path *t, double *x);
/* Builds a regular C of the free variables and, if necessary, some bounded ones. Free rows outside
 * C depend on the others, and their w is always 0. */
perp_error perp_lemke_place_free(perp_lemke_path *t, bool *regular);
/* Rewrites the run's problem without friction indices (friction.c) and solves it by `method`, which
 * is lemke; the start has been shown. */
perp_error perp_lemke_solve_friction(perp_run *run, const perp_method *method,
                                     const void *parameters, double *x);
/* Recomputes w from zeta. */
void perp_lemke_recompute(perp_lemke_path *t);
