"""Every kind of matrix gives the same answer; none is copied without need"""

import numpy as np
import pytest
from oracle import box_residual, cone_residual, definite

import perp

sparse = pytest.importorskip("scipy.sparse")
from scipy.sparse.linalg import LinearOperator, aslinearoperator  # noqa: E402


def sample(n=30, seed=0, skew=0.0):
    rng = np.random.default_rng(seed)
    A = definite(rng, n, skew)
    A[abs(A) < 1.5] = 0
    A += np.diag(np.abs(A).sum(axis=1))
    return A, rng.standard_normal(n)


def shuffled(A):
    """The matrix with unsorted columns and some entries in two parts."""
    A = sparse.coo_matrix(A)
    order = np.random.default_rng(1).permutation(A.nnz)
    row, col, data = A.row[order], A.col[order], A.data[order]
    row, col = np.concatenate([row, row[:5]]), np.concatenate([col, col[:5]])
    data = np.concatenate([data, data[:5] / 4])
    data[:5] *= 0.75
    starts = np.zeros(A.shape[0] + 1, int)
    np.add.at(starts, row + 1, 1)
    order = np.argsort(row, kind="stable")
    return sparse.csr_matrix((data[order], col[order], np.cumsum(starts)), shape=A.shape)


class Subclass(np.ndarray):
    pass


KINDS = {
    "dense": lambda A: A,
    "fortran": np.asfortranarray,
    "transposed": lambda A: np.ascontiguousarray(A.T).T,
    "wide rows": lambda A: np.hstack([A, A])[:, :len(A)],
    "every second row": lambda A: np.repeat(A, 2, axis=0)[::2],
    "upside down": lambda A: A[::-1].copy()[::-1],
    "big endian": lambda A: A.astype(">f8"),
    "list": lambda A: A.tolist(),
    "matrix": np.asmatrix,
    "subclass": lambda A: A.view(Subclass),
    "csr": sparse.csr_matrix,
    "csr, int64": lambda A: _with_index(sparse.csr_matrix(A), np.int64),
    "csr, shuffled": shuffled,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_matrix,
    "lil": sparse.lil_matrix,
    "dia": sparse.dia_matrix,
    "bsr": lambda A: sparse.bsr_matrix(A, blocksize=(3, 3)),
    "bsr, not square": lambda A: sparse.bsr_matrix(A, blocksize=(3, 5)),
    "csr_array": lambda A: sparse.csr_array(A),
    "linear operator": lambda A: LinearOperator(A.shape, matvec=lambda v: A @ v),
    "linear operator with transpose": lambda A: aslinearoperator(A),
    "matrix free": lambda A: perp.MatrixFree(len(A), lambda v: A @ v, symmetric=True,
                                             definite=True, diagonal=lambda: A.diagonal()),
    "operator": lambda A: perp.operator(A),
}


def _with_index(A, kind):
    A.indptr, A.indices = A.indptr.astype(kind), A.indices.astype(kind)
    return A


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind):
    A, b = sample()
    x = perp.solve_lcp(A, b, -0.01, 0.02, tol=1e-12).x
    M = KINDS[kind](A)
    r = perp.solve_lcp(M, b, -0.01, 0.02, tol=1e-12)
    assert r.success, r.message
    np.testing.assert_allclose(r.x, x, rtol=0, atol=1e-11)
    assert box_residual(A, b, r.x, -0.01, 0.02) <= 1e-11
    op = perp.operator(M)
    v = np.arange(30.0)
    np.testing.assert_allclose(op @ v, A @ v, rtol=1e-12)
    np.testing.assert_allclose(op.matvec(v), A @ v, rtol=1e-12)
    assert op.shape == (30, 30) and op.dtype == np.float64


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int64, np.int32, np.uint8, bool])
def test_numbers_are_converted(kind):
    A = np.array([[3, 1], [1, 2]]).astype(kind)
    b = -np.array([2.0, 1.0])
    expected = perp.solve_lcp(A.astype(float), b).x
    np.testing.assert_array_equal(perp.solve_lcp(A, b).x, expected)
    if kind is not np.float16:  # newer versions of SciPy have no such matrices
        np.testing.assert_array_equal(perp.solve_lcp(sparse.csr_matrix(A), b).x, expected)


def test_parts_of_an_operator():
    A, _ = sample(skew=0.2)
    for op in (perp.operator(A), perp.operator(sparse.csr_matrix(A))):
        v = np.arange(30.0)
        np.testing.assert_allclose(op.rmatvec(v), A.T @ v, rtol=1e-12)
        np.testing.assert_array_equal(op.diagonal(), A.diagonal())
        np.testing.assert_array_equal(op.toarray(), A)
        assert abs(op.tocsr() - sparse.csr_matrix(A)).max() == 0
        np.testing.assert_allclose(op.spectrum(), np.linalg.eigvalsh((A + A.T) / 2), rtol=1e-10)
    assert perp.operator(sparse.csr_matrix(A)).nonzeros == np.count_nonzero(A)
    assert "csr" in repr(perp.operator(sparse.csr_matrix(A)))


