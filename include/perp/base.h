/* perp/base.h: errors, messages, version; every other header of perp includes it */
#ifndef PERP_BASE_H
#define PERP_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERP_VERSION_MAJOR 0
#define PERP_VERSION_MINOR 3
#define PERP_VERSION_PATCH 0

/* On Windows a program imports these functions from the DLL. A program that links the static library
 * must define PERP_STATIC; the CMake package and pkg-config --static define it. PERP_BUILDING is
 * defined while the library itself is compiled. */
#if defined(_WIN32) && defined(PERP_STATIC)
#define PERP_API
#elif defined(_WIN32) && defined(PERP_BUILDING)
#define PERP_API __declspec(dllexport)
#elif defined(_WIN32)
#define PERP_API __declspec(dllimport)
#else
#define PERP_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Structs. A client and the library may come from different versions, so a public struct is one of
 * three kinds:
 *
 *   size first     It may grow at its end. The constructor (perp_options_default, ...) or the call
 *                  that fills the struct sets `size` to the size the client was compiled with, and
 *                  the library reads and writes only these bytes. Fields that an older client does not
 *                  have take their defaults. Fields that an older library does not have are set to
 *                  0 by the constructor. If one of them is not 0 later, the call returns
 *                  PERP_ERROR_ARGUMENT: the field asks for something that this library cannot do,
 *                  and ignoring it would give a wrong result. So 0 means "as before" in every
 *                  field that is ever added. In a struct that the library owns (perp_progress),
 *                  read only fields within its `size`.
 *   reserved last  It is part of another struct or is passed by value, so its size never changes.
 *                  Fields of later versions take the place of `reserved`. They must be 0: the
 *                  library refuses a problem in which one is not.
 *   neither        It never changes: perp_message, perp_component, perp_parameter, ...
 *
 * Functions that return a struct which may grow are inline: they pass their size to a function of
 * the library. Bindings of other languages call that function: perp_options_init,
 * perp_method_at_sized, ... A size must be a multiple of sizeof(size_t): otherwise these functions
 * write nothing, and the library refuses the struct. */

/* The result of a call: PERP_OK if it was carried out, otherwise the error. A perp_outcome (solver.h)
 * says how an iteration ended. */
typedef enum perp_error {
  PERP_OK = 0,
  PERP_ERROR_ARGUMENT,    /* a NULL pointer, a size below zero, options not made by a constructor */
  PERP_ERROR_PROBLEM,     /* the data: NaN in A, lo > hi, a friction index out of range, ... */
  PERP_ERROR_UNSUPPORTED, /* the method does not take this form, operator or diagonal */
  PERP_ERROR_PARAMETER,   /* an unknown parameter, or a value outside its range */
  PERP_ERROR_MEMORY,      /* an allocation failed, or the memory limit does not allow it */
  PERP_ERROR_FILE,        /* a file cannot be read or written, or does not hold what it should */
  PERP_ERROR_BACKEND,     /* an optional component is missing or failed */
  PERP_ERROR_CALLBACK,    /* a callback of the caller's own matrix failed */
} perp_error;

/* One line that says what is wrong and where. Functions that take a perp_message
 * accept NULL; they write to it only when they return an error. Rows, columns and indices
 * count from 0, lines of a file from 1. */
typedef struct perp_message {
  char text[512];
} perp_message;

PERP_API const char *perp_error_name(perp_error error);

/* The allocator of the library; malloc and free by default. There is one for the whole process, the
 * only global state of the library: objects outlive the call that made them, and a block must be
 * released by the allocator that it came from. The library never resizes a block, so a reallocate
 * function is not needed. Several threads may call both functions at the same time. If allocate
 * returns NULL, the call that needed the memory returns PERP_ERROR_MEMORY.
 *
 * CHOLMOD, BLAS, OpenMP and the other components use their own allocators. */
typedef struct perp_memory_hooks {
  size_t size;
  void *(*allocate)(void *context, size_t bytes); /* aligned for every type, as by malloc */
  void (*release)(void *context, void *block);    /* block is not NULL */
  void *context;
} perp_memory_hooks;

PERP_API void perp_memory_hooks_init(perp_memory_hooks *hooks, size_t size);

/* Returns malloc and free. */
static inline perp_memory_hooks perp_memory_hooks_default(void)
{
  perp_memory_hooks hooks;
  perp_memory_hooks_init(&hooks, sizeof hooks);
  return hooks;
}

/* Call it once, before the first call that creates an object. Later it returns PERP_ERROR_ARGUMENT
 * and changes nothing. */
PERP_API perp_error perp_memory_hooks_install(const perp_memory_hooks *hooks, perp_message *why);

/* Frees an array that the library returned to the caller (perp_vector_read); NULL is allowed. For
 * objects call perp_NOUN_destroy. */
PERP_API void perp_free(void *block);

/* "MAJOR.MINOR.PATCH" */
PERP_API const char *perp_version(void);

/* An optional component that this library was built with. If "portable" is present, the bits of x are
 * the same on every machine. */
typedef struct perp_component {
  const char *name;    /* "openmp" */
  const char *version; /* "201511", or "" if the component has none */
  bool present;
} perp_component;

/* The last entry has the name NULL. */
PERP_API const perp_component *perp_components(void);

/* Parameters of methods and generators. Each comes from one typed table, from which the program, the
 * bindings and the documentation are made. */
typedef enum perp_parameter_type {
  PERP_TYPE_REAL,
  PERP_TYPE_INTEGER,
  PERP_TYPE_FLAG,   /* 0 or 1, yes or no, true or false */
  PERP_TYPE_CHOICE, /* one of a list of words */
} perp_parameter_type;

typedef struct perp_parameter {
  const char *name;
  perp_parameter_type type;
  size_t offset;              /* in the parameter struct of the owner; not for callers */
  double value, least, most;  /* default and range; a choice: its number in the list */
  const char *const *choices; /* NULL-terminated, for PERP_TYPE_CHOICE */
  const char *text;           /* one line of documentation */
} perp_parameter;

#ifdef __cplusplus
}
#endif
#endif
