/* nl.h: a model of an .nl file in memory
 *
 * An expression is a run of nodes in prefix order, so that every argument comes after the node that
 * uses it: values are computed from the last node to the first, adjoints from the first to the
 * last. The first argument of node k is node k + 1. */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "io/mtx.h"
#include "method/run/method.h"
#include <perp/ncp.h>
#include <perp/nl.h>
#include <perp/qp.h>

enum { NL_NUMBER = -1, NL_VARIABLE = -2, NL_OPERATORS = 82 };
/* The operators of polynomials. */
enum { NL_PLUS, NL_MINUS, NL_TIMES, NL_DIVIDE, NL_POWER = 5, NL_NEGATE = 16, NL_SUM = 54 };

typedef struct nl_node {
  int op;    /* an operator, or one of the two above */
  int count; /* of its arguments */
  int at;    /* the node after its last argument; the constant; the variable */
} nl_node;

/* Returns the node after node k and all below it: the next argument of the same operator. */
static inline int64_t nl_after(const nl_node *node, int64_t k)
{
  return node[k].count > 0 ? node[k].at : k + 1;
}

typedef struct nl_range {
  int64_t first, end;
} nl_range;

struct perp_nl {
  perp_arena memory;
  char *path; /* without .nl */
  bool binary;
  int options[10], option_count;
  double tolerance_option; /* the eleventh of AMPL's options, if options[2] is 3 */
  int n, m, objectives, defined;
  int bodies; /* m rows, the objectives, the defined variables n, n + 1, ...: in this order */
  double *lo, *hi, *start; /* n; infinite bounds are INFINITY */
  double *L, *U;           /* m */
  int *partner, *kind;     /* m; the variable of a complementarity row and its k; -1: none */
  bool maximise;           /* objective 0 */
  nl_range *body;          /* the nonlinear part of each */
  nl_node *node;
  double *constant;
  perp_mtx J;         /* the linear part of each; in rows and objectives with nonlinear variables */
  perp_mtx nonlinear; /* the pattern of the nonlinear part of rows and objectives */
  perp_mtx use;       /* the defined variables that these depend on, by places in `order` */
  int *order;         /* the defined variables as they come in the file */
  int64_t most_nodes; /* of one expression */
  int name_count[2];  /* of .col and .row */
  char *names[2];     /* NUL after each; NULL: no such file */
  int64_t *name_at[2]; /* */
};

/* Returns the number of arguments: 1 or 2; 3 for if; -1 if the file says it; 0 for operators that
 * are not supported. */
int nl_operator_arity(int op);
/* "exp"; "o99" has none. */
const char *nl_operator_name(int op);
/* The value, given the values of the arguments. */
double nl_operator_value(int op, int count, const double *arguments);
/* partials_k <- the derivative by argument k. */
void nl_operator_partials(int op, int count, const double *arguments, double value,
                          double *partials);

/* Returns the body of defined variable v, counted from 0. */
static inline int nl_definition(const perp_nl *model, int v)
{
  return model->m + model->objectives + v;
}

/* ---- evaluate.c ---- */

/* Memory of one evaluation at a time. */
typedef struct nl_work {
  double *value, *adjoint;           /* of the nodes of one expression */
  double *defined, *defined_adjoint; /* of the defined variables */
  double *gradient;                  /* n, 0 between calls */
  double *argument, *partial;
} nl_work;

bool nl_work_take(const perp_nl *model, perp_arena *arena, nl_work *work);
/* Computes the defined variables at x; before the next two. */
void nl_prepare(const perp_nl *model, nl_work *work, const double *x);
/* Row or objective i. */
double nl_body(const perp_nl *model, nl_work *work, const double *x, int i);
/* values <- the entries of row i, in the pattern of J. */
void nl_row_gradient(const perp_nl *model, nl_work *work, const double *x, int i, double *values);
/* Adds to work->gradient: weight times the gradient of a term without defined variables; the
 * gradient of the nonlinear part of row i. */
void nl_term_gradient(const perp_nl *model, nl_work *work, const double *x, nl_range term,
                      double weight);
void nl_nonlinear_gradient(const perp_nl *model, nl_work *work, const double *x, int i);
/* Returns true if body i has no nonlinear part; a constant is not one. */
bool nl_is_linear(const perp_nl *model, int i);
/* Makes J of the linear parts that were read, the pattern of the nonlinear parts and the uses of
 * defined variables. Returns false when out of memory. */
bool nl_link(perp_nl *model, perp_triplets *linear);

/* stub and ending, to be freed; NULL when out of memory. */
char *nl_path_with(const char *stub, const char *ending);

/* ---- The square problem of a model (square.c) ----
 *
 *   find z with  lo <= z <= hi  and  F_j(z) = factor_j (c_row(j)(x(z)) - shift_j)  complementary
 *
 * The unknowns z are the variables that presolve has neither fixed nor eliminated, in their order. */

typedef struct nl_square {
  perp_arena memory;
  const perp_nl *model;
  int n;
  int *variable; /* n: of each unknown; the next arrays are by variable until all are found */
  int *row;      /* n: a row of the model, -1 - v if F_j is the variable v, or none yet */
  int *named;    /* n: the row that messages name */
  double *factor, *shift;
  double *lo, *hi;         /* the bounds of the model */
  double *row_lo, *row_hi; /* the bounds that row j complements; the others must hold, too */
  bool sides;              /* some bounds are not complemented */
  bool linear;             /* all F_j are */
  int *unknown;            /* of each variable of the model; -1: none */
  double *x;               /* n of the model: fixed values, 0 for eliminated variables */
  int eliminated;          /* variables that a row defines: x_v = (L_row - rest) / a */
  int *eliminated_variable, *eliminated_row;
  double *eliminated_a;
  int64_t *start; /* the Jacobian by unknowns */
  int *column;
  bool infeasible; /* presolve found a row that cannot hold; `why` names it */
} nl_square;

/* Makes the square problem. An error names the rows and variables that are left over. */
perp_error nl_square_make(const perp_nl *model, nl_square *square, perp_message *why);
void nl_square_free(nl_square *square);
/* x <- all variables of the model, given z and the defined values at it. `work` is prepared there. */
void nl_square_expand(const nl_square *square, nl_work *work, const double *z, double *x);

/* ---- One solve of a model (solve.c) ---- */

typedef struct nl_solve {
  const perp_nl *model;
  perp_nl_options options;
  perp_nl_result *result;
  perp_arena memory;
  nl_work work;
  nl_square square;
  const double *given;            /* the caller's x */
  double *x, *best, *at, *start;  /* variables of the model: at: of the callbacks */
  double *values, *bodies, *y;    /* entries of a row; rows */
  double *z, *F, *J, *last, *ray; /* of the square problem */
  const double *box_lo, *box_hi;  /* its bounds in this attempt */
  int enough;                     /* iterations below the tolerance */
  bool kept;
  perp_outcome outcome;
  perp_message where, said;
  double began;
} nl_solve;

/* An objective without complementarity. */
perp_error nl_solve_program(nl_solve *s);
