/* finest.c: grid 0 on the CPU: corrections, free cells, and the perp_mg_place for the loop of
 * mg.c */
#include "method/multilevel/grid/finest.h"
#include "method/run/factor_cache.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "operator/relax.h"

#include <float.h>

enum { BLOCK = 32 };

static const double FAR = 100; /* times the largest lower bound */

/* ---- Free cells ---- */

/* Returns true if some cell of a block became free or stopped being free. */
static bool block_differs(const perp_lattice *g, const uint8_t *state, int64_t c, int count)
{
  uint8_t different = 0;
  if (g->lo)
    for (int m = 0; m < count; m++)
      different |=
          (uint8_t)(((g->x[c + m] > g->lo[c + m]) & (g->x[c + m] < g->hi[c + m])) ^ state[c + m]);
  else
    for (int m = 0; m < count; m++)
      different |= (uint8_t)((g->x[c + m] > 0) ^ state[c + m]);
  return different & PERP_CELL_FREE;
}

static bool is_own(const perp_finest *f, int i, int j, int k)
{
  const int at[3] = {i, j, k};
  bool own = true;
  for (int axis = 0; axis < 3; axis++)
    own = own && at[axis] >= f->own[axis][0] && at[axis] < f->own[axis][1];
  return own;
}

int64_t perp_finest_mark(perp_finest *f)
{
  perp_grids *grids = &f->grids;
  const perp_grid *grid = &grids->grid[0];
  const perp_lattice *g = f->g;
  const double near = f->residual * perp_min(1, 1 / grids->unit);
  const int back = f->residual > 0 ? PERP_CELL_BACK : 0; /* not if only the start was wrong */
  int64_t count = 0, own = 0;
  if (g->unbounded || grids->count == 1)
    return 0;
  for (int row = 0; row < g->ny * g->nz; row++)
    for (int colour = 0; colour < 2; colour++) {
      const int j = row % g->ny, k = row / g->ny, h = (j + k + colour) & 1;
      const int64_t c = perp_lattice_row(g, j, k, colour);
      const int length = perp_lattice_length(g, h);
      for (int m = 0; m < length; m += BLOCK) {
        const int end = m + BLOCK < length ? m + BLOCK : length;
        if (!block_differs(g, grid->state, c + m, end - m))
          continue;
        for (int q = m; q < end; q++) {
          uint8_t *state = grid->state + c + q;
          const double x = g->x[c + q];
          const uint8_t now = perp_cell_marked(*state, g->lo ? x - g->lo[c + q] : x,
                                               g->lo ? g->hi[c + q] - x : INFINITY, near, back);
          if (now == *state)
            continue;
          *state = now;
          if (count < grids->room)
            grids->changed[0][count] = row * g->nx + 2 * q + h;
          count++;
          own += is_own(f, 2 * q + h, j, k);
        }
      }
    }
  /* at first all grids are built: full multigrid has marked coarse cells, too */
  const bool all = f->residual == 0 || count >= grids->room;
  perp_grids_follow(grids, 0, all ? -1 : count);
  return own;
}

/* ---- Corrections ---- */

/* x <- P(keep x + length v) along a row, in branch-free loops; NaN passes through. */
static void add_row(const perp_lattice *g, int64_t c, int count, double keep, double length,
                    const float *restrict v)
{
  double *restrict x = g->x + c;
  if (g->lo) {
    const double *lo = g->lo + c, *hi = g->hi + c;
    for (int m = 0; m < count; m++) {
      const double t = keep * x[m] + length * (double)v[m];
      const double above = t < lo[m] ? lo[m] : t;
      x[m] = above > hi[m] ? hi[m] : above;
    }
  } else if (g->unbounded) {
    for (int m = 0; m < count; m++)
      x[m] = keep * x[m] + length * (double)v[m];
  } else {
    for (int m = 0; m < count; m++) {
      const double t = keep * x[m] + length * (double)v[m];
      x[m] = 0.5 * (t + fabs(t));
    }
  }
}

static void interpolate_colour(perp_finest *f, int colour, float share, double keep, double length)
{
  const perp_lattice *g = f->g;
  const perp_grid *fine = &f->grids.grid[0];
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++) {
      perp_grid_interpolate_row(fine, fine + 1, j, k, colour, share, f->grids.buffer);
      add_row(g, perp_lattice_row(g, j, k, colour), perp_lattice_length(g, (j + k + colour) & 1),
              keep, length, f->grids.buffer);
    }
}

void perp_finest_correct(perp_finest *f)
{
  interpolate_colour(f, 1, f->grids.grid[0].share, 1, PERP_FINE_OVER * f->size);
}

void perp_finest_prolong(perp_finest *f)
{
  for (int colour = 0; colour < 2; colour++)
    interpolate_colour(f, colour, PERP_SHARE_LINEAR, 0, f->size);
}

/* ---- Construction ---- */

