/* robots.c: compares perp_mj_step with mj_step, step by step in one run
 *
 * The grasp, grasp.xml of the folder, is that of google-deepmind/mujoco issue 3328, by its description: two
 * pads on damped slides press a horizontal capsule of 45 g, position servos push them 2 mm past the first
 * contact, gravity pulls. Four of the settings are the (impratio 10 and 1, pyramids, NoSlip), three are ours.
 * The slip is the mean sinking after the first tenth of the time. Then the robots of a folder: the time
 * of the constraint solve only, mj_fwdConstraint with each of MuJoCo's solvers at its own tolerance
 * against perp_mj_solve with both laws at 1e-8, each in a separate world.
 *
 * robots --model FILE [N]   a thousand or N steps of any model: file, velocities, rows, steps, solved,
 *                           of them with a share of the corrections, worst residual of others, bytes by which the memory of the process grew after the
 *                           step with the most rows, and in the last half of the steps. glibc counts
 *                           freed blocks that it caches, unless GLIBC_TUNABLES has
 *                           glibc.malloc.tcache_count=0
 * robots --slip FOLDER [SECONDS]
 *                           the way that the capsule of three grasps has sunk, every tenth of a second:
 *                           what tools/draw-slip draws
 * robots FOLDER [SECONDS]   prints two tables as CSV. Times are CPU times a step: the median and, of the
 * solves, the 99th of 100. Those of perp include everything from MuJoCo's arrays to MuJoCo's arrays. */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <perp/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200000 };

static mjModel *load(const char *path)
{
  char why[500] = "";
  mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
  if (!m)
    bench_die("%s: %s", path, why);
  return m;
}

/* ---- Grasps ---- */

typedef struct grasp {
  const char *name;
  int cone;
  double impratio;
  int noslip, condim;
  double kp; /* N/m: 2 mm of it press */
} grasp;

static const grasp grasps[] = {
    {"elliptic impratio 10", mjCONE_ELLIPTIC, 10, 0, 3, 6000},
    {"elliptic impratio 1", mjCONE_ELLIPTIC, 1, 0, 3, 6000},
    {"pyramidal", mjCONE_PYRAMIDAL, 1, 0, 3, 6000},
    {"elliptic impratio 10 NoSlip 10", mjCONE_ELLIPTIC, 10, 10, 3, 6000},
    {"elliptic impratio 10 60 N", mjCONE_ELLIPTIC, 10, 0, 3, 30000},
    {"elliptic impratio 100", mjCONE_ELLIPTIC, 100, 0, 3, 6000},
    {"elliptic impratio 10 condim 4", mjCONE_ELLIPTIC, 10, 0, 4, 6000},
};

static mjModel *make_grasp(const char *folder, const grasp *g)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/grasp.xml", folder);
  mjModel *m = load(path);
  m->opt.cone = g->cone;
  m->opt.impratio = g->impratio;
  m->opt.noslip_iterations = g->noslip;
  for (int k = 0; k < m->ngeom; k++)
    m->geom_condim[k] = g->condim;
  for (int k = 0; k < m->nu; k++) {
    m->actuator_gainprm[mjNGAIN * k] = g->kp;
    m->actuator_biasprm[mjNBIAS * k + 1] = -g->kp;
  }
  return m;
}

/* The keyframe: the controls that press. */
static mjData *begin_grasp(const mjModel *m)
{
  mjData *d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  return d;
}

/* One line: a world of MuJoCo and one of the rigid law in turns. */
static void hold(const char *folder, const grasp *g, double seconds)
{
  mjModel *m = make_grasp(folder, g);
  mjData *d[2] = {begin_grasp(m), begin_grasp(m)};
  perp_mj s = perp_mj_default();
  const int steps = (int)(seconds / m->opt.timestep), begin = steps / 10;
  double *time[2] = {malloc(sizeof(double) * MOST), malloc(sizeof(double) * MOST)};
  double from[2] = {0, 0};
  int unsolved = 0;
  if (!time[0] || !time[1] || steps > MOST)
    bench_die("%d steps are too many", steps);
  for (int k = 0; k < steps; k++)
    for (int ours = 0; ours < 2; ours++) {
      const double began = bench_processor();
      if (ours && perp_mj_step(m, d[ours], &s))
        bench_die("%s: %s", g->name, s.result.message.text);
      if (!ours)
        mj_step(m, d[ours]);
      time[ours][k] = bench_processor() - began;
      unsolved += ours && s.rows > 0 && s.result.outcome != PERP_SOLVED;
      if (k == begin)
        from[ours] = d[ours]->qpos[4];
    }
  double slip[2], median[2];
  for (int ours = 0; ours < 2; ours++) {
    slip[ours] = 1e6 * (from[ours] - d[ours]->qpos[4]) / (seconds - begin * m->opt.timestep);
    median[ours] = 1e6 * kit_median(steps, time[ours]);
  }
  printf("%s,%d,%.4g,%.2g,%.1f,%.1f,%.2f,%d\n", g->name, d[1]->ncon, slip[0], slip[1], median[0],
         median[1], median[1] / median[0], unsolved);
  fflush(stdout);
  perp_mj_close(&s);
  for (int ours = 0; ours < 2; ours++) {
    mj_deleteData(d[ours]);
    free(time[ours]);
  }
  mj_deleteModel(m);
}

