/* profile.h: what is made of a table of times: performance profiles
 *
 * times[p * solvers + s] is what solver s took on problem p; INFINITY if it failed. */
#pragma once

/* The least time on problem p; INFINITY if all failed. */
double profile_best(int solvers, const double *times, int p);
/* rho_s(tau): the share of all problems on which solver s is within tau times the best. */
double profile_at(int problems, int solvers, const double *times, int s, double tau);
/* Where rho_s rises: the finite ratios to the best, ascending; returns their number. */
int profile_ratios(int problems, int solvers, const double *times, int s, double *ratios);
