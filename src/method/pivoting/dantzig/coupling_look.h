/* coupling_look.h: an examination, for coupling.c, and inline for the few rows of coupling_small.c */
#pragma once

#include "linalg/wide.h"
#include "method/pivoting/dantzig/coupling.h"
#include "method/system/active_set.h"
#include "set/set.h"

/* As perp_coupling_examine. */
KERNEL double perp_coupling_look(perp_coupling *c, bool cold)
{
  const int n = c->e.n, *findex = c->p->K.findex;
  const double *point = c->point, *gradient = c->y, *relax = c->relax, *los = c->lo, *his = c->hi;
  double *to = c->e.x, worst = 0, bad = 0;
  int *sides = c->side, changes = 0;
  for (int i = 0; i < n; i++) {
    const double x = point[i], y = gradient[i];
    const int j = findex ? findex[i] : -1;
    double lo = los[i], hi = his[i], below = x - lo, above = x - hi;
    if (j >= 0) {
      const double at = point[j], lo_one = lo, hi_one = hi;
      lo = perp_bound_times(lo_one, fabs(at)), hi = perp_bound_times(hi_one, fabs(at));
      below = x - lo, above = x - hi;
      if (!(los[j] <= at && at <= his[j])) {
        const double inside = fabs(perp_clamp(at, los[j], his[j]));
        lo = perp_bound_times(lo_one, inside), hi = perp_bound_times(hi_one, inside);
      }
    }
    /* |mid(x - hi, y, x - lo)|, as in perp_problem_residual */
    const double r = fabs(y > below ? below : y < above ? above : y);
    worst = r > worst ? r : worst;
    bad += (x - x) + (y - y);
    const int side =
        cold && j >= 0 ? PERP_SIDE_HELD : (int)perp_side_guess(x - y * relax[i], lo, hi);
    changes += side != sides[i];
    sides[i] = side;
    to[i] = side == -1 ? lo : side == 1 ? hi : perp_clamp(x, lo, hi);
  }
  c->changes = changes;
  return bad == 0 ? worst : INFINITY;
}
