/* operator/operator.h: what an operator kind is made of
 *
 * A kind embeds perp_operator as its first member and fills one table of functions. An entry
 * that is NULL is an ability the kind lacks (but see operator.c: row access alone already gives
 * column-free versions of diagonal, principal, block_diagonal and relax). */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "base/shared.h"
#include <perp/operator.h>

#include <stdatomic.h>

/* What a product may use: threads, and perp_operator_scratch(A) doubles. */
typedef struct perp_work {
  int threads;
  double *scratch;
} perp_work;

/* A relaxation in progress: x in the layout that suits the matrix, and what the sweeps keep up
 * to date beside it (body velocities of a contact operator). Made by perp_relaxer_create, in an
 * arena; lives as long as the arena is not reset. */
typedef struct perp_relaxer perp_relaxer;
struct perp_relaxer {
  const perp_operator *A;
  const double *b;
  const perp_set *K;
  int threads;
  double *x; /* the caller's, in natural order; up to date after store */
  /* the greatest A_ii |step of x_i| of the last sweep: about the residual that it found; NaN if the
   * kind does not tell */
  double moved;
  /* one sweep: x_i <- P(x_i - omega (A x + b)_i / A_ii), i in the given order */
  void (*sweep)(perp_relaxer *relaxer, double omega, perp_order order);
  /* brings x up to date; NULL if sweeps work on x itself */
  void (*store)(perp_relaxer *relaxer);
  /* takes a changed x in (b and K stay those of when the relaxer was made); NULL if sweeps work
   * on x itself and keep nothing beside it */
  void (*load)(perp_relaxer *relaxer);
  /* y <- A x + b at the current x, cheaper than apply; NULL if there is no such way */
  void (*gradient)(perp_relaxer *relaxer, double *y);
  /* x as the sweeps have it, padded with zeros, for who would otherwise store and load x in every
   * sweep; renew projects it onto K after it was changed there, as perp_set_project does, and takes
   * it in. NULL if there is no such layout. */
  double *own_x;
  int64_t own_count;
  void (*renew)(perp_relaxer *relaxer);
};

typedef struct perp_operator_table {
  const char *kind;
  bool has_rows;       /* rows are at hand, not computed: a verdict may sum them up with care */
  bool exact_rows;     /* the entries that row gives are those of A: nothing was rounded for them */
  bool has_velocities; /* a contact operator: contact.h says what is in it */
  /* sweeps take rows without entries: x_i goes to the bound that b_i says */
  bool relaxes_empty_rows;
  void (*destroy)(perp_operator *A); /* frees what is the kind's own, not A itself */
  perp_error (*refresh)(perp_operator *A, perp_message *why);
  void (*apply)(const perp_operator *A, const double *x, double *y, const perp_work *work);
  void (*apply_t)(const perp_operator *A, const double *x, double *y, const perp_work *work);
  /* y <- A x + b in twice the precision, from the numbers of which A is made; room: as many doubles as
   * gradient_room says, which is NULL for none. NULL: the rows do it as well, or it cannot be done */
  void (*gradient)(const perp_operator *A, const double *x, const double *b, double *y,
                   const perp_work *work, double *room);
  size_t (*gradient_room)(const perp_operator *A);
  void (*diagonal)(const perp_operator *A, double *d);
  int (*row)(const perp_operator *A, int i, int *column, double *value);
  /* (A x)_i from the stored entries, for sweeps in any order; NULL if `row` is as good */
  double (*row_product)(const perp_operator *A, int i, const double *x);
  int (*column)(const perp_operator *A, int j, int *row, double *value);
  /* A_SS dense row major; `position` is n ints, all -1 on entry and on return */
  void (*principal)(const perp_operator *A, int m, const int *S, int *position, double *A_SS);
  void (*block_diagonal)(const perp_operator *A, int blocks, const int *start, double *values);
  /* Allocates the kind's relaxer in the arena with its own state behind it (a struct whose first
   * member is perp_relaxer) and sets the functions; the common fields are set by
   * perp_relaxer_create afterwards, which then calls load. `orders` is a set of bits
   * 1 << PERP_FORWARD, ...: what the sweeps will be asked for. The diagonal is known positive, but
   * in rows without entries if relaxes_empty_rows is set. */
  perp_error (*relaxer)(const perp_operator *A, const double *b, const perp_set *K, int threads,
                        unsigned orders, perp_arena *arena, perp_relaxer **relaxer);
} perp_operator_table;

