/* coupled.c: assembles and solves systems with a small matrix for each contact
 *
 * Cost of a set: a pass over the entries of J, or of A, times the rows of a contact, and the
 * factor. Workspace: the factor, the squares of the contacts. */
#include "method/contact/coupled.h"

#include "base/random.h"
#include "linalg/vector.h"
#include "method/contact/body_rows.h"
#include "method/run/factor_cache.h"
#include "method/system/gather.h"
#include "operator/contact/recognise.h"

#include <string.h>

enum { DENSE_MOST = 90 }; /* rows up to which a dense factor is faster than a block factor */

typedef enum perp_coupled_kind { BY_VELOCITIES, BY_MATRIX, BY_CONTACTS } perp_coupled_kind;

struct perp_coupled {
  perp_keep keep; /* first */
  perp_run *run;
  size_t limit; /* bytes that were allowed */
  perp_coupled_kind kind;
  perp_contact_list contacts; /* a copy */
  const double *T;            /* the caller's */
  double *own;                /* n */
  double *t;                  /* n */

  const perp_contact *contact; /* velocities */
  perp_operator *seen;         /* velocities: the recognised operator, owned; NULL: A's own */
  double *scratch;             /* velocities: for its products */
  double seen_error;           /* velocities: error of a product, for x of size 1 */
  perp_body_pattern pattern;   /* velocities: the pattern of the bodies */
  perp_body_rows rows;         /* velocities */
  double *v;                   /* m */

  perp_gathered entries; /* blocks */
  int *at;               /* count: position of a block in the list of a contact */
  int *position;         /* n: position of a row in its contact */

  int64_t *touch_start; /* blocks: count + 1: the contacts that a contact touches */
  int *touch;
  perp_body_block *piece; /* blocks: by contact, touched */
  perp_body_matrix M;     /* to be closed */

  double *matrix, *scale; /* dense: n x n, n */
  int *swap;
  perp_lu lu;
  bool too_long;
};

/* ---- Opening ---- */

static bool copy_contacts(perp_coupled *s, const perp_contact_list *of)
{
  const size_t n = (size_t)of->n, count = (size_t)of->count;
  perp_contact_list *c = &s->contacts;
  *c = *of;
  c->unit = NULL;
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(c->start, count + 1), PERP_ARRAY(c->row, n),
                 PERP_ARRAY(c->of, n), PERP_ARRAY(c->block, count + 1)))
    return false;
  memcpy(c->start, of->start, (count + 1) * sizeof *c->start);
  memcpy(c->row, of->row, n * sizeof *c->row);
  memcpy(c->of, of->of, n * sizeof *c->of);
  memcpy(c->block, of->block, (count + 1) * sizeof *c->block);
  return true;
}

/* Returns true if velocities can be used: C is diagonal and equal in both tangents of a cone, so
 * that a projection onto the cone has no preferred direction. */
static bool fits_velocities(const perp_operator *A, int cones)
{
  if (!perp_operator_is_contact(A) || !perp_contact_of(A)->C_is_diagonal)
    return false;
  for (int c = 0; c < cones; c++)
    if (perp_body_compliance(perp_contact_of(A), 3 * c + 1) !=
        perp_body_compliance(perp_contact_of(A), 3 * c + 2))
      return false;
  return true;
}

static perp_coupled_kind choose(const perp_operator *A, int cones)
{
  const double *a;
  int64_t stride;
  if (fits_velocities(A, cones))
    return BY_VELOCITIES;
  return A->n <= DENSE_MOST || perp_operator_dense_array(A, &a, &stride) == PERP_OK ? BY_MATRIX
                                                                                    : BY_CONTACTS;
}

static void take_compliance(perp_coupled *s)
{
  for (int i = 0; i < s->contacts.n; i++)
    s->own[i] = s->kind == BY_VELOCITIES && !s->seen ? perp_body_compliance(s->contact, i) : 0;
}

static perp_error open_velocities(perp_coupled *s)
{
  const perp_contact_list *g = &s->contacts;
  s->contact = s->seen ? perp_contact_of(s->seen) : perp_contact_newton(s->run->problem->A);
  s->v = perp_run_reals(s->run, (size_t)s->contact->data.velocities);
  if (!s->v)
    return perp_run_no_memory(s->run);
  if (!perp_body_pattern_copy(s->run, s->contact, &s->pattern))
    return perp_run_no_memory(s->run);
  perp_body_rows *r = &s->rows;
  if (!perp_body_rows_open(s->run, s->contact, g, r))
    return perp_run_no_memory(s->run);
  const int64_t pieces = r->piece_start[g->count];
  perp_error error = perp_body_matrix_fits(s->run, (double)pieces, g->count, "contacts");
  if (error || perp_run_expired(s->run))
    return error;
  r->piece = perp_arena_alloc(s->run->arena, (size_t)pieces, sizeof *r->piece);
  if (!r->piece)
    return perp_run_no_memory(s->run);
  error =
      perp_body_matrix_open(&s->M, s->run, &s->pattern.bodies, g->count, r->touch_start, r->touch);
  if (error || perp_run_expired(s->run))
    return error;
  perp_body_block *piece = r->piece;
  for (int k = 0; k < g->count; k++)
    for (int64_t a = r->touch_start[k]; a < r->touch_start[k + 1]; a++)
      for (int64_t b = r->touch_start[k]; b < r->touch_start[k + 1]; b++)
        *piece++ = perp_body_matrix_find(&s->M, r->touch[a], r->touch[b]);
  perp_body_rows_take(r, s->contact);
  return PERP_OK;
}

