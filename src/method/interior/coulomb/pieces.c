/* pieces.c: Newton's path from piece to piece, for problems of Coulomb cones
 *
 * Let S be the unit of each contact, and P the law of a contact: 0 if it is apart (z_n <= 0), z
 * if it sticks (|z_t| <= mu z_n), and (z_n, mu z_n z_t / |z_t|) if it slides. A solution x with y
 * = A x + b is P(z) of z = x - y / S, and
 *
 *   G(z) = A P(z) + b - S (P(z) - z) = 0.
 *
 * Conversely G(z) = 0 gives y = S (x - z) for x = P(z): -S z in a contact that is apart, with y_n
 * >= 0, 0 in one that sticks, and y_n = 0 and a y_t against x_t in one that slides. So x is a
 * solution. G is continuous, and in each piece, a state for every contact, it is linear but for
 * the turning of z_t in sliding contacts.
 *
 * The path is G(z(t)) = (1 - t) G(z(0)), with the direction dz = -+ DG^-1 G (Smale 1976). On a
 * piece it is a straight line, so one factor gives one step: to the first contact that leaves its
 * piece,
 *
 *   apart  -> slides   z_n rises to 0                  slides -> apart    z_n falls to 0
 *   sticks -> slides   |z_t| - mu z_n rises to 0       slides -> sticks   |z_t| - mu z_n falls to 0
 *
 * to the end, t = 1, or until a sliding contact has turned by 0.4 radians. With e = |z_t|^2 - (mu
 * z_n)^2 the latter two changes are roots of e + 2 h s + a s^2 along dz. The sign of the
 * direction is that of det DG relative to the first: when it changes, the path has met a fold,
 * and t falls until the next one. So the path passes the folds that end ipm's other paths.
 *
 * DG is singular if more contacts stick than the bodies have velocities. G therefore has E (P(z)
 * - c) in addition, E = 1e-5 S at first, a proximal step from c: whenever |G| is less than half
 * of this term, c moves to x and E falls to a tenth. If c moved sooner, the path would have no
 * fixed end.
 *
 * The system. Let p = A' dx and D = DP: in a sliding contact dx_n = dz_n, dx_t = mu u dz_n + beta
 * v v^T dz_t with u = z_t / |z_t|, v orthogonal to u and beta = mu z_n / |z_t|. Then DG dz = -G
 * is
 *
 *   (I + T A') dx = -T G,   T = D (S - (S - E - own) D)^-1,   S dz = S dx - (E + own) dx - G - p,
 *
 * and det DG = det (I + T A') det (S (I - D) + (E + own) D), of which the last is positive. If
 * the factor does not tell the sign, the path ends at the first one.
 *
 * The path need not end: G is not proper in general. Cost: a factor in each step and two or three
 * solutions. Workspace: 11 n and T. */
#include "method/interior/coulomb/coulomb.h"

#include "base/elementary.h"
#include "linalg/vector.h"

typedef enum piece { APART, STICKS, SLIDES } piece;

struct perp_pieces {
  perp_run *run;
  const perp_contact_list *contacts;
  perp_coupled *system;
  int n, count;
  piece *piece;        /* by contact */
  double *z, *x, *y;   /* y = A x + b */
  double *centre;      /* c */
  double *G, *dx, *dz; /* G(z), and the direction */
  double *p, *r;       /* A' dx, residual of the direction */
  double *T;
  double *best, *best_y;
  double share;    /* E / unit */
  double residual; /* of best */
};

perp_pieces *perp_pieces_open(perp_run *run, const perp_contact_list *contacts)
{
  perp_pieces *s = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return NULL;
  s->run = run;
  s->contacts = contacts;
  s->n = contacts->n;
  s->count = contacts->count;
  const size_t n = (size_t)contacts->n;
  const bool there = PERP_TAKE_REALS(run->arena, n, &s->z, &s->x, &s->y, &s->centre, &s->G, &s->dx,
                                     &s->dz, &s->p, &s->r, &s->best, &s->best_y) &&
                     PERP_TAKE(run->arena, PERP_ARRAY(s->T, contacts->block[contacts->count]),
                               PERP_ARRAY(s->piece, contacts->count));
  return there ? s : NULL;
}

/* ---- The equation ---- */

/* x <- P(z) */
static void project(perp_pieces *s)
{
  const double *mu = s->run->problem->K.mu;
  for (int c = 0; c < s->count; c++) {
    const double *z = s->z + 3 * c;
    double *x = s->x + 3 * c;
    const double length = perp_hypot(z[1], z[2]);
    const double share = s->piece[c] == STICKS                 ? 1
                         : s->piece[c] == SLIDES && length > 0 ? mu[c] * z[0] / length
                                                               : 0;
    x[0] = s->piece[c] == APART ? 0 : z[0];
    x[1] = share * z[1];
    x[2] = share * z[2];
  }
}

