/* options.c: the caller's options and results, and their handling in every call that solves */
#include "base/parameter.h"
#include "base/sized.h"
#include "method/run/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The last field must end where the struct ends: a field added in padding would not change the
 * size, and the library would read bytes that older clients never set. */
#define ENDS_WITH(type, field)                                                                     \
  _Static_assert(sizeof(void *) < 8 ||                                                             \
                     offsetof(type, field) + sizeof(((type *)0)->field) == sizeof(type),           \
                 #type " has padding at its end")
ENDS_WITH(perp_options, verbose);
ENDS_WITH(perp_result, floor);
ENDS_WITH(perp_progress, relative_residual);

void perp_options_init(perp_options *options, size_t size)
{
  const perp_options defaults = {.tol = 1e-8, .threads = 1};
  if (options)
    perp_sized_write(&defaults, sizeof defaults, options, size);
}

void perp_options_copy_sized(const perp_options *from, perp_options *to, size_t size)
{
  perp_options own = perp_options_default();
  if (from)
    perp_sized_read("perp_options", from, &own, sizeof own, NULL);
  if (to)
    perp_sized_write(&own, sizeof own, to, size);
}

static void make_empty(perp_result *result)
{
  memset(result, 0, sizeof *result);
  result->size = sizeof *result;
  result->outcome = PERP_NOT_RUN;
  result->residual = result->relative_residual = INFINITY;
  result->scale = 1;
  result->merit = NAN;
}

void perp_result_init(perp_result *result, size_t size)
{
  perp_result empty;
  if (result && size == sizeof *result) {
    make_empty(result);
  } else if (result) {
    make_empty(&empty);
    perp_sized_write(&empty, sizeof empty, result, size);
  }
}

/* ---- Verbose output ---- */

void perp_log_to_stderr(void *context, perp_log_level level, const char *line)
{
  (void)context;
  fprintf(stderr, level == PERP_LOG_WARNING ? "warning: %s\n" : "%s\n", line);
}

bool perp_verbose_observe(void *context, const perp_progress *p)
{
  perp_verbose *v = context;
  char line[120], merit[24] = "";
  if (!v->begun)
    v->logger(v->logger_context, PERP_LOG_INFO, " iteration    residual       merit    seconds");
  v->begun = true;
  if (!isnan(p->merit))
    snprintf(merit, sizeof merit, "%.3e", p->merit);
  snprintf(line, sizeof line, "%10lld  %10.3e  %10s  %9.3g", (long long)p->iteration, p->residual,
           merit, p->seconds);
  if (p->iteration % v->every == 0)
    v->logger(v->logger_context, PERP_LOG_INFO, line);
  return !v->observer || v->observer(v->observer_context, p);
}

/* Makes a copy of the options whose observer also writes lines. */
static void begin_verbose(perp_call *call)
{
  perp_options *own = &call->own_options;
  if (call->options != own)
    *own = *call->options;
  call->options = own;
  if (!own->logger)
    own->logger = perp_log_to_stderr;
  call->verbose = (perp_verbose){.logger = own->logger,
                                 .logger_context = own->logger_context,
                                 .observer = own->observer,
                                 .observer_context = own->observer_context,
                                 .every = own->verbose};
  own->observer = perp_verbose_observe;
  own->observer_context = &call->verbose;
  own->verbose = 0; /* inner solves do not print again */
}

bool perp_call_begin(perp_call *call, const perp_options *options, perp_result *result)
{
  if (!result || !perp_sized_is_sane(result->size))
    return false;
  call->callers = result;
  if (result->size == sizeof *result) {
    make_empty(result);
    call->result = result;
  } else {
    make_empty(&call->own_result);
    call->result = &call->own_result;
  }
  call->options = options;
  if (!options || options->size != sizeof *options) {
    call->own_options = perp_options_default();
    call->options = &call->own_options;
    if (options && perp_sized_read("perp_options", options, &call->own_options, sizeof *options,
                                   &call->result->message) != PERP_OK)
      call->options = NULL;
  }
  if (call->options && call->options->verbose > 0)
    begin_verbose(call);
  return true;
}

static void tell(const perp_result *r, const char *name, perp_error error, const perp_options *o)
{
  char line[640];
  snprintf(line, sizeof line, "%s: %s: %s", name,
           error ? perp_error_name(error) : perp_outcome_name(r->outcome), r->message.text);
  const bool good = !error && r->outcome == PERP_SOLVED;
  o->logger(o->logger_context, good ? PERP_LOG_INFO : PERP_LOG_WARNING, line);
}

perp_error perp_call_end(perp_call *call, const char *name, perp_error error)
{
  if (name && call->options && call->options->logger)
    tell(call->result, name, error, call->options);
  if (call->result != call->callers)
    perp_sized_write(call->result, sizeof *call->result, call->callers, call->callers->size);
  return error;
}

void perp_method_describe(const perp_method *m, perp_method_info *info, size_t size)
{
  if (!info)
    return;
  perp_method_info own;
  memset(&own, 0, sizeof own); /* also the padding: the caller gets every byte */
  if (m) {
    own.name = m->name;
    own.title = m->title;
    own.family = m->family;
    own.source = m->source;
    own.takes = m->takes;
    own.needs = m->needs;
    own.max_iterations = m->max_iterations;
    own.most_unknowns = m->most_unknowns;
    own.iteration = m->iteration;
    own.works = m->works;
    own.parameters = m->parameters;
    own.reference = m->reference;
  }
  perp_sized_write(&own, sizeof own, info, size);
}

void perp_method_defaults(const perp_method *method, void *parameters)
{
  if (method->preset)
    memcpy(parameters, method->preset, method->parameter_bytes);
  perp_parameters_default(method->parameters, parameters);
}

void perp_counts_add(perp_counts *to, const perp_counts *of)
{
  to->sweeps += of->sweeps;
  to->applies += of->applies;
  to->checks += of->checks;
  to->pivots += of->pivots;
  to->factorisations += of->factorisations;
  to->solves += of->solves;
  to->cycles += of->cycles;
  to->restarts += of->restarts;
}

perp_error perp_options_check(const perp_options *o, perp_message *why)
{
  if (!(o->tol >= 0) || isinf(o->tol))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "tol = %g must be finite and >= 0", o->tol);
  if (o->max_iterations < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "max_iterations = %lld is below 0",
                     (long long)o->max_iterations);
  if (!(o->time_limit >= 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "time_limit = %g must be >= 0 seconds",
                     o->time_limit);
  if (!(o->merit_tol >= 0) || !(o->merit_rel_tol >= 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "merit_tol = %g, merit_rel_tol = %g: both must be >= 0", o->merit_tol,
                     o->merit_rel_tol);
  if (o->check_every < -1 || o->stagnation < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "check_every = %d must be >= -1, stagnation = %d must be >= 0", o->check_every,
                     o->stagnation);
  if (o->verbose < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "verbose = %lld is below 0", (long long)o->verbose);
  if (o->threads < 1 || o->threads > 1024)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "threads = %d is not in 1 .. 1024", o->threads);
  return PERP_OK;
}

const char *perp_outcome_name(perp_outcome outcome)
{
  static const char *const names[] = {
      "not-run",    "solved",        "iteration-limit", "time-limit",    "stagnated",
      "diverged",   "local-minimum", "non-descent",     "ray",           "infeasible",
      "non-finite", "stopped",       "merit-reached",   "refuted",       "unsolvable",
      "precision",  "unbounded",     "infeasible-ray",  "unbounded-ray", "not-convex",
  };
  return outcome <= PERP_NOT_CONVEX ? names[outcome] : "unknown";
}
