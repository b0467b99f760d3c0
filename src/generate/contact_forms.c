/* contact_forms.c: a scene as a complementarity problem of any contact form
 *
 * Rows of a contact, in this order, the joints' three rows each after all contacts:
 *
 *   lcp, mixed     n                      x_n >= 0
 *   stick          n t o                  x_n >= 0, x_t and x_o free
 *   findex         n t o                  x_n >= 0, |x_t|, |x_o| <= mu x_n
 *   cone           n t o                  |(x_t, x_o)| <= mu x_n
 *   polyhedral     n t_1 .. t_K beta      x >= 0,  A = [B e; mu -e^T 0]  (Anitescu and Potra 1997)
 *
 * Rows of joints are free. The form stick is mixed and symmetric: with it the walls have the row
 * counts of Morales, Nocedal and Smelyanskiy (2008), all of which are multiples of three, with at
 * most a third of the rows at their bound.
 *
 * What is known of the solution. C = cfm I with cfm > 0 is as good as more degrees of freedom that
 * make J surjective. Forms without friction are convex quadratic programs in the velocity,
 *
 *   min 1/2 (v+ - u)^T M (v+ - u)   subject to   J v+ + c >= 0  (= 0 for free rows),
 *
 * solvable if and only if feasible: always with cfm > 0 (and then x is unique), with c >= 0 (by
 * v+ = 0), and where some velocity opens every contact (by a large multiple of it). With friction
 * the LCP is copositive and solvable if z^T b >= 0 for all solutions z of the homogeneous problem
 * (Cottle, Pang and Stone 1992, theorem 3.8.6): these have J^T z = 0, hence z^T b = z_n^T c, which
 * is 0 with cfm > 0, at least 0 with c >= 0, and where a velocity opens every contact faster than
 * mu times it slides there, z = 0. The cone has a solution in the first and the third case (Acary,
 * Cadoux, Lemarechal and Malick 2011). The velocity that is tried is that of perp_body.escape.
 *
 * Cost and memory: linear in the entries of A or J. */
#include "base/elementary.h"
#include "generate/scene.h"

#include <limits.h>
#include <math.h>

const char *const perp_contact_forms[] = {"lcp",        "mixed", "stick", "findex",
                                          "polyhedral", "cone",  NULL};
const char *const perp_contact_operators[] = {"csr", "contact", NULL};

bool perp_contact_jointed(const perp_contact_options *options)
{
  return options->joints || options->form == PERP_CONTACT_MIXED;
}

perp_error perp_contact_check(const char *owner, const perp_contact_options *options,
                              perp_message *why)
{
  if (options->joints && options->form == PERP_CONTACT_LCP)
    return perp_fail(why, PERP_ERROR_PARAMETER,
                     "%s: joints = yes, but form = lcp has no free rows (form = mixed has)", owner);
  if (options->joints && options->form == PERP_CONTACT_CONE)
    return perp_fail(why, PERP_ERROR_PARAMETER,
                     "%s: joints = yes, but form = cone has no rows beside the cones", owner);
  if (options->active + options->degenerate > 1)
    return perp_fail(why, PERP_ERROR_PARAMETER,
                     "%s: active + degenerate = %g, but shares add up to at most 1", owner,
                     options->active + options->degenerate);
  return PERP_OK;
}

static int rows_of_contact(const perp_contact_options *options)
{
  switch ((perp_contact_form)options->form) {
  case PERP_CONTACT_LCP:
  case PERP_CONTACT_MIXED:
    return 1;
  case PERP_CONTACT_POLYHEDRAL:
    return options->directions + 2;
  default:
    return 3;
  }
}

/* Whether the escape velocities open every contact, with friction faster than it slides: the sum
 * of two friction impulses of mu x_n each does at most sqrt(2) mu x_n |v_t| of work. */
