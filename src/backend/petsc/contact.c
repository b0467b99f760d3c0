/* contact.c: gradient methods and block Jacobi on rows over several ranks
 *
 * Every rank runs the method itself (method/gradient/apgd.c, spg.c, method/splitting/jacobi.c with
 * the momentum of nncg) on its own rows. PETSc computes the product A x = J (Minv (J^T x)) + C x
 * over all ranks, MPI_Allreduce sums and maxima (perp_ranks of method/run/method.h). Projections
 * are local, since the rows of a contact are on one rank. So all ranks make the same decisions, and
 * the iterates equal those of one rank up to the order of sums. The natural residual is computed in
 * each iteration, and at the end again from a fresh product. */
#include "backend/petsc/contact.h"
#include "backend/petsc/quadratic.h"

#undef I /* of complex.h */
#include "method/run/driver.h"
#include "problem/judge.h"
#include "verdict/twice.h"

#include <math.h>
#include <string.h>

extern const perp_method perp_method_apgd, perp_method_spg, perp_method_bjacobi;

typedef struct state {
  const perp_contacts *c;
  MPI_Comm comm;
  Vec x, y, v, w; /* x and y borrow arrays */
  perp_problem problem;
  perp_contacts_result *result;
  int limit;
  double least, *best;  /* the iterate with the smallest residual */
  PetscErrorCode error; /* PETSc error in a callback: later calls do nothing */
} state;

/* ---- Callbacks of the method ---- */

static PetscErrorCode product(state *s, const double *x, double *y)
{
  PetscInt n;
  PetscCall(VecPlaceArray(s->x, x));
  PetscCall(VecPlaceArray(s->y, y));
  PetscCall(MatMultTranspose(s->c->J, s->x, s->v));
  PetscCall(MatMult(s->c->Minv, s->v, s->w));
  PetscCall(MatMult(s->c->J, s->w, s->y));
  PetscCall(VecGetLocalSize(s->x, &n));
  for (PetscInt i = 0; i < n; i++)
    y[i] += s->c->C[i] * x[i];
  PetscCall(VecResetArray(s->x));
  PetscCall(VecResetArray(s->y));
  return 0;
}

/* y <- A x + b in twice the precision, for the verdict */
static PetscErrorCode gradient(state *s, const double *x, double *y)
{
  Mat transposed;
  Vec low, v_low, w_low;
  PetscScalar *rest;
  memcpy(y, s->c->b, (size_t)s->c->K.n * sizeof *y);
  PetscCall(VecPlaceArray(s->x, x));
  PetscCall(VecPlaceArray(s->y, y));
  PetscCall(VecDuplicate(s->y, &low));
  PetscCall(VecDuplicate(s->v, &v_low));
  PetscCall(VecDuplicate(s->w, &w_low));
  const Vec zero[] = {s->v, v_low, s->w, w_low, low};
  for (int k = 0; k < 5; k++)
    PetscCall(VecSet(zero[k], 0));
  PetscCall(MatTranspose(s->c->J, MAT_INITIAL_MATRIX, &transposed));
  PetscCall(perp_rows_add_twice(transposed, s->x, NULL, s->v, v_low));
  PetscCall(perp_rows_add_twice(s->c->Minv, s->v, v_low, s->w, w_low));
  PetscCall(perp_rows_add_twice(s->c->J, s->w, w_low, s->y, low));
  PetscCall(VecGetArray(low, &rest));
  for (int i = 0; i < s->c->K.n; i++) {
    perp_twice_add(s->c->C[i], x[i], &y[i], &rest[i]);
    y[i] += rest[i];
  }
  PetscCall(VecRestoreArray(low, &rest));
  PetscCall(MatDestroy(&transposed));
  PetscCall(VecDestroy(&low));
  PetscCall(VecDestroy(&v_low));
  PetscCall(VecDestroy(&w_low));
  PetscCall(VecResetArray(s->x));
  PetscCall(VecResetArray(s->y));
  return 0;
}

static int apply(void *context, const double *x, double *y)
{
  state *s = context;
  if (!s->error)
    s->error = product(s, x, y);
  return s->error != 0;
}

static int diagonal(void *context, double *d)
{
  const perp_contacts *c = ((const state *)context)->c;
  for (int i = 0; i < c->K.n; i++)
    d[i] = i < 3 * c->K.cones ? c->blocks[3 * i + i % 3] : c->blocks[6 * c->K.cones + i];
  return 0;
}

/* Returns the entries of a row within its own contact, the only ones that block Jacobi reads. */
static int row(void *context, int i, int *column, double *value)
{
  const perp_contacts *c = ((const state *)context)->c;
  const int count = i < 3 * c->K.cones ? 3 : 1;
  for (int t = 0; t < count; t++) {
    column[t] = count == 3 ? i - i % 3 + t : i;
    value[t] = count == 3 ? c->blocks[3 * i + t] : c->blocks[6 * c->K.cones + i];
  }
  return count;
}

static void reduce(state *s, int count, MPI_Op op, double *numbers)
{
  if (!s->error && MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, op, s->comm))
    s->error = PETSC_ERR_MPI;
}

static void sum(void *context, int count, double *numbers)
{
  reduce(context, count, MPI_SUM, numbers);
}

static void most(void *context, int count, double *numbers)
{
  reduce(context, count, MPI_MAX, numbers);
}

static double residual_of(state *s, const double *x, const double *y)
{
  double residual = perp_residual_exact(&s->problem, x, y);
  residual = isfinite(residual) ? residual : INFINITY;
  reduce(s, 1, MPI_MAX, &residual);
  return residual;
}

