/* csr.c: compressed sparse rows, from rows, columns or square blocks
 *
 * Products run over the rows in parallel; A^T x scatters row by row.
 *
 * Sweeps. In natural order row i waits for x_{i-1}, but the sum over all other entries does not. So
 * that sum comes first, and the one entry is subtracted last,
 *
 *   t = (x_i - w (b_i + sum_{j != i-1} A_ij x_j)) - (w A_{i,i-1}) x_{i-1},   w = omega / A_ii,
 *
 * and the CPU can start the sums of the next rows while it waits: on rows of 17 entries 20 GB/s
 * instead of 16. In coloured order the relaxer keeps its own copy of A, rows by colour,
 *
 *   value = A_ij / A_ii  (j != i),   columns renumbered to x in the order of the colours,
 *
 * so that the rows of one colour are independent, contiguous in memory, and run in parallel; x, b
 * and the bounds are permuted on load, and x back on store. Cost of a sweep: one pass over the
 * nonzeros. Workspace: one number per row, and for coloured sweeps a copy of A and four vectors. */
#include "base/kernel.h"
#include "base/threads.h"
#include "linalg/vector.h"
#include "operator/pattern.h"
#include "operator/relax.h"

#include <limits.h>

enum { APPLY_GRAIN = 1024, SWEEP_GRAIN = 512, LONG_ROW = 16 };

typedef struct csr_operator {
  perp_operator base;
  perp_pattern pattern;
  const int *below; /* n: entries of row i with a column below i */
  const double *value;
  const double *by_columns; /* CSC, borrowed: value[k] = by_columns[place[k]]; NULL: not from CSC */
  const int64_t *place;
  perp_pattern block; /* of BSR: start and column of the blocks; start NULL: not from BSR */
  const double *by_blocks;
} csr_operator;

static const csr_operator *csr_of(const perp_operator *A)
{
  return (const csr_operator *)A;
}

/* sum + sum_k value_k x[column_k]; long rows use four partial sums to shorten the dependency
 * chain. */
static inline double add_row(double sum, int64_t count, const int *column, const double *value,
                             const double *x)
{
  int64_t k = 0;
  if (count >= LONG_ROW) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (; k + 4 <= count; k += 4) {
      s0 += value[k] * x[column[k]];
      s1 += value[k + 1] * x[column[k + 1]];
      s2 += value[k + 2] * x[column[k + 2]];
      s3 += value[k + 3] * x[column[k + 3]];
    }
    sum += (s0 + s1) + (s2 + s3);
  }
  for (; k < count; k++)
    sum += value[k] * x[column[k]];
  return sum;
}

/* add_row from the last entry to the first. */
static inline double add_row_down(double sum, int64_t count, const int *column, const double *value,
                                  const double *x)
{
  int64_t k = count;
  if (count >= LONG_ROW) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (; k >= 4; k -= 4) {
      s0 += value[k - 1] * x[column[k - 1]];
      s1 += value[k - 2] * x[column[k - 2]];
      s2 += value[k - 3] * x[column[k - 3]];
      s3 += value[k - 4] * x[column[k - 4]];
    }
    sum += (s0 + s1) + (s2 + s3);
  }
  for (; k > 0; k--)
    sum += value[k - 1] * x[column[k - 1]];
  return sum;
}

/* ---- Products ---- */

typedef struct apply_context {
  const csr_operator *A;
  const double *x;
  double *y;
} apply_context;

static void apply_rows(void *context, int64_t begin, int64_t end)
{
  const apply_context *c = context;
  const int64_t *start = c->A->pattern.start;
  for (int64_t i = begin; i < end; i++)
    c->y[i] = add_row(0, start[i + 1] - start[i], c->A->pattern.column + start[i],
                      c->A->value + start[i], c->x);
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  apply_context context = {csr_of(A), x, y};
  perp_parallel_for(work->threads, A->n, APPLY_GRAIN, apply_rows, &context);
}

static void apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  const perp_pattern *p = &csr_of(A)->pattern;
  perp_fill(A->n, 0, y);
  for (int i = 0; i < A->n; i++)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; k++)
      y[p->column[k]] += csr_of(A)->value[k] * x[i];
}

