/* islands.c: a problem that consists of independent parts, solved part by part
 *
 * Rows are joined by union-find along the entries of A, friction indices and cones; rows of a
 * contact operator along the blocks of Minv that they touch, which does not need A itself. The
 * matrix of an island is dense or contact if A is, and csr otherwise. Rows keep their order, so
 * cones stay in front. */
#include "base/clock.h"
#include "base/elementary.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/threads.h"
#include "operator/operator.h"
#include <perp/frame.h>

#include <math.h>
#include <string.h>

/* ---- Finding them ---- */

/* By the blocks of Minv that rows of J touch, and the entries of C. */
static perp_error unite_contact(const perp_contact_data *d, int *parent, perp_message *why)
{
  int *owner = perp_alloc((size_t)d->velocities, sizeof *owner); /* block of each velocity, ... */
  int *first = perp_alloc((size_t)d->blocks, sizeof *first);     /* a row that touches the block */
  if (!owner || !first) {
    perp_free(owner);
    perp_free(first);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for islands of %d rows", d->rows);
  }
  for (int k = 0; k < d->blocks; k++) {
    first[k] = -1;
    for (int j = d->block_start[k]; j < d->block_start[k + 1]; j++)
      owner[j] = k;
  }
  for (int i = 0; i < d->rows; i++) {
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++) {
      const int k = owner[d->J_column[e]];
      if (first[k] < 0)
        first[k] = i;
      perp_forest_join(parent, first[k], i);
    }
    for (int64_t e = d->C_start ? d->C_start[i] : 0; d->C_start && e < d->C_start[i + 1]; e++)
      if (d->C_value[e] != 0)
        perp_forest_join(parent, i, d->C_column[e]);
  }
  perp_free(owner);
  perp_free(first);
  return PERP_OK;
}

static perp_error unite_rows(const perp_operator *A, int *parent, perp_message *why)
{
  if (!A->table->row)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "islands need the rows of A, which this %s operator does not give",
                     A->table->kind);
  int *column = perp_alloc((size_t)A->row_capacity, sizeof *column);
  double *value = perp_alloc((size_t)A->row_capacity, sizeof *value);
  const bool enough = column && value;
  for (int i = 0; enough && i < A->n; i++) {
    const int count = A->table->row(A, i, column, value);
    for (int k = 0; k < count; k++)
      if (value[k] != 0)
        perp_forest_join(parent, i, column[k]);
  }
  perp_free(column);
  perp_free(value);
  return enough ? PERP_OK
                : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for islands of %d rows", A->n);
}

perp_error perp_islands_find(const perp_problem *problem, int *island, int *count,
                             perp_message *why)
{
  perp_error error = perp_problem_check(problem, why);
  if (error)
    return error;
  const perp_set *K = &problem->K;
  if ((K->n > 0 && !island) || !count)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "nowhere to put the islands");
  for (int i = 0; i < K->n; i++)
    island[i] = i;
  perp_contact_data contact;
  error = perp_operator_contact_data(problem->A, &contact) == PERP_OK
              ? unite_contact(&contact, island, why)
              : unite_rows(problem->A, island, why);
  if (error)
    return error;
  for (int i = 0; i < 3 * K->cones; i++)
    perp_forest_join(island, i, i / 3 * 3);
  for (int i = 3 * K->cones; K->findex && i < K->n; i++)
    if (K->findex[i] >= 0)
      perp_forest_join(island, i, K->findex[i]);

  /* The smaller root stays, so a root is the first row of its island, and has its number before the
   * other rows need it. */
  for (int i = 0; i < K->n; i++)
    island[i] = perp_forest_root(island, i);
  int islands = 0;
  for (int i = 0; i < K->n; i++)
    island[i] = island[i] == i ? islands++ : island[island[i]];
  *count = islands;
  return PERP_OK;
}

/* ---- The problem of one island ---- */

typedef struct parts {
  const char *method;
  const perp_problem *problem;
  const perp_options *options;
  double *x;
  double begin;           /* seconds on the clock */
  const int *start, *row; /* rows of island k: row[start[k]] .. row[start[k + 1] - 1] */
  const int *place;       /* of each row within its island */
  perp_result *result;    /* of each island */
  perp_error *error;
} parts;

/* A part: all its memory except A is in the arena. */
typedef struct part {
  perp_arena arena;
  perp_operator *A;
  perp_problem problem;
  double *x;
} part;