/* Prints the sinking over time, in um: mj_step as recommended, mj_step with NoSlip, the rigid law. */
static void sink(const char *folder, double seconds)
{
  enum { RUNS = 3, EVERY = 50 };
  mjModel *m[RUNS] = {make_grasp(folder, &grasps[0]), make_grasp(folder, &grasps[3]),
                      make_grasp(folder, &grasps[0])};
  mjData *d[RUNS];
  perp_mj s = perp_mj_default();
  for (int k = 0; k < RUNS; k++)
    d[k] = begin_grasp(m[k]);
  const int steps = (int)(seconds / m[0]->opt.timestep + 0.5);
  double from[RUNS] = {0};
  printf("seconds,mj_step,mj_step with NoSlip,rigid law\n");
  for (int step = 1; step <= steps; step++) {
    for (int k = 0; k < RUNS; k++) {
      if (k < RUNS - 1)
        mj_step(m[k], d[k]);
      else if (perp_mj_step(m[k], d[k], &s) || (s.rows > 0 && s.result.outcome != PERP_SOLVED))
        bench_die("step %d: %s", step, s.result.message.text);
      if (step == steps / 10) /* the pads have closed */
        from[k] = d[k]->qpos[4];
    }
    if (step % EVERY == 0 && step >= steps / 10)
      printf("%.3f,%.6g,%.6g,%.6g\n", d[0]->time, 1e6 * (from[0] - d[0]->qpos[4]),
             1e6 * (from[1] - d[1]->qpos[4]), 1e6 * (from[2] - d[2]->qpos[4]));
  }
  perp_mj_close(&s);
  for (int k = 0; k < RUNS; k++) {
    mj_deleteData(d[k]);
    mj_deleteModel(m[k]);
  }
}

/* ---- Robots ---- */

enum { NEWTON, CG, PGS, NOSLIP, RIGID, SOFT, SOLVERS };
enum { TURN = 20 };

/* Prints a line of the table: each solver steps a separate copy of the world. They take turns of TURN steps, so that
 * all meet the same load of the machine, and the caches and branches of a program that has one solver. */
static void solves(const char *folder, const char *name, int steps)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.xml", folder, name);
  mjModel *m = load(path);
  mjData *d[SOLVERS];
  double *time[SOLVERS], *contacts = malloc(sizeof(double) * (size_t)steps);
  perp_mj laws[2] = {perp_mj_default(), perp_mj_default()};
  laws[1].law = PERP_MJ_SOFT;
  int rows = 0, unsolved[2] = {0, 0};
  if (!contacts)
    bench_die("no memory for %d steps", steps);
  for (int k = 0; k < SOLVERS; k++) {
    d[k] = mj_makeData(m);
    if (m->nkey > 0)
      mj_resetDataKeyframe(m, d[k], m->nkey - 1);
    if (!(time[k] = malloc(sizeof(double) * (size_t)steps)))
      bench_die("no memory for %d times", steps);
  }
  for (int turn = 0; turn < steps; turn += TURN)
    for (int k = 0; k < SOLVERS; k++)
      for (int step = turn; step < turn + TURN && step < steps; step++) {
        m->opt.solver = k == CG ? mjSOL_CG : k == PGS ? mjSOL_PGS : mjSOL_NEWTON;
        m->opt.noslip_iterations = k == NOSLIP ? 10 : 0;
        mj_step1(m, d[k]);
        mj_fwdActuation(m, d[k]);
        mj_fwdAcceleration(m, d[k]);
        perp_mj *s = k >= RIGID ? &laws[k - RIGID] : NULL;
        const double began = bench_processor();
        if (s && perp_mj_solve(m, d[k], s))
          bench_die("%s: %s", name, s->result.message.text);
        if (!s)
          mj_fwdConstraint(m, d[k]);
        time[k][step] = bench_processor() - began;
        if (s)
          unsolved[k - RIGID] += s->rows > 0 && s->result.outcome != PERP_SOLVED;
        if (k == RIGID) {
          rows = d[k]->nefc > rows ? d[k]->nefc : rows;
          contacts[step] = d[k]->ncon;
        }
        mj_Euler(m, d[k]);
      }
  const double usual = kit_median(steps, contacts); /* which sorts them */
  printf("%s,%d,%d,%g,%g,%d", name, steps, m->nv, contacts[steps - 1], usual, rows);
  for (int k = 0; k < SOLVERS; k++)
    printf(",%.1f", 1e6 * kit_median(steps, time[k]));
  for (int k = 0; k < SOLVERS; k++)
    printf(",%.1f", 1e6 * time[k][(steps * 99 - 1) / 100]);
  printf(",%d,%d\n", unsolved[0], unsolved[1]);
  fflush(stdout);
  free(contacts);
  for (int k = 0; k < SOLVERS; k++) {
    mj_deleteData(d[k]);
    free(time[k]);
  }
  perp_mj_close(&laws[0]);
  perp_mj_close(&laws[1]);
  mj_deleteModel(m);
}

