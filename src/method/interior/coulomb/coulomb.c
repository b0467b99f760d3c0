/* coulomb.c: the interior point method on problems with friction
 *
 * Follows the path of coulomb.h, Coulomb's law with tau in place of 0, by predictor and corrector:
 * tau falls to sigma tau, sigma being the cube of the share of the gap that the predictor leaves
 * (Mehrotra 1992). All variables have one step length: 0.99 of the distance to the boundary,
 * shortened until every pair and cone is at least a share of the mean.
 *
 * The law is not a gradient, and the path may turn back: below some tau there is no path nearby.
 * Steps then grow without bound in the contacts that must change from sticking to sliding or
 * separate. Remedies:
 *
 *   - these contacts get a weight, which rises while their own steps are short and falls if they are
 *     long: they move slowly while the rest is at equilibrium (pseudo-transient continuation, Kelley
 *     and Keyes 1998)
 *   - on a path "with shares" all contacts get a share omega of convex friction, 1 if the common
 *     step is short, and halved after each long one
 *   - tau is raised while A x + b - Y is large for it
 *   - a path "by length" has none of these: tau itself turns back with the path (arc.c).
 *
 * All these terms vanish in the end and leave Newton's method. x starts as x_size (1, 0, 0) in all
 * contacts, with x_size a share of the largest force that balances b, from (A + 1e-6 diag A)
 * x = -b. A small share, 0.01, suits walls and piles; it does not reach the forces of heavy stacks
 * and of matrices of low rank.
 *
 * If x is not 0 at first, as in a frame loop, the first path is a plain one from near x: the point whose
 * products are tau and whose x - Y / unit is x - y / unit, with
 *
 *   tau = max(1000 residual, 0.001 scale)^2 / unit.
 *
 * It is nearer to the solution than a point from x_size, and far enough from the boundary for long steps.
 *
 * The end. Below some residual the proximal steps of coupled.h are faster, and need no interior x.
 * If they fail, the path continues to its end, or with shares to a hundredth of the residual, and
 * they are tried again. The plain path is fast: on it they begin at a hundredth of the residual of
 * the others. If the start is nearly a solution, as in a frame loop or after sweeps, they come
 * first, unless another method has made Newton steps. From a lost path farther away they do not
 * help: the method begins another path at once, and tries them when no path is left.
 *
 * At the end of the path a y of 1e-8 decides which corners of a face carry its load: the rows of
 * four corners have rank 6 in 12, and if b is outside of their range by more than the tolerance, a
 * corner must open that may carry a large x before. Proximal steps go there along null directions
 * of A, 1 / E long and cut at each contact that changes its state; the path does not: a corner with
 * y_n has x_n = tau / y_n. It is seen to be open if tau is far below target max |x|, and then one
 * to seven proximal steps suffice. The path exists at this tau only if A x + b = Y to fewer digits
 * than those of Y itself. Weights w leave an error of w dx, which short steps do not remove, so tau
 * is held while
 *
 *   max |Y - A x - b| max |x| > tau
 *
 * as infeasible interior point methods bound the ratio of infeasibility and gap (Wright 1997),
 * unless the error is a hundredth of the tolerance.
 *
 * If x is 0 at first, a path with shares may wander. Where folds end other paths, tau rises and falls with
 * steps of a tenth for a hundred iterations or two, until the contacts that hold it up have found their
 * state; then it falls to 0 in some twenty. So the path is given up late, its weights begin large, and on
 * contacts such as those of balls omega rises only for steps that are shorter still. The plain path comes
 * first, then the path by length, then with shares from 0.3, 1 and 100. Balls, with few contact points per
 * pair of bodies, leave the path by length until after the second of these, and with a friction index
 * they need no plain path.
 *
 * In a frame loop, in which the next frame waits, paths with shares end after a hundred iterations. After the
 * plain path come one with shares from x_size 1 and one by length, then with shares from 0.3 and 100. The
 * path by length comes first if the residual was below 0.01, since a fold has then probably ended the
 * path. With a friction index balls begin with shares from 0.3.
 *
 * In a frame loop with only cones, Newton's path from piece to piece (pieces.c) is tried briefly after the
 * path from near x and its proximal steps, from where these ended, and at length after the plain path from
 * x_size: from where the path from near x began, and from the best x of the plain one.
 *
 * In a frame loop with a friction index and contact operators, the path of segments (segments.c)
 * comes first, if bodies do not meet in faces: on walls proximal steps are faster.
 *
 * Mostly 15 to 60 iterations; by length 150 to 600, with shares on hexagonal piles of 400 balls 60 to 450.
 * Piles of 1,000 balls or with mu >= 0.7, large walls with a friction index and walls with mu = 1
 * are often not solved; convergence is not guaranteed. Cost: a
 * factor and three solutions in an iteration. Workspace: some 70 n and the factor. */
