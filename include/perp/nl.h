/* perp/nl.h: models in the .nl files of AMPL, Pyomo and JuMP
 *
 *   perp_nl *model;
 *   perp_nl_read("model.nl", &model, &why);
 *   perp_nl_start(model, x);
 *   perp_nl_result result = perp_nl_result_empty();
 *   perp_nl_solve(model, NULL, x, y, &result);
 *   perp_nl_sol_write(model, NULL, result.message.text, result.code, x, y, &why);
 *   perp_nl_destroy(model);
 *
 * A model has variables lo <= x <= hi and rows. With c_i the body of row i, a row `5 k j` says
 *
 *   k = 1   c_i >= 0 and x_j >= lo_j, one of them with equality
 *   k = 2   c_i <= 0 and x_j <= hi_j, one of them with equality
 *   k = 3   c_i >= 0 if x_j = lo_j, <= 0 if x_j = hi_j, = 0 between them
 *   k = 0   c_i = 0
 *
 * and every other row L_i <= c_i <= U_i. perp_nl_solve solves:
 *
 *   lcp   complementarity and equations, all bodies linear: by the methods of perp_solve
 *   ncp   the same with nonlinear bodies: by perp_ncp_solve
 *   qp    a convex quadratic objective, linear rows: by perp_qp_solve
 *
 * A maximum matching assigns to each equation a variable that no row complements. perp_nl_solve refuses
 * models that are not square, objectives with complementarity (MPEC), other nonlinear programs, integer
 * variables, logical constraints and imported functions. */
#ifndef PERP_NL_H
#define PERP_NL_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_nl perp_nl;

/* Reads a text or binary file; `path` may lack its ending .nl. Names come from the .col and .row files
 * next to it, if they exist. If the model is not complete, the message names the line, or the byte of a
 * binary file. */
PERP_API perp_error perp_nl_read(const char *path, perp_nl **model, perp_message *why);
PERP_API void perp_nl_destroy(perp_nl *model);

PERP_API int perp_nl_variables(const perp_nl *model);
PERP_API int perp_nl_rows(const perp_nl *model);
/* Writes the name of variable j or row i; x[j] or row[i] if the model has no names. */
PERP_API void perp_nl_variable_name(const perp_nl *model, int j, perp_message *name);
PERP_API void perp_nl_row_name(const perp_nl *model, int i, perp_message *name);
/* x <- the start in the file, 0 for variables without one. */
PERP_API void perp_nl_start(const perp_nl *model, double *x);
/* bodies <- c(x), one number for each row. A body that is not defined at x is NaN or infinite. */
PERP_API perp_error perp_nl_evaluate(const perp_nl *model, const double *x, double *bodies,
                                     perp_message *why);
/* Computes J^T weights, the gradient of the sum of weights_i c_i at x: one number for each variable. */
PERP_API perp_error perp_nl_gradient(const perp_nl *model, const double *x, const double *weights,
                                     double *gradient, perp_message *why);

/* Only from perp_nl_options_default(). */
typedef struct perp_nl_options {
  size_t size;            /* set by the constructor */
  double tol;             /* solved if the residual of perp_nl_judge is at most tol; default 1e-6 */
  int64_t max_iterations; /* 0: the method's own */
  double time_limit;      /* seconds; 0: none */
  const char *method;     /* of perp_solve, perp_ncp_solve or perp_qp_solve; NULL: the default */
  int64_t restarts;       /* ncp: as in perp_ncp_options; -1: its default */
  uint64_t seed;          /* ncp: of the random restarts */
  perp_interrupt interrupted; /* NULL: never */
  void *interrupted_context;
  perp_logger logger; /* NULL: silent, but see verbose */
  void *logger_context;
  int64_t verbose; /* not 0: a line for each iteration, with the worst row and its variable */
} perp_nl_options;

PERP_API void perp_nl_options_init(perp_nl_options *options, size_t size);

static inline perp_nl_options perp_nl_options_default(void)
{
  perp_nl_options options;
  perp_nl_options_init(&options, sizeof options);
  return options;
}

/* Only from perp_nl_result_empty(). */
typedef struct perp_nl_result {
  size_t size; /* set by the constructor */
  perp_outcome outcome;
  int64_t code;     /* AMPL's solve_result_num: 0 solved, 200 infeasible, 300 unbounded, 400 limit,
                         500 failure */
  const char *kind; /* "lcp", "ncp" or "qp" */
  const char *method;  /* the method that found x */
  double residual;     /* of perp_nl_judge; qp: the greatest of its four numbers */
  double objective;    /* 0 without an objective */
  int64_t n, nonzeros; /* of the square problem after presolve */
  int64_t iterations, restarts;
  int64_t evaluations, jacobians;
  double seconds;
  perp_message message; /* one line; says why if the call failed */
} perp_nl_result;

PERP_API void perp_nl_result_init(perp_nl_result *result, size_t size);

static inline perp_nl_result perp_nl_result_empty(void)
{
  perp_nl_result result;
  perp_nl_result_init(&result, sizeof result);
  return result;
}

/* Solves the model. x: the start on entry, the best point found on return. y, one number for each row:
 * c_i(x), less its bound if the row is an equation; qp: the multipliers in AMPL's sign. If an error is
 * returned, x and y are unchanged, and result->message says why. */
PERP_API perp_error perp_nl_solve(const perp_nl *model, const perp_nl_options *options, double *x,
                                  double *y, perp_nl_result *result);

/* Computes the residual of the model as it was read: the greatest of the natural residual of each
 * complementarity row, the violation of every other row, and the violation of each bound. Infinite if a
 * body is not defined. `where`, if not NULL, gets the name of the worst row or variable. Objectives
 * do not count. */
PERP_API perp_error perp_nl_judge(const perp_nl *model, const double *x, double *residual,
                                  perp_message *where, perp_message *why);

/* Writes x and y as AMPL reads them, binary if the model was. path NULL: the model's path with the ending
 * .sol. The file is written under another name and renamed. */
PERP_API perp_error perp_nl_sol_write(const perp_nl *model, const char *path, const char *text,
                                      int64_t code, const double *x, const double *y,
                                      perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
