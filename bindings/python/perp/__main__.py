"""python3 -m perp: what this build of the module has, how to get the rest, and a small problem solved"""

import sys

import numpy as np

import perp

# component: what it is for, the Debian package that brings it
OPTIONAL = {
    "openmp": ("threads", "gcc"), "blas": ("large dense factors", "libopenblas-dev"),
    "cholmod": ("sparse Cholesky factors", "libsuitesparse-dev"), "umfpack": ("sparse LU factors", "libsuitesparse-dev"),
    "zlib": ("compressed Matrix Market files", "zlib1g-dev"), "matio": ("MATLAB files", "libmatio-dev"),
    "png": ("images of scenes", "libpng-dev")}


def main():
    print(f"perp {perp.__version__}, NumPy {np.__version__}")
    present = perp.components()
    packages = []
    for name, (serves, package) in OPTIONAL.items():
        print(f"  {'yes' if present.get(name) else 'no '} {name:10} {serves}")
        if not present.get(name) and package not in packages:
            packages.append(package)
    if packages:
        print("to have what is missing, in the folder of the sources:\n"
              f"  apt-get install {' '.join(packages)}\n  PERP_COMPONENTS=AUTO pip install --force-reinstall --no-deps .")
    result = perp.solve_lcp(np.array([[2.0, -1.0], [-1.0, 2.0]]), [-1.0, 0.8])
    well = result.success and np.allclose(result.x, [0.5, 0.0], atol=1e-6)
    print("all is well: a small problem is solved" if well else f"a small problem is not solved: {result.message}")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
