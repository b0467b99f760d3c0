/* types.h: the types that this library adds to PETSc */
#pragma once

#include <petscsnes.h>

PetscErrorCode perp_snes_create(SNES snes);
