/* basis.c: the entries of the basis matrix C of Lemke's method, and products with it
 *
 * For dense matrices the columns of C are stored in all n rows, row by row, so that a row of C, the
 * row that joins it and the rates of the other rows are contiguous. For sparse ones nothing is
 * stored: rows and columns are fetched, and the rates come from one product with A. */
#include "method/pivoting/lemke/basis.h"

#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/dot.h"
#include "linalg/vector.h"
#include "method/run/factor_cache.h"

#include <assert.h>

enum { FIRST_ROOM = 64, GROUP = 4, DELAY = PERP_LEMKE_DELAY };

/* ---- Data kept for the next solve ----
 *
 * Scales depend only on A. The first basis of a path belongs to a pattern of x: if the next solve
 * begins with the same pattern, and no exchange has changed it since, its columns and its inverse
 * are reused, to the last bit. Nothing is kept under a memory limit, which applies to every solve
 * separately. */

struct perp_lemke_kept {
  perp_keep keep; /* first */
  int n;
  bool scaled;                      /* the scales belong to A */
  double *row_scale, *column_scale; /* n */
  int count;                        /* rows of the stored basis; 0: none */
  int *rows;                        /* n */
  int room;                         /* of the matrices below */
  double *B, *X, *Y, *P;
};

static perp_error open_kept(perp_run *run, const void *plan, void **state)
{
  (void)plan;
  const size_t n = (size_t)run->problem->K.n;
  struct perp_lemke_kept *kept = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *kept);
  if (!kept || !PERP_TAKE_REALS(run->arena, n + 1, &kept->row_scale, &kept->column_scale) ||
      !PERP_TAKE_INTEGERS(run->arena, n + 1, &kept->rows))
    return perp_run_no_memory(run);
  kept->n = (int)n;
  kept->keep.whole = run->options->memory_limit == 0;
  return PERP_OK;
}

static bool reopen_kept(void *state, perp_run *run, const void *plan, bool holds)
{
  struct perp_lemke_kept *kept = state;
  (void)plan;
  if (!holds) {
    kept->scaled = false;
    kept->count = 0;
  }
  return kept->keep.whole && kept->n == run->problem->K.n && run->options->memory_limit == 0;
}

static const perp_keeper keeper = {open_kept, reopen_kept, NULL};

bool perp_lemke_recall(perp_lemke *s, int count, const int *rows)
{
  const struct perp_lemke_kept *kept = s->kept;
  if (count == 0 || kept->count != count ||
      memcmp(kept->rows, rows, (size_t)count * sizeof *rows) != 0)
    return false;
  for (int k = 0; k < count; k++) {
    s->rows[k] = s->columns[k] = rows[k];
    s->row_at[rows[k]] = s->column_at[rows[k]] = k;
  }
  s->m = count;
  return true;
}

void perp_lemke_keep(perp_lemke *s)
{
  s->kept->count = s->m;
  memcpy(s->kept->rows, s->rows, (size_t)s->m * sizeof *s->rows);
}

void perp_lemke_close(perp_lemke *s)
{
  struct perp_lemke_kept *kept = s->kept;
  kept->room = s->room;
  kept->B = s->B;
  kept->X = s->X;
  kept->Y = s->Y;
  kept->P = s->P;
  perp_keep_close(&keeper, s->run, kept);
}

/* ---- Scales of rows and columns ----
 *
 *   A <- R A S,  R_i = 1/sqrt(max_j |A_ij|),  S_j = 1/sqrt(max_i |A_ij|),  again and again
 *
 * tends to a matrix whose rows and columns all have largest entry 1; each pass halves the
 * logarithms of the deviations (Ruiz 2001). The symmetric kind uses R = S from the larger of the
 * row's and the column's entry. Scales are powers of two, so that scaling rounds nothing. One pass:
 * the entries of A. Workspace: 2 n doubles. */

enum { PASSES = 12 };

/* Returns the power of two nearest to 1/sqrt(a), in the exponent. */
static double inverse_root(double a)
{
  if (!(a > 0))
    return 1;
  int exponent;
  frexp(a, &exponent);
  return ldexp(1, -exponent / 2);
}

