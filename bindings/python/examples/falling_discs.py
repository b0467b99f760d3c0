"""200 discs fall into a box; each step is a problem with friction"""

import perp


def main(n=200, steps=60, page=None):
    s = perp.simulate(f"discs:n={n}", steps=steps, tol=1e-4)
    if page:
        s.show(page)
    return s


if __name__ == "__main__":
    found = main(steps=300, page="discs.html")
    print(found, f"deepest overlap {found.penetration.max():.2e}: discs.html")
