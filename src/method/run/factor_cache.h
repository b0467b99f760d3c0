/* factor_cache.h: factors and other data that a solver keeps from one solve to the next
 *
 * Much of a solve is derived from the operator alone: entries by rows, orders of elimination,
 * factors, coarse grids, facts about A. Each of them is an entry of the solver's memory, with an
 * arena of its own, and an entry knows by operator->values which numbers it was made from: no two
 * operators have the same, and refresh and replace give an operator another one.
 *
 *   the same values        everything in the entry holds
 *   other values           its maker compares the structure that it needs, index by index, with that
 *                          of the operator now: what depends on the structure alone may still hold
 *
 * So nothing is told apart by addresses, and an operator that is made anew in every frame with the
 * same structure profits too. A maker promises the bits of a fresh solver: an entry holds nothing
 * that depends on the order of earlier solves.
 *
 * A run within a run (a subproblem, a problem in other units) keeps nothing. */
#pragma once

#include "method/run/method.h"

typedef struct perp_kept perp_kept;
struct perp_kept {
  const void *maker; /* tells entries apart: the address of something that only the maker has */
  uint64_t values;   /* of the operator it was made from; 0: none */
  perp_arena arena;  /* holds the state */
  void *state;       /* NULL: nothing is kept */
  void (*close)(void *state); /* frees what is not the arena's; NULL: there is nothing */
  bool busy;                  /* in use by a system of this run */
  perp_kept *next;
};

/* The factor that the last solve offers: A_FF = L L^T or L U, F the rows between their bounds. */
typedef struct perp_offer {
  uint64_t values;        /* of the operator */
  const perp_kept *entry; /* that has the factor; NULL: there is no offer */
  bool sparse;
  int m;
  const int *rows; /* F in the order of the factor */
  bool (*solve)(void *factor, bool transposed, double *r);
  void *factor;
} perp_offer;

struct perp_memory {
  perp_kept *first;
  perp_offer offer;
  struct perp_loan *loan; /* of the offer, if somebody borrowed it */
};

/* The entry of a maker, an empty one if there was none; busy until perp_kept_done, or until another
 * method or another solve begins, which then finds it without values. NULL if the run keeps nothing,
 * if the entry is busy, or if the heap is exhausted: work in the run's arena then. A maker knows by a
 * mark of its own whether its state was completed. */
perp_kept *perp_run_kept(perp_run *run, const void *maker);
/* Whether what the entry has was made from the numbers that the run's operator has now. */
bool perp_kept_holds(const perp_kept *kept, const perp_run *run);
/* Nothing is kept any more; the arena's memory stays for what comes next. */
void perp_kept_clear(perp_kept *kept);
/* What is in the entry stays, as made from the run's operator. kept may be NULL. */
void perp_kept_done(perp_kept *kept, const perp_run *run);

/* ---- Systems that are kept as a whole ---- */

/* What is kept is one state, which begins with this; its maker fills in `whole`. */
typedef struct perp_keep {
  perp_kept *kept; /* the entry that holds the state; NULL: it is in the run's arena */
  bool whole;      /* fit to be used again */
} perp_keep;

typedef struct perp_keeper {
  /* *state from the run's arena, zeroed at first, and NULL only if there is no memory for it */
  perp_error (*open)(perp_run *run, const void *plan, void **state);
  /* As if opened for the run; false if it must be opened anew. holds: so do the numbers. */
  bool (*reopen)(void *state, perp_run *run, const void *plan, bool holds);
  void (*close)(void *state); /* frees what is not the arena's */
} perp_keeper;

/* The state that is kept, opened again for the run, or a new one: in an entry if there is one, else
 * in the run's arena. Closed whatever comes back. */
perp_error perp_keep_open(perp_run *run, const void *maker, const perp_keeper *keeper,
                          const void *plan, void **state);
/* state may be NULL. It stays in its entry if it is whole. */
void perp_keep_close(const perp_keeper *keeper, const perp_run *run, void *state);

/* Before a method begins: no entry is busy. memory may be NULL. */
void perp_memory_begin(struct perp_memory *memory);
void perp_memory_free(struct perp_memory *memory);

/* ---- Factors that are lent ----
 *
 * A method that keeps the factor of A_FF offers it when it is done. The offer stands until the solver is
 * used again or destroyed. A borrower asks before each use whether it still stands, and checks what it
 * gets by a residual: updates may have taken digits from the factor. */

/* r <- A_FF^-1 r, or A_FF^-T r, in the order of the rows; false if it cannot. */
typedef bool (*perp_lent_solve)(void *factor, bool transposed, double *r);

typedef struct perp_loan {
  int holders; /* the solver's memory and those who borrowed it; with the last one it goes */
  bool stands;
  perp_offer what;
} perp_loan;

/* For methods: the factor and the list of its rows lie in the entry. If that is NULL, nothing happens.
 * Takes nothing from the heap. */
void perp_run_offer(perp_run *run, const perp_kept *entry, bool sparse, int m, const int *rows,
                    perp_lent_solve solve, void *factor);

/* The offer of the last solve, if it stands and is about A as it is now; else, or when out of memory,
 * NULL. To be given back. */
perp_loan *perp_solver_borrow(perp_solver *solver, const perp_operator *A);
perp_loan *perp_loan_take(struct perp_memory *memory, const perp_operator *A);
void perp_loan_return(perp_loan *loan); /* may be NULL */
