/* report.c: what an experiment tells its report, tables, and the run of all of them */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct experiment_table {
  experiment *owner;
  FILE *csv;
  char name[80], title[200];
  int columns, filled;
  char *html; /* the table of the report as it grows */
  size_t html_size;
  FILE *page;
};

void report_fail(experiment *e, const char *what, const char *detail)
{
  if (!e->failed)
    snprintf(e->why, sizeof e->why, "%.200s: %.180s", what, detail);
  e->failed = true;
}

experiment_size experiment_size_of(const experiment *e)
{
  return e->report->call->size;
}

int experiment_pick(const experiment *e, int quick, int normal, int full)
{
  return e->report->call->size == EXPERIMENT_QUICK    ? quick
         : e->report->call->size == EXPERIMENT_NORMAL ? normal
                                                      : full;
}

bool experiment_progress(experiment *e, double share)
{
  report *r = e->report;
  if (r->call->progress && !r->call->progress(e->info->name, r->run, r->wanted, share))
    r->stopped = true;
  return !r->stopped;
}

bool experiment_stopped(const experiment *e)
{
  return e->report->stopped;
}

/* ---- Words ---- */

void report_escape(FILE *out, const char *text)
{
  for (; *text; text++)
    switch (*text) {
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '&':
      fputs("&amp;", out);
      break;
    default:
      fputc(*text, out);
    }
}

void experiment_text(experiment *e, const char *format, ...)
{
  char text[2000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fputs("<p>", e->body);
  report_escape(e->body, text);
  fputs("</p>\n", e->body);
}

void experiment_claim(experiment *e, unsigned kind, bool holds, const char *format, ...)
{
  report *r = e->report;
  if (r->claims == REPORT_CLAIMS) {
    report_fail(e, "too many claims", e->info->name);
    return;
  }
  report_claim *c = &r->claim[r->claims++];
  *c = (report_claim){.experiment = e->info, .kind = kind, .holds = holds};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->text, sizeof c->text, format, arguments);
  va_end(arguments);
}

void experiment_why(experiment *e, const char *format, ...)
{
  const size_t used = strlen(e->why_they_differ);
  if (used)
    strcpy(e->why_they_differ + used, " ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(e->why_they_differ + used + (used > 0), sizeof e->why_they_differ - used - 1, format,
            arguments);
  va_end(arguments);
}

/* ---- Tables ---- */

experiment_table *experiment_table_begin(experiment *e, const char *name, const char *title,
                                         const char *columns)
{
  char path[4096];
  experiment_table *t = calloc(1, sizeof *t);
  snprintf(path, sizeof path, "%s/%s-%s.csv", e->report->call->folder, e->info->name, name);
  if (t) {
    t->csv = fopen(path, "w");
    t->page = open_memstream(&t->html, &t->html_size);
  }
  if (!t || !t->csv || !t->page) {
    report_fail(e, path, strerror(errno));
    if (t && t->csv)
      fclose(t->csv);
    if (t && t->page)
      fclose(t->page);
    if (t)
      free(t->html);
    free(t);
    return NULL;
  }
  t->owner = e;
  snprintf(t->name, sizeof t->name, "%s", name);
  snprintf(t->title, sizeof t->title, "%s", title);
  fprintf(t->csv, "%s\n", columns);
  fputs("<tr>", t->page);
  for (const char *at = columns; at;) {
    const int length = (int)strcspn(at, ",");
    char heading[80];
    snprintf(heading, sizeof heading, "%.*s", length, at);
    fputs("<th>", t->page);
    report_escape(t->page, heading);
    fputs("</th>", t->page);
    t->columns++;
    at = at[length] ? at + length + 1 : NULL;
  }
  fputs("</tr>\n", t->page);
  return t;
}

static void begin_cell(experiment_table *t)
{
  fputs(t->filled ? "," : "", t->csv);
  fputs(t->filled ? "<td>" : "<tr><td>", t->page);
}

static void end_cell(experiment_table *t)
{
  fputs("</td>", t->page);
  if (++t->filled == t->columns) {
    fputs("\n", t->csv);
    fputs("</tr>\n", t->page);
    t->filled = 0;
  }
}

void experiment_cell_text(experiment_table *t, const char *text)
{
  if (!t)
    return;
  begin_cell(t);
  /* a comma would begin another cell */
  const char *quote = strchr(text, ',') ? "\"" : "";
  fprintf(t->csv, "%s%s%s", quote, text, quote);
  report_escape(t->page, text);
  end_cell(t);
}

void experiment_cell(experiment_table *t, double value)
{
  if (!t)
    return;
  begin_cell(t);
  if (!isnan(value)) {
    fprintf(t->csv, "%.10g", value);
    fprintf(t->page, "%.4g", value);
  }
  end_cell(t);
}

void experiment_row(experiment_table *t, int count, const double *values)
{
  for (int k = 0; k < count; k++)
    experiment_cell(t, values[k]);
}

void experiment_table_end(experiment_table *t, bool hidden)
{
  if (!t)
    return;
  experiment *e = t->owner;
  if (fclose(t->csv) != 0)
    report_fail(e, t->name, strerror(errno));
  fclose(t->page);
  if (!hidden) {
    fputs("<table><caption>", e->body);
    report_escape(e->body, t->title);
    fprintf(e->body, " (<a href=\"%s-%s.csv\">csv</a>)</caption>\n%s</table>\n", e->info->name,
            t->name, t->html);
  }
  free(t->html);
  free(t);
}

/* ---- The run ---- */

bool report_wants(const experiments_call *call, const experiment_info *info)
{
  bool wanted = call->count == 0;
  for (int m = 0; m < call->count; m++)
    wanted = wanted || strcmp(call->names[m], info->name) == 0;
  return wanted;
}

/* One experiment into the page. Where it was stopped or failed its claims are not counted. */
static perp_error run_one(report *r, const experiment_info *info, FILE *body, perp_message *why)
{
  const int first = r->claims;
  experiment *e = calloc(1, sizeof *e);
  if (!e)
    return PERP_ERROR_MEMORY;
  *e = (experiment){.report = r, .info = info, .body = body};
  report_begin_section(e);
  perp_error error = info->run(e, why);
  if (!error && e->failed) {
    snprintf(why->text, sizeof why->text, "%s: %.400s", info->name, e->why);
    error = PERP_ERROR_FILE;
  }
  r->stopped = r->stopped || error;
  report_end_section(e, first);
  if (r->stopped)
    r->claims = first;
  else
    r->run++;
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

/* The page as far as it is; an error of the run is told before one of the page. */
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
