/* body_matrix.c: the pattern of a matrix in velocities, and its factors */
#include "method/contact/body_matrix.h"

#include "base/elementary.h"
#include "linalg/block_six.h"
#include "linalg/vector.h"
#include "method/system/gather.h"

#include <string.h>

/* ---- Bodies ---- */

/* Copies the pattern of M, and borrows its numbers. */
static bool copy_mass(perp_run *run, const perp_contact_data *from, perp_contact_data *to)
{
  const size_t m = (size_t)from->velocities, count = (size_t)from->M_start[m];
  int64_t *start;
  int *column;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(start, m + 1), PERP_ARRAY(column, count)))
    return false;
  memcpy(start, from->M_start, (m + 1) * sizeof *start);
  memcpy(column, from->M_column, count * sizeof *column);
  to->M_start = start;
  to->M_column = column;
  to->M_value = from->M_value;
  return true;
}

static bool has_mass(const perp_contact_data *a, const perp_contact_data *b)
{
  const size_t m = (size_t)a->velocities + 1;
  if (!a->M_start || !b->M_start)
    return !a->M_start && !b->M_start;
  return memcmp(a->M_start, b->M_start, m * sizeof *a->M_start) == 0 &&
         memcmp(a->M_column, b->M_column, (size_t)a->M_start[m - 1] * sizeof *a->M_column) == 0;
}

bool perp_body_pattern_copy(perp_run *run, const perp_contact *c, perp_body_pattern *p)
{
  const size_t n = (size_t)c->base.n, blocks = (size_t)c->data.blocks;
  const size_t pairs = (size_t)c->pair_start[n];
  int *block_start;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(p->pair_start, n + 1), PERP_ARRAY(p->pair_block, pairs),
                 PERP_ARRAY(block_start, blocks + 1)))
    return false;
  memcpy(p->pair_start, c->pair_start, (n + 1) * sizeof *p->pair_start);
  memcpy(p->pair_block, c->pair_block, pairs * sizeof *p->pair_block);
  memcpy(block_start, c->data.block_start, (blocks + 1) * sizeof *block_start);
  p->n = c->base.n;
  p->bodies = (perp_contact_data){
      .blocks = c->data.blocks, .block_start = block_start, .velocities = c->data.velocities};
  return !c->data.M_start || copy_mass(run, &c->data, &p->bodies);
}

bool perp_body_pattern_is(perp_body_pattern *p, const perp_contact *c)
{
  const size_t n = (size_t)p->n, blocks = (size_t)p->bodies.blocks + 1;
  p->bodies.M_value = c->data.M_value;
  return c->base.n == p->n && c->data.blocks == p->bodies.blocks &&
         c->data.velocities == p->bodies.velocities &&
         memcmp(c->pair_start, p->pair_start, (n + 1) * sizeof *p->pair_start) == 0 &&
         memcmp(c->data.block_start, p->bodies.block_start, blocks * sizeof(int)) == 0 &&
         memcmp(c->pair_block, p->pair_block, (size_t)p->pair_start[n] * sizeof(int)) == 0 &&
         has_mass(&p->bodies, &c->data);
}

int perp_body_union(const perp_contact *c, int count, const int *row, int *block)
{
  int touched = 0;
  for (int r = 0; r < count; r++)
    for (int64_t p = c->pair_start[row[r]]; p < c->pair_start[row[r] + 1]; p++) {
      int at = touched;
      while (at > 0 && block[at - 1] > c->pair_block[p])
        at--;
      if (at > 0 && block[at - 1] == c->pair_block[p])
        continue;
      memmove(block + at + 1, block + at, (size_t)(touched - at) * sizeof *block);
      block[at] = c->pair_block[p];
      touched++;
    }
  return touched;
}

