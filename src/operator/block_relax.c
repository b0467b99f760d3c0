/* block_relax.c: block sweeps by rows; contact/block.c has those over packed contact rows
 *
 *   y_i = b_i + (A x)_i for the rows of the block, then the body, then x_i <- its answer
 *
 * A contact operator keeps its velocities: y_i = J_i v + (C x)_i + b_i, v <- v + Minv J_i^T (change
 * of x_i). One sweep: one pass over the entries of A, or of J. Workspace: two numbers for each row of
 * the largest block, and one row if A has no row products.
 *
 * Triples. If the blocks are rows (0, 1, 2), (3, 4, 5), ..., as for contacts, and A is sparse
 * or small, its rows are copied once to blocks of 3 x 3: one index for nine numbers, and three rows
 * at a time. A block [a b; c d] of two rows and one is stored as three columns of two, then the
 * last row, so that one instruction processes two numbers. */
#include "operator/block_relax.h"

#include "linalg/dot.h"
#include "operator/contact/contact.h"

#include <assert.h>

typedef struct row_blocks {
  perp_block_relaxer base;
  perp_contact_relaxer contact; /* v: the velocities of a contact operator; NULL: other operators */
  double *y, *x;                /* of one block */
  int *column;                  /* one row */
  double *value;                /* */
} row_blocks;

static double row_value(const row_blocks *r, int i)
{
  const perp_operator *A = r->contact.base.A;
  const double *x = r->contact.base.x, b = r->contact.base.b[i];
  if (r->contact.v)
    return perp_contact_row_value(perp_contact_of(A), i, x, b, r->contact.v);
  if (A->table->row_product)
    return b + A->table->row_product(A, i, x);
  const int count = A->table->row(A, i, r->column, r->value);
  return b + perp_add_row(0, 0, count, r->value, r->column, x);
}

static void sweep(perp_block_relaxer *relaxer, const int *order, perp_block_body body,
                  void *context)
{
  row_blocks *r = (row_blocks *)relaxer;
  const perp_block_list *list = &relaxer->blocks;
  double *x = r->contact.base.x, *v = r->contact.v;
  for (int k = 0; k < list->count; k++) {
    const int block = order ? order[k] : k, size = list->start[block + 1] - list->start[block];
    const int *row = list->row + list->start[block];
    for (int t = 0; t < size; t++) {
      r->y[t] = row_value(r, row[t]);
      r->x[t] = x[row[t]];
    }
    body(context, block, r->y, r->x);
    for (int t = 0; t < size; t++) {
      const int i = row[t];
      if (v && r->x[t] == x[i])
        continue;
      if (v)
        perp_contact_add_row(perp_contact_of(r->contact.base.A), i, r->x[t] - x[i], v);
      x[i] = r->x[t];
    }
  }
}

/* ---- Triples ---- */

typedef struct triples {
  perp_block_relaxer base;
  perp_relaxer relaxer;
  int64_t *start; /* triples + 1 */
  int *column;    /* triple of each 3 x 3 block */
  double *value;  /* nine for each, see above */
} triples;

/* Index of entry (r, c) in a block. */
static int place(int r, int c)
{
  return r < 2 ? 2 * c + r : 6 + c;
}

/* y = b_I + sum_J A_IJ x_J */
static void triple_product(const triples *t, int I, double y[3])
{
  const double *x = t->relaxer.x, *b = t->relaxer.b + 3 * (int64_t)I;
  perp_two p0 = *(const perp_two *)b, p1 = {0, 0}, p2 = {0, 0}, q = {b[2], 0};
  double last = 0;
  for (int64_t k = t->start[I]; k < t->start[I + 1]; k++) {
    const double *a = t->value + 9 * k, *xJ = x + 3 * (int64_t)t->column[k];
    p0 += *(const perp_two *)a * xJ[0];
    p1 += *(const perp_two *)(a + 2) * xJ[1];
    p2 += *(const perp_two *)(a + 4) * xJ[2];
    q += *(const perp_two *)(a + 6) * *(const perp_two *)xJ;
    last += a[8] * xJ[2];
  }
  p0 += p1 + p2;
  y[0] = p0[0];
  y[1] = p0[1];
  y[2] = q[0] + q[1] + last;
}

