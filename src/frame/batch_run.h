/* batch_run.h: a running batch, for batch.c and batch_device.c */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include <perp/batch.h>

typedef struct perp_worker {
  perp_solver *solver;
  perp_operator *A;     /* borrows the matrix of the current problem */
  bool has_A;           /* A is the operator of this batch, common to all problems */
  perp_operator *world; /* the operator of contact worlds */
  perp_result result;
  /* of its range */
  int64_t solved;
  int first_failure; /* INT_MAX: none */
  perp_outcome outcome;
  perp_message message;
  double residual, relative_residual;
  perp_counts counts;
} perp_worker;

typedef struct perp_workshop {
  perp_worker *worker;
  int workers;
  perp_arena arena; /* for one batch */
  int *sweeps;      /* of each contact world in the last batch on a device */
  int worlds;       /* number of those worlds */
} perp_workshop;

typedef struct perp_batch_run {
  const perp_batch *batch;
  const perp_solver *model;
  const perp_options *options;
  perp_workshop *shop;
  int workers;
  double begin;    /* seconds on the clock */
  int64_t *rows;   /* count + 1: start of the vectors of problem k */
  int64_t *matrix; /* count + 1: number of matrix entries before problem k */
  /* contact worlds: the arrays of all, and where the bodies of each begin; NULL: none */
  perp_contact_bodies worlds;
  int64_t *bodies;
  double *x;
  perp_batch_end *each; /* or NULL */
} perp_batch_run;

static inline int perp_batch_rows(const perp_batch_run *r, int k)
{
  return (int)(r->rows[k + 1] - r->rows[k]);
}

/* Sets up problem k with the worker's operator, or with the caller's. */
perp_error perp_batch_problem(const perp_batch_run *r, perp_worker *w, int k, perp_problem *p);
/* Returns the first problem of range s, so that ranges have equal shares of rows and entries. */
int perp_batch_stretch(const perp_batch_run *r, int s);
/* Records how problem k ended, from the worker's result, in `each` and in the worker's counts. */
void perp_batch_enter(const perp_batch_run *r, perp_worker *w, int k, perp_error error);

/* Solves all problems on the device of the options; every problem has its result on return. */
perp_error perp_batch_on_device(perp_batch_run *r, perp_message *why);
