/* laws.c: the linear laws of rows near a solution
 *
 * One pass over the plain rows, one over the cones, one over the friction rows, which need the laws
 * of their normals. */
#include "model/derivative/laws.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "set/set.h"

typedef struct finder {
  const perp_set *K;
  const double *x, *y;
  perp_law_limits limits;
  perp_laws *laws;
  unsigned char *kink; /* n: this row is degenerate */
} finder;

static void box_row(finder *f, int i)
{
  bool degenerate;
  const perp_law law = perp_law_row(&f->limits, f->x[i], f->y[i], perp_set_lo(f->K, i),
                                    perp_set_hi(f->K, i), &degenerate);
  f->laws->law[i] = (unsigned char)law;
  f->kink[i] = degenerate;
  f->laws->degenerate += degenerate;
}

static bool moves(const finder *f, int i)
{
  const perp_law law = f->laws->law[i];
  return law == PERP_LAW_FREE || law == PERP_LAW_STICK || law == PERP_LAW_SLIDE || f->kink[i];
}

static void friction_row(finder *f, int i)
{
  perp_laws *laws = f->laws;
  const int j = f->K->findex[i];
  double lo, hi;
  bool degenerate;
  perp_row_bounds(f->K, f->x, i, &lo, &hi);
  const perp_law law = perp_law_row(&f->limits, f->x[i], f->y[i], lo, hi, &degenerate);
  laws->law[i] = (unsigned char)law;
  /* Without a force, and if none can arise, friction is 0 at either bound. */
  const bool loose = fabs(f->x[j]) <= f->limits.near_x;
  degenerate = loose ? moves(f, j) && law != PERP_LAW_FREE : degenerate;
  f->kink[i] = degenerate;
  laws->degenerate += degenerate;
  if (law == PERP_LAW_FREE)
    return;
  const double c = law == PERP_LAW_LO ? perp_set_lo(f->K, i) : perp_set_hi(f->K, i);
  laws->parent[i] = j;
  laws->factor[i] = loose || f->x[j] > 0 ? c : -c;
  laws->normal[i] = loose ? 0 : fabs(f->x[j]);
}

/* The law of group g of a contact. Returns false if it has no axes. */
static bool group(finder *f, const perp_cone *c, const perp_friction *all, int g, perp_law *law,
                  bool *degenerate)
{
  perp_laws *laws = f->laws;
  const int row = c->row;
  perp_slide s = {.normal = row};
  double x[PERP_FRICTION_MU], y[PERP_FRICTION_MU], v[PERP_FRICTION_MU];
  for (int k = 1; k < all->rows; k++) {
    if (all->group[k] != g)
      continue;
    s.row[s.axes] = row + k;
    s.place[s.axes] =
        f->K->dim ? (int64_t)PERP_FRICTION_MU * c->c + perp_friction_column(c->rows, k) : c->c;
    s.unit[s.axes++] = all->mu[k];
    s.mu = perp_max(s.mu, all->mu[k]);
  }
  for (int k = 0; k < s.axes; k++) {
    s.unit[k] = s.mu > 0 ? s.unit[k] / s.mu : 1;
    x[k] = f->x[s.row[k]];
    y[k] = f->y[s.row[k]];
    v[k] = s.unit[k] * y[k];
  }
  if (s.axes == 0)
    return false;
  *law = perp_law_group(&f->limits, s.axes, s.mu, s.unit, f->x[row], f->y[row], x, y, degenerate,
                        &s.force, s.slip);
  s.D = *degenerate ? 0 : perp_set_norm(s.axes, v) / (s.mu * s.force);
  for (int k = 0; k < s.axes; k++)
    laws->law[s.row[k]] = (unsigned char)*law;
  if (*law == PERP_LAW_SLIDE)
    laws->slide[laws->slides++] = s;
  return true;
}

static void contact(finder *f, const perp_cone *c)
{
  perp_laws *laws = f->laws;
  const int row = c->row;
  perp_friction all;
  if (f->K->dim) {
    all = perp_set_friction(f->K, c->c);
  } else { /* also with mu = 0, where x has a derivative in mu */
    all = (perp_friction){.rows = 3, .mu = {0, f->K->mu[c->c], f->K->mu[c->c]}};
  }
  const bool loose = f->x[row] <= f->limits.near_x, still = f->y[row] <= f->limits.near_y;
  const bool separate = loose && (!still || f->limits.hold);
  const int before = laws->slides;
  bool degenerate = loose && still;
  for (int k = 0; k < c->rows; k++)
    laws->law[row + k] = separate || k > 0 ? PERP_LAW_SEPARATE : PERP_LAW_STICK;
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
    perp_law law;
    bool kink;
    if (group(f, c, &all, g, &law, &kink))
      degenerate = degenerate || kink;
  }
  f->kink[row] = degenerate;
  laws->degenerate += degenerate;
  laws->separate += separate;
  laws->sliding += laws->slides > before;
  laws->stick += !separate && laws->slides == before;
}

