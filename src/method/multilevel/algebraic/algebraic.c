/* algebraic.c: mg on sparse matrices, the hierarchy by aggregation
 *
 * The cycle of mg.c without a grid: projected sweeps of A, forward before the correction and
 * backward after it. The linear step is a few conjugate gradient iterations on the free rows,
 * preconditioned by aggregation.h, to a tenth of the residual. There is always a line search for
 * the least energy along the projected correction, since the product that it needs also gives the
 * new y:
 *
 *   c' = P(x + c) - x,   a = min(1, -c'^T y / c'^T A c'),   x <- x + a c',   y <- y + a A c'
 *
 * A cold start comes from start.c. If conjugate gradients meet negative curvature, their last
 * iterate is taken. Workspace: 9 n, the sweeps and the hierarchy. */
#include "method/multilevel/algebraic/aggregation.h"

#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "set/set.h"

static const double LINEAR_TOL = 0.1;
enum { LINEAR_MOST = 200, PATIENCE = 100 };

typedef struct state {
  perp_run *run;
  int n;
  perp_relaxer *relaxer;
  perp_aggregation hierarchy;
  bool *in;
  bool set; /* the hierarchy is that of some F */
  double *x, *y, *c, *Ac, *work;
} state;

static void product(void *context, const double *v, double *Av)
{
  state *s = context;
  perp_run_apply(s->run, v, Av);
  for (int i = 0; i < s->n; i++)
    if (!s->in[i])
      Av[i] = 0;
}

static void precondition(void *context, const double *r, double *z)
{
  state *s = context;
  s->run->count.cycles++;
  perp_aggregation_apply(&s->hierarchy, r, z);
}

/* F <- the rows strictly inside; the hierarchy follows. */
static void mark(state *s)
{
  const perp_set *K = &s->run->problem->K;
  bool same = s->set;
  for (int i = 0; i < s->n; i++) {
    const bool now = s->x[i] > perp_set_lo(K, i) && s->x[i] < perp_set_hi(K, i);
    same = same && now == s->in[i];
    s->in[i] = now;
  }
  if (!same)
    perp_aggregation_set(&s->hierarchy, s->in, NULL);
  s->set = true;
}

/* A_FF c = -y_F, approximately. */
static void correction(state *s)
{
  double *r = s->Ac; /* not in use yet */
  for (int i = 0; i < s->n; i++)
    r[i] = s->in[i] ? -s->y[i] : 0;
  perp_fill(s->n, 0, s->c);
  const perp_krylov k = {.n = s->n,
                         .product = product,
                         .context = s,
                         .precondition = precondition,
                         .precondition_context = s,
                         .alarm = perp_run_alarm(s->run),
                         .target = LINEAR_TOL * perp_norm2(s->n, r),
                         .limit = LINEAR_MOST};
  s->run->count.solves += perp_cg(&k, r, s->c, s->work).products;
}

/* x <- x + a (P(x + c) - x) */
static void move(state *s)
{
  const perp_set *K = &s->run->problem->K;
  for (int i = 0; i < s->n; i++) {
    const double to = perp_min(perp_max(s->x[i] + s->c[i], perp_set_lo(K, i)), perp_set_hi(K, i));
    s->c[i] = to - s->x[i];
  }
  perp_run_apply(s->run, s->c, s->Ac);
  const double slope = perp_dot(s->n, s->c, s->y), bend = perp_dot(s->n, s->c, s->Ac);
  const double length = slope < 0 ? (bend > -slope ? -slope / bend : 1) : 0;
  for (int i = 0; i < s->n; i++)
    s->x[i] = perp_min(perp_max(s->x[i] + length * s->c[i], perp_set_lo(K, i)), perp_set_hi(K, i));
}

static perp_error begin(perp_run *run, double *x, state *s)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *s = (state){.run = run, .n = A->n, .x = x};
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->in, n), PERP_ARRAY(s->work, perp_cg_work(A->n))) ||
      !PERP_TAKE_REALS(run->arena, n, &s->y, &s->c, &s->Ac))
    return perp_run_no_memory(run);
  const perp_error error =
      perp_run_relaxer(run, x, 1u << PERP_FORWARD | 1u << PERP_BACKWARD, &s->relaxer);
  if (error || perp_run_expired(run))
    return error;
  return perp_aggregation_open(run, "mg", &s->hierarchy);
}

static void sweep(state *s, int count, perp_order order)
{
  perp_relaxer_load(s->relaxer);
  for (int q = 0; q < count; q++)
    perp_relax(s->relaxer, 1, order);
  perp_relaxer_store(s->relaxer);
  s->run->count.sweeps += count;
}

perp_error perp_algebraic_solve(perp_run *run, perp_smoothing how, bool nested, double *x)
{
  state s;
  perp_error error = begin(run, x, &s);
  if (!error && nested && !perp_run_expired(run))
    error = perp_algebraic_start(run, &s.hierarchy, x);
  if (error || perp_run_expired(run))
    return error;
  perp_run_gradient(run, x, s.y);
  double best = INFINITY;
  for (int stale = 0; stale < PATIENCE;) {
    if (!perp_run_next(run, x, s.y))
      return PERP_OK;
    sweep(&s, how.pre, PERP_FORWARD);
    if (perp_run_expired(run))
      continue;
    mark(&s);
    perp_run_gradient(run, x, s.y);
    correction(&s);
    move(&s);
    sweep(&s, how.post, PERP_BACKWARD);
    perp_run_gradient(run, x, s.y);
    const double residual = perp_problem_residual(run->problem, x, s.y);
    stale = residual < 0.9 * best ? 0 : stale + 1;
    best = perp_min(best, residual);
  }
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}
