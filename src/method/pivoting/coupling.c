/* coupling.c: friction bounds that follow their normals, on given index sets
 *
 * With C the rows inside their bounds, F the friction rows at a bound whose normal j(f) is in C,
 * and N all others, which stand still,
 *
 *   A_CC x_C + A_CF x_F + A_CN x_N + b_C = 0,   x_f = c_f x_j(f),   c_f = +-lo_f or +-hi_f
 *
 * is a linear system in x_C. It is solved by GMRES (Saad and Schultz 1986) with the factor of the
 * symmetric part of A_CC in front: the preconditioned matrix is the identity and a correction whose
 * rank is the number of normals with sliding friction, so that a few steps do.
 *
 * A block principal pivot takes the sets from where x - y / A_ii lies, solves this system, and so
 * on: Newton's method on the natural map (Pang 1990; for the LCP Kostreva 1978). When the sets are
 * those of a solution one step ends there. It need not get there, which is what pivoting with
 * frozen bounds is for.
 *
 * Cost of a step: k^3/3 for a new factor, or k^2 for each row that comes or goes; 2 k^2 + 2 n |F|
 * for each step of GMRES; 2 n for each row that moves. Workspace: 40 n. */
#include "method/pivoting/coupling.h"

#include "linalg/rows.h"
#include "linalg/vector.h"
#include "problem/set.h"

/* Up to so many rows a set is solved to rounding at once, beyond only when it has stood a test. */
enum { KRYLOV = 30, CLOSELY = 100 };

perp_error perp_coupling_create(perp_run *run, const perp_problem *p, double *x, perp_coupling *c)
{
  *c = (perp_coupling){.run = run, .p = p};
  const perp_error error = perp_principal_create(run, x, &c->e);
  if (error)
    return error;
  c->skew = c->e.A != c->e.A_true;
  c->coupled = c->skew || perp_set_form(&p->K) == PERP_FORM_FINDEX;
  const size_t n = (size_t)p->K.n;
  double *reals = perp_run_reals(run, (size_t)(c->coupled ? KRYLOV + 8 : 7) * n);
  int *integers = perp_run_integers(run, 2 * n);
  if (!reals || !integers)
    return perp_run_no_memory(run);
  c->point = reals;
  c->y = reals + n;
  c->scratch = reals + 2 * n;
  c->r = reals + 3 * n;
  c->ratio = reals + 4 * n;
  c->best = reals + 5 * n;
  c->before = reals + 6 * n;
  c->krylov = reals + 7 * n;
  c->side = integers;
  c->rows = integers + n;
  return PERP_OK;
}

void perp_coupling_freeze(perp_coupling *c)
{
  perp_principal *e = &c->e;
  for (int i = 0; i < e->n; i++)
    perp_row_bounds(&c->p->K, e->x, i, &e->lo[i], &e->hi[i]);
  perp_principal_freeze(e);
  if (c->skew)
    perp_principal_refresh(e);
}

/* ---- Sweeps ---- */

static double clamp(double z, double lo, double hi)
{
  return z < lo ? lo : z > hi ? hi : z;
}

static int side_of(double z, double lo, double hi)
{
  return z <= lo ? -1 : z >= hi ? 1 : 0;
}

/* The relaxed value of row i; a row without a diagonal goes to the bound that w points to. */
static double relaxed(const perp_principal *e, int i, double lo, double hi)
{
  const double a = e->A[i * (e->ld + 1)];
  if (a > 0)
    return clamp(e->x[i] - e->w[i] / a, lo, hi);
  const double bound = e->w[i] > 0 ? lo : e->w[i] < 0 ? hi : e->x[i];
  return isinf(bound) ? e->x[i] : bound;
}

bool perp_coupling_sweep(perp_coupling *c, int sweeps, bool guess)
{
  perp_principal *e = &c->e;
  int quiet = -1; /* sweeps since a side changed; the first tells nothing */
  for (int k = 0; k < sweeps && !(guess && quiet >= 2); k++) {
    bool changed = k == 0;
    for (int i = 0; i < e->n; i++) {
      double lo, hi;
      perp_row_bounds(&c->p->K, e->x, i, &lo, &hi);
      const double to = relaxed(e, i, lo, hi), step = to - e->x[i];
      const int side = side_of(to, lo, hi);
      changed = changed || side != c->side[i];
      c->side[i] = side;
      if (step != 0) {
        perp_axpy(e->n, step, e->A + i * e->ld, e->w);
        e->x[i] = to;
      }
    }
    c->run->count.sweeps++;
    quiet = changed ? 0 : quiet + 1;
    if (perp_principal_expired(e))
      break;
  }
  return quiet >= 1;
}

/* ---- The linear system of the sets ---- */

/* F, and c_f. */
static void collect_friction(perp_coupling *c)
{
  const perp_principal *e = &c->e;
  const perp_set *K = &c->p->K;
  c->count = 0;
  if (!K->findex)
    return;
  for (int i = 0; i < e->n; i++) {
    const int j = K->findex[i];
    if (j < 0 || c->side[i] == 0 || e->active.place[j] < 0)
      continue;
    const double bound = c->side[i] < 0 ? perp_set_lo(K, i) : perp_set_hi(K, i);
    if (isinf(bound))
      continue;
    c->rows[c->count] = i;
    c->ratio[c->count++] = e->x[j] < 0 ? -bound : bound;
  }
}

