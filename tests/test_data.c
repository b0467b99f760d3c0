/* test_data.c: the small corpus in tests/data
 *
 * Matrices are read once more here, with scanf, and multiplied out densely (for a contact problem
 * J Minv J^T + C); solutions and certificates are judged by the definitions, row by row. Every
 * problem is made again by its line of list.txt, and every file compared byte by byte. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <dirent.h>
#include <perp/lab.h>
#include <perp/perp.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PERP_TEST_DATA
#define PERP_TEST_DATA "tests"
#endif

/* ---- The list ---- */

enum { MOST = 256 };

typedef struct entry {
  char name[64], text[192];
} entry;

static entry list[MOST];
static int entries;

static void read_list(void)
{
  FILE *file = fopen(PERP_TEST_DATA "/data/list.txt", "r");
  CHECK(file);
  char line[512];
  entries = 0;
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || line[0] == '\n')
      continue;
    CHECK(entries < MOST);
    entry *e = &list[entries++];
    CHECK_SAY(sscanf(line, "%63s = %191[^ \n]", e->name, e->text) == 2, "%s", line);
  }
  fclose(file);
}

static const char *folder_of(const entry *e)
{
  static char path[1024];
  snprintf(path, sizeof path, "%s/data/%s", PERP_TEST_DATA, e->name);
  return path;
}

static perp_instance read_problem(const entry *e)
{
  perp_instance instance;
  perp_message why = {""};
  const perp_error error = perp_folder_read(folder_of(e), &instance, &why);
  CHECK_SAY(error == PERP_OK, "%s: %s", e->name, why.text);
  return instance;
}

static bool begins_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

/* ---- A second reader: everything dense ---- */

typedef struct matrix {
  int rows, columns;
  double *a; /* row major; NULL: the file does not exist */
} matrix;

static bool exists(const entry *e, const char *file)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", folder_of(e), file);
  return access(path, R_OK) == 0;
}

static matrix read_matrix(const entry *e, const char *name)
{
  matrix m = {0};
  char path[1200], form[32], field[32], symmetry[32];
  snprintf(path, sizeof path, "%s/%s", folder_of(e), name);
  FILE *file = fopen(path, "r");
  if (!file)
    return m;
  CHECK(fscanf(file, "%%%%MatrixMarket matrix %31s %31s %31s", form, field, symmetry) == 3);
  const bool mirrored = strcmp(symmetry, "symmetric") == 0;
  long count = 0;
  CHECK(fscanf(file, "%d %d", &m.rows, &m.columns) == 2);
  m.a = calloc((size_t)m.rows * (size_t)m.columns + 1, sizeof *m.a);
  if (strcmp(form, "array") == 0) {
    for (int j = 0; j < m.columns; j++)
      for (int i = mirrored ? j : 0; i < m.rows; i++) {
        CHECK(fscanf(file, "%lf", &m.a[i * m.columns + j]) == 1);
        if (mirrored)
          m.a[j * m.columns + i] = m.a[i * m.columns + j];
      }
  } else {
    CHECK(fscanf(file, "%ld", &count) == 1);
    for (long k = 0; k < count; k++) {
      int i, j;
      double value;
      CHECK(fscanf(file, "%d %d %lf", &i, &j, &value) == 3);
      CHECK(i >= 1 && i <= m.rows && j >= 1 && j <= m.columns);
      m.a[(i - 1) * m.columns + j - 1] = value;
      if (mirrored)
        m.a[(j - 1) * m.columns + i - 1] = value;
    }
  }
  fclose(file);
  return m;
}

/* a b, or a b^T */
static matrix product(matrix a, matrix b, bool transposed)
{
  matrix c = {.rows = a.rows, .columns = transposed ? b.rows : b.columns};
  c.a = calloc((size_t)c.rows * (size_t)c.columns + 1, sizeof *c.a);
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.columns; j++)
      for (int k = 0; k < a.columns; k++)
        c.a[i * c.columns + j] +=
            a.a[i * a.columns + k] * (transposed ? b.a[j * b.columns + k] : b.a[k * b.columns + j]);
  return c;
}

