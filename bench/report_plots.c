/* report_plots.c: profiles, growth with n, residual against time, kernels against their limits */
#include "kit/numbers.h"
#include "kit/plot.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 10 /* curves */ };

/* ---- Profiles ---- */

void report_profile(FILE *out, const bench_view *v, int tol, bench_group group, const char *who)
{
  int methods[REPORT_METHODS];
  const int count = bench_view_pick(v, group, methods);
  double *times = bench_view_times(v, tol, count, methods);
  plot_curve curves[REPORT_METHODS] = {0};
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

/* ---- Growth ---- */

/* n and time of the problems of a series that the method solved; returns how many. */
static int growth(const bench_view *v, const char *series, int m, double *n, double *time)
{
  int count = 0;
  for (int p = 0; p < v->problems; p++) {
    const bench_row *r = v->row[p * v->methods + m];
    if (r && r->series && strcmp(r->series, series) == 0 && isfinite(r->seconds[REPORT_LAST])) {
      n[count] = r->n;
      time[count++] = r->seconds[REPORT_LAST];
    }
  }
  return count;
}

static void write_growth_of(FILE *out, const bench_view *v, const char *series)
{
  const size_t room = (size_t)v->problems + 1;
  double *n = malloc((size_t)v->methods * room * sizeof *n);
  double *time = malloc((size_t)v->methods * room * sizeof *time);
  plot_curve curves[REPORT_METHODS] = {0};
  char labels[REPORT_METHODS][48];
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

void report_growth(FILE *out, const bench_view *v)
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
  plot_curve curves[REPORT_METHODS] = {0};
  double last[REPORT_METHODS];
  int count = 0;
  for (int k = from; k < to && x && y && count < REPORT_METHODS;) {
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
                      .x_label = "CPU seconds given",
                      .y_label = "relative residual reached",
                      .log_x = true,
                      .log_y = true},
              count, curves);
  free(x);
  free(y);
}

void report_anytime(FILE *out, const bench_table *t, const char *suite)
{
  int points = 0;
  for (int k = 0; k < t->points; k++)
    points += strcmp(t->point[k].suite, suite) == 0;
  if (points == 0)
    return;
  fputs("<p>Each point is a separate solve with that time limit, and the residual of the x it "
        "returned. Methods without a name are drawn faintly.</p>\n",
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

void report_kernels(FILE *out, const bench_table *t)
{
  enum { MOST_BARS = 32 };
  const char *labels[MOST_BARS] = {0};
  double shares[MOST_BARS] = {0};
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
