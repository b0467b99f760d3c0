/* contact.c: the rows of contacts and joints: J, Minv, C and the set K
 *
 * Cost and memory: linear in the entries of J and C. */
#include "scene/contact.h"
#include "scene/vector.h"

#include <string.h>

int perp_contact_width(const perp_contact_layout *layout)
{
  switch (layout->form) {
  case PERP_CONTACT_LCP:
  case PERP_CONTACT_MIXED:
    return 1;
  case PERP_CONTACT_POLYHEDRAL:
    return layout->directions + 2;
  case PERP_CONTACT_FINDEX:
    return layout->planar ? 2 : 3;
  case PERP_CONTACT_ELLIPTIC:
  case PERP_CONTACT_DISCS:
    return 6;
  default:
    return 3;
  }
}

static bool is_wide(perp_contact_form form)
{
  return form == PERP_CONTACT_ELLIPTIC || form == PERP_CONTACT_DISCS;
}

bool perp_contact_rows_begin(perp_contact_rows *rows, const perp_contact_layout *layout,
                             int contacts, int others, int bodies, perp_arena *arena)
{
  const int width = perp_contact_width(layout), freedom = layout->planar ? 3 : 6;
  const size_t count = (size_t)contacts, each = (size_t)freedom;
  const size_t n = count * (size_t)width + (size_t)others;
  const size_t coupled =
      layout->form == PERP_CONTACT_POLYHEDRAL ? 2 * count * (size_t)layout->directions + count : 0;
  *rows = (perp_contact_rows){.layout = *layout,
                              .width = width,
                              .freedom = freedom,
                              .contacts = contacts,
                              .bodies = bodies};
  if (!PERP_TAKE(arena, PERP_ARRAY(rows->start, n + 1), PERP_ARRAY(rows->column, 2 * each * n),
                 PERP_ARRAY(rows->value, 2 * each * n), PERP_ARRAY(rows->C_start, n + 1),
                 PERP_ARRAY(rows->C_column, n + coupled), PERP_ARRAY(rows->C_value, n + coupled),
                 PERP_ARRAY(rows->lo, n), PERP_ARRAY(rows->hi, n), PERP_ARRAY(rows->mu, 5 * count),
                 PERP_ARRAY(rows->dim, count), PERP_ARRAY(rows->law, count),
                 PERP_ARRAY(rows->findex, n)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(rows->Minv, each * each * (size_t)bodies)))
    return false;
  rows->start[0] = rows->C_start[0] = 0;
  const bool wide = is_wide(layout->form);
  for (int k = 0; k < contacts; k++) {
    const double mu[5] = {layout->mu, layout->mu, layout->torsion, layout->roll, layout->roll};
    memcpy(rows->mu + (wide ? 5 : 1) * (size_t)k, mu, (wide ? 5 : 1) * sizeof *mu);
    rows->dim[k] = width;
    rows->law[k] =
        layout->form == PERP_CONTACT_DISCS ? PERP_FRICTION_DISCS : PERP_FRICTION_ELLIPTIC;
  }
  return true;
}

void perp_contact_rows_friction(perp_contact_rows *rows, int contact, double mu)
{
  const bool wide = is_wide(rows->layout.form);
  const int first = contact * rows->width, end = first + rows->width;
  double *own = rows->mu + (wide ? 5 : 1) * (size_t)contact;
  own[0] = mu;
  if (wide)
    own[1] = mu;
  if (rows->layout.form == PERP_CONTACT_POLYHEDRAL) {
    rows->C_value[rows->C_start[end - 1]] = mu; /* row s: mu x_n - sum x_k */
    return;
  }
  for (int i = first + 1; i < end; i++) {
    rows->lo[i] = -mu;
    rows->hi[i] = mu;
  }
}

