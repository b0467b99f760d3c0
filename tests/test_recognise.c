/* test_recognise.c: bodies behind matrices of contacts, against the matrices */
#include "base/memory.h"
#include "base/random.h"
#include "operator/contact/recognise.h"
#include "test.h"

#include <perp/generate.h>
#include <perp/perp.h>

/* Rings from call `ends` on, if that is not 0. */
typedef struct counter {
  int64_t calls, ends;
} counter;

static bool count_call(void *context)
{
  counter *c = context;
  return ++c->calls == c->ends || (c->ends > 0 && c->calls > c->ends);
}

/* Contacts of three rows each, in order. `calls` counts the looks at the clock, one for each 2^16
 * steps of work. */
static perp_contact_data recognise_counted(const perp_sparse *A, perp_arena *arena, counter *calls)
{
  const int contacts = A->n / 3;
  int *start = perp_arena_alloc(arena, (size_t)contacts + 1, sizeof *start);
  int *row = perp_arena_alloc(arena, (size_t)A->n, sizeof *row);
  for (int c = 0; c <= contacts; c++)
    start[c] = 3 * c;
  for (int i = 0; i < A->n; i++)
    row[i] = i;
  perp_contact_data data;
  const perp_alarm alarm = {count_call, calls};
  CHECK(perp_contact_recognise(A, contacts, start, row, &alarm, arena, &data) == PERP_OK);
  return data;
}

static perp_contact_data recognise(const perp_sparse *A, perp_arena *arena)
{
  return recognise_counted(A, arena, &(counter){0});
}

/* J x for all unit vectors would be slow: compares A x and J (J^T x) for some random x. */
static void check_products(const perp_sparse *A, const perp_contact_data *d, const char *text)
{
  perp_random random = perp_random_from(3);
  double *x = calloc((size_t)A->n, sizeof *x), *v = calloc((size_t)d->velocities, sizeof *v);
  for (int round = 0; round < 3; round++) {
    double largest = 0, error = 0;
    for (int i = 0; i < A->n; i++)
      x[i] = perp_random_between(&random, -1, 1);
    for (int k = 0; k < d->velocities; k++)
      v[k] = 0;
    for (int i = 0; i < A->n; i++)
      for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
        v[d->J_column[e]] += d->J_value[e] * x[i];
    for (int i = 0; i < A->n; i++) {
      double y = 0, z = 0;
      for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
        y += A->value[e] * x[A->column[e]];
      for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
        z += d->J_value[e] * v[d->J_column[e]];
      largest = fmax(largest, fabs(y));
      error = fmax(error, fabs(y - z));
    }
    CHECK_SAY(error <= 1e-11 * largest, "%s: %g of %g", text, error, largest);
  }
  free(x);
  free(v);
}

static perp_sparse rows_of(const perp_operator *A)
{
  perp_sparse s = {.n = perp_operator_size(A)};
  CHECK(perp_operator_csr_arrays(A, &s.start, &s.column, &s.value) == PERP_OK);
  return s;
}

/* With six velocities to a body. */
static void scenes_are_recognised(void)
{
  static const struct {
    const char *text;
    int most; /* velocities */
  } scenes[] = {
      {"pile:n=60,form=cone", 360},
      {"pile:n=60,form=findex,mu=1,seed=7", 360},
      {"wall:rows=6,columns=5,form=cone,seed=4", 186},
      {"wall:rows=6,columns=5,form=findex,speed=0", 186},
      {"stack:n=12,ratio=1e4,form=cone", 72},
      {"arch:n=15,form=cone", 90},
  };
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    perp_instance instance;
    perp_message why;
    CHECK(perp_generate(scenes[k].text, &instance, &why) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const perp_sparse A = rows_of(p.A);
    perp_arena arena = {0};
    const perp_contact_data d = recognise(&A, &arena);
    CHECK_SAY(d.rows == A.n, "%s: no bodies", scenes[k].text);
    CHECK_SAY(d.velocities <= scenes[k].most, "%s: %d velocities", scenes[k].text, d.velocities);
    if (d.rows > 0)
      check_products(&A, &d, scenes[k].text);
    perp_arena_free(&arena);
    perp_instance_destroy(&instance);
  }
}

/* Matrices without bodies are rejected: slightly changed couplings, and a contact coupled with
 * three others that are not coupled with each other. */
