"""Batches that stay on a device: arrays of PyTorch, CuPy, Warp, Numba, JAX and NumPy, without a copy"""

import math
import sys
from typing import Any, NamedTuple

import numpy as np

from . import _perp
from ._batch import _NAMES, Device, _cores

_SOLVED = int(np.flatnonzero(_NAMES == "solved")[0])
_LEGACY = 1  # CUDA's default stream, in the numbering of DLPack and of the library


class _View:
    """Where an array is: address, shape, type ('f8', 'i4'), device, and the stream that wrote it.

    tensor  of PyTorch, on a GPU: written on the stream that is current there"""

    __slots__ = ("pointer", "shape", "type", "device", "stream", "dense", "writable", "keep", "tensor")

    def __init__(self, array, name):
        torch = sys.modules.get("torch")
        self.stream, self.keep, self.writable, self.tensor = None, array, True, False
        if torch is not None and isinstance(array, torch.Tensor):
            self.device = _place(array.device, name)
            if array.layout != torch.strided or array.is_neg():
                raise TypeError(f"{name} is a sparse tensor, or one that is not negated yet (resolve_neg); a "
                                "plain one is needed")
            if array.requires_grad and torch.is_grad_enabled():
                raise RuntimeError(f"{name} requires a gradient, which this call does not record: use "
                                   f"perp.torch.lcp or perp.torch.contact, or pass {name}.detach()")
            self.pointer, self.shape = array.data_ptr(), tuple(array.shape)
            self.type = _type(array.dtype)
            self.dense, self.tensor = array.is_contiguous(), self.device != "host"
        elif hasattr(array, "__cuda_array_interface__"):
            facts = array.__cuda_array_interface__
            self._read(facts, "cuda:" + str(_cuda_index(array)))
            self.stream = facts.get("stream")
        elif hasattr(array, "__array_interface__"):
            self._read(array.__array_interface__, "host")
        elif hasattr(array, "__dlpack__"):
            kind, index = array.__dlpack_device__()
            if kind != 1:
                raise TypeError(f"{name}: arrays on DLPack devices of kind {kind} need "
                                f"__cuda_array_interface__; {type(array).__name__} has none")
            self.keep = np.from_dlpack(array)
            self._read(self.keep.__array_interface__, "host")
        else:
            raise TypeError(f"{name} is a {type(array).__name__}, not an array of a device: neither "
                            "__cuda_array_interface__ nor __dlpack__")

    def _read(self, facts, device):
        self.pointer, self.shape = facts["data"][0] or 0, tuple(facts["shape"])
        self.writable = not facts["data"][1]
        order, self.type, self.device = facts["typestr"][0], facts["typestr"][1:], device
        strides, step, dense = facts.get("strides"), int(self.type[1:]), True
        if order == (">" if sys.byteorder == "little" else "<"):
            self.type = facts["typestr"]
        for length, stride in zip(self.shape[::-1], (strides or ())[::-1]):
            dense = dense and (length <= 1 or stride == step)
            step *= length
        self.dense = dense

    def hold(self):
        """Keeps the memory of a tensor also after tensor.data = ..."""
        if hasattr(self.keep, "detach"):
            self.keep = self.keep.detach()

    def end(self):
        return self.pointer + math.prod(self.shape) * int(self.type[1])


_TORCH = {"torch.float64": "f8", "torch.float32": "f4", "torch.int32": "i4", "torch.int64": "i8",
          "torch.float16": "f2"}
_types, _places = {}, {}  # words of PyTorch's types and devices: to make them takes longer than to look them up


def _type(dtype):
    if dtype not in _types:
        _types[dtype] = _TORCH.get(str(dtype), str(dtype))
    return _types[dtype]


def _place(device, name):
    if device not in _places:
        if device.type not in ("cuda", "cpu"):
            raise ValueError(f"{name} is on {device}; perp has kernels for cuda and cpu")
        _places[device] = "host" if device.type == "cpu" else f"cuda:{device.index}"
    return _places[device]


