"""Robots: perp.mujoco on models of our own loader and on objects that only have a C pointer."""

import gc
import os
import threading
import types

import numpy as np
import pytest

import perp

try:
    from perp import mujoco
except ImportError as error:
    pytest.skip(str(error), allow_module_level=True)

BOX = """<mujoco><option timestep="0.002" cone="elliptic" gravity="{g} 0 -9.81"/><worldbody>
<geom type="plane" size="5 5 .1" friction=".5"/>
<body pos="0 0 .1"><freejoint name="box"/><geom type="box" size=".3 .3 .1" mass="2" friction=".5" margin=".01"/></body>
<body pos="0 0 3"><joint name="arm" type="hinge" axis="0 1 0"/><geom size=".1" pos=".2 0 0" contype="0" conaffinity="0"/></body>
</worldbody><actuator><motor name="elbow" joint="arm"/></actuator></mujoco>"""


@pytest.fixture
def write(tmp_path):
    def make(text, name="robot.xml"):
        path = tmp_path / name
        path.write_text(text)
        return path
    return make


def test_slides(write):
    """Below the angle of friction it sticks to the last bit, above it slides by g sin - mu g cos."""
    for pull, expected in (4.9, 0.0), (5.0, 5.0 - 0.5 * 9.81):
        model, data = mujoco.load(write(BOX.format(g=pull)))
        for _ in range(200):
            assert mujoco.step(model, data).success
        assert data.time == pytest.approx(0.4)
        assert abs(data.qvel[0] - 0.4 * expected) < 1e-7, data.qvel
    step = mujoco.step(model, data)
    assert step.contacts == 4 and step.rows == 12 and step.relative_residual <= 1e-8 and step.status == "solved"


def test_by_pointers(write):
    """Any object with the C pointer in _address is taken, as those of MuJoCo's package; the bits are the same."""
    path, ends = write(BOX.format(g=5)), []
    for foreign in False, True:
        model, data = mujoco.load(path)
        m, d = (types.SimpleNamespace(_address=o._address) if foreign else o for o in (model, data))
        data.ctrl[0] = 0.3
        for _ in range(50):
            assert mujoco.step(m, d).success
        ends.append((data.qpos.copy(), data.qvel.copy()))
    assert all(np.array_equal(a, b) for a, b in zip(*ends))
    assert ends[0][1][6] != 0  # the motor turns the arm


def test_other_version(write, monkeypatch):
    model, data = mujoco.load(write(BOX.format(g=0)))
    other = types.ModuleType("mujoco")
    other.__version__ = "9.9.9"
    monkeypatch.setitem(__import__("sys").modules, "mujoco", other)
    kind = type("MjModel", (), {"_address": model._address})
    kind.__module__ = "mujoco._structs"
    with pytest.raises(perp.Unsupported, match="9.9.9"):
        mujoco.step(kind(), data)
    other.__version__ = mujoco.version()
    assert mujoco.step(kind(), data).success


def test_laws(write):
    """The soft law creeps, the rigid one does not."""
    creep = {}
    for law in "rigid", "soft":
        model, data = mujoco.load(write(BOX.format(g=3)))
        solver = mujoco.Solver(law=law)
        for _ in range(100):
            assert solver.step(model, data).success
        begin = data.qpos[0]
        for _ in range(200):
            assert solver.step(model, data).success
        creep[law] = data.qpos[0] - begin
    assert abs(creep["rigid"]) < 1e-9 < 1e-6 < creep["soft"], creep


def test_refused(write):
    model, data = mujoco.load(write(BOX.format(g=0)))
    before = data.qpos.copy(), data.time
    data.ctrl[0] = np.nan
    with pytest.raises(ValueError, match="elbow"):
        mujoco.step(model, data)
    data.ctrl[0] = 0
    data.qvel[6] = np.inf
    with pytest.raises(ValueError, match="arm"):
        mujoco.step(model, data)
    assert np.array_equal(data.qpos, before[0]) and data.time == before[1]
    data.qvel[6] = 0
    assert mujoco.step(model, data).success
    with pytest.raises(ValueError, match="nowhere.xml"):
        mujoco.load("nowhere.xml")
    with pytest.raises(ValueError, match="size"):
        mujoco.load(write("<mujoco><worldbody><body><geom size='-1'/></body></worldbody></mujoco>"))
    with pytest.raises(TypeError, match="not int"):
        mujoco.step(3, data)
    with pytest.raises(ValueError, match="law"):
        mujoco.Solver(law="stiff")
    with pytest.raises(ValueError, match="nncg"):
        mujoco.Solver(method="nncgg")


