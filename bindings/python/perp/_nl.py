"""Models of AMPL, Pyomo and JuMP"""

import numpy as np

from . import _perp
from ._suggest import table


class NLResult:
    """The result of solve_nl.

    x, y               the variables; the values of the rows, less the bound of an equation
    names, row_names   of x and y, from the .col and .row files; without them x[0], row[0]
    success, status    True if solved, as the library has checked; how it ended
    solve_result_num   AMPL's code: 0 solved, 200 infeasible, 300 unbounded, 400 limit, 500 failure
    kind               'lcp', 'ncp' or 'qp'
    residual           of the model as it was read
    objective, nit, restarts, seconds, method, message

    r["price"] is the variable of that name."""

    def __init__(self, found):
        self.__dict__.update(found)

    @property
    def success(self):
        return self.status == "solved"

    def __getitem__(self, name):
        try:
            return float(self.x[self.names.index(name)])
        except ValueError:
            raise KeyError(name) from None

    def __str__(self):
        return table([(name, getattr(self, name)) for name in
                      ("message", "success", "status", "kind", "method", "x", "residual", "nit")])

    def __repr__(self):
        return (f"<perp.NLResult: {self.status} by {self.method}, residual {self.residual:.3g}, "
                f"n = {self.x.size}>")


def solve_nl(path, x0=None, *, method=None, tol=1e-6, time_limit=None, max_iterations=0, restarts=-1,
             seed=0, verbose=False, sol=False, strict=False):
    """Solves the model in an .nl file: complementarity, equations, or a convex quadratic program.

    x0        start; None: that of the file
    method    of solve_lcp, solve_ncp or solve_qp; None: the default
    tol       solved means that the residual is at most tol
    restarts  of a nonlinear problem; -1: the default
    sol       True: also write the .sol file next to it

    Returns an NLResult. A model that is not square, an MPEC or a nonlinear program raises an error that
    says so."""
    start = None if x0 is None else np.ascontiguousarray(x0, float)
    r = NLResult(_perp.solve_nl(path, start, method, tol, time_limit or 0.0, max_iterations, restarts,
                                seed, verbose, sol))
    if strict and not r.success:
        error = _perp.NotSolved(r.message)
        error.result = r
        raise error
    return r
