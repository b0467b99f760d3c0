"""A judge: random problems by every entry point, against answers that were found without perp

    python judge.py [--count 5000] [--seed 1]

Each problem is drawn with a size, a form, a storage and a type of its numbers. Its answer is compared
with the enumeration of all cases, with SciPy, or with the definition of a solution (oracle.py). A draw
is one line of code to repeat: judge.py --seed S --only K. The last line is the sum."""

import argparse
import re
import sys
import warnings

import numpy as np
from oracle import (box_residual, cone_residual, definite, friction_residual, solutions)
from scipy import sparse
from scipy.optimize import linprog, lsq_linear, minimize
from scipy.sparse.linalg import LinearOperator, aslinearoperator

import perp

TOL = 1e-8


def need(truth, text):
    if not truth:
        raise AssertionError(text)


# ---- Storages of a matrix: name -> function; `exact`: numbers that float32 and integers hold ----

def _strided(A):
    wide = np.full((2 * len(A), 3 * len(A)), 7.0)
    wide[::2, ::3] = A
    return wide[::2, ::3]


def _read_only(A):
    A = A.copy()
    A.flags.writeable = False
    return A


STORAGES = {
    "dense": lambda A: A, "fortran": np.asfortranarray, "strided": _strided,
    "reversed": lambda A: A[::-1, ::-1].copy()[::-1, ::-1], "read only": _read_only,
    "big endian": lambda A: A.astype(">f8"), "list": lambda A: A.tolist(),
    "csr": sparse.csr_matrix, "csc": sparse.csc_matrix, "coo": sparse.coo_matrix,
    "bsr": lambda A: sparse.bsr_matrix(A, blocksize=(2, 2)) if len(A) % 2 == 0 else
    sparse.bsr_matrix(A),
    "csr64": lambda A: _wide(sparse.csr_matrix(A)), "array": sparse.csr_array,
    "linear": lambda A: LinearOperator(A.shape, matvec=lambda v: A @ v, rmatvec=lambda v: A.T @ v),
    "aslinear": aslinearoperator, "operator": perp.operator,
    "free": lambda A: perp.MatrixFree(len(A), lambda v: A @ v, lambda v: A.T @ v,
                                      lambda: A.diagonal()),
    "float32": lambda A: A.astype(np.float32), "float16": lambda A: A.astype(np.float16),
    "int64": lambda A: A.astype(np.int64), "int8": lambda A: A.astype(np.int8),
    "csr float32": lambda A: sparse.csr_matrix(A.astype(np.float32)),
    "csc int": lambda A: sparse.csc_matrix(A.astype(np.int32)),
}
ROUND = {"float32", "float16", "int64", "int8", "csr float32", "csc int"}  # take small integers only
PRODUCTS = {"linear", "aslinear", "free"}  # products alone: fewer methods


def _wide(A):
    A.indptr, A.indices = A.indptr.astype(np.int64), A.indices.astype(np.int64)
    return A


def matrix(rng, n, storage):
    """Definite, of small integers if the storage holds no others"""
    if storage not in ROUND:
        return definite(rng, n)
    A = rng.integers(-3, 4, (n, n)).astype(float)
    np.fill_diagonal(A, 4 * n)
    return A


# ---- Kinds of problems ----

def lcp(rng):
    n, storage = int(rng.integers(1, 8)), str(rng.choice(list(STORAGES)))
    A = matrix(rng, n, storage)
    b = rng.standard_normal(n)
    x, = solutions(A, b)
    r = perp.solve_lcp(STORAGES[storage](A), b)
    need(r.success, f"{storage}: {r.status}")
    need(abs(r.x - x).max() <= 1e-6 * max(1, abs(x).max()), f"{storage}: {r.x} and {x}")
    need(abs(r.y - (A @ r.x + b)).max() <= 1e-9, storage)


