/* rows.c: G = J F of a contact operator, unit by unit
 *
 * F is the Cholesky factor of each block of Minv.
 *
 * Cost of a product: one pass over G. Memory: G and five vectors.
 *
 * The Hessian. A unit adds U^T diag(w) U to the blocks of every two bodies that it touches, with U
 * the rows of G that are free. The positions of these blocks are found once. H is assembled from zero
 * each time, since adding and subtracting 1 / C_ii would accumulate rounding.
 *
 * Cost: for each free row the square of its numbers in G, then the factor. */
#include "method/newton/primal/primal.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include <string.h>

enum { MOST_ROWS = 8 }; /* of a unit */

/* ---- Checks of the operator ---- */

static perp_error check_compliance(perp_run *run, const perp_contact *c)
{
  if (!c->C_is_diagonal)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "primal needs a diagonal compliance C, this C has other entries");
  for (int i = 0; i < c->data.rows; i++) {
    const double own = perp_body_compliance(c, i);
    if (!(own > 0))
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "primal needs compliance in every row, but C(%d,%d) = %g", i, i, own);
    if (!(1 / own < INFINITY))
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "primal needs 1 / C to be finite, but C(%d,%d) = %g", i, i, own);
  }
  return PERP_OK;
}

/* ---- Units ---- */

/* Lists the units. Returns the number of entries of G. */
static int64_t list_units(perp_primal_rows *r)
{
  const perp_contact *c = r->contact;
  int64_t at = 0, numbers = 0;
  for (int i = 0; i < r->n; i += r->unit[r->units++].count) {
    perp_primal_unit u = {.first = i, .count = 1, .block = at, .G = numbers};
    while (u.count < MOST_ROWS && i + u.count < r->n && perp_contact_same_blocks(c, i, i + u.count))
      u.count++;
    u.touched = perp_body_union(c, 1, &i, r->block + at);
    for (int k = 0; k < u.touched; k++)
      u.width += perp_contact_block_size(c, r->block[at + k]);
    at += u.touched;
    numbers += (int64_t)u.count * u.width;
    r->widest = u.width > r->widest ? u.width : r->widest;
    r->unit[r->units] = u;
  }
  return numbers;
}

/* row <- row + J_ik F_k for pair p = (i, k). */
static void add_pair(const perp_contact *c, int64_t p, int size, const double *restrict F,
                     double *restrict row)
{
  const int first = c->data.block_start[c->pair_block[p]];
  for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++) {
    const double J = c->data.J_value[e], *from = F + (c->data.J_column[e] - first) * size;
    for (int k = 0; k < size; k++)
      row[k] += J * from[k];
  }
}

/* G_ik = J_ik F_k for every pair, stored in the columns of block k. */
static void fill_G(perp_primal_rows *r, double *const *F)
{
  const perp_contact *c = r->contact;
  for (int t = 0; t < r->units; t++) {
    const perp_primal_unit *u = &r->unit[t];
    for (int l = 0; l < u->count; l++) {
      const int i = u->first + l;
      double *row = r->G + u->G + (int64_t)l * u->width;
      perp_fill(u->width, 0, row);
      int column = 0;
      for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
        const int b = c->pair_block[p], size = perp_contact_block_size(c, b);
        add_pair(c, p, size, F[b], row + column);
        column += size;
      }
      r->square[i] = perp_dot(u->width, row, row);
    }
  }
}

/* F of each block of Minv, lower triangular, row major. */
static perp_error factor_blocks(perp_run *run, const perp_contact *c, double ***F)
{
  *F = perp_arena_alloc(run->arena, (size_t)c->data.blocks, sizeof **F);
  if (!*F)
    return perp_run_no_memory(run);
  for (int k = 0; k < c->data.blocks; k++) {
    const int size = perp_contact_block_size(c, k);
    (*F)[k] = perp_arena_alloc_zero(run->arena, (size_t)(size * size), sizeof ***F);
    if (!(*F)[k])
      return perp_run_no_memory(run);
    if (!perp_contact_factor_block(size, c->M[k], size, (*F)[k]))
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "primal needs a positive semi-definite Minv, block %d is not", k);
  }
  return PERP_OK;
}

