/* lists.h: lists of structs that begin with their name; each ends with one without a name */
#pragma once

#include <stddef.h>
#include <string.h>

typedef struct perp_lists {
  const void *const *list;
  size_t lists, size; /* of an item */
} perp_lists;

/* Returns the item with this index over all lists; NULL if there is none. */
static inline const void *perp_lists_at(const perp_lists *all, int index)
{
  for (size_t k = 0; k < all->lists && index >= 0; k++)
    for (const char *at = all->list[k]; *(const char *const *)(const void *)at; at += all->size)
      if (index-- == 0)
        return at;
  return NULL;
}

/* Returns the index of the item with this name, -1 if there is none. */
static inline int perp_lists_find(const perp_lists *all, const char *name)
{
  const char *const *item;
  for (int k = 0; name && (item = perp_lists_at(all, k)) != NULL; k++)
    if (strcmp(*item, name) == 0)
      return k;
  return -1;
}

static inline int perp_lists_count(const perp_lists *all)
{
  int count = 0;
  while (perp_lists_at(all, count))
    count++;
  return count;
}
