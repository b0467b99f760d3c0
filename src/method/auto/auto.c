/* auto.c: inspects the problem once, makes a plan of methods, and tries them in order
 *
 * The class of a problem consists of its form, the structure of its operator, symmetry, diagonal,
 * size, and whether the start is zero. A measured table (table.c, made by tools/measure and
 * tools/write-auto) has a ladder for each class: the method that was fastest over the problems of
 * that class, then the method that best solved the remaining problems, and so on. Each has a limit
 * of the iterations that its problems needed, plus some more. Limits are iterations, not seconds,
 * so that the same problem takes the same path every time. Sweeps on problems with friction end
 * sooner if their rate is too low for their limit (run.c). After the ladder come the most robust
 * methods, with their own limits.
 *
 * If the diagonal of a stored matrix spreads over many decades, the steps of the ladder run on D A
 * D with a diagonal near 1 (scaling.h), unless the ladder begins with pivoting or, for a strong
 * diagonal, with sweeps: scaling does not matter to these. The robust methods get the unscaled
 * problem.
 *
 * If the time limit leaves no time to read the entries, sweeps begin at once.
 *
 * If no method finds a solution, auto enumerates all cases of a small box exactly, and for other
 * small problems tests whether x and y can have the right signs. This either proves that there is
 * no solution or finds one.
 *
 * A method that refuses the problem is skipped; a method that stalls or diverges passes the best x
 * so far to the next. All share the clock and the best iterate, so the answer is the best of all
 * attempts. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/auto/inspect.h"
#include "method/contact/contacts.h"
#include "method/run/factor_cache.h"
#include "method/run/scaling.h"
#include "method/run/small_solve.h"
#include "method/system/farkas.h"
#include "operator/contact/contact.h"

#include <stdio.h>
#include <string.h>

/* Largest over smallest diagonal entry above which the ladder runs on the scaled problem. */
static const double SPREAD = 1e8;

static const perp_parameter parameters[] = {{0}};

/* Robust methods in the order tried after the ladder; pivoting first if it is cheap. blockpivot is for
 * symmetric matrices that are nearly singular. */
enum { SMALL = 300, SMALL_CONE = 30, SHORT_SWEEPS = 128, NEWTON_STEPS = 24, SEGMENT_SWEEPS = 6000 };
enum { PROGRAM_STEPS = 200, GRID_CYCLES = 100 };
extern const perp_method perp_method_nncg, perp_method_dantzig, perp_method_lemke, perp_method_ssn,
    perp_method_blockpivot, perp_method_bgs, perp_method_fischer, perp_method_prox, perp_method_spg,
    perp_method_admm, perp_method_ipm, perp_method_mg, perp_method_enumerate, perp_method_apgd;
static const perp_method *const small_resorts[] = {
    &perp_method_dantzig, &perp_method_lemke, &perp_method_blockpivot,
    &perp_method_ssn,     &perp_method_bgs,   &perp_method_fischer,
    &perp_method_prox,    &perp_method_admm,  NULL};
static const perp_method *const small_cone_resorts[] = {&perp_method_ssn,  &perp_method_ipm,
                                                        &perp_method_bgs,  &perp_method_prox,
                                                        &perp_method_admm, NULL};
static const perp_method *const large_resorts[] = {&perp_method_ssn,   &perp_method_bgs,
                                                   &perp_method_lemke, &perp_method_fischer,
                                                   &perp_method_prox,  NULL};

/* Methods for an A that has only products. Symmetric A: gradient methods. Other A: spg solves few
 * problems, and these quickly; Newton steps by GMRES come next. Methods that need n products to
 * read A come first up to COLUMNS rows; beyond that they come after the others have run for WHILE
 * sweeps. */
enum { COLUMNS = 500, WHILE = 300 /* for Newton steps a tenth */ };
extern const perp_method perp_method_gpcg, perp_method_minmap;
static const perp_method *const hidden_symmetric[] = {
    &perp_method_gpcg, &perp_method_apgd,   &perp_method_spg,
    &perp_method_ssn,  &perp_method_minmap, &perp_method_fischer,
    &perp_method_prox, &perp_method_lemke,  NULL};
static const perp_method *const hidden_small[] = {&perp_method_lemke, &perp_method_ssn,
                                                  &perp_method_spg,   &perp_method_minmap,
                                                  &perp_method_prox,  NULL};
static const perp_method *const hidden_large[] = {
    &perp_method_spg,   &perp_method_ssn,    &perp_method_apgd,    &perp_method_prox,
    &perp_method_lemke, &perp_method_minmap, &perp_method_fischer, NULL};

