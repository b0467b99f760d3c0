/* path.c: complementary pivoting with a lexicographic ratio test
 *
 * With the entering variable growing by theta the basic ones become x_B - theta v. The first that
 * reaches zero leaves, and its complement enters. If several reach zero together, the one whose row
 * of
 *
 *   (x_B, d x_B / d b_0, d x_B / d b_1, ...) / v
 *
 * is least in lexicographic order leaves: this is the choice for b + (eps, eps^2, ...) with any
 * small eps > 0, so that no basis repeats (Eaves 1971; Cottle, Pang, Stone 1992, 4.9). z0 leaves
 * whenever it is among them.
 *
 * In floating point, "together" means within a tolerance, and among ties, variables with a far
 * smaller v are left out (Harris 1973), so the order is lexicographic only up to rounding. If a
 * basis still comes back, this is detected: the hash of the basis is compared with that at the
 * latest power of two of pivots (Brent 1980), and the caller perturbs b.
 *
 * One pivot: O(n m + m^2), see basis_exchange.c. */
#include "method/pivoting/lemke/path.h"

#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/vector.h"

enum { CHECK_EVERY = 32, CLOCK_EVERY = 16, SMALL_PROBLEM = 200 };

static const double NO_PIVOT = 1e-11; /* a rate relative to the largest that counts as zero */
static const double WEAK = 1e-5;      /* a rate below this is used only after refinement */
static const double SHARP = 1e-14;    /* a residual below this needs no refinement */
static const double TIE = 1e-11;      /* slack of basic variables, b being of size 1 */
static const double SMALL = 1e-3;     /* relative to the largest of the rates that tie */
static const double NEGATIVE = 1e-6;  /* a basic variable below minus this is not rounding */

void perp_lemke_recompute(perp_lemke_path *t)
{
  perp_lemke_product(&t->basis, t->basis.b, 1, t->basis.value, false, t->w);
}

void perp_lemke_point(const perp_lemke_path *t, double *x)
{
  const perp_lemke *s = &t->basis;
  perp_fill(s->n, 0, x);
  for (int c = 0; c < s->m; c++) {
    const int j = s->columns[c];
    if (j < s->n)
      x[j] = s->column_scale[j] * t->unit * (t->is_free[j] || s->value[c] > 0 ? s->value[c] : 0);
  }
}

/* ---- Ratio test ---- */

typedef struct exit_t {
  bool found, is_row;
  int at; /* w_at, or the place in C */
  double step;
  bool weak;
} exit_t;

static bool is_bounded(const perp_lemke_path *t, int place)
{
  const int j = t->basis.columns[place];
  return j == t->basis.n || !t->is_free[j];
}

static double positive(double a)
{
  return a > 0 ? a : 0;
}

/* Lists the variables that reach zero within the largest step that keeps all basic variables above
 * -TIE. */
static int collect(perp_lemke_path *t, double largest)
{
  const perp_lemke *s = &t->basis;
  const double least = NO_PIVOT * largest;
  double slack = INFINITY;
  int count = 0;
  for (int i = 0; i < s->n; i++) /* if w_i is not basic, its rate is 0 */
    if (-t->w_rate[i] > least)
      slack = perp_min(slack, (positive(t->w[i]) + TIE) / -t->w_rate[i]);
  for (int c = 0; c < s->m; c++)
    if (s->v[c] > least && is_bounded(t, c)) {
      const double ratio = (positive(s->value[c]) + TIE) / s->v[c];
      slack = ratio < slack ? ratio : slack;
    }
  for (int i = 0; i < s->n; i++)
    if ((-t->w_rate[i] > least) & (positive(t->w[i]) <= -slack * t->w_rate[i])) {
      t->candidate[count] = i;
      t->blocking[count++] = -t->w_rate[i];
    }
  for (int c = 0; c < s->m; c++)
    if ((s->v[c] > least) & (positive(s->value[c]) <= slack * s->v[c]) && is_bounded(t, c)) {
      t->candidate[count] = ~c;
      t->blocking[count++] = s->v[c];
    }
  return count;
}

/* Keeps the candidates k with key[k] <= limit. Returns their number. */
static int retain(perp_lemke_path *t, int count, const double *key, double limit)
{
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (key[k] <= limit) {
      t->candidate[kept] = t->candidate[k];
      t->blocking[kept++] = t->blocking[k];
    }
  return kept;
}

/* One column j of d x_B / d b. If w_j is basic, it is a unit vector, otherwise -C^-1 in the places
 * of C and -[d A] C^-1 in the rows. */
static int compare_column(perp_lemke_path *t, int count, int j, double *key)
{
  perp_lemke *s = &t->basis;
  if (s->row_at[j] < 0) {
    for (int k = 0; k < count; k++)
      key[k] = t->candidate[k] == j ? 1 : 0;
    return retain(t, count, key, 0);
  }
  double *derivative = s->g, least = INFINITY, largest = 0;
  perp_lemke_inverse_column(s, s->row_at[j], derivative);
  for (int k = 0; k < count; k++) {
    const int at = t->candidate[k];
    key[k] = -(at < 0 ? derivative[~at] : perp_lemke_row_dot(s, at, derivative)) / t->blocking[k];
    least = perp_min(least, key[k]);
    largest = perp_max(largest, fabs(key[k]));
  }
  return retain(t, count, key, least + 1e-9 * largest);
}

