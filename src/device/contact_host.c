/* contact_host.c: the kernel of contact sweeps for the processor, group after group */
#include "device/contact_host.h"

#include "device/team_host.h"

#include <math.h>

#include "device/contact/rigid.h"
#include "device/contact/sweep.h"

void perp_contacts_host(const perp_contacts *c)
{
  for (int g = 0; g < c->start[c->colours]; g++)
    if (c->width == 6)
      perp_contacts_relax(c, g, 6);
    else
      perp_contacts_relax(c, g, 4);
}

void perp_rigids_host(const perp_rigids *s)
{
  for (int c = 0; c < s->contacts; c++)
    perp_rigid_relax(s, c, s->part, !s->inertia, s->compliant);
}
