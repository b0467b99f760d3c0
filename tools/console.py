"""Blocks of the language console: which test runs each of their commands

tools/newcomer types the lines of the README and the guides in a clean clone; run_here() runs the lines that need
an engine or MPI, with the components of the build. The rest is in ELSEWHERE, with the test that runs it."""

import glob
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# what tools/newcomer reads, in this order
PAGES = ["README.md", *(f"docs/{name}.md" for name in (
    "start", "build", "contacts", "rolling", "masses", "liquids", "obstacles", "options", "qp", "equilibrium", "equilibrium-gallery",
    "frames", "gradients", "choose", "simulate", "device", "engines", "scale", "play", "python", "octave")), "docs/site/benchmarks.in.md"]
ELSEWHERE = {"make test": "it runs separately", "make release": "it would change the version; make release-check runs its parts", "tools/make-wheels": "fetches packages of two Debians; make release runs it", "octave --path": "waits for a user; the blocks of octave run",
             "make web": "a gigabyte of compiler; make test builds it", "mpirun": "tools/test-blocks runs it",
             "build/bin/perp bench dense": "an hour; make bench is the same in little"}
# Sizes of the pages that are for clusters, and what a test takes
SMALLER = {"points=4097": "points=65", "grid=256": "grid=16", "n=100000": "n=100"}
# A line that a reader would type
COMMAND = re.compile(r"\s*(\$ |[A-Z_]+=\S+ \S|sudo |make |perp(-mpi|-cuda)? (?!\d)|mpirun |cc |c\+\+ |cmake |ctest |python3? |pip |"
                     r"octave |apt(-get)? |git |tools/|build[\w-]*/|\./)")


def models(page):
    """The folder of examples/ whose files the commands of a page take, or None."""
    name = os.path.basename(page)[:-3]
    folder = os.path.join(ROOT, "examples", {"mujoco": "robots", "grasp": "robots", "equilibrium-gallery": "equilibrium"}.get(name, name))
    return folder if os.path.isdir(folder) else None


def elsewhere(line):
    return next((why for start, why in ELSEWHERE.items() if line.startswith(start)), None)


def shell(command, place, **environment):
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=place, env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)


def install(build, place):
    """The prefix with the libraries of the build, moved: nothing may know where it was."""
    prefix = os.path.join(place, "moved")
    done = shell(f"cmake --install '{build}' --prefix '{place}/prefix' && mv prefix moved", place)
    if done.returncode:
        raise SystemExit(f"{build} cannot be installed:\n{done.stdout[-2000:]}")
    return prefix


def run_with_engine(line, place, prefix):
    """A line that compiles a program with an adapter, or loads it into one; the program runs and must end with 0."""
    library = os.path.dirname(glob.glob(os.path.join(prefix, "lib*", "**", "libperp.so"), recursive=True)[0])
    environment = {"PKG_CONFIG_PATH": os.path.join(library, "pkgconfig"), "LD_LIBRARY_PATH": library}
    if line.startswith("LD_PRELOAD="):
        done = shell("c++ demo.cpp -lode -o demo", place)
        return done if done.returncode else shell(line.replace("/usr/local/lib", library) + " 2>&1 | grep 'solves.*solved'",
                                                  place, **environment)
    done = shell(line, place, **environment)
    return done if done.returncode else shell("./a.out", place, **environment)


def run_with_mpi(line, place, build):
    """A line for mpirun, in a smaller size; DIR is a folder with a problem."""
    for size, small in SMALLER.items():
        line = line.replace(size, small)
    if "./program" in line:  # its status does not say whether it converged
        line += " | grep -E 'reason [1-9]'"
    path = os.path.join(build, "bin") + ":" + os.environ["PATH"]
    if not os.path.exists(os.path.join(place, "build-petsc")):
        os.symlink(build, os.path.join(place, "build-petsc"))
    shutil.copy(os.path.join(build, "bin", "petsc_problem"), os.path.join(place, "program"))
    shutil.rmtree(os.path.join(place, "DIR"), ignore_errors=True)
    return shell(f"perp generate obstacle --set points=33 --out DIR; {line}", place, PATH=path, OMPI_ALLOW_RUN_AS_ROOT="1",
                 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                 OMPI_MCA_mpi_yield_when_idle="1", OMP_NUM_THREADS="1")
