/* plot.c: a plot is axes, gridlines at round numbers, curves, and their names at the right */
#include "kit/plot.h"

#include "kit/html.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 340, LEFT = 64, RIGHT = 560, TOP = 30, BOTTOM = 290, COLOURS = 8 };

void plot_style(FILE *out)
{
  fputs("svg{max-width:100%;height:auto;display:block;margin:.6em 0 1.2em;font:12px system-ui,"
        "sans-serif}\nsvg text{fill:var(--soft)}svg .title{fill:var(--ink);font-size:13px;"
        "font-weight:600}\nsvg .grid{stroke:var(--line);stroke-width:1}svg .axis{stroke:"
        "var(--soft);stroke-width:1}\nsvg polyline{fill:none;stroke-width:1.6;stroke-linejoin:"
        "round}svg .heavy{stroke-width:3.2}svg .dashed{stroke-dasharray:5 3}svg .faint{stroke:"
        "var(--faint);stroke-width:1}\n",
        out);
  for (int k = 0; k < COLOURS; k++)
    fprintf(out, "svg .c%d{stroke:var(--c%d)}svg .f%d{fill:var(--c%d)}", k, k, k, k);
  fputc('\n', out);
}

/* ---- Axes ---- */

static double place(double value, double least, double most, bool logarithmic, double from,
                    double to)
{
  const double share =
      logarithmic ? log(value / least) / log(most / least) : (value - least) / (most - least);
  return from + fmin(1, fmax(0, share)) * (to - from);
}

static double place_x(const plot *p, double x)
{
  return place(x, p->x_least, p->x_most, p->log_x, LEFT, RIGHT);
}

static double place_y(const plot *p, double y)
{
  return place(y, p->y_least, p->y_most, p->log_y, BOTTOM, TOP);
}

static bool drawable(const plot *p, double x, double y)
{
  return isfinite(x) && isfinite(y) && (!p->log_x || x > 0) && (!p->log_y || y > 0);
}

/* Ranges that are not given are those of the points. */
static void find_ranges(plot *p, int count, const plot_curve *curves)
{
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  for (int c = 0; c < count; c++)
    for (int k = 0; k < curves[c].count; k++) {
      const double x = curves[c].x[k], y = curves[c].y[k];
      if (!drawable(p, x, y))
        continue;
      x0 = fmin(x0, x);
      x1 = fmax(x1, x);
      y0 = fmin(y0, y);
      y1 = fmax(y1, y);
    }
  if (!(x0 < x1))
    x1 = 10 * (x0 = isfinite(x0) ? x0 : 1);
  if (!(y0 < y1))
    y1 = 10 * (y0 = isfinite(y0) ? y0 : 1);
  if (p->x_least == p->x_most) {
    p->x_least = x0;
    p->x_most = x1;
  }
  if (p->y_least == p->y_most) {
    p->y_least = p->log_y ? pow(10, floor(log10(y0))) : fmin(0, y0);
    p->y_most = p->log_y ? pow(10, ceil(log10(y1))) : y1;
  }
}

static void write_tick(FILE *out, double value)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int power = (int)floor(log10(value) + 1e-9);
  const double digits = value / pow(10, power);
  if (value >= 0.01 && value <= 1000) {
    fprintf(out, "%g", value);
    return;
  }
  if (digits > 1.5)
    fprintf(out, "%.0f·", digits);
  fputs("10", out);
  if (power < 0)
    fputs("⁻", out);
  const int size = power < 0 ? -power : power;
  if (size >= 10)
    fputs(raised[size / 10], out);
  fputs(raised[size % 10], out);
}

static void draw_tick(FILE *out, const plot *p, bool upright, double value)
{
  if (upright) {
    const double y = place_y(p, value);
    fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, RIGHT,
            y, y);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, y + 4);
  } else {
    const double x = place_x(p, value);
    fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP,
            BOTTOM);
    fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, BOTTOM + 16);
  }
  if (upright ? p->log_y : p->log_x)
    write_tick(out, value);
  else
    fprintf(out, "%g", value);
  fputs("</text>\n", out);
}

static void draw_axis(FILE *out, const plot *p, bool upright)
{
  const double least = upright ? p->y_least : p->x_least, most = upright ? p->y_most : p->x_most;
  if (upright ? p->log_y : p->log_x) {
    const int from = (int)ceil(log10(least) - 1e-9), to = (int)floor(log10(most) + 1e-9);
    const int step = 1 + (to - from) / 8;
    static const double between[] = {1, 2, 5};
    for (int k = from - 1; k <= to; k += step)
      for (int j = 0; j < (to - from < 3 && step == 1 ? 3 : 1); j++) {
        const double value = between[j] * pow(10, k);
        if (value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9))
          draw_tick(out, p, upright, value);
      }
    return;
  }
  for (int k = 0; k <= 5; k++)
    draw_tick(out, p, upright, least + k * (most - least) / 5);
}