static matrix read_A(const entry *e)
{
  matrix A = read_matrix(e, "A.mtx");
  if (A.a)
    return A;
  matrix J = read_matrix(e, "J.mtx"), Minv = read_matrix(e, "Minv.mtx"),
         C = read_matrix(e, "C.mtx");
  CHECK_SAY(J.a && Minv.a, "%s", e->name);
  matrix W = product(J, Minv, false);
  A = product(W, J, true);
  for (int k = 0; C.a && k < A.rows * A.columns; k++)
    A.a[k] += C.a[k];
  free(J.a);
  free(Minv.a);
  free(C.a);
  free(W.a);
  return A;
}

/* ---- Tests ---- */

static bool listed(const char *name)
{
  for (int k = 0; k < entries; k++)
    if (strcmp(list[k].name, name) == 0)
      return true;
  return false;
}

static void folders_are_those_of_the_list(void)
{
  read_list();
  int folders = 0;
  DIR *data = opendir(PERP_TEST_DATA "/data");
  CHECK(data);
  for (struct dirent *file; (file = readdir(data));) {
    if (file->d_name[0] == '.' || strcmp(file->d_name, "list.txt") == 0 ||
        strcmp(file->d_name, "bits.txt") == 0)
      continue;
    CHECK_SAY(listed(file->d_name), "%s is not in list.txt", file->d_name);
    folders++;
  }
  closedir(data);
  CHECK_EQUAL_INT(folders, entries);
}

/* Returns the storage on disk: an array is dense, coordinates are CSR; cells and J mark the
 * others. */
static const char *storage_on_disk(const entry *e)
{
  if (exists(e, "J.mtx"))
    return "contact";
  if (exists(e, "cells.mtx"))
    return "stencil";
  char path[1200], form[32] = "";
  snprintf(path, sizeof path, "%s/A.mtx", folder_of(e));
  FILE *file = fopen(path, "r");
  CHECK_SAY(file && fscanf(file, "%%%%MatrixMarket matrix %31s", form) == 1, "%s", path);
  fclose(file);
  return strcmp(form, "array") == 0 ? "dense" : "coordinate";
}

static const char *const storages[] = {"dense", "coordinate", "stencil", "contact"};
enum { STORAGES = 4 };

/* The words of a name say what it is; problems without a form in the name are LCPs. */
static void every_folder_reads_as_its_name_says(void)
{
  read_list();
  for (int k = 0; k < entries; k++) {
    const entry *e = &list[k];
    perp_instance instance = read_problem(e);
    const perp_problem p = perp_instance_problem(&instance);
    perp_message why = {""};
    CHECK_SAY(perp_problem_validate(&p, &why) == PERP_OK, "%s: %s", e->name, why.text);
    CHECK(perp_operator_size(p.A) > 0);
    const char *storage = storage_on_disk(e), *form = perp_form_name(perp_set_form(&p.K));
    const char *kind = perp_operator_kind(p.A);
    CHECK_EQUAL_TEXT(kind, strcmp(storage, "coordinate") == 0 ? "csr" : storage);
    const bool plain = begins_with(e->name, "hard-") || begins_with(e->name, "single-");
    CHECK_SAY(begins_with(e->name, plain ? "" : form), "%s: form %s", e->name, form);
    CHECK_SAY(!plain || strcmp(form, "lcp") == 0, "%s: form %s", e->name, form);
    CHECK_SAY(plain || strstr(e->name, storage), "%s: storage %s", e->name, storage);
    for (int s = 0; s < STORAGES; s++)
      CHECK_SAY(!strstr(e->name, storages[s]) || strcmp(storages[s], storage) == 0, "%s", e->name);
    CHECK_SAY(!strstr(e->name, "infeasible") || instance.kind == PERP_KIND_INFEASIBLE, "%s",
              e->name);
    CHECK_SAY(!strstr(e->name, "multiple") || instance.kind == PERP_KIND_MULTIPLE, "%s", e->name);
    CHECK_SAY(instance.kind != PERP_KIND_UNKNOWN, "%s", e->name);
    perp_instance_destroy(&instance);
  }
}

