/* report.c: folders, tables, plots, claims and the page of a report */
#define _POSIX_C_SOURCE 200809L
#include "experiment.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLAIMS = 256 };

typedef struct claim {
  const char *experiment;
  bool must, holds;
  char text[400];
} claim;

typedef struct report {
  const char *folder;
  experiment_size size;
  bool (*progress)(const char *name, double share);
  int claims;
  claim claim[CLAIMS];
} report;

struct experiment {
  report *report;
  const experiment_info *info;
  FILE *body; /* the part of the page, as it grows */
  bool failed;
  char why[400];
};

struct experiment_table {
  experiment *owner;
  FILE *csv;
  char name[80], title[200];
  int columns, filled;
  char *html; /* the table of the report as it grows */
  size_t html_size;
  FILE *page;
};

static void fail(experiment *e, const char *what, const char *detail)
{
  if (!e->failed)
    snprintf(e->why, sizeof e->why, "%.200s: %.180s", what, detail);
  e->failed = true;
}

experiment_size experiment_size_of(const experiment *e)
{
  return e->report->size;
}

int experiment_pick(const experiment *e, int quick, int normal, int full)
{
  return e->report->size == EXPERIMENT_QUICK    ? quick
         : e->report->size == EXPERIMENT_NORMAL ? normal
                                                : full;
}

bool experiment_progress(experiment *e, double share)
{
  return !e->report->progress || e->report->progress(e->info->name, share);
}

/* ---- Words ---- */

static void escape(FILE *out, const char *text)
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
  escape(e->body, text);
  fputs("</p>\n", e->body);
}

void experiment_claim(experiment *e, bool must, bool holds, const char *format, ...)
{
  report *r = e->report;
  if (r->claims == CLAIMS) {
    fail(e, "too many claims", e->info->name);
    return;
  }
  claim *c = &r->claim[r->claims++];
  *c = (claim){.experiment = e->info->name, .must = must, .holds = holds};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->text, sizeof c->text, format, arguments);
  va_end(arguments);
  fprintf(e->body, "<p class=\"%s\"><b>%s</b> ", holds ? "holds" : "fails",
          holds ? "Holds:" : "Does not hold:");
  escape(e->body, c->text);
  fputs("</p>\n", e->body);
}

/* ---- Tables ---- */

