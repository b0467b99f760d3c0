/* Contact operators with a mass matrix that is not block diagonal, given by rows or by a callback,
 * against J M^-1 J^T + C multiplied out in long double by Gauss's elimination: every ability, the
 * verdict's product, velocities, Newton methods and sweeps; and the messages for bad data. */
#define _POSIX_C_SOURCE 200809L
#include "folders.h"
#include "gauss.h"
#include "operator/contact/contact.h"
#include "operator_oracle.h"
#include <perp/generate.h>
#include <perp/perp.h>

#include <float.h>

enum { MOST_M = 40, MOST_N = 24 };

/* The pattern of M: chains, trees and stars of joints, numbered from the root or towards it or at
 * random; grids with two velocities a point; nothing but a diagonal. */
typedef enum { CHAIN, TREE, STAR, SCRAMBLED, GRID, DIAGONAL, SHAPES } shape;

typedef struct sample {
  int m, n;
  int parent[MOST_M]; /* of trees; -1: a root */
  long double M[MOST_M][MOST_M], J[MOST_N][MOST_M], C[MOST_N];
  int64_t M_start[MOST_M + 1], J_start[MOST_N + 1];
  int M_column[MOST_M * MOST_M], J_column[MOST_N * MOST_M];
  double M_value[MOST_M * MOST_M], J_value[MOST_N * MOST_M], C_value[MOST_N];
  double a[MOST_N * MOST_N];
  perp_contact_data data;
} sample;

static void make_parents(sample *s, shape kind, perp_random *random)
{
  for (int k = 0; k < s->m; k++)
    s->parent[k] = kind == CHAIN                             ? k - 1
                   : kind == STAR                            ? (k % 5 == 0 ? (k ? 0 : -1) : k - 1)
                   : perp_random_below(random, 8) == 0 || !k ? -1
                                                             : (int)perp_random_below(random, k);
}

/* M <- diag + the sum of a a^T over the paths a to the roots: coupled are ancestors only. */
static void tree_mass(sample *s, perp_random *random)
{
  for (int k = 0; k < s->m; k++) {
    double a[MOST_M] = {0};
    for (int j = k; j >= 0; j = s->parent[j])
      a[j] = perp_random_between(random, -1, 1);
    for (int i = 0; i < s->m; i++)
      for (int j = 0; j < s->m; j++)
        s->M[i][j] += (long double)(a[i] * a[j]);
    s->M[k][k] += (long double)perp_random_between(random, 0.1, 1);
  }
}

static void grid_mass(sample *s, perp_random *random)
{
  const int side = 4, points = s->m / 2;
  for (int k = 0; k < s->m; k++)
    s->M[k][k] = 0.2L;
  for (int p = 0; p < points; p++)
    for (int q = 0; q < p; q++) {
      const int dx = abs(p % side - q % side), dy = abs(p / side - q / side);
      if (dx > 1 || dy > 1)
        continue;
      double u[2] = {perp_random_between(random, -1, 1), perp_random_between(random, -1, 1)};
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
          const long double w = (long double)(u[i] * u[j]);
          s->M[2 * p + i][2 * p + j] += w;
          s->M[2 * q + i][2 * q + j] += w;
          s->M[2 * p + i][2 * q + j] -= w;
          s->M[2 * q + i][2 * p + j] -= w;
        }
    }
}

/* Numbers the velocities anew: leaves first, or at random. */
static void renumber(sample *s, bool backward, perp_random *random)
{
  int to[MOST_M];
  for (int k = 0; k < s->m; k++)
    to[k] = backward ? s->m - 1 - k : k;
  for (int k = s->m - 1; k > 0 && !backward; k--) {
    const int j = (int)perp_random_below(random, k + 1), t = to[k];
    to[k] = to[j];
    to[j] = t;
  }
  sample *old = oracle_memory(sizeof *old);
  *old = *s;
  for (int i = 0; i < s->m; i++) {
    s->parent[to[i]] = old->parent[i] < 0 ? -1 : to[old->parent[i]];
    for (int j = 0; j < s->m; j++)
      s->M[to[i]][to[j]] = old->M[i][j];
  }
  free(old);
}

