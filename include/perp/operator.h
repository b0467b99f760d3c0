/* perp/operator.h: the matrix A as an object with abilities
 *
 * An operator is created by one of the constructors below and destroyed by its owner. Solvers and
 * threads may share it: a solve never writes to it. Arrays passed to a constructor are either copied,
 * or borrowed and must then outlive the operator.
 *
 * Values of borrowed arrays may be changed in place between solves, if perp_operator_refresh
 * is called afterwards; the structure (sizes, indices) may not. */
#ifndef PERP_OPERATOR_H
#define PERP_OPERATOR_H

#include <perp/device.h>
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
 * within a row ascend strictly. If n = 0, start may be NULL. */
PERP_API perp_error perp_operator_csr(int n, const int64_t *start, const int *column,
                                      const double *value, perp_storage storage, perp_operator **A,
                                      perp_message *why);

/* Compressed rows with 32-bit row starts, which are copied; with PERP_BORROW, column and value are not. */
PERP_API perp_error perp_operator_csr32(int n, const int *start, const int *column,
                                        const double *value, perp_storage storage,
                                        perp_operator **A, perp_message *why);

/* Compressed columns: column j holds entries start[j] .. start[j+1]-1 of row and value, rows ascending
 * strictly. The operator is of the kind csr and holds a copy by rows. With PERP_BORROW, value must
 * outlive it: perp_operator_refresh reads it again. */
PERP_API perp_error perp_operator_csc(int n, const int64_t *start, const int *row,
                                      const double *value, perp_storage storage, perp_operator **A,
                                      perp_message *why);
PERP_API perp_error perp_operator_csc32(int n, const int *start, const int *row,
                                        const double *value, perp_storage storage,
                                        perp_operator **A, perp_message *why);

/* Compressed rows of size x size blocks, each block row major; n = blocks * size. The operator has its
 * own copy of the entries by rows, for sweeps; perp_operator_refresh reads borrowed blocks again. */
PERP_API perp_error perp_operator_bsr(int blocks, int size, const int64_t *start, const int *column,
                                      const double *value, perp_storage storage, perp_operator **A,
                                      perp_message *why);

/* A = J Minv J^T + C, never assembled. The mass is given as the blocks of Minv, as any symmetric
 * positive definite M, or as a callback. C is given as a matrix, as its diagonal or as a number, or not
 * at all. */
typedef struct perp_contact_data {
  size_t size;              /* sizeof(perp_contact_data), set by the constructor */
  int rows;                 /* n: constraint rows */
  int velocities;           /* m: columns of J */
  const int64_t *J_start;   /* J, rows x velocities, compressed rows, columns ascending; may be NULL
                               if rows = 0 */
  const int *J_column;      /* */
  const double *J_value;    /* */
  int blocks;               /* diagonal blocks of Minv */
  const int *block_start;   /* blocks + 1: first velocity of each; NULL: blocks of equal size */
  const double *Minv;       /* the blocks one after another, each row major and symmetric */
  const int64_t *C_start;   /* C, rows x rows, compressed rows; NULL: no such matrix */
  const int *C_column;      /* */
  const double *C_value;    /* */
  const double *C_diagonal; /* rows: the diagonal of C; NULL: none is given */
  double cfm;               /* C = cfm I; 0: no C */
  const int64_t *M_start; /* instead of blocks and Minv: M, velocities x velocities, compressed rows
                               with both triangles; NULL: not given */
  const int *M_column;    /* */
  const double *M_value;  /* */
  /* instead of Minv and M: out <- M^-1 in, both of `velocities` numbers; returns 0 on success. When the
   * operator is created or refreshed, it is called once for each velocity that J touches. */
  int (*apply_Minv)(void *context, const double *in, double *out);
  void *context;
} perp_contact_data;

PERP_API void perp_contact_data_init(perp_contact_data *data, size_t size);

/* Returns data with no rows, no velocities and no C. */
static inline perp_contact_data perp_contact_data_default(void)
{
  perp_contact_data data;
  perp_contact_data_init(&data, sizeof data);
  return data;
}

PERP_API perp_error perp_operator_contact(const perp_contact_data *data, perp_storage storage,
                                          perp_operator **A, perp_message *why);
