/* completion.c: perp completion: the scripts for bash, zsh and fish, and the words they offer
 *
 * The scripts (completion/) hold no words. They call
 *
 *   perp completion words -- WORD...
 *
 * with the words behind "perp" up to the cursor, the last one unfinished or empty. The answer has a
 * line for each possible word, with a tab and its meaning; ":files" asks the shell for the
 * names of files as well. Commands, options, methods, kinds, scenes, keys and choices come from the
 * tables that the program itself reads, so a script never has to be made again. */
#include "app.h"
#include "bench/suite.h"
#include "experiments/experiment.h"

#include <string.h>

extern const char completion_bash[], completion_zsh[], completion_fish[];

typedef struct cursor {
  char **words;
  int count; /* at least 1 */
  const app_usage *usage;
  const char *prefix; /* text before the word, which stays: "--method=" */
  const char *word;   /* the word to complete */
  const app_command *commands;
} cursor;

/* The word before + word + after, if it begins with what is typed so far; of the text, its first
 * line. */
static void offer(const cursor *c, const char *before, const char *word, const char *after,
                  const char *text)
{
  const char *const parts[] = {before, word, after};
  const char *typed = c->word;
  for (int i = 0; i < 3 && *typed; i++) {
    const size_t length = strlen(parts[i]), rest = strlen(typed);
    if (strncmp(typed, parts[i], length < rest ? length : rest) != 0)
      return;
    typed += length < rest ? length : rest;
  }
  if (!*typed)
    printf("%s%s%s%s\t%.*s\n", c->prefix, before, word, after, text ? (int)strcspn(text, "\n") : 0,
           text ? text : "");
}

static void offer_files(void)
{
  printf(":files\n");
}

static void offer_methods(const cursor *c, const char *before)
{
  for (int i = 0; i < perp_method_count(); i++)
    offer(c, before, perp_method_at(i).name, "", perp_method_at(i).title);
}

/* Returns the value that the call has given to an option so far, or NULL. */
static const char *option_value(const cursor *c, const char *name)
{
  const char *found = NULL;
  const size_t length = strlen(name);
  for (int i = 1; i + 1 < c->count; i++) {
    if (strcmp(c->words[i], name) == 0)
      found = c->words[i + 1];
    else if (strncmp(c->words[i], name, length) == 0 && c->words[i][length] == '=')
      found = c->words[i] + length + 1;
  }
  return found;
}

/* Offers the values of a parameter: its choices, yes and no, or its default. */
static void offer_values(const cursor *c, const char *before, const perp_parameter *p)
{
  char number[32];
  switch (p->type) {
  case PERP_TYPE_CHOICE:
    for (int i = 0; p->choices[i]; i++)
      offer(c, before, p->choices[i], "", p->text);
    return;
  case PERP_TYPE_FLAG:
    offer(c, before, "yes", "", p->text);
    offer(c, before, "no", "", p->text);
    return;
  case PERP_TYPE_REAL:
  case PERP_TYPE_INTEGER:
    snprintf(number, sizeof number, "%g", p->value);
    offer(c, before, number, "", p->text);
    return;
  }
}

/* KEY=VALUE after `before`: keys, or the values of a key once it is there. */
static void offer_settings(const cursor *c, const char *before, const perp_parameter *table)
{
  const char *setting = c->word + strlen(before);
  const size_t length = strcspn(setting, "=");
  for (const perp_parameter *p = table; p && p->name; p++) {
    if (setting[length] == '\0') {
      offer(c, before, p->name, "=", p->text);
    } else if (strlen(p->name) == length && strncmp(p->name, setting, length) == 0) {
      char start[512];
      snprintf(start, sizeof start, "%s%s=", before, p->name);
      offer_values(c, start, p);
    }
  }
}

typedef struct named {
  const char *name, *title;
  const perp_parameter *parameters;
} named;

static named generator_at(int i)
{
  if (i >= perp_generator_count())
    return (named){0};
  const perp_generator_info g = perp_generator_at(i);
  return (named){g.name, g.title, g.parameters};
}

static named qp_generator_at(int i)
{
  if (i >= perp_qp_generator_count())
    return (named){0};
  const perp_generator_info g = perp_qp_generator_at(i);
  return (named){g.name, g.title, g.parameters};
}

static named scene_at(int i)
{
  if (i >= perp_scene_count())
    return (named){0};
  const perp_scene_info s = perp_scene_at(i);
  return (named){s.name, s.title, s.parameters};
}

