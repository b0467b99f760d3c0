/* perp/operator.h: the matrix A as an object with abilities
 *
 * An operator is created by one of the constructors below, shared freely between solvers and
 * threads (it is never written to during a solve), and destroyed by its owner. Arrays handed to
 * a constructor are either borrowed, and must then outlive the operator, or copied.
 *
 * Values of borrowed arrays may be changed in place between solves, if perp_operator_refresh
 * is called afterwards; the structure (sizes, indices) may not. */
#ifndef PERP_OPERATOR_H
#define PERP_OPERATOR_H

#include <perp/set.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_operator perp_operator;

typedef enum perp_storage { PERP_BORROW, PERP_COPY } perp_storage;

/* The order in which a sweep visits the rows. */
typedef enum perp_order {
  PERP_FORWARD,  /* 0, 1, ..., n-1 */
  PERP_BACKWARD, /* n-1, ..., 1, 0 */
  PERP_COLOURED, /* by colour, ascending within each: red-black on a stencil, greedy elsewhere; a
                    contact operator takes consecutive rows of the same bodies as one unit */
} perp_order;

/* Dense, row major: A_ij = a[i * stride + j], stride >= n. */
PERP_API perp_error perp_operator_dense(int n, const double *a, int64_t stride,
                                        perp_storage storage, perp_operator **A, perp_message *why);

/* Compressed rows: row i holds entries start[i] .. start[i+1]-1 of column and value. Columns
 * within a row ascend strictly. */
PERP_API perp_error perp_operator_csr(int n, const int64_t *start, const int *column,
                                      const double *value, perp_storage storage, perp_operator **A,
                                      perp_message *why);

/* Compressed rows of size x size blocks, each block row major; n = blocks * size. */
PERP_API perp_error perp_operator_bsr(int blocks, int size, const int64_t *start, const int *column,
                                      const double *value, perp_storage storage, perp_operator **A,
                                      perp_message *why);

/* A = J Minv J^T + C, never assembled. */
typedef struct perp_contact_data {
  int rows;               /* n: constraint rows */
  int velocities;         /* m: columns of J */
  const int64_t *J_start; /* J, rows x velocities, compressed rows, columns ascending */
  const int *J_column;    /* */
  const double *J_value;  /* */
  int blocks;             /* diagonal blocks of Minv */
  const int *block_start; /* blocks + 1: first velocity of each; NULL: blocks of equal size */
  const double *Minv;     /* the blocks one after another, each row major and symmetric */
  const int64_t *C_start; /* C, rows x rows, compressed rows; NULL: C = 0 */
  const int *C_column;    /* */
  const double *C_value;  /* */
} perp_contact_data;

PERP_API perp_error perp_operator_contact(const perp_contact_data *data, perp_storage storage,
                                          perp_operator **A, perp_message *why);
/* Gives a contact operator other data. It is then as if created from them, but keeps its memory:
 * for simulations, in which the contacts change in every step. After an error it has no rows, and
 * all solvers refuse it until it is given correct data. Its own data (perp_operator_contact_data)
 * are refused too, but then it stays as it was. */
PERP_API perp_error perp_operator_contact_replace(perp_operator *A, const perp_contact_data *data,
                                                  perp_storage storage, perp_message *why);

/* A grid operator: for each unknown cell c,
 *
 *   (A x)_c = diagonal_c x_c - sum over the neighbours d of c that are unknowns of w_cd x_d
 *
 * Cells are numbered (k * ny + j) * nx + i. Face weight wx[c] couples cell c with its neighbour
 * at i+1, wy[c] with that at j+1, wz[c] with that at k+1; entries that lead out of the grid or
 * to a cell that is no unknown are not used. If cells is NULL, every cell is an unknown and the
 * unknowns are numbered like the cells; otherwise unknown u is in cell cells[u]. */
typedef struct perp_stencil_data {
  int nx, ny, nz;             /* nz = 1: 5-point, else 7-point */
  int unknowns;               /* length of cells; not read if cells is NULL */
  const int *cells;           /* distinct cell numbers, in any order; NULL: all cells */
  const double *wx, *wy, *wz; /* nx*ny*nz each; NULL: every face weighs `weight` */
  double weight;              /* not read if the arrays are given */
  const double *diagonal;     /* nx*ny*nz, by cell; NULL, with `weight` only: (4 or 6) * weight, as
                                 with zero all around */
} perp_stencil_data;

PERP_API perp_error perp_operator_stencil(const perp_stencil_data *data, perp_storage storage,
                                          perp_operator **A, perp_message *why);

/* The caller's own matrix. Only apply is required; a NULL callback is an ability that it lacks. The
 * callbacks must be safe to call from the thread that solves; they return nothing and may not fail.
 * row and column write at most row_capacity entries, ascending, and return their number. */
