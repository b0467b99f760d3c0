"""nl_models.py: equilibrium models of the literature, for .nl files

Each function fills a Model; its source stands above it."""

import math

from nl_file import INF, Collection, atan, cos, exp, log, optimality, sin, sqrt, total

MODELS = Collection()
model = MODELS.add


# ---- Small problems ----

@model("Kojima and Shindo 1986")
def kojshin(m):
    x = m.vars(4)
    F = [3 * x[0] ** 2 + 2 * x[0] * x[1] + 2 * x[1] ** 2 + x[2] + 3 * x[3] - 6,
         2 * x[0] ** 2 + x[0] + x[1] ** 2 + 10 * x[2] + 2 * x[3] - 2,
         3 * x[0] ** 2 + x[0] * x[1] + 2 * x[1] ** 2 + 2 * x[2] + 9 * x[3] - 9,
         x[0] ** 2 + 3 * x[1] ** 2 + 2 * x[2] + 3 * x[3] - 3]
    for f, v in zip(F, x):
        m.comp(f, v)
    m.start(1, [1, 0, 1, 0], [1, 0, 0, 0], 10, 100)


@model("Josephy 1979")
def josephy(m):
    x = m.vars(4)
    F = [3 * x[0] ** 2 + 2 * x[0] * x[1] + 2 * x[1] ** 2 + x[2] + 3 * x[3] - 6,
         2 * x[0] ** 2 + x[0] + x[1] ** 2 + 3 * x[2] + 2 * x[3] - 2,
         3 * x[0] ** 2 + x[0] * x[1] + 2 * x[1] ** 2 + 2 * x[2] + 3 * x[3] - 1,
         x[0] ** 2 + 3 * x[1] ** 2 + 2 * x[2] + 3 * x[3] - 3]
    for f, v in zip(F, x):
        m.comp(f, v)
    m.start(1, [1, 0, 1, 0], 10, 100)


@model("Billups 1995")
def billups(m):
    x = m.var()
    m.comp((x - 1) ** 2 - 1.01, x)
    m.start(1, 10)


@model("Watson 1979, fourth problem (Colville 1968)")
def watson4(m):
    x = m.vars(5, start=0.0)
    s = total([(x[i] - i + 1) ** 2 for i in range(5)])
    for i in range(5):
        m.comp(2 * (x[i] - i + 1) * exp(s), x[i])
    m.start(0.5)


@model("Mathiesen 1987")
def mathiesen(m):
    y, p1, p2, p3 = m.var(), m.var(1e-6, start=1.0), m.var(1e-6, start=1.0), m.var(start=1.0)
    income = 5 * p2 + 3 * p3
    m.comp(p2 + p3 - p1, y)
    m.comp(y - 0.9 * income / p1, p1)
    m.comp(5 - y - 0.1 * income / p2, p2)
    m.comp(3 - y, p3)
    m.start(1, [1, 2, 1, 3], [3, 10, 1, 1])


@model("Mathiesen 1985, incomes and a numeraire")
def mathiesen_numeraire(m):
    y, p1, p2, p3 = m.var(), m.var(1e-6, start=1.0), m.var(1, 1, 1.0), m.var(start=1.0)
    income = 5 * p2 + 3 * p3
    m.comp(p2 + p3 - p1, y)
    m.comp(y - 0.9 * income / p1, p1)
    m.comp(5 - y - 0.1 * income / p2, p2)
    m.comp(3 - y, p3)


@model("Powell 1969, as a complementarity problem with bounds")
def powell(m):
    x = m.vars(4, -INF, start=1.0)
    m.lo[0] = m.lo[2] = 0.0
    F = [x[0] + 10 * x[1], sqrt(5) * (x[2] - x[3]), (x[1] - 2 * x[2]) ** 2,
         sqrt(10) * (x[0] - x[3]) ** 2]
    for f, v in zip(F, x):
        m.comp(f, v)
    m.starts[0] = [3, -1, 0, 1]


@model("Kanzow 1994, 1")
def kanzow_separable(m):
    x = m.vars(5, start=1.0)
    for i in range(5):
        m.comp(x[i] ** 3 + (i - 2) * x[i] + exp(-x[i]) - (i - 1), x[i])
    m.start(0, 5)


@model("Sun, Han and Zhao 1998: a degenerate problem")
def degenerate(m):
    x = m.vars(2, start=1.0)
    m.comp(x[0] ** 2 + x[1] ** 2 - x[0], x[0])
    m.comp(x[1] + x[0] ** 3, x[1])


@model("Ferris and Ralph 1995: cycling of Newton's method")
def cycle(m):
    x = m.var(start=0.5)
    m.comp(atan(x - 10), x)
    m.start(0, 40, 1000)