/* Largest |R_i A_ij S_j| of every row and column. */
static void largest_entries(perp_lemke *s, double *rows, double *columns)
{
  const double *S = s->column_scale;
  perp_fill(s->n, 0, columns);
  perp_fill(s->n, 0, rows);
  for (int i = 0; i < s->n && !perp_run_expired_at(s->run, i); i++) {
    const double *value = s->entries ? s->entries + i * s->stride : s->number;
    const int count = s->entries ? s->n : s->A->table->row(s->A, i, s->index, s->number);
    double largest = 0;
    for (int k = 0; k < count; k++) {
      const int j = s->entries ? k : s->index[k];
      const double entry = fabs(s->row_scale[i] * value[k] * S[j]);
      largest = entry > largest ? entry : largest;
      columns[j] = entry > columns[j] ? entry : columns[j];
    }
    rows[i] = largest;
  }
}

/* Returns the largest over the smallest positive number, 1 if there are none. */
static double spread(int n, const double *a, double *greatest)
{
  double least = INFINITY;
  *greatest = 0;
  for (int i = 0; i < n; i++) {
    *greatest = perp_max(*greatest, a[i]);
    if (a[i] > 0)
      least = perp_min(least, a[i]);
  }
  return *greatest > 0 ? *greatest / least : 1;
}

/* Row and column scales of A; two scratch vectors of n. */
static void scale_entries(perp_lemke *s, perp_lemke_scaling scaling, double *rows, double *columns)
{
  const double far = scaling == PERP_LEMKE_SCALE_NONE ? INFINITY : 256, near = 8;
  const int n = s->n;
  perp_fill(n, 1, s->row_scale);
  perp_fill(n, 1, s->column_scale);
  if (!s->entries && !s->A->table->row)
    return;
  double greatest = 0, other;
  for (int pass = 0; pass < PASSES; pass++) {
    largest_entries(s, rows, columns);
    if (perp_run_expired(s->run))
      break;
    if (scaling != PERP_LEMKE_SCALE_BOTH)
      for (int i = 0; i < n; i++)
        rows[i] = columns[i] = perp_max(rows[i], columns[i]);
    const double wide = perp_max(spread(n, rows, &greatest), spread(n, columns, &other));
    if (wide <= (pass == 0 ? far : near))
      break;
    for (int i = 0; i < n; i++) {
      s->row_scale[i] *= inverse_root(rows[i]);
      s->column_scale[i] *= inverse_root(columns[i]);
    }
  }
  /* the whole to about 1 */
  const double unit = inverse_root(greatest);
  perp_multiply(n, unit, s->row_scale);
  perp_multiply(n, unit, s->column_scale);
}

/* ---- Memory ---- */

static void copy_lines(int lines, int width, const double *from, int from_room, double *to,
                       int room)
{
  if (width == 0) /* `from` may be NULL then */
    return;
  for (int i = 0; i < lines; i++)
    perp_copy(width, from + (int64_t)i * from_room, to + (int64_t)i * room);
}

perp_error perp_lemke_charge(perp_lemke *s, size_t doubles)
{
  const size_t limit = s->run->options->memory_limit;
  s->bytes += doubles * sizeof(double);
  if (limit && s->bytes > limit)
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "a basis of %d columns needs %zu bytes, more than memory_limit = %zu",
                         s->m + 1, s->bytes, limit);
  return PERP_OK;
}