static void draw_frame(FILE *out, const plot *p)
{
  fprintf(out, "<text class=\"title\" x=\"%d\" y=\"16\">", LEFT);
  html_escape(out, p->title);
  fputs("</text>\n", out);
  draw_axis(out, p, false);
  draw_axis(out, p, true);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2, HEIGHT - 12);
  html_escape(out, p->x_label);
  fprintf(out, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
          (TOP + BOTTOM) / 2);
  html_escape(out, p->y_label);
  fprintf(out,
          "</text>\n<polyline class=\"axis\" style=\"stroke-width:1\" points=\"%d,%d %d,%d "
          "%d,%d\"/>\n",
          LEFT, TOP, LEFT, BOTTOM, RIGHT, BOTTOM);
}

/* ---- Curves ---- */

static void draw_curve(FILE *out, const plot *p, const plot_curve *c, int colour)
{
  fputs("<polyline class=\"", out);
  if (c->label)
    fprintf(out, "c%d%s%s", colour % COLOURS, c->heavy ? " heavy" : "",
            c->dashed || colour >= COLOURS ? " dashed" : "");
  else
    fputs("faint", out);
  fputs("\" points=\"", out);
  double last = NAN;
  for (int k = 0; k < c->count; k++) {
    if (!drawable(p, c->x[k], c->y[k]))
      continue;
    const double x = place_x(p, c->x[k]), y = place_y(p, c->y[k]);
    if (c->stairs && !isnan(last))
      fprintf(out, "%.1f,%.1f ", x, last);
    fprintf(out, "%.1f,%.1f ", x, y);
    last = y;
  }
  fputs("\">", out);
  if (c->label) {
    fputs("<title>", out);
    html_escape(out, c->label);
    fputs("</title>", out);
  }
  fputs("</polyline>\n", out);
  for (int k = 0; k < c->count && c->marks && c->label; k++)
    if (drawable(p, c->x[k], c->y[k]))
      fprintf(out, "<circle class=\"f%d\" r=\"2.6\" cx=\"%.1f\" cy=\"%.1f\"/>\n", colour % COLOURS,
              place_x(p, c->x[k]), place_y(p, c->y[k]));
}

void plot_draw(FILE *out, const plot *given, int count, const plot_curve *curves)
{
  plot p = *given;
  find_ranges(&p, count, curves);
  fprintf(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", WIDTH,
          HEIGHT, WIDTH, HEIGHT);
  draw_frame(out, &p);
  for (int c = 0; c < count; c++)
    if (!curves[c].label)
      draw_curve(out, &p, &curves[c], 0);
  for (int c = count - 1, named = 0; c >= 0; c--) { /* the first on top */
    named = 0;
    for (int k = 0; k < c; k++)
      named += curves[k].label != NULL;
    if (!curves[c].label)
      continue;
    draw_curve(out, &p, &curves[c], named);
    const int y = TOP + 6 + 17 * named;
    fprintf(out, "<polyline class=\"c%d%s%s\" points=\"%d,%d %d,%d\"/><text x=\"%d\" y=\"%d\">",
            named % COLOURS, curves[c].heavy ? " heavy" : "",
            curves[c].dashed || named >= COLOURS ? " dashed" : "", RIGHT + 14, y, RIGHT + 40, y,
            RIGHT + 46, y + 4);
    html_escape(out, curves[c].label);
    fputs("</text>\n", out);
  }
  fputs("</svg>\n", out);
}

void plot_bars(FILE *out, const char *title, int count, const char *const *labels,
               const double *shares, double goal)
{
  enum { ROW = 24, NAMES = 300, LONGEST = 125 }; /* of a bar, per cent */
  const int height = TOP + ROW * count + 30;
  const double scale = (WIDTH - NAMES - 50) / (1.0 * LONGEST / 100);
  fprintf(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", WIDTH,
          height, WIDTH, height);
  fputs("<text class=\"title\" x=\"4\" y=\"16\">", out);
  html_escape(out, title);
  fputs("</text>\n", out);
  for (int k = 0; k < count; k++) {
    const double share = fmin(0.01 * LONGEST, shares[k]);
    const int y = TOP + ROW * k;
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", NAMES - 8, y + 15);
    html_escape(out, labels[k]);
    fprintf(out,
            "</text><rect class=\"f%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>"
            "<text x=\"%.1f\" y=\"%d\">%.0f %%</text>\n",
            shares[k] >= goal ? 0 : 1, NAMES, y + 3, fmax(1, share * scale), ROW - 6,
            NAMES + share * scale + 6, y + 15, 100 * shares[k]);
  }
  const double x = NAMES + goal * scale;
  fprintf(
      out,
      "<line class=\"axis\" stroke-dasharray=\"3 3\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" "
      "y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">goal %.0f %%</text>\n</svg>\n",
      x, x, TOP, TOP + ROW * count, x, TOP + ROW * count + 16, 100 * goal);
}
