/* system.h: files and folders of the operating system
 *
 * system_posix.c and system_windows.c implement it; the build selects one. Failures are reported as
 * in C: -1 or false, with the reason in errno. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a path after following links, and for the name of a file in a folder; including the
 * NUL. */
enum { PERP_PATH_ROOM = 4096, PERP_NAME_ROOM = 512 };

typedef enum perp_place {
  PERP_PLACE_NONE, /* nothing there, or no permission: errno says which */
  PERP_PLACE_FILE,
  PERP_PLACE_FOLDER,
  PERP_PLACE_DEVICE, /* a terminal, a pipe, /dev/null: written to, never replaced */
} perp_place;

/* Returns the kind of object that `path` leads to, following links. */
perp_place perp_system_look(const char *path);
/* Returns true if the name exists, even as a broken link or without permission to look. */
bool perp_system_exists(const char *path);
bool perp_system_may_write(const char *path);
/* What tells a file or folder from another one of the same name; zeros: none. */
typedef struct perp_stamp {
  int64_t device, number, bytes, modified;
} perp_stamp;
perp_stamp perp_system_stamp(const char *path);
/* Returns true if `path` is a link with an existing target, and stores it in `target`. */
bool perp_system_follow(const char *path, char target[PERP_PATH_ROOM]);

/* ---- Files, by descriptor: binary, and not inherited by child processes ---- */

int perp_system_open_read(const char *path);
int perp_system_open_write(const char *path);
/* Opens a file to write that no other process writes: a new one, or the leftover of a killed
 * process, emptied. Fails with EEXIST if a living process has it. */
int perp_system_claim(const char *path);
/* Returns the bytes of a file; -1 for a pipe or the like, which has no size. */
int64_t perp_system_size(int file);
/* Transfers up to `room` bytes and returns their number; 0: the end. */
int64_t perp_system_read(int file, void *bytes, size_t room);
int64_t perp_system_write(int file, const void *bytes, size_t count);
/* Returns when all data is on the disk. */
bool perp_system_sync(int file);
bool perp_system_close(int file);

/* ---- Names ---- */

/* Renames `from` to `to`, replacing a file of that name atomically. */
bool perp_system_replace(const char *from, const char *to);
bool perp_system_remove(const char *path);
bool perp_system_make_folder(const char *path);
/* The folder must be empty. */
bool perp_system_remove_folder(const char *path);
/* Calls `see` with the name of each entry of the folder, also "." and ".."; false if it cannot be read. */
bool perp_system_list(const char *folder, void (*see)(void *context, const char *name),
                      void *context);

/* Exchanges the names of two folders atomically. The first gets the owner and the permissions that
 * the second had. Returns false, with nothing changed, if the system cannot. */
bool perp_system_exchange(const char *fresh, const char *old);

/* ---- Locks ----
 *
 * On a folder, between processes and between threads, held until unlocked or the process ends. They
 * are advisory. Windows has none. */

/* Waits for the lock and returns a descriptor that holds it, or -1: no such folder, or no locks in
 * this file system. */
int perp_system_lock(const char *folder);
/* -1 is harmless. */
void perp_system_unlock(int lock);
