/* mtx.h: Matrix Market files (Boisvert, Pozo, Remington 1996)
 *
 * Reads coordinate and array; real, integer and pattern; general, symmetric and skew-symmetric.
 * Refuses complex and hermitian files by name. The result is always the full matrix, even if the
 * file stores only a triangle: compressed rows for a coordinate file, row major for an array. */
#pragma once

#include "base/shared.h"
#include "io/file.h"
#include <perp/base.h>

typedef struct perp_mtx {
  const char *path; /* its file, for messages; borrowed */
  bool sparse;
  int rows, columns;
  int64_t entries; /* stored numbers: start[rows], or rows * columns */
  int64_t *start;  /* rows + 1; NULL for an array */
  int *column;     /* ascending in each row; NULL for an array */
  double *value;
} perp_mtx;

/* Entries in any order. */
typedef struct perp_triplets {
  int *row, *column;
  double *value;
  int64_t count, room;
} perp_triplets;

/* Appends an entry; there must be room. */
static inline void perp_triplets_add(perp_triplets *t, int row, int column, double value)
{
  t->row[t->count] = row;
  t->column[t->count] = column;
  t->value[t->count++] = value;
}

/* Appends an entry and makes room for it. Returns false when out of memory. */
PERP_SHARED bool perp_triplets_push(perp_triplets *t, int row, int column, double value);

/* Makes room for `room` entries. Returns false when out of memory; free t either way. */
PERP_SHARED bool perp_triplets_alloc(perp_triplets *t, size_t room);
PERP_SHARED void perp_triplets_free(perp_triplets *t);
/* Sorts entries by column, then stably by row, so that columns ascend in each row; entries of the
 * same place follow each other in the order of t. Returns false when out of memory; *matrix is to
 * be freed either way. */
PERP_SHARED bool perp_mtx_compress(const perp_triplets *t, int rows, int columns, perp_mtx *matrix);
/* Adds up the entries of a compressed matrix that have the same place. */
PERP_SHARED void perp_mtx_merge(perp_mtx *matrix);

/* Requirements on a file; messages name the offending value and its line. */
typedef struct perp_mtx_rule {
  const char *name;   /* of the matrix or vector in messages: "A" */
  bool vector;        /* n x 1 or 1 x n; `rows` is then its length */
  bool square;        /* */
  int rows, columns;  /* -1: any */
  bool nan;           /* NaN is allowed */
  bool finite;        /* inf is not */
  bool whole;         /* 1.5 is not */
  double least, most; /* used if least < most */
} perp_mtx_rule;

/* Names the file and the size of the matrix that there is no memory for. */
perp_error perp_mtx_no_memory(const char *path, int rows, int columns, perp_message *why);

/* Only NaN is refused. */
perp_mtx_rule perp_mtx_rule_any(const char *name);

/* Messages begin with the path: "path:line: what, with the value". Memory stays within a small
 * multiple of `bytes` (and of 2^20), whatever sizes the text declares. */
perp_error perp_mtx_parse(const char *path, const char *text, size_t bytes,
                          const perp_mtx_rule *rule, perp_mtx *matrix, perp_message *why);
perp_error perp_mtx_read(const char *path, const perp_mtx_rule *rule, perp_mtx *matrix,
                         perp_message *why);
PERP_SHARED void perp_mtx_free(perp_mtx *matrix);

/* Converts in place to the other form: drops zeros of an array; missing entries become zeros. */
perp_error perp_mtx_to_csr(perp_mtx *matrix, perp_message *why);
perp_error perp_mtx_to_dense(perp_mtx *matrix, perp_message *why);
/* Takes the numbers of a vector, and their count unless length is NULL; frees the rest of it. */
PERP_SHARED perp_error perp_mtx_take(perp_mtx *vector, double **values, int *length,
                                     perp_message *why);
/* Returns entry (i, j), 0 if it is not stored. */
PERP_SHARED double perp_mtx_entry(const perp_mtx *matrix, int i, int j);

/* Writing. Exactly symmetric matrices are written as their lower triangle. */
/* `values` is row major. */
void perp_mtx_write_array(perp_writer *writer, int rows, int columns, const double *values,
                          const char *comment);
void perp_mtx_write_integers(perp_writer *writer, int rows, int columns, const int *values);
void perp_mtx_write_dense(perp_writer *writer, int n, const double *a, int64_t stride);
perp_error perp_mtx_write_csr(perp_writer *writer, int rows, int columns, const int64_t *start,
                              const int *column, const double *value, perp_message *why);
