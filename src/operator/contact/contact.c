/* contact.c: A = J Minv J^T + C, never assembled
 *
 *   v = Minv J^T x            one pass over the blocks, each gathering from the rows it meets
 *   y = J v + C x             one pass over the rows
 *
 * J is sparse, rows x velocities; Minv has symmetric blocks on its diagonal (the inverse mass of
 * one body); C is any sparse matrix. This is how velocity-level contact problems come: A has an
 * entry for every two rows that meet at a body, J only a handful for each row (Baraff 1994;
 * Stewart and Trinkle 1996; Tasora and Anitescu 2011).
 *
 * W = Minv J^T is kept, block by block of each row, so that an entry is a short product:
 *
 *   A_ij = sum over the blocks k that rows i and j share of J_ik W_jk + C_ij
 *
 * Cost: a product takes the entries of J, W and C once; a row of A takes the rows of its blocks.
 * Scratch of a product: one double for each velocity. */
#include "operator/contact/contact.h"
#include "base/sized.h"

#include <string.h>

enum { GRAIN = 256 }; /* blocks or rows to a piece of a parallel loop */

/* ---- Construction ---- */

/* W = M J^T for a row J of a whole block of 6, or of a half of it. */
static inline void whole_block(int size, const double *M, const double *J, double *W)
{
  double sum[6] = {0};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      sum[i] += M[6 * i + j] * J[j];
  for (int i = 0; i < size; i++)
    W[i] = sum[i];
}

static bool is_halved(const double *M)
{
  for (int i = 0; i < 3; i++)
    for (int j = 3; j < 6; j++)
      if (M[6 * i + j] != 0 || M[6 * j + i] != 0)
        return false;
  return true;
}

/* W_ik = Minv_k J_ik^T of pair p */
static void fill_pair(perp_contact *c, int64_t p)
{
  const perp_contact_data *d = &c->data;
  const int k = c->pair_block[p], first = d->block_start[k], size = perp_contact_block_size(c, k);
  double *W = c->W + c->pair_W[p];
  const bool whole = c->pair_entry[p + 1] - c->pair_entry[p] == size;
  if (whole && size == 6) { /* a rigid body: loops of a known length */
    const double *M = c->M[k], *J = d->J_value + c->pair_entry[p];
    if (c->halved[k]) {
      whole_block(3, M, J, W);
      whole_block(3, M + 21, J + 3, W + 3);
    } else {
      whole_block(6, M, J, W);
    }
    return;
  }
  for (int i = 0; i < size; i++) {
    const double *M = c->M[k] + (size_t)i * (size_t)size;
    W[i] = 0;
    for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
      W[i] += M[d->J_column[e] - first] * d->J_value[e];
  }
}

/* W, and the diagonal of A while both its factors are at hand. */
static void fill_W(perp_contact *c)
{
  for (int k = 0; k < c->data.blocks; k++)
    c->halved[k] = perp_contact_block_size(c, k) == 6 && is_halved(c->M[k]);
  for (int i = 0; i < c->data.rows; i++) {
    const int64_t k = perp_pattern_find(&c->C, i, i);
    double sum = k < 0 ? 0 : c->data.C_value[k];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      fill_pair(c, p);
      sum += perp_contact_pair_product(c, p, p);
    }
    c->diagonal[i] = sum;
  }
}

