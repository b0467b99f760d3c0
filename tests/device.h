/* device.h: the device of the tests, "host", or that of PERP_TEST_DEVICE in the environment */
#pragma once

#include "test.h"

#include <perp/perp.h>

#include <stdlib.h>

static const char *device_name(void)
{
  const char *name = getenv("PERP_TEST_DEVICE");
  return name ? name : "host";
}

static perp_device *open_device(void)
{
  perp_device *device = NULL;
  perp_message why = {""};
  CHECK_SAY(perp_device_create(device_name(), &device, &why) == PERP_OK, "%s", why.text);
  return device;
}
