/* test_generate_contact.c: the problems that contact scenes give, in every form */
#include "contact_oracles.h"
#include "generate_contact.h"

/* ---- Every scene in every form ---- */

static void planted_solutions_solve(void)
{
  static const char *const settings[] = {"", ",cfm=0.01", ",mu=0", ",mu=3,directions=7,sliding=0.8",
                                         ",degenerate=0.4,gravity=0"};
  for (int s = 0; s < SCENES; s++)
    for (int f = 0; f < FORMS; f++) {
      if (f == 1 && named_wall(scenes[s]))
        continue;
      for (int k = 0; k < 5; k++)
        for (int op = 0; op < 2; op++) {
          perp_instance p = generate("%s,form=%s,plant=yes,operator=%s,seed=%d%s", scenes[s],
                                     forms[f], op ? "contact" : "csr", k + 1, settings[k]);
          double *a = dense_of(p.A);
          CHECK(p.x);
          double *y = velocity_of(&p, a, p.x);
          const perp_problem problem = perp_instance_problem(&p);
          const double scale = scale_of(&p);
          CHECK_SAY(violation(&p, p.x, y) <= 1e-10 * scale, "%s %s %s: %g", scenes[s], forms[f],
                    settings[k], violation(&p, p.x, y) / scale);
          CHECK_SAY(perp_problem_residual(&problem, p.x, y) <= 1e-10 * scale, "%s %s %s: %g",
                    scenes[s], forms[f], settings[k],
                    perp_problem_residual(&problem, p.x, y) / scale);
          CHECK(p.kind == PERP_KIND_SOLVABLE || p.kind == PERP_KIND_MULTIPLE);
          free(a);
          free(y);
          perp_instance_destroy(&p);
        }
    }
}

/* Coefficients of every size, also 0, in many drawings of small scenes. In the planted solution of
 * discs each of the three slides or sticks on its own. */
static void planted_rolling_solves(void)
{
  static const char *const small[] = {"pile:n=4,layout=random", "stack:n=1", "chain:n=2,ratio=10"};
  static const double sizes[] = {0, 1e-3, 0.05, 0.7, 4};
  int open[2] = {0}, state[2][3][2] = {{{0}}}; /* by law and disc: sticking, sliding */
  for (int seed = 1; seed <= 300; seed++)
    for (int discs = 0; discs < 2; discs++) {
      const double mu = sizes[seed % 5], torsion = sizes[seed / 5 % 5], roll = sizes[seed / 25 % 5];
      perp_instance p =
          generate("%s,form=%s,mu=%g,torsion=%g,roll=%g,cfm=%g,plant=yes,seed=%d", small[seed % 3],
                   discs ? "discs" : "elliptic", mu, torsion, roll, seed % 2 ? 0.01 : 0.0, seed);
      double *a = dense_of(p.A), *y = velocity_of(&p, a, p.x);
      const perp_problem problem = perp_instance_problem(&p);
      const double scale = scale_of(&p), own[5] = {mu, mu, torsion, roll, roll};
      CHECK(p.dim && p.law && 6 * p.cones == perp_operator_size(p.A));
      CHECK_SAY(violation(&p, p.x, y) <= 1e-10 * scale, "seed %d, discs %d: %g", seed, discs,
                violation(&p, p.x, y) / scale);
      CHECK_SAY(perp_problem_residual(&problem, p.x, y) <= 1e-10 * scale, "seed %d, discs %d: %g",
                seed, discs, perp_problem_residual(&problem, p.x, y) / scale);
      for (int c = 0; c < p.cones; c++) {
        const double *x = p.x + 6 * c;
        CHECK(p.dim[c] == 6 && p.law[c] == discs);
        CHECK(memcmp(p.mu + 5 * c, own, sizeof own) == 0);
        open[discs] += x[0] == 0;
        for (int d = 0; d < (discs ? 3 : 1) && x[0] > 0 && mu > 0 && torsion > 0 && roll > 0; d++) {
          const int from = !discs || d == 0 ? 1 : 2 + d, end = !discs ? 6 : d == 0 ? 3 : 2 * d + 2;
          double used = 0;
          for (int k = from; k < end; k++)
            used += pow(x[k] / own[k - 1], 2);
          state[discs][d][sqrt(used) > 0.9999999 * x[0]]++;
        }
      }
      free(a);
      free(y);
      perp_instance_destroy(&p);
    }
  for (int discs = 0; discs < 2; discs++) {
    CHECK_SAY(open[discs] > 100, "%d open", open[discs]);
    for (int d = 0; d < (discs ? 3 : 1); d++)
      CHECK_SAY(state[discs][d][0] > 100 && state[discs][d][1] > 100, "disc %d: %d stick, %d slide",
                d, state[discs][d][0], state[discs][d][1]);
  }
}

