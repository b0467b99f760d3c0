/* bodies.c: J given by the two bodies of each row, as compressed rows
 *
 * All numbers of a body are stored, whether 0 or not, so that each row meets whole blocks of Minv.
 * Columns ascend: the body with the smaller number comes first, whatever the order of the caller. */
#include "base/sized.h"
#include "operator/contact/contact.h"

#include <string.h>

void perp_contact_bodies_init(perp_contact_bodies *bodies, size_t size)
{
  const perp_contact_bodies own = {.freedom = 6, .together = 1};
  perp_sized_write(&own, sizeof own, bodies, size);
}

perp_error perp_contact_bodies_check(const perp_contact_bodies *b, perp_message *why)
{
  if (b->rows < 0 || b->bodies < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: %d rows and %d bodies", b->rows,
                     b->bodies);
  if (b->freedom != 3 && b->freedom != 6)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: bodies have 6 velocities, or 3 in the plane, not %d", b->freedom);
  if (b->together < 1 || b->rows % b->together != 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: %d rows are not contacts of %d rows each",
                     b->rows, b->together);
  if (b->bodies > INT32_MAX / b->freedom)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: too many bodies: %d", b->bodies);
  if ((b->rows > 0 && (!b->body || !b->J)) || (b->bodies > 0 && !b->Minv))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "contact: body, J or Minv is NULL");
  for (int c = 0; c < b->rows / b->together; c++) {
    const int *pair = b->body + 2 * (int64_t)c;
    for (int side = 0; side < 2; side++)
      if (pair[side] < -1 || pair[side] >= b->bodies)
        return perp_fail(why, PERP_ERROR_PROBLEM, "contact %d: body %d is not in -1 .. %d", c,
                         pair[side], b->bodies - 1);
    if (pair[0] >= 0 && pair[0] == pair[1])
      return perp_fail(why, PERP_ERROR_PROBLEM, "contact %d: both its bodies are %d", c, pair[0]);
  }
  return PERP_OK;
}

/* The sides of row i in the order of their columns; returns how many of them move. */
static int sides_of(const perp_contact_bodies *b, int i, int side[2])
{
  const int *pair = b->body + 2 * (int64_t)(i / b->together);
  int count = 0;
  side[0] = side[1] = 0;
  if (pair[0] >= 0 && (pair[1] < 0 || pair[0] < pair[1]))
    side[count++] = 0;
  if (pair[1] >= 0)
    side[count++] = 1;
  if (pair[1] >= 0 && pair[0] > pair[1])
    side[count++] = 0;
  return count;
}

void perp_contact_bodies_values(const perp_contact_bodies *b, double *J_value)
{
  for (int i = 0; i < b->rows; i++) {
    int side[2];
    const int count = sides_of(b, i, side);
    for (int k = 0; k < count; k++, J_value += b->freedom)
      memcpy(J_value, b->J + (2 * (int64_t)i + side[k]) * b->freedom,
             (size_t)b->freedom * sizeof *J_value);
  }
}

bool perp_contact_bodies_compress(const perp_contact_bodies *b, perp_arena *arena,
                                  perp_contact_data *data)
{
  const size_t most = 2 * (size_t)b->rows * (size_t)b->freedom;
  int64_t *start;
  int *column;
  double *value;
  if (!PERP_TAKE(arena, PERP_ARRAY(start, b->rows + 1), PERP_ARRAY(column, most),
                 PERP_ARRAY(value, most)))
    return false;
  int64_t entries = 0;
  for (int i = 0; i < b->rows; i++) {
    int side[2];
    const int count = sides_of(b, i, side);
    start[i] = entries;
    for (int k = 0; k < count; k++) {
      const int first = b->freedom * b->body[2 * (int64_t)(i / b->together) + side[k]];
      for (int j = 0; j < b->freedom; j++)
        column[entries++] = first + j;
    }
  }
  start[b->rows] = entries;
  perp_contact_bodies_values(b, value);
  data->rows = b->rows;
  data->velocities = b->freedom * b->bodies;
  data->J_start = start;
  data->J_column = column;
  data->J_value = value;
  data->blocks = b->bodies;
  return true;
}
