/* mujoco.c: primal against the solvers of MuJoCo on MuJoCo's own problems
 *
 * Spheres and boxes fall into a pit and come to rest. What MuJoCo solves then, with pyramids of
 * four edges, is the LCP
 *
 *   A = J M^-1 J^T + R,   b = J qacc_smooth - aref,   x = efc_force >= 0,
 *
 * which goes to perp as a contact operator. Both start cold; MuJoCo is timed with its dense and
 * with its sparse Jacobian, and the faster counts. Its answer is judged by perp_problem_judge, and primal
 * has to reach the residual that its Newton has. Its CG and its PGS run to its own tolerance; PGS
 * is timed with the dual matrix that it needs. Times are CPU times. Also shown: primal
 * including the refresh of the operator that a new frame needs. Built if MuJoCo is found.
 *
 * mujoco --soft FOLDER   the soft law of <perp/mujoco.h> beside MuJoCo's Newton, as CSV: robots of the
 *                        folder, and piles in pyramids and in cones */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <perp/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6, TIMED = 15 };

static void *take(size_t count, size_t size)
{
  void *block = calloc(count ? count : 1, size);
  if (!block)
    bench_die("no memory for %zu numbers", count);
  return block;
}

/* Names that differ between MuJoCo 2.2 (Debian 12) and current versions. */
#if mjVERSION_HEADER < 300
static int steps_of(const mjData *d)
{
  return d->solver_iter;
}

static int add_file(mjVFS *vfs, const char *name, const char *data, size_t length)
{
  const int refused = mj_makeEmptyFileVFS(vfs, name, (int)length);
  if (!refused)
    memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], data, length);
  return refused;
}
#else
static int steps_of(const mjData *d)
{
  return d->solver_niter[0];
}

static int add_file(mjVFS *vfs, const char *name, const char *data, size_t length)
{
  return mj_addBufferVFS(vfs, name, data, (int)length);
}
#endif

/* ---- The scene ---- */

typedef struct text {
  char *data;
  size_t length, room;
} text;

__attribute__((format(printf, 2, 3))) static void append(text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  t->length += (size_t)vsnprintf(t->data + t->length, t->room - t->length, format, arguments);
  va_end(arguments);
  if (t->length >= t->room)
    bench_die("the scene is longer than %zu bytes", t->room);
}

/* Columns of three by three bodies, every second a box, each a little out of line, above a pit. */
static mjModel *make_scene(int bodies)
{
  text t = {.room = 300 * (size_t)bodies + 2000};
  t.data = take(t.room, 1);
  append(&t, "<mujoco><size njmax='6000' nconmax='1500'/><option timestep='0.005' solver='Newton' "
             "cone='pyramidal' iterations='100'><flag "
             "warmstart='disable'/></option><worldbody><geom type='plane' size='20 20 1'/><geom "
             "type='plane' size='20 20 1' pos='-0.15 0 0' zaxis='1 0 0.3'/><geom type='plane' "
             "size='20 20 1' pos='0.65 0 0' zaxis='-1 0 0.3'/><geom type='plane' size='20 20 1' "
             "pos='0 -0.15 0' zaxis='0 1 0.3'/><geom type='plane' size='20 20 1' pos='0 0.65 0' "
             "zaxis='0 -1 0.3'/>");
  for (int k = 0; k < bodies; k++) {
    const double x = 0.21 * (k % 3) + 0.013 * (k % 7), y = 0.21 * (k / 3 % 3) + 0.011 * (k % 5);
    append(&t, "<body pos='%g %g %g'><freejoint/><geom type='%s' size='0.1 0.1 0.1'/></body>", x, y,
           0.12 + 0.23 * (k / 9), k % 2 ? "box" : "sphere");
  }
  append(&t, "</worldbody></mujoco>");
  mjVFS *vfs = take(1, sizeof *vfs);
  char why[1000] = "";
  mj_defaultVFS(vfs);
  if (add_file(vfs, "pile.xml", t.data, t.length))
    bench_die("MuJoCo does not take a file of %zu bytes", t.length);
  mjModel *m = mj_loadXML("pile.xml", vfs, why, sizeof why);
  if (!m)
    bench_die("MuJoCo does not take the scene: %s", why);
  mj_deleteVFS(vfs);
  free(vfs);
  free(t.data);
  return m;
}

/* ---- MuJoCo's problem as ours ---- */

static double jacobian(const mjModel *m, const mjData *d, int i, int v)
{
  return d->efc_J[i * m->nv + v];
}

