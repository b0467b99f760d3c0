/* inspect.c: form, structure, symmetry and diagonal of a problem, cheaply */
#include "method/auto/inspect.h"
#include "base/elementary.h"
#include "linalg/band.h"
#include "linalg/vector.h"
#include "method/contact/contacts.h"
#include "operator/contact/contact.h"
#include "operator/stencil/stencil.h"
#include "problem/entries.h"

#include <math.h>
#include <string.h>

static const double SYMMETRIC = 1e-9;          /* relative to the largest entry */
static const double FAIR = 0.96, STRONG = 0.1; /* relative to the diagonal */

static int size_of(int n)
{
  static const int most[PERP_SIZES - 1] = {3, 10, 32, 100, 320, 1000, 10000, 100000};
  int size = 0;
  while (size < PERP_SIZES - 1 && most[size] < n)
    size++;
  return size;
}

/* Returns the structure of a contact operator. Points of a face share the load in many ways, and
 * sweeps converge slowly. With friction and few bodies per contact, pivots and sweeps are slow, and
 * factors in the velocities are fast. */
static perp_structure contacts_of(const perp_operator *A, perp_form form)
{
  const perp_contact *c = perp_contact_of(A);
  const bool friction = form >= PERP_FORM_FINDEX;
  if (form < PERP_FORM_CONE && perp_contacts_meet_in_faces(c, friction ? 2 : 1))
    return PERP_STRUCTURE_FACED;
  if (!friction)
    return PERP_STRUCTURE_CONTACT;
  const int64_t velocities = c->data.velocities;
  return velocities >= A->n       ? PERP_STRUCTURE_LOOSE
         : 2 * velocities >= A->n ? PERP_STRUCTURE_PACKED
                                  : PERP_STRUCTURE_JAMMED;
}

/* Returns the structure of an operator that is not a dense matrix. */
static perp_structure structure_of(const perp_operator *A, unsigned abilities, perp_form form)
{
  if (abilities & PERP_CAN_VELOCITIES)
    return contacts_of(A, form);
  if (strcmp(perp_operator_kind(A), "stencil") == 0)
    return PERP_STRUCTURE_STENCIL;
  if (!(abilities & PERP_CAN_ROW))
    return PERP_STRUCTURE_HIDDEN;
  /* a matrix stored as sparse may be dense */
  const double n = A->n;
  return (double)A->nonzeros <= n * n / 3 || A->nonzeros < 0 ? PERP_STRUCTURE_SPARSE
                                                             : PERP_STRUCTURE_DENSE;
}

/* Returns true if C is absent or diagonal, so that A is symmetric. */
static bool has_simple_compliance(const perp_operator *A)
{
  perp_contact_data d = perp_contact_data_default();
  if (perp_operator_contact_data(A, &d) != PERP_OK)
    return false;
  for (int i = 0; d.C_start && i < d.rows; i++)
    for (int64_t e = d.C_start[i]; e < d.C_start[i + 1]; e++)
      if (d.C_column[e] != i)
        return false;
  return true;
}

/* The smallest and the largest diagonal entry. */
typedef struct range {
  double least, most;
} range;

static range widen(range r, double a)
{
  return (range){a < r.least ? a : r.least, a > r.most ? a : r.most};
}

static void take_diagonal(range r, perp_inspection *seen)
{
  seen->diagonal = r.least > 0 ? PERP_DIAGONAL_PLAIN : PERP_DIAGONAL_HOLES;
  seen->spread = r.least > 0 && r.most > 0 ? r.most / r.least : 1;
}

/* Lowers PERP_DIAGONAL_STRONG row by row until it is PLAIN. */
static perp_diagonal weaken(perp_diagonal diagonal, double a, double beside)
{
  return beside > FAIR * a     ? PERP_DIAGONAL_PLAIN
         : beside > STRONG * a ? PERP_DIAGONAL_FAIR
                               : diagonal;
}

/* An unsymmetric matrix usually shows in the first row. */
static bool is_symmetric(const perp_operator *A, const double *a, int64_t stride)
{
  if (A->symmetric)
    return true;
  double difference = 0, greatest = 0;
  for (int i = 0; i < A->n; i++) {
    difference = perp_max(difference, fabs(a[i] - a[i * stride]));
    greatest = perp_max(greatest, perp_norm_inf(A->n, a + i * stride));
  }
  return difference <= SYMMETRIC * greatest &&
         perp_dense_difference(A->n, a, stride) <= SYMMETRIC * greatest;
}

static void read_dense(const perp_operator *A, const double *a, int64_t stride,
                       perp_inspection *seen)
{
  const int n = A->n;
  seen->symmetric = is_symmetric(A, a, stride);
  range diagonal = {INFINITY, 0};
  for (int i = 0; i < n; i++)
    diagonal = widen(diagonal, a[i * stride + i]);
  take_diagonal(diagonal, seen);
  if (seen->diagonal == PERP_DIAGONAL_HOLES)
    return;
  perp_diagonal kind = PERP_DIAGONAL_STRONG;
  for (int i = 0; i < n && kind != PERP_DIAGONAL_PLAIN; i++) {
    const double *row = a + i * stride;
    kind = weaken(kind, row[i], perp_norm1(n, row) - row[i]);
  }
  seen->diagonal = kind;
}

static perp_error no_memory(const perp_operator *A, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", A->n);
}

static perp_error read_diagonal(const perp_operator *A, perp_arena *arena, perp_inspection *seen,
                                perp_message *why)
{
  double *d = perp_arena_alloc(arena, (size_t)A->n, sizeof *d);
  if (!d)
    return no_memory(A, why);
  if (perp_operator_diagonal(A, d, NULL) != PERP_OK)
    return PERP_OK;
  range diagonal = {INFINITY, 0};
  for (int i = 0; i < A->n; i++)
    diagonal = widen(diagonal, d[i]);
  take_diagonal(diagonal, seen);
  return PERP_OK;
}

