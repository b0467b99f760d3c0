"""nl_unseen.py: models of the literature that judge the solver of nonlinear problems

No constant of src/model/ncp was chosen on them: nl_models.py and nl_random.py serve for that.
Families: chemistry, process design, economies with several equilibria, generalised games, growth,
networks, plasticity. Numbers are the published ones unless the source says otherwise."""

import math
import random

from nl_file import INF, Collection, Expr, atan, dot, exp, log, optimality, sin, sqrt, total

MODELS = Collection()
model = MODELS.add


# ---- Programs of Colville, and process design ----

COLVILLE = {
    "e": [-15, -27, -36, -18, -12], "d": [4, 8, 10, 6, 2],
    "c": [[30, -20, -10, 32, -10], [-20, 39, -6, -31, 32], [-10, -6, 10, -6, -10],
          [32, -31, -6, 39, -20], [-10, 32, -10, -20, 30]],
    "a": [[-16, 2, 0, 1, 0], [0, -2, 0, 4, 2], [-3.5, 0, 2, 0, 0], [0, -2, 0, -4, -1],
          [0, -9, -2, 1, -2.8], [2, 0, -4, 0, 0], [-1] * 5, [-1, -2, -3, -2, -1], [1, 2, 3, 4, 5],
          [1] * 5],
    "b": [-40, -2, -0.25, -4, -4, -1, -40, -60, 5, 1]}


def quadratic(c, x):
    return total([c[i][j] * x[i] * x[j] for i in range(len(x)) for j in range(len(x))])


@model("Colville 1968, problem 1 (MCPLIB colvnlp)")
def colvnlp(m):
    d = COLVILLE
    x = m.vars(5)
    f = dot(d["e"], x) + quadratic(d["c"], x) + total([k * v ** 3 for k, v in zip(d["d"], x)])
    optimality(m, f, x, [dot(row, x) - b for row, b in zip(d["a"], d["b"])])
    m.start([0, 0, 0, 0, 1] + [0] * 10, 1, 10)


@model("Colville 1968, problem 2 (MCPLIB colvdual)")
def colvdual(m):
    d = COLVILLE
    y, x = m.vars(10), m.vars(5)
    f = quadratic(d["c"], x) + total([2 * k * v ** 3 for k, v in zip(d["d"], x)]) - dot(d["b"], y)
    g = []
    for j in range(5):
        g.append(2 * dot([d["c"][k][j] for k in range(5)], x) + 3 * d["d"][j] * x[j] ** 2 + d["e"][j]
                 - dot([d["a"][k][j] for k in range(10)], y))
    optimality(m, f, y + x, g)
    m.start([0.001] * 6 + [60] + [0.001] * 8 + [0] * 5, 1, 10)


@model("Colville 1968, problem 3 (Hock and Schittkowski 83)")
def colville3(m):
    box = [(78, 102, 78), (33, 45, 33), (27, 45, 27), (27, 45, 27), (27, 45, 27)]
    x = [m.var(lo, hi, s) for lo, hi, s in box]
    g = [85.334407 + 0.0056858 * x[1] * x[4] + 0.0006262 * x[0] * x[3] - 0.0022053 * x[2] * x[4],
         80.51249 + 0.0071317 * x[1] * x[4] + 0.0029955 * x[0] * x[1] + 0.0021813 * x[2] ** 2 - 90,
         9.300961 + 0.0047026 * x[2] * x[4] + 0.0012547 * x[0] * x[2] + 0.0019085 * x[2] * x[3] - 20]
    f = 5.3578547 * x[2] ** 2 + 0.8356891 * x[0] * x[4] + 37.293239 * x[0] - 40792.141
    optimality(m, f, x, [e for e, most in zip(g, (92, 20, 5)) for e in (e, most - e)])


@model("Avriel and Williams 1971: heat exchangers (Hock and Schittkowski 106)")
def heat_exchangers(m):
    low, high = [100, 1000, 1000] + [10] * 5, [10000] * 3 + [1000] * 5
    start = [5000, 5000, 5000, 200, 350, 150, 225, 425]
    x = [m.var(lo, hi, s) for lo, hi, s in zip(low, high, start)]
    g = [1 - 0.0025 * (x[3] + x[5]), 1 - 0.0025 * (x[4] + x[6] - x[3]), 1 - 0.01 * (x[7] - x[4]),
         x[0] * x[5] - 833.33252 * x[3] - 100 * x[0] + 83333.333,
         x[1] * x[6] - 1250 * x[4] - x[1] * x[3] + 1250 * x[3],
         x[2] * x[7] - 1250000 - x[2] * x[4] + 2500 * x[4]]
    optimality(m, x[0] + x[1] + x[2], x, g)


