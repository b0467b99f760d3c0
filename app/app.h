/* app.h: arguments, messages, problems and output files, for all commands of the program
 *
 * A command is one file with one function and one line in the table of main.c. It parses its
 * arguments with app_parse, loads its problem with app_load, prints for people or, with --json,
 * one object, and returns an exit status. It uses only the public headers of the library. */
#ifndef PERP_APP_APP_H
#define PERP_APP_APP_H

#include <perp/lab.h>
#include <perp/perp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
  APP_FINE = 0,       /* solved, or simply done */
  APP_NOT_SOLVED = 1, /* carried out, without a solution */
  APP_WRONG = 2,      /* the input or the call is wrong */
};

typedef struct app_usage app_usage;
typedef struct app_command app_command;

typedef struct app_call {
  bool json;                   /* --json is given */
  const app_command *commands; /* all of them; the name behind the last is NULL */
  /* If not NULL, a command does nothing but show its usage here: see app_parse. */
  void (*visit)(void *context, const app_usage *usage);
  void *context;
} app_call;

/* ---- colours (layout.c) ---- */

typedef enum app_colour { APP_PLAIN, APP_BOLD, APP_GOOD, APP_BAD, APP_FAINT } app_colour;

/* Returns the escape sequence of a colour; "" unless the stream is a terminal that has colours. A
 * variable NO_COLOR that is not empty forbids them (no-color.org). */
const char *app_paint(FILE *stream, app_colour colour);

/* ---- messages (complain.c) ---- */

/* Prints one line on stderr, "perp: ...". Every message of the program goes through here. Control
 * characters become '?', so that a message is one line for any file name. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);
/* Complains; with --json also prints {"error": ..., "message": ...}. Returns APP_WRONG. */
__attribute__((format(printf, 3, 4))) int refuse(const app_call *app, perp_error error,
                                                 const char *format, ...);

/* Fills why with what and detail, joined; returns the error. */
perp_error app_say(perp_message *why, perp_error error, const char *what, const char *detail);

/* Returns the word nearest to a mistyped one, as "; did you mean \"solve\"?", or if none is near
 * "; OTHERWISE". word_at returns NULL past the last; otherwise says where all words are, or is NULL. */
typedef struct app_hint {
  char text[96];
} app_hint;
app_hint app_suggest(const char *mistyped, const char *(*word_at)(const void *words, int i),
                     const void *words, const char *otherwise);
app_hint app_suggest_method(const char *mistyped);

/* ---- arguments (arguments.c) ---- */

typedef enum app_option_type {
  APP_FLAG,  /* bool */
  APP_TEXT,  /* const char * */
  APP_REAL,  /* double */
  APP_INT,   /* int */
  APP_COUNT, /* int64_t */
  APP_SEED,  /* uint64_t */
  APP_LIST,  /* app_list; may be given many times */
} app_option_type;

typedef struct app_list {
  int count;
  const char *item[64];
} app_list;

typedef struct app_option {
  const char *name; /* without the dashes */
  app_option_type type;
  void *target;       /* of the type said above; unchanged if the option is not given */
  double least, most; /* of a number */
  const char *value;  /* the word for its value in the help: "N" */
  const char *text;   /* one line for the help */
} app_option;

struct app_usage {
  const char *call;  /* "solve DIR [options]" */
  const char *about; /* the paragraphs of the help, ending with a newline */
  const app_option *options;
  int least_operands, most_operands;
};

typedef struct app_operands {
  int count;
  const char *item[16];
} app_operands;

/* Reads --key value, --key=value and operands; "--" ends the options. Returns true if the command
 * should continue. Otherwise it printed the help, or a message that the call is wrong, and the command
 * returns *status. A command calls it first, so that app->visit sees every usage. */
bool app_parse(const app_call *app, const app_usage *usage, int argc, char **argv,
               app_operands *operands, int *status);

/* ---- problems (load.c) ---- */

/* Loads a problem folder, a .mat file, or a generated problem KIND:key=value,...; on success the caller
 * destroys the instance. */
perp_error app_load(const char *where, perp_instance *instance, perp_message *why);
/* app_suggest for the kind of problem that `where` names; "" if that exists. */
app_hint app_suggest_kind(const char *where);
/* Returns why the problem `to` (a folder or a .mat file) may not be written, or NULL. */
const char *app_objection(const char *to, bool force);
/* Returns true if the path ends with .mat. */
bool app_is_mat(const char *path);
bool app_is_hdf5(const char *path);
/* Writes a problem in the format that the name of the file says. */
perp_error app_store(const char *path, const perp_instance *instance, perp_message *why);
/* Returns true if the path ends with .mtx or .mtx.gz. */
bool app_is_mtx(const char *path);
/* Returns true if the folder holds a problem: A.mtx or J.mtx. */
bool app_is_problem_folder(const char *path);
/* Returns true if `path` is a file that `where` is read from, or would be if it existed: the file
 * itself, or one of the folder; its known solution x.mtx counts if `solution` is true. */
