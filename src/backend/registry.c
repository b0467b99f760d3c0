/* registry.c: every kind of device, one line each, and devices by name */
#include "base/message.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#ifdef PERP_HAVE_CUDA
extern const perp_device_table perp_device_cuda;
static const perp_device_table *const cuda = &perp_device_cuda;
#else
static const perp_device_table *const cuda = NULL;
#endif

/* A kind that is not compiled in has no table. */
static perp_error find(const char *kind, size_t length, const perp_device_table **table,
                       perp_message *why)
{
  const struct {
    const char *kind;
    const perp_device_table *table;
  } kinds[] = {{"host", &perp_device_host}, {"cuda", cuda}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strlen(kinds[k].kind) == length && strncmp(kinds[k].kind, kind, length) == 0) {
      *table = kinds[k].table;
      return *table ? PERP_OK
                    : perp_fail(why, PERP_ERROR_BACKEND,
                                "this library was built without %s (make cuda, or "
                                "-DPERP_WITH_CUDA=ON)",
                                kinds[k].kind);
    }
  return perp_fail(why, PERP_ERROR_ARGUMENT, "there is no device \"%.64s\"; use host or cuda:0",
                   kind);
}

perp_error perp_device_create(const char *name, perp_device **device, perp_message *why)
{
  enum { MOST = 1000 };
  if (!name || !device)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "name or device is NULL");
  *device = NULL;
  const char *colon = strchr(name, ':');
  const perp_device_table *table = NULL;
  const perp_error error = find(name, colon ? (size_t)(colon - name) : strlen(name), &table, why);
  if (error)
    return error;
  char *end = NULL;
  const bool digits = !colon || (colon[1] >= '0' && colon[1] <= '9');
  const long index = colon && digits ? strtol(colon + 1, &end, 10) : 0;
  if (!digits || (end && *end) || index > MOST)
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "device \"%.64s\": write a number from 0 to 1000 after the colon, as in cuda:0", name);
  return table->open((int)index, device, why);
}

void perp_device_destroy(perp_device *device)
{
  if (!device)
    return;
  perp_device_empty(device);
  device->table->close(device);
}
