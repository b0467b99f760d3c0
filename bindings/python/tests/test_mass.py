"""Contacts with a mass matrix, and files of FCLib, against numpy."""
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import perp


def tree(rng, m):
    """A mass matrix that couples each joint with the joints above it, and the parents."""
    parent = [-1] + [int(rng.integers(k)) for k in range(1, m)]
    M = np.diag(rng.uniform(0.5, 1, m))
    for k in range(m):
        a, j = np.zeros(m), k
        while j >= 0:
            a[j], j = rng.uniform(-1, 1), parent[j]
        M += np.outer(a, a)
    return M


@pytest.mark.parametrize("seed", range(30))
def test_contact_with_mass(seed):
    rng = np.random.default_rng(seed)
    m, contacts = int(rng.integers(2, 15)), int(rng.integers(1, 5))
    M, J = tree(rng, m), rng.uniform(-1, 1, (3 * contacts, m))
    A = perp.Contact(J, M=sp.csr_matrix(M) if seed % 2 else M, C=0.01)
    dense = J @ np.linalg.solve(M, J.T) + 0.01 * np.eye(3 * contacts)
    x, v = rng.uniform(-1, 1, 3 * contacts), rng.uniform(-1, 1, m)
    assert np.allclose(A @ x, dense @ x, rtol=1e-10, atol=1e-10)
    assert np.allclose(A.bias(v), J @ v)
    assert np.allclose(A.velocities(v, x), v + np.linalg.solve(M, J.T @ x), rtol=1e-9, atol=1e-9)
    other = pickle.loads(pickle.dumps(A))
    assert np.array_equal(A @ x, other @ x) and np.array_equal(A.velocities(v, x), other.velocities(v, x))
    b = rng.uniform(-1, 0.3, 3 * contacts)
    r = perp.solve_cone(A, b, mu=np.full(contacts, 0.5))
    if r.success:
        assert perp.check(perp.Problem(dense, b, mu=np.full(contacts, 0.5)), r.x, tol=2e-8)


def test_masses_refused():
    J = np.ones((3, 2))
    with pytest.raises(ValueError, match="factor ends at row 1"):
        perp.Contact(J, M=-np.eye(2))
    with pytest.raises(ValueError, match="shape"):
        perp.Contact(J, M=np.eye(3))
    with pytest.raises(TypeError, match="Minv or M"):
        perp.Contact(J)
    with pytest.raises(ValueError, match="not symmetric"):
        perp.Contact(J, M=np.array([[2.0, 1.0], [0.5, 2.0]]))


def test_gradient_of_J():
    """By J and by M, -(M^-1 J' g.b) (M^-1 J' x)' of the entries, against differences."""
    rng = np.random.default_rng(3)
    M, J, w = tree(rng, 5), rng.uniform(-1, 1, (4, 5)), rng.uniform(-1, 1, 4)
    b = -rng.uniform(1, 2, 4)

    def solve(M, J):
        return perp.solve_lcp(perp.Contact(J, M=sp.csr_matrix(M), C=0.5), b, tol=1e-13)

    r = solve(M, J)
    g = r.vjp(w)
    assert g.Minv is None and g.J.shape == J.shape
    change, h = rng.uniform(-1, 1, J.shape), 1e-6
    found = w @ (solve(M, J + h * change).x - solve(M, J - h * change).x) / (2 * h)
    assert np.isclose(np.sum(g.J.toarray() * change), found, rtol=1e-5)
    change = np.where(M != 0, 0.1, 0)
    found = w @ (solve(M + h * change, J).x - solve(M - h * change, J).x) / (2 * h)
    gM = -np.outer(np.linalg.solve(M, J.T @ g.b), np.linalg.solve(M, J.T @ r.x))
    assert np.isclose(np.sum(gM * change), found, rtol=1e-5)


def test_fclib_files(tmp_path):
    problem = perp.generate("robot:model=hand,cfm=0")
    path = tmp_path / "hand.hdf5"
    try:
        perp.save(path, problem)
    except RuntimeError as error:
        if "without HDF5" in str(error):
            pytest.skip("built without HDF5")
        raise
    again = perp.load(path)
    assert np.array_equal(problem.b, again.b) and np.array_equal(problem.mu, again.mu)
    x = np.linspace(-1, 1, len(problem.b))
    assert np.allclose(problem.A @ x, again.A @ x, rtol=0, atol=0)
