"""Two firms choose quantities; each stops where its marginal cost meets its marginal revenue (Cournot 1838)"""
from pyomo.environ import *
from pyomo.mpec import Complementarity, complements

m = ConcreteModel()
m.q = Var([1, 2], bounds=(0, None), initialize=1)
m.firm = Complementarity([1, 2], rule=lambda m, i: complements(
    m.q[i] >= 0, i * (1 + m.q[i]) + m.q[i] - (10 - m.q[1] - m.q[2]) >= 0))
TransformationFactory("mpec.nl").apply_to(m)
print(SolverFactory("asl:perp").solve(m).solver.termination_condition)
print(f"{value(m.q[1]):.6f} {value(m.q[2]):.6f}")
