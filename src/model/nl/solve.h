/* solve.h: one solve of a model */
#pragma once

#include "method/run/method.h"
#include "model/nl/square.h"
#include <perp/ncp.h>
#include <perp/qp.h>

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
