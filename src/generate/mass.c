/* mass.c: contacts of robots, finite elements and rolling balls, by J and a mass matrix M
 *
 * One step of length h from the velocity v without contacts asks for impulses x with
 *
 *   y = J (v + M^-1 J^T x) + c + cfm x,     A = J M^-1 J^T + cfm I,    b = J v + c.
 *
 * robot: joint k turns about axis a_k through p_k, and a floating base has six joints in the origin.
 * The velocity of a point r of link j is the sum over the joints k above it of a_k x (r - p_k), or
 * a_k for a slide, so that
 *
 *   M_kl = sum over the links j below both of m_j u_kj^T u_lj + i_j a_k^T a_l
 *
 * with u_kj the velocity of its centre by joint k: nonzero only if k is above l or l above k.
 *
 * elements: cubes of linear elasticity with eight points, integrated by 2 x 2 x 2 Gauss points;
 * implicit Euler has M = m + h^2 K with lumped masses m. Contacts are points of the lower face. */
#include "generate/generate.h"
#include "linalg/vector.h"
#include "scene/vector.h"

#include <math.h>
#include <string.h>

typedef struct contact_law {
  int operator; /* contact, or assembled */
  double mu, cfm;
} contact_law;

static const char *const operators[] = {"contact", "csr", NULL};

#define LAW_ROWS(type, mu_value, cfm_value)                                                        \
  PERP_ROW(type, "operator", PERP_TYPE_CHOICE, law.operator, 0, 0, 1, operators,                   \
           "J and M, or A assembled"),                                                             \
      PERP_ROW(type, "mu", PERP_TYPE_REAL, law.mu, mu_value, 0, 1e6, NULL,                         \
               "coefficient of friction"),                                                         \
      PERP_ROW(type, "cfm", PERP_TYPE_REAL, law.cfm, cfm_value, 0, 1e6, NULL,                      \
               "added to the diagonal of A")

/* A, b = J v + c and cones of the instance; c may be NULL. Frees the lists of the entries of J and M. */
static perp_error finish(perp_making *m, int contacts, int dim, perp_triplets *J_list,
                         int velocities, perp_triplets *M_list, const double *v, const double *c,
                         const contact_law *law)
{
  perp_instance *instance = m->instance;
  const int rows = dim * contacts;
  const size_t columns = dim == 3 ? 1 : 5;
  perp_mtx J = {0}, M = {0};
  perp_operator *A = NULL;
  perp_error error = perp_making_rows(m, rows, velocities, J_list, &J);
  const perp_error other = perp_making_rows(m, velocities, velocities, M_list, &M);
  error = error ? error : other;
  if (!error && (!PERP_GIVE((size_t)rows, &instance->b) ||
                 !PERP_GIVE(columns * (size_t)contacts, &instance->mu)))
    error = perp_making_no_memory(m);
  if (!error && dim != 3) {
    instance->dim = perp_alloc((size_t)contacts, sizeof *instance->dim);
    instance->law = perp_alloc((size_t)contacts, sizeof *instance->law);
    if (!instance->dim || !instance->law)
      error = perp_making_no_memory(m);
  }
  if (!error) {
    for (int i = 0; i < rows; i++)
      instance->b[i] = perp_add_row(c ? c[i] : 0, J.start[i], J.start[i + 1], J.value, J.column, v);
    for (size_t k = 0; k < columns * (size_t)contacts; k++)
      instance->mu[k] = dim == 3 ? law->mu : 0;
    for (int k = 0; k < contacts && dim != 3; k++) {
      instance->dim[k] = dim;
      instance->law[k] = PERP_FRICTION_DISCS;
    }
    instance->cones = contacts;
    instance->kind = PERP_KIND_MULTIPLE;
    perp_contact_data data = perp_contact_data_default();
    data.rows = rows;
    data.velocities = velocities;
    data.J_start = J.start;
    data.J_column = J.column;
    data.J_value = J.value;
    data.M_start = M.start;
    data.M_column = M.column;
    data.M_value = M.value;
    data.cfm = law->cfm;
    error = perp_operator_contact(&data, PERP_COPY, &A, m->why);
  }
  perp_mtx_free(&J);
  perp_mtx_free(&M);
  if (!error && law->operator)
    return perp_making_csr(m, A);
  instance->A = A;
  return error;
}

