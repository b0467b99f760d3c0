/* perp/ncp.h: nonlinear complementarity problems
 *
 *   lo <= x <= hi,   F_i(x) >= 0 if x_i = lo_i,  <= 0 if x_i = hi_i,  = 0 between them
 *
 * F and its Jacobian are callbacks. A bound of magnitude >= 1e300 is infinite: a row without bounds is
 * an equation. Solved means that the natural residual, max |x_i - mid(lo_i, x_i - F_i, hi_i)| with F
 * evaluated again, is at most tol. */
#ifndef PERP_NCP_H
#define PERP_NCP_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A callback returns 0, or PERP_NCP_UNDEFINED if F or its Jacobian is not defined at this x (such as the
 * derivative of a root at 0). If F is undefined, the step is shortened; if the Jacobian is, finite
 * differences replace it. A value that is not finite means the same. Any other return value ends the
 * solve with PERP_ERROR_CALLBACK. */
enum { PERP_NCP_UNDEFINED = 1 };

typedef int (*perp_ncp_function)(void *context, const double *x, double *F);
/* Writes J_ij = dF_i / dx_j: dense by rows, or the values of the compressed rows. All are 0 on entry. */
typedef int (*perp_ncp_jacobian)(void *context, const double *x, double *J);

/* Only from perp_ncp_default(). All arrays are the caller's. Callbacks see only x within the bounds. */
typedef struct perp_ncp {
  size_t size; /* set by the constructor */
  int64_t n;
  const double *lo;           /* n, NULL: 0 */
  const double *hi;           /* n, NULL: +inf */
  perp_ncp_function F;        /* */
  perp_ncp_jacobian jacobian; /* NULL: by differences of F, column by column */
  const int64_t *start;       /* compressed rows of the Jacobian, n + 1; NULL: it is dense */
  const int *column;          /* ascending in each row */
  void *context;              /* of both callbacks */
} perp_ncp;

PERP_API void perp_ncp_init(perp_ncp *ncp, size_t size);

/* Returns a problem with no rows and x >= 0. */
static inline perp_ncp perp_ncp_default(void)
{
  perp_ncp ncp;
  perp_ncp_init(&ncp, sizeof ncp);
  return ncp;
}

/* Methods, by name:
 *
 *   auto      josephy, josephy after three proximal steps, interior, homotopy and minmap in turn,
 *             first from the start, then from random perturbations of it. The default.
 *   josephy   Newton's method for the problem: each step solves F(x) + F'(x) (z - x) as a linear
 *             problem with the same bounds (Josephy 1979), with a line search on the merit 1/2 |phi|^2
 *             of Fischer and Burmeister. If z is not found, or the merit does not decrease, it makes
 *             a step of `fischer`.
 *   fischer   semismooth Newton on phi(x) = 0 (De Luca, Facchinei, Kanzow 1996)
 *   minmap    Newton on x = mid(lo, x - F, hi), a Newton step in the rows between bounds (Pang 1990)
 *   homotopy  follows the solutions of F(x) + tau (x - x0), x0 the start, from a large tau down to 0,
 *             by steps of `fischer` (Facchinei, Kanzow 1999)
 *   interior  an interior point method, then `fischer`: for large monotone F (Wright, Ralph 1996)
 *
 * If a method stops at a point where its merit does not decrease, or its residual hardly falls in 40
 * iterations, it restarts from a random perturbation of the start, up to `restarts` times. */
typedef struct perp_ncp_options {
  size_t size;            /* set by the constructor */
  double tol;             /* default 1e-8 */
  int64_t max_iterations; /* of each attempt; default 300 */
  double time_limit;      /* seconds; 0: none */
  int64_t restarts;       /* default 5 */
  uint64_t seed;          /* of the random restarts */
  const char *linear;     /* josephy: method for the linear problems; NULL: "auto", 30 iterations */
  perp_observer observer; /* after each iteration; NULL: none */
  void *observer_context; /* */
  perp_interrupt interrupted; /* NULL: never */
  void *interrupted_context;
  perp_logger logger; /* NULL: silent, but see verbose */
  void *logger_context;
  int64_t verbose; /* iterations between log lines, as in perp_options; 0: none */
} perp_ncp_options;

PERP_API void perp_ncp_options_init(perp_ncp_options *options, size_t size);

static inline perp_ncp_options perp_ncp_options_default(void)
{
  perp_ncp_options options;
  perp_ncp_options_init(&options, sizeof options);
  return options;
}

/* Only from perp_ncp_result_empty(). */
typedef struct perp_ncp_result {
  size_t size; /* set by the constructor */
  perp_outcome outcome;
  const char *method; /* of the last attempt */
  double residual;    /* natural, of the x returned, with F evaluated again */
  double seconds;
  perp_counts counts;             /* iterations and restarts; solves: systems and linear problems */
  int64_t evaluations, jacobians; /* of F and of its Jacobian */
  int64_t undefined;              /* points at which F was not defined */
  double linear_seconds;          /* spent in linear problems and systems */
  int64_t differences;            /* 1 if finite differences replaced the Jacobian at some points */
  perp_message message;
} perp_ncp_result;

PERP_API void perp_ncp_result_init(perp_ncp_result *result, size_t size);

static inline perp_ncp_result perp_ncp_result_empty(void)
{
  perp_ncp_result result;
  perp_ncp_result_init(&result, sizeof result);
  return result;
}

/* Returns the name of a method, NULL after the last. */
PERP_API const char *perp_ncp_method_name(int index);

/* Solves the problem. x holds the start on entry, which is projected onto the bounds, and the best
 * iterate on return. method NULL: auto. If an error is returned, x is unchanged and result->message
 * says why. */
PERP_API perp_error perp_ncp_solve(const char *method, const perp_ncp *ncp,
                                   const perp_ncp_options *options, double *x,
                                   perp_ncp_result *result);

/* Computes the natural residual at any x. */
PERP_API perp_error perp_ncp_judge(const perp_ncp *ncp, const double *x, double *residual,
                                   perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
