"""Walras: an activity and the prices of three goods (Mathiesen 1987); good 2 is the numeraire"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

m = ConcreteModel()
m.y = Var(bounds=(0, None), initialize=1)
m.p = Var([1, 2, 3], bounds=(0, None), initialize=1)
m.p[2].fix(1)
m.income = Expression(expr=5 * m.p[2] + 3 * m.p[3])
m.profit = Complementarity(expr=complements(m.y >= 0, m.p[2] + m.p[3] - m.p[1] >= 0))
m.good1 = Complementarity(expr=complements(m.p[1] >= 0, m.y - 0.9 * m.income / m.p[1] >= 0))
m.good3 = Complementarity(expr=complements(m.p[3] >= 0, 3 - m.y >= 0))
