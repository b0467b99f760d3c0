/* test_qp_rational.c: quadratic programs against exact rational optima
 *
 * The oracle shares no code with the library. Data are small whole numbers. For each choice of
 * inside, lower or upper for the rows of (I; G), the equations
 *
 *   P x + q + E^T v = 0,   E x = B   (the rows that are not inside)
 *
 * are solved by fraction-free elimination (Bareiss 1968) in whole numbers, and the conditions of
 * optimality are tested without rounding. Each x_j has a finite bound, so the set of solutions
 * contains no line and has a vertex, at which one of these systems is not singular: if no choice
 * passes, the program is infeasible or unbounded.
 *
 * Then columns, rows and the objective change their units by powers of two, which is exact in double:
 * a slope of 2^-30 towards a bound of 2^30 among others. Only the verdict is tested, so that nothing
 * here depends on the method. */
#include "test.h"

#include "base/random.h"
#include <math.h>
#include <perp/perp.h>
#include <string.h>

__extension__ typedef __int128 whole;

enum { MOST = 3, ROWS = 2 * MOST, SIZE = MOST + ROWS };

typedef struct exact_qp {
  int n, m;
  int P[MOST][MOST], q[MOST], E[ROWS][MOST]; /* E = (I; G) */
  int L[ROWS], U[ROWS];
  bool has_L[ROWS], has_U[ROWS];
} exact_qp;

/* K x = D r for whole K and r: replaces column `size` of K by x and returns D > 0, or 0 if K is
 * singular. */
static whole solve_whole(int size, whole K[SIZE][SIZE + 1])
{
  whole before = 1;
  for (int k = 0; k < size; k++) {
    int row = k;
    while (row < size && K[row][k] == 0)
      row++;
    if (row == size)
      return 0;
    for (int j = 0; j <= size && row != k; j++) {
      const whole t = K[k][j];
      K[k][j] = K[row][j];
      K[row][j] = t;
    }
    for (int i = 0; i < size; i++)
      for (int j = size; i != k && j >= 0; j--)
        if (j != k)
          K[i][j] = (K[k][k] * K[i][j] - K[i][k] * K[k][j]) / before;
    for (int i = 0; i < size; i++)
      if (i != k)
        K[i][k] = 0;
    before = K[k][k];
    for (int i = 0; i < k; i++)
      K[i][i] = before;
  }
  for (int i = 0; i < size && before < 0; i++)
    K[i][size] = -K[i][size];
  return before < 0 ? -before : before;
}

/* Tests the choice `side`. If it gives a solution, *f is its objective. */
static bool try_sides(const exact_qp *p, const int *side, long double *f)
{
  const int n = p->n, all = n + p->m;
  whole K[SIZE][SIZE + 1] = {{0}};
  int active[ROWS], count = 0;
  for (int k = 0; k < all; k++)
    if (side[k] != 0)
      active[count++] = k;
  if (count > n)
    return false;
  const int size = n + count;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      K[i][j] = p->P[i][j];
    K[i][size] = -p->q[i];
  }
  for (int a = 0; a < count; a++) {
    for (int j = 0; j < n; j++)
      K[n + a][j] = K[j][n + a] = p->E[active[a]][j];
    K[n + a][size] = side[active[a]] < 0 ? p->L[active[a]] : p->U[active[a]];
  }
  const whole D = solve_whole(size, K);
  if (D == 0)
    return false;
  whole sum = 0; /* 2 f D = q^T x - v^T B, since x^T P x = -q^T x - v^T B */
  for (int j = 0; j < n; j++)
    sum += p->q[j] * K[j][size];
  for (int a = 0; a < count; a++) {
    const int k = active[a];
    if (!(p->has_L[k] && p->has_U[k] && p->L[k] == p->U[k]) && side[k] * K[n + a][size] < 0)
      return false;
    sum -= K[n + a][size] * (side[k] < 0 ? p->L[k] : p->U[k]);
  }
  for (int k = 0; k < all; k++) {
    whole t = 0;
    for (int j = 0; j < n; j++)
      t += p->E[k][j] * K[j][size];
    if ((p->has_L[k] && t < p->L[k] * D) || (p->has_U[k] && t > p->U[k] * D))
      return false;
  }
  *f = (long double)sum / (2 * (long double)D);
  return true;
}

