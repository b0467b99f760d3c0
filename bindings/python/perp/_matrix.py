"""Matrices: from NumPy, scipy.sparse and functions to what the library takes"""

import operator as _operator

import numpy as np

from . import _perp


def _square(shape):
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"A has the shape {tuple(shape)}: a square matrix is needed")
    if shape[0] > np.iinfo(np.int32).max:
        raise ValueError(f"A has {shape[0]} rows: more than the library takes")
    return shape[0]


def _real(a, name):
    """As doubles, without a copy if they are; complex numbers and objects are refused."""
    a = np.asarray(a)
    if a.dtype.kind not in "fiub":
        raise TypeError(f"{name} has the type {a.dtype}: real numbers are needed")
    return np.require(a, np.float64, "CAE")  # contiguous, aligned, no subclass


def _vector(v, n, name):
    """n numbers, from n or from one for all; None stays None."""
    if v is None:
        return None
    v = _real(v, name) if np.ndim(v) else np.full(n, float(v))
    if v.shape != (n,):
        raise ValueError(f"{name} has the shape {v.shape}, not {(n,)}")
    return v


def _indices(a, kind, name, own=False):
    """Returns a as integers of this kind; own: in memory that no other code writes to"""
    a = np.asarray(a)
    if a.dtype.kind not in "iu":
        raise TypeError(f"{name} has the type {a.dtype}: integers are needed")
    span = np.iinfo(kind)
    for extreme in (a.min(initial=0), a.max(initial=0)):
        if not span.min <= extreme <= span.max:
            raise ValueError(f"{name}: {extreme} is out of range")
    return np.array(a, kind, order="C") if own else np.require(a, kind, "CAE")


def _check_compressed(A, name, lines, across):
    """Lengths and indices of compressed rows or columns, before code of SciPy's reads by them"""
    start, index = np.asarray(A.indptr), np.asarray(A.indices)
    if start.shape != (lines + 1,) or index.ndim != 1 or {start.dtype.kind, index.dtype.kind} - {*"iu"}:
        raise ValueError(f"{name}: indptr has the shape {start.shape}, not {(lines + 1,)}, "
                         f"and indices {index.shape}")
    if start[0] != 0 or (np.diff(start) < 0).any():
        at = 0 if start[0] != 0 else int(np.argmax(np.diff(start) < 0)) + 1
        raise ValueError(f"{name}: indptr[{at}] = {start[at]} does not ascend from 0")
    if start[-1] > min(len(index), len(A.data)):
        raise ValueError(f"{name}: indptr[{lines}] = {start[-1]}, but there are {len(index)} indices "
                         f"and {len(A.data)} numbers")
    used = index[:start[-1]]
    if used.size and (used.min() < 0 or used.max() >= across):
        at = int(np.argmax((used < 0) | (used >= across)))
        raise ValueError(f"{name}: indices[{at}] = {used[at]} is not in 0 .. {across - 1}")


