/* test_bench.c: profiles, fits and verdicts of perp bench, from tables small enough to do by hand */
#define _POSIX_C_SOURCE 200809L
#include "bench/view.h"
#include "kit/numbers.h"
#include "kit/plot.h"
#include "test.h"

#define F INFINITY

/* Four problems, three solvers. The best: 1, 2, 4, nobody. */
static const double times[] = {
    1, 2, 10, /* ratios 1 2 10 */
    4, 2, 2,  /* 2 1 1: two are first */
    F, 8, 4,  /* - 2 1 */
    F, F, F,  /* nobody */
};

static void profiles_are_those_done_by_hand(void)
{
  static const struct {
    double tau, share[3];
  } expected[] = {
      {1, {0.25, 0.25, 0.5}}, {1.99, {0.25, 0.25, 0.5}}, {2, {0.5, 0.75, 0.5}},
      {9, {0.5, 0.75, 0.5}},  {10, {0.5, 0.75, 0.75}},   {1e9, {0.5, 0.75, 0.75}},
  };
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
    for (int s = 0; s < 3; s++)
      CHECK_SAY(profile_at(4, 3, times, s, expected[k].tau) == expected[k].share[s],
                "tau %g solver %d: %g", expected[k].tau, s,
                profile_at(4, 3, times, s, expected[k].tau));
  CHECK(profile_best(3, times, 1) == 2 && isinf(profile_best(3, times, 3)));
  double ratios[4];
  CHECK(profile_ratios(4, 3, times, 2, ratios) == 3);
  CHECK(ratios[0] == 1 && ratios[1] == 1 && ratios[2] == 10);
  CHECK(profile_ratios(4, 3, times, 0, ratios) == 2 && ratios[1] == 2);
  CHECK(profile_at(0, 3, times, 0, 1) == 0);
}

/* rho_s is a distribution: between 0 and 1, nondecreasing, with steps at profile_ratios. */
static void profiles_are_distributions(void)
{
  enum { PROBLEMS = 7, SOLVERS = 5 };
  srand(1);
  for (int round = 0; round < 300; round++) {
    double t[PROBLEMS * SOLVERS], ratios[PROBLEMS];
    for (int k = 0; k < PROBLEMS * SOLVERS; k++)
      t[k] = rand() % 4 ? 1.0 + rand() % 20 : (double)INFINITY;
    double firsts = 0;
    int solvable = 0;
    for (int p = 0; p < PROBLEMS; p++)
      solvable += isfinite(profile_best(SOLVERS, t, p));
    for (int s = 0; s < SOLVERS; s++) {
      const int count = profile_ratios(PROBLEMS, SOLVERS, t, s, ratios);
      firsts += PROBLEMS * profile_at(PROBLEMS, SOLVERS, t, s, 1);
      double before = 0;
      for (double tau = 1; tau <= 21; tau += 0.25) {
        int within = 0;
        for (int k = 0; k < count; k++)
          within += ratios[k] <= tau * (1 + 1e-15);
        const double share = profile_at(PROBLEMS, SOLVERS, t, s, tau * (1 + 1e-15));
        CHECK(share >= before && share <= 1 && share * PROBLEMS == within);
        before = share;
      }
    }
    CHECK(firsts >= solvable - 1e-9); /* ties count for all */
  }
}

static void fits_find_the_exponent(void)
{
  const double x[] = {10, 100, 1000, 10000};
  double y[4];
  for (int k = 0; k < 4; k++)
    y[k] = 3e-7 * pow(x[k], 1.5);
  CHECK(fabs(kit_exponent(4, x, y) - 1.5) < 1e-12);
  y[3] *= 2; /* one point off: the line through all four by least squares */
  CHECK(fabs(kit_exponent(4, x, y) - (1.5 + 0.3 * log10(2))) < 1e-12);
  CHECK(isnan(kit_exponent(1, x, y)) && isnan(kit_exponent(0, x, y)));
  const double same[] = {5, 5, 5};
  CHECK(isnan(kit_exponent(3, same, y)));
  CHECK(isnan(kit_exponent(2, x, y)) && !isnan(kit_exponent(3, x, y))); /* two fit any power */
  const double values[] = {1, 10, 100};
  CHECK(fabs(kit_geometric_mean(3, values) - 10) < 1e-12);
  CHECK(isnan(kit_geometric_mean(0, values)));
}

