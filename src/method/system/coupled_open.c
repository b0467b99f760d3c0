/* coupled_open.c: how a system of coupled.h will be solved, from the operator; see coupled.h */
#include "base/random.h"
#include "linalg/vector.h"
#include "method/system/coupled_parts.h"
#include "operator/contact/recognise.h"

#include <string.h>

enum { DENSE_MOST = 90 }; /* rows up to which a dense factor is faster than one of blocks */

static bool copy_contacts(perp_coupled *s, const perp_contacts *of)
{
  const size_t n = (size_t)of->n, count = (size_t)of->count;
  perp_contacts *c = &s->contacts;
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

static int largest_contact(const perp_contacts *s)
{
  int most = 0;
  for (int c = 0; c < s->count; c++)
    most = perp_contact_rows(s, c) > most ? perp_contact_rows(s, c) : most;
  return most;
}

/* The compliance of row i; C is diagonal. */
static double compliance(const perp_contact *c, int i)
{
  return c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
}

/* Velocities, if C is diagonal and the same along both tangents of a cone, so that a projection onto
 * the cone knows no direction. */
static bool fits_velocities(const perp_operator *A, int cones)
{
  if (!perp_operator_is_contact(A) || !perp_contact_of(A)->C_is_diagonal)
    return false;
  for (int c = 0; c < cones; c++)
    if (compliance(perp_contact_of(A), 3 * c + 1) != compliance(perp_contact_of(A), 3 * c + 2))
      return false;
  return true;
}

static perp_coupled_kind choose(const perp_operator *A, int cones)
{
  const double *a;
  int64_t stride;
  if (fits_velocities(A, cones))
    return PERP_BY_VELOCITIES;
  return A->n <= DENSE_MOST || perp_operator_dense_array(A, &a, &stride) == PERP_OK
             ? PERP_BY_MATRIX
             : PERP_BY_CONTACTS;
}

/* Whether there is room and time for so many couplings; the run is told otherwise. */
static perp_error check_room(perp_coupled *s, double count)
{
  const double filing = 50; /* flops that would take as long as to file one */
  if (!perp_run_allows(s->run, count * (double)(2 * sizeof(int) + sizeof *s->piece)))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY,
                         "the couplings of %d contacts take more than the limit",
                         s->contacts.count);
  if (!perp_run_affords(s->run, filing * count))
    perp_run_too_long(s->run, "the order of a factor", s->contacts.n);
  return PERP_OK;
}

/* touch and piece_start: the bodies of each contact, ascending. */
static perp_error list_bodies(perp_coupled *s)
{
  const perp_contact *c = s->contact;
  const perp_contacts *g = &s->contacts;
  const int64_t room = c->pair_start[g->n];
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(s->touch_start, g->count + 1),
                 PERP_ARRAY(s->piece_start, g->count + 1), PERP_ARRAY(s->touch, room)))
    return perp_run_no_memory(s->run);
  s->touch_start[0] = s->piece_start[0] = 0;
  int widest = 0;
  for (int k = 0; k < g->count; k++) {
    int *touched = s->touch + s->touch_start[k], count = 0, width = 0;
    for (int r = g->start[k]; r < g->start[k + 1]; r++)
      for (int64_t p = c->pair_start[g->row[r]]; p < c->pair_start[g->row[r] + 1]; p++) {
        int at = count;
        while (at > 0 && touched[at - 1] > c->pair_block[p])
          at--;
        if (at > 0 && touched[at - 1] == c->pair_block[p])
          continue;
        memmove(touched + at + 1, touched + at, (size_t)(count - at) * sizeof *touched);
        touched[at] = c->pair_block[p];
        count++;
      }
    for (int l = 0; l < count; l++)
      width += perp_contact_block_size(c, touched[l]);
    widest = width > widest ? width : widest;
    s->touch_start[k + 1] = s->touch_start[k] + count;
    s->piece_start[k + 1] = s->piece_start[k] + (int64_t)count * count;
  }
  const size_t rows = (size_t)largest_contact(g);
  s->rows = perp_run_reals(s->run, 3 * rows * (size_t)widest);
  return s->rows ? PERP_OK : perp_run_no_memory(s->run);
}

