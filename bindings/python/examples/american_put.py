"""The price of an American put, as a surface over price and time

v(s, t) >= payoff(s), and it obeys the equation of Black and Scholes wherever it is larger.
Backward in time, step by step, x = v - payoff >= 0 solves a complementarity problem with a
tridiagonal matrix (implicit in time, so any step is stable). The matrix stays, so the Solver keeps
what it found out about it."""

import numpy as np
from scipy import sparse

import perp


def main(strike=10.0, rate=0.05, sigma=0.3, years=1.0, cells=200, steps=100):
    s = np.linspace(0, 4 * strike, cells + 1)[1:-1]
    h, dt = s[1] - s[0], years / steps
    diffusion, drift = (sigma * s / h) ** 2 / 2, rate * s / (2 * h)
    below, above = diffusion - drift, diffusion + drift
    L = sparse.diags([below[1:], -(below + above) - rate, above[:-1]], [-1, 0, 1])
    A = (sparse.identity(s.size) - dt * L).tocsr()
    payoff = np.maximum(strike - s, 0)
    edge = np.zeros(s.size)
    edge[0] = dt * below[0] * strike  # v(0) = strike

    surface = [payoff]
    b = np.zeros(s.size)
    problem, solver = perp.Problem(A, b), perp.Solver("minmap")
    for _ in range(steps):
        b[:] = A @ payoff - surface[-1] - edge
        r = solver.solve(problem, x0=surface[-1] - payoff, tol=1e-10, strict=True)
        surface.append(payoff + r.x)
    surface = np.array(surface[::-1])
    return {"price": s, "time": np.linspace(0, years, steps + 1), "surface": surface,
            "payoff": payoff}


if __name__ == "__main__":
    found = main()
    for price in (8, 9, 10, 11, 12):
        value = np.interp(price, found["price"], found["surface"][0])
        print(f"a share at {price:2d}: the put is worth {value:.4f}")