void perp_contact_rows_body(perp_contact_rows *rows, int k, double mass_inverse,
                            const double inertia_inverse[9])
{
  const size_t size = (size_t)rows->freedom, linear = rows->layout.planar ? 2 : 3;
  double *block = rows->Minv + size * size * (size_t)k;
  for (size_t i = 0; i < size; i++)
    if (i < linear)
      block[(size + 1) * i] = mass_inverse;
    else
      for (size_t j = linear; j < size; j++) /* in the plane only the last entry */
        block[size * i + j] = inertia_inverse[3 * (i + 3 - size) + j + 3 - size];
}

/* ---- Rows ---- */

static void put_C(perp_contact_rows *rows, int column, double value)
{
  rows->C_column[rows->C_count] = column;
  rows->C_value[rows->C_count++] = value;
}

/* Writes the entries of the next row of J, and cfm; a body that does not move has none. */
static void put_J(perp_contact_rows *rows, const int body[2], const double linear[3],
                  double turn[2][3])
{
  int64_t at = rows->start[rows->n];
  for (int pass = 0; pass < 2; pass++) {
    /* columns ascend: the body with the smaller index first */
    const int side = body[0] < body[1] ? pass : 1 - pass;
    const double sign = side == 0 ? -1 : 1, *r = turn[side];
    const double half[6] = {sign * linear[0], sign * linear[1], sign * linear[2],
                            sign * r[0],      sign * r[1],      sign * r[2]};
    for (int j = 0; j < 6 && body[side] >= 0; j++)
      if (!rows->layout.planar || j < 2 || j == 5) {
        rows->column[at] = rows->freedom * body[side] + (rows->layout.planar && j == 5 ? 2 : j);
        rows->value[at++] = half[j];
      }
  }
  rows->start[rows->n + 1] = at;
  if (rows->layout.cfm > 0)
    put_C(rows, rows->n, rows->layout.cfm);
}

/* Finishes the next row, whose entries of J are already written. */
static void end_row(perp_contact_rows *rows, double lo, double hi, int findex)
{
  rows->lo[rows->n] = lo;
  rows->hi[rows->n] = hi;
  rows->findex[rows->n] = findex;
  rows->C_start[++rows->n] = rows->C_count;
}

static void put_direction(perp_contact_rows *rows, const int body[2], double arm[2][3],
                          const double direction[3])
{
  double turn[2][3];
  for (int side = 0; side < 2; side++)
    perp_v3_cross(arm[side], direction, turn[side]);
  put_J(rows, body, direction, turn);
}

void perp_contact_rows_direction(const perp_contact_layout *layout, int k, double frame[3][3],
                                 double along[3])
{
  double c, s;
  perp_scene_turn(k, layout->directions, &c, &s);
  for (int e = 0; e < 3; e++)
    along[e] = c * frame[1][e] + s * frame[2][e];
}

/* Rows d_k, each with s added, and the row of s: mu x_n - sum x_k. */
static void put_polyhedron(perp_contact_rows *rows, const int body[2], double arm[2][3],
                           double frame[3][3])
{
  const int normal = rows->n - 1, K = rows->layout.directions, slip = rows->n + K;
  for (int k = 0; k < K; k++) {
    double along[3];
    perp_contact_rows_direction(&rows->layout, k, frame, along);
    put_direction(rows, body, arm, along);
    put_C(rows, slip, 1);
    end_row(rows, 0, INFINITY, -1);
  }
  rows->start[slip + 1] = rows->start[slip];
  for (int j = normal; j < slip; j++)
    put_C(rows, j, j == normal ? rows->layout.mu : -1);
  end_row(rows, 0, INFINITY, -1);
}

void perp_contact_rows_contact(perp_contact_rows *rows, const int body[2], double arm[2][3],
                               double frame[3][3])
{
  const perp_contact_form form = rows->layout.form;
  const int normal = rows->n;
  const double mu = form == PERP_CONTACT_STICK ? INFINITY : rows->layout.mu;
  put_direction(rows, body, arm, frame[0]);
  end_row(rows, 0, INFINITY, -1);
  if (form == PERP_CONTACT_POLYHEDRAL) {
    put_polyhedron(rows, body, arm, frame);
    return;
  }
  for (int d = 1; d < rows->width; d++) {
    if (rows->layout.planar && d == 2) {
      rows->start[rows->n + 1] = rows->start[rows->n];
      put_C(rows, rows->n, rows->layout.cfm + 1);
    } else if (d < 3) {
      put_direction(rows, body, arm, frame[d]);
    } else {
      double turn[2][3];
      memcpy(turn[0], frame[d - 3], sizeof turn[0]);
      memcpy(turn[1], frame[d - 3], sizeof turn[1]);
      put_J(rows, body, (const double[3]){0, 0, 0}, turn);
    }
    end_row(rows, -mu, mu, normal);
  }
}

