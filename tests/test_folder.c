/* test_folder.c: problems written and read again, as folders and as MATLAB files
 *
 * Oracle: matrices assembled here by their definition. Values are compared bit by bit. */
#define _POSIX_C_SOURCE 200809L
#include "folders.h"

#include "base/memory.h"
#include "base/random.h"

/* ---- Round trips of problems ---- */

enum { N = 12 };

static double *copy_of(int n, const double *values)
{
  double *copy = perp_alloc_copy(values, (size_t)n, sizeof *copy);
  CHECK(copy);
  return copy;
}

/* Numbers that are hard to write: all exponents, whole numbers, zeros of both signs. */
static double odd_number(perp_random *random)
{
  switch (perp_random_below(random, 6)) {
  case 0:
    return perp_random_below(random, 100) - 50;
  case 1:
    return ldexp(perp_random_normal(random), perp_random_below(random, 1900) - 950);
  case 2:
    return -0.0;
  default:
    return perp_random_normal(random);
  }
}

static double nonzero(perp_random *random)
{
  double value;
  do
    value = odd_number(random);
  while (value == 0);
  return value;
}

/* Vectors of a random form for n rows, into an instance that has its A. */
static void fill_vectors(perp_random *random, int n, int form, perp_instance *p)
{
  double v[N] = {0};
  for (int i = 0; i < n; i++)
    v[i] = odd_number(random);
  p->b = copy_of(n, v);
  if (form >= 1) {
    for (int i = 0; i < n; i++)
      v[i] = perp_random_below(random, 3) ? -fabs(odd_number(random)) : -INFINITY;
    p->lo = copy_of(n, v);
    for (int i = 0; i < n; i++)
      v[i] = perp_random_below(random, 3) ? fabs(odd_number(random)) : INFINITY;
    p->hi = copy_of(n, v);
  }
  if (form == 2 && n > 1) {
    p->findex = perp_alloc((size_t)n, sizeof *p->findex);
    for (int i = 0; i < n; i++)
      p->findex[i] = i == 0 ? -1 : i % 3 == 0 ? -1 : 0;
  }
  if (form == 3) {
    p->cones = n / 3;
    for (int i = 0; i < p->cones; i++)
      v[i] = perp_random_uniform(random);
    p->mu = copy_of(p->cones, v);
  }
  if (form % 2) {
    for (int i = 0; i < n; i++)
      v[i] = odd_number(random);
    p->x = copy_of(n, v);
    p->u = copy_of(n, v);
    p->kind = (perp_kind)(1 + perp_random_below(random, 3));
  }
}

static void check_same_vectors(const perp_instance *p, const perp_instance *q, int n)
{
  const size_t bytes = (size_t)n * sizeof(double);
  CHECK(same_array(p->b, q->b, bytes));
  CHECK(same_array(p->lo, q->lo, bytes));
  CHECK(same_array(p->hi, q->hi, bytes));
  CHECK(same_array(p->x, q->x, bytes));
  CHECK(same_array(p->u, q->u, bytes));
  CHECK(same_array(p->findex, q->findex, (size_t)n * sizeof(int)));
  CHECK_EQUAL_INT(p->cones, q->cones);
  CHECK(same_array(p->mu, q->mu, (size_t)p->cones * sizeof(double)));
}

