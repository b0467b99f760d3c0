/* basis_exchange.c: the inverse of Lemke's basis, which follows the exchanges
 *
 * Every exchange of basic variables changes C by a row, a column, or both, and C^-1 by a matrix
 * of rank one (bordering and the formula of Sherman and Morrison 1950), with v = C^-1 column,
 * u = row C^-1, and e_p, e_c unit vectors:
 *
 *   z_j for w_i   C gains row i and column j:   C^-1 <- (C^-1 0; 0 0) + (v; -1) (u, -1) / sigma,
 *                                               sigma = A_ij - row v
 *   z_j for z     column c becomes that of j:   C^-1 <- C^-1 + (e_c - v) (C^-1)_(c,.) / v_c
 *   w_i for w_k   row p becomes that of k:      C^-1 <- C^-1 - (C^-1)_(.,p) (u - e_p) / u_p
 *   w_i for z     row p and column c go:        C^-1 <- C^-1
 *                                                       - (C^-1)_(.,p) (C^-1)_(c,.) / (C^-1)_cp
 *
 * The rank-one terms are kept separately, C^-1 = B - X Y, and are added to B DELAY at a time in one
 * product of matrices. The products of B with the next column from the right and the new row from
 * the left are needed at the same time and share one pass over B: an exchange reads m^2 numbers,
 * and the rates of the other rows n m. */
#include "linalg/dense.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/lemke/basis.h"

enum { GROUP = 4, DELAY = PERP_LEMKE_DELAY };

/* ---- Kernels ---- */

/* t_k <- a_k g for four rows, and u <- u + sum_k h_k a_k */
static void two_products_group(int m, const double *a0, int64_t ld, const double *g,
                               const double h[GROUP], double t[GROUP], double *u)
{
  const double *const a[GROUP] = {a0, a0 + ld, a0 + 2 * ld, a0 + 3 * ld};
  perp_two p[GROUP] = {{0}};
  double s[GROUP] = {0};
  int j = 0;
  for (; j + 2 <= m; j += 2) {
    perp_two r[GROUP];
    for (int k = 0; k < GROUP; k++) {
      r[k] = perp_two_at(a[k] + j);
      p[k] += r[k] * perp_two_at(g + j);
    }
    *(perp_two *)(u + j) += (h[0] * r[0] + h[1] * r[1]) + (h[2] * r[2] + h[3] * r[3]);
  }
  for (; j < m; j++) {
    for (int k = 0; k < GROUP; k++)
      s[k] += a[k][j] * g[j];
    u[j] += (h[0] * a[0][j] + h[1] * a[1][j]) + (h[2] * a[2][j] + h[3] * a[3][j]);
  }
  for (int k = 0; k < GROUP; k++)
    t[k] = s[k] + (p[k][0] + p[k][1]);
}

/* t <- B g and u <- B^T h in one pass. */
static void two_products(int m, const double *B, int64_t ld, const double *g, const double *h,
                         double *t, double *u)
{
  perp_fill(m, 0, u);
  int i = 0;
  for (; i + GROUP <= m; i += GROUP)
    two_products_group(m, B + i * ld, ld, g, h + i, t + i, u);
  for (; i < m; i++) {
    t[i] = perp_dot(m, B + i * ld, g);
    perp_axpy(m, h[i], B + i * ld, u);
  }
}

/* ---- The pending part ---- */

/* Columns of X that are not pending are zero, so that loops over them have a fixed length. */
static inline double dot_delay(const double *x, const double *y)
{
  perp_two p = {0}, q = {0};
  for (int k = 0; k < DELAY; k += 4) {
    p += perp_two_at(x + k) * perp_two_at(y + k);
    q += perp_two_at(x + k + 2) * perp_two_at(y + k + 2);
  }
  p += q;
  return p[0] + p[1];
}

