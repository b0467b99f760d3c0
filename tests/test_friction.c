/* Contacts of 1 to 6 rows: projection and residual against an oracle in 113 bits, which shares no
 * code with the library. Moreau's conditions, which determine the projection, are checked of what the
 * oracle returns: p in K, z - p in the polar cone, p^T (z - p) = 0. */
#include "friction_oracle.h"
#include "test.h"

#include "base/random.h"
#include "problem/local_contact.h"
#include "set/set.h"
#include "verdict/friction.h"

#include <perp/lab.h>
#include <perp/perp.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The violation of Moreau's conditions, relative to the size of z. */
static quad moreau(const oracle_law *l, const quad *z, const quad *p)
{
  quad rest[ORACLE_ROWS], product = 0, size = 0, polar, worst = 0;
  for (int k = 0; k < l->rows; k++) {
    rest[k] = z[k] - p[k];
    product += p[k] * rest[k];
    size = quad_max(size, quad_abs(z[k]));
    if (k > 0 && l->group[k] < 0) {
      worst = quad_max(worst, quad_abs(p[k]));
      rest[k] = 0;
    }
  }
  polar = rest[0];
  for (int g = 0; g < ORACLE_GROUPS; g++) {
    quad sum = 0;
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g)
        sum += (p[k] / l->mu[k]) * (p[k] / l->mu[k]);
    worst = quad_max(worst, quad_sqrt(sum) - p[0]);
    polar += norm_of(l, g, rest);
  }
  worst = quad_max(worst, quad_max(polar, -p[0]));
  return size > 0 ? quad_max(worst / size, quad_abs(product) / (size * size)) : worst;
}

/* ---- Cases ---- */

static double draw(perp_random *random, double low, double high)
{
  const double size = pow(10, perp_random_between(random, low, high));
  return perp_random_below(random, 2) ? size : -size;
}

/* Coefficients of any size; in half of the cases round groups, in some axes without friction. */
static void draw_mu(perp_random *random, double mu[5])
{
  const bool wild = perp_random_below(random, 4) == 0, round = perp_random_below(random, 2);
  for (int k = 0; k < 5; k++)
    mu[k] = fabs(wild ? draw(random, -8, 8) : draw(random, -3, 1));
  if (round) {
    mu[1] = mu[0];
    mu[4] = mu[3];
  }
  if (perp_random_below(random, 4) == 0)
    mu[perp_random_below(random, 5)] = 0;
  if (perp_random_below(random, 20) == 0)
    for (int k = 0; k < 5; k++)
      mu[k] = 0;
}

static void projections(void)
{
  perp_random random = perp_random_from(1);
  const int cases = 500 / test_share("projections", 20);
  double worst = 0;
  for (int n = 0; n < cases; n++) {
    const int rows = 1 + perp_random_below(&random, ORACLE_ROWS),
              kind = perp_random_below(&random, 2);
    double mu[5], z[ORACLE_ROWS];
    quad wide[ORACLE_ROWS], p[ORACLE_ROWS];
    draw_mu(&random, mu);
    const double unit = n % 10 == 0 ? 1e-290 : n % 10 == 1 ? 1e290 : 1;
    for (int k = 0; k < rows; k++)
      wide[k] = z[k] = draw(&random, -4, 4) * unit;
    if (perp_random_below(&random, 10) == 0)
      wide[0] = z[0] = 0;
    const oracle_law l = oracle_law_of(rows, kind, mu);
    for (int k = 0; k < rows; k++) /* squares of 1e290 leave even the oracle's range */
      wide[k] /= unit;
    oracle_project(&l, wide, p);
    CHECK_SAY(moreau(&l, wide, p) <= 1e-30L * (1 + quad_max(mu[0] + mu[1] + mu[2], mu[3] + mu[4])),
              "the oracle is wrong in case %d: %g", n, (double)moreau(&l, wide, p));
    double size = 1e-300;
    for (int k = 0; k < rows; k++)
      size = fmax(size, fabs(z[k] / unit));
    const perp_friction f = perp_friction_make(rows, (perp_friction_law)kind, mu);
    perp_friction_project(&f, z);
    for (int k = 0; k < rows; k++) {
      const double error = (double)quad_abs(z[k] / unit - p[k]) / size;
      worst = fmax(worst, error);
      CHECK_SAY(error <= 1e-13, "case %d: row %d of %d, law %d: %.17g against %.17g", n, k, rows,
                kind, z[k] / unit, (double)p[k]);
    }
  }
  printf("  projections: largest error %.1e of the size of z\n", worst);
}

/* A force and a slip that nearly match: take-off, stick, slide or anything; x up to 1e14 y. Or a
 * contact that grazes: no force, and a normal velocity that is rounding of the slip. */
