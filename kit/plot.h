/* plot.h: plots as SVG within a page, in the colours of its style sheet */
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct plot_curve {
  const char *label; /* NULL: drawn faintly and not named */
  int count;
  const double *x, *y;
  bool stairs; /* from point to point by way of a corner */
  bool heavy;  /* the one to look at */
  bool dashed; /* another group */
  bool marks;  /* a dot at every point */
  bool points; /* dots without a line */
  bool filled; /* the area within */
  double bars; /* above 0: upright bars from 0, this wide */
} plot_curve;

typedef struct plot {
  const char *title; /* NULL: none */
  const char *x_label, *y_label;
  bool log_x, log_y;
  double x_least, x_most, y_least, y_most; /* 0, 0: as the curves need; a least above its most turns
                                              the axis round */
  double
      y_linear; /* above 0: y is about linear up to this size and logarithmic beyond, both signs */
  bool square;
  double dot; /* radius of dots; 0: as usual */
} plot;

void plot_draw(FILE *out, const plot *p, int count, const plot_curve *curves);
/* Bars of shares from 0 to 1, with a mark at `goal`. */
void plot_bars(FILE *out, const char *title, int count, const char *const *labels,
               const double *shares, double goal);
/* The rules of style that both need, behind html_head. */
void plot_style(FILE *out);
