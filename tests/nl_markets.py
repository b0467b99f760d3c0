"""nl_markets.py: energy markets with storage, on which the end of the interior point method was chosen

Monotone, with bounds that are far from 0 and rows with x = lo and F = 0 almost. Seeds are fixed."""

import math
import random

from nl_file import Collection, total

MODELS = Collection()


def energy(m, periods=2200, plants=40, capacity=25.0, rise=1.5, slope=0.2, elasticity=0.3, loss=0.9, size=60.0,
           noise=lambda: 0.0):
    """plants with rising cost and capacity, storage between periods, elastic demand"""
    price = m.vars(periods, 0.1, start=30.0)
    store, level = [m.vars(2, 0, size) for _ in range(periods)], m.vars(periods, 0, 5 * size)
    worth = m.vars(periods, start=30.0)
    for t in range(periods):
        g = m.vars(plants, 0, capacity)
        for k, v in enumerate(g):
            m.comp(5 + rise * k + slope * v - price[t], v)
        load = 300 + 150 * math.sin(2 * math.pi * t / 24) + 60 * math.sin(2 * math.pi * t / 168) + noise()
        m.comp(total(g) - store[t][0] + store[t][1] - load * (price[t] / 30) ** -elasticity, price[t])
        m.comp(price[t] - loss * worth[t] + 0.01 * store[t][0], store[t][0])
        m.comp(worth[t] - price[t] + 0.01 * store[t][1], store[t][1])
        m.comp((level[t - 1] if t else 100) + loss * store[t][0] - store[t][1] - level[t], worth[t])
        m.comp(worth[t] - (worth[t + 1] if t + 1 < periods else 20) + 0.001 * level[t], level[t])


def market(seed, periods, plants):
    def build(m):
        r = random.Random(f"energy {seed}")
        energy(m, periods, plants, r.uniform(0.5, 3) * 600 / plants, r.uniform(10, 90) / plants,
               r.uniform(0.02, 0.5), r.uniform(0.1, 0.8), r.uniform(0.7, 0.98), r.uniform(20, 120),
               lambda: r.uniform(-30, 30))
    return build


for k in range(40):
    MODELS.append((f"energy{k}", "random", market(k, *[(30, 3), (48, 2), (100, 2), (72, 4)][k % 4])))
