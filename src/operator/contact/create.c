/* create.c: creates a contact operator from rows of J or from bodies, and replaces its data
 *
 * It checks the structure and takes the data: borrows them, copies them, or compresses J from the
 * blocks of bodies. Then it lists the pairs of each row and of each block, and computes
 *
 *   W_ik = Minv_k J_ik^T,    A_ii = sum over the blocks k of row i of J_ik W_ik + C_ii
 *
 * for every pair. Replacing the data reuses the memory of the old ones. */
#include "base/elementary.h"
#include "base/sized.h"
#include "operator/contact/contact.h"

#include <math.h>
#include <string.h>

void perp_contact_data_init(perp_contact_data *data, size_t size)
{
  const perp_contact_data own = {0};
  perp_sized_write(&own, sizeof own, data, size);
}

void perp_contact_bodies_init(perp_contact_bodies *bodies, size_t size)
{
  const perp_contact_bodies own = {.freedom = 6, .together = 1};
  perp_sized_write(&own, sizeof own, bodies, size);
}

/* ---- Bodies ---- */

/* Checks the structure of the caller's bodies. */
static perp_error check_bodies(const perp_contact_bodies *b, perp_message *why)
{
  if (b->rows < 0 || b->bodies < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: rows = %d and bodies = %d: neither may be negative", b->rows,
                     b->bodies);
  if (b->freedom != 3 && b->freedom != 6)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: %d velocities per body; use 6, or 3 in the plane", b->freedom);
  if (b->together < 1 || b->rows % b->together != 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: rows = %d is not a multiple of %d, the rows per contact", b->rows,
                     b->together);
  if (b->bodies > INT32_MAX / b->freedom)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: too many bodies: %d", b->bodies);
  if ((b->rows > 0 && (!b->body || !b->J)) || (b->bodies > 0 && !b->Minv))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: body, J or Minv is NULL");
  for (int c = 0; c < b->rows / b->together; c++) {
    const int *pair = b->body + 2 * (int64_t)c;
    for (int side = 0; side < 2; side++)
      if (pair[side] < -1 || pair[side] >= b->bodies)
        return perp_fail(why, PERP_ERROR_PROBLEM, "contact %d: body %d is not in -1 .. %d", c,
                         pair[side], b->bodies - 1);
    if (pair[0] >= 0 && pair[0] == pair[1])
      return perp_fail(why, PERP_ERROR_PROBLEM, "contact %d: both its bodies are %d", c, pair[0]);
  }
  return PERP_OK;
}

/* Finds the sides of row i in the order of their columns; returns how many of them move. */
static int sides_of(const perp_contact_bodies *b, int i, int side[2])
{
  const int *pair = b->body + 2 * (int64_t)(i / b->together);
  int count = 0;
  side[0] = side[1] = 0;
  if (pair[0] >= 0 && (pair[1] < 0 || pair[0] < pair[1]))
    side[count++] = 0;
  if (pair[1] >= 0)
    side[count++] = 1;
  if (pair[1] >= 0 && pair[0] > pair[1])
    side[count++] = 0;
  return count;
}

/* J_value, in the order of compress_bodies. */
static void fill_J(const perp_contact_bodies *b, double *J_value)
{
  for (int i = 0; i < b->rows; i++) {
    int side[2];
    const int count = sides_of(b, i, side);
    for (int k = 0; k < count; k++, J_value += b->freedom)
      memcpy(J_value, b->J + (2 * (int64_t)i + side[k]) * b->freedom,
             (size_t)b->freedom * sizeof *J_value);
  }
}

/* Builds J as compressed rows in the arena, and all sizes of the data. It stores all numbers of a
 * body, including zeros, so that each row meets whole blocks of Minv. Columns ascend: the body with
 * the smaller index comes first, whatever the caller's order. */
