/* fuzz_mps.c: MPS and QPS files of arbitrary bytes
 *
 * perp_qp_mps_parse refuses them with one line or returns a program whose arrays are sound. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "io/structure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  perp_qp_instance instance;
  perp_message why = {""};
  char *text = malloc(size + 1);
  require(text != NULL, "memory");
  memcpy(text, data, size);
  text[size] = 0;
  if (perp_qp_mps_parse("p.qps", text, size, &instance, &why)) {
    check_line(&why);
  } else {
    require(instance.n > 0 && instance.q && instance.lb && instance.ub, "there are columns");
    for (int i = 0; i < instance.m; i++)
      for (int64_t e = instance.G_start[i]; e < instance.G_start[i + 1]; e++)
        require(instance.G_column[e] >= 0 && instance.G_column[e] < instance.n &&
                    (e == instance.G_start[i] || instance.G_column[e - 1] < instance.G_column[e]),
                "columns ascend");
    perp_qp_instance_destroy(&instance);
  }
  free(text);
  return 0;
}