/* Methods used if there is no time to inspect the entries, at about INSPECTING flops per entry, or, on
 * contacts, for a Newton step in half of it, which takes at least NEWTON_FLOPS flops per entry. */
static const double INSPECTING = 8, NEWTON_FLOPS = 300;
static const perp_method *const hurried[] = {&perp_method_nncg, &perp_method_bgs, &perp_method_spg,
                                             NULL};

/* Returns NULL if the form was never measured. */
static const perp_ladder *find_ladder(const perp_inspection *seen)
{
  const perp_form form = seen->form > PERP_FORM_CONE ? PERP_FORM_CONE : seen->form;
  const int kind =
      perp_ladder_kinds[seen->warm][form][seen->structure][seen->symmetric][seen->diagonal];
  const int row = perp_ladders_by_size[kind][seen->size];
  return row < 0 ? NULL : perp_ladders + row;
}

/* A plan: the methods and their names. */
typedef struct route {
  perp_plan *plan;
  const perp_method *method[PERP_ATTEMPTS];
  int ladder; /* number of measured steps; the robust methods follow */
} route;

static void add_step(const perp_inspection *seen, const perp_method *method, int64_t limit,
                     route *way)
{
  perp_plan *plan = way->plan;
  if (plan->steps == PERP_ATTEMPTS ||
      !perp_method_fits(method, seen->form, seen->abilities, seen->n))
    return;
  for (int k = 0; k < plan->steps; k++)
    if (way->method[k] == method)
      return;
  way->method[plan->steps] = method;
  plan->method[plan->steps] = method->name;
  plan->limit[plan->steps++] = limit;
}

/* Returns true if ipm gets its full limit on a problem with friction: problems that it does not
 * solve in a hundred iterations it mostly solves in a thousand, sooner than the sweeps and pivots
 * that would follow. A few rows are faster by pivots, and for many rows a factor takes long. */
static bool suits_interior(const perp_inspection *seen)
{
  enum { MANY = 30000 };
  return seen->form >= PERP_FORM_FINDEX && seen->n > SMALL && seen->n <= MANY;
}

/* Returns true for cones of bodies such as balls, with few contact points per pair: sweeps mostly
 * solve them in a tenth of the time of ipm, and slow sweeps end soon. */
static bool suits_sweeps(const perp_inspection *seen, const perp_operator *A)
{
  return suits_interior(seen) && seen->form >= PERP_FORM_CONE && !seen->warm &&
         perp_operator_is_contact(A) && perp_contacts_have_few_points(A);
}

/* Returns true for a few cones of joints, with a mass matrix: an iteration of ipm takes as long as some
 * twenty sweeps, which solve nearly half of these problems within the limit. */
static bool suits_short_sweeps(const perp_inspection *seen, const perp_operator *A)
{
  return seen->form == PERP_FORM_CONE && !seen->warm && seen->n <= SMALL &&
         perp_operator_is_contact(A) && perp_contact_of(A)->mass;
}

/* Returns true for problems such as walls, whose boxes meet in faces and share their load in many
 * ways: each sweep is slow there, and many are needed. The measured ladders cover them up to the
 * measured sizes. */
static bool suits_interior_first(const perp_inspection *seen, const perp_operator *A)
{
  enum { MEASURED = 10000 };
  return suits_interior(seen) && !seen->warm && perp_contacts_have_long_rows(A) &&
         (seen->n > MEASURED || seen->structure == PERP_STRUCTURE_SPARSE);
}

/* Returns true for balls and discs from the forces of the last frame: if short sweeps fail, longer
 * ones with conjugate directions mostly solve the problem sooner than ipm, which gains nothing from
 * that start. */
static bool suits_long_sweeps(const perp_inspection *seen)
{
  return suits_interior(seen) && seen->form == PERP_FORM_FINDEX && seen->warm &&
         (seen->structure == PERP_STRUCTURE_LOOSE || seen->structure == PERP_STRUCTURE_PACKED);
}

/* Returns true for discs from the forces of the last frame: after some sweeps the segments of ipm
 * mostly end sooner than longer sweeps. In space a factor takes too long. The limit of these sweeps
 * is 16 times the number after which their rate is first judged. */
static bool suits_segments(const perp_inspection *seen, const perp_operator *A)
{
  enum { PLANAR = 3 };
  return suits_long_sweeps(seen) && perp_operator_is_contact(A) &&
         perp_contact_of(A)->data.velocities <= PLANAR * perp_contact_of(A)->data.blocks;
}

