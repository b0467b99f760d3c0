/* entries.c: symmetry, diagonal, signs and diagonal dominance of A, row by row
 *
 * Let S = (A + A^T)/2. Row i of S is weakly dominant if
 *
 *   2 A_ii >= t_i,   t_i = sum over j != i of |A_ij| + |A_ji|   (>= 2 sum |S_ij|).
 *
 * If every row is weakly dominant, S is positive semi-definite (Gershgorin). If also every
 * connected component of the graph of A has a row with > , S is positive definite (Taussky 1949):
 * if A_ij = -A_ji the edge is missing in S, but then both its rows are strictly dominant in S. The
 * sums t_i are carried in twice the precision, so that ties such as 4 = 1 + 1 + 1 + 1 are
 * recognised.
 *
 * One pass over the rows; workspace 3 n doubles, n integers and one row. Transposed entries are
 * found with one cursor per row. A stencil does not need them, being symmetric by construction; for
 * a contact operator A - A^T = C - C^T. */
#include "problem/entries.h"

#include "base/elementary.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/message.h"
#include "linalg/dense.h"
#include "linalg/vector.h"
#include "operator/operator.h"

#include <float.h>
#include <string.h>

enum {
  APPLY_LIMIT = 2000,     /* largest n for which a matrix without rows is assembled by products */
  BLOCK_LIMIT = 64,       /* largest block of Minv whose sign is examined */
  ENTRY_LIMIT = 400000000 /* number of entries after which the pass is abandoned */
};

static const size_t assembly_limit = (size_t)512 << 20; /* bytes */

/* ---- The pass over the rows ---- */

/* All arrays live for the pass only. */
typedef struct row_pass {
  int n;
  double *diagonal;  /* n */
  perp_pair *beside; /* n: t_i */
  int *parent;       /* n: union-find forest of the connected components */
  int *column;       /* one row */
  double *value;     /* */
  bool *strict;      /* n, by root: the component has a strictly dominant row */
  perp_arena arena;  /* owns these arrays */
  int64_t entries;   /* read */
  double greatest;   /* |A_ij| */
  bool z_matrix;
} row_pass;

static bool pass_allocate(row_pass *pass, const perp_operator *A)
{
  const size_t n = (size_t)perp_operator_size(A);
  const size_t capacity = (size_t)perp_operator_row_capacity(A);
  *pass = (row_pass){.n = (int)n, .z_matrix = true};
  if (!PERP_TAKE_ZERO(&pass->arena, PERP_ARRAY(pass->diagonal, n), PERP_ARRAY(pass->beside, n),
                      PERP_ARRAY(pass->strict, n)) ||
      !PERP_TAKE(&pass->arena, PERP_ARRAY(pass->parent, n), PERP_ARRAY(pass->column, capacity),
                 PERP_ARRAY(pass->value, capacity)))
    return false;
  for (int i = 0; i < pass->n; i++)
    pass->parent[i] = i;
  return true;
}

static perp_error take_row(row_pass *pass, int i, int count, perp_message *why)
{
  const int64_t bad = perp_first_not_finite(count, pass->value);
  if (bad >= 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "A[%d][%d] = %g is not finite", i, pass->column[bad],
                     pass->value[bad]);
  for (int k = 0; k < count; k++) {
    const int j = pass->column[k];
    const double a = pass->value[k], size = fabs(a);
    pass->greatest = size > pass->greatest ? size : pass->greatest;
    if (j == i) {
      pass->diagonal[i] = a;
    } else if (a != 0) {
      pass->z_matrix = pass->z_matrix && a < 0;
      pass->beside[i] = perp_pair_add(pass->beside[i], size);
      pass->beside[j] = perp_pair_add(pass->beside[j], size);
      perp_forest_join(pass->parent, i, j);
    }
  }
  return PERP_OK;
}

/* Sets *whole unless the pass was abandoned because of the number of entries. */
static perp_error pass_run(row_pass *pass, const perp_operator *A, bool *whole, perp_message *why)
{
  *whole = false;
  for (int i = 0; i < pass->n; i++) {
    int count;
    perp_error error = perp_operator_row(A, i, pass->column, pass->value, &count, why);
    if (!error)
      error = take_row(pass, i, count, why);
    if (error)
      return error;
    pass->entries += count;
    if (pass->entries > ENTRY_LIMIT)
      return PERP_OK;
  }
  *whole = true;
  return PERP_OK;
}

