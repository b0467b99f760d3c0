"""Obstacle: a string under its weight lies on a bump (Rodrigues 1987)"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

n, h = 9, 0.1
bump = {i: -0.5 * (i * h - 0.5) ** 2 for i in range(1, n + 1)}
m = ConcreteModel()
m.u = Var(range(n + 2), initialize=0)
m.u[0].fix(0)
m.u[n + 1].fix(0)
m.point = Complementarity(list(bump), rule=lambda m, i: complements(
    m.u[i] - bump[i] >= 0, (2 * m.u[i] - m.u[i - 1] - m.u[i + 1]) / h + 0.1 >= 0))