static void sweep_triples(perp_block_relaxer *relaxer, const int *order, perp_block_body body,
                          void *context)
{
  const triples *t = (const triples *)relaxer;
  for (int k = 0; k < relaxer->blocks.count; k++) {
    const int I = order ? order[k] : k;
    double y[3];
    triple_product(t, I, y);
    body(context, I, y, t->relaxer.x + 3 * (int64_t)I);
  }
}

static bool are_triples(const perp_operator *A, const perp_block_list *blocks)
{
  enum { SMALL = 96 };
  const bool sparse = A->nonzeros >= 0 && A->nonzeros <= (int64_t)A->n * A->n / 4;
  if ((!sparse && A->n > SMALL) || A->n != 3 * blocks->count)
    return false;
  for (int k = 0; k < blocks->count; k++)
    if (blocks->start[k] != 3 * k)
      return false;
  for (int i = 0; i < A->n; i++)
    if (blocks->row[i] != i)
      return false;
  return true;
}

/* Counts the blocks of all rows, or stores their entries if t->value exists, which then is 0. seen[J] is
 * the last block of column J; column and entry have room for one row. */
static void file_triples(const perp_operator *A, triples *t, int64_t *seen, int *column,
                         double *entry)
{
  const int64_t *start;
  const int *all;
  const double *values;
  const bool stored =
      A->nonzeros > 0 && perp_operator_csr_arrays(A, &start, &all, &values) == PERP_OK;
  int64_t end = 0;
  for (int J = 0; J < A->n / 3; J++)
    seen[J] = -1;
  for (int I = 0; I < A->n / 3; I++) {
    t->start[I] = end;
    for (int r = 0; r < 3; r++) {
      const int i = 3 * I + r;
      const int count =
          stored ? (int)(start[i + 1] - start[i]) : A->table->row(A, i, column, entry);
      const int *own = stored ? all + start[i] : column;
      const double *value = stored ? values + start[i] : entry;
      for (int k = 0; k < count; k++) {
        const int J = own[k] / 3;
        if (seen[J] < t->start[I])
          seen[J] = end++;
        if (!t->value)
          continue;
        t->column[seen[J]] = J;
        t->value[9 * seen[J] + place(r, own[k] - 3 * J)] = value[k];
      }
    }
  }
  t->start[A->n / 3] = end;
}

/* Stores the blocks of a dense A, row major, that are not 0. */
static void file_dense(int count, const double *a, int64_t stride, triples *t)
{
  int64_t end = 0;
  for (int I = 0; I < count; I++) {
    t->start[I] = end;
    for (int J = 0; J < count; J++) {
      bool some = false;
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
          const double entry = a[(3 * I + r) * stride + 3 * J + c];
          t->value[9 * end + place(r, c)] = entry;
          some = some || entry != 0;
        }
      t->column[end] = J;
      end += some;
    }
  }
  t->start[count] = end;
}

static perp_error create_triples(const perp_operator *A, perp_arena *arena,
                                 perp_block_relaxer **relaxer)
{
  const size_t count = (size_t)(A->n / 3);
  triples *t = perp_arena_alloc_zero(arena, 1, sizeof *t);
  const double *a;
  int64_t stride, *seen;
  int *column;
  double *entry;
  if (!t || !PERP_TAKE(arena, PERP_ARRAY(t->start, count + 1)))
    return PERP_ERROR_MEMORY;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    if (!PERP_TAKE(arena, PERP_ARRAY(t->column, count * count),
                   PERP_ARRAY(t->value, 9 * count * count)))
      return PERP_ERROR_MEMORY;
    file_dense((int)count, a, stride, t);
  } else {
    if (!PERP_TAKE(arena, PERP_ARRAY(seen, count), PERP_ARRAY(column, A->row_capacity),
                   PERP_ARRAY(entry, A->row_capacity)))
      return PERP_ERROR_MEMORY;
    file_triples(A, t, seen, column, entry);
    const int64_t blocks = t->start[count];
    if (!PERP_TAKE(arena, PERP_ARRAY(t->column, blocks)) ||
        !PERP_TAKE_ZERO(arena, PERP_ARRAY(t->value, 9 * blocks)))
      return PERP_ERROR_MEMORY;
    file_triples(A, t, seen, column, entry);
  }
  t->base = (perp_block_relaxer){.relaxer = &t->relaxer, .sweep = sweep_triples};
  *relaxer = &t->base;
  return PERP_OK;
}

