/* batch_run.c: one problem of a batch: its setup, its range and its result */
#include "frame/batch_run.h"

#include "base/elementary.h"
#include "method/run/method.h"
#include "operator/operator.h"

#include <limits.h>

static perp_error make_world(const perp_batch_run *r, perp_worker *w, int k, perp_message *why)
{
  perp_contact_bodies world = r->worlds;
  const int64_t rows = r->rows[k], freedom = world.freedom;
  world.rows = perp_batch_rows(r, k);
  world.bodies = (int)(r->bodies[k + 1] - r->bodies[k]);
  world.body += 2 * (rows / world.together);
  world.J += 2 * freedom * rows;
  if (world.Minv)
    world.Minv += freedom * freedom * r->bodies[k];
  if (world.C_diagonal)
    world.C_diagonal += rows;
  return w->world ? perp_operator_contact_bodies_replace(w->world, &world, PERP_BORROW, why)
                  : perp_operator_contact_bodies(&world, PERP_BORROW, &w->world, why);
}

static perp_error make_dense(const perp_batch_run *r, perp_worker *w, int k, perp_message *why)
{
  const perp_batch *batch = r->batch;
  const int n = perp_batch_rows(r, k);
  const double *a = batch->A + (batch->same_A ? 0 : r->matrix[k]);
  perp_error error = PERP_OK;
  if (!batch->same_A || !w->has_A)
    error = w->A ? perp_operator_dense_replace(w->A, n, a, n, why)
                 : perp_operator_dense(n, a, n, PERP_BORROW, &w->A, why);
  w->has_A = !error;
  return error;
}

perp_error perp_batch_problem(const perp_batch_run *r, perp_worker *w, int k, perp_problem *p)
{
  const perp_batch *batch = r->batch;
  if (batch->problems) {
    *p = batch->problems[k];
    return PERP_OK;
  }
  const int n = perp_batch_rows(r, k);
  perp_message *why = &w->result.message;
  const perp_error error = r->bodies ? make_world(r, w, k, why) : make_dense(r, w, k, why);
  const int64_t at = r->rows[k], set = batch->same_K ? 0 : at;
  *p = perp_problem_lcp(r->bodies ? w->world : w->A, batch->b + at);
  p->K.n = n;
  p->K.lo = batch->lo ? batch->lo + set : NULL;
  p->K.hi = batch->hi ? batch->hi + set : NULL;
  p->K.findex = batch->findex ? batch->findex + set : NULL;
  if (batch->mu) {
    p->K.mu = batch->mu + set / 3;
    p->K.cones = n / 3;
  }
  return error;
}

int perp_batch_stretch(const perp_batch_run *r, int s)
{
  const int count = r->batch->count;
  const int64_t all = r->matrix[count];
  int low = 0, high = count;
  while (low < high) { /* the first problem k with matrix[k] workers >= s all */
    const int k = low + (high - low) / 2;
    if ((double)r->matrix[k] * r->workers >= (double)all * s)
      high = k;
    else
      low = k + 1;
  }
  return low;
}

void perp_batch_enter(const perp_batch_run *r, perp_worker *w, int k, perp_error error)
{
  const perp_result *result = &w->result;
  if (r->each)
    r->each[k] = (perp_batch_end){.error = error,
                                  .outcome = result->outcome,
                                  .residual = result->residual,
                                  .relative_residual = result->relative_residual,
                                  .iterations = error ? 0 : result->counts.iterations,
                                  .method = error ? NULL : result->method};
  w->residual = perp_max(w->residual, result->residual);
  w->relative_residual = perp_max(w->relative_residual, result->relative_residual);
  if (!error) {
    perp_counts_add(&w->counts, &result->counts);
    w->counts.iterations += result->counts.iterations;
  }
  if (!error && result->outcome == PERP_SOLVED) {
    w->solved++;
  } else if (w->first_failure == INT_MAX) {
    w->first_failure = k;
    w->outcome = error ? PERP_NOT_RUN : result->outcome;
    w->message = result->message;
  }
}