/* ---- Robots ---- */

enum { CHAIN, HUMANOID, HAND, ROPE };
static const char *const models[] = {"chain", "humanoid", "hand", "rope", NULL};

typedef struct robot_parameters {
  int model, n, contacts;
  contact_law law;
  double h, speed;
} robot_parameters;

static const perp_parameter robot_table[] = {
    PERP_CHOICE(robot_parameters, model, HUMANOID, 3, models,
                "a chain of joints, a humanoid of 27, a hand of 24, a rope over a pulley"),
    PERP_INTEGER(robot_parameters, n, 100, 1, 20000, "joints of the chain or the rope"),
    PERP_INTEGER(robot_parameters, contacts, 4, 1, 10000, "of each link that touches"),
    LAW_ROWS(robot_parameters, 0.5, 1e-6),
    PERP_REAL(robot_parameters, h, 0.01, 1e-9, 1e6, "time step"),
    PERP_REAL(robot_parameters, speed, 0.5, 0, 1e6, "of the joints, at random"),
    {0}};

typedef struct joint {
  int parent; /* -1: the world */
  bool slides, touches;
  double axis[3], point[3], centre[3]; /* of the joint, and the centre of its link */
  double normal[3];                    /* of contacts of the link */
  double mass, inertia;
} joint;

typedef struct robot {
  int count;
  joint *joint;
} robot;

/* Adds a joint one length of `step` away from the end of its parent. */
static int add_joint(robot *r, int parent, int axis, const double step[3])
{
  joint *j = &r->joint[r->count];
  *j = (joint){.parent = parent, .mass = 1, .inertia = 0.02, .normal = {0, 0, 1}};
  j->axis[axis] = 1;
  for (int d = 0; d < 3 && parent >= 0; d++)
    j->point[d] = 2 * r->joint[parent].centre[d] - r->joint[parent].point[d];
  for (int d = 0; d < 3; d++)
    j->centre[d] = j->point[d] + 0.5 * step[d];
  return r->count++;
}

/* Adds six joints of a body in the origin; only the last link has a mass. */
static int add_base(robot *r)
{
  for (int k = 0; k < 6; k++) {
    joint *j = &r->joint[r->count];
    *j = (joint){.parent = r->count - 1, .slides = k < 3, .normal = {0, 0, 1}};
    j->axis[k % 3] = 1;
    if (k == 5)
      j->mass = 5, j->inertia = 0.3;
    r->count++;
  }
  return r->count - 1;
}

/* Adds a limb of joints about alternating axes; its last `touching` links touch. */
static void add_limb(robot *r, int parent, int count, const double step[3], int touching)
{
  for (int k = 0; k < count; k++) {
    parent = add_joint(r, parent, (k + 1) % 3, step);
    r->joint[parent].touches = k >= count - touching;
  }
}

/* The axis is y and the rope lies in the plane of x and z: straight, half a turn, straight. */
static void make_rope(robot *r, int n)
{
  const double length = 0.05, t = 3.14159265358979 / (n > 8 ? n : 8); /* tan of half the turn */
  const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
  double direction[2] = {0, 1};
  int last = add_base(r);
  for (int k = 0; k < n; k++) {
    if (4 * k >= n && 4 * k < 3 * n) {
      const double x = direction[0];
      direction[0] = c * x + s * direction[1];
      direction[1] = c * direction[1] - s * x;
    }
    last = add_joint(r, last, 1, (double[3]){length * direction[0], 0, length * direction[1]});
    joint *j = &r->joint[last];
    j->mass = 0.05;
    j->inertia = 2e-5;
    j->touches = 4 * k >= n && 4 * k < 3 * n;
    j->normal[0] = -direction[1];
    j->normal[2] = direction[0];
  }
}

