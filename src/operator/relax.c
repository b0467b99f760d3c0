/* relax.c: creates relaxers, the generic relaxer for row access, and colourings
 *
 * The generic relaxer reads row i, sums b_i + sum_j A_ij x_j over it, and projects. It is exact,
 * but slower than a kind's own kernel because it copies each row.
 *
 * Colouring: greedy in natural order; each row takes the first colour that no earlier coupled row
 * has (at most one colour more than the largest number of couplings of a row). Two passes list for
 * every row the earlier coupled rows, from the entries of A, of its transpose and from friction
 * indices. Cost: two passes over the rows of A; workspace: an int per entry. */
#include "operator/relax.h"

#include <assert.h>

/* ---- Bounds for every row, with infinities normalised ---- */

perp_part perp_set_part(const perp_set *K)
{
  for (int i = 0; K->findex && i < K->n; i++)
    if (K->findex[i] >= 0)
      return PERP_PART_FINDEX;
  return perp_set_is_plain(K) ? PERP_PART_PLAIN : PERP_PART_BOX;
}

/* Returns true if all numbers from PERP_INFINITE on are INFINITY. */
static bool are_normalised(int n, const double *bound)
{
  int i = 0;
  while (i < n && !(fabs(bound[i]) >= PERP_INFINITE && fabs(bound[i]) < INFINITY))
    i++;
  return i == n;
}

/* Returns `bound` itself if its infinite numbers are INFINITY, else a normalised copy; n times
 * `absent` if it is NULL. */
static const double *normalised(perp_arena *arena, int n, const double *bound, double absent)
{
  if (bound && are_normalised(n, bound))
    return bound;
  double *copy = perp_arena_alloc(arena, (size_t)n, sizeof *copy);
  for (int i = 0; copy && i < n; i++)
    copy[i] = bound ? perp_bound(bound[i]) : absent;
  return copy;
}

perp_error perp_bounds_create(const perp_set *K, perp_arena *arena, perp_bounds *bounds)
{
  *bounds = (perp_bounds){.part = perp_set_part(K), .findex = K->findex};
  if (bounds->part == PERP_PART_PLAIN)
    return PERP_OK;
  bounds->lo = normalised(arena, K->n, K->lo, 0);
  bounds->hi = normalised(arena, K->n, K->hi, INFINITY);
  return bounds->lo && bounds->hi ? PERP_OK : PERP_ERROR_MEMORY;
}

/* ---- Relaxation by row access ---- */

double *perp_inverse_diagonal(const perp_operator *A, perp_arena *arena)
{
  double *inverse = perp_arena_alloc(arena, (size_t)A->n, sizeof *inverse);
  if (!inverse)
    return NULL;
  const double to_the_bound = 1e100;
  A->table->diagonal(A, inverse);
  for (int i = 0; i < A->n; i++)
    inverse[i] = inverse[i] == 0 ? to_the_bound : 1 / inverse[i];
  return inverse;
}

typedef struct row_relaxer {
  perp_relaxer base;
  perp_bounds bounds;
  const int *order; /* the rows by colour; NULL if no coloured sweep will be used */
  int *column;
  double *value;
} row_relaxer;

static void row_relax(row_relaxer *r, double omega, int i)
{
  const perp_operator *A = r->base.A;
  double *x = r->base.x;
  const int count = A->table->row(A, i, r->column, r->value);
  double sum = r->base.b[i], diagonal = 0;
  for (int k = 0; k < count; k++) {
    if (r->column[k] == i)
      diagonal = r->value[k];
    else
      sum += r->value[k] * x[r->column[k]];
  }
  const double t = (1 - omega) * x[i] - omega * sum / diagonal;
  x[i] = perp_bounds_project(r->bounds.part, &r->bounds, x, i, t);
}

static void row_sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  row_relaxer *r = (row_relaxer *)relaxer;
  const int n = relaxer->A->n;
  for (int k = 0; k < n; k++)
    row_relax(r, omega,
              order == PERP_FORWARD    ? k
              : order == PERP_BACKWARD ? n - 1 - k
                                       : r->order[k]);
}

perp_error perp_row_relaxer_create(const perp_operator *A, const perp_set *K, unsigned orders,
                                   perp_arena *arena, perp_relaxer **relaxer)
{
  row_relaxer *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || !perp_row_take(A, arena, &r->column, &r->value) ||
      perp_bounds_create(K, arena, &r->bounds))
    return PERP_ERROR_MEMORY;
  if (orders & 1u << PERP_COLOURED) {
    perp_colouring colouring;
    const perp_error error = perp_operator_colour(A, K, arena, &colouring);
    if (error)
      return error;
    r->order = colouring.order;
  }
  r->base.sweep = row_sweep;
  *relaxer = &r->base;
  return PERP_OK;
}

/* ---- Any relaxation ---- */

static bool is_empty(const perp_operator *A, int i, int *column, double *value)
{
  int count = A->table->row(A, i, column, value);
  while (count > 0 && value[count - 1] == 0)
    count--;
  return count == 0;
}

perp_error perp_relax_check_diagonal(const char *method, const perp_operator *A, perp_arena *arena,
                                     perp_message *why)
{
  double *d = perp_arena_alloc(arena, (size_t)A->n, sizeof *d), *value = NULL;
  int *column = NULL;
  if (!A->table->diagonal && !A->table->row)
    return PERP_OK;
  if (!d || (!A->table->diagonal && !perp_row_take(A, arena, &column, &value)))
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", method);
  if (A->table->diagonal)
    A->table->diagonal(A, d);
  else
    perp_diagonal_by_rows(A, column, value, d);
  for (int i = 0; i < A->n; i++) {
    if (d[i] > 0 && d[i] < INFINITY)
      continue;
    if (!value && !perp_row_take(A, arena, &column, &value)) /* rarely needed */
      return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", method);
    if (!(d[i] == 0 && A->table->relaxes_empty_rows && is_empty(A, i, column, value)))
      return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                       "%s needs a positive diagonal, but A(%d,%d) = %g", method, i, i, d[i]);
  }
  return PERP_OK;
}

