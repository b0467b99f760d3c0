/* bsr.c: block compressed sparse rows with small square blocks
 *
 * Block k of block row I, with block column J = column[k], holds A_ij for i = I size + r, j = J
 * size + c at value[k size^2 + r size + c]. One index serves size^2 numbers, and for common sizes
 * the compiler unrolls the loops over a block.
 *
 * Sweeps. In natural order the products of a block row with the blocks off the diagonal come first,
 * s = b_I + sum_{J != I} A_IJ x_J, then its rows are relaxed one after another within the diagonal
 * block: exact Gauss-Seidel. In coloured order, with colours of single rows, the rows of a colour
 * are relaxed in parallel; the rows of one block differ in colour. Workspace of a relaxation: the
 * inverse diagonal, one block row, and the order by colour. */
#include "base/kernel.h"
#include "base/threads.h"
#include "operator/pattern.h"
#include "operator/relax.h"

#include <limits.h>

enum { APPLY_GRAIN = 256, SWEEP_GRAIN = 1024 };

typedef struct bsr_operator {
  perp_operator base;
  perp_pattern pattern; /* of blocks */
  int size;
  const double *value;
} bsr_operator;

static const bsr_operator *bsr_of(const perp_operator *A)
{
  return (const bsr_operator *)A;
}

static const double *block_row(const bsr_operator *bsr, int64_t k, int r)
{
  return bsr->value + (k * bsr->size + r) * bsr->size;
}

/* s += the product of block row I with x, without the block at `skip` */
KERNEL void add_products(const bsr_operator *bsr, int size, int64_t I, int64_t skip,
                         const double *x, double *s)
{
  const perp_pattern *p = &bsr->pattern;
  for (int64_t k = p->start[I]; k < p->start[I + 1]; k++) {
    if (k == skip)
      continue;
    const double *block = bsr->value + k * size * size;
    const double *x_J = x + (int64_t)p->column[k] * size;
    for (int r = 0; r < size; r++) {
      double sum = 0;
      for (int c = 0; c < size; c++)
        sum += block[r * size + c] * x_J[c];
      s[r] += sum;
    }
  }
}

/* add_products with loops unrolled for common sizes. */
static void add_block_row(const bsr_operator *bsr, int64_t I, int64_t skip, const double *x,
                          double *s)
{
  switch (bsr->size) {
  case 2:
    add_products(bsr, 2, I, skip, x, s);
    break;
  case 3:
    add_products(bsr, 3, I, skip, x, s);
    break;
  case 4:
    add_products(bsr, 4, I, skip, x, s);
    break;
  case 6:
    add_products(bsr, 6, I, skip, x, s);
    break;
  default:
    add_products(bsr, bsr->size, I, skip, x, s);
  }
}

/* ---- Products ---- */

typedef struct apply_context {
  const bsr_operator *A;
  const double *x;
  double *y;
} apply_context;

static void apply_rows(void *context, int64_t begin, int64_t end)
{
  const apply_context *c = context;
  const int size = c->A->size;
  for (int64_t I = begin; I < end; I++) {
    for (int r = 0; r < size; r++)
      c->y[I * size + r] = 0;
    add_block_row(c->A, I, -1, c->x, c->y + I * size);
  }
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  apply_context context = {bsr_of(A), x, y};
  perp_parallel_for(work->threads, bsr_of(A)->pattern.n, APPLY_GRAIN, apply_rows, &context);
}

static void apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  const bsr_operator *bsr = bsr_of(A);
  const perp_pattern *p = &bsr->pattern;
  const int size = bsr->size;
  perp_fill(A->n, 0, y);
  for (int I = 0; I < p->n; I++)
    for (int64_t k = p->start[I]; k < p->start[I + 1]; k++)
      for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++)
          y[p->column[k] * size + c] += block_row(bsr, k, r)[c] * x[I * size + r];
}

/* ---- Entries ---- */

static void diagonal(const perp_operator *A, double *d)
{
  const bsr_operator *bsr = bsr_of(A);
  for (int I = 0; I < bsr->pattern.n; I++) {
    const int64_t k = perp_row_find(bsr->pattern.start, bsr->pattern.column, I, I);
    for (int r = 0; r < bsr->size; r++)
      d[I * bsr->size + r] = k < 0 ? 0 : block_row(bsr, k, r)[r];
  }
}

static int row(const perp_operator *A, int i, int *columns, double *value)
{
  const bsr_operator *bsr = bsr_of(A);
  const perp_pattern *p = &bsr->pattern;
  const int size = bsr->size, I = i / size;
  int count = 0;
  for (int64_t k = p->start[I]; k < p->start[I + 1]; k++)
    for (int c = 0; c < size; c++) {
      columns[count] = p->column[k] * size + c;
      value[count++] = block_row(bsr, k, i % size)[c];
    }
  return count;
}

