"""Pickling and copying: results and problems by their arrays, solvers by their settings"""

import copy
import multiprocessing
import operator as op
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from oracle import definite

import perp

rng = np.random.default_rng(3)
DENSE, B = definite(rng, 12, 0), rng.standard_normal(12)


def stored(o):
    return pickle.loads(pickle.dumps(o))


WAYS = pytest.mark.parametrize("way", [stored, copy.copy, copy.deepcopy])
MATRICES = {
    "dense": DENSE, "columns": np.asfortranarray(DENSE), "csr": sp.csr_matrix(DENSE),
    "bsr": sp.bsr_matrix(DENSE, blocksize=(3, 3)), "operator": perp.operator(DENSE),
    "contact": perp.Contact(rng.standard_normal((12, 18)), np.full(18, 2.0), 0.1),
    "masses": perp.Contact(rng.standard_normal((12, 18)), M=sp.csr_matrix(definite(rng, 18, 0)), C=0.1),
    "grid": perp.Grid((3, 4)), "free": perp.MatrixFree(12, lambda x: x, symmetric=True),
}


@WAYS
@pytest.mark.parametrize("name", [k for k in MATRICES if k != "free"])
def test_results(way, name):
    r = perp.solve_lcp(MATRICES[name], B, 0, 2.0, trace=True)
    s = way(r)
    for field in ("x", "y", "trace", "active"):
        np.testing.assert_array_equal(getattr(s, field), getattr(r, field))
    for field in ("status", "success", "residual", "relative_residual", "scale", "seconds", "floor",
                  "nit", "method", "message", "counts", "attempts", "plan", "class_name"):
        assert getattr(s, field) == getattr(r, field), field
    assert type(s) is perp.Result and repr(s) == repr(r) and s.problem.A.kind == r.problem.A.kind
    np.testing.assert_array_equal(s.problem.hi, r.problem.hi)
    np.testing.assert_array_equal(s.vjp(np.ones(12)).b, r.vjp(np.ones(12)).b)


def test_rays_and_digits():
    r = perp.solve_lcp(-np.eye(2), [-1.0, -1.0], method="lemke")
    assert r.certificate is not None
    np.testing.assert_array_equal(stored(r).certificate, r.certificate)
    r = perp.solve_lcp(DENSE, B, x_low=True)
    np.testing.assert_array_equal(stored(r).x_low, r.x_low)


@WAYS
@pytest.mark.parametrize("kind", ["wall:form=cone,operator=contact", "wall:form=findex", "obstacle:points=9",
                                  "pd:n=10", "infeasible:n=6", "wall:form=stick"])
def test_problems(way, kind):
    p = perp.generate(kind)
    q = way(p)
    assert (q.A.kind, q.kind, q.name, q.form) == (p.A.kind, p.kind, p.name, p.form)
    for field in ("b", "lo", "hi", "findex", "mu", "cone", "x", "u"):
        a, b = getattr(p, field), getattr(q, field)
        assert (a is None) == (b is None), field
        if a is not None:
            np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(perp.solve(q).x, perp.solve(p).x)


@WAYS
def test_contacts_of_several_dimensions(way):
    A = definite(rng, 6, 0)
    mu = [[0.5, 0.5, 0.1, 0, 0], [0.3, 0, 0, 0, 0]]
    p = perp.Problem(A, -np.ones(6), mu=mu, dim=[4, 2], law=[0, 1])
    q = way(p)
    for field in ("mu", "dim", "law"):
        np.testing.assert_array_equal(getattr(q, field), getattr(p, field))
    r = perp.solve(p)
    s = way(r)
    np.testing.assert_array_equal(s.problem.dim, r.problem.dim)
    np.testing.assert_array_equal(perp.solve(s.problem).x, r.x)


def test_a_copy_is_independent():
    p = perp.Problem(DENSE.copy(), B.copy())
    q = copy.deepcopy(p)
    p.b[:] = 0
    assert q.b[0] == B[0]


@WAYS
def test_kinds_of_operators(way):
    for name in ("contact", "grid"):
        A = MATRICES[name]
        B_ = way(A)
        assert type(B_) is type(A) and B_.kind == A.kind
        np.testing.assert_array_equal(B_.toarray(), A.toarray())


def test_functions():
    A = stored(perp.MatrixFree(3, op.pos, symmetric=True))  # a function that has a name
    np.testing.assert_array_equal(A.matvec(np.arange(3.0)), np.arange(3.0))
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(MATRICES["free"])  # a lambda


@WAYS
def test_solvers(way):
    s = perp.Solver("psor", omega=1.3, tol=1e-4, max_iterations=7)
    s.set(order="backward")
    t = way(s)
    assert t is not s and t.method == "psor" and t.parameters == s.parameters
    assert t.options == {"tol": 1e-4, "max_iterations": 7}
    p = perp.Problem(DENSE, B)
    assert t.solve(p).nit == s.solve(p).nit <= 7
    assert way(perp.Solver(parameters={"omega": 1.5}, method="psor")).parameters["omega"] == 1.5


def test_other_results():
    q = perp.solve_qp(np.eye(2), [1.0, -2.0], lb=0)
    assert stored(q).objective == q.objective and (stored(q).x == q.x).all()
    n = perp.solve_ncp(lambda x: x - 1, None, np.zeros(2))
    assert (stored(n).x == n.x).all()


def solve_one(problem):
    return perp.solve(problem, tol=1e-10)


def test_processes():
    problems = [perp.generate("pd", n=8, seed=k) for k in range(4)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for p, r in zip(problems, pool.map(solve_one, problems)):
            np.testing.assert_array_equal(r.x, perp.solve(p, tol=1e-10).x)


@pytest.mark.parametrize("change", [lambda s: (s[0][:4] + (1,), *s[1:]), lambda s: s[:-1],
                                    lambda s: (*s[:5], (("nonsense",), np.zeros(1, "i8"), 0), s[6]),
                                    lambda s: ((None,) * 5, *s[1:]),
                                    lambda s: (*s[:6], tuple(("psor", 1, 0.0, 0, 0.0) for _ in range(99)))])
def test_wrong_states(change):
    """A state that is not one is refused."""
    make, state = perp.solve_lcp(DENSE, B).__reduce__()
    try:
        r = make(*change(state))
    except (TypeError, ValueError):
        return
    repr(r)  # fields that are not read here may be of any type