/* Returns true for cones of bodies from the forces of the last frame: Newton's method mostly ends
 * within a few steps in the velocities of the bodies. If it does not, the motion has changed, as in
 * an impact, and ipm solves most of these problems in fewer steps than Newton's method needs. */
static bool suits_newton(const perp_inspection *seen, const perp_operator *A)
{
  return seen->form >= PERP_FORM_CONE && seen->warm && seen->n > SMALL_CONE &&
         perp_operator_is_contact(A);
}

/* Returns true for sparse problems that look like the optimality conditions of programs, (P -G^T; G 0):
 * zeros on the diagonal, not symmetric. Sweeps and active sets rarely end there, and pivots take
 * n^2 numbers. */
static bool suits_programs(const perp_inspection *seen)
{
  return seen->structure == PERP_STRUCTURE_SPARSE && seen->diagonal == PERP_DIAGONAL_HOLES &&
         !seen->symmetric && seen->form <= PERP_FORM_BOXED && seen->n > SMALL;
}

/* Returns true for grids on which multigrid is faster than sweeps and active sets: tens of times from
 * a few thousand cells on. */
static bool suits_multigrid(const perp_inspection *seen)
{
  enum { LITTLE = 1000 };
  return seen->structure == PERP_STRUCTURE_STENCIL && seen->symmetric &&
         seen->form <= PERP_FORM_BOXED && seen->n > LITTLE && !seen->warm;
}

/* Adds the measured ladder. If ipm suits the problem it has no limit, and is added at the end if it
 * is not in the ladder. On cones of redundant contacts Newton's way along null directions of A is
 * long: gradient steps follow if its limit ends it, and it continues from their x. */
static void add_ladder(const perp_inspection *seen, const perp_operator *A, route *way)
{
  const perp_ladder *ladder = find_ladder(seen);
  const bool interior = suits_interior(seen);
  if (suits_newton(seen, A)) {
    add_step(seen, &perp_method_ssn, NEWTON_STEPS, way);
    add_step(seen, &perp_method_ipm, 0, way);
  }
  if (suits_segments(seen, A)) {
    add_step(seen, &perp_method_nncg, SEGMENT_SWEEPS, way);
    add_step(seen, &perp_method_ipm, 0, way);
  }
  if (suits_interior_first(seen, A))
    add_step(seen, &perp_method_ipm, 0, way);
  if (suits_programs(seen))
    add_step(seen, &perp_method_ipm, PROGRAM_STEPS, way);
  if (suits_multigrid(seen))
    add_step(seen, &perp_method_mg, GRID_CYCLES, way);
  if (ladder && ladder->step[0].method == &perp_method_ipm) {
    if (suits_sweeps(seen, A))
      add_step(seen, &perp_method_nncg, perp_sweeps_first, way);
    if (suits_short_sweeps(seen, A))
      add_step(seen, &perp_method_bgs, SHORT_SWEEPS, way);
  }
  for (int k = 0; ladder && k < PERP_ATTEMPTS && ladder->step[k].method; k++) {
    const perp_method *method = ladder->step[k].method;
    const bool whole = interior && method == &perp_method_ipm;
    add_step(seen, method, whole ? 0 : ladder->step[k].limit, way);
    if (k > 0 && method == &perp_method_ssn && interior && !seen->warm &&
        seen->form >= PERP_FORM_CONE)
      add_step(seen, &perp_method_apgd, 0, way);
  }
  if (suits_long_sweeps(seen))
    add_step(seen, &perp_method_nncg, perp_sweeps_later, way);
  if (interior)
    add_step(seen, &perp_method_ipm, 0, way);
}

/* Returns true if a spread diagonal slows a method down. It does not affect pivoting, nor sweeps on
 * a strong diagonal. */
static bool minds_units(const perp_method *method, perp_diagonal diagonal)
{
  return strcmp(method->family, "pivoting") != 0 &&
         !(strcmp(method->family, "splitting") == 0 && diagonal == PERP_DIAGONAL_STRONG);
}

/* A word of a class in a buffer of fixed size: printing would cost more than solving a dozen
 * rows. */
typedef struct word {
  char length, text[15];
} word;

static char *append(char *to, const word *w)
{
  memcpy(to, w->text, sizeof w->text);
  return to + w->length;
}

