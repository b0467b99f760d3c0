/* test_frame_changes.c: frames whose contacts, bodies and masses change in between
 *
 * A scene moves. After each step its problem is changed: contacts vanish, contacts come twice, a body goes,
 * or its masses spread from 1e-9 to 1e9. One solver and one operator go through all changed frames, each
 * from the impulses that perp_contacts_carry finds. A frame must be solved by the judgement of judge.h, which
 * shares no code with the library. Forces of 1e9 that balance on a body of 1e-9 may need more digits than doubles have,
 * so with masses that spread this far an outcome that says why is allowed too, with an x no worse than its
 * start. */
#include "base/random.h"
#include "judge.h"

#include <perp/frame.h>

enum { MOST = 1500, MOST_ENTRIES = 20 * MOST, MOST_BLOCKS = 200 };

typedef enum change { VANISH, DOUBLE, REMOVE, SPREAD, CHANGES } change;
static const char *const names[CHANGES] = {"vanish", "double", "remove", "spread"};

/* A changed frame. Rows are sorted by contact, `width` rows each. */
typedef struct frame {
  int width, contacts, old_contacts;
  uint64_t id[MOST], old_id[MOST];
  double old_x[MOST], x[MOST];
  int64_t J_start[MOST + 1];
  int J_column[MOST_ENTRIES];
  double J_value[MOST_ENTRIES], Minv[36 * MOST_BLOCKS];
  double b[MOST], lo[MOST], hi[MOST], mu[MOST];
  int findex[MOST], block_start[MOST_BLOCKS + 1];
  perp_contact_data data;
  perp_problem problem;
} frame;

/* Returns the first row of the contact that row i belongs to. */
static int leader_of(const perp_set *K, int i)
{
  return K->findex && K->findex[i] >= 0 ? K->findex[i] : i < 3 * K->cones ? i - i % 3 : i;
}

static bool touches(const perp_contact_data *d, int row, int first, int end)
{
  for (int64_t e = d->J_start[row]; e < d->J_start[row + 1]; e++)
    if (d->J_column[e] >= first && d->J_column[e] < end && d->J_value[e] != 0)
      return true;
  return false;
}

static int block_begin(const perp_contact_data *d, int k)
{
  return d->block_start ? d->block_start[k] : d->velocities / d->blocks * k;
}

/* Appends a copy of row `from` as row `to`, whose contact begins at row `leader`. */
static void copy_row(const perp_problem *p, const perp_contact_data *d, int from, int to,
                     int leader, frame *f)
{
  int64_t end = f->J_start[to];
  for (int64_t e = d->J_start[from]; e < d->J_start[from + 1]; e++, end++) {
    CHECK(end < MOST_ENTRIES);
    f->J_column[end] = d->J_column[e];
    f->J_value[end] = d->J_value[e];
  }
  f->J_start[to + 1] = end;
  f->b[to] = p->b[from];
  f->lo[to] = p->K.lo ? p->K.lo[from] : 0;
  f->hi[to] = p->K.hi ? p->K.hi[from] : INFINITY;
  f->findex[to] = p->K.findex && p->K.findex[from] >= 0 ? leader : -1;
}

/* Returns how often the contact at row i comes in the changed frame. */
static int copies_of(const perp_problem *p, const perp_contact_data *d, change what, int body,
                     int i, perp_random *random)
{
  switch (what) {
  case VANISH:
    return perp_random_uniform(random) < 0.7;
  case DOUBLE:
    return 1 + (perp_random_uniform(random) < 0.3);
  case REMOVE:
    for (int k = i; k < p->K.n; k++)
      if (leader_of(&p->K, k) == i && touches(d, k, block_begin(d, body), block_begin(d, body + 1)))
        return 0;
    return 1;
  default:
    return 1;
  }
}

static void scale_masses(const perp_contact_data *d, change what, perp_random *random, frame *f)
{
  size_t at = 0;
  for (int k = 0; k < d->blocks; k++) {
    const int size = block_begin(d, k + 1) - block_begin(d, k);
    const double factor = what == SPREAD ? pow(10, perp_random_between(random, -9, 9)) : 1;
    for (int e = 0; e < size * size; e++, at++) {
      CHECK(at < sizeof f->Minv / sizeof *f->Minv);
      f->Minv[at] = factor * d->Minv[at];
    }
  }
}

