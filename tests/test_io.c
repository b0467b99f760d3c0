/* test_io.c: numbers as text, Matrix Market, vectors
 *
 * Oracles: strtod and printf of the C library for numbers; matrices written out here. Values are
 * compared bit by bit. */
#define _POSIX_C_SOURCE 200809L
#include "folders.h"

#include "base/number.h"
#include "base/random.h"
#include "io/file.h"
#include "io/mtx.h"
#include <locale.h>

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- Numbers ---- */

static void check_parse(const char *text)
{
  double value = -7;
  const char *end = text + strlen(text);
  const double expected = strtod(text, NULL);
  CHECK_SAY(perp_number_parse(text, end, &value) == end, "%s", text);
  CHECK_SAY(same_bits(value, expected), "%s: %.17g against %.17g", text, value, expected);
}

static void numbers_parse(void)
{
  static const char *const hard[] = {"0",
                                     "-0",
                                     "+1",
                                     "1.",
                                     ".5",
                                     "-.5e1",
                                     "1e22",
                                     "1e23",
                                     "9007199254740993",
                                     "9007199254740992.5",
                                     "9007199254740993.00000000000000000000001",
                                     "2.2250738585072011e-308",
                                     "2.2250738585072014e-308",
                                     "4.9406564584124654e-324",
                                     "2.4703282292062327e-324",
                                     "2.4703282292062328e-324",
                                     "1.7976931348623157e308",
                                     "1.7976931348623159e308",
                                     "1e309",
                                     "1e-400",
                                     "123456789012345678901234567890",
                                     "0.000000000000000000000000000000000000123456789",
                                     "179769313486231580793e289",
                                     "1e99999999999999999999",
                                     "1e-99999999999999999999",
                                     "0e99999999999999999999",
                                     "000000000000000000000000000000000001.5",
                                     "18446744073709551615",
                                     "18446744073709551616",
                                     "1844674407370955161.5e-27",
                                     "7450580596923828125e-27",
                                     "3e27",
                                     "inf",
                                     "-inf",
                                     "Infinity",
                                     "0.5000000000000000166533453693773481063544750213623046875",
                                     "1.00000000000000011102230246251565404236316680908203125",
                                     "1.00000000000000011102230246251565404236316680908203124",
                                     "1.00000000000000011102230246251565404236316680908203126"};
  for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
    check_parse(hard[k]);

  /* 1 + 2^-53 exactly, then a nonzero digit far beyond those kept: rounds up, not to even */
  char text[1200];
  int length =
      snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125");
  memset(text + length, '0', 1000);
  snprintf(text + length + 1000, 10, "1");
  check_parse(text);

  perp_random random = perp_random_from(1);
  for (int k = 0; k < 200000; k++) {
    const int digits = 1 + perp_random_below(&random, 21), point = perp_random_below(&random, 23);
    char *at = text;
    if (perp_random_below(&random, 2))
      *at++ = '-';
    for (int d = 0; d < digits; d++) {
      if (d == point)
        *at++ = '.';
      *at++ = (char)('0' + perp_random_below(&random, 10));
    }
    const int wide = perp_random_below(&random, 8) == 0;
    snprintf(at, 10, "e%d", perp_random_below(&random, wide ? 680 : 61) - (wide ? 350 : 30));
    check_parse(text);
  }
}

static void numbers_refused(void)
{
  static const char *const bad[] = {"",    "-",   "+", ".",  "e5", "-e",  "1e",
                                    "1e+", "1d-", "x", "in", "na", "--1", "+-1"};
  double value;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    CHECK_SAY(!perp_number_parse(bad[k], bad[k] + strlen(bad[k]), &value), "%s", bad[k]);
  /* no byte beyond the end is read */
  const char digits[4] = {'1', '2', '3', '4'};
  CHECK(perp_number_parse(digits, digits + 2, &value) == digits + 2 && value == 12);
  const char *fortran = "1.25D+02";
  CHECK(perp_number_parse(fortran, fortran + 8, &value) && value == 125);
  const char *word = "-NaN";
  CHECK(perp_number_parse(word, word + 4, &value) == word + 4 && isnan(value));
}