static void name_class(const perp_inspection *seen, char *name)
{
  static const word forms[] = {{4, "lcp "},    {6, "mixed "}, {6, "boxed "},
                               {7, "findex "}, {5, "cone "},  {8, "contact "}},
                    structures[] = {{8, "stencil "},      {8, "contact "}, {6, "faced "},
                                    {6, "loose "},        {7, "packed "},  {7, "jammed "},
                                    {12, "tridiagonal "}, {8, "mmatrix "}, {7, "sparse "},
                                    {6, "dense "},        {7, "hidden "}},
                    symmetries[] = {{11, "unsymmetric"}, {9, "symmetric"}},
                    diagonals[] = {{0, ""}, {5, " fair"}, {7, " strong"}, {6, " holes"}},
                    sizes[PERP_SIZES] = {{2, " 3"},     {3, " 10"},     {3, " 32"},
                                         {4, " 100"},   {4, " 320"},    {5, " 1000"},
                                         {6, " 10000"}, {7, " 100000"}, {5, " more"}},
                    starts[] = {{0, ""}, {5, " warm"}};
  name = append(append(name, &forms[seen->form]), &structures[seen->structure]);
  name = append(append(name, &symmetries[seen->symmetric]), &diagonals[seen->diagonal]);
  append(append(name, &sizes[seen->size]), &starts[seen->warm]);
}

static void plan_hidden(const perp_inspection *seen, route *way)
{
  const perp_method *const *list = seen->symmetric      ? hidden_symmetric
                                   : seen->n <= COLUMNS ? hidden_small
                                                        : hidden_large;
  for (int k = 0; list[k]; k++) {
    const bool newton = strcmp(list[k]->family, "newton") == 0;
    const int64_t limit = list[k] == &perp_method_lemke ? 0 : newton ? WHILE / 10 : WHILE;
    add_step(seen, list[k], list == hidden_large ? limit : 0, way);
  }
  way->ladder = way->plan->steps;
}

static perp_error make_plan(const perp_problem *p, bool warm, perp_arena *arena, route *way,
                            perp_message *why)
{
  perp_inspection seen;
  const perp_error error = perp_inspect(p, warm, arena, &seen, why);
  if (error)
    return error;
  perp_plan *plan = way->plan;
  plan->steps = plan->scaled = 0;
  name_class(&seen, plan->class_name);
  if (seen.structure == PERP_STRUCTURE_HIDDEN) {
    plan_hidden(&seen, way);
    return PERP_OK;
  }
  add_ladder(&seen, p->A, way);
  if (seen.spread > SPREAD && plan->steps > 0 && minds_units(way->method[0], seen.diagonal) &&
      perp_scaling_fits(p))
    plan->scaled = plan->steps;
  way->ladder = plan->steps;
  const perp_method *const *resorts = seen.n > SMALL               ? large_resorts
                                      : seen.form < PERP_FORM_CONE ? small_resorts
                                                                   : small_cone_resorts;
  for (int k = 0; resorts[k]; k++)
    if (resorts[k] != &perp_method_blockpivot || seen.symmetric)
      add_step(&seen, resorts[k], 0, way);
  return PERP_OK;
}

/* The plan of the previous solve, valid if A, the form and the kind of start are the same. */
typedef struct kept_plan {
  perp_form form;
  bool warm;
  bool skip_small_solver; /* the small solver failed on its first step: do not try it again */
  perp_plan plan;
  route way;
} kept_plan;

static bool recall_plan(const perp_kept *kept, const perp_run *run, bool warm, route *way)
{
  const kept_plan *k = kept ? kept->state : NULL;
  if (!k || !perp_kept_holds(kept, run) || k->form != perp_set_form(&run->problem->K) ||
      k->warm != warm)
    return false;
  perp_plan *plan = way->plan;
  *way = k->way;
  way->plan = plan;
  *plan = k->plan;
  return true;
}

/* Keeps the plan, unless it is scaled: whether scaling pays depends on more than A. */
static void keep_plan(perp_kept *kept, const perp_run *run, bool warm, const route *way)
{
  if (!kept || way->plan->scaled > 0)
    return;
  if (!kept->state)
    kept->state = perp_arena_alloc(&kept->arena, 1, sizeof(kept_plan));
  kept_plan *k = kept->state;
  if (!k)
    return;
  *k = (kept_plan){perp_set_form(&run->problem->K), warm, false, *way->plan, *way};
  perp_kept_done(kept, run);
}

static const char plan_maker;

