"""Slow and simple answers to compare with; nothing here calls perp."""

import itertools

import numpy as np


def solutions(A, b, lo=None, hi=None, tol=1e-9):
    """All solutions of a box problem, by trying every case: each row at lo, between, or at hi."""
    n = len(b)
    lo = np.zeros(n) if lo is None else np.broadcast_to(lo, n)
    hi = np.full(n, np.inf) if hi is None else np.broadcast_to(hi, n)
    cases = [[c for c, there in (("free", True), ("lo", np.isfinite(l)), ("hi", np.isfinite(h)))
              if there] for l, h in zip(lo, hi)]
    found = []
    for case in itertools.product(*cases):
        free = np.array([c == "free" for c in case], bool)
        x = np.where([c == "lo" for c in case], lo, np.where([c == "hi" for c in case], hi, 0.0))
        x[free] = 0
        if free.any():
            try:
                x[free] = np.linalg.solve(A[np.ix_(free, free)], -(b + A @ x)[free])
            except np.linalg.LinAlgError:
                continue
        if box_residual(A, b, x, lo, hi) <= tol and not any(np.allclose(x, z) for z in found):
            found.append(x)
    return found


def box_residual(A, b, x, lo=0.0, hi=np.inf):
    """max |x - P(x - y)|"""
    y = A @ x + b
    return float(np.max(np.abs(x - np.clip(x - y, lo, hi)), initial=0))


def friction_residual(A, b, x, lo, hi, findex):
    scale = np.where(findex >= 0, np.abs(x[findex]), 1.0)
    return box_residual(A, b, x, lo * scale, hi * scale)


def project_cone(z, mu):
    """The nearest point of |(z_t, z_o)| <= mu z_n."""
    n, t = z[0], np.hypot(z[1], z[2])
    if t <= mu * n:
        return z.copy()
    if mu * t <= -n:
        return np.zeros(3)
    p = (n + mu * t) / (1 + mu * mu)
    return np.array([p, mu * p * z[1] / t, mu * p * z[2] / t])


def cone_residual(A, b, x, mu):
    y = A @ x + b
    worst = 0.0
    for c, m in enumerate(mu):
        rows = slice(3 * c, 3 * c + 3)
        v = y[rows].copy()
        v[0] += m * np.hypot(v[1], v[2])
        worst = max(worst, float(np.max(np.abs(x[rows] - project_cone(x[rows] - v, m)))))
    return worst


def definite(rng, n, skew=0.5):
    """A positive definite matrix, symmetric if skew is 0."""
    B = rng.standard_normal((n, n))
    S = rng.standard_normal((n, n))
    return B @ B.T + 0.3 * np.eye(n) + skew * (S - S.T)
