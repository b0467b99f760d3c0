/* perp/mujoco_newton.h: the constraints of a step by Newton's method in joint velocities; see mujoco.h
 *
 * Find impulses x and velocities v with
 *
 *   H (v - v*) = J^T x,   y = J v + b0 + R x,   x - P(x - rho y) = 0,
 *
 * P the projection of each law (below), H = M or M + h D, R = 0 under the rigid law. MuJoCo's trees have
 * fewer velocities than constraints, and forces of many contacts are not unique. So each step linearises
 * the natural map row by row or cone by cone,
 *
 *   dx = dx0 - T dz,   dz = J dv,
 *
 * with R or, without compliance, a small E in place of R, which only changes the step, and eliminates dx:
 *
 *   (H + J^T T J) dv = J^T dx0,
 *
 * a system in the velocities, however many rows there are. That is ssn's step (Alart and Curnier 1991)
 * with its proximal centre at x. In a row free of its bounds T = 1 / E, dx0 = -y / E; at a bound T = 0.
 *
 * Contacts have x_k = mu_k s_k, so that their cones are |s_t| <= s_n; n is the normal, w = s - rho y:
 *
 *   Coulomb   s_n = max(0, w_n), s_t = the projection of w_t on the disc of that radius. If it slides, with
 *             d = w_t / |w_t| and c = s_n / |w_t|, ds_t = d ds_n along d, and across it
 *             ds (1 - c + c rho E) = -s - c rho dz.
 *   convex    (soft law) s = the projection of w on the cone. On its boundary ds_n - d.ds_t and
 *             R_n ds_n + R_t d.ds_t + dz_n + d.dz_t are given, and across d as above with
 *             c = (1 + w_n / |w_t|) / 2.
 *
 * Steps are halved until |Phi| falls below the largest of the last few. The soft law has a minimum in
 * v alone, and begins with Newton's method for it (perp_mj_descend).
 *
 * Under Coulomb's law the steps may cycle: if all contacts slide, J_n H^-1 (J_n + d.J_t)^T need not be
 * definite, and if forces are not unique it is nearly singular. Then proximal steps go on (perp_mj_approach).
 * With De Saxce's term s_c = |z_t| held fixed the law is convex (Acary, Cadoux, Lemarechal and
 * Malick 2011), and x is its solution with y + E (x - x_k) in place of y, found by descents. E begins large
 * and shrinks, so that forces along a null space of J^T, which change by y / E in a step, reach the bounds. Cost of a step: the square of its
 * numbers for each row of J, and a sparse factor of the matrix of velocities. The natural residual of
 * perp_problem_residual, with v from x by a factor of H, decides. If it is not reached, x is as before, and
 * mujoco.h continues with methods of the library. */
#ifndef PERP_MUJOCO_NEWTON_H
#define PERP_MUJOCO_NEWTON_H

#include <perp/mujoco_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PERP_MJ_STEPS = 25,    /* soft law */
  PERP_MJ_DESCENTS = 15, /* of them first */
  PERP_MJ_TRIES = 15,    /* Coulomb's law, before proximal steps */
  PERP_MJ_PROXIMAL = 40, /* proximal steps */
  PERP_MJ_INNER = 30,    /* descents of each */
  PERP_MJ_POLISH = 3,    /* steps after one that came closer */
  PERP_MJ_WINDOW = 8,    /* merits that a step is compared with */
  PERP_MJ_HALVINGS = 8,  /* of a step */
};

/* ---- Laws ---- */

