/* web/answer.c: the buffer of text that JavaScript reads, and what the library has to offer */
#include "play.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char *text;
  size_t used, room;
} answer;

void play_begin(void)
{
  answer.used = 0;
}

void play_add(const char *format, ...)
{
  for (int pass = 0; pass < 2; pass++) {
    va_list list;
    va_start(list, format);
    const size_t left = answer.room - answer.used;
    const int length =
        vsnprintf(answer.text ? answer.text + answer.used : NULL, left, format, list);
    va_end(list);
    if (length < 0)
      abort();
    if ((size_t)length < left) {
      answer.used += (size_t)length;
      return;
    }
    answer.room = 2 * answer.room + (size_t)length + 1024;
    answer.text = realloc(answer.text, answer.room);
    if (!answer.text)
      abort();
  }
}

void play_add_text(const char *text)
{
  if (!text) {
    play_add("null");
    return;
  }
  play_add("\"");
  for (const char *c = text; *c; c++)
    if (*c == '"' || *c == '\\')
      play_add("\\%c", *c);
    else if ((unsigned char)*c < 32)
      play_add("\\u%04x", *c);
    else
      play_add("%c", *c);
  play_add("\"");
}

void play_add_number(double value)
{
  if (isfinite(value))
    play_add("%.17g", value);
  else
    play_add("null");
}

const char *play_end(void)
{
  return answer.text;
}

const char *play_error(const char *text)
{
  play_begin();
  play_add("{\"error\":");
  play_add_text(text);
  play_add("}");
  return play_end();
}

/* ---- Lists ---- */

static void add_parameters(const perp_parameter *p)
{
  play_add(",\"parameters\":[");
  for (int k = 0; p && p[k].name; k++) {
    play_add("%s{\"name\":\"%s\",\"type\":%d,\"value\":", k ? "," : "", p[k].name, (int)p[k].type);
    play_add_number(p[k].value);
    play_add(",\"least\":");
    play_add_number(p[k].least);
    play_add(",\"most\":");
    play_add_number(p[k].most);
    play_add(",\"about\":");
    play_add_text(p[k].text);
    play_add(",\"words\":[");
    for (int w = 0; p[k].choices && p[k].choices[w]; w++)
      play_add("%s\"%s\"", w ? "," : "", p[k].choices[w]);
    play_add("]}");
  }
  play_add("]}");
}

static void add_named(bool first, const char *name, const char *title, const char *family)
{
  play_add("%s{\"name\":\"%s\",\"family\":\"%s\",\"title\":", first ? "" : ",", name, family);
  play_add_text(title);
}

/* Methods, generators and scenes with their parameters. */
PLAY const char *play_list(void)
{
  play_begin();
  play_add("{\"version\":\"%s\",\"methods\":[", perp_version());
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    add_named(k == 0, m.name, m.title, m.family);
    play_add(",\"takes\":%u,\"most\":%d,\"iteration\":", m.takes, m.most_unknowns);
    play_add_text(m.iteration);
    play_add(",\"works\":");
    play_add_text(m.works);
    add_parameters(m.parameters);
  }
  play_add("],\"generators\":[");
  for (int k = 0; k < perp_generator_count(); k++) {
    const perp_generator_info g = perp_generator_at(k);
    add_named(k == 0, g.name, g.title, g.family);
    add_parameters(g.parameters);
  }
  play_add("],\"scenes\":[");
  for (int k = 0; k < perp_scene_count(); k++) {
    const perp_scene_info s = perp_scene_at(k);
    add_named(k == 0, s.name, s.title, s.family);
    add_parameters(s.parameters);
  }
  play_add("]}");
  return play_end();
}
