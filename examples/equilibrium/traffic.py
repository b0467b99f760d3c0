"""Traffic: drivers choose the fastest of three routes (Braess 1968; Wardrop 1952)"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

m = ConcreteModel()
m.f = Var(["north", "south", "bridge"], bounds=(0, None))
m.time = Var(bounds=(0, None))
n, s, b = m.f["north"], m.f["south"], m.f["bridge"]
travel = {"north": 10 * (n + b) + 50 + n, "south": 50 + s + 10 * (s + b), "bridge": 10 * (n + b) + 10 + b + 10 * (s + b)}
m.route = Complementarity(list(travel), rule=lambda m, r: complements(m.f[r] >= 0, travel[r] - m.time >= 0))
m.drivers = Complementarity(expr=complements(m.time >= 0, n + s + b - 6 >= 0))
