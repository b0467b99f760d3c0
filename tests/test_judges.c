/* Every judge of the library gets the same x, made to deceive it: x up to 1e16 times y, sums that
 * cancel, friction coefficients from 0 to 1e17, infinite bounds, degenerate rows, subnormal
 * numbers. An oracle in 113 bits computes y = A x + b and the natural residual; it shares no code
 * with the library. No judge may say "solved" for an x whose residual is above tol * scale.
 * PERP_TEST_DEVICE=cuda:0 in the environment runs the same on a GPU. */
#include "device.h"
#include "judge_samples.h"

#include "verdict/natural.h"
#include "verdict/verdict.h"

/* ---- Rows and cones separately ---- */

static void rows_alone(void)
{
  perp_random random = perp_random_from(1);
  for (int k = 0; k < 20000; k++) {
    const double y = draw(&random, -12, 3), x = y * draw(&random, -2, 16);
    const double normal = fabs(draw(&random, -3, 12));
    const double away = perp_random_below(&random, 3) ? draw(&random, -3, 2) * y : 0;
    double lo = (x + away) / normal, hi = lo + fabs(draw(&random, -12, 3));
    lo = perp_random_below(&random, 5) == 0 ? -INFINITY : lo;
    hi = perp_random_below(&random, 5) == 0 ? INFINITY : hi;
    const quad truth = oracle_row(x, y, lo, hi, normal);
    const double found = perp_natural_friction(x, y, lo, hi, normal);
    CHECK_SAY(quad_abs(found - truth) <= 1e-15L * truth, "%d: %g against %g", k, found,
              (double)truth);
  }
}

static void cones_alone(void)
{
  perp_random random = perp_random_from(2);
  for (int k = 0; k < 100000; k++) {
    const double mu = draw_mu(&random), shift = k % 10 == 0 ? pow(10, -290) : 1;
    const double small = fabs(draw(&random, -12, 0)) * shift;
    double x[3], y[3];
    draw_cone(&random, mu, small * fabs(draw(&random, -2, 16)), small, x, y);
    const quad wide[3] = {y[0], y[1], y[2]};
    quad slop = 0;
    const quad truth = oracle_cone(mu, x, wide, &slop);
    const double found = perp_natural_cone(mu, x, y);
    CHECK_SAY(quad_abs(found - truth) <= 1e-6L * truth + 1e3L * slop + 5e-324L,
              "%d: %.17g against %.17g, mu %g, x %.17g %.17g %.17g, y %.17g %.17g %.17g", k, found,
              (double)truth, mu, x[0], x[1], x[2], y[0], y[1], y[2]);
  }
}

/* ---- Contact worlds ---- */

enum { CONTACTS = 4, ROWS = 3 * CONTACTS, BODIES = 2, FREEDOM = 6 };

/* Contacts of two bodies, or of one with the ground; cones, or rows with bounds. */
typedef struct world {
  int contacts, freedom, findex[ROWS], body[2 * CONTACTS];
  bool cones;
  double J[ROWS * 2 * FREEDOM], Minv[BODIES * FREEDOM * FREEDOM], C[ROWS];
  double b[ROWS], lo[ROWS], hi[ROWS], mu[CONTACTS], x[ROWS];
} world;

