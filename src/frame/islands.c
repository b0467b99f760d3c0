/* islands.c: solves a problem that consists of independent parts, part by part
 *
 * Each island has its own solver and operator, kept for the island with the same index in the next
 * frame. If its structure is unchanged, the operator is refreshed, otherwise created again; the
 * solver can then reuse its cached work. Other data of a frame is in an arena. Islands beyond the
 * first KEPT get temporary solvers, because thousands of solvers for a few rows each would fill the
 * memory. */
#include "frame/islands.h"
#include "base/clock.h"
#include "base/elementary.h"
#include "base/message.h"
#include "base/threads.h"
#include "method/run/method.h"
#include "problem/judge.h"
#include "set/set.h"
#include <perp/frame.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEPT = 4096, ALIGNMENT = 64 };

typedef struct part {
  perp_solver *solver;
  perp_operator *A;
  perp_island_matrix matrix; /* the arrays that A borrows, */
  void *block;               /* stored in this block */
  size_t block_bytes;

  perp_problem problem; /* of this frame */
  double *x;
  perp_result result;
  perp_error error;
} part;

struct perp_islands {
  perp_solver *model; /* holds the method and its parameters; never solves */
  perp_arena frame;   /* data of one frame */
  int parts;
  part **part; /* kept ones */
};

/* ---- One part ---- */

static bool is_value(int array)
{
  return array == PERP_ISLAND_VALUE || array == PERP_ISLAND_MINV || array == PERP_ISLAND_C_VALUE;
}

static bool same_structure(const perp_island_matrix *a, const perp_island_matrix *b)
{
  if (a->kind != b->kind || a->rows != b->rows || a->velocities != b->velocities ||
      a->blocks != b->blocks)
    return false;
  for (int k = 0; k < PERP_ISLAND_ARRAYS; k++) {
    if (!a->array[k].at != !b->array[k].at || a->array[k].bytes != b->array[k].bytes)
      return false;
    if (!is_value(k) && a->array[k].bytes > 0 &&
        memcmp(a->array[k].at, b->array[k].at, a->array[k].bytes) != 0)
      return false;
  }
  return true;
}

