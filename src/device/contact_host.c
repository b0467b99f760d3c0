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

void perp_rigids_host(perp_rigids_op op, const perp_rigids *s)
{
  if (op == PERP_RIGIDS_SWEEP) {
    for (int c = 0; c < s->contacts; c++)
      perp_rigid_relax(s, c, s->part_of_K, !s->inertia, s->compliant);
    return;
  }
  double sum = 0;
  for (int64_t i = 0; i < 3 * s->pitch; i++)
    sum += perp_rigid_number(s, op, i);
  const bool summed = op == PERP_RIGIDS_STEP || op == PERP_RIGIDS_DISTANCE;
  for (int k = 0; summed && k < PERP_RIGIDS_PARTS; k++)
    s->part[k] = k == 0 ? sum : 0;
  for (int k = 0; op == PERP_RIGIDS_EXTRAPOLATE && k < s->bodies; k++)
    perp_rigid_stop(s, k);
  for (int c = 0; op == PERP_RIGIDS_EXTRAPOLATE && c < s->contacts; c++)
    perp_rigid_renew(s, c, s->part_of_K, !s->inertia);
}