/* ---- Signs ---- */

static perp_definite dominance(row_pass *pass)
{
  bool proven = true;
  perp_definite verdict = PERP_DEFINITE_SEMI;
  for (int i = 0; i < pass->n && verdict == PERP_DEFINITE_SEMI; i++) {
    /* 2 A_ii - t_i */
    const double t = pass->beside[i].hi;
    const double excess = (2 * pass->diagonal[i] - t) - pass->beside[i].lo;
    if (!(excess >= -16 * DBL_EPSILON * t) || pass->diagonal[i] < 0)
      verdict = PERP_DEFINITE_UNKNOWN;
    proven = proven && excess >= 0;
    if (excess > 1e-25 * t)
      pass->strict[perp_forest_root(pass->parent, i)] = true;
  }
  for (int i = 0; i < pass->n && proven; i++)
    proven = pass->strict[perp_forest_root(pass->parent, i)];
  return verdict == PERP_DEFINITE_SEMI && proven ? PERP_DEFINITE_POSITIVE : verdict;
}

bool perp_proves_positive(int n, double *A, double uncertainty)
{
  double trace = 0;
  for (int i = 0; i < n; i++) {
    const double a = A[(int64_t)i * n + i];
    if (!(a > 0))
      return false;
    trace += a;
  }
  /* the computed factor is that of A - c I + E with |E| <= (n + 2) epsilon trace or less; the
   * factor 2 covers the rounding of trace, c and A_ii - c */
  const double c = 2 * ((n + 4) * DBL_EPSILON * trace + n * uncertainty) + n * DBL_MIN;
  for (int i = 0; i < n; i++)
    A[(int64_t)i * n + i] -= c;
  return perp_cholesky(n, A, n, 0) == n;
}

/* Returns true if a diagonal block of Minv is dominant, or proven semi-definite by Cholesky. */
static bool block_is_semi(int size, const double *block)
{
  bool dominant = true;
  for (int i = 0; i < size && dominant; i++) {
    const double *row = block + (int64_t)i * size;
    const double a = row[i], beside = perp_norm1(size, row) - fabs(a);
    dominant = a >= 0 && (beside == 0 || a > beside * (1 + size * DBL_EPSILON));
  }
  if (dominant)
    return true;
  if (size > BLOCK_LIMIT)
    return false;
  double copy[BLOCK_LIMIT * BLOCK_LIMIT];
  memcpy(copy, block, (size_t)size * (size_t)size * sizeof *copy);
  return perp_proves_positive(size, copy, 0);
}

/* J Minv J^T + C is semi-definite if Minv is and C is a nonnegative diagonal; definite if all of C
 * is positive. */
static perp_definite contact_definite(const perp_contact_data *data)
{
  const double *block = data->Minv;
  for (int k = 0; k < data->blocks; k++) {
    const int size = data->block_start ? data->block_start[k + 1] - data->block_start[k]
                                       : data->velocities / data->blocks;
    if (!block_is_semi(size, block))
      return PERP_DEFINITE_UNKNOWN;
    block += (int64_t)size * size;
  }
  if (!data->C_start)
    return PERP_DEFINITE_SEMI;
  bool positive = true;
  for (int i = 0; i < data->rows; i++) {
    bool here = false;
    for (int64_t k = data->C_start[i]; k < data->C_start[i + 1]; k++) {
      if (data->C_column[k] == i && data->C_value[k] >= 0)
        here = data->C_value[k] > 0;
      else if (data->C_value[k] != 0)
        return PERP_DEFINITE_UNKNOWN;
    }
    positive = positive && here;
  }
  return positive ? PERP_DEFINITE_POSITIVE : PERP_DEFINITE_SEMI;
}

/* ---- Symmetry: max |A_ij - A_ji| ---- */

double perp_dense_difference(int n, const double *a, int64_t stride)
{
  enum { TILE = 32 };
  double most = 0;
  for (int i0 = 0; i0 < n; i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE)
      for (int i = i0; i < i0 + TILE && i < n; i++)
        for (int j = j0; j < j0 + TILE && j < i; j++)
          most = perp_max(most, fabs(a[i * stride + j] - a[j * stride + i]));
  return most;
}

