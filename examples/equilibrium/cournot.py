"""Cournot: five firms choose quantities (Murphy, Sherali and Soyster 1982)"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

cost, beta = {1: 10, 2: 8, 3: 6, 4: 4, 5: 2}, {1: 1.2, 2: 1.1, 3: 1.0, 4: 0.9, 5: 0.8}
m = ConcreteModel()
m.q = Var(cost, bounds=(0, None), initialize=10)
m.Q = Expression(expr=sum(m.q[i] for i in cost))
m.price = Expression(expr=(5000 / m.Q) ** (1 / 1.1))
m.firm = Complementarity(cost, rule=lambda m, i: complements(
    m.q[i] >= 0, cost[i] + (m.q[i] / 5) ** (1 / beta[i]) - m.price + m.price * m.q[i] / (1.1 * m.Q) >= 0))