perp_error perp_lemke_make_room(perp_lemke *s)
{
  if (s->m < s->room)
    return PERP_OK;
  const int most = s->n + 1;
  const int room = s->room == 0 ? FIRST_ROOM : 2 * s->room;
  const int next = room > most ? most : room;
  const size_t k = (size_t)next, lines = s->panel ? (size_t)s->n : 0;
  perp_error error = perp_lemke_charge(s, k * k + 2 * k * DELAY + lines * k);
  if (error)
    return error;
  double *B, *X, *Y, *P;
  perp_arena *arena = s->kept->keep.kept ? &s->kept->keep.kept->arena : s->run->arena;
  const perp_arena_mark mark = perp_arena_hold(arena);
  if (!PERP_TAKE(arena, PERP_ARRAY(B, k * k), PERP_ARRAY(X, k * DELAY), PERP_ARRAY(Y, k * DELAY),
                 PERP_ARRAY(P, lines * k))) {
    perp_arena_release(arena, mark);
    return perp_run_no_memory(s->run);
  }
  copy_lines(s->m, s->m, s->B, s->room, B, next);
  copy_lines(s->m, DELAY, s->X, DELAY, X, DELAY);
  copy_lines(s->pending, s->m, s->Y, s->room, Y, next);
  copy_lines((int)lines, s->m, s->P, s->room, P, next);
  s->B = B;
  s->X = X;
  s->Y = Y;
  s->P = P;
  s->room = next;
  return PERP_OK;
}

perp_error perp_lemke_create(perp_lemke *s, perp_run *run, perp_lemke_scaling scaling)
{
  static const char makers[PERP_LEMKE_SCALE_BOTH + 1];
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  void *state;
  const perp_error error = perp_keep_open(run, &makers[scaling], &keeper, NULL, &state);
  if (error)
    return error;
  struct perp_lemke_kept *kept = state;
  *s = (perp_lemke){.run = run,
                    .kept = kept,
                    .A = A,
                    .n = A->n,
                    .row_scale = kept->row_scale,
                    .column_scale = kept->column_scale,
                    .room = kept->room,
                    .B = kept->B,
                    .X = kept->X,
                    .Y = kept->Y,
                    .P = kept->P};
  if (perp_operator_dense_array(A, &s->entries, &s->stride))
    s->entries = NULL;
  const bool sparse = A->nonzeros >= 0 && (double)A->nonzeros < (double)n * (double)n / 16;
  s->panel = !sparse || A->n <= FIRST_ROOM || !(A->table->row || A->table->apply_t);

  if (!PERP_TAKE_REALS(run->arena, n + 1, &s->b, &s->cover, &s->value, &s->column, &s->next, &s->v,
                       &s->g, &s->h, &s->u, &s->full, &s->product) ||
      !PERP_TAKE_INTEGERS(run->arena, n + 1, &s->rows, &s->columns, &s->row_at, &s->column_at) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s->index, A->row_capacity),
                 PERP_ARRAY(s->number, A->row_capacity)))
    return perp_run_no_memory(run);
  perp_fill((int64_t)n + 1, 0, s->cover); /* products read it times 0 before z0 enters */
  if (!kept->scaled)
    scale_entries(s, scaling, s->g, s->h);
  kept->scaled = !perp_run_expired(run);
  perp_lemke_clear(s);
  return PERP_OK;
}

void perp_lemke_change(perp_lemke *s)
{
  s->kept->count = 0;
}

void perp_lemke_clear(perp_lemke *s)
{
  s->m = s->pending = 0;
  for (int i = 0; i < s->n; i++)
    s->row_at[i] = s->column_at[i] = -1;
  s->column_at[s->n] = -1;
}

/* ---- Entries and products ---- */

void perp_lemke_fetch(perp_lemke *s, int j, double *column)
{
  const int n = s->n;
  if (j == n) {
    perp_copy(n, s->cover, column);
    return;
  }
  const double scale = s->column_scale[j];
  if (s->entries) {
    const double *a = s->entries + j;
    for (int i = 0; i < n; i++)
      column[i] = s->row_scale[i] * a[i * s->stride] * scale;
  } else if (s->A->table->column) {
    perp_fill(n, 0, column);
    const int count = s->A->table->column(s->A, j, s->index, s->number);
    for (int k = 0; k < count; k++)
      column[s->index[k]] = s->row_scale[s->index[k]] * s->number[k] * scale;
  } else {
    perp_fill(n, 0, s->full);
    s->full[j] = scale;
    perp_run_apply(s->run, s->full, column);
    for (int i = 0; i < n; i++)
      column[i] *= s->row_scale[i];
  }
}