/* phi <- x - P(x - rho y) of a cone. Returns |w_t|; *radius <- the normal force of the projection. */
static inline double perp_mj_cone(const perp_mj_newton *s, const perp_mj_part *p, const double *x,
                                  const double *y, double *w, double *phi, double *radius)
{
  const double *rho = s->rho + p->first;
  double square = 0;
  for (int k = 0; k < p->rows; k++) {
    w[k] = x[k] - rho[k] * y[k];
    square += k > 0 ? w[k] * w[k] : 0;
  }
  const double length = sqrt(square);
  *radius = w[0] > 0 ? w[0] : 0;
  if (s->convex && length > fabs(w[0]))
    *radius = (w[0] + length) / 2;
  const double share = length > *radius ? *radius / length : 1;
  phi[0] = *radius == w[0] ? rho[0] * y[0] : x[0] - *radius;
  for (int k = 1; k < p->rows; k++)
    phi[k] = length > *radius ? x[k] - share * w[k] : rho[k] * y[k];
  return length;
}

static inline double perp_mj_row(const perp_mj_newton *s, int i, double x, double y, double *phi)
{
  const double w = x - s->rho[i] * y;
  const int free = w > s->a->lo[i] && w < s->a->hi[i];
  *phi = free ? s->rho[i] * y : w <= s->a->lo[i] ? x - s->a->lo[i] : x - s->a->hi[i];
  return free;
}

/* phi at x and y. Returns sum phi^2 / rho. */
static inline double perp_mj_merit(perp_mj_newton *s, const double *x, const double *y)
{
  double merit = 0, w[6], radius;
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    const int i = p->first;
    if (k < s->a->cones)
      perp_mj_cone(s, p, x + i, y + i, w, s->phi + i, &radius);
    else
      perp_mj_row(s, i, x[i], y[i], s->phi + i);
    for (int r = i; r < i + p->rows; r++)
      merit += s->phi[r] * s->phi[r] / s->rho[r];
  }
  return merit;
}

/* Sets T and dx0 of a cone. */
static inline void perp_mj_cone_step(const perp_mj_newton *s, const perp_mj_part *p, double *T,
                                     double *dx)
{
  const int i = p->first, n = p->rows;
  const double *x = s->x + i, *y = s->y + i, *E = s->E + i, *rho = s->rho + i;
  double w[6], phi[6], direction[6], radius;
  const double length = perp_mj_cone(s, p, x, y, w, phi, &radius);
  memset(T, 0, (size_t)(n * n) * sizeof *T);
  if (radius == 0) {
    for (int k = 0; k < n; k++)
      dx[k] = -phi[k];
    return;
  }
  if (length <= radius) {
    for (int k = 0; k < n; k++) {
      T[k * n + k] = 1 / E[k];
      dx[k] = -y[k] / E[k];
    }
    return;
  }
  double along = 0;
  for (int k = 1; k < n; k++) {
    direction[k] = w[k] / length;
    along += direction[k] * phi[k];
  }
  const double c = s->convex ? (1 + w[0] / length) / 2 : radius / length;
  const double rest = 1 - c + c * rho[1] * E[1], across = c * rho[1] / rest;
  double both; /* dx along d */
  if (s->convex) {
    const double sum = E[0] + E[1], apart = phi[0] - along;
    dx[0] = (-E[1] * apart - (phi[0] + along) / rho[0]) / sum;
    both = dx[0] + apart;
    T[0] = 1 / sum;
  } else {
    dx[0] = -y[0] / E[0];
    both = dx[0] + rho[0] * y[0] - along;
    T[0] = 1 / E[0];
  }
  for (int k = 1; k < n; k++) {
    dx[k] = direction[k] * both - (phi[k] - direction[k] * along) / rest;
    T[k * n] = direction[k] * T[0];
    T[k] = s->convex ? T[k * n] : 0;
    for (int j = 1; j < n; j++)
      T[k * n + j] = (k == j ? across : 0) - direction[k] * direction[j] * across +
                     (s->convex ? direction[k] * direction[j] * T[0] : 0);
  }
}

/* ---- Steps ---- */