/* ---- Entries ---- */

static void diagonal(const perp_operator *A, double *d)
{
  const csr_operator *csr = csr_of(A);
  for (int i = 0; i < A->n; i++) {
    const int64_t k = csr->pattern.start[i] + csr->below[i];
    d[i] = k < csr->pattern.start[i + 1] && csr->pattern.column[k] == i ? csr->value[k] : 0;
  }
}

static int row(const perp_operator *A, int i, int *column, double *value)
{
  const csr_operator *csr = csr_of(A);
  const int64_t first = csr->pattern.start[i];
  const int count = (int)(csr->pattern.start[i + 1] - first);
  for (int k = 0; k < count; k++) {
    column[k] = csr->pattern.column[first + k];
    value[k] = csr->value[first + k];
  }
  return count;
}

static double row_product(const perp_operator *A, int i, const double *x)
{
  const csr_operator *csr = csr_of(A);
  const int64_t first = csr->pattern.start[i];
  return add_row(0, csr->pattern.start[i + 1] - first, csr->pattern.column + first,
                 csr->value + first, x);
}

static int column(const perp_operator *A, int j, int *rows, double *value)
{
  const csr_operator *csr = csr_of(A);
  const int count = perp_pattern_column_count(&csr->pattern, j);
  for (int k = 0; k < count; k++)
    value[k] = csr->value[perp_pattern_column_entry(&csr->pattern, j, k, &rows[k])];
  return count;
}

/* ---- Relaxation ---- */

/* A, x, b and K by colour: row p is row order[p] of A. */
typedef struct coloured_copy {
  perp_colouring colouring;
  int64_t *start;
  int *column;
  double *value; /* A_ij / A_ii, j != i */
  double *x, *b; /* b_i / A_ii */
  double *lo, *hi;
  int *findex;
  perp_bounds bounds; /* made of lo, hi, findex */
} coloured_copy;

typedef struct csr_relaxer {
  perp_relaxer base;
  perp_bounds bounds;
  const double *inverse; /* 1 / A_ii */
  coloured_copy *copy;   /* NULL if no coloured sweep will be used */
  bool copy_has_x;       /* the copy's x is up to date */
  bool copy_is_ahead;    /* the copy's x is newer than the caller's */
} csr_relaxer;

/* The newest entry of row i is the last one before the diagonal in a forward sweep, and the first
 * one after it in a backward sweep. The sums on both sides end with the entries next to it. */
KERNEL void relax_natural(csr_relaxer *r, double omega, int first, int last, int step,
                          perp_part part)
{
  const csr_operator *csr = csr_of(r->base.A);
  const int64_t *start = csr->pattern.start;
  const double *b = r->base.b, *inverse = r->inverse;
  const int *below = csr->below;
  double *x = r->base.x, most = 0;
  for (int i = first; i != last; i += step) {
    const int *column = csr->pattern.column + start[i];
    const double *value = csr->value + start[i], w = omega * inverse[i];
    const int64_t count = start[i + 1] - start[i];
    const bool present = below[i] < count && column[below[i]] == i;
    const double diagonal = present ? value[below[i]] : 0;
    int64_t newest = below[i] - 1;
    if (step < 0)
      newest += 1 + present;
    const double old = x[i];
    double t = old;
    if (newest >= 0 && newest < count) {
      const double left = add_row(b[i], newest, column, value, x);
      const double right =
          add_row_down(0, count - newest - 1, column + newest + 1, value + newest + 1, x);
      t -= w * (left + right);
      t -= w * value[newest] * x[column[newest]];
    } else {
      t -= w * add_row(b[i], count, column, value, x);
    }
    x[i] = perp_bounds_project(part, &r->bounds, x, i, t);
    const double moved = diagonal * fabs(x[i] - old);
    most = moved > most ? moved : most;
  }
  r->base.moved = most;
}

typedef struct colour_context {
  const coloured_copy *copy;
  double omega;
  int64_t first; /* of the colour */
} colour_context;

