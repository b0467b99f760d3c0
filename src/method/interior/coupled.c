/* interior/coupled.c: see coupled.h
 *
 * Solutions are refined against the matrix itself. Cost of a set: that of the factor. */
#include "method/interior/coupled.h"

#include "linalg/vector.h"
#include "method/system/gather.h"

#include <math.h>

enum {
  DENSE_IS_FASTER = 60,
  DENSE_MOST = 2500, /* without UMFPACK: a factor of more takes seconds, and a solve takes dozens */
};

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
  s->v = perp_run_reals(run, m);
  if (!s->all || !s->v)
    return perp_run_no_memory(run);
  if (m > DENSE_IS_FASTER && perp_sparse_lu_available()) {
    s->lu = perp_sparse_lu_open(&s->M, run->arena);
    if (!s->lu)
      return perp_run_no_memory(run);
    perp_sparse_lu_plain(s->lu);
    return PERP_OK;
  }
  if (m > DENSE_MOST)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "ipm with friction takes at most %d rows without UMFPACK, this problem "
                         "has %d",
                         DENSE_MOST, s->M.n);
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
  const bool contact = perp_operator_is_contact(A) && perp_contact_of(A)->C_is_diagonal;
  *s = (perp_coupled){.run = run,
                      .n = A->n,
                      .normal = normal,
                      .in_velocities = contact,
                      .q = perp_run_reals(run, (size_t)A->n)};
  if (!s->q)
    return perp_run_no_memory(run);
  if (contact)
    return perp_velocities_open(&s->velocities, run, normal);
  if (!A->table->row)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "ipm with friction needs the rows of A or a contact operator");
  const perp_error error = open_entries(s);
  return error || perp_run_expired(run) ? error : open_factor(s);
}

void perp_coupled_close(perp_coupled *s)
{
  perp_sparse_lu_free(s->lu);
  perp_velocities_close(&s->velocities);
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
  if (s->in_velocities) {
    const bool fine = perp_velocities_set(&s->velocities, d, e);
    s->too_long = s->velocities.M.too_long;
    return fine;
  }
  for (int i = 0; i < s->n; i++)
    if (d[i] < INFINITY)
      s->all[s->m++] = i;
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
  if (s->in_velocities) {
    perp_velocities_add(&s->velocities, r, z);
    return;
  }
  for (int k = 0; k < s->m; k++)
    s->v[k] = r[s->all[k]];
  solve_factored(s, s->v);
  for (int k = 0; k < s->m; k++)
    z[s->all[k]] += s->v[k];
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

bool perp_coupled_solve(perp_coupled *s, const double *r, bool refined, double *z)
{
  enum { REFINEMENTS = 3 };
  perp_fill(s->n, 0, z);
  add(s, r, z);
  if (!refined)
    return perp_all_finite(s->n, z);
  double before = residual(s, r, z), whole = 0;
  for (int i = 0; i < s->n; i++)
    whole += s->d[i] < INFINITY ? r[i] * r[i] : 0;
  for (int k = 0; k < REFINEMENTS && before > 1e-10 * sqrt(whole); k++) {
    add(s, s->q, z);
    const double now = residual(s, r, z);
    if (!(now < 0.5 * before))
      break;
    before = now;
  }
  return perp_all_finite(s->n, z);
}
