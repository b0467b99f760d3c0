// docs/api.md: perp_batch_dense(
#include <perp/perp.h>

enum { COUNT = 8192, ROWS = 16 };

int main(void)
{
  static double A[COUNT * ROWS * ROWS], b[COUNT * ROWS], x[COUNT * ROWS];
  static perp_batch_end each[COUNT];
  perp_solver *solver = NULL;
  for (int k = 0; k < COUNT; k++)
    for (int i = 0; i < ROWS; i++)
      A[(k * ROWS + i) * ROWS + i] = 2, b[k * ROWS + i] = i % 2 ? 1 : -1;
  perp_solver_create("blockpivot", &solver, NULL);
  // BLOCK
  perp_solver_destroy(solver);
  return !(whole.outcome == PERP_SOLVED && x[0] == 0.5 && x[1] == 0);
}
