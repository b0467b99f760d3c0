/* precondition.c: multigrid as a preconditioner for systems in some of the unknowns (linear.h)
 *
 * On grids, a symmetric V-cycle in single precision with the coarse operators of the set F; for
 * matrices in compressed rows that are not grids, the aggregation of aggregation.h. */
#include "linalg/vector.h"
#include "method/multilevel/algebraic/aggregation.h"
#include "method/multilevel/grid/grid.h"
#include "method/system/linear.h"

enum { SWEEPS = 1 };

typedef struct precondition {
  perp_run *run;
  const perp_stencil *s; /* NULL: not a grid */
  perp_grids *grids;
  perp_aggregation *a;
  bool *in;
} precondition;

static perp_error open_rows(perp_run *run, precondition *state)
{
  const perp_operator *A = run->problem->A;
  if (!A->table->row)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "multigrid needs a grid or an operator that gives its rows; this %s operator is neither",
        perp_operator_kind(A));
  state->a = perp_arena_alloc(run->arena, 1, sizeof *state->a);
  state->in = perp_arena_alloc_zero(run->arena, (size_t)A->n, sizeof *state->in);
  if (!state->a || !state->in)
    return perp_run_no_memory(run);
  return perp_aggregation_open(run, "multigrid", state->a);
}

static perp_error open(perp_run *run, void **result)
{
  precondition *state = perp_arena_alloc_zero(run->arena, 1, sizeof *state);
  if (!state)
    return perp_run_no_memory(run);
  *result = state;
  state->run = run;
  const perp_error error = perp_grids_stencil(run, run->arena, &state->s);
  if (error || !state->s)
    return error ? error : open_rows(run, state);
  state->grids = perp_arena_alloc(run->arena, 1, sizeof *state->grids);
  if (!state->grids ||
      !perp_grids_begin(state->s, perp_grids_unit(state->s), true, run->arena, state->grids) ||
      !perp_grids_extend(state->grids, run->arena))
    return perp_run_no_memory(run);
  return PERP_OK;
}

static void set(void *context, int m, const int *F, const double *d)
{
  precondition *state = context;
  if (state->s) {
    perp_grids_restrict_to(state->grids, state->s, m, F, d);
    return;
  }
  const int n = state->run->problem->A->n;
  for (int i = 0; i < n; i++)
    state->in[i] = false;
  for (int q = 0; q < m; q++)
    state->in[F[q]] = true;
  perp_aggregation_set(state->a, 0, state->in, d);
}

/* Divides r by its largest entry, to fit into floats. */
static void apply_grid(precondition *state, const double *r, double *z)
{
  const perp_stencil *s = state->s;
  const perp_grid *g = &state->grids->grid[0];
  const int n = s->base.n;
  const double most = perp_norm_inf(n, r);
  if (!(most > 0) || !isfinite(most)) {
    perp_copy(n, r, z);
    return;
  }
  for (int64_t c = 0; !s->full && c < g->cells; c++)
    g->flat[c] = 0;
  for (int u = 0; u < n; u++)
    g->flat[perp_stencil_cell(s, u)] = perp_to_float(r[u] / most);
  perp_grid_receive(g);
  perp_grids_cycle_symmetric(state->grids, 0, SWEEPS);
  perp_grid_send(g);
  const double size = most / state->grids->unit;
  for (int u = 0; u < n; u++)
    z[u] = size * (double)g->flat[perp_stencil_cell(s, u)];
}

static void apply(void *context, const double *r, double *z)
{
  precondition *state = context;
  state->run->count.cycles++;
  if (state->s)
    apply_grid(state, r, z);
  else
    perp_aggregation_apply(state->a, 0, r, z);
}

extern const perp_linear_hook perp_multilevel_preconditioner;
const perp_linear_hook perp_multilevel_preconditioner = {.open = open, .set = set, .apply = apply};