@model("Dirkse and Ferris 1995: badfree")
def badfree(m):
    x = m.vars(5, -INF)
    for j in range(2, 5):
        m.lo[j] = 0.0
    m.comp(x[0] + x[1] - 1, x[0])
    m.comp(x[0] + x[1] - 1, x[1])
    m.comp(x[2] + x[3] - 1, x[2])
    m.comp(x[2] + x[3] - 2, x[3])
    m.comp(x[4] - 3, x[4])


@model("Munson: ne-hard-like, steep exponentials")
def steep(m):
    x = m.vars(3, start=10.0)
    m.comp(exp(x[0]) - 2 + x[1], x[0])
    m.comp(x[1] ** 3 + x[0] - x[2], x[1])
    m.comp(x[2] - 2 * x[0] + 1, x[2])
    m.start(0, 1, 100)


# ---- Linear problems ----

@model("Murty 1988: exponential for Lemke")
def murty(m, n=12):
    x = m.vars(n)
    for i in range(n):
        m.comp(x[i] + 2 * total(x[i + 1:]) - 1 if i < n - 1 else x[i] - 1, x[i])


@model("Fathi 1979")
def fathi(m, n=10):
    x = m.vars(n)
    a = [[1 + 4 * min(i, j) if i == j else 2 + 4 * min(i, j) for j in range(n)] for i in range(n)]
    for i in range(n):
        m.comp(total([a[i][j] * x[j] for j in range(n)]) - 1, x[i])


@model("Munson 2002, in the mpec examples of Pyomo")
def munson(m):
    x = m.vars(3)
    m.comp(x[0] + 2 * x[1] + 3 * x[2] - 1, x[0])
    m.comp(x[1] - x[2] + 1, x[1])
    m.comp(x[0] + x[1] + 1, x[2])


@model("Dantzig's transport model, as complementarity (GAMS transmcp)")
def transport(m):
    cost = [[0.225, 0.153, 0.162], [0.225, 0.162, 0.126]]
    supply, demand = [350, 600], [325, 300, 275]
    w, p = m.vars(2), m.vars(3)
    x = [m.vars(3) for _ in range(2)]
    for i in range(2):
        for j in range(3):
            m.comp(w[i] + cost[i][j] - p[j], x[i][j])
    for i in range(2):
        m.comp(supply[i] - total(x[i]), w[i])
    for j in range(3):
        m.comp(x[0][j] + x[1][j] - demand[j], p[j])


@model("transmcp with iso-elastic demand (Rutherford 1995)")
def transport_elastic(m):
    cost = [[0.225, 0.153, 0.162], [0.225, 0.162, 0.126]]
    supply, demand, price, esub = [350, 600], [325, 300, 275], [0.225, 0.153, 0.126], 1.5
    w, p = m.vars(2), m.vars(3, 1e-3, start=0.2)
    x = [m.vars(3) for _ in range(2)]
    for i in range(2):
        for j in range(3):
            m.comp(w[i] + cost[i][j] - p[j], x[i][j])
    for i in range(2):
        m.comp(supply[i] - total(x[i]), w[i])
    for j in range(3):
        m.comp(x[0][j] + x[1][j] - demand[j] * (price[j] / p[j]) ** esub, p[j])


def bimatrix(m, a, b):
    """Lemke and Howson 1964: 0 <= x with A y - 1 >= 0, 0 <= y with B^T x - 1 >= 0, costs > 0"""
    rows, columns = len(a), len(a[0])
    x, y = m.vars(rows), m.vars(columns)
    for i in range(rows):
        m.comp(total([a[i][j] * y[j] for j in range(columns)]) - 1, x[i])
    for j in range(columns):
        m.comp(total([b[i][j] * x[i] for i in range(rows)]) - 1, y[j])
    m.start(1, 0.1)


@model("battle of the sexes, Luce and Raiffa 1957")
def battle(m):
    bimatrix(m, [[1, 3], [3, 2]], [[2, 3], [3, 1]])


@model("matching pennies, von Neumann 1928")
def pennies(m):
    bimatrix(m, [[1, 3], [3, 1]], [[3, 1], [1, 3]])


@model("Shapley 1974: a 3 x 3 game")
def shapley(m):
    bimatrix(m, [[1, 2, 2], [2, 1, 2], [2, 2, 1]], [[2, 1, 2], [2, 2, 1], [1, 2, 2]])


# ---- Oligopoly ----

def cournot(m, c, L, beta, gamma, scale, start):
    """Murphy, Sherali and Soyster 1982: c'(q) + p(Q) + q p'(Q), p = (scale / Q)^(1/gamma)"""
    q = m.vars(len(c), start=start)
    Q = total(q)
    for i, v in enumerate(q):
        price = (scale / Q) ** (1 / gamma)
        m.comp(c[i] + (v / L[i]) ** (1 / beta[i]) - price + price * v / (gamma * Q), v)