def test_operator_is_a_linear_operator():
    A, b = sample()
    L = aslinearoperator(perp.operator(A))
    np.testing.assert_allclose(L @ b, A @ b)


def test_nothing_is_copied():
    """A change in place is seen by the operator, so it looks at the same memory."""
    A, b = sample()
    v = np.ones(30)
    for M, data in ((A, A.reshape(-1)), ((lambda S: (S, S.data))(sparse.csr_matrix(A))),
                    ((lambda S: (S, S.data.reshape(-1)))(sparse.bsr_matrix(A, blocksize=(3, 3))))):
        op = perp.operator(M)
        before = op @ v
        data *= 2
        op.refresh()
        np.testing.assert_allclose(op @ v, 2 * before)
    p = perp.Problem(A, b)
    assert p.b is b


def test_refresh_checks_again():
    A, _ = sample()
    op = perp.operator(A)
    A[3, 4] = np.nan
    with pytest.raises(ValueError, match=r"\(3,\s*4\)"):
        op.refresh()


def test_memory_outlives_the_names():
    A, b = sample()
    x = perp.solve_lcp(A, b).x
    p = perp.Problem(sparse.csr_matrix(A), b.copy())
    del A, b
    junk = [np.full(900, 7.0) for _ in range(50)]
    np.testing.assert_allclose(perp.solve(p).x, x, atol=1e-9)
    assert junk


# ---- Contacts ----

