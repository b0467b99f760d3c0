"""Derivatives of a solution with respect to the data of its problem"""

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _perp
from ._matrix import _csr, _real

_WAYS = ("auto", "dense", "sparse", "krylov")
_PARTS = ("b", "lo", "hi", "mu", "A", "J", "Minv", "C")


class Gradient(NamedTuple):
    """The gradient of w'x with respect to the numbers of a problem.

    A has the shape and, if sparse, the structure of the problem's matrix. A Contact has J (csr),
    Minv and C (the numbers that are stored, one after another) in its place. What a problem does
    not have is None. lo and hi are given also if the problem has the bounds 0 and infinity."""

    b: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    mu: Optional[np.ndarray]
    A: Any
    J: Any
    Minv: Optional[np.ndarray]
    C: Optional[np.ndarray]


class Derivative:
    """The derivative of a solution, factored once: from Result.derivative.

    vjp(w)    the gradient of w'x with respect to the data: backward
    jvp(...)  the change of x with a change of the data: forward
    facts     what is known of it: free, bound, stick, slide, separate, degenerate rows, deficiency

    A row is degenerate if x is at its bound and y = 0: then x has only one-sided derivatives.
    Do not change the numbers of the matrix while the object is in use."""

    def __init__(self, problem, x, *, tol=1e-6, near=1e-9, degenerate="hold", way="auto"):
        if degenerate not in ("hold", "release"):
            raise ValueError(f"degenerate = {degenerate!r}: 'hold' or 'release'")
        if way not in _WAYS:
            raise ValueError(f"way = {way!r}: one of {', '.join(_WAYS)}")
        self._problem = problem
        self._of = _perp.Derivative(problem, x, tol, near, degenerate == "release",
                                    _WAYS.index(way))

    @property
    def facts(self):
        return self._of.facts()

    def _matrix(self, values):
        """The numbers of A as a matrix."""
        kind, *more = self._of.layout()
        n = self._problem.n
        if kind == "dense":
            stride = more[0]
            rows = np.zeros(n * stride)
            rows[:values.size] = values
            return rows.reshape(n, stride)[:, :n]
        from scipy.sparse import bsr_matrix, csr_matrix
        _, column, start = self._problem.A._rows()
        if kind == "csr":
            return csr_matrix((values, column, start), shape=(n, n))
        size = more[0]  # bsr: starts of block rows, from the starts of rows
        first = start[::size] // (size * size)
        blocks = np.concatenate([column[start[i]:start[i + 1]:size] // size
                                 for i in range(0, n, size)] or [[]])
        return bsr_matrix((values.reshape(-1, size, size), blocks, first), shape=(n, n))

    def vjp(self, w, wrt=_PARTS):
        """The gradient of w'x, a Gradient; wrt: the parts that are wanted."""
        unknown = set(wrt) - set(_PARTS)
        if unknown:
            raise ValueError(f"wrt: there is no {sorted(unknown)[0]!r}")
        found = dict.fromkeys(_PARTS)
        found.update(self._of.vjp(w, tuple(wrt)))
        if found["A"] is not None:
            found["A"] = self._matrix(found["A"])
        if found["mu"] is not None:
            found["mu"] = found["mu"].reshape(self._problem.mu.shape)
        if found["J"] is not None:
            from scipy.sparse import csr_matrix
            _, rows, velocities, start, column = self._of.layout()
            found["J"] = csr_matrix((found["J"], column, start), shape=(rows, velocities))
        return Gradient(**found)

    def jvp(self, *, db=None, dlo=None, dhi=None, dmu=None, dA=None, dJ=None, dMinv=None, dC=None):
        """dx, for a change of the data; dA and dJ have the structure of A and J."""
        given = {"b": db, "lo": dlo, "hi": dhi, "mu": dmu, "Minv": dMinv, "C": dC}
        change = {name: np.ravel(_real(v, "d" + name)) for name, v in given.items()
                  if v is not None}
        if dA is not None:
            change["A"] = self._numbers(dA, "dA", self._matrix(self._zeros("A")))
        if dJ is not None:
            change["J"] = self._numbers(dJ, "dJ", self.vjp(np.zeros(self._problem.n), ("J",)).J)
        return self._of.jvp(change)

    def _zeros(self, name):
        found = self._of.vjp(np.zeros(self._problem.n), (name,)).get(name)
        if found is None:
            raise ValueError(f"d{name}: a matrix of the kind {self._problem.A.kind} has none")
        return found

    def _numbers(self, change, name, like):
        """The numbers of a change in the layout of the matrix."""
        if like is None:
            raise ValueError(f"{name}: a matrix of the kind {self._problem.A.kind} has none")
        if change.shape != like.shape:
            raise ValueError(f"{name} has the shape {change.shape}, not {like.shape}")
        if isinstance(like, np.ndarray):
            full = np.zeros((like.shape[0], self._of.layout()[1]))
            full[:, :like.shape[1]] = change.toarray() if hasattr(change, "toarray") else change
            return full.ravel()[:self._zeros("A").size]
        from scipy.sparse import csr_matrix
        start, column, value = _csr(csr_matrix(change), name)
        if like.format == "bsr":
            blocks = csr_matrix(change).tobsr(like.blocksize)
            blocks.sort_indices()
            same = (np.array_equal(blocks.indptr, like.indptr) and
                    np.array_equal(blocks.indices, like.indices))
            value = blocks.data.ravel()
        else:
            same = np.array_equal(start, like.indptr) and np.array_equal(column, like.indices)
        if not same:
            raise ValueError(f"{name}: its sparsity pattern differs from the matrix")
        return value