@model("Murphy, Sherali and Soyster 1982 (nash5)")
def nash5(m):
    cournot(m, [10, 8, 6, 4, 2], [5] * 5, [1.2, 1.1, 1.0, 0.9, 0.8], 1.1, 5000, 10.0)
    m.lo = [1e-8] * 5
    m.start(1, 50)


@model("Harker 1988 (nash10)")
def nash10(m):
    cournot(m, [5, 3, 8, 5, 1, 3, 7, 4, 6, 3], [10] * 10,
            [1.2, 1, 0.9, 0.6, 1.5, 1, 0.7, 1.1, 0.95, 0.75], 1.2, 5000, 10.0)
    m.lo = [1e-8] * 10
    m.start(1, 30)


@model("Cournot 1838, linear demand, three firms")
def cournot_linear(m):
    q = m.vars(3)
    for i, c in enumerate((1.0, 2.0, 12.0)):
        m.comp(c - (10 - total(q)) + q[i], q[i])


@model("Kolstad and Mathiesen 1991: Cournot with quadratic costs")
def cournot_quadratic(m):
    q = m.vars(5, 0, 40.0)
    for i in range(5):
        m.comp(2 + i + 0.3 * (i + 1) * q[i] - (100 - total(q)) + q[i], q[i])


@model("Shubik and Levitan 1980: prices with product differentiation")
def bertrand(m):
    p = m.vars(4, 0.1, start=5.0)
    for i in range(4):
        others = total([p[j] for j in range(4) if j != i])
        demand = 20 - 3 * p[i] + 0.7 * others
        m.comp(-(demand - 3 * (p[i] - 1 - 0.5 * i)), p[i])


@model("Choi, DeSarbo and Harker 1990: logit demand")
def logit(m):
    p = m.vars(4, 0.0, start=1.0)
    u = [exp(1.5 - 0.8 * i - 0.9 * p[i]) for i in range(4)]
    s = 1 + total(u)
    for i in range(4):  # profit (p - c) u / s
        m.comp(-(1 - 0.9 * (p[i] - 0.5) * (1 - u[i] / s)), p[i])
    m.start(0, 5)


# ---- General equilibrium ----

@model("Arrow and Debreu 1954: an exchange economy, Cobb and Douglas")
def exchange(m):
    share = [[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.2, 0.5]]
    own = [[10, 2, 1], [1, 8, 3], [2, 3, 9]]
    p = m.vars(3, 1e-6, start=1.0)
    m.lo[0] = m.hi[0] = 1.0
    income = [total([own[h][k] * p[k] for k in range(3)]) for h in range(3)]
    for k in range(3):
        m.comp(sum(own[h][k] for h in range(3)) -
               total([share[h][k] * income[h] / p[k] for h in range(3)]), p[k])
    m.start([1, 5, 0.2], [1, 0.1, 10])


@model("Shoven and Whalley 1984: two goods, two factors, two consumers")
def shoven_whalley(m):
    p, y = m.vars(4, 1e-6, start=1.0), m.vars(2, start=10.0)
    m.lo[3] = m.hi[3] = 1.0
    own, share = [[0, 25], [60, 0]], [[0.5, 0.5], [0.3, 0.7]]
    sigma, delta, phi = [2.0, 0.5], [0.6, 0.7], [1.5, 2.0]
    esub = [1.5, 0.75]
    cost = []
    for i in range(2):
        s = sigma[i]
        cost.append((delta[i] ** s * p[2] ** (1 - s) + (1 - delta[i]) ** s * p[3] ** (1 - s)) **
                    (1 / (1 - s)) / phi[i])
        m.comp(cost[i] - p[i], y[i])
    income = [own[0][0] * p[2] + own[0][1] * p[3], own[1][0] * p[2] + own[1][1] * p[3]]
    for i in range(2):
        terms = []
        for h in range(2):
            e = esub[h]
            index = share[h][0] * p[0] ** (1 - e) + share[h][1] * p[1] ** (1 - e)
            terms.append(share[h][i] * income[h] / (p[i] ** e * index))
        m.comp(y[i] - total(terms), p[i])
    for f in range(2):
        terms = []
        for i in range(2):
            s, d = sigma[i], delta[i] if f == 0 else 1 - delta[i]
            terms.append(y[i] * phi[i] ** (s - 1) * (d * cost[i] / p[2 + f]) ** s)
        m.comp(own[0][f] + own[1][f] - total(terms), p[2 + f])
    m.start(1)


