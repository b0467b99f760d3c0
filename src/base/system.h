/* system.h: files and folders of the operating system
 *
 * What differs between POSIX and Windows is in system_posix.c and system_windows.c; the build takes
 * one of the two. Failures are reported as in C: -1 or false, and the reason in errno. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a path whose links are followed, and for the name of a file in a folder; with the
 * NUL. */
enum { PERP_PATH_ROOM = 4096, PERP_NAME_ROOM = 512 };

typedef enum perp_place {
  PERP_PLACE_NONE, /* nothing there, or no right to look: errno says which */
  PERP_PLACE_FILE,
  PERP_PLACE_FOLDER,
  PERP_PLACE_DEVICE, /* a terminal, a pipe, /dev/null: written to, never replaced */
} perp_place;

/* What `path` leads to, its links followed. */
perp_place perp_system_look(const char *path);
/* Whether anything has that name, even a link that leads nowhere or what may not be looked at. */
bool perp_system_exists(const char *path);
bool perp_system_may_write(const char *path);
/* Whether both lead to the same file or folder. */
bool perp_system_same(const char *a, const char *b);
/* Whether `path` is a link that leads somewhere; `target` then holds where. */
bool perp_system_follow(const char *path, char target[PERP_PATH_ROOM]);

/* ---- Files, by descriptor: bytes are not translated, and programs started later do not inherit it
 * ---- */

int perp_system_open_read(const char *path);
int perp_system_open_write(const char *path);
/* A file to write that no other process writes: a new one, or one that a killed process left,
 * emptied. Fails with EEXIST if a living process has it. */
int perp_system_claim(const char *path);
/* Bytes of a file; -1 if it is a pipe or the like, which has no size. */
int64_t perp_system_size(int file);
/* As many bytes as are transferred at once; 0: the end. */
int64_t perp_system_read(int file, void *bytes, size_t room);
int64_t perp_system_write(int file, const void *bytes, size_t count);
/* Returns once all is on the disk. */
bool perp_system_sync(int file);
bool perp_system_close(int file);

/* ---- Names ---- */

/* Renames `from` to `to`. A file of that name is replaced; at every moment the old or the new one
 * exists. */
bool perp_system_replace(const char *from, const char *to);
bool perp_system_remove(const char *path);
bool perp_system_make_folder(const char *path);
/* An empty folder. */
bool perp_system_remove_folder(const char *path);

/* Exchanges the names of two folders: at every moment both names lead to one of the two. The first
 * gets the owner and the rights of the second before. False if the system cannot: nothing has
 * changed then. */
bool perp_system_exchange(const char *fresh, const char *old);

/* ---- Locks ----
 *
 * On a folder, between processes and between threads, kept until it is closed or the process ends.
 * They bind only those who ask for them. Windows has none: perp_system_lock always fails there. */

typedef enum perp_lock {
  PERP_LOCK_SHARED, /* together with others who share; waits */
  PERP_LOCK_ALONE,  /* waits */
  PERP_LOCK_TRY,    /* alone; if another has it, fails with EWOULDBLOCK */
} perp_lock;

/* A descriptor that holds the lock, or -1: no such folder, or no locks in this file system. */
int perp_system_lock(const char *folder, perp_lock kind);
/* Whether the path still leads to the locked folder; true without a lock, or if nothing can be
 * seen. */
bool perp_system_is_locked(int lock, const char *path);
/* -1 is harmless. */
void perp_system_unlock(int lock);
