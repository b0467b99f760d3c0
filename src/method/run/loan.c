/* loan.c: see loan.h */
#include "method/run/loan.h"

void perp_loan_return(perp_loan *loan)
{
  if (loan && --loan->holders == 0)
    perp_free(loan);
}

void perp_loan_end(struct perp_memory *memory)
{
  if (memory->loan)
    memory->loan->stands = false;
  perp_loan_return(memory->loan);
  memory->loan = NULL;
  memory->offer = (perp_offer){0};
}

void perp_run_offer(perp_run *run, const perp_kept *entry, bool sparse, int m, const int *rows,
                    perp_lent_solve solve, void *factor)
{
  if (!entry || !run->memory)
    return;
  perp_loan_end(run->memory);
  run->memory->offer = (perp_offer){.values = run->problem->A->values,
                                    .entry = entry,
                                    .sparse = sparse,
                                    .m = m,
                                    .rows = rows,
                                    .solve = solve,
                                    .factor = factor};
}

perp_loan *perp_loan_take(struct perp_memory *memory, const perp_operator *A)
{
  if (!memory->offer.entry || memory->offer.values != A->values)
    return NULL;
  if (!memory->loan) {
    memory->loan = perp_alloc_zero(1, sizeof *memory->loan);
    if (!memory->loan)
      return NULL;
    *memory->loan = (perp_loan){.holders = 1, .stands = true, .what = memory->offer};
  }
  memory->loan->holders++;
  return memory->loan;
}
