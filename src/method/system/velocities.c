/* velocities.c: see velocities.h
 *
 * D is lower triangular contact by contact, z_j = r_j / d_j for a normal and
 * z_i = (r_i - e_i z_j) / d_i for a row that follows it. So row i of D^-1 J is
 *
 *   (J_i - (e_i / d_j) J_j) / d_i,     or  -(e_i / d_j) J_j  where i is tied to j,
 *
 * over the blocks of i and j, and it goes into the rows of the blocks of i, times Minv_k J_ik^T.
 * Up to PERP_BLOCK_FACTOR_MOST bodies the factor is that of block_lu.h; else UMFPACK's. Without
 * UMFPACK it is block_lu.h for any number of bodies, and a dense one if a block is too wide for it.
 * Cost of a set: (velocities of a row)^2 for each row, and the factor. */
#include "method/system/velocities.h"

#include "linalg/block_graph.h"
#include "linalg/vector.h"
#include "method/system/gather.h"

#include <math.h>

/* ---- The pattern ---- */

static int blocks_of(const perp_contact *c, int i)
{
  return (int)(c->pair_start[i + 1] - c->pair_start[i]);
}

static int touched_by(const perp_velocities *s, int i)
{
  return (int)(s->touch_start[i + 1] - s->touch_start[i]);
}

/* The blocks of rows i and j (-1: none), ascending; returns their number. */
static int merge_blocks(const perp_contact *c, int i, int j, int *block)
{
  int count = 0;
  int64_t p = c->pair_start[i], q = j < 0 ? 0 : c->pair_start[j];
  const int64_t p_end = c->pair_start[i + 1], q_end = j < 0 ? 0 : c->pair_start[j + 1];
  while (p < p_end || q < q_end) {
    const int a = p < p_end ? c->pair_block[p] : c->data.blocks;
    const int b = q < q_end ? c->pair_block[q] : c->data.blocks;
    block[count++] = a < b ? a : b;
    p += a <= b;
    q += b <= a;
  }
  return count;
}

/* touch and piece_start. */
static perp_error list_blocks(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  perp_run *run = s->run;
  int64_t room = 0;
  for (int i = 0; i < s->n; i++)
    room += blocks_of(c, i) + (s->normal[i] < 0 ? 0 : blocks_of(c, s->normal[i]));
  s->touch_start = perp_arena_alloc(run->arena, (size_t)s->n + 1, sizeof *s->touch_start);
  s->piece_start = perp_arena_alloc(run->arena, (size_t)s->n + 1, sizeof *s->piece_start);
  s->touch = perp_run_integers(run, (size_t)room);
  if (!s->touch_start || !s->piece_start || !s->touch)
    return perp_run_no_memory(run);
  s->touch_start[0] = s->piece_start[0] = 0;
  int widest = 0;
  for (int i = 0; i < s->n; i++) {
    int *touched = s->touch + s->touch_start[i], width = 0;
    const int count = merge_blocks(c, i, s->normal[i], touched);
    for (int l = 0; l < count; l++)
      width += perp_contact_block_size(c, touched[l]);
    widest = width > widest ? width : widest;
    s->touch_start[i + 1] = s->touch_start[i] + count;
    s->piece_start[i + 1] = s->piece_start[i] + (int64_t)blocks_of(c, i) * count;
  }
  s->combined = perp_run_reals(run, (size_t)widest);
  return s->combined ? PERP_OK : perp_run_no_memory(run);
}

/* Whether there is room and time for the couplings, of which a row has as many as the square of what it
 * touches: the run is told otherwise. */
static perp_error check_room(perp_velocities *s)
{
  const double filing = 50; /* flops that would take as long as to file one */
  double count = 0;
  for (int i = 0; i < s->n; i++)
    count += (double)touched_by(s, i) * touched_by(s, i);
  if (!perp_run_allows(s->run, count * (double)(sizeof(int) + sizeof *s->piece)))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "the couplings of %d bodies take more than the limit",
                         s->contact->data.blocks);
  if (!perp_run_affords(s->run, filing * count))
    perp_run_too_long(s->run, "the order of a factor", s->m);
  return PERP_OK;
}