#include "method/interior/coulomb/coulomb.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/coupled.h"

/* Ways to follow a path: predictor and corrector; the same with shares of convex friction; by arc
 * length. */
typedef enum manner { PLAIN, SHARED, BY_LENGTH } manner;

typedef struct path {
  perp_run *run;
  perp_contact_list contacts;
  perp_point point;
  perp_proximal *polish;
  perp_coupled *system;
  double x_size;
  double *x, *y;    /* of the proximal steps; x is the caller's */
  double *best;     /* of this path */
  double residual;  /* of best */
  double least_tau; /* at the last progress */
  double cap;       /* upper bound of sigma */
  double last;      /* last step length */
  manner manner;
  bool few;        /* contact points between two bodies, as balls have */
  bool at_end;     /* tau is held while Y is not A x + b */
  int steps, idle; /* steps of this path, and steps since progress */
  perp_arc *arc;
  perp_pieces *pieces;     /* NULL: not tried */
  perp_segments *segments; /* NULL: not tried */
  double *entry;           /* x before the first path */
} path;

typedef enum ending { NEAR, LOST, OVER } ending;

/* ---- A step ---- */

/* Raises the weight of a contact tenfold while its own step is short, at first to `first`. */
static void adapt_weights(perp_point *p, double first)
{
  const double most = 1e3, least = 1e-8;
  for (int c = 0; c < p->contacts->count; c++) {
    const double reach = p->reach[c];
    double *weight = &p->weight[c];
    if (reach < 0.1)
      *weight = *weight > 0 ? perp_min(10 * *weight, most) : first;
    else if (reach < 0.3)
      *weight = perp_min(3 * *weight, most);
    else
      *weight *= reach > 1 ? 0.1 : 0.4;
    if (*weight < least)
      *weight = 0;
  }
}

static void adapt_share(perp_point *p, double reach, bool rarely)
{
  const double least = 1e-3;
  if (reach < (rarely ? 0.03 : 0.1))
    p->omega = 1;
  else if (reach < (rarely ? 0.1 : 0.3))
    p->omega = perp_min(perp_max(2 * p->omega, 0.1), 1);
  else if (reach > 0.6)
    p->omega = p->omega >= 2 * least ? 0.5 * p->omega : 0;
}

/* Returns the longest step of 1, 0.8, 0.64, ... times `step` after which all pairs and cones are at
 * least a share of the mean. */
static double stay_central(const perp_point *p, double step, double wanted)
{
  enum { TRIALS = 30 };
  for (int k = 0; k < TRIALS; k++, step *= 0.8) {
    const double tau = perp_point_gap(p, step);
    if (tau > 0 && perp_point_centrality(p, step, tau) >= wanted)
      break;
  }
  return step;
}

