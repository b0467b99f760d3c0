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
 * Steps are halved until |Phi| falls below the largest of the last few. Cost of a step: the square of its
 * numbers for each row of J, the cube of the velocities for the factor. The natural residual of perp_problem_residual, with v
 * from x by a factor of H, decides. If it is not reached in PERP_MJ_STEPS steps, x is as before, and
 * mujoco.h continues with methods of the library. */
#ifndef PERP_MUJOCO_NEWTON_H
#define PERP_MUJOCO_NEWTON_H

#include <perp/mujoco_problem.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PERP_MJ_STEPS = 25,
  PERP_MJ_DESCENTS = 15, /* of them first, under the soft law */
  PERP_MJ_WINDOW = 8,    /* merits that a step is compared with */
  PERP_MJ_HALVINGS = 8,  /* of a step */
};

/* ---- Rows ---- */

typedef struct perp_mj_newton {
  const mjModel *m;
  perp_mj_arrays *a;
  int n, nv, convex;
  int parts; /* cones first, then other rows one by one */

  /* n each, contacts in units of s; b is b0, unit is mu_k or 1 */
  double *x, *y, *z, *b, *R, *E, *rho, *unit, *phi, *dx, *dz, *xt, *yt, *zu, *start, *best;
  double *T;          /* 6 n: of each part, row by row */
  double *H, *v, *dv; /* nv x nv, nv, nv */
  double *f, *u, *g;  /* nv: J^T x; v of the minimisation; scratch */
} perp_mj_newton;

/* Lists the parts, and copies their rows of J. */
static inline void perp_mj_parts(perp_mj_newton *s, const mjData *d)
{
  const mjModel *m = s->m;
  const perp_mj_arrays *a = s->a;
  const int sparse = mj_isSparse(m);
  int at = 0, columns = 0;
  s->parts = 0;
  for (int k = 0; k < s->n;) {
    perp_mj_part *p = &s->a->part[s->parts++];
    const int first = a->row[k];
    p->first = k;
    p->rows = s->parts <= a->cones ? a->dim[s->parts - 1] : 1;
    p->column = a->J_column + columns;
    p->J = a->J_value + at;
    p->width = 0;
    const int most = sparse ? d->efc_J_rownnz[first] : m->nv;
    const mjtNum *J = d->efc_J + (sparse ? d->efc_J_rowadr[first] : first * m->nv);
    const int stride = most; /* rows of a contact follow each other and have the same columns */
    for (int e = 0; e < most; e++) {
      int any = 0;
      for (int r = 0; r < p->rows; r++)
        any |= J[r * stride + e] != 0;
      if (any)
        p->column[p->width++] = e;
    }
    for (int r = 0; r < p->rows; r++)
      for (int e = 0; e < p->width; e++)
        p->J[r * p->width + e] = s->unit[k + r] * J[r * stride + p->column[e]];
    for (int e = 0; sparse && e < p->width; e++)
      p->column[e] = d->efc_J_colind[d->efc_J_rowadr[first] + p->column[e]];
    at += p->rows * p->width;
    columns += p->width;
    k += p->rows;
  }
}

/* z <- J v */
static inline void perp_mj_along(const perp_mj_newton *s, const double *v, double *z)
{
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    for (int r = 0; r < p->rows; r++) {
      double sum = 0;
      for (int e = 0; e < p->width; e++)
        sum += p->J[r * p->width + e] * v[p->column[e]];
      z[p->first + r] = sum;
    }
  }
}

/* v <- J^T x */
static inline void perp_mj_against(const perp_mj_newton *s, const double *x, double *v)
{
  mju_zero(v, s->nv);
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    for (int r = 0; r < p->rows; r++) {
      const double force = x[p->first + r];
      for (int e = 0; force != 0 && e < p->width; e++)
        v[p->column[e]] += p->J[r * p->width + e] * force;
    }
  }
}

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

/* Solves H v = v; H becomes its factor. Leaves go first: if contacts join no two branches of the trees, the
 * factor has the pattern of M. H is positive definite except in contacts that slide; a pivot that is lost there
 * gives a poor step. */