bool app_is_input(const char *where, const char *path, bool solution);
/* app_summarise: "n 4, nonzeros 10, lcp, csr"; app_describe: "n 4, lcp, one solution, ..." */
typedef struct app_summary {
  char text[160];
} app_summary;
app_summary app_summarise(const perp_problem *problem);
app_summary app_describe(const perp_instance *instance);
/* "one solution", "one or more solutions", "no solution"; "" if that is not known */
const char *app_kind_words(perp_kind kind);

/* ---- results (layout.c) ---- */

/* One line, "name        text". */
__attribute__((format(printf, 2, 3))) void app_line(const char *name, const char *format, ...);
/* The lines that every result has, in this order: method, problem, outcome, residual, iterations,
 * work, time, message. title may be "". */
void app_line_method(const char *name, const char *title, bool chosen);
void app_line_outcome(perp_outcome outcome);
typedef struct app_count {
  const char *name; /* NULL: the end of a list */
  int64_t value;
} app_count;
/* The counts above 0; no line if there are none. */
void app_line_work(const app_count *counts);
/* "1.397 ms", "13.97 s", "2 min 5 s" */
app_summary app_duration(double seconds);
void app_print_x(int64_t n, const double *x);

/* ---- files to write (output.c) ---- */

/* The path of an output file, with links resolved. */
typedef struct app_output {
  char path[4096]; /* "": no such output */
} app_output;

/* Returns true if the path means standard output. */
bool app_is_stdout(const char *path);
/* Checks before any work that `path` can be written (to a temporary file that is renamed): it is not a
 * directory, not read-only, and in a folder that allows new files. Leaves no file behind. */
perp_error app_output_prepare(const char *path, app_output *output, perp_message *why);

/* Writes a vector to a file, or to standard output if the path is "-". */
perp_error app_vector_write(const char *path, int n, const double *values, const char *comment,
                            perp_message *why);

/* A text file, written under a temporary name and renamed on close; a device is written
 * directly. */
typedef struct app_file {
  FILE *stream;
  char path[4096], temporary[4160]; /* the temporary file; "" for a device */
  bool by_lines;
} app_file;
perp_error app_file_open(const char *path, app_file *file, perp_message *why);
/* Writes line by line; app_files_abandon keeps the lines so far. Call it before the first byte. */
void app_file_keep_lines(app_file *file);
/* Renames the temporary file to its final name; on failure an earlier file of that name is untouched. */
perp_error app_file_close(app_file *file, perp_message *why);
/* Writes a field of CSV, in quotation marks if it has commas or quotation marks. */
void app_write_csv_text(FILE *out, const char *text);
/* Removes the temporary file; after app_file_close, or on a zeroed struct, it does nothing. */
void app_file_discard(app_file *file);
/* For a signal that ends the program: removes all unfinished files. A file that is written by lines
 * gets its final name with the lines so far. */
void app_files_abandon(void);

/* ---- commands ---- */

struct app_command {
  const char *name;
  const char *synopsis;
  int (*run)(const app_call *app, int argc, char **argv);
};

int command_list(const app_call *app, int argc, char **argv);
int command_info(const app_call *app, int argc, char **argv);
int command_qp(const app_call *app, int argc, char **argv);
int command_replay(const app_call *app, int argc, char **argv);
int command_solve(const app_call *app, int argc, char **argv);
int command_check(const app_call *app, int argc, char **argv);
int command_convert(const app_call *app, int argc, char **argv);
int command_generate(const app_call *app, int argc, char **argv);
int command_experiment(const app_call *app, int argc, char **argv);
int command_simulate(const app_call *app, int argc, char **argv);
int command_bench(const app_call *app, int argc, char **argv);
int command_fclib(const app_call *app, int argc, char **argv);
int command_version(const app_call *app, int argc, char **argv);
int command_doctor(const app_call *app, int argc, char **argv);
int command_completion(const app_call *app, int argc, char **argv);

/* Returns the folder of the peers' programs, ../bench/peers from this program's; NULL if it does not
 * exist (bench.c). */
const char *app_find_peers(char *path, size_t size);

#endif
