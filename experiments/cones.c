/* cones.c: the complementary cones of a problem of two unknowns (Murty 1972; the picture of Tan,
 * Siu and Liu)
 *
 * y = A x + b, x >= 0, y >= 0, x^T y = 0 has a solution with x_i > 0 for i in S just where b lies
 * in the cone of the columns -A_i, i in S, and e_i, i not in S. The four cones cover the plane
 * once, just where A is a P-matrix (Samelson, Thrall and Wesler 1958). The 2D algorithm of the
 * engine's description is run as printed: masks 1, 2, 4, 8 and a test of signed areas. */
#include "experiment.h"

#include <math.h>
#include <string.h>

enum { CONES = 4, MATRICES = 3, ANGLES = 720 };

typedef struct matrix {
  const char *name, *label;
  double a[4];     /* row major */
  int least, most; /* solutions, over all b but those on the edges of cones */
} matrix;

static const matrix matrices[MATRICES] = {
    {"p", "a P-matrix, (2 -1; 1 1)", {2, -1, 1, 1}, 1, 1},
    {"many", "not a P-matrix, (1 2; 2 1): one solution or three", {1, 2, 2, 1}, 1, 3},
    {"none", "not a P-matrix, (1 -2; -2 1): none or two", {1, -2, -2, 1}, 0, 2},
};

/* Generators of the cone: column i is -A_i where bit i is set, else e_i. */
static void generators(const double *a, int mask, double c[2][2])
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c[i][j] = mask >> i & 1 ? -a[2 * j + i] : i == j;
}

static double cross(const double *u, const double *v)
{
  return u[0] * v[1] - u[1] * v[0];
}

/* b = s c_0 + t c_1 with s, t >= 0, by Cramer's rule. */
static bool in_cone(double c[2][2], const double *b)
{
  const double det = cross(c[0], c[1]);
  return cross(b, c[1]) / det >= 0 && cross(c[0], b) / det >= 0;
}

static int solutions(const double *a, const double *b)
{
  int count = 0;
  for (int mask = 0; mask < CONES; mask++) {
    double c[2][2];
    generators(a, mask, c);
    count += in_cone(c, b);
  }
  return count;
}

/* The algorithm as printed: x from the first mask whose test passes; false: "no solution". */
static bool as_printed(const double *a, const double *b, double x[2])
{
  for (int k = 1; k <= CONES; k++) {
    const int mask = 1 << (k - 1);
    double c[2][2]; /* here a set bit stands for e_i */
    generators(a, ~mask & 3, c);
    if (cross(c[0], b) * cross(c[1], b) > 0)
      continue;
    const double det = cross(c[0], c[1]), s[2] = {cross(b, c[1]) / det, cross(c[0], b) / det};
    for (int i = 0; i < 2; i++)
      x[i] = mask >> i & 1 ? 0 : s[i];
    return true;
  }
  return false;
}

/* Wedges with different radii, so that one sees them where they overlap. */
static void draw_cones(experiment *e, const matrix *m)
{
  static const char *const labels[CONES] = {"e1, e2", "-A1, e2", "e1, -A2", "-A1, -A2"};
  char table[CONES][32];
  experiment_line lines[CONES];
  for (int mask = 0; mask < CONES; mask++) {
    double c[2][2];
    enum { ARC = 40 };
    const double radius = 1 - 0.12 * mask;
    generators(m->a, mask, c);
    const double from = atan2(c[0][1], c[0][0]);
    const double turn = atan2(cross(c[0], c[1]), c[0][0] * c[1][0] + c[0][1] * c[1][1]);
    snprintf(table[mask], sizeof table[mask], "%s-cone%d", m->name, mask);
    experiment_table *t = experiment_table_begin(e, table[mask], NULL, "b1,b2");
    experiment_row(t, 2, (double[]){0, 0});
    for (int k = 0; k <= ARC; k++) {
      const double angle = from + turn * k / ARC;
      experiment_row(t, 2, (double[]){radius * cos(angle), radius * sin(angle)});
    }
    experiment_row(t, 2, (double[]){0, 0});
    experiment_table_end(t);
    lines[mask] = (experiment_line){table[mask], 1, 2, labels[mask], {.filled = true}};
  }
  experiment_draw_lines(e, m->name,
                        &(plot){.title = m->label,
                                .x_label = "b1",
                                .y_label = "b2",
                                .x_least = -1.1,
                                .x_most = 1.1,
                                .y_least = -1.1,
                                .y_most = 1.1,
                                .square = true},
                        CONES, lines);
}

