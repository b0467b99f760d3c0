// docs/api.md: perp_device_create("cuda:0"
#include <perp/perp.h>

int main(void)
{
  const double A[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0};
  perp_batch_end each[1];
  perp_message why = {""};
  perp_solver *solver = NULL;
  perp_solver_create("blockpivot", &solver, NULL);
  const perp_batch batch = perp_batch_dense(1, 2, A, b);
  perp_options options = perp_options_default();
  perp_result whole = perp_result_empty();
  // BLOCK
  perp_solver_destroy(solver);
  /* without a GPU the device is NULL, and the CPU has solved it */
  return !(whole.outcome == PERP_SOLVED && x[0] > 0.49 && (device || why.text[0]));
}