@model("Scarf 1973: activities, endowments and Cobb-Douglas consumers; numbers of our own")
def activities(m):
    a = [[6, -1, -3], [-1, 5, -1], [-2, -3, 8], [-1, -1, -1]]
    own, share = [2, 3, 1, 20], [0.4, 0.3, 0.25, 0.05]
    p, y = m.vars(4, 1e-6, start=1.0), m.vars(3, start=1.0)
    m.lo[3] = m.hi[3] = 1.0
    income = total([own[k] * p[k] for k in range(4)])
    for j in range(3):
        m.comp(-total([a[k][j] * p[k] for k in range(4)]), y[j])
    for k in range(4):
        m.comp(own[k] + total([a[k][j] * y[j] for j in range(3)]) - share[k] * income / p[k], p[k])


@model("Mathiesen 1985: an open economy with a tariff; numbers of our own")
def tariff(m):
    p, y, t = m.vars(3, 1e-6, start=1.0), m.vars(2), 0.2
    m.lo[2] = m.hi[2] = 1.0
    revenue = m.var(-INF)
    income = 10 * p[2] + revenue
    m.comp(0.5 * p[2] + 0.3 * p[1] - p[0], y[0])
    m.comp((1 + t) * 0.9 * p[0] - p[1], y[1])
    m.comp(y[0] - 0.9 * y[1] - 0.5 * income / p[0], p[0])
    m.comp(y[1] - 0.3 * y[0] + 4 - 0.4 * income / p[1], p[1])
    m.comp(10 - 0.5 * y[0] - 0.1 * income / p[2], p[2])
    m.eq(revenue - t * 0.9 * p[0] * y[1])


# ---- Traffic and space ----

@model("Braess 1968")
def braess(m):
    h, t = m.vars(3, start=1.0), m.var()
    a = h[0] + h[2]
    b = h[1] + h[2]
    m.comp(10 * a + 50 + h[0] - t, h[0])
    m.comp(50 + h[1] + 10 * b - t, h[1])
    m.comp(10 * a + 10 + h[2] + 10 * b - t, h[2])
    m.comp(total(h) - 6, t)


@model("Bureau of Public Roads 1964: two routes, Wardrop 1952")
def wardrop(m):
    h, t = m.vars(3, start=100.0), m.var()
    for v, free, room in zip(h, (10, 20, 25), (2, 4, 3)):
        m.comp(free * (1 + 0.15 * (v / room) ** 4) - t, v)
    m.comp(total(h) - 10, t)
    m.start(0, 1)


@model("Bertsekas and Gafni 1982: flows between towns on a ring")
def bertsekas_gafni(m, towns=5):
    """routes on a ring in two directions; delay 1 + f + f^2 on each arc plus interaction"""
    pairs = [(i, (i + s) % towns) for i in range(towns) for s in (1, 2)]
    x, t = [], []
    for _ in pairs:
        x.append(m.vars(2))
        t.append(m.var())
    clock = [[] for _ in range(towns)]
    back = [[] for _ in range(towns)]
    for k, (i, j) in enumerate(pairs):
        for s in range((j - i) % towns):
            clock[(i + s) % towns].append(x[k][0])
        for s in range((i - j) % towns):
            back[(i - 1 - s) % towns].append(x[k][1])
    delay = [1 + total(c) + 0.1 * total(c) ** 2 + 0.2 * total(b) for c, b in zip(clock, back)]
    other = [1 + total(b) + 0.1 * total(b) ** 2 + 0.2 * total(c) for c, b in zip(clock, back)]
    for k, (i, j) in enumerate(pairs):
        m.comp(total([delay[(i + s) % towns] for s in range((j - i) % towns)]) - t[k], x[k][0])
        m.comp(total([other[(i - 1 - s) % towns] for s in range((i - j) % towns)]) - t[k], x[k][1])
        m.comp(total(x[k]) - (1 + 0.5 * k), t[k])
    m.start(1)


@model("Takayama and Judge 1971: spatial prices, linear")
def takayama_judge(m):
    cost = [[1, 4, 7], [4, 1, 3], [6, 3, 1]]
    p, w = m.vars(3), m.vars(3)
    x = [m.vars(3) for _ in range(3)]
    for i in range(3):
        for j in range(3):
            m.comp(w[i] + cost[i][j] - p[j], x[i][j])
        m.comp(2 * (i + 1) * w[i] + 5 - total(x[i]), w[i])
    for j in range(3):
        m.comp(total([x[i][j] for i in range(3)]) - (100 - 20 * j - 3 * p[j]), p[j])


