/* contacts.c: lists contacts and blocks, and solves the local problems of blocks
 *
 * Cost of making blocks: a pass over the rows and the diagonal blocks of A. Memory: the squares of
 * the block sizes, and a few numbers for each row. */
#include "method/contact/contacts.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "operator/contact/contact.h"
#include "set/set.h"

#include <string.h>

/* ---- Contacts ---- */

static int followed_by(const perp_set *K, int i)
{
  return perp_set_is_friction(K, i) ? K->findex[i] : -1;
}

static void find_units(const perp_contact_list *s, const double *diagonal)
{
  const double largest = perp_norm_inf(s->n, diagonal);
  for (int c = 0; c < s->count; c++) {
    s->unit[c] = 0;
    for (int k = s->start[c]; k < s->start[c + 1]; k++)
      s->unit[c] = perp_max(s->unit[c], diagonal[s->row[k]]);
    if (!(s->unit[c] > 0))
      s->unit[c] = largest > 0 ? largest : 1;
  }
}

perp_error perp_contact_list_create(perp_run *run, perp_contact_list *s)
{
  const perp_set *K = &run->problem->K;
  const int n = K->n, cone_rows = 3 * K->cones;
  *s = (perp_contact_list){.n = n, .cones = K->cones};
  double *diagonal;
  int *next;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->start, n + 1), PERP_ARRAY(s->row, n),
                 PERP_ARRAY(s->of, n), PERP_ARRAY(s->block, n + 1), PERP_ARRAY(s->unit, n),
                 PERP_ARRAY(diagonal, n), PERP_ARRAY(next, n + 1)))
    return perp_run_no_memory(run);
  for (int i = 0; i < n; i++)
    if (i < cone_rows)
      s->of[i] = i / 3;
    else if (followed_by(K, i) < 0)
      s->of[i] = K->cones + s->count++;
  s->count += K->cones;
  for (int i = cone_rows; i < n; i++)
    if (followed_by(K, i) >= 0)
      s->of[i] = s->of[K->findex[i]];
  memset(next, 0, ((size_t)n + 1) * sizeof *next);
  for (int i = 0; i < n; i++)
    next[s->of[i] + 1]++;
  s->block[0] = s->start[0] = 0;
  for (int c = 0; c < s->count; c++) {
    const int rows = next[c + 1];
    s->largest = rows > s->largest ? rows : s->largest;
    s->block[c + 1] = s->block[c] + (int64_t)rows * rows;
    s->start[c + 1] = next[c + 1] = next[c] + rows;
  }
  for (int i = 0; i < n; i++) /* a normal before its followers */
    if (i < cone_rows || followed_by(K, i) < 0)
      s->row[next[s->of[i]]++] = i;
  for (int i = cone_rows; i < n; i++)
    if (followed_by(K, i) >= 0)
      s->row[next[s->of[i]]++] = i;
  if (perp_operator_diagonal(run->problem->A, diagonal, NULL))
    perp_fill(n, 0, diagonal);
  find_units(s, diagonal);
  return PERP_OK;
}

bool perp_contacts_have_long_rows(const perp_operator *A)
{
  enum { LONG = 75 };
  return A->nonzeros > (int64_t)LONG * A->n;
}

bool perp_contacts_have_few_points(const perp_operator *A)
{
  enum { ROWS = 4 }; /* per velocity; walls have five and more */
  if (perp_operator_is_contact(A))
    return A->n <= ROWS * (int64_t)perp_contact_of(A)->data.velocities;
  return !perp_contacts_have_long_rows(A);
}

bool perp_contacts_meet_in_faces(const perp_contact *c, int most)
{
  int meetings = 1;
  for (int i = 1; i < c->data.rows; i++)
    meetings += !perp_contact_same_blocks(c, i - 1, i);
  return 2 * (int64_t)c->data.rows > (int64_t)3 * most * meetings;
}

/* Returns the normal of row i. Friction rows of a cone's normal are separate blocks. */
static int normal_of(const perp_set *K, int i)
{
  const int j = K->findex ? K->findex[i] : -1;
  return j >= 3 * K->cones ? j : -1;
}