/* Creates a contact operator from a mass matrix M, a csr operator, and J as compressed rows; C_diagonal
 * may be NULL. M is factored once, and again at each refresh. For a robot whose joints are numbered from
 * the root, or towards it, the factor has no fill, so a row of J costs O(depth) in a sweep. If M is not
 * positive definite, the message names the row at which the factorisation stops. Borrowed J and M must
 * outlive A. */
PERP_API perp_error perp_operator_contact_csr(const perp_operator *M, int rows,
                                              const int64_t *J_start, const int *J_column,
                                              const double *J_value, const double *C_diagonal,
                                              perp_storage storage, perp_operator **A,
                                              perp_message *why);
/* Replaces the data of a contact operator and reuses its memory: for simulations, whose contacts change
 * in every step. The result is the same as from perp_operator_contact. After an error the operator has
 * no rows, and all solvers refuse it until it gets valid data. If `data` points to the operator's own
 * arrays (perp_operator_contact_data), the call returns an error and the operator is unchanged. */
PERP_API perp_error perp_operator_contact_replace(perp_operator *A, const perp_contact_data *data,
                                                  perp_storage storage, perp_message *why);

/* A contact operator given by bodies: each row of J touches at most two of them. It gives the same bits
 * as perp_operator_contact with all 6 (or 3) numbers of each body stored. */
typedef struct perp_contact_bodies {
  size_t size;        /* sizeof(perp_contact_bodies), set by the constructor */
  int rows;           /* n: constraint rows */
  int bodies;         /* bodies that move */
  int freedom;        /* velocities of a body: 6 in space, 3 in the plane */
  int together;       /* rows per contact: consecutive rows that share their two bodies; it
                               divides rows; default 1 */
  const int *body;    /* two different bodies for each contact; -1: a body that never moves */
  const double *J;    /* rows x 2 x freedom: the numbers of the first body, then of the second;
                               not read for a body -1 */
  const double *Minv; /* freedom x freedom for each body, row major and symmetric */
  const double *C_diagonal; /* rows: the diagonal of C; NULL: none is given */
  double cfm;               /* C = cfm I; 0: no C */
} perp_contact_bodies;

PERP_API void perp_contact_bodies_init(perp_contact_bodies *bodies, size_t size);

/* Returns bodies with no rows, freedom = 6 and together = 1. */
static inline perp_contact_bodies perp_contact_bodies_default(void)
{
  perp_contact_bodies bodies;
  perp_contact_bodies_init(&bodies, sizeof bodies);
  return bodies;
}

PERP_API perp_error perp_operator_contact_bodies(const perp_contact_bodies *bodies,
                                                 perp_storage storage, perp_operator **A,
                                                 perp_message *why);
PERP_API perp_error perp_operator_contact_bodies_replace(perp_operator *A,
                                                         const perp_contact_bodies *bodies,
                                                         perp_storage storage, perp_message *why);

/* Products with a contact operator before and after the solve of a frame:
 *
 *   b = J v + c                  from the velocities v without contacts; c NULL: 0
 *   v_new = v + Minv J^T x       from the impulses x; v NULL: 0
 *   v = Minv f                   from the forces or momenta f
 *
 * b may be c, v_new may be v, and v may be f. PERP_ERROR_UNSUPPORTED for other kinds. */
PERP_API perp_error perp_contact_bias(const perp_operator *A, const double *v, const double *c,
                                      double *b, perp_message *why);
PERP_API perp_error perp_contact_accelerate(const perp_operator *A, const double *f, double *v,
                                            perp_message *why);
PERP_API perp_error perp_contact_velocities(const perp_operator *A, const double *v,
                                            const double *x, double *v_new, perp_message *why);

/* A grid operator: for each unknown cell c,
 *
 *   (A x)_c = diagonal_c x_c - sum over the neighbours d of c that are unknowns of w_cd x_d
 *
 * Cells are numbered (k * ny + j) * nx + i. Face weight wx[c] couples cell c with its neighbour at i+1,
 * wy[c] at j+1, wz[c] at k+1. Weights of faces on the border of the grid, or next to a cell that is not
 * an unknown, are not used. If cells is NULL, every cell is an unknown and the unknowns are numbered
 * like the cells; otherwise unknown u is in cell cells[u]. */
