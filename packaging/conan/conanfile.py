"""Conan 2 recipe of perp, for the tree that it lies in"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Perp(ConanFile):
    name = "perp"
    version = "0.3.0"
    license = "MIT"
    description = "Complementarity problems: library and program"
    topics = ("complementarity", "contact", "friction", "quadratic programming")
    settings = "os", "compiler", "build_type", "arch"
    package_type = "library"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "src/*", "cmake/*", "docs/man/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        tool = CMakeToolchain(self)
        # libraries and headers only: the sources of the others are not exported
        for name in ("APP", "TESTS", "EXAMPLES", "BENCH", "ADAPTERS"):
            tool.cache_variables[f"PERP_{name}"] = False
        # no requirements, so no component may be found by chance on the machine that builds; the runtime of OpenMP is the
        # compiler's, and those who link the static library would need the same
        for name in ("OPENMP", "BLAS", "CHOLMOD", "UMFPACK", "ZLIB", "MATIO", "FCLIB", "PNG", "ODE"):
            tool.cache_variables[f"PERP_WITH_{name}"] = "OFF"
        tool.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # the package's own perpConfig.cmake
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "perp"))
        self.cpp_info.components["perp"].libs = ["perp"]
        self.cpp_info.components["perp"].set_property("pkg_config_name", "perp")
        self.cpp_info.components["lab"].libs = ["perp-lab"]
        self.cpp_info.components["lab"].requires = ["perp"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.components["perp"].system_libs = ["m", "dl"]
