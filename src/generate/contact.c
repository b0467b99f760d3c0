/* contact.c: a scene as a complementarity problem of any contact form */
#include "base/elementary.h"
#include "generate/scene.h"
#include "scene/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- A = J Minv J^T + C, in the arithmetic of this folder ----
 *
 * The operator's own assembly might fuse multiplications and additions, but a generated problem
 * must be the same on every machine. W = Minv J^T is stored as a block of six for each row and
 * body. An entry of A is A_ij = sum over shared bodies of J_i . W_j, with the larger of i and j on
 * the left, so that A_ij = A_ji exactly.
 *
 * Cost of assembling: 6 multiplications for every pair of rows that share a body. Memory: linear in
 * rows and these pairs. */

/* Blocks p: six entries of J from 6 p on, of one row and one body. */
typedef struct blocks {
  int64_t count;
  int *row;
  double *W;
} blocks;

static int body_of(const perp_contact_rows *rows, int64_t p)
{
  return rows->column[6 * p] / 6;
}

static bool weigh(const perp_contact_rows *rows, perp_arena *arena, blocks *b)
{
  b->count = rows->start[rows->n] / 6;
  if (!PERP_TAKE(arena, PERP_ARRAY(b->row, b->count), PERP_ARRAY(b->W, 6 * b->count)))
    return false;
  for (int i = 0; i < rows->n; i++)
    for (int64_t p = rows->start[i] / 6; p < rows->start[i + 1] / 6; p++) {
      const double *M = rows->Minv + 36 * (int64_t)body_of(rows, p), *J = rows->value + 6 * p;
      b->row[p] = i;
      for (int k = 0; k < 3; k++) {
        const double *I = M + 6 * (3 + k) + 3;
        b->W[6 * p + k] = M[0] * J[k];
        b->W[6 * p + 3 + k] = I[0] * J[3] + I[1] * J[4] + I[2] * J[5];
      }
    }
  return true;
}

static double dot6(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2] + u[3] * v[3] + u[4] * v[4] + u[5] * v[5];
}

/* y <- J Minv J^T x; false when out of memory. */
static bool rows_apply(const perp_contact_rows *rows, const double *x, double *y, perp_arena *arena)
{
  blocks b;
  double *v = perp_arena_alloc_zero(arena, 6 * (size_t)rows->bodies, sizeof *v);
  if (!v || !weigh(rows, arena, &b))
    return false;
  for (int64_t p = 0; p < b.count; p++)
    for (int k = 0; k < 6; k++)
      v[6 * (int64_t)body_of(rows, p) + k] += b.W[6 * p + k] * x[b.row[p]];
  for (int i = 0; i < rows->n; i++)
    y[i] = 0;
  for (int64_t p = 0; p < b.count; p++)
    y[b.row[p]] += dot6(rows->value + 6 * p, v + 6 * (int64_t)body_of(rows, p));
  return true;
}

/* Removes the zeros of compressed rows in place. */
static void keep_nonzeros(int n, int64_t *start, int *column, double *value)
{
  int64_t kept = 0;
  for (int i = 0; i < n; i++) {
    const int64_t first = start[i];
    start[i] = kept;
    for (int64_t e = first; e < start[i + 1]; e++)
      if (value[e] != 0) {
        column[kept] = column[e];
        value[kept++] = value[e];
      }
  }
  start[n] = kept;
}

/* instance->A <- J Minv J^T + C as a CSR operator, exactly symmetric if C is, since C is added last
 * in every row; without values that cancelled to 0. */