static perp_error make_units(perp_run *run, perp_primal_rows *r)
{
  if (!PERP_TAKE(run->arena, PERP_ARRAY(r->block, r->contact->pair_start[r->n]),
                 PERP_ARRAY(r->unit, r->n)))
    return perp_run_no_memory(run);
  const int64_t numbers = list_units(r);
  const bool there =
      PERP_TAKE(run->arena, PERP_ARRAY(r->G, numbers), PERP_ARRAY(r->gather, r->widest));
  return there ? PERP_OK : perp_run_no_memory(run);
}

perp_error perp_primal_rows_create(perp_run *run, perp_primal_rows *r)
{
  if (!perp_operator_is_contact(run->problem->A))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "primal needs a contact operator, this one is %s",
                         perp_operator_kind(run->problem->A));
  const perp_contact *c = perp_contact_of(run->problem->A);
  *r = (perp_primal_rows){.contact = c, .n = c->data.rows, .m = c->data.velocities};
  perp_error error = check_compliance(run, c);
  if (error)
    return error;
  r->compliance = c->data.C_value; /* one entry to a row */
  if (!PERP_TAKE_REALS(run->arena, (size_t)r->n, &r->C, &r->inverse, &r->square))
    return perp_run_no_memory(run);
  double **F;
  if ((error = make_units(run, r)) || (error = factor_blocks(run, c, &F)))
    return error;
  fill_G(r, F);
  perp_primal_raise_compliance(r, 0);
  return PERP_OK;
}

bool perp_primal_raise_compliance(perp_primal_rows *r, double share)
{
  bool own = true;
  for (int t = 0; t < r->units; t++) {
    const perp_primal_unit *u = &r->unit[t];
    double times = 1; /* the factor that the stiffest row of the unit needs */
    for (int i = u->first; i < u->first + u->count; i++) {
      const double wanted = share * (r->square[i] + r->compliance[i]);
      times = perp_max(times, wanted / r->compliance[i]);
    }
    own = own && times == 1;
    for (int i = u->first; i < u->first + u->count; i++) {
      r->C[i] = times * r->compliance[i];
      r->inverse[i] = 1 / r->C[i];
    }
  }
  return own;
}

/* ---- Products ---- */

void perp_primal_velocity(const perp_primal_rows *rows, const double *u, double *z)
{
  const int *first = rows->contact->data.block_start;
  double *own = rows->gather;
  for (int t = 0; t < rows->units; t++) {
    const perp_primal_unit *unit = &rows->unit[t];
    int column = 0;
    for (int k = 0; k < unit->touched; k++) {
      const int b = rows->block[unit->block + k], size = first[b + 1] - first[b];
      for (int e = 0; e < size; e++)
        own[column + e] = u[first[b] + e];
      column += size;
    }
    for (int r = 0; r < unit->count; r++)
      z[unit->first + r] = perp_dot(unit->width, rows->G + unit->G + (int64_t)r * unit->width, own);
  }
}

void perp_primal_impulse(const perp_primal_rows *rows, const double *x, double *u)
{
  const int *first = rows->contact->data.block_start;
  double *own = rows->gather;
  perp_fill(rows->m, 0, u);
  for (int t = 0; t < rows->units; t++) {
    const perp_primal_unit *unit = &rows->unit[t];
    if (perp_all_zero(unit->count, x + unit->first))
      continue;
    perp_fill(unit->width, 0, own);
    for (int r = 0; r < unit->count; r++)
      perp_axpy(unit->width, x[unit->first + r], rows->G + unit->G + (int64_t)r * unit->width, own);
    int column = 0;
    for (int k = 0; k < unit->touched; k++) {
      const int b = rows->block[unit->block + k];
      for (int e = first[b]; e < first[b + 1]; e++)
        u[e] += own[column++];
    }
  }
}

/* ---- Places of the pieces of H ---- */

