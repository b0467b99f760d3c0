#!/usr/bin/env python3
"""nl_large.py PERP [MODEL...]: equilibrium models of about 100,000 variables or a million nonzeros

Writes each as an .nl file, calls PERP STUB -AMPL, judges the .sol file from the definition, and prints
a line of the table in docs/notes/models.md. CPU time and memory are those of the child process."""

import math
import os
import re
import subprocess
import sys
import tempfile
import time

import nl_file
from nl_file import Model, exp, total
from nl_markets import energy


def around(u, i, j, diagonals=False):
    n = len(u)
    steps = [(-1, 0), (1, 0), (0, -1), (0, 1)] + ([(-1, -1), (-1, 1), (1, -1), (1, 1)] if diagonals else [])
    return [u[i + a][j + b] for a, b in steps if 0 <= i + a < n and 0 <= j + b < n]


def obstacle(m, n=316):
    h, u = 1 / (n + 1), [m.vars(n) for _ in range(n)]
    for i in range(n):
        for j in range(n):
            load = 10 * h * h * (1 if (i + j) * h < 1.2 else -2)
            m.comp(4 * u[i][j] - total(around(u, i, j)) - load, u[i][j])


def bearing(m, n=316):
    h, k, p = 2 * math.pi / (n + 1), 2 / (n + 1), [m.vars(n) for _ in range(n)]
    film = [(1 + 0.5 * math.cos((i + 0.5) * h)) ** 3 for i in range(n + 1)]
    for i in range(n):
        across = 0.5 * (film[i] + film[i + 1]) * (h / k) ** 2
        for j in range(n):
            terms = [-film[i + a] * p[i - 1 + 2 * a][j] for a in (0, 1) if 0 <= i - 1 + 2 * a < n]
            terms += [-across * p[i][b] for b in (j - 1, j + 1) if 0 <= b < n]
            m.comp((film[i] + film[i + 1] + 2 * across) * p[i][j] + total(terms) -
                   h * h * 0.5 * math.sin((i + 1) * h), p[i][j])


def bratu(m, n=340):
    """nine points"""
    h, u = 1 / (n + 1), [m.vars(n, 0, 0.2) for _ in range(n)]
    for i in range(n):
        for j in range(n):
            m.comp(8 / 3 * u[i][j] - total([v / 3 for v in around(u, i, j, True)]) -
                   5 * h * h * exp(u[i][j]), u[i][j])


def spatial(m, regions=316, curved=False):
    """Takayama and Judge 1971; curved: Harker 1986"""
    p, w = m.vars(regions, 0.01, start=5.0), m.vars(regions, start=1.0)
    incoming = [[] for _ in range(regions)]
    for i in range(regions):
        x = m.vars(regions)
        for j, v in enumerate(x):
            incoming[j].append(v)
            far = 1 + abs(i - j) % 17 + 0.1 * ((7 * i + 3 * j) % 11)
            m.comp(w[i] + far + (0.05 * v ** 2 if curved else 0.1 * v) - p[j], v)
        m.comp(3 + (1 + i % 5) * (w[i] ** 1.5 if curved else w[i]) - total(x), w[i])
    for j in range(regions):
        demand = 60 * (1 + j % 4) / p[j] if curved else 60 + 15 * (j % 4) - 3 * p[j]
        m.comp(total(incoming[j]) - demand, p[j])


LARGE = {"obstacle": obstacle, "bearing": bearing, "bratu": bratu, "spatial": spatial,
         "spatial-curved": lambda m: spatial(m, 316, True), "spatial-500": lambda m: spatial(m, 500),
         "energy": energy}


def run(perp, stub):
    """rusage and MB at most; ru_maxrss would count the pages of this process, too"""
    memory = 0
    with subprocess.Popen([perp, stub, "-AMPL"]) as child:
        done = 0
        while not done:
            try:
                with open(f"/proc/{child.pid}/status", encoding="ascii") as f:
                    found = re.search(r"VmHWM:\s+(\d+)", f.read())
                memory = max(memory, int(found[1]) // 1024) if found else memory
            except OSError:
                pass
            time.sleep(0.01)
            done, _, used = os.wait4(child.pid, os.WNOHANG)
        child.returncode = 0
    return used, memory


def main():
    perp, names = sys.argv[1], sys.argv[2:] or list(LARGE)
    print("| model | variables | nonzeros | method, iterations | CPU s | memory | residual |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    good = 0
    for name in names:
        m = Model(name, "")
        LARGE[name](m)
        with tempfile.TemporaryDirectory() as folder:
            stub = os.path.join(folder, "model")
            n = nl_file.write(m, m.starts[0], stub)
            with open(stub + ".nl", encoding="ascii") as f:
                nonzeros = int(f.read(1000).split("\n")[7].split()[0])
            used, memory = run(perp, stub)
            code, x, text = nl_file.read_sol(stub + ".sol", n)
        residual = m.residual(x)
        good += code == 0 and residual <= 1e-6
        how = re.search(r"(\d+) iterations.*, (\S+)$", text.strip())
        print(f"| {name} | {n:,} | {nonzeros:,} | {how[2]}, {how[1]} | {used.ru_utime + used.ru_stime:.1f} | "
              f"{memory} MB | {residual:.1e} |", flush=True)
    print(f"{good} passed, {len(names) - good} failed, 0 skipped")
    return good != len(names)


if __name__ == "__main__":
    sys.exit(main())
