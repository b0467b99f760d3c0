"""The result of a solve"""

import html

from . import _perp
from ._derivative import _PARTS, Derivative
from ._suggest import table


class Result(_perp.Result):
    """The result of a solve.

    x, y               the solution and y = A x + b; the best iterate if it is not solved
    success, status    True if solved, as checked by the library; the outcome
    residual           natural residual max |x - P(x - y)|; relative_residual: by scale = max |b|
    nit, seconds       iterations of the method, time
    method, attempts   the method that found x; the methods that `auto` has run
    message            one line
    certificate, ray   a proof that no solution exists, if the status says so; a direction
    active             -1 at the lower bound, 1 at the upper one, 0 between
    vjp, jvp           derivatives of x with respect to the data, backward and forward
    x_low, floor       with x_low=True the solution is x + x_low; rounding floor of the residual
    counts, merit, scale, plan, class_name, trace, problem

    The arrays of the problem are not copied: `problem` shows their current contents."""

    __slots__ = ()

    def __repr__(self):
        return (f"<perp.Result: {self.status} by {self.method}, residual {self.residual:.3g}, "
                f"{self.nit} iterations, n = {self.x.size}>")

    def __str__(self):
        shown = [("message", self.message), ("success", self.success), ("status", self.status),
                 ("method", self.method), ("x", self.x), ("y", self.y),
                 ("residual", f"{self.residual:.3g} ({self.relative_residual:.3g} of max |b|)"),
                 ("nit", self.nit), ("seconds", f"{self.seconds:.3g}")]
        return table(shown)

    def __bool__(self):
        raise TypeError("use r.success")

    def derivative(self, **options):
        """The Derivative of x with respect to the data, factored once for many products.

        degenerate   'hold' or 'release': the side to use if x is at a bound and y = 0
        way          'auto', 'dense', 'sparse' or 'krylov'
        tol, near    x must be solved to tol; what counts as degenerate"""
        return Derivative(self.problem, self.x, **options)

    def vjp(self, w, wrt=_PARTS):
        """The Gradient of w'x with respect to b, lo, hi, mu and the matrix."""
        return self.derivative().vjp(w, wrt)

    def jvp(self, **change):
        """The change of x with a change db, dlo, dhi, dmu, dA, dJ, dMinv, dC of the data."""
        return self.derivative().jvp(**change)

    def _rows(self):
        yield "status", self.status
        yield "method", self.method
        yield "unknowns", self.x.size
        yield "natural residual", f"{self.residual:.3g} ({self.relative_residual:.3g} of max |b|)"
        yield "iterations", self.nit
        yield "time", f"{1e3 * self.seconds:.4g} ms"
        active = self.active
        yield "rows at bounds", f"{(active < 0).sum()} lower, {(active > 0).sum()} upper"
        for k, a in enumerate(self.attempts):
            yield f"attempt {k + 1}", f"{a.method}: {a.status}, {a.nit} iterations"
        yield "message", self.message

    def _repr_html_(self):
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                       f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>"
                       for name, value in self._rows())
        return f"<table>{rows}</table>"
