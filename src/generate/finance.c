/* finance.c: one time step of an American put on one asset, and on two */
#include "base/elementary.h"
#include "generate/generate.h"

#include <limits.h>
#include <math.h>

/* ---- One asset ----
 *
 * The value V(S, t) of a put with strike K obeys V >= g = max(K - S, 0), V_s >= L V with equality
 * where V > g; s is the time left and L V = 1/2 vol^2 S^2 V'' + rate S V' - rate V (Black and
 * Scholes 1973). On S_i = i h, i = 1 .. n, h = most K / (n + 1), V_0 = K and V_(n+1) = 0,
 *
 *   (L V)_i = l_i V_(i-1) - (l_i + u_i + rate) V_i + u_i V_(i+1)
 *   l_i, u_i = 1/2 vol^2 i^2 -+ 1/2 rate i, or 1/2 vol^2 i^2 and + rate i where that makes l_i < 0
 *
 * and a step of length dt with theta (1: implicit Euler, 1/2: Crank and Nicolson 1947) is the LCP
 * of x = V - g (Wilmott, Dewynne and Howison 1993):
 *
 *   A = I - theta dt L,   b = (I - theta dt L) g - (I + (1 - theta) dt L) V_before
 *
 * A is tridiagonal, not symmetric, without positive entries off the diagonal and with row sums of
 * at least 1: a nonsingular M-matrix, so there is exactly one solution. V_before comes from the
 * earlier steps, each solved exactly, as is the requested step: its x is stored.
 *
 * The exact solve: eliminate upwards from the greatest price, then substitute from the least price
 * on with x_i = max(0, .), one pass each (Brennan and Schwartz 1977). This is correct if the put is
 * exercised below one price and held above it (Jaillet, Lamberton and Lapeyre 1990), which a long
 * Crank-Nicolson step may violate. So the result is checked; if it fails, the solution is
 * approached from below: let A x0 = -b, then A (x - x0) >= 0, so x >= x0 and x > 0 on F = {x0 > 0}.
 * Solve A_FF x_F = -b_F; rows outside with y < 0 belong to F too, since x grows with F
 * (Chandrasekaran 1970); repeat until there are none.
 *
 * Cost: O(n) per step; from below O(n) per row that F grows by at worst. Memory: O(n). The entries
 * of A grow like vol^2 n^2 dt, and rounding in A x + b with them: x is stored if it passes a check
 * at 1e-10. */

typedef struct put_parameters {
  int n, steps, step;
  double strike, volatility, rate, maturity, most, theta;
  perp_grid_options options;
} put_parameters;

static const perp_parameter put_table[] = {
    PERP_INTEGER(put_parameters, n, 999, 1, 100000000, "prices between 0 and most * strike"),
    PERP_REAL(put_parameters, strike, 100, 1e-9, 1e9, "price at which one may sell"),
    PERP_REAL(put_parameters, volatility, 0.3, 1e-3, 10, "of the asset, per root of a year"),
    PERP_REAL(put_parameters, rate, 0.05, 0, 10, "of interest, per year"),
    PERP_REAL(put_parameters, maturity, 1, 1e-6, 1000, "years"),
    PERP_INTEGER(put_parameters, steps, 50, 1, 1000000, "time steps"),
    PERP_INTEGER(put_parameters, step, 0, 0, 1000000,
                 "the step whose problem is made, 1 next to maturity; 0: the last one"),
    PERP_REAL(put_parameters, theta, 1, 0.5, 1, "1: implicit Euler, 0.5: Crank-Nicolson"),
    PERP_REAL(put_parameters, most, 4, 1.5, 1000, "greatest price over strike"),
    PERP_GRID_PLANT_ROWS(put_parameters),
    {0}};

/* Arrays have n + 2 entries; the two end entries belong to S = 0 and S = most K. */
typedef struct put {
  const put_parameters *par;
  int n;
  double dt;
  double *g, *V, *l, *u; /* payoff, value, coefficients of L */
  double *b, *x, *rest;  /* rest, pivot: for the elimination */
  double *pivot;
  bool *active;
} put;