static perp_error copy_pattern(perp_coupled *s)
{
  const perp_contact *c = s->contact;
  const size_t n = (size_t)s->contacts.n, blocks = (size_t)c->data.blocks;
  const size_t pairs = (size_t)c->pair_start[n];
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(s->pair_start, n + 1), PERP_ARRAY(s->pair_block, pairs),
                 PERP_ARRAY(s->block_start, blocks + 1)))
    return perp_run_no_memory(s->run);
  memcpy(s->pair_start, c->pair_start, (n + 1) * sizeof *s->pair_start);
  memcpy(s->pair_block, c->pair_block, pairs * sizeof *s->pair_block);
  memcpy(s->block_start, c->data.block_start, (blocks + 1) * sizeof *s->block_start);
  s->bodies = (perp_contact_data){
      .blocks = c->data.blocks, .block_start = s->block_start, .velocities = c->data.velocities};
  return PERP_OK;
}

static void take_compliance(perp_coupled *s)
{
  for (int i = 0; i < s->contacts.n; i++)
    s->own[i] = s->kind == PERP_BY_VELOCITIES && !s->seen ? compliance(s->contact, i) : 0;
}

static perp_error open_velocities(perp_coupled *s)
{
  const perp_contacts *g = &s->contacts;
  s->contact = perp_contact_of(s->seen ? s->seen : s->run->problem->A);
  s->v = perp_run_reals(s->run, (size_t)s->contact->data.velocities);
  if (!s->v)
    return perp_run_no_memory(s->run);
  perp_error error = copy_pattern(s);
  if (!error)
    error = list_bodies(s);
  if (!error)
    error = check_room(s, (double)s->piece_start[g->count]);
  if (error || perp_run_expired(s->run))
    return error;
  s->piece = perp_arena_alloc(s->run->arena, (size_t)s->piece_start[g->count], sizeof *s->piece);
  if (!s->piece)
    return perp_run_no_memory(s->run);
  error =
      perp_body_matrix_open(&s->M, s->run, &s->bodies, false, g->count, s->touch_start, s->touch);
  if (error || perp_run_expired(s->run))
    return error;
  perp_body_block *piece = s->piece;
  for (int k = 0; k < g->count; k++)
    for (int64_t a = s->touch_start[k]; a < s->touch_start[k + 1]; a++)
      for (int64_t b = s->touch_start[k]; b < s->touch_start[k + 1]; b++)
        *piece++ = perp_body_matrix_find(&s->M, s->touch[a], s->touch[b]);
  return PERP_OK;
}

static perp_error no_rows(perp_run *run)
{
  return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                       "systems with friction need the rows of A or a contact operator");
}

