/* lemke.c: Lemke's complementary pivoting method, for LCP and mixed problems, and friction
 *
 *   w = A z + b + d z0,   w, z, z0 >= 0,   w_i z_i = 0,     d > 0
 *
 * holds for z = 0 and z0 large. z0 is lowered until some w_i reaches zero; from then on the
 * complement of what has just left the basis enters it, until z0 leaves (z solves the problem) or
 * nothing blocks the entering variable (a ray). Ends after finitely many pivots; solves every
 * problem with a P-matrix, and every feasible one with a positive semi-definite or
 * copositive-plus matrix (Lemke 1965; Cottle, Pang, Stone 1992, 4.4).
 *
 * Problems with friction indices: friction.c.
 *
 * Start from a basis. With the complementary basic values x_B = (z_alpha, w_beta) of any
 * alpha with regular A_alpha,alpha, and d = [w - A z] at x_B = (1, ..., 1), z0 raises all of
 * them alike: the method on the principal transform, whose class is that of A for P-matrices and
 * semi-definite ones. Free variables are in alpha from the start and never leave; if their block is
 * singular, see path.c.
 *
 * Path and ratio test: path.c. Cost: O(n m + m^2) per pivot with m positive x_i at the time, see
 * basis_exchange.c. Workspace: n m + 2 m^2 doubles; sparse operators m^2. */
#include "base/random.h"
#include "linalg/vector.h"
#include "method/pivoting/lemke/path.h"
#include "method/run/certificate.h"
#include "set/set.h"

typedef struct {
  int cover, scaling, warm, retries;
} lemke_parameters;

typedef enum cover_kind { COVER_SCALED, COVER_ONES, COVER_RANDOM } cover_kind;

static const char *const covers[] = {"scaled", "ones", "random", NULL};
static const char *const scalings[] = {"none", "symmetric", "both", NULL};

static const perp_parameter parameters[] = {
    PERP_CHOICE(lemke_parameters, cover, COVER_SCALED, 2, covers,
                "covering vector d: ones in the scaled rows, ones in the given rows, or random"),
    PERP_CHOICE(lemke_parameters, scaling, PERP_LEMKE_SCALE_SYMMETRIC, 2, scalings,
                "scaling of rows and columns by powers of two; `both` does not keep definiteness"),
    PERP_FLAG(lemke_parameters, warm, 1, "start from the basis of the positive entries of x"),
    PERP_INTEGER(lemke_parameters, retries, 8, 0, 1000,
                 "further starts to try after a ray that proves nothing"),
    {0},
};

enum { MOST_RESTARTS = 6, MOST_PIVOTS = 10000000 };

static const double NEGLIGIBLE = 1e-9; /* for b of size 1, a basic variable below minus this is
                                        * wrong */

typedef struct lemke {
  perp_lemke_path path;
  const lemke_parameters *par;
  perp_random random;
  int *pattern; /* n: variables of the basis to start from */
  bool warm;    /* the pattern has more than the free variables */
  double *b;    /* n: the scaled right-hand side without perturbation */
  double perturbation;
  cover_kind cover;
  double *trial; /* n */
  double *best;  /* n, of residual best_residual */
  double best_residual;
} lemke;

