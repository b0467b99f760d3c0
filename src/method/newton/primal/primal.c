/* primal.c: Newton's method in body velocities, for contacts with compliance
 *
 *   A = J Minv J^T + C,   C > 0 diagonal
 *
 * The dual of  min 1/2 x^T A x + b^T x  over a convex set K is a convex problem without constraints
 * (Todorov 2011, 2014). With A = G G^T + C, G = J F, Minv = F F^T, and 1/2 |G^T x|^2 written as the
 * maximum over u of  -u^T G^T x - 1/2 |u|^2,  minimum and maximum change places; u with its sign
 * turned is the velocity of the bodies in the norm of their masses:
 *
 *   min over u of  F(u) = 1/2 |u|^2 + sum s_i(z_i),   z = G u + b,
 *   s(z) = max over x in K of  -(z^T x + 1/2 x^T C x),   reached at  x(z) = P_K(-z / C),  s' = -x.
 *
 * Its gradient and Hessian are
 *
 *   u - G^T x(z),   I + G^T D G,   D = -dx/dz:  1 / C_ii in a row inside its bounds, 0 at one
 *
 * (response.c).
 *
 * At the minimum u = G^T x, hence y = A x + b = z + C x and x = P_K(x - y / C): x solves the
 * problem. F is piecewise quadratic and strongly convex; Newton's method with an exact line search
 * ends after finitely many steps, in practice after about ten. A step costs the assembly and the
 * factor of a matrix in the velocities, however many rows there are.
 *
 * Where C is small against A, many more: from afar x(z) = -z / C is far too large. So C is first
 * taken as at least a share of A_ii, and the share falls, each minimum being the start of the next;
 * soon most falls take one step. x(z) also has the rounding of z divided by C, so at the end Newton
 * steps on the natural map in x refine it (polish.c). With both, problems whose x is not
 * itself of the size of 1 / C are solved to 1e-9 with C down to 1e-10 A.
 *
 * Friction. Where bounds follow a normal impulse, lo_i x_n <= x_i <= hi_i x_n (findex) or
 * |x_t| <= mu x_n (cones), K is still convex, but the law is not the minimum over K: that has
 * -y in N_K(x), with an opening velocity y_n = sigma wherever a contact slides,
 *
 *   sigma(y) = mu |y_t|,   or  sum over the rows i that follow of  max(-lo_i y_i, -hi_i y_i).
 *
 * Coulomb's law asks for y + sigma(y) e_n instead (De Saxce and Feng 1991). So the minimum is taken
 * with a shift added to b_n, which then follows sigma(y), again and again (Acary, Cadoux,
 * Lemarechal and Malick 2011). From each minimum the Newton steps in x are tried, on the natural
 * map of the law itself; near a solution they converge quadratically. Should they fail, the next
 * minimum goes on from the last. All that happens with a large C, where it is easy; then C falls,
 * and the steps in x follow the solution.
 *
 * Cost of an iteration: three products with G, n (numbers in a row)^2 for H, its factor. Memory: G,
 * H and its factor, some 15 vectors of n, with friction those of GMRES in velocities. */
#include "method/newton/primal/primal.h"

#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "set/set.h"

#include <float.h>

typedef struct {
  int polish;
} primal_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(primal_parameters, polish, 50, 1, 1000,
                 "Newton steps in x in a row, after each minimum in velocities"),
    {0},
};

/* perp_run_next with the A x + b of the compliance given. Between two minima x may pass through
 * impulses of any size. */
static bool show(perp_primal *s)
{
  for (int i = 0; i < s->n; i++)
    s->q[i] = s->y[i] + (s->rows.compliance[i] - s->rows.C[i]) * s->x[i];
  return perp_run_next_iterate(
      s->run, perp_iterate_guess(s->x, s->q, perp_problem_residual(s->run->problem, s->x, s->q)));
}

/* y <- A x + b and d <- the gradient u - G^T x */
static void measure(perp_primal *s)
{
  const double *b = s->run->problem->b;
  perp_primal_impulse(&s->rows, s->x, s->d);
  perp_primal_velocity(&s->rows, s->d, s->y);
  for (int i = 0; i < s->n; i++)
    s->y[i] += s->rows.C[i] * s->x[i] + b[i];
  for (int k = 0; k < s->m; k++)
    s->d[k] = s->u[k] - s->d[k];
}

