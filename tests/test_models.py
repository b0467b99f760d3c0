#!/usr/bin/env python3
"""test_models.py PERP [KEY=VALUE...] [--models nl_unseen] [--table] [--starts N]: solves the models of nl_models.py,
nl_unseen.py or nl_random.py by PERP STUB -AMPL

Each model from its published starts and N random ones, in turn in the dialects of AMPL, Pyomo and JuMP, as
text and binary. What is called solved is judged here from the definition, and with --judge by AMPL's
library from the files too: the greater residual counts. Fails if a verdict is false, or if fewer than
98 % are solved to 1e-6. With --table: a line for each model, for docs/notes/models.md, with the least
and the greatest numbers of iterations and evaluations of F."""

import argparse
import importlib
import os
import re
import subprocess
import sys
import tempfile

import nl_file

TOL = 1e-6
DIALECTS = ["ampl", "pyomo", "jump"]


def solve(command, judge, m, start, stub, dialect, binary):
    """(claimed, residual, iterations, evaluations) of one start"""
    n = nl_file.write(m, start, stub, dialect, binary)
    done = subprocess.run([command[0], stub, "-AMPL", "timelim=60"] + command[1:], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"  {m.name}: exit status {done.returncode}: {done.stderr.strip()}")
        return False, nl_file.INF, 0, 0
    code, x, text = nl_file.read_sol(stub + ".sol", n)
    residual = m.residual(x[:len(m.lo)])
    if judge:
        said = subprocess.run([judge, stub], capture_output=True, text=True, check=True).stdout.split()
        if int(said[0]) != code:
            residual = nl_file.INF
        residual = max(residual, float(said[1]))
    os.remove(stub + ".sol")
    counts = re.search(r"(\d+) iterations, (\d+) evaluations", text)
    return code == 0, residual, *(map(int, counts.groups()) if counts else (0, 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("perp")
    parser.add_argument("options", nargs="*", help="key=value of the program")
    parser.add_argument("--models", default="nl_models")
    parser.add_argument("--judge", default="", help="tests/nl_judge.c, a second judge")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reach", type=float, default=1)
    call = parser.parse_args()
    models = importlib.import_module(call.models).MODELS
    solved = tried = false = 0
    with tempfile.TemporaryDirectory() as folder:
        stub = os.path.join(folder, "model")
        for m in models.models():
            points = nl_file.starts(m, call.starts if len(m.lo) < 1000 else 0, call.seed, call.reach)
            good, iterations, evaluations = 0, [], []
            for k, start in enumerate(points):
                claimed, residual, *counts = solve([call.perp] + call.options, call.judge, m, start, stub,
                                                   DIALECTS[k % 3], k % 2 == 1)
                good += claimed and residual <= TOL
                iterations.append(counts[0])
                evaluations.append(counts[1])
                false += claimed and not residual <= TOL
                if not claimed or not residual <= TOL:
                    print(f"  {m.name}, start {k}: claimed {claimed}, residual {residual:.3g}")
            solved += good
            tried += len(points)
            if call.table:
                print(f"| {m.name} | {m.source} | {len(m.lo)} | {good} of {len(points)} | "
                      f"{min(iterations)} to {max(iterations)} | {min(evaluations)} to {max(evaluations)} |")
    print(f"  {len(models)} models, {solved} of {tried} starts solved to {TOL:g}, "
          f"{false} false")
    fine = false == 0 and solved >= 0.98 * tried
    print(f"{int(fine)} passed, {int(not fine)} failed, 0 skipped")
    return not fine


if __name__ == "__main__":
    sys.exit(main())
