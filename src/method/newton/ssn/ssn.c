/* ssn.c: semismooth Newton on the natural map, for all forms, exact Coulomb cones included
 *
 *   Phi(x) = x - P(x - R g(x)),   Phi(x) = 0  <=>  x is a solution,   R = diag(rho) > 0
 *
 * Phi is piecewise smooth, and a Newton step with an element of its Jacobian is a step of an active
 * set method: rows at their bounds go there, sliding contacts stay on their cone, and a linear
 * system in the free directions remains (ssn.h, model.c; the moving bounds of friction rows are
 * differentiated). Near a solution where these Jacobians are regular the steps converge
 * quadratically, for boxes in finitely many (Qi and Sun 1993; Alart and Curnier 1991;
 * Hintermueller, Ito and Kunisch 2003). rho_i = rho / A_ii; in a cone over its largest diagonal
 * entry: with a rho far from this, contacts flip between their states.
 *
 * Globalisation and singular A. Redundant contacts make every Jacobian singular, and far from a
 * solution the active sets cycle. So the steps solve the problem with
 *
 *   g(x) = A x + b + E (x - c),   E = diag(epsilon / own),
 *
 * the proximal point method around the centre c (Rockafellar 1976): it is regular, and easier for
 * larger epsilon. own is rho, except in a disc: its rows share the least rho, and E with that would
 * hold an axis as weak as rolling where it is, so each has its own. The solution need not be exact:
 * c moves to x once
 *
 *   |Phi(x)| <= epsilon |x - c| / 2   (norms with R^-1, own^-1),   or the residual fell to a third
 *
 * (Rockafellar's criterion B), and epsilon falls: by 1, 1/2, 1/4, ... with every centre reached in
 * a few steps, down to 1e-10, so that the last steps are Newton's own. If the steps fail to reach
 * the criterion (three more short steps than long ones, 20 in all, or a residual 1000 times that of
 * c), epsilon is raised to 5 epsilon, and the new centre is c or x, whichever has the smaller
 * |Phi|. For monotone problems every epsilon leads to a solution; with friction there is no proof,
 * but it works in practice.
 *
 * Steps are halved until |Phi|^2 / 2 is below the largest of the last few (Grippo, Lampariello and
 * Lucidi 1986); A d is known, so this takes no products. If ten halvings do not suffice, the best
 * of them is used.
 *
 * Near the end y = A x + b is summed in twice the precision: if x is large (low rank, little
 * regularisation) the rounding of plain sums, 2^-53 |A| |x| in every term, would hide the solution
 * long before the rounding of x does. One iteration: two products with A, and a linear system
 * (step.c). Workspace: 22 n and the linear systems'. */
#include "method/newton/ssn/ssn.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/contacts.h"
#include "method/newton/newton.h"
#include "method/run/small_solve.h"
#include "method/system/gather.h"
#include "set/set.h"

enum {
  WINDOW = 8,      /* number of merits in the line search */
  HALVINGS = 10,   /* of a step */
  STEPS = 20,      /* for one centre */
  QUICK = 8,       /* steps after which epsilon falls */
  STALLS = 3,      /* excess of short steps over long ones */
  LONGEST_RUN = 5, /* quick centres in a row that count */
  FIRST_RUN = 3,   /* assumed at the start */
  WARM = 10,       /* sweeps */
};

static const double RAISE = 5, MOST_SHIFT = 1e8, MOST_GROWTH = 1e3, SHORT = 0.1, DECREASE = 1e-4,
                    NEAR = 100; /* targets */

typedef struct {
  double rho, epsilon, least;
  int warm, window;
  int solver, preconditioner;
} ssn_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(ssn_parameters, rho, 3, 1e-6, 1e6, "scale of y against x, over 1 / A_ii"),
    PERP_REAL(ssn_parameters, epsilon, 1e-4, 1e-15, 1e6, "first proximal shift, over 1 / rho"),
    PERP_REAL(ssn_parameters, least, 1e-10, 1e-15, 1, "least proximal shift"),
    PERP_INTEGER(ssn_parameters, warm, WARM, 0, 1000000,
                 "initial (block) Gauss-Seidel sweeps, if the diagonal is positive"),
    PERP_INTEGER(ssn_parameters, window, 8, 1, WINDOW,
                 "number of earlier merits that the search compares with; 1: monotone"),
    PERP_CHOICE(ssn_parameters, solver, PERP_LINEAR_AUTO, PERP_LINEAR_GMRES, perp_linear_solvers,
                "solver of the linear systems; default: direct with friction, else gmres"),
    PERP_CHOICE(ssn_parameters, preconditioner, PERP_PRECONDITION_AUTO, PERP_PRECONDITION_MG,
                perp_linear_preconditioners,
                "preconditioner of the Krylov solvers without friction"),
    {0},
};