static perp_error create(lemke *l, perp_run *run, const lemke_parameters *par,
                         perp_lemke_scaling scaling)
{
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  perp_lemke_path *t = &l->path;
  perp_lemke *s = &t->basis;
  *l = (lemke){.par = par, .cover = (cover_kind)par->cover, .best_residual = INFINITY};
  l->random = perp_random_from(run->options->seed);
  const perp_error error = perp_lemke_create(s, run, scaling);
  if (error)
    return error;
  int *is_free;
  if (!PERP_TAKE_INTEGERS(run->arena, n + 1, &is_free, &t->candidate, &t->fixed, &l->pattern) ||
      !PERP_TAKE_REALS(run->arena, n + 1, &t->w, &t->w_rate, &t->x, &t->y, &t->blocking, &l->b,
                       &l->trial, &l->best))
    return perp_run_no_memory(run);
  perp_fill((int64_t)n, 0, t->w); /* branch-free loops also read it if w_i is not basic */

  t->shown = INFINITY;
  t->is_free = is_free;
  t->limit = run->options->max_iterations ? run->options->max_iterations
                                          : run->count.iterations + MOST_PIVOTS;
  for (int i = 0; i < s->n; i++) {
    is_free[i] = perp_set_lo(&p->K, i) == -INFINITY;
    l->b[i] = s->row_scale[i] * p->b[i];
  }
  const double size = perp_norm_inf(s->n, l->b);
  int exponent;
  frexp(size, &exponent);
  t->unit = size > 0 ? ldexp(1, exponent) : 1;
  perp_multiply(s->n, 1 / t->unit, l->b);
  return PERP_OK;
}

/* ---- Points ---- */

/* Computes the point of the current complementary basis, refined. Returns its natural residual. */
static double finish(lemke *l, double *x)
{
  perp_lemke_path *t = &l->path;
  perp_lemke *s = &t->basis;
  perp_run *run = s->run;
  double residual = INFINITY;
  for (int attempt = 0; attempt < 2 && residual > run->target; attempt++) {
    bool regular = true;
    if (attempt > 0 && (perp_lemke_factor(s, &regular) || !regular))
      break;
    const double enough = 1e-14 * (1 + perp_norm_inf(s->m, s->value));
    for (int k = 0; k < 4 && s->m > 0; k++)
      if (perp_lemke_refine(s, true) <= enough)
        break;
    perp_lemke_point(t, x);
    perp_run_gradient(run, x, s->product);
    residual = perp_problem_residual(run->problem, x, s->product);
  }
  if (residual < l->best_residual) {
    l->best_residual = residual;
    memcpy(l->best, x, (size_t)s->n * sizeof *x);
  }
  return residual;
}

/* ---- Starts ---- */

/* Sets d > 0 and C = (d_r) for the least b_r / d_r; of ties the last, by the lexicographic
 * order. */
static perp_error start_cold(lemke *l, perp_lemke_ending *ending)
{
  perp_lemke_path *t = &l->path;
  perp_lemke *s = &t->basis;
  int r = -1;
  for (int i = 0; i < s->n; i++) {
    s->cover[i] = l->cover == COVER_SCALED ? 1
                  : l->cover == COVER_ONES ? s->row_scale[i]
                                           : perp_random_between(&l->random, 1, 2);
    if (!t->is_free[i] && (r < 0 || s->b[i] / s->cover[i] <= s->b[r] / s->cover[r]))
      r = i;
  }
  if (r < 0 || s->b[r] >= 0) {
    *ending = PERP_LEMKE_BASIS;
    return PERP_OK;
  }
  bool regular;
  perp_error error = perp_lemke_list(s, r, s->n);
  if (error || (error = perp_lemke_factor(s, &regular)))
    return error;
  s->value[0] = -s->b[r] / s->cover[r];
  if (!regular && perp_run_expired(s->run)) {
    *ending = PERP_LEMKE_STOPPED;
    return PERP_OK;
  }
  perp_lemke_recompute(t);
  t->entering = r;
  t->entering_w = false;
  perp_lemke_enter_z(s, r);
  return PERP_OK;
}

/* Returns the least basic variable: its row, or ~place for its place in C. */
static int least_basic(const perp_lemke_path *t, double *least)
{
  const perp_lemke *s = &t->basis;
  int at = 0;
  *least = INFINITY;
  for (int i = 0; i < s->n; i++)
    if (s->row_at[i] < 0 && !t->is_free[i] && t->w[i] <= *least)
      *least = t->w[at = i];
  for (int c = 0; c < s->m; c++)
    if (!t->is_free[s->columns[c]] && s->value[c] <= *least) {
      *least = s->value[c];
      at = ~c;
    }
  return at;
}