/* Joints together with every kind of contact that can have them. */
static void jointed_scenes_are_solved(void)
{
  for (int s = 0; s < SCENES; s++)
    for (int f = 1; f < 5; f++) {
      if (named_wall(scenes[s]))
        continue;
      perp_instance p = generate("%s,form=%s,joints=yes,plant=yes,jitter=1", scenes[s], forms[f]);
      double *a = dense_of(p.A), *y = velocity_of(&p, a, p.x);
      const int n = perp_operator_size(p.A);
      int joint_rows = 0;
      while (joint_rows < n && p.lo[n - 1 - joint_rows] == -INFINITY)
        joint_rows++;
      CHECK(joint_rows >= 3 && (f == 2 || joint_rows % 3 == 0));
      CHECK(violation(&p, p.x, y) <= 1e-10 * scale_of(&p));
      for (int i = n - joint_rows; i < n; i++)
        CHECK(p.x[i] != 0 && fabs(y[i]) <= 1e-12 * scale_of(&p));
      free(a);
      free(y);
      perp_instance_destroy(&p);
    }
}

/* All states of a contact occur in a planted problem, and no others. */
static void planted_states_occur(void)
{
  for (int f = 3; f < 6; f++) {
    perp_instance p = generate("pile:n=120,form=%s,plant=yes,degenerate=0", forms[f]);
    const int n = perp_operator_size(p.A), count = f == 4 ? 6 : 3;
    int open = 0, sliding = 0, sticking = 0;
    for (int i = 0; i < n; i += count) {
      const double *x = p.x + i;
      const double used = f == 3   ? fmax(fabs(x[1]), fabs(x[2]))
                          : f == 4 ? x[1] + x[2] + x[3] + x[4]
                                   : sqrt(x[1] * x[1] + x[2] * x[2]);
      open += x[0] == 0;
      sliding += x[0] > 0 && used > 0.9999999 * 0.5 * x[0];
      sticking += x[0] > 0 && used < 0.9999999 * 0.5 * x[0];
    }
    CHECK_EQUAL_INT(open + sliding + sticking, n / count);
    CHECK_CLOSE((double)open * count / n, 0.4, 0.1);
    CHECK_CLOSE((double)sliding * count / n, 0.24, 0.1);
    perp_instance_destroy(&p);
  }
}

static void assembled_is_the_contact_operator(void)
{
  for (int s = 0; s < SCENES; s++)
    for (int f = 0; f < FORMS; f++) {
      if (f == 1 && named_wall(scenes[s]))
        continue;
      perp_instance p = generate("%s,form=%s,cfm=0.001", scenes[s], forms[f]);
      perp_instance q = generate("%s,form=%s,cfm=0.001,operator=contact", scenes[s], forms[f]);
      CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "csr");
      CHECK_EQUAL_TEXT(perp_operator_kind(q.A), "contact");
      const size_t n = (size_t)perp_operator_size(p.A);
      CHECK_EQUAL_INT(n, perp_operator_size(q.A));
      CHECK(memcmp(p.b, q.b, n * sizeof *p.b) == 0);
      double *a = dense_of(p.A), *c = dense_of(q.A);
      for (size_t k = 0; k < n * n; k++)
        CHECK_CLOSE(a[k], c[k], 1e-12 * (1 + fabs(a[k])));
      if (f != 4) /* symmetric to the last bit, and with cfm positive definite */
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j < i; j++)
            CHECK(a[i * n + j] == a[j * n + i]);
      CHECK(f == 4 || is_positive((int)n, a, -0.0009));
      CHECK(f > 2 ? p.kind == PERP_KIND_MULTIPLE : p.kind == PERP_KIND_SOLVABLE);
      free(a);
      free(c);
      perp_instance_destroy(&p);
      perp_instance_destroy(&q);
    }
}

/* The linear parts of a row that joins two bodies are opposite; J has unit directions. */
static void rows_of_scenes_are_unit(void)
{
  for (int s = 0; s < SCENES; s++) {
    perp_instance p = generate("%s,form=findex,operator=contact", scenes[s]);
    perp_contact_data d = perp_contact_data_default();
    CHECK(perp_operator_contact_data(p.A, &d) == PERP_OK);
    for (int i = 0; i < d.rows; i++) {
      double sum[3] = {0}, squares = 0;
      int first = -1, last = -1;
      for (int64_t e = d.J_start[i]; e < d.J_start[i + 1]; e++) {
        const int body = d.J_column[e] / 6, axis = d.J_column[e] % 6;
        first = first < 0 ? body : first;
        last = body;
        if (axis < 3) {
          sum[axis] += d.J_value[e];
          squares += d.J_value[e] * d.J_value[e];
        }
      }
      CHECK(first >= 0);
      CHECK_CLOSE(squares, first == last ? 1 : 2, 1e-12);
      for (int k = 0; k < 3; k++)
        CHECK(first == last || fabs(sum[k]) < 1e-15);
    }
    perp_instance_destroy(&p);
  }
}

