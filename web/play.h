/* web/play.h: what the files of the playground's C side share: one buffer of text for answers
 *
 * Every exported function that has something to tell writes one JSON object into the buffer and
 * returns it; an error is {"error": "..."}. JavaScript reads it before the next call. */
#pragma once

#include <perp/lab.h>
#include <perp/perp.h>
#include <stdbool.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define PLAY EMSCRIPTEN_KEEPALIVE
#else
#define PLAY /* for the tests, which link it natively */
#endif

/* Starts anew; further text goes to its end. */
void play_begin(void);
void play_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A text in quotes, or null; a number, or null if it is not finite. */
void play_add_text(const char *text);
void play_add_number(double value);
const char *play_end(void);
const char *play_error(const char *text);
