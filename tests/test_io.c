/* test_io.c: numbers as text, Matrix Market, problem folders, MATLAB files
 *
 * Oracles: strtod and printf of the C library for numbers; matrices assembled here by their
 * definition for operators; a reader of a few scanf lines for the corpus. Values are compared
 * bit by bit. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "io/file.h"
#include "io/mtx.h"
#include <dirent.h>
#include <locale.h>
#include <perp/io.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PERP_TEST_DATA
#define PERP_TEST_DATA "tests"
#endif

/* ---- A scratch folder ---- */

static char scratch[256];

static const char *in_scratch(const char *name)
{
  static char paths[32][512];
  static int next;
  char *path = paths[next++ % 32];
  snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
  return path;
}

static void remove_tree(const char *path)
{
  DIR *folder = opendir(path);
  if (folder) {
    for (struct dirent *entry; (entry = readdir(folder));) {
      char inner[1024];
      if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
        continue;
      snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
      remove_tree(inner);
    }
    closedir(folder);
  }
  remove(path);
}

static void remove_scratch(void)
{
  remove_tree(scratch);
}

static void fresh_scratch(void)
{
  if (!*scratch) {
    /* thousands of files are brought to the disk here, which costs nothing where there is none */
    const char *base = getenv("TMPDIR");
    if (!base || !*base)
      base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(scratch, sizeof scratch, "%.200s/perp-io-XXXXXX", base);
    CHECK(mkdtemp(scratch) && atexit(remove_scratch) == 0);
  } else {
    remove_tree(scratch);
    CHECK(mkdir(scratch, 0777) == 0);
  }
}

static void put(const char *path, const char *text)
{
  FILE *file = fopen(path, "wb");
  CHECK_SAY(file, "%s", path);
  CHECK(fwrite(text, 1, strlen(text), file) == strlen(text));
  CHECK(fclose(file) == 0);
}

static const char *get(const char *path)
{
  static char text[2][1 << 16];
  static int next;
  char *out = text[next++ % 2];
  FILE *file = fopen(path, "rb");
  CHECK_SAY(file, "%s", path);
  out[fread(out, 1, sizeof text[0] - 1, file)] = 0;
  fclose(file);
  return out;
}

