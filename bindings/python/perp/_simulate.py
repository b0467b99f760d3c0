"""Scenes in motion, as arrays and as a page to watch"""

import base64
import json
import os
from operator import index as _index
from typing import NamedTuple, Optional, Tuple

import numpy as np

from . import _perp
from ._files import _spec, _text
from ._suggest import OPTIONS, suggestion
from ._tables import methods, scenes

_STEP = ("index", "time", "rows", "contacts", "active", "status", "residual", "relative_residual",
         "nit", "solve_seconds", "step_seconds", "kinetic", "potential", "penetration", "volume")
_VIEW = ("pose", "load", "state", "particle", "shade", "pressure", "touch")


class Shape(NamedTuple):
    kind: str  # disc, polygon, sphere, box or capsule
    fixed: bool  # it never moves
    wire: bool  # a container
    size: Tuple[float, float, float]
    corner: np.ndarray  # of a polygon, around the origin of its pose


class View(NamedTuple):
    """The scene now. Parts that it does not have are None."""

    pose: np.ndarray  # (shapes, 3): x, y, angle; in space (shapes, 7): x, y, z and a quaternion
    load: Optional[np.ndarray]  # of each shape: the sum of the impulses on it in the last step
    state: Optional[np.ndarray]  # of each shape: contacts that stick or slide
    particle: np.ndarray
    shade: Optional[np.ndarray]
    pressure: Optional[np.ndarray]
    touch: Optional[np.ndarray]
    contact: Optional[np.ndarray]  # (contacts, 2 dimension): position, impulse on the second body


class Step(NamedTuple):
    """The numbers of one step."""

    index: int
    time: float
    rows: int
    contacts: int
    active: int
    status: str
    residual: float
    relative_residual: float
    nit: int
    solve_seconds: float
    step_seconds: float
    kinetic: float
    potential: float
    penetration: float
    volume: float


