/* test_folder_read.c: problem folders as others write them
 *
 * Oracle: a reader of a few scanf lines for the corpus. Values are compared bit by bit. */
#define _POSIX_C_SOURCE 200809L
#include "folders.h"

#ifndef PERP_TEST_DATA
#define PERP_TEST_DATA "tests"
#endif

/* ---- Folders as others write them ---- */

typedef struct {
  const char *name, *text;
} entry;

static const char *make_folder(const entry *files, size_t count)
{
  fresh_scratch();
  CHECK(mkdir(in_scratch("p"), 0777) == 0);
  for (size_t k = 0; k < count && files[k].name; k++) {
    char name[64];
    snprintf(name, sizeof name, "p/%s", files[k].name);
    if (files[k].text)
      put(in_scratch(name), files[k].text);
    else
      CHECK(mkdir(in_scratch(name), 0777) == 0);
  }
  return in_scratch("p");
}

#define A2                                                                                         \
  {                                                                                                \
    "A.mtx", MM "array real general\n2 2\n2\n1\n1\n2\n"                                            \
  }
#define B2                                                                                         \
  {                                                                                                \
    "b.mtx", MM "array real general\n2 1\n-1\n-1\n"                                                \
  }
#define A3                                                                                         \
  {                                                                                                \
    "A.mtx", MM "coordinate real general\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n"                            \
  }
#define B3                                                                                         \
  {                                                                                                \
    "b.mtx", MM "array real general\n3 1\n-1\n-1\n-1\n"                                            \
  }
#define FOUR      "0\n0\n0\n0\n"
#define FIVE      "0\n" FOUR
#define COLUMN(n) MM "array real general\n" #n " 1\n"
#define J2                                                                                         \
  {                                                                                                \
    "J.mtx", MM "coordinate real general\n2 3 2\n1 1 1\n2 3 1\n"                                   \
  }
#define M3                                                                                         \
  {                                                                                                \
    "Minv.mtx", MM "coordinate real symmetric\n3 3 4\n1 1 1\n2 2 1\n3 3 1\n3 2 0.5\n"              \
  }

