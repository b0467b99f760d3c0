/* coupling.c: friction bounds that follow their normals, on given index sets
 *
 * With C the rows inside their bounds, F the friction rows at a bound whose normal j(f) is in C,
 * and N all others, which do not move,
 *
 *   A_CC x_C + A_CF x_F + A_CN x_N + b_C = 0,   x_f = c_f x_j(f),   c_f = +-lo_f or +-hi_f
 *
 * is a linear system in x_C,
 *
 *   A_CC x_C + A_CF x_F = r,
 *
 * given the factor of the symmetric part of A_CC. Let J be the normals with sliding friction, m of
 * them, and u_j = sum of c_f A_Cf over the friction rows f of j. Then
 *
 *   x_C = z - Z t,   z = A_CC^-1 r,   Z = A_CC^-1 U,   (I + Z_J) t = z_J
 *
 * (Sherman and Morrison 1950, Woodbury 1950): m solves and a dense system in m unknowns, kept while
 * the sets are unchanged. If m is large, or A not symmetric, GMRES (Saad and Schultz 1986) solves
 * with A_CC^-1 (A_CC + U): the identity and a correction of rank m, so that a few steps suffice.
 *
 * A block principal pivot determines the sets by x - y / A_ii and solves this system: Newton's
 * method on the natural map (Pang 1990; for the LCP Kostreva 1978). If the sets belong to a
 * solution one step ends there. Convergence is not guaranteed; pivoting with frozen bounds covers
 * the other cases.
 *
 * Cost of a step: k^3/3 for a new factor, or k^2 for each row that comes or goes; the system of
 * the sets; 2 n for each row that moves. Workspace: 75 n, and m^2. */
#include "method/pivoting/dantzig/coupling.h"

#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/rows.h"
#include "linalg/vector.h"

enum { KRYLOV = 30 };

void perp_coupling_take_rows(perp_coupling *c, const double *A, int64_t ld)
{
  const perp_set *K = &c->p->K;
  const int n = K->n;
  perp_set_all_bounds(K, c->lo, c->hi);
  for (int i = 0; i < n; i++) {
    const double a = fabs(A[i * (ld + 1)]);
    c->relax[i] = a > 0 ? 1 / a : 1;
    c->side[i] = PERP_SIDE_HELD;
  }
}

perp_error perp_coupling_create(perp_run *run, const perp_problem *p, double *x, perp_coupling *c)
{
  *c = (perp_coupling){.run = run, .p = p};
  const perp_error error = perp_principal_create(run, x, PERP_PRINCIPAL_APART, &c->e);
  if (error || perp_run_expired(run))
    return error;
  c->skew = c->e.A != c->e.A_true;
  c->coupled = c->skew || perp_set_form(&p->K) == PERP_FORM_FINDEX;
  const size_t n = (size_t)p->K.n, numbers = (size_t)perp_gmres_work(p->K.n, KRYLOV) + n;
  if (!PERP_TAKE_REALS(run->arena, n, &c->point, &c->y, &c->scratch, &c->r, &c->ratio, &c->best,
                       &c->before, &c->relax, &c->lo, &c->hi) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(c->krylov, c->coupled ? numbers : 0),
                 PERP_ARRAY(c->side, n), PERP_ARRAY(c->rows, n),
                 PERP_ARRAY(c->schur, PERP_COUPLING_NORMALS * PERP_COUPLING_NORMALS)))
    return perp_run_no_memory(run);
  perp_coupling_take_rows(c, c->e.A, c->e.ld);
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

/* Returns the relaxed value of row i; a row without a diagonal goes to the bound that w points
 * to. */
static double relaxed(const perp_principal *e, int i, double lo, double hi)
{
  const double a = e->A[i * (e->ld + 1)];
  if (a > 0)
    return perp_clamp(e->x[i] - e->w[i] / a, lo, hi);
  const double bound = e->w[i] > 0 ? lo : e->w[i] < 0 ? hi : e->x[i];
  return isinf(bound) ? e->x[i] : bound;
}

bool perp_coupling_sweep(perp_coupling *c, int sweeps, bool guess)
{
  perp_principal *e = &c->e;
  int quiet = -1; /* sweeps since a side changed; the first does not count */
  for (int k = 0; k < sweeps && !(guess && quiet >= 2); k++) {
    bool changed = k == 0;
    for (int i = 0; i < e->n; i++) {
      double lo, hi;
      perp_row_bounds(&c->p->K, e->x, i, &lo, &hi);
      const double to = relaxed(e, i, lo, hi), step = to - e->x[i];
      const int side = (int)perp_side_guess(to, lo, hi);
      changed = changed || side != c->side[i];
      c->side[i] = side;
      if (step != 0) {
        const perp_span s = e->span[i];
        perp_axpy(s.end - s.begin, step, e->A + i * e->ld + s.begin, e->w + s.begin);
        e->x[i] = to;
      }
    }
    c->run->count.sweeps++;
    quiet = changed ? 0 : quiet + 1;
    if (perp_run_expired(e->run))
      break;
  }
  return quiet >= 1;
}

