/* rows.c: projected Gauss-Seidel on the rows of an AIJ matrix
 *
 *   x_i <- P_i( x_i - (A x - f)_i / d_i ),   the rows of a rank in order or backwards
 *
 * A row reads new values of its own rank and old values of other ranks (hybrid Gauss-Seidel). With
 *
 *   d_i = A_ii + 1/2 sum over the columns j of other ranks of |A_ij|
 *
 * each sweep lowers 1/2 x^T A x - f^T x for symmetric positive definite A (Baker, Falgout, Kolev,
 * Yang 2011). On one rank it is Gauss-Seidel. Cost: a product with A, and one exchange. */
#include "backend/petsc/quadratic.h"
#include "verdict/twice.h"

#include <math.h>

/* A local matrix in compressed rows; all fields are empty if there is none. */
typedef struct compressed {
  Mat A;
  PetscInt n;
  const PetscInt *start, *column;
  const PetscScalar *value;
} compressed;

/* The local parts of A. */
typedef struct parts {
  compressed own, other; /* columns of this rank, and of others: none on one rank */
} parts;

static PetscErrorCode compressed_open(Mat A, compressed *c)
{
  PetscBool done;
  *c = (compressed){.A = A};
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &c->n, &c->start, &c->column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "the matrix does not give compressed rows (MatGetRowIJ); use type aij");
  PetscCall(MatSeqAIJGetArrayRead(A, &c->value));
  return 0;
}

static PetscErrorCode compressed_close(compressed *c)
{
  PetscBool done;
  if (!c->A)
    return 0;
  PetscCall(MatSeqAIJRestoreArrayRead(c->A, &c->value));
  PetscCall(
      MatRestoreRowIJ(c->A, 0, PETSC_FALSE, PETSC_FALSE, &c->n, &c->start, &c->column, &done));
  return 0;
}

static PetscErrorCode parts_open(Mat A, parts *p)
{
  PetscBool parallel;
  Mat own = A, other;
  *p = (parts){0};
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  if (parallel) {
    PetscCall(MatMPIAIJGetSeqAIJ(A, &own, &other, NULL));
    PetscCall(compressed_open(other, &p->other));
  }
  PetscCall(compressed_open(own, &p->own));
  return 0;
}

static PetscErrorCode parts_close(parts *p)
{
  PetscCall(compressed_close(&p->other));
  PetscCall(compressed_close(&p->own));
  return 0;
}

PetscErrorCode perp_rows_refresh(perp_rows *rows)
{
  parts p;
  PetscScalar *d;
  PetscCall(MatGetDiagonal(rows->A, rows->diagonal));
  PetscCall(parts_open(rows->A, &p));
  PetscCall(VecGetArray(rows->diagonal, &d));
  for (PetscInt i = 0; i < p.other.n; i++) {
    PetscReal sum = 0;
    for (PetscInt k = p.other.start[i]; k < p.other.start[i + 1]; k++)
      sum += fabs(p.other.value[k]);
    d[i] = d[i] != 0 ? d[i] + sum / 2 : 0;
  }
  PetscCall(VecRestoreArray(rows->diagonal, &d));
  PetscCall(parts_close(&p));
  return 0;
}

/* Creates the ghost values of x that rows of A need from other ranks, and their scatter. */
static PetscErrorCode ghosts_open(Mat A, Vec x, Vec *ghost, VecScatter *scatter)
{
  Mat own, other;
  const PetscInt *ghosts;
  PetscInt count;
  IS from;
  PetscCall(MatMPIAIJGetSeqAIJ(A, &own, &other, &ghosts));
  PetscCall(MatGetSize(other, NULL, &count));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, count, ghost));
  PetscCall(ISCreateGeneral(PETSC_COMM_SELF, count, ghosts, PETSC_COPY_VALUES, &from));
  PetscCall(VecScatterCreate(x, from, *ghost, NULL, scatter));
  PetscCall(ISDestroy(&from));
  return 0;
}

PetscErrorCode perp_rows_open(Mat A, perp_rows *rows)
{
  PetscBool parallel, serial;
  MatType type;
  *rows = (perp_rows){0};
  PetscCall(MatGetType(A, &type));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJ, &serial));
  PetscCheck(parallel || serial, PetscObjectComm((PetscObject)A), PETSC_ERR_SUP,
             "perpmg sweeps over the rows of a matrix of type aij, not %s", type);
  PetscCall(PetscObjectReference((PetscObject)A));
  rows->A = A;
  PetscCall(MatCreateVecs(A, NULL, &rows->diagonal));
  if (parallel)
    PetscCall(ghosts_open(A, rows->diagonal, &rows->ghost, &rows->scatter));
  PetscCall(perp_rows_refresh(rows));
  return 0;
}

