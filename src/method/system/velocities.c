/* velocities.c: see velocities.h
 *
 * D is lower triangular contact by contact, z_j = r_j / d_j for a normal and
 * z_i = (r_i - e_i z_j) / d_i for a row that follows it. So row i of D^-1 J is
 *
 *   (J_i - (e_i / d_j) J_j) / d_i,     or  -(e_i / d_j) J_j  if i is tied to j,
 *
 * over the blocks of i and j, and it goes into the rows of the blocks of i, times Minv_k J_ik^T.
 * Cost of a set: (velocities of a row)^2 for each row, and the factor. */
#include "method/system/velocities.h"

#include "linalg/vector.h"
#include "method/system/gather.h"

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
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->touch_start, s->n + 1),
                 PERP_ARRAY(s->piece_start, s->n + 1), PERP_ARRAY(s->touch, room)))
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

/* Whether there is room and time for the couplings, of which a row has as many as the square of
 * what it touches: the run is told otherwise. */
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

static void place_pieces(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++) {
    perp_body_block *piece = s->piece + s->piece_start[i];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
        *piece++ = perp_body_matrix_find(&s->M, c->pair_block[p], s->touch[l]);
  }
}

/* Whether all bodies have 6 velocities, and M has its blocks in the factor. */
static bool have_six(const perp_velocities *s)
{
  bool six = s->M.lu != NULL;
  for (int k = 0; six && k < s->bodies.blocks; k++)
    six = perp_contact_block_size(s->contact, k) == 6;
  for (int i = 0; six && i < s->n; i++) {
    const int own = blocks_of(s->contact, i), j = s->normal[i];
    six = touched_by(s, i) == own && (j < 0 || blocks_of(s->contact, j) == own);
  }
  return six;
}

/* What the pattern of M is made of. */
static perp_error copy_pattern(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  const perp_contact_data *d = &c->data;
  const size_t blocks = (size_t)d->blocks, pairs = (size_t)c->pair_start[s->n];
  int *block_start = perp_run_integers(s->run, blocks + 1);
  s->pair_start = perp_arena_alloc(s->run->arena, (size_t)s->n + 1, sizeof *s->pair_start);
  s->pair_block = perp_run_integers(s->run, pairs);
  if (!block_start || !s->pair_start || !s->pair_block)
    return perp_run_no_memory(s->run);
  memcpy(block_start, d->block_start, (blocks + 1) * sizeof *block_start);
  memcpy(s->pair_start, c->pair_start, ((size_t)s->n + 1) * sizeof *s->pair_start);
  memcpy(s->pair_block, c->pair_block, pairs * sizeof *s->pair_block);
  s->bodies = (perp_contact_data){
      .blocks = d->blocks, .block_start = block_start, .velocities = d->velocities};
  return PERP_OK;
}

static bool is_same_pattern(const perp_velocities *s, const perp_contact *c)
{
  const size_t n = (size_t)s->n;
  if (c->base.n != s->n || c->data.blocks != s->bodies.blocks || c->data.velocities != s->m ||
      memcmp(c->pair_start, s->pair_start, (n + 1) * sizeof *s->pair_start) != 0)
    return false;
  const size_t blocks = (size_t)s->bodies.blocks + 1, pairs = (size_t)s->pair_start[n];
  return memcmp(c->data.block_start, s->bodies.block_start, blocks * sizeof(int)) == 0 &&
         memcmp(c->pair_block, s->pair_block, pairs * sizeof(int)) == 0;
}

static void take_compliance(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++)
    s->own[i] = c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
}

bool perp_velocities_reopen(perp_velocities *s, perp_run *run)
{
  const perp_operator *A = run->problem->A;
  if (!perp_operator_is_contact(A) || !perp_contact_of(A)->C_is_diagonal ||
      !is_same_pattern(s, perp_contact_of(A)))
    return false;
  s->run = run;
  s->contact = perp_contact_of(A);
  take_compliance(s);
  perp_body_matrix_reopen(&s->M, run);
  return true;
}

