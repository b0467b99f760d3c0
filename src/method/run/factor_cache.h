/* factor_cache.h: factors and other data that a solver keeps from one solve to the next
 *
 * Much of a solve depends only on the operator: entries by rows, orders of elimination, factors,
 * coarse grids, facts about A. Each is an entry of the solver's cache with its own arena.
 * operator->values identifies the numbers that an entry was made from: no two operators share it,
 * and refresh and replace give an operator a new one.
 *
 *   same values     everything in the entry is valid
 *   other values    the maker compares the structure that it needs, index by index, with the
 *                   operator's: data that depends only on the structure may still be valid
 *
 * So addresses play no role, and an operator that is created in every frame with the same structure
 * profits too. A maker guarantees the bits of a fresh solver: an entry holds nothing that depends
 * on the order of earlier solves.
 *
 * A run within a run (a subproblem, a scaled problem) keeps nothing. */
#pragma once

#include "method/run/method.h"

typedef struct perp_kept perp_kept;
struct perp_kept {
  const void *maker;          /* identifies the entry: an address that only the maker has */
  uint64_t values;            /* of the operator it was made from; 0: none */
  perp_arena arena;           /* holds the state */
  void *state;                /* NULL: nothing is kept */
  void (*close)(void *state); /* frees memory outside the arena; NULL: none */
  bool busy;                  /* in use by a system of this run */
  perp_kept *next;
};

/* The factor offered by the last solve: A_FF = L L^T or L U, F the rows between their bounds. */
typedef struct perp_offer {
  uint64_t values;        /* of the operator */
  const perp_kept *entry; /* holds the factor; NULL: no offer */
  bool sparse;
  int m;
  const int *rows; /* F in the order of the factor */
  bool (*solve)(void *factor, bool transposed, double *r);
  void *factor;
} perp_offer;

struct perp_memory {
  perp_kept *first;
  perp_offer offer;
  struct perp_shared_factor *shared; /* of the offer, if it is borrowed */
};

/* Returns the entry of a maker, empty if there was none; busy until perp_kept_done, or until
 * another method or another solve begins, which then finds it without values. Returns NULL if the
 * run keeps nothing, the entry is busy, or memory is exhausted: use the run's arena then. The maker
 * must mark a completed state itself. */
perp_kept *perp_run_kept(perp_run *run, const void *maker);
/* Returns true if the entry was made from the current numbers of the run's operator. */
bool perp_kept_holds(const perp_kept *kept, const perp_run *run);
/* Clears the entry; its arena keeps the memory. */
void perp_kept_clear(perp_kept *kept);
/* Marks the entry as made from the run's operator. kept may be NULL. */
void perp_kept_done(perp_kept *kept, const perp_run *run);

/* ---- Systems kept as a whole ---- */

/* The state begins with this struct; its maker sets `whole`. */
typedef struct perp_keep {
  perp_kept *kept; /* the entry that holds the state; NULL: it is in the run's arena */
  bool whole;      /* complete: may be used again */
} perp_keep;

typedef struct perp_keeper {
  /* *state from the run's arena, zeroed; NULL only if out of memory */
  perp_error (*open)(perp_run *run, const void *plan, void **state);
  /* Prepares the state for a new run; false if it must be opened again. holds: the numbers are
   * valid too. */
  bool (*reopen)(void *state, perp_run *run, const void *plan, bool holds);
  void (*close)(void *state); /* frees memory outside the arena; NULL: none */
} perp_keeper;

/* Returns the kept state, reopened for the run, or a new one: in an entry if possible, else in the
 * run's arena. Close it whatever is returned. */
perp_error perp_keep_open(perp_run *run, const void *maker, const perp_keeper *keeper,
                          const void *plan, void **state);
/* Keeps the state in its entry if it is whole. state may be NULL. */
void perp_keep_close(const perp_keeper *keeper, const perp_run *run, void *state);

/* Call before a method begins: marks no entry as busy. memory may be NULL. */
void perp_memory_begin(struct perp_memory *memory);
void perp_memory_free(struct perp_memory *memory);

/* ---- Lent factors ----
 *
 * A method that keeps the factor of A_FF offers it at its end. The offer is valid until the solver
 * is used again or destroyed. A borrower checks the offer before each use, and checks each solution
 * by a residual: updates may have cost the factor some digits. */

/* r <- A_FF^-1 r, or A_FF^-T r, in the order of the rows; false if it cannot. */
typedef bool (*perp_shared_solve)(void *factor, bool transposed, double *r);

typedef struct perp_shared_factor {
  int holders; /* the solver's cache and the borrowers; the last one frees it */
  bool stands;
  perp_offer what;
} perp_shared_factor;

/* For methods: offers the factor and the list of its rows, both in the entry. Does nothing if the
 * entry is NULL. Allocates nothing. */
void perp_run_offer(perp_run *run, const perp_kept *entry, bool sparse, int m, const int *rows,
                    perp_shared_solve solve, void *factor);

/* Returns the offer of the last solve if it is valid for the current A, NULL otherwise or if out of
 * memory. Return it with perp_shared_factor_release. */
perp_shared_factor *perp_solver_borrow(perp_solver *solver, const perp_operator *A);
void perp_shared_factor_release(perp_shared_factor *shared); /* may be NULL */
