/* spectrum.c: the eigenvalues of A over the frames, and what they say
 *
 * Up to ALL_LIMIT rows every eigenvalue of the symmetric part (A + A^T)/2 is written, beyond that the
 * least and the greatest as estimated by perp_problem_facts. */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>

enum { ALL_LIMIT = 1000 };

perp_error spectrum_open(const char *path, spectrum *s, perp_message *why)
{
  *s = (spectrum){.least = INFINITY, .greatest = -INFINITY};
  const perp_error error = app_file_open(path, &s->file, why);
  if (!error)
    fprintf(s->file.stream, "run,step,rows,index,eigenvalue\n");
  return error;
}

static void write_one(spectrum *s, const char *label, int64_t step, int rows, int index,
                      double value)
{
  fprintf(s->file.stream, "%s,%lld,%d,%d,%.12g\n", label, (long long)step, rows, index, value);
}

perp_error spectrum_add(spectrum *s, const char *label, int64_t step, const perp_problem *problem,
                        perp_message *why)
{
  perp_facts facts;
  const int n = problem->K.n;
  perp_error error = perp_problem_facts(problem, &facts, why);
  if (error)
    return error;
  s->frames++;
  s->symmetric += facts.symmetric;
  s->found[facts.definite]++;
  s->least = fmin(s->least, facts.eigen_min);
  s->greatest = fmax(s->greatest, facts.eigen_max);
  s->all += n <= ALL_LIMIT;
  if (n > ALL_LIMIT) {
    write_one(s, label, step, n, 0, facts.eigen_min);
    write_one(s, label, step, n, n - 1, facts.eigen_max);
    return PERP_OK;
  }
  double *w = malloc((size_t)n * sizeof *w);
  if (!w) {
    snprintf(why->text, sizeof why->text, "no memory for %d eigenvalues", n);
    return PERP_ERROR_MEMORY;
  }
  error = perp_operator_spectrum(problem->A, w, why);
  for (int k = 0; k < n && !error; k++)
    write_one(s, label, step, n, k, w[k]);
  free(w);
  return error;
}

/* "A is symmetric in all 300 frames, positive definite in 12 and semi-definite in 288; its
 * eigenvalues lie between 0 and 4.2." */
void spectrum_say(const spectrum *s, char *text, size_t room)
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
