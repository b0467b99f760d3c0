/* scale.c: scales of rows and columns for Lemke's method
 *
 *   A <- R A S,  R_i = 1/sqrt(max_j |A_ij|),  S_j = 1/sqrt(max_i |A_ij|),  again and again
 *
 * tends to a matrix whose rows and columns all have largest entry 1, halving the logarithms of
 * what is missing in each pass (Ruiz 2001). The symmetric kind takes R = S from the larger of the
 * row's and the column's. Scales are powers of two, so that scaling rounds nothing.
 * One pass: the entries of A. Workspace: 2 n doubles. */
#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/lemke/basis.h"

enum { PASSES = 12 };

/* The power of two nearest to 1/sqrt(a), in the exponent. */
static double inverse_root(double a)
{
  if (!(a > 0))
    return 1;
  int exponent;
  frexp(a, &exponent);
  return ldexp(1, -exponent / 2);
}

static int row_of(perp_lemke *s, int i, const double **value)
{
  *value = s->number;
  return s->A->table->row(s->A, i, s->index, s->number);
}

/* The larger of each two; NaN in neither. */
static inline perp_two larger(perp_two a, perp_two b)
{
  const perp_two_bits above = (perp_two_bits)(a > b);
  return (perp_two)((above & (perp_two_bits)a) | (~above & (perp_two_bits)b));
}

/* The largest |R a_j S_j|, which also go into `columns`. */
static double largest_of_row(int n, double R, const double *restrict a, const double *restrict S,
                             double *restrict columns)
{
  const perp_two_bits magnitude = {~0ull >> 1, ~0ull >> 1};
  enum { CHAINS = 4 }; /* side by side: independent chains */
  perp_two most[CHAINS] = {{0}};
  int j = 0;
  for (; j + 2 * CHAINS <= n; j += 2 * CHAINS)
    for (int k = 0; k < CHAINS; k++) {
      const int at = j + 2 * k;
      const perp_two scaled = R * perp_two_at(a + at) * perp_two_at(S + at);
      const perp_two entry = (perp_two)((perp_two_bits)scaled & magnitude);
      most[k] = larger(entry, most[k]);
      *(perp_two *)(columns + at) = larger(entry, perp_two_at(columns + at));
    }
  const perp_two all = larger(larger(most[0], most[1]), larger(most[2], most[3]));
  double largest = all[0] > all[1] ? all[0] : all[1];
  for (; j < n; j++) {
    const double entry = fabs(R * a[j] * S[j]);
    largest = entry > largest ? entry : largest;
    columns[j] = entry > columns[j] ? entry : columns[j];
  }
  return largest;
}

/* Largest |R_i A_ij S_j| of every row and column. */
static void largest_entries(perp_lemke *s, double *rows, double *columns)
{
  const double *S = s->column_scale;
  perp_fill(s->n, 0, columns);
  for (int i = 0; i < s->n; i++) {
    double largest = 0;
    if (perp_run_expired_at(s->run, i)) {
      perp_fill(s->n - i, 0, rows + i);
      return;
    }
    if (s->entries) {
      largest = largest_of_row(s->n, s->row_scale[i], s->entries + i * s->stride, S, columns);
    } else {
      const double *value;
      const int count = row_of(s, i, &value);
      for (int k = 0; k < count; k++) {
        const int j = s->index[k];
        const double entry = fabs(s->row_scale[i] * value[k] * S[j]);
        largest = entry > largest ? entry : largest;
        columns[j] = entry > columns[j] ? entry : columns[j];
      }
    }
    rows[i] = largest;
  }
}

/* greatest / least of the positive numbers, 1 if there are none */
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

void perp_lemke_scale(perp_lemke *s, perp_lemke_scaling scaling, double *rows, double *columns)
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