static perp_error part_dense(const parts *all, int m, const int *S, part *p, perp_message *why)
{
  const perp_operator *A = all->problem->A;
  double *a = perp_arena_alloc(&p->arena, (size_t)m * (size_t)m, sizeof *a);
  if (!a)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for an island of %d rows", m);
  const double *whole;
  int64_t stride;
  perp_operator_dense_array(A, &whole, &stride);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      a[(int64_t)i * m + j] = whole[S[i] * stride + S[j]];
  return perp_operator_dense(m, a, m, PERP_BORROW, &p->A, why);
}

static perp_error part_csr(const parts *all, int m, const int *S, part *p, perp_message *why)
{
  const perp_operator *A = all->problem->A;
  const size_t room = (size_t)A->row_capacity;
  int *line = perp_arena_alloc(&p->arena, room, sizeof *line);
  double *numbers = perp_arena_alloc(&p->arena, room, sizeof *numbers);
  int64_t *start = perp_arena_alloc(&p->arena, (size_t)m + 1, sizeof *start);
  if (!line || !numbers || !start)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for an island of %d rows", m);
  start[0] = 0;
  for (int i = 0; i < m; i++) {
    int kept = 0;
    const int count = A->table->row(A, S[i], line, numbers);
    for (int k = 0; k < count; k++)
      kept += numbers[k] != 0;
    start[i + 1] = start[i] + kept;
  }
  int *column = perp_arena_alloc(&p->arena, (size_t)start[m], sizeof *column);
  double *value = perp_arena_alloc(&p->arena, (size_t)start[m], sizeof *value);
  if (!column || !value)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for an island of %d rows", m);
  int64_t at = 0;
  for (int i = 0; i < m; i++) {
    const int count = A->table->row(A, S[i], line, numbers);
    for (int k = 0; k < count; k++)
      if (numbers[k] != 0) {
        column[at] = all->place[line[k]];
        value[at++] = numbers[k];
      }
  }
  return perp_operator_csr(m, start, column, value, PERP_BORROW, &p->A, why);
}

/* Rows S of the compressed matrix (start, column, value); columns are renumbered by `renumber`. */
static bool take_rows(perp_arena *arena, int m, const int *S, const int64_t *start,
                      const int *column, const double *value, const int *renumber,
                      const int64_t **part_start, const int **part_column,
                      const double **part_value)
{
  int64_t *s = perp_arena_alloc(arena, (size_t)m + 1, sizeof *s);
  if (!s)
    return false;
  s[0] = 0;
  for (int i = 0; i < m; i++)
    s[i + 1] = s[i] + start[S[i] + 1] - start[S[i]];
  int *c = perp_arena_alloc(arena, (size_t)s[m], sizeof *c);
  double *v = perp_arena_alloc(arena, (size_t)s[m], sizeof *v);
  if (!c || !v)
    return false;
  for (int i = 0; i < m; i++)
    for (int64_t e = start[S[i]], to = s[i]; e < start[S[i] + 1]; e++, to++) {
      c[to] = renumber[column[e]];
      v[to] = value[e];
    }
  *part_start = s;
  *part_column = c;
  *part_value = v;
  return true;
}

/* The blocks of Minv that the rows of S touch, in order, and those rows of J and C. */
static bool part_contact_data(const perp_contact_data *d, const int *place, int m, const int *S,
                              perp_arena *arena, perp_contact_data *to)
{
  int *velocity = perp_arena_alloc(arena, (size_t)d->velocities, sizeof *velocity);
  if (!velocity)
    return false;
  for (int j = 0; j < d->velocities; j++)
    velocity[j] = -1;
  for (int i = 0; i < m; i++)
    for (int64_t e = d->J_start[S[i]]; e < d->J_start[S[i] + 1]; e++)
      velocity[d->J_column[e]] = 0;
  int64_t numbers = 0;
  int blocks = 0;
  int *block_start = perp_arena_alloc(arena, (size_t)d->blocks + 1, sizeof *block_start);
  double *Minv = NULL;
  /* First the size of what is touched, then the numbers. */
  for (int pass = 0; block_start && pass < 2; pass++) {
    if (pass == 1 && !(Minv = perp_arena_alloc(arena, (size_t)numbers, sizeof *Minv)))
      return false;
    int64_t from = 0, at = 0;
    int column = 0;
    blocks = 0;
    for (int k = 0; k < d->blocks; k++) {
      const int size = d->block_start[k + 1] - d->block_start[k];
      bool touched = false;
      for (int j = d->block_start[k]; j < d->block_start[k + 1]; j++)
        touched = touched || velocity[j] >= 0;
      if (touched && pass == 1) {
        block_start[blocks++] = column;
        memcpy(Minv + at, d->Minv + from, (size_t)size * (size_t)size * sizeof *Minv);
        for (int j = d->block_start[k]; j < d->block_start[k + 1]; j++)
          velocity[j] = column++;
      }
      at += touched ? (int64_t)size * size : 0;
      from += (int64_t)size * size;
    }
    block_start[blocks] = column;
    numbers = at;
  }
  if (!block_start)
    return false;
  *to = (perp_contact_data){
      .rows = m,
      .velocities = block_start[blocks],
      .blocks = blocks,
      .block_start = block_start,
      .Minv = Minv,
  };
  return take_rows(arena, m, S, d->J_start, d->J_column, d->J_value, velocity, &to->J_start,
                   &to->J_column, &to->J_value) &&
         (!d->C_start || take_rows(arena, m, S, d->C_start, d->C_column, d->C_value, place,
                                   &to->C_start, &to->C_column, &to->C_value));
}

