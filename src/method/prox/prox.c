/* prox.c: the fixed point of the proximal map, for all forms, exact Coulomb cones included
 *
 *   x <- P_K( x - r g(x) ),   g = A x + b,   in a cone  g_n + mu |(g_t, g_o)|  (De Saxce)
 *
 * A fixed point is a solution for every r > 0 (one number, or one for each row or cone); the speed
 * depends on r (Foerg, Geier, Neumann and Ulbrich 2006; Lu and Trinkle). Jacobi style moves all
 * rows with the old x, at one product with A per iteration; Gauss-Seidel style moves row after row
 * or cone after cone with the newest x. The choices of r:
 *
 *   fixed     r as given;
 *   star      r r* with r* = 2 / (eta_max + eta_min), the extreme eigenvalues of (A + A^T) / 2 by
 *             Lanczos steps, best for symmetric A and a fixed active set (eta_min < 0 counts as 0);
 *   contact   r / A_ii in a row, r over the largest eigenvalue of the 3 x 3 block in a cone;
 *   adaptive  below.
 *
 * A fixed r fails in two ways, which Lu and Trinkle show on a particle that only just touches the
 * plane. The multiplier s of the friction pyramid has a zero diagonal: x and s rotate around each
 * other (A is skew there) and s overshoots. Then s comes back along a straight line in steps of r
 * mu p_n, which are tiny because the contact force p_n is.
 *
 * Adaptive r, Jacobi style. D is diagonal, one number per cone, and norms are |v|^2 = v^T D^-1 v; P
 * projects in this norm.
 *
 *   z = P(x - r D g(x)),   w = P(z - r D g(z)),   c = (x - z, z - w) / |x - z|^2
 *
 * Spectral mode, for symmetric A (tested with two random vectors): x <- z, unless |z - w| is above
 * 100 |x - z|, and the next r is r / (1 - c), at most 1000 r. If x - z is an eigenvector of the
 * map, with 1 - r lambda = c, this is 1 / lambda: the step of Barzilai and Borwein (1988), seen
 * through the projection, with c = 1 on a straight line. It converges much faster than any fixed r,
 * but not monotonically, and with friction, which makes the problem unsymmetric, it need not
 * converge at all. Hasty mode, for other A: x <- z only if |z - w| <= |x - z|, and r grows by a
 * fifth, or doubles if |z - w|^2 > 0.8 |x - z|^2: a straight line of length l takes log2(l / t)
 * steps from length t. Cautious mode: the same with |z - w| <= 0.9 |x - z|, since on a bounded set
 * steps of constant length can cycle forever. The next mode follows if the residual has not fallen
 * to 0.9 of its lowest over many iterations.
 *
 * If x <- z is not allowed, a step of the extragradient method (Korpelevich 1976; Khobotov 1987)
 * costs one product more:
 *
 *   w = P(x - r D g(z)),   x <- w,
 *
 * which for monotone g, a skew one too, and every solution x* has
 *
 *   |w - x*|^2 <= |x - x*|^2 - |x - z|^2 - |z - w|^2 + 2 r (w - z)^T (g(x) - g(z)).
 *
 * The step is accepted if the last term is at most 0.9 of the two before it. The literature bounds
 * that term by r |g(x) - g(z)| |w - z|; without this bound, rows at rest on a bound (w_i = z_i) do
 * not count, and r can grow further. If this step is refused too, r is halved and everything is
 * tried again.
 *
 * Adaptive r, Gauss-Seidel style: the r of `contact` times a factor, multiplied by 0.7 if the steps
 * grew eight times in a row, otherwise returning to 1.
 *
 * zeta (constraint force mixing) adds zeta I to A in the iteration: it takes better steps, but
 * solves another problem, with an error of the order of zeta (Lu and Trinkle, figures 4 and 5).
 * Here it acts as a proximal point iteration: g(x) + zeta (x - c) with c the x at which the last
 * such problem was solved well enough, so the limit has x = c and solves the given problem.
 *
 * Merit: 1/2 |phi|^2 with the function of Chen, Chen and Kanzow (2000), xi = 0.7; with cones, for
 * which it is not defined, with the natural map. Workspace: 8 n, and the sweeps'. */