/* t <- t - X (Y g) */
static void subtract_pending(const perp_lemke *s, const double *g, double *t)
{
  double yg[DELAY] = {0};
  for (int k = 0; k < s->pending; k++)
    yg[k] = perp_dot(s->m, s->Y + (int64_t)k * s->room, g);
  for (int i = 0; i < s->m; i++)
    t[i] -= dot_delay(s->X + (int64_t)i * DELAY, yg);
}

/* u <- u - Y^T (X^T h) */
static void subtract_pending_t(const perp_lemke *s, const double *h, double *u)
{
  double xh[DELAY] = {0};
  for (int i = 0; i < s->m; i++)
    for (int k = 0; k < DELAY; k++)
      xh[k] += h[i] * s->X[(int64_t)i * DELAY + k];
  for (int k = 0; k < s->pending; k++)
    perp_axpy(s->m, -xh[k], s->Y + (int64_t)k * s->room, u);
}

/* B <- B - X Y */
static void settle(perp_lemke *s)
{
  perp_dense_subtract_product(s->m, s->m, s->pending, s->X, DELAY, s->Y, s->room, s->B, s->room);
  perp_fill((int64_t)s->m * DELAY, 0, s->X);
  s->pending = 0;
}

/* out <- row c of C^-1 */
static void inverse_row(const perp_lemke *s, int c, double *out)
{
  perp_copy(s->m, s->B + (int64_t)c * s->room, out);
  for (int k = 0; k < s->pending; k++)
    perp_axpy(s->m, -s->X[(int64_t)c * DELAY + k], s->Y + (int64_t)k * s->room, out);
}

void perp_lemke_inverse_column(const perp_lemke *s, int p, double *out)
{
  double y[DELAY] = {0};
  for (int k = 0; k < s->pending; k++)
    y[k] = s->Y[(int64_t)k * s->room + p];
  for (int i = 0; i < s->m; i++)
    out[i] = s->B[(int64_t)i * s->room + p] - dot_delay(s->X + (int64_t)i * DELAY, y);
}

void perp_lemke_solve(perp_lemke *s, const double *g, double *v)
{
  perp_dense_apply(s->m, s->m, s->B, s->room, g, v);
  subtract_pending(s, g, v);
}

/* ---- Exchanges ---- */

/* Makes a free place in X and Y for an exchange and returns it. */
static int pending_place(perp_lemke *s)
{
  perp_lemke_change(s);
  if (s->pending == DELAY)
    settle(s);
  return s->pending;
}

/* Prepares the entry of z_i after w_i leaves: next <- its column, g <- its part in the rows of C,
 * h <- row i of [d A] in the columns of C. */
static void prepare(perp_lemke *s, int i)
{
  perp_lemke_fetch(s, i, s->next);
  perp_lemke_fetch_row(s, i, s->h);
  for (int p = 0; p < s->m; p++)
    s->g[p] = s->next[s->rows[p]];
}

perp_error perp_lemke_z_for_w(perp_lemke *s, int j, int i)
{
  const perp_error error = perp_lemke_make_room(s);
  if (error)
    return error;
  const int k = pending_place(s), m = s->m;
  double *t = s->product, *h = s->h;
  prepare(s, i);
  two_products(m, s->B, s->room, s->g, h, t, s->u);
  subtract_pending_t(s, h, s->u);
  const double sigma = s->column[i] - perp_dot(m, h, s->v);

  double *B = s->B, *Y = s->Y + (int64_t)k * s->room;
  perp_fill(m + 1, 0, B + (int64_t)m * s->room);
  for (int c = 0; c < m; c++)
    B[(int64_t)c * s->room + m] = 0;
  perp_fill(DELAY, 0, s->X + (int64_t)m * DELAY);
  for (int l = 0; l < k; l++)
    s->Y[(int64_t)l * s->room + m] = 0;
  for (int c = 0; c < m; c++)
    s->X[(int64_t)c * DELAY + k] = -s->v[c] / sigma;
  s->X[(int64_t)m * DELAY + k] = 1 / sigma;
  perp_copy(m, s->u, Y);
  Y[m] = -1;

  perp_lemke_place(s, m, s->column);
  s->rows[m] = i;
  s->columns[m] = j;
  s->row_at[i] = s->column_at[j] = m;
  s->g[m] = s->next[i];
  t[m] = 0;
  s->m++;
  s->pending++;
  perp_copy(s->m, t, s->v);
  subtract_pending(s, s->g, s->v);
  perp_exchange_vectors(&s->column, &s->next);
  return PERP_OK;
}