static int significant_digits(const char *text)
{
  int count = 0, zeros = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
      continue;
    zeros = *text == '0' ? zeros + 1 : 0;
    count++;
  }
  return count - zeros;
}

static void numbers_print(void)
{
  static const struct {
    double value;
    const char *text;
  } known[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {-17, "-17"},
               {0.1, "0.1"},
               {-0.25, "-0.25"},
               {1e15, "1000000000000000"},
               {1e21, "1e+21"},
               {1e-5, "1e-05"},
               {0.0001, "0.0001"},
               {123.456, "123.456"},
               {1.0 / 3, "0.3333333333333333"},
               {2.0 / 3 * 1e-7, "6.666666666666666e-08"},
               {INFINITY, "inf"},
               {-INFINITY, "-inf"},
               {NAN, "nan"},
               {9.999999999999999e22, "1e+23"}};
  char text[PERP_NUMBER_ROOM];
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    CHECK_EQUAL_INT(perp_number_print(known[k].value, text), strlen(known[k].text));
    CHECK_EQUAL_TEXT(text, known[k].text);
  }
  perp_random random = perp_random_from(2);
  for (int k = 0; k < 100000; k++) {
    double value;
    const uint64_t bits = perp_random_bits(&random);
    memcpy(&value, &bits, sizeof value);
    if (k % 2)
      value = perp_random_normal(&random) * (k % 3 ? 1 : 1e6);
    if (!isfinite(value))
      continue;
    const int length = perp_number_print(value, text);
    CHECK(length < PERP_NUMBER_ROOM && text[length] == 0);
    CHECK_SAY(same_bits(strtod(text, NULL), value), "%s for %.17g", text, value);
    /* as few digits as the shortest of 15, 16, 17 that the C library would print */
    int needed = 15;
    for (char shorter[64]; needed < 17; needed++) {
      snprintf(shorter, sizeof shorter, "%.*g", needed, value);
      if (same_bits(strtod(shorter, NULL), value))
        break;
    }
    CHECK_SAY(significant_digits(text) <= needed, "%s, though %d digits do", text, needed);
  }
}

static void numbers_any_locale(void)
{
  static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
  bool found = false;
  for (size_t k = 0; k < sizeof comma / sizeof *comma && !found; k++)
    found = setlocale(LC_ALL, comma[k]) && strcmp(localeconv()->decimal_point, ".") != 0;
  if (!found) {
    setlocale(LC_ALL, "C");
    test_skip("no locale with a decimal comma is installed");
  }
  char text[PERP_NUMBER_ROOM];
  const int length = perp_number_print(1.0 / 3 * 1e-40, text);
  double value = 0;
  const bool read = perp_number_parse(text, text + length, &value) == text + length;
  setlocale(LC_ALL, "C");
  CHECK(read && same_bits(value, 1.0 / 3 * 1e-40) && strchr(text, '.'));
}

/* ---- Matrix Market ---- */

