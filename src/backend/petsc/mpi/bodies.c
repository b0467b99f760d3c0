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

/* The neighbours of each body, in compressed rows, ascending and without repetition. */
static int ascending(const void *a, const void *b)
{
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static PetscErrorCode graph(const mpi_bodies *b, int **start, int **neighbour)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)b->count + 2, start));
  int *s = *start;
  for (int g = 0; g < b->groups; g++)
    for (int e = 0; e < 2 && b->pair[2 * g + 1] >= 0; e++)
      s[b->pair[2 * g + e] + 2]++;
  for (int body = 0; body < b->count; body++)
    s[body + 2] += s[body + 1];
  PetscCall(PetscMalloc1((size_t)s[b->count + 1] + 1, neighbour));
  int *to = *neighbour;
  for (int g = 0; g < b->groups; g++)
    for (int e = 0; e < 2 && b->pair[2 * g + 1] >= 0; e++)
      to[s[b->pair[2 * g + e] + 1]++] = b->pair[2 * g + 1 - e];
  int kept = 0, begin = 0;
  for (int body = 0; body < b->count; body++) {
    const int end = s[body + 1], first = kept;
    qsort(to + begin, (size_t)(end - begin), sizeof *to, ascending);
    for (int q = begin; q < end; q++)
      if (kept == first || to[kept - 1] != to[q])
        to[kept++] = to[q];
    begin = end;
    s[body + 1] = kept;
  }
  PetscFunctionReturn(0);
}

/* Rank 0's graph by equal pieces to all ranks; its parts back. Collective. */
PetscErrorCode mpi_bodies_part(MPI_Comm comm, mpi_bodies *b)
{
  int rank, size, count = b->count, *start = NULL, *neighbour = NULL, *begin, *rows, *entries,
                  *from;
  PetscInt *my_start, *my_neighbour;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Bcast(&count, 1, MPI_INT, 0, comm));
  if (size == 1 || count < size) {
    for (int body = 0; rank == 0 && body < count; body++)
      b->part[body] = body % size;
    PetscFunctionReturn(0);
  }
  PetscCall(PetscCalloc4(size + 1, &begin, size, &rows, size, &entries, size, &from));
  if (rank == 0)
    PetscCall(graph(b, &start, &neighbour));
  for (int r = 0; r <= size; r++)
    begin[r] = (int)((int64_t)count * r / size);
  for (int r = 0; r < size; r++) {
    rows[r] = begin[r + 1] - begin[r];
    if (rank == 0) {
      from[r] = start[begin[r]];
      entries[r] = start[begin[r + 1]] - start[begin[r]];
    }
  }
  int mine, first;
  PetscCallMPI(MPI_Scatter(entries, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm));
  PetscCall(PetscMalloc1((size_t)rows[rank] + 1, &my_start));
  PetscCall(PetscMalloc1((size_t)mine + 1, &my_neighbour));
  PetscCallMPI(MPI_Scatterv(start, rows, begin, MPI_INT, my_start, rows[rank], MPI_INT, 0, comm));
  PetscCallMPI(
      MPI_Scatterv(neighbour, entries, from, MPI_INT, my_neighbour, mine, MPI_INT, 0, comm));
  first = rows[rank] ? my_start[0] : 0;
  for (int q = 0; q < rows[rank]; q++)
    my_start[q] -= first;
  my_start[rows[rank]] = mine;
  Mat adjacency;
  MatPartitioning partitioning;
  IS parts;
  const PetscInt *to;
  PetscCall(MatCreateMPIAdj(comm, rows[rank], count, my_start, my_neighbour, NULL, &adjacency));
  PetscCall(MatPartitioningCreate(comm, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, adjacency));
  PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &parts));
  PetscCall(ISGetIndices(parts, &to));
  PetscCallMPI(MPI_Gatherv(to, rows[rank], MPI_INT, b->part, rows, begin, MPI_INT, 0, comm));
  PetscCall(ISRestoreIndices(parts, &to));
  PetscCall(ISDestroy(&parts));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscCall(MatDestroy(&adjacency)); /* and the arrays that it took */
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(neighbour));
  PetscCall(PetscFree4(begin, rows, entries, from));
  PetscFunctionReturn(0);
}
