/* spectrum.c: the eigenvalues of A over the frames, and their summary
 *
 * Up to ALL_LIMIT rows every eigenvalue of the symmetric part (A + A^T)/2 is written, beyond that
 * the least and the greatest as estimated by perp_problem_facts. */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>

enum { ALL_LIMIT = 1000 };

perp_error spectrum_open(const char *path, app_file *file, perp_message *why)
{
  const perp_error error = app_file_open(path, file, why);
  if (error)
    return error;
  app_file_keep_lines(file);
  fprintf(file->stream, "run,step,rows,index,eigenvalue,symmetric\n");
  return PERP_OK;
}

typedef struct row {
  int64_t step;
  int rows, index;
  bool symmetric; /* else the eigenvalue is that of the symmetric part */
} row;

static void write_one(app_file *file, const char *label, row at, double value)
{
  app_write_csv_text(file->stream, label);
  fprintf(file->stream, ",%lld,%d,%d,%.12g,%d\n", (long long)at.step, at.rows, at.index, value,
          at.symmetric);
}

/* Every eigenvalue, as long as there are not too many. */
static perp_error write_all(app_file *file, sim_run *run, row at, const perp_problem *problem,
                            perp_message *why)
{
  const int n = problem->K.n;
  double *w = malloc((size_t)n * sizeof *w);
  if (!w) {
    snprintf(why->text, sizeof why->text, "out of memory for %d eigenvalues", n);
    return PERP_ERROR_MEMORY;
  }
  perp_error error = perp_operator_spectrum(problem->A, w, why);
  for (at.index = 0; at.index < n && !error; at.index++)
    write_one(file, run->label, at, w[at.index]);
  if (!error)
    error = run_keep_spectrum(run, n, w, why);
  free(w);
  return error;
}

perp_error spectrum_add(app_file *file, sim_run *run, int64_t step, const perp_problem *problem,
                        perp_message *why)
{
  perp_facts facts;
  sim_spectrum *s = &run->spectrum;
  if (!problem)
    return run_keep_spectrum(run, 0, NULL, why);
  const int n = problem->K.n;
  const perp_error error = perp_problem_facts(problem, &facts, why);
  if (error)
    return error;
  s->frames++;
  s->symmetric += facts.symmetric;
  s->found[facts.definite]++;
  s->least = fmin(s->least, facts.eigen_min);
  s->greatest = fmax(s->greatest, facts.eigen_max);
  row at = {.step = step, .rows = n, .symmetric = facts.symmetric};
  if (n <= ALL_LIMIT)
    return write_all(file, run, at, problem, why);
  const double ends[2] = {facts.eigen_min, facts.eigen_max};
  write_one(file, run->label, at, ends[0]);
  at.index = n - 1;
  write_one(file, run->label, at, ends[1]);
  return run_keep_spectrum(run, 2, ends, why);
}

/* "A is symmetric in all 300 frames, positive definite in 12 and semi-definite in 288; its
 * eigenvalues lie between 0 and 4.2." */
void spectrum_say(const sim_spectrum *s, char *text, size_t room)
{
  if (s->frames == 0) {
    snprintf(text, room, "no frame had a matrix");
    return;
  }
  static const char *const words[] = {"of unknown definiteness", "positive definite",
                                      "positive semi-definite", "indefinite"};
  const char *part = s->symmetric == s->frames ? "" : " of its symmetric part";
  int used =
      s->symmetric == s->frames ? snprintf(text, room, "A is symmetric in all %d frames", s->frames)
      : s->symmetric == 0
          ? snprintf(text, room, "A is not symmetric in any of %d frames", s->frames)
          : snprintf(text, room, "A is symmetric in %d of %d frames", s->symmetric, s->frames);
  for (int k = 0; k < 4 && used < (int)room; k++)
    if (s->found[k])
      used += snprintf(text + used, room - (size_t)used, ", %s in %d", words[k], s->found[k]);
  if (used < (int)room)
    snprintf(text + used, room - (size_t)used, "; eigenvalues%s between %.3g and %.3g", part,
             s->least, s->greatest);
}