/* A = [B e; mu -e^T 0] with B from the rows n, t, o and cosines of the library. */
static void polyhedral_matrix_is_the_published_one(void)
{
  for (int K = 3; K <= 9; K += 2)
    for (int s = 0; s < SCENES; s++) {
      perp_instance p = generate("%s,form=polyhedral,mu=0.7,cfm=0,directions=%d", scenes[s], K);
      perp_instance q = generate("%s,form=findex,cfm=0", scenes[s]);
      const int contacts = perp_operator_size(q.A) / 3, n = perp_operator_size(p.A);
      const size_t N = (size_t)n, m = (size_t)perp_operator_size(q.A);
      CHECK_EQUAL_INT(n, contacts * (K + 2));
      double *a = dense_of(p.A), *B = dense_of(q.A);
      double *D = calloc((size_t)(K + 2) * 3, sizeof *D); /* row k of a contact in n, t, o */
      D[0] = 1;
      for (int k = 0; k < K; k++) {
        D[3 * (k + 1) + 1] = cos(2 * 3.14159265358979323846 * k / K);
        D[3 * (k + 1) + 2] = sin(2 * 3.14159265358979323846 * k / K);
      }
      for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
          const size_t per = (size_t)K + 2, ci = i / per, cj = j / per, ki = i % per, kj = j % per;
          double wanted = 0;
          for (size_t u = 0; u < 3; u++)
            for (size_t v = 0; v < 3; v++)
              wanted += D[3 * ki + u] * B[(3 * ci + u) * m + 3 * cj + v] * D[3 * kj + v];
          if (ci == cj && kj == per - 1)
            wanted += ki > 0 && ki < per - 1 ? 1 : 0;
          if (ci == cj && ki == per - 1)
            wanted += kj == 0 ? 0.7 : kj < per - 1 ? -1 : 0;
          CHECK_CLOSE(a[i * N + j], wanted, 1e-11);
        }
      free(a);
      free(B);
      free(D);
      perp_instance_destroy(&p);
      perp_instance_destroy(&q);
    }
}

/* ---- Classes ---- */

/* Without friction: stack rank 3 n of 4 n, random pile and chain positive definite, all others
 * semi-definite. */
static void ranks_are_as_claimed(void)
{
  static const struct {
    const char *text;
    int n, rank;
  } cases[] = {
      {"stack:n=6,ratio=5", 24, 18},
      {"stack:n=1", 4, 3},
      {"chain:n=12", 12, 12},
      {"pile:n=30,layout=random,seed=2", -1, -2},
      {"pile:n=35", 135, -1},
      {"arch:n=7", 32, -1},
      {"cards:n=3", 48, -1},
      {"wall:rows=3,columns=2,form=lcp", -1, -1},
      {"wall:rows=1,columns=1,form=lcp", 5, 4},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance p = generate("%s", cases[k].text);
    const int n = perp_operator_size(p.A);
    double *a = dense_of(p.A), *lambda = malloc((size_t)n * sizeof *lambda), least, most;
    eigenvalues(n, a, lambda);
    extremes(n, lambda, &least, &most);
    int rank = 0;
    for (int i = 0; i < n; i++)
      rank += lambda[i] > 1e-10 * most;
    CHECK(least > -1e-12 * most);
    CHECK_EQUAL_INT(n, cases[k].n < 0 ? n : cases[k].n);
    if (cases[k].rank == -2)
      CHECK_EQUAL_INT(rank, n);
    else if (cases[k].rank >= 0)
      CHECK_EQUAL_INT(rank, cases[k].rank);
    free(a);
    free(lambda);
    perp_instance_destroy(&p);
  }
}

/* Problems that are not planted are solvable as claimed: Gauss-Seidel converges, although A is
 * singular. */
static void unplanted_problems_have_solutions(void)
{
  static const char *const small[] = {
      "pile:n=10", "pile:n=10,layout=random", "stack:n=3", "wall:rows=2,columns=2", "cards:n=2",
      "arch:n=4",  "chain:n=4,ratio=3"};
  for (size_t s = 0; s < sizeof small / sizeof *small; s++)
    for (int f = 0; f < 4; f++) {
      perp_instance p = generate("%s,form=%s,slop=0.002,jitter=0.1,seed=3", small[s], forms[f]);
      CHECK(p.kind == PERP_KIND_MULTIPLE);
      double *a = dense_of(p.A);
      double *x = calloc((size_t)perp_operator_size(p.A), sizeof *x);
      CHECK_SAY(solve_pgs(&p, a, 1e-6 * scale_of(&p), 20000, x), "%s form=%s", small[s], forms[f]);
      free(a);
      free(x);
      perp_instance_destroy(&p);
    }
}

static const test_case tests[] = {
    TEST(planted_solutions_solve),
    TEST(planted_rolling_solves),
    TEST(jointed_scenes_are_solved),
    TEST(planted_states_occur),
    TEST(assembled_is_the_contact_operator),
    TEST(rows_of_scenes_are_unit),
    TEST(polyhedral_matrix_is_the_published_one),
    TEST(ranks_are_as_claimed),
    TEST(unplanted_problems_have_solutions),
};

TEST_MAIN(tests)
