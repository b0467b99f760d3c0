/* minor.c: A_FF + diag(d_F) and its factor, as rows come and go
 *
 * Unsymmetric A, with B = (A_FF + d_F)^-1, c = A_Fj, r = A_jF, s = A_jj + d_j - r B c:
 *
 *   [A_FF c; r A_jj]^-1 = [B + (B c)(r B)/s, -B c/s; -r B/s, 1/s]        (bordering)
 *   deleting the last row:  B_11 - B_12 B_21 / B_22
 *
 * Both are as stable as the pivots s and 1/B_22 are large; for a P-matrix they are positive. The
 * owner refines with products of A, and factors again if that does not help.
 *
 * The error of s. A change of A by epsilon, relative to sqrt(A_ii A_jj), changes
 * s = (v, 1)^T A (v, 1) by at most epsilon (sum_i |v_i| sqrt(A_ii))^2 <= epsilon (k+1) sum v_i^2
 * A_ii; that, times four, is the noise: no scaling D A D alters its relation to s. */
#include "method/pivoting/minor.h"

#include "linalg/dense.h"
#include "linalg/vector.h"
#include "method/run/factor_cache.h"

#include <assert.h>
#include <float.h>
#include <string.h>

static const double same = 1e-12; /* relative difference of A_ij and A_ji that is rounding */

/* ---- Entries of A ---- */

static bool differs(const perp_minor *f, int i, int j, double a_ij, double a_ji)
{
  const double size = fabs(a_ij) + sqrt(fabs(f->diagonal[i] * f->diagonal[j]));
  return fabs(a_ij - a_ji) > same * size;
}

/* Returns A_ij of row i, read into the second half of the buffers. */
static double entry(const perp_minor *f, int i, int j)
{
  int *index = f->row_index + f->A->row_capacity;
  double *value = f->row_value + f->A->row_capacity;
  const int count = f->A->table->row(f->A, i, index, value);
  for (int e = 0; e < count; e++)
    if (index[e] == j)
      return value[e];
  return 0;
}

/* Returns true if A is symmetric up to rounding. Compares every entry of row p with its counterpart
 * in column p, which is scattered; without column access, with the entry in row q. Entries that only
 * the column has are met in their own rows. */
static bool is_symmetric(const perp_minor *f)
{
  const perp_operator *A = f->A;
  int *index = f->row_index + A->row_capacity;
  double *value = f->row_value + A->row_capacity, *scattered = f->work;
  perp_fill(f->n, 0, scattered);
  for (int p = 0; p < f->n && !perp_run_expired_at(f->run, p); p++) {
    const int in_column = A->table->column ? A->table->column(A, p, index, value) : 0;
    for (int e = 0; e < in_column; e++)
      scattered[index[e]] = value[e];
    const int in_row = A->table->row(A, p, f->row_index, f->row_value);
    for (int e = 0; e < in_row; e++) {
      const int q = f->row_index[e];
      const double other = A->table->column ? scattered[q] : entry(f, q, p);
      if (f->row_value[e] != other && differs(f, p, q, f->row_value[e], other))
        return false;
    }
    for (int e = 0; e < in_column; e++)
      scattered[index[e]] = 0;
  }
  return true;
}

/* A_jF in the order of F. */
static void row_of(const perp_minor *f, int j, double *row)
{
  if (f->entries) {
    const double *a = f->entries + j * f->stride;
    for (int t = 0; t < f->count; t++)
      row[t] = a[f->index[t]];
    return;
  }
  perp_fill(f->count, 0, row);
  const int count = f->A->table->row(f->A, j, f->row_index, f->row_value);
  for (int e = 0; e < count; e++) {
    const int t = f->place[f->row_index[e]];
    if (t >= 0)
      row[t] = f->row_value[e];
  }
}

void perp_minor_column(const perp_minor *f, int j, double *column)
{
  if (f->symmetric) {
    row_of(f, j, column);
  } else if (f->entries) {
    for (int t = 0; t < f->count; t++)
      column[t] = f->entries[f->index[t] * f->stride + j];
  } else if (f->A->table->column) {
    perp_fill(f->count, 0, column);
    const int count = f->A->table->column(f->A, j, f->row_index, f->row_value);
    for (int e = 0; e < count; e++) {
      const int t = f->place[f->row_index[e]];
      if (t >= 0)
        column[t] = f->row_value[e];
    }
  } else {
    for (int t = 0; t < f->count; t++)
      column[t] = entry(f, f->index[t], j);
  }
}

