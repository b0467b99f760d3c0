/* solve_files.c: the files that perp solve writes */
#include "solve.h"

#include <string.h>

perp_error solve_prepare_outputs(const solve_request *r, solve_work *w, perp_message *why)
{
  app_output trace = {""};
  perp_error error = PERP_OK;
  if (r->out)
    error = app_output_prepare(r->out, &w->out, why);
  if (r->out_y && !error)
    error = app_output_prepare(r->out_y, &w->out_y, why);
  if (r->out_u && !error)
    error = app_output_prepare(r->out_u, &w->out_u, why);
  if (r->out_low && !error)
    error = app_output_prepare(r->out_low, &w->out_low, why);
  if (r->trace && !error)
    error = app_output_prepare(r->trace, &trace, why);
  if (error)
    return error;
  for (int k = 0; k < r->parts.count; k++) {
    if (r->out && app_is_input(r->parts.paths[k], w->out.path, true))
      return app_say(why, PERP_ERROR_ARGUMENT, r->out, ": --out would overwrite the problem");
    if (r->trace && app_is_input(r->parts.paths[k], trace.path, true))
      return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the problem");
  }
  if (r->out && app_is_input(r->where, w->out.path, false))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out, ": --out would overwrite the problem");
  if (r->out_y && app_is_input(r->where, w->out_y.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out_y, ": --out-y would overwrite the problem");
  if (r->out_u && app_is_input(r->where, w->out_u.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out_u, ": --out-u would overwrite the problem");
  if (r->out_low && app_is_input(r->where, w->out_low.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out_low, ": --out-low would overwrite the problem");
  if (!r->trace)
    return PERP_OK;
  if (app_is_input(r->where, trace.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the problem");
  if (r->start && app_is_input(r->start, trace.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the start");
  if (r->out && (strcmp(r->out, r->trace) == 0 || app_is_input(w->out.path, trace.path, true)))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --out and --trace are the same file");
  return app_file_open(trace.path, &w->trace, why);
}

/* One vector of the result, with a line that says where it is from. */
static perp_error write_vector(const solve_request *r, const solve_work *w, const char *path, int n,
                               const double *v, perp_message *why)
{
  char comment[200];
  snprintf(comment, sizeof comment, "perp %s, method %s: %s, natural residual %.3g", perp_version(),
           r->method, perp_outcome_name(w->result.outcome), w->result.residual);
  return app_vector_write(path, n, v, comment, why);
}

bool solve_has_certificate(const solve_work *w)
{
  return w->result.outcome == PERP_INFEASIBLE && w->u;
}

perp_error solve_write_outputs(const solve_request *r, solve_work *w, int n, perp_message *why)
{
  perp_error error = PERP_OK;
  if (w->trace.stream)
    error = app_file_close(&w->trace, why);
  const struct {
    const char *asked, *path;
    const double *v;
  } vectors[] = {{r->out, w->out.path, w->x},
                 {r->out_y, w->out_y.path, w->y},
                 {r->out_low, w->out_low.path, w->low},
                 {solve_has_certificate(w) ? r->out_u : NULL, w->out_u.path, w->u}};
  for (int k = 0; k < 4; k++) {
    const perp_error written =
        vectors[k].asked ? write_vector(r, w, vectors[k].path, n, vectors[k].v, why) : PERP_OK;
    error = written ? written : error;
  }
  return error;
}
