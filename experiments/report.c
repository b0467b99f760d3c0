/* report.c: what an experiment tells its report: words, claims, tables */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "kit/html.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

void experiment_text(experiment *e, const char *format, ...)
{
  char text[2000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fputs("<p>", e->body);
  html_escape(e->body, text);
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
    html_escape(t->page, heading);
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
  html_escape(t->page, text);
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
    html_escape(e->body, t->title);
    fprintf(e->body, " (<a href=\"%s-%s.csv\">csv</a>)</caption>\n%s</table>\n", e->info->name,
            t->name, t->html);
  }
  free(t->html);
  free(t);
}
