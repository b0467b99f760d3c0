/* view.c: the rows of one suite as a table of problems by methods, and their performance profiles */
#include "view.h"

#include "kit/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The place of the text among those seen, or at their end. */
static int find(int count, const char **names, const char *name)
{
  int k = 0;
  while (k < count && strcmp(names[k], name) != 0)
    k++;
  return k;
}

static double area(const bench_view *v, int m)
{
  double sum = 0;
  for (int tol = 0; tol < BENCH_TOLS; tol++)
    for (int p = 0; p < v->problems; p++) {
      const int best = bench_view_fastest(v, p, tol, BENCH_ALL);
      const double time = bench_view_seconds(v, p, m, tol);
      if (isfinite(time))
        sum += 1 / (1 + log(time / bench_view_seconds(v, p, best, tol)));
    }
  return sum;
}

/* auto first, then ours, then the peers, each by the area under their profiles. */
static bool put_in_order(bench_view *v)
{
  double *score = malloc((size_t)v->methods * sizeof *score);
  if (!score)
    return false;
  for (int m = 0; m < v->methods; m++) {
    v->order[m] = m;
    score[m] = area(v, m) + (m == v->lead ? 1e9 : bench_view_peer(v, m) ? 0 : 1e6);
  }
  for (int i = 1; i < v->methods; i++)
    for (int j = i; j > 0 && score[v->order[j]] > score[v->order[j - 1]]; j--) {
      const int swap = v->order[j];
      v->order[j] = v->order[j - 1];
      v->order[j - 1] = swap;
    }
  free(score);
  return true;
}

bool bench_view_make(const bench_table *t, const char *suite, bench_view *v)
{
  *v = (bench_view){0};
  const char **problems = malloc(((size_t)t->rows + 1) * sizeof *problems);
  const char **methods = malloc(((size_t)t->rows + 1) * sizeof *methods);
  bool fine = problems && methods;
  for (int k = 0; k < t->rows && fine; k++) {
    const bench_row *r = &t->row[k];
    if (strcmp(r->suite, suite) != 0)
      continue;
    const int p = find(v->problems, problems, r->problem), m = find(v->methods, methods, r->method);
    problems[p] = r->problem;
    methods[m] = r->method;
    v->problems += p == v->problems;
    v->methods += m == v->methods;
  }
  v->row = calloc((size_t)v->problems * (size_t)v->methods + 1, sizeof *v->row);
  v->order = calloc((size_t)v->methods + 1, sizeof *v->order);
  fine = fine && v->row && v->order;
  for (int k = 0; k < t->rows && fine; k++) {
    const bench_row *r = &t->row[k];
    if (strcmp(r->suite, suite) == 0)
      v->row[find(v->problems, problems, r->problem) * v->methods +
             find(v->methods, methods, r->method)] = r;
  }
  for (int m = v->methods - 1; m >= 0 && fine; m--)
    if (strncmp(methods[m], "auto", 4) == 0)
      v->lead = m;
  free(problems);
  free(methods);
  return fine && put_in_order(v);
}

void bench_view_free(bench_view *v)
{
  free(v->row);
  free(v->order);
}

const bench_row *bench_view_any(const bench_view *v, int p)
{
  int m = 0;
  while (!v->row[p * v->methods + m])
    m++;
  return v->row[p * v->methods + m];
}

static const bench_row *any_of(const bench_view *v, int m)
{
  int p = 0;
  while (!v->row[p * v->methods + m])
    p++;
  return v->row[p * v->methods + m];
}

const char *bench_view_method(const bench_view *v, int m)
{
  return any_of(v, m)->method;
}

bool bench_view_peer(const bench_view *v, int m)
{
  return any_of(v, m)->peer;
}

double bench_view_seconds(const bench_view *v, int p, int m, int tol)
{
  const bench_row *r = v->row[p * v->methods + m];
  return r ? r->seconds[tol] : INFINITY;
}

static bool is_in(const bench_view *v, int m, bench_group group)
{
  const bool theirs = bench_view_peer(v, m);
  return group == BENCH_ALL || (group == BENCH_OURS ? !theirs : theirs) ||
         (group == BENCH_LEAD_AND_PEERS && m == v->lead);
}

int bench_view_pick(const bench_view *v, bench_group group, int *methods)
{
  int count = 0;
  for (int k = 0; k < v->methods; k++)
    if (is_in(v, v->order[k], group))
      methods[count++] = v->order[k];
  return count;
}

int bench_view_fastest(const bench_view *v, int p, int tol, bench_group group)
{
  int best = -1;
  for (int m = 0; m < v->methods; m++)
    if (is_in(v, m, group) && isfinite(bench_view_seconds(v, p, m, tol)) &&
        (best < 0 || bench_view_seconds(v, p, m, tol) < bench_view_seconds(v, p, best, tol)))
      best = m;
  return best;
}

double *bench_view_times(const bench_view *v, int tol, int count, const int *methods)
{
  double *times = malloc(((size_t)v->problems * (size_t)count + 1) * sizeof *times);
  for (int p = 0; p < v->problems && times; p++)
    for (int k = 0; k < count; k++)
      times[p * count + k] = bench_view_seconds(v, p, methods[k], tol);
  return times;
}

int bench_view_overhead(const bench_view *v, int tol, double *ratios)
{
  int count = 0;
  for (int p = 0; p < v->problems; p++) {
    const double time = bench_view_seconds(v, p, v->lead, tol);
    const int best = bench_view_fastest(v, p, tol, BENCH_OURS);
    if (isfinite(time))
      ratios[count++] = time / bench_view_seconds(v, p, best, tol);
  }
  return count;
}

/* ---- Performance profiles (Dolan and More 2002) ----
 *
 *   r_ps = t_ps / min_s t_ps,     rho_s(tau) = |{ p : r_ps <= tau }| / |{ p }|
 *
 * Problems that nobody solves count for all: rho_s(infinity) is the share that solver s solved, rho_s(1)
 * the share on which it was first. */

double profile_best(int solvers, const double *times, int p)
{
  double best = INFINITY;
  for (int s = 0; s < solvers; s++)
    best = fmin(best, times[p * solvers + s]);
  return best;
}

double profile_at(int problems, int solvers, const double *times, int s, double tau)
{
  int within = 0;
  for (int p = 0; p < problems; p++) {
    const double time = times[p * solvers + s];
    within += isfinite(time) && time <= tau * profile_best(solvers, times, p);
  }
  return problems ? (double)within / problems : 0;
}

int profile_ratios(int problems, int solvers, const double *times, int s, double *ratios)
{
  int count = 0;
  for (int p = 0; p < problems; p++)
    if (isfinite(times[p * solvers + s]))
      ratios[count++] = times[p * solvers + s] / profile_best(solvers, times, p);
  qsort(ratios, (size_t)count, sizeof *ratios, kit_ascending);
  return count;
}
