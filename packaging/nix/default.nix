# Nix package of perp, for the tree that it lies in:
#
#   nix-build -E '(import <nixpkgs> {}).callPackage ./packaging/nix {}'
#
# For nixpkgs, replace `src` by fetchurl with the address and the hash of the source archive.
{ lib, stdenv, cmake, ninja, python3, openblas, libpng, zlib
, withBlas ? true # large dense factors
, withPng ? true # images of scenes
, withOpenmp ? stdenv.hostPlatform.isLinux # threads: gcc has them, clang of Darwin has not
}:

stdenv.mkDerivation {
  pname = "perp";
  version = "0.3.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [ cmake ninja ];
  nativeCheckInputs = [ python3 ]; # tests of the program are in Python
  buildInputs = [ zlib ] ++ lib.optional withBlas openblas ++ lib.optional withPng libpng;

  cmakeFlags = [
    "-DPERP_EXAMPLES=OFF" # sources for users to read
    "-DPERP_BENCH=OFF" # the solvers of other libraries
    "-DPERP_ADAPTERS=OFF" # headers for engines, which are not inputs
    "-DPERP_TESTS=ON" # checkPhase runs some
    "-DPERP_WITH_ZLIB=ON" # an input: found, or an error
    "-DPERP_WITH_OPENMP=${if withOpenmp then "ON" else "OFF"}" # arguments: found, or an error
    "-DPERP_WITH_BLAS=${if withBlas then "ON" else "OFF"}"
    "-DPERP_WITH_PNG=${if withPng then "ON" else "OFF"}"
    "-DPERP_WITH_CHOLMOD=OFF" # loaded by a soname at run time, which a store path hides
    "-DPERP_WITH_UMFPACK=OFF" # the same
    "-DPERP_WITH_MATIO=OFF" # HDF5 would follow
    "-DPERP_WITH_FCLIB=OFF" # the same
    "-DPERP_WITH_ODE=OFF" # no input: perp has collisions of its own
  ];

  # the tests that take a second or less: the others are for those who change perp
  doCheck = true;
  checkPhase = "ctest --label-regex light --exclude-regex 'test_cli|test_front|examples' --output-on-failure";

  meta = {
    description = "Complementarity problems: library and program";
    license = lib.licenses.mit;
    platforms = lib.platforms.unix;
    mainProgram = "perp";
  };
}
