"""A game of two players: a Nash equilibrium by Lemke's method (Lemke and Howson 1964)

Player 1 pays A_ij, player 2 pays B_ij if they play i and j; all costs are positive. With

    M = [0 A; B' 0],  q = -1,   z = (u, v) >= 0,  M z + q >= 0,  z'(M z + q) = 0

the mixed strategies are u / sum(u) and v / sum(v)."""

import numpy as np

import perp


def equilibrium(A, B):
    m, n = A.shape
    M = np.block([[np.zeros((m, m)), A], [B.T, np.zeros((n, n))]])
    r = perp.lcp_lemke(M, -np.ones(m + n))
    if not r.success:
        raise RuntimeError("no equilibrium was found")
    u, v = r.z[:m], r.z[m:]
    return u / u.sum(), v / v.sum()


def main(m=6, n=8, seed=1):
    rng = np.random.default_rng(seed)
    A, B = 1 + rng.random((m, n)), 1 + rng.random((m, n))
    p, q = equilibrium(A, B)
    return {"A": A, "B": B, "p": p, "q": q, "costs": (p @ A @ q, p @ B @ q)}


if __name__ == "__main__":
    found = main()
    print("player 1:", np.round(found["p"], 3), "pays", round(found["costs"][0], 4))
    print("player 2:", np.round(found["q"], 3), "pays", round(found["costs"][1], 4))
