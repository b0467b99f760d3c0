/* fclib_file.h: what the reader (fclib.c) and the writer (fclib_write.c) of FCLib files share */
#pragma once

#include "base/memory.h"
#include "base/message.h"

#include <hdf5.h>

/* An open file, and the group of its problem. */
typedef struct fclib_file {
  const char *path, *group;
  hid_t id;
  perp_arena arena;
  perp_message *why;
} fclib_file;

enum { PERP_FCLIB_LOCAL, PERP_FCLIB_GLOBAL, PERP_FCLIB_ROLLING, PERP_FCLIB_GROUPS };
extern const char *const perp_fclib_groups[PERP_FCLIB_GROUPS];
