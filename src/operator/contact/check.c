/* check.c: what must be true of J, Minv and C, and the line that says what is not */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "operator/contact/contact.h"

#include <inttypes.h>
#include <math.h>

/* Whether the entries of every row ascend within 0 .. columns - 1, where the starts are fine: rows
 * may descend where one ends and the next begins, and nowhere else. */
static bool columns_ascend(int rows, int columns, const int64_t *start, const int *column)
{
  enum { STRETCH = 1 << 20 }; /* counted in an int, which twice as many lanes hold */
  int64_t descents = 0;
  for (int64_t from = 1; from < start[rows]; from += STRETCH) {
    const int64_t to = from + STRETCH < start[rows] ? from + STRETCH : start[rows];
    int count = 0;
    for (int64_t k = from; k < to; k++)
      count += column[k] <= column[k - 1];
    descents += count;
  }
  for (int i = 0; i < rows; i++) {
    const int64_t begin = start[i], end = start[i + 1];
    if (begin == end)
      continue;
    if (column[begin] < 0 || column[end - 1] >= columns)
      return false;
    descents -= begin > 0 && column[begin] <= column[begin - 1];
  }
  return descents == 0;
}

/* The structure of J or C. */
static perp_error check_rows(const char *name, int rows, int columns, const int64_t *start,
                             const int *column, perp_message *why)
{
  if (start[0] != 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "%s: row 0 starts at entry %" PRId64 ", not at 0",
                     name, start[0]);
  for (int i = 0; i < rows; i++) {
    if (start[i + 1] < start[i])
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s: row %d starts at entry %" PRId64 " and ends before %" PRId64, name, i,
                       start[i], start[i + 1]);
    if (start[i + 1] - start[i] > columns)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s: row %d has %" PRId64 " entries, but there are %d columns", name, i,
                       start[i + 1] - start[i], columns);
    if (start[i + 1] > start[i] && !column)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: row %d has entries, but column is NULL", name,
                       i);
  }
  if (columns_ascend(rows, columns, start, column))
    return PERP_OK;
  for (int i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
      if (column[k] < 0 || column[k] >= columns)
        return perp_fail(why, PERP_ERROR_PROBLEM, "%s: row %d has column %d outside 0 .. %d", name,
                         i, column[k], columns - 1);
      if (k > start[i] && column[k] <= column[k - 1])
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "%s: row %d has column %d after column %d, they must ascend", name, i,
                         column[k], column[k - 1]);
    }
  return PERP_OK;
}

static perp_error check_values(const char *name, int rows, const int64_t *start, const int *column,
                               const double *value, perp_message *why)
{
  if (start[rows] > 0 && !value)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: there are entries, but value is NULL", name);
  if (perp_all_finite(start[rows], value))
    return PERP_OK;
  for (int i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      if (!isfinite(value[k]))
        return perp_fail(why, PERP_ERROR_PROBLEM, "%s(%d,%d) = %g is not finite", name, i,
                         column[k], value[k]);
  return PERP_OK;
}

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
  perp_error error = check_rows("J", d->rows, d->velocities, d->J_start, d->J_column, why);
  if (!error)
    error = check_blocks(d, why);
  if (!error && d->C_start)
    error = check_rows("C", d->rows, d->rows, d->C_start, d->C_column, why);
  return error;
}

perp_error perp_contact_check_values(const perp_contact *c, perp_message *why)
{
  const perp_contact_data *d = &c->data;
  perp_error error = check_values("J", d->rows, d->J_start, d->J_column, d->J_value, why);
  if (!error && d->C_start)
    error = check_values("C", d->rows, d->C_start, d->C_column, d->C_value, why);
  for (int k = 0; !error && k < d->blocks; k++)
    error = check_block(k, perp_contact_block_size(c, k), c->M[k], why);
  return error;
}