/* The parameters of NAME in "NAME:key=value,...". */
static const perp_parameter *parameters_of(const char *text, named (*at)(int))
{
  const size_t length = strcspn(text, ":");
  named n;
  for (int i = 0; (n = at(i)).name; i++)
    if (strlen(n.name) == length && strncmp(n.name, text, length) == 0)
      return n.parameters;
  return NULL;
}

/* NAME, or NAME:key=value,... once there is a colon. */
static void offer_spec(const cursor *c, named (*at)(int))
{
  if (!strchr(c->word, ':')) {
    named n;
    for (int i = 0; (n = at(i)).name; i++)
      offer(c, "", n.name, "", n.title);
    return;
  }
  const char *last = strrchr(c->word, ','), *colon = strchr(c->word, ':');
  char before[512];
  snprintf(before, sizeof before, "%.*s", (int)((last ? last : colon) - c->word) + 1, c->word);
  offer_settings(c, before, parameters_of(c->word, at));
}

static void offer_commands(const cursor *c)
{
  for (const app_command *command = c->commands; command->name; command++)
    offer(c, "", command->name, "", command->synopsis);
}

static void offer_ncp(const cursor *c)
{
  for (int i = 0; perp_ncp_sample_at(i).name; i++)
    offer(c, "ncp:", perp_ncp_sample_at(i).name, "", perp_ncp_sample_at(i).title);
}

static void offer_experiments(const cursor *c)
{
  offer(c, "", "all", "", "every experiment");
  offer(c, "", "check", "", "with status 1 if a claim does not hold");
  for (int i = 0; experiments[i]; i++)
    offer(c, "", experiments[i]->name, "", experiments[i]->title);
}

static void offer_suites(const cursor *c)
{
  offer(c, "", "all", "", "every suite");
  for (const bench_suite *s = bench_suites; s->name; s++)
    offer(c, "", s->name, "", s->title);
}

static void offer_operands(const cursor *c)
{
  const char *command = c->words[0];
  if (strcmp(command, "solve") == 0 || strcmp(command, "info") == 0 ||
      strcmp(command, "check") == 0 || strcmp(command, "convert") == 0) {
    offer_spec(c, generator_at);
    if (strcmp(command, "solve") == 0 && strncmp(c->word, "ncp:", 4) == 0)
      offer_ncp(c);
    offer_files();
  } else if (strcmp(command, "generate") == 0) {
    offer_spec(c, generator_at);
  } else if (strcmp(command, "qp") == 0) {
    offer_spec(c, qp_generator_at);
    offer_files();
  } else if (strcmp(command, "simulate") == 0) {
    offer_spec(c, scene_at);
  } else if (strcmp(command, "experiment") == 0) {
    offer_experiments(c);
  } else if (strcmp(command, "bench") == 0) {
    offer_suites(c);
  } else if (strcmp(command, "list") == 0) {
    offer_methods(c, "");
  } else if (strcmp(command, "help") == 0) {
    offer_commands(c);
  } else if (strcmp(command, "completion") == 0) {
    offer(c, "", "bash", "", "the script for bash");
    offer(c, "", "zsh", "", "the script for zsh");
    offer(c, "", "fish", "", "the script for fish");
  }
}

/* --set is for the kind of perp generate and for the method of every other command. */
static const perp_parameter *settable(const cursor *c)
{
  if (strcmp(c->words[0], "generate") == 0)
    return c->count > 2 ? parameters_of(c->words[1], generator_at) : NULL;
  const char *method = option_value(c, "--method");
  const int index = perp_method_find(method ? method : "auto");
  return index < 0 ? NULL : perp_method_at(index).parameters;
}

static void offer_comparisons(const cursor *c)
{
  if (strncmp(c->word, "method=", 7) == 0) {
    const char *last = strrchr(c->word, ',');
    char before[512];
    snprintf(before, sizeof before, "%.*s", last ? (int)(last - c->word) + 1 : 7, c->word);
    offer_methods(c, before);
    return;
  }
  offer(c, "", "method", "=", "methods side by side");
  if (c->count > 2)
    offer_settings(c, "", parameters_of(c->words[1], scene_at));
}