void perp_contact_rows_other(perp_contact_rows *rows, const int body[2], const double linear[3],
                             double turn[2][3])
{
  put_J(rows, body, linear, turn);
  end_row(rows, -INFINITY, INFINITY, -1);
}

/* ---- The problem ---- */

perp_contact_data perp_contact_rows_data(const perp_contact_rows *rows)
{
  return (perp_contact_data){
      .size = sizeof(perp_contact_data),
      .rows = rows->n,
      .velocities = rows->freedom * rows->bodies,
      .J_start = rows->start,
      .J_column = rows->column,
      .J_value = rows->value,
      .blocks = rows->bodies,
      .Minv = rows->Minv,
      .C_start = rows->C_count > 0 ? rows->C_start : NULL,
      .C_column = rows->C_column,
      .C_value = rows->C_value,
  };
}

perp_set perp_contact_rows_set(const perp_contact_rows *rows)
{
  const perp_contact_form form = rows->layout.form;
  const bool wide = is_wide(form), cone = wide || form == PERP_CONTACT_CONE;
  const bool bounds = rows->n > rows->contacts * rows->width || form == PERP_CONTACT_STICK ||
                      form == PERP_CONTACT_FINDEX; /* otherwise the simplest form suffices */
  return (perp_set){
      .n = rows->n,
      .lo = bounds ? rows->lo : NULL,
      .hi = bounds ? rows->hi : NULL,
      .findex = form == PERP_CONTACT_FINDEX ? rows->findex : NULL,
      .mu = cone ? rows->mu : NULL,
      .cones = cone ? rows->contacts : 0,
      .dim = wide ? rows->dim : NULL,
      .law = wide ? rows->law : NULL,
  };
}

/* ---- Rotations and lists ---- */

/* Computes cosine and sine of 0 <= a <= pi/4 by their series, smallest terms first. */
static void turn_small(double a, double *c, double *s)
{
  const double aa = a * a;
  double cosine = 1, sine = 1;
  for (int k = 18; k > 0; k -= 2) {
    cosine = 1 - aa / (k * (k - 1)) * cosine;
    sine = 1 - aa / (k * (k + 1)) * sine;
  }
  *c = cosine;
  *s = a * sine;
}

void perp_scene_turn(int k, int of, double *c, double *s)
{
  const double quarter_pi = 0.78539816339744830962;
  /* 8 k / of = octant + part / of */
  const int64_t eighths = 8 * (int64_t)(k % of);
  const int octant = (int)(eighths / of);
  int64_t part = eighths - (int64_t)octant * of;
  /* odd octants are measured back from their end, so that the angle to an axis is at most pi/4 */
  if (octant % 2)
    part = of - part;
  double u, v;
  turn_small((double)part / of * quarter_pi, &u, &v);
  const double across[8] = {u, v, -v, -u, -u, -v, v, u};
  const double up[8] = {v, u, u, v, -v, -u, -u, -v};
  *c = across[octant];
  *s = up[octant];
}

void *perp_list_next(void *list, int *count, int *room, size_t size)
{
  char *items;
  if (*count == *room) {
    const int64_t more = 2 * (int64_t)*room + 64;
    if (more > INT32_MAX || !perp_alloc_longer(list, (size_t)*count, (size_t)more, size))
      return NULL;
    *room = (int)more;
  }
  memcpy(&items, list, sizeof items);
  return items + (size_t)(*count)++ * size;
}