/* J, M^-1, R and b, with the dense Jacobian at hand. */
static perp_instance dump(const mjModel *m, mjData *d)
{
  const size_t n = (size_t)d->nefc, nv = (size_t)m->nv, blocks = nv / BLOCK;
  perp_instance p = {0};
  int64_t *J_start = take(n + 1, sizeof *J_start), *C_start = take(n + 1, sizeof *C_start);
  int *J_column = take(n * nv, sizeof *J_column), *C_column = take(n, sizeof *C_column);
  double *J_value = take(n * nv, sizeof *J_value), *C_value = take(n, sizeof *C_value);
  double *Minv = take(blocks * BLOCK * BLOCK, sizeof *Minv), *unit = take(2 * nv, sizeof *unit);
  p.b = take(n, sizeof *p.b);
  for (size_t i = 0; i < n; i++) {
    int64_t at = J_start[i];
    for (size_t v = 0; v < nv; v++)
      if (jacobian(m, d, (int)i, (int)v) != 0) {
        J_column[at] = (int)v;
        J_value[at] = jacobian(m, d, (int)i, (int)v);
        p.b[i] += J_value[at++] * d->qacc_smooth[v];
      }
    J_start[i + 1] = at;
    C_start[i + 1] = (int64_t)i + 1;
    C_column[i] = (int)i;
    C_value[i] = d->efc_R[i];
    p.b[i] -= d->efc_aref[i];
    if (d->efc_type[i] != mjCNSTR_CONTACT_PYRAMIDAL)
      bench_die("row %zu is not an edge of a pyramid", i);
  }
  for (size_t v = 0; v < nv; v++) {
    memset(unit, 0, nv * sizeof *unit);
    unit[v] = 1;
    mj_solveM(m, d, unit + nv, unit, 1);
    const size_t first = v - v % BLOCK;
    for (size_t k = 0; k < BLOCK; k++)
      Minv[first * BLOCK + k * BLOCK + v % BLOCK] = unit[nv + first + k];
  }
  /* symmetric to the last bit */
  for (size_t e = 0; e < blocks; e++)
    for (size_t r = 0; r < BLOCK; r++)
      for (size_t c = 0; c < r; c++)
        Minv[(e * BLOCK + r) * BLOCK + c] = Minv[(e * BLOCK + c) * BLOCK + r];
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = (int)n,
                                  .velocities = (int)nv,
                                  .J_start = J_start,
                                  .J_column = J_column,
                                  .J_value = J_value,
                                  .blocks = (int)blocks,
                                  .Minv = Minv,
                                  .C_start = C_start,
                                  .C_column = C_column,
                                  .C_value = C_value};
  perp_message why;
  if (perp_operator_contact(&data, PERP_COPY, &p.A, &why))
    bench_die("%s", why.text);
  free(J_start);
  free(C_start);
  free(J_column);
  free(C_column);
  free(J_value);
  free(C_value);
  free(Minv);
  free(unit);
  return p;
}

/* b is ours, not the library's. */
static void discard(perp_instance *p)
{
  perp_operator_destroy(p->A);
  free(p->b);
}

/* ---- The race ---- */

static double time_mujoco(const mjModel *m, mjData *d)
{
  const double began = bench_processor();
  if (m->opt.solver == mjSOL_PGS)
    mj_projectConstraint(m, d);
  mj_fwdConstraint(m, d);
  return bench_processor() - began;
}

static double relative_residual(const perp_problem *p, const double *x)
{
  double residual, scale;
  if (perp_problem_judge(p, x, &residual, &scale, NULL))
    bench_die("an answer cannot be judged");
  return residual / scale;
}

/* Makes the contacts with the Jacobian stored as asked for, all else the same. */
static void prepare(mjModel *m, mjData *d, int storage)
{
  m->opt.jacobian = storage;
  mj_forward(m, d);
}

/* A line on another of its solvers. */
static void time_other(mjModel *m, mjData *d, const perp_problem *p, int solver, const char *name)
{
  const mjOption before = m->opt;
  double seconds[TIMED];
  m->opt.solver = solver;
  m->opt.iterations = 10000;
  prepare(m, d, mjJAC_SPARSE);
  for (int r = 0; r < TIMED; r++)
    seconds[r] = time_mujoco(m, d);
  printf("            MuJoCo %-3s %7.3f ms, %d steps, residual %.1e\n", name,
         1e3 * kit_median(TIMED, seconds), steps_of(d), relative_residual(p, d->efc_force));
  m->opt = before;
}

