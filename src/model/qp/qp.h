/* model/qp/qp.h: a quadratic program as its methods see it
 *
 *   minimise 1/2 x^T P x + q^T x   subject to   L <= (x, G x) <= U
 *
 * One vector of n + m numbers holds the bounds of x, then the bounds of the rows of G. The
 * multipliers v have the same layout: P x + q + v_x + G^T v_g = 0, v_k > 0 only at U_k and v_k < 0
 * only at L_k.
 *
 * Methods work on a scaled copy, in which the rows of (P G^T; G 0) have entries near 1:
 *
 *   x = D_x x',   P' = D_x P D_x,   G' = D_g G D_x,   v_x = v_x' / D_x,   v_g = D_g v_g'
 *
 * with powers of two, which round nothing. The verdict uses the unscaled data. */
#pragma once

#include "base/clock.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/message.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "method/run/method.h"
#include "verdict/verdict.h"
#include <perp/qp.h>

/* Compressed rows. */
typedef struct perp_qp_rows {
  int rows, columns;
  int64_t *start;
  int *column;
  double *value;
} perp_qp_rows;

/* y <- y + A x and y <- y + A^T x */
static inline void perp_qp_add(const perp_qp_rows *A, const double *x, double *y)
{
  perp_csr_add(A->rows, A->start, A->column, A->value, x, y);
}

static inline void perp_qp_add_t(const perp_qp_rows *A, const double *x, double *y)
{
  perp_csr_add_t(A->rows, A->start, A->column, A->value, x, y);
}

/* t <- (x, G x) */
void perp_qp_extend(const perp_qp_rows *G, const double *x, double *t);
/* y <- y + A x, each row summed in twice the precision and rounded once */
void perp_qp_add_exact(const perp_qp_rows *A, const double *x, double *y);

/* ---- The factor ---- */

/* L D L^T of a symmetric matrix in which only the diagonal changes; see system.c. */
typedef struct perp_qp_factor perp_qp_factor;

/* A is symmetric, given by all its entries; its diagonal is ignored. Memory comes from the arena
 * and lives as long. Returns NULL when out of memory. */
perp_qp_factor *perp_qp_factor_create(const perp_qp_rows *A, perp_arena *arena);
/* Factors A with this diagonal, which may be infinite; sign[i] is the sign of its i-th pivot.
 * Replaces a pivot that does not exceed `least` with its sign by sign * replace. Returns the number
 * of replacements, and in *first, which may be NULL, the first of them; -1 if the alarm rang. */
int perp_qp_factorise(perp_qp_factor *f, const double *diagonal, const signed char *sign,
                      double least, double replace, const perp_alarm *alarm, int *first);
void perp_qp_factor_solve(perp_qp_factor *f, double *x);
/* The flops of perp_qp_factorise over those of perp_qp_factor_solve. */
double perp_qp_factor_work(const perp_qp_factor *f);
/* After the pivot of row `first` was replaced: computes d, n numbers, with d^T A d = that pivot. */
void perp_qp_factor_direction(perp_qp_factor *f, int first, double *d);

/* ---- The system of a step ----
 *
 *   (P + diag(sigma_x)   G^T              ) (dx)   (rx)
 *   (G                   -diag(1/sigma_g) ) (dv) = (rv)
 *
 * sigma_x infinite: dx = 0; sigma_g = 0: dv = 0; sigma_g infinite: an equation. */

/* ---- A solve in progress ---- */

typedef struct perp_qp_scaled {
  perp_qp_rows P, G, T; /* T: G^T */
  double *q, *L, *U;
  double *diagonal; /* of P */
  double P_max;
  double unit, unit_dual; /* sizes below which x and v count as zero */
} perp_qp_scaled;

/* The proximal term of a new solve: entries of the scaled matrix are near 1. */
static const double PERP_QP_DELTA = 1e-9;

enum { PERP_QP_KRYLOV = 16 }; /* GMRES steps */

/* The bound that a row is on. */
enum { PERP_QP_LOWER = -1, PERP_QP_INSIDE = 0, PERP_QP_UPPER = 1 };

/* A row that presolve.c took out. */
enum { PERP_QP_CUT_LOW = 1, PERP_QP_CUT_HIGH = 2 };
typedef struct perp_qp_cut {
  int row;
  int column; /* that got its bounds; -1: the row is forcing */
  int side; /* forcing: 1 if it is at its upper bound, else -1; or the bounds that were passed on */
} perp_qp_cut;

