/* coupling.c: friction bounds that follow their normals, on given index sets
 *
 * With C the rows inside their bounds, F the friction rows at a bound whose normal j(f) is in C,
 * and N all others, which stand still,
 *
 *   A_CC x_C + A_CF x_F + A_CN x_N + b_C = 0,   x_f = c_f x_j(f),   c_f = +-lo_f or +-hi_f
 *
 * is a linear system in x_C, which coupling_solve.c solves.
 *
 * A block principal pivot takes the sets from where x - y / A_ii lies, solves this system, and so
 * on: Newton's method on the natural map (Pang 1990; for the LCP Kostreva 1978). When the sets are
 * those of a solution one step ends there. It need not get there, which is what pivoting with
 * frozen bounds is for.
 *
 * Cost of a step: k^3/3 for a new factor, or k^2 for each row that comes or goes; the system of
 * the sets; 2 n for each row that moves. Workspace: 43 n. */
#include "method/pivoting/dantzig/coupling.h"

#include "linalg/rows.h"
#include "linalg/vector.h"

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
  const perp_error error = perp_principal_create(run, x, &c->e);
  if (error || perp_run_expired(run))
    return error;
  c->skew = c->e.A != c->e.A_true;
  c->coupled = c->skew || perp_set_form(&p->K) == PERP_FORM_FINDEX;
  const size_t n = (size_t)p->K.n;
  if (!PERP_TAKE_REALS(run->arena, n, &c->point, &c->y, &c->scratch, &c->r, &c->ratio, &c->best,
                       &c->before, &c->relax, &c->lo, &c->hi) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(c->krylov, c->coupled ? PERP_COUPLING_VECTORS * n : 0),
                 PERP_ARRAY(c->side, n), PERP_ARRAY(c->rows, n),
                 PERP_ARRAY(c->schur, PERP_COUPLING_NORMALS)))
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

/* The relaxed value of row i; a row without a diagonal goes to the bound that w points to. */
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
  int quiet = -1; /* sweeps since a side changed; the first tells nothing */
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
    if (j < 0 || c->side[i] == 0 || c->side[i] == PERP_SIDE_HELD || e->active.place[j] < 0)
      continue;
    const double tie = perp_side_tie(K, i, (perp_side)c->side[i], e->x[j]);
    if (isinf(tie))
      continue;
    c->rows[c->count] = i;
    c->ratio[c->count++] = tie;
  }
}

void perp_coupling_follow(const perp_coupling *c, double *x)
{
  const int *findex = c->p->K.findex;
  for (int k = 0; k < c->count; k++)
    x[c->rows[k]] = c->ratio[k] * x[findex[c->rows[k]]];
}

/* y <- A point + b. Where A is symmetric: from the y of c->before by the rows that differ, or,
 * where those are no fewer than the rows that are not 0, from scratch, which forgets old
 * rounding. */
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

/* max |r_k| over what counts as zero. */
static double excess(const perp_coupling *c, const double *r)
{
  const perp_active *C = &c->e.active;
  double worst = 0;
  for (int k = 0; k < C->count; k++)
    if (fabs(r[k]) > worst * c->e.slack[C->index[k]])
      worst = fabs(r[k]) / c->e.slack[C->index[k]];
  return worst;
}

/* point <- the solution of the system with the rows outside C and F as they stand there, in one
 * step from where it is; y with it, and r <- -y_C. */
static void step_to_solution(perp_coupling *c, double tol)
{
  const perp_active *C = &c->e.active;
  perp_coupling_solve(c, tol, c->r);
  for (int k = 0; k < C->count; k++)
    c->point[C->index[k]] += c->r[k];
  perp_coupling_follow(c, c->point);
  carry_y(c);
  defect(c, c->r);
}

/* The same from scratch, where A is symmetric and the system solved directly: with z = A_.N x_N +
 * b, N the rows that stand still,
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
  perp_coupling_solve(c, 1e-4, c->r);
  for (int k = 0; k < C->count; k++)
    point[C->index[k]] = c->r[k];
  perp_coupling_follow(c, point);
  perp_rows_combine(C->count, C->index, c->r, e->A, e->ld, e->span, c->y);
  for (int k = 0; k < c->count; k++)
    e->dw[k] = point[c->rows[k]];
  perp_rows_combine(c->count, c->rows, e->dw, e->A, e->ld, e->span, c->y);
  perp_copy(e->n, point, c->before); /* whose y this is */
  c->run->count.applies++;
}

/* Closely: to rounding, by refinement. */
static void solve_sets(perp_coupling *c, bool closely)
{
  if (!closely && !c->skew && (c->direct || c->count == 0)) {
    solve_anew(c);
    return;
  }
  perp_coupling_follow(c, c->point);
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
  /* bounds that follow lead astray where the sets are still far off */
  c->count = 0;
  c->direct = false;
  if (changes <= MANY || c->e.n > PERP_COUPLING_SMALL)
    collect_friction(c);
  perp_coupling_prepare(c);
  solve_sets(c, changes == 0);
  double residual = perp_coupling_examine(c, false);
  if (changes > 0 && residual <= c->run->target && residual > 1e-12 * c->run->scale) {
    solve_sets(c, true);
    residual = perp_coupling_examine(c, false);
  }
  return residual;
}