/* ---- The rows of blocks ---- */

typedef struct partition {
  perp_block_list list;
  int *start, *row;
  bool *friction;
} partition;

static void close_block(partition *p, int end, bool friction)
{
  const int k = p->list.count++, rows = end - p->start[k];
  p->friction[k] = friction;
  p->start[k + 1] = end;
  p->list.largest = rows > p->list.largest ? rows : p->list.largest;
}

/* Lists the friction rows of normal j, ascending: head[j] and next[i]; -1 ends a list. */
static void list_friction(const perp_set *K, int *head, int *next)
{
  for (int i = 0; i < K->n; i++)
    head[i] = next[i] = -1;
  for (int i = K->n - 1; i >= 0; i--) {
    const int j = normal_of(K, i);
    if (j >= 0) {
      next[i] = head[j];
      head[j] = i;
    }
  }
}

static void partition_rows(const perp_set *K, int size, bool single, const int *head,
                           const int *next, partition *p)
{
  const int n = K->n;
  int end = 0;
  bool open = false; /* the last block has plain rows and may grow */
  for (int i = 0; i < n; i++) {
    const bool cone = i < 3 * K->cones;
    const bool alone = !cone && (single || (normal_of(K, i) < 0 && head[i] < 0));
    if (!single && !cone && normal_of(K, i) >= 0)
      continue; /* added with its normal */
    const bool grows = open && alone && !single && i / size == (i - 1) / size &&
                       p->row[end - 1] == i - 1 && !perp_set_is_friction(K, i) &&
                       !perp_set_is_friction(K, i - 1);
    if (open && !grows) {
      close_block(p, end, false);
      open = false;
    }
    p->row[end++] = i;
    const int disc = single ? perp_set_disc(K, i) : 0;
    if (cone) {
      if (i % 3 == 2)
        close_block(p, end, false);
    } else if (disc > 0) {
      for (int t = 1; t < disc; t++)
        p->row[end++] = ++i;
      close_block(p, end, false);
    } else if (alone) {
      open = true;
    } else {
      for (int t = head[i]; t >= 0; t = next[t])
        p->row[end++] = t;
      close_block(p, end, true);
    }
  }
  if (open)
    close_block(p, end, false);
}

static perp_error make_list(perp_run *run, int size, bool single, perp_blocks *blocks)
{
  const perp_set *K = &run->problem->K;
  const size_t n = (size_t)K->n;
  partition p = {0};
  if (!PERP_TAKE(run->arena, PERP_ARRAY(p.start, n + 1), PERP_ARRAY(p.row, n),
                 PERP_ARRAY(p.friction, n)))
    return perp_run_no_memory(run);
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  int *head, *next;
  if (!PERP_TAKE_INTEGERS(run->arena, n, &head, &next))
    return perp_run_no_memory(run);
  p.start[0] = 0;
  list_friction(K, head, next);
  partition_rows(K, size, single, head, next, &p);
  perp_arena_release(run->arena, mark);
  p.list.start = p.start;
  p.list.row = p.row;
  blocks->list = p.list;
  blocks->friction = p.friction;
  return PERP_OK;
}

perp_error perp_blocks_list_rows(perp_run *run, perp_block_list *list)
{
  perp_blocks blocks;
  const perp_error error = make_list(run, 1, true, &blocks);
  *list = blocks.list;
  return error;
}

