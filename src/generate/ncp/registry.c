/* registry.c: the list of nonlinear problems, their callbacks, and a problem on a grid */
#include "base/lists.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/parameter.h"
#include "base/sized.h"
#include "generate/ncp/ncp.h"

#include <string.h>

/* ---- Combustion below an obstacle, on a square ----
 *
 *   -lap u - lambda e^u <= 0,  u <= psi,  complementary;   u = 0 on the border
 *
 * (Bratu 1914; with an obstacle Hoppe and Mittelmann 1989), lambda = 6.5, psi = 0.5, by the five-point
 * formula with edge x edge inner points, multiplied by h^2. Without the obstacle u goes up to
 * about 1.1. */

typedef struct grid {
  int edge;
  double source; /* lambda h^2 */
  const int64_t *start;
  const int *column;
} grid;

static int grid_bratu(void *context, const double *x, double *F)
{
  const grid *g = context;
  const int e = g->edge;
  for (int j = 0, i = 0; j < e; j++)
    for (int k = 0; k < e; k++, i++) {
      F[i] = 4 * x[i] - g->source * perp_exp(x[i]);
      F[i] -= (k > 0 ? x[i - 1] : 0) + (k < e - 1 ? x[i + 1] : 0);
      F[i] -= (j > 0 ? x[i - e] : 0) + (j < e - 1 ? x[i + e] : 0);
    }
  return 0;
}

static int jacobian(void *context, const double *x, double *J)
{
  const grid *g = context;
  for (int i = 0; i < g->edge * g->edge; i++) {
    const double heat = g->source * perp_exp(x[i]);
    for (int64_t e = g->start[i]; e < g->start[i + 1]; e++)
      J[e] = g->column[e] == i ? 4 - heat : -1;
  }
  return 0;
}

static perp_error make_bratu(int edge, perp_arena *arena, perp_ncp *ncp, double **start)
{
  const size_t n = (size_t)edge * (size_t)edge;
  int64_t *rows;
  int *column;
  double *lo, *hi;
  grid *g;
  if (!PERP_TAKE(arena, PERP_ARRAY(rows, n + 1), PERP_ARRAY(column, 5 * n), PERP_ARRAY(lo, n),
                 PERP_ARRAY(hi, n), PERP_ARRAY(g, 1)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(*start, n)))
    return PERP_ERROR_MEMORY;
  const double h = 1.0 / (edge + 1);
  int64_t e = 0;
  for (int j = 0, i = 0; j < edge; j++)
    for (int k = 0; k < edge; k++, i++) {
      rows[i] = e;
      if (j > 0)
        column[e++] = i - edge;
      if (k > 0)
        column[e++] = i - 1;
      column[e++] = i;
      if (k < edge - 1)
        column[e++] = i + 1;
      if (j < edge - 1)
        column[e++] = i + edge;
      lo[i] = -INFINITY;
      hi[i] = 0.5;
    }
  rows[n] = e;
  *g = (grid){edge, 6.5 * h * h, rows, column};
  ncp->n = (int64_t)n;
  ncp->lo = lo;
  ncp->hi = hi;
  ncp->F = grid_bratu;
  ncp->jacobian = jacobian;
  ncp->start = rows;
  ncp->column = column;
  ncp->context = g;
  return PERP_OK;
}

/* ---- Samples ---- */

enum { MOST = 64, EDGE = 32, EDGE_MOST = 2000 };

struct perp_ncp_sample {
  perp_arena arena;
  perp_ncp ncp;
  const perp_ncp_kind *kind; /* NULL: a grid */
  perp_dual x[MOST], F[MOST];
  double lo[MOST], hi[MOST];
  double *start, *solution;
};

/* ---- The list ---- */

static const perp_ncp_kind bratu[] = {
    {"bratu", "combustion below an obstacle", "hoppe-mittelmann-1989", EDGE *EDGE, 2, .F = NULL},
    {0}};
static const void *const lists[] = {perp_ncp_classics,
                                    perp_ncp_economies,
                                    perp_ncp_equations,
                                    perp_ncp_growth,
                                    perp_ncp_programs,
                                    perp_ncp_traffic,
                                    bratu};
static const perp_lists kinds = {lists, sizeof lists / sizeof *lists, sizeof(perp_ncp_kind)};

int perp_ncp_sample_count(void)
{
  return perp_lists_count(&kinds);
}

void perp_ncp_sample_at_sized(int index, perp_ncp_sample_info *info, size_t size)
{
  perp_ncp_sample_info own = {.size = sizeof own};
  const perp_ncp_kind *kind = perp_lists_at(&kinds, index);
  if (kind)
    own = (perp_ncp_sample_info){.size = sizeof own,
                                 .name = kind->name,
                                 .title = kind->title,
                                 .source = kind->source,
                                 .n = kind->n,
                                 .starts = kind->starts};
  perp_sized_write(&own, sizeof own, info, size);
}

/* ---- Callbacks: F, and its columns by imaginary parts ---- */

