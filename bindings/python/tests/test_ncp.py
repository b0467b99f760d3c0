"""Nonlinear problems by the definition of a solution"""

import math

import numpy as np
import pytest
from oracle import definite

import perp

sparse = pytest.importorskip("scipy.sparse")


def residual(F, x, lo=0.0, hi=np.inf):
    return abs(x - np.clip(x - F(x), lo, hi)).max()


def sample(seed, n=8):
    """F = M x + arctan(x) + q: monotone, so there is exactly one solution"""
    rng = np.random.default_rng(seed)
    M, q = definite(rng, n), 3 * rng.standard_normal(n)
    return (lambda x: M @ x + np.arctan(x) + q), (lambda x: M + np.diag(1 / (1 + x * x)))


@pytest.mark.parametrize("method", ["josephy", "fischer", "minmap", "homotopy"])
@pytest.mark.parametrize("seed", range(5))
def test_methods(method, seed):
    F, J = sample(seed)
    r = perp.solve_ncp(F, J, np.zeros(8), method=method)
    assert r.success and r.method == method, r.message
    assert residual(F, r.x) <= 1.01e-8
    np.testing.assert_array_equal(r.F, F(r.x))


@pytest.mark.parametrize("method", ["josephy", "fischer", "minmap"])
@pytest.mark.parametrize("seed", range(5))
def test_boxes(method, seed):
    F, J = sample(seed)
    box = perp.solve_ncp(F, J, np.zeros(8), -0.1, np.full(8, 0.2), method=method)
    assert box.success and residual(F, box.x, -0.1, 0.2) <= 1.01e-8


def test_jacobian_by_differences_and_sparse():
    F, J = sample(0)
    x = perp.solve_ncp(F, J, np.zeros(8)).x
    np.testing.assert_allclose(perp.solve_ncp(F, None, np.zeros(8)).x, x, atol=1e-6)
    r = perp.solve_ncp(F, lambda v: sparse.csc_matrix(J(v)), np.zeros(8))
    np.testing.assert_allclose(r.x, x, atol=1e-7)
    assert r.njev > 0 and r.nfev > 0 and "solved" in repr(r)


def test_a_linear_problem():
    rng = np.random.default_rng(1)
    A, b = definite(rng, 6), rng.standard_normal(6)
    r = perp.solve_ncp(lambda x: A @ x + b, lambda x: A, np.zeros(6))
    np.testing.assert_allclose(r.x, perp.solve_lcp(A, b).x, atol=1e-7)


def test_not_defined():
    """log(x) at x <= 0: by numbers that are none, and by an exception"""
    with np.errstate(all="ignore"):
        r = perp.solve_ncp(lambda x: np.log(x) - 1, lambda x: np.diag(1 / x), [0.01], -5)
    assert r.success and r.x[0] == pytest.approx(math.e)
    r = perp.solve_ncp(lambda x: np.array([1 - 1 / (x[0] - 1)]) if x[0] > 1 else 1 / 0,
                       lambda x: np.array([[(x[0] - 1) ** -2]]), [1.05], 0.5)
    assert r.success and r.x[0] == pytest.approx(2, abs=1e-6)


def test_callback_and_strict():
    F, J = sample(2)
    seen = []
    perp.solve_ncp(F, J, np.zeros(8), callback=seen.append)
    assert seen and seen[-1].residual <= 1e-8
    stopped = perp.solve_ncp(F, J, np.ones(8), callback=lambda p: False)
    assert stopped.status == "stopped"
    with pytest.raises(perp.NotSolved) as e:
        perp.solve_ncp(F, J, np.ones(8), method="josephy", max_iterations=1, restarts=0, tol=1e-14,
                       strict=True)
    assert e.value.result.nit <= 1


def test_exceptions_come_through():
    F, J = sample(3)

    def fails(x):
        raise LookupError("here")

    with pytest.raises(LookupError, match="here"):
        perp.solve_ncp(fails, J, np.zeros(8))
    with pytest.raises(LookupError, match="here"):
        perp.solve_ncp(F, fails, np.zeros(8))


@pytest.mark.parametrize("call, text", [
    (lambda F, J: perp.solve_ncp(lambda x: x[:3], J, np.zeros(8)), "F returned 3 numbers, not 8"),
    (lambda F, J: perp.solve_ncp(F, lambda x: J(x)[:3], np.zeros(8)), "J has the shape"),
    (lambda F, J: perp.solve_ncp(F, J, np.zeros((8, 1))), "x0 has the shape"),
    (lambda F, J: perp.solve_ncp(F, J, np.zeros(8), lo=np.zeros(3)), "lo has the shape"),
    (lambda F, J: perp.solve_ncp(F, J, np.zeros(8), 1, 0), "lo"),
    (lambda F, J: perp.solve_ncp(F, J, np.zeros(8), method="nix"), "nix"),
])
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call(*sample(0))


def test_the_places_of_entries_may_not_change():
    F, J = sample(0)
    with pytest.raises(ValueError, match="sparsity pattern"):
        perp.solve_ncp(F, lambda x: sparse.csr_matrix(J(x) * (1 if not x.any() else np.eye(8))),
                       np.zeros(8))


def test_without_jacobian_and_with_arguments():
    def F(x, a, b):
        return a * x - b

    for r in (perp.solve_ncp(F, np.zeros(2), args=(2.0, 3.0)),
              perp.solve_ncp(F, lambda x, a, b: a * np.eye(2), np.zeros(2), args=(2.0, 3.0)),
              perp.solve_ncp(F, None, np.zeros(2), args=(2.0, 3.0)), perp.solve_ncp(F, x0=np.zeros(2), args=(2.0, 3.0))):
        assert r.success
        np.testing.assert_allclose(r.x, 1.5)


def test_print():
    text = str(perp.solve_ncp(lambda x: x - 1, np.zeros(2)))
    assert "x: [1. 1.]" in text and "success: True" in text
