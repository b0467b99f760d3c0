/* membrane.c: a membrane over an obstacle, elastic-plastic torsion, and pressure in a journal bearing */
#include "base/elementary.h"
#include "generate/generate.h"

#include <limits.h>
#include <math.h>

/* ---- Membranes on the unit square ----
 *
 *   min  int 1/2 |grad u|^2 - load u   over  lo <= u <= hi, u = 0 on the boundary
 *
 * docs/problems.md has the bounds. p points per side, the boundary included, h = 1/(p - 1); unknowns are
 * the (p - 2)^2 inner ones. Five points: A_cc = sum of the weights of its four edges, A_cd = -1, b = -h^2
 * load. An edge between inner points has weight 1. An edge to the boundary has weight 1 with boundary =
 * whole, the usual Laplacian (MINPACK-2, Averick et al. 1992); with boundary = half it weighs 1/2, as in
 * the energy of Dembo and Tulowitzki (1983) and More (1989), who count inner edges from both ends. That is
 * the membrane of a square larger by about h on all sides, but it is the one with published optima.
 *
 * form = lcp shifts to x >= 0. obstacle plain: x = u - lo, b' = A lo + b. torsion: if the load is
 * not negative, u >= 0 > lo, so the lower bound is not needed; x = hi - u >= 0 and y = -(A u + b),
 * b' = -(A hi + b).
 *
 * Cost and memory: O(n). */

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

/* On return b is sign * (A bound) + b'; `bound` is lo (sign 1) or hi (sign -1). */
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

