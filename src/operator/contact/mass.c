/* mass.c: orders and factors M, and makes block diagonal data of the same operator
 *
 * Cost by rows: the factor; for each row of G the columns of L on its paths. Workspace: L, G. */
#include "base/elementary.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "operator/contact/contact.h"
#include "verdict/twice.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  WIDEST = 6, /* velocities of a block */
  LANES = 8,  /* rows of G that are computed together */
};

/* ---- Checks ---- */

perp_error perp_mass_check(const perp_contact_data *d, perp_message *why)
{
  if (d->Minv || (d->M_start && d->apply_Minv))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "contact: the mass is given by more than one of Minv, M_start and apply_Minv");
  if (d->M_start)
    return perp_pattern_check("M", "row", d->velocities, d->velocities, d->M_start, d->M_column,
                              why);
  return PERP_OK;
}

static perp_sparse matrix(const perp_mass *s)
{
  const perp_contact_data *d = &s->source;
  return (perp_sparse){d->velocities, d->M_start, d->M_column, d->M_value};
}

/* Checks that M is finite, and symmetric up to rounding of its rows. */
static perp_error check_symmetric(const perp_mass *s, perp_message *why)
{
  const perp_sparse M = matrix(s);
  const perp_error error = perp_pattern_check_values("M", M.n, M.start, M.column, M.value, why);
  if (error)
    return error;
  for (int i = 0; i < M.n; i++) {
    double largest = 0;
    for (int64_t e = M.start[i]; e < M.start[i + 1]; e++)
      largest = perp_max(largest, fabs(M.value[e]));
    for (int64_t e = M.start[i]; e < M.start[i + 1]; e++) {
      const int j = M.column[e];
      const int64_t mirror = perp_row_find(M.start, M.column, j, i);
      const double other = mirror < 0 ? 0 : M.value[mirror];
      if (mirror < 0 || fabs(M.value[e] - other) > 1e-12 * largest)
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "M is not symmetric: (%d,%d) = %g, but (%d,%d) = %g", i, j, M.value[e], j,
                         i, other);
    }
  }
  return PERP_OK;
}

/* ---- The order of elimination ---- */

/* Takes the order. Returns false when out of memory, or if L has more entries than M and may not. */
static bool analyse(perp_mass *s, bool may_fill, perp_arena *arena)
{
  const perp_sparse M = matrix(s);
  for (int k = 0; k < M.n; k++)
    s->place[s->order[k]] = k;
  if (!perp_sparse_ldlt_load(&s->factor, &M, M.n, s->order, s->place, NULL, arena))
    return false;
  const int64_t most = may_fill ? INT64_MAX : s->factor.start[M.n];
  return perp_sparse_ldlt_analyse(&s->factor, true, most) <= most;
}

/* ---- The pattern of G ---- */

/* Adds the path from velocity j to the root to an ascending list of `count`; both ascend, and the
 * path ends at the first velocity that is marked with i. Returns the new count. */
static int add_path(const perp_mass *s, int i, int j, int count, int *list, int *path, int *mark)
{
  int length = 0;
  for (; j >= 0 && mark[j] != i; j = s->factor.parent[j]) {
    mark[j] = i;
    path[length++] = j;
  }
  int at = count + length - 1, old = count - 1;
  for (int k = length - 1; k >= 0; at--)
    list[at] = old >= 0 && list[old] > path[k] ? list[old--] : path[k--];
  return count + length;
}

/* Fills J_start, and J_column if it exists. */
static void list_paths(perp_mass *s, int *list)
{
  const perp_contact_data *d = &s->source;
  int *mark = s->factor.mark, *path = s->factor.path;
  perp_fill_integers(d->velocities, -1, mark);
  s->J_start[0] = 0;
  for (int i = 0; i < d->rows; i++) {
    int count = 0;
    int *row = s->J_column ? s->J_column + s->J_start[i] : list;
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
      count = add_path(s, i, s->place[d->J_column[e]], count, row, path, mark);
    s->J_start[i + 1] = s->J_start[i] + count;
  }
}

/* Tries the caller's order, or its reverse. Returns the entries of G, -1 if L fills or when out of
 * memory. */
