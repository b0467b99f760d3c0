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
 * v alone, and begins with Newton's method for it (perp_mj_descend). Cost of a step: the square of its
 * numbers for each row of J, and a sparse factor of the matrix of velocities. The natural residual of
 * perp_problem_residual, with v from x by a factor of H, decides. If it is not reached in PERP_MJ_STEPS
 * steps, x is as before, and mujoco.h continues with methods of the library. */
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

  /* n each, contacts in units of s; b is b0, unit is mu_k or 1, D = 1 / R, root = R^(1/2) */
  double *x, *y, *z, *b, *R, *D, *root, *E, *rho, *unit, *phi, *dx, *dz, *xt, *yt, *zu, *start,
      *best;
  double *T;          /* 6 n: of each part, row by row */
  double *H, *v, *dv; /* nv x nv, nv, nv */
  double *f, *g;      /* nv: J^T x; scratch */
  double *u, *w, *d;  /* nv, soft law: v, M (v - v*) and minus the gradient */
  double *block;      /* nv x nv: J^T T J of parts with the same columns */
  int *place;         /* of each velocity in H */
  int *run;           /* pairs first, end: the entries of each row of H left of the diagonal */
  int *run_start, *run_end; /* nv: where the pairs of a row are */
  char *mark;               /* nv x nv: the pattern */
} perp_mj_newton;

