/* system_posix.c: files, folders, locks and the clock of POSIX */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* flock, syscall */
#include "base/clock.h"
#include "base/system.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <time.h>
#include <unistd.h>

static_assert((int)PERP_PATH_ROOM >= (int)PATH_MAX, "realpath writes up to PATH_MAX bytes");
static_assert((int)PERP_NAME_ROOM > (int)NAME_MAX, "a name has up to NAME_MAX bytes");

perp_place perp_system_look(const char *path)
{
  struct stat status;
  if (stat(path, &status) != 0)
    return PERP_PLACE_NONE;
  if (S_ISDIR(status.st_mode))
    return PERP_PLACE_FOLDER;
  return S_ISREG(status.st_mode) ? PERP_PLACE_FILE : PERP_PLACE_DEVICE;
}

bool perp_system_exists(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool perp_system_may_write(const char *path)
{
  return access(path, W_OK) == 0;
}

perp_stamp perp_system_stamp(const char *path)
{
  struct stat status;
  if (stat(path, &status) != 0)
    return (perp_stamp){0};
  return (perp_stamp){(int64_t)status.st_dev, (int64_t)status.st_ino, status.st_size,
                      (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec};
}

bool perp_system_follow(const char *path, char target[PERP_PATH_ROOM])
{
  struct stat status;
  return lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && realpath(path, target);
}

/* Retries if a signal interrupts open. */
static int open_file(const char *path, int flags)
{
  int file;
  do
    file = open(path, flags | O_CLOEXEC, 0666);
  while (file < 0 && errno == EINTR);
  return file;
}

int perp_system_open_read(const char *path)
{
  return open_file(path, O_RDONLY);
}

int perp_system_open_write(const char *path)
{
  return open_file(path, O_WRONLY);
}

/* Returns true if the file is locked by us and still has that name, or if it cannot be examined. */
static bool is_taken(int file, const char *path)
{
  struct stat held, found;
  if (file < 0 || (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK))
    return false;
  if (fstat(file, &held) != 0 || stat(path, &found) != 0)
    return errno != ENOENT && errno != ENOTDIR;
  return held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

int perp_system_claim(const char *path)
{
  int file = open_file(path, O_WRONLY | O_CREAT | O_EXCL);
  const bool fresh = file >= 0;
  if (!fresh && errno != EEXIST)
    return -1;
  if (!fresh)
    file = open_file(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  if (is_taken(file, path) && (fresh || ftruncate(file, 0) == 0))
    return file;
  if (file >= 0)
    close(file);
  errno = EEXIST;
  return -1;
}

int64_t perp_system_size(int file)
{
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
}

int64_t perp_system_read(int file, void *bytes, size_t room)
{
  ssize_t count;
  do
    count = read(file, bytes, room);
  while (count < 0 && errno == EINTR);
  return count;
}

int64_t perp_system_write(int file, const void *bytes, size_t count)
{
  ssize_t written;
  do
    written = write(file, bytes, count);
  while (written < 0 && errno == EINTR);
  return written;
}

bool perp_system_sync(int file)
{
  return fsync(file) == 0;
}

bool perp_system_close(int file)
{
  return close(file) == 0;
}

bool perp_system_replace(const char *from, const char *to)
{
  return rename(from, to) == 0;
}

bool perp_system_remove(const char *path)
{
  return unlink(path) == 0;
}

bool perp_system_make_folder(const char *path)
{
  return mkdir(path, 0777) == 0;
}

bool perp_system_remove_folder(const char *path)
{
  return rmdir(path) == 0;
}

bool perp_system_list(const char *folder, void (*see)(void *context, const char *name),
                      void *context)
{
  DIR *open = opendir(folder);
  for (const struct dirent *entry; open && (entry = readdir(open)) != NULL;)
    see(context, entry->d_name);
  return open && closedir(open) == 0;
}

/* Calls renameat2 by its number: not every C library has it. */
static bool exchange_names(const char *a, const char *b)
{
#ifdef SYS_renameat2
  enum { EXCHANGE = 2 };
  return syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, EXCHANGE) == 0;
#else
  (void)a;
  (void)b;
  errno = ENOSYS;
  return false;
#endif
}

bool perp_system_exchange(const char *fresh, const char *old)
{
  struct stat is, was;
  if (stat(fresh, &is) != 0 || stat(old, &was) != 0)
    return false;
  if ((is.st_uid != was.st_uid || is.st_gid != was.st_gid) &&
      chown(fresh, was.st_uid, was.st_gid) != 0)
    return false;
  return chmod(fresh, was.st_mode & 07777) == 0 && exchange_names(fresh, old);
}

int perp_system_lock(const char *folder)
{
  const int lock = open_file(folder, O_RDONLY | O_DIRECTORY);
  while (lock >= 0 && flock(lock, LOCK_EX) != 0)
    if (errno != EINTR) {
      close(lock);
      return -1;
    }
  return lock;
}

void perp_system_unlock(int lock)
{
  if (lock >= 0)
    close(lock);
}

double perp_clock_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