static void others_are_not(void)
{
  perp_instance instance;
  perp_message why;
  CHECK(perp_generate("pile:n=40,form=cone", &instance, &why) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  perp_sparse A = rows_of(p.A);
  double *value = malloc((size_t)A.start[A.n] * sizeof *value);
  memcpy(value, A.value, (size_t)A.start[A.n] * sizeof *value);
  A.value = value;
  for (int i = 0; i < A.n; i++)
    for (int64_t e = A.start[i]; e < A.start[i + 1]; e++)
      if (i / 3 != A.column[e] / 3)
        value[e] *= 1 + 1e-6 * sin(i * A.column[e]);
  perp_arena arena = {0};
  CHECK(recognise(&A, &arena).rows == 0);
  free(value);
  perp_instance_destroy(&instance);
  perp_arena_reset(&arena);

  enum { CONTACTS = 4, N = 3 * CONTACTS };
  int64_t start[N + 1] = {0};
  int column[N * N], count = 0;
  double numbers[N * N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      if (i / 3 == j / 3 || i / 3 == 0 || j / 3 == 0) { /* contact 0 with all others */
        column[count] = j;
        numbers[count++] = i == j ? 10 : 1;
      }
    start[i + 1] = count;
  }
  const perp_sparse star = {.n = N, .start = start, .column = column, .value = numbers};
  CHECK(recognise(&star, &arena).rows == 0);
  perp_arena_free(&arena);
}

/* A = J J^T for contacts of three rows with random J: contact c joins bodies first[c] and second[c],
 * -1 is the ground. */
static perp_sparse couple_at_random(int contacts, const int *first, const int *second,
                                    perp_arena *arena)
{
  const int n = 3 * contacts;
  perp_random random = perp_random_from(11);
  double(*J)[12] = perp_arena_alloc(arena, (size_t)n, sizeof *J);
  int64_t *start = perp_arena_alloc(arena, (size_t)n + 1, sizeof *start), count = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 12; k++)
      J[i][k] = perp_random_between(&random, -1, 1);
  int *column = NULL;
  double *value = NULL;
  for (int pass = 0; pass < 2; pass++) {
    count = 0;
    for (int i = 0; i < n; i++) {
      const int a[2] = {first[i / 3], second[i / 3]};
      start[i] = count;
      for (int j = 0; j < n; j++) {
        const int b[2] = {first[j / 3], second[j / 3]};
        double sum = 0;
        bool coupled = false;
        for (int p = 0; p < 2; p++)
          for (int q = 0; q < 2; q++)
            for (int k = 0; k < 6 && a[p] >= 0 && a[p] == b[q]; k++) {
              sum += J[i][6 * p + k] * J[j][6 * q + k];
              coupled = true;
            }
        if (coupled && pass > 0) {
          column[count] = j;
          value[count] = sum;
        }
        count += coupled;
      }
    }
    start[n] = count;
    if (pass == 0) {
      column = perp_arena_alloc(arena, (size_t)count, sizeof *column);
      value = perp_arena_alloc(arena, (size_t)count, sizeof *value);
    }
  }
  return (perp_sparse){.n = n, .start = start, .column = column, .value = value};
}

/* `balls` on the ground, each touched by body 0. */
static perp_sparse table_on_balls(int balls, perp_arena *arena)
{
  int *first = perp_arena_alloc(arena, 2 * (size_t)balls, sizeof *first);
  int *second = perp_arena_alloc(arena, 2 * (size_t)balls, sizeof *second);
  for (int k = 0; k < balls; k++) {
    first[k] = 0;
    second[balls + k] = -1;
    second[k] = first[balls + k] = k + 1;
  }
  return couple_at_random(2 * balls, first, second, arena);
}

/* A body with c contacts has c^2 couplings. The work for an entry of A does not grow with c. */
static void work_is_linear_in_the_entries(void)
{
  double first = 0;
  for (int balls = 80; balls <= 320; balls *= 2) {
    perp_arena arena = {0};
    counter calls = {0};
    const perp_sparse A = table_on_balls(balls, &arena);
    const perp_contact_data d = recognise_counted(&A, &arena, &calls);
    CHECK_SAY(d.rows == A.n, "%d balls", balls);
    if (d.rows > 0)
      check_products(&A, &d, "table");
    const double work = (double)calls.calls / (double)A.start[A.n];
    first = balls == 80 ? work : first;
    CHECK_SAY(work <= first, "%d balls: %g calls for an entry, %g at first", balls, work, first);
    perp_arena_free(&arena);
  }
}

