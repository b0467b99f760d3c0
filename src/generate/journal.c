/* journal.c: pressure in a journal bearing (Cimatti 1977; DPJB of MINPACK-2 and COPS)
 *
 *   min  int 1/2 q |grad v|^2 - eps sin(s) v   over  v >= 0, v = 0 on the boundary of
 *   (0, 2 pi) x (0, 2 b),  q(s) = (1 + eps cos s)^3
 *
 * Linear elements on nx x ny inner points, hs = 2 pi / (nx + 1), ht = 2 b / (ny + 1). Each mesh
 * rectangle is cut into two triangles; on a triangle q is the mean of its three vertices, and the
 * load is lumped. The right angles of the two triangles that share an edge along s lie at its two
 * ends, i and i+1, those of an edge along t both at column i, one with a vertex in column i+1, the
 * other with one in column i-1:
 *
 *   edge (i, i+1) along s:  ht / (2 hs) ((2 q_i + q_i+1)/3 + (2 q_i+1 + q_i)/3)
 *                         = ht / (2 hs) (q_i + q_i+1)
 *   edge in column i along t: hs / (2 ht) ((2 q_i + q_i+1)/3 + (2 q_i + q_i-1)/3)
 *                           = hs / (6 ht) (q_i-1 + 4 q_i + q_i+1)
 *   b_ij = -hs ht eps sin(s_i)
 *
 * The diagonal is the sum of the four edges, those to the boundary included: a symmetric positive
 * definite M-matrix (eps < 1), exactly one solution. The film breaks, v = 0, where the gap widens
 * (about s > pi). Cost and memory: O(n). */
#include "base/elementary.h"
#include "generate/grid.h"

#include <limits.h>

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
    {0},
};

/* What depends on the column alone: at most of length nx + 2, index 0 on the boundary. */
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

const perp_generator perp_generators_journal[] = {
    {"journal", "pressure in a journal bearing (DPJB)", "membrane", "averick-carter-more-xue-1992",
     parameters, sizeof(journal_parameters), make},
    {0},
};
