/* throw.c: a controller that throws a rubber disc into a bucket
 *
 * The disc jumps off the floor once before it falls into the bucket. The controller is a polynomial:
 * from the distance of the bucket to the velocity and the spin of the throw. It is trained by gradient
 * descent through 100 steps of the simulation with buckets at seven distances, first without walls, and
 * then has to hit at distances that it has not seen.
 *
 *   throw [FILE.svg]      prints the descent and the throws, and draws them
 *
 * One step, with q = (x, y, angle) and v its velocity; each contact, of the floor and of the two walls,
 * has a row n and a row t:
 *
 *   free = v + h g,  b = J free + (gap / h, 0),  x from A = J Minv J^T + C, |x_t| <= mu x_n
 *   v' = free + Minv J^T x,  q' = q + h v'
 *
 * C is a spring: the disc dents, and jumps. See recover.c for the way back. */
#include "bfgs.h"

#include <perp/derivative.h>
#include <perp/perp.h>
#include <stdio.h>

enum { STEPS = 100, ABOVE = 70, CONTACTS = 3, ROWS = 2 * CONTACTS, COEFFICIENTS = 3, BUCKETS = 7 };
enum { UNKNOWNS = 3 * COEFFICIENTS, ITERATIONS = 60 };

static const double h = 0.012, gravity = 9.81, mu = 0.5, radius = 0.2, spring = 700;
static const double lag = 1.6; /* of the gap: 1 takes it at the end of a step, 2 in the middle */
static const double Minv[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2 / (0.2 * 0.2)}; /* of 1 kg */
static const double effort = 1e-3; /* what a fast throw costs */
static const double start[3] = {0, 1, 0};
static const double trained[BUCKETS] = {2.0, 2.333, 2.667, 3.0, 3.333, 3.667, 4.0};
static const double unseen[BUCKETS] = {2.1, 2.4, 2.7, 3.1, 3.4, 3.7, 3.9};
static const double width = 0.45, height = 0.4; /* half of the bucket's, and of its walls */

/* The target. */
typedef struct target {
  double distance, height;
} target;

typedef struct step {
  double q[3], free[3], x[ROWS];
  target bucket;
  perp_operator *A;
  perp_derivative *derivative;
} step;

typedef struct track {
  double q[STEPS + 1][3];
  step step[STEPS];
} track;

/* The normal at the disc, the gap, and the curvature of the gap: what the normal turns by. */
typedef struct contact {
  double n[2], gap, turn;
} contact;

/* Contact 0 is the floor, 1 and 2 are the walls of the bucket: upright lines. */
static contact find_contact(int k, const target *bucket, const double q[3])
{
  if (k == 0)
    return (contact){{0, 1}, q[1] - radius, 0};
  const double wall = bucket->distance + (k == 1 ? -width : width);
  const double d[2] = {q[0] - wall, q[1] > bucket->height ? q[1] - bucket->height : 0};
  const double length = sqrt(d[0] * d[0] + d[1] * d[1]);
  return (contact){
      {d[0] / length, d[1] / length}, length - radius, q[1] > bucket->height ? 1 / length : 0};
}

static void find_rows(const contact *c, double J[2][3])
{
  memcpy(J, (double[]){c->n[0], c->n[1], 0, -c->n[1], c->n[0], -radius}, 6 * sizeof(double));
}

