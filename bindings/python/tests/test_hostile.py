"""Hostile calls, in a separate process: an exception, and no crash"""

import os
import subprocess
import sys

import pytest

pytest.importorskip("scipy")
import hostile  # noqa: E402


@pytest.fixture(scope="module")
def lines():
    done = subprocess.run([sys.executable, hostile.__file__], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300, check=False,
                          cwd=os.path.dirname(hostile.__file__))
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return found, f"status {done.returncode}, last line {done.stdout[-200:]!r}, {done.stderr[-500:]}"


@pytest.mark.parametrize("name", hostile.CASES)
def test_case(name, lines):
    found, end = lines
    assert found.get(name, end).startswith("ok"), found.get(name, end)
