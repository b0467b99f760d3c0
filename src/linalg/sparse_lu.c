/* sparse_lu.c: factors of principal submatrices of one sparse matrix, symmetric or not
 *
 * UMFPACK takes columns: our rows are the columns of the transposed matrix, so it solves with the
 * transpose. Workspace: a copy of the entries of A_SS, 3 n. */
#include "linalg/sparse_factor.h"

#ifdef PERP_HAVE_UMFPACK

#include "base/library.h"
#include "linalg/blas_threads.h"

#include <float.h>
#include <string.h>
#include <suitesparse/umfpack.h>

typedef SuiteSparse_long wide;

/* ---- The library, loaded when it is first needed ---- */

static struct {
  void (*defaults)(double *);
  wide (*symbolic)(wide, wide, const wide *, const wide *, const double *, void **, const double *,
                   double *);
  wide (*numeric)(const wide *, const wide *, const double *, void *, void **, const double *,
                  double *);
  wide (*solve)(wide, const wide *, const wide *, const double *, double *, const double *, void *,
                const double *, double *);
  void (*free_symbolic)(void **);
  void (*free_numeric)(void **);
} umfpack;

static const char *const names[] = {
    "umfpack_dl_defaults",
    "umfpack_dl_symbolic",
    "umfpack_dl_numeric",
    "umfpack_dl_solve",
    "umfpack_dl_free_symbolic",
    "umfpack_dl_free_numeric",
    NULL,
};
_Static_assert(sizeof names == sizeof umfpack + sizeof *names, "a name for each function");
static perp_library library = {PERP_UMFPACK_FILE, names, (perp_function *)&umfpack, 0};

struct perp_sparse_lu {
  perp_sparse A;
  int m;
  int *set;   /* n: S */
  int *place; /* n: position in S, -1 outside */
  wide *start, *index;
  double *value;
  double *solution; /* n */
  void *symbolic, *numeric;
  int refinements; /* of a solution */
  double flops;    /* of a factor by the analysis: rarely exceeded */
};

static perp_sparse_lu *open(const perp_sparse *A, bool refined, perp_arena *arena)
{
  const size_t n = (size_t)A->n, most = (size_t)A->start[n] + n;
  perp_sparse_lu *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f)
    return NULL;
  *f = (perp_sparse_lu){.A = *A, .m = -1, .refinements = refined ? UMFPACK_DEFAULT_IRSTEP : 0};
  if (!PERP_TAKE(arena, PERP_ARRAY(f->set, n), PERP_ARRAY(f->place, n), PERP_ARRAY(f->start, n + 1),
                 PERP_ARRAY(f->index, most), PERP_ARRAY(f->value, most),
                 PERP_ARRAY(f->solution, n)))
    return NULL;
  for (int i = 0; i < A->n; i++)
    f->place[i] = -1;
  return f;
}

/* Writes A_SS + diag(d_S) by rows, with every diagonal entry, columns ascending. */
static void fill(perp_sparse_lu *f, const double *d)
{
  wide e = 0;
  for (int k = 0; k < f->m; k++) {
    const int i = f->set[k];
    double diagonal = d ? d[i] : 0;
    wide at = -1;
    f->start[k] = e;
    for (int64_t t = f->A.start[i]; t < f->A.start[i + 1]; t++) {
      const int j = f->A.column[t];
      if (j == i) {
        diagonal += f->A.value[t];
        continue;
      }
      if (j > i && at < 0)
        at = e++;
      if (f->place[j] >= 0) {
        f->index[e] = f->place[j];
        f->value[e++] = f->A.value[t];
      }
    }
    if (at < 0)
      at = e++;
    f->index[at] = k;
    f->value[at] = diagonal;
  }
  f->start[f->m] = e;
}

/* Returns the worst-case cost of an analysis, with complete fill (0.3 us per entry among 1,000
 * rows, 5 us among 100,000), in flops of 0.5 ns. */
static double analysis_flops(int m, wide entries)
{
  return (500 + 0.1 * m) * (double)entries;
}

/* Returns the flops of a factor by its analysis. UMFPACK's bound holds for any pivots, and is 15 to
 * 20 times too high for systems of contacts with friction. If the pattern is symmetric and pivots
 * are sought on the diagonal, the count for diagonal pivots is within a percent of their cost;
 * twice that leaves room for some other pivots. */
static double flops_of(const double *facts)
{
  const double estimate = facts[UMFPACK_FLOPS_ESTIMATE];
  const double symmetric = 2 * facts[UMFPACK_SYMMETRIC_FLOPS];
  return facts[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_SYMMETRIC && symmetric > 0 &&
                 symmetric < estimate
             ? symmetric
             : estimate;
}

static bool factor(perp_sparse_lu *f, int m, const int *S, const double *d, double most,
                   double *flops)
{
  const bool same = f->m == m && memcmp(f->set, S, (size_t)m * sizeof *S) == 0;
  umfpack.free_numeric(&f->numeric);
  if (!same) {
    umfpack.free_symbolic(&f->symbolic);
    for (int k = 0; k < f->m; k++)
      f->place[f->set[k]] = -1;
    f->m = m;
    memcpy(f->set, S, (size_t)m * sizeof *S);
    for (int k = 0; k < m; k++)
      f->place[S[k]] = k;
  }
  *flops = 0;
  if (m == 0)
    return true;
  fill(f, d);
  double facts[UMFPACK_INFO];
  if (!f->symbolic) {
    f->flops = *flops = analysis_flops(m, f->start[m]);
    if (*flops > most)
      return false;
    if (umfpack.symbolic(m, m, f->start, f->index, f->value, &f->symbolic, NULL, facts) !=
        UMFPACK_OK)
      return false;
    f->flops = flops_of(facts);
  }
  *flops = f->flops;
  if (f->flops > most)
    return false;
  const perp_blas_limit before = perp_blas_one_thread(true);
  const long state =
      umfpack.numeric(f->start, f->index, f->value, f->symbolic, &f->numeric, NULL, facts);
  perp_blas_restore_threads(before);
  return state == UMFPACK_OK && facts[UMFPACK_RCOND] > DBL_EPSILON;
}

static bool solve_with(perp_sparse_lu *f, wide system, double *x)
{
  if (f->m == 0)
    return true;
  double control[UMFPACK_CONTROL];
  umfpack.defaults(control);
  control[UMFPACK_IRSTEP] = f->refinements;
  const long state = umfpack.solve(system, f->start, f->index, f->value, f->solution, x, f->numeric,
                                   control, NULL);
  memcpy(x, f->solution, (size_t)f->m * sizeof *x);
  return state == UMFPACK_OK;
}

static bool solve(perp_sparse_lu *f, double *x)
{
  return solve_with(f, UMFPACK_Aat, x);
}

static bool solve_t(perp_sparse_lu *f, double *x)
{
  return solve_with(f, UMFPACK_A, x);
}

static void forget(perp_sparse_lu *f)
{
  umfpack.free_numeric(&f->numeric);
  umfpack.free_symbolic(&f->symbolic);
}

static const perp_sparse_lu_table table = {open, factor, solve, solve_t, forget};

const perp_sparse_lu_table *perp_sparse_umfpack(void)
{
  return perp_library_load(&library) ? &table : NULL;
}

#else

#include <stddef.h>

const perp_sparse_lu_table *perp_sparse_umfpack(void)
{
  return NULL;
}

#endif
