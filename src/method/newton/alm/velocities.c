/* velocities.c: linear systems of a contact operator in the velocities of its bodies
 *
 * D is lower triangular contact by contact, z_j = r_j / d_j for a normal and
 * z_i = (r_i - e_i z_j) / d_i for a row that follows it. So row i of D^-1 J is
 *
 *   (J_i - (e_i / d_j) J_j) / d_i,     or  -(e_i / d_j) J_j  if i is tied to j,
 *
 * over the blocks of i and j, and it goes into the rows of the blocks of i, times Minv_k J_ik^T.
 * Cost of a set: (velocities of a row)^2 for each row, and the factor. */
#include "method/newton/alm/velocities.h"

#include "linalg/vector.h"
#include "linalg/wide.h"
#include "method/contact/body_matrix.h"
#include "method/run/factor_cache.h"
#include "method/system/gather.h"

#include <string.h>

struct perp_velocities {
  perp_keep keep; /* first */
  perp_run *run;
  size_t limit; /* bytes that were allowed */
  const perp_contact *contact;
  perp_body_pattern pattern;
  int n, m;            /* rows and velocities */
  int *normal;         /* n, -1: none */
  double *own;         /* n: the diagonal of C */
  double *inverse;     /* n: 1 / (d + C), 0 if d is infinite */
  const double *d, *e; /* n each, the caller's */

  int64_t *touch_start;   /* n + 1: the blocks of a row and its normal */
  int *touch;             /* ascending in each row */
  int64_t *piece_start;   /* n + 1 */
  perp_body_block *piece; /* by row: own blocks x blocks touched */
  double *combined;       /* one row of D^-1 J */
  double *v, *t;          /* m and n */
  bool six;               /* every body has 6 velocities, and a row touches the bodies of its
                           * normal */

  perp_body_matrix M; /* I + Minv J^T D^-1 J */
};

/* ---- The pattern ---- */

static int blocks_of(const perp_contact *c, int i)
{
  return (int)(c->pair_start[i + 1] - c->pair_start[i]);
}

static int touched_by(const perp_velocities *s, int i)
{
  return (int)(s->touch_start[i + 1] - s->touch_start[i]);
}

/* Fills touch and piece_start. */
static perp_error list_blocks(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  perp_run *run = s->run;
  int64_t room = 0;
  for (int i = 0; i < s->n; i++)
    room += blocks_of(c, i) + (s->normal[i] < 0 ? 0 : blocks_of(c, s->normal[i]));
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->touch_start, s->n + 1),
                 PERP_ARRAY(s->piece_start, s->n + 1), PERP_ARRAY(s->touch, room)))
    return perp_run_no_memory(run);
  s->touch_start[0] = s->piece_start[0] = 0;
  int widest = 0;
  for (int i = 0; i < s->n; i++) {
    int *touched = s->touch + s->touch_start[i], width = 0;
    const int rows[2] = {i, s->normal[i]};
    const int count = perp_body_union(c, rows[1] < 0 ? 1 : 2, rows, touched);
    for (int l = 0; l < count; l++)
      width += perp_contact_block_size(c, touched[l]);
    widest = width > widest ? width : widest;
    s->touch_start[i + 1] = s->touch_start[i] + count;
    s->piece_start[i + 1] = s->piece_start[i] + (int64_t)blocks_of(c, i) * count;
  }
  s->combined = perp_run_reals(run, (size_t)widest);
  return s->combined ? PERP_OK : perp_run_no_memory(run);
}

/* Checks that memory and time suffice for the couplings; row i has (blocks touched by i)^2 of
 * them. */
static perp_error check_room(perp_velocities *s)
{
  double count = 0;
  for (int i = 0; i < s->n; i++)
    count += (double)touched_by(s, i) * touched_by(s, i);
  return perp_body_matrix_fits(s->run, count, s->pattern.bodies.blocks, "bodies");
}