/* Each form with each storage that generators have for it, with one solution and with several;
 * infeasible ones with a certificate. */
static void the_corpus_covers_forms_storages_and_kinds(void)
{
  /* no generator makes a friction index or a box over a dense or contact matrix */
  static const char *const wanted[] = {
      "lcp dense solvable",        "lcp dense multiple",         "lcp dense infeasible",
      "lcp coordinate solvable",   "lcp coordinate multiple",    "lcp contact solvable",
      "lcp contact multiple",      "mixed dense solvable",       "mixed dense multiple",
      "mixed coordinate solvable", "mixed coordinate multiple",  "mixed contact solvable",
      "mixed contact multiple",    "boxed dense solvable",       "boxed dense multiple",
      "boxed coordinate solvable", "findex coordinate multiple", "findex contact multiple",
      "cone dense solvable",       "cone coordinate multiple",   "cone contact multiple",
      "lcp stencil solvable",      "lcp stencil multiple",       "lcp stencil infeasible",
      "mixed stencil solvable",    "boxed stencil solvable",
  };
  read_list();
  bool seen[sizeof wanted / sizeof *wanted] = {false};
  for (int k = 0; k < entries; k++) {
    perp_instance instance = read_problem(&list[k]);
    const perp_problem p = perp_instance_problem(&instance);
    char words[64];
    snprintf(words, sizeof words, "%s %s %s", perp_form_name(perp_set_form(&p.K)),
             storage_on_disk(&list[k]), perp_kind_name(instance.kind));
    const bool known =
        instance.kind == PERP_KIND_INFEASIBLE ? instance.u != NULL : instance.x != NULL;
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
      seen[w] = seen[w] || (known && strcmp(words, wanted[w]) == 0);
    perp_instance_destroy(&instance);
  }
  for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
    CHECK_SAY(seen[w], "no folder is %s, with its solution or certificate", wanted[w]);
}

static void operators_are_the_matrices_of_the_files(void)
{
  read_list();
  for (int k = 0; k < entries; k++) {
    perp_instance instance = read_problem(&list[k]);
    matrix A = read_A(&list[k]);
    const int n = perp_operator_size(instance.A);
    const bool contact = strcmp(perp_operator_kind(instance.A), "contact") == 0;
    CHECK(A.rows == n && A.columns == n);
    double *e = calloc((size_t)n, sizeof *e), *y = calloc((size_t)n, sizeof *y);
    double *scratch = calloc(perp_operator_scratch(instance.A) + 1, sizeof *scratch);
    double largest = 0;
    for (int i = 0; i < n * n; i++)
      largest = fmax(largest, fabs(A.a[i]));
    for (int j = 0; j < n; j++) {
      e[j] = 1;
      CHECK(perp_operator_apply(instance.A, e, y, scratch, NULL) == PERP_OK);
      e[j] = 0;
      for (int i = 0; i < n; i++)
        CHECK_SAY(fabs(y[i] - A.a[i * n + j]) <= (contact ? 1e-14 * largest : 0),
                  "%s: A(%d,%d) = %.17g, the operator has %.17g", list[k].name, i, j,
                  A.a[i * n + j], y[i]);
    }
    free(e);
    free(y);
    free(scratch);
    free(A.a);
    perp_instance_destroy(&instance);
  }
}