typedef struct {
  perp_run *run;
  const ssn_parameters *par;
  perp_ssn_model model;
  perp_ssn_step step;
  int n;
  double *x, *y;          /* y = A x + b */
  double residual;        /* natural, at x */
  double *c, *y_c;        /* the centre */
  double residual_c;      /* natural, at the centre */
  double *g;              /* A x + b + E (x - c) */
  double *d, *Ad, *trial; /* the step */
  double epsilon;
  double eta, norm; /* forcing term and |Phi| of the last linear system; norm 0: no previous one */

  double merits[WINDOW]; /* at the steps since the centre */
  int steps;             /* since the centre */
  int stalls;            /* excess of short steps over long ones */
  int run_of_centres;    /* reached quickly, one after another */
} ssn;

/* ---- The subproblem ---- */

/* |Phi|^2 / 2 of the subproblem at x + t d. */
static double merit_at(ssn *s, double t)
{
  const double *own = s->model.own;
  for (int i = 0; i < s->n; i++) {
    s->trial[i] = s->x[i] + t * s->d[i];
    s->g[i] = s->y[i] + t * s->Ad[i] + s->epsilon / own[i] * (s->trial[i] - s->c[i]);
  }
  return perp_ssn_value(&s->model, s->trial, s->g);
}

/* Linearises at x. Returns |Phi|^2 / 2. */
static double linearise(ssn *s)
{
  const double *own = s->model.own;
  for (int i = 0; i < s->n; i++)
    s->g[i] = s->y[i] + s->epsilon / own[i] * (s->x[i] - s->c[i]);
  return perp_ssn_linearise(&s->model, s->x, s->g);
}

/* |x - c|^2 / 2 */
static double distance(const ssn *s)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += (s->x[i] - s->c[i]) * (s->x[i] - s->c[i]) / s->model.own[i];
  return sum / 2;
}

/* ---- Centres ---- */

/* c <- x; a new subproblem begins. */
static void centre_at_x(ssn *s)
{
  perp_copy(s->n, s->x, s->c);
  perp_copy(s->n, s->y, s->y_c);
  s->residual_c = s->residual;
  s->steps = s->stalls = 0;
}

/* x <- c */
static void return_to_centre(ssn *s)
{
  perp_copy(s->n, s->c, s->x);
  perp_copy(s->n, s->y_c, s->y);
  s->residual = s->residual_c;
}

static void advance(ssn *s)
{
  if (s->steps <= QUICK) {
    s->epsilon = perp_max(ldexp(s->epsilon, -s->run_of_centres), s->par->least);
    if (s->run_of_centres < LONGEST_RUN)
      s->run_of_centres++;
  }
  centre_at_x(s);
}

static void retreat(ssn *s)
{
  s->run->count.restarts++;
  s->run_of_centres = 0;
  s->norm = 0;
  s->epsilon *= RAISE;
  if (perp_ssn_value(&s->model, s->x, s->y) < perp_ssn_value(&s->model, s->c, s->y_c)) {
    centre_at_x(s);
    return;
  }
  return_to_centre(s);
  s->steps = s->stalls = 0;
}

/* Moves the centre if x is good enough or the steps make no progress, and linearises again. Returns
 * the merit. */
static double settle_centre(ssn *s)
{
  const double merit = linearise(s);
  const bool reached = merit <= 0.25 * s->epsilon * s->epsilon * distance(s);
  if (s->steps > 0 && (reached || s->residual < 0.3 * s->residual_c))
    advance(s);
  else if (s->steps >= STEPS || s->stalls >= STALLS)
    retreat(s);
  else
    return merit;
  return linearise(s);
}

/* ---- Steps ---- */

static double search(ssn *s, double merit)
{
  s->merits[s->steps % s->par->window] = merit;
  double most = 0;
  for (int k = 0; k <= s->steps && k < s->par->window; k++)
    most = perp_max(most, s->merits[k]);
  double least = INFINITY, best = 1, t = 1;
  for (int k = 0; k < HALVINGS && !perp_run_expired(s->run); k++, t /= 2) {
    const double value = merit_at(s, t);
    if (value <= (1 - 2 * DECREASE * t) * most) {
      s->stalls = t < SHORT ? s->stalls + 1 : s->stalls > 0 ? s->stalls - 1 : 0;
      return t;
    }
    if (value < least) {
      least = value;
      best = t;
    }
  }
  s->stalls++;
  return best;
}

/* x <- x + t d. A failed step, or one that ends far away, counts as no progress. */
static void move(ssn *s, double merit)
{
  const double norm = sqrt(2 * merit);
  s->eta = perp_newton_forcing(0.1, norm, s->norm, s->eta, 0.1 * s->run->target);
  s->norm = norm;
  const bool found = perp_ssn_step_solve(&s->step, s->epsilon, s->eta, s->d);
  if (perp_run_expired(s->run))
    return;
  if (!found) {
    s->stalls = STALLS;
    s->steps++;
    return;
  }
  perp_run_apply(s->run, s->d, s->Ad);
  perp_axpy(s->n, search(s, merit), s->d, s->x);
  if (s->residual_c <= NEAR * s->run->target)
    perp_run_gradient_exact(s->run, s->x, s->y);
  else
    perp_run_gradient(s->run, s->x, s->y);
  s->steps++;
  s->residual = perp_problem_residual(s->run->problem, s->x, s->y);
  if (!(s->residual <= MOST_GROWTH * s->residual_c)) {
    return_to_centre(s);
    s->stalls = STALLS;
  }
}

