/* perp/base.h: errors, messages, version; every other header of perp includes it */
#ifndef PERP_BASE_H
#define PERP_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERP_VERSION_MAJOR 0
#define PERP_VERSION_MINOR 2
#define PERP_VERSION_PATCH 0

/* On Windows a program that links the static library defines PERP_STATIC. PERP_BUILDING is defined
 * while the library itself is compiled. */
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

/* Whether a call could be carried out. How an iteration ended is a perp_outcome (solver.h). */
typedef enum perp_error {
  PERP_OK = 0,
  PERP_ERROR_ARGUMENT, /* a NULL pointer, a size below zero, an options struct of the wrong size */
  PERP_ERROR_PROBLEM,  /* the data: NaN in A, lo > hi, a friction index out of range, ... */
  PERP_ERROR_UNSUPPORTED, /* the method does not take this form, operator or diagonal */
  PERP_ERROR_PARAMETER,   /* an unknown parameter, or a value outside its range */
  PERP_ERROR_MEMORY,      /* an allocation failed, or the memory limit does not allow it */
  PERP_ERROR_FILE,        /* a file cannot be read or written, or does not hold what it should */
  PERP_ERROR_BACKEND,     /* an optional component is missing or failed */
} perp_error;

/* Room for one line that says what was wrong and where. Functions that take a perp_message
 * accept NULL; they write to it only when they return an error. Rows, columns and indices
 * count from 0, lines of a file from 1. */
typedef struct perp_message {
  char text[512];
} perp_message;

PERP_API const char *perp_error_name(perp_error error);

/* "0.2.0" */
PERP_API const char *perp_version(void);

/* The optional components this library was built with; "portable" among them says that the bits of
 * x are the same on every machine. */
typedef struct perp_component {
  const char *name;    /* "openmp" */
  const char *version; /* "201511", or "" if the component has none */
  bool present;
} perp_component;

/* The last entry has the name NULL. */
PERP_API const perp_component *perp_components(void);

/* Parameters of methods and generators, each from one typed table: the program, the bindings
 * and the documentation are made from it. */
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
