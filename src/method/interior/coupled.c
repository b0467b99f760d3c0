/* interior/coupled.c: see coupled.h
 *
 * D is lower triangular contact by contact, z_j = r_j / d_j for a normal and
 * z_i = (r_i - e_i z_j) / d_i for a row that follows it. So row i of D^-1 J is
 *
 *   (J_i - (e_i / d_j) J_j) / d_i
 *
 * over the blocks of i and j, and it goes into the rows of the blocks of i, times Minv_k J_ik^T.
 * Solutions are refined against the matrix itself. Cost of a set: (velocities of a row)^2 for each
 * row, and the factor. */
#include "method/interior/coupled.h"

#include "linalg/vector.h"
#include "method/gather.h"

#include <math.h>

enum { DENSE_IS_FASTER = 60 };

/* ---- In velocities: the pattern ---- */

static int blocks_of(const perp_contact *c, int i)
{
  return (int)(c->pair_start[i + 1] - c->pair_start[i]);
}

static int touched_by(const perp_coupled *s, int i)
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

/* touch and place_start. */
static perp_error list_blocks(perp_coupled *s)
{
  const perp_contact *c = s->contact;
  perp_run *run = s->run;
  int64_t room = 0;
  for (int i = 0; i < s->n; i++)
    room += blocks_of(c, i) + (s->normal[i] < 0 ? 0 : blocks_of(c, s->normal[i]));
  s->touch_start = perp_arena_alloc(run->arena, (size_t)s->n + 1, sizeof *s->touch_start);
  s->place_start = perp_arena_alloc(run->arena, (size_t)s->n + 1, sizeof *s->place_start);
  s->touch = perp_run_integers(run, (size_t)room);
  if (!s->touch_start || !s->place_start || !s->touch)
    return perp_run_no_memory(run);
  s->touch_start[0] = s->place_start[0] = 0;
  int widest = 0;
  for (int i = 0; i < s->n; i++) {
    int *touched = s->touch + s->touch_start[i], width = 0;
    const int count = merge_blocks(c, i, s->normal[i], touched);
    for (int l = 0; l < count; l++)
      width += perp_contact_block_size(c, touched[l]);
    widest = width > widest ? width : widest;
    s->touch_start[i + 1] = s->touch_start[i] + count;
    s->place_start[i + 1] = s->place_start[i] + (int64_t)blocks_of(c, i) * count;
  }
  s->combined = perp_run_reals(run, (size_t)widest);
  return s->combined ? PERP_OK : perp_run_no_memory(run);
}

typedef struct coupling {
  int64_t *start; /* blocks + 1 */
  int *block;     /* ascending in each row, the block itself among them */
} coupling;

/* Sorts what is filed for each block, each once, in place. */
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

/* Which blocks of columns the rows of each block have. */
static perp_error find_coupling(perp_coupled *s, coupling *g)
{
  const perp_contact *c = s->contact;
  const int blocks = c->data.blocks;
  perp_run *run = s->run;
  int64_t *start = perp_arena_alloc_zero(run->arena, (size_t)blocks + 2, sizeof *start);
  int *last = perp_run_integers(run, (size_t)blocks);
  int *filed = perp_run_integers(run, (size_t)(s->place_start[s->n] + blocks));
  if (!start || !last || !filed)
    return perp_run_no_memory(run);
  for (int i = 0; i < s->n; i++)
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      start[c->pair_block[p] + 2] += touched_by(s, i);
  for (int k = 0; k < blocks; k++)
    start[k + 2] += start[k + 1] + 1; /* one more for itself */
  for (int k = 0; k < blocks; k++)
    filed[start[k + 1]++] = k;
  for (int i = 0; i < s->n; i++)
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
        filed[start[c->pair_block[p] + 1]++] = s->touch[l];
  thin_out(blocks, start, filed, last);
  *g = (coupling){start, filed};
  return PERP_OK;
}

/* Where the pieces of each row go: so far from the beginning of a row of M. */
static void place_pieces(perp_coupled *s, const coupling *g)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++) {
    int *place = s->place + s->place_start[i];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++) {
        int before = 0;
        for (int64_t e = g->start[c->pair_block[p]]; g->block[e] != s->touch[l]; e++)
          before += perp_contact_block_size(c, g->block[e]);
        *place++ = before;
      }
  }
}

