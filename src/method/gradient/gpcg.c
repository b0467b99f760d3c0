/* gpcg.c: gradient projection to find the face, conjugate gradients to minimise on it
 *
 * Two phases in turn (More, Toraldo 1991), for min 1/2 x^T A x + b^T x over lo <= x <= hi:
 *
 *   gradient projection  x <- P(x - a D^-1 y), a from the minimiser along the projected gradient,
 *                        halved until f(x+) - f(x) <= mu y^T (x+ - x); repeated while the face
 *                        changes and the decrease is not small against the largest of this phase;
 *   conjugate gradients  on the face of x, A_FF w = -y_F, preconditioned; ends when a step gains
 *                        little relative to the best one; then x <- P(x + l w), l halved as above.
 *
 * If all bounds at x hold it there (binding = active), the face is probably right and conjugate
 * gradients continue; they keep their directions if no bound was met, so that on the last face they
 * end after at most |F| steps. Otherwise gradient projection follows. With an incomplete Cholesky
 * factor of A_FF this is the method that Morales, Nocedal and Smelyanskiy (2008) compare with,
 * under the name TRON (Lin, More 1999).
 *
 * Finite for symmetric positive definite A, except for rounding, if the solution is not degenerate.
 * One step of either phase: one product with A, two if a bound is met. Workspace: 10 n and the
 * preconditioner. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/convex.h"

static const double SUFFICIENT = 0.1; /* mu */
static const double LONGEST = 1e10;   /* step along a direction without curvature */

/* A phase ends when a step gains less than this share of its best step. */
static const double GAIN_CG = 0.1, GAIN_GP = 0.25;
enum { MOST_GP = 10 }; /* gradient projections in a phase */

typedef struct {
  int precondition;
} gpcg_parameters;

static const perp_parameter parameters[] = {
    PERP_CHOICE(gpcg_parameters, precondition, PERP_FACE_AUTO, 4, perp_face_words,
                "preconditioning of the conjugate gradients on a face"),
    {0},
};

typedef struct {
  perp_face face;
  double *x, *y;
  double *trial, *y_trial; /* x + w and its gradient */
  double *p, *Ap, *z;
  double rz;     /* r^T M^-1 r of the last conjugate gradient step */
  double cauchy; /* the last step of gradient projection */
  bool going;    /* p and rz are valid */
  bool running;  /* the driver has not ended the run */
} state;

static bool show(perp_run *run, state *g, const double *x, const double *y)
{
  perp_run_merit(run, perp_energy(run->problem, x, y));
  g->running = perp_run_next(run, x, y);
  return g->running;
}

/* Returns f(trial) - f(x) = (trial - x)^T (y + y_trial) / 2; *slope = y^T (trial - x). */
static double change(const state *g, double *slope)
{
  double sum = 0, product = 0;
  for (int i = 0; i < g->face.n; i++) {
    const double d = g->trial[i] - g->x[i];
    sum += d * (g->y[i] + g->y_trial[i]);
    product += d * g->y[i];
  }
  *slope = product;
  return 0.5 * sum;
}

static void accept(state *g)
{
  perp_exchange_vectors(&g->x, &g->trial);
  perp_exchange_vectors(&g->y, &g->y_trial);
}

/* trial <- P(x + l d), l halved until the energy has fallen enough; uses Ad = A d while no bound is
 * met. Accepts the step and returns the gain; 0 if there is none. */
static double search(perp_run *run, state *g, const double *d, const double *Ad, double l)
{
  enum { MOST_HALVINGS = 60 };
  const int n = g->face.n;
  const double wall = perp_face_reach(&g->face, g->x, d);
  for (int k = 0; k < MOST_HALVINGS && !perp_run_expired(run); k++, l *= 0.5) {
    for (int i = 0; i < n; i++)
      g->trial[i] = g->x[i] + l * d[i];
    if (l < wall) {
      for (int i = 0; i < n; i++)
        g->y_trial[i] = g->y[i] + l * Ad[i];
    } else {
      perp_face_project(&g->face, g->trial);
      perp_run_gradient(run, g->trial, g->y_trial);
    }
    double slope;
    const double gain = -change(g, &slope);
    if (gain >= -SUFFICIENT * slope && isfinite(gain)) {
      accept(g);
      return perp_max(gain, 0);
    }
  }
  return 0;
}

/* Makes one step of gradient projection and returns its gain. Rows held by a bound do not move. */
static double project_gradient(perp_run *run, state *g)
{
  const perp_face *f = &g->face;
  double length = 0;
  for (int i = 0; i < f->n; i++) {
    const double y = perp_face_gradient(f, g->x, g->y, i);
    g->p[i] = -y / f->D[i];
    length += y * y / f->D[i];
  }
  perp_run_apply(run, g->p, g->Ap);
  const double bend = perp_dot(f->n, g->p, g->Ap);
  g->cauchy = bend > 0 ? length / bend : perp_min(10 * g->cauchy, LONGEST);
  g->going = false;
  return search(run, g, g->p, g->Ap, g->cauchy);
}