void perp_lemke_fetch_row(perp_lemke *s, int i, double *h)
{
  if (s->panel) {
    perp_copy(s->m, s->P + (int64_t)i * s->room, h);
    return;
  }
  const double scale = s->row_scale[i];
  perp_fill(s->m, 0, h);
  if (s->A->table->row) {
    const int count = s->A->table->row(s->A, i, s->index, s->number);
    for (int k = 0; k < count; k++) {
      const int j = s->index[k];
      if (s->column_at[j] >= 0)
        h[s->column_at[j]] = scale * s->number[k] * s->column_scale[j];
    }
  } else {
    perp_fill(s->n, 0, s->full);
    s->full[i] = scale;
    s->A->table->apply_t(s->A, s->full, s->product, &s->run->work);
    s->run->count.applies++;
    for (int c = 0; c < s->m; c++)
      if (s->columns[c] < s->n)
        h[c] = s->product[s->columns[c]] * s->column_scale[s->columns[c]];
  }
  if (s->column_at[s->n] >= 0)
    h[s->column_at[s->n]] = s->cover[i];
}

double perp_lemke_row_dot(perp_lemke *s, int i, const double *zeta)
{
  if (s->panel)
    return perp_dot(s->m, s->P + (int64_t)i * s->room, zeta);
  perp_lemke_fetch_row(s, i, s->h);
  return perp_dot(s->m, s->h, zeta);
}

static void panel_product(const perp_lemke *s, const double *start, double sign, const double *zeta,
                          bool all, double *out)
{
  const double *row[GROUP];
  double sum[GROUP];
  int place[GROUP], waiting = 0;
  for (int i = 0; i < s->n; i++) {
    if (!all && s->row_at[i] >= 0)
      continue;
    place[waiting] = i;
    row[waiting++] = s->P + (int64_t)i * s->room;
    if (waiting < GROUP)
      continue;
    perp_dot_four(s->m, row[0], row[1], row[2], row[3], zeta, sum);
    for (int k = 0; k < GROUP; k++)
      out[place[k]] = start[place[k]] + sign * sum[k];
    waiting = 0;
  }
  for (int k = 0; k < waiting; k++)
    out[place[k]] = start[place[k]] + sign * perp_dot(s->m, row[k], zeta);
}

void perp_lemke_product(perp_lemke *s, const double *start, double sign, const double *zeta,
                        bool all, double *out)
{
  if (s->panel) {
    panel_product(s, start, sign, zeta, all, out);
    return;
  }
  const int at = s->column_at[s->n];
  const double zeta_0 = at >= 0 ? zeta[at] : 0;
  perp_fill(s->n, 0, s->full);
  for (int c = 0; c < s->m; c++)
    if (s->columns[c] < s->n)
      s->full[s->columns[c]] = s->column_scale[s->columns[c]] * zeta[c];
  perp_run_apply(s->run, s->full, s->product);
  for (int i = 0; i < s->n; i++)
    if (all || s->row_at[i] < 0)
      out[i] = start[i] + sign * (s->row_scale[i] * s->product[i] + s->cover[i] * zeta_0);
}

/* ---- C from its lists ---- */

void perp_lemke_place(perp_lemke *s, int c, const double *column)
{
  if (s->panel)
    for (int i = 0; i < s->n; i++)
      s->P[(int64_t)i * s->room + c] = column[i];
}

perp_error perp_lemke_list(perp_lemke *s, int i, int j)
{
  assert(s->row_at[i] < 0 && s->column_at[j] < 0);
  perp_lemke_change(s);
  const perp_error error = perp_lemke_make_room(s);
  if (error)
    return error;
  if (s->panel) {
    perp_lemke_fetch(s, j, s->next);
    perp_lemke_place(s, s->m, s->next);
  }
  s->rows[s->m] = i;
  s->columns[s->m] = j;
  s->row_at[i] = s->column_at[j] = s->m++;
  return PERP_OK;
}

