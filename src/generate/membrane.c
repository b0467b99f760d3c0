/* membrane.c: a membrane over an obstacle, and elastic-plastic torsion, on the unit square
 *
 *   min  int 1/2 |grad u|^2 - load u   over  lo <= u <= hi, u = 0 on the boundary
 *
 * p points per side, the boundary included, h = 1/(p - 1); unknowns are the (p - 2)^2 inner ones.
 * Five points: A_cc = sum of the weights of its four edges, A_cd = -1, b = -h^2 load. An edge
 * between inner points weighs 1. An edge to the boundary weighs 1 with boundary = whole, the usual
 * Laplacian (MINPACK-2, Averick et al. 1992); with boundary = half it weighs 1/2, since the energy
 *
 *   sum over inner points of 1/4 of the squared differences to the four neighbours - h^2 load u
 *
 * of Dembo and Tulowitzki (1983) and More (1989) counts inner edges from both ends and these
 * from one. That is the membrane of a square larger by about h on all sides, an error of O(h),
 * but it is the one with published optima. A is a symmetric positive definite M-matrix (each row
 * dominant, strictly so beside the boundary, and connected): exactly one solution.
 *
 * obstacle  dembo-tulowitzki: lo = sin(3.2 x) sin(3.3 y), hi = 2000
 *           waves:            lo = (sin(9.2 x) sin(9.3 y))^3, hi = (sin(9.2 x) sin(9.3 y))^2 + 0.02
 *           plain:            lo = 1/4 - 2 |(x, y) - (1/2, 1/2)|^2, hi = infinity
 * torsion   |u| <= distance to the boundary; load is the angle of twist per length
 *
 * form = lcp shifts to x >= 0. obstacle plain: x = u - lo, b' = A lo + b. torsion: where the load
 * is not negative u >= 0 > lo, so that the lower bound can go; x = hi - u >= 0 and y = -(A u + b),
 * b' = -(A hi + b).
 *
 * Cost and memory: O(n). */
#include "base/elementary.h"
#include "generate/grid.h"

#include <limits.h>
#include <math.h>

enum { TULOWITZKI, WAVES, PLAIN, TORSION };
static const char *const variants[] = {"dembo-tulowitzki", "waves", "plain", NULL};
enum { HALF, WHOLE };
static const char *const boundaries[] = {"half", "whole", NULL};
enum { FORM_BOXED, FORM_LCP };
static const char *const forms[] = {"boxed", "lcp", NULL};

typedef struct membrane_parameters {
  int n, points, variant, boundary, form;
  double load;
  perp_grid_options options;
} membrane_parameters;

static perp_error make_operator(perp_making *m, int side)
{
  const membrane_parameters *par = m->parameters;
  double *diagonal = NULL;
  if (par->boundary == HALF) {
    diagonal = perp_alloc((size_t)side * (size_t)side, sizeof *diagonal);
    if (!diagonal)
      return perp_making_no_memory(m);
    for (int64_t j = 0, c = 0; j < side; j++)
      for (int64_t i = 0; i < side; i++, c++)
        diagonal[c] = 4 - 0.5 * ((i == 0) + (i == side - 1) + (j == 0) + (j == side - 1));
  }
  const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                  .nx = side,
                                  .ny = side,
                                  .nz = 1,
                                  .weight = 1,
                                  .diagonal = diagonal};
  return perp_grid_operator(m, &data, par->options.operator);
}

/* ---- Bounds ---- */

static void set_torsion(int side, double *lo, double *hi)
{
  const double h = 1.0 / (side + 1);
  for (int j = 0, c = 0; j < side; j++)
    for (int i = 0; i < side; i++, c++) {
      const int from_x = i < side - 1 - i ? i : side - 1 - i;
      const int from_y = j < side - 1 - j ? j : side - 1 - j;
      hi[c] = ((from_x < from_y ? from_x : from_y) + 1) * h;
      lo[c] = -hi[c];
    }
}

/* sx, sy: the sines along each side */
static void set_obstacle(int variant, int side, const double *sx, const double *sy, double *lo,
                         double *hi)
{
  const double h = 1.0 / (side + 1);
  for (int j = 0, c = 0; j < side; j++)
    for (int i = 0; i < side; i++, c++) {
      const double dx = (i + 1) * h - 0.5, dy = (j + 1) * h - 0.5, wave = sx[i] * sy[j];
      if (variant == TULOWITZKI) {
        lo[c] = wave;
        hi[c] = 2000;
      } else if (variant == WAVES) {
        lo[c] = wave * wave * wave;
        hi[c] = wave * wave + 0.02;
      } else {
        lo[c] = 0.25 - 2 * (dx * dx + dy * dy);
        hi[c] = INFINITY;
      }
    }
}

static perp_error set_bounds(perp_making *m, int variant, int side)
{
  const size_t n = (size_t)side * (size_t)side;
  perp_instance *instance = m->instance;
  double *sx, *sy;
  if (!PERP_GIVE(n, &instance->lo, &instance->hi) ||
      !PERP_TAKE_REALS(&m->arena, (size_t)side, &sx, &sy))
    return perp_making_no_memory(m);
  if (variant == TORSION) {
    set_torsion(side, instance->lo, instance->hi);
    return PERP_OK;
  }
  const double h = 1.0 / (side + 1);
  for (int i = 0; i < side; i++) {
    const double at = (i + 1) * h;
    sx[i] = perp_sin((variant == WAVES ? 9.2 : 3.2) * at);
    sy[i] = perp_sin((variant == WAVES ? 9.3 : 3.3) * at);
  }
  set_obstacle(variant, side, sx, sy, instance->lo, instance->hi);
  return PERP_OK;
}