/* Takes a predictor-corrector step. Returns false if there is none. */
static bool advance(path *s, double tau)
{
  enum { SETTLED = 8 }; /* steps after which Y should be near A x + b */
  const double is_short = 0.1, slowly = 0.3, back = 3, least_sigma = 0.01, negligible = 0.01;
  perp_point *p = &s->point;
  const double imbalance = perp_point_imbalance(p);
  const double central = perp_point_centrality(p, 0, tau);
  if (!perp_point_factor(p, s->system) || !perp_point_step(p, s->system, 0, false, false))
    return false;
  const double full = perp_min(1, perp_point_reach(p));
  const double ratio = perp_max(perp_point_gap(p, full) / tau, 0);
  double sigma = perp_min(perp_max(perp_min(ratio * ratio * ratio, 1), least_sigma), s->cap);
  /* a short predictor step says little about the second-order terms */
  bool second = full > is_short;
  if (s->last < is_short)
    sigma = perp_max(sigma, slowly);
  if (s->steps > SETTLED && imbalance > sqrt(tau)) {
    sigma = back;
    second = false;
  }
  const double error = perp_norm_inf(p->n, p->error);
  if (s->at_end && error * perp_norm_inf(p->n, p->x) > tau && error > negligible * s->run->target)
    sigma = perp_max(sigma, 1);
  if (!perp_point_step(p, s->system, sigma * tau, second, true))
    return false;
  const double reach = perp_point_reach(p);
  const double step = stay_central(p, perp_min(1, 0.99 * reach), perp_min(1e-4, 0.5 * central));
  if (!(step > 1e-13))
    return false;
  perp_point_move(p, step);
  adapt_weights(p, s->manner == SHARED && s->run->cold ? 0.1 : 1e-4);
  if (s->manner == SHARED)
    adapt_share(p, reach, s->few && s->run->cold);
  s->last = step;
  if (step >= 0.8)
    s->cap = perp_max(0.5, 0.5 * s->cap);
  else if (step < 0.3)
    s->cap = perp_min(1, 2 * s->cap);
  return true;
}

/* ---- The path ---- */

/* Rounds of proximal steps and sweeps without progress after which they end; negative: proximal steps
 * without sweeps. */
enum { MANY = -150, SOME = -75, NONE = 0, LAST = 10 };

/* Begins at the current point. */
static void begin(path *s, manner how)
{
  s->manner = how;
  if (how == BY_LENGTH)
    perp_arc_begin(s->arc);
  s->residual = s->least_tau = INFINITY;
  s->cap = s->last = 1;
  s->at_end = false;
  s->steps = s->idle = 0;
}

static void take_note(path *s, double tau, double residual)
{
  s->idle++;
  if (residual < 0.9 * s->residual || tau < 0.5 * s->least_tau)
    s->idle = 0;
  if (tau < 0.5 * s->least_tau)
    s->least_tau = tau;
  if (residual < s->residual) {
    s->residual = residual;
    perp_copy(s->point.n, s->point.x, s->best);
  }
}

/* Follows the path until the residual is at most `near`, or tau at most `least`. */
static ending follow(path *s, double near, double least)
{
  static const int longest[] = {[PLAIN] = 80, [SHARED] = 100, [BY_LENGTH] = 600};
  static const int patience[] = {[PLAIN] = 12, [SHARED] = 25, [BY_LENGTH] = 600};
  perp_run *run = s->run;
  const bool wander = s->manner == SHARED && run->cold; /* see above */
  const int most = wander ? 800 : longest[s->manner],
            most_idle = wander ? (s->few ? 100 : 150) : patience[s->manner];
  perp_point *p = &s->point;
  for (;; s->steps++) {
    perp_coupled_product(s->system, p->x, p->y);
    perp_axpy(p->n, 1, run->problem->b, p->y);
    const double tau = perp_point_gap(p, 0);
    const double residual = perp_problem_residual(run->problem, p->x, p->y);
    perp_run_merit(run, tau);
    if (!perp_run_next_iterate(run, perp_iterate_guess(p->x, p->y, residual)))
      return OVER;
    take_note(s, tau, residual);
    if (residual <= near || tau <= least)
      return NEAR;
    if (s->idle > most_idle || s->steps >= most)
      return LOST;
    if (!(s->manner == BY_LENGTH ? perp_arc_advance(s->arc, s->system) : advance(s, tau)))
      return perp_coupled_too_long(s->system) || perp_run_expired(run) ? OVER : LOST;
  }
}

