/* contact_forms.c: a scene as a complementarity problem of any contact form
 *
 * The rows of each are those of scene/contact.h, with three rows for each joint behind them.
 *
 * The form stick is mixed and symmetric: with it the walls have the row counts of Morales, Nocedal
 * and Smelyanskiy (2008), all of which are multiples of three, with at most a third of the rows at
 * their bound.
 *
 * What is known of the solution. C = cfm I with cfm > 0 is as good as more degrees of freedom that
 * make J surjective. Forms without friction are convex quadratic programs in the velocity,
 *
 *   min 1/2 (v+ - u)^T M (v+ - u)   subject to   J v+ + c >= 0  (= 0 for free rows),
 *
 * solvable if and only if feasible: always with cfm > 0 (and then x is unique), with c >= 0 (by
 * v+ = 0), and if some velocity opens every contact (by a large multiple of it). With friction
 * the LCP is copositive and solvable if z^T b >= 0 for all solutions z of the homogeneous problem
 * (Cottle, Pang and Stone 1992, theorem 3.8.6): these have J^T z = 0, hence z^T b = z_n^T c, which
 * is 0 with cfm > 0, at least 0 with c >= 0, and if a velocity opens every contact faster than
 * mu times it slides there, z = 0. The cone has a solution in the first and the third case (Acary,
 * Cadoux, Lemarechal and Malick 2011). The velocity that is tried is that of perp_body.escape.
 *
 * Cost and memory: linear in the entries of A or J. */
#include "base/elementary.h"
#include "generate/scene.h"
#include "scene/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *const perp_contact_forms[] = {"lcp",        "mixed", "stick", "findex",
                                          "polyhedral", "cone",  NULL};
const char *const perp_contact_operators[] = {"csr", "contact", NULL};

bool perp_contact_jointed(const perp_contact_options *options)
{
  return options->joints || options->form == PERP_CONTACT_MIXED;
}

perp_error perp_contact_check(const perp_making *m, const perp_contact_options *options)
{
  if (options->joints && options->form == PERP_CONTACT_LCP)
    return perp_making_refuse(m,
                              "joints = yes, but form = lcp has no free rows (form = mixed has)");
  if (options->joints && options->form == PERP_CONTACT_CONE)
    return perp_making_refuse(m, "joints = yes, but form = cone has no rows beside the cones");
  if (options->active + options->degenerate > 1)
    return perp_making_refuse(m, "active + degenerate = %g, but shares add up to at most 1",
                              options->active + options->degenerate);
  if (m->pieces) {
    const bool separate = options->form == PERP_CONTACT_LCP ||
                          options->form == PERP_CONTACT_STICK || options->form == PERP_CONTACT_CONE;
    m->pieces->refused =
        options->kind == 0 || !separate || perp_contact_jointed(options) || options->plant;
    if (m->pieces->refused)
      return PERP_ERROR_UNSUPPORTED;
  }
  return PERP_OK;
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
      opening += (vb - va) * touch->normal[e];
      squares += (vb - va) * (vb - va);
    }
    const double slip = sqrt(perp_max(0, squares - opening * opening)) + 1e-9 * sqrt(squares);
    if (!(opening > (friction ? 1.5 * options->mu * slip : 0)))
      return false;
  }
  return true;
}

/* What the physics leaves open is drawn: how far each contact is from just touching, and how the
 * bodies move. Contacts penetrate only if the problem is solvable all the same. */
static void draw(const perp_contact_options *options, perp_random *random, perp_scene *scene)
{
  const perp_pieces *pieces = scene->pieces;
  const int all = pieces ? pieces->seen : scene->touches;
  const bool mine = options->cfm > 0 || opens(options, scene);
  const bool penetrate = pieces ? pieces->all(pieces->context, mine) : mine;
  for (int number = 0, k = 0; number < all; number++) {
    const double more = perp_random_between(random, -options->slop, options->slop);
    if (pieces && (k == scene->touches || scene->touch[k].id != (uint64_t)number))
      continue;
    double *gap = &scene->touch[k++].gap;
    *gap += more;
    if (!penetrate && *gap < 0)
      *gap = 0;
  }
  for (int k = 0; k < scene->bodies; k++)
    for (int i = 0; i < 6; i++)
      scene->body[k].velocity[i] += perp_random_between(random, -options->jitter, options->jitter);
}

static perp_contact_layout layout_of(const perp_contact_options *options)
{
  return (perp_contact_layout){.form = (perp_contact_form)options->form,
                               .directions = options->directions,
                               .mu = options->mu,
                               .cfm = options->cfm};
}