static void place_pieces(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++) {
    perp_body_block *piece = s->piece + s->piece_start[i];
    for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
      for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
        *piece++ = perp_body_matrix_find(&s->M, c->pair_block[p], s->touch[l]);
  }
}

/* Returns true if all bodies have 6 velocities and M is factored by blocks. */
static bool have_six(const perp_velocities *s)
{
  bool six = s->M.lu != NULL;
  for (int k = 0; six && k < s->pattern.bodies.blocks; k++)
    six = perp_contact_block_size(s->contact, k) == 6;
  for (int i = 0; six && i < s->n; i++) {
    const int own = blocks_of(s->contact, i), j = s->normal[i];
    six = touched_by(s, i) == own && (j < 0 || blocks_of(s->contact, j) == own);
  }
  return six;
}

static void take_compliance(perp_velocities *s)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++)
    s->own[i] = perp_body_compliance(c, i);
}

static perp_error open_parts(perp_velocities *s, const int *normal)
{
  perp_run *run = s->run;
  const perp_contact *c = s->contact;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  if (!PERP_TAKE_REALS(run->arena, n, &s->own, &s->inverse, &s->t) ||
      !PERP_TAKE_REALS(run->arena, m, &s->v) || !PERP_TAKE(run->arena, PERP_ARRAY(s->normal, n)) ||
      !perp_body_pattern_copy(run, c, &s->pattern))
    return perp_run_no_memory(run);
  memcpy(s->normal, normal, n * sizeof *normal);
  take_compliance(s);
  perp_error error = list_blocks(s);
  if (!error)
    error = check_room(s);
  if (error || perp_run_expired(run))
    return error;
  s->piece = perp_arena_alloc(run->arena, (size_t)s->piece_start[s->n], sizeof *s->piece);
  if (!s->piece)
    return perp_run_no_memory(run);
  error =
      perp_body_matrix_open(&s->M, run, &s->pattern.bodies, false, s->n, s->touch_start, s->touch);
  if (!error && !perp_run_expired(run)) {
    place_pieces(s);
    s->six = have_six(s);
  }
  return error;
}

/* ---- Kept from solve to solve ---- */

static perp_error open_new(perp_run *run, const void *normal, void **state)
{
  perp_velocities *s = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->run = run;
  s->limit = run->options->memory_limit;
  s->contact = perp_contact_of(run->problem->A);
  s->n = run->problem->K.n;
  s->m = s->contact->data.velocities;
  const perp_error error = open_parts(s, normal);
  s->keep.whole = !error && !perp_run_expired(run);
  return error;
}

/* Reuses the stored state for a new run. Returns false if it must be opened again. */
static bool reopen(void *state, perp_run *run, const void *normal, bool holds)
{
  (void)holds; /* every set reads the numbers again */
  perp_velocities *s = state;
  const perp_operator *A = run->problem->A;
  if (!s->keep.whole || s->n != A->n || s->limit != run->options->memory_limit ||
      memcmp(s->normal, normal, (size_t)s->n * sizeof *s->normal) != 0 ||
      !perp_body_pattern_is(&s->pattern, perp_contact_of(A)))
    return false;
  s->run = run;
  s->contact = perp_contact_of(A);
  take_compliance(s);
  perp_body_matrix_reopen(&s->M, run);
  return !perp_run_expired(run);
}

static void close_parts(void *state)
{
  perp_body_matrix_close(&((perp_velocities *)state)->M);
}

static const perp_keeper keeper = {open_new, reopen, close_parts};

perp_error perp_velocities_open(perp_run *run, const int *normal, perp_velocities **s)
{
  void *state;
  const perp_error error = perp_keep_open(run, &keeper, &keeper, normal, &state);
  *s = state;
  return error;
}

void perp_velocities_close(perp_velocities *s)
{
  perp_keep_close(&keeper, s ? s->run : NULL, s);
}

bool perp_velocities_too_long(const perp_velocities *s)
{
  return s->M.too_long;
}

/* ---- The numbers ---- */

