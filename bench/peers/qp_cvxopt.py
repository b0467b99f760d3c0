#!/usr/bin/python3
"""qp_cvxopt.py: CVXOPT on a quadratic program, by its interior point method coneqp

    qp-cvxopt METHOD PROGRAM TOL REPEAT ANSWER

Files are as in qp_serve.cpp, and so is the time: CPU time from arrays to the answer, the median of
REPEAT solves. METHOD: `chol`, the factor for sparse programs, or `ldl`."""

import sys
import time

import numpy as np
from cvxopt import matrix, solvers, spmatrix


def read(path):
    """n, m, P, G, q, l, u, lb, ub; matrices as (rows, columns, values)."""
    data, at = memoryview(open(path, "rb").read()), 0

    def take(kind, count):
        nonlocal at
        found = np.frombuffer(data, kind, count, at).copy()
        at += found.nbytes
        return found

    def rows(count):
        start = take(np.int64, count + 1)
        column, value = take(np.int32, int(start[-1])), take(float, int(start[-1]))
        return np.repeat(np.arange(count), np.diff(start)), column, value

    n, m = (int(v) for v in take(np.int32, 2))
    return n, m, rows(n), rows(m), *(take(float, k) for k in (n, m, m, n, n))


def sparse(entries, shape):
    i, j, v = entries
    return spmatrix(matrix(v) if v.size else [], i.tolist(), j.tolist(), shape)


def solve(method, program, tol):
    n, m, P, G, q, l, u, lb, ub = program
    # rows of G and of the identity below it, and their bounds
    i, j, v = (np.concatenate(pair) for pair in zip(G, (m + np.arange(n), np.arange(n), np.ones(n))))
    low, high = np.append(l, lb), np.append(u, ub)
    equal = low == high

    def chosen(keep, sign):
        place = np.cumsum(keep) - 1
        there = keep[i]
        return place[i[there]], j[there], sign * v[there], int(keep.sum())

    above, below = np.isfinite(high) & ~equal, np.isfinite(low) & ~equal
    up, down, same = chosen(above, 1), chosen(below, -1), chosen(equal, 1)
    inequalities = [np.concatenate(pair) for pair in zip(up[:3], (down[0] + up[3], *down[1:3]))]
    solvers.options.update(show_progress=False, abstol=tol, reltol=tol, feastol=tol, maxiters=200)
    problem = [sparse(P, (n, n)), matrix(q), sparse(inequalities, (up[3] + down[3], n)),
               matrix(np.append(high[above], -low[below]).reshape(-1, 1), tc="d")]
    equations = ({"A": sparse(same[:3], (same[3], n)), "b": matrix(low[equal])} if same[3] else {})
    try:
        s = solvers.coneqp(*problem, **equations, kktsolver=method)
    except (ArithmeticError, ValueError):  # a singular matrix
        return np.zeros(n), np.zeros(m), np.zeros(n), True
    multiplier, z = np.zeros(m + n), np.ravel(s["z"])
    multiplier[above] += z[:up[3]]
    multiplier[below] -= z[up[3]:]
    multiplier[equal] = np.ravel(s["y"])
    return np.ravel(s["x"]), multiplier[:m], multiplier[m:], s["status"] != "optimal"


def main(method, path, tol, repeat, to):
    program, seconds = read(path), []
    for _ in range(int(repeat)):
        began = time.process_time()
        x, z, w, gave_up = solve(method, program, float(tol))
        seconds.append(time.process_time() - began)
    with open(to, "wb") as file:
        for part in ([sorted(seconds)[len(seconds) // 2], float(gave_up)], x, z, w):
            file.write(np.ascontiguousarray(part, float).tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
