/* posix.c: functions of posix.h, and the console */
#include "posix.h"

#include <errno.h>
#include <share.h>
#include <stdarg.h>
#include <windows.h>

#undef open
#undef rename
#undef remove
#undef stat
#undef fflush
#undef fclose

int _CRT_fmode = _O_BINARY; /* read by the C library before main */

/* The console shows UTF-8 and colours. Without a terminal, TERM decides as elsewhere. */
static __attribute__((constructor)) void open_console(void)
{
  SetConsoleOutputCP(CP_UTF8);
  for (int k = 1; k <= 2; k++) {
    const HANDLE handle = (HANDLE)_get_osfhandle(k);
    DWORD mode;
    _setmode(k, _O_BINARY);
    if (GetConsoleMode(handle, &mode) &&
        SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) && !getenv("TERM"))
      _putenv_s("TERM", "windows");
  }
}

int windows_open(const char *path, int flags, ...)
{
  va_list arguments;
  va_start(arguments, flags);
  const int mode = flags & _O_CREAT ? va_arg(arguments, int) : 0;
  va_end(arguments);
  const int writes = flags & (_O_WRONLY | _O_RDWR);
  return _sopen(path, flags | _O_BINARY, writes ? _SH_DENYWR : _SH_DENYNO,
                mode & (_S_IREAD | _S_IWRITE));
}

int windows_rename(const char *from, const char *to)
{
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
    return 0;
  errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
  return -1;
}

int windows_stat(const char *path, struct stat *status)
{
  BY_HANDLE_FILE_INFORMATION info;
  if (stat(path, status) != 0)
    return -1;
  const HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                  NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, &info)) {
    status->st_dev = (_dev_t)(info.nFileIndexLow ^ info.dwVolumeSerialNumber);
    status->st_ino = (_ino_t)info.nFileIndexHigh;
  }
  if (file != INVALID_HANDLE_VALUE)
    CloseHandle(file);
  return 0;
}

int windows_remove(const char *path)
{
  return remove(path) == 0 ? 0 : _rmdir(path);
}

void windows_slashes(char *path)
{
  for (char *c = path; *c; c++)
    if (*c == '\\')
      *c = '/';
}

int windows_clock(struct timespec *time)
{
  LARGE_INTEGER count, rate;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&rate);
  time->tv_sec = count.QuadPart / rate.QuadPart;
  time->tv_nsec = (long)(count.QuadPart % rate.QuadPart * 1000000000 / rate.QuadPart);
  return 0;
}

/* The streams of open_memstream; a free place has no stream. */
static struct memory {
  FILE *stream;
  char **text;
  size_t *size;
} memories[64];

static struct memory *find_memory(const FILE *stream)
{
  for (size_t k = 0; k < sizeof memories / sizeof *memories; k++)
    if (memories[k].stream == stream)
      return &memories[k];
  return NULL;
}

FILE *open_memstream(char **text, size_t *size)
{
  struct memory *free_place = find_memory(NULL);
  char *name = _tempnam(NULL, "perp");
  FILE *stream =
      name && free_place ? fopen(name, "w+bTD") : NULL; /* T, D: short-lived, deleted at its end */
  free(name);
  if (stream)
    *free_place = (struct memory){stream, text, size};
  *text = NULL;
  *size = 0;
  return stream;
}

int windows_flush(FILE *stream)
{
  const struct memory *m = stream ? find_memory(stream) : NULL;
  if (!m)
    return fflush(stream);
  const long end = ftell(stream);
  char *text = end < 0 ? NULL : realloc(*m->text, (size_t)end + 1);
  if (!text)
    return EOF;
  rewind(stream);
  *m->text = text;
  *m->size = fread(text, 1, (size_t)end, stream);
  text[*m->size] = 0;
  return fseek(stream, end, SEEK_SET) == 0 && *m->size == (size_t)end ? 0 : EOF;
}

int windows_close(FILE *stream)
{
  struct memory *m = find_memory(stream);
  const int flushed = m ? windows_flush(stream) : 0;
  if (m)
    m->stream = NULL;
  return fclose(stream) == 0 ? flushed : EOF;
}

char *mkdtemp(char *pattern)
{
  return _mktemp(pattern) && _mkdir(pattern) == 0 ? pattern : NULL;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
  if (before)
    before->sa_handler = SIG_DFL;
  return action && number != SIGALRM && signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
}
