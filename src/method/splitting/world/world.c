/* world.c: contact worlds on devices: copies of their arrays, and the kernel for "host" */
#include "method/splitting/world/kernel/solve.h"

enum {
  ROOM_ROWS,
  ROOM_BODIES,
  ROOM_BODY,
  ROOM_J,
  ROOM_MINV,
  ROOM_C,
  ROOM_B,
  ROOM_LO,
  ROOM_HI,
  ROOM_FINDEX,
  ROOM_MU,
  ROOM_ORDER,
  ROOM_X,
  ROOM_Y,
  ROOM_END,
  ROOMS
};
static const perp_rooms rooms = {.count = ROOMS};

/* Counts rows on the CPU, before the offsets are copied. */
static int64_t all_rows(const perp_world_job *job)
{
  return job->rows ? job->rows[job->count] : (int64_t)job->count * job->n;
}

static int64_t all_bodies(const perp_world_job *job)
{
  return job->bodies ? job->bodies[job->count] : (int64_t)job->count * job->m;
}

perp_error perp_world_place(perp_device *d, const perp_world_job *job, perp_world_job *there,
                            perp_message *why)
{
  const size_t real = sizeof(double), rows = (size_t)all_rows(job);
  const size_t bodies = (size_t)all_bodies(job), freedom = (size_t)job->freedom;
  const size_t set = job->same_K ? (size_t)job->n : rows;
  const size_t offsets = ((size_t)job->count + 1) * sizeof *job->rows;
  const size_t ends = (size_t)job->count * sizeof *job->end;
  *there = *job;
  const perp_placing inputs[] = {
      {ROOM_ROWS, job->rows, offsets, (const void **)&there->rows},
      {ROOM_BODIES, job->bodies, offsets, (const void **)&there->bodies},
      {ROOM_BODY, job->body, 2 * (rows / (size_t)job->together) * sizeof *job->body,
       (const void **)&there->body},
      {ROOM_J, job->J, 2 * freedom * rows * real, (const void **)&there->J},
      {ROOM_MINV, job->Minv, freedom * freedom * bodies * real, (const void **)&there->Minv},
      {ROOM_C, job->C, rows * real, (const void **)&there->C},
      {ROOM_B, job->b, rows * real, (const void **)&there->b},
      {ROOM_LO, job->lo, set * real, (const void **)&there->lo},
      {ROOM_HI, job->hi, set * real, (const void **)&there->hi},
      {ROOM_FINDEX, job->findex, set * sizeof *job->findex, (const void **)&there->findex},
      {ROOM_MU, job->mu, set / 3 * real, (const void **)&there->mu},
      {ROOM_ORDER, job->order, (size_t)job->count * sizeof *job->order,
       (const void **)&there->order},
      {ROOM_X, job->x, rows * real, (const void **)&there->x},
      {ROOM_END, job->end, ends, (const void **)&there->end},
  };
  perp_error error = perp_device_place(d, &rooms, sizeof inputs / sizeof *inputs, inputs, why);
  if (!error)
    error = perp_device_place_result(d, &rooms, ROOM_Y, job->y, rows * real, false,
                                     (void **)&there->y, why);
  return error;
}

perp_error perp_world_fetch(perp_device *d, const perp_world_job *job, const perp_world_job *there,
                            perp_message *why)
{
  const size_t rows = (size_t)all_rows(job) * sizeof(double);
  perp_error error = perp_device_fetch(d, job->x, there->x, rows, why);
  if (!error)
    error = perp_device_fetch(d, job->y, there->y, rows, why);
  if (!error)
    error = perp_device_fetch(d, job->end, there->end, (size_t)job->count * sizeof *job->end, why);
  return error;
}

/* ---- The device "host" ---- */

static void solve(const void *task, int at, double *memory)
{
  const perp_world_job *job = task;
  const int k = job->order ? job->order[at] : at, kind = perp_world_kind(job);
  if (perp_world_width(job->freedom) == 6)
    perp_world_one(perp_team_alone, job, k, 6, kind, memory);
  else
    perp_world_one(perp_team_alone, job, k, 4, kind, memory);
}

static size_t team_bytes(const void *task)
{
  return perp_world_bytes(task);
}

const perp_kernel perp_kernel_worlds = {
    .title = "contact worlds", .problem = solve, .problem_bytes = team_bytes};