static bool compress_bodies(const perp_contact_bodies *b, perp_arena *arena,
                            perp_contact_data *data)
{
  const size_t most = 2 * (size_t)b->rows * (size_t)b->freedom;
  int64_t *start;
  int *column;
  double *value;
  if (!PERP_TAKE(arena, PERP_ARRAY(start, b->rows + 1), PERP_ARRAY(column, most),
                 PERP_ARRAY(value, most)))
    return false;
  int64_t entries = 0;
  for (int i = 0; i < b->rows; i++) {
    int side[2];
    const int count = sides_of(b, i, side);
    start[i] = entries;
    for (int k = 0; k < count; k++) {
      const int first = b->freedom * b->body[2 * (int64_t)(i / b->together) + side[k]];
      for (int j = 0; j < b->freedom; j++)
        column[entries++] = first + j;
    }
  }
  start[b->rows] = entries;
  fill_J(b, value);
  data->rows = b->rows;
  data->velocities = b->freedom * b->bodies;
  data->J_start = start;
  data->J_column = column;
  data->J_value = value;
  data->blocks = b->bodies;
  return true;
}

/* ---- Checks ---- */

/* Checks that the blocks cover the velocities exactly. */
static perp_error check_blocks(const perp_contact_data *d, perp_message *why)
{
  if (!d->block_start) {
    if (d->blocks ? d->velocities % d->blocks != 0 || d->velocities == 0 : d->velocities != 0)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "Minv: %d velocities cannot be split into %d blocks of equal size",
                       d->velocities, d->blocks);
    return PERP_OK;
  }
  if (d->block_start[0] != 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "Minv: block 0 starts at velocity %d, not at 0",
                     d->block_start[0]);
  for (int k = 0; k < d->blocks; k++)
    if (d->block_start[k + 1] <= d->block_start[k])
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "Minv: block %d starts at velocity %d and ends before %d", k,
                       d->block_start[k], d->block_start[k + 1]);
  if (d->block_start[d->blocks] != d->velocities)
    return perp_fail(why, PERP_ERROR_PROBLEM, "Minv: the blocks end before velocity %d, not %d",
                     d->block_start[d->blocks], d->velocities);
  return PERP_OK;
}

/* Checks that a block of Minv is finite, and symmetric up to rounding. */
static perp_error check_block(int k, int size, const double *M, perp_message *why)
{
  double largest = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      const double m = M[(size_t)i * (size_t)size + (size_t)j];
      if (!isfinite(m))
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "Minv: block %d has (%d,%d) = %g, which is not finite", k, i, j, m);
      largest = perp_max(largest, fabs(m));
    }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < i; j++) {
      const double lower = M[(size_t)i * (size_t)size + (size_t)j];
      const double upper = M[(size_t)j * (size_t)size + (size_t)i];
      if (fabs(lower - upper) > 1e-12 * largest)
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "Minv: block %d is not symmetric: (%d,%d) = %g, but (%d,%d) = %g", k, i, j,
                         lower, j, i, upper);
    }
  return PERP_OK;
}

/* Checks sizes, structure and blocks of the caller's data. */
static perp_error check_structure(const perp_contact_data *d, perp_message *why)
{
  if (!d)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: data is NULL");
  if (d->rows < 0 || d->velocities < 0 || d->blocks < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: %d rows, %d velocities, %d blocks: none may be below 0", d->rows,
                     d->velocities, d->blocks);
  const bool given = perp_mass_is_given(d);
  if (!d->J_start || (d->velocities > 0 && !d->Minv && !given))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: %s is NULL",
                     d->J_start ? "Minv" : "J_start");
  if ((d->C_start != NULL) + (d->C_diagonal != NULL) + (d->cfm != 0) > 1)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: C is given by more than one of C_start, C_diagonal and cfm");
  if (!isfinite(d->cfm))
    return perp_fail(why, PERP_ERROR_PROBLEM, "C: cfm = %g is not finite", d->cfm);
  perp_error error =
      perp_pattern_check("J", "row", d->rows, d->velocities, d->J_start, d->J_column, why);
  if (!error)
    error = given ? perp_mass_check(d, why) : check_blocks(d, why);
  if (!error && d->C_start)
    error = perp_pattern_check("C", "row", d->rows, d->rows, d->C_start, d->C_column, why);
  return error;
}

