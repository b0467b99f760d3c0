"""Quadratic programs"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from . import _perp
from ._matrix import _csr, _real, _vector, operator
from ._suggest import table, unknown_argument


class QPResult:
    """The result of solve_qp.

    x, z, w            the solution, and multipliers of G x and of x: P x + q + G'z + w = 0,
                       positive at upper bounds, negative at lower ones
    success, status    True if solved, as the library has checked; how it ended
    objective          x'P x / 2 + q'x
    primal, dual, gap, complementarity   how well: solved if all are at most tol
    ray                proves 'infeasible' or 'unbounded'; None otherwise
    method, nit, factorisations, seconds, message"""

    def __init__(self, found):
        self.__dict__.update(found)

    @property
    def success(self):
        return self.status == "solved"

    def __str__(self):
        return table([(name, getattr(self, name)) for name in
                      ("message", "success", "status", "method", "x", "z", "w", "objective", "primal", "dual", "gap",
                       "complementarity", "nit")])

    def __repr__(self):
        return (f"<perp.QPResult: {self.status} by {self.method}, objective {self.objective:.6g}, "
                f"primal {self.primal:.2g}, dual {self.dual:.2g}, gap {self.gap:.2g}, "
                f"{self.nit} iterations, n = {self.x.size}, m = {self.z.size}>")


class QPGradient:
    """The gradients of a loss with respect to the data of a program, from QPSolver.vjp.

    q, l, u, lb, ub    vectors; an inactive bound has 0, an equation l_i = u_i has its number in u
    P, G               matrices, all entries; P as a symmetric one"""

    def __init__(self, vectors, x, z):
        self.q, self.l, self.u, self.lb, self.ub = vectors
        self._x, self._z = x, z

    @property
    def P(self):
        outer = np.outer(self.q, self._x)
        return (outer + outer.T) / 2

    @property
    def G(self):
        return np.outer(self._z, self.q) - np.outer(self.l + self.u, self._x)


class QPSolver:
    """QPSolver(P, q, G=None, l=None, u=None, lb=None, ub=None)

    A quadratic program to solve repeatedly with other q and bounds: it keeps its factors and starts
    from the last solution. Arguments are as in perp.solve_qp."""

    def __init__(self, P, q, G=None, l=None, u=None, lb=None, ub=None):
        if q is None:
            if P is None:
                raise ValueError("there is neither P nor q")
            P = operator(P)
            q = np.zeros(P.shape[0])
        q = np.atleast_1d(_real(q, "q"))
        if q.ndim != 1:
            raise ValueError(f"q has the shape {q.shape}, not (n,)")
        self.n, self.m = q.size, 0
        if P is not None:
            P = operator(P)
            if P.shape != (self.n, self.n):
                raise ValueError(f"P has the shape {P.shape}, but q has {self.n} entries")
        start = column = value = None
        if G is not None:
            G = G if hasattr(G, "tocsr") else _real(G, "G")
            if len(G.shape) != 2 or G.shape[1] != self.n:
                raise ValueError(f"G has the shape {G.shape}, but q has {self.n} entries")
            self.m = G.shape[0]
            if hasattr(G, "tocsr"):
                start, column, value = _csr(G, "G", own=True)
            else:
                value = G
        elif l is not None or u is not None:
            raise ValueError("l and u are bounds of G x: there is no G")
        bounds = self._bounds(l, u, lb, ub)
        self._program = _perp.Program(P, self.n, self.m, q, start, column, value, *bounds)

    def _bounds(self, l, u, lb, ub):
        return (_vector(l, self.m, "l"), _vector(u, self.m, "u"), _vector(lb, self.n, "lb"),
                _vector(ub, self.n, "ub"))

    def set(self, q=None, l=None, u=None, lb=None, ub=None):
        """Other numbers for these; None: as they are."""
        self._program.set(_vector(q, self.n, "q"), *self._bounds(l, u, lb, ub))

    def start(self, x, z=None, w=None):
        """A start for the next solve."""
        self._program.start(_vector(x, self.n, "x"), _vector(z, self.m, "z"),
                            _vector(w, self.n, "w"))

    def solve(self, *, method="auto", tol=1e-8, time_limit=None, max_iterations=0, cold=False,
              verbose=False, strict=False):
        """Solves it, from the last solution unless `cold`; returns a QPResult."""
        r = QPResult(self._program.solve(method, tol, max_iterations, time_limit or 0.0, cold,
                                        verbose))
        self._last = r.x, r.z
        if strict and not r.success:
            error = _perp.NotSolved(r.message)
            error.result = r
            raise error
        return r


    def vjp(self, g):
        """The gradients of a loss whose gradient with respect to x is g, at the last solution: a
        QPGradient. An error if that was not solved, or if x is not unique and g tells solutions apart."""
        vectors = self._program.vjp(_vector(g, self.n, "g"))
        return QPGradient(vectors, *self._last)


_ARGUMENTS = ("P", "q", "G", "l", "u", "lb", "ub", "x0")
_SOLVE = ("method", "tol", "time_limit", "max_iterations", "cold", "verbose", "strict")
# the words of quadprog, OSQP, qpsolvers and scipy
_OTHERS = {"Q": "P", "H": "P", "c": "q", "f": "q", "h": "u", "b_ub": "u", "lo": "lb", "hi": "ub", "lower": "lb",
           "upper": "ub", "maxiter": "max_iterations", "max_iter": "max_iterations", "eps_abs": "tol",
           "eps_rel": "tol", "initvals": "x0", "solver": "method", "disp": "verbose", "timeout": "time_limit"}
_SPLIT = {"A": "constraints are l <= G x <= u, with l = u for equations: G=A",
          "b": "equations A x = b are rows of l <= G x <= u with l = u = b",
          "A_eq": "equations are rows of l <= G x <= u with l = u", "b_eq": "equations are rows of l <= G x <= u with l = u",
          "A_ub": "inequalities are rows of l <= G x <= u: G=A_ub, u=b_ub", "bounds": "bounds are lb and ub"}


def solve_qp(P, q, G=None, l=None, u=None, lb=None, ub=None, x0=None, *, method="auto", tol=1e-8, time_limit=None,
             max_iterations=0, cold=False, verbose=False, strict=False, **options):
    """Minimises x'P x / 2 + q'x subject to l <= G x <= u and lb <= x <= ub.

    P        symmetric, positive semi-definite: array, scipy.sparse, perp.Operator, or None for 0
    q        a vector, or None for 0
    G        array or scipy.sparse
    l, u, lb, ub   numbers or vectors; None: infinite. l_i = u_i is an equation.
    x0       start

    method: 'auto', 'ipm', 'active', 'admm', 'kkt:NAME'; tol, time_limit,
    max_iterations, verbose, strict as of perp.solve_lcp. Returns a QPResult."""
    for name in options:
        if name in _SPLIT:
            raise TypeError(f"solve_qp() has no argument {name!r}: {_SPLIT[name]}")
        raise unknown_argument("solve_qp", name, _ARGUMENTS + _SOLVE, _OTHERS)
    solver = QPSolver(P, q, G, l, u, lb, ub)
    if x0 is not None:
        solver.start(x0)
    return solver.solve(method=method, tol=tol, time_limit=time_limit, max_iterations=max_iterations, cold=cold,
                        verbose=verbose, strict=strict)


def solve_qp_batch(P, q, G=None, l=None, u=None, lb=None, ub=None, *, threads=1, **options):
    """Solves many programs of one shape: a list of QPResult, as solve_qp would return them.

    q has the shape (count, n). Each other argument is for all programs, or has one more dimension, of
    length count. threads: programs that are solved at the same time; options as of solve_qp."""
    q = _real(q, "q")
    if q.ndim != 2:
        raise ValueError(f"q has the shape {q.shape}, not (count, n)")

    def pick(a, name, dimensions, k):
        if a is None or np.ndim(a) <= dimensions or hasattr(a, "tocsr"):
            return a
        if len(a) != len(q):
            raise ValueError(f"{name} has {len(a)} parts, but q has {len(q)} rows")
        return a[k]

    def solve(k):
        bounds = [pick(a, name, 1, k) for a, name in ((l, "l"), (u, "u"), (lb, "lb"), (ub, "ub"))]
        return solve_qp(pick(P, "P", 2, k), q[k], pick(G, "G", 2, k), *bounds, **options)

    with ThreadPoolExecutor(max(1, threads)) as pool:
        return list(pool.map(solve, range(len(q))))
