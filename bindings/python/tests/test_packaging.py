"""python3 -m perp, and the source archive"""

import os
import subprocess
import sys
import tarfile

import pytest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test_doctor():
    done = subprocess.run([sys.executable, "-m", "perp"], stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[-1].startswith("all is well"), done.stdout
    if any(line.startswith("  no ") for line in lines):
        assert any("PERP_COMPONENTS=AUTO" in line for line in lines)


@pytest.mark.skipif(not os.path.exists(os.path.join(HERE, "backend.py")), reason="not in the tree of the sources")
def test_source_archive(tmp_path):
    """It has what the build reads, C sources included, and the same bytes again."""
    archives = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        code = f"import sys; sys.path.insert(0, {HERE!r}); import backend; backend.build_sdist({str(folder)!r})"
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if "No module named 'setuptools'" in done.stdout:
            pytest.skip("not installed: setuptools")
        assert done.returncode == 0, done.stdout
        archives.append(next(folder.glob("perp-*.tar.gz")))
    with tarfile.open(archives[0]) as archive:
        names = {n.split("/", 1)[1] for n in archive.getnames()}
    for wanted in ("PKG-INFO", "pyproject.toml", "CMakeLists.txt", "include/perp/base.h", "src/base/random.c", "cmake/sources.cmake",
                   "web/viewer.js", "app/player.html", "bindings/python/setup.py", "bindings/python/src/module.c"):
        assert wanted in names, wanted
    assert archives[0].read_bytes() == archives[1].read_bytes()