/* What happened in callbacks of the caller. Solves that share an operator share this too: one that
 * fails also ends those that run at the same time, which is safe. */
typedef struct perp_failures {
  atomic_int count;
  atomic_int code, index;         /* of the last one; index -1: it has none */
  _Atomic(const char *) callback; /* its name */
} perp_failures;

struct perp_operator {
  const perp_operator_table *table;
  int n;
  int64_t nonzeros;
  int row_capacity;
  int block;       /* rows that belong together, if the kind knows: the blocks of bsr; else 0 */
  size_t scratch;  /* doubles that a product needs */
  uint64_t values; /* a number of its own for the numbers it has now; 0: not known, as of a shell */
  bool refused;    /* the last refresh failed: not to be solved with */
  bool symmetric;  /* A_ij = A_ji to the last bit: known of dense ones, false for the others */
  unsigned hints;  /* perp_hint: what the caller says of a shell */
  struct perp_placement *placement; /* what lies on a device; NULL: nothing */
  const perp_failures *failures; /* NULL for kinds that cannot fail; those made of another share */
  void *owned[8]; /* copies that die with the operator; NULL entries are free slots */
};

/* The numbers are new: no operator has had these before. */
void perp_operator_renew(perp_operator *A);

/* Takes a heap block over; it is freed with the operator. NULL is fine. */
PERP_SHARED void perp_operator_adopt(perp_operator *A, void *block);

/* Failures so far: who notes the number before a piece of work knows by perp_operator_failed
 * whether a callback has failed since, and then must not use its results. */
static inline int perp_operator_failures(const perp_operator *A)
{
  return A->failures ? atomic_load_explicit(&A->failures->count, memory_order_relaxed) : 0;
}
/* PERP_OK if none failed since; else PERP_ERROR_CALLBACK, and a message that names the last. */
perp_error perp_operator_failed(const perp_operator *A, int before, perp_message *why);

/* *symmetric: u^T A v = v^T A u up to rounding for two vectors that know nothing of A, which is what
 * can be told of a matrix without entries at hand. u, v, t: n numbers of scratch. Two products. */
perp_error perp_operator_try_symmetry(const perp_operator *A, const perp_work *work, double *u,
                                      double *v, double *t, bool *symmetric, perp_message *why);

/* A borrowed dense operator on another array, perhaps of another size; nothing is allocated. If it
 * fails, solvers refuse it until it is given a correct one. */
perp_error perp_operator_dense_replace(perp_operator *A, int n, const double *a, int64_t stride,
                                       perp_message *why);

/* A relaxation of A x + b over K started at x. PERP_ERROR_UNSUPPORTED, naming the row and the
 * value, if A_ii <= 0 for some i, if K has cones, or if A can neither relax nor give
 * rows. `method` is named in the message. */
perp_error perp_relaxer_create(const char *method, const perp_operator *A, const double *b,
                               const perp_set *K, double *x, int threads, unsigned orders,
                               perp_arena *arena, perp_relaxer **relaxer, perp_message *why);

static inline void perp_relax(perp_relaxer *relaxer, double omega, perp_order order)
{
  relaxer->sweep(relaxer, omega, order);
}

/* x up to date in natural order. */
static inline void perp_relaxer_store(perp_relaxer *relaxer)
{
  if (relaxer->store)
    relaxer->store(relaxer);
}

/* After x was changed from outside. */
static inline void perp_relaxer_load(perp_relaxer *relaxer)
{
  if (relaxer->load)
    relaxer->load(relaxer);
}

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
