/* model/qp/ipm.h: the iterate of the interior point method, shared by its files
 *
 *   ipm.c        the first iterate, the iterations, and how they end
 *   ipm_step.c   residuals, Newton's step with its corrections, and its lengths */
#pragma once

#include "model/qp/qp.h"

enum { PERP_QP_PATIENCE = 6 }; /* iterations without progress before something else is tried */

static const double PERP_QP_MOST_DELTA = 1e-6;
/* The least proximal term, and that of an iteration that has stalled once: `fine`. */
static const double PERP_QP_LEAST_DELTA[] = {1e-11, 1e-13};

/* A step of x, t, the v of equations, slacks and multipliers. */
typedef struct perp_qp_step {
  double *x, *t, *v; /* n; n + m; n + m */
  double *w, *z;     /* of each bound */
} perp_qp_step;

/* All arrays are the solver's work. The finite bounds of rows that are not equations are numbered,
 * lower bounds first: bound j, of row row[j], has the slack w_j = t - L or U - t and the multiplier z_j,
 * which is a or b of ipm.c. */
typedef struct perp_qp_interior {
  perp_qp_run *run;
  perp_qp_solver *s;
  int n, all;
  int lowers, bounds; /* numbers of bounds: lower ones, all */
  const int *row;
  double *x, *t, *v;       /* n; n + m; n + m */
  double *w, *inverse, *z; /* of each bound: slack, 1 / slack, multiplier */
  double *e;               /* of each bound: what its product is lowered by */
  perp_qp_step step, spare;
  double *rd, *rp;         /* n; n + m */
  double mu, error;        /* relative to their scales: of r_d, r_p and mu */
  double gap;              /* all products, relative to the objective */
  double dual_scale;       /* of r_d */
  double mu_least;         /* a smaller mu is not needed, and hides r_d and r_p that stay */
  double inaccuracy;       /* of the systems of this iteration */
  int64_t begun;           /* the run's iterations before */
  double start_v, start_x; /* sizes of the first iterate */
  int proofs;              /* number of rays tried */
  double proof_error;      /* of the last ray tried */
  perp_outcome likely;     /* the outcome that an inexact ray suggests */
  double best_verdict, best_error, best_mu; /* as they were last halved */
  int stalled;                              /* iterations since then */
  double last;                              /* length of the last step */
  int fine;                                 /* 1: with a smaller proximal term */
  bool feasible;                            /* r_p is far below tol */
  bool cautious;                            /* about unequal steps */
  bool exact;                               /* GMRES removes the proximal term */
  bool ended;                               /* no more iterations: every proof counts */
  double tried_error; /* when the set was tried as an active set; infinite: was not */
} perp_qp_interior;

static inline bool is_equation(const perp_qp_interior *p, int k)
{
  return p->s->scaled.L[k] == p->s->scaled.U[k];
}

static inline bool has_lower(const perp_qp_interior *p, int k)
{
  return p->s->scaled.L[k] > -INFINITY && p->s->scaled.L[k] < p->s->scaled.U[k];
}

static inline bool has_upper(const perp_qp_interior *p, int k)
{
  return p->s->scaled.U[k] < INFINITY && p->s->scaled.L[k] < p->s->scaled.U[k];
}

static inline bool is_box(const perp_qp_interior *p, int k)
{
  return has_lower(p, k) && has_upper(p, k);
}

/* Computes v, slacks, r_d, r_p, mu and the error of the iterate. */
void perp_qp_interior_residuals(perp_qp_interior *p);
/* Makes one step. Returns false if no step is finite, or if the run was stopped. */
bool perp_qp_interior_step(perp_qp_interior *p);
