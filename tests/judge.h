/* judge.h: the natural residual of any x, independent of the library
 *
 * It sums rows and projects cones in quad: on x86 long double has too few bits if x is far larger
 * than y. K is written out again. Of the library it uses only the assembled matrix. */
#pragma once

#include "friction_oracle.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

typedef struct judge {
  const perp_problem *p;
  perp_operator *A; /* assembled */
  const int64_t *start;
  const int *column;
  const double *value;
  double scale;
  bool exact; /* the library sums these entries accurately */
} judge;

static __attribute__((unused)) bool judge_open(judge *j, const perp_problem *p)
{
  *j = (judge){.p = p};
  if (perp_operator_to_csr(p->A, 0, &j->A, NULL) != PERP_OK)
    return false;
  CHECK(perp_operator_csr_arrays(j->A, &j->start, &j->column, &j->value) == PERP_OK);
  for (int i = 0; i < p->K.n; i++)
    j->scale = fmax(j->scale, fabs(p->b[i]));
  if (j->scale == 0)
    j->scale = 1;
  j->exact = strcmp(perp_operator_kind(p->A), "contact") != 0;
  return true;
}

/* (A x + b)_i, and the sum of the magnitudes of its terms. */
static long double row_value(const judge *j, int i, const double *x, long double *size)
{
  quad sum = j->p->b[i];
  *size = fabsl((long double)sum);
  for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
    const quad term = (quad)j->value[e] * x[j->column[e]];
    sum += term;
    *size += fabsl((long double)term);
  }
  return (long double)sum;
}

static long double middle(long double a, long double b, long double c)
{
  const long double low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

/* The largest |x - P(x - u)| over one cone; u is y with the normal raised by mu |y_t|. */
static long double cone_residual(double mu, const double *x, const long double *y)
{
  const quad u[3] = {y[0] + mu * quad_sqrt((quad)y[1] * y[1] + (quad)y[2] * y[2]), y[1], y[2]};
  const quad z[3] = {x[0] - u[0], x[1] - u[1], x[2] - u[2]};
  const quad t = quad_sqrt(z[1] * z[1] + z[2] * z[2]);
  quad q[3] = {z[0], z[1], z[2]};
  if (t > mu * z[0]) {
    if (mu * t <= -z[0]) {
      q[0] = q[1] = q[2] = 0;
    } else {
      q[0] = (z[0] + mu * t) / (1 + (quad)mu * mu);
      q[1] = mu * q[0] * z[1] / t;
      q[2] = mu * q[0] * z[2] / t;
    }
  }
  long double worst = 0;
  for (int k = 0; k < 3; k++)
    worst = fmaxl(worst, fabsl((long double)(x[k] - q[k])));
  return worst;
}

/* Natural residual of x. *rounding: the possible error of the product with a contact operator in
 * double precision. */
static __attribute__((unused)) long double judge_residual(const judge *j, const double *x,
                                                          long double *rounding)
{
  const perp_set *K = &j->p->K;
  long double worst = 0, size;
  *rounding = 0;
  for (int i = 0, c = 0, next = 0; i < K->n; i++) {
    if (c < K->cones && i == (K->cone ? K->cone[c] : next) && K->dim) {
      const oracle_law l = oracle_law_of(K->dim[c], K->law ? K->law[c] : 0, K->mu + 5 * c);
      quad u[ORACLE_ROWS], largest;
      for (int k = 0; k < l.rows; k++) {
        u[k] = row_value(j, i + k, x, &size);
        *rounding = fmaxl(*rounding, size * (1 + K->mu[5 * c]));
      }
      worst = fmaxl(worst, (long double)oracle_residual(&l, x + i, u, &largest));
      i += l.rows - 1;
      next = i + 1;
      c++;
      continue;
    }
    if (c < K->cones && i == (K->cone ? K->cone[c] : 3 * c)) {
      long double u[3];
      for (int k = 0; k < 3; k++) {
        u[k] = row_value(j, i + k, x, &size);
        *rounding = fmaxl(*rounding, size * (1 + K->mu[c]));
      }
      worst = fmaxl(worst, cone_residual(K->mu[c], x + i, u));
      c++;
      i += 2;
      continue;
    }
    const long double y = row_value(j, i, x, &size);
    const bool friction = K->findex && K->findex[i] >= 0;
    const long double normal = friction ? fabsl((long double)x[K->findex[i]]) : 1;
    long double lo = K->lo ? K->lo[i] : 0, hi = K->hi ? K->hi[i] : INFINITY;
    lo = lo <= -1e300L ? -INFINITY : lo * normal;
    hi = hi >= 1e300L ? INFINITY : hi * normal;
    worst = fmaxl(worst, fabsl(middle(x[i] - hi, x[i] - lo, y)));
    *rounding = fmaxl(*rounding, size);
  }
  *rounding *= j->exact ? 0 : 1e-15L;
  return worst;
}