static inline int perp_mj_eliminate(int n, double *H, double *v)
{
  int at[PERP_MJ_FACTOR];
  for (int k = n - 1; k >= 0; k--) {
    const double *pivot = H + k * n;
    int count = 0;
    if (!(fabs(pivot[k]) > 0))
      return 0;
    for (int j = 0; j < k; j++)
      if (pivot[j] != 0)
        at[count++] = j;
    for (int i = 0; i < k; i++) {
      double *row = H + i * n;
      if (row[k] == 0)
        continue;
      const double share = row[k] / pivot[k];
      for (int e = 0; e < count; e++)
        row[at[e]] -= share * pivot[at[e]];
      v[i] -= share * v[k];
    }
  }
  for (int k = 0; k < n; k++) {
    const double *row = H + k * n;
    double sum = v[k];
    for (int j = 0; j < k; j++)
      sum -= row[j] * v[j];
    v[k] = sum / row[k];
  }
  return 1;
}

/* H <- H + J^T T J of a part, its lower half only if T is symmetric. */
static inline void perp_mj_add(perp_mj_newton *s, const perp_mj_part *p, int symmetric)
{
  const int rows = p->rows, width = p->width;
  const double *T = s->T + 6 * p->first;
  double *right = s->g; /* row r of T J */
  for (int r = 0; r < rows; r++) {
    const double *left = p->J + r * width, own = T[r * rows + r];
    int any = own != 0;
    for (int e = 0; e < width; e++)
      right[e] = own * left[e];
    for (int c = 0; c < rows; c++)
      if (c != r && T[r * rows + c] != 0) {
        any = 1;
        for (int e = 0; e < width; e++)
          right[e] += T[r * rows + c] * p->J[c * width + e];
      }
    for (int e = 0; any && e < width; e++) {
      double *to = s->H + p->column[e] * s->nv;
      const int end = symmetric ? e + 1 : width;
      for (int f = 0; f < end; f++)
        to[p->column[f]] += left[e] * right[f];
    }
  }
}

/* H <- M + J^T T J */
static inline void perp_mj_hessian(perp_mj_newton *s)
{
  const int nv = s->nv;
  const mjModel *m = s->m;
  mju_zero(s->H, nv * nv);
  for (int i = 0; i < nv; i++) {
    const double *row = s->a->M + m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j], row++)
      s->H[i * nv + j] = *row;
  }
  for (int symmetric = 1; symmetric >= 0; symmetric--) {
    for (int k = 0; k < s->parts; k++) {
      const perp_mj_part *p = &s->a->part[k];
      const double *T = s->T + 6 * p->first;
      const int slides = !s->convex && p->rows > 1 && T[1] != T[p->rows];
      if (slides != symmetric)
        perp_mj_add(s, p, symmetric);
    }
    for (int i = 0; symmetric && i < nv; i++)
      for (int j = 0; j < i; j++)
        s->H[j * nv + i] = s->H[i * nv + j];
  }
}

/* w <- H (v - v*) */
static inline void perp_mj_weigh(const perp_mj_newton *s, const double *v, double *w)
{
  const mjModel *m = s->m;
  const double *free = s->a->v;
  mju_zero(w, s->nv);
  for (int i = 0; i < s->nv; i++) {
    const double *row = s->a->M + m->dof_Madr[i], own = v[i] - free[i];
    w[i] += *row++ * own;
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j], row++) {
      w[i] += *row * (v[j] - free[j]);
      w[j] += *row * own;
    }
  }
}

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
  perp_mj_hessian(s);
  perp_mj_against(s, s->dx, s->dv);
  if (!perp_mj_eliminate(s->nv, s->H, s->dv))
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

/* Soft law: x <- the forces of z, the projection of -z / R in the norm of R, and T. Returns x^T q and, in
 * *bend, q^T T q for a direction q of z, if it is not NULL. In sigma = R^(1/2) s the cone is |sigma_t| <=
 * g sigma_n, g = (R_t / R_n)^(1/2). */
