/* replay.c: runs a fuzz target over the files of its corpus, with any compiler
 *
 *   replay FOLDER
 *
 * A target judges by crashing, so every file that returns has passed. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns true if the path is a regular file that was read and run. */
static int replay(const char *path)
{
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return 0;
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  const size_t size = (size_t)status.st_size;
  /* Exactly as long as the input, so that a read beyond its end is detected. */
  uint8_t *data = malloc(size ? size : 1);
  const int read = data && fread(data, 1, size, file) == size;
  fclose(file);
  if (read) {
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
  }
  free(data);
  return read;
}

int main(int argc, char **argv)
{
  DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: replay FOLDER\n");
    return 2;
  }
  int passed = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    if (length > 0 && (size_t)length < sizeof path)
      passed += replay(path);
  }
  closedir(folder);
  printf("%d passed, 0 failed, 0 skipped\n", passed);
  return 0;
}