static bool opens(const perp_contact_options *options, const perp_scene *scene)
{
  const bool friction = options->form != PERP_CONTACT_LCP && options->form != PERP_CONTACT_MIXED;
  if (scene->joints > 0 || options->form == PERP_CONTACT_STICK)
    return false;
  for (int k = 0; k < scene->touches; k++) {
    const perp_scene_contact *touch = &scene->touch[k];
    double opening = 0, squares = 0;
    for (int e = 0; e < 3; e++) {
      const double va = touch->a == PERP_WORLD ? 0 : scene->body[touch->a].escape[e];
      const double vb = touch->b == PERP_WORLD ? 0 : scene->body[touch->b].escape[e];
      opening += (va - vb) * touch->normal[e];
      squares += (va - vb) * (va - vb);
    }
    const double slip = sqrt(perp_max(0, squares - opening * opening)) + 1e-9 * sqrt(squares);
    if (!(opening > (friction ? 1.5 * options->mu * slip : 0)))
      return false;
  }
  return true;
}

/* What the physics leaves open is drawn: how far each contact is from just touching, and how the
 * bodies move. Contacts penetrate only where the problem is solvable all the same. */
static void draw(const perp_contact_options *options, perp_random *random, perp_scene *scene)
{
  const bool penetrate = options->cfm > 0 || opens(options, scene);
  for (int k = 0; k < scene->touches; k++) {
    double *gap = &scene->touch[k].gap;
    *gap += perp_random_between(random, -options->slop, options->slop);
    if (!penetrate && *gap < 0)
      *gap = 0;
  }
  for (int k = 0; k < scene->bodies; k++)
    for (int i = 0; i < 6; i++)
      scene->body[k].velocity[i] += perp_random_between(random, -options->jitter, options->jitter);
}

static void fill_rows(const perp_contact_options *options, const perp_scene *scene,
                      perp_jacobian *rows)
{
  const int count = rows_of_contact(options);
  int i = 0;
  for (int k = 0; k < scene->touches; k++) {
    const perp_scene_contact *touch = &scene->touch[k];
    double t[3], o[3];
    perp_scene_frame(touch->normal, t, o);
    perp_jacobian_set(rows, i++, scene, touch->a, touch->b, touch->point, touch->normal);
    if (options->form == PERP_CONTACT_POLYHEDRAL) {
      for (int d = 0; d < options->directions; d++) {
        double c, s, along[3];
        perp_scene_turn(d, options->directions, &c, &s);
        for (int e = 0; e < 3; e++)
          along[e] = c * t[e] + s * o[e];
        perp_jacobian_set(rows, i++, scene, touch->a, touch->b, touch->point, along);
      }
      perp_jacobian_set_empty(rows, i++);
    } else if (count == 3) {
      perp_jacobian_set(rows, i++, scene, touch->a, touch->b, touch->point, t);
      perp_jacobian_set(rows, i++, scene, touch->a, touch->b, touch->point, o);
    }
  }
  for (int k = 0; k < scene->joints; k++) {
    const perp_joint *joint = &scene->joint[k];
    for (int e = 0; e < 3; e++) {
      const double axis[3] = {e == 0, e == 1, e == 2};
      perp_jacobian_set(rows, i++, scene, joint->a, joint->b, joint->point, axis);
    }
  }
  perp_jacobian_weigh(rows, scene);
}

/* C = cfm I, and for the polyhedral form 1 at (t_k, beta), mu at (beta, n), -1 at (beta, t_k). */
static perp_error make_C(const perp_contact_options *options, const perp_scene *scene, int n,
                         perp_scene_matrix *C)
{
  const bool polyhedral = options->form == PERP_CONTACT_POLYHEDRAL;
  const int count = rows_of_contact(options), contact_rows = scene->touches * count;
  const size_t beside = polyhedral ? 2 * (size_t)options->directions + 1 : 0; /* the diagonal */
  const size_t room = (size_t)n + (size_t)scene->touches * beside;
  C->start = perp_alloc((size_t)n + 1, sizeof *C->start);
  C->column = perp_alloc(room, sizeof *C->column);
  C->value = perp_alloc(room, sizeof *C->value);
  if (!C->start || !C->column || !C->value)
    return PERP_ERROR_MEMORY;
  int64_t e = 0;
  for (int i = 0; i < n; i++) {
    C->start[i] = e;
    const int place = polyhedral && i < contact_rows ? i % count : 0;
    if (place == count - 1 && place > 0) {
      for (int j = i - place; j < i; j++) {
        C->column[e] = j;
        C->value[e++] = j == i - place ? options->mu : -1;
      }
      continue;
    }
    if (options->cfm > 0) {
      C->column[e] = i;
      C->value[e++] = options->cfm;
    }
    if (place > 0) {
      C->column[e] = i - place + count - 1;
      C->value[e++] = 1;
    }
  }
  C->start[n] = e;
  return PERP_OK;
}