/* ---- Memory ---- */

/* Kept for the next solve: the symmetry of A, and a factor if A is dense. */
struct perp_minor_kept {
  perp_keep keep; /* first */
  int n;
  bool looked, symmetric;
  double *factor; /* n x (n rounded up to 8); NULL: A is not dense */
  int *swap;      /* n */
  int count;      /* number of its rows; -1: no factor */
  int *rows;      /* n */
  bool is_lu;
  perp_lu lu;
  perp_lu lent;     /* the factor offered; without swaps it is Cholesky's */
  int *shared_rows; /* n */
};

static int64_t leading(int n)
{
  return ((int64_t)n + 7) / 8 * 8;
}

static perp_error open_kept(perp_run *run, const void *plan, void **state)
{
  const perp_minor *f = plan;
  const size_t n = (size_t)f->n, rows = f->entries ? n : 0;
  struct perp_minor_kept *kept = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *kept);
  if (!kept || !PERP_TAKE(run->arena, PERP_ARRAY(kept->factor, rows * (size_t)leading(f->n)),
                          PERP_ARRAY(kept->swap, rows), PERP_ARRAY(kept->rows, rows),
                          PERP_ARRAY(kept->shared_rows, rows)))
    return perp_run_no_memory(run);
  kept->n = f->n;
  kept->count = -1;
  if (!f->entries)
    kept->factor = NULL;
  kept->keep.whole = true;
  return PERP_OK;
}

static bool reopen_kept(void *state, perp_run *run, const void *plan, bool holds)
{
  const perp_minor *f = plan;
  struct perp_minor_kept *kept = state;
  (void)run;
  if (!holds) {
    kept->count = -1;
    kept->looked = false;
  }
  return kept->keep.whole && kept->n == f->n && !kept->factor == !f->entries;
}

static const perp_keeper keeper = {open_kept, reopen_kept, NULL};

/* The factor as f left it, which may differ from the kept one. */
static bool solve_shared(void *factor, bool transposed, double *r)
{
  const perp_lu *lu = factor;
  if (!lu->swap)
    perp_cholesky_solve(lu->n, lu->LU, lu->ld, r);
  else
    (transposed ? perp_lu_solve_t : perp_lu_solve)(lu, r);
  return true;
}

static void offer(const perp_minor *f)
{
  struct perp_minor_kept *kept = f->kept;
  if (!kept->factor || f->factor != kept->factor || !(f->symmetric || f->is_lu) ||
      !perp_all_zero(f->n, f->shift))
    return;
  kept->lent = f->is_lu ? f->lu : (perp_lu){.n = f->count, .LU = f->factor, .ld = f->ld};
  memcpy(kept->shared_rows, f->index, (size_t)f->count * sizeof *f->index);
  perp_run_offer(f->run, kept->keep.kept, false, f->count, kept->shared_rows, solve_shared,
                 &kept->lent);
}

void perp_minor_close(perp_minor *f)
{
  if (!f->kept)
    return;
  perp_keep_close(&keeper, f->run, f->kept);
  offer(f);
}

/* Call before the factor changes. */
static void change(perp_minor *f)
{
  f->kept->count = -1;
}

/* Takes over the kept factor if it has the rows of F. Returns true if it does. */
static bool recall(perp_minor *f)
{
  const struct perp_minor_kept *kept = f->kept;
  if (!kept->factor || kept->count != f->count || !perp_all_zero(f->n, f->shift) ||
      memcmp(kept->rows, f->index, (size_t)f->count * sizeof *f->index) != 0)
    return false;
  f->is_lu = kept->is_lu;
  f->lu = kept->lu;
  return true;
}

static void keep(const perp_minor *f)
{
  struct perp_minor_kept *kept = f->kept;
  if (!kept->factor || !perp_all_zero(f->n, f->shift))
    return;
  memcpy(kept->rows, f->index, (size_t)f->count * sizeof *f->index);
  kept->count = f->count;
  kept->is_lu = f->is_lu;
  kept->lu = f->lu;
}

/* Allocates memory for at least `rows` rows and one more; copies an existing factor. Dense
 * operators get memory for all rows at once: the matrix has that size anyway, and a second solve
 * then allocates nothing. */
