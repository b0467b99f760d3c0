/* count_alloc.h: counts every allocation of the library, and makes the k-th fail on request
 *
 * For programs linked with malloc, calloc, realloc and free wrapped (CMakeLists.txt); allocations
 * of other libraries are not counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static int64_t allocations;  /* so far; a test may set it to 0 */
static int64_t bytes_taken;  /* by them */
static int64_t live_blocks;  /* not freed yet */
static int64_t fail_at = -1; /* index of the allocation that fails; -1: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static bool count_allocation(size_t bytes)
{
  bytes_taken += (int64_t)bytes;
  return allocations++ != fail_at;
}

void *__wrap_malloc(size_t size)
{
  void *block = count_allocation(size) ? __real_malloc(size) : NULL;
  live_blocks += block != NULL;
  return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
  void *block = count_allocation(count * size) ? __real_calloc(count, size) : NULL;
  live_blocks += block != NULL;
  return block;
}

void *__wrap_realloc(void *block, size_t size)
{
  void *moved = count_allocation(size) ? __real_realloc(block, size) : NULL;
  live_blocks += moved != NULL && block == NULL;
  return moved;
}

void __wrap_free(void *block)
{
  live_blocks -= block != NULL;
  __real_free(block);
}
