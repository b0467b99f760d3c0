/* check.c: perp check, the verdict on any x, and the row that is worst
 *
 * Row i violates by |x_i - P_K(x - y)_i| with y = A x + b; in a cone y_n is first raised by De
 * Saxce's term (perp_set_map). The natural residual is the largest of these. */
#include "app.h"
#include "json.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct verdict {
  double residual, scale, tol;
  bool solved;
  int row; /* the worst, -1 if n = 0 */
  double violation, x, y, lo, hi;
  int cone;  /* of that row, -1: none */
  double mu; /* of that cone */
} verdict;

/* The friction coefficient of row k of a cone; with dim 0 in the normal row. */
static double coefficient(const perp_set *K, int cone, int k)
{
  if (!K->dim)
    return K->mu[cone];
  const int column = k - 1 + (K->dim[cone] == 5 && k > 2);
  return k > 0 ? K->mu[5 * (size_t)cone + (size_t)column] : 0;
}

static void find_worst_row(const perp_problem *p, const double *x, double *y, double *z, verdict *v)
{
  const int n = p->K.n;
  for (int i = 0; i < n; i++)
    y[i] += p->b[i];
  perp_set_map(&p->K, x, y, z);
  v->row = -1;
  for (int i = 0; i < n; i++) {
    /* a NaN in x spreads over y: the row it comes from is the one to show */
    const bool lost = !isfinite(x[i]);
    const double violation = lost || !isfinite(y[i]) ? INFINITY : fabs(z[i]);
    if (v->row < 0 || violation > v->violation || lost) {
      v->row = i;
      v->violation = violation;
    }
    if (lost)
      break;
  }
  if (n == 0)
    return;
  v->x = x[v->row];
  v->y = y[v->row];
  int first;
  v->cone = perp_set_cone(&p->K, v->row, &first);
  if (v->cone >= 0) /* of a contact with dim, the coefficient of this axis; 0 in the normal row */
    v->mu = coefficient(&p->K, v->cone, v->row - first);
  else
    perp_set_bounds(&p->K, x, v->row, &v->lo, &v->hi);
  v->lo += 0.0; /* a friction bound -mu 0 is shown as 0, not as -0 */
}

/* y <- y + A low */
static perp_error add_low(const perp_problem *p, const double *low, double *y, double *z,
                          double *scratch)
{
  const perp_error error = perp_operator_apply(p->A, low, z, scratch, NULL);
  for (int i = 0; i < p->K.n && !error; i++)
    y[i] += z[i];
  return error;
}

/* low: of x in two doubles, or NULL. */
static perp_error judge(const perp_problem *p, const double *x, const double *low, double tol,
                        verdict *v, perp_message *why)
{
  *v = (verdict){.tol = tol, .row = -1, .cone = -1};
  perp_error error = low ? perp_problem_judge_low(p, x, low, &v->residual, &v->scale, why)
                         : perp_problem_judge(p, x, &v->residual, &v->scale, why);
  if (error)
    return error;
  v->solved = perp_residual_solved(v->residual, tol, v->scale);
  const size_t n = (size_t)p->K.n;
  double *work = malloc((2 * n + perp_operator_scratch(p->A) + 1) * sizeof *work);
  if (!work)
    return PERP_ERROR_MEMORY;
  double *y = work, *z = work + n;
  error = perp_operator_apply(p->A, x, y, work + 2 * n, NULL);
  if (!error && low)
    error = add_low(p, low, y, z, work + 2 * n);
  if (!error)
    find_worst_row(p, x, y, z, v);
  free(work);
  return error;
}

static void print_verdict(const char *where, const perp_problem *p, const verdict *v)
{
  printf("problem   %s (%s)\n", where, app_summarise(p).text);
  printf("verdict   %s\n", v->solved ? "solved" : "not solved");
  printf("residual  %.4g relative (tol %g), %.4g absolute, scale %.6g\n", v->residual / v->scale,
         v->tol, v->residual, v->scale);
  if (v->row < 0)
    return;
  printf("worst     row %d: x = %.10g, y = %.10g, ", v->row, v->x, v->y);
  if (v->cone >= 0)
    printf("in cone %d with mu = %g", v->cone, v->mu);
  else
    printf("bounds [%.10g, %.10g]", v->lo, v->hi);
  printf(", off by %.4g\n", v->violation);
}

static void json_verdict(const char *where, const perp_problem *p, const verdict *v)
{
  json j = json_open(stdout);
  json_text(&j, "problem", where);
  json_integer(&j, "n", p->K.n);
  json_text(&j, "form", perp_form_name(perp_set_form(&p->K)));
  json_text(&j, "operator", perp_operator_kind(p->A));
  json_bool(&j, "solved", v->solved);
  json_real(&j, "residual", v->residual / v->scale);
  json_real(&j, "residual_absolute", v->residual);
  json_real(&j, "scale", v->scale);
  json_real(&j, "tol", v->tol);
  if (v->row >= 0) {
    json_begin_object(&j, "worst");
    json_integer(&j, "row", v->row);
    json_real(&j, "violation", v->violation);
    json_real(&j, "x", v->x);
    json_real(&j, "y", v->y);
    if (v->cone >= 0) {
      json_integer(&j, "cone", v->cone);
      json_real(&j, "mu", v->mu);
    } else {
      json_real(&j, "lo", v->lo);
      json_real(&j, "hi", v->hi);
    }
    json_end_object(&j);
  } else {
    json_text(&j, "worst", NULL);
  }
  json_text(&j, "error", NULL);
  json_close(&j);
}