/* v, z and y of x. */
static inline void perp_mj_refresh(perp_mj_newton *s)
{
  perp_mj_against(s, s->x, s->f);
  mju_copy(s->v, s->f, s->nv);
  perp_mj_divide(s->m, s->a->L, s->v);
  mju_addTo(s->v, s->a->v, s->nv);
  perp_mj_along(s, s->v, s->z);
  for (int i = 0; i < s->n; i++) {
    s->z[i] += s->b[i];
    s->y[i] = s->z[i] + s->R[i] * s->x[i];
  }
}

/* Linearises at x. Returns 0 if the system cannot be solved. */
static inline int perp_mj_direction(perp_mj_newton *s)
{
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    const int i = p->first;
    if (k < s->a->cones) {
      perp_mj_cone_step(s, p, s->T + 6 * i, s->dx + i);
    } else {
      double phi;
      const double free = perp_mj_row(s, i, s->x[i], s->y[i], &phi);
      s->T[6 * i] = free / s->E[i];
      s->dx[i] = free > 0 ? -s->y[i] / s->E[i] : -phi;
    }
  }
  const int symmetric = perp_mj_hessian(s);
  perp_mj_against(s, s->dx, s->dv);
  if (!perp_mj_eliminate(s, symmetric, s->dv))
    return 0;
  perp_mj_along(s, s->dv, s->dz);
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    const double *T = s->T + 6 * p->first;
    for (int r = 0; r < p->rows; r++)
      for (int c = 0; c < p->rows; c++)
        s->dx[p->first + r] -= T[r * p->rows + c] * s->dz[p->first + c];
  }
  return 1;
}

/* Soft law: x <- the forces of z in part k, the projection of -z / R in the norm of R, if x is not NULL; their
 * derivative -T to z, if T is not NULL. Returns x^T q and adds q^T T q to *bend for a direction q of z, if
 * it is not NULL. In sigma = R^(1/2) s the cone is |sigma_t| <= g sigma_n, g = (R_t / R_n)^(1/2). */
static inline double perp_mj_respond(const perp_mj_newton *s, int k, const double *z, double *x,
                                     double *T, const double *q, double *bend)
{
  const perp_mj_part *p = &s->a->part[k];
  const int i = p->first, n = p->rows;
  if (k >= s->a->cones) {
    const double w = -z[i] * s->D[i], lo = s->a->lo[i], hi = s->a->hi[i];
    const double force = w < lo ? lo : w > hi ? hi : w, slope = w > lo && w < hi ? s->D[i] : 0;
    if (x)
      x[i] = force;
    if (T)
      T[6 * i] = slope;
    if (!q)
      return 0;
    *bend += q[i] * q[i] * slope;
    return q[i] * force;
  }
  const double root = s->root[i], side = s->root[i + 1], g = side / root, normal = -z[i] / root;
  double square = 0, force[6] = {0}, e[6] = {1 / root}, work = 0, direct = 0, sideways = 0;
  for (int r = 1; r < n; r++)
    square += z[i + r] * z[i + r];
  const double length = sqrt(square) / side;
  const int inside = length <= g * normal, slides = !inside && g * length > -normal;
  const double share = 1 / (1 + g * g), radius = slides ? share * (normal + g * length) : 0;
  const double across = slides ? g * radius / (length * side * side) : 0;
  for (int r = 0; inside && r < n; r++)
    force[r] = -z[i + r] * s->D[i + (r > 0)];
  for (int r = 0; slides && r < n; r++) {
    e[r] = r > 0 ? -g * z[i + r] / (length * side * side) : e[0];
    force[r] = radius * e[r];
  }
  for (int r = 0; x && r < n; r++)
    x[i + r] = force[r];
  if (T) {
    double *to = T + 6 * i;
    memset(to, 0, (size_t)(n * n) * sizeof *to);
    for (int r = 0; inside && r < n; r++)
      to[r * n + r] = s->D[i + (r > 0)];
    for (int r = 0; slides && r < n; r++)
      for (int c = 0; c < n; c++) {
        const int both = r > 0 && c > 0;
        to[r * n + c] = share * e[r] * e[c] +
                        (both ? across * ((r == c) - e[r] * e[c] * side * side / (g * g)) : 0);
      }
  }
  for (int r = 0; q && r < n; r++) {
    work += force[r] * q[i + r];
    direct += e[r] * q[i + r];
    sideways += r > 0 ? q[i + r] * q[i + r] : 0;
  }
  if (q && inside)
    *bend += q[i] * q[i] * s->D[i] + sideways * s->D[i + 1];
  if (q && slides) {
    const double tangent = (direct - e[0] * q[i]) * side / g;
    *bend += share * direct * direct + across * (sideways - tangent * tangent);
  }
  return work;
}

