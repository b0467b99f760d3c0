/* test_report.c: the report of experiments, tested with its own experiments
 *
 * Claims are counted and printed in their place. A required claim that does not hold fails the
 * check. A run that is stopped or fails leaves a page of the finished part. A folder that cannot be
 * written is refused before any work. */
#define _POSIX_C_SOURCE 200809L
#include "experiments/experiment.h"
#include "test.h"

#include <unistd.h>

/* ---- Experiments ---- */

static double measured;  /* what the claims of `band` rest on */
static int runs;         /* experiments begun */
static perp_error fault; /* what `faulty` returns */

static void run_band(experiment *e)
{
  runs++;
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE, measured > 1 && measured < 2,
                   "between 1 & 2 (%.1f)", measured);
  experiment_claim(e, CLAIM_HONEST | CLAIM_HEADLINE, false, "an honest one that fails");
  experiment_claim(e, CLAIM_PAPER | CLAIM_HEADLINE, false, "a paper's that fails");
  experiment_claim(e, CLAIM_PAPER, true, "one that is not for the summary");
  experiment_claim(e, CLAIM_OURS | CLAIM_HEADLINE, true, "something <new>");
  experiment_why(e, "First reason.");
  experiment_why(e, "Second %s.", "reason");
}

static void run_figure(experiment *e)
{
  runs++;
  experiment_table *t = experiment_table_begin(e, "points", "x < 9", "x,y < 3,name");
  for (int k = 1; k <= 5; k++) {
    experiment_cell(t, k);
    experiment_cell(t, k == 3 ? NAN : 1.0 / k);
    experiment_cell_text(t, "a, b");
  }
  experiment_table_end(t);
  const experiment_line lines[] = {{"points", 1, 2, "first", {.marks = true}},
                                   {"points", 1, 1, "second", {0}}};
  experiment_draw_lines(e, "curve", &(plot){"A curve", "x (m)", "y (s)", .y_most = 5}, 2, lines);
  experiment_claim(e, CLAIM_PAPER, true, "a figure");
  if (!experiment_progress(e, 0.5))
    return;
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST, true, "to the end");
}

static void run_faulty(experiment *e)
{
  runs++;
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, !fault, "there is no fault");
  if (fault)
    experiment_fail(e, fault, "a fault of its own");
}

static const experiment_info band = {"band", "A band", "Someone 1999, Table 1", "it holds",
                                     run_band};
static const experiment_info figure = {"figure", "A figure", "Someone 1999, Figure 1", "it bends",
                                       run_figure};
static const experiment_info faulty = {"faulty", "A fault", "Someone 1999, page 3", "none",
                                       run_faulty};
const experiment_info *const experiments[] = {&band, &figure, &faulty, NULL};

/* ---- Help ---- */

static const char *stop_in; /* the experiment in which the user stops */
static int told_all;

static bool progress(const char *name, int done, int all, double share)
{
  told_all = all;
  CHECK(done >= 0 && done < all && share >= 0 && share <= 1);
  return !stop_in || strcmp(stop_in, name) != 0;
}

static char folder[64];

static experiments_call begin(void)
{
  snprintf(folder, sizeof folder, "it's-a-report");
  measured = 1.5;
  fault = PERP_OK;
  stop_in = NULL;
  runs = 0;
  return (experiments_call){.folder = folder, .size = EXPERIMENT_QUICK, .progress = progress};
}

/* A file of the folder as a text that the next call overwrites. */
static const char *read_back(const char *name)
{
  static char text[200000];
  char path[160];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  CHECK_SAY(file, "%s", path);
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  return text;
}

static int count(const char *text, const char *what)
{
  int found = 0;
  for (; (text = strstr(text, what)); text++)
    found++;
  return found;
}

/* Returns true if `what` is between this heading and the next one. */
static bool under(const char *page, const char *heading, const char *what)
{
  const char *at = strstr(page, heading);
  if (!at)
    return false;
  const char *end = strstr(at + 1, "<h3>"), *found = strstr(at, what);
  return found && (!end || found < end);
}

/* ---- Tests ---- */

static void claims_are_told_where_they_belong(void)
{
  const experiments_call call = begin();
  experiments_verdict v;
  perp_message why = {""};
  CHECK_SAY(experiments_run(&call, &v, &why) == PERP_OK, "%s", why.text);
  CHECK(v.claims == 8 && v.held == 6 && v.failed == 0 && v.run == 3 && v.wanted == 3);
  CHECK(told_all == 3);
  const char *page = read_back("index.html");
  CHECK(under(page, "<h3>Claims confirmed", "between 1 &amp; 2 (1.5)"));
  CHECK(under(page, "<h3>Claims that did not hold on honest problems", "an honest one that fails"));
  CHECK(under(page, "<h3>Claims that did not hold on the paper", "a paper's that fails"));
  CHECK(under(page, "<h3>What we add", "something &lt;new&gt;"));
  CHECK(count(page, "one that is not for the summary") == 1);
  CHECK(!strstr(page, "class=\"alarm\"") && !strstr(page, "not run"));
  /* the page counts as the program does: in its summary, item by item, and in its contents */
  CHECK(strstr(page, "That is 8 claims, of which 6 hold."));
  CHECK(count(page, "<b>Confirmed:</b>") + count(page, "<b>We add:</b>") == v.held);
  CHECK(count(page, "<b>Not so:</b>") + count(page, "<b>Not reached:</b>") == v.claims - v.held);
  int listed = 0;
  const char *row = strstr(page, "<table class=\"contents\">");
  const char *end = strstr(row, "</table>");
  while ((row = strstr(row, "</td><td>")) && row < end) {
    char *after;
    listed += (int)strtol(row + 9, &after, 10);
    row = after > row + 9 ? after : row + 1;
  }
  CHECK_EQUAL_INT(listed, v.claims);
  CHECK(strstr(page, "First reason. Second reason."));
  CHECK(count(page, "<section") == count(page, "</section>"));
}

