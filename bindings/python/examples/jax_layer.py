"""A complementarity problem in JAX, with its own gradient

`solve(A, b)` is x >= 0 with y = A x + b >= 0 and x'y = 0. JAX calls back to perp for it, forward
and backward, so it also runs inside jax.jit; jax.grad goes through it by custom_vjp: one
Result.vjp, a solve with the reduced matrix. Rows of a batch are mapped one after another.

The example is the market of a good with n sellers of Cournot: seller i offers x_i at the price
p = a - sum x, at the cost c_i x_i + x_i^2 / 2. The costs c are found from the sales of an
equilibrium, by descent: y = (2 I + 1 1') x + c - a."""

import jax
import jax.numpy as jnp
import numpy as np

import perp

jax.config.update("jax_enable_x64", True)


def _forward(A, b):
    return perp.solve_lcp(np.asarray(A), np.asarray(b), tol=1e-12, strict=True).x


def _backward(A, b, w):
    r = perp.solve_lcp(np.asarray(A), np.asarray(b), tol=1e-12, strict=True)
    g = r.vjp(np.asarray(w), wrt=("A", "b"))
    return np.ascontiguousarray(g.A), g.b


def _like(*arrays):
    return tuple(jax.ShapeDtypeStruct(a.shape, jnp.float64) for a in arrays)


@jax.custom_vjp
def solve(A, b):
    return jax.pure_callback(_forward, _like(b)[0], A, b)


def _solve_forward(A, b):
    return solve(A, b), (A, b)


def _solve_backward(saved, w):
    A, b = saved
    return jax.pure_callback(_backward, _like(A, b), A, b, w)


solve.defvjp(_solve_forward, _solve_backward)


def sales(c, a):
    n = len(c)
    return solve(2 * jnp.eye(n) + jnp.ones((n, n)), c - a)


def main(iterations=400, rate=1.0):
    a, truth = 10.0, jnp.array([1.0, 2.0, 0.5, 1.5])
    observed = sales(truth, a)

    @jax.jit
    def loss(c):
        return ((sales(c, a) - observed) ** 2).sum()

    slope, c = jax.grad(loss), jnp.full(4, 3.0)
    for _ in range(iterations):
        c = c - rate * slope(c)
    return {"c": c, "truth": truth, "loss": float(loss(c)), "slope": slope, "value": loss}


if __name__ == "__main__":
    found = main()
    print(f"costs {np.asarray(found['c'])}, loss {found['loss']:.1e}")