/* Two groups, each contact coupled with all of the other group: no bodies, as the first claw shows. */
static void others_cost_no_more(void)
{
  enum { SIDE = 60, N = 6 * SIDE };
  perp_arena arena = {0};
  int64_t *start = perp_arena_alloc(&arena, N + 1, sizeof *start), count = 0;
  int *column = perp_arena_alloc(&arena, (size_t)N * N, sizeof *column);
  double *value = perp_arena_alloc(&arena, (size_t)N * N, sizeof *value);
  for (int i = 0; i < N; i++) {
    start[i] = count;
    for (int j = 0; j < N; j++)
      if (i / 3 == j / 3 || (i / 3 < SIDE) != (j / 3 < SIDE)) {
        column[count] = j;
        value[count++] = i == j ? 1 : 1e-3;
      }
  }
  start[N] = count;
  counter calls = {0};
  const perp_sparse A = {.n = N, .start = start, .column = column, .value = value};
  CHECK(recognise_counted(&A, &arena, &calls).rows == 0);
  CHECK_SAY(calls.calls <= 4 + 6 * count / 65536, "%lld calls", (long long)calls.calls);
  perp_arena_free(&arena);
}

/* Whenever the alarm rings the work ends at the next look, without bodies. */
static void an_alarm_ends_it(void)
{
  perp_arena arena = {0};
  counter all = {0};
  const perp_sparse A = table_on_balls(60, &arena);
  CHECK(recognise_counted(&A, &arena, &all).rows == A.n);
  CHECK(all.calls > 20);
  for (int64_t ends = 1; ends <= all.calls; ends++) {
    counter calls = {.ends = ends};
    CHECK(recognise_counted(&A, &arena, &calls).rows == 0);
    CHECK_SAY(calls.calls == ends, "%lld: %lld", (long long)ends, (long long)calls.calls);
  }
  perp_arena_free(&arena);
}

/* ipm solves a pile given by rows with as many factorisations as with the bodies given. */
static void ipm_solves_rows_as_bodies(void)
{
  static const char *const texts[] = {"pile:n=60,form=cone",
                                      "pile:n=60,form=cone,operator=contact"};
  int64_t factors[2] = {0};
  for (int k = 0; k < 2; k++) {
    perp_instance instance;
    perp_message why;
    CHECK(perp_generate(texts[k], &instance, &why) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    double *x = calloc((size_t)p.K.n, sizeof *x);
    perp_result result = perp_result_empty();
    CHECK(perp_solve("ipm", &p, NULL, x, &result) == PERP_OK);
    CHECK(result.outcome == PERP_SOLVED);
    factors[k] = result.counts.factorisations;
    free(x);
    perp_instance_destroy(&instance);
  }
  CHECK_SAY(llabs(factors[0] - factors[1]) <= 2, "%lld and %lld", (long long)factors[0],
            (long long)factors[1]);
}

/* A matrix by rows that counts its products. */
typedef struct counted {
  const perp_operator *A;
  int products;
} counted;

static int count_product(void *context, const double *x, double *y)
{
  counted *c = context;
  c->products++;
  return perp_operator_apply(c->A, x, y, NULL, NULL) == PERP_OK ? 0 : 1;
}

static int give_row(void *context, int i, int *column, double *value)
{
  const perp_sparse A = rows_of(((counted *)context)->A);
  const int64_t count = A.start[i + 1] - A.start[i];
  for (int64_t k = 0; k < count; k++) {
    column[k] = A.column[A.start[i] + k];
    value[k] = A.value[A.start[i] + k];
  }
  return (int)count;
}

/* Once bodies are recognised ipm multiplies by them and uses A only for the verdict. */
static void products_are_by_bodies(void)
{
  perp_instance instance;
  CHECK(perp_generate("wall:rows=6,columns=6,speed=0,form=cone", &instance, NULL) == PERP_OK);
  perp_problem p = perp_instance_problem(&instance);
  counted rows = {.A = p.A};
  perp_shell shell = perp_shell_default();
  shell.context = &rows;
  shell.apply = count_product;
  shell.row = give_row;
  shell.hints = PERP_HINT_SYMMETRIC;
  perp_operator *A = NULL;
  CHECK(perp_operator_shell(p.K.n, &shell, &A, NULL) == PERP_OK);
  p.A = A;
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_result result = perp_result_empty();
  CHECK(perp_solve("ipm", &p, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  CHECK_SAY(rows.products < result.counts.iterations, "%d products in %lld iterations",
            rows.products, (long long)result.counts.iterations);
  free(x);
  perp_operator_destroy(A);
  perp_instance_destroy(&instance);
}

static const test_case tests[] = {
    TEST(scenes_are_recognised),  TEST(others_are_not),   TEST(work_is_linear_in_the_entries),
    TEST(others_cost_no_more),    TEST(an_alarm_ends_it), TEST(ipm_solves_rows_as_bodies),
    TEST(products_are_by_bodies),
};

TEST_MAIN(tests)
