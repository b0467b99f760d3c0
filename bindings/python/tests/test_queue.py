"""perp.queue_batch and its siblings with arrays that say they are on a GPU: what is refused, and the order of
the work on the streams. Nothing here needs a GPU or PyTorch: fakes take their place."""

import numpy as np
import pytest

import perp
from perp import _queue


class Elsewhere:
    """An array that says it is on a GPU; its memory is NumPy's."""

    def __init__(self, of, **facts):
        self.of = of
        self.__cuda_array_interface__ = {**of.__array_interface__, **facts}


def read_only(shape):
    a = np.zeros(shape)
    a.flags.writeable = False
    return a


def test_read_only_arrays_of_a_device():
    b, shapes = _queue._View(Elsewhere(np.zeros((2, 3))), "b"), [(2, 3)]
    assert b.device == "cuda:0" and b.writable
    for name, make in (("out[0]", Elsewhere), ("out[1]", lambda a: a)):
        inputs = {"b": b if make is Elsewhere else _queue._View(np.zeros((2, 3)), "b")}
        writable = make(np.zeros((2, 3)))
        assert len(_queue._check_results([(name, writable)], shapes, inputs)) == 1
        with pytest.raises(ValueError, match=rf"{name[:3]}\[{name[4]}\] is read-only"):
            _queue._check_results([(name, make(read_only((2, 3))))], shapes, inputs)


class Foreign:
    """An array of another library on the CPU."""

    def __init__(self, of):
        self.of, self.__array_interface__ = of, of.__array_interface__


def test_starts_with_foreign_arrays_on_the_cpu():
    """Nothing has to be made for x0 if out is given."""
    n, start = 3, np.array([[2.0, 0.0, 0.0]])
    A, b = np.eye(n)[None], np.array([[-2.0, -1.0, 1.0]])
    grid, d = perp.Grid((2, 2)), np.array([1.0, -1.0, -1.0, 1.0])
    for kind in (Foreign, np.asarray):
        out = [np.full(s, 9.0) for s in ((1, n), (1, n), (1, 6))]
        q = perp.queue_batch(A, kind(b), x0=kind(start), out=out)
        assert q.x is out[0] and (out[0] == [[2, 1, 0]]).all() and q.status() == "solved"
        x = np.full(4, 9.0)
        r = perp.solve_grid(grid, kind(d), x0=kind(np.zeros(4)), out=(x, np.zeros(4)))
        assert r.success and r.x is x and (x >= 0).all() and (x < 9).all()


class Gpu:
    """Streams whose work runs late: everything on one stream before the next begins, as far as waits allow it."""

    def __init__(self):
        self.work, self.now, self.capturing, self.current = {}, 0, set(), 7

    def add(self, stream, run, after=None):
        self.work.setdefault(stream, []).append((run, after))

    def wait(self, stream, other):
        if stream != other:
            assert (stream in self.capturing) <= (other in self.capturing) or stream not in self.capturing, \
                "a capture cannot wait for work outside of it"
            if other in self.capturing:
                self.capturing.add(stream)
            self.add(stream, None, (other, len(self.work.get(other, []))))

    def captures(self, stream):
        assert stream != 1 or not self.capturing, "CUDA refuses the question for the default stream during a capture"
        return stream in self.capturing

    def run(self, order):
        """Runs all, with the streams in this order: the first goes as far as it can."""
        done = dict.fromkeys(self.work, 0)
        while any(done[s] < len(w) for s, w in self.work.items()):
            for stream in sorted(self.work, key=order.index):
                if done[stream] < len(self.work[stream]):
                    run, after = self.work[stream][done[stream]]
                    if after is None or done.get(after[0], 0) >= after[1]:
                        done[stream] += 1
                        if run:
                            run()
                        break
            else:
                raise AssertionError("streams wait for each other")
        self.work = {}


class Stream:
    def __init__(self, gpu, number):
        self.gpu, self.own = gpu, number
        setattr(self, self.name, 0 if number == 1 else number)

    def __enter__(self):
        self.before, self.gpu.current = self.gpu.current, self.own

    def __exit__(self, *_):
        self.gpu.current = self.before


class TorchStream(Stream):
    name = "cuda_stream"

    def wait_stream(self, other):
        assert isinstance(other, TorchStream)
        self.gpu.wait(self.own, other.own)


class CupyStream(Stream):
    name = "ptr"

    def wait_event(self, event):
        self.gpu.wait(self.own, event)

    def record(self):
        return self.own

    def is_capturing(self):
        return self.gpu.captures(self.own)


