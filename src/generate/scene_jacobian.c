/* scene_jacobian.c: the rows of J over the bodies of a scene, and A = J Minv J^T + C from them
 *
 * Row i: direction d at point p between bodies a and b, r = p - position:
 *
 *   J_i = ( d, r_a x d ) for a,   -( d, r_b x d ) for b
 *
 * so an impulse along a row leaves linear and angular momentum of the two together unchanged.
 * With W = Minv J^T kept row by row, an entry of A is A_ij = sum over shared bodies of J_i . W_j,
 * taken with the larger of i and j on the left, so that A_ij = A_ji to the last bit.
 *
 * Cost of assembling: 6 multiplications for every pair of rows that meet at a body, twice (once to
 * count, once to fill). Memory: linear in rows and entries. */
#include "generate/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void perp_jacobian_free(perp_jacobian *rows)
{
  perp_free(rows->body);
  perp_free(rows->J);
  perp_free(rows->W);
  *rows = (perp_jacobian){0};
}

void perp_scene_matrix_free(perp_scene_matrix *sparse)
{
  perp_free(sparse->start);
  perp_free(sparse->column);
  perp_free(sparse->value);
  *sparse = (perp_scene_matrix){0};
}

perp_error perp_jacobian_create(int n, const perp_scene *scene, perp_jacobian *rows)
{
  const size_t count = (size_t)n;
  *rows = (perp_jacobian){
      .n = n,
      .bodies = scene->bodies,
      .body = perp_alloc(2 * count, sizeof *rows->body),
      .J = perp_alloc_zero(12 * count, sizeof *rows->J),
      .W = perp_alloc_zero(12 * count, sizeof *rows->W),
  };
  if (rows->body && rows->J && rows->W)
    return PERP_OK;
  perp_jacobian_free(rows);
  return PERP_ERROR_MEMORY;
}

/* ( d, r x d ) times sign */
static void set_half(const perp_body *body, const double point[3], const double d[3], double sign,
                     double *J)
{
  double r[3];
  for (int k = 0; k < 3; k++)
    r[k] = point[k] - body->position[k];
  J[0] = sign * d[0];
  J[1] = sign * d[1];
  J[2] = sign * d[2];
  J[3] = sign * (r[1] * d[2] - r[2] * d[1]);
  J[4] = sign * (r[2] * d[0] - r[0] * d[2]);
  J[5] = sign * (r[0] * d[1] - r[1] * d[0]);
}

void perp_jacobian_set_empty(perp_jacobian *rows, int i)
{
  rows->body[2 * (size_t)i] = rows->body[2 * (size_t)i + 1] = -1;
}

void perp_jacobian_set(perp_jacobian *rows, int i, const perp_scene *scene, int a, int b,
                       const double point[3], const double direction[3])
{
  const bool a_first = b == PERP_WORLD || (a != PERP_WORLD && a < b);
  const int pair[2] = {a_first ? a : b, a_first ? b : a};
  const double sign[2] = {a_first ? 1 : -1, a_first ? -1 : 1};
  for (size_t side = 0; side < 2; side++) {
    const size_t place = 2 * (size_t)i + side;
    rows->body[place] = pair[side];
    if (pair[side] != PERP_WORLD)
      set_half(&scene->body[pair[side]], point, direction, sign[side], rows->J + 6 * place);
  }
}

void perp_jacobian_weigh(perp_jacobian *rows, const perp_scene *scene)
{
  for (size_t place = 0; place < 2 * (size_t)rows->n; place++) {
    if (rows->body[place] < 0)
      continue;
    const perp_body *body = &scene->body[rows->body[place]];
    const double *J = rows->J + 6 * place, *I = body->inertia_inverse;
    double *W = rows->W + 6 * place;
    for (int k = 0; k < 3; k++) {
      W[k] = body->mass_inverse * J[k];
      W[3 + k] = I[3 * k] * J[3] + I[3 * k + 1] * J[4] + I[3 * k + 2] * J[5];
    }
  }
}

static double dot6(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2] + u[3] * v[3] + u[4] * v[4] + u[5] * v[5];
}