/* c of a contact's normal row */
static double correction(const perp_contact_options *options, const perp_scene_contact *touch)
{
  return (touch->gap < 0 ? options->erp : 1) * (touch->gap / options->h);
}

/* b = J (v + h Minv f) + c; gravity accelerates every body alike. */
static void fill_b(const perp_contact_options *options, const perp_scene *scene,
                   const perp_jacobian *rows, double *b)
{
  const int count = rows_of_contact(options);
  for (int i = 0; i < rows->n; i++) {
    b[i] = 0;
    for (size_t place = 2 * (size_t)i; place < 2 * (size_t)i + 2; place++) {
      if (rows->body[place] < 0)
        continue;
      const double *v = scene->body[rows->body[place]].velocity, *J = rows->J + 6 * place;
      for (int k = 0; k < 6; k++)
        b[i] += J[k] * (k == 2 ? v[k] - options->h * options->gravity : v[k]);
    }
  }
  for (int k = 0; k < scene->touches; k++)
    b[k * count] += correction(options, &scene->touch[k]);
}

/* lo, hi, findex, mu */
static perp_error make_set(const perp_contact_options *options, const perp_scene *scene, int n,
                           perp_instance *instance)
{
  const int form = options->form, count = rows_of_contact(options);
  const int contact_rows = scene->touches * count;
  if (form == PERP_CONTACT_CONE) {
    instance->cones = scene->touches;
    instance->mu = perp_alloc((size_t)scene->touches, sizeof *instance->mu);
    if (!instance->mu)
      return PERP_ERROR_MEMORY;
    for (int k = 0; k < scene->touches; k++)
      instance->mu[k] = options->mu;
    return PERP_OK;
  }
  if (scene->joints == 0 && form != PERP_CONTACT_STICK && form != PERP_CONTACT_FINDEX)
    return PERP_OK;
  instance->lo = perp_alloc((size_t)n, sizeof *instance->lo);
  instance->hi = perp_alloc((size_t)n, sizeof *instance->hi);
  if (form == PERP_CONTACT_FINDEX)
    instance->findex = perp_alloc((size_t)n, sizeof *instance->findex);
  if (!instance->lo || !instance->hi || (form == PERP_CONTACT_FINDEX && !instance->findex))
    return PERP_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    const int place = i < contact_rows ? i % count : -1;
    const bool tangent = place > 0 && form != PERP_CONTACT_POLYHEDRAL;
    const bool unbounded = place < 0 || (tangent && form == PERP_CONTACT_STICK);
    instance->lo[i] = unbounded ? -INFINITY : tangent ? -options->mu : 0;
    instance->hi[i] = !unbounded && tangent ? options->mu : INFINITY;
    if (instance->findex)
      instance->findex[i] = tangent ? i - place : -1;
  }
  return PERP_OK;
}

static perp_kind contact_class(const perp_contact_options *options, const perp_scene *scene)
{
  const bool convex = options->form == PERP_CONTACT_LCP || options->form == PERP_CONTACT_MIXED ||
                      options->form == PERP_CONTACT_STICK;
  if (options->cfm > 0)
    return convex ? PERP_KIND_SOLVABLE : PERP_KIND_MULTIPLE;
  /* contacts that penetrate without cfm can be opened, see draw */
  if (options->plant || options->form != PERP_CONTACT_CONE || opens(options, scene))
    return PERP_KIND_MULTIPLE;
  return PERP_KIND_UNKNOWN;
}