class WarpStream(Stream):
    name = "cuda_stream"

    def wait_stream(self, other):
        raise AssertionError("Warp waits for streams of Warp only")


class Array:
    """An array of a fake library: its numbers change when the stream that holds the change runs."""

    def __init__(self, gpu, numbers):
        self.gpu, self.numbers, self.recorded = gpu, np.ascontiguousarray(numbers), []
        self.shape, self.requires_grad, self.layout = self.numbers.shape, False, "strided"
        self.dtype = {"f8": "torch.float64", "i4": "torch.int32"}[self.numbers.dtype.str[1:]]
        self.device = type("Where", (), {"type": "cuda", "index": 0, "id": 0})()
        gpu.arrays[self.data_ptr()] = self

    def data_ptr(self):
        return self.numbers.__array_interface__["data"][0]

    def is_contiguous(self):
        return True

    def is_neg(self):
        return False

    def detach(self):
        return self

    def record_stream(self, stream):
        self.recorded.append(stream.own)

    def __setitem__(self, _, other):
        self.gpu.add(self.gpu.current, lambda: self.numbers.__setitem__(..., other.numbers))


class Tensor(Array):
    pass


class TensorOfAnother(Tensor):
    __module__ = "another.package"


class CupyArray(Array):
    __module__ = "cupy._core.core"
    stream = None

    @property
    def __cuda_array_interface__(self):
        return {**self.numbers.__array_interface__, "stream": self.stream or self.gpu.current}


class NumbaArray(CupyArray):
    __module__ = "numba.cuda.cudadrv.devicearray"

    @property
    def __cuda_array_interface__(self):
        return {**self.numbers.__array_interface__, "stream": self.stream}


def library(gpu, kind):
    """Fakes of torch and cupy: arrays are made at once and cleared on the current stream."""
    stream = TorchStream if kind is Tensor else CupyStream
    external = type("ExternalStream", (stream,), {
        "__init__": lambda self, number, device=None: stream.__init__(self, gpu, number)})

    def make(clear):
        def made(shape, dtype="f8", device=None):
            a = kind(gpu, np.full(shape, 9, np.dtype("i4" if str(dtype) == "int32" else "f8")))
            if clear:
                gpu.add(gpu.current, lambda: a.numbers.fill(0))
            return a
        return made

    cuda = type("cuda", (), {
        "current_stream": lambda device=None: stream(gpu, gpu.current),
        "get_current_stream": lambda: stream(gpu, gpu.current),
        "default_stream": lambda device=None: stream(gpu, 1),
        "Stream": stream, "ExternalStream": external,
        "stream": lambda stream: stream,
        "is_current_stream_capturing": lambda: gpu.captures(gpu.current)})
    if kind is not Tensor:
        stream.null, stream.ptds = stream(gpu, 1), stream(gpu, 2)
    return type("library", (), {"Tensor": Tensor, "strided": "strided", "float64": "float64", "int32": "int32",
                                "is_grad_enabled": lambda: True, "zeros": make(True), "empty": make(False),
                                "cuda": cuda})


class Library:
    """The extension: kernels that read and write when their stream comes to them."""

    def __init__(self, gpu):
        self.gpu, self.solves, self.gradients, self.rooms = gpu, [], [], []

    def queue_solve(self, handle, stream, sizes, arrays, cfm, results, **options):
        b, read = (self.gpu.arrays[p].numbers for p in (arrays[1], arrays[0] or arrays[7]))
        x, y, verdicts = (self.gpu.arrays[p].numbers for p in results[:3])
        self.solves.append(stream)

        def run():
            assert results[3] == 0 or (verdicts == 5).all(), "the verdicts of the last call"
            x.__iadd__(b)  # wrong, unless x is the start and b is there
            y[...], verdicts[...] = read.reshape(K, -1)[:, :N], 1
        self.gpu.add(stream, run)

    def solve_there(self, handle, stream, grid, at, **options):
        b, x = self.gpu.arrays[at[0]].numbers, self.gpu.arrays[at[3]].numbers
        self.gpu.add(stream, lambda: x.__iadd__(b))
        return "solved", 0.0, 0.0, 1, ""

    def vjp_bytes(self, *batch):
        return 8 * K

    def queue_vjp(self, handle, stream, sizes, arrays, cfm, solution, gradients, *_):
        x, w = (self.gpu.arrays[solution[k]].numbers for k in (0, 3))
        g, room = (self.gpu.arrays[gradients[k]].numbers for k in (0, 10))
        assert room.shape == (K,) and all(room is not r for r in self.rooms)
        self.gradients.append(stream)
        self.rooms.append(room)  # held here: the memory of each call is its own
        self.gpu.add(stream, lambda: g.__setitem__(..., 10 * x + w))


