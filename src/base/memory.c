/* memory.c: see memory.h */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, SMALLEST_CHUNK = 1 << 16 };

/* A block is over-allocated by ALIGNMENT bytes; the pointer from malloc is stored just before the
 * aligned address, and perp_free finds it there. */
void *perp_alloc(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - 2 * ALIGNMENT) / size)
    return NULL;
  char *raw = malloc(count * size + 2 * ALIGNMENT);
  if (!raw)
    return NULL;
  uintptr_t address = ((uintptr_t)raw + sizeof(void *) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *block = raw + (address - (uintptr_t)raw);
  memcpy(block - sizeof raw, &raw, sizeof raw);
  return block;
}

void *perp_alloc_zero(size_t count, size_t size)
{
  void *block = perp_alloc(count, size);
  if (block && count > 0 && size > 0)
    memset(block, 0, count * size);
  return block;
}

void *perp_alloc_copy(const void *source, size_t count, size_t size)
{
  void *block = perp_alloc(count, size);
  if (block && count > 0 && size > 0)
    memcpy(block, source, count * size);
  return block;
}

void perp_free(void *block)
{
  if (!block)
    return;
  char *raw;
  memcpy(&raw, (char *)block - sizeof raw, sizeof raw);
  free(raw);
}

/* Chunks form a list in the order they were taken; `bytes` starts ALIGNMENT bytes in. */
typedef struct perp_chunk {
  struct perp_chunk *next;
  size_t size, used;
} perp_chunk;

static char *chunk_bytes(perp_chunk *chunk)
{
  return (char *)chunk + ALIGNMENT;
}

static perp_chunk *chunk_new(size_t size)
{
  if (size > SIZE_MAX - ALIGNMENT)
    return NULL;
  perp_chunk *chunk = perp_alloc(ALIGNMENT + size, 1);
  if (chunk)
    *chunk = (perp_chunk){.size = size};
  return chunk;
}

void *perp_arena_alloc(perp_arena *arena, size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - ALIGNMENT) / size)
    return NULL;
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  /* the first chunk from the current one on that has room */
  perp_chunk *last = NULL;
  for (perp_chunk *chunk = arena->current; chunk; last = chunk, chunk = chunk->next) {
    if (chunk->size - chunk->used < bytes)
      continue;
    arena->current = chunk;
    void *block = chunk_bytes(chunk) + chunk->used;
    chunk->used += bytes;
    return block;
  }

  size_t grown = last ? 2 * last->size : SMALLEST_CHUNK;
  perp_chunk *chunk = chunk_new(bytes > grown ? bytes : grown);
  if (!chunk)
    return NULL;
  if (last)
    last->next = chunk;
  else
    arena->first = chunk;
  arena->current = chunk;
  chunk->used = bytes;
  return chunk_bytes(chunk);
}

void *perp_arena_alloc_zero(perp_arena *arena, size_t count, size_t size)
{
  void *block = perp_arena_alloc(arena, count, size);
  if (block && count > 0 && size > 0)
    memset(block, 0, count * size);
  return block;
}

void perp_arena_reset(perp_arena *arena)
{
  for (perp_chunk *chunk = arena->first; chunk; chunk = chunk->next)
    chunk->used = 0;
  arena->current = arena->first;
}

perp_arena_mark perp_arena_hold(const perp_arena *arena)
{
  return (perp_arena_mark){arena->current, arena->current ? arena->current->used : 0};
}

void perp_arena_release(perp_arena *arena, perp_arena_mark mark)
{
  if (!mark.chunk) {
    perp_arena_reset(arena);
    return;
  }
  for (perp_chunk *chunk = mark.chunk->next; chunk; chunk = chunk->next)
    chunk->used = 0;
  mark.chunk->used = mark.used;
  arena->current = mark.chunk;
}

void perp_arena_free(perp_arena *arena)
{
  for (perp_chunk *chunk = arena->first; chunk;) {
    perp_chunk *next = chunk->next;
    perp_free(chunk);
    chunk = next;
  }
  *arena = (perp_arena){0};
}
