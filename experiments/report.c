/* report.c: what an experiment tells its report: words, claims, tables, plots */
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
  experiment_table *next;
  FILE *csv;
  char name[80], title[200];
  int columns, filled;
  char *html; /* the table of the report as it grows */
  size_t html_size;
  FILE *page;
  int64_t cells, space;
  double *cell; /* row by row, NaN for words: for plots */
};

/* ---- Failure and memory ---- */

void experiment_fail(experiment *e, perp_error error, const char *why)
{
  if (!e->error) {
    e->error = error;
    snprintf(e->why.text, sizeof e->why.text, "%.400s", why);
  }
}

static void fail_file(experiment *e, const char *file)
{
  char why[400];
  snprintf(why, sizeof why, "%.40s: %.200s: %.100s", e->info->name, file, strerror(errno));
  experiment_fail(e, PERP_ERROR_FILE, why);
}

void *experiment_room(experiment *e, size_t count, size_t size)
{
  enum { HEAD = 64 }; /* keeps the alignment of anything */
  void **room = calloc(1, HEAD + count * size);
  if (!room) {
    experiment_fail(e, PERP_ERROR_MEMORY, "");
    return NULL;
  }
  *room = e->room;
  e->room = room;
  return (char *)room + HEAD;
}

static void free_table(experiment_table *t)
{
  free(t->html);
  free(t->cell);
  free(t);
}

void report_free(experiment *e)
{
  while (e->tables) {
    experiment_table *t = e->tables;
    e->tables = t->next;
    free_table(t);
  }
  while (e->room) {
    void **room = e->room;
    e->room = *room;
    free(room);
  }
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
  return !experiment_stopped(e);
}

bool experiment_stopped(const experiment *e)
{
  return e->report->stopped || e->error;
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
    experiment_fail(e, PERP_ERROR_MEMORY, "too many claims");
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
    fail_file(e, path);
    if (t && t->csv)
      fclose(t->csv);
    if (t && t->page)
      fclose(t->page);
    if (t)
      free_table(t);
    return NULL;
  }
  t->owner = e;
  snprintf(t->name, sizeof t->name, "%s", name);
  snprintf(t->title, sizeof t->title, "%s", title ? title : "");
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

static void begin_cell(experiment_table *t, double value)
{
  if (t->cells == t->space) {
    t->space = 2 * t->space + 64;
    double *grown = realloc(t->cell, (size_t)t->space * sizeof *grown);
    if (!grown) {
      experiment_fail(t->owner, PERP_ERROR_MEMORY, t->name);
      t->space = t->cells = 0; /* the plots of it are not wanted any more */
      return;
    }
    t->cell = grown;
  }
  t->cell[t->cells++] = value;
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

void experiment_cell_text(experiment_table *t, const char *format, ...)
{
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!t)
    return;
  begin_cell(t, NAN);
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
  begin_cell(t, value);
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

void experiment_table_end(experiment_table *t)
{
  if (!t)
    return;
  experiment *e = t->owner;
  if (fclose(t->csv) != 0)
    fail_file(e, t->name);
  fclose(t->page);
  if (t->title[0]) {
    fputs("<table><caption>", e->body);
    html_escape(e->body, t->title);
    fprintf(e->body, " (<a href=\"%s-%s.csv\">csv</a>)</caption>\n%s</table>\n", e->info->name,
            t->name, t->html);
  }
  t->next = e->tables;
  e->tables = t;
}

/* ---- Plots ---- */

const experiment_style experiment_lines = {0};
const experiment_style experiment_marked = {.marks = true};
const experiment_style experiment_points = {.points = true};

/* Copies the column of a table; returns the number of values, 0 if the table does not exist. */
static int take_column(experiment *e, const char *name, int column, double **values)
{
  const experiment_table *t = e->tables;
  while (t && strcmp(t->name, name) != 0)
    t = t->next;
  const int rows = t ? (int)(t->cells / t->columns) : 0;
  *values = experiment_room(e, (size_t)rows, sizeof **values);
  for (int k = 0; k < rows && *values; k++)
    (*values)[k] = t->cell[(int64_t)k * t->columns + column - 1];
  return *values ? rows : 0;
}

/* "(csv, 2)": a link for each table. */
static void link_tables(experiment *e, int count, const experiment_line *lines)
{
  int linked = 0;
  for (int k = 0; k < count; k++) {
    int m = 0;
    while (strcmp(lines[m].table, lines[k].table) != 0)
      m++;
    if (m < k)
      continue;
    fprintf(e->body, "%s<a href=\"%s-%s.csv\">", linked++ ? ", " : " (", e->info->name,
            lines[k].table);
    fprintf(e->body, linked == 1 ? "csv</a>" : "%d</a>", linked);
  }
  fputs(linked ? ")" : "", e->body);
}

enum { MOST_LINES = 20 };

void experiment_draw_lines(experiment *e, const char *name, const plot *p, int count,
                           const experiment_line *lines)
{
  plot_curve curves[MOST_LINES];
  for (int k = 0; k < count; k++) {
    double *x, *y;
    curves[k] = lines[k].style;
    curves[k].label = lines[k].key;
    curves[k].count = take_column(e, lines[k].table, lines[k].x, &x);
    take_column(e, lines[k].table, lines[k].y, &y);
    curves[k].x = x;
    curves[k].y = y;
  }
  if (e->error)
    return;
  plot untitled = *p; /* the caption has the title */
  untitled.title = NULL;
  fprintf(e->body, "<figure id=\"%s-%s\">", e->info->name, name);
  plot_draw(e->body, &untitled, count, curves);
  fputs("<figcaption>", e->body);
  html_escape(e->body, p->title);
  link_tables(e, count, lines);
  fputs("</figcaption></figure>\n", e->body);
}

void experiment_draw(experiment *e, const char *name, const plot *p, const char *table,
                     const char *keys, experiment_style style)
{
  char key[MOST_LINES][48];
  experiment_line lines[MOST_LINES];
  int count = 0;
  for (int column = 2; count < MOST_LINES; column++) {
    const int length = (int)strcspn(keys, ",");
    snprintf(key[count], sizeof key[count], "%.*s", length, keys);
    lines[count] = (experiment_line){table, 1, column, key[count], style};
    count += length > 0;
    if (!keys[length])
      break;
    keys += length + 1;
  }
  experiment_draw_lines(e, name, p, count, lines);
}

void experiment_draw_traces(experiment *e, const char *name, const plot *p, const char *columns,
                            int first, int count, const experiment_trace *traces)
{
  experiment_line lines[MOST_LINES];
  int longest = 0, drawn = 0;
  for (int c = 0; c < count; c++) {
    longest = traces[c].count > longest ? traces[c].count : longest;
    if (traces[c].key)
      lines[drawn++] = (experiment_line){name, 1, 2 + c, traces[c].key, traces[c].style};
  }
  experiment_table *t = experiment_table_begin(e, name, NULL, columns);
  for (int k = 0; k < longest; k++) {
    experiment_cell(t, first + k);
    for (int c = 0; c < count; c++)
      experiment_cell(t,
                      k < traces[c].count && traces[c].values[k] > 0 ? traces[c].values[k] : NAN);
  }
  experiment_table_end(t);
  if (drawn > 0)
    experiment_draw_lines(e, name, p, drawn, lines);
}
