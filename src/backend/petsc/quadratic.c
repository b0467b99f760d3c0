/* quadratic.c: min 1/2 x^T A x - f^T x between bounds: truncated nonsmooth Newton multigrid, and conjugate gradients on faces */
#include "backend/petsc/quadratic.h"

/* ---- Cycles ----
 *
 * One cycle from x, with y = A x - f:
 *
 *   1. `pre` projected sweeps
 *   2. the rows strictly between their bounds are free; if that set changed, the levels are built
 *      again (levels.c)
 *   3. c = about -A_FF^-1 y_F by one V-cycle
 *   4. d = P(x + c) - x;  x <- x + a d,  a = min(1, -d^T y / d^T A d): the energy never rises
 *   5. `post` projected sweeps, backwards
 *
 * One sweep moves the boundary of a contact region by one cell. So a cold start takes a number of
 * cycles that grows with the grid, unless it begins with the problem on coarser levels: matrix and
 * load P^T A P and P^T f, bounds the means  (P^T lo)_i / (P^T 1)_i. */

PetscErrorCode perp_quadratic_open(Mat A, Vec f, Vec lo, Vec hi, const perp_transfers *transfers,
                                   const char *prefix, perp_quadratic *q)
{
  *q = (perp_quadratic){.A = A, .f = f, .lo = lo, .hi = hi};
  PetscCall(perp_rows_open(A, &q->rows));
  PetscCall(perp_levels_open(A, transfers, prefix, &q->levels));
  PetscCall(VecDuplicate(f, &q->free));
  PetscCall(VecDuplicate(f, &q->free_before));
  PetscCall(VecDuplicate(f, &q->r));
  PetscCall(VecDuplicate(f, &q->step));
  PetscCall(VecDuplicate(f, &q->product));
  PetscCall(VecSet(q->free_before, -1));
  return 0;
}

PetscErrorCode perp_quadratic_refresh(perp_quadratic *q)
{
  PetscCall(perp_rows_refresh(&q->rows));
  q->stale = PETSC_TRUE;
  return 0;
}

PetscErrorCode perp_quadratic_close(perp_quadratic *q)
{
  PetscCall(perp_rows_close(&q->rows));
  PetscCall(perp_levels_close(&q->levels));
  PetscCall(VecDestroy(&q->free));
  PetscCall(VecDestroy(&q->free_before));
  PetscCall(VecDestroy(&q->r));
  PetscCall(VecDestroy(&q->step));
  PetscCall(VecDestroy(&q->product));
  return 0;
}

/* free, and r <- f - A x */
static PetscErrorCode mark_free(perp_quadratic *q, Vec x)
{
  const PetscScalar *a, *l, *h;
  PetscScalar *free;
  PetscInt n;
  PetscCall(MatMult(q->A, x, q->r));
  PetscCall(VecAYPX(q->r, -1, q->f));
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(x, &a));
  PetscCall(VecGetArrayRead(q->lo, &l));
  PetscCall(VecGetArrayRead(q->hi, &h));
  PetscCall(VecGetArray(q->free, &free));
  for (PetscInt i = 0; i < n; i++)
    free[i] = a[i] > l[i] && a[i] < h[i] ? 1 : 0;
  PetscCall(VecRestoreArray(q->free, &free));
  PetscCall(VecRestoreArrayRead(q->hi, &h));
  PetscCall(VecRestoreArrayRead(q->lo, &l));
  PetscCall(VecRestoreArrayRead(x, &a));
  return 0;
}