static perp_error rows_csr(perp_making *m, const perp_contact_rows *rows)
{
  const double *J = rows->value;
  blocks b;
  perp_triplets t = {0};
  int64_t *start, *list; /* list: the blocks of each body */
  if (!weigh(rows, &m->arena, &b) ||
      !PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(start, rows->bodies + 2)) ||
      !PERP_TAKE(&m->arena, PERP_ARRAY(list, b.count)))
    return perp_making_no_memory(m);
  for (int64_t p = 0; p < b.count; p++)
    start[body_of(rows, p) + 2]++;
  for (int k = 0; k < rows->bodies; k++)
    start[k + 2] += start[k + 1];
  for (int64_t p = 0; p < b.count; p++)
    list[start[body_of(rows, p) + 1]++] = p;
  for (int k = 0; k < rows->bodies; k++)
    for (int64_t e = start[k]; e < start[k + 1]; e++)
      for (int64_t f = start[k]; f < start[k + 1]; f++) {
        const int64_t p = list[e], q = list[f], low = b.row[q] <= b.row[p] ? q : p;
        perp_making_entry(m, &t, b.row[p], b.row[q], dot6(J + 6 * (p + q - low), b.W + 6 * low));
      }
  for (int i = 0; i < rows->n; i++)
    for (int64_t e = rows->C_start[i]; e < rows->C_start[i + 1]; e++)
      perp_making_entry(m, &t, i, rows->C_column[e], rows->C_value[e]);
  perp_mtx A;
  perp_error error = perp_making_rows(m, rows->n, rows->n, &t, &A);
  if (!error) {
    keep_nonzeros(rows->n, A.start, A.column, A.value);
    error =
        perp_operator_csr(rows->n, A.start, A.column, A.value, PERP_COPY, &m->instance->A, m->why);
  }
  perp_mtx_free(&A);
  return error;
}

/* ---- Planting: states of one contact ----
 *
 * The states of a contact, y = (y_n, y_t) its velocity:
 *
 *   open        x = 0, y_n > 0, y_t anything
 *   sticking    x_n > 0, x_t inside its bounds, y = 0
 *   sliding     x_n > 0, x_t at its bound against y_t, y_n = 0
 *   grazing     x = 0, y_n = 0 (between open and the others)
 *   impending   x_n > 0, x_t at its bound, y = 0 (between sticking and sliding)
 *
 * The cone in De Saxce's form: u = y + mu |y_t| e_n must be in the dual cone mu |u_t| <= u_n and
 * orthogonal to x. Sliding: y_t = -s x_t / |x_t|, |x_t| = mu x_n, y_n = 0 give u_n = mu s and x^T
 * u = x_n mu s - mu x_n s = 0. Open: u_n = y_n + mu |y_t| >= mu |u_t|.
 *
 * The polyhedron: with the tangential velocity w, y_k = beta + d_k^T w and beta = max_k (-d_k^T w).
 * Sliding against d_k: w = -s d_k, x_k = mu x_n, so that beta = s, y_k = 0, all other y >= 0 and mu
 * x_n - sum x = 0. */

typedef enum { OPEN, STICKING, SLIDING, GRAZING, IMPENDING } contact_state;

/* Impulses and velocities of one contact that satisfy the contact law of the form. */
typedef struct contact_values {
  double x[2 + 64], y[2 + 64];
} contact_values;

static bool is_frictionless(const perp_contact_options *options)
{
  return options->form == PERP_CONTACT_LCP || options->form == PERP_CONTACT_MIXED;
}

static contact_state deal(const perp_contact_options *options, perp_random *random)
{
  const double lot = perp_random_uniform(random), next = perp_random_uniform(random);
  if (lot < options->active)
    return next < options->sliding ? SLIDING : STICKING;
  if (lot < options->active + options->degenerate)
    return next < 0.5 ? GRAZING : IMPENDING;
  return OPEN;
}

static double magnitude(perp_random *random)
{
  return perp_random_between(random, 0.1, 1);
}

/* Draws a direction of the plane by rejection from the square. */
static void draw_direction(perp_random *random, double d[2])
{
  double square;
  do {
    d[0] = perp_random_between(random, -1, 1);
    d[1] = perp_random_between(random, -1, 1);
    square = d[0] * d[0] + d[1] * d[1];
  } while (square < 1e-4 || square > 1);
  d[0] /= sqrt(square);
  d[1] /= sqrt(square);
}

/* Plants separate tangential rows, each within mu x_n. If one slides the other may stick. */
static void plant_box(double mu, contact_state state, perp_random *random, double *x, double *y)
{
  const int alone = perp_random_below(random, 3); /* 1, 2: only that row is at its bound */
  for (int k = 1; k < 3; k++) {
    const double place = perp_random_between(random, -0.9, 0.9), speed = magnitude(random);
    const double side = perp_random_below(random, 2) ? 1 : -1;
    const bool at_bound = (state == SLIDING || state == IMPENDING) && (alone == 0 || alone == k);
    x[k] = at_bound ? side * (mu * x[0]) : place * (mu * x[0]);
    y[k] = x[0] == 0 ? side * speed : at_bound && state == SLIDING ? -side * speed : 0;
  }
}

