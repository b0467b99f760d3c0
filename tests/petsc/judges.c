/* judges.c: verdicts over several ranks, tested with x made to deceive them: rows of a matrix, grids
 * and contacts
 *
 * x up to 1e16 times y, sums that cancel, infinite bounds, degenerate rows. An oracle in 113 bits,
 * on every rank and for the whole problem, computes the natural residual; "solved" must not be said
 * if it is above tol * scale. Prints for each judge how many x it was asked about and how many it
 * called solved; the exit status is 1 if one was wrong. */
#include "../judge_samples.h"

#include "backend/petsc/contact.h"
#include "backend/petsc/mesh.h"
#include "backend/petsc/quadratic.h"

#undef I /* of complex.h */
#include "verdict/verdict.h"

#include <math.h>
#include <string.h>

/* The verdicts of one judge. */
typedef struct tally {
  const char *name;
  int cases, asked, solved, wrong;
} tally;

static PetscErrorCode examine(tally *t, double tol, double largest, double residual, double scale,
                              quad truth, quad slop)
{
  const double target = tol * (largest > 0 ? largest : 1);
  const bool solved = perp_verdict_solved(residual, perp_verdict_target(tol, scale));
  t->asked++;
  t->solved += solved;
  if (!solved || truth <= (1 + 1e-6L) * target + slop)
    return 0;
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s, case %d: solved with %g, but it is %g\n", t->name,
                        t->asked - 1, residual, (double)truth));
  t->wrong++;
  return 0;
}

static double tol_of(int k)
{
  static const double tols[] = {1e-6, 1e-8, 1e-10, 1e-13};
  return tols[k % 4];
}

/* ---- Rows of a matrix ---- */

enum { MOST = 12 };

typedef struct sample {
  int n;
  double A[MOST][MOST], b[MOST], lo[MOST], hi[MOST], x[MOST];
} sample;

static sample draw_rows(perp_random *random)
{
  sample s = {.n = 2 + perp_random_below(random, MOST - 1)};
  const double entries = fabs(draw(random, -12, 2)), size = fabs(draw(random, 0, 16));
  const double small = entries * size * fabs(draw(random, -17, -6));
  const bool cancel = perp_random_below(random, 2);
  for (int j = 0; j < s.n; j++) {
    s.x[j] = size * perp_random_between(random, -1, 1);
    for (int i = 0; i < s.n; i++)
      s.A[i][j] = entries * perp_random_between(random, -1, 1);
  }
  if (cancel) {
    s.x[s.n - 1] = s.x[s.n - 2] * (1 + fabs(draw(random, -16, -6)));
    for (int i = 0; i < s.n; i++)
      s.A[i][s.n - 1] = -s.A[i][s.n - 2];
  }
  for (int i = 0; i < s.n; i++) {
    double sum = 0;
    for (int j = 0; j < s.n; j++)
      sum += s.A[i][j] * s.x[j];
    s.b[i] = small * perp_random_between(random, -1, 1) - sum;
    const int kind = perp_random_below(random, 4);
    s.lo[i] = kind == 0 ? PETSC_NINFINITY : kind == 1 ? s.x[i] : s.x[i] - size;
    s.hi[i] = kind == 2 ? PETSC_INFINITY : s.x[i] + small;
  }
  return s;
}

static quad truth_of_rows(const sample *s)
{
  quad worst = 0;
  for (int i = 0; i < s->n; i++) {
    quad y = s->b[i];
    for (int j = 0; j < s->n; j++)
      y += (quad)s->A[i][j] * s->x[j];
    worst = quad_max(worst, oracle_row(s->x[i], y, s->lo[i], s->hi[i], 1));
  }
  return worst;
}

static PetscErrorCode vector_of(const double *from, Vec like, Vec *v)
{
  PetscInt begin, end;
  PetscCall(VecDuplicate(like, v));
  PetscCall(VecGetOwnershipRange(*v, &begin, &end));
  for (PetscInt i = begin; i < end; i++)
    PetscCall(VecSetValue(*v, i, from[i], INSERT_VALUES));
  PetscCall(VecAssemblyBegin(*v));
  PetscCall(VecAssemblyEnd(*v));
  return 0;
}

