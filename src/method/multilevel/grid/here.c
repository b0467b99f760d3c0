/* here.c: mg's grid on the processor, as the loop of mg.c sees it (place.h) */
#include "linalg/vector.h"
#include "method/multilevel/grid/finest.h"
#include "method/multilevel/grid/place.h"

typedef struct here {
  perp_mg_place base; /* first: a perp_mg_place is its own address */
  perp_finest f;
} here;

static here *of(perp_mg_place *p)
{
  return (here *)p;
}

static double residual(perp_mg_place *p)
{
  return perp_finest_residual(&of(p)->f);
}

static void start(perp_mg_place *p, int cycles, perp_smoothing fine, perp_smoothing coarse)
{
  perp_finest_start(&of(p)->f, cycles, fine, coarse);
}

static void sweep(perp_mg_place *p, int count)
{
  perp_finest_sweep(&of(p)->f, count);
}

static double prepare(perp_mg_place *p, int64_t *changed)
{
  *changed = perp_finest_mark(&of(p)->f);
  return perp_finest_restrict(&of(p)->f);
}

static void correct(perp_mg_place *p, perp_smoothing coarse, bool careful)
{
  perp_finest *f = &of(p)->f;
  perp_grids *grids = &f->grids;
  if (grids->count == 1)
    return;
  perp_grid_receive(&grids->grid[1]);
  perp_grids_cycle(grids, 1, coarse);
  perp_grid_send(&grids->grid[1]);
  if (!careful)
    perp_finest_correct(f);
  else if (!perp_finest_correct_searched(f))
    p->failure = perp_run_no_memory(p->run);
}

static bool exceeds(perp_mg_place *p)
{
  return perp_finest_exceeds(&of(p)->f);
}

static perp_error reopen(perp_mg_place *p, double *x)
{
  const perp_error error = perp_finest_open(p->run, x, true, &of(p)->f);
  p->relaxer = of(p)->f.relaxer;
  return error;
}

perp_error perp_mg_here(perp_run *run, double *x, perp_mg_place **place)
{
  here *h = perp_arena_alloc_zero(run->arena, 1, sizeof *h);
  *place = NULL;
  if (!h)
    return perp_run_no_memory(run);
  const perp_error error = perp_finest_open(run, x, false, &h->f);
  h->base = (perp_mg_place){.run = run,
                            .relaxer = h->f.relaxer,
                            .cold = perp_all_zero(run->problem->K.n, x),
                            .residual = residual,
                            .start = start,
                            .sweep = sweep,
                            .prepare = prepare,
                            .correct = correct,
                            .exceeds = exceeds,
                            .reopen = reopen};
  *place = h->f.s ? &h->base : NULL;
  return error;
}
