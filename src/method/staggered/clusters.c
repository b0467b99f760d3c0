/* clusters.c: clusters of contacts, each solved as a whole with the others held (Schwarz)
 *
 *   S: the contacts round the one with the greatest residual,   y = A x + b
 *
 *   x_S <- a solution of  z in K_S,  w = A_SS z + (y_S - A_SS x_S),  -w in N_K(z)
 *   x   <- x after some sweeps over all contacts
 *
 * A sweep solves one contact at a time and cannot leave a state in which many contacts must change
 * together, and a solution need not attract sweeps at all (docs/theory/friction.md). In piles what
 * must change together is local: some tens of bodies. So these are solved exactly. S grows from the
 * contact with the greatest natural residual to its neighbours, with which A has an entry, to theirs,
 * and so on until it has enough rows, but not more than half of all. It is a problem of the same form,
 * solved from the x of now; x_S stays what it was if that does not succeed. Clusters overlap as their
 * first contacts say. The sweeps after each spread what has changed, contact by contact, as bgs with
 * omega = 1.
 *
 * As soon as the relative residual is at most `near` the whole problem is tried in the same way. What
 * lowers the residual to a hundredth is kept, and it goes on from there; otherwise x stays, and the
 * next try is 2, 4, 8, ... clusters later.
 *
 * Schwarz's method converges if A is symmetric positive definite and K a box (Badea, Tai and Wang
 * 2003). With friction there is no proof: the residual may go up and down for long.
 *
 * One iteration: a solve of S, the sweeps and a product with A. Workspace: 12 n, A_SS, and that of the
 * inner method. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/blocks.h"
#include "method/system/contacts.h"
#include "set/set.h"

#include <assert.h>
#include <string.h>

typedef struct {
  int rows, sweeps, inner, steps, steps_whole;
  double near;
} clusters_parameters;

static const char *const inners[] = {"ssn", "ipm", NULL};

static const perp_parameter parameters[] = {
    PERP_INTEGER(clusters_parameters, rows, 540, 1, 1000000, "of a cluster, about"),
    PERP_INTEGER(clusters_parameters, sweeps, 30, 0, 100000, "over all contacts after a cluster"),
    PERP_CHOICE(clusters_parameters, inner, 0, 1, inners, "method for a cluster and the whole"),
    PERP_INTEGER(clusters_parameters, steps, 20, 1, 1000000, "of it for a cluster at most"),
    PERP_INTEGER(clusters_parameters, steps_whole, 40, 1, 1000000, "of it for the whole at most"),
    PERP_REAL(clusters_parameters, near, 3e-3, 0, 1,
              "relative residual from which the whole is tried"),
    {0},
};

/* A_SS by rows: the operator of a cluster's problem. */
typedef struct part {
  perp_operator base;
  int64_t *start; /* rows of S + 1 */
  int *column;    /* in the numbering of S */
  double *value;
  int64_t room; /* entries that column and value can take */
} part;

typedef struct clusters {
  perp_run *run;
  const clusters_parameters *par;
  const perp_method *inner;
  perp_contacts contacts;
  int n;
  double *x, *y;   /* y = A x + b; x is the caller's */
  double *trial;   /* n */
  int *row_column; /* one row of A */
  double *row_value;

  bool *in;    /* by contact: in S */
  int *queue;  /* contacts of S in the order in which they came, and their neighbours */
  int m, *row; /* the rows of S, ascending */
  int *local;  /* by row: its number in S; -1: not there */
  part part;
  double *b, *lo, *hi, *mu, *z; /* of S */
  int *findex;

  perp_blocks *blocks;
  perp_block_sweeps order;
} clusters;

/* ---- A_SS ---- */

static const part *part_of(const perp_operator *A)
{
  return (const part *)A;
}

static void part_apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  (void)work;
  const part *P = part_of(A);
  for (int i = 0; i < A->n; i++) {
    double sum = 0;
    for (int64_t k = P->start[i]; k < P->start[i + 1]; k++)
      sum += P->value[k] * x[P->column[k]];
    y[i] = sum;
  }
}

static int part_row(const perp_operator *A, int i, int *column, double *value)
{
  const part *P = part_of(A);
  const size_t count = (size_t)(P->start[i + 1] - P->start[i]);
  memcpy(column, P->column + P->start[i], count * sizeof *column);
  memcpy(value, P->value + P->start[i], count * sizeof *value);
  return (int)count;
}

static void part_diagonal(const perp_operator *A, double *d)
{
  const part *P = part_of(A);
  for (int i = 0; i < A->n; i++) {
    d[i] = 0;
    for (int64_t k = P->start[i]; k < P->start[i + 1]; k++)
      if (P->column[k] == i)
        d[i] = P->value[k];
  }
}

static const perp_operator_table part_table = {.kind = "part",
                                               .has_rows = true,
                                               .apply = part_apply,
                                               .diagonal = part_diagonal,
                                               .row = part_row};