/* Returns false if there is no optimum. */
static bool find_optimum(const exact_qp *p, long double *f)
{
  const int all = p->n + p->m;
  int side[ROWS] = {0};
  for (;;) {
    bool allowed = true;
    for (int k = 0; k < all; k++)
      allowed = allowed && (side[k] == 0 || (side[k] < 0 ? p->has_L[k] : p->has_U[k]));
    if (allowed && try_sides(p, side, f))
      return true;
    int k = 0; /* the next choice: 0, 1, -1, and then the next row */
    while (k < all && side[k] == -1)
      side[k++] = 0;
    if (k == all)
      return false;
    side[k] = side[k] == 0 ? 1 : -1;
  }
}

static int pick(perp_random *random, int low, int high)
{
  return low + (int)perp_random_below(random, high - low + 1);
}

/* P = F^T F with `rank` rows in F; columns from `curved` on are not in P. */
static exact_qp make_program(perp_random *random)
{
  exact_qp p = {.n = pick(random, 1, MOST), .m = pick(random, 0, MOST)};
  const int rank = pick(random, 0, p.n), curved = pick(random, 0, p.n);
  for (int r = 0; r < rank; r++) {
    int F[MOST];
    for (int j = 0; j < p.n; j++)
      F[j] = j < curved ? pick(random, -3, 3) : 0;
    for (int i = 0; i < p.n; i++)
      for (int j = 0; j < p.n; j++)
        p.P[i][j] += F[i] * F[j];
  }
  for (int j = 0; j < p.n; j++)
    p.q[j] = pick(random, -4, 4);
  for (int k = 0; k < p.n + p.m; k++) {
    for (int j = 0; j < p.n; j++)
      p.E[k][j] = k < p.n ? k == j : pick(random, 0, 2) ? pick(random, -3, 3) : 0;
    p.L[k] = pick(random, -4, 2);
    p.U[k] = pick(random, 0, 7) ? p.L[k] + pick(random, 0, 6) : p.L[k];
    const int open = pick(random, 0, 3);
    p.has_L[k] = open != 1;
    p.has_U[k] = open != 2;
  }
  return p;
}

/* The program in units 2^column and 2^row; the objective in 2^value. */
static perp_outcome solve_program(const exact_qp *p, const int *column, const int *row, int value,
                                  double tol, double *f)
{
  const int n = p->n, m = p->m;
  double P[MOST * MOST], q[MOST], G[MOST * MOST], L[ROWS], U[ROWS], x[MOST];
  for (int i = 0; i < n; i++) {
    q[i] = ldexp(p->q[i], value - column[i]);
    for (int j = 0; j < n; j++) {
      P[i * n + j] = ldexp(p->P[i][j], value - column[i] - column[j]);
      for (int r = 0; r < m; r++)
        G[r * n + j] = ldexp(p->E[n + r][j], row[r] - column[j]);
    }
  }
  for (int k = 0; k < n + m; k++) {
    const int unit = k < n ? column[k] : row[k - n];
    L[k] = p->has_L[k] ? ldexp(p->L[k], unit) : -INFINITY;
    U[k] = p->has_U[k] ? ldexp(p->U[k], unit) : INFINITY;
  }
  perp_operator *operator;
  perp_qp qp = perp_qp_default();
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  CHECK(perp_operator_dense(n, P, n, PERP_BORROW, &operator, NULL) == PERP_OK);
  qp.n = n, qp.m = m, qp.P = operator, qp.q = q, qp.G_value = G;
  qp.lb = L, qp.ub = U, qp.l = L + n, qp.u = U + n;
  options.tol = tol;
  const perp_error error = perp_qp_solve(NULL, &qp, &options, x, &result);
  CHECK_SAY(error == PERP_OK, "%s", result.message.text);
  perp_operator_destroy(operator);
  *f = result.objective;
  return result.outcome;
}

