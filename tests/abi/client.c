/* client.c: a program that was compiled with the headers of another version
 *
 * Compiled against headers whose structs have lost their last field (CLIENT_OLDER), have one more
 * (CLIENT_NEWER) or are the library's, and linked with the shared library and with the static one.
 * The library fills every byte of a struct, and none beyond; fields that the client does not have
 * are defaults, and fields that the library does not have must be 0. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>
#include <unistd.h>

/* A struct between guard bytes. */
#define GUARDED(type)                                                                              \
  struct {                                                                                         \
    unsigned char before[64];                                                                      \
    type it;                                                                                       \
    unsigned char after[64];                                                                       \
  }

static bool is_filled_with(const unsigned char *bytes, size_t count, int value)
{
  for (size_t k = 0; k < count; k++)
    if (bytes[k] != value)
      return false;
  return true;
}

/* Runs `statements`, which fill guarded.it, once over bytes 0xa5 and once over bytes 0x5a: bytes
 * that are equal afterwards were written; all of the struct must be, and none of the guard
 * bytes. */
#define CHECK_FILLED(guarded, statements)                                                          \
  do {                                                                                             \
    unsigned char first[sizeof(guarded).it];                                                       \
    for (int turn = 0; turn < 2; turn++) {                                                         \
      memset(&(guarded), turn ? 0x5a : 0xa5, sizeof(guarded));                                     \
      statements;                                                                                  \
      CHECK(is_filled_with((guarded).before, 64, turn ? 0x5a : 0xa5));                             \
      CHECK(is_filled_with((guarded).after, 64, turn ? 0x5a : 0xa5));                              \
      CHECK((guarded).it.size == sizeof(guarded).it);                                              \
      if (turn)                                                                                    \
        CHECK(memcmp(first, &(guarded).it, sizeof first) == 0);                                    \
      memcpy(first, &(guarded).it, sizeof first);                                                  \
    }                                                                                              \
  } while (0)

typedef struct sample {
  perp_operator *A;
  perp_problem problem;
} sample;

static const double values[4] = {2, -1, -1, 2}, rhs[2] = {-1, 0.8};

static void open_sample(sample *s)
{
  CHECK(perp_operator_dense(2, values, 2, PERP_BORROW, &s->A, NULL) == PERP_OK);
  s->problem = perp_problem_lcp(s->A, rhs);
}

static void constructors_fill_every_byte(void)
{
  GUARDED(perp_options) options;
  CHECK_FILLED(options, perp_options_init(&options.it, sizeof options.it));
  CHECK(options.it.tol == 1e-8 && options.it.threads == 1 && !options.it.interrupted);
  GUARDED(perp_result) result;
  CHECK_FILLED(result, perp_result_init(&result.it, sizeof result.it));
  CHECK(result.it.outcome == PERP_NOT_RUN && isinf(result.it.residual) && isnan(result.it.merit));
  GUARDED(perp_recorder) recorder;
  CHECK_FILLED(recorder, perp_recorder_init(&recorder.it, sizeof recorder.it, "records"));
  CHECK(recorder.it.keep == 10 && strcmp(recorder.it.folder, "records") == 0);
  GUARDED(perp_memory_hooks) hooks;
  CHECK_FILLED(hooks, perp_memory_hooks_init(&hooks.it, sizeof hooks.it));
  CHECK(hooks.it.allocate && hooks.it.release);
  GUARDED(perp_method_info) method;
  CHECK_FILLED(method,
               perp_method_at_sized(perp_method_find("psor"), &method.it, sizeof method.it));
  CHECK_EQUAL_TEXT(method.it.name, "psor");
  CHECK_FILLED(method, perp_method_at_sized(-1, &method.it, sizeof method.it));
  CHECK(!method.it.name);
  GUARDED(perp_generator_info) generator;
  CHECK_FILLED(generator, perp_generator_at_sized(0, &generator.it, sizeof generator.it));
  CHECK(perp_generator_find(generator.it.name) == 0);
  GUARDED(perp_scene_info) scene;
  CHECK_FILLED(scene, perp_scene_at_sized(0, &scene.it, sizeof scene.it));
  CHECK(perp_scene_find(scene.it.name) == 0);
  sample s;
  open_sample(&s);
  GUARDED(perp_facts) facts;
  CHECK_FILLED(facts, CHECK(perp_problem_facts(&s.problem, &facts.it, NULL) == PERP_OK));
  CHECK(facts.it.symmetric && fabs(facts.it.condition - 3) < 1e-9);
  perp_operator_destroy(s.A);
}