/* M by rows. */
static perp_error lay_out_rows(perp_velocities *s, const perp_block_graph *g)
{
  perp_run *run = s->run;
  const perp_contact *c = s->contact;
  s->all = perp_run_integers(run, (size_t)s->m);
  if (!s->all ||
      !perp_block_rows(g, c->data.blocks, c->data.block_start, run->arena, &s->M, &s->value))
    return perp_run_no_memory(run);
  for (int v = 0; v < s->m; v++)
    s->all[v] = v;
  return PERP_OK;
}

static perp_velocity_piece find_piece(const perp_velocities *s, const perp_block_graph *g, int row,
                                      int column)
{
  perp_velocity_piece piece;
  if (s->block) {
    piece.at = perp_block_lu_find(s->block, row, column, &piece.down, &piece.across);
    return piece;
  }
  const int first = s->contact->data.block_start[row];
  piece.at = s->value + s->M.start[first];
  piece.down = (int)(s->M.start[first + 1] - s->M.start[first]);
  piece.across = 1;
  for (int64_t e = g->start[row]; g->neighbour[e] != column; e++)
    piece.at += perp_contact_block_size(s->contact, g->neighbour[e]);
  return piece;
}

static perp_error place_pieces(perp_velocities *s, const perp_block_graph *g)
{
  const perp_contact *c = s->contact;
  s->piece = perp_arena_alloc(s->run->arena, (size_t)s->piece_start[s->n], sizeof *s->piece);
  if (!s->piece)
    return perp_run_no_memory(s->run);
  for (int i = 0; i < s->n; i++) {
    perp_velocity_piece *piece = s->piece + s->piece_start[i];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
        *piece++ = find_piece(s, g, c->pair_block[p], s->touch[l]);
  }
  return PERP_OK;
}

/* The factor of small blocks; the order of many takes blocks^2 bits. */
static perp_error open_blocks(perp_velocities *s, const perp_block_graph *g)
{
  const perp_contact_data *data = &s->contact->data;
  if (!perp_run_allows(s->run, (double)data->blocks * data->blocks / 8))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "the order of %d bodies takes more than the limit", data->blocks);
  s->block =
      perp_block_lu_analyse(data->blocks, data->block_start, g->start, g->neighbour, s->run->arena);
  return s->block ? PERP_OK : perp_run_no_memory(s->run);
}

/* The factor of many bodies, or of blocks that are too wide. */
static perp_error open_rows(perp_velocities *s, const perp_block_graph *g)
{
  perp_run *run = s->run;
  const perp_error error = lay_out_rows(s, g);
  if (error)
    return error;
  if (perp_sparse_lu_available()) {
    s->lu = perp_sparse_lu_open(&s->M, run->arena);
    if (!s->lu)
      return perp_run_no_memory(run);
    perp_sparse_lu_plain(s->lu);
    return PERP_OK;
  }
  enum { DENSE_MOST = 2500 }; /* a factor of more takes seconds, and a solve takes dozens */
  const size_t m = (size_t)s->m;
  if (m > DENSE_MOST)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "without UMFPACK there is no factor for %d velocities of %d bodies", s->m,
                         s->contact->data.blocks);
  if (!perp_run_allows(run, (double)m * (double)m * sizeof *s->LU))
    return perp_run_fail(run, PERP_ERROR_MEMORY, "a factor of %d rows takes more than the limit",
                         s->m);
  s->LU = perp_run_reals(run, m * m);
  s->swap = perp_run_integers(run, m);
  return s->LU && s->swap ? PERP_OK : perp_run_no_memory(run);
}

