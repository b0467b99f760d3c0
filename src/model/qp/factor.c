/* factor.c: L D L^T of a symmetric quasi-definite matrix, of which only the diagonal changes
 *
 *   K = ( P + E   G^T )       E, F > 0,
 *       ( G       -F  )
 *
 * has such a factor for every order of its rows, without exchanges (Vanderbei 1995), and D has the
 * signs of the diagonal: + in rows of P, - in rows of G. So the order is chosen for little fill
 * once, and pattern, tree and columns of L stay. The factor is up-looking: row k of L solves a
 * triangular system whose pattern is found by walking up the elimination tree (Liu 1990; Davis 2006),
 *
 *   L_11 z = a,   L_k = z / D,   D_k = K_kk - sum z_j^2 / D_j.
 *
 * At the end of the order L is full, or nearly. Rows of this tail, if it is long, are eliminated so
 * far as the columns before it go, which leaves their Schur complement S; that is a dense matrix, and
 * is factored in blocks of columns, whose updates are products of dense matrices.
 *
 * A diagonal entry may be infinite: its row and column of L are then 0, and so is its x, as if the
 * row were not there. That is how active sets change without another pattern.
 *
 * Cost: the sum of squares of the columns of L. Workspace: L, and some vectors. */
#include "model/qp/qp.h"

#include "base/elementary.h"
#include "linalg/dense.h"

enum { BLOCK = 48, LEAST_TAIL = 64 };

struct perp_qp_factor {
  int n;
  int head;           /* columns before the tail; n: there is none */
  int *order, *place; /* */
  int64_t *start;     /* entries of row k left of the diagonal, in the order of elimination */
  int *index;         /* */
  double *value;      /* */
  int *parent;        /* */
  int64_t *L_start;   /* columns of L below the diagonal */
  int *L_index;       /* */
  double *L_value;    /* */
  double *D;          /* */
  int64_t *next;      /* scratch */
  int *mark, *path, *pattern;
  double *z, *permuted;
  double *S; /* tail x tail: S, then L of the tail below its diagonal */
  double *Z; /* BLOCK x tail: scratch */
};

/* The entries of row k left of the diagonal; only counts if index is NULL. */
static int64_t lower_part(const perp_qp_rows *A, const int *order, const int *place, int64_t *start,
                          int *index, double *value)
{
  int64_t count = 0;
  for (int k = 0; k < A->rows; k++) {
    if (index)
      start[k] = count;
    for (int64_t e = A->start[order[k]]; e < A->start[order[k] + 1]; e++) {
      const int t = place[A->column[e]];
      if (t >= k)
        continue;
      if (index) {
        index[count] = t;
        value[count] = A->value[e];
      }
      count++;
    }
  }
  if (index)
    start[A->rows] = count;
  return count;
}

/* The tree, and where the columns of L begin; returns the entries of those before the tail. */
static int64_t analyse(perp_qp_factor *f)
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
      }
  }
  /* the longest tail of which four fifths are full */
  f->head = f->n;
  double entries = 0;
  for (int j = f->n - 1; j >= 0; j--) {
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

perp_qp_factor *perp_qp_factor_create(const perp_qp_rows *A, perp_arena *arena)
{
  const size_t n = (size_t)A->rows;
  perp_qp_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f ||
      !PERP_TAKE_INTEGERS(arena, n, &f->order, &f->place, &f->parent, &f->mark, &f->path,
                          &f->pattern) ||
      !PERP_TAKE(arena, PERP_ARRAY(f->start, n + 1), PERP_ARRAY(f->L_start, n + 1),
                 PERP_ARRAY(f->next, n + 1)) ||
      !PERP_TAKE_ZERO_REALS(arena, n, &f->D, &f->z, &f->permuted) ||
      !perp_qp_order(A->rows, A->start, A->column, f->order))
    return NULL;
  f->n = A->rows;
  for (int k = 0; k < f->n; k++)
    f->place[f->order[k]] = k;
  const int64_t entries = lower_part(A, f->order, f->place, NULL, NULL, NULL);
  if (!PERP_TAKE(arena, PERP_ARRAY(f->index, entries), PERP_ARRAY(f->value, entries)))
    return NULL;
  lower_part(A, f->order, f->place, f->start, f->index, f->value);
  const int64_t fill = analyse(f);
  const size_t tail = (size_t)(f->n - f->head);
  if (!PERP_TAKE(arena, PERP_ARRAY(f->L_index, fill), PERP_ARRAY(f->L_value, fill),
                 PERP_ARRAY(f->S, tail * tail), PERP_ARRAY(f->Z, BLOCK * tail)))
    return NULL;
  return f;
}

