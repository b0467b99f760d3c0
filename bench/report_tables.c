/* report_tables.c: who is first on how many problems, the tables of times and failures, and figures */
#include "kit/html.h"
#include "kit/numbers.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_seconds(FILE *out, double seconds)
{
  if (!isfinite(seconds))
    fputs("not solved", out);
  else if (seconds < 1e-3)
    fprintf(out, "%.3g µs", 1e6 * seconds);
  else if (seconds < 1)
    fprintf(out, "%.3g ms", 1e3 * seconds);
  else
    fprintf(out, "%.3g s", seconds);
}

/* ---- Words ---- */

static const char *verdict(bool met)
{
  return met ? "<b class=\"met\">met</b>" : "<b class=\"missed\">not met</b>";
}

static int solved_by(const bench_view *v, int m, int tol)
{
  int count = 0;
  for (int p = 0; p < v->problems; p++)
    count += isfinite(bench_view_seconds(v, p, m, tol));
  return count;
}

/* Problems that the lead solves in less time than the call of any peer takes by itself. */
static int count_before_calls(const bench_view *v, int tol)
{
  int count = 0;
  for (int p = 0; p < v->problems; p++) {
    const double ours = bench_view_seconds(v, p, v->lead, tol);
    bool first = isfinite(ours);
    for (int m = 0; m < v->methods; m++) {
      const bench_row *r = v->row[p * v->methods + m];
      if (r && r->peer && isfinite(r->seconds[tol]))
        first = first && ours < r->call[tol];
    }
    count += first;
  }
  return count;
}

report_standing report_stand(const bench_view *v, int tol)
{
  report_standing s = {.solved = solved_by(v, v->lead, tol), .peer = -1};
  int methods[REPORT_METHODS], wins[REPORT_METHODS] = {0};
  const int count = bench_view_pick(v, BENCH_LEAD_AND_PEERS, methods);
  for (int p = 0; p < v->problems; p++) {
    const int best = bench_view_fastest(v, p, tol, BENCH_LEAD_AND_PEERS);
    if (best >= 0)
      wins[best]++;
  }
  s.first = wins[v->lead];
  s.before_calls = count_before_calls(v, tol);
  s.is_first = true;
  for (int k = 0; k < count; k++) {
    const int m = methods[k], solved = solved_by(v, m, tol);
    if (m == v->lead)
      continue;
    s.is_first = s.is_first && wins[m] <= s.first && solved <= s.solved;
    if (s.peer < 0 || wins[m] > s.peer_first ||
        (wins[m] == s.peer_first && solved > s.peer_solved)) {
      s.peer = m;
      s.peer_first = wins[m];
      s.peer_solved = solved;
    }
  }
  return s;
}

static double largest(int count, const double *values)
{
  double most = NAN;
  for (int k = 0; k < count; k++)
    most = fmax(most, values[k]);
  return most;
}

void report_verdicts(FILE *out, const bench_view *v)
{
  const char *lead = bench_view_method(v, v->lead);
  double *ratios = malloc(((size_t)v->problems + 1) * sizeof *ratios);
  fputs("<ul>\n", out);
  for (int tol = 0; tol < BENCH_TOLS && ratios; tol++) {
    const report_standing s = report_stand(v, tol);
    fprintf(out, "<li>To %s: %s solves %d of %d problems", bench_tol_names[tol], lead, s.solved,
            v->problems);
    if (s.peer >= 0)
      fprintf(
          out,
          " and is faster than every peer on %d; of the peers, %s is first most often, on %d, "
          "and solves %d. Goal, first place: %s. Compared with only the calls of the peers, %s is "
          "first on %d",
          s.first, bench_view_method(v, s.peer), s.peer_first, s.peer_solved, verdict(s.is_first),
          lead, s.before_calls);
    fputs(".</li>\n", out);
    const int count = bench_view_overhead(v, tol, ratios);
    const double mean = kit_geometric_mean(count, ratios), most = largest(count, ratios);
    if (count)
      fprintf(out,
              "<li>To %s: %s takes %.2f times the best of our methods in the geometric mean (goal "
              "1.3: %s), %.2f at most (goal 3: %s).</li>\n",
              bench_tol_names[tol], lead, mean, verdict(mean <= 1.3), most, verdict(most <= 3));
  }
  fputs("</ul>\n", out);
  free(ratios);
}

/* ---- Tables ---- */