/* Checks the values; needs block_start and M. */
static perp_error check_values(const perp_contact *c, perp_message *why)
{
  const perp_contact_data *d = &c->data;
  perp_error error =
      perp_pattern_check_values("J", d->rows, d->J_start, d->J_column, d->J_value, why);
  if (!error && d->C_start)
    error = perp_pattern_check_values("C", d->rows, d->C_start, d->C_column, d->C_value, why);
  for (int k = 0; !error && k < d->blocks; k++)
    error = check_block(k, perp_contact_block_size(c, k), c->M[k], why);
  return error;
}

/* ---- Numbers ---- */

/* W = M J^T for a row J that covers a rigid body: loops of a known length */
static inline void whole_block(const double *M, const double *J, double *W)
{
  double sum[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      sum[i] += M[6 * i + j] * J[j];
  for (int i = 0; i < 6; i++)
    W[i] = sum[i];
}

/* W_ik = Minv_k J_ik^T of pair p */
static void fill_pair(perp_contact *c, int64_t p)
{
  const perp_contact_data *d = &c->data;
  const int k = c->pair_block[p], first = d->block_start[k], size = perp_contact_block_size(c, k);
  double *W = c->W + c->pair_W[p];
  if (size == 6 && c->pair_entry[p + 1] - c->pair_entry[p] == size) {
    whole_block(c->M[k], d->J_value + c->pair_entry[p], W);
    return;
  }
  for (int i = 0; i < size; i++) {
    const double *M = c->M[k] + (size_t)i * (size_t)size;
    W[i] = 0;
    for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
      W[i] += M[d->J_column[e] - first] * d->J_value[e];
  }
}

/* Computes W, and the diagonal of A while both factors are in cache. */
static void fill_W(perp_contact *c)
{
  for (int i = 0; i < c->data.rows; i++) {
    const int64_t k = perp_row_find(c->C.start, c->C.column, i, i);
    double sum = k < 0 ? 0 : c->data.C_value[k];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      fill_pair(c, p);
      sum += perp_contact_pair_product(c, p, p);
    }
    c->diagonal[i] = sum;
  }
}

perp_error perp_contact_refresh(perp_operator *A, perp_message *why)
{
  perp_contact *c = (perp_contact *)A;
  if (!c->complete)
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "contact: the operator has no data because the last refresh or replacement failed");
  const perp_error filled = c->mass ? perp_mass_fill(c->mass, why) : PERP_OK;
  if (filled)
    return filled;
  if (c->bodies.J)
    fill_J(&c->bodies, (double *)c->data.J_value);
  if (c->C_diagonal && c->data.rows > 0)
    memcpy((double *)c->data.C_value, c->C_diagonal, (size_t)c->data.rows * sizeof(double));
  const perp_error error = check_values(c, why);
  if (!error)
    fill_W(c);
  return error;
}

/* Replaces *array by a copy in the arena; NULL stays NULL. */
static bool copy_array(perp_arena *arena, const void *array, size_t count, size_t size,
                       const void **copy)
{
  *copy = array;
  if (!array)
    return true;
  void *block = perp_arena_alloc(arena, count, size);
  if (block && count > 0)
    memcpy(block, array, count * size);
  *copy = block;
  return block != NULL;
}

