/* gpcg.c: conjugate gradients on the free rows, with the truncated multigrid as preconditioner
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
#include "backend/petsc/quadratic.h"

/* step <- about A_FF^-1 r_F; r_F is in `product` on entry. */
static PetscErrorCode solve_face(perp_quadratic *q, PetscInt most, PetscInt *iterations)
{
  Vec r, z, p, Ap;
  PetscScalar rz, curve, rz_next;
  PetscReal greatest = 0;
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

PetscErrorCode perp_quadratic_gpcg(perp_quadratic *q, perp_smoothing_counts counts, PetscInt most,
                                   PetscInt *iterations, Vec x)
{
  PetscFunctionBegin;
  PetscCall(perp_quadratic_face(q, counts, x));
  PetscCall(solve_face(q, most, iterations));
  PetscCall(perp_quadratic_step(q, counts, x));
  PetscFunctionReturn(0);
}
