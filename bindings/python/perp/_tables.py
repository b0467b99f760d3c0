"""Lists of methods, generators, scenes and their parameters, from the library's tables"""

from typing import Any, List, NamedTuple

from . import _perp


class Parameter(NamedTuple):
    name: str
    type: str  # real, integer, flag or choice
    default: Any
    least: float
    most: float
    choices: List[str]
    text: str

    def __str__(self):
        span = f"{self.least:g} to {self.most:g}"
        span = {"choice": ", ".join(self.choices), "flag": "True, False"}.get(self.type, span)
        return f"{self.name} = {self.default} ({span}): {self.text}"


def _document(title, parameters):
    return "\n".join([title, *(f"    {p}" for p in parameters)])


class Method(NamedTuple):
    name: str
    title: str
    family: str
    source: str
    takes: List[str]  # forms: lcp, mixed, boxed, findex, cone
    needs: List[str]  # abilities of the matrix: apply, diagonal, row, relax, velocities, ...
    max_iterations: int
    most_unknowns: int  # 0: any
    iteration: str
    works: str
    reference: bool  # `auto` never takes it
    parameters: List[Parameter]

    def __str__(self):
        return _document(f"{self.name}: {self.title}; {self.works}", self.parameters)


class Generator(NamedTuple):
    name: str
    title: str
    family: str
    source: str
    parameters: List[Parameter]

    def __str__(self):
        return _document(f"{self.name}: {self.title}", self.parameters)


class Scene(NamedTuple):
    name: str
    title: str
    family: str
    parameters: List[Parameter]

    def __str__(self):
        return _document(f"{self.name}: {self.title}", self.parameters)


def _parameter(p):
    convert = {"integer": int, "flag": bool, "real": float,
               "choice": lambda k: p["choices"][int(k)]}[p["type"]]
    return Parameter(**{**p, "default": convert(p["default"])})


def _named(kind, rows):
    return {row["name"]: kind(**{**row, "parameters": [_parameter(p) for p in row["parameters"]]})
            for row in rows}


def methods():
    """All methods by name: print(perp.methods()["psor"])"""
    return _named(Method, _perp.methods())


def generators():
    """All kinds of problems that perp.generate makes, by name."""
    return _named(Generator, _perp.generators())


def scenes():
    """All scenes of perp.simulate, by name."""
    return _named(Scene, _perp.scenes())


def components():
    """The optional components of this build, each with its version, or None if it is not there."""
    return _perp.components()
