/* test_mps.c: MPS and QPS files against programs that are written in both formats, and bad files */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include "base/message.h"
#include "base/random.h"
#include "io/structure.h"

#include <stdarg.h>
#include <unistd.h>

enum { MOST = 12 };

/* A program with its text. */
typedef struct {
  int n, m;
  double q[MOST], l[MOST], u[MOST], lb[MOST], ub[MOST], constant;
  double G[MOST][MOST], P[MOST][MOST];
  bool maximise;
  char text[65536];
  size_t used;
} sample;

PERP_CHECK_FORMAT(2, 3)
static void say(sample *s, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  s->used += (size_t)vsnprintf(s->text + s->used, sizeof s->text - s->used, format, arguments);
  va_end(arguments);
}

static int pick(perp_random *random, int n)
{
  return (int)(perp_random_uniform(random) * n);
}

/* A number that 12 columns hold exactly. */
static double number(perp_random *random)
{
  return (double)(pick(random, 20001) - 10000) / 64;
}

/* A line of a column, a set or a bound; in fixed format names have a blank in them. */
static void card(sample *s, bool fixed, const char *type, const char *name, const char *of,
                 double v)
{
  if (fixed)
    say(s, " %-2s %-8s  %-8s  %12.9g\n", type, name, of, v);
  else
    say(s, " %s %s %s %.17g\n", type, name, of, v);
}

static void row_name(bool fixed, int i, char *name)
{
  snprintf(name, 16, i < 0 ? "cost" : fixed ? "R %d" : "row_%d", i);
}

static void write_rows(sample *s, perp_random *random, bool fixed, char *types, double *ranges)
{
  char name[16];
  say(s, "ROWS\n");
  for (int i = -1; i < s->m; i++) {
    row_name(fixed, i, name);
    const char type = i < 0 ? 'N' : "LGE"[pick(random, 3)];
    say(s, fixed ? " %c  %s\n" : " %c %s\n", type, name);
    if (i < 0)
      continue;
    types[i] = type;
    const double b = number(random), range = pick(random, 2) ? number(random) : 0;
    ranges[i] = range;
    s->l[i] = type == 'L' ? (range != 0 ? b - fabs(range) : -INFINITY) : b;
    s->u[i] = type == 'G' ? (range != 0 ? b + fabs(range) : INFINITY) : b;
    if (type == 'E' && range > 0)
      s->u[i] = b + range;
    if (type == 'E' && range < 0)
      s->l[i] = b + range;
  }
}

static void write_columns(sample *s, perp_random *random, bool fixed)
{
  char row[16], column[16];
  say(s, "COLUMNS\n");
  for (int j = 0; j < s->n; j++) {
    snprintf(column, sizeof column, fixed ? "x %d" : "x%d", j);
    s->q[j] = number(random);
    card(s, fixed, "", column, "cost", s->q[j]);
    for (int i = 0; i < s->m; i++) {
      s->G[i][j] = 0;
      row_name(fixed, i, row);
      for (int twice = pick(random, 4); twice > 1; twice--) { /* none, one or two entries */
        const double v = number(random);
        card(s, fixed, "", column, row, v);
        s->G[i][j] += v;
      }
    }
  }
}

static void write_bounds(sample *s, perp_random *random, bool fixed)
{
  char column[16];
  say(s, "BOUNDS\n");
  for (int j = 0; j < s->n; j++) {
    snprintf(column, sizeof column, fixed ? "x %d" : "x%d", j);
    s->lb[j] = 0;
    s->ub[j] = INFINITY;
    const double v = number(random);
    switch (pick(random, 6)) {
    case 0:
      card(s, fixed, "LO", "B", column, s->lb[j] = v);
      break;
    case 1:
      card(s, fixed, "UP", "B", column, s->ub[j] = v);
      s->lb[j] = v < 0 ? -INFINITY : 0;
      break;
    case 2:
      card(s, fixed, "FX", "B", column, s->lb[j] = s->ub[j] = v);
      break;
    case 3:
      say(s, fixed ? " FR B         %s\n" : " FR B %s\n", column);
      s->lb[j] = -INFINITY;
      break;
    case 4:
      card(s, fixed, "LO", "B", column, s->lb[j] = v);
      card(s, fixed, "UP", "B", column, s->ub[j] = v + 1);
      break;
    default:
      break;
    }
  }
}

static void write_quadratic(sample *s, perp_random *random, bool fixed)
{
  char a[16], b[16];
  const bool both = pick(random, 2);
  say(s, both ? "QMATRIX\n" : "QUADOBJ\n");
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j <= i; j++) {
      s->P[i][j] = s->P[j][i] = 0;
      if (pick(random, 3))
        continue;
      const double v = s->P[i][j] = s->P[j][i] = number(random);
      snprintf(a, sizeof a, fixed ? "x %d" : "x%d", i);
      snprintf(b, sizeof b, fixed ? "x %d" : "x%d", j);
      card(s, fixed, "", a, b, v);
      if (both && i != j)
        card(s, fixed, "", b, a, v);
    }
}

