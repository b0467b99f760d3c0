/* fuzz.h: helpers of the fuzz targets: checks, messages and a scratch folder */
#pragma once

#include <dirent.h>
#include <perp/base.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static __attribute__((unused)) void require(int condition, const char *what)
{
  if (!condition) {
    fprintf(stderr, "%s\n", what);
    abort();
  }
}

/* A refusal must come with one printable line. */
static __attribute__((unused)) void check_line(const perp_message *why)
{
  require(why->text[0] != 0, "there is a message");
  for (const char *c = why->text; *c; c++)
    require(*c >= ' ' && *c < 127, "the message is one printable line");
}

static char scratch[64];

static __attribute__((unused)) void remove_files(const char *folder)
{
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    char path[512];
    snprintf(path, sizeof path, "%s/%.255s", folder, entry->d_name);
    unlink(path);
  }
  if (open)
    closedir(open);
}

static __attribute__((unused)) void remove_scratch(void)
{
  remove_files(scratch);
  rmdir(scratch);
}

/* Returns the path of a file in a folder that is removed at exit. */
static __attribute__((unused)) const char *in_scratch(const char *name)
{
  static char path[128];
  if (!*scratch) {
    snprintf(scratch, sizeof scratch, "%s/perp-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    require(mkdtemp(scratch) && atexit(remove_scratch) == 0, "a scratch folder");
  }
  snprintf(path, sizeof path, "%s/%.60s", scratch, name);
  return path;
}

static __attribute__((unused)) void write_file(const char *path, const void *bytes, size_t count)
{
  FILE *file = fopen(path, "wb");
  require(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0, "a file to write");
}
