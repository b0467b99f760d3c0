/* inspect.c: form, structure, symmetry and diagonal of a problem, cheaply */
#include "method/inspect.h"
#include "problem/entries.h"

#include <math.h>
#include <string.h>

static const double SYMMETRIC = 1e-9; /* of the greatest entry */

const char *const perp_structure_names[] = {"stencil", "contact", "mmatrix",
                                            "sparse",  "dense",   "hidden"};

static perp_structure structure_of(const perp_operator *A)
{
  const char *kind = perp_operator_kind(A);
  if (strcmp(kind, "stencil") == 0)
    return PERP_STRUCTURE_STENCIL;
  if (strcmp(kind, "contact") == 0)
    return PERP_STRUCTURE_CONTACT;
  if (strcmp(kind, "dense") == 0)
    return PERP_STRUCTURE_DENSE;
  if (!(perp_operator_abilities(A) & PERP_CAN_ROW))
    return PERP_STRUCTURE_HIDDEN;
  /* Stored as sparse, but is it? */
  const double n = A->n;
  return (double)A->nonzeros <= n * n / 3 || A->nonzeros < 0 ? PERP_STRUCTURE_SPARSE
                                                             : PERP_STRUCTURE_DENSE;
}

/* C absent or diagonal, so that A is symmetric. */
static bool has_simple_compliance(const perp_operator *A)
{
  perp_contact_data d;
  if (perp_operator_contact_data(A, &d) != PERP_OK)
    return false;
  for (int i = 0; d.C_start && i < d.rows; i++)
    for (int64_t e = d.C_start[i]; e < d.C_start[i + 1]; e++)
      if (d.C_column[e] != i)
        return false;
  return true;
}

static perp_error no_memory(const perp_operator *A, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", A->n);
}

static perp_error read_diagonal(const perp_operator *A, perp_arena *arena, perp_inspection *seen,
                                perp_message *why)
{
  double *d = perp_arena_alloc(arena, (size_t)A->n, sizeof *d);
  if (!d)
    return no_memory(A, why);
  if (perp_operator_diagonal(A, d) != PERP_OK)
    return PERP_OK;
  double least = INFINITY, most = 0;
  for (int i = 0; i < A->n; i++) {
    least = d[i] < least ? d[i] : least;
    most = d[i] > most ? d[i] : most;
  }
  seen->diagonal = least > 0;
  seen->spread = seen->diagonal && A->n > 0 ? most / least : 1;
  return PERP_OK;
}

/* M-signs: no entry beside the diagonal, which is positive, is. */
static void take_glance(const perp_glance *glance, int n, perp_inspection *seen)
{
  seen->symmetric = glance->difference <= SYMMETRIC * glance->greatest;
  seen->diagonal = glance->diagonal_min > 0;
  seen->spread = seen->diagonal && n > 0 ? glance->diagonal_max / glance->diagonal_min : 1;
  if (seen->diagonal && seen->structure == PERP_STRUCTURE_SPARSE && glance->positive == n)
    seen->structure = PERP_STRUCTURE_MMATRIX;
}

static perp_error read_entries(const perp_operator *A, perp_arena *arena, perp_inspection *seen,
                               perp_message *why)
{
  int64_t *cursor = perp_arena_alloc(arena, (size_t)A->n, sizeof *cursor);
  if (!cursor)
    return no_memory(A, why);
  perp_glance glance;
  if (perp_entries_glance(A, cursor, &glance)) {
    take_glance(&glance, A->n, seen);
    return PERP_OK;
  }
  double difference, greatest;
  if (perp_entries_difference(A, cursor, &difference, &greatest)) {
    seen->symmetric = difference <= SYMMETRIC * greatest;
    return read_diagonal(A, arena, seen, why);
  }
  perp_entries entries;
  const perp_error error = perp_entries_read(A, &entries, why);
  if (error)
    return error;
  seen->symmetric = entries.asymmetry <= SYMMETRIC;
  seen->diagonal = entries.diagonal_zeros == 0 && entries.diagonal_negatives == 0;
  return PERP_OK;
}

perp_error perp_inspect(const perp_problem *p, perp_arena *arena, perp_inspection *seen,
                        perp_message *why)
{
  const perp_operator *A = p->A;
  *seen = (perp_inspection){
      .n = p->K.n, .form = perp_set_form(&p->K), .structure = structure_of(A), .spread = 1};
  if (seen->structure == PERP_STRUCTURE_HIDDEN)
    return PERP_OK;
  const perp_arena_mark mark = perp_arena_hold(arena);
  perp_error error;
  if (seen->structure == PERP_STRUCTURE_STENCIL ||
      (seen->structure == PERP_STRUCTURE_CONTACT && has_simple_compliance(A))) {
    seen->symmetric = true;
    error = read_diagonal(A, arena, seen, why);
  } else {
    error = read_entries(A, arena, seen, why);
  }
  perp_arena_release(arena, mark);
  return error;
}