static inline double perp_mj_respond(perp_mj_newton *s, const double *z, const double *q, double *x,
                                     double *bend)
{
  double work = 0;
  *bend = 0;
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    const int i = p->first, n = p->rows;
    double *T = s->T + 6 * i;
    if (k >= s->a->cones) {
      const double w = -z[i] / s->R[i], lo = s->a->lo[i], hi = s->a->hi[i];
      x[i] = w < lo ? lo : w > hi ? hi : w;
      T[0] = w > lo && w < hi ? 1 / s->R[i] : 0;
    } else {
      const double root = sqrt(s->R[i]), side = sqrt(s->R[i + 1]), g = side / root;
      const double normal = -z[i] / root;
      double square = 0;
      for (int r = 1; r < n; r++)
        square += z[i + r] * z[i + r];
      const double length = sqrt(square) / side;
      memset(T, 0, (size_t)(n * n) * sizeof *T);
      for (int r = 0; r < n; r++) {
        const int inside = length <= g * normal;
        x[i + r] = inside ? -z[i + r] / s->R[i + (r > 0)] : 0;
        T[r * n + r] = inside ? 1 / s->R[i + (r > 0)] : 0;
      }
      if (length > g * normal && g * length > -normal) {
        const double share = 1 / (1 + g * g), radius = share * (normal + g * length);
        double e[6] = {1 / root};
        const double across = g * radius / (length * side * side);
        for (int r = 1; r < n; r++)
          e[r] = -g * z[i + r] / (length * side * side);
        for (int r = 0; r < n; r++) {
          x[i + r] = radius * e[r];
          for (int c = 0; c < n; c++)
            T[r * n + c] = share * e[r] * e[c];
        }
        for (int r = 1; r < n; r++)
          for (int c = 1; c < n; c++)
            T[r * n + c] += across * ((r == c) - e[r] * e[c] * side * side / (g * g));
      }
    }
    for (int r = 0; q && r < n; r++) {
      work += x[i + r] * q[i + r];
      for (int c = 0; c < n; c++)
        *bend += q[i + r] * T[r * n + c] * q[i + c];
    }
  }
  return work;
}

/* Soft law: begins the minimisation at v. */
static inline void perp_mj_start(perp_mj_newton *s, const double *v)
{
  double bend;
  mju_copy(s->u, v, s->nv);
  perp_mj_along(s, s->u, s->zu);
  mju_addTo(s->zu, s->b, s->n);
  perp_mj_respond(s, s->zu, NULL, s->x, &bend);
  perp_mj_against(s, s->x, s->f);
}

/* Soft law: one step of Newton's method for the minimum over v of
 *
 *   1/2 (v - v*)^T M (v - v*) + sum max over x of -(z^T x + 1/2 x^T R x),   z = J v + b0,
 *
 * whose gradient is M (v - v*) - J^T x(z) (primal.c has the duality), with an exact line search. v is in
 * s->u, z in s->zu; x, T and f = J^T x are theirs on entry, x and T on return. Returns 0, and changes no
 * x, if there is no descent. */