#include "base/elementary.h"
#include "linalg/eigen.h"
#include "linalg/vector.h"
#include "method/contact/contacts.h"
#include "method/system/gather.h"
#include "set/set.h"

typedef struct {
  int style, strategy, order;
  double r, zeta;
} prox_parameters;

enum { JACOBI, GAUSS_SEIDEL };
static const char *const styles[] = {"jacobi", "gauss-seidel", NULL};
enum { ADAPTIVE, FIXED, STAR, CONTACT };
static const char *const strategies[] = {"adaptive", "fixed", "star", "contact", NULL};

static const perp_parameter parameters[] = {
    PERP_CHOICE(prox_parameters, style, JACOBI, 1, styles,
                "all rows with the old x, or each with the newest"),
    PERP_CHOICE(
        prox_parameters, strategy, ADAPTIVE, 3, strategies,
        "choice of r: adapted, as given, r* from extreme eigenvalues, or by row or contact"),
    PERP_CHOICE(prox_parameters, order, PERP_BLOCKS_FORWARD, 3, perp_block_orders,
                "order of the rows in a sweep, in Gauss-Seidel style"),
    PERP_REAL(
        prox_parameters, r, 1.0, 1e-12, 1e12,
        "r if strategy = fixed; else a factor on the r of the strategy (adaptive: the first r)"),
    PERP_REAL(prox_parameters, zeta, 0.0, 0.0, 1e12,
              "proximal term added to the diagonal; the solution stays exact"),
    {0},
};

enum { CENTRE_LIFE = 100 };
static const double MOST_GROWTH = 1000; /* of r in one step */

/* Modes of adaptive steps; if one makes no progress, the next follows. */
enum { SPECTRAL, HASTY, CAUTIOUS };
/* The largest |z - w|^2 / |x - z|^2 of a plain step in each mode. */
static const double slack[] = {1e4, 1, 0.81};
/* Iterations without progress that each mode is allowed. */
static const int patience[] = {1000, 5000};

typedef struct prox {
  perp_run *run;
  const perp_problem *p;
  int n;
  double *d, *w;  /* n: D, the same in the rows of a cone, and D^-1 */
  double *centre; /* n: c, NULL without zeta */
  int mode;       /* of adaptive steps in Jacobi style */
  double zeta;
  double first; /* length of the first step since c was set, < 0: none yet */
  int age;      /* iterations since then */
} prox;

/* ---- The pieces of a step ---- */

/* g <- y + zeta (x - c), and De Saxce's term in cones */
static void make_g(const prox *s, const double *x, const double *y, double *g)
{
  perp_copy(s->n, y, g);
  for (int i = 0; s->centre && i < s->n; i++)
    g[i] += s->zeta * (x[i] - s->centre[i]);
  for (int c = 0; c < s->p->K.cones; c++)
    g[3 * c] += s->p->K.mu[c] * perp_hypot(g[3 * c + 1], g[3 * c + 2]);
}

/* z <- P(x - r D g), friction bounds at the new normals */
static void make_step(const prox *s, const double *x, const double *g, double r, double *z)
{
  for (int i = 0; i < s->n; i++)
    z[i] = x[i] - r * s->d[i] * g[i];
  perp_set_project_in(&s->p->K, s->w, z, z);
}

/* |x - z|^2 in the norm of D^-1 */
static double distance(const prox *s, const double *x, const double *z)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += (x[i] - z[i]) * (x[i] - z[i]) / s->d[i];
  return sum;
}

/* Moves c to x after a step of that length if the problem around c is solved to a quarter. */
static void move_centre(prox *s, const double *x, double length)
{
  if (!s->centre)
    return;
  if (s->first < 0)
    s->first = length;
  if (length <= 0.25 * s->first || ++s->age >= CENTRE_LIFE) {
    perp_copy(s->n, x, s->centre);
    s->first = -1;
    s->age = 0;
  }
}

static void report_merit(const prox *s, const double *x, const double *y)
{
  double merit;
  const perp_merit_kind kind =
      perp_set_has_cones(&s->p->K) ? PERP_MERIT_MINMAP : PERP_MERIT_PENALISED;
  if (perp_problem_merit(s->p, kind, 0.7, x, y, &merit) == PERP_OK)
    perp_run_merit(s->run, merit);
}