/* One row of a box: inside it y = 0, at the lower bound y >= 0, at the upper y <= 0. */
static void check_row(const entry *e, int i, double lo, double hi, double x, double y, double slack)
{
  const double near = 1e-14 * fmax(1, fabs(x));
  CHECK_SAY(x >= lo - near && x <= hi + near, "%s: x_%d = %.17g not in %g .. %g", e->name, i, x, lo,
            hi);
  CHECK_SAY(x <= lo + near || y <= slack, "%s: x_%d = %.17g, y = %.3g", e->name, i, x, y);
  CHECK_SAY(x >= hi - near || y >= -slack, "%s: x_%d = %.17g, y = %.3g", e->name, i, x, y);
}

/* |x_t| <= mu x_n; u = y + mu |y_t| e_n is in the dual cone, mu |u_t| <= u_n, and orthogonal to
 * x. */
static void check_cone(const entry *e, double mu, const double *x, const double *y, double slack)
{
  const double push = hypot(x[1], x[2]), slip = hypot(y[1], y[2]), normal = y[0] + mu * slip;
  CHECK_SAY(push <= mu * x[0] * (1 + 1e-14), "%s: |x_t| = %.17g, x_n = %.17g", e->name, push, x[0]);
  CHECK_SAY(mu * slip <= normal + slack, "%s: y_n = %.3g", e->name, y[0]);
  CHECK_SAY(fabs(x[0] * normal + x[1] * y[1] + x[2] * y[2]) <= slack * (1 + x[0]),
            "%s: x^T u = %.3g", e->name, x[0] * normal + x[1] * y[1] + x[2] * y[2]);
}

static void check_solution(const entry *e, const perp_instance *instance, matrix A)
{
  const int n = A.rows;
  const double *x = instance->x;
  double *y = calloc((size_t)n, sizeof *y), *slack = calloc((size_t)n, sizeof *slack);
  for (int i = 0; i < n; i++) {
    y[i] = instance->b[i];
    slack[i] = fabs(y[i]);
    for (int j = 0; j < n; j++) {
      y[i] += A.a[i * n + j] * x[j];
      slack[i] += fabs(A.a[i * n + j] * x[j]);
    }
    slack[i] *= 1e-14;
  }
  for (int c = 0; c < instance->cones; c++)
    check_cone(e, instance->mu[c], x + 3 * c, y + 3 * c,
               slack[3 * c] + slack[3 * c + 1] + slack[3 * c + 2]);
  for (int i = 3 * instance->cones; i < n; i++) {
    const int normal = instance->findex ? instance->findex[i] : -1;
    const double lever = normal >= 0 ? fabs(x[normal]) : 1;
    check_row(e, i, instance->lo ? lever * instance->lo[i] : 0,
              instance->hi ? lever * instance->hi[i] : INFINITY, x[i], y[i], slack[i]);
  }
  free(y);
  free(slack);
}

static void stored_solutions_solve(void)
{
  read_list();
  int solutions = 0;
  for (int k = 0; k < entries; k++) {
    perp_instance instance = read_problem(&list[k]);
    if (instance.x) {
      matrix A = read_A(&list[k]);
      check_solution(&list[k], &instance, A);
      /* and the driver's verdict agrees, on this x and on one outside K */
      const perp_problem p = perp_instance_problem(&instance);
      double residual, scale;
      CHECK(perp_problem_judge(&p, instance.x, &residual, &scale, NULL) == PERP_OK);
      CHECK_SAY(residual <= 1e-13 * scale, "%s: residual %.3g", list[k].name, residual);
      if (!instance.lo || isfinite(instance.lo[0])) {
        instance.x[0] = -1e3 * scale;
        CHECK(perp_problem_judge(&p, instance.x, &residual, &scale, NULL) == PERP_OK);
        CHECK_SAY(residual > 1e-3 * scale, "%s: residual %.3g", list[k].name, residual);
      }
      free(A.a);
      solutions++;
    } else {
      CHECK_SAY(instance.kind != PERP_KIND_SOLVABLE, "%s: no x.mtx", list[k].name);
    }
    perp_instance_destroy(&instance);
  }
  CHECK(solutions > entries / 2);
}

