#!/usr/bin/env python3
"""test_nl_input.py PERP: bad models and places where no .sol file can be written

Each call must end with one line that names the file, the line and the value, with the right exit status,
without a new file, and with the old .sol file as it was."""

import os
import re
import subprocess
import sys
import tempfile

import nl_file
from nl_file import INF, Model

OLD = "an older result\n"
count = {True: 0, False: 0}


def firms():
    """two firms, and an equation for what they sell"""
    m = Model("firms", "Cournot 1838")
    q = m.vars(2, 0, 9.0, 1.0)
    sold = m.var(-INF)
    for i in (0, 1):
        m.comp((i + 1) * (1 + q[i]) + q[i] - (10 - q[0] - q[1]) + 0.1 * q[i] ** 2, q[i])
    m.eq(q[0] + q[1] - sold)
    return m


def check(fine, what, done):
    count[bool(fine)] += 1
    if not fine:
        print(f"FAIL {what}: status {done.returncode}, {done.stderr!r}")


def call(perp, folder, **more):
    return subprocess.run([perp, "model", "-AMPL"], cwd=folder, capture_output=True, text=True, check=False, **more)


def refuse(perp, what, data, said, line=None, status=2):
    """status 2: nothing is written; 0: AMPL's convention, .sol says 500"""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.nl"), "wb") as f:
            f.write(data)
        with open(os.path.join(folder, "model.sol"), "w", encoding="ascii") as f:
            f.write(OLD)
        done = call(perp, folder)
        with open(os.path.join(folder, "model.sol"), "rb") as f:
            sol = f.read()
        whole = sol == OLD.encode() if status else sol.rstrip().endswith(b"objno 0 500")
        place = r"model\.nl:(\d+| byte \d+): ." if line is None else rf"model\.nl:{line}: "
        place = "perp: model: ." if status == 0 else place
        check(done.returncode == status and done.stderr.count("\n") == 1 and re.search(place, done.stderr) and
              said in done.stderr and not done.stdout and whole and
              sorted(os.listdir(folder)) == ["model.nl", "model.sol"], what, done)


def change(text, old, new):
    """the text with a line replaced, and the line's number; old begins with a newline"""
    assert text.count(old) >= 1, old
    at = text.index(old)
    return (text[:at] + new + text[at + len(old):]).encode(), text.count("\n", 0, at + 1) + 1


def bad_models(perp, text, binary):
    for what, old, new, said in (
            ("more variables than bytes", "\n 3 3 0", "\n 2000000000 3 0", "2000000000 does not fit into a file of"),
            ("more rows than an int", "\n 3 3 0", "\n 3 99999999999999 0", "99999999999999 is not in 0 .. "),
            ("more entries than bytes", "\n 7 0\n", "\n 700000 0\n", "700000 does not fit"),
            ("more arguments than bytes", "\no2\nn0.1", "\no54\n1999999999\nn0.1", ""),
            ("more starts than variables", "\nx2", "\nx1999999999", "1999999999 is not in 0 .. 3"),
            ("a lower bound that is not a number", "\n0 0.0 9.0", "\n0 nan 9.0", "bounds nan and 9"),
            ("an upper bound that is not a number", "\n0 0.0 9.0", "\n0 0.0 nan", "bounds 0 and nan"),
            ("lo > hi", "\n0 0.0 9.0", "\n0 9.5 9.0", "bounds 9.5 and 9"),
            ("a lower bound of inf", "\n0 0.0 9.0", "\n0 inf inf", "bounds inf and inf"),
            ("a row's bound that is not a number", "\n4 -0.0", "\n4 nan", "bounds nan and nan"),
            ("a start that is not a number", "\n0 1.0\n1 1.0", "\n0 nan\n1 1.0", "start nan"),
            ("a coefficient that is not finite", "\n0 3.0", "\n0 inf", "coefficient inf"),
            ("a partner that is not there", "\n5 3 1", "\n5 3 4", "complementary variable 4"),
            ("an unknown segment", "\nk2", "\nq2", "'q' does not begin a segment"),
            ("a second segment b", "\nk2", "\nb\nk2", "segment b appears twice")):
        data, line = change(text, old, new)
        if what == "more arguments than bytes":
            line, said = line + 1, "number of arguments 1999999999"
        refuse(perp, what, data, said, line)
    jacobian, columns = text.index("J0"), text.index("k2")
    line = text.count("\n", 0, columns) + 1
    refuse(perp, "J before k", (text[:columns] + text[jacobian:] + text[columns:jacobian]).encode(),
           "segment J comes before segment k", line)
    body, rows = text.index("C0"), text.index("\nr\n") + 1
    refuse(perp, "segments before the header", (text[body:rows] + text[:body] + text[rows:]).encode(), "not an .nl file", 1)
    refuse(perp, "an empty file", b"", "not an .nl file", 1)
    lines = text.split("\n")
    for k in range(1, len(lines) - 1):
        data = "\n".join(lines[:k]).encode() + b"\n"
        refuse(perp, f"only {k} lines", data, "", None)
    for cut in range(0, len(binary) - 1, 7):
        refuse(perp, f"only {cut} bytes of a binary file", binary[:cut], "")


def not_square(perp):
    """the message names what is left over; the .sol file says 500"""
    for what, build, said in (("an equation too many", lambda m, v: m.eq(v - 3), "row"),
                              ("a variable too many", lambda m, v: m.eq(m.var(-INF) + m.var(-INF)), "x[")):
        m = firms()
        build(m, nl_file.Expr("v", 2))
        with tempfile.TemporaryDirectory() as folder:
            nl_file.write(m, m.starts[0], os.path.join(folder, "model"))
            with open(os.path.join(folder, "model.nl"), "rb") as f:
                refuse(perp, what, f.read(), said, None, 0)


def no_place(perp, text):
    """a folder that may not be written, and a .sol file that is a folder"""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.nl"), "w", encoding="ascii") as f:
            f.write(text)
        os.mkdir(os.path.join(folder, "model.sol"))
        done = call(perp, folder)
        check(done.returncode == 2 and "model.sol" in done.stderr and
              sorted(os.listdir(folder)) == ["model.nl", "model.sol"], "model.sol is a folder", done)
        os.rmdir(os.path.join(folder, "model.sol"))
        os.chmod(folder, 0o555)
        other = {"user": 65534} if os.geteuid() == 0 else {}  # root may write everywhere
        try:
            done = call(perp, folder, **other)
        except PermissionError:
            print("  skipped: the program cannot be run by another user")
            done = None
        if done:
            check(done.returncode == 2 and "model.sol" in done.stderr and "denied" in done.stderr and
                  os.listdir(folder) == ["model.nl"], "no permission", done)
        os.chmod(folder, 0o755)


def main():
    perp = os.path.abspath(sys.argv[1])
    m = firms()
    with tempfile.TemporaryDirectory() as folder:
        stub = os.path.join(folder, "model")
        files = []
        for binary in (False, True):
            nl_file.write(m, m.starts[0], stub, "ampl", binary)
            with open(stub + ".nl", "rb") as f:
                files.append(f.read())
        done = call(perp, folder)
        check(done.returncode == 0 and os.path.exists(stub + ".sol"), "the good model", done)
    text = files[0].decode()
    bad_models(perp, text, files[1])
    not_square(perp)
    no_place(perp, text)
    print(f"{count[True]} passed, {count[False]} failed, 0 skipped")
    return count[False] > 0


if __name__ == "__main__":
    sys.exit(main())