static void draw_contact(perp_random *random, const oracle_law *l, double large, double small,
                         double *x, double *y)
{
  const int kind = perp_random_below(random, 4);
  x[0] = kind == 0 ? 0 : large;
  y[0] = kind == 0 ? small : kind == 3 ? small * perp_random_between(random, -1, 1) : 0;
  for (int k = 1; k < l->rows; k++)
    x[k] = y[k] = perp_random_between(random, -1, 1);
  for (int g = 0; g < ORACLE_GROUPS; g++) {
    double norm = 0;
    for (int k = 1; k < l->rows; k++)
      norm = l->group[k] == g ? hypot(norm, x[k]) : norm;
    const bool slides = kind != 1 && perp_random_below(random, 3);
    const double length = slides ? 1 : perp_random_between(random, 0, 0.99);
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g) {
        const double unit = x[k] / norm;
        y[k] = slides ? -small * unit / l->mu[k] : kind == 3 ? small * y[k] : 0;
        x[k] = l->mu[k] * length * unit * x[0];
      }
  }
  for (int k = 1; k < l->rows; k++)
    if (l->group[k] < 0) {
      x[k] = 0;
      y[k] *= small;
    }
  if (kind == 0 && perp_random_below(random, 2)) {
    y[0] = small * 1e-16 * perp_random_between(random, -4, 4);
    if (perp_random_below(random, 2))
      for (int k = 1; k < l->rows; k++) /* slips of all sizes: a group may be rounding of another */
        y[k] *= fabs(draw(random, -18, 0));
    return;
  }
  if (perp_random_below(random, 2))
    for (int k = 0; k < l->rows; k++) {
      x[k] *= 1 + small / large * perp_random_between(random, -1, 1);
      y[k] += small * 1e-3 * perp_random_between(random, -1, 1);
    }
}

/* A force on its discs but for up to three units in the last place, and a slip that is 0 or nearly so:
 * t of the residual and the set of active groups are decided by rounding. */
static void draw_edge(perp_random *random, const oracle_law *l, double large, double *x, double *y)
{
  draw_contact(random, l, large, large * 1e-15, x, y);
  for (int k = 0; k < l->rows; k++)
    y[k] *= perp_random_below(random, 2) ? 0 : fabs(draw(random, -8, 0));
  x[0] = large;
  for (int g = 0; g < ORACLE_GROUPS; g++) {
    double norm = 0;
    const int alone = perp_random_below(random, 2) ? 1 + perp_random_below(random, l->rows) : 0;
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g) {
        x[k] = alone && l->group[alone % l->rows] == g && k != alone
                   ? 0
                   : perp_random_between(random, -1, 1);
        norm = hypot(norm, x[k]);
      }
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g && norm > 0) {
        x[k] *= l->mu[k] * large / norm;
        for (int unit = perp_random_below(random, 4); unit > 0; unit--)
          x[k] = nextafter(x[k], perp_random_below(random, 3) ? 2 * x[k] : 0);
      }
  }
}

static void residuals(void)
{
  perp_random random = perp_random_from(2);
  const int cases = 1000 / test_share("residuals", 20);
  double worst = 0;
  for (int n = 0; n < cases; n++) {
    const int rows = 1 + perp_random_below(&random, ORACLE_ROWS),
              kind = perp_random_below(&random, 2);
    double mu[5], x[ORACLE_ROWS], y[ORACLE_ROWS];
    draw_mu(&random, mu);
    const oracle_law l = oracle_law_of(rows, kind, mu);
    const double small = fabs(draw(&random, -12, 0)), large = small * fabs(draw(&random, -2, 14));
    if (n % 4)
      draw_contact(&random, &l, large, small, x, y);
    else
      draw_edge(&random, &l, large, x, y);
    quad size, wide[ORACLE_ROWS];
    for (int k = 0; k < rows; k++)
      wide[k] = y[k];
    const quad truth = oracle_residual(&l, x, wide, &size);
    const perp_friction f = perp_friction_make(rows, (perp_friction_law)kind, mu);
    const double found = perp_friction_residual(&f, x, y);
    const double error = (double)(quad_abs(found - truth) / (truth + 1e-23L * size + 1e-300L));
    worst = fmax(worst, error);
    CHECK_SAY(error <= 1e-6,
              "case %d: %.17g against %.17g, %d rows, law %d, x_n %g, y %g %g, mu %g %g", n, found,
              (double)truth, rows, kind, x[0], y[0], rows > 1 ? y[1] : 0, mu[0], mu[1]);
  }
  printf("  residuals: largest relative error %.1e\n", worst);
}

/* ---- Problems with a planted solution ---- */

enum { CONTACTS = 7, MOST = 6 * CONTACTS + 4 };

/* Contacts of all sizes and both laws, and a few other rows, in a random order. */
typedef struct world {
  int n, contacts, dim[CONTACTS], law[CONTACTS], cone[CONTACTS];
  double mu[5 * CONTACTS], lo[MOST], hi[MOST], A[MOST * MOST], G[MOST * MOST], b[MOST], x[MOST],
      y[MOST];
} world;

/* Draws a solution of a contact: x in K, y with Signorini's condition and the greatest dissipation
 * in each group. */
static void plant(perp_random *random, const oracle_law *l, double *x, double *y)
{
  const bool open = perp_random_below(random, 5) == 0;
  x[0] = open ? 0 : perp_random_between(random, 0.1, 2);
  y[0] = open ? perp_random_between(random, 0, 1) : 0;
  for (int k = 1; k < l->rows; k++) {
    x[k] = 0;
    y[k] = perp_random_between(random, -1, 1);
  }
  for (int g = 0; g < ORACLE_GROUPS && !open; g++) {
    double norm = 0;
    for (int k = 1; k < l->rows; k++)
      norm = l->group[k] == g ? hypot(norm, l->mu[k] * y[k]) : norm;
    const bool slides = perp_random_below(random, 2);
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g) {
        const double ratio = slides ? 1 : perp_random_between(random, 0, 0.9);
        x[k] = -l->mu[k] * l->mu[k] * y[k] / norm * x[0] * ratio;
        y[k] = slides ? y[k] : 0;
      }
  }
}

/* The contacts of a world: of 1 to 6 rows with either law, or all with one law. */
typedef enum laws { MIXED, CONES, ELLIPTIC, DISCS, LAWS } laws;