perp_error perp_body_matrix_fits(perp_run *run, double couplings, int count, const char *what)
{
  const double filing = 50; /* flops that take as long as storing one coupling */
  if (!perp_run_allows(run, couplings * (double)(2 * sizeof(int) + sizeof(perp_body_block))))
    return perp_run_fail(run, PERP_ERROR_MEMORY,
                         "the couplings of %d %s need more than memory_limit", count, what);
  if (!perp_run_affords(run, filing * couplings))
    perp_run_too_long(run, "the ordering of a factor", run->problem->K.n);
  return PERP_OK;
}

static int size_of(const perp_body_matrix *s, int body)
{
  return s->bodies->block_start[body + 1] - s->bodies->block_start[body];
}

/* ---- The pattern ---- */

/* Sorts the list of each block and removes repetitions. last: the last block that had this
 * neighbour. */
static void thin_out(int blocks, int64_t *start, int *filed, int *last)
{
  int64_t count = 0;
  for (int k = 0; k < blocks; k++)
    last[k] = -1;
  for (int k = 0; k < blocks; k++) {
    const int64_t begin = count;
    for (int64_t e = start[k]; e < start[k + 1]; e++) {
      const int b = filed[e];
      if (last[b] == k)
        continue;
      last[b] = k;
      int64_t at = count++;
      for (; at > begin && filed[at - 1] > b; at--)
        filed[at] = filed[at - 1];
      filed[at] = b;
    }
    start[k] = begin;
  }
  start[blocks] = count;
}

/* Every two members of a set are neighbours: set s is member[set_start[s]] ..
 * member[set_start[s + 1] - 1]. False when out of memory.
 *
 * Stores every pair of every set with its first block, then sorts the list of each block and
 * removes repetitions, in place. Meanwhile start[k + 1] is the next free place of block k; at the
 * end it is the start of the next block. Cost: the squares of the sets, and sorting of short lists
 * by insertion. */
static bool couple(const perp_contact_data *bodies, int sets, const int64_t *set_start,
                   const int *member, perp_arena *arena, perp_block_graph *g)
{
  const int blocks = bodies->blocks;
  int64_t room = blocks + (bodies->M_start ? bodies->M_start[bodies->velocities] : 0);
  for (int s = 0; s < sets; s++)
    room += (set_start[s + 1] - set_start[s]) * (set_start[s + 1] - set_start[s]);
  int64_t *start;
  int *last, *filed, *of;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(start, blocks + 2), PERP_ARRAY(last, blocks)) ||
      !PERP_TAKE(arena, PERP_ARRAY(of, bodies->M_start ? bodies->velocities : 0)) ||
      !PERP_TAKE(arena, PERP_ARRAY(filed, room)))
    return false;
  for (int s = 0; s < sets; s++)
    for (int64_t e = set_start[s]; e < set_start[s + 1]; e++)
      start[member[e] + 2] += set_start[s + 1] - set_start[s];
  for (int k = 0; k < blocks && bodies->M_start; k++) {
    const int first = bodies->block_start[k];
    start[k + 2] += bodies->M_start[first + 1] - bodies->M_start[first];
    for (int v = first; v < bodies->block_start[k + 1]; v++)
      of[v] = k;
  }
  for (int k = 0; k < blocks; k++)
    start[k + 2] += start[k + 1] + 1; /* one more for itself */
  for (int k = 0; k < blocks; k++)
    filed[start[k + 1]++] = k;
  for (int s = 0; s < sets; s++)
    for (int64_t e = set_start[s]; e < set_start[s + 1]; e++)
      for (int64_t f = set_start[s]; f < set_start[s + 1]; f++)
        filed[start[member[e] + 1]++] = member[f];
  for (int k = 0; k < blocks && bodies->M_start;
       k++) { /* the rows of a block have the same columns */
    const int first = bodies->block_start[k];
    for (int64_t e = bodies->M_start[first]; e < bodies->M_start[first + 1]; e++)
      filed[start[k + 1]++] = of[bodies->M_column[e]];
  }
  thin_out(blocks, start, filed, last);
  *g = (perp_block_graph){start, filed};
  return true;
}

