/* hessian.c: the pieces of G^T D G, where they go, and the factor
 *
 * A unit adds U^T diag(w) U to the blocks of every two bodies that it touches, with U the rows of G
 * that are free, the combination e^T G of those on an edge, and so on. The places of these blocks
 * are looked up once. H is summed up anew each time, since adding and taking
 * away 1 / C_ii would leave its rounding behind; of the factor only the columns that depend on a
 * changed body are done again.
 *
 * Cost: for each square of D the square of the numbers in a row of G, then the factor. */
#include "method/newton/primal/primal.h"

#include "linalg/vector.h"

static int size_of(const perp_primal_rows *r, int block)
{
  return r->contact->data.block_start[block + 1] - r->contact->data.block_start[block];
}

/* ---- Places ---- */

/* The pieces of both triangles for the sparse factor, of one for the block factor. */
static void place_pieces(perp_primal_hessian *h)
{
  const perp_primal_rows *r = h->rows;
  int64_t count = 0;
  for (int t = 0; t < r->units; t++) {
    const perp_primal_unit *u = &r->unit[t];
    const int *own = r->block + u->block;
    h->piece_start[t] = count;
    for (int k = 0, row = 0; k < u->touched; row += size_of(r, own[k++]))
      for (int l = 0, column = 0; l < u->touched; column += size_of(r, own[l++])) {
        const perp_body_block block = perp_body_matrix_find(&h->H, own[k], own[l]);
        if (block.at)
          h->piece[count++] = (perp_primal_piece){.at = block.at,
                                                  .ld = block.down,
                                                  .row = row,
                                                  .rows = size_of(r, own[k]),
                                                  .column = column,
                                                  .columns = size_of(r, own[l])};
      }
  }
  h->piece_start[r->units] = count;
}

bool perp_primal_curvature_create(perp_run *run, const perp_primal_rows *r,
                                  perp_primal_curvature *D)
{
  const size_t n = (size_t)r->n, cones = (size_t)run->problem->K.cones;
  return PERP_TAKE_ZERO(run->arena, PERP_ARRAY(D->free, n), PERP_ARRAY(D->edge, n),
                        PERP_ARRAY(D->weight, r->units), PERP_ARRAY(D->turn, cones),
                        PERP_ARRAY(D->tau, 2 * cones));
}

static perp_error take_vectors(perp_run *run, perp_primal_hessian *h)
{
  const perp_primal_rows *r = h->rows;
  int64_t pieces = 0;
  for (int t = 0; t < r->units; t++)
    pieces += (int64_t)r->unit[t].touched * r->unit[t].touched;
  /* no unit has more squares than rows and one */
  const size_t room = (size_t)r->longest + 1;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(h->piece_start, r->units + 1), PERP_ARRAY(h->piece, pieces),
                 PERP_ARRAY(h->changed, r->contact->data.blocks), PERP_ARRAY(h->square, room),
                 PERP_ARRAY(h->weight, room), PERP_ARRAY(h->combined, 2 * r->widest)) ||
      !perp_primal_curvature_create(run, r, &h->D))
    return perp_run_no_memory(run);
  return PERP_OK;
}

perp_error perp_primal_hessian_open(perp_run *run, const perp_primal_rows *rows,
                                    perp_primal_hessian *h)
{
  *h = (perp_primal_hessian){.rows = rows};
  perp_error error = take_vectors(run, h);
  /* the blocks of the units stand one after another */
  int64_t *start = perp_arena_alloc(run->arena, (size_t)rows->units + 1, sizeof *start);
  if (error || !start)
    return error ? error : perp_run_no_memory(run);
  start[0] = 0;
  for (int t = 0; t < rows->units; t++)
    start[t + 1] = rows->unit[t].block + rows->unit[t].touched;
  error = perp_body_matrix_open(&h->H, run, &rows->contact->data, true, rows->units, start,
                                rows->block);
  if (!error && !perp_run_expired(run))
    place_pieces(h);
  return error;
}

/* ---- Assembly ---- */

