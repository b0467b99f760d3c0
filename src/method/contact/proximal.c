/* proximal.c: proximal steps by Newton's method, for problems with friction
 *
 * The problem with y = A x + b + E (x - x*), E > 0 the same in all rows of a contact, has a
 * solution that solves
 *
 *   x = Pi(z),   z = x* - (A x + b) / E,                                                       (1)
 *
 * with Pi the law of friction itself, its bounds at the projected normal: in a cone x_n = max(z_n,
 * 0) and x_t = z_t, shortened to mu x_n if it is longer; rows are clamped to their bounds, friction
 * rows to lo_i x_n .. hi_i x_n. Its fixed point, x* = x, solves the problem, and a proximal step
 * x* <- x is a step of the method of multipliers (Rockafellar 1976; for friction Alart and Curnier
 * 1991).
 *
 * With A = A' + diag(own) (coupled.h) the diagonal part goes to the left of (1), E <- E + own, and
 * x is a function of p = A' x^ only, also if A' is singular. Newton's method for p = A' x(p),
 *
 *   (I + T A') d = x(p) - x^,   T = Pi'(z) / E,   x^ <- x^ + alpha d,   p <- p + alpha A' d,
 *
 * has a regular matrix for all but a few T. Contact operators solve it in velocities, and the line
 * search uses the energy (x^ - x)^T A' (x^ - x) of the error. A step is good enough if its error is
 * less than the proximal term. E falls by FALL if that happened soon, and rises by RISE if Newton's
 * method cycled: Pi is not a gradient, and convergence is not guaranteed. Usually a few contacts
 * between sticking, sliding and separating remain; sweeps settle them, and the steps start again.
 *
 * Cost: a factor in each Newton step, products with A' in its search. Workspace: 14 n and T. */
#include "method/contact/coupled.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/contacts.h"
#include "method/system/gather.h"
#include "set/set.h"

struct perp_proximal {
  perp_run *run;
  const perp_contact_list *contacts;
  perp_coupled *system;
  int n;
  double *centre;        /* x* */
  double *E, *whole;     /* E, and E + own */
  double *offset;        /* E x* - b */
  double *hat, *p;       /* x^, A' x^ */
  double *x, *q;         /* x(p), A' x */
  double *d, *Ad;        /* the step */
  double *t, *x_t, *q_t; /* at a trial step */
  double *y;             /* A x + b */
  double *T;
  double *room; /* z and x of one contact */
  double *best, *best_y;
  double residual; /* of best */
  int factors;     /* left */
};

perp_proximal *perp_proximal_open(perp_run *run, const perp_contact_list *contacts)
{
  perp_proximal *s = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return NULL;
  s->run = run;
  s->contacts = contacts;
  s->n = contacts->n;
  const size_t n = (size_t)contacts->n;
  if (!PERP_TAKE_REALS(run->arena, n, &s->centre, &s->E, &s->whole, &s->offset, &s->hat, &s->p,
                       &s->x, &s->q, &s->d, &s->Ad, &s->t, &s->x_t, &s->q_t, &s->y, &s->best,
                       &s->best_y) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s->T, contacts->block[contacts->count]),
                 PERP_ARRAY(s->room, 2 * contacts->largest)))
    return NULL;
  return s;
}

/* ---- The law of a contact ---- */

/* x <- Pi(z) in the rows of a cone; D, 3 x 3 with rows `ld` apart, <- its derivative unless NULL. */
static void project_cone(double mu, const double *z, double *x, double *D, int ld)
{
  x[0] = x[1] = x[2] = 0;
  if (!(z[0] > 0))
    return;
  x[0] = z[0];
  if (D)
    D[0] = 1;
  const double length = perp_hypot(z[1], z[2]), bound = mu * z[0];
  if (length <= bound) {
    x[1] = z[1];
    x[2] = z[2];
    if (D)
      D[ld + 1] = D[2 * ld + 2] = 1;
    return;
  }
  const double u[2] = {z[1] / length, z[2] / length}, share = bound / length;
  for (int k = 0; k < 2; k++) {
    x[1 + k] = bound * u[k];
    if (!D)
      continue;
    D[(1 + k) * ld] = mu * u[k];
    D[(1 + k) * ld + 1] = share * ((k == 0) - u[k] * u[0]);
    D[(1 + k) * ld + 2] = share * ((k == 1) - u[k] * u[1]);
  }
}

/* x <- Pi(z) in the k rows of a disc, D is at its first row and `normal` that of its normal's row. */
static void project_disc(int k, double mu, double force, const double *z, double *x, double *D,
                         const double *normal, int ld, int place)
{
  const double length = perp_set_norm(k, z), bound = mu * fabs(force);
  for (int i = 0; i < k; i++) {
    x[i] = length <= bound ? z[i] : bound * (z[i] / length);
    if (!D)
      continue;
    for (int j = 0; j < ld && length > bound; j++)
      D[i * ld + j] = (force < 0 ? -mu : mu) * (z[i] / length) * normal[j];
    for (int j = 0; j < k; j++)
      D[i * ld + place + j] +=
          length <= bound ? i == j : bound / length * ((i == j) - z[i] / length * (z[j] / length));
  }
}

