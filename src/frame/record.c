/* record.c: writes failed solves to disk and reads them back
 *
 * Each line of solve.txt has a word and its value; a parameter is "set NAME VALUE". Numbers have
 * enough digits to be read back exactly. Records are numbered; the oldest has the smallest number.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include "base/sized.h"
#include "base/system.h"
#include "io/file.h"
#include "io/folder.h"
#include "io/mtx.h"
#include "linalg/vector.h"
#include "method/run/method.h"
#include <perp/io.h>
#include <perp/record.h>

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The options as a table, used for writing and reading ---- */

static const struct {
  const char *name;
  bool real; /* else an integer */
  size_t offset, bytes;
} fields[] = {
#define FIELD(name, real)                                                                          \
  {                                                                                                \
#name, real, offsetof(perp_options, name), sizeof((perp_options){0}.name)                      \
  }
    FIELD(tol, true),           FIELD(max_iterations, false), FIELD(time_limit, true),
    FIELD(merit_tol, true),     FIELD(merit_rel_tol, true),   FIELD(check_every, false),
    FIELD(stagnation, false),   FIELD(threads, false),        FIELD(seed, false),
    FIELD(memory_limit, false),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void print_field(perp_writer *out, int k, const perp_options *options)
{
  const void *at = (const char *)options + fields[k].offset;
  perp_writer_text(out, fields[k].name);
  perp_writer_text(out, " ");
  if (fields[k].real)
    perp_writer_number(out, *(const double *)at);
  else
    perp_writer_integer(out,
                        fields[k].bytes == sizeof(int) ? *(const int *)at : *(const int64_t *)at);
  perp_writer_text(out, "\n");
}

/* Parses the text as field k; returns false if it is not of its kind. An unsigned number has the text
 * of the signed one with the same bits. */
static bool parse_field(int k, const char *text, perp_options *options)
{
  char *at = (char *)options + fields[k].offset, *end = NULL;
  if (fields[k].real) {
    const char *stop = text + strlen(text);
    return perp_number_parse(text, stop, (double *)(void *)at) == stop;
  }
  errno = 0;
  const int64_t wide = (int64_t)strtoull(text, &end, 10);
  const int number = (int)wide;
  const bool narrow = fields[k].bytes == sizeof number;
  memcpy(at, narrow ? (const void *)&number : &wide, fields[k].bytes);
  return end != text && *end == '\0' && errno == 0 && (!narrow || number == wide);
}

/* ---- Writing ---- */

static void print_number(perp_writer *out, const char *word, const char *name, double value)
{
  perp_writer_text(out, word);
  perp_writer_text(out, " ");
  perp_writer_text(out, name);
  perp_writer_text(out, *name ? " " : "");
  perp_writer_number(out, value);
  perp_writer_text(out, "\n");
}

static void print_solve(perp_writer *out, const perp_solver *solver, const perp_problem *problem,
                        const perp_options *options, const perp_result *result)
{
  const perp_method_info method = perp_solver_method(solver);
  perp_writer_text(out, "perp ");
  perp_writer_text(out, perp_version());
  perp_writer_text(out, "\nmethod ");
  perp_writer_text(out, method.name);
  perp_writer_text(out, "\n");
  for (const perp_parameter *p = method.parameters; p && p->name; p++) {
    double value;
    if (perp_solver_get(solver, p->name, &value, NULL) == PERP_OK)
      print_number(out, "set", p->name, value);
  }
  perp_options o = *options;
  if (result->outcome == PERP_TIME_LIMIT && result->counts.iterations > 0) {
    o.time_limit = 0;
    o.max_iterations = result->counts.iterations;
  } else if (result->outcome == PERP_TIME_LIMIT) {
    o.time_limit = DBL_MIN; /* stops before the first iteration, as the recorded solve did */
  }
  /* Without an observer 0 means growing intervals. A replay may have an observer and must check at
   * the same iterations. */
  if (o.check_every == 0 && !o.observer && !o.verbose)
    o.check_every = -1;
  for (int k = 0; k < FIELDS; k++)
    print_field(out, k, &o);
  const int block = perp_operator_block(problem->A);
  if (block > 1)
    print_number(out, "operator", "bsr", block);
  perp_writer_text(out, "outcome ");
  perp_writer_text(out, perp_outcome_name(result->outcome));
  perp_writer_text(out, "\n");
  print_number(out, "residual", "", result->residual);
}

/* ---- Numbered folders ---- */

/* Returns the number in a record's name such as "000012-pgs-diverged", or -1 for other names. */
static long number_of(const char *name)
{
  const size_t digits = strspn(name, "0123456789");
  return digits >= 6 && digits <= 9 && name[digits] == '-' ? strtol(name, NULL, 10) : -1;
}

/* The records of a folder: their count, the smallest and the greatest number, and the name with the
 * smallest. */
typedef struct survey {
  int count;
  long least, greatest;
  char oldest[PERP_NAME_ROOM];
} survey;

static void see_record(void *context, const char *name)
{
  survey *s = context;
  const long number = number_of(name);
  s->count += number >= 0;
  s->greatest = number > s->greatest ? number : s->greatest;
  if (number >= 0 && number < s->least) {
    s->least = number;
    snprintf(s->oldest, sizeof s->oldest, "%s", name);
  }
}

static survey survey_records(const char *folder)
{
  survey s = {.least = LONG_MAX};
  perp_system_list(folder, see_record, &s);
  return s;
}

/* Removes only the files of a record; a folder with other files stays. */
static void remove_record(const char *path)
{
  static const char *const more[] = {"start.mtx", "solve.txt"};
  char file[PERP_PATH_ROOM + 32];
  for (int k = 0; k < PERP_PARTS + 2; k++) {
    const char *name = k < PERP_PARTS ? perp_part_name[k] : more[k - PERP_PARTS];
    snprintf(file, sizeof file, "%s/%s", path, name);
    perp_system_remove(file);
  }
  perp_system_remove_folder(path);
}

/* Estimates the bytes on disk: some 30 per stored entry, 25 per number of a vector. */
static double estimate(const perp_problem *p)
{
  const double n = p->K.n, entries = (double)perp_operator_nonzeros(p->A);
  return 30 * (entries >= 0 ? entries : n * n) + 25 * 5 * n;
}

/* ---- Recording ---- */

static perp_error write_record(const char *path, const perp_solver *solver,
                               const perp_problem *problem, const perp_options *options,
                               const double *start, const perp_result *result, perp_message *why)
{
  char *vector = perp_path_join(path, "start.mtx"), *text = perp_path_join(path, "solve.txt");
  perp_writer out;
  perp_error error =
      vector && text ? perp_problem_write_into(path, problem, why) : perp_path_no_memory(path, why);
  if (!error && !(error = perp_vector_write(vector, problem->K.n, start, NULL, why)) &&
      !(error = perp_writer_open(&out, text, why))) {
    print_solve(&out, solver, problem, options, result);
    error = perp_writer_commit(&out, why);
  }
  perp_free(vector);
  perp_free(text);
  return error;
}

static void say_file_trouble(perp_recorder *recorder, const char *path)
{
  perp_fail(&recorder->last, PERP_ERROR_FILE, "%s: cannot make the folder: %s",
            perp_path_shown(path), strerror(errno));
}

/* Gives the record its final name with the next number. */
static bool publish(perp_recorder *recorder, const char *hidden, const char *method,
                    const char *outcome)
{
  char name[128];
  const long number = survey_records(recorder->folder).greatest + 1;
  snprintf(name, sizeof name, "%06ld-%.40s-%.40s", number, method, outcome);
  char *path = perp_path_join(recorder->folder, name);
  const bool done = path && rename(hidden, path) == 0;
  if (done)
    perp_fail(&recorder->last, PERP_OK, "%s", perp_path_shown(path));
  else
    say_file_trouble(recorder, path ? path : name);
  perp_free(path);
  return done;
}

/* Removes records beyond `keep`, the oldest first; a folder with other files stays. */
static void remove_old(const perp_recorder *recorder)
{
  survey s = survey_records(recorder->folder);
  for (int turns = s.count; turns > 0 && s.count > recorder->keep; turns--) {
    char *old = perp_path_join(recorder->folder, s.oldest);
    if (old)
      remove_record(old);
    perp_free(old);
    s = survey_records(recorder->folder);
  }
}

static void record(perp_recorder *recorder, const perp_solver *solver, const perp_problem *problem,
                   const perp_options *options, const double *start, const perp_result *result)
{
  if (recorder->most_bytes > 0 && estimate(problem) > (double)recorder->most_bytes) {
    recorder->passed++;
    perp_fail(&recorder->last, PERP_OK,
              "a problem of %d unknowns takes about %.0f bytes, more than the limit of %lld",
              problem->K.n, estimate(problem), (long long)recorder->most_bytes);
    return;
  }
  char *prefix = perp_path_join(recorder->folder, ".writing");
  perp_stage stage; /* hidden until the record is complete */
  if (!prefix)
    perp_fail(&recorder->last, PERP_ERROR_MEMORY, "out of memory for the name of a folder");
  else if ((!perp_system_make_folder(recorder->folder) && errno != EEXIST) ||
           !perp_stage_open(&stage, recorder->folder, prefix, remove_record)) {
    say_file_trouble(recorder, prefix);
  } else {
    const bool written = write_record(stage.path, solver, problem, options, start, result,
                                      &recorder->last) == PERP_OK &&
                         publish(recorder, stage.path, perp_solver_method(solver).name,
                                 perp_outcome_name(result->outcome));
    recorder->written += written;
    if (written && recorder->keep > 0)
      remove_old(recorder);
    perp_stage_close(&stage, remove_record);
  }
  perp_free(prefix);
}

void perp_recorder_init(perp_recorder *recorder, size_t size, const char *folder)
{
  const perp_recorder own = {.folder = folder, .keep = 10, .most_bytes = (int64_t)100 << 20};
  perp_sized_write(&own, sizeof own, recorder, size);
}

/* perp_solver_solve_recorded with options, a result and a recorder of this library's size. */
static perp_error solve_recorded(perp_solver *solver, const perp_problem *problem,
                                 const perp_options *options, double *x, perp_result *result,
                                 perp_recorder *recorder)
{
  const bool can = recorder && recorder->folder && x && problem &&
                   perp_problem_validate(problem, NULL) == PERP_OK && problem->K.n > 0;
  double *start = can ? perp_alloc_copy(x, (size_t)problem->K.n, sizeof *x) : NULL;
  const perp_error error = perp_solver_solve(solver, problem, options, x, result);
  if (!error && start && result->outcome != PERP_SOLVED)
    record(recorder, solver, problem, options, start, result);
  perp_free(start);
  return error;
}

perp_error perp_solver_solve_recorded(perp_solver *solver, const perp_problem *problem,
                                      const perp_options *options, double *x, perp_result *result,
                                      perp_recorder *recorder)
{
  perp_call c;
  if (!perp_call_begin(&c, options, result))
    return PERP_ERROR_ARGUMENT;
  perp_recorder own_recorder = perp_recorder_default(NULL);
  perp_error error = c.options ? PERP_OK : PERP_ERROR_ARGUMENT;
  if (!error && recorder)
    error = perp_sized_read("perp_recorder", recorder, &own_recorder, sizeof own_recorder,
                            &c.result->message);
  if (!error)
    error =
        solve_recorded(solver, problem, c.options, x, c.result, recorder ? &own_recorder : NULL);
  if (!error && recorder)
    perp_sized_write(&own_recorder, sizeof own_recorder, recorder, recorder->size);
  return perp_call_end(&c, NULL, error);
}

/* ---- Reading ---- */

static perp_error bad_line(const char *path, int line, const char *text, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_FILE, "%s:%d: \"%.100s\" is not a line of a record",
                   perp_path_shown(path), line, text);
}