/* x from random states of the contacts, and b = y - A x; b stays 0 in the rows of beta. */
static perp_error plant(const perp_contact_options *options, const perp_scene *scene,
                        const perp_jacobian *rows, const perp_scene_matrix *C, perp_random *random,
                        perp_instance *instance)
{
  const int n = rows->n, count = rows_of_contact(options);
  double *x = instance->x = perp_alloc((size_t)n, sizeof *x);
  double *y = perp_alloc((size_t)n, sizeof *y), *Ax = perp_alloc((size_t)n, sizeof *Ax);
  double *v = perp_alloc(6 * (size_t)rows->bodies, sizeof *v);
  const bool ready = x && y && Ax && v;
  if (ready) {
    int i = 0;
    for (int k = 0; k < scene->touches; k++) {
      perp_contact_state state;
      perp_contact_plant(options, random, &state);
      for (int e = 0; e < count; e++, i++) {
        x[i] = state.x[e];
        y[i] = state.y[e];
      }
    }
    for (; i < n; i++) {
      x[i] = perp_random_between(random, -1, 1);
      y[i] = 0;
    }
    perp_jacobian_apply(rows, x, v, Ax);
    for (i = 0; i < n; i++) {
      for (int64_t e = C->start[i]; e < C->start[i + 1]; e++)
        Ax[i] += C->value[e] * x[C->column[e]];
      const bool beta = options->form == PERP_CONTACT_POLYHEDRAL && i < scene->touches * count &&
                        i % count == count - 1;
      instance->b[i] = beta ? 0 : y[i] - Ax[i];
    }
  }
  perp_free(y);
  perp_free(Ax);
  perp_free(v);
  return ready ? PERP_OK : PERP_ERROR_MEMORY;
}

/* All but A. */
static perp_error fill_instance(const perp_contact_options *options, const perp_scene *scene,
                                const perp_jacobian *rows, const perp_scene_matrix *C,
                                perp_random *random, perp_instance *instance)
{
  instance->b = perp_alloc((size_t)rows->n, sizeof *instance->b);
  if (!instance->b)
    return PERP_ERROR_MEMORY;
  fill_b(options, scene, rows, instance->b);
  instance->kind = contact_class(options, scene);
  const perp_error error = make_set(options, scene, rows->n, instance);
  if (error || !options->plant)
    return error;
  return plant(options, scene, rows, C, random, instance);
}

perp_error perp_contact_problem(const char *owner, const perp_contact_options *options,
                                perp_random *random, perp_scene *scene, perp_instance *instance,
                                perp_message *why)
{
  const int64_t n = (int64_t)scene->touches * rows_of_contact(options) + 3 * (int64_t)scene->joints;
  perp_jacobian rows = {0};
  perp_scene_matrix C = {0};
  perp_error error = PERP_OK;
  if (scene->failed) {
    error = perp_generate_no_memory(owner, why);
  } else if (perp_contact_jointed(options) && scene->joints == 0) {
    error = perp_fail(why, PERP_ERROR_PARAMETER,
                      "%s: a scene of %d bodies has no place for a joint", owner, scene->bodies);
  } else if (n > INT_MAX / 12) {
    error = perp_fail(why, PERP_ERROR_PARAMETER, "%s: the problem would have more than %d rows",
                      owner, INT_MAX / 12);
  } else {
    draw(options, random, scene);
    error = perp_jacobian_create((int)n, scene, &rows);
    if (!error) {
      fill_rows(options, scene, &rows);
      error = make_C(options, scene, (int)n, &C);
    }
    if (!error)
      error = fill_instance(options, scene, &rows, &C, random, instance);
    if (error)
      perp_generate_no_memory(owner, why);
    else if (options->kind == 0)
      error = perp_jacobian_csr(owner, &rows, &C, &instance->A, why);
    else
      error = perp_jacobian_contact(owner, &rows, scene, &C, &instance->A, why);
  }
  perp_jacobian_free(&rows);
  perp_scene_matrix_free(&C);
  perp_scene_free(scene);
  return error;
}