/* Rows of trees touch one or two links, with all joints above them; rows of others two points. */
static void make_rows(sample *s, bool tree, perp_random *random)
{
  for (int i = 0; i < s->n; i++) {
    const int sides = 1 + (int)perp_random_below(random, 2);
    for (int side = 0; side < sides; side++)
      for (int j = (int)perp_random_below(random, s->m); j >= 0; j = tree ? s->parent[j] : -1)
        s->J[i][j] = (long double)perp_random_between(random, -1, 1);
  }
}

static void compress(int rows, int columns, const long double *a, int64_t *start, int *column,
                     double *value)
{
  start[0] = 0;
  for (int i = 0; i < rows; i++) {
    int64_t at = start[i];
    for (int j = 0; j < columns; j++)
      if (a[(size_t)i * MOST_M + (size_t)j] != 0) {
        column[at] = j;
        value[at++] = (double)a[(size_t)i * MOST_M + (size_t)j];
      }
    start[i + 1] = at;
  }
}

/* W <- M^-1 J_i^T */
static void oracle_weights(const sample *s, const long double *J, long double *W)
{
  static long double K[MOST_M * (MOST_M + 1)];
  int column[MOST_M];
  for (int i = 0; i < s->m; i++) {
    for (int j = 0; j < s->m; j++)
      K[i * (s->m + 1) + j] = s->M[i][j];
    K[i * (s->m + 1) + s->m] = J[i];
  }
  CHECK(gauss_solve(s->m, s->m + 1, K, 0, column, W));
}

static void multiply_out(sample *s)
{
  for (int i = 0; i < s->n; i++) {
    long double W[MOST_M];
    oracle_weights(s, s->J[i], W);
    for (int j = 0; j < s->n; j++) {
      long double sum = i == j ? s->C[i] : 0;
      for (int k = 0; k < s->m; k++)
        sum += s->J[j][k] * W[k];
      s->a[i * s->n + j] = (double)sum;
    }
  }
}

static sample *sample_make(shape kind, int n, perp_random *random)
{
  sample *s = oracle_memory(sizeof *s);
  const bool tree = kind <= SCRAMBLED;
  s->m = kind == GRID ? 2 * (int)(1 + perp_random_below(random, 16))
                      : (int)(1 + perp_random_below(random, MOST_M));
  s->n = n;
  if (tree) {
    make_parents(s, kind, random);
    tree_mass(s, random);
    if (kind == SCRAMBLED || perp_random_below(random, 2))
      renumber(s, kind != SCRAMBLED, random);
  } else if (kind == GRID) {
    grid_mass(s, random);
  } else {
    for (int k = 0; k < s->m; k++)
      s->M[k][k] = (long double)perp_random_between(random, 0.5, 2);
  }
  make_rows(s, tree, random);
  for (int i = 0; i < n; i++)
    s->C[i] = (long double)(s->C_value[i] = perp_random_between(random, 0.05, 0.1));
  /* the numbers that the operator gets are the oracle's */
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < s->m; j++)
      s->M[i][j] = (double)s->M[i][j];
  compress(s->m, s->m, &s->M[0][0], s->M_start, s->M_column, s->M_value);
  compress(s->n, s->m, &s->J[0][0], s->J_start, s->J_column, s->J_value);
  multiply_out(s);
  s->data = perp_contact_data_default();
  s->data.rows = n;
  s->data.velocities = s->m;
  s->data.J_start = s->J_start;
  s->data.J_column = s->J_column;
  s->data.J_value = s->J_value;
  s->data.C_diagonal = s->C_value;
  s->data.M_start = s->M_start;
  s->data.M_column = s->M_column;
  s->data.M_value = s->M_value;
  return s;
}

/* The callback: M^-1 by the oracle. */
static int oracle_apply(void *context, const double *in, double *out)
{
  long double right[MOST_M], W[MOST_M];
  const sample *s = context;
  for (int k = 0; k < s->m; k++)
    right[k] = (long double)in[k];
  oracle_weights(s, right, W);
  for (int k = 0; k < s->m; k++)
    out[k] = (double)W[k];
  return 0;
}

