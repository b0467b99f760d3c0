/* psor.c: projected successive over-relaxation, and its relatives by order and relaxation
 *
 *   x_i <- P_i( x_i - omega (A x + b)_i / A_ii ),   i = 1..n in order, always with the newest x
 *
 * A step of length omega in (0, 2) times the one-dimensional minimiser never raises the energy 1/2
 * x^T A x + b^T x, also after the projection, so PSOR converges for symmetric positive definite A
 * (Cryer 1971; Mangasarian 1977). The best omega depends on the matrix: near 2 on fine grids, near
 * 1 on contact problems. omega = 0 adapts it, see below. In friction rows P_i clamps to the bounds
 * at the newest normal. In an empty row of a stored matrix x_i goes to the bound given by the sign
 * of b_i, the limit of a step as A_ii -> 0.
 *
 *   pgs       omega = 1: projected Gauss-Seidel, each step minimises the energy over x_i
 *             (Cottle, Pang and Stone 1992, ch. 5).
 *   spsor     a forward sweep, then a backward one: information crosses the problem in both
 *             directions within one iteration (a stack of bodies is the case in point), and for an
 *             inactive set of constraints the pair is a symmetric linear map, which conjugate
 *             gradients can build on.
 *   coloured  colour by colour (Adams and Ortega 1982). No two rows of a colour are coupled,
 *             neither by an entry of A nor by a friction index, so they may be relaxed in any order
 *             and by any number of threads: the bits of x do not depend on it. Red and black on
 *             stencils, which is a consistent order, for which the estimate of omega is exact;
 *             greedy colours elsewhere. It is PSOR on a permuted matrix.
 *
 * Estimate. For a consistently ordered matrix the spectral radius rho of SOR with relaxation omega
 * and the radius mu of Jacobi belong together (Young 1971),
 *
 *   (rho + omega - 1)^2 = rho omega^2 mu^2      while omega is below the best one,
 *   best omega = 2 / (1 + sqrt(1 - mu^2)),      above it rho = omega - 1,
 *
 * and rho shows in the steps: |x_{k+1} - x_k| shrinks by rho in each sweep in the end. So over a
 * period of sweeps with one omega the first and the last step are measured, rho follows, from it mu
 * and from mu the next omega (Hageman and Young 1981). Since the slow modes dominate only
 * gradually, rho is estimated from below and omega rises from 1 period by period. For
 * complementarity problems this holds on the face of the solution once it is found.
 *
 * Safeguard. Contact matrices are not consistently ordered and friction bounds move: if the steps
 * grow over a period, omega moves half the way back to 1, and from then on stays a fifth of the way
 * below its old value. That costs two copies of x in each period of 8 to 50 sweeps, and n numbers.
 *
 * One sweep: one pass over the nonzeros of A. Workspace: the operator's relaxer. */
#include "base/message.h"
#include "linalg/vector.h"
#include "method/contact/coloured_device.h"
#include "method/run/small_solve.h"
#include "method/splitting/relaxation.h"
#include "method/splitting/sweep.h"
#include "method/splitting/world/world.h"

#include <math.h>

typedef struct {
  double omega;
  int order;
} psor_parameters;

#define OMEGA                                                                                      \
  PERP_REAL(psor_parameters, omega, 0, 0, 1.99,                                                    \
            "relaxation; 1 is Gauss-Seidel, 0: estimated on the run")
#define ORDER                                                                                      \
  PERP_CHOICE(psor_parameters, order, PERP_SWEEP_FORWARD, 4, perp_sweep_orders,                    \
              "order of the rows in a sweep")

static const perp_parameter psor[] = {OMEGA, ORDER, {0}};
static const perp_parameter pgs[] = {ORDER, {0}};
static const perp_parameter coloured[] = {OMEGA, {0}};
static const perp_parameter spsor[] = {
    PERP_REAL(psor_parameters, omega, 1.0, 0.01, 1.99, "relaxation; 1 is Gauss-Seidel"), {0}};

/* ---- Adaptive relaxation ---- */

/* Over-relaxation with an omega estimated from the sweeps. */
typedef struct tuner {
  perp_tuning tuning;
  double *before; /* n: x before a measured sweep */
} tuner;

static perp_error create_tuner(perp_run *run, tuner *t)
{
  *t = (tuner){.tuning = perp_tuning_begin(1)};
  t->before = perp_run_reals(run, (size_t)run->problem->K.n);
  return t->before ? PERP_OK : perp_run_no_memory(run);
}

static void sweep_tuned(tuner *t, perp_sweeper *s)
{
  const int n = s->run->problem->K.n;
  const bool measured = perp_tuning_measures(&t->tuning);
  double step = 0;
  if (measured) {
    perp_relaxer_store(s->relaxer);
    perp_copy(n, s->relaxer->x, t->before);
  }
  perp_sweeper_sweep(s, t->tuning.omega);
  if (measured) {
    perp_relaxer_store(s->relaxer);
    perp_subtract(n, s->relaxer->x, t->before, t->before);
    step = perp_norm2(n, t->before);
  }
  perp_tuning_sweep(&t->tuning, step);
}

/* ---- Checks ---- */

/* Returns an estimate of the residual after a sweep. A sweep finds about the residual that the
 * previous one left, and moves x by as much: with the steps e_1 and e_2 of the last two it leaves
 * about e_2 (e_2 / e_1). */