perp_error perp_blocks_sweeps(perp_run *run, double *x, const perp_block_list *list, int order,
                              perp_block_sweeps *sweeps)
{
  const perp_problem *p = run->problem;
  perp_block_relaxer *relaxer;
  perp_message why = {{0}};
  const perp_error error =
      perp_block_relaxer_create(perp_run_method(run), p->A, p->b, &p->K, x, run->options->threads,
                                list, run->arena, &relaxer, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  return perp_block_sweeps_create(relaxer, (perp_block_order)order, run->options->seed, run->arena,
                                  sweeps)
             ? perp_run_no_memory(run)
             : PERP_OK;
}

/* ---- Their matrices ---- */

/* A_BB of every block, by the operator's own function; by rows if there is none, or if blocks are
 * single rows, for which that function saves nothing. */
static perp_error fill_W(perp_run *run, bool single, perp_blocks *blocks)
{
  const perp_operator *A = run->problem->A;
  const perp_block_list *list = &blocks->list;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  int *position, *column;
  double *value;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(position, A->n), PERP_ARRAY(column, A->row_capacity),
                 PERP_ARRAY(value, A->row_capacity)))
    return perp_run_no_memory(run);
  for (int i = 0; i < A->n; i++)
    position[i] = -1;
  for (int k = 0; k < list->count && !perp_run_expired_at(run, k); k++) {
    const int *row = list->row + list->start[k], m = list->start[k + 1] - list->start[k];
    double *W = blocks->W + blocks->W_start[k];
    if (A->table->principal && !single)
      A->table->principal(A, m, row, W);
    else
      perp_principal_by_rows(A, m, row, column, value, position, W);
  }
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

static perp_error check_diagonal(perp_run *run, const perp_blocks *blocks)
{
  const perp_block_list *list = &blocks->list;
  for (int k = 0; k < list->count; k++)
    for (int t = 0, m = list->start[k + 1] - list->start[k]; t < m; t++) {
      const double d = blocks->W[blocks->W_start[k] + t * m + t];
      const int i = list->row[list->start[k] + t];
      if (!(d > 0 && d < INFINITY))
        return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                             "%s needs a positive diagonal, but A(%d,%d) = %g",
                             perp_run_method(run), i, i, d);
    }
  return PERP_OK;
}

static void fill_bounds(perp_blocks *b)
{
  const perp_set *K = &b->problem->K;
  for (int t = 0; t < K->n; t++) {
    b->lo[t] = perp_set_lo(K, b->list.row[t]);
    b->hi[t] = perp_set_hi(K, b->list.row[t]);
  }
}

perp_error perp_blocks_create(perp_run *run, const double *x, int size, bool single,
                              perp_blocks **out)
{
  const perp_problem *p = run->problem;
  if (!p->A->table->row)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "%s needs an operator that gives its rows, but this %s does not",
                         perp_run_method(run), p->A->table->kind);
  perp_blocks *b = perp_arena_alloc_zero(run->arena, 1, sizeof *b);
  if (!b)
    return perp_run_no_memory(run);
  b->problem = p;
  b->x = x;
  b->omega = 1;
  const int natural = p->A->block > 0 ? p->A->block : 1;
  perp_error error = make_list(run, size > 0 ? size : natural, single, b);
  if (error)
    return error;

  const size_t count = (size_t)b->list.count, n = (size_t)p->K.n;
  const size_t largest = (size_t)b->list.largest;
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(b->W_start, count + 1), PERP_ARRAY(b->slip, count),
                      PERP_ARRAY(b->state, count), PERP_ARRAY(b->lo, n), PERP_ARRAY(b->hi, n),
                      PERP_ARRAY(b->room, largest * (largest + 2))))
    return perp_run_no_memory(run);
  b->W_start[0] = 0;
  for (size_t k = 0; k < count; k++) {
    const int64_t m = b->list.start[k + 1] - b->list.start[k];
    b->W_start[k + 1] = b->W_start[k] + m * m;
  }
  fill_bounds(b);
  if (perp_set_has_discs(&p->K)) {
    int *disc;
    if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(disc, n), PERP_ARRAY(b->slips, n)))
      return perp_run_no_memory(run);
    for (size_t t = 0; t < n; t++)
      disc[t] = perp_set_disc(&p->K, b->list.row[t]);
    b->disc = disc;
  }
  b->W = perp_run_reals(run, (size_t)b->W_start[count]);
  if (!b->W)
    return perp_run_no_memory(run);
  *out = b;
  if ((error = fill_W(run, single, b)) || perp_run_expired(run) || (error = check_diagonal(run, b)))
    return error;
  b->cone = perp_arena_alloc(run->arena, (size_t)p->K.cones, sizeof *b->cone);
  if (!b->cone)
    return perp_run_no_memory(run);
  for (int c = 0; c < p->K.cones; c++)
    b->cone[c] = perp_cone_make(b->W + b->W_start[c]);
  return PERP_OK;
}

