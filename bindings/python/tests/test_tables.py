"""Tables, docstrings, types, the package itself"""

import ast
import inspect
import os
import re
import types
import typing

import numpy as np
import pytest

import perp

HERE = os.path.dirname(perp.__file__)


def test_methods():
    methods = perp.methods()
    assert {"auto", "lemke", "pgs", "nncg", "ssn", "mg"} <= set(methods)
    omega = {p.name: p for p in methods["psor"].parameters}["omega"]
    assert omega.type == "real" and omega.least == 0 and omega.most == 1.99 and omega.text
    order = {p.name: p for p in methods["pgs"].parameters}["order"]
    assert order.default == "forward" and "backward" in order.choices
    assert methods["direct"].most_unknowns == 3 and methods["jacobi"].reference
    assert "cone" in methods["ssn"].takes and "cone" not in methods["pgs"].takes
    assert "omega = " in str(methods["psor"])
    for m in methods.values():
        assert m.title and m.family and m.iteration and m.works and m.max_iterations > 0


def test_defaults_are_those_of_a_solver():
    for name, m in perp.methods().items():
        assert perp.Solver(name).parameters == {p.name: p.default for p in m.parameters}


def test_generators_and_scenes():
    assert "wall" in perp.generators() and "bricks" in perp.scenes()
    assert "n = " in str(perp.generators()["pd"]) and str(perp.scenes()["discs"])


def test_components():
    assert set(perp.components()) >= {"openmp", "blas", "cholmod", "ode", "matio"}


@pytest.mark.parametrize("function", [perp.solve_lcp, perp.solve_cone, perp.solve, perp.Solver])
def test_docstrings_come_from_the_tables(function):
    for name, m in perp.methods().items():
        assert f"\n{name}: {m.title}\n" in function.__doc__
        for p in m.parameters:
            assert f"    {p.name} = " in function.__doc__ and p.text in function.__doc__


def test_everything_has_a_docstring():
    for name in perp.__all__:
        assert getattr(perp, name).__doc__, name


def test_signature():
    names = list(inspect.signature(perp.solve_lcp).parameters)
    assert names == ["A", "b", "lo", "hi", "findex", "x0", "method", "tol", "time_limit", "max_iterations",
                     "callback", "trace", "strict", "threads", "verbose", "parameters"]


def stub():
    with open(os.path.join(HERE, "__init__.pyi"), encoding="utf-8") as text:
        return ast.parse(text.read())


def test_stub_has_every_name():
    names = {node.name for node in stub().body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in names if not name.startswith("_")} == set(perp.__all__)
    assert os.path.exists(os.path.join(HERE, "py.typed"))


def test_stub_has_every_argument():
    for node in stub().body:
        if not isinstance(node, ast.FunctionDef):
            continue
        real = inspect.signature(getattr(perp, node.name)).parameters
        a = node.args
        names = [x.arg for x in a.args + a.kwonlyargs]
        assert names == [p for p in real
                         if real[p].kind != inspect.Parameter.VAR_KEYWORD], node.name


def test_stub_has_every_member():
    made = ("Simulation", "BatchResult", "QPResult", "QPSolver", "NCPResult", "NLResult", "Queued",
            "QPGradient")  # by __init__
    for node in stub().body:
        if not isinstance(node, ast.ClassDef) or node.name in made or node.name.startswith("_"):
            continue
        real = {m for m in dir(getattr(perp, node.name)) if not m.startswith("_")}
        real -= set(dir(tuple)) | set(dir(Exception)) | {"n_fields", "n_sequence_fields",
                                                         "n_unnamed_fields"}
        real |= set(getattr(getattr(perp, node.name), "_fields", ()))  # a field may be called index
        written = {x.target.id if isinstance(x, ast.AnnAssign) else x.name for x in node.body
                   if isinstance(x, (ast.AnnAssign, ast.FunctionDef))}
        written = {m for m in written if not m.startswith("_")} - {"result"}
        bases = [b.id for b in node.bases if isinstance(b, ast.Name)]
        if "Operator" in bases:
            real -= set(dir(perp.Operator))
        assert written == real, node.name


def fits(value, kind):
    """Returns True if a value has the type of the stub; a Callable or a Protocol accepts anything."""
    if isinstance(kind, typing.TypeVar) or kind is typing.Any:
        return True
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return any(fits(value, one) for one in args)
    if origin is np.ndarray:
        element, = typing.get_args(args[1])
        return isinstance(value, np.ndarray) and issubclass(value.dtype.type, element)
    if origin is list:
        return isinstance(value, list) and all(fits(one, args[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(one, args[1]) for one in value.values())
    if origin is tuple:
        return isinstance(value, tuple) and (args[-1] is Ellipsis or len(value) == len(args))
    if origin is np.dtype:
        return isinstance(value, np.dtype)
    if not isinstance(kind, type):
        return True
    real = getattr(perp, kind.__name__, kind) if kind.__module__ == "stub" else kind
    return isinstance(value, real) or (real is float and isinstance(value, int))


def test_stub_says_what_values_are():
    """The stub is run, so that its names are known; then values are compared with its types."""
    module = types.ModuleType("stub")
    with open(os.path.join(HERE, "__init__.pyi"), encoding="utf-8") as text:
        exec(compile("from __future__ import annotations\n" + text.read(), "stub", "exec"),  # pylint: disable=exec-used
             module.__dict__)
    A, b, seen = np.eye(3) + 1, -np.ones(3), []
    r = perp.solve_lcp(A, b, trace=True)
    perp.solve_lcp(A, b, method="pgs", callback=seen.append)
    cone = perp.solve_cone(perp.Contact(A, np.ones(3), 0.1), b, 0.5)
    values = [r, cone, perp.solve_lcp(-A, b), seen[0], r.counts, r.attempts[0], r.problem, r.problem.A,
              perp.generate("wall"), r.vjp(b), cone.vjp(b), r.derivative(), perp.Solver("psor"),
              perp.solve_batch(A, np.stack([b, b])), perp.solve_qp(A, b), perp.QPSolver(A, b),
              perp.solve_ncp(lambda x: A @ x + b, None, b), perp.check(r.problem, r.x),
              perp.lcp_lemke(A, b), perp.methods()["psor"], perp.generators()["pd"],
              perp.scenes()["discs"], perp.methods()["psor"].parameters[0], perp.Device("host"),
              *(s for s in (perp.simulate("dam", steps=1), perp.simulate("discs:n=2", steps=1))),
              perp.simulate("discs:n=2", steps=0).shapes[0]]
    assert len({type(v).__name__ for v in values}) > 20
    wrong = []
    for v in values:
        kind = getattr(module, type(v).__name__)
        types_of = {name: typing.get_type_hints(f.fget)["return"] for name, f in vars(kind).items()
                    if isinstance(f, property)}
        for name, hint in {**typing.get_type_hints(kind, vars(module)), **types_of}.items():
            if not fits(getattr(v, name), hint):
                wrong.append(f"{kind.__name__}.{name}: {hint}, but it is {getattr(v, name)!r}")
    assert not wrong, "\n".join(wrong)


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", perp.__version__)


def test_progress_is_a_named_tuple():
    seen = []
    perp.solve_lcp(np.eye(4) * 2, -np.ones(4), method="pgs", callback=seen.append)
    iteration, seconds, *_ = seen[0]
    assert iteration == seen[0].iteration and seconds == seen[0].seconds
