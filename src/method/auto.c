/* auto.c: chooses a method, says which and why
 *
 * The candidates are tried in order; one that refuses the problem is passed over, and one that
 * stalls or diverges hands its start to the next. The time limit and the best iterate are shared,
 * so the answer is the best of all attempts. */
#include "method/method.h"

#include <stdio.h>
#include <string.h>

/* Small problems are solved exactly by pivoting at once; large ones by sweeps first, since a
 * pivoting method takes memory as the square of the size. */
enum { SMALL = 600 };
static const char *const small_first[] = {"dantzig", "lemke", "bgs", "nncg", NULL};
static const char *const large_first[] = {"nncg", "bgs", "dantzig", "lemke", NULL};

static bool fits(const perp_method *method, const perp_problem *p)
{
  return (method->takes & (1u << perp_set_form(&p->K))) &&
         !(method->needs & ~perp_operator_abilities(p->A));
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const size_t n = (size_t)p->K.n;
  double *start = perp_run_reals(run, n);
  if (!start)
    return perp_run_no_memory(run);
  memcpy(start, x, n * sizeof *x);

  const char *const *candidates = p->K.n <= SMALL ? small_first : large_first;
  char steps[384] = "";
  size_t used = 0;
  int tried = 0;
  perp_message why = {""};
  perp_error error = PERP_OK;
  for (int k = 0; candidates[k] && used < sizeof steps; k++) {
    const perp_method *method = perp_methods[perp_method_find(candidates[k])];
    if (!fits(method, p))
      continue;
    perp_outcome ending;
    memcpy(x, start, n * sizeof *x);
    error = perp_run_attempt(run, method, x, &ending, &why);
    if (error == PERP_ERROR_UNSUPPORTED ||
        (error == PERP_ERROR_MEMORY && run->options->memory_limit > 0))
      continue;
    if (error)
      return perp_run_fail(run, error, "%s", why.text);
    tried++;
    used += (size_t)snprintf(steps + used, sizeof steps - used, "%s%s: %s", used ? "; " : "",
                             method->name, perp_outcome_name(ending));
    if (perp_run_over(run))
      break;
  }
  if (tried == 0)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "no method takes this problem%s%s",
                         why.text[0] ? ": " : "", why.text);
  perp_run_say(run, "%s", steps);
  return PERP_OK;
}

static const perp_parameter parameters[] = {{0}};

const perp_method perp_method_auto = {
    .name = "auto",
    .title = "chooses a method and says which",
    .family = "auto",
    .source = "perp",
    .takes =
        PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX | PERP_TAKES_CONE,
    .needs = PERP_CAN_APPLY,
    .iteration =
        "a ladder of methods chosen by what the problem is; each goes on from the best x so far",
    .works = "what one of the methods that it tries works on",
    .max_iterations = 1000000,
    .parameters = parameters,
    .parameter_bytes = 0,
    .solve = solve,
};
