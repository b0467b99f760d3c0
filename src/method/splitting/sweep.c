/* sweep.c: sweeps in every order, and the estimate of the relaxation
 *
 * Estimate. For a consistently ordered matrix the spectral radius rho of SOR with relaxation omega
 * and the radius mu of Jacobi belong together (Young 1971),
 *
 *   (rho + omega - 1)^2 = rho omega^2 mu^2      while omega is below the best one,
 *   best omega = 2 / (1 + sqrt(1 - mu^2)),      above it rho = omega - 1,
 *
 * and rho shows in the steps: |x_{k+1} - x_k| shrinks by rho in each sweep in the end. So over a
 * period of sweeps with one omega the first and the last step are measured, rho follows, from it
 * mu and from mu the next omega (Hageman and Young 1981). Since the slow modes come to the fore
 * only by and by, rho is estimated from below and omega rises from 1 period by period. For
 * complementarity problems that is what happens on the face of the solution once it is found.
 *
 * Safeguard. Contact matrices are not consistently ordered and friction bounds move: if the
 * steps grow over a period, omega goes half the way back to 1 and stays a fifth of the
 * way below what it was from then on.
 * Cost: two copies of x in each period of 8 to 50 sweeps. Workspace: n. */
#include "method/splitting/sweep.h"

#include "base/elementary.h"
#include "linalg/vector.h"

const char *const perp_sweep_orders[] = {"forward",   "backward", "coloured",
                                         "symmetric", "random",   NULL};

/* ---- Orders ---- */

enum { COLOURING = 40 }; /* flops that would take as long as an entry does */

static perp_error create_random(perp_run *run, double *x, perp_sweeper *s)
{
  const perp_error error = perp_blocks_create(run, x, 1, true, &s->blocks);
  if (error || perp_run_expired(run))
    return error;
  const perp_error failed =
      perp_blocks_sweeps(run, x, &s->blocks->list, PERP_BLOCKS_RANDOM, &s->random);
  if (!failed)
    s->relaxer = s->random.relaxer->relaxer;
  return failed;
}

/* As perp_relaxer_create wants them. */
static unsigned orders_of(perp_sweep_order order)
{
  return order == PERP_SWEEP_SYMMETRIC ? 1u << PERP_FORWARD | 1u << PERP_BACKWARD
                                       : 1u << (perp_order)order;
}

perp_error perp_sweeper_create(perp_run *run, double *x, perp_sweep_order order, perp_sweeper *s)
{
  *s = (perp_sweeper){.run = run, .order = order, .moved = NAN, .before = NAN};
  if (order == PERP_SWEEP_RANDOM)
    return create_random(run, x, s);
  const perp_operator *A = run->problem->A;
  if (order == PERP_SWEEP_COLOURED && A->table->has_rows &&
      !perp_run_affords(run, COLOURING * (double)A->nonzeros)) {
    perp_run_too_long(run, "a colouring", A->n);
    return PERP_OK;
  }
  return perp_run_relaxer(run, x, orders_of(order), &s->relaxer);
}

/* The residual that a sweep leaves. A sweep finds about what the one before it left, and moves x by
 * as much: with the steps e_1 and e_2 of the last two it leaves about e_2 (e_2 / e_1). */
static double left_over(const perp_sweeper *s)
{
  return s->moved < s->before ? s->moved * (s->moved / s->before) : s->moved;
}

enum { FEW = 16 }; /* sweeps that tell when to check; later on checks are rare by themselves */

bool perp_sweeper_next(perp_sweeper *s)
{
  const double residual = s->sweeps < FEW ? left_over(s) : (double)NAN;
  return perp_run_next_iterate(s->run, perp_iterate_swept(s->relaxer, residual));
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
    s->run->count.sweeps++;
    s->blocks->omega = omega;
    perp_block_sweep(&s->random, NULL, s->blocks->list.count, perp_blocks_solve, s->blocks);
  } else if (s->order == PERP_SWEEP_SYMMETRIC) {
    relax(s, omega, PERP_FORWARD);
    relax(s, omega, PERP_BACKWARD);
  } else {
    relax(s, omega, (perp_order)s->order);
  }
}

bool perp_sweeper_few(perp_run *run, double *x, perp_sweep_order order, double omega)
{
  perp_sweeper s = {.run = run, .order = order, .moved = NAN, .before = NAN};
  const perp_problem *p = run->problem;
  if (perp_relaxer_create("", p->A, p->b, &p->K, x, 1, orders_of(order), run->arena, &s.relaxer,
                          NULL))
    return false;
  while (s.sweeps < FEW && !(left_over(&s) <= run->target)) {
    perp_sweeper_sweep(&s, omega);
    run->count.iterations++;
  }
  perp_relaxer_store(s.relaxer);
  return s.sweeps < FEW;
}

/* ---- Relaxation found on the run ---- */

enum { SHORTEST = 8, LONGEST = 50 };

perp_error perp_tuner_create(perp_run *run, perp_tuner *t)
{
  *t = (perp_tuner){.omega = 1, .most = 1.98, .period = SHORTEST};
  t->before = perp_run_reals(run, (size_t)run->problem->K.n);
  return t->before ? PERP_OK : perp_run_no_memory(run);
}

/* omega for the next period, from the steps of the last. */
static void tune(perp_tuner *t, double last)
{
  const double ratio = last / t->first;
  if (!(ratio < 1)) {
    t->most = 1 + 0.8 * (t->omega - 1);
    t->omega = 1 + (t->omega - 1) / 2;
    return;
  }
  const double rho = perp_pow(ratio, 1.0 / (t->period - 2));
  if (!(rho > t->omega - 1) || rho == 0)
    return; /* at its best already, or beyond */
  /* mu^2 = (rho + omega - 1)^2 / (rho omega^2) */
  const double sum = rho + t->omega - 1;
  const double mu2 = perp_min(sum * sum / (rho * t->omega * t->omega), 1 - 1e-9);
  t->omega = perp_min(perp_max(t->omega, 2 / (1 + sqrt(1 - mu2))), t->most);
}

void perp_tuner_sweep(perp_tuner *t, perp_sweeper *s)
{
  const int n = s->run->problem->K.n;
  /* the first sweep of a period still carries the old omega: measure from the second on */
  const bool first = t->sweeps == 1, last = t->sweeps == t->period - 1;
  if (first || last) {
    perp_relaxer_store(s->relaxer);
    perp_copy(n, s->relaxer->x, t->before);
  }
  perp_sweeper_sweep(s, t->omega);
  t->sweeps++;
  if (!first && !last)
    return;
  perp_relaxer_store(s->relaxer);
  perp_subtract(n, s->relaxer->x, t->before, t->before);
  const double step = perp_norm2(n, t->before);
  if (first) {
    t->first = step;
    return;
  }
  tune(t, step);
  t->sweeps = 0;
  t->period = t->period * 3 / 2 < LONGEST ? t->period * 3 / 2 : LONGEST;
}
