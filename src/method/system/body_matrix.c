/* body_matrix.c: see body_matrix.h */
#include "method/system/body_matrix.h"

#include "linalg/vector.h"
#include "method/system/gather.h"

static int size_of(const perp_body_matrix *s, int body)
{
  return s->bodies->block_start[body + 1] - s->bodies->block_start[body];
}

/* ---- Opening ---- */

/* The factors of blocks, whose order takes blocks^2 bits. */
static perp_error open_blocks(perp_body_matrix *s, bool symmetric)
{
  const perp_block_graph *g = &s->graph;
  const int blocks = s->bodies->blocks, *first = s->bodies->block_start;
  if (!perp_run_allows(s->run, (double)blocks * blocks / 8))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "the order of %d bodies takes more than the limit", blocks);
  if (symmetric)
    s->cholesky = perp_block_analyse(blocks, first, g->start, g->neighbour, s->run->arena);
  else
    s->lu = perp_block_lu_analyse(blocks, first, g->start, g->neighbour, s->run->arena);
  return s->cholesky || s->lu ? PERP_OK : perp_run_no_memory(s->run);
}

/* M by rows. */
static perp_error open_rows(perp_body_matrix *s, bool symmetric)
{
  enum { ORDERING = 100 /* flops that would take as long as to order one entry */ };
  perp_run *run = s->run;
  s->all = perp_run_integers(run, (size_t)s->bodies->velocities);
  if (!s->all || !perp_block_rows(&s->graph, s->bodies->blocks, s->bodies->block_start, run->arena,
                                  &s->M, &s->value))
    return perp_run_no_memory(run);
  for (int v = 0; v < s->M.n; v++)
    s->all[v] = v;
  if (!symmetric)
    return perp_rows_lu_open(&s->rows_lu, run, &s->M, 0, false);
  if (perp_run_expired(run))
    return PERP_OK;
  if (!perp_run_affords(run, ORDERING * (double)s->M.start[s->M.n])) {
    perp_run_too_long(run, "the order of a factor", s->M.n);
    return PERP_OK;
  }
  s->sparse = perp_sparse_analyse(&s->M, run->arena, run->options->memory_limit);
  return s->sparse ? PERP_OK : perp_run_no_memory(run);
}

perp_error perp_body_matrix_open(perp_body_matrix *s, perp_run *run,
                                 const perp_contact_data *bodies, bool symmetric, int sets,
                                 const int64_t *set_start, const int *member)
{
  *s = (perp_body_matrix){.run = run, .bodies = bodies};
  if (!perp_block_couple(bodies->blocks, sets, set_start, member, run->arena, &s->graph))
    return perp_run_no_memory(run);
  if (perp_run_expired(run))
    return PERP_OK;
  const bool alone = !symmetric && !perp_sparse_lu_available();
  bool by_blocks = bodies->blocks <= (alone ? PERP_BLOCK_FACTOR_LARGEST : PERP_BLOCK_FACTOR_MOST);
  if (!symmetric) {
    for (int k = 0; k < bodies->blocks; k++)
      by_blocks = by_blocks && size_of(s, k) <= PERP_BLOCK_LU_WIDEST;
  }
  return by_blocks ? open_blocks(s, symmetric) : open_rows(s, symmetric);
}

void perp_body_matrix_close(perp_body_matrix *s)
{
  perp_sparse_free(s->sparse);
  perp_rows_lu_close(&s->rows_lu);
}

/* ---- The numbers ---- */

perp_body_block perp_body_matrix_find(const perp_body_matrix *s, int row, int column)
{
  perp_body_block b = {.across = 1};
  if (s->lu) {
    b.at = perp_block_lu_find(s->lu, row, column, &b.down, &b.across);
    return b;
  }
  if (s->cholesky) {
    b.down = size_of(s, column);
    if (s->cholesky->place[row] >= s->cholesky->place[column])
      b.at = s->cholesky->H + perp_block_find(s->cholesky, row, column);
    return b;
  }
  const int first = s->bodies->block_start[row];
  b.at = s->value + s->M.start[first];
  b.down = (int)(s->M.start[first + 1] - s->M.start[first]);
  for (int64_t e = s->graph.start[row]; s->graph.neighbour[e] != column; e++)
    b.at += size_of(s, s->graph.neighbour[e]);
  return b;
}

void perp_body_matrix_reset(perp_body_matrix *s)
{
  if (s->cholesky) {
    perp_block_reset(s->cholesky);
  } else if (s->lu) {
    perp_block_lu_reset(s->lu);
  } else {
    perp_fill(s->M.start[s->M.n], 0, s->value);
    for (int v = 0; v < s->M.n; v++)
      for (int64_t e = s->M.start[v]; e < s->M.start[v + 1]; e++)
        if (s->M.column[e] == v)
          s->value[e] = 1;
  }
}

/* ---- Factors ---- */

static bool say_too_long(perp_body_matrix *s)
{
  s->too_long = true;
  perp_run_too_long(s->run, "a factor", s->bodies->velocities);
  return false;
}

bool perp_body_matrix_affords(perp_body_matrix *s)
{
  const double m = s->bodies->velocities;
  s->too_long = false;
  const double flops = s->cholesky         ? 2 * (double)s->cholesky->flops
                       : s->lu             ? 4 * (double)s->lu->f->flops
                       : s->sparse         ? perp_sparse_flops(s->sparse)
                       : s->rows_lu.sparse ? 0 /* found out by its factor */
                                           : 2.0 / 3 * m * m * m;
  return perp_run_affords(s->run, flops) || say_too_long(s);
}

bool perp_body_matrix_factor(perp_body_matrix *s, const bool *changed)
{
  if (s->cholesky || s->lu || s->sparse)
    s->run->count.factorisations++;
  if (s->cholesky)
    return perp_block_factorise(s->cholesky, changed);
  if (s->lu)
    return perp_block_lu_factorise(s->lu);
  if (s->sparse) {
    perp_sparse_forget(s->sparse);
    return perp_sparse_factorise(s->sparse, s->M.n, s->all, NULL) == PERP_SPARSE_OK;
  }
  const bool done = perp_rows_lu_set(&s->rows_lu, s->M.n, s->all, NULL);
  return s->rows_lu.too_long ? say_too_long(s) : done;
}

bool perp_body_matrix_solve(perp_body_matrix *s, double *v)
{
  if (!s->cholesky && !s->lu && !s->sparse)
    return perp_rows_lu_solve(&s->rows_lu, v);
  s->run->count.solves++;
  if (s->cholesky)
    perp_block_solve(s->cholesky, v);
  else if (s->lu)
    perp_block_lu_solve(s->lu, v);
  else
    return perp_sparse_solve(s->sparse, v);
  return true;
}