/* Returns the last velocity that moves a body, -1 if there is none. */
static inline int perp_mj_last(const mjModel *m, int body)
{
  while (body > 0 && m->body_dofnum[body] == 0)
    body = m->body_parentid[body];
  return body > 0 ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

/* column <- the velocities that can have a number in MuJoCo's row i, ascending. Returns how many: those
 * that move only one of the bodies of a contact, whose last ones are `last`, the one of a joint; else all of
 * the row. */
static inline int perp_mj_columns(const mjModel *m, const mjData *d, int i, int rows,
                                  const int *last, int *column)
{
  const int sparse = mj_isSparse(m);
  int count = 0, one = last[0], two = last[1];
  if (d->efc_type[i] == mjCNSTR_FRICTION_DOF) {
    column[count++] = d->efc_id[i];
    return count;
  }
  if (one >= -1) {
    while (one != two) { /* descending, until the branches meet */
      int *larger = one > two ? &one : &two;
      column[count++] = *larger;
      *larger = m->dof_parentid[*larger];
    }
    for (int e = 0; e < count / 2; e++) {
      const int swap = column[e];
      column[e] = column[count - 1 - e];
      column[count - 1 - e] = swap;
    }
    return count;
  }
  const int most = sparse ? d->efc_J_rownnz[i] : m->nv;
  const mjtNum *J = d->efc_J + (sparse ? d->efc_J_rowadr[i] : i * m->nv);
  for (int e = 0; e < most; e++) {
    int any = 0;
    for (int r = 0; r < rows; r++)
      any |= J[r * most + e] != 0;
    if (any)
      column[count++] = sparse ? d->efc_J_colind[d->efc_J_rowadr[i] + e] : e;
  }
  return count;
}

/* Lists the parts and their columns. Neighbours of the same bodies share them. */
static inline void perp_mj_parts(perp_mj_newton *s, const mjData *d)
{
  const perp_mj_arrays *a = s->a;
  int columns = 0, before[2] = {-2, -2};
  s->parts = 0;
  for (int k = 0; k < s->n; k += s->a->part[s->parts++].rows) {
    perp_mj_part *p = &s->a->part[s->parts];
    const int i = a->row[k], contact = d->efc_type[i] >= mjCNSTR_CONTACT_FRICTIONLESS;
    int last[2] = {-2, -2}; /* not a contact of two bodies */
    if (contact && d->contact[d->efc_id[i]].geom1 >= 0 && d->contact[d->efc_id[i]].geom2 >= 0) {
      last[0] = perp_mj_last(s->m, s->m->geom_bodyid[d->contact[d->efc_id[i]].geom1]);
      last[1] = perp_mj_last(s->m, s->m->geom_bodyid[d->contact[d->efc_id[i]].geom2]);
    }
    p->first = k;
    p->rows = s->parts < a->cones ? a->dim[s->parts] : 1;
    if (last[0] >= -1 && last[0] == before[0] && last[1] == before[1]) {
      p->column = p[-1].column;
      p->width = p[-1].width;
    } else {
      p->column = a->J_column + columns;
      p->width = perp_mj_columns(s->m, d, i, p->rows, last, p->column);
      columns += p->width;
    }
    before[0] = last[0];
    before[1] = last[1];
  }
}

/* Copies the rows of J, with the columns in the order of H. */
static inline void perp_mj_copy(perp_mj_newton *s, const mjData *d)
{
  const perp_mj_arrays *a = s->a;
  const int sparse = mj_isSparse(s->m);
  double *to = a->J_value;
  for (int k = 0; k < s->parts; k++) {
    perp_mj_part *p = &a->part[k];
    p->J = to;
    for (int r = 0; r < p->rows; r++, to += p->width) {
      const int i = a->row[p->first + r];
      const double unit = s->unit[p->first + r];
      if (!sparse) {
        const mjtNum *J = d->efc_J + i * s->nv;
        for (int e = 0; e < p->width; e++)
          to[e] = unit * J[p->column[e]];
        continue;
      }
      double *row = s->g; /* zero but for this row */
      const int *column = d->efc_J_colind + d->efc_J_rowadr[i], count = d->efc_J_rownnz[i];
      for (int e = 0; e < p->width; e++)
        row[p->column[e]] = 0;
      for (int e = 0; e < count; e++)
        row[column[e]] = unit * d->efc_J[d->efc_J_rowadr[i] + e];
      for (int e = 0; e < p->width; e++)
        to[e] = row[p->column[e]];
    }
  }
}

static inline double perp_mj_dot(int n, const double *a, const double *b)
{
  double even = 0, odd = 0;
  int k = 0;
  for (; k + 1 < n; k += 2) {
    even += a[k] * b[k];
    odd += a[k + 1] * b[k + 1];
  }
  return k < n ? even + odd + a[k] * b[k] : even + odd;
}

/* to <- to + share * from */
static inline void perp_mj_axpy(int n, double share, const double *__restrict from,
                                double *__restrict to)
{
  for (int k = 0; k < n; k++)
    to[k] += share * from[k];
}

/* Returns the part behind those with the columns of part k. */
static inline int perp_mj_group(const perp_mj_newton *s, int k)
{
  const perp_mj_part *p = &s->a->part[k++];
  while (k < s->parts && s->a->part[k].column == p->column && s->a->part[k].width == p->width)
    k++;
  return k;
}

/* z <- J v */
static inline void perp_mj_along(const perp_mj_newton *s, const double *v, double *z)
{
  double *own = s->g;
  for (int k = 0, end; k < s->parts; k = end) {
    const perp_mj_part *p = &s->a->part[k];
    const int width = p->width, rows = (end = perp_mj_group(s, k)) < s->parts
                                           ? s->a->part[end].first - p->first
                                           : s->n - p->first;
    for (int e = 0; e < width; e++)
      own[e] = v[p->column[e]];
    for (int r = 0; r < rows; r++)
      z[p->first + r] = perp_mj_dot(width, p->J + r * width, own);
  }
}

/* v <- J^T x */
static inline void perp_mj_against(const perp_mj_newton *s, const double *x, double *v)
{
  double *own = s->g;
  mju_zero(v, s->nv);
  for (int k = 0, end; k < s->parts; k = end) {
    const perp_mj_part *p = &s->a->part[k];
    const int width = p->width, rows = (end = perp_mj_group(s, k)) < s->parts
                                           ? s->a->part[end].first - p->first
                                           : s->n - p->first;
    for (int e = 0; e < width; e++)
      own[e] = v[p->column[e]];
    for (int r = 0; r < rows; r++)
      if (x[p->first + r] != 0)
        perp_mj_axpy(width, x[p->first + r], p->J + r * width, own);
    for (int e = 0; e < width; e++)
      v[p->column[e]] = own[e];
  }
}

/* ---- The pattern of H ---- */

/* place <- the velocities, tree by tree: the tree that touches the fewest others is eliminated first, so its
 * velocities come last. Those of a tree stay in order. */
static inline void perp_mj_order_trees(perp_mj_newton *s)
{
  const mjModel *m = s->m;
  const int nv = s->nv;
  int tree[PERP_MJ_FACTOR], first[PERP_MJ_FACTOR + 1], degree[PERP_MJ_FACTOR], trees = 0;
  for (int i = 0; i < nv; i++) {
    tree[i] = m->dof_parentid[i] < 0 ? trees : tree[m->dof_parentid[i]];
    if (tree[i] == trees)
      first[trees++] = i;
    s->place[i] = i;
  }
  if (trees <= 2)
    return;
  first[trees] = nv;
  char *touch = s->mark; /* trees x trees */
  memset(touch, 0, (size_t)(trees * trees));
  for (int k = 0; k < s->parts; k = perp_mj_group(s, k)) {
    const perp_mj_part *p = &s->a->part[k];
    for (int e = 1; e < p->width; e++)
      for (int f = 0; f < e && tree[p->column[e]] != tree[p->column[e - 1]]; f++)
        touch[tree[p->column[e]] * trees + tree[p->column[f]]] =
            touch[tree[p->column[f]] * trees + tree[p->column[e]]] = 1;
  }
  for (int t = 0; t < trees; t++) {
    degree[t] = 0;
    for (int o = 0; o < trees; o++)
      degree[t] += touch[t * trees + o];
  }
  for (int count = 0, next = nv; count < trees; count++) {
    int least = -1;
    for (int t = 0; t < trees; t++)
      if (degree[t] >= 0 && (least < 0 || degree[t] < degree[least]))
        least = t;
    const char *row = touch + least * trees;
    degree[least] = -1;
    next -= first[least + 1] - first[least];
    for (int i = first[least]; i < first[least + 1]; i++)
      s->place[i] = next + i - first[least];
    for (int t = 0; t < trees; t++) {
      if (!row[t] || degree[t] < 0)
        continue;
      char *to = touch + t * trees;
      degree[t] = 0;
      for (int o = 0; o < trees; o++) {
        to[o] |= row[o];
        to[o] = to[o] && o != t && degree[o] >= 0;
        degree[t] += to[o];
      }
    }
  }
}

/* Sorts columns by place, and finds the pattern of the factor, which has that of H. Leaves go first: if
 * contacts join no two branches of the trees, it is the pattern of M. */
static inline void perp_mj_pattern(perp_mj_newton *s)
{
  const int nv = s->nv;
  const int *place = s->place;
  int first[PERP_MJ_FACTOR]; /* entry of each row */
  perp_mj_order_trees(s);
  memset(s->mark, 0, (size_t)(nv * nv));
  for (int i = 0; i < nv; i++) {
    char *row = s->mark + place[i] * nv;
    first[place[i]] = place[i];
    for (int j = s->m->dof_parentid[i]; j >= 0; j = s->m->dof_parentid[j]) {
      row[place[j]] = 1;
      first[place[i]] = place[j];
    }
  }
  for (int k = 0; k < s->parts; k = perp_mj_group(s, k)) {
    const perp_mj_part *p = &s->a->part[k];
    if (p->width == 0)
      continue;
    for (int e = 1; e < p->width; e++) {
      const int column = p->column[e];
      int f = e;
      for (; f > 0 && place[p->column[f - 1]] > place[column]; f--)
        p->column[f] = p->column[f - 1];
      p->column[f] = column;
    }
    /* the row of the last velocity hands the others on as it is eliminated */
    const int last = place[p->column[p->width - 1]], least = place[p->column[0]];
    for (int e = 0; e < p->width - 1; e++)
      s->mark[last * nv + place[p->column[e]]] = 1;
    first[last] = least < first[last] ? least : first[last];
  }
  int count = 0;
  for (int k = nv - 1; k >= 0; k--) {
    const char *row = s->mark + k * nv;
    const int begin = count;
    for (int j = first[k]; j < k;) {
      if (!row[j++])
        continue;
      s->run[count] = j - 1;
      while (j < k && row[j])
        j++;
      s->run[count + 1] = j;
      count += 2;
    }
    s->run_start[k] = begin;
    const int parent = count > begin ? s->run[count - 1] - 1 : -1;
    s->run_end[k] = count;
    if (parent < 0)
      continue;
    for (int j = first[k]; j < parent; j++)
      s->mark[parent * nv + j] |= row[j];
    first[parent] = first[k] < first[parent] ? first[k] : first[parent];
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

/* Solves H v = v, v by velocity; H becomes its factor, from its lower half if it is symmetric. H is positive
 * definite except in contacts that slide; a pivot that is lost there gives a poor step. */
static inline int perp_mj_eliminate(perp_mj_newton *s, int symmetric, double *v)
{
  const int n = s->nv;
  double *w = s->g;
  for (int i = 0; i < n; i++)
    w[s->place[i]] = v[i];
  for (int k = n - 1; k >= 0; k--) {
    const double *pivot = s->H + k * n;
    const int *run = s->run + s->run_start[k], *end = s->run + s->run_end[k];
    if (!(fabs(pivot[k]) > 0))
      return 0;
    const double inverse = 1 / pivot[k];
    for (const int *rows = run; rows < end; rows += 2)
      for (int i = rows[0]; i < rows[1]; i++) {
        double *row = s->H + i * n;
        const double share = (symmetric ? pivot[i] : row[k]) * inverse;
        if (share == 0)
          continue;
        for (const int *at = run; at < (symmetric ? rows : end); at += 2)
          perp_mj_axpy(at[1] - at[0], -share, pivot + at[0], row + at[0]);
        if (symmetric)
          perp_mj_axpy(i + 1 - rows[0], -share, pivot + rows[0], row + rows[0]);
        w[i] -= share * w[k];
      }
  }
  for (int k = 0; k < n; k++) {
    const double *row = s->H + k * n;
    double sum = w[k];
    for (int at = s->run_start[k]; at < s->run_end[k]; at += 2)
      sum -= perp_mj_dot(s->run[at + 1] - s->run[at], row + s->run[at], w + s->run[at]);
    w[k] = sum / row[k];
  }
  for (int i = 0; i < n; i++)
    v[i] = w[s->place[i]];
  return 1;
}

/* block <- block + J^T T J of a part, its lower half only if T is symmetric. */
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
        perp_mj_axpy(width, T[r * rows + c], p->J + c * width, right);
      }
    for (int e = 0; any && e < width; e++)
      perp_mj_axpy(symmetric ? e + 1 : width, left[e], right, s->block + e * width);
  }
}