/* Calls perp_run_next; computes the merit only if an observer reads it, and at the end. */
static bool next(const prox *s, const double *x, const double *y)
{
  const perp_options *o = s->run->options;
  const bool watched = o->observer || o->merit_tol > 0 || o->merit_rel_tol > 0;
  if (watched)
    report_merit(s, x, y);
  const bool goes_on = perp_run_next(s->run, x, y);
  if (!goes_on && !watched)
    report_merit(s, x, y);
  return goes_on;
}

/* ---- Jacobi style ---- */

static perp_error solve_fixed(prox *s, double r, double *x)
{
  double *y, *g, *z;
  if (!PERP_TAKE_REALS(s->run->arena, (size_t)s->n, &y, &g, &z))
    return perp_run_no_memory(s->run);
  for (;;) {
    perp_run_gradient(s->run, x, y);
    if (!next(s, x, y))
      return PERP_OK;
    make_g(s, x, y, g);
    make_step(s, x, g, r, z);
    const double length = s->centre ? sqrt(distance(s, x, z)) : 0;
    perp_copy(s->n, z, x);
    move_centre(s, x, length);
  }
}

typedef struct trial {
  double *x, *y, *g; /* x, A x + b, g(x) */
  double *z, *Y, *G; /* z, A z + b, g(z) */
  double *w;
} trial;

/* Returns 1 / (1 - c), the factor on r that the step x -> z and the step z -> w after it
 * suggest. */
static double suggest(const prox *s, const trial *t, double step)
{
  double c = 0;
  for (int i = 0; i < s->n; i++)
    c += (t->x[i] - t->z[i]) * (t->z[i] - t->w[i]) / s->d[i];
  return c < (1 - 1 / MOST_GROWTH) * step ? step / (step - c) : MOST_GROWTH;
}

/* w <- P(x - r D g(z)). Returns true if w is closer to every solution (see above). */
static bool corrects(const prox *s, const trial *t, double r, double step)
{
  make_step(s, t->x, t->G, r, t->w);
  double loss = 0;
  for (int i = 0; i < s->n; i++)
    loss += (t->w[i] - t->z[i]) * (t->g[i] - t->G[i]);
  return 2 * r * loss <= 0.9 * (step + distance(s, t->z, t->w));
}

/* Makes one iteration from t->x with an accepted r. Returns false if x no longer moves. */
static bool adaptive_step(prox *s, trial *t, double *r)
{
  enum { MOST_HALVINGS = 60 };
  for (int k = 0; k < MOST_HALVINGS; k++) {
    make_step(s, t->x, t->g, *r, t->z);
    const double step = distance(s, t->x, t->z);
    if (step == 0 && k > 0)
      return false;
    perp_run_gradient(s->run, t->z, t->Y);
    make_g(s, t->z, t->Y, t->G);
    make_step(s, t->z, t->G, *r, t->w);
    const double following = distance(s, t->z, t->w);
    const double suggested = suggest(s, t, step);
    const double cautious = k > 0 ? 1 : following > 0.8 * step ? 2 : 1.2;
    if (following <= slack[s->mode] * step) {
      *r *= s->mode == SPECTRAL ? suggested : cautious;
      perp_exchange_vectors(&t->x, &t->z);
      perp_exchange_vectors(&t->y, &t->Y);
      perp_exchange_vectors(&t->g, &t->G);
      return true;
    }
    if (corrects(s, t, *r, step)) {
      perp_exchange_vectors(&t->x, &t->w);
      perp_run_gradient(s->run, t->x, t->y);
      make_g(s, t->x, t->y, t->g);
      *r *= perp_min(cautious, 1.2);
      return true;
    }
    *r *= 0.5;
    if (perp_run_expired(s->run))
      return true;
  }
  return false;
}

/* Tracks whether the residual recently fell below 0.9 of its lowest; if not, the count starts
 * again. */
typedef struct confidence {
  double lowest;
  int since;
} confidence;

static bool trusts(confidence *c, int most, double residual)
{
  if (residual < 0.9 * c->lowest) {
    c->lowest = residual;
    c->since = 0;
  }
  if (++c->since < most)
    return true;
  *c = (confidence){.lowest = INFINITY};
  return false;
}

