/* generate/qp.h: what generators of quadratic programs share
 *
 * A generator states n and gives rows of P and of G one after another, entries in any order. */
#pragma once

#include "generate/generate.h"

/* Rows in the making. */
typedef struct perp_qp_lines {
  int rows, capacity_rows;
  int64_t entries, capacity;
  int64_t *start;
  int *column;
  double *value;
} perp_qp_lines;

typedef struct perp_qp_making {
  perp_making making; /* its instance is NULL */
  perp_qp_instance *instance;
  perp_qp_lines P, G;
  double *l, *u;  /* capacity_rows of G: bounds of its rows */
  bool no_memory; /* remembered, so that the calls below need no test */
} perp_qp_making;

/* First of all: n unknowns, q = 0, no bounds. False when out of memory. */
bool perp_qp_making_begin(perp_qp_making *m, int n);
/* An entry of the row that is being written; zeros are left out. */
void perp_qp_making_P(perp_qp_making *m, int column, double value);
void perp_qp_making_G(perp_qp_making *m, int column, double value);
/* Ends the row. */
void perp_qp_making_P_end(perp_qp_making *m);
void perp_qp_making_G_end(perp_qp_making *m, double l, double u);
/* Normal for a share of the calls, else 0. */
double perp_qp_making_sparse(perp_qp_making *m, double density);
/* Last of all, by the registry: the rows into the instance; and what is left of them, freed. */
perp_error perp_qp_making_finish(perp_qp_making *m);
void perp_qp_making_free(perp_qp_making *m);
