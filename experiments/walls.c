/* walls.c: what Morales, Nocedal and Smelyanskiy (2008) printed, and our walls in place of
 * theirs */
#include "walls.h"

#include "mixed_error.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

const int wall_sweeps[WALL_COUNTS] = {2, 20, 100, 1000, 10000};

/* clang-format off */
const wall_published walls[WALLS] = {
    {.name = "nb7_nc18", .n = 18, .nonzeros = 162, .condition = 5.83e1, .coarse = 4, .fine = 6,
     .idle = 4, .found = {3, 4}},
    {.name = "nb8_nc45", .n = 45, .nonzeros = 779, .condition = 2.92e3, .coarse = 17, .fine = 120,
     .idle = 8, .found = {7, 7, 8}},
    {.name = "nb8_nc48", .n = 48, .nonzeros = 868, .condition = 2.38e3, .coarse = 17, .fine = 111,
     .idle = 10, .found = {8, 8, 10}},
    {.name = "nb235_nc1044", .n = 1044, .nonzeros = 14211, .condition = 4.58e4, .coarse = 61,
     .fine = 312, .idle = 58, .found = {12, 40, 52, 58},
     .tron = {9, .03}, .sm_2_3 = {6, .03}, .sm_5_3 = {6, .03}, .sm_5_2 = {5, .02},
     .pgs_seconds = 1.41},
    {.name = "nb449_nc1821", .n = 1821, .nonzeros = 28010, .condition = 4.22e4, .coarse = 132,
     .fine = 414, .idle = 254, .found = {156, 233, 248, 254},
     .tron = {8, .06}, .sm_2_3 = {6, .04}, .sm_5_3 = {5, .03}, .sm_5_2 = {5, .03},
     .pgs_seconds = 0.72},
    {.name = "nb907_nc5832", .n = 5832, .nonzeros = 176735, .condition = 5.11e7, .coarse = 21,
     .fine = 16785, .idle = 1512, .found = {1253, 1301, 1333, 1399, 1471},
     .ipm_seconds = 0.50, .sm_seconds = 0.22, .ipm_nonzeros = 216080, .sm_nonzeros = 114864,
     .ipm_factors = 17, .sm_factors = 7,
     .tron = {100, 22.3}, .sm_2_3 = {9, .30}, .sm_5_3 = {7, .22}, .sm_5_2 = {7, .24},
     .pgs_seconds = -300},
    {.name = "nb948_nc7344", .n = 7344, .nonzeros = 269765, .condition = 9.02e7, .coarse = 3123,
     .fine = -50000, .idle = 1828, .found = {1504, 1523, 1542, 1614, 1707},
     .ipm_seconds = 1.02, .sm_seconds = 0.46, .ipm_nonzeros = 406152, .sm_nonzeros = 218522,
     .ipm_factors = 18, .sm_factors = 9,
     .tron = {182, 91.0}, .sm_2_3 = {9, .48}, .sm_5_3 = {9, .46}, .sm_5_2 = {7, .39},
     .pgs_seconds = -300},
    {.name = "nb966_nc8220", .n = 8220, .nonzeros = 368604, .condition = 9.19e7, .coarse = 1601,
     .fine = 39103, .idle = 2321, .found = {2112, 2106, 2109, 2178, 2253},
     .ipm_seconds = 2.40, .sm_seconds = 0.63, .ipm_nonzeros = 797989, .sm_nonzeros = 398821,
     .ipm_factors = 16, .sm_factors = 7,
     .tron = {191, 67.8}, .sm_2_3 = {7, .64}, .sm_5_3 = {7, .63}, .sm_5_2 = {6, .59},
     .pgs_seconds = -300},
    {.name = "nb976_nc8745", .n = 8745, .nonzeros = 373848, .condition = 6.45e7, .coarse = 7184,
     .fine = -50000, .idle = 2158, .found = {1728, 1743, 1758, 1870, 1976},
     .ipm_seconds = 1.79, .sm_seconds = 0.66, .ipm_nonzeros = 646929, .sm_nonzeros = 341911,
     .ipm_factors = 19, .sm_factors = 9,
     .tron = {491, 260}, .sm_2_3 = {10, .73}, .sm_5_3 = {9, .66}, .sm_5_2 = {7, .55},
     .pgs_seconds = -300},
    {.name = "nb977_nc9534", .n = 9534, .nonzeros = 494118, .condition = 1.03e8, .coarse = 1246,
     .fine = -50000, .idle = 2728, .found = {2513, 2495, 2505, 2578, 2670},
     .ipm_seconds = 4.67, .sm_seconds = 0.87, .ipm_nonzeros = 1222209, .sm_nonzeros = 604892,
     .ipm_factors = 17, .sm_factors = 6,
     .tron = {229, 186}, .sm_2_3 = {6, .88}, .sm_5_3 = {6, .87}, .sm_5_2 = {6, .89},
     .pgs_seconds = -300},
};

const wall_published wall_journal = {
    .name = "DPJB_1_10000", .n = 10000,
    .tron = {19, 1.12}, .sm_2_3 = {7, .33}, .sm_5_3 = {6, .30}, .sm_5_2 = {6, .30},
    .pgs_seconds = 6.49,
};
/* clang-format on */

const char *const wall_load_names[WALL_LOADS] = {"planted", "standing"};

bool wall_open(experiment *e, const wall_published *w, wall_load load, experiment_case *c)
{
  if (w == &wall_journal)
    return experiment_open(e, c, "journal:n=%d", w->n);
  if (load == WALL_STANDING)
    return experiment_open(e, c, "wall:size=%s", w->name);
  /* a contact has three rows */
  return experiment_open(e, c, "wall:size=%s,plant=yes,degenerate=0,active=%.4f", w->name,
                         1 - 3.0 * w->idle / w->n);
}

double wall_error(const perp_problem *p, const double *x, double *room)
{
  mixed_error e;
  if (perp_operator_apply(p->A, x, room, room + p->K.n, NULL))
    return NAN;
  for (int i = 0; i < p->K.n; i++)
    room[i] += p->b[i];
  return mixed_error_of(p, x, room, &e) ? e.scaled : NAN;
}

typedef struct stopwatch {
  clock_t began;
  double limit;
} stopwatch;

static double elapsed(const stopwatch *w)
{
  return (double)(clock() - w->began) / CLOCKS_PER_SEC;
}

static bool in_time(void *context, const perp_progress *progress)
{
  (void)progress;
  const stopwatch *w = context;
  return elapsed(w) < w->limit;
}

wall_solve wall_run(const perp_problem *p, const char *method, double limit, int iterations)
{
  double *x = calloc((size_t)p->K.n + 1, sizeof *x);
  if (!x)
    return (wall_solve){.seconds = NAN, .residual = NAN};
  perp_options o = perp_options_default();
  o.check_every = -1; /* as without an observer */
  o.observer = in_time;
  o.max_iterations = iterations ? iterations : 1000000000;
  stopwatch watch = {clock(), limit};
  o.observer_context = &watch;
  const experiment_solve s = experiment_run_on(p, method, &o, x, NULL, 0);
  const wall_solve done = {.solved = s.outcome == PERP_SOLVED,
                           .seconds = elapsed(&watch),
                           .residual = s.residual,
                           .counts = s.counts};
  free(x);
  return done;
}

void wall_cell(experiment_table *t, double value)
{
  if (value == 0)
    experiment_cell_text(t, "%s", "");
  else
    experiment_cell_text(t, value < 0 ? ">%.4g" : "%.4g", fabs(value));
}