/* Reads one line; "method" must come first, since the other lines set parameters of its solver. */
static perp_error read_line(const char *path, int line, char *text, perp_record *r, int *block,
                            perp_message *why)
{
  char *space = strchr(text, ' ');
  if (!space)
    return bad_line(path, line, text, why);
  *space = '\0';
  const char *word = text, *value = space + 1, *end = value + strlen(value);
  if (strcmp(word, "perp") == 0)
    return PERP_OK;
  if (strcmp(word, "method") == 0 && !r->solver)
    return perp_solver_create(value, &r->solver, why);
  if (strcmp(word, "outcome") == 0) {
    snprintf(r->outcome, sizeof r->outcome, "%s", value);
    return PERP_OK;
  }
  if (strcmp(word, "residual") == 0 && perp_number_parse(value, end, &r->residual) == end)
    return PERP_OK;
  if (strcmp(word, "operator") == 0 && sscanf(value, "bsr %d", block) == 1 && *block > 1)
    return PERP_OK;
  if (strcmp(word, "set") == 0 && r->solver) {
    char *gap = strchr(value, ' ');
    double number;
    if (!gap || perp_number_parse(gap + 1, end, &number) != end)
      return bad_line(path, line, value, why);
    *gap = '\0';
    return perp_solver_set(r->solver, value, number, why);
  }
  for (int k = 0; k < FIELDS; k++)
    if (strcmp(word, fields[k].name) == 0 && parse_field(k, value, r->options))
      return PERP_OK;
  *space = ' ';
  return bad_line(path, line, text, why);
}

