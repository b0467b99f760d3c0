/* unsolved.c: steps that are not solved: reported, kept on the disk, counted
 *
 * A step that a limit of the caller ended is expected: it is counted, and its problem is kept if
 * --failed is given. Any other unsolved step is a failure: it is also reported on stderr, and kept next
 * to the page if --failed is not given. The program keeps the first few problems of a run and, of the
 * later ones, the one with the largest residual so far; its folder has the name of that frame. If a
 * problem cannot be written, a message says so and the run continues. */
#include "simulate.h"
#include "watch.h"

#include <math.h>
#include <string.h>

bool unsolved_folder(const sim_request *r, char path[4096])
{
  const char *where = r->files.failed ? r->files.failed : r->files.html;
  if (where == r->files.html && where && strncmp(where, "/dev/", 5) == 0)
    return false; /* no place for a folder */
  return where &&
         snprintf(path, 4096, "%s%s", where, r->files.failed ? "" : ".failed") < 4096 - 200;
}

static bool is_expected(const sim_request *r, const sim_run *run, const perp_step *step)
{
  return (step->outcome == PERP_ITERATION_LIMIT && run->max_iterations > 0) ||
         (step->outcome == PERP_TIME_LIMIT && r->options.time_limit > 0);
}

/* A residual that is not a number is worse than any other. */
static double badness(const perp_step *step)
{
  return isnan(step->relative_residual) ? INFINITY : step->relative_residual;
}

static void count(sim_unsolved *u, const perp_step *step)
{
  enum { RANGES = sizeof u->range / sizeof *u->range, MOST = sizeof u->most / sizeof *u->most };
  if (is_by_ode(step))
    return; /* ODE reported an error, and is not judged */
  u->count++;
  if (u->ranges > 0 && u->range[u->ranges - 1][1] == step->index - 1) {
    u->range[u->ranges - 1][1] = step->index;
  } else if (u->ranges < RANGES) {
    u->range[u->ranges][0] = u->range[u->ranges][1] = step->index;
    u->ranges++;
  }
  int at = u->worst;
  while (at > 0 && u->most[at - 1].residual < badness(step))
    at--;
  if (at == MOST)
    return;
  u->worst += u->worst < MOST;
  memmove(u->most + at + 1, u->most + at, (size_t)(u->worst - 1 - at) * sizeof *u->most);
  u->most[at].frame = step->index;
  u->most[at].residual = badness(step);
}

/* Keeps the problem if it is one of the first or the worst; path is "" if it is not. */
static perp_error keep(const sim_request *r, sim_run *run, const sim_world *world,
                       const perp_step *step, char path[4096], perp_message *why)
{
  sim_unsolved *u = &run->unsolved;
  const bool first = u->kept < UNSOLVED_FIRST;
  char folder[4096], before[4096];
  path[0] = 0;
  if (!unsolved_folder(r, folder) || (!first && !(badness(step) > u->kept_residual)))
    return PERP_OK;
  perp_error error = folder_make(folder, why);
  if (!error)
    error = folder_name(r, run, folder, step->index, path, why);
  if (!error && !first && u->kept_worst > 0)
    error = folder_name(r, run, folder, u->kept_worst, before, why);
  if (!error && !first && u->kept_worst > 0)
    (void)rename(before, path); /* if it is gone already, that is fine */
  if (!error)
    error = perp_problem_write(path, world_problem(world), world_solution(world), why);
  if (error)
    return error;
  u->kept += first;
  u->kept_worst = first ? 0 : step->index;
  u->kept_residual = fmax(u->kept_residual, badness(step));
  return PERP_OK;
}

void unsolved_add(const sim_request *r, sim_run *run, const sim_world *world, const perp_step *step)
{
  sim_unsolved *u = &run->unsolved;
  const bool expected = is_expected(r, run, step);
  char path[4096] = "";
  perp_message why = {""};
  count(u, step);
  perp_error error = PERP_OK;
  if (!u->lost && world_problem(world) && (!expected || r->files.failed))
    error = keep(r, run, world, step, path, &why);
  if (error) {
    complain("frame %lld and later frames are not recorded: %s", (long long)step->index, why.text);
    u->lost = true;
  }
  if (expected || u->told++ >= UNSOLVED_FIRST)
    return;
  watch_steps_pause();
  fprintf(stderr, "perp: %s with %s, frame %lld: %s", run->scene, run->stepper,
          (long long)step->index, perp_outcome_name(step->outcome));
  const char *reason = world_trouble(world);
  if (*reason)
    fprintf(stderr, " (%s)", reason);
  if (!error && *path)
    fprintf(stderr, "; kept in %s", path);
  fputc('\n', stderr);
  if (u->told == UNSOLVED_FIRST)
    fprintf(stderr, "perp: further failures of this run are reported at its end\n");
}

void unsolved_tell(sim_run *run, const sim_world *world, const perp_step *step)
{
  if (run->unsolved.told++ >= UNSOLVED_FIRST)
    return;
  watch_steps_pause();
  fprintf(stderr, "perp: %s with %s, frame %lld: %s\n", run->scene, run->stepper,
          (long long)step->index, world_trouble(world));
}

void unsolved_say(const sim_unsolved *u, char *text, size_t room)
{
  size_t used = 0;
  int64_t named = 0;
  for (int k = 0; k < u->ranges && used < room; k++) {
    const long long a = (long long)u->range[k][0], b = (long long)u->range[k][1];
    used += (size_t)snprintf(text + used, room - used, "%s%lld", k ? ", " : "frames ", a);
    if (b > a && used < room)
      used += (size_t)snprintf(text + used, room - used, "-%lld", b);
    named += b - a + 1;
  }
  if (named < u->count && used < room)
    used +=
        (size_t)snprintf(text + used, room - used, " and %lld more", (long long)(u->count - named));
  for (int k = 0; k < u->worst && used < room; k++)
    used += (size_t)snprintf(text + used, room - used, "%s%lld (%.3g)",
                             k ? ", " : "; the worst (residual): ", (long long)u->most[k].frame,
                             u->most[k].residual);
}