static double put_apply_L(const put *p, const double *v, int i)
{
  return p->l[i] * v[i - 1] - (p->l[i] + p->u[i] + p->par->rate) * v[i] + p->u[i] * v[i + 1];
}

/* A_ii; A_(i,i-1) = -theta dt l_i, A_(i,i+1) = -theta dt u_i */
static double diagonal(const put *p, int i)
{
  return 1 + p->par->theta * p->dt * (p->l[i] + p->u[i] + p->par->rate);
}

static void set_coefficients(put *p)
{
  const put_parameters *par = p->par;
  const double h = par->most * par->strike / (p->n + 1);
  for (int i = 0; i <= p->n + 1; i++) {
    const double spread = 0.5 * par->volatility * par->volatility * i * i, drift = par->rate * i;
    const bool central = spread >= 0.5 * drift;
    p->l[i] = central ? spread - 0.5 * drift : spread;
    p->u[i] = central ? spread + 0.5 * drift : spread + drift;
    p->V[i] = p->g[i] = perp_max(par->strike - i * h, 0);
  }
}

/* x_F <- -A_FF^-1 b_F, 0 elsewhere. No pivoting: a principal submatrix of an M-matrix is an
 * M-matrix. */
static void solve_active(put *p)
{
  const double scale = p->par->theta * p->dt;
  double pivot = 1, rest = 0; /* of the previous row, decoupled */
  bool before = false;
  for (int i = 1; i <= p->n; i++) {
    const double factor = before ? -scale * p->l[i] / pivot : 0;
    const double up = before ? -scale * p->u[i - 1] : 0;
    pivot = p->active[i] ? diagonal(p, i) - factor * up : 1;
    rest = p->active[i] ? -p->b[i] - factor * rest : 0;
    p->pivot[i] = pivot;
    p->rest[i] = rest;
    before = p->active[i];
  }
  for (int i = p->n; i >= 1; i--)
    p->x[i] = p->active[i] ? (p->rest[i] + scale * p->u[i] * p->x[i + 1]) / p->pivot[i] : 0;
}

static double row_value(const put *p, int i)
{
  const double scale = p->par->theta * p->dt;
  return diagonal(p, i) * p->x[i] - scale * (p->l[i] * p->x[i - 1] + p->u[i] * p->x[i + 1]) +
         p->b[i];
}

/* x by elimination from above and projected substitution from below */
static void solve_brennan_schwartz(put *p)
{
  const double scale = p->par->theta * p->dt;
  p->pivot[p->n + 1] = 1;
  p->rest[p->n + 1] = 0;
  for (int i = p->n; i >= 1; i--) {
    const double factor = i < p->n ? scale * p->u[i] / p->pivot[i + 1] : 0;
    p->pivot[i] = diagonal(p, i) - factor * scale * p->l[i + 1];
    p->rest[i] = -p->b[i] + factor * p->rest[i + 1];
  }
  for (int i = 1; i <= p->n; i++)
    p->x[i] = perp_max((p->rest[i] + scale * p->l[i] * p->x[i - 1]) / p->pivot[i], 0);
}

/* x by growing sets F */
static void solve_from_below(put *p)
{
  for (int i = 1; i <= p->n; i++)
    p->active[i] = true;
  solve_active(p);
  for (int i = 1; i <= p->n; i++)
    p->active[i] = p->x[i] > 0;
  for (bool grown = true; grown;) {
    grown = false;
    solve_active(p);
    for (int i = 1; i <= p->n; i++)
      if (!p->active[i] && row_value(p, i) < 0)
        p->active[i] = grown = true;
  }
  for (int i = 1; i <= p->n; i++)
    p->x[i] = perp_max(p->x[i], 0);
}

