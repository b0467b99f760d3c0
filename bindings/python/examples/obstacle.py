"""A membrane over an obstacle, on a grid that is never assembled

The height u >= psi has -laplace(u) = 0 wherever it does not touch psi. With x = u - psi:
x >= 0, y = A x + A psi >= 0."""

import numpy as np

import perp


def main(n=127, picture=None):
    t = np.linspace(0, 1, n + 2)[1:-1]
    X, Y = np.meshgrid(t, t)
    psi = 0.25 - 2 * ((X - 0.5) ** 2 + (Y - 0.5) ** 2)
    A = perp.Grid((n, n))  # zero height all around
    r = perp.solve_lcp(A, A @ psi.ravel(), method="mg", tol=1e-9)
    u = psi + r.x.reshape(n, n)
    if picture:
        import matplotlib.pyplot as plt
        figure, ax = plt.subplots(subplot_kw={"projection": "3d"})
        ax.plot_surface(X, Y, u, cmap="viridis")
        figure.savefig(picture)
    return {"u": u, "psi": psi, "contact": (r.active < 0).reshape(n, n), "result": r}


if __name__ == "__main__":
    found = main(picture="obstacle.png")
    print(found["result"], f"touches {found['contact'].mean():.1%} of the square: obstacle.png")