/* d such that z0 raises every bounded basic variable at the rate 1. */
static void cover_basis(perp_lemke_path *t)
{
  perp_lemke *s = &t->basis;
  for (int i = 0; i < s->n; i++)
    s->next[i] = s->row_at[i] < 0 && !t->is_free[i] ? 1 : 0;
  for (int c = 0; c < s->m; c++)
    s->u[c] = t->is_free[s->columns[c]] ? 0 : 1;
  perp_lemke_product(s, s->next, -1, s->u, true, s->cover);
}

/* Exchanges z0 for the least basic variable. */
static perp_error bring_cover(perp_lemke_path *t, int at, double least, perp_lemke_ending *ending)
{
  perp_lemke *s = &t->basis;
  perp_error error = PERP_OK;
  cover_basis(t);
  for (int c = 0; c < s->m; c++)
    s->value[c] -= t->is_free[s->columns[c]] ? 0 : least;
  t->entering_w = at < 0;
  t->entering = at < 0 ? s->columns[~at] : at;
  if (at < 0) {
    perp_lemke_enter_z(s, s->n);
    perp_lemke_z_for_z(s, s->n, ~at);
    s->value[~at] = -least;
  } else {
    error = perp_lemke_list(s, at, s->n);
    if (!error)
      s->value[s->m - 1] = -least;
  }
  bool regular = true;
  if (error || (error = perp_lemke_factor(s, &regular)))
    return error;
  if (!regular) {
    *ending = PERP_LEMKE_SINGULAR;
    return PERP_OK;
  }
  perp_lemke_refine(s, true);
  perp_lemke_recompute(t);
  if (at < 0)
    perp_lemke_enter_w(s, t->entering);
  else
    perp_lemke_enter_z(s, t->entering);
  return PERP_OK;
}

static void clear_pattern(lemke *l)
{
  l->warm = false;
  memcpy(l->pattern, l->path.is_free, (size_t)l->path.basis.n * sizeof *l->pattern);
}

static void pattern_of_basis(lemke *l)
{
  const perp_lemke *s = &l->path.basis;
  clear_pattern(l);
  for (int c = 0; c < s->m; c++)
    if (s->columns[c] < s->n) {
      l->pattern[s->columns[c]] = 1;
      l->warm = true;
    }
}

static void pattern_of_point(lemke *l, const double *x)
{
  clear_pattern(l);
  for (int i = 0; i < l->path.basis.n; i++)
    if (!l->path.is_free[i] && x[i] > 0)
      l->pattern[i] = l->warm = 1;
}

/* Makes a basis of two to start from after a ray: raises z_k, chosen at random, until every w_i
 * that it raises is nonnegative, and adds the z of the last such row s. On a bimatrix game this is
 * the start of Lemke and Howson (1964), s being the best answer to k. */
static void pattern_of_pair(lemke *l)
{
  perp_lemke *s = &l->path.basis;
  clear_pattern(l);
  const int k = perp_random_below(&l->random, s->n);
  int last = -1;
  double most = 0;
  perp_lemke_fetch(s, k, s->next);
  for (int i = 0; i < s->n; i++)
    if (s->next[i] > 0 && !l->path.is_free[i] && -l->b[i] > most * s->next[i]) {
      most = -l->b[i] / s->next[i];
      last = i;
    }
  if (last < 0 || l->path.is_free[k])
    return;
  l->pattern[k] = l->pattern[last] = 1;
  l->warm = true;
}

