/* energy.c: impulses that add no kinetic energy
 *
 * With p = J^T x the velocities v' = v + Minv p have the kinetic energy
 *
 *   T(v') = T(v) + x^T J v + 1/2 x^T J Minv J^T x,
 *
 * and T is a sum over islands, whose bodies no row connects with others. For s x, s in [0, 1], the
 * change is a s + q s^2 / 2 with a = x^T J v and q = x^T J Minv J^T x >= 0: it is at most 0 up to
 * s = -2 a / q. A cone, and a box that holds 0, holds s x too. Cost: three products with J. */
#include "base/memory.h"
#include "base/message.h"
#include "frame/islands.h"
#include <perp/frame.h>

#include <math.h>

perp_error perp_contacts_limit(const perp_problem *problem, const double *v, double *x,
                               int *limited, perp_message *why)
{
  if (!problem || !v || !x)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "problem, v or x is NULL");
  perp_error error = perp_problem_validate(problem, why);
  if (error)
    return error;
  const perp_operator *A = problem->A;
  const int n = problem->K.n;
  perp_contact_data data = perp_contact_data_default();
  if (perp_operator_contact_data(A, &data) != PERP_OK)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "A is not a contact operator");
  perp_arena arena = {0};
  const size_t rows = (size_t)n;
  double *Jv, *Ju, *u, *change, *square;
  int *island, count = 0, found = 0;
  if (!PERP_TAKE_ZERO(&arena, PERP_ARRAY(Jv, rows), PERP_ARRAY(Ju, rows), PERP_ARRAY(change, rows),
                      PERP_ARRAY(square, rows), PERP_ARRAY(island, rows),
                      PERP_ARRAY(u, data.velocities)))
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", n);
  if (!error && !(error = perp_islands_number(problem, &arena, island, &count, why)))
    error = perp_contact_bias(A, v, NULL, Jv, why);
  if (!error && !(error = perp_contact_velocities(A, NULL, x, u, why)))
    error = perp_contact_bias(A, u, NULL, Ju, why);
  for (int i = 0; i < n && !error; i++) {
    change[island[i]] += x[i] * Jv[i];
    square[island[i]] += x[i] * Ju[i];
  }
  for (int k = 0; k < count && !error; k++) {
    const bool gains = change[k] + square[k] / 2 > 0;
    /* change becomes the factor s; NaN and infinite impulses become 0 */
    const double s = gains ? (change[k] < 0 ? -2 * change[k] / square[k] : 0) : 1;
    found += !(s >= 1);
    change[k] = s >= 0 && square[k] < INFINITY ? s : 0;
  }
  for (int i = 0; i < n && !error; i++)
    x[i] = change[island[i]] > 0 ? change[island[i]] * x[i] : 0;
  perp_arena_free(&arena);
  if (limited)
    *limited = error ? 0 : found;
  return error;
}