static void plant_cone(double mu, contact_state state, perp_random *random, double *x, double *y)
{
  double d[2];
  draw_direction(random, d);
  const double place = perp_random_uniform(random), speed = magnitude(random);
  const double reach = state == STICKING ? 0.9 * place : 1;
  const double slip = state == SLIDING || x[0] == 0 ? speed : 0;
  for (int k = 0; k < 2; k++) {
    x[1 + k] = reach * mu * x[0] * d[k];
    y[1 + k] = -slip * d[k];
  }
}

/* Plants axes that are bounded together: x_k = -mu_k^2 y_k x_n / |(mu y)| if they slide. */
static void plant_axes(const perp_contact_options *options, int first, int count,
                       contact_state state, perp_random *random, double *x, double *y)
{
  const double mu[6] = {
      0, options->mu, options->mu, options->torsion, options->roll, options->roll};
  const double reach = state == STICKING ? 0.9 * perp_random_uniform(random) : 1;
  double d[6], norm = 0;
  for (int k = first; k < first + count; k++) {
    d[k] = perp_random_below(random, 2) ? magnitude(random) : -magnitude(random);
    norm = perp_hypot(norm, mu[k] * d[k]);
  }
  for (int k = first; k < first + count; k++) {
    x[k] = norm > 0 ? -reach * x[0] * mu[k] * (mu[k] * d[k] / norm) : 0;
    y[k] = mu[k] == 0 || state == SLIDING || x[0] == 0 ? d[k] : 0;
  }
}

static void plant_polyhedron(double mu, int K, contact_state state, perp_random *random, double *x,
                             double *y)
{
  const int k = perp_random_below(random, K), next = (k + 1) % K;
  const double place = perp_random_uniform(random), speed = magnitude(random);
  const double reach = state == STICKING ? perp_random_between(random, 0.1, 0.9) : 1;
  double w[2] = {0, 0};
  for (int e = 1; e <= K; e++)
    x[e] = 0;
  if (state == SLIDING) {
    perp_scene_turn(k, K, &w[0], &w[1]);
    x[1 + k] = mu * x[0];
  } else if (x[0] > 0) {
    x[1 + k] = place * (reach * mu * x[0]);
    x[1 + next] = (1 - place) * (reach * mu * x[0]);
  } else {
    draw_direction(random, w);
  }
  double beta = 0;
  for (int e = 0; e < K; e++) {
    double c, s;
    perp_scene_turn(e, K, &c, &s);
    y[1 + e] = -speed * (c * w[0] + s * w[1]);
    beta = perp_max(beta, -y[1 + e]);
  }
  for (int e = 0; e < K; e++)
    y[1 + e] += beta;
  x[1 + K] = beta;
  y[1 + K] = 0; /* not used: mu x_n - sum x, whatever that is */
}

/* Draws x of a random contact state, and y if the matrix does not determine it (beta rows:
 * b = 0). */
static void plant_contact(const perp_contact_options *options, perp_random *random,
                          contact_values *contact)
{
  double *x = contact->x, *y = contact->y;
  contact_state state = deal(options, random);
  const double size = magnitude(random);
  /* without a friction bound there is no impending slip: the degenerate state is grazing */
  if (state == IMPENDING && (is_frictionless(options) || options->form == PERP_CONTACT_STICK))
    state = GRAZING;
  x[0] = state == OPEN || state == GRAZING ? 0 : size;
  y[0] = state == OPEN ? size : 0;
  switch ((perp_contact_form)options->form) {
  case PERP_CONTACT_LCP:
  case PERP_CONTACT_MIXED:
    break;
  case PERP_CONTACT_STICK:
    for (int k = 1; k < 3; k++) {
      x[k] = perp_random_between(random, -1, 1);
      y[k] = 0;
    }
    break;
  case PERP_CONTACT_FINDEX:
    plant_box(options->mu, state, random, x, y);
    break;
  case PERP_CONTACT_POLYHEDRAL:
    plant_polyhedron(options->mu, options->directions, state, random, x, y);
    break;
  case PERP_CONTACT_CONE:
    plant_cone(options->mu, state, random, x, y);
    break;
  case PERP_CONTACT_ELLIPTIC:
    plant_axes(options, 1, 5, state, random, x, y);
    break;
  case PERP_CONTACT_DISCS:
    for (int disc = 0; disc < 3; disc++) {
      const int first = disc == 0 ? 1 : 2 + disc, axes = disc == 1 ? 1 : 2;
      const bool sticks = state == SLIDING && disc > 0 && perp_random_below(random, 2);
      plant_axes(options, first, axes, sticks ? STICKING : state, random, x, y);
    }
    break;
  }
}