static perp_error refresh(perp_operator *A, perp_message *why)
{
  perp_contact *c = (perp_contact *)A;
  if (!c->complete)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: there are no data since the last failed");
  if (c->bodies.J)
    perp_contact_bodies_values(&c->bodies, (double *)c->data.J_value);
  if (c->C_diagonal && c->data.rows > 0)
    memcpy((double *)c->data.C_value, c->C_diagonal, (size_t)c->data.rows * sizeof(double));
  const perp_error error = perp_contact_check_values(c, why);
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
  const size_t rows = (size_t)d->rows, J_count = (size_t)d->J_start[rows];
  const size_t C_count = d->C_start ? (size_t)d->C_start[rows] : 0;
  const void *copy[8];
  perp_arena *m = &c->memory;
  if (!copy_array(m, d->J_start, rows + 1, sizeof *d->J_start, &copy[0]) ||
      !copy_array(m, d->J_column, J_count, sizeof *d->J_column, &copy[1]) ||
      !copy_array(m, d->J_value, J_count, sizeof *d->J_value, &copy[2]) ||
      !copy_array(m, d->block_start, (size_t)d->blocks + 1, sizeof *d->block_start, &copy[3]) ||
      !copy_array(m, d->Minv, Minv_count, sizeof *d->Minv, &copy[4]) ||
      !copy_array(m, d->C_start, rows + 1, sizeof *d->C_start, &copy[5]) ||
      !copy_array(m, d->C_column, C_count, sizeof *d->C_column, &copy[6]) ||
      !copy_array(m, d->C_value, C_count, sizeof *d->C_value, &copy[7]))
    return false;
  d->J_start = copy[0], d->J_column = copy[1], d->J_value = copy[2], d->block_start = copy[3];
  d->Minv = copy[4], d->C_start = copy[5], d->C_column = copy[6], d->C_value = copy[7];
  return true;
}

/* C = cfm I, or its diagonal, as a matrix: everything below knows that alone. */
static bool take_diagonal(perp_contact *c, perp_storage storage)
{
  perp_contact_data *d = &c->data;
  if (!d->C_diagonal && d->cfm == 0)
    return true;
  const size_t rows = (size_t)d->rows;
  int64_t *start = perp_arena_alloc(&c->memory, rows + 1, sizeof *start);
  int *column = perp_arena_alloc(&c->memory, rows, sizeof *column);
  double *value = perp_arena_alloc(&c->memory, rows, sizeof *value);
  if (!start || !column || !value)
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

/* block_start where the caller has none, and copies where wanted. */
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
  c->M = perp_arena_alloc(&c->memory, (size_t)blocks, sizeof *c->M);
  c->halved = perp_arena_alloc(&c->memory, (size_t)blocks, sizeof *c->halved);
  if (!c->M || !c->halved)
    return false;
  const double *M = c->data.Minv;
  for (int k = 0; k < blocks; k++) {
    const size_t size = (size_t)perp_contact_block_size(c, k);
    c->M[k] = M;
    M += size * size;
  }
  return true;
}

/* Where the entries of block k end in a row, from e on; most often it has them all. */
static int64_t pair_end(const perp_contact_data *d, int k, int64_t e, int64_t row_end)
{
  const int behind = d->block_start[k + 1];
  const int64_t all = e + behind - d->J_column[e];
  if (all <= row_end && d->J_column[all - 1] == behind - 1) /* they ascend: none is missing */
    return all;
  while (e < row_end && d->J_column[e] < behind)
    e++;
  return e;
}

/* Counts the pairs, or lists them where the arrays are there. */
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

/* block_list and block_pair: the pairs by block. Counts stand one place up while they are
 * summed, so that the places filed to end as the starts. */
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
  c->pair_start = perp_arena_alloc(m, (size_t)d->rows + 1, sizeof *c->pair_start);
  c->block_list = perp_arena_alloc(m, (size_t)d->blocks + 2, sizeof *c->block_list);
  c->diagonal = perp_arena_alloc(m, (size_t)d->rows, sizeof *c->diagonal);
  int *block_of = perp_arena_alloc(m, (size_t)d->velocities, sizeof *block_of);
  bool fine = c->pair_start && c->block_list && c->diagonal && block_of;
  if (fine) {
    for (int k = 0; k < d->blocks; k++)
      for (int v = d->block_start[k]; v < d->block_start[k + 1]; v++)
        block_of[v] = k;
    const size_t pairs = (size_t)list_pairs(c, block_of);
    c->pair_block = perp_arena_alloc(m, pairs, sizeof *c->pair_block);
    c->pair_entry = perp_arena_alloc(m, pairs + 1, sizeof *c->pair_entry);
    c->pair_W = perp_arena_alloc(m, pairs + 1, sizeof *c->pair_W);
    c->block_pair = perp_arena_alloc(m, pairs, sizeof *c->block_pair);
    c->pair_row = perp_arena_alloc(m, pairs, sizeof *c->pair_row);
    fine = c->pair_block && c->pair_entry && c->pair_W && c->block_pair && c->pair_row;
  }
  if (fine) {
    const int64_t pairs = list_pairs(c, block_of);
    list_blocks(c, pairs);
    c->W = perp_arena_alloc(m, (size_t)c->pair_W[pairs], sizeof *c->W);
    fine = c->W != NULL;
  }
  return fine;
}