static void solve(put *p)
{
  const double rounding = 1e-12 * p->par->strike;
  p->x[0] = p->x[p->n + 1] = 0;
  solve_brennan_schwartz(p);
  for (int i = 1; i <= p->n; i++)
    if (p->x[i] == 0 && row_value(p, i) < -rounding * diagonal(p, i)) {
      solve_from_below(p);
      return;
    }
}

static void put_set_rhs(put *p)
{
  const double implicit = p->par->theta * p->dt, explicit = p->dt - implicit;
  for (int i = 1; i <= p->n; i++)
    p->b[i] = (p->g[i] - implicit * put_apply_L(p, p->g, i)) -
              (p->V[i] + explicit * put_apply_L(p, p->V, i));
}

static perp_error put_set_operator(perp_making *m, const put *p)
{
  const double scale = p->par->theta * p->dt;
  perp_triplets t = {0};
  for (int i = 1; i <= p->n; i++) {
    if (i > 1)
      perp_making_entry(m, &t, i - 1, i - 2, -scale * p->l[i]);
    perp_making_entry(m, &t, i - 1, i - 1, diagonal(p, i));
    if (i < p->n)
      perp_making_entry(m, &t, i - 1, i, -scale * p->u[i]);
  }
  return perp_making_sparse(m, p->n, &t);
}

/* Returns true if x, as rounded, passes as a solution. */
static bool passes(const put *p)
{
  double most = 0, scale = 0;
  for (int i = 1; i <= p->n; i++) {
    most = perp_max(most, fabs(perp_min(p->x[i], row_value(p, i))));
    scale = perp_max(scale, fabs(p->b[i]));
  }
  return most <= 1e-10 * scale;
}

static perp_error put_march(perp_making *m, put *p)
{
  perp_instance *instance = m->instance;
  const int last = p->par->step > 0 ? p->par->step : p->par->steps;
  const size_t n = (size_t)p->n;
  for (int k = 1; k <= last; k++) {
    put_set_rhs(p);
    solve(p);
    for (int i = 1; i <= p->n; i++)
      p->V[i] = p->g[i] + p->x[i];
  }
  const bool known = passes(p);
  instance->b = perp_alloc_copy(p->b + 1, n, sizeof *p->b);
  if (known)
    instance->x = perp_alloc_copy(p->x + 1, n, sizeof *p->x);
  return instance->b && (!known || instance->x) ? PERP_OK : perp_making_no_memory(m);
}

static perp_error put_make(perp_making *m)
{
  const put_parameters *par = m->parameters;
  if (par->step > par->steps)
    return perp_making_refuse(m, "step = %d is more than steps = %d", par->step, par->steps);
  const size_t length = (size_t)par->n + 2;
  put p = {.par = par, .n = par->n, .dt = par->maturity / par->steps};
  if (!PERP_TAKE_REALS(&m->arena, length, &p.g, &p.V, &p.l, &p.u, &p.b, &p.x, &p.rest, &p.pivot) ||
      !PERP_TAKE(&m->arena, PERP_ARRAY(p.active, length)))
    return perp_making_no_memory(m);
  set_coefficients(&p);
  m->instance->kind = PERP_KIND_SOLVABLE;
  const perp_error error = put_set_operator(m, &p);
  if (error)
    return error;
  return par->options.plant ? perp_grid_plant(m, &par->options) : put_march(m, &p);
}