static bool copy_data(perp_contact *c, size_t Minv_count)
{
  perp_contact_data *d = &c->data;
  const size_t rows = (size_t)d->rows, m = (size_t)d->velocities;
  const size_t J_count = (size_t)d->J_start[rows];
  const size_t C_count = d->C_start ? (size_t)d->C_start[rows] : 0;
  const size_t M_count = d->M_start ? (size_t)d->M_start[m] : 0;
  const struct {
    const void *array;
    size_t count, size;
  } source[] = {{d->J_start, rows + 1, sizeof *d->J_start},
                {d->J_column, J_count, sizeof *d->J_column},
                {d->J_value, J_count, sizeof *d->J_value},
                {d->block_start, (size_t)d->blocks + 1, sizeof *d->block_start},
                {d->Minv, Minv_count, sizeof *d->Minv},
                {d->C_start, rows + 1, sizeof *d->C_start},
                {d->C_column, C_count, sizeof *d->C_column},
                {d->C_value, C_count, sizeof *d->C_value},
                {d->C_diagonal, rows, sizeof *d->C_diagonal},
                {d->M_start, m + 1, sizeof *d->M_start},
                {d->M_column, M_count, sizeof *d->M_column},
                {d->M_value, M_count, sizeof *d->M_value}};
  enum { ARRAYS = sizeof source / sizeof *source };
  const void *copy[ARRAYS];
  for (int k = 0; k < ARRAYS; k++)
    if (!copy_array(&c->memory, source[k].array, source[k].count, source[k].size, &copy[k]))
      return false;
  d->J_start = copy[0], d->J_column = copy[1], d->J_value = copy[2], d->block_start = copy[3];
  d->Minv = copy[4], d->C_start = copy[5], d->C_column = copy[6], d->C_value = copy[7];
  d->C_diagonal = copy[8], d->M_start = copy[9], d->M_column = copy[10], d->M_value = copy[11];
  return true;
}

/* Stores C = cfm I, or a diagonal C, as a sparse matrix, the only form that the other functions
 * use. */
static bool take_diagonal(perp_contact *c, perp_storage storage)
{
  perp_contact_data *d = &c->data;
  if (!d->C_diagonal && d->cfm == 0)
    return true;
  const size_t rows = (size_t)d->rows;
  int64_t *start;
  int *column;
  double *value;
  if (!PERP_TAKE(&c->memory, PERP_ARRAY(start, rows + 1), PERP_ARRAY(column, rows),
                 PERP_ARRAY(value, rows)))
    return false;
  for (int i = 0; i < d->rows; i++) {
    start[i] = column[i] = i;
    value[i] = d->C_diagonal ? d->C_diagonal[i] : d->cfm;
  }
  start[rows] = d->rows;
  c->C_diagonal = storage == PERP_BORROW ? d->C_diagonal : NULL;
  c->made_C = true;
  d->C_start = start, d->C_column = column, d->C_value = value;
  d->C_diagonal = NULL;
  d->cfm = 0;
  return true;
}

/* Creates block_start if the caller has none, and copies the arrays if requested. */
static bool take_data(perp_contact *c, const perp_contact_data *data, perp_storage storage)
{
  c->data = *data;
  c->copied = storage == PERP_COPY;
  c->made_blocks = c->copied || !data->block_start;
  const int blocks = data->blocks;
  if (!data->block_start) {
    int *start = perp_arena_alloc(&c->memory, (size_t)blocks + 1, sizeof *start);
    if (!start)
      return false;
    for (int k = 0; k <= blocks; k++)
      start[k] = blocks ? k * (data->velocities / blocks) : 0;
    c->data.block_start = start;
  }
  size_t Minv_count = 0;
  for (int k = 0; k < blocks; k++) {
    const size_t size = (size_t)perp_contact_block_size(c, k);
    Minv_count += size * size;
  }
  if ((storage == PERP_COPY && !copy_data(c, Minv_count)) || !take_diagonal(c, storage))
    return false;
  if (!PERP_TAKE(&c->memory, PERP_ARRAY(c->M, blocks)))
    return false;
  const double *M = c->data.Minv;
  for (int k = 0; k < blocks; k++) {
    const size_t size = (size_t)perp_contact_block_size(c, k);
    c->M[k] = M;
    M += size * size;
  }
  return true;
}

/* Returns the end of the entries of block k in a row, from e on; usually the row has all of
 * them. */
static int64_t pair_end(const perp_contact_data *d, int k, int64_t e, int64_t row_end)
{
  const int behind = d->block_start[k + 1];
  const int64_t all = e + behind - d->J_column[e];
  if (all <= row_end && d->J_column[all - 1] == behind - 1) /* columns ascend, so none is missing */
    return all;
  while (e < row_end && d->J_column[e] < behind)
    e++;
  return e;
}