static void make_robot(const robot_parameters *par, robot *r)
{
  int trunk;
  switch (par->model) {
  case CHAIN:
    trunk = add_base(r);
    add_limb(r, trunk, par->n, (double[3]){0.1, 0, 0}, par->n);
    break;
  case HUMANOID: /* 3 of the trunk, 2 of the head, arms of 5, legs of 6 */
    trunk = add_base(r);
    for (int side = -1; side < 2; side += 2)
      add_limb(r, trunk, 6, (double[3]){0.02 * side, 0.05 * side, -0.16}, 1);
    for (int k = 0; k < 3; k++)
      trunk = add_joint(r, trunk, k, (double[3]){0, 0, 0.15});
    add_limb(r, trunk, 2, (double[3]){0, 0, 0.1}, 0);
    for (int side = -1; side < 2; side += 2)
      add_limb(r, trunk, 5, (double[3]){0.05, 0.15 * side, -0.03}, 1);
    break;
  case HAND: /* 2 of the wrist, fingers of 4 and 5 */
    trunk = add_joint(r, -1, 0, (double[3]){0.05, 0, 0});
    trunk = add_joint(r, trunk, 1, (double[3]){0.05, 0, 0});
    for (int finger = 0; finger < 5; finger++)
      add_limb(r, trunk, finger == 0 || finger == 4 ? 5 : 4,
               (double[3]){0.03, 0.01 * (finger - 2), -0.01}, 2);
    break;
  case ROPE:
    make_rope(r, par->n);
    break;
  }
}

/* u <- the velocity of a point by joint k */
static void point_velocity(const joint *k, const double point[3], double u[3])
{
  double arm[3];
  perp_v3_add(point, -1, k->point, arm);
  if (k->slides)
    memcpy(u, k->axis, 3 * sizeof *u);
  else
    perp_v3_cross(k->axis, arm, u);
}

/* Adds the mass of link j to the joints above it. M: count x count */
static void add_link(const robot *r, int j, double *M)
{
  const joint *link = &r->joint[j];
  for (int k = j; k >= 0; k = r->joint[k].parent)
    for (int l = k; l >= 0; l = r->joint[l].parent) {
      double u[3], w[3];
      const joint *a = &r->joint[k], *b = &r->joint[l];
      point_velocity(a, link->centre, u);
      point_velocity(b, link->centre, w);
      double sum = link->mass * perp_v3_dot(u, w);
      if (!a->slides && !b->slides)
        sum += link->inertia * perp_v3_dot(a->axis, b->axis);
      M[(size_t)k * (size_t)r->count + (size_t)l] += sum;
    }
}

/* Rows of M: the joints above and below. Zeros by symmetry of the model stay: they are joints of a
 * tree in other postures. */
static perp_error mass_rows(perp_making *m, const robot *r, perp_triplets *M)
{
  const size_t n = (size_t)r->count;
  double *full = perp_arena_alloc_zero(&m->arena, n * n, sizeof *full);
  bool *above = perp_arena_alloc_zero(&m->arena, n * n, sizeof *above);
  if (!full || !above)
    return perp_making_no_memory(m);
  for (int j = 0; j < r->count; j++) {
    add_link(r, j, full);
    for (int k = j; k >= 0; k = r->joint[k].parent)
      above[(size_t)j * n + (size_t)k] = above[(size_t)k * n + (size_t)j] = true;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (above[i * n + j])
        perp_making_entry(m, M, (int)i, (int)j, full[(i > j ? i : j) * n + (i > j ? j : i)]);
  return PERP_OK;
}

/* Three rows for a point of link j: its velocity along the normal and two tangents. */
static void touch_rows(perp_making *m, const robot *r, int j, const double point[3], int row,
                       perp_triplets *J)
{
  double frame[3][3];
  memcpy(frame[0], r->joint[j].normal, sizeof frame[0]);
  perp_v3_frame(frame[0], frame[1], frame[2]);
  for (int d = 0; d < 3; d++)
    for (int k = j; k >= 0; k = r->joint[k].parent) {
      double u[3];
      point_velocity(&r->joint[k], point, u);
      perp_making_entry(m, J, row + d, k, perp_v3_dot(frame[d], u));
    }
}

static perp_error make_robot_problem(perp_making *m)
{
  const robot_parameters *par = m->parameters;
  robot r = {0};
  const int room = 40 + par->n;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(r.joint, room)))
    return perp_making_no_memory(m);
  make_robot(par, &r);
  int touching = 0;
  for (int j = 0; j < r.count; j++)
    touching += r.joint[j].touches;
  if ((double)r.count * r.count > 1e8 || (double)touching * par->contacts > 1e6)
    return perp_making_refuse(m, "%d joints with %d contacts a link are too many", r.count,
                              par->contacts);
  perp_triplets M = {0}, J = {0};
  double *v;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(v, r.count)))
    return perp_making_no_memory(m);
  const perp_error error = mass_rows(m, &r, &M);
  if (error)
    return error;
  perp_random random = m->random;
  for (int k = 0; k < r.count; k++)
    v[k] = par->speed * perp_random_between(&random, -1, 1);
  if (r.joint[0].slides)
    v[2] -= 10 * par->h;
  for (int j = 0, c = 0; j < r.count; j++)
    for (int t = 0; r.joint[j].touches && t < par->contacts; t++, c++) {
      double point[3];
      for (int d = 0; d < 3; d++)
        point[d] = r.joint[j].centre[d] + 0.03 * perp_random_between(&random, -1, 1);
      touch_rows(m, &r, j, point, 3 * c, &J);
    }
  return finish(m, touching * par->contacts, 3, &J, r.count, &M, v, NULL, &par->law);
}

