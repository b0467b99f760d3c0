/* experiment.h: an experiment and its report: claims, tables and plots
 *
 * An experiment reproduces one published figure or table: it computes, fills tables, draws plots
 * from them, states claims and says why some do not hold. A claim is a sentence with a verdict that
 * the run found. All numbers of a report are computed, except published ones, which are marked and
 * shown next to ours.
 *
 * Experiments use only the public headers of the library. */
#pragma once

#include "kit/plot.h"

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
  void (*run)(experiment *e);
} experiment_info;

extern const experiment_info *const experiments[]; /* ends with NULL */

experiment_size experiment_size_of(const experiment *e);
/* Returns the value for the size of the experiment. */
int experiment_pick(const experiment *e, int quick, int normal, int full);
/* Reports the progress, for the bar on a terminal. Returns false if the user stopped the run or the
 * experiment has failed; the experiment then returns soon, and its claims are not counted. */
bool experiment_progress(experiment *e, double share);
bool experiment_stopped(const experiment *e); /* stopped or failed */
/* Only the first failure is reported. */
void experiment_fail(experiment *e, perp_error error, const char *why);
/* Zeroed memory that is freed when the experiment has ended; NULL: it has failed. */
void *experiment_room(experiment *e, size_t count, size_t size);

/* ---- Words ---- */

__attribute__((format(printf, 2, 3))) void experiment_text(experiment *e, const char *format, ...);

/* The origin of a claim, and flags. */
typedef enum claim_kind {
  CLAIM_PAPER,        /* of a paper: on problems by its recipe, or of its methods as such */
  CLAIM_HONEST,       /* of a paper, tried on planted problems or on problems of a simulation */
  CLAIM_OURS,         /* what we add */
  CLAIM_MUST = 4,     /* `perp experiment check` fails if it does not hold */
  CLAIM_HEADLINE = 8, /* shown in the summary */
} claim_kind;

/* kind: one of the first three, with the others by |. */
__attribute__((format(printf, 4, 5))) void experiment_claim(experiment *e, unsigned kind,
                                                            bool holds, const char *format, ...);
/* Why our results are not the paper's, if they are not. */
__attribute__((format(printf, 2, 3))) void experiment_why(experiment *e, const char *format, ...);

/* ---- Tables: a CSV file each, and, with a title, a table of the report ---- */

typedef struct experiment_table experiment_table;

/* columns: "n,pgs sweeps,seconds". title NULL: the table is only for a plot. Returns NULL if memory or
 * the disk fails; then rows are ignored, and the run ends with an error. */
experiment_table *experiment_table_begin(experiment *e, const char *name, const char *title,
                                         const char *columns);
/* One value per column: text, or a number. NaN is an empty cell. */
__attribute__((format(printf, 2, 3))) void experiment_cell_text(experiment_table *t,
                                                                const char *format, ...);
void experiment_cell(experiment_table *t, double value);
void experiment_row(experiment_table *t, int count, const double *values);
void experiment_table_end(experiment_table *t);

/* ---- Plots of the tables ---- */

/* Style of a curve: a plot_curve without label, count, x and y. */
typedef plot_curve experiment_style;
extern const experiment_style experiment_lines, experiment_marked, experiment_points;

typedef struct experiment_line {
  const char *table; /* its name */
  int x, y;          /* columns, from 1 */
  const char *key;   /* NULL: none */
  experiment_style style;
} experiment_line;

/* Curves from any tables. */
void experiment_draw_lines(experiment *e, const char *name, const plot *p, int count,
                           const experiment_line *lines);
/* The columns from the second on of one table against its first: one for each of the keys "a,b,c";
 * an empty key leaves a column out. */
void experiment_draw(experiment *e, const char *name, const plot *p, const char *table,
                     const char *keys, experiment_style style);

/* Numbers by iteration, a curve each. */
typedef struct experiment_trace {
  const char *key; /* NULL: only in the table */
  int count;
  const double *values;
  experiment_style style;
} experiment_trace;

/* Writes a table of that name and plots it. The iterations count from `first`; values <= 0 are left
 * out. */
void experiment_draw_traces(experiment *e, const char *name, const plot *p, const char *columns,
                            int first, int count, const experiment_trace *traces);

/* ---- Common work ---- */

/* A problem made by a generator, with room for a solution: n + 1 numbers. */
typedef struct experiment_case {
  perp_instance instance;
  perp_problem p;
  double *x;
} experiment_case;

/* The text of a generator. False: the experiment has failed. */
__attribute__((format(printf, 3, 4))) bool experiment_open(experiment *e, experiment_case *c,
                                                           const char *format, ...);
void experiment_close(experiment_case *c);

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
/* Solves from x on. trace, unless NULL: up to `room` relative residuals, one for each iteration. */
experiment_solve experiment_run_on(const perp_problem *p, const char *method, const perp_options *o,
                                   double *x, double *trace, int room);
/* Solves from 0 into c->x. */
experiment_solve experiment_run_from_0(experiment_case *c, const char *method,
                                       const perp_options *o, double *trace, int room);
/* Solves the problem of a generator's text from 0. */
experiment_solve experiment_solve_text(experiment *e, const char *problem, const char *method,
                                       const perp_options *o);
/* The LCP of a dense matrix, row by row, from 0. */
experiment_solve experiment_solve_dense(int n, const double *a, const double *b, const char *method,
                                        const perp_options *o);
/* The least seconds of three runs from 0, checks switched off: of the whole solution, or, if
 * iterations is above 0, per iteration of that many. NaN if the method does not run. last: the last
 * of the runs, or NULL. */
double experiment_time(experiment_case *c, const char *method, int iterations,
                       experiment_solve *last);
/* The factor per iteration over the last half of a trace above `rounding`; NaN if there is none. */
double experiment_factor(int count, const double *trace, double rounding);
/* The order log(r_k+1 / r_k) / log(r_k / r_k-1), the largest over the steps that are above
 * `rounding` and fell to `fall` of what they were; NaN if there is none. */
double experiment_order(int count, const double *trace, double fall, double rounding);
/* Pivots of Lemke's method, with the covering vector of ones, on the problem of n unknowns that
 * Murty (1978) made for it; -1 if it is not solved. */
int64_t experiment_lemke_worst(int n);

/* ---- For the program ---- */

typedef struct experiments_call {
  const char *const *names; /* of the experiments to run */
  int count;                /* of names; 0: all experiments */
  const char *folder;       /* made if it is not there */
  experiment_size size;
  /* `done` of `all` experiments, and a share of the one named; false: stop. May be NULL. */
  bool (*progress)(const char *name, int done, int all, double share);
} experiments_call;

typedef struct experiments_verdict {
  int claims, held, failed; /* failed: claims that must hold and do not */
  int run, wanted;          /* experiments; fewer run than wanted if it was stopped */
} experiments_verdict;

/* The page is written anew after each experiment, so that what is done is there whatever comes. */
perp_error experiments_run(const experiments_call *call, experiments_verdict *verdict,
                           perp_message *why);
