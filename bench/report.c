/* report.c: the page of a run, and its summary on a terminal
 *
 * Every number on it is of the run. Next to each goal it says if the goal is met, and, if a peer is
 * faster, by how much. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"
#include "kit/html.h"
#include "kit/numbers.h"
#include "kit/plot.h"

#include <stdlib.h>
#include <string.h>

#ifdef __clang__
static const char compiler[] = __VERSION__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif
extern const char bench_commit[]; /* of the sources, from git when it was built; "" without */

/* The version that a peer tells, behind those told before; returns how many they are. */
static int write_peer(FILE *out, const char *folder, const char *program, int before)
{
  char command[4400], line[128] = "";
  snprintf(command, sizeof command, "'%s/%s' --version 2>/dev/null", folder, program);
  FILE *in = strchr(folder, '\'') ? NULL : popen(command, "r");
  if (in && fgets(line, sizeof line, in)) {
    line[strcspn(line, "\n")] = '\0';
    fprintf(out, "%s%s %s", before ? "; " : "", program, line);
    before++;
  }
  if (in)
    pclose(in);
  return before;
}

static void write_head(FILE *out, const bench_settings *s)
{
  static const char *const sizes[] = {"quick", "normal", "full"};
  const bench_machine m = bench_this_machine();
  html_head(out, "perp bench");
  plot_style(out);
  fputs(".met{color:var(--c2)}.missed{color:var(--c3)}dt{float:left;width:7em;color:var(--soft)}"
        "dd{margin-left:7em}summary{cursor:pointer}td{white-space:nowrap}td.long{white-space:"
        "normal}\n",
        out);
  html_body(out);
  fputs("<h1>perp bench</h1>\n<dl>", out);
  fprintf(out, "<dt>perp</dt><dd>%s%s%s", perp_version(), *bench_commit ? ", commit " : "",
          bench_commit);
  const perp_component *const tables[] = {perp_components(), perp_lab_components()};
  for (int k = 0; k < 2; k++)
    for (const perp_component *c = tables[k]; c->name; c++)
      if (c->present)
        fprintf(out, ", %s %s", c->name, c->version);
  fprintf(out, "</dd><dt>compiler</dt><dd>%s</dd><dt>machine</dt><dd>%s: %s; %s</dd>", compiler,
          m.name, m.processor, m.system);
  int peers = 0;
  fputs("<dt>peers</dt><dd>", out);
  for (const bench_peer *p = bench_peers; p->program && s->peers; p++)
    if (p == bench_peers || strcmp(p->program, p[-1].program) != 0)
      peers = write_peer(out, s->peers, p->program, peers);
  fprintf(out,
          "%s</dd><dt>run</dt><dd>%s, at most %g s a solve and 50 times the fastest (4 above two "
          "million unknowns)</dd></dl>\n",
          peers ? "" : "none", sizes[s->size], s->seconds);
  fputs(
      "<p>Times are CPU seconds on one thread: medians of rounds in which all solvers take turns. "
      "Solved means that the natural residual of the returned x, recomputed here for every solver, "
      "is at most the tolerance times max |b|. Our times include the checks of the input and of "
      "the answer, on a solver that has solved before; they exclude making the operator, which "
      "also finds whether a dense matrix is symmetric. Peers run in separate processes. Their "
      "times include a copy of what the call overwrites and the natural residual of its x; they "
      "exclude converting the matrix (all but PETSc and Ipopt take only dense matrices, with "
      "boxes moved to hold 0) and, for peers that stop by their own measure, finding the "
      "tolerance that reaches ours. The page also counts our first places against the bare calls "
      "of the peers, without copy and residual.</p>\n",
      out);
}

static void write_suite(FILE *out, const bench_suite *suite, const bench_table *t)
{
  fprintf(out, "<h2 id=\"%s\">%s</h2>\n", suite->name, suite->title);
  if (suite->kind == BENCH_ANYTIME) {
    report_anytime(out, t, suite->name);
    return;
  }
  if (suite->kind == BENCH_KERNELS) {
    report_kernels(out, t);
    return;
  }
  if (suite->kind == BENCH_FIGURES) {
    report_figures(out, t, suite->name);
    return;
  }
  bench_view v;
  int peers[REPORT_METHODS];
  if (!bench_view_make(t, suite->name, &v) || v.problems == 0 || v.methods > REPORT_METHODS) {
    fputs("<p>No problem was run.</p>\n", out);
    bench_view_free(&v);
    return;
  }
  report_verdicts(out, &v);
  for (int tol = REPORT_LAST; tol >= 0; tol--) {
    if (bench_view_pick(&v, BENCH_PEERS_ONLY, peers))
      report_profile(out, &v, tol, BENCH_LEAD_AND_PEERS, "auto and the peers");
    report_profile(out, &v, tol, BENCH_OURS, "our methods");
  }
  report_peer_wins(out, &v);
  report_times(out, &v);
  report_growth(out, &v);
  report_failures(out, &v);
  report_anytime(out, t, suite->name);
  bench_view_free(&v);
}

void bench_write_page(FILE *out, const bench_suite *const *suites, int count,
                      const bench_settings *s, const bench_table *t)
{
  write_head(out, s);
  for (int k = 0; k < count; k++)
    write_suite(out, suites[k], t);
  html_end(out);
}

void bench_write_summary(FILE *out, const bench_suite *suite, const bench_table *t)
{
  if (suite->kind == BENCH_KERNELS) {
    for (int k = 0; k < t->bars; k++)
      fprintf(out, "kernels     %-42s %6.3g of %6.3g %s, %3.0f %%\n", t->bar[k].kernel,
              t->bar[k].rate, t->bar[k].most, t->bar[k].unit,
              100 * t->bar[k].rate / t->bar[k].most);
    return;
  }
  if (suite->kind == BENCH_ANYTIME) {
    fprintf(out, "anytime     %d points\n", t->points);
    return;
  }
  if (suite->kind == BENCH_FIGURES) {
    report_print_figures(out, t, suite->name);
    return;
  }
  bench_view v;
  double *ratios = malloc(((size_t)t->rows + 1) * sizeof *ratios);
  if (bench_view_make(t, suite->name, &v) && v.problems > 0 && ratios)
    for (int tol = 0; tol < BENCH_TOLS; tol++) {
      const report_standing s = report_stand(&v, tol);
      const int overhead = bench_view_overhead(&v, tol, ratios);
      fprintf(out, "%-11s to %s: %s solves %d of %d, %.2f x the best of ours in the mean",
              suite->name, bench_tol_names[tol], bench_view_method(&v, v.lead), s.solved,
              v.problems, kit_geometric_mean(overhead, ratios));
      if (s.peer >= 0)
        fprintf(out, "; first before all peers on %d, %s on %d; before their bare calls on %d",
                s.first, bench_view_method(&v, s.peer), s.peer_first, s.before_calls);
      fputc('\n', out);
    }
  free(ratios);
  bench_view_free(&v);
}