void perp_jacobian_apply(const perp_jacobian *rows, const double *x, double *v, double *y)
{
  const size_t places = 2 * (size_t)rows->n;
  for (size_t k = 0; k < 6 * (size_t)rows->bodies; k++)
    v[k] = 0;
  for (size_t place = 0; place < places; place++)
    if (rows->body[place] >= 0)
      for (size_t k = 0; k < 6; k++)
        v[6 * (size_t)rows->body[place] + k] += rows->W[6 * place + k] * x[place / 2];
  for (size_t i = 0; i < (size_t)rows->n; i++) {
    y[i] = 0;
    for (size_t place = 2 * i; place < 2 * i + 2; place++)
      if (rows->body[place] >= 0)
        y[i] += dot6(rows->J + 6 * place, v + 6 * (size_t)rows->body[place]);
  }
}

/* ---- Assembling ---- */

/* Places of J by body: list[start[k]] .. list[start[k + 1] - 1] are those of body k, ascending. */
typedef struct incidence {
  int64_t *start, *list;
} incidence;

static perp_error list_places(const perp_jacobian *rows, incidence *at)
{
  const size_t bodies = (size_t)rows->bodies, places = 2 * (size_t)rows->n;
  at->start = perp_alloc_zero(bodies + 2, sizeof *at->start);
  at->list = perp_alloc(places, sizeof *at->list);
  if (!at->start || !at->list)
    return PERP_ERROR_MEMORY;
  for (size_t p = 0; p < places; p++)
    if (rows->body[p] >= 0)
      at->start[rows->body[p] + 2]++;
  for (size_t k = 0; k < bodies; k++)
    at->start[k + 2] += at->start[k + 1];
  for (size_t p = 0; p < places; p++)
    if (rows->body[p] >= 0)
      at->list[at->start[rows->body[p] + 1]++] = (int64_t)p;
  return PERP_OK;
}

/* Work space of one row: the columns met, and for each column its value or a mark that the row
 * has not met it. */
typedef struct row_work {
  int *column; /* n */
  int *met;    /* n, the last row that met this column, -1 at first */
  double *sum; /* n */
} row_work;

static int compare_int(const void *a, const void *b)
{
  const int u = *(const int *)a, v = *(const int *)b;
  return (u > v) - (u < v);
}

/* Columns of row i ascending in work->column, values in work->sum; returns how many, with those
 * that cancelled to 0 left out. */
static int make_row(const perp_jacobian *rows, const incidence *at, const perp_scene_matrix *C,
                    int i, row_work *work)
{
  int count = 0;
  for (int64_t e = C->start[i]; e < C->start[i + 1]; e++) {
    const int j = C->column[e];
    work->column[count++] = j;
    work->met[j] = i;
    work->sum[j] = 0;
  }
  for (size_t p = 2 * (size_t)i; p < 2 * (size_t)i + 2; p++) {
    const int body = rows->body[p];
    if (body < 0)
      continue;
    for (int64_t e = at->start[body]; e < at->start[body + 1]; e++) {
      const int64_t q = at->list[e];
      const int j = (int)(q / 2);
      if (work->met[j] != i) {
        work->column[count++] = j;
        work->met[j] = i;
        work->sum[j] = 0;
      }
      work->sum[j] +=
          j <= i ? dot6(rows->J + 6 * p, rows->W + 6 * q) : dot6(rows->J + 6 * q, rows->W + 6 * p);
    }
  }
  /* C is added last in every row, as J Minv J^T + C says: A stays symmetric to the last bit */
  for (int64_t e = C->start[i]; e < C->start[i + 1]; e++)
    work->sum[C->column[e]] += C->value[e];
  qsort(work->column, (size_t)count, sizeof *work->column, compare_int);
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (work->sum[work->column[k]] != 0)
      work->column[kept++] = work->column[k];
  return kept;
}

static void clear_marks(int n, row_work *work)
{
  for (int j = 0; j < n; j++)
    work->met[j] = -1;
}

