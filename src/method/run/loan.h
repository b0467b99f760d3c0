/* loan.h: a factor that a solve has ended with, lent to what comes after it
 *
 *   A_FF = L L^T or L U,   F the rows between their bounds
 *
 * A method that keeps such a factor (kept.h) offers it when it is done. The offer stands until the
 * solver is used again or destroyed; who borrows it asks before each use whether it still does, and
 * checks what it gets by a residual: updates may have taken digits from the factor. */
#pragma once

#include "method/run/kept.h"

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

/* The solver's offer ends. */
void perp_loan_end(struct perp_memory *memory);
