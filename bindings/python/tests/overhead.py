"""The overhead of perp.solve_lcp over the same call in C, n = 10

    python overhead.py PROGRAM     PROGRAM: overhead.c with libperp, see tools/time-python

Both are the least of 20 rounds of 5,000 calls, in CPU time, measured in turn three times."""

import subprocess
import sys
import time

import numpy as np

import perp


def microseconds(call, rounds=20, calls=5000):
    least = np.inf
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(calls):
            call()
        least = min(least, (time.process_time() - began) / calls)
    return 1e6 * least


def main(program):
    rng = np.random.default_rng(0)
    B, b = rng.standard_normal((10, 10)), rng.standard_normal(10)
    A = B @ B.T + np.eye(10)
    problem, solver = perp.Problem(A, b), perp.Solver()
    for _ in range(3):
        c = float(subprocess.run([program], input=A.tobytes() + b.tobytes(), check=True,
                                 stdout=subprocess.PIPE).stdout)
        ours, kept = (microseconds(f) for f in (lambda: perp.solve_lcp(A, b),
                                                lambda: solver.solve(problem)))
        print(f"C {c:.2f} us, solve_lcp {ours:.2f} us (+ {ours - c:.2f}), Solver.solve {kept:.2f} us")


if __name__ == "__main__":
    main(*sys.argv[1:])
