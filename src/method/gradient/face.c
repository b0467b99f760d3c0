/* face.c: see face.h. Workspace: 3 n; with the incomplete factor the lower triangle of A twice,
 * with multigrid that of its hierarchy. */
#include "method/gradient/face.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/frame.h"
#include "method/system/gather.h"
#include "method/system/linear.h"
#include "set/set.h"

const char *const perp_face_words[] = {"auto", "none", "jacobi", "incomplete", "mg", NULL};

/* The memory of the factor; none if the memory limit forbids it. */
static perp_error open_factor(perp_run *run, perp_face *f)
{
  perp_gathered lower;
  const perp_error error = perp_gather(run, true, &lower);
  f->incomplete = !error && lower.column;
  if (!f->incomplete)
    return error;
  f->factor = (perp_incomplete){
      .n = lower.n,
      .start = lower.start,
      .column = lower.column,
      .value = lower.value,
      .L = perp_run_reals(run, (size_t)lower.start[lower.n]),
      .work = perp_arena_alloc_zero(run->arena, (size_t)lower.n, sizeof(double)),
      .in = f->free,
      .alarm = perp_run_alarm(run),
  };
  return f->factor.L && f->factor.work ? PERP_OK : perp_run_no_memory(run);
}

static perp_error open_multigrid(perp_run *run, perp_face *f)
{
  f->hook = run->services->multigrid;
  f->F = perp_run_integers(run, (size_t)f->n);
  return f->F ? f->hook->open(run, &f->multigrid) : perp_run_no_memory(run);
}

perp_error perp_face_create(perp_run *run, perp_face_kind kind, perp_face *f)
{
  enum { SHORT_ROW = 60 };
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  const bool rows = p->A->table->row != NULL;
  if (kind == PERP_FACE_INCOMPLETE && !rows)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "an incomplete factor needs rows, and a %s operator has none",
                         p->A->table->kind);
  const bool short_rows = p->A->table->has_rows ? p->A->nonzeros <= SHORT_ROW * (int64_t)p->K.n
                                                : perp_operator_row_capacity(p->A) <= SHORT_ROW;
  if (kind == PERP_FACE_AUTO)
    kind = rows && short_rows ? PERP_FACE_INCOMPLETE : PERP_FACE_JACOBI;
  *f = (perp_face){.n = p->K.n,
                   .lo = perp_run_reals(run, n),
                   .hi = perp_run_reals(run, n),
                   .D = perp_run_reals(run, n),
                   .free = perp_arena_alloc(run->arena, n, sizeof(bool)),
                   .incomplete = kind == PERP_FACE_INCOMPLETE};
  if (!f->lo || !f->hi || !f->D || !f->free)
    return perp_run_no_memory(run);
  for (int i = 0; i < f->n; i++) {
    f->lo[i] = perp_set_lo(&p->K, i);
    f->hi[i] = perp_set_hi(&p->K, i);
    f->free[i] = true;
  }
  perp_metric(p, kind != PERP_FACE_NONE, f->D);
  if (kind == PERP_FACE_MULTIGRID)
    return open_multigrid(run, f);
  return f->incomplete ? open_factor(run, f) : PERP_OK;
}

void perp_face_project(const perp_face *f, double *x)
{
  for (int i = 0; i < f->n; i++)
    x[i] = perp_clamp(x[i], f->lo[i], f->hi[i]);
}

bool perp_face_take(perp_face *f, const double *x)
{
  bool changed = false;
  for (int i = 0; i < f->n; i++) {
    const bool inside = x[i] > f->lo[i] && x[i] < f->hi[i];
    changed = changed || inside != f->free[i];
    f->free[i] = inside;
  }
  f->factored = f->factored && !changed;
  return changed;
}

/* z <- a cycle for A_FF z = r */
static void cycle(perp_face *f, const double *r, double *z)
{
  if (!f->factored) {
    int m = 0;
    for (int i = 0; i < f->n; i++)
      if (f->free[i])
        f->F[m++] = i;
    f->hook->set(f->multigrid, m, f->F, NULL);
    f->factored = true;
  }
  f->hook->apply(f->multigrid, r, z);
  for (int i = 0; i < f->n; i++)
    z[i] = f->free[i] ? z[i] : 0;
}

void perp_face_precondition(perp_run *run, perp_face *f, const double *r, double *z)
{
  if (f->incomplete && !f->factored) {
    f->factored = true;
    f->incomplete = perp_incomplete_factor(&f->factor);
    run->count.factorisations++;
  }
  if (f->multigrid)
    cycle(f, r, z);
  else if (f->incomplete)
    perp_incomplete_solve(&f->factor, r, z);
  else
    for (int i = 0; i < f->n; i++)
      z[i] = f->free[i] ? r[i] / f->D[i] : 0;
  run->count.solves++;
}

double perp_face_reach(const perp_face *f, const double *x, const double *d)
{
  double reach = INFINITY;
  for (int i = 0; i < f->n; i++) {
    if (d[i] > 0)
      reach = perp_min(reach, (f->hi[i] - x[i]) / d[i]);
    else if (d[i] < 0)
      reach = perp_min(reach, (f->lo[i] - x[i]) / d[i]);
  }
  return reach;
}
