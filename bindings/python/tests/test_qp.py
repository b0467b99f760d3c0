"""Quadratic programs against enumeration of active sets, and by the conditions of optimality"""

import itertools

import numpy as np
import pytest
from oracle import definite

import perp

sparse = pytest.importorskip("scipy.sparse")


def optimum(P, q, G, l, u):
    """The minimum over l <= G x <= u of a definite P, by every choice of active rows."""
    n, m = len(q), len(G)
    best, value = None, np.inf
    for active in itertools.product((0, -1, 1), repeat=m):
        rows = [i for i in range(m) if active[i]]
        if len(rows) > n:
            continue
        target = np.array([l[i] if active[i] < 0 else u[i] for i in rows])
        if not np.isfinite(target).all():
            continue
        k = len(rows)
        K = np.block([[P, G[rows].T], [G[rows], np.zeros((k, k))]])
        try:
            x = np.linalg.solve(K, np.concatenate([-q, target]))[:n]
        except np.linalg.LinAlgError:
            continue
        f = x @ P @ x / 2 + q @ x
        if (G @ x >= l - 1e-9).all() and (G @ x <= u + 1e-9).all() and f < value:
            best, value = x, f
    return best, value


@pytest.mark.parametrize("seed", range(25))
def test_against_enumeration(seed):
    rng = np.random.default_rng(seed)
    n, m = 2 + seed % 3, 1 + seed % 3
    P, q, G = definite(rng, n, 0), 3 * rng.standard_normal(n), rng.standard_normal((m, n))
    l, u = -rng.random(m), np.where(rng.random(m) < 0.3, np.inf, rng.random(m))
    lb, ub = np.full(n, -0.5), np.full(n, 0.5)
    x, value = optimum(P, q, np.vstack([G, np.eye(n)]), np.append(l, lb), np.append(u, ub))
    for Gs in (G, sparse.csr_matrix(G), sparse.csc_matrix(G)):
        r = perp.solve_qp(P, q, Gs, l, u, lb, ub)
        assert r.success, r.message
        np.testing.assert_allclose(r.x, x, atol=1e-6)
        assert r.objective == pytest.approx(value, abs=1e-7)
        np.testing.assert_allclose(P @ r.x + q + G.T @ r.z + r.w, 0, atol=1e-6)


def test_equations():
    P, q = np.diag([2.0, 4.0]), np.zeros(2)
    r = perp.solve_qp(P, q, np.ones((1, 2)), 3, 3)
    np.testing.assert_allclose(r.x, [2, 1], atol=1e-7)
    np.testing.assert_array_equal(perp.solve_qp(P, None, np.ones((1, 2)), 3, 3).x, r.x)


def test_linear_program():
    r = perp.solve_qp(None, [-1.0, -2.0], [[1.0, 1.0]], u=4, lb=0, ub=[3, 3])
    np.testing.assert_allclose(r.x, [1, 3], atol=1e-6)
    assert r.objective == pytest.approx(-7, abs=1e-6)


def test_infeasible_and_unbounded():
    r = perp.solve_qp(np.eye(1), [0.0], [[1.0], [1.0]], l=[1, -np.inf], u=[np.inf, 0])
    assert r.status == "infeasible" and not r.success
    assert r.ray[0] + r.ray[1] == 0 and r.ray[0] < 0  # z'G = 0, but 1 <= x <= 0 weighs more
    r = perp.solve_qp(np.diag([1.0, 0.0]), [0.0, -1.0])
    assert r.status == "unbounded" and not r.success
    with pytest.raises(perp.NotSolved):
        perp.solve_qp(np.diag([1.0, 0.0]), [0.0, -1.0], strict=True)