static void a_claim_that_must_hold_fails_the_check(void)
{
  const experiments_call call = begin();
  experiments_verdict v;
  perp_message why = {""};
  measured = 2.5;
  CHECK(experiments_run(&call, &v, &why) == PERP_OK);
  CHECK(v.failed == 1 && v.held == 5);
  CHECK(strstr(read_back("index.html"), "<b>1 that must hold do not:</b>"));
}

static void figures_and_tables(void)
{
  experiments_call call = begin();
  const char *const names[] = {"figure"};
  call.names = names;
  call.count = 1;
  experiments_verdict v;
  perp_message why = {""};
  CHECK(experiments_run(&call, &v, &why) == PERP_OK);
  CHECK(v.run == 1 && v.wanted == 1 && runs == 1);
  CHECK(strcmp(read_back("figure-points.csv"),
               "x,y < 3,name\n1,1,\"a, b\"\n2,0.5,\"a, b\"\n"
               "3,,\"a, b\"\n4,0.25,\"a, b\"\n5,0.2,\"a, b\"\n") == 0);
  const char *page = read_back("index.html");
  CHECK(strstr(page, "<th>y &lt; 3</th>") && strstr(page, "x &lt; 9 (<a href=\"figure-points.csv"));
  const char *drawn = strstr(page, "<figure id=\"figure-curve\">");
  CHECK(drawn && strstr(drawn, "A curve (<a href=\"figure-points.csv\">csv</a>)</figcaption>"));
  CHECK(strstr(drawn, "<svg") && count(drawn, "<svg") == count(drawn, "</svg>"));
  CHECK(strstr(drawn, ">x (m)") && strstr(drawn, ">y (s)") && strstr(drawn, ">second"));
  /* both curves, with a dot at each point of the first that has a number, and the corner points of
   * the second: from 1 to 5 in x, and in y from one fifth of the height to all of it */
  CHECK(strstr(drawn, "<title>first</title>") && strstr(drawn, "<title>second</title>"));
  CHECK(count(drawn, "<circle") == 4);
  CHECK(strstr(drawn, "64.0,238.0 188.0,186.0 ") && strstr(drawn, " 560.0,30.0 "));
  /* ids of a page are unique, and nothing is black on a dark page */
  CHECK(count(drawn, "id=") == 1 && !strstr(drawn, "black"));
}

static void what_is_stopped_leaves_a_page(void)
{
  const experiments_call call = begin();
  experiments_verdict v;
  perp_message why = {""};
  stop_in = "figure";
  CHECK(experiments_run(&call, &v, &why) == PERP_OK);
  CHECK(v.run == 1 && v.wanted == 3 && runs == 2);
  CHECK_SAY(v.claims == 5, "%d", v.claims); /* only claims of the first */
  const char *page = read_back("index.html");
  CHECK(strstr(page, "1 of 3 experiments") && strstr(page, "First reason."));
  CHECK(count(page, "Interrupted here") == 1 && count(page, "not run</td>") == 2);
  CHECK(!strstr(page, "<li class=\"holds\"><b>Confirmed:</b> a figure"));
  CHECK(count(page, "<section") == count(page, "</section>"));
}

static void a_fault_leaves_what_was_done(void)
{
  const experiments_call call = begin();
  experiments_verdict v;
  perp_message why = {""};
  fault = PERP_ERROR_PROBLEM;
  CHECK(experiments_run(&call, &v, &why) == PERP_ERROR_PROBLEM);
  CHECK(strcmp(why.text, "a fault of its own") == 0);
  CHECK(v.run == 2 && v.claims == 7 && v.failed == 0);
  const char *page = read_back("index.html");
  CHECK(strstr(page, "2 of 3 experiments") && strstr(page, "A curve"));
}

static void a_folder_that_cannot_be_written(void)
{
  experiments_call call = begin();
  experiments_verdict v;
  perp_message why = {""};
  FILE *file = fopen("not-a-folder", "w");
  CHECK(file);
  fclose(file);
  call.folder = "not-a-folder";
  CHECK(experiments_run(&call, &v, &why) == PERP_ERROR_FILE && strstr(why.text, "not-a-folder"));
  call.folder = "no/such/place";
  CHECK(experiments_run(&call, &v, &why) == PERP_ERROR_FILE && strstr(why.text, "no/such/place"));
  CHECK(runs == 0 && v.run == 0);
  unlink("not-a-folder");
}

static const test_case tests[] = {
    TEST(claims_are_told_where_they_belong),
    TEST(a_claim_that_must_hold_fails_the_check),
    TEST(figures_and_tables),
    TEST(what_is_stopped_leaves_a_page),
    TEST(a_fault_leaves_what_was_done),
    TEST(a_folder_that_cannot_be_written),
};

TEST_MAIN(tests)
