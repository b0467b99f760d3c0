/* mprgp.c: modified proportioning with reduced gradient projections, for bounds
 *
 * The gradient y = A x + b is split on the face of x into the free part phi and the chopped part
 * beta, the part of y at the bounds that points into the box. While x is proportional,
 *
 *   |beta|^2 <= Gamma^2 phi~(x)^T phi(x),     phi~: phi cut off if a step alpha leaves the box,
 *
 * conjugate gradient steps minimise on the face. A step that would leave the box ends at the first
 * bound and is followed by one gradient projection, x <- P(x - alpha D^-1 phi): the expansion. If x
 * is not proportional, a step along -beta leaves the bounds that do not hold x: the proportioning
 * (Dostal, Schoberl 2005; Dostal 2009, ch. 5). All norms in the metric D^-1. With multigrid as the
 * preconditioner the whole step is projected instead, if that lowers the energy as much as the step
 * to the bound (Kruzik, Horak, Cermak, Pospisil, Pecha 2020).
 *
 * R-linear convergence for symmetric positive definite A and 0 < alpha < 2 / |D^-1 A|, estimated
 * here by power iterations and halved if an expansion raises the energy. If the solution is not
 * degenerate, the face is found after finitely many steps, and conjugate gradients finish on it.
 * One iteration: one product with A, an expansion two. Workspace: 8 n and the preconditioner. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/convex.h"

enum { RENEWAL = 64, POWER = 15 /* iterations for |D^-1 A| */ };

typedef struct {
  double gamma;
  double alpha;
  int precondition;
} mprgp_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(mprgp_parameters, gamma, 1, 1e-3, 1e3, "proportioning coefficient Gamma"),
    PERP_REAL(mprgp_parameters, alpha, 1.8, 0.01, 2, "length of expansions, times 1 / |D^-1 A|"),
    PERP_CHOICE(mprgp_parameters, precondition, PERP_FACE_JACOBI, 4, perp_face_words,
                "preconditioning of the conjugate gradients on a face"),
    {0},
};

typedef struct {
  perp_face face;
  double *x, *y;
  double *phi;    /* y in the free rows, 0 elsewhere */
  double *p, *Ap; /* direction of the conjugate gradients; x moves along -p */
  double *z;
  double alpha;
  bool fresh; /* p must start again */
} state;

static void move(state *m, double step)
{
  perp_axpy(m->face.n, -step, m->p, m->x);
  perp_axpy(m->face.n, -step, m->Ap, m->y);
  perp_face_project(&m->face, m->x); /* rounding */
}

/* Computes phi. Returns true if x is proportional. */
static bool is_proportional(state *m, double gamma)
{
  const perp_face *f = &m->face;
  double chopped = 0, reduced = 0;
  for (int i = 0; i < f->n; i++) {
    m->phi[i] = f->free[i] ? m->y[i] : 0;
    if (f->free[i]) {
      const double step = m->alpha / f->D[i];
      const double cut = m->y[i] > 0 ? perp_min((m->x[i] - f->lo[i]) / step, m->y[i])
                                     : perp_max((m->x[i] - f->hi[i]) / step, m->y[i]);
      reduced += cut * m->y[i] / f->D[i];
    } else {
      const double beta = perp_face_gradient(f, m->x, m->y, i);
      chopped += beta * beta / f->D[i];
    }
  }
  return chopped <= gamma * gamma * reduced;
}

/* x <- P(x - alpha D^-1 y), over the free rows or over all. */
static void project_gradient(perp_run *run, state *m, bool all)
{
  const perp_face *f = &m->face;
  for (int i = 0; i < f->n; i++)
    if (f->free[i] || all)
      m->x[i] -= m->alpha * m->y[i] / f->D[i];
  perp_face_project(f, m->x);
  perp_run_gradient(run, m->x, m->y);
  m->fresh = true;
}

/* p <- z - (z^T A p / p^T A p) p with z = M^-1 phi; p <- z on a new face. */
static void aim(state *m)
{
  const int n = m->face.n;
  perp_face_precondition(&m->face, m->phi, m->z);
  const double bend = m->fresh ? 0 : perp_dot(n, m->p, m->Ap);
  if (bend > 0) {
    const double beta = perp_dot(n, m->z, m->Ap) / bend;
    for (int i = 0; i < n; i++)
      m->p[i] = m->z[i] - beta * m->p[i];
  } else {
    perp_copy(n, m->z, m->p);
  }
  m->fresh = false;
}