static PetscErrorCode judge_rows(const sample *s, double *residual)
{
  Mat A;
  Vec like, x, y, low, lo, hi;
  PetscInt begin, end;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, s->n, s->n, MOST, NULL, MOST,
                         NULL, &A));
  PetscCall(MatGetOwnershipRange(A, &begin, &end));
  for (PetscInt i = begin; i < end; i++)
    for (PetscInt j = 0; j < s->n; j++)
      PetscCall(MatSetValue(A, i, j, s->A[i][j], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(A, &like, NULL));
  PetscCall(vector_of(s->x, like, &x));
  PetscCall(vector_of(s->b, like, &y));
  PetscCall(vector_of(s->lo, like, &lo));
  PetscCall(vector_of(s->hi, like, &hi));
  PetscCall(VecDuplicate(like, &low));
  PetscCall(VecSet(low, 0));
  PetscCall(perp_rows_add_twice(A, x, NULL, y, low));
  PetscCall(VecAXPY(y, 1, low));
  PetscCall(perp_bounds_natural(lo, hi, x, y, residual));
  Vec *const all[] = {&like, &x, &y, &low, &lo, &hi};
  for (int k = 0; k < 6; k++)
    PetscCall(VecDestroy(all[k]));
  PetscCall(MatDestroy(&A));
  return 0;
}

static PetscErrorCode rows(perp_random *random, int k, tally *t)
{
  const sample s = draw_rows(random);
  double largest = 0, residual = 0;
  for (int i = 0; i < s.n; i++)
    largest = fmax(largest, fabs(s.b[i]));
  PetscCall(judge_rows(&s, &residual));
  PetscCall(
      examine(t, tol_of(k), largest, residual, perp_verdict_scale(largest), truth_of_rows(&s), 0));
  return 0;
}

/* ---- Grids ---- */

enum { WIDEST = 40, CELLS = WIDEST * 5 * 3 }; /* two ranks get a part from 32 cells on */

typedef struct lattice {
  int n[3];
  bool masked, bounded;
  unsigned char unknown[CELLS];
  double diagonal[CELLS], w[3][CELLS], b[CELLS], lo[CELLS], hi[CELLS], x[CELLS];
} lattice;

/* The weight between a cell and its neighbour across `axis`, on the side of `way` (0 or 1), and that
 * neighbour; 0 if there is none. */
static double weight_at(const lattice *g, int c, int axis, int way, int *neighbour)
{
  const int step = axis == 0 ? 1 : axis == 1 ? g->n[0] : g->n[0] * g->n[1];
  const int at = c / step % g->n[axis];
  if (way ? at + 1 == g->n[axis] : at == 0)
    return 0;
  *neighbour = way ? c + step : c - step;
  if (g->masked && !g->unknown[*neighbour])
    return 0;
  return g->w[axis][way ? c : *neighbour];
}

/* (A x + b)_c */
static quad cell_in_quad(const lattice *g, int c)
{
  quad y = g->b[c] + (quad)g->diagonal[c] * g->x[c];
  for (int side = 0; side < 6; side++) {
    int other;
    const double w = weight_at(g, c, side / 2, side % 2, &other);
    y -= w != 0 ? (quad)w * g->x[other] : 0;
  }
  return y;
}

/* Pairs of cells that a large weight couples; a sum in double loses the small weight between the
 * pairs and b. The second cell of each pair is held by its bounds. */
static void draw_pairs(perp_random *random, lattice *g)
{
  const double large = fabs(draw(random, -6, 6)), size = fabs(draw(random, 0, 10));
  const double small = large * fabs(draw(random, -20, -17));
  g->bounded = true;
  g->masked = false;
  for (int c = 0; c < g->n[0] * g->n[1] * g->n[2]; c++) {
    const bool first = c % g->n[0] % 2 == 0;
    g->w[0][c] = first ? large : small;
    g->diagonal[c] = large;
    g->x[c] = size;
    g->b[c] = small * size * perp_random_between(random, 0, 2);
    g->lo[c] = first ? -INFINITY : size;
    g->hi[c] = first ? INFINITY : size;
  }
}

/* x is far larger than y; if it is nearly constant, y is a small difference of large terms, whose
 * rounding errors are about as large as what is allowed. */