_WORDS = {"f8": "float64", "f4": "float32", "f2": "float16", "i4": "int32", "i8": "int64"}


def _cuda_index(array):
    """The number of the GPU; __cuda_array_interface__ does not have it, DLPack does."""
    if hasattr(array, "__dlpack_device__"):
        return array.__dlpack_device__()[1]
    return getattr(getattr(array, "device", None), "id", 0)


def _check(array, name, kind, shapes):
    """The view of an array, or of a view, of this type and one of these shapes."""
    view = array if type(array) is _View else _View(array, name)
    if view.type == kind and view.shape in shapes and view.dense and not view.pointer % int(kind[1]):
        return view
    if view.type != kind:
        raise TypeError(f"{name} has the type {_WORDS.get(view.type, view.type)}; "
                        f"the kernels take {_WORDS[kind]}, and nothing is converted silently")
    if view.shape not in shapes:
        wanted = " or ".join(str(s) for s in shapes)
        raise ValueError(f"{name} has the shape {view.shape}, not {wanted}")
    if not view.dense:
        raise ValueError(f"{name} is not contiguous (C order); pass a contiguous copy")
    raise ValueError(f"{name} is not aligned to the size of its numbers; pass a copy")


def _check_device(view, name, device):
    if view.device != device:
        raise ValueError(f"{name} is on {view.device}, but b is on {device}")


def _check_results(results, shapes, inputs):
    """Views of arrays that a call writes: on the device of b, and apart from all that it reads."""
    device, found = inputs["b"].device, {}
    for (name, array), shape in zip(results, shapes):
        view = found[name] = _check(array, name, "f8", (shape,))
        _check_device(view, name, device)
        if not view.writable:
            raise ValueError(f"{name} is read-only")
    last = 0
    for begin, end in sorted([(v.pointer, v.end()) for v in (*inputs.values(), *found.values())]):
        if begin < last:  # perhaps two that are only read
            _check_apart(found, inputs)
            break
        last = end
    return found


def _check_apart(results, inputs):
    taken = dict(inputs)
    for name, view in results.items():
        for other, its in taken.items():
            if view.pointer < its.end() and its.pointer < view.end():
                raise ValueError(f"{name} overlaps with {other} in memory; pass another array")
        taken[name] = view


def _copy(to, array, name, view, device):
    """Copies within a device; another library would not know the stream."""
    _check_device(view, name, device)
    if device != "host" and _Framework(to).module != _Framework(array).module:
        raise TypeError(f"{name} is a {type(array).__name__} of another library than x: pass an array of the "
                        "same one")
    to[...] = view.keep


class _Framework:
    """Makes arrays of the library of an array, on its device."""

    def __init__(self, array):
        self.torch = sys.modules.get("torch")
        self.is_torch = self.torch is not None and isinstance(array, self.torch.Tensor)
        self.like = array  # a tensor may be of a class of another package
        self.module = "torch" if self.is_torch else type(array).__module__.split(".")[0]

    def check(self, what):
        """Refuses libraries whose arrays cannot be made here."""
        if not (self.is_torch or self.module in ("cupy", "numpy")):
            raise TypeError(f"{what} makes arrays, which is possible with PyTorch, CuPy and NumPy, not with "
                            f"{self.module}: pass torch.as_tensor(a) or cupy.asarray(a) of each array a, "
                            "which copies nothing")

    def _numpy(self):
        return np if self.module == "numpy" else sys.modules["cupy"]

    def empty(self, shape, kind="f8"):
        if self.is_torch:
            types = {"f8": self.torch.float64, "i4": self.torch.int32}
            return self.torch.empty(shape, dtype=types[kind], device=self.like.device)
        return self._numpy().empty(shape, np.dtype(kind))

    def zeros(self, shape):
        if self.is_torch:
            return self.torch.zeros(shape, dtype=self.torch.float64, device=self.like.device)
        return self._numpy().zeros(shape)

    def words(self, verdicts):
        """The 12 words of each verdict as integers, in place."""
        return verdicts.view(self.torch.int32) if self.is_torch else verdicts.view(np.int32)


