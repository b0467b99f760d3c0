/* roofline.c: the hot kernels against the limits of the machine
 *
 * Kernels that stream through memory are compared with the bandwidth of a read; their bytes are the
 * least that must pass through memory. Dense factors are compared with dgemm of the BLAS that computes
 * them; without one, with the rate of multiply-adds in a loop over a small block, as in a matrix
 * product. All run on one thread; times are CPU times, medians of rounds in which both are measured. A
 * kernel on two threads is compared with twice the rate of one. */
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The product of four rows and eight columns, in pairs that stay in registers. */
typedef double pair __attribute__((vector_size(16)));
typedef struct row {
  pair c[4];
} row;

static inline row update(row r, double a, const pair *b)
{
  r.c[0] += a * b[0];
  r.c[1] += a * b[1];
  r.c[2] += a * b[2];
  r.c[3] += a * b[3];
  return r;
}

static inline double sum(row r)
{
  const pair all = r.c[0] + r.c[1] + r.c[2] + r.c[3];
  return all[0] + all[1];
}

/* Floating-point operations per second of C <- C + A B with A and B in the nearest cache. */
static double peak_rate(void)
{
  enum { DEPTH = 256, TIMES = 20000 };
  static volatile double sink;
  double a[4 * DEPTH];
  pair b[4 * DEPTH];
  for (int k = 0; k < 4 * DEPTH; k++) {
    a[k] = 1e-3 * k;
    b[k] = (pair){k % 17, k % 13};
  }
  row r0 = {0}, r1 = {0}, r2 = {0}, r3 = {0};
  const double began = bench_processor();
  for (int t = 0; t < TIMES; t++)
    for (int k = 0; k < 4 * DEPTH; k += 4) {
      r0 = update(r0, a[k], b + k);
      r1 = update(r1, a[k + 1], b + k);
      r2 = update(r2, a[k + 2], b + k);
      r3 = update(r3, a[k + 3], b + k);
    }
  const double spent = bench_processor() - began;
  sink = sum(r0) + sum(r1) + sum(r2) + sum(r3);
  (void)sink;
  return 2.0 * 32 * DEPTH * TIMES / spent;
}

/* There if the library is linked to a BLAS. */
__attribute__((weak)) void dgemm_(const char *, const char *, const int *, const int *, const int *,
                                  const double *, const double *, const int *, const double *,
                                  const int *, const double *, double *, const int *);

/* Returns the rate of a product of n x n matrices; NaN if out of memory. */
static double product_rate(void)
{
  const int n = 1000;
  const size_t size = (size_t)n * (size_t)n;
  const double one = 1, zero = 0;
  double *A = malloc(2 * size * sizeof *A), *C = calloc(size, sizeof *C);
  double rate = NAN;
  if (A && C) {
    for (size_t k = 0; k < 2 * size; k++)
      A[k] = 1e-3 * (double)(k % 97);
    const double began = bench_processor();
    dgemm_("N", "N", &n, &n, &n, &one, A, &n, A + size, &n, &zero, C, &n);
    rate = 2.0 * n * (double)size / (bench_processor() - began);
  }
  free(A);
  free(C);
  return rate;
}

typedef struct kernel {
  bench_size from; /* the size of a run from which it takes part */
  const char *name;
  const char *text;   /* the problem */
  const char *method; /* of sweeps; NULL: a product with A */
  const char *order;  /* of the sweep */
  double (*bytes)(const perp_problem *p);
  int threads; /* 2: held against twice the rate of one; else one */
} kernel;

static double vectors(const perp_problem *p)
{
  return 24.0 * p->K.n; /* x in and out, b in */
}

static double dense_bytes(const perp_problem *p)
{
  return 8.0 * p->K.n * p->K.n;
}

/* Of compressed rows: a number and a column for each entry. */
static double csr_bytes(const perp_problem *p)
{
  return vectors(p) + 12.0 * (double)perp_operator_nonzeros(p->A);
}