/* x_f <- c_f x_j(f) for f in F. */
static void follow(const perp_coupling *c, double *x)
{
  const int *findex = c->p->K.findex;
  for (int k = 0; k < c->count; k++)
    x[c->rows[k]] = c->ratio[k] * x[findex[c->rows[k]]];
}

/* ---- A few normals: directly ---- */

/* Lists J in the order of C's positions: c->normal, and the columns of U, k numbers each. */
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
    double *u = c->krylov + m * (int64_t)k;
    if (m == c->normals) {
      perp_fill(k, 0, u);
      c->normal[c->normals++] = p;
    }
    const double *a = e->A + c->rows[f] * e->ld;
    for (int i = 0; i < k; i++)
      u[i] += c->ratio[f] * a[C->index[i]];
  }
}

/* Determines for the current C and F if the system can be solved directly; otherwise GMRES solves
 * it. */
static void prepare(perp_coupling *c)
{
  const int k = c->e.active.count;
  c->direct = false;
  if (c->skew || c->count == 0)
    return;
  collect_normals(c, k);
  if (c->normals < 0)
    return;
  for (int m = 0; m < c->normals; m++)
    perp_active_solve(&c->e.active, c->krylov + m * (int64_t)k);
  c->run->count.solves += c->normals;
  for (int i = 0; i < c->normals; i++)
    for (int j = 0; j < c->normals; j++)
      c->schur[i * c->normals + j] = (i == j) + c->krylov[j * (int64_t)k + c->normal[i]];
  c->lu = perp_lu_factor(c->normals, c->schur, c->normals, c->exchange);
  c->direct = c->lu.singular < 0 && c->lu.pivot_min > 1e-14;
}

/* x_C = z - Z t, from z. */
static void solve_directly(const perp_coupling *c, double *r)
{
  const int k = c->e.active.count;
  double t[PERP_COUPLING_NORMALS];
  for (int m = 0; m < c->normals; m++)
    t[m] = r[c->normal[m]];
  perp_lu_solve(&c->lu, t);
  for (int m = 0; m < c->normals; m++)
    perp_axpy(k, -t[m], c->krylov + m * (int64_t)k, r);
}

/* ---- Many normals: by GMRES ---- */

/* v <- A_CC^-1 (A_CC x + A_CF x_F) with x_f = c_f x_j, in the order of C. A perp_product. */
static void coupled_product(void *context, const double *x, double *v)
{
  perp_coupling *c = context;
  perp_principal *e = &c->e;
  const perp_active *C = &e->active;
  const int *findex = c->p->K.findex;
  double *z = e->dw;
  if (c->skew) {
    for (int k = 0; k < C->count; k++)
      e->full[C->index[k]] = x[k];
    follow(c, e->full);
    perp_run_apply(c->run, e->full, z);
    perp_fill(e->n, 0, e->full);
    for (int k = 0; k < C->count; k++)
      v[k] = z[C->index[k]];
    perp_active_solve(C, v);
  } else {
    for (int k = 0; k < c->count; k++)
      c->scratch[k] = c->ratio[k] * x[C->place[findex[c->rows[k]]]];
    perp_fill(e->n, 0, z);
    perp_rows_combine(c->count, c->rows, c->scratch, e->A, e->ld, e->span, z);
    for (int k = 0; k < C->count; k++)
      e->d[k] = z[C->index[k]];
    perp_active_solve(C, e->d);
    for (int k = 0; k < C->count; k++)
      v[k] = x[k] + e->d[k];
  }
  c->run->count.solves++;
}

/* r <- the solution of "product = r" down to `tol`. */
static void solve_by_gmres(perp_coupling *c, double tol, double *r)
{
  const int k = c->e.active.count;
  double *b = c->krylov;
  perp_copy(k, r, b);
  perp_fill(k, 0, r);
  const perp_krylov system = {.n = k,
                              .product = coupled_product,
                              .context = c,
                              .alarm = perp_run_alarm(c->run),
                              .target = tol * perp_norm2(k, b),
                              .limit = KRYLOV};
  perp_gmres(&system, KRYLOV, b, r, b + k);
}

/* r <- the solution of A_CC x_C + A_CF x_F = r; by GMRES down to `tol`. */
static void solve_coupled(perp_coupling *c, double tol, double *r)
{
  perp_active_solve(&c->e.active, r);
  c->run->count.solves++;
  if (c->direct)
    solve_directly(c, r);
  else if (c->count > 0 || c->skew)
    solve_by_gmres(c, tol, r);
}

/* ---- The point of the sets ---- */

