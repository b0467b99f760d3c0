"""Scenes in motion"""

import copy
import html
import json
import pickle
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


# ---- Acting on a scene ----


def test_bodies_of_ones_own():
    s = perp.simulate("ground", steps=0, gravity=10.0)
    k = s.add("disc", 0.5, at=(0, 2), velocity=(1, 0))
    assert k == len(s.shapes) - 1 and s.shapes[k].kind == "disc" and not s.shapes[k].fixed
    s.push(k, (0, -3.0))
    step = s.step()
    mass = 100 * np.pi * 0.25
    v = -3 / mass - 10 * 0.01
    np.testing.assert_allclose(s.view().pose[k], [0.01, 2 + 0.01 * v, 0], atol=1e-12)
    assert step.index == 1 and step.status == "solved" and len(s) == 1
    s.run(200)
    assert s.success and abs(s.pose[-1][k, 1] - 0.5) < 2e-3  # it lies on the ground
    view = s.view()
    assert view.contact.shape == (1, 4) and abs(view.contact[0, 3] - mass * 10 * 0.01) < 1e-3 * mass
    assert len(s.pose[0]) == 1 and len(s.pose[-1]) == 2 and isinstance(s.pose, list)
    s.remove(k)
    assert len(s.shapes) == 1
    assert s.run(1).success


def test_joints():
    s = perp.simulate("ground3d", steps=0)
    post = s.add("box", (0.1, 0.1, 1), at=(0, 0, 1), density=0)
    arm = s.add("box", (0.5, 0.1, 0.1), at=(0.6, 0, 1.9))
    s.join("ball", post, arm, at=(0.1, 0, 1.9))
    s.run(60)
    assert s.success and np.linalg.norm(s.view().pose[arm, :3] - [0.1, 0, 1.9]) == pytest.approx(0.5, abs=5e-3)
    assert s.view().pose[arm, 2] < 1.6


def test_restitution_of_a_body():
    for e in (0.0, 0.9):
        s = perp.simulate("ground", steps=0)
        disc = s.add("disc", 0.1, at=(0, 1.1))
        s.restitution(disc, e)
        s.run(100)
        y = np.array([p[disc, 1] for p in s.pose[1:]])
        assert s.success and y[y.argmin():].max() - 0.1 == pytest.approx(e * e, abs=0.08)


def test_restitution_of_a_pair():
    s = perp.simulate("ground", steps=0)
    low = s.add("disc", 0.1, at=(0, 0.1))
    high = s.add("disc", 0.1, at=(0, 1.3))
    s.restitution(high, 0.5)
    s.restitution(low, 0.0, other=high)
    s.run(100)
    assert s.success and s.pose[-1][high, 1] < 0.31  # it does not bounce on the other disc
    with pytest.raises(ValueError, match="are not two bodies"):
        s.restitution(low, 0.5, other=low)


def test_liquids_and_settings():
    s = perp.simulate("dam", cells=8, steps=1)
    before = len(s.view().particle)
    s.pour((0.8, 0.8), 0.1)
    assert len(s.view().particle) > before
    s.stir((0.2, 0.2), 0.2, (1, 0))
    s.wall((0.9, 0.1), 0.05)
    s.set(gravity=3.0)
    assert s.run(2).success


@pytest.mark.parametrize("wrong, error, words", [
    (lambda s: s.add("disc", -1, at=(0, 0)), ValueError, "sizes must be from 1e-6"),
    (lambda s: s.add("disc", 0, at=(0, 0)), ValueError, "disc or a convex polygon"),
    (lambda s: s.add("disc", 1e9, at=(0, 0), density=1e300), ValueError, "value = 1e+300"),
    (lambda s: s.add("cone", 1, at=(0, 0)), ValueError, "no action 'add' on a 'cone'"),
    (lambda s: s.add("disc", 1, at=(0, 0, 0)), ValueError, "2 coordinates"),
    (lambda s: s.add("disc", 1, at=(np.nan, 0)), ValueError, "at = nan"),
    (lambda s: s.add("polygon", corners=[0, 1, 2], at=(0, 0)), ValueError, "(k, 2)"),
    (lambda s: s.set(mue=1), ValueError, "mue"), (lambda s: s.set(mu="much"), ValueError, "much"),
    (lambda s: s.hold(99, (0, 0), (1, 1)), ValueError, "shape 99"),
    (lambda s: s.push(0, (1, 1)), ValueError, "shape 0 cannot be moved"),
    (lambda s: s.restitution(1, 2), ValueError, "restitution 2 must be from 0 to 1"),
    (lambda s: s.push(7, (1, 1)), IndexError, "7"),
    (lambda s: s.remove(0), ValueError, "shape 0"), (lambda s: s.pour((0, 0), 1), perp.Unsupported, "action"),
    (lambda s: s.join("ball", 0, 1, at=(0, 0)), perp.Unsupported, "action"),
    (lambda s: s.posse, AttributeError, "did you mean 'pose'"),
])
def test_wrong_actions(wrong, error, words):
    s = perp.simulate("discs", n=2, steps=1)
    with pytest.raises(error) as e:
        wrong(s)
    assert words in str(e.value)
    assert s.run(1).success and not s._log


def test_copies_continue_alike():
    s = perp.simulate("discs", n=5, steps=8, every=2)
    s.set(tilt=0.2)
    k = s.add("disc", 0.05, at=(0.3, 1.5))
    s.run(5)
    s.hold(k, (0.3, 1.5), (0.5, 1.0))
    s.step(keep=False)
    copies = [pickle.loads(pickle.dumps(s)), copy.deepcopy(s)]
    s.run(6)
    for c in copies:
        assert len(c) == len(s) - 6 and c.scene == s.scene
        c.run(6)
        for a, b in zip(c.pose, s.pose):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(c.residual, s.residual)


def test_reset():
    s = perp.simulate("discs", n=3, steps=4)
    first = s.pose
    s.set(gravity=1.0)
    np.testing.assert_array_equal(s.reset().run(4).pose, first)


def test_names():
    s = perp.simulate("bricks", rows=2, columns=2, steps=1, max_iterations=50)
    assert s.scene == "bricks:rows=2,columns=2" and {"pose", "kinetic", "run", "add"} <= set(dir(s))
    assert not np.array_equal(*(perp.simulate("discs", n=3, steps=1, seed=k).pose for k in (1, 2)))
    for wrong, words in (({"rosw": 3}, "did you mean 'rows'"), ({"maxiter": 3}, "did you mean 'max_iterations'")):
        with pytest.raises(TypeError, match=words):
            perp.simulate("bricks", **wrong)
    with pytest.raises(ValueError, match="did you mean 'bricks'"):
        perp.simulate("brics")


def test_page_after_new_shapes(tmp_path):
    s = perp.simulate("discs", n=2, steps=2)
    s.add("disc", 0.05, at=(0.3, 1.5))
    s.run(3)
    with open(s.show(tmp_path / "page.html"), encoding="utf-8") as page:
        text = page.read()
    data, _ = json.JSONDecoder().raw_decode(text[text.index('{"scene"'):])
    assert data["runs"][0]["frames"] == 3 and data["runs"][0]["shown"] == [3, 4, 5]
