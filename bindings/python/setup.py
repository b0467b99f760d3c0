"""Builds the wheel: CMake compiles the library and the extension, setuptools packs them.

    pip install --no-build-isolation --no-deps .

Settings are variables of the environment:

    PERP_COMPONENTS=AUTO   with the optional libraries that are found (OpenMP, LAPACK, CHOLMOD,
                           ODE, ...); without it the wheel needs nothing but libc and libm
    PERP_BUILD=DIR         build there, not in ./build
    PERP_CMAKE="-D..."     further arguments for CMake"""

import os
import re
import shlex
import shutil
import subprocess
import sysconfig

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("PERP_BUILD", os.path.join(HERE, "build")))


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


def version():
    """It has one home: include/perp/base.h."""
    return ".".join(re.findall(r"#define PERP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
                               read("include", "perp", "base.h")))


class Build(build_ext):
    def build_extension(self, ext):
        tree = os.path.join(BUILD, "cmake")
        includes = ";".join([sysconfig.get_path("include"), numpy.get_include()])
        configure = ["cmake", "-S", HERE, "-B", tree, "-DPERP_PYTHON_INCLUDES=" + includes,
                     "-DPERP_COMPONENTS=" + os.environ.get("PERP_COMPONENTS", "OFF")]
        if shutil.which("ninja") and not os.path.exists(os.path.join(tree, "CMakeCache.txt")):
            configure += ["-G", "Ninja"]
        configure += shlex.split(os.environ.get("PERP_CMAKE", ""))
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", tree, "--target", "_perp", "--parallel",
                        str(os.cpu_count() or 2)], check=True)
        target = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(tree, "_perp.abi3.so"), target)


class Pure(build_py):
    """The package, and the page that plays simulations, which the program perp has too."""

    def run(self):
        super().run()
        if not self.editable_mode:
            # with the viewer in its place, as cmake/embed.cmake does it for the program
            viewer = "".join(read("web", name) for name in ("viewer.js", "gl.js", "flat.js", "player.js"))
            page = read("app", "player.html").replace("/*VIEWER*/", viewer)
            with open(os.path.join(self.build_lib, "perp", "player.html"), "w", encoding="utf-8") as f:
                f.write(page)


os.makedirs(BUILD, exist_ok=True)
setup(
    version=version(),
    ext_modules=[Extension("perp._perp", [], py_limited_api=True)],
    cmdclass={"build_ext": Build, "build_py": Pure},
    options={"bdist_wheel": {"py_limited_api": "cp310"}, "build": {"build_base": BUILD},
             "egg_info": {"egg_base": BUILD}},
)
