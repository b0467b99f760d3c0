/* device.c: mg and contact sweeps on a device, against the bandwidth of the device's memory
 *
 * A copy within the device's memory gives the bandwidth. A red-black sweep is timed as the difference
 * of two runs of mg, with ten and with sixty sweeps before the first correction; its bytes are the
 * least that it must read and write: x twice, the right-hand side, and coefficients that vary from cell
 * to cell. `of copy` is the rate of these bytes over that of the copy, and `roof ms` the time of all
 * sweeps of the solve at the rate of the copy. The rest of `kernel ms` is coarse grids, transfers,
 * checks, and the losses of sweeps.
 *
 * `kernel ms` is the kernel time that the device reports for a second solve with the same solver; `wall
 * ms` is the whole call with vectors in CPU memory, judged by the CPU; `there ms` the whole call with A,
 * b, the bounds and x on the device, judged by the device. `upload GB/s` is the rate of a copy of b from
 * CPU memory. The tolerance is 1e-8, or the smallest multiple by a power of ten above the rounding
 * floor. */
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, FEW = 10, MANY = 60 };

typedef struct measured {
  const bench_task *t;
  perp_device *device;
  perp_solver *solver;
} measured;

static double kernels(const measured *m)
{
  return perp_device_facts(m->device).kernel_seconds;
}

/* One solve from 0; the seconds of its kernels and of the call. */
static perp_error solve(measured *m, const perp_options *o, double *kernel, double *wall,
                        perp_result *r)
{
  memset(m->t->x, 0, (size_t)m->t->p.K.n * sizeof *m->t->x);
  *kernel = kernels(m);
  *wall = bench_now();
  const perp_error error = perp_solver_solve(m->solver, &m->t->p, o, m->t->x, r);
  *wall = bench_now() - *wall;
  *kernel = kernels(m) - *kernel;
  if (error)
    *m->t->why = r->message;
  return error;
}

/* Bytes per second of a copy in the memory of the device, read and written. */
static perp_error copy_rate(measured *m, double *rate)
{
  const size_t bytes = m->t->s->size == BENCH_QUICK ? (size_t)1 << 26 : (size_t)1 << 30;
  void *from = NULL, *to = NULL;
  double seconds[ROUNDS];
  perp_error error = perp_device_alloc(m->device, bytes, &from, m->t->why);
  if (!error)
    error = perp_device_alloc(m->device, bytes, &to, m->t->why);
  for (int k = -1; k < ROUNDS && !error; k++) {
    enum { TURNS = 10 };
    const double began = bench_now();
    for (int q = 0; q < TURNS && !error; q++)
      error = perp_device_upload(m->device, to, from, bytes, m->t->why);
    seconds[k < 0 ? 0 : k] = (bench_now() - began) / TURNS;
  }
  *rate = 2 * (double)bytes / kit_median(ROUNDS, seconds);
  perp_device_free(m->device, from);
  perp_device_free(m->device, to);
  return error;
}

/* Returns true if sweeps read bounds: with only lower bounds, x is relative to them. */
static bool reads_bounds(const perp_set *K)
{
  for (int i = 0; i < K->n; i++)
    if ((K->hi && K->hi[i] < 1e300) || (K->lo && K->lo[i] <= -1e300))
      return true;
  return false;
}

/* Returns the bytes that one sweep moves per grid cell. */
static double sweep_bytes(const perp_problem *p, double *cells)
{
  perp_stencil_data data;
  if (perp_operator_stencil_data(p->A, &data))
    return NAN;
  *cells = (double)data.nx * data.ny * data.nz;
  bool varied = data.cells || data.wx;
  for (int64_t c = 1; data.diagonal && !varied && c < (int64_t)*cells; c++)
    varied = data.diagonal[c] != data.diagonal[0];
  return 24 + (varied ? 8 : 0) + (data.wx ? (data.nz > 1 ? 24 : 16) : 0) +
         (reads_bounds(&p->K) ? 16 : 0);
}

/* Arrays of a problem on the device. */
typedef struct placed {
  perp_problem p;
  void *array[4]; /* b, lo, hi, x */
} placed;

