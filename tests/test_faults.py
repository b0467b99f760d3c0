#!/usr/bin/env python3
"""test_faults.py PROGRAM LIBRARY: the program on a full disk, in a read-only folder, with inputs that
vanish

LIBRARY (fail.c) makes the k-th system call on the working folder fail; k walks over all of them.
Whatever fails, the program ends with a status and one line, and what it wrote before is whole."""

import os
import shutil
import subprocess
import sys
import tempfile

from harness import run_tests

PROGRAM, LIBRARY = map(os.path.abspath, sys.argv[1:3])
FIRST, SECOND = ["pd:n=12,seed=1,form=boxed"], ["mmatrix:n=12,seed=2"]


def run(arguments, at=0):
    """The status, what was said, the number of calls and the name of the one that failed."""
    told = os.path.join(tempfile.gettempdir(), f"faults-{os.getpid()}")
    fail = {} if at is None else {
        "LD_PRELOAD": LIBRARY, "FAIL_UNDER": os.getcwd(), "FAIL_AT": str(at), "FAIL_TOLD": told}
    environment = {**os.environ, **fail, "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=600, env=environment)
    if at is None:
        return done.returncode, done.stderr.decode(), 0, ""
    with open(told) as f:
        count, name = f.read().split()
    os.remove(told)
    return done.returncode, done.stderr.decode(), int(count), name


def files_of(place):
    if not os.path.isdir(place):
        return None
    return {name: open(os.path.join(place, name), "rb").read() for name in os.listdir(place)}


def vector(path):
    """A file of the solution: None, or that many whole lines."""
    if not os.path.exists(path):
        return None
    text = open(path).read()
    assert text.endswith("\n"), f"{path} is cut"
    return len([line for line in text.split("\n") if line and not line.startswith("%")])


def walk(arguments, prepare, judge, expected):
    """Each call of the program fails once; `judge` sees the folder and whether all went well."""
    def clean():
        for name in os.listdir("."):
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        prepare()

    clean()
    status, said, calls, _ = run(arguments)
    assert status in (0, 1) and said == "" and calls > 5, (status, said, calls)
    judge(True)
    failures = 0
    for k in range(1, calls + 1):
        clean()
        status, said, _, name = run(arguments, k)
        where = f"{' '.join(arguments)}: call {k} of {calls}, {name}: status {status}, {said!r}"
        assert status in (0, 1, 2), where
        if status == 2:
            assert said.startswith("perp: ") and said.count("\n") == 1, where
            failures += 1
        else:
            assert said == "", where
        try:
            judge(status != 2)
            again, said, _, _ = run(arguments if "--force" in arguments or "generate" not in arguments
                                    else arguments + ["--force"], None)
            assert again in (0, 1), said
            judge(True)
            # what could not be removed was left for this run to remove
            left = {n for n in os.listdir(".") if n not in expected}
            assert not left, left
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
    assert failures > 3, failures
    return calls


def put(spec, out):
    status, said, _, _ = run(["generate", *spec, "--force", "--out", out], None)
    assert status == 0, said


def test_replaced_folder():
    put(FIRST, "/tmp/" + os.path.basename(os.getcwd()) + "-1")
    put(SECOND, "/tmp/" + os.path.basename(os.getcwd()) + "-2")
    places = ["/tmp/" + os.path.basename(os.getcwd()) + f"-{k}" for k in (1, 2)]
    whole = [files_of(place) for place in places]

    def judge(well):
        assert files_of("p") in whole, sorted(files_of("p") or [])
        assert not well or files_of("p") == whole[1]

    try:
        return walk(["generate", *SECOND, "--force", "--out", "p"],
                    lambda: shutil.copytree(places[0], "p"), judge, {"p"})
    finally:
        for place in places:
            shutil.rmtree(place)


def test_new_folder():
    def judge(well):
        there = files_of("p")
        assert there is None or {"A.mtx", "b.mtx", "x.mtx", "kind.txt"} <= set(there), there
        assert not well or there

    return walk(["generate", *SECOND, "--out", "p"], lambda: None, judge, {"p"})


def test_convert():
    def judge(well):
        there = files_of("q")
        assert there is None or there == files_of("p") and well

    return walk(["convert", "p", "q", "--force"], lambda: put(FIRST, "p"), judge, {"p", "q"})


def test_solve():
    def judge(well):
        x = vector("x.mtx")
        assert x in ((13,) if well else (None, 13)), x
        assert not well or vector("t.csv")

    return walk(["solve", "p", "--out", "x.mtx", "--trace", "t.csv"], lambda: put(SECOND, "p"), judge,
                {"p", "x.mtx", "t.csv"})


def test_record():
    def judge(_):
        for name in os.listdir("rec") if os.path.isdir("rec") else []:
            if not name.startswith("."):
                assert {"A.mtx", "b.mtx", "start.mtx", "solve.txt"} <= set(os.listdir(f"rec/{name}"))

    return walk(["solve", "p", "--method", "pgs", "--max-iter", "1", "--tol", "0", "--record", "rec"],
                lambda: put(SECOND, "p"), judge, {"p", "rec"})


def main():
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    return run_tests({name: lambda test=test: f"{test()} calls, each failed once"
                      for name, test in tests.items()})


if __name__ == "__main__":
    sys.exit(main())