/* Returns 1 if T of a part is not symmetric. */
static inline int perp_mj_slides(const perp_mj_newton *s, const perp_mj_part *p)
{
  const double *T = s->T + 6 * p->first;
  return !s->convex && p->rows > 1 && T[1] != T[p->rows];
}

/* H <- H + J^T T J of the parts whose T is symmetric, or of the others. Returns how many parts there are. */
static inline int perp_mj_add_parts(perp_mj_newton *s, int symmetric)
{
  const int nv = s->nv;
  int added = 0;
  for (int k = 0; k < s->parts;) {
    const perp_mj_part *p = &s->a->part[k];
    const int width = p->width, before = added, end = perp_mj_group(s, k);
    for (; k < end; k++) {
      if (perp_mj_slides(s, &s->a->part[k]) == symmetric)
        continue;
      if (added++ == before)
        memset(s->block, 0, (size_t)(width * width) * sizeof *s->block);
      perp_mj_add(s, &s->a->part[k], symmetric);
    }
    for (int e = 0; added > before && e < width; e++) {
      double *to = s->H + s->place[p->column[e]] * nv;
      const double *from = s->block + e * width;
      for (int f = 0; f < (symmetric ? e + 1 : width); f++)
        to[s->place[p->column[f]]] += from[f];
    }
  }
  return added;
}