/* Computes x, y and G at z. */
static void evaluate(perp_pieces *s)
{
  project(s);
  perp_coupled_product(s->system, s->x, s->y);
  perp_axpy(s->n, 1, s->run->problem->b, s->y);
  for (int i = 0; i < s->n; i++)
    s->G[i] = s->y[i] + s->contacts->unit[i / 3] *
                            (s->share * (s->x[i] - s->centre[i]) - (s->x[i] - s->z[i]));
}

/* Returns max |E (x - c)|. */
static double proximal_term(const perp_pieces *s)
{
  double most = 0;
  for (int i = 0; i < s->n; i++)
    most = perp_max(most, s->share * s->contacts->unit[i / 3] * fabs(s->x[i] - s->centre[i]));
  return most;
}

/* Shows x and keeps the best. Returns false if the run is over. */
static bool show(perp_pieces *s)
{
  const double residual = perp_problem_residual(s->run->problem, s->x, s->y);
  if (residual < s->residual) {
    s->residual = residual;
    perp_copy(s->n, s->x, s->best);
    perp_copy(s->n, s->y, s->best_y);
  }
  return perp_run_next_iterate(s->run, perp_iterate_guess(s->x, s->y, residual));
}

/* ---- The direction ---- */

/* T <- DP (S - (S - E - own) DP)^-1 */
static void set_matrix(perp_pieces *s)
{
  const double *mu = s->run->problem->K.mu, *own = perp_coupled_own(s->system);
  perp_fill(s->contacts->block[s->count], 0, s->T);
  for (int c = 0; c < s->count; c++) {
    const double *z = s->z + 3 * c, S = s->contacts->unit[c];
    const double E = s->share * S + own[3 * c], E_t = s->share * S + own[3 * c + 1];
    double *T = s->T + s->contacts->block[c];
    if (s->piece[c] != APART)
      T[0] = 1 / E;
    if (s->piece[c] == STICKS)
      T[4] = T[8] = 1 / E_t;
    if (s->piece[c] != SLIDES)
      continue;
    const double length = perp_hypot(z[1], z[2]);
    const double u[2] = {length > 0 ? z[1] / length : 1, length > 0 ? z[2] / length : 0};
    const double v[2] = {-u[1], u[0]};
    const double beta = length > 0 ? perp_min(perp_max(mu[c] * z[0] / length, 0), 1) : 0;
    const double turn = beta / (S * (1 - beta) + E_t * beta);
    for (int i = 0; i < 2; i++) {
      T[3 * (1 + i)] = mu[c] * u[i] / E;
      for (int j = 0; j < 2; j++)
        T[3 * (1 + i) + 1 + j] = turn * v[i] * v[j];
    }
  }
}

/* dx, dz <- the direction of -DG^-1 G, refined. Returns the sign of det DG, 0: there is none. */
static int find_direction(perp_pieces *s)
{
  enum { REFINEMENTS = 5 };
  const double exact = 1e-7, falls = 0.5;
  const perp_contact_list *g = s->contacts;
  const double *own = perp_coupled_own(s->system);
  set_matrix(s);
  if (!perp_coupled_set(s->system, s->T))
    return 0;
  double before = INFINITY;
  perp_fill(s->n, 0, s->dx);
  perp_fill(s->n, 0, s->p);
  for (int k = 0; k <= REFINEMENTS; k++) {
    for (int i = 0; i < s->n; i++)
      s->dz[i] = -s->G[i] - s->p[i];
    perp_coupled_times(g, s->T, s->dz, s->r);
    perp_subtract(s->n, s->r, s->dx, s->r);
    const double error = perp_norm_inf(s->n, s->r);
    if (k > 0 && (error <= exact * perp_norm_inf(s->n, s->dx) || !(error < falls * before)))
      break;
    before = error;
    if (!perp_coupled_solve(s->system, s->r, s->r))
      return 0;
    perp_axpy(s->n, 1, s->r, s->dx);
    perp_coupled_apply(s->system, s->dx, s->p);
  }
  for (int i = 0; i < s->n; i++) {
    const double S = g->unit[i / 3], rest = s->G[i] + s->p[i] + (own[i] + s->share * S) * s->dx[i];
    s->dz[i] = s->dx[i] - (s->piece[i / 3] == STICKS ? 0 : rest / S);
  }
  return perp_all_finite(s->n, s->dz) ? perp_coupled_sign(s->system) : 0;
}

/* ---- The step ---- */