perp_error perp_velocities_open(perp_velocities *s, perp_run *run, const int *normal)
{
  const perp_contact *c = perp_contact_of(run->problem->A);
  const size_t n = (size_t)run->problem->A->n, m = (size_t)c->data.velocities;
  *s = (perp_velocities){.run = run, .contact = c, .n = (int)n, .m = (int)m, .normal = normal};
  if (!PERP_TAKE_REALS(run->arena, n, &s->own, &s->inverse, &s->t) ||
      !PERP_TAKE_REALS(run->arena, m, &s->v))
    return perp_run_no_memory(run);
  take_compliance(s);
  perp_error error = copy_pattern(s);
  if (!error)
    error = list_blocks(s);
  if (!error)
    error = check_room(s);
  if (error || perp_run_expired(run))
    return error;
  s->piece = perp_arena_alloc(run->arena, (size_t)s->piece_start[s->n], sizeof *s->piece);
  if (!s->piece)
    return perp_run_no_memory(run);
  error = perp_body_matrix_open(&s->M, run, &s->bodies, false, s->n, s->touch_start, s->touch);
  if (!error && !perp_run_expired(run)) {
    place_pieces(s);
    s->six = have_six(s);
  }
  return error;
}

void perp_velocities_close(perp_velocities *s)
{
  perp_body_matrix_close(&s->M);
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

/* One piece <- itself + W from^T; called with constants if both are 3 or 6. */
static inline void add_piece(const perp_body_block *piece, int rows, int columns,
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
  const perp_body_block *piece = s->piece + s->piece_start[i];
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

/* M <- I + Minv J^T D^-1 J */
static void assemble(perp_velocities *s)
{
  perp_body_matrix_reset(&s->M);
  if (perp_velocities_are_six(s)) {
    perp_velocities_six_assemble(s);
    return;
  }
  for (int i = 0; i < s->n; i++) {
    const int j = s->normal[i];
    double own, of_normal;
    if (!perp_velocities_weights(s, i, &own, &of_normal))
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

bool perp_velocities_set(perp_velocities *s, const double *d, const double *e)
{
  s->d = d;
  s->e = e;
  for (int i = 0; i < s->n; i++)
    s->inverse[i] = d[i] < INFINITY ? 1 / (d[i] + s->own[i]) : 0;
  if (!perp_body_matrix_affords(&s->M))
    return false;
  assemble(s);
  return perp_body_matrix_factor(&s->M, NULL);
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

/* v <- v + t W, in line: W is short */
static inline void add_times(int size, double t, const double *restrict W, double *restrict v)
{
  for (int l = 0; l < size; l++)
    v[l] += t * W[l];
}

/* v <- v + Minv J^T t */
static void gather(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++)
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      add_times(perp_contact_block_size(c, c->pair_block[p]), s->t[i], c->W + c->pair_W[p],
                s->v + c->data.block_start[c->pair_block[p]]);
}

/* t <- r - J v */
static void error_of(perp_velocities *s, const double *r)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++) {
    double sum = r[i];
    for (int64_t e = c->data.J_start[i]; e < c->data.J_start[i + 1]; e++)
      sum -= c->data.J_value[e] * s->v[c->data.J_column[e]];
    s->t[i] = sum;
  }
}

void perp_velocities_add(perp_velocities *s, const double *r, double *z)
{
  const bool six = perp_velocities_are_six(s);
  /* t = D^-1 r, v = Minv J^T t */
  perp_copy(s->n, r, s->t);
  divide(s, s->t);
  perp_fill(s->m, 0, s->v);
  if (six)
    perp_velocities_six_gather(s);
  else
    gather(s);
  if (!perp_body_matrix_solve(&s->M, s->v))
    s->v[0] = NAN;
  /* z = D^-1 (r - J v) */
  if (six)
    perp_velocities_six_error(s, r);
  else
    error_of(s, r);
  divide(s, s->t);
  perp_axpy(s->n, 1, s->t, z);
}
