/* test_generate_mechanics.c: scenes of contacts, and the particle, against elementary mechanics:
 * weights, friction, closed forms */
#include "contact_oracles.h"
#include "generate_contact.h"

#include "base/random.h"

/* ---- Physics ---- */

/* At rest every face of a stack carries h g times the mass above it, whatever the split. */
static void stacks_are_hydrostatic(void)
{
  for (int n = 1; n <= 6; n++) {
    perp_instance p = generate("stack:n=%d,ratio=3,slop=0,h=0.02,gravity=10", n);
    double *a = dense_of(p.A), *x = calloc(4 * (size_t)n, sizeof *x);
    CHECK(solve_pgs(&p, a, 1e-13, 200000, x));
    for (int k = 0; k < n; k++) {
      double above = 0, carried = 0;
      for (int box = k; box < n; box++)
        above += box % 2 ? 3 : 1;
      for (int corner = 0; corner < 4; corner++)
        carried += x[4 * k + corner];
      CHECK_CLOSE(carried, 0.02 * 10 * above, 1e-10);
    }
    free(a);
    free(x);
    perp_instance_destroy(&p);
  }
}

/* With enough friction everything stands: the impulses undo a step of gravity in every body. */
static void scenes_stand_by_friction(void)
{
  static const char *const standing[] = {"stack:n=3,ratio=2", "arch:n=5", "cards:n=2", "pile:n=10",
                                         "wall:rows=2,columns=2,speed=0"};
  for (size_t s = 0; s < sizeof standing / sizeof *standing; s++) {
    perp_instance p =
        generate("%s,form=findex,mu=1,slop=0,operator=contact,h=0.1,gravity=10", standing[s]);
    const int n = perp_operator_size(p.A);
    perp_contact_data d = perp_contact_data_default();
    CHECK(perp_operator_contact_data(p.A, &d) == PERP_OK);
    double *a = dense_of(p.A), *x = calloc((size_t)n, sizeof *x);
    CHECK_SAY(solve_pgs(&p, a, 1e-9, 40000, x), "%s", standing[s]);
    double *impulse = calloc((size_t)d.velocities, sizeof *impulse);
    for (int i = 0; i < n; i++)
      for (int64_t e = d.J_start[i]; e < d.J_start[i + 1]; e++)
        impulse[d.J_column[e]] += d.J_value[e] * x[i];
    const int bodies = d.blocks - (strncmp(standing[s], "wall", 4) == 0); /* the ball falls */
    for (int k = 0; k < bodies; k++)
      for (int i = 0; i < 6; i++) {
        double v = i == 2 ? -1 : 0;
        for (int j = 0; j < 6; j++)
          v += d.Minv[36 * k + 6 * i + j] * impulse[6 * k + j];
        CHECK_SAY(fabs(v) < 1e-6, "%s: velocity %d of body %d is %g", standing[s], i, k, v);
      }
    free(a);
    free(x);
    free(impulse);
    perp_instance_destroy(&p);
  }
}

/* b of one box: free fall, gap over h if open, erp times that if it penetrates. */
static void right_hand_side_is_free_fall_and_gap(void)
{
  perp_instance still = generate("stack:n=1,slop=0,h=0.5,gravity=8");
  for (int k = 0; k < 4; k++)
    CHECK(still.b[k] == -4);
  perp_instance open = generate("stack:n=1,slop=0.1,h=0.5,gravity=0,erp=1,seed=9");
  perp_instance soft = generate("stack:n=1,slop=0.1,h=0.5,gravity=0,erp=0.25,seed=9");
  int below = 0;
  for (int k = 0; k < 4; k++) {
    CHECK(fabs(open.b[k]) <= 0.2);
    CHECK_CLOSE(soft.b[k], open.b[k] < 0 ? 0.25 * open.b[k] : open.b[k], 1e-16);
    below += open.b[k] < 0;
  }
  CHECK(below > 0 && below < 4);
  perp_instance_destroy(&still);
  perp_instance_destroy(&open);
  perp_instance_destroy(&soft);
  /* the ball approaches with its speed, in the last row of contacts */
  perp_instance hit = generate("wall:rows=2,columns=2,form=lcp,slop=0,speed=7");
  CHECK_CLOSE(hit.b[perp_operator_size(hit.A) - 1], -7, 1e-14);
  perp_instance_destroy(&hit);
}

/* ---- The walls of the table ---- */