/* ---- Any ---- */

static perp_error create(const perp_operator *A, const perp_block_list *blocks, perp_arena *arena,
                         perp_block_relaxer **relaxer)
{
  row_blocks *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  const bool contact = perp_operator_is_contact(A);
  const int row = A->table->row_product || contact ? 0 : A->row_capacity;
  if (!r || (contact && perp_contact_velocities_create(A, arena, &r->contact)) ||
      !PERP_TAKE(arena, PERP_ARRAY(r->y, blocks->largest), PERP_ARRAY(r->x, blocks->largest),
                 PERP_ARRAY(r->column, row), PERP_ARRAY(r->value, row)))
    return PERP_ERROR_MEMORY;
  r->base = (perp_block_relaxer){.relaxer = &r->contact.base, .sweep = sweep};
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
  perp_error error = PERP_OK;
  if (perp_operator_is_contact(A))
    error = perp_contact_blocks_create(A, K, blocks, arena, relaxer);
  else if (A->table->row && are_triples(A, blocks))
    error = create_triples(A, arena, relaxer);
  else if (!A->table->row)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "%s needs an operator that gives its rows, but this %s does not", method,
                     A->table->kind);
  if (!error && !*relaxer)
    error = create(A, blocks, arena, relaxer);
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

/* ---- Sweeps forward, backward, both ways or in random order ---- */

const char *const perp_block_orders[] = {"forward", "backward", "symmetric", "random", NULL};

perp_error perp_block_sweeps_create(perp_block_relaxer *relaxer, perp_block_order order,
                                    uint64_t seed, perp_arena *arena, perp_block_sweeps *s)
{
  *s = (perp_block_sweeps){.relaxer = relaxer, .order = order, .random = perp_random_from(seed)};
  if (order != PERP_BLOCKS_FORWARD)
    s->visit = perp_arena_alloc(arena, (size_t)relaxer->blocks.count, sizeof *s->visit);
  return order == PERP_BLOCKS_FORWARD || s->visit ? PERP_OK : PERP_ERROR_MEMORY;
}

/* A block relaxer visits all blocks of its list, so the list is shortened to `count` blocks. */
static void visit(const perp_block_sweeps *s, const int *order, int count, perp_block_body body,
                  void *context)
{
  const int all = s->relaxer->blocks.count;
  s->relaxer->blocks.count = count;
  s->relaxer->sweep(s->relaxer, order, body, context);
  s->relaxer->blocks.count = all;
}

int perp_block_sweep(perp_block_sweeps *s, const int *list, int count, perp_block_body body,
                     void *context)
{
  if (s->order == PERP_BLOCKS_FORWARD || s->order == PERP_BLOCKS_SYMMETRIC)
    visit(s, list, count, body, context);
  if (s->order == PERP_BLOCKS_FORWARD)
    return 1;
  if (s->order == PERP_BLOCKS_RANDOM)
    perp_random_permutation(&s->random, count, s->visit);
  for (int k = 0; k < count; k++) {
    const int place = s->order == PERP_BLOCKS_RANDOM ? s->visit[k] : count - 1 - k;
    s->visit[k] = list ? list[place] : place;
  }
  visit(s, s->visit, count, body, context);
  return s->order == PERP_BLOCKS_SYMMETRIC ? 2 : 1;
}