static void make_world(perp_random *random, laws which, world *w)
{
  *w = (world){.contacts = 1 + perp_random_below(random, CONTACTS)};
  for (int c = 0; c < w->contacts; c++) {
    double *mu = w->mu + 5 * c;
    const int rows = w->dim[c] = which == CONES   ? 3
                                 : which == MIXED ? 1 + perp_random_below(random, ORACLE_ROWS)
                                                  : 4 + perp_random_below(random, 3);
    w->law[c] = which == MIXED ? perp_random_below(random, 2) : which == DISCS;
    for (int k = 0; k < 5; k++) {
      const bool has = k < 2 ? rows > k + 1 : k == 2 ? rows == 4 || rows == 6 : rows >= 5;
      mu[k] = has && perp_random_below(random, 8) ? perp_random_between(random, 0.1, 1) : 0;
    }
    if (perp_random_below(random, 3) == 0) { /* a row between contacts */
      w->lo[w->n] = -1;
      w->hi[w->n] = 1;
      w->x[w->n] = perp_random_between(random, -1, 1);
      w->n++;
    }
    const oracle_law l = oracle_law_of(rows, w->law[c], mu);
    w->cone[c] = w->n;
    plant(random, &l, w->x + w->n, w->y + w->n);
    w->n += rows;
  }
  /* A = G G^T + I / 4, G with as many columns */
  const int n = w->n;
  double *G = w->G;
  for (int k = 0; k < n * n; k++)
    G[k] = perp_random_between(random, -1, 1) / sqrt(n);
  for (int i = 0; i < n; i++) {
    w->b[i] = w->y[i];
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.25 : 0;
      for (int k = 0; k < n; k++)
        sum += G[i * n + k] * G[j * n + k];
      w->A[i * n + j] = sum;
      w->b[i] -= sum * w->x[j];
    }
  }
}

static perp_problem problem_of(const world *w, const perp_operator *A)
{
  perp_set K = perp_set_default(w->n);
  K.lo = w->lo;
  K.hi = w->hi;
  K.mu = w->mu;
  K.cones = w->contacts;
  K.dim = w->dim;
  K.law = w->law;
  K.cone = w->cone;
  return perp_problem_product(A, w->b, &K);
}

/* The natural residual of x in 113 bits. */
static quad world_residual(const world *w, const double *x)
{
  quad y[MOST], worst = 0;
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    y[i] = w->b[i];
    for (int j = 0; j < n; j++)
      y[i] += (quad)w->A[i * n + j] * x[j];
  }
  bool in[MOST] = {false};
  for (int c = 0; c < w->contacts; c++) {
    quad size;
    const oracle_law l = oracle_law_of(w->dim[c], w->law[c], w->mu + 5 * c);
    for (int k = 0; k < l.rows; k++)
      in[w->cone[c] + k] = true;
    worst = quad_max(worst, oracle_residual(&l, x + w->cone[c], y + w->cone[c], &size));
  }
  for (int i = 0; i < n; i++)
    if (!in[i]) {
      const quad z = x[i] - y[i], p = z < w->lo[i] ? w->lo[i] : z > w->hi[i] ? w->hi[i] : z;
      worst = quad_max(worst, quad_abs(x[i] - p));
    }
  return worst;
}

static double scale_of(const world *w)
{
  double scale = 0;
  for (int i = 0; i < w->n; i++)
    scale = fmax(scale, fabs(w->b[i]));
  return scale > 0 ? scale : 1;
}

/* Every method that takes contacts solves nearly all; none says "solved" falsely. */
static void solves(void)
{
  static world w;
  const int cases = 60 / test_share("problems with a planted solution", 20);
  for (int m = 0; m < perp_method_count(); m++) {
    const perp_method_info method = perp_method_at(m);
    if (!(method.takes & PERP_TAKES(PERP_FORM_CONTACT)))
      continue;
    perp_random random = perp_random_from(3);
    int solved = 0, iterations = 0;
    for (int n = 0; n < cases; n++) {
      make_world(&random, MIXED, &w);
      perp_operator *A = NULL;
      perp_message why;
      CHECK(perp_operator_dense(w.n, w.A, w.n, PERP_BORROW, &A, &why) == PERP_OK);
      const perp_problem p = problem_of(&w, A);
      double x[MOST] = {0}, residual, scale;
      perp_options options = perp_options_default();
      options.tol = 1e-8;
      perp_result result = perp_result_empty();
      const perp_error error = perp_solve(method.name, &p, &options, x, &result);
      CHECK_SAY(error == PERP_OK, "%s, case %d: %s", method.name, n, result.message.text);
      const quad truth = world_residual(&w, x);
      if (result.outcome == PERP_SOLVED) {
        CHECK_SAY(truth <= 1.0001e-8L * scale_of(&w), "%s, case %d: falsely solved, %g of %g",
                  method.name, n, (double)truth, scale_of(&w));
        solved++;
        iterations += (int)result.counts.iterations;
      }
      CHECK(perp_problem_judge(&p, x, &residual, &scale, &why) == PERP_OK);
      CHECK_SAY(quad_abs(residual - truth) <= 1e-6L * truth + 1e-14L * scale,
                "%s, case %d: judged %g, truth %g", method.name, n, residual, (double)truth);
      CHECK(residual == result.residual);
      /* the planted solution itself */
      CHECK(perp_problem_judge(&p, w.x, &residual, &scale, &why) == PERP_OK);
      CHECK_SAY(residual <= 1e-13 * scale, "case %d: the planted x has %g", n, residual);
      perp_operator_destroy(A);
    }
    printf("  %-8s solved %d of %d, %d iterations in the mean\n", method.name, solved, cases,
           iterations / (solved > 0 ? solved : 1));
    CHECK_SAY(solved >= 0.97 * cases, "%s solved %d of %d", method.name, solved, cases);
  }
}

