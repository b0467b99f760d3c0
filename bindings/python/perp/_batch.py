"""Many problems of one size, by several threads or on a device"""

import os
import threading

import numpy as np

from . import _perp
from ._matrix import _indices, _real, operator

_NAMES = np.array(_perp.outcome_names())


class BatchResult:
    """The result of solve_batch: arrays with one row for each problem.

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


class Device:
    """A device for batches: 'cuda:0' for the first GPU, 'host' for the GPU kernels on the CPU.

    It keeps its memory between batches and serves one thread at a time. Raises RuntimeError if the
    library was built without such devices, or without a driver or this GPU.

    name, title, processors, memory (bytes)
    uploaded, downloaded, kernel_seconds   bytes copied and time in kernels since it was opened"""

    def __init__(self, name):
        self._handle, self._lock = _perp.open_device(name), threading.RLock()
        self._name = _perp.device_facts(self._handle)[0]

    @property
    def name(self):
        return self._name

    def _fact(k):
        return property(lambda self: _perp.device_facts(self._handle)[k])

    title, processors, memory = _fact(1), _fact(2), _fact(3)
    uploaded, downloaded, kernel_seconds = _fact(4), _fact(5), _fact(6)
    del _fact

    def __repr__(self):
        return f"<perp.Device: {self.name}, {self.title}>"

    @classmethod
    def of(cls, device):
        """Returns the Device itself, or the one of that name, which stays open for the next call."""
        if isinstance(device, cls):
            return device
        if not isinstance(device, str):
            raise TypeError(f"device: a name or a perp.Device, not {type(device).__name__}")
        if device in _devices:
            return _devices[device]
        with _opening:
            if device not in _devices:
                _devices[device] = cls(device)
            return _devices[device]


_devices, _opening = {}, threading.Lock()


def _cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def solve_batch(A, b, lo=None, hi=None, findex=None, x0=None, *, threads=0, device=None,
                **options):
    """Solves k problems of n unknowns each.

    A        (k, n, n), or one matrix for all, whose factors are then reused
    b        (k, n)
    lo, hi   bounds: numbers, (n,) or (k, n)
    findex   friction index, (n,), for all
    x0       starts, (k, n)
    threads  number of threads; 0: one for each core. Results do not depend on it.
    device   'cuda:0', 'host' or a perp.Device: solves all problems in one kernel, by the method
             blockpivot, for dense matrices with bounds; `seconds` are the mean time.
             Anything else raises perp.Unsupported

    Options and parameters are as in perp.solve_lcp, without callback and trace; a time limit is
    for each problem. The GIL is released, and Ctrl-C stops the batch. Returns a
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
        if np.shape(findex) != (n,):
            raise ValueError(f"findex has the shape {np.shape(findex)}, not {(n,)}")
        findex = _indices(findex, np.int32, "findex", own=True)
    x = np.zeros((k, n)) if x0 is None else rows(x0, "x0").copy()
    y = np.zeros((k, n))
    residual, relative, seconds = np.zeros(k), np.zeros(k), np.zeros(k)
    outcome, nit = np.zeros(k, np.int32), np.zeros(k, np.int64)
    if device is None:
        _perp.solve_batch(A, b, lo, hi, findex, x, y, residual, relative, seconds, outcome, nit,
                          threads or _cores(), **options)
    else:
        if findex is not None:
            raise _perp.Unsupported("a batch on a device takes no friction index")
        device = Device.of(device)
        if isinstance(A, _perp.Operator):
            A = A.toarray()
        with device._lock:
            _perp.solve_on_device(device._handle, A, b, lo, hi, x, y, residual, relative, seconds,
                                  outcome, nit, threads=threads or _cores(), **options)
    result = BatchResult(x, y, outcome, residual, relative, nit, seconds)
    if strict and not result.success.all():
        first = int(np.argmin(result.success))
        error = _perp.NotSolved(f"problem {first}: {result.status[first]}")
        error.result = result
        raise error
    return result
