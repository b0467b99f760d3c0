"""Pages of the site that are written from tables: the library, the program, Python, benchmarks"""

import csv
import glob
import json
import os
import re
import subprocess

import headers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


# ---- the library, by its headers ----

def c_pages():
    """{path: text} with an index first."""
    pages, index = {}, []
    for name, title, about, entries in headers.pages():
        lines = [f"# {title.split(': ', 1)[-1][0].upper()}{title.split(': ', 1)[-1][1:]}", "",
                 f"`#include <perp/{name}.h>`", ""]
        lines += fenced(about) if about else []
        for comment, code in entries:
            if code is None:
                lines += [f"## {comment}", ""]
                continue
            if code:
                lines += ["```c", headers.shown(code), "```", ""]
            if comment:
                lines += fenced(comment)
        pages[f"reference/c/{name}.md"] = "\n".join(lines) + "\n"
        index.append(name)
    pages["reference/c/index.md"] = "\n".join(
        ["# The library, by its headers", "",
         "`#include <perp/perp.h>` brings what a solve needs (library `perp`), `<perp/lab.h>` generators, simulators,",
         "MATLAB files and images (library `perp-lab`). These pages are written from the headers; `man 3 perp_solver`",
         "has the same text.", "", "```{toctree}", ":maxdepth: 1", "", *index, "```", ""])
    return pages


def fenced(text):
    """Plain text, or as it stands if lines are indented."""
    if re.search(r"^  ", text, re.M):
        return ["```text", text, "```", ""]
    return [re.sub(r"([*_<>$\\\[\]])", r"\\\1", text), ""]


# ---- the program, by its own tables ----

def ask(program, *arguments):
    return json.loads(subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE).stdout)


def program_page(program):
    lines = ["# The program, by its own tables", "",
             "`perp COMMAND --help` prints the same, and so do the manual pages `perp-COMMAND(1)`.", ""]
    for c in ask(program, "help", "--json")["commands"]:
        if c["name"] == "help":
            continue
        usage = ask(program, c["name"], "--help", "--json")
        lines += [f"## {c['name']}", "", f"{c['synopsis'][0].upper()}{c['synopsis'][1:]}.", "",
                  "```text", "perp " + usage["call"], "", usage["about"].rstrip(), "```", ""]
        lines += ["| option | |", "| --- | --- |"]
        for o in usage["options"]:
            value = f" {o['value']}".replace("|", "\\|") if o["value"] else ""
            text = re.sub(r"\s*\n\s*", " ", o["text"]).replace("|", "\\|").replace("<", "&lt;")
            text = re.sub(r"(?<!\S)--[a-z][a-z-]*", r"`\g<0>`", text)
            lines.append(f"| `--{o['name']}{value}` | {text} |")
        lines.append("")
    return "\n".join(lines)


def scenes_page(program):
    lines = ["# Scenes in motion", "",
             "`perp simulate SCENE:key=value,... --html page.html` runs a scene and writes a page to watch.",
             "Written from `perp simulate --list --json`.", ""]
    for s in ask(program, "simulate", "--list", "--json")["scenes"]:
        lines += [f"## {s['name']}", "", f"{s['title'][0].upper()}{s['title'][1:]} ({s['family']}).", "",
                  "| parameter | default | meaning |", "| --- | --- | --- |"]
        for p in s["parameters"]:
            choices = f" ({', '.join(p['choices'])})" if p.get("choices") else ""
            default = {True: "yes", False: "no"}.get(p["default"], p["default"]) if isinstance(p["default"], bool) \
                else p["default"]
            lines.append(f"| `{p['name']}` | {default} | {p['text'].replace('|', chr(92) + '|')}{choices} |")
        lines.append("")
    return "\n".join(lines)


# ---- Python, by its docstrings ----

# In the order in which people need them; names that no part has come last.
PYTHON_PARTS = [
    ("Solve a problem", ["solve_lcp", "solve_cone", "solve", "Result", "NotSolved", "Unsupported"]),
    ("Solve again", ["Solver", "Progress", "Attempt", "Counts"]),
    ("Problems and matrices", ["Problem", "operator", "Operator", "Contact", "Grid", "MatrixFree"]),
    ("Quadratic programs", ["solve_qp", "QPSolver", "QPResult"]),
    ("Nonlinear problems", ["solve_ncp", "NCPResult"]),
    ("Derivatives", ["Derivative", "Gradient"]),
    ("Many problems at once", ["solve_batch", "BatchResult", "Device"]),
    ("Simulations", ["simulate", "Simulation", "Step", "View", "Shape"]),
    ("Generate, load and check", ["generate", "load", "save", "check", "Check", "check_certificate"]),
    ("Figures", ["plot"]),
    ("Lists", ["methods", "generators", "scenes", "components", "Method", "Generator", "Scene", "Parameter"]),
    ("Names of other packages", ["lcp_lemke", "LCPResult", "pathlcp"]),
]

