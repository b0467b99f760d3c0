"""docs/measured.csv: a row for each problem, with its class as auto sees it, and a column for
each method

A cell holds seconds and iterations if the method solved the problem; the outcome before them
if it did not; nothing if it refused, or was not asked."""

import csv
import os
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "docs", "measured.csv")


@dataclass
class Result:
    outcome: str
    seconds: float
    iterations: int

    @property
    def solved(self):
        return self.outcome == "solved"


@dataclass
class Problem:
    kind: str  # its class
    name: str
    n: int
    results: dict = field(default_factory=dict)  # by method


def read():
    if not os.path.exists(TABLE):
        return []
    problems = []
    with open(TABLE, newline="") as f:
        for row in csv.DictReader(f):
            p = Problem(row.pop("class"), row.pop("problem"), int(row.pop("n")))
            for method, cell in row.items():
                if cell:
                    *outcome, seconds, iterations = cell.split()
                    p.results[method] = Result(*outcome or ["solved"], float(seconds),
                                               int(iterations))
            problems.append(p)
    return problems


def write(problems):
    methods = sorted({m for p in problems for m in p.results})
    with open(TABLE + ".part", "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(["class", "problem", "n", *methods])
        for p in sorted(problems, key=lambda p: (p.kind, p.name)):
            cells = []
            for m in methods:
                r = p.results.get(m)
                cells.append("" if r is None else
                             f"{'' if r.solved else r.outcome + ' '}{r.seconds:.3g} {r.iterations}")
            writer.writerow([p.kind, p.name, p.n, *cells])
    os.replace(TABLE + ".part", TABLE)
