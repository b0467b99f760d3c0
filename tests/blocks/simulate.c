// docs/api.md: perp_simulation_create(
#include <perp/lab.h>
#include <perp/perp.h>

int main(void)
{
  perp_message why = {""};
  // BLOCK
  return why.text[0] != 0;
}