static bool next(void *context, perp_run *run, const perp_iterate *i)
{
  state *s = context;
  perp_contacts_result *r = s->result;
  r->residual = residual_of(s, i->x, i->y);
  if (r->residual < s->least) {
    s->least = r->residual;
    memcpy(s->best, i->x, (size_t)s->c->K.n * sizeof *i->x);
  }
  r->stopped = s->c->monitor && !s->c->monitor(s->c->context, r->iterations, r->residual);
  const bool more = !s->error && r->residual > run->target && isfinite(r->residual) &&
                    r->iterations < s->limit && !r->stopped;
  r->iterations += more;
  return more;
}

/* ---- Solving ---- */

static PetscErrorCode open_vectors(state *s)
{
  PetscInt n, m;
  PetscCall(MatGetLocalSize(s->c->J, &n, &m));
  PetscCheck(n == s->c->K.n, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
             "J has %" PetscInt_FMT " rows on this rank, but K has %d", n, s->c->K.n);
  PetscCall(VecCreateMPIWithArray(s->comm, 1, n, PETSC_DETERMINE, NULL, &s->x));
  PetscCall(VecCreateMPIWithArray(s->comm, 1, n, PETSC_DETERMINE, NULL, &s->y));
  PetscCall(MatCreateVecs(s->c->J, &s->v, NULL));
  PetscCall(VecDuplicate(s->v, &s->w));
  return 0;
}

static PetscErrorCode run_method(state *s, const perp_method *method, double tol, double *x)
{
  double parameters[32] = {0}; /* aligned for any parameter struct */
  perp_options options = perp_options_default();
  perp_arena arena = {0};
  perp_result said = perp_result_empty();
  perp_driver driver = {.method = method, .result = &said}; /* for messages only: `next` decides */
  const perp_ranks ranks = {
      .context = s, .sum = sum, .most = most, .next = next, .direction = s->c->direction};
  perp_run run = {.problem = &s->problem,
                  .options = &options,
                  .scale = s->result->scale,
                  .target = perp_verdict_target(tol, s->result->scale),
                  .arena = &arena,
                  .driver = &driver,
                  .ranks = &ranks};
  PetscCheck(method->parameter_bytes <= sizeof parameters, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "parameters of %s", method->name);
  perp_method_defaults(method, parameters);
  perp_message why = {{0}};
  if (method == &perp_method_bjacobi)
    PetscCheck(
        !perp_parameter_set(method->name, method->parameters, parameters, "accelerate", 1, &why),
        PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s", why.text);
  const perp_error error = method->solve(&run, &s->problem, parameters, x);
  perp_arena_free(&arena);
  PetscCall(s->error);
  int rank;
  PetscCallMPI(MPI_Comm_rank(s->comm, &rank));
  PetscCheck(!error, PETSC_COMM_SELF, PETSC_ERR_LIB, "rank %d, its own rows: %s", rank,
             said.message.text[0] ? said.message.text : perp_error_name(error));
  return 0;
}

static const perp_method *method_named(const char *name)
{
  const perp_method *const methods[] = {&perp_method_apgd, &perp_method_spg, &perp_method_bjacobi};
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
    if (!strcmp(name, methods[k]->name))
      return methods[k];
  return NULL;
}

PetscErrorCode perp_contacts_solve(const perp_contacts *contacts, const char *method, double tol,
                                   int max_iterations, double *x, perp_contacts_result *result)
{
  state s = {.c = contacts, .result = result, .limit = max_iterations, .least = INFINITY};
  perp_shell shell = perp_shell_default();
  perp_operator *A;
  perp_message why = {{0}};
  double *y, scale = 0;
  const perp_method *found = method_named(method);
  PetscCheck(found, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
             "apgd, spg and bjacobi run on several ranks, not %s", method);
  PetscCall(PetscObjectGetComm((PetscObject)contacts->J, &s.comm));
  PetscCall(open_vectors(&s));
  PetscCall(PetscMalloc1((size_t)contacts->K.n + 1, &s.best));
  memcpy(s.best, x, (size_t)contacts->K.n * sizeof *x);
  shell.context = &s;
  shell.apply = apply;
  shell.diagonal = diagonal;
  shell.row = row;
  shell.row_capacity = 3;
  const perp_error error = perp_operator_shell(contacts->K.n, &shell, &A, &why);
  PetscCheck(!error, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", why.text);
  s.problem = (perp_problem){.A = A, .b = contacts->b, .K = contacts->K};
  for (int i = 0; i < contacts->K.n; i++)
    scale = fabs(contacts->b[i]) > scale ? fabs(contacts->b[i]) : scale;
  most(&s, 1, &scale);
  result->scale = perp_verdict_scale(scale);
  result->iterations = 0;
  PetscCall(run_method(&s, found, tol, x));
  /* the verdict on the best iterate */
  memcpy(x, s.best, (size_t)contacts->K.n * sizeof *x);
  PetscCall(PetscMalloc1((size_t)contacts->K.n + 1, &y));
  PetscCall(gradient(&s, x, y));
  result->residual = residual_of(&s, x, y);
  PetscCall(s.error);
  PetscCall(PetscFree(y));
  PetscCall(PetscFree(s.best));
  PetscCall(VecDestroy(&s.x));
  PetscCall(VecDestroy(&s.y));
  PetscCall(VecDestroy(&s.v));
  PetscCall(VecDestroy(&s.w));
  perp_operator_destroy(A);
  return 0;
}
