/* fuzz_mtx.c: the Matrix Market reader on arbitrary bytes
 *
 * `make fuzz` builds and runs it. For any bytes the reader either refuses with one line or returns
 * a valid matrix, with memory in proportion to their number. */
#include "io/mtx.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what)
{
  if (!condition) {
    fprintf(stderr, "%s\n", what);
    abort();
  }
}

static void check_csr(const perp_mtx *m)
{
  require(m->start[0] == 0 && m->start[m->rows] == m->entries, "row starts");
  for (int i = 0; i < m->rows; i++) {
    require(m->start[i] <= m->start[i + 1], "row starts ascend");
    for (int64_t k = m->start[i]; k < m->start[i + 1]; k++) {
      require(m->column[k] >= 0 && m->column[k] < m->columns, "columns in range");
      require(k == m->start[i] || m->column[k - 1] < m->column[k], "columns ascend");
      require(!isnan(m->value[k]), "no NaN");
    }
  }
}

static void check_message(const perp_message *why)
{
  require(strncmp(why->text, "f.mtx:", 6) == 0, "message names the file");
  for (const char *c = why->text; *c; c++)
    require(*c >= ' ' && *c < 127, "message is one printable line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const perp_mtx_rule rules[] = {
      {.name = "A", .square = true, .finite = true, .rows = -1, .columns = -1},
      {.name = "findex", .vector = true, .whole = true, .rows = 3, .least = -1, .most = 2},
      {.name = "any", .rows = -1, .columns = -1, .nan = false},
  };
  for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
    perp_mtx m;
    perp_message why = {""};
    const perp_error error = perp_mtx_parse("f.mtx", (const char *)data, size, &rules[k], &m, &why);
    if (error) {
      check_message(&why);
      continue;
    }
    if (m.sparse) {
      check_csr(&m);
    } else {
      require(m.entries == (int64_t)m.rows * m.columns, "array size");
      require(perp_mtx_to_csr(&m, &why) == PERP_OK, "conversion");
      check_csr(&m);
    }
    perp_mtx_free(&m);
  }
  return 0;
}
