/* Records: a recorded solve gives the same bits again, on every kind of operator; old records are
 * removed, large problems are skipped, errors in records name file and line. */
#define _POSIX_C_SOURCE 200809L
#include "base/random.h"
#include "problems.h"
#include "test.h"

#include <dirent.h>
#include <perp/lab.h>
#include <perp/perp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *scratch_folder(void)
{
  static char path[] = "/tmp/perp-record-XXXXXX";
  snprintf(path, sizeof path, "/tmp/perp-record-XXXXXX");
  CHECK(mkdtemp(path) != NULL);
  return path;
}

static int count_records(const char *folder, char *last, size_t room)
{
  int count = 0;
  DIR *open = opendir(folder);
  CHECK(open != NULL);
  last[0] = '\0';
  for (const struct dirent *entry; (entry = readdir(open)) != NULL;)
    if (entry->d_name[0] != '.') {
      count++;
      if (strcmp(entry->d_name, last) > 0)
        snprintf(last, room, "%s", entry->d_name);
    }
  closedir(open);
  return count;
}

static void remove_folder(const char *folder)
{
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  CHECK(system(command) == 0);
}

/* The operator in blocks of 3, every third row's worth. */
static perp_operator *in_blocks(const perp_operator *A)
{
  perp_operator *dense = NULL, *bsr = NULL;
  const double *a;
  int64_t stride;
  CHECK(perp_operator_to_dense(A, 0, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(dense, &a, &stride) == PERP_OK);
  const int rows = perp_operator_size(A) / 3;
  int64_t *start = calloc((size_t)rows + 1, sizeof *start);
  int *column = calloc((size_t)(rows * rows), sizeof *column);
  double *value = calloc((size_t)(rows * rows * 9), sizeof *value);
  CHECK(start && column && value);
  for (int r = 0; r < rows; r++) {
    start[r + 1] = start[r];
    for (int c = 0; c < rows; c++) {
      bool any = false;
      for (int k = 0; k < 9; k++) {
        const double number = a[(r * 3 + k / 3) * stride + c * 3 + k % 3];
        value[start[r + 1] * 9 + k] = number;
        any = any || number != 0;
      }
      if (any)
        column[start[r + 1]++] = c;
    }
  }
  CHECK(perp_operator_bsr(rows, 3, start, column, value, PERP_COPY, &bsr, NULL) == PERP_OK);
  free(start);
  free(column);
  free(value);
  perp_operator_destroy(dense);
  return bsr;
}

static bool listen(void *context, const perp_progress *progress)
{
  (void)context, (void)progress;
  return true;
}

/* Solves with too low a limit from a random start, and again from the record, without and with an
 * observer. */
static void check_replay(const perp_problem *p, const char *method, const char *set, double value,
                         const char *folder)
{
  const size_t n = (size_t)p->K.n;
  perp_random random = perp_random_from(5);
  perp_solver *solver = NULL;
  perp_message why = {{0}};
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  if (set)
    CHECK_SAY(perp_solver_set(solver, set, value, &why) == PERP_OK, "%s", why.text);
  double *x = calloc(n, sizeof *x);
  CHECK(x);
  for (size_t i = 0; i < n; i++)
    x[i] = perp_random_uniform(&random);
  perp_options options = perp_options_default();
  options.max_iterations = 7;
  options.tol = 1e-14 / 3;
  perp_result result = perp_result_empty();
  perp_recorder recorder = perp_recorder_default(folder);
  recorder.keep = 3;
  CHECK_SAY(perp_solver_solve_recorded(solver, p, &options, x, &result, &recorder) == PERP_OK, "%s",
            result.message.text);
  CHECK_SAY(result.outcome != PERP_SOLVED && recorder.written == 1, "%s: %s %s", method,
            perp_outcome_name(result.outcome), recorder.last.text);

  for (int heard = 0; heard < 2; heard++) {
    perp_record record;
    CHECK_SAY(perp_record_read(recorder.last.text, &record, &why) == PERP_OK, "%s", why.text);
    CHECK_EQUAL_TEXT(record.outcome, perp_outcome_name(result.outcome));
    CHECK_EQUAL_TEXT(perp_operator_kind(record.instance.A), perp_operator_kind(p->A));
    CHECK(record.residual == result.residual && record.options->tol == options.tol);
    record.options->observer = heard ? listen : NULL;
    const perp_problem again = perp_instance_problem(&record.instance);
    perp_result second = perp_result_empty();
    CHECK(perp_solver_solve(record.solver, &again, record.options, record.start, &second) ==
          PERP_OK);
    CHECK_EQUAL_INT(second.outcome, result.outcome);
    CHECK_EQUAL_INT(second.counts.iterations, result.counts.iterations);
    CHECK_SAY(memcmp(x, record.start, n * sizeof *x) == 0, "%s on %s%s", method,
              perp_operator_kind(p->A), heard ? ", heard" : "");
    perp_record_destroy(&record);
  }
  perp_solver_destroy(solver);
  free(x);
}

static void a_record_solves_again_to_the_same_bits(void)
{
  static const struct {
    const char *problem, *method, *set;
    double value;
  } cases[] = {
      {"pd:n=60", "pgs", NULL, 0},
      {"pd:n=60", "psor", "omega", 1.1 / 3},
      {"obstacle:n=400", "nncg", NULL, 0},
      {"obstacle:n=400", "mprgp", NULL, 0},
      {"pile:n=20,form=cone,operator=contact", "bgs", NULL, 0},
      {"pile:n=20,form=findex,operator=contact", "psor", NULL, 0},
      {"wall:form=findex", "prox", NULL, 0},
      {"stack:form=cone", "apgd", NULL, 0},
      {"pd:n=60", "lemke", NULL, 0},
      {"pile:n=5,form=findex,operator=csr", "lemke", NULL, 0},
      {"nonsym:n=60,form=boxed", "auto", NULL, 0},
  };
  const char *folder = scratch_folder();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance instance;
    perp_message why = {{0}};
    CHECK_SAY(perp_generate(cases[k].problem, &instance, &why) == PERP_OK, "%s", why.text);
    perp_problem p = perp_instance_problem(&instance);
    check_replay(&p, cases[k].method, cases[k].set, cases[k].value, folder);
    if (p.K.n % 3 == 0) {
      perp_operator *bsr = in_blocks(p.A);
      p.A = bsr;
      check_replay(&p, cases[k].method, cases[k].set, cases[k].value, folder);
      perp_operator_destroy(bsr);
    }
    perp_instance_destroy(&instance);
  }
  char last[256];
  CHECK_EQUAL_INT(count_records(folder, last, sizeof last), 3); /* of all those only three stay */
  remove_folder(folder);
}