/* The structure of C, with empty rows where there is none. */
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

/* No row or column of A has more entries than its own in C and those of all rows it meets. */
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

void perp_contact_data_init(perp_contact_data *data, size_t size)
{
  const perp_contact_data own = {0};
  if (data)
    perp_sized_write(&own, sizeof own, data, size);
}

static perp_error read_data(const perp_contact_data *from, perp_contact_data *data,
                            perp_message *why)
{
  if (!from)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: there are no data");
  *data = perp_contact_data_default();
  return perp_sized_read("perp_contact_data", from, data, sizeof *data, why);
}

static perp_error read_bodies(const perp_contact_bodies *from, perp_contact_bodies *bodies,
                              perp_message *why)
{
  if (!from)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: there are no data");
  *bodies = perp_contact_bodies_default();
  return perp_sized_read("perp_contact_bodies", from, bodies, sizeof *bodies, why);
}

static const perp_operator_table table;

/* An operator of zeros, but for its memory, made of data whose structure is fine. */
static perp_error build(perp_contact *c, const perp_contact_data *data, perp_storage storage,
                        perp_message *why)
{
  c->base.table = &table;
  c->base.n = data->rows;
  if (!take_data(c, data, storage) || !build_pairs(c) || build_C(c))
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d rows", data->rows);
  c->complete = true;
  const perp_error error = refresh(&c->base, why);
  if (error)
    return error;
  c->base.nonzeros = data->J_start[data->rows] + c->C.start[data->rows];
  c->base.row_capacity = largest_row(c);
  c->base.scratch = (size_t)data->velocities;
  perp_operator_renew(&c->base);
  return PERP_OK;
}

/* The same from bodies: J is made here, Minv copied if wanted, and the rest is as for rows. */
static perp_error build_bodies(perp_contact *c, const perp_contact_bodies *bodies,
                               perp_storage storage, perp_message *why)
{
  perp_contact_data data = perp_contact_data_default();
  const size_t size = (size_t)bodies->freedom, Minv_count = (size_t)bodies->bodies * size * size;
  const void *Minv = bodies->Minv;
  if (!perp_contact_bodies_compress(bodies, &c->memory, &data) ||
      (storage == PERP_COPY && !copy_array(&c->memory, Minv, Minv_count, sizeof *data.Minv, &Minv)))
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d rows", bodies->rows);
  data.Minv = Minv;
  data.C_diagonal = bodies->C_diagonal;
  data.cfm = bodies->cfm;
  perp_error error = perp_contact_check_structure(&data, why);
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

perp_error perp_operator_contact(const perp_contact_data *data, perp_storage storage,
                                 perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: nowhere to put the operator");
  *A = NULL;
  perp_contact_data known;
  perp_error error = read_data(data, &known, why);
  if (!error)
    error = perp_contact_check_structure(&known, why);
  if (error)
    return error;
  perp_contact *c = perp_alloc_zero(1, sizeof *c);
  if (!c)
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory");
  error = build(c, &known, storage, why);
  if (error)
    perp_operator_destroy(&c->base);
  else
    *A = &c->base;
  return error;
}

perp_error perp_operator_contact_bodies(const perp_contact_bodies *bodies, perp_storage storage,
                                        perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: nowhere to put the operator");
  *A = NULL;
  perp_contact_bodies known;
  perp_error error = read_bodies(bodies, &known, why);
  if (!error)
    error = perp_contact_bodies_check(&known, why);
  if (error)
    return error;
  perp_contact *c = perp_alloc_zero(1, sizeof *c);
  if (!c)
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory");
  c->base.table = &table;
  error = build_bodies(c, &known, storage, why);
  if (error)
    perp_operator_destroy(&c->base);
  else
    *A = &c->base;
  return error;
}

/* Without rows and data, whatever it had. */
static void empty(perp_contact *c)
{
  for (size_t k = 0; k < sizeof c->base.owned / sizeof *c->base.owned; k++)
    perp_free(c->base.owned[k]);
  perp_arena_reset(&c->memory);
  *c = (perp_contact){.base.table = &table, .memory = c->memory};
}

/* Whether the data are those that this operator keeps, and would lose. */
static bool is_own(const perp_contact *c, const perp_contact_data *data)
{
  return ((c->copied || c->made_J) && data->J_start && data->J_start == c->data.J_start) ||
         (c->made_blocks && data->block_start && data->block_start == c->data.block_start) ||
         (c->made_C && data->C_start && data->C_start == c->data.C_start);
}

static perp_error no_contact(const perp_operator *A, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_ARGUMENT, "A is %s", A ? "no contact operator" : "NULL");
}

