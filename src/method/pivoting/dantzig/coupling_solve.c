/* coupling_solve.c: the linear system of given index sets
 *
 *   A_CC x_C + A_CF x_F = r,   x_f = c_f x_j(f),
 *
 * with the factor of the symmetric part of A_CC at hand. Let J be the normals with sliding friction,
 * m of them, and u_j = sum of c_f A_Cf over the friction rows f of j. Then
 *
 *   x_C = z - Z t,   z = A_CC^-1 r,   Z = A_CC^-1 U,   (I + Z_J) t = z_J
 *
 * (Sherman and Morrison 1950, Woodbury 1950): m solves and a dense system in m unknowns, kept for
 * as long as the sets are. Where m is large, or A not symmetric, it is GMRES (Saad and Schultz 1986)
 * on A_CC^-1 (A_CC + U): the identity and a correction of rank m, so that a few steps do.
 *
 * Cost: 2 k^2 (m + 1), or 2 k^2 + 2 n |F| for each step of GMRES. Workspace: 31 n, and m^2. */
#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/dantzig/coupling.h"

enum { KRYLOV = PERP_COUPLING_VECTORS - 2, GROUP = PERP_ACTIVE_GROUP };

/* ---- A few normals: directly ---- */

/* J, in the order of C's positions: c->normal, and U by groups of columns, each k x GROUP. */
static void collect_normals(perp_coupling *c, int k)
{
  const perp_principal *e = &c->e;
  const perp_active *C = &e->active;
  const int *findex = c->p->K.findex;
  c->normals = 0;
  for (int f = 0; f < c->count; f++) {
    const int p = C->place[findex[c->rows[f]]];
    int m = 0;
    while (m < c->normals && c->normal[m] != p)
      m++;
    if (m == PERP_COUPLING_NORMALS) {
      c->normals = -1; /* too many */
      return;
    }
    double *u = c->krylov + (m / GROUP) * GROUP * (int64_t)k + m % GROUP;
    if (m == c->normals) {
      if (m % GROUP == 0)
        perp_fill(GROUP * (int64_t)k, 0, u);
      c->normal[c->normals++] = p;
    }
    const double *a = e->A + c->rows[f] * e->ld;
    for (int i = 0; i < k; i++)
      u[GROUP * i] += c->ratio[f] * a[C->index[i]];
  }
}

/* P (I + Z_J) = L U in place, rows exchanged for the greatest pivot. False where one is 0. */
static bool factor_normals(perp_coupling *c)
{
  const int m = c->normals;
  double(*S)[PERP_COUPLING_NORMALS] = c->schur;
  for (int p = 0; p < m; p++) {
    int best = p;
    for (int i = p + 1; i < m; i++)
      best = fabs(S[i][p]) > fabs(S[best][p]) ? i : best;
    c->exchange[p] = best;
    if (!(fabs(S[best][p]) > 1e-14))
      return false;
    for (int j = 0; j < m && best != p; j++) {
      const double t = S[p][j];
      S[p][j] = S[best][j];
      S[best][j] = t;
    }
    const double inverse = 1 / S[p][p];
    for (int i = p + 1; i < m; i++) {
      S[i][p] *= inverse;
      for (int j = p + 1; j < m; j++)
        S[i][j] -= S[i][p] * S[p][j];
    }
  }
  return true;
}

static void solve_normals(const perp_coupling *c, double *t)
{
  const int m = c->normals;
  for (int p = 0; p < m; p++) {
    const double swap = t[p];
    t[p] = t[c->exchange[p]];
    t[c->exchange[p]] = swap;
  }
  for (int i = 1; i < m; i++)
    for (int j = 0; j < i; j++)
      t[i] -= c->schur[i][j] * t[j];
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++)
      t[i] -= c->schur[i][j] * t[j];
    t[i] /= c->schur[i][i];
  }
}

static const double *z_at(const perp_coupling *c, int k, int m)
{
  return c->krylov + (m / GROUP) * GROUP * (int64_t)k + m % GROUP;
}

bool perp_coupling_prepare(perp_coupling *c)
{
  const int k = c->e.active.count;
  c->direct = false;
  if (c->skew || c->count == 0)
    return false;
  collect_normals(c, k);
  if (c->normals < 0)
    return false;
  for (int g = 0; g < c->normals; g += GROUP)
    perp_active_solve_group(&c->e.active, c->krylov + g * (int64_t)k);
  c->run->count.solves += c->normals;
  for (int i = 0; i < c->normals; i++)
    for (int j = 0; j < c->normals; j++)
      c->schur[i][j] = (i == j) + z_at(c, k, j)[GROUP * c->normal[i]];
  c->direct = factor_normals(c);
  return c->direct;
}