static void sizes_that_cannot_be_are_refused(void)
{
  static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, 33, (size_t)1 << 20, (size_t)-1};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    unsigned char bytes[sizeof(perp_result)], before[sizeof(perp_result)];
    memset(bytes, 0xa5, sizeof bytes);
    memcpy(before, bytes, sizeof bytes);
    perp_options_init((perp_options *)(void *)bytes, sizes[k]);
    perp_result_init((perp_result *)(void *)bytes, sizes[k]);
    perp_method_at_sized(0, (perp_method_info *)(void *)bytes, sizes[k]);
    CHECK(memcmp(bytes, before, sizeof bytes) == 0);

    sample s;
    open_sample(&s);
    perp_options options = perp_options_default();
    perp_result result = perp_result_empty();
    double x[2] = {0, 0};
    options.size = sizes[k];
    CHECK(perp_solve("pgs", &s.problem, &options, x, &result) == PERP_ERROR_ARGUMENT);
    options = perp_options_default();
    result.size = sizes[k];
    CHECK(perp_solve("pgs", &s.problem, &options, x, &result) == PERP_ERROR_ARGUMENT);
    CHECK(x[0] == 0 && x[1] == 0 && result.size == sizes[k]);
    perp_operator_destroy(s.A);
  }
}

/* ---- Solves ---- */

static int heard, looked;

static bool observe(void *context, const perp_progress *progress)
{
#ifdef CLIENT_OLDER /* its last field was added later */
  const bool knows_all = progress->size == sizeof *progress + sizeof(double);
#elif defined CLIENT_NEWER /* its last field is not there yet */
  const bool knows_all = progress->size == offsetof(perp_progress, added_later);
#else
  const bool knows_all = progress->size == sizeof *progress &&
                         progress->relative_residual == progress->residual / progress->scale;
#endif
  heard += context == &heard && knows_all && progress->n == 2;
  return true;
}

/* The context is the last field: an older client does not have it, so its value is the default. */
static bool never(void *context)
{
#ifdef CLIENT_OLDER
  looked += context == NULL;
#else
  looked += context == &looked;
#endif
  return false;
}

typedef enum call { BY_SOLVER, BY_SOLVE, BY_ARRAYS, BY_ISLANDS, BY_RECORDER, CALLS } call;

static perp_error solve_by_islands(const perp_problem *p, const perp_options *options, double *x,
                                   perp_result *result)
{
  perp_islands *islands = NULL;
  CHECK(perp_islands_create("pgs", &islands, NULL) == PERP_OK);
  const perp_error error = perp_islands_solve(islands, p, options, x, result);
  CHECK_EQUAL_TEXT(perp_solver_method(perp_islands_solver(islands)).name, "pgs");
  perp_islands_destroy(islands);
  return error;
}

static perp_error solve_by(call how, const perp_problem *p, const perp_options *options, double *x,
                           perp_result *result)
{
  perp_solver *solver = NULL;
  perp_recorder recorder = perp_recorder_default(NULL);
  perp_error error = PERP_OK;
  if (how == BY_SOLVE)
    return perp_solve("pgs", p, options, x, result);
  if (how == BY_ARRAYS)
    return perp_solve_dense(2, values, rhs, NULL, options, x, result);
  if (how == BY_ISLANDS)
    return solve_by_islands(p, options, x, result);
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  if (how == BY_SOLVER)
    error = perp_solver_solve(solver, p, options, x, result);
  else
    error = perp_solver_solve_recorded(solver, p, options, x, result, &recorder);
  CHECK(recorder.size == sizeof recorder);
  CHECK_EQUAL_TEXT(perp_solver_method(solver).name, "pgs");
  perp_solver_destroy(solver);
  return error;
}

