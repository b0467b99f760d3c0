/* main.c: the program perp, a table of commands
 *
 * Exit status: 0 solved or done; 1 carried out but not solved; 2 the input or the call is wrong.
 * setlocale is never called: numbers are read and written with a point in every country. */
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "json.h"
#include "nl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int command_help(const app_call *app, int argc, char **argv);

static const app_command commands[] = {
    {"list", "show the methods and their parameters", command_list},  /* list.c */
    {"info", "show size, class and plan of a problem", command_info}, /* info.c */
    {"solve", "solve a problem", command_solve},                      /* solve.c */
    {"replay", "solve a recorded step again, show the rows that fail",
     command_replay},                                                  /* replay.c */
    {"qp", "solve a quadratic program", command_qp},                   /* qp.c */
    {"check", "judge a solution, whoever made it", command_check},     /* check.c */
    {"generate", "make a problem of a known class", command_generate}, /* generate.c */
    {"convert", "convert a problem from one file format to another",
     command_convert},                                                              /* convert.c */
    {"simulate", "run a scene: numbers, plots, a page to watch", command_simulate}, /* simulate.c */
    {"experiment", "reproduce published figures and tables", command_experiment}, /* experiment.c */
    {"bench", "time methods and peers, with performance profiles", command_bench}, /* bench.c */
    {"fclib", "solve a collection of friction problems", command_fclib},           /* fclib.c */
    {"version", "show version and components", command_version},                   /* version.c */
    {"doctor", "show what is found, what is missing, how to get it", command_doctor}, /* doctor.c */
    {"completion", "print completion for bash, zsh or fish", command_completion}, /* completion.c */
    {"help", "show this text, or the help of a command", command_help},           /* main.c */
    {0},
};

enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

static const char *name_at(const void *unused, int i)
{
  (void)unused;
  return i < COMMANDS ? commands[i].name : NULL;
}

static const app_command *find_command(const app_call *app, const char *name)
{
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  const app_hint hint = app_suggest(name, name_at, NULL, "perp help names them all");
  refuse(app, PERP_ERROR_ARGUMENT, "unknown command \"%s\"%s", name, hint.text);
  return NULL;
}

static void print_overview(FILE *out)
{
  const char *bold = app_paint(out, APP_BOLD), *plain = app_paint(out, APP_PLAIN);
  fprintf(out, "perp %s: complementarity problems, 0 <= x _|_ A x + b >= 0 and relatives\n\n",
          perp_version());
  fprintf(out, "%susage:%s perp COMMAND [arguments]\n\n%scommands:%s\n", bold, plain, bold, plain);
  for (int i = 0; i < COMMANDS; i++)
    fprintf(out, "  %s%-10s%s  %s\n", bold, commands[i].name, plain, commands[i].synopsis);
  fprintf(out,
          "\nperp COMMAND --help tells more. Exit status: 0 solved or done, 1 carried out but\n"
          "not solved, 2 the input or the call is wrong (one line on stderr says what).\n");
}

/* Greets a person who types only the name. */
static void greet(FILE *out)
{
  const char *bold = app_paint(out, APP_BOLD), *plain = app_paint(out, APP_PLAIN);
  static const char *const tries[][2] = {
      {"perp solve obstacle:points=257", "solve a problem, and check the answer"},
      {"perp simulate cards:ball=yes --html cards.html", "a film: open cards.html in a browser"},
      {"perp doctor", "what this build can do, and how to get the rest"},
  };
  fprintf(out, "perp %s solves complementarity problems, 0 <= x _|_ A x + b >= 0. Try:\n\n",
          perp_version());
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++)
    fprintf(out, "  %s%s%s\n      %s\n", bold, tries[k][0], plain, tries[k][1]);
  fprintf(out, "\nperp help lists all commands.\n");
}

/* The table for other programs: tools/write-man reads it. */
static void json_overview(void)
{
  json j = json_open(stdout);
  json_begin_array(&j, "commands");
  for (int i = 0; i < COMMANDS; i++) {
    json_begin_object(&j, NULL);
    json_text(&j, "name", commands[i].name);
    json_text(&j, "synopsis", commands[i].synopsis);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_close(&j);
}

static int command_help(const app_call *app, int argc, char **argv)
{
  static const app_option none[] = {{0}};
  static const app_usage usage = {
      .call = "help [COMMAND]",
      .about = "The commands in one line each, or the help of a command.\n",
      .options = none,
      .most_operands = 1,
  };
  if (app->visit) {
    app->visit(app->context, &usage);
    return APP_FINE;
  }
  if (app->json && (argc == 1 || strcmp(argv[1], "--json") == 0)) {
    json_overview();
    return APP_FINE;
  }
  if (argc == 1 || strncmp(argv[1], "-", 1) == 0) {
    print_overview(stdout);
    return APP_FINE;
  }
  const app_command *c = find_command(app, argv[1]);
  if (!c)
    return APP_WRONG;
  if (c->run == command_help) {
    print_overview(stdout);
    return APP_FINE;
  }
  char help[] = "--help";
  char *arguments[] = {argv[1], help, NULL};
  return c->run(app, 2, arguments);
}

/* If 0, 1 or 2 are closed, the next files opened would get their numbers and receive what is
 * printed. They become /dev/null, opened in the wrong direction, so that use of them still
 * fails. */
static void occupy_standard_streams(void)
{
#ifdef F_GETFD /* not on Windows, whose descriptors 0 to 2 are never given away */
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
      return;
#endif
}

int main(int argc, char **argv)
{
  occupy_standard_streams();
#ifdef _WIN32
  for (int i = 1; i < argc; i++)
    windows_slashes(argv[i]);
#endif
  app_call app = {.commands = commands};
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0)
      app.json = true;
  int status;
  if (argc < 2) {
    (isatty(STDERR_FILENO) ? greet : print_overview)(stderr);
    status = APP_WRONG;
  } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_overview(stdout);
    status = APP_FINE;
  } else if (nl_is_ampl_call(argc, argv)) {
    status = nl_ampl(argc, argv);
  } else if (strcmp(argv[1], "--version") == 0) {
    status = command_version(&app, argc - 1, argv + 1);
  } else {
    const app_command *c = find_command(&app, argv[1]);
    status = c ? c->run(&app, argc - 1, argv + 1) : APP_WRONG;
  }
  if (fflush(stdout) != 0 || ferror(stdout)) {
    complain("standard output: %s", strerror(errno));
    status = APP_WRONG;
  }
  return status;
}
