/* sparse_ldlt.c: L D L^T of a sparse symmetric matrix in a given order of elimination
 *
 * The factor is up-looking: row k of L solves a triangular system whose pattern is found by walking
 * up the elimination tree from the entries of row k (Liu 1990; Davis 2006),
 *
 *   L_11 z = a,   L_k = z / D,   D_k = K_kk - sum z_j^2 / D_j,
 *
 * in time proportional to the flops.
 *
 * At the end of the order L is full, or nearly. If this tail is long, its rows are eliminated by
 * the columns before it, which leaves their Schur complement S: a dense matrix, factored in blocks
 * of columns, whose updates are products of dense matrices.
 *
 * A diagonal entry may be infinite: its row and column of L are then 0, and so is its x, as if the
 * row were absent.
 *
 * Cost: the sum of squares of the columns of L. Workspace: L, and some vectors. */
#include "linalg/sparse_ldlt.h"

#include "linalg/dense.h"

enum { BLOCK = 48, LEAST_TAIL = 64 };

/* Stores the entries of row k left of the diagonal; only counts them if f->index is NULL. */
static int64_t lower_part(perp_sparse_ldlt *f, const perp_sparse *A, const int *rows,
                          const int *place, double *diagonal)
{
  int64_t count = 0;
  for (int k = 0; k < f->n; k++) {
    if (f->index)
      f->start[k] = count;
    for (int64_t e = A->start[rows[k]]; e < A->start[rows[k] + 1]; e++) {
      const int t = place[A->column[e]];
      if (f->index && t == k && diagonal)
        diagonal[k] += A->value[e];
      if (t < 0 || t >= k)
        continue;
      if (f->index) {
        f->index[count] = t;
        f->value[count] = A->value[e];
      }
      count++;
    }
  }
  if (f->index)
    f->start[f->n] = count;
  return count;
}

bool perp_sparse_ldlt_load(perp_sparse_ldlt *f, const perp_sparse *A, int n, const int *rows,
                           const int *place, double *diagonal, perp_arena *arena)
{
  const size_t size = (size_t)n;
  *f = (perp_sparse_ldlt){.n = n};
  const int64_t entries = lower_part(f, A, rows, place, NULL);
  if (!PERP_TAKE_INTEGERS(arena, size, &f->parent, &f->mark, &f->path, &f->pattern) ||
      !PERP_TAKE(arena, PERP_ARRAY(f->start, size + 1), PERP_ARRAY(f->L_start, size + 1),
                 PERP_ARRAY(f->next, size + 1)) ||
      !PERP_TAKE_ZERO_REALS(arena, size, &f->D, &f->z) ||
      !PERP_TAKE(arena, PERP_ARRAY(f->index, entries), PERP_ARRAY(f->value, entries)))
    return false;
  lower_part(f, A, rows, place, diagonal);
  return true;
}

void perp_sparse_ldlt_reload(perp_sparse_ldlt *f, const perp_sparse *A, const int *rows,
                             const int *place, double *diagonal)
{
  for (int k = 0; k < f->n; k++)
    diagonal[k] = 0;
  lower_part(f, A, rows, place, diagonal);
}

int64_t perp_sparse_ldlt_analyse(perp_sparse_ldlt *f, bool with_tail, int64_t most)
{
  int64_t fill = 0;
  for (int k = 0; k < f->n; k++) {
    f->parent[k] = -1;
    f->mark[k] = k;
    f->next[k] = 0;
    for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
      for (int j = f->index[e]; f->mark[j] != k; j = f->parent[j]) {
        if (f->parent[j] == -1)
          f->parent[j] = k;
        f->mark[j] = k;
        f->next[j]++;
        fill++;
      }
    if (fill > most)
      return fill;
  }
  fill = 0;
  /* the longest tail of which four fifths are full */
  f->head = f->n;
  double entries = 0;
  for (int j = f->n - 1; j >= 0 && with_tail; j--) {
    const double tail = f->n - j;
    entries += (double)f->next[j];
    if (entries >= 0.8 * 0.5 * tail * (tail - 1))
      f->head = j;
  }
  if (f->n - f->head < LEAST_TAIL)
    f->head = f->n;
  for (int k = 0; k < f->n; k++) {
    f->L_start[k] = fill;
    fill += k < f->head ? f->next[k] : 0;
  }
  f->L_start[f->n] = fill;
  return fill;
}

