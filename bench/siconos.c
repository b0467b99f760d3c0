/* siconos.c: bgs against the nonsmooth Gauss-Seidel method of Siconos (fc3d NSGS) on the same
 * Coulomb cones
 *
 * Siconos runs with its own options to its own tolerance; its answer is judged by perp_check, and
 * bgs then has to reach the residual that it has. Both take the assembled matrix: Siconos as blocks
 * of 3 x 3, perp as compressed rows. Built where Siconos is found. */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <siconos/numerics/fc3d_Solvers.h>

static const char *const problems[] = {
    "pile:n=30,form=cone",       "pile:n=100,form=cone",
    "pile:n=400,form=cone",      "wall:rows=8,columns=8,form=cone,cfm=1e-2",
    "stack:form=cone,plant=yes", "wall:size=nb449_nc1821,form=cone",
};

static void *take(size_t count, size_t size)
{
  void *block = calloc(count ? count : 1, size);
  if (!block)
    bench_die("no memory for %zu numbers", count);
  return block;
}

/* The csr matrix of 3 c rows as c x c blocks, each column major. */
static NumericsMatrix *blocks_of(const perp_operator *A)
{
  const int64_t *start;
  const int *column;
  const double *value;
  if (perp_operator_csr_arrays(A, &start, &column, &value))
    bench_die("the matrix is not assembled");
  const size_t contacts = (size_t)perp_operator_size(A) / 3;
  const size_t most = (size_t)start[3 * contacts];
  SparseBlockStructuredMatrix *M = SBM_new();
  M->blocknumber0 = M->blocknumber1 = (unsigned)contacts;
  M->blocksize0 = take(contacts, sizeof *M->blocksize0);
  M->blocksize1 = take(contacts, sizeof *M->blocksize1);
  M->index1_data = take(contacts + 1, sizeof *M->index1_data);
  M->index2_data = take(most, sizeof *M->index2_data);
  M->block = take(most, sizeof *M->block);
  size_t *seen = take(contacts, sizeof *seen), count = 0; /* 1 + the block in this row */
  for (size_t I = 0; I < contacts; I++) {
    M->blocksize0[I] = M->blocksize1[I] = 3 * (unsigned)(I + 1);
    M->index1_data[I] = count;
    /* row 3 I lists the triples in ascending order; the rows of a contact have the same ones */
    for (size_t i = 3 * I; i < 3 * I + 3; i++)
      for (int64_t k = start[i]; k < start[i + 1]; k++) {
        const size_t J = (size_t)column[k] / 3;
        if (seen[J] <= M->index1_data[I]) {
          M->index2_data[count] = J;
          M->block[count] = take(9, sizeof **M->block);
          seen[J] = ++count;
        }
        M->block[seen[J] - 1][i % 3 + 3 * ((size_t)column[k] % 3)] = value[k];
      }
  }
  free(seen);
  M->index1_data[contacts] = count;
  M->filled1 = contacts + 1;
  M->filled2 = count;
  M->nbblocks = (unsigned)count;
  NumericsMatrix *W = NM_new();
  W->storageType = NM_SPARSE_BLOCK;
  W->size0 = W->size1 = (int)(3 * contacts);
  W->matrix1 = M;
  return W;
}

typedef struct {
  double seconds, residual; /* relative */
  int iterations;
} run;

static run run_siconos(const perp_instance *instance, NumericsMatrix *W)
{
  const perp_problem p = perp_instance_problem(instance);
  const size_t n = (size_t)p.K.n;
  double *r = take(n, sizeof *r), *u = take(n, sizeof *u), residual, scale;
  FrictionContactProblem problem = {
      .dimension = 3, .numberOfContacts = p.K.cones, .M = W, .q = instance->b, .mu = instance->mu};
  SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-6;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  const double began = bench_now();
  fc3d_driver(&problem, r, u, options);
  run result = {.seconds = bench_now() - began,
                .iterations = options->iparam[SICONOS_IPARAM_ITER_DONE]};
  if (perp_check(&p, r, &residual, &scale, NULL))
    bench_die("the answer cannot be judged");
  result.residual = residual / scale;
  solver_options_delete(options);
  free(r);
  free(u);
  return result;
}

static run run_bgs(const perp_problem *p, double tol)
{
  double *x = take((size_t)p->K.n, sizeof *x);
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = tol;
  options.max_iterations = 1000000;
  const double began = bench_now();
  if (perp_solve("bgs", p, &options, x, &result) || result.outcome != PERP_SOLVED)
    bench_die("bgs: %s", result.message.text);
  free(x);
  return (run){bench_now() - began, result.residual / result.scale, (int)result.counts.iterations};
}

int main(void)
{
  printf("Siconos' NSGS against bgs to the same residual, medians of 3 rounds; goal >= 5\n");
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
    perp_instance instance;
    perp_message why;
    if (perp_generate(problems[k], &instance, &why))
      bench_die("%s: %s", problems[k], why.text);
    const perp_problem p = perp_instance_problem(&instance);
    NumericsMatrix *W = blocks_of(instance.A);
    double ratio[3];
    run theirs = {0}, ours = {0};
    for (int r = 0; r < 3; r++) {
      theirs = run_siconos(&instance, W);
      ours = run_bgs(&p, theirs.residual);
      ratio[r] = theirs.seconds / ours.seconds;
    }
    const double median = kit_median(3, ratio);
    printf("  %-42s %5d contacts  %.1e  %6d / %6d sweeps  %5.1fx  %s\n", problems[k], p.K.cones,
           theirs.residual, theirs.iterations, ours.iterations, median,
           median >= 5 ? "met" : "NOT MET");
    fflush(stdout);
    perp_instance_destroy(&instance);
  }
  return 0;
}
