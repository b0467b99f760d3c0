/* square.h: the square problem of a model
 *
 *   find z with  lo <= z <= hi  and  F_j(z) = factor_j (c_row(j)(x(z)) - shift_j)  complementary
 *
 * The unknowns z are the variables that presolve has neither fixed nor eliminated, in their order. */
#pragma once

#include "model/nl/nl.h"

typedef struct nl_square {
  perp_arena memory;
  const perp_nl *model;
  int n;
  int *variable; /* n: of each unknown */
  int *row;      /* n: a row of the model, or -1 - v if F_j is the variable v */
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
