/* test_trust.c: no false claims, for every method and problem
 *
 * Every method on every kind of generated problem in every form, and on a folder of real problems
 * if there is one (PERP_CORPUS, or shared/corpus next to the repository). Results are judged here:
 * rows are summed in long double, K is written out again, a certificate is checked by its
 * definition. Nothing of the library's own verdict is used.
 *
 * PERP_TRUST=full uses larger problems, more of them and more time. */
#define _POSIX_C_SOURCE 200809L
#include "judge.h"

#include <dirent.h>
#include <perp/lab.h>
#include <perp/perp.h>
#include <time.h>

static bool is_full(void)
{
  const char *text = getenv("PERP_TRUST");
  return text && strcmp(text, "full") == 0;
}

/* CPU time, not wall time, so that other processes do not matter; and only of this thread, in which
 * a solve runs, because the threads of OpenBLAS spin for a while after use. */
static double seconds_used(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* u >= 0, A^T u <= 0, b^T u < 0: no x >= 0 has A x + b >= 0. Values within the rounding of their
 * own terms count as zero. */
static bool proves_infeasible(const judge *j, const double *u)
{
  const int n = j->p->K.n;
  long double product = 0, size = 0;
  long double *sum = calloc(2 * (size_t)n, sizeof *sum), *sizes = sum + n;
  bool proves = true;
  for (int i = 0; i < n; i++) {
    proves = proves && u[i] >= 0 && isfinite(u[i]);
    product += (long double)j->p->b[i] * u[i];
    size += fabsl((long double)j->p->b[i] * u[i]);
    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
      sum[j->column[e]] += (long double)j->value[e] * u[i];
      sizes[j->column[e]] += fabsl((long double)j->value[e] * u[i]);
    }
  }
  proves = proves && product < -1e-13L * size;
  for (int i = 0; i < n; i++)
    proves = proves && sum[i] <= 1e-14L * (n + 4) * sizes[i];
  free(sum);
  return proves;
}

/* ---- One method on one problem ---- */

static struct {
  int runs, solved, refused, infeasible;
} seen;

static void try_method(const perp_method_info *m, const judge *j, const char *name, double limit,
                       const double *known)
{
  const perp_problem *p = j->p;
  const size_t n = (size_t)p->K.n;
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.time_limit = limit;
  double *x = calloc(n + 1, sizeof *x);
  long double rounding, start_rounding;
  const long double start = judge_residual(j, x, &start_rounding);
  /* Time lost to other processes counts as used; a method that ignores the limit does so three
   * times. */
  const double most = 1.1 * limit + 0.05;
  double used = INFINITY;
  perp_error error = PERP_OK;
  for (int turn = 0; turn < 3 && !(used <= most); turn++) {
    perp_solver_destroy(solver);
    memset(x, 0, n * sizeof *x);
    r = perp_result_empty();
    CHECK(perp_solver_create(m->name, &solver, NULL) == PERP_OK);
    const double before = seconds_used();
    error = perp_solver_solve(solver, p, &o, x, &r);
    used = seconds_used() - before;
  }
  CHECK_SAY(r.message.text[0], "%s on %s says nothing", m->name, name);
  /* 50 ms for delays beyond any limit's control: the first touch of memory, a tick of the clock */
  CHECK_SAY(used <= most, "%s on %s: %.3f s of %.3f s, %s", m->name, name, used, limit,
            r.message.text);
  if (error) {
    CHECK_SAY(error == PERP_ERROR_UNSUPPORTED, "%s on %s: error %s, %s", m->name, name,
              perp_error_name(error), r.message.text);
    seen.refused++;
  } else {
    seen.runs++;
    for (size_t i = 0; i < n; i++)
      CHECK_SAY(isfinite(x[i]), "%s on %s: x(%d) = %g", m->name, name, (int)i, x[i]);
    const long double residual = judge_residual(j, x, &rounding);
    const long double target = 1.0000001L * o.tol * j->scale + rounding;
    CHECK_SAY(r.outcome != PERP_SOLVED || residual <= target, "%s on %s: solved with %Lg of %g",
              m->name, name, residual, o.tol * j->scale);
    CHECK_SAY(residual <= 1.0000001L * start + rounding || residual <= target,
              "%s on %s: residual %Lg, at the start %Lg, %s", m->name, name, residual, start,
              r.message.text);
    CHECK_SAY(fabsl(residual - r.residual) <= 1e-6L * residual + 1e-12L * j->scale + rounding,
              "%s on %s: residual %Lg, it says %g", m->name, name, residual, r.residual);
    seen.solved += r.outcome == PERP_SOLVED;
    if (r.outcome == PERP_INFEASIBLE) {
      seen.infeasible++;
      CHECK_SAY(r.ray && !known && proves_infeasible(j, r.ray), "%s on %s: no certificate", m->name,
                name);
    }
  }
  free(x);
  perp_solver_destroy(solver);
}