static void each_call_solves(void)
{
  sample s;
  open_sample(&s);
  for (call how = 0; how < CALLS; how++) {
    GUARDED(perp_options) options;
    GUARDED(perp_result) result;
    memset(&options, 0xa5, sizeof options);
    memset(&result, 0x5a, sizeof result);
    options.it = perp_options_default();
    options.it.tol = 1e-12;
    options.it.observer = observe;
    options.it.observer_context = &heard;
    options.it.interrupted = never;
#ifndef CLIENT_OLDER
    options.it.interrupted_context = &looked;
#endif
    result.it = perp_result_empty();
    double x[2] = {0, 0};
    heard = looked = 0;
    CHECK(solve_by(how, &s.problem, &options.it, x, &result.it) == PERP_OK);
    CHECK_CLOSE(x[0], 0.5, 1e-11);
    CHECK(x[1] == 0 && result.it.outcome == PERP_SOLVED && result.it.residual <= 1e-12);
    CHECK(result.it.size == sizeof result.it && options.it.size == sizeof options.it);
    CHECK(looked > 0 && (heard > 0 || how == BY_ISLANDS));
    CHECK(is_filled_with(options.before, 64, 0xa5) && is_filled_with(options.after, 64, 0xa5));
    CHECK(is_filled_with(result.before, 64, 0x5a) && is_filled_with(result.after, 64, 0x5a));
#ifndef CLIENT_OLDER
    CHECK(result.it.message.text[0]);
#endif
#ifdef CLIENT_NEWER
    CHECK(result.it.added_later == 0);
#endif
    /* an error fills the result too */
    double wrong[2] = {NAN, 0};
    result.it.outcome = PERP_SOLVED;
    CHECK(solve_by(how, &s.problem, &options.it, wrong, &result.it) == PERP_ERROR_ARGUMENT);
    CHECK(result.it.outcome == PERP_NOT_RUN && isinf(result.it.residual));
    CHECK(is_filled_with(result.before, 64, 0x5a) && is_filled_with(result.after, 64, 0x5a));
  }
  perp_operator_destroy(s.A);
}

#ifdef CLIENT_NEWER
static void unknown_fields_are_refused(void)
{
  sample s;
  open_sample(&s);
  for (call how = 0; how < CALLS; how++) {
    perp_options options = perp_options_default();
    perp_result result = perp_result_empty();
    double x[2] = {0, 0};
    CHECK(options.added_later == 0);
    options.added_later = 1;
    CHECK(solve_by(how, &s.problem, &options, x, &result) == PERP_ERROR_ARGUMENT);
    CHECK_SAY(strstr(result.message.text, "perp_options") != NULL, "%s", result.message.text);
    CHECK(x[0] == 0 && result.outcome == PERP_NOT_RUN);
  }
  perp_options options = perp_options_default();
  options.added_later = 1;
  perp_simulation *simulation = NULL;
  perp_message why = {""};
  CHECK(perp_simulation_create("discs:n=5", "pgs", &options, &simulation, &why) ==
        PERP_ERROR_ARGUMENT);
  CHECK_SAY(!simulation && strstr(why.text, "perp_options") != NULL, "%s", why.text);
  perp_operator_destroy(s.A);
}
#endif

static int twice(void *context, const double *x, double *y)
{
  for (int i = 0; i < 2; i++)
    y[i] = 2 * x[i];
  return context ? 1 : 0;
}