/* Room for `more` entries behind the first `used`, which are copied over. */
static bool make_room(perp_run *run, part *P, int64_t used, int64_t more)
{
  if (used + more <= P->room)
    return true;
  const int64_t room = 2 * (used + more);
  int *column;
  double *value;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(column, room), PERP_ARRAY(value, room)))
    return false;
  if (used > 0)
    memcpy(column, P->column, (size_t)used * sizeof *column);
  perp_copy(used, P->value, value);
  P->column = column;
  P->value = value;
  P->room = room;
  return true;
}

/* ---- A cluster ---- */

/* The contact with the greatest |x - P(x - y)|, in cones with De Saxce's term. */
static int find_worst(clusters *s)
{
  const perp_set *K = &s->run->problem->K;
  double *z = s->trial;
  perp_subtract(s->n, s->x, s->y, z);
  for (int c = 0; c < K->cones; c++)
    z[3 * c] -= K->mu[c] * perp_hypot(s->y[3 * c + 1], s->y[3 * c + 2]);
  perp_set_project(K, s->x, z);
  int worst = 0;
  double most = -1;
  for (int i = 0; i < s->n; i++)
    if (fabs(s->x[i] - z[i]) > most) {
      most = fabs(s->x[i] - z[i]);
      worst = s->contacts.of[i];
    }
  return worst;
}

/* Appends the contacts that A has an entry with, and that are not yet there. */
static int add_neighbours(clusters *s, int contact, int count)
{
  const perp_operator *A = s->run->problem->A;
  const perp_contacts *contacts = &s->contacts;
  for (int k = contacts->start[contact]; k < contacts->start[contact + 1]; k++) {
    const int entries = A->table->row(A, contacts->row[k], s->row_column, s->row_value);
    for (int e = 0; e < entries; e++) {
      const int other = contacts->of[s->row_column[e]];
      if (!s->in[other])
        s->queue[count++] = other;
      s->in[other] = true;
    }
  }
  return count;
}

/* S: `first`, its neighbours, theirs, ... */
static void grow(clusters *s, int first)
{
  const int half = s->n / 2, enough = s->par->rows < half ? s->par->rows : half;
  memset(s->in, 0, (size_t)s->contacts.count * sizeof *s->in);
  s->in[first] = true;
  s->queue[0] = first;
  int count = 1, rows = 0, taken = 0;
  while (taken < count) {
    const int contact = s->queue[taken++];
    rows += perp_contact_rows(&s->contacts, contact);
    if (rows >= enough)
      break;
    count = add_neighbours(s, contact, count);
  }
  for (int k = taken; k < count; k++)
    s->in[s->queue[k]] = false;
}

/* Row i of A_SS, row k of S, behind the first `used` entries; returns their number then, -1: no memory.
 * b_k = y_i - (A_SS x_S)_k */
static int64_t add_row(clusters *s, int i, int k, int64_t used)
{
  const perp_operator *A = s->run->problem->A;
  const int entries = A->table->row(A, i, s->row_column, s->row_value);
  if (!make_room(s->run, &s->part, used, entries))
    return -1;
  double sum = 0;
  for (int e = 0; e < entries; e++) {
    const int j = s->row_column[e];
    if (s->local[j] < 0)
      continue;
    s->part.column[used] = s->local[j];
    s->part.value[used++] = s->row_value[e];
    sum += s->row_value[e] * s->x[j];
  }
  s->b[k] = s->y[i] - sum;
  return used;
}

/* The problem of S at x; false: no memory. */
static bool assemble(clusters *s, perp_problem *sub)
{
  const perp_set *K = &s->run->problem->K;
  const int cone_rows = 3 * K->cones;
  int64_t used = 0, longest = 0;
  s->m = 0;
  for (int i = 0; i < s->n; i++) {
    s->local[i] = s->in[s->contacts.of[i]] ? s->m : -1;
    if (s->local[i] >= 0)
      s->row[s->m++] = i;
  }
  sub->K = perp_set_default(s->m);
  for (int k = 0; k < s->m; k++) {
    const int i = s->row[k];
    const int64_t begin = s->part.start[k] = used;
    used = add_row(s, i, k, used);
    if (used < 0)
      return false;
    longest = used - begin > longest ? used - begin : longest;
    s->z[k] = s->x[i];
    s->lo[k] = perp_set_lo(K, i);
    s->hi[k] = perp_set_hi(K, i);
    s->findex[k] = i >= cone_rows && perp_set_is_friction(K, i) ? s->local[K->findex[i]] : -1;
    if (i < cone_rows && i % 3 == 0)
      s->mu[sub->K.cones++] = K->mu[i / 3];
  }
  s->part.start[s->m] = used;
  s->part.base = (perp_operator){
      .table = &part_table, .n = s->m, .nonzeros = used, .row_capacity = (int)longest};
  sub->A = &s->part.base;
  sub->b = s->b;
  sub->K.lo = s->lo;
  sub->K.hi = s->hi;
  sub->K.findex = s->findex;
  sub->K.mu = s->mu;
  return true;
}

