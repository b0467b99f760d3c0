/* memory.h: heap and arena
 *
 * The library allocates all its memory with these functions. Blocks are aligned for any vector unit
 * (64 bytes). If a product of sizes overflows, the allocation fails. */
#pragma once

#include "base/shared.h"

#include <stdbool.h>
#include <stddef.h>

/* Allocates count * size bytes, uninitialised; returns NULL when out of memory. A count of 0 gives
 * a valid pointer. Free with perp_free (perp/base.h). */
PERP_SHARED void *perp_alloc(size_t count, size_t size);
PERP_SHARED void *perp_alloc_zero(size_t count, size_t size);
/* Allocates a copy of count * size bytes of `source`. */
PERP_SHARED void *perp_alloc_copy(const void *source, size_t count, size_t size);
/* `array`: the address of a pointer to an array or NULL. Replaces it by one with room for `room`
 * items that begins with its first `used` ones. Returns false, and keeps it, when out of memory. */
PERP_SHARED bool perp_alloc_longer(void *array, size_t used, size_t room, size_t size);

/* A growing arena: allocations are freed together. A reset keeps the chunks, so repeating the same
 * sequence of allocations does not use the heap. */
typedef struct perp_arena {
  struct perp_chunk *first, *current;
} perp_arena;

/* Allocates count * size bytes, uninitialised, 64-byte aligned; returns NULL when out of memory. */
PERP_SHARED void *perp_arena_alloc(perp_arena *arena, size_t count, size_t size);
PERP_SHARED void *perp_arena_alloc_zero(perp_arena *arena, size_t count, size_t size);
/* Several arrays at once: PERP_TAKE(arena, PERP_ARRAY(pointer, count), ...) sets each pointer to a
 * new array, uninitialised or zero. Returns false when out of memory: some of the pointers are then
 * NULL. */
typedef struct perp_array {
  void *at; /* a pointer to the pointer; NULL ends the list */
  size_t count, size;
} perp_array;
PERP_SHARED bool perp_arena_take(perp_arena *arena, bool zero, const perp_array *arrays);
#define PERP_ARRAY(pointer, count) ((perp_array){&(pointer), (size_t)(count), sizeof *(pointer)})
#define PERP_TAKE(arena, ...)      perp_arena_take(arena, false, (perp_array[]){__VA_ARGS__, {0}})
#define PERP_TAKE_ZERO(arena, ...) perp_arena_take(arena, true, (perp_array[]){__VA_ARGS__, {0}})
/* Arrays of one length: PERP_TAKE_REALS(arena, count, &pointer, ...). */
PERP_SHARED bool perp_arena_take_reals(perp_arena *arena, bool zero, size_t count,
                                       double **const *pointers);
bool perp_arena_take_integers(perp_arena *arena, size_t count, int **const *pointers);
#define PERP_TAKE_REALS(arena, count, ...)                                                         \
  perp_arena_take_reals(arena, false, count, (double **const[]){__VA_ARGS__, NULL})
#define PERP_TAKE_ZERO_REALS(arena, count, ...)                                                    \
  perp_arena_take_reals(arena, true, count, (double **const[]){__VA_ARGS__, NULL})
#define PERP_TAKE_INTEGERS(arena, count, ...)                                                      \
  perp_arena_take_integers(arena, count, (int **const[]){__VA_ARGS__, NULL})
/* Frees everything allocated from the arena and keeps its chunks. */
PERP_SHARED void perp_arena_reset(perp_arena *arena);
/* A point to return to: perp_arena_release frees everything allocated since the mark. */
typedef struct perp_arena_mark {
  struct perp_chunk *chunk;
  size_t used;
} perp_arena_mark;
perp_arena_mark perp_arena_hold(const perp_arena *arena);
void perp_arena_release(perp_arena *arena, perp_arena_mark mark);
/* Returns the chunks to the heap. */
PERP_SHARED void perp_arena_free(perp_arena *arena);
