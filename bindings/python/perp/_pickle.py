"""Pickling and copying: results and problems by their arrays, solvers by their settings

Importing this module teaches it to the types of the extension."""

import numpy as np

from . import _perp
from ._result import Result


def _operator(cls, kind, args):
    make = {"dense": _perp.make_dense, "csr": _perp.make_rows, "bsr": _perp.make_rows,
            "contact": _perp.make_contact, "stencil": _perp.make_stencil, "shell": _perp.make_shell}
    return make[kind](cls, *args)


def _operator_state(self):
    if self.kind == "dense":
        args = (self.toarray(),)
    elif self.kind == "csr":
        data, indices, indptr = self._rows()
        args = (self.shape[0], 0, indptr, indices, data)
    else:
        args = _perp.operator_state(self)
    return _operator, (type(self), self.kind, args)


def _problem(parts, facts):
    return _perp.problem_restore(_perp.Problem(*parts), *facts)


def _problem_state(self):
    parts = (self.A, self.b, self.lo, self.hi, self.findex, self.mu, self.cone, self.dim,
             self.law)
    return _problem, (parts, (self.x, self.u, self.kind, self.name))


def _result(*state):
    return _perp.result_restore(*state)


def _result_state(self):
    arrays, (A, *parts), *rest = _perp.result_state(self)
    if not isinstance(A, (_perp.Operator, np.ndarray)):
        A = self.problem.A
    return _result, (arrays, (A, *parts), *rest)


def _solver(method, options, parameters):
    return _perp.Solver(method, **options, parameters=parameters)


def _solver_state(self):
    return _solver, (self.method, self.options, self.parameters)


_perp.Operator.__reduce__ = _operator_state
_perp.Problem.__reduce__ = _problem_state
_perp.Solver.__reduce__ = _solver_state
Result.__reduce__ = _result_state