READ_NAMES = """
import inspect, json, perp
print(json.dumps({n: "function" if not inspect.isclass(getattr(perp, n)) else
                  "tuple" if hasattr(getattr(perp, n), "_fields") else
                  "exception" if issubclass(getattr(perp, n), Exception) else "class" for n in perp.__all__}))
"""


def python_page(python, folder):
    """A page of autodoc directives. folder: the unpacked package."""
    kinds = json.loads(subprocess.run([python, "-c", READ_NAMES], check=True, stdout=subprocess.PIPE,
                                      env={**os.environ, "PYTHONPATH": folder}).stdout)
    named = {name for _, part in PYTHON_PARTS for name in part}
    lines = ["# Python", "", "[The guide](../python.md) has examples. The methods and their parameters are on "
             "[their page](../methods.md).", ""]
    for title, part in [*PYTHON_PARTS, ("More", [n for n in kinds if n not in named])]:
        there = [n for n in part if n in kinds]
        if not there:
            continue
        lines += [f"## {title}", "", "```{eval-rst}"]
        for name in there:
            kind = {"function": "autofunction", "exception": "autoexception"}.get(kinds[name], "autoclass")
            lines += [f".. {kind}:: perp.{name}"]
            lines += ["   :members:", "   :inherited-members: tuple"] if kinds[name] == "class" else []
            lines += [""]
        lines += ["```", ""]
    return "\n".join(lines)


# ---- benchmarks, from the tables that are kept ----

def read_tables(folder):
    rows = []
    for path in sorted(glob.glob(os.path.join(ROOT, "bench", "results", folder, "*.csv"))):
        with open(path, encoding="utf-8") as f:
            rows += [r for r in csv.DictReader(f) if r.get("status") and r.get("problem")]
    return rows


def library_of(method):
    """'siconos lemke' -> 'siconos'; one word is ours."""
    return method.split()[0] if " " in method else "perp"


def best_times(rows, column="seconds_1e-8"):
    """times[problem][library]: perp by auto, a peer by the fastest of its solvers."""
    times = {}
    for r in rows:
        library = library_of(r["method"])
        if library == "perp" and r["method"] != "auto":
            continue
        entry = times.setdefault((r["suite"], r["problem"]), {})
        entry.setdefault(library, float("inf"))
        if r["status"] == "solved" and r[column]:
            entry[library] = min(entry[library], float(r[column]))
    return times


def bench_tables():
    """The suites of the kept tables: problems, solved by whom, and who was fastest."""
    rows = read_tables(os.path.join("neoverse-v1-2core", "normal"))
    times = best_times(rows)
    suites = list(dict.fromkeys(s for s, _ in times))
    libraries = sorted({lib for t in times.values() for lib in t}, key=lambda n: (n != "perp", n))
    lines = ["Problems solved of the problems given to a library; in brackets, on how many it was the fastest.", "",
             "| suite | problems | " + " | ".join(libraries) + " |", "| --- | --- |" + " --- |" * len(libraries)]
    for suite in suites:
        own = [t for (s, _), t in times.items() if s == suite]
        cells = []
        for lib in libraries:
            posed = [t for t in own if lib in t]
            solved = [t for t in posed if t[lib] < float("inf")]
            first = [t for t in solved if t[lib] == min(t.values())]
            cells.append(f"{len(solved)} of {len(posed)} ({len(first)})" if posed else "")
        lines.append(f"| {suite} | {len(own)} | " + " | ".join(cells) + " |")
    lost = sorted(((t["perp"] / min(t.values()), s, p, min(t, key=t.get)) for (s, p), t in times.items()
                   if min(t.values()) < t.get("perp", float("inf"))), reverse=True)
    lines += ["", "### Where a peer wins", "", "| suite | problem | peer | auto takes |", "| --- | --- | --- | --- |"]
    for ratio, suite, problem, peer in lost:
        told = "not solved in two seconds" if ratio == float("inf") else f"{ratio:.2g} times as long"
        lines.append(f"| {suite} | `{problem}` | {peer} | {told} |")
    return lines


def kernel_rows():
    """(kernel, its rate, the limit, unit) of the kept table."""
    with open(os.path.join(ROOT, "bench", "results", "neoverse-v1-2core", "kernels.csv"), encoding="utf-8") as f:
        return [(r["kernel"], float(r["rate"]), float(r["most"]), r["unit"]) for r in csv.DictReader(f)]


def kernel_table():
    lines = ["| kernel | rate | limit of the machine | share |", "| --- | --- | --- | --- |"]
    for name, rate, limit, unit in kernel_rows():
        lines.append(f"| {name} | {rate:g} {unit} | {limit:g} {unit} | {100 * rate / limit:.0f} % |")
    return lines