/* Under a sanitizer every other method runs on a problem, and the rest on the next one. */
static int problems;
static int share_of_methods(void)
{
  static int share;
  if (!share)
    share = test_share("methods for each problem", 4);
  problems++;
  return share;
}

static void try_methods(const perp_instance *instance, const char *name, double limit)
{
  const int share = share_of_methods();
  const perp_problem p = perp_instance_problem(instance);
  judge j;
  CHECK_SAY(judge_open(&j, &p), "%s cannot be assembled", name);
  for (int k = problems % share; k < perp_method_count(); k += share) {
    const perp_method_info m = perp_method_at(k);
    try_method(&m, &j, name, limit, instance->x);
  }
  perp_operator_destroy(j.A);
}

/* ---- Generated problems ---- */

/* Sizes that make small problems, and larger ones. */
static const struct {
  const char *kind, *small, *large;
} sizes[] = {
    {"pd", "n=20", "n=150"},
    {"psd", "n=20", "n=150"},
    {"nonsym", "n=20", "n=150"},
    {"pmatrix", "n=20", "n=150"},
    {"mmatrix", "n=30", "n=1000"},
    {"banded", "n=30", "n=1000"},
    {"blocked", "n=30", "n=600"},
    {"spd-sparse", "n=30", "n=1000"},
    {"fluid-notes", "grid=3", "grid=8"},
    {"contact-notes", "contacts=5", "contacts=30"},
    {"murty", "n=8", "n=14"},
    {"fathi", "n=8", "n=14"},
    {"kostreva", "", ""},
    {"degenerate", "n=20", "n=100"},
    {"bimatrix", "rows=4,columns=5", "rows=15,columns=20"},
    {"scaled", "n=20", "n=100"},
    {"several", "n=6", "n=18"},
    {"none", "", ""},
    {"infeasible", "n=12", "n=60"},
    {"single", "", "a=-1,b=1"},
    {"fluid", "grid=8", "grid=32"},
    {"obstacle", "points=9", "points=33"},
    {"obstacle", "points=9,variant=plain", "points=33,variant=plain"},
    {"torsion", "points=9", "points=33"},
    {"journal", "grid=8", "grid=32"},
    {"put", "n=30", "n=500"},
    {"put2", "grid=7", "grid=31"},
    {"pile", "n=6", "n=40"},
    {"stack", "n=3", "n=10"},
    {"chain", "n=5", "n=20"},
    {"wall", "rows=2,columns=2", "rows=4,columns=4"},
    {"cards", "n=1", "n=3"},
    {"arch", "n=5", "n=11"},
    {"particle", "", "vt=3,vo=-2,mu=0.9"},
    {"robot", "model=hand,contacts=1", "model=chain,n=12"},
    {"elements", "n=60,contacts=4", "n=300,contacts=12"},
    {"rolling", "n=2", "n=6"},
};

static bool has_size(const char *kind)
{
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    if (strcmp(sizes[k].kind, kind) == 0)
      return true;
  return false;
}

static const perp_parameter *choice_of(const perp_generator_info *g, const char *name)
{
  for (const perp_parameter *q = g->parameters; q->name; q++)
    if (strcmp(q->name, name) == 0 && q->type == PERP_TYPE_CHOICE)
      return q;
  return NULL;
}

