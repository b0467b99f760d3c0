/* fuzz_folder.c: whole problem folders of arbitrary bytes
 *
 * The input is a list of files: a line "=NAME" begins a file, and what follows up to the next such
 * line is its content; names that a problem does not have are skipped. perp_folder_read refuses the
 * folder with one line, or returns a valid problem that is unchanged after writing and reading it
 * again. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "io/folder.h"

#include <perp/io.h>

static int is_part(const char *name)
{
  for (int part = 0; part < PERP_PARTS; part++)
    if (strcmp(name, perp_part_name[part]) == 0)
      return 1;
  return 0;
}

/* Returns the next line that begins a file, or the end. */
static const char *next_file(const char *at, const char *end)
{
  for (; at < end; at++)
    if (*at == '=')
      return at;
    else if (!(at = memchr(at, '\n', (size_t)(end - at))))
      return end;
  return end;
}

static void write_folder(const char *at, const char *end)
{
  remove_files(scratch);
  for (at = next_file(at, end); at < end;) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    if (!line)
      return;
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(line - at - 1 < 31 ? line - at - 1 : 31), at + 1);
    at = next_file(line + 1, end);
    if (is_part(name))
      write_file(in_scratch(name), line + 1, (size_t)(at - line - 1));
  }
}

static int same(int n, const double *a, const double *b)
{
  return (!a && !b) || (a && b && memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  perp_instance first, second;
  perp_message why = {""};
  in_scratch("");
  write_folder((const char *)data, (const char *)data + size);
  if (perp_folder_read(scratch, &first, &why)) {
    check_line(&why);
    return 0;
  }
  const perp_problem problem = perp_instance_problem(&first);
  require(perp_problem_validate(&problem, &why) == PERP_OK, "the problem is sound");
  require(perp_folder_write(scratch, &first, &why) == PERP_OK, "it can be written");
  require(perp_folder_read(scratch, &second, &why) == PERP_OK, "and read again");
  const int n = problem.K.n;
  require(perp_operator_size(second.A) == n && same(n, first.b, second.b) &&
              same(n, first.lo, second.lo) && same(n, first.hi, second.hi) &&
              same(first.cones, first.mu, second.mu) && first.kind == second.kind,
          "to the same bits");
  perp_instance_destroy(&first);
  perp_instance_destroy(&second);
  return 0;
}