/* Writes the columns of row k of L before the tail to f->row, from `at`, each after its descendants in
 * the tree. Returns their end. */
static int64_t find_row(perp_sparse_ldlt *f, int k, int64_t at)
{
  int top = f->n;
  f->mark[k] = k;
  for (int64_t e = f->start[k]; e < f->start[k + 1]; e++) {
    int length = 0;
    for (int j = f->index[e]; j < f->head && f->mark[j] != k; j = f->parent[j]) {
      f->path[length++] = j;
      f->mark[j] = k;
    }
    while (length > 0)
      f->pattern[--top] = f->path[--length];
  }
  for (; top < f->n; top++)
    f->row[at++] = f->pattern[top];
  return at;
}

bool perp_sparse_ldlt_take(perp_sparse_ldlt *f, int64_t fill, perp_arena *arena)
{
  const size_t tail = (size_t)(f->n - f->head);
  if (!PERP_TAKE(arena, PERP_ARRAY(f->L_index, fill), PERP_ARRAY(f->L_value, fill),
                 PERP_ARRAY(f->row_start, f->n + 1), PERP_ARRAY(f->row, fill),
                 PERP_ARRAY(f->S, tail * tail), PERP_ARRAY(f->Z, BLOCK * tail)))
    return false;
  for (int k = 0; k < f->n; k++) {
    f->next[k] = f->L_start[k];
    f->mark[k] = -1;
  }
  f->row_start[0] = 0;
  for (int k = 0; k < f->n; k++) {
    f->row_start[k + 1] = find_row(f, k, f->row_start[k]);
    for (int64_t i = f->row_start[k]; i < f->row_start[k + 1]; i++)
      f->L_index[f->next[f->row[i]]++] = k;
  }
  return true;
}

/* z <- z - L_j z_j for column j = pattern[0] of L, or for it and the next three together if the four
 * have the same rows below them: one pass over z in place of four, with the same sums. Returns the
 * number of columns. */
static int subtract_columns(perp_sparse_ldlt *f, const int *pattern, int64_t length)
{
  enum { WIDTH = 4 };
  const int j = pattern[0];
  const int64_t *start = f->L_start + j, count = f->next[j] - start[0];
  double *z = f->z;
  int width = WIDTH <= length ? 1 : WIDTH + 1;
  while (width < WIDTH && pattern[width] == j + width && f->parent[j + width - 1] == j + width &&
         f->next[j + width] - start[width] == count - width)
    width++;
  if (width != WIDTH) {
    for (int64_t e = start[0]; e < start[0] + count; e++)
      z[f->L_index[e]] -= f->L_value[e] * z[j];
    return 1;
  }
  const double *L[WIDTH];
  for (int c = 0; c < WIDTH; c++) {
    L[c] = f->L_value + start[c];
    for (int r = c + 1; r < WIDTH; r++)
      z[j + r] -= *L[c]++ * z[j + c];
  }
  const double z0 = z[j], z1 = z[j + 1], z2 = z[j + 2], z3 = z[j + 3];
  const int *row = f->L_index + start[3];
  for (int64_t e = 0; e < count - 3; e++)
    z[row[e]] = (((z[row[e]] - L[0][e] * z0) - L[1][e] * z1) - L[2][e] * z2) - L[3][e] * z3;
  return WIDTH;
}

/* Eliminates columns b0 .. b1-1 of S, the earlier columns being done; row r of S is S + r * t.
 * Until a column is divided by its pivot it holds z = l D, and l z is 0 if D is infinite. */