static perp_error plan_anew(perp_run *run, bool warm, route *way)
{
  perp_kept *kept = perp_run_kept(run, &plan_maker);
  if (recall_plan(kept, run, warm, way)) {
    perp_kept_done(kept, run);
    return PERP_OK;
  }
  perp_message why;
  const perp_error error = make_plan(run->problem, warm, run->arena, way, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  keep_plan(kept, run, warm, way);
  return PERP_OK;
}

/* Solves a few rows by the first step of their plan, which is made now if A is new. */
static bool solve_small(perp_run *run, const perp_small *small, perp_result *result, double *x)
{
  if (small->solved)
    return true;
  perp_kept *kept = perp_run_kept(run, &plan_maker);
  kept_plan *k = kept ? kept->state : NULL;
  if (!k || !perp_kept_holds(kept, run) || k->form != small->form || k->warm) {
    route way = {.plan = &result->plan};
    perp_message why;
    if (!kept || make_plan(run->problem, false, run->arena, &way, &why) || way.plan->scaled > 0) {
      if (kept)
        kept->busy = false;
      return false;
    }
    keep_plan(kept, run, false, &way);
    k = kept->state;
  }
  perp_kept_done(kept, run);
  if (!k || k->way.ladder == 0 || k->skip_small_solver)
    return false;
  const perp_method *first = k->way.method[0];
  if (!first->solve_small || !first->solve_small(run, small, result, x)) {
    k->skip_small_solver = true;
    return false;
  }
  result->method = first->name;
  result->plan = k->plan;
  return true;
}

static bool is_hurried(const perp_run *run)
{
  const perp_operator *A = run->problem->A;
  if (perp_operator_is_contact(A) && perp_set_form(&run->problem->K) >= PERP_FORM_FINDEX)
    return !perp_run_affords(run, 2 * NEWTON_FLOPS * (double)A->nonzeros);
  return A->table->has_rows && !A->symmetric &&
         !perp_run_affords(run, INSPECTING * (double)A->nonzeros);
}

static void plan_hurriedly(const perp_problem *p, route *way)
{
  const perp_inspection seen = {
      .n = p->K.n, .form = perp_set_form(&p->K), .abilities = perp_operator_abilities(p->A)};
  perp_plan *plan = way->plan;
  plan->steps = plan->scaled = 0;
  snprintf(plan->class_name, sizeof plan->class_name, "%s unseen", perp_form_name(seen.form));
  for (int k = 0; hurried[k]; k++)
    add_step(&seen, hurried[k], 0, way);
}

perp_error perp_problem_plan(const perp_problem *problem, perp_plan *plan, perp_message *why)
{
  if (!plan)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "plan is NULL");
  perp_error error = perp_problem_validate(problem, why);
  if (error)
    return error;
  perp_arena arena = {0};
  route way = {.plan = plan};
  *plan = (perp_plan){0};
  const int failures = perp_operator_failures(problem->A);
  error = make_plan(problem, false, &arena, &way, why);
  if (!error)
    error = perp_operator_failed(problem->A, failures, why);
  perp_arena_free(&arena);
  return error;
}

/* The attempts: each step of the plan, perhaps again without its limit, one more from the start,
 * and the enumeration. */
typedef struct history {
  const route *way;
  const perp_scaled *scaled;
  int count;
  perp_attempt tried[2 * PERP_ATTEMPTS + 3];
  bool cut[PERP_ATTEMPTS];       /* the step ended at a limit below the method's own */
  double reached[PERP_ATTEMPTS]; /* the best residual after the step */
  perp_message why;              /* the last refusal, or why there is no solution */
} history;

/* Returns true if the plan is that of suits_programs: if ipm fails, a proof is looked for next. */
static bool is_program(const route *way)
{
  return way->ladder > 0 && way->method[0] == &perp_method_ipm &&
         way->plan->limit[0] == PROGRAM_STEPS;
}

/* Writes "lemke: ray; ssn: solved"; names and outcomes are short. */
static void tell(perp_run *run, const history *h)
{
  char text[(2 * PERP_ATTEMPTS + 3) * 48], *end = text;
  for (int k = 0; k < h->count; k++) {
    const char *const parts[] = {h->tried[k].method, ": ", perp_outcome_name(h->tried[k].outcome),
                                 "; "};
    for (int part = 0; part < 4; part++) {
      const size_t length = strlen(parts[part]);
      memcpy(end, parts[part], length);
      end += length;
    }
  }
  end[-2] = 0; /* the last "; " */
  if (h->tried[h->count - 1].outcome == PERP_UNSOLVABLE)
    perp_run_say(run, "%s: %s", text, h->why.text);
  else
    perp_run_say_plainly(run, text);
}

