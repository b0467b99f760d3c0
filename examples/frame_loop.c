/* frame_loop.c: a pile of boxes on the ground, from the velocities v of one frame to v+ of the next
 *
 * In the plane a body has the velocities (v_x, v_y, spin). Box i stands on box i-1, box 0 on the
 * ground, with its two lower corners: four rows for each box, normal and tangent of each corner.
 *
 *   v  <- v + dt g,   b = J v + gap / dt,   solve for the impulses x,   v+ = v + Minv J^T x
 *
 * x_n >= 0 is complementary to the normal velocity, and |x_t| <= mu x_n. The impulses of the last
 * frame start the next one. */
#include <math.h>
#include <perp/perp.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOXES = 5, ROWS = 4 * BOXES, FRAMES = 100 };
static const double dt = 0.01, gravity = 9.81, mu = 0.5, half = 0.5, mass = 2;

static void check(perp_error error, const perp_message *why)
{
  if (error) {
    fprintf(stderr, "%s: %s\n", perp_error_name(error), why->text);
    exit(2);
  }
}

/* The rows of J, and c: the gap over dt, a fifth of it if the boxes overlap. */
static void find_contacts(double q[][3], double *J, double *c)
{
  for (int i = 0; i < BOXES; i++)
    for (int corner = 0; corner < 2; corner++) {
      const double ground[3] = {0, -half, 0}, *a = q[i], *b = i > 0 ? q[i - 1] : ground;
      const double out = corner ? half : -half, n[2] = {-sin(b[2]), cos(b[2])};
      const double r[2] = {cos(a[2]) * out + sin(a[2]) * half, sin(a[2]) * out - cos(a[2]) * half};
      const double s[2] = {a[0] + r[0] - b[0], a[1] + r[1] - b[1]}; /* from b to the corner */
      const double gap = s[0] * n[0] + s[1] * n[1] - half, d[2][2] = {{n[0], n[1]}, {n[1], -n[0]}};
      const int row = 4 * i + 2 * corner;
      c[row] = gap > 0 ? gap / dt : 0.2 * gap / dt;
      c[row + 1] = 0;
      for (int k = 0; k < 2; k++) {
        double *j = J + 6 * (row + k);
        j[0] = d[k][0], j[1] = d[k][1], j[2] = r[0] * d[k][1] - r[1] * d[k][0];
        j[3] = -d[k][0], j[4] = -d[k][1], j[5] = s[1] * d[k][0] - s[0] * d[k][1];
      }
    }
}

int main(void)
{
  double q[BOXES][3], v[3 * BOXES] = {0}, Minv[9 * BOXES] = {0}, J[6 * ROWS], c[ROWS], b[ROWS];
  double x[ROWS] = {0}, lo[ROWS], hi[ROWS];
  int body[ROWS], findex[ROWS], unsolved = 0;
  for (int i = 0; i < BOXES; i++) {
    q[i][0] = 0.1 * (i % 3), q[i][1] = half + 1.02 * i + 0.02, q[i][2] = 0;
    Minv[9 * i] = Minv[9 * i + 4] = 1 / mass;
    Minv[9 * i + 8] = 6 / (mass * 4 * half * half);
  }
  for (int k = 0; k < ROWS / 2; k++) {
    body[2 * k] = k / 2, body[2 * k + 1] = k / 2 - 1; /* -1 is the ground */
    lo[2 * k] = 0, hi[2 * k] = INFINITY, findex[2 * k] = -1;
    lo[2 * k + 1] = -mu, hi[2 * k + 1] = mu, findex[2 * k + 1] = 2 * k;
  }
  find_contacts(q, J, c);
  perp_contact_bodies data = perp_contact_bodies_default();
  data.rows = ROWS, data.bodies = BOXES, data.freedom = 3, data.together = 2;
  data.body = body, data.J = J, data.Minv = Minv, data.cfm = 1e-6;
  perp_operator *A = NULL;
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  check(perp_operator_contact_bodies(&data, PERP_BORROW, &A, &result.message), &result.message);
  check(perp_solver_create("auto", &solver, &result.message), &result.message);
  const perp_problem problem = perp_problem_friction(A, b, lo, hi, findex);
  for (int frame = 1; frame <= FRAMES; frame++) {
    find_contacts(q, J, c);
    check(perp_operator_refresh(A, &result.message), &result.message); /* J has changed */
    for (int i = 0; i < BOXES; i++)
      v[3 * i + 1] -= dt * gravity;
    check(perp_contact_bias(A, v, c, b, &result.message), &result.message);
    check(perp_solver_solve(solver, &problem, NULL, x, &result), &result.message);
    unsolved += result.outcome != PERP_SOLVED; /* then x is the best that was found */
    check(perp_contact_velocities(A, v, x, v, &result.message), &result.message);
    double energy = 0;
    for (int k = 0; k < 3 * BOXES; k++) {
      q[k / 3][k % 3] += dt * v[k];
      energy += 0.5 * v[k] * v[k] / Minv[9 * (k / 3) + 4 * (k % 3)];
      energy += k % 3 == 1 ? mass * gravity * q[k / 3][1] : 0;
    }
    if (frame % 20 == 0 || frame == 1)
      printf("frame %3d: relative residual %.1e, energy %.4f J\n", frame, result.relative_residual,
             energy);
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  return unsolved ? 1 : 0;
}