/* One Newton step from u, whose gradient is in d. True where it was the last: no row changed sides
 * in a full step, or there is no descent left in rounding. */
static bool step(perp_primal *s)
{
  if (!perp_primal_hessian_set(s->run, &s->H, &s->D))
    return true;
  double *gradient = s->krylov; /* m numbers of scratch */
  perp_copy(s->m, s->d, gradient);
  perp_multiply(s->m, -1, s->d);
  if (!perp_body_matrix_solve(&s->H.H, s->d))
    return true;
  const double slope = perp_dot(s->m, gradient, s->d);
  const double size = perp_dot(s->m, s->u, s->u) + perp_dot(s->m, s->d, s->d);
  if (!(slope < -DBL_EPSILON * DBL_EPSILON * size))
    return true;
  perp_primal_velocity(&s->rows, s->d, s->q);
  const double t = perp_primal_search(s, slope);
  perp_axpy(s->m, t, s->d, s->u);
  perp_axpy(s->n, t, s->q, s->z);
  const bool changed = perp_primal_respond(s);
  return !changed && fabs(t - 1) < 1e-2;
}

/* Minimises F with the shift as it stands, from u; false where the driver ends the run. */
static bool minimise(perp_primal *s)
{
  enum { MOST = 200 };
  perp_primal_respond(s);
  measure(s);
  for (int k = 0; k < MOST; k++) {
    const bool last = step(s);
    measure(s);
    if (!show(s))
      return false;
    if (last)
      break;
  }
  return !perp_run_expired(s->run);
}

/* Newton steps in x as long as they help; false where the driver ends the run. x ends as the best
 * of them, *reached as its residual over the target. */
static bool polish(perp_primal *s, int most, double *reached)
{
  enum { PATIENCE = 8 };
  const perp_problem *p = s->run->problem;
  double best = perp_problem_residual(p, s->x, s->y), mark = best;
  perp_copy(s->n, s->x, s->backup);
  for (int k = 0, since = 0; k < most && since < PATIENCE && best > 0.01 * s->run->target; k++) {
    if (!perp_primal_polish(s))
      break;
    if (!show(s))
      return false;
    const double residual = perp_problem_residual(p, s->x, s->y);
    if (residual < best) {
      best = residual;
      perp_copy(s->n, s->x, s->backup);
    }
    since = best < 0.5 * mark ? 0 : since + 1;
    mark = since == 0 ? best : mark;
  }
  perp_copy(s->n, s->backup, s->x);
  perp_primal_refresh(s);
  *reached = best / s->run->target;
  return true;
}

/* shift <- sigma(y) */
static void take_shift(perp_primal *s)
{
  for (int t = 0; t < s->rows.units; t++) {
    const perp_primal_unit *unit = &s->rows.unit[t];
    if (unit->kind != PERP_PRIMAL_PLAIN)
      s->shift[s->rows.row[unit->first]] = perp_primal_slip(s, unit);
  }
}

/* Minima with a shift that follows, and Newton steps from each, at the compliance as it stands;
 * *reached as polish says. The shift follows the minima alone: steps that were in vain shall not
 * disturb it. False where the driver ends the run. */
static bool follow_shift(perp_primal *s, int most, int most_polish, double *reached)
{
  perp_primal_refresh(s);
  take_shift(s);
  for (int k = 0; k < most; k++) {
    perp_axpy(s->n, 1, s->shift, s->z);
    if (!minimise(s))
      return false;
    take_shift(s);
    if (!polish(s, most_polish, reached))
      return false;
    if (*reached <= 1)
      break;
  }
  return true;
}

/* Without friction: minima with a compliance that falls to the one given, each from the one before;
 * at the end Newton steps in x. */
static void solve_convex(perp_primal *s, int most_polish)
{
  const double first = 1e-2, fall = 0.1;
  bool own = false;
  for (double share = first; !own; share *= fall) {
    own = perp_primal_raise_compliance(&s->rows, share);
    if (!minimise(s))
      return;
  }
  double reached;
  if (polish(s, most_polish, &reached))
    perp_run_claim(s->run, PERP_STAGNATED);
}

