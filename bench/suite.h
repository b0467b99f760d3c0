/* suite.h: the suites of the benchmark: lists of problems, and the table of results
 *
 * From the bottom up: bench.c, table.c and entrants.c; contest.c, sequence.c, anytime.c,
 * multigrid.c, oneshot.c, reuse.c, batch.c, device.c, motion.c, frames.c, qp.c and roofline.c, the runners of a
 * case; suite.c, the cases; report.c, the page. */
#pragma once

#include <perp/lab.h>
#include <perp/perp.h>
#include <stdio.h>

typedef enum bench_size { BENCH_QUICK, BENCH_NORMAL, BENCH_FULL } bench_size;

/* One problem or several that differ in a setting. In the pattern %s stands for it; quick, normal
 * and full, "10 30 100", are its values in runs of that size and of larger ones. */
typedef struct bench_case {
  const char *series;  /* for the fit of growth: problems that differ only in size; NULL: none */
  const char *pattern; /* as perp_generate takes it, or a scene of perp_simulation_create */
  const char *quick, *normal, *full; /* NULL: none */
} bench_case;

typedef enum bench_kind {
  BENCH_SOLVES,   /* rows: every case by every method */
  BENCH_SCENES,   /* the same, of scenes: frame after frame */
  BENCH_PROGRAMS, /* the same, of quadratic programs */
  BENCH_FOLDERS,  /* the same, of a directory */
  BENCH_ANYTIME,  /* residual against time */
  BENCH_KERNELS,  /* against the limits of the machine */
  BENCH_FIGURES,  /* named numbers of each case */
} bench_kind;

typedef struct bench_suite bench_suite;
typedef struct bench_settings bench_settings;
typedef struct bench_table bench_table;

/* A task of a suite: a case with one of its values. */
typedef struct bench_task {
  const bench_suite *suite;
  const bench_settings *s;
  const char *text, *series;     /* of the problem or the scene */
  const perp_instance *instance; /* the problem; NULL: a scene, or cases made by `run` */
  perp_problem p;
  double *x; /* n + 1 numbers */
  bench_table *table;
  perp_message *why;
} bench_task;

typedef perp_error bench_runner(const bench_task *t);

struct bench_suite {
  const char *name, *title;
  bench_kind kind;
  const bench_case *cases; /* ends with one without pattern; NULL: `run` makes its own */
  bench_runner *run;       /* runs a case, or all its own cases */
};

extern const bench_suite bench_suites[]; /* ends with one without name */
const bench_suite *bench_suite_find(const char *name);

/* The relative tolerances at which rows are judged. */
enum { BENCH_TOLS = 2 };
extern const double bench_tols[BENCH_TOLS]; /* 1e-4, 1e-8 */
extern const char *const bench_tol_names[BENCH_TOLS];

typedef struct bench_row {
  const char *suite, *series; /* series may be NULL */
  char problem[128];
  char method[32]; /* of perp, or "ode dantzig" */
  bool peer;
  int n;
  const char *form, *status;  /* status: "solved" to the last tolerance, or why not */
  double seconds[BENCH_TOLS]; /* CPU time to each tolerance; INFINITY: not reached */
  double call[BENCH_TOLS];    /* the part of a peer's call, see contest.c; 0: not a peer */
  double residual;            /* relative, the best reached */
  perp_counts counts;         /* of ours, to the last tolerance */
} bench_row;

/* One point of residual against time. */
typedef struct bench_point {
  const char *suite;
  char problem[128], method[32];
  double seconds, residual;
} bench_point;

/* A kernel against what limits it. */
typedef struct bench_bar {
  char kernel[64], limit[64];
  double rate, most; /* in `unit` */
  const char *unit;
  double nanoseconds; /* for each row of the matrix */
} bench_bar;

/* A figure of a suite: cycles, milliseconds of a step. */
typedef struct bench_figure {
  const char *suite, *name;
  char problem[128], method[32];
  double value; /* NaN: there is none */
} bench_figure;

struct bench_table {
  int rows, row_room, points, point_room, bars, bar_room, figures, figure_room;
  bench_row *row;
  bench_point *point;
  bench_bar *bar;
  bench_figure *figure;
};

/* Appends a zeroed one; NULL if out of memory. The pointer is valid until the next is added. */
bench_row *bench_add_row(bench_table *t);
bench_point *bench_add_point(bench_table *t);
bench_bar *bench_add_bar(bench_table *t);
/* `names` must outlive the table. */
perp_error bench_add_figures(const bench_task *t, const char *method, int count,
                             const char *const *names, const double *values);
void bench_table_free(bench_table *t);

void bench_write_csv(FILE *out, const bench_table *t);

/* ---- The run ---- */

struct bench_settings {
  bench_size size;
  double seconds;      /* CPU time limit of one solve */
  const char *methods; /* of ours, "a,b,c"; NULL: all that take the form */
  const char *only;    /* what the text of a case must contain; NULL: all */
  const char *peers;   /* the folder of their programs; NULL: without */
  const char *device;  /* for batch and device, as perp_device_create takes it; NULL: "host" */
  const char *corpus;  /* a folder of problem folders, or folders of them; NULL: none */
  bool (*progress)(const char *what, int done, int of); /* false: stop */
};

perp_error bench_run(const bench_suite *suite, const bench_settings *s, bench_table *table,
                     perp_message *why);

bench_runner bench_contest, bench_friction, bench_sequence, bench_anytime, bench_multigrid,
    bench_oneshot, bench_reuse, bench_batch, bench_batch_worlds, bench_device, bench_qp,
    bench_qp_loop;
extern const char *const bench_qp_methods[]; /* what bench_qp runs of ours; the last is NULL */
/* Runners that make their own cases. */
bench_runner bench_motion, bench_frames, bench_kernels;
bool bench_wants(const bench_settings *s, const char *method); /* is it among those asked for? */
bool bench_wants_case(const bench_settings *s, const char *text);
/* Is it, and does it take problems of this form and size? */
bool bench_takes(const bench_settings *s, const perp_method_info *m, const perp_problem *p);

/* ---- The peers ---- */

typedef struct bench_peer {
  const char *program, *method;
  unsigned takes; /* forms, by PERP_TAKES */
  int most;       /* unknowns that it is given */
  bool symmetric; /* it takes no other A */
} bench_peer;
extern const bench_peer bench_peers[]; /* ends with one without program */

/* ---- The report ---- */

typedef struct bench_machine {
  char name[64]; /* of a folder: "neoverse-v1-2core" */
  char processor[128], system[192];
} bench_machine;
bench_machine bench_this_machine(void);

/* One page that needs nothing else. */
void bench_write_page(FILE *out, const bench_suite *const *suites, int count,
                      const bench_settings *s, const bench_table *t);
/* The result of a suite in a few lines of text. */
void bench_write_summary(FILE *out, const bench_suite *suite, const bench_table *t);
