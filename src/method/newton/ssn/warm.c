/* warm.c: the first sweeps of ssn
 *
 * Without cones projected Gauss-Seidel. With cones the same contact by contact: a cone is solved
 * exactly against the others as they are (Jourdan, Alart and Jean 1998), and any other row is
 * relaxed and clamped. Cost: one pass over A for each sweep. Workspace, given back: the 3 x 3 blocks
 * and 4 n. */
#include "method/newton/newton.h"
#include "method/newton/ssn/model.h"
#include "operator/block_relax.h"
#include "problem/local_contact.h"
#include "set/set.h"

#include <math.h>

typedef struct sweeps {
  const perp_set *K;
  const double *x; /* the iterate, for friction bounds */
  double *W;       /* 9 for each cone */
  double *slip;    /* by cone */
  double *diagonal;
} sweeps;

static void solve_cone(const sweeps *q, int c, const double *y, double *x)
{
  const double *W = q->W + 9 * c;
  double right[3]; /* y - W x: what the other contacts do */
  for (int k = 0; k < 3; k++)
    right[k] = y[k] - (W[3 * k] * x[0] + W[3 * k + 1] * x[1] + W[3 * k + 2] * x[2]);
  const perp_cone_matrix matrix = perp_cone_matrix_make(W);
  perp_local_cone(&matrix, 1, right, q->K->mu[c], &q->slip[c], x);
}

static void solve_block(void *context, int block, const double *y, double *x)
{
  sweeps *q = context;
  if (block < q->K->cones) {
    solve_cone(q, block, y, x);
    return;
  }
  const int i = block + 2 * q->K->cones;
  double lo, hi;
  perp_row_bounds(q->K, q->x, i, &lo, &hi);
  const double z = x[0] - y[0] / q->diagonal[i];
  x[0] = z < lo ? lo : z > hi ? hi : z;
}

static bool is_positive(const perp_operator *A, double *diagonal)
{
  if (perp_operator_diagonal(A, diagonal) != PERP_OK)
    return false;
  for (int i = 0; i < A->n; i++)
    if (!(diagonal[i] > 0 && diagonal[i] < INFINITY))
      return false;
  return true;
}

/* W: the diagonal blocks of the cones. */
static perp_error fill_blocks(perp_run *run, double *W)
{
  const perp_operator *A = run->problem->A;
  int *column = perp_run_integers(run, (size_t)perp_operator_row_capacity(A));
  double *value = perp_run_reals(run, (size_t)perp_operator_row_capacity(A));
  if (!column || !value)
    return perp_run_no_memory(run);
  for (int i = 0; i < 3 * run->problem->K.cones && !perp_run_expired_at(run, i); i++) {
    const int first = i - i % 3, count = A->table->row(A, i, column, value);
    W[3 * i] = W[3 * i + 1] = W[3 * i + 2] = 0;
    for (int k = 0; k < count; k++)
      if (column[k] >= first && column[k] < first + 3)
        W[3 * i + column[k] - first] = value[k];
  }
  return PERP_OK;
}

/* Cones first, then the other rows one by one, as they are numbered. */
static void list_blocks(const perp_set *K, int *start, int *row, perp_block_list *list)
{
  *list = (perp_block_list){.count = K->n - 2 * K->cones, .largest = 3, .start = start, .row = row};
  for (int i = 0; i < K->n; i++)
    row[i] = i;
  for (int k = 0; k <= list->count; k++)
    start[k] = k <= K->cones ? 3 * k : k + 2 * K->cones;
}

static perp_error sweep_cones(perp_run *run, int count, double *x)
{
  const perp_problem *p = run->problem;
  const perp_set *K = &p->K;
  const size_t n = (size_t)K->n, cones = (size_t)K->cones;
  sweeps q = {.K = K,
              .x = x,
              .W = perp_run_reals(run, 9 * cones),
              .slip = perp_arena_alloc_zero(run->arena, cones, sizeof *q.slip),
              .diagonal = perp_run_reals(run, n)};
  int *start = perp_run_integers(run, n + 1), *row = perp_run_integers(run, n);
  if (!q.W || !q.slip || !q.diagonal || !start || !row)
    return perp_run_no_memory(run);
  if (!is_positive(p->A, q.diagonal) || !p->A->table->row)
    return PERP_OK;
  perp_block_list list;
  list_blocks(K, start, row, &list);
  perp_error error = fill_blocks(run, q.W);
  if (error || perp_run_expired(run))
    return error;
  perp_block_relaxer *relaxer = NULL;
  perp_message why = {{0}};
  error = perp_block_relaxer_create("ssn", p->A, p->b, K, x, run->options->threads, &list,
                                    run->arena, &relaxer, &why);
  if (error == PERP_ERROR_UNSUPPORTED)
    return PERP_OK;
  if (error)
    return perp_run_no_memory(run);
  for (int k = 0; k < count && !perp_run_expired(run); k++) {
    relaxer->sweep(relaxer, NULL, solve_block, &q);
    run->count.sweeps++;
  }
  perp_relaxer_store(relaxer->relaxer);
  return PERP_OK;
}

perp_error perp_ssn_warm(perp_run *run, int count, double *x)
{
  if (count == 0 || run->problem->K.cones == 0)
    return perp_newton_warm(run, count, x);
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const perp_error error = sweep_cones(run, count, x);
  perp_arena_release(run->arena, mark);
  return error;
}
