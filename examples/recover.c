/* recover.c: how fast was the box thrown, and how rough is the floor?
 *
 * A box tumbles and slides over a floor for 100 steps; its path is known, and nothing else. From a wrong
 * guess, gradient descent finds its velocity at the start and the coefficient of friction: first those
 * that fit the first 20 steps, and so on with 20 more, since where the box comes to rest tells little
 * until its flight is right. Each step is a contact problem; perp/derivative.h carries the gradient of
 * the loss through its solution.
 *
 *   recover [FILE.svg]      prints the descent, and draws the paths
 *
 * One step, with q = (x, y, angle), v its velocity, and for each corner a row n and a row t:
 *
 *   free = v + h g,  b = J free + (gap / h, 0),  x from A = J Minv J^T + C, |x_t| <= mu x_n
 *   v' = free + Minv J^T x,  q' = q + h v'
 *
 * All four corners have their rows in every step: a gap only delays their contact, so that the motion
 * is a continuous function of its start. */
#include "bfgs.h"

#include <perp/derivative.h>
#include <perp/perp.h>
#include <stdio.h>

enum { STEPS = 100, CORNERS = 4, ROWS = 2 * CORNERS, DEGREES = 3, UNKNOWNS = 4, ITERATIONS = 200 };

static const double h = 0.02, gravity = 9.81, enough = 1e-12;
static const double half[2] = {0.5, 0.3};                  /* of the box, in metres */
static const double Minv[9] = {1, 0, 0, 0, 1, 0, 0, 0, 6}; /* of 1 kg */
static const double start[DEGREES] = {0, 1.2, 0.3};        /* the pose at the start */

/* Data of a step for the backward pass. */
typedef struct step {
  double q[3], free[3], x[ROWS];
  perp_derivative *derivative;
} step;

typedef struct track {
  double q[STEPS + 1][3];
  step step[STEPS];
} track;

/* The floor and the matrix of its contacts: made once, with other numbers in each step. */
typedef struct floor_contacts {
  double J[ROWS * DEGREES], lo[ROWS], hi[ROWS], b[ROWS];
  int64_t start[ROWS + 1];
  int column[ROWS * DEGREES], findex[ROWS];
} floor_contacts;

/* Says so and returns 2. */
static int complain(const char *what, const perp_message *why)
{
  fprintf(stderr, "recover: %s: %s\n", what, why->text);
  return 2;
}

/* From the middle of the box to a corner. */
static void corner(int k, double angle, double r[2])
{
  const double p[2] = {k % 2 ? half[0] : -half[0], k / 2 ? half[1] : -half[1]};
  r[0] = cos(angle) * p[0] - sin(angle) * p[1];
  r[1] = sin(angle) * p[0] + cos(angle) * p[1];
}

/* J and b, and the friction bounds. */
static void fill(floor_contacts *f, double mu, const double q[3], const double free[3])
{
  for (int k = 0; k < CORNERS; k++) {
    double r[2], *J = f->J + 2 * k * DEGREES;
    corner(k, q[2], r);
    memcpy(J, (double[]){0, 1, r[0], 1, 0, -r[1]}, 6 * sizeof *J);
    perp_set_planar(2 * k, 2 * k + 1, mu, f->lo, f->hi, f->findex);
    f->b[2 * k] = free[1] + r[0] * free[2] + (q[1] + r[1]) / h;
    f->b[2 * k + 1] = free[0] - r[1] * free[2];
  }
  for (int i = 0; i <= ROWS; i++)
    f->start[i] = i * DEGREES;
  for (int i = 0; i < ROWS * DEGREES; i++)
    f->column[i] = i % DEGREES;
}

static perp_error make_operator(const floor_contacts *f, perp_operator **A, perp_message *why)
{
  perp_contact_data data = perp_contact_data_default();
  data.rows = ROWS;
  data.velocities = DEGREES;
  data.J_start = f->start;
  data.J_column = f->column;
  data.J_value = f->J;
  data.blocks = 1;
  data.Minv = Minv;
  data.cfm = 1e-4; /* a little give, so that the forces are determined */
  return perp_operator_contact(&data, PERP_COPY, A, why);
}

/* One step; if s is there, what the way back needs. */
static perp_error advance(perp_solver *solver, double mu, double q[3], double v[3], step *s,
                          perp_operator **A, perp_message *why)
{
  floor_contacts f;
  double x[ROWS] = {0}, free[3] = {v[0], v[1] - h * gravity, v[2]};
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-12;
  fill(&f, mu, q, free);
  perp_error error = make_operator(&f, A, why);
  if (error)
    return error;
  const perp_problem p = perp_problem_friction(*A, f.b, f.lo, f.hi, f.findex);
  error = perp_solver_solve(solver, &p, &options, x, &result);
  if (error || result.outcome != PERP_SOLVED) {
    *why = result.message;
    return error ? error : PERP_ERROR_PROBLEM;
  }
  if (s) {
    memcpy(s->q, q, sizeof s->q);
    memcpy(s->free, free, sizeof s->free);
    memcpy(s->x, x, sizeof s->x);
    error = perp_derivative_create(&p, x, NULL, &s->derivative, why);
    if (error)
      return error;
  }
  error = perp_contact_velocities(*A, free, x, v, why);
  for (int k = 0; k < 3; k++)
    q[k] += h * v[k];
  return error;
}

