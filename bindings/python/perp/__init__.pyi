"""Types of the package perp"""

from os import PathLike
from typing import (Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Sequence,
                    Tuple, Type, TypeVar, Union)

import numpy as np
from numpy.typing import ArrayLike, NDArray

Reals = NDArray[np.float64]
Value = Union[float, int, bool, str]
Path = Union[str, "PathLike[str]"]
_Contact = TypeVar("_Contact", bound="Contact")

class _Sparse(Protocol):
    """scipy.sparse: csr, csc, coo, bsr, ..."""
    @property
    def shape(self) -> Tuple[int, ...]: ...
    def tocsr(self) -> Any: ...

class _Linear(Protocol):
    """scipy.sparse.linalg.LinearOperator, and whatever else has a product"""
    @property
    def shape(self) -> Tuple[int, ...]: ...
    def matvec(self, x: Reals) -> ArrayLike: ...

Stored = Union[ArrayLike, _Sparse]
Matrix = Union[ArrayLike, _Sparse, _Linear, "Operator"]

__version__: str
__all__: List[str]

class NotSolved(RuntimeError):
    result: Union[Result, BatchResult, QPResult, NCPResult]

class Unsupported(ValueError): ...

class Progress(Tuple[Any, ...]):
    iteration: int
    seconds: float
    residual: float
    relative_residual: float
    merit: float
    checked: bool
    x: Optional[Reals]

class Attempt(Tuple[Any, ...]):
    method: str
    status: str
    residual: float
    nit: int
    seconds: float

class Counts(Tuple[int, ...]):
    iterations: int
    sweeps: int
    applies: int
    checks: int
    pivots: int
    factorisations: int
    solves: int
    cycles: int
    restarts: int

class Operator:
    @property
    def shape(self) -> Tuple[int, int]: ...
    @property
    def kind(self) -> str: ...
    @property
    def nonzeros(self) -> int: ...
    @property
    def dtype(self) -> np.dtype[np.float64]: ...
    def matvec(self, x: ArrayLike) -> Reals: ...
    def rmatvec(self, x: ArrayLike) -> Reals: ...
    def __matmul__(self, x: ArrayLike) -> Reals: ...
    def diagonal(self) -> Reals: ...
    def toarray(self) -> Reals: ...
    def tocsr(self) -> Any: ...
    def refresh(self) -> None: ...
    def spectrum(self) -> Reals: ...
    def bias(self, v: ArrayLike, c: Optional[ArrayLike] = None) -> Reals: ...
    def velocities(self, v: Optional[ArrayLike], x: ArrayLike) -> Reals: ...

class MatrixFree(Operator):
    def __new__(cls, n: int, matvec: Callable[[Reals], ArrayLike],
                rmatvec: Optional[Callable[[Reals], ArrayLike]] = None,
                diagonal: Optional[Callable[[], ArrayLike]] = None, *, symmetric: bool = False,
                semidefinite: bool = False, definite: bool = False) -> MatrixFree: ...

class Contact(Operator):
    def __new__(cls, J: Stored, Minv: Optional[Stored] = None, C: Optional[Stored] = None,
                *, M: Optional[Stored] = None) -> Contact: ...
    @classmethod
    def from_bodies(cls: Type[_Contact], body: ArrayLike, J: ArrayLike, Minv: ArrayLike,
                    C: Optional[ArrayLike] = None) -> _Contact: ...

class Grid(Operator):
    def __new__(cls, shape: Sequence[int], cells: Optional[ArrayLike] = None,
                weights: Optional[Sequence[ArrayLike]] = None, weight: float = 1.0,
                diagonal: Optional[ArrayLike] = None) -> Grid: ...