static void mtx_good(void)
{
  static const struct {
    const char *text;
    int rows, columns;
    bool sparse;
    double values[9];
  } good[] = {
      {MM "coordinate real general\n2 2 3\n1 1 1\n2 1 2.5\n2 2 -3\n", 2, 2, true, {1, 0, 2.5, -3}},
      {MM "coordinate real general\n2 2 3\n2 2 -3\n2 1 2.5\n1 1 1", 2, 2, true, {1, 0, 2.5, -3}},
      {MM "coordinate integer general\r\n% c\r\n\r\n2 3 2\r\n1 3 7\r\n2 1 -4\r\n",
       2,
       3,
       true,
       {0, 0, 7, -4, 0, 0}},
      {MM "coordinate pattern general\n2 2 2\n1 2\n2 1\n", 2, 2, true, {0, 1, 1, 0}},
      {MM "coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n", 2, 2, true, {0, 1, 1, 1}},
      {MM "coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n",
       3,
       3,
       true,
       {1, 2, 0, 2, 0, 3, 0, 3, 4}},
      {MM "coordinate real skew-symmetric\n2 2 1\n2 1 5\n", 2, 2, true, {0, -5, 5, 0}},
      {MM "array real general\n2 3\n1\n2\n3\n4\n5\n6\n", 2, 3, false, {1, 3, 5, 2, 4, 6}},
      {MM "array real general\n2 3\n1 2\t3\n\n% c\n4\v5 \f6", 2, 3, false, {1, 3, 5, 2, 4, 6}},
      {MM "array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
       3,
       3,
       false,
       {1, 2, 3, 2, 4, 5, 3, 5, 6}},
      {MM "array real skew-symmetric\n3 3\n1\n2\n3\n", 3, 3, false, {0, -1, -2, 1, 0, -3, 2, 3, 0}},
      {"%%matrixMARKET  Matrix\tARRAY Double General \n1 2\n1d1\n-2.5D-1\n",
       1,
       2,
       false,
       {10, -.25}},
      {MM "array unsigned-integer general\n1 1\n3\n", 1, 1, false, {3}},
      {MM "array real general\n2 1\ninf\n-Infinity\n", 2, 1, false, {INFINITY, -INFINITY}},
      {MM "coordinate real general\n0 0 0\n", 0, 0, true, {0}},
      {MM "array real general\n0 0", 0, 0, false, {0}},
      {MM "array real general\n0 1\n", 0, 1, false, {0}},
      {MM "coordinate real general\n3 3 0\n%", 3, 3, true, {0}},
  };
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    perp_mtx m;
    perp_message why = {""};
    const perp_mtx_rule rule = perp_mtx_rule_any("A");
    const perp_error error =
        perp_mtx_parse("f", good[k].text, strlen(good[k].text), &rule, &m, &why);
    CHECK_SAY(!error, "%zu: %s", k, why.text);
    CHECK(m.sparse == good[k].sparse && m.rows == good[k].rows && m.columns == good[k].columns);
    for (int i = 0; i < m.rows; i++)
      for (int j = 0; j < m.columns; j++)
        CHECK_SAY(perp_mtx_entry(&m, i, j) == good[k].values[i * m.columns + j], "%zu: (%d, %d)", k,
                  i, j);
    /* through the other form and back */
    CHECK((m.sparse ? perp_mtx_to_dense(&m, &why) : perp_mtx_to_csr(&m, &why)) == PERP_OK);
    CHECK((m.sparse ? perp_mtx_to_dense(&m, &why) : perp_mtx_to_csr(&m, &why)) == PERP_OK);
    for (int i = 0; i < m.rows; i++)
      for (int j = 0; j < m.columns; j++)
        CHECK(perp_mtx_entry(&m, i, j) == good[k].values[i * m.columns + j]);
    perp_mtx_free(&m);
  }
}