struct perp_qp_solver {
  perp_arena arena;
  int n, m;
  const perp_operator *applied; /* P, if its entries are not available; the caller's */
  double *applied_scratch;
  perp_qp_rows P, G, T; /* T: G^T */
  double *q, *L, *U;    /* n, n + m */
  double *low, *high;   /* n + m: L and U, or what presolve.c left of them */
  perp_qp_cut *cut;     /* m */
  int cuts, *fixed_by;  /* number of cuts; n: the cut that fixed x_j, or -1 */
  double P_max;         /* max |P_ij| */
  double *D;            /* scaling: n + m numbers */
  perp_qp_scaled scaled;
  perp_qp_factor *factor; /* of (P G^T; G 0) */
  double delta;           /* the proximal term of the factor */
  double damping;         /* the least proximal term of rows of G */
  double rho;             /* of ipm.c: G x - t = rho v; otherwise 0 */
  double goal[2];         /* residuals that a step may leave, of x and of rows */
  bool exact;             /* GMRES removes the proximal term of a step */
  double *krylov;         /* for GMRES */
  bool factored;          /* for the set `factored_side`, by active.c */
  signed char *factored_side;
  signed char *sign;         /* n + m: +1, -1 */
  double *sigma, *weight;    /* n + m: of the current system; the diagonal of its factor */
  double *own;               /* n + m: sigma_x, 1/sigma_g; 0 if infinite, or not in the system */
  double *work[14];          /* n + m each, for ipm */
  double *bound[9];          /* 2 (n + m) each, for ipm */
  int *bound_row;            /* 2 (n + m) */
  double *step[4];           /* n + m each, for solves with refinement and for rays */
  int *part;                 /* n + m, for rays */
  double *y[6];              /* n + m each, for the verdict */
  double *x, *v;             /* the iterate of the method, scaled: n, n + m */
  double *shown_x, *shown_v; /* the iterate of the last verdict, unscaled */
  double *best_x, *best_v;   /* the best iterate, unscaled */
  double *ray;               /* max(n, m) */
  signed char *guess;        /* n + m: the set guessed by ipm */
  signed char *side;         /* n + m: the bounds of the last solution */
  bool warm;                 /* there is a last solution */
  bool convex;
  double curvature;   /* d^T P d / d^T d of the direction in `ray`, if not convex */
  int not_convex_row; /* the row whose pivot shows it */
  perp_message method_name;
};

/* The verdict as defined in <perp/qp.h>. */
typedef struct perp_qp_verdict {
  double objective, primal, dual, gap, complementarity, primal_scale, dual_scale;
} perp_qp_verdict;

/* Nothing is known yet. */
static inline perp_qp_verdict perp_qp_verdict_none(void)
{
  return (perp_qp_verdict){NAN, INFINITY, INFINITY, INFINITY, INFINITY, 1, 1};
}

static inline double perp_qp_worst(const perp_qp_verdict *t)
{
  const double parts[] = {t->primal, t->dual, t->gap, t->complementarity};
  double worst = 0;
  for (int k = 0; k < 4; k++)
    worst = parts[k] <= worst ? worst : parts[k] > worst ? parts[k] : INFINITY;
  return worst;
}

static inline bool perp_qp_solved(const perp_qp_verdict *t, double tol)
{
  return perp_verdict_solved(perp_qp_worst(t), tol);
}

void perp_qp_verdict_report(const perp_qp_verdict *t, perp_qp_result *result);
/* Names the numbers that are above tol, with their values. */
void perp_qp_verdict_explain(const perp_qp_verdict *t, double tol, perp_message *why);

/* Returns the smallest unit in which bounds and objective measure x, 1 if neither does; *dual: the
 * unit of the gradient. They keep scales away from 0 if x and v tend to it. */
double perp_qp_unit(int n, int all, const double *q, const double *L, const double *U, double P_max,
                    double *dual);
/* Judges x and v, in the units of the data. */
perp_error perp_qp_verdict_of(perp_qp_solver *s, const double *x, const double *v,
                              perp_qp_verdict *t, perp_message *why);

typedef struct perp_qp_run {
  perp_qp_solver *solver;
  const perp_qp_options *options;
  double start;
  int64_t iterations, factorisations, solves, max_iterations;
  perp_outcome claim;   /* of a method that ends on its own */
  perp_qp_verdict best; /* of best_x, best_v */
  int64_t rounds;       /* exchanges of active.c */
  bool stopped;         /* by the time limit or the caller */
  bool by_time;
  bool proven;  /* the ray of an infeasible or unbounded problem is an exact proof */
  bool told;    /* a verbose line was written */
  bool by_sets; /* rounds of active.c are the iterations */
  perp_message why;
  perp_error error;
} perp_qp_run;

/* Returns true if the time limit is reached or the caller stops the solve. */
bool perp_qp_expired(perp_qp_run *run);
perp_alarm perp_qp_run_alarm(perp_qp_run *run);
/* Shows the scaled iterate (s->x, s->v) to the driver. Returns true if it is a solution. */
bool perp_qp_show(perp_qp_run *run);

