# Recipe of perp_jll for Yggdrasil: julia build_tarballs.jl
# Nobody has run it here: BinaryBuilder is not in Debian. tests/check-recipes runs its script.
using BinaryBuilder

name = "perp"
version = v"0.3.0"

# To publish: ArchiveSource with the address and the sha256 of the source archive.
sources = [DirectorySource(joinpath(@__DIR__, "..", ".."))]

script = raw"""
cd ${WORKSPACE}
# One library for every Julia: no optional component. BLAS and OpenMP of Julia have other names (libblastrampoline, 64-bit
# integers), and the portable build gives the same bits on every machine, without BLAS, CHOLMOD and UMFPACK. The program is a
# product; tests, sources to read, solvers of other libraries, headers for engines and static libraries are not.
cmake -S srcdir -B build-jll \
    -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TARGET_TOOLCHAIN} -DCMAKE_BUILD_TYPE=Release \
    -DPERP_PORTABLE=ON -DPERP_WITH_OPENMP=OFF -DPERP_WITH_ZLIB=OFF -DPERP_WITH_MATIO=OFF -DPERP_WITH_FCLIB=OFF \
    -DPERP_WITH_PNG=OFF -DPERP_WITH_ODE=OFF \
    -DPERP_APP=ON -DPERP_TESTS=OFF -DPERP_EXAMPLES=OFF -DPERP_BENCH=OFF -DPERP_ADAPTERS=OFF -DPERP_INSTALL_STATIC=OFF
cmake --build build-jll --parallel ${nproc}
cmake --install build-jll
install_license srcdir/LICENSE
"""

# gcc or clang of every platform but 32-bit ones, which nobody has tried
platforms = filter(p -> nbits(p) == 64, supported_platforms())

products = [
    LibraryProduct("libperp", :libperp),
    LibraryProduct("libperp-lab", :libperp_lab),
    ExecutableProduct("perp", :perp),
]

dependencies = Dependency[]

# C17, and atomics of gcc 8
build_tarballs(ARGS, name, version, sources, script, platforms, products, dependencies; julia_compat = "1.6", preferred_gcc_version = v"8")