/* ---- Finite elements ---- */

enum { BLOCK, BEAM };
static const char *const bodies[] = {"block", "beam", NULL};

typedef struct elements_parameters {
  int body, n, contacts;
  contact_law law;
  double h, young, poisson, density, size, press, drag, rough;
} elements_parameters;

static const perp_parameter elements_table[] = {
    PERP_CHOICE(elements_parameters, body, BLOCK, 1, bodies,
                "flat block, eight times as wide as high, or a long beam"),
    PERP_INTEGER(elements_parameters, n, 3000, 24, 10000000, "unknowns, about"),
    PERP_INTEGER(elements_parameters, contacts, 0, 0, 1000000,
                 "points of the lower face that may touch; 0: all"),
    LAW_ROWS(elements_parameters, 0.3, 0),
    PERP_REAL(elements_parameters, h, 1e-3, 1e-9, 1e6, "time step"),
    PERP_REAL(elements_parameters, young, 1e6, 0, 1e15, "elastic modulus"),
    PERP_REAL(elements_parameters, poisson, 0.3, 0, 0.49, "Poisson's ratio"),
    PERP_REAL(elements_parameters, density, 1000, 1e-9, 1e9, "mass of a unit of volume"),
    PERP_REAL(elements_parameters, size, 0.02, 1e-9, 1e9, "edge of an element"),
    PERP_REAL(elements_parameters, press, 0.1, -1e9, 1e9, "velocity towards the ground"),
    PERP_REAL(elements_parameters, drag, 0.05, -1e9, 1e9, "velocity along the ground"),
    PERP_REAL(elements_parameters, rough, 0.2, 0, 1e9, "gaps over the step, at random, at most"),
    {0}};

/* K <- the stiffness of a cube of edge `size`: 24 x 24, point after point */
static void cube_stiffness(double young, double poisson, double size, double K[24][24])
{
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const double shear = young / (2 * (1 + poisson)), at = sqrt(1.0 / 3);
  memset(K, 0, 24 * sizeof K[0]);
  for (int g = 0; g < 8; g++) {
    double grad[8][3];
    for (int p = 0; p < 8; p++)
      for (int d = 0; d < 3; d++) {
        double product = 1;
        for (int e = 0; e < 3; e++) {
          const double side = p >> e & 1 ? 1 : -1, xi = g >> e & 1 ? at : -at;
          product *= e == d ? side / size : 0.5 * (1 + side * xi);
        }
        grad[p][d] = product;
      }
    /* the energy lambda/2 (div u)^2 + shear |sym grad u|^2, times the volume of a point */
    const double weight = size * size * size / 8;
    for (int p = 0; p < 8; p++)
      for (int q = 0; q < 8; q++) {
        const double dot = perp_v3_dot(grad[p], grad[q]);
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            K[3 * p + i][3 * q + j] +=
                weight * (lambda * grad[p][i] * grad[q][j] + shear * grad[p][j] * grad[q][i] +
                          (i == j ? shear * dot : 0));
      }
  }
}

typedef struct mesh {
  int size[3]; /* points */
  double h2, volume_mass, K[24][24];
} mesh;

