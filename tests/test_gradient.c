/* test_gradient.c: apgd, spg, mprgp, gpcg, admm, and the incomplete factor they share
 *
 * Oracles: planted solutions of positive definite problems (unique), enumeration of all faces for
 * small n, Coulomb's law case by case, the dense product L L^T. */
#include "linalg/incomplete.h"
#include "method/run/method.h"
#include "problems.h"

extern const perp_method perp_method_apgd, perp_method_spg, perp_method_mprgp, perp_method_gpcg,
    perp_method_admm, perp_method_pgs;

static const perp_method *const methods[] = {
    &perp_method_apgd, &perp_method_spg, &perp_method_mprgp, &perp_method_gpcg, &perp_method_admm};
enum { METHODS = 5 };

static bool takes(const perp_method *m, const perp_problem *p)
{
  return m->takes & (1u << perp_set_form(&p->K));
}

typedef struct {
  const char *name;
  double value;
} setting;

/* Solves from x, and compares the verdict with perp_problem_judge. */
static perp_result solve(const perp_method *m, const perp_problem *p, double tol, int64_t most,
                         setting set, double *x)
{
  perp_solver *solver = NULL;
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.tol = tol;
  o.max_iterations = most;
  CHECK(perp_solver_create_with(m, &solver, NULL) == PERP_OK);
  if (set.name)
    CHECK(perp_solver_set(solver, set.name, set.value, NULL) == PERP_OK);
  const perp_error error = perp_solver_solve(solver, p, &o, x, &r);
  CHECK_SAY(!error, "%s: %s", m->name, r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY(isfinite(residual), "%s", m->name);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= tol * scale), "%s: %s", m->name,
            r.message.text);
  perp_solver_destroy(solver);
  return r;
}

static const setting defaults = {NULL, 0};

static double distance(int n, const double *x, const double *y)
{
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(x[i] - y[i]));
  return worst;
}

/* ---- Forms with a planted solution ---- */

static void planted_problems_of_every_form(void)
{
  const int sizes[] = {1, 2, 3, 6, 15, 33, 60};
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++)
    for (int k = 0; k < 7; k++)
      for (uint64_t seed = 1; seed <= 6; seed++)
        for (int m = 0; m < METHODS; m++) {
          const int n = form == PERP_FORM_FINDEX ? (sizes[k] + 2) / 3 * 3 : sizes[k];
          perp_instance in = problem_random(n, (perp_form)form, 0.5, 100 + seed);
          const perp_problem p = perp_instance_problem(&in);
          double x[60] = {0};
          if (takes(methods[m], &p)) {
            const perp_result r = solve(methods[m], &p, 1e-9, 0, defaults, x);
            CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s, n = %d, seed %d: %s", methods[m]->name,
                      perp_form_name((perp_form)form), n, (int)seed, r.message.text);
            /* eigenvalues are at least the margin 0.5: |x - x*| <= |natural map| (1 + |A|) / 0.5 */
            if (form != PERP_FORM_FINDEX)
              CHECK_SAY(distance(n, x, in.x) < 1e-5, "%s: %g", methods[m]->name,
                        distance(n, x, in.x));
          }
          perp_instance_destroy(&in);
        }
}

static void generated_problems(void)
{
  static const char *const texts[] = {
      "pd:n=80",
      "pd:n=60,form=boxed",
      "pd:n=60,form=mixed",
      "psd:n=80",
      "spd-sparse:n=300,cond=100",
      "obstacle:points=17",
      "torsion:points=17",
      "journal:grid=20",
      "stack:n=8,form=lcp,plant=yes",
      "pile:n=20,form=lcp,plant=yes",
      "wall:rows=4,columns=4,form=lcp,plant=yes",
      "stack:n=6,form=findex,plant=yes",
      "pile:n=20,form=findex",
      "stack:n=6,form=cone,plant=yes",
      "pile:n=20,form=cone",
      "wall:rows=3,columns=3,form=cone,plant=yes",
  };
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    perp_instance in;
    perp_message why;
    CHECK_SAY(perp_generate(texts[t], &in, &why) == PERP_OK, "%s: %s", texts[t], why.text);
    const perp_problem p = perp_instance_problem(&in);
    double *x = malloc((size_t)p.K.n * sizeof *x);
    for (int m = 0; m < METHODS; m++) {
      if (!takes(methods[m], &p))
        continue;
      memset(x, 0, (size_t)p.K.n * sizeof *x);
      const perp_result r = solve(methods[m], &p, 1e-6, 0, defaults, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s: %s", methods[m]->name, texts[t],
                r.message.text);
    }
    free(x);
    perp_instance_destroy(&in);
  }
}