static void follow_normals(const perp_coupling *c, double *x)
{
  const int *findex = c->p->K.findex;
  for (int k = 0; k < c->count; k++)
    x[c->rows[k]] = c->ratio[k] * x[findex[c->rows[k]]];
}

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
    follow_normals(c, e->full);
    perp_run_apply(c->run, e->full, z);
    perp_fill(e->n, 0, e->full);
    for (int k = 0; k < C->count; k++)
      v[k] = z[C->index[k]];
    perp_active_solve(C, v);
  } else {
    for (int k = 0; k < c->count; k++)
      c->scratch[k] = c->ratio[k] * v[C->place[findex[c->rows[k]]]];
    perp_fill(e->n, 0, z);
    perp_rows_combine(e->n, c->count, c->rows, c->scratch, e->A, e->ld, z);
    for (int k = 0; k < C->count; k++)
      e->d[k] = z[C->index[k]];
    perp_active_solve(C, e->d);
    perp_axpy(C->count, 1, e->d, v);
  }
  c->run->count.solves++;
}

/* GMRES: r <- the solution of "product = r" down to `tol`. Rotations keep the Hessenberg matrix
 * triangular as it grows. */
static void coupled_solve(perp_coupling *c, double tol, double *r)
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
    const double radius = hypot(H[m][m], rest);
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

/* y <- A point + b. Where A is symmetric: from the y of c->before by the rows that differ, or, where
 * those are no fewer than the rows that are not 0, from scratch, which forgets old rounding. */
static void carry_y(perp_coupling *c)
{
  perp_principal *e = &c->e;
  const int n = e->n;
  int moved = 0, present = 0;
  for (int i = 0; i < n; i++) {
    moved += c->point[i] != c->before[i];
    present += c->point[i] != 0;
  }
  c->run->count.applies++;
  if (c->skew) {
    perp_copy(n, c->point, c->before);
    perp_run_gradient(c->run, c->point, c->y);
    return;
  }
  const bool anew = present <= moved;
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double step = anew ? c->point[i] : c->point[i] - c->before[i];
    if (step != 0) {
      e->list[count] = i;
      e->dw[count++] = step;
    }
    c->before[i] = c->point[i];
  }
  if (anew)
    perp_copy(n, e->b, c->y);
  perp_rows_combine(n, count, e->list, e->dw, e->A, e->ld, c->y);
}

/* r <- -y_C; returns max |y_i| over what counts as zero. */
static double defect(const perp_coupling *c, double *r)
{
  const perp_active *C = &c->e.active;
  double worst = 0;
  for (int k = 0; k < C->count; k++) {
    const int i = C->index[k];
    r[k] = -c->y[i];
    worst = fmax(worst, fabs(r[k]) / c->e.slack[i]);
  }
  return worst;
}

/* point <- the solution of the system with the rows outside C and F as they stand there; y with it.
 * Closely: to rounding, by refinement. */
static void solve_sets(perp_coupling *c, bool closely)
{
  const perp_active *C = &c->e.active;
  collect_friction(c);
  follow_normals(c, c->point);
  carry_y(c);
  double before = INFINITY, worst = defect(c, c->r);
  while (worst > 4 && worst < 0.1 * before) {
    perp_active_solve(C, c->r);
    c->run->count.solves++;
    if (c->count > 0 || c->skew)
      coupled_solve(c, closely ? 1e-12 : 1e-4, c->r);
    for (int k = 0; k < C->count; k++)
      c->point[C->index[k]] += c->r[k];
    follow_normals(c, c->point);
    carry_y(c);
    before = worst;
    worst = defect(c, c->r);
    if (!closely)
      break;
  }
}

/* ---- Block principal pivots ---- */

/* The sides that the natural map says, with friction bounds at the projected normals; the engine's
 * x and the point are taken to them. Returns whether any side is new. */
static bool take_sides(perp_coupling *c)
{
  perp_principal *e = &c->e;
  const perp_set *K = &c->p->K;
  bool changed = false;
  perp_copy(e->n, c->point, c->before);
  perp_copy(e->n, c->point, e->x);
  perp_set_project(K, e->x, e->x);
  for (int i = 0; i < e->n; i++) {
    double *lo = &e->lo[i], *hi = &e->hi[i];
    perp_row_bounds(K, e->x, i, lo, hi);
    const double a = e->A[i * (e->ld + 1)];
    const double z = a > 0 ? c->point[i] - c->y[i] / a : c->point[i] - c->y[i];
    const int side = side_of(z, *lo, *hi);
    changed = changed || side != c->side[i];
    c->side[i] = side;
  }
  for (int i = 0; i < e->n; i++)
    c->point[i] = e->x[i] = c->side[i] < 0 ? e->lo[i] : c->side[i] > 0 ? e->hi[i] : e->x[i];
  return changed;
}

double perp_coupling_step(perp_coupling *c)
{
  const bool changed = take_sides(c);
  if (changed)
    perp_principal_assign(&c->e, c->side);
  perp_principal_measure(&c->e);
  const bool closely = !changed || c->e.n <= CLOSELY;
  solve_sets(c, closely);
  double residual = perp_residual(c->p, c->point, c->y);
  if (!closely && residual <= c->run->target) {
    solve_sets(c, true);
    residual = perp_residual(c->p, c->point, c->y);
  }
  return residual;
}
