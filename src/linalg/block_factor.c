/* block_factor.c: block-sparse Cholesky, left-looking
 *
 *   L_jj L_jj^T = H_jj - sum_k L_jk L_jk^T
 *   L_ij        = (H_ij - sum_k L_ik L_jk^T) L_jj^-T,   k < j with L_jk != 0
 *
 * Column j is one tall panel, the blocks below the diagonal stacked, so the rows i of column k that
 * meet column j are read in one run. L_jj^-1 is kept: applied from the right it is a product, which
 * is as accurate as substitution for blocks this small (Higham 2002, ch. 14), and vectorises.
 *
 * The order is minimum degree on the elimination graph itself, held in bits (Tinney and Walker
 * 1967; George and Liu 1989): for a few thousand bodies that takes less than one factorisation. If
 * a factorisation takes longer than the search for a better order, minimum fill is tried too: the
 * next block is the one that makes the fewest new neighbours (Tinney and Walker's third scheme).
 * The cheaper of the two orders is used.
 *
 * A column depends on H_j and on the columns below it in the elimination tree. If only some blocks
 * of H change, columns that are not ancestors of a changed one keep their factor. */
#include "linalg/block_factor.h"

#include "linalg/block_six.h"
#include "linalg/vector.h"
#include "linalg/wide.h"

#include <assert.h>

/* ---- The order ---- */

typedef struct graph {
  int blocks, words;
  uint64_t *bits; /* row i: the neighbours of i that are not eliminated, without i */
  int *degree;
  int64_t *fill; /* twice the fill of eliminating i; -1 - k: at least k. NULL: not needed */
} graph;

/* The cost of an order: blocks below the diagonal, and products of blocks. */
typedef struct cost {
  int64_t below, products;
} cost;

KERNEL int count_bits(const uint64_t *bits, int words)
{
  int count = 0;
  for (int w = 0; w < words; w++)
    count += __builtin_popcountll(bits[w]);
  return count;
}

static void clear_bit(uint64_t *bits, int i)
{
  bits[i / 64] &= ~((uint64_t)1 << (i % 64));
}

KERNEL int lowest_bit(uint64_t word)
{
  return __builtin_ctzll(word);
}

/* Makes the neighbours of `pivot` neighbours of each other; removes it from the graph. */
KERNEL void eliminate(graph *g, int pivot)
{
  const uint64_t *own = g->bits + (size_t)pivot * (size_t)g->words;
  for (int w = 0; w < g->words; w++)
    for (uint64_t rest = own[w]; rest; rest &= rest - 1) {
      const int i = 64 * w + lowest_bit(rest);
      uint64_t *bits = g->bits + (size_t)i * (size_t)g->words;
      for (int v = 0; v < g->words; v++)
        bits[v] |= own[v];
      clear_bit(bits, i);
      clear_bit(bits, pivot);
      g->degree[i] = count_bits(bits, g->words);
    }
  g->degree[pivot] = g->blocks; /* never the minimum again */
}

static int least_degree(const graph *g)
{
  int best = 0;
  for (int i = 1; i < g->blocks; i++)
    if (g->degree[i] < g->degree[best])
      best = i;
  return best;
}

/* Returns twice the number of pairs of neighbours of i that are not neighbours of each other; if
 * that exceeds `most`, the count so far, which exceeds it too. */
KERNEL int64_t find_fill(const graph *g, int i, int64_t most)
{
  const uint64_t *own = g->bits + (size_t)i * (size_t)g->words;
  int64_t count = 0;
  for (int w = 0; w < g->words; w++)
    for (uint64_t rest = own[w]; rest && count <= most; rest &= rest - 1) {
      const uint64_t *other = g->bits + (size_t)(64 * w + lowest_bit(rest)) * (size_t)g->words;
      for (int v = 0; v < g->words; v++)
        count += __builtin_popcountll(own[v] & ~other[v]);
      count--; /* the neighbour itself */
    }
  return count;
}

/* Ties go to the lowest degree, then to the first. */
static bool is_better(const graph *g, int i, int best)
{
  if (best < 0 || g->fill[i] != g->fill[best])
    return best < 0 || g->fill[i] < g->fill[best];
  return g->degree[i] != g->degree[best] ? g->degree[i] < g->degree[best] : i < best;
}

/* Returns the block of least fill. Counts unknown fills that may be the least, only up to the least
 * so far. */