static void folders_refused(void)
{
  static const struct {
    entry files[5];
    const char *message; /* behind the folder's path */
  } bad[] = {
      {{B2}, ": has neither A.mtx nor J.mtx"},
      {{A2}, ": has no b.mtx"},
      {{{"A.mtx", NULL}, B2}, "/A.mtx: cannot read: Is a directory"},
      {{{"A.mtx", MM "array real general\n3 4\n"}, B3}, "/A.mtx:2: 3 x 4, but A must be square"},
      {{{"A.mtx", MM "array real general\n1 1\nnan\n"}, B2}, "/A.mtx:3: A = nan"},
      {{A2, B3}, "/b.mtx:2: 3 x 1, but b must have length 2"},
      {{A2, {"b.mtx", COLUMN(2) "1\ninf\n"}}, "/b.mtx:4: b = inf is not finite"},
      {{A2, {"b.mtx", MM "array real general\n2 2\n"}}, "/b.mtx:2: 2 x 2, but b must be a vector"},
      {{A2, B2, {"lo.mtx", COLUMN(2) "0\nnan\n"}}, "/lo.mtx:4: lo = nan"},
      {{A2, B2, {"lo.mtx", COLUMN(1) "0\n"}}, "/lo.mtx:2: 1 x 1, but lo must have length 2"},
      {{A2, B2, {"hi.mtx", COLUMN(3) "0\n"}}, "/hi.mtx:2: 3 x 1, but hi must have length 2"},
      {{A2, B2, {"x.mtx", COLUMN(2) "0\nx\n"}}, "/x.mtx:4: 'x' is not a number"},
      {{A2, B2, {"u.mtx", COLUMN(2) "0\n"}}, "/u.mtx:4: ends after 1 of 2 values"},
      {{A3, B3, {"findex.mtx", COLUMN(3) "-1\n0.5\n-1\n"}},
       "/findex.mtx:4: findex = 0.5 is not a whole number"},
      {{A3, B3, {"findex.mtx", COLUMN(3) "-1\n3\n-1\n"}},
       "/findex.mtx:4: findex = 3 is outside -1..2"},
      {{A3, B3, {"findex.mtx", COLUMN(3) "-2\n-1\n-1\n"}},
       "/findex.mtx:3: findex = -2 is outside -1..2"},
      {{A3, B3, {"mu.mtx", COLUMN(1) "-0.5\n"}}, "/mu.mtx:3: mu = -0.5 is outside 0..inf"},
      {{A3, B3, {"mu.mtx", COLUMN(2) "1\n1\n"}}, "/mu.mtx: 2 contacts of 3 rows, but A has 3 rows"},
      {{A3, B3, {"dim.mtx", COLUMN(1) "0\n"}, {"mu.mtx", MM "array real general\n1 5\n" FIVE}},
       "/dim.mtx:3: dim = 0 is outside 1..6"},
      {{A3, B3, {"dim.mtx", COLUMN(1) "7\n"}, {"mu.mtx", MM "array real general\n1 5\n" FIVE}},
       "/dim.mtx:3: dim = 7 is outside 1..6"},
      {{A3, B3, {"dim.mtx", COLUMN(1) "3\n"}, {"mu.mtx", COLUMN(1) "1\n"}},
       "/mu.mtx:2: 1 x 1, but mu must be 1 x 5"},
      {{A3, B3, {"dim.mtx", COLUMN(1) "3\n"}}, "/dim.mtx: 1 contacts, but there is no mu"},
      {{A3,
        B3,
        {"dim.mtx", COLUMN(2) "3\n1\n"},
        {"mu.mtx", MM "array real general\n2 5\n" FIVE FIVE}},
       ": dim[1] = 1: a cone takes 1 of the 3 rows, and rows below 3 belong to earlier cones"},
      {{A3,
        B3,
        {"dim.mtx", COLUMN(1) "3\n"},
        {"mu.mtx", MM "array real general\n1 5\n1\n" FOUR},
        {"law.mtx", COLUMN(1) "2\n"}},
       "/law.mtx:3: law = 2 is outside 0..1"},
      {{A2, B2, {"kind.txt", "solved\n"}},
       "/kind.txt:1: 'solved' is not one of solvable, multiple, infeasible"},
      {{A2, B2, {"kind.txt", ""}}, "/kind.txt:1: '' is not one of solvable, multiple, infeasible"},
      {{A2, B2, {"kind.txt", "solvable twice"}},
       "/kind.txt:1: 'solvable' and what follows is not one of solvable, multiple, infeasible"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 1\n0\n1\n"}},
       "/cells.mtx: 1 columns, but a cell has 2 or 3 coordinates"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n3 2\n0\n1\n2\n0\n0\n0\n"}},
       "/cells.mtx:2: 3 x 2, but cells must be 2 x 2"},
      {{A2, B2, {"cells.mtx", MM "array real general\n2 2\n0\n0.5\n0\n0\n"}},
       "/cells.mtx:4: cells = 0.5 is not a whole number"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 2\n0\n2\n0\n0\n"}},
       "/A.mtx: entry (0, 1) = 1 couples cells that share no face in cells.mtx"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 2\n0\n1\n0\n1\n"}},
       "/A.mtx: entry (0, 1) = 1 couples cells that share no face in cells.mtx"},
      {{A2, B2, {"cells.mtx", MM "array integer general\n2 2\n0\n2000000000\n0\n0\n"}},
       "/cells.mtx: the box around the 2 cells has more than 1049088 cells"},
      {{{"A.mtx", MM "array real general\n2 2\n2\n-1\n-3\n2\n"},
        B2,
        {"cells.mtx", MM "array integer general\n2 2\n0\n1\n0\n0\n"}},
       "/A.mtx: entries (0, 1) = -3 and (1, 0) = -1 differ, but with cells.mtx A must be "
       "symmetric"},
      {{{"A.mtx", MM "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n2 1 -1\n"},
        B2,
        {"cells.mtx", MM "array integer general\n2 2\n0\n1\n0\n0\n"}},
       "/A.mtx: entries (1, 0) = -1 and (0, 1) = 0 differ, but with cells.mtx A must be "
       "symmetric"},
      {{J2, M3, A2, B2}, ": has both A.mtx and J.mtx; remove one"},
      {{J2, B2}, ": has J.mtx, but no Minv.mtx or M.mtx"},
      {{J2, M3, {"M.mtx", MM "array real general\n1 1\n1\n"}, B2},
       ": has J.mtx, but both M.mtx and Minv.mtx"},
      {{J2, {"Minv.mtx", MM "array real general\n2 2\n1\n0\n0\n1\n"}, B2},
       "/Minv.mtx:2: 2 x 2, but Minv must be 3 x 3"},
      {{J2, {"M.mtx", MM "coordinate real general\n3 3 3\n1 1 1\n2 2 -1\n3 3 1\n"}, B2},
       ": M is not positive definite: the factor ends at row 1, whose pivot is -1"},
      {{J2, {"M.mtx", MM "coordinate real general\n3 3 4\n1 1 1\n2 2 2\n3 3 1\n1 2 1\n"}, B2},
       ": M is not symmetric: (0,1) = 1, but (1,0) = 0"},
      {{J2, M3, {"C.mtx", MM "coordinate real general\n3 3 0\n"}, B2},
       "/C.mtx:2: 3 x 3, but C must be 2 x 2"},
      {{J2, M3, {"C.mtx", MM "coordinate real general\n2 2 1\n1 1 inf\n"}, B2},
       "/C.mtx:3: C = inf is not finite"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const char *path = make_folder(bad[k].files, 5);
    perp_instance p;
    perp_message why = {""};
    char expected[1024];
    CHECK_SAY(perp_folder_read(path, &p, &why) != PERP_OK, "accepted: %s", bad[k].message);
    snprintf(expected, sizeof expected, "%s%s", path, bad[k].message);
    CHECK_EQUAL_TEXT(why.text, expected);
    CHECK(!p.A && !p.b);
  }

  /* what perp_problem_validate finds is named with the folder */
  static const entry crossed[] = {
      A2, B2, {"lo.mtx", COLUMN(2) "0\n3\n"}, {"hi.mtx", COLUMN(2) "1\n2\n"}};
  perp_instance p;
  perp_message why = {""};
  const char *path = make_folder(crossed, 4);
  CHECK(perp_folder_read(path, &p, &why) == PERP_ERROR_PROBLEM);
  CHECK_SAY(strncmp(why.text, path, strlen(path)) == 0 && strstr(why.text, "3"), "%s", why.text);

  CHECK(perp_folder_read(in_scratch("gone"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "gone: there is no such folder"));
  CHECK(perp_folder_read(in_scratch("p/b.mtx"), &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "p/b.mtx: is not a folder"));
  CHECK(perp_folder_read(in_scratch("p/b.mtx/x"), &p, &why) == PERP_ERROR_FILE);

  /* a very long path does not crowd out the message */
  char endless[4000];
  memset(endless, 'x', sizeof endless);
  for (int k = 100; k < 3900; k += 100)
    endless[k] = '/';
  endless[3999] = 0;
  CHECK(perp_folder_read(endless, &p, &why) == PERP_ERROR_FILE);
  CHECK(strstr(why.text, "there is no such folder"));
}

static void folders_read(void)
{
  perp_instance p;
  perp_message why = {""};
  const entry plain[] = {A3,
                         B3,
                         {"lo.mtx", COLUMN(3) "-1e300\n-1e299\n-inf\n"},
                         {"hi.mtx", COLUMN(3) "1e308\n1\nInf\n"},
                         {"findex.mtx", MM "array integer general\n3 1\n-1\n-1\n-1\n"},
                         {"kind.txt", "  multiple \r\n"}};
  CHECK_SAY(perp_folder_read(make_folder(plain, 6), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "csr");
  CHECK(p.lo[0] == -INFINITY && p.lo[1] == -1e299 && p.lo[2] == -INFINITY);
  CHECK(p.hi[0] == INFINITY && p.hi[1] == 1 && p.hi[2] == INFINITY);
  CHECK(!p.findex && !p.mu && !p.x && !p.u && p.kind == PERP_KIND_MULTIPLE);
  perp_instance_destroy(&p);

  const entry friction[] = {A3,
                            B3,
                            {"lo.mtx", COLUMN(3) "0\n-0.5\n-0.5\n"},
                            {"hi.mtx", COLUMN(3) "inf\n0.5\n0.5\n"},
                            {"findex.mtx", COLUMN(3) "-1\n0\n0\n"}};
  CHECK_SAY(perp_folder_read(make_folder(friction, 5), &p, &why) == PERP_OK, "%s", why.text);
  CHECK(p.findex && p.findex[0] == -1 && p.findex[1] == 0 && p.findex[2] == 0);
  perp_instance_destroy(&p);

  const entry empty[] = {{"A.mtx", MM "array real general\n0 0\n"},
                         {"b.mtx", MM "array real general\n0 1\n"},
                         {"findex.mtx", MM "array integer general\n0 1\n"}};
  CHECK_SAY(perp_folder_read(make_folder(empty, 3), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_INT(perp_operator_size(p.A), 0);
  perp_instance_destroy(&p);

  /* cells may count from any origin; here from (1, 5), as Octave might write them */
  const entry stencil[] = {A2, B2, {"cells.mtx", MM "array real general\n2 2\n1\n1\n6\n5\n"}};
  const double expected[] = {2, 1, 1, 2};
  CHECK_SAY(perp_folder_read(make_folder(stencil, 3), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "stencil");
  check_matrix(p.A, 2, expected);
  perp_instance_destroy(&p);

  /* J Minv J^T with blocks {0}, {1, 2}, and no C */
  const entry contact[] = {J2, M3, B2};
  const double delassus[] = {1, 0, 0, 1};
  perp_contact_data data = perp_contact_data_default();
  CHECK_SAY(perp_folder_read(make_folder(contact, 3), &p, &why) == PERP_OK, "%s", why.text);
  check_matrix(p.A, 2, delassus);
  CHECK(perp_operator_contact_data(p.A, &data) == PERP_OK);
  CHECK(data.blocks == 2 && data.block_start[1] == 1 && !data.C_start);
  perp_instance_destroy(&p);
}

/* ---- The corpus, against a reader of a few lines ---- */

static double *read_simply(const char *path, int *rows, int *columns)
{
  char line[1024], format[32], field[32], symmetry[32];
  FILE *file = fopen(path, "r");
  CHECK_SAY(file, "%s", path);
  CHECK(fgets(line, sizeof line, file));
  CHECK(sscanf(line, "%%%%MatrixMarket matrix %31s %31s %31s", format, field, symmetry) == 3);
  do
    CHECK(fgets(line, sizeof line, file));
  while (line[0] == '%');
  const bool general = strcmp(symmetry, "general") == 0;
  long count = 0;
  CHECK(sscanf(line, "%d %d %ld", rows, columns, &count) >= 2);
  double *a = calloc((size_t)*rows * (size_t)*columns + 1, sizeof *a), v;
  CHECK(a);
  if (strcmp(format, "array") == 0) {
    for (int j = 0; j < *columns; j++)
      for (int i = general ? 0 : j; i < *rows; i++) {
        CHECK(fscanf(file, "%lf", &v) == 1);
        a[i * *columns + j] = v;
        if (!general)
          a[j * *columns + i] = v;
      }
  } else {
    for (int i, j; count > 0; count--) {
      CHECK(fscanf(file, "%d %d %lf", &i, &j, &v) == 3);
      a[(i - 1) * *columns + j - 1] = v;
      if (!general)
        a[(j - 1) * *columns + i - 1] = v;
    }
  }
  fclose(file);
  return a;
}

static void compare_simply(const char *folder)
{
  perp_instance p;
  perp_message why = {""};
  char path[1200];
  int rows, columns;
  CHECK_SAY(perp_folder_read(folder, &p, &why) == PERP_OK, "%s", why.text);
  const int n = perp_operator_size(p.A);
  snprintf(path, sizeof path, "%s/A.mtx", folder);
  double *a = read_simply(path, &rows, &columns);
  CHECK(rows == n && columns == n);
  check_matrix(p.A, n, a);
  free(a);
  snprintf(path, sizeof path, "%s/b.mtx", folder);
  a = read_simply(path, &rows, &columns);
  CHECK(rows * columns == n && same_array(a, p.b, (size_t)n * sizeof *a));
  free(a);
  perp_instance_destroy(&p);
}

static void corpus(void)
{
  const char *root = getenv("PERP_CORPUS");
  static const char *const parts[] = {"dart", "siconos"};
  if (!root || !*root)
    root = PERP_TEST_DATA "/../../shared/corpus";
  int count = 0;
  for (size_t k = 0; k < 2; k++) {
    char part[512];
    snprintf(part, sizeof part, "%.400s/%s", root, parts[k]);
    DIR *folder = opendir(part);
    for (struct dirent *inner; folder && (inner = readdir(folder));) {
      char path[1024];
      struct stat status;
      if (inner->d_name[0] == '.')
        continue;
      snprintf(path, sizeof path, "%s/%s", part, inner->d_name);
      if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        continue;
      compare_simply(path);
      count++;
    }
    if (folder)
      closedir(folder);
  }
  if (count == 0)
    test_skip("no corpus beside the repository");
  CHECK(count > 0);
}

static const test_case tests[] = {
    TEST(folders_refused),
    TEST(folders_read),
    TEST(corpus),
};

TEST_MAIN(tests)