/* Makes the rows of the matrix; the rows of a block have the same columns. first: blocks + 1, the
 * first row of each block. *value is allocated, not filled. Returns false when out of memory. */
static bool list_rows(const perp_block_graph *g, int blocks, const int *first, perp_arena *arena,
                      perp_sparse *M, double **value)
{
  const int n = first[blocks];
  int64_t *start = perp_arena_alloc(arena, (size_t)n + 1, sizeof *start);
  if (!start)
    return false;
  start[0] = 0;
  for (int k = 0; k < blocks; k++) {
    int64_t length = 0;
    for (int64_t e = g->start[k]; e < g->start[k + 1]; e++)
      length += first[g->neighbour[e] + 1] - first[g->neighbour[e]];
    for (int v = first[k]; v < first[k + 1]; v++)
      start[v + 1] = start[v] + length;
  }
  int *column;
  if (!PERP_TAKE(arena, PERP_ARRAY(column, start[n]), PERP_ARRAY(*value, start[n])))
    return false;
  for (int k = 0; k < blocks; k++)
    for (int v = first[k]; v < first[k + 1]; v++) {
      int64_t at = start[v];
      for (int64_t e = g->start[k]; e < g->start[k + 1]; e++)
        for (int w = first[g->neighbour[e]]; w < first[g->neighbour[e] + 1]; w++)
          column[at++] = w;
    }
  *M = (perp_sparse){.n = n, .start = start, .column = column, .value = *value};
  return true;
}

/* ---- Opening ---- */

static perp_error open_blocks(perp_body_matrix *s)
{
  const perp_block_graph *g = &s->graph;
  s->lu = perp_block_lu_analyse(s->bodies->blocks, s->bodies->block_start, g->start, g->neighbour,
                                s->run->arena);
  return s->lu ? PERP_OK : perp_run_no_memory(s->run);
}

static perp_error open_rows(perp_body_matrix *s)
{
  perp_run *run = s->run;
  s->all = perp_run_integers(run, (size_t)s->bodies->velocities);
  if (!s->all || !list_rows(&s->graph, s->bodies->blocks, s->bodies->block_start, run->arena, &s->M,
                            &s->value))
    return perp_run_no_memory(run);
  for (int v = 0; v < s->M.n; v++)
    s->all[v] = v;
  return perp_rows_lu_open(&s->rows_lu, run, &s->M, 0, false);
}

perp_error perp_body_matrix_open(perp_body_matrix *s, perp_run *run,
                                 const perp_contact_data *bodies, int sets,
                                 const int64_t *set_start, const int *member)
{
  *s = (perp_body_matrix){.run = run, .bodies = bodies};
  if (!couple(bodies, sets, set_start, member, run->arena, &s->graph))
    return perp_run_no_memory(run);
  if (perp_run_expired(run))
    return PERP_OK;
  bool by_blocks = bodies->blocks <= PERP_BLOCK_LU_MOST || !perp_sparse_umfpack();
  for (int k = 0; k < bodies->blocks; k++)
    by_blocks = by_blocks && size_of(s, k) <= PERP_BLOCK_LU_WIDEST;
  return by_blocks ? open_blocks(s) : open_rows(s);
}

void perp_body_matrix_close(perp_body_matrix *s)
{
  perp_rows_lu_close(&s->rows_lu);
}

void perp_body_matrix_reopen(perp_body_matrix *s, perp_run *run)
{
  s->run = run;
  s->too_long = false;
  s->spent = 0;
  perp_rows_lu_reopen(&s->rows_lu, run);
}

/* ---- The numbers ---- */