@model("Bracken and McCormick 1968: alkylation (Hock and Schittkowski 114)")
def alkylation(m):
    low = [1e-5] * 5 + [85, 90, 3, 1.2, 145]
    high = [2000, 16000, 120, 5000, 2000, 93, 95, 12, 4, 162]
    start = [1745, 12000, 110, 3048, 1974, 89.2, 92.8, 8, 3.6, 145]
    x = [m.var(lo, hi, s) for lo, hi, s in zip(low, high, start)]
    a, b = 0.99, 0.9
    g1 = 35.82 - 0.222 * x[9] - b * x[8]
    g2 = -133 + 3 * x[6] - a * x[9]
    g5 = 1.12 * x[0] + 0.13167 * x[0] * x[7] - 0.00667 * x[0] * x[7] ** 2 - a * x[3]
    g6 = 57.425 + 1.098 * x[7] - 0.038 * x[7] ** 2 + 0.325 * x[5] - a * x[6]
    g = [g1, g2, -g1 + x[8] * (1 / b - b), -g2 + (1 / a - a) * x[9], g5, g6,
         -g5 + (1 / a - a) * x[3], -g6 + (1 / a - a) * x[6]]
    h = [1.22 * x[3] - x[0] - x[4], 98000 * x[2] / (x[3] * x[8] + 1000 * x[2]) - x[5],
         (x[1] + x[4]) / x[0] - x[7]]
    f = 5.04 * x[0] + 0.035 * x[1] + 10 * x[2] + 3.36 * x[4] - 0.063 * x[3] * x[6]
    optimality(m, f, x, g, h)


@model("Wong 1974 (Hock and Schittkowski 113)")
def wong(m):
    x = [m.var(-INF, start=s) for s in (2, 3, 5, 5, 1, 2, 7, 3, 6, 10)]
    f = (x[0] ** 2 + x[1] ** 2 + x[0] * x[1] - 14 * x[0] - 16 * x[1] + (x[2] - 10) ** 2 +
         4 * (x[3] - 5) ** 2 + (x[4] - 3) ** 2 + 2 * (x[5] - 1) ** 2 + 5 * x[6] ** 2 +
         7 * (x[7] - 11) ** 2 + 2 * (x[8] - 10) ** 2 + (x[9] - 7) ** 2 + 45)
    g = [105 - 4 * x[0] - 5 * x[1] + 3 * x[6] - 9 * x[7],
         -10 * x[0] + 8 * x[1] + 17 * x[6] - 2 * x[7], 8 * x[0] - 2 * x[1] - 5 * x[8] + 2 * x[9] + 12,
         -3 * (x[0] - 2) ** 2 - 4 * (x[1] - 3) ** 2 - 2 * x[2] ** 2 + 7 * x[3] + 120,
         -5 * x[0] ** 2 - 8 * x[1] - (x[2] - 6) ** 2 + 2 * x[3] + 40,
         -0.5 * (x[0] - 8) ** 2 - 2 * (x[1] - 4) ** 2 - 3 * x[4] ** 2 + x[5] + 30,
         -1 * x[0] ** 2 - 2 * (x[1] - 2) ** 2 + 2 * x[0] * x[1] - 14 * x[4] + 6 * x[5],
         3 * x[0] - 6 * x[1] - 12 * (x[8] - 8) ** 2 + 7 * x[9]]
    optimality(m, f, x, g)


# ---- Chemistry ----

@model("White, Johnson and Dantzig 1958: chemical equilibrium")
def equilibrium(m):
    c = [-6.089, -17.164, -34.054, -5.914, -24.721, -14.986, -24.1, -10.708, -26.662, -22.179]
    x = m.vars(10, 1e-6, start=0.1)
    s = total(x)
    f = total([v * (k + log(v / s)) for k, v in zip(c, x)])
    optimality(m, f, x, equal=[x[0] + 2 * x[1] + 2 * x[2] + x[5] + x[9] - 2,
                               x[3] + 2 * x[4] + x[5] + x[6] - 1,
                               x[2] + x[6] + x[7] + 2 * x[8] + x[9] - 1])