KERNEL void relax_colour(const colour_context *c, int64_t begin, int64_t end, perp_part part)
{
  const coloured_copy *copy = c->copy;
  const int64_t *start = copy->start;
  const int *columns = copy->column;
  const double *value = copy->value, *b = copy->b;
  const double omega = c->omega;
  double *x = copy->x;
  for (int64_t p = c->first + begin; p < c->first + end; p++) {
    const double t =
        add_row(b[p], start[p + 1] - start[p], columns + start[p], value + start[p], x);
    x[p] = perp_bounds_project(part, &copy->bounds, x, p, (1 - omega) * x[p] - omega * t);
  }
}

KERNEL_BODY(relax_colour_plain, relax_colour, PERP_PART_PLAIN)
KERNEL_BODY(relax_colour_box, relax_colour, PERP_PART_BOX)
KERNEL_BODY(relax_colour_findex, relax_colour, PERP_PART_FINDEX)

static void store(perp_relaxer *relaxer)
{
  csr_relaxer *r = (csr_relaxer *)relaxer;
  if (!r->copy_is_ahead)
    return;
  for (int p = 0; p < relaxer->A->n; p++)
    relaxer->x[r->copy->colouring.order[p]] = r->copy->x[p];
  r->copy_is_ahead = false;
}

static void load(perp_relaxer *relaxer)
{
  csr_relaxer *r = (csr_relaxer *)relaxer;
  r->copy_has_x = r->copy_is_ahead = false;
}

/* Copies the caller's x, b and bounds into the copy. */
static void permute(csr_relaxer *r)
{
  coloured_copy *copy = r->copy;
  for (int p = 0; p < r->base.A->n; p++) {
    const int i = copy->colouring.order[p];
    copy->x[p] = r->base.x[i];
    copy->b[p] = r->base.b[i] * r->inverse[i];
    if (r->bounds.part != PERP_PART_PLAIN) {
      copy->lo[p] = r->bounds.lo[i];
      copy->hi[p] = r->bounds.hi[i];
    }
  }
  r->copy_has_x = true;
}

static void sweep_coloured(csr_relaxer *r, double omega)
{
  const coloured_copy *copy = r->copy;
  const perp_range_body body = r->bounds.part == PERP_PART_PLAIN ? relax_colour_plain
                               : r->bounds.part == PERP_PART_BOX ? relax_colour_box
                                                                 : relax_colour_findex;
  if (!r->copy_has_x)
    permute(r);
  for (int k = 0; k < copy->colouring.colours; k++) {
    const int first = copy->colouring.start[k];
    colour_context context = {copy, omega, first};
    perp_parallel_for(r->base.threads, copy->colouring.start[k + 1] - first, SWEEP_GRAIN, body,
                      &context);
  }
  r->copy_is_ahead = true;
}

static void sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  csr_relaxer *r = (csr_relaxer *)relaxer;
  if (order == PERP_COLOURED) {
    sweep_coloured(r, omega);
    relaxer->moved = NAN;
    return;
  }
  const int n = relaxer->A->n;
  const int first = order == PERP_FORWARD ? 0 : n - 1, last = order == PERP_FORWARD ? n : -1;
  const int step = order == PERP_FORWARD ? 1 : -1;
  store(relaxer);
  r->copy_has_x = false;
  if (r->bounds.part == PERP_PART_PLAIN)
    relax_natural(r, omega, first, last, step, PERP_PART_PLAIN);
  else if (r->bounds.part == PERP_PART_BOX)
    relax_natural(r, omega, first, last, step, PERP_PART_BOX);
  else
    relax_natural(r, omega, first, last, step, PERP_PART_FINDEX);
}

/* Fills the rows of A by colour, with new column numbers, without and divided by the diagonal. */
static void fill_copy(const csr_operator *csr, const csr_relaxer *r, const int *position,
                      coloured_copy *copy)
{
  const perp_pattern *pattern = &csr->pattern;
  int64_t end = 0;
  for (int p = 0; p < pattern->n; p++) {
    const int i = copy->colouring.order[p];
    copy->start[p] = end;
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
      if (pattern->column[k] == i)
        continue;
      copy->column[end] = position[pattern->column[k]];
      copy->value[end++] = csr->value[k] * r->inverse[i];
    }
    if (r->bounds.part == PERP_PART_FINDEX)
      copy->findex[p] = r->bounds.findex[i] < 0 ? -1 : position[r->bounds.findex[i]];
  }
  copy->start[pattern->n] = end;
}