/* ---- Solving one ---- */

/* Solves one row: the clamped step. */
static void solve_row(const perp_blocks *b, int block, double y, double *x)
{
  const int t = b->list.start[block], i = b->list.row[t];
  double lo = b->lo[t], hi = b->hi[t];
  if (perp_set_is_friction(&b->problem->K, i))
    perp_row_bounds(&b->problem->K, b->x, i, &lo, &hi);
  const double z = *x - b->omega * y / b->W[b->W_start[block]];
  *x = perp_clamp(z, lo, hi);
}

/* x <- the solution of a cone, d <- the change */
static void solve_cone(const perp_blocks *b, int block, const double *y, double *x, double d[3])
{
  perp_cone_relax(b->W + b->W_start[block], &b->cone[block], b->problem->K.mu[block], b->omega,
                  &b->slip[block], y, x, d);
}

/* Returns true if the rows are a normal z >= 0 with friction rows of equal bounds on both sides. */
static bool is_contact(const perp_blocks *b, int block)
{
  const int first = b->list.start[block], end = b->list.start[block + 1];
  bool even = b->friction[block] && b->lo[first] == 0 && b->hi[first] == INFINITY;
  for (int t = first + 1; t < end; t++)
    even = even && b->lo[t] == -b->hi[t] && b->hi[t] < INFINITY;
  return even && end - first <= PERP_FRICTION_ROWS;
}

void perp_blocks_solve_in(const perp_blocks *b, int block, const double *y, double *x, double *room)
{
  const int first = b->list.start[block], m = b->list.start[block + 1] - first;
  if (block < b->problem->K.cones) {
    double change[3];
    solve_cone(b, block, y, x, change);
    return;
  }
  if (m == 1) {
    solve_row(b, block, y[0], x);
    return;
  }
  const double *W = b->W + b->W_start[block];
  const double *scaled = b->omega == 1 ? W : room;
  double *q = room + m * m;
  for (int e = 0; b->omega != 1 && e < m * m; e++)
    room[e] = W[e] / b->omega;
  for (int t = 0; t < m; t++) {
    q[t] = y[t];
    for (int l = 0; l < m; l++)
      q[t] -= scaled[t * m + l] * x[l];
  }
  const int *disc = b->disc ? b->disc + first : NULL;
  if (disc && m > PERP_LOCAL_ROWS && is_contact(b, block) &&
      perp_local_discs(m, scaled, q, b->hi + first, disc, b->slips + first, x))
    return;
  if (m <= PERP_LOCAL_ROWS) {
    double z[PERP_LOCAL_ROWS];
    perp_local_box(m, scaled, q, b->lo + first, b->hi + first, b->friction[block], &b->state[block],
                   z);
    memcpy(x, z, (size_t)m * sizeof *x);
  } else {
    perp_local_sweeps(m, scaled, q, b->lo + first, b->hi + first, b->friction[block], disc, 1e-12,
                      x);
  }
}

/* Solves a block and updates `moved`; a perp_block_body. */
static void solve_block(void *context, int block, const double *y, double *x)
{
  perp_blocks *b = context;
  if (block < b->problem->K.cones) {
    const double slip = b->slip[block];
    double d[3];
    solve_cone(b, block, y, x, d);
    b->changed |= d[0] != 0 || d[1] != 0 || d[2] != 0 || slip != b->slip[block];
    b->moved += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    return;
  }
  const int m = b->list.start[block + 1] - b->list.start[block];
  double *old = b->room, moved = 0;
  const double slip = b->slip[block];
  const int state = b->state[block];
  memcpy(old, x, (size_t)m * sizeof *x);
  perp_blocks_solve_in(b, block, y, x, b->room + m);
  if (memcmp(old, x, (size_t)m * sizeof *x) != 0 || slip != b->slip[block] ||
      state != b->state[block])
    b->changed = true;
  for (int t = 0; t < m; t++)
    moved += (x[t] - old[t]) * (x[t] - old[t]);
  b->moved += moved;
}

