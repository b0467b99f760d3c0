/* newton.c: the warm start and the forcing terms of the Newton methods */
#include "method/newton/newton.h"

#include "base/elementary.h"
#include "method/system/gather.h"
#include "set/set.h"

/* Sweeps divide by the diagonal. */
static bool can_relax(perp_run *run)
{
  const perp_problem *p = run->problem;
  if (perp_set_has_cones(&p->K) || !(perp_operator_abilities(p->A) & PERP_CAN_RELAX))
    return false;
  double *d = perp_run_reals(run, (size_t)p->K.n);
  return d && perp_has_positive_diagonal(p->A, d);
}

perp_error perp_newton_warm(perp_run *run, int sweeps, double *x)
{
  if (sweeps == 0)
    return PERP_OK;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  perp_error error = PERP_OK;
  if (can_relax(run)) {
    perp_relaxer *relaxer = NULL;
    error = perp_run_relaxer(run, x, 1u << PERP_FORWARD, &relaxer);
    for (int k = 0; !error && k < sweeps && !perp_run_expired(run); k++) {
      perp_relax(relaxer, 1, PERP_FORWARD);
      run->count.sweeps++;
    }
    if (!error)
      perp_relaxer_store(relaxer);
  }
  perp_arena_release(run->arena, mark);
  return error;
}

double perp_newton_forcing(double gamma, double norm, double before, double eta_before, double goal)
{
  double eta = gamma;
  if (before > 0) {
    eta = gamma * (norm / before) * (norm / before);
    const double floor = gamma * eta_before * eta_before;
    if (floor > 0.1)
      eta = perp_max(eta, floor);
  }
  eta = perp_max(eta, norm > 0 ? 0.1 * goal / norm : 0);
  return perp_min(eta, gamma);
}