static perp_error solve_adaptive(prox *s, double r, double *x)
{
  const size_t n = (size_t)s->n;
  trial t;
  if (!PERP_TAKE_REALS(s->run->arena, n, &t.x, &t.y, &t.g, &t.z, &t.Y, &t.G, &t.w))
    return perp_run_no_memory(s->run);
  perp_copy(s->n, x, t.x);
  perp_run_gradient(s->run, x, t.y);
  confidence trust = {.lowest = INFINITY};
  perp_reduction room;
  const perp_problem own = {s->p->A, s->p->b, perp_set_own(&s->p->K, &room)};
  const double most = 1e12 * r; /* on an unbounded ray x must stay finite */
  while (next(s, t.x, t.y)) {
    make_g(s, t.x, t.y, t.g); /* the centre may have moved */
    if (s->centre)
      perp_copy(s->n, t.x, x);
    if (s->run->count.iterations == 0)
      s->mode = perp_product_is_symmetric(s->run, t.z, t.w, t.Y) ? SPECTRAL : HASTY;
    else if (s->mode < CAUTIOUS &&
             !trusts(&trust, patience[s->mode], perp_problem_residual(&own, t.x, t.y)))
      s->mode++;
    if (!adaptive_step(s, &t, &r)) {
      perp_run_claim(s->run, PERP_STAGNATED);
      break;
    }
    r = perp_min(r, most);
    if (s->centre)
      move_centre(s, t.x, sqrt(distance(s, x, t.x)));
  }
  perp_copy(s->n, t.x, x);
  return PERP_OK;
}

/* ---- Gauss-Seidel style ---- */

typedef struct sweeps {
  const prox *prox;
  const perp_block_list *list;
  const double *x; /* the iterate, for friction bounds */
  double r;        /* factor on D */
  double moved;    /* |x - old x|^2 of this sweep */
} sweeps;

/* x_B <- P(x_B - r D g_B) for a cone or a single row. */
static void move_block(void *context, int block, const double *y, double *x)
{
  sweeps *q = context;
  const prox *s = q->prox;
  const perp_set *K = &s->p->K;
  const int i = q->list->row[q->list->start[block]];
  const int cone = block < K->cones, disc = perp_set_disc(K, i);
  const int rows = cone ? 3 : disc > 0 ? disc : 1;
  double z[PERP_FRICTION_MU];
  for (int k = 0; k < rows; k++)
    z[k] = y[k] + (s->centre ? s->zeta * (x[k] - s->centre[i + k]) : 0);
  if (cone)
    z[0] += K->mu[block] * perp_hypot(z[1], z[2]);
  for (int k = 0; k < rows; k++)
    z[k] = x[k] - q->r * s->d[i + k] * z[k];
  if (cone) {
    perp_set_project_cone(K->mu[block], z);
  } else {
    double lo, hi;
    perp_row_bounds(K, q->x, i, &lo, &hi);
    if (disc > 0)
      perp_set_project_disc(disc, hi, s->w + i, z);
    else
      z[0] = perp_clamp(z[0], lo, hi);
  }
  for (int k = 0; k < rows; k++) {
    q->moved += (z[k] - x[k]) * (z[k] - x[k]) / s->d[i + k];
    x[k] = z[k];
  }
}

static perp_error solve_sweeps(prox *s, double r, bool adaptive, int order, double *x)
{
  perp_block_list list;
  sweeps q = {.prox = s, .list = &list, .x = x, .r = r};
  perp_block_sweeps ordered;
  double *y = perp_run_reals(s->run, (size_t)s->n);
  if (!y)
    return perp_run_no_memory(s->run);
  perp_error error = perp_blocks_list_rows(s->run, &list);
  if (error || (error = perp_blocks_sweeps(s->run, x, &list, order, &ordered)))
    return error;

  double before = INFINITY;
  int rises = 0;
  while (perp_run_next_iterate(s->run, perp_iterate_swept(ordered.relaxer->relaxer, NAN))) {
    q.moved = 0;
    s->run->count.sweeps += perp_block_sweep(&ordered, NULL, list.count, move_block, &q);
    const double length = sqrt(q.moved) / q.r; /* so that a change of r does not count */
    move_centre(s, x, length);
    rises = length > before ? rises + 1 : 0;
    before = length;
    if (adaptive)
      q.r = rises >= 8 ? perp_max(0.7 * q.r, 0.1 * r) : perp_min(1.05 * q.r, r);
    if (rises >= 8)
      rises = 0;
  }
  perp_run_gradient(s->run, x, y);
  report_merit(s, x, y);
  return PERP_OK;
}