static void mtx_bad(void)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"", "f:1: begins with '', not with '%%MatrixMarket'"},
      {"3 3\n", "f:1: begins with '3', not with '%%MatrixMarket'"},
      {"%%MatrixMarkt matrix\n", "f:1: begins with '%%MatrixMarkt', not with '%%MatrixMarket'"},
      {"%%MatrixMarket vector array real general\n",
       "f:1: object 'vector' is not supported; use 'matrix'"},
      {"%%MatrixMarket\nmatrix array real general\n",
       "f:1: object '' is not supported; use 'matrix'"},
      {MM "list real general\n", "f:1: format 'list' is neither 'coordinate' nor 'array'"},
      {MM "coordinate complex general\n1 1 1\n",
       "f:1: field 'complex' is not supported; use 'real', 'integer' or 'pattern'"},
      {MM "coordinate real hermitian\n1 1 1\n", "f:1: symmetry 'hermitian' is not supported; use "
                                                "'general', 'symmetric' or 'skew-symmetric'"},
      {MM "coordinate real general twice\n", "f:1: 'twice' after the header"},
      {MM "array pattern general\n1 1\n", "f:1: an array cannot be 'pattern'"},
      {MM "coordinate pattern skew-symmetric\n1 1\n", "f:1: a pattern cannot be 'skew-symmetric'"},
      {MM "array real general\n% c\n", "f:3: ends before its line of sizes"},
      {MM "array real general\n2\n1\n2\n", "f:2: the number of columns is missing"},
      {MM "coordinate real general\n2 2\n", "f:2: the number of entries is missing"},
      {MM "array real general\n2 x\n", "f:2: 'x' is not a number of columns"},
      {MM "array real general\n-2 2\n", "f:2: '-2' is not a number of rows"},
      {MM "array real general\n2147483648 1\n", "f:2: '2147483648' is not a number of rows"},
      {MM "array real general\n2 2 4\n", "f:2: '4' after the sizes"},
      {MM "array real general\n3 4\n", "f:2: 3 x 4, but A must be square"},
      {MM "array real symmetric\n3 4\n", "f:2: 3 x 4, but a symmetric matrix is square"},
      {MM "coordinate real general\n2147483647 2147483647 0\n",
       "f:2: 2147483647 x 2147483647 is not plausible: only 1 bytes of entries follow"},
      {MM "coordinate real general\n2 2 99999999999999999\n1 1 1\n",
       "f:4: ends after 1 of 99999999999999999 entries"},
      {MM "array real general\n40000 40000\n1\n2", "f:4: ends after 2 of 1600000000 values"},
      {MM "array real general\n2 2\n1\n2\n3\n", "f:6: ends after 3 of 4 values"},
      {MM "array real general\n1 1\n1\n\n2\n", "f:5: '2' after the last of 1 values"},
      {MM "array real general\n1 1\nabc\n", "f:3: 'abc' is not a number"},
      {MM "array real general\n1 1\n1.5x\n", "f:3: '1.5x' is not a number"},
      {MM "array real general\n1 1\n1,5\n", "f:3: '1,5' is not a number"},
      {MM "array real general\n1 1\n% c\n\nnan\n", "f:5: A = nan"},
      {MM "array real general\n1 1\n-inf\n", "f:3: A = -inf is not finite"},
      {MM "array real general\n1 1\n1e999\n", "f:3: A = 1e999 is not finite"},
      {MM "array integer general\n1 1\n1.5\n", "f:3: A = 1.5 is not a whole number"},
      {MM "array real general\n1 1\n\x01\x80\n", "f:3: '?"
                                                 "?' is not a number"},
      {MM "array real general\n1 1\n12345678901234567890123456789012345678901234567890z\n",
       "f:3: '123456789012345678901234567890123456...' is not a number"},
      {MM "coordinate real general\n2 2 1\n0 1 1\n", "f:3: row index 0 is outside 1..2"},
      {MM "coordinate real general\n2 2 1\n3 1 1\n", "f:3: row index 3 is outside 1..2"},
      {MM "coordinate real general\n2 2 1\n1 9 1\n", "f:3: column index 9 is outside 1..2"},
      {MM "coordinate real general\n2 2 1\n-1 1 1\n", "f:3: '-1' is not a row index in 1..2"},
      {MM "coordinate real general\n2 2 1\n1.0 1 1\n", "f:3: '1.0' is not a row index in 1..2"},
      {MM "coordinate real general\n2 2 1\n1 99999999999 1\n",
       "f:3: '99999999999' is not a column index in 1..2"},
      {MM "coordinate real general\n2 2 1\n1\n", "f:3: the column index is missing"},
      {MM "coordinate real general\n2 2 1\n1 2\n", "f:3: entry (1, 2) has no value"},
      {MM "coordinate real general\n2 2 1\n1 2 3 4\n", "f:3: '4' after entry (1, 2)"},
      {MM "coordinate pattern general\n2 2 1\n1 2 3\n", "f:3: '3' after entry (1, 2)"},
      {MM "coordinate real general\n2 2 1\n1 2 nan\n", "f:3: A = nan"},
      {MM "coordinate real general\n2 2 1\n1 1 1\n2 2 1\n", "f:4: '2' after the last of 1 entries"},
      {MM "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n", "f:5: ends after 2 of 3 entries"},
      {MM "coordinate real general\n2 2 3\n1 1 1\n% c\n2 2 1\n\n1 1 4\n",
       "f:7: entry (1, 1) = 4 is in the file twice"},
      {MM "coordinate real symmetric\n2 2 3\n2 1 1\n2 2 1\n2 1 0\n",
       "f:5: entry (2, 1) = 0 is in the file twice"},
      {MM "coordinate real symmetric\n2 2 1\n1 2 1\n",
       "f:3: entry (1, 2) is above the diagonal, but the file is symmetric"},
      {MM "coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
       "f:3: entry (2, 2) is on the diagonal, but the file is skew-symmetric"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    perp_mtx m;
    perp_message why = {""};
    perp_mtx_rule rule = perp_mtx_rule_any("A");
    rule.square = rule.finite = true;
    CHECK_SAY(perp_mtx_parse("f", bad[k].text, strlen(bad[k].text), &rule, &m, &why) != PERP_OK,
              "accepted: %s", bad[k].text);
    CHECK_EQUAL_TEXT(why.text, bad[k].message);
    CHECK(!m.value && !m.start && !m.column);
  }
}