/* Soft law: one step of Newton's method for the minimum over v of
 *
 *   1/2 (v - v*)^T M (v - v*) + sum max over x of -(z^T x + 1/2 x^T R x),   z = J v + b0,
 *
 * whose gradient is M (v - v*) - J^T x(z) (primal.c has the duality), with an exact line search. On entry
 * and on return v is in s->u, z in s->zu, x(z) in s->x, M (v - v*) in s->w; on entry minus the gradient is in
 * s->d, T of z in s->T. Returns 0 if there is no descent. */
static inline int perp_mj_descend(perp_mj_newton *s)
{
  const int nv = s->nv;
  mju_copy(s->dv, s->d, nv);
  perp_mj_update(s);
  if (!perp_mj_eliminate(s, 1, s->dv))
    return 0;
  const double slope = -mju_dot(s->d, s->dv, nv), first = mju_dot(s->w, s->dv, nv);
  if (!(slope < 0))
    return 0;
  perp_mj_along(s, s->dv, s->dz);
  perp_mj_weigh(s, s->dv, s->d);
  const double square = mju_dot(s->d, s->dv, nv);
  double low = 0, high = HUGE_VAL, t = 1;
  for (int k = 0;; k++) {
    double now = first + t * square, bend = 0;
    for (int i = 0; i < s->n; i++)
      s->yt[i] = s->zu[i] + t * s->dz[i];
    for (int c = 0; c < s->parts; c++)
      now -= perp_mj_respond(s, c, s->yt, s->x, NULL, s->dz, &bend);
    if (fabs(now) <= -1e-2 * slope || k == 30)
      break;
    *(now < 0 ? &low : &high) = t;
    const double next = t - now / (square + bend);
    t = next > low && next < high ? next : high < HUGE_VAL ? (low + high) / 2 : 2 * t;
  }
  mju_addToScl(s->u, s->dv, t, nv);
  mju_addToScl(s->w, s->d, t, nv);
  double *z = s->zu;
  s->zu = s->yt;
  s->yt = z;
  return 1;
}

/* x <- x + t dx, with the t that the search finds. */
static inline void perp_mj_search(perp_mj_newton *s, double most)
{
  double t = 1, best = 1, least = HUGE_VAL;
  for (int k = 0; k < PERP_MJ_HALVINGS; k++, t /= 2) {
    for (int i = 0; i < s->n; i++) {
      s->xt[i] = s->x[i] + t * s->dx[i];
      s->yt[i] = s->z[i] + t * s->dz[i] + s->R[i] * s->xt[i];
    }
    const double merit = perp_mj_merit(s, s->xt, s->yt);
    if (merit < least) {
      least = merit;
      best = t;
    }
    if (merit <= (1 - 2e-4 * t) * most)
      break;
  }
  for (int i = 0; i < s->n; i++)
    s->x[i] += best * s->dx[i];
}

/* ---- The solve ---- */

/* Returns the term of De Saxce of cone c at y. */
static inline double perp_mj_saxce(const perp_mj_arrays *a, int c, const double *y)
{
  double sum = 0;
  for (int k = 1; k < a->dim[c]; k++)
    sum += pow(a->mu[a->round ? c : 5 * c + k - 1] * y[a->cone[c] + k], 2);
  return sqrt(sum);
}

