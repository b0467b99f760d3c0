"""Derivatives against differences of solutions"""

import numpy as np
import pytest
from oracle import definite

import perp

sparse = pytest.importorskip("scipy.sparse")
STEP = 1e-6


def sample(seed, n=12):
    rng = np.random.default_rng(seed)
    return definite(rng, n), 5 * rng.standard_normal(n), np.full(n, -0.2), np.full(n, 0.3)


def solve(A, b, lo, hi):
    return perp.solve_lcp(A, b, lo, hi, tol=1e-13, strict=True)


def along(f, step=STEP):
    return (f(step) - f(-step)) / (2 * step)


@pytest.mark.parametrize("seed", range(10))
def test_vjp_of_a_box(seed):
    A, b, lo, hi = sample(seed)
    rng = np.random.default_rng(seed + 100)
    r = solve(A, b, lo, hi)
    assert (r.active < 0).any() and (r.active > 0).any() and (r.active == 0).any()
    w = rng.standard_normal(12)
    g = r.vjp(w)
    v, V = rng.standard_normal(12), rng.standard_normal((12, 12))
    for name, slope, call in (
            ("b", g.b @ v, lambda t: solve(A, b + t * v, lo, hi)),
            ("lo", g.lo @ v, lambda t: solve(A, b, lo + t * v, hi)),
            ("hi", g.hi @ v, lambda t: solve(A, b, lo, hi + t * v)),
            ("A", (g.A * V).sum(), lambda t: solve(A + t * V, b, lo, hi))):
        assert slope == pytest.approx(along(lambda t: w @ call(t).x), rel=1e-5, abs=1e-6), name
    assert g.mu is None and g.J is None


@pytest.mark.parametrize("seed", range(5))
def test_jvp_is_the_transpose(seed):
    A, b, lo, hi = sample(seed)
    rng = np.random.default_rng(seed + 200)
    d = solve(A, b, lo, hi).derivative()
    w, v, V = rng.standard_normal(12), rng.standard_normal(12), rng.standard_normal((12, 12))
    g = d.vjp(w)
    assert w @ d.jvp(db=v) == pytest.approx(g.b @ v)
    assert w @ d.jvp(dlo=v) == pytest.approx(g.lo @ v)
    assert w @ d.jvp(dhi=v) == pytest.approx(g.hi @ v)
    assert w @ d.jvp(dA=V) == pytest.approx((g.A * V).sum())
    assert w @ d.jvp(db=v, dA=V) == pytest.approx(g.b @ v + (g.A * V).sum())
    assert d.facts["degenerate"] == 0 and d.facts["deficiency"] == 0


@pytest.mark.parametrize("kind", ["csr", "bsr"])
def test_sparse(kind):
    A, b, lo, hi = sample(3)
    full = solve(A, b, lo, hi)
    S = sparse.csr_matrix(A) if kind == "csr" else sparse.bsr_matrix(A, blocksize=(3, 3))
    r = solve(S, b, lo, hi)
    w = np.arange(12.0)
    g, h = full.vjp(w), r.vjp(w)
    assert h.A.format == kind
    np.testing.assert_allclose(h.A.toarray(), g.A, atol=1e-9)
    np.testing.assert_allclose(r.jvp(dA=S), full.jvp(dA=A), atol=1e-9)
    hole = sparse.csr_matrix(A)
    hole[0, 1] = 0
    hole.eliminate_zeros()
    if kind == "csr":
        with pytest.raises(ValueError, match="sparsity pattern"):
            r.jvp(dA=hole)


def test_cones_and_contacts():
    rng = np.random.default_rng(1)
    J = rng.standard_normal((9, 12))
    mass, b, mu = np.ones(12), 3 * rng.standard_normal(9), np.array([0.3, 0.5, 0.7])

    def at(J=J, b=b, mu=mu):
        return perp.solve_cone(perp.Contact(J, mass, 1e-2), b, mu, tol=1e-13, strict=True)

    r = at()
    w = rng.standard_normal(9)
    g = r.vjp(w)
    v, m, V = rng.standard_normal(9), rng.standard_normal(3), rng.standard_normal((9, 12))
    assert g.b @ v == pytest.approx(along(lambda t: w @ at(b=b + t * v).x), rel=1e-4, abs=1e-6)
    assert g.mu @ m == pytest.approx(along(lambda t: w @ at(mu=mu + t * m).x), rel=1e-4, abs=1e-6)
    slope = along(lambda t: w @ at(J=J + t * V).x)
    assert g.J.multiply(V).sum() == pytest.approx(slope, rel=1e-4, abs=1e-6)
    assert w @ r.jvp(dJ=V) == pytest.approx(slope, rel=1e-4, abs=1e-6)
    assert g.A is None and g.Minv is not None
    with pytest.raises(ValueError, match="dA"):
        r.jvp(dA=np.eye(9))


def test_only_what_is_wanted():
    g = solve(*sample(0)).vjp(np.ones(12), wrt=("b",))
    assert g.b is not None and g.A is None and g.lo is None
    with pytest.raises(ValueError, match="'nix'"):
        solve(*sample(0)).vjp(np.ones(12), wrt=("nix",))


def test_refusals():
    A, b, lo, hi = sample(0)
    r = perp.solve_lcp(A, b, lo, hi, method="pgs", max_iterations=1)
    with pytest.raises(ValueError, match="residual"):
        r.vjp(np.ones(12))
    r = solve(A, b, lo, hi)
    with pytest.raises(ValueError, match="w has 3 entries"):
        r.vjp(np.ones(3))
    with pytest.raises(ValueError, match="b has 3 entries"):
        r.jvp(db=np.ones(3))
    with pytest.raises(ValueError, match="way"):
        r.derivative(way="nix")
    with pytest.raises(ValueError, match="degenerate"):
        r.derivative(degenerate="nix")


def test_two_sides_of_a_kink():
    """x = max(0, -b) at b = 0"""
    r = perp.solve_lcp(np.eye(1), np.zeros(1))
    hold, release = (r.derivative(degenerate=d).jvp(db=np.ones(1))[0] for d in ("hold", "release"))
    assert (hold, release) == (0, -1)
    assert r.derivative().facts["degenerate"] == 1
