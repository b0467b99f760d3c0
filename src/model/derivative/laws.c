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

static void cone(finder *f, int c)
{
  perp_laws *laws = f->laws;
  const int row = perp_set_cone_row(f->K, c);
  perp_slide slide = {.cone = c, .row = row};
  bool degenerate;
  const perp_law law = perp_law_cone(&f->limits, f->K->mu[c], f->x + row, f->y + row, &degenerate,
                                     &slide.force, slide.slip);
  for (int k = 0; k < 3; k++)
    laws->law[row + k] = (unsigned char)law;
  f->kink[row] = degenerate;
  laws->degenerate += degenerate;
  laws->stick += law == PERP_LAW_STICK;
  laws->separate += law == PERP_LAW_SEPARATE;
  if (law == PERP_LAW_SLIDE) {
    laws->slide[laws->slides++] = slide;
    laws->sliding++;
  }
}

static void set_Z(perp_laws *laws, int i, int column, double value)
{
  const int k = laws->Z_column[2 * i] < 0 ? 2 * i : 2 * i + 1;
  laws->Z_column[k] = column;
  laws->Z_value[k] = value;
}

static void set_W(perp_laws *laws, int i, int column, double value)
{
  laws->W_column[i] = column;
  laws->W_value[i] = value;
}

/* Numbers the columns of a sliding cone: its normal and, if it may turn, its direction. */
static void number_slide(finder *f, const perp_slide *s)
{
  perp_laws *laws = f->laws;
  const double mu = f->K->mu[s->cone], *tau = s->slip;
  const double slip = perp_hypot(f->y[s->row + 1], f->y[s->row + 2]), most = mu * s->force;
  const int normal = laws->m++;
  laws->W_row[normal] = s->row;
  laws->D[normal] = 0;
  set_Z(laws, s->row, normal, 1);
  set_W(laws, s->row, normal, 1);
  set_Z(laws, s->row + 1, normal, -mu * tau[0]);
  set_Z(laws, s->row + 2, normal, -mu * tau[1]);
  laws->skew = laws->skew || mu > 0;
  if (!(most > 0) || (tau[0] == 0 && tau[1] == 0))
    return;
  const int turn = laws->m++;
  laws->W_row[turn] = s->row + 1;
  laws->D[turn] = f->kink[s->row] ? 0 : slip / most;
  set_Z(laws, s->row + 1, turn, -tau[1]);
  set_Z(laws, s->row + 2, turn, tau[0]);
  set_W(laws, s->row + 1, turn, -tau[1]);
  set_W(laws, s->row + 2, turn, tau[0]);
}

/* Numbers the unknowns, ascending with the rows. */
static void number(finder *f)
{
  perp_laws *laws = f->laws;
  for (int i = 0; i < laws->n; i++) {
    laws->Z_column[2 * i] = laws->Z_column[2 * i + 1] = laws->W_column[i] = -1;
    laws->Z_value[2 * i] = laws->Z_value[2 * i + 1] = laws->W_value[i] = 0;
  }
  for (int i = 0, slide = 0; i < laws->n; i++) {
    const perp_law law = laws->law[i];
    if (law == PERP_LAW_SLIDE) {
      number_slide(f, laws->slide + slide++);
      i += 2;
    } else if (law == PERP_LAW_FREE || law == PERP_LAW_STICK) {
      laws->W_row[laws->m] = i;
      laws->D[laws->m] = 0;
      set_Z(laws, i, laws->m, 1);
      set_W(laws, i, laws->m++, 1);
    }
    laws->bound += law == PERP_LAW_LO || law == PERP_LAW_HI;
  }
  for (int i = 0; i < laws->n; i++) {
    const int j = laws->parent[i];
    for (int k = 0; k < 2 && j >= 0; k++) {
      laws->Z_column[2 * i + k] = laws->Z_column[2 * j + k];
      laws->Z_value[2 * i + k] = laws->factor[i] * laws->Z_value[2 * j + k];
      laws->skew = laws->skew || laws->Z_column[2 * i + k] >= 0;
    }
  }
}

