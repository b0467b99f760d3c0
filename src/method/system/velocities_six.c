/* velocities_six.c: see velocities.h
 *
 * All pairs have 6 numbers: those of pair p begin at 6 p in J and in W, and body k at 6 k in v. A
 * row that follows a normal touches the same bodies. */
#include "linalg/wide.h"
#include "method/system/velocities.h"

bool perp_velocities_are_six(const perp_velocities *s)
{
  return s->six && s->contact->data.J_start[s->n] == 6 * s->pair_start[s->n];
}

/* at <- at + u w^T */
KERNEL void add_six(const double *restrict u, const double *restrict w, double *restrict at)
{
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      at[6 * a + b] += u[a] * w[b];
}

KERNEL void assemble(perp_velocities *s)
{
  const double *J = s->contact->data.J_value, *W = s->contact->W;
  for (int i = 0; i < s->n; i++) {
    const int j = s->normal[i];
    double own, of_normal;
    if (!perp_velocities_weights(s, i, &own, &of_normal))
      continue;
    const int64_t first = s->pair_start[i], of_j = j < 0 ? first : s->pair_start[j];
    const int count = (int)(s->pair_start[i + 1] - first);
    for (int l = 0; l < 6 * count; l++)
      s->combined[l] = own * J[6 * first + l] + of_normal * J[6 * of_j + l];
    const perp_body_block *piece = s->piece + s->piece_start[i];
    for (int k = 0; k < count; k++)
      for (int l = 0; l < count; l++, piece++)
        if (piece->across == 1)
          add_six(W + 6 * (first + k), s->combined + 6 * l, piece->at);
        else /* transposed */
          add_six(s->combined + 6 * l, W + 6 * (first + k), piece->at);
  }
}

KERNEL void gather(perp_velocities *s)
{
  const double *W = s->contact->W;
  for (int i = 0; i < s->n; i++)
    for (int64_t p = s->pair_start[i]; p < s->pair_start[i + 1]; p++) {
      double *v = s->v + 6 * (int64_t)s->pair_block[p];
      for (int l = 0; l < 6; l++)
        v[l] += s->t[i] * W[6 * p + l];
    }
}

KERNEL void error_of(perp_velocities *s, const double *r)
{
  const double *J = s->contact->data.J_value;
  for (int i = 0; i < s->n; i++) {
    double sum = r[i];
    for (int64_t p = s->pair_start[i]; p < s->pair_start[i + 1]; p++) {
      const double *v = s->v + 6 * (int64_t)s->pair_block[p];
      for (int l = 0; l < 6; l++)
        sum -= J[6 * p + l] * v[l];
    }
    s->t[i] = sum;
  }
}

#ifdef PERP_WIDE
PERP_WIDE static void assemble_wide(perp_velocities *s)
{
  assemble(s);
}
PERP_WIDE static void gather_wide(perp_velocities *s)
{
  gather(s);
}
#endif

void perp_velocities_six_assemble(perp_velocities *s)
{
#ifdef PERP_WIDE
  if (perp_is_wide()) {
    assemble_wide(s);
    return;
  }
#endif
  assemble(s);
}

void perp_velocities_six_gather(perp_velocities *s)
{
#ifdef PERP_WIDE
  if (perp_is_wide()) {
    gather_wide(s);
    return;
  }
#endif
  gather(s);
}

void perp_velocities_six_error(perp_velocities *s, const double *r)
{
  error_of(s, r);
}