/* ---- Step lengths from the matrix ---- */

enum { LANCZOS_STEPS = 40 };

/* y <- (A + A^T) x / 2; A x if A has no product with its transpose */
typedef struct symmetric_part {
  perp_run *run;
  double *room;
} symmetric_part;

static void multiply(void *context, const double *x, double *y)
{
  const symmetric_part *m = context;
  const perp_operator *A = m->run->problem->A;
  perp_run_apply(m->run, x, y);
  if (!A->table->apply_t)
    return;
  A->table->apply_t(A, x, m->room, &m->run->work);
  m->run->count.applies++;
  for (int i = 0; i < A->n; i++)
    y[i] = 0.5 * (y[i] + m->room[i]);
}

/* Estimates r* with up to LANCZOS_STEPS products with A, the same number with its transpose, and
 * the same number of vectors. Refuses a matrix without a positive eigenvalue. */
static perp_error find_star(perp_run *run, double zeta, double *star)
{
  const int n = run->problem->K.n;
  const int steps = n < LANCZOS_STEPS ? n : LANCZOS_STEPS;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  symmetric_part m = {run, perp_run_reals(run, (size_t)n)};
  double *work = perp_run_reals(run, (size_t)perp_lanczos_work(n, steps, true));
  if (!m.room || !work)
    return perp_run_no_memory(run);
  const perp_lanczos e = perp_lanczos_extremes(n, multiply, &m, steps, true, 1e-3, work);
  perp_arena_release(run->arena, mark);
  const double sum = e.eigen_max + perp_max(e.eigen_min, 0) + 2 * zeta;
  if (!e.finite || !(sum > 0))
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "prox needs a matrix with a positive eigenvalue; the largest eigenvalue of A is %g",
        e.eigen_max);
  *star = 2 / sum;
  return PERP_OK;
}

/* Returns A_ii, or 0 if it is below the rounding of its row. */
static double clean_diagonal(const perp_operator *A, int i, double diagonal, int *column,
                             double *value)
{
  double largest = 0;
  const int count = A->table->row(A, i, column, value);
  for (int k = 0; k < count; k++)
    largest = perp_max(largest, fabs(value[k]));
  return diagonal > 1e-12 * largest && diagonal < INFINITY ? diagonal : 0;
}

/* Returns the substitute for an A_ii that is not positive, as of a multiplier of a friction
 * pyramid: the value that elimination of the other rows would give, sum_j A_ij^2 / A_jj. */
static double borrowed_diagonal(const perp_operator *A, int i, const double *diagonal, int *column,
                                double *value)
{
  double sum = 0;
  const int count = A->table->row(A, i, column, value);
  for (int k = 0; k < count; k++)
    if (diagonal[column[k]] > 0)
      sum += value[k] * value[k] / diagonal[column[k]];
  return sum;
}

/* Returns the largest eigenvalue of the symmetric part of the block of a cone. */
static double cone_size(const perp_operator *A, int c, int *column, double *value, int *position,
                        double largest)
{
  const int S[3] = {3 * c, 3 * c + 1, 3 * c + 2};
  double W[9], eigen[3], work[9];
  if (A->table->principal)
    A->table->principal(A, 3, S, W);
  else if (A->table->has_rows)
    perp_principal_by_rows(A, 3, S, column, value, position, W);
  else
    return largest * 3; /* at least the trace, which bounds it */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      W[3 * i + j] = W[3 * j + i] = 0.5 * (W[3 * i + j] + W[3 * j + i]);
  return perp_eigen_symmetric(3, W, 3, eigen, NULL, work) ? eigen[2] : largest * 3;
}