static double product_bytes(const perp_problem *p)
{
  return 16.0 * p->K.n;
}

/* Rigid contacts: 25 numbers for three rows and its two bodies, x in and out. */
static double contact_bytes(const perp_problem *p)
{
  return ((25 * 8 + 8) / 3.0 + 16) * p->K.n;
}

static const kernel kernels[] = {
    {BENCH_QUICK, "dense product, n = 3000", "pd:n=3000", NULL, NULL, dense_bytes, 1},
    {BENCH_QUICK, "dense sweep, n = 3000", "pd:n=3000", "pgs", "forward", dense_bytes, 1},
    {BENCH_QUICK, "5-point product, 2047 x 2047", "torsion:points=2049,form=lcp", NULL, NULL,
     product_bytes, 1},
    {BENCH_QUICK, "5-point red-black sweep, 2047 x 2047", "torsion:points=2049,form=lcp", "pgs",
     "coloured", vectors, 1},
    {BENCH_NORMAL, "5-point red-black sweep, two threads", "torsion:points=2049,form=lcp", "pgs",
     "coloured", vectors, 2},
    {BENCH_NORMAL, "5-point as rows, sweep, 1023 x 1023",
     "torsion:points=1025,form=lcp,operator=csr", "pgs", "forward", csr_bytes, 1},
    {BENCH_NORMAL, "5-point as rows, coloured sweep", "torsion:points=1025,form=lcp,operator=csr",
     "pgs", "coloured", csr_bytes, 1},
    {BENCH_QUICK, "compressed rows, product, 6.8 M entries", "banded:n=400000,band=8", NULL, NULL,
     csr_bytes, 1},
    {BENCH_QUICK, "compressed rows, sweep", "banded:n=400000,band=8", "pgs", "forward", csr_bytes,
     1},
    {BENCH_NORMAL, "rows of a pile, coloured sweep", "pile:n=10000,form=lcp", "pgs", "coloured",
     csr_bytes, 1},
    {BENCH_NORMAL, "rows of a pile, coloured, two threads", "pile:n=10000,form=lcp", "pgs",
     "coloured", csr_bytes, 2},
    {BENCH_NORMAL, "rows of contacts with friction, sweep", "pile:n=6000,form=findex", "pgs",
     "forward", csr_bytes, 1},
    {BENCH_QUICK, "contacts with friction, sweep", "pile:n=6000,form=findex,operator=contact",
     "pgs", "forward", contact_bytes, 1},
    {BENCH_NORMAL, "contacts with friction, backward", "pile:n=6000,form=findex,operator=contact",
     "pgs", "backward", contact_bytes, 1},
    {BENCH_NORMAL, "contacts with friction, coloured", "pile:n=6000,form=findex,operator=contact",
     "pgs", "coloured", contact_bytes, 1},
    {BENCH_NORMAL, "contacts that stick, sweep", "pile:n=6000,form=stick,operator=contact", "pgs",
     "forward", contact_bytes, 1},
    {BENCH_NORMAL, "contacts by index, exact blocks", "pile:n=6000,form=findex,operator=contact",
     "bgs", "forward", contact_bytes, 1},
    {BENCH_NORMAL, "cones, exact blocks", "pile:n=6000,form=cone,operator=contact", "bgs",
     "forward", contact_bytes, 1},
};

static double product_seconds(const perp_problem *p)
{
  const size_t n = (size_t)p->K.n;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  double *scratch = calloc(perp_operator_scratch(p->A) + 1, sizeof *scratch);
  double spent = NAN;
  if (x && y && scratch) {
    for (size_t i = 0; i < n; i++)
      x[i] = 1e-3 * (double)(i % 7);
    perp_operator_apply(p->A, x, y, scratch, NULL);
    int times = 0;
    const double began = bench_processor();
    do {
      perp_operator_apply(p->A, x, y, scratch, NULL);
      times++;
      spent = bench_processor() - began;
    } while (spent < 0.05);
    spent /= times;
  }
  free(x);
  free(y);
  free(scratch);
  return spent;
}