typedef struct perp_shell {
  void *context;
  void (*apply)(void *context, const double *x, double *y);
  void (*apply_t)(void *context, const double *x, double *y);
  void (*diagonal)(void *context, double *d);
  int (*row)(void *context, int i, int *column, double *value);
  int (*column)(void *context, int j, int *row, double *value);
  int row_capacity; /* 0: n */
  /* one projected relaxation sweep in place, x_i <- P(x_i - omega (A x + b)_i / A_ii) */
  void (*relax)(void *context, const double *b, const perp_set *K, double omega, perp_order order,
                double *x);
} perp_shell;

PERP_API perp_error perp_operator_shell(int n, const perp_shell *shell, perp_operator **A,
                                        perp_message *why);

/* A may be NULL. */
PERP_API void perp_operator_destroy(perp_operator *A);

/* After values of borrowed arrays were changed in place: checks them again and rebuilds what
 * was derived from them. */
PERP_API perp_error perp_operator_refresh(perp_operator *A, perp_message *why);

PERP_API int perp_operator_size(const perp_operator *A);         /* 0 for NULL */
PERP_API const char *perp_operator_kind(const perp_operator *A); /* "dense", "csr", ... */
/* The size of the blocks of a bsr operator; 0 for other kinds. */
PERP_API int perp_operator_block(const perp_operator *A);
/* Stored numbers: entries of A, for a contact operator those of J and C; -1 if unknown. */
PERP_API int64_t perp_operator_nonzeros(const perp_operator *A);

typedef enum perp_ability {
  PERP_CAN_APPLY = 1,
  PERP_CAN_APPLY_T = 2,
  PERP_CAN_DIAGONAL = 4,
  PERP_CAN_ROW = 8,
  PERP_CAN_COLUMN = 16,
  PERP_CAN_RELAX = 32,
  PERP_CAN_PRINCIPAL = 64,
  PERP_CAN_BLOCK_DIAGONAL = 128,
  PERP_CAN_VELOCITIES = 256, /* J, Minv and C are available: a contact operator */
} perp_ability;

PERP_API unsigned perp_operator_abilities(const perp_operator *A);

/* The abilities. Calling one that is missing returns PERP_ERROR_UNSUPPORTED. `scratch` has
 * perp_operator_scratch(A) doubles; if that is 0, it may be NULL. */
PERP_API size_t perp_operator_scratch(const perp_operator *A);
PERP_API perp_error perp_operator_apply(const perp_operator *A, const double *x, double *y,
                                        double *scratch);
PERP_API perp_error perp_operator_apply_t(const perp_operator *A, const double *x, double *y,
                                          double *scratch);
PERP_API perp_error perp_operator_diagonal(const perp_operator *A, double *d);
/* The largest number of entries that row and column may write. */
PERP_API int perp_operator_row_capacity(const perp_operator *A);
PERP_API perp_error perp_operator_row(const perp_operator *A, int i, int *column, double *value,
                                      int *count);
PERP_API perp_error perp_operator_column(const perp_operator *A, int j, int *row, double *value,
                                         int *count);
/* A_SS for m distinct indices S, dense row major m x m. */
PERP_API perp_error perp_operator_principal(const perp_operator *A, int m, const int *S,
                                            double *A_SS);
/* A_SS as a csr operator; S ascending. */
PERP_API perp_error perp_operator_principal_csr(const perp_operator *A, int m, const int *S,
                                                perp_operator **A_SS, perp_message *why);
/* The diagonal blocks of rows start[k] .. start[k+1]-1, dense row major one after another. */
PERP_API perp_error perp_operator_block_diagonal(const perp_operator *A, int blocks,
                                                 const int *start, double *values);

/* The whole of A, for any kind: by rows if it has them, otherwise by n products. Refused with
 * PERP_ERROR_MEMORY if the result would take more than memory_limit bytes (0: no limit). */
PERP_API perp_error perp_operator_to_dense(const perp_operator *A, size_t memory_limit,
                                           perp_operator **dense, perp_message *why);
PERP_API perp_error perp_operator_to_csr(const perp_operator *A, size_t memory_limit,
                                         perp_operator **csr, perp_message *why);
/* The arrays of a csr operator; PERP_ERROR_ARGUMENT for other kinds. Owned by A. */
PERP_API perp_error perp_operator_csr_arrays(const perp_operator *A, const int64_t **start,
                                             const int **column, const double **value);
/* The array and stride of a dense operator; PERP_ERROR_ARGUMENT for other kinds. Owned by A. */
PERP_API perp_error perp_operator_dense_array(const perp_operator *A, const double **a,
                                              int64_t *stride);
/* The data of a contact or a stencil operator; PERP_ERROR_ARGUMENT for other kinds. Owned by A. */
PERP_API perp_error perp_operator_contact_data(const perp_operator *A, perp_contact_data *data);
PERP_API perp_error perp_operator_stencil_data(const perp_operator *A, perp_stencil_data *data);

#ifdef __cplusplus
}
#endif
#endif
