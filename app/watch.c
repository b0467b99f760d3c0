/* watch.c: progress, trace and signals while a method iterates */
#define _POSIX_C_SOURCE 200809L
#include "watch.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof *watched };

static void on_signal(int number)
{
  if (interrupted) {
    app_files_abandon();
    signal(number, SIG_DFL);
    raise(number); /* it comes when this returns */
  }
  interrupted = 1;
}

void watch_signals(void)
{
  for (int i = 0; i < WATCHED; i++) {
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    /* a signal that was ignored at the start (nohup, a background job) stays ignored */
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
  write_number(out, p->relative_residual);
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
           (long long)p->iteration, p->relative_residual, w->tol, p->seconds);
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

bool watch_asked(void *unused)
{
  (void)unused;
  return watch_interrupted();
}

/* A line on a terminal, at most ten times a second and not in the first 0.3 s. */
typedef struct status_line {
  double begun, shown; /* seconds; negative: not yet */
} status_line;

double watch_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is it time to write it again? */
static bool is_due(status_line *l, double now)
{
  if (l->begun < 0)
    l->begun = now;
  if (now - l->begun <= 0.3 || now - l->shown <= 0.1)
    return false;
  l->shown = now;
  return true;
}

static void clear(status_line *l)
{
  if (l->shown >= 0)
    fprintf(stderr, "\r%78s\r", "");
  l->shown = -1;
}

static void wipe(status_line *l)
{
  clear(l);
  l->begun = -1;
}

static status_line steps_line = {-1, -1}; /* there is one terminal */

static void write_line(const char *text)
{
  fprintf(stderr, "\r%-78s", text);
  fflush(stderr);
}

/* The line that an alarm writes while a step runs that does not call back. */
static struct {
  char text[120];
  volatile sig_atomic_t rung;
} alarm_clock;

static void on_alarm(int number)
{
  (void)number;
  alarm_clock.rung = write(STDERR_FILENO, alarm_clock.text, (unsigned)strlen(alarm_clock.text)) > 0;
}

static void set_alarm(const char *what, int64_t index, int64_t most)
{
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  snprintf(alarm_clock.text, sizeof alarm_clock.text,
           "\r%.24s: frame %lld of %lld, waiting for ODE; Ctrl-C twice to quit", what,
           (long long)index, (long long)most);
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
}

static void stop_alarm(double now)
{
  alarm(0);
  if (alarm_clock.rung)
    steps_line.shown = now;
  alarm_clock.rung = 0;
}

void watch_steps(const char *what, int64_t done, int64_t most)
{
  if (!isatty(STDERR_FILENO))
    return;
  const double now = watch_now();
  stop_alarm(now);
  if (most == 0) {
    wipe(&steps_line);
  } else if (is_due(&steps_line, now)) {
    char text[80];
    snprintf(text, sizeof text, "%.40s: %lld of %lld, %.1f s", what, (long long)done,
             (long long)most, now - steps_line.begun);
    write_line(text);
  }
}

void watch_steps_pause(void)
{
  clear(&steps_line);
}

/* ---- within a step ---- */

enum { SLOW = 1, VERY_SLOW = 3 }; /* seconds */

/* Threads that a solve has started call this too; only the one that began the step prints. */
static _Thread_local bool tells;

watch_step watch_step_open(const char *what, int64_t most, const char *hint)
{
  return (watch_step){
      .what = what, .most = most, .begun = watch_now(), .residual = NAN, .hint = hint};
}

void watch_step_begin(watch_step *w, int64_t index, bool asks)
{
  w->begun = watch_now();
  w->index = index;
  w->residual = NAN;
  tells = isatty(STDERR_FILENO);
  if (steps_line.begun < 0)
    steps_line.begun = w->begun;
  if (tells && !asks)
    set_alarm(w->what, index, w->most);
}

bool watch_step_is_likely(watch_step *w)
{
  w->slow = w->slow || watch_now() - w->begun > SLOW;
  return isatty(STDERR_FILENO) && (w->index == 0 || w->slow);
}

static void tell_step(watch_step *w)
{
  const double now = watch_now(), spent = now - w->begun;
  if (spent < SLOW)
    return;
  static bool told; /* of all runs once */
  if (spent > VERY_SLOW && w->hint && !told) {
    clear(&steps_line);
    fprintf(stderr, "perp: frame %lld is slow: %s\n", (long long)w->index, w->hint);
    told = true;
  }
  if (!is_due(&steps_line, now))
    return;
  char text[120];
  const int used = snprintf(text, sizeof text, "%.24s: frame %lld of %lld, %.1f s", w->what,
                            (long long)w->index, (long long)w->most, spent);
  if (isfinite(w->residual))
    snprintf(text + used, sizeof text - (size_t)used, ", residual %.2g", w->residual);
  write_line(text);
}

bool watch_step_asked(void *context)
{
  enum { OFTEN = 16 }; /* between two calls there is less time than reading the clock takes */
  watch_step *w = context;
  if (tells && ++w->asked % OFTEN == 0)
    tell_step(w);
  return watch_interrupted();
}

bool watch_step_observe(void *context, const perp_progress *progress)
{
  watch_step *w = context;
  w->residual = progress->relative_residual;
  return !watch_interrupted();
}

void watch_bar(const char *what, double share)
{
  enum { WIDTH = 24 };
  static status_line line = {-1, -1};
  if (!isatty(STDERR_FILENO))
    return;
  const double now = watch_now();
  if (share < 0) {
    wipe(&line);
  } else if (is_due(&line, now)) {
    char bar[WIDTH + 1], text[80];
    const int full = (int)(WIDTH * fmin(share, 1));
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)full);
    bar[WIDTH] = 0;
    snprintf(text, sizeof text, "[%s] %3.0f %%  %.28s  %.0f s", bar, 100 * fmin(share, 1), what,
             now - line.begun);
    write_line(text);
  }
}