perp_error perp_lemke_factor(perp_lemke *s, bool *regular)
{
  const int m = s->m;
  const size_t entries = (size_t)m * (size_t)m;
  *regular = false;
  perp_lemke_change(s);
  if (!perp_run_affords(s->run, perp_lemke_flops(m)))
    return PERP_OK;
  if (entries > s->factored) {
    const perp_error error = perp_lemke_charge(s, entries - s->factored);
    if (error)
      return error;
    s->factored = entries;
  }
  const perp_arena_mark mark = perp_arena_hold(s->run->arena);
  double *C = perp_run_reals(s->run, entries);
  int *swap = perp_run_integers(s->run, (size_t)m);
  if (!C || !swap)
    return perp_run_no_memory(s->run);
  if (s->panel)
    for (int p = 0; p < m; p++)
      perp_copy(m, s->P + (int64_t)s->rows[p] * s->room, C + (int64_t)p * m);
  else
    for (int p = 0; p < m && !perp_run_expired(s->run); p++)
      perp_lemke_fetch_row(s, s->rows[p], C + (int64_t)p * m);
  if (perp_run_expired(s->run)) {
    perp_arena_release(s->run->arena, mark);
    return PERP_OK;
  }
  const perp_lu lu = perp_lu_factor(m, C, m, swap);
  s->run->count.factorisations++;
  perp_fill((int64_t)m * DELAY, 0, s->X);
  s->pending = 0;
  *regular = lu.singular < 0 && lu.pivot_min > 1e-14 * lu.pivot_max;
  /* row c of the inverse solves C^T y = e_c */
  for (int c = 0; c < m && *regular; c++) {
    if (c % 64 == 63 && perp_run_expired(s->run))
      *regular = false;
    double *y = s->B + (int64_t)c * s->room;
    perp_fill(m, 0, y);
    y[c] = 1;
    perp_lu_solve_t(&lu, y);
  }
  perp_arena_release(s->run->arena, mark);
  return PERP_OK;
}

/* h <- C^-1 g with g = (start + sign [d A] zeta)_rows. Returns max |g|. */
static double solve_residual(perp_lemke *s, const double *start, double sign, const double *zeta,
                             bool exactly)
{
  double largest = 0;
  if (!s->panel)
    perp_lemke_product(s, start, sign, zeta, true, s->next);
  for (int p = 0; p < s->m; p++) {
    const int i = s->rows[p];
    const double *row = s->P + (int64_t)i * s->room;
    s->g[p] = !s->panel ? s->next[i]
              : exactly ? sign * perp_dot_exact(s->m, row, zeta, sign * start[i])
                        : start[i] + sign * perp_dot(s->m, row, zeta);
    largest = perp_max(largest, fabs(s->g[p]));
  }
  perp_lemke_solve(s, s->g, s->h);
  return largest;
}

double perp_lemke_refine(perp_lemke *s, bool exactly)
{
  const double largest = solve_residual(s, s->b, 1, s->value, exactly);
  for (int c = 0; c < s->m; c++)
    s->value[c] -= s->h[c];
  s->run->count.solves++;
  return largest;
}

/* ---- Entering ---- */

void perp_lemke_enter_z(perp_lemke *s, int j)
{
  perp_lemke_fetch(s, j, s->column);
  for (int p = 0; p < s->m; p++)
    s->g[p] = s->column[s->rows[p]];
  perp_lemke_solve(s, s->g, s->v);
}

/* The column of w_i is -e_i, so v is minus the column of C^-1 at the place of row i. */
void perp_lemke_enter_w(perp_lemke *s, int i)
{
  assert(s->row_at[i] >= 0);
  perp_fill(s->n, 0, s->column);
  s->column[i] = -1;
  perp_lemke_inverse_column(s, s->row_at[i], s->v);
  perp_multiply(s->m, -1, s->v);
}

double perp_lemke_refine_rates(perp_lemke *s, bool exactly)
{
  const double largest = solve_residual(s, s->column, -1, s->v, exactly);
  perp_axpy(s->m, 1, s->h, s->v);
  return largest;
}
