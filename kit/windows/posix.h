/* posix.h: on Windows, the POSIX functions that the program and the tests call
 *
 * Compiled before each of their files (app/CMakeLists.txt, tests/CMakeLists.txt); mingw-w64 has the rest. Paths
 * are UTF-8 in the program, by its manifest, and files are written as they are, without carriage returns. */
#pragma once

#define tell windows_tell /* a name that others use, and no part of POSIX */
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#undef tell

/* A file that is open for writing cannot be opened for writing again: so it needs no lock. */
enum { O_CLOEXEC = _O_NOINHERIT, O_NOFOLLOW = 0, O_NONBLOCK = 0 };
int windows_open(const char *path, int flags, ...);
int windows_rename(const char *from, const char *to);
int windows_stat(const char *path,
                 struct stat *status); /* two paths of one file have the same st_dev, st_ino */
int windows_remove(const char *path);  /* a file or an empty folder */
/* Writes the path with / in place of \\, which Windows takes too. */
void windows_slashes(char *path);
int windows_clock(struct timespec *time);
/* A stream of open_memstream is a temporary file, which fflush and fclose copy to its text. */
FILE *open_memstream(char **text, size_t *size);
int windows_flush(FILE *stream);
int windows_close(FILE *stream);
#define open                         windows_open
#define rename                       windows_rename
#define mkdir(path, mode)            _mkdir(path)
#define realpath(path, full)         ((void)(full), (char *)NULL) /* the system follows links */
#define remove                       windows_remove
#define fflush                       windows_flush
#define fclose                       windows_close
#define stat(path, status)           windows_stat(path, status)
#define lstat(path, status)          windows_stat(path, status)
#define fsync                        _commit
#define setenv(name, value, replace) _putenv_s(name, value)
#define unsetenv(name)               _putenv_s(name, "")
#define clock_gettime(clock, time)   windows_clock(time)
char *mkdtemp(char *pattern);

#ifndef NAME_MAX
#define NAME_MAX 255
#endif

/* Signals: a handler stays until its signal comes a second time. There is no alarm. */
enum { SIGHUP = SIGBREAK, SIGALRM = 14, SA_RESTART = 0 };
struct sigaction {
  void (*sa_handler)(int);
  int sa_mask, sa_flags;
};
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
#define sigemptyset(mask) (*(mask) = 0)
#define alarm(seconds)    ((void)(seconds))

/* Permissions do not stop a user who may change them; tests of files that cannot be read ask for this. */
static inline int geteuid(void)
{
  return 0;
}
