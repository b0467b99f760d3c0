/* bodies.h: the bodies of contacts, and which rank gets which */
#pragma once

#include "backend/petsc/mpi/mpi.h"

typedef struct mpi_bodies {
  perp_contact_data data;
  int count;
  int *of_velocity; /* the body of each velocity */
  int *first;       /* count + 1: its first velocity */
  int groups;       /* cones, then single rows */
  int cones;
  int *pair;  /* 2 for each group: bodies, the second -1 if there is one only */
  int *part;  /* of each body: its rank */
  int *owner; /* of each group */
} mpi_bodies;

static inline int mpi_group_row(const mpi_bodies *b, int g)
{
  return g < b->cones ? 3 * g : 3 * b->cones + g - b->cones;
}

static inline int mpi_group_rows(const mpi_bodies *b, int g)
{
  return g < b->cones ? 3 : 1;
}

/* Of the contacts that this rank has; part and owner are not filled. */
PetscErrorCode mpi_bodies_open(const perp_instance *instance, mpi_bodies *b);
PetscErrorCode mpi_bodies_close(mpi_bodies *b);
/* The rank of each of `count` bodies, by a graph partitioner, from the pairs that touch (as in
 * mpi_bodies), which all ranks know. Collective; `part` is the same on all. */
PetscErrorCode mpi_bodies_part(MPI_Comm comm, int count, int groups, const int *pair, int *part);
