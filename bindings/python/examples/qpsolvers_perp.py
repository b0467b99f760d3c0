"""perp as a solver of qpsolvers: copy this file to qpsolvers/solvers/perp_.py, or call it as it is."""

import numpy as np
import perp
import scipy.sparse as sp
from qpsolvers import Solution


def perp_solve_problem(problem, initvals=None, verbose=False, **kwargs):
    P, q, G, h, A, b, lb, ub = problem.unpack()
    rows = [(sp.csr_matrix(M), np.atleast_1d(v)) for M, v in ((G, h), (A, b)) if M is not None]
    m = 0 if G is None else rows[0][0].shape[0]
    u = np.concatenate([v for _, v in rows]) if rows else None
    l = np.concatenate([np.full(m, -np.inf), u[m:]]) if rows else None
    M = sp.vstack([M for M, _ in rows]) if rows else None
    r = perp.solve_qp(P, q, M, l, u, lb, ub, x0=initvals, verbose=verbose, **kwargs)
    return Solution(problem, found=r.success, obj=r.objective, x=r.x, z=r.z[:m], y=r.z[m:], z_box=r.w)
