/* register.c: what PETSc calls after it loaded this library: -dll_append libperp_petsc.so */
#include "backend/petsc/types.h"

/* The name is made of the library's: PETSc looks for it. */
PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_perp_petsc(void);

PetscErrorCode PetscDLLibraryRegister_perp_petsc(void)
{
  PetscFunctionBegin;
  PetscCall(SNESRegister("perpmg", perp_snes_create));
  PetscCall(TaoRegister("perp", perp_tao_create));
  PetscFunctionReturn(0);
}
