/* judges.c: the verdict of perp-mpi on rows over several ranks, tested with x made to deceive it
 *
 * x up to 1e14 times y, rows that cancel, infinite bounds. An oracle in 113 bits, on every rank and
 * for all rows, computes the natural residual; "solved" must not be said where it is above
 * tol * scale. Prints how many were judged and called solved; the exit status is 1 if one was
 * wrong. */
#include "../quad.h"

#include "backend/petsc/quadratic.h"

#undef I /* of complex.h */
#include "base/random.h"
#include "verdict/verdict.h"

#include <math.h>

enum { MOST = 12, CASES = 300 };

typedef struct sample {
  int n;
  double A[MOST][MOST], b[MOST], lo[MOST], hi[MOST], x[MOST];
} sample;

static double power(perp_random *random, double low, double high)
{
  return pow(10, perp_random_between(random, low, high));
}

static sample draw(perp_random *random)
{
  sample s = {.n = 2 + perp_random_below(random, MOST - 1)};
  const double entries = power(random, -12, 2), size = power(random, 0, 14);
  const double small = entries * size * power(random, -17, -6);
  const bool cancel = perp_random_below(random, 2);
  for (int j = 0; j < s.n; j++) {
    s.x[j] = size * perp_random_between(random, -1, 1);
    for (int i = 0; i < s.n; i++)
      s.A[i][j] = entries * perp_random_between(random, -1, 1);
  }
  if (cancel) {
    s.x[s.n - 1] = s.x[s.n - 2] * (1 + power(random, -16, -6));
    for (int i = 0; i < s.n; i++)
      s.A[i][s.n - 1] = -s.A[i][s.n - 2];
  }
  for (int i = 0; i < s.n; i++) {
    double sum = 0;
    for (int j = 0; j < s.n; j++)
      sum += s.A[i][j] * s.x[j];
    s.b[i] = small * perp_random_between(random, -1, 1) - sum;
    const int kind = perp_random_below(random, 4);
    s.lo[i] = kind == 0 ? PETSC_NINFINITY : kind == 1 ? s.x[i] : s.x[i] - size;
    s.hi[i] = kind == 2 ? PETSC_INFINITY : s.x[i] + small;
  }
  return s;
}

static quad oracle(const sample *s)
{
  quad worst = 0;
  for (int i = 0; i < s->n; i++) {
    quad y = s->b[i];
    for (int j = 0; j < s->n; j++)
      y += (quad)s->A[i][j] * s->x[j];
    quad z = s->x[i] - y;
    z = z < s->lo[i] ? s->lo[i] : z > s->hi[i] ? s->hi[i] : z;
    const quad r = z < s->x[i] ? s->x[i] - z : z - s->x[i];
    worst = r > worst ? r : worst;
  }
  return worst;
}

static PetscErrorCode vector_of(const sample *s, const double *from, Vec like, Vec *v)
{
  PetscInt begin, end;
  PetscFunctionBegin;
  (void)s;
  PetscCall(VecDuplicate(like, v));
  PetscCall(VecGetOwnershipRange(*v, &begin, &end));
  for (PetscInt i = begin; i < end; i++)
    PetscCall(VecSetValue(*v, i, from[i], INSERT_VALUES));
  PetscCall(VecAssemblyBegin(*v));
  PetscCall(VecAssemblyEnd(*v));
  PetscFunctionReturn(0);
}

static PetscErrorCode judge(const sample *s, double *residual)
{
  Mat A;
  Vec like, x, y, low, lo, hi;
  PetscInt begin, end;
  PetscFunctionBegin;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, s->n, s->n, MOST, NULL, MOST,
                         NULL, &A));
  PetscCall(MatGetOwnershipRange(A, &begin, &end));
  for (PetscInt i = begin; i < end; i++)
    for (PetscInt j = 0; j < s->n; j++)
      PetscCall(MatSetValue(A, i, j, s->A[i][j], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(A, &like, NULL));
  PetscCall(vector_of(s, s->x, like, &x));
  PetscCall(vector_of(s, s->b, like, &y));
  PetscCall(vector_of(s, s->lo, like, &lo));
  PetscCall(vector_of(s, s->hi, like, &hi));
  PetscCall(VecDuplicate(like, &low));
  PetscCall(VecSet(low, 0));
  PetscCall(perp_rows_add_twice(A, x, NULL, y, low));
  PetscCall(VecAXPY(y, 1, low));
  PetscCall(perp_bounds_natural(lo, hi, x, y, residual));
  Vec *const all[] = {&like, &x, &y, &low, &lo, &hi};
  for (int k = 0; k < 6; k++)
    PetscCall(VecDestroy(all[k]));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(0);
}

int main(int count, char **words)
{
  static const double tols[] = {1e-6, 1e-8, 1e-10, 1e-13};
  perp_random random = perp_random_from(7);
  int solved = 0, wrong = 0;
  PetscCall(PetscInitialize(&count, &words, NULL, NULL));
  for (int k = 0; k < CASES; k++) {
    const sample s = draw(&random);
    double largest = 0, residual = 0;
    for (int i = 0; i < s.n; i++)
      largest = fmax(largest, fabs(s.b[i]));
    const double target = perp_verdict_target(tols[k % 4], perp_verdict_scale(largest));
    PetscCall(judge(&s, &residual));
    const bool said = perp_verdict_solved(residual, target);
    solved += said;
    if (said && oracle(&s) > (1 + 1e-6L) * target) {
      PetscCall(PetscPrintf(PETSC_COMM_WORLD, "case %d: solved with %g, but it is %g\n", k,
                            residual, (double)oracle(&s)));
      wrong++;
    }
  }
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "judged %d solved %d wrong %d\n", CASES, solved, wrong));
  PetscCall(PetscFinalize());
  return wrong > 0 || solved < CASES / 20;
}
