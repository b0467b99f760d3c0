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
 * A diagonal entry may be infinite: its row and column of L are then 0, and so is its x, as if the
 * row were not there. That is how active sets change without another pattern.
 *
 * Cost: the sum of squares of the columns of L. Workspace: L, and some vectors. */
#include "model/qp/qp.h"

#include "base/elementary.h"

struct perp_qp_factor {
  int n;
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

/* The tree, and where the columns of L begin. */
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
  for (int k = 0; k < f->n; k++) {
    f->L_start[k] = fill;
    fill += f->next[k];
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
  if (!PERP_TAKE(arena, PERP_ARRAY(f->L_index, fill), PERP_ARRAY(f->L_value, fill)))
    return NULL;
  return f;
}

/* The nonzeros of row k of L: pattern[top ..] lists each after those below it in the tree. */
static int row_pattern(perp_qp_factor *f, int k)
{
  int top = f->n;
  f->mark[k] = k;
  for (int64_t e = f->start[k]; e < f->start[k + 1]; e++) {
    int length = 0;
    for (int j = f->index[e]; f->mark[j] != k; j = f->parent[j]) {
      f->path[length++] = j;
      f->mark[j] = k;
    }
    while (length > 0)
      f->pattern[--top] = f->path[--length];
  }
  return top;
}

int perp_qp_factorise(perp_qp_factor *f, const double *diagonal, const signed char *sign,
                      double least, double replace, const perp_alarm *alarm, int *first)
{
  int replaced = 0;
  for (int k = 0; k < f->n; k++) {
    f->next[k] = f->L_start[k];
    f->mark[k] = -1;
  }
  for (int k = 0; k < f->n; k++) {
    if (perp_alarm_rings_at(alarm, k))
      return -1;
    const int row = f->order[k], top = row_pattern(f, k);
    double pivot = diagonal[row];
    for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
      f->z[f->index[e]] = f->value[e];
    for (int t = top; t < f->n; t++) {
      const int j = f->pattern[t];
      const int64_t end = f->next[j]++;
      const double z = f->z[j], l = z / f->D[j];
      f->z[j] = 0;
      for (int64_t e = f->L_start[j]; e < end; e++)
        f->z[f->L_index[e]] -= f->L_value[e] * z;
      pivot -= l * z;
      f->L_index[end] = k;
      f->L_value[end] = l;
    }
    if (!(sign[row] * pivot > least)) {
      if (replaced++ == 0 && first)
        *first = row;
      pivot = sign[row] * replace;
    }
    f->D[k] = pivot;
  }
  return replaced;
}

void perp_qp_factor_solve(perp_qp_factor *f, double *x)
{
  double *p = f->permuted;
  for (int k = 0; k < f->n; k++)
    p[k] = x[f->order[k]];
  for (int k = 0; k < f->n; k++) {
    const double pk = p[k];
    for (int64_t e = f->L_start[k]; e < f->L_start[k + 1]; e++)
      p[f->L_index[e]] -= f->L_value[e] * pk;
  }
  for (int k = f->n - 1; k >= 0; k--) {
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
  const int at = f->place[first];
  double *p = f->permuted;
  for (int k = f->n - 1; k >= 0; k--) {
    p[k] = k == at;
    for (int64_t e = f->L_start[k]; e < f->L_start[k + 1] && k < at; e++)
      if (f->L_index[e] <= at)
        p[k] -= f->L_value[e] * p[f->L_index[e]];
  }
  for (int k = 0; k < f->n; k++)
    d[f->order[k]] = p[k];
}

int64_t perp_qp_factor_fill(const perp_qp_factor *f)
{
  return f->L_start[f->n];
}