/* x_S, unless the inner method does not get there. */
static perp_error solve_cluster(clusters *s)
{
  perp_problem sub;
  grow(s, find_worst(s));
  if (!assemble(s, &sub))
    return perp_run_no_memory(s->run);
  const perp_subrun call = {
      .method = s->inner, .target = 0.1 * s->run->target, .max_iterations = s->par->steps};
  perp_outcome outcome;
  const perp_error error = perp_run_subsolve(s->run, &call, &sub, s->z, &outcome);
  for (int k = 0; !error && outcome == PERP_SOLVED && k < s->m; k++)
    s->x[s->row[k]] = s->z[k];
  return error;
}

/* ---- All contacts ---- */

/* x from that residual to a hundredth of it, if the inner method can; y too. */
static perp_error solve_whole(clusters *s, double residual, bool *success)
{
  const perp_problem *p = s->run->problem;
  const perp_subrun call = {
      .method = s->inner, .target = s->run->target, .max_iterations = s->par->steps_whole};
  perp_outcome outcome;
  perp_copy(s->n, s->x, s->trial);
  const perp_error error = perp_run_subsolve(s->run, &call, p, s->trial, &outcome);
  if (error)
    return error;
  perp_run_gradient(s->run, s->trial, s->y);
  *success = perp_problem_residual(p, s->trial, s->y) <= 0.01 * residual;
  if (*success)
    perp_copy(s->n, s->trial, s->x);
  else
    perp_run_gradient(s->run, s->x, s->y);
  return PERP_OK;
}

static void sweep(clusters *s)
{
  perp_relaxer *relaxer = s->order.relaxer->relaxer;
  perp_relaxer_load(relaxer);
  for (int k = 0; k < s->par->sweeps && !perp_run_expired(s->run); k++)
    s->run->count.sweeps +=
        perp_block_sweep(&s->order, NULL, s->blocks->list.count, perp_blocks_solve, s->blocks);
  perp_relaxer_store(relaxer);
}

/* ---- The method ---- */

static perp_error prepare(perp_run *run, const clusters_parameters *par, double *x, clusters *s)
{
  const int n = run->problem->K.n;
  const perp_method *const *inner = run->services->methods;
  while (*inner && strcmp((*inner)->name, inners[par->inner]) != 0)
    inner++;
  assert(*inner);
  *s = (clusters){.run = run, .inner = *inner, .par = par, .n = n, .x = x};
  perp_error error = perp_contacts_list(run, &s->contacts);
  if (error)
    return error;
  const int capacity = perp_operator_row_capacity(run->problem->A);
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &s->y, &s->trial, &s->b, &s->lo, &s->hi, &s->mu,
                       &s->z) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s->in, n), PERP_ARRAY(s->queue, n), PERP_ARRAY(s->local, n),
                 PERP_ARRAY(s->row, n), PERP_ARRAY(s->findex, n), PERP_ARRAY(s->part.start, n + 1),
                 PERP_ARRAY(s->row_column, capacity), PERP_ARRAY(s->row_value, capacity)))
    return perp_run_no_memory(run);
  error = perp_blocks_create(run, x, 1, false, &s->blocks);
  if (error || perp_run_expired(run))
    return error;
  s->blocks->omega = 1;
  return perp_blocks_sweeps(run, x, &s->blocks->list, PERP_BLOCKS_FORWARD, &s->order);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const clusters_parameters *par = params;
  clusters s;
  perp_error error = prepare(run, par, x, &s);
  if (error || perp_run_expired(run))
    return error;
  int since = 0, pause = 0; /* clusters since the last try of the whole, and before the next */
  for (;;) {
    perp_run_gradient(run, x, s.y);
    if (!perp_run_next(run, x, s.y))
      return PERP_OK;
    const double residual = perp_problem_residual(p, x, s.y);
    if (residual <= par->near * run->scale && since >= pause) {
      bool success;
      error = solve_whole(&s, residual, &success);
      if (error)
        return error;
      if (success)
        continue;
      since = 0;
      pause = pause > 0 ? 2 * pause : 2;
    }
    since++;
    error = solve_cluster(&s);
    if (error)
      return error;
    sweep(&s);
  }
}

const perp_method perp_method_clusters = {
    .name = "clusters",
    .title = "clusters of contacts, each solved as a whole, and sweeps",
    .family = "staggered",
    .reference = true,
    .source = "badea-tai-wang-2003",
    .takes = PERP_TAKES(PERP_FORM_FINDEX) | PERP_TAKES(PERP_FORM_CONE),
    .needs = PERP_CAN_ROW,
    .iteration =
        "the contacts round the one with the greatest residual solved together, the others "
        "held; sweeps over all",
    .works = "positive (semi-)definite A with a positive diagonal; jammed piles of balls mostly",
    .max_iterations = 3000,
    PERP_SOLVES_WITH(clusters_parameters),
};
