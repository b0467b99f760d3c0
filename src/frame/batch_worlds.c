/* batch_worlds.c: a batch of contact worlds as kernels take it (method/splitting/world/world.h)
 *
 * A world that is larger than kernels can take does not count for the memory of a team: it alone is
 * refused. */
#include "frame/batch_run.h"
#include "method/splitting/world/world.h"

struct perp_world_job perp_batch_world_job(const perp_batch_run *r, double *y,
                                           struct perp_job_end *end)
{
  const perp_batch *batch = r->batch;
  const perp_options *o = r->options;
  const perp_contact_bodies *w = &r->worlds;
  const int64_t most =
      o->max_iterations > 0 ? o->max_iterations : perp_solver_method(r->model).max_iterations;
  perp_world_job job = {.count = batch->count,
                        .rows = batch->rows ? r->rows : NULL,
                        .bodies = batch->bodies ? r->bodies : NULL,
                        .freedom = w->freedom,
                        .together = w->together,
                        .body = w->body,
                        .J = w->J,
                        .Minv = w->Minv,
                        .C = w->C_diagonal,
                        .cfm = w->C_diagonal ? 0 : w->cfm,
                        .b = batch->b,
                        .lo = batch->lo,
                        .hi = batch->hi,
                        .findex = batch->findex,
                        .mu = batch->mu,
                        .same_K = batch->same_K,
                        .x = r->x,
                        .y = y,
                        .end = end,
                        .tol = o->tol,
                        .most = most < PERP_WORLD_SWEEPS ? (int)most : PERP_WORLD_SWEEPS};
  for (int k = 0; k < batch->count; k++) {
    const int n = perp_batch_rows(r, k), m = (int)(r->bodies[k + 1] - r->bodies[k]);
    if (perp_world_fits(n, m)) {
      job.n = n > job.n ? n : job.n;
      job.m = m > job.m ? m : job.m;
    }
  }
  /* without lists of offsets all are as large as the first, whether they fit or not */
  if (!job.rows)
    job.n = batch->n;
  if (!job.bodies)
    job.m = w->bodies;
  return job;
}

perp_error perp_batch_show_worlds(perp_batch_run *r, perp_message *why)
{
  perp_contact_bodies *w = &r->worlds;
  const size_t rows = (size_t)r->rows[r->batch->count], freedom = (size_t)w->freedom;
  const size_t bodies = (size_t)r->bodies[r->batch->count], real = sizeof(double);
  perp_error error = perp_batch_show(r, w->J, 2 * freedom * rows * real, (const void **)&w->J, why);
  if (!error)
    error = perp_batch_show(r, w->Minv, freedom * freedom * bodies * real, (const void **)&w->Minv,
                            why);
  if (!error)
    error = perp_batch_show(r, w->C_diagonal, rows * real, (const void **)&w->C_diagonal, why);
  if (!error)
    error = perp_batch_show(r, w->body, 2 * (rows / (size_t)w->together) * sizeof *w->body,
                            (const void **)&w->body, why);
  return error;
}
