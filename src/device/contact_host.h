/* contact_host.h: the kernels of contact sweeps */
#pragma once

#include "device/contact/contacts.h"
#include "device/device.h"

extern const perp_kernel perp_kernel_contacts; /* one sweep of perp_contacts, colour by colour */
extern const perp_kernel perp_kernel_rigids;   /* a perp_rigids_op of perp_rigids */
