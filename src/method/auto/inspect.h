/* inspect.h: what `auto` looks at before it chooses
 *
 * One pass over what is cheap to see: the kind of operator, the form, the entries if they are
 * stored. A contact operator with a diagonal C is symmetric and semi-definite by its making, a
 * stencil symmetric, so of those nothing but the diagonal is read. Definiteness is not looked
 * at beyond that: a Cholesky factor costs a third of what a pivoting method takes, which tries
 * one anyway and says so when there is none. */
#pragma once

#include "method/run/method.h"

typedef enum perp_structure {
  PERP_STRUCTURE_STENCIL,
  PERP_STRUCTURE_CONTACT, /* without friction */
  PERP_STRUCTURE_FACED,   /* contacts in faces, as of boxes: several points to a pair of bodies */
  PERP_STRUCTURE_LOOSE,   /* contacts with friction of many bodies: as many velocities as rows */
  PERP_STRUCTURE_PACKED,  /* at least half as many */
  PERP_STRUCTURE_JAMMED,  /* few bodies to a contact: fewer velocities than half of the rows */
  PERP_STRUCTURE_TRIDIAGONAL, /* compressed rows, and no entry further than one from the diagonal */
  PERP_STRUCTURE_MMATRIX,     /* with the signs of an M-matrix */
  PERP_STRUCTURE_SPARSE,      /* rows with at most a third of the entries */
  PERP_STRUCTURE_DENSE,
  PERP_STRUCTURE_HIDDEN, /* products alone */
} perp_structure;

/* What stands beside the diagonal, in the worst row: sum |A_ij|, j != i, over A_ii. A sweep
 * shrinks the error of x by that factor at least, so it tells how far a few of them come. */
typedef enum perp_diagonal {
  PERP_DIAGONAL_PLAIN,  /* more than 0.96 of it, or unknown */
  PERP_DIAGONAL_FAIR,   /* at most 0.96 */
  PERP_DIAGONAL_STRONG, /* at most a tenth */
  PERP_DIAGONAL_HOLES,  /* some A_ii <= 0 */
} perp_diagonal;

enum {
  PERP_STRUCTURES = PERP_STRUCTURE_HIDDEN + 1,
  PERP_DIAGONALS = PERP_DIAGONAL_HOLES + 1,
  PERP_SIZES = 9, /* at most 3 unknowns, 10, 32, 100, 320, 1000, 10000, 100000, and more */
};

typedef struct perp_inspection {
  int n;
  int size; /* 0 .. PERP_SIZES - 1 */
  perp_form form;
  unsigned abilities; /* of the operator: perp_ability */
  perp_structure structure;
  bool warm;      /* the start is not zero */
  bool symmetric; /* up to 1e-9 of the greatest entry; unknown counts as not */
  perp_diagonal diagonal;
  double spread; /* the greatest A_ii over the least, if all are positive */
} perp_inspection;

/* Memory is the arena's, and given back. */
perp_error perp_inspect(const perp_problem *p, bool warm, perp_arena *arena, perp_inspection *seen,
                        perp_message *why);

/* A row of the measured table (table.c, written by tools/write-auto): for problems of a class. */
typedef struct perp_ladder {
  struct {
    const perp_method *method;
    int64_t limit;
  } step[PERP_ATTEMPTS]; /* ends with NULL */
} perp_ladder;

/* Limits of nncg on cold cones of balls, and on warm balls and discs with a friction index. */
extern const int64_t perp_sweeps_first, perp_sweeps_later;

extern const perp_ladder perp_ladders[];
/* The ladder for each size; many kinds of problem share such a line. */
extern const short perp_ladders_by_size[][PERP_SIZES];
/* The line for each start (0: zero), form, structure, symmetry (0: not) and diagonal. What was never
 * measured has the ladder of the class next to it; -1 in a line: the form never was. */
extern const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS];