static perp_error grow(perp_minor *f, int rows)
{
  if (rows <= f->room)
    return PERP_OK;
  enum { FIRST = 256 };
  const size_t limit = f->run->options->memory_limit ? f->run->options->memory_limit : 1u << 30;
  int room = f->entries ? f->n : f->room > f->n / 2 ? f->n : 2 * f->room;
  room = room < FIRST ? FIRST : room;
  room = room > f->n ? f->n : room < rows ? rows : room;
  const int64_t ld = leading(room);
  const double bytes = (double)room * (double)ld * sizeof(double);
  if (bytes > (double)limit)
    return perp_run_fail(f->run, PERP_ERROR_MEMORY,
                         "a factor of %d rows needs %.0f bytes, more than memory_limit = %zu", room,
                         bytes, limit);
  double *factor = f->kept->factor; /* room for all rows at once */
  if (!factor)
    factor = perp_arena_alloc(f->run->arena, (size_t)room, (size_t)ld * sizeof *factor);
  if (!factor)
    return perp_run_no_memory(f->run);
  for (int t = 0; t < f->count; t++)
    perp_copy(f->count, f->factor + t * f->ld, factor + t * ld);
  f->factor = factor;
  f->room = room;
  f->ld = ld;
  return PERP_OK;
}

perp_error perp_minor_create(perp_minor *f, perp_run *run)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *f = (perp_minor){.run = run, .A = A, .n = A->n};
  if (perp_operator_dense_array(A, &f->entries, &f->stride) != PERP_OK)
    f->entries = NULL;
  const size_t buffer = 2 * (size_t)A->row_capacity + 1;
  if (!PERP_TAKE_ZERO_REALS(run->arena, n + 1, &f->diagonal, &f->shift, &f->a, &f->c, &f->v) ||
      !PERP_TAKE_INTEGERS(run->arena, n, &f->index, &f->place, &f->swap) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(f->work, 3 * n), PERP_ARRAY(f->row_value, buffer),
                 PERP_ARRAY(f->row_index, buffer)))
    return perp_run_no_memory(run);
  perp_fill_integers(f->n, -1, f->place);
  if (A->table->diagonal)
    A->table->diagonal(A, f->diagonal);
  else
    for (int i = 0; i < f->n; i++)
      f->diagonal[i] = entry(f, i, i);
  void *state;
  const perp_error error = perp_keep_open(run, &keeper, &keeper, f, &state);
  if (error) {
    perp_keep_close(&keeper, run, state);
    return error;
  }
  struct perp_minor_kept *kept = f->kept = state;
  f->swap = kept->factor ? kept->swap : f->swap;
  if (!kept->looked && !A->symmetric) {
    kept->symmetric = is_symmetric(f);
    kept->looked = kept->keep.kept && !perp_run_expired(run);
  }
  f->symmetric = A->symmetric || kept->symmetric;
  return f->entries ? grow(f, f->n) : PERP_OK;
}

void perp_minor_clear(perp_minor *f)
{
  for (int t = 0; t < f->count; t++)
    f->place[f->index[t]] = -1;
  f->count = 0;
  f->is_lu = false;
}

/* ---- Adding and removing a row ---- */

/* Returns the pivot of row j, computes v and the data of perp_minor_append: row k of L, or B c and
 * r B. */
static double reach_symmetric(perp_minor *f, int j)
{
  const int k = f->count;
  row_of(f, j, f->a);
  f->a[k] = f->diagonal[j] + f->shift[j];
  /* with INFINITY as bound no pivot is accepted: the factor stays, row k is L^-1 a */
  const double pivot = perp_cholesky_append(k, f->factor, f->ld, f->a, INFINITY);
  for (int t = 0; t < k; t++)
    f->v[t] = -f->factor[k * f->ld + t];
  perp_lower_solve_t(k, f->factor, f->ld, f->v);
  return pivot;
}

static double reach_general(perp_minor *f, int j)
{
  const int k = f->count;
  double *Bc = f->work, *rB = f->work + f->n;
  row_of(f, j, f->a);
  perp_minor_column(f, j, f->c);
  perp_dense_apply(k, k, f->factor, f->ld, f->c, Bc);
  perp_dense_apply_t(k, k, f->factor, f->ld, f->a, rB);
  perp_negate(k, Bc, f->v);
  return f->diagonal[j] + f->shift[j] - perp_dot(k, f->a, Bc);
}

perp_error perp_minor_reach(perp_minor *f, int j, double *pivot, double *noise)
{
  assert(f->place[j] < 0 && !f->is_lu);
  const perp_error error = grow(f, f->count + 1);
  if (error)
    return error;
  *pivot = f->symmetric ? reach_symmetric(f, j) : reach_general(f, j);
  double sum = fabs(f->diagonal[j]) + f->shift[j];
  for (int t = 0; t < f->count; t++)
    sum += f->v[t] * f->v[t] * (fabs(f->diagonal[f->index[t]]) + f->shift[f->index[t]]);
  *noise = 4 * DBL_EPSILON * (f->count + 1) * sum;
  return PERP_OK;
}

