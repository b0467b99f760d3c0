/* blockpivot.c: block principal pivoting
 *
 * All rows that are wrong change their places at once (exchange.c defines wrong rows and their new
 * places), which usually ends after about ten steps for any n, and cycles on some P-matrices. So a
 * step that brings the number of wrong rows below the least so far is always followed by another
 * one; after `trials` steps that fail to do so only the first wrong row is exchanged, Murty's
 * finite rule, until the number falls (Kostreva 1978; Judice, Pires 1994; Portugal, Judice, Vicente
 * 1994). Finite for P-matrices. A symmetric matrix gets a proximal term before that: block steps
 * rarely fail on proximal problems, whose condition is better.
 *
 * Problems of up to 32 rows use small_box.c first. Dense matrices: Cholesky of A_FF, updated if
 * few rows move, or LU if A is not symmetric. Compressed rows in a band of at most eight diagonals
 * a side: banded LU, symmetric or not. Other symmetric operators: sparse factors of A_FF in one
 * fill-reducing order. One step: a factorisation and a few products with A. Workspace: the
 * factor. */
#include "method/pivoting/blockpivot_device.h"
#include "method/pivoting/exchange.h"
#include "method/pivoting/small_pivots.h"

#include <limits.h>

typedef struct {
  int trials;
} blockpivot_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(blockpivot_parameters, trials, 10, 0, 1000000,
                 "block steps that do not lower the number of wrong rows, before single exchanges"),
    {0},
};

static perp_error pivot(perp_exchange *e, perp_run *run, int trials)
{
  int least = INT_MAX, left = trials;
  bool single = false, proximal = trials > 0;
  perp_exchange_state state = perp_exchange_begin(e);
  while (state == PERP_EXCHANGE_OK) {
    const int wrong = perp_exchange_wrong(e);
    if (!perp_best_show(&e->best, e->run, e->x, e->y, wrong))
      break;
    if (wrong < least) {
      least = wrong;
      left = trials;
      single = trials == 0;
      e->follow = single || e->minor.symmetric;
    }
    if (wrong == 0) {
      if (perp_exchange_recentre(e, &state)) {
        least = INT_MAX;
      } else if (state == PERP_EXCHANGE_OK && proximal && !perp_run_expired(run)) {
        proximal = false; /* proximal steps fail: the finite rule, for the problem itself */
        trials = 0;
        least = INT_MAX;
        state = perp_exchange_drop_proximal_term(e);
      } else {
        if (state == PERP_EXCHANGE_OK && !perp_pivot_twice(e))
          perp_exchange_give_up(e);
        break;
      }
    } else if (left > 0) {
      left--;
      state = perp_exchange_rows(e, wrong, e->wrong);
    } else if (!single && proximal && perp_exchange_add_proximal_term(e, &state)) {
      least = INT_MAX;
    } else if (!single) {
      single = e->follow = true;
      perp_cycle_forget(&e->cycle, e->hash);
    } else if (!perp_exchange_first(e, &state)) {
      break;
    }
  }
  return state == PERP_EXCHANGE_ERROR ? e->error : PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const blockpivot_parameters *par = params;
  if (p->K.n <= PERP_SMALL_BOX && perp_small_box(run, x, par->trials))
    return PERP_OK;
  perp_exchange e;
  bool go_on;
  perp_error error = perp_exchange_open(&e, run, x, true, &go_on);
  e.follow = e.minor.symmetric;
  if (!error && go_on)
    error = pivot(&e, run, par->trials);
  perp_exchange_close(&e);
  return error;
}

static perp_error solve_device(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  return perp_blockpivot_solve_device(run, p, ((const blockpivot_parameters *)params)->trials, x);
}

static perp_error batch_device(perp_device *device, struct perp_job *job, int first, int count,
                               int threads, const void *params, perp_message *why)
{
  return perp_blockpivot_batch_device(device, job, first, count, threads,
                                      ((const blockpivot_parameters *)params)->trials, why);
}

const perp_method perp_method_blockpivot = {
    .name = "blockpivot",
    .title = "block principal pivoting",
    .family = "pivoting",
    .source = "judice-pires-1994",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_ROW,
    .max_iterations = 100000,
    .iteration =
        "x_F = -A_FF^-1 b_F; exchanges all rows of the wrong sign, one at a time where that cycles",
    .works = "P-matrices; symmetric positive semi-definite ones by proximal steps",
    PERP_SOLVES_WITH(blockpivot_parameters),
    .device = &(const perp_method_device){.solve = solve_device, .batch = batch_device},
    .solve_small = perp_small_box_cold,
};
