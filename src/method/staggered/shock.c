/* shock.c: contacts layer by layer, up from the ground
 *
 * In a stack the load of every body must reach the ground through all bodies below, and moves by
 * only one contact per sweep if the rows are numbered in the wrong order. Shock propagation
 * (Guendelman, Bridson and Fedkiw 2003; Erleben 2007) solves contacts in layers instead, 0, 1, 2, ...
 * up from the ground, the layers below held fixed.
 *
 * In these papers bodies of lower layers get infinite mass, which changes the problem. Here they
 * keep their mass, and every update minimises over one row as in pgs,
 *
 *   x_i <- P_i( x_i - omega (A x + b)_i / A_ii ),
 *
 * so the energy never rises and the method converges for the same matrices as pgs (symmetric
 * positive definite A). The limit solves the given problem; for friction the same limits hold as
 * for pgs.
 *
 * With true masses it does not pay to solve a layer better than its neighbours, and the rate does
 * not depend on the order: the gain of layers is in the first sweeps on rows numbered at random.
 * Over-relaxation does help: omega = 1.3 takes half the sweeps on stacks, walls and piles, and is
 * the default.
 *
 * Layers of a contact operator: a row that touches one body only is a contact with the world, in
 * layer 0; a body is as far up as its lowest contact; a row between two bodies is one layer above
 * the lower one. Bodies without a path to the ground come last. For other matrices the rows are the
 * nodes of a graph with an edge if A_ij != 0, and layers are distances from a row with the fewest
 * entries, in each component. Friction rows are in the layer of their normal. One iteration: a pass
 * over the nonzeros of A. Workspace: 5 n integers, n. */
#include "method/contact/contacts.h"
#include "method/system/gather.h"
#include "operator/contact/contact.h"
#include "set/set.h"

typedef struct {
  double omega;
  int order;
} shock_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(shock_parameters, omega, 1.3, 0.01, 1.99, "relaxation; 1 is Gauss-Seidel"),
    PERP_CHOICE(shock_parameters, order, PERP_BLOCKS_FORWARD, 3, perp_block_orders,
                "order of the rows in a sweep; forward is up from the ground"),
    {0},
};

/* ---- Layers ---- */

enum { UNKNOWN = -1 };

/* Assigns layers breadth first from the rows that touch one body, or none: the rows of a body are
 * one layer above its lowest row. */
static perp_error layers_of_contacts(perp_run *run, int *layer)
{
  const perp_contact *c = perp_contact_of(run->problem->A);
  const int n = c->data.rows;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  int *queue, head = 0, tail = 0;
  bool *met; /* bodies */
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(queue, n), PERP_ARRAY(met, c->data.blocks)))
    return perp_run_no_memory(run);
  for (int i = 0; i < n; i++) {
    const bool low = c->pair_start[i + 1] - c->pair_start[i] <= 1;
    layer[i] = low ? 0 : c->data.blocks + 1; /* above all bodies connected to the ground */
    if (low)
      queue[tail++] = i;
  }
  while (head < tail) {
    const int i = queue[head++];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      const int body = c->pair_block[p];
      for (int64_t e = c->block_list[body]; e < c->block_list[body + 1] && !met[body]; e++) {
        const int other = c->pair_row[c->block_pair[e]];
        if (layer[other] > c->data.blocks) {
          layer[other] = layer[i] + 1;
          queue[tail++] = other;
        }
      }
      met[body] = true;
    }
  }
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

/* Assigns layers breadth first from `root` through the entries of A. */
static void flood(perp_run *run, int root, int *layer, int *queue, int *column, double *value)
{
  const perp_operator *A = run->problem->A;
  int head = 0, tail = 0;
  queue[tail++] = root;
  layer[root] = 0;
  while (head < tail && !perp_run_expired_at(run, head)) {
    const int i = queue[head++];
    const int count = A->table->row(A, i, column, value);
    for (int k = 0; k < count; k++)
      if (value[k] != 0 && layer[column[k]] == UNKNOWN) {
        layer[column[k]] = layer[i] + 1;
        queue[tail++] = column[k];
      }
  }
}

