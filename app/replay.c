/* replay.c: perp replay: solves a recorded problem again, lists and draws the rows that fail
 *
 * A record is written by a solve that failed (perp solve --record, and `record` of the
 * adapters for engines). It is solved again with its method, options and start. With y = A x + b
 * row i has the residual |x_i - P(x - y)_i|, and fails if that is above tol max |b_i|. The page plots
 * the residual of every row, and its table lists the rows that fail. */
#include "app.h"
#include "json.h"
#include "kit/html.h"
#include "kit/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  int index;
  double failure; /* relative to max |b_i| */
} row;

/* The problem and the result of a replay. */
typedef struct replayed {
  perp_problem problem;
  const double *x, *y;
  perp_result result;
  const perp_record *record;
  const char *method;
  double tol;
  row *rows; /* rows that fail, the worst first */
  int failed;
  double *failure; /* of each row, relative */
} replayed;

static int by_failure(const void *a, const void *b)
{
  const row *one = a, *other = b;
  if (one->failure != other->failure)
    return one->failure < other->failure ? 1 : -1;
  return one->index - other->index;
}

/* |x - P(x - y)| row by row. */
static bool judge_rows(replayed *r)
{
  const perp_set *K = &r->problem.K;
  const size_t n = (size_t)K->n;
  const double scale = perp_problem_scale(&r->problem);
  double *z = malloc(n * sizeof *z + 1);
  r->failure = malloc(n * sizeof *r->failure + 1);
  r->rows = malloc(n * sizeof *r->rows + 1);
  if (!z || !r->failure || !r->rows) {
    free(z);
    return false;
  }
  perp_set_map(K, r->x, r->y, z);
  for (int i = 0; i < K->n; i++) {
    r->failure[i] = fabs(z[i]) / scale;
    if (!(r->failure[i] <= r->tol))
      r->rows[r->failed++] = (row){i, r->failure[i]};
  }
  free(z);
  qsort(r->rows, (size_t)r->failed, sizeof *r->rows, by_failure);
  return true;
}

/* "normal of rows 4 5", "friction of row 3", "free", "box" */
static void name_row(const perp_set *K, int i, char *text, size_t room)
{
  const int j = K->findex ? K->findex[i] : -1;
  const double lo = K->lo ? K->lo[i] : 0, hi = K->hi ? K->hi[i] : INFINITY;
  size_t used = 0;
  if (j >= 0) {
    snprintf(text, room, "friction of row %d", j);
    return;
  }
  for (int k = 0; K->findex && k < K->n && used < room; k++)
    if (K->findex[k] == i)
      used += (size_t)snprintf(text + used, room - used, "%s %d", used ? "" : "normal of rows", k);
  if (used == 0)
    snprintf(text, room, "%s",
             lo <= -1e300 && hi >= 1e300 ? "free"
             : lo > -1e300 && hi < 1e300 ? "box"
             : lo > -1e300               ? "bounded below"
                                         : "bounded above");
}

static void print_rows(const replayed *r)
{
  enum { SHOWN = 20 };
  printf("method      %s\n", r->method);
  printf("recorded    %s, residual %.4g\n", r->record->outcome, r->record->residual);
  printf("now         %s, relative residual %.4g (tol %g)\n", perp_outcome_name(r->result.outcome),
         r->result.relative_residual, r->tol);
  if (r->result.message.text[0])
    printf("message     %s\n", r->result.message.text);
  printf("rows        %d, %d of them fail\n", r->problem.K.n, r->failed);
  for (int k = 0; k < r->failed && k < SHOWN; k++) {
    const int i = r->rows[k].index;
    char what[80];
    double lo, hi;
    name_row(&r->problem.K, i, what, sizeof what);
    perp_set_bounds(&r->problem.K, r->x, i, &lo, &hi);
    printf("row %-7d fails by %.3g: %s, x = %.6g in [%.6g, %.6g], y = %.6g\n", i,
           r->rows[k].failure, what, r->x[i], lo, hi, r->y[i]);
  }
  if (r->failed > SHOWN)
    printf("and %d more\n", r->failed - SHOWN);
}