def test_views_outlive(write):
    """Arrays of the data keep MuJoCo's memory."""
    model, data = mujoco.load(write(BOX.format(g=0)))
    velocity, friction = data.qvel, data.geom_friction
    velocity[2] = 7
    del model, data
    gc.collect()
    assert velocity[2] == 7 and friction[0, 0] == 0.5 and np.all(np.isfinite(velocity))


def test_threads(write):
    """A world for each thread: the same bits as alone."""
    path, ends = write(BOX.format(g=5)), [None] * 4

    def run(k):
        model, data = mujoco.load(path)
        for _ in range(100):
            mujoco.step(model, data)
        ends[k] = data.qpos.copy()
    run(0)
    alone = ends[0]
    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(end, alone) for end in ends)


def test_robots():
    folder = os.path.join(os.path.dirname(__file__), "../../../examples/robots")
    if not os.path.isdir(folder):
        pytest.skip("not in the source tree")
    for name in "fourbar", "gripper", "humanoid", "quadruped":
        model, data = mujoco.load(os.path.join(folder, name + ".xml"))
        steps = [mujoco.step(model, data) for _ in range(30)]
        assert all(step.success for step in steps) and max(step.rows for step in steps) > 0, name


def test_derivative(write):
    """A sliding box with an arm: jvp against differences of steps, vjp against jvp, data unchanged."""
    model, data = mujoco.load(write(BOX.format(g=7)))
    data.ctrl[0] = 0.3
    for _ in range(30):
        assert mujoco.step(model, data, exact=True).success
    data.geom_friction[0, 0] = 0.6  # the plane's is the larger one: no kink
    begin = {name: getattr(data, name).copy() for name in ("qpos", "qvel", "ctrl")}
    D = mujoco.derivative(model, data, exact=True)
    assert all(np.array_equal(getattr(data, name), value) for name, value in begin.items())
    assert D.rows == 12 and D.slide == 4 and D.frozen == 0

    def after(**change):
        for name, value in begin.items():
            getattr(data, name)[:] = value
        for name, (index, by) in change.items():
            getattr(data, name)[index] += by
        assert mujoco.step(model, data, exact=True, tol=1e-12).success
        if "geom_friction" in change:
            data.geom_friction[change["geom_friction"][0]] -= change["geom_friction"][1]
        return data.qvel.copy()
    unit, h = np.eye(7), 1e-5
    for name, index in ("qvel", 0), ("qvel", 6), ("ctrl", 0), ("geom_friction", (0, 0)):
        slope = (after(**{name: (index, h)}) - after(**{name: (index, -h)})) / (2 * h)
        change = np.zeros(begin[name].shape if name in begin else (3, 3))
        change[index] = 1
        key = "friction" if name == "geom_friction" else name
        moved = D.jvp(**{key: change})
        assert np.max(np.abs(moved.qvel - slope)) < 1e-6, (name, moved.qvel, slope)
        for i in range(7):
            assert abs(getattr(D.vjp(qvel=unit[i]), key)[index] - moved.qvel[i]) < 1e-12
    sliding = D.jvp(friction=np.array([[1.0, 0, 0], [0, 0, 0], [0, 0, 0]])).qvel[0]
    assert abs(sliding + 0.002 * 9.81) < 1e-7  # v' = v + h (pull - mu g)
    with pytest.raises(ValueError, match="qvel must have the shape"):
        D.jvp(qvel=[1, 2])
    with pytest.raises(ValueError, match="qvel has a number"):
        D.vjp(qvel=np.full(7, np.nan))
    with pytest.raises(ValueError, match="friction has a number"):
        D.jvp(friction=np.full((3, 3), np.inf))
    with pytest.raises(ValueError, match="friction must have the shape"):
        D.jvp(friction=[1, 2])
    with pytest.raises(perp.Unsupported, match="rigid law"):
        mujoco.Solver(law="soft").derivative(model, data)
