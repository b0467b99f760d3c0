/* sweep.c: sweeps over the rows in every order */
#include "method/splitting/sweep.h"

const char *const perp_sweep_orders[] = {"forward",   "backward", "coloured",
                                         "symmetric", "random",   NULL};

/* ---- Orders ---- */

enum { COLOURING = 40 }; /* flops that take as long as one entry */

unsigned perp_sweep_orders_of(perp_sweep_order order)
{
  return order == PERP_SWEEP_SYMMETRIC ? 1u << PERP_FORWARD | 1u << PERP_BACKWARD
                                       : 1u << (perp_order)order;
}

perp_error perp_sweeper_create(perp_run *run, double *x, perp_sweep_order order, perp_sweeper *s)
{
  *s = (perp_sweeper){.run = run, .order = order, .moved = NAN, .before = NAN};
  if (order == PERP_SWEEP_RANDOM) {
    const perp_error error = perp_blocks_open(run, x, 1, true, PERP_BLOCKS_RANDOM, &s->blocks);
    if (!error && !perp_run_expired(run))
      s->relaxer = s->blocks->sweeps.relaxer->relaxer;
    return error;
  }
  const perp_operator *A = run->problem->A;
  if (order == PERP_SWEEP_COLOURED && A->table->has_rows &&
      !perp_run_affords(run, COLOURING * (double)A->nonzeros)) {
    perp_run_too_long(run, "a colouring", A->n);
    return PERP_OK;
  }
  return perp_run_relaxer(run, x, perp_sweep_orders_of(order), &s->relaxer);
}

static void relax(perp_sweeper *s, double omega, perp_order order)
{
  perp_relax(s->relaxer, omega, order);
  s->run->count.sweeps++;
  s->sweeps++;
  s->before = s->moved;
  s->moved = s->relaxer->moved;
}

void perp_sweeper_sweep(perp_sweeper *s, double omega)
{
  if (s->order == PERP_SWEEP_RANDOM) {
    s->blocks->omega = omega;
    perp_blocks_sweep(s->run, s->blocks);
  } else if (s->order == PERP_SWEEP_SYMMETRIC) {
    relax(s, omega, PERP_FORWARD);
    relax(s, omega, PERP_BACKWARD);
  } else {
    relax(s, omega, (perp_order)s->order);
  }
}