static perp_error no_rows(perp_run *run)
{
  return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                       "%s needs the rows of A for friction, or a contact operator",
                       perp_run_method(run));
}

static perp_error open_dense(perp_coupled *s)
{
  const size_t n = (size_t)s->contacts.n;
  if (!perp_run_allows(s->run, (double)n * (double)n * sizeof *s->matrix))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "a factor of %d rows needs more than memory_limit", (int)n);
  const perp_operator *A = s->run->problem->A;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) != PERP_OK && !A->table->row)
    return no_rows(s->run);
  const size_t room = (size_t)perp_operator_row_capacity(A);
  const size_t row = room > n ? room : n;
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(s->matrix, n * n), PERP_ARRAY(s->scale, row),
                 PERP_ARRAY(s->swap, row)))
    return perp_run_no_memory(s->run);
  return PERP_OK;
}

/* Fills touch: the contacts that entries of A couple with each contact, including itself. */
static perp_error list_couplings(perp_coupled *s)
{
  const perp_gathered *e = &s->entries;
  const perp_contact_list *g = &s->contacts;
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(s->touch_start, g->count + 1),
                 PERP_ARRAY(s->at, g->count), PERP_ARRAY(s->position, g->n)))
    return perp_run_no_memory(s->run);
  for (int pass = 0; pass < 2; pass++) { /* count, then store */
    int64_t count = 0;
    for (int c = 0; c < g->count; c++)
      s->at[c] = -1;
    s->touch_start[0] = 0;
    for (int c = 0; c < g->count; c++) {
      for (int k = g->start[c]; k < g->start[c + 1]; k++)
        for (int64_t t = e->start[g->row[k]]; t < e->start[g->row[k] + 1]; t++) {
          const int other = g->of[e->column[t]];
          if (s->at[other] == c)
            continue;
          s->at[other] = c;
          if (pass > 0)
            s->touch[count] = other;
          count++;
        }
      s->touch_start[c + 1] = count;
    }
    if (pass == 0 && !(s->touch = perp_run_integers(s->run, (size_t)count)))
      return perp_run_no_memory(s->run);
  }
  for (int k = 0; k < g->n; k++)
    s->position[g->row[k]] = k - g->start[g->of[g->row[k]]];
  return PERP_OK;
}

/* seen_error <- the error of a product by the bodies with numbers in [-1, 1] */
static perp_error compare_products(perp_coupled *s)
{
  const int n = s->contacts.n;
  double *x, *y, *z;
  s->scratch = perp_run_reals(s->run, perp_operator_scratch(s->seen));
  if (!s->scratch || !PERP_TAKE_REALS(s->run->arena, (size_t)n, &x, &y, &z))
    return perp_run_no_memory(s->run);
  perp_random random = perp_random_from(s->run->options->seed + 1);
  for (int i = 0; i < n; i++)
    x[i] = perp_random_between(&random, -1, 1);
  perp_run_apply(s->run, x, y);
  const perp_work work = {.threads = s->run->options->threads, .scratch = s->scratch};
  s->seen->table->apply(s->seen, x, z, &work);
  s->seen_error = perp_distance_inf(n, y, z);
  return PERP_OK;
}

/* Switches to velocities if the bodies of the contacts can be recognised. */
static perp_error look_for_bodies(perp_coupled *s)
{
  const perp_contact_list *g = &s->contacts;
  const perp_gathered *e = &s->entries;
  const perp_sparse A = {.n = g->n, .start = e->start, .column = e->column, .value = e->value};
  perp_contact_data data;
  perp_message unused;
  const perp_alarm alarm = perp_run_alarm(s->run);
  perp_error error =
      perp_contact_recognise(&A, g->count, g->start, g->row, &alarm, s->run->arena, &data);
  if (!error && data.rows > 0)
    error = perp_operator_contact(&data, PERP_BORROW, &s->seen, &unused);
  if (error || !s->seen) {
    s->seen = NULL;
    return error == PERP_ERROR_MEMORY ? perp_run_no_memory(s->run) : PERP_OK;
  }
  return compare_products(s);
}