perp_error perp_operator_contact_replace(perp_operator *A, const perp_contact_data *data,
                                         perp_storage storage, perp_message *why)
{
  if (!A || A->table != &table)
    return no_contact(A, why);
  perp_contact *c = (perp_contact *)A;
  perp_contact_data known;
  perp_error error = read_data(data, &known, why);
  if (!error && is_own(c, &known))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: the data are A's own");
  if (!error)
    error = perp_contact_check_structure(&known, why);
  empty(c);
  if (!error && (error = build(c, &known, storage, why)))
    empty(c);
  A->refused = error != PERP_OK;
  return error;
}

perp_error perp_operator_contact_bodies_replace(perp_operator *A, const perp_contact_bodies *bodies,
                                                perp_storage storage, perp_message *why)
{
  if (!A || A->table != &table)
    return no_contact(A, why);
  perp_contact *c = (perp_contact *)A;
  perp_contact_bodies known;
  perp_error error = read_bodies(bodies, &known, why);
  if (!error)
    error = perp_contact_bodies_check(&known, why);
  empty(c);
  if (!error && (error = build_bodies(c, &known, storage, why)))
    empty(c);
  A->refused = error != PERP_OK;
  return error;
}

static void destroy(perp_operator *A)
{
  perp_arena_free(&((perp_contact *)A)->memory);
}

bool perp_operator_is_contact(const perp_operator *A)
{
  return A->table == &table;
}

perp_error perp_operator_contact_data_sized(const perp_operator *A, perp_contact_data *data,
                                            size_t size)
{
  if (!A || A->table != &table || !data || !perp_sized_is_sane(size))
    return PERP_ERROR_ARGUMENT;
  perp_sized_write(&perp_contact_of(A)->data, sizeof *data, data, size);
  return PERP_OK;
}

/* ---- Products ---- */

typedef struct product {
  const perp_contact *c;
  const double *x;
  double *y, *v;
  bool transposed;
} product;

/* v = sum of W_p x over the pairs p of one block; the callers fix its size where it is known. */
static inline void gather_block(const product *f, int size, const int64_t *pair, const int64_t *end,
                                double *v)
{
  const perp_contact *c = f->c;
  for (; pair < end; pair++) {
    const double *W = c->W + c->pair_W[*pair], x = f->x[c->pair_row[*pair]];
    for (int j = 0; j < size; j++)
      v[j] += W[j] * x;
  }
}

/* v_k = sum over the rows i that meet block k of W_ik x_i */
static void gather_velocities(void *context, int64_t begin, int64_t end)
{
  const product *f = context;
  const perp_contact *c = f->c;
  for (int64_t k = begin; k < end; k++) {
    const int size = perp_contact_block_size(c, (int)k);
    const int64_t *pair = c->block_pair + c->block_list[k];
    const int64_t *last = c->block_pair + c->block_list[k + 1];
    double *v = f->v + c->data.block_start[k], body[6] = {0};
    memset(v, 0, (size_t)size * sizeof *v);
    if (size == 6) { /* a rigid body: held in registers */
      gather_block(f, 6, pair, last, body);
      memcpy(v, body, sizeof body);
    } else {
      gather_block(f, size, pair, last, v);
    }
  }
}

