/* course_notes.c: the two synthetic matrix families behind the figures of Erleben's course notes
 * (2013), as docs/problems.md describes them
 *
 * Cost: O(n^3) for lambda_min. */
#include "base/elementary.h"
#include "generate/generate.h"
#include "linalg/eigen.h"

#include <math.h>
#include <string.h>

enum { RHS_PLANTED, RHS_NOTES };

static const char *const rhs_words[] = {"planted", "notes", NULL};

typedef struct {
  int n, grid, contacts, rhs;
  perp_planting plant;
} notes_parameters;

/* a <- a + (0.5 - min(lambda_min, 0)) I */
static perp_error shift(perp_making *m, int n, double *a)
{
  double *copy, *w;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(copy, (int64_t)n * n), PERP_ARRAY(w, 4 * n)))
    return perp_making_no_memory(m);
  memcpy(copy, a, (size_t)n * (size_t)n * sizeof *copy);
  if (!perp_eigen_symmetric(n, copy, n, w, NULL, w + n))
    return perp_making_refuse(m, "the eigenvalue computation failed");
  /* to nine digits: its last bits depend on the machine, but no property depends on them */
  const double amount = 0.5 - floor(perp_min(w[0], 0) * 0x1p30) * 0x1p-30;
  for (int64_t i = 0; i < n; i++)
    a[i * n + i] += amount;
  return PERP_OK;
}

static perp_error fill_fluid(perp_making *m, int n, double *a)
{
  for (int64_t i = 0; i < n; i++)
    a[i * n + i] = 1;
  for (int64_t band = 1; band <= 3; band++) {
    const double value = -perp_random_uniform(&m->random);
    for (int64_t i = 0; i + band < n; i++)
      a[i * n + i + band] = a[(i + band) * n + i] = value;
  }
  return shift(m, n, a);
}

static perp_error fill_contact(perp_making *m, int n, double *a)
{
  static const double last_row[6] = {0.5, -1, -1, -1, -1, 0};
  static const double last_column[6] = {0, 1, 1, 1, 1, 0};
  const int contacts = n / 6;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j <= i; j++)
      a[i * n + j] = a[j * n + i] =
          0.5 * (perp_random_uniform(&m->random) + perp_random_uniform(&m->random));
  for (int64_t p = 0; p < contacts; p++)
    for (int64_t q = 0; q < contacts; q++) {
      double *block = a + 6 * p * n + 6 * q;
      if (block[2 * n + 2] > 0.5)
        for (int64_t i = 0; i < 6; i++)
          for (int64_t j = 0; j < 6; j++)
            block[i * n + j] = 0;
    }
  const perp_error error = shift(m, n, a);
  for (int64_t p = 0; p < contacts && !error; p++)
    for (int64_t q = 0; q < contacts; q++) {
      double *block = a + 6 * p * n + 6 * q;
      /* with probability one entries are nonzero if the block was kept */
      if (block[1] == 0)
        continue;
      for (int64_t k = 0; k < 6; k++) {
        block[k * n + 5] = last_column[k];
        block[5 * n + k] = last_row[k];
      }
    }
  return error;
}

static perp_error set_rhs_of_the_notes(perp_making *m, int n)
{
  double *x, *b;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)n, &x) || !PERP_GIVE((size_t)n, &m->instance->b))
    return perp_making_no_memory(m);
  b = m->instance->b;
  for (int i = 0; i < n; i++)
    x[i] = perp_max(0, perp_random_between(&m->random, -1, 1));
  const perp_error error = perp_generate_apply(m, x, b);
  for (int i = 0; i < n && !error; i++)
    b[i] = x[i] > 0 ? -b[i] : 0;
  return error;
}

static perp_error make(perp_making *m, int n, perp_kind kind,
                       perp_error (*fill)(perp_making *, int, double *))
{
  const notes_parameters *par = m->parameters;
  double *a = perp_arena_alloc_zero(&m->arena, (size_t)n * (size_t)n, sizeof *a);
  perp_operator *dense =
      NULL; /* compressed rows are kept: most entries are zero in both families */
  perp_error error = a ? fill(m, n, a) : perp_making_no_memory(m);
  if (error || (error = perp_operator_dense(n, a, n, PERP_BORROW, &dense, m->why)) ||
      (error = perp_making_csr(m, dense)))
    return error;
  if (par->rhs == RHS_NOTES)
    return set_rhs_of_the_notes(m, n);
  m->instance->kind = kind;
  return perp_plant(m, &par->plant);
}

static perp_error make_fluid(perp_making *m)
{
  const notes_parameters *par = m->parameters;
  const int side = par->n ? perp_exact_root(par->n, 3) : par->grid;
  if (side == 0)
    return perp_making_refuse(m, "n = %d is not a cube", par->n);
  return make(m, side * side * side, PERP_KIND_SOLVABLE, fill_fluid);
}

static perp_error make_contact(perp_making *m)
{
  const notes_parameters *par = m->parameters;
  if (par->n % 6)
    return perp_making_refuse(m, "n = %d is not a multiple of 6", par->n);
  return make(m, par->n ? par->n : 6 * par->contacts, PERP_KIND_MULTIPLE, fill_contact);
}

static const perp_parameter fluid_parameters[] = {
    PERP_INTEGER(notes_parameters, n, 0, 0, 1728, "unknowns, a cube; 0: grid^3"),
    PERP_INTEGER(notes_parameters, grid, 10, 1, 12, "cells per side; all eigenvalues are computed"),
    PERP_CHOICE(notes_parameters, rhs, RHS_PLANTED, 1, rhs_words, "right-hand side"),
    PERP_PLANTING_ROWS(notes_parameters),
    {0}};

static const perp_parameter contact_parameters[] = {
    PERP_INTEGER(notes_parameters, n, 0, 0, 1800, "unknowns, a multiple of 6; 0: 6 contacts"),
    PERP_INTEGER(notes_parameters, contacts, 30, 1, 300, "contacts"),
    PERP_CHOICE(notes_parameters, rhs, RHS_PLANTED, 1, rhs_words, "right-hand side"),
    PERP_PLANTING_ROWS(notes_parameters),
    {0}};

const perp_generator perp_generators_notes[] = {
    {"fluid-notes", "the banded 'fluid' matrices of Erleben's notes", "notes", "erleben-2013",
     fluid_parameters, sizeof(notes_parameters), make_fluid, NULL},
    {"contact-notes", "the zero-diagonal 'contact' matrices of Erleben's notes", "notes",
     "erleben-2013", contact_parameters, sizeof(notes_parameters), make_contact, NULL},
    {0}};
