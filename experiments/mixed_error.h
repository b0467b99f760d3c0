/* mixed_error.h: the error of a mixed problem as Morales, Nocedal and Smelyanskiy (2008) measure it
 *
 * Free rows are equations. Their (2.6) in the infinity norm,
 *
 *   rho_a = max |y_i| over free rows,  rho_b = max |min(x_i, y_i)|,  rho_c = max (0, -y_i) over others,
 *
 * and (2.7), the greatest of rho_a / (1 + |a|), rho_b / (1 + |b|) and rho_c / (1 + |b|^2), in which a
 * and b are the parts of b in the free rows and in the others. (2.6b) is printed in the paper as
 * min_i {v_i, w_i}, which a large negative entry would make small: this is what is meant. */
#pragma once

#include <math.h>
#include <perp/problem.h>

typedef struct mixed_error {
  double equation, complementarity, feasibility; /* rho_a, rho_b, rho_c */
  double scaled;
} mixed_error;

/* y = A x + b; false for forms other than LCP and mixed. */
static inline bool mixed_error_of(const perp_problem *p, const double *x, const double *y,
                                  mixed_error *e)
{
  const perp_form form = perp_set_form(&p->K);
  double norm_a = 0, norm_b = 0;
  *e = (mixed_error){0};
  for (int i = 0; i < p->K.n; i++) {
    double lo, hi;
    perp_set_bounds(&p->K, x, i, &lo, &hi);
    if (lo == -INFINITY) {
      norm_a = fmax(norm_a, fabs(p->b[i]));
      e->equation = fmax(e->equation, fabs(y[i]));
    } else {
      norm_b = fmax(norm_b, fabs(p->b[i]));
      e->complementarity = fmax(e->complementarity, fabs(fmin(x[i], y[i])));
      e->feasibility = fmax(e->feasibility, -y[i]);
    }
  }
  e->scaled = fmax(e->equation / (1 + norm_a),
                   fmax(e->complementarity / (1 + norm_b), e->feasibility / (1 + norm_b * norm_b)));
  return form == PERP_FORM_LCP || form == PERP_FORM_MIXED;
}