static perp_error make_membrane(perp_making *m)
{
  const membrane_parameters *par = m->parameters;
  const int variant = m->variant ? TORSION : par->variant;
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

static const perp_parameter obstacle_table[] = {
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
    {0}};

static const perp_parameter torsion_table[] = {
    PERP_INTEGER(membrane_parameters, points, 65, 3, 46342, "per side, the boundary included"),
    PERP_INTEGER(membrane_parameters, n, 0, 0, INT_MAX,
                 "unknowns, a square, (points - 2)^2; 0: as points says"),
    PERP_CHOICE(membrane_parameters, boundary, WHOLE, 1, boundaries,
                "weight of an edge to the boundary: 1/2 or 1"),
    PERP_REAL(membrane_parameters, load, 5, -1e6, 1e6, "angle of twist per length"),
    PERP_CHOICE(membrane_parameters, form, FORM_BOXED, 1, forms,
                "with bounds, or shifted to x = distance - u >= 0"),
    PERP_GRID_ROWS(membrane_parameters),
    {0}};

/* ---- A journal bearing ----
 *
 *   min  int 1/2 q |grad v|^2 - eps sin(s) v   over  v >= 0, v = 0 on the boundary of
 *   (0, 2 pi) x (0, 2 b),  q(s) = (1 + eps cos s)^3
 *
 * Linear elements on nx x ny inner points, hs = 2 pi / (nx + 1), ht = 2 b / (ny + 1). Each mesh
 * rectangle is cut into two triangles; on a triangle q is the mean of its three vertices, and the
 * load is lumped. The two triangles that share an edge along s have their right angles at its two
 * ends, i and i+1. For an edge along t both right angles are at column i; one triangle has a vertex
 * in column i+1, the other in column i-1:
 *
 *   edge (i, i+1) along s:  ht / (2 hs) ((2 q_i + q_i+1)/3 + (2 q_i+1 + q_i)/3)
 *                         = ht / (2 hs) (q_i + q_i+1)
 *   edge in column i along t: hs / (2 ht) ((2 q_i + q_i+1)/3 + (2 q_i + q_i-1)/3)
 *                           = hs / (6 ht) (q_i-1 + 4 q_i + q_i+1)
 *   b_ij = -hs ht eps sin(s_i)
 *
 * The diagonal is the sum of the four edges, including edges to the boundary. Cost and memory: O(n). */

typedef struct journal_parameters {
  int n, grid, nx, ny;
  double eccentricity, length;
  perp_grid_options options;
} journal_parameters;

static const double TWO_PI = 0x1.921fb54442d18p+2;

static const perp_parameter parameters[] = {
    PERP_INTEGER(journal_parameters, grid, 100, 1, 46340, "inner points per side"),
    PERP_INTEGER(journal_parameters, n, 0, 0, INT_MAX, "unknowns, a square, in place of grid"),
    PERP_INTEGER(journal_parameters, nx, 0, 0, 1000000,
                 "inner points around the shaft; 0: as grid says"),
    PERP_INTEGER(journal_parameters, ny, 0, 0, 1000000,
                 "inner points along the shaft; 0: as grid says"),
    PERP_REAL(journal_parameters, eccentricity, 0.1, 0, 0.999999, "of the shaft, eps"),
    PERP_REAL(journal_parameters, length, 10, 1e-6, 1e6, "half the length of the bearing, b"),
    PERP_GRID_ROWS(journal_parameters),
    {0}};

/* Data of each column, of length nx + 2 or less; index 0 is on the boundary. */
typedef struct columns {
  double *q, *along_s, *along_t, *load; /* along_s[i]: edge from i to i + 1 */
} columns;

static void set_columns(const journal_parameters *par, int nx, int ny, columns c)
{
  const double hs = TWO_PI / (nx + 1), ht = 2 * par->length / (ny + 1), eps = par->eccentricity;
  for (int i = 0; i <= nx + 1; i++) {
    const double gap = 1 + eps * perp_cos(i * hs);
    c.q[i] = gap * gap * gap;
    c.load[i] = -(hs * ht) * (eps * perp_sin(i * hs));
  }
  for (int i = 0; i <= nx; i++)
    c.along_s[i] = ht / (2 * hs) * (c.q[i] + c.q[i + 1]);
  for (int i = 1; i <= nx; i++)
    c.along_t[i] = hs / (6 * ht) * (c.q[i - 1] + 4 * c.q[i] + c.q[i + 1]);
}

static perp_error set_problem(perp_making *m, int nx, int ny, columns c)
{
  const journal_parameters *par = m->parameters;
  const size_t n = (size_t)nx * (size_t)ny;
  double *wx, *wy, *diagonal, *b;
  if (!PERP_GIVE(n, &wx, &wy, &diagonal, &m->instance->b)) {
    perp_free(wx);
    perp_free(wy);
    perp_free(diagonal);
    return perp_making_no_memory(m);
  }
  b = m->instance->b;
  for (int j = 0, k = 0; j < ny; j++)
    for (int i = 1; i <= nx; i++, k++) {
      wx[k] = c.along_s[i];
      wy[k] = c.along_t[i];
      diagonal[k] = c.along_s[i - 1] + c.along_s[i] + 2 * c.along_t[i];
      b[k] = c.load[i];
    }
  const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                  .nx = nx,
                                  .ny = ny,
                                  .nz = 1,
                                  .wx = wx,
                                  .wy = wy,
                                  .diagonal = diagonal};
  return perp_grid_operator(m, &data, par->options.operator);
}

static perp_error make(perp_making *m)
{
  const journal_parameters *par = m->parameters;
  int side;
  perp_error error = perp_grid_side(m, par->n, 2, par->grid, &side);
  if (error)
    return error;
  const int nx = par->nx > 0 ? par->nx : side, ny = par->ny > 0 ? par->ny : side;
  if ((int64_t)nx * ny > INT_MAX)
    return perp_making_refuse(m, "%d x %d points are more than %d", nx, ny, INT_MAX);
  columns c;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)nx + 2, &c.q, &c.along_s, &c.along_t, &c.load))
    return perp_making_no_memory(m);
  set_columns(par, nx, ny, c);
  m->instance->kind = PERP_KIND_SOLVABLE;
  error = set_problem(m, nx, ny, c);
  return error || !par->options.plant ? error : perp_grid_plant(m, &par->options);
}

const perp_generator perp_generators_membrane[] = {
    {"obstacle", "a membrane over an obstacle", "membrane", "dembo-tulowitzki-1983", obstacle_table,
     sizeof(membrane_parameters), make_membrane, NULL},
    {"torsion", "elastic-plastic torsion of a square bar", "membrane",
     "averick-carter-more-xue-1992", torsion_table, sizeof(membrane_parameters), make_membrane,
     "torsion"},
    {"journal", "pressure in a journal bearing (DPJB)", "membrane", "averick-carter-more-xue-1992",
     parameters, sizeof(journal_parameters), make, NULL},
    {0}};