class Simulation:
    """The result of simulate, and a scene to act on while it runs.

    One number for each step: time, rows, contacts, active, status, residual, relative_residual,
    nit, solve_seconds, step_seconds, kinetic, potential, penetration, volume; what a scene does
    not have is NaN. One entry for each frame, the first before any step: pose (frames, shapes, 3)
    with x, y, angle, or 7 with x, y, z and a quaternion; load, state (frames, shapes) or None;
    particle, shade, pressure, touch: lists of arrays. shapes, dimension, lo, hi: the scene.

    run(n) makes more steps, step() one. set, hold, release, add, remove, pour, stir and wall act on
    the scene before the next step; view() shows it now. If shapes were added or removed, pose, load
    and state are lists.

    A simulation can be pickled and copied: the copy has the frames, and makes the steps and actions
    again when it is continued."""

    def __init__(self, scene, method, options, warm=True, islands=False):
        self.scene, self.method, self._options, self._how = scene, method, options, (warm, islands)
        self.reset()

    def reset(self):
        """Begins again, without the frames and actions so far."""
        self._live = None
        self._log = []  # the actions, and how many steps came before each
        self._count = 0  # steps made
        self._made = []  # of each step: its numbers, what went wrong or "", its frame or None
        simulation = self._simulation
        self.dimension, self.lo, self.hi, shapes = simulation.shapes()
        self.shapes = [Shape(**s) for s in shapes]
        self._start = simulation.view()
        return self

    @property
    def _simulation(self):
        """The library's object; after pickling it repeats the steps and actions."""
        if self._live is None:
            live = _perp.Simulation(self.scene, *self._how, method=self.method, **self._options)
            done, unused = 0, []
            for before, action in [*self._log, (self._count, None)]:
                for _ in range(before - done):
                    interrupt = live.step(unused, 1 << 40)
                    unused.clear()
                    if interrupt:
                        raise interrupt
                done = before
                if action:
                    live.act(*action)
            self._live = live
        return self._live

    def __getstate__(self):
        return {**self.__dict__, "_live": None}

    def __dir__(self):
        return sorted({*super().__dir__(), *_STEP, *_VIEW})

    def run(self, steps, every=1):
        """Makes more steps and keeps every `every`-th frame. Ctrl-C keeps the steps made so far."""
        if steps < 0 or every < 1:
            raise ValueError(f"steps = {steps} must be >= 0 and every = {every} must be >= 1")
        try:
            for _ in range(steps):
                self._step(every)
        except KeyboardInterrupt as e:
            e.simulation = self
            raise
        return self

    def step(self, keep=True):
        """Makes one step and returns its Step; keep=False keeps neither its numbers nor its frame."""
        self._step(1 if keep else 1 << 40)
        numbers = self._made[-1][0]
        if not keep:
            self._made.pop()
        return Step(*numbers)

    def _step(self, every):
        interrupt = self._simulation.step(self._made, every)
        self._count += 1
        if interrupt:
            raise interrupt

    def view(self):
        """The View of the scene now: poses, impulses, contacts, particles."""
        return View(*self._simulation.view())

    # ---- Actions ----

    def _act(self, kind, shape=-1, name=None, value=1.0, radius=0.0, at=(), to=(), body=None, other=-1):
        def point(p):
            p = tuple(float(c) for c in p)
            if len(p) not in (0, self.dimension):
                raise ValueError(f"{p}: a point has {self.dimension} coordinates here")
            return p + (0.0,) * (3 - len(p))

        action = (kind, _index(shape), name, float(value), float(radius), point(at), point(to), body,
                  _index(other))
        self._simulation.act(*action)
        self._log.append((self._count, action))
        if kind in ("add", "remove"):
            self.shapes = [Shape(**s) for s in self._simulation.shapes()[3]]

    def set(self, **values):
        """Changes mu, mu_static, restitution, gravity or tilt (radians) of bodies; gravity, tilt or walls of liquids."""
        for name, value in values.items():
            self._act("set", name=name, value=value)

    def restitution(self, shape, value, other=None):
        """Sets Newton's restitution of a body, or of its contacts with the body of `other`. Any other contact has the
        larger one of its two bodies."""
        self._act("restitution", shape, None if other is None else "pair", value, other=-1 if other is None else other)

    def hold(self, shape, at, to):
        """Pulls the point `at` of a shape to the point `to` by a damped spring, until release()."""
        self._act("hold", shape, at=at, to=to)

    def release(self):
        """Lets go of the shape that is held."""
        self._act("release")

    def add(self, kind, size=None, at=(), velocity=(), density=100.0, corners=None):
        """Adds a body and returns the number of its shape.

        kind      'disc' or 'polygon' in the plane; 'sphere', 'box' or 'capsule' in space
        size      radius of a disc or sphere; half edges of a box; radius and half length of a capsule
        corners   of a convex polygon around its middle, (k, 2), counterclockwise
        at        its middle; velocity: of its middle
        density   0: it never moves"""
        half = tuple(float(c) for c in np.atleast_1d(0.0 if size is None else size))
        if len(half) > 3:
            raise ValueError(f"size = {size}: at most three numbers")
        if corners is not None:
            corners = np.array(corners, float)
            if corners.ndim != 2 or corners.shape[1] != 2:
                raise ValueError(f"corners has the shape {corners.shape}, not (k, 2)")
            corners = corners.ravel()
        known = len(self.shapes)
        self._act("add", value=density, at=at, to=velocity, body=(kind, half + (0.0,) * (3 - len(half)), corners))
        return known

    def push(self, shape, impulse, at=None):
        """Gives a body an impulse, h times a force, at a point; None: at the origin of its pose."""
        at = self.view().pose[_index(shape), :self.dimension] if at is None else at
        self._act("push", shape, at=at, to=impulse)

    def join(self, kind, first, second, at, axis=()):
        """Joins two bodies of a scene in space at a point: 'ball', 'hinge' (about an axis) or 'fixed'."""
        self._act("join", first, kind, at=at, to=axis, other=second)

    def remove(self, shape):
        """Removes a body; later shapes are renumbered."""
        self._act("remove", shape)

    def pour(self, at, radius, velocity=()):
        """Adds liquid within `radius` of a point."""
        self._act("pour", radius=radius, at=at, to=velocity)

    def stir(self, at, radius, velocity):
        """Gives the liquid within `radius` of a point this velocity."""
        self._act("stir", radius=radius, at=at, to=velocity)

    def wall(self, at, radius, solid=True):
        """Builds a wall within `radius` of a point, or removes it."""
        self._act("wall", radius=radius, at=at, value=float(solid))

    # ---- The steps made ----

    @property
    def messages(self):
        """(index of a step, what went wrong in it)"""
        return [(step[0], trouble) for step, trouble, _ in self._made if trouble]

    @property
    def _steps(self):
        return [step for step, _, _ in self._made]

    @property
    def _frames(self):
        return [self._start] + [frame for _, _, frame in self._made if frame is not None]

    @property
    def _shown(self):
        return [0] + [step[0] for step, _, frame in self._made if frame is not None]

    def _last_frames(self):
        """Number and frame of the frames since shapes were last added or removed."""
        all_frames = list(zip(self._shown, self._frames))
        first = len(all_frames)
        while first and len(all_frames[first - 1][1][0]) == len(self.shapes):
            first -= 1
        return all_frames[first:] or [(self._count, self._simulation.view())]

    def __getattr__(self, name):
        if name in _STEP:
            column = _STEP.index(name)
            return np.array([step[column] for step in self._steps])
        if name in _VIEW:
            column = _VIEW.index(name)
            parts = [frame[column] for frame in self._frames]
            if name in ("particle", "shade", "pressure", "touch"):
                return parts
            if any(part is None for part in parts):
                return None
            return np.array(parts) if len({len(part) for part in parts}) == 1 else parts
        raise AttributeError(f"a Simulation has no attribute {name!r}" + suggestion(name, _STEP + _VIEW))

    @property
    def success(self):
        """True if every step was solved; a step without a problem counts as solved."""
        return all(step[2] == 0 or step[5] == "solved" for step in self._steps)

    def __len__(self):
        return len(self._made)

    def __repr__(self):
        solved = sum(step[2] == 0 or step[5] == "solved" for step in self._steps)
        return (f"<perp.Simulation: {self.scene}, {len(self._made)} steps, {solved} solved, "
                f"{len(self.shapes)} shapes>")

    # ---- The page ----

    def _series(self):
        def numbers(values, digits):
            return [float(f"{v:.{digits}g}") if np.isfinite(v) else None for v in values]

        own = np.where(self.rows > 0, self.relative_residual, np.nan)
        return {
            "time": numbers(self.time, 12), "rows": numbers(self.rows, 12),
            "iterations": numbers(self.nit, 12), "residual": numbers(own, 6),
            "solved": [int(s == "solved") for s in self.status], "ode": [0] * len(self),
            "kinetic": numbers(self.kinetic, 12),
            "energy": numbers(self.kinetic + self.potential, 12),
            "penetration": numbers(self.penetration, 12), "volume": numbers(self.volume, 12),
            "milliseconds": numbers(1e3 * self.solve_seconds, 6),
        }

    def _settings(self):
        """Returns the rows of the page: group, name, value, True if given, meaning."""
        name, _, keys = self.scene.partition(":")
        given = dict(key.split("=", 1) for key in keys.split(",") if "=" in key)
        scene, method = scenes()[name], methods()[self.method]
        rows = [("scene", "name", name, True, scene.title)]
        rows += [("scene", p.name, given.get(p.name, _text(p.default)), p.name in given, p.text)
                 for p in scene.parameters]
        rows.append(("method", "name", self.method, True, method.title))
        rows += [("method", p.name, _text(self._options.get(p.name, p.default)),
                  p.name in self._options, p.text) for p in method.parameters]
        known = {p.name for p in method.parameters}
        rows += [("solves", key, _text(value), True, "")
                 for key, value in self._options.items() if key not in known]
        return rows

    def _command(self):
        options = "".join(f", {key}={value!r}" for key, value in self._options.items())
        return f"perp.simulate({self.scene!r}, steps={len(self)}, method={self.method!r}{options})"

    def _page(self):
        def packed(arrays, kind):
            parts = [np.asarray(a, kind).tobytes() for a in arrays if a is not None]
            return base64.b64encode(b"".join(parts)).decode()

        numbers, frames = zip(*self._last_frames())
        columns = dict(zip(_VIEW, zip(*(frame[:len(_VIEW)] for frame in frames))))
        lo, hi = np.array(self.lo[:self.dimension]), np.array(self.hi[:self.dimension])
        span = np.where(hi > lo, hi - lo, 1)
        shares = [np.rint(np.clip((p - lo) / span, 0, 1) * 65535) for p in columns["particle"]]
        pressures, pressure = [], []
        for p in columns["pressure"]:
            if p is None:
                continue
            least, most = min(0.0, p.min(initial=0)), max(0.0, p.max(initial=0))
            pressures.append([least, most])
            pressure.append(np.rint(255 * (p - least) / (most - least or 1)))
        solved = [s == "solved" for s in self.status]
        worst = self.relative_residual[self.rows > 0]
        run = {
            "label": self.scene, "scene": self.scene, "method": self.method, "matrix": "",
            "dimension": self.dimension, "frames": len(frames), "solved": sum(solved),
            "ode": 0, "complaints": 0, "seconds": float(self.step_seconds.sum()),
            "worst": float(worst.max(initial=0)),
            "deepest": float(np.nanmax(self.penetration, initial=0)),
            "settings": self._settings(), "lo": self.lo, "hi": self.hi,
            "shapes": [{**s._asdict(), "corner": s.corner.ravel().tolist()} for s in self.shapes],
            "shown": list(numbers),
            "pose": packed(columns["pose"], "<f4"),
            "load": packed(columns["load"], "<f4"),
            "state": packed([None if s is None else np.minimum(s, 255) for s in columns["state"]], "u1"),
            "particles": [len(p) for p in columns["particle"]],
            "particle": packed(shares, "<u2"),
            "shade": packed([None if s is None else np.rint(255 * np.clip(s, 0, 1))
                             for s in columns["shade"]], "u1"),
            "pressures": packed(pressures, "<f4"), "pressure": packed(pressure, "u1"),
            "touch": packed(columns["touch"], "u1"), "spectra": [], "eigenvalues": "",
            "steps": self._series(),
        }
        return {"scene": self.scene, "version": _perp.version,
                "command": self._command(), "runs": [run]}

    def show(self, path="simulation.html"):
        """Writes a page that plays the frames, which needs no network; returns its path."""
        with open(os.path.join(os.path.dirname(__file__), "player.html"), encoding="utf-8") as page:
            before, after = page.read().split("/*DATA*/null")
        data = json.dumps(self._page()).replace("</", "<\\/")
        beside = os.fspath(path) + ".new"
        with open(beside, "w", encoding="utf-8") as out:
            out.write(before + data + after)
        os.replace(beside, path)
        return os.path.abspath(path)