static void apply(perp_ncp_sample *s)
{
  if (s->kind->F)
    s->kind->F(s->x, s->F);
  else
    s->kind->family(s->kind->data, s->x, s->F);
}

static int evaluate(void *context, const double *x, double *F)
{
  perp_ncp_sample *s = context;
  for (int i = 0; i < s->kind->n; i++)
    s->x[i] = x[i];
  apply(s);
  for (int i = 0; i < s->kind->n; i++)
    F[i] = creal(s->F[i]);
  return 0;
}

static int differentiate(void *context, const double *x, double *J)
{
  perp_ncp_sample *s = context;
  const int n = s->kind->n;
  const double h = 0x1p-200;
  for (int i = 0; i < n; i++)
    s->x[i] = x[i];
  for (int j = 0; j < n; j++) {
    s->x[j] = x[j] + h * I;
    apply(s);
    s->x[j] = x[j];
    for (int i = 0; i < n; i++)
      J[i * n + j] = cimag(s->F[i]) / h;
  }
  return 0;
}

/* ---- Construction ---- */

typedef struct request {
  const perp_ncp_kind *kind;
  int start, n; /* n: of bratu */
} request;

static perp_error read_text(const char *text, request *r, perp_message *why)
{
  char copy[128];
  uint64_t seed; /* samples are not random */
  if (!text || strlen(text) >= sizeof copy)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "the name of a problem is NULL or longer than 127 characters");
  strcpy(copy, text);
  char *settings = strchr(copy, ',');
  if (settings)
    *settings++ = '\0';
  *r = (request){.kind = perp_lists_at(&kinds, perp_lists_find(&kinds, copy)), .n = EDGE};
  if (!r->kind)
    return perp_fail(why, PERP_ERROR_PARAMETER, "there is no nonlinear problem \"%s\"", copy);
  perp_parameter table[] = {
      PERP_INTEGER(request, start, 0, 0, r->kind->starts - 1, "which of the starting points"),
      PERP_INTEGER(request, n, EDGE, 1, EDGE_MOST, "points along an edge of the grid"),
      {0}};
  if (r->kind != bratu)
    table[1] = table[2];
  return perp_parameters_parse(r->kind->name, table, r, settings, &seed, why);
}

static bool fill(perp_ncp_sample *s, const request *r)
{
  const perp_ncp_kind *kind = r->kind;
  const size_t n = (size_t)kind->n;
  if (!PERP_TAKE_ZERO(&s->arena, PERP_ARRAY(s->start, n)) ||
      (kind->known && !PERP_TAKE_ZERO(&s->arena, PERP_ARRAY(s->solution, n))))
    return false;
  for (size_t i = 0; i < n; i++) {
    s->lo[i] = kind->free ? -INFINITY : kind->lo ? kind->lo[i] : 0;
    s->hi[i] = kind->hi ? kind->hi[i] : INFINITY;
    s->start[i] = kind->levels  ? kind->levels[r->start]
                  : kind->table ? kind->table[(size_t)r->start * n + i]
                                : 0;
    if (kind->known)
      s->solution[i] = kind->known[i];
  }
  if (kind->bounds)
    kind->bounds(s->lo, s->hi);
  if (kind->start)
    kind->start(r->start, s->start);
  s->kind = kind;
  s->ncp.n = kind->n;
  s->ncp.lo = s->lo;
  s->ncp.hi = s->hi;
  s->ncp.F = evaluate;
  s->ncp.jacobian = differentiate;
  s->ncp.context = s;
  return true;
}

perp_error perp_ncp_sample_create(const char *text, perp_ncp_sample **sample, perp_message *why)
{
  if (!sample)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "sample is NULL");
  *sample = NULL;
  request r;
  perp_error error = read_text(text, &r, why);
  if (error)
    return error;
  perp_ncp_sample *s = perp_alloc_zero(1, sizeof *s);
  if (!s)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %s", r.kind->name);
  perp_ncp_init(&s->ncp, sizeof s->ncp);
  if (r.kind == bratu) {
    error = make_bratu(r.n, &s->arena, &s->ncp, &s->start);
    for (int64_t i = 0; i < s->ncp.n && !error && r.start == 1; i++)
      s->start[i] = 0.5; /* on the obstacle */
  } else if (!fill(s, &r)) {
    error = PERP_ERROR_MEMORY;
  }
  if (error) {
    perp_ncp_sample_destroy(s);
    return perp_fail(why, error, "out of memory for %s", r.kind->name);
  }
  *sample = s;
  return PERP_OK;
}

void perp_ncp_sample_destroy(perp_ncp_sample *sample)
{
  if (!sample)
    return;
  perp_arena_free(&sample->arena);
  perp_free(sample);
}

const perp_ncp *perp_ncp_sample_problem(const perp_ncp_sample *sample)
{
  return sample ? &sample->ncp : NULL;
}

const double *perp_ncp_sample_start(const perp_ncp_sample *sample)
{
  return sample ? sample->start : NULL;
}

const double *perp_ncp_sample_solution(const perp_ncp_sample *sample)
{
  return sample ? sample->solution : NULL;
}