def box(rng):
    n, storage = int(rng.integers(1, 6)), str(rng.choice(list(STORAGES)))
    A, b = matrix(rng, n, storage), 3 * rng.standard_normal(n)
    lo = np.where(rng.random(n) < 0.3, -np.inf, -rng.random(n))
    hi = np.where(rng.random(n) < 0.3, np.inf, rng.random(n))
    if rng.random() < 0.2:
        lo[0] = hi[0] = 0.5  # fixed
    x, = solutions(A, b, lo, hi)
    r = perp.solve_lcp(STORAGES[storage](A), b, lo, hi)
    need(r.success, f"{storage}: {r.status}")
    need(abs(r.x - x).max() <= 1e-6, f"{storage}: {r.x} and {x}")


def mixed(rng):
    n = int(rng.integers(2, 7))
    A, b = definite(rng, n), rng.standard_normal(n)
    lo = np.where(rng.random(n) < 0.5, -np.inf, 0.0)
    x, = solutions(A, b, lo)
    r = perp.solve_lcp(A, b, lo)
    need(r.success and abs(r.x - x).max() <= 1e-6, f"{r.status}: {r.x} and {x}")


def unsolvable(rng):
    """Any matrix: perp must be right about whether there is a solution."""
    n = int(rng.integers(1, 6))
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    expected = solutions(A, b)
    r = perp.solve_lcp(A, b)
    if r.success:
        need(any(np.allclose(r.x, x, atol=1e-6) for x in expected), f"{r.x} and {expected}")
    else:
        need(not expected, f"{r.status}, but there are {len(expected)} solutions")
        need(r.certificate is None or perp.check_certificate(r.problem, r.certificate), "certificate")


def findex(rng):
    contacts = int(rng.integers(1, 5))
    n, storage = 2 * contacts, str(rng.choice(["dense", "csr", "csc", "bsr", "fortran"]))
    A, b = definite(rng, n, 0), 3 * rng.standard_normal(n)
    mu = rng.random(contacts)
    lo, hi, index = np.zeros(n), np.full(n, np.inf), np.full(n, -1)
    lo[1::2], hi[1::2], index[1::2] = -mu, mu, np.arange(0, n, 2)
    kind = rng.choice([np.int8, np.int32, np.int64])
    r = perp.solve_lcp(STORAGES[storage](A), b, lo, hi, index.astype(kind))
    need(r.success, r.status)
    need(friction_residual(A, b, r.x, lo, hi, index) <= 1.001 * TOL * abs(b).max(), "residual")


def cones(rng):
    contacts = int(rng.integers(1, 5))
    storage = str(rng.choice(["dense", "csr", "csc", "fortran", "operator"]))
    A, b = definite(rng, 3 * contacts, 0), 3 * rng.standard_normal(3 * contacts)
    mu = rng.random(contacts)
    r = perp.solve_cone(STORAGES[storage](A), b, mu)
    need(r.success, r.status)
    need(cone_residual(A, b, r.x, mu) <= 1.001 * TOL * abs(b).max(), "residual")


def contact(rng):
    rows, velocities = int(rng.integers(1, 7)), int(rng.integers(1, 9))
    J = rng.standard_normal((rows, velocities)) * (rng.random((rows, velocities)) < 0.7)
    root = rng.standard_normal((velocities, velocities)) * np.kron(
        np.eye(velocities), np.ones((1, 1)))  # a diagonal of squares
    M = root @ root.T + 0.1 * np.eye(velocities)
    C = 0.2 * np.eye(rows)
    Minv = (M.diagonal(), M, sparse.csr_matrix(M))[int(rng.integers(3))]
    how = (sparse.csr_matrix(J), sparse.coo_matrix(J), J)[int(rng.integers(3))]
    given = (0.2, np.full(rows, 0.2), C, sparse.csc_matrix(C))[int(rng.integers(4))]
    op, A = perp.Contact(how, Minv, given), J @ M @ J.T + C
    need(np.allclose(op.toarray(), A), "matrix")
    b, v = rng.standard_normal(rows), rng.standard_normal(velocities)
    need(np.allclose(op.bias(v, b), J @ v + b), "bias")
    x, = solutions(A, b)
    r = perp.solve_lcp(op, b)
    need(r.success and abs(r.x - x).max() <= 1e-6, f"{r.status}: {r.x} and {x}")
    need(np.allclose(op.velocities(v, r.x), v + M @ J.T @ r.x), "velocities")