static perp_operator *sample_operator(sample *s, bool callback, perp_storage storage)
{
  perp_message why;
  perp_operator *A;
  if (callback) {
    s->data.M_start = NULL;
    s->data.apply_Minv = oracle_apply;
    s->data.context = s;
  }
  const perp_error error = perp_operator_contact(&s->data, storage, &A, &why);
  CHECK_SAY(error == PERP_OK, "%s", why.text);
  return A;
}

/* ---- Abilities ---- */

static void every_ability(void)
{
  perp_random random = perp_random_from(1);
  const int share = test_share("mass matrices", 7);
  for (int trial = 0; trial < 600; trial += share) {
    sample *s =
        sample_make((shape)(trial % SHAPES), 1 + (int)perp_random_below(&random, MOST_N), &random);
    perp_operator *A = sample_operator(s, trial % 5 == 4, trial % 2 ? PERP_COPY : PERP_BORROW);
    const oracle_case c = {.A = A, .n = s->n, .a = s->a};
    CHECK_EQUAL_INT(perp_operator_abilities(A), 511);
    static const perp_order order[4] = {PERP_FORWARD, PERP_BACKWARD, PERP_FORWARD, PERP_BACKWARD};
    oracle_check_entries(&c, &random);
    oracle_check_relax_in(&c, (oracle_form)(trial / SHAPES % ORACLE_FORMS), 1, order, &random);
    perp_operator_destroy(A);
    free(s);
  }
}

/* The product of the verdict is exact to the last digit of y, also if M is ill-conditioned. */
static void verdict_product(void)
{
  perp_random random = perp_random_from(2);
  const int share = test_share("products of the verdict", 5);
  for (int trial = 0; trial < 300; trial += share) {
    sample *s = sample_make((shape)(trial % SHAPES), 12, &random);
    perp_operator *A = sample_operator(s, false, PERP_BORROW);
    double *x = oracle_random(&random, s->n), *b = oracle_random(&random, s->n), y[MOST_N];
    double *room = oracle_reals(A->table->gradient_room(A));
    A->table->gradient(A, x, b, y, &(perp_work){.threads = 1}, room);
    long double p[MOST_M] = {0}, W[MOST_M];
    for (int i = 0; i < s->n; i++)
      for (int k = 0; k < s->m; k++)
        p[k] += s->J[i][k] * (long double)x[i];
    oracle_weights(s, p, W);
    for (int i = 0; i < s->n; i++) {
      long double sum = (long double)b[i] + s->C[i] * (long double)x[i], size = fabsl(sum);
      for (int k = 0; k < s->m; k++) {
        sum += s->J[i][k] * W[k];
        size += fabsl(s->J[i][k] * W[k]);
      }
      CHECK_CLOSE(y[i], sum, (double)size * DBL_EPSILON);
    }
    free(x);
    free(b);
    free(room);
    perp_operator_destroy(A);
    free(s);
  }
}

static void velocities_and_bias(void)
{
  perp_random random = perp_random_from(3);
  for (int trial = 0; trial < 100; trial++) {
    sample *s = sample_make((shape)(trial % SHAPES), 9, &random);
    perp_operator *A = sample_operator(s, trial % 3 == 2, PERP_COPY);
    double *x = oracle_random(&random, s->n), *v = oracle_random(&random, s->m), b[MOST_N];
    double after[MOST_M], largest = 0;
    CHECK(perp_contact_bias(A, v, NULL, b, NULL) == PERP_OK);
    CHECK(perp_contact_velocities(A, v, x, after, NULL) == PERP_OK);
    long double p[MOST_M] = {0}, W[MOST_M];
    for (int i = 0; i < s->n; i++) {
      long double sum = 0;
      for (int k = 0; k < s->m; k++) {
        sum += s->J[i][k] * (long double)v[k];
        p[k] += s->J[i][k] * (long double)x[i];
      }
      CHECK_CLOSE(b[i], sum, 1e-14);
    }
    oracle_weights(s, p, W);
    for (int k = 0; k < s->m; k++)
      largest = fmax(largest, fabs((double)W[k]));
    for (int k = 0; k < s->m; k++)
      CHECK_CLOSE(after[k], (long double)v[k] + W[k], 1e-12 * (1 + largest));
    free(x);
    free(v);
    perp_operator_destroy(A);
    free(s);
  }
}