/* One step; the way back needs what is left in s. */
static perp_error advance(perp_solver *solver, const target *bucket, double q[3], double v[3],
                          step *s, perp_message *why)
{
  double J[ROWS][3], b[ROWS], lo[ROWS], hi[ROWS], stiff[ROWS], x[ROWS] = {0};
  int64_t rows[ROWS + 1] = {0};
  int column[3 * ROWS], findex[ROWS];
  double free[3] = {v[0], v[1] - h * gravity, v[2]};
  for (int k = 0; k < CONTACTS; k++) {
    const contact c = find_contact(k, bucket, q);
    find_rows(&c, J + 2 * k);
    perp_set_planar(2 * k, 2 * k + 1, mu, lo, hi, findex);
    stiff[2 * k] = lag / (h * h * spring);
    stiff[2 * k + 1] = 1e-3;
    for (int i = 2 * k; i < 2 * k + 2; i++)
      b[i] = J[i][0] * free[0] + J[i][1] * free[1] + J[i][2] * free[2];
    b[2 * k] += lag * c.gap / h;
  }
  for (int i = 0; i < 3 * ROWS; i++) {
    rows[i / 3 + 1] = i + 1;
    column[i] = i % 3;
  }
  perp_contact_data data = perp_contact_data_default();
  data.rows = ROWS;
  data.velocities = 3;
  data.J_start = rows;
  data.J_column = column;
  data.J_value = J[0];
  data.blocks = 1;
  data.Minv = Minv;
  data.C_diagonal = stiff;
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-12;
  perp_error error = perp_operator_contact(&data, PERP_COPY, &s->A, why);
  if (error)
    return error;
  const perp_problem p = perp_problem_friction(s->A, b, lo, hi, findex);
  error = perp_solver_solve(solver, &p, &options, x, &result);
  if (error || result.outcome != PERP_SOLVED) {
    *why = result.message;
    return error ? error : PERP_ERROR_PROBLEM;
  }
  memcpy(s->q, q, sizeof s->q);
  memcpy(s->free, free, sizeof s->free);
  memcpy(s->x, x, sizeof s->x);
  s->bucket = *bucket;
  error = perp_derivative_create(&p, x, NULL, &s->derivative, why);
  if (!error)
    error = perp_contact_velocities(s->A, free, x, v, why);
  for (int k = 0; k < 3; k++)
    q[k] += h * v[k];
  return error;
}

/* The gradients with respect to the state after the step become those before it. */
static perp_error retreat(const step *s, double q_bar[3], double v_bar[3], perp_message *why)
{
  double w[ROWS], b_bar[ROWS], J_bar[ROWS][3], J[ROWS][3], moved[3];
  for (int k = 0; k < 3; k++) {
    v_bar[k] += h * q_bar[k];
    moved[k] = Minv[4 * k] * v_bar[k];
  }
  for (int k = 0; k < CONTACTS; k++) {
    const contact c = find_contact(k, &s->bucket, s->q);
    find_rows(&c, J + 2 * k);
  }
  for (int i = 0; i < ROWS; i++)
    w[i] = J[i][0] * moved[0] + J[i][1] * moved[1] + J[i][2] * moved[2];
  perp_gradient g = perp_gradient_default();
  g.b = b_bar;
  g.J = J_bar[0];
  const perp_error error = perp_derivative_vjp(s->derivative, w, &g, why);
  if (error)
    return error;
  /* J appears in A, in b = J free + ..., and in v' = ... + Minv J^T x */
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < 3; k++) {
      J_bar[i][k] += b_bar[i] * s->free[k] + s->x[i] * moved[k];
      v_bar[k] += J[i][k] * b_bar[i];
    }
  for (int k = 0; k < CONTACTS; k++) {
    const contact c = find_contact(k, &s->bucket, s->q);
    const double *n = J_bar[2 * k], *t = J_bar[2 * k + 1];
    /* n' = turn (I - n n^T) p', the gap' = n^T p', and t is n turned by a right angle */
    const double n_bar[2] = {n[0] + t[1], n[1] - t[0]};
    const double along = n_bar[0] * c.n[0] + n_bar[1] * c.n[1];
    for (int i = 0; i < 2; i++)
      q_bar[i] += c.turn * (n_bar[i] - along * c.n[i]) + c.n[i] * lag * b_bar[2 * k] / h;
  }
  return PERP_OK;
}