static void write_fastest(FILE *out, const bench_view *v, int p, int tol, bench_group group)
{
  const int m = bench_view_fastest(v, p, tol, group);
  if (m < 0) {
    fputs("<td>-</td><td></td>", out);
    return;
  }
  fprintf(out, "<td>%s</td><td>", bench_view_method(v, m));
  write_seconds(out, bench_view_seconds(v, p, m, tol));
  fputs("</td>", out);
}

void report_peer_wins(FILE *out, const bench_view *v)
{
  int wins = 0;
  for (int tol = 0; tol < BENCH_TOLS; tol++)
    for (int p = 0; p < v->problems; p++) {
      const int best = bench_view_fastest(v, p, tol, BENCH_LEAD_AND_PEERS);
      if (best < 0 || best == v->lead)
        continue;
      if (!wins++)
        fputs("<table><caption>Where a peer is faster</caption><tr><th>problem</th><th>to</th>"
              "<th>peer</th><th>its time</th><th>auto</th><th>factor</th>"
              "<th colspan=2>best of ours</th></tr>\n",
              out);
      const double theirs = bench_view_seconds(v, p, best, tol);
      const double ours = bench_view_seconds(v, p, v->lead, tol);
      fputs("<tr><td>", out);
      html_escape(out, bench_view_any(v, p)->problem);
      fprintf(out, "</td><td>%s</td><td>%s</td><td>", bench_tol_names[tol],
              bench_view_method(v, best));
      write_seconds(out, theirs);
      fputs("</td><td>", out);
      write_seconds(out, ours);
      fputs("</td><td>", out);
      if (isfinite(ours))
        fprintf(out, "%.2f", ours / theirs);
      fputs("</td>", out);
      write_fastest(out, v, p, tol, BENCH_OURS);
      fputs("</tr>\n", out);
    }
  int peers[REPORT_METHODS];
  if (wins)
    fputs("</table>\n", out);
  else if (bench_view_pick(v, BENCH_PEERS_ONLY, peers))
    fputs("<p>No peer is faster than auto on any problem here.</p>\n", out);
}

/* Writes the most expensive work of a solve: "7 factors". */
static void write_work(FILE *out, const perp_counts *c)
{
  const struct {
    int64_t count;
    const char *name;
  } work[] = {{c->factorisations, "factors"},
              {c->pivots, "pivots"},
              {c->cycles, "cycles"},
              {c->sweeps, "sweeps"},
              {c->iterations, "iterations"}};
  size_t k = 0;
  while (k < sizeof work / sizeof *work && !work[k].count)
    k++;
  if (k < sizeof work / sizeof *work)
    fprintf(out, "%lld %s", (long long)work[k].count, work[k].name);
}