/* Every form and operator of the kind. Not all combinations are valid: at least one must be. */
static void try_kind(const perp_generator_info *g, const char *size, int seed, double limit)
{
  const perp_parameter *form = choice_of(g, strcmp(g->name, "infeasible") ? "form" : "class");
  const perp_parameter *kind = choice_of(g, "operator");
  int made = 0;
  for (int f = 0; f == 0 || (form && form->choices[f]); f++)
    for (int k = 0; k == 0 || (kind && kind->choices[k]); k++) {
      char text[256], seeded[32];
      size_t used = (size_t)snprintf(text, sizeof text, "%s:", g->name);
      snprintf(seeded, sizeof seeded, "seed=%d", seed);
      const char *parts[] = {seeded, size};
      for (int q = 0; q < 2; q++)
        if (parts[q][0])
          used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", q ? "," : "", parts[q]);
      if (form)
        used += (size_t)snprintf(text + used, sizeof text - used, ",%s=%s", form->name,
                                 form->choices[f]);
      if (kind)
        snprintf(text + used, sizeof text - used, ",operator=%s", kind->choices[k]);
      perp_instance instance;
      perp_message why;
      const perp_error error = perp_generate(text, &instance, &why);
      if (error == PERP_ERROR_PARAMETER)
        continue;
      CHECK_SAY(!error, "%s: %s", text, why.text);
      made++;
      try_methods(&instance, text, limit);
      perp_instance_destroy(&instance);
    }
  CHECK_SAY(made > 0, "no problem of kind %s", g->name);
}

static void try_family(bool contact)
{
  const bool full = is_full();
  const char *what = contact ? "seeds of contact problems" : "seeds of generated problems";
  const int seeds = (full ? 10 : 2) / test_share(what, 2);
  memset(&seen, 0, sizeof seen);
  for (int k = 0; k < perp_generator_count(); k++)
    CHECK_SAY(has_size(perp_generator_at(k).name), "%s has no size", perp_generator_at(k).name);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const perp_generator_info g = perp_generator_at(perp_generator_find(sizes[k].kind));
    if ((strcmp(g.family, "contact") == 0) != contact)
      continue;
    for (int seed = 1; seed <= seeds; seed++)
      try_kind(&g, sizes[k].small, seed, full ? 0.5 : 0.05);
    if (full)
      try_kind(&g, sizes[k].large, 11, 1);
  }
  printf("  %d runs, %d solved, %d infeasible, %d refused\n", seen.runs, seen.solved,
         seen.infeasible, seen.refused);
  CHECK(seen.runs > 0 && seen.solved > seen.runs / 4);
}

static void nothing_false_on_generated_problems(void)
{
  try_family(false);
  CHECK(seen.infeasible > 0);
}

static void nothing_false_on_contact_problems(void)
{
  try_family(true);
}

/* ---- Real problems ---- */

static bool has_file(const char *folder, const char *name)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (file)
    fclose(file);
  return file != NULL;
}

static void try_folder(const char *path, int depth)
{
  const bool full = is_full();
  if (has_file(path, "b.mtx")) {
    perp_instance instance;
    perp_message why;
    const perp_error error = perp_folder_read(path, &instance, &why);
    CHECK_SAY(!error, "%s: %s", path, why.text);
    if (full || perp_operator_size(instance.A) <= 300)
      try_methods(&instance, path, full ? 1 : 0.05);
    perp_instance_destroy(&instance);
    return;
  }
  DIR *folder = depth < 3 ? opendir(path) : NULL;
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    char below[1024];
    snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] != '.')
      try_folder(below, depth + 1);
  }
  if (folder)
    closedir(folder);
}

static void nothing_false_on_real_problems(void)
{
  const char *named = getenv("PERP_CORPUS");
  const char *path = named ? named : PERP_TEST_DATA "/../../shared/corpus";
  DIR *folder = opendir(path);
  if (!folder)
    test_skip("no folder of real problems");
  closedir(folder);
  memset(&seen, 0, sizeof seen);
  try_folder(path, 0);
  printf("  %d runs, %d solved, %d infeasible, %d refused\n", seen.runs, seen.solved,
         seen.infeasible, seen.refused);
  CHECK(seen.runs > 0 && seen.solved > 0);
}

/* ---- Cones with large forces ---- */

/* x of 1e-3 to 1e307, on the surface of the cone in half of the cases, and a y from the same size
 * to thirty decades smaller: the library's residual equals the one computed here. */