class FakeDevice:
    name, _handle, _lock = "cuda:0", None, _queue.Device.of("host")._lock


@pytest.fixture
def gpu(monkeypatch):
    found = Gpu()
    found.arrays, found.library = {}, Library(found)
    monkeypatch.setattr(_queue, "_perp", found.library)
    monkeypatch.setattr(_queue, "Device", type("Devices", (), {"of": staticmethod(lambda _: FakeDevice)}))
    monkeypatch.setitem(_queue.sys.modules, "torch", library(found, Tensor))
    monkeypatch.setitem(_queue.sys.modules, "cupy", library(found, CupyArray))
    return found


K, N, CURRENT, GIVEN = 2, 3, 7, 8
ORDERS = [[7, 8, 9, 1], [8, 9, 7, 1], [9, 8, 1, 7], [1, 9, 8, 7]]
orders = pytest.mark.parametrize("order", ORDERS)
kinds = pytest.mark.parametrize("kind", [Tensor, CupyArray])


def late(gpu, kind, numbers, stream=CURRENT):
    """An array whose numbers are written by the stream, not yet."""
    a = kind(gpu, np.full_like(numbers, 99))
    if kind is not Tensor:
        a.stream = stream if stream != CURRENT or kind is NumbaArray else None
    gpu.add(stream, lambda: a.numbers.__setitem__(..., numbers))
    return a


def problem(gpu, kind, stream=CURRENT):
    return late(gpu, kind, np.ones((K, N, N)), stream), late(gpu, kind, np.full((K, N), 3.0), stream)


def world(gpu, kind):
    body = late(gpu, kind, np.zeros((K, 1, 2), np.int32))
    return [body] + [late(gpu, kind, np.full(s, 3.0)) for s in ((K, N, 2, 6), (K, 1, 6, 6), (K, N))]


def given(gpu, kind, number=GIVEN):
    return (TorchStream if kind is Tensor else CupyStream)(gpu, number)


@kinds
@orders
@pytest.mark.parametrize("start", ["zeros", "x0", "out", "after"])
def test_a_given_stream_waits(gpu, kind, order, start):
    """For the memset or the copy of x, the copy of verdicts, and the data: the kernel comes last."""
    data, options, x = problem(gpu, kind), {}, 0
    if start == "x0":
        options["x0"], x = late(gpu, kind, np.full((K, N), 20.0)), 20
    if start == "out":
        options["out"] = [late(gpu, kind, np.full(s, 40.0)) for s in ((K, N), (K, N), (K, 6))]
        x = 40
    if start == "after":
        data = world(gpu, kind)
        options["after"] = type("Last", (), {"verdicts": late(gpu, kind, np.full((K, 6), 5.0))})
    queue = _queue.queue_worlds if start == "after" else _queue.queue_batch
    q = queue(*data, stream=given(gpu, kind), **options)
    assert gpu.library.solves == [GIVEN]
    gpu.run(order)
    assert (q._arrays[0].numbers == x + 3).all() and (q._arrays[2].numbers == 1).all()
    if kind is Tensor:  # the memory stays until that stream has passed
        assert all(a.recorded == [GIVEN] for a in (*data, *q._arrays))


@kinds
@orders
@pytest.mark.parametrize("start", [0, 20])
def test_a_grid_on_a_given_stream(gpu, kind, order, start):
    b = late(gpu, kind, np.full(N, 3.0))
    x0 = late(gpu, kind, np.full(N, float(start))) if start else None
    grid = type("Grid", (), {"shape": (N, N)})
    r = _queue.solve_grid(grid, b, x0=x0, stream=given(gpu, kind))
    gpu.run(order)
    assert (r.x.numbers == start + 3).all()


@kinds
@orders
def test_what_is_read_waits(gpu, kind, order):
    """A read makes the current stream wait; nothing waits if all is on one stream."""
    A, b = problem(gpu, kind)
    q = _queue.queue_batch(A, b, stream=given(gpu, kind))
    seen, x = [], q.x
    gpu.add(gpu.current, lambda: seen.append(x.numbers.copy()))
    gpu.run(order)
    assert (seen[0] == 3).all()
    q = _queue.queue_batch(A, b)
    assert q.x is not None and gpu.library.solves[-1] == CURRENT and set(gpu.work) == {CURRENT}
    if kind is Tensor:
        assert all(not a.recorded for a in q._arrays)