/* D: 1 / (A_ii + zeta) in a row; in the rows of a cone one over the largest eigenvalue of its
 * block, plus zeta. Rows without a positive number use the mean of the others. Cost: a pass over
 * the rows of A, if it has rows. */
static perp_error find_diagonal(perp_run *run, double zeta, double *d)
{
  const perp_operator *A = run->problem->A;
  const int n = A->n, cones = run->problem->K.cones;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  double *diagonal, *value;
  int *column, *position;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(diagonal, n), PERP_ARRAY(value, A->row_capacity),
                 PERP_ARRAY(column, A->row_capacity), PERP_ARRAY(position, n)))
    return perp_run_no_memory(run);
  if (perp_operator_diagonal(A, diagonal, NULL))
    perp_fill(n, 0, diagonal);
  for (int i = 0; A->table->row && i < n && !perp_run_expired_at(run, i); i++)
    diagonal[i] = clean_diagonal(A, i, diagonal[i], column, value);
  double sum = 0;
  int positive = 0;
  const bool time = !perp_run_expired(run);
  for (int i = 0; i < n; i++) {
    position[i] = -1;
    d[i] = diagonal[i];
    if (!(d[i] > 0) && A->table->row && i >= 3 * cones && time)
      d[i] = borrowed_diagonal(A, i, diagonal, column, value);
    if (d[i] > 0 && d[i] < INFINITY) {
      sum += d[i];
      positive++;
    }
  }
  for (int c = 0; c < cones && !perp_run_expired_at(run, c); c++) {
    const double largest = perp_max(d[3 * c], perp_max(d[3 * c + 1], d[3 * c + 2]));
    d[3 * c] = d[3 * c + 1] = d[3 * c + 2] = cone_size(A, c, column, value, position, largest);
  }
  for (int i = 0; i < n; i++) /* a block of m rows is at most m times its diagonal */
    for (int k = 0; k < perp_set_disc(&run->problem->K, i); k++)
      d[i + k] *= perp_set_disc(&run->problem->K, i);
  const double mean = positive > 0 && sum < INFINITY ? sum / positive : 1;
  for (int i = 0; i < n; i++)
    d[i] = 1 / ((d[i] > 0 && d[i] < INFINITY ? d[i] : mean) + zeta);
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

/* ---- The method ---- */

static perp_error prepare(perp_run *run, const prox_parameters *par, const double *x, prox *s,
                          double *r)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (prox){.run = run,
              .p = run->problem,
              .n = run->problem->K.n,
              .zeta = par->zeta,
              .first = -1,
              .d = perp_run_reals(run, n),
              .w = perp_run_reals(run, n),
              .centre = par->zeta > 0 ? perp_run_reals(run, n) : NULL};
  if (!s->d || !s->w || (par->zeta > 0 && !s->centre))
    return perp_run_no_memory(run);
  if (s->centre)
    perp_copy(s->n, x, s->centre);

  double star = 1;
  perp_error error = PERP_OK;
  perp_fill(s->n, 1, s->d);
  if (par->strategy == ADAPTIVE || par->strategy == CONTACT)
    error = find_diagonal(run, s->zeta, s->d);
  else if (par->strategy == STAR)
    error = find_star(run, s->zeta, &star);
  for (int i = 0; i < s->n; i++)
    s->w[i] = 1 / s->d[i];
  *r *= star;
  return error;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const prox_parameters *par = params;
  prox s;
  double r = par->r;
  const perp_error error = prepare(run, par, x, &s, &r);
  if (error || perp_run_expired(run))
    return error;
  if (par->style == GAUSS_SEIDEL)
    return solve_sweeps(&s, r, par->strategy == ADAPTIVE, par->order, x);
  return par->strategy == ADAPTIVE ? solve_adaptive(&s, r, x) : solve_fixed(&s, r, x);
}

const perp_method perp_method_prox = {
    .name = "prox",
    .title = "fixed point of the proximal map",
    .family = "prox",
    .source = "lu-trinkle",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .iteration = "x_c <- P_K(x_c - r_c (A x + b)_c), contact by contact or all at once",
    .works = "positive semi-definite A, skew parts and zero diagonals too; friction mostly",
    .max_iterations = 50000,
    PERP_SOLVES_WITH(prox_parameters),
};