/* Row i of D^-1 J is own J_i + of_normal J_normal. Returns false if both weights are 0. */
static bool weights_of(const perp_velocities *s, int i, double *own, double *of_normal)
{
  const int j = s->normal[i];
  *own = s->inverse[i];
  *of_normal = j < 0 ? 0 : -s->e[i] * s->inverse[j] * (*own == 0 ? 1 : *own);
  return *own != 0 || *of_normal != 0;
}

/* ---- Bodies with 6 velocities ----
 *
 * Every pair has 6 numbers: pair p begins at 6 p in J and in W, body k at 6 k in v. A row that
 * follows a normal touches the same bodies. The loops have fixed lengths and give the same bits as
 * the general loops. */

static bool are_six(const perp_velocities *s)
{
  return s->six && s->contact->data.J_start[s->n] == 6 * s->pattern.pair_start[s->n];
}

/* at <- at + u w^T */
KERNEL void add_six(const double *restrict u, const double *restrict w, double *restrict at)
{
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      at[6 * a + b] += u[a] * w[b];
}

KERNEL void assemble_kernel(perp_velocities *s)
{
  const double *J = s->contact->data.J_value, *W = s->contact->W;
  for (int i = 0; i < s->n; i++) {
    const int j = s->normal[i];
    double own, of_normal;
    if (!weights_of(s, i, &own, &of_normal))
      continue;
    const int64_t first = s->pattern.pair_start[i], of_j = j < 0 ? first : s->pattern.pair_start[j];
    const int count = (int)(s->pattern.pair_start[i + 1] - first);
    for (int l = 0; l < 6 * count; l++)
      s->combined[l] = own * J[6 * first + l] + of_normal * J[6 * of_j + l];
    const perp_body_block *piece = s->piece + s->piece_start[i];
    for (int k = 0; k < count; k++)
      for (int l = 0; l < count; l++, piece++)
        if (piece->across == 1)
          add_six(W + 6 * (first + k), s->combined + 6 * l, piece->at);
        else /* transposed */
          add_six(s->combined + 6 * l, W + 6 * (first + k), piece->at);
  }
}

KERNEL void gather_kernel(perp_velocities *s)
{
  const double *W = s->contact->W;
  for (int i = 0; i < s->n; i++)
    for (int64_t p = s->pattern.pair_start[i]; p < s->pattern.pair_start[i + 1]; p++) {
      double *v = s->v + 6 * (int64_t)s->pattern.pair_block[p];
      for (int l = 0; l < 6; l++)
        v[l] += s->t[i] * W[6 * p + l];
    }
}

KERNEL void error_of_six(perp_velocities *s, const double *r)
{
  const double *J = s->contact->data.J_value;
  for (int i = 0; i < s->n; i++) {
    double sum = r[i];
    for (int64_t p = s->pattern.pair_start[i]; p < s->pattern.pair_start[i + 1]; p++) {
      const double *v = s->v + 6 * (int64_t)s->pattern.pair_block[p];
      for (int l = 0; l < 6; l++)
        sum -= J[6 * p + l] * v[l];
    }
    s->t[i] = sum;
  }
}

#ifdef PERP_WIDE
PERP_WIDE static void assemble_wide(perp_velocities *s)
{
  assemble_kernel(s);
}
PERP_WIDE static void gather_wide(perp_velocities *s)
{
  gather_kernel(s);
}
#endif

static void assemble_six(perp_velocities *s)
{
#ifdef PERP_WIDE
  if (perp_is_wide()) {
    assemble_wide(s);
    return;
  }
#endif
  assemble_kernel(s);
}

static void gather_six(perp_velocities *s)
{
#ifdef PERP_WIDE
  if (perp_is_wide()) {
    gather_wide(s);
    return;
  }
#endif
  gather_kernel(s);
}

/* ---- Any bodies ---- */

/* combined <- combined + factor J_j, over the blocks that row i touches. */
static void add_row(const perp_velocities *s, int i, int j, double factor)
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