static double left_over(const perp_sweeper *s)
{
  return s->moved < s->before ? s->moved * (s->moved / s->before) : s->moved;
}

enum { FEW = 16 }; /* sweeps that determine when to check; later checks are rare */

/* Calls perp_run_next; the first sweeps determine when a check is due. */
static bool next(perp_sweeper *s)
{
  const double residual = s->sweeps < FEW ? left_over(s) : (double)NAN;
  return perp_run_next_iterate(s->run, perp_iterate_swept(s->relaxer, residual));
}

/* Sweeps until a check is due. Returns false if that takes too many. */
static bool sweep_few(perp_run *run, double *x, perp_sweep_order order)
{
  perp_sweeper s = {.run = run, .order = order, .moved = NAN, .before = NAN};
  const perp_problem *p = run->problem;
  if (perp_relaxer_create("", p->A, p->b, &p->K, x, 1, perp_sweep_orders_of(order), run->arena,
                          &s.relaxer, NULL))
    return false;
  while (s.sweeps < FEW && !(left_over(&s) <= run->target)) {
    perp_sweeper_sweep(&s, 1);
    run->count.iterations++;
  }
  perp_relaxer_store(s.relaxer);
  return s.sweeps < FEW;
}

/* ---- The methods ---- */

static perp_error sweep(perp_run *run, double omega, perp_sweeper *sweeper)
{
  tuner found = {0};
  const perp_error error = omega == 0 ? create_tuner(run, &found) : PERP_OK;
  if (error)
    return error;
  while (next(sweeper)) {
    if (omega == 0)
      sweep_tuned(&found, sweeper);
    else
      perp_sweeper_sweep(sweeper, omega);
  }
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const psor_parameters *par = params;
  perp_sweeper sweeper;
  const perp_error error = perp_sweeper_create(run, x, (perp_sweep_order)par->order, &sweeper);
  return error ? error : sweep(run, par->omega, &sweeper);
}

static perp_error solve_device(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  perp_sweeper sweeper = {
      .run = run, .order = PERP_SWEEP_COLOURED, .moved = (double)NAN, .before = (double)NAN};
  perp_error error = perp_coloured_create(run, x, &sweeper.relaxer);
  if (!error)
    error = sweep(run, ((const psor_parameters *)params)->omega, &sweeper);
  return error ? error : perp_coloured_failure(sweeper.relaxer);
}

static perp_error worlds_device(perp_device *device, perp_world_job *job, int first, int count,
                                int threads, const void *params, perp_message *why)
{
  if (job->batch.mu)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "coloured does not take cones; use bgs");
  job->omega = ((const psor_parameters *)params)->omega;
  job->single = device->precision == PERP_PRECISION_SINGLE;
  if (job->single && job->omega == 0)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "coloured in single precision needs a fixed omega; set omega");
  return perp_device_launch_batch(device, &perp_kernel_worlds, job, first, count, threads, why);
}

static bool solve_small_forward(perp_run *run, const perp_small *small, perp_result *result,
                                double *x)
{
  (void)result;
  return !small->solved && sweep_few(run, x, PERP_SWEEP_FORWARD);
}

static bool solve_small_symmetric(perp_run *run, const perp_small *small, perp_result *result,
                                  double *x)
{
  (void)result;
  return !small->solved && sweep_few(run, x, PERP_SWEEP_SYMMETRIC);
}

#define SWEEPS                                                                                     \
  .family = "splitting", .takes = PERP_TAKES_ROWS, .needs = PERP_CAN_RELAX,                        \
  .works = "symmetric positive (semi-)definite A with a positive diagonal, empty rows too",        \
  .parameter_bytes = sizeof(psor_parameters), .solve = solve

const perp_method perp_method_psor = {
    SWEEPS,
    .name = "psor",
    .title = "projected successive over-relaxation",
    .source = "cryer-1971",
    .iteration = "x_i <- P_i(x_i - omega (A x + b)_i / A_ii), i = 0, 1, ...",
    .max_iterations = 10000,
    .parameters = psor,
};

const perp_method perp_method_pgs = {
    SWEEPS,
    .name = "pgs",
    .title = "projected Gauss-Seidel",
    .source = "cottle-pang-stone-1992",
    .iteration = "x_i <- P_i(x_i - (A x + b)_i / A_ii), i = 0, 1, ...",
    .max_iterations = 10000,
    .parameters = pgs,
    .preset = &(const psor_parameters){.omega = 1},
    .solve_small = solve_small_forward,
};

const perp_method perp_method_spsor = {
    SWEEPS,
    .name = "spsor",
    .title = "symmetric projected over-relaxation",
    .source = "cottle-pang-stone-1992",
    .iteration = "psor forwards, then backwards",
    .max_iterations = 5000,
    .parameters = spsor,
    .preset = &(const psor_parameters){.order = PERP_SWEEP_SYMMETRIC},
    .solve_small = solve_small_symmetric,
};

const perp_method perp_method_coloured = {
    SWEEPS,
    .name = "coloured",
    .title = "projected over-relaxation by colours, in parallel",
    .source = "adams-ortega-1982",
    .iteration = "x_i <- P_i(x_i - omega (A x + b)_i / A_ii), colour by colour",
    .max_iterations = 10000,
    .parameters = coloured,
    .preset = &(const psor_parameters){.order = PERP_SWEEP_COLOURED},
    .device = &(const perp_method_device){.solve = solve_device, .worlds = worlds_device},
};
