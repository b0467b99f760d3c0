/* web/problem.c: one problem at a time: made, read or pasted; solved with a trace; looked at
 *
 * JavaScript gives it by a text for perp_generate, by arrays, or by the folder of files that it has
 * written into the module's own file system. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static perp_instance now;
static bool there;
static double *pasted; /* A, b, lo and hi from JavaScript: the instance only points there */

static void forget(void)
{
  if (pasted)
    now.b = now.lo = now.hi = NULL;
  if (there || pasted)
    perp_instance_destroy(&now);
  free(pasted);
  pasted = NULL;
  there = false;
}

/* ---- Where it comes from ---- */

static void add_facts(const perp_problem *p)
{
  perp_facts facts;
  perp_message why = {""};
  if (perp_problem_facts(p, &facts, &why)) {
    play_add(",\"facts\":null");
    return;
  }
  play_add(",\"facts\":{\"symmetric\":%s,\"z\":%s,\"definite\":\"%s\",\"least\":",
           facts.entries_seen ? facts.symmetric ? "true" : "false" : "null",
           facts.z_matrix ? "true" : "false", perp_definite_name(facts.definite));
  play_add_number(facts.eigen_min);
  play_add(",\"most\":");
  play_add_number(facts.eigen_max);
  play_add(",\"condition\":");
  play_add_number(facts.condition);
  play_add("}");
}

static const char *tell(perp_error error, const perp_message *why)
{
  if (error)
    return play_error(why->text[0] ? why->text : "this is not a problem");
  there = true;
  const perp_problem p = perp_instance_problem(&now);
  perp_message wrong = {""};
  if (perp_problem_validate(&p, &wrong)) {
    forget();
    return play_error(wrong.text);
  }
  play_begin();
  play_add("{\"n\":%d,\"nonzeros\":%lld,\"kind\":\"%s\",\"form\":\"%s\",\"known\":\"%s\",\"name\":",
           p.K.n, (long long)perp_operator_nonzeros(p.A), perp_operator_kind(p.A),
           perp_form_name(perp_set_form(&p.K)), perp_kind_name(now.kind));
  play_add_text(now.name);
  add_facts(&p);
  play_add("}");
  return play_end();
}

PLAY const char *play_problem_generate(const char *text)
{
  perp_message why = {""};
  forget();
  return tell(perp_generate(text, &now, &why), &why);
}

PLAY const char *play_problem_folder(const char *path)
{
  perp_message why = {""};
  forget();
  return tell(perp_folder_read(path, &now, &why), &why);
}

/* Where JavaScript put A (row by row), b, lo and hi one after another; bounded 0: x >= 0. */
PLAY const char *play_problem_dense(int n, const double *numbers, int bounded)
{
  perp_message why = {""};
  const size_t m = (size_t)n, bytes = (m * m + (bounded ? 3 : 1) * m) * sizeof(double);
  forget();
  now = (perp_instance){0};
  pasted = malloc(bytes + 1);
  if (!pasted)
    abort();
  memcpy(pasted, numbers, bytes);
  const perp_error error = perp_operator_dense(n, pasted, n, PERP_BORROW, &now.A, &why);
  now.b = pasted + m * m;
  now.lo = bounded ? now.b + m : NULL;
  now.hi = bounded ? now.b + 2 * m : NULL;
  snprintf(now.name, sizeof now.name, "pasted");
  return tell(error, &why);
}

PLAY const char *play_problem_write(const char *path)
{
  perp_message why = {""};
  if (!there || perp_folder_write(path, &now, &why))
    return play_error(there ? why.text : "no problem is loaded");
  play_begin();
  play_add("{\"written\":true}");
  return play_end();
}

/* ---- Solving ---- */

typedef struct trace {
  int count, room, n;
  double *row; /* iteration, seconds, residual, merit, x of at most two */
} trace;

enum { COLUMNS = 6 };

