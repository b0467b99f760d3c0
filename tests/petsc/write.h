/* write.h: x of a DMDA into a file, by rank 0: one number a line, in natural order */
#pragma once

#include <petscdmda.h>

#include <stdio.h>

/* skip: NULL, or whether the point with this number is left out. */
static inline PetscErrorCode write_ordered(DM da, Vec x, const char *path,
                                           PetscBool (*skip)(const DMDALocalInfo *in, PetscInt c))
{
  Vec ordered, all;
  VecScatter scatter;
  DMDALocalInfo in;
  PetscInt n;
  const PetscScalar *a;
  PetscFunctionBegin;
  PetscCall(DMDAGetLocalInfo(da, &in));
  PetscCall(DMDACreateNaturalVector(da, &ordered));
  PetscCall(DMDAGlobalToNaturalBegin(da, x, INSERT_VALUES, ordered));
  PetscCall(DMDAGlobalToNaturalEnd(da, x, INSERT_VALUES, ordered));
  PetscCall(VecScatterCreateToZero(ordered, &scatter, &all));
  PetscCall(VecScatterBegin(scatter, ordered, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, ordered, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetLocalSize(all, &n)); /* 0 on other ranks */
  PetscCall(VecGetArrayRead(all, &a));
  FILE *file = n ? fopen(path, "w") : NULL;
  PetscCheck(!n || file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  for (PetscInt c = 0; c < n; c++)
    if (!skip || !skip(&in, c / in.dof))
      fprintf(file, "%.17g\n", a[c]);
  if (file)
    fclose(file);
  PetscCall(VecRestoreArrayRead(all, &a));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&all));
  PetscCall(VecDestroy(&ordered));
  PetscFunctionReturn(0);
}