@kinds
@orders
def test_gradients_wait(gpu, kind, order):
    """vjp runs on the current stream, after the batch, after w, and before what reads the gradient."""
    A, b = problem(gpu, kind)
    q = _queue.queue_batch(A, b, stream=given(gpu, kind))
    with given(gpu, kind, 9):
        w = late(gpu, kind, np.full((K, N), 2.0), 9)
        g = q.vjp(w, ["b"])["b"]
        seen = []
        gpu.add(9, lambda: seen.append(g.numbers.copy()))
    gpu.run(order)
    assert gpu.library.gradients == [9] and (seen[0] == 32).all()
    if kind is Tensor:
        assert all(9 in a.recorded for a in (A, b, w, g, *q._arrays))


@kinds
def test_memory_of_cupy_is_not_used_again_too_soon(gpu, kind):
    """CuPy is not told of streams: what follows on the current one waits. PyTorch's goes on."""
    A, b = problem(gpu, kind)
    q = _queue.queue_batch(A, b, stream=given(gpu, kind))
    x, seen = q._arrays[0], []
    gpu.add(gpu.current, lambda: seen.append(x.numbers.copy()))
    gpu.run([CURRENT, GIVEN, 1])
    assert (seen[0] == (3 if kind is CupyArray else 0)).all()


@kinds
def test_captures(gpu, kind):
    """A captured call joins in what it forks, and cannot wait for an earlier call."""
    A, b = problem(gpu, kind)
    before = _queue.queue_batch(A, b)
    gpu.run([CURRENT, 1])
    gpu.capturing = {9}
    with given(gpu, kind, 9):
        forked = _queue.queue_batch(A, b, stream=given(gpu, kind))
        assert forked.x is not None and before.x is not None
        before.vjp(late(gpu, kind, np.ones((K, N)), 9), ["b"])
    assert gpu.library.solves == [CURRENT, GIVEN] and gpu.library.gradients == [9]
    assert [a.numbers is gpu.library.rooms[0] for a in before._call.kept] == [True]  # for its replays
    assert gpu.capturing == {8, 9}


@kinds
def test_a_capture_joins_what_nobody_reads(gpu, kind):
    A, b = problem(gpu, kind)
    gpu.run([CURRENT])
    gpu.capturing = {9}
    with given(gpu, kind, 9):
        _queue.queue_batch(A, b, stream=given(gpu, kind))
    joined = [after for _, after in gpu.work[9] if after]
    assert gpu.library.solves == [GIVEN] and joined == [(GIVEN, len(gpu.work[GIVEN]))]


@kinds
def test_the_default_stream_while_another_is_captured(gpu, kind):
    A, b = problem(gpu, kind)
    gpu.capturing, gpu.current = {9}, 1
    with given(gpu, kind, 9):
        q = _queue.queue_batch(A, b)
    assert q.x is not None and 1 not in gpu.work and gpu.capturing == {9}


@orders
@pytest.mark.parametrize("stream", [None, GIVEN])
def test_streams_that_wrote_the_arrays(gpu, order, stream):
    """All are waited for, whatever library wrote them."""
    for kind, other in ((Tensor, CupyArray), (CupyArray, Tensor), (Tensor, NumbaArray), (CupyArray, NumbaArray)):
        b = problem(gpu, kind)[1]
        foreign = 9 if other is not Tensor else CURRENT
        A = late(gpu, other, np.full((K, N, N), 2.0), foreign)
        q = _queue.queue_batch(A, b, stream=None if stream is None else given(gpu, kind))
        gpu.run(order)
        assert (q._arrays[0].numbers == 3).all() and (q._arrays[1].numbers == 2).all()


@orders
def test_arrays_of_other_libraries(gpu, order):
    """They run on their own stream; on several only if PyTorch or CuPy can make one wait for the other."""
    def arrays(*streams):
        return [late(gpu, NumbaArray, np.full(s, 3.0), stream) for s, stream in
                zip(((K, N, N), (K, N), (K, N), (K, N), (K, 6)), streams)]

    A, b, *out = arrays(9, 9, 9, 9, 9)
    _queue.queue_batch(A, b, out=out)
    assert gpu.library.solves == [9]
    gpu.run(order)
    assert (out[0].numbers == 6).all()
    for streams, text in (((8, 9, 8, 8, 8), "b was written on stream 9, but the call runs on stream 8"),
                          ((9, 9, 8, 9, 9), r"out\[0\] was written on stream 8, but the call runs on stream 9")):
        A, b, *out = arrays(*streams)
        with pytest.raises(ValueError, match=text):
            _queue.queue_batch(A, b, out=out)
        with pytest.raises(ValueError, match="was written on stream"):
            _queue.queue_batch(A, b, out=out, stream=1)
        gpu.work = {}
    for kind in (Tensor, CupyArray):
        A, b, *out = arrays(9, 9, 1, 9, 9)
        _queue.queue_batch(A, b, out=out, stream=given(gpu, kind))
        gpu.run(order)
        assert (out[0].numbers == 6).all()