static perp_error place(measured *m, placed *there, double *upload)
{
  const perp_problem *p = &m->t->p;
  const size_t bytes = (size_t)p->K.n * sizeof(double);
  const double *const from[4] = {p->b, p->K.lo, p->K.hi, m->t->x};
  const double **const to[3] = {&there->p.b, &there->p.K.lo, &there->p.K.hi};
  perp_error error = perp_operator_place(m->t->instance->A, m->device, m->t->why);
  there->p = *p;
  for (int k = 0; k < 4 && !error; k++) {
    if (!from[k])
      continue;
    error = perp_device_alloc(m->device, bytes, &there->array[k], m->t->why);
    const double began = bench_now();
    if (!error)
      error = perp_device_upload(m->device, there->array[k], from[k], bytes, m->t->why);
    if (k == 0)
      *upload = (double)bytes / (bench_now() - began);
    if (k < 3)
      *to[k] = there->array[k];
  }
  return error;
}

/* One solve from 0 with everything on the device; the seconds of its kernels and of the call. */
static perp_error solve_there(measured *m, const placed *there, const perp_options *o,
                              double *kernel, double *wall, perp_result *r)
{
  const size_t bytes = (size_t)m->t->p.K.n * sizeof(double);
  const perp_error error =
      perp_device_upload(m->device, there->array[3], m->t->x, bytes, m->t->why);
  if (error)
    return error;
  *kernel = kernels(m);
  *wall = bench_now();
  const perp_error ended = perp_solver_solve(m->solver, &there->p, o, there->array[3], r);
  *wall = bench_now() - *wall;
  *kernel = kernels(m) - *kernel;
  if (ended)
    *m->t->why = r->message;
  return ended;
}

static perp_error sweep_seconds(measured *m, const placed *there, double *seconds)
{
  static const int counts[2] = {FEW, MANY};
  double times[2][ROUNDS], best[2];
  perp_error error = PERP_OK;
  perp_options o = perp_options_default();
  o.device = m->device;
  o.max_iterations = 1;
  for (int way = 0; way < 2 && !error; way++) {
    error = perp_solver_set(m->solver, "pre", counts[way], m->t->why);
    for (int k = 0; k < ROUNDS && !error; k++) {
      perp_result r = perp_result_empty();
      double wall;
      error = solve_there(m, there, &o, &times[way][k], &wall, &r);
    }
    best[way] = kit_median(ROUNDS, times[way]);
  }
  *seconds = (best[1] - best[0]) / (counts[1] - counts[0]);
  return error ? error : perp_solver_set(m->solver, "pre", 2, m->t->why);
}

/* Measures the whole call and sweeps with everything on the device. */
static perp_error measure_there(measured *m, perp_options o, double *wall, double *upload,
                                double *sweep)
{
  placed there = {.array = {NULL}};
  double walls[ROUNDS], kernel;
  memset(m->t->x, 0, (size_t)m->t->p.K.n * sizeof(double));
  perp_error error = place(m, &there, upload);
  perp_device_set_judge(m->device, PERP_JUDGE_DEVICE);
  for (int k = -1; k < ROUNDS && !error; k++) { /* the first takes memory */
    perp_result r = perp_result_empty();
    error = solve_there(m, &there, &o, &kernel, &walls[k < 0 ? 0 : k], &r);
    if (!error && r.outcome != PERP_SOLVED)
      walls[k < 0 ? 0 : k] = NAN;
  }
  *wall = kit_median(ROUNDS, walls);
  if (!error)
    error = sweep_seconds(m, &there, sweep);
  perp_device_set_judge(m->device, PERP_JUDGE_HOST);
  perp_operator_place(m->t->instance->A, NULL, NULL);
  for (int k = 0; k < 4; k++)
    perp_device_free(m->device, there.array[k]);
  return error;
}

/* Sweeps by colours over contacts: bytes are the 25 numbers of a contact of rigid bodies, its
 * index, x twice, and two bodies of 64 bytes, of which 48 are written. */