static void what_is_solved_has_the_exact_objective(void)
{
  enum { COUNT = 2100 };
  static const double tols[] = {1e-3, 1e-6, 1e-8};
  const int share = test_share("rational optima", 5);
  int optima = 0, none = 0, plain = 0, solved = 0;
  for (int seed = 0; seed < COUNT; seed += share) {
    perp_random random = perp_random_from((uint64_t)(50000 + seed));
    const exact_qp p = make_program(&random);
    const int spread = 15 * (seed % 3), value = seed % 4 ? 0 : pick(&random, -20, 20);
    const int least = seed % 2 ? 0 : -spread; /* below 0: a violation may be less than tol */
    int column[MOST], row[MOST];
    for (int k = 0; k < MOST; k++) {
      column[k] = pick(&random, least, spread);
      row[k] = pick(&random, least / 3, spread / 3);
    }
    long double best = 0;
    const bool exists = find_optimum(&p, &best);
    best = ldexpl(best, value);
    optima += exists;
    none += !exists;
    for (int t = 0; t < 3; t++) {
      double f;
      const perp_outcome outcome = solve_program(&p, column, row, value, tols[t], &f);
      if (exists)
        CHECK_SAY(outcome != PERP_INFEASIBLE && outcome != PERP_UNBOUNDED, "%d, tol %g: %s", seed,
                  tols[t], perp_outcome_name(outcome));
      plain += exists && spread == 0;
      solved += exists && spread == 0 && outcome == PERP_SOLVED;
      if (outcome != PERP_SOLVED)
        continue;
      CHECK_SAY(exists || least < 0, "%d, tol %g: solved with %.17g, but there is no optimum", seed,
                tols[t], f);
      CHECK_SAY(!exists || fabsl(f - best) <= tols[t] * (1 + fabsl(best)),
                "%d, tol %g: %.17g, not %.17Lg", seed, tols[t], f, best);
    }
  }
  printf("     %d programs with an optimum, %d without; %d of %d plain solves\n", optima, none,
         solved, plain);
  CHECK(optima > COUNT / share / 4 && none > COUNT / share / 10);
  CHECK_EQUAL_INT(solved, plain);
}

/* min -x0 - x1 with x0 + 2 x1 <= 4, 3 x0 + x1 <= 6, x >= 0: -14/5; min x^2 - x with x = 3; and two
 * programs without an optimum */
static void the_oracle_knows_small_programs(void)
{
  exact_qp p = {.n = 2,
                .m = 2,
                .q = {-1, -1},
                .E = {{1, 0}, {0, 1}, {1, 2}, {3, 1}},
                .U = {0, 0, 4, 6},
                .has_L = {true, true},
                .has_U = {false, false, true, true}};
  long double f = 0;
  CHECK(find_optimum(&p, &f) && fabsl(f + 2.8L) < 1e-18L);
  p.m = 0;
  CHECK(!find_optimum(&p, &f));
  const exact_qp one = {.n = 1,
                        .P = {{2}},
                        .q = {-1},
                        .E = {{1}},
                        .L = {3},
                        .U = {3},
                        .has_L = {true},
                        .has_U = {true}};
  CHECK(find_optimum(&one, &f) && f == 6);
  exact_qp empty = one;
  empty.U[0] = 2;
  CHECK(!find_optimum(&empty, &f));
}

static const test_case tests[] = {
    TEST(the_oracle_knows_small_programs),
    TEST(what_is_solved_has_the_exact_objective),
};

TEST_MAIN(tests)
