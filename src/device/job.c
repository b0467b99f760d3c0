/* job.c: copies the arrays of a job to a device and back */
#include "device/job.h"

enum { ROOM_A, ROOM_B, ROOM_LO, ROOM_HI, ROOM_ROWS, ROOM_MATRIX, ROOM_X, ROOM_Y, ROOM_END, ROOMS };
static const perp_rooms rooms = {.count = ROOMS};

/* Returns the number of rows of all problems. Reads offsets on the host, before they are copied. */
static int64_t all_rows(const perp_job *job)
{
  return job->rows ? job->rows[job->count] : (int64_t)job->count * job->n;
}

static int64_t matrix_entries(const perp_job *job)
{
  return (job->lead > job->n ? job->lead : job->n) * (int64_t)job->n;
}

static int64_t all_entries(const perp_job *job)
{
  return job->same_A   ? matrix_entries(job)
         : job->matrix ? job->matrix[job->count]
                       : job->count * matrix_entries(job);
}

perp_error perp_job_place(perp_device *d, const perp_job *job, perp_job *there, perp_message *why)
{
  const size_t real = sizeof(double), vectors = (size_t)all_rows(job) * real;
  const size_t matrices = (size_t)all_entries(job) * real;
  const size_t bounds = job->same_K ? (size_t)job->n * real : vectors;
  const size_t offsets = ((size_t)job->count + 1) * sizeof *job->rows;
  *there = *job;
  const perp_placing inputs[] = {
      {ROOM_A, job->A, matrices, (const void **)&there->A},
      {ROOM_B, job->b, vectors, (const void **)&there->b},
      {ROOM_LO, job->lo, bounds, (const void **)&there->lo},
      {ROOM_HI, job->hi, bounds, (const void **)&there->hi},
      {ROOM_ROWS, job->rows, offsets, (const void **)&there->rows},
      {ROOM_MATRIX, job->matrix, offsets, (const void **)&there->matrix},
  };
  perp_error error = perp_device_place(d, &rooms, sizeof inputs / sizeof *inputs, inputs, why);
  if (!error)
    error =
        perp_device_place_result(d, &rooms, ROOM_X, job->x, vectors, true, (void **)&there->x, why);
  if (!error)
    error = perp_device_place_result(d, &rooms, ROOM_Y, job->y, vectors, false, (void **)&there->y,
                                     why);
  if (!error)
    error = perp_device_place_result(d, &rooms, ROOM_END, job->end,
                                     (size_t)job->count * sizeof *job->end, true,
                                     (void **)&there->end, why);
  return error;
}

perp_error perp_job_fetch(perp_device *d, const perp_job *job, const perp_job *there,
                          perp_message *why)
{
  const size_t vectors = (size_t)all_rows(job) * sizeof(double);
  perp_error error = perp_device_fetch(d, job->x, there->x, vectors, why);
  if (!error)
    error = perp_device_fetch(d, job->y, there->y, vectors, why);
  if (!error)
    error = perp_device_fetch(d, job->end, there->end, (size_t)job->count * sizeof *job->end, why);
  return error;
}
