/* run.c: the experiments that are wanted, one after the other, into one report */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One experiment into the page. If it was stopped or failed, its claims are not counted. */
static perp_error run_one(report *r, const experiment_info *info, FILE *body, perp_message *why)
{
  const int first = r->claims;
  experiment *e = calloc(1, sizeof *e);
  if (!e)
    return PERP_ERROR_MEMORY;
  *e = (experiment){.report = r, .info = info, .body = body};
  report_begin_section(e);
  info->run(e);
  const perp_error error = e->error;
  *why = e->why;
  r->stopped = r->stopped || error;
  report_end_section(e, first);
  if (r->stopped)
    r->claims = first;
  else
    r->run++;
  report_free(e);
  free(e);
  return error;
}

static experiments_verdict verdict_of(const report *r)
{
  experiments_verdict v = {.claims = r->claims, .run = r->run, .wanted = r->wanted};
  for (int k = 0; k < r->claims; k++) {
    v.held += r->claim[k].holds;
    v.failed += (r->claim[k].kind & CLAIM_MUST) && !r->claim[k].holds;
  }
  return v;
}

/* Writes the page so far; an error of the run takes precedence over an error of the page. */
static perp_error write_so_far(const report *r, FILE *body, char *const *text, perp_error error,
                               perp_message *why)
{
  perp_message page_why = {""};
  perp_error page_error =
      fflush(body) == 0 ? report_write_page(r, *text ? *text : "", &page_why) : PERP_ERROR_MEMORY;
  if (!error && page_error)
    *why = page_why;
  return error ? error : page_error;
}

perp_error experiments_run(const experiments_call *call, experiments_verdict *verdict,
                           perp_message *why)
{
  *verdict = (experiments_verdict){0};
  if (mkdir(call->folder, 0777) != 0 && errno != EEXIST) {
    snprintf(why->text, sizeof why->text, "%.300s: %.100s", call->folder, strerror(errno));
    return PERP_ERROR_FILE;
  }
  report *r = calloc(1, sizeof *r);
  char *text = NULL;
  size_t length = 0;
  FILE *body = open_memstream(&text, &length);
  perp_error error = r && body ? PERP_OK : PERP_ERROR_MEMORY;
  if (!error) {
    r->call = call;
    for (int k = 0; experiments[k]; k++)
      r->wanted += report_wants(call, experiments[k]);
    error = write_so_far(r, body, &text, PERP_OK, why); /* can it be written at all? */
  }
  for (int k = 0; !error && experiments[k] && !r->stopped; k++)
    if (report_wants(call, experiments[k])) {
      error = run_one(r, experiments[k], body, why);
      error = write_so_far(r, body, &text, error, why);
    }
  if (r)
    *verdict = verdict_of(r);
  if (body)
    fclose(body);
  free(text);
  free(r);
  return error;
}