/* ---- Enumeration ---- */

/* Gaussian elimination with partial pivoting; returns false if singular. */
static bool eliminate(int m, double *a, double *r)
{
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(a[i * m + k]) > fabs(a[best * m + k]))
        best = i;
    if (fabs(a[best * m + k]) < 1e-12)
      return false;
    for (int j = 0; j < m; j++) {
      const double t = a[k * m + j];
      a[k * m + j] = a[best * m + j];
      a[best * m + j] = t;
    }
    const double t = r[k];
    r[k] = r[best];
    r[best] = t;
    for (int i = k + 1; i < m; i++) {
      const double f = a[i * m + k] / a[k * m + k];
      for (int j = k; j < m; j++)
        a[i * m + j] -= f * a[k * m + j];
      r[i] -= f * r[k];
    }
  }
  for (int k = m - 1; k >= 0; k--) {
    for (int j = k + 1; j < m; j++)
      r[k] -= a[k * m + j] * r[j];
    r[k] /= a[k * m + k];
  }
  return true;
}

/* Solves the face with the number `face` in base 3: 0 inside, 1 at lo, 2 at hi. Returns true if its
 * point is a solution. */
static bool face_solves(int n, const double *A, const double *b, const double *lo, const double *hi,
                        int face, double *x)
{
  int rows[6], m = 0;
  for (int i = 0; i < n; i++, face /= 3) {
    if (face % 3 == 0)
      rows[m++] = i;
    x[i] = face % 3 == 1 ? lo[i] : face % 3 == 2 ? hi[i] : 0;
    if (isinf(x[i]))
      return false;
  }
  double a[36], r[6];
  for (int s = 0; s < m; s++) {
    r[s] = -b[rows[s]];
    for (int j = 0; j < n; j++)
      r[s] -= A[rows[s] * n + j] * x[j];
    for (int t = 0; t < m; t++)
      a[s * m + t] = A[rows[s] * n + rows[t]];
  }
  if (!eliminate(m, a, r))
    return false;
  for (int s = 0; s < m; s++)
    x[rows[s]] = r[s];
  for (int i = 0; i < n; i++) {
    double y = b[i];
    for (int j = 0; j < n; j++)
      y += A[i * n + j] * x[j];
    if (x[i] < lo[i] - 1e-10 || x[i] > hi[i] + 1e-10)
      return false;
    if ((y > 1e-10 && x[i] > lo[i] + 1e-10) || (y < -1e-10 && x[i] < hi[i] - 1e-10))
      return false;
  }
  return true;
}

static void small_problems_against_enumeration(void)
{
  perp_random random = perp_random_from(41);
  for (int trial = 0; trial < 150; trial++) {
    const int n = 1 + trial % 6;
    double *A = problem_dominant(n, 0.3, &random), b[6], lo[6], hi[6], oracle[6];
    for (int i = 0; i < n; i++) {
      const int kind = perp_random_below(&random, 4);
      b[i] = perp_random_between(&random, -2, 2);
      lo[i] = kind == 0 ? -INFINITY : kind == 1 ? -0.1 : 0;
      hi[i] = kind == 1 ? 0.2 : INFINITY;
    }
    int faces = 1, face = 0;
    for (int i = 0; i < n; i++)
      faces *= 3;
    while (face < faces && !face_solves(n, A, b, lo, hi, face, oracle))
      face++;
    CHECK(face < faces);
    perp_operator *op = problem_dense(n, A);
    const perp_problem p = perp_problem_boxed(op, b, lo, hi);
    for (int m = 0; m < METHODS; m++) {
      double x[6] = {0};
      const perp_result r = solve(methods[m], &p, 1e-10, 0, defaults, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, trial %d: %s", methods[m]->name, trial,
                r.message.text);
      CHECK_SAY(distance(n, x, oracle) < 1e-7, "%s, trial %d", methods[m]->name, trial);
    }
    perp_operator_destroy(op);
    perp_free(A);
  }
}