/* The pattern of M by rows. */
static perp_error lay_out(perp_coupled *s, const coupling *g)
{
  const perp_contact *c = s->contact;
  const int m = c->data.velocities, *first = c->data.block_start;
  perp_run *run = s->run;
  int64_t *start = perp_arena_alloc(run->arena, (size_t)m + 1, sizeof *start);
  if (!start)
    return perp_run_no_memory(run);
  start[0] = 0;
  for (int k = 0; k < c->data.blocks; k++) {
    int64_t length = 0;
    for (int64_t e = g->start[k]; e < g->start[k + 1]; e++)
      length += perp_contact_block_size(c, g->block[e]);
    for (int v = first[k]; v < first[k + 1]; v++)
      start[v + 1] = start[v] + length;
  }
  int *column = perp_run_integers(run, (size_t)start[m]);
  s->value = perp_run_reals(run, (size_t)start[m]);
  s->place = perp_run_integers(run, (size_t)s->place_start[s->n]);
  if (!column || !s->value || !s->place)
    return perp_run_no_memory(run);
  for (int k = 0; k < c->data.blocks; k++)
    for (int v = first[k]; v < first[k + 1]; v++) {
      int64_t at = start[v];
      for (int64_t e = g->start[k]; e < g->start[k + 1]; e++)
        for (int w = first[g->block[e]]; w < first[g->block[e] + 1]; w++)
          column[at++] = w;
    }
  place_pieces(s, g);
  s->M = (perp_sparse){.n = m, .start = start, .column = column, .value = s->value};
  return PERP_OK;
}

static perp_error open_velocities(perp_coupled *s)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++)
    s->own[i] = c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
  coupling g = {0};
  perp_error error = list_blocks(s);
  if (!error)
    error = find_coupling(s, &g);
  return error ? error : lay_out(s, &g);
}

/* ---- In velocities: the numbers ---- */

/* combined <- combined + factor J_j, over the blocks that row i touches. */
static void add_row(const perp_coupled *s, int i, int j, double factor)
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

/* M <- M + Minv J_i^T (D^-1 J)_i */
static void add_product(perp_coupled *s, int i)
{
  const perp_contact *c = s->contact;
  const int count = touched_by(s, i), *place = s->place + s->place_start[i];
  const int *touched = s->touch + s->touch_start[i];
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++, place += count) {
    const int first = c->data.block_start[c->pair_block[p]];
    const int size = perp_contact_block_size(c, c->pair_block[p]);
    const double *W = c->W + c->pair_W[p];
    for (int a = 0; a < size; a++) {
      double *row = s->value + s->M.start[first + a];
      const double *from = s->combined;
      for (int l = 0; l < count; l++) {
        const int columns = perp_contact_block_size(c, touched[l]);
        for (int b = 0; b < columns; b++)
          row[place[l] + b] += W[a] * from[b];
        from += columns;
      }
    }
  }
}

/* M <- I + Minv J^T D^-1 J */
static void assemble_velocities(perp_coupled *s)
{
  perp_fill(s->M.start[s->M.n], 0, s->value);
  for (int v = 0; v < s->M.n; v++)
    for (int64_t e = s->M.start[v]; e < s->M.start[v + 1]; e++)
      if (s->M.column[e] == v)
        s->value[e] = 1;
  for (int i = 0; i < s->n; i++) {
    if (s->inverse[i] == 0)
      continue;
    int width = 0;
    for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
      width += perp_contact_block_size(s->contact, s->touch[l]);
    perp_fill(width, 0, s->combined);
    add_row(s, i, i, s->inverse[i]);
    if (s->normal[i] >= 0)
      add_row(s, i, s->normal[i], -s->e[i] * s->inverse[s->normal[i]] * s->inverse[i]);
    add_product(s, i);
  }
}

/* z <- D^-1 z */
static void divide(const perp_coupled *s, double *z)
{
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] < 0)
      z[i] *= s->inverse[i];
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] >= 0)
      z[i] = (z[i] - s->e[i] * z[s->normal[i]]) * s->inverse[i];
}

/* ---- In z ---- */