def qp(rng):
    """Only bounds: against SciPy's least squares; with rows: by the optimality conditions."""
    n, m = int(rng.integers(1, 6)), int(rng.integers(0, 4))
    B, d = rng.standard_normal((n + 2, n)), rng.standard_normal(n + 2)
    P, q, lb, ub = B.T @ B, -B.T @ d, -rng.random(n), rng.random(n)
    P = (P + P.T) / 2
    if m == 0:
        x = lsq_linear(B, d, (lb, ub), tol=1e-13, method="bvls").x
        r = perp.solve_qp(P, q, lb=lb, ub=ub)
        need(r.success and abs(r.x - x).max() <= 1e-5, f"{r.status}: {r.x} and {x}")
        return
    G = rng.standard_normal((m, n))
    l, u = -rng.random(m), np.where(rng.random(m) < 0.3, np.inf, rng.random(m))
    stored = (G, sparse.csr_matrix(G), sparse.csc_matrix(G), G.tolist())[int(rng.integers(4))]
    r = perp.solve_qp(P, q, stored, l, u, lb, ub)
    need(r.success, r.status)
    y = G @ r.x
    need(abs(P @ r.x + q + G.T @ r.z + r.w).max() <= 1e-6, "stationarity")
    need((y <= u + 1e-7).all() and (y >= l - 1e-7).all(), "feasibility")
    need((r.x <= ub + 1e-7).all() and (r.x >= lb - 1e-7).all(), "bounds")
    for z, low, v, high in ((r.z, l, y, u), (r.w, lb, r.x, ub)):
        need((z[v < high - 1e-4] <= 1e-5).all() and (z[v > low + 1e-4] >= -1e-5).all(), "signs")


def lp(rng):
    n, m = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    q, G, u = rng.standard_normal(n), rng.standard_normal((m, n)), rng.random(m)
    expected = linprog(q, G, u, bounds=[(-1, 1)] * n)
    r = perp.solve_qp(None, q, G, u=u, lb=-1, ub=1)
    need(r.success and abs(r.objective - expected.fun) <= 1e-6, f"{r.status}, {r.objective}")


def ncp(rng):
    """A gradient of a convex function, whose minimum within bounds SciPy finds."""
    n = int(rng.integers(1, 6))
    A, b = definite(rng, n, 0), 2 * rng.standard_normal(n)
    lo, hi = -rng.random(n), rng.random(n)

    def F(x):
        return A @ x + b + x ** 3

    def J(x):
        return A + np.diag(3 * x * x)

    jacobian = (J, None, lambda x: sparse.csr_matrix(J(x)), lambda x: sparse.coo_matrix(J(x)),
                lambda x: J(x).tolist())[int(rng.integers(5))]
    r = perp.solve_ncp(F, jacobian, rng.standard_normal(n), lo, hi,
                       method=str(rng.choice(["josephy", "fischer", "minmap"])))
    need(r.success, r.status)
    need(abs(r.x - np.clip(r.x - F(r.x), lo, hi)).max() <= 1.01e-8, "residual")
    best = minimize(lambda x: x @ A @ x / 2 + b @ x + (x ** 4).sum() / 4, np.clip(r.x * 0, lo, hi),
                    jac=F, bounds=list(zip(lo, hi)), options={"ftol": 1e-15, "gtol": 1e-12})
    need(abs(r.x - best.x).max() <= 1e-4, f"{r.x} and {best.x}")


def batch(rng):
    n, k = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    A = np.stack([definite(rng, n) for _ in range(k)])
    b = rng.standard_normal((k, n))
    how = int(rng.integers(4))
    given = (A, A[0], sparse.csr_matrix(A[0]), A.astype(">f8"))[how]
    r = perp.solve_batch(given, b, threads=int(rng.integers(0, 4)),
                         device="host" if how in (0, 1) and rng.random() < 0.3 else None)
    for j in range(k):
        x, = solutions(A[j if how in (0, 3) else 0], b[j])
        need(r.success[j] and abs(r.x[j] - x).max() <= 1e-6, f"{r.status[j]}: {r.x[j]} and {x}")


