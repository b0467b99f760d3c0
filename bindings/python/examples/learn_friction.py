"""A friction coefficient learned by gradient

Blocks slide on the ground and come to rest. Their velocities were observed; the coefficient of
friction is found by descent, with the exact gradient through all steps: each step solves a problem
with cones, and Result.vjp takes the gradient back through it.

    free = v + h g,   b = J free,   x = solution,   v_new = free + Minv J' x"""

import numpy as np

import perp

STEP = 0.02
GRAVITY = np.array([0.0, 0.0, -9.81])


def forward(start, mu, steps):
    """The velocities after each step, and the results of all steps."""
    blocks = len(start)
    # the rows (n, t, o) of a block are its velocities (z, x, y)
    rows = np.kron(np.eye(blocks), np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]))
    contact = perp.Contact(rows, np.ones(3 * blocks))
    v, seen, results = np.ravel(start).astype(float), [], []
    for _ in range(steps):
        free = v + STEP * np.tile(GRAVITY, blocks)
        r = perp.solve_cone(contact, contact.bias(free), np.full(blocks, mu), tol=1e-12,
                            strict=True)
        v = contact.velocities(free, r.x)
        seen.append(v)
        results.append(r)
    return np.array(seen), results, rows


def loss_and_gradient(start, mu, observed):
    seen, results, J = forward(start, mu, len(observed))
    gap = seen - observed
    mu_bar, v_bar = 0.0, np.zeros(J.shape[1])
    for r, g in zip(results[::-1], gap[::-1]):
        v_bar = v_bar + g
        back = r.vjp(J @ v_bar, wrt=("b", "mu"))  # masses are 1
        mu_bar += back.mu.sum()
        v_bar = v_bar + J.T @ back.b
    return (gap ** 2).sum() / 2, mu_bar


def main(truth=0.35, guess=0.7, steps=40, iterations=60):
    start = np.array([[2.0, 0, 0], [0, 3.0, 0], [1.0, -1.5, 0]])
    observed = forward(start, truth, steps)[0]
    mu, rate = guess, 1e-3
    loss, slope = loss_and_gradient(start, mu, observed)
    path = [mu]
    for _ in range(iterations):
        new = max(mu - rate * slope, 0.01)
        new_loss, new_slope = loss_and_gradient(start, new, observed)
        if new_loss < loss:
            mu, loss, slope, rate = new, new_loss, new_slope, 2 * rate
        else:
            rate /= 4
        path.append(mu)
    return {"mu": mu, "loss": loss, "path": path, "start": start, "observed": observed}


if __name__ == "__main__":
    found = main()
    print(f"from {found['path'][0]} to {found['mu']:.6f}, loss {found['loss']:.1e}")
