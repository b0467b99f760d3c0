"""Solver, callbacks, threads, signals"""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from oracle import definite

import perp


def problem(n=40, seed=0):
    rng = np.random.default_rng(seed)
    return perp.Problem(definite(rng, n, 0), rng.standard_normal(n))


def slow_problem():
    """Sweeps on it take long to converge."""
    return perp.generate("obstacle", n=40000)


def test_solver_gives_the_bits_of_a_new_one():
    p, q = problem(), problem(seed=1)
    s = perp.Solver("nncg", omega=1.2)
    for one in (p, q, p):
        np.testing.assert_array_equal(s.solve(one).x, perp.solve(one, method="nncg", omega=1.2).x)


def test_parameters_of_a_solver():
    s = perp.Solver("psor", omega=1.3, order="backward")
    assert s.method == "psor" and s.parameters == {"omega": 1.3, "order": "backward"}
    s.set(omega=1)
    assert s.parameters["omega"] == 1
    assert "psor" in repr(s) and "omega" in repr(s)
    with pytest.raises(ValueError, match="omega"):
        s.set(omega=3)
    assert perp.Solver().method == "auto" and perp.Solver(method="pgs").method == "pgs"
    assert perp.Solver("lemke").parameters["warm"] is True


def test_options_of_a_solver_hold_for_all_solves():
    p = problem()
    s = perp.Solver("pgs", tol=1e-3)
    loose = s.solve(p)
    tight = s.solve(p, tol=1e-10)
    assert tight.relative_residual <= 1e-10 < loose.relative_residual <= 1e-3
    assert s.solve(p).nit == loose.nit
    with pytest.raises(perp.NotSolved):
        perp.Solver("pgs", strict=True).solve(p, max_iterations=1)


def test_warm_start():
    p = problem()
    s = perp.Solver("pgs")
    first = s.solve(p)
    assert s.solve(p, x0=first.x).nit < first.nit
    assert s.solve(p, first.x).nit < first.nit


def test_b_changed_in_place():
    rng = np.random.default_rng(0)
    A, b = definite(rng, 20), rng.standard_normal(20)
    p, s = perp.Problem(A, b), perp.Solver()
    for _ in range(5):
        b[:] = rng.standard_normal(20)
        np.testing.assert_array_equal(s.solve(p).x, perp.solve_lcp(A, b).x)


def test_values_changed_in_place():
    rng = np.random.default_rng(0)
    A, b = definite(rng, 20), rng.standard_normal(20)
    p, s = perp.Problem(A, b), perp.Solver()
    for _ in range(3):
        s.solve(p)
        A[:] = definite(rng, 20)
        p.A.refresh()
        np.testing.assert_array_equal(s.solve(p).x, perp.solve_lcp(A.copy(), b).x)


# ---- Callbacks ----

def test_callback_sees_the_iterates():
    seen = []
    r = perp.solve(problem(), method="pgs", callback=seen.append)
    assert r.success and len(seen) > 3
    assert seen[-1].iteration == r.nit
    assert seen[-1].checked and seen[-1].residual <= 1e-8 * r.scale
    assert seen[-1].relative_residual == pytest.approx(seen[-1].residual / r.scale)
    np.testing.assert_allclose(seen[-1].x, r.x, atol=1e-12)
    assert not np.array_equal(seen[0].x, seen[-1].x)  # copies


def test_callback_stops():
    for answer, status in ((False, "stopped"), (None, "solved"), (True, "solved"), (0, "solved")):
        r = perp.solve(problem(), method="pgs", callback=lambda p: answer)
        assert r.status == status, answer


def test_exception_in_a_callback():
    def fails(progress):
        if progress.iteration == 3:
            raise LookupError("at three")

    with pytest.raises(LookupError, match="at three"):
        perp.solve(problem(), method="pgs", callback=fails)
    assert perp.solve(problem(), method="pgs").success


def test_a_solver_does_not_serve_two():
    s, p = perp.Solver("pgs"), problem()
    errors = []

    def again(progress):
        try:
            s.solve(p)
        except RuntimeError as e:
            errors.append(str(e))
        with pytest.raises(RuntimeError):
            s.set(order="backward")
        return False

    assert s.solve(p, callback=again).status == "stopped"
    assert errors and "one thread" in errors[0]
    assert s.solve(p).success


def test_a_callback_may_solve_with_another():
    s, p = perp.Solver("pgs"), problem()
    inner = []
    s.solve(p, callback=lambda progress: inner.append(perp.solve(p).success))
    assert inner and all(inner)


# ---- Threads and signals ----

def test_threads_go_on_while_one_solves():
    count, done = 0, threading.Event()

    def solve():
        perp.solve(slow_problem(), method="jacobi", tol=1e-14, time_limit=0.4)
        done.set()

    worker = threading.Thread(target=solve)
    worker.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    worker.join()
    assert count > 20  # with the GIL held it would be none


