"""Figures, if matplotlib is there"""

import numpy as np
import pytest
from oracle import definite

import perp

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

rng = np.random.default_rng(0)
A, b = definite(rng, 30, 0), rng.standard_normal(30)


def test_convergence():
    runs = {m: perp.solve_lcp(A, b, method=m, trace=True) for m in ("pgs", "nncg")}
    ax = perp.plot(runs)
    assert ax.get_yscale() == "log"
    assert [line.get_label() for line in ax.get_lines()] == ["pgs", "nncg"]
    for line, r in zip(ax.get_lines(), runs.values()):
        np.testing.assert_array_equal(line.get_xdata(), r.trace[:, 0])
    assert len(perp.plot(list(runs.values())).get_lines()) == 2
    assert len(perp.plot(runs["pgs"]).get_lines()) == 1
    with pytest.raises(ValueError, match="trace=True"):
        perp.plot({"pgs": perp.solve_lcp(A, b)})


def test_active_set():
    r = perp.solve_lcp(A, b, -0.01, 0.01)
    ax = perp.plot(r)
    assert sum(len(line.get_xdata()) for line in ax.get_lines()) == 30


def test_scene():
    from matplotlib import pyplot as plt
    s = perp.simulate("discs:n=3", steps=2)
    given = plt.subplots()[1]
    ax = perp.plot(s, given)
    assert ax is given and len(ax.get_lines()) == len(s.shapes)
    disc = next(k for k, shape in enumerate(s.shapes) if shape.kind == "disc")
    outline = np.array(ax.get_lines()[disc].get_xydata())
    np.testing.assert_allclose(outline[:-1].mean(axis=0), s.pose[-1, disc, :2], atol=1e-9)
    plt.close("all")


def test_a_scene_fills_the_picture():
    """The view is that of what moves: a floor may be far larger."""
    s = perp.simulate("bricks", rows=3, steps=2)
    ax = perp.plot(s)
    moving = np.array([p for k, p in enumerate(s.pose[-1]) if not s.shapes[k].fixed])
    left, right = ax.get_xlim()
    assert left < moving[:, 0].min() and moving[:, 0].max() < right < moving[:, 0].max() + 2
    assert right - left < 2.5 * np.ptp(moving[:, 0])
