/* kept.h: what Lemke's method keeps for the next solve
 *
 * Scales depend on A alone. The first basis of a path is that of a pattern of x: if the next solve
 * begins with the same pattern, and no exchange has changed it since, its columns and its inverse are
 * still there, to the last bit. Nothing is kept under a limit of memory, which counts from nothing in
 * every solve. */
#pragma once

#include "method/pivoting/lemke/basis.h"
#include "method/run/factor_cache.h"

typedef struct perp_lemke_kept {
  perp_kept *entry;
  int n;
  bool scaled;                      /* the scales are those of A */
  double *row_scale, *column_scale; /* n */
  int count;                        /* of the rows of the basis that is there; 0: none is */
  int *rows;                        /* n */
  int room;                         /* of the matrices below */
  double *B, *X, *Y, *P;            /* */
} perp_lemke_kept;

/* The entry for this scaling; NULL: nothing is kept. Its scales become those of s, and its matrices
 * the memory of s. */
perp_lemke_kept *perp_lemke_open_kept(perp_lemke *s, perp_lemke_scaling scaling);
/* Whether the basis of these rows is there, with their columns: then it is that of s, which was
 * empty. */
bool perp_lemke_recall(perp_lemke *s, int count, const int *rows);
/* The basis of s was made from the list of its rows, which are its columns too. */
void perp_lemke_keep(perp_lemke *s);
/* At the end of a solve, whatever its end is. */
void perp_lemke_close(perp_lemke *s);