@model("Harker 1986: spatial prices, nonlinear supply and demand; numbers of our own")
def harker(m, regions=4):
    p, w = m.vars(regions, 0.01, start=5.0), m.vars(regions, 0.0, start=1.0)
    x = [m.vars(regions) for _ in range(regions)]
    for i in range(regions):
        for j in range(regions):
            m.comp(w[i] + 1 + abs(i - j) + 0.05 * x[i][j] ** 2 - p[j], x[i][j])
        m.comp(3 + (i + 1) * w[i] ** 1.5 - total(x[i]), w[i])
    for j in range(regions):
        m.comp(total([x[i][j] for i in range(regions)]) - 60 * (j + 1) / p[j], p[j])


@model("Tobin 1988: prices with capacities; numbers of our own")
def tobin(m):
    s, d = m.vars(3, start=1.0), m.vars(3, start=1.0)
    x = [m.vars(3, 0, 6.0) for _ in range(3)]
    for i in range(3):
        for j in range(3):
            m.comp(s[i] + 2 + (i - j) ** 2 - d[j], x[i][j])
        m.comp(total([-v for v in x[i]]) + 1 + s[i] + 0.1 * s[i] ** 2, s[i])
    for j in range(3):
        m.comp(total([x[i][j] for i in range(3)]) - 15 * exp(-0.1 * d[j]), d[j])


@model("Hogan 1975: PIES, a model of coal and oil; structure of MCPLIB pies, numbers of our own")
def pies(m):
    c, o, pc, po = m.vars(2, 0, 300.0), m.vars(2, 0, 200.0), m.var(0.1, start=10.0), m.var(0.1, start=10.0)
    for k in range(2):
        m.comp(5 + 3 * k + 0.02 * c[k] - pc, c[k])
        m.comp(10 + 4 * k + 0.05 * o[k] - po, o[k])
    m.comp(total(c) - 1000 * pc ** -0.75 * po ** 0.2, pc)
    m.comp(total(o) - 1200 * po ** -0.6 * pc ** 0.1, po)
    m.start(1, 50)


@model("Gabriel, Kiet and Zhuang 2005: gas producers, traders and storage; numbers of our own")
def gas(m, seasons=3):
    q = [m.vars(2, 0, 40.0) for _ in range(seasons)]
    s, r = m.vars(seasons), m.vars(seasons)
    p, v = m.vars(seasons, start=10.0), m.var()
    for t in range(seasons):
        for k in range(2):
            m.comp(2 + 3 * k + 0.2 * q[t][k] - p[t], q[t][k])
        m.comp(p[t] + 0.5 - v, s[t])
        m.comp(v - p[t], r[t])
        m.comp(total(q[t]) - s[t] + r[t] - (60 + 30 * (t == 2) - 2 * p[t]), p[t])
    m.comp(total(s) - total(r), v)


@model("the same with 50 regions: an interior point method and a Schur complement")
def harker_large(m):
    harker(m, 50)


@model("the gas model with 500 seasons: an interior point method and a sparse factor")
def gas_large(m):
    gas(m, 500)


@model("Hobbs 2001: generators in a power market of three nodes; numbers of our own")
def power_market(m):
    g = [m.vars(3, 0, 50.0) for _ in range(2)]
    lam, f, mu = m.vars(3, -INF), m.vars(2, -15.0, 15.0), m.vars(2, -INF)
    for k in range(2):
        for i in range(3):
            m.comp(10 + 5 * k + 2 * i + 0.1 * g[k][i] - lam[i], g[k][i])
    load = [40 - 0.3 * lam[0], 50 - 0.4 * lam[1], 20 - 0.2 * lam[2]]
    m.eq(g[0][0] + g[1][0] - load[0] - f[0])
    m.eq(g[0][1] + g[1][1] - load[1] + f[0] - f[1])
    m.eq(g[0][2] + g[1][2] - load[2] + f[1])
    for i in range(2):
        m.comp(lam[i] - lam[i + 1] + mu[i], f[i])
        m.eq(mu[i] - 0.01 * f[i])


# ---- Mechanics ----

@model("obstacle below a membrane, Rodrigues 1987")
def obstacle(m, n=15):
    h = 1 / (n + 1)
    u = [m.vars(n) for _ in range(n)]
    for i in range(n):
        for j in range(n):
            around = [u[a][b] for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
                      if 0 <= a < n and 0 <= b < n]
            load = 10 * h * h * (1 if (i + j) * h < 1.2 else -2)
            m.comp(4 * u[i][j] - total(around) - load, u[i][j])


@model("journal bearing, Cryer 1971")
def bearing(m, n=40):
    h = 2 * math.pi / (n + 1)
    p = m.vars(n)
    gap = [(1 + 0.8 * math.cos((k + 0.5) * h)) ** 3 for k in range(n + 1)]
    for k in range(n):
        left = [gap[k] * p[k - 1]] if k else []
        right = [gap[k + 1] * p[k + 1]] if k < n - 1 else []
        m.comp((gap[k] + gap[k + 1]) * p[k] - total(left + right) - h * h * 0.8 * math.sin((k + 1) * h),
               p[k])


