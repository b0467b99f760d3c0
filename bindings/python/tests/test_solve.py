"""solve_lcp, solve_cone and solve against enumeration and the definition of a solution"""

from fractions import Fraction

import numpy as np
import pytest
from oracle import (box_residual, cone_residual, definite, friction_residual, solutions)

import perp


@pytest.mark.parametrize("seed", range(60))
def test_lcp_against_enumeration(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 7
    A, b = definite(rng, n), rng.standard_normal(n)
    expected = solutions(A, b)
    assert len(expected) == 1  # a definite matrix has exactly one
    r = perp.solve_lcp(A, b)
    assert r.success and r.status == "solved"
    np.testing.assert_allclose(r.x, expected[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(r.y, A @ r.x + b, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_box_against_enumeration(seed):
    rng = np.random.default_rng(1000 + seed)
    n = 1 + seed % 5
    A, b = definite(rng, n), 3 * rng.standard_normal(n)
    lo = np.where(rng.random(n) < 0.2, -np.inf, -rng.random(n))
    hi = np.where(rng.random(n) < 0.2, np.inf, rng.random(n))
    expected = solutions(A, b, lo, hi)
    assert len(expected) == 1
    r = perp.solve_lcp(A, b, lo, hi, tol=1e-12)  # auto may sweep, and x is as near as it is asked to be
    assert r.success
    np.testing.assert_allclose(r.x, expected[0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_any_matrix_against_enumeration(seed):
    """Without definiteness there may be none or several: perp must be right about which."""
    rng = np.random.default_rng(2000 + seed)
    n = 2 + seed % 4
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    expected = solutions(A, b)
    r = perp.solve_lcp(A, b)
    if r.success:
        assert any(np.allclose(r.x, x, atol=1e-7) for x in expected)
    else:
        assert not expected, f"{r.status}, but there are {len(expected)} solutions"
        assert r.status in ("infeasible", "unsolvable")


@pytest.mark.parametrize("seed", range(20))
def test_friction_index(seed):
    """Planar contacts: a normal row, and a friction row that refers to it."""
    rng = np.random.default_rng(3000 + seed)
    contacts = 1 + seed % 6
    n = 2 * contacts
    A, b = definite(rng, n, skew=0), 3 * rng.standard_normal(n)
    mu = 0.1 + 0.8 * rng.random(contacts)
    lo, hi = np.zeros(n), np.full(n, np.inf)
    lo[1::2], hi[1::2] = -mu, mu
    findex = np.full(n, -1)
    findex[1::2] = np.arange(0, n, 2)
    r = perp.solve_lcp(A, b, lo, hi, findex)
    assert r.success
    assert friction_residual(A, b, r.x, lo, hi, findex) <= 1e-8 * abs(b).max()
    assert (abs(r.x[1::2]) <= mu * r.x[::2] + 1e-7).all()


@pytest.mark.parametrize("seed", range(20))
def test_cones(seed):
    rng = np.random.default_rng(4000 + seed)
    contacts = 1 + seed % 5
    A, b = definite(rng, 3 * contacts, skew=0), 3 * rng.standard_normal(3 * contacts)
    mu = 0.1 + 0.8 * rng.random(contacts)
    r = perp.solve_cone(A, b, mu)
    assert r.success
    assert cone_residual(A, b, r.x, mu) <= 1e-8 * abs(b).max() * (1 + 1e-6)


def test_one_mu_for_all_cones():
    rng = np.random.default_rng(5)
    A, b = definite(rng, 9, 0), rng.standard_normal(9)
    np.testing.assert_array_equal(perp.solve_cone(A, b, 0.5).x,
                                  perp.solve_cone(A, b, np.full(3, 0.5)).x)


METHODS = [name for name, m in perp.methods().items() if "lcp" in m.takes and name != "direct"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method):
    """On a matrix for which all of them converge: symmetric, dominant, no positive entry aside."""
    n = 12
    A = 2.5 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    b = np.sin(np.arange(n) + 1.0)
    x = perp.solve_lcp(A, b, method="lemke").x
    contact = "velocities" in perp.methods()[method].needs
    M = perp.Contact(np.linalg.cholesky(A - 0.1 * np.eye(n)), np.ones(n), 0.1) if contact else A
    r = perp.solve_lcp(M, b, method=method)
    assert r.success, r.message
    assert r.method == method or method == "auto"
    np.testing.assert_allclose(r.x, x, rtol=0, atol=1e-7)


@pytest.mark.parametrize("n", [0, 1])
def test_smallest(n):
    r = perp.solve_lcp(np.eye(n), -np.ones(n))
    assert r.success and r.x.shape == (n,) and (r.x == 1).all()


def test_infeasible_has_a_certificate():
    A, b = np.array([[-1.0, 0.0], [0.0, -1.0]]), np.array([-1.0, -1.0])
    r = perp.solve_lcp(A, b)
    assert not r.success and r.status == "infeasible"
    u = r.certificate
    assert (u >= 0).all() and (A.T @ u <= 0).all() and b @ u < 0
    assert perp.check_certificate(r.problem, u)
    assert not perp.check_certificate(r.problem, np.zeros(2))


def test_solved_has_no_certificate():
    r = perp.solve_lcp(np.eye(2), np.ones(2))
    assert r.certificate is None and r.ray is None


def test_start():
    rng = np.random.default_rng(0)
    A, b = definite(rng, 30, 0), rng.standard_normal(30)
    cold = perp.solve_lcp(A, b, method="pgs")
    x0 = cold.x.copy()
    warm = perp.solve_lcp(A, b, x0=x0, method="pgs")
    assert warm.nit < cold.nit
    np.testing.assert_array_equal(x0, cold.x)  # the start is not written to


def test_same_bits_again():
    rng = np.random.default_rng(1)
    A, b = definite(rng, 40), rng.standard_normal(40)
    np.testing.assert_array_equal(perp.solve_lcp(A, b).x, perp.solve_lcp(A, b).x)


def test_inputs_are_not_written_to():
    rng = np.random.default_rng(2)
    A, b = definite(rng, 8), rng.standard_normal(8)
    lo, hi = np.full(8, -1.0), np.full(8, 1.0)
    before = [v.copy() for v in (A, b, lo, hi)]
    for v in (A, b, lo, hi):
        v.flags.writeable = False
    assert perp.solve_lcp(A, b, lo, hi).success
    for v, w in zip((A, b, lo, hi), before):
        np.testing.assert_array_equal(v, w)


def test_scalars_as_bounds():
    rng = np.random.default_rng(3)
    A, b = definite(rng, 6), 3 * rng.standard_normal(6)
    for lo, hi in ((-1, 1), (-1.0, np.inf), (np.float64(-0.5), np.float32(0.5)), (0, 1)):
        np.testing.assert_array_equal(perp.solve_lcp(A, b, lo, hi).x,
                                      perp.solve_lcp(A, b, np.full(6, lo), np.full(6, hi)).x)
    free = perp.solve_lcp(A, b, -np.inf, np.inf)
    np.testing.assert_allclose(free.x, np.linalg.solve(A, -b), atol=1e-7)


def test_positional_and_keyword_arguments_agree():
    rng = np.random.default_rng(4)
    A, b = definite(rng, 6, 0), rng.standard_normal(6)
    one = perp.solve_lcp(A, b, 0, np.inf, None, None, "pgs", 1e-6, 10)
    two = perp.solve_lcp(b=b, A=A, lo=0, hi=None, method="pgs", tol=1e-6, time_limit=10)
    np.testing.assert_array_equal(one.x, two.x)


def test_parameters():
    rng = np.random.default_rng(6)
    A, b = definite(rng, 20, 0), rng.standard_normal(20)
    a = perp.solve_lcp(A, b, method="psor", omega=1.3)
    c = perp.solve_lcp(A, b, method="psor", parameters={"omega": 1.3})
    d = perp.solve_lcp(A, b, method="psor", omega=0.7)
    np.testing.assert_array_equal(a.x, c.x)
    assert a.nit == c.nit != d.nit
    assert perp.solve_lcp(A, b, method="pgs", order="backward").success  # a word
    assert perp.solve_lcp(A, b, method="pfischer", lambda_=0.9).success  # a word of Python
    assert perp.solve_lcp(A, b, method="baraff", strict_=True).success  # a name of an option
    assert perp.solve_lcp(A, b, method="lemke", warm=False).success  # a flag


def test_options():
    rng = np.random.default_rng(7)
    A, b = definite(rng, 60, 0), rng.standard_normal(60)
    r = perp.solve_lcp(A, b, method="pgs", max_iterations=3)
    assert not r.success and r.status == "iteration-limit" and r.nit == 3
    assert r.residual == pytest.approx(box_residual(A, b, r.x), rel=1e-9)
    loose = perp.solve_lcp(A, b, method="pgs", tol=1e-2)
    tight = perp.solve_lcp(A, b, method="pgs", tol=1e-10)
    assert loose.nit < tight.nit and tight.relative_residual <= 1e-10
    r = perp.solve_lcp(A, b, method="pgs", tol=0, max_iterations=10**9)
    assert r.status == "precision" and 0 < r.residual <= r.floor < 1e-12


def test_time_limit():
    p = perp.generate("obstacle", n=40000)
    r = perp.solve(p, method="jacobi", time_limit=0.05, tol=1e-12)
    assert r.status == "time-limit" and r.seconds < 2


def test_result_fields():
    rng = np.random.default_rng(8)
    A, b = definite(rng, 25, 0), rng.standard_normal(25)
    r = perp.solve_lcp(A, b, -1, 0.02)
    assert r.scale == abs(b).max()
    assert r.relative_residual == pytest.approx(r.residual / r.scale)
    assert r.residual <= 1e-8 * r.scale
    assert box_residual(A, b, r.x, -1, 0.02) <= 1e-8 * r.scale
    assert r.seconds >= 0 and r.nit == r.counts.iterations
    assert isinstance(r.message, str) and r.message
    assert r.plan and r.attempts and r.attempts[-1].method == r.method
    assert r.attempts[-1].status == "solved" and r.class_name
    expected = np.where(r.x <= -1 + 1e-9, -1, np.where(r.x >= 0.02 - 1e-9, 1, 0))
    np.testing.assert_array_equal(r.active, expected)
    assert (r.active != 0).any() and (r.active == 0).any()
    assert r.trace is None and isinstance(r.merit, float)
    p = r.problem
    assert p.n == 25 and p.form == "boxed" and p.b is b
    assert "solved" in repr(r) and r.method in repr(r)
    with pytest.raises(AttributeError):
        r.x = 0
    with pytest.raises(TypeError):
        bool(r)


def test_active_of_cones_is_zero():
    rng = np.random.default_rng(9)
    assert not perp.solve_cone(definite(rng, 6, 0), rng.standard_normal(6), 0.3).active.any()


def test_trace():
    rng = np.random.default_rng(10)
    A, b = definite(rng, 30, 0), rng.standard_normal(30)
    r = perp.solve_lcp(A, b, method="pgs", trace=True)
    plain = perp.solve_lcp(A, b, method="pgs", check_every=1)
    np.testing.assert_array_equal(r.x, plain.x)
    assert r.trace.shape[1] == 3 and (np.diff(r.trace[:, 0]) >= 0).all()
    assert r.trace[-1, 2] <= 1e-8 * r.scale < r.trace[0, 2]
    assert r.trace[0, 2] == pytest.approx(box_residual(A, b, np.zeros(30)), rel=1e-12)


def test_digits_beyond_those_of_a_double():
    """Against exact fractions: with x_low the residual is far below the rounding of a double."""
    rng = np.random.default_rng(13)
    A, b = definite(rng, 12), rng.standard_normal(12)
    plain = perp.solve_lcp(A, b, tol=1e-25)
    assert not plain.success and plain.x_low is None
    r = perp.solve_lcp(A, b, tol=1e-25, x_low=True, strict=True)
    assert r.relative_residual <= 1e-25
    x = [Fraction(h) + Fraction(l) for h, l in zip(r.x, r.x_low)]
    worst = 0
    for i in range(12):
        y = Fraction(b[i]) + sum(Fraction(A[i, j]) * x[j] for j in range(12))
        worst = max(worst, abs(x[i] - max(x[i] - y, 0)))
    assert worst <= Fraction(1.01e-25) * Fraction(r.scale)
    assert perp.check(r.problem, r.x, 1e-25, r.x_low)
    assert not perp.check(r.problem, r.x, 1e-25)
    with pytest.raises(perp.Unsupported):
        perp.solve_cone(np.eye(3), -np.ones(3), 0.5, x_low=True)


def test_html():
    r = perp.solve_lcp(np.eye(3), -np.ones(3))
    text = r._repr_html_()
    assert text.startswith("<table>") and "solved" in text and r.method in text


def test_strict():
    rng = np.random.default_rng(11)
    A, b = definite(rng, 30, 0), rng.standard_normal(30)
    assert perp.solve_lcp(A, b, strict=True).success
    with pytest.raises(perp.NotSolved) as e:
        perp.solve_lcp(A, b, method="pgs", max_iterations=2, strict=True)
    r = e.value.result
    assert isinstance(r, perp.Result) and r.status == "iteration-limit" and r.nit == 2
    assert isinstance(e.value, RuntimeError)


def test_names_of_others():
    rng = np.random.default_rng(12)
    A, b = definite(rng, 6), rng.standard_normal(6)
    x, = solutions(A, b)
    r = perp.lcp_lemke(A, b)
    assert r.success and r.status == 0 and r.num_iter >= 0
    np.testing.assert_allclose(r.z, x, atol=1e-9)
    z = np.zeros(6)
    again = perp.lcp_lemke(A, b, None, 10**6, None, np.empty((6, 13)), np.empty(6, int), z)
    assert again.success and (z == r.z).all()
    assert perp.lcp_lemke(A, b, None, 1).num_iter <= 1  # QuantEcon's order: d, then max_iter
    with pytest.raises(perp.Unsupported, match="covering vector"):
        perp.lcp_lemke(A, b, np.ones(6))
    none = perp.lcp_lemke(-np.eye(2), -np.ones(2))
    assert not none.success and none.status == 2
    np.testing.assert_allclose(perp.pathlcp(A, b), x, atol=1e-9)
    np.testing.assert_allclose(perp.pathlcp(A, b, np.zeros(6), np.full(6, 1e20), x), x, atol=1e-9)
    free = perp.pathlcp(A, b, np.full(6, -1e20), 1e20)
    np.testing.assert_allclose(free, np.linalg.solve(A, -b), atol=1e-7)
    with pytest.raises(perp.NotSolved):
        perp.pathlcp(-np.eye(2), -np.ones(2))


def test_verbose(capsys):
    A, b = np.array([[2.0, -1.0], [-1.0, 2.0]]), np.array([-1.0, -1.0])
    quiet = perp.solve_lcp(A, b, method="pgs", callback=lambda p: None)
    assert capsys.readouterr().out == ""
    r = perp.solve_lcp(A, b, method="pgs", verbose=True)
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["iteration", "residual", "merit", "seconds"]
    assert [int(line.split()[0]) for line in lines[:-1]] == list(range(r.nit + 1))
    assert lines[-1].startswith("pgs: solved") and np.array_equal(r.x, quiet.x)
    perp.solve_lcp(A, b, method="pgs", verbose=5)
    assert len(capsys.readouterr().out.splitlines()) == 2 + r.nit // 5 + 1
    r = perp.solve_ncp(lambda x: x * x - 2, lambda x: np.diag(2 * x), [5.0], verbose=True)
    assert r.success and len(capsys.readouterr().out.splitlines()) > 3
    with pytest.raises(ValueError):
        perp.solve_lcp(A, b, verbose=-1)


def test_print_shows_x():
    r = perp.solve_lcp(2 * np.eye(100), -np.arange(100.0))
    text = str(r)
    assert "x: [ 0.   0.5  1.  ... 48.5 49.  49.5]" in text and "success: True" in text and text.count("\n") < 12
    assert "x: [1. 0.]" in str(perp.solve_qp(np.eye(2), [-1.0, 1.0], lb=0))
