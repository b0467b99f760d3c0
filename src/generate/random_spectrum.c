/* random_spectrum.c: a sparse symmetric matrix with a given condition number
 *
 *   A = Q^T diag(lambda) Q
 *
 * with eigenvalues from 1/cond to 1, both taken, and Q a product of `rounds` rounds of plane
 * rotations, each over a random pairing of the indices. Q e_i has at most 2^rounds entries, A some
 * 3^rounds per row. Row i of A is Q^T diag(lambda) Q e_i; since A_ij and A_ji come out of different
 * sequences of roundings, the lower triangle is computed and mirrored.
 * Cost: O(nonzeros log row). */
#include "generate/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, rounds;
  double cond;
  perp_planting plant;
} spectrum_parameters;

/* One round: every index with its partner (itself where n is odd and none is left) and the cosine
 * and sine of the pair's angle. */
typedef struct {
  int *partner;
  double *c, *s;
} rotation;

enum { MOST_ROUNDS = 5, WIDEST = 1024 /* 4^MOST_ROUNDS entries of one row at the most */ };

static void draw_rotation(int n, perp_random *random, int *order, rotation *R)
{
  perp_random_permutation(random, n, order);
  for (int i = 0; i < n; i++)
    R->partner[i] = i;
  for (int k = 0; k + 1 < n; k += 2) {
    const int i = order[k], j = order[k + 1];
    /* tan of half the angle is drawn, so that no trigonometry is needed */
    const double t = perp_random_between(random, 0.2, 1);
    R->partner[i] = j;
    R->partner[j] = i;
    R->c[i] = R->c[j] = (1 - t * t) / (1 + t * t);
    R->s[i] = R->s[j] = 2 * t / (1 + t * t);
  }
}

/* x <- R x, or R^T x with sign -1, for a sparse x sorted by column; returns its new length. */
static int rotate(const rotation *R, double sign, perp_entry *x, int count)
{
  int grown = count;
  for (int k = 0; k < count; k++) {
    const perp_entry key = {R->partner[x[k].column], 0};
    if (!bsearch(&key, x, (size_t)count, sizeof *x, perp_entry_compare))
      x[grown++] = key;
  }
  qsort(x, (size_t)grown, sizeof *x, perp_entry_compare);
  for (int k = 0; k < grown; k++) {
    const int i = x[k].column;
    const perp_entry key = {R->partner[i], 0};
    if (key.column <= i)
      continue;
    perp_entry *other = bsearch(&key, x, (size_t)grown, sizeof *x, perp_entry_compare);
    const double c = R->c[i], s = sign * R->s[i], u = x[k].value, v = other->value;
    x[k].value = c * u + s * v;
    other->value = c * v - s * u;
  }
  return grown;
}

/* The entries of row i on and below the diagonal, sorted. */
static int lower_row(const rotation *R, int rounds, const double *lambda, int i, perp_entry *x)
{
  int count = 1, kept = 0;
  x[0] = (perp_entry){i, 1};
  for (int k = 0; k < rounds; k++)
    count = rotate(&R[k], 1, x, count);
  for (int k = 0; k < count; k++)
    x[k].value *= lambda[x[k].column];
  for (int k = rounds - 1; k >= 0; k--)
    count = rotate(&R[k], -1, x, count);
  for (int k = 0; k < count; k++)
    if (x[k].column <= i)
      x[kept++] = x[k];
  return kept;
}

/* full <- lower + its strict transpose; rows come out ascending. `placed` is n ints of zero. */
static void mirror(int n, const perp_rows *lower, perp_rows *full, int *placed)
{
  for (int i = 0; i < n; i++)
    for (int64_t k = lower->start[i]; k < lower->start[i + 1]; k++) {
      full->start[i + 1]++;
      if (lower->column[k] != i)
        full->start[lower->column[k] + 1]++;
    }
  for (int i = 0; i < n; i++)
    full->start[i + 1] += full->start[i];
  for (int i = 0; i < n; i++)
    for (int64_t k = lower->start[i]; k < lower->start[i + 1]; k++) {
      const int j = lower->column[k];
      const int64_t here = full->start[i] + placed[i]++;
      full->column[here] = j;
      full->value[here] = lower->value[k];
      if (j == i)
        continue;
      const int64_t there = full->start[j] + placed[j]++;
      full->column[there] = i;
      full->value[there] = lower->value[k];
    }
}

/* Eigenvalues: 1/cond and 1, and between them cubes of uniforms, so more small ones than large. */
static void draw_spectrum(const spectrum_parameters *par, perp_random *random, double *lambda)
{
  for (int i = 0; i < par->n; i++) {
    const double u = i == 0 ? 0 : i == 1 ? 1 : perp_random_uniform(random);
    lambda[i] = 1 / par->cond + (1 - 1 / par->cond) * u * u * u;
  }
}

static perp_error fill(perp_making *m, const spectrum_parameters *par, perp_rows *full)
{
  const int n = par->n, rounds = par->rounds;
  perp_rows lower;
  rotation R[MOST_ROUNDS] = {{0}};
  double *lambda;
  int *order;
  perp_entry *x;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(lambda, n), PERP_ARRAY(order, n), PERP_ARRAY(x, 2 * WIDEST)))
    return perp_making_no_memory(m);
  draw_spectrum(par, &m->random, lambda);
  for (int k = 0; k < rounds; k++) {
    if (!PERP_TAKE(&m->arena, PERP_ARRAY(R[k].partner, n), PERP_ARRAY(R[k].c, n),
                   PERP_ARRAY(R[k].s, n)))
      return perp_making_no_memory(m);
    draw_rotation(n, &m->random, order, &R[k]);
  }
  /* two passes over the rows: their lengths, then their entries */
  int64_t entries = 0;
  for (int i = 0; i < n; i++)
    entries += lower_row(R, rounds, lambda, i, x);
  perp_error error = perp_rows_make(m, &lower, n, entries);
  for (int i = 0; i < n && !error; i++)
    perp_rows_append(&lower, i, x, lower_row(R, rounds, lambda, i, x));
  if (!error)
    error = perp_rows_make(m, full, n, 2 * entries);
  if (!error) {
    memset(order, 0, (size_t)n * sizeof *order);
    mirror(n, &lower, full, order);
  }
  return error;
}

static perp_error make(perp_making *m)
{
  const spectrum_parameters *par = m->parameters;
  perp_rows rows;
  perp_error error = fill(m, par, &rows);
  if (!error)
    error = perp_rows_operator(m, par->n, &rows);
  m->instance->kind = PERP_KIND_SOLVABLE;
  return error ? error : perp_plant(m, &par->plant);
}

static const perp_parameter parameters[] = {
    PERP_INTEGER(spectrum_parameters, n, 1000, 1, 10000000, "unknowns"),
    PERP_REAL(spectrum_parameters, cond, 1e4, 1, 1e14, "condition number"),
    PERP_INTEGER(spectrum_parameters, rounds, 2, 0, MOST_ROUNDS, "rounds of rotations: fill"),
    PERP_PLANTING_ROWS(spectrum_parameters),
    {0},
};

const perp_generator perp_generators_random_spectrum[] = {
    {"spd-sparse", "sparse symmetric positive definite of given condition", "random", "",
     parameters, sizeof(spectrum_parameters), make},
    {0},
};