/* ---- Two assets ----
 *
 * The payoff is max(K - m(S1, S2), 0) with m the minimum, the mean or the geometric mean. With
 * a_k = log(S_k / K) / vol_k the operator of Black and Scholes has constant coefficients,
 *
 *   L V = 1/2 V_11 + 1/2 V_22 + rho V_12 + mu_1 V_1 + mu_2 V_2 - rate V,
 *   mu_k = (rate - vol_k^2 / 2) / vol_k,
 *
 * and one mesh width d suits both directions for all volatilities. n = grid^2 points, |a_k| < reach
 * sqrt(maturity), V = payoff on the boundary; at this many standard deviations it does not affect
 * the value in the middle. Cross derivative:
 *
 *   seven   rho > 0: (2 V + V_++ + V_-- - V_+0 - V_-0 - V_0+ - V_0-) / (2 d^2), rho < 0: mirrored
 *   nine    (V_++ + V_-- - V_+- - V_-+) / (4 d^2)
 *
 * Drift by central differences, or one-sided where |mu| d is above 1 - |rho| (seven) or 1 (nine).
 * With x = V - payoff the step of dt is the LCP
 *
 *   A = I - theta dt L,   b = (I - theta dt L) payoff - (I + (1 - theta) dt L) V_before.
 *
 * seven: axis neighbours weigh (1 - |rho|)/2 >= |mu| d/2, diagonal ones |rho|/2 >= 0, rows sum to
 * at least 1: a nonsingular M-matrix for every correlation, since the mesh is scaled by the
 * volatilities. nine has positive entries off the diagonal. Both are positive definite, as
 * compressions of convolutions: drift is skew, one-sided drift adds a multiple of 1 - cos, and
 *
 *   seven  (1 - |rho|)(2 - cos p - cos q) + |rho| (1 - cos(p +- q)) >= 0
 *   nine   2 - cos p - cos q + rho sin p sin q >= (sin^2 p + sin^2 q)/2 - |sin p sin q| >= 0,
 *
 * so that A + A^T >= 2 I and there is exactly one solution. The matrix is symmetric only if both mu
 * vanish. V_before comes from the earlier steps, by at most 10000 projected Gauss-Seidel sweeps to
 * rounding; the first step needs none.
 *
 * Cost: O(n), and for each earlier step its sweeps, O(n) each. */

enum { MINIMUM, BASKET, GEOMETRIC };
static const char *const payoffs[] = {"minimum", "basket", "geometric", NULL};
enum { SEVEN, NINE };
static const char *const crosses[] = {"seven", "nine", NULL};

typedef struct put2_parameters {
  int n, grid, steps, step, payoff, cross;
  double strike, volatility1, volatility2, correlation, rate, maturity, reach, theta;
  perp_grid_options options;
} put2_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(put2_parameters, grid, 63, 1, 46340, "prices per asset"),
    PERP_INTEGER(put2_parameters, n, 0, 0, INT_MAX, "unknowns, a square, in place of grid"),
    PERP_CHOICE(put2_parameters, payoff, MINIMUM, 2, payoffs, "of which price the put is on"),
    PERP_REAL(put2_parameters, strike, 100, 1e-9, 1e9, "price at which one may sell"),
    PERP_REAL(put2_parameters, volatility1, 0.3, 1e-3, 10, "of the first asset"),
    PERP_REAL(put2_parameters, volatility2, 0.2, 1e-3, 10, "of the second asset"),
    PERP_REAL(put2_parameters, correlation, 0.3, -1, 1, "of the assets"),
    PERP_CHOICE(put2_parameters, cross, SEVEN, 1, crosses, "points of the cross derivative"),
    PERP_REAL(put2_parameters, rate, 0.05, 0, 10, "of interest, per year"),
    PERP_REAL(put2_parameters, maturity, 1, 1e-6, 1000, "years"),
    PERP_INTEGER(put2_parameters, steps, 20, 1, 1000000, "time steps"),
    PERP_INTEGER(put2_parameters, step, 1, 0, 1000000,
                 "the step whose problem is made, 1 next to maturity; 0: the last one"),
    PERP_REAL(put2_parameters, theta, 1, 0.5, 1, "1: implicit Euler, 0.5: Crank-Nicolson"),
    PERP_REAL(put2_parameters, reach, 5, 1, 20, "half the grid in standard deviations"),
    PERP_GRID_PLANT_ROWS(put2_parameters),
    {0}};

/* Fields on (side + 2)^2 points, the boundary included. */
typedef struct put2 {
  const put2_parameters *par;
  int side;
  double dt;
  double L[3][3]; /* [1 + dj][1 + di]: i runs along the first asset */
  double *g, *V, *x, *b;
} put2;

