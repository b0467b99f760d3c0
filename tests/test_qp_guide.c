/* test_qp_guide.c: the program of docs/qp.md, compiled from the page, and its output */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#define main guide_main
#include "qp_blocks.c"
#undef main

#include <unistd.h>

/* Checks shares x with 1'x = 1, x >= 0 and the required return; no other such x on a grid has less
 * risk. */
static void check_line(const char *line)
{
  const double risk[9] = {0.04, 0.01, 0, 0.01, 0.09, 0.02, 0, 0.02, 0.16};
  double asked, x[3];
  CHECK_SAY(sscanf(line, "%lf: %lf %lf %lf", &asked, &x[0], &x[1], &x[2]) == 4, "%s", line);
  double value = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      value += x[i] * risk[3 * i + j] * x[j];
  CHECK_CLOSE(x[0] + x[1] + x[2], 1, 2e-4);
  CHECK(0.05 * x[0] + 0.08 * x[1] + 0.12 * x[2] >= asked - 1e-4);
  for (int a = 0; a <= 100; a++)
    for (int b = 0; a + b <= 100; b++) {
      const double y[3] = {a / 100.0, b / 100.0, (100 - a - b) / 100.0};
      double other = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          other += y[i] * risk[3 * i + j] * y[j];
      if (0.05 * y[0] + 0.08 * y[1] + 0.12 * y[2] >= asked)
        CHECK_SAY(value <= other + 1e-4, "%s: %g, and %g at %g %g", line, value, other, y[0], y[1]);
    }
}

static void the_program_of_the_guide_runs(void)
{
  char path[] = "/tmp/qp_guide_XXXXXX", line[5][128] = {{0}};
  const int file = mkstemp(path), out = dup(STDOUT_FILENO);
  CHECK(file >= 0 && out >= 0);
  fflush(stdout);
  dup2(file, STDOUT_FILENO);
  const int status = guide_main();
  fflush(stdout);
  dup2(out, STDOUT_FILENO);
  close(out);
  close(file);
  FILE *text = fopen(path, "r");
  CHECK(text != NULL);
  int lines = 0;
  while (lines < 5 && fgets(line[lines], sizeof line[lines], text))
    lines++;
  fclose(text);
  unlink(path);
  CHECK_EQUAL_INT(status, 0);
  CHECK_EQUAL_INT(lines, 5);
  for (int k = 0; k < 4; k++)
    check_line(line[k]);
  CHECK(strstr(line[4], "0.14: infeasible") == line[4]);
}

static const test_case tests[] = {TEST(the_program_of_the_guide_runs)};

TEST_MAIN(tests)