class _Streams:
    """The streams of a call, and what each waits for, on the device: the CPU waits for nothing.

    Memory is made, cleared and copied on the stream that is current in PyTorch or CuPy. A call on another
    one waits for it, and for the streams that wrote the arrays. Memory stays until the call is done: tensors
    are told of its stream; if there are other arrays, the streams that wrote them wait for it."""

    def __init__(self, frame, given, device, views):
        self.device, self.torch, self.cupy, self.raw = device, None, None, None
        if device != "host" and (frame.is_torch or frame.module != "cupy" and (
                _is_stream(given, "torch") or any(v.tensor for v in views.values()))):
            torch = sys.modules["torch"]
            self.torch = torch.cuda
            # its number only, in a twentieth of the time
            self.raw = getattr(getattr(torch, "_C", None), "_cuda_getCurrentRawStream", None)
        elif device != "host" and (frame.module == "cupy" or _is_stream(given, "cupy")):
            self.cupy = sys.modules["cupy"].cuda
        self.home = self.current()
        if given is not None:
            _number(given, device)  # refuses what is not a stream
        self.held = (given if given is not None else self.home if self.home is not None else
                     next((v.stream for v in views.values() if v.stream), 0))

    def current(self):
        """The current stream of PyTorch or CuPy, or its number; None for other arrays, and on the CPU."""
        if self.raw:
            return self.raw(int(self.device[5:])) or _LEGACY
        return (self.torch.current_stream(self.device) if self.torch else
                self.cupy.get_current_stream() if self.cupy else None)

    def number(self, stream):
        return stream if isinstance(stream, int) and stream else _number(stream, self.device)

    def _object(self, stream):
        """The stream, of any library, or its number, as a stream of PyTorch or CuPy; None if there is none."""
        number = self.number(stream)
        if self.torch and not _is_stream(stream, "torch"):
            return (self.torch.default_stream(self.device) if number == _LEGACY else
                    self.torch.ExternalStream(number, device=self.device) if number > 2 else None)
        if self.cupy and not _is_stream(stream, "cupy"):
            return (self.cupy.Stream.null if number == _LEGACY else
                    self.cupy.Stream.ptds if number == 2 else self.cupy.ExternalStream(number))
        return stream if self.torch or self.cupy else None

    def _wait(self, stream, other, name):
        """The stream waits for what the other one holds now."""
        mine, theirs = self._object(stream), self._object(other)
        if mine is None or theirs is None:
            raise ValueError(f"{name} was written on stream {self.number(other)}, but the call runs on stream "
                             f"{self.number(stream)}, and nothing here can make one wait for the other: write "
                             "all arrays on one stream, or pass a stream of PyTorch or CuPy as stream=")
        if self.torch:
            mine.wait_stream(theirs)
        else:
            mine.wait_event(theirs.record())

    def captures(self, stream):
        """Returns true if a CUDA graph captures the stream: never the default one, of which CUDA would give an error
        while another is captured."""
        if self.number(stream) == _LEGACY:
            return False
        if self.cupy:
            return self._object(stream).is_capturing()
        if not self.torch:
            return False
        with self.torch.stream(self._object(stream)):
            return self.torch.is_current_stream_capturing()

    def follow(self, stream):
        """The current stream waits for that of an earlier call, unless a CUDA graph captures only one of them: the
        caller then orders what he replays."""
        now = self.current()
        if now is not None and self.number(now) != self.number(stream) and \
                self.captures(now) == self.captures(stream):
            self._wait(now, stream, "x")

    def begin(self, stream, views, now):
        """The stream waits for the current one and the others that wrote the arrays; returns these."""
        if self.torch and now == stream and all([v.tensor for v in views.values()]):
            return []
        others = {}
        if now is not None:
            others[self.number(now)] = now, "b"
        for name, view in views.items():
            if view.stream:
                others.setdefault(view.stream, (view.stream, name))
            elif view.tensor and self.cupy:
                now = sys.modules["torch"].cuda.current_stream(self.device)
                others.setdefault(self.number(now), (now, name))
        others.pop(self.number(stream), None)
        for other, name in others.values():
            self._wait(stream, other, name)
        return [other for other, _ in others.values()]

    def end(self, stream, views, others):
        if self.torch and all([v.tensor for v in views.values()]):
            if self.number(stream) != self.number(self.home):
                for view in views.values():
                    view.keep.record_stream(self._object(stream))
                if self.captures(stream):  # a capture must not end before what it forks is joined
                    self.follow(stream)
        else:
            waiting = {self.number(o): o for o in (*others, self.home) if o is not None}
            waiting.pop(self.number(stream), None)
            for other in waiting.values():
                if self.captures(other) == self.captures(stream):
                    self._wait(other, stream, "x")