/* Counts the pairs, or lists them if the arrays exist. */
static int64_t list_pairs(perp_contact *c, const int *block_of)
{
  const perp_contact_data *d = &c->data;
  int64_t pairs = 0, W_count = 0;
  for (int i = 0; i < d->rows; i++) {
    const int64_t end = d->J_start[i + 1];
    c->pair_start[i] = pairs;
    for (int64_t e = d->J_start[i], next; e < end; e = next) {
      const int k = block_of[d->J_column[e]];
      next = pair_end(d, k, e, end);
      if (c->pair_row) {
        c->pair_row[pairs] = i;
        c->pair_block[pairs] = k;
        c->pair_entry[pairs] = e;
        c->pair_W[pairs] = W_count;
        W_count += perp_contact_block_size(c, k);
      }
      pairs++;
    }
  }
  c->pair_start[d->rows] = pairs;
  if (c->pair_row) {
    c->pair_entry[pairs] = d->J_start[d->rows];
    c->pair_W[pairs] = W_count;
  }
  return pairs;
}

/* Fills block_list and block_pair, the pairs by block. Counts are stored one position up while they
 * are summed, so that the cursors end as the starts. */
static void list_blocks(perp_contact *c, int64_t pairs)
{
  const int blocks = c->data.blocks;
  int64_t *list = c->block_list;
  memset(list, 0, ((size_t)blocks + 2) * sizeof *list);
  for (int64_t p = 0; p < pairs; p++)
    list[c->pair_block[p] + 2]++;
  for (int k = 1; k <= blocks + 1; k++)
    list[k] += list[k - 1];
  for (int64_t p = 0; p < pairs; p++)
    c->block_pair[list[c->pair_block[p] + 1]++] = p;
}

static bool build_pairs(perp_contact *c)
{
  const perp_contact_data *d = &c->data;
  perp_arena *m = &c->memory;
  int *block_of;
  if (!PERP_TAKE(m, PERP_ARRAY(c->pair_start, d->rows + 1),
                 PERP_ARRAY(c->block_list, d->blocks + 2), PERP_ARRAY(c->diagonal, d->rows),
                 PERP_ARRAY(block_of, d->velocities)))
    return false;
  for (int k = 0; k < d->blocks; k++)
    for (int v = d->block_start[k]; v < d->block_start[k + 1]; v++)
      block_of[v] = k;
  const int64_t pairs = list_pairs(c, block_of);
  if (!PERP_TAKE(m, PERP_ARRAY(c->pair_block, pairs), PERP_ARRAY(c->pair_entry, pairs + 1),
                 PERP_ARRAY(c->pair_W, pairs + 1), PERP_ARRAY(c->block_pair, pairs),
                 PERP_ARRAY(c->pair_row, pairs)))
    return false;
  list_pairs(c, block_of);
  list_blocks(c, pairs);
  return PERP_TAKE(m, PERP_ARRAY(c->W, c->pair_W[pairs]));
}

/* Builds the structure of C, with empty rows if there is none. */
static perp_error build_C(perp_contact *c)
{
  const perp_contact_data *d = &c->data;
  c->C = (perp_pattern){.n = d->rows, .start = d->C_start, .column = d->C_column};
  if (!d->C_start)
    c->C.start = perp_arena_alloc_zero(&c->memory, (size_t)d->rows + 1, sizeof *c->C.start);
  if (!c->C.start)
    return PERP_ERROR_MEMORY;
  c->C_is_diagonal = true;
  for (int i = 0; i < d->rows; i++)
    for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
      c->C_is_diagonal = c->C_is_diagonal && c->C.column[k] == i;
  return perp_pattern_complete(&c->C, &c->base);
}

/* Returns an upper bound of the entries in a row or column of A: the longest row of C, plus one for
 * each row that shares a block. */
static int largest_row(const perp_contact *c)
{
  int64_t largest = 0;
  for (int i = 0; i < c->data.rows; i++) {
    int64_t count = c->C.longest;
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      const int k = c->pair_block[p];
      count += c->block_list[k + 1] - c->block_list[k];
    }
    largest = count > largest ? count : largest;
  }
  return largest < c->data.rows ? (int)largest : c->data.rows;
}

