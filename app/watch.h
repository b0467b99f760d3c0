/* watch.h: what the program does while a method iterates: trace, progress, Ctrl-C */
#ifndef PERP_APP_WATCH_H
#define PERP_APP_WATCH_H

#include "app.h"

typedef struct watch {
  FILE *trace;   /* CSV, one row per iteration; NULL: none */
  double tol;    /* for the progress line */
  bool terminal; /* stderr is one: show progress */
  double shown;  /* seconds at which the progress line was last written, negative: never */
} watch;

watch watch_begin(FILE *trace, double tol);
/* A perp_observer; the context is a watch. */
bool watch_observe(void *context, const perp_progress *progress);
/* Wipes the progress line. */
void watch_end(watch *w);

/* From now on the first SIGINT or SIGTERM asks the solve to stop, and the next one kills. */
void watch_signals(void);
bool watch_interrupted(void);
/* The same as a perp_interrupt. */
bool watch_asked(void *unused);

/* For work in steps: a line on a terminal, at most ten times a second; most = 0 wipes it. */
void watch_steps(const char *what, int64_t done, int64_t most);
/* For long work: a bar on a terminal, as often; share < 0 wipes it. */
void watch_bar(const char *what, double share);

#endif
