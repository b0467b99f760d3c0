/* names.h: numbers that belong to names, carried from one list of names to the next */
#pragma once

#include "base/shared.h"

/* A name, and its place in the list that it comes from. */
typedef struct perp_name {
  uint64_t id;
  int place;
} perp_name;

/* By id, ties by place; linear if they come sorted. */
PERP_SHARED void perp_names_sort(int count, perp_name *name);
/* x of each name of the second list: `width` numbers from the same name of the first, 0 if it is
 * new; of equal names, the k-th takes the numbers of the k-th. Both lists are sorted. Returns how
 * many were found. */
PERP_SHARED int perp_names_carry(int width, int old_count, const perp_name *was,
                                 const double *old_x, int count, const perp_name *is, double *x);
