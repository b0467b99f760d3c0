"""Figures: convergence, active sets, scenes; with matplotlib"""

import numpy as np

from ._result import Result
from ._simulate import Simulation


def _convergence(results, ax):
    for label, r in results:
        if r.trace is None:
            raise ValueError(f"{label}: solve with trace=True")
        ax.semilogy(r.trace[:, 0], np.maximum(r.trace[:, 2] / r.scale, 1e-17), label=label)
    ax.set_xlabel("iterations")
    ax.set_ylabel("natural residual, relative")
    ax.legend()


def _active(r, ax):
    """x by row, its rows at bounds marked."""
    rows, active = np.arange(r.x.size), r.active
    for value, label, colour in ((0, "between", "C0"), (-1, "at the lower bound", "C1"),
                                 (1, "at the upper bound", "C2")):
        chosen = active == value
        if chosen.any():
            ax.plot(rows[chosen], r.x[chosen], ".", color=colour, label=label)
    ax.set_xlabel("row")
    ax.set_ylabel("x")
    ax.legend()


def _outline(shape, pose):
    x, y, angle = pose
    if shape.kind == "disc":
        t = np.linspace(0, 2 * np.pi, 33)
        corner = shape.size[0] * np.stack([np.cos(t), np.sin(t)], axis=1)
    else:
        corner = np.concatenate([shape.corner, shape.corner[:1]])
    c, s = np.cos(angle), np.sin(angle)
    return corner @ np.array([[c, s], [-s, c]]) + (x, y)


def _scene(sim, ax, frame):
    if sim.dimension != 2:
        raise ValueError("a scene in space is drawn by show()")
    poses = sim.pose
    if len(poses[frame]) != len(sim.shapes):
        raise ValueError(f"frame {frame}: shapes were added or removed since")
    seen = []  # what moves: floors and walls may be far larger
    for k, shape in enumerate(sim.shapes):
        line = _outline(shape, poses[frame][k])
        ax.plot(*line.T, "k-" if shape.fixed else "C0-", linewidth=0.8)
        if not shape.fixed:
            seen.append(line)
    particles = sim.particle[frame]
    if len(particles):
        ax.plot(*particles.T, "C0,")
        seen.append(particles)
    ax.set_aspect("equal")
    if seen:
        lo, hi = np.concatenate(seen).min(axis=0), np.concatenate(seen).max(axis=0)
        margin = 0.15 * max(hi - lo) or 1.0
        ax.set_xlim(lo[0] - margin, hi[0] + margin)
        ax.set_ylim(lo[1] - margin, hi[1] + margin)
    ax.set_title(f"{sim.scene}, frame {frame % len(poses)}")


def plot(what, ax=None, *, frame=-1):
    """Draws a result or a simulation, and returns the axes.

    A Result with a trace, a list of them or a dict {label: Result}: the residual by iterations. A
    Result without one: x, with its rows at bounds marked. A Simulation in the plane: the scene at
    one frame."""
    import matplotlib.pyplot as plt

    if ax is None:
        ax = plt.subplots()[1]
    if isinstance(what, Simulation):
        _scene(what, ax, frame)
    elif isinstance(what, Result) and what.trace is None:
        _active(what, ax)
    else:
        if isinstance(what, Result):
            what = [what]
        pairs = what.items() if isinstance(what, dict) else [(r.method, r) for r in what]
        _convergence(list(pairs), ax)
    return ax
