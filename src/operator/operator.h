/* operator/operator.h: the interface of an operator kind
 *
 * A kind embeds perp_operator as its first member and fills one table of functions. A NULL entry
 * means that the kind lacks the ability (but see operator.c: row access already gives versions of
 * diagonal, principal and relax that need no columns). */
#pragma once

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/shared.h"
#include <perp/operator.h>

#include <stdatomic.h>

/* Resources of a product: threads, and perp_operator_scratch(A) doubles. */
typedef struct perp_work {
  int threads;
  double *scratch;
} perp_work;

/* A relaxation in progress: x in the layout that suits the matrix, and data that the sweeps keep up
 * to date with it (body velocities of a contact operator). perp_relaxer_create makes it in an
 * arena; it lives until the arena is reset. */
typedef struct perp_relaxer perp_relaxer;
struct perp_relaxer {
  const perp_operator *A;
  const double *b;
  const perp_set *K;
  int threads;
  double *x; /* the caller's, in natural order; up to date after store */
  /* the largest A_ii |step of x_i| of the last sweep, roughly the residual it found; NaN if the
   * kind does not compute it */
  double moved;
  /* one sweep: x_i <- P(x_i - omega (A x + b)_i / A_ii), i in the given order */
  void (*sweep)(perp_relaxer *relaxer, double omega, perp_order order);
  /* brings x up to date; NULL if sweeps work directly on x */
  void (*store)(perp_relaxer *relaxer);
  /* reads a changed x (b and K stay as they were when the relaxer was created); NULL if sweeps work
   * directly on x and keep no other data */
  void (*load)(perp_relaxer *relaxer);
  /* y <- A x + b at the current x, cheaper than apply; NULL if it would not be cheaper */
  void (*gradient)(perp_relaxer *relaxer, double *y);
  /* x in the layout of the sweeps, padded with zeros, for callers that would otherwise store and
   * load x in every sweep. After the caller has changed it, renew projects it onto K, as
   * perp_set_project does, and updates the other data. NULL if there is no such layout. */
  double *own_x;
  int64_t own_count;
  void (*renew)(perp_relaxer *relaxer);
};

typedef struct perp_operator_table {
  const char *kind;
  bool has_rows;       /* rows are stored, not computed: a verdict may sum them accurately */
  bool exact_rows;     /* `row` returns the exact entries of A, without rounding */
  bool has_velocities; /* a contact operator (contact.h) */
  /* sweeps accept rows without entries: x_i moves to the bound given by the sign of b_i */
  bool relaxes_empty_rows;
  void (*destroy)(perp_operator *A); /* frees the kind's own data, not A itself */
  perp_error (*refresh)(perp_operator *A, perp_message *why);
  void (*apply)(const perp_operator *A, const double *x, double *y, const perp_work *work);
  void (*apply_t)(const perp_operator *A, const double *x, double *y, const perp_work *work);
  /* y <- A x + b in double-double precision, from the data that A is built from; room:
   * gradient_room(A) doubles, 0 if gradient_room is NULL. NULL: rows are as good, or it is
   * impossible */
  void (*gradient)(const perp_operator *A, const double *x, const double *b, double *y,
                   const perp_work *work, double *room);
  size_t (*gradient_room)(const perp_operator *A);
  void (*diagonal)(const perp_operator *A, double *d);
  int (*row)(const perp_operator *A, int i, int *column, double *value);
  /* (A x)_i from the stored entries, for sweeps in any order; NULL if `row` is as good */
  double (*row_product)(const perp_operator *A, int i, const double *x);
  int (*column)(const perp_operator *A, int j, int *row, double *value);
  /* A_SS dense row major, for few rows S; NULL: as cheap by rows */
  void (*principal)(const perp_operator *A, int m, const int *S, double *A_SS);
  /* Allocates the kind's relaxer in the arena, a struct whose first member is perp_relaxer, and
   * sets its functions. perp_relaxer_create then sets the common fields and calls load. `orders` is
   * a set of bits 1 << PERP_FORWARD, ...: the orders of the sweeps that will be used. The diagonal
   * is known to be positive, except in rows without entries if relaxes_empty_rows is set. */
  perp_error (*relaxer)(const perp_operator *A, const double *b, const perp_set *K, unsigned orders,
                        perp_arena *arena, perp_relaxer **relaxer);
} perp_operator_table;

/* Failures of the caller's callbacks. Solves that share an operator share this too: a failure also
 * ends the other solves that are running, which is safe. */
typedef struct perp_failures {
  atomic_int count;
  atomic_int code, index;         /* of the last failure; index -1: none */
  _Atomic(const char *) callback; /* its name */
} perp_failures;