static double power(const perp_operator *A)
{
  const int n = perp_operator_size(A);
  double *z = malloc((size_t)n * sizeof *z), *y = malloc((size_t)n * sizeof *y), lambda = 0;
  double *scratch = malloc((perp_operator_scratch(A) + 1) * sizeof *scratch);
  for (int i = 0; i < n; i++)
    z[i] = 1 + i % 7;
  for (int k = 0; k < 200; k++) {
    double square = 0;
    for (int i = 0; i < n; i++)
      square += z[i] * z[i];
    for (int i = 0; i < n; i++)
      z[i] /= sqrt(square);
    CHECK(perp_operator_apply(A, z, y, scratch, NULL) == PERP_OK);
    lambda = 0;
    for (int i = 0; i < n; i++) {
      lambda += z[i] * y[i];
      z[i] = y[i];
    }
  }
  free(z);
  free(y);
  free(scratch);
  return lambda;
}

/* Bodies, rows and condition numbers of Morales, Nocedal and Smelyanskiy (2008), table 1. */
static void named_walls_match_the_table(void)
{
  static const struct {
    const char *name;
    int bodies, rows;
    double condition;
  } table[] = {
      {"nb7_nc18", 7, 18, 5.83e1},         {"nb8_nc45", 8, 45, 2.92e3},
      {"nb8_nc48", 8, 48, 2.38e3},         {"nb235_nc1044", 235, 1044, 4.58e4},
      {"nb449_nc1821", 449, 1821, 4.22e4}, {"nb907_nc5832", 907, 5832, 5.11e7},
      {"nb948_nc7344", 948, 7344, 9.02e7}, {"nb966_nc8220", 966, 8220, 9.19e7},
      {"nb976_nc8745", 976, 8745, 6.45e7}, {"nb977_nc9534", 977, 9534, 1.03e8},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    perp_instance p = generate("wall:size=%s,operator=contact", table[k].name);
    perp_contact_data d = perp_contact_data_default();
    CHECK(perp_operator_contact_data(p.A, &d) == PERP_OK);
    CHECK_EQUAL_INT(d.rows, table[k].rows);
    CHECK_EQUAL_INT(d.blocks, table[k].bodies);
    CHECK(p.kind == PERP_KIND_SOLVABLE);
    const int n = d.rows;
    if (n < 100) {
      double *a = dense_of(p.A), *lambda = malloc((size_t)n * sizeof *lambda), least, most;
      CHECK(is_positive(n, a, 0));
      eigenvalues(n, a, lambda);
      extremes(n, lambda, &least, &most);
      CHECK_CLOSE(most / least / table[k].condition, 1, 0.01);
      free(a);
      free(lambda);
    } else {
      /* the least eigenvalue is cfm: A - cfm I is singular */
      const double cfm = d.C_value[0];
      CHECK_CLOSE(power(p.A) / cfm / table[k].condition, 1, 0.01);
      if (n > 1500) {
        CHECK(n > d.velocities || n == 1821);
      } else {
        double *a = dense_of(p.A);
        CHECK(is_positive(n, a, -0.99 * cfm) && !is_positive(n, a, -1.01 * cfm));
        free(a);
      }
    }
    perp_instance_destroy(&p);
  }
}

/* ---- The particle ---- */

/* Solves the k x k system in place by elimination with pivoting; returns false if it is
 * singular. */
static bool solve_dense(int k, double m[6][7])
{
  for (int c = 0; c < k; c++) {
    int best = c;
    for (int r = c + 1; r < k; r++)
      best = fabs(m[r][c]) > fabs(m[best][c]) ? r : best;
    if (fabs(m[best][c]) < 1e-9)
      return false;
    for (int e = 0; e <= k; e++) {
      const double swap = m[c][e];
      m[c][e] = m[best][e];
      m[best][e] = swap;
    }
    for (int r = 0; r < k; r++)
      for (int e = k; r != c && e >= c; e--)
        m[r][e] -= m[r][c] / m[c][c] * m[c][e];
  }
  for (int r = 0; r < k; r++)
    m[r][k] /= m[r][r];
  return true;
}

/* Tries every complementary basis of an LCP of six rows; every basis that gives a solution must
 * give x. */
