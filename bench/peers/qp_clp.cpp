/* qp_clp.cpp: Clp on a quadratic program: `barrier`, its interior point method, without
 * crossover, which is only for linear programs; `primal`, its simplex method */
#include "peers/qp_peer.hpp"

#include <coin/Clp_C_Interface.h>
#include <cstring>

bool solve_qp(const char *method, const QuadraticProgram &p, double tol, QuadraticAnswer &answer)
{
  const bool barrier = std::strcmp(method, "barrier") == 0;
  if (!barrier && std::strcmp(method, "primal") != 0)
    return false;
  typedef std::size_t Place;
  const Place n = static_cast<Place>(p.n), m = static_cast<Place>(p.m);
  /* G by columns */
  std::vector<CoinBigIndex> start(n + 1, 0);
  std::vector<int> row(p.G.value.size());
  std::vector<double> value(p.G.value.size());
  for (int j : p.G.column)
    start[static_cast<Place>(j) + 1]++;
  for (Place j = 0; j < n; j++)
    start[j + 1] += start[j];
  std::vector<CoinBigIndex> next(start);
  for (Place i = 0; i < m; i++)
    for (std::int64_t k = p.G.start[i]; k < p.G.start[i + 1]; k++) {
      const Place at =
          static_cast<Place>(next[static_cast<Place>(p.G.column[static_cast<Place>(k)])]++);
      row[at] = static_cast<int>(i);
      value[at] = p.G.value[static_cast<Place>(k)];
    }
  Clp_Simplex *model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_loadProblem(model, p.n, p.m, start.data(), row.data(), value.data(), p.lb.data(), p.ub.data(),
                  p.q.data(), p.l.data(), p.u.data());
  std::vector<CoinBigIndex> begin(1, 0);
  std::vector<int> column;
  std::vector<double> entry;
  for (Place i = 0; i < n; i++) { /* the lower triangle, by columns */
    for (std::int64_t k = p.P.start[i]; k < p.P.start[i + 1]; k++)
      if (p.P.column[static_cast<Place>(k)] >= static_cast<int>(i)) {
        column.push_back(p.P.column[static_cast<Place>(k)]);
        entry.push_back(p.P.value[static_cast<Place>(k)]);
      }
    begin.push_back(static_cast<CoinBigIndex>(entry.size()));
  }
  Clp_loadQuadraticObjective(model, p.n, begin.data(), column.data(), entry.data());
  Clp_setPrimalTolerance(model, tol);
  Clp_setDualTolerance(model, tol);
  int status;
  if (barrier) {
    Clp_Solve *options = ClpSolve_new();
    ClpSolve_setSolveType(options, 4, -1); /* barrier without crossover */
    status = Clp_initialSolveWithOptions(model, options);
    ClpSolve_delete(options);
  } else {
    status = Clp_primal(model, 0);
  }
  answer.x.assign(Clp_primalColumnSolution(model), Clp_primalColumnSolution(model) + n);
  answer.z.assign(Clp_dualRowSolution(model), Clp_dualRowSolution(model) + m);
  answer.w.assign(Clp_dualColumnSolution(model), Clp_dualColumnSolution(model) + n);
  for (double &v : answer.z)
    v = -v;
  for (double &v : answer.w)
    v = -v;
  answer.gave_up = status != 0;
  Clp_deleteModel(model);
  return true;
}