/* H <- M + J^T T J. Returns 1 if it is symmetric and only its lower half is set. */
static inline int perp_mj_hessian(perp_mj_newton *s)
{
  const int nv = s->nv;
  const mjModel *m = s->m;
  for (int k = 0; k < nv; k++)
    for (int at = s->run_start[k]; at < s->run_end[k]; at += 2)
      memset(s->H + k * nv + s->run[at], 0, (size_t)(s->run[at + 1] - s->run[at]) * sizeof *s->H);
  for (int i = 0; i < nv; i++) {
    const double *row = s->a->M + m->dof_Madr[i];
    double *to = s->H + s->place[i] * nv;
    for (int j = i; j >= 0; j = m->dof_parentid[j], row++)
      to[s->place[j]] = *row;
  }
  int slides = 0;
  perp_mj_add_parts(s, 1);
  for (int k = 0; k < s->parts; k++)
    slides |= perp_mj_slides(s, &s->a->part[k]);
  if (!slides)
    return 1;
  for (int k = 0; k < nv; k++)
    for (int at = s->run_start[k]; at < s->run_end[k]; at += 2)
      for (int j = s->run[at]; j < s->run[at + 1]; j++)
        s->H[j * nv + k] = s->H[k * nv + j];
  perp_mj_add_parts(s, 0);
  return 0;
}

/* w <- H v */
static inline void perp_mj_weigh(const perp_mj_newton *s, const double *v, double *w)
{
  const mjModel *m = s->m;
  mju_zero(w, s->nv);
  for (int i = 0; i < s->nv; i++) {
    const double *row = s->a->M + m->dof_Madr[i];
    double sum = *row++ * v[i];
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j], row++) {
      sum += *row * v[j];
      w[j] += *row * v[i];
    }
    w[i] += sum;
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
 * and on return v is in s->u, z in s->zu, M (v - v*) in s->w; minus the gradient is in s->d on entry. Returns
 * 0 if there is no descent. */
