/* names.h: carries numbers keyed by name from one list of names to the next */
#pragma once

#include "base/shared.h"

/* A name, and its index in its original list. */
typedef struct perp_name {
  uint64_t id;
  int place;
} perp_name;

/* Sorts by id, ties by index; linear if already sorted. */
PERP_SHARED void perp_names_sort(int count, perp_name *name);
/* Sets x of each name of the second list: `width` numbers from the same name of the first, 0 if it
 * is new; of equal names, the k-th takes the numbers of the k-th. Both lists are sorted. Returns
 * the number of names found. */
PERP_SHARED int perp_names_carry(int width, int old_count, const perp_name *was,
                                 const double *old_x, int count, const perp_name *is, double *x);