@model("Meintjes and Morgan 1990: combustion of propane, x >= 0")
def propane(m):
    r, root = 10, math.sqrt(40)
    r5, r6, r7, r8 = 0.193, 0.002597 / root, 0.003448 / root, 0.00001799 / 40
    r9, r10 = 0.0002155 / root, 0.00003846 / 40
    x = m.vars(5, start=1.0)
    m.comp(x[0] * x[1] + x[0] - 3 * x[4], x[0])
    m.comp(2 * x[0] * x[1] + x[0] + x[1] * x[2] ** 2 + r8 * x[1] - r * x[4] + 2 * r10 * x[1] ** 2 +
           r7 * x[1] * x[2] + r9 * x[1] * x[3], x[1])
    m.comp(2 * x[1] * x[2] ** 2 + 2 * r5 * x[2] ** 2 - 8 * x[4] + r6 * x[2] + r7 * x[1] * x[2], x[2])
    m.comp(r9 * x[1] * x[3] + 2 * x[3] ** 2 - 4 * r * x[4], x[3])
    m.comp(x[0] * (x[1] + 1) + r10 * x[1] ** 2 + x[1] * x[2] ** 2 + r8 * x[1] + r5 * x[2] ** 2 +
           x[3] ** 2 - 1 + r6 * x[2] + r7 * x[1] * x[2] + r9 * x[1] * x[3], x[4])
    m.start(0.1, 10, [0.003, 34, 0.06, 0.86, 0.04])


def flash(m, temperature):
    """one stage with vapour and liquid, either of which may vanish: beta = 1 + s_l - s_v"""
    z, heat = [0.5, 0.3, 0.2], [5.0, 4.2, 2.5]
    k = [math.exp(h - 1500 * (1 + 0.2 * i) / temperature) for i, h in enumerate(heat)]
    x, y = m.vars(3, start=0.3), m.vars(3, start=0.3)
    vapour, liquid, beta = m.var(start=0.5), m.var(start=0.5), m.var(-INF, start=1.0)
    sv, sl = m.var(), m.var()
    for i in range(3):
        m.comp(y[i] - beta * k[i] * x[i], y[i])
        m.comp(vapour * y[i] + liquid * x[i] - z[i], x[i])
    m.comp(vapour + liquid - 1, liquid)
    m.comp(total(x) - total(y), vapour)
    m.eq(beta - 1 - sv + sl)
    m.comp(vapour, sv)
    m.comp(liquid, sl)


@model("Gopal and Biegler 1999: flash, two phases; numbers of our own")
def flash_both(m):
    flash(m, 360)


@model("the same below the bubble point: no vapour")
def flash_cold(m):
    flash(m, 250)


# ---- Equations with bounds ----

def equations(m, x, F):
    for f, v in zip(F, x):
        m.comp(f, v)


@model("Nelson and Hodgkin 1981: dipole of the heart, 8 equations")
def heart8(m):
    a, b, c, d, t, u, v, w = m.vars(8, -INF, start=1.0)
    m.starts[0] = [0, 1, 0, 1, 1, 1, 1, 1]
    right = [-0.69, -0.044, -1.57, -1.31, -2.65, 2.0, -12.6, 9.48]
    left = [a + b, c + d, t * a + u * b - v * c - w * d, v * a + w * b + t * c + u * d,
            a * (t ** 2 - v ** 2) - 2 * c * t * v + b * (u ** 2 - w ** 2) - 2 * d * u * w,
            c * (t ** 2 - v ** 2) + 2 * a * t * v + d * (u ** 2 - w ** 2) + 2 * b * u * w,
            a * t * (t ** 2 - 3 * v ** 2) + c * v * (v ** 2 - 3 * t ** 2) +
            b * u * (u ** 2 - 3 * w ** 2) + d * w * (w ** 2 - 3 * u ** 2),
            c * t * (t ** 2 - 3 * v ** 2) - a * v * (v ** 2 - 3 * t ** 2) +
            d * u * (u ** 2 - 3 * w ** 2) - b * w * (w ** 2 - 3 * u ** 2)]
    for e, r in zip(left, right):
        m.eq(e - r)


