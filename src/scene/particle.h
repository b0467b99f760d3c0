/* scene/particle.h: the matrix of a particle of mass m that touches a plane (Lu and Trinkle)
 *
 * conic: A = I / m, rows n, t, o; else rows n, the directions d = +t, +o, -t, -o, and the slip s,
 *
 *       [ 1/m    0       0 ]
 *   A = [  0  D^T D / m  e ],   x = (p_n, p_f, s),
 *       [ mu   -e^T      0 ]
 *
 * with zeta added to the diagonal of either. */
#pragma once

#include <stdbool.h>

enum { PERP_PARTICLE_ROWS = 6 }; /* at most */

/* Fills A, which must be 0, with 3 or 6 rows. Returns their number. */
static inline int perp_particle_matrix(bool conic, double mass, double mu, double zeta, double *A)
{
  const int n = conic ? 3 : PERP_PARTICLE_ROWS;
  for (int i = 0; i < (conic ? 3 : 5); i++)
    A[i * n + i] = 1 / mass;
  for (int i = 1; i < 5 && !conic; i++) {
    A[i * n + (i + 1) % 4 + 1] = -1 / mass; /* the opposite direction */
    A[i * n + 5] = 1;
    A[5 * n + i] = -1;
  }
  if (!conic)
    A[5 * n] = mu;
  for (int i = 0; i < n; i++)
    A[i * n + i] += zeta;
  return n;
}
