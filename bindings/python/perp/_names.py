"""The names that users of other libraries know"""

from typing import NamedTuple

import numpy as np

from . import _perp


class LCPResult(NamedTuple):
    """As lcp_lemke of QuantEcon returns it."""

    z: np.ndarray
    success: bool
    status: int  # 0: solved, 1: max_iter was reached, 2: a ray, 3: anything else
    num_iter: int


def lcp_lemke(M, q, d=None, max_iter=10**6, piv_options=None, tableau=None, basis=None, z=None):
    """z >= 0 with M z + q >= 0 and z'(M z + q) = 0, by Lemke's method, with the arguments of
    QuantEcon's function, in its order.

    d         the covering vector: perp has its own, another one is refused with perp.Unsupported
    max_iter  pivots at most
    z         if given, the solution is written to it too

    piv_options, tableau and basis, for QuantEcon's own tolerances and memory, are not used."""
    if d is not None:
        raise _perp.Unsupported("lcp_lemke: d: the covering vector is perp's own")
    r = _perp.solve_lcp(M, q, method="lemke", max_iterations=max_iter)
    status = {"solved": 0, "iteration-limit": 1, "ray": 2, "infeasible": 2}.get(r.status, 3)
    if z is not None:
        z[...] = r.x
    return LCPResult(r.x, r.success, status, r.nit)


def _bound(v):
    """PATH takes 1e20 for infinite."""
    v = np.array(v, float)
    v[v >= 1e20] = np.inf
    v[v <= -1e20] = -np.inf
    return v if v.ndim else float(v)


def pathlcp(M, q, l=None, u=None, z=None):
    """z with l <= z <= u and M z + q complementary to it, from the start z: as PATH's pathlcp.

    Raises perp.NotSolved if it is not solved. Bounds of 1e20 and more are infinite."""
    r = _perp.solve_lcp(M, q, 0.0 if l is None else _bound(l), np.inf if u is None else _bound(u),
                        x0=z, strict=True)
    return r.x