@model("Rheinboldt 1983: stability of an aircraft")
def aircraft(m):
    x = m.vars(5, -INF) + [m.var(-0.05, -0.05, -0.05), m.var(0.1, 0.1, 0.1), m.var(0, 0)]
    F = [-3.933 * x[0] + 0.107 * x[1] + 0.126 * x[2] - 9.99 * x[4] - 45.83 * x[6] - 7.64 * x[7] -
         0.727 * x[1] * x[2] + 8.39 * x[2] * x[3] - 684.4 * x[3] * x[4] + 63.5 * x[3] * x[6],
         -0.987 * x[1] - 22.95 * x[3] - 28.37 * x[5] + 0.949 * x[0] * x[2] + 0.173 * x[0] * x[4],
         0.002 * x[0] - 0.235 * x[2] + 5.67 * x[4] - 0.921 * x[6] - 6.51 * x[7] -
         0.716 * x[0] * x[1] - 1.578 * x[0] * x[3] + 1.132 * x[3] * x[6],
         x[1] - x[3] - 0.168 * x[5] - x[0] * x[4], -x[2] - 0.196 * x[4] - 0.0071 * x[6] + x[0] * x[3]]
    equations(m, x, F)


@model("Bullard and Biegler 1991: two equations, badly scaled")
def bullard(m):
    x = [m.var(5.49e-6, 4.553, 1.0), m.var(2.196e-3, 18.21, 1.0)]
    equations(m, x, [10000 * x[0] * x[1] - 1, exp(-x[0]) + exp(-x[1]) - 1.001])


@model("Ferraris and Tronconi 1986")
def ferraris(m):
    x = [m.var(0.25, 1.0, 0.25), m.var(1.5, 2 * math.pi, 1.5)]
    equations(m, x, [0.5 * sin(x[0] * x[1]) - 0.25 / math.pi * x[1] - 0.5 * x[0],
                     (1 - 0.25 / math.pi) * (exp(2 * x[0]) - math.e) + math.e / math.pi * x[1] -
                     2 * math.e * x[0]])
    m.start([0.3, 3], [1, 6])


@model("Kearfott and Novoa 1990: joints of a robot")
def robot(m):
    x = m.vars(8, -1.0, 1.0, 0.5)
    F = [4.731e-3 * x[0] * x[2] - 0.3578 * x[1] * x[2] - 0.1238 * x[0] + x[6] - 1.637e-3 * x[1] -
         0.9338 * x[3] - 0.3571,
         0.2238 * x[0] * x[2] + 0.7623 * x[1] * x[2] + 0.2638 * x[0] - x[6] - 0.07745 * x[1] -
         0.6734 * x[3] - 0.6022, x[5] * x[7] + 0.3578 * x[0] + 4.731e-3 * x[1],
         -0.7623 * x[0] + 0.2238 * x[1] + 0.3461]
    for f in F + [x[k] ** 2 + x[k + 1] ** 2 - 1 for k in (0, 2, 4, 6)]:
        m.eq(f)


# ---- Variational inequalities ----

@model("Taji, Fukushima and Ibaraki 1993: asymmetric, a common constraint, rho = 10")
def taji(m, rho=10):
    M = [[0.726, -0.949, 0.266, -1.193, -0.504], [1.645, 0.678, 0.333, -0.217, -1.443],
         [-1.016, -0.225, 0.769, 0.934, 1.007], [1.063, 0.567, -1.144, 0.550, -0.548],
         [-0.259, 1.453, -1.073, 0.509, 1.026]]
    q = [5.308, 0.008, -0.938, 1.024, -1.312]
    x, y = m.vars(5), m.var()
    for i in range(5):
        m.comp(dot(M[i], x) + rho * atan(x[i] - 2) + q[i] - y, x[i])
    m.comp(total(x) - 10, y)
    m.start([25, 0, 0, 0, 0, 0], [10, 0, 10, 0, 10, 0], 10)


@model("Harker and Pang 1990: M x + d atan(x) + q, generated")
def harker_pang(m, n=20):
    rng = random.Random(1990)
    a = [[rng.uniform(-5, 5) for _ in range(n)] for _ in range(n)]
    b = [[rng.uniform(-5, 5) for _ in range(n)] for _ in range(n)]
    x = m.vars(n)
    for i in range(n):
        row = [sum(a[k][i] * a[k][j] for k in range(n)) + b[i][j] - b[j][i] for j in range(n)]
        m.comp(dot(row, x) + rng.uniform(0, 10) * atan(x[i]) + rng.uniform(-500, 500), x[i])
    m.start(1, 100)