/* ---- The view of a table ---- */

static bench_row row_of(const char *suite, const char *problem, const char *method, bool peer,
                        double coarse, double fine)
{
  bench_row r = {.suite = suite, .peer = peer, .n = 1, .form = "lcp", .status = "solved"};
  snprintf(r.problem, sizeof r.problem, "%s", problem);
  snprintf(r.method, sizeof r.method, "%s", method);
  r.seconds[0] = coarse;
  r.seconds[1] = fine;
  return r;
}

static void a_view_finds_who_is_fastest(void)
{
  bench_row rows[] = {
      row_of("s", "p", "pgs", false, 1, F),        row_of("s", "p", "auto", false, 2, 4),
      row_of("other", "p", "auto", false, 9, 9),   row_of("s", "p", "ode dantzig", true, 0.5, F),
      row_of("s", "q", "auto", false, 3, 3),       row_of("s", "q", "lemke", false, 1, 1.5),
      row_of("s", "q", "ode dantzig", true, 2, 2), row_of("s", "r", "auto", false, F, F),
      row_of("s", "r", "ode dantzig", true, F, F),
  };
  const bench_table t = {.rows = 9, .row = rows};
  bench_view v;
  CHECK(bench_view_make(&t, "s", &v));
  CHECK(v.problems == 3 && v.methods == 4);
  CHECK(strcmp(bench_view_method(&v, v.lead), "auto") == 0);
  int methods[4];
  CHECK(bench_view_pick(&v, BENCH_ALL, methods) == 4 && methods[0] == v.lead);
  CHECK(bench_view_peer(&v, methods[3])); /* ours first */
  CHECK(bench_view_pick(&v, BENCH_OURS, methods) == 3);
  CHECK(bench_view_pick(&v, BENCH_LEAD_AND_PEERS, methods) == 2);
  CHECK(bench_view_pick(&v, BENCH_PEERS_ONLY, methods) == 1);
  const int ode = methods[0];
  CHECK(bench_view_fastest(&v, 0, 0, BENCH_LEAD_AND_PEERS) == ode);
  CHECK(bench_view_fastest(&v, 0, 1, BENCH_LEAD_AND_PEERS) == v.lead);
  CHECK(bench_view_fastest(&v, 1, 1, BENCH_LEAD_AND_PEERS) == ode);
  CHECK(bench_view_fastest(&v, 2, 0, BENCH_ALL) == -1);
  double ratios[3];
  CHECK(bench_view_overhead(&v, 1, ratios) == 2 && ratios[0] == 1 && ratios[1] == 2);
  CHECK(bench_view_overhead(&v, 0, ratios) == 2 && ratios[0] == 2 && ratios[1] == 3);
  bench_view_free(&v);
  CHECK(bench_view_make(&t, "none", &v) && v.problems == 0);
  bench_view_free(&v);
}

/* A curve through the corners of the plot, and one that a logarithmic axis cannot show. */
static void curves_go_through_their_points(void)
{
  const double x[] = {1, 50}, y[] = {0, 1}, none[] = {0, -1};
  const plot_curve curves[] = {{.label = "a<b", .count = 2, .x = x, .y = y, .stairs = true},
                               {.count = 2, .x = none, .y = y}};
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  plot_draw(out,
            &(plot){.title = "t",
                    .x_label = "x",
                    .y_label = "y",
                    .log_x = true,
                    .x_least = 1,
                    .x_most = 50,
                    .y_least = 0,
                    .y_most = 1},
            2, curves);
  fclose(out);
  const bool right = strstr(text, "64.0,290.0 560.0,290.0 560.0,30.0") && strstr(text, "a&lt;b") &&
                     !strstr(text, "nan") && !strstr(text, "inf");
  if (!right)
    puts(text);
  free(text);
  CHECK(right);
}

static const test_case tests[] = {
    TEST(profiles_are_those_done_by_hand), TEST(profiles_are_distributions),
    TEST(fits_find_the_exponent),          TEST(a_view_finds_who_is_fastest),
    TEST(curves_go_through_their_points),
};

TEST_MAIN(tests)
