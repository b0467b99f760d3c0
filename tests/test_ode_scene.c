/* An ODE world whose solver is perp: this program defines the function that libode's dWorldStep
 * calls for its LCP, under libode's name, so the dynamic linker uses ours. For comparison we get
 * ODE's own as the next symbol of that name. */
#define _GNU_SOURCE
#include "test.h"

#include <dlfcn.h>
#include <ode/ode.h>
#include <perp/ode.h>

#define NAME "_Z10dxSolveLCPP22dxWorldProcessMemArenajPdS1_S1_jS1_Pi"

typedef void solver(void *arena, unsigned n, double *A, double *pairsbx, double *outer_w,
                    unsigned nub, double *pairslh, int *findex);

static bool use_ours;
static perp_ode *replacement;
static int calls, solved;
static unsigned largest;
static double worst; /* natural residual of ODE's condition, over all calls */

/* Returns the residual of lo <= x <= hi, w: ODE's friction bounds are hi |x_j|. */
static double residual(int n, const double *A, const double *x, const double *b, int nub,
                       const double *lo, const double *hi, const int *findex)
{
  double largest_gap = 0, scale = 0;
  for (int i = 0; i < n; i++) {
    double w = -b[i];
    for (int j = 0; j < n; j++)
      w += A[(j <= i ? i : j) * perp_ode_stride(n) + (j <= i ? j : i)] * x[j];
    const double high = i < nub ? INFINITY : findex[i] >= 0 ? hi[i] * fabs(x[findex[i]]) : hi[i];
    const double low = i < nub ? -INFINITY : findex[i] >= 0 ? -high : lo[i];
    largest_gap = fmax(largest_gap, fabs(x[i] - fmin(fmax(x[i] - w, low), high)));
    scale = fmax(scale, fabs(b[i]));
  }
  return scale > 0 ? largest_gap / scale : largest_gap;
}

__attribute__((visibility("default"))) solver interposed __asm__(NAME);
void interposed(void *arena, unsigned rows, double *A, double *pairsbx, double *outer_w,
                unsigned nub, double *pairslh, int *findex)
{
  enum { MOST = 600 };
  static double kept[MOST * MOST], b[MOST], x[MOST], lo[MOST], hi[MOST];
  static int index[MOST];
  const int n = (int)rows;
  if (n > MOST)
    abort();
  for (int i = 0; i < n; i++) {
    b[i] = pairsbx[2 * i];
    lo[i] = pairslh[2 * i];
    hi[i] = pairslh[2 * i + 1];
    index[i] = findex ? findex[i] : -1;
  }
  memcpy(kept, A, (size_t)(n * perp_ode_stride(n)) * sizeof *kept);
  if (use_ours) {
    perp_result result = perp_result_empty();
    if (!replacement && perp_ode_create(NULL, &replacement, NULL))
      abort();
    solved +=
        !perp_ode_solve(replacement, n, A, x, b, outer_w, (int)nub, lo, hi, index, NULL, &result) &&
        result.outcome == PERP_SOLVED;
    for (int i = 0; i < n; i++)
      pairsbx[2 * i + 1] = x[i];
  } else {
    /* POSIX allows a function's address as a pointer to data; ISO C does not. */
    union {
      void *data;
      solver *function;
    } original = {.data = dlsym(RTLD_NEXT, NAME)};
    if (!original.function)
      abort();
    original.function(arena, rows, A, pairsbx, outer_w, nub, pairslh, findex);
    for (int i = 0; i < n; i++)
      x[i] = pairsbx[2 * i + 1];
  }
  calls++;
  largest = rows > largest ? rows : largest;
  worst = fmax(worst, residual(n, kept, x, b, (int)nub, lo, hi, index));
}

/* ---- A world: boxes above a plane ---- */

enum { BODIES = 6 };

typedef struct world {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  dBodyID body[BODIES];
  double mu;
} world;

