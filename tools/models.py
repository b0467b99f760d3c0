"""models.py: the models of docs/equilibrium.md and equilibrium-gallery.md, and their output, for tools/write-docs

examples/equilibrium/NAME.py is a model in Pyomo; NAME.nl, .col and .row are what Pyomo wrote, with a hash of NAME.py
in the first line. firms-jump.nl and firms-ampl.nl are the same model in those dialects, by tests/nl_file.py. In the
pages, the block of text after <!-- NAME.py --> is that file, after <!-- NAME.out --> what it printed, and after a block
of sh `perp NAME.nl ...` its output."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "examples", "equilibrium")


def text_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
        return f.read()


def first_line(name):
    return f"g3 1 1 0\t# problem {name}.py {hashlib.sha256(text_of(name + '.py').encode()).hexdigest()[:16]}\n"


def names():
    return sorted(f[:-3] for f in os.listdir(FOLDER) if f.endswith(".py"))


def write_dialects(folder):
    sys.path.insert(0, os.path.join(ROOT, "tests"))
    import nl_file  # pylint: disable=import-outside-toplevel
    m = nl_file.Model("firms", "Cournot 1838")
    q = m.vars(2, start=1.0)
    for i in (0, 1):
        m.comp((i + 1) * (1 + q[i]) + q[i] - (10 - q[0] - q[1]), q[i])
    for dialect in ("ampl", "jump"):
        nl_file.write(m, m.starts[0], os.path.join(folder, f"firms-{dialect}"), dialect)


def write(perp):
    """the .nl files, and what firms.py prints; those of Pyomo only if it is installed"""
    write_dialects(FOLDER)
    os.environ["PATH"] = os.path.dirname(os.path.abspath(perp)) + ":" + os.environ["PATH"]
    try:
        from pyomo.environ import TransformationFactory  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("skip examples/equilibrium/*.nl: Pyomo is not installed")
        return
    for name in names():
        build, *solve = text_of(name + ".py").split("\nprint(", 1)
        space = {}
        exec(build, space)  # pylint: disable=exec-used
        m = space["m"]
        if solve:
            with open(os.path.join(FOLDER, name + ".out"), "wb") as f:
                subprocess.run([sys.executable, name + ".py"], cwd=FOLDER, stdout=f, check=True)
        else:
            TransformationFactory("mpec.nl").apply_to(m)
        path = os.path.join(FOLDER, name + ".nl")
        m.write(path, io_options={"symbolic_solver_labels": True})
        lines = text_of(name + ".nl").split("\n", 1)
        with open(path, "w", encoding="utf-8") as f:
            f.write(first_line(name) + lines[1])


def stale():
    """the files that do not belong to their model"""
    bad = [name + ".nl" for name in names() if not text_of(name + ".nl").startswith(first_line(name))]
    with tempfile.TemporaryDirectory() as folder:
        write_dialects(folder)
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                bad += [name] if f.read() != text_of(name) else []
    return bad


def same(a, b):
    """words are equal and numbers agree to 1e-6; of a verdict its first word counts"""
    a, b = ([re.sub(r"^perp \S+: (\w+).*", r"\1", line).split() for line in t.split("\n")] for t in (a, b))

    def equal(x, y):
        try:
            return abs(float(x) - float(y)) <= 1e-6 * (1 + abs(float(x)))
        except ValueError:
            return x == y
    return len(a) == len(b) and all(len(p) == len(q) and all(map(equal, p, q)) for p, q in zip(a, b))


def page(text, perp):
    """the page with the models and outputs of today"""
    path = os.path.dirname(os.path.abspath(perp)) + ":" + os.environ["PATH"]

    def model(m):
        shown = re.sub(r'^""".*?"""\n', "", text_of(m[2]), flags=re.S)
        return f"{m[1]}```text\n{shown}```"

    def output(m):
        with tempfile.TemporaryDirectory() as folder:
            place = shutil.copytree(FOLDER, os.path.join(folder, "models"))
            out = subprocess.run(["bash", "-c", m[2]], cwd=place, stdout=subprocess.PIPE, text=True, check=False,
                                 env={**os.environ, "PATH": path}).stdout
        return m[0] if same(m[3], out) else f"{m[1]}```text\n{out}```"
    text = re.sub(r"(<!-- ([\w-]+\.\w+) -->\n+)```text\n.*?```", model, text, flags=re.S)
    return re.sub(r"(```sh\n(perp [\w-]+\.nl[^\n]*)\n```\n+)```text\n(.*?)```", output, text, flags=re.S)