/* Takes a body out of J and Minv; the rows that touch it are gone. */
static void remove_body(frame *f, int body)
{
  perp_contact_data *d = &f->data;
  const int begin = block_begin(d, body), end = block_begin(d, body + 1), size = end - begin;
  size_t before = 0, after = 0;
  int64_t to = 0;
  for (int row = 0, e = 0; row < d->rows; row++) {
    for (; e < f->J_start[row + 1]; e++)
      if (f->J_column[e] < begin || f->J_column[e] >= end) {
        f->J_value[to] = f->J_value[e];
        f->J_column[to++] = f->J_column[e] - (f->J_column[e] >= end ? size : 0);
      }
    f->J_start[row + 1] = to;
  }
  for (int k = 0; k < d->blocks; k++) {
    const int width = block_begin(d, k + 1) - block_begin(d, k);
    *(k < body ? &before : &after) += (size_t)(width * width);
    f->block_start[k] = block_begin(d, k < body ? k : k + 1) - (k < body ? 0 : size);
  }
  memmove(f->Minv + before, f->Minv + before + size * size,
          (after - (size_t)(size * size)) * sizeof *f->Minv);
  d->velocities -= size;
  d->blocks--;
  d->block_start = f->block_start;
}

/* Makes the changed frame of p, whose solution is x. Returns false if nothing is left. */
static bool make_frame(const perp_problem *p, const double *x, change what, perp_random *random,
                       frame *f)
{
  perp_contact_data d = perp_contact_data_default();
  CHECK(perp_operator_contact_data(p->A, &d) == PERP_OK && d.Minv && !d.C_start && !d.C_diagonal);
  const int body = perp_random_below(random, d.blocks);
  int rows = 0;
  f->width = f->contacts = f->old_contacts = 0;
  f->J_start[0] = 0;
  for (int i = 0; i < p->K.n; i++) {
    if (leader_of(&p->K, i) != i)
      continue;
    const int copies = copies_of(p, &d, what, body, i, random);
    int width = 0;
    for (int k = i; k < p->K.n; k++)
      if (leader_of(&p->K, k) == i)
        f->old_x[f->old_contacts * f->width + width++] = x[k];
    CHECK(f->width == 0 || f->width == width);
    f->width = width;
    f->old_id[f->old_contacts++] = (uint64_t)i;
    for (int copy = 0; copy < copies; copy++) {
      const int leader = rows;
      CHECK(rows + width < MOST);
      for (int k = i; k < p->K.n; k++)
        if (leader_of(&p->K, k) == i)
          copy_row(p, &d, k, rows++, leader, f);
      f->mu[f->contacts] = p->K.cones > 0 ? p->K.mu[i / 3] : 0;
      f->id[f->contacts++] = (uint64_t)i;
    }
  }
  scale_masses(&d, what, random, f);
  f->data = d;
  f->data.rows = rows;
  f->data.J_start = f->J_start;
  f->data.J_column = f->J_column;
  f->data.J_value = f->J_value;
  f->data.Minv = f->Minv;
  if (what == REMOVE && d.blocks > 1)
    remove_body(f, body);
  return rows > 0;
}

/* The counts of one change. */
typedef struct tally {
  int frames, solved;
} tally;

static void solve_frame(const char *scene, change what, frame *f, perp_operator **A,
                        perp_solver *solver, bool cones, tally *t)
{
  perp_message why;
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-8;
  options.time_limit = what == SPREAD ? 0.02 : 0;
  const perp_error error = *A ? perp_operator_contact_replace(*A, &f->data, PERP_COPY, &why)
                              : perp_operator_contact(&f->data, PERP_COPY, A, &why);
  CHECK_SAY(!error, "%s, %s: %s", scene, names[what], why.text);
  f->problem = cones ? perp_problem_cone(*A, f->b, f->mu)
                     : perp_problem_friction(*A, f->b, f->lo, f->hi, f->findex);
  int found;
  CHECK(perp_contacts_carry(f->width, f->old_contacts, f->old_id, f->old_x, f->contacts, f->id,
                            f->x, &found, &why) == PERP_OK);
  CHECK(found == (what == DOUBLE ? f->old_contacts : f->contacts));
  judge j;
  long double rounding, rounding_of_start;
  CHECK(judge_open(&j, &f->problem));
  const long double start = judge_residual(&j, f->x, &rounding_of_start);
  CHECK(perp_solver_solve(solver, &f->problem, &options, f->x, &result) == PERP_OK);
  const long double residual = judge_residual(&j, f->x, &rounding);
  const bool solved = residual <= options.tol * j.scale + rounding;
  t->frames++;
  t->solved += result.outcome == PERP_SOLVED;
  CHECK_SAY(result.outcome != PERP_SOLVED || solved, "%s, %s: solved, judged %Lg", scene,
            names[what], residual / j.scale);
  CHECK_SAY(result.outcome == PERP_SOLVED || (what == SPREAD && result.message.text[0]),
            "%s, %s, %d rows: %s, %g: %s", scene, names[what], f->data.rows,
            perp_outcome_name(result.outcome), result.relative_residual, result.message.text);
  CHECK_SAY(residual <= start + rounding + rounding_of_start, "%s, %s: %Lg from %Lg", scene,
            names[what], residual, start);
  perp_operator_destroy(j.A);
}

