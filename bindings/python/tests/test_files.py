"""generate, load, save, check"""

import numpy as np
import pytest
from oracle import box_residual, definite

import perp


@pytest.mark.parametrize("kind", list(perp.generators()))
def test_generate(kind):
    """Each kind of problem, in its default size if that is not large"""
    known = {p.name for p in perp.generators()[kind].parameters}
    n = 64 if kind == "fluid-notes" else 36  # a cube
    p = perp.generate(kind, seed=3, **({"n": n} if "n" in known else {}))
    assert p.name.startswith(kind) and p.n == len(p.b) == p.A.shape[0]
    assert kind in repr(p)
    if p.x is not None:
        assert perp.check(p, p.x, tol=1e-6)
    if p.u is not None:
        assert perp.check_certificate(p, p.u) and p.kind == "infeasible"


def test_keys():
    p, q = perp.generate("pd:n=20,seed=7"), perp.generate("pd", n=20, seed=7)
    np.testing.assert_array_equal(p.A.toarray(), q.A.toarray())
    np.testing.assert_array_equal(p.b, q.b)
    r = perp.generate("pd:n=20", seed=8)
    assert r.n == 20 and not np.array_equal(p.b, r.b)


def test_solve_what_was_generated():
    p = perp.generate("pd", n=50, seed=2)
    r = perp.solve(p)
    assert r.success
    assert box_residual(p.A.toarray(), p.b, r.x) <= 1e-8 * abs(p.b).max()
    assert p.plan() and p.facts()["definite"] == "positive-definite" and p.facts()["n"] == 50


@pytest.mark.parametrize("form", ["lcp", "boxed", "findex", "cone"])
def test_folder(tmp_path, form):
    rng = np.random.default_rng(0)
    A, b = definite(rng, 6, 0), rng.standard_normal(6)
    more = {"lcp": {}, "boxed": {"lo": -np.ones(6), "hi": np.full(6, np.inf)},
            "findex": {"lo": np.tile([0, -0.5], 3), "hi": np.tile([np.inf, 0.5], 3),
                       "findex": [-1, 0, -1, 2, -1, 4]},
            "cone": {"mu": [0.3, 0.4]}}[form]
    p = perp.Problem(A, b, **more)
    r = perp.solve(p)
    perp.save(tmp_path / "p", p, r.x)
    q = perp.load(tmp_path / "p")
    assert q.form == p.form == form
    np.testing.assert_array_equal(q.A.toarray(), A)
    np.testing.assert_array_equal(q.b, b)
    np.testing.assert_array_equal(q.x, r.x)
    for name in ("lo", "hi", "findex", "mu"):
        if name in more:
            np.testing.assert_array_equal(getattr(q, name), more[name])
    assert perp.check(q, q.x)
    np.testing.assert_array_equal(perp.load(str(tmp_path / "p")).b, b)


def test_cones_in_any_place(tmp_path):
    rng = np.random.default_rng(1)
    A, b = definite(rng, 8, 0), rng.standard_normal(8)
    p = perp.Problem(A, b, lo=-1, mu=[0.5, 0.5], cone=[1, 5])
    r = perp.solve(p)
    assert r.success and p.cone.tolist() == [1, 5] and r.problem.cone.tolist() == [1, 5]
    for first in (1, 5):
        assert np.hypot(*r.x[first + 1:first + 3]) <= 0.5 * r.x[first] + 1e-7
    perp.save(tmp_path / "q", p)
    assert perp.load(tmp_path / "q").cone.tolist() == [1, 5]


def test_check():
    rng = np.random.default_rng(2)
    A, b = definite(rng, 10), rng.standard_normal(10)
    p = perp.Problem(A, b)
    x = perp.solve(p).x
    good, bad = perp.check(p, x), perp.check(p, x + 0.1)
    assert good and good.solved and good.scale == abs(b).max()
    assert not bad and bad.residual == pytest.approx(box_residual(A, b, x + 0.1))
    assert perp.check(p, x + 0.1, tol=10)


def test_matlab_file(tmp_path):
    p = perp.generate("pd", n=5)
    if perp.components()["matio"] is None:
        with pytest.raises(RuntimeError, match="matio"):
            perp.save(tmp_path / "p.mat", p)
    else:
        perp.save(tmp_path / "p.mat", p)
        np.testing.assert_array_equal(perp.load(tmp_path / "p.mat").b, p.b)


def test_problem_has_no_holes():
    p = perp.generate("pd", n=5)
    for name in ("lo", "hi", "findex", "mu", "cone"):
        assert getattr(p, name) is None
    with pytest.raises(AttributeError):
        p.b = np.zeros(5)