static int64_t try_order(perp_mass *s, bool reverse, int *list, perp_arena *arena)
{
  const int m = s->source.velocities;
  for (int k = 0; k < m; k++)
    s->order[k] = reverse ? m - 1 - k : k;
  if (!analyse(s, false, arena))
    return -1;
  list_paths(s, list);
  return s->J_start[s->source.rows];
}

/* A tree of joints has no fill if leaves come first: in the caller's order, or in its reverse if the
 * caller numbers from the root. If both have none, as for a chain, the shorter paths decide. Meshes take
 * an order with little fill. */
static bool choose_order(perp_mass *s, int *list, perp_arena *arena)
{
  const perp_sparse M = matrix(s);
  const perp_arena_mark mark = perp_arena_hold(arena);
  const int64_t forward = try_order(s, false, list, arena);
  perp_arena_release(arena, mark);
  const int64_t backward = try_order(s, true, list, arena);
  if (backward >= 0 && (forward < 0 || backward <= forward))
    return true;
  perp_arena_release(arena, mark);
  for (int k = 0; k < M.n; k++)
    s->order[k] = k;
  if (forward >= 0)
    return analyse(s, true, arena);
  perp_arena scratch = {0};
  const bool ordered = perp_sparse_order_dissection(&M, &scratch, s->order) ||
                       perp_sparse_order_degree(&M, &scratch, s->order);
  perp_arena_free(&scratch);
  return ordered && analyse(s, true, arena);
}

/* Blocks of consecutive velocities, each the parent of the one before: a row that meets one meets
 * all that follow in the block. */
static void list_blocks(perp_mass *s)
{
  const int m = s->source.velocities;
  s->blocks = 0;
  for (int k = 0; k < m; k++)
    if (k == 0 || s->factor.parent[k - 1] != k || k - s->block_start[s->blocks - 1] == WIDEST)
      s->block_start[s->blocks++] = k;
  s->block_start[s->blocks] = m;
}

/* ---- The operator of Newton methods ---- */

/* Blocks of velocities whose rows of M have the same columns: the coordinates of a mesh point. */
static int list_twins(const perp_sparse *M, int *start)
{
  int blocks = 0;
  for (int i = 0; i < M->n; i++) {
    const int64_t count = M->start[i + 1] - M->start[i];
    const bool same = i > 0 && i - start[blocks - 1] < WIDEST &&
                      M->start[i] - M->start[i - 1] == count &&
                      memcmp(M->column + M->start[i], M->column + M->start[i - 1],
                             (size_t)count * sizeof *M->column) == 0;
    if (!same)
      start[blocks++] = i;
  }
  start[blocks] = M->n;
  return blocks;
}

/* Allocates identities for the blocks. */
static double *identities(int blocks, const int *start, perp_arena *arena)
{
  size_t count = 0;
  for (int b = 0; b < blocks; b++)
    count += (size_t)(start[b + 1] - start[b]) * (size_t)(start[b + 1] - start[b]);
  double *Minv = perp_arena_alloc_zero(arena, count, sizeof *Minv), *block = Minv;
  for (int b = 0; Minv && b < blocks; b++) {
    const int size = start[b + 1] - start[b];
    for (int k = 0; k < size; k++)
      block[k * size + k] = 1;
    block += size * size;
  }
  return Minv;
}

static perp_error make_plain(perp_mass *s, perp_arena *arena, perp_message *why)
{
  const perp_sparse M = matrix(s);
  int *start;
  if (!PERP_TAKE(arena, PERP_ARRAY(start, M.n + 1)))
    return PERP_ERROR_MEMORY;
  perp_contact_data plain = s->source;
  plain.M_start = NULL;
  plain.blocks = list_twins(&M, start);
  plain.block_start = start;
  plain.Minv = identities(plain.blocks, start, arena);
  const perp_error error =
      plain.Minv ? perp_operator_contact(&plain, PERP_BORROW, &s->plain, why) : PERP_ERROR_MEMORY;
  if (!error)
    ((perp_contact *)s->plain)->data.M_start = M.start;
  return error;
}

/* ---- Creating ---- */

