/* walls.h: the walls of Morales, Nocedal and Smelyanskiy (2008): what they printed, and ours
 *
 * Their problems, from a physics engine, are not public. Ours are walls with the same numbers of
 * bodies and rows and the same condition number, under two loads:
 *
 *   planted   right-hand side of a known solution with the same share of contacts without an impulse
 *             as at theirs (their Table 2), drawn at random: no impulse reaches far
 *   standing  the wall at rest under gravity, hit by the ball: impulses carry through the wall */
#pragma once

#include "experiment.h"

enum { WALLS = 10, WALLS_LARGE = 5, WALL_COUNTS = 5 };

/* A pair "factorisations, seconds" of Table 4. */
typedef struct wall_cost {
  int factors;
  double seconds;
} wall_cost;

/* Typed from the paper. A negative number: more than that. 0: not printed. */
typedef struct wall_published {
  const char *name;
  int n, nonzeros;
  double condition;
  int coarse, fine;               /* Table 1: sweeps of PGS to 1e-1, to 1e-2 */
  int idle;                       /* Table 2: size of the active set, */
  int found[WALL_COUNTS];         /* and how much of it after wall_sweeps[k] sweeps */
  double ipm_seconds, sm_seconds; /* Table 3: interior point, PGS-SM */
  int ipm_nonzeros, sm_nonzeros;  /* of the factor */
  int ipm_factors, sm_factors;
  wall_cost tron, sm_2_3, sm_5_3, sm_5_2; /* Table 4 */
  double pgs_seconds;
} wall_published;

extern const wall_published walls[WALLS];
extern const wall_published wall_journal; /* DPJB_1, only in Table 4 */
extern const int wall_sweeps[WALL_COUNTS];

typedef enum wall_load { WALL_PLANTED, WALL_STANDING, WALL_LOADS } wall_load;
extern const char *const wall_load_names[WALL_LOADS];

/* Our wall in place of theirs. False: the experiment has failed. */
bool wall_open(experiment *e, const wall_published *w, wall_load load, experiment_case *c);
/* Their error (2.7) of x, with room for n + perp_operator_scratch(A) + 1 numbers. */
double wall_error(const perp_problem *p, const double *x, double *room);

/* A solve from 0 to a relative natural residual of 1e-8; seconds are CPU time. */
typedef struct wall_solve {
  bool solved;
  double seconds, residual; /* relative */
  perp_counts counts;
} wall_solve;

/* limit: CPU seconds; iterations: the most iterations, 0: no limit. */
wall_solve wall_run(const perp_problem *p, const char *method, double limit, int iterations);

/* ">300" for -300, nothing for 0. */
void wall_cell(experiment_table *t, double value);
