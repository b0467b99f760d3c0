/* watch.c: the observer of perp solve */
#define _POSIX_C_SOURCE 200809L
#include "watch.h"

#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof *watched };

static void on_signal(int number)
{
  (void)number;
  interrupted = 1;
  for (int i = 0; i < WATCHED; i++)
    signal(watched[i], SIG_DFL);
}

void watch_signals(void)
{
  for (int i = 0; i < WATCHED; i++) {
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    /* what was ignored when we were started (nohup, a background job) stays ignored */
    if (sigaction(watched[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(watched[i], &action, NULL);
  }
}

/* All digits; "nan" and "inf" as every reader of CSV knows them. */
static void write_number(FILE *out, double value)
{
  if (isnan(value))
    fputs("nan", out);
  else
    fprintf(out, "%.17g", value);
}

static void write_row(FILE *out, const perp_progress *p)
{
  fprintf(out, "%lld,", (long long)p->iteration);
  write_number(out, p->seconds);
  fputc(',', out);
  write_number(out, p->residual / p->scale);
  fputc(',', out);
  write_number(out, p->residual);
  fputc(',', out);
  write_number(out, p->merit);
  fprintf(out, ",%d\n", p->checked);
}

static void show_progress(watch *w, const perp_progress *p)
{
  /* short solves show nothing; long ones ten lines a second at most */
  if (p->seconds < 0.3 || (w->shown >= 0 && p->seconds - w->shown < 0.1))
    return;
  w->shown = p->seconds;
  char line[80];
  snprintf(line, sizeof line, "iteration %lld  residual %.3g (tol %.3g)  %.1f s",
           (long long)p->iteration, p->residual / p->scale, w->tol, p->seconds);
  fprintf(stderr, "\r%-78s", line);
  fflush(stderr);
}

watch watch_begin(FILE *trace, double tol)
{
  if (trace)
    fputs("iteration,seconds,residual,residual_absolute,merit,checked\n", trace);
  return (watch){.trace = trace, .tol = tol, .terminal = isatty(STDERR_FILENO), .shown = -1};
}

bool watch_observe(void *context, const perp_progress *progress)
{
  watch *w = context;
  if (w->trace)
    write_row(w->trace, progress);
  if (w->terminal)
    show_progress(w, progress);
  return !interrupted;
}

void watch_end(watch *w)
{
  if (w->shown >= 0)
    fprintf(stderr, "\r%78s\r", "");
  w->shown = -1;
}

bool watch_interrupted(void)
{
  return interrupted != 0;
}

void watch_steps(const char *what, int64_t done, int64_t most)
{
  static double shown = -1, begun = -1; /* seconds; there is one terminal */
  if (!isatty(STDERR_FILENO))
    return;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const double now = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
  if (begun < 0)
    begun = now;
  if (most == 0) {
    if (shown >= 0)
      fprintf(stderr, "\r%78s\r", "");
    shown = begun = -1;
  } else if (now - begun > 0.3 && now - shown > 0.1) {
    char line[80];
    snprintf(line, sizeof line, "%.40s: %lld of %lld, %.1f s", what, (long long)done,
             (long long)most, now - begun);
    fprintf(stderr, "\r%-78s", line);
    fflush(stderr);
    shown = now;
  }
}