/* ---- L ---- */

static void set_cross(put2 *p, double weight)
{
  const double rho = p->par->correlation, size = fabs(rho);
  const int mirror = rho < 0 ? 0 : 2; /* the column of L that goes with row 2 */
  if (p->par->cross == NINE) {
    p->L[0][0] = p->L[2][2] = 0.25 * rho * weight;
    p->L[0][2] = p->L[2][0] = -0.25 * rho * weight;
    return;
  }
  p->L[2][mirror] = p->L[0][2 - mirror] = 0.5 * size * weight;
  p->L[0][1] -= 0.5 * size * weight;
  p->L[2][1] -= 0.5 * size * weight;
  p->L[1][0] -= 0.5 * size * weight;
  p->L[1][2] -= 0.5 * size * weight;
}

/* mu V' into the neighbours before and after */
static void set_drift(const put2 *p, double volatility, double d, double *before, double *after)
{
  const double mu = (p->par->rate - 0.5 * volatility * volatility) / volatility;
  const double room = p->par->cross == SEVEN ? 1 - fabs(p->par->correlation) : 1;
  if (fabs(mu) * d <= room) {
    *after += 0.5 * mu / d;
    *before -= 0.5 * mu / d;
  } else if (mu > 0) {
    *after += mu / d;
  } else {
    *before -= mu / d;
  }
}

static void set_L(put2 *p, double d)
{
  const double weight = 1 / (d * d);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      p->L[j][i] = (j == 1) != (i == 1) ? 0.5 * weight : 0;
  set_cross(p, weight);
  set_drift(p, p->par->volatility1, d, &p->L[1][0], &p->L[1][2]);
  set_drift(p, p->par->volatility2, d, &p->L[0][1], &p->L[2][1]);
  double sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      sum += p->L[j][i];
  p->L[1][1] = -(sum + p->par->rate);
}

static int64_t point(const put2 *p, int i, int j)
{
  return (int64_t)j * (p->side + 2) + i;
}

static double apply_L(const put2 *p, const double *v, int i, int j)
{
  double sum = 0;
  for (int dj = -1; dj <= 1; dj++)
    for (int di = -1; di <= 1; di++)
      sum += p->L[1 + dj][1 + di] * v[point(p, i + di, j + dj)];
  return sum;
}

/* ---- Payoff, right-hand side, earlier steps ---- */

static double payoff(int kind, double strike, double s1, double s2)
{
  const double price = kind == MINIMUM  ? perp_min(s1, s2)
                       : kind == BASKET ? 0.5 * (s1 + s2)
                                        : sqrt(s1 * s2);
  return perp_max(strike - price, 0);
}

static void set_payoff(put2 *p, double d, double *s1, double *s2)
{
  const put2_parameters *par = p->par;
  for (int i = 0; i <= p->side + 1; i++) {
    const double a = (i - 0.5 * (p->side + 1)) * d;
    s1[i] = par->strike * perp_exp(par->volatility1 * a);
    s2[i] = par->strike * perp_exp(par->volatility2 * a);
  }
  for (int j = 0; j <= p->side + 1; j++)
    for (int i = 0; i <= p->side + 1; i++) {
      const int64_t c = point(p, i, j);
      p->V[c] = p->g[c] = payoff(par->payoff, par->strike, s1[i], s2[j]);
      p->x[c] = 0;
    }
}

static void set_rhs(put2 *p)
{
  const double implicit = p->par->theta * p->dt, explicit = p->dt - implicit;
  for (int j = 1; j <= p->side; j++)
    for (int i = 1; i <= p->side; i++) {
      const int64_t c = point(p, i, j);
      p->b[c] = (p->g[c] - implicit * apply_L(p, p->g, i, j)) -
                (p->V[c] + explicit * apply_L(p, p->V, i, j));
    }
}