static perp_error layers_of_rows(perp_run *run, int *layer)
{
  const perp_operator *A = run->problem->A;
  const int n = A->n;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  int *queue, *entries, *roots, *start, *column;
  double *value;
  if (!PERP_TAKE_INTEGERS(run->arena, (size_t)n, &queue, &entries, &roots) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(start, A->row_capacity + 2),
                      PERP_ARRAY(column, A->row_capacity), PERP_ARRAY(value, A->row_capacity)))
    return perp_run_no_memory(run);
  /* sort the rows by number of entries */
  for (int i = 0; i < n; i++) {
    if (perp_run_expired_at(run, i))
      return PERP_OK;
    layer[i] = UNKNOWN;
    entries[i] = A->table->row(A, i, column, value);
    start[entries[i] + 1]++;
  }
  for (int k = 0; k < A->row_capacity; k++)
    start[k + 1] += start[k];
  for (int i = 0; i < n; i++)
    roots[start[entries[i]]++] = i;
  for (int k = 0; k < n && !perp_run_expired_at(run, k); k++)
    if (layer[roots[k]] == UNKNOWN)
      flood(run, roots[k], layer, queue, column, value);
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

/* ---- Sweeps ---- */

typedef struct sweeps {
  perp_run *run;
  const double *x;
  double *inverse; /* n: omega / A_ii */
  perp_block_sweeps rows;
  int *order; /* n: the rows by layer, ascending in each */
} sweeps;

static void relax_row(void *context, int i, const double *y, double *x)
{
  const sweeps *s = context;
  double lo, hi;
  perp_row_bounds(&s->run->problem->K, s->x, i, &lo, &hi);
  const double z = *x - s->inverse[i] * *y;
  *x = perp_clamp(z, lo, hi);
}

/* Sorts the rows by layer, friction rows with their normals. */
static perp_error sort_layers(sweeps *s, int *layer)
{
  perp_run *run = s->run;
  const perp_set *K = &run->problem->K;
  int last = 0;
  for (int i = 0; i < K->n; i++) {
    if (perp_set_is_friction(K, i))
      layer[i] = layer[K->findex[i]];
    last = layer[i] > last ? layer[i] : last;
  }
  int *first;
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(first, last + 2), PERP_ARRAY(s->order, K->n)))
    return perp_run_no_memory(run);
  for (int i = 0; i < K->n; i++)
    first[layer[i] + 1]++;
  for (int l = 0; l <= last; l++)
    first[l + 1] += first[l];
  for (int i = 0; i < K->n; i++)
    s->order[first[layer[i]]++] = i;
  return PERP_OK;
}

static perp_error find_layers(sweeps *s)
{
  perp_run *run = s->run;
  int *layer = perp_run_integers(run, (size_t)run->problem->K.n);
  if (!layer)
    return perp_run_no_memory(run);
  const perp_error error = perp_operator_is_contact(run->problem->A)
                               ? layers_of_contacts(run, layer)
                               : layers_of_rows(run, layer);
  return error || perp_run_expired(run) ? error : sort_layers(s, layer);
}

/* omega / A_ii, and the blocks of one row that the sweeps run on */
static perp_error make_sweeps(sweeps *s, const shock_parameters *par, double *x)
{
  perp_run *run = s->run;
  s->inverse = perp_run_reals(run, (size_t)run->problem->K.n);
  if (!s->inverse)
    return perp_run_no_memory(run);
  perp_block_list list;
  perp_error error = perp_run_diagonal(run, s->inverse);
  if (error || (error = perp_blocks_list_rows(run, &list)))
    return error;
  for (int i = 0; i < list.count; i++)
    s->inverse[i] = par->omega / s->inverse[i];
  return perp_blocks_sweeps(run, x, &list, par->order, &s->rows);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const shock_parameters *par = params;
  sweeps s = {.run = run, .x = x};
  perp_error error;
  if ((error = make_sweeps(&s, par, x)) || perp_run_expired(run) || (error = find_layers(&s)))
    return error;
  while (perp_run_next_iterate(run, perp_iterate_swept(s.rows.relaxer->relaxer, NAN)))
    run->count.sweeps += perp_block_sweep(&s.rows, s.order, p->K.n, relax_row, &s);
  return PERP_OK;
}

const perp_method perp_method_shock = {
    .name = "shock",
    .title = "projected Gauss-Seidel layer by layer from the ground",
    .family = "staggered",
    .reference = true,
    .source = "guendelman-bridson-fedkiw-2003",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_ROW,
    .iteration = "pgs over layers of contacts from the ground up, lower layers held while upper "
                 "ones are swept",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    PERP_SOLVES_WITH(shock_parameters),
};
