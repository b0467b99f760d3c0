/* coupled.c: see coupled.h
 *
 * Cost of a set: a pass over the entries of J, or of A, times the rows of a contact, and the factor.
 * Workspace: the factor, the squares of the contacts. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/coupled_parts.h"

/* ---- The matrix in velocities ---- */

/* rows <- J of contact k over the bodies it touches, row by row; returns its width. */
static int take_rows(const perp_coupled *s, int k, double *rows)
{
  const perp_contact *c = s->contact;
  const perp_contacts *g = &s->contacts;
  int width = 0;
  for (int64_t l = s->touch_start[k]; l < s->touch_start[k + 1]; l++)
    width += perp_contact_block_size(c, s->touch[l]);
  perp_fill((int64_t)perp_contact_rows(g, k) * width, 0, rows);
  for (int r = g->start[k]; r < g->start[k + 1]; r++, rows += width) {
    const int i = g->row[r], *touched = s->touch + s->touch_start[k];
    double *at = rows;
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      for (; *touched != c->pair_block[p]; touched++)
        at += perp_contact_block_size(c, *touched);
      const int first = c->data.block_start[*touched];
      for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
        at[c->data.J_column[e] - first] = c->data.J_value[e];
    }
  }
  return width;
}

/* weights <- Minv J^T of contact k over the bodies it touches, row by row. */
static void take_weights(const perp_coupled *s, int k, int width, double *weights)
{
  const perp_contact *c = s->contact;
  const perp_contacts *g = &s->contacts;
  perp_fill((int64_t)perp_contact_rows(g, k) * width, 0, weights);
  for (int r = g->start[k]; r < g->start[k + 1]; r++, weights += width) {
    const int i = g->row[r], *touched = s->touch + s->touch_start[k];
    double *at = weights;
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      for (; *touched != c->pair_block[p]; touched++)
        at += perp_contact_block_size(c, *touched);
      perp_copy(perp_contact_block_size(c, *touched), c->W + c->pair_W[p], at);
    }
  }
}

/* out <- T in, T size x size, the others size x width */
static void times_rows(int size, int width, const double *restrict T, const double *restrict in,
                       double *restrict out)
{
  for (int i = 0; i < size; i++)
    for (int a = 0; a < width; a++) {
      double sum = 0;
      for (int j = 0; j < size; j++)
        sum += T[i * size + j] * in[j * width + a];
      out[i * width + a] = sum;
    }
}

/* One piece <- itself + W^T G, rows x columns of 3 or 6, which are constants: a row is summed on its own
 * first, and written where it belongs then. */
static inline void add_piece(const perp_body_block *piece, int size, int width, int rows,
                             int columns, const double *restrict W, const double *restrict G)
{
  double sum[6];
  for (int a = 0; a < rows; a++) {
    double *at = piece->at + a * piece->down;
    for (int b = 0; b < columns; b++)
      sum[b] = 0;
    for (int i = 0; i < size; i++)
      for (int b = 0; b < columns; b++)
        sum[b] += W[i * width + a] * G[i * width + b];
    if (piece->across == 1)
      for (int b = 0; b < columns; b++)
        at[b] += sum[b];
    else
      for (int b = 0; b < columns; b++)
        at[b * piece->across] += sum[b];
  }
}

/* The same for blocks of any size. */
static void add_any_piece(const perp_body_block *piece, int size, int width, int rows, int columns,
                          const double *restrict W, const double *restrict G)
{
  for (int a = 0; a < rows; a++)
    for (int b = 0; b < columns; b++) {
      double sum = 0;
      for (int i = 0; i < size; i++)
        sum += W[i * width + a] * G[i * width + b];
      piece->at[a * piece->down + b * piece->across] += sum;
    }
}