perp_error perp_velocities_open(perp_velocities *s, perp_run *run, const int *normal)
{
  const perp_contact *c = perp_contact_of(run->problem->A);
  const size_t n = (size_t)run->problem->A->n, m = (size_t)c->data.velocities;
  *s = (perp_velocities){.run = run,
                         .contact = c,
                         .n = (int)n,
                         .m = (int)m,
                         .normal = normal,
                         .own = perp_run_reals(run, n),
                         .inverse = perp_run_reals(run, n),
                         .v = perp_run_reals(run, m),
                         .t = perp_run_reals(run, n)};
  if (!s->own || !s->inverse || !s->v || !s->t)
    return perp_run_no_memory(run);
  for (int i = 0; i < s->n; i++)
    s->own[i] = c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
  perp_block_graph g;
  perp_error error = list_blocks(s);
  if (!error)
    error = check_room(s);
  if (error || perp_run_expired(run))
    return error;
  if (!perp_block_couple(c->data.blocks, s->n, s->touch_start, s->touch, run->arena, &g))
    return perp_run_no_memory(run);
  if (perp_run_expired(run))
    return PERP_OK;
  int widest = 0;
  for (int k = 0; k < c->data.blocks; k++)
    widest = perp_contact_block_size(c, k) > widest ? perp_contact_block_size(c, k) : widest;
  const int most = perp_sparse_lu_available() ? PERP_BLOCK_FACTOR_MOST : PERP_BLOCK_FACTOR_LARGEST;
  const bool small = widest <= PERP_BLOCK_LU_WIDEST;
  error = small && c->data.blocks <= most ? open_blocks(s, &g) : open_rows(s, &g);
  return error ? error : place_pieces(s, &g);
}

void perp_velocities_close(perp_velocities *s)
{
  perp_sparse_lu_free(s->lu);
}

/* ---- The numbers ---- */

/* combined <- combined + factor J_j, over the blocks that row i touches. */
static void add_row(const perp_velocities *s, int i, int j, double factor)
{
  const perp_contact *c = s->contact;
  const int *touched = s->touch + s->touch_start[i];
  double *at = s->combined;
  for (int64_t p = c->pair_start[j]; p < c->pair_start[j + 1]; p++) {
    for (; *touched != c->pair_block[p]; touched++)
      at += perp_contact_block_size(c, *touched);
    const int first = c->data.block_start[*touched];
    for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
      at[c->data.J_column[e] - first] += factor * c->data.J_value[e];
  }
}

/* One piece <- itself + W from^T; called with constants where both are 3 or 6. */
static inline void add_piece(const perp_velocity_piece *piece, int rows, int columns,
                             const double *restrict W, const double *restrict from)
{
  for (int a = 0; a < rows; a++)
    for (int b = 0; b < columns; b++)
      piece->at[a * piece->down + b * piece->across] += W[a] * from[b];
}

/* M <- M + Minv J_i^T (D^-1 J)_i */
static void add_product(perp_velocities *s, int i)
{
  const perp_contact *c = s->contact;
  const int count = touched_by(s, i), *touched = s->touch + s->touch_start[i];
  const perp_velocity_piece *piece = s->piece + s->piece_start[i];
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
    const int rows = perp_contact_block_size(c, c->pair_block[p]);
    const double *W = c->W + c->pair_W[p], *from = s->combined;
    for (int l = 0; l < count; l++, piece++) {
      const int columns = perp_contact_block_size(c, touched[l]);
      if (rows == 3 && columns == 3)
        add_piece(piece, 3, 3, W, from);
      else if (rows == 6 && columns == 6)
        add_piece(piece, 6, 6, W, from);
      else
        add_piece(piece, rows, columns, W, from);
      from += columns;
    }
  }
}

/* M <- I */
static void reset(perp_velocities *s)
{
  if (s->block) {
    perp_block_lu_reset(s->block);
    return;
  }
  perp_fill(s->M.start[s->m], 0, s->value);
  for (int v = 0; v < s->m; v++)
    for (int64_t e = s->M.start[v]; e < s->M.start[v + 1]; e++)
      if (s->M.column[e] == v)
        s->value[e] = 1;
}

