/* psor.c: projected successive over-relaxation, and its relatives by order and relaxation
 *
 *   x_i <- P_i( x_i - omega (A x + b)_i / A_ii ),   i = 1..n in order, always with the newest x
 *
 * A step of length omega in (0, 2) times the one-dimensional minimiser never raises the energy
 * 1/2 x^T A x + b^T x, also after the projection, so PSOR converges for symmetric positive
 * definite A (Cryer 1971; Mangasarian 1977). The best omega depends on the matrix: near 2 on fine
 * grids, near 1 on contact problems. omega = 0 finds it on the run, see sweep.c. In friction rows
 * P_i clamps to the bounds at the newest normal. In a row without entries of a stored matrix x_i goes
 * to the bound that the sign of b_i says, the limit of a step as A_ii -> 0.
 *
 *   pgs       omega = 1: projected Gauss-Seidel, each step the minimum of the energy over x_i alone
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
 * One sweep: one pass over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/run/small.h"
#include "method/splitting/sweep.h"
#include "method/system/coloured_device.h"

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

static perp_error sweep(perp_run *run, double omega, perp_sweeper *sweeper)
{
  perp_tuner tuner;
  const perp_error error = omega == 0 ? perp_tuner_create(run, &tuner) : PERP_OK;
  if (error)
    return error;
  while (perp_sweeper_next(sweeper)) {
    if (omega == 0)
      perp_tuner_sweep(&tuner, sweeper);
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
  perp_error error = perp_coloured_relaxer_there(run, x, &sweeper.relaxer);
  if (!error)
    error = sweep(run, ((const psor_parameters *)params)->omega, &sweeper);
  return error ? error : perp_coloured_failure(sweeper.relaxer);
}

static perp_error worlds_device(perp_device *device, struct perp_world_job *job, int first,
                                int count, int threads, const void *params, perp_message *why)
{
  return perp_coloured_worlds_there(device, job, first, count, threads,
                                    ((const psor_parameters *)params)->omega, why);
}

static bool solve_small_forward(perp_run *run, const perp_small *small, perp_result *result,
                                double *x)
{
  (void)result;
  return !small->solved && perp_sweeper_few(run, x, PERP_SWEEP_FORWARD, 1);
}

static bool solve_small_symmetric(perp_run *run, const perp_small *small, perp_result *result,
                                  double *x)
{
  (void)result;
  return !small->solved && perp_sweeper_few(run, x, PERP_SWEEP_SYMMETRIC, 1);
}

#define SWEEPS                                                                                     \
  .family = "splitting", .takes = PERP_TAKES_ROWS, .needs = PERP_CAN_RELAX,                        \
  .works = "symmetric positive (semi-)definite A with a positive diagonal, rows without entries "  \
           "beside it",                                                                            \
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