/* ---- Cones ---- */

/* A = a I: the three cases of Coulomb's law by hand. */
static void one_contact_by_hand(void)
{
  perp_random random = perp_random_from(43);
  for (int trial = 0; trial < 200; trial++) {
    const double a = perp_random_between(&random, 0.1, 5);
    const double mu = trial % 10 == 0 ? 0 : perp_random_between(&random, 0, 1.5);
    const double A[9] = {a, 0, 0, 0, a, 0, 0, 0, a};
    double b[3], oracle[3] = {0};
    for (int k = 0; k < 3; k++)
      b[k] = perp_random_between(&random, -1, 1);
    if (b[0] < 0) {
      const double tangent = hypot(b[1], b[2]);
      const double share = fmin(1, mu * -b[0] / tangent); /* 1: sticks */
      oracle[0] = -b[0] / a;
      oracle[1] = -share * b[1] / a;
      oracle[2] = -share * b[2] / a;
    }
    perp_operator *op = problem_dense(3, A);
    const perp_problem p = perp_problem_cone(op, b, &mu);
    for (int m = 0; m < METHODS; m++) {
      double x[3] = {0};
      if (!takes(methods[m], &p))
        continue;
      const perp_result r = solve(methods[m], &p, 1e-10, 0, defaults, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, trial %d: %s", methods[m]->name, trial,
                r.message.text);
      CHECK_SAY(distance(3, x, oracle) < 1e-7, "%s, trial %d", methods[m]->name, trial);
    }
    perp_operator_destroy(op);
  }
}

/* Coulomb's law for one contact, without any projection: (u, v) impulse and velocity. */
static bool obeys_coulomb(double mu, const double *u, const double *v, double eps)
{
  const double ut = hypot(u[1], u[2]), vt = hypot(v[1], v[2]);
  if (u[0] < -eps || v[0] < -eps || ut > mu * u[0] + eps)
    return false;
  if (u[0] <= eps)
    return true; /* open */
  if (v[0] > eps)
    return false; /* pressed and moving apart */
  if (vt <= eps)
    return true; /* sticks */
  /* slides: u_t = -mu u_n v_t / |v_t| */
  return fabs(u[1] + mu * u[0] * v[1] / vt) <= eps * (1 + 1 / vt) &&
         fabs(u[2] + mu * u[0] * v[2] / vt) <= eps * (1 + 1 / vt);
}