/* Sets the basis of the pattern; *regular is false if it is singular. */
static perp_error list_pattern(lemke *l, bool *regular)
{
  perp_lemke *s = &l->path.basis;
  perp_error error = PERP_OK;
  int count = 0, *rows = l->path.candidate; /* no path is active */
  for (int i = 0; i < s->n; i++)
    if (l->pattern[i])
      rows[count++] = i;
  perp_lemke_clear(s);
  *regular = !perp_run_expired(s->run);
  if (*regular && perp_lemke_recall(s, count, rows))
    return PERP_OK;
  for (int k = 0; k < count && !error && !perp_run_expired(s->run); k++)
    error = perp_lemke_list(s, rows[k], rows[k]);
  *regular = !perp_run_expired(s->run);
  if (!error && *regular && s->m > 0)
    error = perp_lemke_factor(s, regular);
  if (!error && *regular)
    perp_lemke_keep(s);
  return error;
}

/* Returns true if there is time for the basis of the pattern, or else for the free variables. */
static bool is_in_time(lemke *l)
{
  perp_lemke *s = &l->path.basis;
  for (int attempt = 0; attempt < 2; attempt++) {
    int m = 0;
    for (int i = 0; i < s->n; i++)
      m += l->pattern[i];
    if (perp_run_affords(s->run, perp_lemke_flops(m)))
      return true;
    clear_pattern(l);
  }
  return false;
}

static perp_error start(lemke *l, perp_lemke_ending *ending)
{
  perp_lemke_path *t = &l->path;
  perp_lemke *s = &t->basis;
  for (int i = 0; i < s->n; i++)
    s->b[i] = l->b[i] + l->perturbation * perp_random_between(&l->random, 0.5, 1);
  *ending = PERP_LEMKE_GOING;
  t->fresh = true;
  if (!is_in_time(l)) {
    perp_run_too_long(s->run, "a basis", s->n);
    *ending = PERP_LEMKE_STOPPED;
    return PERP_OK;
  }
  bool regular;
  perp_error error = list_pattern(l, &regular);
  if (!error && !regular && l->warm) {
    clear_pattern(l);
    error = list_pattern(l, &regular);
  }
  if (!error && !regular)
    error = perp_lemke_place_free(t, &regular);
  if (error)
    return error;
  if (!regular && perp_run_expired(s->run)) {
    *ending = PERP_LEMKE_STOPPED;
    return PERP_OK;
  }
  if (!regular)
    return perp_run_fail(s->run, PERP_ERROR_UNSUPPORTED,
                         "lemke: no nonsingular basis contains all free variables");
  t->fixed_count = 0;
  for (int i = 0; i < s->n; i++)
    if (t->is_free[i] && s->row_at[i] < 0)
      t->fixed[t->fixed_count++] = i;
  if (s->m == 0)
    return start_cold(l, ending);

  double least;
  perp_fill(s->m, 0, s->value);
  for (int k = 0; k < 3; k++)
    perp_lemke_refine(s, k > 0);
  perp_lemke_recompute(t);
  const int at = least_basic(t, &least);
  /* if nothing can raise it, a value below 0 by rounding only would start a ray */
  if (least >= 0 || (least >= -NEGLIGIBLE && finish(l, l->trial) <= s->run->target)) {
    *ending = PERP_LEMKE_BASIS;
    return PERP_OK;
  }
  return bring_cover(t, at, least, ending);
}

/* ---- Rays ----
 *
 * The direction of the ray satisfies w~ = A z~ + d z0~, z~^T w~ = 0. For copositive A 0 <= z~^T A
 * z~ = -z0~ d^T z~, so z0~ = 0; copositive-plus then gives (A + A^T) z~ = 0, so A^T z~ = -A
 * z~ = -w~ <= 0, and z~ is orthogonal to the end point's w, its z to w~, so
 *
 *   0 = z~^T (A z + b + d z0) = -z^T w~ + z~^T b + z0 d^T z~,   b^T z~ = -z0 d^T z~ < 0
 *
 * u = z~ proves the problem infeasible. The class of A need not be known: the three inequalities
 * are checked exactly for this u, and the outcome is "infeasible" only if they hold. */