/* ---- The cost of a row ---- */

/* Returns the entries of row i on the paths of its links. */
static int path_entries(const sample *s, int i)
{
  int count = 0;
  for (int j = 0; j < s->m; j++)
    count += s->J[i][j] != 0;
  return count;
}

/* A row of a tree has as many numbers in a sweep as it has joints above it, also in a scrambled
 * numbering of a chain: none is filled in. */
static void rows_cost_their_depth(void)
{
  perp_random random = perp_random_from(4);
  const int share = test_share("costs of rows", 5);
  for (int trial = 0; trial < 300; trial += share) {
    sample *s = sample_make((shape)(trial % SCRAMBLED), MOST_N, &random);
    perp_operator *A = sample_operator(s, false, PERP_BORROW);
    perp_contact_data d = perp_contact_data_default();
    CHECK(perp_operator_contact_data(A, &d) == PERP_OK);
    for (int i = 0; i < s->n; i++)
      CHECK_EQUAL_INT(d.J_start[i + 1] - d.J_start[i], path_entries(s, i));
    perp_operator_destroy(A);
    free(s);
  }
}

/* ---- Solves ---- */

static void solves_agree_with_the_matrix(void)
{
  static const char *const methods[] = {"ipm",    "ssn",  "alm",  "bgs",  "nncg",
                                        "primal", "apgd", "admm", "prox", "auto"};
  perp_random random = perp_random_from(5);
  int solved = 0, tried = 0;
  const int share = test_share("solves", 11);
  for (int trial = 0; trial < 400; trial += share) {
    sample *s = sample_make((shape)(trial % SHAPES), 3 * (1 + trial % 8), &random);
    perp_operator *A = sample_operator(s, trial % 7 == 6, PERP_BORROW), *dense;
    double b[MOST_N], mu[MOST_N], x[MOST_N] = {0};
    for (int i = 0; i < s->n; i++)
      b[i] = perp_random_between(&random, -1, 0.3);
    for (int c = 0; c < s->n / 3; c++) {
      mu[c] = perp_random_between(&random, 0.1, 1);
      s->C_value[3 * c + 1] = s->C_value[3 * c + 2];
      s->C[3 * c + 1] = s->C[3 * c + 2];
    }
    multiply_out(s);
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    CHECK(perp_operator_dense(s->n, s->a, s->n, PERP_COPY, &dense, NULL) == PERP_OK);
    double lo[MOST_N], hi[MOST_N];
    int findex[MOST_N];
    for (int i = 0; i < s->n; i++) {
      lo[i] = i % 3 ? -mu[i / 3] : 0;
      hi[i] = i % 3 ? mu[i / 3] : INFINITY;
      findex[i] = i % 3 ? i - i % 3 : -1;
    }
    const char *method = methods[trial % (int)(sizeof methods / sizeof *methods)];
    perp_problem p = strcmp(method, "alm") == 0      ? perp_problem_friction(A, b, lo, hi, findex)
                     : strcmp(method, "primal") == 0 ? perp_problem_boxed(A, b, lo, hi)
                                                     : perp_problem_cone(A, b, mu);
    perp_problem q = p;
    q.A = dense;
    perp_result result = perp_result_empty();
    perp_options options = perp_options_default();
    options.tol = 1e-9;
    const perp_error error = perp_solve(method, &p, &options, x, &result);
    CHECK_SAY(error == PERP_OK, "%s: %s", method, result.message.text);
    tried++;
    if (result.outcome == PERP_SOLVED) {
      double y[MOST_N];
      for (int i = 0; i < s->n; i++) {
        y[i] = b[i];
        for (int j = 0; j < s->n; j++)
          y[i] += s->a[i * s->n + j] * x[j];
      }
      const double residual = perp_problem_residual(&q, x, y);
      CHECK_SAY(residual <= 1.01e-9, "%s: residual %g", method, residual);
      solved++;
    } else {
      printf("  %s: %s\n", method, perp_outcome_name(result.outcome));
    }
    perp_operator_destroy(dense);
    perp_operator_destroy(A);
    free(s);
  }
  CHECK_SAY(solved >= tried - tried / 20, "%d of %d", solved, tried);
}