PetscErrorCode perp_rows_close(perp_rows *rows)
{
  PetscCall(MatDestroy(&rows->A));
  PetscCall(VecDestroy(&rows->diagonal));
  PetscCall(VecDestroy(&rows->ghost));
  PetscCall(VecScatterDestroy(&rows->scatter));
  return 0;
}

/* Fetches the values of x that other ranks own; does nothing on one rank. */
static PetscErrorCode ghosts_take(VecScatter scatter, Vec x, Vec ghost, const PetscScalar **values)
{
  if (!scatter)
    return 0;
  PetscCall(VecScatterBegin(scatter, x, ghost, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, x, ghost, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(ghost, values));
  return 0;
}

static inline PetscScalar row_product(const parts *p, PetscInt i, const PetscScalar *x,
                                      const PetscScalar *ghost)
{
  PetscScalar sum = 0;
  for (PetscInt k = p->own.start[i]; k < p->own.start[i + 1]; k++)
    sum += p->own.value[k] * x[p->own.column[k]];
  for (PetscInt k = ghost ? p->other.start[i] : 0; ghost && k < p->other.start[i + 1]; k++)
    sum += p->other.value[k] * ghost[p->other.column[k]];
  return sum;
}

PetscErrorCode perp_rows_sweep(const perp_rows *rows, Vec f, Vec lo, Vec hi, PetscBool backward,
                               Vec x)
{
  parts p;
  const PetscScalar *d, *right, *l = NULL, *h = NULL, *ghost = NULL;
  PetscScalar *a;
  PetscCall(ghosts_take(rows->scatter, x, rows->ghost, &ghost));
  PetscCall(parts_open(rows->A, &p));
  PetscCall(VecGetArrayRead(rows->diagonal, &d));
  PetscCall(VecGetArrayRead(f, &right));
  PetscCall(VecGetArray(x, &a));
  if (lo) {
    PetscCall(VecGetArrayRead(lo, &l));
    PetscCall(VecGetArrayRead(hi, &h));
  }
  for (PetscInt q = 0; q < p.own.n; q++) {
    const PetscInt i = backward ? p.own.n - 1 - q : q;
    if (d[i] == 0)
      continue;
    const PetscScalar t = a[i] - (row_product(&p, i, a, ghost) - right[i]) / d[i];
    a[i] = l ? perp_between(t, l[i], h[i]) : t;
  }
  if (lo) {
    PetscCall(VecRestoreArrayRead(lo, &l));
    PetscCall(VecRestoreArrayRead(hi, &h));
  }
  PetscCall(VecRestoreArray(x, &a));
  PetscCall(VecRestoreArrayRead(f, &right));
  PetscCall(VecRestoreArrayRead(rows->diagonal, &d));
  if (ghost)
    PetscCall(VecRestoreArrayRead(rows->ghost, &ghost));
  PetscCall(parts_close(&p));
  return 0;
}

/* y + y_low += A x on arrays; `ghost` holds the ghost values of x. */
static PetscErrorCode add_product(Mat A, Vec x, Vec ghost, VecScatter scatter, PetscScalar *y,
                                  PetscScalar *low)
{
  parts p;
  const PetscScalar *a, *g = NULL;
  PetscCall(ghosts_take(scatter, x, ghost, &g));
  PetscCall(parts_open(A, &p));
  PetscCall(VecGetArrayRead(x, &a));
  for (PetscInt i = 0; i < p.own.n; i++) {
    for (PetscInt k = p.own.start[i]; k < p.own.start[i + 1]; k++)
      perp_twice_add(p.own.value[k], a[p.own.column[k]], &y[i], &low[i]);
    for (PetscInt k = g ? p.other.start[i] : 0; g && k < p.other.start[i + 1]; k++)
      perp_twice_add(p.other.value[k], g[p.other.column[k]], &y[i], &low[i]);
  }
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(parts_close(&p));
  if (g)
    PetscCall(VecRestoreArrayRead(ghost, &g));
  return 0;
}

PetscErrorCode perp_rows_add_twice(Mat A, Vec x, Vec x_low, Vec y, Vec y_low)
{
  Vec ghost = NULL;
  VecScatter scatter = NULL;
  PetscBool parallel;
  PetscScalar *high, *low;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  if (parallel)
    PetscCall(ghosts_open(A, x, &ghost, &scatter));
  PetscCall(VecGetArray(y, &high));
  PetscCall(VecGetArray(y_low, &low));
  PetscCall(add_product(A, x, ghost, scatter, high, low));
  if (x_low)
    PetscCall(add_product(A, x_low, ghost, scatter, high, low));
  PetscCall(VecRestoreArray(y_low, &low));
  PetscCall(VecRestoreArray(y, &high));
  PetscCall(VecDestroy(&ghost));
  PetscCall(VecScatterDestroy(&scatter));
  return 0;
}