KERNEL int least_fill(const graph *g)
{
  int best = -1;
  for (int i = 0; i < g->blocks; i++)
    if (g->degree[i] < g->blocks && g->fill[i] >= 0 && is_better(g, i, best))
      best = i;
  for (int i = 0; i < g->blocks; i++) {
    const int64_t most = best < 0 ? INT64_MAX : g->fill[best];
    if (g->degree[i] == g->blocks || g->fill[i] >= 0 || -1 - g->fill[i] > most)
      continue;
    const int64_t count = find_fill(g, i, most);
    g->fill[i] = count > most ? -1 - count : count;
    if (count <= most && is_better(g, i, best))
      best = i;
  }
  return best;
}

/* Invalidates the fills that change if the pivot is eliminated: of its neighbours and of their
 * neighbours, which are the same set after the elimination. */
static void forget_fills(graph *g, int pivot)
{
  const uint64_t *own = g->bits + (size_t)pivot * (size_t)g->words;
  for (int w = 0; w < g->words; w++)
    for (uint64_t rest = own[w]; rest; rest &= rest - 1) {
      const uint64_t *other = g->bits + (size_t)(64 * w + lowest_bit(rest)) * (size_t)g->words;
      for (int v = 0; v < g->words; v++)
        for (uint64_t next = other[v]; next; next &= next - 1)
          g->fill[64 * v + lowest_bit(next)] = -1;
      g->fill[64 * w + lowest_bit(rest)] = -1;
    }
}

/* Eliminates all blocks; row i of the bits then holds column place[i] of L. */
KERNEL cost order_blocks(graph *g, int *order, int *place)
{
  cost c = {0};
  bool by_fill = g->fill;
  for (int j = 0; j < g->blocks; j++) {
    const int pivot = by_fill ? least_fill(g) : least_degree(g);
    const int64_t degree = g->degree[pivot];
    /* the rest are all neighbours of each other: any order will do */
    by_fill = by_fill && (g->fill[pivot] > 0 || degree < g->blocks - 1 - j);
    c.below += degree;
    c.products += (degree + 1) * (degree + 2) / 2;
    order[j] = pivot;
    place[pivot] = j;
    if (by_fill)
      forget_fills(g, pivot);
    eliminate(g, pivot);
  }
  return c;
}

#ifdef PERP_WIDE
PERP_WIDE static cost order_blocks_wide(graph *g, int *order, int *place)
{
  return order_blocks(g, order, place);
}
#endif

static cost find_order(graph *g, int *order, int *place)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return order_blocks_wide(g, order, place);
#endif
  return order_blocks(g, order, place);
}

static bool make_graph(int blocks, const int64_t *start, const int *neighbour, perp_arena *arena,
                       graph *g)
{
  const size_t words = ((size_t)blocks + 63) / 64;
  *g = (graph){.blocks = blocks, .words = (int)words};
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(g->bits, (size_t)blocks * words),
                      PERP_ARRAY(g->degree, blocks)))
    return false;
  for (int i = 0; i < blocks; i++) {
    uint64_t *bits = g->bits + (size_t)i * words;
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      bits[neighbour[e] / 64] |= (uint64_t)1 << (neighbour[e] % 64);
    clear_bit(bits, i);
    g->degree[i] = count_bits(bits, (int)words);
  }
  return true;
}

/* Returns true if some factors of this cost take longer than an order by fill, which finds about 75
 * fills for each block at the cost of eight multiplications per word of bits, and if that cost is
 * at most `most`. */
static bool pays_for_fill(const perp_block_factor *f, bool twice, const graph *g, cost c,
                          double most)
{
  const double size = (double)f->n / f->blocks, word = 8, times = 75;
  const double factor = (twice ? 2 : 1) * size * size * size * (double)c.products;
  const double search = word * times * g->words * (double)c.below;
  return factor > search && search <= most;
}

/* Computes both orders, if that pays, and keeps the better one; `g` belongs to its elimination.
 * twice: a factor is twice the work, L and U. */
static bool choose_order(perp_block_factor *f, const int64_t *start, const int *neighbour,
                         bool twice, double most, perp_arena *arena, graph *g, int64_t *below)
{
  if (!make_graph(f->blocks, start, neighbour, arena, g))
    return false;
  const cost first = find_order(g, f->order, f->place);
  *below = first.below;
  if (!pays_for_fill(f, twice, g, first, most))
    return true;
  graph other;
  int *order, *place;
  if (!make_graph(f->blocks, start, neighbour, arena, &other) ||
      !PERP_TAKE_INTEGERS(arena, (size_t)f->blocks, &order, &place) ||
      !PERP_TAKE(arena, PERP_ARRAY(other.fill, f->blocks)))
    return false;
  for (int i = 0; i < f->blocks; i++)
    other.fill[i] = -1;
  const cost second = find_order(&other, order, place);
  if (second.products < first.products) {
    *g = other;
    f->order = order;
    f->place = place;
    *below = second.below;
  }
  return true;
}

