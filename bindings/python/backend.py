"""The build backend of pip: setuptools in this folder, and a source archive with the C sources

The pyproject.toml of this folder and the one at the root of the repository both name it, so that
`pip install .` works in both, and in an unpacked archive, which has the layout of the repository."""

import gzip
import io
import os
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
os.chdir(HERE)  # before setuptools looks for its project

from setuptools import build_meta  # noqa: E402
from setuptools.build_meta import (  # noqa: E402, F401
    build_editable, build_wheel, get_requires_for_build_editable, get_requires_for_build_sdist,
    get_requires_for_build_wheel, prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel)

# Files that setup.py and its CMake read, from the root; folders with all their contents.
SOURCES = ("CMakeLists.txt", "LICENSE", "pyproject.toml", "app/player.html", "cmake", "include", "src",
           "adapters/include/perp/mujoco.h", "adapters/include/perp/mujoco_derivative.h",
           "adapters/include/perp/mujoco_matrix.h", "adapters/include/perp/mujoco_newton.h",
           "adapters/include/perp/mujoco_problem.h", "web/viewer.js", "web/gl.js",
           "web/flat.js", "web/player.js",
           "bindings/python/CMakeLists.txt", "bindings/python/backend.py", "bindings/python/pyproject.toml",
           "bindings/python/setup.py", "bindings/python/perp", "bindings/python/src", "bindings/python/tests")


def sources():
    for name in SOURCES:
        path = os.path.join(ROOT, name)
        if os.path.isfile(path):
            yield name
        for folder, _, files in os.walk(path):
            for file in files:
                if not file.endswith((".pyc", ".so")) and "__pycache__" not in folder:
                    yield os.path.relpath(os.path.join(folder, file), ROOT)


def build_sdist(sdist_directory, config_settings=None):
    """perp-VERSION.tar.gz; names in order and no times or owners, so that it is the same wherever it is made."""
    with tempfile.TemporaryDirectory() as folder:
        metadata = os.path.join(folder, build_meta.prepare_metadata_for_build_wheel(folder), "METADATA")
        with open(metadata, "rb") as f:
            about = f.read()
    fields = dict(line.split(": ", 1) for line in about.decode().split("\n\n")[0].split("\n") if ": " in line)
    name = f"perp-{fields['Version']}"
    with open(os.path.join(sdist_directory, name + ".tar.gz"), "wb") as out, \
            gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in ["PKG-INFO", *sorted(sources())]:
            if path == "PKG-INFO":
                data = about
            else:
                with open(os.path.join(ROOT, path), "rb") as f:
                    data = f.read()
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return name + ".tar.gz"