static void set_Z(perp_laws *laws, int i, int column, double value)
{
  int64_t k = (int64_t)laws->width * i;
  while (laws->Z_column[k] >= 0)
    k++;
  laws->Z_column[k] = column;
  laws->Z_value[k] = value;
}

/* Appends an entry to the last column of W, and one to Z. */
static void set_both(perp_laws *laws, int i, double value)
{
  const int64_t e = laws->W_start[laws->m]++;
  laws->W_row[e] = i;
  laws->W_value[e] = value;
  set_Z(laws, i, laws->m - 1, value);
}

static void begin_column(perp_laws *laws, double D)
{
  laws->D[laws->m++] = D;
  laws->W_start[laws->m] = laws->W_start[laws->m - 1];
}

/* Numbers the columns of a group that slides: the directions in which it may turn. sigma_j are the
 * columns of the reflection I - w w^T / (1 + |tau_0|), w = tau +- e_0, but for the first, +-tau. */
static void number_slide(perp_laws *laws, const perp_slide *s)
{
  const double *tau = s->slip, sign = tau[0] < 0 ? -1 : 1;
  const int normal = laws->Z_column[(int64_t)laws->width * s->normal];
  bool turns = false;
  for (int k = 0; k < s->axes; k++) {
    set_Z(laws, s->row[k], normal, -s->mu * s->unit[k] * tau[k]);
    turns = turns || tau[k] != 0;
  }
  laws->skew = laws->skew || s->mu > 0;
  for (int j = 1; j < s->axes && turns && s->mu * s->force > 0; j++) {
    begin_column(laws, s->D);
    for (int k = 0; k < s->axes; k++) {
      const double w = k == 0 ? sign + tau[0] : tau[k];
      set_both(laws, s->row[k], s->unit[k] * ((k == j) - w * tau[j] / (1 + fabs(tau[0]))));
    }
  }
}

/* Numbers the unknowns, ascending with the rows. */
static void number(perp_laws *laws)
{
  const int width = laws->width;
  for (int64_t k = 0; k < (int64_t)width * laws->n; k++) {
    laws->Z_column[k] = -1;
    laws->Z_value[k] = 0;
  }
  laws->W_start[0] = 0;
  for (int i = 0, slide = 0; i < laws->n; i++) {
    const perp_law law = laws->law[i];
    if (law == PERP_LAW_SLIDE && slide < laws->slides && laws->slide[slide].row[0] == i) {
      number_slide(laws, laws->slide + slide++);
    } else if (law == PERP_LAW_FREE || law == PERP_LAW_STICK) {
      begin_column(laws, 0);
      set_both(laws, i, 1);
    }
    laws->bound += law == PERP_LAW_LO || law == PERP_LAW_HI;
  }
  for (int i = 0; i < laws->n; i++) {
    const int64_t to = (int64_t)width * i, from = (int64_t)width * laws->parent[i];
    for (int k = 0; k < width && from >= 0; k++) {
      laws->Z_column[to + k] = laws->Z_column[from + k];
      laws->Z_value[to + k] = laws->factor[i] * laws->Z_value[from + k];
      laws->skew = laws->skew || laws->Z_column[to + k] >= 0;
    }
  }
}

bool perp_laws_find(const perp_set *K, const double *x, const double *y, double near_x,
                    double near_y, perp_degenerate side, perp_arena *arena, perp_laws *laws)
{
  /* A row of a group of d axes has d entries in Z and d - 1 in W. */
  const int width = K->dim ? PERP_FRICTION_MU : 2;
  const size_t n = (size_t)K->n, entries = (size_t)width * n;
  *laws = (perp_laws){.n = K->n, .width = width};
  finder f = {K, x, y, {near_x, near_y, side == PERP_DEGENERATE_HOLD}, laws, NULL};
  if (!PERP_TAKE(arena, PERP_ARRAY(laws->law, n), PERP_ARRAY(laws->parent, n),
                 PERP_ARRAY(laws->factor, n), PERP_ARRAY(laws->normal, n),
                 PERP_ARRAY(laws->Z_column, entries), PERP_ARRAY(laws->Z_value, entries),
                 PERP_ARRAY(laws->W_start, n + 1), PERP_ARRAY(laws->W_row, entries),
                 PERP_ARRAY(laws->W_value, entries), PERP_ARRAY(laws->D, n),
                 PERP_ARRAY(laws->slide, (size_t)K->cones * (K->dim ? PERP_FRICTION_GROUPS : 1))) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(f.kink, n)))
    return false;
  perp_fill_integers(K->n, -1, laws->parent);
  for (perp_cone c = perp_set_cones(K); c.c < K->cones; perp_cone_next(K, &c))
    contact(&f, &c);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (!perp_set_is_friction(K, r.i))
      box_row(&f, r.i);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n && K->findex; perp_rows_next(&r))
    if (K->findex[r.i] >= 0)
      friction_row(&f, r.i);
  number(laws);
  return true;
}