static exit_t ratio_test(perp_lemke_path *t)
{
  perp_lemke *s = &t->basis;
  const double largest = perp_max(perp_norm_inf(s->m, s->v), perp_norm_inf(s->n, t->w_rate));
  int count = isfinite(largest) ? collect(t, largest) : 0, chosen = 0;
  if (count == 0)
    return (exit_t){.found = false};
  const int cover = ~s->column_at[s->n];
  double most = 0;
  while (chosen < count && t->candidate[chosen] != cover)
    most = perp_max(most, t->blocking[chosen++]);
  if (chosen == count) {
    double *key = s->next;
    perp_negate(count, t->blocking, key);
    count = retain(t, count, key, -SMALL * most);
    for (int j = 0; j < s->n && count > 1; j++)
      count = compare_column(t, count, j, key);
    chosen = 0;
  }
  const int at = t->candidate[chosen];
  const double value = positive(at < 0 ? s->value[~at] : t->w[at]);
  return (exit_t){.found = true,
                  .is_row = at >= 0,
                  .at = at < 0 ? ~at : at,
                  .step = value / t->blocking[chosen],
                  .weak = t->blocking[chosen] < WEAK * largest};
}

/* ---- Accuracy ---- */

static void enter_again(perp_lemke_path *t)
{
  if (t->entering_w)
    perp_lemke_enter_w(&t->basis, t->entering);
  else
    perp_lemke_enter_z(&t->basis, t->entering);
}

static bool is_negative(const perp_lemke_path *t)
{
  const perp_lemke *s = &t->basis;
  const double least = -NEGATIVE * (1 + perp_norm_inf(s->m, s->value));
  for (int i = 0; i < s->n; i++)
    if (s->row_at[i] < 0 && !t->is_free[i] && t->w[i] < least)
      return true;
  for (int c = 0; c < s->m; c++)
    if (s->value[c] < least && is_bounded(t, c))
      return true;
  return false;
}

/* Corrects values and rates by their residuals, computed in twice the precision, while needed.
 * Returns false if the inverse is too inaccurate for that. */
static bool sharpen(perp_lemke_path *t)
{
  perp_lemke *s = &t->basis;
  double off = INFINITY, rates_off = INFINITY;
  for (int k = 0; k < 4 && !(off <= SHARP * (1 + perp_norm_inf(s->m, s->value))); k++)
    off = perp_lemke_refine(s, true);
  for (int k = 0; k < 4 && !(rates_off <= SHARP * (1 + perp_norm_inf(s->m, s->v))); k++)
    rates_off = perp_lemke_refine_rates(s, true);
  perp_lemke_recompute(t);
  return off <= 100 * SHARP * (1 + perp_norm_inf(s->m, s->value)) &&
         rates_off <= 100 * SHARP * (1 + perp_norm_inf(s->m, s->v));
}

/* Computes the inverse by a factorisation, and values and rates from it. */
static perp_error renew(perp_lemke_path *t, perp_lemke_ending *ending)
{
  bool regular;
  const perp_error error = perp_lemke_factor(&t->basis, &regular);
  if (error)
    return error;
  t->fresh = true;
  if (!regular) {
    *ending = PERP_LEMKE_SINGULAR;
    return PERP_OK;
  }
  enter_again(t);
  sharpen(t);
  if (is_negative(t))
    *ending = PERP_LEMKE_LOST;
  return PERP_OK;
}

/* Call before using a rate that may be only rounding. */
static perp_error make_sure(perp_lemke_path *t, perp_lemke_ending *ending)
{
  if (!sharpen(t))
    return renew(t, ending);
  t->fresh = true;
  if (is_negative(t))
    *ending = PERP_LEMKE_LOST;
  return PERP_OK;
}

/* From time to time corrects values and rates by their residuals, and recomputes everything if
 * these are large. */
static perp_error control(perp_lemke_path *t, perp_lemke_ending *ending)
{
  perp_lemke *s = &t->basis;
  if (t->steps % CHECK_EVERY)
    return PERP_OK;
  const double off = perp_lemke_refine(s, false), rates_off = perp_lemke_refine_rates(s, false);
  if (!(off <= 1e-8 * (1 + perp_norm_inf(s->m, s->value)) &&
        rates_off <= 1e-8 * (1 + perp_norm_inf(s->m, s->v))))
    return renew(t, ending);
  perp_lemke_recompute(t);
  if (is_negative(t))
    *ending = PERP_LEMKE_LOST;
  return PERP_OK;
}

/* ---- Pivots ---- */

/* Returns true if the basis repeats. Variables are numbered z_j, z0 as j = n, w_i as n + 1 + i. */
static bool comes_back(perp_lemke_path *t, int entered, int left)
{
  t->hash ^= perp_place_key(entered, 0) ^ perp_place_key(left, 0);
  t->steps++;
  return perp_cycle_repeats(&t->cycle, t->hash);
}