/* v_i = sum_k theta_ik (distance - 3)^k */
static void control(const double theta[UNKNOWNS], double distance, double v[3])
{
  for (int i = 0; i < 3; i++) {
    v[i] = 0;
    for (int k = COEFFICIENTS - 1; k >= 0; k--)
      v[i] = v[i] * (distance - 3) + theta[i * COEFFICIENTS + k];
  }
}

/* One throw. The loss wants it above the bucket after a second, and on the floor of it at the end; its
 * gradient is added. */
static perp_error throw_once(perp_solver *solver, const double theta[UNKNOWNS],
                             const target *bucket, track *path, double *loss,
                             double gradient[UNKNOWNS], perp_message *why)
{
  double q[3], v[3], thrown[3], q_bar[3] = {0}, v_bar[3] = {0};
  perp_error error = PERP_OK;
  memset(path->step, 0, sizeof path->step);
  memcpy(q, start, sizeof q);
  control(theta, bucket->distance, v);
  memcpy(thrown, v, sizeof v);
  for (int i = 0; i < 3; i++)
    *loss += 0.5 * effort * v[i] * v[i];
  memcpy(path->q[0], q, sizeof q);
  for (int k = 0; k < STEPS && !error; k++) {
    error = advance(solver, bucket, q, v, &path->step[k], why);
    memcpy(path->q[k + 1], q, sizeof q);
  }
  for (int k = STEPS; k >= 0 && !error; k--) {
    const bool above = k == ABOVE, end = k == STEPS;
    const double off[2] = {path->q[k][0] - bucket->distance,
                           path->q[k][1] - (above ? 2 * height : radius)};
    const double weight = above ? 1 : end && bucket->height > 0 ? 0.1 : 0;
    *loss += 0.5 * weight * (off[0] * off[0] + off[1] * off[1]);
    for (int i = 0; i < 2; i++)
      q_bar[i] += weight * off[i];
    if (k > 0)
      error = retreat(&path->step[k - 1], q_bar, v_bar, why);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < COEFFICIENTS; k++)
      gradient[i * COEFFICIENTS + k] +=
          (v_bar[i] + effort * thrown[i]) * pow(bucket->distance - 3, k);
  for (int k = 0; k < STEPS; k++) {
    perp_derivative_destroy(path->step[k].derivative);
    perp_operator_destroy(path->step[k].A);
  }
  return error;
}

/* All throws of the training. */
static perp_error evaluate(perp_solver *solver, double walls, const double theta[UNKNOWNS],
                           double *loss, double gradient[UNKNOWNS], perp_message *why)
{
  static track path;
  perp_error error = PERP_OK;
  *loss = 0;
  memset(gradient, 0, UNKNOWNS * sizeof *gradient);
  for (int k = 0; k < BUCKETS && !error; k++)
    error = throw_once(solver, theta, &(target){trained[k], walls}, &path, loss, gradient, why);
  return error;
}

typedef struct training {
  perp_solver *solver;
  double walls;
  perp_message *why;
} training;

static perp_error evaluate_training(void *context, double *theta, double *loss, double *gradient)
{
  const training *t = context;
  return evaluate(t->solver, t->walls, theta, loss, gradient, t->why);
}

static void report_training(void *context, int iteration, double loss, const double *theta)
{
  (void)context, (void)theta;
  if (iteration % 20 == 0)
    printf("%9d  %9.2e\n", iteration, loss);
}

static perp_error descend(perp_solver *solver, double walls, double theta[UNKNOWNS],
                          perp_message *why)
{
  training t = {solver, walls, why};
  const bfgs b = {UNKNOWNS, ITERATIONS, 0, evaluate_training, report_training, &t};
  double loss = 0;
  const perp_error error = bfgs_descend(&b, theta, &loss);
  printf("      end  %9.2e\n", loss);
  return error;
}

