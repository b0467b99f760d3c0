/* direct.c: problems of at most three unknowns, by their complementary cones
 *
 * y = A x + b with x complementary to y says that b lies in one of 2^n cones spanned by columns of
 * I and -A (Murty 1972); they are tested one by one, exactly on their boundaries too, and for any
 * matrix. If b lies in none, there is no solution; if A x + b >= 0, x >= 0 has no solution either,
 * a certificate proves it. small_lcp.c has the geometry. Workspace: none. */
#include "method/pivoting/direct/small_lcp.h"
#include "method/run/method.h"
#include "set/set.h"

#include <assert.h>

/* A as n^2 numbers, by products with the unit vectors. */
static void assemble(perp_run *run, int n, double *a)
{
  for (int j = 0; j < n; j++) {
    double unit[PERP_SMALL] = {0}, column[PERP_SMALL];
    unit[j] = 1;
    perp_run_apply(run, unit, column);
    for (int i = 0; i < n; i++)
      a[i * n + j] = column[i];
  }
}

static bool find(const perp_problem *p, const double *a, double *x)
{
  const int n = p->K.n;
  if (perp_set_form(&p->K) == PERP_FORM_LCP)
    return n == 1   ? perp_lcp1(a[0], p->b[0], x)
           : n == 2 ? perp_lcp2(a, p->b, x)
                    : perp_lcp3(a, p->b, x);
  double lo[PERP_SMALL], hi[PERP_SMALL];
  perp_set_all_bounds(&p->K, lo, hi);
  return perp_box_small(n, a, p->b, lo, hi, x);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const int n = p->K.n;
  assert(n <= PERP_SMALL); /* most_unknowns: the solver refuses more */
  double *u = perp_run_reals(run, PERP_SMALL);
  if (!u)
    return perp_run_no_memory(run);
  if (!perp_run_next(run, x, NULL))
    return PERP_OK;

  double a[PERP_SMALL * PERP_SMALL];
  assemble(run, n, a);
  if (find(p, a, x)) {
    perp_run_claim(run, PERP_SOLVED);
  } else if (perp_set_form(&p->K) == PERP_FORM_LCP && perp_small_certificate(n, a, p->b, u)) {
    perp_run_ray(run, u);
    perp_run_claim(run, PERP_INFEASIBLE);
    perp_run_say(run, "no x >= 0 makes A x + b >= 0: the ray proves it");
  } else {
    perp_run_claim(run, PERP_STAGNATED);
    perp_run_say(run, "b lies in none of the complementary cones: there is no solution");
  }
  return PERP_OK;
}

const perp_method perp_method_direct = {
    .name = "direct",
    .title = "complementary cones of at most three unknowns",
    .family = "pivoting",
    .source = "murty-1972",
    .reference = true,
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .max_iterations = 10,
    .most_unknowns = PERP_SMALL,
    .iteration = "finds the complementary cone that b lies in, for at most 3 unknowns",
    .works = "any matrix",
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