@model("Bratu's problem below an obstacle, Hoppe and Mittelmann 1989")
def bratu(m, n=12):
    h = 1 / (n + 1)
    u = [m.vars(n, 0, 1.0) for _ in range(n)]
    for i in range(n):
        for j in range(n):
            around = [u[a][b] for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
                      if 0 <= a < n and 0 <= b < n]
            m.comp(4 * u[i][j] - total(around) - 6 * h * h * exp(u[i][j]), u[i][j])


@model("Wilmott, Dewynne and Howison 1993: an American put")
def american(m, n=30):
    dx, lam = 0.1, 0.5
    payoff = [max(1 - 2.718281828459045 ** (-1.5 + dx * k), 0) for k in range(n)]
    v = [m.var(g, INF, g) for g in payoff]
    for k in range(n):
        left = v[k - 1] if k else payoff[0]
        right = v[k + 1] if k < n - 1 else 0
        m.comp((1 + 2 * lam) * v[k] - lam * left - lam * right - payoff[k], v[k])


@model("Kostreva 1984: elastohydrodynamic lubrication, a short bearing")
def lubrication(m, n=25):
    p, load = m.vars(n, start=0.1), m.var(-INF, start=1.0)
    h = 0.2
    gap = [1 + 0.5 * (-2.5 + h * k) ** 2 + 0.1 * total(
        [p[j] * (1 / (1 + abs(k - j))) for j in range(n)]) for k in range(n)]
    for k in range(n):
        flow = (gap[k] ** 3) * 2 * p[k] - (gap[k - 1] ** 3 * p[k - 1] if k else 0) - (
            gap[k + 1] ** 3 * p[k + 1] if k < n - 1 else 0)
        m.comp(flow + (gap[k] - (gap[k - 1] if k else gap[0])) * h * 2, p[k])
    m.eq(load - h * total(p))


@model("Coulomb friction of a block on springs, Klarbring 1990")
def friction(m):
    un, ut, pn, up, um, g = m.var(-INF), m.var(-INF), m.var(), m.var(), m.var(), m.var()
    m.eq(10 * un + 2 * ut - 3 + pn)
    m.eq(8 * ut + 2 * un - 4 + up - um)
    m.comp(0.1 - un, pn)
    m.comp(g + ut, up)
    m.comp(g - ut, um)
    m.comp(0.3 * pn - up - um, g)


@model("Stribeck's friction law with smooth slip; numbers of our own")
def stribeck(m):
    v = m.vars(4, -INF, start=1.0)
    for k in range(4):
        left = v[k - 1] if k else 0
        right = v[k + 1] if k < 3 else 0
        m.eq(2 * v[k] - left - right + (0.4 + 0.6 * exp(-(v[k] ** 2))) * (2 / 3.14159) * atan(
            20 * v[k]) - 0.3 * (k + 1))


@model("Bazaraa, Sherali and Shetty 1993: optimal control of a pendulum with limits")
def control(m, n=10):
    x, u, y = m.vars(n, -INF), m.vars(n, -1.0, 1.0), m.vars(n, -INF)
    for k in range(n):
        last = x[k - 1] if k else 1.0
        m.eq(x[k] - last - 0.2 * (sin(last) * 0.5 if k else 0.4207) - 0.2 * u[k])
        m.comp(0.2 * u[k] - 0.2 * y[k], u[k])
        after = (y[k + 1] * (1 + 0.1 * cos(x[k]))) if k < n - 1 else 0
        m.eq(0.2 * x[k] + y[k] - after)


# ---- Optimality conditions ----

def hs1(m):
    x = [m.var(-INF, start=-2.0), m.var(-1.5, start=1.0)]
    optimality(m, 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2, x)


def hs4(m):
    x = [m.var(1.0, start=1.125), m.var(0.0, start=0.125)]
    optimality(m, (x[0] + 1) ** 3 / 3 + x[1], x)


def hs5(m):
    x = [m.var(-1.5, 4.0), m.var(-3.0, 3.0)]
    optimality(m, sin(x[0] + x[1]) + (x[0] - x[1]) ** 2 - 1.5 * x[0] + 2.5 * x[1] + 1, x)


def hs6(m):
    x = [m.var(-INF, start=-1.2), m.var(-INF, start=1.0)]
    optimality(m, (1 - x[0]) ** 2, x, equal=[10 * (x[1] - x[0] ** 2)])


