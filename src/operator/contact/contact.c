/* contact.c: A = J Minv J^T + C, never assembled
 *
 *   v = Minv J^T x            one pass over the blocks, each gathering from the rows it meets
 *   y = J v + C x             one pass over the rows
 *
 * J is sparse, rows x velocities; Minv is block diagonal and symmetric, one block per body (its
 * inverse mass); C is any sparse matrix. Velocity-level contact problems have this form: A has an
 * entry for every two rows that share a body, J only a few per row (Baraff 1994; Stewart and
 * Trinkle 1996; Tasora and Anitescu 2011).
 *
 * W = Minv J^T is stored for each row and block, so that an entry is a short product:
 *
 *   A_ij = sum over the blocks k that rows i and j share of J_ik W_jk + C_ij
 *
 * Cost: a product reads J, W and C once; a row of A reads the rows of its blocks. Scratch of a
 * product: one double per velocity. */
#include "operator/contact/contact.h"
#include "base/sized.h"
#include "linalg/wide.h"
#include "verdict/twice.h"

#include <string.h>

enum { GRAIN = 256 }; /* blocks or rows per piece of a parallel loop */

bool perp_operator_is_contact(const perp_operator *A)
{
  return A->table == &perp_contact_table;
}

perp_error perp_operator_contact_data_sized(const perp_operator *A, perp_contact_data *data,
                                            size_t size)
{
  if (!A || A->table != &perp_contact_table || !data || !perp_sized_is_sane(size))
    return PERP_ERROR_ARGUMENT;
  perp_sized_write(&perp_contact_of(A)->data, sizeof *data, data, size);
  return PERP_OK;
}

perp_error perp_operator_contact_source_sized(const perp_operator *A, perp_contact_data *data,
                                              size_t size)
{
  const perp_error error = perp_operator_contact_data_sized(A, data, size);
  const perp_mass *mass = error ? NULL : perp_contact_of(A)->mass;
  if (mass)
    perp_sized_write(&mass->source, sizeof *data, data, size);
  return error;
}

/* ---- Products ---- */

typedef struct product {
  const perp_contact *c;
  const double *x;
  double *y, *v;
  bool transposed;
} product;

/* v = sum of W_p x over the pairs p of one block; inlined so that known sizes are constants. */
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

/* ---- The gradient in double-double precision ---- */

typedef struct velocity {
  double high, low;
} velocity;

/* v <- Minv J^T x of block k; p is J^T x */
KERNEL void block_velocity(const perp_contact *c, int k, const double *x, velocity *p, velocity *v)
{
  const int first = c->data.block_start[k], size = perp_contact_block_size(c, k);
  const int *column = c->data.J_column;
  memset(p + first, 0, (size_t)size * sizeof *p);
  for (int64_t t = c->block_list[k]; t < c->block_list[k + 1]; t++) {
    const int64_t pair = c->block_pair[t];
    for (int64_t e = c->pair_entry[pair]; e < c->pair_entry[pair + 1]; e++)
      perp_twice_add(c->data.J_value[e], x[c->pair_row[pair]], &p[column[e]].high,
                     &p[column[e]].low);
  }
  for (int i = 0; i < size; i++) {
    velocity sum = {0, 0};
    for (int j = 0; j < size; j++)
      perp_twice_add_pair(c->M[k][i * size + j], p[first + j].high, p[first + j].low, &sum.high,
                          &sum.low);
    v[first + i] = sum;
  }
}

/* (J v + C x)_i + b */
KERNEL double row_gradient(const perp_contact *c, int i, const double *x, double b,
                           const velocity *v)
{
  double high = b, low = 0;
  for (int64_t e = c->data.J_start[i]; e < c->data.J_start[i + 1]; e++) {
    const velocity u = v[c->data.J_column[e]];
    perp_twice_add_pair(c->data.J_value[e], u.high, u.low, &high, &low);
  }
  for (int64_t e = c->C.start[i]; e < c->C.start[i + 1]; e++)
    perp_twice_add(c->data.C_value[e], x[c->C.column[e]], &high, &low);
  return high + low;
}