static void race(mjModel *m, mjData *d, mjData *other)
{
  prepare(m, d, mjJAC_DENSE);
  perp_instance instance = dump(m, d);
  perp_problem p = perp_instance_problem(&instance);
  double *x = take((size_t)d->nefc, sizeof *x);
  const double theirs = relative_residual(&p, d->efc_force);
  perp_options options = perp_options_default();
  options.tol = fmax(theirs, 1e-13);
  perp_solver *solver;
  if (perp_solver_create("primal", &solver, NULL))
    bench_die("the method primal is missing");
  perp_result result = perp_result_empty();
  double dense[TIMED], sparse[TIMED], ours[TIMED], framed[TIMED];
  mj_copyData(other, m, d);
  prepare(m, other, mjJAC_SPARSE);
  for (int r = 0; r < TIMED; r++) {
    m->opt.jacobian = mjJAC_DENSE;
    dense[r] = time_mujoco(m, d);
    m->opt.jacobian = mjJAC_SPARSE;
    sparse[r] = time_mujoco(m, other);
    memset(x, 0, (size_t)d->nefc * sizeof *x);
    double began = bench_processor();
    if (perp_operator_refresh(instance.A, NULL))
      bench_die("the operator is refused");
    const double refreshed = bench_processor() - began;
    began = bench_processor();
    if (perp_solver_solve(solver, &p, &options, x, &result) || result.outcome != PERP_SOLVED)
      bench_die("primal: %s", result.message.text);
    ours[r] = bench_processor() - began;
    framed[r] = ours[r] + refreshed;
  }
  const double best = fmin(kit_median(TIMED, dense), kit_median(TIMED, sparse));
  const double own = kit_median(TIMED, ours), frame = kit_median(TIMED, framed);
  printf("  %4d rows %4d velocities  MuJoCo %7.3f ms dense %7.3f ms sparse %2d steps %.1e"
         "  primal %7.3f ms (%7.3f refreshed) %2d steps %.1e  %5.2fx  %s\n",
         d->nefc, m->nv, 1e3 * kit_median(TIMED, dense), 1e3 * kit_median(TIMED, sparse),
         steps_of(d), theirs, 1e3 * own, 1e3 * frame, (int)result.counts.factorisations,
         result.relative_residual, best / own, best >= own ? "met" : "NOT MET");
  time_other(m, other, &p, mjSOL_CG, "CG");
  time_other(m, other, &p, mjSOL_PGS, "PGS");
  fflush(stdout);
  perp_solver_destroy(solver);
  discard(&instance);
  free(x);
}

/* ---- The soft law ---- */

enum { MOST_ROWS = 6000 };

/* Forces that the soft law starts from. */
typedef struct memory {
  double last[MOST_ROWS];
  perp_mj_unit unit[MOST_ROWS];
  int units;
} memory;

static int count_rows(const memory *a)
{
  return a->units > 0 ? a->unit[a->units - 1].first + a->unit[a->units - 1].rows : 0;
}

static void save(const perp_mj *s, memory *to)
{
  if ((to->units = s->units) > 0)
    memcpy(to->unit, s->unit, (size_t)s->units * sizeof *s->unit);
  if (s->units > 0)
    memcpy(to->last, s->last, (size_t)count_rows(to) * sizeof *s->last);
}

static void restore(const memory *from, perp_mj *s)
{
  if ((s->units = from->units) > 0) {
    memcpy(s->unit, from->unit, (size_t)s->units * sizeof *s->unit);
    memcpy(s->last, from->last, (size_t)count_rows(from) * sizeof *s->last);
  }
}

/* Returns max |a - b| / max |c|. */
static double compare(int n, const double *a, const double *b, const double *c)
{
  double most = 0, difference = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(c[i]));
    difference = fmax(difference, fabs(a[i] - b[i]));
  }
  return difference > 0 ? difference / most : 0;
}

/* One line: mj_fwdConstraint with Newton's method and perp_mj_solve with the soft law on the same steps of a
 * motion, each from its own solution of the step before. Both solve each step TIMED times in turns, and the
 * shortest counts. */
