/* report.h: the parts of the page of a run */
#pragma once

#include "suite.h"
#include "view.h"

enum { REPORT_METHODS = 128 /* at most */, REPORT_LAST = BENCH_TOLS - 1 };

/* ---- report_tables.c: who stands where ---- */

typedef struct report_standing {
  int solved, first; /* of the lead, among the peers and itself */
  int before_calls;  /* problems on which it is before the bare call of every peer */
  int peer, peer_solved, peer_first; /* the peer that is first most often; -1: none */
  bool is_first;
} report_standing;

report_standing report_stand(const bench_view *v, int tol);
void report_verdicts(FILE *out, const bench_view *v);
/* Problems that a peer solves faster than auto, or that auto does not solve. */
void report_peer_wins(FILE *out, const bench_view *v);
void report_times(FILE *out, const bench_view *v);
void report_failures(FILE *out, const bench_view *v);

/* ---- report_plots.c: curves and bars ---- */

void report_profile(FILE *out, const bench_view *v, int tol, bench_group group, const char *who);
/* Time against n, for each series of problems. */
void report_growth(FILE *out, const bench_view *v);
/* Residual against time. */
void report_anytime(FILE *out, const bench_table *t, const char *suite);
void report_kernels(FILE *out, const bench_table *t);

/* Writes the figures of a suite that has some. */
void report_figures(FILE *out, const bench_table *t, const char *suite);
void report_print_figures(FILE *out, const bench_table *t, const char *suite);