/* Sets the iterate to x and v, in the units of the data. */
void perp_qp_take_iterate(perp_qp_solver *s, const double *x, const double *v);

/* Writes a verbose line, if requested: the method's own residual, and its step or NaN. */
void perp_qp_tell(perp_qp_run *run, int64_t iteration, double residual, double step);

/* Solves the system of s->sigma, with the proximal term s->delta, for (rx, rv) in r, n + m numbers,
 * by the current factor and refinement; the result is in r. Returns the largest remaining residual,
 * relative to r, which need not be smaller than `enough`. */
double perp_qp_system_solve(perp_qp_run *run, double *r, double enough);
/* The same without refinement. */
void perp_qp_system_solve_once(perp_qp_run *run, double *r);
/* The same without the proximal term: the residual stays large if that system is singular. */
double perp_qp_system_solve_exact(perp_qp_run *run, double *r);
/* Factors the system of s->sigma. Returns false if it was stopped. */
bool perp_qp_system_factorise(perp_qp_run *run);

/* The methods. Each chooses its start, shows its iterates, and ends with a claim. */
void perp_qp_ipm(perp_qp_run *run);
/* Starts from the bounds in s->side; at most `most` rounds. */
void perp_qp_active(perp_qp_run *run, int most);
void perp_qp_admm(perp_qp_run *run);
/* Runs a method of the registry on the optimality conditions as a mixed problem, or on the dual. */
void perp_qp_registered(perp_qp_run *run, const char *method);

/* Makes the factor for the set s->side, unless it is the current one. Returns false if it was
 * stopped. */
bool perp_qp_set_factorise(perp_qp_run *run);
/* Exchanges rows from s->side and the current iterate. Returns true if solved; otherwise a claim
 * says how it ended. */
bool perp_qp_active_rounds(perp_qp_run *run, int most);

/* Tests if d^T P d < 0 for some d; sets curvature and ray then. Returns an error if out of
 * memory. */
perp_error perp_qp_convex(perp_qp_solver *s, perp_message *why);

/* Tries a ray in the units of the data, as given and with its digits rounded. If it is a proof,
 * claims the outcome and stores it in s->ray. */
bool perp_qp_claim_ray(perp_qp_run *run, perp_outcome outcome, const double *ray);
/* Tries the vertex of the cone of rays near z, m numbers in the units of the data. If it is a proof,
 * claims PERP_INFEASIBLE, with the ray if doubles hold it. */
bool perp_qp_prove_vertex(perp_qp_run *run, const double *z);
/* Small programs: decides exactly if there is a feasible point, and a ray. */
void perp_qp_decide(perp_qp_run *run);

/* The optimality conditions as a complementarity problem; see mixed.c. */
typedef struct perp_qp_mixed {
  perp_operator *A;
  double *b, *lo, *hi; /* in the given arena */
  int rows;
  int *of_row; /* m: the row of v_g, -1: no bounds */
} perp_qp_mixed;
perp_error perp_qp_mixed_make(const perp_qp_solver *s, perp_arena *arena, perp_qp_mixed *mixed,
                              perp_message *why);

/* ---- The data ---- */

perp_error perp_qp_validate_bounds(const char *low, const char *high, int n, const double *lo,
                                   const double *hi, perp_message *why);
/* Creates a solver with the data that perp_qp_verdict_of needs, checked. To be destroyed after an
 * error, too. */
perp_error perp_qp_read(const perp_qp *from, perp_qp_solver **solver, perp_message *why);
void perp_qp_set_bounds(int n, const double *lo, const double *hi, double *L, double *U);

bool perp_qp_take_rows(perp_arena *arena, int rows, int columns, int64_t entries, perp_qp_rows *A);

/* Writes sign times row i of `from`, its columns moved by `shift`, to A from entry `at` on; returns the
 * entry behind it. */
static inline int64_t perp_qp_append(const perp_qp_rows *A, int64_t at, const perp_qp_rows *from,
                                     int i, int shift, double sign)
{
  for (int64_t e = from->start[i]; e < from->start[i + 1]; e++, at++) {
    A->column[at] = from->column[e] + shift;
    A->value[at] = sign * from->value[e];
  }
  return at;
}

/* Compute D and the scaled copy; and only the vectors, after they have changed. presolved: with the
 * bounds that presolve.c leaves. */
bool perp_qp_scale(perp_qp_solver *s);
void perp_qp_scale_vectors(perp_qp_solver *s, bool presolved);

/* Tightens s->low and s->high, which are L and U before. */
void perp_qp_presolve(perp_qp_solver *s);
/* Multipliers (w, z) of the program with these bounds become multipliers of the given program. */
void perp_qp_postsolve(const perp_qp_solver *s, double *v);