/* A random coordinate file in random order against the matrix it was made from. */
static void mtx_random(void)
{
  perp_random random = perp_random_from(3);
  static char text[1 << 16];
  for (int round = 0; round < 300; round++) {
    const int m = 1 + perp_random_below(&random, 12), n = 1 + perp_random_below(&random, 12);
    double dense[144] = {0};
    int order[144], count = 0;
    for (int k = 0; k < m * n; k++)
      if (perp_random_below(&random, 3) == 0)
        dense[k] = perp_random_normal(&random), count++;
    perp_random_permutation(&random, m * n, order);
    int length =
        snprintf(text, sizeof text, "%scoordinate real general\n%d %d %d\n", MM, m, n, count);
    for (int k = 0; k < m * n; k++)
      if (dense[order[k]] != 0)
        length += snprintf(text + length, sizeof text - (size_t)length, " %d  %d\t%.17g\n",
                           order[k] / n + 1, order[k] % n + 1, dense[order[k]]);
    perp_mtx matrix;
    const perp_mtx_rule rule = perp_mtx_rule_any("A");
    perp_message why = {""};
    CHECK_SAY(perp_mtx_parse("f", text, (size_t)length, &rule, &matrix, &why) == PERP_OK, "%s",
              why.text);
    CHECK_EQUAL_INT(matrix.entries, count);
    for (int i = 0; i < m; i++) {
      for (int64_t k = matrix.start[i] + 1; k < matrix.start[i + 1]; k++)
        CHECK(matrix.column[k - 1] < matrix.column[k]);
      for (int j = 0; j < n; j++)
        CHECK(perp_mtx_entry(&matrix, i, j) == dense[i * n + j]);
    }
    perp_mtx_free(&matrix);
  }
}

/* ---- Vectors ---- */

