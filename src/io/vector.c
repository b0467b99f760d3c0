/* vector.c: single vectors on disk */
#include "base/memory.h"
#include "base/message.h"
#include "io/mtx.h"
#include <perp/io.h>

perp_error perp_vector_read(const char *path, int n, double **values, int *length,
                            perp_message *why)
{
  perp_mtx vector;
  perp_mtx_rule rule = perp_mtx_rule_any("the vector");
  if (!path || !values)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_vector_read: a pointer is NULL");
  *values = NULL;
  rule.vector = true;
  rule.rows = n < 0 ? -1 : n;
  rule.nan = true; /* `perp check` reads a vector to judge it, NaN included */
  perp_error error = perp_mtx_read(path, &rule, &vector, why);
  if (error)
    return error;
  error = perp_mtx_to_dense(&vector, path, why);
  if (!error) {
    *values = vector.value;
    vector.value = NULL;
    if (length)
      *length = (int)vector.entries;
  }
  perp_mtx_free(&vector);
  return error;
}

perp_error perp_vector_write(const char *path, int n, const double *values, const char *comment,
                             perp_message *why)
{
  perp_writer writer;
  if (!path || n < 0 || (n > 0 && !values))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_vector_write: path, n = %d or values", n);
  perp_error error = perp_writer_open(&writer, path, why);
  if (error)
    return error;
  perp_mtx_write_vector(&writer, n, values, comment);
  error = perp_writer_finish(&writer, why);
  if (error)
    perp_writer_abandon(&writer);
  else
    error = perp_writer_commit(&writer, why);
  return error;
}