static inline double greater(double a, double b)
{
  return a > b ? a : b;
}

/* Compressed rows, and the state of a pass over them. */
typedef struct glancing {
  const int64_t *start;
  const int *column;
  const double *value;
  int64_t *cursor;
  int64_t seen; /* entries */
} glancing;

/* Counts an entry without a transposed partner. */
static void glance_alone(glancing *a, double value, perp_glance *g)
{
  g->difference = greater(fabs(value), g->difference);
  g->positive += value > 0;
  a->seen++;
}

/* Processes the entry k = (i, j), j < i, and all (j, l), l < i, that the cursor skips; moves the
 * cursor past (j, i). */
static void glance_across(glancing *a, int i, int64_t k, perp_glance *g)
{
  const int j = a->column[k];
  int64_t c = a->cursor[j];
  for (; c < a->start[j + 1] && a->column[c] < i; c++)
    glance_alone(a, a->value[c], g);
  const bool across = c < a->start[j + 1] && a->column[c] == i;
  a->cursor[j] = c + across;
  if (!across) {
    glance_alone(a, a->value[k], g);
    return;
  }
  g->difference = greater(fabs(a->value[k] - a->value[c]), g->difference);
  g->positive += (a->value[k] > 0) + (a->value[c] > 0);
  a->seen += 2;
}

/* Rows ascend, so for every j the entries A_ij, j < i, come in ascending i: a cursor in row j, set
 * past its diagonal when that row is read, visits its upper triangle once. Entries that it skips,
 * and those left over at the end, have no transposed partner. cursor: n numbers. */
static perp_glance csr_glance(int n, const int64_t *start, const int *column, const double *value,
                              int64_t *cursor)
{
  glancing a = {start, column, value, cursor, 0};
  perp_glance g = {.diagonal_min = INFINITY};
  for (int i = 0; i < n; i++) {
    const int64_t end = start[i + 1];
    int64_t k = start[i];
    for (; k < end && column[k] < i; k++)
      glance_across(&a, i, k, &g);
    const bool there = k < end && column[k] == i;
    const double diagonal = there ? value[k] : 0;
    g.diagonal_min = diagonal < g.diagonal_min ? diagonal : g.diagonal_min;
    g.diagonal_max = greater(diagonal, g.diagonal_max);
    g.positive += diagonal > 0;
    a.seen += there;
    cursor[i] = k + there;
  }
  for (int j = 0; j < n && a.seen < start[n]; j++)
    for (int64_t c = cursor[j]; c < start[j + 1]; c++)
      glance_alone(&a, value[c], &g);
  g.greatest = g.difference > 0 ? perp_norm_inf(start[n], value) : 0;
  return g;
}

bool perp_entries_glance(const perp_operator *A, int64_t *cursor, perp_glance *glance)
{
  const double *value;
  const int64_t *start;
  const int *column;
  if (perp_operator_csr_arrays(A, &start, &column, &value) != PERP_OK)
    return false;
  *glance = csr_glance(perp_operator_size(A), start, column, value, cursor);
  return true;
}

/* *difference is NaN if the transposed entries would take too much memory; `entries` is the number
 * in A. */
static perp_error greatest_difference(const perp_operator *A, int64_t entries, double *difference)
{
  const int n = perp_operator_size(A);
  perp_stencil_data stencil = perp_stencil_data_default();
  perp_contact_data contact = perp_contact_data_default();
  const double *a, *value;
  const int64_t *start;
  const int *column;
  int64_t stride;

  *difference = 0;
  if (perp_operator_stencil_data(A, &stencil) == PERP_OK)
    return PERP_OK;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    *difference = A->symmetric ? 0 : perp_dense_difference(n, a, stride);
    return PERP_OK;
  }
  perp_operator *made = NULL;
  if (perp_operator_contact_data(A, &contact) == PERP_OK) {
    if (!contact.C_start)
      return PERP_OK;
    start = contact.C_start;
    column = contact.C_column;
    value = contact.C_value;
  } else if (perp_operator_csr_arrays(A, &start, &column, &value) != PERP_OK) {
    if ((size_t)entries * (sizeof *value + sizeof *column) > assembly_limit) {
      *difference = NAN;
      return PERP_OK;
    }
    const perp_error error = perp_operator_to_csr(A, 0, &made, NULL);
    if (error)
      return error;
    perp_operator_csr_arrays(made, &start, &column, &value);
  }
  int64_t *cursor = perp_alloc((size_t)n, sizeof *cursor);
  if (cursor)
    *difference = csr_glance(n, start, column, value, cursor).difference;
  perp_free(cursor);
  perp_operator_destroy(made);
  return cursor ? PERP_OK : PERP_ERROR_MEMORY;
}