@kinds
@orders
def test_streams_of_warp(gpu, kind, order):
    """They have the names of PyTorch's. Whatever waits for them is of the arrays' library."""
    A, b = problem(gpu, kind)
    stream = WarpStream(gpu, GIVEN)
    q = _queue.queue_batch(A, b, stream=stream)
    assert q._call.held is stream and gpu.library.solves == [GIVEN]
    seen, x = [], q.x
    gpu.add(gpu.current, lambda: seen.append(x.numbers.copy()))
    gpu.run(order)
    assert (seen[0] == 3).all()


@pytest.mark.parametrize("imported", [True, False])
def test_streams_of_warp_with_other_arrays(gpu, monkeypatch, imported):
    if not imported:
        monkeypatch.delitem(_queue.sys.modules, "torch")
        monkeypatch.delitem(_queue.sys.modules, "cupy")
    A, b = problem(gpu, NumbaArray, GIVEN)
    out = [late(gpu, NumbaArray, np.full(s, 3.0), GIVEN) for s in ((K, N), (K, N), (K, 6))]
    q = _queue.queue_batch(A, b, out=out, stream=WarpStream(gpu, GIVEN))
    assert gpu.library.solves == [GIVEN] and set(gpu.work) == {GIVEN}
    gpu.run([GIVEN])
    assert (q.x.numbers == 6).all()
    with pytest.raises(ValueError, match=r"written on stream 8, but the call runs on stream 9, and nothing here"):
        _queue.queue_batch(problem(gpu, NumbaArray, 9)[0], b, out=out, stream=WarpStream(gpu, 9))


@kinds
def test_streams_by_number(gpu, kind):
    """CUDA's own; PyTorch has no object for the stream of each thread."""
    for number, stream in ((0, 1), (1, 1), (2, 2)):
        A, b = problem(gpu, kind)
        if kind is Tensor and number == 2:
            with pytest.raises(ValueError, match="b was written on stream 7, but the call runs on stream 2"):
                _queue.queue_batch(A, b, stream=number)
            continue
        q = _queue.queue_batch(A, b, stream=number)
        assert gpu.library.solves[-1] == stream
        gpu.run([1, 2, 7])
        assert (q._arrays[0].numbers == 3).all()
    for number in (9, -1):
        with pytest.raises(ValueError, match=f"stream = {number}: it is not known"):
            _queue.queue_batch(A, b, stream=number)


def test_x0_of_a_subclass(gpu):
    """A tensor of a class of another package is a tensor; an array of CuPy is not."""
    A, b = problem(gpu, Tensor)
    x0, out = (late(gpu, TensorOfAnother, np.full((K, N), f)) for f in (20.0, 40.0))
    rest = [late(gpu, Tensor, np.zeros(s)) for s in ((K, N), (K, 6))]
    for keys in ({"x0": x0}, {"x0": b, "out": [out, *rest]}):
        q = _queue.queue_batch(A, b, **keys)
        gpu.run([CURRENT, 1])
        assert (q._arrays[0].numbers == keys["x0"].numbers + 3).all()
    with pytest.raises(TypeError, match="x0 is a CupyArray of another library than x"):
        _queue.queue_batch(A, b, x0=late(gpu, CupyArray, np.zeros((K, N))))


def test_arrays_that_cannot_be_made(gpu):
    """The reason is named: no KeyError of a library that is not there."""
    A, b = problem(gpu, NumbaArray, 9)
    out = [late(gpu, NumbaArray, np.zeros(s), 9) for s in ((K, N), (K, N), (K, 6))]
    q = _queue.queue_batch(A, b, out=out)
    for what, call in [("a call without out=", lambda: _queue.queue_batch(A, b)),
                       ("vjp", lambda: q.vjp(b)), ("x0", lambda: _queue.queue_batch(A, b, x0=b, out=out)),
                       ("after", lambda: _queue.queue_worlds(*world(gpu, NumbaArray), out=out, after=q))]:
        with pytest.raises(TypeError, match=f"{what}.* makes arrays, .* not with numba: pass torch.as_tensor"):
            call()