static void coupled_contacts_obey_coulomb(void)
{
  perp_random random = perp_random_from(47);
  for (int trial = 0; trial < 60; trial++) {
    const int contacts = 1 + trial % 8, n = 3 * contacts;
    double *A = problem_dominant(n, 1, &random), mu[8], x0[24] = {0}, b[24];
    for (int c = 0; c < contacts; c++) {
      const int state = perp_random_below(&random, 3); /* open, sticks, slides */
      double *u = x0 + 3 * c, *v = b + 3 * c;
      mu[c] = perp_random_between(&random, 0.1, 1);
      const double t = perp_random_between(&random, 0, 6),
                   un = perp_random_between(&random, 0.2, 2);
      const double slip = state == 1 ? 0 : perp_random_between(&random, 0.1, 1);
      v[0] = state == 0 ? perp_random_between(&random, 0.1, 1) : 0;
      v[1] = slip * cos(t);
      v[2] = slip * sin(t);
      if (state > 0) {
        const double share = state == 1 ? 0.5 : 1;
        u[0] = un;
        u[1] = -share * mu[c] * un * cos(t);
        u[2] = -share * mu[c] * un * sin(t);
      }
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        b[i] -= A[i * n + j] * x0[j];
    perp_operator *op = problem_dense(n, A);
    perp_problem p = perp_problem_cone(op, b, mu);
    for (int m = 0; m < METHODS; m++) {
      if (!takes(methods[m], &p))
        continue;
      double x[24] = {0};
      const perp_result r = solve(methods[m], &p, 1e-9, 0, defaults, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, trial %d: %s", methods[m]->name, trial,
                r.message.text);
      for (int c = 0; c < contacts; c++) {
        double v[3];
        for (int k = 0; k < 3; k++) {
          v[k] = b[3 * c + k];
          for (int j = 0; j < n; j++)
            v[k] += A[(3 * c + k) * n + j] * x[j];
        }
        CHECK_SAY(obeys_coulomb(mu[c], x + 3 * c, v, 1e-6), "%s, trial %d, contact %d",
                  methods[m]->name, trial, c);
      }
    }
    perp_operator_destroy(op);
    perp_free(A);
  }
}

/* ---- Rates ---- */

/* H = I - 2 v v^T / v^T v; A = H diag(d) H with d of few different values. */
static double *few_eigenvalues(int n, int values, perp_random *random)
{
  double *A = perp_alloc_zero((size_t)(n * n), sizeof *A), *v = perp_alloc((size_t)n, sizeof *v);
  double vv = 0;
  for (int i = 0; i < n; i++) {
    v[i] = perp_random_between(random, 0.5, 1);
    vv += v[i] * v[i];
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i * n + j] += ((i == k) - 2 * v[i] * v[k] / vv) * (1 + 3 * (k % values)) *
                        ((j == k) - 2 * v[j] * v[k] / vv);
  perp_free(v);
  return A;
}

/* Without active rows, conjugate gradients end after one step per distinct eigenvalue of A. */
static void conjugate_gradients_end_on_a_face(void)
{
  enum { N = 40, VALUES = 7 };
  perp_random random = perp_random_from(53);
  for (int trial = 0; trial < 20; trial++) {
    double *A = few_eigenvalues(N, VALUES, &random), b[N], lo[N], hi[N];
    for (int i = 0; i < N; i++) {
      b[i] = perp_random_between(&random, -1, 1);
      lo[i] = -INFINITY;
      hi[i] = INFINITY;
    }
    perp_operator *op = problem_dense(N, A);
    const perp_problem p = perp_problem_boxed(op, b, lo, hi);
    for (int m = 2; m < 4; m++) { /* 1: the choice "none" */
      double x[N] = {0};
      const perp_result r = solve(methods[m], &p, 1e-10, 0, (setting){"precondition", 1}, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", methods[m]->name, r.message.text);
      CHECK_SAY(r.counts.iterations <= VALUES + 3, "%s: %lld iterations", methods[m]->name,
                (long long)r.counts.iterations);
    }
    perp_operator_destroy(op);
    perp_free(A);
  }
}

static int64_t products(const perp_method *m, const char *text, setting set)
{
  perp_instance in;
  CHECK(perp_generate(text, &in, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&in);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  const perp_result r = solve(m, &p, 1e-6, 100000, set, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s: %s", m->name, text, r.message.text);
  free(x);
  perp_instance_destroy(&in);
  return r.counts.sweeps ? r.counts.iterations : r.counts.applies;
}

static void an_incomplete_factor_saves_steps(void)
{
  const char *text = "obstacle:points=65";
  for (int m = 2; m < 4; m++) {
    const int64_t jacobi = products(methods[m], text, (setting){"precondition", 2});
    const int64_t incomplete = products(methods[m], text, (setting){"precondition", 3});
    CHECK_SAY(3 * incomplete < 2 * jacobi, "%s: %lld against %lld", methods[m]->name,
              (long long)incomplete, (long long)jacobi);
  }
}

static void apgd_takes_a_third_of_the_sweeps_of_pgs(void)
{
  const char *text = "wall:rows=20,columns=25,form=lcp,plant=yes";
  const int64_t apgd = products(&perp_method_apgd, text, defaults);
  const int64_t pgs = products(&perp_method_pgs, text, defaults);
  CHECK_SAY(3 * apgd <= pgs, "%lld products against %lld sweeps", (long long)apgd, (long long)pgs);
}

/* ---- Problems they refuse ---- */

/* No symmetry, no definiteness, zero diagonals: any outcome except NaN and a false "solved". */
static void hostile_matrices(void)
{
  perp_random random = perp_random_from(59);
  for (int trial = 0; trial < 60; trial++) {
    enum { N = 9 };
    double A[N * N], b[N];
    for (int k = 0; k < N * N; k++)
      A[k] = perp_random_between(&random, -3, 3);
    for (int i = 0; i < N; i++) {
      b[i] = perp_random_between(&random, -1, 0.5);
      if (trial % 3 == 0)
        A[i * N + i] = 0;
    }
    perp_operator *op = problem_dense(N, A);
    const perp_problem p = perp_problem_lcp(op, b);
    for (int m = 0; m < METHODS; m++) {
      double x[N] = {0};
      solve(methods[m], &p, 1e-8, 500, defaults, x);
    }
    perp_operator_destroy(op);
  }
}

/* Energy without a lower bound: the run ends at its limit, with finite numbers. */
static void infeasible_problems_end(void)
{
  for (int n = 2; n <= 20; n += 6) {
    perp_instance in = problem_infeasible(n);
    const perp_problem p = perp_instance_problem(&in);
    for (int m = 0; m < METHODS; m++) {
      double x[20] = {0};
      const perp_result r = solve(methods[m], &p, 1e-8, 3000, defaults, x);
      CHECK_SAY(r.outcome != PERP_SOLVED, "%s", methods[m]->name);
    }
    perp_instance_destroy(&in);
  }
}

/* A = I + skew is monotone: alternating directions need no symmetry. */
static void admm_solves_monotone_problems(void)
{
  perp_random random = perp_random_from(61);
  for (int trial = 0; trial < 40; trial++) {
    enum { N = 12 };
    double A[N * N], b[N];
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++) {
        const double v = perp_random_between(&random, -2, 2);
        A[i * N + j] = i == j ? 1 : v;
        A[j * N + i] = i == j ? 1 : -v;
      }
    for (int i = 0; i < N; i++)
      b[i] = perp_random_between(&random, -1, 1);
    perp_operator *op = problem_dense(N, A);
    const perp_problem p = perp_problem_lcp(op, b);
    double x[N] = {0};
    const perp_result r = solve(&perp_method_admm, &p, 1e-8, 0, defaults, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "trial %d: %s", trial, r.message.text);
    perp_operator_destroy(op);
  }
}

/* A shell that can only multiply. */
static int multiply(void *context, const double *x, double *y)
{
  CHECK(perp_operator_apply(context, x, y, NULL, NULL) == PERP_OK);
  return 0;
}

static void products_alone_are_enough(void)
{
  for (uint64_t seed = 1; seed <= 10; seed++) {
    perp_instance in = problem_random(30, PERP_FORM_BOXED, 0.5, seed);
    const perp_shell shell = {.size = sizeof(perp_shell), .context = in.A, .apply = multiply};
    perp_operator *op = NULL;
    CHECK(perp_operator_shell(30, &shell, &op, NULL) == PERP_OK);
    const perp_problem p = perp_problem_boxed(op, in.b, in.lo, in.hi);
    for (int m = 0; m < METHODS; m++) {
      double x[30] = {0};
      const perp_result r = solve(methods[m], &p, 1e-9, 0, defaults, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", methods[m]->name, r.message.text);
      CHECK_SAY(distance(30, x, in.x) < 1e-5, "%s", methods[m]->name);
    }
    perp_operator_destroy(op);
    perp_instance_destroy(&in);
  }
}

/* ---- The incomplete factor ---- */

/* (L U)_ij = A_ij wherever A_ij != 0 within F, U = D L^T with D > 0, and the solve is that of L U. */
static void incomplete_factors_agree_on_the_pattern(void)
{
  enum { N = 14 };
  perp_random random = perp_random_from(67);
  for (int trial = 0; trial < 200; trial++) {
    double A[N][N] = {{0}}, L[N][N] = {{0}}, U[N][N] = {{0}}, value[N * N], factor[N * N];
    int64_t start[N + 1] = {0}, diagonal[N], place[N];
    int column[N * N];
    bool in[N];
    for (int i = 0; i < N; i++) {
      in[i] = perp_random_below(&random, 4) > 0;
      place[i] = -1;
      for (int j = 0; j < i; j++)
        if (perp_random_below(&random, 3) == 0)
          A[i][j] = A[j][i] = perp_random_between(&random, -1, 1);
    }
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++)
        A[i][i] += i == j ? 0.1 : fabs(A[i][j]);
      start[i + 1] = start[i];
      for (int j = 0; j < N; j++)
        if (A[i][j] != 0) {
          if (j == i)
            diagonal[i] = start[i + 1];
          column[start[i + 1]] = j;
          value[start[i + 1]++] = A[i][j];
        }
    }
    perp_incomplete f = {.n = N,
                         .start = start,
                         .column = column,
                         .value = value,
                         .diagonal = diagonal,
                         .in = in,
                         .positive = true,
                         .LU = factor,
                         .place = place};
    CHECK(perp_incomplete_factor(&f, NULL) && f.shift == 0);
    for (int i = 0; i < N; i++)
      for (int64_t e = start[i]; e < start[i + 1]; e++) {
        const int j = column[e];
        if (in[i] && in[j])
          *(j < i ? &L[i][j] : &U[i][j]) = j == i ? 1 / factor[e] : factor[e];
        L[i][i] = 1;
      }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++)
        CHECK_CLOSE(U[j][i], U[j][j] * L[i][j], 1e-14 * (1 + fabs(U[j][i])));
    double x[N] = {0}, r[N] = {0}, z[N];
    for (int i = 0; i < N; i++)
      x[i] = in[i] ? perp_random_between(&random, -1, 1) : 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
          sum += L[i][k] * U[k][j];
        r[i] += sum * x[j];
        if (in[i] && in[j] && A[i][j] != 0)
          CHECK_CLOSE(sum, A[i][j], 1e-13);
      }
    perp_incomplete_solve(&f, r, z);
    CHECK(distance(N, x, z) < 1e-10);
  }
}