def contacts(seed, bodies=5, count=8, freedom=6):
    """Bodies, two for each contact, three rows each"""
    rng = np.random.default_rng(seed)
    body = np.array([rng.choice(bodies, 2, replace=False) for _ in range(count)])
    body[0, 1] = -1
    J = rng.standard_normal((3 * count, 2, freedom))
    Minv = np.array([definite(rng, freedom, 0) for _ in range(bodies)])
    full = np.zeros((3 * count, bodies * freedom))
    for r in range(3 * count):
        for side in range(2):
            k = body[r // 3, side]
            if k >= 0:
                full[r, k * freedom:(k + 1) * freedom] = J[r, side]
    return body, J, Minv, full, sparse.block_diag(Minv).toarray()


@pytest.mark.parametrize("seed", range(5))
def test_contact_by_matrices_and_by_bodies(seed):
    body, J, Minv, full, mass = contacts(seed)
    cfm = 1e-2
    A = full @ mass @ full.T + cfm * np.eye(24)
    rng = np.random.default_rng(seed + 50)
    v, c = rng.standard_normal(30), rng.standard_normal(24)
    made = {
        "blocks": perp.Contact(sparse.csr_matrix(full), Minv, cfm),
        "dense": perp.Contact(full, mass, cfm * np.eye(24)),
        "sparse": perp.Contact(sparse.csc_matrix(full), sparse.csr_matrix(mass),
                               sparse.identity(24) * cfm),
        "bodies": perp.Contact.from_bodies(body, J, Minv, np.full(24, cfm)),
    }
    b = full @ v + c
    mu = np.full(8, 0.4)
    for name, op in made.items():
        assert isinstance(op, perp.Contact) and op.kind == "contact", name
        np.testing.assert_allclose(op.toarray(), A, rtol=0, atol=1e-9 * abs(A).max())
        np.testing.assert_allclose(op.bias(v, c), b, rtol=1e-11)
        np.testing.assert_allclose(op.bias(v), full @ v, rtol=1e-9, atol=1e-11)
        r = perp.solve_cone(op, b, mu)
        assert r.success, (name, r.message)
        assert cone_residual(A, b, r.x, mu) <= 2e-8 * abs(b).max()
        np.testing.assert_allclose(op.velocities(v, r.x), v + mass @ full.T @ r.x, atol=1e-9)
        np.testing.assert_allclose(op.velocities(None, r.x), mass @ full.T @ r.x, atol=1e-9)


def test_contact_with_a_diagonal_mass():
    _, _, _, full, _ = contacts(3)
    mass = np.linspace(1, 2, 30)
    op = perp.Contact(full, mass)
    np.testing.assert_allclose(op.toarray(), full * mass @ full.T, atol=1e-12)


def test_contact_with_interleaved_blocks():
    """Velocities of one block need not follow each other: then the block takes those between."""
    _, _, _, full, _ = contacts(4)
    mass = np.eye(30)
    mass[0, 5] = mass[5, 0] = 0.5
    np.testing.assert_allclose(perp.Contact(full, mass).toarray(), full @ mass @ full.T, atol=1e-12)


@pytest.mark.parametrize("wrong, text", [
    (lambda b, J, M, F: perp.Contact(F, M[:-1]), "Minv has the shape"),
    (lambda b, J, M, F: perp.Contact(F, np.ones(7)), "Minv has 7 entries"),
    (lambda b, J, M, F: perp.Contact(F, M, np.ones(3)), "C has the shape"),
    (lambda b, J, M, F: perp.Contact.from_bodies(b[:, :1], J, M), "body has the shape"),
    (lambda b, J, M, F: perp.Contact.from_bodies(b, J[:-1], M), "23 rows"),
    (lambda b, J, M, F: perp.Contact.from_bodies(b, J[:, :1], M), "J has the shape"),
    (lambda b, J, M, F: perp.Contact.from_bodies(b, J, M[:, :2]), "Minv has the shape"),
    (lambda b, J, M, F: perp.Contact.from_bodies(b + 9, J, M), "bod"),
])
def test_contact_refusals(wrong, text):
    body, J, Minv, full, _ = contacts(0)
    with pytest.raises(ValueError, match=text):
        wrong(body, J, Minv, full)


def test_no_velocities():
    with pytest.raises(perp.Unsupported):
        perp.operator(np.eye(2)).bias(np.zeros(2))


# ---- Grids ----

def test_grid():
    n = 15
    T = 2 * sparse.identity(n) - sparse.eye(n, k=1) - sparse.eye(n, k=-1)
    A = (sparse.kron(sparse.identity(n), T) + sparse.kron(T, sparse.identity(n))).toarray()
    grid = perp.Grid((n, n))
    assert grid.kind == "stencil"
    np.testing.assert_array_equal(grid.toarray(), A)
    b = np.sin(np.arange(n * n))
    np.testing.assert_allclose(perp.solve_lcp(grid, b, tol=1e-11).x,
                               perp.solve_lcp(A, b, tol=1e-11).x, atol=1e-8)
    assert perp.solve_lcp(grid, b, method="mg").success


def test_grid_with_weights_and_cells():
    rng = np.random.default_rng(0)
    shape = (3, 4)
    wx, wy = rng.random(shape), rng.random(shape)
    diagonal = 4 + rng.random(shape)
    cells = np.array([0, 1, 2, 5, 6, 11])
    A = np.diag(diagonal.ravel())
    for j in range(3):
        for i in range(4):
            c = 4 * j + i
            if i < 3:
                A[c, c + 1] = A[c + 1, c] = -wx[j, i]
            if j < 2:
                A[c, c + 4] = A[c + 4, c] = -wy[j, i]
    grid = perp.Grid(shape, cells, (wx, wy), diagonal=diagonal)
    np.testing.assert_allclose(grid.toarray(), A[np.ix_(cells, cells)], rtol=1e-15)
    assert perp.Grid((2, 3, 4)).shape == (24, 24)
    for wrong in (lambda: perp.Grid((3,)), lambda: perp.Grid((0, 2)),
                  lambda: perp.Grid(shape, weights=(wx,)),
                  lambda: perp.Grid(shape, diagonal=np.ones(3))):
        with pytest.raises(ValueError):
            wrong()


# ---- Functions ----

def test_an_exception_in_a_product_comes_through():
    def fails(v):
        raise KeyError("here")

    with pytest.raises(KeyError, match="here"):
        perp.solve_lcp(LinearOperator((4, 4), matvec=fails), np.ones(4) * -1)


def test_a_product_of_the_wrong_length():
    with pytest.raises(ValueError, match="3 numbers, not 4"):
        perp.solve_lcp(perp.MatrixFree(4, lambda v: v[:3]), -np.ones(4))
    with pytest.raises(TypeError):
        perp.MatrixFree(4, None)
    with pytest.raises(TypeError):
        perp.MatrixFree(4, lambda v: v, diagonal=3)


def test_a_product_may_keep_its_argument():
    kept = []

    def product(v):
        kept.append(v)
        return 3 * v

    r = perp.solve_lcp(perp.MatrixFree(5, product, symmetric=True, definite=True), -np.ones(5))
    assert r.success
    first = kept[0].copy()
    junk = [np.full(5, 9.0) for _ in range(100)]
    np.testing.assert_array_equal(kept[0], first)
    assert junk


def test_a_product_may_solve():
    """The library is re-entrant."""
    inner = perp.Problem(np.eye(2), -np.ones(2))

    def product(v):
        assert perp.solve(inner).success
        return 2 * v

    assert perp.solve_lcp(perp.MatrixFree(3, product, symmetric=True), -np.ones(3)).success
