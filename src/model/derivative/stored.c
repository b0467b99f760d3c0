/* stored.c: derivatives with respect to the stored numbers of an operator */
#include "model/derivative/stored.h"

#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "operator/contact/contact.h"
#include "operator/stencil/stencil.h"

/* The caller's J: with a mass matrix the operator's own data are made from it. */
static const perp_contact_data *given(const perp_contact *c)
{
  return c->mass ? &c->mass->source : &c->data;
}

bool perp_stored_open(const perp_operator *A, perp_arena *arena, perp_stored *e)
{
  const double *value;
  const int64_t *start;
  const int *column;
  int64_t stride;
  *e = (perp_stored){.A = A};
  if (perp_operator_dense_array(A, &value, &stride) == PERP_OK)
    e->A_count = A->n > 0 ? (A->n - 1) * stride + A->n : 0;
  else if (perp_operator_csr_arrays(A, &start, &column, &value) == PERP_OK ||
           perp_operator_bsr_arrays(A, &start, &column, &value) == PERP_OK)
    e->A_count = A->nonzeros;
  else if (perp_operator_is_stencil(A)) {
    const perp_stencil *s = (const perp_stencil *)A;
    e->cells = s->cells;
    e->faces = s->data.wx != NULL;
    e->solid = s->solid;
    e->diagonal = s->data.diagonal != NULL;
  } else if (perp_operator_is_contact(A)) {
    const perp_contact *c = perp_contact_of(A);
    const perp_contact_data *own = given(c);
    e->J_count = own->J_start && !own->apply_Minv ? own->J_start[A->n] : 0;
    e->C_count = c->data.C_start ? c->data.C_start[A->n] : 0;
    for (int k = 0; k < c->data.blocks && !c->mass; k++) {
      const int64_t size = perp_contact_block_size(c, k);
      e->Minv_count += size * size;
    }
    return PERP_TAKE(arena, PERP_ARRAY(e->velocity, 5 * (size_t)own->velocities));
  }
  return true;
}

/* ---- Checks ---- */

typedef struct array {
  const char *name;
  const double *at;
  bool exists;
  int64_t count;
} array;

static perp_error check(const perp_stored *e, const array *arrays, int count, bool numbers,
                        perp_message *why)
{
  for (int k = 0; k < count; k++) {
    const array *a = arrays + k;
    const perp_contact *c = perp_operator_is_contact(e->A) ? perp_contact_of(e->A) : NULL;
    if (a->at && !a->exists && c && c->mass)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: this contact operator has %s", a->name,
                       c->mass->source.M_start
                           ? "M, not Minv; the derivative with respect to M_ij is "
                             "-(M^-1 J^T g.b)_i (M^-1 J^T x)_j"
                           : "a callback for M^-1, whose derivative is unknown");
    if (a->at && !a->exists)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: this %s operator has no such array", a->name,
                       e->A->table->kind);
    const int64_t bad = a->at && numbers ? perp_first_not_finite(a->count, a->at) : -1;
    if (bad >= 0)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s[%lld] = %g is not finite", a->name,
                       (long long)bad, a->at[bad]);
  }
  return PERP_OK;
}

/* Padding between the rows of a dense matrix is not read. */
static perp_error check_arrays(const perp_stored *e, const perp_change *c, bool numbers,
                               perp_message *why)
{
  const bool grid = e->cells > 0, contact = perp_operator_is_contact(e->A);
  const bool shell = !grid && !contact && e->A->nonzeros < 0;
  const bool blocks = contact && !perp_contact_of(e->A)->mass; /* Minv is the caller's */
  const bool rows = contact && !given(perp_contact_of(e->A))->apply_Minv;
  const double *a;
  int64_t stride = 0;
  const bool dense = perp_operator_dense_array(e->A, &a, &stride) == PERP_OK;
  const array arrays[] = {
      {"A", c->A, !grid && !contact && !shell, dense ? 0 : e->A_count},
      {"J", c->J, rows, e->J_count},
      {"Minv", c->Minv, blocks, e->Minv_count},
      {"C", c->C, contact && e->C_count > 0, e->C_count},
      {"wx", c->wx, e->faces, e->cells},
      {"wy", c->wy, e->faces, e->cells},
      {"wz", c->wz, e->faces && e->solid, e->cells},
      {"diagonal", c->diagonal, grid && e->diagonal, e->cells},
      {"weight", c->weight, grid && !e->faces, 1},
  };
  perp_error error = check(e, arrays, sizeof arrays / sizeof *arrays, numbers, why);
  for (int i = 0; dense && numbers && c->A && i < e->A->n && !error; i++) {
    const array row = {"A", c->A + i * stride, true, e->A->n};
    error = check(e, &row, 1, true, why);
  }
  return error;
}