/* y_i = J_i v + (C x)_i, or (C^T x)_i */
static void rows_times_velocities(void *context, int64_t begin, int64_t end)
{
  const product *f = context;
  const perp_contact *c = f->c;
  const perp_contact_data *d = &c->data;
  for (int i = (int)begin; i < end; i++) {
    double sum = 0;
    const int64_t first = d->J_start[i], entries = d->J_start[i + 1] - first;
    const double *J = d->J_value + first;
    const int *column = d->J_column + first;
    if (entries == 12 && column[5] == column[0] + 5 && column[11] == column[6] + 5)
      for (int k = 0; k < 6; k++) /* two rigid bodies */
        sum += J[k] * f->v[column[0] + k] + J[6 + k] * f->v[column[6] + k];
    else
      for (int64_t e = 0; e < entries; e++)
        sum += J[e] * f->v[column[e]];
    if (!f->transposed) {
      sum += perp_contact_C_row(c, i, f->x);
    } else {
      const int count = perp_pattern_column_count(&c->C, i);
      for (int k = 0, row; k < count; k++)
        sum += d->C_value[perp_pattern_column_entry(&c->C, i, k, &row)] * f->x[row];
    }
    f->y[i] = sum;
  }
}

static void multiply(const perp_operator *A, const double *x, double *y, const perp_work *work,
                     bool transposed)
{
  const perp_contact *c = perp_contact_of(A);
  product f = {.c = c, .x = x, .y = y, .v = work->scratch, .transposed = transposed};
  perp_parallel_for(work->threads, c->data.blocks, GRAIN, gather_velocities, &f);
  perp_parallel_for(work->threads, A->n, GRAIN, rows_times_velocities, &f);
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  multiply(A, x, y, work, false);
}

static void apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  multiply(A, x, y, work, true);
}

/* ---- From velocities and back ---- */

static perp_error check_velocities(const perp_operator *A, const double *from, const double *to,
                                   perp_message *why)
{
  if (!A || !from || !to)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: A, v, x or the result is NULL");
  if (A->table != &table)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "a %s operator has no velocities",
                     A->table->kind);
  return PERP_OK;
}

perp_error perp_contact_velocities(const perp_operator *A, const double *v, const double *x,
                                   double *v_new, perp_message *why)
{
  const perp_error error = check_velocities(A, x, v_new, why);
  if (error)
    return error;
  const perp_contact *c = perp_contact_of(A);
  const product f = {.c = c, .x = x};
  for (int j = 0; j < c->data.velocities; j++)
    v_new[j] = v ? v[j] : 0;
  for (int k = 0; k < c->data.blocks; k++)
    gather_block(&f, perp_contact_block_size(c, k), c->block_pair + c->block_list[k],
                 c->block_pair + c->block_list[k + 1], v_new + c->data.block_start[k]);
  return PERP_OK;
}

perp_error perp_contact_bias(const perp_operator *A, const double *v, const double *c, double *b,
                             perp_message *why)
{
  const perp_error error = check_velocities(A, v, b, why);
  if (error)
    return error;
  const perp_contact_data *d = &perp_contact_of(A)->data;
  for (int i = 0; i < d->rows; i++) {
    double sum = c ? c[i] : 0;
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
      sum += d->J_value[e] * v[d->J_column[e]];
    b[i] = sum;
  }
  return PERP_OK;
}

/* ---- Entries ---- */

/* A_ij, the blocks of both rows walked side by side */
static double entry(const perp_contact *c, int i, int j)
{
  const int64_t k = perp_pattern_find(&c->C, i, j);
  double sum = k < 0 ? 0 : c->data.C_value[k];
  for (int64_t p = c->pair_start[i], q = c->pair_start[j];
       p < c->pair_start[i + 1] && q < c->pair_start[j + 1];) {
    const int difference = c->pair_block[p] - c->pair_block[q];
    if (difference == 0)
      sum += perp_contact_pair_product(c, p, q);
    p += difference <= 0;
    q += difference >= 0;
  }
  return sum;
}

