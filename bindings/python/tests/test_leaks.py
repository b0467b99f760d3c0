"""No call keeps memory: the process does not grow over 100,000 calls, and others leave no block"""

import ctypes
import gc
import os
import sys

import numpy as np
import pytest
from oracle import definite

import perp

rng = np.random.default_rng(0)
A, b = definite(rng, 10, 0), rng.standard_normal(10)
lo, hi, findex = np.full(10, -1.0), np.full(10, 1.0), np.full(10, -1, np.int32)
problem, solver = perp.Problem(A, b), perp.Solver()
wrong = b.copy()
wrong[3] = np.nan


def resident():
    with open("/proc/self/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def fails(*args, **keywords):
    try:
        perp.solve_lcp(*args, **keywords)
    except (ValueError, TypeError, perp.NotSolved):
        return
    raise AssertionError("it should fail")


def everything():
    r = perp.solve_lcp(A, b, trace=True)
    return (r.x, r.y, r.status, r.message, r.attempts, r.counts, r.plan, r.active, r.problem,
            r.trace, r.certificate, repr(r), r._repr_html_(), problem.facts(), problem.plan())


def operators():
    op = perp.operator(A)
    return (op @ b, op.rmatvec(b), op.diagonal(), op.toarray(), op.tocsr(), op.shape, repr(op),
            perp.Contact(A, np.ones(10), 0.1).bias(b), perp.Grid((3, 3)),
            perp.MatrixFree(10, lambda v: v))


class Mallinfo(ctypes.Structure):
    """struct mallinfo2 of glibc 2.33 and later"""
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
                 "fordblks", "keepcost")]


def held():
    """Blocks of Python's own allocator, and bytes of malloc's, that are in use."""
    info = _mallinfo()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


try:
    _mallinfo = ctypes.CDLL(None).mallinfo2
    _mallinfo.restype = Mallinfo
except (AttributeError, OSError):
    _mallinfo = None

CALLS = {
    "arguments": (2000, lambda: perp.solve_lcp(A, b, lo, hi, findex, b, method="pgs", tol=1e-6,
                                               parameters={"order": "backward"})),
    "conversions": (1000, lambda: perp.solve_lcp(A.tolist(), b.astype(np.float32), -1, 1)),
    "errors": (2000, lambda: fails(A, wrong)),
    "refusals": (2000, lambda: fails(A, b, method="psor", omega=5)),
    "strict": (2000, lambda: fails(A, b, method="pgs", max_iterations=1, strict=True)),
    "infeasible": (2000, lambda: perp.solve_lcp(-np.eye(2), -np.ones(2)).certificate),
    "callback": (600, lambda: perp.solve_lcp(A, b, method="pgs", callback=lambda p: p.x)),
    "product": (600, lambda: perp.solve_lcp(perp.MatrixFree(10, lambda v: A @ v, symmetric=True),
                                            b)),
    "members": (500, everything),
    "operators": (400, operators),
    "generate": (500, lambda: perp.generate("pd", n=10).x),
    "batch": (500, lambda: perp.solve_batch(A, np.stack([b] * 4), threads=2)),
    "device": (500, lambda: perp.solve_batch(A, np.stack([b] * 4), device="host")),
    "derivative": (500, lambda: solver.solve(problem).vjp(b)),
    "ncp": (600, lambda: perp.solve_ncp(lambda x: A @ x + b, lambda x: A, np.zeros(10))),
    "qp": (500, lambda: perp.solve_qp(A, b, A[:3], -1, 1, lo, hi)),
    "simulation": (50, lambda: perp.simulate("particle", steps=2).pose),
    "tables": (20, lambda: (perp.methods(), perp.generators(), perp.scenes())),
}


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
@pytest.mark.parametrize("call", [lambda: perp.solve_lcp(A, b),
                                  lambda: solver.solve(problem, x0=b)], ids=["plain", "solver"])
def test_memory_of_the_process(call):
    count = 100000
    for _ in range(count // 10):
        call()
    gc.collect()
    before = resident()
    for _ in range(count):
        call()
    gc.collect()
    # less than 16 bytes a call, the smallest block there is
    assert resident() - before < 16 * count


@pytest.mark.skipif(not _mallinfo, reason="needs mallinfo2 of glibc")
@pytest.mark.parametrize("name", CALLS)
def test_blocks(name):
    """No block is left over by one call in two, of Python's allocator or of malloc.

    Caches of NumPy, SciPy and threads fill up once; what a call keeps grows in every round."""
    count, call = CALLS[name]
    growth = []
    for _ in range(5):
        gc.collect()
        before = held()
        for _ in range(count // 2):
            call()
        gc.collect()
        growth.append([after - b for after, b in zip(held(), before)])
        if growth[-1][0] < max(count / 4, 10) and growth[-1][1] < max(0.8 * count, 512):
            return
    raise AssertionError(f"blocks and bytes in each round: {growth}")


def test_references():
    """Nor does a call keep what it was given."""
    objects = (A, b, lo, hi, findex, problem)
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(100):
        perp.solve_lcp(A, b, lo, hi, findex, b)
        fails(A, wrong)
        fails(A, b, lo, hi, findex, b, method="pgs", max_iterations=1, tol=1e-14, strict=True)
        solver.solve(problem)
        perp.Problem(A, b, lo, hi, findex)
        perp.operator(A)
        everything()
    assert [sys.getrefcount(o) for o in objects] == before


def test_a_result_keeps_its_problem():
    r = perp.solve_lcp(A.copy(), b.copy())
    gc.collect()
    np.testing.assert_array_equal(r.problem.A.toarray(), A)
