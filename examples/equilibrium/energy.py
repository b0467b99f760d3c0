"""Energy market: two plants with capacities in two hours, and demand that falls with the price"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

hours, plants, load = [1, 2], {"wind": (2, 40), "gas": (30, 80)}, {1: 35, 2: 140}
m = ConcreteModel()
m.g = Var(plants, hours, bounds=(0, None), initialize=10)
m.rent = Var(plants, hours, bounds=(0, None))  # of the capacity
m.price = Var(hours, bounds=(0.1, None), initialize=30)
m.plant = Complementarity(plants, hours, rule=lambda m, k, t: complements(
    m.g[k, t] >= 0, plants[k][0] + 0.2 * m.g[k, t] + m.rent[k, t] - m.price[t] >= 0))
m.full = Complementarity(plants, hours, rule=lambda m, k, t: complements(
    m.rent[k, t] >= 0, plants[k][1] - m.g[k, t] >= 0))
m.hour = Complementarity(hours, rule=lambda m, t: complements(
    m.price[t] >= 0.1, sum(m.g[k, t] for k in plants) - load[t] * (m.price[t] / 30) ** -0.3 >= 0))
