/* test.h: a small harness. A test file lists its tests in TESTS and ends with TEST_MAIN; the
 * program runs all tests, or the tests whose name contains its first argument, and prints one line
 * per test and a closing line. A failing CHECK ends its test. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_case {
  const char *name;
  void (*run)(void);
} test_case;

static jmp_buf test_escape;
static int test_checks; /* checks evaluated in the current test: a test without any fails */

typedef enum { TEST_PASSED, TEST_FAILED, TEST_SKIPPED } test_state;

__attribute__((noreturn, format(printf, 3, 4), unused)) static void
test_fail(const char *file, int line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stdout, "  %s:%d: ", file, line);
  vfprintf(stdout, format, arguments);
  fputc('\n', stdout);
  va_end(arguments);
  longjmp(test_escape, TEST_FAILED);
}

__attribute__((noreturn, unused)) static void test_skip(const char *why)
{
  printf("  skipped: %s\n", why);
  longjmp(test_escape, TEST_SKIPPED);
}

/* For loops over many samples: returns 1, but k under a sanitizer, which finds memory and thread
 * errors with a k-th of the samples, and in an emulator, which is slow. The other builds check
 * every sample. The log reports it, and tools/run-tests repeats it. */
__attribute__((unused)) static int test_share(const char *what, int k)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(PERP_EMULATED)
  printf("  share: 1 of %d: %s\n", k, what);
  return k;
#else
  (void)what, (void)k;
  return 1;
#endif
}

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(condition))                                                                              \
      test_fail(__FILE__, __LINE__, "%s", #condition);                                             \
  } while (0)

/* with a message in printf form: what was seen */
#define CHECK_SAY(condition, ...)                                                                  \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(condition)) {                                                                            \
      char test_text[2048];                                                                        \
      snprintf(test_text, sizeof test_text, __VA_ARGS__);                                          \
      test_fail(__FILE__, __LINE__, "%s (%s)", #condition, test_text);                             \
    }                                                                                              \
  } while (0)

#define CHECK_EQUAL_INT(a, b)                                                                      \
  CHECK_SAY((long long)(a) == (long long)(b), "%lld against %lld", (long long)(a), (long long)(b))
#define CHECK_EQUAL_TEXT(a, b) CHECK_SAY(strcmp((a), (b)) == 0, "\"%s\" against \"%s\"", (a), (b))
#define CHECK_CLOSE(a, b, tolerance)                                                               \
  CHECK_SAY(fabs((double)(a) - (double)(b)) <= (tolerance), "%.17g against %.17g", (double)(a),    \
            (double)(b))

static int test_main(int argc, char **argv, const test_case *cases, size_t count)
{
  volatile int passed = 0, failed = 0, skipped = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (volatile size_t i = 0; i < count; i++) {
    if (argc > 1 && !strstr(cases[i].name, argv[1]))
      continue;
    test_checks = 0;
    const test_state state = (test_state)setjmp(test_escape);
    if (state == TEST_PASSED)
      cases[i].run();
    if (state == TEST_FAILED || (state == TEST_PASSED && test_checks == 0)) {
      printf("FAIL %s%s\n", cases[i].name, state == TEST_PASSED ? " (checked nothing)" : "");
      failed++;
    } else if (state == TEST_SKIPPED) {
      printf("skip %s\n", cases[i].name);
      skipped++;
    } else {
      printf("ok   %s\n", cases[i].name);
      passed++;
    }
  }
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed ? 1 : 0;
}

#define TEST(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
#define TEST_MAIN(table)                                                                           \
  int main(int argc, char **argv)                                                                  \
  {                                                                                                \
    return test_main(argc, argv, table, sizeof table / sizeof *table);                             \
  }