/* A limit of iterations asks for a driver. */
static void solve_world(perp_solver *solver, const perp_problem *p, bool driven, double *x,
                        perp_result *r)
{
  perp_options options = perp_options_default();
  options.max_iterations = driven ? 3000 : 0;
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  *r = perp_result_empty();
  CHECK(perp_solver_solve(solver, p, &options, x, r) == PERP_OK);
}

/* A few rows need no driver, and a solver keeps the blocks of contacts from solve to solve, for other coefficients
 * too: bits and sweeps are those of a new solver with a driver. */
static void a_few_rows_end_as_with_a_driver(void)
{
  static const char *const methods[] = {"auto", "bgs", "ssn"};
  static world w;
  const int cases = 32 / test_share("worlds of a few rows", 8);
  for (int m = 0; m < 3; m++) {
    perp_random random = perp_random_from(29);
    for (int n = 0; n < cases; n++) {
      make_world(&random, (laws)(n % LAWS), &w);
      perp_operator *A = NULL;
      perp_solver *kept = NULL;
      CHECK(perp_operator_dense(w.n, w.A, w.n, PERP_BORROW, &A, NULL) == PERP_OK);
      CHECK(perp_solver_create(methods[m], &kept, NULL) == PERP_OK);
      const perp_problem p = problem_of(&w, A);
      for (int turn = 0; turn < 4; turn++) {
        double x[MOST], other[MOST];
        perp_result r, driven;
        perp_solver *fresh = NULL;
        for (int k = 0; turn == 2 && k < 5 * w.contacts; k++)
          w.mu[k] *= 0.5;
        CHECK(perp_solver_create(methods[m], &fresh, NULL) == PERP_OK);
        solve_world(kept, &p, false, x, &r);
        CHECK(r.outcome != PERP_SOLVED || world_residual(&w, x) <= 1.0001e-8L * scale_of(&w));
        solve_world(fresh, &p, true, other, &driven);
        CHECK_SAY(memcmp(x, other, (size_t)w.n * sizeof *x) == 0 && r.residual == driven.residual &&
                      r.outcome == driven.outcome &&
                      r.counts.iterations == driven.counts.iterations &&
                      r.counts.sweeps == driven.counts.sweeps,
                  "%s, case %d, turn %d: %g and %g, %d and %d sweeps", methods[m], n, turn,
                  r.residual, driven.residual, (int)r.counts.sweeps, (int)driven.counts.sweeps);
        perp_solver_destroy(fresh);
      }
      perp_solver_destroy(kept);
      perp_operator_destroy(A);
    }
  }
}

/* ---- Laws, methods, operators ---- */

enum { OPERATORS = 6 };
static const char *const operators[OPERATORS] = {"dense", "csr", "contact", "M", "Minv", "shell"};

static int apply_world(void *context, const double *x, double *y)
{
  const world *w = context;
  for (int i = 0; i < w->n; i++) {
    y[i] = 0;
    for (int j = 0; j < w->n; j++)
      y[i] += w->A[i * w->n + j] * x[j];
  }
  return 0;
}

static int apply_identity(void *context, const double *x, double *y)
{
  memcpy(y, x, (size_t)((const world *)context)->n * sizeof *y);
  return 0;
}

/* A = G G^T + I / 4 as an operator of that kind; with a mass it is the identity, in single rows, as
 * a matrix, or as a callback. */
static perp_operator *operator_of(world *w, int kind)
{
  static int64_t start[MOST + 1], unit[MOST + 1];
  static int column[MOST * MOST], each[MOST + 1];
  static double quarter[MOST], one[MOST];
  const int n = w->n;
  perp_operator *A = NULL;
  perp_message why = {""};
  perp_error error = PERP_OK;
  for (int i = 0; i <= n; i++) {
    start[i] = (int64_t)i * n;
    unit[i] = each[i] = i;
  }
  for (int k = 0; k < n * n; k++)
    column[k] = k % n;
  for (int i = 0; i < n; i++) {
    quarter[i] = 0.25;
    one[i] = 1;
  }
  perp_contact_data data = perp_contact_data_default();
  data.rows = data.velocities = n;
  data.J_start = start;
  data.J_column = column;
  data.J_value = w->G;
  data.C_start = unit;
  data.C_column = each;
  data.C_value = quarter;
  if (kind == 0) {
    error = perp_operator_dense(n, w->A, n, PERP_BORROW, &A, &why);
  } else if (kind == 1) {
    error = perp_operator_csr(n, start, column, w->A, PERP_BORROW, &A, &why);
  } else if (kind < 5) {
    data.blocks = kind == 2 ? n : 0;
    data.block_start = kind == 2 ? each : NULL;
    data.Minv = kind == 2 ? one : NULL;
    data.M_start = kind == 3 ? unit : NULL;
    data.M_column = kind == 3 ? each : NULL;
    data.M_value = kind == 3 ? one : NULL;
    data.apply_Minv = kind == 4 ? apply_identity : NULL;
    data.context = w;
    error = perp_operator_contact(&data, PERP_BORROW, &A, &why);
  } else {
    perp_shell shell = perp_shell_default();
    shell.context = w;
    shell.apply = shell.apply_t = apply_world;
    error = perp_operator_shell(n, &shell, &A, &why);
  }
  CHECK_SAY(error == PERP_OK, "%s: %s", operators[kind], why.text);
  return A;
}

/* Prints the table of docs/notes/laws.md (tools/write-laws): how many of the worlds with a law each
 * method solves on each kind of operator, or - if it refuses them by name. */
