/* memory.c: heap blocks, arenas, and growing lists */
#include "base/memory.h"

#include "base/message.h"
#include "base/sized.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, SMALLEST_CHUNK = 1 << 14 };

/* ---- Hooks: malloc and free from the first allocation on, unless hooks were installed before
 * ---- */

enum { UNUSED, INSTALLING, PLAIN, HOOKED };
static atomic_int heap = UNUSED;
static perp_memory_hooks hooks;

static void *plain_allocate(void *context, size_t bytes)
{
  (void)context;
  return malloc(bytes);
}

static void plain_release(void *context, void *block)
{
  (void)context;
  free(block);
}

void perp_memory_hooks_init(perp_memory_hooks *callers, size_t size)
{
  const perp_memory_hooks own = {.allocate = plain_allocate, .release = plain_release};
  perp_sized_write(&own, sizeof own, callers, size);
}

perp_error perp_memory_hooks_install(const perp_memory_hooks *callers, perp_message *why)
{
  if (!callers)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "hooks is NULL");
  perp_memory_hooks own = perp_memory_hooks_default();
  const perp_error error = perp_sized_read("perp_memory_hooks", callers, &own, sizeof own, why);
  if (error)
    return error;
  if (!own.allocate || !own.release)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "memory hooks: allocate or release is NULL; set both");
  int state = UNUSED;
  if (!atomic_compare_exchange_strong(&heap, &state, INSTALLING))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "memory hooks cannot be installed: %s; install them before any other call",
                     state == PLAIN ? "memory is already allocated"
                                    : "hooks are already installed");
  hooks = own;
  atomic_store_explicit(&heap, HOOKED, memory_order_release);
  return PERP_OK;
}

static bool is_hooked(void)
{
  int state = atomic_load_explicit(&heap, memory_order_acquire);
  if (state == UNUSED && atomic_compare_exchange_strong(&heap, &state, PLAIN))
    return false;
  while (state == INSTALLING) /* another thread is copying a few words */
    state = atomic_load_explicit(&heap, memory_order_acquire);
  return state == HOOKED;
}

/* ---- The heap ---- */

/* A block is over-allocated by ALIGNMENT bytes; the pointer from malloc is stored just before the
 * aligned address, and perp_free finds it there. */
void *perp_alloc(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - 2 * ALIGNMENT) / size)
    return NULL;
  const size_t bytes = count * size + 2 * ALIGNMENT;
  char *raw = is_hooked() ? hooks.allocate(hooks.context, bytes) : malloc(bytes);
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

bool perp_alloc_longer(void *array, size_t used, size_t room, size_t size)
{
  void *old, *longer = perp_alloc(room, size);
  if (!longer)
    return false;
  memcpy(&old, array, sizeof old);
  if (used > 0)
    memcpy(longer, old, used * size);
  perp_free(old);
  memcpy(array, &longer, sizeof longer);
  return true;
}

void perp_free(void *block)
{
  if (!block)
    return;
  char *raw;
  memcpy(&raw, (char *)block - sizeof raw, sizeof raw);
  if (is_hooked())
    hooks.release(hooks.context, raw);
  else
    free(raw);
}

/* Chunks form a list in order of allocation; `bytes` starts ALIGNMENT bytes in. */
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
  /* below half the digits each, the product fits, and needs no division */
  if ((count | size) >> (4 * sizeof size) && size && count > (SIZE_MAX - ALIGNMENT) / size)
    return NULL;
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  /* the first chunk with room, from the current one on */
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

bool perp_arena_take(perp_arena *arena, bool zero, const perp_array *arrays)
{
  bool all = true;
  for (const perp_array *a = arrays; a->at; a++) {
    void *block = zero ? perp_arena_alloc_zero(arena, a->count, a->size)
                       : perp_arena_alloc(arena, a->count, a->size);
    memcpy(a->at, &block, sizeof block);
    all = all && block;
  }
  return all;
}

bool perp_arena_take_reals(perp_arena *arena, bool zero, size_t count, double **const *pointers)
{
  bool all = true;
  for (; *pointers; pointers++)
    all = perp_arena_take(arena, zero, (perp_array[]){PERP_ARRAY(**pointers, count), {0}}) && all;
  return all;
}

bool perp_arena_take_integers(perp_arena *arena, size_t count, int **const *pointers)
{
  bool all = true;
  for (; *pointers; pointers++)
    all = PERP_TAKE(arena, PERP_ARRAY(**pointers, count)) && all;
  return all;
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
