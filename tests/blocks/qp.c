// docs/api.md: perp_qp_solver_create("auto", &qp
#include <perp/perp.h>

int main(void)
{
  const int n = 2;
  const double p[4] = {2, 0, 0, 2}, ub[2] = {0.25, 9}, q[2] = {-1, -1};
  double x[2];
  perp_message why = {""};
  perp_operator *P = NULL;
  perp_operator_dense(2, p, 2, PERP_BORROW, &P, NULL);
  // BLOCK
  perp_operator_destroy(P);
  return !(result.outcome == PERP_SOLVED && x[0] == 0.25 && x[1] > 0.499 && x[1] < 0.501);
}