/* Takes proximal steps from the best x of the path, with that patience. Returns true if the run is
 * over. */
static bool polish(path *s, int patience)
{
  double share = 1e-2;
  perp_copy(s->point.n, s->best, s->x);
  perp_set_project(&s->run->problem->K, s->x, s->x);
  if (patience < 0)
    perp_proximal_steps(s->polish, s->system, &share, -patience, s->x, s->y);
  else
    perp_proximal_run(s->polish, s->system, patience, s->x, s->y);
  return perp_run_expired(s->run);
}

/* x_size <- the largest force that balances b */
static void find_size(path *s)
{
  const double share = 1e-6;
  const perp_contact_list *g = &s->contacts;
  perp_point *p = &s->point;
  const double *own = perp_coupled_own(s->system);
  double largest = 0, other = 0;
  perp_fill(g->block[g->count], 0, p->T);
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c);
    for (int k = 0; k < size; k++)
      p->T[g->block[c] + k * (size + 1)] = 1 / (share * g->unit[c] + own[g->row[g->start[c] + k]]);
    other = perp_max(other, s->run->scale / g->unit[c]);
  }
  perp_negate(s->point.n, s->run->problem->b, p->r);
  if (perp_coupled_set(s->system, p->T)) {
    perp_coupled_times(g, p->T, p->r, p->s);
    if (perp_coupled_solve(s->system, p->s, p->dx))
      largest = perp_norm_inf(p->n, p->dx);
  }
  perp_fill(p->n, 0, p->dx);
  s->x_size = largest > 0 && largest < INFINITY ? largest : other;
}

/* ---- The method ---- */

/* Follows the path from the current point and finishes with proximal steps, with the patience `lost` if a
 * plain path is lost. Returns true if the run is over. Proximal steps are not tried far from a solution,
 * nor again from a residual that is hardly smaller: they would take more factors than the path. */
static bool follow_and_finish(path *s, manner how, int lost)
{
  const double near = 1e-4, nearer = 1e-6, better = 0.1, end_of_path = 1e-7;
  double tried = INFINITY;
  begin(s, how);
  ending end = follow(s, (how == PLAIN ? nearer : near) * s->run->scale, 0);
  if (end == NEAR) {
    if (polish(s, NONE))
      return true;
    tried = s->residual;
    s->at_end = how == PLAIN;
    const double size = s->at_end ? perp_norm_inf(s->point.n, s->point.x) : s->x_size;
    end = follow(s, s->at_end ? 0 : nearer * s->run->scale,
                 how == SHARED ? 0 : end_of_path * s->run->target * size);
  }
  if (end == OVER)
    return true;
  if (end == LOST && how == PLAIN && !s->run->cold)
    return polish(s, lost);
  if (end == LOST &&
      (s->residual > near * s->run->scale || (how != SHARED && s->residual > better * tried)))
    return false;
  return polish(s, end == LOST && how == PLAIN ? NONE : LAST);
}

static bool try_path(path *s, double factor, manner how)
{
  perp_point_start(&s->point, factor * s->x_size, s->run->scale);
  return follow_and_finish(s, how, MANY);
}

/* Factors of Newton's path from piece to piece. */
enum { BRIEFLY = 50, AT_LENGTH = 250 };

/* Newton's path from piece to piece, which improves x. Returns true if the run is over. */
static bool try_pieces(path *s, int factors, double *x)
{
  if (!s->pieces)
    return false;
  perp_pieces_follow(s->pieces, s->system, factors, x, s->y);
  return perp_run_expired(s->run);
}

/* The path from near x, which has that residual. */
static bool try_path_near(path *s, double residual)
{
  const double wide = 1000, least = 0.001;
  const perp_contact_list *g = &s->contacts;
  double unit = 0;
  for (int c = 0; c < g->count; c++)
    unit += g->unit[c] / g->count;
  const double size = perp_max(wide * residual, least * s->run->scale);
  perp_point_start_near(&s->point, s->x, s->y, size * size / unit);
  perp_copy(s->point.n, s->x, s->entry);
  return follow_and_finish(s, PLAIN, SOME) || try_pieces(s, BRIEFLY, s->x);
}