typedef struct verdicts {
  int solved, solvable, refused, empty; /* of perp's direct method */
  int printed_right;                    /* of the algorithm as printed, if a solution exists */
} verdicts;

static void try_all(experiment *e, const matrix *m, experiment_table *t, int *least, int *most,
                    verdicts *v)
{
  perp_operator *A = NULL;
  const perp_error error = perp_operator_dense(2, m->a, 2, PERP_BORROW, &A, NULL);
  if (error)
    experiment_fail(e, error, m->label);
  *least = CONES;
  *most = 0;
  for (int k = 0; k < ANGLES && !error; k++) {
    const double angle = 2 * acos(-1) * (k + 0.37) / ANGLES; /* on no edge */
    const double b[2] = {cos(angle), sin(angle)};
    const int count = solutions(m->a, b);
    *least = count < *least ? count : *least;
    *most = count > *most ? count : *most;
    experiment_row(t, 2, (double[]){360.0 * (k + 0.37) / ANGLES, count});
    const perp_problem p = perp_problem_lcp(A, b);
    double x[2] = {0, 0}, residual = INFINITY, scale = 1;
    const experiment_solve s = experiment_run_on(&p, "direct", NULL, x, NULL, 0);
    v->solvable += count > 0;
    v->empty += count == 0;
    v->solved += count > 0 && s.outcome == PERP_SOLVED;
    v->refused += count == 0 && s.outcome != PERP_SOLVED;
    if (count > 0 && as_printed(m->a, b, x) && !perp_problem_judge(&p, x, &residual, &scale, NULL))
      v->printed_right += residual <= 1e-8 * scale;
  }
  perp_operator_destroy(A);
}

static void run(experiment *e)
{
  verdicts v = {0};
  bool as_said = true;
  char table[MATRICES][32];
  experiment_line lines[MATRICES];
  for (int k = 0; k < MATRICES; k++) {
    const matrix *m = &matrices[k];
    int least, most;
    draw_cones(e, m);
    snprintf(table[k], sizeof table[k], "%s-count", m->name);
    experiment_table *t = experiment_table_begin(e, table[k], NULL, "degrees,solutions");
    try_all(e, m, t, &least, &most, &v);
    experiment_table_end(t);
    as_said = as_said && least == m->least && most == m->most;
    lines[k] = (experiment_line){table[k], 1, 2, m->name, {.stairs = true}};
    experiment_progress(e, (k + 1.0) / MATRICES);
  }
  experiment_draw_lines(e, "count",
                        &(plot){.title = "Number of solutions by the direction of b (p: the "
                                         "P-matrix, many and none: the two others)",
                                .x_label = "direction of b (degrees)",
                                .y_label = "solutions",
                                .x_most = 360,
                                .y_least = -0.2,
                                .y_most = 3.5},
                        MATRICES, lines);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST, as_said,
      "the cones of a P-matrix cover the plane once; the cones of the two others one or three "
      "times, and not at all or twice");
  experiment_claim(
      e, CLAIM_OURS | CLAIM_MUST, v.solved == v.solvable && v.refused == v.empty,
      "the direct method solves every problem that has a solution (%d of %d) and none that "
      "has none (%d of %d refused)",
      v.solved, v.solvable, v.refused, v.empty);
  experiment_claim(e, CLAIM_PAPER | CLAIM_HEADLINE, v.printed_right == v.solvable,
                   "the 2D algorithm finds the solution as printed (%d of %d)", v.printed_right,
                   v.solvable);
  experiment_why(
      e, "The masks 1, 2, 4, 8 are powers of two where 0, 1, 2, 3 are meant, so that the cone of "
         "e1 and e2 is never tried; and a product of signed areas has the same sign for a cone and "
         "for its opposite.");
}

const experiment_info experiment_cones = {
    .name = "cones",
    .title = "Complementary cones in the plane",
    .source = "Murty 1972; the picture and the 2D algorithm of Tan, Siu and Liu",
    .says = "a problem of two unknowns has a solution for each of its four complementary cones "
            "that contains b; testing all four solves it",
    .run = run,
};
