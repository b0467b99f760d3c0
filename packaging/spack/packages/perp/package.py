"""Spack recipe of perp: spack repo add packaging/spack; spack dev-build perp@VERSION

dev-build takes the tree that it is run in. For spack's own repository, enter `url` and the sha256 of the source archive
in `version`."""

from spack.package import *


class Perp(CMakePackage):
    """Complementarity problems: library and program."""

    license("MIT")
    version("0.3.0")

    variant("shared", default=True, description="Install shared libraries only; else the static ones too")
    variant("openmp", default=True, description="Threads")
    variant("blas", default=True, description="Large dense factors, by LAPACK")
    variant("suitesparse", default=True, description="Sparse factors by CHOLMOD and UMFPACK")
    variant("matio", default=False, description="MATLAB files")
    variant("hdf5", default=False, description="Friction problems in files of FCLib")
    variant("png", default=False, description="Images of scenes")
    variant("petsc", default=False, description="perp inside PETSc, and perp-mpi")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("zlib-api")
    depends_on("blas", when="+blas")
    depends_on("lapack", when="+blas")
    depends_on("suite-sparse", when="+suitesparse")
    depends_on("matio", when="+matio")
    depends_on("hdf5~mpi", when="+hdf5")
    depends_on("libpng", when="+png")
    depends_on("petsc", when="+petsc")
    depends_on("mpi", when="+petsc")

    def cmake_args(self):
        # each component is asked for or left out, so that nothing of the system is found by chance
        components = {"OPENMP": "openmp", "BLAS": "blas", "CHOLMOD": "suitesparse", "UMFPACK": "suitesparse",
                      "MATIO": "matio", "FCLIB": "hdf5", "PNG": "png", "PETSC": "petsc"}
        args = [self.define_from_variant(f"PERP_WITH_{name}", variant) for name, variant in components.items()]
        args += [
            self.define("PERP_WITH_ZLIB", True),  # always a dependency
            self.define("PERP_WITH_ODE", False),  # spack has no ODE
            self.define("PERP_TESTS", self.run_tests),  # spack install --test=root
            self.define("PERP_EXAMPLES", False),  # sources for users to read
            self.define("PERP_BENCH", False),  # the solvers of other libraries
            self.define("PERP_ADAPTERS", False),  # headers for engines
            self.define("PERP_INSTALL_STATIC", not self.spec.satisfies("+shared")),
        ]
        if self.spec.satisfies("+suitesparse"):
            # loaded at run time by name: from the folder of this dependency
            args.append(self.define("CMAKE_INSTALL_RPATH", self.spec["suite-sparse"].prefix.lib))
        return args