/* Computes z~ of the ray in the units of `scale`, largest entry 1; all but free ones at least 0. */
static void ray_direction(const perp_lemke_path *t, const double *scale, double *ray)
{
  const perp_lemke *s = &t->basis;
  perp_fill(s->n, 0, ray);
  for (int c = 0; c < s->m; c++)
    if (s->columns[c] < s->n)
      ray[s->columns[c]] = -s->v[c];
  if (!t->entering_w)
    ray[t->entering] = 1;
  const double noise = 1e-13 * perp_norm_inf(s->n, ray);
  for (int i = 0; i < s->n; i++)
    ray[i] = t->is_free[i] || ray[i] > noise ? ray[i] * scale[i] : 0;
  const double largest = perp_norm_inf(s->n, ray);
  if (largest > 0)
    perp_multiply(s->n, 1 / largest, ray);
}

/* Tests if the ray proves that there is no solution; if so, or if it is the last attempt, claims
 * the outcome. */
static perp_error judge_ray(perp_lemke_path *t, bool last, bool *claimed)
{
  perp_run *run = t->basis.run;
  double *ray = perp_run_reals(run, (size_t)t->basis.n);
  if (!ray)
    return perp_run_no_memory(run);
  ray_direction(t, t->basis.row_scale, ray);
  *claimed = last;
  if (perp_certificate_claim(run, ray)) {
    perp_run_say(run, "no solution: the ray after %lld pivots proves it exactly",
                 (long long)run->count.pivots);
    *claimed = true;
    return PERP_OK;
  }
  if (last) {
    ray_direction(t, t->basis.column_scale, ray);
    perp_run_claim(run, PERP_RAY);
    perp_run_say(run, "found a ray after %lld pivots; it does not prove that there is no solution",
                 (long long)run->count.pivots);
  }
  perp_run_ray(run, ray);
  return PERP_OK;
}

/* ---- Endings ---- */

/* Chooses the start of the next path after a path without a result. */
static void plan(lemke *l, perp_lemke_ending ending, int rays)
{
  const bool was_perturbed = l->perturbation > 0;
  switch (ending) {
  case PERP_LEMKE_BASIS: /* of the perturbed problem, or not accurate enough */
    pattern_of_basis(l);
    l->perturbation = 0;
    break;
  case PERP_LEMKE_RAY:
    if (rays == 0) {
      clear_pattern(l);
    } else {
      l->cover = COVER_RANDOM;
      pattern_of_pair(l);
    }
    break;
  case PERP_LEMKE_LOST:
    pattern_of_basis(l);
    break;
  default:
    clear_pattern(l);
    l->perturbation = was_perturbed ? 100 * l->perturbation : 1e-10;
  }
  l->path.basis.run->count.restarts++;
}

static const char *name_of(perp_lemke_ending ending)
{
  switch (ending) {
  case PERP_LEMKE_BASIS:
    return "the final basis is too ill-conditioned";
  case PERP_LEMKE_CYCLE:
    return "a basis repeated, also with a perturbed b";
  case PERP_LEMKE_SINGULAR:
    return "the bases are singular up to rounding";
  default:
    return "the bases are too ill-conditioned to stay feasible";
  }
}

/* Returns true if the start of the ray, where z0 is nearly 0, is a solution. */
static bool is_solution(lemke *l, double *x)
{
  perp_lemke *s = &l->path.basis;
  perp_lemke_point(&l->path, x);
  perp_run_gradient(s->run, x, s->product);
  return perp_problem_residual(s->run->problem, x, s->product) <= s->run->target;
}

