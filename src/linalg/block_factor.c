/* block_factor.c: the order of elimination of a block-sparse matrix, and the places of its factor
 *
 * Column j of L is one tall panel, the blocks below the diagonal stacked, so the rows i of column k
 * that meet column j are read in one run.
 *
 * The order is minimum degree on the elimination graph itself, held in bits (Tinney and Walker
 * 1967; George and Liu 1989): for a few thousand bodies that takes less than one factorisation. If
 * a factorisation takes longer than the search for a better order, minimum fill is tried too: the
 * next block is the one that makes the fewest new neighbours (Tinney and Walker's third scheme).
 * The cheaper of the two orders is used. */
#include "linalg/block_factor.h"

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
static bool pays_for_fill(const perp_block_factor *f, const graph *g, cost c, double most)
{
  const double size = (double)f->n / f->blocks, word = 8, times = 75;
  const double factor = 2 * size * size * size * (double)c.products; /* L and U */
  const double search = word * times * g->words * (double)c.below;
  return factor > search && search <= most;
}

/* Computes both orders, if that pays, and keeps the better one; `g` belongs to its
 * elimination. */
static bool choose_order(perp_block_factor *f, const int64_t *start, const int *neighbour,
                         double most, perp_arena *arena, graph *g, int64_t *below)
{
  if (!make_graph(f->blocks, start, neighbour, arena, g))
    return false;
  const cost first = find_order(g, f->order, f->place);
  *below = first.below;
  if (!pays_for_fill(f, g, first, most))
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
                   PERP_ARRAY(f->map, blocks), PERP_ARRAY(f->row, below),
                   PERP_ARRAY(f->block, below), PERP_ARRAY(f->row_entry, below),
                   PERP_ARRAY(f->row_column, below));
}

perp_block_factor *perp_block_analyse(int blocks, const int *first, const int64_t *start,
                                      const int *neighbour, double most, perp_arena *arena)
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
      !choose_order(f, start, neighbour, most, arena, &g, &below) || !take_lists(f, arena, below))
    return NULL;
  f->six = true;
  f->offset[0] = 0;
  for (int j = 0; j < blocks; j++) {
    f->size[j] = first[f->order[j] + 1] - first[f->order[j]];
    f->offset[j + 1] = f->offset[j] + f->size[j];
    f->six = f->six && f->size[j] == 6;
  }
  list_columns(f, &g);
  lay_out(f);
  list_rows(f);
  const bool there =
      PERP_TAKE(arena, PERP_ARRAY(f->L, f->panel[blocks]),
                PERP_ARRAY(f->inverse, f->diagonal[blocks]), PERP_ARRAY(f->work, f->n));
  return there ? f : NULL;
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
