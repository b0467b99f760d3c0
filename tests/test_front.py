#!/usr/bin/env python3
"""tests/test_front.py PROGRAM: perp doctor, completion in three shells, colours on a terminal"""

import json
import os
import pty
import re
import shutil
import subprocess
import sys

import harness

PROGRAM = os.path.abspath(sys.argv[1])


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=600, **more)


def fine(*arguments):
    done = run(*arguments)
    assert done.returncode == 0 and done.stderr == "", (arguments, done.returncode, done.stderr)
    return done.stdout


def words(*arguments):
    """Returns the completions at the cursor, without their descriptions."""
    return [line.split("\t")[0] for line in fine("completion", "words", "--", *arguments).splitlines()]


def on_terminal(*arguments, **variables):
    """Returns the output of the program on a terminal."""
    master, slave = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    environment.update(variables)
    process = subprocess.Popen([PROGRAM, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(master)
    process.wait()
    return text.decode()


def test_doctor():
    said = json.loads(fine("doctor", "--json"))
    built = json.loads(fine("version", "--json"))
    assert {c["name"]: c["found"] for c in said["components"]} == \
        {name: c["present"] for name, c in built["components"].items()}
    for c in said["components"]:
        assert c["serves"], f"{c['name']}: doctor does not know what it is for"
        assert c["found"] != bool(c["install"]), c
    remedies = {c["name"]: c["install"] for c in said["components"] if not c["found"]}
    if "cuda" in remedies:  # no package is missing if its compiler is there
        assert ("nvidia-cuda-toolkit" in remedies["cuda"]) == (not shutil.which("nvcc")), remedies
    if "blas" in remedies and built["components"]["portable"]["present"]:
        assert remedies["blas"].endswith(", then build perp with -DPERP_PORTABLE=OFF"), remedies
    assert not shutil.which("cc") or "gcc" not in remedies.get("openmp", ""), remedies
    assert [d["found"] for d in said["devices"] if d["name"] == "host"] == [True]
    assert any(d["name"] == "cuda:0" for d in said["devices"])
    parts = [p for key in ("components", "devices", "peers", "tools") for p in said[key]]
    assert said["missing"] == sum(not p["found"] for p in parts)
    text = fine("doctor")
    assert all(re.search(rf"^  (yes|no ) {re.escape(p['name'])} ", text, re.M) for p in parts)
    assert said["well"] is True and "all is well" in text.splitlines()[-1]
    for tool in said["tools"]:
        assert tool["found"] == bool(shutil.which(tool["name"])), tool


def test_doctor_without_programs():
    done = run("doctor", "--json", env={"PATH": "/nowhere"})
    tools = json.loads(done.stdout)["tools"]
    assert done.returncode == 0 and not any(t["found"] for t in tools)
    assert all(t["install"].startswith("apt-get install ") for t in tools)


def test_words_are_those_of_the_tables():
    commands = [c["name"] for c in json.loads(fine("help", "--json"))["commands"]]
    assert words("") == commands
    assert "doctor" in commands and words("doc") == ["doctor"]
    for command in commands:
        options = [line.split()[0] for line in fine("help", command).splitlines() if line.startswith("  --")]
        if command != "help":
            assert words(command, "--") == options, (command, words(command, "--"), options)
    methods = json.loads(fine("list", "--json"))["methods"]
    assert words("solve", "x", "--method", "") == [m["name"] for m in methods]
    for m in methods:
        keys = [p["name"] + "=" for p in m["parameters"]]
        assert words("solve", "x", "--method", m["name"], "--set", "") == keys
        for p in m["parameters"]:
            if p.get("choices"):
                assert words("solve", "x", "--method=" + m["name"], "--set", p["name"] + "=") == \
                    [f"{p['name']}={c}" for c in p["choices"]]
    kinds = json.loads(fine("generate", "--list", "--json"))["kinds"]
    assert words("generate", "") == [k["name"] for k in kinds]
    for k in kinds:
        assert words("generate", k["name"] + ":") == [f"{k['name']}:{p['name']}=" for p in k["parameters"]]
    scenes = json.loads(fine("simulate", "--list", "--json"))["scenes"]
    assert words("simulate", "") == [s["name"] for s in scenes]


def test_words_in_the_middle():
    assert words("solve", "wall:form=co") == ["wall:form=cone", ":files"]
    assert words("solve", "wall:cfm=1e-2,form=co") == ["wall:cfm=1e-2,form=cone", ":files"]
    assert words("solve", "--method=pgs") == ["--method=pgs", "--method=pgssm"]
    assert words("simulate", "wall3d", "--compare", "method=pgs,nn") == ["method=pgs,nncg"]
    assert words("solve", "x", "--out", "") == [":files"]
    assert words("solve", "x", "--tol", "") == []
    assert words("nothing", "") == [] and words() == []
    for method in words("qp", "mpc", "--method", ""):
        run_ = run("qp", "mpc:horizon=5", "--method", method, "--max-iter", "2")
        assert run_.returncode in (0, 1), (method, run_.stderr)


def test_bash():
    script = f"""
source <('{PROGRAM}' completion bash)
PATH='{os.path.dirname(PROGRAM)}':$PATH
touch file.mtx
try() {{
  COMP_LINE=$1 COMP_POINT=${{#1}}
  read -ra COMP_WORDS <<<"$1"
  _perp perp "${{COMP_WORDS[-1]}}" ''
  printf '%s\\n' "${{COMPREPLY[@]}}" | paste -sd ' '
}}
try 'perp doc'
try 'perp solve wall:form=con'
try 'perp solve fi'
try 'perp list nn'
try 'perp solve pd:'
"""
    said = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=600).stdout.splitlines()
    assert said[0] == "doctor" and said[1] == "cone" and said[3] == "nncg", said
    assert "file.mtx" in said[2].split(), said
    assert "n=" in said[4].split() and "file.mtx" not in said[4], said  # pd: is not a folder


def test_fish():
    if not shutil.which("fish"):
        raise harness.Skip("fish is not installed")
    script = f"set -x HOME .; set PATH '{os.path.dirname(PROGRAM)}' $PATH; perp completion fish | source; "
    for line, wanted in (("perp doc", "doctor"), ("perp solve wall:form=con", "wall:form=cone"),
                         ("perp solve x --method nnc", "nncg")):
        said = subprocess.run(["fish", "--no-config", "-c", script + f"complete -C '{line}'"],
                              capture_output=True, text=True, timeout=600)
        assert said.stdout.split("\t")[0] == wanted, (line, said)


def test_zsh():
    if not shutil.which("zsh"):
        raise harness.Skip("zsh is not installed")
    # The functions of zsh that show words are replaced: what reaches them is what is offered.
    script = f"""
compdef() {{ print compdef $*; }}
source <('{PROGRAM}' completion zsh)
_describe() {{ print -rl -- "${{(@P)3}}"; }}
_files() {{ print files; }}
words=('{PROGRAM}' solve wall:form=con) CURRENT=3
_perp
words=('{PROGRAM}' doc) CURRENT=2
_perp
"""
    said = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, timeout=600)
    assert said.stdout.splitlines()[0] == "compdef _perp perp", said
    assert "wall\\:form=cone:form of the problem" in said.stdout, said
    assert "files" in said.stdout and "doctor:show what is found" in said.stdout, said


def test_completion_refused():
    done = run("completion", "tcsh")
    assert done.returncode == 2 and 'no completion for "tcsh"' in done.stderr
    assert run("completion").returncode == 2


def test_colours():
    escape = "\033["
    for call in (["help"], ["solve", "--help"], ["doctor"], ["solve", "put"], ["nothing"]):
        assert escape in on_terminal(*call, TERM="xterm"), call
        plain = on_terminal(*call, TERM="xterm", NO_COLOR="1")
        assert plain and escape not in plain, call
        assert escape not in on_terminal(*call, TERM="dumb"), call
        assert escape not in on_terminal(*call), call
        done = run(*call, env={**os.environ, "TERM": "xterm"})
        assert escape not in done.stdout + done.stderr, call
    assert escape in on_terminal("help", TERM="xterm", NO_COLOR=""), "an empty NO_COLOR forbids nothing"
    assert escape not in on_terminal("solve", "put", "--json", TERM="xterm")


if __name__ == "__main__":
    sys.exit(harness.run_tests({name: test for name, test in list(globals().items()) if name.startswith("test_")}))