/* ---- Products ---- */

void perp_laws_Z(const perp_laws *laws, const double *q, double *x)
{
  const int64_t width = laws->width;
  for (int i = 0; i < laws->n; i++) {
    x[i] = 0;
    for (int64_t k = width * i; k < width * (i + 1); k++)
      if (laws->Z_column[k] >= 0)
        x[i] += laws->Z_value[k] * q[laws->Z_column[k]];
  }
}

void perp_laws_Z_t(const perp_laws *laws, const double *x, double *q)
{
  perp_fill(laws->m, 0, q);
  for (int64_t k = 0; k < (int64_t)laws->width * laws->n; k++)
    if (laws->Z_column[k] >= 0)
      q[laws->Z_column[k]] += laws->Z_value[k] * x[k / laws->width];
}

void perp_laws_W(const perp_laws *laws, const double *q, double *x)
{
  perp_fill(laws->n, 0, x);
  for (int k = 0; k < laws->m; k++)
    for (int64_t e = laws->W_start[k]; e < laws->W_start[k + 1]; e++)
      x[laws->W_row[e]] += laws->W_value[e] * q[k];
}

void perp_laws_W_t(const perp_laws *laws, const double *x, double *q)
{
  for (int k = 0; k < laws->m; k++)
    q[k] = perp_add_row(0, laws->W_start[k], laws->W_start[k + 1], laws->W_value, laws->W_row, x);
}

/* ---- Bounds and friction coefficients ---- */

void perp_laws_shift(const perp_laws *laws, const double *dlo, const double *dhi, const double *dmu,
                     double *p)
{
  for (int i = 0; i < laws->n; i++) {
    const double *d = laws->law[i] == PERP_LAW_LO ? dlo : laws->law[i] == PERP_LAW_HI ? dhi : NULL;
    p[i] = d ? (laws->parent[i] >= 0 ? laws->normal[i] : 1) * d[i] : 0;
  }
  for (int k = 0; k < laws->slides && dmu; k++) {
    const perp_slide *s = laws->slide + k;
    double sum = 0;
    for (int l = 0; l < s->axes; l++)
      sum += s->slip[l] * s->slip[l] * dmu[s->place[l]] / s->unit[l];
    for (int l = 0; l < s->axes; l++)
      p[s->row[l]] = -s->force * s->slip[l] * (2 * dmu[s->place[l]] - s->unit[l] * sum);
  }
  for (int i = 0; i < laws->n; i++)
    if (laws->parent[i] >= 0)
      p[i] += laws->factor[i] * p[laws->parent[i]];
}

void perp_laws_shift_t(const perp_laws *laws, double *p, double *lo, double *hi, int64_t mus,
                       double *mu)
{
  for (int i = 0; i < laws->n; i++)
    if (laws->parent[i] >= 0)
      p[laws->parent[i]] += laws->factor[i] * p[i];
  if (mu)
    perp_fill(mus, 0, mu);
  for (int k = 0; k < laws->slides && mu; k++) {
    const perp_slide *s = laws->slide + k;
    double sum = 0;
    for (int l = 0; l < s->axes; l++)
      sum += s->unit[l] * s->slip[l] * p[s->row[l]];
    for (int l = 0; l < s->axes; l++)
      mu[s->place[l]] -= s->force * s->slip[l] * (2 * p[s->row[l]] - s->slip[l] * sum / s->unit[l]);
  }
  for (int i = 0; i < laws->n; i++) {
    const double d = (laws->parent[i] >= 0 ? laws->normal[i] : 1) * p[i];
    if (lo)
      lo[i] = laws->law[i] == PERP_LAW_LO ? d : 0;
    if (hi)
      hi[i] = laws->law[i] == PERP_LAW_HI ? d : 0;
  }
}
