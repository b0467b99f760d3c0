/* method/inspect.h: what `auto` looks at before it chooses
 *
 * One pass over what is cheap to see: the kind of operator, the form, the entries where they are
 * stored. A contact operator with a diagonal C is symmetric and semi-definite by its making, a stencil
 * symmetric, so of those nothing but the diagonal is read. Definiteness is not looked at beyond that: a
 * Cholesky factor costs a third of what a pivoting method takes, which tries one anyway and says so
 * when there is none. */
#ifndef PERP_METHOD_INSPECT_H
#define PERP_METHOD_INSPECT_H

#include "method/method.h"

typedef enum perp_structure {
  PERP_STRUCTURE_STENCIL,
  PERP_STRUCTURE_CONTACT,
  PERP_STRUCTURE_MMATRIX, /* compressed rows with the signs of an M-matrix */
  PERP_STRUCTURE_SPARSE,  /* rows with at most a third of the entries */
  PERP_STRUCTURE_DENSE,
  PERP_STRUCTURE_HIDDEN, /* products alone */
} perp_structure;

extern const char *const perp_structure_names[];

typedef struct perp_inspection {
  int n;
  perp_form form;
  perp_structure structure;
  bool symmetric; /* up to 1e-9 of the greatest entry; unknown counts as not */
  bool diagonal;  /* A_ii > 0 in every row */
  double spread;  /* the greatest A_ii over the least, where all are positive */
} perp_inspection;

/* Memory is the arena's, and given back. */
perp_error perp_inspect(const perp_problem *p, perp_arena *arena, perp_inspection *seen,
                        perp_message *why);

/* A row of the measured table (auto_table.c, written by tools/write-auto): for problems of this
 * class with at most `most` unknowns. */
typedef struct perp_ladder {
  perp_form form;
  perp_structure structure;
  bool symmetric;
  int most;
  struct {
    const perp_method *method;
    int64_t limit;
  } step[PERP_ATTEMPTS]; /* ends with NULL */
} perp_ladder;

extern const perp_ladder perp_ladders[]; /* ends with most = 0 */

#endif