static inline int perp_mj_descend(perp_mj_newton *s)
{
  const int nv = s->nv;
  for (int k = 0; k < s->parts; k++)
    perp_mj_respond(s, k, s->zu, NULL, s->T, NULL, NULL);
  mju_copy(s->dv, s->d, nv);
  if (!perp_mj_eliminate(s, perp_mj_hessian(s), s->dv))
    return 0;
  const double slope = -mju_dot(s->d, s->dv, nv), first = mju_dot(s->w, s->dv, nv);
  if (!(slope < 0))
    return 0;
  perp_mj_along(s, s->dv, s->dz);
  perp_mj_weigh(s, s->dv, s->d);
  const double square = mju_dot(s->d, s->dv, nv);
  double low = 0, high = HUGE_VAL, t = 1;
  for (int k = 0; k < 30; k++) {
    double now = first + t * square, bend = 0;
    for (int i = 0; i < s->n; i++)
      s->yt[i] = s->zu[i] + t * s->dz[i];
    for (int c = 0; c < s->parts; c++)
      now -= perp_mj_respond(s, c, s->yt, NULL, NULL, s->dz, &bend);
    if (fabs(now) <= -1e-2 * slope)
      break;
    *(now < 0 ? &low : &high) = t;
    const double next = t - now / (square + bend);
    t = next > low && next < high ? next : high < HUGE_VAL ? (low + high) / 2 : 2 * t;
  }
  mju_addToScl(s->u, s->dv, t, nv);
  mju_addToScl(s->w, s->d, t, nv);
  mju_addToScl(s->zu, s->dz, t, s->n);
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

/* Sets E and rho, from sum J_ik^2 / H_kk in place of A_ii: the least in a chain of equal bodies, so
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
      for (int e = 0; e < p->width; e++) {
        const double J = p->J[r * p->width + e];
        own[r] += J * J / a->M[s->m->dof_Madr[p->column[e]]];
      }
      most = r >= first ? fmax(most, own[r] + s->R[p->first + r]) : most;
    }
    for (int r = 0; r < p->rows; r++) {
      const int i = p->first + r;
      const double diagonal = r < first ? own[r] : most;
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
    perp_mj_respond(s, k, s->zu, s->xt, NULL, NULL, NULL);
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
    mju_sub(s->d, s->f, s->w, s->nv);
    if (!perp_mj_descend(s))
      return 0; /* rounding leaves no descent: the steps in x refine it */
    ++*iterations;
    for (int k = 0; k < s->parts; k++)
      perp_mj_respond(s, k, s->zu, s->x, NULL, NULL, NULL);
    perp_mj_refresh(s);
    most = 0;
    for (int i = 0; i < s->n; i++)
      most = fmax(most, fabs(s->z[i] - s->zu[i]) / s->unit[i]);
    if (most <= goal && perp_residual_solved(*residual = perp_mj_residual(s, p), tol, scale))
      return 1;
  }
  return 0;
}

/* Solves from x, by steps in x and v. */
static inline int perp_mj_natural(perp_mj_newton *s, const perp_problem *p, double tol,
                                  double scale, int64_t *iterations, double *residual)
{
  /* Without compliance errors of velocities add up from step to step, so one step more is worth its time. */
  const double margin = s->convex ? 1 : 0.01;
  double merits[PERP_MJ_WINDOW];
  int found = 0;
  perp_mj_scale(s);
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
    const int last = found || perp_residual_solved(*residual, margin * tol, scale) ||
                     *iterations == PERP_MJ_STEPS;
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
  double **reals[] = {&s.x,    &s.y,   &s.z,  &s.b,  &s.R,  &s.D,  &s.root, &s.E,     &s.rho,
                      &s.unit, &s.phi, &s.dx, &s.dz, &s.xt, &s.yt, &s.zu,   &s.start, &s.best};
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
  s.w = s.f + nv;
  s.d = s.w + nv;
  s.block = s.d + nv;
  s.place = a->pattern;
  s.run_start = s.place + nv;
  s.run_end = s.run_start + nv;
  s.run = s.run_end + nv;
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
  const int found = (s.convex && perp_mj_minimum(&s, d->qacc_warmstart, &p, o->tol, scale,
                                                 &settings->iterations, &residual)) ||
                    perp_mj_natural(&s, &p, o->tol, scale, &settings->iterations, &residual);
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
