/* stage.h: a hidden folder to write in until its content is complete
 *
 * The folder is locked while its process lives. One that exists and is not locked was left by a
 * process that was killed: whoever comes next under the same name clears it. */
#pragma once

#include <stdbool.h>

typedef struct perp_stage {
  char *path; /* owned; NULL: closed */
  int lock;
} perp_stage;

/* Removes what killed processes have left under the names `prefix`-K; `remove` removes a folder. */
void perp_stage_clean(const char *prefix, void (*remove)(const char *path));
/* Makes the folder `prefix`-K with the first K = 0, 1, ... that is free, after a perp_stage_clean.
 * False and errno if it cannot. */
bool perp_stage_open(perp_stage *stage, const char *prefix, void (*remove)(const char *path));
/* The folder itself stays. */
void perp_stage_close(perp_stage *stage);