/* ---- Opened for sweeps ---- */

typedef struct opening {
  double *x;
  int size;
  bool single;
  perp_block_order order;
} opening;

static perp_error open_blocks(perp_run *run, const void *plan, void **state)
{
  const opening *o = plan;
  perp_blocks *b = NULL;
  perp_error error = perp_blocks_create(run, o->x, o->size, o->single, &b);
  *state = b;
  if (error || perp_run_expired(run))
    return error;
  error = perp_blocks_sweeps(run, o->x, &b->list, (int)o->order, &b->sweeps);
  b->keep.whole = !error;
  return error;
}

/* Only contacts are kept: each is a block, whatever `size` and `single` are, that depends on A alone,
 * and on the coefficients of its discs. Slips and states are cleared, so that the bits are those of new
 * blocks. */
static bool reopen_blocks(void *state, perp_run *run, const void *plan, bool holds)
{
  perp_blocks *b = state;
  const perp_problem *p = run->problem;
  if (!holds || !b->keep.whole)
    return false;
  b->problem = p;
  b->x = ((const opening *)plan)->x;
  b->omega = 1;
  b->moved = 0;
  b->changed = false;
  memset(b->slip, 0, (size_t)b->list.count * sizeof *b->slip);
  if (b->disc) {
    fill_bounds(b);
    memset(b->state, 0, (size_t)b->list.count * sizeof *b->state);
    memset(b->slips, 0, (size_t)p->K.n * sizeof *b->slips);
  }
  perp_relaxer *relaxer = b->sweeps.relaxer->relaxer;
  relaxer->b = p->b;
  relaxer->K = &p->K;
  relaxer->x = ((const opening *)plan)->x;
  return true;
}

/* Returns true if every row belongs to a contact that A fixes: a cone of three rows, or a normal with its
 * friction in a set with discs, whose copy of A is made for these discs (method/run/cones_first.c). */
static bool are_contacts(const perp_set *K)
{
  const perp_reduction *r = perp_set_reduction(K);
  bool contacts = K->n == 3 * K->cones || (r && r->disc && r->inside);
  for (int i = 3 * K->cones; contacts && i < K->n; i++)
    contacts = r->inside[i] && (K->findex[i] >= 0 || K->hi[i] == INFINITY);
  return contacts;
}

static const perp_keeper block_keeper = {open_blocks, reopen_blocks, NULL};
static const char block_maker;

perp_error perp_blocks_open(perp_run *run, double *x, int size, bool single, perp_block_order order,
                            perp_blocks **out)
{
  enum { KEPT = 1000 };
  const perp_problem *p = run->problem;
  const bool kept = p->K.n <= KEPT && size <= 1 && order == PERP_BLOCKS_FORWARD &&
                    !perp_operator_is_contact(p->A) && are_contacts(&p->K);
  const opening how = {x, size, single, order};
  void *state = NULL;
  const perp_error error = kept ? perp_keep_open(run, &block_maker, &block_keeper, &how, &state)
                                : open_blocks(run, &how, &state);
  *out = state;
  return error;
}

void perp_blocks_close(const perp_run *run, perp_blocks *blocks)
{
  perp_keep_close(&block_keeper, run, blocks);
}

void perp_blocks_sweep(perp_run *run, perp_blocks *b)
{
  run->count.sweeps += perp_block_sweep(&b->sweeps, NULL, b->list.count, solve_block, b);
}

void perp_blocks_extrapolate(perp_relaxer *relaxer, double beta, double *restrict before, int n)
{
  double *restrict x = relaxer->x;
  for (int i = 0; i < n; i++) {
    const double z = x[i];
    x[i] = z + beta * (z - before[i]);
    before[i] = z;
  }
  perp_set_project(relaxer->K, x, x);
  perp_relaxer_load(relaxer);
}
