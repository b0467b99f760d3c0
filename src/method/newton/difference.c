/* difference.c: J v by F at a point nearby
 *
 *   J v ~ (F(x + h v) - F(x)) / h,      h |v| = sqrt(epsilon) max(|x|, 1)
 *
 * for GMRES (Saad, Schultz 1986; Brown, Saad 1990): nothing of A is used but y = A x + b. At a point
 * without a derivative this is the directional derivative, which is not linear in v: GMRES then
 * minimises over what it saw, and descent is judged by the directional derivative itself.
 * One product with A for each J v. Workspace: that of GMRES, (2 restart + 1) n and more. */
#include "method/newton/difference.h"

#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"

#include <float.h>

enum { RESTART = 60, MOST_PRODUCTS = 600 };

typedef struct perp_difference {
  perp_map *map;
  const double *x, *F;
  double length;   /* h |v| */
  int restart;     /* */
  double *xh, *yh; /* n each */
  double *work;    /* of GMRES */
} perp_difference;

perp_error perp_difference_open(perp_map *map, perp_difference **difference)
{
  perp_run *run = map->run;
  const size_t n = (size_t)map->n;
  perp_difference *s = *difference = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->map = map;
  s->restart = map->n < RESTART ? (map->n > 0 ? map->n : 1) : RESTART;
  s->xh = perp_run_reals(run, n);
  s->yh = perp_run_reals(run, n);
  s->work = perp_run_reals(run, (size_t)perp_gmres_work(map->n, s->restart));
  return s->xh && s->yh && s->work ? PERP_OK : perp_run_no_memory(run);
}

/* Jv <- (F(x + h v) - F(x)) / h; a perp_product. */
static void product(void *context, const double *v, double *Jv)
{
  perp_difference *s = context;
  const int n = s->map->n;
  const double norm = perp_norm2(n, v);
  if (!(norm > 0) || !isfinite(norm)) {
    perp_fill(n, norm == 0 ? 0 : NAN, Jv);
    return;
  }
  const double h = s->length / norm;
  for (int i = 0; i < n; i++)
    s->xh[i] = s->x[i] + h * v[i];
  perp_run_gradient(s->map->run, s->xh, s->yh);
  perp_map_value(s->map, s->xh, s->yh, Jv);
  for (int i = 0; i < n; i++)
    Jv[i] = (Jv[i] - s->F[i]) / h;
}

static bool expired(void *context)
{
  const perp_difference *s = context;
  return perp_run_expired(s->map->run);
}

double perp_difference_newton(perp_direction *direction, double eta)
{
  perp_difference *s = direction->difference;
  const int n = s->map->n;
  const double norm = perp_norm2(n, direction->F);
  s->x = direction->x;
  s->F = direction->F;
  s->length = sqrt(DBL_EPSILON) * perp_max(perp_norm2(n, s->x), 1);
  for (int i = 0; i < n; i++)
    direction->z[i] = -s->F[i];
  perp_fill(n, 0, direction->dx);
  const perp_krylov k = {.n = n,
                         .product = product,
                         .context = s,
                         .expired = expired,
                         .expired_context = s,
                         .target = eta * norm,
                         .limit = MOST_PRODUCTS};
  const perp_krylov_end end = perp_gmres(&k, s->restart, direction->z, direction->dx, s->work);
  s->map->run->count.solves += end.products;
  product(s, direction->dx, direction->r);
  direction->slope = perp_dot(n, s->F, direction->r);
  perp_run_apply(s->map->run, direction->dx, direction->Adx);
  return end.residual / norm;
}