/* (A x)_i of all rows in the given number type, body by body. */
#define DEFINE_PRODUCT(name, number)                                                               \
  static void name(const world *w, const double *x, number *y)                                     \
  {                                                                                                \
    const int f = w->freedom;                                                                      \
    number u[BODIES][FREEDOM] = {{0}}, v[BODIES][FREEDOM] = {{0}};                                 \
    for (int i = 0; i < 3 * w->contacts; i++)                                                      \
      for (int s = 0; s < 2; s++)                                                                  \
        for (int k = 0; k < f && w->body[2 * (i / 3) + s] >= 0; k++)                               \
          u[w->body[2 * (i / 3) + s]][k] += (number)w->J[(2 * i + s) * f + k] * x[i];              \
    for (int m = 0; m < BODIES; m++)                                                               \
      for (int k = 0; k < f; k++)                                                                  \
        for (int l = 0; l < f; l++)                                                                \
          v[m][k] += (number)w->Minv[(m * f + k) * f + l] * u[m][l];                               \
    for (int i = 0; i < 3 * w->contacts; i++) {                                                    \
      y[i] = 0;                                                                                    \
      for (int s = 0; s < 2; s++)                                                                  \
        for (int k = 0; k < f && w->body[2 * (i / 3) + s] >= 0; k++)                               \
          y[i] += (number)w->J[(2 * i + s) * f + k] * v[w->body[2 * (i / 3) + s]][k];              \
      y[i] += (number)w->C[i] * x[i];                                                              \
    }                                                                                              \
  }
DEFINE_PRODUCT(product_in_double, double)
DEFINE_PRODUCT(product_in_quad, quad)

static double world_scale(const world *w)
{
  double most = 0;
  for (int i = 0; i < 3 * w->contacts; i++)
    most = fmax(most, fabs(w->b[i]));
  return most > 0 ? most : 1;
}

static quad world_residual(const world *w, const double *x, quad *slop)
{
  quad y[ROWS], worst = 0;
  product_in_quad(w, x, y);
  for (int i = 0; i < 3 * w->contacts; i++)
    y[i] += w->b[i];
  for (int c = 0; c < w->contacts && w->cones; c++)
    worst = quad_max(worst, oracle_cone(w->mu[c], x + 3 * c, y + 3 * c, slop));
  for (int i = 0; i < 3 * w->contacts && !w->cones; i++) {
    const double normal = w->findex[i] >= 0 ? fabs(x[w->findex[i]]) : 1;
    worst = quad_max(worst, oracle_row(x[i], y[i], w->lo[i], w->hi[i], normal));
  }
  return worst;
}

static void draw_contact(perp_random *random, world *w, int c)
{
  const int f = w->freedom, place = 6 * f * c;
  w->body[2 * c] = perp_random_below(random, BODIES);
  w->body[2 * c + 1] = perp_random_below(random, 2) ? -1 : 1 - w->body[2 * c];
  w->mu[c] = draw_mu(random);
  for (int k = 0; k < 6 * f; k++)
    w->J[place + k] = perp_random_between(random, -1, 1);
  if (c % 2 == 1 && perp_random_below(random, 4)) { /* against the one before */
    memcpy(w->body + 2 * c, w->body + 2 * c - 2, 2 * sizeof *w->body);
    w->mu[c] = w->mu[c - 1];
    for (int k = 0; k < 6 * f; k++)
      w->J[place + k] = -w->J[place - 6 * f + k];
  }
  for (int t = 0; t < 3; t++) {
    const int i = 3 * c + t, kind = perp_random_below(random, 5);
    const bool friction = t > 0 && kind < 3;
    w->findex[i] = friction ? 3 * c : -1;
    w->lo[i] = friction ? -w->mu[c] : kind == 3 ? -INFINITY : 0;
    w->hi[i] = friction ? w->mu[c] : kind == 4 ? 1e300 : INFINITY;
    w->C[i] = perp_random_below(random, 2) ? 0 : fabs(draw(random, -12, -6));
  }
}