static perp_error open_dense(perp_coupled *s)
{
  const size_t n = (size_t)s->contacts.n;
  if (!perp_run_allows(s->run, (double)n * (double)n * sizeof *s->matrix))
    return perp_run_fail(s->run, PERP_ERROR_MEMORY, "a factor of %d rows takes more than the limit",
                         (int)n);
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

/* touch: the contacts that entries of A couple with each contact, itself among them. */
static perp_error list_couplings(perp_coupled *s)
{
  const perp_gathered *e = &s->entries;
  const perp_contacts *g = &s->contacts;
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(s->touch_start, g->count + 1),
                 PERP_ARRAY(s->at, g->count), PERP_ARRAY(s->position, g->n)))
    return perp_run_no_memory(s->run);
  for (int pass = 0; pass < 2; pass++) { /* counted, then stored */
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

/* seen_error <- the error of a product by the bodies with numbers of -1 to 1 */
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

/* Contacts whose bodies show are solved in velocities. */
static perp_error look_for_bodies(perp_coupled *s)
{
  const perp_contacts *g = &s->contacts;
  const perp_gathered *e = &s->entries;
  const perp_sparse A = {.n = g->n, .start = e->start, .column = e->column, .value = e->value};
  perp_contact_data data;
  perp_message unused;
  perp_error error = perp_contact_recognise(&A, g->count, g->start, g->row, s->run->arena, &data);
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
  const perp_contacts *g = &s->contacts;
  if (!run->problem->A->table->row)
    return no_rows(run);
  perp_error error = perp_gather(run, false, &s->entries);
  if (error || perp_run_expired(run))
    return error;
  if (!s->entries.column)
    return perp_run_fail(run, PERP_ERROR_MEMORY, "the entries of A take more than the limit");
  error = look_for_bodies(s);
  if (error || perp_run_expired(run))
    return error;
  if (s->seen) {
    s->kind = PERP_BY_VELOCITIES;
    return open_velocities(s);
  }
  error = list_couplings(s);
  if (error)
    return error;
  const int64_t couplings = s->touch_start[g->count];
  error = check_room(s, (double)couplings);
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
  s->bodies = (perp_contact_data){.blocks = g->count, .block_start = g->start, .velocities = g->n};
  error = perp_body_matrix_open(&s->M, run, &s->bodies, false, (int)couplings, pair, member);
  if (error || perp_run_expired(run))
    return error;
  for (int c = 0; c < g->count; c++)
    for (int64_t t = s->touch_start[c]; t < s->touch_start[c + 1]; t++)
      s->piece[t] = perp_body_matrix_find(&s->M, c, s->touch[t]);
  return PERP_OK;
}

static void close_parts(void *state)
{
  perp_coupled *s = state;
  perp_body_matrix_close(&s->M);
  perp_operator_destroy(s->seen);
}

static perp_error open_new(perp_run *run, const void *plan, void **state)
{
  const perp_contacts *contacts = plan;
  perp_coupled *s = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->run = run;
  s->limit = run->options->memory_limit;
  s->kind = choose(run->problem->A, run->problem->K.cones);
  const size_t n = (size_t)contacts->n;
  if (!copy_contacts(s, contacts) || !PERP_TAKE_REALS(run->arena, n, &s->own, &s->t))
    return perp_run_no_memory(run);
  const perp_error error = s->kind == PERP_BY_VELOCITIES ? open_velocities(s)
                           : s->kind == PERP_BY_MATRIX   ? open_dense(s)
                                                         : open_blocks(s);
  if (!error)
    take_compliance(s);
  s->keep.whole = !error && !perp_run_expired(run);
  return error;
}

/* ---- Systems that are kept ---- */

static bool is_same_pattern(const perp_coupled *s, const perp_contact *c)
{
  const size_t n = (size_t)s->contacts.n;
  if (c->data.blocks != s->bodies.blocks || c->data.velocities != s->bodies.velocities ||
      memcmp(c->pair_start, s->pair_start, (n + 1) * sizeof *s->pair_start) != 0)
    return false;
  const size_t blocks = (size_t)s->bodies.blocks + 1, pairs = (size_t)s->pair_start[n];
  return memcmp(c->data.block_start, s->block_start, blocks * sizeof(int)) == 0 &&
         memcmp(c->pair_block, s->pair_block, pairs * sizeof(int)) == 0;
}

/* As if opened for the run; false if it must be opened anew. */
static bool reopen(void *state, perp_run *run, const void *plan, bool holds)
{
  perp_coupled *s = state;
  const perp_contacts *g = plan;
  const perp_contacts *mine = &s->contacts;
  const perp_operator *A = run->problem->A;
  if (!s->keep.whole || mine->n != g->n || mine->count != g->count || mine->cones != g->cones ||
      s->limit != run->options->memory_limit ||
      (s->seen ? PERP_BY_CONTACTS : s->kind) != choose(A, g->cones) || (s->seen && !holds) ||
      memcmp(mine->start, g->start, ((size_t)g->count + 1) * sizeof(int)) != 0 ||
      memcmp(mine->row, g->row, (size_t)g->n * sizeof(int)) != 0)
    return false;
  s->run = run;
  s->too_long = false;
  if (s->kind == PERP_BY_VELOCITIES && !s->seen) {
    if (!is_same_pattern(s, perp_contact_of(A)))
      return false;
    s->contact = perp_contact_of(A);
    take_compliance(s);
  }
  if (s->kind == PERP_BY_CONTACTS && !holds && !perp_gather_again(run, NULL, &s->entries))
    return false;
  if (s->kind != PERP_BY_MATRIX)
    perp_body_matrix_reopen(&s->M, run);
  return !perp_run_expired(run);
}

static const perp_keeper keeper = {open_new, reopen, close_parts};

perp_error perp_coupled_open(perp_run *run, const perp_contacts *contacts, perp_coupled **system)
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