class Problem:
    def __new__(cls, A: Matrix, b: ArrayLike, lo: Optional[ArrayLike] = None,
                hi: Optional[ArrayLike] = None, findex: Optional[ArrayLike] = None,
                mu: Optional[ArrayLike] = None, cone: Optional[ArrayLike] = None,
                dim: Optional[ArrayLike] = None, law: Optional[ArrayLike] = None) -> Problem: ...
    @property
    def A(self) -> Operator: ...
    @property
    def b(self) -> Reals: ...
    @property
    def lo(self) -> Optional[Reals]: ...
    @property
    def hi(self) -> Optional[Reals]: ...
    @property
    def findex(self) -> Optional[NDArray[np.int32]]: ...
    @property
    def mu(self) -> Optional[Reals]: ...
    @property
    def cone(self) -> Optional[NDArray[np.int32]]: ...
    @property
    def dim(self) -> Optional[NDArray[np.int32]]: ...
    @property
    def law(self) -> Optional[NDArray[np.int32]]: ...
    @property
    def x(self) -> Optional[Reals]: ...
    @property
    def u(self) -> Optional[Reals]: ...
    @property
    def n(self) -> int: ...
    @property
    def form(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    def facts(self) -> Dict[str, Any]: ...
    def plan(self) -> List[str]: ...

class Result:
    @property
    def x(self) -> Reals: ...
    @property
    def y(self) -> Reals: ...
    @property
    def success(self) -> bool: ...
    @property
    def status(self) -> str: ...
    @property
    def residual(self) -> float: ...
    @property
    def relative_residual(self) -> float: ...
    @property
    def scale(self) -> float: ...
    @property
    def seconds(self) -> float: ...
    @property
    def merit(self) -> float: ...
    @property
    def floor(self) -> float: ...
    @property
    def x_low(self) -> Optional[Reals]: ...
    @property
    def nit(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def counts(self) -> Counts: ...
    @property
    def attempts(self) -> List[Attempt]: ...
    @property
    def plan(self) -> List[str]: ...
    @property
    def class_name(self) -> str: ...
    @property
    def certificate(self) -> Optional[Reals]: ...
    @property
    def ray(self) -> Optional[Reals]: ...
    @property
    def trace(self) -> Optional[Reals]: ...
    @property
    def active(self) -> NDArray[np.int8]: ...
    @property
    def problem(self) -> Problem: ...
    def derivative(self, **options: Any) -> Derivative: ...
    def vjp(self, w: ArrayLike, wrt: Sequence[str] = ...) -> Gradient: ...
    def jvp(self, **change: Any) -> Reals: ...

class Gradient(NamedTuple):
    b: Reals
    lo: Reals
    hi: Reals
    mu: Optional[Reals]
    A: Any
    J: Any
    Minv: Optional[Reals]
    C: Optional[Reals]

class Derivative:
    def __init__(self, problem: Problem, x: ArrayLike, *, tol: float = 1e-6, near: float = 1e-9,
                 degenerate: str = "hold", way: str = "auto") -> None: ...
    @property
    def facts(self) -> Dict[str, Any]: ...
    def vjp(self, w: ArrayLike, wrt: Sequence[str] = ...) -> Gradient: ...
    def jvp(self, *, db: Optional[ArrayLike] = None, dlo: Optional[ArrayLike] = None,
            dhi: Optional[ArrayLike] = None, dmu: Optional[ArrayLike] = None,
            dA: Optional[Stored] = None, dJ: Optional[Stored] = None, dMinv: Optional[ArrayLike] = None,
            dC: Optional[ArrayLike] = None) -> Reals: ...

class Solver:
    def __new__(cls, method: str = "auto", **parameters: Any) -> Solver: ...
    @property
    def method(self) -> str: ...
    @property
    def parameters(self) -> Dict[str, Value]: ...
    @property
    def options(self) -> Dict[str, Any]: ...
    def set(self, **parameters: Value) -> None: ...
    def solve(self, problem: Problem, x0: Optional[ArrayLike] = None, **options: Any) -> Result: ...

class Device:
    def __init__(self, name: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def processors(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def uploaded(self) -> int: ...
    @property
    def downloaded(self) -> int: ...
    @property
    def kernel_seconds(self) -> float: ...
    @classmethod
    def of(cls, device: Union[str, Device]) -> Device: ...

class GridResult(NamedTuple):
    x: Any
    y: Any
    status: str
    success: bool
    residual: float
    relative_residual: float
    cycles: int
    message: str

class Queued:
    @property
    def x(self) -> Any: ...
    @property
    def y(self) -> Any: ...
    @property
    def verdicts(self) -> Any: ...
    @property
    def residual(self) -> Any: ...
    @property
    def scale(self) -> Any: ...
    @property
    def iterations(self) -> Any: ...
    @property
    def outcome(self) -> Any: ...
    @property
    def error(self) -> Any: ...
    @property
    def solved(self) -> Any: ...
    def __len__(self) -> int: ...
    def status(self) -> NDArray[np.str_]: ...
    def raise_if_unsolved(self) -> Queued: ...
    def vjp(self, w: Any, wrt: Optional[Iterable[str]] = None, *, near: float = 1e-9,
            degenerate: str = "hold", unsolved: str = "nan") -> Dict[str, Any]: ...

class BatchResult:
    x: Reals
    y: Reals
    status: NDArray[np.str_]
    success: NDArray[np.bool_]
    residual: Reals
    relative_residual: Reals
    nit: NDArray[np.int64]
    seconds: Reals
    def __len__(self) -> int: ...

class QPResult:
    x: Reals
    z: Reals
    w: Reals
    ray: Optional[Reals]
    status: str
    method: str
    objective: float
    primal: float
    dual: float
    gap: float
    complementarity: float
    seconds: float
    nit: int
    factorisations: int
    message: str
    @property
    def success(self) -> bool: ...

class QPSolver:
    n: int
    m: int
    def __init__(self, P: Optional[Matrix], q: ArrayLike, G: Optional[Stored] = None,
                 l: Optional[ArrayLike] = None, u: Optional[ArrayLike] = None, lb: Optional[ArrayLike] = None,
                 ub: Optional[ArrayLike] = None) -> None: ...
    def set(self, q: Optional[ArrayLike] = None, l: Optional[ArrayLike] = None,
            u: Optional[ArrayLike] = None, lb: Optional[ArrayLike] = None,
            ub: Optional[ArrayLike] = None) -> None: ...
    def start(self, x: ArrayLike, z: Optional[ArrayLike] = None,
              w: Optional[ArrayLike] = None) -> None: ...
    def solve(self, *, method: str = "auto", tol: float = 1e-8, time_limit: Optional[float] = None,
              max_iterations: int = 0, cold: bool = False, verbose: int = False,
              strict: bool = False) -> QPResult: ...
    def vjp(self, g: ArrayLike) -> QPGradient: ...

class QPGradient:
    q: Reals
    l: Reals
    u: Reals
    lb: Reals
    ub: Reals
    P: Reals
    G: Reals

def solve_qp_batch(P: object, q: ArrayLike, G: object = None, l: Optional[ArrayLike] = None,
                   u: Optional[ArrayLike] = None, lb: Optional[ArrayLike] = None,
                   ub: Optional[ArrayLike] = None, *, threads: int = 1, **options: object) -> List[QPResult]: ...

class NLResult:
    x: Reals
    y: Reals
    names: List[str]
    row_names: List[str]
    status: str
    solve_result_num: int
    kind: str
    method: str
    residual: float
    objective: float
    seconds: float
    nit: int
    restarts: int
    message: str
    @property
    def success(self) -> bool: ...
    def __getitem__(self, name: str) -> float: ...

class NCPResult:
    x: Reals
    F: Reals
    status: str
    method: str
    residual: float
    seconds: float
    nit: int
    nfev: int
    njev: int
    restarts: int
    message: str
    @property
    def success(self) -> bool: ...

class Check(NamedTuple):
    solved: bool
    residual: float
    scale: float

class LCPResult(NamedTuple):
    z: Reals
    success: bool
    status: int
    num_iter: int

class Parameter(NamedTuple):
    name: str
    type: str
    default: Value
    least: float
    most: float
    choices: List[str]
    text: str

class Method(NamedTuple):
    name: str
    title: str
    family: str
    source: str
    takes: List[str]
    needs: List[str]
    max_iterations: int
    most_unknowns: int
    iteration: str
    works: str
    reference: bool
    parameters: List[Parameter]

class Generator(NamedTuple):
    name: str
    title: str
    family: str
    source: str
    parameters: List[Parameter]

class Scene(NamedTuple):
    name: str
    title: str
    family: str
    parameters: List[Parameter]

class Shape(NamedTuple):
    kind: str
    fixed: bool
    wire: bool
    size: Tuple[float, float, float]
    corner: Reals

class View(NamedTuple):
    pose: Reals
    load: Optional[Reals]
    state: Optional[NDArray[np.int32]]
    particle: Reals
    shade: Optional[Reals]
    pressure: Optional[Reals]
    touch: Optional[NDArray[np.int32]]
    contact: Optional[Reals]

class Step(NamedTuple):
    index: int
    time: float
    rows: int
    contacts: int
    active: int
    status: str
    residual: float
    relative_residual: float
    nit: int
    solve_seconds: float
    step_seconds: float
    kinetic: float
    potential: float
    penetration: float
    volume: float

class Simulation:
    scene: str
    method: str
    dimension: int
    lo: Tuple[float, float, float]
    hi: Tuple[float, float, float]
    shapes: List[Shape]
    messages: List[Tuple[int, str]]
    index: NDArray[np.int64]
    time: Reals
    rows: NDArray[np.int64]
    contacts: NDArray[np.int64]
    active: NDArray[np.int64]
    status: NDArray[np.str_]
    residual: Reals
    relative_residual: Reals
    nit: NDArray[np.int64]
    solve_seconds: Reals
    step_seconds: Reals
    kinetic: Reals
    potential: Reals
    penetration: Reals
    volume: Reals
    pose: Union[Reals, List[Reals]]
    load: Union[Reals, List[Reals], None]
    state: Union[NDArray[np.int32], List[NDArray[np.int32]], None]
    particle: List[Reals]
    shade: List[Optional[Reals]]
    pressure: List[Optional[Reals]]
    touch: List[Optional[NDArray[np.int32]]]
    @property
    def success(self) -> bool: ...
    def run(self, steps: int, every: int = 1) -> Simulation: ...
    def reset(self) -> Simulation: ...
    def step(self, keep: bool = True) -> Step: ...
    def view(self) -> View: ...
    def set(self, **values: float) -> None: ...
    def hold(self, shape: int, at: Sequence[float], to: Sequence[float]) -> None: ...
    def release(self) -> None: ...
    def add(self, kind: str, size: Optional[ArrayLike] = None, at: Sequence[float] = (),
            velocity: Sequence[float] = (), density: float = 100.0,
            corners: Optional[ArrayLike] = None) -> int: ...
    def push(self, shape: int, impulse: Sequence[float],
             at: Optional[Sequence[float]] = None) -> None: ...
    def join(self, kind: str, first: int, second: int, at: Sequence[float],
             axis: Sequence[float] = ()) -> None: ...
    def remove(self, shape: int) -> None: ...
    def pour(self, at: Sequence[float], radius: float, velocity: Sequence[float] = ()) -> None: ...
    def stir(self, at: Sequence[float], radius: float, velocity: Sequence[float]) -> None: ...
    def wall(self, at: Sequence[float], radius: float, solid: bool = True) -> None: ...
    def show(self, path: Path = "simulation.html") -> str: ...
    def __len__(self) -> int: ...

def solve_lcp(A: Matrix, b: ArrayLike, lo: Optional[ArrayLike] = 0, hi: Optional[ArrayLike] = ...,
              findex: Optional[ArrayLike] = None, x0: Optional[ArrayLike] = None,
              method: str = "auto", tol: float = 1e-8, time_limit: Optional[float] = None, *,
              max_iterations: Optional[int] = None,
              callback: Optional[Callable[[Progress], Optional[bool]]] = None, trace: bool = False,
              strict: bool = False, threads: int = 1, verbose: int = False,
              **parameters: Any) -> Result: ...
def solve_cone(A: Matrix, b: ArrayLike, mu: ArrayLike, x0: Optional[ArrayLike] = None,
               method: str = "auto", tol: float = 1e-8, time_limit: Optional[float] = None, *,
               max_iterations: Optional[int] = None,
               callback: Optional[Callable[[Progress], Optional[bool]]] = None, trace: bool = False,
               strict: bool = False, threads: int = 1, verbose: int = False,
               **parameters: Any) -> Result: ...
def solve(problem: Problem, x0: Optional[ArrayLike] = None, method: str = "auto", tol: float = 1e-8,
          time_limit: Optional[float] = None, *,
          max_iterations: Optional[int] = None,
          callback: Optional[Callable[[Progress], Optional[bool]]] = None, trace: bool = False,
          strict: bool = False, threads: int = 1, verbose: int = False,
          **parameters: Any) -> Result: ...
def solve_ncp(F: Callable[..., ArrayLike], J: Union[Callable[..., Stored], ArrayLike, None] = None,
              x0: Optional[ArrayLike] = None, lo: Optional[ArrayLike] = None,
              hi: Optional[ArrayLike] = None, *,
              method: str = "auto", tol: float = 1e-8, time_limit: Optional[float] = None,
              max_iterations: int = 300, restarts: int = 5, seed: int = 0,
              callback: Optional[Callable[[Progress], Optional[bool]]] = None,
              verbose: int = False, strict: bool = False, args: Sequence[Any] = (),
              **unknown: Any) -> NCPResult: ...
def solve_nl(path: Path, x0: Optional[ArrayLike] = None, *, method: Optional[str] = None,
             tol: float = 1e-6, time_limit: Optional[float] = None, max_iterations: int = 0,
             restarts: int = -1, seed: int = 0, verbose: int = False, sol: bool = False,
             strict: bool = False) -> NLResult: ...
def solve_qp(P: Optional[Matrix], q: ArrayLike, G: Optional[Stored] = None,
             l: Optional[ArrayLike] = None, u: Optional[ArrayLike] = None, lb: Optional[ArrayLike] = None,
             ub: Optional[ArrayLike] = None, x0: Optional[ArrayLike] = None, *, method: str = "auto",
             tol: float = 1e-8, time_limit: Optional[float] = None, max_iterations: int = 0,
             cold: bool = False, verbose: int = False, strict: bool = False,
             **options: Any) -> QPResult: ...
def solve_batch(A: Matrix, b: ArrayLike, lo: Optional[ArrayLike] = None,
                hi: Optional[ArrayLike] = None, findex: Optional[ArrayLike] = None,
                x0: Optional[ArrayLike] = None, *, threads: int = 0,
                device: Union[str, Device, None] = None, **options: Any) -> BatchResult: ...
def queue_batch(A: Any, b: Any, lo: Any = None, hi: Any = None, x0: Any = None, *, out: Any = None,
                device: Union[str, Device, None] = None, stream: Any = None,
                method: Optional[str] = None, raise_if_unsolved: bool = False,
                **options: Any) -> Queued: ...
def queue_worlds(body: Any, J: Any, Minv: Any, b: Any, *, mu: Any = None, lo: Any = None,
                 hi: Any = None, findex: Any = None, C: Any = None, cfm: float = 0.0,
                 x0: Any = None, out: Any = None, device: Union[str, Device, None] = None,
                 stream: Any = None, method: Optional[str] = None, precision: str = "double",
                 after: Optional[Queued] = None, raise_if_unsolved: bool = False, **options: Any) -> Queued: ...
def solve_grid(grid: Grid, b: Any, lo: Any = None, hi: Any = None, x0: Any = None, *, out: Any = None,
               device: Union[str, Device, None] = None, stream: Any = None,
               **options: Any) -> GridResult: ...
def operator(A: Matrix) -> Operator: ...
def generate(kind: str, **keys: Value) -> Problem: ...
def load(path: Path) -> Problem: ...
def save(path: Path, problem: Problem, x: Optional[ArrayLike] = None) -> None: ...
def check(problem: Problem, x: ArrayLike, tol: float = 1e-8,
          x_low: Optional[ArrayLike] = None) -> Check: ...
def check_certificate(problem: Problem, u: ArrayLike) -> bool: ...
def simulate(scene: str, steps: int = 100, *, every: int = 1, warm: bool = True,
             islands: bool = False, method: str = "auto", tol: float = 1e-6,
             scene_keys: Optional[Mapping[str, Value]] = None, **options: Any) -> Simulation: ...
def methods() -> Dict[str, Method]: ...
def generators() -> Dict[str, Generator]: ...
def scenes() -> Dict[str, Scene]: ...
def components() -> Dict[str, Optional[str]]: ...
def plot(what: Union[Result, Sequence[Result], Mapping[str, Result], Simulation], ax: Any = None,
         *, frame: int = -1) -> Any: ...
def lcp_lemke(M: Matrix, q: ArrayLike, d: None = None, max_iter: int = 10**6,
              piv_options: Any = None, tableau: Optional[Reals] = None,
              basis: Optional[NDArray[np.int_]] = None, z: Optional[Reals] = None) -> LCPResult: ...
def pathlcp(M: Matrix, q: ArrayLike, l: Optional[ArrayLike] = None, u: Optional[ArrayLike] = None,
            z: Optional[ArrayLike] = None) -> Reals: ...
