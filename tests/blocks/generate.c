// docs/api.md: perp_generate("pd:
#include <perp/lab.h>
#include <perp/perp.h>

int main(void)
{
  perp_message why = {""};
  // BLOCK
  const int n = perp_operator_size(perp_instance_problem(&instance).A);
  perp_instance_destroy(&instance);
  return n != 200;
}
