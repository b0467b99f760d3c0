/* picture.h: plots as SVG within a page, in the colours of its style sheet */
#ifndef PERP_BENCH_PICTURE_H
#define PERP_BENCH_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct picture_curve {
  const char *label; /* NULL: drawn faintly and not named */
  int count;
  const double *x, *y;
  bool stairs; /* from point to point by way of a corner */
  bool heavy;  /* the one to look at */
  bool dashed; /* another group */
  bool marks;  /* a dot at every point */
} picture_curve;

typedef struct picture {
  const char *title, *x_label, *y_label;
  bool log_x, log_y;
  double x_least, x_most, y_least, y_most; /* 0, 0: as the curves need */
} picture;

void picture_plot(FILE *out, const picture *p, int count, const picture_curve *curves);
/* Bars of shares from 0 to 1, with a mark at `goal`. */
void picture_bars(FILE *out, const char *title, int count, const char *const *labels,
                  const double *shares, double goal);
/* The rules of the style sheet that both need. */
void picture_style(FILE *out);
/* Text with what HTML reads as markup replaced. */
void picture_escape(FILE *out, const char *text);

#endif