/* ---- Analysis ---- */

/* Lists the rows of each column, ascending, from the bits: a bit of block i stands for place[i].
 * The marks of a column are first spread over the places. */
static void list_columns(perp_block_factor *f, const graph *g)
{
  int64_t count = 0;
  for (int j = 0; j < f->blocks; j++) {
    const uint64_t *bits = g->bits + (size_t)f->order[j] * (size_t)g->words;
    f->list[j] = count;
    for (int w = 0; w < g->words; w++)
      for (uint64_t rest = bits[w]; rest; rest &= rest - 1) {
        const int i = f->place[64 * w + lowest_bit(rest)];
        int64_t at = count++;
        for (; at > f->list[j] && f->row[at - 1] > i; at--)
          f->row[at] = f->row[at - 1];
        f->row[at] = i;
      }
    f->parent[j] = count > f->list[j] ? f->row[f->list[j]] : -1;
  }
  f->list[f->blocks] = count;
}

/* Sets the start of each column's numbers, and the cost of a factorisation. */
static void lay_out(perp_block_factor *f)
{
  int64_t at = 0, diagonal = 0;
  for (int j = 0; j < f->blocks; j++) {
    const int64_t size = f->size[j];
    int64_t rows = size;
    f->panel[j] = at;
    f->diagonal[j] = diagonal;
    diagonal += size * size;
    for (int64_t e = f->list[j]; e < f->list[j + 1]; e++) {
      f->block[e] = at + rows * size;
      rows += f->size[f->row[e]];
    }
    at += rows * size;
    f->flops += size * rows * (rows + 1) / 2;
  }
  f->panel[f->blocks] = at;
  f->diagonal[f->blocks] = diagonal;
}

/* Lists the entries by row: columns ascend, since they are stored in order. While counts are summed
 * they are one place higher; afterwards the array holds the starts. */
static void list_rows(perp_block_factor *f)
{
  for (int j = 0; j <= f->blocks + 1; j++)
    f->row_list[j] = 0;
  for (int64_t e = 0; e < f->list[f->blocks]; e++)
    f->row_list[f->row[e] + 2]++;
  for (int j = 1; j <= f->blocks + 1; j++)
    f->row_list[j] += f->row_list[j - 1];
  for (int j = 0; j < f->blocks; j++)
    for (int64_t e = f->list[j]; e < f->list[j + 1]; e++) {
      const int64_t t = f->row_list[f->row[e] + 1]++;
      f->row_entry[t] = e;
      f->row_column[t] = j;
    }
}

static bool take_lists(perp_block_factor *f, perp_arena *arena, int64_t below)
{
  const size_t blocks = (size_t)f->blocks;
  return PERP_TAKE_INTEGERS(arena, blocks + 1, &f->size, &f->offset, &f->parent) &&
         PERP_TAKE(arena, PERP_ARRAY(f->list, blocks + 1), PERP_ARRAY(f->panel, blocks + 1),
                   PERP_ARRAY(f->diagonal, blocks + 1), PERP_ARRAY(f->row_list, blocks + 2),
                   PERP_ARRAY(f->map, blocks), PERP_ARRAY(f->dirty, blocks),
                   PERP_ARRAY(f->row, below), PERP_ARRAY(f->block, below),
                   PERP_ARRAY(f->row_entry, below), PERP_ARRAY(f->row_column, below));
}

perp_block_factor *perp_block_analyse(int blocks, const int *first, const int64_t *start,
                                      const int *neighbour, bool in_place, double most,
                                      perp_arena *arena)
{
  assert(blocks <= PERP_BLOCK_FACTOR_LARGEST);
  perp_block_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  graph g;
  if (!f)
    return NULL;
  f->blocks = blocks;
  f->n = first[blocks];
  f->first = first;
  int64_t below;
  if (!PERP_TAKE_INTEGERS(arena, (size_t)blocks, &f->order, &f->place) ||
      !choose_order(f, start, neighbour, in_place, most, arena, &g, &below) ||
      !take_lists(f, arena, below))
    return NULL;
  int largest = 0;
  f->six = true;
  f->offset[0] = 0;
  for (int j = 0; j < blocks; j++) {
    f->size[j] = first[f->order[j] + 1] - first[f->order[j]];
    f->offset[j + 1] = f->offset[j] + f->size[j];
    largest = f->size[j] > largest ? f->size[j] : largest;
    f->six = f->six && f->size[j] == 6;
  }
  list_columns(f, &g);
  lay_out(f);
  list_rows(f);
  if (!PERP_TAKE(arena, PERP_ARRAY(f->L, f->panel[blocks]),
                 PERP_ARRAY(f->inverse, f->diagonal[blocks]),
                 PERP_ARRAY(f->work, f->n + largest * largest)))
    return NULL;
  f->H = in_place ? f->L : perp_arena_alloc(arena, (size_t)f->panel[blocks], sizeof *f->H);
  return f->H ? f : NULL;
}

