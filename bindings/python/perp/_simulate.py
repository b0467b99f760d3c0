"""Scenes in motion, as arrays and as a page to watch"""

import base64
import json
import os
from typing import NamedTuple, Tuple

import numpy as np

from . import _perp
from ._files import _spec, _text
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


class Simulation:
    """The result of simulate.

    One number for each step: time, rows, contacts, active, status, residual, relative_residual,
    nit, solve_seconds, step_seconds, kinetic, potential, penetration, volume; what a scene does
    not have is NaN. One entry for each frame, the first before any step: pose (frames, shapes, 3)
    with x, y, angle, or 7 with x, y, z and a quaternion; load, state (frames, shapes) or None;
    particle, shade, pressure, touch: lists of arrays. shapes, dimension, lo, hi: the scene."""

    def __init__(self, scene, method, simulation, options):
        self.scene, self.method, self._simulation = scene, method, simulation
        self._options = options
        self.dimension, self.lo, self.hi, shapes = simulation.shapes()
        self.shapes = [Shape(**s) for s in shapes]
        self._start = simulation.view()
        self._made = []  # of each step: its numbers, what went wrong or "", its frame or None

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

    def _step(self, every):
        interrupt = self._simulation.step(self._made, every)
        if interrupt:
            raise interrupt

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

    def __getattr__(self, name):
        if name in _STEP:
            column = _STEP.index(name)
            return np.array([step[column] for step in self._steps])
        if name in _VIEW:
            column = _VIEW.index(name)
            parts = [frame[column] for frame in self._frames]
            if name in ("particle", "shade", "pressure", "touch"):
                return parts
            return None if any(part is None for part in parts) else np.array(parts)
        raise AttributeError(name)

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
        """Rows of the page: group, name, value, whether it was given, what it means."""
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

        lo, hi = np.array(self.lo[:self.dimension]), np.array(self.hi[:self.dimension])
        span = np.where(hi > lo, hi - lo, 1)
        shares = [np.rint(np.clip((p - lo) / span, 0, 1) * 65535) for p in self.particle]
        pressures, pressure = [], []
        for p in self.pressure:
            if p is None:
                continue
            least, most = min(0.0, p.min(initial=0)), max(0.0, p.max(initial=0))
            pressures.append([least, most])
            pressure.append(np.rint(255 * (p - least) / (most - least or 1)))
        solved = [s == "solved" for s in self.status]
        worst = self.relative_residual[self.rows > 0]
        run = {
            "label": self.scene, "scene": self.scene, "method": self.method, "matrix": "",
            "dimension": self.dimension, "frames": len(self._frames), "solved": sum(solved),
            "ode": 0, "complaints": 0, "seconds": float(self.step_seconds.sum()),
            "worst": float(worst.max(initial=0)),
            "deepest": float(np.nanmax(self.penetration, initial=0)),
            "settings": self._settings(), "lo": self.lo, "hi": self.hi,
            "shapes": [{**s._asdict(), "corner": s.corner.ravel().tolist()} for s in self.shapes],
            "shown": self._shown,
            "pose": packed([f[0] for f in self._frames], "<f4"),
            "load": packed([f[1] for f in self._frames], "<f4"),
            "state": packed([None if f[2] is None else np.minimum(f[2], 255)
                             for f in self._frames], "u1"),
            "particles": [len(p) for p in self.particle],
            "particle": packed(shares, "<u2"),
            "shade": packed([None if s is None else np.rint(255 * np.clip(s, 0, 1))
                             for s in self.shade], "u1"),
            "pressures": packed(pressures, "<f4"), "pressure": packed(pressure, "u1"),
            "touch": packed(self.touch, "u1"), "spectra": [], "eigenvalues": "",
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


def simulate(scene, steps=100, *, every=1, warm=True, islands=False, method="auto", tol=1e-6,
             scene_keys=None, **options):
    """Runs a scene and returns a Simulation: simulate("bricks", steps=100).show() writes a page.

    scene       NAME or NAME:key=value,...; perp.scenes() lists them; scene_keys: a dict of keys
    every       keeps every `every`-th frame
    warm        a step starts from the impulses of the last one
    islands     solves the islands of a problem one by one

    Options and parameters are as in perp.solve_lcp, without callback, trace, strict and x0. If a
    step is not solved, it uses the best iterate, and `status` says so. Ctrl-C ends the run with a
    KeyboardInterrupt, whose attribute `simulation` has the steps that were made."""
    scene = _spec(scene, scene_keys or {})
    simulation = _perp.Simulation(scene, warm, islands, method=method, tol=tol, **options)
    return Simulation(scene, method, simulation, {"tol": tol, **options}).run(steps, every)
