"""No call says "solved" of an x whose residual, in exact arithmetic, is above tol * scale

The numbers are made to deceive: x far larger than y, sums that cancel, any friction coefficient,
infinite bounds. The oracle computes in fractions, and roots with 60 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

import perp

TOL = 1e-8


def root(v):
    with localcontext() as context:
        context.prec = 60
        return Fraction((Decimal(v.numerator) / Decimal(v.denominator)).sqrt())


def gradient(A, b, x):
    return [Fraction(b[i]) + sum(Fraction(A[i, j]) * Fraction(x[j]) for j in range(len(x)))
            for i in range(len(x))]


def row_residual(x, y, lo, hi):
    z = x - y
    z = lo if lo is not None and z < lo else z
    z = hi if hi is not None and z > hi else z
    return abs(x - z)


def cone_residual(mu, x, y):
    z = [x[0] - y[0] - mu * root(y[1] ** 2 + y[2] ** 2), x[1] - y[1], x[2] - y[2]]
    t = root(z[1] ** 2 + z[2] ** 2)
    if t > mu * z[0]:
        c = Fraction(0) if mu * t <= -z[0] else (z[0] + mu * t) / (1 + mu ** 2)
        z = [c] + [mu * c * v / t if t else Fraction(0) for v in z[1:]]
    return max(abs(a - b) for a, b in zip(x, z))


def finite(v):
    return None if np.isinf(v) or abs(v) >= 1e300 else Fraction(v)


def true_residual(A, b, x, lo=None, hi=None, mu=None):
    y, x = gradient(A, b, x), [Fraction(v) for v in x]
    if mu is not None:
        return max(cone_residual(Fraction(m), x[3 * c:3 * c + 3], y[3 * c:3 * c + 3])
                   for c, m in enumerate(mu))
    return max(row_residual(x[i], y[i], finite(lo[i]), finite(hi[i])) for i in range(len(x)))


def draw(rng, n):
    """A and x with A x of numbers that cancel"""
    A = rng.standard_normal((n, n)) * 10.0 ** rng.uniform(-12, 2)
    x = rng.standard_normal(n) * 10.0 ** rng.uniform(0, 14)
    if rng.random() < 0.5:
        A[:, n - 1] = -A[:, n - 2]
        x[n - 1] = x[n - 2] * (1 + 10.0 ** rng.uniform(-16, -6))
    return A, x


def offer(rng, A, x):
    """b such that plain sums see a small y"""
    plain = A @ x
    return np.abs(plain).max() * 10.0 ** rng.uniform(-17, -6) * rng.standard_normal(len(x)) - plain


def examine(said, A, b, x, **K):
    truth, target = true_residual(A, b, x, **K), Fraction(TOL) * Fraction(np.abs(b).max())
    assert not said or truth <= target * Fraction(1000001, 1000000), (float(truth), float(target))
    return bool(said)


def test_bounds():
    rng, solved = np.random.default_rng(5), 0
    for k in range(500):
        n = int(rng.integers(2, 7))
        A, x = draw(rng, n)
        b = offer(rng, A, x)
        lo = np.where(rng.random(n) < 0.3, -np.inf, np.where(rng.random(n) < 0.5, x, x - abs(x)))
        hi = np.where(rng.random(n) < 0.5, np.inf, np.maximum(lo, x) + abs(x))
        problem = perp.Problem(A, b, lo, hi)
        solved += examine(perp.check(problem, x, TOL).solved, A, b, x, lo=lo, hi=hi)
        r = perp.solve_lcp(A, b, lo, hi, x0=x, tol=TOL, method="psor" if k % 2 else "auto",
                           max_iterations=2) if (np.diag(A) > 0).all() else None
        if r is not None:
            examine(r.success, A, b, r.x, lo=lo, hi=hi)
    assert solved > 20


def test_cones():
    rng, solved = np.random.default_rng(6), 0
    for k in range(500):
        A, x = draw(rng, 3)
        mu = [0.0, 1.0, 10.0 ** rng.uniform(-3, 3), 10.0 ** rng.uniform(-17, 17)][k % 4]
        x[0] = abs(x[0])
        x[1:] *= mu * x[0] / np.hypot(*x[1:]) * (1 if k % 3 else rng.uniform(0, 1))
        b = offer(rng, A, x)
        said = perp.check(perp.Problem(A, b, mu=[mu]), x, TOL)
        solved += examine(said.solved, A, b, x, mu=[mu])
    assert solved > 20


def test_an_infinite_residual_is_no_solution():
    said = perp.check(perp.Problem(np.array([[1e300]]), np.array([1.0])), np.array([1e300]), np.inf)
    assert not said.solved
