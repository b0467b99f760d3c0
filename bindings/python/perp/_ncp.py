"""Nonlinear complementarity problems"""

import numpy as np

from . import _perp
from ._matrix import _csr, _real, _vector
from ._suggest import suggestion, table


class NCPResult:
    """The result of solve_ncp.

    x, F               the solution and F(x); the best iterate if it is not solved
    success, status    True if solved, as the library has checked; how it ended
    residual           max |x - mid(lo, x - F, hi)|
    nit, nfev, njev, restarts, seconds, method, message"""

    def __init__(self, x, F, found):
        self.x, self.F = x, F
        self.__dict__.update(found)

    @property
    def success(self):
        return self.status == "solved"

    def __str__(self):
        return table([(name, getattr(self, name)) for name in
                      ("message", "success", "status", "method", "x", "F", "residual", "nit", "nfev")])

    def __repr__(self):
        return (f"<perp.NCPResult: {self.status} by {self.method}, residual {self.residual:.3g}, "
                f"{self.nit} iterations, n = {self.x.size}>")


def _values(J, x, n):
    """(row starts, columns, a function that gives the values) of a Jacobian; None if it is dense"""
    if J is None:
        return None, None, None
    start = column = None
    first = J(np.clip(x, -1e300, 1e300))
    if hasattr(first, "tocsr"):
        if first.shape != (n, n):
            raise ValueError(f"J has the shape {first.shape}, not {(n, n)}")
        start, column, _ = _csr(first, "J", own=True)

    def values(at):
        M = J(at)
        if tuple(np.shape(M) if not hasattr(M, "shape") else M.shape) != (n, n):
            raise ValueError(f"J has the shape {np.shape(M)}, not {(n, n)}")
        if start is None:
            return _real(M.toarray() if hasattr(M, "toarray") else M, "J")
        if not hasattr(M, "tocsr"):
            raise TypeError("J was sparse at x0, and is not here")
        where, which, numbers = _csr(M, "J")
        if not (np.array_equal(where, start) and
                np.array_equal(which[:start[-1]], column[:start[-1]])):
            raise ValueError("J: its sparsity pattern differs from the one at x0")
        return numbers[:start[-1]]

    return start, column, values


# the words of scipy.optimize.root and others
_OTHERS = {"jac": "J", "jacobian": "J", "fprime": "J", "maxiter": "max_iterations", "max_iter": "max_iterations",
           "maxfev": "max_iterations", "xtol": "tol", "ftol": "tol", "atol": "tol", "lb": "lo", "ub": "hi",
           "lower": "lo", "upper": "hi", "disp": "verbose", "timeout": "time_limit"}


def _bound(function, args):
    """x -> function(x, *args); None stays None."""
    return None if function is None else lambda x: function(x, *args)


def _final(F, x):
    """F(x), or NaN if it is not defined there"""
    try:
        return np.asarray(F(x.copy()), float)
    except ArithmeticError:
        return np.full(x.size, np.nan)


def solve_ncp(F, J=None, x0=None, lo=None, hi=None, *, method="auto", tol=1e-8, time_limit=None,
              max_iterations=300, restarts=5, seed=0, callback=None, verbose=False, strict=False, args=(),
              **unknown):
    """Finds x with lo <= x <= hi and F_i(x) = 0 between the bounds, >= 0 at lo_i, <= 0 at hi_i.

    F        x -> n numbers; numbers that are not finite, or an ArithmeticError: not defined at x
    J        x -> its Jacobian, an array or scipy.sparse with entries in the same places; None: by
             differences. It may be left out: solve_ncp(F, x0)
    x0       start
    args     further arguments: F(x, *args), J(x, *args)
    lo, hi   numbers or vectors; None: 0 and infinity
    method   'auto', 'josephy', 'fischer', 'minmap', 'homotopy' or 'interior'

    verbose  True: print a line an iteration

    Solved means that the natural residual is at most tol. Other options are as in
    perp.solve_lcp. Returns an NCPResult."""
    for name in unknown:
        known = ("x0", "lo", "hi", "method", "tol", "time_limit", "max_iterations", "restarts", "seed", "callback",
                 "verbose", "strict", "args", "J")
        raise TypeError(f"solve_ncp() has no argument {name!r}" + suggestion(name, known, _OTHERS))
    if x0 is None and not callable(J):
        J, x0 = None, J
    if x0 is None:
        raise TypeError("solve_ncp() needs the start: solve_ncp(F, x0) or solve_ncp(F, J, x0)")
    if args:
        F, J = _bound(F, args), _bound(J, args)
    x = np.array(x0, float)
    if x.ndim != 1:
        raise ValueError(f"x0 has the shape {x.shape}, not (n,)")
    n = x.size
    lo, hi = _vector(lo, n, "lo"), _vector(hi, n, "hi")
    inside = np.minimum(np.maximum(x, 0 if lo is None else lo), np.inf if hi is None else hi)
    start, column, jacobian = _values(J, inside, n)
    found = _perp.solve_ncp(F, jacobian, x, lo, hi, start, column, method, tol, time_limit or 0.0,
                            max_iterations, restarts, seed, callback, verbose)
    r = NCPResult(x, _final(F, x), found)
    if strict and not r.success:
        error = _perp.NotSolved(r.message)
        error.result = r
        raise error
    return r