/* theta = (mu, velocity); the operators of the steps, if they are kept, go to A. */
static perp_error simulate(perp_solver *solver, int steps, const double theta[UNKNOWNS],
                           track *path, perp_operator **A, perp_message *why)
{
  double q[3], v[3] = {theta[1], theta[2], theta[3]};
  memcpy(q, start, sizeof q);
  memcpy(path->q[0], q, sizeof q);
  for (int k = 0; k < steps; k++) {
    perp_operator *once = NULL;
    const perp_error error =
        advance(solver, theta[0], q, v, A ? &path->step[k] : NULL, A ? &A[k] : &once, why);
    perp_operator_destroy(once);
    if (error)
      return error;
    memcpy(path->q[k + 1], q, sizeof q);
  }
  return PERP_OK;
}

/* 1/2 the mean square distance of the paths, of the first steps; a radian counts as a metre. */
static double loss(int steps, const track *a, const track *b)
{
  double sum = 0;
  for (int k = 1; k <= steps; k++)
    for (int i = 0; i < 3; i++)
      sum += (a->q[k][i] - b->q[k][i]) * (a->q[k][i] - b->q[k][i]);
  return 0.5 * sum / steps;
}

/* One step back: q_bar and v_bar are gradients of the loss with respect to the state after it, and
 * become those before it. */
static perp_error retreat(const step *s, double q_bar[3], double v_bar[3], double *mu_bar,
                          perp_message *why)
{
  double w[ROWS], b_bar[ROWS], lo_bar[ROWS], hi_bar[ROWS], J_bar[ROWS * DEGREES], J[ROWS][3];
  double moved[3]; /* Minv v_bar */
  for (int k = 0; k < 3; k++)
    v_bar[k] += h * q_bar[k];
  for (int k = 0; k < 3; k++)
    moved[k] = Minv[4 * k] * v_bar[k];
  /* x_bar = J Minv v_bar */
  for (int k = 0; k < CORNERS; k++) {
    double r[2];
    corner(k, s->q[2], r);
    memcpy(J[2 * k], (double[]){0, 1, r[0], 1, 0, -r[1]}, sizeof J[0] * 2);
  }
  for (int i = 0; i < ROWS; i++)
    w[i] = J[i][0] * moved[0] + J[i][1] * moved[1] + J[i][2] * moved[2];
  perp_gradient g = perp_gradient_default();
  g.b = b_bar;
  g.lo = lo_bar;
  g.hi = hi_bar;
  g.J = J_bar;
  const perp_error error = perp_derivative_vjp(s->derivative, w, &g, why);
  if (error)
    return error;
  for (int k = 0; k < CORNERS; k++) {
    const int n = 2 * k, t = 2 * k + 1;
    double r[2];
    corner(k, s->q[2], r);
    *mu_bar += hi_bar[t] - lo_bar[t];
    /* J appears in A, in b = J free + ..., and in v' = ... + Minv J^T x; of it, r depends on the angle */
    const double n_bar = J_bar[n * 3 + 2] + b_bar[n] * s->free[2] + s->x[n] * moved[2];
    const double t_bar = J_bar[t * 3 + 2] + b_bar[t] * s->free[2] + s->x[t] * moved[2];
    q_bar[2] += -r[1] * n_bar - r[0] * t_bar + r[0] * b_bar[n] / h;
    q_bar[1] += b_bar[n] / h;
    for (int i = 0; i < 3; i++)
      v_bar[i] += J[n][i] * b_bar[n] + J[t][i] * b_bar[t];
  }
  return PERP_OK;
}

/* The loss and its gradient. */
static perp_error evaluate(perp_solver *solver, int steps, const double theta[UNKNOWNS],
                           const track *seen, track *path, double *value, double gradient[UNKNOWNS],
                           perp_message *why)
{
  perp_operator *A[STEPS] = {NULL};
  double q_bar[3] = {0}, v_bar[3] = {0}, mu_bar = 0;
  for (int k = 0; k < STEPS; k++)
    path->step[k].derivative = NULL;
  perp_error error = simulate(solver, steps, theta, path, A, why);
  *value = error ? NAN : loss(steps, path, seen);
  for (int k = steps - 1; k >= 0 && !error; k--) {
    for (int i = 0; i < 3; i++)
      q_bar[i] += (path->q[k + 1][i] - seen->q[k + 1][i]) / steps;
    error = retreat(&path->step[k], q_bar, v_bar, &mu_bar, why);
  }
  for (int k = 0; k < STEPS; k++) {
    perp_derivative_destroy(path->step[k].derivative);
    perp_operator_destroy(A[k]);
  }
  gradient[0] = mu_bar;
  memcpy(gradient + 1, v_bar, sizeof v_bar);
  return error;
}