static void json_rows(const replayed *r)
{
  json j = json_open(stdout);
  json_text(&j, "method", r->method);
  json_text(&j, "recorded", r->record->outcome);
  json_text(&j, "outcome", perp_outcome_name(r->result.outcome));
  json_real(&j, "residual", r->result.relative_residual);
  json_real(&j, "tol", r->tol);
  json_integer(&j, "n", r->problem.K.n);
  json_begin_array(&j, "failed");
  for (int k = 0; k < r->failed; k++) {
    const int i = r->rows[k].index;
    char what[80];
    name_row(&r->problem.K, i, what, sizeof what);
    json_begin_object(&j, NULL);
    json_integer(&j, "row", i);
    json_text(&j, "kind", what);
    json_real(&j, "failure", r->rows[k].failure);
    json_real(&j, "x", r->x[i]);
    json_real(&j, "y", r->y[i]);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_close(&j);
}

/* Plots the residual over the row number: rows that are solved, rows that fail, and the tolerance. */
static bool draw_rows(FILE *out, const replayed *r)
{
  enum { SOLVED, FAILED, TOLERANCE, CURVES };
  const int n = r->problem.K.n;
  double *at = malloc((size_t)(4 * n + 4) * sizeof *at);
  if (!at)
    return false;
  double *const x[] = {at, at + n}, *const y[] = {at + 2 * n, at + 3 * n};
  int count[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    const int which = r->failure[i] <= r->tol ? SOLVED : FAILED;
    x[which][count[which]] = i;
    y[which][count[which]++] = fmax(fmin(r->failure[i], 1e300), 1e-18);
  }
  const double ends[2] = {0, n > 1 ? n - 1 : 1}, level[2] = {r->tol, r->tol};
  const plot_curve curves[CURVES] = {
      [SOLVED] = {.label = "solved", .count = count[0], .x = x[0], .y = y[0], .points = true},
      [FAILED] = {.label = "fails",
                  .count = count[1],
                  .x = x[1],
                  .y = y[1],
                  .points = true,
                  .heavy = true},
      [TOLERANCE] = {.label = "tolerance", .count = 2, .x = ends, .y = level, .dashed = true},
  };
  const plot picture = {.title = "Failure of each row",
                        .x_label = "row",
                        .y_label = "|x - P(x - y)|, relative",
                        .log_y = true,
                        .dot = 3};
  plot_draw(out, &picture, CURVES, curves);
  free(at);
  return true;
}

static perp_error write_page(const char *path, const char *where, const replayed *r,
                             perp_message *why)
{
  app_file file = {0};
  const perp_error error = app_file_open(path, &file, why);
  if (error)
    return error;
  FILE *out = file.stream;
  html_head(out, "perp replay");
  plot_style(out);
  html_body(out);
  fputs("<h1>", out);
  html_escape(out, where);
  fprintf(out, "</h1>\n<p>%s: recorded as %s, now %s; %d of %d rows fail.</p>\n", r->method,
          r->record->outcome, perp_outcome_name(r->result.outcome), r->failed, r->problem.K.n);
  const bool drawn = draw_rows(out, r);
  fputs("<table><tr><th>row</th><th>what it is</th><th>fails by</th><th>x</th><th>y</th>"
        "<th>x from</th><th>to</th></tr>\n",
        out);
  for (int k = 0; k < r->failed; k++) {
    const int i = r->rows[k].index;
    char what[80];
    double lo, hi;
    name_row(&r->problem.K, i, what, sizeof what);
    perp_set_bounds(&r->problem.K, r->x, i, &lo, &hi);
    fprintf(out,
            "<tr><td>%d</td><td>%s</td><td>%.2g</td><td>%.3g</td><td>%.2g</td><td>%.3g</td>"
            "<td>%.3g</td></tr>\n",
            i, what, r->rows[k].failure, r->x[i], r->y[i], lo, hi);
  }
  fputs("</table>\n", out);
  html_end(out);
  if (!drawn) {
    app_file_discard(&file);
    return app_say(why, PERP_ERROR_MEMORY, "out of memory", " for the picture");
  }
  return app_file_close(&file, why);
}

static int show(const app_call *app, const char *where, const char *page, perp_record *record)
{
  perp_message why = {""};
  replayed r = {.problem = perp_instance_problem(&record->instance),
                .result = perp_result_empty(),
                .record = record,
                .method = perp_solver_method(record->solver).name};
  double *y = calloc((size_t)r.problem.K.n + 1, sizeof *y);
  perp_options options = perp_options_copy(record->options);
  options.y = y;
  r.tol = options.tol;
  r.x = record->start;
  r.y = y;
  perp_error error =
      y ? perp_solver_solve(record->solver, &r.problem, &options, record->start, &r.result)
        : PERP_ERROR_MEMORY;
  if (error)
    why = r.result.message;
  if (!error && !judge_rows(&r))
    error = app_say(&why, PERP_ERROR_MEMORY, "out of memory", " for the rows");
  if (!error && page)
    error = write_page(page, where, &r, &why);
  int status = r.result.outcome == PERP_SOLVED ? APP_FINE : APP_NOT_SOLVED;
  if (error)
    status = refuse(app, error, "%s: %s", where, why.text);
  else if (app->json)
    json_rows(&r);
  else
    print_rows(&r);
  free(y);
  free(r.failure);
  free(r.rows);
  return status;
}

int command_replay(const app_call *app, int argc, char **argv)
{
  bool ignored = false;
  const char *page = NULL;
  const app_option options[] = {
      {"html", APP_TEXT, &page, 0, 0, "out.html", "write a page with a picture of the rows"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "replay RECORD [--html out.html]",
      .about =
          "RECORD is a folder with a solve that was not solved, made by perp solve --record or by\n"
          "the setting `record` of the adapters for DART, Bullet, ODE and Simbody. It is solved\n"
          "again with its method, options and start, and the rows that fail are listed, the worst\n"
          "first. Exit status 0: solved this time, 1: not solved.\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 1,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  perp_record record;
  perp_message why = {""};
  const perp_error error = perp_record_read(operands.item[0], &record, &why);
  if (error)
    return refuse(app, error, "%s", why.text);
  status = show(app, operands.item[0], page, &record);
  perp_record_destroy(&record);
  return status;
}