static int bases_that_agree(const perp_instance *p, const double *a)
{
  int agree = 0;
  for (unsigned basis = 0; basis < 64; basis++) {
    double m[6][7], x[6] = {0};
    int S[6], k = 0;
    for (int i = 0; i < 6; i++)
      if (basis >> i & 1)
        S[k++] = i;
    for (int r = 0; r < k; r++) {
      for (int c = 0; c < k; c++)
        m[r][c] = a[6 * S[r] + S[c]];
      m[r][k] = -p->b[S[r]];
    }
    if (!solve_dense(k, m))
      continue;
    for (int r = 0; r < k; r++)
      x[S[r]] = m[r][k];
    double *y = velocity_of(p, a, x);
    const bool solves = violation(p, x, y) < 1e-9;
    free(y);
    for (int i = 0; solves && i < 6; i++)
      CHECK_CLOSE(x[i], p->x[i], 1e-6);
    agree += solves;
  }
  return agree;
}

static void particle_is_solved_in_closed_form(void)
{
  perp_random random = perp_random_from(8);
  int unique = 0, open = 0, sticking = 0, sliding = 0;
  for (int trial = 0; trial < 600; trial++) {
    const double zeta = trial % 3 ? 0 : perp_random_between(&random, 0.01, 0.5);
    char text[200];
    snprintf(text, sizeof text, "mass=%g,gravity=%g,gap=%g,vt=%g,vo=%g,vn=%g,mu=%g,zeta=%g",
             perp_random_between(&random, 0.5, 2), perp_random_between(&random, 0, 20),
             perp_random_between(&random, 0, 0.2), perp_random_between(&random, -1, 1),
             perp_random_between(&random, -1, 1), perp_random_between(&random, -2, 0),
             perp_random_between(&random, 0, 1.5), zeta);
    for (int conic = 0; conic < 2; conic++) {
      perp_instance p = generate("particle:form=%s,%s", conic ? "conic" : "linearised", text);
      double *a = dense_of(p.A), *y = velocity_of(&p, a, p.x);
      CHECK_SAY(violation(&p, p.x, y) < 1e-12, "%s: %g", text, violation(&p, p.x, y));
      if (conic) {
        CHECK(p.kind == PERP_KIND_SOLVABLE);
        open += p.x[0] == 0;
        sliding += p.x[0] > 0 && fabs(y[1]) > 1e-9;
        sticking += p.x[0] > 0 && fabs(y[1]) <= 1e-9;
      } else if (p.kind == PERP_KIND_SOLVABLE) {
        CHECK(bases_that_agree(&p, a) > 0);
        unique++;
      }
      free(a);
      free(y);
      perp_instance_destroy(&p);
    }
  }
  CHECK(unique > 100 && open > 20 && sliding > 100 && sticking > 50);
}

/* The numbers printed in the source: (33), with the normal row relaxed as in its (11). */
static void particle_matrix_is_the_published_one(void)
{
  const double z = 0.25;
  const double wanted[36] = {1 + z, 0,     0,     0,     0,     0, /**/
                             0,     1 + z, 0,     -1,    0,     1, /**/
                             0,     0,     1 + z, 0,     -1,    1, /**/
                             0,     -1,    0,     1 + z, 0,     1, /**/
                             0,     0,     -1,    0,     1 + z, 1, /**/
                             0.5,   -1,    -1,    -1,    -1,    z};
  perp_instance p = generate("particle:zeta=0.25");
  double *a = dense_of(p.A);
  for (int k = 0; k < 36; k++)
    CHECK(a[k] == wanted[k]);
  free(a);
  perp_instance_destroy(&p);
  /* g = -10: p_n = 1/2, and friction of 1/4 leaves a slip of 3/4 */
  p = generate("particle");
  const double x[6] = {0.5, 0, 0, 0.25, 0, 0.75};
  for (int k = 0; k < 6; k++)
    CHECK_CLOSE(p.x[k], x[k], 1e-15);
  CHECK(p.kind == PERP_KIND_SOLVABLE);
  perp_instance_destroy(&p);
  /* g = -5: it just touches */
  p = generate("particle:gravity=5,form=conic");
  CHECK_CLOSE(p.x[0], 0, 1e-15);
  CHECK_CLOSE(p.b[0], 0, 1e-15);
  perp_instance_destroy(&p);
}

static const test_case tests[] = {
    TEST(stacks_are_hydrostatic),
    TEST(scenes_stand_by_friction),
    TEST(right_hand_side_is_free_fall_and_gap),
    TEST(named_walls_match_the_table),
    TEST(particle_is_solved_in_closed_form),
    TEST(particle_matrix_is_the_published_one),
};

TEST_MAIN(tests)