static perp_error create_rows(perp_mass *s, perp_arena *arena, perp_message *why)
{
  const perp_contact_data *d = &s->source;
  const int m = d->velocities;
  int *list;
  if (!PERP_TAKE_INTEGERS(arena, (size_t)m, &s->order, &s->place, &list) ||
      !PERP_TAKE_REALS(arena, (size_t)m, &s->diagonal, &s->root) ||
      !PERP_TAKE_ZERO_REALS(arena, LANES * (size_t)m, &s->z) ||
      !PERP_TAKE(arena, PERP_ARRAY(s->block_start, m + 1), PERP_ARRAY(s->J_start, d->rows + 1)) ||
      !choose_order(s, list, arena))
    return PERP_ERROR_MEMORY;
  list_paths(s, list);
  if (!PERP_TAKE(arena, PERP_ARRAY(s->J_column, s->J_start[d->rows]),
                 PERP_ARRAY(s->J_value, s->J_start[d->rows])))
    return PERP_ERROR_MEMORY;
  list_paths(s, list);
  list_blocks(s);
  if (!perp_sparse_ldlt_take(&s->factor, s->factor.L_start[m], arena))
    return PERP_ERROR_MEMORY;
  s->Minv = identities(s->blocks, s->block_start, arena);
  return s->Minv ? make_plain(s, arena, why) : PERP_ERROR_MEMORY;
}

static perp_error create_callback(perp_mass *s, perp_arena *arena)
{
  const perp_contact_data *d = &s->source;
  const int64_t entries = d->J_start[d->rows];
  if (!PERP_TAKE_INTEGERS(arena, (size_t)d->velocities, &s->order, &s->place) ||
      !PERP_TAKE(arena, PERP_ARRAY(s->J_column, entries), PERP_ARRAY(s->J_value, entries),
                 PERP_ARRAY(s->J_start, d->rows + 1), PERP_ARRAY(s->block_start, 2),
                 PERP_ARRAY(s->z, 2 * (size_t)d->velocities)))
    return PERP_ERROR_MEMORY;
  perp_fill_integers(d->velocities, -1, s->place);
  for (int64_t e = 0; e < entries; e++)
    s->place[d->J_column[e]] = 0;
  for (int j = 0; j < d->velocities; j++)
    if (s->place[j] == 0) {
      s->order[s->touched] = j;
      s->place[j] = s->touched++;
    }
  for (int64_t e = 0; e < entries; e++)
    s->J_column[e] = s->place[d->J_column[e]];
  memcpy(s->J_start, d->J_start, ((size_t)d->rows + 1) * sizeof *s->J_start);
  s->blocks = s->touched > 0;
  s->block_start[0] = 0;
  s->block_start[s->blocks] = s->touched;
  s->Minv = perp_arena_alloc(arena, (size_t)s->touched * (size_t)s->touched, sizeof *s->Minv);
  return s->Minv ? PERP_OK : PERP_ERROR_MEMORY;
}

perp_error perp_mass_create(perp_mass *s, const perp_contact_data *source, perp_arena *arena,
                            perp_contact_data *made, perp_message *why)
{
  *s = (perp_mass){.source = *source};
  const perp_error error = source->M_start ? create_rows(s, arena, why) : create_callback(s, arena);
  if (error)
    return error == PERP_ERROR_MEMORY
               ? perp_fail(why, error, "contact: out of memory for a mass of %d velocities",
                           source->velocities)
               : error;
  *made = *source;
  made->M_start = NULL;
  made->apply_Minv = NULL;
  made->velocities = s->block_start[s->blocks];
  made->J_start = s->J_start;
  made->J_column = s->J_column;
  made->J_value = s->J_value;
  made->blocks = s->blocks;
  made->block_start = s->block_start;
  made->Minv = s->Minv;
  return PERP_OK;
}

void perp_mass_free(perp_mass *s)
{
  perp_operator_destroy(s->plain);
}

/* ---- Numbers ---- */

/* A pivot must be positive, up to the rounding of all rows; the rule remembers the one that is
 * not. */
typedef struct last_pivot {
  int rows, k;
  double pivot;
} last_pivot;