static perp_error part_operator(const parts *all, int m, const int *S, part *p, perp_message *why)
{
  const perp_operator *A = all->problem->A;
  perp_contact_data contact;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK)
    return part_dense(all, m, S, p, why);
  if (perp_operator_contact_data(A, &contact) != PERP_OK)
    return part_csr(all, m, S, p, why);
  perp_contact_data data;
  if (!part_contact_data(&contact, all->place, m, S, &p->arena, &data))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for an island of %d rows", m);
  return perp_operator_contact(&data, PERP_BORROW, &p->A, why);
}

/* to_i <- from_S[i]; NULL if `from` is NULL. */
static bool take(perp_arena *arena, int m, const int *S, const double *from, const double **to)
{
  *to = NULL;
  if (!from)
    return true;
  double *numbers = perp_arena_alloc(arena, (size_t)m, sizeof *numbers);
  for (int i = 0; numbers && i < m; i++)
    numbers[i] = from[S[i]];
  *to = numbers;
  return numbers != NULL;
}

static perp_error part_make(const parts *all, int m, const int *S, part *p, perp_message *why)
{
  const perp_set *K = &all->problem->K;
  const double *x = NULL, *b = NULL, *mu = NULL;
  perp_set part_K = {.n = m};
  bool enough = take(&p->arena, m, S, all->x, &x) && take(&p->arena, m, S, all->problem->b, &b) &&
                take(&p->arena, m, S, K->lo, &part_K.lo) &&
                take(&p->arena, m, S, K->hi, &part_K.hi);
  /* Cones come first, in the part as in the whole. */
  while (part_K.cones < K->cones && 3 * part_K.cones < m && S[3 * part_K.cones] < 3 * K->cones)
    part_K.cones++;
  if (enough && part_K.cones > 0) {
    double *coefficient = perp_arena_alloc(&p->arena, (size_t)part_K.cones, sizeof *coefficient);
    for (int c = 0; coefficient && c < part_K.cones; c++)
      coefficient[c] = K->mu[S[3 * c] / 3];
    mu = coefficient;
    enough = mu != NULL;
  }
  if (enough && K->findex) {
    int *findex = perp_arena_alloc(&p->arena, (size_t)m, sizeof *findex);
    for (int i = 0; findex && i < m; i++)
      findex[i] = K->findex[S[i]] >= 0 ? all->place[K->findex[S[i]]] : -1;
    part_K.findex = findex;
    enough = findex != NULL;
  }
  if (!enough)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for an island of %d rows", m);
  part_K.mu = mu;
  const perp_error error = part_operator(all, m, S, p, why);
  p->problem = (perp_problem){.A = p->A, .b = b, .K = part_K};
  p->x = (double *)x;
  return error;
}

static void solve_range(void *context, int64_t begin, int64_t end)
{
  const parts *all = context;
  for (int64_t k = begin; k < end; k++) {
    const int *S = all->row + all->start[k], m = all->start[k + 1] - all->start[k];
    part p = {0};
    perp_result result = perp_result_empty();
    perp_options options = *all->options;
    options.threads = 1;
    options.observer = NULL;
    if (options.time_limit > 0) /* the time left, and never 0, which would mean no limit */
      options.time_limit = perp_max(options.time_limit - (perp_clock_seconds() - all->begin), 1e-9);
    perp_error error = part_make(all, m, S, &p, &result.message);
    if (!error)
      error = perp_solve(all->method, &p.problem, &options, p.x, &result);
    for (int i = 0; !error && i < m; i++)
      all->x[S[i]] = p.x[i];
    all->result[k] = result;
    all->error[k] = error;
    perp_operator_destroy(p.A);
    perp_arena_free(&p.arena);
  }
}