static double row_product(const perp_operator *A, int i, const double *x)
{
  const bsr_operator *bsr = bsr_of(A);
  const perp_pattern *p = &bsr->pattern;
  const int size = bsr->size, I = i / size;
  double sum = 0;
  for (int64_t k = p->start[I]; k < p->start[I + 1]; k++) {
    const double *a = block_row(bsr, k, i % size), *x_J = x + (int64_t)p->column[k] * size;
    for (int c = 0; c < size; c++)
      sum += a[c] * x_J[c];
  }
  return sum;
}

static int column(const perp_operator *A, int j, int *rows, double *value)
{
  const bsr_operator *bsr = bsr_of(A);
  const int size = bsr->size, J = j / size;
  const int blocks = perp_pattern_column_count(&bsr->pattern, J);
  int count = 0;
  for (int b = 0; b < blocks; b++) {
    int I;
    const int64_t k = perp_pattern_column_entry(&bsr->pattern, J, b, &I);
    for (int r = 0; r < size; r++) {
      rows[count] = I * size + r;
      value[count++] = block_row(bsr, k, r)[j % size];
    }
  }
  return count;
}

/* ---- Relaxation ---- */

typedef struct bsr_relaxer {
  perp_relaxer base;
  perp_bounds bounds;
  const double *inverse;    /* 1 / A_ii */
  double *s;                /* one block row */
  perp_colouring colouring; /* if a coloured sweep will be used */
} bsr_relaxer;

KERNEL void relax_natural(bsr_relaxer *rel, double omega, bool backward, perp_part part)
{
  const bsr_operator *bsr = bsr_of(rel->base.A);
  const int size = bsr->size, blocks = bsr->pattern.n;
  double *x = rel->base.x, *s = rel->s;
  for (int step = 0; step < blocks; step++) {
    const int I = backward ? blocks - 1 - step : step;
    const int64_t own = perp_row_find(bsr->pattern.start, bsr->pattern.column, I, I);
    double *x_I = x + (int64_t)I * size;
    for (int r = 0; r < size; r++)
      s[r] = rel->base.b[I * size + r];
    add_block_row(bsr, I, own, x, s);
    for (int k = 0; k < size; k++) {
      const int r = backward ? size - 1 - k : k, i = I * size + r;
      const double *a = block_row(bsr, own, r);
      double y = s[r];
      for (int c = 0; c < size; c++)
        y += a[c] * x_I[c];
      x[i] = perp_bounds_project(part, &rel->bounds, x, i, x[i] - omega * y * rel->inverse[i]);
    }
  }
}

typedef struct colour_context {
  const bsr_relaxer *relaxer;
  double omega;
  const int *rows; /* of the colour */
} colour_context;

static void relax_colour(void *context, int64_t begin, int64_t end)
{
  const colour_context *c = context;
  const bsr_relaxer *rel = c->relaxer;
  const bsr_operator *bsr = bsr_of(rel->base.A);
  const perp_pattern *p = &bsr->pattern;
  const int size = bsr->size;
  double *x = rel->base.x;
  for (int64_t q = begin; q < end; q++) {
    const int i = c->rows[q], I = i / size, r = i % size;
    double y = rel->base.b[i];
    for (int64_t k = p->start[I]; k < p->start[I + 1]; k++) {
      const double *a = block_row(bsr, k, r), *x_J = x + (int64_t)p->column[k] * size;
      for (int l = 0; l < size; l++)
        y += a[l] * x_J[l];
    }
    const double t = x[i] - c->omega * y * rel->inverse[i];
    x[i] = perp_bounds_project(rel->bounds.part, &rel->bounds, x, i, t);
  }
}

static void sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  bsr_relaxer *rel = (bsr_relaxer *)relaxer;
  if (order == PERP_COLOURED) {
    for (int k = 0; k < rel->colouring.colours; k++) {
      const int first = rel->colouring.start[k];
      colour_context context = {rel, omega, rel->colouring.order + first};
      perp_parallel_for(relaxer->threads, rel->colouring.start[k + 1] - first, SWEEP_GRAIN,
                        relax_colour, &context);
    }
  } else if (rel->bounds.part == PERP_PART_PLAIN) {
    relax_natural(rel, omega, order == PERP_BACKWARD, PERP_PART_PLAIN);
  } else if (rel->bounds.part == PERP_PART_BOX) {
    relax_natural(rel, omega, order == PERP_BACKWARD, PERP_PART_BOX);
  } else {
    relax_natural(rel, omega, order == PERP_BACKWARD, PERP_PART_FINDEX);
  }
}