/* Projects the rows of a contact from `first` on; x of the normal is known if first > 0. */
static void project_rows(const perp_proximal *s, int c, int first, const double *z, double *x,
                         double *D)
{
  const perp_set *K = &s->run->problem->K;
  const int *row = s->contacts->row + s->contacts->start[c];
  const int size = perp_contact_rows(s->contacts, c);
  for (int k = first; k < size; k++) {
    double lo = perp_set_lo(K, row[k]), hi = perp_set_hi(K, row[k]);
    const int disc = perp_set_disc(K, row[k]);
    if (disc > 0)
      project_disc(disc, hi, x[0], z + k, x + k, D ? D + k * size : NULL, D, size, k);
    if (disc != 0)
      continue;
    const double lo_factor = lo, hi_factor = hi, normal = k > 0 ? x[0] : 1;
    if (k > 0) {
      lo = perp_bound_times(lo, fabs(normal));
      hi = perp_bound_times(hi, fabs(normal));
    }
    x[k] = perp_clamp(z[k], lo, hi);
    if (!D)
      continue;
    if (z[k] > lo && z[k] < hi) {
      D[k * size + k] = 1;
    } else if (k > 0) {
      const double tie = normal < 0 ? -1 : 1, factor = z[k] <= lo ? lo_factor : hi_factor;
      for (int j = 0; j < size; j++) /* D of the normal is known */
        D[k * size + j] = tie * factor * D[j];
    }
  }
}

/* x <- x(p), and T */
static void evaluate(perp_proximal *s, const double *p, double *x, bool with_T)
{
  const perp_contact_list *g = s->contacts;
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c), *row = g->row + g->start[c];
    double *z = s->room, *out = s->room + size;
    double *D = with_T ? s->T + g->block[c] : NULL;
    for (int k = 0; k < size; k++)
      z[k] = (s->offset[row[k]] - p[row[k]]) / s->whole[row[k]];
    if (D)
      perp_fill((int64_t)size * size, 0, D);
    if (c < g->cones)
      project_cone(s->run->problem->K.mu[c], z, out, D, size);
    project_rows(s, c, c < g->cones ? 3 : 0, z, out, D);
    for (int k = 0; k < size; k++)
      x[row[k]] = out[k];
    for (int k = 0; D && k < size; k++) /* T = Pi' / (E + own) */
      for (int j = 0; j < size; j++)
        D[k * size + j] /= s->whole[row[j]];
  }
}

/* ---- One problem ---- */

/* (x^ - x)^T A' (x^ - x) with p and q of the two */
static double energy(const perp_proximal *s, const double *x, const double *p, const double *q,
                     double alpha)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += (s->hat[i] + alpha * s->d[i] - x[i]) * (p[i] - q[i]);
  return fabs(sum);
}

/* Shows x with its y and residual. Returns false if the run is over. */
static bool show(perp_proximal *s, double *residual)
{
  const double *own = perp_coupled_own(s->system), *b = s->run->problem->b;
  for (int i = 0; i < s->n; i++)
    s->y[i] = s->q[i] + own[i] * s->x[i] + b[i];
  *residual = perp_problem_residual(s->run->problem, s->x, s->y);
  if (*residual < s->residual) {
    s->residual = *residual;
    perp_copy(s->n, s->x, s->best);
    perp_copy(s->n, s->y, s->best_y);
  }
  return perp_run_next_iterate(s->run, perp_iterate_guess(s->x, s->y, *residual));
}

static void move(perp_proximal *s, double alpha)
{
  perp_axpy(s->n, alpha, s->d, s->hat);
  perp_axpy(s->n, alpha, s->Ad, s->p);
  evaluate(s, s->p, s->x, true);
  perp_coupled_apply(s->system, s->x, s->q);
}

/* Returns the step length of the lowest energy among a few, or the first that is good enough. */
static double search(perp_proximal *s, double before)
{
  enum { HALVINGS = 6 };
  const double decrease = 0.1;
  double alpha = 1, best = 1, least = INFINITY;
  for (int k = 0; k < HALVINGS; k++, alpha /= 2) {
    for (int i = 0; i < s->n; i++)
      s->t[i] = s->p[i] + alpha * s->Ad[i];
    evaluate(s, s->t, s->x_t, false);
    perp_coupled_apply(s->system, s->x_t, s->q_t);
    const double now = energy(s, s->x_t, s->t, s->q_t, alpha);
    if (now < least) {
      least = now;
      best = alpha;
    }
    if (now < (1 - decrease * alpha) * before)
      return alpha;
  }
  return best;
}

typedef enum ending { REACHED, CIRCLES, OVER } ending;