void perp_minor_append(perp_minor *f, int j, double pivot)
{
  const int k = f->count;
  double *last = f->factor + k * f->ld;
  change(f);
  if (f->symmetric) {
    last[k] = sqrt(pivot);
  } else {
    const double *Bc = f->work, *rB = f->work + f->n;
    for (int t = 0; t < k; t++) {
      perp_axpy(k, Bc[t] / pivot, rB, f->factor + t * f->ld);
      f->factor[t * f->ld + k] = -Bc[t] / pivot;
      last[t] = -rB[t] / pivot;
    }
    last[k] = 1 / pivot;
  }
  f->index[k] = j;
  f->place[j] = k;
  f->count = k + 1;
}

/* Swaps row p of the inverse with the last one, which is then eliminated. */
static void delete_general(perp_minor *f, int p)
{
  const int last = f->count - 1;
  double *B = f->factor;
  const int64_t ld = f->ld;
  perp_swap(last + 1, B + p * ld, B + last * ld);
  for (int t = 0; t <= last; t++)
    perp_swap(1, B + t * ld + p, B + t * ld + last);
  const double *row = B + last * ld;
  for (int t = 0; t < last; t++)
    perp_axpy(last, -B[t * ld + last] / row[last], row, B + t * ld);
  f->index[p] = f->index[last];
  f->place[f->index[p]] = p;
}

void perp_minor_delete(perp_minor *f, int i)
{
  const int p = f->place[i];
  assert(p >= 0 && !f->is_lu);
  change(f);
  if (f->symmetric) {
    perp_cholesky_delete(f->count, f->factor, f->ld, p, NULL, f->work);
    for (int t = p + 1; t < f->count; t++) {
      f->index[t - 1] = f->index[t];
      f->place[f->index[t]] = t - 1;
    }
  } else {
    delete_general(f, p);
  }
  f->place[i] = -1;
  f->count--;
}

/* ---- New factors ---- */

/* Copies rows and columns of F into the factor's memory: all of them for LU, else the lower
 * triangle. */
static void extract(perp_minor *f)
{
  for (int t = 0; t < f->count; t++) {
    double *row = f->factor + t * f->ld;
    const int i = f->index[t];
    row_of(f, i, f->a);
    perp_copy(f->symmetric ? t + 1 : f->count, f->a, row);
    row[t] = f->diagonal[i] + f->shift[i];
  }
}

perp_error perp_minor_factor(perp_minor *f, int count, const int *list, int *failed)
{
  perp_minor_clear(f);
  *failed = -1;
  const perp_error error = grow(f, count < f->n ? count + 1 : count);
  if (error)
    return error;
  f->count = count;
  for (int t = 0; t < count; t++) {
    f->index[t] = list[t];
    f->place[list[t]] = t;
  }
  if (recall(f))
    return PERP_OK;
  change(f);
  extract(f);
  int at = -1;
  if (f->symmetric) {
    const int reached = perp_cholesky(count, f->factor, f->ld, 0);
    at = reached < count ? reached : -1;
    /* L_tt^2 relative to A_tt: the remainder after elimination of the rows before */
    for (int t = 0; t < count && at < 0; t++) {
      const double l = f->factor[t * f->ld + t];
      const double all = f->diagonal[list[t]] + f->shift[list[t]];
      if (!(l * l > 4 * DBL_EPSILON * (t + 1) * all))
        at = t;
    }
  } else {
    f->lu = perp_lu_factor(count, f->factor, f->ld, f->swap);
    f->is_lu = true;
    at = f->lu.singular;
  }
  if (at >= 0) {
    *failed = list[at];
    perp_minor_clear(f);
  } else {
    keep(f);
  }
  f->run->count.factorisations++;
  return PERP_OK;
}

void perp_minor_solve(const perp_minor *f, double *r)
{
  f->run->count.solves++;
  if (f->symmetric) {
    perp_cholesky_solve(f->count, f->factor, f->ld, r);
  } else if (f->is_lu) {
    perp_lu_solve(&f->lu, r);
  } else {
    perp_copy(f->count, r, f->work + 2 * f->n);
    perp_dense_apply(f->count, f->count, f->factor, f->ld, f->work + 2 * f->n, r);
  }
}