static void cone_residuals_are_right(void)
{
  unsigned state = 1;
  const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {0};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(3, one, 3, PERP_COPY, &A, NULL) == PERP_OK);
  int judged = 0;
  for (int k = 0; k < 100000; k++) {
    double draw[10];
    for (int i = 0; i < 10; i++) {
      state = 1664525u * state + 1013904223u;
      draw[i] = (double)(state >> 8) / 16777216.0;
    }
    const double mu = k % 3 ? draw[0] : pow(10, 8 * draw[0] - 4);
    const double decade = k % 2 ? 307 : 30 * draw[1] - 3;
    const double size = pow(10, decade), small = pow(10, decade - 30 * draw[2]);
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
      x[i] = size * (2 * draw[3 + i] - 1);
      y[i] = small * (2 * draw[6 + i] - 1);
    }
    if (k % 4 > 1)
      x[0] = hypot(x[1], x[2]) / mu;
    if (k % 8 > 5)
      for (int i = 1; i < 3; i++)
        y[i] = -small * (x[i] / size);
    if (!isfinite(x[0]))
      continue;
    const perp_problem p = perp_problem_cone(A, b, &mu);
    const double said = perp_problem_residual(&p, x, y);
    const long double exact[3] = {y[0], y[1], y[2]};
    const long double known = cone_residual(mu, x, exact);
    /* long double itself cannot resolve a y that is twenty decades smaller than x */
    const long double rounding = 1e-18L * size * (1 + mu) + 1e-13L * small * (1 + mu);
    CHECK_SAY(said == INFINITY || fabsl(said - known) <= 1e-9L * known + rounding,
              "x (%g %g %g), y (%g %g %g), mu %g: %g instead of %Lg", x[0], x[1], x[2], y[0], y[1],
              y[2], mu, said, known);
    judged += said < INFINITY;
  }
  CHECK(judged > 50000);
  /* deep inside the cone, so that x - y is x: the residual is y */
  const double mu = 0.5, x[3] = {1e20, 0, 0}, y[3] = {1, 0, 0};
  const perp_problem p = perp_problem_cone(A, b, &mu);
  CHECK(perp_problem_residual(&p, x, y) == 1);
  perp_operator_destroy(A);
}

/* ---- Time ---- */

/* A millisecond for problems that take seconds. Work that has begun may finish: a piece of set-up,
 * one sweep, one step of a factorisation, and the verdict; all of it within a hundred products with
 * A; the worst method takes twenty. test_clock.c counts instead of timing. */
static void try_millisecond(const perp_problem *p, const char *name)
{
  judge j;
  CHECK(judge_open(&j, p));
  double *x = calloc((size_t)p->K.n, sizeof *x), *y = calloc((size_t)p->K.n, sizeof *y);
  double *scratch = calloc(perp_operator_scratch(p->A) + 1, sizeof *scratch);
  double product = INFINITY;
  for (int k = 0; k < 5; k++) {
    const double before = seconds_used();
    CHECK(perp_operator_apply(p->A, x, y, scratch, NULL) == PERP_OK);
    product = fmin(product, seconds_used() - before);
  }
  long double rounding;
  const long double start = judge_residual(&j, x, &rounding);
  const int share = share_of_methods();
  for (int k = problems % share; k < perp_method_count(); k += share) {
    const perp_method_info m = perp_method_at(k);
    perp_options o = perp_options_default();
    perp_result r = perp_result_empty();
    o.time_limit = 1e-3;
    const double most = 1.1e-3 + 0.05 + 100 * product;
    double used = INFINITY;
    perp_error error = PERP_OK;
    for (int turn = 0; turn < 3 && !(used <= most); turn++) { /* as in try_method */
      memset(x, 0, (size_t)p->K.n * sizeof *x);
      const double before = seconds_used();
      error = perp_solve(m.name, p, &o, x, &r);
      used = seconds_used() - before;
    }
    CHECK_SAY(!error || error == PERP_ERROR_UNSUPPORTED, "%s on %s: %s", m.name, name,
              r.message.text);
    CHECK_SAY(used <= most, "%s on %s: %.1f ms, a product takes %.3f ms", m.name, name, 1e3 * used,
              1e3 * product);
    const long double residual = judge_residual(&j, x, &rounding);
    CHECK_SAY(residual <= 1.0000001L * start + rounding, "%s on %s: residual %Lg, at the start %Lg",
              m.name, name, residual, start);
  }
  free(x);
  free(y);
  free(scratch);
  perp_operator_destroy(j.A);
}