experiment_table *experiment_table_begin(experiment *e, const char *name, const char *title,
                                         const char *columns)
{
  char path[4096];
  experiment_table *t = calloc(1, sizeof *t);
  snprintf(path, sizeof path, "%s/%s-%s.csv", e->report->folder, e->info->name, name);
  if (t) {
    t->csv = fopen(path, "w");
    t->page = open_memstream(&t->html, &t->html_size);
  }
  if (!t || !t->csv || !t->page) {
    fail(e, path, strerror(errno));
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
    fprintf(t->page, "<th>%.*s</th>", length, at);
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
  escape(t->page, text);
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
    fail(e, t->name, strerror(errno));
  fclose(t->page);
  if (!hidden) {
    fprintf(e->body, "<table><caption>%s (<a href=\"%s-%s.csv\">csv</a>)</caption>\n%s</table>\n",
            t->title, e->info->name, t->name, t->html);
  }
  free(t->html);
  free(t);
}

/* ---- Plots ---- */

static const char *const colours[] = {"#0077bb", "#ee7733", "#009988", "#cc3311", "#aa66cc",
                                      "#888888", "#ddaa33", "#33bbee", "#ee3377", "#669900"};

/* The picture with what is black drawn in the colour of the text, so that it can be read in light
 * and dark. */
static void include_picture(experiment *e, const char *path)
{
  FILE *file = fopen(path, "r");
  if (!file) {
    fail(e, path, strerror(errno));
    return;
  }
  char line[8192];
  bool drawing = false;
  while (fgets(line, sizeof line, file)) {
    drawing = drawing || strstr(line, "<svg");
    if (!drawing)
      continue;
    for (char *at; (at = strstr(line, "black")) != NULL;) {
      char rest[8192];
      snprintf(rest, sizeof rest, "%s", at + 5);
      const size_t used = (size_t)(at - line);
      snprintf(at, sizeof line - used, "currentColor%s", rest);
    }
    fputs(line, e->body);
  }
  fclose(file);
}

void experiment_draw(experiment *e, const experiment_plot *plot)
{
  char script[4096], picture[4096];
  snprintf(script, sizeof script, "%s/%s-%s.gnuplot", e->report->folder, e->info->name, plot->name);
  snprintf(picture, sizeof picture, "%s/%s-%s.svg", e->report->folder, e->info->name, plot->name);
  FILE *out = fopen(script, "w");
  if (!out) {
    fail(e, script, strerror(errno));
    return;
  }
  fprintf(out,
          "set terminal svg size 720,400 dynamic font 'sans-serif,13'\nset output '%s-%s.svg'\n"
          "set datafile separator ','\nset grid lc rgb '#999999' lw 0.3\nset border lw 0.6\n"
          "set key outside right top\nset xlabel '%s'\nset ylabel '%s'\n",
          e->info->name, plot->name, plot->x_label, plot->y_label);
  if (plot->log_x)
    fputs("set logscale x\nset format x '%g'\n", out);
  if (plot->log_y)
    fputs("set logscale y\nset format y '10^{%L}'\n", out);
  if (plot->extra)
    fprintf(out, "%s\n", plot->extra);
  fputs("plot ", out);
  for (int k = 0; k < plot->lines; k++) {
    const experiment_line *l = &plot->line[k];
    const char *style = l->style ? l->style : "lines";
    fprintf(out, "%s'%s-%s.csv' using %d:%d with %s lw 1.6 lc rgb '%s'", k ? ", \\\n  " : "",
            e->info->name, l->table, l->x, l->y, style, colours[k % 10]);
    if (strstr(style, "points"))
      fprintf(out, " pt %d ps %g", 5 + k % 8, plot->point > 0 ? plot->point : 0.6);
    if (strcmp(style, "lines") == 0 && k >= 10)
      fputs(" dt 2", out); /* the colours begin again */
    if (l->title)
      fprintf(out, " title '%s'", l->title);
    else
      fputs(" notitle", out);
  }
  fputs("\n", out);
  if (fclose(out) != 0) {
    fail(e, script, strerror(errno));
    return;
  }
  char command[8300];
  snprintf(command, sizeof command, "cd '%s' && gnuplot '%s-%s.gnuplot' 2>gnuplot.log",
           e->report->folder, e->info->name, plot->name);
  fprintf(e->body, "<figure id=\"%s-%s\">", e->info->name, plot->name);
  if (system(command) == 0)
    include_picture(e, picture);
  else
    fprintf(e->body,
            "<p>(gnuplot is not installed, or failed: the numbers are in the csv files)</p>");
  fprintf(e->body, "<figcaption>%s</figcaption></figure>\n", plot->title);
}

/* ---- The page ---- */

static const char style[] =
    ":root{color-scheme:light dark}body{font:16px/1.5 "
    "system-ui,sans-serif;max-width:60rem;margin:2rem "
    "auto;padding:0 1rem}table{border-collapse:collapse;margin:1rem "
    "0;font-size:.9rem;display:block;"
    "overflow-x:auto}caption{text-align:left;font-weight:600;padding:.3rem "
    "0}td,th{border-bottom:1px "
    "solid #9996;padding:.15rem .8rem .15rem "
    "0;text-align:left}td{white-space:nowrap}figure{margin:1.2rem 0}figure "
    "svg{max-width:100%;height:auto}figcaption{font-size:.9rem;opacity:.8}.holds "
    "b{color:#2f8f5b}.fails "
    "b{color:#cc3311}.source{opacity:.75}@media "
    "print{body{max-width:none}figure{break-inside:avoid}}";

static void write_claims(FILE *page, const report *r, bool holds)
{
  for (int k = 0; k < r->claims; k++)
    if (r->claim[k].holds == holds) {
      fprintf(page, "<li><a href=\"#%s\">%s</a>: ", r->claim[k].experiment, r->claim[k].experiment);
      escape(page, r->claim[k].text);
      fputs(!holds && r->claim[k].must ? " <b>(must hold)</b></li>\n" : "</li>\n", page);
    }
}

static perp_error write_page(const report *r, const char *body, perp_message *why)
{
  char path[4096], beside[4160];
  snprintf(path, sizeof path, "%s/index.html", r->folder);
  snprintf(beside, sizeof beside, "%s.part", path);
  FILE *page = fopen(beside, "w");
  if (!page) {
    snprintf(why->text, sizeof why->text, "%.300s: %.100s", beside, strerror(errno));
    return PERP_ERROR_FILE;
  }
  static const char *const sizes[] = {"quick", "normal", "full"};
  fprintf(
      page,
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>perp: "
      "experiments</title><style>%s</style>\n<h1>Published results, reproduced</h1>\n"
      "<p>perp %s, sizes: %s. Every number below was computed by this run, unless it is said to be "
      "the paper's.</p>\n",
      style, perp_version(), sizes[r->size]);
  fputs("<h2>Summary</h2>\n<h3>Claims that held</h3><ul>\n", page);
  write_claims(page, r, true);
  fputs("</ul>\n<h3>Claims that did not hold</h3><ul>\n", page);
  write_claims(page, r, false);
  fputs("</ul>\n", page);
  fputs(body, page);
  fputs("</html>\n", page);
  if (fclose(page) != 0 || rename(beside, path) != 0) {
    snprintf(why->text, sizeof why->text, "%.300s: %.100s", path, strerror(errno));
    return PERP_ERROR_FILE;
  }
  return PERP_OK;
}

static perp_error run_one(report *r, const experiment_info *info, FILE *body, perp_message *why)
{
  experiment e = {.report = r, .info = info, .body = body};
  fprintf(body, "<h2 id=\"%s\">", info->name);
  escape(body, info->title);
  fputs("</h2>\n<p class=\"source\">", body);
  escape(body, info->source);
  fputs(". The paper: ", body);
  escape(body, info->says);
  fputs("</p>\n", body);
  perp_error error = info->run(&e, why);
  if (!error && e.failed) {
    snprintf(why->text, sizeof why->text, "%s: %.400s", info->name, e.why);
    error = PERP_ERROR_FILE;
  }
  return error;
}

perp_error experiments_run(const char *const *names, int count, const char *folder,
                           experiment_size size, bool (*progress)(const char *name, double share),
                           int *failed_claims, perp_message *why)
{
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    snprintf(why->text, sizeof why->text, "%.300s: %.100s", folder, strerror(errno));
    return PERP_ERROR_FILE;
  }
  report *r = calloc(1, sizeof *r);
  char *text = NULL;
  size_t length = 0;
  FILE *body = open_memstream(&text, &length);
  perp_error error = r && body ? PERP_OK : PERP_ERROR_MEMORY;
  if (!error)
    *r = (report){.folder = folder, .size = size, .progress = progress};
  for (int k = 0; experiments[k] && !error; k++) {
    bool wanted = count == 0;
    for (int m = 0; m < count; m++)
      wanted = wanted || strcmp(names[m], experiments[k]->name) == 0;
    if (wanted)
      error = run_one(r, experiments[k], body, why);
  }
  if (body)
    fclose(body);
  if (!error)
    error = write_page(r, text, why);
  *failed_claims = 0;
  for (int k = 0; !error && k < r->claims; k++)
    *failed_claims += r->claim[k].must && !r->claim[k].holds;
  free(text);
  free(r);
  return error;
}