/* With friction: solutions with a compliance that falls, each by Newton steps in x from the one
 * before. A fall that these do not follow is made smaller; where that does not help, minima with a
 * shift that follows bridge the gap. */
static void solve_friction(perp_primal *s, int most_polish)
{
  enum { FEW = 12, MANY = 100 };
  const double usual = 0.1, most = 0.01, least = 0.5;
  double share = 1, fall = usual, reached;
  bool own = perp_primal_raise_compliance(&s->rows, share);
  if (!follow_shift(s, FEW, most_polish, &reached))
    return;
  while (!own) {
    perp_copy(s->n, s->x, s->good);
    own = perp_primal_raise_compliance(&s->rows, share * fall);
    perp_primal_refresh(s);
    if (!polish(s, most_polish, &reached))
      return;
    if (reached <= 1) {
      share *= fall;
      fall = perp_max(fall * fall, most);
      continue;
    }
    own = false;
    fall = sqrt(fall);
    perp_copy(s->n, s->good, s->x);
    if (fall > least) {
      fall = usual;
      share *= fall;
      own = perp_primal_raise_compliance(&s->rows, share);
      if (!follow_shift(s, FEW, most_polish, &reached))
        return;
    }
  }
  if (follow_shift(s, MANY, most_polish, &reached))
    perp_run_claim(s->run, PERP_STAGNATED);
}

/* Bounds as the response reads them: those of followers are factors. */
static void take_bounds(perp_primal *s)
{
  for (int i = 0; i < s->n; i++) {
    const bool cone = i < 3 * s->K->cones;
    s->lo[i] = cone ? 0 : perp_set_lo(s->K, i);
    s->hi[i] = cone ? INFINITY : perp_set_hi(s->K, i);
  }
}

static perp_error take_vectors(perp_primal *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  const size_t room = s->coupled ? (size_t)perp_gmres_work(s->m, PERP_PRIMAL_RESTART) : m;
  if (!PERP_TAKE_REALS(run->arena, n, &s->lo, &s->hi, &s->z, &s->y, &s->q, &s->dx, &s->slope,
                       &s->backup, &s->good) ||
      !PERP_TAKE_REALS(run->arena, m, &s->u, &s->d) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s->krylov, room)) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->shift, n), PERP_ARRAY(s->state, n)) ||
      !perp_primal_curvature_create(run, &s->rows, &s->D))
    return perp_run_no_memory(run);
  take_bounds(s);
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const primal_parameters *par = params;
  const perp_form form = perp_set_form(&p->K);
  perp_primal s = {.run = run,
                   .K = &p->K,
                   .n = p->K.n,
                   .x = x,
                   .coupled = form == PERP_FORM_FINDEX || form == PERP_FORM_CONE};
  perp_error error = perp_primal_rows_create(run, &s.rows);
  if (error || perp_run_expired(run))
    return error;
  s.m = s.rows.m;
  error = take_vectors(&s);
  if (error || perp_run_expired(run))
    return error;
  error = perp_primal_hessian_open(run, &s.rows, &s.H);
  if (!error && !perp_run_expired(run)) {
    perp_primal_refresh(&s);
    if (show(&s))
      (s.coupled ? solve_friction : solve_convex)(&s, par->polish);
  }
  perp_body_matrix_close(&s.H.H);
  return error;
}

const perp_method perp_method_primal = {
    .name = "primal",
    .title = "Newton's method in body velocities",
    .family = "newton",
    .reference = true,
    .source = "todorov-2014",
    .takes = PERP_TAKES_ALL,
    .needs = PERP_CAN_APPLY | PERP_CAN_VELOCITIES,
    .iteration = "u <- u - t (I + G^T D G)^-1 (u - G^T x(u)), x(u) = P_K(-C^-1 (G u + b))",
    .works = "contact operators with compliance, C > 0 diagonal; friction mostly",
    .max_iterations = 5000,
    PERP_SOLVES_WITH(primal_parameters),
};