/* x_C = z - Z t, from z. */
static void solve_directly(const perp_coupling *c, double *r)
{
  const int k = c->e.active.count;
  double t[PERP_COUPLING_NORMALS];
  for (int m = 0; m < c->normals; m++)
    t[m] = r[c->normal[m]];
  solve_normals(c, t);
  for (int m = 0; m < c->normals; m++) {
    const double *z = z_at(c, k, m);
    for (int i = 0; i < k; i++)
      r[i] -= t[m] * z[GROUP * i];
  }
}

/* ---- Many: by GMRES ---- */

/* v <- A_CC^-1 (A_CC v + A_CF v_F) with v_f = c_f v_j, in the order of C. */
static void coupled_product(perp_coupling *c, double *v)
{
  perp_principal *e = &c->e;
  const perp_active *C = &e->active;
  const int *findex = c->p->K.findex;
  double *z = e->dw;
  if (c->skew) {
    for (int k = 0; k < C->count; k++)
      e->full[C->index[k]] = v[k];
    perp_coupling_follow(c, e->full);
    perp_run_apply(c->run, e->full, z);
    perp_fill(e->n, 0, e->full);
    for (int k = 0; k < C->count; k++)
      v[k] = z[C->index[k]];
    perp_active_solve(C, v);
  } else {
    for (int k = 0; k < c->count; k++)
      c->scratch[k] = c->ratio[k] * v[C->place[findex[c->rows[k]]]];
    perp_fill(e->n, 0, z);
    perp_rows_combine(c->count, c->rows, c->scratch, e->A, e->ld, e->span, z);
    for (int k = 0; k < C->count; k++)
      e->d[k] = z[C->index[k]];
    perp_active_solve(C, e->d);
    perp_axpy(C->count, 1, e->d, v);
  }
  c->run->count.solves++;
}

/* GMRES (Saad and Schultz 1986): r <- the solution of "product = r" down to `tol`. Rotations keep the Hessenberg matrix
 * triangular as it grows. */
static void solve_by_gmres(perp_coupling *c, double tol, double *r)
{
  const int k = c->e.active.count;
  double H[KRYLOV + 1][KRYLOV], cosine[KRYLOV], sine[KRYLOV], g[KRYLOV + 1];
  double *V = c->krylov;
  const double norm = perp_norm2(k, r);
  if (!(norm > 0))
    return;
  perp_copy(k, r, V);
  perp_multiply(k, 1 / norm, V);
  g[0] = norm;
  int m = 0;
  while (m < KRYLOV && m < k && fabs(g[m]) > tol * norm) {
    double *next = V + (m + 1) * (int64_t)k;
    perp_copy(k, V + m * (int64_t)k, next);
    coupled_product(c, next);
    for (int i = 0; i <= m; i++) {
      H[i][m] = perp_dot(k, V + i * (int64_t)k, next);
      perp_axpy(k, -H[i][m], V + i * (int64_t)k, next);
    }
    const double rest = sqrt(perp_dot(k, next, next));
    for (int i = 0; i < m; i++) {
      const double h = H[i][m];
      H[i][m] = cosine[i] * h + sine[i] * H[i + 1][m];
      H[i + 1][m] = cosine[i] * H[i + 1][m] - sine[i] * h;
    }
    const double radius = perp_hypot(H[m][m], rest);
    if (!(radius > 0))
      break;
    cosine[m] = H[m][m] / radius;
    sine[m] = rest / radius;
    H[m][m] = radius;
    g[m + 1] = -sine[m] * g[m];
    g[m] *= cosine[m];
    m++;
    if (!(rest > 0))
      break;
    perp_multiply(k, 1 / rest, next);
  }
  perp_fill(k, 0, r);
  for (int i = m - 1; i >= 0; i--) {
    for (int l = i + 1; l < m; l++)
      g[i] -= H[i][l] * g[l];
    g[i] /= H[i][i];
    perp_axpy(k, g[i], V + i * (int64_t)k, r);
  }
}

void perp_coupling_solve(perp_coupling *c, double tol, double *r)
{
  perp_active_solve(&c->e.active, r);
  c->run->count.solves++;
  if (c->direct)
    solve_directly(c, r);
  else if (c->count > 0 || c->skew)
    solve_by_gmres(c, tol, r);
}