static perp_error make_copy(const csr_operator *csr, const perp_set *K, perp_arena *arena,
                            csr_relaxer *r)
{
  const size_t n = (size_t)csr->base.n, entries = (size_t)csr->base.nonzeros;
  const size_t bounded = r->bounds.part == PERP_PART_PLAIN ? 0 : n;
  coloured_copy *copy = perp_arena_alloc_zero(arena, 1, sizeof *copy);
  if (!copy || perp_operator_colour(&csr->base, K, arena, &copy->colouring))
    return PERP_ERROR_MEMORY;
  int *position;
  if (!PERP_TAKE(arena, PERP_ARRAY(copy->start, n + 1), PERP_ARRAY(copy->column, entries),
                 PERP_ARRAY(copy->value, entries), PERP_ARRAY(copy->x, n), PERP_ARRAY(copy->b, n),
                 PERP_ARRAY(copy->lo, bounded), PERP_ARRAY(copy->hi, bounded),
                 PERP_ARRAY(copy->findex, bounded), PERP_ARRAY(position, n)))
    return PERP_ERROR_MEMORY;
  for (size_t p = 0; p < n; p++)
    position[copy->colouring.order[p]] = (int)p;
  fill_copy(csr, r, position, copy);
  copy->bounds = (perp_bounds){r->bounds.part, copy->lo, copy->hi, copy->findex};
  r->copy = copy;
  return PERP_OK;
}

static perp_error relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                 unsigned orders, perp_arena *arena, perp_relaxer **relaxer)
{
  (void)b;
  csr_relaxer *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || perp_bounds_create(K, arena, &r->bounds))
    return PERP_ERROR_MEMORY;
  r->inverse = perp_inverse_diagonal(A, arena);
  if (!r->inverse)
    return PERP_ERROR_MEMORY;
  if (orders & 1u << PERP_COLOURED && make_copy(csr_of(A), K, arena, r))
    return PERP_ERROR_MEMORY;
  r->base.sweep = sweep;
  if (r->copy) {
    r->base.store = store;
    r->base.load = load;
  }
  *relaxer = &r->base;
  return PERP_OK;
}

/* ---- Construction ---- */

/* Computed once: every relaxer and most methods read the diagonal, and sweeps need its position. */
static perp_error count_below(csr_operator *csr)
{
  const perp_pattern *pattern = &csr->pattern;
  int *below = perp_alloc_zero((size_t)pattern->n, sizeof *below);
  perp_operator_adopt(&csr->base, below);
  if (!below)
    return PERP_ERROR_MEMORY;
  for (int i = 0; i < pattern->n; i++)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      below[i] += pattern->column[k] < i;
  csr->below = below;
  return PERP_OK;
}

static void gather(int64_t count, const double *from, const int64_t *place, double *to)
{
  for (int64_t k = 0; k < count; k++)
    to[k] = from[place[k]];
}

/* Writes the entries of blocks by rows, without a copy of their columns if `column` is NULL. */
static void spread_blocks(const perp_pattern *block, int size, const double *by_blocks, int *column,
                          double *value)
{
  int64_t end = 0;
  for (int I = 0; I < block->n; I++)
    for (int r = 0; r < size; r++)
      for (int64_t k = block->start[I]; k < block->start[I + 1]; k++)
        for (int c = 0; c < size; c++, end++) {
          value[end] = by_blocks[(k * size + r) * size + c];
          if (column)
            column[end] = block->column[k] * size + c;
        }
}

static perp_error refresh(perp_operator *A, perp_message *why)
{
  const csr_operator *csr = csr_of(A);
  if (csr->by_columns)
    gather(A->nonzeros, csr->by_columns, csr->place, (double *)csr->value);
  if (csr->block.start)
    spread_blocks(&csr->block, A->block, csr->by_blocks, NULL, (double *)csr->value);
  return perp_pattern_check_values("A", A->n, csr->pattern.start, csr->pattern.column, csr->value,
                                   why);
}