/* One sweep, forward or backward; returns the greatest change. */
static double sweep(put2 *p, bool forward)
{
  const double scale = p->par->theta * p->dt, pivot = 1 - scale * p->L[1][1];
  const int side = p->side;
  double most = 0;
  for (int64_t k = 0; k < (int64_t)side * side; k++) {
    const int64_t at = forward ? k : (int64_t)side * side - 1 - k;
    const int i = 1 + (int)(at % side), j = 1 + (int)(at / side);
    const int64_t c = point(p, i, j);
    const double y = p->x[c] - scale * apply_L(p, p->x, i, j) + p->b[c];
    const double value = perp_max(p->x[c] - y / pivot, 0);
    most = perp_max(most, fabs(value - p->x[c]));
    p->x[c] = value;
  }
  return most;
}

static void march(put2 *p)
{
  enum { SWEEPS = 10000 };
  const int last = p->par->step > 0 ? p->par->step : p->par->steps;
  const double rounding = 1e-14 * p->par->strike;
  set_rhs(p);
  for (int k = 1; k < last; k++) {
    for (int s = 0; s < SWEEPS && sweep(p, s % 2 == 0) > rounding; s++)
      ;
    for (int j = 1; j <= p->side; j++)
      for (int i = 1; i <= p->side; i++)
        p->V[point(p, i, j)] = p->g[point(p, i, j)] + p->x[point(p, i, j)];
    set_rhs(p);
  }
}

/* ---- Putting it together ---- */

static perp_error set_operator(perp_making *m, const put2 *p)
{
  const int n = p->side * p->side;
  const double scale = p->par->theta * p->dt;
  perp_triplets t = {0};
  for (int row = 0; row < n; row++)
    for (int step = 0; step < 9; step++) {
      const int i = row % p->side + step % 3 - 1, j = row / p->side + step / 3 - 1;
      const double coefficient = p->L[step / 3][step % 3];
      if (i >= 0 && i < p->side && j >= 0 && j < p->side && coefficient != 0)
        perp_making_entry(m, &t, row, j * p->side + i, (step == 4) - scale * coefficient);
    }
  return perp_making_sparse(m, n, &t);
}

static perp_error set_step(perp_making *m, put2 *p, double d)
{
  const size_t length = (size_t)p->side + 2, points = length * length;
  double *s1, *s2;
  if (!PERP_TAKE_REALS(&m->arena, points, &p->g, &p->V, &p->x, &p->b) ||
      !PERP_TAKE_REALS(&m->arena, length, &s1, &s2) ||
      !PERP_GIVE((size_t)p->side * (size_t)p->side, &m->instance->b))
    return perp_making_no_memory(m);
  set_payoff(p, d, s1, s2);
  march(p);
  for (int j = 1, row = 0; j <= p->side; j++)
    for (int i = 1; i <= p->side; i++)
      m->instance->b[row++] = p->b[point(p, i, j)];
  return PERP_OK;
}

static perp_error make(perp_making *m)
{
  const put2_parameters *par = m->parameters;
  put2 p = {.par = par, .dt = par->maturity / par->steps};
  perp_error error = perp_grid_side(m, par->n, 2, par->grid, &p.side);
  if (error)
    return error;
  if (par->step > par->steps)
    return perp_making_refuse(m, "step = %d is more than steps = %d", par->step, par->steps);
  const double d = 2 * par->reach * sqrt(par->maturity) / (p.side + 1);
  set_L(&p, d);
  m->instance->kind = PERP_KIND_SOLVABLE;
  error = set_operator(m, &p);
  if (error)
    return error;
  return par->options.plant ? perp_grid_plant(m, &par->options) : set_step(m, &p, d);
}

const perp_generator perp_generators_finance[] = {
    {"put", "a time step of an American put on one asset", "finance",
     "wilmott-dewynne-howison-1993", put_table, sizeof(put_parameters), put_make, NULL},
    {"put2", "a time step of an American put on two assets", "finance",
     "wilmott-dewynne-howison-1993", parameters, sizeof(put2_parameters), make, NULL},
    {0}};
