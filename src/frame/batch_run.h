/* batch_run.h: a batch that is being solved, for batch.c and batch_device.c */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include <perp/batch.h>

typedef struct perp_worker {
  perp_solver *solver;
  perp_operator *A;     /* borrows the matrix of the problem that is solved */
  bool has_A;           /* that of this batch, if there is one for all */
  perp_operator *world; /* the same for contact worlds */
  perp_result result;
  /* of its stretch */
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
  int *sweeps;      /* of each contact world of the last batch on a device */
  int worlds;       /* how many there were */
} perp_workshop;

typedef struct perp_batch_run {
  const perp_batch *batch;
  const perp_solver *model;
  const perp_options *options;
  perp_workshop *shop;
  int workers;
  double begin;    /* seconds on the clock */
  int64_t *rows;   /* count + 1: where the vectors of problem k begin */
  int64_t *matrix; /* count + 1: entries of the matrices before that of problem k */
  /* contact worlds: the arrays of all, and where the bodies of each begin; NULL: there are none */
  perp_contact_bodies worlds;
  int64_t *bodies;
  double *x;
  perp_batch_end *each; /* or NULL */
} perp_batch_run;

static inline int perp_batch_rows(const perp_batch_run *r, int k)
{
  return (int)(r->rows[k + 1] - r->rows[k]);
}

/* Problem k with the worker's operator, or as the caller has it. */
perp_error perp_batch_problem(const perp_batch_run *r, perp_worker *w, int k, perp_problem *p);
/* The first problem of stretch s: before it lies its share of rows and entries. */
int perp_batch_stretch(const perp_batch_run *r, int s);
/* How problem k ended, by the worker's result, into `each` and what the worker counts. */
void perp_batch_enter(const perp_batch_run *r, perp_worker *w, int k, perp_error error);

/* ---- For batch_device.c ---- */

/* The caller's array, or a copy of what lies on the device alone. */
perp_error perp_batch_show(perp_batch_run *r, const void *array, size_t bytes, const void **shown,
                           perp_message *why);

/* All problems on the device of the options; every problem has been entered on return. */
perp_error perp_batch_on_device(perp_batch_run *r, perp_message *why);