typedef struct perp_stencil_data {
  size_t size;      /* sizeof(perp_stencil_data), set by the constructor */
  int nx, ny, nz;   /* nz = 1: 5-point, else 7-point */
  int unknowns;     /* length of cells; not read if cells is NULL */
  const int *cells; /* distinct cell numbers, in any order; NULL: all cells */
  const double *wx, *wy,
      *wz;                /* nx*ny*nz each, wz if nz > 1; all NULL: every face weighs `weight` */
  double weight;          /* not read if the arrays are given */
  const double *diagonal; /* nx*ny*nz, by cell; NULL, with `weight` only: (4 or 6) * weight, which
                                 means x = 0 outside the grid */
} perp_stencil_data;

PERP_API void perp_stencil_data_init(perp_stencil_data *data, size_t size);

/* Returns a grid without cells, nz = 1 and weight = 1. */
static inline perp_stencil_data perp_stencil_data_default(void)
{
  perp_stencil_data data;
  perp_stencil_data_init(&data, sizeof data);
  return data;
}

PERP_API perp_error perp_operator_stencil(const perp_stencil_data *data, perp_storage storage,
                                          perp_operator **A, perp_message *why);

/* Properties that the caller knows of a matrix given by callbacks. With a wrong hint a solve may fail,
 * but the verdict on x does not use hints. */
typedef enum perp_hint {
  PERP_HINT_SYMMETRIC = 1,    /* A = A^T; apply then serves as apply_t, and row as column */
  PERP_HINT_SEMIDEFINITE = 2, /* x^T A x >= 0 for all x */
  PERP_HINT_DEFINITE = 4,     /* x^T A x > 0 for all x other than 0 */
} perp_hint;

/* A matrix given by callbacks. Only apply is required; a NULL callback is a missing ability.
 *
 * Callbacks return 0, or another number on failure. row and column return the number of entries written,
 * at most row_capacity and ascending, or a negative number on failure. A failure ends the solve with
 * PERP_ERROR_CALLBACK and x unchanged, and the message names the callback and the number it returned.
 * The thread that called the solve calls the callbacks; two threads of one solve never call them at the
 * same time. */
typedef struct perp_shell {
  size_t size;    /* sizeof(perp_shell), set by the constructor */
  unsigned hints; /* bits of perp_hint */
  void *context;
  int (*apply)(void *context, const double *x, double *y);
  int (*apply_t)(void *context, const double *x, double *y);
  int (*diagonal)(void *context, double *d);
  int (*row)(void *context, int i, int *column, double *value);
  int (*column)(void *context, int j, int *row, double *value);
  int row_capacity; /* 0: n */
  /* one projected relaxation sweep in place, x_i <- P(x_i - omega (A x + b)_i / A_ii), in any of the
   * orders of perp_order; if all rows are coupled, PERP_COLOURED means PERP_FORWARD */
  int (*relax)(void *context, const double *b, const perp_set *K, double omega, perp_order order,
               double *x);
} perp_shell;

PERP_API void perp_shell_init(perp_shell *shell, size_t size);

/* Returns a shell without callbacks and hints. */
static inline perp_shell perp_shell_default(void)
{
  perp_shell shell;
  perp_shell_init(&shell, sizeof shell);
  return shell;
}

PERP_API perp_error perp_operator_shell(int n, const perp_shell *shell, perp_operator **A,
                                        perp_message *why);

/* Returns the hints of a shell, including the hints that follow from them; 0 for other kinds. */
PERP_API unsigned perp_operator_hints(const perp_operator *A);

/* A may be NULL. */
PERP_API void perp_operator_destroy(perp_operator *A);

/* Checks the values of borrowed arrays and rebuilds what was derived from them. Call it after changing
 * values in place. */
PERP_API perp_error perp_operator_refresh(perp_operator *A, perp_message *why);

/* Copies the data of A that kernels read to a device, so that solves on that device need not copy them.
 * After a refresh each solve copies them again, until the next call of perp_operator_place. device NULL
 * frees the copy, and so does destroying the device. Only for grid operators; other kinds return
 * PERP_ERROR_UNSUPPORTED. */
PERP_API perp_error perp_operator_place(perp_operator *A, perp_device *device, perp_message *why);