static void draw_lattice(perp_random *random, double tol, lattice *g)
{
  const double entries = fabs(draw(random, -12, 2)), size = fabs(draw(random, 0, 16));
  const int kind = perp_random_below(random, 3);
  const bool cancel = kind == 1;
  const double small = cancel ? 0 : entries * size * fabs(draw(random, -17, -6));
  const double rough = 1e-16 / tol * fabs(draw(random, -1, 1));
  *g = (lattice){.masked = perp_random_below(random, 3) == 0};
  g->bounded = perp_random_below(random, 3) > 0;
  g->n[0] = WIDEST - perp_random_below(random, WIDEST - 31);
  g->n[1] = 1 + perp_random_below(random, 5);
  g->n[2] = 1 + perp_random_below(random, 3);
  if (kind == 2) {
    draw_pairs(random, g);
    return;
  }
  const int cells = g->n[0] * g->n[1] * g->n[2];
  for (int c = 0; c < cells; c++) {
    g->unknown[c] = perp_random_below(random, 8) > 0;
    for (int axis = 0; axis < 3; axis++)
      g->w[axis][c] = entries * perp_random_between(random, 0, 1);
    g->x[c] = size * (cancel ? 1 + rough * perp_random_between(random, -1, 1)
                             : perp_random_between(random, -1, 1));
    if (!g->bounded)
      g->x[c] = cancel || perp_random_below(random, 4) ? fabs(g->x[c]) : 0;
  }
  for (int c = 0; c < cells; c++) {
    int other;
    for (int side = 0; side < 6; side++)
      g->diagonal[c] += weight_at(g, c, side / 2, side % 2, &other);
    g->diagonal[c] = cancel ? g->diagonal[c] : entries * perp_random_between(random, -1, 1);
  }
  for (int c = 0; c < cells; c++) {
    const double y = small * perp_random_between(random, g->x[c] == 0 ? 0 : -1, 1);
    const int bound = perp_random_below(random, 5);
    g->b[c] = (double)(y - cell_in_quad(g, c));
    g->lo[c] = bound == 0 ? -INFINITY : bound == 1 ? g->x[c] : g->x[c] - size;
    g->hi[c] = bound == 2 ? INFINITY : bound == 3 ? g->x[c] : g->x[c] + small;
  }
}

static quad truth_of_lattice(const lattice *g, double *largest)
{
  quad worst = 0;
  *largest = 0;
  for (int c = 0; c < g->n[0] * g->n[1] * g->n[2]; c++) {
    if (g->masked && !g->unknown[c])
      continue;
    const double lo = g->bounded ? g->lo[c] : 0, hi = g->bounded ? g->hi[c] : INFINITY;
    worst = quad_max(worst, oracle_row(g->x[c], cell_in_quad(g, c), lo, hi, 1));
    *largest = fmax(*largest, fabs(g->b[c]));
  }
  return worst;
}

/* The cells of this rank's part; copies in x are NaN until they are fetched. */
static void take_part(const lattice *g, const perp_layout *layout, lattice *mine)
{
  const int given[3] = {0, 0, 0};
  const perp_box part = perp_layout_part(layout, given, layout->rank);
  const perp_box own = perp_layout_own(layout, given, layout->rank);
  for (int k = part.begin[2]; k < part.end[2]; k++)
    for (int j = part.begin[1]; j < part.end[1]; j++)
      for (int i = part.begin[0]; i < part.end[0]; i++) {
        const int64_t to = perp_box_cell(&part, i, j, k);
        const int from = (k * g->n[1] + j) * g->n[0] + i;
        mine->unknown[to] = g->unknown[from];
        mine->diagonal[to] = g->diagonal[from];
        for (int axis = 0; axis < 3; axis++)
          mine->w[axis][to] = g->w[axis][from];
        mine->b[to] = g->b[from];
        mine->lo[to] = g->lo[from];
        mine->hi[to] = g->hi[from];
        mine->x[to] = perp_box_holds(&own, i, j, k) ? g->x[from] : NAN;
      }
}

