"""solve_batch: the bits of one solve after another, for every number of threads"""

import numpy as np
import pytest
from oracle import definite

import perp


def sample(k=40, n=9, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([definite(rng, n) for _ in range(k)]), rng.standard_normal((k, n))


@pytest.mark.parametrize("threads", [0, 1, 2, 5, 100])
def test_bits(threads):
    A, b = sample()
    r = perp.solve_batch(A, b, threads=threads)
    assert r.success.all() and len(r) == 40
    for k in range(40):
        one = perp.solve_lcp(A[k], b[k])
        np.testing.assert_array_equal(r.x[k], one.x)
        np.testing.assert_array_equal(r.y[k], one.y)
        assert r.nit[k] == one.nit and r.residual[k] == one.residual
        assert r.relative_residual[k] == one.relative_residual


def test_one_matrix_for_all():
    sparse = pytest.importorskip("scipy.sparse")
    A, b = sample()
    for M in (A[0], sparse.csr_matrix(A[0]), perp.operator(A[0])):
        r = perp.solve_batch(M, b, threads=2)
        assert r.success.all()
        for k in range(40):
            np.testing.assert_array_equal(r.x[k], perp.solve_lcp(M, b[k]).x)


def test_bounds_starts_and_friction():
    A, b = sample()
    rng = np.random.default_rng(1)
    lo, hi = -rng.random((40, 9)), rng.random((40, 9))
    r = perp.solve_batch(A, b, lo, hi)
    s = perp.solve_batch(A, b, -0.5, hi[0])
    warm = perp.solve_batch(A, b, lo, hi, x0=r.x, method="psor")
    cold = perp.solve_batch(A, b, lo, hi, method="psor")
    for k in range(40):
        np.testing.assert_array_equal(r.x[k], perp.solve_lcp(A[k], b[k], lo[k], hi[k]).x)
        np.testing.assert_array_equal(s.x[k], perp.solve_lcp(A[k], b[k], -0.5, hi[0]).x)
    assert warm.nit.sum() < cold.nit.sum()
    findex = np.array([-1, 0, -1, 2, -1, 4, -1, 6, -1])
    f = perp.solve_batch(A, b, np.where(findex >= 0, -0.3, 0), np.where(findex >= 0, 0.3, np.inf),
                         findex)
    one = perp.solve_lcp(A[7], b[7], np.where(findex >= 0, -0.3, 0),
                         np.where(findex >= 0, 0.3, np.inf), findex)
    np.testing.assert_array_equal(f.x[7], one.x)


def test_options_and_parameters():
    A, b = sample()
    r = perp.solve_batch(A, b, method="psor", omega=1.1, tol=1e-3, max_iterations=2)
    assert set(r.status) <= {"solved", "iteration-limit"} and (r.nit <= 2).all()
    with pytest.raises(perp.NotSolved) as e:
        perp.solve_batch(A, b, method="psor", max_iterations=1, strict=True)
    assert isinstance(e.value.result, perp.BatchResult)
    assert "of 40 solved" in repr(r)


def test_one_without_a_solution_fails_alone():
    A, b = sample(5, 2)
    A[3], b[3] = -np.eye(2), -1
    r = perp.solve_batch(A, b)
    assert r.success.tolist() == [True, True, True, False, True] and r.status[3] == "infeasible"


def test_smallest():
    assert perp.solve_batch(np.zeros((0, 3, 3)), np.zeros((0, 3))).x.shape == (0, 3)
    assert perp.solve_batch(np.zeros((2, 0, 0)), np.zeros((2, 0))).success.all()


def test_errors_name_the_problem():
    A, b = sample()
    bad = b.copy()
    bad[17, 3] = np.nan
    with pytest.raises(ValueError, match=r"problem 17: b\[3\] = nan"):
        perp.solve_batch(A, bad)
    worse = A.copy()
    worse[5, 1, 2] = np.inf
    with pytest.raises(ValueError, match=r"problem 5: A\(1,\s*2\) = inf"):
        perp.solve_batch(worse, b, threads=1)


@pytest.mark.parametrize("call, text", [
    (lambda A, b: perp.solve_batch(A, b[0]), r"b has the shape \(9,\)"),
    (lambda A, b: perp.solve_batch(A[:3], b), r"A has the shape \(3, 9, 9\)"),
    (lambda A, b: perp.solve_batch(A[0, :3, :3], b), r"A has the shape \(3, 3\)"),
    (lambda A, b: perp.solve_batch(A, b, lo=np.zeros(3)), "lo has the shape"),
    (lambda A, b: perp.solve_batch(A, b, x0=np.zeros(3)), "x0 has the shape"),
    (lambda A, b: perp.solve_batch(A, b, findex=np.zeros(3)), "findex has the shape"),
    (lambda A, b: perp.solve_batch(A, b, findex=np.full(9, 2**40)), "findex: 1099511627776"),
    (lambda A, b: perp.solve_batch(A, b, -1, 1, findex=np.full(9, 9)), r"findex\[0\] = 9"),
    (lambda A, b: perp.solve_batch(A, b, threads=-1), "threads = -1"),
    (lambda A, b: perp.solve_batch(A, b, method="nix"), "nix"),
    (lambda A, b: perp.solve_batch(A, b, method="psor", omega=9), "omega = 9"),
])
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call(*sample())


def test_a_friction_index_is_whole():
    with pytest.raises(TypeError, match="findex has the type float64"):
        perp.solve_batch(*sample(), findex=np.full(9, -0.5))


def test_no_callback():
    with pytest.raises(TypeError):
        perp.solve_batch(*sample(), callback=print)
    with pytest.raises(TypeError):
        perp.solve_batch(*sample(), trace=True)


def test_device_host():
    """The GPU kernels on the CPU give the solutions of the CPU code."""
    A, b = sample()
    rng = np.random.default_rng(2)
    lo, hi = -rng.random((40, 9)), rng.random((40, 9))
    device = perp.Device("host")
    for bounds in ((), (lo, hi), (-0.5, hi[0])):
        there, here = perp.solve_batch(A, b, *bounds, device=device), perp.solve_batch(A, b, *bounds)
        assert there.success.all() and (there.residual <= 1e-8 * abs(b).max(axis=1)).all()
        np.testing.assert_allclose(there.x, here.x, atol=1e-8)
        np.testing.assert_allclose(there.y, here.y, atol=1e-8)
    assert device.uploaded >= 0 and device.name == "host" and "host" in repr(device)
    same = perp.solve_batch(A[0], b, device="host")
    np.testing.assert_allclose(same.x, perp.solve_batch(A[0], b).x, atol=1e-8)
    assert perp.Device.of("host") is perp.Device.of("host")
    assert len(perp.solve_batch(A[:0], b[:0], device="host")) == 0


def test_device_is_never_passed_over():
    A, b = sample(4)
    with pytest.raises(ValueError, match="abacus"):
        perp.solve_batch(A, b, device="abacus")
    with pytest.raises(perp.Unsupported, match="pgs does not run on devices"):
        perp.solve_batch(A, b, device="host", method="pgs")
    with pytest.raises(perp.Unsupported, match="auto does not run on devices"):
        perp.solve_batch(A, b, device="host", method="auto")
    with pytest.raises(perp.Unsupported, match="friction index"):
        perp.solve_batch(A, b, findex=np.full(9, -1), device="host")
    with pytest.raises(TypeError, match="callback"):
        perp.solve_batch(A, b, device="host", callback=print)
    with pytest.raises(TypeError, match="a name or a perp.Device"):
        perp.solve_batch(A, b, device=3)
    A[2, 1, 3] = np.nan
    with pytest.raises(ValueError, match="nan is not finite"):
        perp.solve_batch(A, b, device="host")
    A, b = sample(4)
    b[3] = -1
    A[3] = -np.eye(9)  # no solution
    r = perp.solve_batch(A, b, device="host")
    assert r.success.tolist() == [True] * 3 + [False]
    with pytest.raises(perp.NotSolved, match="problem 3"):
        perp.solve_batch(A, b, device="host", strict=True)


def test_device_cuda():
    """On a GPU if there is one that this wheel was built for; otherwise it says why not."""
    A, b = sample()
    try:
        device = perp.Device("cuda:0")
    except RuntimeError as why:
        assert "cuda" in str(why).lower()
        pytest.skip(str(why))
    r = perp.solve_batch(A, b, device=device)
    assert r.success.all() and device.kernel_seconds > 0
    np.testing.assert_allclose(r.x, perp.solve_batch(A, b).x, atol=1e-8)