/* Writes, reads, compares; writes again and compares the bytes. Destroys p. */
static void round_trip(perp_instance *p, const char *kind, int n, const double *expected)
{
  perp_instance q, r;
  perp_message why = {""};
  char first[512], second[512];
  snprintf(first, sizeof first, "%s/p", scratch);
  snprintf(second, sizeof second, "%s/q", scratch);
  CHECK_SAY(perp_folder_write(first, p, &why) == PERP_OK, "%s", why.text);
  CHECK_SAY(perp_folder_read(first, &q, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_TEXT(perp_operator_kind(q.A), kind);
  CHECK_EQUAL_INT(perp_operator_size(q.A), n);
  CHECK_EQUAL_TEXT(q.name, "p");
  CHECK_EQUAL_INT(q.kind, p->kind);
  check_matrix(q.A, n, expected);
  check_same_vectors(p, &q, n);

  CHECK(perp_folder_write(second, &q, &why) == PERP_OK);
  CHECK_EQUAL_INT(count_files(first), count_files(second));
  DIR *folder = opendir(first);
  CHECK(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char name[300];
    /* cells count from the first used one once they have been read */
    if (entry->d_name[0] == '.' || strcmp(entry->d_name, "cells.mtx") == 0)
      continue;
    snprintf(name, sizeof name, "p/%.250s", entry->d_name);
    const char *text = get(in_scratch(name));
    name[0] = 'q';
    CHECK_EQUAL_TEXT(text, get(in_scratch(name)));
  }
  closedir(folder);
  CHECK(perp_folder_read(second, &r, &why) == PERP_OK);
  check_matrix(r.A, n, expected);
  perp_instance_destroy(&r);
  perp_instance_destroy(&q);
  perp_instance_destroy(p);
}

static void round_trip_dense(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(4);
  for (int round = 0; round < 30; round++) {
    const int n = round % 5 == 4 ? 0 : 1 + perp_random_below(&random, N), stride = n + round % 3;
    double a[N * (N + 2)] = {0}, expected[N * N] = {0};
    perp_instance p = {0};
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const bool mirror = round % 2 && j < i;
        expected[i * n + j] = mirror ? expected[j * n + i] : odd_number(&random);
        a[i * stride + j] = expected[i * n + j];
      }
    CHECK(perp_operator_dense(n, a, stride, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "dense", n, expected);
    CHECK(!strstr(get(in_scratch("p/A.mtx")), "symmetric") == (round % 2 == 0 && n > 1));
  }
}

static void round_trip_sparse(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(5);
  for (int round = 0; round < 30; round++) {
    const int n = round % 10 == 9 ? 0 : 1 + perp_random_below(&random, N);
    int64_t start[N + 1] = {0};
    int column[N * N];
    double value[N * N], expected[N * N] = {0};
    perp_instance p = {0};
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const bool mirror = round % 2 && j < i;
        expected[i * n + j] = mirror                          ? expected[j * n + i]
                              : perp_random_below(&random, 3) ? 0
                                                              : nonzero(&random);
      }
    for (int i = 0; i < n; i++) {
      start[i + 1] = start[i];
      for (int j = 0; j < n; j++)
        if (expected[i * n + j] != 0) {
          column[start[i + 1]] = j;
          value[start[i + 1]++] = expected[i * n + j];
        }
    }
    CHECK(perp_operator_csr(n, start, column, value, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "csr", n, expected);
    if (round % 2)
      CHECK(strstr(get(in_scratch("p/A.mtx")), "coordinate real symmetric"));
  }
}

static void round_trip_blocks(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(6);
  for (int round = 0; round < 20; round++) {
    const int64_t start[] = {0, 2, 3, 5};
    const int column[] = {0, 2, 1, 0, 2};
    double value[45], expected[81] = {0};
    perp_instance p = {0};
    for (int i = 0; i < 3; i++)
      for (int64_t k = start[i]; k < start[i + 1]; k++)
        for (int e = 0; e < 9; e++) {
          value[9 * k + e] = nonzero(&random);
          expected[(3 * i + e / 3) * 9 + 3 * column[k] + e % 3] = value[9 * k + e];
        }
    CHECK(perp_operator_bsr(3, 3, start, column, value, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, 9, round % 4, &p);
    round_trip(&p, "csr", 9, expected);
  }
}

static int shell_apply(void *context, const double *x, double *y)
{
  const double *a = context;
  for (int i = 0; i < 3; i++)
    y[i] = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
  return 0;
}

static void round_trip_shell(void)
{
  fresh_scratch();
  double a[9] = {4, -1, 0, 0.1, 5, 0, -1.0 / 3, 0, 6};
  const perp_shell shell = {.size = sizeof(perp_shell), .context = a, .apply = shell_apply};
  perp_random random = perp_random_from(7);
  perp_instance p = {0};
  CHECK(perp_operator_shell(3, &shell, &p.A, NULL) == PERP_OK);
  fill_vectors(&random, 3, 1, &p);
  round_trip(&p, "csr", 3, a);
}

/* Random grids with holes, unknowns in random order, weights and diagonal at random. */
static void round_trip_stencil(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(8);
  for (int round = 0; round < 40; round++) {
    const bool solid = round % 2;
    const int nx = 1 + perp_random_below(&random, 3), ny = 1 + perp_random_below(&random, 3);
    const int nz = solid ? 2 + perp_random_below(&random, 2) : 1, count = nx * ny * nz;
    double w[3][27], diagonal[27], expected[N * N] = {0};
    int cells[27], n = 0, order[27];
    perp_instance p = {0};
    perp_random_permutation(&random, count, order);
    for (int k = 0; k < count; k++) {
      for (int d = 0; d < 3; d++)
        w[d][k] = nonzero(&random);
      diagonal[k] = nonzero(&random);
      if (n < N && (round % 3 || perp_random_below(&random, 2)))
        cells[n++] = round % 4 < 2 ? order[k] : k;
    }
    for (int u = 0; u < n; u++)
      for (int v = 0; v < n; v++) {
        const int c = cells[u], e = cells[v], low = c < e ? c : e;
        const int di = abs(c % nx - e % nx), dj = abs(c / nx % ny - e / nx % ny);
        const int dk = abs(c / nx / ny - e / nx / ny);
        if (u == v)
          expected[u * n + v] = diagonal[c];
        else if (di + dj + dk == 1)
          expected[u * n + v] = -w[di ? 0 : dj ? 1 : 2][low];
      }
    const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                    .nx = nx,
                                    .ny = ny,
                                    .nz = nz,
                                    .unknowns = n,
                                    .cells = cells,
                                    .wx = w[0],
                                    .wy = w[1],
                                    .wz = w[2],
                                    .diagonal = diagonal};
    CHECK(perp_operator_stencil(&data, PERP_COPY, &p.A, NULL) == PERP_OK);
    check_matrix(p.A, n, expected);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "stencil", n, expected);
  }
  /* the full grid in order, without a list of cells */
  const perp_stencil_data full = {
      .size = sizeof(perp_stencil_data), .nx = 4, .ny = 3, .nz = 1, .weight = 0.5};
  double expected[144] = {0};
  perp_instance p = {0};
  for (int u = 0; u < 12; u++)
    for (int v = 0; v < 12; v++)
      expected[u * 12 + v] = u == v ? 2 : abs(u % 4 - v % 4) + abs(u / 4 - v / 4) == 1 ? -0.5 : 0;
  CHECK(perp_operator_stencil(&full, PERP_COPY, &p.A, NULL) == PERP_OK);
  fill_vectors(&random, 12, 1, &p);
  round_trip(&p, "stencil", 12, expected);
  perp_stencil_data read = perp_stencil_data_default();
  CHECK(perp_folder_read(in_scratch("q"), &p, NULL) == PERP_OK);
  CHECK(perp_operator_stencil_data(p.A, &read) == PERP_OK);
  CHECK(read.nx == 4 && read.ny == 3 && read.nz == 1);
  perp_instance_destroy(&p);
}

static void round_trip_contact(void)
{
  fresh_scratch();
  perp_random random = perp_random_from(9);
  for (int round = 0; round < 20; round++) {
    const int n = 1 + perp_random_below(&random, N), m = 6;
    const int block_start[] = {0, 1, 3, 6};
    const int64_t M_at[] = {0, 1, 5};
    double J[N * 6] = {0}, Minv[14], C[N * N] = {0}, M[36] = {0}, expected[N * N] = {0};
    int64_t J_start[N + 1] = {0}, C_start[N + 1] = {0};
    int J_column[N * 6], C_column[N * N];
    double J_value[N * 6], C_value[N * N];
    perp_instance p = {0};
    /* eighths, so that every sum is exact whatever its order */
    for (int b = 0; b < 3; b++) {
      const int size = block_start[b + 1] - block_start[b];
      for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
          const double v = i == j ? 8 + i : perp_random_below(&random, 3) * 0.125;
          Minv[M_at[b] + i * size + j] = Minv[M_at[b] + j * size + i] = v;
          M[(block_start[b] + i) * m + block_start[b] + j] = v;
          M[(block_start[b] + j) * m + block_start[b] + i] = v;
        }
    }
    for (int i = 0; i < n; i++) {
      J_start[i + 1] = J_start[i];
      for (int j = 0; j < m; j++)
        if (perp_random_below(&random, 2)) {
          J[i * m + j] = (1 + perp_random_below(&random, 16)) * 0.125;
          J_column[J_start[i + 1]] = j;
          J_value[J_start[i + 1]++] = J[i * m + j];
        }
      C_start[i + 1] = C_start[i] + 1;
      C_column[i] = i;
      C_value[i] = C[i * n + i] = 0.125 * (1 + i);
    }
    const bool compliant = round % 2;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        expected[i * n + j] = compliant ? C[i * n + j] : 0;
        for (int k = 0; k < m; k++)
          for (int l = 0; l < m; l++)
            expected[i * n + j] += J[i * m + k] * M[k * m + l] * J[j * m + l];
      }
    const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                    .rows = n,
                                    .velocities = m,
                                    .J_start = J_start,
                                    .J_column = J_column,
                                    .J_value = J_value,
                                    .blocks = 3,
                                    .block_start = block_start,
                                    .Minv = Minv,
                                    .C_start = compliant ? C_start : NULL,
                                    .C_column = C_column,
                                    .C_value = C_value};
    CHECK(perp_operator_contact(&data, PERP_COPY, &p.A, NULL) == PERP_OK);
    fill_vectors(&random, n, round % 4, &p);
    round_trip(&p, "contact", n, expected);
    struct stat status;
    CHECK(stat(in_scratch("p/A.mtx"), &status) != 0);
    CHECK((stat(in_scratch("p/C.mtx"), &status) == 0) == compliant);

    /* the parts themselves, including zeros in blocks of Minv */
    perp_contact_data read = perp_contact_data_default();
    CHECK(perp_folder_read(in_scratch("p"), &p, NULL) == PERP_OK);
    CHECK(perp_operator_contact_data(p.A, &read) == PERP_OK);
    CHECK(read.rows == n && read.velocities == m && read.blocks == 3);
    CHECK(same_array(read.J_value, J_value, (size_t)J_start[n] * sizeof(double)));
    CHECK(same_array(read.block_start, block_start, sizeof block_start));
    CHECK(same_array(read.Minv, Minv, sizeof Minv));
    perp_instance_destroy(&p);
  }
}