def hs7(m):
    x = [m.var(-INF, start=2.0), m.var(-INF, start=2.0)]
    optimality(m, log(1 + x[0] ** 2) - x[1], x, equal=[(1 + x[0] ** 2) ** 2 + x[1] ** 2 - 4])


def hs10(m):
    x = [m.var(-INF, start=-10.0), m.var(-INF, start=10.0)]
    optimality(m, x[0] - x[1], x, [-3 * x[0] ** 2 + 2 * x[0] * x[1] - x[1] ** 2 + 1])


def hs11(m):
    x = [m.var(-INF, start=4.9), m.var(-INF, start=0.1)]
    optimality(m, (x[0] - 5) ** 2 + x[1] ** 2 - 25, x, [x[1] - x[0] ** 2])


def hs12(m):
    x = m.vars(2, -INF)
    optimality(m, 0.5 * x[0] ** 2 + x[1] ** 2 - x[0] * x[1] - 7 * x[0] - 7 * x[1], x,
               [25 - 4 * x[0] ** 2 - x[1] ** 2])


def hs14(m):
    x = m.vars(2, -INF, start=2.0)
    optimality(m, (x[0] - 2) ** 2 + (x[1] - 1) ** 2, x, [1 - 0.25 * x[0] ** 2 - x[1] ** 2],
               [x[0] - 2 * x[1] + 1])


def hs18(m):
    x = [m.var(2.0, 50.0, 2.0), m.var(0.0, 50.0, 2.0)]
    optimality(m, 0.01 * x[0] ** 2 + x[1] ** 2, x,
               [x[0] * x[1] - 25, x[0] ** 2 + x[1] ** 2 - 25])


def hs21(m):
    x = [m.var(2.0, 50.0, 2.0), m.var(-50.0, 50.0, -1.0)]
    optimality(m, 0.01 * x[0] ** 2 + x[1] ** 2 - 100, x, [10 * x[0] - x[1] - 10])


def hs22(m):
    x = m.vars(2, -INF, start=2.0)
    optimality(m, (x[0] - 2) ** 2 + (x[1] - 1) ** 2, x, [2 - x[0] - x[1], x[1] - x[0] ** 2])


def hs24(m):
    x = [m.var(0.0, start=1.0), m.var(0.0, start=0.5)]
    r = 3 ** 0.5
    optimality(m, ((x[0] - 3) ** 2 - 9) * x[1] ** 3 / (27 * r), x,
               [x[0] / r - x[1], x[0] + r * x[1], 6 - x[0] - r * x[1]])


def hs27(m):
    x = m.vars(3, -INF, start=2.0)
    optimality(m, 0.01 * (x[0] - 1) ** 2 + (x[1] - x[0] ** 2) ** 2, x, equal=[x[0] + x[2] ** 2 + 1])


def hs28(m):
    x = [m.var(-INF, start=s) for s in (-4.0, 1.0, 1.0)]
    optimality(m, (x[0] + x[1]) ** 2 + (x[1] + x[2]) ** 2, x, equal=[x[0] + 2 * x[1] + 3 * x[2] - 1])


def hs35(m):
    x = m.vars(3, start=0.5)
    optimality(m, 9 - 8 * x[0] - 6 * x[1] - 4 * x[2] + 2 * x[0] ** 2 + 2 * x[1] ** 2 + x[2] ** 2 +
               2 * x[0] * x[1] + 2 * x[0] * x[2], x, [3 - x[0] - x[1] - 2 * x[2]])


def hs38(m):
    x = [m.var(-10.0, 10.0, s) for s in (-3.0, -1.0, -3.0, -1.0)]
    optimality(m, 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2 + 90 * (x[3] - x[2] ** 2) ** 2 +
               (1 - x[2]) ** 2 + 10.1 * ((x[1] - 1) ** 2 + (x[3] - 1) ** 2) +
               19.8 * (x[1] - 1) * (x[3] - 1), x)


def hs43(m):
    x = m.vars(4, -INF)
    optimality(m, x[0] ** 2 + x[1] ** 2 + 2 * x[2] ** 2 + x[3] ** 2 - 5 * x[0] - 5 * x[1] -
               21 * x[2] + 7 * x[3], x,
               [8 - x[0] ** 2 - x[1] ** 2 - x[2] ** 2 - x[3] ** 2 - x[0] + x[1] - x[2] + x[3],
                10 - x[0] ** 2 - 2 * x[1] ** 2 - x[2] ** 2 - 2 * x[3] ** 2 + x[0] + x[3],
                5 - 2 * x[0] ** 2 - x[1] ** 2 - x[2] ** 2 - 2 * x[0] + x[1] + x[3]])