/* Files in a folder, those on their way included. */
static int count_files(const char *path)
{
  int count = 0;
  DIR *folder = opendir(path);
  CHECK(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_array(const void *a, const void *b, size_t bytes)
{
  return (!a && !b) || (a && b && memcmp(a, b, bytes) == 0);
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

  /* 1 + 2^-53 exactly, then a nonzero digit far beyond what is kept: rounds up, not to even */
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
  /* not a byte beyond the end is looked at */
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

#define MM "%%MatrixMarket matrix "

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
    CHECK((m.sparse ? perp_mtx_to_dense(&m, "f", &why) : perp_mtx_to_csr(&m, "f", &why)) ==
          PERP_OK);
    CHECK((m.sparse ? perp_mtx_to_dense(&m, "f", &why) : perp_mtx_to_csr(&m, "f", &why)) ==
          PERP_OK);
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
       "f:1: object 'vector' is not read, only 'matrix'"},
      {"%%MatrixMarket\nmatrix array real general\n", "f:1: object '' is not read, only 'matrix'"},
      {MM "list real general\n", "f:1: format 'list' is neither 'coordinate' nor 'array'"},
      {MM "coordinate complex general\n1 1 1\n",
       "f:1: field 'complex' is not read, only 'real', 'integer', 'pattern'"},
      {MM "coordinate real hermitian\n1 1 1\n",
       "f:1: symmetry 'hermitian' is not read, only 'general', 'symmetric', 'skew-symmetric'"},
      {MM "coordinate real general twice\n", "f:1: 'twice' behind the header"},
      {MM "array pattern general\n1 1\n", "f:1: an array cannot be 'pattern'"},
      {MM "coordinate pattern skew-symmetric\n1 1\n", "f:1: a pattern cannot be 'skew-symmetric'"},
      {MM "array real general\n% c\n", "f:3: ends before its line of sizes"},
      {MM "array real general\n2\n1\n2\n", "f:2: the number of columns is missing"},
      {MM "coordinate real general\n2 2\n", "f:2: the number of entries is missing"},
      {MM "array real general\n2 x\n", "f:2: 'x' is not a number of columns"},
      {MM "array real general\n-2 2\n", "f:2: '-2' is not a number of rows"},
      {MM "array real general\n2147483648 1\n", "f:2: '2147483648' is not a number of rows"},
      {MM "array real general\n2 2 4\n", "f:2: '4' behind the sizes"},
      {MM "array real general\n3 4\n", "f:2: 3 x 4, but A must be square"},
      {MM "array real symmetric\n3 4\n", "f:2: 3 x 4, but a symmetric matrix is square"},
      {MM "coordinate real general\n2147483647 2147483647 0\n",
       "f:2: 2147483647 x 2147483647 in a file with 1 bytes of entries"},
      {MM "coordinate real general\n2 2 99999999999999999\n1 1 1\n",
       "f:4: ends after 1 of 99999999999999999 entries"},
      {MM "array real general\n40000 40000\n1\n2", "f:4: ends after 2 of 1600000000 values"},
      {MM "array real general\n2 2\n1\n2\n3\n", "f:6: ends after 3 of 4 values"},
      {MM "array real general\n1 1\n1\n\n2\n", "f:5: '2' behind the last of 1 values"},
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
      {MM "coordinate real general\n2 2 1\n1 2 3 4\n", "f:3: '4' behind entry (1, 2)"},
      {MM "coordinate pattern general\n2 2 1\n1 2 3\n", "f:3: '3' behind entry (1, 2)"},
      {MM "coordinate real general\n2 2 1\n1 2 nan\n", "f:3: A = nan"},
      {MM "coordinate real general\n2 2 1\n1 1 1\n2 2 1\n",
       "f:4: '2' behind the last of 1 entries"},
      {MM "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n", "f:5: ends after 2 of 3 entries"},
      {MM "coordinate real general\n2 2 3\n1 1 1\n% c\n2 2 1\n\n1 1 4\n",
       "f:7: entry (1, 1) = 4 stands in the file twice"},
      {MM "coordinate real symmetric\n2 2 3\n2 1 1\n2 2 1\n2 1 0\n",
       "f:5: entry (2, 1) = 0 stands in the file twice"},
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
  free(back);
  CHECK(perp_vector_read(path, 7, &back, NULL, NULL) == PERP_OK);
  free(back);
  CHECK(perp_vector_read(path, 6, &back, &length, &why) == PERP_ERROR_PROBLEM && !back);
  CHECK(strstr(why.text, "v.mtx:4: 7 x 1, but the vector must have length 6"));

  put(path, MM "coordinate real general\n1 4 1\n1 3 2\n");
  CHECK(perp_vector_read(path, 4, &back, &length, &why) == PERP_OK && length == 4);
  CHECK(back[0] == 0 && back[2] == 2);
  free(back);
  CHECK(perp_vector_write(path, 0, NULL, NULL, &why) == PERP_OK);
  CHECK(perp_vector_read(path, 0, &back, &length, &why) == PERP_OK && length == 0);
  free(back);
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
  /* a finished one still stands beside until it is committed */
  CHECK(perp_writer_open(&writer, path, &why) == PERP_OK);
  perp_writer_integer(&writer, INT64_MIN);
  CHECK(perp_writer_finish(&writer, &why) == PERP_OK);
  CHECK_EQUAL_TEXT(get(path), "old");
  CHECK(perp_writer_commit(&writer, &why) == PERP_OK);
  CHECK_EQUAL_TEXT(get(path), "-9223372036854775808");
  CHECK_EQUAL_INT(count_files(scratch), 1);
  /* links are kept, what they point at is replaced */
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

/* ---- Round trips of problems ---- */

enum { N = 12 };

static double *copy_of(int n, const double *values)
{
  double *copy = perp_alloc_copy(values, (size_t)n, sizeof *copy);
  CHECK(copy);
  return copy;
}

/* Numbers that are hard to write: all exponents, whole numbers, zeros of both signs. */
static double odd_number(perp_random *random)
{
  switch (perp_random_below(random, 6)) {
  case 0:
    return perp_random_below(random, 100) - 50;
  case 1:
    return ldexp(perp_random_normal(random), perp_random_below(random, 1900) - 950);
  case 2:
    return -0.0;
  default:
    return perp_random_normal(random);
  }
}

static double nonzero(perp_random *random)
{
  double value;
  do
    value = odd_number(random);
  while (value == 0);
  return value;
}

/* Vectors of a random form for n rows, into an instance that has its A. */
static void fill_vectors(perp_random *random, int n, int form, perp_instance *p)
{
  double v[N] = {0};
  for (int i = 0; i < n; i++)
    v[i] = odd_number(random);
  p->b = copy_of(n, v);
  if (form >= 1) {
    for (int i = 0; i < n; i++)
      v[i] = perp_random_below(random, 3) ? -fabs(odd_number(random)) : -INFINITY;
    p->lo = copy_of(n, v);
    for (int i = 0; i < n; i++)
      v[i] = perp_random_below(random, 3) ? fabs(odd_number(random)) : INFINITY;
    p->hi = copy_of(n, v);
  }
  if (form == 2 && n > 1) {
    p->findex = perp_alloc((size_t)n, sizeof *p->findex);
    for (int i = 0; i < n; i++)
      p->findex[i] = i == 0 ? -1 : i % 3 == 0 ? -1 : 0;
  }
  if (form == 3) {
    p->cones = n / 3;
    for (int i = 0; i < p->cones; i++)
      v[i] = perp_random_uniform(random);
    p->mu = copy_of(p->cones, v);
  }
  if (form % 2) {
    for (int i = 0; i < n; i++)
      v[i] = odd_number(random);
    p->x = copy_of(n, v);
    p->u = copy_of(n, v);
    p->kind = (perp_kind)(1 + perp_random_below(random, 3));
  }
}

static void check_same_vectors(const perp_instance *p, const perp_instance *q, int n)
{
  const size_t bytes = (size_t)n * sizeof(double);
  CHECK(same_array(p->b, q->b, bytes));
  CHECK(same_array(p->lo, q->lo, bytes));
  CHECK(same_array(p->hi, q->hi, bytes));
  CHECK(same_array(p->x, q->x, bytes));
  CHECK(same_array(p->u, q->u, bytes));
  CHECK(same_array(p->findex, q->findex, (size_t)n * sizeof(int)));
  CHECK_EQUAL_INT(p->cones, q->cones);
  CHECK(same_array(p->mu, q->mu, (size_t)p->cones * sizeof(double)));
}

/* Every entry of A, against the matrix assembled here; 0 and -0 are one where no entry need be
 * stored. */
static void check_matrix(const perp_operator *A, int n, const double *expected)
{
  perp_operator *dense;
  const double *a;
  int64_t stride;
  CHECK(perp_operator_to_dense(A, 0, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(dense, &a, &stride) == PERP_OK);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      CHECK_SAY(a[i * stride + j] == expected[i * n + j], "(%d, %d): %.17g against %.17g", i, j,
                a[i * stride + j], expected[i * n + j]);
  perp_operator_destroy(dense);
}

/* Writes, reads, compares; writes again and compares the bytes. Destroys p. */
static void round_trip(perp_instance *p, const char *kind, int n, const double *expected)
{
  perp_instance q, r;
  perp_message why = {""};
  char first[512], second[512];
  snprintf(first, sizeof first, "%s/p", scratch);
  snprintf(second, sizeof second, "%s/q", scratch);
  CHECK_SAY(perp_folder_write(first, p, &why) == PERP_OK, "%s", why.text);
  CHECK_SAY(perp_folder_read(first, &q, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_TEXT(perp_operator_kind(q.A), kind);
  CHECK_EQUAL_INT(perp_operator_size(q.A), n);
  CHECK_EQUAL_TEXT(q.name, "p");
  CHECK_EQUAL_INT(q.kind, p->kind);
  check_matrix(q.A, n, expected);
  check_same_vectors(p, &q, n);

  CHECK(perp_folder_write(second, &q, &why) == PERP_OK);
  CHECK_EQUAL_INT(count_files(first), count_files(second));
  DIR *folder = opendir(first);
  CHECK(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char name[300];
    /* cells are counted from the first that is used, once they have been read */
    if (entry->d_name[0] == '.' || strcmp(entry->d_name, "cells.mtx") == 0)
      continue;
    snprintf(name, sizeof name, "p/%.250s", entry->d_name);
    const char *text = get(in_scratch(name));
    name[0] = 'q';
    CHECK_EQUAL_TEXT(text, get(in_scratch(name)));
  }
  closedir(folder);
  CHECK(perp_folder_read(second, &r, &why) == PERP_OK);
  check_matrix(r.A, n, expected);
  perp_instance_destroy(&r);
  perp_instance_destroy(&q);
  perp_instance_destroy(p);
}

static void round_trip_dense(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(4);
  for (int round = 0; round < 30; round++) {
    const int n = round % 5 == 4 ? 0 : 1 + perp_random_below(&random, N), stride = n + round % 3;
    double a[N * (N + 2)] = {0}, expected[N * N] = {0};
    perp_instance p = {0};
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const bool mirror = round % 2 && j < i;
        expected[i * n + j] = mirror ? expected[j * n + i] : odd_number(&random);
        a[i * stride + j] = expected[i * n + j];
      }
    CHECK(perp_operator_dense(n, a, stride, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "dense", n, expected);
    CHECK(!strstr(get(in_scratch("p/A.mtx")), "symmetric") == (round % 2 == 0 && n > 1));
  }
}

static void round_trip_sparse(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(5);
  for (int round = 0; round < 30; round++) {
    const int n = round % 10 == 9 ? 0 : 1 + perp_random_below(&random, N);
    int64_t start[N + 1] = {0};
    int column[N * N];
    double value[N * N], expected[N * N] = {0};
    perp_instance p = {0};
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const bool mirror = round % 2 && j < i;
        expected[i * n + j] = mirror                          ? expected[j * n + i]
                              : perp_random_below(&random, 3) ? 0
                                                              : nonzero(&random);
      }
    for (int i = 0; i < n; i++) {
      start[i + 1] = start[i];
      for (int j = 0; j < n; j++)
        if (expected[i * n + j] != 0) {
          column[start[i + 1]] = j;
          value[start[i + 1]++] = expected[i * n + j];
        }
    }
    CHECK(perp_operator_csr(n, start, column, value, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "csr", n, expected);
    if (round % 2)
      CHECK(strstr(get(in_scratch("p/A.mtx")), "coordinate real symmetric"));
  }
}

static void round_trip_blocks(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(6);
  for (int round = 0; round < 20; round++) {
    const int64_t start[] = {0, 2, 3, 5};
    const int column[] = {0, 2, 1, 0, 2};
    double value[45], expected[81] = {0};
    perp_instance p = {0};
    for (int i = 0; i < 3; i++)
      for (int64_t k = start[i]; k < start[i + 1]; k++)
        for (int e = 0; e < 9; e++) {
          value[9 * k + e] = nonzero(&random);
          expected[(3 * i + e / 3) * 9 + 3 * column[k] + e % 3] = value[9 * k + e];
        }
    CHECK(perp_operator_bsr(3, 3, start, column, value, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, 9, round % 4, &p);
    round_trip(&p, "csr", 9, expected);
  }
}

static void shell_apply(void *context, const double *x, double *y)
{
  const double *a = context;
  for (int i = 0; i < 3; i++)
    y[i] = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
}

static void round_trip_shell(void)
{
  fresh_scratch();
  double a[9] = {4, -1, 0, 0.1, 5, 0, -1.0 / 3, 0, 6};
  const perp_shell shell = {.context = a, .apply = shell_apply};
  perp_random random = perp_random_from(7);
  perp_instance p = {0};
  CHECK(perp_operator_shell(3, &shell, &p.A, NULL) == PERP_OK);
  fill_vectors(&random, 3, 1, &p);
  round_trip(&p, "csr", 3, a);
}

/* Random grids with holes, unknowns in random order, weights and diagonal at random. */
static void round_trip_stencil(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(8);
  for (int round = 0; round < 40; round++) {
    const bool solid = round % 2;
    const int nx = 1 + perp_random_below(&random, 3), ny = 1 + perp_random_below(&random, 3);
    const int nz = solid ? 2 + perp_random_below(&random, 2) : 1, count = nx * ny * nz;
    double w[3][27], diagonal[27], expected[N * N] = {0};
    int cells[27], n = 0, order[27];
    perp_instance p = {0};
    perp_random_permutation(&random, count, order);
    for (int k = 0; k < count; k++) {
      for (int d = 0; d < 3; d++)
        w[d][k] = nonzero(&random);
      diagonal[k] = nonzero(&random);
      if (n < N && (round % 3 || perp_random_below(&random, 2)))
        cells[n++] = round % 4 < 2 ? order[k] : k;
    }
    for (int u = 0; u < n; u++)
      for (int v = 0; v < n; v++) {
        const int c = cells[u], e = cells[v], low = c < e ? c : e;
        const int di = abs(c % nx - e % nx), dj = abs(c / nx % ny - e / nx % ny);
        const int dk = abs(c / nx / ny - e / nx / ny);
        if (u == v)
          expected[u * n + v] = diagonal[c];
        else if (di + dj + dk == 1)
          expected[u * n + v] = -w[di ? 0 : dj ? 1 : 2][low];
      }
    const perp_stencil_data data = {.nx = nx,
                                    .ny = ny,
                                    .nz = nz,
                                    .unknowns = n,
                                    .cells = cells,
                                    .wx = w[0],
                                    .wy = w[1],
                                    .wz = w[2],
                                    .diagonal = diagonal};
    CHECK(perp_operator_stencil(&data, PERP_COPY, &p.A, NULL) == PERP_OK);
    check_matrix(p.A, n, expected);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "stencil", n, expected);
  }
  /* the full grid in order, without a list of cells */
  const perp_stencil_data full = {.nx = 4, .ny = 3, .nz = 1, .weight = 0.5};
  double expected[144] = {0};
  perp_instance p = {0};
  for (int u = 0; u < 12; u++)
    for (int v = 0; v < 12; v++)
      expected[u * 12 + v] = u == v ? 2 : abs(u % 4 - v % 4) + abs(u / 4 - v / 4) == 1 ? -0.5 : 0;
  CHECK(perp_operator_stencil(&full, PERP_COPY, &p.A, NULL) == PERP_OK);
  fill_vectors(&random, 12, 1, &p);
  round_trip(&p, "stencil", 12, expected);
  perp_stencil_data read;
  CHECK(perp_folder_read(in_scratch("q"), &p, NULL) == PERP_OK);
  CHECK(perp_operator_stencil_data(p.A, &read) == PERP_OK);
  CHECK(read.nx == 4 && read.ny == 3 && read.nz == 1);
  perp_instance_destroy(&p);
}

static void round_trip_contact(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(9);
  for (int round = 0; round < 20; round++) {
    const int n = 1 + perp_random_below(&random, N), m = 6;
    const int block_start[] = {0, 1, 3, 6};
    const int64_t M_at[] = {0, 1, 5};
    double J[N * 6] = {0}, Minv[14], C[N * N] = {0}, M[36] = {0}, expected[N * N] = {0};
    int64_t J_start[N + 1] = {0}, C_start[N + 1] = {0};
    int J_column[N * 6], C_column[N * N];
    double J_value[N * 6], C_value[N * N];
    perp_instance p = {0};
    /* eighths, so that every sum is exact whatever its order */
    for (int b = 0; b < 3; b++) {
      const int size = block_start[b + 1] - block_start[b];
      for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
          const double v = i == j ? 8 + i : perp_random_below(&random, 3) * 0.125;
          Minv[M_at[b] + i * size + j] = Minv[M_at[b] + j * size + i] = v;
          M[(block_start[b] + i) * m + block_start[b] + j] = v;
          M[(block_start[b] + j) * m + block_start[b] + i] = v;
        }
    }
    for (int i = 0; i < n; i++) {
      J_start[i + 1] = J_start[i];
      for (int j = 0; j < m; j++)
        if (perp_random_below(&random, 2)) {
          J[i * m + j] = (1 + perp_random_below(&random, 16)) * 0.125;
          J_column[J_start[i + 1]] = j;
          J_value[J_start[i + 1]++] = J[i * m + j];
        }
      C_start[i + 1] = C_start[i] + 1;
      C_column[i] = i;
      C_value[i] = C[i * n + i] = 0.125 * (1 + i);
    }
    const bool compliant = round % 2;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        expected[i * n + j] = compliant ? C[i * n + j] : 0;
        for (int k = 0; k < m; k++)
          for (int l = 0; l < m; l++)
            expected[i * n + j] += J[i * m + k] * M[k * m + l] * J[j * m + l];
      }
    const perp_contact_data data = {.rows = n,
                                    .velocities = m,
                                    .J_start = J_start,
                                    .J_column = J_column,
                                    .J_value = J_value,
                                    .blocks = 3,
                                    .block_start = block_start,
                                    .Minv = Minv,
                                    .C_start = compliant ? C_start : NULL,
                                    .C_column = C_column,
                                    .C_value = C_value};
    CHECK(perp_operator_contact(&data, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "contact", n, expected);
    struct stat status;
    CHECK(stat(in_scratch("p/A.mtx"), &status) != 0);
    CHECK((stat(in_scratch("p/C.mtx"), &status) == 0) == compliant);

    /* the parts themselves, zeros in blocks of Minv included */
    perp_contact_data read;
    CHECK(perp_folder_read(in_scratch("p"), &p, NULL) == PERP_OK);
    CHECK(perp_operator_contact_data(p.A, &read) == PERP_OK);
    CHECK(read.rows == n && read.velocities == m && read.blocks == 3);
    CHECK(same_array(read.J_value, J_value, (size_t)J_start[n] * sizeof(double)));
    CHECK(same_array(read.block_start, block_start, sizeof block_start));
    CHECK(same_array(read.Minv, Minv, sizeof Minv));
    perp_instance_destroy(&p);
  }
}

static void stale_files_go(void)
{
  fresh_scratch();
  perp_message why = {""};
  perp_instance p = {0}, q;
  const double a[4] = {2, 1, 0, 2}, b[2] = {-1, -1};
  CHECK(perp_operator_dense(2, a, 2, PERP_COPY, &p.A, NULL) == PERP_OK);
  p.b = copy_of(2, b);
  CHECK(mkdir(in_scratch("p"), 0777) == 0);
  static const char *const stale[] = {"cells.mtx", "J.mtx",  "Minv.mtx",   "C.mtx",
                                      "lo.mtx",    "hi.mtx", "findex.mtx", "mu.mtx",
                                      "x.mtx",     "u.mtx",  "kind.txt"};
  for (size_t k = 0; k < sizeof stale / sizeof *stale; k++) {
    char name[32];
    snprintf(name, sizeof name, "p/%s", stale[k]);
    put(in_scratch(name), "stale");
  }
  put(in_scratch("p/notes.txt"), "mine");
  CHECK_SAY(perp_folder_write(in_scratch("p"), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_INT(count_files(in_scratch("p")), 3); /* A, b and what is not perp's */
  CHECK_EQUAL_TEXT(get(in_scratch("p/A.mtx")), MM "array real general\n2 2\n2\n0\n1\n2\n");

  /* a write that fails half way, at x.mtx, leaves the old problem */
  CHECK(mkdir(in_scratch("p/x.mtx"), 0777) == 0);
  p.x = copy_of(2, b);
  p.b[0] = 77;
  CHECK(perp_folder_write(in_scratch("p"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "p/x.mtx: is a folder"));
  CHECK_EQUAL_INT(count_files(in_scratch("p")), 4);
  CHECK(rmdir(in_scratch("p/x.mtx")) == 0);
  CHECK(perp_folder_read(in_scratch("p"), &q, &why) == PERP_OK && q.b[0] == -1);
  perp_instance_destroy(&q);

  CHECK(perp_folder_write(in_scratch("no/p"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "no/p: cannot make the folder: "));
  CHECK(perp_folder_write(in_scratch("p/b.mtx"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "p/b.mtx: is not a folder"));
  perp_instance_destroy(&p);
}

/* ---- Folders as others write them ---- */

typedef struct {
  const char *name, *text;
} entry;

static const char *make_folder(const entry *files, size_t count)
{
  fresh_scratch();
  CHECK(mkdir(in_scratch("p"), 0777) == 0);
  for (size_t k = 0; k < count && files[k].name; k++) {
    char name[64];
    snprintf(name, sizeof name, "p/%s", files[k].name);
    if (files[k].text)
      put(in_scratch(name), files[k].text);
    else
      CHECK(mkdir(in_scratch(name), 0777) == 0);
  }
  return in_scratch("p");
}

#define A2                                                                                         \
  {                                                                                                \
    "A.mtx", MM "array real general\n2 2\n2\n1\n1\n2\n"                                            \
  }
#define B2                                                                                         \
  {                                                                                                \
    "b.mtx", MM "array real general\n2 1\n-1\n-1\n"                                                \
  }
#define A3                                                                                         \
  {                                                                                                \
    "A.mtx", MM "coordinate real general\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n"                            \
  }
#define B3                                                                                         \
  {                                                                                                \
    "b.mtx", MM "array real general\n3 1\n-1\n-1\n-1\n"                                            \
  }
#define COLUMN(n) MM "array real general\n" #n " 1\n"
#define J2                                                                                         \
  {                                                                                                \
    "J.mtx", MM "coordinate real general\n2 3 2\n1 1 1\n2 3 1\n"                                   \
  }
#define M3                                                                                         \
  {                                                                                                \
    "Minv.mtx", MM "coordinate real symmetric\n3 3 4\n1 1 1\n2 2 1\n3 3 1\n3 2 0.5\n"              \
  }

static void folders_refused(void)
{
  static const struct {
    entry files[5];
    const char *message; /* behind the folder's path */
  } bad[] = {
      {{B2}, ": has neither A.mtx nor J.mtx"},
      {{A2}, ": has no b.mtx"},
      {{{"A.mtx", NULL}, B2}, "/A.mtx: cannot read: Is a directory"},
      {{{"A.mtx", MM "array real general\n3 4\n"}, B3}, "/A.mtx:2: 3 x 4, but A must be square"},
      {{{"A.mtx", MM "array real general\n1 1\nnan\n"}, B2}, "/A.mtx:3: A = nan"},
      {{A2, B3}, "/b.mtx:2: 3 x 1, but b must have length 2"},
      {{A2, {"b.mtx", COLUMN(2) "1\ninf\n"}}, "/b.mtx:4: b = inf is not finite"},
      {{A2, {"b.mtx", MM "array real general\n2 2\n"}}, "/b.mtx:2: 2 x 2, but b must be a vector"},
      {{A2, B2, {"lo.mtx", COLUMN(2) "0\nnan\n"}}, "/lo.mtx:4: lo = nan"},
      {{A2, B2, {"lo.mtx", COLUMN(1) "0\n"}}, "/lo.mtx:2: 1 x 1, but lo must have length 2"},
      {{A2, B2, {"hi.mtx", COLUMN(3) "0\n"}}, "/hi.mtx:2: 3 x 1, but hi must have length 2"},
      {{A2, B2, {"x.mtx", COLUMN(2) "0\nx\n"}}, "/x.mtx:4: 'x' is not a number"},
      {{A2, B2, {"u.mtx", COLUMN(2) "0\n"}}, "/u.mtx:4: ends after 1 of 2 values"},
      {{A3, B3, {"findex.mtx", COLUMN(3) "-1\n0.5\n-1\n"}},
       "/findex.mtx:4: findex = 0.5 is not a whole number"},
      {{A3, B3, {"findex.mtx", COLUMN(3) "-1\n3\n-1\n"}},
       "/findex.mtx:4: findex = 3 is outside -1..2"},
      {{A3, B3, {"findex.mtx", COLUMN(3) "-2\n-1\n-1\n"}},
       "/findex.mtx:3: findex = -2 is outside -1..2"},
      {{A3, B3, {"mu.mtx", COLUMN(1) "-0.5\n"}}, "/mu.mtx:3: mu = -0.5 is outside 0..inf"},
      {{A3, B3, {"mu.mtx", COLUMN(2) "1\n1\n"}}, "/mu.mtx: 2 contacts of 3 rows, but A has 3"},
      {{A2, B2, {"kind.txt", "solved\n"}},
       "/kind.txt:1: 'solved' is not one of solvable, multiple, infeasible"},
      {{A2, B2, {"kind.txt", ""}}, "/kind.txt:1: '' is not one of solvable, multiple, infeasible"},
      {{A2, B2, {"kind.txt", "solvable twice"}},
       "/kind.txt:1: 'solvable' and what follows is not one of solvable, multiple, infeasible"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 1\n0\n1\n"}},
       "/cells.mtx: 1 columns, but a cell has 2 or 3 coordinates"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n3 2\n0\n1\n2\n0\n0\n0\n"}},
       "/cells.mtx:2: 3 x 2, but cells must be 2 x 2"},
      {{A2, B2, {"cells.mtx", MM "array real general\n2 2\n0\n0.5\n0\n0\n"}},
       "/cells.mtx:4: cells = 0.5 is not a whole number"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 2\n0\n2\n0\n0\n"}},
       "/A.mtx: entry (0, 1) = 1 couples cells that share no face in cells.mtx"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 2\n0\n1\n0\n1\n"}},
       "/A.mtx: entry (0, 1) = 1 couples cells that share no face in cells.mtx"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 2\n0\n2000000000\n0\n0\n"}},
       "/cells.mtx: 2 unknowns are scattered over more than 1049088 cells"},
      {{{"A.mtx", MM "array real general\n2 2\n2\n-1\n-3\n2\n"},
        B2,
        {"cells.mtx", MM "array integer general\n2 2\n0\n1\n0\n0\n"}},
       "/A.mtx: entries (0, 1) = -3 and (1, 0) = -1 differ, but with cells.mtx A must be "
       "symmetric"},
      {{{"A.mtx", MM "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n2 1 -1\n"},
        B2,
        {"cells.mtx", MM "array integer general\n2 2\n0\n1\n0\n0\n"}},
       "/A.mtx: entries (1, 0) = -1 and (0, 1) = 0 differ, but with cells.mtx A must be "
       "symmetric"},
      {{J2, M3, A2, B2}, ": holds both A.mtx and J.mtx"},
      {{J2, B2}, ": has J.mtx, but no Minv.mtx"},
      {{J2, {"Minv.mtx", MM "array real general\n2 2\n1\n0\n0\n1\n"}, B2},
       "/Minv.mtx:2: 2 x 2, but Minv must be 3 x 3"},
      {{J2, M3, {"C.mtx", MM "coordinate real general\n3 3 0\n"}, B2},
       "/C.mtx:2: 3 x 3, but C must be 2 x 2"},
      {{J2, M3, {"C.mtx", MM "coordinate real general\n2 2 1\n1 1 inf\n"}, B2},
       "/C.mtx:3: C = inf is not finite"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const char *path = make_folder(bad[k].files, 5);
    perp_instance p;
    perp_message why = {""};
    char expected[1024];
    CHECK_SAY(perp_folder_read(path, &p, &why) != PERP_OK, "accepted: %s", bad[k].message);
    snprintf(expected, sizeof expected, "%s%s", path, bad[k].message);
    CHECK_EQUAL_TEXT(why.text, expected);
    CHECK(!p.A && !p.b);
  }

  /* what perp_problem_check finds is named with the folder */
  static const entry crossed[] = {
      A2, B2, {"lo.mtx", COLUMN(2) "0\n3\n"}, {"hi.mtx", COLUMN(2) "1\n2\n"}};
  perp_instance p;
  perp_message why = {""};
  const char *path = make_folder(crossed, 4);
  CHECK(perp_folder_read(path, &p, &why) == PERP_ERROR_PROBLEM);
  CHECK_SAY(strncmp(why.text, path, strlen(path)) == 0 && strstr(why.text, "3"), "%s", why.text);

  CHECK(perp_folder_read(in_scratch("gone"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "gone: there is no such folder"));
  CHECK(perp_folder_read(in_scratch("p/b.mtx"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "p/b.mtx: is not a folder"));
  CHECK(perp_folder_read(in_scratch("p/b.mtx/x"), &p, &why) == PERP_ERROR_FILE);

  /* a very long path does not push the message out */
  char endless[4000];
  memset(endless, 'x', sizeof endless);
  for (int k = 100; k < 3900; k += 100)
    endless[k] = '/';
  endless[3999] = 0;
  CHECK(perp_folder_read(endless, &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "there is no such folder"));
}

static void folders_read(void)
{
  perp_instance p;
  perp_message why = {""};
  const entry plain[] = {A3,
                         B3,
                         {"lo.mtx", COLUMN(3) "-1e300\n-1e299\n-inf\n"},
                         {"hi.mtx", COLUMN(3) "1e308\n1\nInf\n"},
                         {"findex.mtx", MM "array integer general\n3 1\n-1\n-1\n-1\n"},
                         {"kind.txt", "  multiple \r\n"}};
  CHECK_SAY(perp_folder_read(make_folder(plain, 6), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "csr");
  CHECK(p.lo[0] == -INFINITY && p.lo[1] == -1e299 && p.lo[2] == -INFINITY);
  CHECK(p.hi[0] == INFINITY && p.hi[1] == 1 && p.hi[2] == INFINITY);
  CHECK(!p.findex && !p.mu && !p.x && !p.u && p.kind == PERP_KIND_MULTIPLE);
  perp_instance_destroy(&p);

  const entry friction[] = {A3,
                            B3,
                            {"lo.mtx", COLUMN(3) "0\n-0.5\n-0.5\n"},
                            {"hi.mtx", COLUMN(3) "inf\n0.5\n0.5\n"},
                            {"findex.mtx", COLUMN(3) "-1\n0\n0\n"}};
  CHECK_SAY(perp_folder_read(make_folder(friction, 5), &p, &why) == PERP_OK, "%s", why.text);
  CHECK(p.findex && p.findex[0] == -1 && p.findex[1] == 0 && p.findex[2] == 0);
  perp_instance_destroy(&p);

  const entry empty[] = {{"A.mtx", MM "array real general\n0 0\n"},
                         {"b.mtx", MM "array real general\n0 1\n"},
                         {"findex.mtx", MM "array integer general\n0 1\n"}};
  CHECK_SAY(perp_folder_read(make_folder(empty, 3), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_INT(perp_operator_size(p.A), 0);
  perp_instance_destroy(&p);

  /* cells count from anywhere; here from (1, 5), as Octave might write them */
  const entry stencil[] = {A2, B2, {"cells.mtx", MM "array real general\n2 2\n1\n1\n6\n5\n"}};
  const double expected[] = {2, 1, 1, 2};
  CHECK_SAY(perp_folder_read(make_folder(stencil, 3), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "stencil");
  check_matrix(p.A, 2, expected);
  perp_instance_destroy(&p);

  /* J Minv J^T with blocks {0}, {1, 2}, and no C */
  const entry contact[] = {J2, M3, B2};
  const double delassus[] = {1, 0, 0, 1};
  perp_contact_data data;
  CHECK_SAY(perp_folder_read(make_folder(contact, 3), &p, &why) == PERP_OK, "%s", why.text);
  check_matrix(p.A, 2, delassus);
  CHECK(perp_operator_contact_data(p.A, &data) == PERP_OK);
  CHECK(data.blocks == 2 && data.block_start[1] == 1 && !data.C_start);
  perp_instance_destroy(&p);
}

/* ---- The corpus, against a reader of a few lines ---- */

static double *read_simply(const char *path, int *rows, int *columns)
{
  char line[1024], format[32], field[32], symmetry[32];
  FILE *file = fopen(path, "r");
  CHECK_SAY(file, "%s", path);
  CHECK(fgets(line, sizeof line, file));
  CHECK(sscanf(line, "%%%%MatrixMarket matrix %31s %31s %31s", format, field, symmetry) == 3);
  do
    CHECK(fgets(line, sizeof line, file));
  while (line[0] == '%');
  const bool general = strcmp(symmetry, "general") == 0;
  long count = 0;
  CHECK(sscanf(line, "%d %d %ld", rows, columns, &count) >= 2);
  double *a = calloc((size_t)*rows * (size_t)*columns + 1, sizeof *a), v;
  CHECK(a);
  if (strcmp(format, "array") == 0) {
    for (int j = 0; j < *columns; j++)
      for (int i = general ? 0 : j; i < *rows; i++) {
        CHECK(fscanf(file, "%lf", &v) == 1);
        a[i * *columns + j] = v;
        if (!general)
          a[j * *columns + i] = v;
      }
  } else {
    for (int i, j; count > 0; count--) {
      CHECK(fscanf(file, "%d %d %lf", &i, &j, &v) == 3);
      a[(i - 1) * *columns + j - 1] = v;
      if (!general)
        a[(j - 1) * *columns + i - 1] = v;
    }
  }
  fclose(file);
  return a;
}

static void compare_simply(const char *folder)
{
  perp_instance p;
  perp_message why = {""};
  char path[1200];
  int rows, columns;
  CHECK_SAY(perp_folder_read(folder, &p, &why) == PERP_OK, "%s", why.text);
  const int n = perp_operator_size(p.A);
  snprintf(path, sizeof path, "%s/A.mtx", folder);
  double *a = read_simply(path, &rows, &columns);
  CHECK(rows == n && columns == n);
  check_matrix(p.A, n, a);
  free(a);
  snprintf(path, sizeof path, "%s/b.mtx", folder);
  a = read_simply(path, &rows, &columns);
  CHECK(rows * columns == n && same_array(a, p.b, (size_t)n * sizeof *a));
  free(a);
  perp_instance_destroy(&p);
}

static void corpus(void)
{
  const char *root = getenv("PERP_CORPUS");
  static const char *const parts[] = {"dart", "siconos"};
  if (!root || !*root)
    root = PERP_TEST_DATA "/../../shared/corpus";
  int count = 0;
  for (size_t k = 0; k < 2; k++) {
    char part[512];
    snprintf(part, sizeof part, "%.400s/%s", root, parts[k]);
    DIR *folder = opendir(part);
    for (struct dirent *inner; folder && (inner = readdir(folder));) {
      char path[1024];
      struct stat status;
      if (inner->d_name[0] == '.')
        continue;
      snprintf(path, sizeof path, "%s/%s", part, inner->d_name);
      if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        continue;
      compare_simply(path);
      count++;
    }
    if (folder)
      closedir(folder);
  }
  if (count == 0)
    test_skip("no corpus beside the repository");
  CHECK(count > 0);
}

/* ---- MATLAB files ---- */

static bool mat_missing(void)
{
  perp_instance p;
  perp_message why = {""};
  fresh_scratch();
  if (perp_mat_read(in_scratch("gone.mat"), &p, &why) != PERP_ERROR_BACKEND) {
    CHECK(strstr(why.text, "gone.mat: there is no such file"));
    return false;
  }
  CHECK(strstr(why.text, "gone.mat: perp was built without libmatio"));
  return true;
}

static void mat_round_trip(void)
{
  if (mat_missing())
    test_skip("built without libmatio");
  perp_random random = perp_random_from(11);
  for (int round = 0; round < 60; round++) {
    const int n = round == 30 ? 0 : 1 + perp_random_below(&random, N);
    int64_t start[N + 1] = {0};
    int column[N * N];
    double value[N * N], expected[N * N] = {0};
    perp_instance p = {0}, q;
    perp_message why = {""};
    for (int i = 0; i < n; i++) {
      start[i + 1] = start[i];
      for (int j = 0; j < n; j++) {
        if (round % 10 == 9 || perp_random_below(&random, 2) == 0)
          continue;
        expected[i * n + j] = nonzero(&random);
        column[start[i + 1]] = j;
        value[start[i + 1]++] = expected[i * n + j];
      }
    }
    const bool sparse = round % 2;
    CHECK((sparse ? perp_operator_csr(n, start, column, value, PERP_COPY, &p.A, NULL)
                  : perp_operator_dense(n, expected, n, PERP_COPY, &p.A, NULL)) == PERP_OK);
    fill_vectors(&random, n, round / 2 % 4, &p);
    CHECK_SAY(perp_mat_write(in_scratch("p.mat"), &p, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_mat_read(in_scratch("p.mat"), &q, &why) == PERP_OK, "%d: %s", round, why.text);
    CHECK_EQUAL_TEXT(perp_operator_kind(q.A), sparse ? "csr" : "dense");
    check_matrix(q.A, n, expected);
    check_same_vectors(&p, &q, n);
    CHECK_EQUAL_INT(count_files(scratch), 1);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

static void mat_refused(void)
{
  if (mat_missing())
    test_skip("built without libmatio");
  const double a[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  static const struct {
    int part; /* whose second number is made bad */
    double value;
    const char *message;
  } bad[] = {{0, NAN, ".mat: b: entry (1, 0) = nan is not finite"},
             {0, INFINITY, ".mat: b: entry (1, 0) = inf is not finite"},
             {1, NAN, ".mat: lo: entry (1, 0) = nan is not finite"},
             {2, 7, ".mat: findex: entry (1, 0) = 7 is outside -1..2"},
             {3, -1, ".mat: mu: entry (0, 0) = -1 is outside 0..inf"},
             {4, NAN, ".mat: x: entry (1, 0) = nan is not finite"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    perp_instance p = {0}, q;
    perp_message why = {""};
    const double zeros[3] = {0};
    CHECK(perp_operator_dense(3, a, 3, PERP_COPY, &p.A, NULL) == PERP_OK);
    p.b = copy_of(3, zeros);
    p.lo = copy_of(3, zeros);
    p.x = copy_of(3, zeros);
    if (bad[k].part == 0)
      p.b[1] = bad[k].value;
    if (bad[k].part == 1)
      p.lo[1] = bad[k].value;
    if (bad[k].part == 2) {
      const int findex[3] = {-1, (int)bad[k].value, -1};
      p.findex = perp_alloc_copy(findex, 3, sizeof *findex);
    }
    if (bad[k].part == 3) {
      p.mu = copy_of(1, &bad[k].value);
      p.cones = 1;
    }
    if (bad[k].part == 4)
      p.x[1] = bad[k].value;
    CHECK(perp_mat_write(in_scratch("p.mat"), &p, &why) == PERP_OK);
    CHECK(perp_mat_read(in_scratch("p.mat"), &q, &why) == PERP_ERROR_PROBLEM);
    CHECK_SAY(strstr(why.text, bad[k].message), "%s", why.text);
    CHECK(!q.A);
    perp_instance_destroy(&p);
  }
  perp_instance q;
  perp_message why = {""};
  put(in_scratch("t.mat"), "this is no MATLAB file");
  CHECK(perp_mat_read(in_scratch("t.mat"), &q, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "t.mat: "));
}

static const test_case tests[] = {
    TEST(numbers_parse),
    TEST(numbers_refused),
    TEST(numbers_print),
    TEST(numbers_any_locale),
    TEST(mtx_good),
    TEST(mtx_bad),
    TEST(mtx_random),
    TEST(vectors),
    TEST(writes_are_whole),
    TEST(round_trip_dense),
    TEST(round_trip_sparse),
    TEST(round_trip_blocks),
    TEST(round_trip_shell),
    TEST(round_trip_stencil),
    TEST(round_trip_contact),
    TEST(stale_files_go),
    TEST(folders_refused),
    TEST(folders_read),
    TEST(corpus),
    TEST(mat_round_trip),
    TEST(mat_refused),
};

TEST_MAIN(tests)
