/* finance.c: one time step of an American put on one asset
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
 * A is tridiagonal, not symmetric, without positive entries beside the diagonal and with row sums
 * of at least 1: a nonsingular M-matrix, hence exactly one solution. V_before is found by the
 * steps before, each solved exactly, and so is the step asked for: its x is stored.
 *
 * The exact solve: eliminate upwards from the greatest price, then substitute from the least price
 * on with x_i = max(0, .), one pass each (Brennan and Schwartz 1977). This is right where the put
 * is exercised below one price and held above it (Jaillet, Lamberton and Lapeyre 1990), which a
 * long Crank-Nicolson step may break; so it is checked, and failing that the solution is reached
 * from below: let A x0 = -b, then A (x - x0) >= 0, so x >= x0 and x > 0 on F = {x0 > 0}. Solve
 * A_FF x_F = -b_F; rows outside with y < 0 belong to F too, since x grows with F (Chandrasekaran
 * 1970); repeat until there are none.
 *
 * Cost: O(n) per step; from below O(n) per row that F grows by at worst. Memory: O(n). The
 * entries of A grow like vol^2 n^2 dt, and rounding in A x + b with them: x is stored where it
 * passes a check at 1e-10. */
#include "base/elementary.h"
#include "generate/grid.h"
#include "generate/rows.h"

#include <math.h>

typedef struct put_parameters {
  int n, steps, step;
  double strike, volatility, rate, maturity, most, theta;
  perp_grid_options options;
} put_parameters;

static const perp_parameter parameters[] = {
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
    {0},
};

/* Arrays have n + 2 entries, those at both ends belong to S = 0 and S = most K. */
typedef struct put {
  const put_parameters *par;
  int n;
  double dt;
  double *g, *V, *l, *u; /* payoff, value, coefficients of L */
  double *b, *x, *rest;  /* rest, pivot: for the elimination */
  double *pivot;
  bool *active;
} put;

static double apply_L(const put *p, const double *v, int i)
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

/* x_F <- -A_FF^-1 b_F, 0 elsewhere. No pivoting: a principal part of an M-matrix is one. */
static void solve_active(put *p)
{
  const double scale = p->par->theta * p->dt;
  double pivot = 1, rest = 0; /* of the row before, cut off */
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

/* x by sets F that grow */
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

/* x <- the solution of the LCP of A and b */
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

static void set_rhs(put *p)
{
  const double implicit = p->par->theta * p->dt, explicit = p->dt - implicit;
  for (int i = 1; i <= p->n; i++)
    p->b[i] =
        (p->g[i] - implicit * apply_L(p, p->g, i)) - (p->V[i] + explicit * apply_L(p, p->V, i));
}

static perp_error set_operator(perp_making *m, const put *p)
{
  const double scale = p->par->theta * p->dt;
  perp_rows rows;
  const perp_error error = perp_rows_make(m, &rows, p->n, 3 * (int64_t)p->n);
  if (error)
    return error;
  for (int i = 1; i <= p->n; i++) {
    perp_entry entries[3] = {{i - 1, diagonal(p, i)}};
    int count = 1;
    if (i > 1)
      entries[count++] = (perp_entry){i - 2, -scale * p->l[i]};
    if (i < p->n)
      entries[count++] = (perp_entry){i, -scale * p->u[i]};
    perp_rows_append(&rows, i - 1, entries, count);
  }
  return perp_rows_operator(m, p->n, &rows);
}

/* Whether x, as it was rounded, would be called a solution. */
static bool passes(const put *p)
{
  double most = 0, scale = 0;
  for (int i = 1; i <= p->n; i++) {
    most = perp_max(most, fabs(perp_min(p->x[i], row_value(p, i))));
    scale = perp_max(scale, fabs(p->b[i]));
  }
  return most <= 1e-10 * scale;
}

/* b and x of the step asked for */
static perp_error march(perp_making *m, put *p)
{
  perp_instance *instance = m->instance;
  const int last = p->par->step > 0 ? p->par->step : p->par->steps;
  const size_t n = (size_t)p->n;
  for (int k = 1; k <= last; k++) {
    set_rhs(p);
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

static perp_error make(perp_making *m)
{
  const put_parameters *par = m->parameters;
  if (par->step > par->steps)
    return perp_making_refuse(m, "step = %d of steps = %d", par->step, par->steps);
  const size_t length = (size_t)par->n + 2;
  put p = {.par = par, .n = par->n, .dt = par->maturity / par->steps};
  if (!PERP_TAKE_REALS(&m->arena, length, &p.g, &p.V, &p.l, &p.u, &p.b, &p.x, &p.rest, &p.pivot) ||
      !PERP_TAKE(&m->arena, PERP_ARRAY(p.active, length)))
    return perp_making_no_memory(m);
  set_coefficients(&p);
  m->instance->kind = PERP_KIND_SOLVABLE;
  const perp_error error = set_operator(m, &p);
  if (error)
    return error;
  return par->options.plant ? perp_grid_plant(m, &par->options) : march(m, &p);
}

const perp_generator perp_generators_finance[] = {
    {"put", "a time step of an American put on one asset", "finance",
     "wilmott-dewynne-howison-1993", parameters, sizeof(put_parameters), make},
    {0},
};
