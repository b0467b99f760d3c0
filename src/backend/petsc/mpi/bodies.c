/* bodies.c: bodies over all ranks
 *
 * Bodies are parted by a graph partitioner of PETSc (PTScotch unless -mat_partitioning_type says
 * otherwise): a body is a point, a contact an edge. */
#include "backend/petsc/mpi/bodies.h"

#include <petscmat.h>

#include <stdlib.h>

static PetscErrorCode find_pairs(mpi_bodies *b)
{
  const perp_contact_data *d = &b->data;
  PetscFunctionBegin;
  for (int g = 0; g < b->groups; g++) {
    int *pair = b->pair + 2 * g;
    pair[0] = pair[1] = -1;
    for (int row = mpi_group_row(b, g); row < mpi_group_row(b, g) + mpi_group_rows(b, g); row++)
      for (int64_t q = d->J_start[row]; q < d->J_start[row + 1]; q++) {
        const int body = b->of_velocity[d->J_column[q]];
        if (pair[0] == -1 || pair[0] == body)
          pair[0] = body;
        else if (pair[1] == -1 || pair[1] == body)
          pair[1] = body;
        else
          SETERRQ(PETSC_COMM_SELF, PETSC_ERR_SUP, "row %d touches more than two bodies", row);
      }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode mpi_bodies_open(const perp_instance *instance, mpi_bodies *b)
{
  const perp_contact_data *d = &b->data;
  PetscFunctionBegin;
  PetscCheck(!perp_operator_contact_data(instance->A, &b->data), PETSC_COMM_SELF,
             PETSC_ERR_ARG_WRONG, "no contact operator");
  PetscCheck(!instance->findex && !instance->cone, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "friction indices or rows between cones are not for several ranks");
  for (int row = 0; d->C_start && row < d->rows; row++)
    for (int64_t q = d->C_start[row]; q < d->C_start[row + 1]; q++)
      PetscCheck(d->C_column[q] == row, PETSC_COMM_SELF, PETSC_ERR_SUP,
                 "row %d: C has an entry beside its diagonal", row);
  b->count = d->blocks;
  b->cones = instance->mu ? instance->cones : 0;
  b->groups = b->cones + d->rows - 3 * b->cones;
  PetscCall(PetscMalloc5((size_t)d->velocities + 1, &b->of_velocity, (size_t)b->count + 1,
                         &b->first, 2 * (size_t)b->groups + 1, &b->pair, (size_t)b->count + 1,
                         &b->part, (size_t)b->groups + 1, &b->owner));
  const int size = b->count ? d->velocities / b->count : 0;
  for (int body = 0; body <= b->count; body++)
    b->first[body] = d->block_start ? d->block_start[body] : body * size;
  for (int body = 0; body < b->count; body++)
    for (int v = b->first[body]; v < b->first[body + 1]; v++)
      b->of_velocity[v] = body;
  PetscCall(find_pairs(b));
  PetscFunctionReturn(0);
}

PetscErrorCode mpi_bodies_close(mpi_bodies *b)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(b->of_velocity, b->first, b->pair, b->part, b->owner));
  PetscFunctionReturn(0);
}

/* ---- Partition ---- */

static int ascending(const void *a, const void *b)
{
  const PetscInt p = *(const PetscInt *)a, q = *(const PetscInt *)b;
  return (p > q) - (p < q);
}

/* The neighbours of bodies begin .. end-1, in compressed rows, ascending and without repetition. */
static PetscErrorCode graph(int begin, int end, int groups, const int *pair, PetscInt **start,
                            PetscInt **neighbour)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)(end - begin) + 2, start));
  PetscInt *s = *start;
  for (int g = 0; g < groups; g++)
    for (int e = 0; e < 2 && pair[2 * g + 1] >= 0; e++) {
      const int body = pair[2 * g + e];
      if (body >= begin && body < end)
        s[body - begin + 2]++;
    }
  for (int q = 0; q < end - begin; q++)
    s[q + 2] += s[q + 1];
  PetscCall(PetscMalloc1((size_t)s[end - begin + 1] + 1, neighbour));
  PetscInt *to = *neighbour, kept = 0, from = 0;
  for (int g = 0; g < groups; g++)
    for (int e = 0; e < 2 && pair[2 * g + 1] >= 0; e++) {
      const int body = pair[2 * g + e];
      if (body >= begin && body < end)
        to[s[body - begin + 1]++] = pair[2 * g + 1 - e];
    }
  for (int q = 0; q < end - begin; q++) {
    const PetscInt behind = s[q + 1], first = kept;
    qsort(to + from, (size_t)(behind - from), sizeof *to, ascending);
    for (PetscInt k = from; k < behind; k++)
      if (kept == first || to[kept - 1] != to[k])
        to[kept++] = to[k];
    from = behind;
    s[q + 1] = kept;
  }
  PetscFunctionReturn(0);
}

/* Each rank has the graph of an equal share of the bodies. */
PetscErrorCode mpi_bodies_part(MPI_Comm comm, int count, int groups, const int *pair, int *part)
{
  int rank, size, *begin, *rows;
  PetscInt *start, *neighbour;
  Mat adjacency;
  MatPartitioning partitioning;
  IS parts;
  const PetscInt *to;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1 || count < size) {
    for (int body = 0; body < count; body++)
      part[body] = body % size;
    PetscFunctionReturn(0);
  }
  PetscCall(PetscMalloc2(size + 1, &begin, size, &rows));
  for (int r = 0; r <= size; r++)
    begin[r] = (int)((int64_t)count * r / size);
  for (int r = 0; r < size; r++)
    rows[r] = begin[r + 1] - begin[r];
  PetscCall(graph(begin[rank], begin[rank + 1], groups, pair, &start, &neighbour));
  PetscCall(MatCreateMPIAdj(comm, rows[rank], count, start, neighbour, NULL, &adjacency));
  PetscCall(MatPartitioningCreate(comm, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, adjacency));
  PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &parts));
  PetscCall(ISGetIndices(parts, &to));
  for (int q = 0; q < rows[rank]; q++)
    part[begin[rank] + q] = (int)to[q];
  PetscCallMPI(
      MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, part, rows, begin, MPI_INT, comm));
  PetscCall(ISRestoreIndices(parts, &to));
  PetscCall(ISDestroy(&parts));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscCall(MatDestroy(&adjacency)); /* and the arrays that it took */
  PetscCall(PetscFree2(begin, rows));
  PetscFunctionReturn(0);
}