static bool take_diagonal(perp_finest *f)
{
  const perp_stencil *s = f->s;
  const perp_grid *grid = &f->grids.grid[0];
  f->common = perp_to_float(s->diagonal / f->grids.unit);
  if (s->mode == PERP_STENCIL_UNIFORM && s->full)
    return true;
  const int64_t margin = grid->row + (grid->axes == 3 ? grid->plane : 0);
  float *array = perp_arena_alloc_zero(f->place.run->arena, (size_t)(margin + 2 * grid->colour),
                                       sizeof *array);
  if (!array)
    return false;
  f->diagonal = array + margin;
  const double per_unit = 1 / f->grids.unit;
  const bool full = s->full, varies = s->mode != PERP_STENCIL_UNIFORM;
  for (int row = 0; row < 2 * grid->n[1] * grid->n[2]; row++) {
    const int j = row / 2 % grid->n[1], k = row / 2 / grid->n[1], h = row % 2;
    float *to = f->diagonal + perp_grid_row(grid, j, k, (j + k + h) & 1);
    const int first = (k * grid->n[1] + j) * grid->n[0] + h, length = perp_grid_length(grid, h);
    for (int m = 0; m < length; m++)
      if (full || perp_stencil_unknown(s, first + 2 * m) >= 0)
        to[m] = (float)(per_unit * (varies ? s->data.diagonal[first + 2 * m] : s->diagonal));
  }
  return true;
}

/* Returns true if there are lower bounds, and no upper bounds or only far ones, which are ignored
 * until some x reaches one. A lo has an error of eps |A| |lo|; so has A x, at best, if some x must
 * be nearly as large. */
bool perp_finest_counts_from_lower(perp_run *run)
{
  const perp_set *K = &run->problem->K;
  const perp_placed_facts *facts = perp_run_placed(run);
  double most = 0, greatest = 0, upper = INFINITY;
  if (!K->lo)
    return false;
  if (facts)
    return facts->lo_size < INFINITY && facts->lo_size <= 8 * facts->lo_most &&
           !perp_placed_hi_is_near(run, FAR * facts->lo_size);
  for (int i = 0; i < K->n; i++) {
    const double lo = perp_set_lo(K, i), size = fabs(lo);
    most = most < size ? size : most;
    greatest = greatest < lo ? lo : greatest;
  }
  for (int i = 0; K->hi && i < K->n; i++)
    upper = perp_min(upper, perp_set_hi(K, i));
  double all[3] = {most, greatest, -upper};
  perp_run_most(run, 3, all);
  return all[0] < INFINITY && all[0] <= 8 * all[1] && -all[2] > FAR * all[0];
}

/* From the lower bounds it is that of 0 <= x - lo _|_ A (x - lo) + (b + A lo) >= 0, whose sweeps read
 * no bounds. */
perp_error perp_finest_relax(perp_finest *f, double *x, bool whole, perp_message *why)
{
  perp_run *run = f->place.run;
  const perp_problem *p = run->problem;
  const double *b = p->b;
  const perp_set *K = &p->K;
  f->from_lower = !whole && perp_finest_counts_from_lower(run);
  if (f->from_lower) {
    double *shifted = perp_run_reals(run, (size_t)p->K.n);
    if (!shifted)
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d unknowns", p->K.n);
    perp_run_gradient(run, p->K.lo, shifted);
    b = shifted;
    f->plain = (perp_set){.n = p->K.n};
    K = &f->plain;
  }
  const perp_error error =
      perp_relaxer_create("mg", &f->s->base, b, K, x, run->options->threads, 1u << PERP_COLOURED,
                          run->arena, &f->place.relaxer, why);
  if (error)
    return error;
  if (f->from_lower)
    perp_stencil_count_from(f->place.relaxer, p->K.lo);
  f->g = perp_stencil_lattice(f->place.relaxer);
  return PERP_OK;
}

/* ---- The hierarchy ---- */

bool perp_finest_begin(perp_finest *f, double unit)
{
  return perp_grids_begin(f->s, unit, false, f->place.run->arena, &f->grids) && take_diagonal(f);
}

bool perp_finest_measure(perp_finest *f)
{
  const int n[3] = {f->g->nx, f->g->ny, f->g->nz};
  for (int axis = 0; axis < 3; axis++) {
    f->own[axis][0] = 0;
    f->own[axis][1] = n[axis];
  }
  f->size = perp_max(f->place.run->scale / f->grids.unit, DBL_MIN);
  f->buffer = perp_run_reals(f->place.run, (size_t)f->g->row);
  return f->buffer;
}

/* The hierarchy of an operator, kept for the next solve. */
typedef struct hierarchy {
  perp_keep keep;
  bool used;        /* by a solve: cells may not be free */
  perp_finest made; /* s, the grids and their diagonal */
} hierarchy;

