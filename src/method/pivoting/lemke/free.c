/* free.c: a basis to start from if the block of the free variables is singular
 *
 * Free x_j are basic from the start, in rows with w_i = 0, so C must be regular and consist of free
 * rows and columns and, if those are not enough, of pairs (row s, column s) of bounded variables.
 * Elimination with complete pivoting finds the regular part of A_FF. For a free column g that is
 * left over, with S = A - A C^-1 A the Schur complement, there may be a bounded s and a left-over
 * row f with
 *
 *   ( S_fg S_fs )   ( 0    S_fs )
 *   ( S_sg S_ss ) = ( S_sg S_ss )   regular, that is S_fs, S_sg != 0:
 *
 * then (f, g) and (s, s) join C, as for diodes in a circuit. If S_sg = 0 for all s, the column
 * depends on the others: x_g stays 0. The same number of rows depends on the others, and their w_i
 * is always 0, as for redundant equations of a structure. Cost: f^3 for f free variables, and m^3
 * per pair that joins. Workspace: f^2. */
#include "linalg/vector.h"
#include "method/pivoting/lemke/path.h"

static const double ZERO = 1e-9; /* entries of A are of size 1 */

static void exchange_numbers(double *a, double *b)
{
  const double c = *a;
  *a = *b;
  *b = c;
}

static void exchange_indices(int *a, int *b)
{
  const int c = *a;
  *a = *b;
  *b = c;
}

/* a: f x f, overwritten. rows and columns are permuted so that the leading ones, as many as
 * returned, make a regular block. */
static int eliminate(perp_run *run, int f, double *a, int *rows, int *columns)
{
  for (int k = 0; k < f; k++) {
    if (perp_run_expired(run))
      return k;
    int row = k, column = k;
    for (int i = k; i < f; i++)
      for (int j = k; j < f; j++)
        if (fabs(a[(int64_t)i * f + j]) > fabs(a[(int64_t)row * f + column])) {
          row = i;
          column = j;
        }
    if (fabs(a[(int64_t)row * f + column]) <= ZERO)
      return k;
    for (int j = 0; j < f; j++)
      exchange_numbers(&a[(int64_t)row * f + j], &a[(int64_t)k * f + j]);
    for (int i = 0; i < f; i++)
      exchange_numbers(&a[(int64_t)i * f + column], &a[(int64_t)i * f + k]);
    exchange_indices(&rows[row], &rows[k]);
    exchange_indices(&columns[column], &columns[k]);
    const double *pivot = a + (int64_t)k * f;
    for (int i = k + 1; i < f; i++)
      perp_axpy(f - k, -a[(int64_t)i * f + k] / pivot[k], pivot + k, a + (int64_t)i * f + k);
  }
  return f;
}

/* S_.j in all rows that are not in C */
static void schur_column(perp_lemke_path *t, int j, double *out)
{
  perp_lemke_enter_z(&t->basis, j);
  perp_lemke_product(&t->basis, t->basis.column, -1, t->basis.v, false, out);
}

/* The bounded s and the place among the left-over rows that go with column g; -1 if there are
 * none. */
static int find_partner(perp_lemke_path *t, int g, int left, const int *rows, int *place)
{
  perp_lemke *s = &t->basis;
  schur_column(t, g, t->w);
  for (;;) {
    int best = -1;
    for (int i = 0; i < s->n; i++)
      if (s->row_at[i] < 0 && !t->is_free[i] && fabs(t->w[i]) > ZERO &&
          (best < 0 || fabs(t->w[i]) > fabs(t->w[best])))
        best = i;
    if (best < 0 || perp_run_expired(s->run))
      return -1;
    t->w[best] = 0;
    schur_column(t, best, t->w_rate);
    *place = 0;
    for (int k = 0; k < left; k++)
      if (fabs(t->w_rate[rows[k]]) > fabs(t->w_rate[rows[*place]]))
        *place = k;
    if (fabs(t->w_rate[rows[*place]]) > ZERO)
      return best;
  }
}

static perp_error join(perp_lemke *s, int f, int g, int partner, bool *regular)
{
  perp_error error = perp_lemke_list(s, f, g);
  if (!error)
    error = perp_lemke_list(s, partner, partner);
  return error ? error : perp_lemke_factor(s, regular);
}

perp_error perp_lemke_place_free(perp_lemke_path *t, bool *regular)
{
  perp_lemke *s = &t->basis;
  int f = 0;
  for (int i = 0; i < s->n; i++)
    f += t->is_free[i];
  perp_error error = perp_lemke_charge(s, (size_t)f * (size_t)f);
  if (error)
    return error;
  double *a = perp_run_reals(s->run, (size_t)f * (size_t)f);
  int *rows, *columns;
  if (!a || !PERP_TAKE_INTEGERS(s->run->arena, (size_t)f, &rows, &columns))
    return perp_run_no_memory(s->run);
  for (int i = 0, k = 0; i < s->n; i++)
    if (t->is_free[i])
      rows[k] = columns[k] = i, k++;
  for (int l = 0; l < f && !perp_run_expired(s->run); l++) {
    perp_lemke_fetch(s, columns[l], s->next);
    for (int k = 0; k < f; k++)
      a[(int64_t)k * f + l] = s->next[rows[k]];
  }
  const int rank = eliminate(s->run, f, a, rows, columns);
  perp_lemke_clear(s);
  for (int k = 0; k < rank && !error; k++)
    error = perp_lemke_list(s, rows[k], columns[k]);
  *regular = !perp_run_expired(s->run);
  if (!error && *regular && rank > 0)
    error = perp_lemke_factor(s, regular);

  int left = f - rank;
  for (int k = rank; k < f && !error && *regular; k++) {
    int place;
    const int partner = find_partner(t, columns[k], left, rows + rank, &place);
    if (partner < 0)
      continue;
    error = join(s, rows[rank + place], columns[k], partner, regular);
    rows[rank + place] = rows[rank + --left];
  }
  *regular = *regular && !perp_run_expired(s->run);
  return error;
}