/* Adds W from^T to one piece. Called with constants if both sizes are 3 or 6. */
static inline void add_piece(const perp_body_block *piece, int rows, int columns,
                             const double *restrict W, const double *restrict from)
{
  for (int a = 0; a < rows; a++)
    for (int b = 0; b < columns; b++)
      piece->at[a * piece->down + b * piece->across] += W[a] * from[b];
}

/* M <- M + Minv J_i^T (D^-1 J)_i */
static void add_product(perp_velocities *s, int i)
{
  const perp_contact *c = s->contact;
  const int count = touched_by(s, i), *touched = s->touch + s->touch_start[i];
  const perp_body_block *piece = s->piece + s->piece_start[i];
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
    const int rows = perp_contact_block_size(c, c->pair_block[p]);
    const double *W = c->W + c->pair_W[p], *from = s->combined;
    for (int l = 0; l < count; l++, piece++) {
      const int columns = perp_contact_block_size(c, touched[l]);
      if (rows == 3 && columns == 3)
        add_piece(piece, 3, 3, W, from);
      else if (rows == 6 && columns == 6)
        add_piece(piece, 6, 6, W, from);
      else
        add_piece(piece, rows, columns, W, from);
      from += columns;
    }
  }
}

/* M <- I + Minv J^T D^-1 J */
static void assemble(perp_velocities *s)
{
  perp_body_matrix_reset(&s->M);
  if (are_six(s)) {
    assemble_six(s);
    return;
  }
  for (int i = 0; i < s->n; i++) {
    const int j = s->normal[i];
    double own, of_normal;
    if (!weights_of(s, i, &own, &of_normal))
      continue;
    int width = 0;
    for (int64_t l = s->touch_start[i]; l < s->touch_start[i + 1]; l++)
      width += perp_contact_block_size(s->contact, s->touch[l]);
    perp_fill(width, 0, s->combined);
    if (own != 0)
      add_row(s, i, i, own);
    if (of_normal != 0)
      add_row(s, i, j, of_normal);
    add_product(s, i);
  }
}

bool perp_velocities_set(perp_velocities *s, const double *d, const double *e)
{
  s->d = d;
  s->e = e;
  for (int i = 0; i < s->n; i++)
    s->inverse[i] = d[i] < INFINITY ? 1 / (d[i] + s->own[i]) : 0;
  if (!perp_body_matrix_affords(&s->M))
    return false;
  assemble(s);
  return perp_body_matrix_factor(&s->M, NULL);
}

/* ---- Solutions ---- */

/* z <- D^-1 z */
static void divide(const perp_velocities *s, double *z)
{
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] < 0)
      z[i] *= s->inverse[i];
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] >= 0) {
      const double tied = -s->e[i] * z[s->normal[i]];
      z[i] = s->inverse[i] == 0 ? tied : (z[i] + tied) * s->inverse[i];
    }
}

/* t <- r - J v */
static void error_of(perp_velocities *s, const double *r)
{
  const perp_contact *c = s->contact;
  for (int i = 0; i < s->n; i++) {
    double sum = r[i];
    for (int64_t e = c->data.J_start[i]; e < c->data.J_start[i + 1]; e++)
      sum -= c->data.J_value[e] * s->v[c->data.J_column[e]];
    s->t[i] = sum;
  }
}

void perp_velocities_add(perp_velocities *s, const double *r, double *z)
{
  const bool six = are_six(s);
  /* t = D^-1 r, v = Minv J^T t */
  perp_copy(s->n, r, s->t);
  divide(s, s->t);
  perp_fill(s->m, 0, s->v);
  if (six)
    gather_six(s);
  else
    perp_body_gather(s->contact, s->t, s->v);
  if (!perp_body_matrix_solve(&s->M, s->v))
    s->v[0] = NAN;
  /* z = D^-1 (r - J v) */
  if (six)
    error_of_six(s, r);
  else
    error_of(s, r);
  divide(s, s->t);
  perp_axpy(s->n, 1, s->t, z);
}
