// docs/api.md: perp_nl_read("model.nl", &model
#include <perp/perp.h>
#include <stdio.h>

/* 0 <= x with 2 x - 1 >= 0 */
static const char text[] =
    "g3 1 1 0\n 1 1 0 0 0\n 0 0 1 0 0 0\n 0 0\n 0 0 0\n 0 0 0 1\n 0 0 0 0 0\n"
    " 1 0\n 0 0\n 0 0 0 0 0\nC0\nn-1\nr\n5 1 1\nb\n2 0\nk0\nJ0 1\n0 2\n";

int main(void)
{
  double x[1], y[1];
  perp_message why = {""};
  FILE *f = fopen("model.nl", "w");
  if (!f || fputs(text, f) < 0 || fclose(f) != 0)
    return 1;
  // BLOCK
  return !(result.outcome == PERP_SOLVED && x[0] > 0.499 && x[0] < 0.501);
}