perp_error perp_relaxer_create(const char *method, const perp_operator *A, const double *b,
                               const perp_set *K, double *x, int threads, unsigned orders,
                               perp_arena *arena, perp_relaxer **relaxer, perp_message *why)
{
  assert(K->n == A->n);
  *relaxer = NULL;
  if (K->cones > 0)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s cannot relax Coulomb cones, but K has %d",
                     method, K->cones);
  if (!A->table->relaxer && !A->table->row)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "%s needs an operator that can relax or give its rows, but this %s can do "
                     "neither",
                     method, A->table->kind);
  const perp_arena_mark mark = perp_arena_hold(arena);
  perp_error error = perp_relax_check_diagonal(method, A, arena, why);
  perp_arena_release(arena, mark);
  if (error)
    return error;

  error = A->table->relaxer ? A->table->relaxer(A, b, K, orders, arena, relaxer)
                            : perp_row_relaxer_create(A, K, orders, arena, relaxer);
  if (error == PERP_ERROR_MEMORY)
    return perp_fail(why, error, "%s: out of memory for the sweeps of n = %d rows", method, A->n);
  if (error)
    return perp_fail(why, error, "%s: this %s operator cannot sweep in the requested order", method,
                     A->table->kind);
  (*relaxer)->moved = NAN;
  (*relaxer)->A = A;
  (*relaxer)->b = b;
  (*relaxer)->K = K;
  (*relaxer)->threads = threads;
  (*relaxer)->x = x;
  perp_relaxer_load(*relaxer);
  return PERP_OK;
}

/* ---- Colouring ---- */

/* For every row the earlier coupled rows: before[start[i]] .. before[start[i+1]-1]. */
typedef struct couplings {
  int64_t *start;
  int *before;
  int64_t count; /* of all */
} couplings;

/* Visits all couplings {i, j} once: counts them at start[max + 2] if before is NULL, else stores
 * min under max with start[max + 1] as the cursor. */
static void pass_couplings(const perp_operator *A, const perp_set *K, int *column, double *value,
                           couplings *c)
{
  for (int i = 0; i < A->n; i++) {
    int count = A->table->row(A, i, column, value);
    for (int k = 0; k <= count; k++) {
      const int j = k < count ? column[k] : K->findex ? K->findex[i] : -1;
      if (j == i || j < 0)
        continue;
      const int first = i < j ? i : j, second = i < j ? j : i;
      if (!c->before)
        c->start[second + 2]++;
      else if (c->start[second + 1] < c->count) /* otherwise a callback has returned more than
                                                 * before */
        c->before[c->start[second + 1]++] = first;
    }
  }
}

static perp_error list_couplings(const perp_operator *A, const perp_set *K, perp_arena *arena,
                                 couplings *c)
{
  const size_t n = (size_t)A->n;
  int *column;
  double *value;
  *c = (couplings){.start = perp_arena_alloc_zero(arena, n + 2, sizeof *c->start)};
  if (!perp_row_take(A, arena, &column, &value) || !c->start)
    return PERP_ERROR_MEMORY;
  pass_couplings(A, K, column, value, c);
  for (size_t i = 1; i <= n + 1; i++)
    c->start[i] += c->start[i - 1];
  c->count = c->start[n + 1];
  c->before = perp_arena_alloc_zero(arena, (size_t)c->count, sizeof *c->before);
  if (!c->before)
    return PERP_ERROR_MEMORY;
  pass_couplings(A, K, column, value, c);
  return PERP_OK;
}

/* Sets colour[i] to the first colour that no earlier coupled row has; taken[k] = i marks colour k.
 * Returns the number of colours. */
static int colour_greedily(int n, const couplings *c, int *taken, int *colour)
{
  int colours = 0;
  for (int i = 0; i < n; i++) {
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++)
      taken[colour[c->before[k]]] = i;
    colour[i] = 0;
    while (colour[i] < colours && taken[colour[i]] == i)
      colour[i]++;
    if (colour[i] == colours)
      taken[colours++] = -1;
  }
  return colours;
}

perp_error perp_operator_colour(const perp_operator *A, const perp_set *K, perp_arena *arena,
                                perp_colouring *colouring)
{
  if (!A->table->row)
    return PERP_ERROR_UNSUPPORTED;
  const int n = A->n;
  *colouring = (perp_colouring){0};
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(colouring->start, n + 2)) ||
      !PERP_TAKE(arena, PERP_ARRAY(colouring->order, n)))
    return PERP_ERROR_MEMORY;

  const perp_arena_mark mark = perp_arena_hold(arena);
  couplings c;
  const perp_error error = list_couplings(A, K, arena, &c);
  int *taken = perp_arena_alloc(arena, (size_t)n, sizeof *taken);
  int *colour = perp_arena_alloc_zero(arena, (size_t)n, sizeof *colour);
  if (!error && taken && colour) {
    colouring->colours = colour_greedily(n, &c, taken, colour);
    /* count, sum, store: afterwards start[k] is where colour k begins */
    for (int i = 0; i < n; i++)
      colouring->start[colour[i] + 2]++;
    for (int k = 2; k <= n + 1; k++)
      colouring->start[k] += colouring->start[k - 1];
    for (int i = 0; i < n; i++)
      colouring->order[colouring->start[colour[i] + 1]++] = i;
  }
  perp_arena_release(arena, mark);
  return error ? error : taken && colour ? PERP_OK : PERP_ERROR_MEMORY;
}