/* The box at every eighth step, and the way of its middle. */
static void draw_path(FILE *file, const track *path, const char *style)
{
  fprintf(file, "<g fill='none' stroke-width='0.015' %s>\n", style);
  for (int k = 0; k <= STEPS; k += 8) {
    fprintf(file, "<polygon points='");
    for (int c = 0; c < CORNERS; c++) {
      double r[2];
      corner((int[]){0, 1, 3, 2}[c], path->q[k][2], r);
      fprintf(file, "%.3f,%.3f ", path->q[k][0] + r[0], -(path->q[k][1] + r[1]));
    }
    fprintf(file, "'/>\n");
  }
  fprintf(file, "<polyline points='");
  for (int k = 0; k <= STEPS; k++)
    fprintf(file, "%.3f,%.3f ", path->q[k][0], -path->q[k][1]);
  fprintf(file, "'/>\n</g>\n");
}

static int draw(const char *name, const track *seen, const track *first, const track *found)
{
  FILE *file = fopen(name, "w");
  if (!file) {
    fprintf(stderr, "recover: %s cannot be written\n", name);
    return 2;
  }
  fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-0.8 -2 5.2 2.2' width='900' "
                "font-family='sans-serif' font-size='0.13'>\n"
                "<rect x='-0.8' y='-2' width='5.2' height='2.2' fill='white'/>\n"
                "<rect x='-0.8' y='0' width='5.2' height='0.2' fill='#ddd'/>\n");
  draw_path(file, first, "stroke='#d62728'");
  draw_path(file, seen, "stroke='#bbb' style='stroke-width:0.06'");
  draw_path(file, found, "stroke='#1f77b4'");
  fprintf(file, "<text x='2.6' y='-1.8' fill='#999'>the path that was seen</text>\n"
                "<text x='2.6' y='-1.6' fill='#d62728'>the first guess</text>\n"
                "<text x='2.6' y='-1.4' fill='#1f77b4'>found by gradient descent</text>\n</svg>\n");
  return fclose(file) ? 2 : 0;
}

/* ---- Descent ---- */

typedef struct fit {
  perp_solver *solver;
  int steps;
  const track *seen;
  track *path;
  perp_message *why;
} fit;

static perp_error evaluate_fit(void *context, double *theta, double *value, double *gradient)
{
  const fit *f = context;
  theta[0] = fmax(theta[0], 0.01); /* no floor is without friction */
  return evaluate(f->solver, f->steps, theta, f->seen, f->path, value, gradient, f->why);
}

static void report_fit(void *context, int iteration, double value, const double *theta)
{
  (void)context;
  if (iteration > 0 && (iteration % 5 == 0 || value <= enough))
    printf("%9d  %9.2e  %8.5f  %8.5f %8.5f %8.5f\n", iteration, value, theta[0], theta[1], theta[2],
           theta[3]);
}

int main(int argc, char **argv)
{
  static track seen, first, found;
  const double truth[UNKNOWNS] = {0.35, 3, 1, -2.5}, guess[UNKNOWNS] = {0.6, 2, 0, -1};
  double theta[UNKNOWNS], value;
  perp_solver *solver = NULL;
  perp_message why = {""};
  memcpy(theta, guess, sizeof theta);
  perp_error error = perp_solver_create("dantzig", &solver, &why);
  if (!error)
    error = simulate(solver, STEPS, truth, &seen, NULL, &why);
  if (!error)
    error = simulate(solver, STEPS, guess, &first, NULL, &why);
  printf("iteration       loss  friction  velocity at the start\n");
  if (!error)
    for (int steps = 20; steps <= STEPS && !error; steps += 20) {
      printf("%d steps\n", steps);
      fit f = {solver, steps, &seen, &found, &why};
      const bfgs b = {UNKNOWNS, ITERATIONS, enough, evaluate_fit, report_fit, &f};
      error = bfgs_descend(&b, theta, &value);
    }
  if (!error)
    error = simulate(solver, STEPS, theta, &found, NULL, &why);
  perp_solver_destroy(solver);
  if (error)
    return complain(perp_error_name(error), &why);
  printf("    truth             %8.5f  %8.5f %8.5f %8.5f\n", truth[0], truth[1], truth[2],
         truth[3]);
  for (int i = 0; i < UNKNOWNS; i++)
    if (!(fabs(theta[i] - truth[i]) <= 1e-4))
      return 1;
  return argc > 1 ? draw(argv[1], &seen, &first, &found) : 0;
}