def derivative(rng):
    """vjp and jvp against each other, and against a difference of solutions."""
    n = int(rng.integers(1, 8))
    A, b = definite(rng, n), 3 * rng.standard_normal(n)
    lo, hi = -rng.random(n), rng.random(n)
    stored = (A, sparse.csr_matrix(A), np.asfortranarray(A))[int(rng.integers(3))]
    r = perp.solve_lcp(stored, b, lo, hi, tol=1e-13)
    margin = np.maximum(np.minimum(r.x - lo, hi - r.x), abs(r.y))
    w, v = rng.standard_normal((2, n))
    d = r.derivative()
    need(abs(w @ d.jvp(db=v) - d.vjp(w).b @ v) <= 1e-9 * max(1, abs(w).max() * abs(v).max()), "twice")
    if margin.min() < 1e-3:
        return  # near a kink a difference sees both sides
    h = 1e-6
    up, down = (perp.solve_lcp(stored, b + s * v, lo, hi, tol=1e-13).x for s in (h, -h))
    slope = (up - down) / (2 * h)
    need(abs(slope - d.jvp(db=v)).max() <= 1e-5 * max(1, abs(slope).max()), "difference")


KINDS = {f.__name__: f for f in (lcp, box, mixed, unsolvable, findex, cones, contact, qp, lp, ncp,
                                 batch, derivative)}


# ---- Hostile draws: an exception that says what, or the right answer ----

def _shapes(rng, v):
    """Something else than the vector v, with the exceptions that are right"""
    return [
        (v[:-1], ValueError), (np.append(v, 1.0), ValueError), (v[:, None], ValueError),
        (np.float64(1.0), ValueError), (np.array(1.0), ValueError), ([], ValueError),
        (v + 0j, TypeError), (v.astype(str), TypeError), (v.astype(object), TypeError),
        ([None] * len(v), TypeError), ("text", (TypeError, ValueError)), (None, TypeError),
        ({"a": 1}, (TypeError, ValueError)), ([2 ** 80] * len(v), TypeError),
        ([[1.0], [1.0, 2.0]], ValueError), (np.zeros((0, len(v))), ValueError),
        (v.astype("datetime64[s]"), TypeError), (np.full(len(v), np.nan), ValueError),
        (np.where(np.arange(len(v)) == len(v) - 1, np.inf, v), ValueError),
    ][int(rng.integers(19))]


def _matrices(rng, A):
    n = len(A)
    bad = A.copy()
    i, j = rng.integers(n, size=2)
    bad[i, j] = rng.choice([np.nan, np.inf, -np.inf])
    place = rf"{i},\s*{j}"
    return [
        (bad, ValueError, place), (sparse.csr_matrix(bad), ValueError, place),
        (sparse.csc_matrix(bad), ValueError, place), (np.asfortranarray(bad), ValueError, place),
        (sparse.coo_matrix(bad), ValueError, place), (bad.astype(np.float32), ValueError, place),
        (A[:, :-1], ValueError, "shape"), (A[0], ValueError, "shape"), (A[None], ValueError, "shape"),
        (np.float64(3), ValueError, "shape"), (A + 0j, TypeError, "complex"),
        (sparse.csr_matrix(A + 0j), TypeError, "complex"), (A.astype(object), TypeError, "object"),
        (A.astype(str), TypeError, "type"), (sparse.csr_matrix(A)[:-1], ValueError, "shape"),
        (None, TypeError, "A"), ("A", TypeError, ""), ([[1, 2], [3]], ValueError, ""),
        (np.full((n, n), 2 ** 70, object), TypeError, "object"), (object(), TypeError, ""),
        (LinearOperator((n, n + 1), matvec=lambda v: v[:-1]), ValueError, "shape"),
        (perp.MatrixFree(n, lambda v: v[:-1]), ValueError, "numbers"),
        (perp.MatrixFree(n, lambda v: v + 1j), (TypeError, ValueError), ""),
    ][int(rng.integers(23))]


