/* grid.h: what the problems on grids share: sizes, operators, planted solutions */
#pragma once

#include "generate/generate.h"

enum { PERP_GRID_STENCIL, PERP_GRID_CSR };
extern const char *const perp_grid_operators[]; /* "stencil", "csr", NULL */

/* Fields of a parameter struct, as its member `grid`. */
typedef struct perp_grid_options {
  int operator; /* PERP_GRID_STENCIL or PERP_GRID_CSR */
  int plant;    /* replace the right-hand side by one with a known solution */
  double active, degenerate;
} perp_grid_options;

/* The rows of a parameter table for the perp_grid_options called `options` of a struct. */
#define PERP_GRID_ROWS(type)                                                                       \
  PERP_ROW(type, "operator", PERP_TYPE_CHOICE, options.operator, PERP_GRID_STENCIL, 0, 1,          \
           perp_grid_operators, "never assembled, or the same matrix in compressed rows"),         \
      PERP_GRID_PLANT_ROWS(type)

#define PERP_GRID_PLANT_ROWS(type)                                                                 \
  PERP_ROW(type, "plant", PERP_TYPE_FLAG, options.plant, 0, 0, 1, NULL,                            \
           "a right-hand side with a known solution, x.mtx"),                                      \
      PERP_ROW(type, "active", PERP_TYPE_REAL, options.active, 0.5, 0, 1, NULL,                    \
               "planted: share of rows inside their bounds"),                                      \
      PERP_ROW(type, "degenerate", PERP_TYPE_REAL, options.degenerate, 0, 0, 1, NULL,              \
               "planted: share of rows at a bound with y = 0")

/* The side of a grid of n unknowns, n an exact square (dimension 2) or cube (3); if n = 0 the
 * side is given. PERP_ERROR_PARAMETER, naming the nearest ones, if n is no such number. */
perp_error perp_grid_side(const perp_making *m, int n, int dimension, int given, int *side);

/* instance->A <- the stencil operator, or its matrix in compressed rows. The arrays of `data` come from
 * perp_alloc and are taken over, also on an error. */
perp_error perp_grid_operator(perp_making *m, const perp_stencil_data *data, int kind);

/* A, lo and hi are set (NULL: 0 and infinity); fills x and b, which is replaced if it is there. Rows
 * are dealt at random by the shares; rows without any finite bound have y = 0. */
perp_error perp_grid_plant(perp_making *m, const perp_grid_options *options);
