/* contact_host.h: the kernel of contact sweeps on the processor */
#pragma once

#include "device/contact/contacts.h"

/* One sweep, colour by colour. */
void perp_contacts_host(const perp_contacts *c);
void perp_rigids_host(perp_rigids_op op, const perp_rigids *s);
