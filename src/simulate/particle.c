/* particle.c: a particle above a plane over time (Lu and Trinkle)
 *
 * Each step solves for the contact impulse p. Without it the velocity at the end of the step gives
 * b,
 *
 *   b = (v_n - g h + gap / h, v_t, v_o),  y = A p + b,  0 <= p_n perp y_n >= 0, Coulomb in t and o,
 *
 * as a cone or as a pyramid of four directions with a slip variable; A is in scene/particle.h. Then
 * v <- v + p / m - g h e_n, and the position moves by h v. Because of gap / h in b the particle
 * ends a step on the plane, never below it. */
#include "scene/particle.h"
#include "base/elementary.h"
#include "simulate/simulate.h"

#include <math.h>
#include <string.h>

enum { LINEARISED, CONIC };
static const char *const forms[] = {"linearised", "conic", NULL};

typedef struct particle_parameters {
  int form;
  double mass, gravity, height, vt, vo, vn, h, mu, zeta;
} particle_parameters;

static const perp_parameter parameters[] = {
    PERP_CHOICE(particle_parameters, form, CONIC, 1, forms,
                "friction pyramid (an LCP of six rows) or cone"),
    PERP_REAL(particle_parameters, mass, 1, 1e-9, 1e9, "of the particle"),
    PERP_REAL(particle_parameters, gravity, 9.81, -1e6, 1e6, "acceleration towards the plane"),
    PERP_REAL(particle_parameters, height, 0.5, 0, 1e6, "above the plane at the beginning"),
    PERP_REAL(particle_parameters, vt, 2, -1e6, 1e6, "velocity along the plane"),
    PERP_REAL(particle_parameters, vo, 0.5, -1e6, 1e6, "velocity along the plane, across vt"),
    PERP_REAL(particle_parameters, vn, 0, -1e6, 1e6, "velocity away from the plane"),
    PERP_REAL(particle_parameters, h, 0.01, 1e-9, 1e6, "time step"),
    PERP_REAL(particle_parameters, mu, 0.5, 0, 1e6, "coefficient of friction"),
    PERP_REAL(particle_parameters, zeta, 0, 0, 1e6, "relaxation, added to the diagonal of A"),
    {0}};

typedef struct particle {
  particle_parameters par;
  double position[3], velocity[3]; /* t, o, n */
  double time;
  double load[2];
  int touching[2];
  double a[PERP_PARTICLE_ROWS * PERP_PARTICLE_ROWS], b[PERP_PARTICLE_ROWS], x[PERP_PARTICLE_ROWS];
  perp_operator *A; /* borrows a, which never changes */
  perp_shape shape[2];
  double pose[2 * 7];
} particle;

static void pose(particle *s)
{
  for (int k = 0; k < 3; k++)
    s->pose[k] = s->position[k];
  s->pose[2] += s->shape[0].size[0]; /* a ball that touches the plane at the particle's point */
}

static void destroy(void *state)
{
  particle *s = state;
  perp_operator_destroy(s->A);
  perp_free(s);
}

static perp_error create(const perp_scene *scene, const void *params, uint64_t seed, void **state,
                         perp_message *why)
{
  (void)scene;
  (void)seed; /* it is not random */
  particle *s = perp_alloc_zero(1, sizeof *s);
  if (!s)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the scene particle");
  s->par = *(const particle_parameters *)params;
  const int n =
      perp_particle_matrix(s->par.form == CONIC, s->par.mass, s->par.mu, s->par.zeta, s->a);
  s->position[2] = s->par.height;
  memcpy(s->velocity, (double[]){s->par.vt, s->par.vo, s->par.vn}, sizeof s->velocity);
  s->shape[0] = (perp_shape){.kind = PERP_SHAPE_SPHERE, .size = {0.05}};
  s->shape[1] = (perp_shape){.kind = PERP_SHAPE_BOX, .fixed = true, .size = {2, 2, 0.02}};
  memcpy(s->pose, (double[14]){[3] = 1, [7] = 1, [9] = -0.02, [10] = 1}, sizeof s->pose);
  pose(s);
  const perp_error error = perp_operator_dense(n, s->a, n, PERP_BORROW, &s->A, why);
  if (error)
    destroy(s);
  else
    *state = s;
  return error;
}

static perp_error step(void *state, perp_stepper *stepper, perp_message *why)
{
  particle *s = state;
  const particle_parameters *par = &s->par;
  const double *v = s->velocity;
  const double b_n = v[2] - par->gravity * par->h + s->position[2] / par->h;
  const bool conic = par->form == CONIC;
  memcpy(s->b, (double[]){b_n, v[0], v[1], -v[0], -v[1], 0}, sizeof s->b);
  if (!stepper->warm)
    memset(s->x, 0, sizeof s->x);
  const perp_problem p =
      conic ? perp_problem_cone(s->A, s->b, &s->par.mu) : perp_problem_lcp(s->A, s->b);
  const perp_error error = perp_stepper_solve(stepper, &p, NULL, s->x, why);
  if (error)
    return error;
  const double push[3] = {conic ? s->x[1] : s->x[1] - s->x[3], conic ? s->x[2] : s->x[2] - s->x[4],
                          s->x[0]};
  perp_step *frame = stepper->frame;
  frame->contacts = s->x[0] > 0;
  frame->kinetic = 0;
  for (int k = 0; k < 3; k++) {
    s->velocity[k] += push[k] / par->mass - (k == 2 ? par->gravity * par->h : 0);
    s->position[k] += par->h * s->velocity[k];
    frame->kinetic += 0.5 * par->mass * s->velocity[k] * s->velocity[k];
  }
  frame->potential = par->mass * par->gravity * (s->position[2] - 0.5 * par->h * s->velocity[2]);
  frame->penetration = perp_max(-s->position[2], 0);
  frame->time = s->time += par->h;
  s->load[0] = s->load[1] = sqrt(push[0] * push[0] + push[1] * push[1] + push[2] * push[2]);
  s->touching[0] = s->touching[1] = s->x[0] > 0;
  pose(s);
  return PERP_OK;
}

static void view(const void *state, perp_view *view)
{
  const particle *s = state;
  *view = (perp_view){
      .dimension = 3,
      .lo = {-1, -2, 0},
      .hi = {3, 2, 1},
      .shapes = 2,
      .shape = s->shape,
      .pose = s->pose,
      .load = s->load,
      .state = s->touching,
  };
}

static const perp_simulator simulator = {
    "particle", sizeof(particle_parameters), create, destroy, step, view, NULL, NULL, NULL};

const perp_scene perp_scenes_particle[] = {
    {"particle", "a particle thrown onto a plane", &simulator, parameters, NULL, NULL}, {0}};