/* The squares of unit t and their weights; returns their number. */
static int make_squares(const perp_primal_hessian *h, int t)
{
  const perp_primal_rows *r = h->rows;
  const perp_primal_curvature *D = &h->D;
  const perp_primal_unit *u = &r->unit[t];
  const int w = u->width, *row = r->row + u->first;
  const double *G = r->G + u->G;
  int count = 0;
  for (int l = 0; l < u->count; l++)
    if (D->free[row[l]] != 0) {
      h->weight[count] = D->free[row[l]];
      h->square[count++] = G + l * w;
    }
  if (u->kind == PERP_PRIMAL_PLAIN)
    return count;
  if (D->weight[t] != 0) {
    double *own = h->combined;
    perp_fill(w, 0, own);
    for (int l = 0; l < u->count; l++)
      if (D->edge[row[l]] != 0)
        perp_axpy(w, D->edge[row[l]], G + l * w, own);
    h->weight[count] = D->weight[t];
    h->square[count++] = own;
  }
  if (u->kind == PERP_PRIMAL_CONE && D->turn[row[0] / 3] != 0) {
    const double *tau = D->tau + 2 * (row[0] / 3);
    double *own = h->combined + r->widest;
    for (int k = 0; k < w; k++)
      own[k] = tau[0] * G[2 * w + k] - tau[1] * G[w + k];
    h->weight[count] = D->turn[row[0] / 3];
    h->square[count++] = own;
  }
  return count;
}

/* H += sum of weight U^T U for 6 x 6, three rows of H at a time. */
static void add_six(int count, const double *const *U, const double *weight,
                    const perp_primal_piece *p, double *restrict H)
{
  for (int half = 0; half < 6; half += 3) {
    double s[3][6] = {{0}};
    for (int k = 0; k < count; k++) {
      const double *left = U[k] + p->row + half, *right = U[k] + p->column;
      for (int r = 0; r < 3; r++) {
        const double a = weight[k] * left[r];
        for (int c = 0; c < 6; c++)
          s[r][c] += a * right[c];
      }
    }
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 6; c++)
        H[(half + r) * p->ld + c] += s[r][c];
  }
}

static void add_piece(int count, const double *const *U, const double *weight,
                      const perp_primal_piece *p, double *H)
{
  if (p->rows == 6 && p->columns == 6) {
    add_six(count, U, weight, p, H);
    return;
  }
  for (int k = 0; k < count; k++)
    for (int r = 0; r < p->rows; r++)
      perp_axpy(p->columns, weight[k] * U[k][p->row + r], U[k] + p->column, H + (int64_t)r * p->ld);
}

static void assemble(perp_primal_hessian *h)
{
  const perp_primal_rows *r = h->rows;
  perp_body_matrix_reset(&h->H);
  for (int t = 0; t < r->units; t++) {
    const int count = make_squares(h, t);
    if (count > 0)
      for (int64_t e = h->piece_start[t]; e < h->piece_start[t + 1]; e++)
        add_piece(count, h->square, h->weight, &h->piece[e], h->piece[e].at);
  }
}

/* Whether D differs in unit t from what the factor has. */
static bool differs(const perp_primal_hessian *h, const perp_primal_curvature *D, int t)
{
  const perp_primal_unit *u = &h->rows->unit[t];
  const int *row = h->rows->row + u->first;
  bool other = D->weight[t] != h->D.weight[t];
  for (int l = 0; l < u->count; l++)
    other = other || D->free[row[l]] != h->D.free[row[l]] || D->edge[row[l]] != h->D.edge[row[l]];
  if (u->kind != PERP_PRIMAL_CONE)
    return other;
  const int c = row[0] / 3;
  return other || D->turn[c] != h->D.turn[c] || D->tau[2 * c] != h->D.tau[2 * c] ||
         D->tau[2 * c + 1] != h->D.tau[2 * c + 1];
}

/* Takes D; marks the blocks of units in which it differs. Returns whether there are any. */
static bool take_D(perp_primal_hessian *h, int cones, const perp_primal_curvature *D)
{
  const perp_primal_rows *r = h->rows;
  bool any = !h->factored;
  for (int b = 0; b < r->contact->data.blocks; b++)
    h->changed[b] = !h->factored;
  for (int t = 0; t < r->units; t++)
    if (differs(h, D, t)) {
      any = true;
      for (int k = 0; k < r->unit[t].touched; k++)
        h->changed[r->block[r->unit[t].block + k]] = true;
    }
  perp_copy(r->n, D->free, h->D.free);
  perp_copy(r->n, D->edge, h->D.edge);
  perp_copy(r->units, D->weight, h->D.weight);
  perp_copy(cones, D->turn, h->D.turn);
  perp_copy(2 * cones, D->tau, h->D.tau);
  return any;
}

bool perp_primal_hessian_set(perp_run *run, perp_primal_hessian *h, const perp_primal_curvature *D)
{
  if (!take_D(h, run->problem->K.cones, D))
    return true;
  h->factored = false;
  if (!perp_body_matrix_affords(&h->H))
    return false;
  assemble(h);
  h->factored = perp_body_matrix_factor(&h->H, h->changed);
  return h->factored;
}
