/* arguments.c: options and operands of a command, and its help, from one table */
#include "app.h"
#include "json.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *option_at(const void *options, int i)
{
  return ((const app_option *)options)[i].name;
}

/* The words of a text from a column on, in lines of at most 88 columns. */
static void print_words(const char *text, int column)
{
  const int most = 88;
  int at = column;
  while (*(text += strspn(text, " \n"))) {
    const int length = (int)strcspn(text, " \n");
    if (at > column && at + 1 + length > most) {
      printf("\n%*s", column, "");
      at = column;
    }
    at += printf("%s%.*s", at > column ? " " : "", length, text);
    text += length;
  }
  printf("\n");
}

static void print_help(const app_usage *usage)
{
  const char *bold = app_paint(stdout, APP_BOLD), *plain = app_paint(stdout, APP_PLAIN);
  printf("%susage:%s perp %s\n\n%s", bold, plain, usage->call, usage->about);
  size_t width = 0;
  char left[64];
  for (const app_option *o = usage->options; o->name; o++) {
    const int length = snprintf(left, sizeof left, "--%s %s", o->name, o->value ? o->value : "");
    width = (size_t)length > width ? (size_t)length : width;
  }
  printf("\n%soptions:%s\n", bold, plain);
  for (const app_option *o = usage->options; o->name; o++) {
    snprintf(left, sizeof left, "--%s %s", o->name, o->value ? o->value : "");
    printf("  %-*s  ", (int)width, left);
    print_words(o->text, (int)width + 4);
  }
  printf("  %-*s  %s\n", (int)width, "--help", "this text");
}

