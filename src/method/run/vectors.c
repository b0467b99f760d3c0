/* vectors.c: vectors of the processor */
#include "method/run/vectors.h"

#include "linalg/vector.h"
#include "method/run/driver.h"
#include "problem/floor.h"
#include "problem/judge.h"

#include <string.h>

static bool is_same(perp_run *run, const double *a, const double *b)
{
  return a == b || memcmp(a, b, (size_t)run->problem->K.n * sizeof *a) == 0;
}

static bool is_zero(perp_run *run, const double *a)
{
  return perp_all_zero(run->problem->K.n, a);
}

static bool is_finite(perp_run *run, const double *a)
{
  return perp_all_finite(run->problem->K.n, a);
}

static void copy(perp_run *run, const double *from, double *to)
{
  memcpy(to, from, (size_t)run->problem->K.n * sizeof *to);
}

/* y = b at x = 0, if the entries of A are known to be finite. */
static double fresh(perp_run *run, const double *x, bool zero)
{
  perp_driver *d = run->driver;
  const perp_problem *p = run->problem;
  if (p->A->table->has_rows && zero) {
    run->count.applies++; /* counted as any other, known without work */
    return perp_problem_residual(p, x, p->b);
  }
  perp_run_gradient(run, x, d->y);
  d->y_count++;
  return perp_problem_residual(p, x, d->y);
}

static double judge(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  const perp_problem *p = run->problem;
  if (p->A->table->has_rows && perp_all_zero(p->K.n, x)) {
    perp_copy(p->K.n, p->b, d->y);
    return perp_residual_exact(p, x, d->y);
  }
  return perp_judge(p, x, d->y, &run->work, d->room);
}

static double floor_at(perp_run *run, const double *x)
{
  return perp_problem_floor(run->problem, x, run->driver->room);
}

const perp_vectors perp_vectors_here = {is_same, is_zero, is_finite, copy, fresh, judge, floor_at};