class Queued:
    """A batch in flight on a device. Nothing here waits for it unless it says so.

    x, y        (k, n) float64, on the device; to read them here makes the current stream wait for the batch
    verdicts    (k, 6) float64: the words of every verdict, given by the kernel
    residual, scale, outcome, error, iterations    of each problem: views of verdicts
    solved      of each problem, an array of bools on the device

    A CUDA graph that has captured the batch needs this object as long as it is replayed.

    raise_if_unsolved()   waits; raises perp.NotSolved for the first problem that is not solved
    status()              waits; the words, for example 'solved', as NumPy's
    vjp(w)                queues the gradients of w'x"""

    def __init__(self, call, x, y, verdicts):
        self._call, self._arrays = call, (x, y, verdicts)

    def _array(k):
        def read(self):
            self._call.streams.follow(self._call.held)
            return self._arrays[k]
        return property(read)

    x, y, verdicts = _array(0), _array(1), _array(2)
    del _array

    @property
    def residual(self):
        return self.verdicts[:, 0]

    @property
    def scale(self):
        return self.verdicts[:, 1]

    def _word(k):
        return property(lambda self: self._call.frame.words(self.verdicts)[:, k])

    iterations, outcome, error = _word(7), _word(10), _word(11)
    del _word

    @property
    def solved(self):
        return self.outcome == _SOLVED

    def __len__(self):
        return self._call.sizes[0]

    def _fetch(self):
        """The verdicts as bytes; waits."""
        self._call.wait()
        v = self.verdicts
        return np.ascontiguousarray(v.cpu().numpy() if hasattr(v, "cpu") else
                                    v.get() if hasattr(v, "get") else np.asarray(v))

    def status(self):
        return _NAMES[self._fetch().view(np.int32)[:, 10]]

    def raise_if_unsolved(self):
        words = self._fetch()
        outcome = words.view(np.int32)[:, 10]
        bad = np.flatnonzero(outcome != _SOLVED)
        if bad.size:
            first, call = int(bad[0]), self._call
            text = _perp.verdict_text(words[first].tobytes(), call.method, call.worlds, call.sizes[1])
            error = _perp.NotSolved(f"{bad.size} of {len(outcome)} problems are not solved; "
                                    f"problem {first}: {text}")
            error.result = self
            raise error
        return self

    def vjp(self, w, wrt=None, *, near=1e-9, degenerate="hold", unsolved="nan"):
        """Queues the gradients of w'x: a dict of arrays on the device, one row for each problem.

        wrt         a name or several: b, lo, hi, A of a dense batch; b, lo, hi or mu, J, Minv, C of worlds;
                    default: all. With one A, lo, ... for all, the gradient is still that of each
                    problem: sum it.
        degenerate  the side of a row at which two laws meet: 'hold' or 'release'
        unsolved    'nan', or 'zero': the gradient of a problem that is not solved

        error (k,) is the relative error of each linear system, degenerate (k,) counts the rows. The arrays
        of the batch, and its results, are read as they are now: call it before anything else writes there."""
        return self._call.vjp(self, w, wrt, near, degenerate, unsolved)


