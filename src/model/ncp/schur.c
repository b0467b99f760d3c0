/* schur.c: systems in which most unknowns are coupled only to a few others
 *
 * In models of markets, flows x are coupled to prices but not to each other. With I a set of rows of which
 * no two are coupled, and C the rest,
 *
 *   S = K_CC - K_CI K_II^-1 K_IC,   K = J + diag(shift),   K_II diagonal
 *
 * is small and dense: 100,000 flows between 300 towns leave 600 prices, whose factor takes a tenth of
 * a second; a sparse LU takes seconds. K_II may have small pivots, as the normal equations
 * of a linear program have, so that solutions are refined. */
#include "linalg/dense.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "model/ncp/run.h"

enum { DENSE_MOST = 2500, SHORT_ROW = 8 };

struct perp_ncp_schur {
  int m;         /* rows of C */
  int *place;    /* n: in C; -1: in I */
  int *rows;     /* m */
  double *pivot; /* n: K_ii of I */
  double *S;     /* m x m */
  double *right; /* m */
  double *b, *r; /* n: a right side and its residual */
  const double *shift;
  int *swap;
  perp_lu lu;
};

/* Chooses I greedily; returns the number of rows left. */
static int choose(const perp_ncp_run *run, int *place)
{
  enum { OPEN = 0, CHOSEN = -1, REST = 1 };
  const int64_t *start = run->p.start;
  int rest = 0;
  perp_fill_integers(run->n, OPEN, place);
  for (int i = 0; i < run->n; i++) {
    bool fine = place[i] == OPEN && start[i + 1] - start[i] <= SHORT_ROW &&
                (run->lo[i] > -INFINITY || run->hi[i] < INFINITY);
    for (int64_t e = start[i]; fine && e < start[i + 1]; e++)
      fine = run->p.column[e] == i || place[run->p.column[e]] != CHOSEN;
    if (!fine) {
      place[i] = REST;
      continue;
    }
    place[i] = CHOSEN;
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (run->p.column[e] != i)
        place[run->p.column[e]] = REST;
  }
  for (int i = 0; i < run->n; i++)
    place[i] = place[i] == CHOSEN ? -1 : rest++;
  return rest;
}

perp_ncp_schur *perp_ncp_schur_open(perp_ncp_run *run)
{
  const size_t n = (size_t)run->n;
  perp_ncp_schur *s = perp_arena_alloc_zero(&run->memory, 1, sizeof *s);
  if (!run->p.start || !s || !PERP_TAKE(&run->memory, PERP_ARRAY(s->place, n)))
    return NULL;
  s->m = choose(run, s->place);
  const size_t m = (size_t)s->m;
  if (s->m > DENSE_MOST || 4 * (int64_t)s->m > run->n ||
      !PERP_TAKE_REALS(&run->memory, n, &s->pivot, &s->b, &s->r) ||
      !PERP_TAKE(&run->memory, PERP_ARRAY(s->rows, m), PERP_ARRAY(s->swap, m),
                 PERP_ARRAY(s->right, m), PERP_ARRAY(s->S, m * m)))
    return NULL;
  for (int i = 0; i < run->n; i++)
    if (s->place[i] >= 0)
      s->rows[s->place[i]] = i;
  return s;
}

bool perp_ncp_schur_factor(perp_ncp_run *run, perp_ncp_schur *s, const double *shift)
{
  const int64_t *start = run->p.start;
  const int *column = run->p.column;
  s->shift = shift;
  for (int i = 0; i < run->n; i++) {
    s->pivot[i] = shift[i];
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      s->pivot[i] += column[e] == i ? run->J[e] : 0;
    if (s->place[i] < 0 && !(fabs(s->pivot[i]) > 1e-12))
      return false;
  }
  perp_fill((int64_t)s->m * s->m, 0, s->S);
  for (int k = 0; k < s->m; k++) {
    const int i = s->rows[k];
    double *row = s->S + (int64_t)k * s->m;
    row[k] += shift[i];
    for (int64_t e = start[i]; e < start[i + 1]; e++) {
      const int j = column[e];
      if (s->place[j] >= 0) {
        row[s->place[j]] += run->J[e];
        continue;
      }
      const double factor = run->J[e] / s->pivot[j];
      for (int64_t t = start[j]; t < start[j + 1]; t++)
        if (column[t] != j)
          row[s->place[column[t]]] -= factor * run->J[t];
    }
  }
  s->lu = perp_lu_factor(s->m, s->S, s->m, s->swap);
  return s->lu.singular < 0;
}

/* d <- K^-1 d */
static void solve_once(perp_ncp_run *run, perp_ncp_schur *s, double *d)
{
  const int64_t *start = run->p.start;
  const int *column = run->p.column;
  for (int k = 0; k < s->m; k++) {
    const int i = s->rows[k];
    s->right[k] = d[i];
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (s->place[column[e]] < 0)
        s->right[k] -= run->J[e] * (d[column[e]] / s->pivot[column[e]]);
  }
  perp_lu_solve(&s->lu, s->right);
  for (int i = 0; i < run->n; i++) {
    if (s->place[i] >= 0)
      continue;
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (column[e] != i)
        d[i] -= run->J[e] * s->right[s->place[column[e]]];
    d[i] /= s->pivot[i];
  }
  for (int k = 0; k < s->m; k++)
    d[s->rows[k]] = s->right[k];
}

bool perp_ncp_schur_solve(perp_ncp_run *run, perp_ncp_schur *s, double *d)
{
  enum { REFINEMENTS = 2 };
  perp_copy(run->n, d, s->b);
  solve_once(run, s, d);
  for (int k = 0; k < REFINEMENTS; k++) {
    for (int i = 0; i < run->n; i++)
      s->r[i] = s->shift[i] * d[i] - s->b[i];
    perp_csr_add(run->n, run->p.start, run->p.column, run->J, d, s->r);
    perp_multiply(run->n, -1, s->r);
    solve_once(run, s, s->r);
    perp_axpy(run->n, 1, s->r, d);
  }
  return perp_all_finite(run->n, d);
}
