"""nl_random.py: random models on which constants of src/model/ncp were chosen

Optimality conditions of nonconvex programs, economies with constant elasticities, games of several
players, and paths of a growing state. Seeds are fixed."""

import random

from nl_file import INF, Collection, dot, optimality, total

MODELS = Collection()


def program(seed, n, rows):
    def build(m):
        r = random.Random(f"program {seed}")
        x = m.vars(n, 0.0, 10.0, 0.0)
        terms = []
        for i in range(n):
            terms.append(r.uniform(-5, 5) * x[i])
            terms.append(r.uniform(0, 0.5) * x[i] ** 3)
            for j in r.sample(range(n), 3):
                terms.append(r.uniform(-3, 3) * x[i] * x[j])
        g = []
        for k in range(rows):
            at = r.sample(range(n), 4)
            g.append(r.uniform(5, 20) - dot([r.uniform(0, 2) for _ in at], [x[a] for a in at]) -
                     0.1 * x[at[0]] ** 2)
        optimality(m, total(terms), x, g)
    return build


def economy(seed, goods, people):
    def build(m):
        r = random.Random(f"economy {seed}")
        p = m.vars(goods, 1e-6, start=1.0)
        m.lo[0] = m.hi[0] = 1.0
        y = m.vars(goods // 2, start=0.0)
        act = [[(-r.uniform(0, 1) if r.random() < 0.5 else 0.0) for _ in range(goods)] for _ in y]
        for a in act:
            a[r.randrange(goods)] = r.uniform(1, 4)
        for a, v in zip(act, y):
            m.comp(-dot(a, p), v)
        own = [[r.uniform(0, 10) if r.random() < 0.4 else 0.1 for _ in range(goods)] for _ in range(people)]
        w = [[r.uniform(0.1, 1) for _ in range(goods)] for _ in range(people)]
        sig = [r.choice([0.2, 0.5, 0.9, 1.5, 3]) for _ in range(people)]
        idx = [total([w[h][k] * p[k] ** (1 - sig[h]) for k in range(goods)]) for h in range(people)]
        inc = [dot(own[h], p) for h in range(people)]
        for k in range(goods):
            m.comp(sum(own[h][k] for h in range(people)) + dot([a[k] for a in act], y) -
                   total([w[h][k] * inc[h] / (p[k] ** sig[h] * idx[h]) for h in range(people)]), p[k])
    return build


def game(seed, players, moves):
    def build(m):
        r = random.Random(f"game {seed}")
        x = [m.vars(moves, start=1 / moves) for _ in range(players)]
        v = m.vars(players, -INF, start=1.0)
        for p in range(players):
            q, s = [k % players for k in (p + 1, p + 2)]
            for i in range(moves):
                m.comp(v[p] - total([r.randint(0, 9) * x[q][j] * x[s][k] for j in range(moves)
                                     for k in range(moves)]), x[p][i])
            m.eq(total(x[p]) - 1)
    return build


def pathway(seed, n):
    def build(m):
        r = random.Random(f"pathway {seed}")
        s, u, l = m.vars(n, 1e-3, start=1.0), m.vars(n, 0.0, 2.0, 0.5), m.vars(n, -INF, start=0.0)
        a, b, d = r.uniform(0.3, 0.8), r.uniform(0.1, 0.9), r.uniform(0.9, 1.0)
        for t in range(n):
            last = s[t - 1] if t else 1.0 + 0 * s[0]
            m.eq(s[t] - b * last - u[t] * last ** a / (1 + 0.1 * last))
            m.comp(d ** t * (u[t] - 1) ** 3 + 0.1 * u[t] - l[t] * last ** a / (1 + 0.1 * last), u[t])
            nxt = l[t + 1] * (b + u[t + 1] * a * s[t] ** (a - 1)) if t < n - 1 else 0
            m.comp(l[t] - nxt - d ** t / s[t], s[t])
    return build


for k in range(2, 12):
    MODELS.append((f"program{k}", "random", program(k, 12 + 3 * k, 6 + k)))
    MODELS.append((f"economy{k}", "random", economy(k, 4 + k, 3 + k // 2)))
    MODELS.append((f"game{k}", "random", game(k, 3 + k % 3, 2 + k // 3)))
    MODELS.append((f"pathway{k}", "random", pathway(k, 5 + 4 * k)))