static void laws_by_methods_and_operators(void)
{
  static const char *const names[LAWS] = {"mixed", "cones", "elliptic", "discs"};
  static world w;
  const int cases = test_share("worlds of each law", 5) > 1 ? 1 : 5;
  for (int law = CONES; law <= LAWS; law++) {
    printf("table %s, %d worlds\n| method |", names[law % LAWS], cases);
    for (int kind = 0; kind < OPERATORS; kind++)
      printf(" %s |", operators[kind]);
    printf("\n| --- |%s\n", " --- | --- | --- | --- | --- | --- |");
    for (int m = 0; m < perp_method_count(); m++) {
      const perp_method_info method = perp_method_at(m);
      if (!(method.takes & PERP_TAKES(PERP_FORM_CONTACT)))
        continue;
      printf("| `%s` |", method.name);
      for (int kind = 0; kind < OPERATORS; kind++) {
        perp_random random = perp_random_from(11);
        int solved = 0, refused = 0;
        for (int n = 0; n < cases; n++) {
          make_world(&random, (laws)(law % LAWS), &w);
          perp_operator *A = operator_of(&w, kind);
          const perp_problem p = problem_of(&w, A);
          double x[MOST] = {0};
          perp_result result = perp_result_empty();
          const perp_error error = perp_solve(method.name, &p, NULL, x, &result);
          CHECK_SAY(error == PERP_OK || (error == PERP_ERROR_UNSUPPORTED &&
                                         strstr(result.message.text, method.name)),
                    "%s on %s: %s", method.name, operators[kind], result.message.text);
          refused += error != PERP_OK;
          solved += !error && result.outcome == PERP_SOLVED;
          CHECK(error || result.outcome != PERP_SOLVED ||
                world_residual(&w, x) <= 1.0001e-8L * scale_of(&w));
          perp_operator_destroy(A);
        }
        CHECK_SAY(refused == cases || solved >= cases - 1, "%s solved %d of %d %s on %s",
                  method.name, solved, cases, names[law % LAWS], operators[kind]);
        printf(refused == cases ? " - |" : " %d |", solved);
      }
      printf("\n");
    }
    printf("\n");
  }
}

/* A box at rest on four contacts of six rows: A is singular, and the corners disagree by 1e-9. The
 * residual is that of the contacts as given, so what a method calls solved is solved. */
