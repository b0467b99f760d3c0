"""Contact: a block on springs is pressed on the floor and pulled sideways, with Coulomb's friction"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

mu, down, pull = 0.5, 8, 5
m = ConcreteModel()
m.depth, m.slip = Var(), Var()  # towards the floor, which is 1 away, and along it
m.normal, m.right, m.left, m.speed = (Var(bounds=(0, None)) for _ in range(4))
m.vertical = Constraint(expr=2 * m.depth + m.normal == down)
m.sideways = Constraint(expr=4 * m.slip + m.right - m.left == pull)
m.gap = Complementarity(expr=complements(m.normal >= 0, 1 - m.depth >= 0))
m.to_right = Complementarity(expr=complements(m.right >= 0, m.speed - m.slip >= 0))
m.to_left = Complementarity(expr=complements(m.left >= 0, m.speed + m.slip >= 0))
m.cone = Complementarity(expr=complements(m.speed >= 0, mu * m.normal - m.right - m.left >= 0))