/* ---- The method ---- */

static perp_error begin(perp_run *run, const ssn_parameters *par, double *x, ssn *s)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (ssn){.run = run,
             .par = par,
             .n = run->problem->K.n,
             .x = x,
             .epsilon = perp_max(par->epsilon, par->least),
             .run_of_centres = FIRST_RUN};
  if (!PERP_TAKE_REALS(run->arena, n, &s->y, &s->c, &s->y_c, &s->g, &s->d, &s->Ad, &s->trial))
    return perp_run_no_memory(run);
  perp_error error = perp_ssn_model_create(run, par->rho, &s->model);
  if (!error)
    error = perp_ssn_step_open(run, &s->model, (perp_linear_solver)par->solver,
                               (perp_linear_preconditioner)par->preconditioner, &s->step);
  perp_run_gradient(run, x, s->y);
  s->residual = perp_problem_residual(run->problem, x, s->y);
  centre_at_x(s);
  return error;
}

/* Sweeps over cones and rows for the warm start: solves each cone exactly with the others held
 * (Jourdan, Alart and Jean 1998), relaxes and clamps any other row. Does nothing if a diagonal
 * entry is not positive or A has no rows. */
static perp_error sweep_cones(perp_run *run, int count, double *x)
{
  const perp_operator *A = run->problem->A;
  double *diagonal = perp_run_reals(run, (size_t)A->n);
  if (!diagonal)
    return perp_run_no_memory(run);
  if (!A->table->row || !perp_has_positive_diagonal(A, diagonal))
    return PERP_OK;
  perp_blocks *blocks;
  const perp_error error = perp_blocks_open(run, x, 1, !perp_set_has_discs(&run->problem->K),
                                            PERP_BLOCKS_FORWARD, &blocks);
  if (error || perp_run_expired(run))
    return error;
  blocks->changed = true;
  for (int k = 0; k < count && blocks->changed && !perp_run_expired(run); k++) {
    blocks->changed = false; /* the remaining sweeps would change nothing either */
    perp_blocks_sweep(run, blocks);
  }
  perp_relaxer_store(blocks->sweeps.relaxer->relaxer);
  perp_blocks_close(run, blocks);
  return PERP_OK;
}

/* Warm start by sweeps; they diverge on some unsymmetric matrices, and the start then stays as
 * given. */
static perp_error warm_up(ssn *s)
{
  const perp_arena_mark mark = perp_arena_hold(s->run->arena);
  const perp_error error = !perp_set_has_cones(&s->run->problem->K)
                               ? perp_newton_warm(s->run, s->par->warm, s->x)
                               : sweep_cones(s->run, s->par->warm, s->x);
  perp_arena_release(s->run->arena, mark);
  perp_run_gradient(s->run, s->x, s->y);
  s->residual = perp_problem_residual(s->run->problem, s->x, s->y);
  if (s->residual <= MOST_GROWTH * s->residual_c)
    centre_at_x(s);
  else
    return_to_centre(s);
  return error;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  ssn s;
  perp_error error = begin(run, params, x, &s);
  /* show the start unchanged: it may be a solution */
  if (!error && s.par->warm > 0 && perp_run_next(run, x, s.y))
    error = warm_up(&s);
  while (!error && perp_run_next(run, x, s.y)) {
    const double merit = settle_centre(&s);
    perp_run_merit(run, merit);
    if (s.epsilon > MOST_SHIFT) {
      perp_run_claim(run, PERP_STAGNATED);
      break;
    }
    move(&s, merit);
  }
  perp_ssn_step_close(&s.step);
  return error;
}

/* The warm start of cones, if it leaves no Newton step to do. */
static bool solve_small(perp_run *run, const perp_small *small, perp_result *result, double *x)
{
  (void)result;
  double y[PERP_SMALL_ROWS];
  if (small->solved || small->form < PERP_FORM_CONE || sweep_cones(run, WARM, x))
    return false;
  perp_run_gradient(run, x, y);
  run->count.applies++; /* the start */
  run->count.checks += 2;
  run->count.iterations = 1;
  return perp_problem_residual(run->problem, x, y) <= run->target;
}

const perp_method perp_method_ssn = {
    .name = "ssn",
    .title = "semismooth Newton on the natural map",
    .family = "newton",
    .source = "alart-curnier-1991",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .iteration = "(P + Q (A + E)) d = -Phi(x) with P, Q of the pieces that x is in, x <- x + t d",
    .works = "positive semi-definite A, singular or not symmetric too; friction mostly",
    .max_iterations = 3000,
    PERP_SOLVES_WITH(ssn_parameters),
    .solve_small = solve_small,
};
