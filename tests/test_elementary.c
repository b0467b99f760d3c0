/* test_elementary.c: elementary functions
 *
 * Oracle: the C library in long double. */
#include "test.h"

#include "base/elementary.h"
#include "base/random.h"

/* A value of zero is compared in units of the smallest number. */
static double ulps(double value, long double exact)
{
  const double near = fabs((double)exact);
  return (double)(fabsl((long double)value - exact) / (nextafter(near, INFINITY) - near));
}

static void functions_of_one(void)
{
  perp_random random = perp_random_from(5);
  for (int k = 0; k < 200000; k++) {
    const double wide = perp_random_between(&random, -1000, 1000);
    const double x = k % 2 ? wide : perp_random_between(&random, -7, 7);
    const double power = perp_random_between(&random, -700, 700);
    const double near = k % 2 ? perp_random_between(&random, 0.3, 3) : perp_exp(power);
    CHECK_SAY(ulps(perp_sin(x), sinl(x)) <= 2, "sin %.17g", x);
    CHECK_SAY(ulps(perp_cos(x), cosl(x)) <= 2, "cos %.17g", x);
    CHECK_SAY(ulps(perp_exp(power), expl(power)) <= 2, "exp %.17g", power);
    CHECK_SAY(ulps(perp_exp(x / 7), expl(x / 7)) <= 2, "exp %.17g", x / 7);
    CHECK_SAY(ulps(perp_log(near), logl(near)) <= 2, "log %.17g", near);
  }
  CHECK(perp_sin(0) == 0 && perp_cos(0) == 1 && perp_exp(0) == 1 && perp_log(1) == 0);
  CHECK(perp_exp(-800) == 0 && isinf(perp_exp(720)) && isnan(perp_exp(NAN)));
}

/* For large arguments the period is only as accurate as 2 pi in double, but values stay in [-1,
 * 1]. */
static void angles_far_out(void)
{
  perp_random random = perp_random_from(6);
  for (int k = 0; k < 100000; k++) {
    const double x =
        perp_random_between(&random, -1, 1) * perp_exp(perp_random_between(&random, 11, 20));
    const double s = perp_sin(x), c = perp_cos(x);
    CHECK_SAY(fabs(s * s + c * c - 1) < 1e-15, "%.17g", x);
    CHECK_SAY(fabsl(s - sinl(x)) < 1e-16 * fabs(x) + 1e-15, "%.17g", x);
  }
  CHECK(isnan(perp_sin(INFINITY)) && isnan(perp_cos(-INFINITY)) && isnan(perp_sin(NAN)));
}

/* A number of any magnitude, including subnormal ones. */
static double any(perp_random *random)
{
  const double m = perp_random_between(random, -1, 1);
  return ldexp(m, perp_random_below(random, 2098) - 1074);
}

static void lengths(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 200000; k++) {
    const double a = k % 2 ? any(&random) : perp_random_between(&random, -1, 1);
    const double b =
        k % 2 ? ldexp(a, perp_random_below(&random, 60) - 30) * perp_random_between(&random, -1, 1)
              : perp_random_between(&random, -1, 1);
    const double r = perp_hypot(a, b);
    const long double exact = sqrtl((long double)a * a + (long double)b * b);
    CHECK_SAY(isinf(r) ? exact > 0x1.fffffffffffffp+1023L || isinf(b) : ulps(r, exact) <= 1.25,
              "hypot(%.17g, %.17g) = %.17g", a, b, r);
    CHECK(r == perp_hypot(-a, b) && r >= fabs(a) && r >= fabs(b));
    const double alone = perp_hypot(a, 0);
    CHECK_SAY(alone == fabs(a), "hypot(%.17g, 0) = %.17g", a, alone);
  }
  static const double large[] = {0x1p1023, 0x1p1000, 0x1p500, 0x1p499},
                      small[] = {0x1p-1074, 0x1p-1022, 0x1p-450, 0x1p-451};
  for (int k = 0; k < 4; k++) {
    CHECK(perp_hypot(3 * large[k] / 8, 4 * large[k] / 8) == 5 * large[k] / 8);
    CHECK(perp_hypot(3 * small[k], 4 * small[k]) == 5 * small[k]);
  }
  CHECK(isinf(perp_hypot(0x1.8p1023, 0x1.8p1023)));
  CHECK(perp_hypot(0, 0) == 0 && !signbit(perp_hypot(-0.0, -0.0)));
  CHECK(isinf(perp_hypot(INFINITY, NAN)) && isinf(perp_hypot(NAN, -INFINITY)));
  CHECK(perp_hypot(1, -INFINITY) > 0 && isnan(perp_hypot(NAN, 1)) && isnan(perp_hypot(0, NAN)));
}

static void powers(void)
{
  perp_random random = perp_random_from(8);
  for (int k = 0; k < 100000; k++) {
    const double x = perp_exp(perp_random_between(&random, -20, 20));
    const double y = perp_random_between(&random, -3, 3);
    const double error = ulps(perp_pow(x, y), powl(x, y));
    CHECK_SAY(error <= 2 + 2 * fabs(y * log(x)), "%.17g ^ %.17g: %g", x, y, error);
  }
  CHECK(perp_pow(7, 0) == 1 && perp_pow(1, 5) == 1 && perp_pow(0, 0.5) == 0 && perp_pow(0, 0) == 1);
}

static void least_and_greatest(void)
{
  static const double value[] = {-INFINITY, -1, -0.0, 0.0, 0x1p-1074, 2, INFINITY};
  for (int i = 0; i < 7; i++) {
    CHECK(perp_min(value[i], NAN) == value[i] && perp_min(NAN, value[i]) == value[i]);
    CHECK(perp_max(value[i], NAN) == value[i] && perp_max(NAN, value[i]) == value[i]);
    for (int j = 0; j < 7; j++) {
      CHECK(perp_min(value[i], value[j]) == fmin(value[i], value[j]));
      CHECK(perp_max(value[i], value[j]) == fmax(value[i], value[j]));
    }
  }
  CHECK(isnan(perp_min(NAN, NAN)) && isnan(perp_max(NAN, NAN)));
  /* of two zeros the second, on every machine */
  CHECK(signbit(perp_min(0.0, -0.0)) && !signbit(perp_min(-0.0, 0.0)));
  CHECK(signbit(perp_max(0.0, -0.0)) && !signbit(perp_max(-0.0, 0.0)));
}

static const test_case cases[] = {
    TEST(functions_of_one), TEST(angles_far_out),     TEST(lengths),
    TEST(powers),           TEST(least_and_greatest),
};

TEST_MAIN(cases)
