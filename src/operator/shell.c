/* shell.c: the caller's own matrix, by callbacks
 *
 * Each operator has its own table, with an entry for each callback that the caller gave; what
 * follows from row access is done in operator.c and relax.c. */
#include "operator/operator.h"

typedef struct shell_operator {
  perp_operator base;
  perp_operator_table table;
  perp_shell shell;
} shell_operator;

static const perp_shell *shell_of(const perp_operator *A)
{
  return &((const shell_operator *)A)->shell;
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  shell_of(A)->apply(shell_of(A)->context, x, y);
}

static void apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  shell_of(A)->apply_t(shell_of(A)->context, x, y);
}

static void diagonal(const perp_operator *A, double *d)
{
  shell_of(A)->diagonal(shell_of(A)->context, d);
}

static int row(const perp_operator *A, int i, int *columns, double *value)
{
  return shell_of(A)->row(shell_of(A)->context, i, columns, value);
}

static int column(const perp_operator *A, int j, int *rows, double *value)
{
  return shell_of(A)->column(shell_of(A)->context, j, rows, value);
}

static void sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  const perp_shell *shell = shell_of(relaxer->A);
  shell->relax(shell->context, relaxer->b, relaxer->K, omega, order, relaxer->x);
}

static perp_error relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                 int threads, unsigned orders, perp_arena *arena,
                                 perp_relaxer **relaxer)
{
  (void)A;
  (void)b;
  (void)K;
  (void)threads;
  (void)orders;
  *relaxer = perp_arena_alloc_zero(arena, 1, sizeof **relaxer);
  if (!*relaxer)
    return PERP_ERROR_MEMORY;
  (*relaxer)->sweep = sweep;
  return PERP_OK;
}

perp_error perp_operator_shell(int n, const perp_shell *shell, perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: nowhere to put the operator");
  *A = NULL;
  if (n < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: n = %d", n);
  if (!shell || !shell->apply)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: a shell needs at least apply");
  if (shell->row_capacity < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: row_capacity = %d", shell->row_capacity);
  shell_operator *made = perp_alloc_zero(1, sizeof *made);
  if (!made)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, n = %d", n);
  made->shell = *shell;
  made->table = (perp_operator_table){
      .kind = "shell",
      .apply = apply,
      .apply_t = shell->apply_t ? apply_t : NULL,
      .diagonal = shell->diagonal ? diagonal : NULL,
      .row = shell->row ? row : NULL,
      .column = shell->column ? column : NULL,
      .relaxer = shell->relax ? relaxer_create : NULL,
  };
  made->base = (perp_operator){
      .table = &made->table,
      .n = n,
      .nonzeros = -1,
      .row_capacity = shell->row_capacity ? shell->row_capacity : n,
  };
  *A = &made->base;
  return PERP_OK;
}