static void a_box_at_rest(void)
{
  enum { N = 24 };
  perp_random random = perp_random_from(7);
  for (int n = 0; n < 4; n++) {
    double J[N][6] = {{0}}, A[N * N], b[N], mu[20], x[N];
    const double inverse[6] = {1 / 3.0, 1 / 3.0, 1 / 3.0, 50, 50, 50};
    for (int c = 0; c < 4; c++) {
      const double r[3] = {c % 2 ? 0.1 : -0.1, c / 2 ? 0.1 : -0.1, -0.1};
      for (int k = 0; k < 3; k++) { /* normal z, slides x and y; torsion z, rolls x and y */
        const int axis = (k + 2) % 3, one = (axis + 1) % 3, two = (axis + 2) % 3;
        J[6 * c + k][axis] = 1;
        J[6 * c + k][3 + one] = r[two]; /* r x axis */
        J[6 * c + k][3 + two] = -r[one];
        J[6 * c + 3 + k][3 + axis] = 1;
      }
      memcpy(mu + 5 * c, (double[]){0.5, 0.5, 0.1, 0.02, 0.02}, 5 * sizeof *mu);
    }
    for (int i = 0; i < N; i++) {
      b[i] = -0.0196 * J[i][2] + (i % 6 == 0 ? 1e-10 : 0) * perp_random_between(&random, -1, 1);
      for (int j = 0; j < N; j++) {
        A[N * i + j] = 0;
        for (int k = 0; k < 6; k++)
          A[N * i + j] += J[i][k] * inverse[k] * J[j][k];
      }
    }
    perp_operator *op = NULL;
    perp_message why;
    CHECK(perp_operator_dense(N, A, N, PERP_BORROW, &op, &why) == PERP_OK);
    perp_set K = perp_set_default(N);
    K.mu = mu;
    K.cones = 4;
    K.dim = (const int[]){6, 6, 6, 6};
    const perp_problem p = perp_problem_product(op, b, &K);
    perp_result result = perp_result_empty();
    memset(x, 0, sizeof x);
    CHECK(perp_solve("auto", &p, NULL, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED, "case %d: %s", n, result.message.text);
    for (int k = 0; k < result.attempts; k++) /* an attempt that is solved was the last */
      CHECK(result.attempt[k].outcome != PERP_SOLVED || k == result.attempts - 1);
    perp_operator_destroy(op);
  }
}

/* Contacts in their order and units are solved as they are, and judged once: their residual and y are
 * those of a judge that sees the problem as given, of compressed rows to the last bit. A dense A is
 * copied to compressed rows, whose sums in twice the precision have another order: in 17 of 6,000
 * draws the residual differed, by at most 5e-16 of it. */
static void a_copy_has_the_verdict_of_its_problem(void)
{
  enum { N = 16, COUNT = 3 };
  perp_random random = perp_random_from(41);
  const int cases = 60 / test_share("verdicts of copies", 10);
  for (int n = 0; n < cases; n++) {
    double G[N][N], A[N * N], b[N], mu[5 * COUNT] = {0}, residual, scale;
    for (int i = 0; i < N * N; i++)
      G[i / N][i % N] = perp_random_below(&random, 2) ? perp_random_between(&random, -1, 1) : 0;
    for (int i = 0; i < N; i++) {
      b[i] = perp_random_between(&random, -2, 1);
      for (int j = 0; j < N; j++) {
        A[N * i + j] = i == j ? 0.1 : 0;
        for (int k = 0; k < N; k++)
          A[N * i + j] += G[i][k] * G[j][k];
      }
    }
    for (int c = 0; c < COUNT; c++) {
      mu[5 * c] = mu[5 * c + 1] = perp_random_between(&random, 0.1, 1);
      mu[5 * c + 2] = c == 1 ? 0.1 : 0;
      mu[5 * c + 3] = mu[5 * c + 4] = perp_random_between(&random, 0.01, 0.1);
    }
    perp_operator *dense = NULL, *csr = NULL;
    perp_message why;
    CHECK(perp_operator_dense(N, A, N, PERP_BORROW, &dense, &why) == PERP_OK);
    CHECK(perp_operator_to_csr(dense, 0, &csr, &why) == PERP_OK);
    perp_set K = perp_set_default(N);
    K.mu = mu;
    K.cones = COUNT;
    K.dim = (const int[]){5, 6, 5};
    K.law = (const int[]){1, 1, 1};
    for (int way = 0; way < 4; way++) {
      const perp_problem p = perp_problem_product(way % 2 ? csr : dense, b, &K);
      double x[N] = {0}, y[N], sum[N], scratch[8 * N];
      perp_options options = perp_options_default();
      options.y = y;
      options.max_iterations = way < 2 ? 0 : 2; /* the verdict on a bad x too */
      perp_result result = perp_result_empty();
      CHECK(perp_solve(way < 2 ? "auto" : "bgs", &p, &options, x, &result) == PERP_OK);
      CHECK(perp_problem_judge(&p, x, &residual, &scale, &why) == PERP_OK);
      CHECK_SAY(fabs(residual - result.residual) <= (way % 2 ? 0 : 1e-14 * residual) &&
                    scale == result.scale,
                "way %d, case %d: %.17g against %.17g", way, n, residual, result.residual);
      CHECK(perp_operator_scratch(p.A) <= 8 * N &&
            perp_operator_apply(p.A, x, sum, scratch, &why) == PERP_OK);
      for (int i = 0; i < N; i++)
        CHECK_CLOSE(y[i], sum[i] + b[i], 1e-13 * (1 + fabs(b[i])));
    }
    perp_operator_destroy(csr);
    perp_operator_destroy(dense);
  }
}

/* ---- Metrics ---- */

/* The foot of z on a disc in the norm of w: p_k = w_k z_k / (w_k + lambda), lambda by bisection. */
static void oracle_disc(int count, double radius, const double *w, const double *z, quad *p)
{
  quad low = 0, high = 0;
  for (int step = 0; step < 400; step++) {
    const quad lambda = step == 0 ? 0 : low + (high - low) / 2;
    quad sum = 0, most = 0;
    for (int k = 0; k < count; k++) {
      p[k] = w[k] * (quad)z[k] / (w[k] + lambda);
      sum += p[k] * p[k];
      most = quad_max(most, w[k]);
    }
    if (step == 0 && sum <= (quad)radius * radius)
      return;
    if (step == 0)
      high = most * quad_sqrt(sum) / radius;
    else if (sum > (quad)radius * radius)
      low = lambda;
    else
      high = lambda;
  }
}

static void discs_in_a_metric(void)
{
  perp_random random = perp_random_from(17);
  const int cases = 2000 / test_share("discs in a metric", 10);
  for (int n = 0; n < cases; n++) {
    const int count = 1 + perp_random_below(&random, 5);
    const double wide = perp_random_below(&random, 3) * 4;
    double w[5], z[5], p[5], size = 0;
    quad exact[5];
    for (int k = 0; k < count; k++) {
      w[k] = pow(10, perp_random_between(&random, -wide, wide));
      p[k] = z[k] = draw(&random, -3, 1);
      size = fmax(size, fabs(z[k]));
    }
    const double radius = fabs(draw(&random, -4, 1));
    perp_set_project_disc(count, radius, w, p);
    oracle_disc(count, radius, w, z, exact);
    for (int k = 0; k < count; k++)
      CHECK_SAY(quad_abs(p[k] - exact[k]) <= 1e-14 * fmin(size, radius),
                "case %d: axis %d is %.17g, not %.17g", n, k, p[k], (double)exact[k]);
  }
  double far[2] = {1e200, -1e200}, none[2] = {3, 4}, unlike[2] = {1, 1e-6};
  perp_set_project_disc(2, 1e-200, unlike, far); /* without overflow */
  CHECK(fabs(far[0]) <= 1e-200 && fabs(far[1]) <= 1e-200);
  perp_set_project_disc(2, 0, unlike, none);
  CHECK(none[0] == 0 && none[1] == 0);
}

/* One contact of five rows that slides and rolls fast, as in RFC3D_cube_1 of Siconos: the first guess
 * of the slips, 0, is far away. */
static void fast_slips(void)
{
  enum { M = 5 };
  perp_random random = perp_random_from(23);
  const int cases = 500 / test_share("fast slips", 10);
  int found = 0;
  for (int n = 0; n < cases; n++) {
    double G[M][M], W[M * M], q[M], hi[M] = {INFINITY}, slip[M] = {0}, z[M] = {0}, mu[5];
    const int disc[M] = {0, 2, -1, 2, -1};
    for (int i = 0; i < M * M; i++)
      G[i / M][i % M] = perp_random_between(&random, -1, 1);
    mu[0] = mu[1] = pow(10, perp_random_between(&random, -2, 0));
    mu[3] = mu[4] = pow(10, perp_random_between(&random, -2, 0));
    mu[2] = 0;
    for (int i = 0; i < M; i++) {
      for (int j = 0; j < M; j++) {
        W[M * i + j] = i == j ? 0.5 : 0;
        for (int k = 0; k < M; k++)
          W[M * i + j] += G[i][k] * G[j][k];
      }
      q[i] = i == 0 ? -pow(10, perp_random_between(&random, -4, 0)) : draw(&random, -1, 1);
      hi[i] = i == 0 ? INFINITY : mu[i == 1 || i == 2 ? 0 : 3];
    }
    if (!perp_local_discs(M, W, q, hi, disc, slip, z))
      continue;
    found++;
    quad y[M], size;
    for (int i = 0; i < M; i++) {
      y[i] = q[i];
      for (int j = 0; j < M; j++)
        y[i] += (quad)W[M * i + j] * z[j];
    }
    const oracle_law law = oracle_law_of(M, 1, mu);
    const quad r = oracle_residual(&law, z, y, &size);
    CHECK_SAY(r <= 1e-12, "case %d: residual %g", n, (double)r);
  }
  printf("  %d of %d local problems solved\n", found, cases);
  CHECK(found >= cases - cases / 50);
}

/* Torsion and rolling have coefficients 25 and 50 times smaller than slide: with one step length for
 * all axes these methods need thousands of iterations. */
static void small_torsion(void)
{
  static const char *const methods[] = {"apgd", "admm", "prox"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    for (int seed = 3; seed < 6; seed++) {
      char name[96];
      snprintf(name, sizeof name, "stack:n=2,form=elliptic,operator=contact,plant=yes,seed=%d",
               seed);
      perp_instance instance = {0};
      perp_message why = {""};
      CHECK_SAY(perp_generate(name, &instance, &why) == PERP_OK, "%s", why.text);
      const perp_problem p = perp_instance_problem(&instance);
      double *x = calloc((size_t)p.K.n, sizeof *x);
      perp_options options = perp_options_default();
      options.max_iterations = 600;
      perp_result result = perp_result_empty();
      CHECK(perp_solve(methods[k], &p, &options, x, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_SOLVED, "%s on %s: %s", methods[k], name,
                result.message.text);
      free(x);
      perp_instance_destroy(&instance);
    }
}

/* ---- Files and bad input ---- */

/* A folder returns every bit; dim, law and mu are in it. */
static void folders(void)
{
  static world w;
  perp_random random = perp_random_from(5);
  for (int n = 0; n < 5; n++) {
    make_world(&random, MIXED, &w);
    perp_operator *A = NULL;
    perp_message why = {""};
    CHECK(perp_operator_dense(w.n, w.A, w.n, PERP_BORROW, &A, &why) == PERP_OK);
    const perp_problem p = problem_of(&w, A);
    char path[64];
    snprintf(path, sizeof path, "friction-folder-%d.tmp", (int)getpid());
    CHECK_SAY(perp_problem_write(path, &p, w.x, &why) == PERP_OK, "%s", why.text);
    perp_instance read = {0};
    CHECK_SAY(perp_folder_read(path, &read, &why) == PERP_OK, "%s", why.text);
    CHECK_EQUAL_INT(read.cones, w.contacts);
    bool discs = false;
    for (int c = 0; c < w.contacts; c++) {
      CHECK(read.dim[c] == w.dim[c] && read.cone[c] == w.cone[c]);
      discs = discs || w.law[c];
      CHECK(!discs || read.law[c] == w.law[c]);
      for (int k = 0; k < 5; k++)
        CHECK(read.mu[5 * c + k] == w.mu[5 * c + k]);
    }
    const perp_problem again = perp_instance_problem(&read);
    double one[2], two[2];
    CHECK(perp_problem_judge(&p, w.x, one, one + 1, &why) == PERP_OK);
    CHECK(perp_problem_judge(&again, read.x, two, two + 1, &why) == PERP_OK);
    CHECK(one[0] == two[0] && one[1] == two[1]);
    perp_instance_destroy(&read);
    perp_operator_destroy(A);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", path);
    CHECK(system(command) == 0);
  }
}

/* Solves two contacts of that many rows, of one law; A and b without the rows of axis `left_out` (0:
 * none). */
static void solve_two(const char *method, const double *A, const double *b, int rows, int law,
                      const double mu[5], int left_out, double *x)
{
  enum { TWO = 2 * PERP_FRICTION_ROWS };
  const int kept = rows - (left_out > 0), n = 2 * kept;
  double a[TWO * TWO], q[TWO], all[10] = {0};
  int from[TWO], count = 0;
  for (int i = 0; i < 2 * rows; i++)
    if (left_out == 0 || i % rows != left_out)
      from[count++] = i;
  for (int i = 0; i < n; i++) {
    q[i] = b[from[i]];
    for (int j = 0; j < n; j++)
      a[i * n + j] = A[from[i] * 2 * rows + from[j]];
  }
  for (int c = 0; c < 2; c++)
    for (int k = 1; k < kept; k++)
      all[5 * c + perp_friction_column(kept, k)] =
          mu[perp_friction_column(rows, left_out > 0 && k >= left_out ? k + 1 : k)];
  perp_operator *op = NULL;
  perp_message why;
  CHECK(perp_operator_dense(n, a, n, PERP_BORROW, &op, &why) == PERP_OK);
  perp_set K = perp_set_default(n);
  K.mu = all;
  K.cones = 2;
  K.dim = (const int[]){kept, kept};
  K.law = (const int[]){law, law};
  const perp_problem p = perp_problem_product(op, q, &K);
  perp_options options = perp_options_default();
  options.tol = 1e-11;
  perp_result result = perp_result_empty();
  double z[TWO] = {0};
  CHECK(perp_solve(method, &p, &options, z, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s, %d rows, law %d, axis %d: %s", method, rows, law,
            left_out, result.message.text);
  memset(x, 0, 2 * (size_t)rows * sizeof *x);
  for (int i = 0; i < n; i++)
    x[from[i]] = z[i];
  perp_operator_destroy(op);
}

/* An axis whose coefficient is 0 has no force, and the others have those of the problem without its
 * row. A contact without an axis must be one of the law: elliptic axes can be renumbered, of discs the
 * torsion can be left out, and a slide of two or one. */
static void axes_without_friction(void)
{
  enum { TWO = 2 * PERP_FRICTION_ROWS };
  static const char *const methods[] = {"auto", "bgs", "ssn", "ipm"};
  perp_random random = perp_random_from(31);
  int compared = 0;
  for (int rows = 2; rows <= PERP_FRICTION_ROWS; rows++)
    for (int law = 0; law < 2; law++)
      for (int axis = 1; axis < rows; axis++) {
        const bool without = law == PERP_FRICTION_ELLIPTIC || rows <= 3 || (rows != 5 && axis == 3);
        const int n = 2 * rows;
        double G[TWO * TWO], A[TWO * TWO], b[TWO], mu[5] = {0};
        for (int e = 0; e < n * n; e++)
          G[e] = perp_random_between(&random, -1, 1);
        for (int i = 0; i < n; i++) {
          b[i] = i % rows == 0 ? -3 : perp_random_between(&random, -2, 2);
          for (int j = 0; j < n; j++) {
            A[i * n + j] = i == j ? 2 : 0;
            for (int k = 0; k < n; k++)
              A[i * n + j] += 0.2 * G[i * n + k] * G[j * n + k];
          }
        }
        for (int k = 1; k < rows; k++)
          mu[perp_friction_column(rows, k)] =
              k == axis ? 0 : perp_random_between(&random, 0.1, 0.5);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
          double x[TWO], other[TWO];
          solve_two(methods[m], A, b, rows, law, mu, 0, x);
          CHECK(x[axis] == 0 && x[rows + axis] == 0);
          if (!without)
            continue;
          solve_two(methods[m], A, b, rows, law, mu, axis, other);
          compared++;
          for (int i = 0; i < n; i++)
            CHECK_SAY(fabs(x[i] - other[i]) <= 1e-9, "%s, %d rows, law %d, axis %d: %.12g, %.12g",
                      methods[m], rows, law, axis, x[i], other[i]);
        }
      }
  CHECK(compared > 60);
}

/* Every wrong number is refused, and the message names it. */
static void refusals(void)
{
  static world w;
  w = (world){.n = 6, .contacts = 1, .dim = {6}, .mu = {1, 1, 1, 1, 1}};
  for (int i = 0; i < 6; i++)
    w.A[7 * i] = w.b[i] = 1;
  perp_operator *A = NULL;
  perp_message why = {""};
  CHECK(perp_operator_dense(6, w.A, 6, PERP_BORROW, &A, &why) == PERP_OK);
  const perp_problem p = problem_of(&w, A);
  CHECK_SAY(perp_problem_validate(&p, &why) == PERP_OK, "%s", why.text);
  static const struct {
    int dim, law, cone, column;
    double mu;
    const char *message;
  } wrong[] = {
      {7, 0, 0, 0, 1, "dim[0] = 7"},
      {0, 0, 0, 0, 1, "dim[0] = 0"},
      {6, 2, 0, 0, 1, "law[0] = 2"},
      {6, 0, 1, 0, 1, "cone[0] = 1"},
      {6, 0, 0, 3, -1, "mu[0][3] = -1"},
      {6, 0, 0, 4, NAN, "mu[0][4] ="},
      {6, 0, 0, 2, INFINITY, "mu[0][2] = inf"},
      {5, 0, 0, 0, 1, "mu[0][2] = 1, but a contact of 5 rows has no torsion"},
      {3, 0, 0, 0, 1, "mu[0][2] = 1, but a contact of 3 rows has no torsion"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    w.dim[0] = wrong[k].dim;
    w.law[0] = wrong[k].law;
    w.cone[0] = wrong[k].cone;
    w.mu[wrong[k].column] = wrong[k].mu;
    CHECK(perp_problem_validate(&p, &why) == PERP_ERROR_PROBLEM);
    CHECK_SAY(strstr(why.text, wrong[k].message), "%s", why.text);
    w.mu[wrong[k].column] = 1;
  }
  /* methods with cones of three rows refuse by name */
  w.dim[0] = 6;
  w.law[0] = w.cone[0] = 0;
  double x[6] = {0};
  perp_result result = perp_result_empty();
  CHECK(perp_solve("primal", &p, NULL, x, &result) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(result.message.text, "contact"), "%s", result.message.text);
  perp_operator_destroy(A);
}

static const test_case TESTS[] = {TEST(projections),
                                  TEST(residuals),
                                  TEST(solves),
                                  TEST(a_few_rows_end_as_with_a_driver),
                                  TEST(laws_by_methods_and_operators),
                                  TEST(a_box_at_rest),
                                  TEST(discs_in_a_metric),
                                  TEST(fast_slips),
                                  TEST(small_torsion),
                                  TEST(folders),
                                  TEST(axes_without_friction),
                                  TEST(a_copy_has_the_verdict_of_its_problem),
                                  TEST(refusals)};
TEST_MAIN(TESTS)
