/* pack.c: the rows of a contact operator packed for its sweeps
 *
 *   Minv_k = L_k L_k^T (Cholesky),   G = J L,   A = G G^T + C
 *
 * contact_relax.c says what the packed rows are for. Cost: a factor of each block and a product
 * with it for each block of each row. */
#include "operator/contact/contact.h"

#include <string.h>

int perp_contact_packed_width(const perp_contact *c)
{
  int largest = 0;
  for (int k = 0; k < c->data.blocks; k++)
    if (perp_contact_block_size(c, k) > largest)
      largest = perp_contact_block_size(c, k);
  for (int i = 0; i < c->data.rows; i++)
    if (c->pair_start[i + 1] - c->pair_start[i] > 2)
      return 0;
  return largest <= 4 ? 4 : largest <= 6 ? 6 : 0;
}

/* M = L L^T, L lower triangular with rows of `width`; false where M is not positive definite,
 * but for rows of zeros (velocities that nothing moves). */
static bool factor_block(int size, const double *M, int width, double *L)
{
  for (int j = 0; j < size; j++) {
    double pivot = M[j * size + j];
    for (int k = 0; k < j; k++)
      pivot -= L[j * width + k] * L[j * width + k];
    const bool still = M[j * size + j] == 0;
    if (still ? pivot < 0 : !(pivot > 1e-14 * M[j * size + j]))
      return false;
    L[j * width + j] = sqrt(still ? 0 : pivot);
    for (int i = j + 1; i < size; i++) {
      double sum = M[i * size + j];
      if (still && sum != 0)
        return false;
      for (int k = 0; k < j; k++)
        sum -= L[i * width + k] * L[j * width + k];
      L[i * width + j] = still ? 0 : sum / L[j * width + j];
    }
  }
  return true;
}

perp_error perp_contact_factor(const perp_contact *c, int width, perp_arena *arena, double **L)
{
  const perp_arena_mark mark = perp_arena_hold(arena);
  const int blocks = c->data.blocks;
  *L = perp_arena_alloc_zero(arena, (size_t)blocks, (size_t)(width * width) * sizeof **L);
  if (!*L)
    return PERP_ERROR_MEMORY;
  for (int k = 0; k < blocks; k++)
    if (!factor_block(perp_contact_block_size(c, k), c->M[k], width,
                      *L + (int64_t)k * width * width)) {
      perp_arena_release(arena, mark);
      *L = NULL;
      break;
    }
  return PERP_OK;
}

void perp_contact_scale_pair(const perp_contact *c, int64_t p, int width, const double *L,
                             double *G)
{
  const int first = c->data.block_start[c->pair_block[p]];
  for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++) {
    const int row = c->data.J_column[e] - first;
    for (int k = 0; k <= row; k++)
      G[k] += c->data.J_value[e] * L[row * width + k];
  }
}

/* The packed rows of one group, and the blocks it names; `spare` is a block that is its own. */
static void pack_group(const perp_contact_relaxer *r, const perp_contact *c, const double *L,
                       int spare, perp_contact_group *g)
{
  const int width = r->width, stride = perp_contact_row_stride(width, r->bounds.part);
  const int64_t first = c->pair_start[g->row], pairs = c->pair_start[g->row + 1] - first;
  g->a = pairs > 0 ? c->pair_block[first] : spare;
  g->b = pairs > 1 ? c->pair_block[first + 1] : g->a;
  double *G = r->packed + (int64_t)g->slot * stride, *extra = G + 2 * width;
  memset(G, 0, (size_t)g->count * (size_t)stride * sizeof *G);
  for (int t = 0; t < g->count; t++) {
    const int i = g->row + t;
    for (int64_t p = c->pair_start[i], side = 0; p < c->pair_start[i + 1]; p++, side++)
      perp_contact_scale_pair(c, p, width, L + (int64_t)c->pair_block[p] * width * width,
                              G + t * stride + side * width);
    extra[t * stride + PERP_CONTACT_INVERSE] = r->inverse[i];
    if (c->C_is_diagonal && c->C.start[i + 1] > c->C.start[i])
      extra[t * stride + PERP_CONTACT_OWN] = c->data.C_value[c->C.start[i]];
  }
  for (int t = 0; t < g->count; t++) {
    const double *row = G + t * stride, *next = G + (t + 1) % g->count * stride;
    for (int k = 0; k < 2 * width; k++)
      extra[t * stride + PERP_CONTACT_COUPLING] += row[k] * next[k];
  }
}

perp_error perp_contact_pack(const perp_contact *c, perp_arena *arena, perp_contact_relaxer *r)
{
  const perp_arena_mark mark = perp_arena_hold(arena);
  const int width = r->width, blocks = c->data.blocks;
  r->packed_blocks = blocks;
  for (int g = 0; g < r->groups; g++)
    r->packed_blocks += c->pair_start[r->group[g].row + 1] == c->pair_start[r->group[g].row];
  r->v = perp_arena_alloc(arena, (size_t)r->packed_blocks,
                          (size_t)perp_contact_block_stride(width) * sizeof *r->v);
  r->packed =
      perp_arena_alloc(arena, (size_t)c->data.rows,
                       (size_t)perp_contact_row_stride(width, r->bounds.part) * sizeof *r->packed);
  const perp_arena_mark factors = perp_arena_hold(arena);
  double *L;
  if (!r->v || !r->packed || perp_contact_factor(c, width, arena, &L))
    return PERP_ERROR_MEMORY;
  if (!L) {
    r->width = 0;
    perp_arena_release(arena, mark);
    return PERP_OK;
  }
  for (int g = 0, spare = blocks; g < r->groups; g++) {
    pack_group(r, c, L, spare, &r->group[g]);
    spare += r->group[g].a == spare;
  }
  perp_arena_release(arena, factors);
  return PERP_OK;
}