static bool try_paths(path *s)
{
  const double small = 0.01, medium = 0.3, large = 100;
  const bool pyramids = s->contacts.cones == 0;
  if (s->run->cold)
    return (!(s->few && pyramids) && try_path(s, small, PLAIN)) ||
           (!s->few && try_path(s, small, BY_LENGTH)) || try_path(s, medium, SHARED) ||
           try_path(s, 1, SHARED) || (s->few && try_path(s, small, BY_LENGTH)) ||
           try_path(s, large, SHARED);
  if (s->few && pyramids)
    return try_path(s, medium, SHARED) || try_path(s, small, BY_LENGTH) || try_path(s, 1, SHARED) ||
           try_path(s, small, PLAIN) || try_path(s, large, SHARED);
  if (try_path(s, small, PLAIN) || try_pieces(s, AT_LENGTH, s->entry) ||
      try_pieces(s, AT_LENGTH, s->best))
    return true;
  const bool length_first = s->residual <= 1e-2 * s->run->scale;
  return (length_first && try_path(s, small, BY_LENGTH)) || try_path(s, 1, SHARED) ||
         (!length_first && try_path(s, small, BY_LENGTH)) || try_path(s, medium, SHARED) ||
         try_path(s, large, SHARED);
}

static void iterate(path *s, double residual)
{
  if (!s->run->cold && try_path_near(s, residual))
    return;
  find_size(s);
  if (!try_paths(s) && !polish(s, LAST))
    perp_run_claim(s->run, PERP_STAGNATED);
}

static perp_error create(path *s, perp_run *run, double *x)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (path){.run = run, .x = x, .few = perp_contacts_have_few_points(run->problem->A)};
  perp_error error = perp_contact_list_create(run, &s->contacts);
  double *inside;
  if (!error && !PERP_TAKE_REALS(run->arena, n, &s->y, &s->best, &s->entry, &inside))
    error = perp_run_no_memory(run);
  if (!error) {
    perp_copy((int)n, x, s->best); /* iterates whose residual is not finite leave it */
    error = perp_point_create(run, &s->contacts, inside, &s->point);
  }
  if (!error && (!(s->polish = perp_proximal_open(run, &s->contacts)) ||
                 !(s->arc = perp_arc_open(run, &s->point))))
    error = perp_run_no_memory(run);
  const bool only_cones = s->contacts.n == 3 * s->contacts.cones;
  if (!error && only_cones && !run->cold && !(s->pieces = perp_pieces_open(run, &s->contacts)))
    error = perp_run_no_memory(run);
  if (!error && !run->cold && perp_segments_fit(run) &&
      !perp_contacts_meet_in_faces(perp_contact_of(run->problem->A), 2) &&
      !(s->segments = perp_segments_open(run, &s->contacts)))
    error = perp_run_no_memory(run);
  return error;
}

perp_error perp_interior_coulomb(perp_run *run, double *x)
{
  enum { SEGMENTS = 600 };
  const double good = run->cold ? 1e-4 : 1e-2;
  path s;
  perp_error error = create(&s, run, x);
  if (error)
    return error;
  perp_run_gradient(run, x, s.y);
  if (!perp_run_next(run, x, s.y))
    return PERP_OK;
  double residual = perp_problem_residual(run->problem, x, s.y);
  const bool first = run->count.factorisations == 0 && residual <= good * run->scale;
  error = perp_coupled_open(run, &s.contacts, &s.system);
  if (!error && s.segments && !perp_run_expired(run))
    residual = perp_segments_follow(s.segments, s.system, SEGMENTS, x, s.y);
  if (!error && first && !s.segments && !perp_run_expired(run))
    residual = perp_proximal_run(s.polish, s.system, NONE, x, s.y);
  if (!error && !perp_run_expired(run))
    iterate(&s, residual);
  perp_coupled_close(s.system);
  return error;
}