typedef struct gradient_of {
  const perp_contact *c;
  const double *x, *b;
  double *y;
  velocity *v, *p;
} gradient_of;

KERNEL void blocks_kernel(const gradient_of *g, int64_t begin, int64_t end)
{
  for (int64_t k = begin; k < end; k++)
    block_velocity(g->c, (int)k, g->x, g->p, g->v);
}

KERNEL void rows_kernel(const gradient_of *g, int64_t begin, int64_t end)
{
  for (int64_t i = begin; i < end; i++)
    g->y[i] = row_gradient(g->c, (int)i, g->x, g->b[i], g->v);
}

FUSED_BODY(gradient_blocks, blocks_kernel)
FUSED_BODY(gradient_rows, rows_kernel)

/* y <- J M^-1 J^T x + C x + b */
static void mass_gradient(const perp_contact *c, const double *x, const double *b, double *y,
                          double *room)
{
  double *low = room + 6 * (size_t)c->data.velocities;
  perp_mass_product(c->mass, x, y, low, room);
  for (int i = 0; i < c->base.n; i++) {
    perp_twice_add(1, b[i], &y[i], &low[i]);
    for (int64_t e = c->C.start[i]; e < c->C.start[i + 1]; e++)
      perp_twice_add(c->data.C_value[e], x[c->C.column[e]], &y[i], &low[i]);
    y[i] += low[i];
  }
}

static void gradient(const perp_operator *A, const double *x, const double *b, double *y,
                     const perp_work *work, double *room)
{
  const perp_contact *c = perp_contact_of(A);
  velocity *v = (velocity *)(void *)room;
  if (c->mass && c->mass->source.M_start) {
    mass_gradient(c, x, b, y, room);
    return;
  }
  gradient_of g = {c, x, b, y, v, v + c->data.velocities};
  perp_parallel_for(work->threads, c->data.blocks, GRAIN, FUSED(gradient_blocks), &g);
  perp_parallel_for(work->threads, A->n, GRAIN, FUSED(gradient_rows), &g);
}

static size_t gradient_room(const perp_operator *A)
{
  const perp_contact *c = perp_contact_of(A);
  const size_t m = (size_t)c->data.velocities;
  return c->mass && c->mass->source.M_start ? 6 * m + (size_t)A->n : 4 * m;
}

/* ---- From velocities and back ---- */

/* Checks the arguments; of_rows may be NULL if A has 0 rows. */
static perp_error check_velocities(const perp_operator *A, const double *of_rows, const double *v,
                                   perp_message *why)
{
  if (!A || (A->n > 0 && !of_rows) || !v)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: A, v, x or the result is NULL");
  if (A->table != &perp_contact_table)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "a %s operator has no velocities; use a contact operator", A->table->kind);
  return PERP_OK;
}

/* v_new <- v + M^-1 J^T x */
static perp_error mass_velocities(const perp_contact *c, const double *v, const double *x,
                                  double *v_new, perp_message *why)
{
  const perp_contact_data *d = &c->mass->source;
  double *p = perp_alloc_zero(2 * (size_t)d->velocities, sizeof *p);
  if (!p)
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d velocities",
                     d->velocities);
  for (int i = 0; i < d->rows; i++)
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
      p[d->J_column[e]] += d->J_value[e] * x[i];
  const bool done = perp_mass_solve(c->mass, p, p + d->velocities);
  for (int j = 0; j < d->velocities && done; j++)
    v_new[j] = (v ? v[j] : 0) + p[j];
  perp_free(p);
  return done ? PERP_OK : perp_fail(why, PERP_ERROR_CALLBACK, "contact: apply_Minv failed");
}

perp_error perp_contact_velocities(const perp_operator *A, const double *v, const double *x,
                                   double *v_new, perp_message *why)
{
  const perp_error error = check_velocities(A, x, v_new, why);
  if (error)
    return error;
  const perp_contact *c = perp_contact_of(A);
  if (c->mass)
    return mass_velocities(c, v, x, v_new, why);
  const product f = {.c = c, .x = x};
  for (int j = 0; j < c->data.velocities; j++)
    v_new[j] = v ? v[j] : 0;
  for (int k = 0; k < c->data.blocks; k++)
    gather_block(&f, perp_contact_block_size(c, k), c->block_pair + c->block_list[k],
                 c->block_pair + c->block_list[k + 1], v_new + c->data.block_start[k]);
  return PERP_OK;
}

