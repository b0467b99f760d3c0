#!/usr/bin/env python3
"""test_cli.py PROGRAM [NAME]: the program perp as used by people and scripts

Problems are written and solutions judged here, in Python, without code of the library.
Runs every test, or the tests whose name contains NAME, and ends with a line
'N passed, N failed, N skipped'."""

import csv
import gzip
import json
import math
import os
import pty
import random
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
import zlib

from harness import Skip, run_tests

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["PERP_PROGRAM"])


# Under AddressSanitizer the leak check at every exit takes longer than everything else.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


class Result:
    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()


def default_signals():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def perp(*arguments, **more):
    """Runs the program; no run may crash, and errors are one line."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **more)
    return Result(done)


def fine(*arguments, status=0):
    r = perp(*arguments)
    assert r.status == status, f"status {r.status}, not {status}: {arguments}: {r.out}{r.err}"
    assert r.err == "", r.err
    return r


def fine_json(*arguments, status=0):
    return json.loads(fine(*arguments, "--json", status=status).out)


def wrong(*arguments, says=()):
    """Checks for exit status 2, one line on stderr with all of `says`, and an empty stdout."""
    r = perp(*arguments)
    assert r.status == 2, f"status {r.status}, not 2: {arguments}: {r.out}{r.err}"
    assert r.err.startswith("perp: ") and r.err.count("\n") == 1, repr(r.err)
    assert r.out == "" or "--json" in arguments, r.out
    for word in [says] if isinstance(says, str) else says:
        assert word in r.err, f"{word!r} is not in {r.err!r}"
    return r


def wait_for_file(name, size=1, lines=0):
    """Waits until the temporary file that is to become this one has so many bytes and lines.

    The program also creates such a file and removes it at once, to see whether it may write there.
    """
    until = time.monotonic() + 300
    while time.monotonic() < until:
        for entry in os.listdir("."):
            try:
                if name in entry and os.path.getsize(entry) >= size:
                    with open(entry, "rb") as f:
                        if lines == 0 or f.read().count(b"\n") >= lines:
                            return
            except FileNotFoundError:
                pass
        time.sleep(0.02)
    raise AssertionError(f"{name} does not grow to {size} bytes and {lines} lines")


# ---- problems ----

def write_array(path, rows, columns, values):
    with open(path, "w") as f:
        f.write(f"%%MatrixMarket matrix array real general\n{rows} {columns}\n")
        f.writelines(f"{v!r}\n" for v in values)


def write_coordinate(path, n, entries):
    with open(path, "w") as f:
        f.write(f"%%MatrixMarket matrix coordinate real general\n{n} {n} {len(entries)}\n")
        f.writelines(f"{i + 1} {j + 1} {v!r}\n" for i, j, v in entries)


def folder(name, A, b, **vectors):
    """A problem folder in the current directory from a dense A."""
    os.mkdir(name)
    n = len(b)
    write_array(f"{name}/A.mtx", n, n, [A[i][j] for j in range(n) for i in range(n)])
    write_array(f"{name}/b.mtx", n, 1, b)
    for key, values in vectors.items():
        write_array(f"{name}/{key}.mtx", len(values), 1, values)
    return name


def small(name="small"):
    """x = (0, 3, 1), y = (2, 0, 0) by construction."""
    A = [[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]]
    x, y = [0.0, 3.0, 1.0], [2.0, 0.0, 0.0]
    b = [y[i] - sum(A[i][j] * x[j] for j in range(3)) for i in range(3)]
    return folder(name, A, b)


def chain(name, n):
    """-x'' = f with x >= 0 on n points: pgs takes about n^2 sweeps."""
    entries = [(i, j, 2.0 if i == j else -1.0)
               for i in range(n) for j in (i - 1, i, i + 1) if 0 <= j < n]
    os.mkdir(name)
    write_coordinate(f"{name}/A.mtx", n, entries)
    write_array(f"{name}/b.mtx", n, 1, [-1.0 if i % 3 else 0.5 for i in range(n)])
    return name


def read_vector(path):
    with open(path) as f:
        lines = [line for line in f if not line.startswith("%") and line.strip()]
    rows, columns = map(int, lines[0].split()[:2])
    assert columns == 1 and "array" in open(path).readline()
    values = [float(line) for line in lines[1:]]
    assert len(values) == rows
    return values


def read_rows(path):
    with open(path) as f:
        return [int(line) for line in f.read().split("\n")[2:] if line.strip()]


def natural_residual(A, b, x, lo=None, hi=None):
    worst = 0.0
    for i in range(len(b)):
        y = math.fsum([b[i]] + [A[i][j] * x[j] for j in range(len(b))])
        least = lo[i] if lo else 0.0
        most = hi[i] if hi else math.inf
        worst = max(worst, abs(x[i] - min(max(x[i] - y, least), most)))
    return worst


def random_problem(rng, n):
    """Symmetric positive definite A with a planted solution, boxed half the time."""
    G = [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    A = [[sum(G[k][i] * G[k][j] for k in range(n)) + (n if i == j else 0) for j in range(n)]
         for i in range(n)]
    boxed = rng.random() < 0.5
    lo = [-rng.uniform(0, 1) for _ in range(n)] if boxed else [0.0] * n
    hi = [rng.uniform(0.1, 2) for _ in range(n)] if boxed else [math.inf] * n
    x, y = [], []
    for i in range(n):
        side = rng.choice("lhm" if boxed else "lm")
        x.append({"l": lo[i], "h": hi[i], "m": rng.uniform(lo[i], min(hi[i], 2))}[side])
        y.append({"l": rng.uniform(0, 1), "h": -rng.uniform(0, 1), "m": 0.0}[side])
    b = [y[i] - sum(A[i][j] * x[j] for j in range(n)) for i in range(n)]
    return A, b, x, (lo if boxed else None), (hi if boxed else None)


def contents(path="."):
    """Every file below path with its bytes."""
    found = {}
    for place, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(place, name), "rb") as f:
                found[os.path.join(place, name)] = f.read()
    return found


# ---- calls ----

def test_help():
    overview = fine("help").out
    assert overview == fine("--help").out == fine("-h").out == fine("help", "help").out
    for name in "list info solve check convert version help".split():
        assert f"\n  {name} " in overview
        if name != "help":
            text = fine("help", name).out
            assert text.startswith(f"usage: perp {name}") and text == fine(name, "--help").out
    assert fine("solve", "nowhere", "--tol", "x", "--help").out == fine("help", "solve").out
    r = perp()
    assert r.status == 2 and r.out == "" and "usage" in r.err


def read_terminal(master):
    """Returns what is left to read after the program has ended; it comes in pieces."""
    text = b""
    try:
        while chunk := os.read(master, 4096):
            text += chunk
    except OSError:
        pass
    os.close(master)
    return text


def test_greeting():
    """Without arguments, on a terminal: prints three commands to try, which work."""
    master, slave = pty.openpty()
    done = subprocess.run([PROGRAM], stdout=subprocess.DEVNULL, stderr=slave, env={**os.environ, "TERM": "dumb"})
    os.close(slave)
    text = read_terminal(master).decode().replace("\r", "")
    tries = [line.split()[1:] for line in text.split("\n") if line.startswith("  perp ")]
    assert done.returncode == 2 and len(tries) == 3 and text.count("\n") < 12, text
    for arguments in tries:
        assert perp(*arguments).status == 0, arguments


def test_wrong_calls():
    wrong("slove", says='did you mean "solve"')
    wrong("zzzzzz", says="perp help")
    wrong("help", "inf", says='"info"')
    wrong("solve", "d", "--metod", "pgs", says='did you mean "method"')
    wrong("solve", "d", "--zzzzzz", says=['"--zzzzzz"', "perp solve --help"])
    wrong("solve", "d", "-m", "pgs", says='"-m"')
    wrong("solve", says="usage: perp solve")
    wrong("solve", "a", "b", says='"b"')
    wrong("solve", "", says="empty")
    wrong("solve", "d", "--tol", says="--tol")
    wrong("solve", "d", "--tol", "--json", says="--tol")
    wrong("solve", "d", "--json=yes", says="--json")
    wrong("solve", "d", "--out=", says="--out")
    for option, values in {"tol": ["x", "1x", "nan", "-1", "inf", ""],
                           "max-iter": ["0", "-3", "1.5", "1e300", "99999999999999999999"],
                           "time-limit": ["0", "-1", "nan"],
                           "threads": ["0", "x", "1e9"], "check-every": ["0", "3000000000"],
                           "seed": ["-1", "x", "18446744073709551616"]}.items():
        for value in values:
            wrong("solve", "d", f"--{option}={value}", says=[f"--{option}", f'"{value}"'])
    wrong("solve", "d", "--method", "pggs", says=['"pggs"', 'did you mean "pgs"'])
    wrong("solve", "d", "--method", "zzzzzz", says="perp list")
    wrong("solve", "d", "--method", "pgs", "--set", "order", says="KEY=VALUE")
    wrong("solve", "d", "--method", "pgs", "--set", "=1", says="KEY=VALUE")
    wrong("solve", "d", "--method", "pgs", "--set", "ordre=1", says=['"ordre"', '"order"'])
    wrong("solve", "d", "--method", "pgs", "--set", "order=sideways", says="sideways")
    wrong("solve", "d", "--method", "pgs", "--set", "zzzzzz=1", says="perp list pgs")
    wrong("solve", "d", "--set", "zzzzzz=1", says=["auto", "it has none"])
    wrong("list", "pggs", says='"pgs"')
    wrong("list", "zzzzzz", says="perp list")
    wrong("bench", "zzzzzz", says="perp bench --list")
    wrong("bench", "dense", "--quick", "--only", "zzzzzz", "--peers", "none", says=["--only", "without --quick"])
    wrong("bench", "dense", "--quick", "--peers", "zzzzzz", says=["--peers", "folder"])
    os.mkdir("none")
    wrong("fclib", "none", says=["none", "no problem"])
    wrong("simulate", "cards:ball=maybe", says=["ball", "yes or no"])
    wrong("experiment", "zzzzzz", says="perp experiment --list")
    wrong("simulate", "zzzzzz", says="perp simulate --list")


def test_wrong_json():
    for call in (["solve", "nowhere"], ["info", "nowhere"], ["check", "nowhere"], ["slove"],
                 ["solve", "nowhere", "--tol", "x"]):
        r = wrong(*call, "--json")
        said = json.loads(r.out)
        assert said["error"] and r.err == f"perp: {said['message']}\n"
    # a name that is neither UTF-8 nor one line
    r = subprocess.run([PROGRAM, "info", b"a\xff\n\"\\\xc3\xa9", "--json"], capture_output=True)
    assert r.returncode == 2 and r.stderr.count(b"\n") == 1
    message = json.loads(r.stdout)["message"]
    assert message.startswith('a\ufffd?"\\\u00e9'), message


def test_option_spellings():
    small()
    a = fine_json("solve", "small", "--method", "pgs", "--tol", "1e-6", "--max-iter", "1e3")
    b = json.loads(fine("solve", "--json", "--method=pgs", "--tol=1e-6", "--max-iter=1000", "--",
                        "small").out)
    for r in a, b:
        r.pop("seconds"), r.pop("cpu_seconds")
    assert a == b and a["tol"] == 1e-6


def test_list_and_version():
    methods = {m["name"]: m for m in fine_json("list")["methods"]}
    assert "pgs" in methods and "lcp" in methods["pgs"]["takes"]
    lines = fine("list").out.splitlines()
    assert len(lines) == len(methods) + 2 and "perp list NAME" in lines[-1]
    assert max(map(len, lines)) <= 130
    for line, (name, m) in zip(lines, methods.items()):
        assert line.split()[:2] == [name, m["family"]] and line.endswith("  " + m["title"]), line
        text = fine("list", name).out
        assert f"{name}: {m['title']}" in text
        for p in m["parameters"]:
            assert f"--set {p['name']}=" in text and p["text"]
            if p["type"] == "choice":
                assert p["default"] in p["choices"]
            elif p["type"] != "flag":
                assert p["least"] <= p["default"] <= p["most"]
    assert [m["name"] for m in fine_json("list", "pgs")["methods"]] == ["pgs"]
    version = fine_json("version")
    assert fine("version").out.split("\n")[0] == f"perp {version['version']}"
    assert all(isinstance(c["present"], bool) for c in version["components"].values())


# ---- solve and check ----

def test_solve_small():
    small()
    for method in ("pgs", "auto"):
        r = fine_json("solve", "small", "--method", method, "--out", "x.mtx")
        for key in "method outcome solved residual iterations seconds n message".split():
            assert key in r, key
        assert r["method"] == method and r["outcome"] == "solved" and r["solved"] is True
        assert r["n"] == 3 and r["form"] == "lcp" and r["out"] == "x.mtx" and r["error"] is None
        assert r["residual"] <= 1e-8 and r["residual_absolute"] == r["residual"] * r["scale"]
        assert max(abs(a - b) for a, b in zip(read_vector("x.mtx"), [0, 3, 1])) < 1e-6
    text = fine("solve", "small").out
    assert "outcome     solved" in text and "iterations" in text
    assert fine("solve", "small", "--method", "pgs").out.startswith("method      pgs,")


def test_verbose():
    """A line for each iteration on stderr, and the same answer."""
    small()
    quiet = fine("solve", "small", "--method", "pgs", "--out", "-")
    assert quiet.err == ""
    r = perp("solve", "small", "--method", "pgs", "--verbose", "--out", "-")
    assert r.status == 0
    head, *lines = r.err.splitlines()
    assert head.split() == ["iteration", "residual", "merit", "seconds"]
    assert [int(line.split()[0]) for line in lines[:-1]] == list(range(len(lines) - 1))
    assert lines[-1].startswith("pgs: solved")
    assert read_text_vector(r.out) == read_text_vector(quiet.out)
    r = perp("solve", "ncp:nash10", "--verbose")
    assert r.status == 0 and r.err.splitlines()[1].split()[0] == "0"
    r = perp("qp", "mpc:horizon=5", "--verbose")
    head, *lines = r.err.splitlines()
    assert r.status == 0 and head.split() == ["iteration", "residual", "step", "seconds"]
    assert [int(line.split()[0]) for line in lines[:-1]] == list(range(1, len(lines)))


def read_text_vector(text):
    """The numbers of a Matrix Market array, behind the comments and the line of sizes"""
    return [float(line) for line in text.splitlines() if line[0] != "%" and " " not in line]


def test_layout():
    """Reports of all classes of problems have the same lines, and times have units."""
    small()
    shown = [fine(*call).out.splitlines() for call in (("solve", "small", "--method", "pgs"),
                                                       ("solve", "ncp:nash10"),
                                                       ("qp", "mpc:horizon=5"))]
    for lines in shown:
        names = [line.split()[0] for line in lines if line[0] != " "]
        wanted = ["method", "problem", "outcome", "residual", "iterations", "work", "time"]
        assert [n for n in names if n in wanted] == wanted, names
        time_line = next(line for line in lines if line.startswith("time "))
        assert time_line.split()[-1] in ("ns", "us", "ms", "s"), time_line


def test_json_vectors():
    """x and y are printed together, or neither."""
    small()
    r = fine_json("solve", "small")
    assert len(r["x"]) == len(r["y"]) == 3
    r = fine_json("solve", "ncp:nash10")
    assert len(r["x"]) == len(r["y"]) == 10
    r = fine_json("qp", "mpc:horizon=5")
    assert len(r["x"]) == len(r["w"]) == r["n"] and len(r["z"]) == r["rows"]
    r = fine_json("solve", "obstacle:points=129", "--method", "mg")
    assert r["n"] > 10000 and r["x"] is None and r["y"] is None
    r = fine_json("solve", "obstacle:points=129", "--method", "mg", "--print")
    assert len(r["x"]) == len(r["y"]) == r["n"]


def test_near_names():
    wrong("solve", "wal", says=["wal", 'did you mean "wall"?'])
    wrong("solve", "walll:rows=3", says=["walll", 'did you mean "wall"?'])
    wrong("info", "obstacel", says='did you mean "obstacle"?')
    wrong("solve", "zzzzzz:n=3", says="perp generate --list")
    for missing in ("zzzzzz.mat", "zzzzzz.hdf5", "zzzzzz/d"):
        wrong("solve", missing, says=[missing, "No such file"])
    wrong("qp", "portfolo", says='did you mean "portfolio"?')


def test_devices():
    """A device solves or refuses; it is never ignored silently."""
    rng = random.Random(24)
    for case in range(10):
        A, b, x, lo, hi = random_problem(rng, rng.randint(1, 8))
        name = folder(f"p{case}", A, b, **({"lo": lo, "hi": hi} if lo else {}))
        r = fine_json("solve", name, "--method", "blockpivot", "--device", "host",
                      "--judge", "host", "--out", "x.mtx")
        assert r["device"] == "host" and r["solved"], r
        assert max(abs(p - q) for p, q in zip(read_vector("x.mtx"), x)) < 1e-7
    r = fine_json("solve", "pd:n=30", "--method", "blockpivot", "--device", "host")
    assert r["device"] == "host" and r["solved"] and r["residual"] <= 1e-8
    assert fine_json("solve", "pd:n=30")["device"] is None
    text = fine("solve", "pd:n=9", "--method", "blockpivot", "--device", "host").out
    assert "device      host" in text, text
    wrong("solve", "pd:n=30", "--device", "host", says="auto does not run on devices")
    wrong("solve", "pd:n=97", "--method", "blockpivot", "--device", "host", says="at most n = 96")
    wrong("solve", "pd:n=30", "--device", "abacus", says=["abacus", "host"])
    wrong("solve", "pd:n=30", "--judge", "cuda", says="--judge cuda")
    wrong("solve", "pd:n=30", "--judge", "device", says="--device")
    r = perp("solve", "pd:n=30", "--method", "blockpivot", "--device", "cuda")
    assert r.status == 0 or (r.status == 2 and r.out == "" and "cuda" in r.err), r.err
    for device in ["host", "cuda"] if r.status == 0 else ["host"]:
        answers = []
        for judge in ["host", "device"]:
            r = fine_json("solve", "obstacle:points=34", "--method", "mg", "--device", device,
                          "--judge", judge)
            assert r["solved"] and r["residual"] <= 1e-8 and len(r["x"]) == len(r["y"]) == r["n"], r
            answers.append((r["outcome"], r["x"]))
        assert answers[0] == answers[1], f"{device}: the verdict of the processor is another one"


def test_simulate_on_a_device():
    """Liquid whose pressure is solved on a device moves as on the CPU."""
    for scene in ["dam:cells=16", "ceiling:cells=10,solid=yes"]:
        tables = []
        for where in [["--method", "mg"], ["--device", "host"]]:
            fine("simulate", scene, "--steps", "4", "--csv", "t.csv", *where)
            with open("t.csv") as file:
                tables.append(list(csv.DictReader(file)))
        for a, b in zip(*tables):
            assert a["outcome"] == b["outcome"] == "solved", (a, b)
            assert a["rows"] == b["rows"] and a["iterations"] == b["iterations"], (a, b)
            assert abs(float(a["volume"]) - float(b["volume"])) < 1e-9, (a, b)
        assert len(tables[0]) == len(tables[1]) == 4
    wrong("simulate", "discs", "--device", "host", says="mg")
    wrong("simulate", "dam", "--device", "host", "--method", "pgs", says="does not run on devices")
    wrong("simulate", "dam", "--device", "abacus", says="abacus")


def test_solve_agrees_with_oracle():
    rng = random.Random(1)
    for case in range(40):
        A, b, x, lo, hi = random_problem(rng, rng.randint(1, 8))
        name = folder(f"p{case}", A, b, **({"lo": lo, "hi": hi} if lo else {}))
        r = fine_json("solve", name, "--method", "pgs", "--tol", "1e-10", "--out", "x.mtx")
        found = read_vector("x.mtx")
        scale = max(map(abs, b)) or 1.0
        residual = natural_residual(A, b, found, lo, hi)
        assert residual <= 1.01e-10 * scale and abs(r["scale"] - scale) <= 1e-15 * scale
        assert max(abs(p - q) for p, q in zip(found, x)) < 1e-7
        # a wrong x: check sees the same residual as we do, and the row where it is
        bad = [v + (rng.uniform(-1, 1) if rng.random() < 0.5 else 0) for v in x]
        write_array("bad.mtx", len(b), 1, bad)
        expected = natural_residual(A, b, bad, lo, hi)
        status = 0 if expected <= 1e-8 * scale else 1
        c = fine_json("check", name, "bad.mtx", status=status)
        assert abs(c["residual_absolute"] - expected) <= 1e-12 * (1 + expected)
        assert abs(c["residual"] - expected / scale) <= 1e-12 * (1 + expected)
        assert c["solved"] == (status == 0)
        worst = c["worst"]
        y = b[worst["row"]] + sum(p * q for p, q in zip(A[worst["row"]], bad))
        assert worst["x"] == bad[worst["row"]] and abs(worst["y"] - y) < 1e-12 * (1 + abs(y))
        assert abs(worst["violation"] - expected) <= 1e-12 * (1 + expected)
        assert worst["hi"] == (hi[worst["row"]] if hi else None)


def test_check():
    small()
    write_array("good.mtx", 3, 1, [0.0, 3.0, 1.0])
    write_array("bad.mtx", 3, 1, [0.0, 3.5, 1.0])
    write_array("short.mtx", 2, 1, [0.0, 3.0])
    write_array("nan.mtx", 3, 1, [0.0, math.nan, 1.0])
    assert "verdict   solved" in fine("check", "small", "good.mtx").out
    text = fine("check", "small", "bad.mtx", status=1).out
    assert "verdict   not solved" in text and "row 1: x = 3.5, y = 1.5, bounds [0, inf]" in text
    fine("check", "small", "bad.mtx", "--tol", "10")
    wrong("check", "small", says="x.mtx")
    wrong("check", "small", "short.mtx", says="short.mtx")
    wrong("check", "small", "gone.mtx", says="gone.mtx")
    wrong("check", "small", "small", says="small")
    r = fine_json("check", "small", "nan.mtx", status=1)
    assert not r["solved"] and r["residual"] is None and r["worst"]["row"] == 1
    shutil.copy("bad.mtx", "small/x.mtx")
    fine("check", "small", status=1)
    shutil.copy("good.mtx", "small/x.mtx")
    fine("check", "small")


def test_certificates():
    inf = math.inf
    folder("null", [[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0])
    folder("box", [[0.0, 1.0], [1.0, 0.0]], [-9.0, 0.0], lo=[-inf, 0.0], hi=[inf, 5.0])
    for name in ("null", "box"):
        r = fine_json("solve", name, "--out-u", "u.mtx", "--out-y", "y.mtx", status=1)
        assert r["outcome"] == "infeasible" and r["out_u"] == "u.mtx", r
        assert r["u"] == read_vector("u.mtx") and r["y"] == read_vector("y.mtx"), r
        assert "holds exactly" in fine("check", name, "--certificate", "u.mtx").out
        write_array("bad.mtx", 2, 1, [1.0, 1e-16])
        assert "not a certificate" in fine("check", name, "--certificate", "bad.mtx", status=1).out
        assert fine_json("check", name, "--certificate", "bad.mtx", status=1)["message"]
        shutil.copy("u.mtx", f"{name}/u.mtx")
        assert fine_json("check", name)["infeasible"] is True
        os.remove("u.mtx")
    wrong("check", "null", "x.mtx", "--certificate", "null/u.mtx", says="not both")
    small()
    r = fine_json("solve", "small", "--out-u", "u.mtx")
    assert r["u"] is None and r["out_u"] is None and not os.path.exists("u.mtx")
    # to a rounding of y, whose terms are of the size of 2
    assert all(abs(a - b) <= 2**-52 for a, b in zip(r["y"], [2.0, 0.0, 0.0], strict=True)), r["y"]


def test_digits():
    fine_grid = "obstacle:points=33,load=1e-5"
    r = fine_json("solve", fine_grid, status=1)
    assert r["outcome"] == "precision" and r["floor"] > 1e-8, r
    assert r["residual"] <= 4 * r["floor"] and "x_low" in r["message"], r
    files = ("--out", "x.mtx", "--out-low", "low.mtx", "--tol", "1e-13")
    r = fine_json("solve", fine_grid, *files)
    assert r["solved"] and r["out_low"] == "low.mtx" and r["x_low"] == read_vector("low.mtx"), r
    c = fine_json("check", fine_grid, "x.mtx", "--low", "low.mtx", "--tol", "1e-13")
    assert c["solved"] and c["residual"] == r["residual"], c
    fine("check", fine_grid, "x.mtx", "--tol", "1e-13", status=1)
    wrong("check", fine_grid, "x.mtx", "--low", "none.mtx", says="none.mtx")
    wrong("check", fine_grid, "--low", "low.mtx", "--certificate", "u.mtx", says="not both")
    wrong("solve", "stack:form=cone", "--out-low", "low.mtx", says="x_low")


def test_all_solutions():
    folder("corners", [[-1.0, 0.0], [0.0, -1.0]], [1.0, 1.0])
    r = fine_json("solve", "corners", "--method", "enumerate", "--all")
    assert sorted(s["x"] for s in r["solutions"]) == [[0, 0], [0, 1], [1, 0], [1, 1]], r
    assert all(s["isolated"] for s in r["solutions"])
    folder("line", [[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0])
    text = fine("solve", "line", "--method", "enumerate", "--all").out
    assert "in a continuum" in text and "and a continuum, of 4 cases" in text, text
    wrong("solve", "line", "--all", says="enumerate")
    for method in ("auto", "enumerate"):
        r = fine_json("solve", "none", "--method", method, status=1)
        assert r["outcome"] == "unsolvable" and "cases" in r["message"], r


def test_check_cone():
    # one contact, A = I: y = x + b; at rest x = -b inside the cone
    A = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
    folder("cone", A, [-2.0, 0.5, 0.0], mu=[0.5])
    write_array("rest.mtx", 3, 1, [2.0, -0.5, 0.0])
    write_array("off.mtx", 3, 1, [2.0, -0.5, 0.25])
    assert fine_json("check", "cone", "rest.mtx")["form"] == "cone"
    # y = (0, 0, 0.25) raises y_n to 0.125: x - y' = (1.875, -0.5, 0), in the cone
    c = fine_json("check", "cone", "off.mtx", status=1)
    assert c["residual_absolute"] == 0.25 and c["scale"] == 2.0
    assert c["worst"]["row"] == 2 and c["worst"]["cone"] == 0 and c["worst"]["mu"] == 0.5
    assert "in cone 0" in fine("check", "cone", "off.mtx", status=1).out


def test_empty_problem():
    folder("empty", [], [])
    r = fine_json("solve", "empty", "--out", "x.mtx", "--trace", "t.csv")
    assert r["n"] == 0 and r["solved"] and read_vector("x.mtx") == []
    fine("solve", "empty")
    fine("check", "empty", "x.mtx")
    fine("info", "empty")
    assert fine_json("info", "empty")["n"] == 0


def test_info():
    small()
    r = fine_json("info", "small")
    assert (r["n"], r["form"], r["symmetric"], r["z_matrix"]) == (3, "lcp", True, False)
    assert r["diagonal"] == {"min": 2, "max": 4, "zeros": 0, "negatives": 0}
    assert r["known_solution"] is False and r["certificate"] is False
    # eigenvalues by the characteristic polynomial: det(A - t I)
    poly = lambda t: (4 - t) * ((3 - t) * (2 - t) - 1) - (2 - t)
    if r["eigen_min"] is not None:
        assert abs(poly(r["eigen_min"])) < 1e-6 and abs(poly(r["eigen_max"])) < 1e-6
        assert abs(r["condition"] - r["eigen_max"] / r["eigen_min"]) < 1e-6 * r["condition"]
    folder("odd", [[1.0, 2.0], [0.0, -1.0]], [1.0, 1.0], x=[0.0, 0.0])
    r = fine_json("info", "odd")
    assert not r["symmetric"] and r["diagonal"]["negatives"] == 1 and r["known_solution"]
    assert "symmetric   no" in fine("info", "odd").out


def test_info_counts_contacts():
    """Contacts with dim, by their rows and their law; without law.mtx all are elliptic."""
    dim, law = [3, 6, 1, 6, 3, 6], [0, 1, 0, 0, 0, 1]
    n = sum(dim)
    used = {1: (), 3: (0, 1), 6: (0, 1, 2, 3, 4)}
    folder("mixed", [[float(i == j) for j in range(n)] for i in range(n)], [1.0] * n, dim=dim, law=law)
    write_array("mixed/mu.mtx", len(dim), 5, [0.5 if k in used[d] else 0.0 for k in range(5) for d in dim])
    r = fine_json("info", "mixed")
    assert r["cones"] == 6 and r["contacts"] == [
        {"dim": 1, "law": "elliptic", "count": 1}, {"dim": 3, "law": "elliptic", "count": 2},
        {"dim": 6, "law": "elliptic", "count": 1}, {"dim": 6, "law": "discs", "count": 2}], r
    assert "contacts    1 of dim 1 (elliptic), 2 of dim 3 (elliptic)," in fine("info", "mixed").out
    os.remove("mixed/law.mtx")
    assert fine_json("info", "mixed")["contacts"][-1] == {"dim": 6, "law": "elliptic", "count": 3}
    assert "contacts" not in fine_json("info", small())


def test_solve_nonlinear():
    known = fine_json("list", "ncp")["problems"]
    assert len(known) >= 30
    assert "kojshin" in fine("list", "ncp").out
    # sales of ten firms, as published
    published = [7.4415, 4.0978, 2.5906, 0.9354, 17.949, 4.0978, 1.3047, 5.5901, 3.2222, 1.6771]
    for method in ("josephy", "fischer", "minmap", "homotopy", "interior"):
        r = fine_json("solve", "ncp:nash10", "--method", method, "--print")
        assert r["solved"] and r["method"] == method and r["n"] == 10 and r["residual"] <= 1e-8
        assert max(abs(a - b) for a, b in zip(r["x"], published)) < 1e-3
    fine("solve", "ncp:nash10,start=1", "--out", "nash.mtx", "--out-y", "F.mtx")
    assert max(abs(a - b) for a, b in zip(read_vector("nash.mtx"), published)) < 1e-3
    assert max(map(abs, read_vector("F.mtx"))) < 1e-7
    again = fine_json("solve", "ncp:nash10", "--start", "nash.mtx")
    assert again["iterations"] == 0
    r = fine_json("solve", "ncp:billups", "--method", "minmap", status=1)
    assert not r["solved"] and r["outcome"] == "local-minimum"
    wrong("solve", "ncp:nahs5", says=["nahs5", "nash5"])
    wrong("solve", "ncp:nash5,start=7", says=["0 .. 2"])
    write_array("zero.mtx", 4, 1, [1, 0, 0, 1])
    assert fine_json("solve", "ncp:mathiesen", "--start", "zero.mtx")["solved"]  # moved to where F is defined
    wrong("solve", "ncp:nash5", "--method", "pgs", says=["pgs", "josephy"])
    wrong("solve", "ncp:nash5", "--trace", "t.csv", says=["--trace"])
    wrong("solve", "ncp:nash5", "--set", "omega=1", says=["omega"])
    wrong("solve", "ncp:hs71", "--set", "linear=lemke", says=["lemke", "boxed"])


def test_start():
    small()
    write_array("x0.mtx", 3, 1, [0.0, 3.0, 1.0])
    write_array("short.mtx", 1, 1, [0.0])
    assert fine_json("solve", "small", "--method", "pgs", "--start", "x0.mtx")["iterations"] == 0
    wrong("solve", "small", "--start", "short.mtx", says="short.mtx")
    wrong("solve", "small", "--start", "gone.mtx", says="gone.mtx")
    write_array("nan.mtx", 3, 1, [0.0, math.nan, 1.0])
    wrong("solve", "small", "--start", "nan.mtx", says=["nan.mtx", "x[1]"])
    fine("solve", "small", "--start", "x0.mtx", "--out", "x0.mtx")


def test_trace():
    small()
    r = fine_json("solve", "small", "--method", "pgs", "--trace", "t.csv")
    with open("t.csv") as f:
        header, *rows = [line.strip().split(",") for line in f]
    assert header == "iteration seconds residual residual_absolute merit checked".split()
    assert [int(row[0]) for row in rows] == list(range(r["iterations"] + 1))
    assert all(row[5] == "1" for row in rows)
    assert abs(float(rows[-1][3]) - r["residual_absolute"]) <= 1e-14 and float(rows[-1][2]) <= 1e-8
    # at the start x = 0 and y = b: the residual is that of the oracle
    assert float(rows[0][3]) == max(-v for v in read_vector("small/b.mtx"))
    seconds = [float(row[1]) for row in rows]
    assert seconds == sorted(seconds)
    fine("solve", "small", "--method", "pgs", "--trace", "t.csv", "--check-every", "3")
    with open("t.csv") as f:
        checked = [line.strip().split(",")[5] for line in f][1:]
    assert all(c == ("0" if i % 3 else "1") for i, c in enumerate(checked))


def test_not_solved():
    chain("chain", 200)
    r = fine_json("solve", "chain", "--method", "pgs", "--max-iter", "20", "--out", "x.mtx",
                  status=1)
    assert r["outcome"] == "iteration-limit" and not r["solved"] and r["iterations"] == 20
    assert any(read_vector("x.mtx")) and r["error"] is None
    began = time.monotonic()
    r = fine_json("solve", "chain", "--method", "pgs", "--tol", "0", "--max-iter", "1e15",
                  "--time-limit", "0.3", status=1)
    assert r["outcome"] in ("time-limit", "precision") and time.monotonic() - began < 20
    assert "outcome     iteration-limit" in fine("solve", "chain", "--method", "pgs",
                                                 "--max-iter", "20", status=1).out


def test_record_and_replay():
    """A failed solve is recorded, and solving the record gives the same bytes."""
    chain("recorded", 60)
    r = fine_json("solve", "recorded", "--method", "psor", "--set", "omega=1.3", "--max-iter", 5,
                  "--tol", "1e-12", "--out", "first.mtx", "--record", "failed", status=1)
    assert r["record"] and os.path.isdir(r["record"]), r
    again = fine_json("solve", r["record"], "--replay", "--out", "second.mtx", status=1)
    for key in ("method", "outcome", "residual", "iterations", "tol", "parameters"):
        assert again[key] == r[key], (key, again[key], r[key])
    assert read_vector("first.mtx") == read_vector("second.mtx")
    for _ in range(3):
        fine("solve", "recorded", "--method", "pgs", "--max-iter", 1, "--record", "failed",
             "--record-keep", 2, status=1)
    assert len(os.listdir("failed")) == 2, os.listdir("failed")
    small("easy")
    assert fine_json("solve", "easy", "--record", "failed")["record"] is None
    r = fine_json("solve", "recorded", "--method", "pgs", "--max-iter", 1, "--record", "failed",
                  "--record-most", 100, status=1)
    assert "limit" in r["record"], r["record"]
    wrong("solve", "recorded", "--replay", says="solve.txt")
    wrong("solve", "failed", "--replay", "--method", "pgs", says="--replay")


def test_replay_draws():
    """perp replay lists the rows that fail, judged here again, and draws each as a dot."""
    n = 60
    chain("drawn", n)
    record = fine_json("solve", "drawn", "--method", "psor", "--max-iter", 5, "--tol", "1e-6",
                       "--record", "failed", "--out", "x.mtx", status=1)["record"]
    r = fine_json("replay", record, "--html", "rows.html", status=1)
    x, b = read_vector("x.mtx"), read_vector("drawn/b.mtx")
    y = [b[i] + 2 * x[i] - (x[i - 1] if i else 0) - (x[i + 1] if i + 1 < n else 0)
         for i in range(n)]
    scale = max(map(abs, b))
    failure = {i: abs(x[i] - max(x[i] - y[i], 0)) / scale for i in range(n)}
    rows = [row["row"] for row in r["failed"]]
    assert sorted(rows) == [i for i in range(n) if failure[i] > 1e-6] and 0 < len(rows) < n, rows
    for row in r["failed"]:
        assert abs(row["failure"] - failure[row["row"]]) < 1e-12 and row["x"] == x[row["row"]], row
    assert [row["failure"] for row in r["failed"]] == sorted((f["failure"] for f in r["failed"]),
                                                            reverse=True)
    with open("rows.html") as f:
        page = f.read()
    assert page.count("<circle") >= n and f"{len(rows)} of {n} rows fail" in page, "dots"
    assert [int(p.split("</td>")[0]) for p in page.split("<tr><td>")[1:]] == rows, "table"
    text = fine("replay", record, status=1).out
    assert f"rows        {n}, {len(rows)} of them fail" in text, text
    assert f"row {rows[0]:<7d} fails by" in text, text
    wrong("replay", "drawn", says="solve.txt")
    wrong("replay", record, "--html", "nowhere/rows.html", says="nowhere")


def test_simulate_engine():
    """A scene inside an engine, its own solvers and ours, on one page."""
    tests = os.path.join(os.path.dirname(PROGRAM), "..", "tests")
    runs = {"bullet": ["sequential impulses", "impulses, 1000 sweeps", "dantzig", "perp, dense", "perp"],
            "dart": ["dantzig", "pgs", "perp", "perp, pyramids", "perp, dense", "perp, frozen normals"],
            "ode": ["dWorldQuickStep", "dWorldStep", "perp"]}
    for engine, labels in runs.items():
        if not os.path.exists(os.path.join(tests, "scenes_" + engine)):
            continue
        fine("simulate", "box", "--engine", engine, "--steps", 12, "--every", 3, "--html", "e.html")
        data = page_data("e.html")["runs"]
        assert [run["label"] for run in data] == [f"{engine}: {label}" for label in labels], labels
        for run in data:
            assert len(run["steps"]["time"]) == 12 and len(run["shapes"]) == 3, run["label"]
            ours = ": perp" in run["label"]
            # 2: the engine's solver reports a failure, as Bullet's dantzig does on some processors
            told = (run["steps"]["solved"] if ours else [min(t, 1) for t in run["steps"]["ode"]])
            assert told == [1] * 12 and run["ode"] == (0 if ours else 12), run["steps"]
        r = fine_json("simulate", "box", "--engine", engine, "--steps", 12)
        assert [run["steps"] for run in r["runs"]] == [12] * len(labels), r
        assert "quadruped" in fine("simulate", "--engine", engine, "--list").out
        r = perp("simulate", "nothing", "--engine", engine, "--steps", 2)
        assert r.status == 2 and "no scene nothing" in r.err, r.err
    wrong("simulate", "box", "--engine", "darts", says="dart")
    wrong("simulate", "box", "--engine", "zzzzzz", says="use dart")
    wrong("simulate", "box", "--engine", "dart", "--tol", "1e-3", says="--engine")
    os.environ["PERP_ENGINES"] = os.getcwd()
    shutil.copy(PROGRAM, "alone")  # a copy without a program of scenes next to it
    done = subprocess.run(["./alone", "simulate", "box", "--engine", "dart"], capture_output=True)
    del os.environ["PERP_ENGINES"]
    assert done.returncode == 2 and b"scenes_dart not found" in done.stderr, done.stderr
    if not any(os.path.exists(os.path.join(tests, "scenes_" + name)) for name in runs):
        raise Skip("no scenes of an engine in this build")


URDF = """<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <link name="arm"><inertial><origin xyz=".2 0 0"/><mass value="1"/>
    <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz=".2 0 0"/><geometry><box size=".4 .1 .1"/></geometry></collision></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def test_simulate_robot():
    """A model of MuJoCo's: every step judged, on a page, in a table, recorded; wrong files are named."""
    here = os.path.dirname(os.path.abspath(__file__))
    robots, shapes = os.path.join(here, "../examples/robots"), os.path.join(here, "robot_shapes.xml")
    if not fine_json("version")["components"]["mujoco"]["present"]:
        wrong("simulate", shapes, says=["without MuJoCo", "libmujoco-dev"])
        raise Skip("perp was built without MuJoCo")
    for name, steps in ("chain", 3), ("fourbar", 50), ("gripper", 50), ("grasp", 50), ("hand", 30), \
            ("humanoid", 50), ("quadruped", 50):
        run = fine_json("simulate", f"{robots}/{name}.xml", "--steps", steps)["runs"][0]
        assert run["solved"] == run["steps"] == steps and run["most_rows"] > 0, (name, run)
        assert run["worst_residual"] <= 1e-8, (name, run)
    fine("simulate", shapes, "--steps", 90, "--html", "r.html", "--csv", "r.csv", "--record", "r")
    run = page_data("r.html")["runs"][0]
    assert [s["kind"] for s in run["shapes"]] == ["box", "mesh", "mesh", "mesh", "capsule", "sphere", "box"]
    corners = [len(s["corner"]) // 9 for s in run["shapes"] if s["kind"] == "mesh"]
    assert corners == [24 * 4, 24 * 22, 4], corners  # a cylinder, an ellipsoid, four faces
    assert all(abs(abs(v) - 0.15) < 1e-6 for v in run["shapes"][1]["corner"][2::3]), "not that cylinder"
    with open("r.csv") as f:
        rows = list(csv.DictReader(f))
    assert len(run["forces"]) == 91 and run["forces"][1:] == [int(row["contacts"]) for row in rows]
    assert max(run["forces"]) > 5 and rows[0]["rows"] == "0" and rows[-1]["outcome"] == "solved", rows[-1]
    energy = [float(row["kinetic"]) + float(row["potential"]) for row in rows]
    assert energy[-1] < energy[0], energy  # it has fallen and lies
    assert all(fine_json("solve", "r/" + name)["solved"] for name in sorted(os.listdir("r"))[-3:])
    soft = fine_json("simulate", f"{robots}/gripper.xml", "--steps", 100, "--compare", "law=rigid,soft")
    assert [run["solved"] for run in soft["runs"]] == [100, 100], soft
    with open("arm.urdf", "w") as f:
        f.write(URDF)
    run = fine_json("simulate", "arm.urdf", "--steps", 700)["runs"][0]
    assert run["solved"] == 700 and run["most_rows"] == 1 and run["kinetic"] < 1e-12, run  # at its limit
    assert "key=0" in fine("simulate", shapes, "--list").out
    wrong("simulate", "nowhere.xml", says="nowhere.xml: no such file")
    with open("broken.xml", "w") as f:
        f.write("<mujoco><worldbody><body><geom size='-1'/></body></worldbody></mujoco>")
    wrong("simulate", "broken.xml", says=["broken.xml", "size"])
    wrong("simulate", shapes + ":law=stiff", says="law=rigid|soft, exact=yes|no, key=NUMBER")
    for value in "exact=maybe", "key=x", "key=-1", "key=", "law":
        wrong("simulate", shapes + ":" + value, says=f'"{value}"')
    with open("plain.xml", "w") as f:
        f.write("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    fine("simulate", "plain.xml", "--steps", 2, "--html", "plain.html")
    with open("plain.html") as f:
        assert "<title>plain, plain.xml" in f.read()
    wrong("simulate", shapes + ":key=7", says="0 keyframes")
    wrong("simulate", shapes + ":mu=1", says="mu=1")
    wrong("simulate", shapes, "--islands", says="--islands")
    wrong("simulate", shapes, "--device", "host", says="--device")
    wrong("simulate", shapes, "--method", "nncgg", says='"nncg"')


def test_simulate_engine_broken():
    """A program of scenes that crashes, cannot be run or writes nonsense is reported."""
    os.makedirs("broken", exist_ok=True)
    os.environ["PERP_ENGINES"] = os.path.join(os.getcwd(), "broken")
    copy = 'while [ $# -gt 0 ]; do [ "$1" = --trace ] && echo "%s" >"$2"; shift; done\n'
    for script, says in (("#!/bin/sh\nkill -SEGV $$\n", "ended by signal 11"),
                         ("no program", "cannot be run"),
                         ("#!/bin/sh\n" + copy % "run x", "unknown kind of run: x"),
                         ("#!/bin/sh\n" + copy % "pose 1", "unexpected line: pose")):
        with open("broken/scenes_bullet", "w") as f:
            f.write(script)
        os.chmod("broken/scenes_bullet", 0o755)
        wrong("simulate", "box", "--engine", "bullet", "--steps", 2, "--html", "e.html", says=says)
        assert not os.path.exists("e.html"), script
    del os.environ["PERP_ENGINES"]


def test_simulate():
    """A scene writes a table, problems, and a self-contained page."""
    r = fine_json("simulate", "tower:n=3", "--steps", 20, "--html", "t.html", "--csv", "t.csv",
                  "--record", "frames", "--compare", "friction=none,findex")
    assert [run["solved"] for run in r["runs"]] == [20, 20], r
    assert r["runs"][1]["scene"] == "tower:n=3,friction=findex", r
    with open("t.csv") as f:
        rows = f.read().splitlines()
    assert len(rows) == 41 and rows[0].startswith("run,step,time,"), rows[:2]
    with open("t.html") as f:
        page = f.read()
    assert "http" not in page and "src=" not in page and "href=" not in page, "not self-contained"
    data = page_data("t.html")
    assert len(data["runs"]) == 2 and data["runs"][0]["frames"] == 21
    assert len(data["runs"][0]["shapes"]) == 4 and len(data["runs"][1]["steps"]["rows"]) == 20
    names = sorted(os.listdir("frames"))
    assert names and fine_json("solve", "frames/" + names[-1])["solved"]
    assert "discs" in fine("simulate", "--list").out
    listed = fine("simulate", "tower", "--list").out
    assert "  ratio=1000 " in listed and "discs" not in listed and "--set" not in listed, listed
    wrong("simulate", "tower:n=3", "--set", "mu=0.1", says="tower:n=3,mu=0.1")
    liquid = fine("simulate", "dam:cells=8", "--steps", 3, "--html", "dam.html").out
    assert "volume" in liquid and "penetration" not in liquid, liquid
    rest = fine("simulate", "rolling", "--steps", 2).out
    assert "at most 0\n" in rest, rest
    with open("dam.html") as f:
        assert '"deepest":null' in f.read()
    wrong("simulate", "towerr", says=['"towerr"', "tower"])
    wrong("simulate", "tower:n=x", says="n")
    wrong("simulate", "tower", "--method", "nncgg", says='"nncg"')
    wrong("simulate", says="--list")
    wrong("simulate", "tower", "--method", "enumerate", says="frame 1")
    wrong("simulate", "tower", "--compare", "mu", says="--compare")


def test_simulate_trouble():
    """An unsolved step is reported with its number, its problem is kept, and the run continues."""
    r = perp("simulate", "tower:n=60", "--steps", 8, "--method", "pgs", "--tol", "1e-14", "--html",
            "t.html", "--json")
    done = json.loads(r.out)["runs"][0]
    assert r.status == 1 and done["steps"] == 8 and done["solved"] < 8, done
    lines = r.err.splitlines()
    assert len(lines) == min(5, 8 - done["solved"]) + 1 and "frame " in lines[0], lines
    kept = sorted(os.listdir("t.html.failed"))
    assert len(kept) in (5, 6), kept  # the first 5, and a worse one
    assert all(line.endswith("/" + name) for name, line in zip(kept, lines[:5])), (kept, lines)
    assert f"{done['worst_frames'][0]['frame']:06}" in kept, (done, kept)
    assert fine_json("info", "t.html.failed/" + kept[0])["n"] == done["most_rows"]
    # compared runs keep separate problems, and the line names the run
    r = perp("simulate", "tower:n=60", "--steps", 8, "--tol", "1e-14", "--compare", "method=pgs,psor",
            "--failed", "two", "--record", "all")
    kept = sorted(os.listdir("two"))
    assert any(k.startswith("pgs-") for k in kept) and any(k.startswith("psor-") for k in kept), kept
    assert "with pgs, frame" in r.err and "with psor, frame" in r.err, r.err
    assert len(os.listdir("all")) == 16, os.listdir("all")


def test_simulate_limited():
    """Steps ended by a limit of the caller are named in the summary and kept on request."""
    call = ["simulate", "bricks:rows=4,columns=4", "--steps", 30, "--method", "pgs", "--max-iter", 3]
    r = perp(*call, "--csv", "t.csv", "--html", "t.html", "--json")
    done = json.loads(r.out)
    assert r.status == 1 and r.err == "" and done["failed"] is None, r.err
    assert not os.path.exists("t.html.failed")
    with open("t.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    bad = {int(row["step"]): float(row["residual"]) for row in rows if row["outcome"] != "solved"}
    run = done["runs"][0]
    assert run["unsolved"] == len(bad) > 10 and run["solved"] == 30 - len(bad), run
    ranges = run["unsolved_frames"]
    assert [k for a, b in ranges for k in range(a, b + 1)] == sorted(bad), (ranges, bad)
    worst = sorted(bad, key=lambda k: -bad[k])
    assert [w["frame"] for w in run["worst_frames"]] == worst[:3], (run, bad)
    said = fine(*call, "--failed", "kept", status=1).out
    assert f"not solved   {len(bad)}: frames " in said and f" {worst[0]} (" in said, said
    first = sorted(bad)[:5]
    kept = sorted({*first, worst[0]} if bad[worst[0]] > max(bad[k] for k in first) else first)
    assert [int(name) for name in sorted(os.listdir("kept"))] == kept, (os.listdir("kept"), bad)
    assert fine_json(*call, "--failed", "others", status=1)["failed"] == "others"
    # the problem of the worst frame is kept
    fine(*call, "--record", "all", status=1)
    with open(f"all/{worst[0]:06}/b.mtx", "rb") as a, open(f"kept/{worst[0]:06}/b.mtx", "rb") as b:
        assert a.read() == b.read()
    help_text = fine("simulate", "--help").out
    words = " ".join(help_text.split())
    assert "first five of each run and the worst" in words and "second Ctrl-C" in words, help_text


def test_simulate_earlier_runs():
    """Files of an earlier run are removed, so that they are not mistaken for this run's, and nothing else."""
    trouble = ["simulate", "tower:n=60", "--steps", 5, "--method", "pgs", "--tol", "1e-14"]
    calm = ["simulate", "tower:n=3", "--steps", 5]
    perp(*trouble, "--html", "t.html")
    old = sorted(os.listdir("t.html.failed"))
    assert old
    for name in "notes", "000099-x", "000098":
        os.mkdir("t.html.failed/" + name)
    for name in "mine-000001", "000097":  # problems, but not in the form that this program writes
        folder("t.html.failed/" + name, [[1.0]], [1.0], x=[0.0])
    write_array("t.html.failed/000097/more.mtx", 1, 1, [1.0])
    os.symlink("mine-000001", "t.html.failed/000096")
    stay = ["000096", "000097", "000098", "000099-x", "mine-000001", "notes"]
    wrong("simulate", "tower:n=3", "--method", "gpcg", "--html", "t.html", says="frame 1")
    assert set(old) <= set(os.listdir("t.html.failed")), "cleared though nothing was made"
    r = perp(*calm, "--html", "t.html")
    assert r.status == 0 and "3 problems" in r.err and r.err.count("\n") == 1, r.err
    assert sorted(os.listdir("t.html.failed")) == stay, os.listdir("t.html.failed")
    assert sorted(os.listdir("t.html.failed/mine-000001")) == ["A.mtx", "b.mtx", "x.mtx"]
    perp(*trouble, "--html", "u.html")
    assert fine_json(*calm, "--html", "u.html")["failed"] is None
    assert not os.path.exists("u.html.failed")
    fine(*calm, "--record", "all")
    before = sorted(os.listdir("all"))
    wrong(*calm, "--record", "all", says=["all", f"{len(before)} problems", "000001"])
    wrong(*calm, "--failed", "all", says="all")
    wrong(*calm, "--record", "both", "--failed", "both", says="two different folders")
    assert sorted(os.listdir("all")) == before and not os.path.exists("both")
    assert fine("simulate", "tower:n=3", "--steps", 2, "--failed", "none").out.count("nothing to keep")
    assert not os.path.exists("none")
    # a folder that cannot be created is an error before the first step
    wrong(*calm, "--failed", "no/where", says="no/where")
    with open("v.html.failed", "w") as f:
        f.write("mine")
    wrong(*calm, "--html", "v.html", says="v.html.failed")
    assert not os.path.exists("v.html")
    wrong(*trouble, "--failed", "/dev/null/none", says="/dev/null/none")
    fine(*calm, "--html", "/dev/null")
    assert not os.path.exists("/dev/null.failed")


def test_simulate_summary():
    said = fine("simulate", "tower:n=3", "--steps", 4, "--record", "r", "--csv", "c.csv").out
    assert "record       r: 4 problems" in said, said
    r = fine_json("simulate", "tower:n=3", "--steps", 4, "--record", "q", "--spectrum", "s.csv")
    assert (r["record"], r["spectrum"], r["failed"], r["html"]) == ("q", "s.csv", None, None), r
    said = fine("simulate", "discs:n=3", "--steps", 2).out
    assert "2, none with a problem to solve" in said, said
    # the values as they are set, and the seed
    listed = fine("simulate", "discs:n=7,friction=cone,seed=4", "--list").out
    assert "  n=7 (" in listed and "  friction=cone (" in listed and "  seed=4 " in listed, listed
    listed = fine_json("simulate", "discs:n=7", "--list")["scenes"][0]["parameters"]
    named = {p["name"]: p for p in listed}
    assert named["n"]["value"] == "7" and "value" not in named["mu"] and "seed" in named, named
    wrong("simulate", "discs:m=7", "--list", says="'m'")
    assert "  seed=1 " in fine("simulate", "--list").out


def test_simulate_limits_of_methods():
    """pgs:40 is pgs with its own --max-iter, next to a run without."""
    call = "simulate", "bricks:rows=3,columns=3", "--steps", 5, "--compare"
    auto, sweeps = fine_json(*call, "method=auto,pgs:2", status=1)["runs"]
    assert auto["solved"] == 5 and sweeps["method"] == "pgs" and sweeps["solved"] < 5, (auto, sweeps)
    for count in "x", "0", "2x", "":
        wrong(*call, f"method=auto,pgs:{count}", says="pgs:40")


def test_simulate_keystone():
    """The blow moves the keystone in the step that is named, and no step before it."""
    fine("simulate", "arch3d:n=5,friction=cone,knock=4", "--steps", 6, "--csv", "a.csv")
    with open("a.csv", newline="") as f:
        kinetic = [float(row["kinetic"]) for row in csv.DictReader(f)]
    assert max(kinetic[:3]) < 1 < min(kinetic[3:]), kinetic


def test_simulate_refused():
    """Misleading combinations of options are refused in one line."""
    call = ["simulate", "discs:n=3", "--steps", 2]
    wrong(*call, "--compare", "mu=0,1", "--compare", "h=0.1,0.2", says=["--compare", "twice"])
    wrong(*call, "--compare", "mu=0.1,0.1", says=['"0.1"', "twice"])
    wrong(*call, "--compare", "n=1,2,3,4,5,6,7,8,9", says="at most 8")
    wrong(*call, "--every", 2, says=["--every", "--html"])
    for option in "--html", "--csv", "--spectrum", "--frames", "--record", "--failed":
        wrong(*call, option, "-", says="-:")
    assert os.listdir(".") == []
    for option in "--html", "--csv":
        wrong(*call, option, "/dev/full", says="No space left on device")


def test_simulate_every():
    """The last frame is shown, whatever --every says."""
    fine("simulate", "discs:n=3", "--steps", 7, "--every", 100, "--html", "t.html")
    run = page_data("t.html")["runs"][0]
    assert run["shown"] == [0, 7] and run["frames"] == 2 and len(run["steps"]["rows"]) == 7, run


def test_simulate_settings():
    """The page has all parameters, and the call that reproduces it."""
    fine("simulate", "discs:n=3,seed=9", "--steps", 2, "--method", "psor", "--set", "omega=1.25",
         "--tol", "1e-5", "--compare", "h=0.01,0.02", "--html", "a 'page'.html")
    data = page_data("a 'page'.html")
    assert data["command"].endswith("--compare h=0.01,0.02 --html 'a '\\''page'\\''.html'"), data["command"]
    listed = fine_json("simulate", "discs", "--list")["scenes"][0]["parameters"]
    for k, h in enumerate(["0.01", "0.02"]):
        told = {(group, name): (value, given) for group, name, value, given, _ in
                data["runs"][k]["settings"]}
        assert {("scene", p["name"]) for p in listed} <= set(told), told
        assert told["scene", "h"] == (h, 1) and told["scene", "seed"] == ("9", 1), told
        assert told["scene", "mu"] == ("0.4", 0) and told["method", "omega"] == ("1.25", 1), told
        assert told["solves", "tol"] == ("1e-05", 1) and told["solves", "threads"] == ("1", 0), told
        assert data["runs"][k]["label"] == "h=" + h, data["runs"][k]["label"]
    # enough digits to plot numbers that hardly change
    fine("simulate", "tower:n=10", "--steps", 6, "--html", "t.html")
    energies = page_data("t.html")["runs"][0]["steps"]["energy"]
    assert any(abs(v - float(f"{v:.6g}")) > 0 for v in energies), energies


def test_simulate_memory():
    """Without a page the steps made are not kept."""
    def peak(steps):
        code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                "stdout=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", code, PROGRAM, "simulate", "particle", "--steps",
                               str(steps), "--csv", "/dev/null"], stdout=subprocess.PIPE, check=True)
        return int(done.stdout)
    # a hundred steps do not touch all of the program yet: some sanitizers load parts later
    short, long = peak(10000), peak(100000)
    assert long < short + 4000, (short, long)  # kept, 90,000 more were 10 MB


def test_simulate_second_interrupt():
    """A second Ctrl-C ends at once: no partial file stays, and the table has the rows so far."""
    # the first one is caught, and finishing takes long: ODE's step, or a page of many steps
    process = subprocess.Popen(
        [PROGRAM, "simulate", "particle", "--steps", "1e9", "--html", "t.html", "--csv", "t.csv",
         "--spectrum", "s.csv"], stdin=subprocess.DEVNULL, preexec_fn=default_signals,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_file("t.csv", 2_000_000)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode in (1, -signal.SIGINT), process.returncode  # 1: it was done by then
    left = sorted(os.listdir("."))
    assert [name for name in left if name.endswith(".part")] == [], left
    assert "t.html" in left or process.returncode != 1, left
    if "t.html" in left:  # whole, if it was done by then
        with open("t.html") as f:
            assert f.read().rstrip().endswith("</html>")
    with open("t.csv") as f:
        text = f.read()
    assert text.endswith("\n"), text[-200:]
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) > 100 and [int(row["step"]) for row in rows] == list(range(1, len(rows) + 1))
    assert all(None not in row.values() for row in rows)


def test_simulate_outputs():
    wrong("simulate", "discs:n=3", "--html", "x", "--csv", "x", says="two different files")
    # a wrong value is found before the first run
    wrong("simulate", "discs:n=3", "--steps", 3, "--compare", "method=auto,nosuch", "--html",
          "never.html", says="nosuch")
    assert not os.path.exists("never.html")
    # an error found only during a step leaves the page of the finished part
    wrong("simulate", "particle", "--steps", 60, "--compare", "method=prox,lemke", "--html",
          "first.html", "--csv", "first.csv", says="lemke")
    with open("first.csv") as f:
        assert sum(line.startswith("prox,") for line in f) == 60
    assert os.path.getsize("first.html") > 1000


def test_simulate_interrupt():
    """Ctrl-C in the middle of a solve: the page holds the frames so far."""
    process = subprocess.Popen(
        [PROGRAM, "simulate", "tower:n=2000", "--cold", "--method", "pgs", "--tol", "0", "--max-iter",
         "1e12", "--html", "t.html", "--csv", "t.csv", "--json"], stdin=subprocess.DEVNULL,
        preexec_fn=default_signals, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_file("t.csv", lines=2)  # the names and the first step; the second never ends
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 1 and err == b"", (process.returncode, err)
    steps = json.loads(out)["runs"][0]["steps"]
    data = page_data("t.html")
    with open("t.html") as f:
        page = f.read()
    assert data["runs"][0]["frames"] == steps + 1 and page.rstrip().endswith("</html>")


def png_size(path):
    with open(path, "rb") as f:
        head = f.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR", path
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def test_simulate_images():
    if not fine_json("version")["components"].get("png", {}).get("present"):
        wrong("simulate", "tower", "--frames", "images", says="libpng")
        return
    fine("simulate", "tower:n=2", "--steps", 6, "--every", 3, "--frames", "images")
    names = sorted(os.listdir("images"))
    assert names == ["000000.png", "000003.png", "000006.png"], names
    assert png_size("images/000003.png")[0] == 960
    with open("images/000000.png", "rb") as a, open("images/000006.png", "rb") as b:
        assert a.read() != b.read(), "nothing moved"
    said = fine("simulate", "tower:n=2", "--steps", 2, "--frames", "images").out
    assert "images       images: 3; 2 of an earlier run" in said, said  # 000003 and 000006
    fine("simulate", "tower:n=2", "--steps", 1, "--compare", "mu=0.1,0.2", "--frames", "both")
    assert "0.2-000001.png" in os.listdir("both"), os.listdir("both")


def test_simulate_spectrum():
    r = fine_json("simulate", "tower:n=2", "--steps", 5, "--spectrum", "s.csv")
    with open("s.csv") as f:
        rows = [line.split(",") for line in f.read().splitlines()]
    assert rows[0] == ["run", "step", "rows", "index", "eigenvalue", "symmetric"], rows[0]
    assert all(row[5] == "1" for row in rows[1:]), rows
    last = [row for row in rows[1:] if row[1] == "5"]
    values = [float(row[4]) for row in last]
    assert len(values) == int(last[0][2]) and values == sorted(values), last
    assert "A is symmetric in all 5 frames" in r["matrix"], r["matrix"]
    r = fine_json("simulate", "tower:n=2,friction=polyhedral", "--steps", 5, "--spectrum", "s.csv",
                  "--method", "lemke")
    assert "not symmetric in any of 5" in r["matrix"], r["matrix"]
    with open("s.csv") as f:
        assert {line.split(",")[5].strip() for line in f.read().splitlines()[1:]} == {"0"}
    # compared runs are not mixed up
    r = fine_json("simulate", "tower:n=2", "--steps", 5, "--spectrum", "s.csv", "--compare",
                  "friction=findex,polyhedral")
    said = [run["matrix"] for run in r["runs"]]
    assert "symmetric in all 5" in said[0] and "not symmetric in any of 5" in said[1], said


def test_simulate_islands():
    r = fine_json("simulate", "discs:n=12", "--steps", 60, "--islands", "--method", "dantzig")
    assert r["runs"][0]["solved"] == 60, r
    wrong("simulate", "discs", "--islands", "--set", "a=1", says='"a"')
    # parameters hold for all islands
    runs = [fine_json("simulate", "discs:n=12", "--steps", 60, "--islands", "--method", "psor",
                      "--set", f"omega={omega}")["runs"][0] for omega in (0.4, 1)]
    assert all(run["solved"] == 60 for run in runs), runs
    assert runs[0]["worst_residual"] != runs[1]["worst_residual"], runs


def test_simulate_space():
    if not fine_json("version")["components"].get("ode", {}).get("present"):
        assert fine_json("simulate", "tower3d:n=2", "--steps", 10)["runs"][0]["solved"] == 10
        wrong("simulate", "tower3d:engine=ode-step", says="ODE")
        return
    r = fine_json("simulate", "tower3d:n=2", "--steps", 10, "--method", "dantzig", "--html",
                  "t.html", "--compare", "engine=perp,ode-step,ode-quickstep")
    assert [run["solved"] for run in r["runs"]] == [10, 0, 0], r
    assert [run["by_ode"] for run in r["runs"]] == [0, 10, 10], r
    assert [run["most_rows"] for run in r["runs"]] == [24, None, None], r
    assert r["runs"][0]["worst_residual"] <= 1e-6, r
    assert [run["worst_residual"] for run in r["runs"][1:]] == [None, None], r
    steppers = ["dantzig", "dWorldStep of ODE", "dWorldQuickStep of ODE"]
    assert [run["method"] for run in r["runs"]] == steppers, r
    assert [run["dimension"] for run in page_data("t.html")["runs"]] == [3, 3, 3]


def need_ode():
    if not fine_json("version")["components"].get("ode", {}).get("present"):
        raise Skip("perp was built without ODE")


def page_data(path):
    with open(path) as f:
        page = f.read()
    return json.JSONDecoder().raw_decode(page, page.index("const data = ") + 13)[0]


def test_simulate_by_ode():
    """Steps made by ODE count neither as solved nor as unsolved, in every output."""
    need_ode()
    call = ["simulate", "tower3d:n=2,engine=ode-step,after=3", "--steps", 5]
    run = fine_json(*call, "--csv", "t.csv", "--html", "t.html", "--spectrum", "s.csv")["runs"][0]
    assert run["method"] == "auto, then dWorldStep of ODE", run
    assert (run["steps"], run["solved"], run["by_ode"], run["ode_complained"]) == (5, 3, 2, 0), run
    said = fine(*call).out
    assert "5: 3 by auto, 3 of them solved" in said and "2 by ODE, not judged by perp" in said
    with open("t.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    assert [row["outcome"] for row in rows] == ["solved"] * 3 + ["not-run"] * 2, rows
    assert [row["by"] for row in rows] == ["perp"] * 3 + ["ode"] * 2, rows
    for key in "rows", "active", "iterations", "residual":
        assert [row[key] == "nan" for row in rows] == [False] * 3 + [True] * 2, (key, rows)
    assert all(None not in row and int(row["contacts"]) > 0 for row in rows), rows
    with open("s.csv", newline="") as f:
        assert {row["step"] for row in csv.DictReader(f)} == {"1", "2", "3"}
    page = page_data("t.html")["runs"][0]
    assert (page["solved"], page["ode"]) == (3, 2), page
    assert page["steps"]["ode"] == [0, 0, 0, 1, 1] and page["steps"]["solved"] == [1] * 3 + [None] * 2
    for key in "rows", "iterations", "residual":
        assert [v is None for v in page["steps"][key]] == [False] * 3 + [True] * 2, (key, page)
    # its own messages are reported, and no verdict of ours
    r = perp("simulate", "wall3d:rows=4,columns=4,loose=0,engine=ode-step", "--steps", 4, "--json")
    run = json.loads(r.out)["runs"][0]
    assert r.status == 1 and run["solved"] == 0 and run["by_ode"] == 4, run
    assert run["unsolved"] == 0 and run["worst_frames"] == [], run
    assert run["ode_complained"] == len(r.err.splitlines()) > 0 and "ODE reported: " in r.err, r.err


def test_simulate_out_of_the_world():
    """Bodies that leave the world are reported, even in solved steps, and the run continues."""
    r = perp("simulate", "tower3d:n=2,gravity=-1e6", "--steps", 30, "--json")
    assert r.status == 0 and json.loads(r.out)["runs"][0]["steps"] == 30, r.err
    assert r.err.count("removed 2 bodies more than") == 1 and "frame " in r.err, r.err


def test_simulate_in_vain():
    """Options that no run would use are refused before anything is written."""
    need_ode()
    ode = "tower3d:n=2,engine=ode-quickstep"
    for option in (["--method", "nncg"], ["--set", "a=1"], ["--tol", "1e-3"], ["--max-iter", 5],
                   ["--check-every", 5], ["--time-limit", 1], ["--threads", 1], ["--cold"],
                   ["--islands"], ["--record", "r"], ["--failed", "r"], ["--spectrum", "r"],
                   ["--compare", "method=pgs,nncg"], ["--method", "pgs", "--compare", "mu=0,1"]):
        wrong("simulate", ode, "--steps", 2, *option, says=[option[0], "dWorldQuickStep"])
    assert os.listdir(".") == []
    wrong("simulate", "tower3d:n=2,after=3", says=["after=3", "engine=ode-step"])
    wrong("simulate", "tower3d:n=2,engine=ode-step,engine=perp,after=3", says="after=3")
    wrong("simulate", "tower3d:n=2,engine=ode-step,after=9", "--steps", 9, says=["after=9", "--steps"])
    wrong("simulate", "tower3d:n=2,iterations=9", says=["iterations=9", "ode-quickstep"])
    wrong("simulate", "tower3d:n=2,engine=ode-stepp,after=3", says="'ode-stepp'")
    wrong("simulate", "tower:after=3", says="'after'")
    wrong("simulate", "tower", "--method", "pgs", "--compare", "method=psor,nncg", says="--method")
    # if runs are compared, one that uses it is enough
    r = fine_json("simulate", "tower3d:n=2,after=2,iterations=30", "--steps", 4, "--method", "nncg",
                  "--tol", "1e-5", "--compare", "engine=perp,ode-quickstep")
    assert [run["method"] for run in r["runs"]] == ["nncg", "nncg, then dWorldQuickStep of ODE"], r
    r = fine_json("simulate", ode, "--steps", 4, "--method", "nncg", "--compare", "after=0,2")
    assert [run["by_ode"] for run in r["runs"]] == [4, 2], r


def test_simulate_check_every():
    """--max-iter N --check-every N always makes N sweeps; otherwise a check may end them."""
    call = ["simulate", "tower:n=4,ratio=1", "--steps", 5, "--method", "pgs", "--tol", "1e-1", "--cold",
            "--max-iter", 60, "--csv", "t.csv"]
    made = []
    for more in [], ["--check-every", 60]:
        perp(*call, *more)
        with open("t.csv", newline="") as f:
            made.append([int(row["iterations"]) for row in csv.DictReader(f)])
    assert all(0 < a < 60 for a in made[0][1:]) and made[1][1:] == [60] * 4, made
    wrong("simulate", "tower", "--check-every", 0, says="--check-every")


def on_a_terminal(until, *arguments):
    """Runs the program with its errors on a terminal, until it shows something; then Ctrl-C."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=slave, preexec_fn=default_signals)
    os.close(slave)
    shown = b""
    while until not in shown:
        shown += os.read(master, 4096)
    out, rest = interrupt(process, master)
    return process.returncode, out.decode(), (shown + rest).decode()


def test_simulate_tells_of_a_long_step():
    """Within a step: which one, for how long, and the residual; a hint where it takes seconds."""
    status, out, shown = on_a_terminal(
        b", residual ", "simulate", "tower:n=10000", "--cold", "--method", "pgs", "--tol", 0,
        "--time-limit", 1.3, "--steps", 20)
    assert status == 1 and "stopped after" in out, out
    assert re.search(r"pgs: frame \d+ of 20, \d+\.\d s, residual", shown), shown
    assert "takes long" not in shown, shown
    assert shown.rstrip("\r").endswith(" " * 70), shown
    status, out, shown = on_a_terminal(
        b"\rpgs: frame 2 of 300, 4", "simulate", "tower:n=2000", "--cold", "--method", "pgs",
        "--tol", 0, "--max-iter", "1e12")
    assert status == 1 and "stopped after 1 of 300" in out, out
    hints = [line for line in shown.replace("\r", "\n").splitlines() if line.startswith("perp: ")]
    assert len(hints) == 1 and "frame 2" in hints[0] and "--time-limit" in hints[0], shown
    assert "--tol" not in hints[0], "it was given"


def test_simulate_tells_of_waiting_for_ode():
    need_ode()
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, "simulate", "wall3d:rows=17,columns=17,engine=ode-step"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave,
                               preexec_fn=default_signals)
    os.close(slave)
    shown = b""
    while b"waiting for ODE" not in shown:
        shown += os.read(master, 4096)
    assert b"\rdWorldStep of ODE: frame " in shown, shown
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    os.close(master)
    assert process.returncode in (1, -signal.SIGINT), process.returncode  # 1: it was done by then


def test_experiment_calls():
    assert "relaxation" in fine("experiment", "--list").out
    wrong("experiment", says="--list")
    wrong("experiment", "relaxation", says="--out")
    wrong("experiment", "relaxatio", "--out", "r", says=['"relaxatio"', "relaxation"])
    wrong("experiment", "relaxation", "--quick", "--full", "--out", "r", says="--full")
    wrong("experiment", "all", "signs", "--out", "r", says='"signs"')
    wrong("experiment", "check", "sings", "--out", "r", says=['"sings"', "signs"])
    wrong("experiment", "signs", "--out", "no/such/place", says="no/such/place")
    assert not os.path.exists("r")


def test_experiment_writes_a_report():
    r = fine_json("experiment", "check", "signs", "cones", "--quick", "--out", "report")
    assert r["experiments"] == r["wanted"] == 2 and r["claims_failed"] == 0
    assert 0 < r["claims_held"] < r["claims"]
    with open("report/index.html", encoding="utf-8") as f:
        page = f.read()
    assert page.count("<section><h2 id=") == 2 and "What we add" not in page
    assert os.path.getsize("report/signs-count.csv") > 0


def test_steps_of_auto_add_up():
    """The iterations of the methods that auto tried add up to those of the solve."""
    for problem in ("pd:n=30", "arch:form=cone", "stack:n=4,form=findex", "nonsym:n=40"):
        r = perp("solve", problem, "--json", "--max-iter", 200)
        r = json.loads(r.out)
        assert r["steps"] and sum(s["iterations"] for s in r["steps"]) == r["iterations"], r


def test_unlistened_checks_are_spaced():
    chain("chain", 60)
    r = fine_json("solve", "chain", "--method", "pgs")
    assert r["counts"]["sweeps"] > 500 and r["counts"]["checks"] < r["counts"]["sweeps"] / 4


# ---- bad problems ----

def test_bad_problems():
    small()
    wrong("solve", "nowhere", says="nowhere")
    wrong("solve", "nowhere/else", says="nowhere/else")
    wrong("solve", "small/A.mtx", says="small/A.mtx")
    wrong("solve", "small/A.mtx/x", says="small/A.mtx/x")
    wrong("solve", "unheard-of:n=10", says="unheard-of")
    os.mkdir("hollow")
    wrong("solve", "hollow", says="hollow")
    wrong("info", "hollow", says="hollow")
    cases = {
        "nan": ("b.mtx", "-1.0", "nan", ["b.mtx", "nan"]),
        "word": ("A.mtx", "3.0", "three", ["A.mtx", "three"]),
        "short": ("b.mtx", "3 1", "4 1", ["b.mtx"]),
        "wide": ("A.mtx", "3 3", "1 9", ["A.mtx"]),
        "banner": ("A.mtx", "%%MatrixMarket", "%%MatrixMarkt", ["A.mtx"]),
    }
    for name, (file, old, new, says) in cases.items():
        small(name)
        with open(f"{name}/{file}") as f:
            text = f.read()
        assert old in text
        with open(f"{name}/{file}", "w") as f:
            f.write(text.replace(old, new, 1))
        before = contents()
        wrong("solve", name, "--out", "x.mtx", "--trace", "t.csv", says=says)
        wrong("check", name, "small/b.mtx", says=says)
        wrong("convert", name, "copy", says=says)
        assert contents() == before, "bad input changed a file"
    folder("bounds", [[1.0]], [1.0], lo=[2.0], hi=[1.0])
    wrong("solve", "bounds", says="lo")
    folder("diagonal", [[1.0, 0.5], [0.5, 0.0]], [-1.0, 1.0])
    wrong("solve", "diagonal", "--method", "pgs", says=["pgs", "1"])
    os.mkdir("dir")
    os.mkdir("dir/A.mtx")
    wrong("solve", "dir", says="dir")


# ---- outputs ----

def test_outputs_are_tried_first():
    chain("chain", 300)
    os.mkdir("closed")
    shutil.copy("chain/b.mtx", "chain/x.mtx")
    shutil.copy("chain/b.mtx", "start.mtx")
    long = ["solve", "chain", "--method", "pgs", "--tol", "0", "--max-iter", "1e12",
            "--time-limit", "50"]
    before = contents()
    began = time.monotonic()
    for option in "--out", "--trace":
        wrong(*long, option, "gone/x", says="gone/x")
        wrong(*long, option, "closed", says="closed")
        wrong(*long, option, "new/", says="new/")
        wrong(*long, option, "chain/A.mtx/x", says="chain/A.mtx/x")
        wrong(*long, option, "chain/A.mtx", says="overwrite")
        wrong(*long, option, "./chain/../chain/b.mtx", says="overwrite")
        wrong(*long, option, "x" * 5000, says="xxx")
    wrong(*long, "--out", "same", "--trace", "same", says="same")
    wrong(*long, "--start", "start.mtx", "--trace", "start.mtx", says="overwrite")
    wrong(*long, "--trace", "chain/x.mtx", says="overwrite")
    assert time.monotonic() - began < 25, "an output was tried after the solve"
    assert contents() == before


def test_devices():
    small()
    fine("solve", "small", "--out", "/dev/null")
    fine("solve", "small", "--trace", "/dev/null")
    for option in "--out", "--trace":
        r = perp("solve", "small", option, "/dev/full", "--json")
        assert r.status == 2 and r.err.startswith("perp: /dev/full") and r.err.count("\n") == 1
        r = json.loads(r.out)
        assert r["outcome"] == "solved" and r["error"] == "file" and "/dev/full" in r["message"]
    for device in "/dev/full", "/dev/null":
        assert stat.S_ISCHR(os.stat(device).st_mode), "a device was renamed over"


def test_read_only_outputs():
    if os.geteuid() == 0:
        raise Skip("root may write anywhere")
    small()
    os.mkdir("closed")
    os.chmod("closed", 0o555)
    wrong("solve", "small", "--out", "closed/x.mtx", says="closed/x.mtx")
    with open("kept.mtx", "w") as f:
        f.write("kept")
    os.chmod("kept.mtx", 0o444)
    wrong("solve", "small", "--out", "kept.mtx", says="kept.mtx")
    assert open("kept.mtx").read() == "kept"
    os.chmod("closed", 0o755)


def test_outputs_are_whole():
    small()
    with open("real.mtx", "w") as f:
        f.write("old")
    os.symlink("real.mtx", "link.mtx")
    os.link("real.mtx", "second.mtx")
    with open("t.csv", "w") as f:
        f.write("old")
    os.symlink("t.csv", "link.csv")
    fine("solve", "small", "--out", "link.mtx", "--trace", "link.csv")
    assert os.path.islink("link.mtx") and len(read_vector("real.mtx")) == 3
    assert os.path.islink("link.csv") and open("t.csv").read().startswith("iteration,")
    # renamed, not written into: the other name still has the old bytes
    assert open("second.mtx").read() == "old"
    made = "link.csv link.mtx real.mtx second.mtx small t.csv".split()
    assert sorted(os.listdir(".")) == made, os.listdir(".")
    umask = os.umask(0)
    os.umask(umask)
    for name in "real.mtx", "t.csv":
        assert stat.S_IMODE(os.stat(name).st_mode) == 0o666 & ~umask, name


def test_full_disk():
    small()
    for command in (["list"], ["solve", "small"], ["info", "small", "--json"], ["version"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 2 and done.stderr.startswith(b"perp: standard output")


def test_closed_streams():
    small()
    for closed in "<&-", ">&-", "2>&-", "<&- >&- 2>&-":
        done = subprocess.run(
            ["/bin/sh", "-c", f'exec "$0" solve small --out x.mtx --trace t.csv {closed}', PROGRAM],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == (2 if ">&-" in closed.replace("2>&-", "") else 0), closed
        assert len(read_vector("x.mtx")) == 3
        with open("t.csv") as f:
            assert f.readline().startswith("iteration,seconds,") and "outcome" not in f.read()


def test_locale():
    small()
    r = json.loads(perp("solve", "small", "--tol", "1.5e-7", "--json",
                        env={**os.environ, "LC_ALL": "de_DE.UTF-8"}).out)
    assert r["tol"] == 1.5e-7 and r["solved"]


def test_convert():
    rng = random.Random(2)
    A, b, x, lo, hi = random_problem(rng, 5)
    folder("from", A, b, lo=[-math.inf if i == 2 else -1.0 for i in range(5)], hi=[1.0] * 5, x=x)
    assert fine("convert", "from", "to").out.startswith("to: n 5")
    assert read_vector("to/b.mtx") == b and read_vector("to/x.mtx") == x
    assert read_vector("to/lo.mtx")[2] == -math.inf
    facts = [fine_json("info", name) for name in ("from", "to")]
    for f in facts:
        f.pop("problem"), f.pop("operator"), f.pop("nonzeros")
    assert facts[0] == facts[1]
    before = contents()
    wrong("convert", "from", "to", says="--force")
    os.mkdir("other")
    with open("other/notes.txt", "w") as f:
        f.write("mine")
    wrong("convert", "from", "other", "--force", says="other")
    wrong("convert", "from", "other/notes.txt", says="other/notes.txt")
    wrong("convert", "gone", "new", says="gone")
    wrong("convert", "from", "gone/new/deep", says="gone/new/deep")
    assert open("other/notes.txt").read() == "mine"
    shutil.rmtree("other")
    assert contents() == before
    fine("convert", "to", "from", "--force")
    fine("convert", "from", "from", "--force")
    assert read_vector("from/b.mtx") == b
    os.mkdir("hollow")
    fine("convert", "from", "hollow")
    assert fine_json("info", "hollow")["n"] == 5


# ---- other inputs and outputs ----

def test_out_to_standard_output():
    small()
    r = fine("solve", "small", "--out", "-")
    with open("x.mtx", "w") as f:
        f.write(r.out)
    assert max(abs(a - b) for a, b in zip(read_vector("x.mtx"), [0, 3, 1])) < 1e-6
    assert ": solved, " in r.out.split("\n")[1]
    fine("check", "small", "x.mtx")
    assert sorted(os.listdir(".")) == ["small", "x.mtx"], os.listdir(".")
    wrong("solve", "small", "--out", "-", "--json", says="standard output")
    wrong("solve", "small", "--out", "-", "--print", says="standard output")
    wrong("generate", "pd:n=3", "--out", "-", says="standard output")
    wrong("convert", "small", "-", says="standard output")
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "solve", "small", "--out", "-"], stdout=full,
                              stderr=subprocess.PIPE)
    assert done.returncode == 2 and b"standard output" in done.stderr


def test_print():
    small()
    lines = fine("solve", "small", "--print").out.split("\n")[-4:-1]
    assert [line.split(" = ")[0] for line in lines] == ["x[0]", "x[1]", "x[2]"], lines
    assert abs(float(lines[1].split(" = ")[1]) - 3) < 1e-6
    x = fine_json("solve", "small", "--print")["x"]
    assert len(x) == 3 and max(abs(a - b) for a, b in zip(x, [0, 3, 1])) < 1e-6
    few = fine_json("solve", "small")
    assert few["x"] == x and len(few["y"]) == 3  # both are there up to 10,000 numbers
    many = "obstacle:points=105"
    r = fine_json("solve", many, "--tol", "1e-3")
    assert r["x"] is None and r["y"] is None
    assert len(fine_json("solve", many, "--tol", "1e-3", "--print")["x"]) > 10000


def test_a_key_given_twice():
    wrong("solve", "pd:n=5,n=6", says=["n", "twice"])
    wrong("info", "pd:seed=1,shift=1,seed=1", says="seed is given twice")
    wrong("generate", "pd:n=5", "--n", "6", "--out", "p", says="n is given twice")
    assert fine_json("info", "pd:n=5,seed=6")["n"] == 5


def test_files_in_place_of_a_folder():
    rng = random.Random(4)
    A, b, x, lo, hi = random_problem(rng, 6)
    while not lo:
        A, b, x, lo, hi = random_problem(rng, 6)
    folder("p", A, b, lo=lo, hi=hi)
    bounds = ["--lo", "p/lo.mtx", "--hi", "p/hi.mtx"]
    fine("solve", "p/A.mtx", "p/b.mtx", *bounds, "--tol", "1e-10", "--out", "x.mtx")
    assert natural_residual(A, b, read_vector("x.mtx"), lo, hi) <= 1e-9
    assert fine_json("solve", "p/A.mtx", "p/b.mtx")["form"] == "lcp"
    wrong("solve", "p/A.mtx", "p/b.mtx", "--lo", "gone.mtx", says="gone.mtx")
    wrong("solve", "p/A.mtx", "gone.mtx", says="gone.mtx")
    wrong("solve", "p/A.mtx", "p/A.mtx", says="p/A.mtx")
    wrong("solve", "p/A.mtx", says=["p/A.mtx", "A.mtx b.mtx"])
    wrong("solve", "p", "--lo", "p/lo.mtx", says="--lo")
    wrong("solve", "p", "p/b.mtx", says="p/b.mtx")
    wrong("solve", "p/A.mtx", "p/b.mtx", *bounds, "--out", "p/hi.mtx", says="overwrite")
    wrong("solve", "p/A.mtx", "p/b.mtx", *bounds, "--trace", "p/b.mtx", says="overwrite")
    # contacts: one cone of three rows, and a friction row whose bound follows row 0
    folder("c", [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]], [-2.0, 0.5, 0.0], mu=[0.5])
    assert fine_json("solve", "c/A.mtx", "c/b.mtx", "--mu", "c/mu.mtx")["form"] == "cone"
    folder("f", [[1.0, 0], [0, 1.0]], [-2.0, 3.0], lo=[0.0, -0.5], hi=[9.0, 0.5], findex=[-1.0, 0.0])
    r = fine_json("solve", "f/A.mtx", "f/b.mtx", "--lo", "f/lo.mtx", "--hi", "f/hi.mtx", "--findex",
                  "f/findex.mtx", "--print")
    assert r["form"] == "findex" and max(abs(r["x"][0] - 2), abs(r["x"][1] + 1)) < 1e-6, r["x"]


def test_compressed_files_and_byte_order_marks():
    small()
    plain = fine_json("solve", "small", "--print")["x"]
    marked = small("marked")
    for name in "A.mtx", "b.mtx":
        data = open(f"marked/{name}", "rb").read()
        with open(f"marked/{name}", "wb") as f:
            f.write(b"\xef\xbb\xbf" + data)
    with open("marked/kind.txt", "wb") as f:
        f.write(b"\xef\xbb\xbfsolvable\n")
    assert fine_json("solve", marked, "--print")["x"] == plain
    packed = small("packed")
    for name in "A.mtx", "b.mtx":
        data = open(f"packed/{name}", "rb").read()
        with open(f"packed/{name}.gz", "wb") as f:  # two members, as cat a.gz b.gz gives
            f.write(gzip.compress(data[:40]) + gzip.compress(data[40:]))
    if not fine_json("version")["components"]["zlib"]["present"]:
        os.remove("packed/A.mtx")
        wrong("solve", packed, says=["A.mtx.gz", "zlib"])
        raise Skip("built without zlib")
    wrong("solve", packed, says="both A.mtx and A.mtx.gz")
    os.remove("packed/A.mtx")
    wrong("solve", packed, says="both b.mtx and b.mtx.gz")
    os.remove("packed/b.mtx")
    assert fine_json("solve", packed, "--print", "--out", "x.mtx")["x"] == plain
    assert fine_json("solve", "packed/A.mtx.gz", "packed/b.mtx.gz", "--print")["x"] == plain
    with open("x.mtx.gz", "wb") as f:
        f.write(gzip.compress(open("x.mtx", "rb").read()))
    fine("check", packed, "x.mtx.gz")
    wrong("solve", packed, "--out", "packed/b.mtx.gz", says="overwrite")
    whole = open("packed/b.mtx.gz", "rb").read()
    for damage in whole[:-9], whole[:12], whole[:-8] + b"\0\0\0\0" + whole[-4:], whole + b"more":
        with open("packed/b.mtx.gz", "wb") as f:
            f.write(damage)
        wrong("solve", packed, says=["packed/b.mtx.gz", "damaged"])
    # a problem that is written there replaces them
    fine("generate", "pd:n=4", "--force", "--out", "packed")
    assert not any(name.endswith(".gz") for name in os.listdir("packed"))
    assert fine_json("info", "packed")["n"] == 4


def test_start_is_no_pipe():
    small()
    os.mkfifo("pipe")
    wrong("solve", "small", "--start", "pipe", says="pipe")


def test_matlab_counts_from_one():
    folder("f", [[1.0, 0], [0, 1.0]], [-2.0, 3.0], lo=[0.0, -0.5], hi=[9.0, 0.5], findex=[-1.0, 0.0])
    if not fine_json("version")["components"].get("matio", {}).get("present"):
        raise Skip("built without matio")
    fine("convert", "f", "f.mat")
    # of the elements with a zlib stream, that of findex holds the doubles 0 and 1
    data, at, found = open("f.mat", "rb").read(), 128, []
    while at < len(data):
        kind, size = struct.unpack("<II", data[at:at + 8])
        body = zlib.decompress(data[at + 8:at + 8 + size]) if kind == 15 else data[at:at + 8 + size]
        if b"findex" in body:
            found = body
        at += 8 + size
    assert found.endswith(struct.pack("<dd", 0.0, 1.0)) or \
        found.rstrip(b"\0").endswith(b"\x01"), found
    fine("convert", "f.mat", "back")
    assert read_rows("back/findex.mtx") == [-1, 0]


# ---- folders are whole ----

# Two problems of one size, of which each has files that the other has not.
PAIR = (("pd:n=40,seed=1", "--set", "form=boxed"), ("mmatrix:n=40,seed=2",))


def generate_forever(which, out, stop):
    """A writer in a separate process, which generates until `stop` exists."""
    call = f'while [ ! -e {stop} ]; do "$0" generate "$@" --force --out {out} >/dev/null || ' \
           f'echo failed; done'
    return subprocess.Popen(["/bin/sh", "-c", call, PROGRAM, *PAIR[which]], stdout=subprocess.PIPE)


def files_of(place):
    """Returns the bytes of each file of a folder by name; None if the folder does not exist."""
    try:
        return {name: open(os.path.join(place, name), "rb").read() for name in os.listdir(place)}
    except FileNotFoundError:
        return None


def test_killed_writers_leave_whole_folders():
    """Killed at 200 moments: the old problem or the new one, and nothing else once it is written
    again."""
    rng = random.Random(7)
    whole = []
    for k, spec in enumerate(PAIR):
        fine("generate", *spec, "--out", f"p{k}")
        whole.append(files_of(f"p{k}"))
    assert set(whole[0]) != set(whole[1])
    killed, span = 0, 0.1  # span: seconds, made as long as a run takes, whatever the machine does
    shutil.copytree("p0", "p")
    for k in range(200):
        process = subprocess.Popen([PROGRAM, "generate", *PAIR[k % 2], "--force", "--out", "p"],
                                   stdout=subprocess.DEVNULL)
        # a third of them at a time when they write, whatever the speed of the machine
        if k % 3:
            time.sleep(rng.uniform(0, span))
        else:
            deadline = time.monotonic() + span
            while not any("new-" in n for n in os.listdir(".") + os.listdir("p")) and \
                    time.monotonic() < deadline:
                pass
            time.sleep(rng.uniform(0, 0.3 * span))
        process.kill()
        if process.wait() != 0:
            killed += 1
            span *= 1.05
        else:
            span *= 0.9
        assert files_of("p") in whole, f"try {k}: {sorted(files_of('p'))}"
    assert killed > 50, killed
    fine("generate", *PAIR[0], "--force", "--out", "p")
    assert files_of("p") == whole[0]
    assert sorted(os.listdir(".")) == ["p", "p0", "p1"], os.listdir(".")


def test_two_writers_and_a_reader():
    for k, spec in enumerate(PAIR):
        fine("generate", *spec, "--out", f"p{k}")
    shutil.copytree("p0", "p")
    known = [fine_json("info", f"p{k}")["form"] for k in range(2)]
    writers = [generate_forever(k, "p", "stop") for k in range(2)]
    seen = set()
    try:
        checks = 0
        while checks < 60 or (len(seen) < 2 and checks < 2000):
            checks += 1
            r = fine_json("check", "p")  # its own x solves it
            assert r["form"] in known and r["solved"]
            seen.add(r["form"])
    finally:
        open("stop", "w").close()
        said = [w.communicate(timeout=600)[0] for w in writers]
    assert said == [b"", b""], said
    assert len(seen) == 2, seen
    assert files_of("p") in [files_of(f"p{k}") for k in range(2)]
    assert sorted(os.listdir(".")) == ["p", "p0", "p1", "stop"], os.listdir(".")


def test_folders_that_are_not_exchanged():
    """The current folder, and one with files of others, keep their identity and those files."""
    whole = []
    for k, spec in enumerate(PAIR):
        fine("generate", *spec, "--out", f"p{k}")
        whole.append(files_of(f"p{k}"))
    shutil.copytree("p0", "p")
    number = os.stat("p").st_ino
    r = perp("generate", *PAIR[1], "--force", "--out", ".", cwd="p")
    assert r.status == 0 and r.err == "", r.err
    assert os.stat("p").st_ino == number and files_of("p") == whole[1]
    os.mkdir("p/mine")
    with open("p/mine/notes.txt", "w") as f:
        f.write("mine")
    fine("generate", *PAIR[0], "--force", "--out", "p")
    assert os.stat("p").st_ino == number and open("p/mine/notes.txt").read() == "mine"
    shutil.rmtree("p/mine")
    assert files_of("p") == whole[0]
    # a link to a folder stays; a link in it is replaced, and its target stays
    os.symlink("p", "link")
    os.rename("p/A.mtx", "far.mtx")
    os.symlink("../far.mtx", "p/A.mtx")
    fine("generate", *PAIR[1], "--force", "--out", "link")
    assert os.path.islink("link") and files_of("p") == whole[1]
    assert open("far.mtx", "rb").read() == whole[0]["A.mtx"]
    # what a killed writer left, also by an earlier version, is removed
    os.remove("far.mtx")
    for place in ".p.new-0", "p/.new-0":
        shutil.copytree("p0", place)
    with open("p/b.mtx.new-123-0", "w") as f:
        f.write("half")
    os.chmod("p", 0o700)
    fine("generate", *PAIR[0], "--force", "--out", "p")
    assert files_of("p") == whole[0] and stat.S_IMODE(os.stat("p").st_mode) == 0o700
    assert sorted(os.listdir(".")) == ["link", "p", "p0", "p1"], os.listdir(".")


def test_convert_mat():
    small()
    if not fine_json("version")["components"].get("matio", {}).get("present"):
        wrong("convert", "small", "small.mat", says="small.mat")
        assert not os.path.exists("small.mat")
        raise Skip("built without matio")
    fine("convert", "small", "small.mat")
    fine("convert", "small.mat", "back")
    assert read_vector("back/b.mtx") == read_vector("small/b.mtx")
    wrong("convert", "small", "small.mat", says="--force")
    fine("convert", "small", "small.mat", "--force")
    assert fine_json("solve", "small.mat")["solved"]
    with open("broken.mat", "w") as f:
        f.write("no")
    wrong("solve", "broken.mat", says="broken.mat")
    wrong("solve", "gone.mat", says="gone.mat")


# ---- signals and terminals ----

def begin_long_solve(*more, **streams):
    chain("chain", 3000)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(
        [PROGRAM, "solve", "chain", "--method", "pgs", "--tol", "0", "--max-iter", "1e12",
         "--time-limit", "50", *more], stdin=subprocess.DEVNULL, preexec_fn=default_signals,
        **streams)


def test_interrupt():
    for number in signal.SIGINT, signal.SIGTERM:
        for name in "x.mtx", "t.csv":
            if os.path.exists(name):
                os.remove(name)
        shutil.rmtree("chain", ignore_errors=True)
        process = begin_long_solve("--out", "x.mtx", "--trace", "t.csv", "--json")
        wait_for_file("t.csv")  # the solve iterates
        assert not os.path.exists("x.mtx") and not os.path.exists("t.csv")
        process.send_signal(number)
        out, err = process.communicate(timeout=300)
        assert process.returncode == 1 and err == b"", (process.returncode, err)
        r = json.loads(out)
        assert r["outcome"] == "stopped" and not r["solved"] and r["iterations"] > 0
        assert len(read_vector("x.mtx")) == 3000 and any(read_vector("x.mtx"))
        with open("t.csv") as f:
            rows = f.readlines()
        assert len(rows) == r["iterations"] + 2 and rows[-1].count(",") == 5
        assert sorted(os.listdir(".")) == ["chain", "t.csv", "x.mtx"]


def test_ignored_interrupt_stays_ignored():
    chain("chain", 300)
    process = subprocess.Popen(
        [PROGRAM, "solve", "chain", "--method", "pgs", "--tol", "0", "--max-iter", "1e12",
         "--time-limit", "4", "--trace", "t.csv", "--json"], stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    wait_for_file("t.csv")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert json.loads(out)["outcome"] != "stopped"


def interrupt(process, terminal):
    """Presses Ctrl-C; what the program prints, and what is still to come on its terminal."""
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=600)
    return out, read_terminal(terminal)


def test_progress_on_a_terminal():
    master, slave = pty.openpty()
    process = begin_long_solve(stderr=slave)
    os.close(slave)
    shown = b""
    while shown.count(b"\r") < 3:
        shown += os.read(master, 4096)
    out, rest = interrupt(process, master)
    shown += rest
    assert process.returncode == 1 and b"stopped" in out
    text = shown.decode()
    assert "iteration " in text and "residual " in text and "\n" not in text
    assert text.endswith("\r") and text.rstrip("\r").endswith(" " * 70)


def test_experiment_bar_and_interrupt():
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, "experiment", "signs", "pivoting", "--full", "--out",
                                "report"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=slave, preexec_fn=default_signals)
    os.close(slave)
    shown = b""
    while b"2 of 2 pivoting" not in shown:
        shown += os.read(master, 4096)
    out, rest = interrupt(process, master)
    shown += rest
    text = shown.decode()
    assert process.returncode == 1 and b"after 1 of 2" in out, (process.returncode, out)
    assert "[#" in text and "\n" not in text
    assert text.endswith("\r") and text.rstrip("\r").endswith(" " * 70)
    with open("report/index.html", encoding="utf-8") as f:
        page = f.read()
    assert "1 of 2 experiments" in page and "Confirmed:" in page and "Interrupted here" in page
    assert page.endswith("</html>\n")


def test_outputs_never_become_input():
    small()
    for name in ("lo.mtx", "J.mtx", "A.mtx", "kind.txt"):
        wrong("solve", "small", "--method", "pgs", "--out", "small/" + name)
    wrong("solve", "small", "--method", "pgs", "--trace", "small/x.mtx")
    assert sorted(os.listdir("small")) == ["A.mtx", "b.mtx"]
    fine("solve", "small", "--method", "pgs", "--out", "small/x.mtx")


# ---- bench ----

def bench_rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def test_bench_page_and_rows():
    fine("bench", "dense", "--quick", "--seconds", "0.05", "--methods", "auto,pgs,lemke", "--peers",
         "none", "--html", "b.html", "--csv", "b.csv")
    page = open("b.html", encoding="utf-8").read()
    for word in ("<svg", "prefers-color-scheme:dark", "solved to 1e-4", "solved to 1e-8", "Growth",
                 "how the others ended", "<dt>machine</dt>", "<dt>compiler</dt>", "auto solves"):
        assert word in page, word
    for word in ("<script", "http://", "https://", "<link", "nan", ">inf"):
        assert word not in page, word
    rows = bench_rows("b.csv")
    assert len(rows) == 27 and {r["method"] for r in rows} == {"auto", "pgs", "lemke"}
    for r in rows:
        if r["status"] == "solved":
            assert float(r["residual"]) <= 1e-8 and float(r["seconds_1e-8"]) > 0, r
            assert float(r["seconds_1e-4"]) > 0 and int(r["iterations"]) >= 1, r
        else:
            assert r["seconds_1e-8"] == "", r
    assert sum(r["status"] == "solved" for r in rows) > 13


def test_bench_takes_methods_of_quadratic_programs():
    fine("bench", "qp", "--quick", "--only", "discs:seed=110,columns=4", "--methods", "active,kkt:lemke",
         "--peers", "none", "--csv", "q.csv")
    assert sorted(r["method"] for r in bench_rows("q.csv")) == ["active", "kkt:lemke"]
    wrong("bench", "qp", "--quick", "--methods", "actve", "--peers", "none", says=("actve",))


def test_fclib_solves_a_collection():
    """Two files of FCLib, one in a folder in the folder, and one that is none."""
    if not fine_json("version")["components"]["fclib"]["present"]:
        raise Skip("built without FCLib")
    os.makedirs("there/more")
    fine("generate", "stack:n=2,form=cone", "--out", "there/tower.hdf5")
    fine("generate", "pile:n=3,form=cone,operator=contact", "--out", "there/more/heap.hdf5")
    with open("there/broken.hdf5", "w") as f:
        f.write("not HDF5")
    r = perp("fclib", "there", "--methods", "ssn,ipm", "--peers", "none", "--html", "f.html", "--csv", "f.csv")
    assert r.status == 0, r.err
    assert "broken.hdf5" in r.out + r.err, r.out + r.err
    rows = bench_rows("f.csv")
    assert sorted((r["problem"], r["method"]) for r in rows) == [
        (problem, method) for problem in ("heap.hdf5", "tower.hdf5") for method in ("ipm", "ssn")], rows
    for row in rows:
        assert row["status"] == "solved" and float(row["residual"]) <= 1e-8, row
    page = open("f.html", encoding="utf-8").read()
    for word in ("<svg", "solved to 1e-4", "solved to 1e-8", "<table", "tower", "heap", "ssn", "ipm"):
        assert word in page, word


def test_bench_outlives_its_peers():
    """A peer that crashes, and one that never answers, do not affect the others."""
    for name, body in (("bullet", "exit 3"), ("ode", "cat >/dev/null; sleep 100")):
        path = os.path.join("peers", name)
        os.makedirs("peers", exist_ok=True)
        with open(path, "w") as f:
            f.write(f"#!/bin/sh\n{body}\n")
        os.chmod(path, 0o755)
    os.mkdir("there")
    small("there/small")
    with open("there/small/kind.txt", "w") as f:
        f.write("solvable\n")
    began = time.time()
    fine("bench", "corpus", "--corpus", "there", "--seconds", "0.05", "--methods", "auto", "--peers",
         "peers", "--csv", "b.csv")
    assert time.time() - began < 40
    status = {r["method"]: r["status"] for r in bench_rows("b.csv")}
    assert status["bullet dantzig"] == "crashed" and status["ode dantzig"] == "time-limit", status
    assert status["auto"] == "solved", status


def test_bench_from_torch():
    """Python's module takes its place, with the options that it has; the others are refused."""
    os.mkdir("bin")
    with open("bin/python3", "w") as f:
        f.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    os.chmod("bin/python3", 0o755)
    here = {**os.environ, "PATH": os.path.abspath("bin")}

    def started(*arguments):
        r = perp("bench", "batch", "--from", "torch", *arguments, env=here)
        assert r.status == 0 and r.err == "", r.err
        return r.out.splitlines()

    plain = ["-m", "perp.bench", "--device", "cpu", "--problems", "256"]
    assert started() == plain
    assert started("--only", "n=16", "--csv", "t.csv") == [*plain, "--case", "n=16", "--csv", "t.csv"]
    assert started("--device", "cuda:1") == [*plain[:3], "cuda:1", "--problems", "8192"]
    for option in (["--html", "a.html"], ["--full"], ["--seconds", "1"], ["--methods", "pgs"], ["--peers", "none"],
                   ["--tol", "1e-8"], ["--corpus", "there"], ["--json"]):
        wrong("bench", "batch", "--from", "torch", *option, says=f"--only and --csv, not {option[0]}")
    wrong("bench", "dense", "--from", "torch", says="perp bench batch --from torch")


def test_bench_anytime():
    fine("bench", "anytime", "--quick", "--seconds", "0.1", "--methods", "pgs,apgd", "--html", "a.html",
         "--csv", "a.csv")
    assert "residual reached" in open("a.html", encoding="utf-8").read()
    points = [line.split(",") for line in open("a.csv") if line.startswith('anytime,"')]
    for method in ("pgs", "apgd"):
        at = [(float(p[3]), float(p[4])) for p in points if p[2] == method]
        assert at and at[-1][1] <= 1e-10 and at[-1][1] <= at[0][1], at


def test_bench_friction_shows_the_hard_ones():
    """Plots of residual against time next to the contest, only for the problems named as hard."""
    fine("bench", "friction", "--quick", "--seconds", "0.5", "--methods", "ipm", "--peers", "none",
         "--html", "h.html", "--csv", "h.csv")
    assert open("h.html", encoding="utf-8").read().count("residual reached") == 1
    points = [line for line in open("h.csv") if line.startswith('anytime,"')]
    assert points and all('"stack:n=20,ratio=1e4,form=cone' in p for p in points), points
    assert float(points[-1].split(",")[-1]) <= 1e-10, points[-1]


def test_bench_figures():
    fine("bench", "multigrid", "oneshot", "--quick", "--peers", "none", "--html", "f.html", "--csv",
         "f.csv")
    page = open("f.html", encoding="utf-8").read()
    assert "<th>cycles</th>" in page and "dantzig, outer=1" in page and "nan" not in page
    with open("f.csv", newline="") as f:
        rows = list(csv.reader(f))
    assert rows[0] == ["figures", "problem", "method", "figure", "value"]
    cycles = [float(r[4]) for r in rows if r[3] == "cycles"]
    assert len(cycles) == 6 and all(1 <= c <= 30 for c in cycles), cycles
    calls = {(r[1], r[2]): r[4] for r in rows if r[3] == "calls to 1e-8"}
    assert len(calls) == 12 and all(c == "1" for (_, who), c in calls.items() if who == "dantzig")
    # the frozen bounds differ from the bounds at a solution
    assert calls["stack:n=4,form=findex,cfm=1e-3", "dantzig, outer=1"] == "nan", calls


def test_bench_calls():
    listed = fine_json("bench", "--list")
    assert {"dense", "walls", "corpus", "kernels"} <= {s["name"] for s in listed["suites"]}
    assert listed["machine"]
    wrong("bench", says="no suite")
    wrong("bench", "dens", says="dense")
    wrong("bench", "corpus", says="--corpus")
    wrong("bench", "dense", "--quick", "--full")
    wrong("bench", "dense", "--methods", "auto,pgz", says="pgz")
    wrong("bench", "dense", "--html", "no/such/folder/b.html", says="b.html")
    os.mkdir("there")
    small("there/small")
    chain("there/chain", 12)
    with open("there/small/kind.txt", "w") as f:  # chain: not known, which does not exclude it
        f.write("solvable\n")
    fine("bench", "corpus", "--corpus", "there", "--methods", "auto,lemke", "--peers", "none", "--csv",
         "c.csv")
    rows = bench_rows("c.csv")
    assert [r["status"] for r in rows] == ["solved"] * 4, rows


# ---- quadratic programs ----

def qp_folder(name, **parts):
    """Matrices are lists of rows, vectors lists of numbers."""
    os.makedirs(name, exist_ok=True)
    for part, value in parts.items():
        rows = value if isinstance(value[0], list) else [[v] for v in value]
        columns = len(rows[0])
        write_array(f"{name}/{part}.mtx", len(rows), columns,
                    [rows[i][j] for j in range(columns) for i in range(len(rows))])
    return name


def test_qp_folders():
    # min 1/2 |x|^2 - 3 x0 - x1 with x0 + x1 <= 2, x >= 0: x = (2, 0), z = 1, w = (0, 0)
    qp_folder("a", P=[[1, 0], [0, 1]], q=[-3, -1], G=[[1, 1]], u=[2], lb=[0, 0])
    r = fine_json("qp", "a", "--out", "x.mtx", "--out-z", "z.mtx", "--out-w", "w.mtx")
    for key in "method outcome solved residual iterations seconds n message".split():
        assert key in r, key
    assert r["solved"] is True and r["outcome"] == "solved" and r["error"] is None, r
    assert max(abs(a - b) for a, b in zip(read_vector("x.mtx"), [2, 0])) < 1e-8
    assert abs(read_vector("z.mtx")[0] - 1) < 1e-8
    assert abs(r["objective"] + 4) < 1e-8
    assert "outcome     solved" in fine("qp", "a").out
    # no P: a linear program; only q and bounds
    qp_folder("b", q=[1, -1], lb=[0, 0], ub=[1, 1])
    assert abs(fine_json("qp", "b")["objective"] + 1) < 1e-8
    # no solution: status 1, and the ray
    qp_folder("c", P=[[1]], G=[[1]], l=[2], ub=[1])
    r = fine_json("qp", "c", "--out-ray", "ray.mtx", status=1)
    assert r["outcome"] == "infeasible" and r["ray"][0] < 0 and read_vector("ray.mtx")[0] < 0
    qp_folder("d", q=[-1], lb=[0])
    assert fine_json("qp", "d", status=1)["outcome"] == "unbounded"
    qp_folder("e", P=[[1, 2], [2, 1]])
    r = fine_json("qp", "e", status=1)
    assert r["outcome"] == "not-convex" and "semi-definite" in r["message"], r


def test_qp_bad_input():
    def wrong(name, *words):
        r = perp("qp", name)
        assert r.status == 2 and r.out == "", (name, r.status, r.out)
        assert r.err.count("\n") == 1 and all(w in r.err for w in words), r.err

    wrong("nowhere", "nowhere: neither a f")
    wrong("/dev/null/there", "/dev/null/there: Not a directory")
    qp_folder("asymmetric", P=[[1, 2], [3, 9]])
    wrong("asymmetric", "P is not symmetric", "P[0, 1] = 2", "P[1, 0] = 3")
    qp_folder("crossed", q=[1], lb=[2], ub=[1])
    wrong("crossed", "lb[0] = 2 is above ub[0] = 1")
    qp_folder("above", q=[1, 2], G=[[1, 1]], l=[3], u=[2])
    wrong("above", "above: l[0] = 3 is above u[0] = 2")
    qp_folder("nan", q=[1, float("nan")])
    wrong("nan", "nan/q.mtx:4", "nan")
    qp_folder("sizes", P=[[1, 0], [0, 1]], q=[1, 2, 3])
    wrong("sizes", "q.mtx")
    qp_folder("rows", q=[1, 2], G=[[1, 1]], l=[0, 0])
    wrong("rows", "l.mtx")
    qp_folder("nothing", l=[1])
    wrong("nothing", "neither P.mtx nor q.mtx")
    wrong("nowhere", "nowhere")
    wrong("mpc:horizon=0", "horizon")
    assert perp("qp").status == 2
    assert perp("qp", "mpc", "--method", "simplex").status == 2


# min 2 a^2 - 2 a b + b^2 - 4 a - 6 b + 11.5, 1 <= a + b <= 4, 0 <= a <= 10, b free: a = 7/5, b = 13/5, z = 18/5
QPS = """* fixed format
NAME          SMALL
ROWS
 N  COST
 L  SUM
COLUMNS
    A         COST              -4.0   SUM                1.0
    B         COST              -6.0   SUM                1.0
RHS
    RHS       COST             -11.5   SUM                4.0
RANGES
    RNG       SUM                3.0
BOUNDS
 UP BND       A                 10.0
 FR BND       B
QUADOBJ
    A         A                  4.0
    A         B                 -2.0
    B         B                  2.0
ENDATA
"""
# max 3 long_name + 2 y - 1 in free format, with long_name + y <= 4, long_name + 3 y <= 6, long_name <= 3: (3, 1)
MPS = """NAME lp
OBJSENSE
 MAX
ROWS
 N cost
 L one
 L the_second
COLUMNS
 long_name cost 3 one 1
 long_name the_second 1
 y cost 2 one 1
 y the_second 3
RHS
 r cost 1
 r one 4 the_second 6
BOUNDS
 UP b long_name 3
ENDATA
"""


def write_bytes(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def check_qps(r):
    assert r["solved"] and r["message"] == "", r
    assert max(abs(a - b) for a, b in zip(r["x"] + r["z"], [7 / 5, 13 / 5, 18 / 5])) < 1e-8, r
    assert abs(r["objective"] + 6.3) < 1e-7, r


def check_mps(r):
    assert r["solved"] and max(abs(a - b) for a, b in zip(r["x"], [3, 1])) < 1e-8, r
    assert abs(r["objective"] - 10) < 1e-7, r


def test_qp_files():
    check_qps(fine_json("qp", write_bytes("a.qps", QPS)))
    check_mps(fine_json("qp", write_bytes("b.mps", MPS)))
    text = fine("qp", "a.qps").out
    assert "a.qps (n 2, rows 1, qp)" in text and "outcome     solved" in text, text
    wrong("qp", write_bytes("bad.qps", QPS.replace("-6.0", "-6.o")), says=["bad.qps:8", "-6.o"])
    wrong("qp", write_bytes("end.mps", MPS.replace("ENDATA\n", "")), says=["end.mps", "ENDATA"])
    # the content decides, not the name
    for name, begin in (("xz", b"\xfd7zXZ\0\0\4"), ("bzip2", b"BZh91AY&SY\xde\xad\xbe\xef"),
                        ("bzip2", b"BZh9\x17rE8P\x90\0\0\0\0"), ("zstd", b"\x28\xb5\x2f\xfd\4\0")):
        for path in "c.qps", "c.mps.gz":
            wrong("qp", write_bytes(path, begin + bytes(20)), says=[f"{path}: is compressed by {name};", "gzip"])
    packed = write_bytes("b.mps.gz", gzip.compress(MPS.encode()))
    if not fine_json("version")["components"]["zlib"]["present"]:
        wrong("qp", packed, says=["b.mps.gz", "zlib"])
        raise Skip("built without zlib")
    check_mps(fine_json("qp", packed))
    check_qps(fine_json("qp", write_bytes("a.gz", gzip.compress(QPS[:90].encode()) + gzip.compress(QPS[90:].encode()))))
    wrong("qp", write_bytes("short.mps.gz", gzip.compress(MPS.encode())[:-9]), says=["short.mps.gz", "damaged"])


def test_bench_collection():
    os.mkdir("set")
    wrong("bench", "collection", "set", says=["set", ".qps"])
    wrong("bench", "collection", "no such folder", says="no such folder")
    write_bytes("set/a.qps", QPS)
    write_bytes("set/b.MPS", MPS)
    write_bytes("set/notes.txt", "not a program")
    write_bytes("set/d.mps", MPS.replace(" the_second 6", " the_second 6\n r one -1"))  # entries are added: 3
    qp_folder("set/c", P=[[1]], G=[[1]], l=[2], ub=[1])
    text = fine("bench", "collection", "set", "--peers", "none", "--methods", "ipm", "--csv", "s.csv").out
    rows = {r["problem"]: r for r in bench_rows("s.csv")}
    assert list(rows) == ["a", "b", "c", "d"] and {r["solver"] for r in rows.values()} == {"ipm"}, rows
    assert [r["outcome"] for r in rows.values()] == ["solved", "solved", "infeasible", "solved"], rows
    assert [r["verified"] for r in rows.values()] == ["yes", "yes", "no", "yes"], rows
    figures = [(r["n"], r["rows"], r["entries"]) for r in rows.values()]
    assert figures == [("2", "1", "2"), ("2", "2", "4"), ("1", "1", "1"), ("2", "2", "4")], rows
    # d: long_name + 3 y <= 6, long_name + y <= 3: (3, 0)
    assert all(abs(float(rows[k]["objective"]) - f) < 1e-6 for k, f in (("a", -6.3), ("b", 10), ("d", 8))), rows
    line = next(line for line in text.splitlines() if line.startswith("ipm")).split()
    assert line[1:7] == ["4", "3", "3", "0", "1", "0"], text
    for share, names in ("odd", "ac"), ("even", "bd"):
        fine("bench", "collection", "set", share, "--peers", "none", "--csv", f"{share}.csv")
        assert "".join(r["problem"] for r in bench_rows(f"{share}.csv")) == names
    write_bytes("set/e.qps", QPS.replace("RHS", "RSH"))
    r = perp("bench", "collection", "set", "--only", "e.qps", "--peers", "none")
    assert r.status == 0 and r.err.count("\n") == 1 and "set/e.qps:9" in r.err, r.err
    wrong("bench", "collection", "set", "third", says="[odd|even]")


PEER = """import struct, sys
data, at = open(sys.argv[2], "rb").read(), 0
def numbers(kind, count):
    global at
    found = struct.unpack_from(f"={count}{kind}", data, at)
    at += struct.calcsize(f"={count}{kind}")
    return list(found)
def rows(count):
    start = numbers("q", count + 1)
    return start, numbers("i", start[-1]), numbers("d", start[-1])
n, m = numbers("i", 2)
P, G = rows(n), rows(m)
q, l, u, lb, ub = (numbers("d", count) for count in (n, m, m, n, n))
assert at == len(data)
if m == 2:
    assert G == ([0, 2, 4], [0, 1, 0, 1], [1, 2, 3, 4]) and (q, u) == ([-3, -1], [1, 10])
    answer = [1, 0, 2, 0, 0, -3]  # x, z, w
else:
    assert m == 0 and G == ([0], [], []) and (q, lb, ub) == ([1, -1], [0, 0], [1, 1])
    answer = [0, 1, -1, 1]
with open(sys.argv[5], "wb") as out:
    out.write(struct.pack(f"={2 + len(answer)}d", 0.5, 0, *answer))
"""


def test_bench_collection_with_a_peer():
    """A peer gets the rows of a dense G, and none of a program without G."""
    # 1/2 |x|^2 - 3 x0 - x1, x0 + 2 x1 <= 1, 3 x0 + 4 x1 <= 10, x >= 0: x = (1, 0), z = (2, 0), w = (0, -3)
    qp_folder("set/a", P=[[1, 0], [0, 1]], q=[-3, -1], G=[[1, 2], [3, 4]], u=[1, 10], lb=[0, 0])
    qp_folder("set/b", q=[1, -1], lb=[0, 0], ub=[1, 1])
    os.mkdir("peers")
    write_bytes("peers/qp-piqp", f"#!{sys.executable}\n{PEER}")
    os.chmod("peers/qp-piqp", 0o755)
    fine("bench", "collection", "set", "--peers", "peers", "--methods", "ipm", "--csv", "s.csv")
    rows = {(r["problem"], r["solver"]): (r["outcome"], r["verified"], r["entries"]) for r in bench_rows("s.csv")}
    assert rows == {(name, solver): ("solved", "yes", entries) for name, entries in (("a", "4"), ("b", "0"))
                    for solver in ("ipm", "piqp sparse")}, rows


def test_qp_kinds():
    text = fine("qp", "--list").out
    for kind in ("mpc", "lasso", "svm", "portfolio", "discs", "random"):
        assert kind in text
    fine("qp", "portfolio:assets=20,factors=3", "--write", "p")
    a = fine_json("qp", "p")
    b = fine_json("qp", "portfolio:assets=20,factors=3")
    assert a["objective"] == b["objective"] and a["n"] == 23 and a["rows"] == 4
    assert fine_json("qp", "random:defect=infeasible", status=1)["outcome"] == "infeasible"
    r = fine_json("qp", "discs:columns=4,rows=3", "--method", "kkt:auto")
    assert r["solved"] and r["method"] == "kkt:auto"
    assert fine_json("qp", "lasso", "--max-iter", "1", status=1)["outcome"] == "iteration-limit"


# ---- running them ----

def main():
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    return run_tests({name: test for name, test in globals().items()
                      if name.startswith("test_") and wanted in name})


if __name__ == "__main__":
    sys.exit(main())