def _split(scene, method, options):
    """(keys of the scene, options of the solves) of the keywords of simulate"""
    name = scene.partition(":")[0]
    table = scenes()
    if name not in table:
        raise ValueError(f"there is no scene {name!r}" + (suggestion(name, list(table)) or "; perp.scenes() lists them"))
    own = {p.name for p in table[name].parameters} | {"seed"}
    known = {p.name for p in methods()[method].parameters} if method in methods() else set()
    keys, rest = {}, {}
    for key, value in options.items():
        plain = key.rstrip("_")
        if plain in own and plain not in known and plain not in set(OPTIONS) - {"seed"}:
            keys[plain] = value
        elif key in OPTIONS or key in known or method not in methods():
            rest[key] = value
        else:
            near = suggestion(key, [*OPTIONS, *sorted(own | known)], {"maxiter": "max_iterations"})
            raise TypeError(f"simulate() has no option {key!r}, the scene {name} has no parameter {key!r}, and "
                            f"neither has {method}{near}")
    return keys, rest


def simulate(scene, steps=100, *, every=1, warm=True, islands=False, method="auto", tol=1e-6,
             scene_keys=None, **options):
    """Runs a scene and returns a Simulation: simulate("bricks", rows=3).show() writes a page.

    scene       NAME or NAME:key=value,...; perp.scenes() lists them. Its parameters may also be
                keywords, as seed; scene_keys: a dict of them
    steps       to make at once; 0: none, to make them by run and step
    every       keeps every `every`-th frame
    warm        a step starts from the impulses of the last one
    islands     solves the islands of a problem one by one

    Options and parameters are as in perp.solve_lcp, without callback, trace, strict and x0. If a
    step is not solved, it uses the best iterate, and `status` says so. Ctrl-C ends the run with a
    KeyboardInterrupt, whose attribute `simulation` has the steps that were made."""
    keys, rest = _split(scene, method, options)
    scene = _spec(scene, {**keys, **(scene_keys or {})})
    return Simulation(scene, method, {"tol": tol, **rest}, warm, islands).run(steps, every)
