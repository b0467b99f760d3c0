/* folders.h: a scratch folder, removed at exit, text files in it, and comparisons of what was read.
 * Programs that include it define _POSIX_C_SOURCE first. */
#pragma once

#include "test.h"

#include <dirent.h>
#include <perp/io.h>
#include <perp/matlab.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[256];

static __attribute__((unused)) const char *in_scratch(const char *name)
{
  static char paths[32][512];
  static int next;
  char *path = paths[next++ % 32];
  snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
  return path;
}

static void remove_tree(const char *path)
{
  DIR *folder = opendir(path);
  if (folder) {
    for (struct dirent *entry; (entry = readdir(folder));) {
      char inner[1024];
      if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
        continue;
      snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
      remove_tree(inner);
    }
    closedir(folder);
  }
  remove(path);
}

static void remove_scratch(void)
{
  remove_tree(scratch);
}

static __attribute__((unused)) void fresh_scratch(void)
{
  if (!*scratch) {
    /* in memory if possible: thousands of files are synced to the disk here */
    const char *base = getenv("TMPDIR");
    if (!base || !*base)
      base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(scratch, sizeof scratch, "%.200s/perp-io-XXXXXX", base);
    CHECK(mkdtemp(scratch) && atexit(remove_scratch) == 0);
  } else {
    remove_tree(scratch);
    CHECK(mkdir(scratch, 0777) == 0);
  }
}

static __attribute__((unused)) void put(const char *path, const char *text)
{
  FILE *file = fopen(path, "wb");
  CHECK_SAY(file, "%s", path);
  CHECK(fwrite(text, 1, strlen(text), file) == strlen(text));
  CHECK(fclose(file) == 0);
}

static __attribute__((unused)) const char *get(const char *path)
{
  static char text[2][1 << 16];
  static int next;
  char *out = text[next++ % 2];
  FILE *file = fopen(path, "rb");
  CHECK_SAY(file, "%s", path);
  out[fread(out, 1, sizeof text[0] - 1, file)] = 0;
  fclose(file);
  return out;
}

/* Files in a folder, including temporary ones. */
static __attribute__((unused)) int count_files(const char *path)
{
  int count = 0;
  DIR *folder = opendir(path);
  CHECK(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

static __attribute__((unused)) bool same_array(const void *a, const void *b, size_t bytes)
{
  return (!a && !b) || (a && b && memcmp(a, b, bytes) == 0);
}

/* First lines of a Matrix Market file. */
#define MM "%%MatrixMarket matrix "

/* Compares every entry of A with the matrix assembled here; 0 and -0 are equal if the entry need
 * not be stored. */
static __attribute__((unused)) void check_matrix(const perp_operator *A, int n,
                                                 const double *expected)
{
  perp_operator *dense;
  const double *a;
  int64_t stride;
  CHECK(perp_operator_to_dense(A, 0, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(dense, &a, &stride) == PERP_OK);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      CHECK_SAY(a[i * stride + j] == expected[i * n + j], "(%d, %d): %.17g against %.17g", i, j,
                a[i * stride + j], expected[i * n + j]);
  perp_operator_destroy(dense);
}
