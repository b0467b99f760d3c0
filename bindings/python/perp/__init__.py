"""perp: complementarity problems, 0 <= x, y = A x + b >= 0, x'y = 0, and relatives.

    import numpy as np, perp
    r = perp.solve_lcp(np.array([[2.0, -1.0], [-1.0, 2.0]]), np.array([-1.0, 0.8]))
    r.x, r.success, r.method

solve_lcp, solve_cone, solve   solve one problem; help(perp.solve_lcp) lists methods and parameters
Solver                         a method with its memory, for problems that are solved again
solve_batch, Device            many problems of one size, by several threads or on a GPU
queue_batch, queue_worlds      many problems in arrays of a GPU; perp.torch: the same with gradients
Problem, Contact, Grid, MatrixFree, operator   problems and matrices
solve_qp, QPSolver, solve_ncp  quadratic programs, nonlinear problems
solve_nl                       a model of AMPL, Pyomo or JuMP
Result.vjp, Result.jvp         derivatives of a solution with respect to the data
generate, load, save, check    problems made to order and on disk; a verdict on any x
simulate                       scenes in motion
methods, generators, scenes, components        what there is
plot                           convergence, active sets, scenes (with matplotlib)
lcp_lemke, pathlcp             the names that others have for them"""

from . import _perp, _pickle  # noqa: F401
from ._batch import BatchResult, Device, solve_batch
from ._derivative import Derivative, Gradient
from ._files import Check, check, check_certificate, generate, load, save
from ._matrix import Contact, Grid, MatrixFree, operator
from ._names import LCPResult, lcp_lemke, pathlcp
from ._ncp import NCPResult, solve_ncp
from ._nl import NLResult, solve_nl
from ._perp import (Attempt, Counts, NotSolved, Operator, Problem, Progress, Solver, Unsupported,
                    solve, solve_cone, solve_lcp)
from ._plot import plot
from ._qp import QPGradient, QPResult, QPSolver, solve_qp, solve_qp_batch
from ._queue import GridResult, Queued, queue_batch, queue_worlds, solve_grid
from ._result import Result
from ._simulate import Shape, Simulation, Step, View, simulate
from ._suggest import unknown_parameter
from ._tables import (Generator, Method, Parameter, Scene, components, generators, methods,
                      scenes)

_perp.connect(operator, Result, unknown_parameter)

__version__ = _perp.version
__all__ = [
    "Attempt", "BatchResult", "Check", "Contact", "Counts", "Derivative", "Device", "Generator",
    "Gradient", "Grid", "GridResult", "LCPResult", "MatrixFree", "Method", "NCPResult", "NLResult",
    "NotSolved", "Operator", "Parameter", "Problem",
    "Progress", "QPGradient", "QPResult", "QPSolver", "Queued", "Result", "Scene", "Shape", "Simulation", "Solver",
    "Step", "Unsupported", "View", "check", "check_certificate", "components", "generate", "generators",
    "lcp_lemke", "load", "methods", "operator", "pathlcp", "plot", "queue_batch", "queue_worlds",
    "save", "scenes", "simulate",
    "solve", "solve_batch", "solve_cone", "solve_grid", "solve_lcp", "solve_ncp", "solve_nl", "solve_qp",
    "solve_qp_batch",
]
