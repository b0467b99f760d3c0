/* system_windows.c: files, folders, locks and the clock of Windows
 *
 * Paths are in the code page of the process. The system itself follows links. */
#include "base/clock.h"
#include "base/system.h"

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

enum { MAY_EXIST = 0, MAY_WRITE = 2 }; /* the mode for _access */

perp_place perp_system_look(const char *path)
{
  struct _stat64 status;
  if (_stat64(path, &status) != 0)
    return PERP_PLACE_NONE;
  if (status.st_mode & _S_IFDIR)
    return PERP_PLACE_FOLDER;
  return status.st_mode & _S_IFREG ? PERP_PLACE_FILE : PERP_PLACE_DEVICE;
}

bool perp_system_exists(const char *path)
{
  return _access(path, MAY_EXIST) == 0;
}

bool perp_system_may_write(const char *path)
{
  return _access(path, MAY_WRITE) == 0;
}

perp_stamp perp_system_stamp(const char *path)
{
  struct _stat64 status;
  if (_stat64(path, &status) != 0)
    return (perp_stamp){0};
  return (perp_stamp){status.st_dev, status.st_ino, status.st_size, status.st_mtime};
}

bool perp_system_follow(const char *path, char target[PERP_PATH_ROOM])
{
  (void)path;
  (void)target;
  return false;
}

int perp_system_open_read(const char *path)
{
  const int file = _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  if (file < 0 && perp_system_look(path) == PERP_PLACE_FOLDER)
    errno = EISDIR; /* the system says that access is denied */
  return file;
}

int perp_system_open_write(const char *path)
{
  return _open(path, _O_WRONLY | _O_BINARY | _O_NOINHERIT);
}

int perp_system_claim(const char *path)
{
  return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
               _S_IREAD | _S_IWRITE);
}

int64_t perp_system_size(int file)
{
  struct _stat64 status;
  return _fstat64(file, &status) == 0 && status.st_mode & _S_IFREG ? (int64_t)status.st_size : -1;
}

/* _read and _write take an unsigned int and return an int. */
static unsigned at_once(size_t count)
{
  return count < INT_MAX ? (unsigned)count : INT_MAX;
}

int64_t perp_system_read(int file, void *bytes, size_t room)
{
  return _read(file, bytes, at_once(room));
}

int64_t perp_system_write(int file, const void *bytes, size_t count)
{
  return _write(file, bytes, at_once(count));
}

bool perp_system_sync(int file)
{
  return _commit(file) == 0;
}

bool perp_system_close(int file)
{
  return _close(file) == 0;
}

bool perp_system_replace(const char *from, const char *to)
{
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
    return true;
  errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
  return false;
}

bool perp_system_remove(const char *path)
{
  return _unlink(path) == 0;
}

bool perp_system_make_folder(const char *path)
{
  return _mkdir(path) == 0;
}

bool perp_system_remove_folder(const char *path)
{
  return _rmdir(path) == 0;
}

bool perp_system_list(const char *folder, void (*see)(void *context, const char *name),
                      void *context)
{
  char pattern[PERP_PATH_ROOM];
  WIN32_FIND_DATAA entry;
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  const HANDLE find = FindFirstFileA(pattern, &entry);
  if (find == INVALID_HANDLE_VALUE)
    return false;
  do
    see(context, entry.cFileName);
  while (FindNextFileA(find, &entry));
  return FindClose(find) != 0;
}

bool perp_system_exchange(const char *fresh, const char *old)
{
  (void)fresh;
  (void)old;
  errno = ENOSYS;
  return false;
}

int perp_system_lock(const char *folder)
{
  (void)folder;
  return -1;
}

void perp_system_unlock(int lock)
{
  (void)lock;
}

double perp_clock_seconds(void)
{
  LARGE_INTEGER count, rate;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&rate);
  return (double)count.QuadPart / (double)rate.QuadPart;
}