@model("Sun 1996: x + exp - 1 with a tridiagonal matrix")
def sun(m, n=25):
    x = m.vars(n, start=1.0)
    for i in range(n):
        around = [x[k] for k in (i - 1, i + 1) if 0 <= k < n]
        m.comp(4 * x[i] - 2 * total(around) + x[i] ** 3 + exp(x[i] / 2) - 5 + (i % 7), x[i])
    m.start(0, 10)


@model("Takeuchi 1996: Lotka and Volterra, which species survive; numbers of our own")
def species(m):
    rate = [3.0, 2.0, 1.5, -0.5, -0.4]
    A = [[1, 0.4, 0.3, 0.5, 0.2], [0.6, 1, 0.2, 0.3, 0.4], [0.3, 0.9, 1, 0.2, 0.1],
         [-0.4, -0.2, -0.1, 0.2, 0.1], [-0.1, -0.5, -0.2, 0.1, 0.3]]
    x = m.vars(5, start=1.0)
    for i in range(5):
        m.comp(dot(A[i], x) / (1 + 0.1 * x[i]) - rate[i], x[i])


# ---- Generalised games ----

@model("Haurie and Krawczyk 1997: polluters of a river")
def river(m):
    c1, c2, e = [0.1, 0.12, 0.15], [0.01, 0.05, 0.01], [0.5, 0.25, 0.75]
    u = [[6.5, 4.583], [5.0, 6.25], [5.5, 3.75]]
    x, y = m.vars(3), m.vars(2)
    for i in range(3):
        m.comp(-(3 - 0.01 * total(x) - 0.01 * x[i]) + c1[i] + 2 * c2[i] * x[i] +
               total([y[k] * u[i][k] * e[i] for k in range(2)]), x[i])
    for k in range(2):
        m.comp(100 - total([u[i][k] * e[i] * x[i] for i in range(3)]), y[k])
    m.start(1, 10, 100)


@model("Kesselman, Leonardi and Bonifaci 2005: switching in a network")
def switching(m, n=10):
    x, y = m.vars(n, 0.01, start=0.1), m.var()
    s = total(x)
    for v in x:
        m.comp(-((s - v) / (s * s) - 1) + y, v)
    m.comp(1 - s, y)
    m.start(1)


@model("Nash 1951: three persons with three strategies; numbers of our own")
def persons(m):
    rng = random.Random(1951)
    x = [m.vars(3, start=1 / 3) for _ in range(3)]
    v = m.vars(3, -INF, start=1.0)
    pay = [[[[rng.randint(0, 9) for _ in range(3)] for _ in range(3)] for _ in range(3)]
           for _ in range(3)]
    for p in range(3):
        q, r = [k for k in range(3) if k != p]
        for i in range(3):
            terms = []
            for j in range(3):
                for k in range(3):
                    at = [0, 0, 0]
                    at[p], at[q], at[r] = i, j, k
                    terms.append(pay[p][at[0]][at[1]][at[2]] * x[q][j] * x[r][k])
            m.comp(v[p] - total(terms), x[p][i])
        m.eq(total(x[p]) - 1)
    m.start([1, 0, 0] * 3 + [0] * 3, [0, 1, 0] * 3 + [5] * 3)


# ---- Economies ----

@model("Kehoe 1985: four goods, two activities, three equilibria")
def kehoe(m):
    share = [[0.52, 0.4, 0.04, 0.04], [0.86, 0.1, 0.02, 0.02], [0.5, 0.2, 0.2975, 0.0025],
             [0.06, 0.25, 0.0025, 0.6875]]
    own, activity = [50, 50, 400, 400], [[6, -1, -4, -1], [-1, 3, -1, -1]]
    p, y = m.vars(4, 1e-6, start=1.0), m.vars(2, start=1.0)
    m.lo[3] = m.hi[3] = 1.0
    for a, v in zip(activity, y):
        m.comp(-dot(a, p), v)
    for k in range(4):
        demand = total([share[h][k] * own[h] * p[h] / p[k] for h in range(4)])
        m.comp(own[k] + dot([a[k] for a in activity], y) - demand, p[k])
    m.start([0.6, 1.1, 0.15, 1, 50, 60], [5, 5, 1, 1, 0, 0], [0.1, 0.1, 0.1, 1, 10, 10])


