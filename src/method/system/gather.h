/* gather.h: the entries of A by rows, in the run's arena */
#ifndef PERP_METHOD_GATHER_H
#define PERP_METHOD_GATHER_H

#include "method/run/method.h"

typedef struct perp_gathered {
  int n;
  int64_t *start; /* n + 1 */
  int *column;    /* ascending in each row; NULL: more than the memory limit, or time is over */
  double *value;
  int64_t *diagonal; /* n: position of each diagonal entry, a zero one if A has none */
  int64_t *beside;   /* n: the same of (i, normal_i), -1: no normal; NULL: there are none */
} perp_gathered;

/* lower: nothing above the diagonal, whose entry is then the last of each row. A has rows. */
perp_error perp_gather(perp_run *run, bool lower, perp_gathered *g);
/* With an entry (i, normal_i) in each row whose normal_i >= 0; normal: n, or NULL. */
perp_error perp_gather_tied(perp_run *run, bool lower, const int *normal, perp_gathered *g);
/* Up to rounding; the transposed of each entry is found by a cursor in its row. cursor: n. */
bool perp_gathered_is_symmetric(const perp_gathered *g, int64_t *cursor);

/* Whether so many bytes may be taken for a matrix. */
bool perp_run_allows(const perp_run *run, double bytes);

#endif