/* Builds the operator, which is zero except for its memory, from data with a valid structure. */
static perp_error build(perp_contact *c, const perp_contact_data *data, perp_storage storage,
                        perp_message *why)
{
  c->base.table = &perp_contact_table;
  c->base.n = data->rows;
  if (!take_data(c, data, storage) || !build_pairs(c) || build_C(c))
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d rows", data->rows);
  c->complete = true;
  const perp_error error = perp_contact_refresh(&c->base, why);
  if (error)
    return error;
  c->base.nonzeros = data->J_start[data->rows] + c->C.start[data->rows];
  c->base.row_capacity = largest_row(c);
  c->base.scratch = (size_t)data->velocities;
  perp_operator_renew(&c->base);
  return PERP_OK;
}

/* Builds the operator from bodies: creates J and copies Minv if requested; the rest is as for
 * rows. */
static perp_error build_bodies(perp_contact *c, const perp_contact_bodies *bodies,
                               perp_storage storage, perp_message *why)
{
  perp_contact_data data = perp_contact_data_default();
  const size_t size = (size_t)bodies->freedom, Minv_count = (size_t)bodies->bodies * size * size;
  const void *Minv = bodies->Minv;
  if (!compress_bodies(bodies, &c->memory, &data) ||
      (storage == PERP_COPY && !copy_array(&c->memory, Minv, Minv_count, sizeof *data.Minv, &Minv)))
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d rows", bodies->rows);
  data.Minv = Minv;
  data.C_diagonal = bodies->C_diagonal;
  data.cfm = bodies->cfm;
  perp_error error = check_structure(&data, why);
  if (!error)
    error = build(c, &data, PERP_BORROW, why);
  if (error)
    return error;
  c->made_J = true;
  if (storage == PERP_BORROW)
    c->bodies = *bodies;
  else
    c->C_diagonal = NULL;
  return PERP_OK;
}

/* Builds the operator from data with a mass that is not block diagonal: makes block diagonal data of
 * it. */
static perp_error build_mass(perp_contact *c, const perp_contact_data *data, perp_storage storage,
                             perp_message *why)
{
  c->base.table = &perp_contact_table;
  perp_mass *mass = perp_arena_alloc_zero(&c->memory, 1, sizeof *mass);
  perp_contact_data made;
  c->data = *data;
  if (!mass || (storage == PERP_COPY && !copy_data(c, 0)))
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d rows", data->rows);
  const perp_contact_data source = c->data;
  perp_error error = perp_mass_create(mass, &source, &c->memory, &made, why);
  c->mass = mass;
  if (!error)
    error = build(c, &made, PERP_BORROW, why);
  c->copied = storage == PERP_COPY;
  if (c->copied)
    c->C_diagonal = NULL;
  return error;
}

/* The source of an operator, in this version's layout: data, or bodies. */
typedef struct source {
  bool of_bodies;
  perp_contact_data data;
  perp_contact_bodies bodies;
} source;

static perp_error read_source(const perp_contact_data *data, const perp_contact_bodies *bodies,
                              source *s, perp_message *why)
{
  *s = (source){.of_bodies = bodies != NULL,
                .data = perp_contact_data_default(),
                .bodies = perp_contact_bodies_default()};
  if (bodies)
    return perp_sized_read("perp_contact_bodies", bodies, &s->bodies, sizeof s->bodies, why);
  if (!data)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: data is NULL");
  static const int64_t no_rows[1] = {0};
  const perp_error error =
      perp_sized_read("perp_contact_data", data, &s->data, sizeof s->data, why);
  if (!error && s->data.rows == 0 && !s->data.J_start)
    s->data.J_start = no_rows; /* a frame without contacts */
  return error;
}

static perp_error check_source(const source *s, perp_message *why)
{
  return s->of_bodies ? check_bodies(&s->bodies, why) : check_structure(&s->data, why);
}

