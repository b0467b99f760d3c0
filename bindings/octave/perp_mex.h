/* perp_mex.h: what the MEX files share: matrices, options and results of Octave and MATLAB
 *
 * Rows count from 1 in everything that a user sees. An error leaves a MEX file by a jump, so what
 * was allocated is freed before: `call` holds all of it. */
#pragma once

#include <mex.h>
#include <perp/lab.h>
#include <perp/perp.h>

/* A solve in progress. */
typedef struct call {
  perp_operator *A;
  double *dense; /* a copy of the matrix; or NULL */
  int64_t *start;
  int *column, *findex;
  double *ray;
  perp_solver *solver;
  perp_options options;
  const mxArray *x0;
  char method[64];
  bool trace;
  double *traced; /* iteration, seconds, residual of each check */
  size_t rows, room;
} call;

void call_begin(call *c);
void call_end(call *c);
/* A message of the library, which counts rows from 0, as Octave counts them. */
void count_from_one(const char *text, char *to, size_t room);
/* Frees everything and leaves with an error whose rows count from 1. */
void call_fail(call *c, const char *id, const char *text);
/* Reads a square real matrix, dense or sparse. */
void call_matrix(call *c, const mxArray *a);
/* A real vector of n numbers, or NULL if it is not given or empty; a number stands for n equal
 * ones, then in memory of MATLAB's own. */
const double *call_vector(call *c, int nrhs, const mxArray *prhs[], int at, int n,
                          const char *name);
/* A real number, which is not sparse. */
double call_number(call *c, const mxArray *v, const char *name);
/* Reads the struct of options, or NULL. n: the length of findex; 0: it is not taken */
void call_options(call *c, const mxArray *options, int n);
/* Reads the options of a quadratic program, which has fewer, and no parameters. */
void call_program_options(call *c, const mxArray *options);
/* Its other fields are parameters of the method. */
perp_error call_parameters(const mxArray *options, perp_solver *solver, perp_message *why);
/* Makes the solver, with these parameters. */
void call_solver(call *c, const mxArray *options);
/* Solves, and writes [x, y, info]. */
void call_solve(call *c, const perp_problem *p, int nlhs, mxArray *plhs[]);
