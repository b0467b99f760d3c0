/* bgs.c: block Gauss-Seidel with exact local solves
 *
 *   x_B <- argmin over K_B of  y_B^T z + 1/(2 omega) (z - x_B)^T A_BB (z - x_B),   y = A x + b,
 *
 * block after block with the newest x. Blocks are Coulomb cones, normals with their friction rows,
 * the blocks of a bsr matrix, or a given number of neighbours; contacts.h has the local solves. For
 * cones the local problem is exact, in De Saxce's form, so the limit of the sweeps solves the exact
 * cone problem (nonsmooth contact dynamics: Jean and Moreau 1992; Jourdan, Alart and Jean 1998).
 * For convex parts and symmetric positive definite A every step lowers the energy and bgs converges
 * for 0 < omega < 2; with friction convergence is not proven, and sweeps may cycle (fc3d_OneObject
 * of the Siconos collection, with omega = 1).
 *
 * Relaxation (omega = 0): omega is 1 for the first sweeps, so that contacts that do not touch each
 * other are solved at once, then 1.3. Over each period of sweeps the length of the path of x is
 * compared with the distance it covers: if the path is twice as long and the steps do not shrink, x
 * cycles, and omega becomes 0.7 omega, to return later to at most 0.85 of its old value; if x moves
 * straight, omega rises again gradually, up to 1.4. Contacts of rigid bodies with cones run on
 * devices, and so do batches of contact worlds (world/kernel/sweep.h): by colours in place of the
 * forward order.
 *
 * One sweep: one pass over the nonzeros of A (contact operators: of J). Workspace: the diagonal
 * blocks and n. */
#include "base/elementary.h"
#include "base/message.h"
#include "linalg/vector.h"
#include "method/contact/coloured_device.h"
#include "method/contact/contacts.h"
#include "method/run/small_solve.h"
#include "method/splitting/relaxation.h"
#include "method/splitting/world/world.h"
#include "set/set.h"

typedef struct {
  double omega;
  int order, block;
} bgs_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(bgs_parameters, omega, 0.0, 0.0, 1.99,
              "relaxation; 1 is Gauss-Seidel, 0: found on the run"),
    PERP_CHOICE(bgs_parameters, order, PERP_BLOCKS_FORWARD, 3, perp_block_orders,
                "order of the blocks in a sweep"),
    PERP_INTEGER(bgs_parameters, block, 0, 0, 64,
                 "rows per block outside contacts; 0: block size of the matrix, else 1"),
    {0},
};

/* ---- Damping ---- */

/* Adapts omega after a step of that length; start: x at the start of the period. */
static void damp(perp_damping *d, int n, const double *x, double step, double *start)
{
  if (!perp_damping_step(d, step))
    return;
  perp_subtract(n, x, start, start);
  perp_damping_adapt(d, perp_norm2(n, start), step);
  perp_copy(n, x, start);
}

/* ---- Few contacts ---- */

/* A check costs as much as a sweep over few contacts. So a sweep with omega = 1 tells what it leaves: with
 * the steps e_1 and e_2 of the last two, in units of y, about e_2 (e_2 / e_1), as in psor.c. */
typedef struct estimate {
  double unit; /* the largest A_ii; NaN: no estimates */
  double step; /* the last; NaN: none */
} estimate;

static estimate begin_estimate(const perp_problem *p, const perp_blocks *b)
{
  estimate e = {NAN, NAN};
  if (p->K.n > PERP_SMALL_ROWS || !perp_set_has_cones(&p->K))
    return e;
  e.unit = 0;
  for (int k = 0; k < b->list.count; k++)
    for (int t = 0, m = b->list.start[k + 1] - b->list.start[k]; t < m; t++)
      e.unit = perp_max(e.unit, b->W[b->W_start[k] + t * (m + 1)]);
  return e;
}