def hs44(m):
    x = m.vars(4)
    optimality(m, x[0] - x[1] - x[2] - x[0] * x[2] + x[0] * x[3] + x[1] * x[2] - x[1] * x[3], x,
               [8 - x[0] - 2 * x[1], 12 - 4 * x[0] - x[1], 12 - 3 * x[0] - 4 * x[1],
                8 - 2 * x[2] - x[3], 8 - x[2] - 2 * x[3], 5 - x[2] - x[3]])


def hs48(m):
    x = [m.var(-INF, start=s) for s in (3.0, 5.0, -3.0, 2.0, -2.0)]
    optimality(m, (x[0] - 1) ** 2 + (x[1] - x[2]) ** 2 + (x[3] - x[4]) ** 2, x,
               equal=[total(x) - 5, x[2] - 2 * (x[3] + x[4]) + 3])


def hs60(m):
    x = m.vars(3, -10.0, 10.0, 2.0)
    optimality(m, (x[0] - 1) ** 2 + (x[0] - x[1]) ** 2 + (x[1] - x[2]) ** 4, x,
               equal=[x[0] * (1 + x[1] ** 2) + x[2] ** 4 - 4 - 3 * 2 ** 0.5])


def hs63(m):
    x = m.vars(3, start=2.0)
    optimality(m, 1000 - x[0] ** 2 - 2 * x[1] ** 2 - x[2] ** 2 - x[0] * x[1] - x[0] * x[2], x,
               equal=[8 * x[0] + 14 * x[1] + 7 * x[2] - 56,
                      x[0] ** 2 + x[1] ** 2 + x[2] ** 2 - 25])


def hs65(m):
    x = [m.var(-4.5, 4.5, -5.0), m.var(-4.5, 4.5, 5.0), m.var(-5.0, 5.0, 0.0)]
    optimality(m, (x[0] - x[1]) ** 2 + (x[0] + x[1] - 10) ** 2 / 9 + (x[2] - 5) ** 2, x,
               [48 - x[0] ** 2 - x[1] ** 2 - x[2] ** 2])


def hs66(m):
    x = [m.var(0.0, 100.0), m.var(0.0, 100.0, 1.05), m.var(0.0, 10.0, 2.9)]
    optimality(m, 0.2 * x[2] - 0.8 * x[0], x, [x[1] - exp(x[0]), x[2] - exp(x[1])])


def hs71(m):
    x = [m.var(1.0, 5.0, s) for s in (1.0, 5.0, 5.0, 1.0)]
    optimality(m, x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2], x, [x[0] * x[1] * x[2] * x[3] - 25],
               [x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + x[3] ** 2 - 40])


def hs76(m):
    x = m.vars(4, start=0.5)
    optimality(m, x[0] ** 2 + 0.5 * x[1] ** 2 + x[2] ** 2 + 0.5 * x[3] ** 2 - x[0] * x[2] +
               x[2] * x[3] - x[0] - 3 * x[1] + x[2] - x[3], x,
               [5 - x[0] - 2 * x[1] - x[2] - x[3], 4 - 3 * x[0] - x[1] - 2 * x[2] + x[3],
                x[1] + 4 * x[2] - 1.5])


def hs78(m):
    x = [m.var(-INF, start=s) for s in (-2.0, 1.5, 2.0, -1.0, -1.0)]
    optimality(m, x[0] * x[1] * x[2] * x[3] * x[4], x,
               equal=[total([v ** 2 for v in x]) - 10, x[1] * x[2] - 5 * x[3] * x[4],
                      x[0] ** 3 + x[1] ** 3 + 1])


def hs100(m):
    x = [m.var(-INF, start=s) for s in (1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 1.0)]
    optimality(m, (x[0] - 10) ** 2 + 5 * (x[1] - 12) ** 2 + x[2] ** 4 + 3 * (x[3] - 11) ** 2 +
               10 * x[4] ** 6 + 7 * x[5] ** 2 + x[6] ** 4 - 4 * x[5] * x[6] - 10 * x[5] - 8 * x[6],
               x,
               [127 - 2 * x[0] ** 2 - 3 * x[1] ** 4 - x[2] - 4 * x[3] ** 2 - 5 * x[4],
                282 - 7 * x[0] - 3 * x[1] - 10 * x[2] ** 2 - x[3] + x[4],
                196 - 23 * x[0] - x[1] ** 2 - 6 * x[5] ** 2 + 8 * x[6],
                -4 * x[0] ** 2 - x[1] ** 2 + 3 * x[0] * x[1] - 2 * x[2] ** 2 - 5 * x[5] + 11 * x[6]])


for _name, _build in list(globals().items()):
    if _name.startswith("hs") and _name[2:].isdigit():
        model(f"Hock and Schittkowski 1981, problem {_name[2:]}, optimality")(_build)