/* Prints the usage for programs: tools/write-man reads it. */
static void json_help(const app_usage *usage)
{
  json j = json_open(stdout);
  json_text(&j, "call", usage->call);
  json_text(&j, "about", usage->about);
  json_begin_array(&j, "options");
  for (const app_option *o = usage->options; o->name; o++) {
    json_begin_object(&j, NULL);
    json_text(&j, "name", o->name);
    json_text(&j, "value", o->value);
    json_text(&j, "text", o->text);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_close(&j);
}

/* The range in words, for the message. */
static void say_range(const app_option *o, char *text, size_t size)
{
  if (o->type != APP_REAL)
    snprintf(text, size, "a whole number from %.0f to %.0f", o->least, o->most);
  else if (o->least == DBL_MIN)
    snprintf(text, size, "a finite number above 0");
  else
    snprintf(text, size, "a finite number of at least %g", o->least);
}

/* A whole number, also in the form 1e6. */
static bool read_whole(const char *text, int64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  if (end != text && *end == '\0')
    return errno == 0;
  const double real = strtod(text, &end);
  if (end == text || *end != '\0' || !(fabs(real) <= 0x1p53) || real != floor(real))
    return false;
  *value = (int64_t)real;
  return true;
}

static bool read_seed(const char *text, uint64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/* Stores the value of an option; false if the text is not one. */
static bool take_value(const app_option *o, const char *text)
{
  char *end;
  double real;
  int64_t whole;
  switch (o->type) {
  case APP_FLAG:
    *(bool *)o->target = true;
    return true;
  case APP_TEXT:
    *(const char **)o->target = text;
    return *text != '\0';
  case APP_REAL:
    real = strtod(text, &end);
    if (end == text || *end != '\0' || !(real >= o->least && real <= o->most))
      return false;
    *(double *)o->target = real;
    return true;
  case APP_INT:
  case APP_COUNT:
    if (!read_whole(text, &whole) || (double)whole < o->least || (double)whole > o->most)
      return false;
    if (o->type == APP_INT)
      *(int *)o->target = (int)whole;
    else
      *(int64_t *)o->target = whole;
    return true;
  case APP_SEED:
    return read_seed(text, o->target);
  case APP_LIST: {
    app_list *list = o->target;
    if (list->count == (int)(sizeof list->item / sizeof *list->item))
      return false;
    list->item[list->count++] = text;
    return true;
  }
  }
  return false;
}

static int refuse_value(const app_call *app, const app_option *o, const char *text)
{
  char wanted[96];
  if (o->type == APP_LIST)
    return refuse(app, PERP_ERROR_ARGUMENT, "--%s is given too many times", o->name);
  if (o->type == APP_TEXT)
    return refuse(app, PERP_ERROR_ARGUMENT, "--%s is given an empty value", o->name);
  if (o->type == APP_SEED)
    snprintf(wanted, sizeof wanted, "a whole number from 0 to 18446744073709551615");
  else
    say_range(o, wanted, sizeof wanted);
  return refuse(app, PERP_ERROR_ARGUMENT, "--%s takes %s, not \"%s\"", o->name, wanted, text);
}

/* One option at argv[*i], with its value behind '=' or in the next argument. */
static bool parse_option(const app_call *app, const app_usage *usage, int argc, char **argv, int *i,
                         int *status)
{
  const char *name = argv[*i] + 2;
  const size_t length = strcspn(name, "=");
  const app_option *o = usage->options;
  while (o->name && !(strlen(o->name) == length && strncmp(o->name, name, length) == 0))
    o++;
  if (!o->name) {
    char mistyped[64];
    snprintf(mistyped, sizeof mistyped, "%.*s", length > 63 ? 63 : (int)length, name);
    char all[64];
    snprintf(all, sizeof all, "perp %.20s --help lists them", argv[0]);
    const app_hint hint = app_suggest(mistyped, option_at, usage->options, all);
    *status = refuse(app, PERP_ERROR_ARGUMENT, "%s: unknown option \"--%.*s\"%s", argv[0],
                     (int)length, name, hint.text);
    return false;
  }
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  if (o->type == APP_FLAG && value) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--%s takes no value", o->name);
    return false;
  }
  if (o->type != APP_FLAG && !value) {
    if (*i + 1 == argc || strncmp(argv[*i + 1], "--", 2) == 0) {
      *status = refuse(app, PERP_ERROR_ARGUMENT, "--%s needs a value, %s", o->name, o->value);
      return false;
    }
    value = argv[++*i];
  }
  if (!take_value(o, value)) {
    *status = refuse_value(app, o, value);
    return false;
  }
  return true;
}

bool app_parse(const app_call *app, const app_usage *usage, int argc, char **argv,
               app_operands *operands, int *status)
{
  const int room = (int)(sizeof operands->item / sizeof *operands->item);
  const int most = usage->most_operands < room ? usage->most_operands : room;
  operands->count = 0;
  if (app->visit) {
    app->visit(app->context, usage);
    *status = APP_FINE;
    return false;
  }
  bool options = true;
  for (int i = 1; i < argc && options; i++) {
    if (strcmp(argv[i], "--") == 0)
      options = false;
    else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      (app->json ? json_help : print_help)(usage);
      *status = APP_FINE;
      return false;
    }
  }
  options = true;
  for (int i = 1; i < argc; i++) {
    if (options && strcmp(argv[i], "--") == 0) {
      options = false;
    } else if (options && strncmp(argv[i], "--", 2) == 0) {
      if (!parse_option(app, usage, argc, argv, &i, status))
        return false;
    } else if (options && argv[i][0] == '-' && argv[i][1] != '\0') {
      *status = refuse(app, PERP_ERROR_ARGUMENT,
                       "%s: unknown option \"%s\"; options are written in full, as --json", argv[0],
                       argv[i]);
      return false;
    } else if (argv[i][0] == '\0') {
      *status = refuse(app, PERP_ERROR_ARGUMENT, "%s: argument %d is empty", argv[0], i);
      return false;
    } else if (operands->count == most) {
      *status =
          refuse(app, PERP_ERROR_ARGUMENT, "%s: \"%s\" is one argument too many; usage: perp %s",
                 argv[0], argv[i], usage->call);
      return false;
    } else {
      operands->item[operands->count++] = argv[i];
    }
  }
  if (operands->count < usage->least_operands) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "%s: too few arguments; usage: perp %s", argv[0],
                     usage->call);
    return false;
  }
  return true;
}
