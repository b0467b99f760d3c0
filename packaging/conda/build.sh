#!/bin/bash
# conda-build sets PREFIX, SRC_DIR, CMAKE_ARGS (the prefix, the compilers of a cross build) and CPU_COUNT.
set -eu
options=(
  -DCMAKE_BUILD_TYPE=Release    # CMAKE_ARGS does not always say it
  -DCMAKE_INSTALL_LIBDIR=lib    # not lib64, where conda does not look
  -DPERP_TESTS=OFF     # the tests of the recipe run the installed program
  -DPERP_EXAMPLES=OFF  # sources for users to read, not to install
  -DPERP_BENCH=OFF     # the peers are other packages
  -DPERP_ADAPTERS=OFF  # headers for engines, which would be separate packages
  -DPERP_INSTALL_STATIC=OFF # conda-forge ships only shared libraries
  -DPERP_WITH_OPENMP=ON -DPERP_WITH_BLAS=ON -DPERP_WITH_ZLIB=ON -DPERP_WITH_PNG=ON # host packages: found, or an error
  -DPERP_WITH_CHOLMOD=OFF -DPERP_WITH_UMFPACK=OFF # loaded by a soname at run time; UMFPACK is GPL
  -DPERP_WITH_MATIO=OFF -DPERP_WITH_FCLIB=OFF -DPERP_WITH_ODE=OFF # would pull HDF5 and ODE into every environment
)
# shellcheck disable=SC2086
cmake -G Ninja -S "$SRC_DIR" -B build-conda ${CMAKE_ARGS:-} -DCMAKE_INSTALL_PREFIX="$PREFIX" "${options[@]}"
cmake --build build-conda --parallel "${CPU_COUNT:-2}"
cmake --install build-conda