/* ---- All together ---- */

static void take_diagonal(int n, const double *d, perp_entries *entries)
{
  entries->diagonal_min = n ? d[0] : NAN;
  entries->diagonal_max = n ? d[0] : NAN;
  for (int i = 0; i < n; i++) {
    entries->diagonal_min = perp_min(entries->diagonal_min, d[i]);
    entries->diagonal_max = perp_max(entries->diagonal_max, d[i]);
    entries->diagonal_zeros += d[i] == 0;
    entries->diagonal_negatives += d[i] < 0;
  }
}

/* Without row access: at most the diagonal is known. */
static perp_error diagonal_alone(const perp_operator *A, perp_entries *entries, perp_message *why)
{
  const int n = perp_operator_size(A);
  if (!(perp_operator_abilities(A) & PERP_CAN_DIAGONAL))
    return PERP_OK;
  double *d = perp_alloc((size_t)n, sizeof *d);
  if (!d)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d diagonal entries", n);
  perp_error error = perp_operator_diagonal(A, d, why);
  const int64_t bad = error ? -1 : perp_first_not_finite(n, d);
  if (bad >= 0)
    error = perp_fail(why, PERP_ERROR_PROBLEM, "A[%d][%d] = %g is not finite", (int)bad, (int)bad,
                      d[bad]);
  if (!error)
    take_diagonal(n, d, entries);
  perp_free(d);
  return error;
}

static perp_error all_rows(const perp_operator *A, perp_entries *entries, perp_message *why)
{
  row_pass pass;
  double difference = NAN;
  perp_error error = PERP_OK;
  if (!pass_allocate(&pass, A))
    error = PERP_ERROR_MEMORY;
  if (!error)
    error = pass_run(&pass, A, &entries->seen, why);
  if (!error && entries->seen)
    error = greatest_difference(A, pass.entries, &difference);
  if (!error && entries->seen) {
    entries->asymmetry = pass.greatest > 0 ? difference / pass.greatest : 0;
    entries->z_matrix = pass.z_matrix;
    entries->definite = dominance(&pass);
    take_diagonal(pass.n, pass.diagonal, entries);
  }
  perp_arena_free(&pass.arena);
  if (error == PERP_ERROR_MEMORY)
    return perp_fail(why, error, "out of memory to look at the entries of A");
  if (!error && !entries->seen)
    return diagonal_alone(A, entries, why);
  return error;
}

perp_error perp_entries_read(const perp_operator *A, perp_entries *entries, perp_message *why)
{
  *entries = (perp_entries){.asymmetry = NAN, .diagonal_min = NAN, .diagonal_max = NAN};
  perp_error error;
  if (perp_operator_abilities(A) & PERP_CAN_ROW) {
    error = all_rows(A, entries, why);
  } else if (perp_operator_size(A) <= APPLY_LIMIT) {
    perp_operator *made;
    error = perp_operator_to_csr(A, 0, &made, why);
    if (error)
      return error;
    error = all_rows(made, entries, why);
    perp_operator_destroy(made);
  } else {
    error = diagonal_alone(A, entries, why);
  }
  if (error)
    return error;

  perp_contact_data contact = perp_contact_data_default();
  if (entries->diagonal_negatives > 0)
    entries->definite = PERP_DEFINITE_NOT;
  else if (entries->definite != PERP_DEFINITE_POSITIVE &&
           perp_operator_contact_data(A, &contact) == PERP_OK) {
    const perp_definite made_so = contact_definite(&contact);
    if (made_so != PERP_DEFINITE_UNKNOWN)
      entries->definite = made_so;
  }
  return PERP_OK;
}
