/* report_figures.c: the figures of suites that are no race, as a table of a page or of a terminal */
#include "kit/html.h"
#include "report.h"

#include <math.h>
#include <string.h>

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
