/* face.c: see face.h. Workspace: 4 n and the preconditioner. */
#include "method/gradient/face.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/frame.h"
#include "set/set.h"

const char *const perp_face_words[] = {"auto", "none", "jacobi", "incomplete", "mg", NULL};

/* In the order of perp_face_kind. */
static const perp_linear_preconditioner kinds[] = {
    PERP_PRECONDITION_AUTO, PERP_PRECONDITION_NONE, PERP_PRECONDITION_JACOBI,
    PERP_PRECONDITION_IC,   PERP_PRECONDITION_MG,
};

perp_error perp_face_create(perp_run *run, perp_face_kind kind, perp_face *f)
{
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  *f = (perp_face){.n = p->K.n};
  if (!PERP_TAKE_REALS(run->arena, n, &f->lo, &f->hi, &f->D) ||
      !PERP_TAKE_INTEGERS(run->arena, n, &f->F) || !PERP_TAKE(run->arena, PERP_ARRAY(f->free, n)))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&p->K, f->lo, f->hi);
  for (int i = 0; i < f->n; i++)
    f->free[i] = true;
  perp_metric(p, kind != PERP_FACE_NONE, f->D);
  f->multigrid = kind == PERP_FACE_MULTIGRID;
  const perp_error error =
      perp_preconditioner_open(run, kinds[kind], true, true, f->free, NULL, &f->M);
  if (!error) /* 1 in all rows if one entry of the diagonal is not positive */
    perp_copy(f->n, f->D, f->M.diagonal);
  return error;
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
  f->set = f->set && !changed;
  return changed;
}

void perp_face_precondition(perp_face *f, const double *r, double *z)
{
  if (!f->set) {
    int m = 0;
    for (int i = 0; i < f->n; i++)
      if (f->free[i])
        f->F[m++] = i;
    perp_preconditioner_set(&f->M, m, f->F, NULL);
    f->set = true;
  }
  perp_preconditioner_apply(&f->M, r, z);
  for (int i = 0; i < f->n; i++)
    z[i] = f->free[i] ? z[i] : 0;
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