/* Returns the step that minimises along -p; *wall is the step to the first bound. */
static double minimiser(perp_run *run, state *m, double *wall)
{
  const int n = m->face.n;
  perp_run_apply(run, m->p, m->Ap);
  perp_negate(n, m->p, m->z);
  *wall = perp_face_reach(&m->face, m->x, m->z);
  const double slope = perp_dot(n, m->p, m->y), bend = perp_dot(n, m->p, m->Ap);
  return bend > 0 ? perp_max(slope / bend, 0) : INFINITY;
}

/* x <- P(x - best p) if its energy is at most the energy after the step to the first bound;
 * otherwise x stays. A multigrid direction is long and meets many bounds: a step to the first of
 * them would be too short. */
static bool expand_projected(perp_run *run, state *m, double best, double wall)
{
  const int n = m->face.n;
  const double slope = perp_dot(n, m->p, m->y), bend = perp_dot(n, m->p, m->Ap);
  const double limit =
      perp_energy(run->problem, m->x, m->y) - wall * slope + 0.5 * wall * wall * bend;
  perp_copy(n, m->x, m->z);
  perp_copy(n, m->y, m->phi);
  perp_axpy(n, -best, m->p, m->x);
  perp_face_project(&m->face, m->x);
  perp_run_gradient(run, m->x, m->y);
  if (perp_energy(run->problem, m->x, m->y) <= limit) {
    m->fresh = true;
    return true;
  }
  perp_copy(n, m->z, m->x);
  perp_copy(n, m->phi, m->y);
  return false;
}

static void expand(perp_run *run, state *m, double best, double wall)
{
  const perp_problem *p = run->problem;
  if (m->face.multigrid && isfinite(best) && expand_projected(run, m, best, wall))
    return;
  if (isfinite(wall))
    move(m, wall);
  perp_face_take(&m->face, m->x);
  const double before = perp_energy(p, m->x, m->y);
  project_gradient(run, m, !isfinite(wall));
  if (perp_energy(p, m->x, m->y) > before + 1e-12 * fabs(before)) {
    m->alpha *= 0.5;
    run->count.restarts++;
  }
}

static void proportion(perp_run *run, state *m)
{
  const perp_face *f = &m->face;
  for (int i = 0; i < f->n; i++)
    m->p[i] = f->free[i] ? 0 : perp_face_gradient(f, m->x, m->y, i) / f->D[i];
  double wall;
  const double best = minimiser(run, m, &wall), step = perp_min(best, wall);
  if (isfinite(step))
    move(m, step);
  else
    project_gradient(run, m, true);
  m->fresh = true;
}

static perp_error begin(perp_run *run, const mprgp_parameters *par, double *x, state *m)
{
  const size_t n = (size_t)run->problem->K.n;
  *m = (state){.x = x, .fresh = true};
  if (!PERP_TAKE_REALS(run->arena, n, &m->y, &m->phi, &m->p, &m->Ap, &m->z))
    return perp_run_no_memory(run);
  perp_run_gradient(run, x, m->y);
  return perp_face_create(run, (perp_face_kind)par->precondition, &m->face);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const mprgp_parameters *par = params;
  state m;
  perp_error error = begin(run, par, x, &m);
  if (error)
    return error;
  for (int64_t k = 0;; k++) {
    perp_run_merit(run, perp_energy(p, x, m.y));
    if (!perp_run_next(run, x, m.y))
      return PERP_OK;
    if (k == 0) {
      m.alpha = par->alpha / perp_largest_eigenvalue(run, m.face.D, POWER, m.p, m.z);
      perp_face_project(&m.face, x);
    }
    if (k % RENEWAL == 0)
      perp_run_gradient(run, x, m.y);
    if (perp_face_take(&m.face, x))
      m.fresh = true;
    if (!is_proportional(&m, par->gamma)) {
      proportion(run, &m);
      continue;
    }
    aim(&m);
    double wall;
    const double best = minimiser(run, &m, &wall);
    if (best <= wall && isfinite(best))
      move(&m, best);
    else
      expand(run, &m, best, wall);
  }
}

const perp_method perp_method_mprgp = {
    .name = "mprgp",
    .title = "modified proportioning with reduced gradient projections",
    .family = "gradient",
    .reference = true,
    .source = "dostal-2009",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .iteration =
        "CG on the free set, expansion by a projected step, proportioning by the chopped gradient",
    .works = "symmetric positive (semi-)definite A",
    .max_iterations = 20000,
    PERP_SOLVES_WITH(mprgp_parameters),
};