static bool eliminate_block(perp_sparse_ldlt *f, const double *diagonal, perp_pivot_rule rule,
                            void *context, int b0, int b1)
{
  const int t = f->n - f->head;
  double *S = f->S, *D = f->D + f->head;
  for (int c = b0; c < b1; c++) {
    D[c] = S[(int64_t)c * t + c];
    if (!rule(context, f->head + c, diagonal[f->head + c], &D[c]))
      return false;
    for (int r = c + 1; r < b1; r++) {
      double *row = S + (int64_t)r * t;
      const double l = row[c] / D[c];
      for (int q = c + 1; q <= r; q++)
        row[q] -= l * S[(int64_t)q * t + c];
    }
  }
  for (int r = b0; r < b1; r++)
    for (int c = b0; c < r; c++)
      S[(int64_t)r * t + c] /= D[c];
  /* the rows below: z by the triangle of the block */
  for (int r = b1; r < t; r++) {
    double *row = S + (int64_t)r * t;
    for (int c = b0; c < b1; c++) {
      const double *L = S + (int64_t)c * t;
      double z = row[c];
      for (int q = b0; q < c; q++)
        z -= L[q] * row[q];
      row[c] = z;
    }
    for (int c = b0; c < b1; c++) {
      f->Z[(int64_t)(c - b0) * t + r] = row[c];
      row[c] /= D[c];
    }
  }
  /* S <- S - L Z, the lower triangle by strips of rows */
  for (int r = b1; r < t; r += BLOCK) {
    const int end = r + BLOCK < t ? r + BLOCK : t;
    perp_dense_subtract_product(end - r, end - b1, b1 - b0, S + (int64_t)r * t + b0, t, f->Z + b1,
                                t, S + (int64_t)r * t + b1, t);
  }
  return true;
}

bool perp_sparse_ldlt_factorise(perp_sparse_ldlt *f, const double *diagonal, perp_pivot_rule rule,
                                void *context, const perp_alarm *alarm)
{
  const int t = f->n - f->head;
  for (int k = 0; k < f->n; k++)
    f->next[k] = f->L_start[k];
  for (int k = 0; k < f->n; k++) {
    if (alarm && perp_alarm_rings_at(alarm, k))
      return false;
    double pivot = diagonal[k];
    for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
      f->z[f->index[e]] = f->value[e];
    const int *const end_of_row = f->row + f->row_start[k + 1];
    for (const int *at = f->row + f->row_start[k]; at < end_of_row;) {
      const int j = at[0], width = subtract_columns(f, at, end_of_row - at);
      at += width;
      for (int c = j; c < j + width; c++) {
        const int64_t end = f->next[c]++;
        const double z = f->z[c], l = z / f->D[c];
        f->z[c] = 0;
        pivot -= l * z;
        f->L_value[end] = l;
      }
    }
    if (k < f->head) {
      if (!rule(context, k, diagonal[k], &pivot))
        return false;
      f->D[k] = pivot;
      continue;
    }
    double *row = f->S + (int64_t)(k - f->head) * t;
    for (int j = f->head; j < k; j++) {
      row[j - f->head] = f->z[j];
      f->z[j] = 0;
    }
    row[k - f->head] = pivot;
  }
  for (int b = 0; b < t; b += BLOCK) {
    if (alarm && alarm->rings && alarm->rings(alarm->context))
      return false;
    if (!eliminate_block(f, diagonal, rule, context, b, b + BLOCK < t ? b + BLOCK : t))
      return false;
  }
  return true;
}

void perp_sparse_ldlt_solve(const perp_sparse_ldlt *f, double *p)
{
  const int head = f->head, t = f->n - head;
  for (int k = 0; k < head; k++) {
    const double pk = p[k];
    for (int64_t e = f->L_start[k]; e < f->L_start[k + 1]; e++)
      p[f->L_index[e]] -= f->L_value[e] * pk;
  }
  if (t > 0) {
    perp_unit_lower_solve(t, f->S, t, p + head);
    for (int k = head; k < f->n; k++)
      p[k] /= f->D[k];
    perp_unit_lower_solve_t(t, f->S, t, p + head);
  }
  for (int k = head - 1; k >= 0; k--) {
    double pk = p[k] / f->D[k];
    for (int64_t e = f->L_start[k]; e < f->L_start[k + 1]; e++)
      pk -= f->L_value[e] * p[f->L_index[e]];
    p[k] = pk;
  }
}

/* L_11^T d_1 = -L_k^T: the rows before k are eliminated exactly, so d^T A d = D_k. */
void perp_sparse_ldlt_direction(const perp_sparse_ldlt *f, int at, double *p)
{
  const int head = f->head, t = f->n - head;
  for (int k = f->n - 1; k >= 0; k--) {
    p[k] = k == at;
    for (int r = k + 1; k >= head && r <= at; r++)
      p[k] -= f->S[(int64_t)(r - head) * t + k - head] * p[r];
    for (int64_t e = f->L_start[k]; e < f->L_start[k + 1] && k < at && k < head; e++)
      if (f->L_index[e] <= at)
        p[k] -= f->L_value[e] * p[f->L_index[e]];
  }
}