/* Returns the residual after a sweep, NaN if it is unknown. One block is solved by one sweep. */
static double left_over(estimate *e, const perp_blocks *b)
{
  const double before = e->step, now = e->unit * sqrt(b->moved);
  e->step = now;
  return b->list.count == 1 ? 0 * now : now < before ? now * (now / before) : now;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const bgs_parameters *par = params;
  const int n = p->K.n;
  perp_blocks *blocks;
  const perp_error error =
      perp_blocks_open(run, x, par->block, false, (perp_block_order)par->order, &blocks);
  if (error || perp_run_expired(run))
    return error;
  double *start = perp_run_reals(run, (size_t)n), left = NAN;
  if (!start)
    return perp_run_no_memory(run);
  perp_copy(n, x, start);
  perp_damping d = perp_damping_begin(par->omega == 0 ? 1 : par->omega);
  estimate e = begin_estimate(p, blocks);
  blocks->omega = d.omega;
  for (int k = 1;
       perp_run_next_iterate(run, perp_iterate_swept(blocks->sweeps.relaxer->relaxer, left)); k++) {
    blocks->moved = 0;
    perp_blocks_sweep(run, blocks);
    left = par->omega == 0 && k <= PERP_DAMPING_FIRST ? left_over(&e, blocks) : NAN;
    if (par->omega == 0)
      damp(&d, n, x, sqrt(blocks->moved), start);
    blocks->omega = d.omega;
  }
  perp_blocks_close(run, blocks);
  return PERP_OK;
}

/* Sweeps over cones until nothing seems to be left; the caller judges. */
static bool solve_small(perp_run *run, const perp_small *small, perp_result *result, double *x)
{
  (void)result;
  perp_blocks *blocks;
  if (small->solved || small->form < PERP_FORM_CONE ||
      perp_blocks_open(run, x, 0, false, PERP_BLOCKS_FORWARD, &blocks))
    return false;
  estimate e = begin_estimate(run->problem, blocks);
  bool solved = false;
  for (int k = 0; k < PERP_DAMPING_FIRST && !solved; k++) {
    blocks->moved = 0;
    perp_blocks_sweep(run, blocks);
    run->count.iterations++;
    solved = left_over(&e, blocks) <= run->target;
  }
  perp_blocks_close(run, blocks);
  return solved;
}

/* Solves one problem with cones on a device: contacts of rigid bodies. */
static perp_error solve_device(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const bgs_parameters *par = params;
  if (p->K.cones == 0 || par->order != PERP_BLOCKS_FORWARD)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "bgs on device %s takes only cones, with order = forward (swept by colours)",
        perp_device_facts(run->options->device).name);
  perp_relaxer *relaxer = NULL;
  perp_error error = perp_coloured_create(run, x, &relaxer);
  perp_damping d = perp_damping_begin(par->omega == 0 ? 1 : par->omega);
  if (!error)
    error = perp_coloured_vectors(relaxer, PERP_RIGIDS_MARK, 0, NULL);
  while (!error && perp_run_next_iterate(run, perp_iterate_swept(relaxer, NAN))) {
    double step = 0, distance = 0;
    error = perp_coloured_vectors(relaxer, PERP_RIGIDS_COPY, 0, NULL);
    relaxer->sweep(relaxer, d.omega, PERP_COLOURED);
    run->count.sweeps++;
    if (!error)
      error = perp_coloured_vectors(relaxer, PERP_RIGIDS_STEP, 0, &step);
    if (error || par->omega != 0 || !perp_damping_step(&d, sqrt(step)))
      continue;
    error = perp_coloured_vectors(relaxer, PERP_RIGIDS_DISTANCE, 0, &distance);
    perp_damping_adapt(&d, sqrt(distance), sqrt(step));
    if (!error)
      error = perp_coloured_vectors(relaxer, PERP_RIGIDS_MARK, 0, NULL);
  }
  return error ? error : perp_coloured_failure(relaxer);
}

static perp_error worlds_device(perp_device *device, perp_world_job *job, int first, int count,
                                int threads, const void *params, perp_message *why)
{
  const bgs_parameters *par = params;
  if (!job->batch.mu || par->order != PERP_BLOCKS_FORWARD)
    return perp_fail(
        why, PERP_ERROR_UNSUPPORTED,
        "bgs on devices takes worlds with cones and order = forward (swept by colours), %s",
        job->batch.mu ? "not another order" : "not rows with bounds");
  job->single = device->precision == PERP_PRECISION_SINGLE;
  job->omega = job->single && par->omega == 0 ? 1.4 : par->omega;
  return perp_device_launch_batch(device, &perp_kernel_worlds, job, first, count, threads, why);
}

const perp_method perp_method_bgs = {
    .name = "bgs",
    .title = "block Gauss-Seidel with exact local solves",
    .family = "splitting",
    .source = "jourdan-alart-jean-1998",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_ROW,
    .iteration = "for each block c: solves its local problem exactly, the others held",
    .works = "positive (semi-)definite A with a positive diagonal; cones and friction blocks "
             "solved exactly",
    .max_iterations = 10000,
    PERP_SOLVES_WITH(bgs_parameters),
    .device = &(const perp_method_device){.solve = solve_device, .worlds = worlds_device},
    .solve_small = solve_small,
};
