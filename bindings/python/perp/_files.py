"""Problems made to order and on disk, and the verdict on any x"""

import os
from typing import NamedTuple

from . import _perp


def _text(value):
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _spec(name, keys):
    """NAME:key=value,... from a name and keywords"""
    if not keys:
        return name
    more = ",".join(f"{key.rstrip('_')}={_text(value)}" for key, value in keys.items())
    return name + ("," if ":" in name else ":") + more


def generate(kind, **keys):
    """Generates a Problem: generate("pd:n=200,seed=7") or generate("pd", n=200, seed=7).

    A text gives the same problem on every machine. perp.generators() lists the kinds."""
    return _perp.generate(_spec(kind, keys))


def _format(path):
    name = os.fspath(path)
    return 1 if name.endswith(".mat") else 2 if name.endswith((".hdf5", ".h5")) else 0


def load(path):
    """The Problem in a folder of Matrix Market files, in a MATLAB file (.mat) or in a file of FCLib (.hdf5, .h5)."""
    return (_perp.load_folder, _perp.load_mat, _perp.load_fclib)[_format(path)](path)


def save(path, problem, x=None):
    """Writes a Problem to a folder, to a MATLAB file if the path ends with .mat, or to a file of FCLib if it ends
    with .hdf5 or .h5; x: a known solution."""
    _perp.save(path, problem, x, _format(path))


class Check(NamedTuple):
    """The verdict on an x."""

    solved: bool  # residual <= tol * scale
    residual: float  # natural: max |x - P(x - y)|
    scale: float  # max |b|, or 1

    def __bool__(self):
        return self.solved


def check(problem, x, tol=1e-8, x_low=None):
    """Returns the library's verdict on any x: a Check, true if x is a solution. With x_low it judges
    x + x_low, in twice the precision."""
    return Check(*_perp.check(problem, x, tol, x_low))


def check_certificate(problem, u):
    """Returns True if u proves, in exact arithmetic, that the problem has no solution."""
    return _perp.certificate(problem, u)[0]