static world draw_world(perp_random *random)
{
  world w = {.contacts = 1 + perp_random_below(random, CONTACTS),
             .freedom = perp_random_below(random, 2) ? 6 : 3,
             .cones = perp_random_below(random, 2)};
  const int f = w.freedom;
  const double mass = fabs(draw(random, -12, 2)), size = fabs(draw(random, 0, 14));
  double y[ROWS] = {0}, plain[ROWS];
  quad exact[ROWS];
  for (int m = 0; m < BODIES; m++)
    for (int k = 0; k < f; k++)
      w.Minv[(m * f + k) * f + k] = mass * perp_random_between(random, 0.5, 2);
  for (int c = 0; c < w.contacts; c++) {
    draw_contact(random, &w, c);
    const double small = mass * size * fabs(draw(random, -16, -6));
    draw_cone(random, w.mu[c] > 1e3 ? 1 : w.mu[c], size, small, w.x + 3 * c, y + 3 * c);
    if (c % 2 == 1 && perp_random_below(random, 4))
      for (int t = 0; t < 3; t++)
        w.x[3 * c + t] = w.x[3 * c + t - 3] * (1 + fabs(draw(random, -16, -8)));
  }
  product_in_double(&w, w.x, plain);
  product_in_quad(&w, w.x, exact);
  const bool deceive = perp_random_below(random, 2); /* plain sums give a nonzero y, although it is
                                                      * 0 */
  for (int i = 0; i < 3 * w.contacts; i++)
    w.b[i] = (double)(deceive ? y[i] - plain[i] : y[i] - exact[i]);
  return w;
}

static perp_contact_bodies world_bodies(const world *w)
{
  perp_contact_bodies bodies = perp_contact_bodies_default();
  bodies.rows = 3 * w->contacts;
  bodies.bodies = BODIES;
  bodies.freedom = w->freedom;
  bodies.together = 3;
  bodies.body = w->body;
  bodies.J = w->J;
  bodies.Minv = w->Minv;
  bodies.C_diagonal = w->C;
  return bodies;
}

/* A judge's verdicts on some x, and how often "solved" was right. */
typedef struct judge_record {
  const char *name;
  int asked, solved;
} judge_record;

static void examine(judge_record *r, const world *w, int k, const double *x, bool solved,
                    double residual, double tol)
{
  quad slop = 0;
  const quad truth = world_residual(w, x, &slop);
  const double target = tol * world_scale(w);
  r->asked++;
  r->solved += solved;
  CHECK_SAY(!solved || truth <= (1 + 1e-6L) * target + slop,
            "%s, world %d: solved with residual %g, but it is %g, and %g is allowed", r->name, k,
            residual, (double)truth, target);
}

typedef struct place {
  perp_judge_place judge;
  perp_precision precision;
  bool device;
} place;

static void solve_batch(judge_record *r, const world *w, int k, const char *method, place at,
                        perp_device *device, double tol)
{
  const perp_contact_bodies bodies = world_bodies(w);
  perp_batch batch = perp_batch_worlds(1, &bodies, w->b);
  perp_options o = perp_options_default();
  perp_result whole = perp_result_empty();
  perp_batch_end end = {.error = PERP_OK};
  perp_solver *solver = NULL;
  double x[ROWS];
  memcpy(x, w->x, sizeof x);
  batch.mu = w->cones ? w->mu : NULL;
  batch.lo = w->cones ? NULL : w->lo;
  batch.hi = w->cones ? NULL : w->hi;
  batch.findex = w->cones ? NULL : w->findex;
  o.tol = tol;
  o.max_iterations = 3;
  o.device = at.device ? device : NULL;
  perp_device_set_judge(device, at.judge);
  perp_device_set_precision(device, at.precision);
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  if (at.precision == PERP_PRECISION_SINGLE)
    CHECK(perp_solver_set(solver, "omega", 1, NULL) == PERP_OK);
  CHECK_SAY(perp_batch_solve(solver, &batch, &o, x, &end, &whole) == PERP_OK, "%s",
            whole.message.text);
  perp_solver_destroy(solver);
  if (!end.error)
    examine(r, w, k, x, end.outcome == PERP_SOLVED, end.residual, tol);
}

