/* device.c: device memory, and placement of the arrays of a solve */
#include "device/device.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/sized.h"

#include <string.h>

struct perp_device_rooms {
  const perp_rooms *of;
  void *state;
  perp_device_rooms *next;
  perp_device_block room[];
};

void perp_device_facts_sized(const perp_device *d, perp_device_info *info, size_t size)
{
  perp_device_info own;
  if (!info)
    return;
  memset(&own, 0, sizeof own);
  if (d) {
    own.name = d->name;
    own.title = d->title;
    own.processors = d->processors;
    own.memory = d->memory;
    own.uploaded = d->uploaded;
    own.downloaded = d->downloaded;
    own.kernel_seconds = d->kernel_seconds;
    for (const perp_device_rooms *r = d->rooms; r; r = r->next)
      for (int k = 0; k < r->of->count; k++)
        own.taken += (int64_t)r->room[k].bytes;
    for (const perp_placement *p = d->placements; p; p = p->next)
      own.taken += (int64_t)p->bytes;
  }
  perp_sized_write(&own, sizeof own, info, size);
}

void perp_device_set_judge(perp_device *device, perp_judge_place place)
{
  if (device)
    device->judge = place;
}

void perp_device_set_precision(perp_device *device, perp_precision precision)
{
  if (device)
    device->precision = precision;
}

perp_error perp_device_alloc(perp_device *device, size_t bytes, void **block, perp_message *why)
{
  if (!device || !block)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "device or block is NULL");
  *block = device->table->allocate(device, bytes);
  return *block ? PERP_OK
                : perp_fail(why, PERP_ERROR_MEMORY,
                            "%s is out of memory: cannot allocate %zu bytes", device->name, bytes);
}

void perp_device_free(perp_device *device, void *block)
{
  if (device && block)
    device->table->release(device, block);
}

perp_error perp_device_upload(perp_device *device, void *to, const void *from, size_t bytes,
                              perp_message *why)
{
  if (!device || (bytes > 0 && (!to || !from)))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "device, to or from is NULL");
  device->uploaded += (int64_t)bytes;
  return device->table->copy_in(device, to, from, bytes, why);
}

perp_error perp_device_download(perp_device *device, void *to, const void *from, size_t bytes,
                                perp_message *why)
{
  if (!device || (bytes > 0 && (!to || !from)))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "device, to or from is NULL");
  device->downloaded += (int64_t)bytes;
  return device->table->copy_out(device, to, from, bytes, why);
}

perp_error perp_device_set_stream(perp_device *device, void *stream, perp_message *why)
{
  if (!device)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "device is NULL");
  if (device->table->set_stream)
    return device->table->set_stream(device, stream, why);
  return stream ? perp_fail(why, PERP_ERROR_ARGUMENT, "device %s has no streams", device->name)
                : PERP_OK;
}

perp_error perp_device_wait(perp_device *device, perp_message *why)
{
  if (!device)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "device is NULL");
  return device->table->wait ? device->table->wait(device, why) : PERP_OK;
}

/* Returns the rooms of a user, created at the first call. */
static perp_device_rooms *rooms_of(perp_device *d, const perp_rooms *of)
{
  for (perp_device_rooms *r = d->rooms; r; r = r->next)
    if (r->of == of)
      return r;
  perp_device_rooms *r = perp_alloc_zero(1, sizeof *r + (size_t)of->count * sizeof *r->room);
  void *state = r && of->state > 0 ? perp_alloc_zero(1, of->state) : NULL;
  if (!r || (of->state > 0 && !state)) {
    perp_free(r);
    return NULL;
  }
  r->of = of;
  r->state = state;
  r->next = d->rooms;
  return d->rooms = r;
}

void *perp_device_room(perp_device *d, const perp_rooms *of, int room, size_t bytes)
{
  perp_device_rooms *r = rooms_of(d, of);
  if (!r)
    return NULL;
  perp_device_block *block = &r->room[room];
  if (bytes == 0)
    bytes = 1;
  if (block->bytes < bytes) {
    if (block->block)
      d->table->release(d, block->block);
    block->block = d->table->allocate(d, bytes);
    block->bytes = block->block ? bytes : 0;
  }
  return block->block;
}

void *perp_device_state(perp_device *d, const perp_rooms *of)
{
  perp_device_rooms *r = rooms_of(d, of);
  return r ? r->state : NULL;
}

void perp_placement_destroy(perp_placement **owner)
{
  perp_placement *p = *owner;
  if (!p)
    return;
  for (perp_placement **link = &p->device->placements; *link; link = &(*link)->next)
    if (*link == p) {
      *link = p->next;
      break;
    }
  for (int k = 0; k < PERP_PLACED_ARRAYS; k++)
    perp_device_free(p->device, p->block[k]);
  perp_free(p);
  *owner = NULL;
}

perp_error perp_placement_create(perp_device *d, int count, const perp_placing *inputs,
                                 uint64_t values, perp_placement **owner, perp_message *why)
{
  perp_placement *p = perp_alloc_zero(1, sizeof *p);
  if (!p)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for arrays on %s", d->name);
  *p = (perp_placement){.device = d, .values = values, .owner = owner, .next = d->placements};
  *owner = d->placements = p;
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    const perp_placing *a = &inputs[k];
    if (!a->array)
      continue;
    error = perp_device_alloc(d, a->bytes, &p->block[k], why);
    if (!error)
      error = perp_device_upload(d, p->block[k], a->array, a->bytes, why);
    p->bytes += a->bytes;
  }
  if (error)
    perp_placement_destroy(owner);
  return error;
}

void perp_device_empty(perp_device *d)
{
  while (d->placements)
    perp_placement_destroy(d->placements->owner);
  while (d->rooms) {
    perp_device_rooms *r = d->rooms;
    for (int k = 0; k < r->of->count; k++)
      perp_device_free(d, r->room[k].block);
    d->rooms = r->next;
    perp_free(r->state);
    perp_free(r);
  }
}

static perp_error no_room(const perp_device *d, size_t bytes, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "%s is out of memory for an array of %zu bytes", d->name,
                   bytes);
}

perp_error perp_device_place_result(perp_device *d, const perp_rooms *of, int room, void *array,
                                    size_t bytes, bool filled, void **there, perp_message *why)
{
  *there = array;
  if (!array || d->table->reads(d, array))
    return PERP_OK;
  *there = perp_device_room(d, of, room, bytes);
  if (!*there)
    return no_room(d, bytes, why);
  return filled ? perp_device_upload(d, *there, array, bytes, why) : PERP_OK;
}

perp_error perp_device_place(perp_device *d, const perp_rooms *of, int count,
                             const perp_placing *inputs, perp_message *why)
{
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    const perp_placing *a = &inputs[k];
    error = perp_device_place_result(d, of, a->room, (void *)a->array, a->bytes, true,
                                     (void **)a->there, why);
  }
  return error;
}

perp_error perp_device_fetch(perp_device *d, void *array, const void *there, size_t bytes,
                             perp_message *why)
{
  return !array || array == there ? PERP_OK : perp_device_download(d, array, there, bytes, why);
}