/* From the centres of two bodies to a point; the world has none. */
static void find_arms(const perp_scene *scene, const int body[2], const double point[3],
                      double arm[2][3])
{
  for (int side = 0; side < 2; side++)
    for (int e = 0; e < 3; e++)
      arm[side][e] = body[side] == PERP_WORLD ? 0 : point[e] - scene->body[body[side]].position[e];
}

static bool make_rows(const perp_contact_options *options, const perp_scene *scene,
                      perp_contact_rows *rows, perp_arena *arena)
{
  const perp_contact_layout layout = layout_of(options);
  if (!perp_contact_rows_begin(rows, &layout, scene->touches, 3 * scene->joints, scene->bodies,
                               arena))
    return false;
  for (int k = 0; k < scene->bodies; k++)
    perp_contact_rows_body(rows, k, scene->body[k].mass_inverse, scene->body[k].inertia_inverse);
  for (int k = 0; k < scene->touches; k++) {
    const perp_scene_contact *touch = &scene->touch[k];
    const int body[2] = {touch->a, touch->b};
    double arm[2][3], frame[3][3];
    find_arms(scene, body, touch->at, arm);
    memcpy(frame[0], touch->normal, sizeof frame[0]);
    perp_scene_frame(frame[0], frame[1], frame[2]);
    perp_contact_rows_contact(rows, body, arm, frame);
  }
  for (int k = 0; k < scene->joints; k++) {
    const perp_joint *joint = &scene->joint[k];
    const int body[2] = {joint->b, joint->a};
    double arm[2][3], turn[2][3];
    find_arms(scene, body, joint->point, arm);
    for (int e = 0; e < 3; e++) {
      const double axis[3] = {e == 0, e == 1, e == 2};
      for (int side = 0; side < 2; side++)
        perp_v3_cross(arm[side], axis, turn[side]);
      perp_contact_rows_other(rows, body, axis, turn);
    }
  }
  return true;
}

/* c of a contact's normal row */
static double correction(const perp_contact_options *options, const perp_scene_contact *touch)
{
  return (touch->gap < 0 ? options->erp : 1) * (touch->gap / options->h);
}

