/* report.c: the page of a run: verdicts, profiles, failures, growth, residuals, kernels
 *
 * Every number on it is of the run. Whether a goal is met is said beside it, and, if a peer is
 * faster, by how much. */
#define _POSIX_C_SOURCE 200809L
#include "kit/html.h"
#include "kit/numbers.h"
#include "kit/plot.h"
#include "profile.h"
#include "suite.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
static const char compiler[] = __VERSION__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif
extern const char bench_commit[]; /* of the sources, from git when it was built; "" without */

enum { NAMED = 10, MOST_METHODS = 128, LAST = BENCH_TOLS - 1 };

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

static const char *verdict(bool met)
{
  return met ? "<b class=\"met\">met</b>" : "<b class=\"missed\">not met</b>";
}

/* ---- Profiles ---- */

static void write_profile(FILE *out, const bench_view *v, int tol, bench_group group,
                          const char *who)
{
  int methods[MOST_METHODS];
  const int count = bench_view_pick(v, group, methods);
  double *times = bench_view_times(v, tol, count, methods);
  plot_curve curves[MOST_METHODS] = {0};
  const size_t room = (size_t)v->problems + 2;
  double *x = malloc((size_t)count * room * sizeof *x),
         *y = malloc((size_t)count * room * sizeof *y);
  for (int k = 0; k < count && times && x && y; k++) {
    double *at = x + (size_t)k * room, *share = y + (size_t)k * room;
    const int solved = profile_ratios(v->problems, count, times, k, at + 1);
    at[0] = 1;
    share[0] = profile_at(v->problems, count, times, k, 1);
    for (int j = 0; j < solved; j++) {
      at[j + 1] = fmin(50, at[j + 1]);
      share[j + 1] = (double)(j + 1) / v->problems;
    }
    at[solved + 1] = 50;
    share[solved + 1] = (double)solved / v->problems;
    curves[k] = (plot_curve){.label = k < NAMED ? bench_view_method(v, methods[k]) : NULL,
                             .count = solved + 2,
                             .x = at,
                             .y = share,
                             .stairs = true,
                             .heavy = methods[k] == v->lead};
  }
  char title[160];
  snprintf(title, sizeof title,
           "Share of %d problems solved to %s within a factor of the fastest: %s", v->problems,
           bench_tol_names[tol], who);
  if (times && x && y)
    plot_draw(out,
              &(plot){.title = title,
                      .x_label = "time over that of the fastest",
                      .y_label = "share of problems",
                      .log_x = true,
                      .x_least = 1,
                      .x_most = 50,
                      .y_least = 0,
                      .y_most = 1},
              count, curves);
  free(times);
  free(x);
  free(y);
}

/* ---- Words ---- */

static int solved_by(const bench_view *v, int m, int tol)
{
  int count = 0;
  for (int p = 0; p < v->problems; p++)
    count += isfinite(bench_view_seconds(v, p, m, tol));
  return count;
}

typedef struct standing {
  int solved, first; /* of the lead, among the peers and itself */
  int before_calls;  /* problems on which it is before the bare call of every peer */
  int peer, peer_solved, peer_first; /* the peer that is first most often; -1: none */
  bool is_first;
} standing;

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