static void write_sample(sample *s, perp_random *random, bool fixed)
{
  char types[MOST], name[16];
  double ranges[MOST];
  s->used = 0;
  s->n = 1 + pick(random, MOST);
  s->m = pick(random, MOST);
  s->maximise = pick(random, 2);
  say(s, "NAME          RANDOM\n");
  if (s->maximise)
    say(s, "OBJSENSE\n    MAX\n");
  write_rows(s, random, fixed, types, ranges);
  write_columns(s, random, fixed);
  s->constant = number(random);
  say(s, "RHS\n");
  for (int i = -1; i < s->m; i++) {
    row_name(fixed, i, name);
    const double side = i < 0                                                   ? -s->constant
                        : types[i] == 'L' || (types[i] == 'E' && ranges[i] < 0) ? s->u[i]
                                                                                : s->l[i];
    const int part = pick(random, 3); /* of two entries that are added */
    card(s, fixed, "", "B", name, side - part);
    if (part > 0)
      card(s, fixed, "", "B", name, part);
  }
  card(s, fixed, "", "other", "cost", 5); /* a second set is not read */
  say(s, "RANGES\n");
  for (int i = 0; i < s->m; i++) {
    row_name(fixed, i, name);
    if (ranges[i] != 0)
      card(s, fixed, "", "R", name, ranges[i]);
  }
  write_bounds(s, random, fixed);
  write_quadratic(s, random, fixed);
  say(s, "ENDATA\n");
}

static void compare(const sample *s, const perp_qp_instance *t)
{
  const double sign = s->maximise ? -1 : 1;
  CHECK_EQUAL_INT(t->n, s->n);
  CHECK_EQUAL_INT(t->m, s->m);
  CHECK_EQUAL_INT(t->maximised, s->maximise);
  CHECK(t->constant == sign * s->constant);
  for (int j = 0; j < s->n; j++)
    CHECK(t->q[j] == sign * s->q[j] && t->lb[j] == s->lb[j] && t->ub[j] == s->ub[j]);
  for (int i = 0; i < s->m; i++) {
    double row[MOST] = {0};
    CHECK(t->l[i] == s->l[i] && t->u[i] == s->u[i]);
    for (int64_t e = t->G_start[i]; e < t->G_start[i + 1]; e++)
      row[t->G_column[e]] = t->G_value[e];
    for (int j = 0; j < s->n; j++)
      CHECK(row[j] == s->G[i][j]);
  }
  double x[MOST] = {0}, y[MOST] = {0};
  for (int j = 0; j < s->n; j++) {
    x[j] = 1;
    if (t->P)
      CHECK(perp_operator_apply(t->P, x, y, NULL, NULL) == PERP_OK);
    for (int i = 0; i < s->n; i++)
      CHECK(y[i] == sign * s->P[i][j]);
    x[j] = 0;
  }
}

static void both_formats_give_the_program(void)
{
  perp_random random = perp_random_from(50);
  static sample s;
  for (int round = 0; round < 600; round++) {
    perp_qp_instance t;
    perp_message why = {""};
    write_sample(&s, &random, round % 2);
    const perp_error error = perp_qp_mps_parse("r.qps", s.text, s.used, &t, &why);
    CHECK_SAY(error == PERP_OK, "round %d: %s\n%.999s", round, why.text, s.text);
    if (!error)
      compare(&s, &t);
    perp_qp_instance_destroy(&t);
  }
}

#define HEAD "NAME\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\n"

