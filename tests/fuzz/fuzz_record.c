/* fuzz_record.c: the file solve.txt of a record, on arbitrary bytes
 *
 * Problem and start are valid; for any solve.txt, perp_record_read refuses it with one line or
 * returns a solver and valid options. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <perp/perp.h>

static void write_rest(void)
{
  static const char A[] = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 2\n";
  static const char b[] = "%%MatrixMarket matrix array real general\n2 1\n-1\n1\n";
  write_file(in_scratch("A.mtx"), A, sizeof A - 1);
  write_file(in_scratch("b.mtx"), b, sizeof b - 1);
  write_file(in_scratch("start.mtx"), b, sizeof b - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static int begun;
  perp_record record;
  perp_message why = {""};
  if (!begun++)
    write_rest();
  write_file(in_scratch("solve.txt"), data, size);
  if (perp_record_read(scratch, &record, &why)) {
    require(why.text[0] != 0, "one line says why");
    return 0;
  }
  /* the options as read, but with a low limit */
  perp_options options = perp_options_copy(record.options);
  perp_result result = perp_result_empty();
  const perp_problem problem = perp_instance_problem(&record.instance);
  options.max_iterations = 3;
  options.threads = 1;
  if (perp_solver_solve(record.solver, &problem, &options, record.start, &result))
    require(result.message.text[0] != 0, "a solve that is refused says why");
  perp_record_destroy(&record);
  return 0;
}