/* ---- Problems ----
 *
 * The contact rows are those of scene/contact.h, followed by three rows for each joint.
 *
 * The form stick is mixed and symmetric: with it the walls have the row counts of Morales, Nocedal
 * and Smelyanskiy (2008), all multiples of three, with at most a third of the rows at their bound.
 *
 * Existence and uniqueness: docs/problems.md, whose theorems ask for the velocity perp_body.escape. With
 * friction a solution z of the homogeneous problem has J^T z = 0, so z^T b = z_n^T c, which is 0 with
 * cfm > 0 and at least 0 with c >= 0; if a velocity opens every contact faster than mu times it slides
 * there, z = 0.
 *
 * Cost and memory: linear in the entries of A or J. */

const char *const perp_contact_forms[] = {"lcp",  "mixed",    "stick", "findex", "polyhedral",
                                          "cone", "elliptic", "discs", NULL};
const char *const perp_contact_operators[] = {"csr", "contact", NULL};

bool perp_contact_jointed(const perp_contact_options *options)
{
  return options->joints || options->form == PERP_CONTACT_MIXED;
}

static perp_error check(const perp_making *m, const perp_contact_options *options)
{
  if (options->joints && options->form == PERP_CONTACT_LCP)
    return perp_making_refuse(m,
                              "joints = yes, but form = lcp has no free rows (form = mixed has)");
  if (options->joints && options->form >= PERP_CONTACT_CONE)
    return perp_making_refuse(m, "joints = yes, but form = %s has only rows of contacts",
                              perp_contact_forms[options->form]);
  const perp_error error = perp_plant_check(m, options->active, options->degenerate);
  if (error)
    return error;
  if (m->pieces) {
    const bool separate = options->form == PERP_CONTACT_LCP ||
                          options->form == PERP_CONTACT_STICK || options->form >= PERP_CONTACT_CONE;
    m->pieces->refused =
        options->kind == 0 || !separate || perp_contact_jointed(options) || options->plant;
    if (m->pieces->refused)
      return PERP_ERROR_UNSUPPORTED;
  }
  return PERP_OK;
}

/* Returns true if the escape velocities open every contact, with friction faster than it slides:
 * the sum of two friction impulses of mu x_n each does at most sqrt(2) mu x_n |v_t| of work. */
static bool opens(const perp_contact_options *options, const perp_scene *scene)
{
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
    if (!(opening > (is_frictionless(options) ? 0 : 1.5 * options->mu * slip)))
      return false;
  }
  return true;
}

/* Draws the free quantities: the distance of each contact from just touching, and the motion of the
 * bodies. Contacts penetrate only if the problem stays solvable. */
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
                               .cfm = options->cfm,
                               .torsion = options->torsion,
                               .roll = options->roll};
}

/* Computes the arms from the centres of two bodies to a point; the world has none. */
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

/* b = J (v + h Minv f) + c; gravity accelerates every body equally. */
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
  for (int k = 0; k < scene->touches; k++) { /* c */
    const double gap = scene->touch[k].gap;
    b[k * rows->width] += (gap < 0 ? options->erp : 1) * (gap / options->h);
  }
}

static perp_kind contact_class(const perp_contact_options *options, const perp_scene *scene)
{
  const bool convex = is_frictionless(options) || options->form == PERP_CONTACT_STICK;
  if (options->cfm > 0)
    return convex ? PERP_KIND_SOLVABLE : PERP_KIND_MULTIPLE;
  /* contacts that penetrate without cfm can be opened (draw) */
  if (options->plant || options->form < PERP_CONTACT_CONE || opens(options, scene))
    return PERP_KIND_MULTIPLE;
  return PERP_KIND_UNKNOWN;
}