static PetscErrorCode grids(perp_random *random, int k, tally *t)
{
  static lattice g, mine;
  perp_layout layout;
  double largest, residual, scale;
  draw_lattice(random, tol_of(k), &g);
  PetscCall(perp_layout_create(PETSC_COMM_WORLD, g.n, &layout));
  PetscCheck(layout.size == 1 || layout.levels > 0, PETSC_COMM_WORLD, PETSC_ERR_PLIB,
             "the grid is not distributed");
  take_part(&g, &layout, &mine);
  const perp_mesh_data data = {.diagonal = mine.diagonal,
                               .w = {mine.w[0], mine.w[1], mine.w[2]},
                               .unknown = g.masked ? mine.unknown : NULL,
                               .b = mine.b,
                               .lo = g.bounded ? mine.lo : NULL,
                               .hi = g.bounded ? mine.hi : NULL};
  PetscCall(perp_mesh_residual(&layout, &data, mine.x, &residual, &scale));
  const quad truth = truth_of_lattice(&g, &largest);
  PetscCall(examine(t, tol_of(k), largest, residual, scale, truth, 0));
  PetscCall(perp_layout_destroy(&layout));
  return 0;
}

/* ---- Contacts ---- */

enum { CONES = 4, SINGLES = 3, ROWS = 3 * CONES + SINGLES, BODIES = 4, WIDTH = 6 * BODIES };

/* Cones, then single rows with bounds. */
typedef struct scene {
  int cones, singles;
  double J[ROWS][WIDTH], Minv[WIDTH][WIDTH], C[ROWS];
  double b[ROWS], lo[ROWS], hi[ROWS], mu[CONES], x[ROWS];
} scene;

static int rows_of(const scene *s)
{
  return 3 * s->cones + s->singles;
}

/* y = A x + b */
static void product_in_quad(const scene *s, const double *x, const double *b, quad *y)
{
  quad u[WIDTH] = {0}, v[WIDTH] = {0};
  for (int i = 0; i < rows_of(s); i++)
    for (int k = 0; k < WIDTH; k++)
      u[k] += (quad)s->J[i][k] * x[i];
  for (int k = 0; k < WIDTH; k++)
    for (int l = 0; l < WIDTH; l++)
      v[k] += s->Minv[k][l] * u[l];
  for (int i = 0; i < rows_of(s); i++) {
    y[i] = b[i] + (quad)s->C[i] * x[i];
    for (int k = 0; k < WIDTH; k++)
      y[i] += s->J[i][k] * v[k];
  }
}

static void draw_contact(perp_random *random, scene *s, int c, double size, double small, double *y)
{
  const int one = perp_random_below(random, BODIES), two = (one + 1) % BODIES;
  s->mu[c] = draw_mu(random);
  for (int i = 3 * c; i < 3 * c + 3; i++)
    for (int k = 0; k < 6; k++) {
      s->J[i][6 * one + k] = perp_random_between(random, -1, 1);
      s->J[i][6 * two + k] = perp_random_between(random, -1, 1);
    }
  draw_cone(random, s->mu[c] > 1e3 ? 1 : s->mu[c], size, small, s->x + 3 * c, y + 3 * c);
}

/* Contact d becomes the opposite of c, with almost the same force, and both stick: the velocities of
 * the bodies are small differences of large numbers. */
static void oppose(perp_random *random, scene *s, int c, int d, double rough, double *y)
{
  const double reach = fmin(s->mu[c], 1) * s->x[3 * c] / 4;
  for (int t = 0; t < 3; t++) {
    const int i = 3 * c + t, j = 3 * d + t;
    s->x[i] = t == 0 ? s->x[i] : reach * perp_random_between(random, -1, 1);
    s->x[j] = s->x[i] * (1 + rough * perp_random_between(random, -1, 1));
    y[i] = y[j] = 0;
    for (int k = 0; k < WIDTH; k++)
      s->J[j][k] = -s->J[i][k];
  }
  s->mu[d] = s->mu[c];
}

/* Three contacts, of which the second is lost in a sum in double between the other two; the scale is
 * that of a row of its own. */
static scene draw_lost(perp_random *random)
{
  scene s = {.cones = 3, .singles = 1};
  double y[ROWS] = {0};
  const double size = fabs(draw(random, 0, 10)), small = size * fabs(draw(random, -20, -17));
  for (int c = 0; c < 3; c++)
    draw_contact(random, &s, c, 1, 1, y);
  oppose(random, &s, 0, 2, 0, y);
  memcpy(s.J[3], s.J[0], 3 * sizeof s.J[0]);
  for (int i = 0; i < 9; i++) {
    s.x[i] = i % 3 > 0 ? 0 : i == 3 ? small : size;
    s.mu[i / 3] = 1;
  }
  for (int k = 0; k < WIDTH; k++) {
    s.Minv[k][k] = 1;
    s.J[9][k] = perp_random_between(random, -1, 1);
  }
  s.b[9] = small * fabs(draw(random, 2, 4));
  s.hi[9] = INFINITY;
  return s;
}