static perp_error assemble(const perp_jacobian *rows, const incidence *at,
                           const perp_scene_matrix *C, row_work *work, perp_scene_matrix *A)
{
  const int n = rows->n;
  clear_marks(n, work);
  A->start[0] = 0;
  for (int i = 0; i < n; i++)
    A->start[i + 1] = A->start[i] + make_row(rows, at, C, i, work);
  A->column = perp_alloc((size_t)A->start[n], sizeof *A->column);
  A->value = perp_alloc((size_t)A->start[n], sizeof *A->value);
  if (!A->column || !A->value)
    return PERP_ERROR_MEMORY;
  clear_marks(n, work);
  for (int i = 0; i < n; i++) {
    const int count = make_row(rows, at, C, i, work);
    for (int k = 0; k < count; k++) {
      A->column[A->start[i] + k] = work->column[k];
      A->value[A->start[i] + k] = work->sum[work->column[k]];
    }
  }
  return PERP_OK;
}

perp_error perp_jacobian_csr(const char *owner, const perp_jacobian *rows,
                             const perp_scene_matrix *C, perp_operator **A, perp_message *why)
{
  const size_t n = (size_t)rows->n;
  incidence at = {0};
  row_work work = {
      .column = perp_alloc(n, sizeof *work.column),
      .met = perp_alloc(n, sizeof *work.met),
      .sum = perp_alloc(n, sizeof *work.sum),
  };
  perp_scene_matrix csr = {.start = perp_alloc(n + 1, sizeof *csr.start)};
  perp_error error = PERP_ERROR_MEMORY;
  if (work.column && work.met && work.sum && csr.start)
    error = list_places(rows, &at);
  if (!error)
    error = assemble(rows, &at, C, &work, &csr);
  perp_free(at.start);
  perp_free(at.list);
  perp_free(work.column);
  perp_free(work.met);
  perp_free(work.sum);
  if (error)
    perp_generate_no_memory(owner, why);
  else
    error = perp_operator_csr(rows->n, csr.start, csr.column, csr.value, PERP_COPY, A, why);
  perp_scene_matrix_free(&csr);
  return error;
}

/* ---- Not assembling ---- */

static void fill_Minv(const perp_scene *scene, double *Minv)
{
  for (int k = 0; k < scene->bodies; k++) {
    const perp_body *body = &scene->body[k];
    double *block = Minv + 36 * (size_t)k;
    for (size_t i = 0; i < 3; i++) {
      block[7 * i] = body->mass_inverse;
      for (size_t j = 0; j < 3; j++)
        block[6 * (3 + i) + 3 + j] = body->inertia_inverse[3 * i + j];
    }
  }
}

perp_error perp_jacobian_contact(const char *owner, const perp_jacobian *rows,
                                 const perp_scene *scene, const perp_scene_matrix *C,
                                 perp_operator **A, perp_message *why)
{
  const size_t n = (size_t)rows->n;
  perp_scene_matrix J = {
      .start = perp_alloc(n + 1, sizeof *J.start),
      .column = perp_alloc(12 * n, sizeof *J.column),
      .value = perp_alloc(12 * n, sizeof *J.value),
  };
  double *Minv = perp_alloc_zero(36 * (size_t)scene->bodies, sizeof *Minv);
  perp_error error = PERP_OK;
  if (!J.start || !J.column || !J.value || !Minv) {
    error = perp_generate_no_memory(owner, why);
  } else {
    int64_t entries = 0;
    for (size_t i = 0; i < n; i++) {
      J.start[i] = entries;
      for (size_t e = 12 * i; e < 12 * i + 12; e++)
        if (rows->body[e / 6] >= 0 && rows->J[e] != 0) {
          J.column[entries] = 6 * rows->body[e / 6] + (int)(e % 6);
          J.value[entries++] = rows->J[e];
        }
    }
    J.start[n] = entries;
    fill_Minv(scene, Minv);
    const perp_contact_data data = {
        .rows = rows->n,
        .velocities = 6 * scene->bodies,
        .J_start = J.start,
        .J_column = J.column,
        .J_value = J.value,
        .blocks = scene->bodies,
        .Minv = Minv,
        .C_start = C->start[n] > 0 ? C->start : NULL,
        .C_column = C->column,
        .C_value = C->value,
    };
    error = perp_operator_contact(&data, PERP_COPY, A, why);
  }
  perp_scene_matrix_free(&J);
  perp_free(Minv);
  return error;
}