/* M <- I + Minv J^T D^-1 J */
static void assemble(perp_velocities *s)
{
  reset(s);
  for (int i = 0; i < s->n; i++) {
    const int j = s->normal[i];
    const double own = s->inverse[i];
    const double of_normal = j < 0 ? 0 : -s->e[i] * s->inverse[j] * (own == 0 ? 1 : own);
    if (own == 0 && of_normal == 0)
      continue;
    int width = 0;
    for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
      width += perp_contact_block_size(s->contact, s->touch[l]);
    perp_fill(width, 0, s->combined);
    if (own != 0)
      add_row(s, i, i, own);
    if (of_normal != 0)
      add_row(s, i, j, of_normal);
    add_product(s, i);
  }
}

/* ---- Factors ---- */

static bool factor_dense(perp_velocities *s)
{
  perp_fill((int64_t)s->m * s->m, 0, s->LU);
  for (int k = 0; k < s->m; k++)
    for (int64_t e = s->M.start[k]; e < s->M.start[k + 1]; e++)
      s->LU[(int64_t)k * s->m + s->M.column[e]] = s->value[e];
  s->dense = perp_lu_factor(s->m, s->LU, s->m, s->swap);
  return s->dense.singular < 0;
}

bool perp_velocities_set(perp_velocities *s, const double *d, const double *e)
{
  s->d = d;
  s->e = e;
  s->too_long = false;
  for (int i = 0; i < s->n; i++)
    s->inverse[i] = d[i] < INFINITY ? 1 / (d[i] + s->own[i]) : 0;
  const double most = perp_run_flops(s->run);
  double flops = s->block ? 4 * (double)s->block->f->flops : 2.0 / 3 * (double)s->m * s->m * s->m;
  s->too_long = !s->lu && flops > most;
  if (!s->too_long) {
    assemble(s);
    s->run->count.factorisations++;
    if (s->lu && perp_sparse_lu_factor(s->lu, s->m, s->all, NULL, most))
      return true;
    if (!s->lu)
      return s->block ? perp_block_lu_factorise(s->block) : factor_dense(s);
    flops = perp_sparse_lu_flops(s->lu);
    s->too_long = flops > most;
  }
  if (s->too_long)
    perp_run_too_long(s->run, "a factor", s->m);
  return false;
}

/* ---- Solutions ---- */

/* z <- D^-1 z */
static void divide(const perp_velocities *s, double *z)
{
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] < 0)
      z[i] *= s->inverse[i];
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] >= 0) {
      const double tied = -s->e[i] * z[s->normal[i]];
      z[i] = s->inverse[i] == 0 ? tied : (z[i] + tied) * s->inverse[i];
    }
}

static void solve_factored(perp_velocities *s, double *v)
{
  s->run->count.solves++;
  if (s->block)
    perp_block_lu_solve(s->block, v);
  else if (!s->lu)
    perp_lu_solve(&s->dense, v);
  else if (!perp_sparse_lu_solve(s->lu, v))
    v[0] = NAN;
}

/* v <- v + t W, in line: W is short */
static inline void add_times(int size, double t, const double *restrict W, double *restrict v)
{
  for (int l = 0; l < size; l++)
    v[l] += t * W[l];
}

void perp_velocities_add(perp_velocities *s, const double *r, double *z)
{
  const perp_contact *c = s->contact;
  /* t = D^-1 r, v = Minv J^T t */
  perp_copy(s->n, r, s->t);
  divide(s, s->t);
  perp_fill(s->m, 0, s->v);
  for (int i = 0; i < s->n; i++)
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      add_times(perp_contact_block_size(c, c->pair_block[p]), s->t[i], c->W + c->pair_W[p],
                s->v + c->data.block_start[c->pair_block[p]]);
  solve_factored(s, s->v);
  /* z = D^-1 (r - J v) */
  for (int i = 0; i < s->n; i++) {
    double sum = r[i];
    for (int64_t e = c->data.J_start[i]; e < c->data.J_start[i + 1]; e++)
      sum -= c->data.J_value[e] * s->v[c->data.J_column[e]];
    s->t[i] = sum;
  }
  divide(s, s->t);
  perp_axpy(s->n, 1, s->t, z);
}