def test_many_threads():
    problems = [problem(seed=k) for k in range(8)]
    expected = [perp.solve(p).x for p in problems]
    wrong = []

    def work(k):
        s = perp.Solver()
        for _ in range(100):
            for j in range(8):
                r = s.solve(problems[(j + k) % 8])
                if not np.array_equal(r.x, expected[(j + k) % 8]):
                    wrong.append((k, j))

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not wrong


def test_callbacks_of_several_threads():
    """Python functions are called by the thread that solves."""
    wrong = []

    def work():
        me = threading.get_ident()

        def product(v):
            if threading.get_ident() != me:
                wrong.append(me)
            return 2 * v

        for _ in range(20):
            if not perp.solve_lcp(perp.MatrixFree(9, product, symmetric=True), -np.ones(9)).success:
                wrong.append(me)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not wrong


CALLS = {
    "solve": "perp.solve(p, method='jacobi', tol=1e-14, max_iterations=10**9)",
    "solver": "perp.Solver('jacobi', tol=1e-14, max_iterations=10**9).solve(p)",
    "batch": """perp.solve_batch(p.A, np.stack([p.b] * 4), threads=2, method='jacobi', tol=1e-14,
                                 max_iterations=10**9)""",
    "product": """perp.solve_lcp(perp.MatrixFree(p.n, p.A.matvec, symmetric=True), p.b, tol=1e-15,
                                 method='spg', max_iterations=10**9)""",
    "simulate": "perp.simulate('discs:n=100', steps=10**7)",
    "spectrum": "perp.operator(np.eye(4000) + 1e-3).spectrum()",  # half a minute
}


@pytest.mark.skipif(os.name != "posix", reason="signals of posix")
@pytest.mark.parametrize("call", CALLS)
def test_interrupt(call):
    """Ctrl-C ends what would take minutes, as a KeyboardInterrupt."""
    program = textwrap.dedent("""
        import signal, sys, time, numpy as np, perp
        signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in the background
        p = perp.generate("obstacle", n=250000)
        print("ready", flush=True)
        try:
            %s
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        else:
            print("finished", flush=True)
        print(perp.solve_lcp(np.eye(2), -np.ones(2)).success, flush=True)
    """) % CALLS[call]
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=30)
        assert out == "interrupted\nTrue\n"
        assert time.monotonic() - begin < 10
    finally:
        child.kill()
        child.wait()


def test_what_a_simulation_has_made_is_kept():
    """Ctrl-C in simulate: the exception has the steps, and they go on from there."""
    program = textwrap.dedent("""
        import signal, perp
        signal.signal(signal.SIGINT, signal.default_int_handler)
        s = perp.simulate("discs:n=60", steps=2)
        print("ready", flush=True)
        try:
            perp.simulate("discs:n=60", steps=10**7)
        except KeyboardInterrupt as e:
            s = e.simulation
        made = len(s)
        assert s.index.tolist() == list(range(1, made + 1)), s.index
        assert len(s.pose) == made + 1
        s.run(2)
        print(len(s) - made, made > 2, flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=60)[0] == "2 True\n"
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize("line", range(1, 13))
def test_a_step_is_kept_whole_or_not_at_all(line):
    """Ctrl-C at any line of perp's own Python: steps and frames still belong together."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if not frame.f_code.co_filename.endswith("_simulate.py"):
            return None
        lines += event == "line"
        if lines == line:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    s = perp.simulate("discs:n=5", steps=0)
    sys.settrace(trace)
    try:
        with pytest.raises(KeyboardInterrupt):
            s.run(10)
    finally:
        sys.settrace(None)
    for steps in (len(s), len(s) + 2):
        assert s.index.tolist() == list(range(1, steps + 1))
        assert len(s.pose) == steps + 1
        s.run(2)


@pytest.mark.parametrize("call", ["facts", "spectrum"])
def test_threads_go_on_while_one_looks(call):
    rng = np.random.default_rng(0)
    p = perp.Problem(rng.standard_normal((500, 500)), np.ones(500))
    count, done = 0, threading.Event()

    def look():
        p.facts() if call == "facts" else p.A.spectrum()
        done.set()

    worker = threading.Thread(target=look)
    worker.start()
    while not done.is_set():
        count += 1
        time.sleep(0.0005)
    worker.join()
    assert count > 5  # with the GIL held it would be one or two


def test_none_is_no_matrix():
    for call in (lambda: perp.solve_lcp(None, None), lambda: perp.solve_lcp(np.eye(2), None),
                 lambda: perp.solve_cone(None, np.ones(3), [0.5])):
        with pytest.raises(TypeError, match="needs the argument"):
            call()


def test_indices_changed_after_a_solve():
    findex = np.array([-1, 0], np.int32)
    r = perp.solve_lcp([[2, .3], [.3, 1]], [-1., 5.], [0, -.5], [np.inf, .5], findex)
    findex[1] = 10**9
    with pytest.raises(ValueError, match="changed since the solve"):
        r.active


def test_a_false_of_numpy_stops():
    r = perp.solve_lcp(np.eye(40) * 2 - np.eye(40, k=1) - np.eye(40, k=-1), -np.ones(40),
                       method="pgs", tol=1e-12, callback=lambda p: np.False_)
    assert r.status == "stopped"
