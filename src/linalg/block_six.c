/* block_six.c: updates of a column by other columns in blocks of six, for block_lu.c */
#include "linalg/block_six.h"

#include "linalg/wide.h"

#ifdef PERP_EIGHT
#include <immintrin.h>

/* Largest number of columns taken together; numbers of a right factor prepared for its products. */
enum { DEEPEST = 8, SPREAD = 72 };

/* Columns first .. first + depth - 1, of which entry e[d] is block (j, first + d). */
typedef struct group {
  int first, depth;
  const int64_t *e;
} group;

/* Finds the columns from entry t of row j on that have the same rows from j on: the rows of k are a
 * subset of its parent's, so comparing their number suffices. */
static group find_group(const perp_block_factor *f, int64_t t, int64_t end)
{
  group g = {.first = f->row_column[t], .depth = 1, .e = f->row_entry + t};
  for (; g.depth < DEEPEST && t + g.depth < end; g.depth++) {
    const int k = g.first + g.depth - 1;
    if (f->row_column[t + g.depth] != k + 1 || f->parent[k] != k + 1 ||
        f->list[k + 1] - g.e[g.depth - 1] != f->list[k + 2] - g.e[g.depth])
      break;
  }
  return g;
}

/* A target C <- C - sum of A_d B_d: A_d at A + at[d], B_d^T prepared. */
typedef struct product {
  const double *A, *spread;
  int64_t at[DEEPEST];
  double *C;
} product;

/* ---- Vectors of four ---- */

/* A block by rows is nine vectors, three for two rows; of each row b of the right factor there are
 * (b0 b1 b2 b3), (b4 b5 b0 b1) and (b2 b3 b4 b5). */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

KERNEL void spread_four(const double *restrict transposed, double *restrict spread)
{
  for (int l = 0; l < 6; l++, spread += 12)
    for (int c = 0; c < 12; c++)
      spread[c] = transposed[6 * (c % 6) + l];
}

PERP_FUSED static void subtract_four(int depth, const product *p)
{
  four s[9];
  for (int k = 0; k < 9; k++)
    s[k] = *(const four *)(p->C + 4 * k);
  for (int d = 0; d < depth; d++) {
    const double *A = p->A + p->at[d], *spread = p->spread + SPREAD * d;
    for (int l = 0; l < 6; l++, spread += 12) {
      const four first = *(const four *)spread, second = *(const four *)(spread + 4),
                 third = *(const four *)(spread + 8);
      for (int r = 0; r < 3; r++) {
        const double u = A[12 * r + l], v = A[12 * r + 6 + l];
        s[3 * r] -= (four){u, u, u, u} * first;
        s[3 * r + 1] -= (four){u, u, v, v} * second;
        s[3 * r + 2] -= (four){v, v, v, v} * third;
      }
    }
  }
  for (int k = 0; k < 9; k++)
    *(four *)(p->C + 4 * k) = s[k];
}

/* ---- Vectors of eight, six numbers in use ---- */

KERNEL void spread_eight(const double *restrict transposed, double *restrict spread)
{
  for (int l = 0; l < 6; l++)
    for (int c = 0; c < 8; c++)
      spread[8 * l + c] = c < 6 ? transposed[6 * c + l] : 0;
}

/* One or two products at a time, since each sum depends on its last term. */
PERP_EIGHT KERNEL void subtract_eight(int depth, int count, const product *p)
{
  const __mmask8 six = 0x3f;
  __m512d s[2][6];
  for (int q = 0; q < count; q++)
    for (int r = 0; r < 6; r++)
      s[q][r] = _mm512_maskz_loadu_pd(six, p[q].C + 6 * r);
  for (int d = 0; d < depth; d++)
    for (int l = 0; l < 6; l++)
      for (int q = 0; q < count; q++) {
        const double *A = p[q].A + p[q].at[d] + l;
        const __m512d b = _mm512_loadu_pd(p[q].spread + SPREAD * d + 8 * l);
        for (int r = 0; r < 6; r++)
          s[q][r] = _mm512_fnmadd_pd(_mm512_set1_pd(A[6 * r]), b, s[q][r]);
      }
  for (int q = 0; q < count; q++)
    for (int r = 0; r < 6; r++)
      _mm512_mask_storeu_pd(p[q].C + 6 * r, six, s[q][r]);
}

PERP_EIGHT static void subtract_one(int depth, const product *p)
{
  subtract_eight(depth, 1, p);
}

PERP_EIGHT static void subtract_two(int depth, const product *p)
{
  subtract_eight(depth, 2, p);
}

/* ---- A column ---- */

KERNEL void subtract_products(int depth, int count, const product *p, bool eight)
{
  if (eight) {
    (count == 2 ? subtract_two : subtract_one)(depth, p);
    return;
  }
  for (int q = 0; q < count; q++)
    subtract_four(depth, p + q);
}

KERNEL void spread_block(const double *transposed, double *spread, bool eight)
{
  if (eight)
    spread_eight(transposed, spread);
  else
    spread_four(transposed, spread);
}

/* Row t of the group, counted from j. */
KERNEL product find_product(const perp_block_factor *f, const group *g, int64_t t, double *part,
                            const double *spread)
{
  product p = {.A = part, .spread = spread, .C = part + f->map[f->row[g->e[0] + t]]};
  for (int d = 0; d < g->depth; d++)
    p.at[d] = f->block[g->e[d] + t];
  return p;
}

/* The blocks (i, j) of L and of V are a pair of products. The diagonal block is in L only. */
KERNEL void subtract_group(const perp_block_factor *f, double *V, const group *g, bool eight)
{
  double L_spread[SPREAD * DEEPEST], V_spread[SPREAD * DEEPEST];
  const int64_t rows = f->list[g->first + 1] - g->e[0];
  for (int d = 0; d < g->depth; d++) {
    spread_block(f->L + f->block[g->e[d]], L_spread + SPREAD * d, eight);
    spread_block(V + f->block[g->e[d]], V_spread + SPREAD * d, eight);
  }
  product p[2];
  p[0] = find_product(f, g, 0, f->L, V_spread);
  subtract_products(g->depth, 1, p, eight);
  for (int64_t t = 1; t < rows; t++) {
    p[0] = find_product(f, g, t, f->L, V_spread);
    p[1] = find_product(f, g, t, V, L_spread);
    subtract_products(g->depth, 2, p, eight);
  }
}

KERNEL void subtract_all(const perp_block_factor *f, double *V, int j, bool eight)
{
  for (int64_t t = f->row_list[j], end = f->row_list[j + 1]; t < end;) {
    const group g = find_group(f, t, end);
    subtract_group(f, V, &g, eight);
    t += g.depth;
  }
}

bool perp_block_six_applies(const perp_block_factor *f)
{
  return f->equal == 6 && perp_is_fused();
}

void perp_block_six_subtract(const perp_block_factor *f, double *V, int j)
{
  if (perp_is_eight())
    subtract_all(f, V, j, true);
  else
    subtract_all(f, V, j, false);
}
#else
bool perp_block_six_applies(const perp_block_factor *f)
{
  (void)f;
  return false;
}

void perp_block_six_subtract(const perp_block_factor *f, double *V, int j)
{
  (void)f, (void)V, (void)j;
}
#endif