bool perp_laws_find(const perp_set *K, const double *x, const double *y, double near_x,
                    double near_y, perp_degenerate side, perp_arena *arena, perp_laws *laws)
{
  const size_t n = (size_t)K->n;
  *laws = (perp_laws){.n = K->n};
  finder f = {K, x, y, {near_x, near_y, side == PERP_DEGENERATE_HOLD}, laws, NULL};
  if (!PERP_TAKE(arena, PERP_ARRAY(laws->law, n), PERP_ARRAY(laws->parent, n),
                 PERP_ARRAY(laws->factor, n), PERP_ARRAY(laws->normal, n),
                 PERP_ARRAY(laws->Z_column, 2 * n), PERP_ARRAY(laws->Z_value, 2 * n),
                 PERP_ARRAY(laws->W_column, n), PERP_ARRAY(laws->W_value, n),
                 PERP_ARRAY(laws->W_row, n), PERP_ARRAY(laws->D, n),
                 PERP_ARRAY(laws->slide, K->cones)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(f.kink, n)))
    return false;
  for (int i = 0; i < K->n; i++)
    laws->parent[i] = -1;
  for (int c = 0; c < K->cones; c++)
    cone(&f, c);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (!perp_set_is_friction(K, r.i))
      box_row(&f, r.i);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n && K->findex; perp_rows_next(&r))
    if (K->findex[r.i] >= 0)
      friction_row(&f, r.i);
  number(&f);
  return true;
}

/* ---- Products ---- */

void perp_laws_Z(const perp_laws *laws, const double *q, double *x)
{
  for (int i = 0; i < laws->n; i++) {
    x[i] = 0;
    for (int k = 2 * i; k < 2 * i + 2; k++)
      if (laws->Z_column[k] >= 0)
        x[i] += laws->Z_value[k] * q[laws->Z_column[k]];
  }
}

void perp_laws_Z_t(const perp_laws *laws, const double *x, double *q)
{
  perp_fill(laws->m, 0, q);
  for (int k = 0; k < 2 * laws->n; k++)
    if (laws->Z_column[k] >= 0)
      q[laws->Z_column[k]] += laws->Z_value[k] * x[k / 2];
}

void perp_laws_W(const perp_laws *laws, const double *q, double *x)
{
  for (int i = 0; i < laws->n; i++)
    x[i] = laws->W_column[i] >= 0 ? laws->W_value[i] * q[laws->W_column[i]] : 0;
}

void perp_laws_W_t(const perp_laws *laws, const double *x, double *q)
{
  perp_fill(laws->m, 0, q);
  for (int i = 0; i < laws->n; i++)
    if (laws->W_column[i] >= 0)
      q[laws->W_column[i]] += laws->W_value[i] * x[i];
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
    for (int t = 0; t < 2; t++)
      p[s->row + 1 + t] = -dmu[s->cone] * s->force * s->slip[t];
  }
  for (int i = 0; i < laws->n; i++)
    if (laws->parent[i] >= 0)
      p[i] += laws->factor[i] * p[laws->parent[i]];
}

void perp_laws_shift_t(const perp_laws *laws, double *p, double *lo, double *hi, int cones,
                       double *mu)
{
  for (int i = 0; i < laws->n; i++)
    if (laws->parent[i] >= 0)
      p[laws->parent[i]] += laws->factor[i] * p[i];
  for (int k = 0; k < cones && mu; k++)
    mu[k] = 0;
  for (int k = 0; k < laws->slides && mu; k++) {
    const perp_slide *s = laws->slide + k;
    mu[s->cone] = -s->force * (s->slip[0] * p[s->row + 1] + s->slip[1] * p[s->row + 2]);
  }
  for (int i = 0; i < laws->n; i++) {
    const double d = (laws->parent[i] >= 0 ? laws->normal[i] : 1) * p[i];
    if (lo)
      lo[i] = laws->law[i] == PERP_LAW_LO ? d : 0;
    if (hi)
      hi[i] = laws->law[i] == PERP_LAW_HI ? d : 0;
  }
}