/* A limit reached before the first iteration is reached again. */
static void a_limit_of_no_time_is_recorded_as_such(void)
{
  static const char *const methods[] = {"auto", "pgs", "dantzig", "mprgp", "ssn"};
  perp_instance instance;
  CHECK(perp_generate("pd:n=300", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  const char *folder = scratch_folder();
  int none = 0; /* iterations done */
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    perp_solver *solver = NULL;
    double x[300] = {0};
    perp_options options = perp_options_default();
    options.time_limit = 1e-9;
    perp_result result = perp_result_empty(), second = perp_result_empty();
    perp_recorder recorder = perp_recorder_default(folder);
    recorder.keep = 3;
    CHECK(perp_solver_create(methods[k], &solver, NULL) == PERP_OK);
    CHECK(perp_solver_solve_recorded(solver, &p, &options, x, &result, &recorder) == PERP_OK);
    CHECK_EQUAL_INT(result.outcome, PERP_TIME_LIMIT);
    perp_record record;
    CHECK(perp_record_read(recorder.last.text, &record, NULL) == PERP_OK);
    const perp_problem again = perp_instance_problem(&record.instance);
    CHECK(perp_solver_solve(record.solver, &again, record.options, record.start, &second) ==
          PERP_OK);
    if (result.counts.iterations == 0) {
      CHECK_SAY(memcmp(x, record.start, sizeof x) == 0, "%s", methods[k]);
      none++;
    }
    perp_record_destroy(&record);
    perp_solver_destroy(solver);
  }
  CHECK(none > 0);
  remove_folder(folder);
  perp_instance_destroy(&instance);
}

/* lemke passes points that are better than its end: an observer sees them, and that does not change
 * the result. */
static void rays_are_the_same_heard(void)
{
  enum { ROWS = 8 };
  perp_random random = perp_random_from(3);
  int rays = 0;
  for (int k = 0; k < 300; k++) {
    double a[ROWS * ROWS], b[ROWS], x[2][ROWS] = {{0}};
    for (int i = 0; i < ROWS * ROWS; i++)
      a[i] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < ROWS; i++)
      b[i] = perp_random_between(&random, -1, 1);
    perp_operator *A = NULL;
    CHECK(perp_operator_dense(ROWS, a, ROWS, PERP_BORROW, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    perp_result r = perp_result_empty();
    for (int heard = 0; heard < 2; heard++) {
      perp_options o = perp_options_default();
      o.check_every = -1;
      o.observer = heard ? listen : NULL;
      CHECK(perp_solve("lemke", &p, &o, x[heard], &r) == PERP_OK);
    }
    CHECK_SAY(memcmp(x[0], x[1], sizeof x[0]) == 0, "problem %d: %s", k, r.message.text);
    rays += r.outcome == PERP_RAY;
    perp_operator_destroy(A);
  }
  CHECK(rays > 10);
}

enum { RECORDS = 60, PROCESSES = 3 };

/* Runs solves that fail, from the start `mark` in every row; returns how many were recorded. */
static int record_many(const perp_problem *p, const char *folder, int keep, int mark)
{
  perp_solver *solver = NULL;
  perp_recorder recorder = perp_recorder_default(folder);
  recorder.keep = keep;
  for (int k = 0; k < RECORDS && perp_solver_create("pgs", &solver, NULL) == PERP_OK; k++) {
    double x[20];
    for (int i = 0; i < 20; i++)
      x[i] = mark;
    perp_options options = perp_options_default();
    options.max_iterations = 1;
    options.seed = (uint64_t)mark;
    options.tol = 1e-15;
    perp_result result = perp_result_empty();
    perp_solver_solve_recorded(solver, p, &options, x, &result, &recorder);
    perp_solver_destroy(solver);
  }
  return (int)recorder.written;
}

/* Records of several processes are complete: two never write in one folder, and no process removes
 * another's unfinished record. */
static void record_together(int keep)
{
  const char *folder = scratch_folder();
  perp_instance instance;
  CHECK(perp_generate("pd:n=20", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  pid_t child[PROCESSES];
  int gate[2];
  CHECK(pipe(gate) == 0);
  for (int c = 0; c < PROCESSES; c++)
    if ((child[c] = fork()) == 0) {
      char nothing;
      close(gate[1]);
      _exit(read(gate[0], &nothing, 1) == 0 && record_many(&p, folder, keep, c) == RECORDS ? 0 : 1);
    }
  close(gate[1]); /* all go at once */
  close(gate[0]);
  for (int c = 0; c < PROCESSES; c++) {
    int status = 1;
    CHECK(child[c] > 0 && waitpid(child[c], &status, 0) == child[c]);
    CHECK_SAY(status == 0, "process %d did not write all of its records", c);
  }
  int whole = 0;
  DIR *open = opendir(folder);
  CHECK(open != NULL);
  for (const struct dirent *entry; (entry = readdir(open)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    char path[600];
    perp_record record;
    perp_message why = {{0}};
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    CHECK_SAY(perp_record_read(path, &record, &why) == PERP_OK, "%s", why.text);
    CHECK(record.start[0] == (double)record.options->seed);
    perp_record_destroy(&record);
    whole++;
  }
  closedir(open);
  CHECK_EQUAL_INT(whole, keep > 0 ? keep : PROCESSES * RECORDS);
  remove_folder(folder);
  perp_instance_destroy(&instance);
}

static void several_record_in_one_folder(void)
{
  record_together(0);
  record_together(7);
}

static void solved_ones_and_large_ones_are_not_recorded(void)
{
  const char *folder = scratch_folder();
  perp_instance p = problem_random(30, PERP_FORM_LCP, 1, 3);
  const perp_problem problem = perp_instance_problem(&p);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  perp_recorder recorder = perp_recorder_default(folder);
  recorder.keep = 0;
  recorder.most_bytes = 10000;
  double x[30] = {0};
  perp_result result = perp_result_empty();
  CHECK(perp_solver_solve_recorded(solver, &problem, NULL, x, &result, &recorder) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && recorder.written == 0 && recorder.passed == 0);
  perp_options options = perp_options_default();
  options.max_iterations = 1;
  memset(x, 0, sizeof x);
  CHECK(perp_solver_solve_recorded(solver, &problem, &options, x, &result, &recorder) == PERP_OK);
  CHECK(result.outcome == PERP_ITERATION_LIMIT && recorder.written == 0 && recorder.passed == 1);
  char last[256];
  CHECK_EQUAL_INT(count_records(folder, last, sizeof last), 0);
  recorder.most_bytes = 0;
  recorder.folder = "/dev/null/nowhere";
  memset(x, 0, sizeof x);
  CHECK(perp_solver_solve_recorded(solver, &problem, &options, x, &result, &recorder) == PERP_OK);
  CHECK(result.outcome == PERP_ITERATION_LIMIT && recorder.written == 0);
  CHECK_SAY(strstr(recorder.last.text, "/dev/null/nowhere") != NULL, "%s", recorder.last.text);
  perp_solver_destroy(solver);
  perp_instance_destroy(&p);
  remove_folder(folder);
}

static void broken_records_are_named_by_line(void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"", "has no line that names a method"},
      {"perp 0.1.0\n", "has no line that names a method"},
      {"method nonsense\n", "nonsense"},
      {"method pgs\ntol abc\n", "solve.txt:2"},
      {"method pgs\nthreads 99999999999\n", "solve.txt:2"},
      {"method pgs\nset omega\n", "solve.txt:2"},
      {"method pgs\nset omega nan\n", "omega"},
      {"method pgs\nset nothing 1\n", "nothing"},
      {"set omega 1\nmethod pgs\n", "solve.txt:1"},
      {"method pgs\nmethod pgs\n", "solve.txt:2"},
      {"method pgs\noperator bsr 1\n", "solve.txt:2"},
      {"method pgs\nwhat\n", "solve.txt:2"},
      {"method pgs\n", "A.mtx"}, /* valid, but the problem is missing */
  };
  const char *folder = scratch_folder();
  char path[200];
  snprintf(path, sizeof path, "%s/solve.txt", folder);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(cases[k].text, file) >= 0 && fclose(file) == 0);
    perp_record record;
    perp_message why = {{0}};
    CHECK(perp_record_read(folder, &record, &why) != PERP_OK);
    CHECK_SAY(strstr(why.text, cases[k].expected) != NULL, "case %zu: %s", k, why.text);
    CHECK(!record.solver && !record.start && !record.instance.A);
  }
  remove_folder(folder);
}

static const test_case tests[] = {
    TEST(a_record_solves_again_to_the_same_bits),
    TEST(a_limit_of_no_time_is_recorded_as_such),
    TEST(rays_are_the_same_heard),
    TEST(several_record_in_one_folder),
    TEST(solved_ones_and_large_ones_are_not_recorded),
    TEST(broken_records_are_named_by_line),
};

TEST_MAIN(tests)