/* u >= 0, A^T u <= 0 and b^T u < 0, without any slack. */
static void stored_certificates_hold(void)
{
  read_list();
  int certificates = 0;
  for (int k = 0; k < entries; k++) {
    const entry *e = &list[k];
    perp_instance instance = read_problem(e);
    const double *u = instance.u;
    CHECK_SAY(!u || instance.kind == PERP_KIND_INFEASIBLE, "%s", e->name);
    if (u) {
      matrix A = read_A(e);
      double against = 0;
      for (int j = 0; j < A.rows; j++) {
        double product = 0;
        for (int i = 0; i < A.rows; i++)
          product += A.a[i * A.columns + j] * u[i];
        CHECK_SAY(u[j] >= 0 && product <= 0, "%s: column %d: %.3g", e->name, j, product);
        against += instance.b[j] * u[j];
      }
      CHECK_SAY(against < 0, "%s: b^T u = %.3g", e->name, against);
      free(A.a);
      certificates++;
    }
    perp_instance_destroy(&instance);
  }
  CHECK(certificates >= 3);
}

/* ---- Bytes are reproducible ---- */

static char scratch[256];

static void remove_scratch(void)
{
  DIR *folder = opendir(scratch);
  if (!folder)
    return;
  for (struct dirent *file; (file = readdir(folder));) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", scratch, file->d_name);
    if (file->d_name[0] != '.')
      remove(path);
  }
  closedir(folder);
  remove(scratch);
}

static void make_scratch(void)
{
  const char *base = getenv("TMPDIR");
  snprintf(scratch, sizeof scratch, "%.200s/perp-data-XXXXXX", base && *base ? base : "/tmp");
  CHECK(mkdtemp(scratch) && atexit(remove_scratch) == 0);
}

static char *contents(const char *folder, const char *name, size_t *size)
{
  char path[1400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  CHECK_SAY(file, "%s is missing", path);
  struct stat status;
  CHECK(fstat(fileno(file), &status) == 0);
  *size = (size_t)status.st_size;
  char *text = malloc(*size + 1);
  CHECK(text && fread(text, 1, *size, file) == *size);
  fclose(file);
  return text;
}

/* Every file of one folder is in the other, with the same bytes; returns their number. */
static int compare_folders(const char *left, const char *right)
{
  int files = 0;
  DIR *folder = opendir(left);
  CHECK_SAY(folder, "%s", left);
  for (struct dirent *file; (file = readdir(folder));) {
    if (file->d_name[0] == '.')
      continue;
    size_t size, other;
    char *a = contents(left, file->d_name, &size), *b = contents(right, file->d_name, &other);
    CHECK_SAY(size == other && memcmp(a, b, size) == 0, "%s/%s differs from what is made now", left,
              file->d_name);
    free(a);
    free(b);
    files++;
  }
  closedir(folder);
  return files;
}

static void problems_made_again_have_the_same_bytes(void)
{
  read_list();
  make_scratch();
  for (int k = 0; k < entries; k++) {
    perp_instance instance;
    perp_message why = {""};
    CHECK_SAY(perp_generate(list[k].text, &instance, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_folder_write(scratch, &instance, &why) == PERP_OK, "%s", why.text);
    perp_instance_destroy(&instance);
    const int files = compare_folders(folder_of(&list[k]), scratch);
    CHECK(files >= 3 && compare_folders(scratch, folder_of(&list[k])) == files);
  }
}

static const test_case tests[] = {
    TEST(folders_are_those_of_the_list),
    TEST(every_folder_reads_as_its_name_says),
    TEST(the_corpus_covers_forms_storages_and_kinds),
    TEST(operators_are_the_matrices_of_the_files),
    TEST(stored_solutions_solve),
    TEST(stored_certificates_hold),
    TEST(problems_made_again_have_the_same_bytes),
};

TEST_MAIN(tests)