struct perp_operator {
  const perp_operator_table *table;
  int n;
  int64_t nonzeros;
  int row_capacity;
  int block;       /* rows that belong together, if the kind knows: the block size of BSR; else 0 */
  size_t scratch;  /* doubles that a product needs as scratch */
  uint64_t values; /* identifies the current values; 0: unknown, as for a shell */
  bool refused;    /* the last refresh failed: solvers refuse it */
  bool symmetric;  /* A_ij = A_ji exactly: known for dense operators, false for the others */
  unsigned hints;  /* perp_hint: the caller's promises about a shell */
  struct perp_placement *placement; /* arrays on a device; NULL: none */
  const perp_failures *failures;    /* NULL for kinds that cannot fail; operators made from another
                                  * share it */
  void *owned[10]; /* copies freed with the operator; NULL entries are free slots */
};

/* Gives A a new value id, because its values have changed. */
void perp_operator_renew(perp_operator *A);

/* perp_operator_csr of arrays on the heap, which A then owns. Frees them if it fails, as it does if
 * one of them is NULL. */
perp_error perp_operator_csr_owning(int n, int64_t *start, int *columns, double *value,
                                    perp_operator **A, perp_message *why);

/* Hands a heap block to the operator, which frees it on destruction. NULL is fine. */
PERP_SHARED void perp_operator_adopt(perp_operator *A, void *block);

/* Returns the number of failures so far. A caller notes it before some work; perp_operator_failed then tells if
 * a callback has failed since, and the results must not be used. */
static inline int perp_operator_failures(const perp_operator *A)
{
  return A->failures ? atomic_load_explicit(&A->failures->count, memory_order_relaxed) : 0;
}
/* Returns PERP_OK if none failed since `before`; else PERP_ERROR_CALLBACK, and a message that names
 * the last. */
perp_error perp_operator_failed(const perp_operator *A, int before, perp_message *why);

/* Sets *symmetric if u^T A v = v^T A u up to rounding for two vectors independent of A, the only
 * possible test without entries. u, v, t: n numbers of scratch. Two products. */
perp_error perp_operator_try_symmetry(const perp_operator *A, const perp_work *work, double *u,
                                      double *v, double *t, bool *symmetric, perp_message *why);

/* A_SS by rows; `column` and `value` have room for row_capacity entries; `position` is n ints, all -1 on
 * entry and on return. */
void perp_principal_by_rows(const perp_operator *A, int m, const int *S, int *column, double *value,
                            int *position, double *A_SS);

/* Replaces the array of a borrowed dense operator, perhaps with another size; allocates nothing. If
 * it fails, solvers refuse the operator until it gets a valid array. */
perp_error perp_operator_dense_replace(perp_operator *A, int n, const double *a, int64_t stride,
                                       perp_message *why);

/* Creates a relaxation of A x + b over K started at x. Returns PERP_ERROR_UNSUPPORTED, naming the
 * row and the value, if A_ii <= 0 for some i, if K has cones, or if A can neither relax nor give
 * rows. The message names `method`. */
perp_error perp_relaxer_create(const char *method, const perp_operator *A, const double *b,
                               const perp_set *K, double *x, int threads, unsigned orders,
                               perp_arena *arena, perp_relaxer **relaxer, perp_message *why);

static inline void perp_relax(perp_relaxer *relaxer, double omega, perp_order order)
{
  relaxer->sweep(relaxer, omega, order);
}

/* Brings x up to date in natural order. */
static inline void perp_relaxer_store(perp_relaxer *relaxer)
{
  if (relaxer->store)
    relaxer->store(relaxer);
}

/* Call after changing x. */
static inline void perp_relaxer_load(perp_relaxer *relaxer)
{
  if (relaxer->load)
    relaxer->load(relaxer);
}

/* a <- A, rows `ld` apart, zero on entry: by rows, columns or products. Scratch
 * memory comes from the arena. Returns false when out of memory. If the alarm rings, a is incomplete. */
bool perp_operator_fill_dense(const perp_operator *A, perp_arena *arena, perp_alarm alarm,
                              double *a, int64_t ld);

/* Greedy colouring of the rows of A, by increasing row: no two rows of one colour are coupled by
 * an entry of A or of its transpose, nor by a friction index. `order` lists the rows colour by
 * colour, ascending in each; colour c has order[start[c]] .. order[start[c+1]-1]. Both are
 * allocated in the arena. Needs row access. */
typedef struct perp_colouring {
  int colours;
  int *start;
  int *order;
} perp_colouring;

perp_error perp_operator_colour(const perp_operator *A, const perp_set *K, perp_arena *arena,
                                perp_colouring *colouring);