static bool watch(void *context, const perp_progress *p)
{
  trace *t = context;
  if (t->count == t->room) {
    t->room = 2 * t->room + 256;
    t->row = realloc(t->row, (size_t)t->room * COLUMNS * sizeof *t->row);
    if (!t->row)
      abort();
  }
  double *row = t->row + COLUMNS * t->count++;
  row[0] = (double)p->iteration;
  row[1] = p->seconds;
  row[2] = p->checked ? p->relative_residual : NAN;
  row[3] = p->merit;
  for (int k = 0; k < 2; k++)
    row[4 + k] = p->x && k < p->n ? p->x[k] : NAN;
  return true;
}

static void add_trace(const trace *t)
{
  static const char *const names[COLUMNS] = {"iteration", "seconds", "residual",
                                             "merit",     "x0",      "x1"};
  for (int c = 0; c < (t->n <= 2 ? COLUMNS : 4); c++) {
    play_add(",\"%s\":[", names[c]);
    for (int k = 0; k < t->count; k++) {
      play_add(k ? "," : "");
      if (isfinite(t->row[COLUMNS * k + c]))
        play_add("%.9g", t->row[COLUMNS * k + c]);
      else
        play_add("null");
    }
    play_add("]");
  }
}

enum { SHOWN = 64 }; /* unknowns; x and y of larger problems are not handed over */

/* settings: "omega=1.4,order=backward" */
static perp_error set_all(perp_solver *solver, const char *settings, perp_message *why)
{
  char copy[256];
  perp_error error = PERP_OK;
  snprintf(copy, sizeof copy, "%s", settings);
  for (char *item = strtok(copy, ","); item && !error; item = strtok(NULL, ",")) {
    char *value = strchr(item, '=');
    if (value)
      *value++ = 0;
    error = perp_solver_set_text(solver, item, value ? value : "yes", why);
  }
  return error;
}

static void add_result(const perp_result *r, const trace *t, int n, const double *x,
                       const double *y)
{
  play_begin();
  play_add("{\"outcome\":\"%s\",\"method\":\"%s\",\"iterations\":%lld,\"time\":%.9g,\"final\":",
           perp_outcome_name(r->outcome), r->method ? r->method : "",
           (long long)r->counts.iterations, r->seconds);
  play_add_number(r->relative_residual);
  play_add(",\"message\":");
  play_add_text(r->message.text);
  play_add(",\"attempts\":[");
  for (int k = 0; k < r->attempts; k++)
    play_add("%s\"%s\"", k ? "," : "", r->attempt[k].method);
  play_add("],\"x\":[");
  for (int k = 0; k < n && n <= SHOWN; k++) {
    play_add(k ? "," : "");
    play_add_number(x[k]);
  }
  play_add("],\"y\":[");
  for (int k = 0; k < n && n <= SHOWN; k++) {
    play_add(k ? "," : "");
    play_add_number(y[k]);
  }
  play_add("]");
  add_trace(t);
  play_add("}");
}

/* start: n numbers, or NULL for zeros. */
PLAY const char *play_run(const char *method, const char *settings, double tol, double iterations,
                          double seconds, const double *start)
{
  if (!there)
    return play_error("no problem is loaded");
  const perp_problem p = perp_instance_problem(&now);
  const size_t n = (size_t)p.K.n;
  perp_message why = {""};
  perp_solver *solver = NULL;
  trace t = {.n = p.K.n};
  double *x = calloc(n + 1, sizeof *x);
  if (!x)
    abort();
  if (start)
    memcpy(x, start, n * sizeof *x);
  perp_error error = perp_solver_create(method, &solver, &why);
  if (!error)
    error = set_all(solver, settings, &why);
  perp_result r = perp_result_empty();
  if (!error) {
    perp_options o = perp_options_default();
    o.tol = tol;
    o.max_iterations = (int64_t)iterations;
    o.time_limit = seconds;
    o.observer = watch;
    o.observer_context = &t;
    error = perp_solver_solve(solver, &p, &o, x, &r);
    why = r.message;
  }
  double y[SHOWN] = {0}, *scratch = malloc((perp_operator_scratch(p.A) + 1) * sizeof *scratch);
  if (!scratch)
    abort();
  if (!error && p.K.n <= SHOWN && !(error = perp_operator_apply(p.A, x, y, scratch, &why)))
    for (int k = 0; k < p.K.n; k++)
      y[k] += p.b[k];
  if (error)
    play_error(why.text);
  else
    add_result(&r, &t, p.K.n, x, y);
  free(scratch);
  perp_solver_destroy(solver);
  free(t.row);
  free(x);
  return play_end();
}