static void collide(void *context, dGeomID a, dGeomID b)
{
  world *w = context;
  dContact contact[8];
  const int count = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
  for (int k = 0; k < count; k++) {
    contact[k].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = w->mu};
    dJointAttach(dJointCreateContact(w->world, w->contacts, &contact[k]), dGeomGetBody(a),
                 dGeomGetBody(b));
  }
}

/* Steps a tower of boxes (one box: bodies = 1) that starts a little above rest; the heights and the
 * sideways positions at the end. */
static void run(int bodies, double mu, double push, int steps, bool ours, double height[BODIES],
                double side[BODIES])
{
  use_ours = ours;
  calls = solved = 0;
  largest = 0;
  worst = 0;
  dInitODE2(0);
  world w = {.world = dWorldCreate(), .space = dHashSpaceCreate(0), .mu = mu};
  w.contacts = dJointGroupCreate(0);
  dWorldSetGravity(w.world, 0, 0, -9.81);
  dWorldSetCFM(w.world, 1e-6);
  dCreatePlane(w.space, 0, 0, 1, 0);
  for (int k = 0; k < bodies; k++) {
    w.body[k] = dBodyCreate(w.world);
    dMass mass;
    dMassSetBox(&mass, 1000, 1, 1, 1);
    dBodySetMass(w.body[k], &mass);
    dBodySetPosition(w.body[k], 0, 0, 0.501 + 1.001 * k);
    dBodySetLinearVel(w.body[k], push, 0, 0);
    dGeomSetBody(dCreateBox(w.space, 1, 1, 1), w.body[k]);
  }
  for (int s = 0; s < steps; s++) {
    dSpaceCollide(w.space, &w, collide);
    dWorldStep(w.world, 0.01);
    dJointGroupEmpty(w.contacts);
  }
  for (int k = 0; k < bodies; k++) {
    height[k] = dBodyGetPosition(w.body[k])[2];
    side[k] = dBodyGetPosition(w.body[k])[0];
  }
  dJointGroupDestroy(w.contacts);
  dSpaceDestroy(w.space);
  dWorldDestroy(w.world);
  dCloseODE();
}

/* Without friction the velocities are unique: the world must move as ODE's. */
static void a_sliding_box_moves_as_with_the_solver_of_ode(void)
{
  double height[2][BODIES], side[2][BODIES];
  for (int ours = 0; ours < 2; ours++) {
    run(1, 0, 1, 200, ours, height[ours], side[ours]);
    CHECK(calls > 150);
  }
  CHECK_EQUAL_INT(solved, calls);
  CHECK_CLOSE(height[1][0], height[0][0], 1e-6);
  CHECK_CLOSE(side[1][0], side[0][0], 1e-6);
  CHECK_SAY(side[1][0] > 1.9, "slid to %g", side[1][0]); /* nothing holds it */
}

/* A tower with friction, four redundant points per face: it stands, and every problem is solved
 * with the friction bounds of the returned normals. */
static void a_tower_stands(void)
{
  double height[BODIES], side[BODIES];
  run(BODIES, 0.5, 0, 300, true, height, side);
  CHECK(calls > 250 && largest >= 3 * 4 * BODIES);
  CHECK_EQUAL_INT(solved, calls);
  CHECK_SAY(worst < 1e-8, "residual %g", worst);
  for (int k = 0; k < BODIES; k++) {
    CHECK_CLOSE(height[k], 0.5 + k, 0.01);
    CHECK_CLOSE(side[k], 0, 0.01);
  }
}

/* Friction stops a pushed box after v^2 / (2 mu g). */
static void friction_stops_a_box(void)
{
  double height[BODIES], side[BODIES];
  run(1, 0.5, 2, 200, true, height, side);
  CHECK_EQUAL_INT(solved, calls);
  CHECK_CLOSE(side[0], 4 / (2 * 0.5 * 9.81), 0.03);
  perp_ode_destroy(replacement);
  replacement = NULL;
}

static const test_case tests[] = {
    TEST(a_sliding_box_moves_as_with_the_solver_of_ode),
    TEST(a_tower_stands),
    TEST(friction_stops_a_box),
};

TEST_MAIN(tests)
