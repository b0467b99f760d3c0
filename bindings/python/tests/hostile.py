"""Calls that must end with an exception that names what is wrong, and never with a crash

    python hostile.py     runs all cases, and prints a line for each: name, what came

test_hostile.py runs it in a separate process, so that a crash is the failure of a test."""

import gc
import re
import sys
import threading

import numpy as np
from scipy import sparse

import perp

A = np.array([[4.0, 1.0, 0.0], [1.0, 4.0, 1.0], [0.0, 1.0, 4.0]])
b = np.array([-1.0, 2.0, -3.0])
CASES = {}


def case(kind, text=""):
    """A case that must end with this exception, whose message has this text; None: with none"""
    def add(function):
        CASES[function.__name__] = (function, kind, text)
        return function
    return add


def broken(M, **arrays):
    """A copy of a sparse matrix with other arrays, which SciPy does not look at."""
    M = M.copy()
    for name, v in arrays.items():
        setattr(M, name, np.asarray(v))
    return M


CSR = sparse.csr_matrix(A)
FAR = 10**6


# ---- Indices that belong to no matrix ----

for _name, _M, _how in (
        ("csr_short_indices", CSR, {"indices": CSR.indices[:3]}),
        ("csr_short_data", CSR, {"data": CSR.data[:3]}),
        ("csr_short_indptr", CSR, {"indptr": CSR.indptr[:2]}),
        ("csr_long_indptr", CSR, {"indptr": np.append(CSR.indptr, FAR)}),
        ("csr_far_indptr", CSR, {"indptr": [0, FAR, FAR, 7]}),
        ("csr_negative_indptr", CSR, {"indptr": [-5, 2, 5, 7]}),
        ("csr_far_index", CSR, {"indices": np.where(np.arange(7) == 4, FAR, CSR.indices)}),
        ("csr_negative_index", CSR, {"indices": np.where(np.arange(7) == 4, -FAR, CSR.indices)}),
        ("csc_far_index", CSR.tocsc(), {"indices": np.full(7, FAR)}),
        ("csc_far_indptr", CSR.tocsc(), {"indptr": [0, 2, FAR, 7]}),
        ("coo_far_row", CSR.tocoo(), {"row": np.full(7, FAR)}),
        ("coo_short_col", CSR.tocoo(), {"col": np.zeros(2, int)}),
        ("bsr_far_index", sparse.bsr_matrix(np.eye(6), blocksize=(2, 2)), {"indices": [0, FAR, 2]}),
        ("bsr_short_data", sparse.bsr_matrix(np.eye(6), blocksize=(2, 2)),
         {"data": np.ones((1, 2, 2))})):
    for _call, _use in (("lcp", lambda M: perp.solve_lcp(M, np.ones(M.shape[0]))),
                        ("contact", lambda M: perp.Contact(M, np.ones(M.shape[1]))),
                        ("masses", lambda M: perp.Contact(np.eye(M.shape[0]), M)),
                        ("compliance", lambda M: perp.Contact(np.eye(M.shape[0]),
                                                              np.ones(M.shape[0]), M)),
                        ("qp", lambda M: perp.solve_qp(np.eye(M.shape[0]), np.ones(M.shape[0]), M,
                                                       -1, 1)),
                        ("ncp", lambda M: perp.solve_ncp(lambda x: x - 1, lambda x: M,
                                                         np.zeros(M.shape[0])))):
        CASES[f"{_name}_{_call}"] = ((lambda use=_use, M=_M, how=_how: use(broken(M, **how))),
                                     ValueError, "")


def written(use, index=FAR, M=None, name="indices"):
    """Indices that are written in place, after an operator was made of them."""
    M = CSR.copy() if M is None else M
    p = perp.Problem(M, np.ones(M.shape[0]))
    solver = perp.Solver("pgs")
    solver.solve(p)
    d = solver.solve(p).derivative()
    getattr(M, name)[4 if name == "indices" else 1] = index
    return use(p, solver, d)


for _name, _use in (("solve", lambda p, s, d: s.solve(p)), ("auto", lambda p, s, d: perp.solve(p)),
                    ("product", lambda p, s, d: p.A @ np.ones(p.n)),
                    ("transpose", lambda p, s, d: p.A.rmatvec(np.ones(p.n))),
                    ("diagonal", lambda p, s, d: p.A.diagonal()),
                    ("toarray", lambda p, s, d: p.A.toarray()),
                    ("tocsr", lambda p, s, d: p.A.tocsr()),
                    ("refresh", lambda p, s, d: p.A.refresh()),
                    ("spectrum", lambda p, s, d: p.A.spectrum()),
                    ("facts", lambda p, s, d: p.facts()), ("plan", lambda p, s, d: p.plan()),
                    ("check", lambda p, s, d: perp.check(p, np.ones(p.n))),
                    ("certificate", lambda p, s, d: perp.check_certificate(p, np.ones(p.n))),
                    ("save", lambda p, s, d: perp.save("/nonexistent/x", p)),
                    ("batch", lambda p, s, d: perp.solve_batch(p.A, np.ones((4, p.n)))),
                    ("qp", lambda p, s, d: perp.solve_qp(p.A, np.ones(p.n))),
                    ("vjp", lambda p, s, d: d.vjp(np.ones(p.n))),
                    ("jvp", lambda p, s, d: d.jvp(db=np.ones(p.n))),
                    ("again", lambda p, s, d: perp.Problem(p.A, np.ones(p.n)))):
    CASES["written_" + _name] = ((lambda use=_use: written(use)), ValueError, "was created")
    CASES["unsorted_" + _name] = ((lambda use=_use: written(use, 0)), ValueError, "was created")


