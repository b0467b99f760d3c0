// docs/migrate.md: solveMLCP
// flags: $(pkg-config --cflags --libs bullet)
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

int main()
{
  btSolveProjectedGaussSeidel solver;
  btMatrixXu A(2, 2);
  btVectorXu b(2), x(2), lo(2), hi(2);
  btAlignedObjectArray<int> limitDependency;
  const int numIterations = 50;
  for (int i = 0; i < 2; i++) {
    A.setElem(i, i, 2), A.setElem(i, 1 - i, 1);
    b[i] = btScalar(4 + i), x[i] = 0, lo[i] = 0, hi[i] = 9;
    limitDependency.push_back(-1);
  }
  // BLOCK
  return !(done && x[0] > 0.99 && x[0] < 1.01 && x[1] > 1.99 && x[1] < 2.01);
}