/* Runs step k of the plan for at most `limit` iterations (0: the method's own limit). */
static perp_error try_step(perp_run *run, history *h, int k, int64_t limit, double *x)
{
  const perp_method *method = h->way->method[k];
  const perp_scaled *scaled = k < h->way->plan->scaled ? h->scaled : NULL;
  perp_attempt *attempt = &h->tried[h->count];
  h->cut[k] = false;
  const perp_error error = perp_run_attempt(run, method, limit, scaled, x, attempt, &h->why);
  if (error == PERP_ERROR_UNSUPPORTED ||
      (error == PERP_ERROR_MEMORY && run->options->memory_limit > 0))
    return PERP_OK;
  if (error)
    return perp_run_fail(run, error, "%s", h->why.text);
  h->count++;
  h->cut[k] =
      attempt->outcome == PERP_ITERATION_LIMIT && limit > 0 && limit < method->max_iterations;
  h->reached[k] = attempt->residual;
  return PERP_OK;
}

/* Returns the step with the lowest residual among the steps that ended at a limit of the plan; -1:
 * none did. */
static int find_nearest(const history *h)
{
  int nearest = -1;
  for (int k = 0; k < h->way->plan->steps; k++)
    if (h->cut[k] && (nearest < 0 || h->reached[k] < h->reached[nearest]))
      nearest = k;
  return nearest;
}

static perp_error try_steps(perp_run *run, history *h, int from, int to, double *x)
{
  perp_error error = PERP_OK;
  for (int k = from; k < to && !error && !perp_run_over(run); k++)
    error = try_step(run, h, k, h->way->plan->limit[k], x);
  return error;
}

/* Continues the steps that ended at a limit of the plan without it, the nearest first. */
static perp_error go_on(perp_run *run, history *h, double *x)
{
  perp_error error = PERP_OK;
  for (int k = find_nearest(h); k >= 0 && !error && !perp_run_over(run); k = find_nearest(h))
    error = try_step(run, h, k, 0, x);
  return error;
}

/* Decides if the signs of x and y contradict each other: without rounding if the problem is small, else
 * by interior points. */
static perp_error find_proof(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params, (void)p, (void)x;
  const double *u = NULL;
  perp_feasible feasible;
  perp_error error = perp_farkas_decide(run, &feasible, &u);
  if (!error && (feasible == PERP_FEASIBLE_UNKNOWN || feasible == PERP_FEASIBLE_NOT))
    error = perp_farkas_search(run, &perp_method_ipm, &feasible, &u);
  if (error && error != PERP_ERROR_UNSUPPORTED)
    return perp_run_no_memory(run);
  if (feasible < PERP_FEASIBLE_NOT)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "no proof found that there is no solution");
  perp_farkas_claim(run, feasible, u);
  return PERP_OK;
}

static const perp_method proof = {.name = "auto",
                                  .title = "a proof that there is no solution",
                                  .family = "auto",
                                  .parameters = parameters,
                                  .max_iterations = 1,
                                  .solve = find_proof};

/* Runs a method that is not in the plan. */
static perp_error try_other(perp_run *run, history *h, const perp_method *method, int64_t limit,
                            double *x)
{
  perp_message why;
  const perp_error error = perp_run_attempt(run, method, limit, NULL, x, &h->tried[h->count], &why);
  if (error == PERP_ERROR_UNSUPPORTED ||
      (error == PERP_ERROR_MEMORY && run->options->memory_limit > 0))
    return PERP_OK;
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  h->why = why;
  h->count++;
  return PERP_OK;
}

/* Looks for a proof that there is no solution: tries all cases of a small box and of a few friction
 * rows, whose systems take longer; for other problems tests the signs of x and y. */
static perp_error look_for_proof(perp_run *run, history *h, double *x)
{
  enum { SYSTEMS = 20000, FRICTION = 12 };
  static const double FLOPS = 1e9;
  const perp_problem *p = run->problem;
  if (!perp_run_affords(run, FLOPS))
    return PERP_OK;
  const perp_form form = perp_set_form(&p->K);
  if ((form != PERP_FORM_FINDEX || p->K.n <= FRICTION) &&
      perp_method_fits(&perp_method_enumerate, form, perp_operator_abilities(p->A), p->K.n))
    return try_other(run, h, &perp_method_enumerate, SYSTEMS, x);
  return is_program(h->way) ? PERP_OK : try_other(run, h, &proof, 0, x);
}

/* After the ladder the nearest method continues with its full limit, and after the plan the others
 * do. Then the nearest one restarts from the given start, so that auto solves every problem that
 * this method solves. */
static perp_error climb_on(perp_run *run, history *h, double *x)
{
  const int nearest = find_nearest(h);
  perp_error error = nearest >= 0 ? try_step(run, h, nearest, 0, x) : PERP_OK;
  if (!error)
    error = try_steps(run, h, h->way->ladder, h->way->plan->steps, x);
  if (!error)
    error = go_on(run, h, x);
  if (!error && !perp_run_over(run) && nearest >= 0) {
    perp_copy(run->problem->K.n, perp_run_start(run), x);
    error = try_step(run, h, nearest, 0, x);
  }
  return error;
}