bool perp_contact_times_Minv(const perp_contact *c, const double *Minv, const double *u, double *v,
                             double *room)
{
  if (c->mass) {
    perp_copy(c->mass->source.velocities, u, v);
    return perp_mass_solve(c->mass, v, room);
  }
  for (int k = 0; k < c->data.blocks; k++) {
    const int first = c->data.block_start[k], size = perp_contact_block_size(c, k);
    for (int i = 0; i < size; i++, Minv += size)
      v[first + i] = perp_dot(size, Minv, u + first);
  }
  return true;
}

perp_error perp_contact_accelerate(const perp_operator *A, const double *f, double *v,
                                   perp_message *why)
{
  const perp_error error = check_velocities(A, f, v, why);
  if (error)
    return error;
  const perp_contact *c = perp_contact_of(A);
  const int m = c->mass ? c->mass->source.velocities : c->data.velocities;
  double *own = perp_alloc(2 * (size_t)m, sizeof *own); /* f may be v */
  if (!own)
    return perp_fail(why, PERP_ERROR_MEMORY, "contact: out of memory for %d velocities", m);
  perp_copy(m, f, own);
  const bool done = perp_contact_times_Minv(c, c->data.Minv, own, v, own + m);
  perp_free(own);
  return done ? PERP_OK : perp_fail(why, PERP_ERROR_CALLBACK, "contact: apply_Minv failed");
}

perp_error perp_contact_bias(const perp_operator *A, const double *v, const double *c, double *b,
                             perp_message *why)
{
  const perp_error error = check_velocities(A, b, v, why);
  if (error)
    return error;
  const perp_contact *own = perp_contact_of(A);
  const perp_contact_data *d = own->mass ? &own->mass->source : &own->data;
  for (int i = 0; i < d->rows; i++)
    b[i] = perp_add_row(c ? c[i] : 0, d->J_start[i], d->J_start[i + 1], d->J_value, d->J_column, v);
  return PERP_OK;
}

/* ---- Entries ---- */

static void diagonal(const perp_operator *A, double *d)
{
  perp_copy(A->n, perp_contact_of(A)->diagonal, d);
}

/* Adds the products of pair p with all rows of its block to the ascending list index, value of
 * `count` entries. It counts the union first and then merges from the end, so it needs no memory
 * besides the list. Returns the new count. */
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

/* Rows and columns differ only in C. */
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

/* Merges the blocks of two rows for each entry. */
static void principal(const perp_operator *A, int m, const int *S, double *A_SS)
{
  const perp_contact *c = perp_contact_of(A);
  for (int s = 0; s < m; s++)
    for (int t = 0; t < m; t++) {
      double sum = 0;
      for (int64_t p = c->pair_start[S[s]], q = c->pair_start[S[t]];
           p < c->pair_start[S[s] + 1] && q < c->pair_start[S[t] + 1];) {
        const int difference = c->pair_block[p] - c->pair_block[q];
        if (difference == 0)
          sum += perp_contact_pair_product(c, q, p);
        p += difference <= 0;
        q += difference >= 0;
      }
      const int64_t k = perp_row_find(c->C.start, c->C.column, S[s], S[t]);
      A_SS[s * m + t] = k < 0 ? sum : sum + c->data.C_value[k];
    }
}

const perp_operator_table perp_contact_table = {
    .kind = "contact",
    .has_velocities = true,
    .destroy = perp_contact_destroy,
    .refresh = perp_contact_refresh,
    .apply = apply,
    .apply_t = apply_t,
    .gradient = gradient,
    .gradient_room = gradient_room,
    .diagonal = diagonal,
    .row = row,
    .column = column,
    .principal = principal,
    .relaxer = perp_contact_relaxer_create,
};