static perp_error open_blocks(perp_coupled *s)
{
  perp_run *run = s->run;
  const perp_contact_list *g = &s->contacts;
  if (!run->problem->A->table->row)
    return no_rows(run);
  perp_error error = perp_gather(run, &s->entries);
  if (error || perp_run_expired(run))
    return error;
  if (!s->entries.column)
    return perp_run_fail(run, PERP_ERROR_MEMORY, "the entries of A need more than memory_limit");
  error = look_for_bodies(s);
  if (error || perp_run_expired(run))
    return error;
  if (s->seen) {
    s->kind = BY_VELOCITIES;
    return open_velocities(s);
  }
  error = list_couplings(s);
  if (error)
    return error;
  const int64_t couplings = s->touch_start[g->count];
  error = perp_body_matrix_fits(s->run, (double)couplings, g->count, "contacts");
  if (error || perp_run_expired(run))
    return error;
  int64_t *pair;
  int *member;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->piece, couplings), PERP_ARRAY(pair, couplings + 1),
                 PERP_ARRAY(member, 2 * couplings)))
    return perp_run_no_memory(run);
  pair[0] = 0;
  for (int c = 0; c < g->count; c++)
    for (int64_t t = s->touch_start[c]; t < s->touch_start[c + 1]; t++) {
      member[2 * t] = c;
      member[2 * t + 1] = s->touch[t];
      pair[t + 1] = 2 * t + 2;
    }
  s->pattern.bodies =
      (perp_contact_data){.blocks = g->count, .block_start = g->start, .velocities = g->n};
  error = perp_body_matrix_open(&s->M, run, &s->pattern.bodies, (int)couplings, pair, member);
  if (error || perp_run_expired(run))
    return error;
  for (int c = 0; c < g->count; c++)
    for (int64_t t = s->touch_start[c]; t < s->touch_start[c + 1]; t++)
      s->piece[t] = perp_body_matrix_find(&s->M, c, s->touch[t]);
  return PERP_OK;
}

/* ---- The matrix ---- */