/* Returns the natural residual at x and y, which go to a->x and a->start in their own units. */
static inline double perp_mj_residual(perp_mj_newton *s, const perp_problem *p)
{
  perp_mj_arrays *a = s->a;
  for (int i = 0; i < s->n; i++) {
    a->x[i] = s->x[i] * s->unit[i];
    a->start[i] = s->y[i] / s->unit[i];
  }
  for (int c = 0; s->convex && c < a->cones; c++) {
    a->s[c] = perp_mj_saxce(a, c, a->start);
    a->start[a->cone[c]] -= a->s[c];
  }
  return perp_problem_residual(p, a->x, a->start);
}

/* Returns 0 if phi is too large for a natural residual of `goal`: with rho in place of 1 a residual grows by at
 * most max(1, rho), in units of s by 1 / unit. */
static inline int perp_mj_near(const perp_mj_newton *s, double goal)
{
  for (int i = 0; i < s->n; i++)
    if (fabs(s->phi[i]) * s->unit[i] > 10 * goal * (s->rho[i] > 1 ? s->rho[i] : 1))
      return 0;
  return 1;
}

/* Sets the units, mu_k in contacts. */
static inline void perp_mj_units(perp_mj_newton *s)
{
  const perp_mj_arrays *a = s->a;
  for (int i = 0; i < s->n; i++)
    s->unit[i] = 1;
  for (int c = 0; c < a->cones; c++)
    for (int k = 1; k < a->dim[c]; k++)
      s->unit[a->cone[c] + k] = a->mu[a->round ? c : 5 * c + k - 1];
}

/* Sets E, and rho = 0.3 / A_ii, with sum J_ik^2 / H_kk in place of A_ii: the least in a chain of equal
 * bodies, so rho is small. E is R, or `shift` A_ii without compliance. In a cone the axes share the
 * largest. A row that is empty but for rounding, as the one across the plane of a loop, has 1 for A_ii. */
static inline void perp_mj_scale(perp_mj_newton *s, double shift)
{
  const double factor = 0.3, empty = 1e-20;
  const perp_mj_arrays *a = s->a;
  double longest = 0, *own = s->phi;
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &a->part[k];
    for (int r = 0; r < p->rows; r++) {
      own[p->first + r] = 0;
      for (int e = 0; e < p->width; e++) {
        const double J = p->J[r * p->width + e];
        own[p->first + r] += J * J / a->M[s->m->dof_Madr[p->column[e]]];
      }
      longest = fmax(longest, own[p->first + r]);
    }
  }
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &a->part[k];
    const int first = k < a->cones && !s->convex; /* Coulomb: the normal has its own */
    double most = 0;
    for (int r = first; r < p->rows; r++)
      most = fmax(most, own[p->first + r]);
    for (int r = 0; r < p->rows; r++) {
      const int i = p->first + r;
      const double length = r < first ? own[i] : most;
      const double diagonal = length > empty * longest ? length : 1;
      s->E[i] = s->convex ? s->R[i] : shift * diagonal;
      s->rho[i] = factor / diagonal;
    }
  }
}

/* Soft law: solves by descents from `warm`, unless x is a solution. Returns 1 if x and y have the residual *residual and that is small
 * enough. */