@model("Kehoe 1991: two goods, constant elasticities, three equilibria")
def kehoe_ces(m):
    p = m.vars(2, 1e-6, start=2.0)
    m.lo[1] = m.hi[1] = 1.0
    own, weight, sigma = [[12, 1], [1, 12]], [[1024, 1], [1, 1024]], 0.2
    terms = [[], []]
    for h in range(2):
        income = dot(own[h], p)
        index = total([weight[h][k] ** sigma * p[k] ** (1 - sigma) for k in range(2)])
        for k in range(2):
            terms[k].append(weight[h][k] ** sigma * income / (p[k] ** sigma * index))
    for k in range(2):
        m.comp(13 - total(terms[k]), p[k])
    m.start([0.05, 1], [20, 1], [3, 1])


@model("Eisenberg and Gale 1959: Fisher's market; numbers of our own")
def fisher(m):
    utility = [[5, 2, 1, 3], [1, 4, 4, 2], [2, 2, 6, 1]]
    money, p = [10, 6, 4], m.vars(4, 1e-6, start=5.0)
    x, bang = [m.vars(4, start=0.3) for _ in range(3)], m.vars(3, 1e-6, start=1.0)
    for i in range(3):
        for j in range(4):
            m.comp(bang[i] * p[j] - utility[i][j], x[i][j])
        m.comp(money[i] - total([p[j] * x[i][j] for j in range(4)]), bang[i])
    for j in range(4):
        m.comp(1 - total([x[i][j] for i in range(3)]), p[j])


@model("Rutherford 1999: an economy with a wage floor; numbers of our own")
def wage_floor(m):
    px, py, w, r = m.vars(4, 1e-3, start=1.0)
    X, Y, welfare, idle = m.var(start=100.0), m.var(start=100.0), m.var(1e-3, start=200.0), m.var()
    m.lo[3] = m.hi[3] = 1.0
    income = w * 100 * (1 - idle) + r * 100
    m.comp(w ** 0.4 * r ** 0.6 - px, X)
    m.comp(w ** 0.6 * r ** 0.4 - py, Y)
    m.comp(X - 0.5 * income / px, px)
    m.comp(Y - 0.5 * income / py, py)
    m.comp(100 * (1 - idle) - 0.4 * X * w ** -0.6 * r ** 0.6 - 0.6 * Y * w ** -0.4 * r ** 0.4, w)
    m.comp(100 - 0.6 * X * w ** 0.4 * r ** -0.4 - 0.4 * Y * w ** 0.6 * r ** -0.6, r)
    m.comp(welfare * sqrt(px * py) - income, welfare)
    m.comp(w - 1.2 * sqrt(px * py), idle)
    m.start(1, 10)


@model("Lau, Pahlke and Rutherford 2002: Ramsey's growth, 20 periods; numbers of our own")
def ramsey(m, periods=20):
    c, i, k = (m.vars(periods, lo, start=s) for lo, s in ((1e-3, 0.7), (0.0, 0.3), (1e-3, 3.0)))
    p, pk = m.vars(periods, 1e-6, start=1.0), m.vars(periods + 1, 0.0, start=1.0)
    for t in range(periods):
        m.comp(p[t] - 0.95 ** t / c[t], c[t])
        m.comp(p[t] - pk[t + 1], i[t])
        m.comp(pk[t] - 0.93 * pk[t + 1] - 0.3 * p[t] * 0.75 * k[t] ** -0.7, k[t])
        m.comp(0.75 * k[t] ** 0.3 - c[t] - i[t], p[t])
        m.comp(k[t] - (0.93 * k[t - 1] + i[t - 1] if t else 2.5), pk[t])
    m.comp(0.93 * k[-1] + i[-1] - 3.0, pk[periods])


@model("Gale 1956: von Neumann's growing economy; numbers of our own")
def growth(m):
    make = [[4, 0, 1], [0, 5, 1], [2, 1, 3]]
    use = [[1, 2, 0], [2, 1, 1], [1, 1, 1]]
    x, p, rate, scale = m.vars(3, start=0.3), m.vars(3, start=0.3), m.var(start=1.0), m.var(-INF)
    for j in range(3):
        m.comp(rate * dot([use[i][j] for i in range(3)], p) - dot([make[i][j] for i in range(3)], p) +
               scale, x[j])
        m.comp(dot(make[j], x) - rate * dot(use[j], x), p[j])
    m.comp(total(p) - 1, rate)
    m.eq(total(x) - 1)


