/* murty.c: least-index principal pivoting
 *
 * Of all rows that are wrong the first one changes its place (exchange.c defines wrong rows and
 * their new places). For a P-matrix this is finite from any start (Murty 1974): between two moves
 * of the last row the rows before it form a smaller problem with a P-matrix, and its solution is
 * unique; along those solutions y_n strictly increases with x_n, so that the last row moves at most
 * three times. The same argument holds with upper bounds and free rows (Judice, Pires 1992). 2^n
 * pivots in the worst case, n or so for most problems.
 *
 * A repeated basis shows that A is not a P-matrix, or that rounding decides. One pivot: k^2 to 6
 * k^2 for the factor, k = |F|, and a product with A. Workspace: the factor. */
#include "method/pivoting/exchange.h"

static perp_error pivot(perp_exchange *e)
{
  perp_exchange_state state = perp_exchange_begin(e);
  while (state == PERP_EXCHANGE_OK) {
    const int wrong = perp_exchange_wrong(e);
    if (!perp_best_show(&e->best, e->run, e->x, e->y, wrong))
      break;
    if (wrong == 0) {
      if (!perp_exchange_recentre(e, &state)) {
        if (state == PERP_EXCHANGE_OK)
          perp_exchange_give_up(e);
        break;
      }
    } else if (!perp_exchange_first(e, &state)) {
      break;
    }
  }
  return state == PERP_EXCHANGE_ERROR ? e->error : PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  (void)params;
  perp_exchange e;
  bool go_on;
  perp_error error = perp_exchange_open(&e, run, x, false, &go_on);
  e.follow = true;
  if (!error && go_on)
    error = pivot(&e);
  perp_exchange_close(&e);
  return error;
}

const perp_method perp_method_murty = {
    .name = "murty",
    .title = "least-index principal pivoting",
    .family = "pivoting",
    .reference = true,
    .source = "murty-1974",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_ROW,
    .max_iterations = 100000,
    .iteration = "exchanges the first row whose sign is wrong",
    .works = "P-matrices; symmetric positive semi-definite ones by proximal steps",
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
