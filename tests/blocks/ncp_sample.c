// docs/api.md: perp_ncp_sample_create(
#include <perp/lab.h>
#include <perp/perp.h>

int main(void)
{
  perp_message why = {""};
  double x[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  perp_ncp_result result = perp_ncp_result_empty();
  // BLOCK
  perp_ncp_sample_destroy(sample);
  return result.outcome != PERP_SOLVED;
}
