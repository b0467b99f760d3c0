/* page.c: the page of a report: a summary, what is in it, and a section for each experiment */
#include "report.h"

#include "kit/html.h"
#include "kit/plot.h"

#include <errno.h>
#include <string.h>

/* Behind the style that all pages have (kit/html.c). */
static const char style[] =
    "td{white-space:nowrap}.contents td{white-space:normal}figure{margin:1.2rem 0}figure "
    "svg{margin:0}figure svg text{fill:var(--ink)}"
    "figcaption{font-size:.9rem;opacity:.85}.source{opacity:.8}"
    ".summary ul,.claims{padding-left:1.2rem}.summary li{font-size:.92rem;line-height:1.4}"
    ".summary h3{margin:.8rem 0 .3rem}.holds b{color:var(--c2)}.fails b{color:var(--c3)}"
    ".add b{color:var(--c0)}.cut,.alarm{border-left:4px solid var(--c3);padding-left:.8rem}\n"
    "@page{size:A4;margin:11mm}@media print{:root{color-scheme:light}"
    "body{max-width:none;margin:0;padding:0;font-size:10pt}h1{margin:0 0 .3rem;"
    "font-size:17pt}.summary h2{margin:.4rem 0;font-size:13pt}.summary h3{margin:.4rem 0 .1rem;"
    "font-size:10.5pt}.summary p{margin:.3rem 0;font-size:9pt}figure,tr,.claims "
    "li{break-inside:avoid}h2,h3,caption{break-after:avoid}"
    ".summary{break-after:page}.summary li{font-size:7.9pt;line-height:1.2}"
    ".summary ul{margin:.1rem 0}a{color:inherit}table{font-size:7.2pt;display:table}"
    "td,th{padding-right:.5rem}figure{margin:.5rem 0}figure svg{max-height:72mm}}\n";

/* ---- Sections ---- */

void report_begin_section(experiment *e)
{
  fprintf(e->body, "<section><h2 id=\"%s\">", e->info->name);
  html_escape(e->body, e->info->title);
  fputs("</h2>\n<p class=\"source\">", e->body);
  html_escape(e->body, e->info->source);
  fputs("</p>\n<p class=\"says\"><b>What it says:</b> ", e->body);
  html_escape(e->body, e->info->says);
  fputs(".</p>\n", e->body);
}

static const char *words_of(const report_claim *c)
{
  static const char *const words[3][2] = {
      {"Not so:", "Confirmed:"}, {"Not so:", "Confirmed:"}, {"Not reached:", "We add:"}};
  return words[report_whose(c->kind)][c->holds];
}

static const char *class_of(const report_claim *c)
{
  return !c->holds ? "fails" : report_whose(c->kind) == CLAIM_OURS ? "add" : "holds";
}

void report_end_section(experiment *e, int first)
{
  const report *r = e->report;
  if (r->stopped) {
    fputs("<p class=\"cut\">Interrupted here: what this section would claim is not known.</p>"
          "</section>\n",
          e->body);
    return;
  }
  fputs("<h3>What we get</h3>\n<ul class=\"claims\">\n", e->body);
  for (int k = first; k < r->claims; k++) {
    fprintf(e->body, "<li class=\"%s\"><b>%s</b> ", class_of(&r->claim[k]), words_of(&r->claim[k]));
    html_escape(e->body, r->claim[k].text);
    fputs("</li>\n", e->body);
  }
  fputs("</ul>\n", e->body);
  if (e->why_they_differ[0]) {
    fputs("<p class=\"why\"><b>Why they differ:</b> ", e->body);
    html_escape(e->body, e->why_they_differ);
    fputs("</p>\n", e->body);
  }
  fputs("</section>\n", e->body);
}

/* ---- The summary ---- */

static void write_claim(FILE *page, const report_claim *c)
{
  fprintf(page, "<li><a href=\"#%s\">%s</a>: ", c->experiment->name, c->experiment->name);
  html_escape(page, c->text);
  fputs("</li>\n", page);
}

static bool is_listed(const report_claim *c, unsigned whose, bool holds)
{
  return (c->kind & CLAIM_HEADLINE) && report_whose(c->kind) == whose && c->holds == holds;
}

/* The headlines of those kinds with that verdict, under a heading; nothing if there are none. */
static void list_headlines(FILE *page, const report *r, const char *heading, const char *class,
                           unsigned from, unsigned to, bool holds)
{
  bool begun = false;
  for (unsigned whose = from; whose <= to; whose++)
    for (int k = 0; k < r->claims; k++) {
      if (!is_listed(&r->claim[k], whose, holds))
        continue;
      if (!begun)
        fprintf(page, "<h3>%s</h3>\n<ul class=\"%s\">\n", heading, class);
      begun = true;
      write_claim(page, &r->claim[k]);
    }
  fputs(begun ? "</ul>\n" : "", page);
}

typedef struct tally {
  int count[3], held[3], broken; /* broken: must hold, and do not */
} tally;

static tally tally_of(const report *r, const experiment_info *only)
{
  tally t = {0};
  for (int k = 0; k < r->claims; k++) {
    const report_claim *c = &r->claim[k];
    if (only && c->experiment != only)
      continue;
    t.count[report_whose(c->kind)]++;
    t.held[report_whose(c->kind)] += c->holds;
    t.broken += (c->kind & CLAIM_MUST) && !c->holds;
  }
  return t;
}

