/* shell.c: a matrix defined by the caller's callbacks
 *
 * Each operator has its own table, with an entry for each callback that the caller gave; operator.c
 * and relax.c derive the rest from row access.
 *
 * A failing callback is recorded in `failures`. Its numbers become NaN, and its row is empty, so
 * that no result computed from them can pass as a solution before the driver notices. */
#include "base/sized.h"
#include "operator/operator.h"

#include <math.h>
#include <string.h>

typedef struct shell_operator {
  perp_operator base;
  perp_operator_table table;
  perp_shell shell;
  perp_failures failures;
} shell_operator;

static const perp_shell *shell_of(const perp_operator *A)
{
  return &((const shell_operator *)A)->shell;
}

/* The only part of an operator that changes during a solve. */
static void note_failure(const perp_operator *A, const char *callback, int index, int code)
{
  perp_failures *f = (perp_failures *)A->failures;
  atomic_store(&f->callback, callback);
  atomic_store(&f->index, index);
  atomic_store(&f->code, code);
  atomic_fetch_add(&f->count, 1);
}

static void finish_vector(const perp_operator *A, const char *callback, int code, double *y)
{
  if (code == 0)
    return;
  note_failure(A, callback, -1, code);
  for (int i = 0; i < A->n; i++)
    y[i] = NAN;
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  finish_vector(A, "apply", shell_of(A)->apply(shell_of(A)->context, x, y), y);
}

static void apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  finish_vector(A, "apply_t", shell_of(A)->apply_t(shell_of(A)->context, x, y), y);
}

static void diagonal(const perp_operator *A, double *d)
{
  finish_vector(A, "diagonal", shell_of(A)->diagonal(shell_of(A)->context, d), d);
}

/* The entries must ascend within 0 .. n-1, since all callers use them as array indices. */
static int finish_line(const perp_operator *A, const char *callback, int i, int count,
                       const int *index)
{
  bool fine = count >= 0 && count <= A->row_capacity;
  for (int k = 0; fine && k < count; k++)
    fine = index[k] > (k > 0 ? index[k - 1] : -1) && index[k] < A->n;
  if (fine)
    return count;
  note_failure(A, callback, i, count);
  return 0;
}

static int row(const perp_operator *A, int i, int *columns, double *value)
{
  return finish_line(A, "row", i, shell_of(A)->row(shell_of(A)->context, i, columns, value),
                     columns);
}

static int column(const perp_operator *A, int j, int *rows, double *value)
{
  return finish_line(A, "column", j, shell_of(A)->column(shell_of(A)->context, j, rows, value),
                     rows);
}

static void sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  const perp_shell *shell = shell_of(relaxer->A);
  const int code = shell->relax(shell->context, relaxer->b, relaxer->K, omega, order, relaxer->x);
  if (code != 0)
    note_failure(relaxer->A, "relax", -1, code);
}

static perp_error relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                 unsigned orders, perp_arena *arena, perp_relaxer **relaxer)
{
  (void)A;
  (void)b;
  (void)K;
  (void)orders;
  *relaxer = perp_arena_alloc_zero(arena, 1, sizeof **relaxer);
  if (!*relaxer)
    return PERP_ERROR_MEMORY;
  (*relaxer)->sweep = sweep;
  return PERP_OK;
}

void perp_shell_init(perp_shell *shell, size_t size)
{
  const perp_shell own = {0};
  perp_sized_write(&own, sizeof own, shell, size);
}

static perp_error read_shell(const perp_shell *from, perp_shell *shell, perp_message *why)
{
  if (!from)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "shell is NULL");
  *shell = perp_shell_default();
  const perp_error error = perp_sized_read("perp_shell", from, shell, sizeof *shell, why);
  if (error)
    return error;
  if (!shell->apply)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "A: shell.apply is NULL; a shell needs this callback");
  if (shell->row_capacity < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: row_capacity = %d is negative",
                     shell->row_capacity);
  const unsigned known = PERP_HINT_SYMMETRIC | PERP_HINT_SEMIDEFINITE | PERP_HINT_DEFINITE;
  if (shell->hints & ~known)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: hints = %u has unknown bits", shell->hints);
  if (shell->hints & PERP_HINT_DEFINITE)
    shell->hints |= PERP_HINT_SEMIDEFINITE;
  if (shell->hints & PERP_HINT_SYMMETRIC) {
    shell->apply_t = shell->apply_t ? shell->apply_t : shell->apply;
    shell->column = shell->column ? shell->column : shell->row;
  }
  return PERP_OK;
}

perp_error perp_operator_shell(int n, const perp_shell *shell, perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  *A = NULL;
  if (n < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: n = %d is negative", n);
  perp_shell known;
  const perp_error error = read_shell(shell, &known, why);
  if (error)
    return error;
  shell_operator *made = perp_alloc_zero(1, sizeof *made);
  if (!made)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, n = %d", n);
  made->shell = known;
  made->table = (perp_operator_table){
      .kind = "shell",
      .apply = apply,
      .apply_t = known.apply_t ? apply_t : NULL,
      .diagonal = known.diagonal ? diagonal : NULL,
      .row = known.row ? row : NULL,
      .column = known.column ? column : NULL,
      .relaxer = known.relax ? relaxer_create : NULL,
  };
  made->base = (perp_operator){
      .table = &made->table,
      .n = n,
      .nonzeros = -1,
      .row_capacity = known.row_capacity ? known.row_capacity : n,
      .hints = known.hints,
      .failures = &made->failures,
  };
  *A = &made->base;
  return PERP_OK;
}