static inline int perp_mj_minimum(perp_mj_newton *s, const double *warm, const perp_problem *p,
                                  double tol, double scale, int64_t *iterations, double *residual)
{
  const double goal = 10 * tol * scale; /* for a look at the residual */
  double most = 0;
  mju_copy(s->u, warm, s->nv);
  perp_mj_along(s, s->u, s->zu);
  mju_addTo(s->zu, s->b, s->n);
  for (int k = 0; k < s->parts; k++)
    perp_mj_respond(s, k, s->zu, s->xt, s->T, NULL, NULL);
  for (int i = 0; i < s->n; i++)
    most = fmax(most, s->R[i] * fabs(s->x[i] - s->xt[i]) / s->unit[i]);
  if (most <= goal) { /* as in the last step */
    perp_mj_refresh(s);
    if (perp_residual_solved(*residual = perp_mj_residual(s, p), tol, scale))
      return 1;
  }
  mju_copy(s->x, s->xt, s->n);
  mju_sub(s->d, s->u, s->a->v, s->nv);
  perp_mj_weigh(s, s->d, s->w);
  perp_mj_against(s, s->x, s->f);
  while (*iterations < PERP_MJ_DESCENTS) {
    for (int k = 0; *iterations > 0 && k < s->parts; k++)
      perp_mj_respond(s, k, s->zu, NULL, s->T, NULL, NULL);
    mju_sub(s->d, s->f, s->w, s->nv);
    if (!perp_mj_descend(s))
      return 0; /* rounding leaves no descent: the steps in x refine it */
    ++*iterations;
    perp_mj_refresh(s);
    most = 0;
    for (int i = 0; i < s->n; i++)
      most = fmax(most, fabs(s->z[i] - s->zu[i]) / s->unit[i]);
    if (most <= goal && perp_residual_solved(*residual = perp_mj_residual(s, p), tol, scale))
      return 1;
  }
  return 0;
}

/* Solves from x, by steps in x and v, while there are fewer than `limit` iterations. */
static inline int perp_mj_natural(perp_mj_newton *s, const perp_problem *p, double tol,
                                  double scale, int64_t limit, int64_t *iterations,
                                  double *residual)
{
  /* Without compliance errors of velocities add up from step to step, so one step more is worth its time. */
  const double margin = s->convex ? 1 : 0.01;
  double merits[PERP_MJ_WINDOW];
  int found = 0;
  perp_mj_scale(s, 1e-5);
  for (int searches = 0;; ++*iterations) {
    perp_mj_refresh(s);
    const double merit = perp_mj_merit(s, s->x, s->y);
    const int judged = perp_mj_near(s, tol * scale);
    *residual = judged ? perp_mj_residual(s, p) : HUGE_VAL;
    if (found &&
        !perp_residual_solved(*residual, tol, scale)) { /* the step beyond the goal went wrong */
      mju_copy(s->x, s->best, s->n);
      perp_mj_refresh(s);
      *residual = perp_mj_residual(s, p);
    }
    const int last =
        found || perp_residual_solved(*residual, margin * tol, scale) || *iterations >= limit;
    found = perp_residual_solved(*residual, tol, scale);
    if (last || (judged && !(*residual < HUGE_VAL)))
      return found;
    if (found)
      mju_copy(s->best, s->x, s->n);
    merits[searches++ % PERP_MJ_WINDOW] = merit;
    double most = 0;
    for (int k = 0; k < searches && k < PERP_MJ_WINDOW; k++)
      most = merits[k] > most ? merits[k] : most;
    if (!perp_mj_direction(s))
      return found;
    perp_mj_search(s, most);
  }
}

/* Coulomb's law: to[c] <- |z_t| of each cone. */
static inline void perp_mj_slips(const perp_mj_newton *s, double *to)
{
  for (int c = 0; c < s->a->cones; c++) {
    const perp_mj_part *p = &s->a->part[c];
    to[c] = sqrt(mju_dot(s->z + p->first + 1, s->z + p->first + 1, p->rows - 1));
  }
}

/* Coulomb's law: x <- the solution of the convex law with y + E (x - x_k) in place of y, x_k the x on entry,
 * and the terms a->s of De Saxce, to `share` of |J^T x|. On entry and on return v, z and f are those of x. */
