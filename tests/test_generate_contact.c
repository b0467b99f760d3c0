/* test_generate_contact.c: the problems that contact scenes give, and the particle
 *
 * Solutions are judged here by the definitions of the forms, written out once more; matrices are
 * compared with what elementary mechanics gives: weights, friction, closed forms. */
#include "generate_contact.h"

#include "base/random.h"

/* ---- Dense oracles ---- */

static double *dense_of(const perp_operator *A)
{
  const size_t n = (size_t)perp_operator_size(A);
  double *a = calloc(n * n + 1, sizeof *a);
  double *e = calloc(n + 1, sizeof *e), *y = calloc(n + 1, sizeof *y);
  double *scratch = calloc(perp_operator_scratch(A) + 1, sizeof *scratch);
  for (size_t j = 0; j < n; j++) {
    e[j] = 1;
    CHECK(perp_operator_apply(A, e, y, scratch) == PERP_OK);
    e[j] = 0;
    for (size_t i = 0; i < n; i++)
      a[i * n + j] = y[i];
  }
  free(e);
  free(y);
  free(scratch);
  return a;
}

/* The y of x, from dense A. */
static double *velocity_of(const perp_instance *p, const double *a, const double *x)
{
  const size_t n = (size_t)perp_operator_size(p->A);
  double *y = malloc((n + 1) * sizeof *y);
  for (size_t i = 0; i < n; i++) {
    long double sum = p->b[i];
    for (size_t j = 0; j < n; j++)
      sum += (long double)a[i * n + j] * x[j];
    y[i] = (double)sum;
  }
  return y;
}

static double violation_of_bounds(double x, double y, double lo, double hi)
{
  double z = x - y;
  z = z < lo ? lo : z > hi ? hi : z;
  return fabs(x - z);
}

/* Coulomb's law itself: the impulse in its cone, no penetration, and where there is an impulse no
 * separation and friction that opposes the slip (or no slip). */
static double violation_of_coulomb(double mu, const double *x, const double *y)
{
  const double friction = sqrt(x[1] * x[1] + x[2] * x[2]), slip = sqrt(y[1] * y[1] + y[2] * y[2]);
  double worst = fmax(0, friction - mu * x[0]);
  worst = fmax(worst, fabs(fmin(x[0], y[0])));
  if (x[0] > 1e-9 && slip > 1e-9)
    for (int k = 1; k < 3; k++)
      worst = fmax(worst, fabs(x[k] + mu * x[0] * y[k] / slip));
  return worst;
}

static double violation(const perp_instance *p, const double *x, const double *y)
{
  const int n = perp_operator_size(p->A);
  double worst = 0;
  for (int c = 0; c < p->cones; c++)
    worst = fmax(worst, violation_of_coulomb(p->mu[c], x + 3 * c, y + 3 * c));
  for (int i = 3 * p->cones; i < n; i++) {
    const double reach = p->findex && p->findex[i] >= 0 ? fabs(x[p->findex[i]]) : 1;
    const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
    worst = fmax(worst, violation_of_bounds(x[i], y[i], isinf(lo) ? lo : lo * reach,
                                            isinf(hi) ? hi : hi * reach));
  }
  return worst;
}

static double scale_of(const perp_instance *p)
{
  double scale = 0;
  for (int i = 0; i < perp_operator_size(p->A); i++)
    scale = fmax(scale, fabs(p->b[i]));
  return scale > 0 ? scale : 1;
}

/* Whether a + shift I has a Cholesky factor. */
static bool is_positive(int size, const double *a, double shift)
{
  const size_t n = (size_t)size;
  double *L = malloc((n * n + 1) * sizeof *L);
  bool positive = true;
  for (size_t i = 0; i < n && positive; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = a[i * n + j] + (i == j ? shift : 0);
      for (size_t k = 0; k < j; k++)
        sum -= L[i * n + k] * L[j * n + k];
      if (i == j)
        positive = sum > 0;
      L[i * n + j] = i == j ? sqrt(fmax(sum, 0)) : sum / L[j * n + j];
    }
  free(L);
  return positive;
}