/* Returns true if there is time for the segments of suits_segments, at about SEGMENT_FLOPS flops per
 * entry: sweeps would end far from the solution in that time. */
static bool has_time_for_segments(const perp_run *run, const route *way)
{
  static const double SEGMENT_FLOPS = 3000;
  return way->plan->steps > 1 && way->method[0] == &perp_method_nncg &&
         way->plan->limit[0] == SEGMENT_SWEEPS && way->method[1] == &perp_method_ipm &&
         perp_run_affords(run, SEGMENT_FLOPS * (double)run->problem->A->nonzeros);
}

/* ---- Contacts with a time limit ----
 *
 * The ladder gets half of the time and sweeps the rest: a Newton step that ends too early leaves x as
 * bad as its start, and the next frame starts from that; sweeps always come nearer. Without such a
 * start they keep the time of SWEEPS at most, and before segments a tenth. But sweeps tell the lower
 * courses of a wall too late that it leans, and leave it in motion, so that the next frame is late,
 * too. After a late frame of cones ipm alone therefore gets most of the time if it holds NEAR
 * iterations, which mostly bring x near, and unless the ladder has lately come twice as near. Not for
 * balls and discs: their heaps do not sway, and sweeps leave less overlap. */

enum { BY_LADDER, BY_IPM };

/* What a solver remembers of frames with a time limit, whose bits depend on the clock anyway. */
typedef struct past_frames {
  bool late;         /* the last one was not solved */
  double step;       /* seconds of an iteration of ipm for one row, 0: unknown */
  double reached[2]; /* relative residual of the last late frame by each way, 0: unknown */
} past_frames;

static const char past_maker;
static const double SWEEPS = 2000, NEAR = 6;

static bool suits_interior_in_time(const perp_run *run, const past_frames *past)
{
  const double nearer = 2;
  return past->late && !run->cold && perp_set_form(&run->problem->K) >= PERP_FORM_CONE &&
         perp_contacts_meet_in_faces(perp_contact_of(run->problem->A), 3) &&
         past->reached[BY_IPM] <= nearer * past->reached[BY_LADDER] &&
         NEAR * past->step * run->problem->K.n <= 0.9 * perp_run_seconds(run);
}

/* The way that was not taken counts as better by a tenth in each frame, and ipm as faster: it is tried
 * again. The residual of fewer iterations than NEAR says nothing. */
static void remember(const perp_run *run, const history *h, int first, past_frames *past)
{
  const perp_attempt *last = h->count > 0 ? &h->tried[h->count - 1] : NULL;
  const bool begun = first == BY_IPM && last && h->tried[0].method == perp_method_ipm.name &&
                     h->tried[0].iterations > 0;
  if (past->late && last &&
      (first == BY_LADDER || (begun && (double)h->tried[0].iterations >= NEAR)))
    past->reached[first] = last->residual / run->scale;
  past->reached[!first] *= 0.9;
  past->step *= 0.95;
  if (begun)
    past->step = h->tried[0].seconds / ((double)h->tried[0].iterations * run->problem->K.n);
  past->late = !last || last->outcome != PERP_SOLVED;
}

/* Returns the share of the time that sweeps keep. */
static double share_of_sweeps(const perp_run *run, const route *way, int first)
{
  const double flops = run->cold ? SWEEPS * 4 * (double)run->problem->A->nonzeros : INFINITY;
  const bool most = first == BY_IPM || has_time_for_segments(run, way);
  return perp_min(most ? 0.1 : 0.5, flops / perp_run_flops(run));
}

static perp_error try_in_time(perp_run *run, history *h, int from, double *x)
{
  perp_kept *kept = perp_run_kept(run, &past_maker);
  if (kept && !kept->state)
    kept->state = perp_arena_alloc_zero(&kept->arena, 1, sizeof(past_frames));
  past_frames none = {0}, *past = kept && kept->state ? kept->state : &none;
  const int first = suits_interior_in_time(run, past) ? BY_IPM : BY_LADDER;
  const double deadline = perp_run_begin_share(run, 1 - share_of_sweeps(run, h->way, first));
  perp_error error = first == BY_IPM ? try_other(run, h, &perp_method_ipm, 0, x)
                                     : try_steps(run, h, from, h->way->ladder, x);
  perp_run_end_share(run, deadline);
  if (!error && !perp_run_over(run))
    error = try_other(run, h, &perp_method_nncg, 0, x);
  if (first == BY_IPM && !error && !perp_run_over(run))
    error = try_steps(run, h, from, h->way->ladder, x);
  remember(run, h, first, past);
  perp_kept_done(kept, run);
  return error;
}