/* A by rows, with a place for (i, normal_i) in each. */
static perp_error open_entries(perp_coupled *s)
{
  perp_run *run = s->run;
  perp_gathered g;
  const perp_error error = perp_gather(run, false, &g);
  if (error || perp_run_expired(run))
    return error;
  if (!g.column)
    return perp_run_fail(run, PERP_ERROR_MEMORY, "ipm: the entries of A take more than the limit");
  const size_t n = (size_t)s->n, room = (size_t)g.start[n] + n;
  int64_t *start = perp_arena_alloc(run->arena, n + 1, sizeof *start);
  int *column = perp_run_integers(run, room);
  s->entries = perp_run_reals(run, room);
  s->value = perp_run_reals(run, room);
  s->diagonal = perp_arena_alloc(run->arena, n, sizeof *s->diagonal);
  s->beside = perp_arena_alloc(run->arena, n, sizeof *s->beside);
  if (!start || !column || !s->entries || !s->value || !s->diagonal || !s->beside)
    return perp_run_no_memory(run);
  int64_t at = 0;
  for (int i = 0; i < s->n; i++) {
    const int j = s->normal[i];
    start[i] = at;
    s->beside[i] = -1;
    for (int64_t e = g.start[i]; e <= g.start[i + 1]; e++) {
      const int k = e < g.start[i + 1] ? g.column[e] : s->n;
      if (j >= 0 && s->beside[i] < 0 && k >= j) {
        s->beside[i] = at;
        if (k != j) {
          column[at] = j;
          s->entries[at++] = 0;
        }
      }
      if (k == i)
        s->diagonal[i] = at;
      if (k < s->n) {
        column[at] = k;
        s->entries[at++] = g.value[e];
      }
    }
  }
  start[n] = at;
  s->M = (perp_sparse){.n = s->n, .start = start, .column = column, .value = s->value};
  return PERP_OK;
}

static void assemble_entries(perp_coupled *s)
{
  perp_copy(s->M.start[s->n], s->entries, s->value);
  for (int k = 0; k < s->m; k++) {
    const int i = s->all[k];
    s->value[s->diagonal[i]] += s->d[i];
    if (s->beside[i] >= 0)
      s->value[s->beside[i]] += s->e[i];
  }
}

/* ---- Factors ---- */

static perp_error open_factor(perp_coupled *s)
{
  const size_t m = (size_t)s->M.n;
  perp_run *run = s->run;
  s->all = perp_run_integers(run, m);
  s->v = perp_run_reals(run, m > (size_t)s->n ? m : (size_t)s->n);
  s->t = perp_run_reals(run, (size_t)s->n);
  s->q = perp_run_reals(run, (size_t)s->n);
  if (!s->all || !s->v || !s->t || !s->q)
    return perp_run_no_memory(run);
  if (m > DENSE_IS_FASTER && perp_sparse_lu_available()) {
    s->lu = perp_sparse_lu_open(&s->M, run->arena);
    if (!s->lu)
      return perp_run_no_memory(run);
    perp_sparse_lu_plain(s->lu);
    return PERP_OK;
  }
  if (!perp_run_allows(run, (double)m * (double)m * sizeof *s->LU))
    return perp_run_fail(run, PERP_ERROR_MEMORY,
                         "ipm: a factor of %d rows takes more than the limit", s->M.n);
  s->LU = perp_run_reals(run, m * m);
  s->swap = perp_run_integers(run, m);
  return s->LU && s->swap ? PERP_OK : perp_run_no_memory(run);
}

perp_error perp_coupled_open(perp_coupled *s, perp_run *run, const int *normal)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *s = (perp_coupled){.run = run,
                      .n = A->n,
                      .normal = normal,
                      .own = perp_arena_alloc_zero(run->arena, n, sizeof(double)),
                      .inverse = perp_run_reals(run, n)};
  if (!s->own || !s->inverse)
    return perp_run_no_memory(run);
  const bool contact = perp_operator_is_contact(A) && perp_contact_of(A)->C_is_diagonal;
  if (!contact && !A->table->row)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "ipm with friction needs the rows of A or a contact operator");
  s->contact = contact ? perp_contact_of(A) : NULL;
  const perp_error error = contact ? open_velocities(s) : open_entries(s);
  return error || perp_run_expired(run) ? error : open_factor(s);
}

