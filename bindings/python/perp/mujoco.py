"""Robots of MuJoCo with perp's contacts: exact friction, limits, dry joints and equalities in one solve

    import perp.mujoco
    model, data = perp.mujoco.load("robot.xml")   # or MuJoCo's own mujoco.MjModel and mujoco.MjData
    data.ctrl[:] = 1
    step = perp.mujoco.step(model, data)          # in place of mujoco.mj_step
    step.success, step.rows, data.qpos

The module is there if perp was built with libmujoco (PERP_COMPONENTS=AUTO pip install .). Objects of
MuJoCo's own package are taken by their C pointers, and must be of the same version as that library.
A solver belongs to one thread; step() keeps one for each thread and data."""

import os
import sys
import threading
from typing import NamedTuple

import numpy as np

from . import _perp
from ._perp import Unsupported

__all__ = ["Data", "Model", "Solver", "Step", "load", "step", "version"]

if not hasattr(_perp, "mujoco_load"):
    raise ImportError("perp was built without MuJoCo; apt-get install libmujoco-dev, then "
                      "PERP_COMPONENTS=AUTO pip install --force-reinstall --no-deps .")


class Step(NamedTuple):
    """The verdict on a step."""

    status: str
    rows: int
    contacts: int
    residual: float
    relative_residual: float
    nit: int
    seconds: float
    message: str

    @property
    def success(self):
        return self.status == "solved"


class Model:
    """A model that libmujoco has loaded: nq, nv, nu, na, nbody, njnt, ngeom, timestep; _address is its C pointer."""

    def __init__(self, path):
        self._own = _perp.mujoco_load(os.fspath(path))
        self._address = _perp.mujoco_address(self._own)
        self.__dict__.update(_perp.mujoco_count(self._address))


class Data:
    """The state of a model, at first its first keyframe. Arrays are views of MuJoCo's memory: qpos, qvel, act, ctrl,
    qacc, qfrc_applied, qfrc_constraint, sensordata, geom_xpos, and geom_friction of the model."""

    def __init__(self, model):
        own = _perp.mujoco_data(model._address)
        self._model, self._address = model, _perp.mujoco_address(own)
        self._own = (own, model)  # the views keep both
        views = _perp.mujoco_view(model._address, self._address, self._own)
        self._time = views.pop("time")
        for name in "geom_xpos", "geom_friction":
            views[name] = views[name].reshape(-1, 3)
        self.__dict__.update(views)

    @property
    def time(self):
        return float(self._time[0])

    @time.setter
    def time(self, value):
        self._time[0] = value


def load(path):
    """Returns (Model, Data) of an MJCF, URDF or .mjb file."""
    model = Model(path)
    return model, Data(model)


def version():
    """The version of libmujoco that perp was built with."""
    return _perp.mujoco_version()


def _address(o, name):
    """The C pointer of a model or of data; objects of MuJoCo's package must be of our version: the structs differ."""
    at = getattr(o, "_address", None)
    if not isinstance(at, (int, np.integer)) or at == 0:
        raise TypeError(f"{name} must be of perp.mujoco.load or of MuJoCo's package, not {type(o).__name__}")
    package = type(o).__module__.split(".")[0]
    if package == "mujoco":
        theirs = getattr(sys.modules.get("mujoco"), "__version__", "")
        if theirs != version():
            raise Unsupported(f"{name} is of MuJoCo {theirs or 'of unknown version'}, perp was built with {version()}")
    return int(at)


class Solver:
    """perp as the constraint solver of MuJoCo, with the impulses of the last step to start from.

    law        "rigid": Coulomb's law without compliance; "soft": MuJoCo's own regularised law
    exact      rigid law: overlaps and errors of equalities vanish in one step
    method     None: Newton's method for few rows, else auto
    tol        of the relative residual"""

    def __init__(self, law="rigid", exact=False, method=None, tol=1e-8):
        if law not in ("rigid", "soft"):
            raise ValueError(f'law must be "rigid" or "soft", not {law!r}')
        if not tol >= 0:
            raise ValueError(f"tol must be at least 0, not {tol}")
        self._own = _perp.mujoco_solver(law == "soft", exact, method, tol)
        self._lock = threading.Lock()

    def step(self, model, data):
        """Makes one step. Raises ValueError for NaN or a singular inertia; the state is then as before."""
        at = _address(model, "model"), _address(data, "data")
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this solver is already in use; use it from one thread at a time")
        try:
            return Step(*_perp.mujoco_step(self._own, *at))
        finally:
            self._lock.release()


_kept = threading.local()
_MOST = 64  # solvers that a thread keeps


def step(model, data, law="rigid", exact=False, method=None, tol=1e-8):
    """Makes one step, as mujoco.mj_step does, and returns its verdict, a Step. See Solver for the parameters."""
    if not hasattr(_kept, "solvers"):
        _kept.solvers = {}
    key = (_address(data, "data"), law, bool(exact), method, tol)
    solver = _kept.solvers.pop(key, None) or Solver(law, exact, method, tol)
    _kept.solvers[key] = solver
    if len(_kept.solvers) > _MOST:
        _kept.solvers.pop(next(iter(_kept.solvers)))
    return solver.step(model, data)
