/* block_relax.c: block sweeps by rows; a contact operator has its own, see contact_block.c
 *
 *   y_i = b_i + (A x)_i for the rows of the block, then the body, then x_i <- its answer
 *
 * One sweep: one pass over the entries of A. Workspace: two numbers for each row of the largest
 * block, and one row where A has no row products of its own. */
#include "operator/block_relax.h"

#include "operator/contact.h"

#include <assert.h>

typedef struct row_blocks {
  perp_block_relaxer base;
  perp_relaxer relaxer;
  double *y, *x; /* of one block */
  int *column;   /* one row */
  double *value; /* */
} row_blocks;

static double row_product(const row_blocks *r, int i)
{
  const perp_operator *A = r->relaxer.A;
  const double *x = r->relaxer.x;
  if (A->table->row_product)
    return A->table->row_product(A, i, x);
  const int count = A->table->row(A, i, r->column, r->value);
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += r->value[k] * x[r->column[k]];
  return sum;
}

static void sweep(perp_block_relaxer *relaxer, const int *order, perp_block_body body,
                  void *context)
{
  row_blocks *r = (row_blocks *)relaxer;
  const perp_block_list *list = &relaxer->blocks;
  double *x = r->relaxer.x;
  for (int k = 0; k < list->count; k++) {
    const int block = order ? order[k] : k, size = list->start[block + 1] - list->start[block];
    const int *row = list->row + list->start[block];
    for (int t = 0; t < size; t++) {
      r->y[t] = r->relaxer.b[row[t]] + row_product(r, row[t]);
      r->x[t] = x[row[t]];
    }
    body(context, block, r->y, r->x);
    for (int t = 0; t < size; t++)
      x[row[t]] = r->x[t];
  }
}

static perp_error create(const perp_operator *A, const perp_block_list *blocks, perp_arena *arena,
                         perp_block_relaxer **relaxer)
{
  row_blocks *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r)
    return PERP_ERROR_MEMORY;
  const size_t row = A->table->row_product ? 0 : (size_t)A->row_capacity;
  r->y = perp_arena_alloc(arena, (size_t)blocks->largest, sizeof *r->y);
  r->x = perp_arena_alloc(arena, (size_t)blocks->largest, sizeof *r->x);
  r->column = perp_arena_alloc(arena, row, sizeof *r->column);
  r->value = perp_arena_alloc(arena, row, sizeof *r->value);
  if (!r->y || !r->x || !r->column || !r->value)
    return PERP_ERROR_MEMORY;
  r->base = (perp_block_relaxer){.relaxer = &r->relaxer, .sweep = sweep};
  *relaxer = &r->base;
  return PERP_OK;
}

perp_error perp_block_relaxer_create(const char *method, const perp_operator *A, const double *b,
                                     const perp_set *K, double *x, int threads,
                                     const perp_block_list *blocks, perp_arena *arena,
                                     perp_block_relaxer **relaxer, perp_message *why)
{
  assert(K->n == A->n);
  *relaxer = NULL;
  perp_error error;
  if (perp_operator_is_contact(A))
    error = perp_contact_blocks_create(A, b, K, blocks, arena, relaxer);
  else if (A->table->row)
    error = create(A, blocks, arena, relaxer);
  else
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "%s needs an operator that gives its rows, but this %s does not", method,
                     A->table->kind);
  if (error)
    return perp_fail(why, error, "%s: out of memory for the sweeps of n = %d rows", method, A->n);
  perp_relaxer *inner = (*relaxer)->relaxer;
  inner->A = A;
  inner->b = b;
  inner->K = K;
  inner->threads = threads;
  inner->x = x;
  (*relaxer)->blocks = *blocks;
  perp_relaxer_load(inner);
  return PERP_OK;
}