/* M <- I + Minv J^T T J */
static void assemble_velocities(perp_coupled *s)
{
  const perp_contacts *g = &s->contacts;
  const perp_contact *c = s->contact;
  perp_body_matrix_reset(&s->M);
  for (int k = 0; k < g->count; k++) {
    const int size = perp_contact_rows(g, k);
    const double *T = s->T + g->block[k];
    if (perp_all_zero((int64_t)size * size, T))
      continue;
    const int width = take_rows(s, k, s->rows);
    double *G = s->rows + (int64_t)size * width, *W = G + (int64_t)size * width;
    times_rows(size, width, T, s->rows, G);
    take_weights(s, k, width, W);
    const perp_body_block *piece = s->piece + s->piece_start[k];
    const double *to = W;
    for (int64_t a = s->touch_start[k]; a < s->touch_start[k + 1]; a++) {
      const int rows = perp_contact_block_size(c, s->touch[a]);
      const double *from = G;
      for (int64_t b = s->touch_start[k]; b < s->touch_start[k + 1]; b++, piece++) {
        const int columns = perp_contact_block_size(c, s->touch[b]);
        if (rows == 6 && columns == 6 && size == 3)
          add_piece(piece, 3, width, 6, 6, to, from);
        else if (rows == 3 && columns == 3 && size == 2)
          add_piece(piece, 2, width, 3, 3, to, from);
        else
          add_any_piece(piece, size, width, rows, columns, to, from);
        from += columns;
      }
      to += rows;
    }
  }
}

/* ---- The matrix by rows ---- */

/* M <- I + T A, by contacts */
static void assemble_blocks(perp_coupled *s)
{
  const perp_contacts *g = &s->contacts;
  const perp_gathered *e = &s->entries;
  perp_body_matrix_reset(&s->M);
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c);
    const double *T = s->T + g->block[c];
    if (perp_all_zero((int64_t)size * size, T))
      continue;
    for (int64_t t = s->touch_start[c]; t < s->touch_start[c + 1]; t++)
      s->at[s->touch[t]] = (int)(t - s->touch_start[c]);
    for (int k = 0; k < size; k++) {
      const int row = g->row[g->start[c] + k];
      for (int64_t q = e->start[row]; q < e->start[row + 1]; q++) {
        const int j = e->column[q];
        const perp_body_block *piece = s->piece + s->touch_start[c] + s->at[g->of[j]];
        double *at = piece->at + s->position[j] * piece->across;
        for (int i = 0; i < size; i++)
          at[i * piece->down] += T[i * size + k] * e->value[q];
      }
    }
  }
}

/* A power of two near 1 / a, exact to multiply with; 1 if a is none to divide by. */
static double inverse_power(double a)
{
  return a > 1e-300 && a < INFINITY ? ldexp(1, -ilogb(a)) : 1;
}

/* matrix <- I + T A, its rows brought to order one */
static void assemble_dense(perp_coupled *s)
{
  const perp_contacts *g = &s->contacts;
  const perp_operator *A = s->run->problem->A;
  const int n = g->n;
  const double *a = NULL;
  int64_t stride = 0;
  const bool stored = perp_operator_dense_array(A, &a, &stride) == PERP_OK;
  perp_fill((int64_t)n * n, 0, s->matrix);
  for (int i = 0; i < n; i++)
    s->matrix[(int64_t)i * n + i] = 1;
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c), *row = g->row + g->start[c];
    const double *T = s->T + g->block[c];
    for (int k = 0; k < size; k++) {
      int columns = n;
      if (!stored)
        columns = A->table->row(A, row[k], s->swap, s->scale);
      for (int i = 0; i < size; i++) {
        double *to = s->matrix + (int64_t)row[i] * n;
        const double factor = T[i * size + k];
        if (factor == 0)
          continue;
        if (stored)
          perp_axpy(n, factor, a + row[k] * stride, to);
        else
          for (int q = 0; q < columns; q++)
            to[s->swap[q]] += factor * s->scale[q];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    s->scale[i] = inverse_power(perp_norm_inf(n, s->matrix + (int64_t)i * n));
    perp_multiply(n, s->scale[i], s->matrix + (int64_t)i * n);
  }
}

static bool factor_dense(perp_coupled *s)
{
  const double n = s->contacts.n;
  if (!perp_run_affords(s->run, 2.0 / 3 * n * n * n)) {
    s->too_long = true;
    perp_run_too_long(s->run, "a factor", s->contacts.n);
    return false;
  }
  s->run->count.factorisations++;
  assemble_dense(s);
  s->lu = perp_lu_factor(s->contacts.n, s->matrix, s->contacts.n, s->swap);
  return s->lu.singular < 0;
}

