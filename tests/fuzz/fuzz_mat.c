/* fuzz_mat.c: MATLAB files of arbitrary bytes
 *
 * perp_mat_read refuses them with one line or returns a valid problem. This tests libmatio too,
 * which reads the bytes. It allocates the declared size of a variable's part, up to 4 GiB, before
 * it reads, so `make fuzz` allows 9000 MB, and 2048 MB for other targets. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <perp/lab.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  perp_instance instance;
  perp_message why = {""};
  const char *path = in_scratch("p.mat");
  write_file(path, data, size);
  if (perp_mat_read(path, &instance, &why)) {
    check_line(&why);
    return 0;
  }
  const perp_problem problem = perp_instance_problem(&instance);
  require(perp_problem_validate(&problem, &why) == PERP_OK, "the problem is sound");
  perp_instance_destroy(&instance);
  return 0;
}