int64_t perp_block_find(const perp_block_factor *f, int i, int j)
{
  const int row = f->place[i], column = f->place[j];
  assert(row >= column);
  if (row == column)
    return f->panel[column];
  const int64_t at = perp_row_find(f->list, f->row, column, row);
  assert(at >= 0);
  return f->block[at];
}

void perp_block_reset(perp_block_factor *f)
{
  perp_fill(f->panel[f->blocks], 0, f->H);
  for (int j = 0; j < f->blocks; j++)
    for (int k = 0; k < f->size[j]; k++)
      f->H[f->panel[j] + (int64_t)k * f->size[j] + k] = 1;
}

/* ---- Factorisation ---- */

/* Subtracts the contribution of column k from column j; entry e is L_jk. */
static void subtract_column(perp_block_factor *f, int j, int k, int64_t e)
{
  const int wide = f->size[j], deep = f->size[k];
  const double *own = f->L + f->block[e];
  double *transposed = f->work + f->n, *target = f->L;
  perp_transpose_block(wide, deep, own, transposed);
  for (int64_t t = e; t < f->list[k + 1]; t++) {
    const int i = f->row[t];
    perp_subtract_block(f->size[i], wide, deep, f->L + f->block[t], transposed, target + f->map[i]);
  }
}

/* inverse <- L^-1, its upper triangle zero. */
static inline void invert_lower(int n, const double *restrict L, double *restrict inverse)
{
  for (int i = 0; i < n; i++) {
    double *row = inverse + i * n;
    const double pivot = 1 / L[i * n + i];
    for (int c = 0; c < n; c++)
      row[c] = 0;
    for (int k = 0; k < i; k++) {
      const double *other = inverse + k * n, l = -L[i * n + k] * pivot;
      for (int c = 0; c < n; c++) /* includes the zeros, for a fixed loop length */
        row[c] += l * other[c];
    }
    row[i] = pivot;
  }
}

/* Rows x size numbers at `panel` times inverse^T, in place. */
static void apply_inverse(int64_t rows, int size, const double *inverse, double *panel)
{
  for (int64_t r = 0; r < rows; r++) {
    double *row = panel + r * size;
    for (int c = size - 1; c >= 0; c--)
      row[c] = perp_dot(c + 1, row, inverse + c * size);
  }
}

/* apply_inverse for size 6, with the inverse transposed so that columns vectorise. */
static void apply_inverse_six(int64_t rows, const double *restrict inverse, double *restrict panel)
{
  double T[36];
  for (int c = 0; c < 6; c++)
    for (int l = 0; l < 6; l++)
      T[6 * l + c] = inverse[6 * c + l];
  for (int64_t r = 0; r < rows; r++) {
    double *row = panel + 6 * r, s[6] = {0};
    for (int l = 0; l < 6; l++)
      for (int c = 0; c < 6; c++)
        s[c] += row[l] * T[6 * l + c];
    for (int c = 0; c < 6; c++)
      row[c] = s[c];
  }
}

/* Cholesky of the 6 x 6 block at A, by rows; its upper triangle is not written. */
static bool cholesky_six(double *A)
{
  for (int i = 0; i < 6; i++) {
    double *row = A + 6 * i;
    double pivot = row[i];
    for (int j = 0; j < i; j++) {
      const double *other = A + 6 * j;
      double sum = row[j];
      for (int k = 0; k < j; k++)
        sum -= row[k] * other[k];
      row[j] = sum / other[j];
      pivot -= row[j] * row[j];
    }
    if (!(pivot > 0 && pivot < INFINITY))
      return false;
    row[i] = sqrt(pivot);
  }
  return true;
}

