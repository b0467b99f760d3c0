"""Suggestions for misspelt keywords, and the text of results"""

import difflib

import numpy as np

OPTIONS = ("method", "tol", "time_limit", "max_iterations", "x0", "callback", "trace", "strict", "threads",
           "verbose", "seed", "check_every", "stagnation", "merit_tol", "merit_rel_tol", "memory_limit", "x_low",
           "parameters")
# the words of SciPy, OSQP, CVXPY and others
_OTHERS = {"maxiter": "max_iterations", "max_iter": "max_iterations", "maxit": "max_iterations",
           "iterations": "max_iterations", "rtol": "tol", "atol": "tol", "eps": "tol", "eps_abs": "tol",
           "eps_rel": "tol", "tolerance": "tol", "ftol": "tol", "xtol": "tol", "timeout": "time_limit",
           "time_limit_s": "time_limit", "disp": "verbose", "n_jobs": "threads", "jobs": "threads",
           "num_threads": "threads", "warm_start": "x0", "initial": "x0", "start": "x0", "guess": "x0",
           "lb": "lo", "lower": "lo", "l": "lo", "ub": "hi", "upper": "hi", "u": "hi", "q": "b", "M": "A",
           "mu": "findex", "solver": "method", "algorithm": "method"}


def suggestion(name, known, others=()):
    """"; did you mean 'x'?", or "" if nothing is near."""
    guess = dict(others).get(name)
    if guess not in known:
        guess = next(iter(difflib.get_close_matches(name, known, 1, 0.7)), None)
    return f"; did you mean {guess!r}?" if guess else ""


def unknown_parameter(method, name):
    """The message about a keyword that is neither an option nor a parameter of the method."""
    from ._tables import methods

    own = [p.name for p in methods()[method].parameters]
    has = f"it has {', '.join(own)}" if own else "it has none"
    near = suggestion(name, [*OPTIONS, *own, "lo", "hi", "findex", "A", "b"], _OTHERS)
    return f"there is no option {name!r}, and {method} has no parameter {name!r} ({has}){near}"


def unknown_argument(function, name, known, others):
    """The TypeError of a call with an unknown keyword."""
    return TypeError(f"{function}() has no argument {name!r}{suggestion(name, known, others)}")


def table(rows):
    """Names and values in two columns, as print(result) shows them; arrays are shortened."""
    rows = [(name, np.array2string(value, threshold=10, precision=4, edgeitems=3)
             if isinstance(value, np.ndarray) else str(value)) for name, value in rows]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:>{width}}: " + value.replace("\n", "\n" + " " * (width + 2)) for name, value in rows)
