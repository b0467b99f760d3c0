/* solve.h: the request and the data of perp solve, shared by its parts */
#pragma once

#include "app.h"

/* Files that are given one by one: names[k] is the part "A" or "lo", and paths[k] its file. */
enum { SOLVE_PARTS = 6 };
typedef struct solve_parts {
  int count;
  const char *names[SOLVE_PARTS], *paths[SOLVE_PARTS];
} solve_parts;

typedef struct solve_request {
  const char *where;
  const char *method, *start, *out, *out_y, *out_u, *out_low, *trace;
  const char *device, *judge;
  solve_parts parts; /* of a problem given by single files */
  app_list set;
  perp_options options;
  bool replay, print, all;
  int repeat;
  perp_recorder recorder;
} solve_request;

/* The solutions of enumerate, for --all. */
typedef struct solve_found {
  int n, count, room;
  double *x; /* count * n */
  bool *isolated;
  bool full; /* no memory for more */
} solve_found;

/* Objects that the call owns until release. */
typedef struct solve_work {
  perp_device *device;
  perp_record record; /* with --replay: the solver, the problem and the start come from it */
  perp_solver *solver;
  perp_instance instance;
  double *x;
  double *y, *u; /* A x + b; the ray, if there is one */
  double *low;   /* x_low, with --out-low */
  solve_found found;
  app_output out, out_y, out_u, out_low;
  app_file trace;
  perp_result result;
  double cpu_seconds; /* CPU time of the solve; the best measure on a shared machine */
} solve_work;

/* ---- solve_call.c ---- */

/* The call as it was made; false: *status says how it ends. */
bool solve_parse(const app_call *app, int argc, char **argv, solve_request *r, int *status);

/* ---- solve.c ---- */

static inline bool solve_has_certificate(const solve_work *w)
{
  return w->result.outcome == PERP_INFEASIBLE && w->u;
}

/* ---- solve_report.c ---- */

/* Prints the result; written: the files were written. */
void solve_print(const solve_request *r, const solve_work *w, const perp_problem *p, bool written);
void solve_print_json(const solve_request *r, const solve_work *w, const perp_problem *p,
                      perp_error error, const char *message);