static perp_error relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                 unsigned orders, perp_arena *arena, perp_relaxer **relaxer)
{
  (void)b;
  bsr_relaxer *rel = perp_arena_alloc_zero(arena, 1, sizeof *rel);
  if (!rel || perp_bounds_create(K, arena, &rel->bounds))
    return PERP_ERROR_MEMORY;
  rel->inverse = perp_inverse_diagonal(A, arena);
  rel->s = perp_arena_alloc(arena, (size_t)bsr_of(A)->size, sizeof *rel->s);
  if (!rel->inverse || !rel->s)
    return PERP_ERROR_MEMORY;
  if (orders & 1u << PERP_COLOURED && perp_operator_colour(A, K, arena, &rel->colouring))
    return PERP_ERROR_MEMORY;
  rel->base.sweep = sweep;
  *relaxer = &rel->base;
  return PERP_OK;
}

/* ---- Construction ---- */

static perp_error check_values(const bsr_operator *bsr, perp_message *why)
{
  const perp_pattern *p = &bsr->pattern;
  const int size = bsr->size;
  for (int I = 0; I < p->n; I++)
    for (int64_t k = p->start[I]; k < p->start[I + 1]; k++)
      for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++)
          if (!isfinite(block_row(bsr, k, r)[c]))
            return perp_fail(why, PERP_ERROR_PROBLEM, "A(%d,%d) = %g is not finite", I * size + r,
                             p->column[k] * size + c, block_row(bsr, k, r)[c]);
  return PERP_OK;
}

static perp_error refresh(perp_operator *A, perp_message *why)
{
  return check_values(bsr_of(A), why);
}

static const perp_operator_table table = {
    .kind = "bsr",
    .has_rows = true,
    .exact_rows = true,
    .refresh = refresh,
    .apply = apply,
    .apply_t = apply_t,
    .diagonal = diagonal,
    .row = row,
    .row_product = row_product,
    .column = column,
    .relaxer = relaxer_create,
};

/* Checks the arguments, except the values of the blocks. */
static perp_error check_arguments(int blocks, int size, const int64_t *start, const int *columns,
                                  const double *value, perp_message *why)
{
  if (blocks < 0 || size < 1)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: blocks = %d must be >= 0 and size = %d >= 1",
                     blocks, size);
  if (blocks > INT_MAX / size)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "A: %d blocks of size %d have more than 2^31 - 1 rows", blocks, size);
  if (!start)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: start is NULL");
  const perp_error error =
      perp_pattern_check("A", "block row", blocks, blocks, start, columns, why);
  if (error)
    return error;
  if (start[blocks] > 0 && !value)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: there are entries, but value is NULL");
  return PERP_OK;
}

perp_error perp_operator_bsr(int blocks, int size, const int64_t *start, const int *columns,
                             const double *value, perp_storage storage, perp_operator **A,
                             perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  *A = NULL;
  static const int64_t no_rows[1] = {0};
  start = blocks == 0 && !start ? no_rows : start;
  perp_error error = check_arguments(blocks, size, start, columns, value, why);
  if (error)
    return error;
  bsr_operator *bsr = perp_alloc_zero(1, sizeof *bsr);
  if (!bsr)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, %d blocks", blocks);
  bsr->base =
      (perp_operator){.table = &table, .n = blocks * size, .nonzeros = start[blocks] * size * size};
  bsr->pattern = (perp_pattern){.n = blocks, .start = start, .column = columns};
  bsr->size = size;
  bsr->value = value;
  error = check_values(bsr, why);
  if (error) {
    perp_operator_destroy(&bsr->base);
    return error;
  }
  if ((storage == PERP_COPY &&
       perp_pattern_copy(&bsr->pattern, bsr->base.nonzeros, &bsr->value, &bsr->base)) ||
      perp_pattern_complete(&bsr->pattern, &bsr->base)) {
    perp_operator_destroy(&bsr->base);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, %d blocks", blocks);
  }
  bsr->base.row_capacity = bsr->pattern.longest * size;
  bsr->base.block = size;
  perp_operator_renew(&bsr->base);
  *A = &bsr->base;
  return PERP_OK;
}

perp_error perp_operator_bsr_arrays(const perp_operator *A, const int64_t **start,
                                    const int **columns, const double **value)
{
  if (!A || A->table != &table)
    return PERP_ERROR_ARGUMENT;
  *start = bsr_of(A)->pattern.start;
  *columns = bsr_of(A)->pattern.column;
  *value = bsr_of(A)->value;
  return PERP_OK;
}
