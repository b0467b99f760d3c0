/* watch.h: trace, progress line and Ctrl-C while a method iterates */
#pragma once

#include "app.h"

typedef struct watch {
  FILE *trace;   /* CSV, one row per iteration; NULL: none */
  double tol;    /* for the progress line */
  bool terminal; /* stderr is one: show progress */
  double shown;  /* seconds at which the progress line was last written, negative: never */
} watch;

watch watch_begin(FILE *trace, double tol);
/* Observes a solve: a perp_observer whose context is a watch. */
bool watch_observe(void *context, const perp_progress *progress);
/* Wipes the progress line. */
void watch_end(watch *w);

/* Seconds of a clock that is never set back. */
double watch_now(void);

/* From now on the first SIGINT or SIGTERM asks the solve to stop, and the next one ends the
 * program at once, without parts of files left behind. */
void watch_signals(void);
bool watch_interrupted(void);
/* watch_interrupted as a perp_interrupt. */
bool watch_asked(void *unused);

/* For work in steps: a line on a terminal, at most ten times a second; most = 0 wipes it. */
void watch_steps(const char *what, int64_t done, int64_t most);
/* Removes the line before other output; it comes back. */
void watch_steps_pause(void);

/* The line reports a step that takes longer than a second while it runs. */
typedef struct watch_step {
  const char *what;    /* the run */
  int64_t index, most; /* the step, from 1, and the number of steps */
  double begun;        /* of this step, by watch_now */
  bool slow;           /* a step has taken longer */
  double residual;     /* relative, as last observed; NaN: none */
  unsigned asked;      /* counter of calls: only some of them read the clock */
  const char *hint;    /* printed once, if a step takes some seconds; NULL: nothing */
} watch_step;

watch_step watch_step_open(const char *what, int64_t most, const char *hint);
/* Begins a step, which ends with the next watch_steps. asks: the solve calls watch_step_asked;
 * otherwise it cannot be interrupted, and after a second the line says what the program waits for. */
void watch_step_begin(watch_step *w, int64_t index, bool asks);
/* A perp_interrupt: returns true after a signal. */
bool watch_step_asked(void *context);
/* A perp_observer, which reads the residual. */
bool watch_step_observe(void *context, const perp_progress *progress);
/* Returns true if the next step may be reported while it runs: the first one, and all after a long
 * one. */
bool watch_step_is_likely(watch_step *w);
/* For long work: a bar on a terminal, as often; share < 0 wipes it. */
void watch_bar(const char *what, double share);