static void write_summary(FILE *page, const report *r)
{
  const tally t = tally_of(r, NULL);
  fprintf(
      page,
      "<section class=\"summary\"><h2 id=\"summary\">Summary</h2>\n<p>Of %d claims of the "
      "literature that we tried on the problems of their papers %d hold; of %d that we tried on "
      "honest problems, planted or from a simulation, %d hold; of %d of our own %d hold. That is "
      "%d claims, of which %d hold. Those that matter most:</p>\n",
      t.count[CLAIM_PAPER], t.held[CLAIM_PAPER], t.count[CLAIM_HONEST], t.held[CLAIM_HONEST],
      t.count[CLAIM_OURS], t.held[CLAIM_OURS], r->claims,
      t.held[CLAIM_PAPER] + t.held[CLAIM_HONEST] + t.held[CLAIM_OURS]);
  if (t.broken) {
    fprintf(page,
            "<div class=\"alarm\"><p><b>%d that must hold do not:</b></p><ul class=\"fails\">\n",
            t.broken);
    for (int k = 0; k < r->claims; k++)
      if ((r->claim[k].kind & CLAIM_MUST) && !r->claim[k].holds)
        write_claim(page, &r->claim[k]);
    fputs("</ul></div>\n", page);
  }
  list_headlines(page, r, "Claims confirmed", "holds", CLAIM_PAPER, CLAIM_HONEST, true);
  list_headlines(page, r, "Claims that did not hold on honest problems", "fails", CLAIM_HONEST,
                 CLAIM_HONEST, false);
  list_headlines(page, r, "Claims that did not hold on the paper's own problems either", "fails",
                 CLAIM_PAPER, CLAIM_PAPER, false);
  list_headlines(page, r, "What we add", "add", CLAIM_OURS, CLAIM_OURS, true);
  list_headlines(page, r, "Claims of ours that do not hold", "fails", CLAIM_OURS, CLAIM_OURS,
                 false);
  fputs("</section>\n", page);
}

bool report_wants(const experiments_call *call, const experiment_info *info)
{
  bool wanted = call->count == 0;
  for (int m = 0; m < call->count; m++)
    wanted = wanted || strcmp(call->names[m], info->name) == 0;
  return wanted;
}

static void write_contents(FILE *page, const report *r)
{
  int at = 0;
  fputs(
      "<section><h2>Contents</h2>\n<table class=\"contents\"><tr><th>experiment</th><th>source</th>"
      "<th>confirmed</th><th>not so</th><th>we add</th><th>not reached</th></tr>\n",
      page);
  for (int k = 0; experiments[k]; k++) {
    if (!report_wants(r->call, experiments[k]))
      continue;
    const bool done = at++ < r->run;
    const tally t = tally_of(r, experiments[k]);
    fprintf(page, done ? "<tr><td><a href=\"#%s\">" : "<tr><td><span data-name=\"%s\">",
            experiments[k]->name);
    html_escape(page, experiments[k]->title);
    fputs(done ? "</a></td><td>" : "</span></td><td>", page);
    html_escape(page, experiments[k]->source);
    const int paper = t.count[CLAIM_PAPER] + t.count[CLAIM_HONEST];
    const int held = t.held[CLAIM_PAPER] + t.held[CLAIM_HONEST];
    if (done)
      fprintf(page, "</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>\n", held, paper - held,
              t.held[CLAIM_OURS], t.count[CLAIM_OURS] - t.held[CLAIM_OURS]);
    else
      fputs("</td><td colspan=\"4\">not run</td></tr>\n", page);
  }
  fputs("</table></section>\n", page);
}

perp_error report_write_page(const report *r, const char *sections, perp_message *why)
{
  static const char *const sizes[] = {"quick", "normal", "full"};
  char path[4200], beside[4220];
  snprintf(path, sizeof path, "%s/index.html", r->call->folder);
  snprintf(beside, sizeof beside, "%s.part", path);
  FILE *page = fopen(beside, "w");
  if (!page) {
    snprintf(why->text, sizeof why->text, "%.300s: %.100s", beside, strerror(errno));
    return PERP_ERROR_FILE;
  }
  html_head(page, "perp: experiments");
  plot_style(page);
  fputs(style, page);
  html_body(page);
  fprintf(
      page,
      "<h1>Published results, reproduced</h1>\n<p>perp %s, sizes: %s. Every number was computed "
      "by this run, unless it is said to be the paper's.</p>\n",
      perp_version(), sizes[r->call->size]);
  if (r->run < r->wanted)
    fprintf(page, "<p class=\"cut\">%d of %d experiments: the others were not run.</p>\n", r->run,
            r->wanted);
  write_summary(page, r);
  write_contents(page, r);
  fputs(sections, page);
  html_end(page);
  const bool written = !ferror(page);
  if (fclose(page) != 0 || !written || rename(beside, path) != 0) {
    snprintf(why->text, sizeof why->text, "%.300s: %.100s", path, strerror(errno));
    return PERP_ERROR_FILE;
  }
  return PERP_OK;
}