static void a_shell_is_taken(void)
{
  GUARDED(perp_shell) shell;
  CHECK_FILLED(shell, perp_shell_init(&shell.it, sizeof shell.it));
  shell.it.apply = twice;
  shell.it.hints = PERP_HINT_SYMMETRIC | PERP_HINT_DEFINITE;
  perp_operator *A = NULL;
  perp_message why = {""};
  CHECK_SAY(perp_operator_shell(2, &shell.it, &A, &why) == PERP_OK, "%s", why.text);
  CHECK(!(perp_operator_abilities(A) & PERP_CAN_RELAX)); /* the last field */
  const perp_problem p = perp_problem_lcp(A, rhs);
  perp_result result = perp_result_empty();
  double x[2] = {0, 0};
  CHECK(perp_solve("gpcg", &p, NULL, x, &result) == PERP_OK && result.outcome == PERP_SOLVED);
  CHECK_CLOSE(x[0], 0.5, 1e-8);
  perp_operator_destroy(A);
#ifdef CLIENT_NEWER
  shell.it.added_later = 1;
  CHECK(perp_operator_shell(2, &shell.it, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK_SAY(strstr(why.text, "perp_shell has") != NULL, "%s", why.text);
#endif
}

/* x = (1/2, 0): dx_0 / db_0 = -1/2, and row 1 stays on its bound. */
static void derivatives_are_taken(void)
{
  GUARDED(perp_derivative_options) options;
  CHECK_FILLED(options, perp_derivative_options_init(&options.it, sizeof options.it));
  CHECK(options.it.tol == 1e-6 && options.it.way == PERP_DERIVATIVE_AUTO);
  GUARDED(perp_gradient) gradient;
  CHECK_FILLED(gradient, perp_gradient_init(&gradient.it, sizeof gradient.it));
  GUARDED(perp_change) change;
  CHECK_FILLED(change, perp_change_init(&change.it, sizeof change.it));
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8}, x[2] = {0.5, 0}, w[2] = {1, 1};
  double bar[2], dx[2];
  perp_operator *A = NULL;
  perp_derivative *d = NULL;
  perp_message why = {""};
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  CHECK_SAY(perp_derivative_create(&p, x, &options.it, &d, &why) == PERP_OK, "%s", why.text);
  gradient.it.b = bar;
  change.it.b = w;
  CHECK_SAY(perp_derivative_vjp(d, w, &gradient.it, &why) == PERP_OK, "%s", why.text);
  CHECK_SAY(perp_derivative_jvp(d, &change.it, dx, &why) == PERP_OK, "%s", why.text);
  CHECK(bar[0] == -0.5 && bar[1] == 0 && dx[0] == -0.5 && dx[1] == 0);
  GUARDED(perp_derivative_facts) facts;
  CHECK_FILLED(facts, perp_derivative_get_sized(d, &facts.it, sizeof facts.it));
  CHECK(facts.it.n == 2 && facts.it.free == 1 && facts.it.bound == 1);
#ifdef CLIENT_NEWER
  gradient.it.added_later = 1;
  CHECK(perp_derivative_vjp(d, w, &gradient.it, &why) == PERP_ERROR_ARGUMENT);
#endif
  perp_derivative_destroy(d);
  perp_operator_destroy(A);
}

static int square_less_two(void *context, const double *x, double *F)
{
  (void)context;
  F[0] = x[0] * x[0] - 2;
  return 0;
}

static void nonlinear_problems_are_taken(void)
{
  GUARDED(perp_ncp) problem;
  CHECK_FILLED(problem, perp_ncp_init(&problem.it, sizeof problem.it));
  GUARDED(perp_ncp_options) options;
  CHECK_FILLED(options, perp_ncp_options_init(&options.it, sizeof options.it));
  GUARDED(perp_ncp_result) result;
  CHECK_FILLED(result, perp_ncp_result_init(&result.it, sizeof result.it));
  GUARDED(perp_ncp_sample_info) info;
  CHECK_FILLED(info, perp_ncp_sample_at_sized(0, &info.it, sizeof info.it));
  CHECK(info.it.name && options.it.tol == 1e-8);
  problem.it.n = 1;
  problem.it.F = square_less_two;
  double x = 1;
  CHECK(perp_ncp_solve(NULL, &problem.it, &options.it, &x, &result.it) == PERP_OK);
  CHECK(result.it.outcome == PERP_SOLVED);
  CHECK_CLOSE(x, sqrt(2), 1e-8);
#ifdef CLIENT_NEWER
  options.it.added_later = 1;
  CHECK(perp_ncp_solve(NULL, &problem.it, &options.it, &x, &result.it) == PERP_ERROR_ARGUMENT);
#endif
}

/* A unit mass, pressed at a wall from both sides; a row of cells. Last fields are defaults. */
static void data_of_operators_are_taken(void)
{
  GUARDED(perp_contact_data) rows;
  CHECK_FILLED(rows, perp_contact_data_init(&rows.it, sizeof rows.it));
  GUARDED(perp_contact_bodies) bodies;
  CHECK_FILLED(bodies, perp_contact_bodies_init(&bodies.it, sizeof bodies.it));
  CHECK(bodies.it.freedom == 6 && bodies.it.together == 1);
  GUARDED(perp_stencil_data) grid;
  CHECK_FILLED(grid, perp_stencil_data_init(&grid.it, sizeof grid.it));
  CHECK(grid.it.nz == 1 && grid.it.weight == 1);

  const double J[12] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0};
  const double Minv[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  const int body[4] = {0, -1, 0, -1};
  bodies.it.rows = 2;
  bodies.it.bodies = 1;
  bodies.it.freedom = 3;
  bodies.it.body = body;
  bodies.it.J = J;
  bodies.it.Minv = Minv;
  perp_operator *A = NULL, *B = NULL;
  perp_message why = {""};
  CHECK_SAY(perp_operator_contact_bodies(&bodies.it, PERP_COPY, &A, &why) == PERP_OK, "%s",
            why.text);
  CHECK_FILLED(rows, CHECK(perp_operator_contact_data(A, &rows.it) == PERP_OK));
  CHECK(rows.it.rows == 2 && rows.it.velocities == 3 && !rows.it.C_start);
  CHECK_SAY(perp_operator_contact(&rows.it, PERP_COPY, &B, &why) == PERP_OK, "%s", why.text);
  double a[2], b[2];
  CHECK(perp_operator_diagonal(A, a, NULL) == PERP_OK && a[0] == 2);
  CHECK(perp_operator_diagonal(B, b, NULL) == PERP_OK && memcmp(a, b, sizeof a) == 0);
  perp_operator_destroy(A);
  perp_operator_destroy(B);

  grid.it.nx = 2;
  grid.it.ny = 1;
  CHECK_SAY(perp_operator_stencil(&grid.it, PERP_COPY, &A, &why) == PERP_OK, "%s", why.text);
  CHECK(perp_operator_diagonal(A, a, NULL) == PERP_OK && a[0] == 4);
  CHECK_FILLED(grid, CHECK(perp_operator_stencil_data(A, &grid.it) == PERP_OK));
  CHECK(grid.it.nx == 2 && grid.it.ny == 1 && grid.it.nz == 1);
  perp_operator_destroy(A);
}

static void simulations_step(void)
{
  perp_options options = perp_options_default();
  options.tol = 1e-6;
  perp_simulation *simulation = NULL;
  CHECK(perp_simulation_create("discs:n=5", "pgs", &options, &simulation, NULL) == PERP_OK);
  CHECK(perp_options_copy(perp_simulation_options(simulation)).tol == 1e-6);
  GUARDED(perp_step) step;
  memset(&step, 0xa5, sizeof step);
  for (int k = 0; k < 3; k++) {
    CHECK(perp_simulation_step(simulation, &step.it, NULL) == PERP_OK);
    CHECK(step.it.index == k + 1 && step.it.size == sizeof step.it);
    CHECK(is_filled_with(step.before, 64, 0xa5) && is_filled_with(step.after, 64, 0xa5));
  }
  GUARDED(perp_view) view;
  CHECK_FILLED(view, perp_simulation_view(simulation, &view.it));
  CHECK(view.it.dimension == 2 && view.it.shapes >= 5);
  perp_simulation_destroy(simulation);
}

/* A solve that fails is recorded with the fields that the client has. */
static void a_record_is_written_and_read(void)
{
  char folder[] = "records_XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  sample s;
  open_sample(&s);
  const double both_touch[2] = {-1, -1};
  s.problem.b = both_touch;
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  GUARDED(perp_recorder) recorder;
  memset(&recorder, 0xa5, sizeof recorder);
  recorder.it = perp_recorder_default(folder);
  perp_options options = perp_options_default();
  options.max_iterations = 1;
  perp_result result = perp_result_empty();
  double x[2] = {0, 0};
  CHECK(perp_solver_solve_recorded(solver, &s.problem, &options, x, &result, &recorder.it) ==
        PERP_OK);
  CHECK(result.outcome == PERP_ITERATION_LIMIT && recorder.it.written == 1);
  CHECK(is_filled_with(recorder.before, 64, 0xa5) && is_filled_with(recorder.after, 64, 0xa5));
  char path[128], command[160];
  snprintf(path, sizeof path, "%s/000001-pgs-iteration-limit", folder);
  perp_record record;
  CHECK(perp_record_read(path, &record, NULL) == PERP_OK);
  CHECK(perp_options_copy(record.options).max_iterations == 1 && record.options->tol == 1e-8);
  perp_record_destroy(&record);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  perp_solver_destroy(solver);
  perp_operator_destroy(s.A);
}

/* A quadratic program in the structs of this client: x >= 0, 1/2 x'Ax + b'x. */
static void quadratic_programs_are_solved(void)
{
  GUARDED(perp_qp) qp;
  CHECK_FILLED(qp, perp_qp_init(&qp.it, sizeof qp.it));
  GUARDED(perp_qp_options) options;
  CHECK_FILLED(options, perp_qp_options_init(&options.it, sizeof options.it));
  CHECK(options.it.tol == 1e-8);
  GUARDED(perp_qp_result) result;
  CHECK_FILLED(result, perp_qp_result_init(&result.it, sizeof result.it));
  CHECK(result.it.outcome == PERP_NOT_RUN && isnan(result.it.objective));
  GUARDED(perp_generator_info) kind;
  CHECK_FILLED(kind, perp_qp_generator_at_sized(0, &kind.it, sizeof kind.it));
  CHECK(kind.it.name != NULL);
  sample s;
  open_sample(&s);
  const double G[4] = {1, 0, 0, 1}, zero[2] = {0, 0};
  double x[2];
  qp.it.n = qp.it.m = 2, qp.it.P = s.A, qp.it.q = rhs, qp.it.G_value = G, qp.it.l = zero;
  CHECK(perp_qp_solve(NULL, &qp.it, &options.it, x, &result.it) == PERP_OK);
  CHECK(result.it.outcome == PERP_SOLVED && result.it.size == sizeof result.it);
  CHECK(fabs(x[0] - 0.5) < 1e-7 && fabs(x[1]) < 1e-7);
  CHECK(is_filled_with(result.after, 64, 0x5a));
  perp_qp_instance instance;
  CHECK(perp_qp_generate("random:n=3,m=2", &instance, NULL) == PERP_OK);
  CHECK_FILLED(qp, perp_qp_instance_program_sized(&instance, &qp.it, sizeof qp.it));
  CHECK(qp.it.n == 3 && qp.it.m == 2);
  perp_qp_instance_destroy(&instance);
  perp_operator_destroy(s.A);
}

static const test_case tests[] = {
    TEST(constructors_fill_every_byte),
    TEST(sizes_that_cannot_be_are_refused),
    TEST(each_call_solves),
#ifdef CLIENT_NEWER
    TEST(unknown_fields_are_refused),
#endif
    TEST(a_shell_is_taken),
    TEST(derivatives_are_taken),
    TEST(nonlinear_problems_are_taken),
    TEST(data_of_operators_are_taken),
    TEST(simulations_step),
    TEST(quadratic_programs_are_solved),
    TEST(a_record_is_written_and_read),
};

TEST_MAIN(tests)