@case(ValueError, "was created")
def written_blocks():
    M = sparse.bsr_matrix(np.kron(A, np.eye(2)), blocksize=(2, 2))
    written(lambda p, s, d: s.solve(p), M=M)


@case(ValueError, "was created")
def written_starts():
    M = CSR.copy()
    M.indptr = M.indptr.astype(np.int64)  # of the type that is borrowed
    written(lambda p, s, d: s.solve(p), M=M, name="indptr")


@case(None)
def written_rows_of_a_contact():
    """A contact has its own indices."""
    J = CSR.copy()
    C = perp.Contact(J, np.ones(3), 0.1)
    before = C.toarray()
    J.indices[:] = FAR
    C.refresh()
    assert (C.toarray() == before).all() and perp.solve_lcp(C, b).success


@case(None)
def written_bodies_and_cells():
    body, cells = np.array([[0, -1]], np.int32), np.array([0, 1, 3], np.int32)
    C = perp.Contact.from_bodies(body, np.ones((1, 2, 3)), np.eye(3)[None])
    G = perp.Grid((2, 2), cells)
    body[:], cells[:] = FAR, FAR
    C.refresh()
    G.refresh()
    assert perp.solve_lcp(C, [-1.0]).success and perp.solve_lcp(G, b).success


@case(ValueError, "findex")
def written_findex():
    findex = np.array([-1, 0, -1], np.int32)
    p = perp.Problem(A, b, [0, -1, 0], [9, 1, 9], findex)
    s = perp.Solver()
    s.solve(p)
    findex[1] = FAR
    s.solve(p)


@case(ValueError, "sparsity pattern")
def jacobian_that_is_one_object():
    M, calls = CSR.copy(), []

    def J(x):
        calls.append(x)
        if len(calls) > 1:
            M.indices[:2] = [1, 2]
        return M

    perp.solve_ncp(lambda x: A @ x + b, J, np.ones(3) * 0.5, lo=-5)


# ---- Arrays that are resized ----

def resized(v):
    v.resize(10**6, refcheck=False)


@case(ValueError, "resize")
def resized_b():
    own = b.copy()
    p = perp.Problem(A, own)
    resized(own)
    perp.solve(p)


@case(ValueError, "resize")
def resized_view():
    wide = np.zeros(6)
    p = perp.Problem(A, wide[::1][:3])
    resized(wide)
    perp.solve(p)


@case(ValueError, "resize")
def resized_matrix():
    own = A.copy()
    op = perp.operator(own)
    own.resize((500, 500), refcheck=False)
    op.refresh()


@case(ValueError, "resize")
def resized_while_a_solve_runs():
    own = b.copy()
    perp.solve_lcp(A, own, method="pgs", callback=lambda p: resized(own))


@case(ValueError, "resize")
def resized_in_a_batch():
    own = np.stack([b] * 3)
    perp.solve_batch(perp.MatrixFree(3, lambda v: (own.resize((9, 900), refcheck=False), A @ v)[1]),
                     own, threads=2)


@case(ValueError, "resize")
def resized_known_solution():
    p = perp.generate("pd", n=5)
    resized(p.x)


@case(None)
def resized_afterwards():
    """An array is the caller's again when nothing borrows it."""
    own = b.copy()
    r = perp.solve_lcp(A, own, lo=own - 1)
    del r
    gc.collect()
    resized(own)


@case(ValueError, "resized since")
def resized_bounds_of_a_result():
    lo = np.full(3, -1.0)
    r = perp.solve_lcp(A, b, lo=lo)
    lo.resize(0, refcheck=False)
    r.active


# ---- A matrix that is refreshed while it is read ----

@case(RuntimeError, "in use by a solve")
def refreshed_in_a_callback():
    C = perp.Contact(np.eye(30) + 0.1, np.ones(30), 0.1)
    perp.solve_lcp(C, -np.ones(30), method="pgs", tol=1e-14, callback=lambda p: C.refresh())


@case(RuntimeError, "in use by a solve")
def refreshed_while_a_batch_runs():
    C = perp.MatrixFree(3, lambda v: (C.refresh(), A @ v)[1])
    perp.solve_batch(C, np.stack([b] * 4), threads=2)