static perp_error open_hierarchy(perp_run *run, const void *plan, void **state)
{
  (void)plan;
  hierarchy *h = perp_arena_alloc_zero(run->arena, 1, sizeof *h);
  if (!h)
    return perp_run_no_memory(run);
  *state = h;
  perp_finest *f = &h->made;
  f->place.run = run;
  const perp_error error = perp_grids_stencil(run, run->arena, &f->s);
  if (error || (f->s && perp_run_expired(run)))
    return error;
  if (f->s &&
      (!perp_finest_begin(f, perp_grids_unit(f->s)) || !perp_grids_extend(&f->grids, run->arena)))
    return perp_run_no_memory(run);
  h->keep.whole = true;
  return PERP_OK;
}

static bool reopen_hierarchy(void *state, perp_run *run, const void *plan, bool holds)
{
  hierarchy *h = state;
  (void)plan;
  if (perp_operator_is_stencil(run->problem->A))
    h->made.s = (const perp_stencil *)run->problem->A;
  return holds;
}

static const perp_keeper keeper = {.open = open_hierarchy, .reopen = reopen_hierarchy};

/* Builds stale grids again, with every unknown free. With bounds the first mark does that, unless
 * full multigrid comes before it. */
static void renew(perp_finest *f)
{
  if (f->stale)
    perp_grids_follow(&f->grids, 0, -1);
  f->stale = false;
}

/* Opens the hierarchy and the relaxer at x, if A is a grid; otherwise f->s is NULL. */
static perp_error open_finest(perp_finest *f, double *x, bool whole)
{
  perp_run *run = f->place.run;
  void *state;
  perp_error error = perp_keep_open(run, &keeper, &keeper, NULL, &state);
  hierarchy *h = state;
  f->residual = 0;
  if (h) {
    f->s = h->made.s;
    f->grids = h->made.grids;
    f->diagonal = h->made.diagonal;
    f->common = h->made.common;
    f->stale = h->used;
    if (h->used)
      perp_grids_release(&f->grids);
    h->used = h->keep.whole && f->s;
  }
  perp_keep_close(&keeper, run, state);
  if (error || !f->s || perp_run_expired(run))
    return error;
  perp_message why = {{0}};
  error = perp_finest_relax(f, x, whole, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  if (!perp_finest_measure(f))
    return perp_run_no_memory(run);
  if (f->g->unbounded)
    renew(f);
  perp_finest_place(f);
  return PERP_OK;
}

/* ---- The perp_mg_place for mg.c ---- */

static perp_finest *of(perp_mg_place *p)
{
  return (perp_finest *)p;
}

static double residual(perp_mg_place *p)
{
  perp_finest *f = of(p);
  perp_finest_make(f, PERP_GRID_NATURAL);
  perp_run_most(p->run, 1, &f->natural);
  return f->natural;
}

static void step(perp_mg_place *p, int op)
{
  perp_finest_make(of(p), op);
}

static double prepare(perp_mg_place *p, int64_t *changed)
{
  perp_finest_make(of(p), PERP_GRID_PREPARE);
  *changed = of(p)->changed;
  return perp_finest_restrict(of(p));
}

static void cycle(perp_mg_place *p, bool start)
{
  perp_finest *f = of(p);
  if (start) {
    renew(f);
    perp_flow_start(f->flow, &p->plan, 1);
    return;
  }
  perp_finest_make(f, PERP_GRID_GATHER);
  perp_flow_cycle(f->flow, &p->plan, 1);
}

static void search(perp_mg_place *p, double energy[2])
{
  memcpy(energy, of(p)->energy, sizeof of(p)->energy);
  perp_run_sum(p->run, 2, energy);
}

static bool exceeds(perp_mg_place *p)
{
  const perp_set *K = &p->run->problem->K;
  const double *x = p->relaxer->x;
  if (!of(p)->from_lower || !K->hi)
    return false;
  double over = 0;
  perp_relaxer_store(p->relaxer);
  for (int i = 0; i < K->n && over == 0; i++)
    over = x[i] > perp_set_hi(K, i);
  perp_run_most(p->run, 1, &over);
  return over != 0;
}

static perp_error reopen(perp_mg_place *p, double *x)
{
  return open_finest(of(p), x, true);
}

void perp_finest_place(perp_finest *f)
{
  perp_mg_place *p = &f->place;
  p->residual = residual;
  p->step = step;
  p->prepare = prepare;
  p->cycle = cycle;
  p->search = search;
  p->exceeds = exceeds;
  p->plan.count = f->grids.count;
  p->plan.set = (int)perp_finest_set(f);
}

perp_error perp_mg_on_cpu(perp_run *run, double *x, perp_mg_place **place)
{
  perp_finest *f = perp_arena_alloc_zero(run->arena, 1, sizeof *f);
  *place = NULL;
  if (!f)
    return perp_run_no_memory(run);
  f->place =
      (perp_mg_place){.run = run, .cold = perp_all_zero(run->problem->K.n, x), .reopen = reopen};
  f->flow = (perp_flow){.step = perp_finest_flow_step, .who = f, .whole = true};
  const perp_error error = open_finest(f, x, false);
  *place = f->s ? &f->place : NULL;
  return error;
}