/* As for grids: x is far larger than y, or opposite contacts cancel. */
static scene draw_scene(perp_random *random, double tol, bool empty_rows)
{
  const int kind = perp_random_below(random, 3);
  const bool cancel = kind == 1;
  if (kind == 2)
    return draw_lost(random);
  scene s = {.cones = cancel ? CONES : perp_random_below(random, CONES + 1)};
  s.singles = 1 + perp_random_below(random, SINGLES);
  const double mass = fabs(draw(random, -12, 2)), size = fabs(draw(random, 0, 14));
  const double small = cancel ? 0 : mass * size * fabs(draw(random, -16, -6));
  double y[ROWS] = {0};
  quad exact[ROWS];
  for (int k = 0; k < WIDTH; k++)
    for (int l = 0; l < WIDTH; l++)
      s.Minv[k][l] = k == l           ? mass * perp_random_between(random, 1, 2)
                     : k / 6 == l / 6 ? mass / 10
                                      : 0;
  for (int c = 0; c < s.cones; c++)
    draw_contact(random, &s, c, size, cancel ? mass * size : small, y);
  for (int c = 0; c < s.cones && cancel; c += 2)
    oppose(random, &s, c, c + 1, 1e-16 / tol * fabs(draw(random, -1, 1)), y);
  for (int i = 3 * s.cones; i < rows_of(&s); i++) {
    for (int k = 0; k < 12; k++)
      s.J[i][k] = perp_random_between(random, -1, 1);
    s.x[i] = cancel ? 0 : size * perp_random_between(random, -1, 1);
    y[i] = small * perp_random_between(random, -1, 1);
    const int bound = perp_random_below(random, 5);
    s.lo[i] = bound == 0 ? -INFINITY : bound == 1 ? s.x[i] : s.x[i] - size;
    s.hi[i] = bound == 2 ? INFINITY : bound == 3 ? 1e300 : s.x[i] + small;
  }
  if (empty_rows) /* a row of zeros */
    memset(s.J[rows_of(&s) - 1], 0, sizeof s.J[0]);
  for (int i = 0; i < rows_of(&s); i++)
    s.C[i] = cancel || empty_rows || i % 2 ? 0 : mass * fabs(draw(random, -12, -3));
  product_in_quad(&s, s.x, s.b, exact);
  for (int i = 0; i < rows_of(&s); i++)
    s.b[i] = (double)(y[i] - exact[i]);
  return s;
}

static quad truth_of_scene(const scene *s, const double *x, double *largest, quad *slop)
{
  quad y[ROWS], worst = 0;
  *largest = 0;
  product_in_quad(s, x, s->b, y);
  for (int i = 0; i < rows_of(s); i++)
    *largest = fmax(*largest, fabs(s->b[i]));
  for (int c = 0; c < s->cones; c++)
    worst = quad_max(worst, oracle_cone(s->mu[c], x + 3 * c, y + 3 * c, slop));
  for (int i = 3 * s->cones; i < rows_of(s); i++)
    worst = quad_max(worst, oracle_row(x[i], y[i], s->lo[i], s->hi[i], 1));
  return worst;
}

/* The part of a scene on one rank. */
typedef struct share {
  int rows, cones, row[ROWS]; /* row: in the scene */
  double C[ROWS], b[ROWS], lo[ROWS], hi[ROWS], mu[CONES], blocks[3 * ROWS], direction[ROWS],
      x[ROWS];
} share;

/* Returns the first of `count` that belongs to a rank. */
static int first_of(int count, int rank, int size)
{
  return count * rank / size;
}

