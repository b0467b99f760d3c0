"""perp.queue_batch and its siblings with arrays that say they are on a GPU: what is refused, and the order of
the work on the streams. Nothing here needs a GPU or PyTorch: fakes take their place."""

import numpy as np
import pytest

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
