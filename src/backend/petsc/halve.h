/* halve.h: interpolations from coarser and coarser grids to a DMDA of any number of points */
#pragma once

#include <petscdmda.h>
#include <petscmat.h>

/* P[*count] goes to the points of dm, the next one to the grid below it, ...; *count grows by as
 * many, up to `room`. None if dm is no DMDA, is periodic or interpolates from cells. */
PetscErrorCode perp_halve(DM dm, PetscInt room, Mat *P, PetscInt *count);