static perp_error read_solve(const char *folder, perp_record *r, int *block, perp_message *why)
{
  char *path = perp_path_join(folder, "solve.txt"), *text = NULL;
  if (!path)
    return perp_path_no_memory(folder, why);
  size_t length;
  perp_error error = perp_file_read(path, &text, &length, why);
  int line = 1;
  for (char *at = text; !error && *at; line++) {
    char *end = strchr(at, '\n'), *next = end ? end + 1 : at + strlen(at);
    if (end)
      *end = '\0';
    error = read_line(path, line, at, r, block, why);
    at = next;
  }
  if (!error && !r->solver)
    error = perp_fail(why, PERP_ERROR_FILE, "%s: has no line that names a method",
                      perp_path_shown(path));
  perp_free(text);
  perp_free(path);
  return error;
}

/* Converts a CSR matrix back to blocks; entries missing from a block are zero. */
static perp_error to_blocks(int size, perp_operator **A, perp_message *why)
{
  const int64_t *start;
  const int *column;
  const double *value;
  const int n = perp_operator_size(*A), rows = n / size;
  if (n % size != 0 || perp_operator_csr_arrays(*A, &start, &column, &value) != PERP_OK)
    return perp_fail(why, PERP_ERROR_FILE, "%d rows cannot be split into blocks of %d", n, size);
  perp_triplets places;
  perp_mtx blocks = {0};
  double *numbers = NULL;
  const size_t room = (size_t)size * (size_t)size;
  const bool taken = perp_triplets_alloc(&places, (size_t)start[n]);
  for (int i = 0; i < n && taken; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      perp_triplets_add(&places, i / size, column[e] / size, 0);
  if (taken && perp_mtx_compress(&places, rows, rows, &blocks)) {
    perp_mtx_merge(&blocks);
    numbers = perp_alloc_zero((size_t)blocks.entries * room, sizeof *numbers);
  }
  for (int i = 0; i < n && numbers; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e++) {
      const int64_t at = perp_row_find(blocks.start, blocks.column, i / size, column[e] / size);
      numbers[(size_t)at * room + (size_t)(i % size * size + column[e] % size)] = value[e];
    }
  perp_operator *made = NULL;
  const perp_error error = numbers ? perp_operator_bsr(rows, size, blocks.start, blocks.column,
                                                       numbers, PERP_COPY, &made, why)
                                   : perp_fail(why, PERP_ERROR_MEMORY,
                                               "out of memory for a matrix of blocks, n = %d", n);
  if (!error) {
    perp_operator_destroy(*A);
    *A = made;
  }
  perp_triplets_free(&places);
  perp_mtx_free(&blocks);
  perp_free(numbers);
  return error;
}

perp_error perp_record_read(const char *path, perp_record *record, perp_message *why)
{
  if (!path || !record)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "perp_record_read: path or another argument is NULL");
  *record = (perp_record){.options = perp_alloc_zero(1, sizeof *record->options), .residual = NAN};
  if (!record->options)
    return perp_path_no_memory(path, why);
  *record->options = perp_options_default();
  int block = 0, length = 0;
  perp_error error = read_solve(path, record, &block, why);
  if (!error)
    error = perp_folder_read(path, &record->instance, why);
  if (!error && block > 1)
    error = to_blocks(block, &record->instance.A, why);
  char *file = error ? NULL : perp_path_join(path, "start.mtx");
  if (!error)
    error = file ? perp_vector_read(file, perp_operator_size(record->instance.A), &record->start,
                                    &length, why)
                 : perp_path_no_memory(path, why);
  perp_free(file);
  if (error)
    perp_record_destroy(record);
  return error;
}

void perp_record_destroy(perp_record *record)
{
  if (!record)
    return;
  perp_instance_destroy(&record->instance);
  perp_solver_destroy(record->solver);
  perp_free(record->options);
  perp_free(record->start);
  *record = (perp_record){0};
}