/* ---- Putting them together ---- */

static void add_counts(const perp_counts *c, perp_counts *sum)
{
  sum->iterations += c->iterations;
  sum->sweeps += c->sweeps;
  sum->applies += c->applies;
  sum->checks += c->checks;
  sum->pivots += c->pivots;
  sum->factorisations += c->factorisations;
  sum->solves += c->solves;
  sum->cycles += c->cycles;
  sum->restarts += c->restarts;
}

/* The verdict on the whole: solved only if its own residual says so. */
static perp_error summarise(const parts *all, int count, perp_result *result)
{
  int solved = 0, worst = -1;
  for (int k = 0; k < count; k++) {
    if (all->error[k])
      return perp_fail(&result->message, all->error[k], "island %d (first row %d): %.400s", k,
                       all->row[all->start[k]], all->result[k].message.text);
    add_counts(&all->result[k].counts, &result->counts);
    if (all->result[k].outcome == PERP_SOLVED)
      solved++;
    else if (worst < 0)
      worst = k;
  }
  result->method = count > 0 ? all->result[worst < 0 ? 0 : worst].method : all->method;
  const perp_error error =
      perp_check(all->problem, all->x, &result->residual, &result->scale, &result->message);
  if (error)
    return error;
  result->seconds = perp_clock_seconds() - all->begin;
  result->outcome = worst >= 0 ? all->result[worst].outcome
                    : result->residual <= all->options->tol * result->scale ? PERP_SOLVED
                                                                            : PERP_REFUTED;
  if (worst < 0)
    perp_fail(&result->message, PERP_OK, "%d islands, all solved", count);
  else
    perp_fail(&result->message, PERP_OK,
              "%d of %d islands solved; island %d (first row %d): %.300s", solved, count, worst,
              all->row[all->start[worst]], all->result[worst].message.text);
  return PERP_OK;
}

perp_error perp_islands_solve(const char *method, const perp_problem *problem,
                              const perp_options *options, double *x, perp_result *result)
{
  if (!result || result->size != sizeof *result)
    return PERP_ERROR_ARGUMENT;
  perp_result_init(result, sizeof *result);
  const perp_options defaults = perp_options_default();
  if (!options)
    options = &defaults;
  perp_error error = perp_problem_check(problem, &result->message);
  if (error)
    return error;
  const int n = problem->K.n;
  if (!method || perp_method_find(method) < 0 || (n > 0 && !x) || options->size != sizeof *options)
    return perp_fail(&result->message, PERP_ERROR_ARGUMENT,
                     "no such method, x is NULL, or options that are not perp_options_default()");
  const double begin = perp_clock_seconds();
  int *island = perp_alloc(4 * (size_t)n + 2, sizeof *island), count = 0;
  perp_result *results = NULL;
  perp_error *errors = NULL;
  double *start_x = perp_alloc_copy(x, (size_t)n, sizeof *x);
  if (island)
    error = perp_islands_find(problem, island, &count, &result->message);
  if (island && !error) {
    results = perp_alloc_zero((size_t)count, sizeof *results);
    errors = perp_alloc_zero((size_t)count, sizeof *errors);
  }
  if (!error && (!island || !results || !errors || !start_x))
    error = perp_fail(&result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  if (!error) {
    /* Rows by island, by counting; the order within each stays. */
    int *row = island + n, *place = row + n, *start = place + n;
    memset(start, 0, ((size_t)count + 1) * sizeof *start);
    for (int i = 0; i < n; i++)
      place[i] = start[island[i] + 1]++;
    for (int k = 0; k < count; k++)
      start[k + 1] += start[k];
    for (int i = 0; i < n; i++)
      row[start[island[i]] + place[i]] = i;
    parts all = {method, problem, options, x, begin, start, row, place, results, errors};
    perp_parallel_for(options->threads, count, 1, solve_range, &all);
    error = summarise(&all, count, result);
    if (error) /* x is not changed if one island could not be tried */
      memcpy(x, start_x, (size_t)n * sizeof *x);
  }
  perp_free(start_x);
  perp_free(island);
  perp_free(results);
  perp_free(errors);
  return error;
}