static bool is_positive(void *context, int k, double diagonal, double *pivot)
{
  last_pivot *last = context;
  last->k = k;
  last->pivot = *pivot;
  return *pivot > last->rows * DBL_EPSILON * diagonal;
}

/* z_to <- z_to - l z_from, for LANES rows */
static inline void subtract(double l, const double *restrict from, double *restrict to)
{
  for (int r = 0; r < LANES; r++)
    to[r] -= l * from[r];
}

/* Up to LANES rows of G: solves L z = P J_i^T along their paths, then divides by D^1/2. The tail of L
 * is stored by rows. */
static void fill_lanes(perp_mass *s, int first, int rows)
{
  const perp_contact_data *d = &s->source;
  const perp_sparse_ldlt *f = &s->factor;
  const int64_t tail = f->n - f->head;
  double *z = s->z;
  int *list = f->pattern, count = 0;
  for (int r = 0; r < rows; r++)
    for (int64_t e = d->J_start[first + r]; e < d->J_start[first + r + 1]; e++) {
      const int k = s->place[d->J_column[e]];
      z[(int64_t)LANES * k + r] = d->J_value[e];
      count = add_path(s, -2 - first, k, count, list, f->path, f->mark);
    }
  int head = 0;
  for (; head < count && list[head] < f->head; head++) {
    const int k = list[head];
    for (int64_t t = f->L_start[k]; t < f->L_start[k + 1]; t++)
      subtract(f->L_value[t], z + (int64_t)LANES * k, z + (int64_t)LANES * f->L_index[t]);
  }
  for (int a = head; a < count; a++) {
    const double *L = f->S + (list[a] - f->head) * tail - f->head;
    for (int b = head; b < a; b++)
      subtract(L[list[b]], z + (int64_t)LANES * list[b], z + (int64_t)LANES * list[a]);
  }
  for (int r = 0; r < rows; r++)
    for (int64_t e = s->J_start[first + r]; e < s->J_start[first + r + 1]; e++)
      s->J_value[e] = z[(int64_t)LANES * s->J_column[e] + r] / s->root[s->J_column[e]];
  for (int a = 0; a < count; a++)
    memset(z + (int64_t)LANES * list[a], 0, LANES * sizeof *z);
}

static perp_error fill_rows(perp_mass *s, perp_message *why)
{
  const perp_sparse M = matrix(s);
  perp_error error = check_symmetric(s, why);
  if (!error)
    error = perp_pattern_check_values("J", s->source.rows, s->source.J_start, s->source.J_column,
                                      s->source.J_value, why);
  if (error)
    return error;
  perp_sparse_ldlt_reload(&s->factor, &M, s->order, s->place, s->diagonal);
  last_pivot last = {.rows = M.n};
  if (!perp_sparse_ldlt_factorise(&s->factor, s->diagonal, is_positive, &last, NULL))
    return perp_fail(why, PERP_ERROR_PROBLEM,
                     "M is not positive definite: the factor ends at row %d, whose pivot is %g",
                     s->order[last.k], last.pivot);
  for (int k = 0; k < M.n; k++)
    s->root[k] = sqrt(s->factor.D[k]);
  perp_fill_integers(M.n, -1, s->factor.mark); /* of the last filling */
  for (int i = 0; i < s->source.rows; i += LANES)
    fill_lanes(s, i, i + LANES < s->source.rows ? LANES : s->source.rows - i);
  return perp_operator_refresh(s->plain, why);
}