void report_times(FILE *out, const bench_view *v)
{
  fprintf(out,
          "<table><caption>Times to 1e-8</caption><tr><th>problem</th><th>n</th><th>form</th>"
          "<th>%s</th><th>its work</th><th colspan=2>best of ours</th><th colspan=2>best "
          "peer</th></tr>\n",
          bench_view_method(v, v->lead));
  for (int p = 0; p < v->problems; p++) {
    const bench_row *r = bench_view_any(v, p);
    fputs("<tr><td>", out);
    html_escape(out, r->problem);
    fprintf(out, "</td><td>%d</td><td>%s</td><td>", r->n, r->form);
    write_seconds(out, bench_view_seconds(v, p, v->lead, REPORT_LAST));
    fputs("</td><td>", out);
    const bench_row *lead = v->row[p * v->methods + v->lead];
    if (lead && isfinite(lead->seconds[REPORT_LAST]))
      write_work(out, &lead->counts);
    fputs("</td>", out);
    write_fastest(out, v, p, REPORT_LAST, BENCH_OURS);
    write_fastest(out, v, p, REPORT_LAST, BENCH_PEERS_ONLY);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

/* Writes the outcomes of a method with their counts: "time-limit 3, wrong-answer 2". */
static void write_endings(FILE *out, const bench_view *v, int m)
{
  const char *seen[32];
  int times[32], kinds = 0;
  for (int p = 0; p < v->problems; p++) {
    const bench_row *r = v->row[p * v->methods + m];
    const char *status = r ? r->status : "not taken";
    if (!status || strcmp(status, "solved") == 0)
      continue;
    int k = 0;
    while (k < kinds && strcmp(seen[k], status) != 0)
      k++;
    if (k == kinds && kinds < 32) {
      seen[kinds] = status;
      times[kinds++] = 0;
    }
    times[k]++;
  }
  for (int k = 0; k < kinds; k++)
    fprintf(out, "%s%s %d", k ? ", " : "", seen[k], times[k]);
}

void report_failures(FILE *out, const bench_view *v)
{
  fprintf(out,
          "<details><summary>Who solved how many of %d, and how the others ended</summary>"
          "<table><tr><th>method</th><th>to 1e-4</th><th>to 1e-8</th><th>not solved to "
          "1e-8</th></tr>\n",
          v->problems);
  for (int k = 0; k < v->methods; k++) {
    const int m = v->order[k];
    fprintf(out, "<tr><td>%s</td><td>%d</td><td>%d</td><td class=\"long\">",
            bench_view_method(v, m), solved_by(v, m, 0), solved_by(v, m, 1));
    write_endings(out, v, m);
    fputs("</td></tr>\n", out);
  }
  fputs("</table></details>\n", out);
}

/* ---- Figures of suites without a race ---- */

enum { MOST_FIGURES = 16 };

/* Names of the figures of a suite, in the order in which they come. */
static int name_figures(const bench_table *t, const char *suite, const char *names[MOST_FIGURES])
{
  int count = 0;
  for (int k = 0; k < t->figures; k++) {
    int m = 0;
    while (m < count && strcmp(names[m], t->figure[k].name) != 0)
      m++;
    if (strcmp(t->figure[k].suite, suite) == 0 && m == count && count < MOST_FIGURES)
      names[count++] = t->figure[k].name;
  }
  return count;
}

/* Reads the figures of one case and method from k on; returns where the next ones begin. */
static int read_line(const bench_table *t, int k, int count, const char *const *names,
                     double *values)
{
  for (int m = 0; m < count; m++)
    values[m] = k < t->figures && strcmp(t->figure[k].name, names[m]) == 0 ? t->figure[k++].value
                                                                           : (double)NAN;
  return k;
}

static void write_figure(FILE *out, int width, double value)
{
  if (!isfinite(value))
    fprintf(out, "%*s", width, "-");
  else if (value == floor(value) && fabs(value) < 1e8)
    fprintf(out, "%*.0f", width, value);
  else
    fprintf(out, "%*.4g", width, value);
}

void report_figures(FILE *out, const bench_table *t, const char *suite)
{
  const char *names[MOST_FIGURES];
  double values[MOST_FIGURES];
  const int count = name_figures(t, suite, names);
  if (count == 0) {
    fputs("<p>No problem was run.</p>\n", out);
    return;
  }
  fputs("<table><tr><th>problem</th><th>method</th>", out);
  for (int m = 0; m < count; m++)
    fprintf(out, "<th>%s</th>", names[m]);
  fputs("</tr>\n", out);
  for (int k = 0; k < t->figures;) {
    const bench_figure *f = &t->figure[k++];
    if (strcmp(f->suite, suite) != 0)
      continue;
    fputs("<tr><td>", out);
    html_escape(out, f->problem);
    fprintf(out, "</td><td>%s</td>", f->method);
    k = read_line(t, k - 1, count, names, values);
    for (int m = 0; m < count; m++) {
      fputs("<td>", out);
      write_figure(out, 0, values[m]);
      fputs("</td>", out);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

void report_print_figures(FILE *out, const bench_table *t, const char *suite)
{
  const char *names[MOST_FIGURES];
  double values[MOST_FIGURES];
  const int count = name_figures(t, suite, names);
  fprintf(out, "%-11s %-18s", suite, count ? "" : "no problem was run");
  for (int m = 0; m < count; m++)
    fprintf(out, " %9s", names[m]);
  fputc('\n', out);
  for (int k = 0; k < t->figures;) {
    const bench_figure *f = &t->figure[k++];
    if (strcmp(f->suite, suite) != 0)
      continue;
    if (k == 1 || strcmp(f->problem, f[-1].problem) != 0)
      fprintf(out, "  %s\n", f->problem);
    fprintf(out, "    %-26s", f->method);
    k = read_line(t, k - 1, count, names, values);
    for (int m = 0; m < count; m++) {
      fputc(' ', out);
      write_figure(out, (int)strlen(names[m]) > 9 ? (int)strlen(names[m]) : 9, values[m]);
    }
    fputc('\n', out);
  }
}