/* Solves the problem of the centre by Newton's method. */
static ending solve_one(perp_proximal *s, int most, int *count, double *residual)
{
  const double share = 0.3;
  evaluate(s, s->p, s->x, true);
  perp_coupled_apply(s->system, s->x, s->q);
  for (*count = 0;; ++*count) {
    const double error = perp_distance_inf(s->n, s->p, s->q);
    double proximal = 0;
    for (int i = 0; i < s->n; i++)
      proximal = perp_max(proximal, s->E[i] * fabs(s->x[i] - s->centre[i]));
    if (*count > 0 && error <= perp_max(share * proximal, 0.2 * s->run->target))
      return REACHED;
    if (*count == most || s->factors == 0)
      return CIRCLES;
    s->factors--;
    if (!perp_coupled_set(s->system, s->T))
      return perp_coupled_too_long(s->system) || perp_run_expired(s->run) ? OVER : CIRCLES;
    perp_fill(s->n, 0, s->d);
    const double before = energy(s, s->x, s->p, s->q, 0);
    perp_subtract(s->n, s->x, s->hat, s->d);
    if (!perp_coupled_solve(s->system, s->d, s->d))
      return CIRCLES;
    perp_coupled_apply(s->system, s->d, s->Ad);
    move(s, search(s, before));
    if (!show(s, residual))
      return OVER;
  }
}

double perp_proximal_steps(perp_proximal *s, perp_coupled *system, double *first, int factors,
                           double *x, double *y)
{
  enum { STEPS = 10, SOON = 8 };
  const double FALL = 0.2, RISE = 5, least = 1e-10;
  const perp_contact_list *g = s->contacts;
  const double *own = perp_coupled_own(system);
  double share = *first;
  s->system = system;
  s->factors = factors;
  perp_run_gradient(s->run, x, y);
  s->residual = perp_problem_residual(s->run->problem, x, y);
  perp_copy(s->n, x, s->best);
  perp_copy(s->n, y, s->best_y);
  perp_copy(s->n, x, s->centre);
  perp_copy(s->n, x, s->hat);
  perp_coupled_apply(system, s->hat, s->p);
  double last = s->residual;
  while (s->factors > 0) {
    for (int i = 0; i < s->n; i++) {
      s->E[i] = share * g->unit[g->of[i]];
      s->whole[i] = s->E[i] + own[i];
      s->offset[i] = s->E[i] * s->centre[i] - s->run->problem->b[i];
    }
    int count;
    double residual = INFINITY;
    const ending end = solve_one(s, STEPS, &count, &residual);
    if (end == OVER)
      break;
    if (end == REACHED) {
      perp_copy(s->n, s->x, s->centre);
      if (count <= SOON)
        share = perp_max(FALL * share, least);
    } else {
      if (s->factors > 0)
        share *= RISE;
      if (residual < last) {
        perp_copy(s->n, s->x, s->centre);
      } else {
        perp_copy(s->n, s->centre, s->hat);
        perp_coupled_apply(system, s->hat, s->p);
      }
    }
    last = residual;
  }
  perp_copy(s->n, s->best, x);
  perp_copy(s->n, s->best_y, y);
  *first = share;
  return s->residual;
}

/* ---- Sweeps between rounds ---- */

/* Makes `count` sweeps by contacts. */
static perp_error sweep(perp_run *run, int count, double *x)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  perp_blocks *blocks;
  const perp_error error = perp_blocks_open(run, x, 1, false, PERP_BLOCKS_SYMMETRIC, &blocks);
  if (!error && !perp_run_expired(run)) {
    for (int done = 0; done < count && !perp_run_expired(run); done += 2)
      perp_blocks_sweep(run, blocks);
    perp_relaxer_store(blocks->sweeps.relaxer->relaxer);
  }
  perp_arena_release(run->arena, mark);
  return error;
}

double perp_proximal_run(perp_proximal *s, perp_coupled *system, int patience, double *x, double *y)
{
  enum { FIRST = 25, LATER = 8, SWEEPS = 200, ROUNDS = 10 };
  const double hopeless = 1e-1, effect = 0.5;
  double share = 1e-3, residual = perp_proximal_steps(s, system, &share, FIRST, x, y);
  double least = residual;
  if (!(residual <= hopeless * s->run->scale) || !s->run->problem->A->table->row ||
      !perp_has_positive_diagonal(s->run->problem->A, s->t))
    return residual;
  for (int k = 0, idle = 0; k < ROUNDS && idle < patience && !perp_run_expired(s->run);
       k++, idle++) {
    if (sweep(s->run, SWEEPS, x)) /* out of memory: return the current x */
      return residual;
    share = k % 2 ? 1e-2 : 1e-3;
    residual = perp_proximal_steps(s, system, &share, LATER, x, y);
    if (residual < effect * least) {
      least = residual;
      idle = -1;
    }
  }
  return residual;
}