static void find_face(perp_run *run, state *g)
{
  double greatest = 0;
  for (int k = 0; k < MOST_GP; k++) {
    const double gain = project_gradient(run, g);
    const bool moved = perp_face_take(&g->face, g->x);
    if (!show(run, g, g->x, g->y) || (!moved && k > 0) || gain <= GAIN_GP * greatest)
      return;
    greatest = perp_max(greatest, gain);
  }
}

/* z <- M^-1 r with r = -y_trial on the face, p <- z + beta p. Returns false if r is zero. */
static bool aim(state *g)
{
  const perp_face *f = &g->face;
  perp_face_precondition(&g->face, g->y_trial, g->z);
  double rz = 0;
  for (int i = 0; i < f->n; i++)
    rz += g->z[i] * g->y_trial[i];
  const double beta = g->going ? rz / g->rz : 0;
  for (int i = 0; i < f->n; i++)
    g->p[i] = beta != 0 ? beta * g->p[i] - g->z[i] : -g->z[i];
  g->rz = rz;
  g->going = rz > 0 && isfinite(rz);
  return g->going;
}

static bool is_inside(const perp_face *f, const double *x)
{
  for (int i = 0; i < f->n; i++)
    if (x[i] < f->lo[i] || x[i] > f->hi[i])
      return false;
  return true;
}

/* Takes conjugate gradient steps from trial = x and shows every iterate in the box to the driver.
 * Returns true if trial ends in the box. */
static bool minimise_on_face(perp_run *run, state *g)
{
  const int n = g->face.n;
  double greatest = 0;
  bool inside = true;
  perp_copy(n, g->x, g->trial);
  perp_copy(n, g->y, g->y_trial);
  for (int k = 0; k < n + 10; k++) {
    if (!aim(g))
      break;
    perp_run_apply(run, g->p, g->Ap);
    const double bend = perp_dot(n, g->p, g->Ap);
    if (!(bend > 0)) { /* no curvature: gradient projection goes to the bound */
      g->going = false;
      break;
    }
    const double step = g->rz / bend, gain = 0.5 * step * g->rz;
    perp_axpy(n, step, g->p, g->trial);
    perp_axpy(n, step, g->Ap, g->y_trial);
    inside = inside && is_inside(&g->face, g->trial);
    if (!inside || !show(run, g, g->trial, g->y_trial))
      break;
    if (gain <= GAIN_CG * greatest)
      break;
    greatest = perp_max(greatest, gain);
  }
  return inside;
}

/* Returns true if every active bound holds x. */
static bool is_binding(const state *g)
{
  const perp_face *f = &g->face;
  for (int i = 0; i < f->n; i++)
    if (!f->free[i] && perp_face_gradient(f, g->x, g->y, i) != 0)
      return false;
  return true;
}

/* Conjugate gradients and the search along their result, while the face seems right. */
static void refine(perp_run *run, state *g)
{
  const int n = g->face.n;
  do {
    if (minimise_on_face(run, g)) {
      accept(g);
      if (g->running && g->going)
        continue;
      return;
    }
    /* x <- P(x + l w): p and Ap become w and A w */
    for (int i = 0; i < n; i++) {
      g->p[i] = g->trial[i] - g->x[i];
      g->Ap[i] = g->y_trial[i] - g->y[i];
    }
    g->going = false;
    const double gain = search(run, g, g->p, g->Ap, 1);
    perp_face_take(&g->face, g->x);
    if (!show(run, g, g->x, g->y) || gain == 0)
      return;
  } while (is_binding(g));
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const gpcg_parameters *par = params;
  const size_t n = (size_t)p->K.n;
  state g = {.cauchy = 1};
  if (!PERP_TAKE_REALS(run->arena, n, &g.x, &g.y, &g.trial, &g.y_trial, &g.p, &g.Ap, &g.z))
    return perp_run_no_memory(run);
  perp_error error = perp_face_create(run, (perp_face_kind)par->precondition, &g.face);
  if (error)
    return error;
  perp_copy(p->K.n, x, g.x);
  perp_run_gradient(run, g.x, g.y);
  if (show(run, &g, g.x, g.y)) {
    perp_face_project(&g.face, g.x);
    perp_run_gradient(run, g.x, g.y);
    perp_face_take(&g.face, g.x);
  }
  while (g.running) {
    find_face(run, &g);
    if (!g.running)
      break;
    refine(run, &g);
    perp_run_gradient(run, g.x, g.y); /* recomputed: recurrences lose digits */
    run->count.restarts++;
  }
  perp_copy(p->K.n, g.x, x);
  return PERP_OK;
}

const perp_method perp_method_gpcg = {
    .name = "gpcg",
    .title = "gradient projection with conjugate gradients on the face",
    .family = "gradient",
    .source = "more-toraldo-1991",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .iteration = "P(x - t (A x + b)) until the face settles, then preconditioned CG on the face",
    .works = "symmetric positive (semi-)definite A",
    .max_iterations = 20000,
    PERP_SOLVES_WITH(gpcg_parameters),
};
