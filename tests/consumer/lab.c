/* lab.c: a client of perp-lab: solves a generated problem and compares with its planted solution */
#include <perp/lab.h>
#include <perp/perp.h>
#include <stdio.h>

int main(void)
{
  perp_instance instance;
  perp_message why;
  perp_result result = perp_result_empty();
  double x[4] = {0};
  bool planted = true;
  if (perp_generate("pd:n=4", &instance, &why))
    return printf("%s\n", why.text), 1;
  const perp_problem problem = perp_instance_problem(&instance);
  perp_solve("lemke", &problem, NULL, x, &result);
  for (int i = 0; i < 4; i++)
    planted = planted && x[i] - instance.x[i] < 1e-6 && instance.x[i] - x[i] < 1e-6;
  perp_instance_destroy(&instance);
  printf("%s, %s\n", perp_outcome_name(result.outcome), planted ? "as planted" : "elsewhere");
  return 0;
}