static share share_of(const scene *s, int rank, int size)
{
  share m = {0};
  for (int c = first_of(s->cones, rank, size); c < first_of(s->cones, rank + 1, size); c++) {
    m.mu[m.cones++] = s->mu[c];
    for (int i = 3 * c; i < 3 * c + 3; i++)
      m.row[m.rows++] = i;
  }
  for (int i = first_of(s->singles, rank, size); i < first_of(s->singles, rank + 1, size); i++)
    m.row[m.rows++] = 3 * s->cones + i;
  for (int i = 0; i < m.rows; i++) {
    const int row = m.row[i];
    m.C[i] = s->C[row];
    m.b[i] = s->b[row];
    m.lo[i] = s->lo[row];
    m.hi[i] = s->hi[row];
    m.x[i] = s->x[row];
    m.direction[i] = row % 2 ? 1 : -0.5;
    double e[ROWS] = {0}, zero[ROWS] = {0};
    quad column[ROWS];
    e[row] = 1;
    product_in_quad(s, e, zero, column);
    if (i < 3 * m.cones)
      for (int t = 0; t < 3; t++) /* A is symmetric */
        m.blocks[3 * i + t] = (double)column[row - row % 3 + t];
    else
      m.blocks[6 * m.cones + i] = (double)column[row];
  }
  return m;
}

/* A matrix of which this rank has the rows row[0 .. rows-1]; its columns are those of the bodies. */
static PetscErrorCode matrix_of(int rows, const int *row, const double (*entry)[WIDTH], int columns,
                                Mat *A)
{
  PetscInt start[ROWS + WIDTH + 1] = {0}, column[(ROWS + WIDTH) * WIDTH];
  double value[(ROWS + WIDTH) * WIDTH];
  for (int i = 0; i < rows; i++) {
    start[i + 1] = start[i] + WIDTH;
    for (int k = 0; k < WIDTH; k++) {
      column[start[i] + k] = k;
      value[start[i] + k] = entry[row[i]][k];
    }
  }
  PetscCall(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, rows, columns, PETSC_DETERMINE, WIDTH,
                                      start, column, value, A));
  return 0;
}

static PetscErrorCode contacts(perp_random *random, int k, tally *t)
{
  static const char *const methods[] = {"apgd", "spg", "bjacobi"};
  const scene s = draw_scene(random, tol_of(k), k % 3 < 2 && k % 7 == 0);
  int rank, size, velocities = 0, velocity[WIDTH];
  double x[ROWS] = {0}, largest;
  quad slop = 0;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  share mine = share_of(&s, rank, size);
  perp_contacts c = {
      .C = mine.C,
      .K = {.n = mine.rows, .lo = mine.lo, .hi = mine.hi, .mu = mine.mu, .cones = mine.cones},
      .b = mine.b,
      .blocks = mine.blocks,
      .direction = mine.direction};
  perp_contacts_result result = {0};
  for (int v = 6 * first_of(BODIES, rank, size); v < 6 * first_of(BODIES, rank + 1, size); v++)
    velocity[velocities++] = v;
  PetscCall(matrix_of(mine.rows, mine.row, s.J, velocities, &c.J));
  PetscCall(matrix_of(velocities, velocity, s.Minv, velocities, &c.Minv));
  PetscCall(perp_contacts_solve(&c, methods[k % 3], tol_of(k), k % 4 ? 0 : 3, mine.x, &result));
  for (int i = 0; i < mine.rows; i++)
    x[mine.row[i]] = mine.x[i];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, x, ROWS, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  const quad truth = truth_of_scene(&s, x, &largest, &slop);
  PetscCall(examine(t, tol_of(k), largest, result.residual, result.scale, truth, slop));
  PetscCall(MatDestroy(&c.J));
  PetscCall(MatDestroy(&c.Minv));
  return 0;
}

int main(int count, char **words)
{
  PetscErrorCode (*const judges[])(perp_random *, int, tally *) = {rows, grids, contacts};
  tally tallies[] = {{"rows", 300, 0, 0, 0}, {"grids", 150, 0, 0, 0}, {"contacts", 75, 0, 0, 0}};
  bool good = true;
  PetscCall(PetscInitialize(&count, &words, NULL, NULL));
  for (int j = 0; j < 3; j++) {
    perp_random random = perp_random_from(7);
    tally *t = &tallies[j];
    for (int k = 0; k < t->cases; k++)
      PetscCall(judges[j](&random, k, t));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: judged %d solved %d wrong %d\n", t->name, t->asked,
                          t->solved, t->wrong));
    good = good && t->wrong == 0 && t->solved >= t->cases / 20;
  }
  PetscCall(PetscFinalize());
  return !good;
}