static perp_error measure_contacts(measured *m, double *figure)
{
  static const int counts[2] = {FEW, MANY};
  double rate = 0, times[2][ROUNDS], wall = 0;
  perp_options o = perp_options_default();
  o.device = m->device;
  o.check_every = -1;
  o.tol = 0;
  perp_error error = copy_rate(m, &rate);
  if (!error)
    error = perp_solver_set(m->solver, "omega", 1, m->t->why);
  for (int way = 0; way < 2 && !error; way++)
    for (int k = 0; k < ROUNDS && !error; k++) {
      perp_result r = perp_result_empty();
      o.max_iterations = counts[way];
      error = solve(m, &o, &times[way][k], &wall, &r);
    }
  const double contacts = m->t->p.K.n / 3.0, bytes = 8.0 * (25 + 6) + 8 + 2 * (64 + 48);
  const double sweep = (kit_median(ROUNDS, times[1]) - kit_median(ROUNDS, times[0])) / (MANY - FEW);
  figure[0] = m->t->p.K.n;
  figure[1] = contacts;
  figure[2] = 1e6 * sweep;
  figure[3] = bytes * contacts / sweep / rate;
  figure[4] = 1e-9 * rate;
  return error;
}

static perp_error measure(measured *m, double *figure)
{
  double rate = 0, sweep = 0, cells = 0, kernel[ROUNDS], wall[ROUNDS];
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.device = m->device;
  o.tol = 1e-8;
  perp_error error = copy_rate(m, &rate);
  do {
    error = error ? error : solve(m, &o, &kernel[0], &wall[0], &r);
  } while (!error && r.outcome != PERP_SOLVED && o.tol < 1e-4 && (o.tol *= 10) > 0);
  for (int k = 0; k < ROUNDS && !error; k++)
    error = solve(m, &o, &kernel[k], &wall[k], &r);
  const double cycles = (double)r.counts.cycles, residual = r.relative_residual;
  const double sweeps = (double)r.counts.sweeps;
  const bool solved = r.outcome == PERP_SOLVED;
  double there = NAN, upload = NAN;
  if (!error)
    error = measure_there(m, o, &there, &upload, &sweep);
  const double bytes = sweep_bytes(&m->t->p, &cells), ms = 1e3 * kit_median(ROUNDS, kernel);
  figure[0] = m->t->p.K.n;
  figure[1] = solved ? o.tol : NAN;
  figure[2] = residual;
  figure[3] = cycles;
  figure[4] = ms;
  figure[5] = 1e3 * kit_median(ROUNDS, wall);
  figure[6] = cells / ms / 1e6;
  figure[7] = 1e6 * sweep;
  figure[8] = bytes * cells / sweep / rate;
  figure[9] = 1e-9 * rate;
  figure[10] = 1e3 * sweeps * bytes * cells / rate;
  figure[11] = 1e3 * there;
  figure[12] = 1e-9 * upload;
  return error;
}

perp_error bench_device(const bench_task *t)
{
  static const char *const grid[] = {"n",       "tol",       "residual",   "cycles",  "kernel ms",
                                     "wall ms", "G cells/s", "sweep us",   "of copy", "copy GB/s",
                                     "roof ms", "there ms",  "upload GB/s"};
  enum { GRID = sizeof grid / sizeof *grid };
  static const char *const contact[] = {"n", "contacts", "sweep us", "of copy", "copy GB/s"};
  const bool contacts = strcmp(perp_operator_kind(t->p.A), "contact") == 0;
  const char *method = contacts ? "coloured" : "mg";
  double figure[GRID];
  char title[64];
  measured m = {.t = t};
  if (!bench_wants(t->s, method))
    return PERP_OK;
  perp_error error = perp_device_create(t->s->device ? t->s->device : "host", &m.device, t->why);
  if (!error)
    error = perp_solver_create(method, &m.solver, t->why);
  if (!error)
    error = contacts ? measure_contacts(&m, figure) : measure(&m, figure);
  if (!error) {
    snprintf(title, sizeof title, "%s on %s", method, perp_device_facts(m.device).name);
    error = bench_add_figures(t, title, contacts ? 5 : GRID, contacts ? contact : grid, figure);
  }
  perp_solver_destroy(m.solver);
  perp_device_destroy(m.device);
  return error;
}