static void solve_alone(judge_record r[3], const world *w, int k, const char *method, double tol)
{
  const perp_contact_bodies bodies = world_bodies(w);
  perp_operator *A = NULL;
  perp_options o = perp_options_default();
  perp_result result = perp_result_empty();
  perp_islands *islands = NULL;
  double x[ROWS], residual = 0, scale = 0;
  CHECK(perp_operator_contact_bodies(&bodies, PERP_COPY, &A, NULL) == PERP_OK);
  perp_problem p = perp_problem_cone(A, w->b, w->mu);
  if (!w->cones)
    p = perp_problem_friction(A, w->b, w->lo, w->hi, w->findex);
  o.tol = tol;
  o.max_iterations = 3;
  CHECK(perp_problem_judge(&p, w->x, &residual, &scale, NULL) == PERP_OK);
  examine(&r[0], w, k, w->x, residual <= tol * scale, residual, tol);
  memcpy(x, w->x, sizeof x);
  if (perp_solve(method, &p, &o, x, &result) == PERP_OK)
    examine(&r[1], w, k, x, result.outcome == PERP_SOLVED, result.residual, tol);
  memcpy(x, w->x, sizeof x);
  result = perp_result_empty();
  CHECK(perp_islands_create(method, &islands, NULL) == PERP_OK);
  if (perp_islands_solve(islands, &p, &o, x, &result) == PERP_OK)
    examine(&r[2], w, k, x, result.outcome == PERP_SOLVED, result.residual, tol);
  perp_islands_destroy(islands);
  perp_operator_destroy(A);
}

static void contact_worlds(void)
{
  static const place places[] = {
      {PERP_JUDGE_HOST, PERP_PRECISION_DOUBLE, false},
      {PERP_JUDGE_HOST, PERP_PRECISION_DOUBLE, true},
      {PERP_JUDGE_DEVICE, PERP_PRECISION_DOUBLE, true},
      {PERP_JUDGE_DEVICE, PERP_PRECISION_SINGLE, true},
  };
  judge_record r[] = {{"perp_problem_judge", 0, 0},
                      {"perp_solve", 0, 0},
                      {"perp_islands_solve", 0, 0},
                      {"batch", 0, 0},
                      {"batch on a device, judged by the host", 0, 0},
                      {"batch on a device", 0, 0},
                      {"batch on a device in single precision", 0, 0}};
  static const double tols[] = {1e-8, 1e-6, 1e-10, 1e-13};
  perp_random random = perp_random_from(3);
  perp_device *device = open_device();
  for (int k = 0; k < 4000; k++) {
    const world w = draw_world(&random);
    const double tol = tols[k % 4];
    solve_alone(r, &w, k, w.cones ? "bgs" : "psor", tol);
    for (int j = 0; j < 4; j++)
      if (places[j].precision == PERP_PRECISION_DOUBLE || !w.cones)
        solve_batch(&r[3 + j], &w, k, w.cones ? "bgs" : "coloured", places[j], device, tol);
  }
  perp_device_destroy(device);
  for (size_t j = 0; j < sizeof r / sizeof *r; j++)
    CHECK_SAY(r[j].asked > 1000 && r[j].solved > 50, "%s: asked %d times, %d solved", r[j].name,
              r[j].asked, r[j].solved);
}

/* One contact with a cone, Minv = 1e-9 and y_n = 3e-8: x is 1e8 times larger, and x - y is x. */
static void light_contact(void)
{
  static const double J[3 * 12] = {[0] = 1, [13] = 1, [26] = 1};
  world w = {.contacts = 1, .freedom = 6, .cones = true, .body = {0, -1}, .mu = {0.5}};
  perp_device *device = open_device();
  judge_record r = {"one contact on a device", 0, 0};
  memcpy(w.J, J, sizeof J);
  for (int k = 0; k < 2 * FREEDOM; k++)
    w.Minv[7 * k - (k < FREEDOM ? 0 : 6)] = 1e-9;
  w.x[0] = 1e9;
  w.b[0] = -1 + 3e-8;
  for (int j = 0; j < 2; j++) {
    const place at = {j ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST, PERP_PRECISION_DOUBLE, true};
    solve_batch(&r, &w, j, "bgs", at, device, 1e-8);
  }
  perp_device_destroy(device);
}

static const test_case TESTS[] = {TEST(rows_alone), TEST(cones_alone), TEST(light_contact),
                                  TEST(contact_worlds)};
TEST_MAIN(TESTS)