/* M <- M + T A, by contacts */
static void assemble_blocks(perp_coupled *s)
{
  const perp_contact_list *g = &s->contacts;
  const perp_gathered *e = &s->entries;
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

/* matrix <- I + T A, its rows brought to order one */
static void assemble_dense(perp_coupled *s)
{
  const perp_contact_list *g = &s->contacts;
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
    s->scale[i] = perp_inverse_power(perp_norm_inf(n, s->matrix + (int64_t)i * n));
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
  if (s->kind == BY_MATRIX)
    return factor_dense(s);
  bool done = perp_body_matrix_affords(&s->M);
  if (done) {
    perp_body_matrix_reset(&s->M);
    if (s->kind == BY_VELOCITIES) /* I + Minv J^T T J */
      perp_body_rows_assemble(&s->rows, T);
    else
      assemble_blocks(s);
    done = perp_body_matrix_factor(&s->M);
  }
  s->too_long = s->M.too_long;
  return done;
}

int perp_coupled_sign(const perp_coupled *s)
{
  if (s->kind != BY_MATRIX)
    return perp_body_matrix_sign(&s->M);
  return s->lu.singular < 0 ? perp_lu_sign(&s->lu) : 0;
}

/* ---- Solutions ---- */

/* z <- z - T t in the rows of a contact */
KERNEL void subtract_times(int size, const double *restrict T, const int *restrict row,
                           const double *restrict t, double *restrict z)
{
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      z[row[i]] -= T[i * size + j] * t[row[j]];
}

/* z <- s - T J w with (I + Minv J^T T J) w = Minv J^T s; t: scratch */
static bool solve_velocities(perp_coupled *s, const double *right, double *z)
{
  perp_body_rows_gather(&s->rows, right, s->v);
  if (!perp_body_matrix_solve(&s->M, s->v))
    return false;
  perp_body_rows_spread(&s->rows, s->v, s->t);
  if (z != right)
    perp_copy(s->contacts.n, right, z);
  const perp_contact_list *g = &s->contacts;
  for (int k = 0; k < g->count; k++) {
    const int size = perp_contact_rows(g, k), *row = g->row + g->start[k];
    if (size == 3)
      subtract_times(3, s->T + g->block[k], row, s->t, z); /* unrolled */
    else
      subtract_times(size, s->T + g->block[k], row, s->t, z);
  }
  return true;
}

bool perp_coupled_solve(perp_coupled *s, const double *right, double *z)
{
  const perp_contact_list *g = &s->contacts;
  const int n = g->n;
  if (s->kind == BY_VELOCITIES)
    return solve_velocities(s, right, z) && perp_all_finite(n, z);
  if (s->kind == BY_MATRIX) {
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

const perp_body_rows *perp_coupled_rows(const perp_coupled *s)
{
  return s->kind == BY_VELOCITIES ? &s->rows : NULL;
}

bool perp_coupled_solve_bodies(perp_coupled *s, double *v)
{
  return perp_body_matrix_solve(&s->M, v);
}

const double *perp_coupled_rest(const perp_coupled *s)
{
  return s->kind == BY_VELOCITIES ? s->t : NULL;
}

void perp_coupled_times(const perp_contact_list *g, const double *T, const double *r, double *z)
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

/* Returns true if A x is J (Minv J^T x) + own x with the packed rows. */
static bool multiplies_rows(const perp_coupled *s)
{
  return s->kind == BY_VELOCITIES && !s->seen && !s->contact->data.M_start;
}

/* p <- J Minv J^T x */
static void multiply_rows(perp_coupled *s, const double *x, double *p)
{
  perp_body_rows_gather(&s->rows, x, s->v);
  perp_body_rows_spread(&s->rows, s->v, p);
  s->run->count.applies++;
}

/* Uses the recognised bodies, which takes a fraction of the time of the rows of A, unless their
 * error matters against the target, as for the large forces of heavy stacks. */
void perp_coupled_product(perp_coupled *s, const double *x, double *p)
{
  const double share = 0.1;
  if (multiplies_rows(s)) {
    multiply_rows(s, x, p);
    for (int i = 0; i < s->contacts.n; i++)
      p[i] += s->own[i] * x[i];
    return;
  }
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
  if (multiplies_rows(s)) {
    multiply_rows(s, x, p);
    return;
  }
  perp_coupled_product(s, x, p);
  for (int i = 0; i < s->contacts.n; i++)
    p[i] -= s->own[i] * x[i];
}

/* ---- Kept systems ---- */

static void close_parts(void *state)
{
  perp_coupled *s = state;
  perp_body_matrix_close(&s->M);
  perp_operator_destroy(s->seen);
}

static perp_error open_new(perp_run *run, const void *plan, void **state)
{
  const perp_contact_list *contacts = plan;
  perp_coupled *s = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->run = run;
  s->limit = run->options->memory_limit;
  s->kind = choose(run->problem->A, run->problem->K.cones);
  const size_t n = (size_t)contacts->n;
  if (!copy_contacts(s, contacts) || !PERP_TAKE_REALS(run->arena, n, &s->own, &s->t))
    return perp_run_no_memory(run);
  const perp_error error = s->kind == BY_VELOCITIES ? open_velocities(s)
                           : s->kind == BY_MATRIX   ? open_dense(s)
                                                    : open_blocks(s);
  if (!error)
    take_compliance(s);
  s->keep.whole = !error && !perp_run_expired(run);
  return error;
}

/* Reuses the system for a new run. Returns false if it must be opened again. */
static bool reopen(void *state, perp_run *run, const void *plan, bool holds)
{
  perp_coupled *s = state;
  const perp_contact_list *g = plan;
  const perp_contact_list *mine = &s->contacts;
  const perp_operator *A = run->problem->A;
  if (!s->keep.whole || mine->n != g->n || mine->count != g->count || mine->cones != g->cones ||
      s->limit != run->options->memory_limit ||
      (s->seen ? BY_CONTACTS : s->kind) != choose(A, g->cones) || (s->seen && !holds) ||
      memcmp(mine->start, g->start, ((size_t)g->count + 1) * sizeof(int)) != 0 ||
      memcmp(mine->row, g->row, (size_t)g->n * sizeof(int)) != 0)
    return false;
  s->run = run;
  s->too_long = false;
  if (s->kind == BY_VELOCITIES && !s->seen) {
    if (!perp_body_pattern_is(&s->pattern, perp_contact_newton(A)))
      return false;
    s->contact = perp_contact_newton(A);
    take_compliance(s);
    perp_body_rows_take(&s->rows, s->contact);
  }
  if (s->kind == BY_CONTACTS && !holds && !perp_gather_again(run, &s->entries))
    return false;
  if (s->kind != BY_MATRIX)
    perp_body_matrix_reopen(&s->M, run);
  return !perp_run_expired(run);
}

static const perp_keeper keeper = {open_new, reopen, close_parts};

perp_error perp_coupled_open(perp_run *run, const perp_contact_list *contacts,
                             perp_coupled **system)
{
  void *state;
  const perp_error error = perp_keep_open(run, &keeper, &keeper, contacts, &state);
  *system = state;
  return error;
}

void perp_coupled_close(perp_coupled *s)
{
  perp_keep_close(&keeper, s ? s->run : NULL, s);
}

const double *perp_coupled_own(const perp_coupled *s)
{
  return s->own;
}

bool perp_coupled_too_long(const perp_coupled *s)
{
  return s->too_long;
}
