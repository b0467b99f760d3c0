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

static int right_of(const plot *p)
{
  return p->square ? LEFT + BOTTOM - TOP : RIGHT;
}

static double place(double value, double least, double most, bool logarithmic, double from,
                    double to)
{
  const double share =
      logarithmic ? log(value / least) / log(most / least) : (value - least) / (most - least);
  return from + fmin(1, fmax(0, share)) * (to - from);
}

static double place_x(const plot *p, double x)
{
  return place(x, p->x_least, p->x_most, p->log_x, LEFT, right_of(p));
}

static double place_y(const plot *p, double y)
{
  const double l = p->y_linear;
  return l > 0
             ? place(asinh(y / l), asinh(p->y_least / l), asinh(p->y_most / l), false, BOTTOM, TOP)
             : place(y, p->y_least, p->y_most, p->log_y, BOTTOM, TOP);
}

static bool drawable(const plot *p, double x, double y)
{
  return isfinite(x) && isfinite(y) && (!p->log_x || x > 0) && (!p->log_y || y > 0);
}

/* Ranges that are not given come from the points. */
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
    fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, right_of(p));
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, y + 4);
  } else {
    const double x = place_x(p, value);
    fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, TOP, BOTTOM);
    fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, BOTTOM + 16);
  }
  if (upright ? p->log_y : p->log_x)
    write_tick(out, value);
  else
    fprintf(out, "%g", value);
  fputs("</text>\n", out);
}

/* 1, 2 or 5 times a power of ten: about five of them in a range. */
static double round_step(double range)
{
  const double power = pow(10, floor(log10(range / 5))), digits = range / 5 / power;
  return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
}

static void draw_axis(FILE *out, const plot *p, bool upright)
{
  const double from_value = upright ? p->y_least : p->x_least;
  const double to_value = upright ? p->y_most : p->x_most;
  const double least = fmin(from_value, to_value), most = fmax(from_value, to_value);
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
  if (upright && p->y_linear > 0) {
    draw_tick(out, p, true, 0);
    for (double size = 10 * p->y_linear; size <= fmax(-least, most) * (1 + 1e-9); size *= 10)
      for (int sign = -1; sign <= 1; sign += 2)
        if (sign * size >= least && sign * size <= most * (1 + 1e-9))
          draw_tick(out, p, true, sign * size);
    return;
  }
  const double step = round_step(most - least);
  for (int k = (int)ceil(least / step - 1e-9); k * step <= most + 1e-9 * step; k++)
    draw_tick(out, p, upright, k * step);
}

static void draw_frame(FILE *out, const plot *p)
{
  if (p->title) {
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"16\">", LEFT);
    html_escape(out, p->title);
    fputs("</text>\n", out);
  }
  draw_axis(out, p, false);
  draw_axis(out, p, true);
  fprintf(out, "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
          (LEFT + right_of(p)) / 2, HEIGHT - 12);
  html_escape(out, p->x_label);
  fprintf(out,
          "</text>\n<text class=\"label\" transform=\"translate(14 %d) rotate(-90)\" "
          "text-anchor=\"middle\">",
          (TOP + BOTTOM) / 2);
  html_escape(out, p->y_label);
  fprintf(out,
          "</text>\n<polyline class=\"axis\" style=\"stroke-width:1\" points=\"%d,%d %d,%d "
          "%d,%d\"/>\n",
          LEFT, TOP, LEFT, BOTTOM, right_of(p), BOTTOM);
}

/* ---- Curves ---- */

static void begin_curve(FILE *out, const char *shape, const plot_curve *c, int colour)
{
  if (c->label)
    fprintf(out, "<%s class=\"c%d%s%s", shape, colour % COLOURS, c->heavy ? " heavy" : "",
            c->dashed || colour >= COLOURS ? " dashed" : "");
  else
    fprintf(out, "<%s class=\"faint", shape);
  if (c->filled)
    fprintf(out, " f%d\" style=\"fill-opacity:.35", colour % COLOURS);
  fputs("\" points=\"", out);
}

static void draw_line(FILE *out, const plot *p, const plot_curve *c, int colour)
{
  const char *shape = c->filled ? "polygon" : "polyline";
  begin_curve(out, shape, c, colour);
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
  fprintf(out, "</%s>\n", shape);
}

static void draw_dot(FILE *out, int colour, double radius, double x, double y)
{
  fprintf(out, "<circle class=\"f%d\" r=\"%g\" cx=\"%.1f\" cy=\"%.1f\"/>\n", colour % COLOURS,
          radius, x, y);
}

static void draw_bar(FILE *out, int colour, double x0, double x1, double y0, double y1)
{
  fprintf(out, "<path class=\"f%d\" d=\"M%.1f %.1fV%.1fH%.1fV%.1fZ\"/>\n", colour % COLOURS, x0, y0,
          y1, x1, y0);
}

static void draw_curve(FILE *out, const plot *p, const plot_curve *c, int colour)
{
  if (!c->points && !(c->bars > 0))
    draw_line(out, p, c, colour);
  for (int k = 0; k < c->count; k++) {
    if (!drawable(p, c->x[k], c->y[k]))
      continue;
    const double half = 0.5 * c->bars, x = c->x[k];
    if (c->bars > 0 && c->y[k] > 0)
      draw_bar(out, colour, place_x(p, x - half), place_x(p, x + half), place_y(p, 0),
               place_y(p, c->y[k]));
    else if (c->points || (c->marks && c->label))
      draw_dot(out, colour, p->dot > 0 ? p->dot : 2.6, place_x(p, x), place_y(p, c->y[k]));
  }
}

/* The name of a curve at the right, behind a piece of it. */
static void draw_key(FILE *out, const plot *p, const plot_curve *c, int colour)
{
  const int x = right_of(p) + 14, y = TOP + 6 + 17 * colour;
  if (c->points) {
    draw_dot(out, colour, 2.6, x + 13, y);
  } else if (c->bars > 0) {
    draw_bar(out, colour, x, x + 26, y + 5, y - 5);
  } else {
    begin_curve(out, "polyline", c, colour);
    fprintf(out, "%d,%d %d,%d\"/>", x, y, x + 26, y);
  }
  fprintf(out, "<text x=\"%d\" y=\"%d\">", x + 32, y + 4);
  html_escape(out, c->label);
  fputs("</text>\n", out);
}

void plot_draw(FILE *out, const plot *given, int count, const plot_curve *curves)
{
  plot p = *given;
  find_ranges(&p, count, curves);
  fprintf(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", WIDTH,
          HEIGHT, WIDTH, HEIGHT);
  draw_frame(out, &p);
  int named = 0;
  for (int c = 0; c < count; c++) {
    if (!curves[c].label)
      draw_curve(out, &p, &curves[c], 0);
    named += curves[c].label != NULL;
  }
  for (int c = count - 1; c >= 0; c--) { /* the first on top */
    if (!curves[c].label)
      continue;
    draw_curve(out, &p, &curves[c], --named);
    draw_key(out, &p, &curves[c], named);
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