static perp_error add(bench_table *table, const char *kernel_name, const char *limit,
                      const char *unit, double rate, double most, double nanoseconds)
{
  bench_bar *bar = bench_add_bar(table);
  if (!bar)
    return PERP_ERROR_MEMORY;
  snprintf(bar->kernel, sizeof bar->kernel, "%s", kernel_name);
  snprintf(bar->limit, sizeof bar->limit, "%s", limit);
  bar->unit = unit;
  bar->rate = rate;
  bar->most = most;
  bar->nanoseconds = nanoseconds;
  return PERP_OK;
}

static perp_error stream(const kernel *k, int rounds, bench_table *table, perp_message *why)
{
  perp_instance instance;
  perp_error error = perp_generate(k->text, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double rate[BENCH_ROUNDS], most[BENCH_ROUNDS], each[BENCH_ROUNDS];
  for (int r = 0; r < rounds; r++) {
    const double seconds = k->method ? bench_sweep_seconds(k->method, k->order, &p, k->threads, 5)
                                     : product_seconds(&p);
    const double bytes = 1e-9 * k->bytes(&p);
    rate[r] = bytes / seconds;
    each[r] = 1e9 * seconds / p.K.n;
    most[r] = k->threads > 1
                  ? k->threads * bytes / bench_sweep_seconds(k->method, k->order, &p, 1, 5)
                  : 1e-9 * bench_read_bandwidth();
  }
  perp_instance_destroy(&instance);
  return add(table, k->name, k->threads > 1 ? "twice one thread" : "read bandwidth", "GB/s",
             kit_median(rounds, rate), kit_median(rounds, most), kit_median(rounds, each));
}

/* n^3 / 3 operations a factor; what an interior-point step does besides is not counted, so n is
 * large enough that the factor is most of it. Without crossover every factor is one of the whole
 * matrix. */
static perp_error factor(int rounds, bench_table *table, perp_message *why)
{
  perp_instance instance;
  perp_error error = perp_generate("pd:n=2000", &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double rate[BENCH_ROUNDS], most[BENCH_ROUNDS];
  perp_solver *solver = NULL;
  double *x = malloc((size_t)p.K.n * sizeof *x);
  error = x ? perp_solver_create("ipm", &solver, why) : PERP_ERROR_MEMORY;
  if (!error)
    error = perp_solver_set_text(solver, "crossover", "no", why);
  for (int r = -1; r < rounds && !error; r++) { /* the first finds memory cold */
    perp_result result;
    const double limit = dgemm_ ? product_rate() : peak_rate();
    const double seconds = bench_solve(solver, &p, 1e-8, 60, x, &error, &result);
    if (r < 0)
      continue;
    most[r] = 1e-9 * limit;
    rate[r] = 1e-9 * (double)result.counts.factorisations * pow(p.K.n, 3) / 3 / seconds;
  }
  if (!error)
    error = add(table, "dense factors, n = 2000, in ipm",
                dgemm_ ? "dgemm, n = 1000" : "multiply-add of a small block", "Gflop/s",
                kit_median(rounds, rate), kit_median(rounds, most), NAN);
  perp_solver_destroy(solver);
  free(x);
  perp_instance_destroy(&instance);
  return error;
}

perp_error bench_kernels(const bench_task *t)
{
  const bench_settings *s = t->s;
  const int rounds = s->size == BENCH_QUICK ? 3 : BENCH_ROUNDS;
  const int count = (int)(sizeof kernels / sizeof *kernels);
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    if (kernels[k].from > s->size)
      continue;
    if (s->progress && !s->progress("kernels", k, count + 1))
      return PERP_OK;
    error = stream(&kernels[k], rounds, t->table, t->why);
  }
  return error ? error : factor(rounds, t->table, t->why);
}