/* The nonzeros of row k of L before the tail: pattern[top ..] lists each after those below it in the
 * tree. */
static int row_pattern(perp_qp_factor *f, int k)
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
  return top;
}

/* What a factorisation is asked for, and what it found. */
typedef struct {
  const signed char *sign;
  double least, replace;
  int replaced, first;
} pivoting;

/* The pivot of row k, replaced if its sign is wrong. */
static double take_pivot(const perp_qp_factor *f, pivoting *p, int k, double pivot)
{
  const int row = f->order[k];
  if (p->sign[row] * pivot > p->least)
    return pivot;
  if (p->replaced++ == 0)
    p->first = row;
  return p->sign[row] * p->replace;
}

/* Columns b0 .. b1-1 of S, of which the columns before are done; row r of S is S + r * t. Until a
 * column is divided by its pivot it holds z = l D, and l z is 0 if D is infinite. */
static void eliminate_block(perp_qp_factor *f, pivoting *p, int b0, int b1)
{
  const int t = f->n - f->head;
  double *S = f->S, *D = f->D + f->head;
  for (int c = b0; c < b1; c++) {
    D[c] = take_pivot(f, p, f->head + c, S[(int64_t)c * t + c]);
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
}

int perp_qp_factorise(perp_qp_factor *f, const double *diagonal, const signed char *sign,
                      double least, double replace, const perp_alarm *alarm, int *first)
{
  pivoting p = {.sign = sign, .least = least, .replace = replace};
  const int t = f->n - f->head;
  for (int k = 0; k < f->n; k++) {
    f->next[k] = f->L_start[k];
    f->mark[k] = -1;
  }
  for (int k = 0; k < f->n; k++) {
    if (perp_alarm_rings_at(alarm, k))
      return -1;
    const int top = row_pattern(f, k);
    double pivot = diagonal[f->order[k]];
    for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
      f->z[f->index[e]] = f->value[e];
    for (int i = top; i < f->n; i++) {
      const int j = f->pattern[i];
      const int64_t end = f->next[j]++;
      const double z = f->z[j], l = z / f->D[j];
      f->z[j] = 0;
      for (int64_t e = f->L_start[j]; e < end; e++)
        f->z[f->L_index[e]] -= f->L_value[e] * z;
      pivot -= l * z;
      f->L_index[end] = k;
      f->L_value[end] = l;
    }
    if (k < f->head) {
      f->D[k] = take_pivot(f, &p, k, pivot);
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
    if (alarm->rings && alarm->rings(alarm->context))
      return -1;
    eliminate_block(f, &p, b, b + BLOCK < t ? b + BLOCK : t);
  }
  if (p.replaced > 0 && first)
    *first = p.first;
  return p.replaced;
}

void perp_qp_factor_solve(perp_qp_factor *f, double *x)
{
  const int head = f->head, t = f->n - head;
  double *p = f->permuted;
  for (int k = 0; k < f->n; k++)
    p[k] = x[f->order[k]];
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
  for (int k = 0; k < f->n; k++)
    x[f->order[k]] = p[k];
}

/* L_11^T d_1 = -L_k^T: the rows before k are eliminated exactly, so d^T A d = D_k. */
void perp_qp_factor_direction(perp_qp_factor *f, int first, double *d)
{
  const int at = f->place[first], head = f->head, t = f->n - head;
  double *p = f->permuted;
  for (int k = f->n - 1; k >= 0; k--) {
    p[k] = k == at;
    for (int r = k + 1; k >= head && r <= at; r++)
      p[k] -= f->S[(int64_t)(r - head) * t + k - head] * p[r];
    for (int64_t e = f->L_start[k]; e < f->L_start[k + 1] && k < at && k < head; e++)
      if (f->L_index[e] <= at)
        p[k] -= f->L_value[e] * p[f->L_index[e]];
  }
  for (int k = 0; k < f->n; k++)
    d[f->order[k]] = p[k];
}