@case(None)
def refreshed_afterwards():
    C = perp.Contact(np.eye(30) + 0.1, np.ones(30), 0.1)
    p = perp.Problem(C, -np.ones(30))
    for use in (p.facts, p.plan, C.spectrum, lambda: perp.check(p, p.b), lambda: perp.solve(p).vjp(p.b),
                lambda: perp.check_certificate(p, p.b), lambda: perp.solve_batch(C, [p.b] * 3),
                lambda: perp.solve_qp(perp.operator(np.eye(3)), b)):
        use()
        C.refresh()


# ---- Code of the caller's in a conversion ----

class Number:
    """A number whose conversion does something."""

    def __init__(self, value, act):
        self.value, self.act = value, act

    def __float__(self):
        self.act()
        return self.value


@case(None)
def parameters_that_vanish():
    given = {}
    given["omega"] = Number(1.1, given.clear)
    given["order"] = "".join(["back", "ward"])
    for k in range(20):
        given[f"p{k}"] = Number(1.0, gc.collect)
    try:
        perp.solve_lcp(A, b, method="psor", parameters=given)
    except ValueError as e:
        assert "p0" in str(e)  # the first that psor does not have
    given = {"omega": Number(1.1, lambda: given.update({f"q{k}": k for k in range(999)}))}
    assert perp.solve_lcp(A, b, method="psor", parameters=given).success
    given = {"omega": Number(1.1, lambda: given.clear())}
    assert perp.Solver("psor", **given).parameters["omega"] == 1.1


def while_converted(s, slow, call):
    """call(act) on the solver, which begins another solve of it in a thread at act()."""
    begun, end = threading.Event(), threading.Event()

    def other():
        s.solve(slow, tol=1e-15, callback=lambda p: (begun.set(), not end.is_set())[1])

    t = threading.Thread(target=other)

    def act():
        t.start()
        begun.wait()

    try:
        call(act)
    finally:
        end.set()
        t.join()


@case(RuntimeError, "one thread at a time")
def solver_shared_in_a_conversion():
    """Another solve begins while a number of this one is converted."""
    s, slow = perp.Solver("jacobi", max_iterations=10**9), perp.generate("obstacle", n=10000)
    while_converted(s, slow, lambda act: s.solve(slow, tol=Number(1e-3, act)))


@case(RuntimeError, "one thread at a time")
def parameter_set_while_another_solves():
    s, slow = perp.Solver("psor", max_iterations=10**9), perp.generate("obstacle", n=10000)
    while_converted(s, slow, lambda act: s.set(omega=Number(1.5, act)))


# ---- Types ----

for _name, _call in {
        "contact": lambda: perp.Contact.__new__(int, np.eye(2), np.ones(2)),
        "grid": lambda: perp.Grid.__new__(list, (3, 3)),
        "free": lambda: perp.MatrixFree.__new__(str, 3, lambda v: v),
        "bodies": lambda: perp.Contact.from_bodies.__func__(dict, [[0, -1]], np.ones((1, 2, 3)),
                                                            np.eye(3)[None]),
        "operator": lambda: perp.Operator.__new__(int),
        "solver": lambda: perp.Solver.__new__(perp.Problem),
        "problem": lambda: perp.Problem.__new__(perp.Solver, A, b),
        "result": lambda: perp.Result.__new__(perp.Result),
        "empty": lambda: object.__new__(perp.Problem),
        "private": lambda: perp._perp.make_dense(3, A),
        "rows": lambda: perp._perp.make_rows(perp.Operator, 3, 0, A, A, A),
        "connect": lambda: perp._perp.connect(len, int),
        "program": lambda: perp._perp.Program(3, 1, 0, np.ones(1), *[None] * 7),
}.items():
    CASES["type_" + _name] = (_call, TypeError, "")


@case(LookupError, "at three")
def exception_in_a_thread():
    """In a thread of a batch, not the caller's."""
    other, main = threading.Event(), threading.get_ident()

    def product(v):
        if threading.get_ident() != main:
            other.set()
            raise LookupError("at three")
        other.wait(60)
        return A @ v

    perp.solve_batch(perp.MatrixFree(3, product, symmetric=True), np.stack([b] * 9), threads=3)


@case(None)
def after_all_this():
    gc.collect()
    assert perp.solve_lcp(A, b).success


def run(name):
    function, kind, text = CASES[name]
    try:
        function()
    except Exception as e:  # pylint: disable=broad-except
        good = kind is not None and isinstance(e, kind) and re.search(text, str(e))
        return f"{'ok' if good else 'FAIL'} {type(e).__name__}: {str(e)[:150]!r}"
    return "ok" if kind is None else f"FAIL no {kind.__name__}"


if __name__ == "__main__":
    for which in sys.argv[1:] or CASES:
        print(which, flush=True, end=" ")
        print(run(which), flush=True)