static inline int perp_mj_descend(perp_mj_newton *s)
{
  const int nv = s->nv;
  double *weight = s->v, bend; /* M (v - v*), then that at v + dv */
  perp_mj_weigh(s, s->u, weight);
  mju_sub(s->dv, s->f, weight, nv); /* minus the gradient */
  perp_mj_hessian(s);
  mju_copy(s->g, s->dv, nv);
  if (!perp_mj_eliminate(nv, s->H, s->dv))
    return 0;
  const double slope = -mju_dot(s->g, s->dv, nv), first = mju_dot(weight, s->dv, nv);
  if (!(slope < 0))
    return 0;
  perp_mj_along(s, s->dv, s->dz);
  mju_add(s->g, s->u, s->dv, nv);
  perp_mj_weigh(s, s->g, weight);
  const double square = mju_dot(weight, s->dv, nv) - first;
  double low = 0, high = HUGE_VAL, t = 1;
  for (int k = 0; k < 30; k++) {
    for (int i = 0; i < s->n; i++)
      s->yt[i] = s->zu[i] + t * s->dz[i];
    const double now = first + t * square - perp_mj_respond(s, s->yt, s->dz, s->x, &bend);
    if (fabs(now) <= -1e-2 * slope)
      break;
    *(now < 0 ? &low : &high) = t;
    const double next = t - now / (square + bend);
    t = next > low && next < high ? next : high < HUGE_VAL ? (low + high) / 2 : 2 * t;
  }
  mju_addToScl(s->u, s->dv, t, nv);
  mju_copy(s->zu, s->yt, s->n);
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

/* Sets R, E and rho, from sum J_ik^2 / H_kk in place of A_ii: the least in a chain of equal bodies, so
 * rho is small. In a cone the axes share the largest. */
static inline void perp_mj_scale(perp_mj_newton *s)
{
  const double shift = 1e-5, factor = 0.3;
  const perp_mj_arrays *a = s->a;
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &a->part[k];
    const int first = k < a->cones && !s->convex; /* Coulomb: the normal has its own */
    double own[6] = {0}, most = 0;
    for (int r = 0; r < p->rows; r++) {
      const int i = p->first + r;
      for (int e = 0; e < p->width; e++) {
        const double J = p->J[r * p->width + e];
        own[r] += J * J / a->M[s->m->dof_Madr[p->column[e]]];
      }
      s->R[i] = s->unit[i] * s->unit[i] * a->C[i];
      most = r >= first ? fmax(most, own[r] + s->R[i]) : most;
    }
    for (int r = 0; r < p->rows; r++) {
      const int i = p->first + r;
      const double diagonal = r < first ? own[r] : most;
      s->E[i] = s->convex ? s->R[i] : shift * diagonal;
      s->rho[i] = factor / diagonal;
    }
  }
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
  double **reals[] = {&s.x,   &s.y,  &s.z,  &s.b,  &s.R,  &s.E,  &s.rho,   &s.unit,
                      &s.phi, &s.dx, &s.dz, &s.xt, &s.yt, &s.zu, &s.start, &s.best};
  double *at = a->newton;
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++, at += n)
    *reals[k] = at;
  s.T = at;
  s.H = at + 6 * n;
  s.v = s.H + nv * nv;
  s.dv = s.v + nv;
  s.u = s.dv + nv;
  s.g = s.u + nv;
  s.f = s.g + nv;
  s.m = m;
  s.a = a;
  s.n = d->nefc;
  s.nv = m->nv;
  s.convex = settings->law == PERP_MJ_SOFT;
  perp_mj_units(&s);
  perp_mj_parts(&s, d);
  perp_mj_scale(&s);
  perp_mj_along(&s, a->v, s.z);
  double *total = a->force; /* b with J v, for the scale of the residual */
  for (int i = 0; i < s.n; i++) {
    s.b[i] = s.unit[i] * a->b[i];
    s.x[i] = a->x[i] / s.unit[i];
    total[i] = s.z[i] / s.unit[i] + a->b[i];
  }
  perp_problem p = perp_problem_product(NULL, total, K);
  p.K.n = s.n; /* without A its residual and scale are still defined */
  const double scale = perp_problem_scale(&p), goal = o->tol * scale;
  /* Without compliance errors of velocities add up from step to step, so one step more is worth its time. */
  const double margin = s.convex ? 1 : 0.01;
  double merits[PERP_MJ_WINDOW], residual = HUGE_VAL;
  int found = 0, descents = s.convex ? PERP_MJ_DESCENTS : 0;
  mju_copy(s.start, a->x, s.n);
  for (int step = 0, searches = 0;; step++) {
    perp_mj_refresh(&s);
    const double merit = perp_mj_merit(&s, s.x, s.y);
    residual = perp_mj_near(&s, goal) ? perp_mj_residual(&s, &p) : 2 * goal;
    settings->iterations = step;
    if (found && !(residual <= goal)) { /* the step beyond the goal went wrong */
      mju_copy(s.x, s.best, s.n);
      perp_mj_refresh(&s);
      residual = perp_mj_residual(&s, &p);
    }
    const int last = found || residual <= margin * goal || step == PERP_MJ_STEPS;
    found = residual <= goal && residual < HUGE_VAL;
    if (last || !(residual < HUGE_VAL))
      break;
    if (found)
      mju_copy(s.best, s.x, s.n);
    if (step == 0 && s.convex)
      perp_mj_start(&s, d->qacc_warmstart);
    if (step < descents) {
      if (!perp_mj_descend(&s))
        descents = 0; /* rounding leaves no descent: the steps in x refine it */
      continue;
    }
    merits[searches++ % PERP_MJ_WINDOW] = merit;
    double most = 0;
    for (int k = 0; k < searches && k < PERP_MJ_WINDOW; k++)
      most = merits[k] > most ? merits[k] : most;
    if (!perp_mj_direction(&s))
      break;
    perp_mj_search(&s, most);
  }
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
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