void perp_coupled_close(perp_coupled *s)
{
  perp_sparse_lu_free(s->lu);
}

/* Dense: M of the rows that take part. */
static bool factor_dense(perp_coupled *s)
{
  const int m = s->m;
  int *position = s->swap;
  for (int i = 0; i < s->M.n; i++)
    position[i] = -1;
  for (int k = 0; k < m; k++)
    position[s->all[k]] = k;
  perp_fill((int64_t)m * m, 0, s->LU);
  for (int k = 0; k < m; k++)
    for (int64_t e = s->M.start[s->all[k]]; e < s->M.start[s->all[k] + 1]; e++)
      if (position[s->M.column[e]] >= 0)
        s->LU[(int64_t)k * m + position[s->M.column[e]]] = s->value[e];
  s->dense = perp_lu_factor(m, s->LU, m, s->swap);
  return s->dense.singular < 0;
}

bool perp_coupled_set(perp_coupled *s, const double *d, const double *e)
{
  s->d = d;
  s->e = e;
  s->m = 0;
  s->too_long = false;
  for (int i = 0; i < s->n; i++)
    s->inverse[i] = d[i] < INFINITY ? 1 / (d[i] + s->own[i]) : 0;
  for (int i = 0; i < s->M.n; i++)
    if (s->contact || d[i] < INFINITY)
      s->all[s->m++] = i;
  if (s->contact)
    assemble_velocities(s);
  else
    assemble_entries(s);
  s->run->count.factorisations++;
  const double most = perp_run_flops(s->run);
  double flops = 2.0 / 3 * (double)s->m * s->m * s->m;
  if (s->lu) {
    if (perp_sparse_lu_factor(s->lu, s->m, s->all, NULL, most))
      return true;
    flops = perp_sparse_lu_flops(s->lu);
  }
  s->too_long = flops > most;
  if (s->too_long) {
    perp_run_too_long(s->run, "a factor", s->m);
    return false;
  }
  return !s->lu && factor_dense(s);
}

/* ---- Solutions ---- */

static void solve_factored(perp_coupled *s, double *x)
{
  s->run->count.solves++;
  if (!s->lu)
    perp_lu_solve(&s->dense, x);
  else if (!perp_sparse_lu_solve(s->lu, x))
    x[0] = NAN;
}

/* z <- z + the solution for r */
static void add(perp_coupled *s, const double *r, double *z)
{
  if (!s->contact) {
    for (int k = 0; k < s->m; k++)
      s->v[k] = r[s->all[k]];
    solve_factored(s, s->v);
    for (int k = 0; k < s->m; k++)
      z[s->all[k]] += s->v[k];
    return;
  }
  const perp_contact *c = s->contact;
  /* t = D^-1 r, v = Minv J^T t */
  perp_copy(s->n, r, s->t);
  divide(s, s->t);
  perp_fill(s->M.n, 0, s->v);
  for (int i = 0; i < s->n; i++)
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      perp_axpy(perp_contact_block_size(c, c->pair_block[p]), s->t[i], c->W + c->pair_W[p],
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

/* q <- r - (A + diag(d)) z - e z_normal; its norm. */
static double residual(perp_coupled *s, const double *r, const double *z)
{
  perp_run_apply(s->run, z, s->q);
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    const double coupled = s->normal[i] >= 0 ? s->e[i] * z[s->normal[i]] : 0;
    s->q[i] = s->d[i] < INFINITY ? r[i] - s->q[i] - s->d[i] * z[i] - coupled : 0;
    sum += s->q[i] * s->q[i];
  }
  return sqrt(sum);
}

bool perp_coupled_solve(perp_coupled *s, const double *r, double *z)
{
  enum { REFINEMENTS = 3 };
  perp_fill(s->n, 0, z);
  add(s, r, z);
  double before = residual(s, r, z), whole = 0;
  for (int i = 0; i < s->n; i++)
    whole += s->d[i] < INFINITY ? r[i] * r[i] : 0;
  for (int k = 0; k < REFINEMENTS && before > 1e-11 * sqrt(whole); k++) {
    add(s, s->q, z);
    const double now = residual(s, r, z);
    if (!(now < 0.5 * before))
      break;
    before = now;
  }
  return perp_all_finite(s->n, z);
}
