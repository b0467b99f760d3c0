/* notes.c: the two synthetic matrix families behind the figures of Erleben's course notes (2013)
 *
 *   fluid-notes    n = grid^3. A = I plus off-diagonals 1, 2, 3, each filled with one value drawn
 *                  from -U(0, 1); then A += (0.5 - min(lambda_min, 0)) I. A band, symmetric positive
 *                  definite; no Laplacian of anything.
 *   contact-notes  n = 6 contacts. R = U(0, 1) made symmetric, every 6 x 6 block whose entry (3, 3)
 *                  is above 0.5 set to zero, shifted likewise; then in every block that was kept the
 *                  last row becomes [.5 -1 -1 -1 -1 0] and the last column [0 1 1 1 1 0]^T: zeros on
 *                  the diagonal, not symmetric.
 *
 * The right-hand side is planted, or with rhs = notes the one that was used there: x = max(0, U(-1,
 * 1)), b = -A x where x > 0 and 0 elsewhere. That x is in general no solution (y_i = (A x)_i may be
 * negative where x_i = 0), so none is stored and the kind is unknown. Cost: O(n^3) for lambda_min. */
#include "base/elementary.h"
#include "generate/rows.h"
#include "linalg/eigen.h"

#include <math.h>

enum { RHS_PLANTED, RHS_NOTES };

static const char *const rhs_words[] = {"planted", "notes", NULL};

typedef struct {
  int n, grid, contacts, rhs;
  perp_planting plant;
} notes_parameters;

/* The smallest eigenvalue of a symmetric matrix, which is copied. */
static perp_error smallest_eigenvalue(const char *owner, int n, const double *a, double *least,
                                      perp_message *why)
{
  const size_t m = (size_t)n;
  double *copy = perp_alloc_copy(a, m * m, sizeof *copy);
  double *w = perp_alloc(4 * m, sizeof *w);
  perp_error error = copy && w ? PERP_OK : perp_generate_no_memory(owner, why);
  if (!error && !perp_eigen_symmetric(n, copy, n, w, NULL, w + m))
    error = perp_fail(why, PERP_ERROR_PARAMETER, "%s: the eigenvalues were not found", owner);
  if (!error)
    *least = w[0];
  perp_free(copy);
  perp_free(w);
  return error;
}

static perp_error shift(const char *owner, int n, double *a, perp_message *why)
{
  double least;
  perp_error error = smallest_eigenvalue(owner, n, a, &least, why);
  /* to nine digits: its last bits depend on the machine, and no property on them */
  const double amount = error ? 0 : 0.5 - floor(perp_min(least, 0) * 0x1p30) * 0x1p-30;
  for (int64_t i = 0; i < n && !error; i++)
    a[i * n + i] += amount;
  return error;
}

static perp_error fill_fluid(int n, perp_random *random, double *a, perp_message *why)
{
  for (int64_t i = 0; i < n; i++)
    a[i * n + i] = 1;
  for (int64_t band = 1; band <= 3; band++) {
    const double value = -perp_random_uniform(random);
    for (int64_t i = 0; i + band < n; i++)
      a[i * n + i + band] = a[(i + band) * n + i] = value;
  }
  return shift("fluid-notes", n, a, why);
}

static perp_error fill_contact(int n, perp_random *random, double *a, perp_message *why)
{
  static const double last_row[6] = {0.5, -1, -1, -1, -1, 0};
  static const double last_column[6] = {0, 1, 1, 1, 1, 0};
  const int contacts = n / 6;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j <= i; j++)
      a[i * n + j] = a[j * n + i] =
          0.5 * (perp_random_uniform(random) + perp_random_uniform(random));
  for (int64_t p = 0; p < contacts; p++)
    for (int64_t q = 0; q < contacts; q++) {
      double *block = a + 6 * p * n + 6 * q;
      if (block[2 * n + 2] > 0.5)
        for (int64_t i = 0; i < 6; i++)
          for (int64_t j = 0; j < 6; j++)
            block[i * n + j] = 0;
    }
  perp_error error = shift("contact-notes", n, a, why);
  for (int64_t p = 0; p < contacts && !error; p++)
    for (int64_t q = 0; q < contacts; q++) {
      double *block = a + 6 * p * n + 6 * q;
      /* entries are positive where the block was kept, but for a probability of zero */
      if (block[1] == 0)
        continue;
      for (int64_t k = 0; k < 6; k++) {
        block[k * n + 5] = last_column[k];
        block[5 * n + k] = last_row[k];
      }
    }
  return error;
}