static void collect_friction(perp_coupling *c)
{
  const perp_principal *e = &c->e;
  const perp_set *K = &c->p->K;
  c->count = 0;
  if (!K->findex)
    return;
  for (int i = 0; i < e->n; i++) {
    const int j = K->findex[i];
    if (j < 0 || c->side[i] == 0 || c->side[i] == PERP_SIDE_HELD || e->active.place[j] < 0)
      continue;
    const double tie = perp_side_tie(K, i, (perp_side)c->side[i], e->x[j]);
    if (isinf(tie))
      continue;
    c->rows[c->count] = i;
    c->ratio[c->count++] = tie;
  }
}

/* y <- A point + b. If A is symmetric: updates the y of c->before by the rows that differ or, if
 * the nonzero rows are no more than these, computes it from scratch, which removes old rounding. */
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
  perp_rows_combine(count, e->list, e->dw, e->A, e->ld, e->span, c->y);
}

/* r <- -y_C */
static void defect(const perp_coupling *c, double *r)
{
  const perp_active *C = &c->e.active;
  for (int k = 0; k < C->count; k++)
    r[k] = -c->y[C->index[k]];
}

/* Returns max |r_k| relative to the slack. */
static double excess(const perp_coupling *c, const double *r)
{
  const perp_active *C = &c->e.active;
  double worst = 0;
  for (int k = 0; k < C->count; k++)
    if (fabs(r[k]) > worst * c->e.slack[C->index[k]])
      worst = fabs(r[k]) / c->e.slack[C->index[k]];
  return worst;
}

/* point <- the solution of the system in one step from the current point, with the rows outside C
 * and F held; updates y, r <- -y_C. */
static void step_to_solution(perp_coupling *c, double tol)
{
  const perp_active *C = &c->e.active;
  solve_coupled(c, tol, c->r);
  for (int k = 0; k < C->count; k++)
    c->point[C->index[k]] += c->r[k];
  follow(c, c->point);
  carry_y(c);
  defect(c, c->r);
}

/* Computes the point and y from scratch, if A is symmetric and the system is solved directly: with
 * z = A_.N x_N + b, N the rows held,
 *   x_C from A_CC x_C + A_CF x_F = -z_C,   y = z + A_.C x_C + A_.F x_F. */
static void solve_anew(perp_coupling *c)
{
  perp_principal *e = &c->e;
  const perp_active *C = &e->active;
  double *point = c->point;
  for (int k = 0; k < c->count; k++)
    point[c->rows[k]] = 0;
  int count = 0;
  for (int i = 0; i < e->n; i++)
    if (point[i] != 0 && C->place[i] < 0) {
      e->list[count] = i;
      e->dw[count++] = point[i];
    }
  perp_copy(e->n, e->b, c->y);
  perp_rows_combine(count, e->list, e->dw, e->A, e->ld, e->span, c->y);
  defect(c, c->r);
  solve_coupled(c, 1e-4, c->r);
  for (int k = 0; k < C->count; k++)
    point[C->index[k]] = c->r[k];
  follow(c, point);
  perp_rows_combine(C->count, C->index, c->r, e->A, e->ld, e->span, c->y);
  for (int k = 0; k < c->count; k++)
    e->dw[k] = point[c->rows[k]];
  perp_rows_combine(c->count, c->rows, e->dw, e->A, e->ld, e->span, c->y);
  perp_copy(e->n, point, c->before); /* the point of this y */
  c->run->count.applies++;
}

/* closely: refines to rounding. */
static void solve_sets(perp_coupling *c, bool closely)
{
  if (!closely && !c->skew && (c->direct || c->count == 0)) {
    solve_anew(c);
    return;
  }
  follow(c, c->point);
  carry_y(c);
  defect(c, c->r);
  if (!closely) {
    step_to_solution(c, 1e-4);
    return;
  }
  perp_principal_measure(&c->e);
  double before = INFINITY, worst = excess(c, c->r);
  while (worst > 4 && worst < 0.1 * before) {
    step_to_solution(c, 1e-12);
    before = worst;
    worst = excess(c, c->r);
  }
}

/* ---- Block principal pivots ---- */

double perp_coupling_step(perp_coupling *c)
{
  enum { MANY = 20 };
  const int changes = c->changes;
  perp_copy(c->e.n, c->point, c->before);
  perp_copy(c->e.n, c->e.x, c->point);
  if (changes > 0)
    perp_principal_assign(&c->e, c->side);
  /* bounds that follow mislead while the sets are far off */
  c->count = 0;
  c->direct = false;
  if (changes <= MANY || c->e.n > PERP_COUPLING_SMALL)
    collect_friction(c);
  prepare(c);
  solve_sets(c, changes == 0);
  double residual = perp_coupling_examine(c, false);
  if (changes > 0 && residual <= c->run->target && residual > 1e-12 * c->run->scale) {
    solve_sets(c, true);
    residual = perp_coupling_examine(c, false);
  }
  return residual;
}