static void offer_value(const cursor *c, const app_option *o)
{
  if (strcmp(o->name, "method") == 0 && strcmp(c->words[0], "qp") == 0) {
    offer(c, "", "auto", "", "chooses one of the others");
    offer(c, "", "ipm", "", "interior points");
    offer(c, "", "active", "", "active sets");
    offer(c, "", "admm", "", "matrices are only applied");
  } else if (strcmp(o->name, "method") == 0) {
    offer_methods(c, "");
  } else if (strcmp(o->name, "methods") == 0) {
    const char *last = strrchr(c->word, ',');
    char before[512];
    snprintf(before, sizeof before, "%.*s", last ? (int)(last - c->word) + 1 : 0, c->word);
    offer_methods(c, before);
  } else if (strcmp(o->name, "set") == 0) {
    offer_settings(c, "", settable(c));
  } else if (strcmp(o->name, "compare") == 0) {
    offer_comparisons(c);
  } else if (strcmp(o->name, "device") == 0) {
    offer(c, "", "host", "", "this machine's CPU, running the GPU kernels");
    offer(c, "", "cuda", "", "the first GPU");
  } else if (strcmp(o->name, "judge") == 0) {
    offer(c, "", "host", "", "the CPU computes the residual");
    offer(c, "", "device", "", "the device of --device computes it");
  } else if (o->type == APP_TEXT) {
    offer_files();
  }
}

static const app_option *find_option(const app_usage *usage, const char *word)
{
  const size_t length = strcspn(word, "=");
  for (const app_option *o = usage->options; o->name; o++)
    if (strlen(o->name) + 2 == length && strncmp(o->name, word + 2, length - 2) == 0)
      return o;
  return NULL;
}

/* Called with the usage of the command: the words that may stand at the cursor. */
static void complete(void *context, const app_usage *usage)
{
  cursor *c = context;
  c->usage = usage;
  const char *before = c->count > 2 ? c->words[c->count - 2] : "";
  const app_option *o =
      strncmp(before, "--", 2) == 0 && !strchr(before, '=') ? find_option(usage, before) : NULL;
  if (o && o->type != APP_FLAG) {
    offer_value(c, o);
  } else if (strncmp(c->word, "--", 2) == 0 && strchr(c->word, '=')) {
    o = find_option(usage, c->word);
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%.*s", (int)strcspn(c->word, "=") + 1, c->word);
    c->word = strchr(c->word, '=') + 1;
    c->prefix = prefix;
    if (o && o->type != APP_FLAG)
      offer_value(c, o);
    c->prefix = "";
  } else if (c->word[0] == '-') {
    for (o = usage->options; o->name; o++)
      offer(c, "--", o->name, "", o->text);
    offer(c, "--", "help", "", "what the command does");
  } else {
    offer_operands(c);
  }
}

static int offer_words(const app_command *commands, int count, char **words)
{
  if (count < 1)
    return APP_FINE;
  cursor c = {
      .words = words, .count = count, .prefix = "", .word = words[count - 1], .commands = commands};
  if (count == 1) {
    offer_commands(&c);
    return APP_FINE;
  }
  const app_call probe = {.visit = complete, .context = &c};
  for (const app_command *command = commands; command->name; command++)
    if (strcmp(command->name, words[0]) == 0)
      return command->run(&probe, 1, words);
  return APP_FINE; /* no such command: no words */
}

int command_completion(const app_call *app, int argc, char **argv)
{
  static const app_option options[] = {{0}};
  const app_usage usage = {
      .call = "completion bash|zsh|fish",
      .about = "Prints a script by which the shell completes commands, options, methods, kinds, "
               "scenes,\n"
               "and their keys and choices:\n"
               "\n"
               "  source <(perp completion bash)      in ~/.bashrc\n"
               "  source <(perp completion zsh)       in ~/.zshrc, after compinit\n"
               "  perp completion fish | source       in ~/.config/fish/config.fish\n"
               "\n"
               "The scripts ask perp completion words -- WORD... for the words at the cursor.\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 1,
  };
  if (!app->visit && argc > 2 && strcmp(argv[1], "words") == 0 && strcmp(argv[2], "--") == 0)
    return offer_words(app->commands, argc - 3, argv + 3);
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  static const struct {
    const char *shell, *script;
  } scripts[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
  for (int i = 0; i < 3; i++)
    if (strcmp(operands.item[0], scripts[i].shell) == 0) {
      fputs(scripts[i].script, stdout);
      return APP_FINE;
    }
  return refuse(app, PERP_ERROR_ARGUMENT,
                "there is no completion for \"%s\"; use bash, zsh or fish", operands.item[0]);
}