static standing stand(const bench_view *v, int tol)
{
  standing s = {.solved = solved_by(v, v->lead, tol), .peer = -1};
  int methods[MOST_METHODS], wins[MOST_METHODS] = {0};
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

static void write_verdicts(FILE *out, const bench_view *v)
{
  const char *lead = bench_view_method(v, v->lead);
  double *ratios = malloc(((size_t)v->problems + 1) * sizeof *ratios);
  fputs("<ul>\n", out);
  for (int tol = 0; tol < BENCH_TOLS && ratios; tol++) {
    const standing s = stand(v, tol);
    fprintf(out, "<li>To %s: %s solves %d of %d problems", bench_tol_names[tol], lead, s.solved,
            v->problems);
    if (s.peer >= 0)
      fprintf(out,
              " and is faster than every peer on %d; of the peers, %s is first most often, on %d, "
              "and solves %d. Goal, first place: %s. Beside the calls of the peers alone %s is "
              "first on %d",
              s.first, bench_view_method(v, s.peer), s.peer_first, s.peer_solved,
              verdict(s.is_first), lead, s.before_calls);
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

/* Problems that a peer solves faster than auto, or that auto does not solve. */
static void write_peer_wins(FILE *out, const bench_view *v)
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
  int peers[MOST_METHODS];
  if (wins)
    fputs("</table>\n", out);
  else if (bench_view_pick(v, BENCH_PEERS_ONLY, peers))
    fputs("<p>No peer is faster than auto on any problem here.</p>\n", out);
}

/* What was done most of, the dearest first: "7 factors". */
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

static void write_times(FILE *out, const bench_view *v)
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
    write_seconds(out, bench_view_seconds(v, p, v->lead, LAST));
    fputs("</td><td>", out);
    const bench_row *lead = v->row[p * v->methods + v->lead];
    if (lead && isfinite(lead->seconds[LAST]))
      write_work(out, &lead->counts);
    fputs("</td>", out);
    write_fastest(out, v, p, LAST, BENCH_OURS);
    write_fastest(out, v, p, LAST, BENCH_PEERS_ONLY);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

/* How often each ending came up for a method: "time-limit 3, wrong-answer 2". */
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

static void write_failures(FILE *out, const bench_view *v)
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

/* ---- Growth ---- */

/* n and time of the problems of a series that the method solved; returns how many. */
static int growth(const bench_view *v, const char *series, int m, double *n, double *time)
{
  int count = 0;
  for (int p = 0; p < v->problems; p++) {
    const bench_row *r = v->row[p * v->methods + m];
    if (r && r->series && strcmp(r->series, series) == 0 && isfinite(r->seconds[LAST])) {
      n[count] = r->n;
      time[count++] = r->seconds[LAST];
    }
  }
  return count;
}

static void write_growth_of(FILE *out, const bench_view *v, const char *series)
{
  const size_t room = (size_t)v->problems + 1;
  double *n = malloc((size_t)v->methods * room * sizeof *n);
  double *time = malloc((size_t)v->methods * room * sizeof *time);
  plot_curve curves[MOST_METHODS] = {0};
  char labels[MOST_METHODS][48];
  int drawn = 0, ours = 0, theirs = 0;
  for (int k = 0; k < v->methods && n && time; k++) {
    const int m = v->order[k];
    const bool peer = bench_view_peer(v, m);
    double *x = n + (size_t)k * room, *y = time + (size_t)k * room;
    const int points = growth(v, series, m, x, y);
    if (points < 2 || (peer ? theirs++ >= 4 : ours++ >= 6))
      continue;
    const double p = kit_exponent(points, x, y);
    if (isnan(p))
      snprintf(labels[drawn], sizeof labels[drawn], "%s", bench_view_method(v, m));
    else
      snprintf(labels[drawn], sizeof labels[drawn], "%s: n^%.2f", bench_view_method(v, m), p);
    curves[drawn] = (plot_curve){.label = labels[drawn],
                                 .count = points,
                                 .x = x,
                                 .y = y,
                                 .heavy = m == v->lead,
                                 .dashed = peer,
                                 .marks = true};
    drawn++;
  }
  char title[160];
  snprintf(title, sizeof title, "Growth, %s: seconds to 1e-8 against n, fitted time ~ n^p", series);
  if (drawn)
    plot_draw(
        out,
        &(plot){.title = title, .x_label = "n", .y_label = "seconds", .log_x = true, .log_y = true},
        drawn, curves);
  free(n);
  free(time);
}

static void write_growth(FILE *out, const bench_view *v)
{
  for (int p = 0; p < v->problems; p++) {
    const char *series = bench_view_any(v, p)->series;
    bool seen = !series;
    for (int q = 0; q < p && !seen; q++) {
      const char *other = bench_view_any(v, q)->series;
      seen = other && strcmp(other, series) == 0;
    }
    if (!seen)
      write_growth_of(out, v, series);
  }
}

/* ---- Residual against time, kernels ---- */

static void write_anytime_of(FILE *out, const bench_table *t, int from, int to)
{
  double *x = malloc((size_t)(to - from) * sizeof *x), *y = malloc((size_t)(to - from) * sizeof *y);
  plot_curve curves[MOST_METHODS] = {0};
  double last[MOST_METHODS];
  int count = 0;
  for (int k = from; k < to && x && y && count < MOST_METHODS;) {
    const int first = k;
    for (; k < to && strcmp(t->point[k].method, t->point[first].method) == 0; k++) {
      x[k - from] = t->point[k].seconds;
      y[k - from] = fmax(1e-16, t->point[k].residual);
    }
    curves[count] = (plot_curve){.label = t->point[first].method,
                                 .count = k - first,
                                 .x = x + (first - from),
                                 .y = y + (first - from),
                                 .heavy = strcmp(t->point[first].method, "auto") == 0,
                                 .marks = true};
    /* those to be named: the first to be done, then the furthest */
    last[count] = curves[count].heavy               ? -INFINITY
                  : t->point[k - 1].residual < 1e-9 ? -1 / t->point[k - 1].seconds
                                                    : t->point[k - 1].residual;
    count++;
  }
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && last[j] < last[j - 1]; j--) {
      const plot_curve c = curves[j];
      const double l = last[j];
      curves[j] = curves[j - 1];
      last[j] = last[j - 1];
      curves[j - 1] = c;
      last[j - 1] = l;
    }
  for (int k = NAMED + 2; k < count; k++)
    curves[k].label = NULL;
  if (count)
    plot_draw(out,
              &(plot){.title = t->point[from].problem,
                      .x_label = "seconds of the processor given",
                      .y_label = "relative residual in hand",
                      .log_x = true,
                      .log_y = true},
              count, curves);
  free(x);
  free(y);
}

static void write_anytime(FILE *out, const bench_table *t, const char *suite)
{
  int points = 0;
  for (int k = 0; k < t->points; k++)
    points += strcmp(t->point[k].suite, suite) == 0;
  if (points == 0)
    return;
  fputs("<p>Each point is a solve of its own that was given so much time: the residual of what it "
        "returned, judged apart. Methods without a name are drawn faintly.</p>\n",
        out);
  for (int k = 0; k < t->points;) {
    const int from = k;
    while (k < t->points && strcmp(t->point[k].problem, t->point[from].problem) == 0 &&
           strcmp(t->point[k].suite, t->point[from].suite) == 0)
      k++;
    if (strcmp(t->point[from].suite, suite) == 0)
      write_anytime_of(out, t, from, k);
  }
}

static void write_kernels(FILE *out, const bench_table *t)
{
  enum { MOST_BARS = 32 };
  const char *labels[MOST_BARS];
  double shares[MOST_BARS];
  const int count = t->bars < MOST_BARS ? t->bars : MOST_BARS;
  for (int k = 0; k < count; k++) {
    labels[k] = t->bar[k].kernel;
    shares[k] = t->bar[k].rate / t->bar[k].most;
  }
  plot_bars(out, "Share of its limit that a kernel reaches, one thread", count, labels, shares,
            0.7);
  fputs("<table><tr><th>kernel</th><th>rate</th><th>limit</th><th></th><th>share</th><th>ns a "
        "row</th></tr>\n",
        out);
  for (int k = 0; k < count; k++) {
    const bench_bar *b = &t->bar[k];
    fprintf(out, "<tr><td>%s</td><td>%.3g %s</td><td>%.3g %s</td><td>%s</td><td>%.2f</td><td>",
            b->kernel, b->rate, b->unit, b->most, b->unit, b->limit, shares[k]);
    if (isfinite(b->nanoseconds))
      fprintf(out, "%.2f", b->nanoseconds);
    fputs("</td></tr>\n", out);
  }
  fputs("</table>\n<p>A share above one: what it reads was still in a cache.</p>\n", out);
}

/* ---- Figures ---- */

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

/* The figures of one case and method begin at k, those of the next at the k returned. */
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

static void write_figures(FILE *out, const bench_table *t, const char *suite)
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

static void print_figures(FILE *out, const bench_table *t, const char *suite)
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

/* ---- The page ---- */

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
      "<p>Times are seconds of the processor on one thread, medians of rounds in which all take "
      "part in turn. Solved means that the natural residual of the x returned, recomputed here for "
      "all alike, is at most the tolerance times max |b|. Ours "
      "are timed with the checks of their input and of their answer, on a solver that has solved "
      "before; making the operator is not timed, and whether a dense matrix is symmetric is found "
      "there. Peers run in processes of their own, and are timed alike: what their call overwrites "
      "is copied before it, and the natural residual of its x is computed after it. The other "
      "form of the matrix that they need is not timed; all but PETSc and Ipopt take the dense "
      "matrix only, with boxes moved to hold 0. Nor is the search for the tolerance to ask of "
      "those that end by a measure of their own. How many first places are left beside their calls "
      "alone, without copies and test, is said too.</p>\n",
      out);
}

