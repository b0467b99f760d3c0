/* memory.h: heap and arena
 *
 * The library allocates all its memory with these functions. Numbers are aligned for any vector
 * unit (64 bytes), and a product of sizes that overflows is an allocation that fails. */
#ifndef PERP_BASE_MEMORY_H
#define PERP_BASE_MEMORY_H

#include "base/shared.h"

#include <stddef.h>

/* count * size bytes, uninitialised; NULL if there is no such memory. A count of 0 gives a valid
 * pointer. Free with perp_free. */
PERP_SHARED void *perp_alloc(size_t count, size_t size);
/* The same, filled with zero bytes. */
PERP_SHARED void *perp_alloc_zero(size_t count, size_t size);
/* A copy of count * size bytes of `source`. */
PERP_SHARED void *perp_alloc_copy(const void *source, size_t count, size_t size);
PERP_SHARED void perp_free(void *block);

/* A growing arena: allocations are freed together. Chunks are kept over a reset, so the same
 * sequence of allocations after it takes nothing from the heap. */
typedef struct perp_arena {
  struct perp_chunk *first, *current;
} perp_arena;

/* count * size bytes, uninitialised, 64-byte aligned; NULL if the heap is exhausted. */
PERP_SHARED void *perp_arena_alloc(perp_arena *arena, size_t count, size_t size);
PERP_SHARED void *perp_arena_alloc_zero(perp_arena *arena, size_t count, size_t size);
/* Everything allocated from the arena is gone, its chunks stay. */
PERP_SHARED void perp_arena_reset(perp_arena *arena);
/* A point to come back to: perp_arena_release frees what was allocated since the mark. */
typedef struct perp_arena_mark {
  struct perp_chunk *chunk;
  size_t used;
} perp_arena_mark;
perp_arena_mark perp_arena_hold(const perp_arena *arena);
void perp_arena_release(perp_arena *arena, perp_arena_mark mark);
/* Gives the chunks back to the heap. */
PERP_SHARED void perp_arena_free(perp_arena *arena);

#endif
