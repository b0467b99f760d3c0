// docs/migrate.md: lcpsolver::Lemke
// flags: $(pkg-config --cflags --libs dart)
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/lcpsolver/Lemke.hpp>

int main()
{
  dart::constraint::DantzigBoxedLcpSolver boxedSolver;
  const int n = 2, nub = 0;
  double A[8] = {2, 1, 0, 0, 1, 2, 0, 0}, x[2] = {0, 0}, b[2] = {4, 5}, lo[2] = {0, 0},
         hi[2] = {9, 9};
  int findex[2] = {-1, -1};
  const bool earlyTermination = false;
  Eigen::MatrixXd M = (Eigen::Matrix2d() << 2, 1, 1, 2).finished();
  Eigen::VectorXd q = Eigen::Vector2d(-4, -5), z = Eigen::Vector2d::Zero();
  // BLOCK
  return !(done && error == 0 && x[0] > 0.99 && x[0] < 1.01 && z[1] > 1.99 && z[1] < 2.01);
}