/* Follows paths until one gives a result. If not *settled, `ending` belongs to the last path. */
static perp_error follow_paths(lemke *l, double *x, bool last, bool *settled,
                               perp_lemke_ending *ending)
{
  const lemke_parameters *par = l->par;
  perp_run *run = l->path.basis.run;
  perp_error error;
  int rays = 0;
  *settled = true;
  for (int restart = 0; restart <= MOST_RESTARTS + par->retries; restart++) {
    if ((error = start(l, ending)))
      return error;
    if (*ending == PERP_LEMKE_GOING && (error = perp_lemke_follow(&l->path, ending)))
      return error;
    if (*ending == PERP_LEMKE_STOPPED) {
      perp_lemke_point(&l->path, x);
      return PERP_OK;
    }
    if ((*ending == PERP_LEMKE_BASIS && finish(l, x) <= run->target) ||
        (*ending == PERP_LEMKE_RAY && is_solution(l, x))) {
      perp_run_claim(run, PERP_SOLVED);
      return PERP_OK;
    }
    if (*ending == PERP_LEMKE_RAY) {
      rays += !l->warm || rays > 0; /* a ray from a warm start does not count: a cold start
                                     * follows */
      const bool enough = rays > par->retries;
      error = judge_ray(&l->path, enough && last, settled);
      if (error || *settled)
        return error;
      *settled = true;
      if (enough)
        break;
    }
    plan(l, *ending, rays);
    if (perp_run_expired(run))
      break;
  }
  *settled = false;
  return PERP_OK;
}

extern const perp_method perp_method_lemke;

/* Scaling rows and columns independently keeps the P property, but not definiteness: it comes
 * second. */
static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const lemke_parameters *par = params;
  if (!perp_run_next(run, x, NULL))
    return PERP_OK;
  if (perp_set_form(&p->K) == PERP_FORM_FINDEX)
    return perp_lemke_solve_friction(run, &perp_method_lemke, params, x);
  const bool twice = par->scaling == PERP_LEMKE_SCALE_SYMMETRIC && par->retries > 0;
  double *start_x, *best, best_residual = INFINITY;
  if (!PERP_TAKE_REALS(run->arena, (size_t)p->K.n, &start_x, &best))
    return perp_run_no_memory(run);
  const perp_arena_mark after = perp_arena_hold(run->arena);
  perp_copy(p->K.n, x, start_x);
  for (int round = 0; round <= twice; round++) {
    lemke l;
    bool settled;
    perp_lemke_ending ending = PERP_LEMKE_GOING;
    perp_arena_release(run->arena, after);
    const perp_lemke_scaling scaling =
        round == 0 ? (perp_lemke_scaling)par->scaling : PERP_LEMKE_SCALE_BOTH;
    perp_error error = create(&l, run, par, scaling);
    if (error)
      return error;
    if (par->warm)
      pattern_of_point(&l, start_x);
    else
      clear_pattern(&l);
    error = follow_paths(&l, x, round == twice, &settled, &ending);
    perp_lemke_close(&l.path.basis);
    if (error || settled)
      return error;
    if (l.best_residual < best_residual) {
      best_residual = l.best_residual;
      perp_copy(p->K.n, l.best, best);
    }
    if (round == twice || perp_run_expired(run)) {
      perp_run_claim(run, PERP_STAGNATED);
      perp_run_say(run, "%s", name_of(ending));
      break;
    }
    run->count.restarts++;
  }
  if (best_residual < INFINITY)
    perp_copy(p->K.n, best, x);
  return PERP_OK;
}

const perp_method perp_method_lemke = {
    .name = "lemke",
    .title = "Lemke's complementary pivoting",
    .family = "pivoting",
    .source = "lemke-1965",
    .takes = PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_MIXED) | PERP_TAKES(PERP_FORM_FINDEX),
    .needs = PERP_CAN_APPLY,
    .iteration = "follows y = A x + b + d z0 from z0 large to z0 = 0, complementary pivots, "
                 "lexicographic ratio test",
    .works = "copositive-plus A (all semi-definite ones), P-matrices, games, friction; else often",
    .max_iterations = MOST_PIVOTS,
    PERP_SOLVES_WITH(lemke_parameters),
};