def _check_sparse(A, name):
    """Checks that the arrays of a scipy.sparse matrix fit its shape, which SciPy does not."""
    kind = getattr(A, "format", "")
    rows, columns = A.shape
    if kind in ("csr", "csc"):
        _check_compressed(A, name, *((rows, columns) if kind == "csr" else (columns, rows)))
    elif kind == "bsr":
        r, c = A.blocksize
        if np.shape(A.data)[1:] != (r, c) or rows % r or columns % c:
            raise ValueError(f"{name}: blocks of the shape {np.shape(A.data)[1:]} in {A.shape}")
        _check_compressed(A, name, rows // r, columns // c)
    elif kind == "coo":
        if not np.shape(A.row) == np.shape(A.col) == np.shape(A.data):
            raise ValueError(f"{name}: {len(A.row)} rows, {len(A.col)} columns, {len(A.data)} numbers")
        for where, most, which in ((A.row, rows, "row"), (A.col, columns, "col")):
            where = np.asarray(where)
            if where.size and (where.min() < 0 or where.max() >= most):
                at = int(np.argmax((where < 0) | (where >= most)))
                raise ValueError(f"{name}: {which}[{at}] = {where[at]} is not in 0 .. {most - 1}")


def _ascends(start, column):
    """Returns True if the columns within each row ascend strictly, as the library needs them."""
    if column.size < 2:
        return True
    falls = np.flatnonzero(column[1:] <= column[:-1]) + 1
    return not falls.size or bool(np.isin(falls, start).all())


def _parts(A, name, own=False):
    """indptr, indices, data of a csr or bsr matrix: columns ascend, no entry appears twice"""
    if A.data.dtype.kind not in "fiub":
        raise TypeError(f"{name} has the type {A.data.dtype}: real numbers are needed")
    if not _ascends(A.indptr, A.indices[:A.indptr[-1]]):
        A = A.copy()
        A.sum_duplicates()
    return (_indices(A.indptr, np.int64, "indptr", own),
            _indices(A.indices, np.int32, "indices", own), _real(A.data, name))


def _csr(A, name="A", own=False):
    """Compressed rows of any sparse matrix; own: with indices in private memory"""
    _check_sparse(A, name)
    return _parts(A.tocsr(), name, own)


def _bsr(A):
    """Compressed rows of square blocks, or None if the blocks are not square."""
    rows, columns = A.blocksize
    if rows != columns or rows < 2:
        return None
    _check_sparse(A, "A")
    return rows, _parts(A, "A")


def _has_transpose(A, n):
    try:
        A.rmatvec(np.zeros(n))
    except NotImplementedError:
        return False
    return True


def operator(A):
    """The matrix A as the library sees it, a perp.Operator.

    A is an array, a scipy.sparse matrix (csr, csc, coo, bsr, ...), a LinearOperator, or anything
    that NumPy makes a matrix of. Doubles are not copied if their rows are contiguous; of a csr
    matrix only the row starts are, if its columns ascend."""
    if isinstance(A, _perp.Operator):
        return A
    if hasattr(A, "tocsr"):
        n = _square(A.shape)
        if getattr(A, "format", "") == "bsr":
            blocks = _bsr(A)
            if blocks:
                return _perp.make_rows(_perp.Operator, n // blocks[0], blocks[0], *blocks[1])
        return _perp.make_rows(_perp.Operator, n, 0, *_csr(A))
    if hasattr(A, "matvec") and hasattr(A, "shape"):
        n = _square(A.shape)
        return MatrixFree(n, A.matvec, A.rmatvec if _has_transpose(A, n) else None)
    A = np.asarray(A)
    if A.dtype.kind in "fiub":
        _square(A.shape)
    return _perp.make_dense(_perp.Operator, _real(A, "A"))


def _tocsr(self):
    """A as a scipy.sparse.csr_matrix, assembled if it is not stored."""
    from scipy.sparse import csr_matrix
    return csr_matrix(self._rows(), shape=self.shape)


_perp.Operator.tocsr = _tocsr


class MatrixFree(_perp.Operator):
    """MatrixFree(n, matvec, rmatvec=None, diagonal=None, symmetric=False, semidefinite=False,
    definite=False)

    A matrix that is only known by its product matvec(x) = A x. rmatvec is the product of its
    transpose, diagonal() returns its diagonal; the more is known, the more methods take it. What
    the flags say is trusted while a solution is looked for, but not in the verdict on it. A
    LinearOperator of scipy may be given to perp.solve_lcp as it is."""

    def __new__(cls, n, matvec, rmatvec=None, diagonal=None, *, symmetric=False,
                semidefinite=False, definite=False):
        for name, f in (("matvec", matvec), ("rmatvec", rmatvec), ("diagonal", diagonal)):
            if not (callable(f) or (f is None and name != "matvec")):
                raise TypeError(f"{name}: a function is needed")
        return _perp.make_shell(cls, _operator.index(n), matvec, rmatvec, diagonal, symmetric,
                                semidefinite, definite)


def _compliance(C, rows):
    """C as (start, column, value, diagonal, number)"""
    if C is None:
        return None, None, None, None, 0.0
    if hasattr(C, "tocsr"):
        if C.shape != (rows, rows):
            raise ValueError(f"C has the shape {C.shape}, not {(rows, rows)}")
        return *_csr(C, "C", own=True), None, 0.0
    C = _real(C, "C") if np.ndim(C) else float(C)
    if np.ndim(C) == 0:
        return None, None, None, None, C
    if C.shape == (rows,):
        return None, None, None, C, 0.0
    if C.shape == (rows, rows):
        from scipy.sparse import csr_matrix
        return *_csr(csr_matrix(C), "C", own=True), None, 0.0
    raise ValueError(f"C has the shape {C.shape}, not {(rows,)} or {(rows, rows)}")


def _diagonal_blocks(Minv, velocities):
    """(number of blocks, first velocity of each or None, the blocks one after another)"""
    if hasattr(Minv, "tocsr"):
        if Minv.shape != (velocities, velocities):
            raise ValueError(f"Minv has the shape {Minv.shape}, not {(velocities, velocities)}")
        from scipy.sparse.csgraph import connected_components
        _check_sparse(Minv, "Minv")
        Minv = Minv.tocsr()
        count, label = connected_components(Minv, directed=False)
        # A block must be contiguous: rows between two of one block join it.
        last = np.zeros(count, np.int64)
        last[label] = np.arange(velocities)
        reach = np.maximum.accumulate(last[label]) if velocities else last
        ends = np.flatnonzero(reach == np.arange(velocities)) + 1
        start = np.concatenate([[0], ends])
        blocks = [Minv[p:q, p:q].toarray().ravel() for p, q in zip(start[:-1], start[1:])]
        return len(blocks), _indices(start, np.int32, "Minv"), np.concatenate(blocks or [[]])
    Minv = _real(Minv, "Minv")
    if Minv.ndim == 1:  # a diagonal
        if Minv.size != velocities:
            raise ValueError(f"Minv has {Minv.size} entries, but J has {velocities} columns")
        return velocities, None, Minv
    if Minv.ndim == 3:  # blocks of one size
        if Minv.shape[1] != Minv.shape[2] or Minv.shape[0] * Minv.shape[1] != velocities:
            raise ValueError(f"Minv has the shape {Minv.shape}, but J has {velocities} columns")
        return Minv.shape[0], None, Minv
    if Minv.shape == (velocities, velocities):
        from scipy.sparse import csr_matrix
        return _diagonal_blocks(csr_matrix(Minv), velocities)
    raise ValueError(f"Minv has the shape {Minv.shape}, but J has {velocities} columns")


class Contact(_perp.Operator):
    """Contact(J, Minv, C=None) or Contact(J, M=M, C=None)

    A = J Minv J' + C, never assembled: the matrix of contacts between bodies.

    J      constraint rows x velocities, scipy.sparse or an array
    Minv   inverse masses, symmetric: its diagonal, k blocks (k, s, s), or a block-diagonal matrix
    M      in its place: any symmetric positive definite mass matrix, scipy.sparse or an array
    C      compliance: a number, a diagonal or a matrix

    Contact.from_bodies makes the same from the bodies that each contact touches. bias(v, c) is
    J v + c, velocities(v, x) is v + Minv J' x."""

    def __new__(cls, J, Minv=None, C=None, *, M=None):
        if (M is None) == (Minv is None):
            raise TypeError("Contact needs Minv or M, and not both")
        if not hasattr(J, "tocsr"):
            from scipy.sparse import csr_matrix
            J = csr_matrix(_real(J, "J"))
        rows, velocities = J.shape
        blocks, start, masses, mass = 0, None, None, (None, None, None)
        if M is None:
            blocks, start, masses = _diagonal_blocks(Minv, velocities)
        else:
            if not hasattr(M, "tocsr"):
                from scipy.sparse import csr_matrix
                M = csr_matrix(_real(M, "M"))
            if M.shape != (velocities, velocities):
                raise ValueError(f"M has the shape {M.shape}, not {(velocities, velocities)}")
            mass = _csr(M, "M", own=True)
        return _perp.make_contact(cls, rows, velocities, *_csr(J, "J", own=True), blocks, start, masses,
                                  *_compliance(C, rows), *mass)

    @classmethod
    def from_bodies(cls, body, J, Minv, C=None):
        """body   (contacts, 2): the two bodies of each contact, -1 for one that never moves
        J      (rows, 2, freedom): the numbers of the first body and of the second; rows is a
               multiple of the number of contacts
        Minv   (bodies, freedom, freedom)
        C      compliance: a number or a diagonal"""
        body, J = _indices(body, np.int32, "body", own=True), _real(J, "J")
        Minv = _real(Minv, "Minv")
        if body.ndim != 2 or body.shape[1] != 2:
            raise ValueError(f"body has the shape {body.shape}, not (contacts, 2)")
        if J.ndim != 3 or J.shape[1] != 2:
            raise ValueError(f"J has the shape {J.shape}, not (rows, 2, freedom)")
        rows, _, freedom = J.shape
        if Minv.ndim != 3 or Minv.shape[1:] != (freedom, freedom):
            raise ValueError(f"Minv has the shape {Minv.shape}, not (bodies, {freedom}, {freedom})")
        contacts = body.shape[0]
        if (rows % contacts if contacts else rows) != 0:
            raise ValueError(f"J has {rows} rows: no multiple of the {contacts} contacts")
        *matrix, diagonal, cfm = _compliance(C, rows)
        if matrix[0] is not None:
            raise ValueError("C: a number or a diagonal is needed")
        return _perp.make_bodies(cls, rows, Minv.shape[0], freedom,
                                 rows // contacts if contacts else 1, body, J, Minv, diagonal, cfm)


class Grid(_perp.Operator):
    """Grid(shape, cells=None, weights=None, weight=1.0, diagonal=None)

    A 5-point or 7-point grid, never assembled: of each cell c among the unknowns

        (A x)_c = diagonal_c x_c - sum over neighbours d that are unknowns of w_cd x_d

    shape     (ny, nx) or (nz, ny, nx), as of an array with one number per cell
    cells     numbers of the cells that are unknowns; all by default
    weights   (wx, wy) or (wx, wy, wz): arrays of that shape, wx of the face to the next x, ...
    weight    of every face, without arrays
    diagonal  an array of that shape; by default 4 or 6 times the weight: x = 0 outside the grid"""

    def __new__(cls, shape, cells=None, weights=None, weight=1.0, diagonal=None):
        shape = tuple(map(_operator.index, shape))
        if len(shape) not in (2, 3) or min(shape) < 1 or np.prod(shape, dtype=float) >= 2**31:
            raise ValueError(f"shape {shape}: two or three numbers are needed")

        def field(a, name):
            a = _real(a, name)
            if a.shape != shape:
                raise ValueError(f"{name} has the shape {a.shape}, not {shape}")
            return a

        if weights is not None:
            if len(weights) != len(shape):
                raise ValueError(f"{len(weights)} weights, not {len(shape)}")
            weights = [field(w, "weights") for w in weights]
            if len(shape) == 2:
                weights.append(np.zeros(shape))
        nz = shape[0] if len(shape) == 3 else 1
        return _perp.make_stencil(
            cls, shape[-1], shape[-2], nz,
            None if cells is None else _indices(np.ravel(cells), np.int32, "cells", own=True),
            *(weights or (None, None, None)), float(weight),
            None if diagonal is None else field(diagonal, "diagonal"))