/* ---- Models from elsewhere ---- */

static size_t find_memory(void)
{
#ifdef __GLIBC__
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

/* Steps a model with the rigid law, from its first keyframe. One line. */
static void walk(const char *path, int steps)
{
  mjModel *m = load(path);
  mjData *d = mj_makeData(m);
  perp_mj s = perp_mj_default();
  int solved = 0, shared = 0, rows = 0, step = 0;
  double worst = 0;
  size_t before = 0, middle = 0;
  if (m->nkey > 0)
    mj_resetDataKeyframe(m, d, 0);
  if (m->opt.integrator == mjINT_RK4)
    m->opt.integrator = mjINT_EULER;
  for (; step < steps && !perp_mj_step(m, d, &s); step++) {
    const int good = s.rows == 0 || s.result.outcome == PERP_SOLVED;
    solved += good;
    shared += good && s.rows > 0 && s.corrected < 1;
    if (step == 0 || s.rows > rows)
      before = find_memory();
    if (step == 0 || step == steps / 2)
      middle = find_memory();
    rows = s.rows > rows ? s.rows : rows;
    if (!good)
      worst = fmax(worst, s.result.relative_residual);
  }
  const long long end = (long long)find_memory();
  printf("%s,%d,%d,%d,%d,%d,%.1e,%lld,%lld,%s\n", path, m->nv, rows, step, solved, shared, worst,
         end - (long long)before, end - (long long)middle,
         solved == steps ? "all solved" : s.result.message.text);
  perp_mj_close(&s);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(int count, char **argument)
{
  if (count >= 3 && !strcmp(argument[1], "--model")) {
    walk(argument[2], count > 3 ? atoi(argument[3]) : 1000);
    return 0;
  }
  if (count >= 3 && !strcmp(argument[1], "--slip")) {
    sink(argument[2], count > 3 ? atof(argument[3]) : 10);
    return 0;
  }
  if (count < 2)
    bench_die("robots FOLDER [SECONDS]: FOLDER has gripper.xml, humanoid.xml, ...");
  const double seconds = count > 2 ? atof(argument[2]) : 10;
  printf("# MuJoCo %s, tolerance %g of perp, %g s held\n", mj_versionString(),
         perp_mj_default().options.tol, seconds);
  printf("grasp,contacts,slip MuJoCo um/s,slip perp um/s,MuJoCo us a step,perp us a step,ratio,"
         "not solved\n");
  for (size_t k = 0; k < sizeof grasps / sizeof *grasps; k++)
    hold(argument[1], &grasps[k], seconds);
  printf("robot,steps,velocities,most contacts,median contacts,most rows,Newton us,CG us,PGS us,"
         "NoSlip us,rigid us,soft us,Newton p99,CG p99,PGS p99,NoSlip p99,rigid p99,soft p99,"
         "rigid not solved,soft not solved\n");
  static const char *const names[] = {"fourbar",  "gripper", "quadruped", "trot",
                                      "humanoid", "hand",    "lying",     "chain"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) /* a step of the chain takes long */
    solves(argument[1], names[k], (int)fmax(1, (strcmp(names[k], "chain") ? 100 : 10) * seconds));
  return 0;
}