/* B <- the rows and columns S of M^-1, column by column. */
static perp_error fill_callback(perp_mass *s, perp_message *why)
{
  const perp_contact_data *d = &s->source;
  const int64_t entries = d->J_start[d->rows];
  const size_t size = (size_t)s->touched;
  double *unit = s->z, *column = s->z + d->velocities, largest = 0;
  if (entries > 0)
    memcpy(s->J_value, d->J_value, (size_t)entries * sizeof *s->J_value);
  perp_fill(d->velocities, 0, unit);
  for (int c = 0; c < s->touched; c++) {
    unit[s->order[c]] = 1;
    const int code = d->apply_Minv(d->context, unit, column);
    unit[s->order[c]] = 0;
    if (code)
      return perp_fail(why, PERP_ERROR_CALLBACK, "contact: apply_Minv returned %d", code);
    for (int r = 0; r < s->touched; r++) {
      const double value = column[s->order[r]];
      if (!isfinite(value))
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "apply_Minv: (%d,%d) of the inverse is %g, which is not finite",
                         s->order[r], s->order[c], value);
      s->Minv[(size_t)r * size + (size_t)c] = value;
      largest = perp_max(largest, fabs(value));
    }
  }
  for (int r = 0; r < s->touched; r++) {
    if (!(s->Minv[(size_t)r * size + (size_t)r] > 0))
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "apply_Minv: M is not positive definite: (%d,%d) of its inverse is %g",
                       s->order[r], s->order[r], s->Minv[(size_t)r * size + (size_t)r]);
    for (int c = 0; c < r; c++) {
      double *low = &s->Minv[(size_t)r * size + (size_t)c];
      double *high = &s->Minv[(size_t)c * size + (size_t)r];
      if (fabs(*low - *high) > 1e-8 * largest)
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "apply_Minv is not symmetric: (%d,%d) = %g, but (%d,%d) = %g", s->order[r],
                         s->order[c], *low, s->order[c], s->order[r], *high);
      *low = *high = 0.5 * (*low + *high);
    }
  }
  return PERP_OK;
}

perp_error perp_mass_fill(perp_mass *s, perp_message *why)
{
  return s->source.M_start ? fill_rows(s, why) : fill_callback(s, why);
}

bool perp_mass_solve(const perp_mass *s, double *v, double *room)
{
  const perp_contact_data *d = &s->source;
  if (!d->M_start) {
    memcpy(room, v, (size_t)d->velocities * sizeof *v);
    return d->apply_Minv(d->context, room, v) == 0;
  }
  for (int k = 0; k < d->velocities; k++)
    room[k] = v[s->order[k]];
  perp_sparse_ldlt_solve(&s->factor, room);
  for (int k = 0; k < d->velocities; k++)
    v[s->order[k]] = room[k];
  return true;
}

/* ---- Products in double-double precision ----
 *
 * p = J^T x, then M z = p by iterative refinement with residuals in twice the precision, which
 * converges to z in twice the precision while M has a condition below 1 / epsilon. */

void perp_mass_product(const perp_mass *s, const double *x, double *high, double *low, double *room)
{
  enum { MOST = 20 };
  const perp_contact_data *d = &s->source;
  const int m = d->velocities;
  double *p = room, *p_low = p + m, *z = p_low + m, *z_low = z + m, *r = z_low + m, *t = r + m;
  memset(room, 0, 4 * (size_t)m * sizeof *room);
  for (int i = 0; i < d->rows; i++)
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
      perp_twice_add(d->J_value[e], x[i], &p[d->J_column[e]], &p_low[d->J_column[e]]);
  double step = INFINITY, size = 0;
  bool converged = false;
  for (int round = 0; round < MOST && !converged; round++) {
    for (int j = 0; j < m; j++) {
      double sum = p[j], rest = p_low[j];
      for (int64_t e = d->M_start[j]; e < d->M_start[j + 1] && round > 0; e++)
        perp_twice_add_pair(-d->M_value[e], z[d->M_column[e]], z_low[d->M_column[e]], &sum, &rest);
      r[j] = sum + rest;
    }
    perp_mass_solve(s, r, t);
    const double before = step;
    step = size = 0;
    for (int j = 0; j < m; j++) {
      perp_twice_add(1, r[j], &z[j], &z_low[j]);
      step = perp_max(step, fabs(r[j]));
      size = perp_max(size, fabs(z[j]));
    }
    if (!(step < 0.5 * before) && size > 0)
      break;
    /* the next step would shrink by the ratio of the last two */
    converged = step == 0 || (round > 0 && step * (step / before) <= 1e-3 * DBL_EPSILON * size);
  }
  for (int i = 0; i < d->rows; i++) {
    high[i] = converged ? 0 : NAN;
    low[i] = 0;
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
      perp_twice_add_pair(d->J_value[e], z[d->J_column[e]], z_low[d->J_column[e]], &high[i],
                          &low[i]);
  }
}