static const perp_operator_table table = {
    .kind = "csr",
    .has_rows = true,
    .exact_rows = true,
    .relaxes_empty_rows = true,
    .refresh = refresh,
    .apply = apply,
    .apply_t = apply_t,
    .diagonal = diagonal,
    .row = row,
    .row_product = row_product,
    .column = column,
    .relaxer = relaxer_create,
};

/* Checks the arguments of compressed lines ("row" or "column"), except their values; *start may be
 * NULL if n = 0. */
static perp_error check_lines(const char *line, int n, const int64_t **start, const int *index,
                              perp_operator **A, perp_message *why)
{
  static const int64_t none[1] = {0};
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  *A = NULL;
  if (n == 0 && !*start)
    *start = none;
  if (n < 0 || !*start)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     n < 0 ? "A: n = %d is negative" : "A: start is NULL, n = %d", n);
  return perp_pattern_check("A", line, n, n, *start, index, why);
}

perp_error perp_operator_csr(int n, const int64_t *start, const int *columns, const double *value,
                             perp_storage storage, perp_operator **A, perp_message *why)
{
  perp_error error = check_lines("row", n, &start, columns, A, why);
  if (!error)
    error = perp_pattern_check_values("A", n, start, columns, value, why);
  if (error)
    return error;

  csr_operator *csr = perp_alloc_zero(1, sizeof *csr);
  if (!csr)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, n = %d", n);
  csr->base = (perp_operator){.table = &table, .n = n, .nonzeros = start[n]};
  csr->pattern = (perp_pattern){.n = n, .start = start, .column = columns};
  csr->value = value;
  if ((storage == PERP_COPY &&
       perp_pattern_copy(&csr->pattern, start[n], &csr->value, &csr->base)) ||
      perp_pattern_complete(&csr->pattern, &csr->base) || count_below(csr)) {
    perp_operator_destroy(&csr->base);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, n = %d", n);
  }
  csr->base.row_capacity = csr->pattern.longest;
  perp_operator_renew(&csr->base);
  *A = &csr->base;
  return PERP_OK;
}

perp_error perp_operator_csr_owning(int n, int64_t *start, int *columns, double *value,
                                    perp_operator **A, perp_message *why)
{
  perp_error error = PERP_ERROR_MEMORY;
  if (start && columns && value)
    error = perp_operator_csr(n, start, columns, value, PERP_BORROW, A, why);
  else
    perp_fail(why, error, "out of memory for A, n = %d", n);
  void *const blocks[] = {start, columns, value};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    if (error)
      perp_free(blocks[k]);
    else
      perp_operator_adopt(*A, blocks[k]);
  return error;
}

/* ---- Other layouts ---- */

perp_error perp_operator_csc(int n, const int64_t *start, const int *rows, const double *value,
                             perp_storage storage, perp_operator **A, perp_message *why)
{
  perp_error error = check_lines("column", n, &start, rows, A, why);
  if (error)
    return error;
  if (start[n] > 0 && !value)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: there are entries, but value is NULL");
  const size_t entries = (size_t)start[n];
  int64_t *row_start = perp_alloc((size_t)n + 1, sizeof *row_start);
  int64_t *place = perp_alloc(entries, sizeof *place);
  int *columns = place ? perp_alloc(entries, sizeof *columns) : NULL;
  double *by_rows = perp_alloc(entries, sizeof *by_rows);
  if (row_start && columns && by_rows)
    perp_transpose(n, n, start, rows, value, row_start, columns, by_rows, place);
  error = perp_operator_csr_owning(n, row_start, columns, by_rows, A, why);
  if (error || storage == PERP_COPY) {
    perp_free(place);
    return error;
  }
  csr_operator *csr = (csr_operator *)*A;
  perp_operator_adopt(*A, place);
  csr->by_columns = value;
  csr->place = place;
  return PERP_OK;
}

