/* perp/problem.h: complementarity problems, their residuals and merits
 *
 * Find x in K with y = A x + b and -y in N_K(x). perp/set.h has the parts that K is made of. */
#ifndef PERP_PROBLEM_H
#define PERP_PROBLEM_H

#include <perp/operator.h>
#include <perp/set.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_problem {
  const perp_operator *A;
  const double *b;
  perp_set K;
} perp_problem;

/* The plain LCP: x >= 0. */
PERP_API perp_problem perp_problem_lcp(const perp_operator *A, const double *b);
PERP_API perp_problem perp_problem_boxed(const perp_operator *A, const double *b, const double *lo,
                                         const double *hi);
PERP_API perp_problem perp_problem_friction(const perp_operator *A, const double *b,
                                            const double *lo, const double *hi, const int *findex);
/* All rows are cones (n, t, o), one mu each. If n is not a multiple of 3, perp_problem_validate and all
 * solvers refuse the problem. */
PERP_API perp_problem perp_problem_cone(const perp_operator *A, const double *b, const double *mu);
/* Any product of boxes, friction rows and cones in any order: see perp_set. K is copied; n comes from
 * A. */
PERP_API perp_problem perp_problem_product(const perp_operator *A, const double *b,
                                           const perp_set *K);

/* Checks sizes, NaN and infinity in b, lo > hi, friction indices and mu. The operator checked its own
 * entries when it was created. Returns PERP_ERROR_PROBLEM with the row and the value in `why`. */
PERP_API perp_error perp_problem_validate(const perp_problem *p, perp_message *why);

/* Returns the natural residual, max_i |x_i - P_K(x - y)_i|, for y = A x + b. In a cone the term
 * mu |(y_t, y_o)| is first added to y_n (De Saxce). Returns infinity if x or y is not finite. */
PERP_API double perp_problem_residual(const perp_problem *p, const double *x, const double *y);
/* Returns the scale of the residual: max |b_i|, or 1 if b = 0. */
PERP_API double perp_problem_scale(const perp_problem *p);
/* Returns true if residual <= tol * scale, the meaning of "solved" in every call of this library. It is
 * false for an infinite residual, whatever tol, and if a number is NaN. */
PERP_API bool perp_residual_solved(double residual, double tol, double scale);

/* Merit functions. In a row with bounds, mid(x - lo, y, x - hi) replaces min, and Billups' function
 * (1995) replaces that of Fischer and Burmeister. Friction rows use their bounds at x. */
typedef enum perp_merit_kind {
  PERP_MERIT_NATURAL,         /* the natural residual */
  PERP_MERIT_MINMAP,          /* 1/2 sum min(x_i, y_i)^2; cones: their natural map */
  PERP_MERIT_FISCHER,         /* 1/2 sum (x_i + y_i - sqrt(x_i^2 + y_i^2))^2 */
  PERP_MERIT_PENALISED,       /* Chen, Chen, Kanzow: 1/2 sum (xi phi_FB + (1 - xi) x+ y+)^2 */
  PERP_MERIT_COMPLEMENTARITY, /* x^T |A x + b| */
  PERP_MERIT_ENERGY,          /* 1/2 x^T A x + b^T x */
} perp_merit_kind;

/* Only PERP_MERIT_PENALISED reads xi. PERP_ERROR_UNSUPPORTED for the Fischer kinds on cones. */
PERP_API perp_error perp_problem_merit(const perp_problem *p, perp_merit_kind kind, double xi,
                                       const double *x, const double *y, double *value);

/* A problem with its memory and with known facts about it, as readers and generators return it. The
 * instance owns every pointer; each except A and b may be NULL. */
typedef enum perp_kind {
  PERP_KIND_UNKNOWN,
  PERP_KIND_SOLVABLE,   /* exactly one solution */
  PERP_KIND_MULTIPLE,   /* a solution, perhaps more */
  PERP_KIND_INFEASIBLE, /* none */
} perp_kind;

typedef struct perp_instance {
  perp_operator *A;
  double *b, *lo, *hi;
  int *findex;
  double *mu;
  int cones;
  int *cone; /* as in perp_set */
  double *x; /* a known solution */
  double *u; /* certificate of infeasibility, see perp_certificate_judge */
  perp_kind kind;
  char name[64];  /* its origin; "" if unknown */
  int *dim, *law; /* as in perp_set */
  void *reserved[2];
} perp_instance;

/* Returns the problem for a solver; it points to the arrays of the instance. */
PERP_API perp_problem perp_instance_problem(const perp_instance *instance);
PERP_API void perp_instance_destroy(perp_instance *instance);
PERP_API const char *perp_kind_name(perp_kind kind);

/* Properties of A that are cheap to compute; numbers that were not computed are NaN. */
typedef enum perp_definite {
  PERP_DEFINITE_UNKNOWN,
  PERP_DEFINITE_POSITIVE,
  PERP_DEFINITE_SEMI, /* positive semi-definite, up to rounding */
  PERP_DEFINITE_NOT,
} perp_definite;

typedef struct perp_facts {
  size_t size; /* set by perp_problem_facts */
  int n;
  int64_t nonzeros; /* -1: unknown */
  perp_form form;
  int free_rows, friction_rows, cones;
  bool entries_seen; /* the fields down to z_matrix were computed from the entries */
  double asymmetry;  /* max |A_ij - A_ji| / max |A_ij| */
  bool symmetric;    /* asymmetry at most 1e-12 */
  double diagonal_min, diagonal_max;
  int diagonal_zeros, diagonal_negatives;
  bool z_matrix; /* no positive entry off the diagonal */
  /* of the symmetric part (A + A^T)/2 */
  perp_definite definite;
  double eigen_min, eigen_max; /* extreme eigenvalues, NaN if not computed */
  double condition;            /* estimated 2-norm condition number of A; inf: singular */
  bool exact;                  /* from a full factorisation, not from a few Lanczos steps */
} perp_facts;

PERP_API perp_error perp_problem_facts_sized(const perp_problem *p, perp_facts *facts, size_t size,
                                             perp_message *why);

static inline perp_error perp_problem_facts(const perp_problem *p, perp_facts *facts,
                                            perp_message *why)
{
  return perp_problem_facts_sized(p, facts, sizeof *facts, why);
}

PERP_API const char *perp_definite_name(perp_definite definite);

/* Computes all n eigenvalues of the symmetric part (A + A^T)/2, ascending. The absolute error is about
 * the rounding unit times the largest magnitude. A is assembled: 8 n^2 bytes and O(n^3) time. */
PERP_API perp_error perp_operator_spectrum(const perp_operator *A, double *eigenvalues,
                                           perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
