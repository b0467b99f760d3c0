"""Many problems of one size, by several threads"""

import os

import numpy as np

from . import _perp
from ._matrix import _real, operator

_NAMES = np.array(_perp.outcome_names())


class BatchResult:
    """What solve_batch returns: arrays with one row for each problem.

    x, y                          (k, n)
    success, status               of each problem
    residual, relative_residual   natural; by max |b|
    nit, seconds                  iterations, time"""

    def __init__(self, x, y, outcome, residual, relative, nit, seconds):
        self.x, self.y = x, y
        self.status = _NAMES[outcome]
        self.success = self.status == "solved"
        self.residual, self.relative_residual = residual, relative
        self.nit, self.seconds = nit, seconds

    def __len__(self):
        return len(self.x)

    def __repr__(self):
        k, n = self.x.shape
        return f"<perp.BatchResult: {self.success.sum()} of {k} solved, n = {n}>"


def _cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def solve_batch(A, b, lo=None, hi=None, findex=None, x0=None, *, threads=0, **options):
    """Solves k problems of n unknowns each.

    A        (k, n, n), or one matrix for all: then what was derived from it is used again
    b        (k, n)
    lo, hi   bounds: numbers, (n,) or (k, n)
    findex   friction index, (n,), of all
    x0       starts, (k, n)
    threads  how many at the same time; 0: one for each core. Results do not depend on it.

    Options and parameters are those of perp.solve_lcp, without callback and trace; a time limit
    holds for each problem. The GIL is released, and Ctrl-C stops the batch. Returns a
    BatchResult; with strict=True it raises perp.NotSolved if a problem is not solved."""
    strict = options.pop("strict", False)
    if threads < 0 or threads > 4096:
        raise ValueError(f"threads = {threads} is out of range")
    b = _real(b, "b")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {b.shape}, not (k, n)")
    k, n = b.shape
    if np.ndim(A) == 3 if not hasattr(A, "shape") else len(A.shape) == 3:
        A = _real(A, "A")
        if A.shape != (k, n, n):
            raise ValueError(f"A has the shape {A.shape}, not {(k, n, n)}")
    else:
        A = operator(A)
        if A.shape != (n, n):
            raise ValueError(f"A has the shape {A.shape}, not {(n, n)}")

    def rows(v, name):
        if v is None:
            return None
        v = _real(v, name) if np.ndim(v) else float(v)
        if np.ndim(v) and v.shape not in ((n,), (k, n)):
            raise ValueError(f"{name} has the shape {v.shape}, not {(n,)} or {(k, n)}")
        return np.ascontiguousarray(np.broadcast_to(v, (k, n)))

    lo, hi = rows(lo, "lo"), rows(hi, "hi")
    if findex is not None:
        findex = np.ascontiguousarray(findex, np.int32)
        if findex.shape != (n,):
            raise ValueError(f"findex has the shape {findex.shape}, not {(n,)}")
    x = np.zeros((k, n)) if x0 is None else rows(x0, "x0").copy()
    y = np.zeros((k, n))
    residual, relative, seconds = np.zeros(k), np.zeros(k), np.zeros(k)
    outcome, nit = np.zeros(k, np.int32), np.zeros(k, np.int64)
    _perp.solve_batch(A, b, lo, hi, findex, x, y, residual, relative, seconds, outcome, nit,
                      threads or _cores(), **options)
    result = BatchResult(x, y, outcome, residual, relative, nit, seconds)
    if strict and not result.success.all():
        first = int(np.argmin(result.success))
        error = _perp.NotSolved(f"problem {first}: {result.status[first]}")
        error.result = result
        raise error
    return result