static void write_suite(FILE *out, const bench_suite *suite, const bench_table *t)
{
  fprintf(out, "<h2 id=\"%s\">%s</h2>\n", suite->name, suite->title);
  if (suite->kind == BENCH_ANYTIME) {
    write_anytime(out, t, suite->name);
    return;
  }
  if (suite->kind == BENCH_KERNELS) {
    write_kernels(out, t);
    return;
  }
  if (suite->kind == BENCH_FIGURES) {
    write_figures(out, t, suite->name);
    return;
  }
  bench_view v;
  int peers[MOST_METHODS];
  if (!bench_view_make(t, suite->name, &v) || v.problems == 0 || v.methods > MOST_METHODS) {
    fputs("<p>No problem was run.</p>\n", out);
    bench_view_free(&v);
    return;
  }
  write_verdicts(out, &v);
  for (int tol = LAST; tol >= 0; tol--) {
    if (bench_view_pick(&v, BENCH_PEERS_ONLY, peers))
      write_profile(out, &v, tol, BENCH_LEAD_AND_PEERS, "auto and the peers");
    write_profile(out, &v, tol, BENCH_OURS, "our methods");
  }
  write_peer_wins(out, &v);
  write_times(out, &v);
  write_growth(out, &v);
  write_failures(out, &v);
  write_anytime(out, t, suite->name);
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
    print_figures(out, t, suite->name);
    return;
  }
  bench_view v;
  double *ratios = malloc(((size_t)t->rows + 1) * sizeof *ratios);
  if (bench_view_make(t, suite->name, &v) && v.problems > 0 && ratios)
    for (int tol = 0; tol < BENCH_TOLS; tol++) {
      const standing s = stand(&v, tol);
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
