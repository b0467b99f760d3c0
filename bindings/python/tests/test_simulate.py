"""Scenes in motion"""

import html
import json
import shutil
import subprocess

import numpy as np
import pytest

import perp


def test_arrays():
    s = perp.simulate("discs:n=10", steps=12)
    assert len(s) == 12 and s.success and s.dimension == 2
    assert s.pose.shape == (13, len(s.shapes), 3)
    for name in ("time", "rows", "contacts", "active", "residual", "nit", "kinetic", "potential",
                 "penetration", "volume", "solve_seconds", "step_seconds"):
        assert getattr(s, name).shape == (12,), name
    assert (np.diff(s.time) > 0).all() and s.index.tolist() == list(range(1, 13))
    assert set(s.status) <= {"solved", "not-run"}
    moving = [k for k, shape in enumerate(s.shapes) if not shape.fixed]
    assert len(moving) == 10
    assert (s.pose[-1, moving, 1] < s.pose[0, moving, 1]).any()  # they fall
    assert "12 steps" in repr(s)
    with pytest.raises(AttributeError):
        s.nix


def test_free_fall():
    """Before the first contact a disc falls as Newton says."""
    s = perp.simulate("discs:n=1", steps=5)
    k = next(k for k, shape in enumerate(s.shapes) if not shape.fixed)
    h = np.diff(s.time)[0]
    y = s.pose[:, k, 1]
    np.testing.assert_allclose(np.diff(y, 2), -9.81 * h * h, rtol=1e-3)


def test_more_steps_and_fewer_frames():
    s = perp.simulate("discs", steps=6, every=3, scene_keys={"n": 5})
    assert s.scene == "discs:n=5" and s.pose.shape[0] == 3
    s.run(3, every=3)
    assert len(s) == 9 and s.pose.shape[0] == 4


@pytest.mark.parametrize("how", [{"steps": -1}, {"every": 0}])
def test_steps_and_frames(how):
    with pytest.raises(ValueError, match="steps = "):
        perp.simulate("discs:n=2", **how)


def test_same_bits_for_the_same_call():
    a, b = (perp.simulate("discs:n=10", steps=10, method="pgs", order="backward") for _ in "ab")
    np.testing.assert_array_equal(a.pose, b.pose)


@pytest.mark.parametrize("scene", ["discs:n=5", "bricks", "dam", "particle"])
def test_page(tmp_path, scene):
    s = perp.simulate(scene, steps=3)
    path = s.show(tmp_path / "page.html")
    with open(path, encoding="utf-8") as page:
        text = page.read()
    at = text.index('{"scene"')
    data, _ = json.JSONDecoder().raw_decode(text[at:])
    run, = data["runs"]
    assert run["frames"] == 4 and len(run["steps"]["time"]) == 3 and run["shown"] == [0, 1, 2, 3]
    assert len(run["shapes"]) == len(s.shapes) and "/*DATA*/" not in text
    assert (tmp_path / "page.html.new").exists() is False


@pytest.mark.parametrize("scene", ["discs:n=5", "dam"])
def test_page_in_a_browser(tmp_path, scene):
    """Its script runs to the end: the last thing that it writes is the call."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if not browser:
        pytest.skip("there is no chromium")
    s = perp.simulate(scene, steps=3, method="pgs", order="backward")
    path = s.show(tmp_path / "page.html")
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                           f"--user-data-dir={tmp_path}/profile", "file://" + path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, text=True)
    shown = html.unescape(done.stdout)
    assert (f"<code>perp.simulate('{scene}', steps=3, method='pgs', tol=1e-06, order='backward')"
            "</code>") in shown
    assert '<td class="given">backward</td>' in shown


def test_liquid():
    s = perp.simulate("dam", steps=3)
    assert len(s.particle) == 4 and s.particle[0].shape[1] == 2 and len(s.particle[0]) > 100
    assert s.shade[0] is None or len(s.shade[0]) == len(s.particle[0])