static perp_error exchange(perp_lemke_path *t, exit_t out, perp_lemke_ending *ending)
{
  perp_lemke *s = &t->basis;
  const int n = s->n, j = t->entering;
  perp_axpy(s->m, -out.step, s->v, s->value);
  perp_axpy(n, out.step, t->w_rate, t->w);
  if (out.is_row)
    t->w_rate[out.at] = t->w[out.at] = 0;

  const int left = out.is_row ? out.at : s->columns[out.at];
  const bool again = comes_back(t, t->entering_w ? n + 1 + j : j, out.is_row ? n + 1 + left : left);
  perp_error error = PERP_OK;
  if (t->entering_w) {
    t->w[j] = out.step;
    if (out.is_row)
      perp_lemke_w_for_w(s, j, left);
    else
      perp_lemke_w_for_z(s, j, out.at);
  } else {
    if (out.is_row)
      error = perp_lemke_z_for_w(s, j, left);
    else
      perp_lemke_z_for_z(s, j, out.at);
    if (!error)
      s->value[s->column_at[j]] = out.step;
  }
  t->entering = left;
  t->entering_w = !out.is_row;
  t->fresh = false;
  s->run->count.pivots++;
  *ending = left == n && !out.is_row ? PERP_LEMKE_BASIS
            : again                  ? PERP_LEMKE_CYCLE
                                     : PERP_LEMKE_GOING;
  return error;
}

/* The iterate, in the problem's units: y = w - d z0. */
static void iterate(const perp_lemke_path *t, double *x, double *y)
{
  const perp_lemke *s = &t->basis;
  const int at = s->column_at[s->n];
  perp_lemke_point(t, x);
  for (int i = 0; i < s->n; i++)
    y[i] = ((s->row_at[i] < 0 ? t->w[i] : 0) - s->cover[i] * (at < 0 ? 0 : s->value[at])) *
           t->unit / s->row_scale[i];
}

/* Counts one iteration after a pivot. An observer sees all of them, with the best point so far,
 * since z0 may rise for a while. Without one the driver is called only from time to time, for the
 * clock: its check of every iterate would cost more than a pivot. */
static bool goes_on(perp_lemke_path *t)
{
  perp_lemke *s = &t->basis;
  perp_run *run = s->run;
  if (run->options->observer) {
    iterate(t, s->full, s->product);
    const double residual = perp_problem_residual(run->problem, s->full, s->product);
    if (residual < t->shown || t->shown == INFINITY) {
      t->shown = residual;
      perp_copy(s->n, s->full, t->x);
      perp_copy(s->n, s->product, t->y);
    }
    return run->options->check_every < 0
               ? perp_run_next_iterate(run, perp_iterate_shown(t->x, t->shown))
               : perp_run_next(run, t->x, t->y);
  }
  if (++run->count.iterations >= t->limit) {
    perp_run_claim(run, PERP_ITERATION_LIMIT);
    return false;
  }
  return (s->n < SMALL_PROBLEM && run->count.pivots % CLOCK_EVERY) || !perp_run_expired(run);
}

perp_error perp_lemke_follow(perp_lemke_path *t, perp_lemke_ending *ending)
{
  t->hash = 0;
  t->steps = 0;
  perp_cycle_forget(&t->cycle, t->hash);
  perp_error error = PERP_OK;
  perp_fill(t->basis.n, 0, t->w_rate);
  *ending = PERP_LEMKE_GOING;
  while (!error && *ending == PERP_LEMKE_GOING) {
    perp_lemke *s = &t->basis;
    perp_lemke_product(s, s->column, -1, s->v, false, t->w_rate);
    for (int k = 0; k < t->fixed_count; k++)
      t->w_rate[t->fixed[k]] = 0;
    const exit_t out = ratio_test(t);
    if ((!out.found || out.weak) && !t->fresh) {
      error = make_sure(t, ending);
      continue;
    }
    if (!out.found) {
      *ending = PERP_LEMKE_RAY;
      break;
    }
    error = exchange(t, out, ending);
    if (!error && *ending == PERP_LEMKE_GOING)
      error = control(t, ending);
    if (!error && !goes_on(t) && *ending != PERP_LEMKE_BASIS)
      *ending = PERP_LEMKE_STOPPED;
  }
  return error;
}

/* ---- A basis to start from if the block of the free variables is singular ----
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

static const double ZERO = 1e-9; /* entries of A are of size 1 */

/* S_.j in all rows that are not in C */
static void schur_column(perp_lemke_path *t, int j, double *out)
{
  perp_lemke_enter_z(&t->basis, j);
  perp_lemke_product(&t->basis, t->basis.column, -1, t->basis.v, false, out);
}

/* Finds the bounded s and the place among the left-over rows that go with column g; -1 if there are
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
  const perp_alarm alarm = perp_run_alarm(s->run);
  const int rank = perp_complete_lu_factor(f, a, f, ZERO, rows, columns, alarm).rank;
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