/* A semi-definite matrix whose incomplete factor breaks down: the diagonal is raised. */
static void incomplete_factors_survive_a_breakdown(void)
{
  const double value[] = {1, -1, -1, 1}, minus[] = {-1, 0, 0, 1};
  const int64_t start[] = {0, 2, 4}, diagonal[] = {0, 3};
  const int column[] = {0, 1, 0, 1};
  int64_t place[2] = {-1, -1};
  double factor[4], r[2] = {1, 2};
  bool in[2] = {true, true};
  perp_incomplete f = {.n = 2,
                       .start = start,
                       .column = column,
                       .value = value,
                       .diagonal = diagonal,
                       .in = in,
                       .positive = true,
                       .LU = factor,
                       .place = place};
  CHECK(perp_incomplete_factor(&f, NULL));
  CHECK(f.shift > 0);
  perp_incomplete_solve(&f, r, r);
  CHECK(isfinite(r[0]) && isfinite(r[1]));
  f.value = minus;
  CHECK(!perp_incomplete_factor(&f, NULL));
}

static const test_case tests[] = {
    TEST(planted_problems_of_every_form),
    TEST(generated_problems),
    TEST(small_problems_against_enumeration),
    TEST(one_contact_by_hand),
    TEST(coupled_contacts_obey_coulomb),
    TEST(conjugate_gradients_end_on_a_face),
    TEST(an_incomplete_factor_saves_steps),
    TEST(apgd_takes_a_third_of_the_sweeps_of_pgs),
    TEST(hostile_matrices),
    TEST(infeasible_problems_end),
    TEST(admm_solves_monotone_problems),
    TEST(products_alone_are_enough),
    TEST(incomplete_factors_agree_on_the_pattern),
    TEST(incomplete_factors_survive_a_breakdown),
};

TEST_MAIN(tests)
