"""Errors name what is wrong, with row and value"""

import numpy as np
import pytest
from oracle import definite

import perp

rng = np.random.default_rng(0)
A, b = definite(rng, 5), rng.standard_normal(5)


def changed(v, at, value):
    v = v.copy()
    v[at] = value
    return v


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none(value):
    with pytest.raises(ValueError, match=r"A\(3,\s*1\) = -?(nan|inf)"):
        perp.solve_lcp(changed(A, (3, 1), value), b)
    with pytest.raises(ValueError, match=r"b\[2\] = -?(nan|inf)"):
        perp.solve_lcp(A, changed(b, 2, value))
    with pytest.raises(ValueError, match=r"b\[2\] = -?(nan|inf)"):
        perp.Problem(A, changed(b, 2, value))


def test_nan_in_a_sparse_matrix():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"\(3,\s*1\) = nan"):
        perp.solve_lcp(sparse.csr_matrix(changed(A, (3, 1), np.nan)), b)


@pytest.mark.parametrize("call, text", [
    (lambda: perp.solve_lcp(A, b[:4]), "b has 4 entries, not 5"),
    (lambda: perp.solve_lcp(A, b[:, None]), "b has 2 dimensions, not 1"),
    (lambda: perp.solve_lcp(A, 1.0), "b has 0 dimensions"),
    (lambda: perp.solve_lcp(A[:4], b), r"shape \(4, 5\)"),
    (lambda: perp.solve_lcp(b, b), r"shape \(5,\)"),
    (lambda: perp.solve_lcp(np.zeros((2, 2, 2)), b), r"shape \(2, 2, 2\)"),
    (lambda: perp.solve_lcp(A, b, lo=np.zeros(3)), "lo has 3 entries, not 5"),
    (lambda: perp.solve_lcp(A, b, hi=np.zeros(6)), "hi has 6 entries, not 5"),
    (lambda: perp.solve_lcp(A, b, x0=np.zeros(6)), "x0 has 6 entries, not 5"),
    (lambda: perp.solve_lcp(A, b, x0=np.full(5, np.nan)), "nan"),
    (lambda: perp.solve_lcp(A, b, lo=1, hi=0), r"lo\[0\] = 1 is above hi\[0\] = 0"),
    (lambda: perp.solve_lcp(A, b, lo=np.nan), r"lo\[0\] is NaN"),
    (lambda: perp.solve_lcp(A, b, findex=[5, -1, -1, -1, -1]), "5"),
    (lambda: perp.solve_lcp(A, b, findex=[2**40, -1, -1, -1, -1]), r"findex\[0\] = 1099511627776"),
    (lambda: perp.solve_lcp(A, b, findex=[-1, -1]), "findex has 2 entries, not 5"),
    (lambda: perp.solve_lcp(A, b, method="nix"), "there is no method 'nix'"),
    (lambda: perp.solve_lcp(A, b, method="auto\0x"), "method: .* has a zero byte"),
    (lambda: perp.solve_lcp(A, b, method="pgs", order="forward\0x"), "order: .* has a zero byte"),
    (lambda: perp.Solver("pgs\0x"), "zero byte"),
    (lambda: perp.Device("host\0x"), "zero byte"),
    (lambda: perp.generate("pd\0x"), "zero byte"),
    (lambda: perp.solve_lcp(A, b, method="psor", omega=5), r"omega = 5 is not in 0 \.\. 1\.99"),
    (lambda: perp.solve_lcp(A, b, method="psor", omga=1), "omga"),
    (lambda: perp.solve_lcp(A, b, method="pgs", order="sideways"), "sideways"),
    (lambda: perp.solve_lcp(A, b, tol=-1), "tol"),
    (lambda: perp.solve_lcp(A, b, tol=np.nan), "tol"),
    (lambda: perp.solve_lcp(A, b, max_iterations=-1), "max_iterations = -1"),
    (lambda: perp.solve_lcp(A, b, threads=0), "threads = 0"),
    (lambda: perp.solve_cone(A, b, 0.5), "5 rows"),
    (lambda: perp.solve_cone(np.eye(3), np.ones(3), -0.5), "mu"),
    (lambda: perp.solve_cone(np.eye(3), np.ones(3), [0.5, 0.5]), "mu has 2 entries, not 1"),
    (lambda: perp.Problem(A, b[:2]), "b has 2 entries, not 5"),
    (lambda: perp.Solver("nix"), "there is no method 'nix'"),
    (lambda: perp.Solver("psor", omega=7), "omega = 7"),
    (lambda: perp.generate("nix"), "nix"),
    (lambda: perp.generate("pd", n=-4), "n"),
    (lambda: perp.simulate("nix", steps=1), "nix"),
    (lambda: perp.check(perp.Problem(A, b), b[:3]), "x has 3 entries, not 5"),
])
def test_values(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("call", [
    lambda: perp.solve_lcp(),
    lambda: perp.solve_lcp(A),
    lambda: perp.solve_lcp(A, b, A=A),
    lambda: perp.solve_lcp(*[None] * 10),
    lambda: perp.solve_lcp(A + 0j, b),
    lambda: perp.solve_lcp(A, b + 0j),
    lambda: perp.solve_lcp(A.astype(object), b),
    lambda: perp.solve_lcp("A", b),
    lambda: perp.solve_lcp(A, b, findex=[0.5] * 5),
    lambda: perp.solve_lcp(A, b, callback=3),
    lambda: perp.solve_lcp(A, b, parameters=3),
    lambda: perp.solve_lcp(A, b, tol="small"),
    lambda: perp.solve_lcp(A, b, method=3),
    lambda: perp.solve_lcp(A, b, max_iterations=1.5),
    lambda: perp.solve_lcp(A, b, method="psor", omega=[1]),
    lambda: perp.solve_lcp(A, b, **{f"p{k}": 1 for k in range(40)}),
    lambda: perp.solve_cone(A, b),
    lambda: perp.solve_cone(A, b, None),
    lambda: perp.solve(A),
    lambda: perp.solve(None),
    lambda: perp.Problem(A),
    lambda: perp.Operator(),
    lambda: perp.Result(),
    lambda: perp.Solver("pgs", "psor"),
    lambda: perp.Solver("pgs", x0=b),
    lambda: perp.Solver("pgs").solve(A),
    lambda: perp.Solver("pgs").solve(),
    lambda: perp.Solver("pgs").solve(perp.Problem(A, b), method="psor"),
    lambda: perp.Solver("psor").solve(perp.Problem(A, b), omega=1),
    lambda: perp.generate(3),
    lambda: perp.simulate("particle", steps=1, trace=True),
    lambda: perp.check(A, b),
])
def test_types(call):
    with pytest.raises(TypeError):
        call()


def test_a_word_is_asked_for_by_name():
    with pytest.raises(TypeError, match="method: a word is needed, not <class 'int'>"):
        perp.solve_lcp(A, b, method=3)
    with pytest.raises(TypeError, match="method: a word is needed, not <class 'bytes'>"):
        perp.Solver(b"pgs")


def test_a_form_that_a_method_does_not_take():
    with pytest.raises(perp.Unsupported, match="pgs"):
        perp.solve_cone(np.eye(3), np.ones(3), 0.5, method="pgs")
    with pytest.raises(perp.Unsupported, match="at most n = 3"):
        perp.solve_lcp(A, b, method="direct")
    assert issubclass(perp.Unsupported, ValueError)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match="no such folder"):
        perp.load(tmp_path / "nix")