/* Throws at the buckets: how many stay in. */
static perp_error play(perp_solver *solver, const double theta[UNKNOWNS], const double at[BUCKETS],
                       track *paths, int *hits, perp_message *why)
{
  perp_error error = PERP_OK;
  *hits = 0;
  for (int k = 0; k < BUCKETS && !error; k++) {
    double loss = 0, g[UNKNOWNS] = {0}, v[3];
    error = throw_once(solver, theta, &(target){at[k], height}, &paths[k], &loss, g, why);
    const double *q = paths[k].q[STEPS];
    const bool in = fabs(q[0] - at[k]) < width && q[1] < height;
    control(theta, at[k], v);
    printf("bucket at %.2f: thrown with (%.2f, %.2f) and spin %.2f, ends at (%.2f, %.2f), %s\n",
           at[k], v[0], v[1], v[2], q[0], q[1], in ? "in" : "out");
    *hits += in;
  }
  return error;
}

/* Buckets and the disc on its way, a row for each. */
static int draw(const char *name, const track *before, const track *after)
{
  FILE *file = fopen(name, "w");
  if (!file) {
    fprintf(stderr, "throw: %s cannot be written\n", name);
    return 2;
  }
  fprintf(file,
          "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-0.3 -1.3 5.2 %.2f' width='700' "
          "fill='none' stroke-width='0.012' font-family='sans-serif' font-size='0.11'>\n"
          "<rect x='-0.3' y='-1.3' width='5.2' height='%.2f' fill='white'/>\n",
          1.4 * BUCKETS + 0.1, 1.4 * BUCKETS + 0.1);
  for (int k = 0; k < BUCKETS; k++) {
    fprintf(file, "<g transform='translate(0 %.2f)'>\n", 1.4 * k);
    fprintf(file,
            "<path d='M-0.3,0H4.9' stroke='#888'/>\n"
            "<path d='M%.3f,%.3fV0M%.3f,%.3fV0' stroke='black' stroke-width='0.03'/>\n",
            unseen[k] - width, -height, unseen[k] + width, -height);
    for (int which = 0; which < 2; which++) {
      const track *path = which ? &after[k] : &before[k];
      fprintf(file, "<g stroke='%s'>\n<path d='", which ? "#1f77b4" : "#d62728");
      for (int i = 0; i <= STEPS; i += 2)
        fprintf(file, "%c%.2f,%.2f", i ? 'L' : 'M', path->q[i][0], -path->q[i][1]);
      fprintf(file, "'/>\n");
      for (int i = 0; i <= STEPS && which; i += 10)
        fprintf(file, "<circle cx='%.3f' cy='%.3f' r='%.3f'/>\n", path->q[i][0], -path->q[i][1],
                radius);
      fprintf(file, "</g>\n");
    }
    fprintf(file, "</g>\n");
  }
  fprintf(file, "<g stroke='none'><text x='3.4' y='-1.1' fill='#d62728'>before the training</text>"
                "<text x='3.4' y='-0.95' fill='#1f77b4'>after it</text></g>\n</svg>\n");
  return fclose(file) ? 2 : 0;
}

int main(int argc, char **argv)
{
  static track before[BUCKETS], after[BUCKETS];
  double theta[UNKNOWNS] = {3, 0, 0, -2.5};
  int hits = 0;
  perp_solver *solver = NULL;
  perp_message why = {""};
  perp_error error = perp_solver_create("dantzig", &solver, &why);
  if (!error)
    error = play(solver, theta, unseen, before, &hits, &why);
  printf("iteration       loss\n");
  if (!error)
    error = descend(solver, 0, theta, &why);
  if (!error)
    error = descend(solver, height, theta, &why);
  if (!error)
    error = play(solver, theta, unseen, after, &hits, &why);
  perp_solver_destroy(solver);
  if (error) {
    fprintf(stderr, "throw: %s: %s\n", perp_error_name(error), why.text);
    return 2;
  }
  printf("%d of %d in\n", hits, BUCKETS);
  if (hits < BUCKETS)
    return 1;
  return argc > 1 ? draw(argv[1], before, after) : 0;
}
