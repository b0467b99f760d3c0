/* view.h: the rows of one suite as a table of problems by methods, and what is read off it */
#pragma once

#include "suite.h"

typedef struct bench_view {
  int problems, methods;
  const bench_row **row; /* [p * methods + m], NULL if the method was not asked */
  int lead;              /* the method `auto`, or the first one */
  int *order;            /* the methods: auto, ours by how they did, the peers likewise */
} bench_view;

/* Zero if the suite has no rows; false if memory is out. */
bool bench_view_make(const bench_table *t, const char *suite, bench_view *v);
void bench_view_free(bench_view *v);

const bench_row *bench_view_any(const bench_view *v, int p); /* a row of the problem */
const char *bench_view_method(const bench_view *v, int m);
bool bench_view_peer(const bench_view *v, int m);
double bench_view_seconds(const bench_view *v, int p, int m, int tol); /* INFINITY: not solved */

/* Who takes part. */
typedef enum bench_group {
  BENCH_ALL,
  BENCH_OURS,
  BENCH_PEERS_ONLY,
  BENCH_LEAD_AND_PEERS
} bench_group;
/* The methods of a group, in order; returns their number. */
int bench_view_pick(const bench_view *v, bench_group group, int *methods);
/* The fastest of the group on the problem, -1 if none solved it. */
int bench_view_fastest(const bench_view *v, int p, int tol, bench_group group);
/* times[p * count + k] of the methods picked. */
double *bench_view_times(const bench_view *v, int tol, int count, const int *methods);
/* The time of the lead over that of the fastest of ours, for each problem that it solved; returns
 * how many. */
int bench_view_overhead(const bench_view *v, int tol, double *ratios);

/* Performance profiles: times[p * solvers + s] is what solver s took on problem p; INFINITY if it
 * failed. */

/* The least time on problem p; INFINITY if all failed. */
double profile_best(int solvers, const double *times, int p);
/* rho_s(tau): the share of all problems on which solver s is within tau times the best. */
double profile_at(int problems, int solvers, const double *times, int s, double tau);
/* Where rho_s rises: the finite ratios to the best, ascending; returns their number. */
int profile_ratios(int problems, int solvers, const double *times, int s, double *ratios);
