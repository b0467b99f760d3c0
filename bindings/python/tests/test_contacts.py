"""Contacts of 1 to 6 rows: Problem(..., dim=, law=, mu=), judged by NumPy only."""
import pickle

import numpy as np
import pytest

import perp

METHODS = ("auto", "bgs", "nncg", "ssn", "ipm", "apgd", "admm", "prox")
COLUMNS = {1: [], 2: [0], 3: [0, 1], 4: [0, 1, 2], 5: [0, 1, 3, 4], 6: [0, 1, 2, 3, 4]}
GROUPS = {0: [[0, 1, 2, 3, 4]], 1: [[0, 1], [2], [3, 4]]}


def sample(seed):
    rng = np.random.default_rng(seed)
    dim = rng.integers(1, 7, 6)
    law = rng.integers(0, 2, 6)
    mu = np.zeros((6, 5))
    for c, d in enumerate(dim):
        mu[c, COLUMNS[d]] = rng.uniform(0.1, 0.9, d - 1)
    n = dim.sum()
    G = rng.standard_normal((n, n))
    b = rng.standard_normal(n)
    b[np.cumsum(dim) - dim] -= 2
    return perp.Problem(G @ G.T / n + 0.2 * np.eye(n), b, mu=mu, dim=dim, law=law), G @ G.T / n


def broken(p, x, y, tol):
    """Returns the violation of Coulomb's law: Signorini, the bounds, and the greatest dissipation."""
    worst, row = 0.0, 0
    for d, law, mu in zip(p.dim, p.law, p.mu):
        xn, yn = x[row], y[row]
        worst = max(worst, -xn, -yn, abs(min(xn, yn)))
        for group in GROUPS[law]:
            k = [row + 1 + COLUMNS[d].index(c) for c in group if c in COLUMNS[d]]
            m = np.array([mu[c] for c in group if c in COLUMNS[d]])
            if len(k):
                worst = max(worst, np.linalg.norm(x[k] / m) - xn)
                worst = max(worst, abs(xn * np.linalg.norm(m * y[k]) + x[k] @ y[k]))
        row += d
    return worst


@pytest.mark.parametrize("method", METHODS)
def test_solves(method):
    for seed in range(6):
        p, A = sample(seed)
        assert p.form in ("contact", "cone")
        r = perp.solve(p, method=method, tol=1e-10)
        assert r.success, (seed, r.message)
        y = A @ r.x + 0.2 * r.x + p.b
        assert broken(p, r.x, y, 1e-10) < 1e-8 * max(1, abs(p.b).max())


def test_derivative():
    for seed in range(6):
        p, A = sample(seed)
        A = A + 0.2 * np.eye(len(A))
        rng = np.random.default_rng(seed)
        w, v = rng.standard_normal(p.n), rng.standard_normal(p.n)
        m = rng.standard_normal(p.mu.shape) * (p.mu > 0)

        def at(t, s, p=p, A=A, v=v, m=m):
            moved = perp.Problem(A, p.b + t * v, mu=p.mu + s * m, dim=p.dim, law=p.law)
            return perp.solve(moved, method="ssn", tol=1e-13)

        r = at(0, 0)
        g = r.vjp(w)
        assert g.mu.shape == p.mu.shape
        for bar, dx, along in ((g.b @ v, r.jvp(db=v), lambda t: at(t, 0)),
                               ((g.mu * m).sum(), r.jvp(dmu=m), lambda t: at(0, t))):
            difference = (along(1e-6).x - along(-1e-6).x) / 2e-6
            np.testing.assert_allclose(dx, difference, atol=1e-5)
            assert bar == pytest.approx(w @ dx)


def test_one_row_of_mu_for_all():
    p = perp.Problem(np.eye(8), -np.ones(8), mu=[0.5, 0.5, 0.1, 0, 0], dim=[4, 4])
    assert p.mu.shape == (2, 5) and (p.mu[0] == p.mu[1]).all()


def test_round_trips(tmp_path):
    p, _ = sample(1)
    perp.save(tmp_path / "p", p)
    for q in (perp.load(tmp_path / "p"), pickle.loads(pickle.dumps(p)),
              pickle.loads(pickle.dumps(perp.solve(p))).problem):
        assert (q.mu == p.mu).all() and (q.dim == p.dim).all() and (q.law == p.law).all()


@pytest.mark.parametrize("wrong, message", [
    ({"dim": [6]}, "takes 6 of the 5 rows"),
    ({"dim": [7]}, "dim[0] = 7"),
    ({"law": [2]}, "law[0] = 2"),
    ({"mu": [1, 1, 1, 0, 0]}, "has no torsion"),
    ({"mu": [1, 1, 0, -1, 0]}, "mu[0][3] = -1"),
    ({"mu": [1, 1]}, "(1, 5) or (5,)"),
    ({"mu": None}, "five coefficients"),
])
def test_refused(wrong, message):
    given = {"mu": [1, 1, 0, 0.1, 0.1], "dim": [5], "law": [0], **wrong}
    with pytest.raises(ValueError) as e:
        perp.Problem(np.eye(5), np.ones(5), **given)
    assert message in str(e.value)


def test_methods_without_contacts_refuse():
    p, _ = sample(2)
    with pytest.raises(perp.Unsupported, match="contact"):
        perp.solve(p, method="primal")
