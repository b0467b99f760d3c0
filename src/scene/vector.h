/* scene/vector.h: vectors, quaternions (w, x, y, z) and 3 x 3 matrices by rows */
#pragma once

#include "base/elementary.h"

#include <math.h>

static inline double perp_v3_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double perp_v3_norm(const double a[3])
{
  return sqrt(perp_v3_dot(a, a));
}

static inline void perp_v3_cross(const double a[3], const double b[3], double c[3])
{
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
  c[0] = x;
  c[1] = y;
}

/* c = a + s b */
static inline void perp_v3_add(const double a[3], double s, const double b[3], double c[3])
{
  for (int k = 0; k < 3; k++)
    c[k] = a[k] + s * b[k];
}

static inline void perp_v3_scale(double s, double a[3])
{
  for (int k = 0; k < 3; k++)
    a[k] *= s;
}

/* Computes u and w that complete the unit vector n to a right-handed frame: continuous in n except
 * at 45 degrees to the vertical. */
static inline void perp_v3_frame(const double n[3], double u[3], double w[3])
{
  const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
  perp_v3_cross(n[2] * n[2] > 0.5 ? x : z, n, u);
  perp_v3_scale(1 / perp_v3_norm(u), u);
  perp_v3_cross(n, u, w);
}

/* c = a b, the rotation b followed by the rotation a; c may be a or b. */
static inline void perp_q_multiply(const double a[4], const double b[4], double c[4])
{
  const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  c[0] = w;
  c[1] = x;
  c[2] = y;
}

static inline void perp_q_conjugate(const double q[4], double c[4])
{
  c[0] = q[0];
  for (int k = 1; k < 4; k++)
    c[k] = -q[k];
}

static inline void perp_q_matrix(const double q[4], double R[9])
{
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[1] = 2 * (x * y - w * z);
  R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z);
  R[4] = 1 - 2 * (x * x + z * z);
  R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y);
  R[7] = 2 * (y * z + w * x);
  R[8] = 1 - 2 * (x * x + y * y);
}

/* Computes the rotation by `angle` about a unit vector. */
static inline void perp_q_about(const double axis[3], double angle, double q[4])
{
  q[0] = perp_cos(angle / 2);
  for (int k = 0; k < 3; k++)
    q[k + 1] = perp_sin(angle / 2) * axis[k];
}

/* c = M a; c is not a */
static inline void perp_m3_apply(const double M[9], const double a[3], double c[3])
{
  for (int i = 0; i < 3; i++)
    c[i] = perp_v3_dot(M + 3 * i, a);
}

/* c = M^T a; c is not a */
static inline void perp_m3_apply_t(const double M[9], const double a[3], double c[3])
{
  for (int i = 0; i < 3; i++)
    c[i] = M[i] * a[0] + M[3 + i] * a[1] + M[6 + i] * a[2];
}

static inline void perp_q_rotate(const double q[4], const double a[3], double c[3])
{
  double R[9];
  perp_q_matrix(q, R);
  perp_m3_apply(R, a, c);
}

/* C = R M R^T, symmetric to the last bit if M is; C is not M */
static inline void perp_m3_turn(const double R[9], const double M[9], double C[9])
{
  for (int i = 0; i < 3; i++) {
    double row[3];
    perp_m3_apply_t(M, R + 3 * i, row);
    for (int j = 0; j <= i; j++)
      C[3 * i + j] = C[3 * j + i] = perp_v3_dot(row, R + 3 * j);
  }
}

/* Computes the inverse of a symmetric positive definite M by its cofactors. */
static inline void perp_m3_invert(const double M[9], double C[9])
{
  double c[9];
  for (int i = 0; i < 3; i++)
    perp_v3_cross(M + 3 * ((i + 1) % 3), M + 3 * ((i + 2) % 3), c + 3 * i);
  const double determinant = perp_v3_dot(M, c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++)
      C[3 * i + j] = C[3 * j + i] = c[3 * j + i] / determinant;
}