def test_too_many_numbers_in_a_row_pointer():
    sparse = pytest.importorskip("scipy.sparse")
    S = sparse.csr_matrix(A)
    S.indptr = S.indptr.copy()
    S.indptr[-1] += 100  # beyond the arrays: must not be read
    with pytest.raises((ValueError, TypeError)):
        perp.solve_lcp(S, b)


def test_a_column_out_of_range():
    sparse = pytest.importorskip("scipy.sparse")
    S = sparse.csr_matrix(A)
    S.indices = S.indices.copy()
    S.indices[4] = 77
    with pytest.raises(ValueError):
        perp.solve_lcp(S, b)


@pytest.mark.parametrize("call, error, words", [
    (lambda: perp.solve_lcp(np.eye(2), np.ones(2), maxiter=5), ValueError, "did you mean 'max_iterations'"),
    (lambda: perp.solve_lcp(np.eye(2), np.ones(2), lower=0), ValueError, "did you mean 'lo'"),
    (lambda: perp.solve_lcp(np.eye(2), np.ones(2), method="psor", omga=1.2), ValueError, "did you mean 'omega'"),
    (lambda: perp.Solver("psor", order="forward", toll=1), ValueError, "did you mean 'tol'"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), A=np.eye(2)), TypeError, "G=A"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), upper=1), TypeError, "did you mean 'ub'"),
    (lambda: perp.solve_qp(np.eye(2), np.ones(2), maxiter=1), TypeError, "did you mean 'max_iterations'"),
    (lambda: perp.solve_ncp(lambda x: x, np.ones(2), jac=None), TypeError, "did you mean 'J'"),
    (lambda: perp.solve_ncp(lambda x: x), TypeError, "solve_ncp(F, x0)"),
])
def test_suggestions(call, error, words):
    with pytest.raises(error) as e:
        call()
    assert words in str(e.value)