def test_solver_is_kept():
    rng = np.random.default_rng(0)
    P, G = definite(rng, 20, 0), rng.standard_normal((10, 20))
    s = perp.QPSolver(P, np.zeros(20), G, -1, 1, -1, 1)
    for _ in range(5):
        q = 3 * rng.standard_normal(20)
        s.set(q=q)
        warm, cold = s.solve(), perp.solve_qp(P, q, G, -1, 1, -1, 1)
        assert warm.success and cold.success and "solved" in repr(warm)
        np.testing.assert_allclose(warm.x, cold.x, atol=1e-5)
    s.start(warm.x, warm.z, warm.w)
    assert s.solve().success
    s.set(lb=-0.1, ub=0.1)
    assert abs(s.solve().x).max() <= 0.1 + 1e-6


@pytest.mark.parametrize("method", ["ipm", "active", "admm", "kkt:fischer"])
def test_methods(method):
    rng = np.random.default_rng(1)
    P, q, G = definite(rng, 8, 0), rng.standard_normal(8), rng.standard_normal((4, 8))
    a = perp.solve_qp(P, q, G, -0.1, 0.1)
    b = perp.solve_qp(P, q, G, -0.1, 0.1, method=method, tol=1e-7)
    assert b.success, b.message
    np.testing.assert_allclose(a.x, b.x, atol=1e-5)


@pytest.mark.parametrize("call, text", [
    (lambda: perp.solve_qp(None, None), "neither P nor q"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(3)), "P has the shape"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), np.ones((1, 3))), "G has the shape"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), l=1), "no G"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), lb=np.ones(3)), "lb has the shape"),
    (lambda: perp.solve_qp(np.eye(2), [1.0, np.nan]), r"q\[1\] = nan"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), lb=1, ub=0), "lb"),
    (lambda: perp.solve_qp(np.array([[1.0, 2.0], [3.0, 1.0]]), np.ones(2)), "symmetric"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), method="nix"), "nix"),
])
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_an_upper_triangle_is_symmetric():
    P = definite(np.random.default_rng(2), 6, 0)
    a, b = perp.solve_qp(P, np.ones(6), lb=-0.1), perp.solve_qp(np.triu(P), np.ones(6), lb=-0.1)
    assert a.success and (a.x == b.x).all()


def test_gradients_match_differences():
    rng = np.random.default_rng(3)
    P, q, G, g = definite(rng, 5, 0), 5 * rng.standard_normal(5), rng.standard_normal((3, 5)), rng.standard_normal(5)

    def loss(P, q, G, u):
        return g @ perp.solve_qp(P, q, G, -1, u, -0.4, 0.4, tol=1e-11).x

    u = np.full(3, 0.1)
    s = perp.QPSolver(P, q, G, -1, u, -0.4, 0.4)
    assert s.solve(tol=1e-11).success
    found, h = s.vjp(g), 1e-6
    for data, gradient in ((q, found.q), (u, found.u), (G, found.G), (P, found.P)):
        for k in np.ndindex(data.shape):
            mirror = k[::-1] if data is P else k
            before = data[k]
            values = []
            for step in (h, -h):
                data[k] = data[mirror] = before + step
                values.append(loss(P, q, G, u))
            data[k] = data[mirror] = before
            right = gradient[k] + (gradient[mirror] if mirror != k else 0)
            assert abs((values[0] - values[1]) / (2 * h) - right) <= 1e-4 * (1 + abs(right)), k
    with pytest.raises(ValueError, match="no solution"):
        perp.QPSolver(P, q).vjp(g)


def test_batches_are_single_solves():
    rng = np.random.default_rng(4)
    P, q, lb = definite(rng, 4, 0), rng.standard_normal((9, 4)), -rng.random((9, 4))
    for k, r in enumerate(perp.solve_qp_batch(P, q, lb=lb, threads=3)):
        assert r.success and (r.x == perp.solve_qp(P, q[k], lb=lb[k]).x).all()
    with pytest.raises(ValueError, match="lb has 2 parts"):
        perp.solve_qp_batch(P, q, lb=lb[:2])
