/* fail.c: a preload library that makes the k-th system call on a folder fail
 *
 *   FAIL_UNDER=FOLDER FAIL_AT=K FAIL_TOLD=FILE LD_PRELOAD=libfail.so perp ...
 *
 * It counts calls that name a file below FOLDER or a relative path, and calls on files opened that
 * way. The K-th call fails as on a full disk (write, fsync, close of a written file), in a
 * read-only folder (create, rename, remove), with a missing input (open) or with an unreadable disk
 * (read, stat). FILE gets the number of calls, and the name of the call that failed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { FILES = 256, NOTHING = 0, READ = 1, WRITTEN = 2 };

static int opened[FILES]; /* how each descriptor was opened, if it is counted */
static long count;
static const char *failed = "none";

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_under(const char *path)
{
  const char *folder = getenv("FAIL_UNDER");
  return folder && path && (path[0] != '/' || strncmp(path, folder, strlen(folder)) == 0);
}

/* Returns true if this call is the one to fail; errno is then the reason. */
static int fails(const char *name, int reason)
{
  const char *at = getenv("FAIL_AT");
  if (++count != (at ? atol(at) : 0))
    return 0;
  failed = name;
  errno = reason;
  return 1;
}

__attribute__((destructor)) static void tell(void)
{
  const char *told = getenv("FAIL_TOLD");
  char text[64];
  const int file = told ? REAL(open)(told, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  const int length = snprintf(text, sizeof text, "%ld %s\n", count, failed);
  if (file >= 0 && REAL(write)(file, text, (size_t)length) == length)
    REAL(close)(file);
}

static int remember(int file, int how)
{
  if (file >= 0 && file < FILES)
    opened[file] = how;
  return file;
}

int open(const char *path, int flags, ...)
{
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (!is_under(path))
    return remember(REAL(open)(path, flags, mode), NOTHING);
  const int writes = (flags & O_ACCMODE) != O_RDONLY;
  if (fails(writes ? "create" : "open", writes ? EROFS : ENOENT))
    return -1;
  return remember(REAL(open)(path, flags, mode), writes ? WRITTEN : READ);
}

static int how(int file)
{
  return file >= 0 && file < FILES ? opened[file] : NOTHING;
}

ssize_t read(int file, void *bytes, size_t room)
{
  return how(file) && fails("read", EIO) ? -1 : REAL(read)(file, bytes, room);
}

ssize_t write(int file, const void *bytes, size_t room)
{
  return how(file) && fails("write", ENOSPC) ? -1 : REAL(write)(file, bytes, room);
}

int fsync(int file)
{
  return how(file) && fails("fsync", ENOSPC) ? -1 : REAL(fsync)(file);
}

int close(int file)
{
  const int was = how(file);
  remember(file, NOTHING);
  const int closed = REAL(close)(file);
  return was == WRITTEN && fails("close", ENOSPC) ? -1 : closed;
}

int stat(const char *path, struct stat *found)
{
  return is_under(path) && fails("stat", EIO) ? -1 : REAL(stat)(path, found);
}

int lstat(const char *path, struct stat *found)
{
  return is_under(path) && fails("lstat", EIO) ? -1 : REAL(lstat)(path, found);
}

int access(const char *path, int mode)
{
  return is_under(path) && fails("access", EROFS) ? -1 : REAL(access)(path, mode);
}

int rename(const char *from, const char *to)
{
  return is_under(from) && fails("rename", EROFS) ? -1 : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
  return is_under(path) && fails("mkdir", EROFS) ? -1 : REAL(mkdir)(path, mode);
}

int unlink(const char *path)
{
  return is_under(path) && fails("unlink", EROFS) ? -1 : REAL(unlink)(path);
}

int rmdir(const char *path)
{
  return is_under(path) && fails("rmdir", EROFS) ? -1 : REAL(rmdir)(path);
}

int chmod(const char *path, mode_t mode)
{
  return is_under(path) && fails("chmod", EROFS) ? -1 : REAL(chmod)(path, mode);
}

long syscall(long number, ...)
{
  va_list more;
  long a[6];
  va_start(more, number);
  for (int k = 0; k < 6; k++)
    a[k] = va_arg(more, long);
  va_end(more);
  if (number == SYS_renameat2 && is_under((const char *)a[1]) && fails("exchange", EROFS))
    return -1;
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
