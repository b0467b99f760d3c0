/* check.c: what must be true of J, Minv and C, and the line that says what is not */
#include "base/elementary.h"
#include "operator/contact/contact.h"

#include <math.h>

/* The blocks cover the velocities exactly. */
static perp_error check_blocks(const perp_contact_data *d, perp_message *why)
{
  if (!d->block_start) {
    if (d->blocks ? d->velocities % d->blocks != 0 || d->velocities == 0 : d->velocities != 0)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "Minv: %d velocities cannot be cut into %d blocks of equal size",
                       d->velocities, d->blocks);
    return PERP_OK;
  }
  if (d->block_start[0] != 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "Minv: block 0 starts at velocity %d, not at 0",
                     d->block_start[0]);
  for (int k = 0; k < d->blocks; k++)
    if (d->block_start[k + 1] <= d->block_start[k])
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "Minv: block %d starts at velocity %d and ends before %d", k,
                       d->block_start[k], d->block_start[k + 1]);
  if (d->block_start[d->blocks] != d->velocities)
    return perp_fail(why, PERP_ERROR_PROBLEM, "Minv: the blocks end before velocity %d, not %d",
                     d->block_start[d->blocks], d->velocities);
  return PERP_OK;
}

/* One block of Minv: finite, and symmetric up to rounding. */
static perp_error check_block(int k, int size, const double *M, perp_message *why)
{
  double largest = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      const double m = M[(size_t)i * (size_t)size + (size_t)j];
      if (!isfinite(m))
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "Minv: block %d has (%d,%d) = %g, which is not finite", k, i, j, m);
      largest = perp_max(largest, fabs(m));
    }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < i; j++) {
      const double lower = M[(size_t)i * (size_t)size + (size_t)j];
      const double upper = M[(size_t)j * (size_t)size + (size_t)i];
      if (fabs(lower - upper) > 1e-12 * largest)
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "Minv: block %d is not symmetric: (%d,%d) = %g, but (%d,%d) = %g", k, i, j,
                         lower, j, i, upper);
    }
  return PERP_OK;
}

perp_error perp_contact_check_structure(const perp_contact_data *d, perp_message *why)
{
  if (!d)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: there are no data");
  if (d->rows < 0 || d->velocities < 0 || d->blocks < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: %d rows, %d velocities, %d blocks: none may be below 0", d->rows,
                     d->velocities, d->blocks);
  if (!d->J_start || (d->velocities > 0 && !d->Minv))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: %s is NULL",
                     d->J_start ? "Minv" : "J_start");
  if ((d->C_start != NULL) + (d->C_diagonal != NULL) + (d->cfm != 0) > 1)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: C is given by more than one of C_start, C_diagonal and cfm");
  if (!isfinite(d->cfm))
    return perp_fail(why, PERP_ERROR_PROBLEM, "C: cfm = %g is not finite", d->cfm);
  perp_error error =
      perp_pattern_check("J", "row", d->rows, d->velocities, d->J_start, d->J_column, why);
  if (!error)
    error = check_blocks(d, why);
  if (!error && d->C_start)
    error = perp_pattern_check("C", "row", d->rows, d->rows, d->C_start, d->C_column, why);
  return error;
}

perp_error perp_contact_check_values(const perp_contact *c, perp_message *why)
{
  const perp_contact_data *d = &c->data;
  perp_error error =
      perp_pattern_check_values("J", d->rows, d->J_start, d->J_column, d->J_value, why);
  if (!error && d->C_start)
    error = perp_pattern_check_values("C", d->rows, d->C_start, d->C_column, d->C_value, why);
  for (int k = 0; !error && k < d->blocks; k++)
    error = check_block(k, perp_contact_block_size(c, k), c->M[k], why);
  return error;
}
