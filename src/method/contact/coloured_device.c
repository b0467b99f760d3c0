/* coloured_device.c: projected over-relaxation by colours on a device, for contacts of rigid bodies
 *
 * The rows are packed as on the CPU (operator/contact/rigid.c), in the order of their colours and
 * number by number; the velocities and x stay on the device, and x comes back for each check. Memory
 * of the device: 28 numbers for each contact with friction, 8 for each body. */
#include "method/contact/coloured_device.h"

#include "base/message.h"
#include "operator/contact/packets.h"

#include <math.h>

enum {
  ROOM_NUMBERS,
  ROOM_BODY,
  ROOM_INERTIA,
  ROOM_VELOCITIES,
  ROOM_SLIP,
  ROOM_X,
  ROOM_BEFORE,
  ROOM_DIRECTION,
  ROOM_MARKED,
  ROOM_PARTS,
  ROOMS
};
static const perp_rooms rooms = {.count = ROOMS};

typedef struct sweeper {
  perp_relaxer relaxer; /* first: for the driver */
  perp_run *run;
  perp_device *device;
  const perp_contact_packed *rigid;
  perp_rigids rigids;
  double *x;    /* in the order of the device, on the CPU */
  double *part; /* of sums; NULL: not needed yet */
  perp_error failure;
} sweeper;

static void note(sweeper *s, perp_error error, const perp_message *why)
{
  if (error && !s->failure)
    s->failure = perp_run_fail(s->run, error, "%s", why->text);
}

/* Returns the place of the next contact in the order of the device, as a place in the packets of
 * the CPU. */
static int64_t next_place(const perp_contact_packed *r, int64_t place)
{
  while (place < (int64_t)r->packets.count * PERP_PACKET_LANES && r->packets.group[place] < 0)
    place++;
  return place;
}

/* Writes contact number `at`, in a lane of its packet, with the steps of omega = 1. cone: 1 if
 * there are cones, whose mu replaces the bounds. */
static void lay_contact(const sweeper *s, int64_t place, int64_t at, int cone, double *numbers,
                        int *body)
{
  enum { LANES = PERP_PACKET_LANES };
  const perp_contact_packed *r = s->rigid;
  const int64_t pitch = s->rigids.pitch, packet = place / LANES, lane = place % LANES;
  const double *own = r->packed + packet * r->stride + lane;
  const double *x = r->x + packet * 3 * LANES + lane;
  for (int k = 0; k < r->stride / LANES; k++)
    numbers[(k < PERP_RIGID_BOUNDS ? k : k + cone) * pitch + at] = own[LANES * k];
  if (cone)
    numbers[PERP_RIGID_BOUNDS * pitch + at] = s->relaxer.K->mu[r->packets.group[place]];
  for (int t = 0; t < 3; t++)
    s->x[t * pitch + at] = x[LANES * t];
  for (int side = 0; side < 2; side++)
    body[2 * at + side] = r->body[packet * 2 * LANES + side * LANES + lane] / PERP_RIGID_BODY;
}

static perp_error place_contacts(sweeper *s)
{
  const perp_contact_packed *r = s->rigid;
  const perp_contact_packets *packets = &r->packets;
  perp_rigids *c = &s->rigids;
  const size_t contacts = (size_t)s->relaxer.K->n / 3, pitch = (contacts + 31) / 32 * 32;
  const int cone = s->relaxer.K->cones > 0;
  const size_t count = (size_t)(r->stride / PERP_PACKET_LANES + cone) * pitch;
  const size_t bodies = (size_t)r->bodies * PERP_RIGID_BODY, real = sizeof(double);
  int *start, *body;
  double *numbers, *slip = NULL;
  if (!PERP_TAKE_ZERO(s->run->arena, PERP_ARRAY(numbers, count), PERP_ARRAY(body, 2 * pitch),
                      PERP_ARRAY(start, packets->colours + 1), PERP_ARRAY(s->x, 3 * pitch)) ||
      (cone && !PERP_TAKE_ZERO(s->run->arena, PERP_ARRAY(slip, pitch))))
    return perp_run_no_memory(s->run);
  *c = (perp_rigids){.contacts = (int)contacts,
                     .colours = packets->colours,
                     .part_of_K = cone ? PERP_RIGIDS_CONE : (int)r->part,
                     .bodies = r->bodies,
                     .compliant = r->own > 0,
                     .pitch = (int64_t)pitch,
                     .start = start};
  for (int64_t at = 0, place = -1; at < c->contacts; at++) {
    place = next_place(r, place + 1);
    lay_contact(s, place, at, cone, numbers, body);
  }
  for (int q = 0; q < packets->colours; q++) {
    start[q + 1] = start[q];
    for (int k = packets->colour_start[q] * PERP_PACKET_LANES;
         k < packets->colour_start[q + 1] * PERP_PACKET_LANES; k++)
      start[q + 1] += packets->group[k] >= 0;
  }
  const perp_placing arrays[] = {
      {ROOM_NUMBERS, numbers, count * real, (const void **)&c->numbers},
      {ROOM_BODY, body, 2 * pitch * sizeof *body, (const void **)&c->body},
      {ROOM_INERTIA, r->inertia, bodies * real, (const void **)&c->inertia},
      {ROOM_VELOCITIES, r->v, bodies * real, (const void **)&c->v},
      {ROOM_SLIP, slip, pitch * real, (const void **)&c->slip},
      {ROOM_X, s->x, 3 * pitch * real, (const void **)&c->x},
  };
  perp_message why = {""};
  const perp_error error =
      perp_device_place(s->device, &rooms, sizeof arrays / sizeof *arrays, arrays, &why);
  return error ? perp_run_fail(s->run, error, "%s", why.text) : PERP_OK;
}