typedef struct change {
  double step;
  int contact; /* -1: none */
  piece to;
} change;

/* Returns the first change of contact c along dz, with that longest step. */
static change look_at(const perp_pieces *s, int c, double longest)
{
  const double most_turn = 0.4; /* radians */
  const double *z = s->z + 3 * c, *d = s->dz + 3 * c, mu = s->run->problem->K.mu[c];
  change first = {longest, -1, s->piece[c]};
  if (s->piece[c] == APART) {
    const double t = perp_max(-z[0] / d[0], 0);
    return d[0] > 0 && t < longest ? (change){t, c, SLIDES} : first;
  }
  const double a = d[1] * d[1] + d[2] * d[2] - mu * d[0] * mu * d[0];
  const double h = z[1] * d[1] + z[2] * d[2] - mu * z[0] * mu * d[0];
  double e = z[1] * z[1] + z[2] * z[2] - mu * z[0] * mu * z[0], t = INFINITY;
  e = s->piece[c] == STICKS ? perp_min(e, 0) : perp_max(e, 0);
  const double square = h * h - a * e, root = square > 0 ? sqrt(square) : 0;
  if (s->piece[c] == STICKS) {
    if (square >= 0 && (h > 0 || a > 0))
      t = h > 0 ? -e / (h + root) : (root - h) / a;
    return t < longest ? (change){t, c, SLIDES} : first;
  }
  if (square >= 0 && (h < 0 || a < 0))
    t = h < 0 ? e / (root - h) : -(h + root) / a;
  if (t < first.step)
    first = (change){t, c, STICKS};
  t = d[0] < 0 ? perp_max(-z[0] / d[0], 0) : INFINITY;
  if (t < first.step)
    first = (change){t, c, APART};
  const double turn = fabs(z[1] * d[2] - z[2] * d[1]);
  t = most_turn * (z[1] * z[1] + z[2] * z[2]) / turn;
  return turn > 0 && t < first.step ? (change){t, -1, SLIDES} : first;
}

/* Moves z along dz to the first change. */
static void move(perp_pieces *s, bool forward)
{
  const double back = 10; /* the most by which 1 - t grows in one step, relative to itself */
  change first = {forward ? 1 : back, -1, APART};
  for (int c = 0; c < s->count; c++) {
    const change own = look_at(s, c, first.step);
    if (own.step < first.step)
      first = own;
  }
  perp_axpy(s->n, first.step, s->dz, s->z);
  if (first.contact < 0)
    return;
  if (s->piece[first.contact] == APART || first.to == APART)
    s->z[3 * first.contact] = 0; /* without the rounding of the step */
  s->piece[first.contact] = first.to;
}

/* ---- The path ---- */

static void begin(perp_pieces *s, const double *x, const double *y)
{
  const double *mu = s->run->problem->K.mu;
  perp_copy(s->n, x, s->centre);
  for (int i = 0; i < s->n; i++)
    s->z[i] = x[i] - y[i] / s->contacts->unit[i / 3];
  for (int c = 0; c < s->count; c++) {
    const double *z = s->z + 3 * c;
    s->piece[c] = !(z[0] > 0) ? APART : perp_hypot(z[1], z[2]) <= mu[c] * z[0] ? STICKS : SLIDES;
  }
}

double perp_pieces_follow(perp_pieces *s, perp_coupled *system, int factors, double *x, double *y)
{
  const double first_share = 1e-5, least_share = 1e-9, fall = 0.1;
  const double solved = 0.1;  /* of the target: |G| of a solution for this centre */
  const double settled = 0.5; /* of max |E (x - c)|: |G| at which the centre moves */
  s->system = system;
  s->share = first_share;
  perp_run_gradient(s->run, x, y);
  s->residual = perp_problem_residual(s->run->problem, x, y);
  perp_copy(s->n, x, s->best);
  perp_copy(s->n, y, s->best_y);
  begin(s, x, y);
  evaluate(s);
  for (int k = 0, first = 0; k < factors; k++) {
    const int sign = find_direction(s);
    if (sign == 0)
      break;
    first = k == 0 ? sign : first;
    if (sign != first)
      perp_multiply(s->n, -1, s->dz);
    move(s, sign == first);
    evaluate(s);
    if (!show(s))
      break;
    const double size = perp_norm_inf(s->n, s->G), held = settled * proximal_term(s);
    if (size > held && size > solved * s->run->target)
      continue;
    if (size <= held)
      s->share = perp_max(fall * s->share, least_share);
    perp_copy(s->n, s->x, s->centre);
    evaluate(s);
  }
  perp_copy(s->n, s->best, x);
  perp_copy(s->n, s->best_y, y);
  return s->residual;
}