perp_body_block perp_body_matrix_find(const perp_body_matrix *s, int row, int column)
{
  perp_body_block b = {.across = 1};
  if (s->lu) {
    b.at = perp_block_lu_find(s->lu, row, column, &b.down, &b.across);
    return b;
  }
  const int first = s->bodies->block_start[row];
  b.at = s->value + s->M.start[first];
  b.down = (int)(s->M.start[first + 1] - s->M.start[first]);
  for (int64_t e = s->graph.start[row]; s->graph.neighbour[e] != column; e++)
    b.at += size_of(s, s->graph.neighbour[e]);
  return b;
}

/* Writes the mass matrix over I. */
static void set_mass(perp_body_matrix *s)
{
  const perp_contact_data *d = s->bodies;
  for (int k = 0; k < d->blocks; k++) {
    const int first = d->block_start[k];
    int b = -1;
    perp_body_block at = {0};
    for (int64_t e = d->M_start[first]; e < d->M_start[first + 1]; e++) {
      const int column = d->M_column[e];
      if (b < 0 || column >= d->block_start[b + 1]) {
        int64_t g = s->graph.start[k];
        while (column >= d->block_start[s->graph.neighbour[g] + 1])
          g++;
        b = s->graph.neighbour[g];
        at = perp_body_matrix_find(s, k, b);
      }
      for (int v = first; v < d->block_start[k + 1]; v++)
        at.at[(v - first) * at.down + (column - d->block_start[b]) * at.across] =
            d->M_value[d->M_start[v] + (e - d->M_start[first])];
    }
  }
}

void perp_body_matrix_reset(perp_body_matrix *s)
{
  if (s->lu) {
    perp_block_lu_reset(s->lu);
  } else {
    perp_fill(s->M.start[s->M.n], 0, s->value);
    for (int v = 0; v < s->M.n; v++)
      for (int64_t e = s->M.start[v]; e < s->M.start[v + 1]; e++)
        if (s->M.column[e] == v)
          s->value[e] = 1;
  }
  if (s->bodies->M_start)
    set_mass(s);
}

/* ---- Factors ---- */

static bool say_too_long(perp_body_matrix *s)
{
  s->too_long = true;
  perp_run_too_long(s->run, "a factor", s->bodies->velocities);
  return false;
}

/* A factor takes as long as the previous one; the first is estimated by its operations, of which
 * blocks of six do four in the time of one. */
bool perp_body_matrix_affords(perp_body_matrix *s)
{
  const double m = s->bodies->velocities, margin = 1.5;
  const double six = s->lu && perp_block_six_applies(s->lu->f) ? 0.25 : 1;
  s->too_long = false;
  if (s->spent > 0)
    return perp_run_affords(s->run, margin * s->spent) || say_too_long(s);
  const double flops = s->lu               ? six * 4 * (double)s->lu->f->flops
                       : s->rows_lu.sparse ? 0 /* its factor finds out */
                                           : 2.0 / 3 * m * m * m;
  return perp_run_affords(s->run, flops) || say_too_long(s);
}

static bool factor(perp_body_matrix *s)
{
  if (s->lu) {
    s->run->count.factorisations++;
    return perp_block_lu_factorise(s->lu);
  }
  const bool done = perp_rows_lu_set(&s->rows_lu, s->M.n, s->all, NULL);
  return s->rows_lu.too_long ? say_too_long(s) : done;
}

bool perp_body_matrix_factor(perp_body_matrix *s)
{
  const double before = perp_run_flops(s->run);
  const bool done = factor(s);
  if (done && before < INFINITY)
    s->spent = perp_max(s->spent, before - perp_run_flops(s->run));
  return done;
}

int perp_body_matrix_sign(const perp_body_matrix *s)
{
  return s->lu ? s->lu->sign : 0;
}

bool perp_body_matrix_solve(perp_body_matrix *s, double *v)
{
  if (!s->lu)
    return perp_rows_lu_solve(&s->rows_lu, v);
  s->run->count.solves++;
  perp_block_lu_solve(s->lu, v);
  return true;
}
