"""Every block of Python in the README and in the guide is run"""

import os
import re

import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "..")


def blocks(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as page:
        return re.findall(r"^```python\n(.*?)^```$", page.read(), re.M | re.S)


@pytest.mark.parametrize("page, least", [("README.md", 1), ("docs/python.md", 7), ("docs/python-matrices.md", 8),
                                        ("docs/python-models.md", 4)])
def test_blocks(page, least, tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    found, names = blocks(page), {}
    assert len(found) >= least
    for k, block in enumerate(found):
        exec(compile(block, f"{page}, block {k + 1}", "exec"), names)  # pylint: disable=exec-used


def test_what_the_readme_prints(capsys):
    """The comment behind print is what it prints."""
    block, = blocks("README.md")
    exec(compile(block, "README.md", "exec"), {})  # pylint: disable=exec-used
    expected = re.search(r"print\(.*\)  # (.*)", block).group(1)
    assert capsys.readouterr().out == expected + "\n"