class _Call:
    """One queued batch: its arrays, which live as long as this, and where they are."""

    def __init__(self, views, sizes, cfm, method, out, device, stream, single):
        first = views["b"]
        place = first.device
        for name, view in views.items():
            if view.device != place:
                _check_device(view, name, place)
        self.frame = _Framework(first.keep)
        self.sizes, self.cfm = (*sizes, int(single)), float(cfm)
        self.method, self.views = method, views
        self.worlds, self.cones = "body" in views, "mu" in views
        self.pointers = tuple([views[name].pointer if name in views else 0 for name in _ARRAYS])
        self.device = Device.of(first.device if device is None else device)
        if self.device.name != first.device:
            raise ValueError(f"b is on {first.device}, not on {self.device.name}")
        self.streams = _Streams(self.frame, stream, first.device, self.views)
        self.held = self.streams.held
        self.stream = self.streams.number(self.held)
        self.kept = []  # memory of kernels, which a CUDA graph uses at every replay

    def solve(self, x0, out, after, options):
        k, n = self.sizes[:2]
        if out is None:
            self.frame.check("a call without out=(x, y, verdicts)")
            x = self.frame.zeros((k, n)) if x0 is None else self.frame.empty((k, n))
            y, verdicts = self.frame.empty((k, n)), self.frame.empty((k, 6))
        else:
            x, y, verdicts = out
        views = _check_results((("out[0]", x), ("out[1]", y), ("out[2]", verdicts)), ((k, n), (k, n), (k, 6)),
                               self.views)
        at = [view.pointer for view in views.values()] + [0]
        if x0 is not None:
            if self.device.name != "host":
                self.frame.check("x0")
            _copy(x, x0, "x0", _check(x0, "x0", "f8", [(k, n)]), self.device.name)
        if after is not None:
            last = _check(after.verdicts, "after", "f8", [(k, 6)])
        if after is not None and self.device.name != "host":
            self.frame.check("after")
            if after.verdicts is not verdicts:
                _copy(verdicts, after.verdicts, "after", last, self.device.name)
            self.kept.append(self.frame.empty((k,), "i4"))
            views["order"] = _View(self.kept[-1], "order")
            at[3] = views["order"].pointer
        views.update(self.views)
        others = self.streams.begin(self.held, views, self.streams.home)
        with self.device._lock:
            _perp.queue_solve(self.device._handle, self.stream, self.sizes, self.pointers, self.cfm,
                              tuple(at), **{"method": self.method, "threads": self.threads(), **options})
        for view in self.views.values():  # what takes time comes when the kernels run
            view.hold()
        self.streams.end(self.held, views, others)
        self.method = self.method or ("blockpivot" if not self.worlds else
                                      "bgs" if self.cones else "coloured")
        return Queued(self, x, y, verdicts)

    def threads(self):
        """Of the device 'host'; few rows are not worth the start of threads."""
        return _cores() if self.device.name == "host" and self.sizes[0] * self.sizes[1] > 4096 else 1

    def wait(self):
        with self.device._lock:
            _perp.wait_device(self.device._handle, self.stream)

    def parts(self):
        if not self.worlds:
            return ("b", "lo", "hi", "A")
        return ("b", "mu", "J", "Minv", "C") if self.cones else \
            ("b", "lo", "hi", "J", "Minv", "C")

    def vjp(self, of, w, wrt, near, degenerate, unsolved):
        k, n, bodies, freedom = self.sizes[:4]
        if degenerate not in ("hold", "release") or unsolved not in ("nan", "zero"):
            raise ValueError(f"degenerate = {degenerate!r}: 'hold' or 'release'; "
                             f"unsolved = {unsolved!r}: 'nan' or 'zero'")
        wrt = self.parts() if wrt is None else (wrt,) if isinstance(wrt, str) else tuple(wrt)
        unknown = [name for name in wrt if name not in self.parts()]
        if unknown:
            raise ValueError(f"wrt: this batch has no {unknown[0]!r}, but {', '.join(self.parts())}")
        self.frame.check("vjp")
        w = _check(w, "w", "f8", [(k, n)])
        _check_device(w, "w", self.device.name)
        now = self.streams.current()
        run = self.held if now is None else now
        shapes = {"b": (k, n), "lo": (k, n), "hi": (k, n), "mu": (k, n // 3), "A": (k, n, n),
                  "J": (k, n, 2, freedom), "Minv": (k, bodies, freedom, freedom), "C": (k, n)}
        found = {name: self.frame.empty(shapes[name]) for name in wrt}
        found["error"], found["degenerate"] = self.frame.empty((k,)), self.frame.empty((k,), "i4")
        order = ("b", "lo", "hi", "mu", "A", "J", "Minv", "C", "error", "degenerate", "workspace")
        batch = (self.device._handle, self.streams.number(run), self.sizes, self.pointers, self.cfm)
        with self.device._lock:
            room = self.frame.empty((_perp.vjp_bytes(*batch) // 8,))  # of this call, for large worlds
        if room.shape[0] and self.streams.captures(run):
            self.kept.append(room)
        views = {name: _View(array, name) for name, array in (*found.items(), ("workspace", room))}
        at = tuple(views[name].pointer if name in views else 0 for name in order)
        given = {"x": _View(of.x, "x"), "y": _View(of.y, "y"), "verdicts": _View(of.verdicts, "x"), "w": w}
        solution = tuple(view.pointer for view in given.values())
        views = {**given, **{"the gradient of " + name: view for name, view in views.items()}}
        others = self.streams.begin(run, views, now)  # the solve has waited for its arrays
        with self.device._lock:
            _perp.queue_vjp(*batch, solution, at, near, degenerate == "release", unsolved == "zero",
                            self.threads())
        self.streams.end(run, {**self.views, **views}, others)
        return found


def _is_stream(stream, library):
    """Returns true if it is a stream of this library. Warp's have the attributes of PyTorch's, but wait for Warp's."""
    cuda = getattr(sys.modules.get(library), "cuda", None)
    return cuda is not None and isinstance(stream, (cuda.Stream, cuda.ExternalStream))


def _number(stream, device):
    """The address of a stream of a library, which the caller holds; of CUDA's own, 0 to 2, itself.

    Any other number is refused: if no stream is there (any more), CUDA may end the process."""
    default = 0 if device == "host" else _LEGACY
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name)) or default
    if device != "host" and int(stream) not in (0, 1, 2):
        raise ValueError(f"stream = {stream}: it is not known that this is a stream of this device; pass "
                         f"the stream of PyTorch or CuPy itself, or torch.cuda.ExternalStream({stream})")
    return int(stream) or default


def _set(names, k, n, given):
    """Returns views of the arrays of K, and True if all problems share them."""
    if all(given[name] is None for name in names):
        return {}, False
    shapes = {"lo": ((k, n), (n,)), "hi": ((k, n), (n,)), "findex": ((k, n), (n,)),
              "mu": ((k, n // 3), (n // 3,))}
    views = {name: _check(given[name], name, "i4" if name == "findex" else "f8", shapes[name])
             for name in names if given[name] is not None}
    single = {name: len(v.shape) == 1 for name, v in views.items()}
    if len(set(single.values())) > 1:
        raise ValueError("one of " + ", ".join(single) + " is given for each problem and another for "
                         "all: give all of them in the same way")
    return views, any(single.values())


_ARRAYS = ("A", "b", "lo", "hi", "findex", "mu", "body", "J", "Minv", "C")


def queue_batch(A, b, lo=None, hi=None, x0=None, *, out=None, device=None, stream=None,
                method=None, raise_if_unsolved=False, **options):
    """Queues k dense problems of n <= 96 unknowns on the device that holds their arrays.

    A        (k, n, n), or (n, n) for all; float64, contiguous, like all arrays
    b        (k, n)
    lo, hi   bounds, (k, n), or (n,) for all
    x0       starts, (k, n); default 0
    out      (x, y, verdicts), written to; default: new arrays of the same library
    stream   a stream of PyTorch, CuPy or Warp, or 0, 1, 2: CUDA's own (2 not with tensors). It waits for the
             current stream and for every stream that wrote an array; leave them as they are until it has
             passed. Default: the current one, or that of the array's interface

    Arrays are tensors of PyTorch, or have __cuda_array_interface__; on the CPU also
    __array_interface__ or __dlpack__, for the device 'host'. Nothing is copied, converted or waited
    for, and a CUDA graph can capture the call. Returns a Queued. tol, max_iterations and parameters
    of the method (blockpivot) are as in perp.solve_lcp. raise_if_unsolved=True waits."""
    for name in ("findex", "mu"):
        if name in options:
            raise TypeError(f"{name} is for contact worlds: queue_worlds or perp.torch.contact")
    b = _check_rows(b)
    k, n = b.shape
    A = _check(A, "A", "f8", [(k, n, n), (n, n)])
    K, same = _set(("lo", "hi"), k, n, {"lo": lo, "hi": hi})
    arrays = {"A": A, "b": b, **K}
    sizes = (k, n, 0, 6, 1, int(len(A.shape) == 2), int(same))
    return _queue(arrays, sizes, 0, method, x0, out, device, stream, False, raise_if_unsolved,
                  options)


def queue_worlds(body, J, Minv, b, *, mu=None, lo=None, hi=None, findex=None, C=None, cfm=0.0,
                 x0=None, out=None, device=None, stream=None, method=None, precision="double",
                 after=None, raise_if_unsolved=False, **options):
    """Queues k contact worlds, A = J Minv J' + C, on the device that holds their arrays.

    body     (k, contacts, 2) int32: the bodies of each contact, -1 for what never moves
    J        (k, n, 2, f): the rows of each contact for its two bodies; f = 6 or 3 velocities
    Minv     (k, bodies, f, f)
    b        (k, n)
    mu       (k, n / 3), or (n / 3,): Coulomb cones (n, t, o) in all rows, by the method bgs; or
    lo, hi, findex   (k, n) or (n,): bounds and friction index (int32), by the method coloured
    C, cfm   the diagonal of C, (k, n), or one number
    precision  'single': sweeps in single precision, corrected in double; without mu it needs omega
    after    the Queued of the last step: worlds that took the most sweeps there begin first, which is
             faster on a GPU; x does not depend on it

    All worlds have the same number of rows and bodies: fill up with rows of the bodies (-1, -1),
    C = 1 and b > 0, whose x is 0; b no larger than the world's own, since tol is relative to the
    largest |b|. The rest is as in queue_batch."""
    b = _check_rows(b)
    k, n = b.shape
    body = _View(body, "body")
    contacts = body.shape[1] if len(body.shape) == 3 else 0
    body = _check(body, "body", "i4", [(k, max(contacts, 1), 2)])
    if n % contacts:
        raise ValueError(f"body has {contacts} contacts, and {n} rows are not a multiple of that")
    Minv = _View(Minv, "Minv")
    bodies, f = (Minv.shape[1], Minv.shape[2]) if len(Minv.shape) == 4 else (0, 6)
    Minv = _check(Minv, "Minv", "f8", [(k, bodies, f, f)])
    J = _check(J, "J", "f8", [(k, n, 2, f), (k, n, 2 * f)])
    if mu is not None and not (lo is None and hi is None and findex is None):
        raise ValueError("mu is for cones in all rows; lo, hi and findex are for problems without mu")
    if precision not in ("double", "single"):
        raise ValueError(f"precision = {precision!r}: 'double' or 'single'")
    K, same = _set(("lo", "hi", "findex", "mu"), k, n,
                   {"lo": lo, "hi": hi, "findex": findex, "mu": mu})
    arrays = {"b": b, "body": body, "J": J, "Minv": Minv, **K}
    if C is not None:
        arrays["C"] = _check(C, "C", "f8", [(k, n)])
    sizes = (k, n, bodies, f, n // contacts, 0, int(same))
    return _queue(arrays, sizes, cfm, method, x0, out, device, stream, precision == "single",
                  raise_if_unsolved, options, after)


class GridResult(NamedTuple):
    """The result of solve_grid; x and y are on the device."""

    x: Any
    y: Any
    status: str
    success: bool
    residual: float
    relative_residual: float
    cycles: int
    message: str


def solve_grid(grid, b, lo=None, hi=None, x0=None, *, out=None, device=None, stream=None, **options):
    """Solves one problem on a perp.Grid by mg on the device that holds its arrays.

    b, lo, hi, x0   (n,) float64, contiguous, n the unknowns of the grid; bounds 0 and infinity if None
    out             (x, y), written to; default: new arrays of the same library

    Nothing is copied, but the call waits for the result, since the CPU counts the cycles; the grid
    stays on the device for the next call. Takes the options and parameters of the method mg. The
    kernels give the verdict. Returns a GridResult; strict=True raises perp.NotSolved."""
    strict, n = options.pop("strict", False), grid.shape[0]
    given = {"b": b, "lo": lo, "hi": hi}
    views = {name: None if v is None else _check(v, name, "f8", [(n,)]) for name, v in given.items()}
    for name, view in views.items():
        if view is not None:
            _check_device(view, name, views["b"].device)
    frame = _Framework(views["b"].keep)
    if out is None:
        frame.check("a call without out=(x, y)")
    x, y = (frame.zeros((n,)), frame.empty((n,))) if out is None else out
    given = {name: view for name, view in views.items() if view is not None}
    results = _check_results((("out[0]", x), ("out[1]", y)), 2 * ((n,),), given)
    if x0 is not None:
        if views["b"].device != "host":
            frame.check("x0")
        _copy(x, x0, "x0", _check(x0, "x0", "f8", [(n,)]), views["b"].device)
    where = Device.of(views["b"].device if device is None else device)
    if where.name != views["b"].device:
        raise ValueError(f"b is on {views['b'].device}, not on {where.name}")
    at = tuple(0 if view is None else view.pointer for view in (*views.values(), *results.values()))
    written = {**given, **results}
    streams = _Streams(frame, stream, where.name, written)
    streams.begin(streams.held, written, streams.home)
    with where._lock:
        status, *rest = _perp.solve_there(where._handle, streams.number(streams.held), grid, at, **options)
    result = GridResult(x, y, status, status == "solved", *rest)
    if strict and not result.success:
        error = _perp.NotSolved(result.message)
        error.result = result
        raise error
    return result


def _check_rows(b):
    view = _View(b, "b")
    if len(view.shape) != 2 or (view.shape[0] and not view.shape[1]):
        raise ValueError(f"b has the shape {view.shape}, not (k, n)")
    return _check(view, "b", "f8", [view.shape])


def _queue(arrays, sizes, cfm, method, x0, out, device, stream, single, strict, options,
           after=None):
    call = _Call({name: arrays[name] for name in _ARRAYS if name in arrays}, sizes, cfm, method, out, device,
                 stream, single)
    queued = call.solve(x0, out, after, options)
    return queued.raise_if_unsolved() if strict else queued