static inline void perp_mj_proximal(perp_mj_newton *s, double share, int64_t *iterations)
{
  const double size = mju_norm(s->f, s->nv);
  s->convex = 1;
  s->summed = 0;
  for (int i = 0; i < s->n; i++) {
    s->D[i] = 1 / s->E[i];
    s->root[i] = sqrt(s->E[i]);
    s->zu[i] = s->z[i] - s->E[i] * s->x[i];
  }
  for (int c = 0; c < s->a->cones; c++)
    s->zu[s->a->part[c].first] += s->a->s[c];
  mju_copy(s->u, s->v, s->nv);
  mju_copy(s->w, s->f, s->nv);
  for (int inner = 0;; inner++, ++*iterations) {
    for (int k = 0; k < s->parts; k++)
      perp_mj_respond(s, k, s->zu, inner > 0 ? NULL : s->x, s->T, NULL, NULL);
    perp_mj_against(s, s->x, s->f);
    mju_sub(s->d, s->f, s->w, s->nv);
    if (mju_norm(s->d, s->nv) <= share * size || inner == PERP_MJ_INNER || !perp_mj_descend(s))
      break;
  }
  s->convex = 0;
  perp_mj_refresh(s);
}

/* Coulomb's law: solves from x by proximal steps; after one that is much closer than those before, a few
 * steps in x and v. Aitken's factor speeds up the terms of De Saxce. */
static inline int perp_mj_approach(perp_mj_newton *s, const perp_problem *p, double tol,
                                   double scale, int64_t *iterations, double *residual)
{
  const double first = 0.1, shrink = 0.3, least = 1e-9, exact = 0.01;
  double *change = s->a->r, omega = 1, closest = HUGE_VAL, error = 1;
  perp_mj_refresh(s);
  perp_mj_slips(s, s->a->s);
  for (int k = 0; k < PERP_MJ_PROXIMAL; k++) {
    perp_mj_scale(s, fmax(first * pow(shrink, k), least));
    perp_mj_proximal(s, fmax(exact * error, 1e-13), iterations);
    const double merit = perp_mj_merit(s, s->x, s->y);
    *residual = perp_mj_residual(s, p);
    if (perp_residual_solved(*residual, tol, scale))
      return 1;
    if (!(merit < HUGE_VAL && *residual < HUGE_VAL))
      return 0;
    error = fmin(error, *residual / scale);
    double along = 0, square = 0;
    perp_mj_slips(s, s->phi);
    for (int c = 0; c < s->a->cones; c++) {
      const double r = s->phi[c] - s->a->s[c], other = r - change[c];
      along += change[c] * other;
      square += other * other;
      change[c] = r;
    }
    if (k > 0 && square > 0)
      omega = fmin(fmax(-omega * along / square, 0.02), 2);
    for (int c = 0; c < s->a->cones; c++)
      s->a->s[c] = fmax(0, s->a->s[c] + omega * change[c]);
    if (!(merit < 0.01 * closest))
      continue;
    closest = merit;
    mju_copy(s->centre, s->x, s->n);
    if (perp_mj_natural(s, p, tol, scale, *iterations + PERP_MJ_POLISH, iterations, residual))
      return 1;
    mju_copy(s->x, s->centre, s->n);
    perp_mj_refresh(s);
  }
  return 0;
}

/* Under Coulomb's law: steps in x and v, then proximal steps from the same x. */
static inline int perp_mj_coulomb(perp_mj_newton *s, const perp_problem *p, double tol,
                                  double scale, int64_t *iterations, double *residual)
{
  mju_copy(s->centre, s->x, s->n);
  if (perp_mj_natural(s, p, tol, scale, PERP_MJ_TRIES, iterations, residual))
    return 1;
  mju_copy(s->x, s->centre, s->n);
  return perp_mj_approach(s, p, tol, scale, iterations, residual);
}

/* Solves from a->x. Returns 1 if the solution is found, which is then in s->result; else a->x is as
 * before. b does not have J v yet. */
