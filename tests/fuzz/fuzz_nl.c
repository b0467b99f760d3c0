/* fuzz_nl.c: .nl files of arbitrary bytes
 *
 * perp_nl_read refuses them with one line, or returns a model that can be evaluated, solved and judged;
 * what is called solved has a small residual. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <perp/nl.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  perp_nl *model;
  perp_message why = {""};
  in_scratch("");
  remove_files(scratch);
  write_file(in_scratch("model.nl"), (const char *)data, size);
  if (perp_nl_read(in_scratch("model.nl"), &model, &why)) {
    check_line(&why);
    return 0;
  }
  const size_t n = (size_t)perp_nl_variables(model), m = (size_t)perp_nl_rows(model);
  double *x = malloc((n + 1) * sizeof *x), *y = malloc((m + 1) * sizeof *y), residual;
  require(x && y, "memory");
  perp_nl_start(model, x);
  require(perp_nl_evaluate(model, x, y, &why) == PERP_OK, "it can be evaluated");
  if (n <= 200 && m <= 200) {
    perp_nl_options options = perp_nl_options_default();
    perp_nl_result result = perp_nl_result_empty();
    options.max_iterations = 5;
    options.restarts = 0;
    options.time_limit = 0.2;
    if (perp_nl_solve(model, &options, x, y, &result))
      check_line(&result.message);
    else if (result.outcome == PERP_SOLVED && strcmp(result.kind, "qp") != 0)
      require(perp_nl_judge(model, x, &residual, NULL, &why) == PERP_OK && residual <= options.tol,
              "solved is solved");
    require(perp_nl_sol_write(model, NULL, "fuzz", 0, x, y, &why) == PERP_OK,
            "a result is written");
  }
  free(x);
  free(y);
  perp_nl_destroy(model);
  return 0;
}