static perp_diagonal strength(int n, const int64_t *start, const int *column, const double *value)
{
  perp_diagonal kind = PERP_DIAGONAL_STRONG;
  for (int i = 0; i < n && kind != PERP_DIAGONAL_PLAIN; i++) {
    double all = 0, a = 0;
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
      all += fabs(value[k]);
      a = column[k] == i ? value[k] : a;
    }
    kind = weaken(kind, a, all - a);
  }
  return kind;
}

/* M-signs: a positive diagonal and no positive entry off it. */
static void take_glance(const perp_operator *A, const perp_glance *glance, perp_inspection *seen)
{
  const int64_t *start;
  const int *column;
  const double *value;
  perp_operator_csr_arrays(A, &start, &column, &value);
  seen->symmetric = glance->difference <= SYMMETRIC * glance->greatest;
  take_diagonal((range){glance->diagonal_min, glance->diagonal_max}, seen);
  const bool holes = seen->diagonal == PERP_DIAGONAL_HOLES;
  int below, above;
  if (seen->structure == PERP_STRUCTURE_SPARSE &&
      perp_band_is_narrow(&(perp_sparse){A->n, start, column, value}, 1, &below, &above))
    seen->structure = PERP_STRUCTURE_TRIDIAGONAL;
  else if (seen->structure == PERP_STRUCTURE_SPARSE && !holes && glance->positive == A->n)
    seen->structure = PERP_STRUCTURE_MMATRIX;
  if (!holes)
    seen->diagonal = strength(A->n, start, column, value);
}

/* Treats compressed rows that are a plane or solid grid as a stencil. Up to LITTLE rows the ladders of
 * sparse matrices are as fast. */
static perp_error look_for_grid(const perp_operator *A, perp_arena *arena, perp_inspection *seen,
                                perp_message *why)
{
  enum { LITTLE = 1000 };
  perp_stencil *grid = NULL;
  const bool possible =
      A->n > LITTLE && seen->symmetric &&
      (seen->structure == PERP_STRUCTURE_SPARSE || seen->structure == PERP_STRUCTURE_MMATRIX);
  if (possible && perp_stencil_recognise(A, arena, &grid))
    return no_memory(A, why);
  if (grid)
    seen->structure = PERP_STRUCTURE_STENCIL;
  return PERP_OK;
}

static perp_error read_entries(const perp_operator *A, perp_arena *arena, perp_inspection *seen,
                               perp_message *why)
{
  int64_t *cursor = perp_arena_alloc(arena, (size_t)A->n, sizeof *cursor);
  if (!cursor)
    return no_memory(A, why);
  perp_glance glance;
  if (perp_entries_glance(A, cursor, &glance)) {
    take_glance(A, &glance, seen);
    return look_for_grid(A, arena, seen, why);
  }
  perp_entries entries;
  const perp_error error = perp_entries_read(A, &entries, why);
  if (error)
    return error;
  seen->symmetric = entries.asymmetry <= SYMMETRIC;
  if (entries.diagonal_zeros > 0 || entries.diagonal_negatives > 0)
    seen->diagonal = PERP_DIAGONAL_HOLES;
  return PERP_OK;
}

/* Tests the symmetry of an operator that has only products, unless its owner declared it, with two
 * products; a pivoting method would take n. */
static perp_error try_products(const perp_operator *A, perp_arena *arena, perp_inspection *seen,
                               perp_message *why)
{
  seen->symmetric = A->hints & PERP_HINT_SYMMETRIC;
  if (seen->symmetric)
    return PERP_OK;
  const perp_arena_mark mark = perp_arena_hold(arena);
  double *u, *v, *t, *scratch;
  if (!PERP_TAKE_REALS(arena, (size_t)A->n, &u, &v, &t) ||
      !(scratch = perp_arena_alloc(arena, A->scratch, sizeof *scratch)))
    return no_memory(A, why);
  const perp_error error = perp_operator_try_symmetry(
      A, &(perp_work){.threads = 1, .scratch = scratch}, u, v, t, &seen->symmetric, why);
  perp_arena_release(arena, mark);
  return error;
}

static bool is_of_contacts(perp_structure structure)
{
  return structure >= PERP_STRUCTURE_CONTACT && structure <= PERP_STRUCTURE_JAMMED;
}

perp_error perp_inspect(const perp_problem *p, bool warm, perp_arena *arena, perp_inspection *seen,
                        perp_message *why)
{
  const perp_operator *A = p->A;
  const unsigned abilities = perp_operator_abilities(A);
  *seen = (perp_inspection){.n = p->K.n,
                            .size = size_of(p->K.n),
                            .form = perp_set_form(&p->K),
                            .abilities = abilities,
                            .structure = PERP_STRUCTURE_DENSE,
                            .warm = warm,
                            .spread = 1};
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    read_dense(A, a, stride, seen);
    return PERP_OK;
  }
  seen->structure = structure_of(A, abilities, seen->form);
  if (seen->structure == PERP_STRUCTURE_HIDDEN)
    return try_products(A, arena, seen, why);
  const perp_arena_mark mark = perp_arena_hold(arena);
  perp_error error;
  if (seen->structure == PERP_STRUCTURE_STENCIL ||
      (is_of_contacts(seen->structure) && has_simple_compliance(A))) {
    seen->symmetric = true;
    error = read_diagonal(A, arena, seen, why);
  } else {
    error = read_entries(A, arena, seen, why);
  }
  perp_arena_release(arena, mark);
  return error;
}