static frame changed; /* too large for the stack */

static void change_frames(change what)
{
  static const char *const scenes[] = {
      "cards:levels=2,ball=yes,friction=cone,h=0.00416666666666666667",
      "arch3d:n=9,ball=yes,friction=cone,h=0.00416666666666666667",
      "wall3d:rows=3,columns=3,ball=yes,friction=cone",
      "wall3d:rows=3,columns=3,ball=yes",
      "discs:n=40",
  };
  enum { STEPS = 90, EVERY = 3 };
  const int share = test_share("frames", 3);
  tally t = {0};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    perp_message why;
    perp_simulation *sim = NULL;
    perp_solver *solver = NULL;
    perp_operator *A = NULL;
    perp_random random = perp_random_from(1 + k);
    CHECK(perp_simulation_create(scenes[k], "auto", NULL, &sim, &why) == PERP_OK);
    CHECK(perp_solver_create("auto", &solver, &why) == PERP_OK);
    for (int step = 0; step < STEPS / share; step++) {
      perp_step s;
      CHECK(perp_simulation_step(sim, &s, &why) == PERP_OK);
      const perp_problem *p = perp_simulation_problem(sim);
      if (step % EVERY == 0 && p && p->K.n > 0 &&
          make_frame(p, perp_simulation_solution(sim), what, &random, &changed))
        solve_frame(scenes[k], what, &changed, &A, solver, p->K.cones > 0, &t);
    }
    perp_simulation_destroy(sim);
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
  printf("%s: %d of %d frames solved\n", names[what], t.solved, t.frames);
  CHECK_SAY(t.frames > 100 / share, "%d frames", t.frames);
}

static void contacts_may_vanish(void)
{
  change_frames(VANISH);
}

static void contacts_may_come_twice(void)
{
  change_frames(DOUBLE);
}

static void bodies_may_go(void)
{
  change_frames(REMOVE);
}

static void masses_may_spread_over_18_decades(void)
{
  change_frames(SPREAD);
}

/* Steps from 1e-5 to 0.1 s: each is solved, or its trouble is named; nothing becomes infinite. */
static void time_steps_may_be_short_or_long(void)
{
  static const char *const scenes[] = {"cards:levels=2,ball=yes", "arch3d:n=9,ball=yes",
                                       "wall3d:rows=3,columns=3,ball=yes", "ragdolls:n=1",
                                       "discs:n=40"};
  static const char *const lengths[] = {"1e-5", "1e-4", "0.001", "0.01", "0.1"};
  const int steps = 40 / test_share("steps", 8);
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      char text[128];
      perp_message why;
      perp_simulation *sim = NULL;
      perp_options options = perp_options_default();
      options.tol = 1e-8;
      snprintf(text, sizeof text, "%s,friction=cone,h=%s", scenes[k], lengths[l]);
      CHECK(perp_simulation_create(text, "auto", &options, &sim, &why) == PERP_OK);
      for (int step = 0; step < steps; step++) {
        perp_step s;
        CHECK(perp_simulation_step(sim, &s, &why) == PERP_OK);
        CHECK_SAY(s.outcome == PERP_SOLVED || s.rows == 0, "%s, step %d: %s, %g: %s", text,
                  step + 1, perp_outcome_name(s.outcome), s.relative_residual,
                  perp_simulation_trouble(sim));
        CHECK_SAY(isfinite(s.kinetic) && isfinite(s.potential), "%s, step %d: %g and %g J", text,
                  step + 1, s.kinetic, s.potential);
      }
      perp_simulation_destroy(sim);
    }
}

static const test_case TESTS[] = {
    TEST(contacts_may_vanish),
    TEST(contacts_may_come_twice),
    TEST(bodies_may_go),
    TEST(masses_may_spread_over_18_decades),
    TEST(time_steps_may_be_short_or_long),
};
TEST_MAIN(TESTS)