PERP_API int perp_operator_size(const perp_operator *A);         /* 0 for NULL */
PERP_API const char *perp_operator_kind(const perp_operator *A); /* "dense", "csr", ... */
/* Returns the size of the blocks of a bsr operator; 0 for other kinds. */
PERP_API int perp_operator_block(const perp_operator *A);
/* Returns the number of stored entries: of A, or of J and C in a contact operator; -1 if unknown. */
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
                                        double *scratch, perp_message *why);
PERP_API perp_error perp_operator_apply_t(const perp_operator *A, const double *x, double *y,
                                          double *scratch, perp_message *why);
PERP_API perp_error perp_operator_diagonal(const perp_operator *A, double *d, perp_message *why);
/* Returns the largest number of entries that row and column may write. */
PERP_API int perp_operator_row_capacity(const perp_operator *A);
PERP_API perp_error perp_operator_row(const perp_operator *A, int i, int *column, double *value,
                                      int *count, perp_message *why);
PERP_API perp_error perp_operator_column(const perp_operator *A, int j, int *row, double *value,
                                         int *count, perp_message *why);
/* Writes A_SS for m distinct indices S: dense, row major, m x m. */
PERP_API perp_error perp_operator_principal(const perp_operator *A, int m, const int *S,
                                            double *A_SS, perp_message *why);
/* Writes the diagonal blocks of rows start[k] .. start[k+1]-1, one after another: dense, row major. */
PERP_API perp_error perp_operator_block_diagonal(const perp_operator *A, int blocks,
                                                 const int *start, double *values,
                                                 perp_message *why);

/* Assembles A of any kind: by rows if it has them, otherwise by n products. Returns PERP_ERROR_MEMORY if
 * the result would take more than memory_limit bytes (0: no limit). */
PERP_API perp_error perp_operator_to_dense(const perp_operator *A, size_t memory_limit,
                                           perp_operator **dense, perp_message *why);
PERP_API perp_error perp_operator_to_csr(const perp_operator *A, size_t memory_limit,
                                         perp_operator **csr, perp_message *why);
/* Returns the arrays of a csr operator, owned by A; PERP_ERROR_ARGUMENT for other kinds. */
PERP_API perp_error perp_operator_csr_arrays(const perp_operator *A, const int64_t **start,
                                             const int **column, const double **value);
/* Returns the arrays of a bsr operator: start and column of its blocks, which have
 * perp_operator_block(A)^2 values each. */
PERP_API perp_error perp_operator_bsr_arrays(const perp_operator *A, const int64_t **start,
                                             const int **column, const double **value);
/* Returns the array and stride of a dense operator, owned by A; PERP_ERROR_ARGUMENT for other kinds. */
PERP_API perp_error perp_operator_dense_array(const perp_operator *A, const double **a,
                                              int64_t *stride);
/* Returns the data of a contact or a stencil operator, owned by A; PERP_ERROR_ARGUMENT for other kinds.
 * J of bodies and a diagonal C are converted to compressed rows. If the mass was given as M or as a
 * callback, perp_operator_contact_data returns another J and a block diagonal Minv that give the same A,
 * and perp_operator_contact_source returns J and M as the caller gave them. */
PERP_API perp_error perp_operator_contact_data_sized(const perp_operator *A,
                                                     perp_contact_data *data, size_t size);
PERP_API perp_error perp_operator_contact_source_sized(const perp_operator *A,
                                                       perp_contact_data *data, size_t size);
PERP_API perp_error perp_operator_stencil_data_sized(const perp_operator *A,
                                                     perp_stencil_data *data, size_t size);

static inline perp_error perp_operator_contact_data(const perp_operator *A, perp_contact_data *data)
{
  return perp_operator_contact_data_sized(A, data, sizeof *data);
}

static inline perp_error perp_operator_contact_source(const perp_operator *A,
                                                      perp_contact_data *data)
{
  return perp_operator_contact_source_sized(A, data, sizeof *data);
}

static inline perp_error perp_operator_stencil_data(const perp_operator *A, perp_stencil_data *data)
{
  return perp_operator_stencil_data_sized(A, data, sizeof *data);
}

#ifdef __cplusplus
}
#endif
#endif