/* ---- All solutions ---- */

static bool found(void *context, const perp_solution *s)
{
  int *count = context;
  play_add("%s{\"isolated\":%s,\"x\":[", (*count)++ ? "," : "", s->isolated ? "true" : "false");
  for (int k = 0; k < s->n; k++) {
    play_add(k ? "," : "");
    play_add_number(s->x[k]);
  }
  play_add("]}");
  return true;
}

PLAY const char *play_enumerate(void)
{
  if (!there)
    return play_error("no problem is loaded");
  const perp_problem p = perp_instance_problem(&now);
  double *x = calloc((size_t)p.K.n + 1, sizeof *x);
  if (!x)
    abort();
  int count = 0;
  perp_options o = perp_options_default();
  o.found = found;
  o.found_context = &count;
  perp_result r = perp_result_empty();
  play_begin();
  play_add("{\"solutions\":[");
  const perp_error error = perp_solve("enumerate", &p, &o, x, &r);
  free(x);
  if (error)
    return play_error(r.message.text);
  play_add("],\"outcome\":\"%s\"}", perp_outcome_name(r.outcome));
  return play_end();
}

/* ---- Looking at it ---- */

/* A merit function of a problem with two unknowns at m x m points, row by row from (x0, y0). */
PLAY int play_merit(int kind, double x0, double x1, double y0, double y1, int m, double *values)
{
  if (!there || perp_instance_problem(&now).K.n != 2)
    return 0;
  const perp_problem p = perp_instance_problem(&now);
  perp_message why;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++) {
      const double x[2] = {x0 + (x1 - x0) * i / (m - 1), y0 + (y1 - y0) * j / (m - 1)};
      double y[2], scratch[64];
      if (perp_operator_apply(p.A, x, y, scratch, &why))
        return 0;
      for (int k = 0; k < 2; k++)
        y[k] += p.b[k];
      if (perp_problem_merit(&p, (perp_merit_kind)kind, 0.95, x, y, &values[j * m + i]))
        return 0;
    }
  return 1;
}

/* Counts the nonzero entries of A in each of m x m fields; m at most n. */
PLAY const char *play_pattern(int m)
{
  if (!there)
    return play_error("no problem is loaded");
  const perp_problem p = perp_instance_problem(&now);
  const int n = p.K.n, fields = n < m ? n : m;
  perp_operator *A = NULL;
  perp_message why = {""};
  const int64_t *start;
  const int *column;
  const double *value;
  if (n == 0 || perp_operator_to_csr(p.A, (size_t)1 << 28, &A, &why) ||
      perp_operator_csr_arrays(A, &start, &column, &value))
    return play_error(why.text);
  int *count = calloc((size_t)fields * (size_t)fields, sizeof *count);
  if (!count)
    abort();
  for (int i = 0; i < n; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (value[e] != 0)
        count[(int64_t)i * fields / n * fields + (int64_t)column[e] * fields / n]++;
  play_begin();
  play_add("{\"fields\":%d,\"nonzeros\":%lld,\"count\":[", fields, (long long)start[n]);
  for (int k = 0; k < fields * fields; k++)
    play_add("%s%d", k ? "," : "", count[k]);
  play_add("]}");
  free(count);
  perp_operator_destroy(A);
  return play_end();
}

/* All eigenvalues of the symmetric part, for n that an eye can wait for. */
PLAY const char *play_spectrum(int most)
{
  const perp_problem p = there ? perp_instance_problem(&now) : (perp_problem){0};
  if (!there || p.K.n > most || p.K.n == 0)
    return play_error("too large for a spectrum");
  double *w = malloc((size_t)p.K.n * sizeof *w);
  if (!w)
    abort();
  perp_message why = {""};
  if (perp_operator_spectrum(p.A, w, &why)) {
    free(w);
    return play_error(why.text);
  }
  play_begin();
  play_add("{\"eigenvalues\":[");
  for (int k = 0; k < p.K.n; k++) {
    play_add(k ? "," : "");
    play_add("%.9g", w[k]);
  }
  play_add("]}");
  free(w);
  return play_end();
}