/* Checks the arguments of compressed blocks, except their values. */
static perp_error check_blocks(int blocks, int size, const int64_t *start, const int *columns,
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

/* Sweeps over rows are faster than over blocks, so the entries are stored by rows, too: on blocks of
 * 2, 3 and 6 rows PGS takes half to two thirds of the time. */
perp_error perp_operator_bsr(int blocks, int size, const int64_t *start, const int *columns,
                             const double *value, perp_storage storage, perp_operator **A,
                             perp_message *why)
{
  static const int64_t none[1] = {0};
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  *A = NULL;
  perp_pattern block = {
      .n = blocks, .start = blocks == 0 && !start ? none : start, .column = columns};
  perp_error error = check_blocks(blocks, size, block.start, columns, value, why);
  if (error)
    return error;
  const int n = blocks * size;
  const int64_t entries = block.start[blocks] * size * size;
  int64_t *row_start = perp_alloc((size_t)n + 1, sizeof *row_start);
  int *column = perp_alloc((size_t)entries, sizeof *column);
  double *by_rows = perp_alloc((size_t)entries, sizeof *by_rows);
  for (int i = 0; row_start && i <= n; i++) {
    const int64_t first = block.start[i / size] * size * size;
    const int64_t own = i % size ? block.start[i / size + 1] - block.start[i / size] : 0;
    row_start[i] = first + i % size * own * size;
  }
  if (column && by_rows)
    spread_blocks(&block, size, value, column, by_rows);
  error = perp_operator_csr_owning(n, row_start, column, by_rows, A, why);
  if (error)
    return error;
  csr_operator *csr = (csr_operator *)*A;
  csr->base.block = size;
  if (storage == PERP_COPY && perp_pattern_copy(&block, entries, &value, *A)) {
    perp_operator_destroy(*A);
    *A = NULL;
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, %d blocks", blocks);
  }
  csr->block = block;
  csr->by_blocks = value;
  return PERP_OK;
}

typedef perp_error constructor(int n, const int64_t *start, const int *index, const double *value,
                               perp_storage storage, perp_operator **A, perp_message *why);

/* Makes an operator from a 64-bit copy of 32-bit starts, which it owns if it borrows it. */
static perp_error widen(constructor *make, int n, const int *start, const int *index,
                        const double *value, perp_storage storage, perp_operator **A,
                        perp_message *why)
{
  int64_t *wide = NULL;
  if (A)
    *A = NULL;
  if (n >= 0 && start) {
    wide = perp_alloc((size_t)n + 1, sizeof *wide);
    if (!wide)
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, n = %d", n);
    for (int i = 0; i <= n; i++)
      wide[i] = start[i];
  }
  const perp_error error = make(n, wide, index, value, storage, A, why);
  if (error || storage == PERP_COPY || make == perp_operator_csc)
    perp_free(wide);
  else
    perp_operator_adopt(*A, wide);
  return error;
}

perp_error perp_operator_csr32(int n, const int *start, const int *columns, const double *value,
                               perp_storage storage, perp_operator **A, perp_message *why)
{
  return widen(perp_operator_csr, n, start, columns, value, storage, A, why);
}

perp_error perp_operator_csc32(int n, const int *start, const int *rows, const double *value,
                               perp_storage storage, perp_operator **A, perp_message *why)
{
  return widen(perp_operator_csc, n, start, rows, value, storage, A, why);
}

perp_error perp_operator_csr_arrays(const perp_operator *A, const int64_t **start,
                                    const int **columns, const double **value)
{
  if (!A || A->table != &table || A->block)
    return PERP_ERROR_ARGUMENT;
  *start = csr_of(A)->pattern.start;
  *columns = csr_of(A)->pattern.column;
  *value = csr_of(A)->value;
  return PERP_OK;
}

perp_error perp_operator_bsr_arrays(const perp_operator *A, const int64_t **start,
                                    const int **columns, const double **value)
{
  if (!A || A->table != &table || !A->block)
    return PERP_ERROR_ARGUMENT;
  *start = csr_of(A)->block.start;
  *columns = csr_of(A)->block.column;
  *value = csr_of(A)->by_blocks;
  return PERP_OK;
}
