/* experiment.h: what an experiment is, and what the report does for it
 *
 * An experiment reproduces one published figure or table: it computes, fills tables, draws plots
 * from them, states claims and says why some do not hold. A claim is a sentence with a verdict that
 * the run found. No number of a report is typed: what a paper printed is given as such, next to
 * ours.
 *
 * Experiments use the public headers of the library alone. */
#ifndef PERP_EXPERIMENTS_EXPERIMENT_H
#define PERP_EXPERIMENTS_EXPERIMENT_H

#include <perp/lab.h>
#include <perp/perp.h>
#include <stdio.h>

typedef enum experiment_size {
  EXPERIMENT_QUICK,
  EXPERIMENT_NORMAL,
  EXPERIMENT_FULL
} experiment_size;

typedef struct experiment experiment; /* one in progress */

typedef struct experiment_info {
  const char *name;   /* "relaxation" */
  const char *title;  /* "Relaxation of PSOR" */
  const char *source; /* "Erleben 2013, Figure 4" */
  const char *says;   /* what the paper says, in our words */
  perp_error (*run)(experiment *e, perp_message *why);
} experiment_info;

extern const experiment_info *const experiments[]; /* ends with NULL */

experiment_size experiment_size_of(const experiment *e);
/* By size. */
int experiment_pick(const experiment *e, int quick, int normal, int full);
/* Tells how far it is, for the bar on a terminal. False: the user wants it to stop; then it returns
 * PERP_OK soon, and what it has claimed by then is not counted. */
bool experiment_progress(experiment *e, double share);
bool experiment_stopped(const experiment *e); /* has it been told so? */

/* ---- Words ---- */

__attribute__((format(printf, 2, 3))) void experiment_text(experiment *e, const char *format, ...);

/* Whose a claim is, and what is asked of it. */
typedef enum claim_kind {
  CLAIM_PAPER,        /* of a paper: on problems by its recipe, or of its methods as such */
  CLAIM_HONEST,       /* of a paper, tried on planted problems or on those of a simulation */
  CLAIM_OURS,         /* what we add */
  CLAIM_MUST = 4,     /* `perp experiment check` fails if it does not hold */
  CLAIM_HEADLINE = 8, /* stands in the summary */
} claim_kind;

/* kind: one of the first three, with the others by |. */
__attribute__((format(printf, 4, 5))) void experiment_claim(experiment *e, unsigned kind,
                                                            bool holds, const char *format, ...);
/* Why our results are not the paper's, if they are not. */
__attribute__((format(printf, 2, 3))) void experiment_why(experiment *e, const char *format, ...);

/* ---- Tables: a CSV file each, and, if shown, a table of the report ---- */

typedef struct experiment_table experiment_table;

/* columns: "n,pgs sweeps,seconds". NULL if memory or the disk fails; then rows are ignored, and the
 * run ends with an error. */
experiment_table *experiment_table_begin(experiment *e, const char *name, const char *title,
                                         const char *columns);
/* One value per column: text, or a number. NaN is an empty cell. */
void experiment_cell_text(experiment_table *t, const char *text);
void experiment_cell(experiment_table *t, double value);
void experiment_row(experiment_table *t, int count, const double *values);
/* hidden: the table is for a plot alone. */
void experiment_table_end(experiment_table *t, bool hidden);

/* ---- Plots, by gnuplot from the tables ---- */

typedef struct experiment_line {
  const char *table; /* its name */
  int x, y;          /* columns, from 1 */
  const char *title; /* in the key; NULL: none */
  const char *style; /* of gnuplot: "lines", "points", "linespoints", "boxes"; NULL: lines */
} experiment_line;

typedef struct experiment_plot {
  const char *name, *title, *x_label, *y_label;
  bool log_x, log_y;
  const char *extra; /* further gnuplot commands, or NULL */
  double point;      /* size of points; 0: 0.6 */
  int lines;
  const experiment_line *line;
} experiment_plot;

void experiment_draw(experiment *e, const experiment_plot *plot);

/* ---- Common work ---- */

/* Solves a generated problem by a method (or "method:key=value,...") from 0, with a trace of the
 * relative residual per iteration if `trace` is given: up to `room` numbers. */
typedef struct experiment_solve {
  perp_error error;
  perp_outcome outcome;
  double residual; /* relative */
  double seconds, merit;
  perp_counts counts;
  int traced; /* entries of trace, from iteration 0 */
} experiment_solve;

/* A solver of "method" or "method:key=value,...". */
perp_error experiment_solver(const char *text, perp_solver **solver);
experiment_solve experiment_run_on(const perp_problem *p, const char *method, const perp_options *o,
                                   double *x, double *trace, double *trace_seconds, int room);
experiment_solve experiment_solve_text(const char *problem, const char *method,
                                       const perp_options *o, double *trace, double *trace_seconds,
                                       int room);
/* Pivots of Lemke's method, with the covering vector of ones, on the problem of n unknowns that
 * Murty (1978) made for it; -1 if it is not solved. */
int64_t experiment_lemke_worst(int n);

/* ---- For the program ---- */

typedef struct experiments_call {
  const char *const *names; /* of those to run */
  int count;                /* of names; 0: all experiments */
  const char *folder;       /* made if it is not there */
  experiment_size size;
  /* `done` of `all` experiments, and a share of the one named; false: stop. May be NULL. */
  bool (*progress)(const char *name, int done, int all, double share);
} experiments_call;

typedef struct experiments_verdict {
  int claims, held, failed; /* failed: of those that must hold */
  int run, wanted;          /* experiments; fewer run than wanted if it was stopped */
} experiments_verdict;

/* The page is written anew after each experiment, so that what is done is there whatever comes. */
perp_error experiments_run(const experiments_call *call, experiments_verdict *verdict,
                           perp_message *why);

#endif