/* Does step 4; c is in `step`. */
static PetscErrorCode add_step(perp_quadratic *q, Vec x)
{
  PetscScalar down, bend;
  PetscCall(VecAXPY(q->step, 1, x));
  PetscCall(perp_bounds_project(q->lo, q->hi, q->step));
  PetscCall(VecAXPY(q->step, -1, x));
  PetscCall(MatMult(q->A, q->step, q->product));
  PetscCall(VecDotBegin(q->step, q->r, &down)); /* -d^T y */
  PetscCall(VecDotBegin(q->step, q->product, &bend));
  PetscCall(VecDotEnd(q->step, q->r, &down));
  PetscCall(VecDotEnd(q->step, q->product, &bend));
  PetscCall(VecAXPY(x, down > 0 ? (bend > down ? down / bend : 1) : 0, q->step));
  PetscCall(perp_bounds_project(q->lo, q->hi, x)); /* rounding */
  return 0;
}

/* Steps 1 and 2 of a cycle: r, `free`, and r_F in `product`. */
static PetscErrorCode find_face(perp_quadratic *q, perp_smoothing_counts counts, Vec x)
{
  PetscBool same;
  for (PetscInt s = 0; s < counts.pre; s++)
    PetscCall(perp_rows_sweep(&q->rows, q->f, q->lo, q->hi, PETSC_FALSE, x));
  PetscCall(mark_free(q, x));
  PetscCall(VecEqual(q->free, q->free_before, &same));
  if (!same || q->stale) {
    PetscCall(perp_levels_truncate(&q->levels, q->A, q->free));
    PetscCall(VecCopy(q->free, q->free_before));
    q->truncations++;
    q->stale = PETSC_FALSE;
  }
  PetscCall(VecPointwiseMult(q->product, q->r, q->free));
  return 0;
}

/* Steps 4 and 5, with c in `step`. */
static PetscErrorCode take_step(perp_quadratic *q, perp_smoothing_counts counts, Vec x)
{
  PetscCall(VecPointwiseMult(q->step, q->step, q->free));
  PetscCall(add_step(q, x));
  for (PetscInt s = 0; s < counts.post; s++)
    PetscCall(perp_rows_sweep(&q->rows, q->f, q->lo, q->hi, PETSC_TRUE, x));
  return 0;
}

PetscErrorCode perp_quadratic_cycle(perp_quadratic *q, perp_smoothing_counts counts, Vec x)
{
  PetscCall(find_face(q, counts, x));
  PetscCall(perp_levels_correct(&q->levels, q->product, q->step));
  PetscCall(take_step(q, counts, x));
  return 0;
}

/* coarse <- (P^T fine)_i / (P^T 1)_i */
static PetscErrorCode mean(Mat P, Vec fine, Vec weights, Vec coarse)
{
  PetscCall(MatMultTranspose(P, fine, coarse));
  PetscCall(VecPointwiseDivide(coarse, coarse, weights));
  return 0;
}

PetscErrorCode perp_quadratic_start(const perp_quadratic *q, perp_smoothing_counts counts,
                                    PetscInt cycles, const char *prefix, Vec x)
{
  const PetscInt top = q->levels.transfers.count - 1;
  if (top < 1)
    return 0;
  Mat P = q->levels.transfers.P[top], A;
  Vec f, lo, hi, weights, start, ones;
  const perp_transfers fewer = {top, q->levels.transfers.P};
  perp_quadratic coarse;
  PetscCall(MatPtAP(q->A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &A));
  PetscCall(MatCreateVecs(P, &f, NULL));
  PetscCall(VecDuplicate(f, &lo));
  PetscCall(VecDuplicate(f, &hi));
  PetscCall(VecDuplicate(f, &weights));
  PetscCall(VecDuplicate(f, &start));
  PetscCall(VecDuplicate(x, &ones));
  PetscCall(VecSet(ones, 1));
  PetscCall(MatMultTranspose(P, ones, weights));
  PetscCall(MatMultTranspose(P, q->f, f));
  PetscCall(mean(P, q->lo, weights, lo));
  PetscCall(mean(P, q->hi, weights, hi));
  PetscCall(perp_quadratic_open(A, f, lo, hi, &fewer, prefix, &coarse));
  PetscCall(perp_bounds_project(lo, hi, start));
  PetscCall(perp_quadratic_start(&coarse, counts, cycles, prefix, start));
  /* the coarsest problem has no levels below it, and few unknowns */
  for (PetscInt c = 0; c < (top == 1 ? 5 * cycles : cycles); c++)
    PetscCall(perp_quadratic_cycle(&coarse, counts, start));
  PetscCall(MatMult(P, start, x));
  PetscCall(perp_bounds_project(q->lo, q->hi, x));
  PetscCall(perp_quadratic_close(&coarse));
  PetscCall(MatDestroy(&A));
  for (Vec *v[] = {&f, &lo, &hi, &weights, &start, &ones}, **p = v; p < v + 6; p++)
    PetscCall(VecDestroy(*p));
  return 0;
}

