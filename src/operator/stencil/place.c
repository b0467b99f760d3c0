/* place.c: a stencil operator where the kernels of a device read it */
#include "operator/stencil/place.h"

#include "base/message.h"

#include <string.h>

enum { ROOM_UNKNOWN, ROOM_DIAGONAL, ROOM_WX, ROOM_WY, ROOM_WZ, ARRAYS };
static const perp_rooms rooms = {.count = ARRAYS};

/* The arrays by cell, NULL if all cells have the same number. */
static void list_arrays(const perp_stencil *s, perp_fine *top, perp_placing list[ARRAYS])
{
  const bool weighted = s->mode == PERP_STENCIL_WEIGHTED;
  const size_t cells = (size_t)s->cells * sizeof(double);
  const perp_placing arrays[ARRAYS] = {
      {ROOM_UNKNOWN, s->full ? NULL : s->unknown, (size_t)s->cells * sizeof(int),
       (const void **)&top->unknown},
      {ROOM_DIAGONAL, s->mode == PERP_STENCIL_UNIFORM ? NULL : s->data.diagonal, cells,
       (const void **)&top->a_diagonal},
      {ROOM_WX, weighted ? s->wx : NULL, cells, (const void **)&top->a_wx},
      {ROOM_WY, weighted ? s->wy : NULL, cells, (const void **)&top->a_wy},
      {ROOM_WZ, weighted && s->solid ? s->wz : NULL, cells, (const void **)&top->a_wz},
  };
  memcpy(list, arrays, sizeof arrays);
}

perp_error perp_stencil_place(const perp_stencil *s, perp_device *device, perp_cells *g,
                              perp_fine *top, perp_message *why)
{
  const perp_placement *kept = s->base.placement;
  perp_placing list[ARRAYS];
  g->n[0] = s->data.nx;
  g->n[1] = s->data.ny;
  g->n[2] = s->data.nz;
  g->axes = s->solid ? 3 : 2;
  top->a_weight = s->weight;
  top->a_common = s->diagonal;
  list_arrays(s, top, list);
  if (!kept || kept->device != device || kept->values != s->base.values)
    return perp_device_place(device, &rooms, ARRAYS, list, why);
  for (int k = 0; k < ARRAYS; k++)
    *list[k].there = kept->block[k];
  return PERP_OK;
}

perp_error perp_operator_place(perp_operator *A, perp_device *device, perp_message *why)
{
  perp_fine top;
  perp_placing list[ARRAYS];
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  perp_placement_destroy(&A->placement);
  if (!device)
    return PERP_OK;
  if (!perp_operator_is_stencil(A))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "a %s operator is not placed on devices yet",
                     perp_operator_kind(A));
  list_arrays((const perp_stencil *)A, &top, list);
  return perp_placement_create(device, ARRAYS, list, A->values, &A->placement, why);
}