static bool keep_matrix(part *p, const perp_island_matrix *matrix)
{
  size_t bytes = 0;
  for (int k = 0; k < PERP_ISLAND_ARRAYS; k++)
    bytes += (matrix->array[k].bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > p->block_bytes || !p->block) {
    perp_free(p->block);
    p->block = perp_alloc(bytes, 1);
    p->block_bytes = p->block ? bytes : 0;
    if (!p->block)
      return false;
  }
  p->matrix = *matrix;
  char *to = p->block;
  for (int k = 0; k < PERP_ISLAND_ARRAYS; k++) {
    if (!matrix->array[k].at)
      continue;
    const size_t count = matrix->array[k].bytes;
    if (count > 0)
      memcpy(to, matrix->array[k].at, count);
    p->matrix.array[k].at = to;
    to += (count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  return true;
}

static perp_error make_contact(part *p, perp_message *why)
{
  const perp_island_matrix *m = &p->matrix;
  perp_contact_data data = perp_contact_data_default();
  data.rows = m->rows;
  data.velocities = m->velocities;
  data.blocks = m->blocks;
  data.J_start = m->array[PERP_ISLAND_START].at;
  data.J_column = m->array[PERP_ISLAND_COLUMN].at;
  data.J_value = m->array[PERP_ISLAND_VALUE].at;
  data.block_start = m->array[PERP_ISLAND_BLOCK_START].at;
  data.Minv = m->array[PERP_ISLAND_MINV].at;
  data.C_start = m->array[PERP_ISLAND_C_START].at;
  data.C_column = m->array[PERP_ISLAND_C_COLUMN].at;
  data.C_value = m->array[PERP_ISLAND_C_VALUE].at;
  return p->A ? perp_operator_contact_replace(p->A, &data, PERP_BORROW, why)
              : perp_operator_contact(&data, PERP_BORROW, &p->A, why);
}

static perp_error make_operator(part *p, perp_message *why)
{
  const perp_island_matrix *m = &p->matrix;
  const bool contact = m->kind == PERP_ISLAND_CONTACT;
  if (p->A && !(contact && perp_operator_abilities(p->A) & PERP_CAN_VELOCITIES)) {
    perp_operator_destroy(p->A);
    p->A = NULL;
  }
  return contact ? make_contact(p, why)
         : m->kind == PERP_ISLAND_DENSE
             ? perp_operator_dense(m->rows, m->array[PERP_ISLAND_VALUE].at, m->rows, PERP_BORROW,
                                   &p->A, why)
             : perp_operator_csr(m->rows, m->array[PERP_ISLAND_START].at,
                                 m->array[PERP_ISLAND_COLUMN].at, m->array[PERP_ISLAND_VALUE].at,
                                 PERP_BORROW, &p->A, why);
}

static perp_error refresh_values(part *p, const perp_island_matrix *matrix, perp_message *why)
{
  bool changed = false;
  for (int k = 0; k < PERP_ISLAND_ARRAYS; k++) {
    const size_t bytes = matrix->array[k].bytes;
    if (!is_value(k) || bytes == 0 ||
        memcmp(p->matrix.array[k].at, matrix->array[k].at, bytes) == 0)
      continue;
    memcpy((void *)p->matrix.array[k].at, matrix->array[k].at, bytes);
    changed = true;
  }
  return changed ? perp_operator_refresh(p->A, why) : PERP_OK;
}

/* Updates or creates the operator of the part for this matrix; on failure the part has none. */
static perp_error part_operator(part *p, bool kept, const perp_island_matrix *matrix,
                                perp_message *why)
{
  perp_error error;
  if (p->A && same_structure(&p->matrix, matrix)) {
    error = refresh_values(p, matrix, why);
  } else if (kept && !keep_matrix(p, matrix)) {
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", matrix->rows);
  } else {
    p->matrix = kept ? p->matrix : *matrix;
    error = make_operator(p, why);
  }
  if (error) {
    perp_operator_destroy(p->A);
    p->A = NULL;
  }
  return error;
}

static void part_free(part *p)
{
  perp_solver_destroy(p->solver);
  perp_operator_destroy(p->A);
  perp_free(p->block);
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

/* Collects the cones of the rows S; a cone is always within one island. */
static bool part_cones(const perp_set *K, int m, const int *S, perp_arena *arena, perp_set *set)
{
  if (K->cones == 0)
    return true;
  double *mu;
  int *cone, *dim, *law;
  const size_t width = K->dim ? PERP_FRICTION_MU : 1;
  const int most = K->dim ? m : m / 3;
  if (!PERP_TAKE(arena, PERP_ARRAY(mu, width * (size_t)most), PERP_ARRAY(cone, most),
                 PERP_ARRAY(dim, most), PERP_ARRAY(law, most)))
    return false;
  perp_cone k = perp_set_cones(K);
  for (int i = 0; i < m; i++) {
    while (k.c < K->cones && k.row < S[i])
      perp_cone_next(K, &k);
    if (k.c == K->cones || k.row != S[i])
      continue;
    memcpy(mu + width * (size_t)set->cones, K->mu + width * (size_t)k.c, width * sizeof *mu);
    dim[set->cones] = k.rows;
    law[set->cones] = K->law ? K->law[k.c] : 0;
    cone[set->cones++] = i;
    i += k.rows - 1;
  }
  set->mu = mu;
  set->cone = K->cone || K->dim ? cone : NULL; /* otherwise cones come first, as in K */
  set->dim = K->dim ? dim : NULL;
  set->law = K->dim ? law : NULL;
  return true;
}

static bool part_vectors(const perp_problem *problem, const double *start, const int *place, int m,
                         const int *S, perp_arena *arena, part *p)
{
  const perp_set *K = &problem->K;
  perp_set set = {.n = m};
  const double *x = NULL, *b = NULL;
  if (!take(arena, m, S, start, &x) || !take(arena, m, S, problem->b, &b) ||
      !take(arena, m, S, K->lo, &set.lo) || !take(arena, m, S, K->hi, &set.hi))
    return false;
  if (!part_cones(K, m, S, arena, &set))
    return false;
  if (K->findex) {
    int *findex = perp_arena_alloc(arena, (size_t)m, sizeof *findex);
    for (int i = 0; findex && i < m; i++)
      findex[i] = K->findex[S[i]] >= 0 ? place[K->findex[S[i]]] : -1;
    set.findex = findex;
    if (!findex)
      return false;
  }
  p->problem = (perp_problem){.b = b, .K = set};
  p->x = (double *)x;
  return true;
}

/* ---- A frame ---- */

typedef struct frame {
  perp_islands *islands;
  const perp_problem *problem;
  const perp_options *options;
  double begin; /* seconds on the clock */
  perp_island_rows rows;
  const perp_island_matrix *matrix;
  part **part; /* of each island */
} frame;

static void solve_range(void *context, int64_t begin, int64_t end)
{
  const frame *f = context;
  for (int64_t k = begin; k < end; k++) {
    part *p = f->part[k];
    perp_options options = *f->options;
    options.threads = 1;
    options.observer = NULL;
    options.logger = NULL;          /* this thread may not be the caller's */
    options.y = options.ray = NULL; /* these belong to the whole problem */
    if (options.time_limit > 0)     /* the time left, but never 0, which would mean no limit */
      options.time_limit = perp_max(options.time_limit - (perp_clock_seconds() - f->begin), 1e-9);
    p->result = perp_result_empty();
    p->error = part_operator(p, k < KEPT, &f->matrix[k], &p->result.message);
    if (!p->error)
      p->error = perp_solver_like(f->islands->model, &p->solver, &p->result.message);
    p->problem.A = p->A;
    if (!p->error)
      p->error = perp_solver_solve(p->solver, &p->problem, &options, p->x, &p->result);
  }
}

/* Sorts the rows by island by counting; keeps the order within each. */
static bool sort_rows(int n, const int *island, int count, perp_arena *arena,
                      perp_island_rows *rows)
{
  rows->count = count;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(rows->start, count + 1)) ||
      !PERP_TAKE(arena, PERP_ARRAY(rows->row, n), PERP_ARRAY(rows->place, n)))
    return false;
  for (int i = 0; i < n; i++)
    rows->place[i] = rows->start[island[i] + 1]++;
  for (int k = 0; k < count; k++)
    rows->start[k + 1] += rows->start[k];
  for (int i = 0; i < n; i++)
    rows->row[rows->start[island[i]] + rows->place[i]] = i;
  return true;
}

/* Provides a part for each island: kept ones first, the others in the arena. */
static bool take_parts(perp_islands *islands, int count, part ***parts)
{
  perp_arena *arena = &islands->frame;
  const int kept = count < KEPT ? count : KEPT;
  if (kept > islands->parts) {
    part **more = perp_alloc_zero((size_t)kept, sizeof *more);
    if (!more)
      return false;
    if (islands->parts > 0)
      memcpy(more, islands->part, (size_t)islands->parts * sizeof *more);
    perp_free(islands->part);
    islands->part = more;
    while (islands->parts < kept) {
      if (!(more[islands->parts] = perp_alloc_zero(1, sizeof **more)))
        return false;
      islands->parts++;
    }
  }
  *parts = perp_arena_alloc(arena, (size_t)count, sizeof **parts);
  part *beyond = perp_arena_alloc_zero(arena, (size_t)(count - kept), sizeof *beyond);
  for (int k = 0; *parts && beyond && k < count; k++)
    (*parts)[k] = k < kept ? islands->part[k] : &beyond[k - kept];
  return *parts && beyond;
}

/* Prepares everything that the islands need before they are solved in parallel. */
static perp_error prepare(frame *f, const double *x, perp_message *why)
{
  perp_islands *islands = f->islands;
  perp_arena *arena = &islands->frame;
  const perp_problem *problem = f->problem;
  const int n = problem->K.n;
  int *island = perp_arena_alloc(arena, (size_t)n, sizeof *island), count = 0;
  if (!island)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  perp_error error = perp_islands_number(problem, arena, island, &count, why);
  if (error)
    return error;
  perp_island_matrix *matrix = perp_arena_alloc(arena, (size_t)count, sizeof *matrix);
  bool enough = matrix && sort_rows(n, island, count, arena, &f->rows);
  if (enough && (error = perp_islands_cut(problem->A, &f->rows, island, arena, matrix, why)))
    return error;
  f->matrix = matrix;
  enough = enough && take_parts(islands, count, &f->part);
  for (int k = 0; enough && k < count; k++) {
    const int *S = f->rows.row + f->rows.start[k], m = f->rows.start[k + 1] - f->rows.start[k];
    enough = part_vectors(problem, x, f->rows.place, m, S, arena, f->part[k]);
  }
  if (!enough) {
    f->part = NULL;
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  }
  return PERP_OK;
}

/* ---- Putting them together ---- */

/* Collects x of the whole problem from the islands and computes its residual. */
static perp_error judge(const frame *f, double *x, perp_result *result)
{
  const perp_problem *p = f->problem;
  perp_arena *arena = &f->islands->frame;
  double *y = perp_arena_alloc(arena, (size_t)p->K.n, sizeof *y);
  double *scratch = perp_arena_alloc(arena, p->A->scratch, sizeof *scratch);
  void *room = perp_arena_alloc(arena, perp_judge_bytes(p->A), 1);
  double *whole = perp_arena_alloc(arena, (size_t)p->K.n, sizeof *whole);
  if (!y || !scratch || !room || !whole)
    return perp_fail(&result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", p->K.n);
  for (int k = 0; k < f->rows.count; k++)
    for (int i = f->rows.start[k]; i < f->rows.start[k + 1]; i++)
      whole[f->rows.row[i]] = f->part[k]->x[i - f->rows.start[k]];
  const int failures = perp_operator_failures(p->A);
  result->residual = perp_judge(p, whole, y, &(perp_work){.threads = 1, .scratch = scratch}, room);
  result->scale = perp_problem_scale(p);
  result->relative_residual = result->residual / result->scale;
  result->y = y;
  const perp_error error = perp_operator_failed(p->A, failures, &result->message);
  if (!error && p->K.n > 0)
    memcpy(x, whole, (size_t)p->K.n * sizeof *x);
  return error;
}

/* Extends the ray of island k to the whole problem by zeros. */
static perp_error spread_ray(const frame *f, int k, perp_result *result)
{
  const double *ray = f->part[k]->result.ray;
  if (!ray)
    return PERP_OK;
  const int n = f->problem->K.n;
  double *whole = perp_arena_alloc_zero(&f->islands->frame, (size_t)n, sizeof *whole);
  if (!whole)
    return perp_fail(&result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  for (int i = f->rows.start[k]; i < f->rows.start[k + 1]; i++)
    whole[f->rows.row[i]] = ray[i - f->rows.start[k]];
  result->ray = whole;
  return PERP_OK;
}

static bool is_same_choice(const perp_result *r, const perp_result *s)
{
  return r->method == s->method && r->outcome == s->outcome &&
         strcmp(r->plan.class_name, s->plan.class_name) == 0;
}

/* Logs the methods chosen for the islands: one line per class or method, from the first island that
 * has it, with the smallest and the largest number of rows. Runs on the caller's thread after all
 * islands are solved. */
static void log_choices(const frame *f)
{
  enum { MOST_LINES = 16 };
  int first[MOST_LINES], lines = 0;
  for (int k = 0; k < f->rows.count && lines < MOST_LINES; k++) {
    const perp_result *r = &f->part[k]->result;
    int line = 0;
    while (line < lines && !is_same_choice(r, &f->part[first[line]]->result))
      line++;
    if (line == lines && r->method)
      first[lines++] = k;
  }
  for (int line = 0; line < lines; line++) {
    const perp_result *r = &f->part[first[line]]->result;
    int count = 0, least = INT_MAX, most = 0;
    for (int k = first[line]; k < f->rows.count; k++)
      if (is_same_choice(&f->part[k]->result, r)) {
        const int n = f->part[k]->problem.K.n;
        count++;
        least = n < least ? n : least;
        most = n > most ? n : most;
      }
    char text[256];
    snprintf(text, sizeof text, "islands: %d of %d to %d rows%s%s: %s, %s", count, least, most,
             r->plan.class_name[0] ? ", " : "", r->plan.class_name, r->method,
             perp_outcome_name(r->outcome));
    f->options->logger(f->options->logger_context,
                       r->outcome == PERP_SOLVED ? PERP_LOG_INFO : PERP_LOG_WARNING, text);
  }
}

/* Gives the verdict on the whole problem: solved only if its own residual confirms it. */
static perp_error summarise(const frame *f, double *x, perp_result *result)
{
  const int count = f->rows.count;
  int solved = 0, worst = -1;
  for (int k = 0; k < count; k++) {
    const part *p = f->part[k];
    if (p->error)
      return perp_fail(&result->message, p->error, "island %d (first row %d): %.400s", k,
                       f->rows.row[f->rows.start[k]], p->result.message.text);
    perp_counts_add(&result->counts, &p->result.counts);
    result->counts.iterations += p->result.counts.iterations;
    if (p->result.outcome == PERP_SOLVED)
      solved++;
    else if (worst < 0)
      worst = k;
  }
  result->method = count > 0 ? f->part[worst < 0 ? 0 : worst]->result.method
                             : perp_solver_method(f->islands->model).name;
  perp_error error = worst >= 0 ? spread_ray(f, worst, result) : PERP_OK;
  if (error || (error = judge(f, x, result)))
    return error;
  result->seconds = perp_clock_seconds() - f->begin;
  result->floor = worst >= 0 ? f->part[worst]->result.floor : 0;
  result->outcome =
      worst >= 0
          ? f->part[worst]->result.outcome
          : perp_verdict_outcome(result->residual,
                                 perp_verdict_target(f->options->tol, result->scale), PERP_REFUTED);
  if (worst < 0)
    perp_fail(&result->message, PERP_OK, "%d islands, all solved", count);
  else
    perp_fail(&result->message, PERP_OK,
              "%d of %d islands solved; island %d (first row %d): %.300s", solved, count, worst,
              f->rows.row[f->rows.start[worst]], f->part[worst]->result.message.text);
  return PERP_OK;
}

/* ---- The object ---- */

perp_error perp_islands_create(const char *method, perp_islands **islands, perp_message *why)
{
  if (!islands)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "islands is NULL");
  *islands = NULL;
  perp_solver *model = NULL;
  const perp_error error = perp_solver_create(method, &model, why);
  if (error)
    return error;
  perp_islands *made = perp_alloc_zero(1, sizeof *made);
  if (!made) {
    perp_solver_destroy(model);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for islands");
  }
  made->model = model;
  *islands = made;
  return PERP_OK;
}

void perp_islands_destroy(perp_islands *islands)
{
  if (!islands)
    return;
  for (int k = 0; k < islands->parts; k++) {
    part_free(islands->part[k]);
    perp_free(islands->part[k]);
  }
  perp_free(islands->part);
  perp_arena_free(&islands->frame);
  perp_solver_destroy(islands->model);
  perp_free(islands);
}

perp_solver *perp_islands_solver(perp_islands *islands)
{
  return islands ? islands->model : NULL;
}

/* perp_islands_solve with options and a result of this library's size. */
static perp_error solve_frame(perp_islands *islands, const perp_problem *problem,
                              const perp_options *options, double *x, perp_result *result)
{
  perp_error error = perp_options_check(options, &result->message);
  if (error || (error = perp_problem_validate(problem, &result->message)))
    return error;
  if (problem->K.n > 0 && !x)
    return perp_fail(&result->message, PERP_ERROR_ARGUMENT, "x is NULL");
  if (options->x_low)
    return perp_fail(&result->message, PERP_ERROR_UNSUPPORTED,
                     "x_low is not available with islands");
  perp_arena_reset(&islands->frame);
  frame f = {
      .islands = islands, .problem = problem, .options = options, .begin = perp_clock_seconds()};
  error = prepare(&f, x, &result->message);
  if (!error) {
    perp_parallel_for(options->threads, f.rows.count, 1, solve_range, &f);
    if (options->logger)
      log_choices(&f);
    error = summarise(&f, x, result);
  }
  const size_t bytes = (size_t)problem->K.n * sizeof *x;
  if (error) {
    result->residual = result->relative_residual = INFINITY;
    result->y = result->ray = NULL;
  } else {
    if (options->y && bytes > 0)
      memcpy(options->y, result->y, bytes);
    if (options->ray && result->ray)
      memcpy(options->ray, result->ray, bytes);
  }
  for (int k = KEPT; f.part && k < f.rows.count; k++)
    part_free(f.part[k]);
  return error;
}

perp_error perp_islands_solve(perp_islands *islands, const perp_problem *problem,
                              const perp_options *options, double *x, perp_result *result)
{
  perp_call c;
  if (!perp_call_begin(&c, options, result))
    return PERP_ERROR_ARGUMENT;
  const perp_error error =
      !islands    ? perp_fail(&c.result->message, PERP_ERROR_ARGUMENT, "islands is NULL")
      : c.options ? solve_frame(islands, problem, c.options, x, c.result)
                  : PERP_ERROR_ARGUMENT;
  return perp_call_end(&c, "islands", error);
}