/* ---- The relaxer ---- */

/* x <- the x of the device */
static void store(perp_relaxer *relaxer)
{
  sweeper *s = (sweeper *)relaxer;
  perp_message why = {""};
  if (s->failure)
    return;
  note(s,
       perp_device_fetch(s->device, s->x, s->rigids.x, 3 * (size_t)s->rigids.pitch * sizeof *s->x,
                         &why),
       &why);
  for (int64_t at = 0, place = -1; at < s->rigids.contacts; at++) {
    place = next_place(s->rigid, place + 1);
    for (int t = 0; t < 3; t++)
      relaxer->x[3 * (int64_t)s->rigid->packets.group[place] + t] = s->x[t * s->rigids.pitch + at];
  }
}

static void sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  sweeper *s = (sweeper *)relaxer;
  perp_message why = {""};
  (void)order;
  s->rigids.omega = omega;
  if (s->failure)
    perp_run_claim(s->run, PERP_STAGNATED); /* never reported: the solve returns the failure */
  else
    note(s, perp_device_launch(s->device, &perp_kernel_rigids, PERP_RIGIDS_SWEEP, &s->rigids, &why),
         &why);
}

/* ---- Between sweeps ---- */

/* Allocates the vectors, once per solve. */
static perp_error take_vectors(sweeper *s)
{
  perp_rigids *c = &s->rigids;
  const size_t vector = 3 * (size_t)c->pitch * sizeof(double);
  s->part = perp_run_reals(s->run, PERP_RIGIDS_PARTS);
  c->part = perp_device_room(s->device, &rooms, ROOM_PARTS, PERP_RIGIDS_PARTS * sizeof *s->part);
  c->before = perp_device_room(s->device, &rooms, ROOM_BEFORE, vector);
  c->direction = perp_device_room(s->device, &rooms, ROOM_DIRECTION, vector);
  c->marked = perp_device_room(s->device, &rooms, ROOM_MARKED, vector);
  return s->part && c->part && c->before && c->direction && c->marked ? PERP_OK
                                                                      : perp_run_no_memory(s->run);
}

perp_error perp_coloured_vectors(perp_relaxer *relaxer, int op, double beta, double *square)
{
  sweeper *s = (sweeper *)relaxer;
  perp_message why = {""};
  if (!s->failure && !s->part)
    s->failure = take_vectors(s);
  if (s->failure)
    return s->failure;
  s->rigids.beta = beta;
  perp_error error = perp_device_launch(s->device, &perp_kernel_rigids, op, &s->rigids, &why);
  if (!error && square) {
    error = perp_device_download(s->device, s->part, s->rigids.part,
                                 PERP_RIGIDS_PARTS * sizeof *s->part, &why);
    *square = 0;
    for (int q = 0; q < PERP_RIGIDS_PARTS && !error; q++)
      *square += s->part[q];
  }
  note(s, error, &why);
  return s->failure;
}

/* ---- Construction ---- */

perp_error perp_coloured_failure(const perp_relaxer *relaxer)
{
  return ((const sweeper *)relaxer)->failure;
}

perp_error perp_coloured_create(perp_run *run, double *x, perp_relaxer **relaxer)
{
  const perp_problem *p = run->problem;
  perp_device *device = run->options->device;
  const char *name = perp_device_facts(device).name;
  if (p->K.cones > 0 && (3 * p->K.cones != p->K.n || p->K.cone))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "%s on device %s takes only cones, or none",
                         perp_run_method(run), name);
  if (!perp_operator_is_contact(p->A))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "%s on device %s takes contact operators, this one is %s",
                         perp_run_method(run), name, perp_operator_kind(p->A));
  perp_message why = {""};
  const perp_error error = perp_relax_check_diagonal(perp_run_method(run), p->A, run->arena, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  perp_contact_packed *rigid = NULL;
  if (perp_contact_coloured_create(p->A, p->b, &p->K, x, run->arena, &rigid))
    return perp_run_no_memory(run);
  if (!rigid)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "%s on device %s takes only contacts of rigid bodies with three rows each, "
        "and a diagonal C",
        perp_run_method(run), name);
  sweeper *s = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return perp_run_no_memory(run);
  s->relaxer = (perp_relaxer){.A = p->A,
                              .b = p->b,
                              .K = &p->K,
                              .threads = 1,
                              .x = x,
                              .moved = (double)NAN,
                              .sweep = sweep,
                              .store = store};
  s->run = run;
  s->device = device;
  s->rigid = rigid;
  *relaxer = &s->relaxer;
  return place_contacts(s);
}
