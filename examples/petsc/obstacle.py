"""A membrane over an obstacle, by petsc4py. Nothing in it refers to perp: an option chooses it.

    mpirun -n 4 python3 obstacle.py -n 257 -dll_append build-petsc/lib/libperp_petsc.so -snes_type perpmg

The last number is the natural residual max |u - max(u - F, lo)|, computed here."""
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

import numpy as np  # noqa: E402

n = PETSc.Options().getInt("n", 65)
grid = PETSc.DMDA().create([n, n], stencil_width=1, stencil_type=PETSc.DMDA.StencilType.STAR)
(xs, xe), (ys, ye) = grid.getRanges()
h = 1 / (n - 1)
x, y = np.meshgrid(h * np.arange(xs, xe), h * np.arange(ys, ye), indexing="ij")
inner = (x > h / 2) & (x < 1 - h / 2) & (y > h / 2) & (y < 1 - h / 2)
local = grid.createLocalVec()


def function(snes, U, F):
    """4 u - (its neighbours) - h^2 inside, u on the boundary"""
    grid.globalToLocal(U, local)
    u, f = grid.getVecArray(local), grid.getVecArray(F)
    wide = np.zeros((xe - xs + 2, ye - ys + 2))
    a, b = max(xs - 1, 0), max(ys - 1, 0)
    part = u[a:min(xe + 1, n), b:min(ye + 1, n)]
    wide[a - xs + 1:a - xs + 1 + part.shape[0], b - ys + 1:b - ys + 1 + part.shape[1]] = part
    own = wide[1:-1, 1:-1]
    around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    f[xs:xe, ys:ye] = np.where(inner, 4 * own - around - h * h, own)


U, lo, hi = grid.createGlobalVec(), grid.createGlobalVec(), grid.createGlobalVec()
bound = 0.25 - 2 * ((x - 0.5) ** 2 + (y - 0.5) ** 2)
grid.getVecArray(lo)[xs:xe, ys:ye] = np.where(inner, bound, PETSc.NINFINITY)
hi.set(PETSc.INFINITY)

snes = PETSc.SNES().create()
snes.setDM(grid)
F = U.duplicate()
snes.setFunction(function, F)
snes.setVariableBounds(lo, hi)
snes.setTolerances(atol=1e-12, rtol=0, stol=0, max_it=100)
snes.setType("vinewtonrsls")
snes.setFromOptions()
snes.solve(None, U)

function(snes, U, F)
F.array = U.array - np.maximum(U.array - F.array, lo.array)
natural = F.norm(PETSc.NormType.NORM_INFINITY)
PETSc.Sys.Print(f"type {snes.getType()} its {snes.getIterationNumber()} "
                f"reason {snes.getConvergedReason()} natural {natural:.3e}")
