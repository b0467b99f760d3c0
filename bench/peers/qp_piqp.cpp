/* qp_piqp.cpp: PIQP, a proximal interior point method, on a quadratic program */
#include "peers/qp_peer.hpp"

#include <cmath>
#include <cstring>
#include <piqp/piqp.hpp>

typedef Eigen::SparseMatrix<double, Eigen::ColMajor, int> Matrix;
typedef Eigen::VectorXd Vector;

/* The given rows of A. */
static Matrix take_rows(const Rows &A, const std::vector<int> &rows, int n)
{
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < rows.size(); i++) {
    const std::size_t row = static_cast<std::size_t>(rows[i]);
    for (std::int64_t k = A.start[row]; k < A.start[row + 1]; k++)
      entries.emplace_back(static_cast<int>(i), A.column[static_cast<std::size_t>(k)],
                           A.value[static_cast<std::size_t>(k)]);
  }
  Matrix result(static_cast<int>(rows.size()), n);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

static Vector take(const std::vector<double> &v, const std::vector<int> &rows)
{
  Vector result(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); i++)
    result[static_cast<Eigen::Index>(i)] = v[static_cast<std::size_t>(rows[i])];
  return result;
}

bool solve_qp(const char *method, const QuadraticProgram &p, double tol, QuadraticAnswer &answer)
{
  if (std::strcmp(method, "sparse") != 0)
    return false;
  std::vector<int> all, equal, others;
  for (int i = 0; i < p.n; i++)
    all.push_back(i);
  for (int i = 0; i < p.m; i++) {
    const std::size_t k = static_cast<std::size_t>(i);
    (p.l[k] == p.u[k] ? equal : others).push_back(i);
  }
  const Matrix P = take_rows(p.P, all, p.n), A = take_rows(p.G, equal, p.n),
               G = take_rows(p.G, others, p.n);
  const Vector q = take(p.q, all), b = take(p.l, equal), l = take(p.l, others),
               u = take(p.u, others), lb = take(p.lb, all), ub = take(p.ub, all);
  piqp::SparseSolver<double, int> solver;
  solver.settings().eps_abs = solver.settings().eps_rel = tol;
  solver.settings().eps_duality_gap_abs = solver.settings().eps_duality_gap_rel = tol;
  solver.setup(P, q, A, b, G, l, u, lb, ub);
  const piqp::Status status = solver.solve();
  const auto &r = solver.result();
  answer.x.assign(r.x.data(), r.x.data() + p.n);
  answer.z.assign(static_cast<std::size_t>(p.m), 0);
  answer.w.assign(static_cast<std::size_t>(p.n), 0);
  for (std::size_t i = 0; i < equal.size(); i++)
    answer.z[static_cast<std::size_t>(equal[i])] = r.y[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < others.size(); i++)
    answer.z[static_cast<std::size_t>(others[i])] =
        r.z_u[static_cast<Eigen::Index>(i)] - r.z_l[static_cast<Eigen::Index>(i)];
  for (std::size_t j = 0; j < answer.w.size(); j++)
    answer.w[j] = r.z_bu[static_cast<Eigen::Index>(j)] - r.z_bl[static_cast<Eigen::Index>(j)];
  answer.gave_up = status != piqp::Status::PIQP_SOLVED;
  return true;
}