static bool factor_column(perp_block_factor *f, int j, bool six)
{
  const int size = f->size[j];
  const int64_t length = f->panel[j + 1] - f->panel[j];
  double *panel = f->L + f->panel[j], *inverse = f->inverse + f->diagonal[j];
  perp_copy(length, f->H + f->panel[j], panel);
  f->map[j] = f->panel[j];
  for (int64_t e = f->list[j]; e < f->list[j + 1]; e++)
    f->map[f->row[e]] = f->block[e];
  if (six)
    perp_block_six_subtract(f, NULL, j);
  for (int64_t t = f->row_list[j]; !six && t < f->row_list[j + 1]; t++)
    subtract_column(f, j, f->row_column[t], f->row_entry[t]);
  if (size == 6 ? !cholesky_six(panel) : perp_cholesky(size, panel, size, 0) < size)
    return false;
  const int64_t rows = length / size - size;
  if (size == 6) {
    invert_lower(6, panel, inverse);
    apply_inverse_six(rows, inverse, panel + 36);
  } else {
    invert_lower(size, panel, inverse);
    apply_inverse(rows, size, inverse, panel + (int64_t)size * size);
  }
  return true;
}

bool perp_block_factorise(perp_block_factor *f, const bool *changed)
{
  const bool six = perp_block_six_applies(f);
  for (int j = 0; j < f->blocks; j++)
    f->dirty[j] = !changed || changed[f->order[j]];
  for (int j = 0; j < f->blocks; j++) {
    if (!f->dirty[j])
      continue;
    if (f->parent[j] >= 0)
      f->dirty[f->parent[j]] = true;
    if (!factor_column(f, j, six))
      return false;
  }
  return true;
}

/* ---- Solution ---- */

/* other <- other - B own and own <- own - B^T other, B rows x columns; called with constants if
 * both are 6. */
static inline void subtract_forward(int rows, int columns, const double *restrict B,
                                    const double *restrict own, double *restrict other)
{
  for (int r = 0; r < rows; r++) {
    double even = 0, odd = 0;
    int c = 0;
    for (; c + 2 <= columns; c += 2) {
      even += B[r * columns + c] * own[c];
      odd += B[r * columns + c + 1] * own[c + 1];
    }
    if (c < columns)
      even += B[r * columns + c] * own[c];
    other[r] -= even + odd;
  }
}

static inline void subtract_backward(int rows, int columns, const double *restrict B,
                                     const double *restrict other, double *restrict own)
{
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      own[c] -= other[r] * B[r * columns + c];
}

/* w <- L^-1 w and w <- L^-T w, in the permuted order. */
static void solve_forward(const perp_block_factor *f, double *w)
{
  for (int j = 0; j < f->blocks; j++) {
    const int size = f->size[j];
    double *own = w + f->offset[j];
    apply_inverse(1, size, f->inverse + f->diagonal[j], own);
    for (int64_t e = f->list[j]; e < f->list[j + 1]; e++) {
      const int rows = f->size[f->row[e]];
      double *other = w + f->offset[f->row[e]];
      if (size == 6 && rows == 6)
        subtract_forward(6, 6, f->L + f->block[e], own, other);
      else
        subtract_forward(rows, size, f->L + f->block[e], own, other);
    }
  }
}

static void solve_backward(const perp_block_factor *f, double *w)
{
  for (int j = f->blocks - 1; j >= 0; j--) {
    const int size = f->size[j];
    double *own = w + f->offset[j];
    for (int64_t e = f->list[j]; e < f->list[j + 1]; e++) {
      const int rows = f->size[f->row[e]];
      const double *other = w + f->offset[f->row[e]];
      if (size == 6 && rows == 6)
        subtract_backward(6, 6, f->L + f->block[e], other, own);
      else
        subtract_backward(rows, size, f->L + f->block[e], other, own);
    }
    /* own <- inverse^T own: row c of the inverse times own_c, rows from the first on */
    const double *inverse = f->inverse + f->diagonal[j];
    for (int c = 0; c < size; c++) {
      const double t = own[c];
      own[c] = 0;
      perp_axpy(c + 1, t, inverse + c * size, own);
    }
  }
}

void perp_block_solve(perp_block_factor *f, double *x)
{
  double *w = f->work;
  for (int j = 0; j < f->blocks; j++)
    perp_copy(f->size[j], x + f->first[f->order[j]], w + f->offset[j]);
  solve_forward(f, w);
  solve_backward(f, w);
  for (int j = 0; j < f->blocks; j++)
    perp_copy(f->size[j], w + f->offset[j], x + f->first[f->order[j]]);
}
