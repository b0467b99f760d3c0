/* plot.c: figures by gnuplot, from the tables */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "kit/html.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const colours[] = {"#0077bb", "#ee7733", "#009988", "#cc3311", "#aa66cc",
                                      "#888888", "#ddaa33", "#33bbee", "#ee3377", "#669900"};

/* ---- The script ---- */

static void write_line(FILE *out, const experiment *e, const experiment_plot *plot, int k)
{
  const experiment_line *l = &plot->line[k];
  const char *style = l->style ? l->style : "lines";
  fprintf(out, "%s'%s-%s.csv' using %d:%d with %s lw 1.6 lc rgb '%s'", k ? ", \\\n  " : "",
          e->info->name, l->table, l->x, l->y, style, colours[k % 10]);
  if (strstr(style, "points"))
    fprintf(out, " pt %d ps %g", 5 + k % 8, plot->point > 0 ? plot->point : 0.6);
  if (strcmp(style, "lines") == 0 && k >= 10)
    fputs(" dt 2", out); /* the colours begin again */
  if (l->title)
    fprintf(out, " title '%s'", l->title);
  else
    fputs(" notitle", out);
}

static bool write_script(experiment *e, const experiment_plot *plot, const char *path)
{
  FILE *out = fopen(path, "w");
  if (!out) {
    report_fail(e, path, strerror(errno));
    return false;
  }
  fprintf(out,
          "set terminal svg size 720,400 dynamic font 'sans-serif,13'\nset output '%s-%s.svg'\n"
          "set datafile separator ','\nset grid lc rgb '#999999' lw 0.3\nset border lw 0.6\n"
          "set key outside right top\nset xlabel '%s'\nset ylabel '%s'\n",
          e->info->name, plot->name, plot->x_label, plot->y_label);
  if (plot->log_x)
    fputs("set logscale x\nset format x '%g'\n", out);
  if (plot->log_y)
    fputs("set logscale y\nset format y '10^{%L}'\n", out);
  if (plot->extra)
    fprintf(out, "%s\n", plot->extra);
  fputs("plot ", out);
  for (int k = 0; k < plot->lines; k++)
    write_line(out, e, plot, k);
  fputs("\n", out);
  if (fclose(out) != 0) {
    report_fail(e, path, strerror(errno));
    return false;
  }
  return true;
}

/* gnuplot, in the folder of the report; what it complains of goes to gnuplot.log. */
static bool run_gnuplot(const char *folder, const char *script)
{
  fflush(NULL); /* what is buffered is not to be written twice */
  const pid_t child = fork();
  if (child == 0) {
    int log;
    if (chdir(folder) != 0 || (log = open("gnuplot.log", O_WRONLY | O_CREAT | O_APPEND, 0666)) < 0)
      _exit(127);
    dup2(log, STDERR_FILENO);
    execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(127);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- The picture in the page ---- */

/* The line with `from` as `to` wherever it stands. */
static void write_replaced(FILE *out, const char *line, const char *const (*pairs)[2], int count)
{
  while (*line) {
    int k = 0;
    while (k < count && strncmp(line, pairs[k][0], strlen(pairs[k][0])) != 0)
      k++;
    if (k == count) {
      fputc(*line++, out);
    } else {
      fputs(pairs[k][1], out);
      line += strlen(pairs[k][0]);
    }
  }
}

/* Without what a page has no use for; names are made its own, as one page holds many pictures; and
 * what is black has the colour of the text, so that it can be read in light and dark. */
static bool include_picture(experiment *e, const char *path, const char *name)
{
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  char id[128], reference[128], group[128], line[8192];
  snprintf(id, sizeof id, "id='%.100s-", name);
  snprintf(reference, sizeof reference, "'#%.100s-", name);
  snprintf(group, sizeof group, "id=\"%.100s-", name);
  const char *const pairs[][2] = {
      {"black", "currentColor"}, {"id='", id}, {"'#", reference}, {"id=\"gnuplot_", group}};
  bool drawing = false, filter = false;
  while (fgets(line, sizeof line, file)) {
    drawing = drawing || strstr(line, "<svg");
    filter = filter || strstr(line, "<filter");
    if (drawing && !filter && !strstr(line, "<title>") && !strstr(line, "<desc>"))
      write_replaced(e->body, line, pairs, 4);
    filter = filter && !strstr(line, "</filter>");
  }
  fclose(file);
  return drawing;
}

/* "(numbers: a, b)" with each table once. */
static void link_tables(experiment *e, const experiment_plot *plot)
{
  int linked = 0;
  for (int k = 0; k < plot->lines; k++) {
    bool new = true;
    for (int m = 0; m < k; m++)
      new = new &&strcmp(plot->line[m].table, plot->line[k].table) != 0;
    if (!new)
      continue;
    linked++;
    fprintf(e->body, "%s<a href=\"%s-%s.csv\">", linked == 1 ? " (" : ", ", e->info->name,
            plot->line[k].table);
    if (linked == 1)
      fputs("csv</a>", e->body);
    else
      fprintf(e->body, "%d</a>", linked);
  }
  fputs(linked ? ")" : "", e->body);
}

void experiment_draw(experiment *e, const experiment_plot *plot)
{
  char name[128], script[160], path[4400], picture[4400];
  const char *folder = e->report->call->folder;
  snprintf(name, sizeof name, "%s-%s", e->info->name, plot->name);
  snprintf(script, sizeof script, "%s.gnuplot", name);
  snprintf(path, sizeof path, "%s/%s", folder, script);
  snprintf(picture, sizeof picture, "%s/%s.svg", folder, name);
  if (!write_script(e, plot, path))
    return;
  fprintf(e->body, "<figure id=\"%s\">", name);
  if (!run_gnuplot(folder, script) || !include_picture(e, picture, name))
    fputs("<p>(gnuplot is not installed, or failed: the numbers are in the csv files)</p>",
          e->body);
  fputs("<figcaption>", e->body);
  html_escape(e->body, plot->title);
  link_tables(e, plot);
  fputs("</figcaption></figure>\n", e->body);
}