static void bad_files_name_the_line(void)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"", "b.mps:0: the file ends before ENDATA"},
      {"ROWS\n N c\nENDATA\n", "b.mps:3: the file has no COLUMNS"},
      {"COLUMNS\n x c 1\n", "b.mps:1: COLUMNS comes before ROWS"},
      {"ROWS\n N o\n L r\nCOLUMNS\n c1 o 1 s 2\n c1 r 1\nRHS\n B r 4\nENDATA\n",
       "b.mps:5: row \"s\" is not in ROWS"},
      {HEAD "RHS\n B s 1\nENDATA\n", "b.mps:8: row \"s\" is not in ROWS"},
      {HEAD "RHS\n B r nan\nENDATA\n", "b.mps:8: \"nan\" is not a number"},
      {HEAD "RHS\n B r 1e999\nENDATA\n", "b.mps:8: \"r\" = inf is not finite"},
      {HEAD "RHS\n B r 1e308\n B r 1e308\nENDATA\n",
       "b.mps:9: the values of \"r\" have no finite sum"},
      {HEAD "BOUNDS\n UP B y 1\nENDATA\n", "b.mps:8: column \"y\" is not in COLUMNS"},
      {HEAD "BOUNDS\n BV B x\nENDATA\n", "b.mps:8: bound BV: integer variables"},
      {HEAD "BOUNDS\n XX B x 1\nENDATA\n", "b.mps:8: \"XX\" is not a type of bound"},
      {HEAD "CSECTION\nENDATA\n", "b.mps:7: section \"CSECTION\" is not supported"},
      {HEAD "QUADOBJ\n x z 1\nENDATA\n", "b.mps:8: column \"z\" is not in COLUMNS"},
      {"OBJSENSE\n    max\n", "b.mps:2: OBJSENSE \"max\" is neither MAX nor MIN"},
      {"OBJSENSE maximum\n", "b.mps:1: OBJSENSE \"maximum\" is neither MAX nor MIN"},
      {HEAD, "b.mps:6: the file ends before ENDATA"},
      {"ROWS\n N c\n L c\n", "b.mps:3: row \"c\" is defined twice"},
      {"ROWS\n Q c\n", "b.mps:2: \"Q\" is not a type of row"},
      {"ROWS\n N c\nCOLUMNS\n M 'MARKER' 'INTORG'\n", "b.mps:4: MARKER: integer variables"},
      {"ROWS\n N  c d\nCOLUMNS\n    x         c d       1.2345678e+10\n",
       "b.mps:4: column 37 must be blank in fixed format"},
      {"ROWS\n N c d e f g h\n", "b.mps:2: 7 words; a row has a type and a name"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    perp_qp_instance t;
    perp_message why = {""};
    CHECK_EQUAL_INT(perp_qp_mps_parse("b.mps", bad[k].text, strlen(bad[k].text), &t, &why),
                    PERP_ERROR_FILE);
    CHECK_SAY(strstr(why.text, bad[k].message) == why.text, "%zu: \"%s\", expected \"%s\"", k,
              why.text, bad[k].message);
  }
}

static void long_names_are_read(void)
{
  char text[4096], name[301];
  memset(name, 'n', 300);
  name[300] = 0;
  snprintf(text, sizeof text, "ROWS\n N c\n G %s\nCOLUMNS\n %s c 1 %s 2\nRHS\n b %s 3\nENDATA\n",
           name, name, name, name);
  perp_qp_instance t;
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_qp_mps_parse("long.mps", text, strlen(text), &t, &why), PERP_OK);
  CHECK(t.n == 1 && t.m == 1 && t.G_value[0] == 2 && t.l[0] == 3);
  perp_qp_instance_destroy(&t);
  snprintf(text, sizeof text, "ROWS\n N c\nCOLUMNS\n x %s 2\nENDATA\n", name);
  CHECK_EQUAL_INT(perp_qp_mps_parse("long.mps", text, strlen(text), &t, &why), PERP_ERROR_FILE);
  CHECK(strstr(why.text, "long.mps:4: row \"nnn") == why.text);
}

/* The example of the format's description: minimise a known objective to a known end. */
static void a_file_is_solved(void)
{
  char path[] = "/tmp/perp_mps_XXXXXX";
  const int file = mkstemp(path);
  const char text[] = "NAME\nROWS\n N c\n E s\nCOLUMNS\n x c -4 s 1\n y s 1\nRHS\n b s 2 c -10\n"
                      "QUADOBJ\n x x 2\n y y 2\nENDATA\n";
  CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
  perp_qp_instance t;
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_qp_mps_read(path, &t, &why), PERP_OK);
  unlink(path);
  const perp_qp qp = perp_qp_instance_program(&t);
  double x[2];
  perp_qp_result r = perp_qp_result_empty();
  /* x^2 + y^2 - 4 x with x + y = 2, x, y >= 0: x = 2, y = 0, f = -4, and 10 more */
  CHECK_EQUAL_INT(perp_qp_solve(NULL, &qp, NULL, x, &r), PERP_OK);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
  CHECK_CLOSE(x[0], 2, 1e-7);
  CHECK_CLOSE(r.objective + t.constant, 6, 1e-7);
  perp_qp_instance_destroy(&t);
  CHECK_EQUAL_INT(perp_qp_mps_read("/no/such.qps", &t, &why), PERP_ERROR_FILE);
}

static const test_case tests[] = {
    TEST(both_formats_give_the_program),
    TEST(bad_files_name_the_line),
    TEST(long_names_are_read),
    TEST(a_file_is_solved),
};

TEST_MAIN(tests)