static void place_pieces(perp_primal_hessian *h)
{
  const perp_primal_rows *r = h->rows;
  int64_t count = 0;
  for (int t = 0; t < r->units; t++) {
    const perp_primal_unit *u = &r->unit[t];
    const int *own = r->block + u->block;
    h->piece_start[t] = count;
    for (int k = 0, row = 0; k < u->touched; row += perp_contact_block_size(r->contact, own[k++]))
      for (int l = 0, column = 0; l < u->touched;
           column += perp_contact_block_size(r->contact, own[l++])) {
        h->piece[count++] =
            (perp_primal_piece){.to = perp_body_matrix_find(&h->H, own[k], own[l]),
                                .row = row,
                                .rows = perp_contact_block_size(r->contact, own[k]),
                                .column = column,
                                .columns = perp_contact_block_size(r->contact, own[l])};
      }
  }
  h->piece_start[r->units] = count;
}

static perp_error take_vectors(perp_run *run, perp_primal_hessian *h)
{
  const perp_primal_rows *r = h->rows;
  int64_t pieces = 0;
  for (int t = 0; t < r->units; t++)
    pieces += (int64_t)r->unit[t].touched * r->unit[t].touched;
  const bool there = PERP_TAKE(run->arena, PERP_ARRAY(h->piece_start, r->units + 1),
                               PERP_ARRAY(h->piece, pieces)) &&
                     PERP_TAKE_ZERO(run->arena, PERP_ARRAY(h->D, r->n));
  return there ? PERP_OK : perp_run_no_memory(run);
}

perp_error perp_primal_hessian_open(perp_run *run, const perp_primal_rows *rows,
                                    perp_primal_hessian *h)
{
  *h = (perp_primal_hessian){.rows = rows};
  perp_error error = take_vectors(run, h);
  /* the blocks of the units are stored one after another */
  int64_t *start = perp_arena_alloc(run->arena, (size_t)rows->units + 1, sizeof *start);
  if (error || !start)
    return error ? error : perp_run_no_memory(run);
  start[0] = 0;
  for (int t = 0; t < rows->units; t++)
    start[t + 1] = rows->unit[t].block + rows->unit[t].touched;
  error = perp_body_matrix_open(&h->H, run, &rows->contact->data, rows->units, start, rows->block);
  if (!error && !perp_run_expired(run))
    place_pieces(h);
  return error;
}

/* ---- Assembly of H ---- */

/* U and weight <- the free rows of unit t and their D. Returns their number. */
static int free_rows(const perp_primal_hessian *h, int t, const double **U, double *weight)
{
  const perp_primal_unit *u = &h->rows->unit[t];
  int count = 0;
  for (int l = 0; l < u->count; l++)
    if (h->D[u->first + l] != 0) {
      weight[count] = h->D[u->first + l];
      U[count++] = h->rows->G + u->G + (int64_t)l * u->width;
    }
  return count;
}

/* H += sum of weight U^T U; a row of H is summed in `sum` first. */
static void add_piece(int count, const double *const *U, const double *weight,
                      const perp_primal_piece *p, double *restrict sum)
{
  const int columns = p->columns;
  for (int r = 0; r < p->rows; r++) {
    double *restrict H = p->to.at + (int64_t)r * p->to.down;
    for (int c = 0; c < columns; c++)
      sum[c] = 0;
    for (int k = 0; k < count; k++) {
      const double *right = U[k] + p->column, a = weight[k] * U[k][p->row + r];
      for (int c = 0; c < columns; c++)
        sum[c] += a * right[c];
    }
    for (int c = 0; c < columns; c++)
      H[c * p->to.across] += sum[c];
  }
}

static void assemble(perp_primal_hessian *h)
{
  perp_body_matrix_reset(&h->H);
  for (int t = 0; t < h->rows->units; t++) {
    const double *U[MOST_ROWS];
    double weight[MOST_ROWS];
    const int count = free_rows(h, t, U, weight);
    for (int64_t e = h->piece_start[t]; count > 0 && e < h->piece_start[t + 1]; e++) {
      const perp_primal_piece *p = &h->piece[e];
      add_piece(count, U, weight, p, h->rows->gather);
    }
  }
}

bool perp_primal_hessian_set(perp_primal_hessian *h, const double *D)
{
  const size_t bytes = (size_t)h->rows->n * sizeof *D;
  if (h->factored && memcmp(D, h->D, bytes) == 0)
    return true;
  memcpy(h->D, D, bytes);
  h->factored = false;
  if (!perp_body_matrix_affords(&h->H))
    return false;
  assemble(h);
  h->factored = perp_body_matrix_factor(&h->H);
  return h->factored;
}