/* ---- Bad data ---- */

static void refusals(void)
{
  perp_random random = perp_random_from(6);
  sample *s = sample_make(CHAIN, 6, &random);
  perp_message why;
  perp_operator *A;
  const int row = s->m / 2;
  int64_t at = s->M_start[row];
  while (s->M_column[at] != row)
    at++;
  const double value = s->M_value[at];
  s->M_value[at] = -1;
  CHECK(perp_operator_contact(&s->data, PERP_COPY, &A, &why) == PERP_ERROR_PROBLEM);
  char end[32];
  snprintf(end, sizeof end, "ends at row %d,", row);
  CHECK_SAY(strstr(why.text, "not positive definite") && strstr(why.text, end), "%s", why.text);
  s->M_value[at] = NAN;
  CHECK(perp_operator_contact(&s->data, PERP_COPY, &A, &why) == PERP_ERROR_PROBLEM);
  CHECK_SAY(strstr(why.text, "M") && strstr(why.text, "not finite"), "%s", why.text);
  s->M_value[at] = value;
  const int64_t last = s->M_start[s->m] - 2;
  s->M_value[last] += 1;
  CHECK(perp_operator_contact(&s->data, PERP_COPY, &A, &why) == PERP_ERROR_PROBLEM);
  CHECK_SAY(strstr(why.text, "M is not symmetric"), "%s", why.text);
  s->M_value[last] -= 1;
  s->data.apply_Minv = oracle_apply;
  CHECK(perp_operator_contact(&s->data, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  free(s);
}

/* Velocities that no row touches, and a row that touches none: A = J M^-1 J^T + C all the same. */
static void empty_columns_of_J(void)
{
  const int64_t J_start[] = {0, 1, 1}, M_start[] = {0, 2, 4, 5};
  const int J_column[] = {1}, M_column[] = {0, 1, 0, 1, 2};
  const double J[] = {3}, M[] = {2, 1, 1, 4, 5}, x[] = {1, 1};
  perp_contact_data data = perp_contact_data_default();
  data.rows = 2, data.velocities = 3, data.cfm = 0.25;
  data.J_start = J_start, data.J_column = J_column, data.J_value = J;
  data.M_start = M_start, data.M_column = M_column, data.M_value = M;
  perp_operator *A;
  perp_message why = {""};
  double y[2], v[3], room[16];
  const double before[] = {1, 1, 1};
  CHECK_SAY(perp_operator_contact(&data, PERP_COPY, &A, &why) == PERP_OK, "%s", why.text);
  CHECK(perp_operator_scratch(A) <= 16 && perp_operator_apply(A, x, y, room, &why) == PERP_OK);
  CHECK_CLOSE(y[0], 9 * 2.0 / 7 + 0.25, 1e-14); /* (M^-1)_11 = 2 / 7 */
  CHECK_CLOSE(y[1], 0.25, 1e-14);
  CHECK(perp_contact_velocities(A, before, x, v, &why) == PERP_OK);
  CHECK_CLOSE(v[0], 1 - 3.0 / 7, 1e-14);
  CHECK_CLOSE(v[1], 1 + 6.0 / 7, 1e-14);
  CHECK_CLOSE(v[2], 1, 0);
  perp_operator_destroy(A);
}

/* ---- Generated problems and folders ---- */

/* A problem folder keeps J and M bit by bit, and is solved like the operator in memory. */
static void folders_keep_the_mass(void)
{
  static const char *const kinds[] = {"robot",
                                      "robot:model=hand",
                                      "robot:model=chain,n=40,contacts=1",
                                      "robot:model=rope,n=60,contacts=1",
                                      "elements:n=600,contacts=40",
                                      "elements:body=beam,n=900"};
  fresh_scratch();
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance p, q;
    perp_message why;
    CHECK_SAY(perp_generate(kinds[k], &p, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_folder_write(in_scratch("p"), &p, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_folder_read(in_scratch("p"), &q, &why) == PERP_OK, "%s", why.text);
    perp_contact_data a = perp_contact_data_default(), b = perp_contact_data_default();
    CHECK(perp_operator_contact_source(p.A, &a) == PERP_OK);
    CHECK(perp_operator_contact_source(q.A, &b) == PERP_OK);
    const size_t m = (size_t)a.velocities, n = (size_t)a.rows;
    CHECK(a.M_start && b.M_start && b.velocities == a.velocities && b.rows == a.rows);
    CHECK(memcmp(a.M_start, b.M_start, (m + 1) * sizeof *a.M_start) == 0);
    CHECK(memcmp(a.M_value, b.M_value, (size_t)a.M_start[m] * sizeof *a.M_value) == 0);
    CHECK(memcmp(a.J_start, b.J_start, (n + 1) * sizeof *a.J_start) == 0);
    CHECK(memcmp(a.J_value, b.J_value, (size_t)a.J_start[n] * sizeof *a.J_value) == 0);
    const perp_problem one = perp_instance_problem(&p), two = perp_instance_problem(&q);
    double *x = oracle_reals(n), *z = oracle_reals(n);
    perp_result result = perp_result_empty();
    CHECK(perp_solve("auto", &one, NULL, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", kinds[k], perp_outcome_name(result.outcome));
    CHECK(perp_solve("auto", &two, NULL, z, &result) == PERP_OK);
    CHECK(memcmp(x, z, n * sizeof *x) == 0);
    free(x);
    free(z);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

/* A ball on an incline, without contacts to others and at rest before, with m g = 10, moment
 * r = 0.1: it stays at rest if slope <= roll / radius, and else rolls. */
static void a_ball_rests_or_rolls(void)
{
  for (int k = 0; k < 40; k++) {
    char text[128];
    const double slope = 0.02 + 0.01 * k, roll = 0.021;
    if (fabs(slope - roll / 0.1) < 0.005)
      continue;
    perp_instance p;
    perp_message why;
    snprintf(text, sizeof text, "rolling:n=1,speed=0,mu=10,roll=%g,slope=%.17g", roll, slope);
    CHECK_SAY(perp_generate(text, &p, &why) == PERP_OK, "%s", why.text);
    const perp_problem problem = perp_instance_problem(&p);
    double x[5] = {0}, v[6], y[5];
    perp_result result = perp_result_empty();
    perp_options options = perp_options_default();
    options.tol = 1e-12;
    CHECK_SAY(perp_solve("auto", &problem, &options, x, &result) == PERP_OK, "%s",
              result.message.text);
    CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", text, perp_outcome_name(result.outcome));
    CHECK(perp_contact_velocities(p.A, NULL, x, v, NULL) == PERP_OK);
    CHECK(perp_contact_bias(p.A, v, p.b, y, NULL) == PERP_OK);
    const double spin = hypot(y[3], y[4]), weight = 0.1 / sqrt(1 + slope * slope);
    CHECK_CLOSE(x[0], weight, 1e-10);
    /* rolls: m r^2 (1 + 2/5) w' = m g (r slope - roll) over the length of the slope */
    const double expected = slope * 0.1 > roll ? weight * (slope * 0.1 - roll) / 0.014 : 0;
    CHECK_CLOSE(spin, expected, 1e-9);
    perp_instance_destroy(&p);
  }
}

static const test_case tests[] = {
    TEST(every_ability),
    TEST(verdict_product),
    TEST(velocities_and_bias),
    TEST(rows_cost_their_depth),
    TEST(solves_agree_with_the_matrix),
    TEST(refusals),
    TEST(empty_columns_of_J),
    TEST(folders_keep_the_mass),
    TEST(a_ball_rests_or_rolls),
};
TEST_MAIN(tests)
