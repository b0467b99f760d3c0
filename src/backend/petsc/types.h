/* types.h: the types that this library adds to PETSc */
#pragma once

#include <petscsnes.h>
#include <petsctao.h>

PetscErrorCode perp_snes_create(SNES snes);
PetscErrorCode perp_tao_create(Tao tao);
