/* complain.c: the one way in which the program says that something is wrong */
#include "app.h"
#include "json.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

typedef struct line {
  char text[4096];
} line;

static line one_line(const char *format, va_list arguments)
{
  line said;
  vsnprintf(said.text, sizeof said.text, format, arguments);
  for (char *c = said.text; *c; c++)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = '?';
  return said;
}

void complain(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const line said = one_line(format, arguments);
  va_end(arguments);
  fflush(stdout);
  fprintf(stderr, "%sperp:%s %s\n", app_paint(stderr, APP_BAD), app_paint(stderr, APP_PLAIN),
          said.text);
}

int refuse(const app_call *app, perp_error error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const line said = one_line(format, arguments);
  va_end(arguments);
  complain("%s", said.text);
  if (app->json) {
    json j = json_open(stdout);
    json_text(&j, "error", perp_error_name(error));
    json_text(&j, "message", said.text);
    json_close(&j);
  }
  return APP_WRONG;
}

/* Edits that turn a into b: insert, delete, replace or swap neighbours, each counting 1
 * (Damerau 1964). Words are cut at 31 letters. */
static int edit_distance(const char *a, const char *b)
{
  enum { LONGEST = 31 };
  int d[LONGEST + 1][LONGEST + 1];
  const size_t length_a = strlen(a), length_b = strlen(b);
  const int m = length_a < LONGEST ? (int)length_a : LONGEST;
  const int n = length_b < LONGEST ? (int)length_b : LONGEST;
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      int least = d[i - 1][j - 1] + !same;
      if (d[i - 1][j] + 1 < least)
        least = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < least)
        least = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < least)
        least = d[i - 2][j - 2] + 1;
      d[i][j] = least;
    }
  return d[m][n];
}

app_hint app_suggest(const char *mistyped, const char *(*word_at)(const void *words, int i),
                     const void *words, const char *otherwise)
{
  const size_t length = strlen(mistyped);
  const char *nearest = NULL;
  /* a word of up to three letters may be off by one, a longer one by two */
  int least = length <= 3 ? 2 : 3;
  const char *word;
  for (int i = 0; (word = word_at(words, i)); i++) {
    /* the beginning of a longer word is nearer than any typing error */
    const bool begins = length >= 2 && strncmp(word, mistyped, length) == 0;
    const int distance = begins ? 0 : edit_distance(mistyped, word);
    if (distance < least) {
      least = distance;
      nearest = word;
    }
  }
  app_hint hint = {""};
  if (nearest)
    snprintf(hint.text, sizeof hint.text, "; did you mean \"%s\"?", nearest);
  else if (otherwise)
    snprintf(hint.text, sizeof hint.text, "; %s", otherwise);
  return hint;
}

perp_error app_say(perp_message *why, perp_error error, const char *what, const char *detail)
{
  snprintf(why->text, sizeof why->text, "%.300s%s", what, detail);
  return error;
}
