/* friction_cycles.c: subspace minimisation for problems with friction
 *
 * With friction a face states for each contact whether it is open (x = 0), sticks (y = 0 in its
 * rows) or slides (y_n = 0, the tangents at their bounds, which follow the normal). There is no phi
 * to minimise: Coulomb's law is not a gradient, and the forces of a face need not be unique, but
 * the velocities are. One cycle:
 *
 *   1. z^0 = k_gs sweeps by contact from x, each contact solved exactly (contacts.h);
 *   2. proximal steps from z^0 (coupled.h): with z = x* - (A x + b) / E and E = theta A_cc, the law
 *      x = Pi(z) determines the state of each contact, Newton's method on that face is solved in the
 *      velocities of the bodies, and Pi is the projection that leads to the next face.
 *      k_sm factors, and k_sm more while they halve the natural residual;
 *   3. x <- the iterate with the lowest natural residual since z^0.
 *
 * theta is both caution and damping: 1 / theta is the number of sweeps after which y would have
 * moved a contact to its new state, and E is the diagonal added to A_FF. theta begins at 1e-3. If a
 * cycle halved the residual, theta stays or falls with the progress of the steps; otherwise it
 * triples. Beyond 0.1 steps gain no more than sweeps, and theta begins again.
 *
 * Acceleration: x <- P(z + beta (z - z_before)), beta = |g|^2 / |g_before|^2 of the steps g of two
 * sweeps, unless beta > 1; the last two sweeps are plain.
 *
 * The steps of a cycle do not raise the residual, but sweeps may: convergence is not guaranteed.
 * Piles of 1,000 balls, walls of 25 x 20 bricks that are pushed, and stacks with a mass ratio of
 * 1e4 are not solved.
 *
 * Cost of a cycle: the sweeps, the factors, some products with A. Workspace: 16 n, T and the factor
 * of the proximal steps, the diagonal blocks of the sweeps. */
#include "method/subspace/pgssm.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/contacts.h"
#include "method/contact/coupled.h"

typedef struct cycle {
  perp_run *run;
  int sweeps, factors;
  bool accelerate;
  int n;
  perp_contact_list contacts;
  perp_coupled *system;
  perp_proximal *polish;
  perp_blocks *blocks;
  double *x, *y; /* x is the caller's */
  double *before;
} cycle;

/* Step 1. Returns false if the run is over. */
static bool identify(cycle *s)
{
  perp_relaxer *relaxer = s->blocks->sweeps.relaxer->relaxer;
  double last = INFINITY;
  perp_relaxer_load(relaxer);
  perp_copy(s->n, s->x, s->before);
  for (int k = 1; k <= s->sweeps && !perp_run_expired(s->run); k++) {
    s->blocks->moved = 0;
    perp_blocks_sweep(s->run, s->blocks);
    const double beta = s->blocks->moved / last;
    last = s->blocks->moved;
    if (!s->accelerate || k + 1 >= s->sweeps)
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
      if (s->factors == 0)
        break;
      before = residual;
      residual = perp_proximal_steps(s->polish, s->system, &theta, s->factors, s->x, s->y);
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
  perp_error error = perp_contact_list_create(run, &s->contacts);
  if (error)
    return error;
  s->polish = perp_proximal_open(run, &s->contacts);
  if (!s->polish || !PERP_TAKE_REALS(run->arena, (size_t)s->n, &s->y, &s->before))
    return perp_run_no_memory(run);
  return perp_blocks_open(run, s->x, 1, false, PERP_BLOCKS_FORWARD, &s->blocks);
}

perp_error perp_subspace_friction(perp_run *run, int sweeps, int factors, bool accelerate,
                                  double *x)
{
  cycle s = {.run = run,
             .sweeps = sweeps,
             .factors = factors,
             .accelerate = accelerate,
             .n = run->problem->K.n,
             .x = x};
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