/* Row of point (i, j, k): 27 neighbours, 3 x 3 each, from the cubes that both belong to. */
static void mesh_row(perp_making *m, const mesh *g, const int at[3], int component,
                     perp_triplets *M)
{
  const int64_t row = 3 * (((int64_t)at[2] * g->size[1] + at[1]) * g->size[0] + at[0]) + component;
  for (int step = 0; step < 27; step++) {
    const int other[3] = {at[0] + step % 3 - 1, at[1] + step / 3 % 3 - 1, at[2] + step / 9 - 1};
    bool inside = true;
    for (int d = 0; d < 3; d++)
      inside = inside && other[d] >= 0 && other[d] < g->size[d];
    if (!inside)
      continue;
    double sum[3] = {0}, mass = 0;
    for (int cube = 0; cube < 8; cube++) { /* its lowest corner is at - (bits of cube) */
      int p = 0, q = 0;
      bool both = true;
      for (int d = 0; d < 3; d++) {
        const int low = at[d] - (cube >> d & 1), far = other[d] - low;
        both = both && low >= 0 && low + 1 < g->size[d] && far >= 0 && far < 2;
        p |= (cube >> d & 1) << d;
        q |= (far & 1) << d;
      }
      if (!both)
        continue;
      mass += g->volume_mass / 8;
      for (int j = 0; j < 3; j++)
        sum[j] += g->h2 * g->K[3 * p + component][3 * q + j];
    }
    const int64_t column =
        3 * (((int64_t)other[2] * g->size[1] + other[1]) * g->size[0] + other[0]);
    for (int j = 0; j < 3; j++)
      perp_making_entry(m, M, (int)row, (int)(column + j), sum[j] + (column + j == row ? mass : 0));
  }
}

/* Points along each edge for about n unknowns. */
static void choose_size(int body, int n, int size[3])
{
  if (body == BEAM) {
    int width = 2;
    while ((width + 1) * (width + 1) * 3 * 24 <= n && width < 9)
      width++;
    size[1] = size[2] = width;
    size[0] = n / (3 * width * width) < 2 ? 2 : n / (3 * width * width);
    return;
  }
  int side = 2;
  while ((int64_t)3 * (side + 1) * (side + 1) * ((side + 1) / 8 < 2 ? 2 : (side + 1) / 8) <= n)
    side++;
  size[0] = size[1] = side;
  size[2] = side / 8 < 2 ? 2 : side / 8;
}

static perp_error make_elements(perp_making *m)
{
  const elements_parameters *par = m->parameters;
  mesh g = {.h2 = par->h * par->h, .volume_mass = par->density * par->size * par->size * par->size};
  choose_size(par->body, par->n, g.size);
  cube_stiffness(par->young, par->poisson, par->size, g.K);
  const int face = g.size[0] * g.size[1], velocities = 3 * face * g.size[2];
  const int contacts = par->contacts == 0 || par->contacts > face ? face : par->contacts;
  perp_triplets M = {0}, J = {0};
  double *c, *v;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(c, 3 * contacts)) ||
      !PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(v, velocities)))
    return perp_making_no_memory(m);
  for (int p = 0; p < velocities / 3; p++)
    for (int d = 0; d < 3; d++)
      mesh_row(m, &g, (int[3]){p % g.size[0], p / g.size[0] % g.size[1], p / face}, d, &M);
  perp_random random = m->random;
  const double drag[3] = {-par->press, par->drag, 0}; /* normal z, tangents x and y */
  for (int k = 0; k < contacts; k++) {
    const int point = (int)((int64_t)k * face / contacts);
    for (int d = 0; d < 3; d++) {
      perp_making_entry(m, &J, 3 * k + d, 3 * point + (d == 0 ? 2 : d - 1), 1);
      c[3 * k + d] = drag[d] + (d == 0 ? par->rough * perp_random_uniform(&random) : 0);
    }
  }
  return finish(m, contacts, 3, &J, velocities, &M, v, c, &par->law);
}

/* ---- Rolling balls ----
 *
 * Balls in a row on an incline, each in contact with the ground and with its neighbours. A contact
 * has five rows: the relative velocity of the two points along the normal and two tangents, and the
 * relative spin about the tangents, with a disc for the slides and one for the rolls. */

typedef struct balls_parameters {
  int n;
  contact_law law;
  double roll, slope, radius, mass, h, speed;
} balls_parameters;