static perp_error try_ladder(perp_run *run, history *h, int first, double *x)
{
  const perp_problem *p = run->problem;
  if (perp_run_seconds(run) < INFINITY && perp_operator_is_contact(p->A) &&
      perp_set_form(&p->K) >= PERP_FORM_FINDEX)
    return try_in_time(run, h, first, x);
  return try_steps(run, h, first, h->way->ladder, x);
}

/* Runs the steps of the plan; *x is the best of all. */
static perp_error climb(perp_run *run, const route *way, const perp_scaled *scaled, double *x)
{
  enum { FEW = 8 };
  const bool few = run->problem->K.n <= FEW; /* enumeration is faster than the robust methods */
  history h; /* not cleared: that would take longer than solving a few rows */
  h.way = way;
  h.scaled = scaled;
  h.count = 0;
  memset(h.cut, 0, sizeof h.cut);
  h.why.text[0] = 0;
  const int first = is_program(way);
  perp_error error = try_steps(run, &h, 0, first, x);
  if (first && !error && !perp_run_over(run))
    error = try_other(run, &h, &proof, 0, x);
  if (!error && !perp_run_over(run))
    error = try_ladder(run, &h, first, x);
  if (few && !error && !perp_run_over(run))
    error = look_for_proof(run, &h, x);
  if (!error && !perp_run_over(run))
    error = climb_on(run, &h, x);
  if (!few && !error && !perp_run_over(run))
    error = look_for_proof(run, &h, x);
  if (error)
    return error;
  if (h.count == 0)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "no method supports this problem%s%s",
                         h.why.text[0] ? ": " : "", h.why.text);
  if (h.count > 1 || h.tried[0].outcome != PERP_SOLVED) /* otherwise the plan is the whole
                                                         * message */
    tell(run, &h);
  return PERP_OK;
}

static void log_plan(const perp_run *run, const perp_plan *plan)
{
  if (!run->options->logger)
    return;
  char steps[400] = "";
  size_t used = 0;
  for (int k = 0; k < plan->steps && used < sizeof steps; k++) {
    used +=
        (size_t)snprintf(steps + used, sizeof steps - used, "%s%s", k ? ", " : "", plan->method[k]);
    if (plan->limit[k] > 0 && used < sizeof steps)
      used +=
          (size_t)snprintf(steps + used, sizeof steps - used, " (%lld)", (long long)plan->limit[k]);
  }
  perp_run_log(run, PERP_LOG_INFO, "auto: %s; methods and their limits: %s", plan->class_name,
               steps);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  if (perp_run_start_solves(run) && !perp_run_next(run, x, NULL)) /* the start is a solution */
    return PERP_OK;
  perp_message why;
  route way = {.plan = perp_run_plan(run)};
  perp_error error = PERP_OK;
  if (is_hurried(run))
    plan_hurriedly(p, &way);
  else
    error = plan_anew(run, !run->cold, &way);
  if (error)
    return error;
  perp_run_planned(run);
  log_plan(run, way.plan);
  perp_scaled scaled = {0};
  const size_t most = run->options->memory_limit;
  if (way.plan->scaled > 0 && (most == 0 || (size_t)p->A->nonzeros * sizeof(double) <= most)) {
    error = perp_scaled_open(p, run->arena, &scaled, &why);
    if (error && error != PERP_ERROR_UNSUPPORTED)
      return perp_run_fail(run, error, "%s", why.text);
  }
  error = climb(run, &way, scaled.A ? &scaled : NULL, x);
  if (scaled.A)
    perp_scaled_close(&scaled);
  return error;
}

const perp_method perp_method_auto = {
    .name = "auto",
    .title = "chooses methods by what the problem is, and says which",
    .family = "auto",
    .source = "perp",
    .takes = PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_MIXED) | PERP_TAKES(PERP_FORM_BOXED) |
             PERP_TAKES(PERP_FORM_FINDEX) | PERP_TAKES(PERP_FORM_CONE) |
             PERP_TAKES(PERP_FORM_CONTACT),
    .needs = PERP_CAN_APPLY,
    .iteration =
        "a ladder of methods for the class of the problem; each continues from the best x so far",
    .works = "every problem that one of the methods it tries solves",
    .max_iterations = 1000000,
    .parameters = parameters,
    .parameter_bytes = 0,
    .solve = solve,
    .solve_small = solve_small,
};