/* Eigenvalues of symmetric a (destroyed) by cyclic Jacobi rotations. */
static void eigenvalues(int n, double *a, double *lambda)
{
  for (int sweep = 0; sweep < 60; sweep++) {
    double off = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        off += fabs(a[p * n + q]);
        if (fabs(a[p * n + q]) < 1e-300)
          continue;
        const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; k++) {
          const double u = a[k * n + p], v = a[k * n + q];
          a[k * n + p] = c * u - s * v;
          a[k * n + q] = s * u + c * v;
        }
        for (int k = 0; k < n; k++) {
          const double u = a[p * n + k], v = a[q * n + k];
          a[p * n + k] = c * u - s * v;
          a[q * n + k] = s * u + c * v;
        }
      }
    if (off == 0)
      break;
  }
  for (int k = 0; k < n; k++)
    lambda[k] = a[k * n + k];
}

static void extremes(int n, const double *lambda, double *least, double *most)
{
  *least = *most = lambda[0];
  for (int k = 1; k < n; k++) {
    *least = fmin(*least, lambda[k]);
    *most = fmax(*most, lambda[k]);
  }
}

/* Projected Gauss-Seidel on the dense matrix until the violation is below tol; false if not. */
static bool solve_pgs(const perp_instance *p, const double *a, double tol, int sweeps, double *x)
{
  const int n = perp_operator_size(p->A);
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int i = 0; i < n; i++) {
      double r = p->b[i];
      for (int j = 0; j < n; j++)
        r += a[(size_t)i * (size_t)n + (size_t)j] * x[j];
      const double reach = p->findex && p->findex[i] >= 0 ? fabs(x[p->findex[i]]) : 1;
      const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
      double z = x[i] - r / a[(size_t)i * (size_t)n + (size_t)i];
      z = fmax(z, isinf(lo) ? lo : lo * reach);
      x[i] = fmin(z, isinf(hi) ? hi : hi * reach);
    }
    if (sweep % 50 == 49) {
      double *y = velocity_of(p, a, x);
      const double worst = violation(p, x, y);
      free(y);
      if (worst <= tol)
        return true;
    }
  }
  return false;
}

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
          CHECK(perp_residual(&problem, p.x, y) <= 1e-10 * scale);
          CHECK(p.kind == PERP_KIND_SOLVABLE || p.kind == PERP_KIND_MULTIPLE);
          free(a);
          free(y);
          perp_instance_destroy(&p);
        }
    }
}

/* Joints beside every kind of contact that has room for them. */
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

/* All states of a contact occur in a planted problem, and none but they. */
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
    perp_contact_data d;
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

/* What is not planted is solvable as claimed: Gauss-Seidel gets there, though A is singular. */
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
    perp_contact_data d;
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

/* b of one box: free fall, gap over h where open, erp of it where it penetrates. */
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
  /* the ball comes on with its speed, in the last row of contacts */
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
    CHECK(perp_operator_apply(A, z, y, scratch) == PERP_OK);
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
    perp_contact_data d;
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

/* Solves the k x k system in place by elimination with pivoting; false where it is singular. */
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

/* Every complementary basis of an LCP of six rows; those that give a solution must give x. */
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
    TEST(planted_solutions_solve),
    TEST(jointed_scenes_are_solved),
    TEST(planted_states_occur),
    TEST(assembled_is_the_contact_operator),
    TEST(rows_of_scenes_are_unit),
    TEST(polyhedral_matrix_is_the_published_one),
    TEST(ranks_are_as_claimed),
    TEST(unplanted_problems_have_solutions),
    TEST(stacks_are_hydrostatic),
    TEST(scenes_stand_by_friction),
    TEST(right_hand_side_is_free_fall_and_gap),
    TEST(named_walls_match_the_table),
    TEST(particle_is_solved_in_closed_form),
    TEST(particle_matrix_is_the_published_one),
};

TEST_MAIN(tests)
