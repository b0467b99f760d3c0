/* notes.h: stopping rules, methods and problems of Erleben's notes (2013), and planted problems to
 * compare with */
#pragma once

#include "experiment.h"

/* ---- Outcome of a run by the rules of section 6 ---- */

typedef enum notes_state {
  NOTES_RELATIVE,      /* |theta_k+1 - theta_k| < relative |theta_k| */
  NOTES_ABSOLUTE,      /* theta_k < absolute, or the residual test */
  NOTES_STAGNATION,    /* max_i |x_k+1,i - x_k,i| < stagnation */
  NOTES_LOCAL_MINIMUM, /* the method says so */
  NOTES_NON_DESCENT,   /* the method says so */
  NOTES_LIMIT,         /* of iterations */
  NOTES_OTHER,         /* the method does not take the problem, or ended in another way */
  NOTES_STATES
} notes_state;

extern const char *const notes_state_names[NOTES_STATES];

typedef struct notes_rule {
  double absolute, relative, stagnation;
  double residual; /* above 0: in place of the absolute test, relative natural residual <= this */
  int limit;
} notes_rule;

/* theta: x^T |A x + b| for sweeps, half the square of their own map for the Newton methods. */
typedef struct notes_method {
  const char *call, *title;
  perp_merit_kind merit;
} notes_method;

enum { NOTES_FISCHER, NOTES_MINMAP, NOTES_PGS, NOTES_PSOR, NOTES_METHODS };
extern const notes_method notes_methods[NOTES_METHODS];
/* The minimum map without smoothing, weights and restarts, as the notes have it. */
extern const notes_method notes_plain_minmap;

typedef struct notes_run {
  notes_state state;
  int iterations;
  double merit, residual; /* theta; relative natural residual */
} notes_run;

/* From the x given, which becomes the last iterate. */
notes_run notes_solve(const perp_problem *p, const notes_method *method, const notes_rule *rule,
                      double *x);

/* ---- Problems ---- */

/* A problem of a generator with that seed. recipe: with b as the notes make it, x = max(0, U(-1, 1)),
 * b = -A x where x > 0, else 0; that x need not solve the problem, and is not kept. */
bool notes_open_dense(experiment *e, experiment_case *c, bool recipe, int seed, const char *kind);

/* Numbers from 0 to 1, the same on every machine. */
double notes_uniform(uint64_t *state);

/* ---- Numbers of many runs ---- */

typedef struct notes_statistics {
  int count;
  double mean, least, most, deviation;
} notes_statistics;

notes_statistics notes_statistics_of(int count, const double *values);