static const perp_parameter balls_table[] = {
    PERP_INTEGER(balls_parameters, n, 10, 1, 100000, "balls"),
    LAW_ROWS(balls_parameters, 0.5, 0),
    PERP_REAL(balls_parameters, roll, 0.01, 0, 1e6, "coefficient of rolling friction, a length"),
    PERP_REAL(balls_parameters, slope, 0.2, 0, 1e6, "of the incline, a tangent"),
    PERP_REAL(balls_parameters, radius, 0.1, 1e-9, 1e6, "of the balls"),
    PERP_REAL(balls_parameters, mass, 1, 1e-9, 1e9, "of a ball"),
    PERP_REAL(balls_parameters, h, 0.01, 1e-9, 1e6, "time step"),
    PERP_REAL(balls_parameters, speed, 0.1, 0, 1e6, "of the balls, at random"),
    {0}};

/* Five rows of a contact of ball a with ball b, or with the ground if b < 0; the normal points to a. */
static void ball_rows(perp_making *m, int a, int b, const double normal[3], int row,
                      perp_triplets *J)
{
  const balls_parameters *par = m->parameters;
  double axis[3][3];
  memcpy(axis[0], normal, sizeof axis[0]);
  perp_v3_frame(axis[0], axis[1], axis[2]);
  for (int k = 0; k < 5; k++)
    for (int side = 0; side < (b < 0 ? 1 : 2); side++) {
      const int first = 6 * (side == 0 ? a : b);
      const double sign = side == 0 ? 1 : -1;
      double spin[3] = {0};
      if (k < 3) /* the point is at -+ radius times the normal: w x r . axis = w . (r x axis) */
        perp_v3_cross(axis[k], normal, spin);
      for (int d = 0; d < 3; d++) {
        const double turn = k < 3 ? par->radius * spin[d] : sign * axis[k - 2][d];
        if (k < 3)
          perp_making_entry(m, J, row + k, first + d, sign * axis[k][d]);
        perp_making_entry(m, J, row + k, first + 3 + d, turn);
      }
    }
}

static perp_error make_balls(perp_making *m)
{
  const balls_parameters *par = m->parameters;
  const int n = par->n, contacts = 2 * n - 1;
  const double inertia = 0.4 * par->mass * par->radius * par->radius;
  const double length = sqrt(1 + par->slope * par->slope);
  perp_triplets M = {0}, J = {0};
  double *v;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(v, 6 * n)))
    return perp_making_no_memory(m);
  perp_random random = m->random;
  for (int j = 0; j < 6 * n; j++) {
    perp_making_entry(m, &M, j, j, j % 6 < 3 ? par->mass : inertia);
    v[j] = par->speed * perp_random_between(&random, -1, 1) / (j % 6 < 3 ? 1 : par->radius);
  }
  for (int k = 0; k < n; k++) { /* x down the incline, z away from it */
    v[6 * k] += 10 * par->h * par->slope / length;
    v[6 * k + 2] -= 10 * par->h / length;
    ball_rows(m, k, -1, (double[3]){0, 0, 1}, 5 * k, &J);
  }
  for (int k = 0; k + 1 < n; k++)
    ball_rows(m, k, k + 1, (double[3]){-1, 0, 0}, 5 * (n + k), &J);
  perp_instance *instance = m->instance;
  const perp_error error = finish(m, contacts, 5, &J, 6 * n, &M, v, NULL, &par->law);
  for (int c = 0; c < contacts && !error; c++) {
    instance->mu[5 * c] = instance->mu[5 * c + 1] = par->law.mu;
    instance->mu[5 * c + 3] = instance->mu[5 * c + 4] = par->roll;
  }
  return error;
}

const perp_generator perp_generators_mass[] = {
    {"robot", "contacts of a robot, with its mass matrix", "contact", "featherstone-2005",
     robot_table, sizeof(robot_parameters), make_robot_problem, NULL},
    {"elements", "an elastic block or beam pressed on the ground and dragged", "contact",
     "acary-brogliato-2008", elements_table, sizeof(elements_parameters), make_elements, NULL},
    {"rolling", "balls that roll down an incline and touch each other", "contact",
     "acary-brogliato-2008", balls_table, sizeof(balls_parameters), make_balls, NULL},
    {0}};