static void stale_files_go(void)
{
  fresh_scratch();
  perp_message why = {""};
  perp_instance p = {0}, q;
  const double a[4] = {2, 1, 0, 2}, b[2] = {-1, -1};
  CHECK(perp_operator_dense(2, a, 2, PERP_COPY, &p.A, NULL) == PERP_OK);
  p.b = copy_of(2, b);
  CHECK(mkdir(in_scratch("p"), 0777) == 0);
  static const char *const stale[] = {"cells.mtx", "J.mtx",  "Minv.mtx",   "C.mtx",  "M.mtx",
                                      "lo.mtx",    "hi.mtx", "findex.mtx", "mu.mtx", "cone.mtx",
                                      "x.mtx",     "u.mtx",  "kind.txt"};
  for (size_t k = 0; k < sizeof stale / sizeof *stale; k++) {
    char name[32];
    snprintf(name, sizeof name, "p/%s", stale[k]);
    put(in_scratch(name), "stale");
  }
  put(in_scratch("p/notes.txt"), "mine");
  CHECK_SAY(perp_folder_write(in_scratch("p"), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_INT(count_files(in_scratch("p")), 3); /* A, b and what is not perp's */
  CHECK_EQUAL_TEXT(get(in_scratch("p/A.mtx")), MM "array real general\n2 2\n2\n0\n1\n2\n");

  /* a write that fails half way, at x.mtx, keeps the old problem */
  CHECK(mkdir(in_scratch("p/x.mtx"), 0777) == 0);
  p.x = copy_of(2, b);
  p.b[0] = 77;
  CHECK(perp_folder_write(in_scratch("p"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "p/x.mtx: is a folder"));
  CHECK_EQUAL_INT(count_files(in_scratch("p")), 4);
  CHECK(rmdir(in_scratch("p/x.mtx")) == 0);
  CHECK(perp_folder_read(in_scratch("p"), &q, &why) == PERP_OK && q.b[0] == -1);
  perp_instance_destroy(&q);

  CHECK(perp_folder_write(in_scratch("no/p"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "no/p: cannot make the folder: "));
  CHECK(perp_folder_write(in_scratch("p/b.mtx"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "p/b.mtx: is not a folder"));
  perp_instance_destroy(&p);
}

/* ---- MATLAB files ---- */

static bool mat_missing(void)
{
  perp_instance p;
  perp_message why = {""};
  fresh_scratch();
  if (perp_mat_read(in_scratch("gone.mat"), &p, &why) != PERP_ERROR_BACKEND) {
    CHECK(strstr(why.text, "gone.mat: there is no such file"));
    return false;
  }
  CHECK(strstr(why.text, "gone.mat: perp was built without libmatio"));
  return true;
}

static void mat_round_trip(void)
{
  if (mat_missing())
    test_skip("built without libmatio");
  perp_random random = perp_random_from(11);
  for (int round = 0; round < 60; round++) {
    const int n = round == 30 ? 0 : 1 + perp_random_below(&random, N);
    int64_t start[N + 1] = {0};
    int column[N * N];
    double value[N * N], expected[N * N] = {0};
    perp_instance p = {0}, q;
    perp_message why = {""};
    for (int i = 0; i < n; i++) {
      start[i + 1] = start[i];
      for (int j = 0; j < n; j++) {
        if (round % 10 == 9 || perp_random_below(&random, 2) == 0)
          continue;
        expected[i * n + j] = nonzero(&random);
        column[start[i + 1]] = j;
        value[start[i + 1]++] = expected[i * n + j];
      }
    }
    const bool sparse = round % 2;
    CHECK((sparse ? perp_operator_csr(n, start, column, value, PERP_COPY, &p.A, NULL)
                  : perp_operator_dense(n, expected, n, PERP_COPY, &p.A, NULL)) == PERP_OK);
    fill_vectors(&random, n, round / 2 % 4, &p);
    CHECK_SAY(perp_mat_write(in_scratch("p.mat"), &p, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_mat_read(in_scratch("p.mat"), &q, &why) == PERP_OK, "%d: %s", round, why.text);
    CHECK_EQUAL_TEXT(perp_operator_kind(q.A), sparse ? "csr" : "dense");
    check_matrix(q.A, n, expected);
    check_same_vectors(&p, &q, n);
    CHECK_EQUAL_INT(count_files(scratch), 1);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t count)
{
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, count, file) == count);
  CHECK(file && fclose(file) == 0);
}

static void mat_refused(void)
{
  if (mat_missing())
    test_skip("built without libmatio");
  const double a[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  static const struct {
    int part; /* whose second number is made bad */
    double value;
    const char *message;
  } bad[] = {{0, NAN, ".mat: b: entry (1, 0) = nan is not finite"},
             {0, INFINITY, ".mat: b: entry (1, 0) = inf is not finite"},
             {1, NAN, ".mat: lo: entry (1, 0) = nan is not finite"},
             {2, 7, ".mat: findex: entry (1, 0) = 8 is outside 0..3"},
             {3, -1, ".mat: mu: entry (0, 0) = -1 is outside 0..inf"},
             {4, NAN, ".mat: x: entry (1, 0) = nan is not finite"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    perp_instance p = {0}, q;
    perp_message why = {""};
    const double zeros[3] = {0};
    CHECK(perp_operator_dense(3, a, 3, PERP_COPY, &p.A, NULL) == PERP_OK);
    p.b = copy_of(3, zeros);
    p.lo = copy_of(3, zeros);
    p.x = copy_of(3, zeros);
    if (bad[k].part == 0)
      p.b[1] = bad[k].value;
    if (bad[k].part == 1)
      p.lo[1] = bad[k].value;
    if (bad[k].part == 2) {
      const int findex[3] = {-1, (int)bad[k].value, -1};
      p.findex = perp_alloc_copy(findex, 3, sizeof *findex);
    }
    if (bad[k].part == 3) {
      p.mu = copy_of(1, &bad[k].value);
      p.cones = 1;
    }
    if (bad[k].part == 4)
      p.x[1] = bad[k].value;
    CHECK(perp_mat_write(in_scratch("p.mat"), &p, &why) == PERP_OK);
    CHECK(perp_mat_read(in_scratch("p.mat"), &q, &why) == PERP_ERROR_PROBLEM);
    CHECK_SAY(strstr(why.text, bad[k].message), "%s", why.text);
    CHECK(!q.A);
    perp_instance_destroy(&p);
  }
  perp_instance q;
  perp_message why = {""};
  put(in_scratch("t.mat"), "this is no MATLAB file");
  CHECK(perp_mat_read(in_scratch("t.mat"), &q, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "t.mat: "));

  /* Bytes 160 to 167 of an uncompressed file of version 5 are the sizes of its first variable:
   * 65537 x 65537 entries do not fit in 200 bytes, and are not allocated. */
  unsigned char file[208] = "MATLAB 5.0 MAT-file";
  const unsigned char variable[80] = {14, 0, 0, 0, 72, 0, 0,   0, 6, 0, 0, 0, 8, 0, 0, 0, 6, 0, 0,
                                      0,  0, 0, 0, 0,  5, 0,   0, 0, 8, 0, 0, 0, 1, 0, 1, 0, 1, 0,
                                      1,  0, 1, 0, 1,  0, 'A', 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0};
  memset(file + 19, ' ', 105);
  memcpy(file + 124, "\0\1IM", 4);
  memcpy(file + 128, variable, sizeof variable);
  write_bytes(in_scratch("h.mat"), file, sizeof file);
  CHECK(perp_mat_read(in_scratch("h.mat"), &q, &why) == PERP_ERROR_FILE);
  CHECK_SAY(strstr(why.text, "A: 65537 x 65537 cannot be in a file of 208 bytes"), "%s", why.text);

  /* a thousand million dimensions, and the same number of cells */
  static const struct {
    int at;
    unsigned char value;
  } wrong[] = {{128 + 31, 0x40}, {128 + 16, 1}};
  for (int k = 0; k < 2; k++) {
    const unsigned char before = file[wrong[k].at];
    file[wrong[k].at] = wrong[k].value;
    write_bytes(in_scratch("h.mat"), file, sizeof file);
    CHECK(perp_mat_read(in_scratch("h.mat"), &q, &why) == PERP_ERROR_FILE);
    CHECK_SAY(strstr(why.text, "h.mat: variable 1 declares more"), "%d: %s", k, why.text);
    file[wrong[k].at] = before;
  }
}

static const test_case tests[] = {
    TEST(round_trip_dense), TEST(round_trip_sparse),  TEST(round_trip_blocks),
    TEST(round_trip_shell), TEST(round_trip_stencil), TEST(round_trip_contact),
    TEST(stale_files_go),   TEST(mat_round_trip),     TEST(mat_refused),
};

TEST_MAIN(tests)