@model("Ehrenmann and Smeers 2011: capacity under uncertainty; numbers of our own")
def capacity(m):
    build, run, hours = [16, 5, 1], [25, 60, 80], [0.01, 0.04, 0.31, 0.44, 0.2]
    load, x = [110, 99, 80, 50, 15], m.vars(3)
    for s, growth_of in ((0.5, 1.0), (0.5, 1.2)):
        for h, peak in zip(hours, load):
            y, mu, p, shed = m.vars(3), m.vars(3), m.var(start=50.0), m.var()
            for k in range(3):
                m.comp(s * h * run[k] + mu[k] - p, y[k])
                m.comp(x[k] - y[k], mu[k])
            m.comp(s * h * 1000 - p, shed)
            m.comp(total(y) + shed - growth_of * peak + 0.1 * p / (s * h), p)
    step = (len(m.lo) - 3) // 10
    for k in range(3):
        m.comp(build[k] - total([Expr("v", 3 + step * b + 3 + k) for b in range(10)]), x[k])


# ---- Networks and structures ----

@model("Ferris, Meeraus and Rutherford 1999: traffic of two origins on arcs; numbers of our own")
def arcs(m):
    road = [(0, 1, 5, 12), (0, 2, 6, 18), (1, 4, 5, 35), (1, 5, 6, 35), (2, 4, 7, 20), (2, 5, 6, 11),
            (4, 6, 3, 11), (4, 3, 9, 26), (4, 5, 2, 11), (5, 4, 4, 11), (5, 7, 8, 32), (6, 3, 3, 25),
            (7, 3, 4, 24), (6, 7, 2, 19), (7, 6, 4, 39), (3, 0, 8, 43)]
    trips = {(0, 3): 10.0, (0, 6): 6.0, (1, 3): 12.0, (1, 7): 5.0}
    flow = {o: [m.var(start=1.0) for _ in road] for o in (0, 1)}
    time = {o: [m.var(start=1.0) if k != o else None for k in range(8)] for o in (0, 1)}
    for a, (i, j, free, room) in enumerate(road):
        cost = free * (1 + 0.15 * ((flow[0][a] + flow[1][a]) / room) ** 4)
        for o in (0, 1):
            at = (time[o][i] if time[o][i] is not None else 0), (
                time[o][j] if time[o][j] is not None else 0)
            m.comp(at[0] + cost - at[1], flow[o][a])
    for o in (0, 1):
        for k in range(8):
            if k != o:
                into = total([flow[o][a] for a, e in enumerate(road) if e[1] == k])
                out = total([flow[o][a] for a, e in enumerate(road) if e[0] == k])
                m.comp(into - out - trips.get((o, k), 0.0), time[o][k])


@model("Collins, Cooper, Helgason, Kennington and LeBlanc 1978: water with check valves; numbers of our own")
def water(m):
    pipe = [(0, 1, 2.0), (0, 2, 3.0), (1, 3, 1.0), (2, 3, 2.0), (1, 2, 0.5), (3, 4, 4.0), (2, 4, 6.0)]
    q, head = m.vars(len(pipe), start=1.0), [50.0] + m.vars(4, -INF, start=40.0)
    for v, (i, j, loss) in zip(q, pipe):
        m.comp(loss * v ** 1.852 - (head[i] - head[j]), v)
    for k, need in ((1, 1.0), (2, 1.5), (3, 0.5), (4, 2.0)):
        m.eq(total([v for v, e in zip(q, pipe) if e[1] == k]) -
             total([v for v, e in zip(q, pipe) if e[0] == k]) - need)
    m.start(0, 10)


@model("Tin-Loi and Pang 1993: a truss with hardening bars; numbers of our own")
def truss(m):
    bar = [(0.8, 0.6), (-0.8, 0.6), (0.0, 1.0), (0.6, 0.8), (-0.6, 0.8)]
    u, load = m.vars(2, -INF), (3.0, 8.0)
    plus, minus = m.vars(5), m.vars(5)
    force = [10 * (bar[k][0] * u[0] + bar[k][1] * u[1] - plus[k] + minus[k]) for k in range(5)]
    for d in range(2):
        m.eq(total([bar[k][d] * force[k] for k in range(5)]) - load[d])
    for k in range(5):
        slip = plus[k] + minus[k]
        limit = 1 + 0.2 * k + 2 * slip / (1 + slip)
        m.comp(limit - force[k], plus[k])
        m.comp(limit + force[k], minus[k])