/* ---- Conjugate gradients on the free rows, with the truncated multigrid as preconditioner ----
 *
 * One iteration from x (More and Toraldo 1991, with projected sweeps in place of projected
 * gradients):
 *
 *   1. `pre` projected sweeps, which change the face by many rows at once
 *   2. the rows strictly between their bounds are free: conjugate gradients for A_FF c = r_F,
 *      preconditioned by one V-cycle of levels.c, which is symmetric, until the energy
 *      1/2 c^T A c - r^T c falls by less than a quarter of its greatest fall so far
 *   3. d = P(x + c) - x;  x <- x + a d with the a in [0, 1] of the least energy
 *   4. `post` projected sweeps, backwards */

/* step <- approximately A_FF^-1 r_F; r_F is in `product` on entry. */
static PetscErrorCode solve_face(perp_quadratic *q, PetscInt most, PetscInt *iterations)
{
  Vec r, z, p, Ap;
  PetscScalar rz, curve, rz_next;
  PetscReal greatest = 0;
  PetscCall(VecDuplicate(q->r, &r));
  PetscCall(VecDuplicate(q->r, &z));
  PetscCall(VecDuplicate(q->r, &p));
  PetscCall(VecDuplicate(q->r, &Ap));
  PetscCall(VecCopy(q->product, r));
  PetscCall(VecSet(q->step, 0));
  PetscCall(perp_levels_correct(&q->levels, r, z));
  PetscCall(VecPointwiseMult(z, z, q->free));
  PetscCall(VecCopy(z, p));
  PetscCall(VecDot(r, z, &rz));
  for (PetscInt it = 0; it < most && rz > 0; it++) {
    PetscCall(MatMult(q->A, p, Ap));
    PetscCall(VecPointwiseMult(Ap, Ap, q->free));
    PetscCall(VecDot(p, Ap, &curve));
    if (!(curve > 0))
      break;
    const PetscScalar alpha = rz / curve;
    const PetscReal fall = alpha * rz / 2;
    PetscCall(VecAXPY(q->step, alpha, p));
    PetscCall(VecAXPY(r, -alpha, Ap));
    ++*iterations;
    if (fall <= 0.25 * greatest)
      break;
    greatest = PetscMax(greatest, fall);
    PetscCall(perp_levels_correct(&q->levels, r, z));
    PetscCall(VecPointwiseMult(z, z, q->free));
    PetscCall(VecDot(r, z, &rz_next));
    PetscCall(VecAYPX(p, rz_next / rz, z));
    rz = rz_next;
  }
  PetscCall(VecDestroy(&r));
  PetscCall(VecDestroy(&z));
  PetscCall(VecDestroy(&p));
  PetscCall(VecDestroy(&Ap));
  return 0;
}

PetscErrorCode perp_quadratic_gpcg(perp_quadratic *q, perp_smoothing_counts counts, PetscInt most,
                                   PetscInt *iterations, Vec x)
{
  PetscCall(find_face(q, counts, x));
  PetscCall(solve_face(q, most, iterations));
  PetscCall(take_step(q, counts, x));
  return 0;
}