def refused(call, kind, text=""):
    """Returns True if it raises this; a warning about a discarded part counts too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = call()
        except kind as e:
            need(str(e), "an exception that says nothing")
            need(re.search(text, str(e)), f"{str(e)!r} does not name {text!r}")
            return
        except Exception as e:  # pylint: disable=broad-except
            raise AssertionError(f"{type(e).__name__}: {e}, not {kind}") from e
    raise AssertionError(f"no exception, but {result!r}")


def hostile_vector(rng):
    n = int(rng.integers(2, 6))
    A, v = definite(rng, n), rng.standard_normal(n)
    bad, kind = _shapes(rng, v)
    calls = {
        "b": lambda: perp.solve_lcp(A, bad), "Problem": lambda: perp.Problem(A, bad),
        "check": lambda: perp.check(perp.Problem(A, v), bad),
        "product": lambda: perp.operator(A) @ bad, "q": lambda: perp.solve_qp(A, bad),
        "w": lambda: perp.solve_lcp(A, v).vjp(bad), "batch": lambda: perp.solve_batch(A, bad),
    }
    name = str(rng.choice(list(calls)))
    if name in ("check", "product", "w") and isinstance(bad, np.ndarray) and bad.shape == (n,) and \
            bad.dtype == float:
        return  # a number that is none has a product that is none
    if name == "batch" and isinstance(bad, np.ndarray) and bad.shape == (0, n):
        need(len(calls[name]()) == 0, "no problems have no solutions")
        return
    refused(calls[name], (TypeError, ValueError) if name in ("batch", "q") else kind)


def hostile_matrix(rng):
    n = int(rng.integers(2, 6))
    A, b = definite(rng, n), -1 - rng.random(n)
    bad, kind, text = _matrices(rng, A)
    refused(lambda: perp.solve_lcp(bad, b), kind, text)


def hostile_option(rng):
    A, b = definite(rng, 3), rng.standard_normal(3)
    value = [(-1.0), np.nan, "x", [1], None, 1e400, 2 ** 80, -2 ** 80, 1.5, object(), np.inf, b, ""][
        int(rng.integers(13))]
    name = str(rng.choice(["tol", "time_limit", "max_iterations", "threads", "seed", "check_every",
                           "stagnation", "memory_limit", "merit_tol", "x0", "findex", "lo", "hi",
                           "method", "callback", "parameters", "omega", "trace", "nix"]))
    try:
        r = perp.solve_lcp(A, b, **{name: value})
    except (ValueError, TypeError, OverflowError) as e:
        need(str(e), "says nothing")
        return
    if r.success:  # whatever it was taken for, the answer is right
        lo = value if name == "lo" and value is not None else 0
        hi = value if name == "hi" and value is not None else np.inf
        tol = value if name == "tol" and value is not None else TOL
        need(box_residual(A, b, r.x, lo, hi) <= 1.001 * max(tol, TOL) * r.scale, f"{name}={value!r}")


HOSTILE = {f.__name__: f for f in (hostile_vector, hostile_matrix, hostile_option)}
DRAWS = {**KINDS, **HOSTILE}


def draw(seed, k):
    """The k-th draw of a seed: its kind, and what is wrong or ''"""
    rng = np.random.default_rng([seed, k])
    name = list(DRAWS)[k % len(DRAWS)]
    try:
        DRAWS[name](rng)
    except Exception as e:  # pylint: disable=broad-except
        return name, f"{type(e).__name__}: {e}"
    return name, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    if given.only is not None:
        DRAWS[list(DRAWS)[given.only % len(DRAWS)]](np.random.default_rng([given.seed, given.only]))
        return 0
    tally = {name: [0, 0] for name in DRAWS}
    for k in range(given.count):
        name, wrong = draw(given.seed, k)
        tally[name][bool(wrong)] += 1
        if wrong:
            print(f"FAIL {name} --seed {given.seed} --only {k}: {wrong[:300]}", flush=True)
    print(", ".join(f"{name} {good} of {good + bad}" for name, (good, bad) in tally.items()))
    good, bad = (sum(t[j] for t in tally.values()) for j in (0, 1))
    print(f"{good} passed, {bad} failed, 0 skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
