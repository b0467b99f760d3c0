/* particle.c: a particle that hits a plane (Lu and Trinkle), with its solution in closed form
 *
 * A mass point at height `gap` with velocity v and time step h; k = 1/m + zeta. Without friction:
 * p_n = max(0, -b_n / k) with b_n = v_n - g h + gap / h.
 *
 * scene/particle.h has A.
 *
 * conic: A = k I, b = (b_n, v_t, v_o). With w = (v_t, v_o): p_t = -w / k if |w| <= k mu p_n
 * (sticking), else p_t = -mu p_n w / |w| (sliding). Unique.
 *
 * linearised: b = (b_n, D^T w, 0). For given s the friction against either component of w is max(0,
 * |w_i| - s) / k, and the cone row asks that phi(s) = sum_i max(0, |w_i| - s) / k - zeta s be mu
 * p_n, or at most that if s = 0. phi decreases, so s follows from its three pieces. x is unique
 * with zeta > 0, and with zeta = 0 if it slides with p_n > 0, mu > 0. Otherwise opposite directions
 * may both grow (sticking), or s (no normal impulse); the stored x then has the smallest p_f and s.
 *
 * The source relaxes all rows in its (11) and all but the first in its (33); (11) is followed here.
 * Its gravity g = -10 is gravity = 10. */
#include "scene/particle.h"
#include "base/elementary.h"
#include "generate/generate.h"

#include <math.h>
#include <string.h>

typedef struct particle_parameters {
  int form;
  double mass, gravity, gap, vt, vo, vn, h, mu, zeta;
} particle_parameters;

enum { LINEARISED, CONIC };
static const char *const forms[] = {"linearised", "conic", NULL};

static const perp_parameter parameters[] = {
    PERP_CHOICE(particle_parameters, form, LINEARISED, 1, forms,
                "friction pyramid (an LCP of six rows) or cone"),
    PERP_REAL(particle_parameters, mass, 1, 1e-9, 1e9, "of the particle"),
    PERP_REAL(particle_parameters, gravity, 10, -1e6, 1e6, "acceleration towards the plane"),
    PERP_REAL(particle_parameters, gap, 0.15, -1e6, 1e6, "height above the plane"),
    PERP_REAL(particle_parameters, vt, 1, -1e6, 1e6, "velocity along the plane"),
    PERP_REAL(particle_parameters, vo, 0, -1e6, 1e6, "velocity along the plane, across vt"),
    PERP_REAL(particle_parameters, vn, -1, -1e6, 1e6, "velocity away from the plane"),
    PERP_REAL(particle_parameters, h, 0.1, 1e-9, 1e6, "time step"),
    PERP_REAL(particle_parameters, mu, 0.5, 0, 1e6, "coefficient of friction"),
    PERP_REAL(particle_parameters, zeta, 0, 0, 1e6, "relaxation, added to the diagonal of A"),
    {0}};

static double normal_rhs(const particle_parameters *par)
{
  return par->vn - par->gravity * par->h + par->gap / par->h;
}

static void fill_conic(const particle_parameters *par, perp_instance *instance)
{
  const double k = 1 / par->mass + par->zeta;
  const double b[3] = {normal_rhs(par), par->vt, par->vo};
  const double normal = perp_max(0, -b[0] / k), slip = sqrt(b[1] * b[1] + b[2] * b[2]);
  const double most = par->mu * normal;
  memcpy(instance->b, b, sizeof b);
  instance->mu[0] = par->mu;
  instance->cones = 1;
  instance->x[0] = normal;
  for (int i = 1; i < 3; i++)
    instance->x[i] = slip <= k * most ? -b[i] / k : -most * (b[i] / slip);
  instance->kind = PERP_KIND_SOLVABLE;
}

/* phi(s) = target, or s = 0 if phi(0) is at most that */
static double slide_speed(double k, double zeta, double target, double wt, double wo)
{
  const double large = perp_max(fabs(wt), fabs(wo)), small = perp_min(fabs(wt), fabs(wo));
  if ((large + small) / k <= target)
    return 0;
  const double one = (large - k * target) / (1 + k * zeta);
  return one >= small ? one : (large + small - k * target) / (2 + k * zeta);
}

static void fill_linearised(const particle_parameters *par, perp_instance *instance)
{
  const double k = 1 / par->mass + par->zeta;
  const double b[6] = {normal_rhs(par), par->vt, par->vo, -par->vt, -par->vo, 0};
  const double normal = perp_max(0, -b[0] / k), target = par->mu * normal;
  const double s = slide_speed(k, par->zeta, target, par->vt, par->vo);
  memcpy(instance->b, b, sizeof b);
  instance->x[0] = normal;
  for (int i = 1; i < 5; i++)
    instance->x[i] = perp_max(0, -b[i] - s) / k;
  instance->x[5] = s;
  const bool unique = par->zeta > 0 || (s > 0 && target > 0);
  instance->kind = unique ? PERP_KIND_SOLVABLE : PERP_KIND_MULTIPLE;
}

static perp_error make(perp_making *m)
{
  const particle_parameters *par = m->parameters;
  perp_instance *instance = m->instance;
  const bool conic = par->form == CONIC;
  double A[PERP_PARTICLE_ROWS * PERP_PARTICLE_ROWS] = {0};
  const int n = perp_particle_matrix(conic, par->mass, par->mu, par->zeta, A);
  if (!PERP_GIVE((size_t)n, &instance->b, &instance->x) || (conic && !PERP_GIVE(1, &instance->mu)))
    return perp_making_no_memory(m);
  if (conic)
    fill_conic(par, instance);
  else
    fill_linearised(par, instance);
  return perp_making_dense(m, n, A);
}

const perp_generator perp_generators_particle[] = {
    {"particle", "a particle that hits a plane", "contact", "lu-trinkle", parameters,
     sizeof(particle_parameters), make, NULL},
    {0},
};