static void vectors(void)
{
  fresh_scratch();
  const double values[] = {1, -0.0, 0.1, -1e-300, INFINITY, NAN, 5e-324};
  double *back = NULL;
  int length = 0;
  perp_message why = {""};
  const char *path = in_scratch("v.mtx");
  CHECK(perp_vector_write(path, 7, values, "two\nlines", &why) == PERP_OK);
  CHECK_EQUAL_TEXT(get(path), MM "array real general\n% two\n% lines\n7 1\n1\n-0\n0.1\n-1e-300\n"
                                 "inf\nnan\n4.94065645841247e-324\n");
  CHECK(perp_vector_read(path, -1, &back, &length, &why) == PERP_OK);
  CHECK(length == 7 && isnan(back[5]));
  for (int i = 0; i < 7; i++)
    CHECK(i == 5 || same_bits(values[i], back[i]));
  perp_free(back);
  CHECK(perp_vector_read(path, 7, &back, NULL, NULL) == PERP_OK);
  perp_free(back);
  CHECK(perp_vector_read(path, 6, &back, &length, &why) == PERP_ERROR_PROBLEM && !back);
  CHECK(strstr(why.text, "v.mtx:4: 7 x 1, but the vector must have length 6"));

  put(path, MM "coordinate real general\n1 4 1\n1 3 2\n");
  CHECK(perp_vector_read(path, 4, &back, &length, &why) == PERP_OK && length == 4);
  CHECK(back[0] == 0 && back[2] == 2);
  perp_free(back);
  CHECK(perp_vector_write(path, 0, NULL, NULL, &why) == PERP_OK);
  CHECK(perp_vector_read(path, 0, &back, &length, &why) == PERP_OK && length == 0);
  perp_free(back);
  CHECK(perp_vector_read(in_scratch("gone.mtx"), -1, &back, &length, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "gone.mtx: cannot read: "));
  CHECK(perp_vector_read(scratch, -1, &back, &length, &why) == PERP_ERROR_FILE);
  CHECK(perp_vector_write(in_scratch("no/v.mtx"), 1, values, NULL, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "no/v.mtx: cannot write: "));
  CHECK(perp_vector_write(scratch, 1, values, NULL, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "is a folder"));
  CHECK_EQUAL_INT(count_files(scratch), 1);
}

static void writes_are_whole(void)
{
  fresh_scratch();
  perp_writer writer;
  perp_message why = {""};
  const char *path = in_scratch("v.mtx");
  put(path, "old");
  /* what an interrupted write leaves behind */
  CHECK(perp_writer_open(&writer, path, &why) == PERP_OK);
  for (int k = 0; k < 100000; k++)
    perp_writer_integer(&writer, k);
  CHECK_EQUAL_TEXT(get(path), "old");
  CHECK_EQUAL_INT(count_files(scratch), 2);
  perp_writer_abandon(&writer);
  CHECK_EQUAL_INT(count_files(scratch), 1);
  CHECK_EQUAL_TEXT(get(path), "old");
  /* the old file remains until the new one is committed */
  CHECK(perp_writer_open(&writer, path, &why) == PERP_OK);
  perp_writer_integer(&writer, INT64_MIN);
  CHECK_EQUAL_TEXT(get(path), "old");
  CHECK(perp_writer_commit(&writer, &why) == PERP_OK);
  CHECK_EQUAL_TEXT(get(path), "-9223372036854775808");
  CHECK_EQUAL_INT(count_files(scratch), 1);
  /* links are kept, their targets are replaced */
  const double one = 1;
  CHECK(symlink("v.mtx", in_scratch("link.mtx")) == 0);
  CHECK(perp_vector_write(in_scratch("link.mtx"), 1, &one, NULL, &why) == PERP_OK);
  struct stat status;
  CHECK(lstat(in_scratch("link.mtx"), &status) == 0 && S_ISLNK(status.st_mode));
  CHECK(strstr(get(path), "1 1\n1\n"));
  /* devices are written to, never replaced */
  CHECK(perp_vector_write("/dev/null", 1, &one, NULL, &why) == PERP_OK);
  CHECK(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
  if (stat("/dev/full", &status) == 0) {
    CHECK(perp_vector_write("/dev/full", 1, &one, NULL, &why) == PERP_ERROR_FILE);
    CHECK(strncmp(why.text, "/dev/full: cannot write: ", 25) == 0);
  }
}

static const test_case tests[] = {
    TEST(numbers_parse),      TEST(numbers_refused), TEST(numbers_print),
    TEST(numbers_any_locale), TEST(mtx_good),        TEST(mtx_bad),
    TEST(mtx_random),         TEST(vectors),         TEST(writes_are_whole),
};

TEST_MAIN(tests)