/* b = J (v + h Minv f) + c; gravity accelerates every body alike. */
static void fill_b(const perp_contact_options *options, const perp_scene *scene,
                   const perp_contact_rows *rows, double *b)
{
  for (int i = 0; i < rows->n; i++) {
    b[i] = 0;
    for (int64_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
      const int k = rows->column[e] % 6;
      const double v = scene->body[rows->column[e] / 6].velocity[k];
      b[i] += rows->value[e] * (k == 2 ? v - options->h * options->gravity : v);
    }
  }
  for (int k = 0; k < scene->touches; k++)
    b[k * rows->width] += correction(options, &scene->touch[k]);
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
static bool plant(perp_making *m, const perp_contact_options *options,
                  const perp_contact_rows *rows)
{
  const int n = rows->n, width = rows->width;
  double *x, *y, *Ax;
  if (!PERP_GIVE((size_t)n, &m->instance->x) || !PERP_TAKE_REALS(&m->arena, (size_t)n, &y, &Ax))
    return false;
  x = m->instance->x;
  int i = 0;
  for (int k = 0; k < rows->contacts; k++) {
    perp_contact_state state;
    perp_contact_plant(options, &m->random, &state);
    for (int e = 0; e < width; e++, i++) {
      x[i] = state.x[e];
      y[i] = state.y[e];
    }
  }
  for (; i < n; i++) {
    x[i] = perp_random_between(&m->random, -1, 1);
    y[i] = 0;
  }
  if (!perp_contact_rows_apply(rows, x, Ax, &m->arena))
    return false;
  for (i = 0; i < n; i++) {
    for (int64_t e = rows->C_start[i]; e < rows->C_start[i + 1]; e++)
      Ax[i] += rows->C_value[e] * x[rows->C_column[e]];
    const bool beta = options->form == PERP_CONTACT_POLYHEDRAL && i < rows->contacts * width &&
                      i % width == width - 1;
    m->instance->b[i] = beta ? 0 : y[i] - Ax[i];
  }
  return true;
}

/* A copy in the heap, or nothing of nothing; false when out of memory. */
static bool copy(const void *source, int count, size_t size, void **to)
{
  *to = source ? perp_alloc_copy(source, (size_t)count, size) : NULL;
  return !source || *to;
}

/* All but A. */
static bool fill_instance(perp_making *m, const perp_contact_options *options,
                          const perp_scene *scene, const perp_contact_rows *rows)
{
  perp_instance *instance = m->instance;
  const perp_set K = perp_contact_rows_set(rows);
  void *lo = NULL, *hi = NULL, *findex = NULL, *mu = NULL;
  instance->kind = contact_class(options, scene);
  const bool fine = PERP_GIVE((size_t)rows->n, &instance->b) &&
                    copy(K.lo, K.n, sizeof *K.lo, &lo) && copy(K.hi, K.n, sizeof *K.hi, &hi) &&
                    copy(K.findex, K.n, sizeof *K.findex, &findex) &&
                    copy(K.mu, K.cones, sizeof *K.mu, &mu);
  instance->lo = lo;
  instance->hi = hi;
  instance->findex = findex;
  instance->mu = mu;
  instance->cones = K.cones;
  if (fine)
    fill_b(options, scene, rows, instance->b);
  return fine && (!options->plant || plant(m, options, rows));
}

/* J without its zeros, in place: rows are of no use for anything else after it. */
static perp_error make_contact(perp_contact_rows *rows, perp_operator **A, perp_message *why)
{
  int64_t kept = 0;
  for (int i = 0; i < rows->n; i++) {
    const int64_t first = rows->start[i];
    rows->start[i] = kept;
    for (int64_t e = first; e < rows->start[i + 1]; e++)
      if (rows->value[e] != 0) {
        rows->column[kept] = rows->column[e];
        rows->value[kept++] = rows->value[e];
      }
  }
  rows->start[rows->n] = kept;
  const perp_contact_data data = perp_contact_rows_data(rows);
  return perp_operator_contact(&data, PERP_COPY, A, why);
}

/* The bodies of this piece alone, which keep their order. */
static bool keep_bodies(perp_scene *scene)
{
  perp_pieces *p = scene->pieces;
  int *local = perp_alloc((size_t)scene->bodies + 1, sizeof *local), count = 0;
  p->contact = perp_alloc((size_t)scene->touches + 1, sizeof *p->contact);
  for (int k = 0; k < scene->bodies && local; k++)
    local[k] = p->part[k] == p->rank ? 0 : -1;
  for (int k = 0; k < scene->touches && local && p->contact; k++) {
    const perp_scene_contact *touch = &scene->touch[k];
    p->contact[k] = (int)touch->id;
    if (touch->a != PERP_WORLD)
      local[touch->a] = 0;
    if (touch->b != PERP_WORLD)
      local[touch->b] = 0;
  }
  for (int k = 0; k < scene->bodies && local; k++)
    count += local[k] == 0;
  perp_body *body = perp_alloc((size_t)count + 1, sizeof *body);
  p->body = perp_alloc((size_t)count + 1, sizeof *p->body);
  const bool fine = local && p->contact && p->body && body;
  for (int k = 0, at = 0; fine && k < scene->bodies; k++)
    if (local[k] == 0) {
      local[k] = at;
      body[at] = scene->body[k];
      p->body[at++] = k;
    }
  for (int k = 0; fine && k < scene->touches; k++) {
    perp_scene_contact *touch = &scene->touch[k];
    touch->a = touch->a == PERP_WORLD ? PERP_WORLD : local[touch->a];
    touch->b = touch->b == PERP_WORLD ? PERP_WORLD : local[touch->b];
  }
  perp_free(local);
  if (!fine) {
    perp_free(body);
    return false;
  }
  perp_free(scene->body);
  scene->body = body;
  scene->bodies = scene->body_room = p->own_bodies = count;
  p->own_contacts = scene->touches;
  return true;
}

static perp_error make_problem(perp_making *m, const perp_contact_options *options,
                               perp_scene *scene)
{
  const perp_contact_layout layout = layout_of(options);
  const int touches = scene->pieces ? scene->pieces->seen : scene->touches;
  const int64_t n = (int64_t)touches * perp_contact_width(&layout) + 3 * (int64_t)scene->joints;
  if (scene->failed)
    return perp_making_no_memory(m);
  if (perp_contact_jointed(options) && scene->joints == 0)
    return perp_making_refuse(m, "a scene of %d bodies has no place for a joint", scene->bodies);
  if (n > INT_MAX / 12)
    return perp_making_refuse(m, "the problem would have more than %d rows", INT_MAX / 12);
  perp_contact_rows rows;
  if (m->pieces && !m->pieces->part) {
    m->pieces->bodies = scene->bodies;
    m->pieces->width = perp_contact_width(&layout);
    return PERP_OK;
  }
  draw(options, &m->random, scene);
  if (m->pieces && !keep_bodies(scene))
    return perp_making_no_memory(m);
  if (!make_rows(options, scene, &rows, &m->arena) || !fill_instance(m, options, scene, &rows))
    return perp_making_no_memory(m);
  return options->kind == 0 ? perp_contact_rows_csr(m, &rows)
                            : make_contact(&rows, &m->instance->A, m->why);
}

perp_error perp_contact_problem(perp_making *m, const perp_contact_options *options,
                                perp_scene *scene)
{
  const perp_error error = make_problem(m, options, scene);
  perp_scene_free(scene);
  return error;
}