/* Draws x from random states of the contacts, and sets b = y - A x; b stays 0 in the rows of
 * beta. */
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
    contact_values state;
    plant_contact(options, &m->random, &state);
    for (int e = 0; e < width; e++, i++) {
      x[i] = state.x[e];
      y[i] = state.y[e];
    }
  }
  for (; i < n; i++) {
    x[i] = perp_random_between(&m->random, -1, 1);
    y[i] = 0;
  }
  if (!rows_apply(rows, x, Ax, &m->arena))
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

/* Copies to the heap, NULL to NULL; `to` is the address of a pointer. Returns false when out of
 * memory. */
static bool copy(const void *source, int count, size_t size, void *to)
{
  void *const copied = source ? perp_alloc_copy(source, (size_t)count, size) : NULL;
  memcpy(to, &copied, sizeof copied);
  return !source || copied;
}

/* Fills everything except A. */
static bool fill_instance(perp_making *m, const perp_contact_options *options,
                          const perp_scene *scene, const perp_contact_rows *rows)
{
  perp_instance *instance = m->instance;
  const perp_set K = perp_contact_rows_set(rows);
  instance->kind = contact_class(options, scene);
  const bool fine = PERP_GIVE((size_t)rows->n, &instance->b) &&
                    copy(K.lo, K.n, sizeof *K.lo, &instance->lo) &&
                    copy(K.hi, K.n, sizeof *K.hi, &instance->hi) &&
                    copy(K.findex, K.n, sizeof *K.findex, &instance->findex) &&
                    copy(K.mu, K.cones, (K.dim ? 5 : 1) * sizeof *K.mu, &instance->mu) &&
                    copy(K.dim, K.cones, sizeof *K.dim, &instance->dim) &&
                    copy(K.law, K.cones, sizeof *K.law, &instance->law);
  instance->cones = K.cones;
  if (fine)
    fill_b(options, scene, rows, instance->b);
  return fine && (!options->plant || plant(m, options, rows));
}

/* The rows cannot be used otherwise afterwards. */
static perp_error make_contact(perp_contact_rows *rows, perp_operator **A, perp_message *why)
{
  keep_nonzeros(rows->n, rows->start, rows->column, rows->value);
  const perp_contact_data data = perp_contact_rows_data(rows);
  return perp_operator_contact(&data, PERP_COPY, A, why);
}

/* Keeps only the bodies of this piece, in their order. */
static bool keep_bodies(perp_scene *scene)
{
  perp_pieces *p = scene->pieces;
  int *local = perp_alloc((size_t)scene->bodies + 1, sizeof *local), count = 0; /* -1: not kept */
  p->contact = perp_alloc((size_t)scene->touches + 1, sizeof *p->contact);
  p->body = perp_alloc((size_t)scene->bodies + 1, sizeof *p->body);
  const bool fine = local && p->contact && p->body;
  for (int k = 0; fine && k < scene->bodies; k++)
    local[k] = p->part[k] == p->rank ? 0 : -1;
  for (int k = 0; fine && k < scene->touches; k++) {
    const perp_scene_contact *touch = &scene->touch[k];
    p->contact[k] = (int)touch->id;
    if (touch->a != PERP_WORLD)
      local[touch->a] = 0;
    if (touch->b != PERP_WORLD)
      local[touch->b] = 0;
  }
  for (int k = 0; fine && k < scene->bodies; k++)
    if (local[k] == 0) {
      local[k] = count;
      scene->body[count] = scene->body[k];
      p->body[count++] = k;
    }
  for (int k = 0; fine && k < scene->touches; k++) {
    perp_scene_contact *touch = &scene->touch[k];
    touch->a = touch->a == PERP_WORLD ? PERP_WORLD : local[touch->a];
    touch->b = touch->b == PERP_WORLD ? PERP_WORLD : local[touch->b];
  }
  perp_free(local);
  scene->bodies = count;
  return fine;
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
    return perp_making_refuse(
        m, "joints = yes, but a scene of %d bodies has no connection for a joint", scene->bodies);
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
  return options->kind == 0 ? rows_csr(m, &rows) : make_contact(&rows, &m->instance->A, m->why);
}

perp_error perp_contact_problem(perp_making *m, const perp_contact_options *options,
                                perp_scene *scene)
{
  perp_error error = check(m, options);
  if (!error)
    error = make_problem(m, options, scene);
  perp_scene_free(scene);
  return error;
}
