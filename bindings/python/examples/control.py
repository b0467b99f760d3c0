"""Model predictive control of a mass on a line whose force is bounded

In each step the forces u of the next `horizon` steps minimise the sum of squares of position,
velocity and force, with |u| <= 1; the first one is applied. Eliminating the states leaves a
quadratic program with bounds, whose solution is that of the boxed problem y = H u + f. H stays, f
changes, and the last forces, shifted by one step, are a good start."""

import numpy as np

import perp


def main(horizon=30, steps=80, dt=0.1, start=(2.0, 0.5)):
    F, G = np.array([[1, dt], [0, 1]]), np.array([dt * dt / 2, dt])
    powers = [np.eye(2)]
    for _ in range(horizon):
        powers.append(F @ powers[-1])
    # states = free state + S u
    S = np.zeros((2 * horizon, horizon))
    for i in range(horizon):
        for j in range(i + 1):
            S[2 * i:2 * i + 2, j] = powers[i - j] @ G
    Phi = np.vstack(powers[1:])
    Q = np.tile([1.0, 0.1], horizon)
    H = S.T @ (Q[:, None] * S) + 0.05 * np.eye(horizon)

    f = np.zeros(horizon)
    problem = perp.Problem(H, f, lo=-1, hi=1)
    solver = perp.Solver("auto", strict=True)
    state, u = np.array(start, float), np.zeros(horizon)
    states, forces, seconds = [state], [], []
    for _ in range(steps):
        f[:] = S.T @ (Q * (Phi @ state))
        r = solver.solve(problem, x0=np.append(u[1:], 0))
        u = r.x
        state = F @ state + G * u[0]
        states.append(state)
        forces.append(u[0])
        seconds.append(r.seconds)
    return {"states": np.array(states), "forces": np.array(forces), "seconds": np.array(seconds),
            "last": r, "H": H}


if __name__ == "__main__":
    found = main()
    print("from", found["states"][0], "to", np.round(found["states"][-1], 4),
          f"in {1e6 * np.median(found['seconds']):.0f} us a step")
