/* inspect.h: the properties of a problem by which `auto` chooses a method
 *
 * One pass over the data that is cheap to read: the kind of operator, the form, and the entries if
 * they are stored. A contact operator with a diagonal C is symmetric and semi-definite by
 * construction, and a stencil is symmetric, so only their diagonal is read. Definiteness is not
 * tested further: a Cholesky factor costs a third of a pivoting method, which tries one anyway and
 * reports if there is none. */
#pragma once

#include "method/run/method.h"

typedef enum perp_structure {
  PERP_STRUCTURE_STENCIL,
  PERP_STRUCTURE_CONTACT, /* without friction */
  PERP_STRUCTURE_FACED,   /* contacts in faces, as of boxes: several points to a pair of bodies */
  PERP_STRUCTURE_LOOSE,   /* contacts with friction, at least one velocity per row */
  PERP_STRUCTURE_PACKED,  /* at least one velocity for two rows */
  PERP_STRUCTURE_JAMMED,  /* few bodies per contact: fewer velocities than half the rows */
  PERP_STRUCTURE_TRIDIAGONAL, /* compressed rows, entries at most one from the diagonal */
  PERP_STRUCTURE_MMATRIX,     /* with the signs of an M-matrix */
  PERP_STRUCTURE_SPARSE,      /* rows with at most a third of the entries */
  PERP_STRUCTURE_DENSE,
  PERP_STRUCTURE_HIDDEN, /* only products */
} perp_structure;

/* The sum of |A_ij|, j != i, over A_ii in the worst row. A sweep shrinks the error of x at least by
 * this factor, so it predicts how far a few sweeps get. */
typedef enum perp_diagonal {
  PERP_DIAGONAL_PLAIN,  /* more than 0.96, or unknown */
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
  bool symmetric; /* up to 1e-9 of the largest entry; false if unknown */
  perp_diagonal diagonal;
  double spread; /* largest A_ii over the smallest, if all are positive */
} perp_inspection;

/* Uses the arena for scratch and gives it back. */
perp_error perp_inspect(const perp_problem *p, bool warm, perp_arena *arena, perp_inspection *seen,
                        perp_message *why);

/* One ladder of the measured table (table.c, written by tools/write-auto), for problems of a
 * class. */
typedef struct perp_ladder {
  struct {
    const perp_method *method;
    int64_t limit;
  } step[PERP_ATTEMPTS]; /* ends with NULL */
} perp_ladder;

/* Limits of nncg on cold cones of balls, and on warm balls and discs with a friction index. */
extern const int64_t perp_sweeps_first, perp_sweeps_later;

extern const perp_ladder perp_ladders[];
/* The ladder for each size; many classes share such a line. */
extern const short perp_ladders_by_size[][PERP_SIZES];
/* The line for each start (0: zero), form, structure, symmetry (0: not) and diagonal. An unmeasured
 * class has the ladder of the nearest class; -1 in a line: the form was never measured. */
extern const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS];