bool perp_coupled_set(perp_coupled *s, const double *T)
{
  s->T = T;
  s->too_long = false;
  if (s->kind == PERP_BY_MATRIX)
    return factor_dense(s);
  bool done = perp_body_matrix_affords(&s->M);
  if (done) {
    if (s->kind == PERP_BY_VELOCITIES)
      assemble_velocities(s);
    else
      assemble_blocks(s);
    done = perp_body_matrix_factor(&s->M, NULL);
  }
  s->too_long = s->M.too_long;
  return done;
}

/* ---- Solutions ---- */

/* z <- s - T J w with (I + Minv J^T T J) w = Minv J^T s; t: scratch */
static bool solve_velocities(perp_coupled *s, const double *right, double *z)
{
  const perp_contact *c = s->contact;
  const int n = s->contacts.n;
  perp_fill(c->data.velocities, 0, s->v);
  for (int i = 0; i < n; i++)
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
      const double *W = c->W + c->pair_W[p];
      double *v = s->v + c->data.block_start[c->pair_block[p]];
      const int size = perp_contact_block_size(c, c->pair_block[p]);
      for (int l = 0; l < size; l++)
        v[l] += right[i] * W[l];
    }
  if (!perp_body_matrix_solve(&s->M, s->v))
    return false;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int64_t e = c->data.J_start[i]; e < c->data.J_start[i + 1]; e++)
      sum += c->data.J_value[e] * s->v[c->data.J_column[e]];
    s->t[i] = sum;
  }
  if (z != right)
    perp_copy(n, right, z);
  const perp_contacts *g = &s->contacts;
  for (int k = 0; k < g->count; k++) {
    const int size = perp_contact_rows(g, k), *row = g->row + g->start[k];
    const double *T = s->T + g->block[k];
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        z[row[i]] -= T[i * size + j] * s->t[row[j]];
  }
  return true;
}

bool perp_coupled_solve(perp_coupled *s, const double *right, double *z)
{
  const perp_contacts *g = &s->contacts;
  const int n = g->n;
  if (s->kind == PERP_BY_VELOCITIES)
    return solve_velocities(s, right, z) && perp_all_finite(n, z);
  if (s->kind == PERP_BY_MATRIX) {
    s->run->count.solves++;
    for (int i = 0; i < n; i++)
      z[i] = right[i] * s->scale[i];
    perp_lu_solve(&s->lu, z);
    return perp_all_finite(n, z);
  }
  for (int k = 0; k < n; k++)
    s->t[k] = right[g->row[k]];
  if (!perp_body_matrix_solve(&s->M, s->t))
    return false;
  for (int k = 0; k < n; k++)
    z[g->row[k]] = s->t[k];
  return perp_all_finite(n, z);
}

void perp_coupled_times(const perp_contacts *g, const double *T, const double *r, double *z)
{
  for (int k = 0; k < g->count; k++) {
    const int size = perp_contact_rows(g, k), *row = g->row + g->start[k];
    const double *block = T + g->block[k];
    for (int i = 0; i < size; i++) {
      double sum = 0;
      for (int j = 0; j < size; j++)
        sum += block[i * size + j] * r[row[j]];
      z[row[i]] = sum;
    }
  }
}

/* ---- Products ---- */

/* By the bodies that were recognised, which takes a fraction of the time that the rows of A do, unless
 * their error shows beside the target: forces of heavy stacks are as large as that. */
void perp_coupled_product(perp_coupled *s, const double *x, double *p)
{
  const double share = 0.1;
  if (!s->seen || !(s->seen_error * perp_norm_inf(s->contacts.n, x) <= share * s->run->target)) {
    perp_run_apply(s->run, x, p);
    return;
  }
  const perp_work work = {.threads = s->run->options->threads, .scratch = s->scratch};
  s->seen->table->apply(s->seen, x, p, &work);
  s->run->count.applies++;
}

void perp_coupled_apply(perp_coupled *s, const double *x, double *p)
{
  perp_coupled_product(s, x, p);
  for (int i = 0; i < s->contacts.n; i++)
    p[i] -= s->own[i] * x[i];
}
