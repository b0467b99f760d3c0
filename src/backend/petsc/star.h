/* star.h: treats an affine F on a DMDA with 5 or 7 points per row as a matrix-free grid */
#pragma once

#include "backend/petsc/mesh.h"

#include <petscdmda.h>
#include <petscsnes.h>

typedef struct perp_star perp_star;

/* Examines F of a SNES around x, where its value is F. *star is NULL, and *why gives the reason, if
 * F is not affine, not symmetric or has other entries, or if the DM is not a DMDA with one number
 * per point. Rows that contain only x_i (boundary values) are solved at once, which changes x
 * there. Collective. */
PetscErrorCode perp_star_find(SNES snes, Vec F, Vec x, perp_star **star, const char **why);
/* Runs cycles from x, or with options->start from 0, towards `target`; x becomes the result. F: its
 * value at x on entry. */
PetscErrorCode perp_star_solve(perp_star *star, const perp_mesh_options *options, Vec lo, Vec hi,
                               Vec F, Vec x, perp_mesh_result *result);
PetscErrorCode perp_star_destroy(perp_star **star);