/* ---- To x >= 0 ---- */

/* b holds sign * (A bound) + b' on return, where `bound` is lo (sign 1) or hi (sign -1). */
static perp_error shift(perp_making *m, double sign)
{
  perp_instance *instance = m->instance;
  const size_t n = (size_t)perp_operator_size(instance->A);
  double *product;
  if (!PERP_TAKE_REALS(&m->arena, n, &product))
    return perp_making_no_memory(m);
  const perp_error error =
      perp_operator_apply(instance->A, sign > 0 ? instance->lo : instance->hi, product, NULL, NULL);
  for (size_t i = 0; i < n && !error; i++)
    instance->b[i] = sign * (product[i] + instance->b[i]);
  perp_free(instance->lo);
  perp_free(instance->hi);
  instance->lo = instance->hi = NULL;
  return error;
}

static perp_error check_shift(const perp_making *m, int variant)
{
  const membrane_parameters *par = m->parameters;
  if (variant == TULOWITZKI || variant == WAVES)
    return perp_making_refuse(m, "form = lcp needs variant = plain, %s has an upper bound too",
                              variants[variant]);
  if (variant == TORSION && par->load < 0)
    return perp_making_refuse(
        m, "form = lcp needs load >= 0, not %g: the lower bound is the active one", par->load);
  return PERP_OK;
}

/* ---- Putting it together ---- */

static perp_error make(perp_making *m, int variant)
{
  const membrane_parameters *par = m->parameters;
  perp_instance *instance = m->instance;
  int side;
  perp_error error = perp_grid_side(m, par->n, 2, par->points - 2, &side);
  if (!error && par->form == FORM_LCP)
    error = check_shift(m, variant);
  if (error)
    return error;
  const double h = 1.0 / (side + 1);
  const size_t n = (size_t)side * (size_t)side;
  instance->kind = PERP_KIND_SOLVABLE;
  error = make_operator(m, side);
  if (!error)
    error = set_bounds(m, variant, side);
  if (!error && !PERP_GIVE(n, &instance->b))
    error = perp_making_no_memory(m);
  for (size_t i = 0; i < n && !error; i++)
    instance->b[i] = -(h * h) * par->load;
  if (!error && par->form == FORM_LCP)
    error = shift(m, variant == TORSION ? -1 : 1);
  return error || !par->options.plant ? error : perp_grid_plant(m, &par->options);
}

static perp_error make_obstacle(perp_making *m)
{
  return make(m, ((const membrane_parameters *)m->parameters)->variant);
}

static perp_error make_torsion(perp_making *m)
{
  return make(m, TORSION);
}

static const perp_parameter obstacle_parameters[] = {
    PERP_INTEGER(membrane_parameters, points, 65, 3, 46342, "per side, the boundary included"),
    PERP_INTEGER(membrane_parameters, n, 0, 0, INT_MAX,
                 "unknowns, a square, (points - 2)^2; 0: as points says"),
    PERP_CHOICE(membrane_parameters, variant, TULOWITZKI, 2, variants, "which obstacle"),
    PERP_CHOICE(membrane_parameters, boundary, HALF, 1, boundaries,
                "weight of an edge to the boundary: 1/2 as published, or 1"),
    PERP_REAL(membrane_parameters, load, 1, -1e6, 1e6, "that lifts the membrane"),
    PERP_CHOICE(membrane_parameters, form, FORM_BOXED, 1, forms,
                "with bounds, or shifted to x >= 0 (variant = plain)"),
    PERP_GRID_ROWS(membrane_parameters),
    {0},
};

static const perp_parameter torsion_parameters[] = {
    PERP_INTEGER(membrane_parameters, points, 65, 3, 46342, "per side, the boundary included"),
    PERP_INTEGER(membrane_parameters, n, 0, 0, INT_MAX,
                 "unknowns, a square, (points - 2)^2; 0: as points says"),
    PERP_CHOICE(membrane_parameters, boundary, WHOLE, 1, boundaries,
                "weight of an edge to the boundary: 1/2 or 1"),
    PERP_REAL(membrane_parameters, load, 5, -1e6, 1e6, "angle of twist per length"),
    PERP_CHOICE(membrane_parameters, form, FORM_BOXED, 1, forms,
                "with bounds, or shifted to x = distance - u >= 0"),
    PERP_GRID_ROWS(membrane_parameters),
    {0},
};

const perp_generator perp_generators_membrane[] = {
    {"obstacle", "a membrane over an obstacle", "membrane", "dembo-tulowitzki-1983",
     obstacle_parameters, sizeof(membrane_parameters), make_obstacle},
    {"torsion", "elastic-plastic torsion of a square bar", "membrane",
     "averick-carter-more-xue-1992", torsion_parameters, sizeof(membrane_parameters), make_torsion},
    {0},
};