perp_error perp_stored_check_change(const perp_stored *e, const perp_change *c, perp_message *why)
{
  return check_arrays(e, c, true, why);
}

perp_error perp_stored_check_gradient(const perp_stored *e, const perp_gradient *g,
                                      perp_message *why)
{
  const perp_change same = {.A = g->A,
                            .J = g->J,
                            .Minv = g->Minv,
                            .C = g->C,
                            .wx = g->wx,
                            .wy = g->wy,
                            .wz = g->wz,
                            .diagonal = g->diagonal,
                            .weight = g->weight};
  return check_arrays(e, &same, false, why);
}

/* ---- Dense and compressed rows ---- */

/* Visits each stored number of A with its place, row and column. Either writes a_i x_j there (to),
 * or adds the number times x_j to y_i (from). */
typedef struct visitor {
  const double *a, *x, *from;
  double *to, *y;
} visitor;

static inline void visit(const visitor *v, int64_t at, int i, int j)
{
  if (v->to)
    v->to[at] = v->a[i] * v->x[j];
  else
    v->y[i] += v->from[at] * v->x[j];
}

static void visit_rows(const visitor *v, int n, const int64_t *start, const int *column)
{
  for (int i = 0; i < n; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      visit(v, e, i, column[e]);
}

static void visit_matrix(const perp_operator *A, const visitor *v)
{
  const double *value;
  const int64_t *start;
  const int *column;
  int64_t stride;
  if (perp_operator_dense_array(A, &value, &stride) == PERP_OK) {
    for (int i = 0; i < A->n; i++)
      for (int j = 0; j < A->n; j++)
        visit(v, i * stride + j, i, j);
  } else if (perp_operator_csr_arrays(A, &start, &column, &value) == PERP_OK) {
    visit_rows(v, A->n, start, column);
  } else if (perp_operator_bsr_arrays(A, &start, &column, &value) == PERP_OK) {
    const int size = A->block;
    for (int I = 0; I < A->n / size; I++)
      for (int64_t e = start[I]; e < start[I + 1]; e++)
        for (int r = 0; r < size; r++)
          for (int c = 0; c < size; c++)
            visit(v, (e * size + r) * size + c, I * size + r, column[e] * size + c);
  }
}

/* ---- Contacts ---- */

/* u <- J^T x */
static void to_velocities(const perp_contact_data *d, const double *J, const double *x, double *u)
{
  perp_fill(d->velocities, 0, u);
  perp_csr_add_t(d->rows, d->J_start, d->J_column, J, x, u);
}

static void contact_gradient(const perp_stored *e, const double *a, const double *x,
                             const perp_gradient *g)
{
  const perp_contact *c = perp_contact_of(e->A);
  const perp_contact_data *d = given(c);
  double *u = e->velocity, *Mu = u + d->velocities, *v = Mu + d->velocities,
         *Mv = v + d->velocities, *room = Mv + d->velocities;
  if (g->J || g->Minv) {
    to_velocities(d, d->J_value, x, u);
    to_velocities(d, d->J_value, a, v);
    perp_contact_times_Minv(c, d->Minv, u, Mu, room);
    perp_contact_times_Minv(c, d->Minv, v, Mv, room); /* Minv is symmetric */
  }
  for (int i = 0; i < d->rows && g->J; i++)
    for (int64_t k = d->J_start[i]; k < d->J_start[i + 1]; k++)
      g->J[k] = a[i] * Mu[d->J_column[k]] + x[i] * Mv[d->J_column[k]];
  double *to = g->Minv;
  for (int k = 0; k < d->blocks && to; k++)
    for (int i = d->block_start[k]; i < d->block_start[k + 1]; i++)
      for (int j = d->block_start[k]; j < d->block_start[k + 1]; j++)
        *to++ = v[i] * u[j];
  if (g->C)
    visit_rows(&(visitor){.a = a, .x = x, .to = g->C}, d->rows, c->data.C_start, c->data.C_column);
}

static void contact_change(const perp_stored *e, const perp_change *c, const double *x, double *y)
{
  const perp_contact *contact = perp_contact_of(e->A);
  const perp_contact_data *d = given(contact);
  double *u = e->velocity, *Mu = u + d->velocities, *v = Mu + d->velocities,
         *Mv = v + d->velocities, *room = Mv + d->velocities;
  if (c->J || c->Minv)
    to_velocities(d, d->J_value, x, u);
  if (c->J) {
    perp_contact_times_Minv(contact, d->Minv, u, Mu, room);
    perp_csr_add(d->rows, d->J_start, d->J_column, c->J, Mu, y);
    to_velocities(d, c->J, x, v);
    perp_contact_times_Minv(contact, d->Minv, v, Mv, room);
    perp_csr_add(d->rows, d->J_start, d->J_column, d->J_value, Mv, y);
  }
  if (c->Minv) {
    perp_contact_times_Minv(contact, c->Minv, u, Mv, room);
    perp_csr_add(d->rows, d->J_start, d->J_column, d->J_value, Mv, y);
  }
  if (c->C)
    visit_rows(&(visitor){.x = x, .from = c->C, .y = y}, d->rows, contact->data.C_start,
               contact->data.C_column);
}

/* ---- Grids ---- */

/* Finds the unknowns on both sides of the face behind a cell. Returns false if there are not
 * two. */
static bool face(const perp_stencil *s, int cell, int axis, int *u, int *v)
{
  const int nx = s->data.nx, ny = s->data.ny, nz = s->data.nz;
  const int at[3] = {cell % nx, cell / nx % ny, cell / nx / ny}, size[3] = {nx, ny, nz};
  const int step[3] = {1, nx, nx * ny};
  if (at[axis] + 1 >= size[axis])
    return false;
  *u = perp_stencil_unknown(s, cell);
  *v = perp_stencil_unknown(s, cell + step[axis]);
  return *u >= 0 && *v >= 0;
}

static void stencil_gradient(const perp_stored *e, const double *a, const double *x,
                             const perp_gradient *g)
{
  const perp_stencil *s = (const perp_stencil *)e->A;
  double *const w[3] = {g->wx, g->wy, g->wz};
  double sum = 0;
  for (int cell = 0; cell < s->cells; cell++) {
    for (int axis = 0; axis < 3; axis++) {
      int u, v;
      const double d = face(s, cell, axis, &u, &v) ? -(a[u] * x[v] + a[v] * x[u]) : 0;
      if (w[axis])
        w[axis][cell] = d;
      sum += d;
    }
    const int u = perp_stencil_unknown(s, cell);
    const double d = u >= 0 ? a[u] * x[u] : 0;
    if (g->diagonal)
      g->diagonal[cell] = d;
    if (!e->diagonal)
      sum += (s->solid ? 6 : 4) * d;
  }
  if (g->weight)
    *g->weight = sum;
}

static void stencil_change(const perp_stored *e, const perp_change *c, const double *x, double *y)
{
  const perp_stencil *s = (const perp_stencil *)e->A;
  const double *const w[3] = {c->wx, c->wy, c->wz};
  const double weight = c->weight ? *c->weight : 0;
  for (int cell = 0; cell < s->cells; cell++) {
    for (int axis = 0; axis < 3; axis++) {
      int u, v;
      const double d = w[axis] ? w[axis][cell] : weight;
      if (d != 0 && face(s, cell, axis, &u, &v)) {
        y[u] -= d * x[v];
        y[v] -= d * x[u];
      }
    }
    const int u = perp_stencil_unknown(s, cell);
    const double d =
        e->diagonal ? (c->diagonal ? c->diagonal[cell] : 0) : (s->solid ? 6 : 4) * weight;
    if (u >= 0)
      y[u] += d * x[u];
  }
}

/* ---- All kinds ---- */

void perp_stored_gradient(const perp_stored *e, const double *a, const double *x,
                          const perp_gradient *g)
{
  if (e->cells > 0)
    stencil_gradient(e, a, x, g);
  else if (e->velocity)
    contact_gradient(e, a, x, g);
  else if (g->A)
    visit_matrix(e->A, &(visitor){.a = a, .x = x, .to = g->A});
}

void perp_stored_change(const perp_stored *e, const perp_change *c, const double *x, double *y)
{
  if (e->cells > 0)
    stencil_change(e, c, x, y);
  else if (e->velocity)
    contact_change(e, c, x, y);
  else if (c->A)
    visit_matrix(e->A, &(visitor){.x = x, .from = c->A, .y = y});
}
