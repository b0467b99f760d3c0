/* output.c: files written under a temporary name and renamed
 *
 * An output is written under a temporary name in its folder, and gets its name by rename(2) when it
 * is complete: a reader sees the old file or the new one, never a part. The program keeps a list of
 * its unfinished files, so that it can remove them when a signal ends it. */
#define _XOPEN_SOURCE 700
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static perp_error fail(perp_message *why, const char *path, const char *reason)
{
  snprintf(why->text, sizeof why->text, "%.380s: %s", path, reason);
  return PERP_ERROR_FILE;
}

/* Returns true if the file is locked for this process and still has that name. */
static bool is_taken(int fd, const char *path)
{
#ifdef _WIN32 /* a file open for writing cannot be opened again there (kit/windows/posix.h) */
  return fd >= 0 && path;
#else
  struct stat held, found;
  if (fd < 0 || (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK))
    return false;
  if (fstat(fd, &held) != 0 || stat(path, &found) != 0)
    return errno != ENOENT;
  return held.st_dev == found.st_dev && held.st_ino == found.st_ino;
#endif
}

/* Opens a file in the folder of `path`, .NAME.K.part with the first K that no living process has;
 * one that a killed process left is emptied. Its mode is that of any new file of the user. */
static int open_temporary(const char *path, char *temporary, size_t size)
{
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  for (int attempt = 0; attempt < 100; attempt++) {
    snprintf(temporary, size, "%.*s.%s.%d.part", folder, path, path + folder, attempt);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool fresh = fd >= 0;
    if (!fresh && errno != EEXIST)
      return -1;
    if (!fresh)
      fd = open(temporary, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (is_taken(fd, temporary) && (fresh || ftruncate(fd, 0) == 0))
      return fd;
    if (fd >= 0)
      close(fd);
  }
  errno = EEXIST;
  return -1;
}

bool app_is_stdout(const char *path)
{
  return path && strcmp(path, "-") == 0;
}

perp_error app_vector_write(const char *path, int n, const double *values, const char *comment,
                            perp_message *why)
{
  if (!app_is_stdout(path))
    return perp_vector_write(path, n, values, comment, why);
  printf("%%%%MatrixMarket matrix array real general\n%% %s\n%d 1\n", comment, n);
  for (int i = 0; i < n; i++)
    printf("%.17g\n", values[i]);
  return PERP_OK; /* main checks that everything was written */
}

perp_error app_output_prepare(const char *path, app_output *output, perp_message *why)
{
  struct stat found;
  char resolved[PATH_MAX];
  if (strlen(path) >= sizeof output->path)
    return fail(why, path, strerror(ENAMETOOLONG));
  strcpy(output->path, path);
  if (app_is_stdout(path))
    return PERP_OK;
  if (stat(path, &found) == 0) {
    if (S_ISDIR(found.st_mode))
      return fail(why, path, "is a directory, not a file to write");
    if (access(path, W_OK) != 0)
      return fail(why, path, strerror(errno));
    if (!S_ISREG(found.st_mode)) /* a device or a pipe is written as it is */
      return PERP_OK;
    /* a link stays a link: what it leads to is replaced */
    if (realpath(path, resolved) && strlen(resolved) < sizeof output->path)
      strcpy(output->path, resolved);
  } else if (errno != ENOENT) {
    return fail(why, path, strerror(errno));
  } else if (path[strlen(path) - 1] == '/') {
    return fail(why, path, "is a directory, not a file to write");
  }
  char temporary[sizeof output->path + 64];
  const int fd = open_temporary(output->path, temporary, sizeof temporary);
  if (fd < 0)
    return fail(why, path,
                errno == ENOENT ? "the folder to write it in does not exist" : strerror(errno));
  close(fd);
  unlink(temporary);
  return PERP_OK;
}

/* The unfinished files, for a signal handler; a free place holds NULL. */
static const app_file *volatile on_their_way[16];
enum { WAYS = sizeof on_their_way / sizeof *on_their_way };

static void remember(const app_file *file)
{
  for (int k = 0; k < WAYS; k++)
    if (!on_their_way[k]) {
      on_their_way[k] = file;
      return;
    }
}

static void forget(const app_file *file)
{
  for (int k = 0; k < WAYS; k++)
    if (on_their_way[k] == file)
      on_their_way[k] = NULL;
}

void app_files_abandon(void)
{
  for (int k = 0; k < WAYS; k++) {
    const app_file *file = on_their_way[k];
    if (!file || !file->temporary[0])
      continue;
    if (!file->by_lines || rename(file->temporary, file->path) != 0)
      unlink(file->temporary);
  }
}

static void remove_temporary(const app_file *file)
{
  if (file->temporary[0])
    unlink(file->temporary);
}

perp_error app_file_open(const char *path, app_file *file, perp_message *why)
{
  *file = (app_file){0};
  if (strlen(path) >= sizeof file->path)
    return fail(why, path, strerror(ENAMETOOLONG));
  strcpy(file->path, path);
  struct stat found;
  const bool device = stat(path, &found) == 0 && !S_ISREG(found.st_mode);
  const int fd = device ? open(path, O_WRONLY | O_CLOEXEC)
                        : open_temporary(path, file->temporary, sizeof file->temporary);
  if (fd < 0)
    return fail(why, path, strerror(errno));
  file->stream = fdopen(fd, "w");
  if (!file->stream) {
    const int reason = errno;
    close(fd);
    remove_temporary(file);
    return fail(why, path, strerror(reason));
  }
  remember(file);
  return PERP_OK;
}

void app_file_keep_lines(app_file *file)
{
  setvbuf(file->stream, NULL, _IOLBF, BUFSIZ);
  file->by_lines = true;
}

/* Why an earlier write failed: the reason is not stored, but one more byte fails for the same
 * one. */
static int ask_reason(FILE *stream)
{
  clearerr(stream);
  return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

perp_error app_file_close(app_file *file, perp_message *why)
{
  int reason = ferror(file->stream) ? ask_reason(file->stream) : 0;
  if (fflush(file->stream) != 0 && !reason)
    reason = errno;
  if (fclose(file->stream) != 0 && !reason)
    reason = errno;
  file->stream = NULL;
  if (!reason && file->temporary[0] && rename(file->temporary, file->path) != 0)
    reason = errno;
  forget(file);
  if (!reason)
    return PERP_OK;
  remove_temporary(file);
  return fail(why, file->path, strerror(reason));
}

void app_file_discard(app_file *file)
{
  if (!file->stream)
    return;
  fclose(file->stream);
  file->stream = NULL;
  remove_temporary(file);
  forget(file);
}

void app_write_csv_text(FILE *out, const char *text)
{
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++)
    fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, out);
  fputc('"', out);
}