static inline int perp_mj_newton_solve(perp_mj *settings, const mjModel *m, const mjData *d,
                                       const perp_set *K, perp_mj_arrays *a)
{
  const size_t n = (size_t)d->nefc, nv = (size_t)m->nv;
  const perp_options *o = &settings->options;
  if (settings->method || o->observer || o->max_iterations != 0 || !perp_mj_suits(n, nv) ||
      perp_mj_unsymmetric(settings, m))
    return 0;
  if (!(o->tol >= 0 && o->tol < HUGE_VAL && o->time_limit >= 0)) /* the library refuses them */
    return 0;
  struct timespec begin, end;
  timespec_get(&begin, TIME_UTC);
  perp_mj_newton s;
  memset(&s, 0, sizeof s);
  double **reals[] = {&s.x,  &s.y,   &s.z,     &s.b,    &s.R,     &s.D,  &s.root,
                      &s.E,  &s.rho, &s.unit,  &s.phi,  &s.dx,    &s.dz, &s.xt,
                      &s.yt, &s.zu,  &s.start, &s.best, &s.centre};
  double *at = a->newton;
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++, at += n)
    *reals[k] = at;
  s.T = at;
  s.before = s.T + 6 * n;
  s.change = s.before + 6 * n;
  s.H = s.change + 6 * n;
  s.sum = s.H + nv * nv;
  s.v = s.sum + nv * nv;
  s.dv = s.v + nv;
  s.u = s.dv + nv;
  s.g = s.u + nv;
  s.f = s.g + 9 * nv;
  s.w = s.f + nv;
  s.d = s.w + nv;
  s.block = s.d + nv;
  s.place = a->pattern;
  s.run_start = s.place + nv;
  s.run_end = s.run_start + nv;
  s.twin = s.run_end + nv;
  s.run = s.twin + nv;
  s.mark = a->mark;
  s.m = m;
  s.a = a;
  s.n = d->nefc;
  s.nv = m->nv;
  s.convex = settings->law == PERP_MJ_SOFT;
  perp_mj_units(&s);
  perp_mj_parts(&s, d);
  perp_mj_pattern(&s);
  perp_mj_copy(&s, d);
  perp_mj_along(&s, a->v, s.z);
  double *total = a->force; /* b with J v, for the scale of the residual */
  for (int i = 0; i < s.n; i++) {
    s.b[i] = s.unit[i] * a->b[i];
    s.R[i] = s.unit[i] * s.unit[i] * a->C[i];
    if (s.convex) {
      s.D[i] = 1 / s.R[i];
      s.root[i] = sqrt(s.R[i]);
    }
    s.x[i] = a->x[i] / s.unit[i];
    total[i] = s.z[i] / s.unit[i] + a->b[i];
  }
  perp_problem p = perp_problem_product(NULL, total, K);
  p.K.n = s.n; /* without A its residual and scale are still defined */
  const double scale = perp_problem_scale(&p);
  double residual = HUGE_VAL;
  mju_copy(s.start, a->x, s.n);
  int64_t *iterations = &settings->iterations;
  const int found =
      !s.convex
          ? perp_mj_coulomb(&s, &p, o->tol, scale, iterations, &residual)
          : perp_mj_minimum(&s, d->qacc_warmstart, &p, o->tol, scale, iterations, &residual) ||
                perp_mj_natural(&s, &p, o->tol, scale, PERP_MJ_STEPS, iterations, &residual);
  timespec_get(&end, TIME_UTC);
  settings->seconds =
      (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  if (!found) {
    mju_copy(a->x, s.start, s.n);
    return 0;
  }
  perp_result *result = &settings->result;
  result->outcome = PERP_SOLVED;
  result->method = "newton";
  result->residual = residual;
  result->scale = scale;
  result->relative_residual = residual / scale;
  result->seconds = settings->seconds;
  result->counts.iterations = settings->iterations;
  result->y = a->start;
  settings->x = a->x;
  a->joint_force = s.f;
  a->acceleration = s.convex ? s.v : NULL;
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