static void diagonal(const perp_operator *A, double *d)
{
  const double *own = perp_contact_of(A)->diagonal;
  for (int i = 0; i < A->n; i++)
    d[i] = own[i];
}

/* Adds the products of pair p with all rows of its block to the ascending list index, value of
 * `count` entries: counts the union first, then merges from the end, so no room is needed beside
 * the list. Returns the new count. */
static int merge_block(const perp_contact *c, int64_t p, int count, int *index, double *value)
{
  const int k = c->pair_block[p];
  const int64_t *list = c->block_pair;
  const int64_t first = c->block_list[k], last = c->block_list[k + 1];
  int both = 0;
  for (int64_t t = first, s = 0; t < last && s < count;) {
    const int difference = c->pair_row[list[t]] - index[s];
    both += difference == 0;
    t += difference <= 0;
    s += difference >= 0;
  }
  const int total = count + (int)(last - first) - both;
  int s = count - 1, place = total - 1;
  for (int64_t t = last - 1; t >= first; place--) {
    const int row = c->pair_row[list[t]];
    if (s >= 0 && index[s] > row) {
      index[place] = index[s];
      value[place] = value[s--];
      continue;
    }
    const double old = s >= 0 && index[s] == row ? value[s--] : 0;
    index[place] = row;
    value[place] = old + perp_contact_pair_product(c, list[t--], p);
  }
  return total;
}

/* Row and column differ in C alone. */
static int row(const perp_operator *A, int i, int *column, double *value)
{
  const perp_contact *c = perp_contact_of(A);
  int count = 0;
  for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++, count++) {
    column[count] = c->C.column[k];
    value[count] = c->data.C_value[k];
  }
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
    count = merge_block(c, p, count, column, value);
  return count;
}

static int column(const perp_operator *A, int j, int *rows, double *value)
{
  const perp_contact *c = perp_contact_of(A);
  int count = perp_pattern_column_count(&c->C, j);
  for (int k = 0; k < count; k++)
    value[k] = c->data.C_value[perp_pattern_column_entry(&c->C, j, k, &rows[k])];
  for (int64_t p = c->pair_start[j]; p < c->pair_start[j + 1]; p++)
    count = merge_block(c, p, count, rows, value);
  return count;
}

static void principal(const perp_operator *A, int m, const int *S, int *position, double *A_SS)
{
  const perp_contact *c = perp_contact_of(A);
  memset(A_SS, 0, (size_t)m * (size_t)m * sizeof *A_SS);
  for (int s = 0; s < m; s++)
    position[S[s]] = s;
  for (int s = 0; s < m; s++) {
    double *line = A_SS + (size_t)s * (size_t)m;
    const int i = S[s];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      const int k = c->pair_block[p];
      for (int64_t t = c->block_list[k]; t < c->block_list[k + 1]; t++) {
        const int place = position[c->pair_row[c->block_pair[t]]];
        if (place >= 0)
          line[place] += perp_contact_pair_product(c, c->block_pair[t], p);
      }
    }
    for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
      if (position[c->C.column[k]] >= 0)
        line[position[c->C.column[k]]] += c->data.C_value[k];
  }
  for (int s = 0; s < m; s++)
    position[S[s]] = -1;
}

static void block_diagonal(const perp_operator *A, int blocks, const int *start, double *values)
{
  const perp_contact *c = perp_contact_of(A);
  for (int k = 0; k < blocks; k++)
    for (int i = start[k]; i < start[k + 1]; i++)
      for (int j = start[k]; j < start[k + 1]; j++)
        *values++ = entry(c, i, j);
}

static const perp_operator_table table = {
    .kind = "contact",
    .has_velocities = true,
    .destroy = destroy,
    .refresh = refresh,
    .apply = apply,
    .apply_t = apply_t,
    .diagonal = diagonal,
    .row = row,
    .column = column,
    .principal = principal,
    .block_diagonal = block_diagonal,
    .relaxer = perp_contact_relaxer_create,
};