/* ---- Certificates ---- */

/* The verdict on u: `file`, or the instance's own if that is NULL. */
static int check_certificate(const app_call *app, const char *where, const perp_instance *instance,
                             const char *file)
{
  const perp_problem problem = perp_instance_problem(instance);
  perp_message why = {""};
  double *read = NULL;
  int length;
  bool holds = false;
  perp_error error = PERP_OK;
  if (file)
    error = perp_vector_read(file, problem.K.n, &read, &length, &why);
  if (!error)
    error = perp_certificate_judge(&problem, file ? read : instance->u, &holds, &why);
  perp_free(read);
  if (error)
    return refuse(app, error, "%s", why.text);
  if (app->json) {
    json j = json_open(stdout);
    json_text(&j, "problem", where);
    json_integer(&j, "n", problem.K.n);
    json_text(&j, "form", perp_form_name(perp_set_form(&problem.K)));
    json_bool(&j, "infeasible", holds);
    json_text(&j, "message", holds ? "the certificate holds exactly" : why.text);
    json_text(&j, "error", NULL);
    json_close(&j);
  } else {
    printf("problem   %s (%s)\n", where, app_summarise(&problem).text);
    printf("verdict   %s\n",
           holds ? "infeasible: the certificate holds exactly" : "not a certificate");
    if (!holds)
      printf("why       %s\n", why.text);
  }
  return holds ? APP_FINE : APP_NOT_SOLVED;
}

/* The verdict on `x`, or, if that is NULL, on the instance's own x; with `low` added if that is a
 * file. */
static int check_instance(const app_call *app, const char *where, const perp_instance *instance,
                          const char *file, const char *low_file, double tol)
{
  const perp_problem problem = perp_instance_problem(instance);
  perp_message why = {""};
  double *read = NULL, *low = NULL;
  int length;
  if (file) {
    const perp_error error = perp_vector_read(file, problem.K.n, &read, &length, &why);
    if (error)
      return refuse(app, error, "%s", why.text);
  } else if (!instance->x) {
    return refuse(app, PERP_ERROR_ARGUMENT,
                  "%s has no x.mtx; name the file to check: perp check DIR x.mtx", where);
  }
  verdict v;
  perp_error error = PERP_OK;
  if (low_file)
    error = perp_vector_read(low_file, problem.K.n, &low, &length, &why);
  if (!error)
    error = judge(&problem, file ? read : instance->x, low, tol, &v, &why);
  perp_free(low);
  perp_free(read);
  if (error)
    return refuse(app, error, "%s: %s", file ? file : where,
                  why.text[0] ? why.text : perp_error_name(error));
  if (app->json)
    json_verdict(where, &problem, &v);
  else
    print_verdict(where, &problem, &v);
  return v.solved ? APP_FINE : APP_NOT_SOLVED;
}

int command_check(const app_call *app, int argc, char **argv)
{
  bool ignored = false;
  double tol = perp_options_default().tol;
  const char *certificate = NULL, *low = NULL;
  const app_option options[] = {
      {"tol", APP_REAL, &tol, 0, DBL_MAX, "T",
       "solved if the natural residual is at most T max|b_i|; default 1e-8"},
      {"certificate", APP_TEXT, &certificate, 0, 0, "u.mtx",
       "judge this certificate of infeasibility"},
      {"low", APP_TEXT, &low, 0, 0, "x_low.mtx",
       "judge x + x_low, in twice the precision, as perp solve --out-low writes it"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL,
       "print one JSON object; a number that is not finite is null"},
      {0},
  };
  const app_usage usage = {
      .call = "check PROBLEM [x.mtx [--low x_low.mtx] | --certificate u.mtx] [--tol T] [--json]",
      .about =
          "Judges any solution by the natural residual max_i |x_i - P(x - y)_i|\n"
          "with y = A x + b, and shows the worst row. Without x.mtx it judges the solution in the\n"
          "folder. A certificate u proves that no solution exists, and is judged without\n"
          "rounding; if the folder has a certificate and no solution, that one is judged. Exit\n"
          "status 0: solved, or infeasible as the certificate says; 1: not.\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 2,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  perp_instance instance = {0};
  perp_message why = {""};
  const perp_error error = app_load(operands.item[0], &instance, &why);
  if (error)
    return refuse(app, error, "%s", why.text);
  const char *x = operands.count == 2 ? operands.item[1] : NULL;
  if (certificate && (x || low))
    status = refuse(app, PERP_ERROR_ARGUMENT, "give a solution or a certificate, not both");
  else if (certificate || (!x && !low && !instance.x && instance.u))
    status = check_certificate(app, operands.item[0], &instance, certificate);
  else
    status = check_instance(app, operands.item[0], &instance, x, low, tol);
  perp_instance_destroy(&instance);
  return status;
}