void perp_lemke_z_for_z(perp_lemke *s, int j, int place)
{
  const int k = pending_place(s), leaving = s->columns[place];
  const double pivot = s->v[place];
  inverse_row(s, place, s->Y + (int64_t)k * s->room);
  for (int c = 0; c < s->m; c++)
    s->X[(int64_t)c * DELAY + k] = s->v[c] / pivot;
  s->X[(int64_t)place * DELAY + k] = (pivot - 1) / pivot;
  s->pending++;
  perp_lemke_place(s, place, s->column);
  s->columns[place] = j;
  s->column_at[leaving] = -1;
  s->column_at[j] = place;
  if (leaving < s->n)
    perp_lemke_enter_w(s, leaving);
}

void perp_lemke_w_for_w(perp_lemke *s, int entering, int leaving)
{
  const int k = pending_place(s), m = s->m, p = s->row_at[entering];
  double *t = s->product, *h = s->h, *Y = s->Y + (int64_t)k * s->room;
  prepare(s, leaving);
  s->g[p] = s->next[leaving];
  two_products(m, s->B, s->room, s->g, h, t, s->u);
  subtract_pending_t(s, h, s->u);
  /* column p of C^-1 is -v */
  for (int c = 0; c < m; c++)
    s->X[(int64_t)c * DELAY + k] = -s->v[c] / s->u[p];
  perp_copy(m, s->u, Y);
  Y[p] -= 1;
  s->pending++;
  s->rows[p] = leaving;
  s->row_at[entering] = -1;
  s->row_at[leaving] = p;
  perp_copy(m, t, s->v);
  subtract_pending(s, s->g, s->v);
  perp_exchange_vectors(&s->column, &s->next);
}

/* Removes row p and column c of C; the last ones take their places. */
static void drop(perp_lemke *s, int p, int c)
{
  const int last = s->m - 1, room = s->room;
  if (c != last)
    perp_copy(s->m, s->B + (int64_t)last * room, s->B + (int64_t)c * room);
  for (int i = 0; i < s->m; i++)
    s->B[(int64_t)i * room + p] = s->B[(int64_t)i * room + last];
  for (int k = 0; k < DELAY; k++)
    s->X[(int64_t)c * DELAY + k] = s->X[(int64_t)last * DELAY + k];
  for (int k = 0; k < s->pending; k++)
    s->Y[(int64_t)k * room + p] = s->Y[(int64_t)k * room + last];
  if (s->panel)
    for (int i = 0; i < s->n; i++)
      s->P[(int64_t)i * room + c] = s->P[(int64_t)i * room + last];
  s->row_at[s->rows[p]] = -1;
  s->column_at[s->columns[c]] = -1;
  if (p != last) {
    s->rows[p] = s->rows[last];
    s->row_at[s->rows[p]] = p;
  }
  if (c != last) {
    s->columns[c] = s->columns[last];
    s->column_at[s->columns[c]] = c;
    s->value[c] = s->value[last];
  }
  s->m = last;
}

void perp_lemke_w_for_z(perp_lemke *s, int i, int place)
{
  const int k = pending_place(s), leaving = s->columns[place];
  const double pivot = s->v[place];
  inverse_row(s, place, s->Y + (int64_t)k * s->room);
  for (int c = 0; c < s->m; c++)
    s->X[(int64_t)c * DELAY + k] = s->v[c] / pivot;
  s->pending++;
  drop(s, s->row_at[i], place);
  if (leaving < s->n)
    perp_lemke_enter_w(s, leaving);
}
