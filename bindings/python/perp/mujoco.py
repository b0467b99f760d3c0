"""Robots of MuJoCo with perp's contacts: exact friction, limits, dry joints and equalities in one solve

    import perp.mujoco
    model, data = perp.mujoco.load("robot.xml")   # or MuJoCo's own mujoco.MjModel and mujoco.MjData
    data.ctrl[:] = 1
    step = perp.mujoco.step(model, data)          # in place of mujoco.mj_step
    step.success, step.rows, data.qpos
    D = perp.mujoco.derivative(model, data)       # of the next step
    D.vjp(qvel=w).ctrl                            # gradient of w . qvel after it

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

__all__ = ["Data", "Derivative", "Gradient", "Model", "Solver", "State", "Step", "derivative", "load", "step", "version"]

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


class State(NamedTuple):
    """A change or gradient of the state after a step; positions in the tangent space, nv numbers."""

    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray


class Gradient(NamedTuple):
    """A gradient with respect to what a step begins with; friction is that of geom_friction, (ngeom, 3)."""

    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    ctrl: np.ndarray
    friction: np.ndarray


class Derivative:
    """The derivative of a step with the rigid law, from Solver.derivative.

    rows, stick, slide     of the solution
    degenerate             rows and contacts at a kink, where the derivative is one-sided
    deficiency             > 0: the forces are not unique, as in a box that slides on four corners
    frozen                 contacts that MuJoCo does not find in a changed state; their J is held"""

    def __init__(self, solver, model, data):
        self._own, facts = _perp.mujoco_derivative(solver, model, data)
        self.rows, self.stick, self.slide, self.degenerate, self.deficiency, self.frozen = facts
        count = _perp.mujoco_count(model)
        nv, self._shape = count["nv"], (count["ngeom"], 3)
        self._after = (("qpos", nv), ("qvel", nv), ("act", count["na"]))
        self._before = (*self._after, ("ctrl", count["nu"]))

    @staticmethod
    def _join(parts, given):
        """The numbers of all parts in one array; parts that are not given are 0."""
        all_parts = []
        for name, count in parts:
            value = given[name]
            if value is None:
                value = np.zeros(count)
            value = np.asarray(value, dtype=float)
            if value.shape != (count,):
                raise ValueError(f"{name} must have the shape ({count},), not {value.shape}")
            if not np.isfinite(value).all():
                raise ValueError(f"{name} has a number that is not finite")
            all_parts.append(value)
        return np.concatenate(all_parts)

    @staticmethod
    def _split(parts, numbers):
        return np.split(numbers, np.cumsum([count for _, count in parts])[:-1])

    def jvp(self, qpos=None, qvel=None, act=None, ctrl=None, friction=None):
        """Returns the change of the state after the step, a State, for changes of what it begins with."""
        z = self._join(self._before, {"qpos": qpos, "qvel": qvel, "act": act, "ctrl": ctrl})
        friction = np.zeros(self._shape) if friction is None else np.asarray(friction, dtype=float)
        if friction.shape != self._shape:
            raise ValueError(f"friction must have the shape {self._shape}, not {friction.shape}")
        if not np.isfinite(friction).all():
            raise ValueError("friction has a number that is not finite")
        return State(*self._split(self._after, _perp.mujoco_jvp(self._own, z, friction.ravel())))

    def vjp(self, qpos=None, qvel=None, act=None):
        """Returns the Gradient of a loss whose gradient after the step is given."""
        z, friction = _perp.mujoco_vjp(self._own, self._join(self._after, {"qpos": qpos, "qvel": qvel, "act": act}))
        return Gradient(*self._split(self._before, z), friction.reshape(self._shape))


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

    def _locked(self, call, model, data):
        at = _address(model, "model"), _address(data, "data")
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this solver is already in use; use it from one thread at a time")
        try:
            return call(self._own, *at)
        finally:
            self._lock.release()

    def step(self, model, data):
        """Makes one step. Raises ValueError for NaN or a singular inertia; the state is then as before."""
        return Step(*self._locked(_perp.mujoco_step, model, data))

    def derivative(self, model, data):
        """Returns the Derivative of the step that would come next; data stay as they are."""
        return self._locked(Derivative, model, data)


_kept = threading.local()
_MOST = 64  # solvers that a thread keeps


def derivative(model, data, exact=False, method=None, tol=1e-8):
    """Returns the Derivative of the step that would come next. See Solver for the parameters."""
    return Solver("rigid", exact, method, tol).derivative(model, data)


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