static perp_error build_source(perp_contact *c, const source *s, perp_storage storage,
                               perp_message *why)
{
  return s->of_bodies                   ? build_bodies(c, &s->bodies, storage, why)
         : perp_mass_is_given(&s->data) ? build_mass(c, &s->data, storage, why)
                                        : build(c, &s->data, storage, why);
}

static perp_error create(const perp_contact_data *data, const perp_contact_bodies *bodies,
                         perp_storage storage, perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  *A = NULL;
  source s;
  perp_error error = read_source(data, bodies, &s, why);
  if (!error)
    error = check_source(&s, why);
  if (error)
    return error;
  perp_contact *c = perp_alloc_zero(1, sizeof *c);
  if (!c)
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory");
  c->base.table = &perp_contact_table;
  error = build_source(c, &s, storage, why);
  if (error)
    perp_operator_destroy(&c->base);
  else
    *A = &c->base;
  return error;
}

perp_error perp_operator_contact(const perp_contact_data *data, perp_storage storage,
                                 perp_operator **A, perp_message *why)
{
  return create(data, NULL, storage, A, why);
}

perp_error perp_operator_contact_bodies(const perp_contact_bodies *bodies, perp_storage storage,
                                        perp_operator **A, perp_message *why)
{
  return create(NULL, bodies, storage, A, why);
}

perp_error perp_operator_contact_csr(const perp_operator *M, int rows, const int64_t *J_start,
                                     const int *J_column, const double *J_value,
                                     const double *C_diagonal, perp_storage storage,
                                     perp_operator **A, perp_message *why)
{
  perp_contact_data data = perp_contact_data_default();
  if (perp_operator_csr_arrays(M, &data.M_start, &data.M_column, &data.M_value))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "M is not a csr operator");
  data.rows = rows;
  data.velocities = perp_operator_size(M);
  data.J_start = J_start;
  data.J_column = J_column;
  data.J_value = J_value;
  data.C_diagonal = C_diagonal;
  return create(&data, NULL, storage, A, why);
}

static void free_mass(perp_contact *c)
{
  if (c->mass)
    perp_mass_free(c->mass);
}

/* Resets the operator to no rows and no data. */
static void empty(perp_contact *c)
{
  free_mass(c);
  for (size_t k = 0; k < sizeof c->base.owned / sizeof *c->base.owned; k++)
    perp_free(c->base.owned[k]);
  perp_arena_reset(&c->memory);
  *c = (perp_contact){.base.table = &perp_contact_table, .memory = c->memory};
}

/* Returns true if the data are arrays that this operator owns and would free. */
static bool is_own(const perp_contact *c, const perp_contact_data *data)
{
  return ((c->copied || c->made_J || c->mass) && data->J_start &&
          data->J_start == c->data.J_start) ||
         (c->made_blocks && data->block_start && data->block_start == c->data.block_start) ||
         (c->made_C && data->C_start && data->C_start == c->data.C_start);
}

static perp_error replace(perp_operator *A, const perp_contact_data *data,
                          const perp_contact_bodies *bodies, perp_storage storage,
                          perp_message *why)
{
  if (!A || !perp_operator_is_contact(A))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is %s", A ? "not a contact operator" : "NULL");
  perp_contact *c = (perp_contact *)A;
  source s;
  perp_error error = read_source(data, bodies, &s, why);
  if (!error && is_own(c, &s.data))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: data points to A's own arrays; pass a copy");
  if (!error)
    error = check_source(&s, why);
  empty(c);
  if (!error && (error = build_source(c, &s, storage, why)))
    empty(c);
  A->refused = error != PERP_OK;
  return error;
}

perp_error perp_operator_contact_replace(perp_operator *A, const perp_contact_data *data,
                                         perp_storage storage, perp_message *why)
{
  return replace(A, data, NULL, storage, why);
}

perp_error perp_operator_contact_bodies_replace(perp_operator *A, const perp_contact_bodies *bodies,
                                                perp_storage storage, perp_message *why)
{
  return replace(A, NULL, bodies, storage, why);
}

void perp_contact_destroy(perp_operator *A)
{
  free_mass((perp_contact *)A);
  perp_arena_free(&((perp_contact *)A)->memory);
}
