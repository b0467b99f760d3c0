/* perp/mujoco_matrix.h: the rows of Newton's method of mujoco_newton.h, and its matrix of joint velocities
 *
 * A part is a contact or a row of its own. Neighbours of the same bodies share their columns, and J v,
 * J^T x and J^T T J go over the columns of a part only. H + J^T T J has the pattern of the kinematic
 * trees and of the trees that touch, and so has its factor if leaves are eliminated first. */
#ifndef PERP_MUJOCO_MATRIX_H
#define PERP_MUJOCO_MATRIX_H

#include <perp/mujoco_problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Rows ---- */

typedef struct perp_mj_newton {
  const mjModel *m;
  perp_mj_arrays *a;
  int n, nv, convex;
  int parts; /* cones first, then other rows one by one */

  /* n each, contacts in units of s; b is b0, unit is mu_k or 1; soft law: D = 1 / R, root = R^(1/2);
   * proximal steps: those of E */
  double *x, *y, *z, *b, *R, *D, *root, *E, *rho, *unit, *phi, *dx, *dz, *xt, *yt, *zu, *start,
      *best, *centre;
  double *T;               /* 6 n: of each part, row by row */
  double *before, *change; /* 6 n: T in `sum`, and what is new */
  double *sum;             /* nv x nv, descents: H before its factor, if `summed` */
  int summed;
  double *H, *v, *dv; /* nv x nv, nv, nv */
  double *f, *g;      /* nv: J^T x; 9 nv: scratch */
  double *u, *w, *d;  /* nv, descents: v, H (v - v*) and minus the gradient */
  double *block;      /* nv x nv: J^T T J of parts with the same columns */
  int *place;         /* of each velocity in H */
  int *run;           /* pairs first, end: the entries of each row of H left of the diagonal */
  int *run_start, *run_end; /* nv: where the pairs of a row are */
  int *twin;                /* nv: 1 if row k - 1 of H has the entries of row k */
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
  const int type = d->efc_type[i], id = d->efc_id[i];
  if (type == mjCNSTR_FRICTION_DOF ||
      (type == mjCNSTR_LIMIT_JOINT && m->jnt_type[id] >= mjJNT_SLIDE)) {
    column[count++] = type == mjCNSTR_FRICTION_DOF ? id : m->jnt_dofadr[id];
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
  for (int k = s->parts - 1, end = s->parts; k >= 0; k--) {
    perp_mj_part *p = &a->part[k];
    p->end = end;
    if (k > 0 && (p[-1].column != p->column || p[-1].width != p->width))
      end = k;
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

/* *z and *next <- the products of a and the row behind it with b, all of length n */
static inline void perp_mj_dots(int n, const double *a, const double *b, double *z, double *next)
{
  double even = 0, odd = 0, next_even = 0, next_odd = 0;
  int k = 0;
  for (; k + 1 < n; k += 2) {
    even += a[k] * b[k];
    odd += a[k + 1] * b[k + 1];
    next_even += a[n + k] * b[k];
    next_odd += a[n + k + 1] * b[k + 1];
  }
  *z = k < n ? even + odd + a[k] * b[k] : even + odd;
  *next = k < n ? next_even + next_odd + a[n + k] * b[k] : next_even + next_odd;
}

/* to <- to + share * from */
static inline void perp_mj_axpy(int n, double share, const double *__restrict from,
                                double *__restrict to)
{
  for (int k = 0; k < n; k++)
    to[k] += share * from[k];
}

/* to <- to + share * from + other * next */
static inline void perp_mj_axpys(int n, double share, const double *__restrict from, double other,
                                 const double *__restrict next, double *__restrict to)
{
  for (int k = 0; k < n; k++)
    to[k] = to[k] + share * from[k] + other * next[k];
}

/* Returns the part behind those with the columns of part k, the first of them. */
static inline int perp_mj_group(const perp_mj_newton *s, int k)
{
  return s->a->part[k].end;
}

/* Returns how many rows the parts k, ..., end - 1 have. */
static inline int perp_mj_rows_until(const perp_mj_newton *s, int k, int end)
{
  return (end < s->parts ? s->a->part[end].first : s->n) - s->a->part[k].first;
}

/* z <- J v */
static inline void perp_mj_along(const perp_mj_newton *s, const double *v, double *z)
{
  double *own = s->g;
  for (int k = 0, end; k < s->parts; k = end) {
    const perp_mj_part *p = &s->a->part[k];
    const int width = p->width, rows = perp_mj_rows_until(s, k, end = perp_mj_group(s, k));
    double *to = z + p->first;
    if (width == 1) {
      for (int r = 0; r < rows; r++)
        to[r] = p->J[r] * v[*p->column];
      continue;
    }
    for (int e = 0; e < width; e++)
      own[e] = v[p->column[e]];
    int r = 0;
    for (; r + 1 < rows; r += 2)
      perp_mj_dots(width, p->J + r * width, own, to + r, to + r + 1);
    if (r < rows)
      to[r] = perp_mj_dot(width, p->J + r * width, own);
  }
}

/* v <- J^T x */
static inline void perp_mj_against(const perp_mj_newton *s, const double *x, double *v)
{
  double *own = s->g;
  mju_zero(v, s->nv);
  for (int k = 0, end; k < s->parts; k = end) {
    const perp_mj_part *p = &s->a->part[k];
    const int width = p->width, rows = perp_mj_rows_until(s, k, end = perp_mj_group(s, k));
    const double *from = x + p->first;
    if (width == 1) {
      for (int r = 0; r < rows; r++)
        v[*p->column] += from[r] * p->J[r];
      continue;
    }
    for (int e = 0; e < width; e++)
      own[e] = v[p->column[e]];
    int r = 0;
    for (; r + 1 < rows; r += 2)
      if (from[r] != 0 || from[r + 1] != 0)
        perp_mj_axpys(width, from[r], p->J + r * width, from[r + 1], p->J + (r + 1) * width, own);
    if (r < rows && from[r] != 0)
      perp_mj_axpy(width, from[r], p->J + r * width, own);
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

/* Returns the first mark from j on that is `value`, or end. */
static inline int perp_mj_next(const char *mark, int j, int end, char value)
{
  char others[8];
  memset(others, !value, sizeof others);
  while (j + 8 <= end && !memcmp(mark + j, others, sizeof others))
    j += 8;
  while (j < end && mark[j] != value)
    j++;
  return j;
}

/* Returns 1 if row k of the factor has the entries of row k - 1, and the one at k - 1. */
static inline int perp_mj_twin(const perp_mj_newton *s, int k)
{
  const int *run = s->run + s->run_start[k], count = s->run_end[k] - s->run_start[k];
  if (count == 0 || run[count - 1] != k)
    return 0;
  const int *other = s->run + s->run_start[k - 1], same = s->run_end[k - 1] - s->run_start[k - 1];
  const int alone = run[count - 2] == k - 1; /* a run of its own */
  if (same != count - 2 * alone)
    return 0;
  for (int at = 0; at < same; at++)
    if (other[at] != run[at] - (at == count - 1))
      return 0;
  return 1;
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
    for (int j = perp_mj_next(row, first[k], k, 1); j < k; j = perp_mj_next(row, j, k, 1)) {
      s->run[count++] = j;
      s->run[count++] = j = perp_mj_next(row, j, k, 0);
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
  for (int k = 0; k < nv; k++)
    s->twin[k] = perp_mj_twin(s, k);
}

/* ---- H and its factor ---- */

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
    if (s->twin[k]) { /* with the next one, whose row has the same entries */
      double *next = s->H + (k - 1) * n;
      const double own = (symmetric ? pivot[k - 1] : next[k]) * inverse;
      run = s->run + s->run_start[k - 1];
      end = s->run + s->run_end[k - 1];
      for (const int *at = run; own != 0 && at < end; at += 2)
        perp_mj_axpy(at[1] - at[0], -own, pivot + at[0], next + at[0]);
      next[k - 1] -= own * pivot[k - 1];
      w[k - 1] -= own * w[k];
      if (!(fabs(next[k - 1]) > 0))
        return 0;
      const double then = 1 / next[k - 1];
      for (const int *rows = run; rows < end; rows += 2)
        for (int i = rows[0]; i < rows[1]; i++) {
          double *row = s->H + i * n;
          const double share = (symmetric ? pivot[i] : row[k]) * inverse;
          const double other = (symmetric ? next[i] : row[k - 1] - share * pivot[k - 1]) * then;
          if (share == 0 && other == 0)
            continue;
          for (const int *at = run; at < (symmetric ? rows : end); at += 2)
            perp_mj_axpys(at[1] - at[0], -share, pivot + at[0], -other, next + at[0], row + at[0]);
          if (symmetric)
            perp_mj_axpys(i + 1 - rows[0], -share, pivot + rows[0], -other, next + rows[0],
                          row + rows[0]);
          w[i] -= share * w[k] + other * w[k - 1];
        }
      k--;
      continue;
    }
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

/* A product share * left right^T of rows of J, part of J^T T J */
typedef struct perp_mj_product {
  const double *left, *right;
  double share;
} perp_mj_product;

/* block <- block + the products, four at a time: each number of the block is read and written once for
 * four. If T is symmetric only the lower half counts; one number more saves a remainder of the loop. */
static inline void perp_mj_add_products(perp_mj_newton *s, int width, int symmetric, int count,
                                        const perp_mj_product *q)
{
  for (int at = 0; at < count; at += 4) {
    double share[4] = {0};
    const double *left[4], *right[4];
    for (int k = 0; k < 4; k++) {
      const perp_mj_product *from = &q[at + k < count ? at + k : at];
      left[k] = from->left;
      right[k] = from->right;
      share[k] = at + k < count ? from->share : 0;
    }
    const double *__restrict a = right[0], *__restrict b = right[1], *__restrict c = right[2],
                             *__restrict d = right[3];
    for (int e = 0; e < width; e++) {
      const double p = share[0] * left[0][e], r = share[1] * left[1][e], t = share[2] * left[2][e],
                   u = share[3] * left[3][e];
      double *__restrict to = s->block + e * width;
      const int even = (e + 2) & ~1, length = symmetric && even < width ? even : width;
      for (int k = 0; k < length; k++)
        to[k] = to[k] + p * a[k] + r * b[k] + t * c[k] + u * d[k];
    }
  }
}

/* q <- the products of J^T T J of a part. Rows of T J are in `room`, one for each product. Returns how many. */
static inline int perp_mj_products(const perp_mj_newton *s, const perp_mj_part *p, const double *T,
                                   perp_mj_product *q, double *room)
{
  const int rows = p->rows, width = p->width;
  int count = 0;
  if (rows == 1) {
    q->left = q->right = p->J;
    q->share = *T;
    return *T != 0;
  }
  for (int r = 0; r < rows; r++) {
    double *to = room + count * s->nv;
    const double *J = p->J + r * width, own = T[r * rows + r];
    int any = own != 0;
    for (int e = 0; e < width; e++)
      to[e] = own * J[e];
    for (int c = 0; c < rows; c++)
      if (c != r && T[r * rows + c] != 0) {
        any = 1;
        perp_mj_axpy(width, T[r * rows + c], p->J + c * width, to);
      }
    q[count].left = J;
    q[count].right = to;
    q[count].share = 1;
    count += any;
  }
  return count;
}

/* Returns 1 if T of a part is not symmetric. */
static inline int perp_mj_slides(const perp_mj_newton *s, const perp_mj_part *p)
{
  const double *T = s->T + 6 * p->first;
  return !s->convex && p->rows > 1 && T[1] != T[p->rows];
}

/* H <- H + J^T T J of the parts whose T is symmetric, or of the others. */
static inline void perp_mj_add_parts(perp_mj_newton *s, double *H, const double *T, int symmetric)
{
  const int nv = s->nv;
  for (int k = 0; k < s->parts;) {
    const perp_mj_part *p = &s->a->part[k];
    const int width = p->width, end = perp_mj_group(s, k);
    const size_t size = (size_t)(width * width) * sizeof *s->block;
    perp_mj_product q[9]; /* fewer than four wait, a part has up to six */
    int count = 0, any = 0;
    for (; k < end; k++) {
      const perp_mj_part *own = &s->a->part[k];
      if (perp_mj_slides(s, own) == symmetric)
        continue;
      count += perp_mj_products(s, own, T + 6 * own->first, q + count, s->g + count * nv);
      if (count < 4)
        continue;
      if (!any++)
        memset(s->block, 0, size);
      perp_mj_add_products(s, width, symmetric, count, q);
      count = 0;
    }
    if (count > 0 && !any++)
      memset(s->block, 0, size);
    perp_mj_add_products(s, width, symmetric, count, q);
    for (int e = 0; any && e < width; e++) {
      double *to = H + s->place[p->column[e]] * nv;
      const double *from = s->block + e * width;
      for (int f = 0; f < (symmetric ? e + 1 : width); f++)
        to[s->place[p->column[f]]] += from[f];
    }
  }
}

/* H <- M, its lower half */
static inline void perp_mj_begin(const perp_mj_newton *s, double *H)
{
  const int nv = s->nv;
  const mjModel *m = s->m;
  for (int k = 0; k < nv; k++)
    for (int at = s->run_start[k]; at < s->run_end[k]; at += 2)
      memset(H + k * nv + s->run[at], 0, (size_t)(s->run[at + 1] - s->run[at]) * sizeof *H);
  for (int i = 0; i < nv; i++) {
    const double *row = s->a->M + m->dof_Madr[i];
    double *to = H + s->place[i] * nv;
    for (int j = i; j >= 0; j = m->dof_parentid[j], row++)
      to[s->place[j]] = *row;
  }
}

/* H <- M + J^T T J. Returns 1 if it is symmetric and only its lower half is set. */
static inline int perp_mj_hessian(perp_mj_newton *s)
{
  const int nv = s->nv;
  int slides = 0;
  perp_mj_begin(s, s->H);
  perp_mj_add_parts(s, s->H, s->T, 1);
  for (int k = 0; k < s->parts; k++)
    slides |= perp_mj_slides(s, &s->a->part[k]);
  if (!slides)
    return 1;
  for (int k = 0; k < nv; k++)
    for (int at = s->run_start[k]; at < s->run_end[k]; at += 2)
      for (int j = s->run[at]; j < s->run[at + 1]; j++)
        s->H[j * nv + k] = s->H[k * nv + j];
  perp_mj_add_parts(s, s->H, s->T, 0);
  return 0;
}

/* H <- M + J^T T J, its lower half, for a symmetric T. From one descent to the next few rows change, so `sum`
 * keeps the matrix, and gets J^T (T - T before) J. */
static inline void perp_mj_update(perp_mj_newton *s)
{
  const int nv = s->nv;
  if (!s->summed) {
    perp_mj_begin(s, s->sum);
    mju_zero(s->before, 6 * s->n);
  }
  s->summed = 1;
  for (int k = 0; k < s->parts; k++) {
    const perp_mj_part *p = &s->a->part[k];
    const double *T = s->T + 6 * p->first;
    double *before = s->before + 6 * p->first, *change = s->change + 6 * p->first;
    for (int r = 0; r < p->rows * p->rows; r++) {
      change[r] = T[r] - before[r];
      before[r] = T[r];
    }
  }
  perp_mj_add_parts(s, s->sum, s->change, 1);
  for (int k = 0; k < nv; k++) {
    for (int at = s->run_start[k]; at < s->run_end[k]; at += 2)
      memcpy(s->H + k * nv + s->run[at], s->sum + k * nv + s->run[at],
             (size_t)(s->run[at + 1] - s->run[at]) * sizeof *s->H);
    s->H[k * nv + k] = s->sum[k * nv + k];
  }
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

#ifdef __cplusplus
}
#endif
#endif