static void race_law(mjModel *m, mjData *d, const char *name, int frames)
{
  mjData *other = mj_makeData(m);
  perp_mj s = perp_mj_default();
  s.law = PERP_MJ_SOFT;
  memory *start = take(1, sizeof *start);
  double *ratio = take((size_t)frames, sizeof *ratio), *warm = take((size_t)m->nv, sizeof *warm);
  double total[2] = {0, 0}, steps[2] = {0, 0}, apart = 0;
  int rows = 0;
  for (int frame = 0; frame < frames; frame++) {
    mj_step1(m, d);
    mj_fwdActuation(m, d);
    mj_fwdAcceleration(m, d);
    mju_copy(warm, d->qacc_warmstart, m->nv);
    mj_copyData(other, m, d);
    if (d->nefc > MOST_ROWS)
      bench_die("%s: %d rows are too many", name, d->nefc);
    save(&s, start);
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (int r = 0; r < TIMED; r++) {
      mju_copy(d->qacc_warmstart, warm, m->nv);
      mju_copy(other->qacc_warmstart, warm, m->nv);
      restore(start, &s);
      least[0] = fmin(least[0], time_mujoco(m, d));
      const double began = bench_processor();
      if (perp_mj_solve(m, other, &s) || (s.rows > 0 && s.result.outcome != PERP_SOLVED))
        bench_die("%s: %s", name, s.result.message.text);
      least[1] = fmin(least[1], bench_processor() - began);
    }
    rows = d->nefc > rows ? d->nefc : rows;
    steps[0] += steps_of(d);
    steps[1] += (double)s.iterations;
    total[0] += least[0];
    total[1] += least[1];
    ratio[frame] = least[1] / least[0];
    apart = fmax(apart, compare(m->nv, d->qacc, other->qacc, d->qacc_smooth));
    mj_Euler(m, d);
  }
  printf("%s,%d,%d,%.1f,%.2f,%.1f,%.2f,%.2f,%.2f,%.1e\n", name, rows, m->nv,
         1e6 * total[0] / frames, steps[0] / frames, 1e6 * total[1] / frames, steps[1] / frames,
         total[1] / total[0], kit_median(frames, ratio), apart);
  fflush(stdout);
  perp_mj_close(&s);
  mj_deleteData(other);
  free(start);
  free(ratio);
  free(warm);
}

/* Robots of a folder and piles of bodies, in pyramids and in cones. */
static void race_laws(const char *folder)
{
  static const char *const robots[] = {"gripper", "quadruped", "humanoid", "hand", "lying"};
  static const int piles[][2] = {{5, 250}, {10, 250}, {28, 50}, {30, 250}, {66, 250}};
  enum { ROBOTS = sizeof robots / sizeof *robots, PILES = sizeof piles / sizeof *piles };
  printf("scene,rows,velocities,Newton us,steps,soft us,steps,ratio,median ratio,apart\n");
  for (int k = 0; k < ROBOTS + 2 * PILES; k++) {
    const int *pile = piles[(k - ROBOTS + PILES) % PILES], round = k >= ROBOTS + PILES;
    char name[1000], why[500] = "";
    mjModel *m;
    if (k < ROBOTS) {
      snprintf(name, sizeof name, "%s/%s.xml", folder, robots[k]);
      m = mj_loadXML(name, NULL, why, sizeof why);
      if (!m)
        bench_die("%s: %s", name, why);
      snprintf(name, sizeof name, "%s", robots[k]);
    } else {
      m = make_scene(pile[0]);
      m->opt.cone = round ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      m->opt.disableflags &= ~mjDSBL_WARMSTART;
      snprintf(name, sizeof name, "%d bodies in %s", pile[0], round ? "cones" : "pyramids");
    }
    m->opt.solver = mjSOL_NEWTON;
    mjData *d = mj_makeData(m);
    if (m->nkey > 0)
      mj_resetDataKeyframe(m, d, m->nkey - 1);
    for (int step = 0; step < (k < ROBOTS ? 50 : pile[1]); step++)
      mj_step(m, d);
    race_law(m, d, name, k < ROBOTS ? 200 : 50);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

/* With the name of a folder: writes the problems there. */
int main(int count, char **argument)
{
  if (count > 2 && !strcmp(argument[1], "--soft")) {
    race_laws(argument[2]);
    return 0;
  }
  /* bodies, and steps until the race: in the fall and at rest */
  static const int sizes[][2] = {{5, 300}, {10, 300}, {28, 100}, {30, 300}, {64, 120}, {66, 300}};
  printf(
      "MuJoCo's Newton (%s) against primal to the same residual, medians of %d; goal: not slower\n",
      mj_versionString(), (int)TIMED);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    mjModel *m = make_scene(sizes[k][0]);
    mjData *d = mj_makeData(m), *other = mj_makeData(m);
    for (int step = 0; step < sizes[k][1]; step++)
      mj_step(m, d);
    race(m, d, other);
    if (count > 1) {
      prepare(m, d, mjJAC_DENSE);
      perp_instance instance = dump(m, d);
      char path[512];
      snprintf(path, sizeof path, "%s/pile-%d", argument[1], d->nefc);
      if (perp_folder_write(path, &instance, NULL))
        bench_die("%s cannot be written", path);
      discard(&instance);
    }
    mj_deleteData(other);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  return 0;
}
