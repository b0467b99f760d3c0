/* subspace/friction.c: see friction.h
 *
 * With friction a face says of each contact whether it is apart (x = 0), sticks (y = 0 in its rows)
 * or slides (y_n = 0, the tangents at their bounds, which follow the normal). There is no phi to
 * minimise: Coulomb's law is no gradient, and the forces of a face need not be unique, but the
 * velocities are. One cycle:
 *
 *   1. z^0 = k_gs sweeps by contact from x, each contact solved exactly (blocks.h);
 *   2. proximal steps from z^0 (proximal.h): with z = x* - (A x + b) / E and E = theta A_cc the law
 *      itself, x = Pi(z), says what contacts do, Newton's method on that face is solved in the
 *      velocities of the bodies, and Pi is the projection after which the face is another one.
 *      k_sm factors, and k_sm more as long as they halve the natural residual;
 *   3. x <- the iterate of the least natural residual since z^0.
 *
 * Caution and damping are one: 1 / theta is the number of sweeps after which a contact is taken to be
 * where y takes it, and E the diagonal that A_FF is raised by. theta begins at 1e-3; it stays, or
 * falls with what the steps reached, if a cycle halved the residual, and triples if not. Beyond 0.1
 * steps do no more than sweeps, and it begins anew.
 *
 * Acceleration: x <- P(z + beta (z - z before)), beta = |g|^2 / |g before|^2 of the steps g of two
 * sweeps, unless that is above 1; the last two sweeps are plain.
 *
 * A cycle does not raise the residual by its steps, but sweeps may, and nothing is promised. Measured
 * on contact operators to 1e-8, factors of this and of ipm: hexagonal piles with cones, of 200 balls 17
 * and 25 to 81 and 33 (two seeds), of 400 balls 93 and 144 to 66 and 212; walls of 10 x 8 bricks that
 * are let go, 122 to 35 with cones and 561 to 114 with a friction index. Walls do not come down to the
 * ten or so of walls without friction: of the 853 contacts of one of 10 x 8 bricks 97 stick and 171
 * slide in the end, 462 equations for 480 velocities. There is hardly a redundant one among them, so
 * that each contact on the wrong side moves all of the wall, and 200 sweeps more change the residual
 * by a few percent. Not solved: piles of 1,000 balls (3e-3 after 36 s), walls of 25 x 20 bricks that
 * are pushed, with mu = 0.5 (2e-5 after 13 s), stacks with a mass ratio of 1e4.
 *
 * Cost of a cycle: the sweeps, the factors, some products with A. Workspace: 16 n, T and the factor
 * of the proximal steps, the diagonal blocks of the sweeps. */
#include "method/subspace/friction.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/blocks.h"
#include "method/contact/proximal.h"

typedef struct cycle {
  perp_run *run;
  const perp_cycle_plan *plan;
  int n;
  perp_contacts contacts;
  perp_coupled *system;
  perp_proximal *polish;
  perp_blocks *blocks;
  perp_block_sweeps sweeps;
  double *x, *y; /* x is the caller's */
  double *before;
} cycle;

/* Step 1; false if the run is over. */
static bool identify(cycle *s)
{
  perp_relaxer *relaxer = s->sweeps.relaxer->relaxer;
  double last = INFINITY;
  perp_relaxer_load(relaxer);
  perp_copy(s->n, s->x, s->before);
  for (int k = 1; k <= s->plan->sweeps && !perp_run_expired(s->run); k++) {
    s->blocks->moved = 0;
    s->run->count.sweeps +=
        perp_block_sweep(&s->sweeps, NULL, s->blocks->list.count, perp_blocks_solve, s->blocks);
    const double beta = s->blocks->moved / last;
    last = s->blocks->moved;
    if (!s->plan->accelerate || k + 1 >= s->plan->sweeps)
      continue;
    if (beta <= 1)
      perp_blocks_extrapolate(relaxer, beta, s->before, s->n);
    else
      perp_copy(s->n, s->x, s->before);
  }
  perp_relaxer_store(relaxer);
  if (perp_run_expired(s->run))
    return false;
  perp_run_gradient(s->run, s->x, s->y);
  return perp_run_next(s->run, s->x, s->y);
}

static void run_cycles(cycle *s)
{
  const double first = 1e-3, most = 0.1, rise = 3, effect = 0.5;
  double theta = first;
  while (identify(s)) {
    const double swept = perp_problem_residual(s->run->problem, s->x, s->y), began = theta;
    double residual = swept, before;
    s->run->count.cycles++;
    do {
      if (s->plan->factors == 0)
        break;
      before = residual;
      residual = perp_proximal_steps(s->polish, s->system, &theta, s->plan->factors, s->x, s->y);
      if (perp_run_expired(s->run))
        return;
    } while (residual < effect * before);
    if (residual < effect * swept)
      theta = perp_min(theta, began);
    else
      theta = rise * began > most ? first : rise * began;
  }
}

static perp_error prepare(cycle *s)
{
  perp_run *run = s->run;
  perp_error error = perp_contacts_list(run, &s->contacts);
  if (error)
    return error;
  s->polish = perp_proximal_open(run, &s->contacts);
  if (!s->polish || !PERP_TAKE_REALS(run->arena, (size_t)s->n, &s->y, &s->before))
    return perp_run_no_memory(run);
  error = perp_blocks_create(run, s->x, 1, false, &s->blocks);
  if (error || perp_run_expired(run))
    return error;
  s->blocks->omega = 1;
  return perp_blocks_sweeps(run, s->x, &s->blocks->list, PERP_BLOCKS_FORWARD, &s->sweeps);
}

perp_error perp_subspace_friction(perp_run *run, const perp_cycle_plan *plan, double *x)
{
  cycle s = {.run = run, .plan = plan, .n = run->problem->K.n, .x = x};
  perp_error error = prepare(&s);
  if (error || perp_run_expired(run))
    return error;
  perp_run_gradient(run, x, s.y);
  if (!perp_run_next(run, x, s.y))
    return PERP_OK;
  error = perp_coupled_open(run, &s.contacts, &s.system);
  if (!error && !perp_run_expired(run))
    run_cycles(&s);
  perp_coupled_close(s.system);
  return error;
}