static void a_millisecond_is_kept(void)
{
  enum { ROWS = 1000 };
  double *a = calloc(ROWS * ROWS, sizeof *a), *b = calloc(ROWS, sizeof *b);
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < ROWS; k++)
      a[i * ROWS + k] = exp(-abs(i - k) / 50.0) + (i == k ? 1e-3 : 0);
    b[i] = sin(1.7 * i) - 0.3;
  }
  for (int skew = 0; skew < 2; skew++) {
    perp_operator *A = NULL;
    for (int i = 0; i < ROWS && skew; i++)
      for (int k = 0; k < i; k++)
        a[i * ROWS + k] *= 0.5;
    CHECK(perp_operator_dense(ROWS, a, ROWS, PERP_COPY, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    try_millisecond(&p, skew ? "an unsymmetric dense matrix" : "a dense matrix");
    perp_operator_destroy(A);
  }
  free(a);
  free(b);
  static const char *const kinds[] = {
      "obstacle:points=129",
      "obstacle:points=129,operator=csr",
      "spd-sparse:n=10000,form=boxed",
      "fluid:grid=192,form=mixed", /* thousands of free rows */
      "pile:n=400,form=findex,operator=contact",
      "pile:n=400,form=findex",
      "pile:n=400,form=cone,operator=contact",
      "wall:rows=12,columns=12,form=stick",
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance instance;
    CHECK(perp_generate(kinds[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    try_millisecond(&p, kinds[k]);
    perp_instance_destroy(&instance);
  }
}

/* ---- Bits are reproducible ---- */

static void same_bits_for_any_number_of_threads(void)
{
  static const char *const kinds[] = {
      "pd:n=150",
      "nonsym:n=60,form=boxed",
      "spd-sparse:n=1000,form=mixed",
      "obstacle:points=33",
      "obstacle:points=33,operator=csr",
      "fluid:grid=32",
      "pile:n=15,form=findex,operator=contact",
      "stack:n=4,form=findex",
      "pile:n=10,form=cone,operator=contact",
      "bimatrix:rows=6,columns=6",
  };
  static const int threads[] = {1, 1, 2, 3, 8};
  const int share = test_share("numbers of threads for each method", 8);
  int turn = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance instance;
    CHECK(perp_generate(kinds[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t bytes = (size_t)p.K.n * sizeof(double);
    double *first = malloc(bytes), *x = malloc(bytes);
    for (int q = 0; q < perp_method_count(); q++) {
      const perp_method_info m = perp_method_at(q);
      perp_solver *solver = NULL;
      perp_result r[2];
      perp_error errors[2];
      CHECK(perp_solver_create(m.name, &solver, NULL) == PERP_OK);
      turn++;
      for (int t = 0; t < 5; t += t == 0 ? 1 + turn % share : share) {
        perp_options o = perp_options_default();
        o.threads = threads[t];
        o.max_iterations = 40;
        double *const at = t ? x : first;
        r[t > 0] = perp_result_empty();
        memset(at, 0, bytes);
        errors[t > 0] = perp_solver_solve(solver, &p, &o, at, &r[t > 0]);
        if (t == 0)
          continue;
        CHECK_SAY(errors[0] == errors[1] && r[0].outcome == r[1].outcome &&
                      r[0].residual == r[1].residual &&
                      r[0].counts.iterations == r[1].counts.iterations && !memcmp(first, x, bytes),
                  "%s on %s, %d threads, run %d: residual %.17g, was %.17g", m.name, kinds[k],
                  o.threads, t, r[1].residual, r[0].residual);
      }
      perp_solver_destroy(solver);
    }
    free(first);
    free(x);
    perp_instance_destroy(&instance);
  }
}

static const test_case tests[] = {
    TEST(cone_residuals_are_right),
    TEST(a_millisecond_is_kept),
    TEST(same_bits_for_any_number_of_threads),
    TEST(nothing_false_on_generated_problems),
    TEST(nothing_false_on_contact_problems),
    TEST(nothing_false_on_real_problems),
};
TEST_MAIN(tests)