static perp_error set_rhs_of_the_notes(const char *owner, perp_random *random,
                                       perp_instance *instance, perp_message *why)
{
  const int n = perp_operator_size(instance->A);
  double *x = perp_alloc((size_t)n, sizeof *x);
  instance->b = perp_alloc((size_t)n, sizeof *instance->b);
  perp_error error = x && instance->b ? PERP_OK : perp_generate_no_memory(owner, why);
  for (int i = 0; i < n && !error; i++)
    x[i] = perp_max(0, perp_random_between(random, -1, 1));
  if (!error)
    error = perp_generate_apply(instance->A, x, instance->b, why);
  for (int i = 0; i < n && !error; i++)
    instance->b[i] = x[i] > 0 ? -instance->b[i] : 0;
  perp_free(x);
  return error;
}

/* csr: most entries are zero in both families */
static perp_error set_operator(const char *owner, int n, const double *a, perp_instance *instance,
                               perp_message *why)
{
  perp_rows rows;
  int64_t count = 0;
  for (int64_t k = 0; k < (int64_t)n * n; k++)
    count += a[k] != 0;
  perp_error error = perp_rows_make(owner, &rows, n, count, why);
  if (error)
    return error;
  for (int64_t i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (a[i * n + j] != 0) {
        rows.column[rows.used] = j;
        rows.value[rows.used++] = a[i * n + j];
      }
    rows.start[i + 1] = rows.used;
  }
  error = perp_operator_csr(n, rows.start, rows.column, rows.value, PERP_COPY, &instance->A, why);
  perp_rows_free(&rows);
  return error;
}

static perp_error make(const char *owner, int n,
                       perp_error (*fill)(int, perp_random *, double *, perp_message *),
                       perp_kind kind, const notes_parameters *par, uint64_t seed,
                       perp_instance *instance, perp_message *why)
{
  perp_random random = perp_random_from(seed);
  double *a = perp_alloc_zero((size_t)n * (size_t)n, sizeof *a);
  perp_error error = a ? fill(n, &random, a, why) : perp_generate_no_memory(owner, why);
  if (!error)
    error = set_operator(owner, n, a, instance, why);
  perp_free(a);
  if (error)
    return error;
  if (par->rhs == RHS_NOTES)
    return set_rhs_of_the_notes(owner, &random, instance, why);
  instance->kind = kind;
  return perp_plant(owner, &par->plant, &random, instance, why);
}

static perp_error make_fluid(const void *parameters, uint64_t seed, perp_instance *instance,
                             perp_message *why)
{
  const notes_parameters *par = parameters;
  const int side = par->n ? perp_exact_root(par->n, 3) : par->grid;
  if (side == 0)
    return perp_fail(why, PERP_ERROR_PARAMETER, "fluid-notes: n = %d is no cube", par->n);
  return make("fluid-notes", side * side * side, fill_fluid, PERP_KIND_SOLVABLE, par, seed,
              instance, why);
}

static perp_error make_contact(const void *parameters, uint64_t seed, perp_instance *instance,
                               perp_message *why)
{
  const notes_parameters *par = parameters;
  if (par->n % 6)
    return perp_fail(why, PERP_ERROR_PARAMETER, "contact-notes: n = %d is no multiple of 6",
                     par->n);
  return make("contact-notes", par->n ? par->n : 6 * par->contacts, fill_contact,
              PERP_KIND_MULTIPLE, par, seed, instance, why);
}

static const perp_parameter fluid_parameters[] = {
    PERP_INTEGER(notes_parameters, n, 0, 0, 1728, "unknowns, a cube; 0: grid^3"),
    PERP_INTEGER(notes_parameters, grid, 10, 1, 12, "cells per side; all eigenvalues are computed"),
    PERP_CHOICE(notes_parameters, rhs, RHS_PLANTED, 1, rhs_words, "right-hand side"),
    PERP_PLANTING_ROWS(notes_parameters),
    {0},
};

static const perp_parameter contact_parameters[] = {
    PERP_INTEGER(notes_parameters, n, 0, 0, 1800, "unknowns, a multiple of 6; 0: 6 contacts"),
    PERP_INTEGER(notes_parameters, contacts, 30, 1, 300, "contacts"),
    PERP_CHOICE(notes_parameters, rhs, RHS_PLANTED, 1, rhs_words, "right-hand side"),
    PERP_PLANTING_ROWS(notes_parameters),
    {0},
};

const perp_generator perp_generators_notes[] = {
    {"fluid-notes", "the banded 'fluid' matrices of Erleben's notes", "notes", "erleben-2013",
     fluid_parameters, sizeof(notes_parameters), make_fluid},
    {"contact-notes", "the zero-diagonal 'contact' matrices of Erleben's notes", "notes",
     "erleben-2013", contact_parameters, sizeof(notes_parameters), make_contact},
    {0},
};
