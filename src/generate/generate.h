/* generate/generate.h: the interface of a generator, and helpers of generators
 *
 * A generator is a name, a typed parameter table and one function. All its random numbers come from
 * a perp_random of the seed; as far as possible it uses only +, -, *, / and sqrt on them, which are
 * the same on every machine (this folder is compiled without fused multiply-add). */
#pragma once

#include "base/lists.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/parameter.h"
#include "base/random.h"
#include "io/structure.h"
#include <perp/generate.h>

/* A problem under construction. */
typedef struct perp_making {
  const char *owner;      /* the generator's name */
  const void *parameters; /* */
  const void *variant;    /* the generator's */
  perp_random random;     /* of the seed, nothing drawn yet */
  perp_arena arena;       /* scratch: freed when the generator is done */
  perp_instance *instance;
  perp_message *why;
  bool failed;                /* out of memory for an entry of a matrix */
  struct qp_making *program;  /* instead of the instance: a quadratic program, qp.c */
  struct perp_pieces *pieces; /* NULL, or selects some contacts of a scene,
                               * generate/scene_pieces.h */
} perp_making;

typedef struct perp_generator {
  const char *name;
  const char *title;
  const char *family;
  const char *source;
  const perp_parameter *parameters; /* ends with {0} */
  size_t parameter_bytes;
  /* Fills the empty instance; on an error the caller frees what was allocated there. */
  perp_error (*make)(perp_making *m);
  const void *variant; /* for a `make` of several generators; NULL: it needs none */
} perp_generator;

/* ---- Lists of generators (registry.c) ---- */

typedef struct perp_kinds {
  perp_lists generators;
  const char *what; /* "problem": for messages */
} perp_kinds;

void perp_kinds_tell(const perp_kinds *kinds, int index, perp_generator_info *info, size_t size);
/* Generates the problem KIND:key=value,...; m has only an arena and `why`. */
perp_error perp_kinds_make(const perp_kinds *kinds, const char *text, perp_making *m);

/* ---- Helpers of generators (making.c) ---- */

perp_error perp_making_no_memory(const perp_making *m);
/* Returns PERP_ERROR_PARAMETER, with a message that begins with the generator's name. */
PERP_CHECK_FORMAT(2, 3)
perp_error perp_making_refuse(const perp_making *m, const char *format, ...);
/* Allocates arrays of count numbers for the instance by perp_alloc: PERP_GIVE(count, &instance->b,
 * ...). Returns false when out of memory. */
#define PERP_GIVE(count, ...) perp_making_give(count, (double **const[]){__VA_ARGS__, NULL})
bool perp_making_give(size_t count, double **const *pointers);
/* instance->A <- a copy of the n x n matrix a. */
perp_error perp_making_dense(perp_making *m, int n, const double *a);
/* instance->A <- the matrix of A in compressed rows; A is destroyed. */
perp_error perp_making_csr(perp_making *m, perp_operator *A);

/* ---- Planting: b such that a chosen x solves the problem ----
 *
 * Rows are assigned at random: a share `active` has y_i = 0 with x_i strictly inside its bounds, a
 * share `degenerate` has y_i = 0 at a bound, the others are at a bound with y_i of the right sign.
 * Then b = y - A x. With the form mixed a share `free` of rows is unbounded (y_i = 0). With the
 * form findex every three rows are a contact with friction, and the shares count contacts that bear
 * a load, and contacts that touch without one. */
enum { PERP_PLANT_LCP, PERP_PLANT_MIXED, PERP_PLANT_BOXED, PERP_PLANT_FINDEX };

typedef struct perp_planting {
  int form;
  double active, degenerate, free;
} perp_planting;

extern const char *const perp_plant_forms[]; /* "lcp", "mixed", "boxed", "findex", NULL */

/* The rows of a parameter table for the perp_planting called `plant` of a parameter struct. */
#define PERP_PLANTING_ROWS(type)                                                                   \
  PERP_ROW(type, "form", PERP_TYPE_CHOICE, plant.form, 0, 0, 3, perp_plant_forms,                  \
           "form of the problem"),                                                                 \
      PERP_ROW(type, "active", PERP_TYPE_REAL, plant.active, 0.5, 0, 1, NULL,                      \
               "share of rows with y = 0 inside their bounds"),                                    \
      PERP_ROW(type, "degenerate", PERP_TYPE_REAL, plant.degenerate, 0, 0, 1, NULL,                \
               "share of rows with y = 0 at a bound"),                                             \
      PERP_ROW(type, "free", PERP_TYPE_REAL, plant.free, 0.3, 0, 1, NULL,                          \
               "share of free rows, with form = mixed")

/* PERP_ERROR_PARAMETER if the shares add up to more than 1. */
perp_error perp_plant_check(const perp_making *m, double active, double degenerate);

/* instance->A is set; fills x, b and, by the form, lo, hi and findex. PERP_ERROR_PARAMETER if
 * active + degenerate is above 1. The caller sets `kind`, except with friction: there may be other
 * solutions, PERP_KIND_MULTIPLE. */
perp_error perp_plant(perp_making *m, const perp_planting *plant);

/* y <- A x, row by row, in arithmetic that is the same on every machine; the operators' own
 * products may fuse multiplications and additions. */
perp_error perp_generate_apply(perp_making *m, const double *x, double *y);

/* instance->A, x and y are given; b <- y - A x (allocated here). */
perp_error perp_plant_rhs(perp_making *m, const double *y);

/* Returns the side of n as a perfect square or cube; 0 if it is neither. */
int perp_exact_root(int n, int dimension);

/* ---- A sparse matrix under construction: a list of entries ---- */

/* Adds an entry; entries of the same place are added up in their order. */
void perp_making_entry(perp_making *m, perp_triplets *t, int row, int column, double value);
/* Puts the entries in order and frees the list; *matrix is to be freed either way. Returns
 * PERP_ERROR_MEMORY also if there was none for an entry. */
perp_error perp_making_rows(perp_making *m, int rows, int columns, perp_triplets *t,
                            perp_mtx *matrix);
/* instance->A <- the n x n matrix of the entries; frees the list. */
perp_error perp_making_sparse(perp_making *m, int n, perp_triplets *t);

/* ---- Problems on grids ---- */

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

/* Computes the side of a grid of n unknowns, n an exact square (dimension 2) or cube (3); if n = 0
 * the side is given. Returns PERP_ERROR_PARAMETER, naming the nearest valid numbers, for other
 * n. */
perp_error perp_grid_side(const perp_making *m, int n, int dimension, int given, int *side);

/* instance->A <- the stencil operator, or its matrix in compressed rows. Takes the arrays of
 * `data`, allocated by perp_alloc, even on an error. */
perp_error perp_grid_operator(perp_making *m, const perp_stencil_data *data, int kind);

/* A, lo and hi are set (NULL: 0 and infinity); fills x, and b, replacing an earlier one. Rows are
 * assigned at random by the shares; rows without a finite bound have y = 0. */
perp_error perp_grid_plant(perp_making *m, const perp_grid_options *options);
